(* What the proof of thm:lower-bound and the text around it take for granted of its scope, and the negations.
     printed_blocks_false     app:proof-lower-bound: not every block of theta_* has positive norm
     printed_scope_false      sec:lower-bound: the theorem does not speak wherever the lower bound for logistic bandits
                              of Abeille et al. does, for which d >= 2 is fixed and T is large *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots QuadraticForm MirrorDescent.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* L = ceil (log2 T). *)
Definition ceil_log2 (T L : nat) := (T <= 2 ^ L)%N /\ (2 ^ L < 2 * T)%N.

(* --- the blocks of theta_* ------------------------------------------------------------------------------------------ *)

(* The l-th of L + 1 blocks of k coordinates each. *)
Definition block (L k : nat) (theta : 'cV[R]_(L.+1 * k)) (l : 'I_L.+1) : 'cV[R]_k :=
  \col_i theta (mxvec_index l i) 0.

(* For Gaussian rewards of one variance g, as in PrintedLowerBound: the theorem's condition is
   sqrt (g T) >= 4 d sqrt g.  It is asked of nonzero theta_* only, the text says it of every theta_*. *)
Definition printed_blocks := forall (T L k : nat) (S g : R) (star : 'cV[R]_(L.+1 * k)),
  (0 < T)%N -> (0 < k)%N -> ceil_log2 T L -> 0 < S -> 0 < g -> ball S star -> star <> 0 ->
  4 * (L.+1 * k)%:R * sqrt g <= sqrt (g * T%:R) ->
  forall l, 0 < dot (block star l) (block star l).

(* d = 13, L = 12, T = 4096, theta_* the first unit vector and the last block. *)
Theorem printed_blocks_false : ~ printed_blocks.
Proof.
move=> printed; pose first : 'I_(13 * 1) := mxvec_index ord0 ord0.
pose star : 'cV[R]_(13 * 1) := delta_mx first 0.
have one : dot star star = 1.
  by rewrite /dot trmx_delta mul_delta_mx_cond eqxx mulr1n mxE eqxx.
have inball : ball 1 star by rewrite /ball one expr1n.
have nonzero : star <> 0.
  by move=> e; have := one; rewrite e /dot mulmx0 mxE => /esym/eqP; rewrite oner_eq0.
pose p : R := 2 ^+ 6; have p0 : 0 <= p by rewrite exprn_ge0 // ler0n.
have cond : 4 * (13 * 1)%:R * sqrt 1 <= sqrt (1 * (2 ^ 12)%N%:R).
  rewrite mul1r natrX (_ : 2 ^+ 12 = p ^+ 2); last by rewrite /p -exprM.
  by rewrite sqrt_of_square // sqrt_1 mulr1 /p -natrX -natrM ler_nat.
have pos : (0 < 2 ^ 12)%N by rewrite expn_gt0.
have big : ceil_log2 (2 ^ 12) 12 := conj (leqnn _) (@ltn_Pmull _ 2 isT pos).
have := printed (2 ^ 12)%N 12%N 1%N 1 1 star pos isT big ltr01 ltr01 inball nonzero cond ord_max.
rewrite (_ : block star ord_max = 0); first by rewrite /dot mulmx0 mxE ltxx.
apply/matrixP => i j; rewrite !mxE; case: eqP => // /cast_ord_inj/enum_rank_inj.
by case.
Qed.

(* --- the lower bound for logistic bandits --------------------------------------------------------------------------- *)

(* In every dimension d >= 2 and for every parameter of the ball the hypothesis of thm:lower-bound on d holds from
   some horizon on; of the theorem's two hypotheses only this one is asked. *)
Definition printed_scope := forall (d : nat) (S : R) (star : 'cV[R]_d), (1 < d)%N -> 0 < S -> ball S star ->
  exists T0 : nat, forall T L, (T0 <= T)%N -> (0 < T)%N -> ceil_log2 T L -> (L + 1 <= d)%N.

(* It ends at T = 2^(d-1), in every dimension. *)
Theorem scope_ends d T L : (0 < T)%N -> ceil_log2 T L -> (L + 1 <= d)%N -> (T <= 2 ^ d.-1)%N.
Proof.
by move=> T0 [up _]; rewrite addn1; case: d => // d Ld; apply: leq_trans up _; rewrite leq_exp2l.
Qed.

Theorem printed_scope_false : ~ printed_scope.
Proof.
move=> printed; have inball : ball 1 (0 : 'cV[R]_2) by rewrite /ball /dot mulmx0 mxE expr1n ler01.
have [T0 scope] := printed 2%N 1 0 isT ltr01 inball.
have pos : (0 < 2 ^ T0.+2)%N by rewrite expn_gt0.
have exact : ceil_log2 (2 ^ T0.+2) T0.+2 := conj (leqnn _) (@ltn_Pmull _ 2 isT pos).
have := scope (2 ^ T0.+2)%N T0.+2 (ltnW (ltnW (ltnW (@ltn_expl 2 T0.+2 isT)))) pos exact.
by rewrite addn1.
Qed.
