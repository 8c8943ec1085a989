(* kl_is_bregman: between two members of an exponential family on finitely many values the divergence is the Bregman
   divergence of m over the dispersion. *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar FiniteProcess Divergence ExponentialFamily.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* The divergence of parameter z from z', for dispersion v. *)
Definition bregman_over (m mu : R -> R) (v z z' : R) : R := (m z' - m z - mu z * (z' - z)) / v.

Section Family.
Variables (Y : finType) (val : Y -> R) (base : nat -> Y -> R) (m mu : R -> R) (g : nat -> R).
Hypothesis fam : family_law val base m mu g.
Let mass := mass val base m g.

Lemma mass_dominated t z z' : dominated (mass t z) (mass t z').
Proof.
move=> y; rewrite /mass /ExponentialFamily.mass => pos; rewrite mulr_gt0 ?exp_gt0 //.
by rewrite -(pmulr_lgt0 _ (exp_gt0 ((z * val y - m z) / g t))).
Qed.

Lemma log_ratio t z z' y : mass t z y * ln (mass t z y / mass t z' y) =
  mass t z y * (((z - z') * val y + (m z' - m z)) / g t).
Proof.
rewrite /mass /ExponentialFamily.mass; case: (eqVneq (base t y) 0) => [->|nz]; first by rewrite !mul0r.
congr (_ * _); rewrite invfM mulrACA mulfV // mul1r.
have e (u v : R) : exp u / exp v = exp (u - v) by rewrite inv_R -exp_Ropp; exact/esym/exp_plus.
rewrite e ln_exp -mulrBl; congr (_ / _); generalize (val y) (m z) (m z') => a b c; to_R; lra.
Qed.

Theorem kl_is_bregman t z z' : kl (mass t z) (mass t z') = bregman_over m mu (g t) z z'.
Proof.
rewrite /kl (eq_bigr _ (fun y _ => log_ratio t z z' y)).
rewrite (eq_bigr (fun y => (z - z') / g t * (mass t z y * val y) + mass t z y * ((m z' - m z) / g t))) => [|y _].
  rewrite big_split /= -mulr_sumr (mass_mean fam) -mulr_suml (mass1 fam) /bregman_over mul1r.
  by rewrite mulrAC -mulrDl; congr (_ / _); generalize (mu z) (m z) (m z') => a b c; to_R; lra.
by move: (g t)^-1 (mass t z y) (val y) (m z) (m z') => u a b c e; to_R; lra.
Qed.
End Family.
