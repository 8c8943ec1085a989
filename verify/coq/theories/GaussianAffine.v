(* Affine images of the standard normal law, from those of Lebesgue measure.
     gauss_affine      the density of a + s N seen from b + s' N
     gauss_symmetric   N and -N have one law
     gauss_tilted      E e^(N^2/2 - (b + t N)^2/2) = 1/t *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import Rstruct reals ereal normedtype sequences measure topology lebesgue_measure numfun.
From mathcomp.analysis Require Import lebesgue_integral.
From Glbcheck Require Import Bridge Scalar NormalNumbers HalfExponential ConditionalLaw NormalLaw AffineLebesgue Density.
From Glbcheck Require Import GaussianLaw.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Lemma gauss_affine (a b s s' : R) (F : RR -> \bar RR) : (0 < s)%R -> (0 < s')%R ->
  measurable_fun setT F -> (forall z, 0 <= F z) ->
  \int[gauss]_u F (a + s * u)%R =
  \int[gauss]_u (F (b + s' * u)%R * (s' / s * exp (u ^+ 2 / 2 - ((b + s' * u - a) / s) ^+ 2 / 2))%:E).
Proof.
move=> s0 s'0 mF F0; have mA := @measurable_affine RR.
have mback : measurable_fun setT ((fun z => (z - a) / s)%R : RR -> RR) by measurability.
have mphi := measurable_fun_comp phi_measurable mback.
pose G (z : RR) : \bar RR := F z * (phi ((z - a) / s)%R)%:E.
have mG : measurable_fun setT G by apply: emeasurable_funM => //; apply/EFin_measurable_fun.
have G0 z : 0 <= G z by rewrite mule_ge0 // lee_fin phi_ge0.
have mFa (x y : RR) : measurable_fun setT (fun u => F (x + y * u)%R) := measurable_fun_comp mF (mA x y).
pose w (u : RR) : RR := (s' / s * exp (u ^+ 2 / 2 - ((b + s' * u - a) / s) ^+ 2 / 2))%R.
have w0 u : (0 <= w u)%R by rewrite mulr_ge0 ?exp_pos_R // divr_ge0 ?ltW.
have mw : measurable_fun setT w.
  by apply: measurable_funM; [measurability | apply: (measurable_fun_comp exp_measurable); measurability].
have wphi u : (w u * phi u = s' / s * phi ((b + s' * u - a) / s))%R.
  have e := exp_plus (u ^+ 2 / 2 - ((b + s' * u - a) / s) ^+ 2 / 2)%R (- (u ^+ 2 / 2))%R.
  rewrite /w /phi mulrACA [RHS]mulrA; congr (_ * _)%R; rewrite /bell -[LHS]e; congr exp.
  by move: (u ^+ 2 / 2)%R (((b + s' * u - a) / s) ^+ 2 / 2)%R => x y; clear; to_R; lra.
have mFw : measurable_fun setT (fun u : RR => F (b + s' * u)%R * (w u)%:E).
  by apply: emeasurable_funM; [exact: mFa | apply/EFin_measurable_fun].
rewrite (gaussE (mFa a s) (fun=> F0 _)) (gaussE mFw); last by move=> u; rewrite mule_ge0 ?lee_fin.
transitivity (\int[length]_u G (a + s * u)%R).
  by apply: eq_integral => u _; rewrite /G addrAC subrr add0r [(s * u)%R]mulrC mulfK ?gt_eqF.
rewrite (lebesgue_affine a s0 mG G0).
transitivity (\int[length]_u ((s' / s)%:E * G (b + s' * u)%R)).
  have k0 : 0 <= (s' / s)%:E :> \bar RR by rewrite lee_fin divr_ge0 ?ltW.
  rewrite (ge0_integralM _ _ (measurable_fun_comp mG (mA b s'))) //; last by move=> u _; apply: G0.
  by rewrite (lebesgue_affine b s'0 mG G0) muleA -EFinM mulrAC divff ?gt_eqF // mul1r.
by apply: eq_integral => u _; rewrite -/(w u) -muleA -EFinM wphi EFinM muleCA.
Qed.

Lemma gauss_symmetric (F : RR -> \bar RR) : measurable_fun setT F -> (forall z, 0 <= F z) ->
  \int[gauss]_u F (- u)%R = \int[gauss]_u F u.
Proof.
move=> mF F0; have mN := @measurable_reflection RR; rewrite gaussE //; last exact: (measurable_fun_comp mF mN).
pose G (z : RR) : \bar RR := F z * (phi z)%:E.
have mG : measurable_fun setT G.
  by apply: emeasurable_funM => //; apply/EFin_measurable_fun; apply: phi_measurable.
have G0 z : 0 <= G z by rewrite mule_ge0 // lee_fin phi_ge0.
rewrite gaussE // -(lebesgue_reflection mG G0); apply: eq_integral => u _.
by rewrite /G /phi /bell sqrrN.
Qed.

(* The law b + t N has total mass 1 as well. *)
Lemma gauss_tilted (b t : RR) : (0 < t)%R ->
  \int[gauss]_u (exp (u ^+ 2 / 2 - (b + t * u) ^+ 2 / 2))%:E = (t^-1)%:E.
Proof.
move=> t0; have one : \int[gauss]_u (cst 1 : RR -> \bar RR) u = 1 by rewrite integral_cst // gauss_total mul1e.
have := @gauss_affine 0%R b 1%R t (cst 1) ltr01 t0 (@measurable_fun_cst _ _ _ _ _ _) (fun=> lee01).
rewrite /= in one *; rewrite one => h.
have : 1 = t%:E * \int[gauss]_u (exp (u ^+ 2 / 2 - (b + t * u) ^+ 2 / 2))%:E.
  rewrite h -ge0_integralM //.
  - by apply: eq_integral => u _; rewrite mul1e -EFinM !divr1 subr0.
  - apply/EFin_measurable_fun; apply: (measurable_fun_comp exp_measurable); measurability.
  - by move=> u _; rewrite lee_fin exp_pos_R.
  - by rewrite lee_fin ltW.
have i0 : 0 <= \int[gauss]_u (exp (u ^+ 2 / 2 - (b + t * u) ^+ 2 / 2))%:E.
  by apply: integral_ge0 => u _; rewrite lee_fin exp_pos_R.
move: i0; case: (\int[gauss]_u _) => [x _|_|//]; last first.
  by rewrite mulry gtr0_sg // mul1e.
by rewrite -EFinM => -[e]; congr EFin; rewrite -[x](mulKf (negbT (gt_eqF t0))) -e mulr1.
Qed.
