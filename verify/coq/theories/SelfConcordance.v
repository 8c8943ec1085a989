(* Scalar links: m with mu = m', dmu = mu', ddmu = mu'', and |ddmu| <= Rs dmu (generalised self-concordance).
   lemma:self-concordance and the Taylor bounds behind lemma:inverse-regret, lemma:mixture-ineq and
   lemma:decomposition, in the standard reals.  Self-concordance is asked on an interval [lo, hi] only. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Glbcheck Require Import Scalar.
Local Open Scope R_scope.

(* m three times differentiable and convex (assumption:m). *)
Record smooth (m mu dmu ddmu : R -> R) : Prop := {
  d_m : forall z, is_derive m z (mu z);
  d_mu : forall z, is_derive mu z (dmu z);
  d_dmu : forall z, is_derive dmu z (ddmu z);
  dmu_ge0 : forall z, 0 <= dmu z }.

Definition concordant (dmu ddmu : R -> R) (Rs lo hi : R) :=
  forall z, lo <= z <= hi -> Rabs (ddmu z) <= Rs * dmu z.

Definition slope_bounded (dmu : R -> R) (L lo hi : R) := forall z, lo <= z <= hi -> dmu z <= L.

Lemma smooth_mirror m mu dmu ddmu : smooth m mu dmu ddmu ->
  smooth (fun z => m (- z)) (fun z => - mu (- z)) (fun z => dmu (- z)) (fun z => - ddmu (- z)).
Proof.
intros [dm dmu1 dmu2 pos]; split; intros z.
- pose proof (dm (- z)) as h. evar_last.
  { apply (is_derive_comp m Ropp); [exact h|auto_derive; trivial]. }
  unfold scal; simpl; unfold mult; simpl; ring.
- pose proof (dmu1 (- z)) as h. evar_last.
  { apply (is_derive_opp (fun z => mu (- z))), (is_derive_comp mu Ropp); [exact h|auto_derive; trivial]. }
  unfold scal, opp; simpl; unfold mult; simpl; ring.
- pose proof (dmu2 (- z)) as h. evar_last.
  { apply (is_derive_comp dmu Ropp); [exact h|auto_derive; trivial]. }
  unfold scal; simpl; unfold mult; simpl; ring.
- apply pos.
Qed.

Lemma concordant_mirror dmu ddmu Rs lo hi : concordant dmu ddmu Rs lo hi ->
  concordant (fun z => dmu (- z)) (fun z => - ddmu (- z)) Rs (- hi) (- lo).
Proof. intros h z hz. rewrite Rabs_Ropp. apply h. lra. Qed.

Section Link.
Variables (m mu dmu ddmu : R -> R) (Rs lo hi : R).
Hypothesis sm : smooth m mu dmu ddmu.
Hypothesis sc : concordant dmu ddmu Rs lo hi.

Let dm := d_m _ _ _ _ sm.
Let d1 := d_mu _ _ _ _ sm.
Let d2 := d_dmu _ _ _ _ sm.

Lemma mu_mono y z : y <= z -> mu y <= mu z.
Proof.
intros yz. apply (increasing_from_derivative mu dmu); [assumption| |].
- intros; apply d1.
- intros; apply (dmu_ge0 _ _ _ _ sm).
Qed.

Lemma ddmu_bounds z : lo <= z <= hi -> - (Rs * dmu z) <= ddmu z <= Rs * dmu z.
Proof. intros hz. apply Rabs_le_between, sc, hz. Qed.

(* dmu changes by at most Rs |mu z - mu y|: dmu + Rs mu increases, dmu - Rs mu decreases. *)
Lemma slope_rises y z : lo <= y -> y <= z -> z <= hi -> dmu y - Rs * (mu z - mu y) <= dmu z.
Proof.
intros h1 h2 h3.
enough (dmu y + Rs * mu y <= dmu z + Rs * mu z) by lra.
apply (increasing_from_derivative (fun z => dmu z + Rs * mu z) (fun z => ddmu z + Rs * dmu z)); [assumption| |].
- intros c hc. apply (is_derive_plus dmu (fun z => Rs * mu z)); [apply d2|].
  apply (is_derive_scal mu), d1.
- intros c hc. pose proof (ddmu_bounds c ltac:(lra)). lra.
Qed.

Lemma slope_falls y z : lo <= y -> y <= z -> z <= hi -> dmu z <= dmu y + Rs * (mu z - mu y).
Proof.
intros h1 h2 h3.
enough (dmu z - Rs * mu z <= dmu y - Rs * mu y) by lra.
apply (decreasing_from_derivative (fun z => dmu z - Rs * mu z) (fun z => ddmu z - Rs * dmu z)); [assumption| |].
- intros c hc. apply (is_derive_minus dmu (fun z => Rs * mu z)); [apply d2|].
  apply (is_derive_scal mu), d1.
- intros c hc. pose proof (ddmu_bounds c ltac:(lra)). lra.
Qed.

Lemma slope_change y z : lo <= y <= hi -> lo <= z <= hi -> dmu z <= dmu y + Rs * Rabs (mu z - mu y).
Proof.
intros hy hz. destruct (Rle_or_lt y z) as [h|h].
- rewrite Rabs_pos_eq; [|pose proof (mu_mono y z h); lra]. apply slope_falls; lra.
- rewrite Rabs_minus_sym, Rabs_pos_eq; [|pose proof (mu_mono z y ltac:(lra)); lra].
  pose proof (slope_rises z y ltac:(lra) ltac:(lra) ltac:(lra)). lra.
Qed.

Section Bounded.
Variable L : R.
Hypothesis slope_le : forall z, lo <= z <= hi -> dmu z <= L.

Lemma mu_lipschitz y z : lo <= y <= hi -> lo <= z <= hi -> Rabs (mu z - mu y) <= L * Rabs (z - y).
Proof.
assert (h : forall y z, lo <= y -> y <= z -> z <= hi -> mu z - mu y <= L * (z - y)).
{ clear y z. intros y z h1 h2 h3. enough (mu z - L * z <= mu y - L * y) by lra.
  apply (decreasing_from_derivative (fun z => mu z - L * z) (fun z => dmu z - L)); [assumption| |].
  - intros c hc. apply (is_derive_minus mu (fun z => L * z)); [apply d1|auto_derive; [trivial|ring]].
  - intros c hc. pose proof (slope_le c ltac:(lra)). lra. }
intros hy hz. destruct (Rle_or_lt y z) as [yz|zy].
- rewrite !Rabs_pos_eq; try lra; [apply h; lra|pose proof (mu_mono y z yz); lra].
- rewrite Rabs_minus_sym, (Rabs_minus_sym z). rewrite !Rabs_pos_eq; try lra; [apply h; lra|].
  pose proof (mu_mono z y ltac:(lra)); lra.
Qed.

(* The second-order remainder of mu, from the left end. *)
Lemma mu_remainder_right a b : 0 <= Rs -> lo <= a -> a <= b -> b <= hi ->
  Rabs (mu b - mu a - dmu a * (b - a)) <= Rs * L * (b - a) ^ 2 / 2.
Proof.
intros Rs0 h1 h2 h3.
assert (dd : forall c, a <= c <= b -> - (Rs * L) <= ddmu c <= Rs * L).
{ intros c hc. pose proof (ddmu_bounds c ltac:(lra)). pose proof (slope_le c ltac:(lra)). nra. }
assert (s : forall c, a <= c <= b -> - (Rs * L * (c - a)) <= dmu c - dmu a <= Rs * L * (c - a)).
{ intros c hc; split.
  - enough (dmu a + Rs * L * a <= dmu c + Rs * L * c) by lra.
    apply (increasing_from_derivative (fun z => dmu z + Rs * L * z) (fun z => ddmu z + Rs * L)); [lra| |].
    + intros e he. apply (is_derive_plus dmu (fun z => Rs * L * z)); [apply d2|auto_derive; [trivial|unfold Rminus; ring]].
    + intros e he. pose proof (dd e ltac:(lra)). lra.
  - enough (dmu c - Rs * L * c <= dmu a - Rs * L * a) by lra.
    apply (decreasing_from_derivative (fun z => dmu z - Rs * L * z) (fun z => ddmu z - Rs * L)); [lra| |].
    + intros e he. apply (is_derive_minus dmu (fun z => Rs * L * z)); [apply d2|auto_derive; [trivial|unfold Rminus; ring]].
    + intros e he. pose proof (dd e ltac:(lra)). lra. }
apply Rabs_le; split.
- enough (mu a - dmu a * a + Rs * L * (a - a) ^ 2 / 2 <= mu b - dmu a * b + Rs * L * (b - a) ^ 2 / 2) by nra.
  apply (increasing_from_derivative (fun z => mu z - dmu a * z + Rs * L * (z - a) ^ 2 / 2)
    (fun z => dmu z - dmu a + Rs * L * (z - a))); [lra| |]; intros c hc.
  + apply (is_derive_plus (fun z => mu z - dmu a * z) (fun z => Rs * L * (z - a) ^ 2 / 2)).
    * apply (is_derive_minus mu (fun z => dmu a * z)); [apply d1|auto_derive; [trivial|ring]].
    * auto_derive; [trivial|field].
  + pose proof (s c hc). lra.
- enough (mu b - dmu a * b - Rs * L * (b - a) ^ 2 / 2 <= mu a - dmu a * a - Rs * L * (a - a) ^ 2 / 2) by nra.
  apply (decreasing_from_derivative (fun z => mu z - dmu a * z - Rs * L * (z - a) ^ 2 / 2)
    (fun z => dmu z - dmu a - Rs * L * (z - a))); [lra| |]; intros c hc.
  + apply (is_derive_minus (fun z => mu z - dmu a * z) (fun z => Rs * L * (z - a) ^ 2 / 2)).
    * apply (is_derive_minus mu (fun z => dmu a * z)); [apply d1|auto_derive; [trivial|ring]].
    * auto_derive; [trivial|field].
  + pose proof (s c hc). lra.
Qed.
End Bounded.

(* dmu z >= dmu b e^{-Rs (z - b)} and dmu z <= dmu b e^{Rs (z - b)} to the right of b. *)
Lemma slope_decay b z : lo <= b -> b <= z -> z <= hi -> dmu b * exp (- (Rs * (z - b))) <= dmu z.
Proof.
intros h1 h2 h3.
assert (h : dmu b * exp (Rs * (b - b)) <= dmu z * exp (Rs * (z - b))).
{ apply (increasing_from_derivative (fun z => dmu z * exp (Rs * (z - b)))
    (fun z => (ddmu z + Rs * dmu z) * exp (Rs * (z - b)))); [assumption| |]; intros c hc.
  - replace (_ * _) with (ddmu c * exp (Rs * (c - b)) + dmu c * (Rs * exp (Rs * (c - b)))) by ring.
    apply is_derive_Reals, (derivable_pt_lim_mult dmu (fun z => exp (Rs * (z - b)))); apply is_derive_Reals;
      [apply d2|auto_derive; [trivial|unfold Rminus; ring]].
  - pose proof (ddmu_bounds c ltac:(lra)). pose proof (exp_pos (Rs * (c - b))). nra. }
replace (Rs * (b - b)) with 0 in h by ring. rewrite exp_0, Rmult_1_r in h.
pose proof (exp_pos (Rs * (z - b))) as p. rewrite exp_Ropp.
apply Rmult_le_reg_r with (exp (Rs * (z - b))); [assumption|].
rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma slope_growth b z : lo <= b -> b <= z -> z <= hi -> dmu z <= dmu b * exp (Rs * (z - b)).
Proof.
intros h1 h2 h3.
assert (h : dmu z * exp (- (Rs * (z - b))) <= dmu b * exp (- (Rs * (b - b)))).
{ apply (decreasing_from_derivative (fun z => dmu z * exp (- (Rs * (z - b))))
    (fun z => (ddmu z - Rs * dmu z) * exp (- (Rs * (z - b))))); [assumption| |]; intros c hc.
  - replace (_ * _) with (ddmu c * exp (- (Rs * (c - b))) + dmu c * (- Rs * exp (- (Rs * (c - b))))) by ring.
    apply is_derive_Reals, (derivable_pt_lim_mult dmu (fun z => exp (- (Rs * (z - b))))); apply is_derive_Reals;
      [apply d2|auto_derive; [trivial|unfold Rminus; ring]].
  - pose proof (ddmu_bounds c ltac:(lra)). pose proof (exp_pos (- (Rs * (c - b)))). nra. }
replace (- (Rs * (b - b))) with 0 in h by ring. rewrite exp_0, Rmult_1_r in h.
pose proof (exp_pos (Rs * (z - b))) as p. rewrite exp_Ropp in h.
apply Rmult_le_compat_r with (r := exp (Rs * (z - b))) in h; [|lra].
rewrite Rmult_assoc, Rinv_l in h by lra. lra.
Qed.

(* The Bregman divergence of m from below, Rs > 0, to the right. *)
Lemma bregman_right b c : 0 < Rs -> lo <= b -> b <= c -> c <= hi ->
  dmu b * (c - b) ^ 2 <= (2 + Rs * (c - b)) * (m c - m b - mu b * (c - b)).
Proof.
intros Rs0 h1 h2 h3.
assert (s : forall z, b <= z <= hi -> dmu b * (1 - exp (- (Rs * (z - b)))) <= Rs * (mu z - mu b)).
{ intros z hz.
  enough (Rs * mu b + dmu b * exp (- (Rs * (b - b))) <= Rs * mu z + dmu b * exp (- (Rs * (z - b)))) as h.
  { replace (- (Rs * (b - b))) with 0 in h by ring. rewrite exp_0 in h. nra. }
  apply (increasing_from_derivative (fun z => Rs * mu z + dmu b * exp (- (Rs * (z - b))))
    (fun z => Rs * (dmu z - dmu b * exp (- (Rs * (z - b)))))); [lra| |]; intros e he.
  - evar_last.
    { apply (is_derive_plus (fun z => Rs * mu z) (fun z => dmu b * exp (- (Rs * (z - b))))).
      - apply (is_derive_scal mu), d1.
      - auto_derive; [trivial|reflexivity]. }
    unfold plus; simpl; unfold Rminus; ring.
  - pose proof (slope_decay b e ltac:(lra) ltac:(lra) ltac:(lra)). nra. }
assert (h : dmu b * (exp (- (Rs * (c - b))) - 1 + Rs * (c - b)) <= Rs ^ 2 * (m c - m b - mu b * (c - b))).
{ enough (dmu b * (exp (- (Rs * (b - b))) + Rs * b) - Rs ^ 2 * (m b - mu b * b)
      >= dmu b * (exp (- (Rs * (c - b))) + Rs * c) - Rs ^ 2 * (m c - mu b * c)) as h.
  { replace (- (Rs * (b - b))) with 0 in h by ring. rewrite exp_0 in h. nra. }
  apply Rle_ge.
  apply (decreasing_from_derivative
    (fun z => dmu b * (exp (- (Rs * (z - b))) + Rs * z) - Rs ^ 2 * (m z - mu b * z))
    (fun z => Rs * (dmu b * (1 - exp (- (Rs * (z - b)))) - Rs * (mu z - mu b)))); [lra| |]; intros e he.
  - evar_last.
    { apply (is_derive_minus (fun z => dmu b * (exp (- (Rs * (z - b))) + Rs * z)) (fun z => Rs ^ 2 * (m z - mu b * z))).
      - auto_derive; [trivial|reflexivity].
      - apply (is_derive_scal (fun z => m z - mu b * z)).
        apply (is_derive_minus m (fun z => mu b * z)); [apply dm|auto_derive; [trivial|reflexivity]]. }
    unfold minus, plus, opp; simpl; unfold Rminus; ring.
  - pose proof (s e ltac:(lra)). nra. }
pose proof (exp_neg_curvature (Rs * (c - b)) ltac:(nra)) as e.
pose proof (dmu_ge0 _ _ _ _ sm b) as p.
apply Rmult_le_reg_l with (Rs ^ 2); [nra|].
set (E := exp _ - 1 + _) in *. set (X := m c - m b - _) in *.
replace (Rs ^ 2 * (dmu b * (c - b) ^ 2)) with (dmu b * (Rs * (c - b)) ^ 2) by ring.
apply Rle_trans with (dmu b * ((2 + Rs * (c - b)) * E)); [apply Rmult_le_compat_l; assumption|].
replace (dmu b * ((2 + Rs * (c - b)) * E)) with ((2 + Rs * (c - b)) * (dmu b * E)) by ring.
replace (Rs ^ 2 * ((2 + Rs * (c - b)) * X)) with ((2 + Rs * (c - b)) * (Rs ^ 2 * X)) by ring.
apply Rmult_le_compat_l; [nra|assumption].
Qed.

(* m c <= m b + mu b (c - b) + dmu b (e^u - 1 - u)/Rs^2 for u = Rs (c - b) >= 0. *)
Lemma growth_right b c : 0 < Rs -> lo <= b -> b <= c -> c <= hi ->
  Rs ^ 2 * (m c - m b - mu b * (c - b)) <= dmu b * (exp (Rs * (c - b)) - 1 - Rs * (c - b)).
Proof.
intros Rs0 h1 h2 h3.
assert (s : forall z, b <= z <= hi -> Rs * (mu z - mu b) <= dmu b * (exp (Rs * (z - b)) - 1)).
{ intros z hz.
  enough (Rs * mu z - dmu b * exp (Rs * (z - b)) <= Rs * mu b - dmu b * exp (Rs * (b - b))) as h.
  { replace (Rs * (b - b)) with 0 in h by ring. rewrite exp_0 in h. nra. }
  apply (decreasing_from_derivative (fun z => Rs * mu z - dmu b * exp (Rs * (z - b)))
    (fun z => Rs * (dmu z - dmu b * exp (Rs * (z - b))))); [lra| |]; intros e he.
  - evar_last.
    { apply (is_derive_minus (fun z => Rs * mu z) (fun z => dmu b * exp (Rs * (z - b)))).
      - apply (is_derive_scal mu), d1.
      - auto_derive; [trivial|reflexivity]. }
    unfold minus, plus, opp; simpl; unfold Rminus; ring.
  - pose proof (slope_growth b e ltac:(lra) ltac:(lra) ltac:(lra)). nra. }
enough (Rs ^ 2 * (m c - mu b * c) - dmu b * (exp (Rs * (c - b)) - Rs * c)
    <= Rs ^ 2 * (m b - mu b * b) - dmu b * (exp (Rs * (b - b)) - Rs * b)) as h.
{ replace (Rs * (b - b)) with 0 in h by ring. rewrite exp_0 in h. nra. }
apply (decreasing_from_derivative (fun z => Rs ^ 2 * (m z - mu b * z) - dmu b * (exp (Rs * (z - b)) - Rs * z))
  (fun z => Rs * (Rs * (mu z - mu b) - dmu b * (exp (Rs * (z - b)) - 1)))); [lra| |]; intros e he.
- evar_last.
  { apply (is_derive_minus (fun z => Rs ^ 2 * (m z - mu b * z)) (fun z => dmu b * (exp (Rs * (z - b)) - Rs * z))).
    - apply (is_derive_scal (fun z => m z - mu b * z)).
      apply (is_derive_minus m (fun z => mu b * z)); [apply dm|auto_derive; [trivial|reflexivity]].
    - auto_derive; [trivial|reflexivity]. }
  unfold minus, plus, opp; simpl; unfold Rminus; ring.
- pose proof (s e ltac:(lra)). nra.
Qed.
End Link.

(* --- both sides, and Rs = 0 --------------------------------------------------------------------------- *)

Section TwoSided.
Variables (m mu dmu ddmu : R -> R) (Rs lo hi : R).
Hypothesis sm : smooth m mu dmu ddmu.
Hypothesis sc : concordant dmu ddmu Rs lo hi.
Hypothesis Rs0 : 0 <= Rs.

Theorem mu_remainder L a b : (forall z, lo <= z <= hi -> dmu z <= L) -> lo <= a <= hi -> lo <= b <= hi ->
  Rabs (mu b - mu a - dmu a * (b - a)) <= Rs * L * (b - a) ^ 2 / 2.
Proof.
intros hL ha hb. destruct (Rle_or_lt a b) as [h|h].
- apply (mu_remainder_right m mu dmu ddmu Rs lo hi sm sc L); try assumption; lra.
- pose proof (mu_remainder_right _ _ _ _ Rs (- hi) (- lo) (smooth_mirror _ _ _ _ sm)
    (concordant_mirror _ _ _ _ _ sc) L) as r.
  specialize (r ltac:(intros z hz; apply hL; lra) (- a) (- b) Rs0 ltac:(lra) ltac:(lra) ltac:(lra)).
  simpl in r. rewrite !Ropp_involutive in r.
  rewrite <- Rabs_Ropp.
  replace (- (mu b - mu a - dmu a * (b - a))) with (- mu b - - mu a - dmu a * (- b - - a)) by ring.
  replace ((b - a) ^ 2) with ((- b - - a) ^ 2) by ring. exact r.
Qed.

Lemma bregman_pos R' b c : 0 < R' -> Rs <= R' -> lo <= b <= hi -> lo <= c <= hi ->
  dmu b * (c - b) ^ 2 <= (2 + R' * Rabs (c - b)) * (m c - m b - mu b * (c - b)).
Proof.
intros R0 RR hb hc.
assert (sc' : concordant dmu ddmu R' lo hi).
{ intros z hz. pose proof (sc z hz). pose proof (dmu_ge0 _ _ _ _ sm z). nra. }
destruct (Rle_or_lt b c) as [h|h].
- rewrite Rabs_pos_eq by lra. apply (bregman_right m mu dmu ddmu R' lo hi sm sc'); lra.
- pose proof (bregman_right _ _ _ _ R' (- hi) (- lo) (smooth_mirror _ _ _ _ sm)
    (concordant_mirror _ _ _ _ _ sc') (- b) (- c) R0 ltac:(lra) ltac:(lra) ltac:(lra)) as r.
  simpl in r. rewrite !Ropp_involutive in r. rewrite Rabs_left by lra. nra.
Qed.

(* lemma:self-concordance, weighted: m c - m b - mu b (c - b) >= dmu b (c - b)^2 / (2 + Rs |c - b|). *)
Theorem bregman_lower b c : lo <= b <= hi -> lo <= c <= hi ->
  dmu b * (c - b) ^ 2 <= (2 + Rs * Rabs (c - b)) * (m c - m b - mu b * (c - b)).
Proof.
intros hb hc. destruct Rs0 as [p|z]; [apply bregman_pos; lra|].
pose proof (dmu_ge0 _ _ _ _ sm b) as db. pose proof (Rabs_pos (c - b)) as ab.
set (X := m c - m b - mu b * (c - b)). set (Q := dmu b * (c - b) ^ 2).
assert (all : forall r, 0 < r -> Q <= (2 + r * Rabs (c - b)) * X).
{ intros r r0. apply bregman_pos; lra. }
assert (X0 : 0 <= X).
{ pose proof (all 1 ltac:(lra)). assert (0 <= Q) by (apply Rmult_le_pos; [assumption|apply pow2_ge_0]).
  destruct (Rle_or_lt 0 X); [assumption|]. nra. }
rewrite <- z, Rmult_0_l, Rplus_0_r. apply le_epsilon. intros e e0.
pose proof (all (e / (Rabs (c - b) * X + 1))) as h.
assert (p : 0 < Rabs (c - b) * X + 1) by nra.
assert (r0 : 0 < e / (Rabs (c - b) * X + 1)) by (apply Rdiv_lt_0_compat; assumption).
specialize (h r0).
assert (e / (Rabs (c - b) * X + 1) * (Rabs (c - b) * X) <= e); [|nra].
unfold Rdiv. rewrite Rmult_assoc.
assert (/ (Rabs (c - b) * X + 1) * (Rabs (c - b) * X) <= 1); [|nra].
apply Rmult_le_reg_l with (Rabs (c - b) * X + 1); [assumption|].
rewrite <- Rmult_assoc, Rinv_r by lra. lra.
Qed.

(* The growth of m, for any R' >= Rs that is positive. *)
Theorem growth R' b c : 0 < R' -> Rs <= R' -> lo <= b <= hi -> lo <= c <= hi ->
  R' ^ 2 * (m c - m b - mu b * (c - b)) <= dmu b * (exp (R' * Rabs (c - b)) - 1 - R' * Rabs (c - b)).
Proof.
intros R0 RR hb hc.
assert (sc' : concordant dmu ddmu R' lo hi).
{ intros z hz. pose proof (sc z hz). pose proof (dmu_ge0 _ _ _ _ sm z). nra. }
destruct (Rle_or_lt b c) as [h|h].
- rewrite Rabs_pos_eq by lra. apply (growth_right m mu dmu ddmu R' lo hi sm sc'); lra.
- pose proof (growth_right _ _ _ _ R' (- hi) (- lo) (smooth_mirror _ _ _ _ sm)
    (concordant_mirror _ _ _ _ _ sc') (- b) (- c) R0 ltac:(lra) ltac:(lra) ltac:(lra)) as r.
  simpl in r. rewrite !Ropp_involutive in r. rewrite Rabs_left by lra.
  replace (- (c - b)) with (- c - - b) by ring. nra.
Qed.
End TwoSided.

(* The premises can be met: the quadratic m, whose link is linear (Rs = 0) ... *)
Lemma linear_link : smooth (fun z => z ^ 2 / 2) (fun z => z) (fun _ => 1) (fun _ => 0).
Proof. split; intros z; try (auto_derive; [trivial|field]); lra. Qed.
Lemma linear_concordant lo hi : concordant (fun _ => 1) (fun _ => 0) 0 lo hi.
Proof. intros z _. rewrite Rabs_R0. lra. Qed.
(* ... and m = exp (Poisson rewards), Rs = 1 on the whole line. *)
Lemma poisson_link : smooth exp exp exp exp.
Proof. split; intros z; try (auto_derive; [trivial|ring]). left; apply exp_pos. Qed.
Lemma poisson_concordant lo hi : concordant exp exp 1 lo hi.
Proof. intros z _. rewrite Rabs_pos_eq; [lra|left; apply exp_pos]. Qed.
