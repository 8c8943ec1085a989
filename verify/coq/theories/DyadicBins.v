(* Rounds sorted into dyadic bins by their dispersion: bin 0 has g <= g_max/T, bin l >= 1 has g between half and all
   of 2^l g_max/T.
     dyadic          what a sorting of the first T rounds has to satisfy
     dyadic_exists   there is one, with bins up to L as soon as T <= 2^L
     dyadic_sum      if sum g >= 2 g_max, the sum over the rounds outside bin 0 of 1/sqrt (sum of 1/g over the bin)
                     is at least sqrt (sum g) / 2
     block_sizes     n coordinates cut into blocks of k, numbered from 1 *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Bins.
Variables (T : nat) (g : nat -> R) (g_max : R).
Hypothesis T_gt0 : (0 < T)%N.
Hypothesis g_gt0 : forall t, 0 < g t.
Hypothesis g_le : forall t, (t < T)%N -> g t <= g_max.
Let TR : 0 < T%:R :> R. Proof. by rewrite ltr0n. Qed.

Definition edge (l : nat) : R := 2 ^+ l * g_max / T%:R.
Definition dyadic (L : nat) (bin : nat -> nat) := forall t, (t < T)%N ->
  [/\ (bin t <= L)%N, g t <= edge (bin t) & (0 < bin t)%N -> edge (bin t) < 2 * g t].

Lemma dyadic_exists L : (T <= 2 ^ L)%N -> exists bin, dyadic L bin.
Proof.
move=> TL; exists (fun t => find (fun l => g t <= edge l) (iota 0 L)) => t tT.
set l := find _ _; have lL : (l <= L)%N by rewrite -[X in (_ <= X)%N](size_iota 0) find_size.
have gm : 0 < g_max by apply: lt_le_trans (g_le T_gt0).
have last_edge : g t <= edge L.
  apply: le_trans (g_le tT) _; rewrite /edge mulrAC ler_pmull // ler_pdivl_mulr // mul1r.
  by rewrite -natrX ler_nat.
split=> //.
  have [small|big] := boolP (has (fun l => g t <= edge l) (iota 0 L)).
    have := nth_find 0%N small; rewrite -/l nth_iota ?add0n //.
    by move: small; rewrite has_find size_iota.
  suff -> : l = L by [].
  by apply/eqP; rewrite eqn_leq lL; move: big; rewrite has_find size_iota -leqNgt.
case e : l => [//|l'] _; have lt : (l' < l)%N by rewrite e.
have := before_find 0%N lt; rewrite nth_iota ?add0n; last by apply: leq_trans lt lL.
move/negbT; rewrite -ltNge /edge exprS => h.
by rewrite -!mulrA ltr_pmul2l ?ltr0n // mulrA.
Qed.

Variables (L : nat) (bin : nat -> nat).
Hypothesis sorted : dyadic L bin.
Definition inverse_sum (l : nat) : R := \sum_(t < T | bin t == l) (g t)^-1.
Let G l : R := \sum_(t < T | bin t == l) g t.
Let N l : nat := #|[pred t : 'I_T | bin t == l]|.

Lemma inverse_sum_ge0 l : 0 <= inverse_sum l.
Proof. by apply: sumr_ge0 => t _; rewrite invr_ge0 ltW. Qed.

Let inverse_sum_gt0 l : (0 < N l)%N -> 0 < inverse_sum l.
Proof.
case/card_gt0P => t; rewrite inE => bt; rewrite /inverse_sum (bigD1 t) //=.
by apply: ltr_paddr; [apply: sumr_ge0 => i _; rewrite invr_ge0 ltW | rewrite invr_gt0].
Qed.

(* Within a bin sums of g and of 1/g are close to being inverse. *)
Let bin_product l : (0 < l)%N -> G l * inverse_sum l <= 2 * (N l)%:R ^+ 2.
Proof.
move=> l0; case: (posnP (N l)) => [n0|n0].
  have no (t : 'I_T) : (bin t == l) = false.
    by have := card0_eq n0 t; rewrite !inE.
  by rewrite /G big_pred0 // mul0r n0 expr0n mulr0.
have gm : 0 < g_max by apply: lt_le_trans (g_le T_gt0).
have E0 : 0 < edge l by rewrite /edge divr_gt0 // mulr_gt0 // exprn_gt0 // ltr0n.
have G_le : G l <= (N l)%:R * edge l.
  rewrite mulr_natl -sumr_const; apply: ler_sum => t /eqP e.
  by have [_ + _] := sorted (ltn_ord t); rewrite e.
have H_le : inverse_sum l <= (N l)%:R * (2 / edge l).
  rewrite mulr_natl -sumr_const; apply: ler_sum => t /eqP e.
  have [_ _] := sorted (ltn_ord t); rewrite e => /(_ l0) h.
  by rewrite -[leLHS]mul1r ler_pdivr_mulr // mulrAC ler_pdivl_mulr // mul1r ltW.
have G0 : 0 <= G l by apply: sumr_ge0 => t _; apply: ltW.
apply: le_trans (ler_pmul G0 (inverse_sum_ge0 l) G_le H_le) _.
rewrite mulrACA [edge l * _]mulrCA mulfV ?gt_eqF // mulr1 mulrC expr2 //.
Qed.

Let bin_root l : (0 < l)%N -> sqrt (G l / 2) <= (N l)%:R / sqrt (inverse_sum l).
Proof.
move=> l0; case: (posnP (N l)) => [n0|n0].
  have no (t : 'I_T) : (bin t == l) = false by have := card0_eq n0 t; rewrite !inE.
  by rewrite /G big_pred0 // mul0r sqrt_0 n0 mul0r.
have H0 := inverse_sum_gt0 n0; rewrite ler_pdivl_mulr ?sqrt_gt0 //.
have G0 : 0 <= G l by apply: sumr_ge0 => t _; apply: ltW.
rewrite -sqrtM ?(ltW H0) ?divr_ge0 ?ler0n // -[leRHS](@sqrt_of_square (N l)%:R) ?ler0n //; apply: sqrt_le.
by rewrite mulrAC ler_pdivr_mulr ?ltr0n // [_ * 2]mulrC bin_product.
Qed.

Let by_bins (F : nat -> nat -> R) :
  \sum_(t < T | (0 < bin t)%N) F (bin t) t = \sum_(l < L) \sum_(t < T | bin t == l.+1) F l.+1 t.
Proof.
under [RHS]eq_bigr do rewrite big_mkcond /=.
rewrite exchange_big /= big_mkcond /=; apply: eq_bigr => t _.
have [bL _ _] := sorted (ltn_ord t); case: (posnP (bin t)) => [e|b0].
  by rewrite big1 // => l _; rewrite e.
have lt : ((bin t).-1 < L)%N by rewrite prednK.
rewrite (bigD1 (Ordinal lt)) //= prednK // eqxx big1 ?addr0 // => l ne; rewrite ifN //.
by apply: contra ne => /eqP e; rewrite -val_eqE /= e.
Qed.

Theorem dyadic_sum : 2 * g_max <= \sum_(t < T) g t ->
  sqrt (\sum_(t < T) g t) / 2 <= \sum_(t < T | (0 < bin t)%N) (sqrt (inverse_sum (bin t)))^-1.
Proof.
move=> big; have gm : 0 < g_max by apply: lt_le_trans (g_le T_gt0).
rewrite (by_bins (fun l _ => (sqrt (inverse_sum l))^-1)).
apply: le_trans (_ : \sum_(l < L) sqrt (G l.+1 / 2) <= _); last first.
  by apply: ler_sum => l _; rewrite sumr_const -[_ *+ _]mulr_natl; apply: bin_root.
have G0 l : 0 <= G l / 2 by rewrite divr_ge0 ?ler0n // sumr_ge0 // => t _; apply: ltW.
apply: le_trans (sqrt_sum _ _ (fun l : 'I_L => G0 l.+1)).
rewrite -mulr_suml -(by_bins (fun _ t => g t)).
have total : \sum_(t < T) g t = \sum_(t < T | (0 < bin t)%N) g t + \sum_(t < T | ~~ (0 < bin t)%N) g t by exact: bigID.
have small : \sum_(t < T | ~~ (0 < bin t)%N) g t <= g_max.
  apply: le_trans (_ : \sum_(t < T) g_max / T%:R <= _); last first.
    by rewrite sumr_const card_ord -[_ *+ T]mulr_natr divfK // gt_eqF.
  rewrite big_mkcond; apply: ler_sum => t _; case: ifP => [|_]; last by rewrite divr_ge0 ?(ltW gm) ?ler0n.
  by have [_ + _] := sorted (ltn_ord t); rewrite lt0n negbK /edge => h /eqP e; move: h; rewrite e expr0 mul1r.
have half : 2^-1 = sqrt (2^-1 ^+ 2) by rewrite sqrt_of_square // invr_ge0 ler0n.
have S0 : 0 <= \sum_(t < T) g t by apply: sumr_ge0 => t _; apply: ltW.
rewrite {1}half -sqrtM ?sqr_ge0 //; apply: sqrt_le.
move: big total small; clear; to_R; lra.
Qed.
End Bins.

(* Coordinates 0, ..., n - 1 in blocks of k, numbered from 1; the last may be shorter. *)
Section Blocks.
Variables (n k : nat).
Hypothesis k_gt0 : (0 < k)%N.
Definition cut (j : 'I_n) : nat := (j %/ k).+1.

Let in_block l m := (\sum_(0 <= j < m | j %/ k == l) 1)%N.
Let in_block_full l m : (l.+1 * k <= m)%N -> in_block l m = k.
Proof.
move=> le; have l1 : (l * k <= l.+1 * k)%N by rewrite leq_mul2r leqnSn orbT.
rewrite /in_block (big_cat_nat _ _ _ (leq0n (l * k)) (leq_trans l1 le)) /= (big_cat_nat _ _ _ l1 le) /=.
rewrite big_nat_cond big1 ?add0n => [|j /andP[/andP[_ jl] /eqP e]]; last first.
  by move: jl; rewrite -ltn_divLR // e ltnn.
rewrite [X in (_ + X)%N]big_nat_cond [X in (_ + X)%N]big1 ?addn0 => [|j /andP[/andP[lj _] /eqP e]]; last first.
  by move: lj; rewrite -leq_divRL // e ltnn.
rewrite big_nat_cond (eq_bigl (fun j => (l * k <= j < l.+1 * k)%N && true)) => [|j].
  by rewrite -big_nat_cond sum_nat_const_nat muln1 mulSn addnK.
apply: andb_id2l => /andP[a b]; apply/eqP; apply/eqP; rewrite eqn_leq -ltnS ltn_divLR // b /=.
by rewrite leq_divRL.
Qed.

Let cut_count l : #|[pred j | cut j == l.+1]| = in_block l n.
Proof. by rewrite -sum1_card /in_block big_mkord; apply: eq_bigl => j. Qed.

Lemma cut_le l : (#|[pred j | cut j == l]| <= k)%N.
Proof.
case: l => [|l]; first by rewrite (eq_card0 (A := [pred j | cut j == 0%N])).
rewrite cut_count; case: (leqP (l.+1 * k) n) => le; first by rewrite in_block_full.
rewrite -[X in (_ <= X)%N](in_block_full (leqnn (l.+1 * k))) /in_block.
by rewrite [X in (_ <= X)%N](big_cat_nat _ _ _ (leq0n n) (ltnW le)) leq_addr.
Qed.

Lemma cut_full L l : (0 < l)%N -> (l <= L)%N -> (L * k <= n)%N -> #|[pred j | cut j == l]| = k.
Proof.
case: l => // l _ lL Ln; rewrite cut_count in_block_full //; apply: leq_trans Ln; by rewrite leq_mul2r lL orbT.
Qed.

Lemma sum_cut L (F : nat -> R) : (L * k <= n)%N -> (forall l, (L < l)%N -> F l = 0) ->
  \sum_j F (cut j) = \sum_(l < L) k%:R * F l.+1.
Proof.
move=> Ln zero; have -> : \sum_(l < L) k%:R * F l.+1 = \sum_(l < L) \sum_(j | cut j == l.+1) F l.+1.
  by apply: eq_bigr => l _; rewrite sumr_const (cut_full (L := L)) // mulr_natl.
under [RHS]eq_bigr do rewrite big_mkcond /=.
rewrite exchange_big /=; apply: eq_bigr => j _; case: (leqP (cut j) L) => jL; last first.
  by rewrite zero // big1 // => l _; rewrite ifN // neq_ltn (leq_ltn_trans (ltn_ord l) jL) orbT.
have lt : ((cut j).-1 < L)%N by [].
rewrite (bigD1 (Ordinal lt)) //= eqxx big1 ?addr0 // => l ne; rewrite ifN //.
by apply: contra ne; rewrite /cut eqSS => /eqP e; rewrite -val_eqE /= e.
Qed.
End Blocks.
