(* theorem:confidence-sequence, repaired, with everything that the proof leaves free: with probability at least
   1 - delta, |theta_t - theta*| <= beta_t + 2 eta alpha C in the norm of H_t for all t at once, for every dimension,
   every adaptive choice of arms and dispersions and every adversary within C.  Free are the share eps of the moves
   that pays for the cubic remainder, the pair (reach, c) of the mixture, and lambda from a floor on.
   Self-concordance is asked on the whole line (the repair), the slope bound on [-S, S].  The learner's bets are mixed
   by the standard normal law (GaussianMoments.v). *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import Rstruct reals ereal normedtype sequences measure topology lebesgue_measure numfun.
From mathcomp.analysis Require Import lebesgue_integral.
From Glbcheck Require Import Bridge Scalar SelfConcordance QuadraticForm EllipticalPotential MirrorDescent.
From Glbcheck Require Import NormalNumbers Ville ConditionalLaw NormalLaw MixtureBetting.
From Glbcheck Require Import GaussianMoments MixturePairs.
From HCW Require Import MixtureNumbers Constants Algorithm InverseRegret GoodEvent.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Delimit Scope R_scope with coqR.
Set Implicit Arguments.
Unset Strict Implicit.

(* What is decided before the reward of round n, as measurable functions of the past. *)
Record predictable d (alpha : R) (star : 'cV[R]_d) dO (Omega : measurableType dO)
    (E : @experiment RR _ _ Omega RR) (p : Omega -> trajectory d) := Predictable {
  at_star : forall n, past E n -> RR;
  at_est : forall n, past E n -> RR;
  past_norm : forall n, past E n -> RR;
  past_weight : forall n, past E n -> RR;
  past_inverse : forall n, past E n -> RR;
  at_star_measurable : forall n, measurable_fun setT (@at_star n);
  at_est_measurable : forall n, measurable_fun setT (@at_est n);
  past_norm_measurable : forall n, measurable_fun setT (@past_norm n);
  past_weight_measurable : forall n, measurable_fun setT (@past_weight n);
  past_inverse_measurable : forall n, measurable_fun setT (@past_inverse n);
  past_weight01 : forall n (h : past E n), 0 <= past_weight h <= 1;
  at_starE : forall n w, at_star (hist E n w) = value (p w) n star;
  at_estE : forall n w, at_est (hist E n w) = value (p w) n (est (p w) n);
  past_normE : forall n w, past_norm (hist E n w) = norm (p w) n;
  past_weightE : forall n w, past_weight (hist E n w) = weight alpha (p w) n;
  past_inverseE : forall n w, past_inverse (hist E n w) = (disp (p w) n)^-1 }.

(* The likelihood of y at the natural parameter z, relative to z0, for inverse dispersion i. *)
Definition likelihood_ratio (m : R -> R) (z0 i y z : R) := exp ((y * (z - z0) - (m z - m z0)) * i).

(* The rewards follow the GLM: given the past, the likelihood ratio of any z has mean 1 (at most 1 is used). *)
Definition glm_rewards (m : R -> R) d (alpha : R) (star : 'cV[R]_d) dO (Omega : measurableType dO)
    (E : @experiment RR _ _ Omega RR) p (q : @predictable d alpha star dO Omega E p) :=
  forall n (h : past E n) (z : R),
    (\int[kernel h]_y (likelihood_ratio m (at_star q h) (past_inverse q h) y z)%:E <= 1)%E.

Section ConfidenceSequence.
Variables (d : nat) (m mu dmu ddmu : R -> R) (Rs L S alpha delta C lam eps reach c : R).
Variables (star : 'cV[R]_d) (dO : measure_display) (Omega : measurableType dO) (E : @experiment RR _ _ Omega RR).
Variables (p : Omega -> trajectory d) (corruption : nat -> Omega -> R).
Let N := gaussian.
Let eta := step_size Rs S.
Let gam := eta / (1 - eps).
Hypothesis sm : smooth m mu dmu ddmu.
Hypothesis sc : forall lo hi, concordant dmu ddmu Rs lo hi.
Hypothesis sl : slope_bounded dmu L (- S) S.
Hypothesis Rs_ge0 : 0 <= Rs.
Hypothesis S_gt0 : 0 < S.
Hypothesis alpha_gt0 : 0 < alpha.
Hypothesis delta01 : 0 < delta <= 1.
Hypothesis lam0 : 0 < lam.
Hypothesis eps01 : 0 <= eps < 1.
Hypothesis reach_ge0 : 0 <= reach.
Hypothesis pair : mixture_pair reach c.
Hypothesis lam_reach : eta * Rs ^+ 2 <= (1 - eps) * reach ^+ 2 * lam.
Hypothesis star_ball : ball S star.
Hypothesis runs : forall w, hcw_run mu dmu alpha eta lam S (p w).
Hypothesis pay : forall w, moves_pay Rs L S alpha lam (p w) eps.
Hypothesis observedE : forall w s, observed (p w) s = out E s w + corruption s w.
Hypothesis budget : forall w t, \sum_(s < t) `|corruption s w| <= C.
Variable q : @predictable d alpha star dO Omega E p.
Hypothesis glm : glm_rewards m q.

Let dmu_ge0 z : 0 <= dmu z. Proof. by apply/RleP; apply: (SelfConcordance.dmu_ge0 _ _ _ _ sm). Qed.
Let eta1 : 1 <= eta. Proof. by rewrite /eta /step_size ler_addl mulr_ge0 // ltW. Qed.
Let rest_gt0 : 0 < 1 - eps. Proof. by rewrite subr_gt0; case/andP: eps01. Qed.
Let gam1 : 1 <= gam.
Proof.
rewrite ler_pdivl_mulr // mul1r; apply: le_trans eta1.
by rewrite ler_subl_addr ler_addl; case/andP: eps01.
Qed.
Let c1 : 1 <= c. Proof. exact: pair_ge1 reach_ge0 pair. Qed.

(* --- the bets -------------------------------------------------------------------------------------- *)

Definition bet n (t : (past E n * RR) * RR) : RR :=
  likelihood_ratio m (at_star q t.1.1) (past_inverse q t.1.1) t.1.2
    (at_est q t.1.1 + mixing_scale gam (past_norm q t.1.1) * t.2).

Lemma m_measurable : measurable_fun setT (m : RR -> RR).
Proof.
apply: continuity_measurable => x; apply: derivable_continuous_pt; exists (mu x).
by apply/Coquelicot.Derive.is_derive_Reals; apply: (d_m _ _ _ _ sm).
Qed.

Lemma bet_measurable n : measurable_fun setT (@bet n).
Proof.
have m1 := @measurable_fst _ _ (Datatypes_prod__canonical__measure_Measurable (past E n) RR) RR.
have m2 := @measurable_snd _ _ (Datatypes_prod__canonical__measure_Measurable (past E n) RR) RR.
have mh := measurable_fun_comp (@measurable_fst _ _ (past E n) RR) m1.
have my := measurable_fun_comp (@measurable_snd _ _ (past E n) RR) m1.
have mstar := measurable_fun_comp (at_star_measurable q (n:=n)) mh.
have mest := measurable_fun_comp (at_est_measurable q (n:=n)) mh.
have mnorm := measurable_fun_comp (past_norm_measurable q (n:=n)) mh.
have minv := measurable_fun_comp (past_inverse_measurable q (n:=n)) mh.
have mscale : measurable_fun setT (fun t : (past E n * RR) * RR => (mixing_scale gam (past_norm q t.1.1) : RR)).
  by rewrite /mixing_scale; apply: (@measurable_funM _ _ _ _ (cst _)) => //; apply: measurable_fun_cst.
have mz : measurable_fun setT (fun t : (past E n * RR) * RR =>
    (at_est q t.1.1 + mixing_scale gam (past_norm q t.1.1) * t.2 : RR)) by measurability.
have mmz := measurable_fun_comp m_measurable mz.
have mms := measurable_fun_comp m_measurable mstar.
have m_exp : measurable_fun setT (exp : RR -> RR).
  by apply: continuity_measurable => x; apply: derivable_continuous_pt; apply: derivable_pt_exp.
by apply: (measurable_fun_comp m_exp); measurability.
Qed.

Lemma bet_ge0 n t : 0 <= @bet n t. Proof. exact: exp_pos_R. Qed.

Let factor n := mixture_factor (normal N) (@bet n) (@past_weight _ _ _ _ _ _ _ q n).
Let wealth_ := wealth (E := E) factor.

(* --- one round from below: lemma:mixture-ineq -------------------------------------------------------- *)

Let reward w s := out E s w.
Let gain w s := true_loss m alpha (p w) (reward w) s star - true_loss m alpha (p w) (reward w) s (est (p w) s.+1).
Let growth_ w s := ln (1 + term (fun s => curvature dmu alpha (p w) s (est (p w) s.+1)) (arm (p w)) (hess (p w)) s).
Definition round_gain w s := gain w s - ((2 * gam)^-1 * move_sq (p w) s + c * gam / 2 * growth_ w s).

Let mixed_ n w := mixed (normal N) (@bet n) (hist E n w, out E n w).
Let b_ w n := value (p w) n (est (p w) n.+1).

Lemma mixed_loss n w : mixed_ n w = (\int[normal N]_u (exp (- excess_loss m (value (p w) n star) (out E n w)
    (disp (p w) n) (value (p w) n (est (p w) n) + mixing_scale gam (norm (p w) n) * u)))%:E)%E.
Proof.
apply: eq_integral => u _; rewrite /bet /likelihood_ratio /= at_starE at_estE past_normE past_inverseE inv_R.
by congr (EFin (exp _)); apply: likelihood_exp.
Qed.

Lemma gainE w n : gain w n = - (weight alpha (p w) n * excess_loss m (value (p w) n star) (out E n w) (disp (p w) n) (b_ w n)).
Proof.
rewrite /gain /true_loss /rate /excess_loss /reward -/(b_ w n) inv_R.
generalize (value (p w) n star) (b_ w n) (weight alpha (p w) n) (disp (p w) n) (out E n w : R).
by clear; intros; rewrite /Rdiv; to_R; ring.
Qed.

Let term_ w n := term (fun s => curvature dmu alpha (p w) s (est (p w) s.+1)) (arm (p w)) (hess (p w)) n.

Lemma termE w n : term_ w n = curvature dmu alpha (p w) n (est (p w) n.+1) * norm (p w) n ^+ 2.
Proof. by rewrite /term_ /term /width -(norm_sq (runs w) alpha_gt0 lam0 dmu_ge0). Qed.

(* An arm of norm 0: nothing is observed, nothing is lost. *)
Lemma zero_norm w n v : norm (p w) n = 0 -> value (p w) n v = 0.
Proof.
move=> n0; have := value_sq_le (runs w) alpha_gt0 lam0 dmu_ge0 n v.
by rewrite n0 expr0n mul0r => h; apply/eqP; rewrite -sqrf_eq0 eq_le h sqr_ge0.
Qed.

Let move_ge0 w n : 0 <= move_sq (p w) n.
Proof. exact: (pd_psd (hess_pd (runs w) alpha_gt0 lam0 dmu_ge0 n)).2. Qed.
Let grow_ge0 w n : 0 <= growth_ w n.
Proof.
apply: (ln_term_ge0 lam0 (fun s => curvature_ge0 (runs w) alpha_gt0 dmu_ge0 s _) (hess_start (runs w)) (hess_step (runs w))).
Qed.

Lemma round_gain_le w n : round_gain w n <= gain w n.
Proof.
have g0 := le_trans ler01 gam1; have c0 := le_trans ler01 c1.
rewrite /round_gain ler_subl_addr ler_addl addr_ge0 //; first by rewrite mulr_ge0 // invr_ge0 mulr_ge0 ?ler0n.
by apply: mulr_ge0 => //; rewrite divr_ge0 ?ler0n // mulr_ge0.
Qed.

(* The mixture from below, on an arm of positive norm. *)
Lemma mixed_ge w n : 0 < norm (p w) n -> exists l : R,
  ((exp (- l))%:E <= mixed_ n w)%E /\ round_gain w n <= - (weight alpha (p w) n * l).
Proof.
move=> n0; have g0 := disp_gt0 (runs w) n; have w0 := weight_gt0 (runs w) alpha_gt0 n.
have w1 := weight_le1 (runs w) alpha_gt0 n.
pose z0 := value (p w) n star; pose y : R := out E n w; pose a := value (p w) n (est (p w) n).
pose b := b_ w n; pose g := disp (p w) n; pose nn := norm (p w) n; pose wt := weight alpha (p w) n.
pose k := curvature dmu alpha (p w) n (est (p w) n.+1).
have k0 : Rle 0 k by apply/RleP; apply: (curvature_ge0 (runs w)).
have kE : k = Rmult (Rdiv wt g) (dmu b) by rewrite /k /curvature /rate inv_R.
have lr : Rle (Rmult gam (pow Rs 2)) (Rmult (pow reach 2) lam).
  have : gam * Rs ^+ 2 <= reach ^+ 2 * lam.
    by rewrite /gam mulrAC ler_pdivr_mulr // [leRHS]mulrC [leRHS]mulrA; exact: lam_reach.
  by clear; to_R; lra.
have n2 : Rle (pow nn 2) (Rinv lam).
  by have := norm_sq_le (runs w) alpha_gt0 lam0 dmu_ge0 n; rewrite -/nn; clear; to_R; lra.
have w01 : Rlt 0 wt /\ Rle wt 1 by split; [apply: lt_R | apply: le_R].
have mv : Rle (pow (Rminus b a) 2) (Rmult (pow nn 2) (move_sq (p w) n)).
  have := value_sq_le (runs w) alpha_gt0 lam0 dmu_ge0 n (est (p w) n.+1 - est (p w) n).
  have -> : value (p w) n (est (p w) n.+1 - est (p w) n) = b - a by rewrite /value dotBr.
  by rewrite -/nn /move_sq; clear; to_R; lra.
have sb0 : Rle 0 (dmu b) by apply: le_R; apply: dmu_ge0.
pose s' := narrow_scale gam nn k.
have s'0 := cost_s'_gt0 wt gam nn k g (dmu b) w01 (le_R gam1) (lt_R n0) (lt_R g0) kE sb0.
have s's := cost_s's wt gam nn k g (dmu b) w01 (le_R gam1) (lt_R n0) (lt_R g0) kE sb0.
pose l := excess_loss m z0 y g.
have cost := mixture_cost wt gam c nn k a b g (dmu b) (move_sq (p w) n) (l b) w01 (le_R gam1) (le_R c1) (lt_R n0)
  (lt_R g0) kE sb0 mv.
pose D := Rmult (Rdiv (dmu b) g) (pow s' 2).
have D0 : Rle 0 D.
  by apply: Rmult_le_pos (pow2_ge_0 _); apply: Rmult_le_pos => //; left; apply: Rinv_0_lt_compat; apply: lt_R.
have ml : measurable_fun setT (l : RR -> RR).
  have mm := m_measurable.
  have -> : l = (fun z : RR => (m z - m z0 - y * (z - z0)) * (/ g)%coqR : RR) by [].
  by measurability.
have bnd := excess_loss_bound m mu dmu ddmu Rs sm sc (le_R Rs_ge0) b y g z0 s'.
pose a_ := Rmult Rs s'.
have a0 : 0 <= a_ by apply/RleP/Rmult_le_pos; [exact: le_R | left].
have near : 0 <= a_ <= reach.
  rewrite a0; apply/RleP.
  exact (within_reach Rs gam lam nn k reach (le_R Rs_ge0) (le_R gam1) (lt_R n0) k0 (lt_R lam0) (le_R reach_ge0) lr n2).
have mE : measurable_fun setT (relative_excess a_ : RR -> RR).
  by apply: continuity_measurable; apply: relative_excess_continuous.
have E0 u : 0 <= relative_excess a_ u by apply/RleP; apply: relative_excess_ge0.
have c2 : 0 <= c / 2 by rewrite divr_ge0 ?ler0n // (le_trans ler01).
have gib := @normal_gibbs N l (relative_excess a_) a b (mixing_scale gam nn) s' (l b)
  (Rmult (Rdiv (Rminus (mu b) y) g) s') D (c / 2) ml.
exists (Rplus (Rplus (l b) (Rmult D (c / 2))) (kl a b (mixing_scale gam nn) s')).
split.
  rewrite mixed_loss; apply: gib => //.
  - exact/RltP.
  - exact/RleP.
  - exact/RleP.
  - by move=> u; apply: relative_excess_opp.
  - exact: pair.
  - by move=> u; apply/RleP; apply: bnd => //; apply: lt_R.
have tE : 1 + term_ w n = Rplus (IZR 1) (Rmult k (pow nn 2)) by rewrite termE -RpowE.
have e3 : (2 * gam)^-1 * move_sq (p w) n = Rdiv (move_sq (p w) n) (Rmult (IZR 2) gam).
  by rewrite mulrC inv_R; congr (_ * Rinv _); clear; to_R; lra.
have c2E : c / 2 = Rdiv c (IZR 2) by clear; to_R; lra.
rewrite /round_gain e3 gainE /growth_ -/(term_ w n) tE -/l -/b -/wt c2E.
move: cost; rewrite -/(mixing_scale gam nn) -/(narrow_scale gam nn k) -/s' -/D.
generalize (Rdiv (move_sq (p w) n) (Rmult (IZR 2) gam)) (ln (Rplus (IZR 1) (Rmult k (pow nn 2)))).
generalize (Rplus (Rplus (l b) (Rmult D (Rdiv c (IZR 2)))) (kl a b (mixing_scale gam nn) s')).
by clear; intros; to_R; lra.
Qed.

Lemma factor_ge n w : ((exp (round_gain w n))%:E <= @factor n (hist E n w, out E n w))%E.
Proof.
rewrite /factor /mixture_factor -/(mixed_ n w) /= past_weightE.
have w0 := weight_gt0 (runs w) alpha_gt0 n; have w1 := weight_le1 (runs w) alpha_gt0 n.
have nn0 := norm_ge0 (p w) n.
have [l [ml rl]] : exists l : R, ((exp (- l))%:E <= mixed_ n w)%E /\ round_gain w n <= - (weight alpha (p w) n * l).
  have [n0|n0] := eqVneq (norm (p w) n) 0; last by apply: mixed_ge; rewrite lt_neqAle eq_sym n0.
  exists 0; split; last first.
    rewrite mulr0 oppr0; apply: le_trans (round_gain_le w n) _.
    by rewrite /gain /true_loss !zero_norm // subrr.
  rewrite mixed_loss n0 !zero_norm // /mixing_scale.
  have one u : exp (- excess_loss m 0 (out E n w) (disp (p w) n) (0 + sqrt gam * 0 * u)) = 1.
    have -> : excess_loss m 0 (out E n w) (disp (p w) n) (0 + sqrt gam * 0 * u) = 0.
      by rewrite mulr0 mul0r addr0 /excess_loss /Rdiv; clear; to_R; ring.
    by rewrite oppr0; apply: exp_0.
  under eq_integral do rewrite one.
  rewrite oppr0 (exp_0 : exp 0 = 1).
  by rewrite -[X in (_ <= X)%E]/(\int[normal N]_u cst 1%:E u)%E integral_cst // normal_total mule1.
apply: (@le_trans _ _ ((1 - weight alpha (p w) n)%:E + (weight alpha (p w) n)%:E * (exp (- l))%:E)%E); last first.
  by apply: lee_add2l; apply: lee_wpmul2l; rewrite ?lee_fin // ltW.
rewrite -EFinM -EFinD lee_fin; apply: (@le_trans _ _ (exp (weight alpha (p w) n * - l))).
  by apply/RleP/exp_mono; apply/RleP; rewrite mulrN.
have := exp_convex (weight alpha (p w) n) (Ropp l) (conj (le_R (ltW w0)) (le_R w1)).
by clear; to_R; lra.
Qed.

Lemma wealth_ge n w : ((exp (\sum_(s < n) round_gain w s))%:E <= wealth_ n w)%E.
Proof.
elim: n => [|n IH]; first by rewrite big_ord0 exp_0.
rewrite (sum_last (round_gain w)) /= exp_plus EFinM; apply: lee_pmul => //; rewrite ?lee_fin ?exp_pos_R //.
exact: factor_ge.
Qed.

Lemma good_unless_rich w : (forall n, (wealth_ n w < (delta^-1)%:E)%E) ->
  good_event m Rs S alpha delta lam eps c (p w) (reward w) star.
Proof.
move=> poor eta_ gam_ t; have := le_lt_trans (wealth_ge t w) (poor t); rewrite lte_fin => h.
case/andP: delta01 => d0 _.
have s1 : \sum_(s < t) round_gain w s <= ln (1 / delta).
  rewrite -(ln_exp (\sum_(s < t) round_gain w s)); apply/RleP/ln_mono; first exact: exp_pos.
  by apply/RleP; rewrite div1r ltW.
have e1 : \sum_(s < t) round_gain w s =
  \sum_(s < t) gain w s - ((2 * gam)^-1 * moves (p w) t + c * gam / 2 * \sum_(s < t) growth_ w s).
  by rewrite /round_gain sumrB /moves !mulr_sumr -big_split.
move: s1; rewrite e1.
have -> : \sum_(s < t) growth_ w s = log_det lam (p w) t.
  rewrite /log_det (logdet_sum lam0 (fun s => curvature_ge0 (runs w) alpha_gt0 dmu_ge0 s (est (p w) s.+1)) (hess_start (runs w)) (hess_step (runs w))).
  by [].
rewrite -[gam_]/gam /gain ler_subl_addr addrA; apply: le_trans; rewrite le_eqVlt; apply/orP; left.
by apply/eqP; apply: eq_bigr.
Qed.

Let factor_measurable n : measurable_fun setT (@factor n).
Proof.
exact (mixture_factor_measurable (normal_total N) (@bet_measurable n) (@bet_ge0 n)
  (past_weight_measurable q (n:=n))).
Qed.
Let factor_ge0 n z : (0 <= @factor n z)%E.
Proof. exact (mixture_factor_ge0 (normal N) (@bet_ge0 n) (@past_weight01 _ _ _ _ _ _ _ q n) z). Qed.
Let factor_fair n h : (\int[kernel h]_y @factor n (h, y) <= 1)%E.
Proof.
have fair (h' : past E n) (z : RR) : (\int[kernel h']_y (bet (h', y, z))%:E <= 1)%E.
  exact (glm h' (at_est q h' + mixing_scale gam (past_norm q h') * z)).
exact (@mixture_factor_fair RR _ _ _ (past E n) _ _ (@kernel _ _ _ _ _ E n) (normal N) (@bet n)
  (@past_weight _ _ _ _ _ _ _ q n) (@kernel1 _ _ _ _ _ E n) (normal_total N) (@bet_measurable n) (@bet_ge0 n)
  (@past_weight01 _ _ _ _ _ _ _ q n) fair h).
Qed.

(* theorem:confidence-sequence, repaired, with everything that the proof leaves free. *)
Theorem sharper_confidence_sequence : exists A : set Omega,
  [/\ measurable A, ((1 - delta)%:E <= prob E A)%E &
      forall w, A w -> forall t, sqrt (qf (hess (p w) t) (est (p w) t - star)) <=
        sqrt (beta_base S delta eta lam (start_norm (p w)) + beta_slope eta eps c * logdet lam (hess (p w)) t)
        + widening eta alpha C].
Proof.
case/andP: (delta01) => d0 _.
have [mB pB] := betting factor_measurable factor_ge0 factor_fair d0.
set B := [set w | _] in mB pB; exists (~` B); split; first exact: measurableC.
  have e1 : prob E setT = (prob E B + prob E (~` B))%E.
    by rewrite -measureU ?setUv ?setICr //; apply: measurableC.
  have mE := prob1 E; rewrite e1 in mE; move: pB (measure_ge0 (prob E) (~` B)) mE.
  case: (prob E B) => [x| |] //; case: (prob E (~` B)) => [z| |] //=.
  by rewrite -EFinD !lee_fin => xd _ [] e; move: xd e; clear; mlra.
move=> w nB t; have good : good_event m Rs S alpha delta lam eps c (p w) (reward w) star.
  by apply: good_unless_rich => n; rewrite ltNge; apply/negP => rich; apply: nB; exists n.
exact (error_le sm (@sc (- S) S) sl Rs_ge0 S_gt0 alpha_gt0 delta01 lam0 eps01 (le_trans ler01 c1) (runs w) (pay w)
  star_ball (observedE w) (budget w) t good).
Qed.
End ConfidenceSequence.
