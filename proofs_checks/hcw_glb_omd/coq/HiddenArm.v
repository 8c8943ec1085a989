(* thm:lower-bound-corruption, repaired, for rewards with noise: the adversary that hides the better arm.
   Arm i pays with law hi, every other arm with law lo, and hi is coupled downwards with lo.  The adversary shows
   the coupled reward in place of every reward of arm i, as long as that stays within the budget.
     hide_within    it never leaves the budget
     hidden_arm     some i has regret at least Delta T1 (1/2 - n Delta / C), for T1 <= n or 4 T1 <= d n *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge FiniteProcess Coupling CorruptedBandit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Hiding.
Variables (d : nat) (Y : finType) (val : Y -> R).
Notation round := (round d Y).
Variables (hi lo : nat -> Y -> R) (q : nat -> Y -> Y -> R) (Delta : R).
Hypothesis law_hi : forall t, law_of (hi t).
Hypothesis law_lo : forall t, law_of (lo t).
Hypothesis coupled : forall t, coupling val (q t) (hi t) (lo t).
Hypothesis gap : forall t, \sum_y hi t y * val y - \sum_y lo t y * val y = Delta.
Variables (pi : policy d Y) (C : R).
Hypothesis law_pi : is_policy pi.
Implicit Types (h : seq round) (i a : 'I_d) (y : Y) (t n : nat).

Definition one_better i : rewards d Y := fun t a => if a == i then hi t else lo t.

(* With unlimited budget: a reward of arm i is replaced by its coupled one. *)
Definition reveal i t a y y' : R := if (a == i) && (hi t y != 0) then q t y y' / hi t y else (y' == y)%:R.
(* Within the budget: the same, unless it costs too much. *)
Definition affordable h y y' := cost val h + `|val y' - val y| <= C.
Definition hide i : adversary d Y := fun h a y y' =>
  (affordable h y y')%:R * reveal i (size h) a y y' +
  (y' == y)%:R * \sum_z (~~ affordable h y z)%:R * reveal i (size h) a y z.

Lemma reveal_law i t a y : law_of (reveal i t a y).
Proof.
rewrite /reveal; case: (boolP ((a == i) && (hi t y != 0))) => [/andP[_ nz]|_]; last exact: point_law.
case: (coupled t) => q0 mh _ _; split=> [y'|]; last by rewrite -mulr_suml mh mulfV.
by rewrite mulr_ge0 // invr_ge0; case: (law_hi t).
Qed.

Lemma hide_law i : is_adversary (hide i).
Proof.
move=> h a y; have [r0 r1] := reveal_law i (size h) a y; split=> [y'|].
  by rewrite /hide addr_ge0 // ?mulr_ge0 ?ler0n // sumr_ge0 // => z _; rewrite mulr_ge0 ?ler0n.
rewrite /hide big_split /= -[X in _ + X]mulr_suml (proj2 (point_law y)) mul1r -big_split /= -[RHS]r1; apply: eq_bigr => z _.
by case: (affordable h y z); rewrite ?mul1r ?mul0r ?addr0 ?add0r.
Qed.

Lemma hide_within i : within val C (hide i).
Proof.
move=> h a y y' hC; rewrite cost_rcons /hide; case: (eqVneq y' y) => [->|_]; first by rewrite subrr normr0 addr0.
by rewrite mul0r addr0 /affordable; case: (_ <= C) => //; rewrite mul0r ltxx.
Qed.

Let one_better_law i : is_rewards (one_better i).
Proof. by move=> t a; rewrite /one_better; case: ifP. Qed.

Let ideal i := game pi (one_better i) (fun h => reveal i (size h)).
Let real i := game pi (one_better i) (hide i).
Let ideal_law i h : law_of (ideal i h).
Proof. by apply: game_law => // h' a y; apply: reveal_law. Qed.
Let real_law i h : law_of (real i h).
Proof. by apply: game_law => //; apply: hide_law. Qed.

Definition pulls i h : nat := count (fun m => arm_of m == i) h.
Lemma pulls_rcons i h a y y' : pulls i (rcons h (a, y, y')) = (pulls i h + (a == i))%N.
Proof. by rewrite /pulls -cats1 count_cat /= addn0. Qed.

(* The joint law of a pull and of what is shown, with unlimited budget. *)
Let shown_joint i t a y y' : one_better i t a y * reveal i t a y y' =
  if a == i then q t y y' else lo t y * (y' == y)%:R.
Proof.
rewrite /one_better /reveal; case: (a == i) => //=; case: (eqVneq (hi t y) 0) => [e|nz] /=; last by rewrite mulrC mulfVK.
case: (coupled t) => q0 mh _ _; rewrite e mul0r; have /eqP := mh y; rewrite e psumr_eq0 //.
by move=> /allP/(_ y' (mem_index_enum _))/eqP.
Qed.

Let ideal_round i h (F : 'I_d -> Y -> Y -> R) : \sum_m ideal i h m * F (arm_of m) (true_of m) (revealed_of m) =
  \sum_a pi (seen h) a * \sum_y \sum_y' (if a == i then q (size h) y y' else lo (size h) y * (y' == y)%:R) * F a y y'.
Proof.
rewrite /ideal /game (sum_round (fun a y y' =>
  pi (seen h) a * (one_better i (size h) a y * reveal i (size h) a y y') * F a y y')).
apply: eq_bigr => a _; rewrite mulr_sumr; apply: eq_bigr => y _; rewrite mulr_sumr; apply: eq_bigr => y' _.
by rewrite shown_joint mulrA.
Qed.

(* --- what is seen does not depend on i ------------------------------------------------------------------- *)

Let blind (s : seq ('I_d * Y)) (z : 'I_d * Y) : R := pi s z.1 * lo (size s) z.2.
Let blind_law s : law_of (blind s).
Proof.
split=> [z|]; first by rewrite /blind mulr_ge0 //; [case: (law_pi s) | case: (law_lo (size s))].
rewrite sum_pair /blind /=.
under eq_bigr => a _ do rewrite -mulr_sumr (proj2 (law_lo (size s))) mulr1.
by case: (law_pi s).
Qed.

Let ideal_blind i (F : seq ('I_d * Y) -> R) t h : expect (ideal i) (fun h => F (seen h)) t h = expect blind F t (seen h).
Proof.
elim: t h => //= t IH h; rewrite (eq_bigr (fun m => ideal i h m *
  expect blind F t (rcons (seen h) (arm_of m, revealed_of m)))) => [|m _]; last first.
  by rewrite IH /seen map_rcons.
rewrite (ideal_round i h (fun a y y' => expect blind F t (rcons (seen h) (a, y')))).
rewrite sum_pair; apply: eq_bigr => a _; rewrite exchange_big mulr_sumr; apply: eq_bigr => y' _; rewrite -mulr_suml /blind /=.
rewrite size_map -mulrA; congr (_ * (_ * _)); case: (a == i); first by case: (coupled (size h)).
rewrite (eq_bigr (fun y => (y == y')%:R * lo (size h) y)) ?point_mean // => y _.
by rewrite mulrC eq_sym.
Qed.

(* --- the first n pulls of arm i cost at most n Delta in mean ------------------------------------------------ *)

Let prepaid i n h : R := if (pulls i h <= n)%N then cost val h + Delta * (n%:R - (pulls i h)%:R) else 0.

Let gap_ge0 : 0 <= Delta.
Proof.
rewrite -(gap 0%N) -(coupling_gap (coupled 0)); apply: sumr_ge0 => y _; apply: sumr_ge0 => y' _.
by rewrite mulr_ge0 //; case: (coupled 0).
Qed.

Let prepaid_ge0 i n h : 0 <= prepaid i n h.
Proof.
rewrite /prepaid; case: ifP => // k; rewrite addr_ge0 ?cost_ge0 // mulr_ge0 // subr_ge0 ler_nat //.
Qed.

Let prepaid_fair i n h : \sum_m ideal i h m * prepaid i n (rcons h m) <= prepaid i n h.
Proof.
rewrite (eq_bigr (fun m => ideal i h m * prepaid i n (rcons h (arm_of m, true_of m, revealed_of m)))); last by case=> [[]].
rewrite (ideal_round i h (fun a y y' => prepaid i n (rcons h (a, y, y')))) -[leRHS](mean_cst (law_pi (seen h))).
apply: mean_le => // a; case: (eqVneq a i) => [->|ai]; last first.
  under eq_bigr => y _ do [under eq_bigr => y' _ do rewrite -mulrA; rewrite -mulr_sumr point_mean].
  rewrite (eq_bigr (fun y => lo (size h) y * prepaid i n h)) ?mean_cst // => y _.
  by rewrite /prepaid pulls_rcons (negbTE ai) addn0 cost_rcons subrr normr0 addr0.
case: (coupled (size h)) => q0 mh _ _; have qq : \sum_y \sum_y' q (size h) y y' = 1.
  by under eq_bigr do rewrite mh; case: (law_hi (size h)).
case: (ltnP (pulls i h) n) => k; last first.
  rewrite big1 // => y _; rewrite big1 // => y' _.
  by rewrite /prepaid pulls_rcons eqxx addn1 ltnNge k /= mulr0.
have e y y' : prepaid i n (rcons h (i, y, y')) = prepaid i n h - Delta + `|val y' - val y|.
  rewrite /prepaid pulls_rcons eqxx addn1 k (ltnW k) cost_rcons -[(pulls i h).+1]addn1 natrD.
  by generalize (cost val h) `|val y' - val y| ((pulls i h)%:R : R) (n%:R : R) => u v w x; to_R; lra.
under eq_bigr => y _ do [under eq_bigr => y' _ do rewrite e mulrDr; rewrite big_split /= -mulr_suml].
rewrite big_split /= -mulr_suml qq mul1r (coupling_gap (coupled (size h))) gap subrK //.
Qed.

Let expected_cost i n t : expect (ideal i) (fun h => (pulls i h <= n)%:R * cost val h) t [::] <= n%:R * Delta.
Proof.
apply: le_trans (_ : expect (ideal i) (prepaid i n) t [::] <= _).
  apply: expect_le => // h _; rewrite /prepaid; case: ifP => k; rewrite ?mul0r ?mul1r // ler_addl.
  by rewrite mulr_ge0 // subr_ge0 ler_nat.
apply: le_trans (expect_supermartingale (ideal_law i) t [::] (prepaid_fair i n)) _.
by rewrite /prepaid /= cost_nil add0r subr0 mulrC.
Qed.

(* --- counting ------------------------------------------------------------------------------------------------- *)

Definition shown_pulls i (s : seq ('I_d * Y)) : nat := count (fun z => z.1 == i) s.
Let pulls_seen i h : shown_pulls i (seen h) = pulls i h.
Proof. by rewrite /shown_pulls count_map; apply: eq_count. Qed.

Let pulls_total (s : seq ('I_d * Y)) : (\sum_i shown_pulls i s = size s)%N.
Proof.
rewrite /shown_pulls; elim: s => [|z s IH] /=; first by rewrite big1.
by rewrite big_split /= IH (bigD1 z.1) //= eqxx big1 // => i /negbTE; rewrite eq_sym => ->.
Qed.

Lemma untried s n : (1 < d)%N -> (size s <= n)%N || (4 * size s <= d * n)%N ->
  (d * size s <= 2 * \sum_i (if shown_pulls i s <= n then size s - shown_pulls i s else 0))%N.
Proof.
move=> d1 short; set T := size s; pose B := (\sum_i (n < shown_pulls i s))%N.
have many : (B * n.+1 <= T)%N.
  rewrite /B big_distrl /= /T -pulls_total; apply: leq_sum => i _.
  by case: ltnP => //; rewrite mul1n.
have all : (d * T <= \sum_(i < d) ((if shown_pulls i s <= n then T - shown_pulls i s else 0)
    + (shown_pulls i s + (n < shown_pulls i s) * T)))%N.
  rewrite -{1}[d]card_ord -sum_nat_const; apply: leq_sum => i _.
  by generalize (shown_pulls i s) => x; case: (leqP x n) => k /=; rewrite ?mul0n ?mul1n; lia.
move: all; rewrite big_split /= big_split /= pulls_total -big_distrl /= -/B -/T.
generalize (\sum_(i < d) (if (shown_pulls i s <= n)%N then (T - shown_pulls i s)%N else 0%N))%N => X all.
case: B many all => [|b] many all; first by nia.
have nT : (n < T)%N by apply: leq_trans many; rewrite mulSn leq_addr.
have {}short : (4 * T <= d * n)%N by move: short; rewrite -/T leqNgt nT.
have db : (4 * b.+1 < d)%N by rewrite ltnNge; apply/negP => h; nia.
nia.
Qed.

(* --- the bound --------------------------------------------------------------------------------------------------- *)

Variable mean : 'I_d -> 'I_d -> R.
Hypothesis mean_gap : forall i a, mean i i - mean i a = Delta * (a != i)%:R.

Let wrong i h : nat := count (fun m => arm_of m != i) h.
Let regretE i h : regret (mean i) i h = Delta * (wrong i h)%:R.
Proof.
rewrite /regret /wrong -sum1_count natr_sum mulr_sumr [RHS]big_mkcond /=; apply: eq_bigr => m _.
by rewrite mean_gap; case: (arm_of m != i); rewrite ?mulr0.
Qed.

Let regret_grows i h m : regret (mean i) i h <= regret (mean i) i (rcons h m).
Proof.
by rewrite /regret -cats1 big_cat big_seq1 mean_gap ler_addl mulr_ge0 // ler0n.
Qed.

Let survives i n T1 : 0 < C -> (T1%:R * ((n%:R * Delta) / C) + expect (real i) (fun h => (wrong i h)%:R) T1 [::]
  >= expect blind (fun s => (if shown_pulls i s <= n then T1 - shown_pulls i s else 0)%N%:R) T1 [::] :> R).
Proof.
move=> C0; rewrite -[[::] in X in X <= _]/(seen [::]) -(ideal_blind i).
pose f h : R := (wrong i h)%:R * ((pulls i h <= n)%N && (cost val h <= C)%R)%:R.
have f0 h : 0 <= f h by rewrite mulr_ge0 ?ler0n.
have dom : expect (ideal i) f T1 [::] <= expect (real i) f T1 [::].
  apply: (expect_dominated (alive := fun h => cost val h <= C)) => //.
  - by move=> h m; case: (ideal_law i h).
  - by move=> h m; case: (real_law i h).
  - by move=> h /negbTE dead; rewrite /f dead andbF mulr0.
  - move=> h [[a y] y']; rewrite -!ltNge cost_rcons => h1; apply: lt_le_trans h1 _.
    by rewrite ler_addl.
  move=> h [[a y] y']; rewrite cost_rcons => alive.
  apply: ler_wpmul2l; first by case: (law_pi (seen h)).
  apply: ler_wpmul2l; first by case: (one_better_law i (size h) a).
  rewrite /= /hide /affordable alive mul1r ler_addl mulr_ge0 ?ler0n // sumr_ge0 // => z _.
  by rewrite mulr_ge0 ?ler0n //; case: (reveal_law i (size h) a y).
have fw : expect (real i) f T1 [::] <= expect (real i) (fun h => (wrong i h)%:R) T1 [::].
  apply: expect_le => // h _; rewrite /f -[X in _ <= X]mulr1 ler_wpmul2l ?ler0n //.
  by case: (_ && _); rewrite ?lexx ?ler01.
have markov : expect (ideal i) (fun h => T1%:R / C * ((pulls i h <= n)%:R * cost val h)) T1 [::]
    <= T1%:R * ((n%:R * Delta) / C).
  rewrite expect_scale [X in _ <= X](_ : _ = T1%:R / C * (n%:R * Delta)); last first.
    by rewrite [n%:R * Delta / C]mulrC mulrA.
  by rewrite ler_wpmul2l ?expected_cost // mulr_ge0 ?ler0n // invr_ge0 ltW.
apply: le_trans (_ : _ <= expect (ideal i) (fun h => T1%:R / C * ((pulls i h <= n)%:R * cost val h) + f h) T1 [::]) _.
  apply: expect_le => // h; rewrite addn0 => sz; rewrite pulls_seen /f.
  have split_h : (wrong i h = T1 - pulls i h)%N by rewrite -sz -(count_predC (fun m => arm_of m == i) h) addKn.
  rewrite split_h; case: (leqP (pulls i h) n) => k /=; last by rewrite !mul0r mulr0 add0r mulr0.
  rewrite mul1r; case: (leP (cost val h) C) => hC; rewrite ?mulr1 ?mulr0 ?addr0.
    by rewrite ler_addr mulr_ge0 ?cost_ge0 // mulr_ge0 ?ler0n // invr_ge0 ltW.
  apply: le_trans (_ : T1%:R <= _); first by rewrite ler_nat leq_subr.
  rewrite -mulrA -[X in X <= _]mulr1 ler_wpmul2l ?ler0n // mulrC ler_pdivl_mulr // mul1r ltW //.
rewrite expect_add; apply: ler_add => //; exact: le_trans dom fw.
Qed.

Theorem hidden_arm n T1 T : (1 < d)%N -> 0 < C -> (T1 <= T)%N -> (T1 <= n)%N || (4 * T1 <= d * n)%N ->
  exists i, Delta * T1%:R * (2^-1 - (n%:R * Delta) / C) <= expected_regret pi (one_better i) (hide i) (mean i) i T.
Proof.
move=> d1 C0 TT short; apply: some_above_average; first by rewrite card_ord ltnW.
rewrite card_ord.
apply: le_trans (_ : \sum_i Delta * expect (real i) (fun h => (wrong i h)%:R) T1 [::] <= _); last first.
  apply: ler_sum => i _; rewrite -expect_scale; apply: le_trans (_ : expect (real i) (regret (mean i) i) T1 [::] <= _).
    by apply: expect_le => // h _; rewrite regretE.
  by apply: expect_grows => //; apply: regret_grows.
rewrite -mulr_sumr -[Delta * T1%:R * _]mulrA [d%:R * (Delta * _)]mulrCA ler_wpmul2l //.
pose untriedR i s : R := (if shown_pulls i s <= n then T1 - shown_pulls i s else 0)%N%:R.
have : \sum_i (expect blind (untriedR i) T1 [::]) <=
    \sum_i (T1%:R * ((n%:R * Delta) / C) + expect (real i) (fun h => (wrong i h)%:R) T1 [::]).
  by apply: ler_sum => i _; apply: survives.
rewrite -expect_sum big_split /= sumr_const card_ord -[_ *+ d]mulr_natl.
have low : d%:R * T1%:R / 2 <= expect blind (fun s => \sum_i untriedR i s) T1 [::].
  rewrite -(expect_cst blind_law (d%:R * T1%:R / 2) T1 [::]); apply: expect_le => // s; rewrite addn0 => sz.
  have := @untried s n d1; rewrite sz => /(_ short) u.
  rewrite /untriedR -natr_sum ler_pdivr_mulr ?ltr0n // -!natrM ler_nat mulnC.
  by rewrite mulnC [X in (_ <= X)%N]mulnC.
move=> /(le_trans low); clear low.
have solve (X m u v : R) : u * v / 2 <= u * (v * m) + X -> u * (v * (2^-1 - m)) <= X by to_R; lra.
exact: solve.
Qed.
End Hiding.
