(* eqn:GLM: rewards with density exp ((y z - m z) i) against a base measure (i the inverse dispersion, z the natural
   parameter) satisfy the premise glm_rewards of the confidence sequence. *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import Rstruct reals ereal normedtype sequences measure topology lebesgue_measure numfun.
From mathcomp.analysis Require Import lebesgue_integral.
From Glbcheck Require Import Bridge ConditionalLaw NormalLaw.
From HCW Require Import Algorithm SharperConfidence.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Definition glm_density (m : R -> R) (z i y : R) := exp ((y * z - m z) * i).

(* kappa has the density of the natural parameter z against base, which normalises every natural parameter. *)
Definition follows_glm (m : R -> R) (z i : R) (base kappa : {measure set RR -> \bar RR}) :=
  (forall f : RR -> \bar RR, measurable_fun setT f -> (forall y, 0 <= f y)%E ->
    \int[kappa]_y f y = \int[base]_y (f y * (glm_density m z i y)%:E))%E /\
  (forall z' : R, \int[base]_y (glm_density m z' i y)%:E = 1)%E.

Lemma glm_likelihood (m : R -> R) (z0 i z : R) (base kappa : {measure set RR -> \bar RR}) :
  follows_glm m z0 i base kappa -> (\int[kappa]_y (likelihood_ratio m z0 i y z)%:E = 1)%E.
Proof.
move=> [dens norm]; rewrite dens; first last.
- by move=> y; rewrite lee_fin exp_pos_R.
- apply/EFin_measurable_fun; rewrite /likelihood_ratio.
  have m_exp : measurable_fun setT (exp : RR -> RR).
    by apply: continuity_measurable => x; apply: derivable_continuous_pt; apply: derivable_pt_exp.
  by apply: (measurable_fun_comp m_exp); measurability.
rewrite -(norm z); apply: eq_integral => y _; rewrite -EFinM; congr EFin.
rewrite /likelihood_ratio /glm_density; rewrite -[LHS]exp_plus; congr exp.
by generalize (m z) (m z0); clear; intros; to_R; ring.
Qed.

Theorem glm_rewards_of_density (m : R -> R) d (alpha : R) (star : 'cV[R]_d) dO (Omega : measurableType dO)
    (E : @experiment RR _ _ Omega RR) p (q : @predictable d alpha star dO Omega E p)
    (base : forall n, past E n -> {measure set RR -> \bar RR}) :
  (forall n (h : past E n), follows_glm m (at_star q h) (past_inverse q h) (base n h) (kernel h)) ->
  glm_rewards m q.
Proof. by move=> law n h z; rewrite (glm_likelihood z (law n h)). Qed.
