(* From MathComp's real field structure on R to the standard library's: [to_R] rewrites a goal and its
   hypotheses so that lra and nra apply.  A tactic file; it states no mathematics. *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma inv_R (x : R) : x^-1 = Rinv x.
Proof.
case: (eqVneq x 0) => [->|x0]; last by rewrite RinvE.
by rewrite invr0 Rinv_0.
Qed.

Lemma le_R {x y : R} : (x <= y) = true -> Rle x y. Proof. by move/RleP. Qed.
Lemma lt_R {x y : R} : (x < y) = true -> Rlt x y. Proof. by move/RltP. Qed.

Ltac change_R_goal :=
  repeat match goal with
  | |- context [@GRing.add ?V ?a ?b] => change (@GRing.add V a b) with (Rplus a b)
  | |- context [@GRing.opp ?V ?a] => change (@GRing.opp V a) with (Ropp a)
  | |- context [@GRing.mul ?V ?a ?b] => change (@GRing.mul V a b) with (Rmult a b)
  | |- context [@GRing.zero ?V] => change (@GRing.zero V) with R0
  | |- context [@GRing.one ?V] => change (@GRing.one V) with R1
  | |- context [@intmul ?V ?a (Posz ?n)] => change (@intmul V a (Posz n)) with (@GRing.natmul V a n)
  | |- context [@GRing.natmul ?V ?a 2] => change (@GRing.natmul V a 2) with (Rplus a a)
  | |- context [@GRing.exp ?V ?a 2] => change (@GRing.exp V a 2) with (Rmult a a)
  | |- context [@GRing.inv ?V ?a] => rewrite (inv_R a)
  | |- context [@GRing.natmul ?V R1 ?n] =>
      change (@GRing.natmul V R1 n) with (@GRing.natmul R_zmodType 1 n);
      rewrite -(INRE n); cbn [INR]
  | |- context [@GRing.exp ?V ?a ?n] => rewrite -(RpowE a n)
  end.

(* Comparisons between reals, revert them, change all, introduce again. *)
Ltac revert_R :=
  repeat match goal with
  | H : is_true (@Order.le _ ?T ?a ?b) |- _ => apply (@le_R a b) in H; revert H
  | H : is_true (@Order.lt _ ?T ?a ?b) |- _ => apply (@lt_R a b) in H; revert H
  | H : @eq ?T ?a ?b |- _ => change (@eq R a b) in H; revert H
  | H : Rle ?a ?b |- _ => revert H
  | H : Rlt ?a ?b |- _ => revert H
  | H : Rge ?a ?b |- _ => revert H
  | H : Rgt ?a ?b |- _ => revert H
  end.
Ltac goal_R :=
  match goal with
  | |- is_true (@Order.le _ ?T ?a ?b) => apply/RleP
  | |- is_true (@Order.lt _ ?T ?a ?b) => apply/RltP
  | |- @eq ?T ?a ?b => change (@eq R a b)
  | |- _ => idtac
  end.
Ltac to_R := intros; goal_R; revert_R; change_R_goal; intros.
Ltac mlra := to_R; lra.
Ltac mnra := to_R; nra.

(* Terms of type R read in ring_scope: otherwise a cast to R would turn / into Rdiv. *)
Bind Scope ring_scope with R.

(* Arguments of the standard functions read in ring_scope, like everything else. *)
#[global] Arguments ln _%R.
#[global] Arguments exp _%R.
#[global] Arguments sqrt _%R.

(* Sums over rounds, with the last one taken out. *)
Lemma sum_last (F : nat -> R) t : \sum_(s < t.+1) F s = \sum_(s < t) F s + F t.
Proof. by rewrite big_ord_recr. Qed.
