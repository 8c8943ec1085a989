(* theorem:confidence-sequence, repaired, the deterministic part (app:proof-cs): on the event that the weighted
   likelihoods of theta* stay below a bound, theta* lies in every C_t, for every dimension, every choice of arms
   and every corruption of total size at most C.
     eq:inverse-regret-expansion (sign repaired), app:proof-cs/eq7-eq14. *)
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

Section GoodEvent.
Variables (d : nat) (m mu dmu ddmu : R -> R) (Rs L S alpha delta C : R).
Variables (p : trajectory d) (reward corruption : nat -> R) (star : 'cV[R]_d).
Let eta := step_size Rs S.
Let lam := regularisation d S eta alpha Rs L.
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis sm : smooth m mu dmu ddmu.
Hypothesis sc : concordant dmu ddmu Rs (- S) S.
Hypothesis sl : slope_bounded dmu L (- S) S.
Hypothesis Rs_ge0 : 0 <= Rs.
Hypothesis S_gt0 : 0 < S.
Hypothesis alpha_gt0 : 0 < alpha.
Hypothesis delta01 : 0 < delta <= 1.
Hypothesis run : hcw_run mu dmu alpha eta lam S p.
Hypothesis star_ball : ball S star.
Hypothesis observed_eq : forall s, observed p s = reward s + corruption s.
Hypothesis budget : forall t, \sum_(s < t) `|corruption s| <= C.

(* The weighted loss of the true reward. *)
Definition true_loss s theta := rate alpha p s * (m (value p s theta) - reward s * value p s theta).
Definition moves t := \sum_(s < t) move_sq p s.
Definition log_det t := logdet lam (hess p) t.

(* The event: what Ville's inequality and the mixture inequality leave to be used. *)
Definition good_event := forall t, \sum_(s < t) (true_loss s star - true_loss s (est p s.+1)) <=
  ln (1 / delta) + (3 * eta)^-1 * moves t + 81 / 80 * eta * log_det t.

Lemma lam_gt0 : 0 < lam.
Proof.
rewrite /lam /regularisation !lt_maxr; apply/orP; right; apply/orP; right.
by rewrite divr_gt0 ?ltr0n // mulr_gt0 ?ltr0n // exprn_gt0.
Qed.

Lemma lam_ge36 : 36 * eta ^+ 2 * alpha ^+ 2 * Rs ^+ 2 * S ^+ 2 * L ^+ 2 <= lam.
Proof. by rewrite /lam /regularisation !le_maxr lexx orbT. Qed.

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
Proof. by apply: (pd_psd (hess_pd run alpha_gt0 lam_gt0 dmu_ge0 t)).2. Qed.
Lemma error_ge0 t : 0 <= error t.
Proof. by apply/RleP; apply: sqrt_pos. Qed.
Lemma errorK t : error t ^+ 2 = error_sq p star t.
Proof. by rewrite expr2; apply: sqrt_sqrt; apply/RleP/error_sq_ge0. Qed.

Definition beta_logdet t := beta_from_logdet S delta eta lam (log_det t).

Lemma log_delta_ge0 : 0 <= ln (1 / delta).
Proof.
case/andP: delta01 => d0 d1; rewrite -[leLHS]/(IZR 0) -ln_1.
by apply/RleP/ln_mono; [lra | apply/RleP; rewrite ler_pdivl_mulr // mul1r].
Qed.

Lemma log_det_ge0 t : 0 <= log_det t.
Proof. exact: (logdet_ge0 lam_gt0 k0 (hess_start run) kS). Qed.

Lemma beta_logdet_sq t : beta_logdet t ^+ 2 =
  2 * eta * ln (1 / delta) + 81 * eta ^+ 2 * log_det t / 40 + 4 * lam * S ^+ 2.
Proof.
rewrite expr2; apply: sqrt_sqrt; apply/RleP.
have e0 : 0 <= eta := le_trans ler01 eta_ge1.
by rewrite !addr_ge0 ?divr_ge0 ?mulr_ge0 ?ler0n ?log_delta_ge0 ?log_det_ge0 ?sqr_ge0 // ltW // lam_gt0.
Qed.

(* eq:estimation-error *)
Lemma estimation_error t : good_event -> error t ^+ 2 <= beta_logdet t ^+ 2 + 2 * eta * corruption_part t.
Proof.
move=> /(_ t) good; rewrite errorK beta_logdet_sq.
have := inverse_regret_two_thirds sm sc sl Rs_ge0 S_gt0 alpha_gt0 lam_gt0 run star_ball t lam_ge36.
have -> : \sum_(s < t) (loss m alpha p s star - loss m alpha p s (est p s.+1)) =
  \sum_(s < t) (true_loss s star - true_loss s (est p s.+1)) + corruption_part t.
  by rewrite -big_split /=; apply: eq_bigr => s _; rewrite expansion.
rewrite -/(moves t) -/eta; move: good.
have e0 : 0 < eta := lt_le_trans ltr01 eta_ge1.
move=> /(ler_wpmul2l (ltW e0)).
have -> : eta * (ln (1 / delta) + (3 * eta)^-1 * moves t + 81 / 80 * eta * log_det t) =
  eta * ln (1 / delta) + moves t / 3 + 81 / 80 * eta ^+ 2 * log_det t.
  by move: e0; generalize eta (moves t) (log_det t) (ln (1 / delta)); clear; intros; to_R; field; lra.
generalize (\sum_(s < t) (true_loss s star - true_loss s (est p s.+1))) (corruption_part t) (moves t).
generalize (error_sq p star t) (log_det t) (ln (1 / delta)) lam; clear; intros; mlra.
Qed.

(* app:proof-cs/eq10 *)
Lemma corruption_term t z : (forall s, (s < t)%N -> error s.+1 <= z) -> 0 <= z -> corruption_part t <= alpha * C * z.
Proof.
move=> hz z0; apply: le_trans (_ : \sum_(s < t) alpha * z * `|corruption s| <= _).
  apply: ler_sum => s _; have w0 := rate_gt0 run alpha_gt0 s; have n0 := norm_ge0 p s.
  have v1 : `|value p s (est p s.+1 - star)| <= norm p s * z.
    rewrite -ler_sqr ?nnegrE ?mulr_ge0 // real_normK ?num_real // exprMn.
    apply: le_trans (value_sq_le run alpha_gt0 lam_gt0 dmu_ge0 s _) _.
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

Lemma beta_from_logdet_mono (x y : R) : x <= y ->
  beta_from_logdet S delta eta lam x <= beta_from_logdet S delta eta lam y.
Proof.
move=> xy; apply/RleP/sqrt_le_1_alt/RleP; rewrite ler_add2r ler_add2l ler_wpmul2r ?invr_ge0 ?ler0n //.
by rewrite ler_wpmul2l // mulr_ge0 ?ler0n // sqr_ge0.
Qed.

Lemma beta_logdet_mono s t : (s <= t)%N -> beta_logdet s <= beta_logdet t.
Proof.
move=> st; have h : log_det s <= log_det t.
  elim: t st => [|t IH]; first by rewrite leqn0 => /eqP ->; rewrite lexx.
  rewrite leq_eqVlt => /orP[/eqP ->|]; first by rewrite lexx.
  by rewrite ltnS => /IH/le_trans; apply; apply: (logdet_mono lam_gt0 k0 (hess_start run) kS).
exact: beta_from_logdet_mono.
Qed.

(* app:proof-cs/eq12-eq14: the largest error so far solves a quadratic inequality. *)
Lemma error_le t : good_event -> error t <= beta_logdet t + widening eta alpha C.
Proof.
move=> good; pose z := [arg max_(i > (ord_max : 'I_t.+1)) error i]%O.
have zmax i : (i <= t)%N -> error i <= error z.
  move=> it; rewrite /z; case: Order.TotalTheory.arg_maxP => // j _ /(_ (inord i) isT).
  by rewrite inordK.
have zt : (z <= t)%N by rewrite -ltnS.
apply: le_trans (zmax t (leqnn t)) _.
apply: le_trans (_ : beta_logdet z + widening eta alpha C <= _); last by rewrite ler_add2r beta_logdet_mono.
have e0 : 0 <= eta := le_trans ler01 eta_ge1.
have K : corruption_part z <= alpha * C * error z.
  by apply: corruption_term; [move=> s sz; apply: zmax; apply: leq_trans sz zt | apply: error_ge0].
have q : error z ^+ 2 <= widening eta alpha C * error z + beta_logdet z ^+ 2.
  apply: le_trans (estimation_error z good) _; rewrite addrC ler_add2r /widening.
  by rewrite -!mulrA !ler_wpmul2l ?ler0n // mulrA.
have b0 : 0 <= beta_logdet z by apply/RleP; apply: sqrt_pos.
have W0 : 0 <= widening eta alpha C by rewrite /widening !mulr_ge0 ?ler0n ?C_ge0 // ltW.
have bb : 0 <= beta_logdet z ^+ 2 by rewrite sqr_ge0.
have := solve_quadratic (error z) (widening eta alpha C) (beta_logdet z ^+ 2) (le_R W0) (le_R bb).
have -> : sqrt (beta_logdet z ^+ 2) = beta_logdet z by rewrite -RpowE; apply: sqrt_pow2; apply/RleP.
rewrite addrC => h; apply/RleP; apply: h; move: q; clear; to_R; lra.
Qed.

(* app:proof-cs/eq7, eq8 with the trace *)
Lemma log_det_le t : log_det t <= logdet_bound d lam L (\sum_(s < t) (disp p s)^-1).
Proof.
have dR : 0 < d%:R :> R by rewrite ltr0n.
apply: le_trans (logdet_le lam_gt0 k0 (hess_start run) kS t d_gt0) _.
rewrite /logdet_bound ler_pmul2l //; have dl : 0 < d%:R * lam by rewrite mulr_gt0 // lam_gt0.
apply/RleP/ln_mono; [apply/RltP | apply/RleP].
  by rewrite ltr_spaddl ?ltr01 // divr_ge0 ?(ltW dl) //; apply: mass_ge0.
rewrite ler_add2l mulrAC ler_wpmul2r ?invr_ge0 ?(ltW dl) // /mass mulr_sumr.
apply: ler_sum => s _; have g0 := disp_gt0 run s.
have /andP[v1 v2] := value_bound run s (ltW S_gt0) (est_ball run s.+1).
have s1 : dmu (value p s (est p s.+1)) <= L by apply/RleP; apply: sl; split; apply/RleP.
rewrite -[leRHS]mulr1; apply: ler_pmul => //; [exact: dot_ge0 | | exact: (arm_le1 run)].
rewrite /k /curvature mulrC; apply: ler_pmul => //; [apply/ltW/(rate_gt0 run) => // | exact: (rate_le run)].
Qed.

Theorem confidence_on_good_event : good_event -> forall t,
  confidence_set alpha eta lam L S delta C p t star.
Proof.
move=> good t; split=> //; apply: le_trans (error_le t good) _.
rewrite /radius ler_add2r; apply: beta_from_logdet_mono; exact: log_det_le.
Qed.
End GoodEvent.
