(* lemma:mixture in general: bets f(h, y, z) that are fair given the past h for every parameter z stay fair when z
   is mixed by a probability nu, and when only a share w(h) of the wealth is put at stake:
     factor(h, y) = 1 - w(h) + w(h) int f(h, y, z) nu(dz).
   As x^w <= 1 - w + w x, this bounds the weighted (exponentiated) likelihood ratio of the paper. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal normedtype sequences measure topology lebesgue_measure numfun.
From mathcomp.analysis Require Import lebesgue_integral.
From Glbcheck Require Import Ville ConditionalLaw.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Lemma probability_sigma_finite (R : realType) d (T : measurableType d) (mu : {measure set T -> \bar R}) :
  mu setT = 1 -> sigma_finite setT mu.
Proof.
move=> m1; exists (fun _ : nat => setT); first by rewrite bigcup_const //; exists 0%N.
by move=> _; split=> //; rewrite m1 ltry.
Qed.

Section Mixture.
Context {R : realType} {dT dY dZ : measure_display}.
Context {T : measurableType dT} {Y : measurableType dY} {Z : measurableType dZ}.
Variables (kappa : T -> {measure set Y -> \bar R}) (nu : {measure set Z -> \bar R}).
Variables (f : (T * Y) * Z -> R) (w : T -> R).
Hypothesis kappa1 : forall h, kappa h setT = 1.
Hypothesis nu1 : nu setT = 1.
Hypothesis f_measurable : measurable_fun setT f.
Hypothesis f_ge0 : forall t, (0 <= f t)%R.
Hypothesis w_measurable : measurable_fun setT w.
Hypothesis w01 : forall h, (0 <= w h <= 1)%R.
Hypothesis f_fair : forall h z, \int[kappa h]_y (f (h, y, z))%:E <= 1.

Definition mixed (t : T * Y) : \bar R := \int[nu]_z (f (t, z))%:E.
Definition mixture_factor (t : T * Y) : \bar R := (1 - w t.1)%:E + (w t.1)%:E * mixed t.

Let w0 h : (0 <= w h)%R. Proof. by case/andP: (w01 h). Qed.
Let w1 h : (0 <= 1 - w h)%R. Proof. by rewrite subr_ge0; case/andP: (w01 h). Qed.
Let mf : measurable_fun setT (EFin \o f). Proof. exact/EFin_measurable_fun. Qed.
Let f0 t : 0 <= (EFin \o f) t. Proof. by rewrite lee_fin. Qed.

Lemma mixed_ge0 t : 0 <= mixed t.
Proof. by apply: integral_ge0 => z _; rewrite lee_fin. Qed.

Lemma mixed_measurable : measurable_fun setT mixed.
Proof. exact (measurable_fun_fubini_tonelli_F (probability_sigma_finite nu1) _ mf f0). Qed.

Lemma mixture_factor_ge0 t : 0 <= mixture_factor t.
Proof. by rewrite adde_ge0 ?mule_ge0 ?lee_fin ?mixed_ge0. Qed.

Lemma mixture_factor_measurable : measurable_fun setT mixture_factor.
Proof.
have mw : measurable_fun setT (w \o fst : T * Y -> R).
  exact: (measurable_fun_comp w_measurable (@measurable_fst _ _ T Y)).
apply: emeasurable_funD.
  apply/EFin_measurable_fun; apply: (@measurable_funB _ _ _ _ (cst 1%R) (w \o fst)) => //.
  exact: measurable_fun_cst.
by apply: emeasurable_funM; [apply/EFin_measurable_fun | apply: mixed_measurable].
Qed.

Lemma mixture_factor_fair h : \int[kappa h]_y mixture_factor (h, y) <= 1.
Proof.
pose g (t : Y * Z) : \bar R := (f (h, t.1, t.2))%:E.
have mg : measurable_fun setT g.
  apply: (measurable_fun_comp mf); apply/prod_measurable_funP; split; last exact: measurable_snd.
  apply/prod_measurable_funP; split; first exact: measurable_fun_cst.
  exact: measurable_fst.
have g0 t : 0 <= g t by rewrite lee_fin.
have sk := probability_sigma_finite (kappa1 h); have sn := probability_sigma_finite nu1.
have mm : measurable_fun setT (fun y => mixed (h, y)).
  exact (measurable_fun_fubini_tonelli_F sn _ mg g0).
have one : \int[kappa h]_y mixed (h, y) <= 1.
  have -> : \int[kappa h]_y mixed (h, y) = \int[nu]_z \int[kappa h]_y (f (h, y, z))%:E.
    by rewrite -[LHS](fubini_tonelli1 sn _ mg g0) (fubini_tonelli2 sk sn _ mg g0).
  apply: le_trans (_ : \int[nu]_z cst 1 z <= _); last by rewrite integral_cst // nu1 mul1e.
  by apply: integral_mono => z; [apply: integral_ge0 => y _; rewrite lee_fin | apply: f_fair].
have mwm : measurable_fun setT (fun y => (w h)%:E * mixed (h, y)) by apply: measurable_funeM.
have wm0 y : 0 <= (w h)%:E * mixed (h, y) by rewrite mule_ge0 ?lee_fin ?mixed_ge0.
rewrite /mixture_factor ge0_integralD //; try solve [exact: measurable_fun_cst | by move=> y _; rewrite lee_fin | by move=> y _; apply: wm0].
have c1 : \int[kappa h]_y cst (1 - w h)%:E y = (1 - w h)%:E by rewrite integral_cst // kappa1 mule1.
have c2 : \int[kappa h]_y ((w h)%:E * mixed (h, y)) = (w h)%:E * \int[kappa h]_y mixed (h, y).
  by apply: (@ge0_integralM _ _ _ _ _ _ (fun y => mixed (h, y))) => //; rewrite ?lee_fin // => y _; apply: mixed_ge0.
rewrite [X in X + _]c1 [X in _ + X]c2.
apply: le_trans (_ : (1 - w h)%:E + (w h)%:E * 1 <= _).
  by apply: lee_add2l; apply: lee_wpmul2l; rewrite ?lee_fin.
by rewrite mule1 -EFinD subrK.
by rewrite /=; apply: measurable_fun_cst.
Qed.
End Mixture.
