(* The vectors behind Hypercube.v: arms and parameters that are sign vectors at some scale.
     dot_signs      their inner product is the agreement of the signs, as `value` has it
     dot_col        inner products of vectors with a last coordinate added *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge QuadraticForm Assouad.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Definition sign_vector n (alpha : R) (e : signs n) : 'cV[R]_n := \col_j (alpha * sign (e j)).

Lemma sign_sq b : sign b * sign b = 1. Proof. by case: b; rewrite /sign ?mulrNN mulr1. Qed.

Lemma dot_signs n (alpha beta : R) (e s : signs n) :
  dot (sign_vector alpha e) (sign_vector beta s) = alpha * beta * \sum_j sign (e j) * sign (s j).
Proof. by rewrite /dot mxE mulr_sumr; apply: eq_bigr => j _; rewrite !mxE mulrACA. Qed.

Lemma sign_vector_norm n (alpha : R) (e : signs n) :
  dot (sign_vector alpha e) (sign_vector alpha e) = alpha ^+ 2 * n%:R.
Proof.
rewrite dot_signs expr2 (eq_bigr (fun=> 1)) => [|j _]; last exact: sign_sq.
by rewrite sumr_const card_ord.
Qed.

Lemma dot_col n p (x x' : 'cV[R]_n) (y y' : 'cV[R]_p) : dot (col_mx x y) (col_mx x' y') = dot x x' + dot y y'.
Proof. by rewrite /dot tr_col_mx mul_row_col mxE. Qed.

Lemma dot_const (a b : R) : dot (const_mx a : 'cV[R]_1) (const_mx b) = a * b.
Proof. by rewrite /dot mxE big_ord1 !mxE. Qed.
