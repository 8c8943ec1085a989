(* lemma:epl-results and lemma:decomposition/eq5, repaired: the potential of the run and the sum over the rounds
   of low weight, without a factor 1/g_min.  With n_s = |x_s| in H_s^-1 and u_s = (w_s/g_s) mu'(<x_s, theta_{s+1}>) n_s^2:
     potential_run    sum of u_s <= (1 + alpha L/(2 sqrt lam)) d ln (1 + L/(d lam) sum of 1/g_s)
     low_weight_sum   sum over w_s < 1 of n_s^2 <= (kappa/(sqrt lam alpha) + 1/(2 lam)) d ln (1 + T alpha/(d kappa sqrt lam)) *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar SelfConcordance QuadraticForm EllipticalPotential MirrorDescent.
From HCW Require Import Constants Algorithm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section EllipticalSums.
Variables (d : nat) (mu dmu : R -> R) (L S alpha eta lam kappa : R) (p : trajectory d).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis S_gt0 : 0 < S.
Hypothesis alpha_gt0 : 0 < alpha.
Hypothesis lam_gt0 : 0 < lam.
Hypothesis dmu_ge0 : forall z, 0 <= dmu z.
Hypothesis sl : slope_bounded dmu L (- S) S.
Hypothesis kappa_gt0 : 0 < kappa.
Hypothesis slope_ge : forall z, - S <= z <= S -> kappa^-1 <= dmu z.
Hypothesis run : hcw_run mu dmu alpha eta lam S p.

Let root0 : 0 < sqrt lam. Proof. by apply/RltP; apply: sqrt_lt_R0; apply/RltP. Qed.
Let root2 : sqrt lam * sqrt lam = lam. Proof. by apply: sqrt_sqrt; apply/RleP/ltW. Qed.
Let dR : 0 < d%:R :> R. Proof. by rewrite ltr0n. Qed.
Let dl : 0 < d%:R * lam. Proof. by rewrite mulr_gt0. Qed.

Definition next_slope s := dmu (value p s (est p s.+1)).
Let k s := curvature dmu alpha p s (est p s.+1).
Let k0 s : 0 <= k s. Proof. exact: (curvature_ge0 run). Qed.
Definition load s := rate alpha p s * next_slope s * norm p s ^+ 2.

Lemma next_slope_between s : kappa^-1 <= next_slope s <= L.
Proof.
have vb := value_bound run s (ltW S_gt0) (est_ball run s.+1); rewrite slope_ge //=.
by case/andP: vb => v1 v2; apply/RleP; apply: sl; split; apply/RleP.
Qed.

Lemma loadE s : load s = term k (arm p) (hess p) s.
Proof. by rewrite /load /term /width -(norm_sq run alpha_gt0 lam_gt0 dmu_ge0). Qed.

Lemma load_ge0 s : 0 <= load s.
Proof. by rewrite loadE (term_ge0 lam_gt0 k0 (hess_start run) (hess_step run)). Qed.

Lemma norm_le_root s : norm p s <= (sqrt lam)^-1.
Proof. by rewrite -[leRHS]mul1r ler_pdivl_mulr // (norm_root run). Qed.

(* weights_cap_the_terms *)
Lemma load_cap s : load s <= alpha * L / sqrt lam.
Proof.
have n0 := norm_ge0 p s; have /andP[sl0 sl1] := next_slope_between s.
have b0 : 0 <= next_slope s by apply: dmu_ge0.
have -> : load s = (rate alpha p s * norm p s) * (next_slope s * norm p s).
  by rewrite /load expr2 mulrACA !mulrA.
rewrite -[leRHS]mulrA; apply: ler_pmul; [| | exact: (rate_norm run) |].
- by rewrite mulr_ge0 // ltW // (rate_gt0 run).
- by rewrite mulr_ge0.
- by apply: ler_pmul => //; apply: norm_le_root.
Qed.

Theorem potential_run T : \sum_(s < T) load s <= potential d alpha lam L (\sum_(s < T) (disp p s)^-1).
Proof.
have pc := potential_capped lam_gt0 k0 (hess_start run) (hess_step run) (t := T)
  (fun s _ => eq_ind _ (fun z => z <= alpha * L / sqrt lam) (load_cap s) _ (loadE s)).
rewrite (eq_bigr (fun s : 'I_T => term k (arm p) (hess p) s)); last by move=> s _; rewrite loadE.
apply: le_trans pc _; rewrite /potential /logdet_bound.
have -> : alpha * L / sqrt lam / 2 = alpha * L / (2 * sqrt lam) by rewrite invfM mulrA mulrAC.
have c0 : 0 <= 1 + alpha * L / (2 * sqrt lam).
  have L0 : 0 <= L.
    by have /andP[h1 h2] := next_slope_between 0; apply: le_trans h2; apply: le_trans h1; rewrite invr_ge0 ltW.
  by rewrite addr_ge0 ?ler01 // divr_ge0 ?mulr_ge0 ?ler0n ?(ltW alpha_gt0) ?(ltW root0).
rewrite ler_wpmul2l //; apply: le_trans (logdet_le lam_gt0 k0 (hess_start run) (hess_step run) T d_gt0) _.
rewrite ler_pmul2l //; apply/RleP/ln_mono; [apply/RltP | apply/RleP].
  by rewrite ltr_spaddl ?ltr01 // divr_ge0 ?(ltW dl) //; apply: mass_ge0.
rewrite ler_add2l mulrAC ler_wpmul2r ?invr_ge0 ?(ltW dl) // /mass mulr_sumr.
apply: ler_sum => s _; have /andP[_ s1] := next_slope_between s.
rewrite -[leRHS]mulr1; apply: ler_pmul => //; [exact: dot_ge0 | | exact: (arm_le1 run)].
rewrite /k /curvature mulrC; apply: ler_pmul => //; [exact: ltW (rate_gt0 run alpha_gt0 s) | exact: (rate_le run)].
Qed.

(* --- the rounds of low weight -------------------------------------------------------------------------- *)

Definition low s := ~~ (norm p s <= alpha * disp p s).
Let c := sqrt lam * alpha / kappa.
Let c0 : 0 < c. Proof. by rewrite divr_gt0 // mulr_gt0. Qed.
Let kl s := if low s then c else 0.
Let kl0 s : 0 <= kl s. Proof. by rewrite /kl; case: (low s) => //; apply: ltW. Qed.
Fixpoint low_design s : 'M[R]_d :=
  if s is s'.+1 then low_design s' + kl s' *: outer (arm p s') else lam%:M.
Let low0 : low_design 0 = lam%:M. Proof. by []. Qed.
Let lowS s : low_design s.+1 = low_design s + kl s *: outer (arm p s). Proof. by []. Qed.

Lemma rate_low s : low s -> rate alpha p s = alpha / norm p s.
Proof.
rewrite /low -ltNge => h; have g0 := disp_gt0 run s.
rewrite /rate /weight /weight_of (max_idPl _) ?ltW //.
have n0 : 0 < norm p s by apply: lt_trans h; rewrite mulr_gt0.
by clear -g0 n0; to_R; field; lra.
Qed.

Lemma rate_high s : ~~ low s -> rate alpha p s = (disp p s)^-1.
Proof.
rewrite /low negbK => h; have g0 := disp_gt0 run s.
by rewrite /rate /weight /weight_of (max_idPr h) divff ?div1r // gt_eqF // mulr_gt0 // (disp_gt0 run).
Qed.

Lemma kl_le s : kl s <= k s.
Proof.
rewrite /kl; case: ifP => // lo; rewrite /k /curvature rate_low // -/(next_slope s).
have /andP[b1 _] := next_slope_between s; rewrite /c.
have n0 : 0 < norm p s by move: lo; rewrite /low -ltNge => h; apply: lt_trans h; rewrite mulr_gt0 // (disp_gt0 run).
have ra : sqrt lam * alpha <= alpha / norm p s.
  by rewrite ler_pdivl_mulr // mulrAC mulrC ler_pimulr ?(ltW alpha_gt0) // mulrC (norm_root run).
apply: ler_pmul => //; [by rewrite mulr_ge0 ?ltW | by rewrite invr_ge0 ltW].
Qed.

Lemma low_below s y : qf (low_design s) y <= qf (hess p s) y.
Proof.
elim: s => [|s IH]; first by rewrite low0 (hess_start run).
by rewrite lowS (hess_step run) !qf_update ler_add // ler_wpmul2r ?sqr_ge0 // kl_le.
Qed.

Theorem low_weight_sum T : \sum_(s < T) (if low s then norm p s ^+ 2 else 0) <= low_weight d T alpha lam kappa.
Proof.
have pd_low s : pd (low_design s) := design_pd lam_gt0 kl0 low0 lowS s.
have cap s : (s < T)%N -> term kl (arm p) low_design s <= c / lam.
  move=> _; rewrite /term; have wl := width_le lam_gt0 kl0 low0 lowS s.
  have w0 := width_ge0 lam_gt0 kl0 low0 lowS s.
  apply: le_trans (_ : c * width (arm p) low_design s <= _).
    by rewrite ler_wpmul2r // /kl; case: (low s) => //; apply: ltW.
  rewrite ler_wpmul2l ?(ltW c0) //; apply: le_trans wl _.
  by rewrite -[leRHS]mul1r ler_wpmul2r ?invr_ge0 ?(ltW lam_gt0) // (arm_le1 run).
have pc := potential_capped lam_gt0 kl0 low0 lowS cap.
have one : c * (\sum_(s < T) (if low s then norm p s ^+ 2 else 0)) <= \sum_(s < T) term kl (arm p) low_design s.
  rewrite mulr_sumr; apply: ler_sum => s _; rewrite /term /kl; case: (low s); last by rewrite mulr0 mul0r.
  rewrite ler_wpmul2l ?(ltW c0) // (norm_sq run alpha_gt0 lam_gt0 dmu_ge0).
  apply: loewner_inv; [exact: pd_low | exact: (hess_pd run alpha_gt0 lam_gt0 dmu_ge0) | exact: low_below].
have lg : logdet lam low_design T <= d%:R * ln (1 + T%:R * alpha / (d%:R * kappa * sqrt lam)).
  apply: le_trans (logdet_le lam_gt0 kl0 low0 lowS T d_gt0) _; rewrite ler_pmul2l //.
  apply/RleP/ln_mono; [apply/RltP | apply/RleP].
    by rewrite ltr_spaddl ?ltr01 // divr_ge0 ?(ltW dl) //; apply: mass_ge0.
  have -> : T%:R * alpha / (d%:R * kappa * sqrt lam) = T%:R * c / (d%:R * lam).
    have e : lam = sqrt lam * sqrt lam by rewrite root2.
    rewrite /c; move: e root0 dR kappa_gt0; generalize (sqrt lam) => r ->.
    by clear; to_R; field; lra.
  rewrite ler_add2l ler_wpmul2r ?invr_ge0 ?(ltW dl) // /mass.
  apply: le_trans (_ : _ <= \sum_(s < T) c) _; last by rewrite sumr_const card_ord mulr_natl lexx.
  apply: ler_sum => s _; rewrite -[leRHS]mulr1; apply: ler_pmul => //; [exact: dot_ge0 | | exact: (arm_le1 run)].
  by rewrite /kl; case: (low s) => //; apply: ltW.
have cl : 0 <= c / lam by rewrite divr_ge0 ?(ltW c0) ?(ltW lam_gt0).
have cc : 0 <= 1 + c / lam / 2 by move: cl; clear; mlra.
have all := le_trans one (le_trans pc (ler_wpmul2l cc lg)).
rewrite -(ler_pmul2l c0); apply: le_trans all _; rewrite /low_weight [leRHS]mulrA.
rewrite le_eqVlt; apply/orP; left; apply/eqP; congr (_ * _).
have e : lam = sqrt lam * sqrt lam by rewrite root2.
rewrite /c; move: e root0 alpha_gt0 kappa_gt0; generalize (sqrt lam) => r ->.
by clear; to_R; field; lra.
Qed.
End EllipticalSums.
