(* Inequalities between real numbers, with the standard library alone: monotonicity from derivatives,
   logarithms and exponentials, and quadratic inequalities solved (lemma:solve-ineq). *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
Local Open Scope R_scope.

(* --- derivatives ---------------------------------------------------------------------------------- *)

Lemma increasing_from_derivative f f' a b :
  a <= b -> (forall c, a <= c <= b -> is_derive f c (f' c)) -> (forall c, a <= c <= b -> 0 <= f' c) -> f a <= f b.
Proof.
intros [ab|e] df pf; [|subst; lra].
destruct (MVT_cor2 f f' a b ab) as [c [e [h1 h2]]].
  intros c hc; apply is_derive_Reals, df, hc.
assert (0 <= f' c) by (apply pf; lra). nra.
Qed.

Lemma decreasing_from_derivative f f' a b :
  a <= b -> (forall c, a <= c <= b -> is_derive f c (f' c)) -> (forall c, a <= c <= b -> f' c <= 0) -> f b <= f a.
Proof.
intros [ab|e] df pf; [|subst; lra].
destruct (MVT_cor2 f f' a b ab) as [c [e [h1 h2]]].
  intros c hc; apply is_derive_Reals, df, hc.
assert (f' c <= 0) by (apply pf; lra). nra.
Qed.

(* --- logarithms and exponentials -------------------------------------------------------------------- *)

Lemma exp_ge x : 1 + x <= exp x.
Proof. apply exp_ineq1_le. Qed.

Lemma ln_mono x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. apply ln_le. Qed.

Lemma ln_le_sub1 x : 0 < x -> ln x <= x - 1.
Proof.
intros x0. pose proof (exp_ge (x - 1)) as h.
rewrite <- (ln_exp (x - 1)). apply ln_le; lra.
Qed.

Lemma ln_1p_ge0 u : 0 <= u -> 0 <= ln (1 + u).
Proof. intros u0. rewrite <- ln_1. apply ln_le; lra. Qed.

(* 1 - 1/x <= ln x *)
Lemma ln_ge_1_inv x : 0 < x -> 1 - / x <= ln x.
Proof.
intros x0. pose proof (ln_le_sub1 (/ x) (Rinv_0_lt_compat _ x0)) as h.
rewrite ln_Rinv in h by assumption. lra.
Qed.

(* u <= (1 + u/2) ln (1 + u): one term of the elliptical potential against the logarithm. *)
Lemma potential_term u : 0 <= u -> u <= (1 + u / 2) * ln (1 + u).
Proof.
intros u0.
assert (h : ln (1 + 0) - 2 * 0 / (2 + 0) <= ln (1 + u) - 2 * u / (2 + u)).
{ apply (increasing_from_derivative (fun u => ln (1 + u) - 2 * u / (2 + u))
    (fun u => u ^ 2 / ((1 + u) * (2 + u) ^ 2)) 0 u u0); intros c hc.
  - auto_derive; [repeat split; lra|]. field. lra.
  - apply Rmult_le_pos; [nra|]. apply Rlt_le, Rinv_0_lt_compat. nra. }
replace (1 + 0) with 1 in h by ring. rewrite ln_1 in h.
replace (0 - 2 * 0 / (2 + 0)) with 0 in h by field.
assert (e : (1 + u / 2) * (2 * u / (2 + u)) = u) by (field; lra).
nra.
Qed.

(* The constant 1/2 is the right one: with 1/3 the inequality fails (control). *)
Lemma potential_term_sharp : ~ forall u, 0 <= u -> u <= (1 + u / 3) * ln (1 + u).
Proof.
intros h. pose proof (h (1 / 2) ltac:(lra)) as h2.
(* ln (3/2) <= 5/12 < 3/7 = (1/2)/(7/6) *)
assert (l : ln (3 / 2) <= 5 / 12).
{ assert (d : ln (1 + 1 / 2) - (1 / 2 - (1 / 2) ^ 2 / 2 + (1 / 2) ^ 3 / 3)
     <= ln (1 + 0) - (0 - 0 ^ 2 / 2 + 0 ^ 3 / 3)).
  { apply (decreasing_from_derivative (fun u => ln (1 + u) - (u - u ^ 2 / 2 + u ^ 3 / 3))
      (fun u => - u ^ 3 / (1 + u)) 0 (1 / 2)); [lra| |]; intros c hc.
    - auto_derive; [lra|]. field. lra.
    - assert (0 <= c ^ 3) by (apply pow_le; lra).
      assert (0 < / (1 + c)) by (apply Rinv_0_lt_compat; lra). unfold Rdiv. nra. }
  replace (1 + 0) with 1 in d by ring. rewrite ln_1 in d.
  replace (1 + 1 / 2) with (3 / 2) in d by lra. lra. }
replace (1 + 1 / 2) with (3 / 2) in h2 by lra. lra.
Qed.

(* e^{-x} - 1 + x >= x^2 / (2 + x), cleared of the denominator. *)
Lemma exp_neg_curvature x : 0 <= x -> x ^ 2 <= (2 + x) * (exp (- x) - 1 + x).
Proof.
intros x0.
assert (h : (2 + 0) * exp (- 0) - 2 + 0 <= (2 + x) * exp (- x) - 2 + x).
{ apply (increasing_from_derivative (fun x => (2 + x) * exp (- x) - 2 + x)
    (fun x => 1 - (1 + x) * exp (- x)) 0 x x0); intros c hc.
  - auto_derive; [trivial|]. ring.
  - pose proof (exp_ge c). rewrite exp_Ropp.
    assert (0 < exp c) by apply exp_pos.
    apply Rmult_le_reg_r with (exp c); [assumption|]. rewrite Rmult_0_l.
    unfold Rminus. rewrite Rmult_plus_distr_r, <- Ropp_mult_distr_l, Rmult_assoc, Rinv_l by lra. lra. }
replace (- 0) with 0 in h by ring. rewrite exp_0 in h. nra.
Qed.

(* --- quadratic inequalities ------------------------------------------------------------------------- *)

(* lemma:solve-ineq: X^2 <= a X + b implies X <= a + sqrt b. *)
Lemma solve_quadratic X a b : 0 <= a -> 0 <= b -> X ^ 2 <= a * X + b -> X <= a + sqrt b.
Proof.
intros a0 b0 h. pose proof (sqrt_pos b) as s0. pose proof (pow2_sqrt b b0) as e.
destruct (Rle_or_lt X (a + sqrt b)) as [|c]; [assumption|exfalso].
assert (a * X + b < X ^ 2); [|lra].
assert (sqrt b * sqrt b = b) by (rewrite <- e at 3; ring).
assert (0 < X) by lra. nra.
Qed.

Lemma sqrt_le_of_sq x y : 0 <= y -> x ^ 2 <= y -> x <= sqrt y.
Proof.
intros y0 h. destruct (Rle_or_lt 0 x) as [x0|x0]; [|pose proof (sqrt_pos y); lra].
rewrite <- (sqrt_pow2 x x0). apply sqrt_le_1_alt, h.
Qed.

Lemma sqrt_plus_le a b : 0 <= a -> 0 <= b -> sqrt (a + b) <= sqrt a + sqrt b.
Proof.
intros a0 b0. pose proof (sqrt_pos a). pose proof (sqrt_pos b).
apply Rsqr_incr_0_var; [|lra]. rewrite Rsqr_sqrt by lra. unfold Rsqr.
pose proof (sqrt_sqrt a a0). pose proof (sqrt_sqrt b b0). nra.
Qed.

(* lemma:decomposition/eq10: x <= G sqrt(V + B x) + D, solved. *)
Lemma solve_regret x G V B D : 0 <= G -> 0 <= V -> 0 <= B -> 0 <= D -> 0 <= x ->
  x <= G * sqrt (V + B * x) + D -> x <= G * sqrt V + G * sqrt (B * D) + B * G ^ 2 + D.
Proof.
intros G0 V0 B0 D0 x0 h.
assert (Bx : 0 <= B * x) by nra. assert (BD : 0 <= B * D) by nra.
pose proof (sqrt_pos (V + B * x)) as y0. pose proof (pow2_sqrt (V + B * x) ltac:(lra)) as ey.
set (y := sqrt (V + B * x)) in *.
assert (hy : y <= B * G + sqrt (V + B * D)).
{ apply solve_quadratic; [nra|nra|]. rewrite ey. nra. }
pose proof (sqrt_plus_le V (B * D) V0 BD). nra.
Qed.
