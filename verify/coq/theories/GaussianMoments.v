(* What NormalLaw.v asks of the standard normal law holds: the record `gaussian`.  Moments follow from the masses of
   affine images and from pointwise inequalities; no integral is computed.
     gauss_second_moment      E N^2 = 1
     gauss_half_exponential   E [e^(a|N|) - 1 - a|N|] <= (27/40) a^2 for a <= 1/2 *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import Rstruct reals ereal normedtype sequences measure topology lebesgue_measure numfun.
From mathcomp.analysis Require Import lebesgue_integral.
From Glbcheck Require Import Bridge Scalar NormalNumbers HalfExponential ConditionalLaw NormalLaw AffineLebesgue Density.
From Glbcheck Require Import GaussianLaw GaussianAffine.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* --- means ----------------------------------------------------------------------------------------------------- *)

Definition mean (F : RR -> RR) : \bar RR := \int[gauss]_u (F u)%:E.

(* What has a mean, infinite or not. *)
Definition nice (F : RR -> RR) := measurable_fun setT F /\ forall u, (0 <= F u)%R.

Lemma nice_cst (c : RR) : (0 <= c)%R -> nice (fun=> c).
Proof. by split=> //; exact: measurable_fun_cst. Qed.
Lemma niceD F G : nice F -> nice G -> nice (fun u => F u + G u)%R.
Proof. by move=> [mF F0] [mG G0]; split=> [|u]; [exact: measurable_funD | rewrite addr_ge0]. Qed.
Lemma niceM (c : RR) F : (0 <= c)%R -> nice F -> nice (fun u => c * F u)%R.
Proof.
move=> c0 [mF F0]; split=> [|u]; last by rewrite mulr_ge0.
by apply: measurable_funM => //; exact: measurable_fun_cst.
Qed.
Lemma nice_exp (F : RR -> RR) : measurable_fun setT F -> nice (fun u => exp (F u)).
Proof. by move=> mF; split=> [|u]; [exact: (measurable_fun_comp exp_measurable) | exact: exp_pos_R]. Qed.
Lemma nice_opp F : nice F -> nice (fun u => F (- u)%R).
Proof. by move=> [mF F0]; split=> //; exact: (measurable_fun_comp mF (@measurable_reflection RR)). Qed.

Lemma mean_cst (c : RR) : mean (fun=> c) = c%:E.
Proof. by rewrite /mean -[LHS]/(\int[gauss]_u cst c%:E u) integral_cst // gauss_total mule1. Qed.

Lemma meanD F G : nice F -> nice G -> mean (fun u => F u + G u)%R = mean F + mean G.
Proof.
move=> [mF F0] [mG G0]; rewrite /mean -ge0_integralD //.
- by move=> u _; rewrite lee_fin.
- exact/EFin_measurable_fun.
- by move=> u _; rewrite lee_fin.
- exact/EFin_measurable_fun.
Qed.

Lemma meanM (c : RR) F : (0 <= c)%R -> nice F -> mean (fun u => c * F u)%R = c%:E * mean F.
Proof.
move=> c0 [mF F0]; rewrite /mean -ge0_integralM //.
- exact/EFin_measurable_fun.
- by move=> u _; rewrite lee_fin.
Qed.

Lemma mean_le F G : nice F -> (forall u, (F u <= G u)%R) -> mean F <= mean G.
Proof. by move=> [_ F0] FG; apply: integral_mono => u; rewrite lee_fin. Qed.

Lemma mean_ge0 F : nice F -> 0 <= mean F.
Proof. by move=> [_ F0]; apply: integral_ge0 => u _; rewrite lee_fin. Qed.

Definition tilt (b t u : RR) : RR := exp (u ^+ 2 / 2 - (b + t * u) ^+ 2 / 2).
Lemma nice_tilt b t : nice (tilt b t). Proof. by apply: nice_exp; measurability. Qed.
Lemma mean_tilt b t : (0 < t)%R -> mean (tilt b t) = (t^-1)%:E. Proof. exact: gauss_tilted. Qed.

Definition square (u : RR) : RR := (u ^+ 2)%R.
Lemma nice_square : nice square.
Proof. by split=> [|u]; [rewrite /square; measurability | exact: sqr_ge0]. Qed.

(* --- the second moment, from the masses of t N for t near 1 -------------------------------------------------- *)

(* 1 + (1 - t^2) u^2/2 <= e^((1 - t^2) u^2/2) *)
Lemma tilt_tangent t u : (1 + (1 - t ^+ 2) / 2 * square u <= tilt 0 t u)%R.
Proof.
rewrite /tilt add0r exprMn /square; have := exp_ge ((1 - t ^+ 2) / 2 * u ^+ 2)%R.
have -> : ((1 - t ^+ 2) / 2 * u ^+ 2 = u ^+ 2 / 2 - t ^+ 2 * u ^+ 2 / 2)%R.
  by move: (u ^+ 2)%R (t ^+ 2)%R => x y; clear; to_R; lra.
by to_R; lra.
Qed.

Lemma second_moment_le t : (0 < t)%R -> (t < 1)%R ->
  1%:E + ((1 - t ^+ 2) / 2)%:E * mean square <= (t^-1)%:E.
Proof.
move=> t0 t1; have c0 : (0 <= (1 - t ^+ 2) / 2)%R.
  by rewrite divr_ge0 ?ler0n // subr_ge0 expr_le1 ?ltW.
have np := niceM c0 nice_square; have n1 := nice_cst (@ler01 RR).
rewrite -(mean_tilt 0 t0) -(meanM c0 nice_square) -(mean_cst 1) -(meanD n1 np).
by apply: mean_le (tilt_tangent t); exact: niceD.
Qed.

Lemma second_moment_ge t : (1 < t)%R -> 1%:E <= (t^-1)%:E + ((t ^+ 2 - 1) / 2)%:E * mean square.
Proof.
move=> t1; have t0 : (0 < t)%R := lt_trans ltr01 t1.
have c0 : (0 <= (t ^+ 2 - 1) / 2)%R.
  by rewrite divr_ge0 ?ler0n // subr_ge0 expr_ge1 ?ltW.
have np := niceM c0 nice_square; have n1 := nice_cst (@ler01 RR).
rewrite -(mean_tilt 0 t0) -(meanM c0 nice_square) -(mean_cst 1) -(meanD (nice_tilt 0 t) np).
apply: mean_le => // u; have := tilt_tangent t u.
by move: (tilt _ _ _) (square u) (t ^+ 2)%R => x y z; clear; to_R; lra.
Qed.

(* M t (1 + t) is at most 2 for t < 1 and at least 2 for t > 1. *)
Lemma squeezed_at_1 (M : RR) : (0 <= M)%R -> (forall t, (0 < t)%R -> (t < 1)%R -> (M * t * (1 + t) <= 2)%R) ->
  (forall t, (1 < t)%R -> (2 <= M * t * (1 + t))%R) -> M = 1%R.
Proof.
move=> M0 low high; apply/eqP; rewrite eq_le; apply/andP; split; rewrite leNgt; apply/negP => h.
  pose t : RR := (1 - (M - 1) / (3 * M))%R.
  have e : (M * (3 * t) = 2 * M + 1)%R by rewrite /t; move: h; clear; to_R; field; lra.
  have t1 : (t < 1)%R by move: e h; clear; to_R; nra.
  have t2 : (2 / 3 < t)%R by move: e h; clear; to_R; nra.
  have t0 : (0 < t)%R by move: t2; clear; to_R; lra.
  by have := low t t0 t1; move: e h t1 t2; clear; to_R; nra.
have t1 : (1 < 1 + (1 - M) / 4)%R by move: h; clear; to_R; lra.
by have := high _ t1; move: h M0; clear; to_R; nra.
Qed.

Lemma gauss_second_moment : mean square = 1.
Proof.
have M0 := mean_ge0 nice_square; have := @second_moment_ge; have := @second_moment_le.
move: M0; case: (mean square) => [M M0 below above| _ below _|//]; last first.
  have h0 : (0 < 2^-1 :> RR)%R by rewrite invr_gt0 ltr0n.
  have h1 : (2^-1 < 1 :> RR)%R by rewrite invf_lt1 ?ltr0n // ltr1n.
  by have := below _ h0 h1; rewrite mulry gtr0_sg ?mul1e // divr_gt0 ?ltr0n // subr_gt0 expr_lt1 // ltW.
rewrite lee_fin in M0; congr EFin; apply: squeezed_at_1 => // t.
  move=> t0 t1; have := below t t0 t1; rewrite -EFinM -EFinD lee_fin -(ler_pmul2r t0) mulVf ?gt_eqF //.
  by move: t1; clear - t0; to_R; nra.
move=> t1; have t0 : (0 < t)%R := lt_trans ltr01 t1.
have := above t t1; rewrite -EFinM -EFinD lee_fin; have := mulVf (negbT (gt_eqF t0)).
move: (t^-1)%R => i it h; rewrite leNgt; apply/negP => neg.
have p1 : (0 < (t - 1) * (2 - M * t * (1 + t)))%R by rewrite mulr_gt0 ?subr_gt0.
by move: (ler_wpmul2r (ltW t0) h) it p1; clear; to_R; nra.
Qed.

(* --- E [e^(a|N|) - 1 - a|N|] ------------------------------------------------------------------------------------- *)

Definition up (u : RR) : RR := exp (u / 2).
Definition narrow (u : RR) : RR := exp (- (5 / 8 * u ^+ 2)).

Lemma nice_up : nice up. Proof. by apply: nice_exp; measurability. Qed.
Lemma nice_narrow : nice narrow.
Proof. by apply: nice_exp; apply: (measurable_fun_comp (@measurable_reflection RR)); measurability. Qed.

Lemma mean_up : mean up = (exp (Rdiv (IZR 1) (IZR 8)))%:E.
Proof.
have e u : up u = (exp (Rdiv (IZR 1) (IZR 8)) * tilt (- 2^-1) 1 u)%R.
  by rewrite /up /tilt -[RHS]/(Rmult _ _) -exp_plus; congr exp; to_R; field.
by rewrite (funext e : up = _) meanM ?mean_tilt ?invr1 ?mule1 ?exp_pos_R ?ltr01 //; exact: nice_tilt.
Qed.

Lemma mean_down : mean (fun u => up (- u)%R) = (exp (Rdiv (IZR 1) (IZR 8)))%:E.
Proof.
rewrite -mean_up /mean; apply: (gauss_symmetric (F := fun u => (up u)%:E)).
  by apply/EFin_measurable_fun; exact: nice_up.1.
by move=> u; rewrite lee_fin exp_pos_R.
Qed.

Lemma mean_narrow : mean narrow = (2 / 3)%:E.
Proof.
have e u : narrow u = tilt 0 (3 / 2) u by rewrite /narrow /tilt; congr exp; to_R; field.
by rewrite (funext e : narrow = _) mean_tilt ?invf_div // divr_gt0 ?ltr0n.
Qed.

Definition at_half : RR -> RR := excess (Rdiv (IZR 1) (IZR 2)).
Definition majorant (u : RR) : RR := (part_cosh / 2 * up u + (part_cosh / 2 * up (- u) + part_bell * narrow u))%R.
Definition minorant (u : RR) : RR := (at_half u + (part_square * square u + (part_bell + part_cosh)))%R.

Lemma pointwise u : (minorant u <= majorant u)%R.
Proof.
have := excess_bounded u; rewrite /minorant /majorant /up /narrow /square /at_half.
have -> : (u / 2)%R = Rdiv u (IZR 2) by to_R; lra.
have -> : (- u / 2)%R = Ropp (Rdiv u (IZR 2)) by to_R; lra.
have -> : (- (5 / 8 * u ^+ 2))%R = Ropp (Rmult (Rdiv (IZR 5) (IZR 8)) (pow u 2)) by rewrite RpowE; to_R; lra.
rewrite RpowE; move: (exp _) (exp _) (exp _) (excess _ _) part_square part_bell part_cosh; clear; to_R; lra.
Qed.

Lemma nice_excess a : nice (excess a).
Proof.
split=> [|u]; first by apply: continuity_measurable; exact: excess_continuous.
by apply/RleP; exact: excess_ge0.
Qed.

Lemma mean_at_half : mean at_half <= (27 / 160)%:E.
Proof.
have s0 : (0 <= part_square)%R by rewrite /part_square; to_R; lra.
have b0 : (0 <= part_bell)%R by rewrite /part_bell; to_R; lra.
have c0 : (0 <= part_cosh)%R by rewrite /part_cosh; to_R; lra.
have c2 : (0 <= part_cosh / 2)%R by rewrite divr_ge0 ?ler0n.
have nup := niceM c2 nice_up; have ndown := niceM c2 (nice_opp nice_up); have nn := niceM b0 nice_narrow.
have ns := niceM s0 nice_square; have nc := nice_cst (addr_ge0 b0 c0).
have big : mean majorant = (part_cosh / 2)%:E * (exp (Rdiv (IZR 1) (IZR 8)))%:E +
    ((part_cosh / 2)%:E * (exp (Rdiv (IZR 1) (IZR 8)))%:E + part_bell%:E * (2 / 3)%:E).
  rewrite /majorant (meanD nup (niceD ndown nn)) (meanD ndown nn) (meanM c2 nice_up) (meanM b0 nice_narrow).
  by rewrite (meanM c2 (nice_opp nice_up)) mean_up mean_down mean_narrow.
have small : mean minorant = mean at_half + (part_square%:E * 1 + (part_bell + part_cosh)%:E).
  rewrite /minorant (meanD (nice_excess _) (niceD ns nc)) (meanD ns nc) (meanM s0 nice_square) mean_cst.
  by rewrite gauss_second_moment.
have := mean_le (niceD (nice_excess _) (niceD ns nc)) pointwise; rewrite -/minorant -/majorant big small.
have := mean_ge0 (nice_excess (Rdiv (IZR 1) (IZR 2))); rewrite -/at_half.
case: (mean at_half) => [x| |] // _; rewrite -!EFinM -!EFinD !lee_fin; have := means_fit.
by move: (exp _) part_cosh part_square part_bell; clear; to_R; lra.
Qed.

Lemma gauss_half_exponential (a : R) : (0 < a)%R -> (a <= 1 / 2)%R ->
  \int[gauss]_u (excess a u)%:E <= (27 / 40 * a ^+ 2)%:E.
Proof.
move=> a0 a1; have k0 : (0 <= 4 * a ^+ 2)%R by rewrite mulr_ge0 ?ler0n ?sqr_ge0.
apply: le_trans (_ : mean (fun u => 4 * a ^+ 2 * at_half u)%R <= _).
  apply: (mean_le (nice_excess a)) => u.
  have := excess_scaled a u (lt_R a0); rewrite RpowE -/(at_half u) => h; apply/RleP; apply: Rle_trans (h _) _.
    by move: a1; clear; to_R; lra.
  by right; move: (at_half u); clear; to_R; lra.
rewrite (meanM k0 (nice_excess _)).
apply: le_trans (lee_wpmul2l _ mean_at_half) _; first by rewrite lee_fin.
by rewrite -EFinM lee_fin; clear; to_R; lra.
Qed.

Definition gaussian : standard_normal :=
  StandardNormal gauss_total gauss_affine gauss_symmetric gauss_second_moment.
