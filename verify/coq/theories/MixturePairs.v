(* lemma:mixture-ineq: what the mixture costs for a link whose slope changes by a factor e^{a} at most within one
   standard deviation.  A pair (reach, c) says E [(e^(a|N|) - 1 - a|N|)/a^2] <= c/2 for all a up to the reach, the
   limit 1/2 being meant at a = 0.
     pair_ge1    c is at least 1
     pair_linear, pair_half   the pairs (0, 1) and (1/2, 27/20) *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import Rstruct reals ereal normedtype sequences measure topology lebesgue_measure numfun.
From mathcomp.analysis Require Import lebesgue_integral.
From Glbcheck Require Import Bridge Scalar NormalNumbers HalfExponential ConditionalLaw NormalLaw GaussianLaw.
From Glbcheck Require Import GaussianMoments.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Definition mixture_pair (reach c : R) :=
  forall a : R, 0 <= a <= reach -> (\int[normal gaussian]_u (relative_excess a u)%:E <= (c / 2)%:E)%E.

Lemma mean_linear : (\int[normal gaussian]_u (relative_excess 0 u)%:E = (1 / 2)%:E)%E.
Proof.
have half0 : 0 <= 2^-1 :> RR by rewrite invr_ge0 ler0n.
have := meanM half0 nice_square; rewrite gauss_second_moment mule1 div1r => <-.
apply: eq_integral => u _; congr EFin; rewrite /square; apply: etrans (relative_excess0 u) _.
by rewrite RpowE; to_R; lra.
Qed.

Lemma pair_ge1 reach c : 0 <= reach -> mixture_pair reach c -> 1 <= c.
Proof.
move=> r0 /(_ 0); rewrite lexx r0 mean_linear => /(_ isT); rewrite lee_fin.
by clear; to_R; lra.
Qed.

Theorem pair_linear : mixture_pair 0 1.
Proof. by move=> a; rewrite -eq_le => /eqP <-; rewrite mean_linear lexx. Qed.

Theorem pair_half : mixture_pair (1 / 2) (27 / 20).
Proof.
move=> a /andP[a0 a1]; have [->|an] := eqVneq a 0.
  by rewrite mean_linear lee_fin; clear; to_R; lra.
have ap : 0 < a by rewrite lt_neqAle eq_sym an.
have i0 : 0 <= (a ^+ 2)^-1 by rewrite invr_ge0 sqr_ge0.
have := meanM i0 (nice_excess a); rewrite /mean.
have -> : (\int[gauss]_u ((a ^+ 2)^-1 * excess a u)%:E = \int[normal gaussian]_u (relative_excess a u)%:E)%E.
  apply: eq_integral => u _; congr EFin; rewrite (relative_excess_pos _ _ (lt_R ap)).
  by rewrite mulrC /Rdiv inv_R -RpowE.
move=> ->; apply: le_trans (lee_wpmul2l _ (gauss_half_exponential ap a1)) _; first by rewrite lee_fin.
rewrite -EFinM lee_fin mulrCA mulVf ?mulr1 ?expf_neq0 //.
by clear; to_R; lra.
Qed.
