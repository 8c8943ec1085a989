(* lemma:epl-results, second and third line, as printed, and their negations.  Every choice below that is not in the
   text weakens them: no corruption, a link with R_s = 0, where alpha = sqrt d, lambda = d/(4 S^2) and eta = 1.  The
   slope being constant, all rounds are in the set T_1 of the second line.
     printed_second_sum         S_2 is at most 2 d (kappa g_max + g_max/g_min) log (1 + T/(d kappa g_min lambda))
     printed_third_sum          S_3 is at most 2 d (kappa/(sqrt lambda alpha) + 1) log (1 + T alpha/(d kappa sqrt lambda))
     printed_second_sum_false, printed_third_sum_false   both fail for small lambda, as lemma:epl does *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots Scalar SelfConcordance QuadraticForm EllipticalPotential MirrorDescent.
From HCW Require Import Constants Algorithm PrintedFirstSum.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* 1/kappa is the smallest slope on [-S, S]. *)
Definition smallest_slope (dmu : R -> R) (S kappa : R) :=
  (forall z, - S <= z <= S -> kappa^-1 <= dmu z) /\ exists2 z, - S <= z <= S & dmu z = kappa^-1.

Definition printed_second_sum := forall (d T : nat) (m mu dmu ddmu : R -> R) (S kappa alpha lam g_min g_max : R)
    (p : trajectory d),
  (0 < d)%N -> 0 < S -> smooth m mu dmu ddmu -> (forall lo hi, concordant dmu ddmu 0 lo hi) ->
  0 < kappa -> smallest_slope dmu S kappa -> alpha = sqrt d%:R -> lam = d%:R / (4 * S ^+ 2) ->
  0 < g_min -> (forall s, g_min <= disp p s <= g_max) -> hcw_run mu dmu alpha (step_size 0 S) lam S p ->
  \sum_(t < T | weight alpha p t == 1) norm p t ^+ 2 <=
  2 * d%:R * (kappa * g_max + g_max / g_min) * ln (1 + T%:R / (d%:R * kappa * g_min * lam)).

Definition printed_third_sum := forall (d T : nat) (m mu dmu ddmu : R -> R) (S kappa alpha lam : R) (p : trajectory d),
  (0 < d)%N -> 0 < S -> smooth m mu dmu ddmu -> (forall lo hi, concordant dmu ddmu 0 lo hi) ->
  0 < kappa -> smallest_slope dmu S kappa -> alpha = sqrt d%:R -> lam = d%:R / (4 * S ^+ 2) ->
  (forall s, 0 < disp p s) -> hcw_run mu dmu alpha (step_size 0 S) lam S p ->
  \sum_(t < T | weight alpha p t < 1) norm p t ^+ 2 <=
  2 * d%:R * (kappa / (sqrt lam * alpha) + 1) * ln (1 + T%:R * alpha / (d%:R * kappa * sqrt lam)).

Lemma ln21 (x : R) : 0 < x -> x <= 21 -> ln x <= 8.
Proof.
move=> /RltP x0 xu; apply/RleP; apply: Rle_trans (_ : Rle (ln x) (ln (Rmult (IZR 7) (IZR 3)))) _.
  by apply: Scalar.ln_mono => //; move: xu; clear; to_R; lra.
rewrite ln_mult; try lra; have h7 := ln_le_sub1 (IZR 7); have h3 := ln_le_sub1 (IZR 3); to_R; lra.
Qed.

(* Gaussian rewards of variance g, d = 1, S = 10, the arm 1: lambda = 1/400 and the first norm is 20. *)
Section Line.
Variable g : R.
Hypothesis g_gt0 : 0 < g.
Let e : 'cV[R]_1 := const_mx 1.
Let lam : R := 1%:R / (4 * 10 ^+ 2).
Let path := resting e 1 g (sqrt 1%:R) lam.

Let ee : dot e e = 1. Proof. by rewrite dot_sum big_ord1 mxE expr1n. Qed.
Let lamE : lam = 20^-1 ^+ 2. Proof. by rewrite /lam; to_R; field. Qed.
Let lam0 : 0 < lam. Proof. by rewrite lamE exprn_gt0 // invr_gt0 ltr0n. Qed.
Lemma line_root : sqrt lam = 20^-1. Proof. by rewrite lamE sqrt_of_square // invr_ge0 ler0n. Qed.
Lemma line_run : hcw_run (fun z => Rmult 1 z) (fun=> 1) (sqrt 1%:R) (step_size 0 10) lam 10 path.
Proof.
apply: resting_run => //; rewrite ?ltr01 ?ee ?lexx ?sqrt_1 ?ltr01 //.
by rewrite /step_size mul0r addr0 ltr01.
Qed.
Lemma line_norm : norm path 0 = 20.
Proof.
by rewrite /norm /= qf_inv_scalar // ee lamE div1r -exprVn invrK sqrt_of_square // ler0n.
Qed.
Lemma line_weight_high : 20 <= g -> weight (sqrt 1%:R) path 0 = 1.
Proof. by move=> h; rewrite /weight line_norm /weight_of /= sqrt_1 mul1r (elimT max_idPr h) mulfV // gt_eqF. Qed.
Lemma line_weight_low : g < 20 -> weight (sqrt 1%:R) path 0 < 1.
Proof.
move=> h; rewrite /weight line_norm /weight_of /= sqrt_1 mul1r (elimT max_idPl (ltW h)).
by rewrite ltr_pdivr_mulr ?mul1r ?ltr0n.
Qed.
End Line.

Lemma unit_slope (S : R) : 0 < S -> smallest_slope (fun=> 1) S 1.
Proof.
move=> S0; split=> [z _|]; first by rewrite invr1 lexx.
by exists 0; rewrite ?invr1 // oppr_le0 (ltW S0).
Qed.

(* g = 21: the weight is 1, and 400 stands against 44 log 20.05. *)
Theorem printed_second_sum_false : ~ printed_second_sum.
Proof.
move=> h; pose g : R := 21; have g0 : 0 < g by rewrite ltr0n.
have S0 : 0 < 10 :> R by rewrite ltr0n.
have same (s : nat) : g <= g <= g by rewrite lexx.
have := h 1%N 1%N _ _ _ _ 10 1 _ _ g g (resting (const_mx 1) 1 g _ _) isT S0 (scaled_link ltr01)
  (scaled_concordant 1) ltr01 (unit_slope S0) erefl erefl g0 same (line_run g0).
have w1 : weight (sqrt 1%:R) (resting (const_mx 1 : 'cV[R]_1) 1 g (sqrt 1%:R) (1%:R / (4 * 10 ^+ 2))) 0 = 1.
  by apply: line_weight_high => //; rewrite /g; clear; to_R; lra.
rewrite big_mkcond big_ord1 /= w1 eqxx line_norm //.
have small : ln (1 + 1%:R / (1%:R * 1 * g * (1%:R / (4 * 10 ^+ 2)))) <= 8 by apply: ln21; rewrite /g; clear; to_R; lra.
by move: small; move: (ln _) => l; rewrite /g; clear; to_R; lra.
Qed.

(* g = 1: the weight is 1/20, and 400 stands against 42 log 21. *)
Theorem printed_third_sum_false : ~ printed_third_sum.
Proof.
move=> h; have S0 : 0 < 10 :> R by rewrite ltr0n.
have pos (s : nat) : 0 < 1 :> R := ltr01.
have := h 1%N 1%N _ _ _ _ 10 1 _ _ (resting (const_mx 1) 1 1 _ _) isT S0 (scaled_link ltr01)
  (scaled_concordant 1) ltr01 (unit_slope S0) erefl erefl pos (line_run ltr01).
have w1 : weight (sqrt 1%:R) (resting (const_mx 1 : 'cV[R]_1) 1 1 (sqrt 1%:R) (1%:R / (4 * 10 ^+ 2))) 0 < 1.
  by apply: line_weight_low; rewrite ?ltr01 //; clear; to_R; lra.
rewrite big_mkcond big_ord1 /= w1 line_norm ?ltr01 // (line_root (ltr01 : 0 < 1 :> R)) sqrt_1.
have small : ln (1 + 1%:R * 1 / (1%:R * 1 * 20^-1)) <= 8 by apply: ln21; to_R; lra.
by move: small; move: (ln _) => l; to_R; lra.
Qed.
