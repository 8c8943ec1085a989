(* Hoeffding's lemma for two points, with the standard library alone:
     ln (1 - m + m e^l) <= l m + l^2 / 8   for 0 <= m <= 1 and l >= 0,
   and the chord of the exponential on [0, 1]. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Glbcheck Require Import Scalar.
Local Open Scope R_scope.

Lemma exp_chord l f : 0 <= f <= 1 -> exp (l * f) <= 1 - f + f * exp l.
Proof.
intros hf. set (c := l * f).
assert (e0 : exp c * (1 - c) <= 1).
{ pose proof (exp_ge (- c)) as h. apply (Rmult_le_compat_l (exp c)) in h; [|left; apply exp_pos].
  rewrite <- exp_plus in h. replace (c + - c) with 0 in h by ring. rewrite exp_0 in h. lra. }
assert (e1 : exp c * (1 + (l - c)) <= exp l).
{ pose proof (exp_ge (l - c)) as h. apply (Rmult_le_compat_l (exp c)) in h; [|left; apply exp_pos].
  rewrite <- exp_plus in h. replace (c + (l - c)) with l in h by ring. lra. }
assert (e : exp c = (1 - f) * (exp c * (1 - c)) + f * (exp c * (1 + (l - c)))) by (unfold c; ring).
rewrite e. nra.
Qed.

Section TwoPoints.
Variable m : R.
Hypothesis hm : 0 <= m <= 1.
Let D l := 1 - m + m * exp l.

Lemma two_points_pos l : 0 < 1 - m + m * exp l.
Proof. pose proof (exp_pos l). destruct (Req_dec m 0) as [->|]; nra. Qed.

Lemma tilted_le l : 0 <= l -> m * exp l / D l <= m + l / 4.
Proof.
intros l0.
enough (0 - m * exp 0 / D 0 <= l / 4 - m * exp l / D l) as h.
{ unfold D in h at 1. rewrite exp_0 in h. replace (m * 1 / (1 - m + m * 1)) with m in h by (field; lra). lra. }
replace (0 - m * exp 0 / D 0) with (0 / 4 - m * exp 0 / D 0) by lra.
apply (increasing_from_derivative (fun l => l / 4 - m * exp l / D l)
  (fun l => 1 / 4 - m * exp l * (1 - m) / (D l * D l)) 0 l l0); intros c hc;
  pose proof (two_points_pos c) as Dp; fold (D c) in Dp.
- unfold D in *. auto_derive; [lra|]. field. lra.
- assert (h : 4 * (m * exp c * (1 - m)) <= D c * D c).
  { unfold D. pose proof (pow2_ge_0 (1 - m - m * exp c)). lra. }
  assert (p : 0 < / (D c * D c)) by (apply Rinv_0_lt_compat; nra).
  apply (Rmult_le_compat_r (/ (D c * D c))) in h; [|lra].
  rewrite Rinv_r in h by nra. unfold Rdiv in *. lra.
Qed.

Lemma hoeffding_two_points l : 0 <= l -> ln (1 - m + m * exp l) <= l * m + l ^ 2 / 8.
Proof.
intros l0. enough (0 * m + 0 ^ 2 / 8 - ln (D 0) <= l * m + l ^ 2 / 8 - ln (D l)) as h.
{ unfold D in h. rewrite exp_0 in h. replace (1 - m + m * 1) with 1 in h by ring. rewrite ln_1 in h. lra. }
apply (increasing_from_derivative (fun l => l * m + l ^ 2 / 8 - ln (D l))
  (fun l => m + l / 4 - m * exp l / D l) 0 l l0); intros c hc;
  pose proof (two_points_pos c) as Dp; fold (D c) in Dp.
- unfold D in *. auto_derive; [lra|]. field. lra.
- pose proof (tilted_le c ltac:(lra)). lra.
Qed.
End TwoPoints.
