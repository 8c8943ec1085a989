(* lemma:update-rule, repaired (u must lie in the set): one step of mirror descent over a convex set, for the
   objective a <x, v - c> + (h/2) <x, v - c>^2 + |v - c|^2 / (2 eta), the last norm that of A. *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge QuadraticForm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section MirrorDescent.
Variable d : nat.
Implicit Types (A : 'M[R]_d) (x u v c : 'cV[R]_d) (K : 'cV[R]_d -> Prop).

Definition convex_set K := forall u v t, K u -> K v -> 0 <= t <= 1 -> K (u + t *: (v - u)).
Definition minimises K (f : 'cV[R]_d -> R) u := K u /\ forall v, K v -> f u <= f v.
Definition ball (S : R) v := dot v v <= S ^+ 2.

Definition step_objective A x c (a h eta : R) v : R :=
  a * dot x (v - c) + h / 2 * dot x (v - c) ^+ 2 + (2 * eta)^-1 * qf A (v - c).

Lemma linear_part_ge0 (B C : R) : (forall t, 0 < t -> t <= 1 -> 0 <= t * B + t ^+ 2 * C) -> 0 <= B.
Proof.
move=> h; case: (leP 0 B) => // B0; exfalso.
have h1 := h 1 ltr01 (lexx _); have C0 : 0 < C by mlra.
have t0 : 0 < - B / (2 * C) by rewrite divr_gt0 ?oppr_gt0 // mulr_gt0 // ltr0n.
have e : - B / (2 * C) * (2 * C) = - B by rewrite divfK // gt_eqF // mulr_gt0 // ltr0n.
have t1 : - B / (2 * C) <= 1 by rewrite ler_pdivr_mulr ?mulr_gt0 ?ltr0n //; mlra.
have := h _ t0 t1; move: t0 e; generalize (- B / (2 * C)) => t t0 e ht.
have e2 : t * (t * (2 * C)) = t * - B by rewrite e.
have : t * B < 0 by rewrite pmulr_rlt0.
by move: e2 ht; clear; intros; mlra.
Qed.

Theorem mirror_step K A x c (a h eta : R) v u : convex_set K -> symmetric A -> 0 < eta ->
  minimises K (step_objective A x c a h eta) v -> K u ->
  qf A (v - u) <= 2 * eta * ((a + h * dot x (v - c)) * dot x (u - v)) + qf A (c - u) - qf A (v - c).
Proof.
move=> cK sA e0 [Kv mv] Ku.
have en : eta <> R0 by move=> z; move: e0; rewrite z ltxx.
have B0 : 0 <= (a + h * dot x (v - c)) * dot x (u - v) + eta^-1 * bf A (v - c) (u - v).
  apply: (@linear_part_ge0 _ (h / 2 * dot x (u - v) ^+ 2 + (2 * eta)^-1 * qf A (u - v))) => t t0 t1.
  have := mv _ (cK _ _ t Kv Ku _); rewrite (ltW t0) t1 => /(_ isT).
  rewrite /step_objective; have -> : v + t *: (u - v) - c = (v - c) + t *: (u - v) by rewrite addrAC.
  rewrite [dot x (v - c + _)]dotDr dotZr [qf A (v - c + _)]qfD // bfZr qfZ invfM.
  generalize (dot x (v - c)) (dot x (u - v)) (qf A (v - c)) (bf A (v - c) (u - v)) (qf A (u - v)).
  by clear; intros; mlra.
have -> : c - u = - ((v - c) + (u - v)) by rewrite [v - c + _]addrC addrA subrK opprB.
have -> : v - u = - (u - v) by rewrite opprB.
rewrite !qfN [qf A (v - c + _)]qfD //; have : 0 <= eta * (eta^-1 * bf A (v - c) (u - v)) + eta * ((a + h * dot x (v - c)) * dot x (u - v)).
  by rewrite -mulrDr addrC mulr_ge0 // ltW.
rewrite mulVKf ?gt_eqF //.
generalize ((a + h * dot x (v - c)) * dot x (u - v)) (qf A (v - c)) (bf A (v - c) (u - v)) (qf A (u - v)).
by clear; intros; mlra.
Qed.

Lemma ball_convex (S : R) : convex_set (ball S).
Proof.
move=> u v t; rewrite /ball => Ku Kv /andP[t0 t1].
have e : dot (u + t *: (v - u)) (u + t *: (v - u)) =
  (1 - t) * dot u u + t * dot v v - t * (1 - t) * dot (v - u) (v - u).
  rewrite !(dotBl, dotBr, dotDl, dotDr, dotZl, dotZr) (dotC v u).
  by generalize (dot u v) (dot u u) (dot v v); clear; intros; mlra.
have p := dot_ge0 (v - u); rewrite e.
have tt : 0 <= t * (1 - t) * dot (v - u) (v - u) by rewrite !mulr_ge0 ?subr_ge0.
have a1 : (1 - t) * dot u u <= (1 - t) * S ^+ 2 by rewrite ler_wpmul2l // subr_ge0.
have a2 : t * dot v v <= t * S ^+ 2 by rewrite ler_wpmul2l.
move: tt a1 a2; generalize (t * (1 - t) * dot (v - u) (v - u)) ((1 - t) * dot u u) (t * dot v v).
by clear; intros; mlra.
Qed.

(* |<x, v>| <= S for |x| <= 1 and v in the ball. *)
Lemma dot_ball (S : R) x v : 0 <= S -> dot x x <= 1 -> ball S v -> `|dot x v| <= S.
Proof.
move=> S0 hx hv; rewrite -ler_sqr ?nnegrE // real_normK ?num_real //.
have := cauchy_schwarz_psd x v (pd_psd (@scalar_pd d 1 ltr01)); rewrite /qf !bf1 => h.
apply: le_trans h _; apply: le_trans (ler_wpmul2r (dot_ge0 v) hx) _.
by rewrite mul1r.
Qed.
End MirrorDescent.
