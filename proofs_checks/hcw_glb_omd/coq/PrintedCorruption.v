(* thm:lower-bound-corruption as printed, and its negation.
   As printed: a c > 0 such that every algorithm has regret c min (d C, T) on some arm set in the unit ball, some
   parameter in the ball of radius S and some adversary of budget C; c is absolute, here it may depend on S.  Every choice below that is not in
   the text weakens the printed statement: algorithms are deterministic, arm sets arbitrary, the link smooth and
   self-concordant on the whole line, the comparator the supremum of the means.
     regret_at_most                   no policy pays more than (mu S - mu (-S)) T
     printed_corruption_theorem       the printed statement
     printed_corruption_theorem_false for no S is there a constant: the gap mu S - mu (-S) may be smaller *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar SelfConcordance LogisticLink QuadraticForm MirrorDescent.
From Glbcheck Require Import FiniteProcess ExponentialFamily.
From HCW Require Import Algorithm GoodEvent.
From HCW Require LowerBoundControls.
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

(* The constant may depend on S. *)
Definition printed_corruption_theorem := exists S c : R, [/\ 0 < S, 0 < c &
  forall (d T : nat) (C : R) (Y : finType) (val : Y -> R) (base : nat -> Y -> R) (g : nat -> R)
    (m mu dmu ddmu : R -> R) (Rs : R),
  (1 < d)%N -> 0 < C -> family_law val base m mu g -> smooth m mu dmu ddmu ->
  (forall lo hi, concordant dmu ddmu Rs lo hi) ->
  forall pi : algorithm d Y, plays_arms pi ->
  exists (X : 'cV[R]_d -> Prop) (theta : 'cV[R]_d) (adv : adversary Y) (v : R),
    [/\ (exists x, X x) /\ (forall x, X x -> ball 1 x), ball S theta, is_adversary adv /\ within val C adv,
        best_mean mu X theta v &
        c * Num.min (d%:R * C) T%:R <= expected_regret (mass val base m g) mu pi X theta adv v T]].

(* Coins of chances at most c/2: the logistic link far to the left. *)
Lemma smooth_shifted (m mu dmu ddmu : R -> R) (a : R) : smooth m mu dmu ddmu ->
  smooth (fun z => m (Rminus z a)) (fun z => mu (Rminus z a)) (fun z => dmu (Rminus z a)) (fun z => ddmu (Rminus z a)).
Proof.
have step (f f' : R -> R) (z : R) : (forall y, is_derive f y (f' y)) ->
    is_derive (fun y : R => f (Rminus y a)) z (f' (Rminus z a)).
  move=> df; evar_last.
    by apply: (is_derive_comp f (fun y => Rminus y a)); [exact: df | auto_derive; trivial].
  by rewrite /scal /= /mult /= Rmult_1_l.
by move=> [d1 d2 d3 ge0]; split=> z; [apply: step | apply: step | apply: step | apply: ge0].
Qed.

Lemma left_of_the_origin (S c : R) : 0 < c -> logistic_mu (S - (S - ln (c / 2))) <= c / 2.
Proof.
move=> c0; have half : 0 < c / 2 by rewrite divr_gt0 ?ltr0n.
have more : 0 < 1 + c / 2 by rewrite addr_gt0 ?ltr01.
rewrite opprB addrCA subrr addr0 LowerBoundControls.logistic_ln // ler_pdivr_mulr //.
by move: half; move: (c / 2) => x; clear; to_R; nra.
Qed.

(* Two dimensions, C = 1 and one round. *)
Theorem printed_corruption_theorem_false : ~ printed_corruption_theorem.
Proof.
move=> [S [c [S0 c0 printed]]]; pose pi : algorithm 2 [finType of bool] := fun X _ => xget 0 X.
have arms : plays_arms pi by move=> X s ex; apply: xgetPex.
pose a : R := S - ln (c / 2); have fam := LowerBoundControls.shifted_family a bernoulli_family.
have sm := smooth_shifted a logistic_smooth.
have sc lo hi : concordant (fun z => logistic_dmu (z - a)) (fun z => logistic_ddmu (z - a)) 1 lo hi.
  by move=> z _; apply: (logistic_concordant (z - a) (z - a)); split; apply: Rle_refl.
have [X [theta [adv [v [[ex unit] inball [la _] best]]]]] := printed 2%N 1%N 1 _ _ _ _ _ _ _ _ _ isT ltr01
  fam sm sc pi arms.
have mono y z : y <= z -> logistic_mu (y - a) <= logistic_mu (z - a).
  move=> yz; have : y - a <= z - a by rewrite ler_add2r.
  by move=> yza; apply/RleP; apply: (mu_mono _ _ _ _ logistic_smooth); apply/RleP.
have := regret_at_most 1 (mass_law fam) la arms (ltW S0) unit ex inball best mono.
have top := left_of_the_origin S c0; have [low _] := logistic_range (- S - a).
have -> : Num.min (2%:R * 1) 1%:R = 1 :> R by apply/min_idPr; to_R; lra.
move=> up least; have := le_trans least up; rewrite !mulr1; move: top low c0; rewrite -/a.
by move: (logistic_mu _) (logistic_mu _) => u w; clear; to_R; lra.
Qed.
