(* The pointwise inequalities behind E [e^(a|N|) - 1 - a|N|] <= (c/2) a^2 for a = 1 and a = 1/4, as HalfExponential.v
   has them for a = 1/2: in x = a|u| the excess is at most a combination of cosh x, x^2 and a bell.
     relative_excess_mono   the excess over a^2 grows with a
     excess_by_room         from x to u
     room_one, room_quarter the combinations, and fit_one, fit_quarter their normal means *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Glbcheck Require Import PlainInterval Scalar NormalNumbers HalfExponential.
Local Open Scope R_scope.

Lemma relative_excess_mono a b u : 0 <= a -> a <= b -> relative_excess a u <= relative_excess b u.
Proof.
intros a0 ab. destruct (Req_dec b 0) as [e|b0]; [right; f_equal; lra|].
destruct (Req_dec u 0) as [->|u0].
{ assert (z : forall r, 0 <= r -> relative_excess r 0 = 0).
  { intros r [r0|<-]; [rewrite relative_excess_pos by assumption|rewrite relative_excess0; lra].
    unfold excess. rewrite Rabs_R0, Rmult_0_r, exp_0. field. lra. }
  rewrite !z by lra. lra. }
pose proof (Rabs_pos_lt u u0) as v0. rewrite (relative_excess_pos b) by lra.
assert (vv : Rabs u ^ 2 = u ^ 2) by (unfold Rabs; destruct (Rcase_abs u); ring).
destruct a0 as [a0|<-].
- rewrite relative_excess_pos by assumption. unfold excess.
  pose proof (second_order_grows (a * Rabs u) (b * Rabs u) ltac:(nra) ltac:(nra)) as h.
  apply Rmult_le_compat_r with (r := Rabs u ^ 2) in h; [|apply pow2_ge_0].
  replace ((exp (a * Rabs u) - 1 - a * Rabs u) / (a * Rabs u) ^ 2 * Rabs u ^ 2)
    with ((exp (a * Rabs u) - 1 - a * Rabs u) / a ^ 2) in h by (field; lra).
  replace ((exp (b * Rabs u) - 1 - b * Rabs u) / (b * Rabs u) ^ 2 * Rabs u ^ 2)
    with ((exp (b * Rabs u) - 1 - b * Rabs u) / b ^ 2) in h by (field; lra).
  exact h.
- rewrite relative_excess0. unfold excess.
  pose proof (exp_ge_square (b * Rabs u) ltac:(nra)) as h.
  apply Rmult_le_reg_r with (b ^ 2); [nra|].
  replace ((exp (b * Rabs u) - 1 - b * Rabs u) / b ^ 2 * b ^ 2) with (exp (b * Rabs u) - 1 - b * Rabs u) by (field; lra).
  rewrite Rpow_mult_distr, vv in h. lra.
Qed.

Definition room A B D w x := (A / 2 - 1) * (exp x - 1 - x) + A / 2 * (exp (- x) - 1 + x)
  - B * x ^ 2 - D * (1 - exp (- (w * x ^ 2))).

Lemma excess_by_room a A B D u : 0 < a -> (forall x, 0 <= x -> 0 <= room A (B / a ^ 2) D (5 / 8 / a ^ 2) x) ->
  excess a u + B * u ^ 2 + D * (1 - exp (- (5 / 8 * u ^ 2))) <= A * ((exp (a * u) + exp (- (a * u))) / 2 - 1).
Proof.
intros a0 main. unfold excess. pose proof (main (a * Rabs u) ltac:(pose proof (Rabs_pos u); nra)) as h.
assert (sq : (a * Rabs u) ^ 2 = a ^ 2 * u ^ 2) by (unfold Rabs; destruct (Rcase_abs u); ring).
unfold room in h. rewrite sq in h.
replace (5 / 8 / a ^ 2 * (a ^ 2 * u ^ 2)) with (5 / 8 * u ^ 2) in h by (field; lra).
replace (B / a ^ 2 * (a ^ 2 * u ^ 2)) with (B * u ^ 2) in h by (field; lra).
assert (even : exp (a * Rabs u) + exp (- (a * Rabs u)) = exp (a * u) + exp (- (a * u))).
{ unfold Rabs. destruct (Rcase_abs u); [|reflexivity]. rewrite Rplus_comm. f_equal; f_equal; ring. }
rewrite <- even. lra.
Qed.

(* --- a = 1 ---------------------------------------------------------------------------------------------------- *)

Definition one_cosh := 3120 / 1511.
Definition one_square := 22 / 85.
Definition one_bell := 68 / 225.

Lemma fit_one : one_cosh * (exp (1 / 2) - 1) - one_square - one_bell / 3 <= 49 / 50.
Proof. unfold one_cosh, one_square, one_bell. interval with (i_prec 40). Qed.

Lemma room_one x : 0 <= x -> 0 <= room one_cosh one_square one_bell (5 / 8) x.
Proof.
intros x0. unfold room, one_cosh, one_square, one_bell. destruct (Rle_or_lt x (1 / 16)) as [s|s].
{ pose proof (exp_ge_square x x0). pose proof (exp_neg_curvature x x0). pose proof (exp_ge (- (5 / 8 * x ^ 2))). nra. }
destruct (Rle_or_lt x 6) as [t|t].
{ interval with (i_bisect x, i_taylor x, i_degree 5, i_depth 20, i_prec 40). }
assert (e6 : 400 <= exp 6) by interval with (i_prec 40).
pose proof (exp_ge_square (x - 6) ltac:(lra)) as rise.
assert (ex : exp x = exp 6 * exp (x - 6)) by (rewrite <- exp_plus; f_equal; ring).
pose proof (exp_pos (- x)). pose proof (exp_pos (- (5 / 8 * x ^ 2))).
assert (low : 400 * (1 + (x - 6) + (x - 6) ^ 2 / 2) <= exp x) by (rewrite ex; apply Rmult_le_compat; nra).
nra.
Qed.

(* --- a = 1/4 -------------------------------------------------------------------------------------------------- *)

Definition quarter_cosh := 677 / 200.
Definition quarter_square := 553 / 8000.
Definition quarter_bell := 63 / 10000.

Lemma fit_quarter : quarter_cosh * (exp (1 / 32) - 1) - quarter_square - quarter_bell / 3 <= 29 / 800.
Proof. unfold quarter_cosh, quarter_square, quarter_bell. interval with (i_prec 40). Qed.

Lemma room_quarter x : 0 <= x -> 0 <= room quarter_cosh (16 * quarter_square) quarter_bell 10 x.
Proof.
intros x0. unfold room, quarter_cosh, quarter_square, quarter_bell. destruct (Rle_or_lt x (1 / 64)) as [s|s].
{ pose proof (exp_ge_square x x0). pose proof (exp_neg_curvature x x0). pose proof (exp_ge (- (10 * x ^ 2))). nra. }
destruct (Rle_or_lt x 4) as [t|t].
{ interval with (i_bisect x, i_taylor x, i_degree 5, i_depth 20, i_prec 40). }
assert (e4 : 50 <= exp 4) by interval with (i_prec 40).
pose proof (exp_ge_square (x - 4) ltac:(lra)) as rise.
assert (ex : exp x = exp 4 * exp (x - 4)) by (rewrite <- exp_plus; f_equal; ring).
pose proof (exp_pos (- x)). pose proof (exp_pos (- (10 * x ^ 2))).
assert (low : 50 * (1 + (x - 4) + (x - 4) ^ 2 / 2) <= exp x) by (rewrite ex; apply Rmult_le_compat; nra).
nra.
Qed.
