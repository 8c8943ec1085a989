(* theorem:regret as printed, with C in place of max (C, 1), and lemma:decomposition/eq9, the bound for R_s = 0; their
   negations.  Every choice below that is not in the text weakens them: the constant may depend on the link, S, delta,
   R_s, L and kappa, the power of the logarithm is free, the logarithm is that of T/(g_min delta), T may be large, the
   bound is asked for one link only, against an adversary who corrupts nothing and dispersions of at most 1 fixed
   beforehand; and in place of probability 1 - delta it has to hold for one sequence of rewards.
     learner               HCW-GLB-OMD with the printed constants, as a function of the rewards that it sees
     regret_theorem_false  the first pull is made in ignorance: the regret does not vanish with the dispersions
     linear_regret_false   likewise *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots Scalar SelfConcordance QuadraticForm MirrorDescent.
From HCW Require Import Constants Algorithm Regret Refutations PrintedConstants Growth PrintedOrders.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* eq:CS with the printed radius. *)
Definition printed_set d (S delta Rs L C : R) (p : trajectory d) (t : nat) (theta : 'cV[R]_d) :=
  ball S theta /\ sqrt (qf (hess p t) (est p t - theta)) <= radius_after S Rs L delta d t C (disp p).

(* The arm of a round depends on the rewards before it. *)
Definition nonanticipating d (play : (nat -> R) -> trajectory d) := forall (r r' : nat -> R) (t : nat),
  (forall s, (s < t)%N -> r s = r' s) -> arm (play r) t = arm (play r') t.

Definition learner d (mu dmu : R -> R) (S delta Rs L C : R) (g : nat -> R) (arms : nat -> 'cV[R]_d -> Prop)
    (play : (nat -> R) -> trajectory d) := let eta := 1 + Rs * S in
  nonanticipating play /\ forall r, let p := play r in
  [/\ hcw_run mu dmu (trust d C) eta (printed_lam d S eta (trust d C) Rs L) S p, observed p = r, disp p = g,
      forall s, arms s (arm p s) & optimistic p arms (printed_set S delta Rs L C p)].

(* best s is the best arm of round s. *)
Definition best_arms d (arms : nat -> 'cV[R]_d -> Prop) (star : 'cV[R]_d) (best : nat -> 'cV[R]_d) :=
  forall s, arms s (best s) /\ forall x, arms s x -> dot x star <= dot (best s) star.

(* Reg(T) = O~(order) for this link, order being a function of d, C, g_max and V. *)
Definition attains (mu dmu : R -> R) (S delta Rs L : R) (order : nat -> R -> R -> R -> R) :=
  exists (K : R) (n T0 : nat), forall (d T : nat) (C g_min g_max : R) (g : nat -> R) (arms : nat -> 'cV[R]_d -> Prop)
    (play : (nat -> R) -> trajectory d),
  (0 < d)%N -> (T0 <= T)%N -> (1 < T)%N -> 0 <= C -> dispersions T g_min g_max g -> g_max <= 1 ->
  (forall s x, arms s x -> ball 1 x) -> learner mu dmu S delta Rs L C g arms play ->
  forall (star : 'cV[R]_d) (best : nat -> 'cV[R]_d), ball S star -> best_arms arms star best ->
  exists r : nat -> R, regret mu (play r) star best T <=
    K * order d C g_max (optimal_variance dmu (play r) star best T) * ln (T%:R / (g_min * delta)) ^+ n.

Definition regret_theorem := exists (m mu dmu ddmu : R -> R) (S delta Rs L kappa : R),
  [/\ link_with m mu dmu ddmu S Rs L kappa, numbers S delta Rs L kappa & attains mu dmu S delta Rs L
    (fun d C g_max V => d%:R * sqrt V + d%:R ^+ 2 * g_max * kappa + d%:R * (g_max + kappa) * C)].

Definition linear_regret := exists (m mu dmu ddmu : R -> R) (S delta L kappa : R),
  [/\ link_with m mu dmu ddmu S 0 L kappa, numbers S delta 0 L kappa & attains mu dmu S delta 0 L
    (fun d C g_max V => d%:R * sqrt V + d%:R * g_max * Num.max C 1)].

(* --- a run in dimension 1: arms 1 and -1 in the first round, then the arm 0 alone ----------------------------------- *)

Definition line (z : R) : 'cV[R]_1 := const_mx z.

Lemma line_of (v : 'cV[R]_1) : v = line (v 0 0).
Proof. by apply/matrixP => i j; rewrite !ord1 mxE. Qed.

Lemma qf_line (l k z : R) (x : R) : qf (l%:M + k *: outer (line x)) (line z) = (l + k * x ^+ 2) * z ^+ 2.
Proof. by rewrite qf_update qf_scalar !dot1; clear; to_R; lra. Qed.

(* The least value of a z + b z^2 on [-S, S]. *)
Definition clip (S a b : R) : R := let z := - a / (2 * b) in
  if z <= - S then - S else if S <= z then S else z.

Lemma clipP (S a b : R) : 0 < S -> 0 < b ->
  `|clip S a b| <= S /\ forall z, `|z| <= S -> a * clip S a b + b * clip S a b ^+ 2 <= a * z + b * z ^+ 2.
Proof.
move=> S0 b0; pose z0 := - a / (2 * b).
have aE : a = - (2 * b * z0) by rewrite /z0 mulrCA mulfV ?mulr1 ?opprK // gt_eqF // mulr_gt0 ?ltr0n.
suff [c1 near] : `|clip S a b| <= S /\ forall z, `|z| <= S -> (clip S a b - z0) ^+ 2 <= (z - z0) ^+ 2.
  split=> // z /near/(ler_wpmul2l (ltW b0)); move: (clip S a b) => c; clearbody z0; rewrite aE.
  by clear; to_R; lra.
rewrite /clip -/z0; case: ifP => [low|/negbT]; last rewrite -ltNge => above.
  split=> [|z]; first by rewrite normrN ger0_norm // ltW.
  rewrite ler_norml => /andP[z1 _]; rewrite ler_expn2r ?nnegrE ?ler_sub // ?subr_ge0 //; exact: le_trans low z1.
case: ifP => [high|/negbT]; last rewrite -ltNge => below.
  split=> [|z]; first by rewrite ger0_norm // ltW.
  rewrite ler_norml => /andP[_ z2]; rewrite -[leLHS]sqrrN -[leRHS]sqrrN !opprB.
  rewrite ler_expn2r ?nnegrE ?ler_sub // ?subr_ge0 //; exact: le_trans z2 high.
split=> [|z _]; first by rewrite ler_norml !ltW.
by rewrite subrr expr0n sqr_ge0.
Qed.

Section Run.
Variables (mu dmu : R -> R) (S delta Rs L g : R).
Hypothesis S_gt0 : 0 < S.
Hypothesis delta01 : 0 < delta < 1.
Hypothesis Rs_ge0 : 0 <= Rs.
Hypothesis L_gt0 : 0 < L.
Hypothesis g_gt0 : 0 < g.
Hypothesis dmu_ge0 : forall z, 0 <= dmu z.
Let eta := 1 + Rs * S.
Let lam := printed_lam 1 S eta (trust 1 0) Rs L.
Let pace : R := weight_of (trust 1 0) g (sqrt (qf (invmx lam%:M) (line 1))) / g.

Definition pull (s : nat) : 'cV[R]_1 := if s is 0%N then line 1 else 0.
Definition offered (s : nat) (x : 'cV[R]_1) : Prop := if s is 0%N then x = line 1 \/ x = line (- 1) else x = 0.

(* After the first reward r: the step of eq:OMD-estimator from 0. *)
Definition step (r : R) : R :=
  clip S (pace * (mu 0 - r)) (pace * dmu 0 / 2 + (2 * eta)^-1 * lam).
Definition after (r : R) : 'M[R]_1 := lam%:M + (pace * dmu (step r)) *: outer (line 1).
Definition one_pull (r : nat -> R) : trajectory 1 := Trajectory pull (fun=> g) r
  (fun s => if s is 0%N then 0 else line (step (r 0%N))) (fun s => if s is 0%N then lam%:M else after (r 0%N)).

Let lam_pos : 0 < lam. Proof. exact: lam_gt0. Qed.
Let eta_gt0 : 0 < eta. Proof. by rewrite ltr_paddr ?ltr01 // mulr_ge0 // ltW. Qed.
Let pace_ge0 : 0 <= pace.
Proof.
have ag : 0 < trust 1 0 * g by rewrite trust1 mul1r.
by rewrite divr_ge0 ?(ltW g_gt0) // divr_ge0 ?(ltW ag) // le_maxr (ltW ag) orbT.
Qed.
Let curved r : 0 <= pace * dmu (step r). Proof. exact: mulr_ge0. Qed.

Lemma ball_line (z : R) : ball S (line z) = (`|z| <= S).
Proof.
by rewrite /ball dot1 -expr2 -[z ^+ 2]real_normK ?num_real // ler_sqr ?nnegrE ?normr_ge0 // ltW.
Qed.

Lemma one_pull_run r : hcw_run mu dmu (trust 1 0) eta lam S (one_pull r).
Proof.
have b0 : 0 < pace * dmu 0 / 2 + (2 * eta)^-1 * lam.
  by rewrite ltr_paddl ?mulr_gt0 ?invr_gt0 ?mulr_gt0 ?ltr0n // divr_ge0 ?ler0n // mulr_ge0.
have [inside least] := clipP (pace * (mu 0 - r 0%N)) S_gt0 b0.
have line0 : (0 : 'cV[R]_1) = line 0 by apply/matrixP => i j; rewrite !mxE.
have dot0 (v : 'cV[R]_1) : dot 0 v = 0 by rewrite /dot trmx0 mul0mx mxE.
have outer0 : outer (0 : 'cV[R]_1) = 0 by rewrite /outer mul0mx.
split=> //=.
- by case=> [|s] /=; rewrite ?dot0 ?ler01 // dot1 mulr1.
- by rewrite line0 ball_line normr0 ltW.
- case=> [|s] /=.
    split; first by rewrite ball_line.
    move=> v; rewrite (line_of v) ball_line => /least.
    rewrite /objective /step_objective /slope_at /curvature /rate /weight /norm /value /= -/pace !subr0 !dot1 !qf_scalar.
    rewrite !dot1 !mulr0 !mul1r -/(step (r 0%N)); move: (step _) (v 0 0) (mu 0) (dmu 0) => y z a b.
    by move: pace ((2 * eta)^-1) lam => q e l; clear; to_R; lra.
  split; first by rewrite ball_line.
  move=> v _; rewrite /objective /step_objective /= !dot0 subrr qf0 !mulr0 expr0n /= !mulr0 !add0r.
  rewrite mulr_ge0 ?invr_ge0 ?mulr_ge0 ?ler0n ?(ltW eta_gt0) // (line_of (v - _)) qf_line expr1n mulr1.
  by rewrite mulr_ge0 ?sqr_ge0 // addr_ge0 ?(ltW lam_pos).
- case=> [|s] /=; last by rewrite outer0 scaler0 addr0.
  by rewrite /after /curvature /rate /weight /norm /value /= dot1 mul1r.
Qed.
End Run.

(* What the learner pulls first is the worse of the two arms. *)
Definition worst (S : R) : 'cV[R]_1 := line (- S).
Definition better (s : nat) : 'cV[R]_1 := if s is 0%N then line (- 1) else 0.

Section Learner.
Variables (m mu dmu ddmu : R -> R) (S delta Rs L kappa g : R).
Hypothesis link : link_with m mu dmu ddmu S Rs L kappa.
Hypothesis nums : numbers S delta Rs L kappa.
Hypothesis g_gt0 : 0 < g.
Let play := one_pull mu dmu S Rs L g.
Let S_gt0 : 0 < S. Proof. by case: nums. Qed.
Let dmu_ge0 z : 0 <= dmu z.
Proof. by case: link => sm _ _ _ _; apply/RleP; apply: (SelfConcordance.dmu_ge0 _ _ _ _ sm). Qed.
Let dot0 (v : 'cV[R]_1) : dot 0 v = 0. Proof. by rewrite /dot trmx0 mul0mx mxE. Qed.

Lemma one_pull_learner : learner mu dmu S delta Rs L 0 (fun=> g) offered play.
Proof.
have [S0 d01 R0 L0 k0] := nums; split=> [r r' t _ //|r p].
have l0 := lam_gt0 Rs L S0 (trust 1 0) (isT : (0 < 1)%N).
have wide t := @radius_ge S delta Rs L S0 d01 R0 L0 1 t 0 (fun=> g) isT (lexx _) (fun=> g_gt0).
have run : hcw_run mu dmu (trust 1 0) (1 + Rs * S) (printed_lam 1 S (1 + Rs * S) (trust 1 0) Rs L) S p.
  exact: one_pull_run.
split=> //; first by case=> [|s] //=; left.
case=> [|s].
  exists (line S); split=> [|x theta [->|->] [inb _]].
  - split; first by rewrite ball_line // ger0_norm // ltW.
    rewrite /= (line_of (0 - _)) qf_scalar dot1 !mxE sub0r mulrNN.
    apply: le_trans (wide 0%N); rewrite sqrtM ?(ltW l0) ?mulr_ge0 ?(ltW S0) // -expr2 sqrt_of_square ?(ltW S0) //.
    by rewrite mulrC ler_wpmul2r ?sqrt_ge0 // ler_pmull // ler1n.
  - by move: inb; rewrite (line_of theta) ball_line // /= !dot1 !mul1r; apply: le_trans (ler_norm _).
  - move: inb; rewrite (line_of theta) ball_line // /= !dot1 mulN1r mul1r -normrN.
    exact: le_trans (ler_norm _).
exists (est p s.+1); split; last by move=> x theta -> _ /=; rewrite !dot0.
split; first exact: (est_ball run).
rewrite subrr qf0 sqrt_0; apply: le_trans (wide s.+1); apply: mulr_ge0 (sqrt_ge0 _).
by apply: mulr_ge0 (ltW S0); rewrite ler0n.
Qed.

Lemma offered_unit s x : offered s x -> ball 1 x.
Proof.
rewrite /ball expr1n; case: s => [[->|->]|s ->]; last by rewrite dot0 ler01.
  by rewrite dot1 mul1r.
by rewrite dot1 mulrNN mul1r.
Qed.

Lemma better_best : best_arms offered (worst S) better.
Proof.
case=> [|s]; last by split=> // x ->.
split=> [|x [->|->]]; [by right | | exact: lexx]; rewrite !dot1 mul1r mulrNN mul1r.
by rewrite -subr_ge0 opprK addr_ge0 // ltW.
Qed.

(* It costs mu (S) - mu (-S) > 0. *)
Lemma first_cost r T : (0 < T)%N -> regret mu (play r) (worst S) better T = mu S - mu (- S).
Proof.
case: T => // T _; rewrite /regret big_ord_recl big1 ?addr0 => [|s _]; last by rewrite /regret_of /= !dot0 subrr.
by rewrite /regret_of /= !dot1 mul1r mulrNN mul1r.
Qed.

Lemma cost_gt0 : 0 < mu S - mu (- S).
Proof.
clear play g_gt0 g; have [sm _ _ least _] := link; have [S0 _ _ _ k0] := nums.
have k1 : 0 < kappa^-1 by rewrite invr_gt0.
have rise : Rle (Rminus (mu (- S)) (Rmult kappa^-1 (- S))) (Rminus (mu S) (Rmult kappa^-1 S)).
  apply: (increasing_from_derivative (fun z => Rminus (mu z) (Rmult kappa^-1 z)) (fun z => Rminus (dmu z) kappa^-1)).
  - by move: S0; to_R; lra.
  - move=> c _; apply: Coquelicot.Derive.is_derive_minus; first exact: (d_mu _ _ _ _ sm).
    rewrite -[X in Coquelicot.Derive.is_derive _ _ X]Rmult_1_r; apply: Coquelicot.Derive.is_derive_scal.
    exact: Coquelicot.Derive.is_derive_id.
  - move=> c /= [c1 c2]; have : kappa^-1 <= dmu c by apply: least; apply/andP; split; apply/RleP.
    by move: (kappa^-1) (dmu c) => a b; to_R; lra.
have := mulr_gt0 k1 S0; move: rise; move: (mu S) (mu (- S)) (kappa^-1) => a b k; clear; to_R; lra.
Qed.

Lemma variance_le r T : 0 <= optimal_variance dmu (play r) (worst S) better T <= T%:R * (g * L).
Proof.
have [_ _ sl _ _] := link; rewrite /optimal_variance; apply/andP; split.
  by apply: sumr_ge0 => s _; apply: mulr_ge0 (ltW g_gt0) (dmu_ge0 _).
rewrite -[X in _ <= X%:R * _](card_ord T) mulr_natl -sumr_const; apply: ler_sum => s _.
rewrite ler_wpmul2l ?(ltW g_gt0) //; apply/RleP/sl; case: (nat_of_ord s) => [|k] /=.
  by rewrite dot1 mulrNN mul1r; move: S_gt0; to_R; lra.
by rewrite dot0; move: S_gt0; to_R; lra.
Qed.
End Learner.

(* An order that is at most B/T along this run for dispersions T^-4. *)
Lemma not_attained (m mu dmu ddmu : R -> R) (S delta Rs L kappa B : R) (order : nat -> R -> R -> R -> R) :
  link_with m mu dmu ddmu S Rs L kappa -> numbers S delta Rs L kappa ->
  (forall (T : nat) V, (1 < T)%N -> 0 <= V <= T%:R * ((T%:R ^+ 4)^-1 * L) ->
    0 <= order 1%N 0 (T%:R ^+ 4)^-1 V <= B / T%:R) ->
  ~ attains mu dmu S delta Rs L order.
Proof.
move=> link nums small [K [n [T0 bound]]]; have [S0 d01 R0 L0 k0] := nums.
have c0 := cost_gt0 link nums; set c := mu S - mu (- S) in c0.
have [T [T0T T1 _ vanish]] := shrinking d01 (`|K| * B / c) n T0 (lexx (0 : R)).
have [g0 g1 _ _] := small_dispersion T1; set g := (_ ^+ 4)^-1 in vanish g0 g1.
have t0 : 0 < T%:R :> R by rewrite ltr0n ltnW.
have inb : ball S (worst S) by rewrite ball_line // normrN ger0_norm // ltW.
have [r] := bound 1%N T 0 g g (fun=> g) offered _ isT T0T T1 (lexx _) (constant_dispersion (ltnW T1) g0) g1
  offered_unit (one_pull_learner link nums g0) (worst S) better inb (better_best nums).
rewrite (first_cost _ _ _ _ _ _ _ (ltnW T1)) -/c; apply/negP; rewrite -ltNge.
have /andP[o0 o1] := small T _ T1 (variance_le link nums g0 r T); rewrite -/g in o0 o1.
have /andP[del0 del1] := d01; have ell0 : 0 <= ln (T%:R / (g * delta)).
  apply: ln_ge0; rewrite ler_pdivl_mulr ?mulr_gt0 // mul1r.
  apply: le_trans (_ : 1 <= _); last by rewrite ler1n ltnW.
  by rewrite -[leRHS]mulr1; exact: ler_pmul (ltW g0) (ltW del0) g1 (ltW del1).
apply: le_lt_trans (_ : `|K| * (B / T%:R) * ln (T%:R / (g * delta)) ^+ n < _).
  rewrite ler_wpmul2r ?exprn_ge0 //; apply: le_trans (ler_wpmul2r o0 (ler_norm K)) _.
  by rewrite ler_wpmul2l.
rewrite mulrA mulrAC ltr_pdivr_mulr //; exact: not_below c0 t0 vanish.
Qed.

Lemma root_variance (T : nat) (L V : R) : (1 < T)%N -> 0 < L -> 0 <= V <= T%:R * ((T%:R ^+ 4)^-1 * L) ->
  0 <= sqrt V <= sqrt L / T%:R.
Proof.
move=> T1 L0 /andP[V0 V1]; have [_ _ gT _] := small_dispersion T1; have t0 : 0 < T%:R :> R by rewrite ltr0n ltnW.
have t1 : 1 <= T%:R :> R by rewrite ler1n ltnW.
rewrite sqrt_ge0 /= ler_pdivl_mulr // -[X in _ * X <= _](sqrt_of_square (ltW t0)) -sqrtM ?sqr_ge0 //.
apply: sqrt_le; apply: le_trans (ler_wpmul2r (sqr_ge0 _) V1) _.
have -> : T%:R * ((T%:R ^+ 4)^-1 * L) * T%:R ^+ 2 = T%:R ^+ 3 / T%:R ^+ 4 * L.
  by set i := (_ ^+ 4)^-1; clearbody i; move: (T%:R : R) => t; clear; to_R; lra.
rewrite -[leRHS]mul1r ler_wpmul2r ?(ltW L0) // ler_pdivr_mulr ?exprn_gt0 // mul1r.
by rewrite [leRHS]exprS -[leLHS]mul1r ler_wpmul2r ?exprn_ge0 ?(ltW t0).
Qed.

Theorem regret_theorem_false : ~ regret_theorem.
Proof.
move=> [m [mu [dmu [ddmu [S [delta [Rs [L [kappa [link nums]]]]]]]]]]; have [_ _ _ L0 k0] := nums.
apply: (not_attained (B := sqrt L + kappa) link nums) => T V T1 range.
have /andP[v0 v1] := root_variance T1 L0 range; have [g0 g1 gT _] := small_dispersion T1.
have t0 : 0 < T%:R :> R by rewrite ltr0n ltnW.
rewrite expr1n !mul1r mulr0 addr0 addr_ge0 ?mulr_ge0 ?(ltW g0) ?(ltW k0) //= mulrDl ler_add //.
by rewrite ler_pdivl_mulr // mulrAC -[leRHS]mul1r ler_wpmul2r // ltW.
Qed.

Theorem linear_regret_false : ~ linear_regret.
Proof.
move=> [m [mu [dmu [ddmu [S [delta [L [kappa [link nums]]]]]]]]]; have [_ _ _ L0 k0] := nums.
apply: (not_attained (B := sqrt L + 1) link nums) => T V T1 range.
have /andP[v0 v1] := root_variance T1 L0 range; have [g0 g1 gT _] := small_dispersion T1.
have t0 : 0 < T%:R :> R by rewrite ltr0n ltnW.
rewrite (_ : Num.max 0 1 = 1 :> R); last exact/max_idPr/ler01.
rewrite !mul1r mulr1 addr_ge0 ?(ltW g0) //= mulrDl ler_add // ler_pdivl_mulr //.
Qed.
