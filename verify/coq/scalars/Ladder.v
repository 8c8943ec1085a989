(** Signs climb ladders: a function that is not negative at one end of an interval and does not fall from there is
    not negative at the other.  Derivatives and continuity are put together rule by rule, with the formulas that the
    Python kernel uses for them, and a function with a known derivative has a known integral.

    - [ladder_up], [ladder_up_strict], [ladder_down], [ladder_down_strict]: the sign of a function by that of its slope;
    - [slope_*]: the derivative of sums, products, powers, exponentials, ...; [whole_*]: continuity of the same;
    - [integral_by_primitive]: the fundamental theorem of calculus. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Scalars Require Import Semantics.
Open Scope R_scope.

(** * Derivatives, one operation at a time *)

Section Slopes.
Variables (f g : R -> R) (x df dg : R).
Hypothesis Hf : is_derive f x df.

Lemma slope_eq l : df = l -> is_derive f x l.
Proof. now intros <-. Qed.

Lemma slope_plus : is_derive g x dg -> is_derive (fun t => f t + g t) x (df + dg).
Proof. intros Hg; exact (is_derive_plus f g x df dg Hf Hg). Qed.

Lemma slope_times : is_derive g x dg -> is_derive (fun t => f t * g t) x (df * g x + f x * dg).
Proof. intros Hg; apply (is_derive_mult f g x df dg Hf Hg); intros; apply Rmult_comm. Qed.

Lemma slope_pow n : is_derive (fun t => f t ^ n) x (INR n * f x ^ pred n * df).
Proof. evar_last; [apply (is_derive_pow f n x df Hf)|ring]. Qed.

Lemma slope_inv : f x <> 0 -> is_derive (fun t => / f t) x (-1 * / f x ^ 2 * df).
Proof. intros Hx; evar_last; [apply (is_derive_inv f x df Hf Hx)|now field]. Qed.

Lemma slope_of (h : R -> R) (l : R) : is_derive h (f x) l -> is_derive (fun t => h (f t)) x (l * df).
Proof.
  intros Hh; evar_last; [exact (is_derive_comp h f x l df Hh Hf)|].
  unfold scal; simpl; unfold mult; simpl; ring.
Qed.

Lemma slope_exp : is_derive (fun t => exp (f t)) x (exp (f x) * df).
Proof. apply slope_of, is_derive_exp. Qed.

Lemma slope_ln : 0 < f x -> is_derive (fun t => ln (f t)) x (/ f x * df).
Proof. intros Hx; now apply slope_of, is_derive_ln. Qed.

Lemma slope_sqrt : 0 < f x -> is_derive (fun t => sqrt (f t)) x (1 / 2 * / sqrt (f x) * df).
Proof.
  intros Hx; evar_last; [apply (is_derive_sqrt f x df Hf Hx)|].
  assert (H := sqrt_lt_R0 _ Hx); field; lra.
Qed.

Lemma slope_sinh : is_derive (fun t => sinh (f t)) x (cosh (f x) * df).
Proof. apply slope_of, is_derive_Reals, derivable_pt_lim_sinh. Qed.

Lemma slope_cosh : is_derive (fun t => cosh (f t)) x (sinh (f x) * df).
Proof. apply slope_of, is_derive_Reals, derivable_pt_lim_cosh. Qed.

Lemma slope_erf : is_derive (fun t => erf (f t)) x (2 * exp (-1 * f x ^ 2) * / sqrt PI * df).
Proof.
  apply slope_of; unfold erf; evar_last.
  - apply is_derive_scal, is_derive_RInt with (a := 0).
    + apply filter_forall; intros y; apply (RInt_correct (V := R_CompleteNormedModule)).
      apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros z _.
      apply (ex_derive_continuous (fun t => exp (- t ^ 2))); auto_derive; trivial.
    + apply (ex_derive_continuous (fun t => exp (- t ^ 2))); auto_derive; trivial.
  - replace (-1 * f x ^ 2) with (- f x ^ 2) by ring; ring.
Qed.

Lemma slope_smooth m k : smooth m -> is_derive (fun t => m k (f t)) x (m (S k) (f x) * df).
Proof. intros Hm; apply slope_of, Hm. Qed.

End Slopes.

Lemma slope_const (c x : R) : is_derive (fun _ => c) x 0.
Proof. exact (is_derive_const c x). Qed.
Lemma slope_id (x : R) : is_derive (fun t => t) x 1.
Proof. exact (is_derive_id x). Qed.

(** * Continuity, one operation at a time *)

Lemma whole_slope (h : R -> R) (x l : R) : is_derive h x l -> continuous h x.
Proof. intros H; apply (ex_derive_continuous (V := R_NormedModule)); now exists l. Qed.

Section Continuity.
Variables (f g : R -> R) (x : R).
Hypothesis Hf : continuous f x.

Lemma whole_of (h : R -> R) : continuous h (f x) -> continuous (fun t => h (f t)) x.
Proof. intros H; exact (continuous_comp f h x Hf H). Qed.
Lemma whole_plus : continuous g x -> continuous (fun t => f t + g t) x.
Proof. intros Hg; exact (continuous_plus f g x Hf Hg). Qed.
Lemma whole_times : continuous g x -> continuous (fun t => f t * g t) x.
Proof. intros Hg; exact (continuous_mult f g x Hf Hg). Qed.
Lemma whole_pow n : continuous (fun t => f t ^ n) x.
Proof. apply (whole_of (fun y => y ^ n)), (ex_derive_continuous (fun y => y ^ n)); auto_derive; trivial. Qed.
Lemma whole_inv : f x <> 0 -> continuous (fun t => / f t) x.
Proof. intros H; apply (whole_of Rinv), continuous_Rinv, H. Qed.
Lemma whole_exp : continuous (fun t => exp (f t)) x.
Proof. apply whole_of, continuous_exp. Qed.
Lemma whole_ln : 0 < f x -> continuous (fun t => ln (f t)) x.
Proof. intros H; apply whole_of; eapply whole_slope; now apply is_derive_ln. Qed.
Lemma whole_sqrt : 0 <= f x -> continuous (fun t => sqrt (f t)) x.
Proof. intros H; apply whole_of, continuous_sqrt. Qed.
Lemma whole_sinh : continuous (fun t => sinh (f t)) x.
Proof. apply whole_of; eapply whole_slope; apply is_derive_Reals, derivable_pt_lim_sinh. Qed.
Lemma whole_cosh : continuous (fun t => cosh (f t)) x.
Proof. apply whole_of; eapply whole_slope; apply is_derive_Reals, derivable_pt_lim_cosh. Qed.
Lemma whole_erf : continuous (fun t => erf (f t)) x.
Proof. apply whole_of; eapply whole_slope; apply (slope_erf (fun t => t) _ 1 (is_derive_id _)). Qed.
Lemma whole_smooth m k : smooth m -> continuous (fun t => m k (f t)) x.
Proof. intros Hm; apply whole_of; eapply whole_slope; apply Hm. Qed.

End Continuity.

Lemma whole_const (c x : R) : continuous (fun _ => c) x.
Proof. apply continuous_const. Qed.
Lemma whole_id (x : R) : continuous (fun t => t) x.
Proof. apply continuous_id. Qed.

(** * Ladders *)

Lemma mean_value (f df : R -> R) a b : a < b ->
  (forall t, a <= t <= b -> continuous f t) -> (forall t, a < t < b -> is_derive f t (df t)) ->
  exists c, a < c < b /\ f b - f a = df c * (b - a).
Proof.
  intros Hab Hc Hd.
  assert (pr : forall t, a < t < b -> derivable_pt f t).
  { intros t Ht; exists (df t); now apply is_derive_Reals, Hd. }
  destruct (MVT f id a b pr (fun t _ => derivable_pt_id t) Hab) as (c & Hc' & E).
  - intros t Ht; apply continuity_pt_filterlim, (Hc t Ht).
  - intros t Ht; apply derivable_continuous_pt, derivable_pt_id.
  - exists c; split; [assumption|].
    assert (D : derive_pt f c (pr c Hc') = df c).
    { apply derive_pt_eq, is_derive_Reals, Hd, Hc'. }
    assert (D' : derive_pt id c (derivable_pt_id c) = 1) by apply derive_pt_id.
    rewrite D, D' in E; unfold id in E; lra.
Qed.

Section Ladders.
Variables (f df : R -> R) (a b : R).
Hypothesis Hc : forall t, a <= t <= b -> continuous f t.
Hypothesis Hd : forall t, a < t < b -> is_derive f t (df t).

Lemma ladder_up : a <= b -> (forall t, a < t < b -> 0 <= df t) -> 0 <= f a -> 0 <= f b.
Proof.
  intros [Hab| <-] Hs H0; [|assumption].
  destruct (mean_value f df a b Hab Hc Hd) as (c & Hc' & E); assert (S := Hs c Hc'); nra.
Qed.
Lemma ladder_up_start : a <= b -> (forall t, a < t < b -> 0 <= df t) -> 0 < f a -> 0 < f b.
Proof.
  intros [Hab| <-] Hs H0; [|assumption].
  destruct (mean_value f df a b Hab Hc Hd) as (c & Hc' & E); assert (S := Hs c Hc'); nra.
Qed.
Lemma ladder_up_strict : a < b -> (forall t, a < t < b -> 0 < df t) -> 0 <= f a -> 0 < f b.
Proof.
  intros Hab Hs H0; destruct (mean_value f df a b Hab Hc Hd) as (c & Hc' & E); assert (S := Hs c Hc'); nra.
Qed.
Lemma ladder_down : a <= b -> (forall t, a < t < b -> 0 <= - df t) -> 0 <= f b -> 0 <= f a.
Proof.
  intros [Hab| <-] Hs H0; [|assumption].
  destruct (mean_value f df a b Hab Hc Hd) as (c & Hc' & E); assert (S := Hs c Hc'); nra.
Qed.
Lemma ladder_down_start : a <= b -> (forall t, a < t < b -> 0 <= - df t) -> 0 < f b -> 0 < f a.
Proof.
  intros [Hab| <-] Hs H0; [|assumption].
  destruct (mean_value f df a b Hab Hc Hd) as (c & Hc' & E); assert (S := Hs c Hc'); nra.
Qed.
Lemma ladder_down_strict : a < b -> (forall t, a < t < b -> 0 < - df t) -> 0 <= f b -> 0 < f a.
Proof.
  intros Hab Hs H0; destruct (mean_value f df a b Hab Hc Hd) as (c & Hc' & E); assert (S := Hs c Hc'); nra.
Qed.

End Ladders.

(** * Integrals *)

Lemma near_gt (u : R -> R) (x : R) : continuous u x -> 0 < u x -> locally x (fun t => 0 < u t).
Proof. intros H P; apply (H (fun y => 0 < y)); now apply open_gt. Qed.
Lemma near_ne (u : R -> R) (x : R) : continuous u x -> u x <> 0 -> locally x (fun t => u t <> 0).
Proof. intros H P; apply (H (fun y => y <> 0)); now apply open_neq. Qed.

Lemma zsum_by_primitive (f F : Z -> R) a n :
  (forall k, (a <= k < a + Z.of_nat n)%Z -> F (k + 1)%Z - F k = f k) -> zsum f a n = F (a + Z.of_nat n)%Z - F a.
Proof.
  induction n as [|n IH]; intros H; [simpl; rewrite Z.add_0_r; ring|].
  cbn [zsum]; rewrite IH by (intros k K; apply H; lia).
  rewrite <- (H (a + Z.of_nat n)%Z) by lia.
  replace (a + Z.of_nat (S n))%Z with (a + Z.of_nat n + 1)%Z by lia; ring.
Qed.
Lemma sum_by_primitive (f F : Z -> R) a b : (a <= b + 1)%Z ->
  (forall k, (a <= k <= b)%Z -> F (k + 1)%Z - F k = f k) -> zsum f a (Z.to_nat (b - a + 1)) = F (b + 1)%Z - F a.
Proof.
  intros O H; rewrite (zsum_by_primitive f F); rewrite Z2Nat.id by lia; [f_equal; f_equal; lia|].
  intros k K; apply H; lia.
Qed.

Lemma integral_by_primitive (F f : R -> R) a b :
  (forall t, Rmin a b <= t <= Rmax a b -> is_derive F t (f t)) ->
  (forall t, Rmin a b <= t <= Rmax a b -> continuous f t) -> ex_RInt f a b /\ RInt f a b = F b - F a.
Proof.
  intros Hd Hc; assert (H := is_RInt_derive F f a b Hd Hc).
  split; [now exists (F b - F a)|now apply is_RInt_unique].
Qed.
