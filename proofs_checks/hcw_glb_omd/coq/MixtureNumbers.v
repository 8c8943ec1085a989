(* lemma:mixture-ineq, repaired, one round as inequalities between real numbers: what the mixture costs.
   n = |x| in H^-1, k = (w/g) mu'(b), and 1 + k n^2 the ratio of determinants. *)
From Coq Require Import Reals Lra Psatz.
From Glbcheck Require Import Scalar SelfConcordance NormalNumbers.
Local Open Scope R_scope.

(* Weighted inequality of the means: e^{wx} <= 1 - w + w e^x. *)
Lemma exp_convex w x : 0 <= w <= 1 -> exp (w * x) <= 1 - w + w * exp x.
Proof.
intros hw. set (e := exp (w * x)). assert (e0 : 0 < e) by apply exp_pos.
assert (h1 : e * (1 - w * x) <= 1).
{ replace 1 with (e * exp (- (w * x))) at 2 by (unfold e; rewrite exp_Ropp; field; apply Rgt_not_eq, exp_pos).
  apply Rmult_le_compat_l; [lra|]. pose proof (exp_ge (- (w * x))). lra. }
assert (h2 : e * (1 + (1 - w) * x) <= exp x).
{ replace (exp x) with (e * exp ((1 - w) * x)) by (unfold e; rewrite <- exp_plus; f_equal; ring).
  apply Rmult_le_compat_l; [lra|]. pose proof (exp_ge ((1 - w) * x)). lra. }
assert ((1 - w) * (e * (1 - w * x)) <= (1 - w) * 1) by (apply Rmult_le_compat_l; lra).
assert (w * (e * (1 + (1 - w) * x)) <= w * exp x) by (apply Rmult_le_compat_l; lra).
assert (i : (1 - w) * (e * (1 - w * x)) + w * (e * (1 + (1 - w) * x)) = e) by ring.
lra.
Qed.

Section Cost.
Variables (w eta n k a b g slope R' move l0 : R).
Let gam := 3 / 2 * eta.
Let D := 1 + k * n ^ 2.
Let s := sqrt gam * n.
Let s' := s / sqrt D.
Hypothesis w01 : 0 < w <= 1.
Hypothesis eta1 : 1 <= eta.
Hypothesis n_gt0 : 0 < n.
Hypothesis g_gt0 : 0 < g.
Hypothesis kE : k = w / g * slope.
Hypothesis slope_ge0 : 0 <= slope.
Hypothesis R'_gt0 : 0 < R'.
Hypothesis moveE : (b - a) ^ 2 <= n ^ 2 * move.

Lemma cost_k_ge0 : 0 <= k.
Proof. rewrite kE. apply Rmult_le_pos; [|assumption]. apply Rlt_le, Rdiv_lt_0_compat; lra. Qed.
Lemma cost_D_ge1 : 1 <= D.
Proof. unfold D. pose proof cost_k_ge0. pose proof (pow2_ge_0 n). nra. Qed.
Lemma cost_s_gt0 : 0 < s.
Proof. unfold s, gam. apply Rmult_lt_0_compat; [apply sqrt_lt_R0; lra|assumption]. Qed.
Lemma cost_root : 1 <= sqrt D.
Proof. rewrite <- sqrt_1. apply sqrt_le_1_alt, cost_D_ge1. Qed.
Lemma cost_s'_gt0 : 0 < s'.
Proof. pose proof cost_root. apply Rdiv_lt_0_compat; [apply cost_s_gt0|lra]. Qed.
Lemma cost_s's : s' <= s.
Proof.
unfold s'. pose proof cost_root. pose proof cost_s_gt0.
apply Rmult_le_reg_r with (sqrt D); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.
Lemma cost_s_sq : s ^ 2 = gam * n ^ 2.
Proof. unfold s. rewrite Rpow_mult_distr, pow2_sqrt; [reflexivity|unfold gam; lra]. Qed.
Lemma cost_s'_sq : s' ^ 2 = gam * n ^ 2 / D.
Proof.
unfold s', Rdiv. pose proof cost_root. pose proof cost_D_ge1.
rewrite Rpow_mult_distr, cost_s_sq, pow_inv, pow2_sqrt by lra. reflexivity.
Qed.

Theorem mixture_cost :
  w * (l0 + slope / (g * R' ^ 2) * (27 / 40 * (R' * s') ^ 2) + kl a b s s') <=
  w * l0 + move / (3 * eta) + 81 / 80 * eta * ln D.
Proof.
pose proof cost_root as q1. pose proof cost_D_ge1 as D1. pose proof cost_s_gt0 as s0.
pose proof cost_s'_gt0 as s'0. pose proof cost_k_ge0 as k0.
pose proof (ln_ge_1_inv D ltac:(lra)) as l1.
assert (i1 : 0 <= 1 - / D).
{ assert (/ D <= 1); [|lra]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
(* the curvature part *)
assert (c1 : w * (slope / (g * R' ^ 2) * (27 / 40 * (R' * s') ^ 2)) = 27 / 40 * gam * (1 - / D)).
{ rewrite Rpow_mult_distr, cost_s'_sq.
  assert (e : w * slope = k * g) by (rewrite kE; field; lra).
  replace (w * (slope / (g * R' ^ 2) * (27 / 40 * (R' ^ 2 * (gam * n ^ 2 / D)))))
    with (w * slope / g * (27 / 40) * gam * n ^ 2 / D) by (field; repeat split; lra).
  rewrite e. replace (1 - / D) with (k * n ^ 2 / D) by (unfold D; field; fold D; lra). field. split; lra. }
(* the divergence *)
assert (c2 : kl a b s s' <= ln D / 2 + move / (3 * eta) - (1 - / D) / 2).
{ unfold kl.
  assert (r : (s' / s) ^ 2 = / D).
  { unfold Rdiv. rewrite Rpow_mult_distr, pow_inv, cost_s'_sq, cost_s_sq. field.
    unfold gam; repeat split; nra. }
  assert (lr : ln (s / s') = ln D / 2).
  { replace (s / s') with (sqrt D) by (unfold s'; field; split; lra).
    assert (h : ln (sqrt D * sqrt D) = ln (sqrt D) + ln (sqrt D)) by (apply ln_mult; lra).
    rewrite sqrt_sqrt in h by lra. lra. }
  assert (mv : ((b - a) / s) ^ 2 / 2 <= move / (3 * eta)).
  { unfold Rdiv at 2. rewrite Rpow_mult_distr, pow_inv, cost_s_sq.
    assert (0 < n ^ 2) by nra. unfold gam.
    apply Rmult_le_reg_r with (3 * eta * n ^ 2); [nra|].
    replace ((b - a) ^ 2 * / (3 / 2 * eta * n ^ 2) / 2 * (3 * eta * n ^ 2)) with ((b - a) ^ 2) by (field; split; lra).
    replace (move / (3 * eta) * (3 * eta * n ^ 2)) with (n ^ 2 * move) by (field; lra). assumption. }
  rewrite r, lr. lra. }
assert (c3 : w * kl a b s s' <= kl a b s s').
{ pose proof (kl_ge0 a b s s' s'0 s0). nra. }
replace (w * (l0 + slope / (g * R' ^ 2) * (27 / 40 * (R' * s') ^ 2) + kl a b s s'))
  with (w * l0 + w * (slope / (g * R' ^ 2) * (27 / 40 * (R' * s') ^ 2)) + w * kl a b s s') by ring.
rewrite c1. unfold gam.
assert (27 / 40 * (3 / 2 * eta) * (1 - / D) - (1 - / D) / 2 + ln D / 2 <= 81 / 80 * eta * ln D); [|lra].
assert ((81 / 80 * eta - 1 / 2) * (1 - / D) <= (81 / 80 * eta - 1 / 2) * ln D) by (apply Rmult_le_compat_l; lra).
lra.
Qed.
End Cost.

(* Which R' to use: Rs, or anything small when Rs = 0. *)
Lemma choose_growth Rs eta lam n k : 0 <= Rs -> 1 <= eta -> 0 < n -> 0 <= k -> 0 < lam -> 6 * eta * Rs ^ 2 <= lam ->
  n ^ 2 <= / lam ->
  exists R', 0 < R' /\ Rs <= R' /\ R' * (sqrt (3 / 2 * eta) * n / sqrt (1 + k * n ^ 2)) <= 1 / 2.
Proof.
intros p0 e1 n0 k0 l0 hl hn.
set (s' := sqrt (3 / 2 * eta) * n / sqrt (1 + k * n ^ 2)).
assert (D1 : 1 <= 1 + k * n ^ 2) by (pose proof (pow2_ge_0 n); nra).
assert (q1 : 1 <= sqrt (1 + k * n ^ 2)) by (rewrite <- sqrt_1 at 1; apply sqrt_le_1_alt; assumption).
assert (g0 : 0 < sqrt (3 / 2 * eta)) by (apply sqrt_lt_R0; lra).
assert (s'0 : 0 < s') by (apply Rdiv_lt_0_compat; [nra|lra]).
destruct p0 as [p0|p0].
- exists Rs. split; [assumption|]. split; [lra|].
  assert (le : s' <= sqrt (3 / 2 * eta) * n).
  { unfold s'. apply Rmult_le_reg_r with (sqrt (1 + k * n ^ 2)); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. assert (0 < sqrt (3 / 2 * eta) * n) by nra. nra. }
  apply Rle_trans with (Rs * (sqrt (3 / 2 * eta) * n)); [apply Rmult_le_compat_l; lra|].
  apply Rsqr_incr_0_var; [|lra]. unfold Rsqr.
  replace (Rs * (sqrt (3 / 2 * eta) * n) * (Rs * (sqrt (3 / 2 * eta) * n)))
    with (Rs ^ 2 * (sqrt (3 / 2 * eta) * sqrt (3 / 2 * eta)) * n ^ 2) by ring.
  rewrite sqrt_sqrt by lra.
  apply Rle_trans with (Rs ^ 2 * (3 / 2 * eta) * / lam); [apply Rmult_le_compat_l; [nra|assumption]|].
  apply Rmult_le_reg_r with lam; [assumption|]. rewrite Rmult_assoc, Rinv_l by lra. nra.
- exists (/ (2 * s')). assert (0 < / (2 * s')) by (apply Rinv_0_lt_compat; lra).
  split; [assumption|]. split; [lra|]. right. field. lra.
Qed.

(* The loss of z against z0, and its growth around b. *)
Definition excess_loss (m : R -> R) (z0 y g z : R) := (m z - m z0 - y * (z - z0)) / g.

Lemma excess_loss_bound m mu dmu ddmu Rs : smooth m mu dmu ddmu -> (forall lo hi, concordant dmu ddmu Rs lo hi) ->
  0 <= Rs -> forall R' b y g z0 s' u, 0 < R' -> Rs <= R' -> 0 < g -> 0 < s' ->
  excess_loss m z0 y g (b + s' * u) <=
  excess_loss m z0 y g b + (mu b - y) / g * s' * u + dmu b / (g * R' ^ 2) * excess (R' * s') u.
Proof.
intros sm sc Rs0 R' b y g z0 s' u R0 RR g0 s0.
set (c := b + s' * u). set (M := Rabs b + Rabs c).
pose proof (Rle_abs b). pose proof (Rle_abs (- b)) as nb. rewrite Rabs_Ropp in nb.
pose proof (Rle_abs c). pose proof (Rle_abs (- c)) as nc. rewrite Rabs_Ropp in nc.
pose proof (Rabs_pos b). pose proof (Rabs_pos c).
pose proof (growth m mu dmu ddmu Rs (- M) M sm (sc _ _) R' b c R0 RR ltac:(unfold M; lra) ltac:(unfold M; lra)) as h.
replace (c - b) with (s' * u) in h by (unfold c; ring).
rewrite Rabs_mult, (Rabs_pos_eq s') in h by lra.
replace (R' * (s' * Rabs u)) with (R' * s' * Rabs u) in h by ring.
fold (excess (R' * s') u) in h. set (X := excess (R' * s') u) in *.
unfold excess_loss.
apply Rmult_le_reg_r with (g * R' ^ 2); [apply Rmult_lt_0_compat; [|apply pow_lt]; assumption|].
replace ((m c - m z0 - y * (c - z0)) / g * (g * R' ^ 2)) with (R' ^ 2 * (m c - m z0 - y * (c - z0))) by (field; lra).
replace (((m b - m z0 - y * (b - z0)) / g + (mu b - y) / g * s' * u + dmu b / (g * R' ^ 2) * X) * (g * R' ^ 2))
  with (R' ^ 2 * (m b - m z0 - y * (b - z0) + (mu b - y) * s' * u) + dmu b * X) by (field; lra).
replace (c - z0) with (b - z0 + s' * u) by (unfold c; ring). lra.
Qed.

Lemma likelihood_exp m z0 y g z : (y * (z - z0) - (m z - m z0)) * / g = - excess_loss m z0 y g z.
Proof. unfold excess_loss, Rdiv. ring. Qed.

(* Standard deviations of the mixing law P and of the law Q behind the bound. *)
Definition mixing_scale eta n := sqrt (3 / 2 * eta) * n.
Definition narrow_scale eta n k := mixing_scale eta n / sqrt (1 + k * n ^ 2).

Lemma exp_mono x y : x <= y -> exp x <= exp y.
Proof. intros [h|h]; [left; apply exp_increasing, h|right; now rewrite h]. Qed.
