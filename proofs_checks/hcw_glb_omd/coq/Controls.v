(* Near mutants of the theorems, each denied: a changed constant or a dropped premise makes the statement false.
     potential_third_false     lemma:epl repaired, with X^2/(3 lambda) for X^2/(2 lambda)
     ville_half_false          Ville's inequality with half of the right side
     lower_bound_larger_false  thm:lower-bound-corruption repaired, with 51/100 for 1/4
     inverse_regret_start_false, confidence_start_false   3 lambda S^2 for 4 lambda S^2
     likelihood_half_false     likelihood ratios of mean at most 1/2
     regret_foreign_best_false theorem:regret repaired, the best arm not among those on offer *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import Rstruct reals ereal normedtype sequences measure topology lebesgue_measure numfun.
From mathcomp.analysis Require Import lebesgue_integral.
From Glbcheck Require Import Bridge Scalar SelfConcordance QuadraticForm EllipticalPotential MirrorDescent.
From Glbcheck Require Import Ville ConditionalLaw NormalLaw.
From HCW Require Import Constants Algorithm InverseRegret GoodEvent SharperConfidence GlmLaw Regret NoiselessGame.
From HCW Require Import Witness ControlNumbers.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* --- lemma:epl ----------------------------------------------------------------------------------------------- *)

Definition potential_third := forall (d : nat) (lam X2 : R) (x : nat -> 'cV[R]_d) (V : nat -> 'M[R]_d) (t : nat),
  (0 < d)%N -> 0 < lam -> V 0%N = lam%:M -> (forall s, V s.+1 = V s + outer (x s)) ->
  (forall s, dot (x s) (x s) <= X2) ->
  \sum_(s < t) qf (invmx (V s)) (x s) <= d%:R * (1 + X2 / (3 * lam)) * ln (1 + t%:R * X2 / (d%:R * lam)).

(* One vector in dimension 1, lambda = 1: u <= (1 + u/3) ln (1 + u) fails at u = 1/2. *)
Theorem potential_third_false : ~ potential_third.
Proof.
move=> h; apply: potential_term_sharp => u u0.
pose x (s : nat) : 'cV[R]_1 := const_mx (sqrt u).
pose V := fix V s : 'M[R]_1 := if s is s'.+1 then V s' + outer (x s') else 1%:M.
have xx s : dot (x s) (x s) = u by rewrite dot_sum big_ord1 mxE expr2; apply: sqrt_sqrt.
have le s : dot (x s) (x s) <= u by rewrite xx lexx.
have := h 1%N 1 u x V 1%N isT ltr01 erefl (fun s => erefl) le.
rewrite big_ord1 /= qf_inv_scalar ?ltr01 // xx !(divr1, mulr1, mul1r) => hu.
by move: hu; rewrite -[ln (Rplus _ u)]/(ln (1 + u)); generalize (ln (1 + u)); clear; to_R; lra.
Qed.

(* --- Ville ----------------------------------------------------------------------------------------------------- *)

Definition ville_half := forall (dT : measure_display) (T : measurableType dT) (R : realType)
    (P : {measure set T -> \bar R}) (F : nat -> set (set T)) (M : nat -> T -> \bar R) (c : R),
  filtration F -> supermartingale P F M -> 0 < c ->
  (c%:E * P [set w | exists n, c%:E <= M n w] <= (2^-1)%:E * \int[P]_w M 0%N w)%E.

(* The constant martingale 1 and c = 1. *)
Theorem ville_half_false : ~ ville_half.
Proof.
move=> h; pose P : {measure set RR -> \bar RR} := [the measure _ _ of @dirac _ RR 0 RR].
have fil : @filtration _ RR (fun=> measurable).
  by split=> n; [exact: (@sigma_algebra_measurable _ RR) | |].
have super : supermartingale P (fun=> measurable) (fun _ _ => 1%E : \bar RR).
  split=> //; [by move=> n; apply: measurable_fun_cst | by move=> n w; rewrite lee01 |].
  move=> n c; rewrite (_ : [set w | _] = if c <= 1 then setT else set0); first by case: ifP.
  by apply/seteqP; split=> w /=; rewrite lee_fin; case: ifP.
have := h _ RR RR P (fun=> measurable) (fun _ _ => 1%E) 1 fil super ltr01.
rewrite integral_cst // (_ : [set w | _] = setT); last by apply/seteqP; split=> // w _ /=; exists 0%N.
by rewrite /P /= diracE in_setT !mule1 lee_fin; to_R; lra.
Qed.

(* --- thm:lower-bound-corruption --------------------------------------------------------------------------------- *)

Definition lower_bound_larger := forall (d : nat) (mu : R -> R) (S C : R) (W : finType) (law : W -> R)
    (policy : W -> seq R -> 'I_d) (T : nat),
  (1 < d)%N -> 0 < mu S - mu 0 -> 0 <= C -> (forall w, 0 <= law w) -> \sum_w law w = 1 ->
  exists (N : nat) (i : 'I_d),
    (forall w, \sum_(t < T) `|corruption N (mu 0) (mu S) (policy w) i t| <= C) /\
    Num.min (d%:R * C) ((mu S - mu 0) * T%:R) * 51 / 100 <= expected_regret N (mu 0) (mu S) law policy i T.

(* One round, two arms, each pulled with probability 1/2: 1/2 is what it costs. *)
Theorem lower_bound_larger_false : ~ lower_bound_larger.
Proof.
move=> h; have half0 (w : 'I_2) : 0 <= 2^-1 :> R by rewrite invr_ge0 ler0n.
have half1 : \sum_(w : 'I_2) 2^-1 = 1 :> R by rewrite big_ord_recl big_ord1; to_R; lra.
have d1 : 0 < (1 : R) - 0 by rewrite subr0 ltr01.
have [N [i [_]]] := h 2%N (fun z => z) 1 1 _ (fun=> 2^-1) (fun w _ => w) 1%N isT d1 ler01 half0 half1.
rewrite /expected_regret /NoiselessGame.regret big_ord_recl big_ord1 !big_ord1 /mean /pulled /=.
have -> : Num.min (2%:R * 1) ((1 - 0) * 1%:R) = 1 :> R by rewrite subr0 !mulr1; apply/min_idPr; to_R; lra.
by case: i => [[|[|]]] //= ? ; to_R; lra.
Qed.

(* --- runs that stay where they start: arm 0, dimension 1 -------------------------------------------------------- *)

Section Idle.
Variables (start star : R).
Definition idle (s : nat) : 'cV[R]_1 := 0.
Definition unharmed (s : nat) : R := 0.
Definition on_line (z : R) : 'cV[R]_1 := const_mx z.

Lemma idle_le1 s : dot (idle s) (idle s) <= 1. Proof. by rewrite dot0l ler01. Qed.
Lemma idle_harmless s : unharmed s *: idle s = 0. Proof. by rewrite scale0r. Qed.
Lemma idle_agree s : dot (idle s) (on_line star) = dot (idle s) (on_line start). Proof. by rewrite !dot0l. Qed.
Lemma dot_line (y z : R) : dot (on_line y) (on_line z) = y * z.
Proof. by rewrite /dot mxE big_ord1 !mxE. Qed.

Lemma ends_ball (z : R) : `|z| = 1 -> ball 1 (on_line z).
Proof. by move=> z1; rewrite /ball dot_line -expr2 -[z ^+ 2]ger0_norm ?sqr_ge0 // normrX z1 lexx. Qed.
Lemma line_gap (y z : R) : on_line y - on_line z = on_line (y - z).
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.
End Idle.

Definition inverse_regret_start := forall (d : nat) (m mu dmu ddmu : R -> R) (Rs L S alpha lam : R)
    (p : trajectory d) (star : 'cV[R]_d), smooth m mu dmu ddmu -> concordant dmu ddmu Rs (- S) S ->
  slope_bounded dmu L (- S) S -> 0 <= Rs -> 0 < S -> 0 < alpha -> 0 < lam ->
  hcw_run mu dmu alpha (step_size Rs S) lam S p -> ball S star ->
  forall t, 36 * step_size Rs S ^+ 2 * alpha ^+ 2 * Rs ^+ 2 * S ^+ 2 * L ^+ 2 <= lam ->
  error_sq p star t <= 2 * step_size Rs S * (\sum_(s < t) (loss m alpha p s star - loss m alpha p s (est p s.+1)))
    + 3 * lam * S ^+ 2 - 2 / 3 * (\sum_(s < t) move_sq p s).

(* Before the first round, from one end of the interval to the other. *)
Theorem inverse_regret_start_false : ~ inverse_regret_start.
Proof.
move=> h; have e1 : step_size 0 1 = 1 by rewrite /step_size mul0r addr0.
have s1 : slope_bounded (fun=> 1) 1 (- 1) 1 by move=> z _; apply: Rle_refl.
have low : ball 1 (on_line (- 1)) by apply: ends_ball; rewrite normrN1.
have high : ball 1 (on_line 1) by apply: ends_ball; rewrite normr1.
have run := still_run (eta := 1) idle_le1 idle_harmless low ltr01 ltr01 ltr01.
have lam36 : 36 * step_size 0 1 ^+ 2 * 1 ^+ 2 * 0 ^+ 2 * 1 ^+ 2 * 1 ^+ 2 <= 1 :> R.
  by rewrite expr0n /= mulr0 !mul0r ler01.
have := h 1%N _ _ _ _ 0 1 1 1 1 _ (on_line 1) linear_link (linear_concordant _ _) s1 (lexx _) ltr01 ltr01 ltr01.
rewrite e1 => /(_ _ run high 0%N); rewrite e1 in lam36; move=> /(_ lam36).
rewrite /error_sq /= !big_ord0 line_gap qf_scalar dot_line.
by clear; to_R; lra.
Qed.

(* --- theorem:confidence-sequence --------------------------------------------------------------------------------- *)

Definition confidence_start := forall (d : nat) (m mu dmu ddmu : R -> R) (Rs L S alpha delta C : R) (star : 'cV[R]_d),
  forall (dO : measure_display) (Omega : measurableType dO) (E : @experiment RR _ _ Omega RR)
    (p : Omega -> trajectory d) (corruption : nat -> Omega -> R),
  (0 < d)%N -> smooth m mu dmu ddmu -> (forall lo hi, concordant dmu ddmu Rs lo hi) ->
  slope_bounded dmu L (- S) S -> 0 <= Rs -> 0 < S -> 0 < alpha -> 0 < delta <= 1 -> ball S star ->
  (forall w, hcw_run mu dmu alpha (step_size Rs S) (regularisation d S (step_size Rs S) alpha Rs L) S (p w)) ->
  (forall w s, observed (p w) s = out E s w + corruption s w) ->
  (forall w t, \sum_(s < t) `|corruption s w| <= C) ->
  forall q : predictable alpha star E p, glm_rewards m q ->
  exists A : set Omega, [/\ measurable A, ((1 - delta)%:E <= prob E A)%E &
    forall w, A w -> forall t, sqrt (qf (hess (p w) t) (est (p w) t - star)) <=
      sqrt (2 * step_size Rs S * ln (1 / delta) + 81 * step_size Rs S ^+ 2 *
          logdet_bound d (regularisation d S (step_size Rs S) alpha Rs L) L (\sum_(s < t) (disp (p w) s)^-1) / 40
          + 3 * regularisation d S (step_size Rs S) alpha Rs L * S ^+ 2) + widening (step_size Rs S) alpha C].

Lemma step1 : step_size 0 1 = 1. Proof. by rewrite /step_size mul0r addr0. Qed.
Lemma lam1 : regularisation 1 1 1 1 0 1 = 4^-1.
Proof.
rewrite /regularisation expr0n /= !(mulr0, mul0r) expr1n mulr1 mul1r.
have q : 0 <= 4^-1 :> R by rewrite invr_ge0 ler0n.
by rewrite (max_idPr q) (max_idPr q).
Qed.

Lemma some_point (A : set RR) (P : {measure set RR -> \bar RR}) (v : R) : 0 < v -> (v%:E <= P A)%E -> exists w, A w.
Proof.
move=> v0; case: (pselect (exists w, A w)) => // no.
have -> : A = set0 by apply/seteqP; split=> w //= Aw; case: no; exists w.
by rewrite measure0 lee_fin leNgt v0.
Qed.

(* Before the first round, delta = 9/10: 1 against 2 ln (10/9) + 3/4. *)
Theorem confidence_start_false : ~ confidence_start.
Proof.
move=> h; have low : ball 1 (on_line (- 1)) by apply: ends_ball; rewrite normrN1.
have high : ball 1 (on_line 1) by apply: ends_ball; rewrite normr1.
pose del : R := 9 / 10; have del01 : 0 < del <= 1 by apply/andP; split; rewrite /del; to_R; lra.
have [sm sc sl [run obs glm]] := premises_met (d := 1) isT idle_le1 idle_harmless low (idle_agree (- 1) 1) ltr01 ltr01.
have budget (w : RR) t : \sum_(s < t) `|unharmed s| <= (0 : R) by rewrite big1 ?lexx // => i _; rewrite normr0.
have [A [_ pA hA]] := h 1%N _ _ _ _ 0 1 1 1 del 0 (on_line 1) _ RR _ _ (fun s _ => unharmed s) isT sm sc sl
  (lexx _) ltr01 ltr01 del01 high run obs budget _ glm.
have [w Aw] : exists w, A w by apply: some_point pA; rewrite /del; to_R; lra.
have := hA w Aw 0%N; rewrite /= !big_ord0 step1 lam1 /widening mulr0 addr0 line_gap qf_scalar dot_line.
rewrite /logdet_bound mulr0 addr0 ln_1 mulr0 mulr0 mul0r addr0.
have lnb : ln (1 / del) <= 9^-1.
  apply/RleP; apply: (Rle_trans _ (Rminus (1 / del) 1)); first by apply: ln_le_sub1; rewrite /del; to_R; lra.
  by rewrite /del; to_R; lra.
have v1 : 4^-1 * ((- 1 - 1) * (- 1 - 1)) = 1 :> R by to_R; lra.
have pos := log_delta_ge0 del01; rewrite v1 => k.
have k2 : (1 : R) <= 2 * 1 * ln (1 / del) + 3 * 4^-1 * 1 ^+ 2.
  apply/RleP; apply: sqrt_le_0 (le_R k); apply/RleP; first exact: ler01.
  by move: pos; clear; to_R; lra.
by move: k2 lnb; clear; to_R; lra.
Qed.

(* --- GLM rewards ------------------------------------------------------------------------------------------------ *)

Definition likelihood_half := forall (m : R -> R) (d : nat) (alpha : R) (star : 'cV[R]_d) (dO : measure_display)
    (Omega : measurableType dO) (E : @experiment RR _ _ Omega RR) (p : Omega -> trajectory d)
    (q : predictable alpha star E p) (base : forall n, past E n -> {measure set RR -> \bar RR}),
  (forall n (h : past E n), follows_glm m (at_star q h) (past_inverse q h) (base n h) (kernel h)) ->
  forall n (h : past E n) (z : R),
    (\int[kernel h]_y (likelihood_ratio m (at_star q h) (past_inverse q h) y z)%:E <= (2^-1)%:E)%E.

(* A point mass at 0, whose log-partition function is 0. *)
Theorem likelihood_half_false : ~ likelihood_half.
Proof.
move=> h; have o1 : ball 1 (0 : 'cV[R]_1) by rewrite /ball dot0l sqr_ge0.
have agree s : dot (idle s) (0 : 'cV[R]_1) = dot (idle s) 0 by [].
pose q := still_predictable (d := 1) (0 : 'cV[R]_1) isT idle_le1 idle_harmless o1 ltr01 ltr01.
pose base (n : nat) (_ : RR) : {measure set RR -> \bar RR} := [the measure _ _ of @dirac _ RR 0 RR].
have m_exp : measurable_fun setT (exp : RR -> RR).
  by apply: continuity_measurable => x; apply: derivable_continuous_pt; apply: derivable_pt_exp.
have law n (w : past (still_rewards idle 0) n) :
    follows_glm (fun=> 0) (at_star q w) (past_inverse q w) (base n w) (kernel w).
  rewrite /q /= dot0l; split=> [f mf f0|z].
    rewrite dirac_integral // integral_dirac // ?indicT ?mul1e /glm_density.
      by rewrite !mul0r subr0 mul0r exp_0 mule1.
    apply: emeasurable_funM => //; apply/EFin_measurable_fun; apply: (measurable_fun_comp m_exp); measurability.
  rewrite integral_dirac // ?indicT ?mul1e /glm_density; first by rewrite !mul0r subr0 mul0r exp_0.
  by apply/EFin_measurable_fun; apply: (measurable_fun_comp m_exp); measurability.
have := h (fun=> 0) 1%N 1 0 _ RR _ _ q base law 0%N 0 0.
rewrite /q /= dirac_integral /likelihood_ratio.
  by rewrite !(dot0l, subrr, mulr0, subr0, mul0r) exp_0 lee_fin; to_R; lra.
by apply/EFin_measurable_fun; apply: (measurable_fun_comp m_exp); measurability.
Qed.

(* --- theorem:regret --------------------------------------------------------------------------------------------- *)

Definition regret_foreign_best := forall (d : nat) (m mu dmu ddmu : R -> R)
    (Rs L S alpha delta C kappa g_max : R) (star : 'cV[R]_d),
  forall (dO : measure_display) (Omega : measurableType dO) (E : @experiment RR _ _ Omega RR)
    (p : Omega -> trajectory d) (corruption : nat -> Omega -> R) (arms : Omega -> nat -> 'cV[R]_d -> Prop)
    (best : Omega -> nat -> 'cV[R]_d),
  (0 < d)%N -> smooth m mu dmu ddmu -> (forall lo hi, concordant dmu ddmu Rs lo hi) ->
  slope_bounded dmu L (- S) S -> 0 < kappa -> (forall z, - S <= z <= S -> kappa^-1 <= dmu z) ->
  0 <= Rs -> 0 < S -> 0 < alpha -> 0 < delta <= 1 -> ball S star ->
  (forall w, hcw_run mu dmu alpha (step_size Rs S) (regularisation d S (step_size Rs S) alpha Rs L) S (p w)) ->
  (forall w s, disp (p w) s <= g_max) ->
  (forall w s, observed (p w) s = out E s w + corruption s w) ->
  (forall w t, \sum_(s < t) `|corruption s w| <= C) ->
  (forall w s, dot (best w s) (best w s) <= 1) ->
  (forall w s, dot (arm (p w) s) star <= dot (best w s) star) ->
  (forall w, optimistic (p w) (arms w) (confidence_set alpha (step_size Rs S)
    (regularisation d S (step_size Rs S) alpha Rs L) L S delta C (p w))) ->
  forall q : predictable alpha star E p, glm_rewards m q ->
  exists A : set Omega, [/\ measurable A, ((1 - delta)%:E <= prob E A)%E &
    forall w, A w -> forall T : nat, Regret.regret mu (p w) star (best w) T.+1 <=
      regret_bound Rs L kappa g_max alpha (optimal_variance dmu (p w) star (best w) T.+1)
        (radius alpha (step_size Rs S) (regularisation d S (step_size Rs S) alpha Rs L) L S delta C (p w) T)
        (radius alpha (step_size Rs S) (regularisation d S (step_size Rs S) alpha Rs L) L S delta C (p w) T.+1)
        (potential d alpha (regularisation d S (step_size Rs S) alpha Rs L) L (\sum_(s < T.+1) (disp (p w) s)^-1))
        (low_weight d T.+1 alpha (regularisation d S (step_size Rs S) alpha Rs L) kappa)].


Lemma lam400 : regularisation 1 10 1 (10^-1) 0 1 = 400^-1.
Proof.
rewrite /regularisation expr0n /= !(mulr0, mul0r).
have q : 0 <= 1%:R / (4 * 10 ^+ 2) :> R by rewrite divr_ge0 ?mulr_ge0 ?ler0n ?sqr_ge0.
by rewrite (max_idPr q) (max_idPr q); to_R; field.
Qed.

Lemma root400 : sqrt 400^-1 = 20^-1 :> R.
Proof.
have -> : 400^-1 = Rmult (20^-1) (20^-1) :> R by to_R; field.
by apply: sqrt_square; apply/RleP; rewrite invr_ge0 ler0n.
Qed.

(* 999 and 1000 without their unary digits. *)
Lemma rounds : exists n : nat, n%:R = IZR 999 :> R /\ n.+1%:R = IZR 1000 :> R.
Proof. by exists (Z.to_nat 999); rewrite -!INRE !INR_IZR_INZ; split. Qed.

(* 1000 rounds in which nothing but the arm 0 is on offer, theta* = 10 and the best arm is said to be 1. *)
Theorem regret_foreign_best_false : ~ regret_foreign_best.
Proof.
move=> h; have S0 : 0 < 10 :> R by rewrite ltr0n.
have a0 : 0 < 10^-1 :> R by rewrite invr_gt0 ltr0n.
pose del : R := 9 / 10; have del01 : 0 < del <= 1 by apply/andP; split; rewrite /del; to_R; lra.
have low : ball 10 (on_line 0) by rewrite /ball dot_line mulr0 sqr_ge0.
have high : ball 10 (on_line 10) by rewrite /ball dot_line expr2 lexx.
have e10 : step_size 0 10 = 1 by rewrite /step_size mul0r addr0.
have [sm sc sl [run obs glm]] := premises_met (d := 1) isT idle_le1 idle_harmless low (idle_agree 0 10) a0 S0.
have budget (w : RR) t : \sum_(s < t) `|unharmed s| <= (0 : R) by rewrite big1 ?lexx // => i _; rewrite normr0.
have slope (z : R) : - 10 <= z <= 10 -> 1^-1 <= (1 : R) by rewrite invr1 lexx.
have unit_best (w : RR) (s : nat) : dot (on_line 1) (on_line 1) <= 1 by rewrite dot_line mulr1 lexx.
have less (w : RR) (s : nat) : dot (idle s) (on_line 10) <= dot (on_line 1) (on_line 10).
  by rewrite dot0l dot_line mul1r ler0n.
pose P := still_path idle unharmed (on_line 0) 10^-1 10; pose lam := regularisation 1 10 (step_size 0 10) 10^-1 0 1.
have opt w : optimistic (P w) (fun _ x => x = 0) (confidence_set 10^-1 (step_size 0 10) lam 1 10 del 0 (P w)).
  move=> s; exists (on_line 0); split; last by move=> x theta -> _; rewrite /= !dot0l lexx.
  split=> //; rewrite subrr qf0 sqrt_0 /radius /widening mulr0 addr0; apply/RleP; exact: sqrt_pos.
have [A [_ pA hA]] := h 1%N _ _ _ _ 0 1 10 10^-1 del 0 1 1 (on_line 10) _ RR _ _ (fun s _ => unharmed s)
  (fun _ _ x => x = 0) (fun _ _ => on_line 1) isT sm sc sl ltr01 slope (lexx _) S0 a0 del01 high run
  (fun _ _ => lexx _) obs budget unit_best less opt _ glm.
have [w Aw] : exists w, A w by apply: some_point pA; rewrite /del; to_R; lra.
have [n [n999 n1000]] := rounds; move: (hA w Aw n); rewrite -/P -/lam => {hA}.
have lamE : lam = 400^-1 by rewrite /lam e10 lam400.
have -> : Regret.regret (fun z => z) (P w) (on_line 10) (fun=> on_line 1) n.+1 = IZR 10000.
  rewrite /Regret.regret (eq_bigr (fun=> 10)).
    by rewrite sumr_const card_ord -mulr_natr n1000; to_R; lra.
  by move=> i _; rewrite /regret_of /= dot0l dot_line mul1r subr0.
have -> : optimal_variance (fun=> 1) (P w) (on_line 10) (fun=> on_line 1) n.+1 = IZR 1000.
  by rewrite /optimal_variance (eq_bigr (fun=> 1)) ?sumr_const ?card_ord // => i _; rewrite /= mulr1.
have inv k : \sum_(s < k) (disp (P w) s)^-1 = k%:R.
  by rewrite (eq_bigr (fun=> 1)) ?sumr_const ?card_ord // => i _; rewrite /= invr1.
have logs (v : R) : 0 <= v -> v <= IZR 1000 ->
    Rle (IZR 0) (logdet_bound 1 lam 1 v) /\ Rle (logdet_bound 1 lam 1 v) (IZR 19).
  rewrite /logdet_bound mulr1n !mul1r lamE => v0 v1; split.
    apply: (Rle_trans _ (ln (IZR 1))); first by rewrite ln_1; lra.
    by apply: ln_mono; [lra | move: v0; clear; to_R; lra].
  by apply: ln_le19; move: v0 v1; clear; to_R; rewrite /=; lra.
set r := radius _ _ _ _ _ _ _ _ n; set q := radius _ _ _ _ _ _ _ _ n.+1.
have r0 : Rle (IZR 0) r by rewrite /r /radius /widening mulr0 addr0; apply: sqrt_pos.
have r1 : Rle r (Rdiv (IZR 13) (IZR 2)).
  have lnb : Rle (ln (1 / del)) (Rdiv (IZR 1) (IZR 9)).
    apply: (Rle_trans _ (Rminus (1 / del) 1)); first by apply: ln_le_sub1; rewrite /del; to_R; lra.
    by rewrite /del; to_R; lra.
  have [|| _ lnn] := logs (IZR 999); [by to_R; lra | by to_R; lra |].
  apply: Rle_trans (radius_small _ _ lnb lnn).
  rewrite /r /radius /widening mulr0 addr0 /beta /beta_from_logdet inv n999 e10.
  right; congr sqrt; move: (ln (1 / del)) (logdet_bound 1 lam 1 (IZR 999)); rewrite lamE.
  by clear; to_R; lra.
have [|| lnq0 lnq] := logs (IZR 1000); [by to_R; lra | by to_R; lra |].
set Q := potential _ _ _ _ _.
have QE : Q = Rmult (IZR 2) (logdet_bound 1 lam 1 (IZR 1000)).
  rewrite /Q /potential inv n1000 -/(logdet_bound 1 lam 1 _).
  move: (logdet_bound 1 lam 1 (IZR 1000)); rewrite lamE root400.
  by clear; to_R; lra.
have Q0 : Rle (IZR 0) Q by rewrite QE; lra.
have Q1 : Rle Q (IZR 38) by rewrite QE; lra.
have := bound_small r Q r0 r1 Q0 Q1; move: (low_weight _ _ _ _ _) r q Q {r0 r1 QE Q0 Q1} => F r q Q.
rewrite /regret_bound /gamma_1 /gamma_rest !(mulr0, mul0r) sqrt_0 mulr0 !addr0.
by move: (sqrt Q) (sqrt (IZR 1000)); clear; to_R; lra.
Qed.
