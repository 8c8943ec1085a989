(* HCW-GLB-OMD (algorithm:CW-GLB-OMD) as a relation on trajectories, and what its weights guarantee.
   Rounds are counted from 0: arm, dispersion and observed (corrupted) reward of round s, the estimate est s
   and the matrix hess s before it.  How arms are chosen is not part of this file: any choice is allowed. *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar QuadraticForm EllipticalPotential MirrorDescent.
From HCW Require Import Constants.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Record trajectory (d : nat) := Trajectory {
  arm : nat -> 'cV[R]_d;
  disp : nat -> R;
  observed : nat -> R;
  est : nat -> 'cV[R]_d;
  hess : nat -> 'M[R]_d }.

Section Run.
Variables (d : nat) (m mu dmu : R -> R) (alpha eta lam S : R) (p : trajectory d).

(* |x_s| in H_s^-1, the weight w_s, and w_s / g_s. *)
Definition norm s : R := sqrt (qf (invmx (hess p s)) (arm p s)).
Definition weight s : R := weight_of alpha (disp p s) (norm s).
Definition rate s : R := weight s / disp p s.

(* <x_s, theta> *)
Definition value s (theta : 'cV[R]_d) : R := dot (arm p s) theta.

(* eq:corrupted-loss, and eq:OMD-estimator: gradient and curvature at est s. *)
Definition loss s theta : R := rate s * (m (value s theta) - observed p s * value s theta).
Definition slope_at s : R := rate s * (mu (value s (est p s)) - observed p s).
Definition curvature s theta : R := rate s * dmu (value s theta).
Definition objective s : 'cV[R]_d -> R :=
  step_objective (hess p s) (arm p s) (est p s) (slope_at s) (curvature s (est p s)) eta.

Record hcw_run : Prop := HcwRun {
  arm_le1 : forall s, dot (arm p s) (arm p s) <= 1;
  disp_gt0 : forall s, 0 < disp p s;
  est_start : ball S (est p 0%N);
  est_step : forall s, minimises (ball S) (objective s) (est p s.+1);
  hess_start : hess p 0%N = lam%:M;
  hess_step : forall s, hess p s.+1 = hess p s + curvature s (est p s.+1) *: outer (arm p s) }.

Hypothesis run : hcw_run.
Hypothesis alpha_gt0 : 0 < alpha.
Hypothesis lam_gt0 : 0 < lam.
Hypothesis dmu_ge0 : forall z, 0 <= dmu z.

Lemma norm_ge0 s : 0 <= norm s.
Proof. by apply/RleP; apply: sqrt_pos. Qed.

Lemma trust_gt0 s : 0 < alpha * disp p s.
Proof. by rewrite mulr_gt0 // (disp_gt0 run). Qed.

Lemma weight_gt0 s : 0 < weight s.
Proof. by rewrite /weight /weight_of divr_gt0 ?trust_gt0 // lt_maxr trust_gt0 orbT. Qed.

Lemma weight_le1 s : weight s <= 1.
Proof. by rewrite /weight /weight_of ler_pdivr_mulr ?lt_maxr ?trust_gt0 ?orbT // mul1r le_maxr lexx orbT. Qed.

Lemma rate_gt0 s : 0 < rate s.
Proof. by rewrite /rate divr_gt0 ?weight_gt0 // (disp_gt0 run). Qed.

Lemma rate_le s : rate s <= (disp p s)^-1.
Proof. by rewrite -[leRHS]mul1r ler_wpmul2r ?weight_le1 // invr_ge0 ltW // (disp_gt0 run). Qed.

(* w_s |x_s| / g_s <= alpha: what the weights are for. *)
Lemma rate_norm s : rate s * norm s <= alpha.
Proof.
have g0 := disp_gt0 run s; have t0 := trust_gt0 s.
have M0 : 0 < Num.max (norm s) (alpha * disp p s) by rewrite lt_maxr t0 orbT.
have nM : norm s <= Num.max (norm s) (alpha * disp p s) by rewrite le_maxr lexx.
rewrite /rate /weight /weight_of; move: M0 nM; generalize (Num.max (norm s) (alpha * disp p s)) => M M0 nM.
have -> : alpha * disp p s / M / disp p s * norm s = alpha * (norm s / M).
  by clear -M0 g0; to_R; field; lra.
by rewrite -[leRHS]mulr1 (ler_wpmul2l (ltW alpha_gt0)) // ler_pdivr_mulr // mul1r.
Qed.

Lemma curvature_ge0 s theta : 0 <= curvature s theta.
Proof. by apply: mulr_ge0 => //; apply/ltW/rate_gt0. Qed.

Let k s := curvature s (est p s.+1).
Let k0 s : 0 <= k s. Proof. exact: curvature_ge0. Qed.

Lemma hess_pd s : pd (hess p s).
Proof. exact: (design_pd lam_gt0 k0 (hess_start run) (hess_step run)). Qed.

Lemma hess_ge s y : lam * dot y y <= qf (hess p s) y.
Proof. exact: (design_ge k0 (hess_start run) (hess_step run)). Qed.

Lemma norm_sq s : norm s ^+ 2 = qf (invmx (hess p s)) (arm p s).
Proof.
rewrite /norm expr2; apply: sqrt_sqrt; apply/RleP; apply: qf_inv_ge0; exact: hess_pd.
Qed.

Lemma norm_sq_le s : norm s ^+ 2 <= lam^-1.
Proof.
rewrite norm_sq; apply: le_trans (width_le lam_gt0 k0 (hess_start run) (hess_step run) s) _.
by rewrite -[leRHS]mul1r ler_wpmul2r ?(arm_le1 run) // invr_ge0 (ltW lam_gt0).
Qed.

Lemma norm_root s : norm s * sqrt lam <= 1.
Proof.
have h := norm_sq_le s; have n0 := norm_ge0 s.
have r0 : 0 <= sqrt lam by apply/RleP; apply: sqrt_pos.
have rr : sqrt lam * sqrt lam = lam by apply: sqrt_sqrt; apply/RleP/ltW.
rewrite -ler_sqr ?nnegrE ?mulr_ge0 ?ler01 // expr1n exprMn [sqrt lam ^+ 2]expr2 rr.
by rewrite -ler_pdivl_mulr // mul1r.
Qed.

(* Cauchy-Schwarz in the norms of the algorithm. *)
Lemma value_sq_le s v : value s v ^+ 2 <= norm s ^+ 2 * qf (hess p s) v.
Proof. by rewrite norm_sq; apply: cauchy_schwarz_dual; exact: hess_pd. Qed.

Lemma est_ball s : ball S (est p s).
Proof. by case: s => [|s]; [apply: (est_start run) | case: (est_step run s)]. Qed.

Lemma value_bound s v : 0 <= S -> ball S v -> - S <= value s v <= S.
Proof. by move=> S0 bv; rewrite -ler_norml; apply: dot_ball => //; apply: (arm_le1 run). Qed.

(* hess s <= hess s.+1 *)
Lemma hess_mono s y : qf (hess p s) y <= qf (hess p s.+1) y.
Proof. exact: (design_mono k0 (hess_step run)). Qed.
End Run.
