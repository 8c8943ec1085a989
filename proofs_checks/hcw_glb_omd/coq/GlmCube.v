(* thm:lower-bound and lem:lower-bound, repaired, for self-concordant families of dispersions g_t: d = n + 1, any c > 0,
   arms of lengths min (1, g_t/c) in the first n coordinates, centre theta_* = (0, s0), z0 = s0 / sqrt 2,
   V = sum of min (g_t, c), w = n c / (2 sqrt (e mu'(z0) V)).
     heteroskedastic_lower_bound_glm          any rewards: every policy has regret at least n sqrt (mu'(z0) V) / 18
                                              for some theta with |theta - theta_*|^2 = 2 w^2, given the textbook
                                              fact `pinsker_and_chain_rule` on the laws P s of the arms pulled
     heteroskedastic_lower_bound_glm_finite   finitely many reward values: the same with nothing assumed
     hypercube_lower_bound_glm_finite         one dispersion g and c = g: n sqrt (g T mu'(z0)) / 18
     logistic_cube                            logistic bandits around theta_* = 0, where every premise is met *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots SelfConcordance SlopeBounds LogisticLink QuadraticForm.
From Glbcheck Require Import FiniteProcess Assouad FiniteBandit ExponentialFamily Divergence FamilyDivergence.
From HCW Require Import Hypercube CubeVectors Lengths TiltedCube.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* v is the slope mu'(z0). *)
Definition glm_radius (n T : nat) (c : R) (g : nat -> R) (v : R) : R :=
  capped_radius n c (v * exp 1 * capped_sum c g T).

(* The slope bounds a = v / e and B = v e cost e^(3/2) together. *)
Lemma root_of_slopes (v : R) : 0 < v -> sqrt (v * exp 1) * sqrt v <= v * exp (- 1) * (18 / 4).
Proof.
move=> v0; have e1 : exp 1 * exp (- 1) = 1 by rewrite -[RHS]exp_0 -(Rplus_opp_r 1); exact/esym/exp_plus.
have solve (E i r : R) : E * i = 1 -> 0 <= i -> Rle (Rmult (IZR 4) (Rmult E r)) (IZR 18) -> v * (4 * r) <= v * (18 * i).
  move=> ei i0 h; rewrite ler_wpmul2l ?(ltW v0) //; have := Rmult_le_compat_l _ _ _ (le_R i0) h.
  by have : 4 * r = 4 * r * (E * i) by [rewrite ei mulr1]; clear; to_R; lra.
have := solve _ _ _ e1 (ltW (exp_gt0 (- 1))) exp_root.
rewrite sqrtM ?(ltW v0) ?(ltW (exp_gt0 1)) // mulrAC (sqrt_sq (ltW v0)).
by move: (sqrt (exp 1)) (exp (- 1)) => a b; clear; to_R; lra.
Qed.

Section Cube.
Variables (n T : nat) (s0 S c Rs : R) (g : nat -> R) (m mu dmu ddmu : R -> R).
Let z0 := s0 / sqrt 2.
Let w := glm_radius n T c g (dmu z0).
Let V := capped_sum c g T.
Let arm := @tilted_arm n (length_of c g).
Let theta := @tilted_theta n w s0.
Hypothesis n_gt0 : (0 < n)%N.
Hypothesis T_gt0 : (0 < T)%N.
Hypothesis c_gt0 : 0 < c.
Hypothesis g_gt0 : forall t, 0 < g t.
Hypothesis Rs_ge0 : 0 <= Rs.
Hypothesis sm : smooth m mu dmu ddmu.
Hypothesis slope_gt0 : 0 < dmu z0.
Hypothesis sc : concordant dmu ddmu Rs (Rminus z0 w) (Rplus z0 w).
Hypothesis Rs_w : Rs * w <= 1.
Hypothesis inside : s0 ^+ 2 + 2 * w ^+ 2 <= S ^+ 2.
Let V_gt0 : 0 < V. Proof. exact: capped_gt0. Qed.
Let B := dmu z0 * exp 1.
Let B_gt0 : 0 < B. Proof. by rewrite mulr_gt0 // exp_gt0. Qed.
Let root_gt0 : 0 < sqrt (B * V). Proof. by rewrite sqrt_gt0 // mulr_gt0. Qed.
Let w_ge0 : 0 <= w.
Proof. by rewrite divr_ge0 ?mulr_ge0 ?ler0n ?(ltW c_gt0) // ltW. Qed.

Let enough : n%:R / 18 * sqrt (dmu z0 * V) <= dmu z0 * exp (- 1) * w * V / (2 * c).
Proof.
have cn : c != 0 by rewrite gt_eqF.
have sB := sqrt_gt0 B_gt0; have sV := sqrt_gt0 V_gt0.
have VE : sqrt V * sqrt V = V by apply: sqrt_sq; exact: ltW.
rewrite (sqrtM (ltW slope_gt0) (ltW V_gt0)).
have -> : dmu z0 * exp (- 1) * w * V / (2 * c) = n%:R / 4 * (dmu z0 * exp (- 1) / sqrt B) * sqrt V.
  rewrite /w /glm_radius /capped_radius -/B -/V (sqrtM (ltW B_gt0) (ltW V_gt0)) -{2}VE !invfM.
  have -> : dmu z0 * exp (- 1) * (n%:R * c * (2^-1 * ((sqrt B)^-1 / sqrt V))) * (sqrt V * sqrt V) * (2^-1 / c) =
      n%:R / 4 * (dmu z0 * exp (- 1) / sqrt B) * sqrt V * (c / c) * (sqrt V / sqrt V).
    by move: (sqrt V)^-1 (sqrt V) c^-1 (sqrt B)^-1 (exp (- 1)) (dmu z0) => a b x y z q; clear; to_R; lra.
  by rewrite !divff ?mulr1 // gt_eqF.
rewrite mulrA; apply: ler_wpmul2r; first exact: ltW.
have key : sqrt (dmu z0) <= dmu z0 * exp (- 1) / sqrt B * (18 / 4).
  by rewrite [leRHS]mulrAC ler_pdivl_mulr // [leLHS]mulrC; exact: root_of_slopes.
have := ler_wpmul2l (divr_ge0 (ler0n _ n) (ler0n _ 18)) key.
by move: (sqrt (dmu z0)) (_ / sqrt B) (n%:R : R) => a b x; clear; to_R; lra.
Qed.

Theorem heteroskedastic_lower_bound_glm (P : signs n -> T.-tuple (signs n) -> R) : (forall s, law_of (P s)) ->
  pinsker_and_chain_rule P (glm_divergence m mu g arm theta) ->
  exists s : signs n,
    [/\ dot (theta s - centre n s0) (theta s - centre n s0) = 2 * w ^+ 2, dot (theta s) (theta s) <= S ^+ 2 &
        n%:R / 18 * sqrt (dmu z0 * V) <= glm_regret mu arm (P s) (theta s) s].
Proof.
move=> lP facts.
have small : 4 * (B * \sum_(t < T) (length_of c g t * w) ^+ 2 / g t) <= n%:R ^+ 2 by exact: lengths_small.
have [s bound] := tilted_cube n_gt0 (length_ge0 c_gt0 g_gt0) (length_le1 c g) w_ge0 sm Rs_ge0 sc Rs_w g_gt0 lP facts small.
exists s; split; first exact: distance_to_centre.
  by rewrite tilted_theta_norm.
by apply: le_trans bound; rewrite lengths_pay.
Qed.

Theorem heteroskedastic_lower_bound_glm_finite (Y : finType) (val : Y -> R) (base : nat -> Y -> R)
    (pi : policy [finType of signs n] Y) : family_law val base m mu g -> is_policy pi ->
  let P s := arms_law pi (fun t e => mass val base m g t (dot (arm t e) (theta s))) (T := T) in
  exists s : signs n,
    [/\ dot (theta s - centre n s0) (theta s - centre n s0) = 2 * w ^+ 2, dot (theta s) (theta s) <= S ^+ 2 &
        n%:R / 18 * sqrt (dmu z0 * V) <= glm_regret mu arm (P s) (theta s) s].
Proof.
by move=> fam lp P; have [] := finite_facts T arm theta fam lp; apply: heteroskedastic_lower_bound_glm.
Qed.
End Cube.

Theorem hypercube_lower_bound_glm_finite (n T : nat) (s0 S v Rs : R) (m mu dmu ddmu : R -> R) :
  let z0 := s0 / sqrt 2 in let w := glm_radius n T v (fun=> v) (dmu z0) in
  let arm := @tilted_arm n (fun=> 1) in let theta := @tilted_theta n w s0 in
  (0 < n)%N -> (0 < T)%N -> 0 < v -> 0 <= Rs -> smooth m mu dmu ddmu -> 0 < dmu z0 ->
  concordant dmu ddmu Rs (Rminus z0 w) (Rplus z0 w) -> Rs * w <= 1 -> s0 ^+ 2 + 2 * w ^+ 2 <= S ^+ 2 ->
  forall (Y : finType) (val : Y -> R) (base : nat -> Y -> R) (pi : policy [finType of signs n] Y),
  family_law val base m mu (fun=> v) -> is_policy pi ->
  let P s := arms_law pi (fun t e => mass val base m (fun=> v) t (dot (arm t e) (theta s))) (T := T) in
  exists s : signs n,
    [/\ dot (theta s - centre n s0) (theta s - centre n s0) = 2 * w ^+ 2, dot (theta s) (theta s) <= S ^+ 2 &
        n%:R / 18 * sqrt (dmu z0 * (v * T%:R)) <= glm_regret mu arm (P s) (theta s) s].
Proof.
move=> z0 w arm theta n0 T0 v0 Rs0 sm slope sc Rs_w inside Y val base pi fam lp.
have armE : arm = @tilted_arm n (length_of v (fun=> v)).
  by apply/funext => t; apply/funext => e; rewrite /arm /tilted_arm length_constant.
rewrite armE -(capped_constant v T).
exact: heteroskedastic_lower_bound_glm_finite n0 T0 v0 (fun=> v0) Rs0 sm slope sc Rs_w inside _ _ _ _ fam lp.
Qed.

Lemma logistic_slope0 : logistic_dmu (0 / sqrt 2) = 4^-1.
Proof. by rewrite mul0r /logistic_dmu /logistic_mu exp_0; to_R; lra. Qed.

Theorem logistic_cube (n T : nat) (S : R) (pi : policy [finType of signs n] [finType of bool]) :
  (0 < n)%N -> (n ^ 2 <= T)%N -> 2 <= S ^+ 2 -> is_policy pi ->
  let arm := @tilted_arm n (fun=> 1) in let theta := @tilted_theta n (glm_radius n T 1 (fun=> 1) 4^-1) 0 in
  let P s := arms_law pi (fun t e =>
    mass bit (fun _ _ => 1) logistic_m (fun=> 1) t (dot (arm t e) (theta s))) (T := T) in
  exists s : signs n, dot (theta s) (theta s) <= S ^+ 2 /\
    n%:R / 36 * sqrt T%:R <= glm_regret logistic_mu arm (P s) (theta s) s.
Proof.
move=> n0 nT S2 lp; have T0 : (0 < T)%N by apply: leq_trans nT; rewrite expn_gt0 n0.
have root : sqrt (4^-1 * T%:R) = sqrt T%:R / 2.
  rewrite mulrC sqrtM ?ler0n ?invr_ge0 ?ler0n //; congr (_ * _).
  have -> : 4^-1 = 2^-1 ^+ 2 :> R by to_R; lra.
  by rewrite sqrt_of_square // invr_ge0 ler0n.
pose w := glm_radius n T 1 (fun=> 1) 4^-1.
have e1 : 1 <= exp 1 by apply/RleP; have := Scalar.exp_ge 1; to_R; lra.
have w1 : w <= 1.
  rewrite /w /glm_radius /capped_radius capped_constant mul1r mulr1.
  have rt : n%:R / 2 <= sqrt (4^-1 * exp 1 * T%:R).
    have nn : n%:R ^+ 2 <= T%:R :> R by rewrite -natrX ler_nat.
    apply: le_sqrt; first by rewrite mulr_ge0 ?ler0n // mulr_ge0 ?(ltW (exp_gt0 _)) // invr_ge0 ler0n.
    have := ler_wpmul2r (ler0n _ T) e1; move: nn; move: (exp 1) (T%:R : R) (n%:R : R) => a b x; clear; to_R; lra.
  have n2 : 0 < n%:R / 2 :> R by rewrite divr_gt0 ?ltr0n.
  by rewrite ler_pdivr_mulr ?mulr_gt0 ?ltr0n ?(lt_le_trans n2 rt) // mul1r mulrC -ler_pdivr_mulr ?ltr0n.
have w0 : 0 <= w.
  rewrite divr_ge0 ?mulr_ge0 ?ler0n ?ler01 ?sqrt_ge0 //.
have := @hypercube_lower_bound_glm_finite n T 0 S 1 1 _ _ _ _ n0 T0 ltr01 ler01 logistic_smooth.
rewrite logistic_slope0 -/w => /(_ _ (logistic_concordant _ _) _ _ _ _ _ _ bernoulli_family lp) [].
- by rewrite invr_gt0 ltr0n.
- by rewrite mul1r.
- rewrite expr0n add0r; apply: le_trans S2; rewrite -[X in _ <= X]mulr1 ler_wpmul2l ?ler0n //.
  by rewrite expr_le1.
move=> s [_ inb bound]; exists s; split=> //; apply: le_trans bound; rewrite mul1r root.
by move: (sqrt _) (n%:R : R) => a b; clear; to_R; lra.
Qed.
