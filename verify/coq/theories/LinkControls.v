(* Near mutants of the Taylor bounds of SelfConcordance.v, each denied.
     bregman_smaller_false   lemma:self-concordance/eq2 with 3/2 for 2
     remainder_third_false   the remainder of mu, divided by 3 and not by 2 *)
From Coq Require Import Reals Lra Psatz.
From Glbcheck Require Import Scalar SelfConcordance.
Local Open Scope R_scope.

Definition bregman_smaller := forall (m mu dmu ddmu : R -> R) (Rs lo hi : R), smooth m mu dmu ddmu ->
  concordant dmu ddmu Rs lo hi -> 0 <= Rs -> forall b c : R, lo <= b <= hi -> lo <= c <= hi ->
  dmu b * (c - b) ^ 2 <= (3 / 2 + Rs * Rabs (c - b)) * (m c - m b - mu b * (c - b)).

(* The linear link, from 0 to 1: 1 against 3/4. *)
Theorem bregman_smaller_false : ~ bregman_smaller.
Proof.
intros h. pose proof (h _ _ _ _ 0 0 1 linear_link (linear_concordant 0 1) (Rle_refl 0) 0 1 ltac:(lra) ltac:(lra)).
simpl in *. lra.
Qed.

Definition remainder_third := forall (m mu dmu ddmu : R -> R) (Rs lo hi : R), smooth m mu dmu ddmu ->
  concordant dmu ddmu Rs lo hi -> 0 <= Rs -> forall L a b : R, (forall z : R, lo <= z <= hi -> dmu z <= L) ->
  lo <= a <= hi -> lo <= b <= hi -> Rabs (mu b - mu a - dmu a * (b - a)) <= Rs * L * (b - a) ^ 2 / 3.

Lemma exp_quarter : 128 / 100 - 1 / 1000 <= exp (1 / 4).
Proof.
apply Rle_trans with ((1 + 1 / 32) ^ 8); [simpl; lra|].
replace (exp (1 / 4)) with (exp (1 / 32) ^ 8).
- apply pow_incr. pose proof (exp_ge (1 / 32)). lra.
- simpl. rewrite Rmult_1_r, <- !exp_plus. f_equal. lra.
Qed.

(* m = exp from 0 to 1/4. *)
Theorem remainder_third_false : ~ remainder_third.
Proof.
intros h. assert (top : forall z, 0 <= z <= 1 / 4 -> exp z <= exp (1 / 4)).
{ intros z [_ [l|e]]; [left; apply exp_increasing, l|subst; right; reflexivity]. }
pose proof (h _ _ _ _ 1 0 (1 / 4) poisson_link (poisson_concordant 0 (1 / 4)) ltac:(lra) (exp (1 / 4)) 0 (1 / 4) top
  ltac:(lra) ltac:(lra)) as k.
rewrite exp_0 in k. pose proof exp_quarter. pose proof (Rle_abs (exp (1 / 4) - 1 - 1 * (1 / 4 - 0))).
simpl in k. lra.
Qed.
