(* The pointwise inequality behind E [e^(a|N|) - 1 - a|N|] <= (27/40) a^2 for a standard normal N and a <= 1/2: the
   excess is at most a combination of cosh (u/2), u^2 and e^(-5u^2/8), whose normal means are known.
     excess_scaled    excess a u <= 4 a^2 excess (1/2) u
     excess_bounded   excess (1/2) u + B u^2 + D (1 - e^(-5u^2/8)) <= A (cosh (u/2) - 1)
     means_fit        A (e^(1/8) - 1) - B - D/3 <= 27/160 *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Glbcheck Require Import PlainInterval Scalar NormalNumbers.
Local Open Scope R_scope.

Definition part_cosh := 12 / 5.
Definition part_square := 169 / 1250.
Definition part_bell := 47 / 1000.

Lemma means_fit : part_cosh * (exp (1 / 8) - 1) - part_square - part_bell / 3 <= 27 / 160.
Proof. unfold part_cosh, part_square, part_bell. interval with (i_prec 40). Qed.

Lemma exp_three_halves : 4 <= exp (3 / 2).
Proof. interval with (i_prec 40). Qed.

Lemma exp_ge_square x : 0 <= x -> 1 + x + x ^ 2 / 2 <= exp x.
Proof.
intros x0. enough (exp 0 - 1 - 0 - 0 ^ 2 / 2 <= exp x - 1 - x - x ^ 2 / 2) by (rewrite exp_0 in *; lra).
apply (increasing_from_derivative (fun x => exp x - 1 - x - x ^ 2 / 2) (fun x => exp x - 1 - x)); [assumption| |].
- intros c _. auto_derive; [easy|field].
- intros c _. pose proof (exp_ge c). lra.
Qed.

(* --- at a = 1/2, in x = |u|/2 -------------------------------------------------------------------------------- *)

Definition room x := (part_cosh / 2 - 1) * (exp x - 1 - x) + part_cosh / 2 * (exp (- x) - 1 + x)
  - 4 * part_square * x ^ 2 - part_bell * (1 - exp (- (5 / 2 * x ^ 2))).

Lemma room_small x : 0 <= x <= 1 / 16 -> 0 <= room x.
Proof.
intros [x0 x1]. unfold room, part_cosh, part_square, part_bell.
pose proof (exp_ge_square x x0). pose proof (exp_neg_curvature x x0). pose proof (exp_ge (- (5 / 2 * x ^ 2))).
nra.
Qed.

Lemma room_middle x : 1 / 16 <= x <= 4 -> 0 <= room x.
Proof.
intros h. unfold room, part_cosh, part_square, part_bell.
interval with (i_bisect x, i_taylor x, i_degree 5, i_depth 20, i_prec 40).
Qed.

Lemma room_large x : 4 <= x -> 0 <= room x.
Proof.
intros h. unfold room, part_cosh, part_square, part_bell.
assert (e4 : 50 <= exp 4) by interval with (i_prec 40).
pose proof (exp_ge_square (x - 4) ltac:(lra)) as rise.
assert (ex : exp x = exp 4 * exp (x - 4)) by (rewrite <- exp_plus; f_equal; ring).
pose proof (exp_pos (- x)). pose proof (exp_pos (- (5 / 2 * x ^ 2))).
assert (low : 50 * (1 + (x - 4) + (x - 4) ^ 2 / 2) <= exp x) by (rewrite ex; apply Rmult_le_compat; nra).
nra.
Qed.

Theorem excess_bounded u : excess (1 / 2) u + part_square * u ^ 2 + part_bell * (1 - exp (- (5 / 8 * u ^ 2)))
  <= part_cosh * ((exp (u / 2) + exp (- (u / 2))) / 2 - 1).
Proof.
assert (main : forall x, 0 <= x -> 0 <= room x).
{ intros x x0. destruct (Rle_or_lt x (1 / 16)) as [s|s]; [now apply room_small|].
  destruct (Rle_or_lt x 4) as [m|m]; [apply room_middle|apply room_large]; lra. }
unfold excess. pose proof (main (1 / 2 * Rabs u) ltac:(pose proof (Rabs_pos u); lra)) as h.
assert (sq : (1 / 2 * Rabs u) ^ 2 = u ^ 2 / 4) by (unfold Rabs; destruct (Rcase_abs u); field).
unfold room in h. rewrite sq in h. replace (5 / 2 * (u ^ 2 / 4)) with (5 / 8 * u ^ 2) in h by field.
assert (even : exp (1 / 2 * Rabs u) + exp (- (1 / 2 * Rabs u)) = exp (u / 2) + exp (- (u / 2))).
{ unfold Rabs. destruct (Rcase_abs u).
  - rewrite Rplus_comm. f_equal; f_equal; field.
  - f_equal; f_equal; field. }
rewrite <- even. unfold part_cosh in *. lra.
Qed.

(* --- smaller a ---------------------------------------------------------------------------------------------------- *)

(* (e^y - 1 - y)/y^2 grows with y. *)
Lemma second_order_grows y z : 0 < y -> y <= z -> (exp y - 1 - y) / y ^ 2 <= (exp z - 1 - z) / z ^ 2.
Proof.
intros y0 yz.
apply (increasing_from_derivative (fun y => (exp y - 1 - y) / y ^ 2) (fun y => ((y - 2) * exp y + y + 2) / y ^ 3)).
- assumption.
- intros c h. assert (c <> 0) by lra. auto_derive; [now apply Rmult_integral_contrapositive_currified; [|lra]|].
  field. assumption.
- intros c h. apply Rdiv_le_0_compat; [|apply pow_lt; lra].
  pose proof (exp_neg_curvature c ltac:(lra)) as k. rewrite exp_Ropp in k.
  pose proof (exp_pos c) as e. apply Rmult_le_compat_l with (r := exp c) in k; [|lra].
  replace (exp c * ((2 + c) * (/ exp c - 1 + c))) with ((2 + c) * (1 - exp c + c * exp c)) in k by (field; lra). nra.
Qed.

Theorem excess_scaled a u : 0 < a -> a <= 1 / 2 -> excess a u <= 4 * a ^ 2 * excess (1 / 2) u.
Proof.
intros a0 a1. unfold excess. destruct (Req_dec u 0) as [->|u0].
- rewrite Rabs_R0, !Rmult_0_r, exp_0. lra.
- pose proof (Rabs_pos_lt u u0) as v0. set (v := Rabs u) in *.
  pose proof (second_order_grows (a * v) (1 / 2 * v) ltac:(nra) ltac:(nra)) as h.
  apply Rmult_le_compat_r with (r := (a * v) ^ 2) in h; [|apply pow2_ge_0].
  replace ((exp (a * v) - 1 - a * v) / (a * v) ^ 2 * (a * v) ^ 2) with (exp (a * v) - 1 - a * v) in h by (field; lra).
  replace ((exp (1 / 2 * v) - 1 - 1 / 2 * v) / (1 / 2 * v) ^ 2 * (a * v) ^ 2)
    with (4 * a ^ 2 * (exp (1 / 2 * v) - 1 - 1 / 2 * v)) in h by (field; lra).
  exact h.
Qed.
