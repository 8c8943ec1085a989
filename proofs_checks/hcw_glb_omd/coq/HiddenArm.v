(* thm:lower-bound-corruption, repaired, for rewards with noise: the adversary hides the better arm.
   Arm i pays with law hi, every other arm with law lo, and hi is coupled downwards with lo.
     hidden_arm     some i has regret at least Delta T1 (1/2 - n Delta / C), for T1 <= n or 4 T1 <= d n *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge FiniteProcess Coupling CorruptedBandit.
From HCW Require Import HidingAdversary.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* --- counting ------------------------------------------------------------------------------------------------- *)

Lemma untried (d : nat) (Y : finType) (s : seq ('I_d * Y)) n :
  (1 < d)%N -> (size s <= n)%N || (4 * size s <= d * n)%N ->
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

Section HiddenArm.
Variables (d : nat) (Y : finType) (val : Y -> R).
Notation round := (round d Y).
Variables (hi lo : nat -> Y -> R) (q : nat -> Y -> Y -> R) (Delta : R).
Hypothesis law_hi : forall t, law_of (hi t).
Hypothesis law_lo : forall t, law_of (lo t).
Hypothesis coupled : forall t, coupling val (q t) (hi t) (lo t).
Hypothesis gap : forall t, \sum_y hi t y * val y - \sum_y lo t y * val y = Delta.
Variables (pi : policy d Y) (C : R).
Hypothesis law_pi : is_policy pi.
Implicit Types (h : seq round) (i a : 'I_d) (n : nat).

Let all_low : rewards d Y := fun t _ => lo t.
Definition one_better i : rewards d Y := better i all_low hi.
Definition hide_arm i : adversary d Y := hide val i hi q C.
Let low_law : is_rewards all_low. Proof. by move=> t a; apply: law_lo. Qed.
Let real i := game pi (one_better i) (hide_arm i).
Let lawful i h : law_of (real i h).
Proof. exact: (real_law (i := i) low_law law_hi coupled C law_pi). Qed.

Let gap_ge0 : 0 <= Delta.
Proof.
rewrite -(gap 0%N) -(coupling_gap (coupled 0)); apply: sumr_ge0 => y _; apply: sumr_ge0 => y' _.
by rewrite mulr_ge0 //; case: (coupled 0).
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

Let hidden i n T1 : 0 < C -> (T1%:R * ((n%:R * Delta) / C) +
    expect (real i) (fun h => (wrong i h)%:R) T1 [::]
  >= expect (blind pi all_low) (fun s => (if shown_pulls i s <= n then T1 - shown_pulls i s else 0)%N%:R) T1 [::] :> R).
Proof.
move=> C0; pose F (s : seq ('I_d * Y)) : R := (if shown_pulls i s <= n then T1 - shown_pulls i s else 0)%N%:R.
have F0 s : 0 <= F s := ler0n _ _.
apply: le_trans (survives (i := i) low_law law_hi coupled C law_pi T1 F0) _; apply: ler_add; last first.
  apply: expect_le => [h|h]; [exact: lawful | rewrite addn0 => sz]; rewrite /F pulls_seen ler_nat.
  have -> : (wrong i h = T1 - pulls i h)%N by rewrite -sz -(count_predC (fun m => arm_of m == i) h) addKn.
  by case: ifP.
apply: le_trans (_ : T1%:R / C * (n%:R * Delta) <= _); last by rewrite -mulrA [C^-1 * _]mulrC lexx.
have cheap := cost_of_first_pulls (i := i) low_law law_hi coupled gap law_pi n T1.
apply: le_trans (ler_wpmul2l _ cheap); last by rewrite mulr_ge0 ?ler0n // invr_ge0 ltW.
rewrite -expect_scale; apply: expect_le => [h|h _].
  apply: game_law => // [|h' a y]; first exact: better_law.
  exact: (reveal_law (i := i) (clean := all_low) law_hi coupled).
rewrite /F pulls_seen; case: (leqP (pulls i h) n) => k; last by rewrite mulr0 mul0r mulr0.
rewrite mul1r; case: ltP => hC; last by rewrite mul0r mulr_ge0 ?cost_ge0 // mulr_ge0 ?ler0n // invr_ge0 ltW.
rewrite mul1r; apply: le_trans (_ : T1%:R <= _); first by rewrite ler_nat leq_subr.
by rewrite -mulrA -[X in X <= _]mulr1 ler_wpmul2l ?ler0n // mulrC ler_pdivl_mulr // mul1r ltW.
Qed.

Theorem hidden_arm n T1 T : (1 < d)%N -> 0 < C -> (T1 <= T)%N -> (T1 <= n)%N || (4 * T1 <= d * n)%N ->
  exists i, Delta * T1%:R * (2^-1 - (n%:R * Delta) / C) <= expected_regret pi (one_better i) (hide_arm i) (mean i) i T.
Proof.
move=> d1 C0 TT short; apply: some_above_average; first by rewrite card_ord ltnW.
rewrite card_ord.
apply: le_trans (_ : \sum_i Delta * expect (real i) (fun h => (wrong i h)%:R) T1 [::] <= _); last first.
  apply: ler_sum => i _; rewrite -expect_scale.
    apply: le_trans (_ : expect (real i) (regret (mean i) i) T1 [::] <= _).
    by apply: expect_le => // h _; rewrite regretE.
  by apply: expect_grows => //; apply: regret_grows.
rewrite -mulr_sumr -[Delta * T1%:R * _]mulrA [d%:R * (Delta * _)]mulrCA ler_wpmul2l //.
pose untriedR i (s : seq ('I_d * Y)) : R := (if shown_pulls i s <= n then T1 - shown_pulls i s else 0)%N%:R.
have : \sum_i (expect (blind pi all_low) (untriedR i) T1 [::]) <=
    \sum_i (T1%:R * ((n%:R * Delta) / C) + expect (real i) (fun h => (wrong i h)%:R) T1 [::]).
  by apply: ler_sum => i _; apply: hidden.
rewrite -expect_sum big_split /= sumr_const card_ord -[_ *+ d]mulr_natl.
have low : d%:R * T1%:R / 2 <= expect (blind pi all_low) (fun s => \sum_i untriedR i s) T1 [::].
  rewrite -(expect_cst (fun s => blind_law s law_pi low_law) (d%:R * T1%:R / 2) T1 [::]).
  apply: expect_le => [s|s]; [exact: blind_law | rewrite addn0 => sz].
  have := @untried d Y s n d1; rewrite sz => /(_ short) u.
  rewrite /untriedR -natr_sum ler_pdivr_mulr ?ltr0n // -!natrM ler_nat mulnC.
  by rewrite mulnC [X in (_ <= X)%N]mulnC.
move=> /(le_trans low); clear low.
have solve (X m u v : R) : u * v / 2 <= u * (v * m) + X -> u * (v * (2^-1 - m)) <= X by to_R; lra.
exact: solve.
Qed.
End HiddenArm.
