(* thm:lower-bound-corruption, repaired, with noise that does not depend on the arm, such as that of Gaussian rewards:
   the reward of round t is mu(<x, theta>) + xi_t, the xi_t being any random variables, dependent or not, and the
   adversary adds what it adds without noise.  A policy maps what it has seen, and what it draws, to an arm; policy and
   noise live on one probability space.
     observed_reward             what the policy sees in round t is mean, noise and corruption together
     noisy_corruption_bound      some instance costs min (d C, Delta T)/4 in expectation
     noisy_bound_larger_false    a control: 51/100 for 1/4 is too much *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import Rstruct reals ereal normedtype sequences measure topology lebesgue_measure numfun.
From mathcomp.analysis Require Import lebesgue_integral.
From Glbcheck Require Import Bridge ConditionalLaw NormalLaw.
From HCW Require Import NoiselessGame.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Noise.
Variables (d : nat) (dO : measure_display) (Omega : measurableType dO) (P : {measure set Omega -> \bar RR}).
Variables (xi : nat -> Omega -> R) (policy : Omega -> seq R -> 'I_d).

(* The policy, given what would have been shown without noise. *)
Definition with_noise (w : Omega) (shown : seq R) : 'I_d :=
  policy w (mkseq (fun k => nth 0 shown k + xi k w) (size shown)).

Variables (N : nat) (low high : R).
Let pol := with_noise.

(* What the policy is shown for round t. *)
Lemma observed_reward w i t : let seen := (play N low high (pol w) i t.+1).1 in
  nth 0 (mkseq (fun k => nth 0 seen k + xi k w) (size seen)) t =
  mean low high i (pulled N low high (pol w) i t) + xi t w + corruption N low high (pol w) i t.
Proof.
move=> seen; have sz : size seen = t.+1 by apply: play_size.
rewrite nth_mkseq ?sz // /corruption /shown -/seen (set_nth_default low) ?sz //.
by move: (nth _ _ _) (mean _ _ _ _) => a b; to_R; lra.
Qed.

(* --- over all instances, for one path ------------------------------------------------------------------------------ *)

Hypothesis gap_gt0 : 0 < high - low.
Hypothesis d_gt1 : (1 < d)%N.

Lemma regret_total (p : seq R -> 'I_d) (C : R) T : C < (high - low) * N.+1%:R ->
  d%:R * (Num.min (d%:R * C) ((high - low) * T%:R) / 4) <= \sum_i NoiselessGame.regret N low high p i T.
Proof.
move=> hC; have D0 := ltW gap_gt0.
apply: le_trans (_ : d%:R * ((high - low) * (minn (2 * (d.-1 * N.+1)) T)%:R / 4) <= _).
  rewrite ler_wpmul2l ?ler0n // ler_wpmul2r ?invr_ge0 ?ler0n //; case: (leqP (2 * (d.-1 * N.+1)) T) => hT.
    rewrite le_minl; apply/orP; left; apply: le_trans (ler_wpmul2l (ler0n _ d) (ltW hC)) _.
    rewrite mulrCA ler_wpmul2l // -natrM ler_nat mulnA leq_mul2r orbC.
    by apply/orP; left; move: d_gt1; case: (d) => [|[|n]] //= _; rewrite mul2n -addnn addSn addnS !ltnS leq_addr.
  by rewrite le_minl lexx orbT.
under eq_bigr do rewrite regretE; rewrite -mulr_sumr -natr_sum.
have h : (d * minn (2 * (d.-1 * N.+1)) T)%:R <= (4 * \sum_i wrong N low high p i T)%:R :> R.
  by rewrite ler_nat wrong_total.
by have := ler_wpmul2l D0 h; rewrite !natrM; clear; to_R; lra.
Qed.

Lemma regret_ge0 (p : seq R -> 'I_d) i T : 0 <= NoiselessGame.regret N low high p i T.
Proof. by rewrite regretE mulr_ge0 ?ler0n // ltW. Qed.

(* --- in expectation ------------------------------------------------------------------------------------------------- *)

Hypothesis P1 : P setT = 1%E.
Hypothesis pulls_measurable : forall i t, measurable [set w | pulled N low high (pol w) i t = i].

Lemma regret_measurable i T :
  measurable_fun setT (fun w => NoiselessGame.regret N low high (pol w) i T : RR).
Proof.
rewrite (_ : (fun w => _) = fun w => \sum_(t < T) (high - low) * \1_(~` [set w | pulled N low high (pol w) i t = i]) w).
  elim: T => [|T IH].
    rewrite (_ : (fun w => _) = cst 0); first exact: measurable_fun_cst.
    by apply/funext => w; rewrite big_ord0.
  rewrite (_ : (fun w => _) = (fun w => \sum_(t < T) (high - low) *
    \1_(~` [set w | pulled N low high (pol w) i t = i]) w + (high - low) *
    \1_(~` [set w | pulled N low high (pol w) i T = i]) w)); last by apply/funext => w; rewrite big_ord_recr.
  apply: measurable_funD => //; apply: measurable_funrM; apply: measurable_fun_indic.
  by apply: measurableC; exact: pulls_measurable.
apply/funext => w; apply: eq_bigr => t _; rewrite indicE /mean /pol; case: eqP => [e|ne].
  by rewrite memNset ?mulr0 ?subrr //=; apply.
by rewrite mem_set ?mulr1.
Qed.

Theorem noisy_hidden_arm (C : R) T : C < (high - low) * N.+1%:R -> exists i,
  ((Num.min (d%:R * C) ((high - low) * T%:R) / 4)%:E <=
   \int[P]_w (NoiselessGame.regret N low high (pol w) i T)%:E)%E.
Proof.
move=> hC; set v := _ / 4; apply: contrapT => no.
have less i : (\int[P]_w (NoiselessGame.regret N low high (pol w) i T)%:E < v%:E)%E.
  by rewrite ltNge; apply/negP => h; apply: no; exists i.
have mr i : measurable_fun setT (fun w => (NoiselessGame.regret N low high (pol w) i T)%:E).
  exact/EFin_measurable_fun/regret_measurable.
have r0 i w : (0 <= (NoiselessGame.regret N low high (pol w) i T)%:E)%E by rewrite lee_fin regret_ge0.
have total : ((d%:R * v)%:E <= \sum_i \int[P]_w (NoiselessGame.regret N low high (pol w) i T)%:E)%E.
  rewrite -ge0_integral_sum //.
  apply: le_trans (_ : (\int[P]_w (d%:R * Num.max v 0)%:E <= _)%E).
    rewrite integral_cst // P1 mule1 lee_fin ler_wpmul2l ?ler0n // le_maxr lexx.
    by [].
  apply: integral_mono => w; first by rewrite lee_fin mulr_ge0 ?ler0n // le_maxr lexx orbT.
  rewrite sumEFin lee_fin; case: (leP 0 v) => v0; last by rewrite mulr0 sumr_ge0 // => i _; apply: regret_ge0.
  exact: regret_total.
have fin i : (\int[P]_w (NoiselessGame.regret N low high (pol w) i T)%:E \is a fin_num)%E.
  by rewrite ge0_fin_numE ?integral_ge0 //; apply: lt_trans (less i) (ltry _).
have := total; rewrite (eq_bigr (fun i => (fine (\int[P]_w (NoiselessGame.regret N low high (pol w) i T)%:E))%:E)).
  rewrite sumEFin lee_fin leNgt => /negP; apply; rewrite mulr_natl -[X in v *+ X]card_ord -sumr_const.
  have below i : fine (\int[P]_w (NoiselessGame.regret N low high (pol w) i T)%:E) < v by rewrite -lte_fin fineK.
  pose first : 'I_d := Ordinal (ltnW d_gt1); rewrite (bigD1 first) // [X in _ < X](bigD1 first) //=.
  by apply: ltr_le_add => //; apply: ler_sum => i _; apply: ltW.
by move=> i _; rewrite fineK.
Qed.
End Noise.

(* --- the theorem ----------------------------------------------------------------------------------------------------- *)

Lemma hidings (Delta C : R) : 0 < Delta -> 0 <= C -> exists N : nat, Delta * N%:R <= C < Delta * N.+1%:R.
Proof.
move=> D0 C0; have ex : exists n : nat, C < Delta * n.+1%:R.
  have q0 : 0 <= C / Delta by rewrite divr_ge0 // ltW.
  exists (Num.bound (C / Delta)); rewrite mulrC -ltr_pdivr_mulr //.
  by apply: lt_trans (archi_boundP q0) _; rewrite ltr_nat.
case: (ex_minnP ex) => N hN minN; exists N; rewrite hN andbT; case: (N) minN => [|n] minN; first by rewrite mulr0.
by rewrite leNgt; apply/negP => /minN; rewrite ltnn.
Qed.

Theorem noisy_corruption_bound (d : nat) (mu : R -> R) (S C : R) dO (Omega : measurableType dO)
    (P : {measure set Omega -> \bar RR}) (xi : nat -> Omega -> R) (policy : Omega -> seq R -> 'I_d) (T : nat) :
  let pol := with_noise xi policy in
  (1 < d)%N -> 0 < mu S - mu 0 -> 0 <= C -> P setT = 1%E ->
  (forall N i t, measurable [set w | pulled N (mu 0) (mu S) (pol w) i t = i]) ->
  exists (N : nat) (i : 'I_d),
    (forall w, \sum_(t < T) `|corruption N (mu 0) (mu S) (pol w) i t| <= C) /\
    ((Num.min (d%:R * C) ((mu S - mu 0) * T%:R) / 4)%:E <=
     \int[P]_w (NoiselessGame.regret N (mu 0) (mu S) (pol w) i T)%:E)%E.
Proof.
move=> pol d1 D0 C0 P1 mp; have [N /andP[within beyond]] := hidings D0 C0.
have [i low] := @noisy_hidden_arm _ _ _ P xi policy N _ _ D0 d1 P1 (mp N) C T beyond.
exists N, i; split=> // w; apply: le_trans (adversary_within N _ _ _ _) within.
by rewrite -subr_ge0 ltW.
Qed.

Definition noisy_bound_larger := forall (d : nat) (mu : R -> R) (S C : R) dO (Omega : measurableType dO)
    (P : {measure set Omega -> \bar RR}) (xi : nat -> Omega -> R) (policy : Omega -> seq R -> 'I_d) (T : nat),
  let pol := with_noise xi policy in
  (1 < d)%N -> 0 < mu S - mu 0 -> 0 <= C -> P setT = 1%E ->
  (forall N i t, measurable [set w | pulled N (mu 0) (mu S) (pol w) i t = i]) ->
  exists (N : nat) (i : 'I_d),
    (forall w, \sum_(t < T) `|corruption N (mu 0) (mu S) (pol w) i t| <= C) /\
    ((Num.min (d%:R * C) ((mu S - mu 0) * T%:R) * 51 / 100)%:E <=
     \int[P]_w (NoiselessGame.regret N (mu 0) (mu S) (pol w) i T)%:E)%E.

(* Gaussian noise of every variance would do, and any other: two arms in turn, whatever is seen, for two rounds. *)
Theorem noisy_bound_larger_false : ~ noisy_bound_larger.
Proof.
move=> h; pose turn (w : RR) (seen : seq R) : 'I_2 := inord (size seen).
pose P : {measure set RR -> \bar RR} := [the {measure set _ -> \bar _} of dirac (0 : RR)].
have P1 : P setT = 1%E by rewrite /P /= diracE in_setT.
have d1 : 0 < (1 : R) - 0 by rewrite subr0 ltr01.
have pulledE N i t w : pulled N 0 1 (with_noise (fun=> fun=> 0) turn w) i t = inord t :> 'I_2.
  by rewrite /pulled /with_noise /turn size_mkseq play_size.
have mp N i t : measurable [set w | pulled N 0 1 (with_noise (fun=> fun=> 0) turn w) i t = i].
  rewrite (_ : [set w | _] = [set w | (inord t : 'I_2) = i]); last by apply/seteqP; split=> w /=; rewrite pulledE.
  by case: (pselect ((inord t : 'I_2) = i)) => e; [rewrite (_ : mkset _ = setT) | rewrite (_ : mkset _ = set0)] => //;
    apply/seteqP; split.
have [N [i [_]]] := h 2%N id 1 10 _ _ P (fun=> fun=> 0) turn 2%N isT d1 (ler0n _ _) P1 mp.
have cost w : NoiselessGame.regret N 0 1 (with_noise (fun=> fun=> 0) turn w) i 2 = 1.
  rewrite /NoiselessGame.regret big_ord_recl big_ord1 !pulledE /mean.
  have <- : (ord0 : 'I_2) = inord 0 by apply/val_inj; rewrite /= inordK.
  have <- : (ord_max : 'I_2) = inord 1 by apply/val_inj; rewrite /= inordK.
  by case: i {mp} => [[|[|]]] //= lt; to_R; lra.
rewrite (eq_integral (fun=> 1%E)) => [|w _]; last by rewrite cost.
rewrite integral_cst // P1 mule1 lee_fin (_ : Num.min _ _ = 2); first by to_R; lra.
by rewrite /= subr0 mul1r; apply/min_idPr; to_R; lra.
Qed.
