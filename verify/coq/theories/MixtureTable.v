(* lemma:mixture-ineq: the table of pairs (reach, c) = (1, 49/25), (1/2, 27/20), (1/4, 29/25) and (0, 1), where the
   reach is 1/sqrt k for lambda >= k gamma R_s^2.
     mixture_table        all four are pairs
     pair_ge              what c is at least
     smaller_table_false  so (1, 3/2), (1/2, 9/8), (1/4, 103/100) and (0, 99/100) are none *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import Rstruct reals ereal normedtype sequences measure topology lebesgue_measure numfun.
From mathcomp.analysis Require Import lebesgue_integral.
From Glbcheck Require Import Bridge Scalar NormalNumbers HalfExponential ReachNumbers ConditionalLaw NormalLaw.
From Glbcheck Require Import GaussianLaw GaussianAffine GaussianMoments MixturePairs PairNumbers.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* E e^(aN) = e^(a^2/2) *)
Definition rising (a u : RR) : RR := exp (a * u).

Lemma nice_rising a : nice (rising a). Proof. by apply: nice_exp; measurability. Qed.

Lemma mean_rising a : mean (rising a) = (exp (a ^+ 2 / 2))%:E.
Proof.
have e u : rising a u = exp (a ^+ 2 / 2) * tilt (- a) 1 u.
  by rewrite /rising /tilt -[RHS]/(Rmult _ _) -exp_plus; congr exp; to_R; field.
by rewrite (funext e : rising a = _) meanM ?mean_tilt ?invr1 ?mule1 ?exp_pos_R ?ltr01 //; exact: nice_tilt.
Qed.

Section Pair.
Variables a A B D c : R.
Hypothesis a_gt0 : 0 < a.
Hypothesis A_ge0 : 0 <= A.
Hypothesis B_ge0 : 0 <= B.
Hypothesis D_ge0 : 0 <= D.
Hypothesis bounded : forall u, Rle (Rplus (Rplus (excess a u) (Rmult B (pow u 2)))
    (Rmult D (Rminus (IZR 1) (exp (Ropp (Rmult (Rdiv (IZR 5) (IZR 8)) (pow u 2)))))))
  (Rmult A (Rminus (Rdiv (Rplus (exp (Rmult a u)) (exp (Ropp (Rmult a u)))) (IZR 2)) (IZR 1))).
Hypothesis fit : A * (exp (a ^+ 2 / 2) - 1) - B - D / 3 <= c / 2 * a ^+ 2.

Let small (u : RR) : RR := excess a u + (B * square u + (D + A)).
Let big (u : RR) : RR := A / 2 * rising a u + (A / 2 * rising (- a) u + D * narrow u).

Let pointwise u : small u <= big u.
Proof.
have := bounded u; rewrite /small /big /rising /narrow /square.
have -> : - (5 / 8 * u ^+ 2) = Ropp (Rmult (Rdiv (IZR 5) (IZR 8)) (pow u 2)) by rewrite RpowE; to_R; lra.
have -> : - a * u = Ropp (Rmult a u) by rewrite mulNr.
by rewrite RpowE -[a * u]/(Rmult a u); move: (exp _) (exp _) (exp _) (excess _ _); clear; to_R; lra.
Qed.

Lemma mean_excess_le : (mean (excess a) <= (c / 2 * a ^+ 2)%:E)%E.
Proof.
have A2 : 0 <= A / 2 by rewrite divr_ge0 ?ler0n.
have nup := niceM A2 (nice_rising a); have ndown := niceM A2 (nice_rising (- a)); have nn := niceM D_ge0 nice_narrow.
have ns := niceM B_ge0 nice_square; have nc := nice_cst (addr_ge0 D_ge0 A_ge0).
have bigE : mean big = ((A / 2)%:E * (exp (a ^+ 2 / 2))%:E + ((A / 2)%:E * (exp (a ^+ 2 / 2))%:E + D%:E * (2 / 3)%:E))%E.
  rewrite /big (meanD nup (niceD ndown nn)) (meanD ndown nn) (meanM A2 (nice_rising a)) (meanM D_ge0 nice_narrow).
  by rewrite (meanM A2 (nice_rising (- a))) !mean_rising sqrrN mean_narrow.
have smallE : mean small = (mean (excess a) + (B%:E * 1 + (D + A)%:E))%E.
  rewrite /small (meanD (nice_excess _) (niceD ns nc)) (meanD ns nc) (meanM B_ge0 nice_square) mean_cst.
  by rewrite gauss_second_moment.
have := mean_le (niceD (nice_excess a) (niceD ns nc)) pointwise; rewrite -/small -/big bigE smallE.
have := mean_ge0 (nice_excess a); case: (mean (excess a)) => [x| |] // _.
rewrite -!EFinM -!EFinD !lee_fin; move: fit; move: (exp _) (c / 2 * a ^+ 2); clear; to_R; lra.
Qed.

Lemma pair_of_mean : mixture_pair a c.
Proof.
move=> r /andP[r0 ra]; have i0 : 0 <= (a ^+ 2)^-1 by rewrite invr_ge0 sqr_ge0.
have nr s : nice (relative_excess s).
  split=> [|u]; first by apply: continuity_measurable; exact: relative_excess_continuous.
  by apply/RleP; exact: relative_excess_ge0.
apply: le_trans (_ : (mean (relative_excess a) <= _)%E).
  apply: (mean_le (nr r)) => u; apply/RleP; exact: relative_excess_mono (le_R r0) (le_R ra).
have -> : mean (relative_excess a) = mean (fun u => (a ^+ 2)^-1 * excess a u).
  apply: eq_integral => u _; congr EFin; rewrite (relative_excess_pos _ _ (lt_R a_gt0)).
  by rewrite mulrC /Rdiv inv_R -RpowE.
rewrite (meanM i0 (nice_excess a)); apply: le_trans (lee_wpmul2l _ mean_excess_le) _; first by rewrite lee_fin.
by rewrite -EFinM lee_fin mulrCA mulVf ?mulr1 ?expf_neq0 // gt_eqF.
Qed.
End Pair.

Theorem pair_one : mixture_pair 1 (49 / 25).
Proof.
change (mixture_pair (IZR 1) (49 / 25)); apply: (@pair_of_mean _ one_cosh one_square one_bell);
  try by rewrite /one_cosh /one_square /one_bell; to_R; lra.
  move=> u; apply: excess_by_room; first by lra.
  move=> x x0; have := room_one x x0.
  have -> : Rdiv one_square (pow (IZR 1) 2) = one_square by field.
  by have -> : Rdiv (Rdiv (IZR 5) (IZR 8)) (pow (IZR 1) 2) = Rdiv (IZR 5) (IZR 8) by field.
have := fit_one; have -> : IZR 1 ^+ 2 / 2 = Rdiv (IZR 1) (IZR 2) :> R by to_R; lra.
by move: (exp _) one_cosh one_square one_bell; clear; to_R; lra.
Qed.

Theorem pair_quarter : mixture_pair (1 / 4) (29 / 25).
Proof.
have q : 1 / 4 = Rdiv (IZR 1) (IZR 4) :> R by to_R; lra.
rewrite q; apply: (@pair_of_mean _ quarter_cosh quarter_square quarter_bell);
  try by rewrite /quarter_cosh /quarter_square /quarter_bell; to_R; lra.
  move=> u; apply: excess_by_room; first by lra.
  move=> x x0; have := room_quarter x x0.
  have -> : Rdiv quarter_square (pow (Rdiv (IZR 1) (IZR 4)) 2) = Rmult (IZR 16) quarter_square by field.
  by have -> : Rdiv (Rdiv (IZR 5) (IZR 8)) (pow (Rdiv (IZR 1) (IZR 4)) 2) = IZR 10 by field.
have := fit_quarter; have -> : Rdiv (IZR 1) (IZR 4) ^+ 2 / 2 = Rdiv (IZR 1) (IZR 32) :> R by to_R; lra.
by move: (exp _) quarter_cosh quarter_square quarter_bell; clear; to_R; lra.
Qed.

Theorem mixture_table :
  [/\ mixture_pair 1 (49 / 25), mixture_pair (1 / 2) (27 / 20), mixture_pair (1 / 4) (29 / 25) & mixture_pair 0 1].
Proof. by split; [exact: pair_one | exact: pair_half | exact: pair_quarter | exact: pair_linear]. Qed.

(* 2 cosh (a u) <= e^(a|u|) + 1 - a|u| + (a u)^2/2 *)
Lemma pair_ge (a c : R) : 0 < a -> mixture_pair a c -> 2 * (exp (a ^+ 2 / 2) - 1) - a ^+ 2 / 2 <= c / 2 * a ^+ 2.
Proof.
move=> a0 /(_ a); rewrite lexx (ltW a0) => /(_ isT) pair; have i0 : 0 <= a ^+ 2 by exact: sqr_ge0.
have top : (mean (excess a) <= (c / 2 * a ^+ 2)%:E)%E.
  have -> : mean (excess a) = mean (fun u => a ^+ 2 * relative_excess a u).
    apply: eq_integral => u _; congr EFin; rewrite (relative_excess_pos _ _ (lt_R a0)).
    transitivity (a ^+ 2 * (excess a u * (a ^+ 2)^-1)); last by rewrite /Rdiv inv_R -RpowE.
    by rewrite mulrCA mulfV ?mulr1 // expf_neq0 // gt_eqF.
  have nr : nice (relative_excess a).
    split=> [|u]; first by apply: continuity_measurable; exact: relative_excess_continuous.
    by apply/RleP; exact: relative_excess_ge0.
  rewrite (meanM i0 nr); apply: le_trans (lee_wpmul2l _ pair) _; first by rewrite lee_fin.
  by rewrite -EFinM mulrC.
have h0 : 0 <= a ^+ 2 / 2 by rewrite divr_ge0 ?ler0n.
have two0 : 0 <= 2 :> R by rewrite ler0n.
have ns := niceM h0 nice_square; have nc := nice_cst two0.
have nup := nice_rising a; have ndown := nice_rising (- a).
have point u : rising a u + rising (- a) u <= excess a u + (a ^+ 2 / 2 * square u + 2).
  rewrite /rising /square /excess; have v0 : Rle (IZR 0) (Rmult a (Rabs u)).
    by apply: Rmult_le_pos (Rabs_pos u); apply/RleP/ltW.
  have := exp_neg_le _ v0; have -> : pow (Rmult a (Rabs u)) 2 = a ^+ 2 * u ^+ 2.
    by rewrite Rpow_mult_distr pow2_abs !RpowE.
  have e1 : a * u = Rmult a u by []; have e2 : - a * u = Ropp (Rmult a u) by rewrite mulNr.
  rewrite e1 e2; case: (Rcase_abs u) => [neg|pos].
    have -> : Rabs u = Ropp u by apply: Rabs_left.
    have -> : Rmult a (Ropp u) = Ropp (Rmult a u) by lra.
    by rewrite Ropp_involutive; move: (exp _) (exp _) => x y; clear; to_R; lra.
  have -> : Rabs u = u by apply: Rabs_right.
  by move: (exp _) (exp _) => x y; clear; to_R; lra.
have := mean_le (niceD nup ndown) point.
rewrite (meanD nup ndown) !mean_rising sqrrN (meanD (nice_excess _) (niceD ns nc)) (meanD ns nc) (meanM h0 nice_square).
rewrite mean_cst gauss_second_moment mule1; move: top; have := mean_ge0 (nice_excess a).
case: (mean (excess a)) => [x| |] // _; rewrite -!EFinD !lee_fin.
by clear; to_R; lra.
Qed.

(* A smaller c for one of the four. *)
Definition smaller_table :=
  [\/ mixture_pair 1 (3 / 2), mixture_pair (1 / 2) (9 / 8), mixture_pair (1 / 4) (103 / 100) |
      mixture_pair 0 (99 / 100)].

Theorem smaller_table_false : ~ smaller_table.
Proof.
have one := exp_half_ge; have half := exp_eighth_ge; have quarter := exp_thirty_second_ge.
case=> [/(pair_ge ltr01)|/pair_ge|/pair_ge|/(pair_ge1 (lexx _))]; last by clear; to_R; lra.
- have -> : 1 ^+ 2 / 2 = Rdiv (IZR 1) (IZR 2) :> R by to_R; lra.
  by move: one; move: (exp _) => e; clear; to_R; lra.
- have -> : (1 / 2) ^+ 2 / 2 = Rdiv (IZR 1) (IZR 8) :> R by to_R; lra.
  by move=> h; have := h ltac:(by to_R; lra); move: half; move: (exp _) => e; clear; to_R; lra.
- have -> : (1 / 4) ^+ 2 / 2 = Rdiv (IZR 1) (IZR 32) :> R by to_R; lra.
  by move=> h; have := h ltac:(by to_R; lra); move: quarter; move: (exp _) => e; clear; to_R; lra.
Qed.
