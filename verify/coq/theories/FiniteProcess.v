(* Random processes with finitely many outcomes a round, by their kernels.  A history is the sequence of moves so
   far; `p h` is the law of the next move given the history h, so that players may be adaptive and randomised.
     law_of              a mass function: nonnegative, of sum 1
     expect p f t h      the mean of f after t more rounds, starting from h
     expect_supermartingale   what does not grow in mean in a round stays below its first value in mean
     expect_dominated    a kernel with more mass wherever f still counts has the larger mean of f *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Definition law_of (X : finType) (p : X -> R) := (forall x, 0 <= p x) /\ \sum_x p x = 1.

(* Means under a mass function. *)
Section Mean.
Variables (X : finType) (p : X -> R).
Hypothesis law_p : law_of p.

Lemma mean_cst c : \sum_x p x * c = c.
Proof. by rewrite -mulr_suml; case: law_p => _ ->; rewrite mul1r. Qed.

Lemma mean_le f g : (forall x, f x <= g x) -> \sum_x p x * f x <= \sum_x p x * g x.
Proof. by move=> fg; apply: ler_sum => x _; apply: ler_wpmul2l; [case: law_p | apply: fg]. Qed.
End Mean.

Lemma point_law (X : finType) (x : X) : law_of (fun y => (y == x)%:R).
Proof.
split=> [y|]; first exact: ler0n.
by rewrite (bigD1 x) //= eqxx big1 ?addr0 // => y /negbTE ->.
Qed.

Lemma point_mean (X : finType) (x : X) (f : X -> R) : \sum_y (y == x)%:R * f y = f x.
Proof. by rewrite (bigD1 x) //= eqxx mul1r big1 ?addr0 // => y /negbTE ->; rewrite mul0r. Qed.

Lemma sum_pair (A B : finType) (F : A * B -> R) : \sum_z F z = \sum_a \sum_b F (a, b).
Proof. by rewrite pair_bigA; apply: eq_bigr => -[]. Qed.

(* Some term is at least the average. *)
Lemma some_above_average (X : finType) (f : X -> R) (v : R) : (0 < #|X|)%N -> #|X|%:R * v <= \sum_x f x ->
  exists x, v <= f x.
Proof.
move=> X0 total; apply/existsP; apply: contraT; rewrite negb_exists => /forallP no.
have [x0 _] := card_gt0P X0.
have : \sum_x f x < \sum_(x : X) v.
  rewrite (bigD1 x0) //= [X in _ < X](bigD1 x0) //=.
  apply: ltr_le_add; first by rewrite ltNge.
  by apply: ler_sum => x _; rewrite ltW // ltNge.
by rewrite sumr_const -mulr_natl ltNge total.
Qed.

Section Process.
Variable M : finType.
Implicit Types (p q : seq M -> M -> R) (f g : seq M -> R) (h : seq M).

Fixpoint expect p f t h : R := if t is t'.+1 then \sum_m p h m * expect p f t' (rcons h m) else f h.

Lemma expect_add p f g t h : expect p (fun h => f h + g h) t h = expect p f t h + expect p g t h.
Proof. by elim: t h => //= t IH h; rewrite -big_split; apply: eq_bigr => m _; rewrite IH mulrDr. Qed.

Lemma expect_scale p f c t h : expect p (fun h => c * f h) t h = c * expect p f t h.
Proof. by elim: t h => //= t IH h; rewrite mulr_sumr; apply: eq_bigr => m _; rewrite IH mulrCA. Qed.

Lemma expect_sub p f g t h : expect p (fun h => f h - g h) t h = expect p f t h - expect p g t h.
Proof. by elim: t h => //= t IH h; rewrite -sumrB; apply: eq_bigr => m _; rewrite IH mulrBr. Qed.

Lemma expect_sum p (I : Type) (r : seq I) (P : pred I) (F : I -> seq M -> R) t h :
  expect p (fun h => \sum_(i <- r | P i) F i h) t h = \sum_(i <- r | P i) expect p (F i) t h.
Proof.
elim: t h => //= t IH h; rewrite exchange_big; apply: eq_bigr => m _.
by rewrite IH mulr_sumr.
Qed.

Lemma eq_expect p f g t h : (forall h', size h' = (t + size h)%N -> f h' = g h') -> expect p f t h = expect p g t h.
Proof.
elim: t h => [|t IH] h fg /=; first exact: fg.
by apply: eq_bigr => m _; rewrite IH // => h' e; apply: fg; rewrite e size_rcons addSnnS.
Qed.

Lemma expect_split p f s t h : expect p f (s + t) h = expect p (expect p f t) s h.
Proof. by elim: s h => //= s IH h; apply: eq_bigr => m _; rewrite IH. Qed.

Section Law.
Variable p : seq M -> M -> R.
Hypothesis law_p : forall h, law_of (p h).

Lemma expect_le f g t h : (forall h', size h' = (t + size h)%N -> f h' <= g h') -> expect p f t h <= expect p g t h.
Proof.
elim: t h => [|t IH] h fg /=; first exact: fg.
apply: mean_le => [|m]; first exact: law_p.
by apply: IH => h' e; apply: fg; rewrite e size_rcons addSnnS.
Qed.

Lemma expect_cst c t h : expect p (fun=> c) t h = c.
Proof. by elim: t h => //= t IH h; under eq_bigr do rewrite IH; apply: mean_cst. Qed.

Lemma expect_ge0 f t h : (forall h', size h' = (t + size h)%N -> 0 <= f h') -> 0 <= expect p f t h.
Proof. by move=> f0; rewrite -(expect_cst 0 t h); apply: expect_le. Qed.

Lemma expect_supermartingale f t h :
  (forall h', \sum_m p h' m * f (rcons h' m) <= f h') -> expect p f t h <= f h.
Proof.
move=> fair; elim: t h => //= t IH h; apply: le_trans (fair h).
by apply: mean_le => [|m]; [exact: law_p | exact: IH].
Qed.

(* What never shrinks along a history has a mean that never shrinks. *)
Lemma expect_grows f s t h : (forall h' m, f h' <= f (rcons h' m)) -> (s <= t)%N -> expect p f s h <= expect p f t h.
Proof.
move=> up st; rewrite -(subnKC st) expect_split; apply: expect_le => h' _.
elim: (t - s)%N h' => // r IH h'; apply: le_trans (IH h') _.
elim: r {IH} h' => [|r IH] h' /=; last by apply: mean_le => [|m]; [exact: law_p | exact: IH].
by rewrite -[f h'](mean_cst (law_p h')); apply: mean_le => [|m]; [exact: law_p | exact: up].
Qed.
End Law.

Lemma expect_dominated p q (alive : pred (seq M)) f t h :
  (forall h' m, 0 <= p h' m) -> (forall h' m, 0 <= q h' m) -> (forall h', 0 <= f h') -> (forall h', ~~ alive h' -> f h' = 0) ->
  (forall h' m, ~~ alive h' -> ~~ alive (rcons h' m)) ->
  (forall h' m, alive (rcons h' m) -> p h' m <= q h' m) -> expect p f t h <= expect q f t h.
Proof.
move=> p0 q0 f0 dead stay pq; elim: t h => //= t IH h; apply: ler_sum => m _.
have fq h' : 0 <= expect q f t h'.
  by elim: t {IH} h' => //= t IH h'; apply: sumr_ge0 => m' _; rewrite mulr_ge0.
case: (boolP (alive (rcons h m))) => a; last first.
  suff -> : expect p f t (rcons h m) = 0 by rewrite mulr0 mulr_ge0.
  elim: t (rcons h m) a {IH fq} => [|t IH] h' a /=; first exact: dead.
  by rewrite big1 // => m' _; rewrite IH ?mulr0 // stay.
apply: le_trans (ler_wpmul2l (p0 _ _) (IH _)) _.
by rewrite ler_wpmul2r ?pq.
Qed.
End Process.
