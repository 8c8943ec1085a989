(* Square roots of the standard library, in the words of MathComp. *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Lemma sqrt_sq (x : R) : 0 <= x -> sqrt x * sqrt x = x.
Proof. by move=> x0; apply: sqrt_sqrt; exact: le_R. Qed.

Lemma sqrt_gt0 (x : R) : 0 < x -> 0 < sqrt x.
Proof. by move=> x0; apply/RltP/sqrt_lt_R0; exact: lt_R. Qed.

Lemma sqrt_ge0 (x : R) : 0 <= sqrt x.
Proof. exact/RleP/sqrt_pos. Qed.

Lemma le_sqrt (x y : R) : 0 <= y -> x ^+ 2 <= y -> x <= sqrt y.
Proof.
move=> y0 xy; rewrite leNgt; apply/negP => lt.
have s0 := sqrt_ge0 y; have s2 := sqrt_sq y0.
by move: lt s0 s2 xy; generalize (sqrt y) => r; to_R; nra.
Qed.

Lemma sqrtM (x y : R) : 0 <= x -> 0 <= y -> sqrt (x * y) = sqrt x * sqrt y.
Proof. by move=> x0 y0; apply: sqrt_mult; exact: le_R. Qed.

Lemma sqrt_of_square (x : R) : 0 <= x -> sqrt (x ^+ 2) = x.
Proof. by move=> x0; rewrite expr2; apply: sqrt_square; exact: le_R. Qed.

Lemma sqrt_le (x y : R) : x <= y -> sqrt x <= sqrt y.
Proof. by move=> xy; apply/RleP; apply: sqrt_le_1_alt; exact: le_R. Qed.
