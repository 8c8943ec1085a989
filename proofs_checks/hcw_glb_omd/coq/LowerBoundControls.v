(* Near mutants of the lower bounds, each denied: a changed constant or a dropped premise makes the statement false.
     corruption_larger_false   the corruption bound of every family, with 9/16 for 3/8
     cube_larger_false         the Gaussian hypercube, with 51/100 for 1/4
     cube_steep_false          the hypercube of a self-concordant family, without R_s w <= 1
     uncapped_false            Gaussian rewards of variances g_t, with the sum of g_t for that of min (g_t, c)
     uncapped_glm_false        families of dispersions g_t, with the same change *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots SelfConcordance LogisticLink QuadraticForm FiniteProcess.
From Glbcheck Require Import Assouad CorruptedBandit FiniteBandit ExponentialFamily FamilyDivergence.
From HCW Require Import Hypercube CubeVectors Lengths CorruptionBound GaussianCube TiltedCube GlmCube.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* --- thm:lower-bound-corruption ---------------------------------------------------------------------------------- *)

Definition corruption_larger := forall (d : nat) (Y : finType) (val : Y -> R) (base : nat -> Y -> R)
    (m mu : R -> R) (g : nat -> R) (S C : R) (pi : CorruptedBandit.policy d Y) (T : nat),
  let Delta := mu S - mu 0 in
  (1 < d)%N -> family_law val base m mu g -> 0 <= S -> 0 < Delta -> 8 * Delta <= C -> CorruptedBandit.is_policy pi ->
  exists (theta : 'cV[R]_d) (best : 'I_d) (adv : adversary d Y),
    [/\ dot theta theta <= S ^+ 2, is_adversary adv, within val C adv &
        Num.min (9 / 16 * (Delta * T%:R)) (3 / 1024 * (d%:R * C)) <=
        expected_regret pi (fun t a => mass val base m g t (arm_value theta a)) adv
          (fun a => mu (arm_value theta a)) best T].

(* A family seen from another origin. *)
Lemma shifted_family (Y : finType) (val : Y -> R) base (m mu : R -> R) g (a : R) : family_law val base m mu g ->
  family_law val (fun t y => base t y * exp (- (a * val y) / g t)) (fun z => m (z - a)) (fun z => mu (z - a)) g.
Proof.
move=> fam; have same t z y : mass val (fun t y => base t y * exp (- (a * val y) / g t)) (fun z => m (z - a)) g t z y =
    mass val base m g t (z - a) y.
  rewrite /mass -mulrA; congr (_ * _); rewrite -[LHS]/(Rmult _ _) -exp_plus; congr exp.
  apply: etrans (esym (mulrDl _ _ _)) _; congr (_ / _); move: (m _) => b; clear; to_R; lra.
split=> [t y|t|t z|t z]; [| exact: (disp_gt0 fam) | |].
- by apply: mulr_ge0; [exact: (base_ge0 fam) | apply/RleP/Rlt_le/exp_pos].
- by rewrite -[RHS](mass1 fam t (z - a)); apply: eq_bigr => y _; rewrite same.
- by rewrite -(mass_mean fam t (z - a)); apply: eq_bigr => y _; rewrite same.
Qed.

Lemma twice_less (x : R) : 2 * x - x = x.
Proof. by to_R; lra. Qed.

Lemma logistic_ln (x : R) : 0 < x -> logistic_mu (ln x) = x / (1 + x).
Proof. by move=> x0; rewrite logistic_muE exp_ln //; apply/RltP. Qed.

(* Coins whose mean at 0 is 1/20, S such that it is 19/20 there; one round, two arms, each pulled with probability
   1/2: at most 1/2, that is 5/9 Delta. *)
Theorem corruption_larger_false : ~ corruption_larger.
Proof.
move=> h; pose a : R := ln 19; pose mu z := logistic_mu (z - a).
have a0 : 0 <= a by apply/RleP; rewrite /a -[X in Rle X _]ln_1; apply: Scalar.ln_mono; to_R; lra.
have top : mu (2 * a) = 19 / 20.
  rewrite /mu twice_less.
  by rewrite logistic_ln; to_R; lra.
have bottom : mu 0 = 1 / 20.
  rewrite /mu sub0r (_ : - a = ln 19^-1); last by rewrite inv_R ln_Rinv //; apply: lt_R; rewrite ltr0n.
  by rewrite logistic_ln ?invr_gt0 ?ltr0n //; to_R; lra.
have D0 : 0 < mu (2 * a) - mu 0 by rewrite top bottom; to_R; lra.
have budget : 8 * (mu (2 * a) - mu 0) <= 192 * 8 by rewrite top bottom; to_R; lra.
pose pi : CorruptedBandit.policy 2 [finType of bool] := fun _ _ => 2^-1.
have lp : CorruptedBandit.is_policy pi.
  move=> s; rewrite /pi; split=> [b|]; first by rewrite invr_ge0 ler0n.
  by rewrite big_ord_recl big_ord1; to_R; lra.
have fam := shifted_family a bernoulli_family.
have S0 : 0 <= 2 * a by rewrite mulr_ge0 ?ler0n.
have [theta [best [adv [inb la _]]]] := h 2%N _ _ _ _ _ _ (2 * a) _ pi 1%N isT fam S0 D0 budget lp.
rewrite -/(mu (2 * a)) -/(mu 0) top bottom (_ : Num.min _ _ = 9 / 16 * (19 / 20 - 1 / 20)); last first.
  by rewrite mulr1; apply/min_idPl; to_R; lra.
set nu := (fun t b => mass _ _ _ _ t _); pose mean b := mu (arm_value theta b).
rewrite -/mean; have ln t b : law_of (nu t b) by apply: mass_law fam _ _.
have gap b : mean best - mean b <= 1.
  have [_ up] := logistic_range (arm_value theta best - a); have [low _] := logistic_range (arm_value theta b - a).
  by move: up low; rewrite /mean /mu; move: (logistic_mu _) (logistic_mu _) => u v; clear; to_R; lra.
have -> : expected_regret pi nu adv mean best 1 = \sum_b 2^-1 * (mean best - mean b).
  rewrite /expected_regret /= (eq_bigr (fun m : round 2 [finType of bool] =>
    2^-1 * (nu 0%N (arm_of m) (true_of m) * adv [::] (arm_of m) (true_of m) (revealed_of m)) *
    (mean best - mean (arm_of m)))) => [|m _]; last by rewrite /regret big_seq1.
  rewrite (sum_round (fun b y y' => 2^-1 * (nu 0%N b y * adv [::] b y y') * (mean best - mean b))).
  apply: eq_bigr => b _; under eq_bigr => y _ do [rewrite -mulr_suml -mulr_sumr -mulr_sumr (proj2 (la [::] b y)) mulr1].
  by rewrite -mulr_suml -mulr_sumr (proj2 (ln 0%N b)) mulr1.
have gap0 := gap 0; have gap1 := gap 1; rewrite big_ord_recl big_ord1.
have -> : lift ord0 ord0 = 1 :> 'I_2 by apply/val_inj.
have : mean best = mean 0 \/ mean best = mean 1.
  by case: best {gap gap0 gap1} => [[|[|]]] //= lt; [left | right]; congr (mean _); apply/val_inj.
clear gap; move: gap0 gap1; move: (mean best) (mean 0) (mean 1) => u v w; clear.
by move=> g0 g1 e low; case: e low g0 g1 => ->; to_R; lra.
Qed.

(* --- thm:lower-bound, Gaussian rewards ---------------------------------------------------------------------------- *)

Definition cube_larger := forall (d T : nat) (S v : R), (0 < d)%N -> (0 < T)%N -> 0 < S -> 0 < v ->
  let arm := @cube_arm d (fun=> 1) in let theta := cube_theta (cube_radius d T S v (fun=> v)) in
  forall P : signs d -> T.-tuple (signs d) -> R, (forall s, law_of (P s)) ->
  pinsker_and_chain_rule P (fun s s' t e =>
    normal_divergence v (dot (arm t e) (theta s)) (dot (arm t e) (theta s'))) ->
  exists s : signs d, dot (theta s) (theta s) <= S ^+ 2 /\
    Num.min (51 * d%:R * sqrt (v * T%:R) / 100) (S * T%:R / 2) <= linear_regret arm (P s) (theta s) s.

Definition uncapped := forall (d T : nat) (S c : R) (g : nat -> R),
  (0 < d)%N -> (0 < T)%N -> 0 < S -> 0 < c -> (forall t, 0 < g t) ->
  let arm := @cube_arm d (length_of c g) in let theta := cube_theta (cube_radius d T S c g) in
  let V := \sum_(t < T) g t in
  forall P : signs d -> T.-tuple (signs d) -> R, (forall s, law_of (P s)) ->
  pinsker_and_chain_rule P (fun s s' t e =>
    normal_divergence (g t) (dot (arm t e) (theta s)) (dot (arm t e) (theta s'))) ->
  exists s : signs d, dot (theta s) (theta s) <= S ^+ 2 /\
    Num.min (d%:R * sqrt V / 4) (S * V / (2 * c)) <= linear_regret arm (P s) (theta s) s.

(* One round in dimension 1, both arms with probability 1/2. *)
Let all b : signs 1 := [ffun=> b].
Let one b : 1.-tuple (signs 1) := [tuple all b].
Definition fair (x : 1.-tuple (signs 1)) : R := (x == one true)%:R / 2 + (x == one false)%:R / 2.

Lemma fair_mean f : \sum_x fair x * f x = f (one true) / 2 + f (one false) / 2.
Proof.
under eq_bigr => x _ do rewrite mulrDl mulrAC [X in _ + X]mulrAC.
by rewrite big_split /= -!mulr_suml !point_mean.
Qed.

Lemma fair_law : law_of fair.
Proof.
split=> [x|]; first by rewrite addr_ge0 // divr_ge0 ?ler0n.
by have := fair_mean (fun=> 1); rewrite (eq_bigr fair) => [->|x _]; [to_R; lra | rewrite mulr1].
Qed.

Lemma fair_regret (w : R) (s : signs 1) : linear_regret (@cube_arm 1 (fun=> 1)) fair (cube_theta w s) s = w.
Proof.
have pulled b : tnth (one b) 0 = all b by [].
rewrite /linear_regret fair_mean !big_ord1 !pulled.
have value e : dot (cube_arm (fun=> 1) 0%N e) (cube_theta w s) = sign (e 0) * sign (s 0) * w.
  by rewrite /cube_arm /cube_theta dot_signs big_ord1 sqrt_1 !divr1 mul1r mulrC.
by rewrite !value /all !ffunE; case: (s 0); rewrite /sign; to_R; lra.
Qed.

Lemma fair_premise (v : R) (f : nat -> signs 1 -> signs 1 -> R) : 0 < v ->
  pinsker_and_chain_rule (fun=> fair) (fun s s' t e => normal_divergence v (f t e s) (f t e s')).
Proof. by move=> v0; apply: (blind_meets_premise fair (all true)) => s s' t e; apply: normal_divergence_ge0. Qed.

(* w = 1/2, and 1/2 is what it costs. *)
Theorem cube_larger_false : ~ cube_larger.
Proof.
move=> h; have w : cube_radius 1 1 10 1 (fun=> 1) = 2^-1.
  by rewrite /cube_radius /capped_radius capped_constant !mulr1 sqrt_1 mulr1 mul1r; apply/min_idPl; to_R; lra.
have := h 1%N 1%N 10 1 isT isT (ltr0n _ _) ltr01 (fun=> fair) (fun=> fair_law) (@fair_premise _ _ ltr01).
rewrite w => -[s [_]]; rewrite fair_regret !mulr1 sqrt_1 mulr1.
have -> : Num.min (51 / 100) (10 / 2) = 51 / 100 :> R by apply/min_idPl; to_R; lra.
by to_R; lra.
Qed.

(* The variance is 100 and c = 1: arms of length 1, w = 1/2 again, against 10/4. *)
Theorem uncapped_false : ~ uncapped.
Proof.
move=> h; pose g (_ : nat) : R := 10 ^+ 2; have g0 t : 0 < g t by rewrite exprn_gt0 // ltr0n.
have g1 : 1 <= g 0%N by rewrite /g -natrX ler1n.
have w : cube_radius 1 1 10 1 g = 2^-1.
  rewrite /cube_radius /capped_radius /capped_sum big_ord1 (min_idPr g1) sqrt_1 !mulr1 mul1r.
  by apply/min_idPl; to_R; lra.
have len : length_of 1 g = (fun=> 1) by apply/funext => t; rewrite /length_of divr1; apply/min_idPl.
have := h 1%N 1%N 10 1 g isT isT (ltr0n _ _) ltr01 g0 (fun=> fair) (fun=> fair_law) (@fair_premise _ _ (g0 0%N)).
rewrite w len => -[s [_]]; rewrite fair_regret big_ord1 /g sqrt_of_square ?ler0n // mul1r.
have -> : Num.min (10 / 4) (10 * 10 ^+ 2 / (2 * 1)) = 10 / 4 :> R by apply/min_idPl; to_R; lra.
by to_R; lra.
Qed.

(* --- thm:lower-bound, self-concordant families --------------------------------------------------------------------- *)

Definition cube_steep := forall (n T : nat) (s0 S v Rs : R) (m mu dmu ddmu : R -> R),
  let z0 := s0 / sqrt 2 in let w := glm_radius n T v (fun=> v) (dmu z0) in
  let arm := @tilted_arm n (fun=> 1) in let theta := @tilted_theta n w s0 in
  (0 < n)%N -> (0 < T)%N -> 0 < v -> 0 <= Rs -> smooth m mu dmu ddmu -> 0 < dmu z0 ->
  concordant dmu ddmu Rs (Rminus z0 w) (Rplus z0 w) -> s0 ^+ 2 + 2 * w ^+ 2 <= S ^+ 2 ->
  forall (Y : finType) (val : Y -> R) (base : nat -> Y -> R) (pi : policy [finType of signs n] Y),
  family_law val base m mu (fun=> v) -> is_policy pi ->
  let P s := arms_law pi (fun t e => mass val base m (fun=> v) t (dot (arm t e) (theta s))) (T := T) in
  exists s : signs n,
    [/\ dot (theta s - centre n s0) (theta s - centre n s0) = 2 * w ^+ 2, dot (theta s) (theta s) <= S ^+ 2 &
        n%:R / 18 * sqrt (dmu z0 * (v * T%:R)) <= glm_regret mu arm (P s) (theta s) s].

Definition uncapped_glm := forall (n T : nat) (s0 S c Rs : R) (g : nat -> R) (m mu dmu ddmu : R -> R),
  let z0 := s0 / sqrt 2 in let w := glm_radius n T c g (dmu z0) in
  let arm := @tilted_arm n (length_of c g) in let theta := @tilted_theta n w s0 in
  (0 < n)%N -> (0 < T)%N -> 0 < c -> (forall t, 0 < g t) -> 0 <= Rs -> smooth m mu dmu ddmu -> 0 < dmu z0 ->
  concordant dmu ddmu Rs (Rminus z0 w) (Rplus z0 w) -> Rs * w <= 1 -> s0 ^+ 2 + 2 * w ^+ 2 <= S ^+ 2 ->
  forall (Y : finType) (val : Y -> R) (base : nat -> Y -> R) (pi : policy [finType of signs n] Y),
  family_law val base m mu g -> is_policy pi ->
  let P s := arms_law pi (fun t e => mass val base m g t (dot (arm t e) (theta s))) (T := T) in
  exists s : signs n,
    [/\ dot (theta s - centre n s0) (theta s - centre n s0) = 2 * w ^+ 2, dot (theta s) (theta s) <= S ^+ 2 &
        n%:R / 18 * sqrt (dmu z0 * \sum_(t < T) g t) <= glm_regret mu arm (P s) (theta s) s].

Lemma logistic_bounds (z : R) : 0 <= logistic_mu z <= 1.
Proof.
have e0 : 0 <= exp z by apply/RleP/Rlt_le/exp_pos.
rewrite logistic_muE divr_ge0 ?(ltW (exp1p_gt0 _)) //= ler_pdivr_mulr ?exp1p_gt0 // mul1r.
by rewrite ler_addr ler01.
Qed.

(* Means between 0 and 1 cost at most 1 a round. *)
Lemma logistic_regret_le d n T (arm : nat -> signs n -> 'cV[R]_d) (P : T.-tuple (signs n) -> R) theta best :
  law_of P -> glm_regret logistic_mu arm P theta best <= T%:R.
Proof.
move=> lP; rewrite -[leRHS](mean_cst lP); apply: mean_le => // x.
have -> : T%:R = \sum_(t < T) 1 :> R by rewrite sumr_const card_ord.
apply: ler_sum => t _.
have /andP[_ b1] := logistic_bounds (dot (arm t best) theta).
have /andP[a0 _] := logistic_bounds (dot (arm t (tnth x t)) theta).
by move: b1 a0; move: (logistic_mu _) (logistic_mu _) => u v; clear; to_R; lra.
Qed.

Definition first_arm n : policy [finType of signs n] [finType of bool] := fun _ e => (e == [ffun=> true])%:R.
Lemma first_arm_law n : is_policy (@first_arm n). Proof. by move=> h; apply: point_law. Qed.

Lemma ball_around (x : R) : 0 <= x -> 0 ^+ 2 + x <= (1 + x) ^+ 2.
Proof. by to_R; nra. Qed.

(* Logistic rewards, n = 37 and one round: 37/36 against 1. *)
Lemma too_much (arm : nat -> signs 37 -> 'cV[R]_(37 + 1)) theta s :
  let P s := arms_law (@first_arm 37) (fun t e =>
    mass bit (fun _ _ => 1) logistic_m (fun=> 1) t (dot (arm t e) (theta s))) (T := 1) in
  ~ (37%:R / 18 * sqrt (4^-1 * 1) <= glm_regret logistic_mu arm (P s) (theta s) s).
Proof.
move=> P low; have [lP _] := finite_facts 1 arm theta bernoulli_family (@first_arm_law 37).
have := le_trans low (logistic_regret_le _ _ _ (lP s)); rewrite mulr1.
have -> : 4^-1 = 2^-1 ^+ 2 :> R by to_R; lra.
by rewrite sqrt_of_square ?invr_ge0 ?ler0n //; to_R; lra.
Qed.

Let slope_gt0 : 0 < logistic_dmu (0 / sqrt 2). Proof. by rewrite logistic_slope0 invr_gt0 ltr0n. Qed.

Theorem cube_steep_false : ~ cube_steep.
Proof.
move=> h; pose w := glm_radius 37 1 1 (fun=> 1) (logistic_dmu (0 / sqrt 2)).
have w2 : 0 <= 2 * w ^+ 2 by rewrite mulr_ge0 ?ler0n ?sqr_ge0.
have [s [_ _]] := h 37%N 1%N 0 (1 + 2 * w ^+ 2) 1 1 _ _ _ _ isT isT ltr01 ler01 logistic_smooth slope_gt0
  (logistic_concordant _ _) (ball_around w2) _ _ _ _ bernoulli_family (@first_arm_law 37).
by rewrite logistic_slope0 mulr1; apply: too_much.
Qed.

(* With c = 37^-2 the radius is 1/sqrt e. *)
Theorem uncapped_glm_false : ~ uncapped_glm.
Proof.
move=> h; pose c : R := 37^-1 ^+ 2; have c0 : 0 < c by rewrite exprn_gt0 // invr_gt0 ltr0n.
pose w := glm_radius 37 1 c (fun=> 1) (logistic_dmu (0 / sqrt 2)).
have w2 : 0 <= 2 * w ^+ 2 by rewrite mulr_ge0 ?ler0n ?sqr_ge0.
have w1 : 1 * w <= 1.
  rewrite mul1r /w /glm_radius /capped_radius /capped_sum big_ord1 logistic_slope0.
  have -> : Num.min 1 c = c by apply/min_idPr; rewrite /c; to_R; lra.
  have e1 : 1 <= exp 1 by apply/RleP; have := Scalar.exp_ge 1; to_R; lra.
  have big : 37^-1 / 2 <= sqrt (4^-1 * exp 1 * c).
    have E0 : 0 <= 4^-1 * exp 1 by move: e1; move: (exp 1) => x; to_R; lra.
    apply: le_sqrt; first exact: mulr_ge0 E0 (ltW c0).
    by move: e1; rewrite /c; move: (exp 1) => x; to_R; lra.
  have pos : 0 < sqrt (4^-1 * exp 1 * c) by apply: lt_le_trans big; rewrite divr_gt0 ?invr_gt0 ?ltr0n.
  rewrite ler_pdivr_mulr ?mulr_gt0 ?ltr0n // mul1r; move: big; rewrite /c.
  by move: (sqrt _) => x; to_R; lra.
have [s [_ _]] := h 37%N 1%N 0 (1 + 2 * w ^+ 2) c 1 (fun=> 1) _ _ _ _ isT isT c0 (fun=> ltr01) ler01 logistic_smooth
  slope_gt0 (logistic_concordant _ _) w1 (ball_around w2) _ _ _ _ bernoulli_family (@first_arm_law 37).
by rewrite logistic_slope0 big_ord1; apply: too_much.
Qed.
