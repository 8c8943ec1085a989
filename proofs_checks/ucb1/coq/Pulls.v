(* Pulls and regret of UCB1 along one run: for all arms, rewards and horizons, chance left aside.
     late_pulls      lem:late-pulls: T_i(n) <= l and the pulls after at least l earlier ones
     decomposition   lem:decomposition: the regret is the sum over the arms of gap times pulls
     ucb1_pulls      thm:pulls before the means are taken: T_i(n) <= l and the late pulls before which a mean
                     deviates, for l >= 8 ln n / Delta_i^2 (lem:three-events, lem:third-event) *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* I t is the arm that is pulled after t pulls. *)
Definition pulls (A : eqType) (I : nat -> A) (i : A) (n : nat) : nat := \sum_(t < n) (I t == i).
Definition late (A : eqType) (I : nat -> A) (i : A) (l n : nat) : nat :=
  \sum_(t < n) ((I t == i) && (l <= pulls I i t)%N).

Lemma pulls_next (A : eqType) (I : nat -> A) i n : pulls I i n.+1 = (pulls I i n + (I n == i))%N.
Proof. by rewrite /pulls big_ord_recr. Qed.
Lemma pulls_le (A : eqType) (I : nat -> A) i n : (pulls I i n <= n)%N.
Proof. by elim: n => [|n IH]; [rewrite /pulls big_ord0 | rewrite pulls_next -addn1 leq_add // leq_b1]. Qed.

Theorem late_pulls (A : eqType) (I : nat -> A) (i : A) (l n : nat) : (pulls I i n <= l + late I i l n)%N.
Proof.
elim: n => [|n IH]; first by rewrite /pulls big_ord0.
rewrite pulls_next /late big_ord_recr /= -/(late I i l n) addnA.
case: (I n == i) => /=; last by rewrite !addn0.
case: (leqP l (pulls I i n)) => h /=; first by rewrite leq_add2r.
by rewrite addn0 addn1; apply: leq_trans h (leq_addr _ _).
Qed.

Theorem decomposition (A : finType) (I : nat -> A) (mu : A -> R) (star : R) (n : nat) :
  \sum_(t < n) (star - mu (I t)) = \sum_i (star - mu i) * (pulls I i n)%:R.
Proof.
elim: n => [|n IH].
  by rewrite big_ord0 big1 // => i _; rewrite /pulls big_ord0 mulr0.
rewrite big_ord_recr /= IH.
under [RHS]eq_bigr => i _ do rewrite pulls_next natrD mulrDr.
rewrite big_split /=; congr (_ + _).
rewrite (bigD1 (I n)) //= eqxx mulr1 big1 ?addr0 // => i.
by rewrite eq_sym => /negbTE ->; rewrite mulr0.
Qed.

(* The width of the interval after t pulls, s of them of the arm, and the index of an arm: X j s is the mean of its
   first s rewards. *)
Definition width (t s : nat) : R := sqrt (2 * ln t%:R / s%:R).
Definition index (A : eqType) (X : A -> nat -> R) (I : nat -> A) (t : nat) (j : A) : R :=
  X j (pulls I j t) + width t (pulls I j t).

(* UCB1 pulls an arm for the first time, or all arms were pulled and none has a larger index than the next. *)
Definition ucb1 (A : eqType) (X : A -> nat -> R) (I : nat -> A) (n : nat) := forall t : nat, (t < n)%N ->
  pulls I (I t) t = 0%N \/ forall j, (0 < pulls I j t)%N /\ index X I t j <= index X I t (I t).

(* The mean of the best arm is too low, or that of arm i too high. *)
Definition deviates (A : eqType) (X : A -> nat -> R) (mu : A -> R) (I : nat -> A) (best i : A) (t : nat) : bool :=
  (X best (pulls I best t) <= mu best - width t (pulls I best t)) ||
  (mu i + width t (pulls I i t) <= X i (pulls I i t)).

Lemma quarter (a b c g : R) : a <= b -> 8 * b <= c * g ^+ 2 -> 2 * a <= (g / 2) ^+ 2 * c.
Proof. by mlra. Qed.

Lemma width_small (t n s l : nat) (gap : R) : (0 < t)%N -> (t <= n)%N -> (0 < l)%N -> (l <= s)%N -> 0 < gap ->
  8 * ln n%:R / gap ^+ 2 <= l%:R -> 2 * width t s <= gap.
Proof.
move=> t0 tn l0 ls g0 h; have t1 : 0 < t%:R :> R by rewrite ltr0n.
have ln_tn : ln t%:R <= ln n%:R.
  by apply/RleP; apply: ln_mono; [apply/RltP | apply/RleP; rewrite ler_nat].
have s0 : 0 < s%:R :> R by rewrite ltr0n (leq_trans l0 ls).
have big : 8 * ln n%:R <= s%:R * gap ^+ 2.
  by rewrite -ler_pdivr_mulr ?exprn_gt0 //; apply: le_trans h _; rewrite ler_nat.
have sq : 2 * ln t%:R / s%:R <= (gap / 2) ^+ 2.
  by rewrite ler_pdivr_mulr //; apply: quarter ln_tn big.
have w : width t s <= gap / 2.
  have half : Rle 0 (gap / 2) by move: g0; clear; mlra.
  by apply/RleP; rewrite -(sqrt_square _ half); apply: sqrt_le_1_alt; apply: le_R sq.
by move: w; generalize (width t s) => x; mlra.
Qed.

Theorem ucb1_pulls (A : eqType) (X : A -> nat -> R) (mu : A -> R) (I : nat -> A) (best i : A) (l n : nat) :
  ucb1 X I n -> mu i < mu best -> (0 < l)%N -> 8 * ln n%:R / (mu best - mu i) ^+ 2 <= l%:R ->
  (pulls I i n <= l + \sum_(t < n)
     [&& I t == i, l <= pulls I i t, 0 < pulls I best t & deviates X mu I best i t])%N.
Proof.
move=> greedy gap l0 enough; apply: leq_trans (late_pulls I i l n) _; rewrite leq_add2l.
apply: leq_sum => t _; case: eqP => [It|] //=; case: (leqP l (pulls I i t)) => //= lt.
have s0 : (0 < pulls I i t)%N by apply: leq_trans l0 lt.
have t0 : (0 < t)%N by apply: leq_trans s0 (pulls_le _ _ _).
case: (greedy t (ltn_ord t)) => [|/(_ best) [b0]]; first by rewrite It => z; rewrite z in s0.
rewrite It /index b0 /= => le; suff -> : deviates X mu I best i t by [].
have g0 : 0 < mu best - mu i by rewrite subr_gt0.
have small := width_small t0 (ltnW (ltn_ord t)) l0 lt g0 enough.
apply/negPn/negP; rewrite /deviates negb_or -!ltNge => /andP [b1 b2].
move: le small b1 b2; generalize (width t (pulls I i t)) (width t (pulls I best t)).
by generalize (X best (pulls I best t)) (X i (pulls I i t)); clear; mlra.
Qed.
