(* Assouad's argument for bandits on a hypercube: the instances are sign vectors, the arms too, and P s is the law of
   the T arms that a policy pulls in instance s.
     flip          one sign changed
     assouad       if changing one sign moves the law of the arms by at most 1/2 in total variation, then in some
                   instance the policy pays a quarter of what it would pay with every sign wrong *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge FiniteProcess.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Definition signs (n : nat) := {ffun 'I_n -> bool}.
Definition flip n (k : 'I_n) (s : signs n) : signs n := [ffun j => if j == k then ~~ s j else s j].
Definition sign (b : bool) : R := if b then 1 else -1.

Lemma flipK n (k : 'I_n) : involutive (flip k).
Proof. by move=> s; apply/ffunP => j; rewrite !ffunE; case: (j == k); rewrite // negbK. Qed.

Section Assouad.
Variables (n T : nat) (P : signs n -> T.-tuple (signs n) -> R) (c : 'I_T -> 'I_n -> R).
Hypothesis law_P : forall s, law_of (P s).
Hypothesis c_ge0 : forall t k, 0 <= c t k.
Hypothesis close : forall s k (f : T.-tuple (signs n) -> R), (forall x, 0 <= f x <= 1) ->
  \sum_x P (flip k s) x * f x - \sum_x P s x * f x <= 2^-1.

(* What the wrong signs of coordinate k cost when x_1, ..., x_T are pulled in instance s. *)
Definition sign_cost k (s : signs n) (x : T.-tuple (signs n)) : R := \sum_(t < T) c t k * (tnth x t k != s k)%:R.
Let all_wrong k : R := \sum_(t < T) c t k.

Let sign_cost_bounds k s x : 0 <= sign_cost k s x <= all_wrong k.
Proof.
rewrite sumr_ge0 => [|t _]; last by rewrite mulr_ge0 ?ler0n.
by apply: ler_sum => t _; rewrite -[X in _ <= X]mulr1 ler_wpmul2l //; case: (_ != _); rewrite ?ler01.
Qed.

Let sign_cost_flip k s x : sign_cost k (flip k s) x = all_wrong k - sign_cost k s x.
Proof.
rewrite -sumrB; apply: eq_bigr => t _; rewrite ffunE eqxx.
by case: (tnth x t k); case: (s k); rewrite /= ?mulr1 ?mulr0 ?subrr ?subr0.
Qed.

Let mean_cost k s : R := \sum_x P s x * sign_cost k s x.

Let pair_cost k s : all_wrong k / 2 <= mean_cost k s + mean_cost k (flip k s).
Proof.
have e : mean_cost k (flip k s) = all_wrong k - \sum_x P (flip k s) x * sign_cost k s x.
  rewrite /mean_cost -{1}(mean_cst (law_P (flip k s)) (all_wrong k)) -sumrB.
  by apply: eq_bigr => x _; rewrite sign_cost_flip mulrBr.
have w0 : 0 <= all_wrong k by apply: sumr_ge0.
have near : \sum_x P (flip k s) x * sign_cost k s x - mean_cost k s <= all_wrong k / 2.
  move: w0; rewrite le_eqVlt => /orP[/eqP w0|w0].
    have zero x : sign_cost k s x = 0.
      by apply/eqP; rewrite eq_le; have := sign_cost_bounds k s x; rewrite -w0 andbC.
    by rewrite /mean_cost !big1 ?subrr -?w0 ?mul0r // => x _; rewrite zero mulr0.
  pose f x := sign_cost k s x / all_wrong k.
  have f01 x : 0 <= f x <= 1.
    case/andP: (sign_cost_bounds k s x) => a b.
    by rewrite divr_ge0 ?(ltW w0) //= ler_pdivr_mulr // mul1r.
  have fE x : sign_cost k s x = f x * all_wrong k by rewrite divfK // gt_eqF.
  rewrite /mean_cost; under eq_bigr do rewrite fE mulrA.
  under [X in _ - X]eq_bigr do rewrite fE mulrA.
  rewrite -!mulr_suml -mulrBl mulrC; apply: ler_wpmul2l; [exact: ltW | exact: close].
rewrite e; move: near; generalize (mean_cost k s) (\sum_x P (flip k s) x * sign_cost k s x) => u v.
by move: (all_wrong k) => w; clear; to_R; lra.
Qed.

Let total_cost k : #|signs n|%:R * (all_wrong k / 4) <= \sum_s mean_cost k s.
Proof.
have twice : \sum_s mean_cost k s = (\sum_s (mean_cost k s + mean_cost k (flip k s))) / 2.
  have e : \sum_s mean_cost k (flip k s) = \sum_s mean_cost k s.
    by rewrite [RHS](reindex_inj (can_inj (flipK k))).
  by rewrite big_split /= e; move: (\sum_s mean_cost k s) => u; clear; to_R; lra.
have : \sum_(s : signs n) all_wrong k / 2 <= \sum_s (mean_cost k s + mean_cost k (flip k s)).
  by apply: ler_sum => s _; apply: pair_cost.
rewrite twice sumr_const -[_ *+ #|_|]mulr_natl.
move: (\sum_s _) (#|_|%:R : R) (all_wrong k) => u v w; clear; to_R; lra.
Qed.

Theorem assouad : exists s, (\sum_(t < T) \sum_k c t k) / 4 <=
  \sum_x P s x * (\sum_(t < T) \sum_k c t k * (tnth x t k != s k)%:R).
Proof.
have swap s : \sum_x P s x * (\sum_(t < T) \sum_k c t k * (tnth x t k != s k)%:R) = \sum_k mean_cost k s.
  rewrite /mean_cost exchange_big /=; apply: eq_bigr => x _; rewrite -mulr_sumr; congr (_ * _).
  exact: exchange_big.
have [||s h] := @some_above_average _ (fun s => \sum_k mean_cost k s) ((\sum_(t < T) \sum_k c t k) / 4).
- by rewrite card_ffun card_bool expn_gt0.
- apply: le_trans (_ : \sum_k #|signs n|%:R * (all_wrong k / 4) <= _); last first.
    by rewrite [leRHS]exchange_big; apply: ler_sum => k _; apply: total_cost.
  by rewrite -mulr_sumr -mulr_suml [X in _ <= _ * (X / _)]exchange_big.
by exists s; rewrite swap.
Qed.
End Assouad.
