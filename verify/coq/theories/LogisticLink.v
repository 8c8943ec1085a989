(* The logistic link: m z = ln (1 + e^z).  Smooth, self-concordant with constant 1, of slope at most 1/4. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Glbcheck Require Import Scalar SelfConcordance.
Local Open Scope R_scope.

Definition logistic_m z := ln (1 + exp z).
Definition logistic_mu z := exp z / (1 + exp z).
Definition logistic_dmu z := logistic_mu z * (1 - logistic_mu z).
Definition logistic_ddmu z := logistic_dmu z * (1 - 2 * logistic_mu z).

Lemma logistic_smooth : smooth logistic_m logistic_mu logistic_dmu logistic_ddmu.
Proof.
split; intros z; pose proof (exp_pos z) as e; unfold logistic_ddmu, logistic_dmu, logistic_mu, logistic_m.
- auto_derive; [lra|]. field. lra.
- auto_derive; [lra|]. field. lra.
- auto_derive; [lra|]. field. lra.
- replace (_ * _) with (exp z * / ((1 + exp z) * (1 + exp z))) by (field; lra).
  apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. nra.
Qed.

Lemma logistic_range z : 0 <= logistic_mu z <= 1.
Proof.
pose proof (exp_pos z) as e. unfold logistic_mu. split.
- apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra.
- apply Rmult_le_reg_r with (1 + exp z); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma logistic_concordant lo hi : concordant logistic_dmu logistic_ddmu 1 lo hi.
Proof.
intros z _. pose proof (dmu_ge0 _ _ _ _ logistic_smooth z) as d0. unfold logistic_ddmu. rewrite Rabs_mult, (Rabs_pos_eq _ d0), Rmult_comm.
apply Rmult_le_compat_r; [exact d0|]. pose proof (logistic_range z).
apply Rabs_le. lra.
Qed.

Lemma logistic_slope lo hi : slope_bounded logistic_dmu (1 / 4) lo hi.
Proof. intros z _. unfold logistic_dmu. pose proof (pow2_ge_0 (logistic_mu z - 1 / 2)). lra. Qed.

Lemma logistic_rise S : 0 <= S -> logistic_mu S - logistic_mu (- S) <= S / 2.
Proof.
intros S0.
pose proof (mu_lipschitz _ _ _ _ (- S) S logistic_smooth (1 / 4) (logistic_slope _ _) (- S) S) as h.
specialize (h ltac:(lra) ltac:(lra)).
rewrite (Rabs_pos_eq (S - - S)) in h by lra. pose proof (Rle_abs (logistic_mu S - logistic_mu (- S))). lra.
Qed.
