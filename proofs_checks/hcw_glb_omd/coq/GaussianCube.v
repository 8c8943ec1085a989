(* thm:lower-bound, repaired, for Gaussian rewards of variances g_t: for any c > 0, arms len_t e / sqrt d and parameters
   w s / sqrt d for sign vectors e and s, with len_t = min (1, g_t/c), V = sum of min (g_t, c) and
   w = min (d c / (2 sqrt V), S).
     heteroskedastic_lower_bound   for every policy some parameter in the ball of radius S has regret at least
                                   min (d sqrt V / 4, S V / (2 c)): no logarithm, no bins, no condition on d
     hypercube_lower_bound         one variance g and c = g: min (d sqrt (g T) / 4, S T / 2)
   P s is the law of the T arms that the policy pulls in instance s.  What is assumed of it is the textbook fact
   `pinsker_and_chain_rule`, with the divergence (z - z')^2 / (2 g_t) of two normal laws of variance g_t. *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots QuadraticForm FiniteProcess Assouad FiniteBandit FamilyDivergence.
From HCW Require Import Hypercube CubeVectors Lengths.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Definition cube_arm d (len : nat -> R) (t : nat) (e : signs d) : 'cV[R]_d := sign_vector (len t / sqrt d%:R) e.
Definition cube_theta d (w : R) (s : signs d) : 'cV[R]_d := sign_vector (w / sqrt d%:R) s.
Definition normal_divergence (v z z' : R) : R := (z - z') ^+ 2 / (2 * v).
(* The regret of arms x_1, ..., x_T of law P, against the arm of sign vector `best`. *)
Definition linear_regret (d T : nat) (arm : nat -> signs d -> 'cV[R]_d) (P : T.-tuple (signs d) -> R)
    (theta : 'cV[R]_d) (best : signs d) : R :=
  \sum_x P x * (\sum_(t < T) (dot (arm t best) theta - dot (arm t (tnth x t)) theta)).

Lemma normal_divergence_ge0 (v z z' : R) : 0 < v -> 0 <= normal_divergence v z z'.
Proof. by move=> v0; rewrite divr_ge0 ?sqr_ge0 // mulr_ge0 ?ler0n // ltW. Qed.

Lemma square_link (v z z' : R) :
  bregman_over (fun z => z ^+ 2 / 2) id v z z' = normal_divergence v z z'.
Proof.
rewrite /bregman_over /normal_divergence invfM mulrA; congr (_ / _); rewrite /id.
by to_R; lra.
Qed.

Section Cube.
Variables (d T : nat) (S c : R) (g : nat -> R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis T_gt0 : (0 < T)%N.
Hypothesis S_gt0 : 0 < S.
Hypothesis c_gt0 : 0 < c.
Hypothesis g_gt0 : forall t, 0 < g t.
Let dR : 0 < d%:R :> R. Proof. by rewrite ltr0n. Qed.
Let r := sqrt (d%:R : R).
Let rr : r * r = d%:R. Proof. by apply: sqrt_sq; exact: ltW. Qed.
Let len := length_of c g.
Let V := capped_sum c g T.
Definition cube_radius : R := Num.min (capped_radius d c V) S.
Let w := cube_radius.
Let arm := @cube_arm d len.
Let theta := @cube_theta d w.
Let V_gt0 : 0 < V. Proof. exact: capped_gt0. Qed.

Let w_ge0 : 0 <= w.
Proof.
rewrite le_minr (ltW S_gt0) andbT divr_ge0 // mulr_ge0 ?ler0n ?sqrt_ge0 //; exact: ltW.
Qed.

Lemma cube_arm_in_ball t (e : signs d) : dot (arm t e) (arm t e) <= 1.
Proof.
rewrite sign_vector_norm expr_div_n [sqrt _ ^+ 2]expr2 rr divfK ?gt_eqF //.
by rewrite expr_le1 ?length_le1 // length_ge0.
Qed.

Lemma cube_theta_norm (s : signs d) : dot (theta s) (theta s) = w ^+ 2.
Proof. by rewrite sign_vector_norm expr_div_n [sqrt _ ^+ 2]expr2 rr divfK // gt_eqF. Qed.

Lemma cube_theta_in_ball (s : signs d) : dot (theta s) (theta s) <= S ^+ 2.
Proof. by rewrite cube_theta_norm ler_sqr ?nnegrE ?(ltW S_gt0) // le_minl lexx orbT. Qed.

Let cube_value t (e s : signs d) : dot (arm t e) (theta s) = value (fun t => len t * w) 0 t e s.
Proof. by rewrite dot_signs /value add0r mulrACA -invfM rr. Qed.

Theorem heteroskedastic_lower_bound (P : signs d -> T.-tuple (signs d) -> R) : (forall s, law_of (P s)) ->
  pinsker_and_chain_rule P (fun s s' t e =>
    normal_divergence (g t) (dot (arm t e) (theta s)) (dot (arm t e) (theta s'))) ->
  exists s : signs d, dot (theta s) (theta s) <= S ^+ 2 /\
    Num.min (d%:R * sqrt V / 4) (S * V / (2 * c)) <= linear_regret arm (P s) (theta s) s.
Proof.
move=> lP facts; pose u t := len t * w.
have u_ge0 t : 0 <= u t by rewrite mulr_ge0 ?length_ge0.
have facts' : pinsker_and_chain_rule P (fun s s' t e => bregman_over (fun z => z ^+ 2 / 2) id (g t)
    (value u 0 t e s) (value u 0 t e s')).
  move=> s s' f kappa f01 le; apply: facts => // t a tT; rewrite !cube_value -square_link; exact: le.
have rise t (y z : R) : 0 - u t <= y -> y <= z -> z <= 0 + u t -> 1 * (z - y) <= id z - id y by rewrite mul1r.
have curve t (y z : R) : 0 - u t <= y <= 0 + u t -> 0 - u t <= z <= 0 + u t ->
    z ^+ 2 / 2 - y ^+ 2 / 2 - id y * (z - y) <= 1 * (z - y) ^+ 2 / 2.
  by move=> _ _; rewrite /id; to_R; lra.
have small : 4 * (1 * \sum_(t < T) u t ^+ 2 / g t) <= d%:R ^+ 2.
  by apply: lengths_small => //; [exact: ltr01 | rewrite mul1r le_minl lexx].
have [s bound] := hypercube_core d_gt0 u_ge0 ler01 g_gt0 rise curve lP facts' small.
exists s; split; first exact: cube_theta_in_ball.
have -> : linear_regret arm (P s) (theta s) s = mean_regret u 0 id P s.
  by apply: eq_bigr => x _; congr (_ * _); apply: eq_bigr => t _; rewrite !cube_value.
apply: le_trans bound; rewrite lengths_pay // mul1r -/V /w /cube_radius.
case: (leP (capped_radius d c V) S) => _; rewrite le_minl; apply/orP; [left | right]; rewrite le_eqVlt; apply/orP; left; apply/eqP => //.
have cn : c != 0 by rewrite gt_eqF.
have sV := sqrt_gt0 V_gt0; have sn : sqrt V != 0 by rewrite gt_eqF.
have VE : V = sqrt V * sqrt V by rewrite sqrt_sq // ltW.
rewrite /capped_radius {3}VE !invfM.
have -> : d%:R * c * (2^-1 / sqrt V) * (sqrt V * sqrt V) * (2^-1 / c) =
    d%:R * sqrt V / 4 * (c / c) * (sqrt V / sqrt V).
  by move: (sqrt V)^-1 (sqrt V) c^-1 => a b x; clear; to_R; lra.
by rewrite !divff // !mulr1.
Qed.
End Cube.

Section Constant.
Variables (d T : nat) (S v : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis T_gt0 : (0 < T)%N.
Hypothesis S_gt0 : 0 < S.
Hypothesis v_gt0 : 0 < v.
Let arm := @cube_arm d (fun=> 1).
Let theta := cube_theta (cube_radius d T S v (fun=> v)) (d := d).

Theorem hypercube_lower_bound (P : signs d -> T.-tuple (signs d) -> R) : (forall s, law_of (P s)) ->
  pinsker_and_chain_rule P (fun s s' t e =>
    normal_divergence v (dot (arm t e) (theta s)) (dot (arm t e) (theta s'))) ->
  exists s : signs d, dot (theta s) (theta s) <= S ^+ 2 /\
    Num.min (d%:R * sqrt (v * T%:R) / 4) (S * T%:R / 2) <= linear_regret arm (P s) (theta s) s.
Proof.
move=> lP facts.
have same t e : cube_arm (length_of v (fun=> v)) t e = arm t e by rewrite /arm /cube_arm length_constant.
have facts' : pinsker_and_chain_rule P (fun s s' t e => normal_divergence v
    (dot (cube_arm (length_of v (fun=> v)) t e) (theta s)) (dot (cube_arm (length_of v (fun=> v)) t e) (theta s'))).
  by move=> s s' f kappa f01 le; apply: facts => // t a tT; rewrite -!same; apply: le.
have [s [inb bound]] := heteroskedastic_lower_bound d_gt0 T_gt0 S_gt0 v_gt0 (fun=> v_gt0) lP facts'.
exists s; split=> //; move: bound; rewrite capped_constant.
have -> : S * (v * T%:R) / (2 * v) = S * T%:R / 2.
  have -> : S * (v * T%:R) / (2 * v) = S * T%:R / 2 * (v / v) by rewrite invfM; move: v^-1 => x; to_R; lra.
  by rewrite divff ?mulr1 // gt_eqF.
move/le_trans; apply; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_bigr => x _; congr (_ * _); apply: eq_bigr => t _; rewrite !same.
Qed.
End Constant.

(* The premise can be met: a policy that looks at no reward pulls the same arms in all instances. *)
Lemma blind_meets_premise (I A : finType) (T : nat) (p : T.-tuple A -> R) (a : A) (div : I -> I -> nat -> A -> R) :
  (forall s s' t a, 0 <= div s s' t a) -> pinsker_and_chain_rule (fun=> p) div.
Proof.
move=> d0 s s' f kappa _ le; rewrite subrr expr0n mulr0; apply: sumr_ge0 => t _.
exact: le_trans (d0 s s' t a) (le t a (ltn_ord t)).
Qed.
