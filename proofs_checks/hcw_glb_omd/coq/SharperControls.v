(* Near mutants of the sharper confidence sequence, each denied.
     sharper_start_false   lambda S^2 for lambda (S + |theta_1|)^2
     linear_start_false    the same for the linear link *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import Rstruct reals ereal normedtype sequences measure topology lebesgue_measure numfun.
From mathcomp.analysis Require Import lebesgue_integral.
From Glbcheck Require Import Bridge Scalar SelfConcordance QuadraticForm EllipticalPotential MirrorDescent.
From Glbcheck Require Import ConditionalLaw NormalLaw MixturePairs.
From HCW Require Import Constants Algorithm InverseRegret GoodEvent SharperConfidence Witness Controls.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Definition sharper_start := forall (d : nat) (m mu dmu ddmu : R -> R) (Rs L S alpha delta C lam eps reach c : R)
    (star : 'cV[R]_d) (dO : measure_display) (Omega : measurableType dO) (E : @experiment RR _ _ Omega RR)
    (p : Omega -> trajectory d) (corruption : nat -> Omega -> R),
  smooth m mu dmu ddmu -> (forall lo hi, concordant dmu ddmu Rs lo hi) ->
  slope_bounded dmu L (- S) S -> 0 <= Rs -> 0 < S -> 0 < alpha -> 0 < delta <= 1 -> 0 < lam -> 0 <= eps < 1 ->
  0 <= reach -> mixture_pair reach c -> step_size Rs S * Rs ^+ 2 <= (1 - eps) * reach ^+ 2 * lam -> ball S star ->
  (forall w, hcw_run mu dmu alpha (step_size Rs S) lam S (p w)) ->
  (forall w, moves_pay Rs L S alpha lam (p w) eps) ->
  (forall w s, observed (p w) s = out E s w + corruption s w) ->
  (forall w t, \sum_(s < t) `|corruption s w| <= C) ->
  forall q : predictable alpha star E p, glm_rewards m q ->
  exists A : set Omega, [/\ measurable A, ((1 - delta)%:E <= prob E A)%E &
    forall w, A w -> forall t, sqrt (qf (hess (p w) t) (est (p w) t - star)) <=
      sqrt (2 * step_size Rs S * ln (1 / delta) + lam * S ^+ 2 +
        beta_slope (step_size Rs S) eps c * logdet lam (hess (p w)) t) + widening (step_size Rs S) alpha C].

(* Before the first round, from one end of [-1, 1] to the other, delta = 9/10: 1 against 2 ln (10/9) + 1/4. *)
Lemma start_too_small (del := 9 / 10 : R) :
  ~ sqrt (4^-1 * ((- 1 - 1) * (- 1 - 1))) <= sqrt (2 * ln (1 / del) + 4^-1 * 1 ^+ 2).
Proof.
have lnb : ln (1 / del) <= 9^-1.
  apply/RleP; apply: (Rle_trans _ (Rminus (1 / del) 1)); first by apply: ln_le_sub1; rewrite /del; to_R; lra.
  by rewrite /del; to_R; lra.
have v1 : 4^-1 * ((- 1 - 1) * (- 1 - 1)) = 1 :> R by to_R; lra.
have del01 : 0 < del <= 1 by apply/andP; split; rewrite /del; to_R; lra.
have pos := log_delta_ge0 del01; rewrite v1 => k.
have k2 : (1 : R) <= 2 * ln (1 / del) + 4^-1 * 1 ^+ 2.
  apply/RleP; apply: sqrt_le_0 (le_R k); apply/RleP; first exact: ler01.
  by move: pos; clear; to_R; lra.
by move: k2 lnb; clear; to_R; lra.
Qed.

Theorem sharper_start_false : ~ sharper_start.
Proof.
move=> h; have low : ball 1 (on_line (- 1)) by apply: ends_ball; rewrite normrN1.
have high : ball 1 (on_line 1) by apply: ends_ball; rewrite normr1.
pose del : R := 9 / 10; have del01 : 0 < del <= 1 by apply/andP; split; rewrite /del; to_R; lra.
have [sm sc sl [run obs glm]] := premises_met (d := 1) isT idle_le1 idle_harmless low (idle_agree (- 1) 1) ltr01 ltr01.
have [l0 eps01 pair reach pay] := sharper_premises_met (d := 1) idle unharmed (on_line (- 1)) 1 isT ltr01.
have budget (w : RR) t : \sum_(s < t) `|unharmed s| <= (0 : R) by rewrite big1 ?lexx // => i _; rewrite normr0.
have [A [_ pA hA]] := h 1%N _ _ _ _ 0 1 1 1 del 0 _ 0 0 1 (on_line 1) _ RR _ _ (fun s _ => unharmed s) sm sc sl
  (lexx _) ltr01 ltr01 del01 l0 eps01 (lexx _) pair reach high run pay obs budget _ glm.
have [w Aw] : exists w, A w by apply: some_point pA; rewrite /del; to_R; lra.
apply: start_too_small; have := hA w Aw 0%N; rewrite (logdet0 l0 (hess_start (run w))) mulr0 addr0.
by rewrite /widening mulr0 addr0 /= line_gap qf_scalar dot_line step1 lam1 mulr1.
Qed.

Definition linear_start := forall (d : nat) (m mu dmu ddmu : R -> R) (L S alpha delta C lam : R) (star : 'cV[R]_d)
    (dO : measure_display) (Omega : measurableType dO) (E : @experiment RR _ _ Omega RR)
    (p : Omega -> trajectory d) (corruption : nat -> Omega -> R),
  smooth m mu dmu ddmu -> (forall lo hi, concordant dmu ddmu 0 lo hi) -> slope_bounded dmu L (- S) S ->
  0 < S -> 0 < alpha -> 0 < delta <= 1 -> 0 < lam -> ball S star ->
  (forall w, hcw_run mu dmu alpha 1 lam S (p w)) ->
  (forall w s, observed (p w) s = out E s w + corruption s w) ->
  (forall w t, \sum_(s < t) `|corruption s w| <= C) ->
  forall q : predictable alpha star E p, glm_rewards m q ->
  exists A : set Omega, [/\ measurable A, ((1 - delta)%:E <= prob E A)%E &
    forall w, A w -> forall t, sqrt (qf (hess (p w) t) (est (p w) t - star)) <=
      sqrt (2 * ln (1 / delta) + logdet lam (hess (p w)) t + lam * S ^+ 2) + 2 * alpha * C].

Theorem linear_start_false : ~ linear_start.
Proof.
move=> h; have low : ball 1 (on_line (- 1)) by apply: ends_ball; rewrite normrN1.
have high : ball 1 (on_line 1) by apply: ends_ball; rewrite normr1.
pose del : R := 9 / 10; have del01 : 0 < del <= 1 by apply/andP; split; rewrite /del; to_R; lra.
have [sm sc sl [run obs glm]] := premises_met (d := 1) isT idle_le1 idle_harmless low (idle_agree (- 1) 1) ltr01 ltr01.
have [l0 _ _ _ _] := sharper_premises_met (d := 1) idle unharmed (on_line (- 1)) 1 isT ltr01.
have budget (w : RR) t : \sum_(s < t) `|unharmed s| <= (0 : R) by rewrite big1 ?lexx // => i _; rewrite normr0.
have run1 w : hcw_run (fun z => z) (fun=> 1) 1 1 (regularisation 1 1 (step_size 0 1) 1 0 1) 1
  (still_path idle unharmed (on_line (- 1)) 1 1 w) by have := run w; rewrite {1}step1.
have [A [_ pA hA]] := h 1%N _ _ _ _ 1 1 1 del 0 _ (on_line 1) _ RR _ _ (fun s _ => unharmed s) sm sc sl
  ltr01 ltr01 del01 l0 high run1 obs budget _ glm.
have [w Aw] : exists w, A w by apply: some_point pA; rewrite /del; to_R; lra.
apply: start_too_small; have := hA w Aw 0%N; rewrite (logdet0 l0 (hess_start (run w))) addr0.
by rewrite mulr0 addr0 /= line_gap qf_scalar dot_line step1 lam1.
Qed.
