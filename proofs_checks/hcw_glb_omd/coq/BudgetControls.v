(* A near mutant of the theorem on unknown budgets, denied: three times the bound is false. *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge LogisticLink FiniteProcess CorruptedBandit ExponentialFamily.
From HCW Require Import UnknownBudget.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Definition price_tripled := forall (d : nat) (Y : finType) (val : Y -> R) (base : nat -> Y -> R) (m mu : R -> R)
    (g : nat -> R) (s b S : R) (T : nat) (pi : policy d Y) (bound : R -> R) (C : R),
  (1 < d)%N -> family_law val base m mu g -> 0 <= s -> s <= b -> s ^+ 2 + b ^+ 2 <= S ^+ 2 -> 0 < mu s - mu 0 ->
  0 <= mu b - mu s -> is_policy pi -> 0 < C -> guarantees val base m mu g S T pi bound ->
  3 * ((mu b - mu s) * (T%:R - bound 0 / (d.-1%:R * (mu s - mu 0)) * (1 + T%:R * (mu b - mu 0) / C))) <= bound C.

(* 300 without its unary digits. *)
Lemma three_hundred : exists n : nat, (0 < n)%N /\ n%:R = IZR 300 :> R.
Proof. by exists (Z.to_nat 300); rewrite -INRE INR_IZR_INZ; split. Qed.

Lemma logistic_ln (x : R) : 0 < x -> logistic_mu (ln x) = x / (1 + x).
Proof. by move=> x0; rewrite logistic_muE exp_ln //; apply/RltP. Qed.

(* Logistic rewards of means 1/2, 3/5 and 19/20, 301 arms, one round, always the first arm, C = 1000. *)
Theorem price_tripled_false : ~ price_tripled.
Proof.
move=> h; have [n [n0 nE]] := three_hundred; pose s : R := ln (3 / 2); pose b : R := ln 19.
have ms : logistic_mu s = 3 / 5 by rewrite logistic_ln; to_R; lra.
have mb : logistic_mu b = 19 / 20 by rewrite logistic_ln; to_R; lra.
have m0 : logistic_mu 0 = 1 / 2 by rewrite logistic_muE exp_0; to_R; lra.
have s0 : 0 <= s.
  apply/RleP; have -> : (0 : R) = ln 1 by rewrite ln_1.
  apply: Rlt_le; apply: ln_increasing; to_R; lra.
have sb : s <= b by apply/RleP; apply: Rlt_le; apply: ln_increasing; to_R; lra.
have ball : s ^+ 2 + b ^+ 2 <= (s + b) ^+ 2 by move: (mulr_ge0 s0 (le_trans s0 sb)); generalize s b; clear; to_R; nra.
pose pi : policy n.+1 [finType of bool] := fun _ a => (a == ord0)%:R.
have lp : is_policy pi by move=> x; apply: point_law.
have d0 : 0 < logistic_mu s - logistic_mu 0 by rewrite ms m0; to_R; lra.
have d1 : 0 <= logistic_mu b - logistic_mu s by rewrite mb ms; to_R; lra.
have C0 : (0 : R) < IZR 1000 by to_R; lra.
have := h n.+1 _ _ _ _ _ _ s b (s + b) 1%N pi _ _ n0 bernoulli_family s0 sb ball d0 d1 lp C0
  (@logistic_guarantee n.+1 (s + b) 1 pi lp).
have e : IZR 300 * (3 / 5 - 1 / 2) = IZR 30 :> R by to_R; lra.
by rewrite ms mb m0 /= nE e; to_R; lra.
Qed.
