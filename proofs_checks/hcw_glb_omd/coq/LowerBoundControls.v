(* Near mutants of the lower bounds, each denied: a changed constant or a dropped premise makes the statement false.
     corruption_larger_false   the corruption bound of every family, with 9/8 for 3/8
     cube_larger_false         the Gaussian hypercube, with 3/5 for 1/4
     cube_steep_false          the hypercube of a self-concordant family, without R_s w <= 1
     bins_few_false            Gaussian rewards of dispersions g_t, without sum g >= 2 g_max
     bins_steep_false          families of dispersions g_t, without R_s w_l <= 1 *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots SelfConcordance LogisticLink QuadraticForm DyadicBins FiniteProcess.
From Glbcheck Require Import Assouad CorruptedBandit FiniteBandit ExponentialFamily FamilyDivergence.
From HCW Require Import Hypercube CubeVectors CorruptionBound GaussianCube GlmBlocks GlmCube Heteroskedastic.
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
        Num.min (9 / 8 * (Delta * T%:R)) (3 / 1024 * (d%:R * C)) <=
        expected_regret pi (fun t a => mass val base m g t (arm_value theta a)) adv
          (fun a => mu (arm_value theta a)) best T].

Lemma logistic_mirror (z : R) : logistic_mu (- z) = 1 - logistic_mu z.
Proof.
rewrite /logistic_mu [exp (- z)]exp_Ropp; have := exp_pos z; move: (exp z) => e e0.
by to_R; field; split; lra.
Qed.

Lemma logistic_mono (y z : R) : y <= z -> logistic_mu y <= logistic_mu z.
Proof. by move=> yz; apply/RleP; apply: (mu_mono _ _ _ _ logistic_smooth); apply/RleP. Qed.

Lemma arm_value_bounds d (theta : 'cV[R]_d) (S : R) (a : 'I_d) : 0 <= S -> dot theta theta <= S ^+ 2 ->
  - S <= arm_value theta a <= S.
Proof.
move=> S0 inb; have -> : arm_value theta a = theta a 0.
  rewrite /arm_value /dot mxE (bigD1 a) //= !mxE !eqxx mul1r big1 ?addr0 // => j /negbTE ne.
  by rewrite !mxE ne mul0r.
have : theta a 0 ^+ 2 <= S ^+ 2.
  apply: le_trans inb; rewrite /dot mxE (bigD1 a) //= !mxE -expr2 ler_addl; apply: sumr_ge0 => j _.
  by rewrite !mxE -expr2 sqr_ge0.
by rewrite -ler_norml -[theta a 0 ^+ 2]real_normK ?num_real // ler_sqr ?nnegrE ?normr_ge0.
Qed.

(* One round, two arms, each pulled with probability 1/2: at most half of mu S - mu (-S), which is Delta. *)
Theorem corruption_larger_false : ~ corruption_larger.
Proof.
move=> h; pose Delta := logistic_mu 1 - logistic_mu 0; have D0 : 0 < Delta := logistic_increases ltr01.
have D1 : Delta <= 1 := logistic_gap_le 1.
pose pi : CorruptedBandit.policy 2 [finType of bool] := fun _ _ => 2^-1.
have lp : CorruptedBandit.is_policy pi.
  move=> s; rewrite /pi; split=> [a|]; first by rewrite invr_ge0 ler0n.
  by rewrite big_ord_recl big_ord1; to_R; lra.
have budget : 8 * Delta <= 192 * 8 by move: D1; to_R; lra.
have [theta [best [adv [inb la _]]]] := h 2%N _ _ _ _ _ _ 1 _ pi 1%N isT bernoulli_family ler01 D0 budget lp.
have -> : Num.min (9 / 8 * ((logistic_mu 1 - logistic_mu 0) * 1%:R)) (3 / 1024 * (2%:R * (192 * 8))) = 9 / 8 * Delta.
  by rewrite mulr1; apply/min_idPl; move: D1; rewrite /Delta; to_R; lra.
pose nu : rewards 2 [finType of bool] := fun t a =>
  mass bit (fun _ _ => 1) logistic_m (fun=> 1) t (arm_value theta a).
pose mean a := logistic_mu (arm_value theta a).
suff : ~ (9 / 8 * Delta <= expected_regret pi nu adv mean best 1) by apply.
have ln t a : law_of (nu t a) by apply: mass_law bernoulli_family _ _.
have gap a : mean best - mean a <= 2 * Delta.
  have /andP[_ up] := arm_value_bounds best ler01 inb; have /andP[low _] := arm_value_bounds a ler01 inb.
  have := ler_sub (logistic_mono up) (logistic_mono low); rewrite -/(mean best) -/(mean a) logistic_mirror.
  have : logistic_mu 0 = 2^-1 by rewrite logistic_muE exp_0; to_R; lra.
  by rewrite /Delta; move: (mean best) (mean a) (logistic_mu 1) (logistic_mu 0); clear; to_R; lra.
have -> : expected_regret pi nu adv mean best 1 = \sum_a 2^-1 * (mean best - mean a).
  rewrite /expected_regret /= (eq_bigr (fun m : round 2 [finType of bool] =>
    2^-1 * (nu 0%N (arm_of m) (true_of m) * adv [::] (arm_of m) (true_of m) (revealed_of m)) *
    (mean best - mean (arm_of m)))) => [|m _]; last by rewrite /regret big_seq1.
  rewrite (sum_round (fun a y y' => 2^-1 * (nu 0%N a y * adv [::] a y y') * (mean best - mean a))).
  apply: eq_bigr => a _; under eq_bigr => y _ do [rewrite -mulr_suml -mulr_sumr -mulr_sumr (proj2 (la [::] a y)) mulr1].
  by rewrite -mulr_suml -mulr_sumr (proj2 (ln 0%N a)) mulr1.
have gap0 := gap 0; have gap1 := gap 1; rewrite big_ord_recl big_ord1.
have -> : lift ord0 ord0 = 1 :> 'I_2 by apply/val_inj.
have : mean best = mean 0 \/ mean best = mean 1.
  by case: best {gap gap0 gap1} => [[|[|]]] //= lt; [left | right]; congr (mean _); apply/val_inj.
clear gap; move: gap0 gap1 D0; move: (mean best) (mean 0) (mean 1) Delta {D1 budget} => u v w D; clear.
by move=> g0 g1 D0 e low; case: e low g0 g1 D0 => ->; to_R; lra.
Qed.

(* --- thm:lower-bound, one dispersion ------------------------------------------------------------------------------ *)

Definition cube_larger := forall (d T : nat) (S g : R), (0 < d)%N -> (0 < T)%N -> 0 < S -> 0 < g ->
  let theta := cube_theta (cube_radius d T S g) in
  forall P : signs d -> T.-tuple (signs d) -> R, (forall s, law_of (P s)) ->
  pinsker_and_chain_rule P (fun s s' t e =>
    normal_divergence g (dot (cube_arm e) (theta s)) (dot (cube_arm e) (theta s'))) ->
  exists s : signs d, dot (theta s) (theta s) <= S ^+ 2 /\
    Num.min (3 * d%:R * sqrt (g * T%:R) / 5) (S * T%:R / 2) <=
    linear_regret (fun=> @cube_arm d) (P s) (theta s) s.

(* One round in dimension 1, both arms with probability 1/2: the regret is w = 1/2. *)
Theorem cube_larger_false : ~ cube_larger.
Proof.
move=> h; pose all b : signs 1 := [ffun=> b].
pose one b : 1.-tuple (signs 1) := [tuple all b].
pose p (x : 1.-tuple (signs 1)) : R := (x == one true)%:R / 2 + (x == one false)%:R / 2.
have p_mean f : \sum_x p x * f x = f (one true) / 2 + f (one false) / 2.
  under eq_bigr => x _ do rewrite mulrDl mulrAC [X in _ + X]mulrAC.
  by rewrite big_split /= -!mulr_suml !point_mean.
have lp : law_of p.
  split=> [x|]; first by rewrite addr_ge0 // divr_ge0 ?ler0n.
  by have := p_mean (fun=> 1); rewrite (eq_bigr p) => [->|x _]; [to_R; lra | rewrite mulr1].
have w : cube_radius 1 1 10 1 = 2^-1.
  rewrite /cube_radius !mulr1n divr1 sqrt_1 !mul1r; apply/min_idPl.
  by to_R; lra.
have := h 1%N 1%N 10 1 isT isT (ltr0n _ _) ltr01 (fun=> p) (fun=> lp).
rewrite w => /(_ (blind_meets_premise p (all true) (fun s s' t e => normal_divergence_ge0 _ _ ltr01))) [s [_]].
have pulled b : tnth (one b) 0 = all b by [].
rewrite /linear_regret p_mean !big_ord1 !pulled.
have value e : dot (cube_arm e) (cube_theta 2^-1 s) = sign (e 0) * sign (s 0) / 2.
  by rewrite /dot mxE big_ord1 !mxE sqrt_1 !divr1 [2^-1 * _]mulrC mulrA.
rewrite !value /all !ffunE !mulr1 sqrt_1 mulr1.
have -> : Num.min (3 / 5) (10 / 2) = 3 / 5 :> R by apply/min_idPl; to_R; lra.
by case: (s 0); rewrite /sign; to_R; lra.
Qed.

Definition cube_steep := forall (n T : nat) (s0 S g Rs : R) (m mu dmu ddmu : R -> R),
  let z0 := s0 / sqrt 2 in let w := glm_radius n T g (dmu z0) in
  (0 < n)%N -> (0 < T)%N -> 0 < g -> 0 <= Rs -> smooth m mu dmu ddmu -> 0 < dmu z0 ->
  concordant dmu ddmu Rs (Rminus z0 w) (Rplus z0 w) -> s0 ^+ 2 + 2 * w ^+ 2 <= S ^+ 2 ->
  forall (Y : finType) (val : Y -> R) (base : nat -> Y -> R) (pi : policy [finType of signs n] Y),
  family_law val base m mu (fun=> g) -> is_policy pi ->
  let P s := arms_law pi (fun t e => mass val base m (fun=> g) t (dot (one_arm t e) (one_theta w s0 s))) (T := T) in
  exists s : signs n,
    [/\ dot (one_theta w s0 s - centre n s0) (one_theta w s0 s - centre n s0) = 2 * w ^+ 2,
        dot (one_theta w s0 s) (one_theta w s0 s) <= S ^+ 2 &
        n%:R / 18 * sqrt (g * (T%:R * dmu z0)) <= glm_regret mu (@one_arm n) (P s) (one_theta w s0 s) s].

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
Theorem cube_steep_false : ~ cube_steep.
Proof.
move=> h; pose w := glm_radius 37 1 1 (logistic_dmu (0 / sqrt 2)).
have v0 : 0 < logistic_dmu (0 / sqrt 2) by rewrite logistic_slope0 invr_gt0 ltr0n.
have w2 : 0 <= 2 * w ^+ 2 by rewrite mulr_ge0 ?ler0n ?sqr_ge0.
have [s [_ _]] := h 37%N 1%N 0 (1 + 2 * w ^+ 2) 1 1 _ _ _ _ isT isT ltr01 ler01 logistic_smooth v0
  (logistic_concordant _ _) (ball_around w2) _ _ _ _ bernoulli_family (@first_arm_law 37).
have [lP _] := finite_facts 1 (@one_arm 37) (one_theta w 0) bernoulli_family (@first_arm_law 37).
move=> low; have := le_trans low (logistic_regret_le _ _ _ (lP s)); rewrite logistic_slope0 !mul1r.
have -> : 4^-1 = 2^-1 ^+ 2 :> R by to_R; lra.
by rewrite sqrt_of_square ?invr_ge0 ?ler0n //; to_R; lra.
Qed.

(* --- thm:lower-bound, dispersions g_t ------------------------------------------------------------------------------ *)

Definition bins_few := forall (n T L : nat) (g : nat -> R) (g_max : R) (bin : nat -> nat),
  (0 < T)%N -> (0 < L)%N -> (L <= n)%N -> (forall t, 0 < g t) -> (forall t, (t < T)%N -> g t <= g_max) ->
  dyadic T g g_max L bin -> forall S : R,
  let k := share n L in let w := bin_radius n T L g bin 1 in
  let arm := block_arm (@cut n k) bin (sqrt k%:R)^-1 in
  let theta := block_theta (@cut n k) (fun l => w l / sqrt k%:R) in
  \sum_(l < L) w l.+1 ^+ 2 <= S ^+ 2 ->
  forall P : signs n -> T.-tuple (signs n) -> R, (forall s, law_of (P s)) ->
  pinsker_and_chain_rule P (fun s s' t e =>
    normal_divergence (g t) (dot (arm t e) (theta s)) (dot (arm t e) (theta s'))) ->
  exists s : signs n, dot (theta s) (theta s) <= S ^+ 2 /\
    n%:R / (16 * L%:R) * sqrt (\sum_(t < T) g t) <= linear_regret arm (P s) (theta s) s.

(* One round, which falls into bin 0: its arms are 0, and so is the regret. *)
Theorem bins_few_false : ~ bins_few.
Proof.
move=> h; have sorted : dyadic 1 (fun=> 1) 1 1 (fun=> 0%N).
  by move=> t _; split=> //; rewrite /edge expr0 mul1r mulr1n divr1 lexx.
pose p (x : 1.-tuple (signs 1)) : R := (x == [tuple [ffun=> true]])%:R.
pose W := \sum_(l < 1) bin_radius 1 1 1 (fun=> 1) (fun=> 0%N) 1 l.+1 ^+ 2.
have W0 : 0 <= W by apply: sumr_ge0 => l _; apply: sqr_ge0.
have inside : W <= (1 + W) ^+ 2 by have := ball_around W0; rewrite expr0n add0r.
have [s [_]] := h 1%N 1%N 1%N (fun=> 1) 1 (fun=> 0%N) isT isT isT (fun=> ltr01) (fun _ _ => lexx 1) sorted (1 + W)
  inside (fun=> p) (fun=> point_law _)
  (blind_meets_premise p [ffun=> true] (fun s s' t e => normal_divergence_ge0 _ _ ltr01)).
have -> : block_arm (cut (share 1 1)) (fun=> 0%N) (sqrt (share 1 1)%:R)^-1 = (fun _ _ => 0)
    :> (nat -> signs 1 -> 'cV[R]_1).
  by apply/funext => t; apply/funext => e; apply/matrixP => i j; rewrite !mxE.
rewrite /linear_regret [leRHS]big1 => [|x _]; last by rewrite big_ord1 subrr mulr0.
by rewrite !big_ord1 sqrt_1; to_R; lra.
Qed.

Definition bins_steep := forall (n T L : nat) (g : nat -> R) (g_max : R) (bin : nat -> nat),
  (0 < T)%N -> (0 < L)%N -> (L <= n)%N -> (forall t, 0 < g t) -> (forall t, (t < T)%N -> g t <= g_max) ->
  2 * g_max <= \sum_(t < T) g t -> dyadic T g g_max L bin ->
  forall (s0 S Rs : R) (m mu dmu ddmu : R -> R),
  let k := share n L in let z0 := s0 / sqrt 2 in let w := bin_radius n T L g bin (dmu z0 * exp 1) in
  let arm := tilted_arm k (@cut n k) bin in let theta := tilted_theta k (@cut n k) w s0 in
  0 <= Rs -> smooth m mu dmu ddmu -> 0 < dmu z0 ->
  (forall l, concordant dmu ddmu Rs (Rminus z0 (w l)) (Rplus z0 (w l))) ->
  s0 ^+ 2 + 2 * (\sum_(l < L) w l.+1 ^+ 2) <= S ^+ 2 ->
  forall (Y : finType) (val : Y -> R) (base : nat -> Y -> R) (pi : policy [finType of signs n] Y),
  family_law val base m mu g -> is_policy pi ->
  let P s := arms_law pi (fun t e => mass val base m g t (dot (arm t e) (theta s))) (T := T) in
  exists s : signs n,
    [/\ dot (theta s - centre n s0) (theta s - centre n s0) = 2 * (\sum_(l < L) w l.+1 ^+ 2),
        dot (theta s) (theta s) <= S ^+ 2 &
        n%:R / (72 * L%:R) * sqrt (dmu z0 * \sum_(t < T) g t) <= glm_regret mu arm (P s) (theta s) s].

(* 300 without its unary digits. *)
Lemma three_hundred : exists n : nat, (1 <= n)%N /\ n%:R = IZR 300 :> R.
Proof. by exists (Z.to_nat 300); rewrite -INRE INR_IZR_INZ; split. Qed.

(* Logistic rewards, n = 300, two rounds in one bin: 300/144 against 2. *)
Theorem bins_steep_false : ~ bins_steep.
Proof.
move=> h; have [n [n1 nE]] := three_hundred.
have sum2 : \sum_(t < 2) (1 : R) = 2 by rewrite sumr_const card_ord.
have sorted : dyadic 2 (fun=> 1) 1 1 (fun=> 1%N).
  by move=> t _; split=> // [|_]; rewrite /edge expr1 mulr1 divff ?pnatr_eq0 ?mulr1 ?ltr1n.
pose w := bin_radius n 2 1 (fun=> 1) (fun=> 1%N) (logistic_dmu (0 / sqrt 2) * exp 1).
pose W := 2 * (\sum_(l < 1) w l.+1 ^+ 2).
have W0 : 0 <= W by rewrite mulr_ge0 ?ler0n // sumr_ge0 // => l _; apply: sqr_ge0.
have v0 : 0 < logistic_dmu (0 / sqrt 2) by rewrite logistic_slope0 invr_gt0 ltr0n.
have enough : 2 * 1 <= \sum_(t < 2) (1 : R) by rewrite sum2 mulr1.
have [s [_ _]] := h n 2%N 1%N (fun=> 1) 1 (fun=> 1%N) isT isT n1 (fun=> ltr01) (fun _ _ => lexx 1) enough sorted
  0 (1 + W) 1 _ _ _ _ ler01 logistic_smooth v0 (fun l => logistic_concordant _ _) (ball_around W0)
  _ _ _ _ bernoulli_family (@first_arm_law n).
have [lP _] := finite_facts 2 (tilted_arm (share n 1) (@cut n (share n 1)) (fun=> 1%N))
  (tilted_theta (share n 1) (@cut n (share n 1)) w 0) bernoulli_family (@first_arm_law n).
move=> low; have := le_trans low (logistic_regret_le _ _ _ (lP s)); rewrite logistic_slope0 sum2 nE.
have root : 2^-1 <= sqrt (4^-1 * 2) by apply: le_sqrt; to_R; lra.
by move: root; move: (sqrt _) => r; to_R; lra.
Qed.
