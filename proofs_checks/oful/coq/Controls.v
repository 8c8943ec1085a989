(* Near mutants of the theorems, each denied, and a case in which all premises are met.
     regret_small_radius_false   the regret bound with a B that need not be 1: what thm:regret prints
     ratio_smaller_false         lem:ratio with 9/10 of the right side
     one_more_switch_false       lem:switches with one switch more
     det_smaller_false           lem:det-trace with 9/10 of the right side *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar QuadraticForm Determinant EllipticalPotential.
From OFUL Require Import Numbers Potential Regret.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition number (a : R) : 'cV[R]_1 := const_mx a.
Lemma dot_number a b : dot (number a) (number b) = a * b.
Proof. by rewrite /dot mxE big_ord1 !mxE. Qed.
Lemma number_sub a b : number a - number b = number (a - b).
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.

(* The same vector in every round. *)
Definition repeated (lam : R) (x : 'cV[R]_1) := fix V (s : nat) : 'M[R]_1 :=
  if s is s'.+1 then V s' + outer x else lam%:M.
Lemma repeated_design lam x : design lam (fun=> x) (repeated lam x).
Proof. by []. Qed.

Definition regret_small_radius := forall (d : nat) (lam B : R) (x : nat -> 'cV[R]_d) (V : nat -> 'M[R]_d)
    (centre best : nat -> 'cV[R]_d) (radius : nat -> R) (star : 'cV[R]_d) (t : nat),
  0 < lam -> design lam x V -> (forall s, 0 <= radius s) -> (forall s, (s < t)%N -> radius s <= B) ->
  (forall s, (s < t)%N -> good_round (V s) (centre s) (radius s) star (x s) (best s)) ->
  regret x best star t <= 2 * B * sqrt (3 / 2 * t%:R * log_ratio lam V t).

(* d = 1, lambda = 1/4, theta_* = -1, the optimistic parameter 1, one pull of 1 where -1 was best: 2 against less. *)
Theorem regret_small_radius_false : ~ regret_small_radius.
Proof.
move=> h; pose lam : R := 4^-1; have l0 : 0 < lam by rewrite invr_gt0 ltr0n.
have good : good_round (repeated lam (number 1) 0) (number 0) (2^-1) (number (-1)) (number 1) (number (-1)).
  split; rewrite ?dot_number; last by mlra.
    by rewrite /holds /= qf_scalar number_sub dot_number /lam; mlra.
  exists (number 1); last by rewrite !dot_number; mlra.
  by rewrite /holds /= qf_scalar number_sub dot_number /lam; mlra.
have half : forall s : nat, 0 <= (fun=> 2^-1) s :> R by move=> s; rewrite invr_ge0 ler0n.
have := h 1%N lam (2^-1) (fun=> number 1) (repeated lam (number 1)) (fun=> number 0) (fun=> number (-1)) (fun=> 2^-1)
  (number (-1)) 1%N l0 (repeated_design _ _) half (fun s _ => lexx _).
have every s : (s < 1)%N -> good_round (repeated lam (number 1) s) (number 0) (2^-1) (number (-1)) (number 1) (number (-1)).
  by case: s.
move=> /(_ every); rewrite /regret (log_ratio_sum l0 (repeated_design _ _)) !big_ord1 /= !dot_number qf_inv_scalar // dot_number.
have -> : 1 + 1 * 1 / lam = 1 + 4 by rewrite /lam invrK !mul1r.
have l5 : Rle (ln (1 + 4)) (Rdiv (IZR 5) (IZR 2)).
  by rewrite (_ : 1 + 4 = Rplus (IZR 1) (IZR 4)); [exact: ln5_le | to_R; lra].
rewrite mulr1 => le.
have l0' : Rle 0 (ln (1 + 4)).
  by rewrite (_ : 1 + 4 = Rplus (IZR 1) (IZR 4)); [apply: ln_1p_ge0; lra | to_R; lra].
move: le; set L := 3 / 2 * ln (1 + 4) => le.
have s1 : Rlt (sqrt L) (IZR 2).
  rewrite -(sqrt_square (IZR 2)); last lra.
  by apply: sqrt_lt_1_alt; rewrite /L; move: l5 l0'; generalize (ln (1 + 4)) => l; clear; to_R; lra.
by move: le s1; generalize (sqrt L); clear; to_R; lra.
Qed.

Definition ratio_smaller := forall (d : nat) (lam : R) (x : nat -> 'cV[R]_d) (V : nat -> 'M[R]_d) (s k : nat) (y : 'cV[R]_d),
  0 < lam -> design lam x V ->
  qf (invmx (V s)) y <= 9 / 10 * (\det (V (s + k)%N) / \det (V s) * qf (invmx (V (s + k)%N)) y).

Theorem ratio_smaller_false : ~ ratio_smaller.
Proof.
move=> h; have := h 1%N 1 (fun=> number 1) (repeated 1 (number 1)) 0%N 0%N (number 1) ltr01 (repeated_design _ _).
by rewrite /= det_scalar expr1n divr1 mul1r qf_inv_scalar ?ltr01 // dot_number; clear; mlra.
Qed.

Definition one_more_switch := forall (d : nat) (lam C : R) (x : nat -> 'cV[R]_d) (V : nat -> 'M[R]_d) (tau : nat -> nat)
    (k n : nat), 0 < lam -> design lam x V -> 0 < C -> tau 0%N = 0%N -> (tau k <= n)%N ->
  (forall i, (i < k)%N -> (1 + C) * \det (V (tau i)) <= \det (V (tau i.+1))) -> k.+1%:R * ln (1 + C) <= log_ratio lam V n.

Theorem one_more_switch_false : ~ one_more_switch.
Proof.
move=> h; have D := repeated_design 1 (number 1).
have := h 1%N 1 1 (fun=> number 1) (repeated 1 (number 1)) (fun=> 0%N) 0%N 0%N ltr01 D ltr01 erefl isT (fun i => fun a => ltac:(by [])).
rewrite (log_ratio_sum ltr01 D) big_ord0 mul1r => le.
have := ln_ge_1_inv (1 + 1); move: le; generalize (ln (1 + 1)); clear => l le h.
by have := h ltac:(to_R; lra); move: le; clear; to_R; lra.
Qed.

Definition det_smaller := forall (d : nat) (A : 'M[R]_d), pd A -> \det A <= 9 / 10 * (\tr A / d%:R) ^+ d.

Theorem det_smaller_false : ~ det_smaller.
Proof.
move=> h; have := h 1%N 1%:M (@scalar_pd 1 1 ltr01); rewrite det_scalar mxtrace_scalar expr1n; clear; mlra.
Qed.

(* A first round with the best arm, in dimension 1. *)
Theorem premises_met : exists (x : nat -> 'cV[R]_1) (V : nat -> 'M[R]_1), design 1 x V /\
  good_round (V 0%N) (number 0) 1 (number 1) (x 0%N) (number 1).
Proof.
exists (fun=> number 1), (repeated 1 (number 1)); split=> //; split; rewrite ?dot_number; last by mlra.
  by rewrite /holds /= qf_scalar number_sub dot_number; mlra.
exists (number 1); last by rewrite !dot_number; mlra.
by rewrite /holds /= qf_scalar number_sub dot_number; mlra.
Qed.
