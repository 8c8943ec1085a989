(* thm:lower-bound and lem:lower-bound, repaired, for self-concordant families of one dispersion g: d = n + 1, one
   block of n coordinates, centre theta_* = (0, s0), z0 = s0 / sqrt 2, w = n/2 sqrt (g / (e T mu'(z0))).
     hypercube_lower_bound_glm          any rewards: every policy has regret at least n sqrt (g T mu'(z0)) / 18 for
                                        some theta with |theta - theta_*|^2 = 2 w^2, given the textbook fact
                                        `pinsker_and_chain_rule` on the laws P s of the arms pulled
     hypercube_lower_bound_glm_finite   finitely many reward values: the same with nothing assumed
     logistic_cube                      the case of logistic bandits around theta_* = 0, where every premise is met *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots SelfConcordance SlopeBounds LogisticLink QuadraticForm.
From Glbcheck Require Import FiniteProcess Assouad FiniteBandit ExponentialFamily Divergence FamilyDivergence.
From HCW Require Import Hypercube CubeVectors GlmBlocks.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Definition one_arm n : nat -> signs n -> 'cV[R]_(n + 1) := tilted_arm n (fun=> 0%N) (fun=> 0%N).
Definition one_theta n (w s0 : R) : signs n -> 'cV[R]_(n + 1) := tilted_theta n (fun=> 0%N) (fun=> w) s0.
(* v is the slope mu'(z0). *)
Definition glm_radius (n T : nat) (g v : R) : R := n%:R / 2 * sqrt (g / (exp 1 * (T%:R * v))).

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
Variables (n T : nat) (s0 S g Rs : R) (m mu dmu ddmu : R -> R).
Let z0 := s0 / sqrt 2.
Let w := glm_radius n T g (dmu z0).
Hypothesis n_gt0 : (0 < n)%N.
Hypothesis T_gt0 : (0 < T)%N.
Hypothesis g_gt0 : 0 < g.
Hypothesis Rs_ge0 : 0 <= Rs.
Hypothesis sm : smooth m mu dmu ddmu.
Hypothesis slope_gt0 : 0 < dmu z0.
Hypothesis sc : concordant dmu ddmu Rs (Rminus z0 w) (Rplus z0 w).
Hypothesis Rs_w : Rs * w <= 1.
Hypothesis inside : s0 ^+ 2 + 2 * w ^+ 2 <= S ^+ 2.
Let nR : 0 < n%:R :> R. Proof. by rewrite ltr0n. Qed.
Let TR : 0 < T%:R :> R. Proof. by rewrite ltr0n. Qed.
Let q := g / (exp 1 * (T%:R * dmu z0)).
Let q_gt0 : 0 < q. Proof. by rewrite divr_gt0 // !mulr_gt0 // exp_gt0. Qed.
Let w_ge0 : 0 <= w. Proof. by rewrite mulr_ge0 ?sqrt_ge0 // divr_ge0 ?ler0n. Qed.

Let one_block l : (block_size (fun _ : 'I_n => 0%N) l <= n)%N.
Proof. by apply: leq_trans (max_card _) _; rewrite card_ord. Qed.
Let full : block_size (fun _ : 'I_n => 0%N) 0 = n.
Proof. by apply: etrans (card_ord n); apply: eq_card. Qed.

Let qE : q * (dmu z0 * exp 1) * (T%:R / g) = 1.
Proof.
have -> : q * (dmu z0 * exp 1) * (T%:R / g) = q * ((exp 1 * (T%:R * dmu z0)) / g).
  by rewrite -mulrA; congr (_ * _); move: g^-1 => u; clear; move: (exp 1) (dmu z0) (T%:R : R) => a b c; to_R; lra.
by rewrite /q mulf_div [g * _]mulrC divff // !mulf_neq0 // gt_eqF // exp_gt0.
Qed.

Let w_sq : w ^+ 2 = n%:R ^+ 2 / 4 * q.
Proof. by rewrite /w /glm_radius exprMn -/q [sqrt q ^+ 2]expr2 sqrt_sq ?(ltW q_gt0) //; move: q (n%:R : R) => a b; clear; to_R; lra. Qed.

Let small (l : nat) : 4 * (w ^+ 2 * (dmu z0 * exp 1) * \sum_(t < T | 0%N == l) g^-1) <= n%:R ^+ 2.
Proof.
have H : \sum_(t < T | 0%N == l) g^-1 <= T%:R / g.
  case: (0%N == l); first by rewrite sumr_const card_ord -[_ *+ T]mulr_natl.
  by rewrite big_pred0_eq divr_ge0 ?ler0n ?(ltW g_gt0).
have c0 : 0 <= w ^+ 2 * (dmu z0 * exp 1) by rewrite mulr_ge0 ?sqr_ge0 // mulr_ge0 ?ltW // exp_gt0.
apply: le_trans (_ : 4 * (w ^+ 2 * (dmu z0 * exp 1) * (T%:R / g)) <= _).
  by rewrite ler_wpmul2l ?ler0n // ler_wpmul2l.
rewrite w_sq -[X in 4 * X]mulrA -[X in 4 * X]mulrA [q * _]mulrA qE mulr1.
by move: (n%:R : R) => a; clear; to_R; lra.
Qed.

Let enough : n%:R / 18 * sqrt (g * (T%:R * dmu z0)) <= T%:R * (dmu z0 * exp (- 1) * w / 2).
Proof.
have gE : g * (T%:R * dmu z0) = q * (T%:R ^+ 2 * (dmu z0 * exp 1 * dmu z0)).
  have e : q * (exp 1 * (T%:R * dmu z0)) = g by rewrite divfK // !mulf_neq0 // gt_eqF // exp_gt0.
  by rewrite -{1}e; move: q (exp 1) (dmu z0) (T%:R : R) => a b c x; clear; to_R; lra.
have v0 := ltW slope_gt0; have E0 := ltW (exp_gt0 1); have q0 := ltW q_gt0.
have vE0 : 0 <= dmu z0 * exp 1 by rewrite mulr_ge0.
have vvE0 : 0 <= dmu z0 * exp 1 * dmu z0 by rewrite mulr_ge0.
have T0 : 0 <= T%:R ^+ 2 :> R by apply: sqr_ge0.
have rootE : sqrt (g * (T%:R * dmu z0)) = sqrt q * (T%:R * (sqrt (dmu z0 * exp 1) * sqrt (dmu z0))).
  rewrite gE (sqrtM q0 (mulr_ge0 T0 vvE0)) (sqrtM T0 vvE0) (sqrtM vE0 v0).
  by rewrite (@sqrt_of_square T%:R) // ler0n.
rewrite rootE.
have := root_of_slopes slope_gt0; rewrite /w /glm_radius -/q.
have c0 : 0 <= n%:R * sqrt q * T%:R by rewrite !mulr_ge0 ?ler0n ?sqrt_ge0.
move=> /(ler_wpmul2l c0).
move: (sqrt (dmu z0 * exp 1) * sqrt (dmu z0)) (exp (- 1)) (sqrt q) (n%:R : R) (T%:R : R) (dmu z0) => a b c x y z.
by clear; to_R; lra.
Qed.

Theorem hypercube_lower_bound_glm (P : signs n -> T.-tuple (signs n) -> R) : (forall s, law_of (P s)) ->
  pinsker_and_chain_rule P (glm_divergence m mu (fun=> g) (@one_arm n) (one_theta w s0)) ->
  exists s : signs n,
    [/\ dot (one_theta w s0 s - centre n s0) (one_theta w s0 s - centre n s0) = 2 * w ^+ 2,
        dot (one_theta w s0 s) (one_theta w s0 s) <= S ^+ 2 &
        n%:R / 18 * sqrt (g * (T%:R * dmu z0)) <= glm_regret mu (@one_arm n) (P s) (one_theta w s0 s) s].
Proof.
move=> lP facts; have [s bound] := glm_blocks n_gt0 one_block (fun=> w_ge0) sm Rs_ge0 (fun=> sc) (fun=> Rs_w)
  (fun=> g_gt0) lP facts small.
have norm : \sum_(j < n) 2 * w ^+ 2 / n%:R = 2 * w ^+ 2.
  by rewrite sumr_const card_ord -[_ *+ n]mulr_natr divfK // gt_eqF.
exists s; split; first by rewrite distance_to_centre.
  by rewrite tilted_theta_norm //= norm.
apply: le_trans enough _; apply: le_trans bound; rewrite (eq_bigl xpredT) => [|t]; last by rewrite full eqxx.
rewrite le_eqVlt; apply/orP; left; apply/eqP/esym.
by rewrite sumr_const card_ord -[_ *+ T]mulr_natl.
Qed.

Theorem hypercube_lower_bound_glm_finite (Y : finType) (val : Y -> R) (base : nat -> Y -> R)
    (pi : policy [finType of signs n] Y) : family_law val base m mu (fun=> g) -> is_policy pi ->
  let P s := arms_law pi (fun t e => mass val base m (fun=> g) t (dot (one_arm t e) (one_theta w s0 s))) (T := T) in
  exists s : signs n,
    [/\ dot (one_theta w s0 s - centre n s0) (one_theta w s0 s - centre n s0) = 2 * w ^+ 2,
        dot (one_theta w s0 s) (one_theta w s0 s) <= S ^+ 2 &
        n%:R / 18 * sqrt (g * (T%:R * dmu z0)) <= glm_regret mu (@one_arm n) (P s) (one_theta w s0 s) s].
Proof.
by move=> fam lp P; have [] := finite_facts T (@one_arm n) (one_theta w s0) fam lp; apply: hypercube_lower_bound_glm.
Qed.
End Cube.

Lemma logistic_slope0 : logistic_dmu (0 / sqrt 2) = 4^-1.
Proof. by rewrite mul0r /logistic_dmu /logistic_mu exp_0; to_R; lra. Qed.

Theorem logistic_cube (n T : nat) (S : R) (pi : policy [finType of signs n] [finType of bool]) :
  (0 < n)%N -> (n ^ 2 <= T)%N -> 2 <= S ^+ 2 -> is_policy pi ->
  let w := glm_radius n T 1 4^-1 in
  let P s := arms_law pi (fun t e =>
    mass bit (fun _ _ => 1) logistic_m (fun=> 1) t (dot (one_arm t e) (one_theta w 0 s))) (T := T) in
  exists s : signs n, dot (one_theta w 0 s) (one_theta w 0 s) <= S ^+ 2 /\
    n%:R / 36 * sqrt T%:R <= glm_regret logistic_mu (@one_arm n) (P s) (one_theta w 0 s) s.
Proof.
move=> n0 nT S2 lp w P; have T0 : (0 < T)%N by apply: leq_trans nT; rewrite expn_gt0 n0.
have w1 : w <= 1.
  have le1 : 1 <= exp 1 by apply/RleP; have := Scalar.exp_ge 1; to_R; lra.
  have TR : 0 < T%:R :> R by rewrite ltr0n.
  have q : 1 / (exp 1 * (T%:R * 4^-1)) <= (2 / n%:R) ^+ 2.
    have nR : 0 < n%:R :> R by rewrite ltr0n.
    rewrite expr_div_n ler_pdivl_mulr ?exprn_gt0 // mul1r mulrC ler_pdivr_mulr; last first.
      by rewrite !mulr_gt0 ?exp_gt0 // invr_gt0 ltr0n.
    have b : n%:R ^+ 2 <= T%:R :> R by rewrite -natrX ler_nat.
    have solve (x t E : R) : x <= t -> 1 * t <= E * t -> x <= 2 ^+ 2 * (E * (t * 4^-1)) by clear; to_R; lra.
    exact: (solve _ _ _ b (ler_wpmul2r (ltW TR) le1)).
  have := sqrt_le q; rewrite sqrt_of_square ?divr_ge0 ?ler0n // /w /glm_radius => /(ler_wpmul2l (divr_ge0 (ler0n _ n) (ler0n _ 2))).
  by move/le_trans; apply; rewrite mulf_div [_ * 2]mulrC divff // mulf_neq0 ?pnatr_eq0 // -lt0n.
have w0 : 0 <= w by rewrite mulr_ge0 ?sqrt_ge0 // divr_ge0 ?ler0n.
have e : glm_radius n T 1 (logistic_dmu (0 / sqrt 2)) = w by rewrite logistic_slope0.
have := @hypercube_lower_bound_glm_finite n T 0 S 1 1 _ _ _ _ n0 T0 ltr01 ler01 logistic_smooth.
rewrite e logistic_slope0 => /(_ _ (logistic_concordant _ _) _ _ _ _ _ _ bernoulli_family lp) [].
- by rewrite invr_gt0 ltr0n.
- by rewrite mul1r.
- rewrite expr0n add0r; apply: le_trans S2; rewrite -[X in _ <= X]mulr1 ler_wpmul2l ?ler0n //.
  by rewrite expr_le1.
move=> s [_ inb bound]; exists s; split=> //; apply: le_trans bound.
have -> : sqrt (1 * (T%:R * 4^-1)) = sqrt T%:R / 2.
  rewrite mul1r sqrtM ?ler0n ?invr_ge0 ?ler0n //; congr (_ * _).
  have -> : 4^-1 = 2^-1 ^+ 2 :> R by to_R; lra.
  by rewrite sqrt_of_square // invr_ge0 ler0n.
have solve (a b : R) : b / 36 * a <= b / 18 * (a / 2) by clear; to_R; lra.
exact: solve.
Qed.
