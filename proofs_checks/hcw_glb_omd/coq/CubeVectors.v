(* The vectors behind Hypercube.v: arms that are sign vectors on one block of coordinates, parameters that are sign
   vectors on all.
     dot_block      their inner product is w/k times the agreement of the signs, as `value` has it
     arm_norm, theta_norm, dot_col    lengths, and inner products of vectors with a last coordinate added *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge QuadraticForm Assouad.
From HCW Require Import Hypercube.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Vectors.
Variables (n : nat) (block : 'I_n -> nat) (bin : nat -> nat).
Implicit Types (e s : signs n).

Definition block_arm (alpha : R) (t : nat) e : 'cV[R]_n :=
  \col_j (if block j == bin t then alpha * sign (e j) else 0).
Definition block_theta (beta : nat -> R) s : 'cV[R]_n := \col_j (beta (block j) * sign (s j)).

Lemma sign_sq b : sign b * sign b = 1. Proof. by case: b; rewrite /sign ?mulrNN mulr1. Qed.

Lemma dot_block alpha beta t e s : dot (block_arm alpha t e) (block_theta beta s) =
  alpha * beta (bin t) * \sum_(j | block j == bin t) sign (e j) * sign (s j).
Proof.
rewrite /dot mxE mulr_sumr [RHS]big_mkcond /=; apply: eq_bigr => j _; rewrite !mxE.
by case: eqP => [->|_]; rewrite ?mul0r // mulrACA.
Qed.

Lemma arm_norm alpha t e : dot (block_arm alpha t e) (block_arm alpha t e) = alpha ^+ 2 * (block_size block (bin t))%:R.
Proof.
rewrite /dot mxE -block_card mulr_sumr [RHS]big_mkcond /=; apply: eq_bigr => j _; rewrite !mxE.
by case: eqP => [_|_]; rewrite ?mul0r // mulrACA sign_sq expr2.
Qed.

Lemma theta_norm beta s : dot (block_theta beta s) (block_theta beta s) = \sum_j beta (block j) ^+ 2.
Proof. by rewrite /dot mxE; apply: eq_bigr => j _; rewrite !mxE mulrACA sign_sq mulr1 expr2. Qed.
End Vectors.

Lemma dot_col n p (x x' : 'cV[R]_n) (y y' : 'cV[R]_p) : dot (col_mx x y) (col_mx x' y') = dot x x' + dot y y'.
Proof. by rewrite /dot tr_col_mx mul_row_col mxE. Qed.

Lemma dot_const (a b : R) : dot (const_mx a : 'cV[R]_1) (const_mx b) = a * b.
Proof. by rewrite /dot mxE big_ord1 !mxE. Qed.
