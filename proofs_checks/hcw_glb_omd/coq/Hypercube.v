(* thm:lower-bound, repaired: Assouad's argument on hypercubes of parameters, one for each bin of rounds.
   Coordinate j belongs to block (block j), round t to bin (bin t) and shows the coordinates of that block alone: the
   natural parameter of arm e in instance s is z0 + w/k (sum of e_j s_j over the block), w = w (bin t).
     value             that parameter
     mean_regret       of a policy whose arms have the law P s in instance s
     hypercube_core    with slopes between a and B near z0 and 4 B w^2 (sum of 1/g over the bin) <= k^2, every policy
                       pays a w / 2 in each round of a bin with k coordinates *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge FiniteProcess Assouad FiniteBandit FamilyDivergence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Blocks.
Variables (n k : nat) (block : 'I_n -> nat) (bin : nat -> nat) (w : nat -> R) (z0 : R).
Implicit Types (e s : signs n) (j : 'I_n) (t l : nat).

Definition value t e s : R := z0 + w (bin t) / k%:R * \sum_(j | block j == bin t) sign (e j) * sign (s j).
Definition block_size l : nat := #|[pred j | block j == l]|.
Definition mean_regret (mu : R -> R) (T : nat) (P : signs n -> T.-tuple (signs n) -> R) s : R :=
  \sum_x P s x * (\sum_(t < T) (mu (value t s s) - mu (value t (tnth x t) s))).

Hypothesis k_gt0 : (0 < k)%N.
Hypothesis block_le : forall l, (block_size l <= k)%N.
Hypothesis w_ge0 : forall l, 0 <= w l.

Lemma sign_mul (b c : bool) : sign b * sign c = 1 - 2 * (b != c)%:R.
Proof. by case: b; case: c; rewrite /sign /=; to_R; lra. Qed.

Let kR : 0 < k%:R :> R. Proof. by rewrite ltr0n. Qed.
Let unit_ge0 l : 0 <= w l / k%:R. Proof. by rewrite divr_ge0 // ltW. Qed.

Let step_ge0 l : 0 <= 2 * (w l / k%:R). Proof. by apply: mulr_ge0; [exact: ler0n | exact: unit_ge0]. Qed.

Lemma block_card l : \sum_(j | block j == l) (1 : R) = (block_size l)%:R.
Proof. by rewrite sumr_const. Qed.

Lemma value_near t e s : z0 - w (bin t) <= value t e s <= z0 + w (bin t).
Proof.
have b : `|\sum_(j | block j == bin t) sign (e j) * sign (s j)| <= k%:R.
  apply: le_trans (ler_norm_sum _ _ _) _; apply: le_trans (_ : (block_size (bin t))%:R <= _); last by rewrite ler_nat.
  rewrite -block_card; apply: ler_sum => j _.
  by rewrite normrM /sign; case: (e j); case: (s j); rewrite ?normrN ?normr1 mulr1.
have c : `|w (bin t) / k%:R * \sum_(j | block j == bin t) sign (e j) * sign (s j)| <= w (bin t).
  rewrite normrM (ger0_norm (unit_ge0 _)); apply: le_trans (ler_wpmul2l (unit_ge0 _) b) _.
  by rewrite divfK // gt_eqF.
by move: c; rewrite /value ler_norml !ler_add2l.
Qed.

(* What the wrong signs of an arm take from its parameter. *)
Lemma value_loss t e s : value t s s - value t e s = \sum_(j | block j == bin t) 2 * (w (bin t) / k%:R) * (e j != s j)%:R.
Proof.
rewrite /value opprD addrACA subrr add0r -mulrBr -sumrB mulr_sumr; apply: eq_bigr => j _.
by rewrite !sign_mul eqxx /=; move: (w _ / _) ((_ != _)%:R : R) => u v; to_R; lra.
Qed.

(* One sign of the instance changed. *)
Lemma value_flip t e s j : (value t e (flip j s) - value t e s) ^+ 2 =
  (block j == bin t)%:R * (4 * (w (bin t) / k%:R) ^+ 2).
Proof.
rewrite /value opprD addrACA subrr add0r -mulrBr -sumrB.
have other i : i != j -> sign (e i) * sign (flip j s i) - sign (e i) * sign (s i) = 0.
  by move=> /negbTE ij; rewrite ffunE ij subrr.
case: (boolP (block j == bin t)) => bj; last first.
  rewrite big1 ?mulr0 ?expr0n ?mul0r // => i bi; apply: other; apply: contraNneq bj => <-; exact: bi.
rewrite (bigD1 j) //= big1 ?addr0 => [|i /andP[_ ij]]; last exact: other.
rewrite ffunE eqxx !sign_mul mul1r; move: (w _ / _) => u.
by case: (e j); case: (s j); rewrite /=; to_R; lra.
Qed.

Variables (m mu : R -> R) (g : nat -> R) (a B : R) (T : nat) (P : signs n -> T.-tuple (signs n) -> R).
Hypothesis a_ge0 : 0 <= a.
Hypothesis g_gt0 : forall t, 0 < g t.
Hypothesis rise : forall l y z, z0 - w l <= y -> y <= z -> z <= z0 + w l -> a * (z - y) <= mu z - mu y.
Hypothesis curve : forall l y z, z0 - w l <= y <= z0 + w l -> z0 - w l <= z <= z0 + w l ->
  m z - m y - mu y * (z - y) <= B * (z - y) ^+ 2 / 2.
Hypothesis law_P : forall s, law_of (P s).
Hypothesis facts : pinsker_and_chain_rule P (fun s s' t e => bregman_over m mu (g t) (value t e s) (value t e s')).
Hypothesis small : forall l, 4 * (w l ^+ 2 * B * \sum_(t < T | bin t == l) (g t)^-1) <= k%:R ^+ 2.

Let sign_cost t j : R := if block j == bin t then a * (2 * (w (bin t) / k%:R)) else 0.
Let sign_cost_ge0 t j : 0 <= sign_cost t j.
Proof. by rewrite /sign_cost; case: ifP => // _; apply: mulr_ge0. Qed.

Lemma gap_of_signs t e s : \sum_j sign_cost t j * (e j != s j)%:R <= mu (value t s s) - mu (value t e s).
Proof.
have loss : \sum_j sign_cost t j * (e j != s j)%:R = a * (value t s s - value t e s).
  rewrite value_loss mulr_sumr [RHS]big_mkcond /=; apply: eq_bigr => j _.
  by rewrite /sign_cost; case: ifP; rewrite ?mul0r ?mulrA.
rewrite loss; case/andP: (value_near t e s) => h1 _; case/andP: (value_near t s s) => _ h2.
apply: (@rise (bin t)) => //; rewrite -subr_ge0 value_loss; apply: sumr_ge0 => j _.
by apply: mulr_ge0; [exact: step_ge0 | exact: ler0n].
Qed.

Lemma flip_close s j (f : T.-tuple (signs n) -> R) : (forall x, 0 <= f x <= 1) ->
  \sum_x P (flip j s) x * f x - \sum_x P s x * f x <= 2^-1.
Proof.
move=> f01; pose kappa t := (block j == bin t)%:R * (2 * B * (w (bin t) / k%:R) ^+ 2 / g t).
have div t e : (t < T)%N -> bregman_over m mu (g t) (value t e (flip j s)) (value t e s) <= kappa t.
  move=> _; have := @curve (bin t) _ _ (value_near t e (flip j s)) (value_near t e s).
  have -> : (value t e s - value t e (flip j s)) ^+ 2 = (value t e (flip j s) - value t e s) ^+ 2.
    by rewrite -sqrrN opprB.
  rewrite value_flip /bregman_over /kappa => h; rewrite [leRHS]mulrA; apply: ler_wpmul2r; first by rewrite invr_ge0 ltW.
  by apply: le_trans h _; move: ((_ == _)%:R : R) ((w _ / _) ^+ 2) => u v; clear; to_R; lra.
have := @facts (flip j s) s f kappa f01 div; set D := _ - _ => sq.
have : \sum_(t < T) kappa t <= 2^-1.
  have -> : \sum_(t < T) kappa t = 2 * B * (w (block j) / k%:R) ^+ 2 * \sum_(t < T | bin t == block j) (g t)^-1.
    rewrite mulr_sumr [RHS]big_mkcond /=; apply: eq_bigr => t _; rewrite /kappa eq_sym.
    by case: eqP => [->|_]; rewrite ?mul1r ?mul0r.
  have [q qE] : {q : R | q = (k%:R)^-1 ^+ 2} by exists ((k%:R)^-1 ^+ 2).
  have q0 : 0 <= q by rewrite qE exprn_ge0 // invr_ge0 ltW.
  have := ler_wpmul2r q0 (small (block j)); rewrite {2}qE -exprMn mulfV ?gt_eqF // expr1n exprMn -qE.
  by move: (\sum_(_ < T | _) _) (w _ ^+ 2) => H u; clear; to_R; lra.
by move=> /(le_trans sq); clear; move: D => D; to_R; nra.
Qed.

Theorem hypercube_core : exists s,
  \sum_(t < T | block_size (bin t) == k) a * w (bin t) / 2 <= mean_regret mu P s.
Proof.
have [s bound] := assouad law_P (fun (t : 'I_T) j => sign_cost_ge0 t j) flip_close.
exists s; apply: le_trans (_ : _ <= (\sum_(t < T) \sum_j sign_cost t j) / 4) _; last first.
  apply: le_trans bound _; apply: mean_le => // x; apply: ler_sum => t _; exact: gap_of_signs.
rewrite mulr_suml big_mkcond /=; apply: ler_sum => t _; case: eqP => [full|_]; last first.
  by rewrite divr_ge0 ?ler0n // sumr_ge0.
have -> : \sum_j sign_cost t j = \sum_(j | block j == bin t) 1 * (a * (2 * (w (bin t) / k%:R))).
  by rewrite [RHS]big_mkcond; apply: eq_bigr => j _; rewrite /sign_cost mul1r.
rewrite -mulr_suml block_card full.
have -> : k%:R * (a * (2 * (w (bin t) / k%:R))) = a * (2 * w (bin t)).
  by rewrite mulrCA; congr (_ * _); rewrite mulrCA; congr (_ * _); rewrite mulrC divfK // gt_eqF.
by move: (w _) => u; to_R; lra.
Qed.
End Blocks.
