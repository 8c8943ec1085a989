(* The standard normal law: density e^(-u^2/2)/Z with respect to Lebesgue measure, where Z is the integral of
   e^(-u^2/2), of which only 0 < Z < oo is used.
     bell_integral_le   Z <= 8: doubling the window of integration at most halves the integral and adds 4
     gauss, gaussE      the law, and its integrals as Lebesgue integrals *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import Rstruct reals ereal normedtype sequences measure topology lebesgue_measure numfun.
From mathcomp.analysis Require Import lebesgue_integral.
From Glbcheck Require Import Bridge Scalar NormalNumbers HalfExponential ConditionalLaw NormalLaw AffineLebesgue Density.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Notation length := (@lebesgue RR).

Definition bell (u : RR) : RR := exp (- (u ^+ 2 / 2)).

Lemma exp_measurable : measurable_fun setT (exp : RR -> RR).
Proof. by apply: continuity_measurable => x; apply: derivable_continuous_pt; apply: derivable_pt_exp. Qed.

Lemma bell_measurable : measurable_fun setT bell.
Proof.
apply: (measurable_fun_comp exp_measurable); apply: (measurable_fun_comp (@measurable_reflection RR)).
by measurability.
Qed.

Lemma exp_mono (x y : R) : (x <= y)%R -> (exp x <= exp y)%R.
Proof. by move/RleP => [h|->] //; apply/RleP; left; apply: exp_increasing. Qed.

Lemma bell_gt0 u : (0 < bell u)%R. Proof. by apply/RltP; apply: exp_pos. Qed.
Lemma bell_ge0 u : (0 <= bell u)%R. Proof. exact/ltW/bell_gt0. Qed.
Lemma bell_le1 u : (bell u <= 1)%R.
Proof.
have <- : exp 0 = 1%R := exp_0.
by apply: exp_mono; rewrite oppr_le0 divr_ge0 ?sqr_ge0 ?ler0n.
Qed.

(* --- Z is finite and positive ------------------------------------------------------------------------------ *)

Definition window (r : RR) : set RR := `[(- r)%R, r]%classic.

Lemma window_indic r u : \1_(window r) u = ((`|u| <= r)%R%:R)%R :> RR.
Proof. by rewrite indicE /window mem_setE in_itv /= ler_norml. Qed.

Lemma window_length r : (0 < r)%R -> \int[length]_u (\1_(window r) u)%:E = (2 * r)%:E.
Proof.
move=> r0; rewrite integral_indic //; last exact: measurable_itv.
by rewrite setIT lebesgue_interval hlength_itv /= lte_fin gtr_opp // -EFinB opprK mulrDl mul1r.
Qed.

Lemma window_measurable r : measurable_fun setT (\1_(window r) : RR -> RR).
Proof. by apply: measurable_fun_indic; apply: measurable_itv. Qed.

Definition cut (r u : RR) : RR := (bell u * \1_(window r) u)%R.

Lemma cut_measurable r : measurable_fun setT (cut r).
Proof.
apply: measurable_funM; first exact: bell_measurable.
exact: window_measurable.
Qed.
Lemma cut_ge0 r u : (0 <= cut r u)%R. Proof. by rewrite mulr_ge0 ?bell_ge0. Qed.

Lemma cut_mono r r' u : (r <= r')%R -> (cut r u <= cut r' u)%R.
Proof.
move=> rr; rewrite /cut ler_wpmul2l ?bell_ge0 // !window_indic ler_nat.
by case: leP => // h; rewrite (le_trans h).
Qed.

(* e^(-2u^2) <= e^(-u^2/2)/4 off the window of radius 1 *)
Lemma cut_double r u : (cut (2 * r) (0 + 2 * u) <= 4^-1 * cut r u + \1_(window 1) u)%R.
Proof.
rewrite /cut add0r !window_indic.
have -> : (`|2 * u| <= 2 * r)%R = (`|u| <= r)%R by rewrite normrM [`|2|%R]ger0_norm ?ler0n // ler_pmul2l ?ltr0n.
case: (leP `|u|%R r) => hr; rewrite ?mulr0 ?mulr1 ?add0r ?ler0n //.
case: (leP `|u|%R 1%R) => h1 /=.
  by apply: le_trans (bell_le1 _) _; rewrite ler_addr mulr_ge0 ?bell_ge0 ?invr_ge0 ?ler0n.
rewrite addr0 /bell; have uu : (1 < u ^+ 2)%R by rewrite -real_normK ?num_real // expr_gt1.
have -> : (- ((2 * u) ^+ 2 / 2) = - (3 / 2 * u ^+ 2) + - (u ^+ 2 / 2))%R by to_R; field.
rewrite exp_plus; apply: ler_wpmul2r; first exact: exp_pos_R.
rewrite exp_Ropp -inv_R;
rewrite lef_pinv ?posrE ?ltr0n //; last by apply/RltP; apply: exp_pos.
have e2 : (exp (3 / 2) <= exp (3 / 2 * u ^+ 2))%R by apply: exp_mono; move: uu; clear; to_R; lra.
apply: le_trans e2; have <- : Rdiv (IZR 3) (IZR 2) = (3 / 2)%R by to_R; lra.
by have := exp_three_halves; to_R; lra.
Qed.

Lemma cut_integral r : (1 <= r)%R -> \int[length]_u (cut r u)%:E <= 8%:E.
Proof.
move=> r1; have r0 : (0 < r)%R := lt_le_trans ltr01 r1.
have mcut s : measurable_fun setT (fun u => (cut s u)%:E) by apply/EFin_measurable_fun; apply: cut_measurable.
have c0 s u : 0 <= (cut s u)%:E by rewrite lee_fin cut_ge0.
set J := \int[length]_u (cut r u)%:E.
have fin : J <= (2 * r)%:E.
  rewrite -window_length //; apply: integral_mono => u; rewrite lee_fin ?cut_ge0 //.
  by rewrite /cut ler_pimull ?bell_le1.
have two : (0 < 2 :> RR)%R by rewrite ltr0n.
have double : J <= 2%:E * (4^-1%:E * J + 2%:E).
  apply: le_trans (_ : \int[length]_u (cut (2 * r) u)%:E <= _).
    apply: integral_mono => u; rewrite lee_fin ?cut_ge0 //; apply: cut_mono.
    by rewrite ler_pmull // ler1n.
  have -> : \int[length]_u (cut (2 * r) u)%:E = 2%:E * \int[length]_u (cut (2 * r) (0 + 2 * u))%:E.
    rewrite (lebesgue_affine 0 two (mcut _) (c0 _)) muleA -EFinM divff ?gt_eqF // mul1e //.
  apply: lee_wpmul2l; first by rewrite lee_fin ler0n.
  have w2 : \int[length]_u (\1_(window 1) u)%:E = 2%:E by rewrite window_length ?mulr1 ?ltr01.
  have m1 : measurable_fun setT (fun u => (\1_(window 1) u)%:E : \bar RR).
    by apply/EFin_measurable_fun; apply: window_measurable.
  have q0 : 0 <= (4^-1)%:E :> \bar RR by rewrite lee_fin invr_ge0 ler0n.
  have mq : measurable_fun setT (fun u => (4^-1)%:E * (cut r u)%:E) by apply: measurable_funeM.
  have split_ : \int[length]_u ((4^-1)%:E * (cut r u)%:E + (\1_(window 1) u)%:E) = (4^-1)%:E * J + 2%:E.
    rewrite ge0_integralD //; last by move=> u _; rewrite lee_fin.
      by rewrite w2 ge0_integralM.
    by move=> u _; rewrite mule_ge0.
  rewrite -split_; apply: integral_mono => u; first exact: c0.
  by rewrite -EFinM -EFinD lee_fin cut_double.
have J0 : 0 <= J by apply: integral_ge0 => u _; apply: c0.
move: J0 fin double; case: J => [j| |] //; rewrite -?EFinM -?EFinD -?EFinM !lee_fin.
by clear; to_R; lra.
Qed.

Lemma bell_integral_le : \int[length]_u (bell u)%:E <= 8%:E.
Proof.
pose g n u := (cut n.+1%:R u)%:E.
have gE u : lim (g ^~ u) = (bell u)%:E.
  apply: lim_near_cst => //.
  near=> n; rewrite /g /cut window_indic (_ : (`|u| <= n.+1%:R)%R = true) ?mulr1 //.
  apply/ltW/(lt_le_trans (archi_boundP (normr_ge0 u))); rewrite ler_nat ltnW // ltnS.
  near: n; exact: nbhs_infty_ge.
under eq_integral do rewrite -gE.
have mg n : measurable_fun setT (g n) by apply/EFin_measurable_fun; apply: cut_measurable.
have g0 n u : setT u -> 0 <= g n u by move=> _; rewrite lee_fin cut_ge0.
have ndg u : setT u -> nondecreasing_seq (g ^~ u).
  by move=> _ a b ab; rewrite lee_fin; apply: cut_mono; rewrite ler_nat ltnS.
rewrite (monotone_convergence length measurableT mg g0 ndg).
apply: lime_le; last by near=> n; apply: cut_integral; rewrite ler1n.
by apply: ereal_nondecreasing_is_cvg => a b ab; apply: integral_mono => u; [apply: g0 | apply: ndg].
Unshelve. all: by end_near. Qed.

Definition bell_mass : RR := fine (\int[length]_u (bell u)%:E).

Lemma bell_massE : \int[length]_u (bell u)%:E = bell_mass%:E.
Proof.
rewrite fineK // ge0_fin_numE; last by apply: integral_ge0 => u _; rewrite lee_fin bell_ge0.
by apply: le_lt_trans bell_integral_le (ltry _).
Qed.

Lemma bell_mass_gt0 : (0 < bell_mass)%R.
Proof.
rewrite -lte_fin -bell_massE; pose low : RR := bell 1; have low0 : (0 < low)%R := bell_gt0 _.
apply: lt_le_trans (_ : (low * (2 * 1))%:E <= _); first by rewrite lte_fin mulr1 mulr_gt0 // ltr0n.
have m1 : measurable_fun setT (fun u => (\1_(window 1) u)%:E : \bar RR).
  by apply/EFin_measurable_fun; apply: window_measurable.
have -> : (low * (2 * 1))%:E = \int[length]_u (low%:E * (\1_(window 1) u)%:E).
  rewrite EFinM -(window_length ltr01) ge0_integralM //; first by move=> u _; rewrite lee_fin.
  by rewrite lee_fin ltW.
apply: integral_mono => u; rewrite -EFinM lee_fin ?(mulr_ge0 (ltW low0)) // window_indic.
case: (leP `|u|%R 1%R) => h; rewrite ?mulr0 ?bell_ge0 // mulr1; apply: exp_mono.
by rewrite ler_opp2 ler_pmul2r ?invr_gt0 ?ltr0n // expr1n -real_normK ?num_real // expr_le1.
Qed.

(* --- the law ----------------------------------------------------------------------------------------------- *)

Definition phi (u : RR) : RR := (bell_mass^-1 * bell u)%R.

Lemma phi_ge0 u : (0 <= phi u)%R. Proof. by rewrite mulr_ge0 ?bell_ge0 // invr_ge0 ltW // bell_mass_gt0. Qed.
Lemma phi_measurable : measurable_fun setT phi.
Proof. by apply: measurable_funM; [exact: measurable_fun_cst | exact: bell_measurable]. Qed.

Lemma phi_total : \int[length]_u (phi u)%:E = 1.
Proof.
have m0 := ltW bell_mass_gt0; under eq_integral do rewrite EFinM.
rewrite ge0_integralM //.
- by rewrite bell_massE -EFinM mulVf // gt_eqF // bell_mass_gt0.
- by apply/EFin_measurable_fun; apply: bell_measurable.
- by move=> u _; rewrite lee_fin bell_ge0.
- by rewrite lee_fin invr_ge0.
Qed.

Lemma phi_integrable : length.-integrable setT (EFin \o phi).
Proof.
split; first by apply/EFin_measurable_fun; apply: phi_measurable.
rewrite (eq_integral (fun u => (phi u)%:E)) ?phi_total ?ltry // => u _.
by rewrite gee0_abs // lee_fin phi_ge0.
Qed.

Definition gauss : {measure set RR -> \bar RR} := density_measure phi_ge0 phi_integrable.

Lemma gaussE (F : RR -> \bar RR) : measurable_fun setT F -> (forall z, 0 <= F z) ->
  \int[gauss]_u F u = \int[length]_u (F u * (phi u)%:E).
Proof. exact: integral_density. Qed.

Lemma gauss_total : gauss setT = 1.
Proof. exact: phi_total. Qed.
