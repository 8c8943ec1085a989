(* Bandits without corruption, with finitely many arms and rewards.  A policy draws the next arm given all arms and
   rewards so far; arm a pays with the law nu t a in round t.
     arms_law                  the law of the T arms pulled
     pinsker_and_chain_rule    means over the arms pulled in two instances differ by at most the root of half the
                               sum of the divergences of the rounds; a textbook fact for any rewards ...
     finite_pinsker            ... and proved here for finitely many reward values *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar FiniteProcess Divergence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* P s is the law of the arms pulled in instance s; div s s' t a the divergence between the rewards of arm a in
   round t in the two instances. *)
Definition pinsker_and_chain_rule (I A : finType) (T : nat) (P : I -> T.-tuple A -> R)
    (div : I -> I -> nat -> A -> R) := forall (s s' : I) (f : T.-tuple A -> R) (kappa : nat -> R),
  (forall x, 0 <= f x <= 1) -> (forall t a, (t < T)%N -> div s s' t a <= kappa t) ->
  2 * (\sum_x P s x * f x - \sum_x P s' x * f x) ^+ 2 <= \sum_(t < T) kappa t.

Section Bandit.
Variables (A Y : finType).
Definition policy := seq (A * Y) -> A -> R.
Definition is_policy (pi : policy) := forall h, law_of (pi h).
Definition bandit (pi : policy) (nu : nat -> A -> Y -> R) (h : seq (A * Y)) (m : A * Y) : R :=
  pi h m.1 * nu (size h) m.1 m.2.
Definition arms_law pi nu (T : nat) (x : T.-tuple A) : R :=
  expect (bandit pi nu) (fun h => (unzip1 h == x)%:R) T [::].

Variable pi : policy.
Hypothesis law_pi : is_policy pi.
Implicit Types nu : nat -> A -> Y -> R.

Lemma bandit_law nu h : (forall t a, law_of (nu t a)) -> law_of (bandit pi nu h).
Proof.
move=> ln; split=> [m|]; first by rewrite mulr_ge0 //; [case: (law_pi h) | case: (ln (size h) m.1)].
rewrite sum_pair /bandit /=; under eq_bigr => a _ do rewrite -mulr_sumr (proj2 (ln (size h) a)) mulr1.
by case: (law_pi h).
Qed.

(* A function of the arms, as a function of histories: 0 unless there are T rounds. *)
Definition of_arms (T : nat) (f : T.-tuple A -> R) (h : seq (A * Y)) : R :=
  \sum_(x : T.-tuple A) (unzip1 h == x)%:R * f x.

Lemma of_armsE T (f : T.-tuple A -> R) h : size h = T -> exists x : T.-tuple A, of_arms f h = f x.
Proof.
move=> sz; have szT : size (unzip1 h) == T by rewrite size_map sz.
exists (Tuple szT); rewrite /of_arms -[RHS]point_mean; apply: eq_bigr => x _.
by rewrite -val_eqE /= eq_sym.
Qed.

Lemma of_arms_bounds T (f : T.-tuple A -> R) h : (forall x, 0 <= f x <= 1) -> 0 <= of_arms f h <= 1.
Proof.
move=> f01; case: (eqVneq (size h) T) => sz; first by have [x ->] := of_armsE f sz.
rewrite /of_arms big1 ?lexx ?ler01 // => x _; case: eqP => [e|_]; last by rewrite mul0r.
by case/eqP: sz; rewrite -(size_tuple x) -e size_map.
Qed.

Lemma arms_mean nu T (f : T.-tuple A -> R) :
  \sum_x arms_law pi nu x * f x = expect (bandit pi nu) (of_arms f) T [::].
Proof.
rewrite /of_arms expect_sum; apply: eq_bigr => x _.
by rewrite mulrC /arms_law -expect_scale; apply: eq_expect => h _; rewrite mulrC.
Qed.

Lemma arms_law_law nu T : (forall t a, law_of (nu t a)) -> law_of (arms_law pi nu (T := T)).
Proof.
move=> ln; have lb h := bandit_law h ln; split=> [x|]; first by apply: expect_ge0 => // h _; rewrite ler0n.
rewrite (eq_bigr (fun x => arms_law pi nu x * 1)) => [|x _]; last by rewrite mulr1.
rewrite (@arms_mean nu T (fun=> 1)); apply: etrans (expect_cst lb 1 T [::]); apply: eq_expect => h; rewrite addn0 => sz.
by have [x ->] := @of_armsE T (fun=> 1) h sz.
Qed.

Lemma kl_bandit nu nu' h : kl (bandit pi nu h) (bandit pi nu' h) =
  \sum_a pi h a * kl (nu (size h) a) (nu' (size h) a).
Proof.
rewrite /kl sum_pair; apply: eq_bigr => a _; rewrite mulr_sumr; apply: eq_bigr => y _; rewrite /bandit /=.
case: (eqVneq (pi h a) 0) => [->|nz]; first by rewrite !mul0r.
by rewrite -mulrA; congr (_ * (_ * ln _)); rewrite invfM mulrACA mulfV // mul1r.
Qed.

Theorem finite_pinsker (I : finType) (nu : I -> nat -> A -> Y -> R) (T : nat) :
  (forall s t a, law_of (nu s t a)) -> (forall s s' t a, dominated (nu s t a) (nu s' t a)) ->
  pinsker_and_chain_rule (fun s => arms_law pi (nu s) (T := T)) (fun s s' t a => kl (nu s t a) (nu s' t a)).
Proof.
move=> ln dom s s' f kappa f01 le; rewrite !arms_mean.
have lb s0 h : law_of (bandit pi (nu s0) h) by apply: bandit_law.
have domb h : dominated (bandit pi (nu s) h) (bandit pi (nu s') h).
  move=> [a y]; rewrite /bandit /= => pos; have p0 : 0 <= pi h a by case: (law_pi h).
  have n0 : 0 <= nu s (size h) a y by case: (ln s (size h) a).
  move: p0; rewrite le_eqVlt => /orP[/eqP e|p0]; first by move: pos; rewrite -e mul0r ltxx.
  by rewrite mulr_gt0 //; apply: (dom s); rewrite -(pmulr_rgt0 _ p0).
have fb h : 0 <= of_arms f h <= 1 := of_arms_bounds h f01.
have pin := pinsker (lb s) (lb s') domb T [::] fb; apply: le_trans pin _.
pose cap t := if (t < T)%N then kappa t else \sum_a `|kl (nu s t a) (nu s' t a)|.
apply: le_trans (path_kl_le (kappa := cap) (lb s) T [::] _) _ => [h|]; last first.
  by apply: ler_sum => t _; rewrite /cap /= add0n ltn_ord.
rewrite kl_bandit -[leRHS](mean_cst (law_pi h)); apply: mean_le => // a; rewrite /cap.
case: ifP => [/le //|_]; rewrite (bigD1 a) //= -[X in X <= _]addr0; apply: ler_add; first exact: ler_norm.
by apply: sumr_ge0.
Qed.
End Bandit.
