(* thm:lower-bound, repaired: Assouad's argument on a hypercube of parameters that each round shows at its own scale.
   The natural parameter of arm e in round t of instance s is z0 + w_t/n (sum of e_j s_j), for sign vectors e and s.
     value             that parameter
     mean_regret       of a policy whose arms have the law P s in instance s
     hypercube_core    with slopes between a and B near z0 and 4 B (sum of w_t^2/g_t) <= n^2, every policy pays
                       a w_t / 2 in round t, summed over the rounds *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge FiniteProcess Assouad FiniteBandit FamilyDivergence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Cube.
Variables (n : nat) (w : nat -> R) (z0 : R).
Implicit Types (e s : signs n) (j : 'I_n) (t : nat).

Definition value t e s : R := z0 + w t / n%:R * \sum_j sign (e j) * sign (s j).
Definition mean_regret (mu : R -> R) (T : nat) (P : signs n -> T.-tuple (signs n) -> R) s : R :=
  \sum_x P s x * (\sum_(t < T) (mu (value t s s) - mu (value t (tnth x t) s))).

Hypothesis n_gt0 : (0 < n)%N.
Hypothesis w_ge0 : forall t, 0 <= w t.

Lemma sign_mul (b c : bool) : sign b * sign c = 1 - 2 * (b != c)%:R.
Proof. by case: b; case: c; rewrite /sign /=; to_R; lra. Qed.

Let nR : 0 < n%:R :> R. Proof. by rewrite ltr0n. Qed.
Let unit_ge0 t : 0 <= w t / n%:R. Proof. by rewrite divr_ge0 // ltW. Qed.
Let step_ge0 t : 0 <= 2 * (w t / n%:R). Proof. by apply: mulr_ge0; [exact: ler0n | exact: unit_ge0]. Qed.

Lemma value_near t e s : z0 - w t <= value t e s <= z0 + w t.
Proof.
have b : `|\sum_j sign (e j) * sign (s j)| <= n%:R.
  have -> : n%:R = \sum_(j < n) 1 :> R by rewrite sumr_const card_ord.
  apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => j _.
  by rewrite normrM /sign; case: (e j); case: (s j); rewrite ?normrN ?normr1 mulr1.
have c : `|w t / n%:R * \sum_j sign (e j) * sign (s j)| <= w t.
  rewrite normrM (ger0_norm (unit_ge0 _)); apply: le_trans (ler_wpmul2l (unit_ge0 _) b) _.
  by rewrite divfK // gt_eqF.
by move: c; rewrite /value ler_norml !ler_add2l.
Qed.

(* What the wrong signs of an arm take from its parameter. *)
Lemma value_loss t e s : value t s s - value t e s = \sum_j 2 * (w t / n%:R) * (e j != s j)%:R.
Proof.
rewrite /value opprD addrACA subrr add0r -mulrBr -sumrB mulr_sumr; apply: eq_bigr => j _.
by rewrite !sign_mul eqxx /=; move: (w _ / _) ((_ != _)%:R : R) => u v; to_R; lra.
Qed.

(* One sign of the instance changed. *)
Lemma value_flip t e s j : (value t e (flip j s) - value t e s) ^+ 2 = 4 * (w t / n%:R) ^+ 2.
Proof.
rewrite /value opprD addrACA subrr add0r -mulrBr -sumrB.
rewrite (bigD1 j) //= big1 ?addr0 => [|i /negbTE ij]; last by rewrite ffunE ij subrr.
rewrite ffunE eqxx !sign_mul; move: (w _ / _) => u.
by case: (e j); case: (s j); rewrite /=; to_R; lra.
Qed.

Variables (m mu : R -> R) (g : nat -> R) (a B : R) (T : nat) (P : signs n -> T.-tuple (signs n) -> R).
Hypothesis a_ge0 : 0 <= a.
Hypothesis g_gt0 : forall t, 0 < g t.
Hypothesis rise : forall t y z, z0 - w t <= y -> y <= z -> z <= z0 + w t -> a * (z - y) <= mu z - mu y.
Hypothesis curve : forall t y z, z0 - w t <= y <= z0 + w t -> z0 - w t <= z <= z0 + w t ->
  m z - m y - mu y * (z - y) <= B * (z - y) ^+ 2 / 2.
Hypothesis law_P : forall s, law_of (P s).
Hypothesis facts : pinsker_and_chain_rule P (fun s s' t e => bregman_over m mu (g t) (value t e s) (value t e s')).
Hypothesis small : 4 * (B * \sum_(t < T) w t ^+ 2 / g t) <= n%:R ^+ 2.

Let sign_cost t : R := a * (2 * (w t / n%:R)).
Let sign_cost_ge0 t : 0 <= sign_cost t. Proof. exact: mulr_ge0. Qed.

Lemma gap_of_signs t e s : \sum_j sign_cost t * (e j != s j)%:R <= mu (value t s s) - mu (value t e s).
Proof.
have loss : \sum_j sign_cost t * (e j != s j)%:R = a * (value t s s - value t e s).
  by rewrite value_loss mulr_sumr; apply: eq_bigr => j _; rewrite /sign_cost !mulrA.
rewrite loss; case/andP: (value_near t e s) => h1 _; case/andP: (value_near t s s) => _ h2.
apply: (@rise t) => //; rewrite -subr_ge0 value_loss; apply: sumr_ge0 => j _.
by apply: mulr_ge0; [exact: step_ge0 | exact: ler0n].
Qed.

Lemma flip_close s j (f : T.-tuple (signs n) -> R) : (forall x, 0 <= f x <= 1) ->
  \sum_x P (flip j s) x * f x - \sum_x P s x * f x <= 2^-1.
Proof.
move=> f01; pose kappa t := 2 * B * (w t / n%:R) ^+ 2 / g t.
have div t e : (t < T)%N -> bregman_over m mu (g t) (value t e (flip j s)) (value t e s) <= kappa t.
  move=> _; have := @curve t _ _ (value_near t e (flip j s)) (value_near t e s).
  have -> : (value t e s - value t e (flip j s)) ^+ 2 = (value t e (flip j s) - value t e s) ^+ 2.
    by rewrite -sqrrN opprB.
  rewrite value_flip /bregman_over /kappa => h; apply: ler_wpmul2r; first by rewrite invr_ge0 ltW.
  by apply: le_trans h _; move: ((w _ / _) ^+ 2) => v; clear; to_R; lra.
have := @facts (flip j s) s f kappa f01 div; set D := _ - _ => sq.
have : \sum_(t < T) kappa t <= 2^-1.
  have [q qE] : {q : R | q = (n%:R)^-1 ^+ 2} by exists ((n%:R)^-1 ^+ 2).
  have q0 : 0 <= q by rewrite qE exprn_ge0 // invr_ge0 ltW.
  have -> : \sum_(t < T) kappa t = 2 * B * (\sum_(t < T) w t ^+ 2 / g t) * q.
    rewrite mulr_sumr mulr_suml; apply: eq_bigr => t _; rewrite /kappa exprMn -qE.
    by move: (w t ^+ 2) (g t)^-1 => u v; to_R; lra.
  have := ler_wpmul2r q0 small; rewrite {2}qE -exprMn mulfV ?gt_eqF // expr1n.
  by move: (\sum_(_ < T) _) => H; clear; to_R; lra.
by move=> /(le_trans sq); clear; move: D => D; to_R; nra.
Qed.

Theorem hypercube_core : exists s, \sum_(t < T) a * w t / 2 <= mean_regret mu P s.
Proof.
have [s bound] := assouad law_P (fun (t : 'I_T) (j : 'I_n) => sign_cost_ge0 t) flip_close.
exists s; apply: le_trans (_ : _ <= (\sum_(t < T) \sum_(j < n) sign_cost t) / 4) _; last first.
  apply: le_trans bound _; apply: mean_le => // x; apply: ler_sum => t _; exact: gap_of_signs.
rewrite mulr_suml; apply: ler_sum => t _.
rewrite sumr_const card_ord -[_ *+ n]mulr_natl.
have -> : n%:R * sign_cost t = a * (2 * w t).
  by rewrite /sign_cost mulrCA; congr (_ * _); rewrite mulrCA; congr (_ * _); rewrite mulrC divfK // gt_eqF.
by move: (w _) => u; to_R; lra.
Qed.
End Cube.
