(* The Cauchy-Schwarz inequality for finite sums, with square roots. *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar QuadraticForm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma cauchy_schwarz_sum (T : nat) (p q : nat -> R) : (forall s, 0 <= p s) -> (forall s, 0 <= q s) ->
  \sum_(s < T) sqrt (p s) * sqrt (q s) <= sqrt (\sum_(s < T) p s) * sqrt (\sum_(s < T) q s).
Proof.
move=> p0 q0; pose x : 'cV[R]_T := \col_(s < T) sqrt (p s); pose y : 'cV[R]_T := \col_(s < T) sqrt (q s).
have sq (f : nat -> R) : (forall s, 0 <= f s) -> dot (\col_(s < T) sqrt (f s)) (\col_(s < T) sqrt (f s)) = \sum_(s < T) f s.
  move=> f0; rewrite dot_sum; apply: eq_bigr => s _; rewrite mxE expr2.
  by apply: sqrt_sqrt; apply/RleP.
have xy : dot x y = \sum_(s < T) sqrt (p s) * sqrt (q s).
  by rewrite /dot mxE; apply: eq_bigr => s _; rewrite !mxE.
have cs := cauchy_schwarz_psd x y (pd_psd (@scalar_pd T 1 ltr01)); rewrite /qf !bf1 (sq p p0) (sq q q0) in cs.
have P0 : 0 <= \sum_(s < T) p s by apply: sumr_ge0.
have Q0 : 0 <= \sum_(s < T) q s by apply: sumr_ge0.
rewrite -xy; move: cs P0 Q0; generalize (dot x y) (\sum_(s < T) p s) (\sum_(s < T) q s) => z P Q cs P0 Q0.
rewrite -[leRHS](sqrt_mult P Q (le_R P0) (le_R Q0)); apply/RleP; apply: sqrt_le_of_sq.
  by apply/RleP; apply: mulr_ge0.
by move: cs; to_R; lra.
Qed.
