(* lem:lower-bound as printed, for Gaussian rewards of variance g, and its negation.  The arms are the unit sphere of
   dimension k, theta_* has length S, there are n >= k^2 rounds.  Every choice below that is not in the text weakens
   it: it is asked only against learners who fix their arms beforehand, and of a prior on the neighbourhood only that
   one of its parameters has at least the mean regret.
     local_lemma                      what is printed, for constants c1, c2 and in dimension k
     printed_local_lemma_line_false   in dimension 1: once eps < S^2 the sign of theta_* costs nothing
     printed_local_lemma_false        in dimensions k >= 2: playing theta_*/S costs about eps/S a round *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots QuadraticForm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Definition local_lemma (c1 c2 : R) (k : nat) := forall (n : nat) (S g : R) (star : 'cV[R]_k),
  (k ^ 2 <= n)%N -> 0 < S -> 0 < g -> dot star star = S ^+ 2 ->
  forall x : nat -> 'cV[R]_k, (forall t, dot (x t) (x t) = 1) ->
  exists theta best : 'cV[R]_k, [/\ dot best best = 1,
    dot (theta - star) (theta - star) <= c1 * (k%:R * sqrt (g / n%:R)) &
    c2 * k%:R * sqrt (g * n%:R) <= \sum_(t < n) (dot best theta - dot (x t) theta)].

Definition printed_local_lemma_line := exists c1 c2 : R, [/\ 0 < c1, 0 < c2 & local_lemma c1 c2 1].
Definition printed_local_lemma := exists c1 c2 : R, [/\ 0 < c1, 0 < c2 & forall k, (1 < k)%N -> local_lemma c1 c2 k].

(* Square numbers of rounds, with a root as large as wanted. *)
Lemma square_rounds (x : R) : exists N : nat, [/\ (1 < N)%N, x < N%:R, sqrt (1 / (N ^ 2)%N%:R) = N%:R^-1 &
  sqrt (1 * (N ^ 2)%N%:R) = N%:R :> R].
Proof.
pose N := (Num.bound `|x|).+2; exists N; have N0 : 0 <= N%:R :> R := ler0n _ _.
split=> //.
- apply: le_lt_trans (ler_norm x) _; apply: lt_trans (archi_boundP (normr_ge0 x)) _.
  by rewrite /N ltr_nat leqW.
- rewrite natrX div1r -exprVn.
  by apply: sqrt_of_square; rewrite invr_ge0.
- by rewrite natrX mul1r sqrt_of_square.
Qed.

Theorem printed_local_lemma_line_false : ~ printed_local_lemma_line.
Proof.
move=> [c1 [c2 [c10 c20 lem]]]; have [N [N1 big down up]] := square_rounds c1.
pose one : 'cV[R]_1 := const_mx 1.
have dot1 (u v : 'cV[R]_1) : dot u v = u 0 0 * v 0 0 by rewrite /dot mxE big_ord1 !mxE.
have unit (t : nat) : dot one one = 1 by rewrite dot1 !mxE mulr1.
have len : dot one one = 1 ^+ 2 by rewrite (unit 0%N) expr1n.
have rounds : (1 ^ 2 <= N ^ 2)%N by rewrite exp1n expn_gt0 (ltnW N1).
have [theta [best [b1 near low]]] := lem (N ^ 2)%N 1 1 one rounds ltr01 ltr01 len (fun=> one) unit.
move: b1 near low; rewrite down up !dot1 !mxE; move: (best 0 0) (theta 0 0) => b a b1 near low.
have N0 : 0 < N%:R :> R by rewrite ltr0n (ltnW N1).
have eps : c1 * (1%:R * N%:R^-1) < 1 by rewrite mul1r ltr_pdivr_mulr // mul1r.
have a0 : 0 <= a by move: (le_lt_trans near eps); clear; to_R; nra.
have bb : b <= 1 by move: b1; clear; to_R; nra.
have loss : b * a - 1 * a <= 0 by move: a0 bb; clear; to_R; nra.
have : c2 * 1%:R * N%:R <= 0.
  apply: le_trans low _; rewrite sumr_const card_ord; exact: mulrn_wle0.
by rewrite mulr1 leNgt mulr_gt0.
Qed.

(* What playing (1, 0) costs at most in a round, for theta = (p, q) and p > 0. *)
Lemma cost_of_the_centre (p q b c S : R) : 0 < S -> S / 2 <= p -> b * b + c * c = 1 ->
  S * (b * p + c * q - p) <= q * q.
Proof.
move=> S0 pS unit; have b1 : b <= 1 by move: unit; clear; to_R; nra.
have half : c * c / 2 <= 1 - b by move: unit b1; clear; to_R; nra.
have drop : S / 2 * (c * c / 2) <= p * (1 - b).
  apply: le_trans (_ : p * (c * c / 2) <= _); last by apply: ler_wpmul2l => //; move: S0 pS; clear; to_R; lra.
  by apply: ler_wpmul2r => //; rewrite divr_ge0 ?ler0n // -expr2 sqr_ge0.
have : 0 <= (q - S * c / 2) ^+ 2 by apply: sqr_ge0.
have := ler_wpmul2l (ltW S0) drop; clear - S0; to_R; nra.
Qed.

Theorem printed_local_lemma_false : ~ printed_local_lemma.
Proof.
move=> [c1 [c2 [c10 c20 lem]]]; pose S : R := 1 + c1 / c2.
have S1 : 1 <= S by rewrite ler_addl divr_ge0 ?ltW.
have S0 : 0 < S by apply: lt_le_trans S1; exact: ltr01.
have S2 : c1 < S * c2 by rewrite /S mulrDl mul1r divfK ?gt_eqF // ltr_addr.
have [N [N1 big down up]] := square_rounds (8 * c1).
pose e1 : 'cV[R]_2 := delta_mx 0 0.
have dot2 (u v : 'cV[R]_2) : dot u v = u 0 0 * v 0 0 + u 1 0 * v 1 0.
  rewrite /dot mxE big_ord_recl big_ord1 !mxE.
  by have -> : lift ord0 ord0 = 1 :> 'I_2 by apply/val_inj.
have unit (t : nat) : dot e1 e1 = 1 by rewrite dot2 !mxE /= mulr1 mulr0 addr0.
have len : dot (S *: e1) (S *: e1) = S ^+ 2 by rewrite dot2 !mxE /= !mulr1 !mulr0 addr0 expr2.
have rounds : (2 ^ 2 <= N ^ 2)%N by rewrite leq_exp2r.
have [theta [best [b1 near low]]] := lem 2%N isT (N ^ 2)%N S 1 (S *: e1) rounds S0 ltr01 len (fun=> e1) unit.
move: b1 near low; rewrite down up !dot2 !mxE /= !(mulr1, mulr0, mul1r, mul0r, addr0, subr0).
move: (best 0 0) (best 1 0) (theta 0 0) (theta 1 0) => b c p q b1 near low.
have N0 : 0 < N%:R :> R by rewrite ltr0n (ltnW N1).
have eps : c1 * (2%:R * N%:R^-1) <= 4^-1.
  rewrite mulrA ler_pdivr_mulr //; move: big; move: (N%:R : R) => x; clear; to_R; lra.
have pS : S / 2 <= p by move: near eps S1; clear; to_R; nra.
have qq : q * q <= c1 * (2%:R * N%:R^-1) by apply: le_trans near; rewrite ler_addr -expr2 sqr_ge0.
have loss := le_trans (cost_of_the_centre q S0 pS b1) qq.
move: low; rewrite sumr_const card_ord -[leRHS]mulr_natl natrX => /(ler_wpmul2l (ltW S0)).
rewrite [leRHS]mulrCA => low; have := le_trans low (ler_wpmul2l (sqr_ge0 _) loss).
have cancel (x i : R) : x * i = 1 -> x ^+ 2 * (c1 * (2%:R * i)) = x * (2 * c1).
  by move=> xi; rewrite -[RHS]mul1r -xi; clear; to_R; lra.
rewrite (cancel N%:R) ?mulfV ?gt_eqF //.
have -> : S * (c2 * 2%:R * N%:R) = N%:R * (2 * (S * c2)) by move: (N%:R : R) => x; clear; to_R; lra.
by rewrite ler_pmul2l // ler_pmul2l ?ltr0n // leNgt S2.
Qed.
