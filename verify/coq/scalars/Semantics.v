(** What the formulas of certificates mean in Coq beyond its own functions, and how signs and products combine.

    - [smooth m]: [m 0], [m 1], ... are a function and its derivatives of every order;
    - [root q x]: the q-th root on x >= 0, 0 at 0;  [erf]; [zsum f a n]: n terms of a sum from a on;
    - [sign_*]: the sign of an operation by those of its arguments;  [no_sum]: nonnegative terms, one of them positive,
      do not add up to 0;  [by_*]: what to show instead of a goal. *)

From Coq Require Import Reals Lra Psatz ZArith.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

Definition smooth (m : nat -> R -> R) : Prop := forall k x, is_derive (m k) x (m (S k) x).

Definition root (q : nat) (x : R) : R := if Rle_dec x 0 then 0 else exp (ln x * / INR q).

Definition erf (x : R) : R := 2 * / sqrt PI * RInt (fun t => exp (- t ^ 2)) 0 x.

Fixpoint zsum (f : Z -> R) (a : Z) (n : nat) : R :=
  match n with O => 0 | S k => zsum f a k + f (a + Z.of_nat k)%Z end.

Lemma named (x : R) : exists a, a = x.
Proof. now exists x. Qed.

(** * Relations as gaps *)

Lemma gap_le g l r : g = r - l -> l <= r -> 0 <= g.
Proof. intros -> ?; lra. Qed.
Lemma gap_lt g l r : g = r - l -> l < r -> 0 < g.
Proof. intros -> ?; lra. Qed.
Lemma gap_eq g l r : g = l - r -> l = r -> g = 0.
Proof. intros -> ->; lra. Qed.
Lemma gap_ne g l r : g = l - r -> l <> r -> g <> 0.
Proof. intros -> ? ?; lra. Qed.
Lemma from_gap_le g l r : g = r - l -> 0 <= g -> l <= r.
Proof. intros -> ?; lra. Qed.
Lemma from_gap_lt g l r : g = r - l -> 0 < g -> l < r.
Proof. intros -> ?; lra. Qed.
Lemma from_gap_eq g l r : g = l - r -> g = 0 -> l = r.
Proof. intros -> ?; lra. Qed.
Lemma from_gap_ne g l r : g = l - r -> g <> 0 -> l <> r.
Proof. intros -> ? ?; lra. Qed.

Lemma by_same_le g h : h = g -> 0 <= h -> 0 <= g.
Proof. now intros <-. Qed.
Lemma by_same_lt g h : h = g -> 0 < h -> 0 < g.
Proof. now intros <-. Qed.
Lemma by_same_eq g h : h = g -> h = 0 -> g = 0.
Proof. now intros <-. Qed.
Lemma by_same_ne g h : h = g -> h <> 0 -> g <> 0.
Proof. now intros <-. Qed.

Lemma by_times_le k g h : 0 < k -> h = k * g -> 0 <= h -> 0 <= g.
Proof. intros Hk -> H; apply (Rmult_le_reg_l k); lra. Qed.
Lemma by_times_lt k g h : 0 < k -> h = k * g -> 0 < h -> 0 < g.
Proof. intros Hk -> H; apply (Rmult_lt_reg_l k); lra. Qed.
Lemma by_times_eq k g h : 0 < k -> h = k * g -> h = 0 -> g = 0.
Proof. intros Hk -> H; apply (Rmult_eq_reg_l k); lra. Qed.
Lemma by_times_ne k g h : 0 < k -> h = k * g -> h <> 0 -> g <> 0.
Proof. intros Hk -> H Hg; apply H; rewrite Hg; lra. Qed.

Lemma by_both g h : h = - g -> 0 <= g -> 0 <= h -> g = 0.
Proof. intros -> ? ?; lra. Qed.

(** * Signs *)

Lemma weaken x : 0 < x -> 0 <= x.
Proof. lra. Qed.
Lemma zero_is_enough x : x = 0 -> 0 <= x.
Proof. lra. Qed.
Lemma multiple t p : p = 0 -> 0 <= t * p.
Proof. intros ->; lra. Qed.
Lemma no_sum x y : x + y = 0 -> 0 < x -> 0 <= y -> False.
Proof. lra. Qed.
Lemma square_ge (x : R) : 0 <= x ^ 2.
Proof. apply pow2_ge_0. Qed.
Lemma square_gt (x : R) : x <> 0 -> 0 < x ^ 2.
Proof. intros; now apply pow2_gt_0. Qed.
Lemma plus_ge x y : 0 <= x -> 0 <= y -> 0 <= x + y.
Proof. lra. Qed.
Lemma plus_gt_l x y : 0 < x -> 0 <= y -> 0 < x + y.
Proof. lra. Qed.
Lemma plus_gt_r x y : 0 <= x -> 0 < y -> 0 < x + y.
Proof. lra. Qed.
Lemma inv_ge x : 0 <= x -> 0 <= / x.
Proof. intros [H| <-]; [left; now apply Rinv_0_lt_compat|rewrite Rinv_0; lra]. Qed.
Lemma even_pow_ge x n : 0 <= x ^ (2 * n).
Proof. rewrite pow_mult; apply pow_le, pow2_ge_0. Qed.
Lemma even_pow_gt x n : x <> 0 -> 0 < x ^ (2 * n).
Proof. intros H; rewrite pow_mult; apply pow_lt; now apply pow2_gt_0. Qed.
Lemma abs_gt x : x <> 0 -> 0 < Rabs x.
Proof. apply Rabs_pos_lt. Qed.
Lemma ln_ge x : 0 <= x - 1 -> 0 <= ln x.
Proof. intros H; rewrite <- ln_1; apply ln_le; lra. Qed.
Lemma ln_gt x : 0 < x - 1 -> 0 < ln x.
Proof. intros H; rewrite <- ln_1; apply ln_increasing; lra. Qed.
Lemma max_ge_l x y : 0 <= x -> 0 <= Rmax x y.
Proof. intros; apply Rle_trans with (2 := Rmax_l x y); lra. Qed.
Lemma max_ge_r x y : 0 <= y -> 0 <= Rmax x y.
Proof. intros; apply Rle_trans with (2 := Rmax_r x y); lra. Qed.
Lemma max_gt_l x y : 0 < x -> 0 < Rmax x y.
Proof. intros; apply Rlt_le_trans with (2 := Rmax_l x y); lra. Qed.
Lemma max_gt_r x y : 0 < y -> 0 < Rmax x y.
Proof. intros; apply Rlt_le_trans with (2 := Rmax_r x y); lra. Qed.
Lemma min_ge x y : 0 <= x -> 0 <= y -> 0 <= Rmin x y.
Proof. intros; now apply Rmin_glb. Qed.
Lemma min_gt x y : 0 < x -> 0 < y -> 0 < Rmin x y.
Proof. intros; now apply Rmin_glb_lt. Qed.
Lemma cosh_gt x : 0 < cosh x.
Proof. unfold cosh; assert (H := exp_pos x); assert (K := exp_pos (- x)); lra. Qed.
Lemma sinh_ge x : 0 <= x -> 0 <= sinh x.
Proof. intros [H| <-]; [unfold sinh; assert (K := exp_increasing (- x) x); lra|rewrite sinh_0; lra]. Qed.
Lemma sinh_gt x : 0 < x -> 0 < sinh x.
Proof. intros H; unfold sinh; assert (K := exp_increasing (- x) x); lra. Qed.
Lemma tanh_gt x : 0 < x -> 0 < tanh x.
Proof. intros H; unfold tanh; apply Rdiv_lt_0_compat; [now apply sinh_gt|apply cosh_gt]. Qed.
Lemma tanh_ge x : 0 <= x -> 0 <= tanh x.
Proof. intros [H| <-]; [left; now apply tanh_gt|unfold tanh; rewrite sinh_0; lra]. Qed.
Lemma cosh_ge x : 0 <= cosh x.
Proof. left; apply cosh_gt. Qed.
Lemma exp_ge x : 0 <= exp x.
Proof. left; apply exp_pos. Qed.
Lemma gt_ne x : 0 < x -> x <> 0.
Proof. lra. Qed.
Lemma opp_ne x y : y = - x -> 0 < y -> x <> 0.
Proof. lra. Qed.
Lemma inv_ne x : x <> 0 -> / x <> 0.
Proof. apply Rinv_neq_0_compat. Qed.
Lemma times_ne x y : x <> 0 -> y <> 0 -> x * y <> 0.
Proof. intros; now apply Rmult_integral_contrapositive_currified. Qed.

(** * Roots, exponentials and logarithms *)

Lemma root_gt q x : 0 < x -> 0 < root q x.
Proof. intros H; unfold root; destruct (Rle_dec x 0); [lra|apply exp_pos]. Qed.
Lemma root_ge q x : 0 <= root q x.
Proof. unfold root; destruct (Rle_dec x 0); [lra|left; apply exp_pos]. Qed.
Lemma root_exp q x : 0 < x -> root q x = exp (ln x * / INR q).
Proof. intros H; unfold root; destruct (Rle_dec x 0); [lra|reflexivity]. Qed.
Lemma exp_INR a n : exp a ^ n = exp (INR n * a).
Proof.
  induction n as [|n IH]; [simpl; now rewrite Rmult_0_l, exp_0|].
  rewrite S_INR; simpl pow; rewrite IH, <- exp_plus; f_equal; ring.
Qed.
Lemma root_pow q x : (0 < q)%nat -> 0 <= x -> root q x ^ q = x.
Proof.
  intros Hq [H| <-].
  - rewrite root_exp, exp_INR by assumption.
    replace (INR q * (ln x * / INR q)) with (ln x) by (field; now apply not_0_INR, Nat.neq_0_lt_0).
    now apply exp_ln.
  - unfold root; destruct (Rle_dec 0 0); [|lra]; now apply pow_i.
Qed.
Lemma sqrt_square x : 0 <= x -> sqrt x ^ 2 = x.
Proof. apply pow2_sqrt. Qed.

Lemma max_zero x y : (Rmax x y - x) * (Rmax x y - y) = 0.
Proof. unfold Rmax; destruct (Rle_dec x y); ring. Qed.
Lemma min_zero x y : (x - Rmin x y) * (y - Rmin x y) = 0.
Proof. unfold Rmin; destruct (Rle_dec x y); ring. Qed.
Lemma abs_zero x : (Rabs x - x) * (Rabs x + x) = 0.
Proof. unfold Rabs; destruct (Rcase_abs x); ring. Qed.
Lemma abs_below x : - x <= Rabs x.
Proof. rewrite <- Rabs_Ropp; apply Rle_abs. Qed.

Lemma sinh_exp x : sinh x = (exp x - / exp x) * / 2.
Proof. unfold sinh; rewrite exp_Ropp; field; apply Rgt_not_eq, exp_pos. Qed.
Lemma cosh_exp x : cosh x = (exp x + / exp x) * / 2.
Proof. unfold cosh; rewrite exp_Ropp; field; apply Rgt_not_eq, exp_pos. Qed.
Lemma tanh_exp x : tanh x = (exp x - / exp x) * / (exp x + / exp x).
Proof.
  unfold tanh; rewrite sinh_exp, cosh_exp; assert (H := exp_pos x); field; repeat split; nra.
Qed.
Lemma root_of_pow q y : (0 < q)%nat -> 0 <= y -> root q (y ^ q) = y.
Proof.
  intros Hq [H| <-].
  - assert (P : 0 < y ^ q) by now apply pow_lt.
    rewrite root_exp, ln_pow by assumption.
    replace (INR q * ln y * / INR q) with (ln y) by (field; now apply not_0_INR, Nat.neq_0_lt_0).
    now apply exp_ln.
  - rewrite pow_i by assumption; unfold root; destruct (Rle_dec 0 0); lra.
Qed.
Lemma apart (x : R) : x <> 0 \/ x = 0.
Proof. destruct (Req_dec x 0); auto. Qed.
Lemma by_logarithms_le x y : 0 < x -> 0 < y -> 0 <= x - y -> 0 <= ln x - ln y.
Proof. intros Hx Hy H; assert (K : ln y <= ln x) by (apply ln_le; lra); lra. Qed.
Lemma by_logarithms_lt x y : 0 < x -> 0 < y -> 0 < x - y -> 0 < ln x - ln y.
Proof. intros Hx Hy H; assert (K : ln y < ln x) by (apply ln_increasing; lra); lra. Qed.
Lemma exp_by_ln a r : 0 < r -> a = ln r -> exp a = r.
Proof. intros H ->; now apply exp_ln. Qed.
Lemma Rpower_whole b p : 0 < b -> Rpower b (IZR (Zpos p)) = b ^ Pos.to_nat p.
Proof. intros H; rewrite <- Rpower_pow by assumption; now rewrite INR_IPR. Qed.
Lemma cleared_ne u n d : u = n * / d -> u <> 0 -> n <> 0.
Proof. intros -> H ->; apply H; ring. Qed.
