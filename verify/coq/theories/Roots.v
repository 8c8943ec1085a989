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

(* Roots add up to at least the root of the sum. *)
Lemma sqrt_sum (I : Type) (r : seq I) (P : pred I) (f : I -> R) : (forall i, 0 <= f i) ->
  sqrt (\sum_(i <- r | P i) f i) <= \sum_(i <- r | P i) sqrt (f i).
Proof.
move=> f0; pose ok (x y : R) := 0 <= x /\ sqrt x <= y.
suff [] : ok (\sum_(i <- r | P i) f i) (\sum_(i <- r | P i) sqrt (f i)) by [].
elim/big_rec2: _ => [|i y x _ [x0 xy]]; first by rewrite /ok sqrt_0 !lexx.
split; first exact: addr_ge0.
apply: le_trans (_ : sqrt (f i) + sqrt x <= _); last by rewrite ler_add2l.
exact/RleP/(sqrt_plus_le _ _ (le_R (f0 i)) (le_R x0)).
Qed.
