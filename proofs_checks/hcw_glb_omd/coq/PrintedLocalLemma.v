(* lem:lower-bound as printed, for Gaussian rewards of variance g, and its negation.  The arms are the unit sphere of
   dimension k, theta_* has length S, there are n >= k^2 rounds.  Every choice below that is not in the text weakens
   it: it is asked only against learners who fix their arms beforehand, and of a prior on the neighbourhood only that
   one of its parameters has at least the mean regret.
     local_lemma                      what is printed, for |theta_*| = S, constants c1, c2 and in dimension k; the
                                      constants may depend on S, and for no S are there any
     printed_local_lemma_line_false   in dimension 1: once eps < S^2 the sign of theta_* costs nothing
     printed_local_lemma_false        in dimensions k >= 2: playing theta_*/S costs at most 2 sqrt(eps) a round, which
                                      grows like g^(1/4) *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots QuadraticForm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Definition local_lemma (S c1 c2 : R) (k : nat) := forall (n : nat) (g : R) (star : 'cV[R]_k),
  (k ^ 2 <= n)%N -> 0 < g -> dot star star = S ^+ 2 ->
  forall x : nat -> 'cV[R]_k, (forall t, dot (x t) (x t) = 1) ->
  exists theta best : 'cV[R]_k, [/\ dot best best = 1,
    dot (theta - star) (theta - star) <= c1 * (k%:R * sqrt (g / n%:R)) &
    c2 * k%:R * sqrt (g * n%:R) <= \sum_(t < n) (dot best theta - dot (x t) theta)].

Definition printed_local_lemma_line := exists S c1 c2 : R, [/\ 0 < S, 0 < c1, 0 < c2 & local_lemma S c1 c2 1].
Definition printed_local_lemma := exists S c1 c2 : R,
  [/\ 0 < S, 0 < c1, 0 < c2 & forall k, (1 < k)%N -> local_lemma S c1 c2 k].

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
move=> [S [c1 [c2 [S0 c10 c20 lem]]]]; have [N [N1 big down up]] := square_rounds (c1 / S ^+ 2).
pose one : 'cV[R]_1 := const_mx 1.
have dot1 (u v : 'cV[R]_1) : dot u v = u 0 0 * v 0 0 by rewrite /dot mxE big_ord1 !mxE.
have unit (t : nat) : dot one one = 1 by rewrite dot1 !mxE mulr1.
have len : dot (S *: one) (S *: one) = S ^+ 2 by rewrite dot1 !mxE mulr1 expr2.
have rounds : (1 ^ 2 <= N ^ 2)%N by rewrite exp1n expn_gt0 (ltnW N1).
have [theta [best [b1 near low]]] := lem (N ^ 2)%N 1 (S *: one) rounds ltr01 len (fun=> one) unit.
move: b1 near low; rewrite down up !dot1 !mxE; move: (best 0 0) (theta 0 0) => b a b1 near low.
have N0 : 0 < N%:R :> R by rewrite ltr0n (ltnW N1).
have eps : c1 * (1%:R * N%:R^-1) < S ^+ 2.
  by rewrite mul1r ltr_pdivr_mulr // mulrC -ltr_pdivr_mulr ?exprn_gt0.
have a0 : 0 <= a by move: (le_lt_trans near eps) S0; clear; to_R; nra.
have bb : b <= 1 by move: b1; clear; to_R; nra.
have loss : b * a - 1 * a <= 0 by move: a0 bb; clear; to_R; nra.
have : c2 * 1%:R * N%:R <= 0.
  apply: le_trans low _; rewrite sumr_const card_ord; exact: mulrn_wle0.
by rewrite mulr1 leNgt mulr_gt0.
Qed.

(* What playing (1, 0) costs at most in a round, for theta = (p, q) within E of (S, 0). *)
Lemma cost_of_the_centre (p q b c S E : R) : 0 < S -> 0 <= E -> b * b + c * c = 1 ->
  (p - S) * (p - S) + q * q <= E ^+ 2 -> b * p + c * q - p <= 2 * E.
Proof.
move=> S0 E0 unit near; have b1 : b <= 1 by move: unit; clear; to_R; nra.
have short : S - p <= E by move: near E0; clear; to_R; nra.
have schwarz : (b * (p - S) + c * q) ^+ 2 <= E ^+ 2.
  apply: le_trans (_ : (b * b + c * c) * ((p - S) * (p - S) + q * q) <= _); last by rewrite unit mul1r.
  have : 0 <= (b * q - c * (p - S)) ^+ 2 by apply: sqr_ge0.
  by clear; to_R; nra.
have along : b * (p - S) + c * q <= E.
  by move: schwarz E0; move: (b * (p - S) + c * q) => u; clear; to_R; nra.
have : (b - 1) * S <= 0 by move: b1 S0; clear; to_R; nra.
by move: along short; clear; to_R; lra.
Qed.

(* k = 2, four rounds and g = h^4: eps is c1 h^2, at most (m h)^2 for m = 1 + c1, and the claimed regret 4 c2 h^2. *)
Theorem printed_local_lemma_false : ~ printed_local_lemma.
Proof.
move=> [S [c1 [c2 [S0 c10 c20 lem]]]]; pose m : R := 1 + c1; pose h : R := 1 + 2 * m / c2.
have m0 : 0 < m by rewrite /m; move: c10; clear; to_R; lra.
have h0 : 0 < h by rewrite /h ltr_paddr ?ltr01 // divr_ge0 ?mulr_ge0 ?ler0n ?ltW.
have wins : 2 * m < c2 * h by rewrite /h mulrDr mulr1 [c2 * (_ / _)]mulrC divfK ?gt_eqF // ltr_addr.
pose e1 : 'cV[R]_2 := delta_mx 0 0.
have dot2 (u v : 'cV[R]_2) : dot u v = u 0 0 * v 0 0 + u 1 0 * v 1 0.
  rewrite /dot mxE big_ord_recl big_ord1 !mxE.
  by have -> : lift ord0 ord0 = 1 :> 'I_2 by apply/val_inj.
have unit (t : nat) : dot e1 e1 = 1 by rewrite dot2 !mxE /= mulr1 mulr0 addr0.
have len : dot (S *: e1) (S *: e1) = S ^+ 2 by rewrite dot2 !mxE /= !mulr1 !mulr0 addr0 expr2.
have hh : 0 <= h ^+ 2 by apply: sqr_ge0.
have down : sqrt (h ^+ 4 / 4%:R) = h ^+ 2 / 2.
  have -> : h ^+ 4 / 4%:R = (h ^+ 2 / 2) ^+ 2 by clear; to_R; field.
  by apply: sqrt_of_square; rewrite divr_ge0 ?ler0n.
have up : sqrt (h ^+ 4 * 4%:R) = 2 * h ^+ 2.
  have -> : h ^+ 4 * 4%:R = (2 * h ^+ 2) ^+ 2 by clear; to_R; ring.
  by apply: sqrt_of_square; rewrite mulr_ge0 ?ler0n.
have [theta [best [b1 near low]]] := lem 2%N isT 4%N (h ^+ 4) (S *: e1) isT (exprn_gt0 _ h0) len (fun=> e1) unit.
move: b1 near low; rewrite down up !dot2 !mxE /= !(mulr1, mulr0, mul1r, mul0r, addr0, subr0).
move: (best 0 0) (best 1 0) (theta 0 0) (theta 1 0) => b c p q b1 near low.
have close : (p - S) * (p - S) + q * q <= (m * h) ^+ 2.
  apply: le_trans near _; rewrite /m; move: c10 hh; clear; to_R; nra.
have loss := cost_of_the_centre S0 (mulr_ge0 (ltW m0) (ltW h0)) b1 close.
move: low; rewrite sumr_const card_ord -[leRHS]mulr_natl => low.
have : 4%:R * (c2 * h * h) <= 4%:R * (2 * m * h).
  apply: le_trans (_ : 4%:R * (b * p + c * q - p) <= _).
    by apply: le_trans low; move: c20; clear; to_R; nra.
  by apply: ler_wpmul2l; rewrite ?ler0n // -mulrA.
by rewrite ler_pmul2l ?ltr0n // ler_pmul2r // leNgt wins.
Qed.
