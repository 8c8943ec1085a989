(* thm:lower-bound-corruption as printed, and its negation.
   As printed: an absolute c > 0 such that every algorithm has regret c min (d C, T) on some arm set in the unit
   ball, some parameter in the ball of radius S and some adversary of budget C.  Every choice below that is not in
   the text weakens the printed statement: algorithms are deterministic, arm sets arbitrary, the link smooth and
   self-concordant on the whole line, the comparator the supremum of the means.
     regret_at_most                   no policy pays more than (mu S - mu (-S)) T
     printed_corruption_theorem       the printed statement
     printed_corruption_theorem_false no absolute constant exists *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar SelfConcordance LogisticLink QuadraticForm MirrorDescent.
From Glbcheck Require Import FiniteProcess ExponentialFamily.
From HCW Require Import Algorithm GoodEvent.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Model.
Variables (d : nat) (Y : finType) (val : Y -> R).
Implicit Types (X : 'cV[R]_d -> Prop) (theta : 'cV[R]_d) (h : seq (Y * Y)) (C : R).

(* An algorithm is told the arm set and the revealed rewards so far.  An adversary sees both rewards of all past
   rounds, hence all arms, and the reward of this round. *)
Definition algorithm := ('cV[R]_d -> Prop) -> seq Y -> 'cV[R]_d.
Definition plays_arms (pi : algorithm) := forall X s, (exists x, X x) -> X (pi X s).
Definition adversary := seq (Y * Y) -> Y -> Y -> R.
Definition is_adversary (adv : adversary) := forall h y, law_of (adv h y).
Definition cost h : R := \sum_(m <- h) `|val m.2 - val m.1|.
Definition within C (adv : adversary) := forall h y y',
  cost h <= C -> 0 < adv h y y' -> cost (rcons h (y, y')) <= C.

Variables (nu : nat -> R -> Y -> R) (mu : R -> R) (pi : algorithm).
Definition pulled X h : 'cV[R]_d := pi X [seq m.2 | m <- h].
Definition run X theta (adv : adversary) h (m : Y * Y) : R :=
  nu (size h) (dot (pulled X h) theta) m.1 * adv h m.1 m.2.
(* The supremum of the means over the arm set. *)
Definition best_mean X theta (v : R) :=
  (forall x, X x -> mu (dot x theta) <= v) /\ forall u, (forall x, X x -> mu (dot x theta) <= u) -> v <= u.
Definition expected_regret X theta adv (v : R) (T : nat) : R :=
  \sum_(t < T) expect (run X theta adv) (fun h => v - mu (dot (pulled X h) theta)) t [::].

Lemma run_law X theta adv h : (forall t z, law_of (nu t z)) -> is_adversary adv -> law_of (run X theta adv h).
Proof.
move=> ln la; split=> [m|].
  by rewrite mulr_ge0 //; [case: (ln (size h) (dot (pulled X h) theta)) | case: (la h m.1)].
rewrite sum_pair /run /=; under eq_bigr => y _ do rewrite -mulr_sumr (proj2 (la h y)) mulr1.
by case: (ln (size h) (dot (pulled X h) theta)).
Qed.

Lemma regret_at_most X theta adv v S T : (forall t z, law_of (nu t z)) -> is_adversary adv -> plays_arms pi ->
  0 <= S -> (forall x, X x -> ball 1 x) -> (exists x, X x) -> ball S theta -> best_mean X theta v ->
  (forall y z, y <= z -> mu y <= mu z) -> expected_regret X theta adv v T <= (mu S - mu (- S)) * T%:R.
Proof.
move=> ln la arms S0 unit ex inball [_ least] mono; rewrite /expected_regret mulr_natr.
have -> : (mu S - mu (- S)) *+ T = \sum_(t < T) (mu S - mu (- S)) by rewrite sumr_const card_ord.
have value x : X x -> - S <= dot x theta <= S.
  move=> /unit; rewrite /ball expr1n => x1.
  by rewrite -ler_norml; apply: dot_ball.
apply: ler_sum => t _; rewrite -(expect_cst (fun h => run_law X theta h ln la) (mu S - mu (- S)) t [::]).
apply: expect_le => [h|h _]; first exact: run_law.
apply: ler_sub; first by apply: least => x /value/andP[_ le]; apply: mono.
by case/andP: (value _ (arms X [seq m.2 | m <- h] ex)) => le _; apply: mono.
Qed.
End Model.

Definition printed_corruption_theorem := exists c : R, 0 < c /\
  forall (d T : nat) (C S : R) (Y : finType) (val : Y -> R) (base : nat -> Y -> R) (g : nat -> R)
    (m mu dmu ddmu : R -> R) (Rs : R),
  (1 < d)%N -> 0 < C -> 0 < S -> family_law val base m mu g -> smooth m mu dmu ddmu ->
  (forall lo hi, concordant dmu ddmu Rs lo hi) ->
  forall pi : algorithm d Y, plays_arms pi ->
  exists (X : 'cV[R]_d -> Prop) (theta : 'cV[R]_d) (adv : adversary Y) (v : R),
    [/\ (exists x, X x) /\ (forall x, X x -> ball 1 x), ball S theta, is_adversary adv /\ within val C adv,
        best_mean mu X theta v &
        c * Num.min (d%:R * C) T%:R <= expected_regret (mass val base m g) mu pi X theta adv v T].

(* Logistic rewards, d = 2, C = 1, one round and S = c. *)
Theorem printed_corruption_theorem_false : ~ printed_corruption_theorem.
Proof.
move=> [c [c0 printed]]; pose pi : algorithm 2 [finType of bool] := fun X _ => xget 0 X.
have arms : plays_arms pi by move=> X s ex; apply: xgetPex.
have [X [theta [adv [v [[ex unit] inball [la _] best]]]]] := printed 2%N 1%N 1 c _ _ _ _ _ _ _ _ _ isT ltr01 c0
  bernoulli_family logistic_smooth logistic_concordant pi arms.
have mono y z : y <= z -> logistic_mu y <= logistic_mu z.
  by move=> yz; apply/RleP; apply: (mu_mono _ _ _ _ logistic_smooth); apply/RleP.
have := regret_at_most 1 (mass_law bernoulli_family) la arms (ltW c0) unit ex inball best mono.
have slope := logistic_rise _ (Rlt_le _ _ (lt_R c0)).
have -> : Num.min (2%:R * 1) 1%:R = 1 :> R by apply/min_idPr; to_R; lra.
move=> up low; have := le_trans low up; rewrite !mulr1; move: slope c0.
by clear; to_R; lra.
Qed.
