(* Laws on sets of any size, by the means of bounded functions; processes whose rounds have such laws.
     is_mean E           E is linear, monotone and 1 at 1, on bounded functions
     expect K f t h      the mean of f after t more rounds, from the history h; K h is the mean over the next move
     expect_supermartingale   what does not grow in mean in a round stays below its first value in mean
   Functions of a history are tame: bounded over the histories of each length. *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge FiniteProcess.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Mean.
Variable Y : Type.
Implicit Types (E : (Y -> R) -> R) (f g : Y -> R).

Definition bounded f := exists B : R, forall y, `|f y| <= B.
Record is_mean E : Prop := IsMean {
  mean_add : forall f g, bounded f -> bounded g -> E (fun y => f y + g y) = E f + E g;
  mean_scale : forall c f, bounded f -> E (fun y => c * f y) = c * E f;
  mean_ge0 : forall f, bounded f -> (forall y, 0 <= f y) -> 0 <= E f;
  mean_one : E (fun=> 1) = 1 }.

Lemma bounded_cst (c : R) : bounded (fun=> c). Proof. by exists `|c|. Qed.
Lemma bounded_add f g : bounded f -> bounded g -> bounded (fun y => f y + g y).
Proof. by move=> [B b] [B' b']; exists (B + B') => y; apply: le_trans (ler_norm_add _ _) (ler_add _ _). Qed.
Lemma bounded_scale c f : bounded f -> bounded (fun y => c * f y).
Proof. by move=> [B b]; exists (`|c| * B) => y; rewrite normrM ler_wpmul2l. Qed.

Variable E : (Y -> R) -> R.
Hypothesis law_E : is_mean E.

Lemma mean_cst c : E (fun=> c) = c.
Proof.
have -> : (fun=> c) = (fun y : Y => c * (fun=> 1) y) by apply/funext => y; rewrite mulr1.
by rewrite (mean_scale law_E) ?(mean_one law_E) ?mulr1 //; exact: bounded_cst.
Qed.

Lemma mean_le f g : bounded f -> bounded g -> (forall y, f y <= g y) -> E f <= E g.
Proof.
move=> bf bg fg; have bd : bounded (fun y => g y + -1 * f y) by apply: bounded_add => //; exact: bounded_scale.
have := mean_ge0 law_E bd; rewrite (mean_add law_E) ?(mean_scale law_E) //; last exact: bounded_scale.
by rewrite mulN1r subr_ge0; apply=> y; rewrite mulN1r subr_ge0.
Qed.

Lemma mean_bound f B : (forall y, `|f y| <= B) -> `|E f| <= B.
Proof.
move=> b; have bf : bounded f by exists B.
rewrite ler_norml -(mean_cst B) -(mean_cst (- E _)) (mean_cst B) mean_cst.
apply/andP; split; [rewrite -(mean_cst (- B)) | rewrite -(mean_cst B)];
  apply: mean_le => //; try exact: bounded_cst; by move=> y; have := b y; rewrite ler_norml => /andP[].
Qed.
End Mean.

(* --- making means -------------------------------------------------------------------------------------------------- *)

Lemma bounded_comp (X Y : Type) (u : X -> Y) (f : Y -> R) : bounded f -> bounded (fun x => f (u x)).
Proof. by move=> [B b]; exists B. Qed.

Lemma point_is_mean (X Y : Type) (E : (X -> R) -> R) (u : X -> Y) : is_mean E -> is_mean (fun f => E (fun x => f (u x))).
Proof.
move=> law; split=> [f g bf bg|c f bf|f bf f0|]; last exact: (mean_one law).
- by apply: (mean_add law); exact: bounded_comp.
- by apply: (mean_scale law); exact: bounded_comp.
- by apply: (mean_ge0 law) => //; exact: bounded_comp.
Qed.

Lemma bounded_mean (X Y : Type) (k : X -> (Y -> R) -> R) (f : X -> Y -> R) (B : R) : (forall x, is_mean (k x)) ->
  (forall x y, `|f x y| <= B) -> bounded (fun x => k x (f x)).
Proof. by move=> lk b; exists B => x; apply: mean_bound. Qed.

Lemma comp_is_mean (X Y : Type) (E : (X -> R) -> R) (k : X -> (Y -> R) -> R) : is_mean E -> (forall x, is_mean (k x)) ->
  is_mean (fun f => E (fun x => k x f)).
Proof.
move=> law lk; have bk f : bounded f -> bounded (fun x => k x f) by move=> [B b]; apply: (bounded_mean lk) => _.
split=> [f g bf bg|c f bf|f bf f0|].
- rewrite /= -(mean_add law); try exact: bk.
  by congr E; apply/funext => x; rewrite (mean_add (lk x)).
- rewrite /= -(mean_scale law); last exact: bk.
  by congr E; apply/funext => x; rewrite (mean_scale (lk x)).
- by apply: (mean_ge0 law); [exact: bk | move=> x; apply: (mean_ge0 (lk x))].
rewrite (_ : (fun x => _) = fun=> 1); first exact: (mean_one law).
by apply/funext => x; exact: (mean_one (lk x)).
Qed.

Lemma mix_is_mean (A : finType) (X : Type) (p : A -> R) (E : A -> (X -> R) -> R) : law_of p -> (forall a, is_mean (E a)) ->
  is_mean (fun f => \sum_a p a * E a f).
Proof.
move=> [p0 p1] lE; split=> [f g bf bg|c f bf|f bf f0|].
- by rewrite -big_split; apply: eq_bigr => a _; rewrite (mean_add (lE a)) // mulrDr.
- by rewrite mulr_sumr; apply: eq_bigr => a _; rewrite (mean_scale (lE a)) // mulrCA.
- by apply: sumr_ge0 => a _; rewrite mulr_ge0 // (mean_ge0 (lE a)).
by rewrite -[RHS]p1; apply: eq_bigr => a _; rewrite (mean_one (lE a)) mulr1.
Qed.

(* --- processes ------------------------------------------------------------------------------------------------------ *)

Section Process.
Variable M : Type.
Implicit Types (f g : seq M -> R) (h : seq M) (K : seq M -> (M -> R) -> R).

Fixpoint expect K f t h : R := if t is t'.+1 then K h (fun m => expect K f t' (rcons h m)) else f h.
Definition tame f := exists B : nat -> R, forall h, `|f h| <= B (size h).

Lemma tame_cst c : tame (fun=> c). Proof. by exists (fun=> `|c|). Qed.
Lemma tame_bounded f B : (forall h, `|f h| <= B) -> tame f. Proof. by move=> b; exists (fun=> B). Qed.
Lemma tame_add f g : tame f -> tame g -> tame (fun h => f h + g h).
Proof. by move=> [B b] [B' b']; exists (fun n => B n + B' n) => h; apply: le_trans (ler_norm_add _ _) (ler_add _ _). Qed.
Lemma tame_scale c f : tame f -> tame (fun h => c * f h).
Proof. by move=> [B b]; exists (fun n => `|c| * B n) => h; rewrite normrM ler_wpmul2l. Qed.
Lemma tame_sum (I : Type) (J : seq I) (F : I -> seq M -> R) : (forall i, tame (F i)) ->
  tame (fun h => \sum_(i <- J) F i h).
Proof.
move=> tF; elim: J => [|i J IH].
  by rewrite (_ : (fun h => _) = fun=> 0); [exact: tame_cst | apply/funext => h; rewrite big_nil].
rewrite (_ : (fun h => _) = fun h => F i h + \sum_(i <- J) F i h); first exact: tame_add.
by apply/funext => h; rewrite big_cons.
Qed.
Lemma tame_next f h : tame f -> bounded (fun m => f (rcons h m)).
Proof. by move=> [B b]; exists (B (size h).+1) => m; have := b (rcons h m); rewrite size_rcons. Qed.

Variable K : seq M -> (M -> R) -> R.
Hypothesis law_K : forall h, is_mean (K h).

Lemma expect_tame f t : tame f -> tame (expect K f t).
Proof.
move=> [B b]; exists (fun n => B (n + t)%N); elim: t => [|t IH] h /=; first by rewrite addn0.
by apply: mean_bound => // m; have := IH (rcons h m); rewrite size_rcons addSnnS.
Qed.

Lemma expect_next f t h : tame f -> bounded (fun m => expect K f t (rcons h m)).
Proof. by move=> tf; apply: tame_next; exact: expect_tame. Qed.

Lemma expect_add f g t h : tame f -> tame g -> expect K (fun h => f h + g h) t h = expect K f t h + expect K g t h.
Proof.
move=> tf tg; elim: t h => //= t IH h; rewrite -(mean_add (law_K h)); try exact: expect_next.
by congr K; apply/funext => m; exact: IH.
Qed.

Lemma expect_scale c f t h : tame f -> expect K (fun h => c * f h) t h = c * expect K f t h.
Proof.
move=> tf; elim: t h => //= t IH h; rewrite -(mean_scale (law_K h)); try exact: expect_next.
by congr K; apply/funext => m; exact: IH.
Qed.

Lemma expect_cst c t h : expect K (fun=> c) t h = c.
Proof.
elim: t h => //= t IH h; rewrite -[RHS](mean_cst (law_K h)).
by congr K; apply/funext => m; exact: IH.
Qed.

Lemma expect_sum (I : Type) (J : seq I) (F : I -> seq M -> R) t h : (forall i, tame (F i)) ->
  expect K (fun h => \sum_(i <- J) F i h) t h = \sum_(i <- J) expect K (F i) t h.
Proof.
move=> tF; elim: J => [|i J IH].
  by rewrite big_nil -[RHS](expect_cst 0 t h); congr expect; apply/funext => h'; rewrite big_nil.
rewrite big_cons -IH -expect_add //; last exact: tame_sum.
by congr expect; apply/funext => h'; rewrite big_cons.
Qed.

Lemma expect_le f g t h : tame f -> tame g -> (forall h', size h' = (t + size h)%N -> f h' <= g h') ->
  expect K f t h <= expect K g t h.
Proof.
move=> tf tg; elim: t h => [|t IH] h fg /=; first exact: fg.
apply: mean_le; [exact: law_K | exact: expect_next | exact: expect_next | move=> m].
by apply: IH => h' e; apply: fg; rewrite e size_rcons addSnnS.
Qed.

Lemma expect_ge0 f t h : tame f -> (forall h', 0 <= f h') -> 0 <= expect K f t h.
Proof. by move=> tf f0; rewrite -(expect_cst 0 t h); apply: expect_le => //; exact: tame_cst. Qed.

(* Means that agree on bounded functions. *)
Lemma eq_expect_mean K' f t h : tame f -> (forall h F, bounded F -> K' h F = K h F) -> expect K' f t h = expect K f t h.
Proof.
move=> tf same; elim: t h => //= t IH h; rewrite -same; last exact: expect_next.
by congr K'; apply/funext => m; exact: IH.
Qed.

Lemma expect_supermartingale f t h : tame f ->
  (forall h', K h' (fun m => f (rcons h' m)) <= f h') -> expect K f t h <= f h.
Proof.
move=> tf fair; elim: t h => //= t IH h; apply: le_trans (fair h).
by apply: mean_le => [||| m]; [exact: law_K | exact: expect_next | exact: tame_next | exact: IH].
Qed.

Lemma expect_grows f s t h : tame f -> (forall h' m, f h' <= f (rcons h' m)) -> (s <= t)%N ->
  expect K f s h <= expect K f t h.
Proof.
move=> tf up st; rewrite -(subnKC st) addnC; elim: (t - s)%N => [|r IH] //; apply: le_trans IH _.
rewrite addSn; elim: (r + s)%N h => [|n IH] h /=.
  rewrite -[leLHS](mean_cst (law_K h)); apply: mean_le => //; [exact: bounded_cst | exact: tame_next].
by apply: mean_le => [||| m]; [exact: law_K | exact: expect_next | exact: (@expect_next _ n.+1) | exact: IH].
Qed.
End Process.
