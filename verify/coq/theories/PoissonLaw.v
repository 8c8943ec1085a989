(* The Poisson law, and laws on two values, as series.
     poisson_sum, poisson_mean   total mass 1 and mean lam of e^-lam lam^y / y!
     pair_series                 a sequence that is a at 0, b at 1 and 0 elsewhere *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Glbcheck Require Import CountableLaw.
Local Open Scope R_scope.

Definition poisson (lam : R) (y : nat) : R := exp (- lam) * (/ INR (fact y) * lam ^ y).

Lemma exp_series x : is_series (fun y => / INR (fact y) * x ^ y) (exp x).
Proof.
eapply is_series_ext; [|exact (is_exp_Reals x)].
intros y; rewrite pow_n_pow; exact (Rmult_comm _ _).
Qed.

Lemma poisson_sum lam : is_series (poisson lam) 1.
Proof.
replace 1 with (exp (- lam) * exp lam) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
exact (is_series_scal_l (V := R_NormedModule) _ _ _ (exp_series lam)).
Qed.

Lemma poisson_mean lam : is_series (fun y => poisson lam y * INR y) lam.
Proof.
apply is_series_decr_1.
match goal with |- is_series _ ?l => replace l with (lam * 1) end.
2: { unfold plus, opp; simpl; ring. }
eapply is_series_ext; [|exact (is_series_scal_l (V := R_NormedModule) lam _ _ (poisson_sum lam))].
intros y; change (lam * poisson lam y = poisson lam (S y) * INR (S y)).
unfold poisson; rewrite fact_simpl, mult_INR, <- tech_pow_Rmult.
field; split; [apply INR_fact_neq_0 | apply not_0_INR; discriminate].
Qed.

Lemma poisson_ge0 lam y : 0 < lam -> 0 <= poisson lam y.
Proof.
intros l0; unfold poisson; apply Rmult_le_pos; [left; apply exp_pos|].
apply Rmult_le_pos; [left; apply Rinv_0_lt_compat, INR_fact_lt_0 | left; apply pow_lt; exact l0].
Qed.

Lemma pair_series (f : nat -> R) a b : f 0%nat = a -> f 1%nat = b -> (forall y, f (S (S y)) = 0) -> is_series f (a + b).
Proof.
intros f0 f1 rest; replace (a + b) with (a * 1 + b * 1) by ring.
apply is_series_ext with (fun y => a * point 0 y + b * point 1 y).
- intros [|[|y]]; unfold point; simpl; rewrite ?f0, ?f1, ?rest; ring.
- apply (is_series_plus (fun y => a * point 0 y)); apply (is_series_scal_l (V := R_NormedModule)), point_series.
Qed.
