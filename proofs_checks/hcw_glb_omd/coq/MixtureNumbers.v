(* lemma:mixture-ineq, repaired, one round as inequalities between real numbers: what the mixture costs.
   n = |x| in H^-1, k = (w/g) mu'(b), gam the spread of the mixture, and 1 + k n^2 the ratio of determinants. *)
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
Variables (w gam c n k a b g slope move l0 : R).
Let D := 1 + k * n ^ 2.
Let s := sqrt gam * n.
Let s' := s / sqrt D.
Hypothesis w01 : 0 < w <= 1.
Hypothesis gam1 : 1 <= gam.
Hypothesis c1 : 1 <= c.
Hypothesis n_gt0 : 0 < n.
Hypothesis g_gt0 : 0 < g.
Hypothesis kE : k = w / g * slope.
Hypothesis slope_ge0 : 0 <= slope.
Hypothesis moveE : (b - a) ^ 2 <= n ^ 2 * move.

Lemma cost_k_ge0 : 0 <= k.
Proof. rewrite kE. apply Rmult_le_pos; [|assumption]. apply Rlt_le, Rdiv_lt_0_compat; lra. Qed.
Lemma cost_D_ge1 : 1 <= D.
Proof. unfold D. pose proof cost_k_ge0. pose proof (pow2_ge_0 n). nra. Qed.
Lemma cost_s_gt0 : 0 < s.
Proof. unfold s. apply Rmult_lt_0_compat; [apply sqrt_lt_R0; lra|assumption]. Qed.
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
Proof. unfold s. rewrite Rpow_mult_distr, pow2_sqrt; [reflexivity|lra]. Qed.
Lemma cost_s'_sq : s' ^ 2 = gam * n ^ 2 / D.
Proof.
unfold s', Rdiv. pose proof cost_root. pose proof cost_D_ge1.
rewrite Rpow_mult_distr, cost_s_sq, pow_inv, pow2_sqrt by lra. reflexivity.
Qed.

(* Around b the loss bends by slope s'^2/g times an even function of mean at most c/2. *)
Theorem mixture_cost :
  w * (l0 + slope / g * s' ^ 2 * (c / 2) + kl a b s s') <= w * l0 + move / (2 * gam) + c * gam / 2 * ln D.
Proof.
pose proof cost_root as q1. pose proof cost_D_ge1 as D1. pose proof cost_s_gt0 as s0.
pose proof cost_s'_gt0 as s'0. pose proof cost_k_ge0 as k0.
pose proof (ln_ge_1_inv D ltac:(lra)) as l1.
(* the curvature part *)
assert (p1 : w * (slope / g * s' ^ 2 * (c / 2)) = c * gam / 2 * (1 - / D)).
{ rewrite cost_s'_sq.
  assert (e : w * slope = k * g) by (rewrite kE; field; lra).
  replace (w * (slope / g * (gam * n ^ 2 / D) * (c / 2))) with (w * slope / g * (c / 2) * gam * n ^ 2 / D)
    by (field; split; lra).
  rewrite e. replace (1 - / D) with (k * n ^ 2 / D) by (unfold D; field; fold D; lra). field. split; lra. }
(* the divergence *)
assert (p2 : kl a b s s' <= ln D / 2 + move / (2 * gam) - (1 - / D) / 2).
{ unfold kl.
  assert (r : (s' / s) ^ 2 = / D).
  { unfold Rdiv. rewrite Rpow_mult_distr, pow_inv, cost_s'_sq, cost_s_sq. field. repeat split; lra. }
  assert (lr : ln (s / s') = ln D / 2).
  { replace (s / s') with (sqrt D) by (unfold s'; field; split; lra).
    assert (h : ln (sqrt D * sqrt D) = ln (sqrt D) + ln (sqrt D)) by (apply ln_mult; lra).
    rewrite sqrt_sqrt in h by lra. lra. }
  assert (mv : ((b - a) / s) ^ 2 / 2 <= move / (2 * gam)).
  { unfold Rdiv at 2. rewrite Rpow_mult_distr, pow_inv, cost_s_sq.
    assert (0 < n ^ 2) by nra.
    apply Rmult_le_reg_r with (2 * gam * n ^ 2); [nra|].
    replace ((b - a) ^ 2 * / (gam * n ^ 2) / 2 * (2 * gam * n ^ 2)) with ((b - a) ^ 2) by (field; split; lra).
    replace (move / (2 * gam) * (2 * gam * n ^ 2)) with (n ^ 2 * move) by (field; lra). assumption. }
  rewrite r, lr. lra. }
assert (p3 : w * kl a b s s' <= kl a b s s').
{ pose proof (kl_ge0 a b s s' s'0 s0). nra. }
replace (w * (l0 + slope / g * s' ^ 2 * (c / 2) + kl a b s s'))
  with (w * l0 + w * (slope / g * s' ^ 2 * (c / 2)) + w * kl a b s s') by ring.
rewrite p1. assert (1 <= c * gam) by nra.
assert ((c * gam / 2 - 1 / 2) * (1 - / D) <= (c * gam / 2 - 1 / 2) * ln D) by (apply Rmult_le_compat_l; lra).
lra.
Qed.
End Cost.

(* Within one standard deviation of the narrow law the slope changes by a factor e^{reach} at most. *)
Lemma within_reach Rs gam lam n k reach : 0 <= Rs -> 1 <= gam -> 0 < n -> 0 <= k -> 0 < lam -> 0 <= reach ->
  gam * Rs ^ 2 <= reach ^ 2 * lam -> n ^ 2 <= / lam ->
  Rs * (sqrt gam * n / sqrt (1 + k * n ^ 2)) <= reach.
Proof.
intros p0 e1 n0 k0 l0 r0 hl hn.
assert (D1 : 1 <= 1 + k * n ^ 2) by (pose proof (pow2_ge_0 n); nra).
assert (q1 : 1 <= sqrt (1 + k * n ^ 2)) by (rewrite <- sqrt_1 at 1; apply sqrt_le_1_alt; assumption).
assert (g0 : 0 < sqrt gam) by (apply sqrt_lt_R0; lra).
assert (le : sqrt gam * n / sqrt (1 + k * n ^ 2) <= sqrt gam * n).
{ apply Rmult_le_reg_r with (sqrt (1 + k * n ^ 2)); [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. assert (0 < sqrt gam * n) by nra. nra. }
apply Rle_trans with (Rs * (sqrt gam * n)); [apply Rmult_le_compat_l; lra|].
apply Rsqr_incr_0_var; [|assumption]. unfold Rsqr.
replace (Rs * (sqrt gam * n) * (Rs * (sqrt gam * n))) with (Rs ^ 2 * (sqrt gam * sqrt gam) * n ^ 2) by ring.
rewrite sqrt_sqrt by lra.
apply Rle_trans with (Rs ^ 2 * gam * / lam); [apply Rmult_le_compat_l; [nra|assumption]|].
apply Rmult_le_reg_r with lam; [assumption|]. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.

(* Where mu' is constant, m is its own tangent parabola. *)
Lemma parabola m mu dmu ddmu : smooth m mu dmu ddmu -> (forall lo hi, concordant dmu ddmu 0 lo hi) ->
  forall b c, m c - m b - mu b * (c - b) <= dmu b * (c - b) ^ 2 / 2.
Proof.
intros sm sc b c. set (M := Rabs b + Rabs c).
pose proof (Rle_abs b). pose proof (Rle_abs (- b)) as nb. rewrite Rabs_Ropp in nb.
pose proof (Rle_abs c). pose proof (Rle_abs (- c)) as nc. rewrite Rabs_Ropp in nc.
pose proof (Rabs_pos b). pose proof (Rabs_pos c).
assert (hb : - M <= b <= M) by (unfold M; lra). assert (hc : - M <= c <= M) by (unfold M; lra).
assert (flat : forall y z, - M <= y <= M -> - M <= z <= M -> dmu z = dmu y).
{ intros y z hy hz. pose proof (slope_change m mu dmu ddmu 0 (- M) M sm (sc _ _) y z hy hz).
  pose proof (slope_change m mu dmu ddmu 0 (- M) M sm (sc _ _) z y hz hy). lra. }
assert (line : Rabs (mu c - mu b - dmu b * (c - b)) <= 0 * dmu b * (c - b) ^ 2 / 2).
{ apply (mu_remainder m mu dmu ddmu 0 (- M) M sm (sc _ _) (Rle_refl 0) (dmu b)); try assumption.
  intros z hz. right. now apply flat. }
pose proof (Rle_abs (mu c - mu b - dmu b * (c - b))).
pose proof (Rle_abs (- (mu c - mu b - dmu b * (c - b)))) as nl. rewrite Rabs_Ropp in nl.
pose proof (bregman_lower m mu dmu ddmu 0 (- M) M sm (sc _ _) (Rle_refl 0) c b hc hb) as low.
rewrite (flat b c hb hc) in low. replace (mu c) with (mu b + dmu b * (c - b)) in low by lra. nra.
Qed.

(* The loss of z against z0, and its growth around b. *)
Definition excess_loss (m : R -> R) (z0 y g z : R) := (m z - m z0 - y * (z - z0)) / g.

Lemma excess_loss_bound m mu dmu ddmu Rs : smooth m mu dmu ddmu -> (forall lo hi, concordant dmu ddmu Rs lo hi) ->
  0 <= Rs -> forall b y g z0 s' u, 0 < g -> 0 < s' ->
  excess_loss m z0 y g (b + s' * u) <=
  excess_loss m z0 y g b + (mu b - y) / g * s' * u + dmu b / g * s' ^ 2 * relative_excess (Rs * s') u.
Proof.
intros sm sc Rs0 b y g z0 s' u g0 s0. set (c := b + s' * u).
assert (grow : m c - m b - mu b * (c - b) <= dmu b * s' ^ 2 * relative_excess (Rs * s') u).
{ destruct Rs0 as [p0|<-].
  - set (M := Rabs b + Rabs c).
    pose proof (Rle_abs b). pose proof (Rle_abs (- b)) as nb. rewrite Rabs_Ropp in nb.
    pose proof (Rle_abs c). pose proof (Rle_abs (- c)) as nc. rewrite Rabs_Ropp in nc.
    pose proof (Rabs_pos b). pose proof (Rabs_pos c).
    pose proof (growth m mu dmu ddmu Rs (- M) M sm (sc _ _) Rs b c p0 (Rle_refl Rs) ltac:(unfold M; lra)
      ltac:(unfold M; lra)) as h.
    rewrite relative_excess_pos by nra.
    replace (c - b) with (s' * u) in h at 2 3 by (unfold c; ring).
    rewrite Rabs_mult, (Rabs_pos_eq s') in h by lra.
    replace (Rs * (s' * Rabs u)) with (Rs * s' * Rabs u) in h by ring.
    fold (excess (Rs * s') u) in h. set (X := excess (Rs * s') u) in *.
    apply Rmult_le_reg_l with (Rs ^ 2); [nra|].
    replace (Rs ^ 2 * (dmu b * s' ^ 2 * (X / (Rs * s') ^ 2))) with (dmu b * X) by (field; lra). exact h.
  - rewrite Rmult_0_l, relative_excess0. pose proof (parabola m mu dmu ddmu sm sc b c) as h.
    replace (dmu b * (c - b) ^ 2 / 2) with (dmu b * s' ^ 2 * (u ^ 2 / 2)) in h by (unfold c; field). exact h. }
set (X := relative_excess (Rs * s') u) in *. unfold excess_loss.
apply Rmult_le_reg_r with g; [assumption|].
replace ((m c - m z0 - y * (c - z0)) / g * g) with (m c - m z0 - y * (c - z0)) by (field; lra).
replace (((m b - m z0 - y * (b - z0)) / g + (mu b - y) / g * s' * u + dmu b / g * s' ^ 2 * X) * g)
  with (m b - m z0 - y * (b - z0) + (mu b - y) * s' * u + dmu b * s' ^ 2 * X) by (field; lra).
replace (c - b) with (s' * u) in grow by (unfold c; ring).
replace (c - z0) with (b - z0 + s' * u) by (unfold c; ring). lra.
Qed.

Lemma likelihood_exp m z0 y g z : (y * (z - z0) - (m z - m z0)) * / g = - excess_loss m z0 y g z.
Proof. unfold excess_loss, Rdiv. ring. Qed.

(* Standard deviations of the mixing law P and of the law Q behind the bound. *)
Definition mixing_scale gam n := sqrt gam * n.
Definition narrow_scale gam n k := mixing_scale gam n / sqrt (1 + k * n ^ 2).

Lemma exp_mono x y : x <= y -> exp x <= exp y.
Proof. intros [h|h]; [left; apply exp_increasing, h|right; now rewrite h]. Qed.
