(* thm:lower-bound-corruption, repaired: the noiseless corruption game, for adaptive randomised policies.
   K arms; in instance i arm i pays `high`, every other arm `low`.  The adversary makes the first N pulls of arm i
   look like any other, at a cost of N (high - low) <= C, and then stops.  A policy maps the rewards it has seen to
   an arm; a randomised policy draws one of finitely many policies.
     hidden_arm          some instance costs at least Delta min(2 (K - 1) (N + 1), T) / 4 in expectation
     corruption_bound    hence at least min(K C, Delta T) / 4 *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge QuadraticForm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Game.
Variables (K N : nat) (low high : R).
Implicit Types (i : 'I_K) (pol : seq R -> 'I_K) (t T : nat).

(* What is observed in the first t rounds of instance i, and how often arm i was pulled. *)
Fixpoint play pol i t : seq R * nat :=
  if t is t'.+1 then
    let: (seen, pulls) := play pol i t' in
    if pol seen == i then (rcons seen (if (pulls < N)%N then low else high), pulls.+1) else (rcons seen low, pulls)
  else ([::], 0%N).
Definition pulled pol i t : 'I_K := pol (play pol i t).1.
(* The true mean of what was pulled, what was shown, and the corruption of round t. *)
Definition mean i (j : 'I_K) : R := if j == i then high else low.
Definition shown pol i t : R := nth low (play pol i t.+1).1 t.
Definition corruption pol i t : R := shown pol i t - mean i (pulled pol i t).
Definition regret pol i T : R := \sum_(t < T) (high - mean i (pulled pol i t)).

(* --- the adversary stays within N (high - low) ------------------------------------------------------------- *)

Lemma play_size pol i t : size (play pol i t).1 = t.
Proof.
elim: t => //= t; case: (play pol i t) => seen pulls /= e.
by case: (pol seen == i); rewrite size_rcons e.
Qed.

Lemma budget_spent pol i T : low <= high ->
  \sum_(t < T) `|corruption pol i t| = (high - low) * (minn N (play pol i T).2)%:R.
Proof.
move=> lh; elim: T => [|T IH]; first by rewrite big_ord0 minn0 mulr0.
rewrite (sum_last (fun t => `|corruption pol i t|)) IH /corruption /shown /mean /pulled /=.
have := play_size pol i T; case: (play pol i T) => seen pulls /= e.
case: (pol seen == i); last by rewrite nth_rcons e ltnn eqxx subrr normr0 addr0.
rewrite nth_rcons e ltnn eqxx; case: (boolP (pulls < N)%N) => h.
  rewrite distrC ger0_norm ?subr_ge0 // (minn_idPr (ltnW h)) (minn_idPr h) -{2}[high - low]mulr1 -mulrDr.
  by rewrite -[pulls.+1]addn1 natrD.
by rewrite -leqNgt in h; rewrite subrr normr0 addr0 (minn_idPl h) (minn_idPl (leqW h)).
Qed.

Lemma adversary_within pol i T : low <= high -> \sum_(t < T) `|corruption pol i t| <= (high - low) * N%:R.
Proof. by move=> lh; rewrite budget_spent // ler_wpmul2l ?subr_ge0 // ler_nat geq_minl. Qed.

(* --- before the (N+1)-st pull of arm i nothing but `low` is seen ------------------------------------------ *)

Definition blind pol t : 'I_K := pol (nseq t low).
Definition blind_pulls pol i t : nat := \sum_(s < t) (blind pol s == i).

Lemma play_blind pol i t : (blind_pulls pol i t <= N)%N -> play pol i t = (nseq t low, blind_pulls pol i t).
Proof.
elim: t => [|t IH]; first by rewrite /blind_pulls big_ord0.
rewrite /blind_pulls big_ord_recr /= -/(blind_pulls pol i t) => h.
rewrite (IH (leq_trans (leq_addr _ _) h)) /= -/(blind pol t) -[low :: nseq t low]/(nseq t.+1 low).
have rn : rcons (nseq t low) low = nseq t.+1 low by elim: (t) => //= k ->.
move: h; case: (blind pol t == i) => h; last by rewrite rn addn0.
by rewrite (_ : (blind_pulls pol i t < N)%N) ?rn ?addn1 // -addn1.
Qed.

Definition wrong pol i T : nat := \sum_(t < T) (pulled pol i t != i).
Lemma regretE pol i T : regret pol i T = (high - low) * (wrong pol i T)%:R.
Proof.
rewrite /regret /wrong natr_sum mulr_sumr; apply: eq_bigr => t _; rewrite /mean.
by case: (pulled pol i t == i); rewrite ?subrr ?mulr0 ?mulr1.
Qed.

Lemma wrong_ge pol i T : (\sum_(t < T) ((blind pol t != i) && (blind_pulls pol i t <= N)) <= wrong pol i T)%N.
Proof.
apply: leq_sum => t _; case: (boolP (blind_pulls pol i t <= N)%N) => h; last by rewrite andbF.
by rewrite andbT /pulled play_blind.
Qed.

(* --- counting over all instances ---------------------------------------------------------------------------- *)

Lemma blind_total pol t : (\sum_i blind_pulls pol i t = t)%N.
Proof.
rewrite /blind_pulls exchange_big /= -[RHS]card_ord -sum1_card; apply: eq_bigr => s _.
by rewrite (bigD1 (blind pol s)) //= eqxx big1 // => i /negbTE; rewrite eq_sym => ->.
Qed.

(* At most t / (N+1) arms have been pulled more than N times. *)
Lemma many_pulls pol t : (\sum_i (N < blind_pulls pol i t) <= t %/ N.+1)%N.
Proof.
rewrite leq_divRL // -{2}(blind_total pol t) big_distrl /=; apply: leq_sum => i _.
by case: ltnP => //=; rewrite mul1n.
Qed.

Lemma others pol t : (0 < K)%N -> (K.-1 = \sum_i (blind pol t != i))%N.
Proof.
move=> K0; have one : (\sum_i (blind pol t == i) = 1)%N.
  by rewrite (bigD1 (blind pol t)) //= eqxx big1 // => i /negbTE; rewrite eq_sym => ->.
have all : (\sum_i (blind pol t != i) + \sum_i (blind pol t == i) = K)%N.
  by rewrite -big_split /= -[RHS]card_ord -sum1_card; apply: eq_bigr => i _; case: eqP.
by move: all K0; rewrite one; generalize (\sum_i (blind pol t != i))%N; clear; lia.
Qed.

Lemma round_count pol t : (0 < K)%N ->
  (K.-1 - t %/ N.+1 <= \sum_i ((blind pol t != i) && (blind_pulls pol i t <= N)))%N.
Proof.
move=> K0; rewrite leq_subLR (others pol t K0).
apply: leq_trans (_ : \sum_i ((N < blind_pulls pol i t) + ((blind pol t != i) && (blind_pulls pol i t <= N))) <= _)%N.
  by apply: leq_sum => i _; case: (blind pol t != i); case: ltnP.
by rewrite big_split /= leq_add2r many_pulls.
Qed.

Definition floor_sum k T := (\sum_(t < T) (k - t %/ N.+1))%N.

Lemma floor_sum_mono k T T' : (T <= T')%N -> (floor_sum k T <= floor_sum k T')%N.
Proof.
move=> TT'; rewrite /floor_sum -!(big_mkord xpredT (fun t => k - t %/ N.+1)%N).
by rewrite [X in (_ <= X)%N](big_cat_nat _ _ _ (leq0n T) TT') leq_addr.
Qed.

Lemma floor_sum_full k : (2 * floor_sum k (k * N.+1) = N.+1 * (k * k.+1))%N.
Proof.
elim: k => [|k IH]; first by rewrite /floor_sum !mul0n big_ord0 !muln0.
have -> : floor_sum k.+1 (k.+1 * N.+1) = (floor_sum k (k * N.+1) + k.+1 * N.+1)%N.
  rewrite /floor_sum -!(big_mkord xpredT (fun t => _ - t %/ N.+1)%N).
  rewrite (big_cat_nat _ _ _ (leq0n (k * N.+1))) /=; last by rewrite leq_mul2r leqnSn orbT.
  rewrite [X in (_ + X)%N](_ : _ = \sum_(k * N.+1 <= t < k.+1 * N.+1) 1)%N; last first.
    apply: eq_big_nat => t /andP[t1 t2].
    have -> : (t %/ N.+1 = k)%N by apply/eqP; rewrite eqn_leq -ltnS ltn_divLR // t2 leq_divRL.
    by rewrite subSnn.
  rewrite [X in (X + _)%N](_ : _ = \sum_(0 <= t < k * N.+1) ((k - t %/ N.+1) + 1))%N; last first.
    by apply: eq_big_nat => t /andP[_ tk]; rewrite addn1 subSn // ltnW // ltn_divLR.
  rewrite big_split /= !sum_nat_const_nat subn0 !muln1 -addnA; congr (_ + _)%N.
  by rewrite mulSn addnK addnC.
by rewrite mulnDr IH; ring.
Qed.

Lemma linear_sum A T : (T <= A.+1)%N -> (2 * (\sum_(t < T) (A - t)) + T * T = 2 * (T * A) + T)%N.
Proof.
elim: T => [|T IH] h; first by rewrite big_ord0.
have -> : (\sum_(t < T.+1) (A - t) = \sum_(t < T) (A - t) + (A - T))%N by rewrite big_ord_recr.
have := IH (ltnW h); move: (subnK (h : (T <= A)%N)).
by generalize (A - T)%N (\sum_(t < T) (A - t))%N => u v; nia.
Qed.

Lemma floor_sum_ge T : (1 < K)%N -> (K * minn (2 * (K.-1 * N.+1)) T <= 4 * floor_sum K.-1 T)%N.
Proof.
move=> K1; case: (leqP T (K.-1 * N.+1)) => hT.
  apply: leq_trans (_ : K * T <= _)%N; first by rewrite leq_mul2l geq_minr orbT.
  have h1 : (\sum_(t < T) (K.-1 * N.+1 - t) <= N.+1 * floor_sum K.-1 T)%N.
    rewrite /floor_sum big_distrr /=; apply: leq_sum => t _; rewrite mulnBr mulnC leq_sub2l //.
    by rewrite mulnC leq_trunc_div.
  have h2 := linear_sum (leqW hT).
  have h3 : (T * (K.-1 * N.+1) <= 2 * (N.+1 * floor_sum K.-1 T))%N.
    have h4 : (T * T <= T * (K.-1 * N.+1))%N by rewrite leq_mul2l hT orbT.
    by move: h1 h2 h4; generalize (\sum_(t < T) (K.-1 * N.+1 - t))%N; lia.
  have h5 : (T * K.-1 <= 2 * floor_sum K.-1 T)%N.
    rewrite -(leq_pmul2l (ltn0Sn N)); move: h3; generalize (floor_sum K.-1 T) => f; lia.
  by move: h5 K1; generalize (floor_sum K.-1 T) => f; nia.
apply: leq_trans (_ : K * (2 * (K.-1 * N.+1)) <= _)%N; first by rewrite leq_mul2l geq_minl orbT.
have := floor_sum_mono K.-1 (ltnW hT); have := floor_sum_full K.-1; rewrite (prednK (ltnW K1)).
by generalize (floor_sum K.-1 T) (floor_sum K.-1 (K.-1 * N.+1)) => f g; nia.
Qed.

Lemma wrong_total pol T : (1 < K)%N -> (K * minn (2 * (K.-1 * N.+1)) T <= 4 * \sum_i wrong pol i T)%N.
Proof.
move=> K1; apply: leq_trans (floor_sum_ge T K1) _; rewrite leq_mul2l /=.
apply: leq_trans (_ : \sum_i \sum_(t < T) ((blind pol t != i) && (blind_pulls pol i t <= N)) <= _)%N; last first.
  by apply: leq_sum => i _; apply: wrong_ge.
rewrite exchange_big /=; apply: leq_sum => t _; exact: round_count (ltnW K1).
Qed.

(* --- randomised policies ------------------------------------------------------------------------------------- *)

Variables (W : finType) (law : W -> R) (policy : W -> seq R -> 'I_K).
Hypothesis law_ge0 : forall w, 0 <= law w.
Hypothesis law1 : \sum_w law w = 1.
Hypothesis gap_gt0 : 0 < high - low.
Hypothesis K_gt1 : (1 < K)%N.

Definition expected_regret i T := \sum_w law w * regret (policy w) i T.

Theorem hidden_arm T : exists i, (high - low) * (minn (2 * (K.-1 * N.+1)) T)%:R / 4 <= expected_regret i T.
Proof.
set v := _ / 4; have K0 : 0 < K%:R :> R by rewrite ltr0n ltnW.
have total : K%:R * v <= \sum_i expected_regret i T.
  rewrite /expected_regret exchange_big /=.
  apply: le_trans (_ : _ <= \sum_w law w * (K%:R * v)) _; first by rewrite -mulr_suml law1 mul1r lexx.
  apply: ler_sum => w _; rewrite -mulr_sumr ler_wpmul2l //.
  under eq_bigr do rewrite regretE; rewrite -mulr_sumr -natr_sum /v.
  have h : (K * minn (2 * (K.-1 * N.+1)) T)%:R <= (4 * \sum_i wrong (policy w) i T)%:R :> R.
    by rewrite ler_nat wrong_total.
  by have := ler_wpmul2l (ltW gap_gt0) h; rewrite !natrM; clear; to_R; lra.
apply/existsP; apply: contraT; rewrite negb_exists => /forallP no.
have neg i : expected_regret i T < v by rewrite ltNge.
have : \sum_(i < K) (v - expected_regret i T) == 0.
  have eS : \sum_(i < K) (v - expected_regret i T) = K%:R * v - \sum_i expected_regret i T.
    by rewrite sumrB sumr_const card_ord mulr_natl.
  rewrite eq_le; apply/andP; split; first by rewrite eS subr_le0.
  by apply: sumr_ge0 => i _; rewrite subr_ge0 ltW.
rewrite psumr_eq0; last by move=> i _; rewrite subr_ge0 ltW.
move=> /allP/(_ (Ordinal (ltnW K_gt1)) (mem_index_enum _)) /=; rewrite subr_eq0 => /eqP e.
by have := neg (Ordinal (ltnW K_gt1)); rewrite -e ltxx.
Qed.

(* With C between N Delta and (N + 1) Delta: the repaired theorem. *)
Theorem corruption_bound (C : R) T : C < (high - low) * N.+1%:R ->
  exists i, Num.min (K%:R * C) ((high - low) * T%:R) / 4 <= expected_regret i T.
Proof.
move=> hC; have [i h] := hidden_arm T; exists i; apply: le_trans h.
rewrite ler_wpmul2r ?invr_ge0 ?ler0n //; case: (leqP (2 * (K.-1 * N.+1)) T) => hT.
  rewrite le_minl; apply/orP; left; apply: le_trans (ler_wpmul2l (ler0n _ K) (ltW hC)) _.
  rewrite mulrCA ler_wpmul2l ?(ltW gap_gt0) // -natrM ler_nat mulnA leq_mul2r orbC.
  by apply/orP; left; move: K_gt1; lia.
by rewrite le_minl lexx orbT.
Qed.
End Game.

(* thm:lower-bound-corruption, repaired: arms e_1, ..., e_d, parameters S e_i, means mu(<x, theta>); every
   adaptive randomised policy pays min(d C, (mu S - mu 0) T)/4 against an adversary that spends at most C. *)
Section Glm.
Variables (d : nat) (mu : R -> R) (S C : R).
Let Delta := mu S - mu 0.

Lemma glm_mean (i j : 'I_d) :
  mu (dot (delta_mx j 0) (S *: delta_mx i 0)) = mean (mu 0) (mu S) i j.
Proof.
rewrite /mean dotZr /dot trmx_delta mul_delta_mx_cond.
by case: (j == i); rewrite ?mulr1n ?mulr0n !mxE ?eqxx ?mulr1 ?mulr0.
Qed.

Theorem corruption_lower_bound (W : finType) (law : W -> R) (policy : W -> seq R -> 'I_d) (T : nat) :
  (1 < d)%N -> 0 < Delta -> 0 <= C -> (forall w, 0 <= law w) -> \sum_w law w = 1 ->
  exists (N : nat) (i : 'I_d),
    (forall w, \sum_(t < T) `|corruption N (mu 0) (mu S) (policy w) i t| <= C) /\
    Num.min (d%:R * C) (Delta * T%:R) / 4 <= expected_regret N (mu 0) (mu S) law policy i T.
Proof.
move=> d1 D0 C0 l0 l1.
have ex : exists n, C < Delta * n.+1%:R.
  have q0 : 0 <= C / Delta by rewrite divr_ge0 // ltW.
  exists (Num.bound (C / Delta)); rewrite mulrC -ltr_pdivr_mulr //.
  by apply: lt_trans (archi_boundP q0) _; rewrite ltr_nat.
case: (ex_minnP ex) => N hN minN.
have [i h] := @corruption_bound d N (mu 0) (mu S) W law policy l0 l1 D0 d1 C T hN.
exists N, i; split=> // w; apply: le_trans (adversary_within N _ _ _ (ltW _)) _; first by rewrite -subr_gt0.
case: (N) minN => [|n] minN; first by rewrite mulr0.
by rewrite leNgt; apply/negP => /minN; rewrite ltnn.
Qed.
End Glm.
