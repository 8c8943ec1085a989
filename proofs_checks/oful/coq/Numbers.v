(* Numbers, with the standard library alone. *)
From Coq Require Import Reals Lra Psatz.
From Glbcheck Require Import Scalar.
Local Open Scope R_scope.

(* exp (2 a) >= y^2 where exp a >= y >= 0 *)
Lemma exp_double a y : 0 <= y -> y <= exp a -> y * y <= exp (2 * a).
Proof.
intros y0 h. replace (2 * a) with (a + a) by ring. rewrite exp_plus. nra.
Qed.

(* 2 <= (1 + 7/640)^64 <= exp (7/10) *)
Lemma ln2_le : ln (1 + 1) <= 7 / 10.
Proof.
assert (h : 2 <= exp (7 / 10)).
{ pose proof (exp_ge (7 / 640)) as h.
  apply exp_double in h; [|lra]. apply exp_double in h; [|lra]. apply exp_double in h; [|lra].
  apply exp_double in h; [|lra]. apply exp_double in h; [|lra]. apply exp_double in h; [|lra].
  replace (2 * (2 * (2 * (2 * (2 * (2 * (7 / 640))))))) with (7 / 10) in h by field. lra. }
rewrite <- (ln_exp (7 / 10)). apply ln_mono; lra.
Qed.

(* ln 5 = ln (5/2) + ln 2 <= 3/2 + 1 *)
Lemma ln5_le : ln (1 + 4) <= 5 / 2.
Proof.
replace (1 + 4) with (5 / 2 * 2) by field. rewrite ln_mult by lra.
pose proof (ln_le_sub1 (5 / 2)). pose proof (ln_le_sub1 2). lra.
Qed.
