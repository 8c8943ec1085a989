(* The potential of OFUL (lem:potential): the sum of min(1, u_s), u_s = |x_s|^2 in V_s^-1, against the log-determinant.
     capped_sum          sum of min(1, u_s) <= (3/2) ln (det V_t / lam^d); the printed factor is 2
     capped_sum_printed  the same with 2
     capped_sum_false    with 7/5 it is false *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar QuadraticForm Determinant EllipticalPotential.
From OFUL Require Import Numbers.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* V_0 = lam I, V_{s+1} = V_s + x_s x_s^T *)
Definition design (d : nat) (lam : R) (x : nat -> 'cV[R]_d) (V : nat -> 'M[R]_d) :=
  V 0%N = lam%:M /\ forall s, V s.+1 = V s + outer (x s).

Definition capped (d : nat) (x : nat -> 'cV[R]_d) (V : nat -> 'M[R]_d) (s : nat) : R :=
  Num.min 1 (qf (invmx (V s)) (x s)).

Definition log_ratio (d : nat) (lam : R) (V : nat -> 'M[R]_d) (t : nat) : R := ln (\det (V t) / lam ^+ d).

(* u <= (1 + u/2) ln (1 + u), and ln (1 + u) >= ln 2 >= 2/3 where u >= 1. *)
Lemma capped_term (u : R) : 0 <= u -> Num.min 1 u <= 3 / 2 * ln (1 + u).
Proof.
move=> u0; have h := potential_term u (le_R u0); rewrite -[Rplus 1 u]/(1 + u) in h.
case: (lerP 1 u) => [u1|u1].
  have l1 : ln (1 + 1) <= ln (1 + u).
    by apply/RleP/ln_mono; [apply/RltP; mlra | apply/RleP; move: u1; clear; mlra].
  have h1 := potential_term 1 Rle_0_1; rewrite -[Rplus 1 1]/(1 + 1 : R) in h1.
  by move: l1 h1; clear; generalize (ln (1 + 1)) (ln (1 + u)) => a b; to_R; lra.
have l0 : 0 <= ln (1 + u) by apply/RleP/ln_1p_ge0/RleP.
by move: h l0 u1 u0; generalize (ln (1 + u)) => l; to_R; nra.
Qed.

Section Sum.
Variables (d : nat) (lam : R) (x : nat -> 'cV[R]_d) (V : nat -> 'M[R]_d).
Hypothesis lam_gt0 : 0 < lam.
Hypothesis V_design : design lam x V.

Let one (s : nat) : R := 1.
Lemma one_ge0 s : 0 <= one s. Proof. exact: ler01. Qed.
Lemma V_step s : V s.+1 = V s + one s *: outer (x s).
Proof. by rewrite /one scale1r; case: V_design. Qed.
Lemma V_start : V 0%N = lam%:M. Proof. by case: V_design. Qed.

Lemma V_pd s : pd (V s).
Proof. exact: (design_pd lam_gt0 one_ge0 V_start V_step). Qed.

Lemma log_ratio_sum t : log_ratio lam V t = \sum_(s < t) ln (1 + qf (invmx (V s)) (x s)).
Proof.
rewrite -[LHS]/(logdet lam V t) (logdet_sum lam_gt0 one_ge0 V_start V_step).
by apply: eq_bigr => s _; rewrite /term /one mul1r.
Qed.

Lemma log_ratio_ge0 t : 0 <= log_ratio lam V t.
Proof. exact: (logdet_ge0 lam_gt0 one_ge0 V_start V_step). Qed.

Lemma capped_ge0 s : 0 <= capped x V s.
Proof. by rewrite /capped le_minr ler01 qf_inv_ge0 //; apply: V_pd. Qed.

Theorem capped_sum t : \sum_(s < t) capped x V s <= 3 / 2 * log_ratio lam V t.
Proof.
rewrite log_ratio_sum mulr_sumr; apply: ler_sum => s _.
by apply: capped_term; apply/qf_inv_ge0/V_pd.
Qed.

Theorem capped_sum_printed t : \sum_(s < t) capped x V s <= 2 * log_ratio lam V t.
Proof. by have := capped_sum t; have := log_ratio_ge0 t; generalize (log_ratio lam V t) => l; mlra. Qed.
End Sum.

Definition capped_sum_smaller := forall (d : nat) (lam : R) (x : nat -> 'cV[R]_d) (V : nat -> 'M[R]_d) (t : nat),
  0 < lam -> design lam x V -> \sum_(s < t) capped x V s <= 7 / 5 * log_ratio lam V t.

(* One unit vector in dimension 1 with lambda = 1: 1 against 7/5 ln 2 <= 49/50. *)
Theorem capped_sum_false : ~ capped_sum_smaller.
Proof.
move=> h; pose x (s : nat) : 'cV[R]_1 := const_mx 1.
pose V := fix V s : 'M[R]_1 := if s is s'.+1 then V s' + outer (x s') else 1%:M.
have D : design 1 x V by split.
have xx s : dot (x s) (x s) = 1 by rewrite dot_sum big_ord1 mxE expr1n.
have := h 1%N 1 x V 1%N ltr01 D; rewrite (log_ratio_sum ltr01 D) !big_ord1 /capped /= qf_inv_scalar ?ltr01 // xx divr1 minxx.
by have := ln2_le; rewrite -[Rplus 1 1]/(1 + 1 : R); generalize (ln (1 + 1)); clear; to_R; lra.
Qed.
