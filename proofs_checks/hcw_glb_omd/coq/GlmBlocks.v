(* thm:lower-bound, repaired, for self-concordant families: the hypercubes of Hypercube.v with a last coordinate that
   all arms share.  Arms (e / sqrt (2k) on one block, 1 / sqrt 2), parameters (w s sqrt (2/k), s0), centre (0, s0),
   z0 = s0 / sqrt 2.
     distance_to_centre   |theta - centre|^2 is the sum of 2 w^2 / k over the coordinates
     glm_blocks           every policy pays mu'(z0) w / (2 e) in each round whose bin has k coordinates
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

Section Blocks.
Variables (n k : nat) (block : 'I_n -> nat) (bin : nat -> nat) (w : nat -> R) (s0 : R).
Implicit Types (e s : signs n).

Definition tilted_arm (t : nat) e : 'cV[R]_(n + 1) :=
  col_mx (block_arm block bin (sqrt 2 * sqrt k%:R)^-1 t e) (const_mx (sqrt 2)^-1).
Definition tilted_theta s : 'cV[R]_(n + 1) :=
  col_mx (block_theta block (fun l => w l * (sqrt 2 / sqrt k%:R)) s) (const_mx s0).
Definition centre : 'cV[R]_(n + 1) := col_mx 0 (const_mx s0).
Let z0 := s0 / sqrt 2.

Hypothesis k_gt0 : (0 < k)%N.
Hypothesis block_le : forall l, (block_size block l <= k)%N.
Hypothesis w_ge0 : forall l, 0 <= w l.
Let kR : 0 < k%:R :> R. Proof. by rewrite ltr0n. Qed.
Let r2 : sqrt 2 * sqrt 2 = 2. Proof. by apply: sqrt_sq; exact: ler0n. Qed.
Let rk : sqrt k%:R * sqrt k%:R = k%:R :> R. Proof. by apply: sqrt_sq; exact: ltW. Qed.
Let r2_gt0 : 0 < sqrt 2. Proof. by apply: sqrt_gt0; rewrite ltr0n. Qed.

Lemma tilted_value t e s : dot (tilted_arm t e) (tilted_theta s) = value k block bin w z0 t e s.
Proof.
rewrite /tilted_arm /tilted_theta dot_col dot_block dot_const /value addrC [_^-1 * s0]mulrC; congr (_ + _ * _).
have key (a b x : R) : a != 0 -> (a * b)^-1 * (x * (a / b)) = x / (b * b).
  by move=> a0; rewrite !invfM mulrCA; congr (_ * _); rewrite mulrACA mulVf // mul1r.
by rewrite key ?rk // gt_eqF.
Qed.

Lemma tilted_arm_in_ball t e : dot (tilted_arm t e) (tilted_arm t e) <= 1.
Proof.
rewrite /tilted_arm dot_col arm_norm dot_const -invfM r2 expr2 -invfM mulrACA r2 rk.
have : (block_size block (bin t))%:R / k%:R <= 1 :> R by rewrite ler_pdivr_mulr // mul1r ler_nat.
by rewrite invfM -mulrA [k%:R^-1 * _]mulrC; move: (_ / k%:R) => u; to_R; lra.
Qed.

Lemma distance_to_centre s : dot (tilted_theta s - centre) (tilted_theta s - centre) =
  \sum_j 2 * w (block j) ^+ 2 / k%:R.
Proof.
rewrite /tilted_theta /centre opp_col_mx add_col_mx subr0 subrr dot_col theta_norm.
have -> : dot (0 : 'cV[R]_1) 0 = 0 by rewrite /dot mulmx0 mxE.
rewrite addr0; apply: eq_bigr => j _; rewrite exprMn expr_div_n [sqrt 2 ^+ 2]expr2 [sqrt _ ^+ 2]expr2 r2 rk.
by rewrite mulrA [2 * _]mulrC.
Qed.

Lemma tilted_theta_norm s : dot (tilted_theta s) (tilted_theta s) = s0 ^+ 2 + \sum_j 2 * w (block j) ^+ 2 / k%:R.
Proof.
rewrite -(distance_to_centre s) /tilted_theta /centre opp_col_mx add_col_mx subr0 subrr !dot_col dot_const.
by have -> : dot (0 : 'cV[R]_1) 0 = 0 by [rewrite /dot mulmx0 mxE]; rewrite addr0 addrC expr2.
Qed.

Variables (m mu dmu ddmu : R -> R) (Rs : R) (g : nat -> R) (T : nat) (P : signs n -> T.-tuple (signs n) -> R).
Hypothesis sm : smooth m mu dmu ddmu.
Hypothesis Rs_ge0 : 0 <= Rs.
Hypothesis sc : forall l, concordant dmu ddmu Rs (Rminus z0 (w l)) (Rplus z0 (w l)).
Hypothesis Rs_w : forall l, Rs * w l <= 1.
Hypothesis g_gt0 : forall t, 0 < g t.
Hypothesis law_P : forall s, law_of (P s).
Hypothesis facts : pinsker_and_chain_rule P (glm_divergence m mu g tilted_arm tilted_theta).
Hypothesis small : forall l, 4 * (w l ^+ 2 * (dmu z0 * exp 1) * \sum_(t < T | bin t == l) (g t)^-1) <= k%:R ^+ 2.

Theorem glm_blocks : exists s, \sum_(t < T | block_size block (bin t) == k) dmu z0 * exp (- 1) * w (bin t) / 2 <=
  glm_regret mu tilted_arm (P s) (tilted_theta s) s.
Proof.
have near l z : Rle (Rminus z0 (w l)) z /\ Rle z (Rplus z0 (w l)) ->
    Rle (Rmult (dmu z0) (exp (Ropp 1))) (dmu z) /\ Rle (dmu z) (Rmult (dmu z0) (exp 1)).
  move=> hz; apply: (slopes_near _ _ _ _ Rs z0 (w l) z sm (@sc l) (le_R Rs_ge0)) => //.
  exact: (le_R (Rs_w l)).
have rise l (y z : R) : z0 - w l <= y -> y <= z -> z <= z0 + w l ->
    dmu z0 * exp (- 1) * (z - y) <= mu z - mu y.
  move=> h1 h2 h3; apply/RleP.
  apply: (mean_rise _ _ _ _ (Rminus z0 (w l)) (Rplus z0 (w l)) sm _ _ _ (fun x hx => proj1 (near l x hx)));
    exact: le_R.
have curve l (y z : R) : z0 - w l <= y <= z0 + w l -> z0 - w l <= z <= z0 + w l ->
    m z - m y - mu y * (z - y) <= dmu z0 * exp 1 * (z - y) ^+ 2 / 2.
  move=> /andP[h1 h2] /andP[h3 h4].
  have := bregman_upper _ _ _ _ (Rminus z0 (w l)) (Rplus z0 (w l)) _ y z sm (fun x hx => proj2 (near l x hx))
    (conj (le_R h1) (le_R h2)) (conj (le_R h3) (le_R h4)).
  by clear; move: (exp 1) => E; to_R; lra.
have facts' : pinsker_and_chain_rule P (fun s s' t e => bregman_over m mu (g t)
    (value k block bin w z0 t e s) (value k block bin w z0 t e s')).
  move=> s s' f kappa f01 le; apply: facts => // t a tT; rewrite /glm_divergence !tilted_value; exact: le.
have a0 : 0 <= dmu z0 * exp (- 1).
  by apply: mulr_ge0; [apply/RleP; exact: (dmu_ge0 _ _ _ _ sm) | exact/ltW/exp_gt0].
have [s bound] := hypercube_core k_gt0 block_le w_ge0 a0 g_gt0 rise curve law_P facts' small.
exists s; apply: le_trans bound _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_bigr => x _; congr (_ * _); apply: eq_bigr => t _; rewrite !tilted_value.
Qed.
End Blocks.
