(* Bandits whose rewards take values in a set of any size, and an adaptive adversary; laws are means of bounded functions.
   A round is (arm, true reward, revealed reward).  The policy is randomised and sees arms and revealed rewards;
   the adversary is randomised, sees everything, and after each reward draws what is revealed.
     game               the mean over the next round
     expected_regret    of a policy against an adversary, over T rounds *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge FiniteProcess Means.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Model.
Variables (d : nat) (Y : Type) (val : Y -> R).
Definition round := ('I_d * Y * Y)%type.
Definition arm_of (m : round) : 'I_d := m.1.1.
Definition true_of (m : round) : Y := m.1.2.
Definition revealed_of (m : round) : Y := m.2.
Implicit Types (h : seq round) (a : 'I_d) (y : Y).

Definition seen h : seq ('I_d * Y) := [seq (arm_of m, revealed_of m) | m <- h].
Definition cost h : R := \sum_(m <- h) `|val (revealed_of m) - val (true_of m)|.

(* pi s a: the probability of pulling a having seen s.  nu t a: the mean over the reward of arm a in round t.
   adv h a y: the mean over what is revealed after the history h, when a was pulled and paid y. *)
Definition policy := seq ('I_d * Y) -> 'I_d -> R.
Definition rewards := nat -> 'I_d -> (Y -> R) -> R.
Definition adversary := seq round -> 'I_d -> Y -> (Y -> R) -> R.
Definition is_policy (pi : policy) := forall s, law_of (pi s).

Definition game (pi : policy) (nu : rewards) (adv : adversary) h (F : round -> R) : R :=
  \sum_a pi (seen h) a * nu (size h) a (fun y => adv h a y (fun y' => F (a, y, y'))).
Definition regret (mean : 'I_d -> R) (best : 'I_d) h : R := \sum_(m <- h) (mean best - mean (arm_of m)).
Definition expected_regret pi nu adv mean best (T : nat) : R := expect (game pi nu adv) (regret mean best) T [::].

Lemma game_law pi nu adv : is_policy pi -> (forall t a, is_mean (nu t a)) -> (forall h a y, is_mean (adv h a y)) ->
  forall h, is_mean (game pi nu adv h).
Proof.
move=> lp ln la h; apply: mix_is_mean => // a.
apply: (comp_is_mean (k := fun y F => adv h a y (fun y' => F (a, y, y')))) => // y.
exact: (point_is_mean (fun y' => (a, y, y'))).
Qed.

Lemma cost_rcons h a y y' : cost (rcons h (a, y, y')) = cost h + `|val y' - val y|.
Proof. by rewrite /cost -cats1 big_cat big_seq1. Qed.
Lemma cost_nil : cost [::] = 0. Proof. by rewrite /cost big_nil. Qed.
Lemma cost_ge0 h : 0 <= cost h. Proof. by apply: sumr_ge0. Qed.
Lemma seen_rcons h a y y' : seen (rcons h (a, y, y')) = rcons (seen h) (a, y'). Proof. by rewrite /seen map_rcons. Qed.
Lemma seen_size h : size (seen h) = size h. Proof. by rewrite size_map. Qed.
End Model.
