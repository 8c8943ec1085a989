(* Printed statements that are false, as proved negations.
     printed_epl_false          lemma:epl as printed: too small for small lambda
     printed_update_rule_false  lemma:update-rule as printed: u is not said to lie in the set
     printed_expansion_false    eq:inverse-regret-expansion as printed: the sign of the corruption term *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar SelfConcordance QuadraticForm MirrorDescent.
From HCW Require Import Constants Algorithm GoodEvent.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* lemma:epl: the sum of |x_s|^2 in V_s^-1 is at most 2 d (1 + X^2) log (1 + t X^2 / (d lambda)). *)
Definition printed_epl := forall (d : nat) (lam X : R) (x : nat -> 'cV[R]_d) (V : nat -> 'M[R]_d) (t : nat),
  (0 < d)%N -> 0 < lam -> V 0%N = lam%:M -> (forall s, V s.+1 = V s + outer (x s)) ->
  (forall s, dot (x s) (x s) <= X ^+ 2) ->
  \sum_(s < t) qf (invmx (V s)) (x s) <= 2 * d%:R * (1 + X ^+ 2) * ln (1 + t%:R * X ^+ 2 / (d%:R * lam)).

Lemma ln101 : Rle (ln (IZR 101)) (IZR 20).
Proof.
have h : Rle (ln (Rmult (Rdiv (IZR 101) (IZR 10)) (IZR 10))) (IZR 20).
  rewrite ln_mult; try lra.
  have h1 := ln_le_sub1 (Rdiv (IZR 101) (IZR 10)); have h2 := ln_le_sub1 (IZR 10); lra.
by have <- : Rmult (Rdiv (IZR 101) (IZR 10)) (IZR 10) = IZR 101 by lra.
Qed.

(* One unit vector in dimension 1 with lambda = 1/100: 100 against 4 log 101. *)
Theorem printed_epl_false : ~ printed_epl.
Proof.
move=> epl; pose lam : R := 100^-1; have l0 : 0 < lam by rewrite invr_gt0 ltr0n.
pose x (s : nat) : 'cV[R]_1 := const_mx 1.
pose V := fix V s : 'M[R]_1 := if s is s'.+1 then V s' + outer (x s') else lam%:M.
have xx s : dot (x s) (x s) = 1 by rewrite dot_sum big_ord1 mxE expr1n.
have := epl 1%N lam 1 x V 1%N isT l0 erefl (fun s => erefl).
rewrite big_ord1 /= qf_inv_scalar // xx /lam expr1n.
have -> : 1 + 1%:R * 1 / (1%:R * 100^-1) = IZR 101 :> R by to_R; field.
by move=> /(_ (fun s => lexx _)); have := ln101; to_R; lra.
Qed.

(* lemma:update-rule without u in the set. *)
Definition printed_update_rule := forall (d : nat) (K : 'cV[R]_d -> Prop) (A : 'M[R]_d) (x c : 'cV[R]_d)
    (a h eta : R) (v u : 'cV[R]_d), convex_set K -> pd A -> 0 < eta -> 0 <= h ->
  minimises K (step_objective A x c a h eta) v ->
  qf A (v - u) <= 2 * eta * ((a + h * dot x (v - c)) * dot x (u - v)) + qf A (c - u) - qf A (v - c).

Lemma dot1 (a b : R) : dot (const_mx a : 'cV[R]_1) (const_mx b) = a * b.
Proof. by rewrite /dot mxE big_ord1 !mxE. Qed.
Lemma const1B (a b : R) : const_mx a - const_mx b = const_mx (a - b) :> 'cV[R]_1.
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.
Lemma qf1 (v : 'cV[R]_1) : qf 1%:M v = dot v v.
Proof. by rewrite qf_scalar mul1r. Qed.

(* The step from 0 with slope -4 ends at the border 1 of [-1, 1]; u = 2 lies outside. *)
Theorem printed_update_rule_false : ~ printed_update_rule.
Proof.
move=> rule; have one : 0 < 1 :> R := ltr01.
have mini : minimises (ball 1) (step_objective 1%:M (const_mx 1) (const_mx 0) (- (4%:R)) 0 1) (const_mx 1 : 'cV[R]_1).
  split=> [|v]; first by rewrite /ball dot1 expr1n mulr1.
  have -> : v = const_mx (v 0 0) by apply/matrixP => i j; rewrite !ord1 mxE.
  rewrite /ball /step_objective !const1B !qf1 !dot1; generalize (v 0 0) => z h.
  have z1 : z <= 1 by move: h; to_R; nra.
  have : 0 <= (1 - z) * (7 - z) by rewrite mulr_ge0 // subr_ge0 // (le_trans z1) //; to_R; lra.
  by clear; to_R; lra.
have := rule 1%N (ball 1) 1%:M (const_mx 1) (const_mx 0) (- (4%:R)) 0 1 (const_mx 1) (const_mx 2)
  (@ball_convex 1 1) (@scalar_pd 1 1 one) one (lexx _) mini.
by rewrite !const1B !qf1 !dot1; to_R; lra.
Qed.

(* eq:inverse-regret-expansion with the printed sign, for one round. *)
Definition printed_expansion := forall (m : R -> R) (w g r c z_star z_new : R), 0 < w -> 0 < g ->
  w / g * (m z_star - (r + c) * z_star) - w / g * (m z_new - (r + c) * z_new) =
  w / g * (m z_star - r * z_star) - w / g * (m z_new - r * z_new) + w / g * c * (z_star - z_new).
Theorem printed_expansion_false : ~ printed_expansion.
Proof.
move=> h; have one : 0 < 1 :> R := ltr01.
have := h (fun _ => 0) 1 1 0 1 1 0 one one.
by to_R; lra.
Qed.
