(* Bandits with finitely many reward values and an adaptive adversary.
   A round is (arm, true reward, revealed reward).  The policy is randomised and sees arms and revealed rewards;
   the adversary is randomised, sees everything, and after each reward draws what is revealed.
     expected_regret    of a policy against an adversary, over T rounds, when the rewards have the laws nu
     within             an adversary never leaves its budget: sum |revealed - true| <= C on every history
     within_always      so that this sum is at most C with probability one *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge FiniteProcess.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Model.
Variables (d : nat) (Y : finType) (val : Y -> R).
Definition round := ('I_d * Y * Y)%type.
Definition arm_of (m : round) : 'I_d := m.1.1.
Definition true_of (m : round) : Y := m.1.2.
Definition revealed_of (m : round) : Y := m.2.
Implicit Types (h : seq round) (a : 'I_d) (y : Y) (C : R).

Definition seen h : seq ('I_d * Y) := [seq (arm_of m, revealed_of m) | m <- h].
Definition cost h : R := \sum_(m <- h) `|val (revealed_of m) - val (true_of m)|.

(* pi s a: the probability of pulling a having seen s.  nu t a y: of reward y for arm a in round t.
   adv h a y y': of revealing y' after the history h, when a was pulled and paid y. *)
Definition policy := seq ('I_d * Y) -> 'I_d -> R.
Definition rewards := nat -> 'I_d -> Y -> R.
Definition adversary := seq round -> 'I_d -> Y -> Y -> R.
Definition is_policy (pi : policy) := forall s, law_of (pi s).
Definition is_rewards (nu : rewards) := forall t a, law_of (nu t a).
Definition is_adversary (adv : adversary) := forall h a y, law_of (adv h a y).

Definition game (pi : policy) (nu : rewards) (adv : adversary) h (m : round) : R :=
  pi (seen h) (arm_of m) * (nu (size h) (arm_of m) (true_of m) * adv h (arm_of m) (true_of m) (revealed_of m)).
Definition within C (adv : adversary) := forall h a y y',
  cost h <= C -> 0 < adv h a y y' -> cost (rcons h (a, y, y')) <= C.
Definition regret (mean : 'I_d -> R) (best : 'I_d) h : R := \sum_(m <- h) (mean best - mean (arm_of m)).
Definition expected_regret pi nu adv mean best (T : nat) : R := expect (game pi nu adv) (regret mean best) T [::].

Lemma sum_round (F : 'I_d -> Y -> Y -> R) :
  \sum_(m : round) F (arm_of m) (true_of m) (revealed_of m) = \sum_a \sum_y \sum_y' F a y y'.
Proof. by rewrite !sum_pair; apply: eq_bigr. Qed.

Lemma game_law pi nu adv : is_policy pi -> is_rewards nu -> is_adversary adv -> forall h, law_of (game pi nu adv h).
Proof.
move=> lp ln la h; split=> [m|].
  by rewrite /game !mulr_ge0 //; [case: (lp (seen h)) | case: (ln (size h) (arm_of m)) | case: (la h (arm_of m) (true_of m))].
rewrite (sum_round (fun a y y' => pi (seen h) a * (nu (size h) a y * adv h a y y'))).
under eq_bigr => a _ do [under eq_bigr => y _ do [rewrite -mulr_sumr -mulr_sumr (proj2 (la h a y)) mulr1];
  rewrite -mulr_sumr (proj2 (ln (size h) a)) mulr1].
by case: (lp (seen h)).
Qed.

Lemma cost_rcons h a y y' : cost (rcons h (a, y, y')) = cost h + `|val y' - val y|.
Proof. by rewrite /cost -cats1 big_cat big_seq1. Qed.
Lemma cost_nil : cost [::] = 0. Proof. by rewrite /cost big_nil. Qed.
Lemma cost_ge0 h : 0 <= cost h. Proof. by apply: sumr_ge0. Qed.

(* What `within` means: with probability one the budget is never exceeded. *)
Lemma within_always pi nu adv C T : is_policy pi -> is_rewards nu -> is_adversary adv -> 0 <= C -> within C adv ->
  expect (game pi nu adv) (fun h => (C < cost h)%R%:R) T [::] = 0.
Proof.
move=> lp ln la C0 wC; have : cost [::] <= C by rewrite cost_nil.
elim: T [::] => [|T IH] h hC /=; first by rewrite ltNge hC.
rewrite big1 // => m _; case: (eqVneq (adv h (arm_of m) (true_of m) (revealed_of m)) 0) => [e|nz].
  by rewrite /game e !mulr0 mul0r.
rewrite IH ?mulr0 //; case: m nz => [[a y] y'] nz; apply: wC => //.
by case: (la h a y) => a0 _; rewrite lt_neqAle eq_sym nz a0.
Qed.
End Model.
