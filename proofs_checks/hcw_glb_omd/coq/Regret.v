(* theorem:regret, repaired and explicit, on the event that theta* lies in every C_t (lemma:decomposition with the
   factor 4, S_0-S_3, the quadratic solved), for every dimension, every sequence of arm sets and every T >= 1:
     Reg(T) <= gamma_1 sqrt V + gamma_1 sqrt (g_max Rs D) + g_max Rs gamma_1^2 + D.
   The learner is optimistic over C_t, a subset of Theta; round T - 1 is the last, r and q are the radii of its
   C_t and of the next. *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar SelfConcordance QuadraticForm EllipticalPotential MirrorDescent Sums.
From HCW Require Import RegretNumbers Constants Algorithm GoodEvent EllipticalSums.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* (x_t, theta~_t) maximises <x, theta> over the arms and C_t. *)
Definition optimistic d (p : trajectory d) (arms : nat -> 'cV[R]_d -> Prop) (conf : nat -> 'cV[R]_d -> Prop) :=
  forall s, exists tilde, conf s tilde /\ forall x theta, arms s x -> conf s theta -> dot x theta <= dot (arm p s) tilde.

Section Regret.
Variables (d : nat) (m mu dmu ddmu : R -> R) (Rs L S alpha eta lam delta C kappa g_max : R).
Variables (p : trajectory d) (star : 'cV[R]_d) (arms : nat -> 'cV[R]_d -> Prop) (best : nat -> 'cV[R]_d).
Let conf := confidence_set alpha eta lam L S delta C p.
Let rad := radius alpha eta lam L S delta C p.
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis sm : smooth m mu dmu ddmu.
Hypothesis sc : concordant dmu ddmu Rs (- S) S.
Hypothesis sl : slope_bounded dmu L (- S) S.
Hypothesis slope_ge : forall z, - S <= z <= S -> kappa^-1 <= dmu z.
Hypothesis Rs_ge0 : 0 <= Rs.
Hypothesis S_gt0 : 0 < S.
Hypothesis alpha_gt0 : 0 < alpha.
Hypothesis lam_gt0 : 0 < lam.
Hypothesis eta_ge0 : 0 <= eta.
Hypothesis kappa_gt0 : 0 < kappa.
Hypothesis run : hcw_run mu dmu alpha eta lam S p.
Hypothesis disp_le : forall s, disp p s <= g_max.
Hypothesis best_arm : forall s, arms s (best s).
Hypothesis best_unit : forall s, dot (best s) (best s) <= 1.
Hypothesis best_max : forall s, dot (arm p s) star <= dot (best s) star.
Hypothesis chosen : optimistic p arms conf.
Hypothesis covered : forall s, conf s star.

Let dmu_ge0 z : 0 <= dmu z. Proof. by apply/RleP; apply: (SelfConcordance.dmu_ge0 _ _ _ _ sm). Qed.
Let S0 := ltW S_gt0.
Let ball_star : ball S star. Proof. by case: (covered 0). Qed.

Definition regret_of s := mu (dot (best s) star) - mu (dot (arm p s) star).
Definition regret T := \sum_(s < T) regret_of s.
Definition optimal_variance T := \sum_(s < T) disp p s * dmu (dot (best s) star).
Let here s := dmu (dot (arm p s) star).

Lemma rad_mono s : rad s <= rad s.+1.
Proof.
rewrite /rad /radius ler_add2r; apply/RleP/sqrt_le_1_alt/RleP; rewrite ler_add2r ler_add2l.
rewrite ler_wpmul2r ?invr_ge0 ?ler0n // ler_wpmul2l ?mulr_ge0 ?ler0n ?sqr_ge0 // /logdet_bound.
have L0 : 0 <= L.
  by apply: le_trans (dmu_ge0 0) _; apply/RleP; apply: sl; move: S_gt0; to_R; lra.
have i0 t : 0 <= \sum_(s < t) (disp p s)^-1 by apply: sumr_ge0 => j _; rewrite invr_ge0 ltW // (disp_gt0 run).
have c0 : 0 <= L / (d%:R * lam) by rewrite divr_ge0 ?mulr_ge0 ?ler0n ?(ltW lam_gt0).
rewrite ler_wpmul2l ?ler0n //; apply/RleP/ln_mono; [apply/RltP | apply/RleP].
  by rewrite ltr_spaddl ?ltr01 // mulr_ge0.
by rewrite ler_add2l ler_wpmul2l // (sum_last (fun s => (disp p s)^-1)) ler_addl invr_ge0 ltW // (disp_gt0 run).
Qed.

Lemma rad_le s t : (s <= t)%N -> rad s <= rad t.
Proof.
elim: t => [|t IH]; first by rewrite leqn0 => /eqP ->.
rewrite leq_eqVlt => /orP[/eqP -> //|]; rewrite ltnS => /IH/le_trans; apply; exact: rad_mono.
Qed.

Lemma rad_ge0 s : 0 <= rad s.
Proof. by apply: le_trans (covered s).2; apply/RleP; apply: sqrt_pos. Qed.

(* |<x_s, theta - theta'>| <= n_s |theta - theta'| in H_s *)
Lemma dual_bound s v (z : R) : 0 <= z -> qf (hess p s) v <= z ^+ 2 -> `|value p s v| <= norm p s * z.
Proof.
move=> z0 h; have n0 := norm_ge0 p s; rewrite -ler_sqr ?nnegrE ?mulr_ge0 // real_normK ?num_real // exprMn.
apply: le_trans (value_sq_le run alpha_gt0 lam_gt0 dmu_ge0 s v) _.
by rewrite ler_wpmul2l ?sqr_ge0.
Qed.

Lemma conf_sq s theta : conf s theta -> qf (hess p s) (est p s - theta) <= rad s ^+ 2.
Proof.
move=> [_ h]; have q0 := (pd_psd (hess_pd run alpha_gt0 lam_gt0 dmu_ge0 s)).2 (est p s - theta).
have e : sqrt (qf (hess p s) (est p s - theta)) ^+ 2 = qf (hess p s) (est p s - theta).
  by rewrite expr2; apply: sqrt_sqrt; apply/RleP.
by rewrite -e ler_sqr ?nnegrE ?rad_ge0 //; apply/RleP; apply: sqrt_pos.
Qed.

(* 0 <= z* - z <= 2 r n: optimism *)
Lemma gap_le s : dot (best s) star - dot (arm p s) star <= 2 * rad s * norm p s.
Proof.
have [tilde [ct opt]] := chosen s; have h := opt _ _ (best_arm s) (covered s).
have b1 := dual_bound (rad_ge0 s) (conf_sq ct); have b2 := dual_bound (rad_ge0 s) (conf_sq (covered s)).
move: b1 b2; rewrite !ler_norml /value !dotBr => /andP[b1 _] /andP[_ b2].
by move: h b1 b2; clear; mlra.
Qed.

Lemma value_range s v : ball S v -> Rle (- S) (value p s v) /\ Rle (value p s v) S.
Proof. by move=> bv; have /andP[h1 h2] := value_bound run s S0 bv; split; apply/RleP. Qed.
Lemma best_range s : Rle (- S) (dot (best s) star) /\ Rle (dot (best s) star) S.
Proof.
have := dot_ball S0 (best_unit s) ball_star.
by rewrite ler_norml => /andP[h1 h2]; split; apply/RleP.
Qed.

Lemma L_ge0 : 0 <= L.
Proof. by apply: le_trans (dmu_ge0 (dot (best 0) star)) _; apply/RleP; apply: sl; apply: best_range. Qed.

(* Taylor at z up to z* *)
Lemma regret_taylor s (D := dot (best s) star - dot (arm p s) star) :
  regret_of s <= here s * D + Rs * L * D ^+ 2 / 2.
Proof.
have := mu_remainder _ _ _ _ _ _ _ sm sc (le_R Rs_ge0) L _ _ sl (value_range s ball_star) (best_range s).
move=> /(Rle_trans _ _ _ (Rle_abs _)); rewrite /D /regret_of /here /value; clear; to_R; lra.
Qed.

(* slope_at_next_iterate_repaired *)
Lemma slope_next s : here s <= next_slope dmu p s + Rs * L * rad s.+1 * norm p s.
Proof.
have y := value_range s (est_ball run s.+1); have z := value_range s ball_star.
have h1 := slope_change _ _ _ _ _ _ _ sm sc _ _ y z.
have h2 := mu_lipschitz _ _ _ _ _ _ sm L sl _ _ y z.
have h3 : `|value p s (est p s.+1 - star)| <= norm p s * rad s.+1.
  apply: dual_bound (rad_ge0 _) _; apply: le_trans (hess_mono run alpha_gt0 dmu_ge0 s _) _.
  exact: (conf_sq (covered s.+1)).
have h4 : Rle (Rabs (Rminus (value p s star) (value p s (est p s.+1)))) (norm p s * rad s.+1).
  by rewrite Rabs_minus_sym; apply/RleP; move: h3; rewrite /value dotBr.
have L0 := L_ge0; apply: le_trans (_ : _ <= next_slope dmu p s + Rs * (L * (norm p s * rad s.+1))) _; last first.
  by rewrite -!mulrA [norm p s * _]mulrC.
apply: le_trans (introT (RleP _ _) h1) _; rewrite ler_add2l; apply: ler_wpmul2l => //.
apply/RleP; apply: Rle_trans h2 _; apply: Rmult_le_compat_l => //; exact/RleP.
Qed.

Let K0 : 0 <= Rs * L. Proof. by rewrite mulr_ge0 // L_ge0. Qed.

Lemma first_order s : exists sgm, [/\ 0 <= sgm, here s <= sgm + Rs * L * rad s.+1 * norm p s &
  sgm * norm p s <= sqrt (disp p s * here s) * sqrt (load dmu alpha p s) + load dmu alpha p s / alpha].
Proof.
have b0 : 0 <= next_slope dmu p s by apply: dmu_ge0.
have a0 : 0 <= here s by apply: dmu_ge0.
have n0 := norm_ge0 p s; have u0 := load_ge0 alpha_gt0 lam_gt0 dmu_ge0 run s.
have e0 : 0 <= Rs * L * rad s.+1 * norm p s by rewrite !mulr_ge0 ?L_ge0 // rad_ge0.
have sq0 (x : R) : 0 <= sqrt x by apply/RleP; apply: sqrt_pos.
case lo: (low alpha p s).
  exists (next_slope dmu p s); split=> //; first exact: slope_next.
  have n1 : 0 < norm p s.
    by move: lo; rewrite /low -ltNge => h; apply: lt_trans h; rewrite mulr_gt0 // (disp_gt0 run).
  have -> : next_slope dmu p s * norm p s = load dmu alpha p s / alpha.
    rewrite /load (rate_low alpha_gt0 run lo); move: n1 alpha_gt0; generalize (next_slope dmu p s) (norm p s).
    by clear; intros; to_R; field; lra.
  by rewrite ler_addr mulr_ge0.
exists (sqrt (here s * next_slope dmu p s)); split=> //.
  exact/RleP/(slope_geometric (le_R a0) (le_R b0) (le_R e0) (le_R (slope_next s))).
have e : sqrt (here s * next_slope dmu p s) * norm p s = sqrt (disp p s * here s) * sqrt (load dmu alpha p s).
  rewrite /load (rate_high alpha_gt0 run (negbT lo)) inv_R -RpowE.
  exact: (split_root (lt_R (disp_gt0 run s)) (le_R a0) (le_R b0) (le_R n0)).
by rewrite e ler_addl divr_ge0 // ltW.
Qed.

Lemma norm_split s : norm p s ^+ 2 <= kappa * g_max * load dmu alpha p s + (if low alpha p s then norm p s ^+ 2 else 0).
Proof.
have u0 := load_ge0 alpha_gt0 lam_gt0 dmu_ge0 run s; have g0 := disp_gt0 run s.
have gm : 0 <= g_max by apply: le_trans (disp_le s); apply: ltW.
case lo: (low alpha p s); first by rewrite ler_addr; apply: mulr_ge0 => //; apply: mulr_ge0 => //; exact: ltW.
rewrite addr0 /load (rate_high alpha_gt0 run (negbT lo)).
have /andP[b1 _] := next_slope_between S_gt0 sl slope_ge run s.
have k1 : 1 <= kappa * next_slope dmu p s by rewrite -ler_pdivr_mull // mulr1.
have g1 : 1 <= g_max / disp p s by rewrite ler_pdivl_mulr // mul1r.
have -> : kappa * g_max * ((disp p s)^-1 * next_slope dmu p s * norm p s ^+ 2) =
    (kappa * next_slope dmu p s) * (g_max / disp p s) * norm p s ^+ 2.
  by generalize (next_slope dmu p s) (norm p s) ((disp p s)^-1); clear; intros; to_R; ring.
rewrite -[leLHS]mul1r ler_wpmul2r ?sqr_ge0 // -[1]mulr1.
by apply: ler_pmul; rewrite ?ler01.
Qed.

Lemma regret_ge0 s : 0 <= regret_of s.
Proof.
rewrite /regret_of subr_ge0; apply/RleP; apply: (mu_mono m mu dmu ddmu sm); exact/RleP/best_max.
Qed.

(* the slope at the optimal arm *)
Lemma variance_here T : \sum_(s < T) disp p s * here s <= optimal_variance T + g_max * Rs * regret T.
Proof.
rewrite /optimal_variance /regret mulr_sumr -big_split /=; apply: ler_sum => s _.
have h := slope_change _ _ _ _ _ _ _ sm sc _ _ (best_range s) (value_range s ball_star).
have g0 := disp_gt0 run s; have r0 := regret_ge0 s.
have h1 : here s <= dmu (dot (best s) star) + Rs * regret_of s.
  apply: le_trans (introT (RleP _ _) h) _; rewrite ler_add2l Rabs_minus_sym Rabs_pos_eq //; exact/RleP.
apply: le_trans (ler_wpmul2l (ltW g0) h1) _; rewrite mulrDr ler_add2l -mulrA.
by rewrite ler_wpmul2r // mulr_ge0.
Qed.

Theorem regret_on_good_event T (P := potential d alpha lam L (\sum_(s < T.+1) (disp p s)^-1))
    (F := low_weight d T.+1 alpha lam kappa) :
  regret T.+1 <= regret_bound Rs L kappa g_max alpha (optimal_variance T.+1) (rad T) (rad T.+1) P F.
Proof.
have r0 := rad_ge0 T; have q0 := rad_ge0 T.+1; have rq := rad_mono T.
have u0 s := load_ge0 alpha_gt0 lam_gt0 dmu_ge0 run s.
have hP : \sum_(s < T.+1) load dmu alpha p s <= P.
  exact: (potential_run d_gt0 S_gt0 alpha_gt0 lam_gt0 dmu_ge0 sl kappa_gt0 slope_ge run).
have hF := low_weight_sum d_gt0 S_gt0 alpha_gt0 lam_gt0 dmu_ge0 sl kappa_gt0 slope_ge run T.+1.
have gm : 0 <= g_max by apply: le_trans (disp_le 0); apply/ltW/(disp_gt0 run).
have two0 : 0 <= 2 * rad T by rewrite mulr_ge0 ?ler0n.
have per s : (s < T.+1)%N -> regret_of s <=
    2 * rad T * (sqrt (disp p s * here s) * sqrt (load dmu alpha p s)) + 2 * rad T / alpha * load dmu alpha p s
    + 4 * (Rs * L) * rad T.+1 ^+ 2 * norm p s ^+ 2.
  move=> sT; have [sgm [s0 hs su]] := first_order s.
  have n0 := norm_ge0 p s; have a0 : 0 <= here s by apply: dmu_ge0.
  have D0 : 0 <= dot (best s) star - dot (arm p s) star by rewrite subr_ge0.
  have D1 : dot (best s) star - dot (arm p s) star <= 2 * rad T * norm p s.
    by apply: le_trans (gap_le s) _; rewrite ler_wpmul2r // ler_wpmul2l ?ler0n // rad_le.
  have hs' : here s <= sgm + Rs * L * rad T.+1 * norm p s.
    by apply: le_trans hs _; rewrite ler_add2l ler_wpmul2r // ler_wpmul2l // rad_le.
  have tay : regret_of s <= here s * (dot (best s) star - dot (arm p s) star)
    + Rs * L * (dot (best s) star - dot (arm p s) star) ^+ 2 / 2 := regret_taylor s.
  have key : regret_of s <= 2 * rad T * (sgm * norm p s) + 4 * (Rs * L) * rad T.+1 ^+ 2 * norm p s ^+ 2.
    have rr : Rle (regret_of s) (Rplus (Rmult (IZR 2 * rad T) (sgm * norm p s)) (Rmult (Rmult (Rmult (IZR 4) (Rs * L)) (pow (rad T.+1) 2)) (pow (norm p s) 2))).
      apply: (@regret_round (here s) (norm p s) (rad T) (rad T.+1) (Rs * L) (dot (best s) star - dot (arm p s) star)); try exact/RleP.
      - by move: tay; clear; to_R; lra.
    by move: rr; clear; to_R; lra.
  apply: le_trans key _; rewrite ler_add2r.
  have := ler_wpmul2l two0 su.
  generalize (sqrt (disp p s * here s) * sqrt (load dmu alpha p s)) (load dmu alpha p s) (rad T) (sgm * norm p s).
  by clear; intros; to_R; lra.
set V := optimal_variance T.+1; set X := regret T.+1.
have X0 : 0 <= X by apply: sumr_ge0 => s _; apply: regret_ge0.
have V0 : 0 <= V by apply: sumr_ge0 => s _; rewrite mulr_ge0 ?dmu_ge0 // ltW // (disp_gt0 run).
have P0 : 0 <= P by apply: le_trans hP; apply: sumr_ge0.
have F0 : 0 <= F by apply: le_trans hF; apply: sumr_ge0 => s _; case: (low _ _ _) => //; apply: sqr_ge0.
have S0_ : \sum_(s < T.+1) sqrt (disp p s * here s) * sqrt (load dmu alpha p s) <= sqrt (V + g_max * Rs * X) * sqrt P.
  apply: le_trans (cauchy_schwarz_sum T.+1 (fun s => disp p s * here s) (load dmu alpha p) _ _) _.
  - by move=> s; rewrite mulr_ge0 ?dmu_ge0 // ltW // (disp_gt0 run).
  - by [].
  apply: ler_pmul; try (by apply/RleP; apply: sqrt_pos); apply/RleP/sqrt_le_1_alt/RleP => //.
  exact: variance_here.
have S2_ : \sum_(s < T.+1) norm p s ^+ 2 <= kappa * g_max * P + F.
  apply: le_trans (ler_sum _ (fun (s : 'I_T.+1) _ => norm_split s)) _.
  by rewrite big_split /= -mulr_sumr ler_add // ler_wpmul2l // mulr_ge0 // ltW.
have main : X <= gamma_1 (rad T) P * sqrt (V + g_max * Rs * X) + gamma_rest Rs L kappa g_max alpha (rad T) (rad T.+1) P F.
  apply: le_trans (ler_sum _ (fun (s : 'I_T.+1) _ => per s (ltn_ord s))) _.
  rewrite !big_split /= -!mulr_sumr /gamma_1 /gamma_rest.
  have a2 : 0 <= 2 * rad T / alpha by rewrite divr_ge0 ?mulr_ge0 ?ler0n // ltW.
  have c2 : 0 <= 4 * (Rs * L) * rad T.+1 ^+ 2 by rewrite !mulr_ge0 ?ler0n ?sqr_ge0 ?L_ge0.
  have t1 := ler_wpmul2l two0 S0_.
  have t2 := ler_wpmul2l a2 hP; have t3 := ler_wpmul2l c2 S2_.
  apply: le_trans (ler_add (ler_add t1 t2) t3) _.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; clear; to_R; ring.
have G0 : 0 <= gamma_1 (rad T) P by rewrite /gamma_1 !mulr_ge0 ?ler0n //; apply/RleP; apply: sqrt_pos.
have D0 : 0 <= gamma_rest Rs L kappa g_max alpha (rad T) (rad T.+1) P F.
  have kP : 0 <= kappa * g_max * P + F by rewrite addr_ge0 // mulr_ge0 // mulr_ge0 // (ltW kappa_gt0).
  rewrite /gamma_rest; apply: addr_ge0; first by rewrite divr_ge0 ?(ltW alpha_gt0) // mulr_ge0.
  by apply: mulr_ge0 => //; rewrite !mulr_ge0 ?ler0n ?L_ge0 ?sqr_ge0.
have B0 : 0 <= g_max * Rs by rewrite mulr_ge0.
have := solve_regret X (gamma_1 (rad T) P) V (g_max * Rs) _ (le_R G0) (le_R V0) (le_R B0) (le_R D0) (le_R X0) (le_R main).
by rewrite /regret_bound; clear; to_R; lra.
Qed.
End Regret.
