(* theorem:confidence-sequence, repaired and sharper, the deterministic part (app:proof-cs): on the event that the weighted
   likelihoods of theta* stay below a bound, theta* lies in every C_t, for every dimension, every choice of arms
   and every corruption of total size at most C.
     eq:inverse-regret-expansion (sign repaired), app:proof-cs/eq7-eq14.
   A share eps of the moves pays for the cubic remainder, the rest for the mixture of spread gam = eta/(1 - eps). *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar SelfConcordance QuadraticForm EllipticalPotential MirrorDescent.
From HCW Require Import RoundNumbers Constants Algorithm InverseRegret.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* eq:CS: the confidence set before round t, inside Theta. *)
Definition radius d (alpha eta lam L S delta C : R) (p : trajectory d) t :=
  beta d S delta eta lam L (\sum_(s < t) (disp p s)^-1) + widening eta alpha C.
Definition confidence_set d (alpha eta lam L S delta C : R) (p : trajectory d) t (theta : 'cV[R]_d) :=
  ball S theta /\ sqrt (qf (hess p t) (est p t - theta)) <= radius alpha eta lam L S delta C p t.

(* The repaired regularisation meets what is asked below, with eps = 1/3. *)
Section Regularisation.
Variables (d : nat) (Rs L S alpha : R) (p : trajectory d).
Let eta := step_size Rs S.
Let lam := regularisation d S eta alpha Rs L.

Lemma lam_gt0 : (0 < d)%N -> 0 < S -> 0 < lam.
Proof.
move=> d0 S0; rewrite /lam /regularisation !lt_maxr; apply/orP; right; apply/orP; right.
by rewrite divr_gt0 ?ltr0n // mulr_gt0 ?ltr0n // exprn_gt0.
Qed.

Lemma lam_ge6 : 6 * eta * Rs ^+ 2 <= lam.
Proof. by rewrite /lam /regularisation le_maxr lexx. Qed.

Lemma third_pays : moves_pay Rs L S alpha lam p (1 / 3).
Proof.
left; have : 36 * eta ^+ 2 * alpha ^+ 2 * Rs ^+ 2 * S ^+ 2 * L ^+ 2 <= lam.
  by rewrite /lam /regularisation !le_maxr lexx orbT.
by rewrite -/eta; clear; to_R; lra.
Qed.
End Regularisation.

Section GoodEvent.
Variables (d : nat) (m mu dmu ddmu : R -> R) (Rs L S alpha delta C lam eps c : R).
Variables (p : trajectory d) (reward corruption : nat -> R) (star : 'cV[R]_d).
Let eta := step_size Rs S.
Let gam := eta / (1 - eps).
Hypothesis sm : smooth m mu dmu ddmu.
Hypothesis sc : concordant dmu ddmu Rs (- S) S.
Hypothesis sl : slope_bounded dmu L (- S) S.
Hypothesis Rs_ge0 : 0 <= Rs.
Hypothesis S_gt0 : 0 < S.
Hypothesis alpha_gt0 : 0 < alpha.
Hypothesis delta01 : 0 < delta <= 1.
Hypothesis lam0 : 0 < lam.
Hypothesis eps01 : 0 <= eps < 1.
Hypothesis c_ge0 : 0 <= c.
Hypothesis run : hcw_run mu dmu alpha eta lam S p.
Hypothesis pay : moves_pay Rs L S alpha lam p eps.
Hypothesis star_ball : ball S star.
Hypothesis observed_eq : forall s, observed p s = reward s + corruption s.
Hypothesis budget : forall t, \sum_(s < t) `|corruption s| <= C.

(* The weighted loss of the true reward. *)
Definition true_loss s theta := rate alpha p s * (m (value p s theta) - reward s * value p s theta).
Definition moves t := \sum_(s < t) move_sq p s.
Definition log_det t := logdet lam (hess p) t.

(* The event: what Ville's inequality and the mixture inequality leave to be used. *)
Definition good_event := forall t, \sum_(s < t) (true_loss s star - true_loss s (est p s.+1)) <=
  ln (1 / delta) + (2 * gam)^-1 * moves t + c * gam / 2 * log_det t.

Let dmu_ge0 z : 0 <= dmu z. Proof. by apply/RleP; apply: (SelfConcordance.dmu_ge0 _ _ _ _ sm). Qed.
Let eta_ge1 : 1 <= eta. Proof. by rewrite /eta /step_size ler_addl mulr_ge0 // ltW. Qed.
Let k s := curvature dmu alpha p s (est p s.+1).
Let k0 s : 0 <= k s. Proof. exact: (curvature_ge0 run). Qed.
Let kS := hess_step run.

Definition corruption_part t :=
  \sum_(s < t) rate alpha p s * corruption s * value p s (est p s.+1 - star).

(* eq:inverse-regret-expansion *)
Lemma expansion s : loss m alpha p s star - loss m alpha p s (est p s.+1) =
  true_loss s star - true_loss s (est p s.+1) + rate alpha p s * corruption s * value p s (est p s.+1 - star).
Proof.
rewrite /loss /true_loss observed_eq /value dotBr.
generalize (m (dot (arm p s) star)) (m (dot (arm p s) (est p s.+1))) (rate alpha p s).
generalize (dot (arm p s) star) (dot (arm p s) (est p s.+1)) (reward s) (corruption s).
by clear; intros; mlra.
Qed.

(* X_t = |theta_t - theta*| in H_t *)
Definition error t := sqrt (error_sq p star t).

Lemma error_sq_ge0 t : 0 <= error_sq p star t.
Proof. by apply: (pd_psd (hess_pd run alpha_gt0 lam0 dmu_ge0 t)).2. Qed.
Lemma error_ge0 t : 0 <= error t.
Proof. by apply/RleP; apply: sqrt_pos. Qed.
Lemma errorK t : error t ^+ 2 = error_sq p star t.
Proof. by rewrite expr2; apply: sqrt_sqrt; apply/RleP/error_sq_ge0. Qed.

Definition beta_sq t := beta_base S delta eta lam (start_norm p) + beta_slope eta eps c * log_det t.

Lemma log_delta_ge0 : 0 <= ln (1 / delta).
Proof.
case/andP: delta01 => d0 d1; rewrite -[leLHS]/(IZR 0) -ln_1.
by apply/RleP/ln_mono; [lra | apply/RleP; rewrite ler_pdivl_mulr // mul1r].
Qed.

Lemma log_det_ge0 t : 0 <= log_det t.
Proof. exact: (logdet_ge0 lam0 k0 (hess_start run) kS). Qed.

Let rest_gt0 : 0 < 1 - eps. Proof. by rewrite subr_gt0; case/andP: eps01. Qed.
Let eta_gt0 : 0 < eta. Proof. exact: lt_le_trans ltr01 eta_ge1. Qed.

Lemma beta_slope_ge0 : 0 <= beta_slope eta eps c.
Proof. by rewrite divr_ge0 ?(ltW rest_gt0) // mulr_ge0 ?sqr_ge0. Qed.

Lemma beta_sq_ge0 t : 0 <= beta_sq t.
Proof.
have e0 := ltW eta_gt0; have l0 := ltW lam0; have ld := log_delta_ge0.
apply: addr_ge0; last exact: mulr_ge0 beta_slope_ge0 (log_det_ge0 t).
apply: addr_ge0; last exact: mulr_ge0 l0 (sqr_ge0 _).
by apply: mulr_ge0 ld; apply: mulr_ge0 e0; apply: ler0n.
Qed.

(* eq:estimation-error *)
Lemma estimation_error t : good_event -> error t ^+ 2 <= beta_sq t + 2 * eta * corruption_part t.
Proof.
move=> /(_ t) good; rewrite errorK /beta_sq /beta_base /beta_slope.
have e0 : 0 <= eps by case/andP: eps01.
have := inverse_regret sm sc sl Rs_ge0 S_gt0 alpha_gt0 lam0 run star_ball t e0 pay.
have -> : \sum_(s < t) (loss m alpha p s star - loss m alpha p s (est p s.+1)) =
  \sum_(s < t) (true_loss s star - true_loss s (est p s.+1)) + corruption_part t.
  by rewrite -big_split /=; apply: eq_bigr => s _; rewrite expansion.
rewrite -/(moves t) -/eta; move: good => /(ler_wpmul2l (ltW eta_gt0)).
have -> : eta * (ln (1 / delta) + (2 * gam)^-1 * moves t + c * gam / 2 * log_det t) =
  eta * ln (1 / delta) + (1 - eps) * moves t / 2 + c * eta ^+ 2 / (1 - eps) * log_det t / 2.
  rewrite /gam; move: eta_gt0 rest_gt0; generalize (1 - eps) eta (moves t) (log_det t) (ln (1 / delta)) => r.
  by clear; intros; to_R; field; lra.
generalize (\sum_(s < t) (true_loss s star - true_loss s (est p s.+1))) (corruption_part t) (moves t).
generalize (c * eta ^+ 2 / (1 - eps) * log_det t) (lam * (S + start_norm p) ^+ 2).
generalize (error_sq p star t) (ln (1 / delta)); clear; intros; mlra.
Qed.

(* app:proof-cs/eq10 *)
Lemma corruption_term t z : (forall s, (s < t)%N -> error s.+1 <= z) -> 0 <= z -> corruption_part t <= alpha * C * z.
Proof.
move=> hz z0; apply: le_trans (_ : \sum_(s < t) alpha * z * `|corruption s| <= _).
  apply: ler_sum => s _; have w0 := rate_gt0 run alpha_gt0 s; have n0 := norm_ge0 p s.
  have v1 : `|value p s (est p s.+1 - star)| <= norm p s * z.
    rewrite -ler_sqr ?nnegrE ?mulr_ge0 // real_normK ?num_real // exprMn.
    apply: le_trans (value_sq_le run alpha_gt0 lam0 dmu_ge0 s _) _.
    rewrite ler_wpmul2l ?sqr_ge0 //; apply: le_trans (hess_mono run alpha_gt0 dmu_ge0 s _) _.
    by rewrite -/(error_sq p star s.+1) -errorK ler_sqr ?nnegrE ?error_ge0 // hz.
  have r1 := ler_wpmul2r z0 (rate_norm run alpha_gt0 s).
  have c1 : corruption s * value p s (est p s.+1 - star) <= `|corruption s| * (norm p s * z).
    by apply: le_trans (ler_norm _) _; rewrite normrM ler_wpmul2l.
  rewrite -mulrA; apply: le_trans (ler_wpmul2l (ltW w0) c1) _.
  by rewrite mulrCA [leRHS]mulrC ler_wpmul2l // mulrA.
by rewrite -mulr_sumr mulrAC ler_wpmul2r // ler_wpmul2l ?budget // ltW.
Qed.

Lemma C_ge0 : 0 <= C.
Proof. by have := budget 0; rewrite big_ord0. Qed.

Lemma beta_sq_mono s t : (s <= t)%N -> beta_sq s <= beta_sq t.
Proof.
move=> st; rewrite ler_add2l; apply: ler_wpmul2l; first exact: beta_slope_ge0.
elim: t st => [|t IH]; first by rewrite leqn0 => /eqP ->; rewrite lexx.
rewrite leq_eqVlt => /orP[/eqP ->|]; first by rewrite lexx.
by rewrite ltnS => /IH/le_trans; apply; apply: (logdet_mono lam0 k0 (hess_start run) kS).
Qed.

(* app:proof-cs/eq12-eq14: the largest error so far solves a quadratic inequality. *)
Lemma error_le t : good_event -> error t <= sqrt (beta_sq t) + widening eta alpha C.
Proof.
move=> good; pose z := [arg max_(i > (ord_max : 'I_t.+1)) error i]%O.
have zmax i : (i <= t)%N -> error i <= error z.
  move=> it; rewrite /z; case: Order.TotalTheory.arg_maxP => // j _ /(_ (inord i) isT).
  by rewrite inordK.
have zt : (z <= t)%N by rewrite -ltnS.
apply: le_trans (zmax t (leqnn t)) _.
apply: le_trans (_ : sqrt (beta_sq z) + widening eta alpha C <= _); last first.
  by rewrite ler_add2r; apply/RleP/sqrt_le_1_alt/RleP/beta_sq_mono.
have e0 : 0 <= eta := le_trans ler01 eta_ge1.
have K : corruption_part z <= alpha * C * error z.
  by apply: corruption_term; [move=> s sz; apply: zmax; apply: leq_trans sz zt | apply: error_ge0].
have q : error z ^+ 2 <= widening eta alpha C * error z + beta_sq z.
  apply: le_trans (estimation_error z good) _; rewrite addrC ler_add2r /widening.
  by rewrite -!mulrA !ler_wpmul2l ?ler0n // mulrA.
have W0 : 0 <= widening eta alpha C by rewrite /widening !mulr_ge0 ?ler0n ?C_ge0 // ltW.
have := solve_quadratic (error z) (widening eta alpha C) (beta_sq z) (le_R W0) (le_R (beta_sq_ge0 z)).
rewrite addrC => h; apply/RleP; apply: h; move: q; clear; to_R; lra.
Qed.

(* app:proof-cs/eq7, eq8 with the trace *)
Lemma log_det_le t : (0 < d)%N -> log_det t <= logdet_bound d lam L (\sum_(s < t) (disp p s)^-1).
Proof.
move=> d_gt0.
have dR : 0 < d%:R :> R by rewrite ltr0n.
apply: le_trans (logdet_le lam0 k0 (hess_start run) kS t d_gt0) _.
rewrite /logdet_bound ler_pmul2l //; have dl : 0 < d%:R * lam by rewrite mulr_gt0 // lam0.
apply/RleP/ln_mono; [apply/RltP | apply/RleP].
  by rewrite ltr_spaddl ?ltr01 // divr_ge0 ?(ltW dl) //; apply: mass_ge0.
rewrite ler_add2l mulrAC ler_wpmul2r ?invr_ge0 ?(ltW dl) // /mass mulr_sumr.
apply: ler_sum => s _; have g0 := disp_gt0 run s.
have /andP[v1 v2] := value_bound run s (ltW S_gt0) (est_ball run s.+1).
have s1 : dmu (value p s (est p s.+1)) <= L by apply/RleP; apply: sl; split; apply/RleP.
rewrite -[leRHS]mulr1; apply: ler_pmul => //; [exact: dot_ge0 | | exact: (arm_le1 run)].
rewrite /k /curvature mulrC; apply: ler_pmul => //; [apply/ltW/(rate_gt0 run) => // | exact: (rate_le run)].
Qed.

End GoodEvent.

(* The radius of the repaired theorem is eps = 1/3, c = 27/20 and the bound on the determinant. *)
Lemma beta_of_third (d : nat) (S delta eta lam L start inverse_g logdet : R) : 0 < lam -> 0 <= start <= S ->
  logdet <= logdet_bound d lam L inverse_g ->
  sqrt (beta_base S delta eta lam start + beta_slope eta (1 / 3) (27 / 20) * logdet) <= beta d S delta eta lam L inverse_g.
Proof.
move=> l0 /andP[s0 s1] ld; rewrite /beta /beta_from_logdet; apply/RleP/sqrt_le_1_alt/RleP; rewrite /beta_base.
have -> : beta_slope eta (1 / 3) (27 / 20) = 81 / 40 * eta ^+ 2 by rewrite /beta_slope; clear; to_R; field; lra.
have start4 : lam * (S + start) ^+ 2 <= lam * (S + S) ^+ 2.
  have S0 := le_trans s0 s1.
  by rewrite ler_wpmul2l ?(ltW l0) // ler_sqr ?nnegrE ?addr_ge0 // ler_add2l.
have slope := ler_wpmul2l (sqr_ge0 eta) ld.
move: start4 slope; generalize (logdet_bound d lam L inverse_g) (lam * (S + start) ^+ 2) (ln (1 / delta)).
by clear; intros; to_R; lra.
Qed.
