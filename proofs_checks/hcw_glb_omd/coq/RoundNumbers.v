(* The rounds of the proofs as inequalities between real numbers, in the standard library alone: one round of
   lemma:inverse-regret. *)
From Coq Require Import Reals Lra Psatz.
Local Open Scope R_scope.
Set Implicit Arguments.

(* One round as an inequality between numbers; b, c, a are <x, .> at the new iterate, theta*, the old one. *)
Lemma negative_product t x : 0 <= t -> x < 0 -> (2 + t) * x < 0.
Proof. intros; nra. Qed.

Lemma round_numbers (w r a b c mb mc mua mub sa sb Rs S L eta k h A A1 : R) :
  0 < w -> 0 <= Rs -> 0 <= S -> eta = 1 + Rs * S -> 0 <= L -> Rabs (c - b) <= 2 * S ->
  sb * (c - b) ^ 2 <= (2 + Rs * Rabs (c - b)) * (mc - mb - mub * (c - b)) -> 0 <= sb ->
  Rabs (mub - mua - sa * (b - a)) <= Rs * L * (b - a) ^ 2 / 2 -> w * (b - a) ^ 2 <= k * h ->
  A1 <= 2 * eta * ((w * (mua - r) + w * sa * (b - a)) * (c - b)) + A - h ->
  A1 + w * sb * (b - c) ^ 2 <= 2 * eta * (w * (mc - r * c) - w * (mb - r * b)) + A - h + 2 * eta * (Rs * L * S * k) * h.
Proof.
intros w0 R0 S0 He L0 cb br sb0 rem wy mirror.
pose proof (Rabs_pos (c - b)) as a0. set (X := mc - mb - mub * (c - b)) in *.
assert (Q0 : 0 <= sb * (c - b) ^ 2) by (apply Rmult_le_pos; [assumption|apply pow2_ge_0]).
assert (X0 : 0 <= X).
{ destruct (Rle_or_lt 0 X) as [|x]; [assumption|exfalso]. assert (t0 : 0 <= Rs * Rabs (c - b)) by nra.
  assert ((2 + Rs * Rabs (c - b)) * X < 0) by (apply negative_product; assumption). lra. }
assert (c1 : sb * (c - b) ^ 2 <= 2 * eta * X).
{ apply Rle_trans with (1 := br). apply Rmult_le_compat_r; [assumption|]. nra. }
set (e := mub - mua - sa * (b - a)) in *.
assert (c2 : - (w * e * (c - b)) <= Rs * L * S * k * h).
{ apply Rle_trans with (w * (Rabs e * Rabs (c - b))).
  - rewrite <- Rabs_mult. pose proof (Rle_abs (- (e * (c - b)))) as q. rewrite Rabs_Ropp in q.
    apply Rmult_le_compat_l with (r := w) in q; lra.
  - apply Rle_trans with (w * (Rs * L * (b - a) ^ 2 / 2 * (2 * S))).
    + apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat; try apply Rabs_pos; assumption.
    + replace (w * (Rs * L * (b - a) ^ 2 / 2 * (2 * S))) with (Rs * L * S * (w * (b - a) ^ 2)) by field.
      rewrite (Rmult_assoc _ k h). apply Rmult_le_compat_l; [|assumption].
      apply Rmult_le_pos; [apply Rmult_le_pos|]; assumption. }
assert (c3 : w * (sb * (c - b) ^ 2) <= w * (2 * eta * X)) by (apply Rmult_le_compat_l; lra).
assert (e0 : 0 <= eta) by nra.
assert (c4 : eta * - (w * e * (c - b)) <= eta * (Rs * L * S * k * h)) by (apply Rmult_le_compat_l; assumption).
replace (w * (mua - r) + w * sa * (b - a)) with (w * (mub - r) - w * e) in mirror by (unfold e; ring).
replace (2 * eta * (w * (mc - r * c) - w * (mb - r * b))) with (w * (2 * eta * X) + 2 * eta * (w * (mub - r) * (c - b)))
  by (unfold X; ring).
replace (w * sb * (b - c) ^ 2) with (w * (sb * (c - b) ^ 2)) by ring.
lra.
Qed.
