(* The numbers behind a control of theorem:regret (Controls.v): 1000 rounds that cost 10 each against the bound. *)
From Coq Require Import Reals Lra Psatz.
From Glbcheck Require Import Scalar.
Local Open Scope R_scope.

Lemma ln_le19 x : 0 < x -> x <= 2 ^ 19 -> ln x <= 19.
Proof.
intros x0 h. apply Rle_trans with (ln (2 ^ 19)); [apply ln_mono; assumption|].
rewrite ln_pow by lra. pose proof (ln_le_sub1 2 ltac:(lra)). simpl INR. lra.
Qed.

Lemma sqrt_below x y : 0 <= y -> x <= y * y -> sqrt x <= y.
Proof. intros y0 h. rewrite <- (sqrt_square y y0). apply sqrt_le_1_alt, h. Qed.

Lemma radius_small a b : a <= 1 / 9 -> b <= 19 -> sqrt (2 * a + 81 * b / 40 + 1) <= 13 / 2.
Proof. intros. apply sqrt_below; lra. Qed.

Lemma bound_small r P : 0 <= r -> r <= 13 / 2 -> 0 <= P -> P <= 38 ->
  2 * r * sqrt P * sqrt 1000 + 20 * r * P < 10000.
Proof.
intros r0 r1 P0 P1.
assert (a : sqrt P <= 31 / 5) by (apply sqrt_below; lra).
assert (b : sqrt 1000 <= 32) by (apply sqrt_below; lra).
pose proof (sqrt_pos P). pose proof (sqrt_pos 1000).
assert (c : r * sqrt P <= 13 / 2 * (31 / 5)) by (apply Rmult_le_compat; assumption).
assert (c0 : 0 <= r * sqrt P) by (apply Rmult_le_pos; assumption).
assert (e : r * sqrt P * sqrt 1000 <= 13 / 2 * (31 / 5) * 32) by (apply Rmult_le_compat; assumption).
assert (f : r * P <= 13 / 2 * 38) by (apply Rmult_le_compat; assumption).
lra.
Qed.
