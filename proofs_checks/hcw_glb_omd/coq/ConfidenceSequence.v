(* theorem:confidence-sequence, repaired: with probability at least 1 - delta, theta* lies in C_t for all t at
   once, for every dimension, every adaptive choice of arms and dispersions and every adversary within C.
     confidence_sequence          beta_t, lam and eta of Constants.v: eps = 1/3 and the pair (1/2, 27/20)
     linear_confidence_sequence   R_s = 0, as for Gaussian rewards: every lambda > 0, the coefficient 1 of log det *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import Rstruct reals ereal normedtype sequences measure topology lebesgue_measure numfun.
From mathcomp.analysis Require Import lebesgue_integral.
From Glbcheck Require Import Bridge Scalar SelfConcordance QuadraticForm EllipticalPotential MirrorDescent.
From Glbcheck Require Import ConditionalLaw NormalLaw MixturePairs.
From HCW Require Import Constants Algorithm InverseRegret GoodEvent SharperConfidence.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Repaired.
Variables (d : nat) (m mu dmu ddmu : R -> R) (Rs L S alpha delta C : R) (star : 'cV[R]_d).
Variables (dO : measure_display) (Omega : measurableType dO) (E : @experiment RR _ _ Omega RR).
Variables (p : Omega -> trajectory d) (corruption : nat -> Omega -> R).
Let eta := step_size Rs S.
Let lam := regularisation d S eta alpha Rs L.
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis sm : smooth m mu dmu ddmu.
Hypothesis sc : forall lo hi, concordant dmu ddmu Rs lo hi.
Hypothesis sl : slope_bounded dmu L (- S) S.
Hypothesis Rs_ge0 : 0 <= Rs.
Hypothesis S_gt0 : 0 < S.
Hypothesis alpha_gt0 : 0 < alpha.
Hypothesis delta01 : 0 < delta <= 1.
Hypothesis star_ball : ball S star.
Hypothesis runs : forall w, hcw_run mu dmu alpha eta lam S (p w).
Hypothesis observedE : forall w s, observed (p w) s = out E s w + corruption s w.
Hypothesis budget : forall w t, \sum_(s < t) `|corruption s w| <= C.
Variable q : @predictable d alpha star dO Omega E p.
Hypothesis glm : glm_rewards m q.

(* theorem:confidence-sequence, repaired. *)
Theorem confidence_sequence : exists A : set Omega,
  [/\ measurable A, ((1 - delta)%:E <= prob E A)%E &
      forall w, A w -> forall t, confidence_set alpha eta lam L S delta C (p w) t star].
Proof.
have lam0 : 0 < lam := lam_gt0 Rs L alpha d_gt0 S_gt0.
pose e : R := 1 / 3; have third : 0 <= e < 1 by apply/andP; split; rewrite /e; clear; to_R; lra.
pose h : R := 1 / 2; have half : 0 <= h by rewrite /h; clear; to_R; lra.
have reach : eta * Rs ^+ 2 <= (1 - 1 / 3) * (1 / 2) ^+ 2 * lam.
  by have := lam_ge6 d Rs L S alpha; rewrite -/eta -/lam; clear; to_R; lra.
have pay w := third_pays Rs L S alpha (p w).
have [A [mA pA hA]] := sharper_confidence_sequence sm sc sl Rs_ge0 S_gt0 alpha_gt0 delta01 lam0 third half pair_half
  reach star_ball runs pay observedE budget glm.
exists A; split=> // w Aw t; split=> //; apply: le_trans (hA w Aw t) _.
rewrite /radius ler_add2r; apply: beta_of_third => //; first by rewrite start_norm_ge0 (start_norm_le S_gt0 (runs w)).
exact (log_det_le sm sl S_gt0 alpha_gt0 lam0 (runs w) t d_gt0).
Qed.
End Repaired.

Theorem linear_confidence_sequence (d : nat) (m mu dmu ddmu : R -> R) (L S alpha delta C lam : R) (star : 'cV[R]_d)
    (dO : measure_display) (Omega : measurableType dO) (E : @experiment RR _ _ Omega RR)
    (p : Omega -> trajectory d) (corruption : nat -> Omega -> R) :
  smooth m mu dmu ddmu -> (forall lo hi, concordant dmu ddmu 0 lo hi) -> slope_bounded dmu L (- S) S ->
  0 < S -> 0 < alpha -> 0 < delta <= 1 -> 0 < lam -> ball S star ->
  (forall w, hcw_run mu dmu alpha 1 lam S (p w)) ->
  (forall w s, observed (p w) s = out E s w + corruption s w) ->
  (forall w t, \sum_(s < t) `|corruption s w| <= C) ->
  forall q : @predictable d alpha star dO Omega E p, glm_rewards m q ->
  exists A : set Omega, [/\ measurable A, ((1 - delta)%:E <= prob E A)%E &
    forall w, A w -> forall t, sqrt (qf (hess (p w) t) (est (p w) t - star)) <=
      sqrt (2 * ln (1 / delta) + logdet lam (hess (p w)) t + lam * (S + start_norm (p w)) ^+ 2) + 2 * alpha * C].
Proof.
move=> sm sc sl S0 a0 d01 l0 sb runs obs budget q glm.
have e1 : step_size 0 S = 1 by rewrite /step_size mul0r addr0.
pose e : R := 0; have eps01 : 0 <= e < 1 by rewrite lexx ltr01.
have reach : step_size 0 S * 0 ^+ 2 <= (1 - 0) * 0 ^+ 2 * lam by rewrite expr0n /= !(mulr0, mul0r) lexx.
have pay w : moves_pay 0 L S alpha lam (p w) 0 by left; rewrite expr0n /= !(mulr0, mul0r) lexx.
have runs' w : hcw_run mu dmu alpha (step_size 0 S) lam S (p w) by rewrite e1.
have [A [mA pA hA]] := sharper_confidence_sequence sm sc sl (lexx _) S0 a0 d01 l0 eps01 (lexx _) pair_linear reach sb
  runs' pay obs budget glm.
exists A; split=> // w Aw t; have := hA w Aw t; rewrite e1 /beta_base /beta_slope /widening.
by rewrite /e subr0 expr1n !(mulr1, divr1, mul1r, invr1) addrAC.
Qed.
