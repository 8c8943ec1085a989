(* Near mutants of the theorems, each denied, and a run in which all premises are met.
     late_pulls_fewer_false   lem:late-pulls with l - 1
     star_for_gap_false       lem:decomposition with mu_* in place of the gap
     ucb1_pulls_fewer_false   thm:pulls along a run with l - 1 *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar.
From UCB1 Require Import Pulls.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition late_pulls_fewer := forall (A : eqType) (I : nat -> A) (i : A) (l n : nat), (0 < l)%N ->
  (pulls I i n <= l.-1 + late I i l n)%N.
Theorem late_pulls_fewer_false : ~ late_pulls_fewer.
Proof. by move/(_ _ (fun=> tt) tt 1%N 1%N isT); rewrite /late /pulls !big_ord1 big_ord0. Qed.

Definition star_for_gap := forall (A : finType) (I : nat -> A) (mu : A -> R) (star : R) (n : nat),
  \sum_(t < n) (star - mu (I t)) = \sum_i star * (pulls I i n)%:R.
Theorem star_for_gap_false : ~ star_for_gap.
Proof.
move/(_ _ (fun=> tt) (fun=> 1) 1 1%N); rewrite big_ord1 subrr (bigD1 tt) //= big1; last by case.
by rewrite /pulls big_ord1 mulr1 addr0 => /esym/eqP; rewrite oner_eq0.
Qed.

Definition ucb1_pulls_fewer := forall (A : eqType) (X : A -> nat -> R) (mu : A -> R) (I : nat -> A) (best i : A)
    (l n : nat),
  ucb1 X I n -> mu i < mu best -> (0 < l)%N -> 8 * ln n%:R / (mu best - mu i) ^+ 2 <= l%:R ->
  (pulls I i n <= l.-1 + \sum_(t < n)
     [&& I t == i, l <= pulls I i t, 0 < pulls I best t & deviates X mu I best i t])%N.

(* Two arms with the constant rewards 1 and 0. *)
Definition worth (a : bool) : R := if a then 1 else 0.

(* One round, in which the worse one is pulled. *)
Theorem ucb1_pulls_fewer_false : ~ ucb1_pulls_fewer.
Proof.
move/(_ _ (fun a _ => worth a) worth (fun=> false) true false 1%N 1%N).
have run : ucb1 (fun a _ => worth a) (fun=> false) 1 by case=> // _; left; rewrite /pulls big_ord0.
rewrite /worth ltr01 subr0 expr1n divr1 ln_1 mulr0 ler01 => /(_ run isT isT isT).
by rewrite /pulls !big_ord1 /= /pulls !big_ord0.
Qed.

(* Three rounds, the last by the index. *)
Definition turns (t : nat) : bool := t != 1%N.
Theorem premises_met : exists (X : bool -> nat -> R) (I : nat -> bool),
  [/\ ucb1 X I 3, worth false < worth true & 8 * ln 3%:R / (worth true - worth false) ^+ 2 <= 16%:R].
Proof.
exists (fun a _ => worth a), turns; split; last 1 first.
- rewrite /worth subr0 expr1n divr1.
  have h : Rle (ln 3%:R) (3%:R - 1) by apply: ln_le_sub1; mlra.
  by move: h; generalize (ln 3%:R) => x; mlra.
- case=> [|[|[|t]]] // _; [by left; rewrite /pulls big_ord0 | by left; rewrite /pulls big_ord1 | right=> j].
  have one k : pulls turns k 2 = 1%N by rewrite /pulls !big_ord_recr big_ord0 /turns; case: k.
  by rewrite /index !one; split=> //; rewrite ler_add2r /worth; case: j; rewrite ?ler01 ?lexx.
- by rewrite /worth ltr01.
Qed.
