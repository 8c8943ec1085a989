(* thm:lower-bound, repaired, for dispersions g_1, ..., g_T: the rounds are sorted into dyadic bins 1, ..., L, each bin
   has k = n/L (rounded down) coordinates of its own and, in them, a hypercube of radius
   w_l = k / (2 sqrt (B H_l)), H_l the sum of 1/g over the bin, and 0 for an empty bin.
     bins_pay                           sum of a w / 2 over the rounds outside bin 0 >= a/sqrt B n sqrt (sum g)/(16 L)
     heteroskedastic_lower_bound_glm    self-concordant families, d = n + 1: regret >= n sqrt (mu'(z0) sum g)/(72 L)
     heteroskedastic_lower_bound_glm_finite   the same for finitely many reward values, nothing assumed
     heteroskedastic_lower_bound        Gaussian rewards, n = d: regret >= d sqrt (sum g)/(16 L)
     bins_premises_met, logistic_bins   the premises can be met *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots SelfConcordance SlopeBounds LogisticLink QuadraticForm DyadicBins.
From Glbcheck Require Import FiniteProcess Assouad FiniteBandit ExponentialFamily Divergence FamilyDivergence.
From HCW Require Import Hypercube CubeVectors GaussianCube GlmBlocks GlmCube.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Bins.
Variables (n T L : nat) (g : nat -> R) (g_max : R) (bin : nat -> nat).
Hypothesis T_gt0 : (0 < T)%N.
Hypothesis L_gt0 : (0 < L)%N.
Hypothesis L_le : (L <= n)%N.
Hypothesis g_gt0 : forall t, 0 < g t.
Hypothesis g_le : forall t, (t < T)%N -> g t <= g_max.
Hypothesis enough : 2 * g_max <= \sum_(t < T) g t.
Hypothesis sorted : dyadic T g g_max L bin.
Definition share : nat := n %/ L.
Definition bin_radius (B : R) (l : nat) : R := share%:R / 2 / sqrt (B * inverse_sum T g bin l).

Lemma share_gt0 : (0 < share)%N. Proof. by rewrite divn_gt0. Qed.
Lemma share_fits : (L * share <= n)%N. Proof. by rewrite mulnC leq_trunc_div. Qed.
Lemma share_ge : n%:R <= 2 * L%:R * share%:R :> R.
Proof.
rewrite -!natrM ler_nat; have := ltn_ceil n L_gt0; have := share_gt0; rewrite /share; move: (n %/ L)%N => k; nia.
Qed.

Lemma block_at_most l : (block_size (@cut n share) l <= share)%N.
Proof. exact: cut_le share_gt0 l. Qed.

Section Radius.
Variable B : R.
Hypothesis B_gt0 : 0 < B.
Let H := inverse_sum T g bin.
Let H_ge0 l : 0 <= H l. Proof. exact: inverse_sum_ge0. Qed.

Lemma bin_radius_ge0 l : 0 <= bin_radius B l.
Proof. by rewrite divr_ge0 ?sqrt_ge0 // divr_ge0 ?ler0n. Qed.

Lemma bin_small l : 4 * (bin_radius B l ^+ 2 * B * H l) <= share%:R ^+ 2.
Proof.
rewrite /bin_radius expr_div_n [sqrt _ ^+ 2]expr2 sqrt_sq ?mulr_ge0 ?(ltW B_gt0) //.
have c : (B * H l)^-1 * (B * H l) <= 1.
  by case: (eqVneq (B * H l) 0) => [->|nz]; rewrite ?mulr0 ?ler01 // mulVf.
have := ler_wpmul2l (sqr_ge0 (share%:R : R)) c; rewrite -/(H l).
have solve (x b h i : R) : x ^+ 2 * (i * (b * h)) <= x ^+ 2 * 1 -> 4 * ((x / 2) ^+ 2 * i * b * h) <= x ^+ 2.
  by clear; to_R; lra.
exact: solve.
Qed.

Lemma no_radius l : (L < l)%N -> bin_radius B l = 0.
Proof.
move=> Ll; rewrite /bin_radius /inverse_sum big_pred0 ?mulr0 ?sqrt_0 ?invr0 ?mulr0 // => t.
by have [bL _ _] := sorted (ltn_ord t); apply/negbTE; rewrite neq_ltn (leq_ltn_trans bL Ll).
Qed.

(* The squared length of a parameter whose block l has signs of size w_l c / sqrt k. *)
Lemma radius_total (c : R) : \sum_(j < n) c * bin_radius B (cut share j) ^+ 2 / share%:R =
  c * \sum_(l < L) bin_radius B l.+1 ^+ 2.
Proof.
have kR : share%:R != 0 :> R by rewrite pnatr_eq0 -lt0n share_gt0.
rewrite (sum_cut share_gt0 (F := fun l => c * bin_radius B l ^+ 2 / share%:R) share_fits) => [|l Ll].
  by rewrite mulr_sumr; apply: eq_bigr => l _; rewrite mulrC divfK.
by rewrite no_radius // expr0n mulr0 mul0r.
Qed.

Lemma bins_pay (a : R) : 0 <= a -> a / sqrt B * (n%:R / (16 * L%:R) * sqrt (\sum_(t < T) g t)) <=
  \sum_(t < T | block_size (@cut n share) (bin t) == share) a * bin_radius B (bin t) / 2.
Proof.
move=> a0; have sB := sqrt_gt0 B_gt0.
have term l : a * bin_radius B l / 2 = a / sqrt B * (share%:R / 4) * (sqrt (H l))^-1.
  rewrite /bin_radius sqrtM ?(ltW B_gt0) // invfM -/(H l).
  by move: (sqrt B)^-1 (sqrt (H l))^-1 (share%:R : R) => x y z; clear; to_R; lra.
apply: le_trans (_ : \sum_(t < T | (0 < bin t)%N) a * bin_radius B (bin t) / 2 <= _); last first.
  rewrite big_mkcond [leRHS]big_mkcond; apply: ler_sum => t _; case: (posnP (bin t)) => b0.
    by case: ifP => // _; rewrite divr_ge0 ?ler0n // mulr_ge0 ?bin_radius_ge0.
  have [bL _ _] := sorted (ltn_ord t).
  by rewrite /block_size (cut_full share_gt0 b0 bL share_fits) eqxx.
under [leRHS]eq_bigr do rewrite term; rewrite -mulr_sumr -[leRHS]mulrA; apply: ler_wpmul2l.
  by rewrite divr_ge0 ?(ltW sB).
have := dyadic_sum T_gt0 g_gt0 g_le sorted enough.
move=> /(ler_wpmul2l (divr_ge0 (ler0n _ share) (ler0n _ 4))) h; apply: le_trans h.
have L0 : 0 < L%:R :> R by rewrite ltr0n.
have key : n%:R / (16 * L%:R) <= share%:R / 8 :> R.
  rewrite ler_pdivr_mulr ?mulr_gt0 ?ltr0n //; have := share_ge.
  by move: (n%:R : R) (L%:R : R) (share%:R : R) => x y z; clear; to_R; lra.
have := ler_wpmul2r (sqrt_ge0 (\sum_(t < T) g t)) key.
have solve (u v r : R) : u * r <= v / 8 * r -> u * r <= v / 4 * (r / 2) by clear; to_R; lra.
exact: solve.
Qed.
End Radius.

(* --- self-concordant families, d = n + 1 ------------------------------------------------------------------------- *)

Section Glm.
Variables (s0 S Rs : R) (m mu dmu ddmu : R -> R).
Let z0 := s0 / sqrt 2.
Let w := bin_radius (dmu z0 * exp 1).
Hypothesis Rs_ge0 : 0 <= Rs.
Hypothesis sm : smooth m mu dmu ddmu.
Hypothesis slope_gt0 : 0 < dmu z0.
Hypothesis sc : forall l, concordant dmu ddmu Rs (Rminus z0 (w l)) (Rplus z0 (w l)).
Hypothesis Rs_w : forall l, Rs * w l <= 1.
Hypothesis inside : s0 ^+ 2 + 2 * (\sum_(l < L) w l.+1 ^+ 2) <= S ^+ 2.
Let arm := tilted_arm share (@cut n share) bin.
Let theta := tilted_theta share (@cut n share) w s0.

Theorem heteroskedastic_lower_bound_glm (P : signs n -> T.-tuple (signs n) -> R) : (forall s, law_of (P s)) ->
  pinsker_and_chain_rule P (glm_divergence m mu g arm theta) ->
  exists s : signs n,
    [/\ dot (theta s - centre n s0) (theta s - centre n s0) = 2 * (\sum_(l < L) w l.+1 ^+ 2),
        dot (theta s) (theta s) <= S ^+ 2 &
        n%:R / (72 * L%:R) * sqrt (dmu z0 * \sum_(t < T) g t) <= glm_regret mu arm (P s) (theta s) s].
Proof.
move=> lP facts; have B0 : 0 < dmu z0 * exp 1 by rewrite mulr_gt0 // exp_gt0.
have [s bound] := glm_blocks share_gt0 block_at_most (bin_radius_ge0 _) sm Rs_ge0 sc Rs_w g_gt0 lP facts (bin_small B0).
have rt := radius_total (dmu z0 * exp 1) 2.
exists s; split.
- by rewrite distance_to_centre ?share_gt0.
- by rewrite tilted_theta_norm ?share_gt0 // rt.
apply: le_trans bound; have a0 : 0 <= dmu z0 * exp (- 1) by rewrite mulr_ge0 ?(ltW slope_gt0) ?(ltW (exp_gt0 _)).
apply: le_trans (bins_pay B0 a0).
have G0 : 0 <= \sum_(t < T) g t by apply: sumr_ge0 => t _; apply: ltW.
rewrite (sqrtM (ltW slope_gt0) G0); have root := root_of_slopes slope_gt0.
have L0 : 0 < L%:R :> R by rewrite ltr0n.
have sB := sqrt_gt0 B0.
have key : sqrt (dmu z0) <= dmu z0 * exp (- 1) / sqrt (dmu z0 * exp 1) * (18 / 4).
  by rewrite [leRHS]mulrAC ler_pdivl_mulr // [leLHS]mulrC.
have c0 : 0 <= n%:R / L%:R * sqrt (\sum_(t < T) g t) by rewrite mulr_ge0 ?sqrt_ge0 // divr_ge0 ?ler0n.
have := ler_wpmul2l c0 key; rewrite !invfM.
have solve (x i r y z : R) : x * i * r * y <= x * i * r * (z * (18 / 4)) ->
    x * (72^-1 * i) * (y * r) <= z * (x * (16^-1 * i) * r) by clear; to_R; lra.
exact: solve.
Qed.

Theorem heteroskedastic_lower_bound_glm_finite (Y : finType) (val : Y -> R) (base : nat -> Y -> R)
    (pi : policy [finType of signs n] Y) : family_law val base m mu g -> is_policy pi ->
  let P s := arms_law pi (fun t e => mass val base m g t (dot (arm t e) (theta s))) (T := T) in
  exists s : signs n,
    [/\ dot (theta s - centre n s0) (theta s - centre n s0) = 2 * (\sum_(l < L) w l.+1 ^+ 2),
        dot (theta s) (theta s) <= S ^+ 2 &
        n%:R / (72 * L%:R) * sqrt (dmu z0 * \sum_(t < T) g t) <= glm_regret mu arm (P s) (theta s) s].
Proof.
by move=> fam lp P; have [] := finite_facts T arm theta fam lp; apply: heteroskedastic_lower_bound_glm.
Qed.
End Glm.

(* --- Gaussian rewards, d = n --------------------------------------------------------------------------------------- *)

Section Gaussian.
Variable S : R.
Let w := bin_radius 1.
Hypothesis inside : \sum_(l < L) w l.+1 ^+ 2 <= S ^+ 2.
Let arm := block_arm (@cut n share) bin (sqrt share%:R)^-1.
Let theta := block_theta (@cut n share) (fun l => w l / sqrt share%:R).
Let kR : 0 < share%:R :> R. Proof. by rewrite ltr0n share_gt0. Qed.
Let rk : sqrt share%:R * sqrt share%:R = share%:R :> R. Proof. by apply: sqrt_sq; exact: ltW. Qed.

Lemma block_arm_in_ball t e : dot (arm t e) (arm t e) <= 1.
Proof.
by rewrite arm_norm expr2 -invfM rk mulrC ler_pdivr_mulr // mul1r ler_nat block_at_most.
Qed.

Let block_value t e s : dot (arm t e) (theta s) = value share (@cut n share) bin w 0 t e s.
Proof. by rewrite dot_block /value add0r mulrCA -invfM rk. Qed.

Theorem heteroskedastic_lower_bound (P : signs n -> T.-tuple (signs n) -> R) : (forall s, law_of (P s)) ->
  pinsker_and_chain_rule P (fun s s' t e =>
    normal_divergence (g t) (dot (arm t e) (theta s)) (dot (arm t e) (theta s'))) ->
  exists s : signs n, dot (theta s) (theta s) <= S ^+ 2 /\
    n%:R / (16 * L%:R) * sqrt (\sum_(t < T) g t) <= linear_regret arm (P s) (theta s) s.
Proof.
move=> lP facts.
have facts' : pinsker_and_chain_rule P (fun s s' t e => bregman_over (fun z => z ^+ 2 / 2) id (g t)
    (value share (@cut n share) bin w 0 t e s) (value share (@cut n share) bin w 0 t e s')).
  move=> s s' f kappa f01 le; apply: facts => // t a tT; rewrite !block_value -square_link; exact: le.
have rise (l : nat) (y z : R) : 0 - w l <= y -> y <= z -> z <= 0 + w l -> 1 * (z - y) <= id z - id y by rewrite mul1r.
have curve (l : nat) (y z : R) : 0 - w l <= y <= 0 + w l -> 0 - w l <= z <= 0 + w l ->
    z ^+ 2 / 2 - y ^+ 2 / 2 - id y * (z - y) <= 1 * (z - y) ^+ 2 / 2.
  by move=> _ _; rewrite /id; to_R; lra.
have [s bound] := hypercube_core share_gt0 block_at_most (bin_radius_ge0 1) ler01 g_gt0 rise curve lP facts'
  (bin_small ltr01).
exists s; split.
  rewrite theta_norm; apply: le_trans inside; rewrite le_eqVlt; apply/orP; left; apply/eqP.
  rewrite -[RHS]mul1r -(radius_total 1 1); apply: eq_bigr => j _.
  by rewrite expr_div_n [sqrt _ ^+ 2]expr2 rk mul1r.
have := bins_pay ltr01 ler01; rewrite (_ : sqrt 1 = 1) ?divr1 ?mul1r; last exact: sqrt_1.
move/le_trans; apply; apply: le_trans bound _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_bigr => x _; congr (_ * _); apply: eq_bigr => t _; rewrite !block_value.
Qed.
End Gaussian.
End Bins.

(* Every premise can be met: constant dispersion, two rounds or more, and a policy that looks at no reward. *)
Theorem bins_premises_met (n T L : nat) (p : T.-tuple (signs n) -> R) : (1 < T)%N -> (T <= 2 ^ L)%N ->
  exists (bin : nat -> nat) (S : R),
    let k := share n L in let w := bin_radius n T L (fun=> 1) bin 1 in
    let arm := block_arm (@cut n k) bin (sqrt k%:R)^-1 in
    let theta := block_theta (@cut n k) (fun l => w l / sqrt k%:R) in
    [/\ dyadic T (fun=> 1) 1 L bin, 2 * 1 <= \sum_(t < T) (1 : R), \sum_(l < L) w l.+1 ^+ 2 <= S ^+ 2 &
        pinsker_and_chain_rule (fun=> p) (fun s s' t e =>
          normal_divergence 1 (dot (arm t e) (theta s)) (dot (arm t e) (theta s')))].
Proof.
move=> T1 TL; have [bin sorted] := dyadic_exists (ltnW T1) (fun=> ltr01) (fun t _ => lexx 1) TL.
pose W := \sum_(l < L) bin_radius n T L (fun=> 1) bin 1 l.+1 ^+ 2.
have W0 : 0 <= W by apply: sumr_ge0 => l _; apply: sqr_ge0.
exists bin, (1 + W); split=> //; first by rewrite sumr_const card_ord mulr1 ler_nat.
  by rewrite -/W; move: W W0 => x; clear; to_R; nra.
by apply: (blind_meets_premise p [ffun=> true]) => s s' t e; apply: normal_divergence_ge0 ltr01.
Qed.

(* Logistic bandits with one coordinate for each bin, around theta_* = 0: every premise is met. *)
Theorem logistic_bins (T L : nat) (pi : policy [finType of signs L] [finType of bool]) :
  (1 < T)%N -> (T <= 2 ^ L)%N -> is_policy pi ->
  exists (bin : nat -> nat) (S : R),
    let w := bin_radius L T L (fun=> 1) bin (4^-1 * exp 1) in
    let arm := tilted_arm 1 (@cut L 1) bin in let theta := tilted_theta 1 (@cut L 1) w 0 in
    let P s := arms_law pi (fun t e =>
      mass bit (fun _ _ => 1) logistic_m (fun=> 1) t (dot (arm t e) (theta s))) (T := T) in
    exists s : signs L, dot (theta s) (theta s) <= S ^+ 2 /\
      sqrt T%:R / 144 <= glm_regret logistic_mu arm (P s) (theta s) s.
Proof.
move=> T1 TL lp; have [bin sorted] := dyadic_exists (ltnW T1) (fun=> ltr01) (fun t _ => lexx 1) TL.
have L0 : (0 < L)%N by case: L TL {sorted lp pi} => // TL; have := leq_trans T1 TL.
pose w := bin_radius L T L (fun=> 1) bin (4^-1 * exp 1); pose W := 2 * (\sum_(l < L) w l.+1 ^+ 2).
have W0 : 0 <= W by rewrite mulr_ge0 ?ler0n // sumr_ge0 // => l _; apply: sqr_ge0.
have inside : 0 ^+ 2 + W <= (1 + W) ^+ 2 by move: W W0 => x; clear; to_R; nra.
have one : share L L = 1%N by rewrite /share divnn L0.
have e1 : 1 <= exp 1 by apply/RleP; have := Scalar.exp_ge 1; to_R; lra.
have w1 l : 1 * w l <= 1.
  rewrite mul1r /w /bin_radius one /inverse_sum sumr_const invr1.
  case: (posnP #|[pred t : 'I_T | bin t == l]|) => [-> | N0]; first by rewrite mulr0 sqrt_0 invr0 mulr0 ler01.
  have NR : 1 <= #|[pred t : 'I_T | bin t == l]|%:R :> R by rewrite ler1n.
  have big : 2^-1 <= sqrt (4^-1 * exp 1 * #|[pred t : 'I_T | bin t == l]|%:R).
    apply: le_sqrt; first by rewrite mulr_ge0 ?ler0n // mulr_ge0 ?(ltW (exp_gt0 _)) // invr_ge0 ler0n.
    by move: NR e1; move: (exp 1) (#|_|%:R : R) => x y; clear; to_R; nra.
  rewrite ler_pdivr_mulr ?mul1r //; apply: lt_le_trans big; by rewrite invr_gt0 ltr0n.
have enough : 2 * 1 <= \sum_(t < T) (1 : R) by rewrite sumr_const card_ord mulr1 ler_nat.
have v0 : 0 < logistic_dmu (0 / sqrt 2) by rewrite logistic_slope0 invr_gt0 ltr0n.
exists bin, (1 + W); rewrite -/w.
have := @heteroskedastic_lower_bound_glm_finite L T L (fun=> 1) 1 bin (ltnW T1) L0 (leqnn L) (fun=> ltr01)
  (fun t _ => lexx 1) enough sorted 0 (1 + W) 1 _ _ _ _ ler01 logistic_smooth v0.
rewrite logistic_slope0 -/w one.
move=> /(_ (fun l => logistic_concordant _ _) w1 inside _ _ _ _ bernoulli_family lp) [s [_ inb bound]]; exists s; split=> //; apply: le_trans bound.
rewrite (_ : \sum_(t < T) 1 = T%:R); last by rewrite sumr_const card_ord.
have root : sqrt (4^-1 * T%:R) = 2^-1 * sqrt T%:R.
  rewrite sqrtM ?ler0n ?invr_ge0 ?ler0n //; congr (_ * _).
  have -> : 4^-1 = 2^-1 ^+ 2 :> R by to_R; lra.
  by rewrite sqrt_of_square // invr_ge0 ler0n.
have part : L%:R / (72 * L%:R) = 72^-1 :> R by rewrite invfM mulrCA mulfV ?mulr1 // pnatr_eq0 -lt0n.
by rewrite root part; move: (sqrt T%:R) => r; to_R; lra.
Qed.
