(* A near mutant of the theorem on unknown budgets, denied: one and a half times the bound is false. *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge LogisticLink FiniteProcess CorruptedBandit ExponentialFamily.
From HCW Require Import UnknownBudget LowerBoundControls.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Definition price_larger := forall (d : nat) (Y : finType) (val : Y -> R) (base : nat -> Y -> R) (m mu : R -> R)
    (g : nat -> R) (s b S : R) (T : nat) (pi : policy d Y) (bound : R -> R) (C : R),
  (1 < d)%N -> family_law val base m mu g -> 0 <= s -> s <= b -> s ^+ 2 + b ^+ 2 <= S ^+ 2 -> 0 < mu s - mu 0 ->
  0 <= mu b - mu s -> is_policy pi -> 0 < C -> guarantees val base m mu g S T pi bound ->
  3 / 2 * ((mu b - mu s) * (T%:R - bound 0 / (d.-1%:R * (mu s - mu 0)) * (1 + T%:R * (mu b - mu 0) / C))) <= bound C.

(* 300 without its unary digits. *)
Lemma three_hundred : exists n : nat, (0 < n)%N /\ n%:R = IZR 300 :> R.
Proof. by exists (Z.to_nat 300); rewrite -INRE INR_IZR_INZ; split. Qed.

(* Coins of mean 1/20 at 0, 1/10 at s and 19/20 at b; 301 arms, one round, always the first arm, C = 1000. *)
Theorem price_larger_false : ~ price_larger.
Proof.
move=> h; have [n [n0 nE]] := three_hundred; pose a : R := ln 19; pose s : R := ln (19 / 9); pose b : R := 2 * a.
pose mu z := logistic_mu (z - a); have ln_ge0 (x : R) : 1 <= x -> 0 <= ln x.
  by move=> x1; apply/RleP; rewrite -[X in Rle X _]ln_1; apply: Scalar.ln_mono; move: x1; to_R; lra.
have m0 : mu 0 = 1 / 20.
  rewrite /mu sub0r (_ : - a = ln 19^-1); last by rewrite inv_R ln_Rinv //; apply: lt_R; rewrite ltr0n.
  by rewrite logistic_ln ?invr_gt0 ?ltr0n //; to_R; lra.
have ms : mu s = 1 / 10.
  have sE : s = a + ln 9^-1 by apply: ln_mult; apply: lt_R; rewrite ?invr_gt0 ltr0n.
  by rewrite /mu sE addrC addKr logistic_ln ?invr_gt0 ?ltr0n //; to_R; lra.
have mb : mu b = 19 / 20.
  by rewrite /mu /b twice_less /a logistic_ln; to_R; lra.
have s0 : 0 <= s by apply: ln_ge0; to_R; lra.
have sb : s <= b.
  apply: le_trans (_ : a <= _); first by apply/RleP; apply: Scalar.ln_mono; to_R; lra.
  by rewrite /b mulr_natl mulr2n ler_addl; apply: ln_ge0; to_R; lra.
have ball : s ^+ 2 + b ^+ 2 <= (s + b) ^+ 2 by move: (mulr_ge0 s0 (le_trans s0 sb)); generalize s b; clear; to_R; nra.
pose pi : policy n.+1 [finType of bool] := fun _ a => (a == ord0)%:R.
have lp : is_policy pi by move=> x; apply: point_law.
have d0 : 0 < mu s - mu 0 by rewrite ms m0; to_R; lra.
have d1 : 0 <= mu b - mu s by rewrite mb ms; to_R; lra.
have C0 : (0 : R) < IZR 1000 by to_R; lra.
have fam := shifted_family a bernoulli_family; have range z : 0 <= mu z <= 1 by apply: logistic_bounds.
have := h n.+1 _ _ _ _ _ _ s b (s + b) 1%N pi _ _ n0 fam s0 sb ball d0 d1 lp C0 (bounded_guarantee _ fam range lp).
rewrite -/(mu s) -/(mu b) -/(mu 0); have e : IZR 300 * (1 / 10 - 1 / 20) = IZR 15 :> R by to_R; lra.
by rewrite ms mb m0 /= nE e; to_R; lra.
Qed.
