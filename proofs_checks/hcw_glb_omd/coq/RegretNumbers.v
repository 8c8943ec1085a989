(* lemma:decomposition, repaired, one round as inequalities between real numbers. *)
From Coq Require Import Reals Lra Psatz.
Local Open Scope R_scope.
Set Implicit Arguments.

(* First and second order of one round; K = Rs L. *)
Lemma regret_round a n r q K D reg sgm : 0 <= a -> 0 <= n -> 0 <= K -> 0 <= r -> r <= q -> 0 <= sgm ->
  0 <= D -> D <= 2 * r * n -> reg <= a * D + K * D ^ 2 / 2 -> a <= sgm + K * q * n ->
  reg <= 2 * r * (sgm * n) + 4 * K * q ^ 2 * n ^ 2.
Proof.
intros a0 n0 K0 r0 rq s0 D0 Dn hr ha.
assert (rn : 0 <= r * n) by nra. assert (Kq : 0 <= K * q * n) by (apply Rmult_le_pos; [nra|assumption]).
assert (h1 : a * D <= (sgm + K * q * n) * (2 * r * n)) by (apply Rmult_le_compat; lra).
assert (h2 : D ^ 2 <= (2 * r * n) ^ 2) by (apply pow_incr; lra).
assert (h3 : K * D ^ 2 <= K * (2 * r * n) ^ 2) by (apply Rmult_le_compat_l; assumption).
assert (h4 : r * n <= q * n) by nra.
assert (h5 : (r * n) * (r * n) <= (q * n) * (q * n)) by (apply Rmult_le_compat; assumption).
assert (h6 : K * ((r * n) * (r * n)) <= K * ((q * n) * (q * n))) by (apply Rmult_le_compat_l; assumption).
assert (h7 : K * q * n * (r * n) <= K * q * n * (q * n)) by (apply Rmult_le_compat_l; assumption).
replace (K * (2 * r * n) ^ 2) with (4 * (K * ((r * n) * (r * n)))) in h3 by ring.
replace (4 * K * q ^ 2 * n ^ 2) with (4 * (K * ((q * n) * (q * n)))) by ring.
replace ((sgm + K * q * n) * (2 * r * n)) with (2 * r * (sgm * n) + 2 * (K * q * n * (r * n))) in h1 by ring.
replace (K * q * n * (q * n)) with (K * ((q * n) * (q * n))) in h7 by ring.
lra.
Qed.

Lemma slope_geometric a b e : 0 <= a -> 0 <= b -> 0 <= e -> a <= b + e -> a <= sqrt (a * b) + e.
Proof.
intros a0 b0 e0 h. pose proof (sqrt_pos (a * b)).
destruct (Rle_or_lt a b) as [ab|ba].
- assert (a <= sqrt (a * b)); [|lra]. rewrite <- (sqrt_square a a0) at 1. apply sqrt_le_1_alt. nra.
- assert (b <= sqrt (a * b)); [|lra]. rewrite <- (sqrt_square b b0) at 1. apply sqrt_le_1_alt. nra.
Qed.

Lemma split_root g a b n : 0 < g -> 0 <= a -> 0 <= b -> 0 <= n ->
  sqrt (a * b) * n = sqrt (g * a) * sqrt (/ g * b * n ^ 2).
Proof.
intros g0 a0 b0 n0. assert (i0 : 0 < / g) by (apply Rinv_0_lt_compat; assumption).
assert (0 <= n ^ 2) by (apply pow2_ge_0).
rewrite <- sqrt_mult; [|nra|apply Rmult_le_pos; [nra|assumption]].
replace (g * a * (/ g * b * n ^ 2)) with (a * b * n ^ 2) by (field; lra).
rewrite (sqrt_mult (a * b) (n ^ 2)), (sqrt_pow2 n); [reflexivity|assumption|nra|assumption].
Qed.
