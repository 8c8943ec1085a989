(* What bounds on the slope of the mean give, with the standard library alone: the rise of the mean, the Bregman
   divergence of m, and the slopes of a self-concordant link near a point. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Glbcheck Require Import Scalar SelfConcordance.
Local Open Scope R_scope.

Section Slopes.
Variables (m mu dmu ddmu : R -> R) (lo hi : R).
Hypothesis sm : smooth m mu dmu ddmu.
Let dm := d_m _ _ _ _ sm.
Let d1 := d_mu _ _ _ _ sm.

Lemma mean_rise a y z : (forall x, lo <= x <= hi -> a <= dmu x) -> lo <= y -> y <= z -> z <= hi ->
  a * (z - y) <= mu z - mu y.
Proof.
intros ha h1 h2 h3. enough (mu y - a * y <= mu z - a * z) by lra.
apply (increasing_from_derivative (fun z => mu z - a * z) (fun z => dmu z - a)); [assumption| |].
- intros c hc. apply (is_derive_minus mu (fun z => a * z)); [apply d1|auto_derive; [trivial|ring]].
- intros c hc. pose proof (ha c ltac:(lra)). lra.
Qed.

Lemma bregman_upper_right B y z : (forall x, lo <= x <= hi -> dmu x <= B) -> lo <= y -> y <= z -> z <= hi ->
  m z - m y - mu y * (z - y) <= B * (z - y) ^ 2 / 2.
Proof.
intros hB h1 h2 h3.
enough (m z - mu y * (z - y) - B * (z - y) ^ 2 / 2 <= m y - mu y * (y - y) - B * (y - y) ^ 2 / 2) by lra.
apply (decreasing_from_derivative (fun z => m z - mu y * (z - y) - B * (z - y) ^ 2 / 2)
  (fun z => mu z - mu y - B * (z - y))); [assumption| |]; intros c hc.
- apply (is_derive_ext (fun z => m z - (mu y * (z - y) + B * (z - y) ^ 2 / 2))); [intros t; simpl; ring|].
  replace (mu c - mu y - B * (c - y)) with (mu c - (mu y + B * (c - y))) by ring.
  apply (is_derive_minus m (fun z => mu y * (z - y) + B * (z - y) ^ 2 / 2)); [apply dm|].
  auto_derive; [trivial|field].
- pose proof (mu_lipschitz _ _ _ _ lo hi sm B hB y c ltac:(lra) ltac:(lra)) as h.
  rewrite (Rabs_pos_eq (c - y)) in h by lra. pose proof (Rle_abs (mu c - mu y)). lra.
Qed.
End Slopes.

Lemma bregman_upper m mu dmu ddmu lo hi B y z : smooth m mu dmu ddmu ->
  (forall x, lo <= x <= hi -> dmu x <= B) -> lo <= y <= hi -> lo <= z <= hi ->
  m z - m y - mu y * (z - y) <= B * (z - y) ^ 2 / 2.
Proof.
intros sm hB hy hz. destruct (Rle_or_lt y z) as [h|h].
- apply (bregman_upper_right _ _ _ _ lo hi sm); try assumption; lra.
- pose proof (bregman_upper_right _ _ _ _ (- hi) (- lo) (smooth_mirror _ _ _ _ sm) B (- y) (- z)) as r.
  simpl in r. rewrite !Ropp_involutive in r.
  assert (hB' : forall x, - hi <= x <= - lo -> dmu (- x) <= B) by (intros; apply hB; lra).
  specialize (r hB' ltac:(lra) ltac:(lra) ltac:(lra)).
  replace (- z - - y) with (- (z - y)) in r by ring. lra.
Qed.

(* Within w of z0, with Rs w <= 1, slopes differ from that at z0 by at most the factor e. *)
Lemma slopes_near m mu dmu ddmu Rs z0 w z : smooth m mu dmu ddmu -> concordant dmu ddmu Rs (z0 - w) (z0 + w) ->
  0 <= Rs -> Rs * w <= 1 -> z0 - w <= z <= z0 + w -> dmu z0 * exp (- 1) <= dmu z <= dmu z0 * exp 1.
Proof.
intros sm sc R0 Rw hz. pose proof (dmu_ge0 _ _ _ _ sm z0) as p0. pose proof (dmu_ge0 _ _ _ _ sm z) as p.
assert (near : forall x, 0 <= x <= w -> exp (- 1) <= exp (- (Rs * x)) /\ exp (Rs * x) <= exp 1).
{ intros x hx. assert (h : Rs * x <= 1) by nra. split.
  - destruct (Req_dec (- 1) (- (Rs * x))) as [<-|]; [lra|left; apply exp_increasing; lra].
  - destruct (Req_dec (Rs * x) 1) as [->|]; [lra|left; apply exp_increasing; lra]. }
destruct (Rle_or_lt z0 z) as [h|h].
- destruct (near (z - z0) ltac:(lra)) as [n1 n2].
  pose proof (slope_decay _ _ _ _ Rs _ _ sm sc z0 z ltac:(lra) h ltac:(lra)).
  pose proof (slope_growth _ _ _ _ Rs _ _ sm sc z0 z ltac:(lra) h ltac:(lra)). nra.
- destruct (near (z0 - z) ltac:(lra)) as [n1 n2].
  pose proof (slope_decay _ _ _ _ Rs _ _ (smooth_mirror _ _ _ _ sm) (concordant_mirror _ _ _ _ _ sc)
    (- z0) (- z) ltac:(lra) ltac:(lra) ltac:(lra)) as a.
  pose proof (slope_growth _ _ _ _ Rs _ _ (smooth_mirror _ _ _ _ sm) (concordant_mirror _ _ _ _ _ sc)
    (- z0) (- z) ltac:(lra) ltac:(lra) ltac:(lra)) as b.
  cbv beta in a, b. rewrite !Ropp_involutive in a, b. replace (- z - - z0) with (z0 - z) in a, b by ring. nra.
Qed.

(* 4 e^(3/2) <= 18: the logarithm of 17/15 is at least 1/8. *)
Lemma exp_three_halves : 4 * exp (3 / 2) <= 18.
Proof.
assert (l : 1 / 8 <= ln (17 / 15)).
{ pose proof (potential_term (2 / 15) ltac:(lra)) as h. replace (1 + 2 / 15) with (17 / 15) in h by lra. lra. }
assert (e : exp (1 / 8) <= 17 / 15).
{ rewrite <- (exp_ln (17 / 15)) by lra. destruct l as [l|l]; [left; apply exp_increasing, l|rewrite l; lra]. }
replace (3 / 2) with (INR 12 * (1 / 8)) by (simpl; lra).
assert (pw : forall n, exp (INR n * (1 / 8)) = exp (1 / 8) ^ n).
{ induction n as [|n IH]; [simpl; rewrite Rmult_0_l; apply exp_0|].
  rewrite S_INR, Rmult_plus_distr_r, exp_plus, IH, Rmult_1_l. simpl. ring. }
rewrite pw. pose proof (exp_pos (1 / 8)).
assert (exp (1 / 8) ^ 12 <= (17 / 15) ^ 12) by (apply pow_incr; lra). lra.
Qed.

Lemma exp_root : 4 * (exp 1 * sqrt (exp 1)) <= 18.
Proof.
replace (sqrt (exp 1)) with (exp (1 / 2)).
- rewrite <- exp_plus. replace (1 + 1 / 2) with (3 / 2) by lra. apply exp_three_halves.
- rewrite <- (sqrt_square (exp (1 / 2))) by (left; apply exp_pos).
  f_equal. rewrite <- exp_plus. f_equal. lra.
Qed.
