(* thm:lower-bound, repaired, for self-concordant families: the hypercube of Hypercube.v with a last coordinate that
   all arms share.  Arms (len_t e / sqrt (2n), 1 / sqrt 2) with lengths in [0, 1], parameters (w s sqrt (2/n), s0),
   centre (0, s0), z0 = s0 / sqrt 2.
     distance_to_centre   |theta - centre|^2 = 2 w^2
     tilted_cube          every policy pays mu'(z0) len_t w / (2 e) in round t, summed over the rounds
     finite_facts         for finitely many reward values the premise on divergences is a theorem *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots SelfConcordance SlopeBounds QuadraticForm.
From Glbcheck Require Import FiniteProcess Assouad FiniteBandit ExponentialFamily Divergence FamilyDivergence.
From HCW Require Import Hypercube CubeVectors.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* Divergences and regret of a bandit with arms arm t e and parameter theta s in instance s. *)
Definition glm_divergence d n (m mu : R -> R) (g : nat -> R) (arm : nat -> signs n -> 'cV[R]_d)
    (theta : signs n -> 'cV[R]_d) (s s' : signs n) (t : nat) (e : signs n) : R :=
  bregman_over m mu (g t) (dot (arm t e) (theta s)) (dot (arm t e) (theta s')).
Definition glm_regret d n T (mu : R -> R) (arm : nat -> signs n -> 'cV[R]_d) (P : T.-tuple (signs n) -> R)
    (theta : 'cV[R]_d) (best : signs n) : R :=
  \sum_x P x * (\sum_(t < T) (mu (dot (arm t best) theta) - mu (dot (arm t (tnth x t)) theta))).

(* With finitely many reward values the law of the arms is that of the game, and the premise holds. *)
Theorem finite_facts d n T (Y : finType) (val : Y -> R) base m mu g (arm : nat -> signs n -> 'cV[R]_d)
    (theta : signs n -> 'cV[R]_d) (pi : policy [finType of signs n] Y) :
  family_law val base m mu g -> is_policy pi ->
  let P s := arms_law pi (fun t e => mass val base m g t (dot (arm t e) (theta s))) (T := T) in
  (forall s, law_of (P s)) /\ pinsker_and_chain_rule P (glm_divergence m mu g arm theta).
Proof.
move=> fam lp P; pose nu s t e := mass val base m g t (dot (arm t e) (theta s)).
have ln s t a : law_of (nu s t a) := mass_law fam t _.
split=> [s|s s' f kappa f01 le]; first exact: (arms_law_law lp T (ln s)).
apply: (finite_pinsker lp ln) => // [s0 s1 t a|t a tT]; first exact: mass_dominated.
by rewrite /nu (kl_is_bregman fam); apply: le.
Qed.

Section Tilted.
Variables (n : nat) (len : nat -> R) (w s0 : R).
Implicit Types (e s : signs n).

Definition tilted_arm (t : nat) e : 'cV[R]_(n + 1) :=
  col_mx (sign_vector (len t / (sqrt 2 * sqrt n%:R)) e) (const_mx (sqrt 2)^-1).
Definition tilted_theta s : 'cV[R]_(n + 1) := col_mx (sign_vector (w * (sqrt 2 / sqrt n%:R)) s) (const_mx s0).
Definition centre : 'cV[R]_(n + 1) := col_mx 0 (const_mx s0).
Let z0 := s0 / sqrt 2.

Hypothesis n_gt0 : (0 < n)%N.
Hypothesis len_ge0 : forall t, 0 <= len t.
Hypothesis len_le1 : forall t, len t <= 1.
Hypothesis w_ge0 : 0 <= w.
Let nR : 0 < n%:R :> R. Proof. by rewrite ltr0n. Qed.
Let r2 : sqrt 2 * sqrt 2 = 2. Proof. by apply: sqrt_sq; exact: ler0n. Qed.
Let rn : sqrt n%:R * sqrt n%:R = n%:R :> R. Proof. by apply: sqrt_sq; exact: ltW. Qed.
Let r2_gt0 : 0 < sqrt 2. Proof. by apply: sqrt_gt0; rewrite ltr0n. Qed.

Lemma tilted_value t e s : dot (tilted_arm t e) (tilted_theta s) = value (fun t => len t * w) z0 t e s.
Proof.
rewrite /tilted_arm /tilted_theta dot_col dot_signs dot_const /value addrC [_^-1 * s0]mulrC; congr (_ + _ * _).
have key (a b x y : R) : a != 0 -> x / (a * b) * (y * (a / b)) = x * y / (b * b).
  by move=> a0; rewrite mulrACA !invfM; congr (_ * _); rewrite mulrACA mulVf // mul1r.
by rewrite key ?rn // gt_eqF.
Qed.

Lemma tilted_arm_in_ball t e : dot (tilted_arm t e) (tilted_arm t e) <= 1.
Proof.
rewrite /tilted_arm dot_col sign_vector_norm dot_const -invfM r2 expr_div_n [(sqrt 2 * _) ^+ 2]expr2 mulrACA r2 rn.
have -> : len t ^+ 2 / (2 * n%:R) * n%:R = len t ^+ 2 / 2 by rewrite invfM mulrA divfK // gt_eqF.
have : len t ^+ 2 <= 1 by rewrite expr_le1.
by move: (len t ^+ 2) => u; to_R; lra.
Qed.

Lemma distance_to_centre s : dot (tilted_theta s - centre) (tilted_theta s - centre) = 2 * w ^+ 2.
Proof.
rewrite /tilted_theta /centre opp_col_mx add_col_mx subr0 subrr dot_col sign_vector_norm.
have -> : dot (0 : 'cV[R]_1) 0 = 0 by rewrite /dot mulmx0 mxE.
by rewrite addr0 exprMn expr_div_n [sqrt 2 ^+ 2]expr2 [sqrt _ ^+ 2]expr2 r2 rn -mulrA divfK ?gt_eqF // mulrC.
Qed.

Lemma tilted_theta_norm s : dot (tilted_theta s) (tilted_theta s) = s0 ^+ 2 + 2 * w ^+ 2.
Proof.
rewrite -(distance_to_centre s) /tilted_theta /centre opp_col_mx add_col_mx subr0 subrr !dot_col dot_const.
by have -> : dot (0 : 'cV[R]_1) 0 = 0 by [rewrite /dot mulmx0 mxE]; rewrite addr0 addrC expr2.
Qed.

Variables (m mu dmu ddmu : R -> R) (Rs : R) (g : nat -> R) (T : nat) (P : signs n -> T.-tuple (signs n) -> R).
Hypothesis sm : smooth m mu dmu ddmu.
Hypothesis Rs_ge0 : 0 <= Rs.
Hypothesis sc : concordant dmu ddmu Rs (Rminus z0 w) (Rplus z0 w).
Hypothesis Rs_w : Rs * w <= 1.
Hypothesis g_gt0 : forall t, 0 < g t.
Hypothesis law_P : forall s, law_of (P s).
Hypothesis facts : pinsker_and_chain_rule P (glm_divergence m mu g tilted_arm tilted_theta).
Hypothesis small : 4 * (dmu z0 * exp 1 * \sum_(t < T) (len t * w) ^+ 2 / g t) <= n%:R ^+ 2.

Theorem tilted_cube : exists s, \sum_(t < T) dmu z0 * exp (- 1) * (len t * w) / 2 <=
  glm_regret mu tilted_arm (P s) (tilted_theta s) s.
Proof.
pose u t := len t * w; have u_ge0 t : 0 <= u t by rewrite mulr_ge0.
have u_le t : u t <= w by rewrite -[leRHS]mul1r ler_wpmul2r.
have low t : z0 - w <= z0 - u t by rewrite ler_add2l ler_opp2.
have high t : z0 + u t <= z0 + w by rewrite ler_add2l.
have near z : z0 - w <= z -> z <= z0 + w ->
    Rle (Rmult (dmu z0) (exp (Ropp 1))) (dmu z) /\ Rle (dmu z) (Rmult (dmu z0) (exp 1)).
  move=> h1 h2; apply: (slopes_near _ _ _ _ Rs z0 w z sm sc (le_R Rs_ge0)); first exact: (le_R Rs_w).
  by split; exact: le_R.
have near' t z : Rle (Rminus z0 (u t)) z /\ Rle z (Rplus z0 (u t)) ->
    Rle (Rmult (dmu z0) (exp (Ropp 1))) (dmu z) /\ Rle (dmu z) (Rmult (dmu z0) (exp 1)).
  by move=> [/RleP h1 /RleP h2]; apply: near; [exact: le_trans (low t) h1 | exact: le_trans h2 (high t)].
have rise t (y z : R) : z0 - u t <= y -> y <= z -> z <= z0 + u t ->
    dmu z0 * exp (- 1) * (z - y) <= mu z - mu y.
  move=> h1 h2 h3; apply/RleP.
  apply: (mean_rise _ _ _ _ (Rminus z0 (u t)) (Rplus z0 (u t)) sm _ _ _ (fun x hx => proj1 (near' t x hx)));
    exact: le_R.
have curve t (y z : R) : z0 - u t <= y <= z0 + u t -> z0 - u t <= z <= z0 + u t ->
    m z - m y - mu y * (z - y) <= dmu z0 * exp 1 * (z - y) ^+ 2 / 2.
  move=> /andP[h1 h2] /andP[h3 h4].
  have := bregman_upper _ _ _ _ (Rminus z0 (u t)) (Rplus z0 (u t)) _ y z sm (fun x hx => proj2 (near' t x hx))
    (conj (le_R h1) (le_R h2)) (conj (le_R h3) (le_R h4)).
  by clear; move: (exp 1) => E; to_R; lra.
have facts' : pinsker_and_chain_rule P (fun s s' t e => bregman_over m mu (g t) (value u z0 t e s) (value u z0 t e s')).
  move=> s s' f kappa f01 le; apply: facts => // t a tT; rewrite /glm_divergence !tilted_value; exact: le.
have a0 : 0 <= dmu z0 * exp (- 1).
  by apply: mulr_ge0; [apply/RleP; exact: (dmu_ge0 _ _ _ _ sm) | exact/ltW/exp_gt0].
have [s bound] := hypercube_core n_gt0 u_ge0 a0 g_gt0 rise curve law_P facts' small.
exists s; apply: le_trans bound _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_bigr => x _; congr (_ * _); apply: eq_bigr => t _; rewrite !tilted_value.
Qed.
End Tilted.
