(* The measure with a density: integrals against it are integrals of the product.
     with_density      A |-> int_A f dmu, for an integrable f >= 0
     integral_density  int F d(with_density) = int F f dmu for every measurable F >= 0 *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions fsbigop cardinality mathcomp_extra.
From mathcomp.analysis Require Import reals ereal normedtype sequences measure topology lebesgue_measure numfun.
From mathcomp.analysis Require Import lebesgue_integral.
From HB Require Import structures.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Density.
Context d (T : measurableType d) (R : realType) (mu : {measure set T -> \bar R}).
Variable f : T -> R.
Hypothesis f_ge0 : forall x, (0 <= f x)%R.
Hypothesis f_integrable : mu.-integrable setT (EFin \o f).

Definition with_density (A : set T) : \bar R := \int[mu]_(x in A) (f x)%:E.

Let mf : measurable_fun setT f. Proof. by apply/EFin_measurable_fun; case: f_integrable. Qed.

Let density0 : with_density set0 = 0. Proof. exact: integral_set0. Qed.
Let density_ge0 A : 0 <= with_density A. Proof. by apply: integral_ge0 => x _; rewrite lee_fin. Qed.
Let density_additive : semi_sigma_additive with_density.
Proof.
move=> F mF tF mUF; rewrite /with_density ge0_integral_bigcup //; last 2 first.
- exact: (integrableS measurableT).
- by move=> x _; rewrite lee_fin.
by apply: is_cvg_ereal_nneg_natsum => n _; apply: density_ge0.
Qed.

HB.instance Definition _ := isMeasure.Build _ _ _ with_density density0 density_ge0 density_additive.
Definition density_measure : {measure set T -> \bar R} := [the measure _ _ of with_density].

Let densityE A : density_measure A = \int[mu]_(x in A) (f x)%:E. Proof. by []. Qed.

Let simple (h : {nnsfun T >-> R}) : \int[density_measure]_x (h x)%:E = \int[mu]_x ((h x)%:E * (f x)%:E).
Proof.
under [LHS]eq_integral do rewrite fimfunE -fsumEFin//.
rewrite [LHS]ge0_integral_fsum//; last 2 first.
  - by move=> r; exact/EFin_measurable_fun/measurable_funrM/measurable_fun_indic.
  - by move=> n x _; rewrite EFinM nnfun_muleindic_ge0.
under [RHS]eq_integral.
  move=> x _; rewrite fimfunE -fsumEFin// ge0_mule_fsuml; last by move=> r; rewrite EFinM nnfun_muleindic_ge0.
  over.
rewrite [RHS]ge0_integral_fsum//; last 2 first.
  - move=> r; apply: emeasurable_funM; last exact/EFin_measurable_fun.
    exact/EFin_measurable_fun/measurable_funrM/measurable_fun_indic.
  - by move=> n x _; apply: mule_ge0; [rewrite EFinM nnfun_muleindic_ge0 | rewrite lee_fin].
apply: eq_fsbigr => r _; rewrite integralM_indic_nnsfun //= integral_indic // setIT densityE.
have [r0|r0] := ltP r 0%R.
  rewrite preimage_nnfun0 // integral_set0 mule0; under eq_integral do rewrite indic0 mulr0 mul0e.
  by rewrite integral0.
rewrite integral_mkcond -ge0_integralM //; last 2 first.
- by apply/(measurable_restrict (EFin \o f)) => //; apply: measurable_funTS; exact/EFin_measurable_fun.
- by move=> x _; apply: erestrict_ge0 => y _; rewrite lee_fin.
apply: eq_integral => x _; rewrite EFinM -muleA; congr (_ * _).
by rewrite /patch indicE; case: ifP; rewrite ?mul1e ?mul0e.
Qed.

Lemma integral_density (F : T -> \bar R) : measurable_fun setT F -> (forall x, 0 <= F x) ->
  \int[density_measure]_x F x = \int[mu]_x (F x * (f x)%:E).
Proof.
move=> mF F0; have [g [ndg gF]] := approximation measurableT mF (fun t _ => F0 t).
have mg n : measurable_fun setT (EFin \o g n) by exact/EFin_measurable_fun/measurable_funTS.
have mgf n : measurable_fun setT (fun x => (g n x)%:E * (f x)%:E).
  by apply: emeasurable_funM => //; exact/EFin_measurable_fun.
transitivity (lim (fun n => \int[density_measure]_x (g n x)%:E)).
  rewrite -monotone_convergence //=.
  - by apply: eq_integral => x _; apply/esym/cvg_lim => //=; exact: gF.
  - by move=> n x _; rewrite lee_fin.
  - by move=> x _ a b /ndg /lefP; rewrite lee_fin.
transitivity (lim (fun n => \int[mu]_x ((g n x)%:E * (f x)%:E))).
  by congr (lim _); apply/funext => n; rewrite simple.
rewrite -monotone_convergence //=; last 2 first.
- by move=> n x _; rewrite mule_ge0 ?lee_fin.
- by move=> x _ a b ab; apply: lee_wpmul2r; rewrite lee_fin //; apply/lefP/ndg.
apply: eq_integral => x _; apply/cvg_lim => //=.
under eq_fun do rewrite muleC; rewrite [F x * _]muleC.
by apply: cvgeMl => //; exact: gF.
Qed.
End Density.
