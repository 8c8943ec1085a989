(* thm:lower-bound-corruption, repaired, for rewards of any law: the adversary hides the better arm.
   Arm i pays with law hi, every other arm with law lo; a kernel turns hi into lo, and what it moves a reward by, cut
   at the budget C, is at most Delta in mean.  Rewards may be unbounded: costs are cut at C throughout.  A law is a mean
   of all bounded functions, additive for finitely many.
     hide_within    the adversary, within the budget, leaves it with probability 0
     survives       means over what is seen are at least those of a world where all arms pay lo, cut where C is left
     cost_of_first_pulls   hiding the first n pulls costs at most n Delta in mean
     hidden_arm     some i has regret at least Delta T1 (1/2 - n Delta / C), for T1 <= n or 4 T1 <= d n *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge FiniteProcess Means MeanBandit.
From HCW Require HidingAdversary HiddenArm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section HiddenArm.
Variables (d : nat) (Y : Type) (val : Y -> R).
Notation round := (round d Y).
Variables (hi lo : nat -> (Y -> R) -> R) (k : nat -> Y -> (Y -> R) -> R) (Delta C : R).
Hypothesis law_hi : forall t, is_mean (hi t).
Hypothesis law_lo : forall t, is_mean (lo t).
Hypothesis law_k : forall t y, is_mean (k t y).
Hypothesis C_gt0 : 0 < C.
Hypothesis Delta_ge0 : 0 <= Delta.
Hypothesis turns : forall t f, bounded f -> hi t (fun y => k t y f) = lo t f.
Hypothesis moves : forall t, hi t (fun y => k t y (fun y' => Num.min `|val y' - val y| C)) <= Delta.
Variable pi : policy d Y.
Hypothesis law_pi : is_policy pi.
Implicit Types (h : seq round) (i a : 'I_d) (y : Y) (t n : nat) (s : seq ('I_d * Y)).

Definition one_better i : rewards d Y := fun t a => if a == i then hi t else lo t.
(* With unlimited budget: a reward of arm i goes through the kernel. *)
Definition reveal i t a y : (Y -> R) -> R := if a == i then k t y else fun F => F y.
(* Within the budget: the same, unless it costs too much. *)
Definition affordable h y y' := cost val h + `|val y' - val y| <= C.
Definition hide i : adversary d Y := fun h a y F =>
  reveal i (size h) a y (fun y' => F (if affordable h y y' then y' else y)).

Lemma reveal_law i t a y : is_mean (reveal i t a y).
Proof. by rewrite /reveal; case: ifP => // _; split. Qed.
Lemma hide_law i h a y : is_mean (hide i h a y).
Proof. exact: (point_is_mean (fun y' => if affordable h y y' then y' else y)) (reveal_law _ _ _ _). Qed.
Lemma hide_within i h a y : cost val h <= C -> hide i h a y (fun y' => (C < cost val (rcons h (a, y, y')))%R%:R) = 0.
Proof.
move=> hC; rewrite /hide -[RHS](Means.mean_cst (reveal_law i (size h) a y) 0); congr (reveal _ _ _ _ _).
apply/funext => y'; rewrite cost_rcons; case: ifP => [ok|_]; first by rewrite ltNge [_ <= C]ok.
by rewrite subrr normr0 addr0 ltNge hC.
Qed.
Lemma better_law i t a : is_mean (one_better i t a). Proof. by rewrite /one_better; case: ifP. Qed.

Let ideal i := game pi (one_better i) (fun h => reveal i (size h)).
Let real i := game pi (one_better i) (hide i).
Let ideal_law i h : is_mean (ideal i h).
Proof. by apply: game_law => // [t a|h' a y]; [exact: better_law | exact: reveal_law]. Qed.
Let real_law i h : is_mean (real i h).
Proof. by apply: game_law => // [t a|h' a y]; [exact: better_law | exact: hide_law]. Qed.
(* What is seen of a game in which all arms pay lo. *)
Definition blind s (F : 'I_d * Y -> R) : R := \sum_a pi s a * lo (size s) (fun y => F (a, y)).
Lemma blind_law s : is_mean (blind s).
Proof. by apply: mix_is_mean => // a; exact: (point_is_mean (fun y => (a, y))). Qed.

Definition pulls i h : nat := count (fun m => arm_of m == i) h.
Definition shown_pulls i s : nat := count (fun z => z.1 == i) s.
Lemma pulls_rcons i h a y y' : pulls i (rcons h (a, y, y')) = (pulls i h + (a == i))%N.
Proof. by rewrite /pulls -cats1 count_cat /= addn0. Qed.
Lemma pulls_seen i h : shown_pulls i (seen h) = pulls i h.
Proof. by rewrite /shown_pulls count_map; apply: eq_count. Qed.

Let ideal_blind i (F : seq ('I_d * Y) -> R) t h : tame F ->
  expect (ideal i) (fun h => F (seen h)) t h = expect blind F t (seen h).
Proof.
move=> tF; elim: t h => //= t IH h.
rewrite (_ : (fun m => _) = (fun m => expect blind F t (rcons (seen h) (arm_of m, revealed_of m)))); last first.
  by apply/funext => -[[a y] y']; rewrite IH seen_rcons.
have [B b] := expect_next blind_law t (seen h) tF.
apply: eq_bigr => a _; congr (_ * _); rewrite /one_better /reveal seen_size.
case: (a == i) => //; exact: (@turns _ (fun y' => expect blind F t (rcons (seen h) (a, y')))) (ex_intro _ B _).
Qed.

(* --- what hiding costs, cut at C --------------------------------------------------------------------------------- *)

Let cut h : R := Num.min (cost val h) C.
Let cut_ge0 h : 0 <= cut h. Proof. by rewrite le_minr cost_ge0 ltW. Qed.
Let cut_le h : cut h <= C. Proof. by rewrite le_minl lexx orbT. Qed.

Let cut_rcons h a y y' : cut (rcons h (a, y, y')) <= cut h + Num.min `|val y' - val y| C.
Proof.
rewrite /cut cost_rcons; have := cost_ge0 val h; have := normr_ge0 (val y' - val y); have := ltW C_gt0.
move: (cost val h) `|val y' - val y| => u v C0 v0 u0; rewrite le_minl.
by case: (leP u C) => uC; case: (leP v C) => vC; rewrite ?lexx ?ler_addl ?ler_addr ?C0 ?u0 ?v0 ?orbT.
Qed.

Let prepaid i n h : R := if (pulls i h <= n)%N then cut h + Delta * (n%:R - (pulls i h)%:R) else 0.

Let prepaid_bounds i n h : 0 <= prepaid i n h <= C + Delta * n%:R.
Proof.
rewrite /prepaid; case: ifP => p; last by rewrite lexx addr_ge0 ?(ltW C_gt0) // mulr_ge0 ?ler0n.
rewrite addr_ge0 ?mulr_ge0 // ?subr_ge0 ?ler_nat //=; apply: ler_add => //.
by rewrite ler_wpmul2l // ler_subl_addr ler_addl ler0n.
Qed.

Lemma cost_of_first_pulls i n t : expect (ideal i) (fun h => (pulls i h <= n)%:R * cut h) t [::] <= n%:R * Delta.
Proof.
have tp : tame (prepaid i n).
  apply: (tame_bounded (B := C + Delta * n%:R)) => h; have /andP[p0 p1] := prepaid_bounds i n h.
  by rewrite ger0_norm.
have tc : tame (fun h => (pulls i h <= n)%:R * cut h).
  apply: (tame_bounded (B := C)) => h; rewrite ger0_norm ?mulr_ge0 ?ler0n //.
  by case: (_ <= n)%N; rewrite ?mul1r ?mul0r ?cut_le ?(ltW C_gt0).
apply: le_trans (_ : expect (ideal i) (prepaid i n) t [::] <= _).
  apply: expect_le => // h _; rewrite /prepaid; case: ifP => p; rewrite ?mul0r ?mul1r // ler_addl.
  by rewrite mulr_ge0 // subr_ge0 ler_nat.
apply: le_trans (expect_supermartingale (ideal_law i) t [::] tp _) _; last first.
  by rewrite /prepaid /= /cut cost_nil (min_idPl (ltW C_gt0)) add0r subr0 mulrC.
move=> h; rewrite -[leRHS](FiniteProcess.mean_cst (law_pi (seen h))) /ideal /game.
apply: FiniteProcess.mean_le => // a; rewrite /one_better /reveal; case: (eqVneq a i) => [->|ai]; last first.
  rewrite (_ : (fun y => _) = fun=> prepaid i n h); first by rewrite (Means.mean_cst (law_lo _)).
  by apply/funext => y; rewrite /prepaid pulls_rcons (negbTE ai) addn0 /cut cost_rcons subrr normr0 addr0.
have next y y' : prepaid i n (rcons h (i, y, y')) <= (prepaid i n h - Delta) *+ (pulls i h < n) +
    1 *+ (pulls i h < n) * Num.min `|val y' - val y| C.
  rewrite /prepaid pulls_rcons eqxx addn1; case: ltnP => p; last by rewrite !mulr0n mul0r addr0.
  rewrite (ltnW p) !mulr1n mul1r -[(pulls i h).+1]addn1 natrD; have := cut_rcons h i y y'.
  by move: (cut _) (cut h) (Num.min _ _) ((pulls i h)%:R : R) (n%:R : R) => u v w x z; to_R; lra.
have bm y : bounded (fun y' => Num.min `|val y' - val y| C).
  by exists C => y'; rewrite ger0_norm ?le_minl ?lexx ?orbT // le_minr normr_ge0 ltW.
have b1 : bounded (fun y => k (size h) y (fun y' => Num.min `|val y' - val y| C)).
  apply: (bounded_mean (law_k (size h)) (B := C)) => y y'.
  by rewrite ger0_norm ?le_minl ?lexx ?orbT // le_minr normr_ge0 ltW.
pose u : R := (prepaid i n h - Delta) *+ (pulls i h < n); pose v : R := 1 *+ (pulls i h < n).
apply: le_trans (_ : hi (size h) (fun y => u + v * k (size h) y (fun y' => Num.min `|val y' - val y| C)) <= _).
  apply: (Means.mean_le (law_hi _)) => [||y].
  - apply: (bounded_mean (law_k (size h)) (B := C + Delta * n%:R)) => y y'.
    by have /andP[p0 p1] := prepaid_bounds i n (rcons h (i, y, y')); rewrite ger0_norm.
  - by apply: bounded_add; [exact: bounded_cst | exact: bounded_scale].
  rewrite -[u in leRHS](Means.mean_cst (law_k (size h) y)) -(mean_scale (law_k (size h) y)) //.
  rewrite -(mean_add (law_k (size h) y)); [|exact: bounded_cst|exact: bounded_scale].
  apply: (Means.mean_le (law_k _ _)) => //; last by apply: bounded_add; [exact: bounded_cst | exact: bounded_scale].
  exact: (@bounded_comp _ _ (fun y' => (i, y, y')) (fun m => prepaid i n (rcons h m))) (tame_next h tp).
rewrite (mean_add (law_hi _)) ?(Means.mean_cst (law_hi _)) ?(mean_scale (law_hi _)) //;
  [|exact: bounded_cst|exact: bounded_scale].
have /andP[p0 _] := prepaid_bounds i n h; have := moves (size h).
rewrite /u /v; case: (pulls i h < n)%N; rewrite ?mulr1n ?mulr0n ?mul0r ?mul1r ?addr0 //.
by move: (hi _ _) (prepaid i n h) => p q; to_R; lra.
Qed.

(* --- the budget lasts ------------------------------------------------------------------------------------------------ *)

Lemma survives i (F : seq ('I_d * Y) -> R) B t : (forall s, 0 <= F s <= B) ->
  expect blind F t [::] <= expect (ideal i) (fun h => (C < cost val h)%R%:R * F (seen h)) t [::] +
    expect (real i) (fun h => F (seen h)) t [::].
Proof.
move=> FB; have F0 s : 0 <= F s by case/andP: (FB s).
have tF : tame F by apply: (tame_bounded (B := B)) => s; rewrite ger0_norm //; case/andP: (FB s).
have tS (c : seq round -> bool) : tame (fun h => (c h)%:R * F (seen h)).
  apply: (tame_bounded (B := B)) => h; rewrite ger0_norm ?mulr_ge0 ?ler0n //; have /andP[p0 p1] := FB (seen h).
  by case: (c h); rewrite ?mul1r ?mul0r // (le_trans p0).
pose f h : R := (cost val h <= C)%R%:R * F (seen h).
have tf : tame f := tS (fun h => cost val h <= C).
have f0 h : 0 <= f h by rewrite mulr_ge0 ?ler0n.
have dead t' h : C < cost val h -> expect (ideal i) f t' h = 0.
  elim: t' h => [|t' IH] h dead /=; first by rewrite /f leNgt dead mul0r.
  rewrite -[RHS](Means.mean_cst (ideal_law i h) 0); congr (ideal i h _); apply/funext => -[[a y] y'].
  by apply: IH; rewrite cost_rcons; apply: lt_le_trans dead _; rewrite ler_addl.
have dom t' h : expect (ideal i) f t' h <= expect (real i) f t' h.
  elim: t' h => // t' IH h /=; rewrite /ideal /real /game; apply: FiniteProcess.mean_le => // a.
  have bi := expect_next (ideal_law i) t' h tf; have br := expect_next (real_law i) t' h tf.
  have [B1 b1] := bi; have [B2 b2] := br.
  apply: (Means.mean_le (better_law i _ a)) => [||y].
  - by apply: (bounded_mean (reveal_law i (size h) a) (B := B1)) => y y'; exact: b1.
  - by apply: (bounded_mean (hide_law i h a) (B := B2)) => y y'; exact: b2.
  rewrite /hide; apply: (Means.mean_le (reveal_law i (size h) a y)) => [||y'].
  - exact: (@bounded_comp _ _ (fun y' => (a, y, y')) _) bi.
  - exact: (@bounded_comp _ _ (fun y' => (a, y, if affordable h y y' then y' else y)) _) br.
  case: (boolP (affordable h y y')) => [_|]; first exact: IH.
  rewrite /affordable -ltNge => far; rewrite dead ?cost_rcons //.
  by apply: expect_ge0 => //; exact: real_law.
have -> : expect blind F t [::] =
    expect (ideal i) (fun h => (C < cost val h)%R%:R * F (seen h)) t [::] + expect (ideal i) f t [::].
  have tc := tS (fun h => C < cost val h); rewrite -(expect_add (ideal_law i) _ _ tc tf).
  rewrite -(ideal_blind i t [::] tF); congr expect; apply/funext => h.
  by rewrite /f; case: ltP => _; rewrite ?mul0r ?mul1r ?addr0 ?add0r.
rewrite ler_add2l; apply: le_trans (dom t [::]) _; apply: (expect_le (real_law i)) => // [|h _].
  by apply: (tame_bounded (B := B)) => h; rewrite ger0_norm //; case/andP: (FB (seen h)).
by rewrite /f; case: (_ <= C); rewrite ?mul1r ?mul0r.
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

Let tame_wrong i : tame (fun h => (wrong i h)%:R).
Proof. by exists (fun n => n%:R) => h; rewrite ger0_norm ?ler0n // ler_nat count_size. Qed.
Let tame_regret i : tame (@regret d Y (mean i) i).
Proof.
have -> : @regret d Y (mean i) i = fun h => Delta * (wrong i h)%:R by apply/funext => h; exact: regretE.
exact: tame_scale.
Qed.

(* Arms with at most n pulls, and the pulls of the others. *)
Let untried i n T1 s : R := (if shown_pulls i s <= n then T1 - shown_pulls i s else 0)%N%:R.
Let untried_bounds i n T1 s : 0 <= untried i n T1 s <= T1%:R.
Proof. by rewrite /untried ler0n ler_nat; case: ifP => // _; exact: leq_subr. Qed.
Let tame_untried i n T1 : tame (untried i n T1).
Proof. by apply: (tame_bounded (B := T1%:R)) => s; have /andP[u0 u1] := untried_bounds i n T1 s; rewrite ger0_norm. Qed.

Let hidden i n T1 : expect blind (untried i n T1) T1 [::] <=
  T1%:R * ((n%:R * Delta) / C) + expect (real i) (fun h => (wrong i h)%:R) T1 [::].
Proof.
apply: le_trans (survives i T1 (untried_bounds i n T1)) _; apply: ler_add; last first.
  apply: (expect_le (real_law i)) => // [|h].
    apply: (tame_bounded (B := T1%:R)) => h; have /andP[u0 u1] := untried_bounds i n T1 (seen h).
    by rewrite ger0_norm.
  rewrite addn0 => sz; rewrite /untried pulls_seen ler_nat.
  have -> : (wrong i h = T1 - pulls i h)%N by rewrite -sz -(count_predC (fun m => arm_of m == i) h) addKn.
  by case: ifP.
apply: le_trans (_ : T1%:R / C * (n%:R * Delta) <= _); last by rewrite -mulrA [C^-1 * _]mulrC lexx.
have share : 0 <= T1%:R / C :> R by rewrite mulr_ge0 ?ler0n // invr_ge0 ltW.
apply: le_trans (ler_wpmul2l share (cost_of_first_pulls i n T1)).
have tc : tame (fun h => (pulls i h <= n)%:R * cut h).
  apply: (tame_bounded (B := C)) => h; rewrite ger0_norm ?mulr_ge0 ?ler0n //.
  by case: (_ <= n)%N; rewrite ?mul1r ?mul0r ?cut_le ?(ltW C_gt0).
rewrite -(expect_scale (ideal_law i)) //; apply: (expect_le (ideal_law i)); [| exact: tame_scale |].
  apply: (tame_bounded (B := T1%:R)) => h; have /andP[u0 u1] := untried_bounds i n T1 (seen h).
  rewrite ger0_norm ?mulr_ge0 ?ler0n //; case: (_ < _); rewrite ?mul1r ?mul0r //; exact: le_trans u0 u1.
move=> h _; rewrite /untried pulls_seen; case: (leqP (pulls i h) n) => p; last by rewrite mulr0 mul0r mulr0.
rewrite mul1r; case: ltP => hC; last by rewrite mul0r mulr_ge0.
rewrite mul1r /cut (min_idPr (ltW hC)) -mulrA mulVf ?gt_eqF // mulr1 ler_nat; exact: leq_subr.
Qed.

Theorem hidden_arm n T1 T : (1 < d)%N -> (T1 <= T)%N -> (T1 <= n)%N || (4 * T1 <= d * n)%N ->
  exists i, Delta * T1%:R * (2^-1 - (n%:R * Delta) / C) <= expected_regret pi (one_better i) (hide i) (mean i) i T.
Proof.
move=> d1 TT short; apply: some_above_average; first by rewrite card_ord ltnW.
rewrite card_ord.
apply: le_trans (_ : \sum_i Delta * expect (real i) (fun h => (wrong i h)%:R) T1 [::] <= _); last first.
  apply: ler_sum => i _; rewrite -(expect_scale (real_law i)) //.
  apply: le_trans (_ : expect (real i) (@regret d Y (mean i) i) T1 [::] <= _).
    by apply: (expect_le (real_law i)) => // [|h _]; [exact: tame_scale | rewrite regretE].
  apply: (expect_grows (real_law i)) => // h m; rewrite /regret -cats1 big_cat big_seq1 mean_gap.
  by rewrite ler_addl mulr_ge0 // ler0n.
rewrite -mulr_sumr -[Delta * T1%:R * _]mulrA [d%:R * (Delta * _)]mulrCA ler_wpmul2l //.
have : \sum_i expect blind (untried i n T1) T1 [::] <=
    \sum_i (T1%:R * ((n%:R * Delta) / C) + expect (real i) (fun h => (wrong i h)%:R) T1 [::]).
  by apply: ler_sum => i _; exact: hidden.
rewrite -(expect_sum blind_law) // big_split /= sumr_const card_ord -[_ *+ d]mulr_natl.
have low : d%:R * T1%:R / 2 <= expect blind (fun s => \sum_i untried i n T1 s) T1 [::].
  rewrite -(expect_cst blind_law (d%:R * T1%:R / 2) T1 [::]).
  apply: (expect_le blind_law) => [||s]; [exact: tame_cst | exact: tame_sum | rewrite addn0 => sz].
  pose z := [seq (x.1, tt) | x <- s].
  have same i : HidingAdversary.shown_pulls i z = shown_pulls i s.
    by rewrite /HidingAdversary.shown_pulls /z count_map; apply: eq_count.
  have := @HiddenArm.untried d [finType of unit] z n d1; rewrite size_map sz => /(_ short) u.
  rewrite /untried -natr_sum ler_pdivr_mulr ?ltr0n // -!natrM ler_nat [X in (_ <= X)%N]mulnC.
  by under eq_bigr do rewrite -same.
move=> /(le_trans low); clear low.
have solve (X m u v : R) : u * v / 2 <= u * (v * m) + X -> u * (v * (2^-1 - m)) <= X by to_R; lra.
exact: solve.
Qed.
End HiddenArm.
