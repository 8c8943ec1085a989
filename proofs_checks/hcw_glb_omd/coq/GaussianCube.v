(* thm:lower-bound, repaired, for Gaussian rewards of one variance g: arms e / sqrt d and parameters w s / sqrt d for
   sign vectors e and s, with w = min (d sqrt (g/T) / 2, S).
     hypercube_lower_bound    for every policy some parameter in the ball of radius S has regret at least
                              min (d sqrt (g T) / 4, S T / 2)
   P s is the law of the T arms that the policy pulls in instance s.  What is assumed of it is the textbook fact
   `pinsker_and_chain_rule`, with the divergence (z - z')^2 / (2 g) of two normal laws of variance g. *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots QuadraticForm FiniteProcess Assouad FiniteBandit FamilyDivergence.
From HCW Require Import Hypercube CubeVectors.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Definition cube_arm d (e : signs d) : 'cV[R]_d := \col_j (sign (e j) / sqrt d%:R).
Definition cube_theta d (w : R) (s : signs d) : 'cV[R]_d := \col_j (w / sqrt d%:R * sign (s j)).
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
Variables (d T : nat) (S g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis T_gt0 : (0 < T)%N.
Hypothesis S_gt0 : 0 < S.
Hypothesis g_gt0 : 0 < g.
Let dR : 0 < d%:R :> R. Proof. by rewrite ltr0n. Qed.
Let TR : 0 < T%:R :> R. Proof. by rewrite ltr0n. Qed.
Let r := sqrt (d%:R : R).
Let r_gt0 : 0 < r. Proof. exact: sqrt_gt0. Qed.
Let rr : r * r = d%:R. Proof. by apply: sqrt_sq; exact: ltW. Qed.
Definition cube_radius : R := Num.min (d%:R * sqrt (g / T%:R) / 2) S.
Let w := cube_radius.

Let w_ge0 : 0 <= w.
Proof. by rewrite le_minr (ltW S_gt0) andbT divr_ge0 ?ler0n // mulr_ge0 ?sqrt_ge0 ?ler0n. Qed.

Let one_block : forall l, (block_size (fun _ : 'I_d => 0%N) l <= d)%N.
Proof. by move=> l; apply: leq_trans (max_card _) _; rewrite card_ord. Qed.

Let full : block_size (fun _ : 'I_d => 0%N) 0 = d.
Proof. by apply: etrans (card_ord d); apply: eq_card. Qed.

Lemma cube_arm_in_ball (e : signs d) : dot (cube_arm e) (cube_arm e) <= 1.
Proof.
rewrite /dot mxE (eq_bigr (fun=> (d%:R)^-1)) => [|j _]; last first.
  by rewrite !mxE mulrACA sign_sq mul1r -invfM rr.
by rewrite sumr_const card_ord -[_ *+ d]mulr_natl mulfV // gt_eqF.
Qed.

Lemma cube_theta_norm (s : signs d) : dot (cube_theta w s) (cube_theta w s) = w ^+ 2.
Proof.
rewrite /dot mxE (eq_bigr (fun=> w ^+ 2 / d%:R)) => [|j _]; last first.
  by rewrite !mxE mulrACA sign_sq mulr1 mulrACA -invfM rr expr2.
by rewrite sumr_const card_ord -[_ *+ d]mulr_natr divfK // gt_eqF.
Qed.

Lemma cube_theta_in_ball (s : signs d) : dot (cube_theta w s) (cube_theta w s) <= S ^+ 2.
Proof.
rewrite cube_theta_norm ler_sqr ?nnegrE ?(ltW S_gt0) // le_minl lexx orbT //.
Qed.

Let cube_value t (e s : signs d) :
  dot (cube_arm e) (cube_theta w s) = value d (fun=> 0%N) (fun=> 0%N) (fun=> w) 0 t e s.
Proof.
rewrite /value add0r /dot mxE mulr_sumr; apply: eq_bigr => j _; rewrite !mxE.
have -> : w / d%:R = w * (r^-1 * r^-1) by rewrite -invfM rr.
by rewrite -/r; move: r^-1 (sign (e j)) (sign (s j)) w => u v x y; clear; to_R; lra.
Qed.

Theorem hypercube_lower_bound (P : signs d -> T.-tuple (signs d) -> R) : (forall s, law_of (P s)) ->
  pinsker_and_chain_rule P (fun s s' t e =>
    normal_divergence g (dot (cube_arm e) (cube_theta w s)) (dot (cube_arm e) (cube_theta w s'))) ->
  exists s : signs d, dot (cube_theta w s) (cube_theta w s) <= S ^+ 2 /\
    Num.min (d%:R * sqrt (g * T%:R) / 4) (S * T%:R / 2) <=
    linear_regret (fun=> @cube_arm d) (P s) (cube_theta w s) s.
Proof.
move=> lP facts.
have facts' : pinsker_and_chain_rule P (fun s s' t e => bregman_over (fun z => z ^+ 2 / 2) id g
    (value d (fun=> 0%N) (fun=> 0%N) (fun=> w) 0 t e s) (value d (fun=> 0%N) (fun=> 0%N) (fun=> w) 0 t e s')).
  move=> s s' f kappa f01 le; apply: facts => // t a tT; rewrite !(cube_value t) -square_link; exact: le.
have small (l : nat) : 4 * (w ^+ 2 * 1 * \sum_(t < T | 0%N == l) g^-1) <= d%:R ^+ 2.
  have H : \sum_(t < T | 0%N == l) g^-1 <= T%:R / g.
    case: (0%N == l); first by rewrite sumr_const card_ord -[_ *+ T]mulr_natl.
    by rewrite big_pred0_eq divr_ge0 ?ler0n ?(ltW g_gt0).
  have w2 : w ^+ 2 <= d%:R ^+ 2 * (g / T%:R) / 4.
    have v0 : 0 <= g / T%:R by rewrite divr_ge0 ?(ltW g_gt0) ?ler0n.
    have h : w <= d%:R * sqrt (g / T%:R) / 2 by rewrite le_minl lexx.
    have := ler_pmul w_ge0 w_ge0 h h; have := sqrt_sq v0; rewrite -expr2.
    have cube (q u v x : R) : u * u = x -> q <= v * u / 2 * (v * u / 2) -> q <= v ^+ 2 * x / 4.
      by move=> <-; clear; to_R; lra.
    exact: cube.
  have x0 : 0 <= T%:R / g by rewrite divr_ge0 ?ler0n ?(ltW g_gt0).
  have one : g / T%:R * (T%:R / g) = 1 by rewrite mulf_div [g * _]mulrC divff // mulf_neq0 // gt_eqF.
  have solve (u v p x h : R) : p * x = 1 -> u * h <= u * x -> u * x <= v * p / 4 * x -> 4 * (u * 1 * h) <= v.
    move=> px b c; have e : v * p / 4 * x = v / 4 by rewrite -[RHS]mulr1 -px; clear; to_R; lra.
    by move: b c; rewrite e; clear; to_R; lra.
  exact: (solve _ _ _ _ _ one (ler_wpmul2l (sqr_ge0 w) H) (ler_wpmul2r x0 w2)).
have rise (l : nat) (y z : R) : 0 - w <= y -> y <= z -> z <= 0 + w -> 1 * (z - y) <= id z - id y by rewrite mul1r.
have curve (l : nat) (y z : R) : 0 - w <= y <= 0 + w -> 0 - w <= z <= 0 + w ->
    z ^+ 2 / 2 - y ^+ 2 / 2 - id y * (z - y) <= 1 * (z - y) ^+ 2 / 2.
  by move=> _ _; rewrite /id; to_R; lra.
have [s bound] := hypercube_core d_gt0 one_block (fun=> w_ge0) ler01 (fun=> g_gt0) rise curve lP facts' small.
exists s; split; first exact: cube_theta_in_ball.
apply: le_trans (_ : _ <= \sum_(t < T) 1 * w / 2) _; last first.
  move: bound; rewrite /= (eq_bigl xpredT) => [|t]; last by rewrite full eqxx.
  move/le_trans; apply; rewrite /mean_regret /linear_regret le_eqVlt; apply/orP; left; apply/eqP.
  by apply: eq_bigr => x _; congr (_ * _); apply: eq_bigr => t _; rewrite !(cube_value t).
have -> : \sum_(t < T) 1 * w / 2 = T%:R * (w / 2) by rewrite sumr_const card_ord mul1r -[_ *+ T]mulr_natl.
rewrite /w /cube_radius.
have e : sqrt (g * T%:R) = T%:R * sqrt (g / T%:R).
  have v0 : 0 <= g / T%:R by rewrite divr_ge0 ?(ltW g_gt0) ?ler0n.
  have -> : g * T%:R = (g / T%:R) * (T%:R ^+ 2) by rewrite expr2 mulrA divfK // gt_eqF.
  by rewrite sqrtM ?sqr_ge0 // mulrC sqrt_of_square ?ler0n.
rewrite e; case: (leP (d%:R * sqrt (g / T%:R) / 2) S) => h.
  rewrite le_minl; apply/orP; left.
  have scale (u v x : R) : x * (v * u) / 4 <= v * (x * u / 2 / 2) by clear; to_R; lra.
  exact: scale.
have scale (v : R) : S * v / 2 <= v * (S / 2) by clear; to_R; lra.
by rewrite le_minl; apply/orP; right; exact: scale.
Qed.
End Cube.

(* The premise can be met: a policy that looks at no reward pulls the same arms in all instances. *)
Lemma blind_meets_premise (I A : finType) (T : nat) (p : T.-tuple A -> R) (a : A) (div : I -> I -> nat -> A -> R) :
  (forall s s' t a, 0 <= div s s' t a) -> pinsker_and_chain_rule (fun=> p) div.
Proof.
move=> d0 s s' f kappa _ le; rewrite subrr expr0n mulr0; apply: sumr_ge0 => t _.
exact: le_trans (d0 s s' t a) (le t a (ltn_ord t)).
Qed.
