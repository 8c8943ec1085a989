(* thm:lower-bound-corruption, repaired, for every exponential family on countably many reward values, bounded or not,
   such as Poisson rewards, and for every budget: arms e_1, ..., e_d, parameters s e_i with s <= S.
     corruption_bound_of_countable_families   every adaptive randomised policy pays at least family_floor for some theta
                    in the ball and some adversary within C; the rewards revealed have countable laws too
     poisson_corruption_bound, bernoulli_countable_bound   Poisson and logistic bandits, where every premise is met
     countable_larger_false   a control: 9/16 for 3/8 is too much *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge QuadraticForm MirrorDescent SelfConcordance LogisticLink FiniteProcess.
From Glbcheck Require Import Means MeanBandit CountableLaw CountableCoupling CountableFamily.
From HCW Require Import LowerConstants CorruptionBound HiddenArmAnyLaw.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Model.
Variables (d : nat) (val : nat -> R) (base : nat -> nat -> R) (m mu : R -> R) (g : nat -> R).

(* adv h a y y': the probability of revealing y' after the history h, when a was pulled and paid y. *)
Definition countable_adversary := seq (round d nat) -> 'I_d -> nat -> nat -> R.
Definition is_adversary (adv : countable_adversary) := forall h a y, countable_law (adv h a y).
Definition within C (adv : countable_adversary) := forall h a y y',
  cost val h <= C -> 0 < adv h a y y' -> cost val (rcons h (a, y, y')) <= C.
Definition regret_of (pi : policy d nat) (theta : 'cV[R]_d) (adv : countable_adversary) (best : 'I_d) (T : nat) : R :=
  MeanBandit.expected_regret pi (fun t a => average (mass val base m g t (arm_value theta a)))
    (fun h a y => average (adv h a y)) (fun a => mu (arm_value theta a)) best T.

Variables (S C : R) (pi : policy d nat) (T : nat).
Let Delta := mu S - mu 0.
Hypothesis d_gt1 : (1 < d)%N.
Hypothesis fam : countable_family val base m mu g S.
Hypothesis S_ge0 : 0 <= S.
Hypothesis Delta_gt0 : 0 < Delta.
Hypothesis affords : 8 * Delta <= C.
Hypothesis law_pi : is_policy pi.

Let hi t := mass val base m g t S.
Let lo t := mass val base m g t 0.
Let inS : `|S| <= S. Proof. by rewrite ger0_norm. Qed.
Let in0 : `|0 : R| <= S. Proof. by rewrite normr0. Qed.
Let law_hi t : countable_law (hi t). Proof. exact: (mass_law fam). Qed.
Let law_lo t : countable_law (lo t). Proof. exact: (mass_law fam). Qed.
Let crossing t y y' : Rlt (lo t y) (hi t y) -> Rlt (hi t y') (lo t y') -> Rle (val y') (val y).
Proof. exact: (mass_crossing fam S_ge0). Qed.
Let k t y := average (kernel (hi t) (lo t) y).
Let law_k t y : is_mean (k t y). Proof. exact/average_is_mean/kernel_law. Qed.
Let C_gt0 : 0 < C. Proof. by apply: lt_le_trans affords; rewrite mulr_gt0 // ltr0n. Qed.

(* Every reward of arm i goes through the kernel, unless that costs too much. *)
Definition hiding (i : 'I_d) : countable_adversary := fun h a y =>
  sent (if a == i then kernel (hi (size h)) (lo (size h)) y else point y) (affordable val C h y) y.

Let source i (a : 'I_d) t y : countable_law (if a == i then kernel (hi t) (lo t) y else point y).
Proof. by case: ifP => _; [exact: kernel_law | exact: point_law]. Qed.

Let hidingE i h a y F : bounded F -> average (hiding i h a y) F = hide val k C i h a y F.
Proof.
move=> [B b]; rewrite /hiding /hide /reveal (average_sent _ _ _ _ B).
- by case: ifP => // _; rewrite average_point.
- exact/law_weights/source.
by move=> y'; apply/RleP.
Qed.

Let hiding_within i : within C (hiding i).
Proof.
move=> h a y y' hC; rewrite cost_rcons /hiding /sent /kept /point.
case: (PeanoNat.Nat.eqb_spec y' y) => [->|_]; first by rewrite subrr normr0 addr0.
case: (boolP (affordable val C h y y')) => [ok _ //|_].
by rewrite Rmult_0_r Rplus_0_r => /RltP h0; case: (Rlt_irrefl _ h0).
Qed.

Lemma hidden_countable_arm : exists i : 'I_d, [/\ is_adversary (hiding i), within C (hiding i) &
  Num.min (3 / 8 * (Delta * T%:R)) (3 / 1024 * (d%:R * C)) <= regret_of pi (S *: delta_mx i 0) (hiding i) i T].
Proof.
have [n [T1 [TT short big]]] := hiding_horizon d T Delta_gt0 affords.
pose theta i : 'cV[R]_d := S *: delta_mx i 0.
have mg i a : mu (arm_value (theta i) i) - mu (arm_value (theta i) a) = Delta * (a != i)%:R.
  by rewrite !arm_value_scaled eqxx; case: (a == i); rewrite ?subrr ?mulr0 ?mulr1.
have turns t f : bounded f -> average (hi t) (fun y => k t y f) = average (lo t) f.
  by move=> [B b]; apply: (kernel_turns _ _ (law_hi t) (law_lo t) f B) => y; apply/RleP.
have moves t : average (hi t) (fun y => k t y (fun y' => Num.min `|val y' - val y| C)) <= Delta.
  rewrite (_ : (fun y => _) = fun y => k t y (fun y' => Rmin (Rabs (Rminus (val y') (val y))) C)); last first.
    by apply/funext => y; congr (k t y _); apply/funext => y'; rewrite RminE.
  apply/RleP; apply: (kernel_moves val (hi t) (lo t) (law_hi t) (law_lo t) (@crossing t)).
  - exact: (mass_abs fam).
  - exact: (mass_abs fam).
  - exact: (mass_mean fam).
  - exact: (mass_mean fam).
  exact/RleP/ltW.
have mean_hi t : is_mean (average (hi t)) by exact: average_is_mean.
have mean_lo t : is_mean (average (lo t)) by exact: average_is_mean.
have [i bound] := hidden_arm mean_hi mean_lo law_k C_gt0 (ltW Delta_gt0) turns moves law_pi mg d_gt1 TT short.
exists i; split; [by move=> h a y; exact/sent_law/source | exact: hiding_within |].
apply: le_trans big (le_trans bound _).
have law_game h : is_mean (game pi (one_better (fun t => average (hi t)) (fun t => average (lo t)) i) (hide val k C i) h).
  apply: game_law => // [t a|h' a y]; first by rewrite /one_better; case: ifP.
  exact: hide_law.
have tame_regret : tame (@regret d nat (fun a => mu (arm_value (theta i) a)) i).
  exists (fun n => Delta *+ n) => h; rewrite /regret; elim: h => [|r h IH]; first by rewrite big_nil normr0.
  rewrite big_cons /= mulrS; apply: le_trans (ler_norm_add _ _) (ler_add _ IH); rewrite mg.
  rewrite normrM (ger0_norm (ltW Delta_gt0)) ger0_norm ?ler0n // -[leRHS]mulr1 ler_wpmul2l ?(ltW Delta_gt0) //.
  by case: (_ != _); [exact: lexx | exact: ler01].
rewrite /regret_of /MeanBandit.expected_regret (eq_expect_mean law_game) // => h F [B b].
apply: eq_bigr => a _; rewrite /one_better arm_value_scaled; congr (_ * _).
rewrite (fun_if (fun z => average (mass val base m g (size h) z))) -/(hi (size h)) -/(lo (size h)).
have -> : (fun y => average (hiding i h a y) (fun y' => F (a, y, y'))) =
    fun y => hide val k C i h a y (fun y' => F (a, y, y')).
  by apply/funext => y; apply: hidingE; exists B.
by case: ifP.
Qed.
End Model.

(* For every budget: with a small one the adversary hides a smaller gap, at a smaller parameter. *)
Theorem corruption_bound_of_countable_families (d : nat) (val : nat -> R) (base : nat -> nat -> R) (m mu : R -> R)
    (g : nat -> R) (S C : R) (pi : policy d nat) (T : nat) :
  (1 < d)%N -> countable_family val base m mu g S -> 0 <= S -> (forall z, 0 <= z <= S -> continuity_pt mu z) ->
  0 < mu S - mu 0 -> 0 < C -> is_policy pi ->
  exists (theta : 'cV[R]_d) (best : 'I_d) (adv : countable_adversary d),
    [/\ dot theta theta <= S ^+ 2, is_adversary adv, within val C adv &
        family_floor d T C (mu S - mu 0) <= regret_of val base m mu g pi theta adv best T].
Proof.
move=> d1 fam S0 cont D0 C0 lp.
have [s [s0 sS gap_s affords same]] : exists s, [/\ 0 <= s, s <= S, 0 < mu s - mu 0, 8 * (mu s - mu 0) <= C &
    Num.min (mu S - mu 0) (C / 8) = mu s - mu 0].
  case: (leP (8 * (mu S - mu 0)) C) => small.
    exists S; split=> //; apply/min_idPl; move: small; move: (mu S) (mu 0) => u v; clear; to_R; lra.
  have S_pos : 0 < S by rewrite lt_neqAle S0 andbT; apply: contraTneq D0 => <-; rewrite subrr ltxx.
  pose f z := Rminus (mu z) (Rplus (mu 0) (C / 8)).
  have cf z : Rle 0 z /\ Rle z S -> continuity_pt f z.
    move=> [z0 zS]; apply: continuity_pt_minus; last by apply: continuity_pt_const => x y.
    by apply: cont; apply/andP; split; apply/RleP.
  have f0 : Rlt (f 0) 0 by rewrite /f; move: C0; move: (mu 0) => v; clear; to_R; lra.
  have fS : Rlt 0 (f S) by rewrite /f; move: small; move: (mu S) (mu 0) => u v; clear; to_R; lra.
  have [s [[s0 sS] fs]] := Ranalysis5.IVT_interv f 0 S cf (lt_R S_pos) f0 fS.
  have gap_s : mu s - mu 0 = C / 8 by move: fs; rewrite /f; move: (mu s) (mu 0) => u v; clear; to_R; lra.
  exists s; split; rewrite ?gap_s; [exact/RleP | exact/RleP | by rewrite divr_gt0 ?ltr0n | |].
    by clear; to_R; lra.
  by apply/min_idPr; move: small; move: (mu S) (mu 0) => u v; clear; to_R; lra.
have [i [la wi bound]] := hidden_countable_arm T d1 (family_within sS fam) s0 gap_s affords lp.
exists (s *: delta_mx i 0), i, (hiding val base m g s C i); split=> //.
  by apply: le_trans (scaled_in_ball s i) _; rewrite ler_sqr.
apply: le_trans bound; rewrite /family_floor same; move: (mu s - mu 0) => u.
have -> : 3 * u * T%:R / 8 = 3 / 8 * (u * T%:R) by move: (T%:R : R) => v; clear; to_R; lra.
by have -> : 3 * d%:R * C / 1024 = 3 / 1024 * (d%:R * C) by move: (d%:R : R) => v; clear; to_R; lra.
Qed.

(* --- every premise is met ---------------------------------------------------------------------------------------------- *)

Theorem poisson_corruption_bound (d : nat) (S C : R) (pi : policy d nat) (T : nat) :
  (1 < d)%N -> 0 < S -> 0 < C -> is_policy pi ->
  exists (theta : 'cV[R]_d) (best : 'I_d) (adv : countable_adversary d),
    [/\ dot theta theta <= S ^+ 2, is_adversary adv, within count_value C adv &
        family_floor d T C (exp S - 1) <=
        regret_of count_value poisson_base poisson_m exp (fun=> 1) pi theta adv best T].
Proof.
move=> d1 S0 C0 lp; rewrite -[X in _ - X]exp_0.
apply: corruption_bound_of_countable_families => //; [exact: poisson_family | exact: ltW | |].
  by move=> z _; apply: derivable_continuous_pt; exact: derivable_pt_exp.
by rewrite subr_gt0; apply/RltP/exp_increasing/RltP.
Qed.

(* Finitely many values are a special case. *)
Theorem bernoulli_countable_bound (d : nat) (S C : R) (pi : policy d nat) (T : nat) :
  (1 < d)%N -> 0 < S -> 0 < C -> is_policy pi ->
  exists (theta : 'cV[R]_d) (best : 'I_d) (adv : countable_adversary d),
    [/\ dot theta theta <= S ^+ 2, is_adversary adv, within count_value C adv &
        family_floor d T C (logistic_mu S - logistic_mu 0) <=
        regret_of count_value two_values logistic_m logistic_mu (fun=> 1) pi theta adv best T].
Proof.
move=> d1 S0 C0 lp.
apply: corruption_bound_of_countable_families => //; [exact: bernoulli_countable | exact: ltW | |].
  move=> z _; apply: derivable_continuous_pt; exists (logistic_dmu z).
  exact/is_derive_Reals/(d_mu _ _ _ _ logistic_smooth).
exact: logistic_increases.
Qed.

(* --- the control -------------------------------------------------------------------------------------------------------- *)

Definition countable_larger := forall (d : nat) (val : nat -> R) (base : nat -> nat -> R) (m mu : R -> R) (g : nat -> R)
    (S C : R) (pi : policy d nat) (T : nat),
  (1 < d)%N -> countable_family val base m mu g S -> 0 <= S -> (forall z, 0 <= z <= S -> continuity_pt mu z) ->
  0 < mu S - mu 0 -> 0 < C -> is_policy pi ->
  exists (theta : 'cV[R]_d) (best : 'I_d) (adv : countable_adversary d),
    [/\ dot theta theta <= S ^+ 2, is_adversary adv, within val C adv &
        Num.min (9 * Num.min (mu S - mu 0) (C / 8) * T%:R / 16) (3 * d%:R * C / 1024) <=
        regret_of val base m mu g pi theta adv best T].

(* Poisson rewards, S = 4, one round and two arms, each pulled with probability 1/2. *)
Theorem countable_larger_false : ~ countable_larger.
Proof.
move=> h; pose x := exp 4; have x9 : 9 < x.
  have two : 2 < exp 1 by apply/RltP; have := exp_ineq1 _ R1_neq_R0; move: (exp _) => e; clear; to_R; lra.
  have -> : x = Rmult (Rmult (exp 1) (exp 1)) (Rmult (exp 1) (exp 1)).
    by rewrite /x -!exp_plus; congr exp; clear; to_R; lra.
  move: two; move: (exp 1) => e e2; have q4 : 4 < e * e by move: e2; clear; to_R; nra.
  by move: q4; rewrite -[Rmult e e]/(e * e); move: (e * e) => q; clear; to_R; nra.
pose pi : policy 2 nat := fun _ _ => 2^-1.
have lp : is_policy pi.
  move=> s; rewrite /pi; split=> [b|]; first by rewrite invr_ge0 ler0n.
  by rewrite big_ord_recl big_ord1; clear; to_R; lra.
have gap : 0 < exp 4 - exp 0 by rewrite exp_0 -/x; move: x9; clear; to_R; lra.
have C0 : 0 < 96 * x by move: x9; clear; to_R; lra.
have cont z : 0 <= z <= 4 -> continuity_pt exp z.
  by move=> _; apply: derivable_continuous_pt; exact: derivable_pt_exp.
have [theta [best [adv [inball la _]]]] :=
  h 2%N _ _ _ _ _ 4 (96 * x) pi 1%N isT (poisson_family 4) (ler0n _ 4) cont gap C0 lp.
pose mean b := exp (arm_value theta b).
have range b : exp (- 4) <= mean b <= x.
  have unit : dot (delta_mx b 0) (delta_mx b 0 : 'cV[R]_2) <= 1.
    by have := scaled_in_ball 1 b; rewrite scale1r expr1n.
  have := dot_ball (ler0n _ 4) unit inball; rewrite ler_norml -/(arm_value theta b) => /andP[low up].
  have mono (u v : R) : u <= v -> exp u <= exp v.
    by move=> /RleP[lt|->]; [exact/RleP/Rlt_le/exp_increasing | exact: lexx].
  by apply/andP; split; apply: mono.
have law t (a : 'I_2) : is_mean (average (mass count_value poisson_base poisson_m (fun=> 1) t (arm_value theta a))).
  apply/average_is_mean/(mass_law (poisson_family `|arm_value theta a|)); exact: lexx.
have -> : regret_of count_value poisson_base poisson_m exp (fun=> 1) pi theta adv best 1 =
    \sum_b 2^-1 * (mean best - mean b).
  apply: eq_bigr => b _; congr (_ * _); rewrite -[RHS](Means.mean_cst (law 0%N b)); congr average.
  apply/funext => y; rewrite -[RHS](Means.mean_cst (average_is_mean (la [::] b y))); congr average.
  by apply/funext => y'; rewrite /regret big_seq1.
have inv : x * exp (- 4) = 1 by rewrite -[LHS]/(Rmult _ _) /x -exp_plus (_ : Rplus _ _ = 0) ?exp_0 //; exact: subrr.
have inner : Num.min (x - 1) (96 * x / 8) = x - 1 by apply/min_idPl; move: x9; clear; to_R; lra.
have outer : Num.min (9 * (x - 1) * 1%:R / 16) (3 * 2%:R * (96 * x) / 1024) = 9 * (x - 1) / 16.
  by rewrite mulr1; apply/min_idPl; move: x9; clear; to_R; lra.
rewrite exp_0 -/x inner outer.
have half : \sum_b 2^-1 * (mean best - mean b) <= (x - exp (- 4)) / 2.
  rewrite big_ord_recl big_ord1.
  have := range ord0; have := range (lift ord0 ord0); move: (exp (- 4)) => z.
  have : mean best = mean ord0 \/ mean best = mean (lift ord0 ord0).
    by case: best {la inv} => [[|[|]]] // lt; [left | right]; congr mean; apply/val_inj.
  move: (mean ord0) (mean (lift ord0 ord0)) (mean best) => u v w uvw /andP[v1 v2] /andP[u1 u2].
  by case: uvw => ->; move: u1 u2 v1 v2; move: (x) => X; clear; to_R; lra.
move=> /le_trans/(_ half); have z0 : 0 < exp (- 4) by apply/RltP/exp_pos.
by move: x9 inv z0; move: (exp (- 4)) => z; clear; to_R; nra.
Qed.
