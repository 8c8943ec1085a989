(* Laws on countably many values, numbered 0, 1, 2, ...: means as series.
     countable_law p      a mass function: nonnegative, of sum 1
     average w f          the sum of w y f y
     sent                 a law that moves the values outside of a set to a point *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
Local Open Scope R_scope.

Definition countable_law (p : nat -> R) := (forall y, 0 <= p y) /\ is_series p 1.
Definition weights (w : nat -> R) := (forall y, 0 <= w y) /\ ex_series w.
Definition average (w f : nat -> R) := Series (fun y => w y * f y).
Definition point (y y' : nat) : R := if Nat.eqb y' y then 1 else 0.

Lemma law_weights p : countable_law p -> weights p.
Proof. intros [p0 p1]; split; [exact p0 | exists 1; exact p1]. Qed.

(* --- series --------------------------------------------------------------------------------------------------------- *)

Lemma zero_series : is_series (fun _ : nat => 0) 0.
Proof.
apply is_series_Reals; intros e e0; exists O; intros n _.
replace (sum_f_R0 (fun _ : nat => 0) n) with 0; [unfold R_dist; rewrite Rminus_0_r, Rabs_R0; exact e0|].
induction n as [|n IH]; simpl; [reflexivity | rewrite <- IH; ring].
Qed.

Lemma point_series y : is_series (point y) 1.
Proof.
unfold point; induction y as [|y IH]; apply is_series_decr_1.
- match goal with |- is_series _ ?l => replace l with 0 by (unfold plus, opp; simpl; ring) end.
  exact zero_series.
- match goal with |- is_series _ ?l => replace l with 1 by (unfold plus, opp; simpl; ring) end.
  exact IH.
Qed.

Lemma point_law y : countable_law (point y).
Proof. split; [intros z; unfold point; destruct (Nat.eqb z y); lra | apply point_series]. Qed.

Lemma average_point y f : average (point y) f = f y.
Proof.
unfold average; rewrite (Series_ext _ (fun z => f y * point y z)).
- rewrite Series_scal_l, (is_series_unique _ _ (point_series y)); ring.
- intros z; unfold point; destruct (Nat.eqb z y) eqn:e; [apply EqNat.beq_nat_true in e; subst|]; ring.
Qed.

Lemma term_le (a : nat -> R) y : (forall n, 0 <= a n) -> ex_series a -> a y <= Series a.
Proof.
intros a0 ex; rewrite <- (average_point y a); unfold average; apply Series_le; [|exact ex].
intros n; unfold point; destruct (Nat.eqb n y); specialize (a0 n); lra.
Qed.

Lemma series_ge0 (a : nat -> R) : (forall n, 0 <= a n) -> ex_series a -> 0 <= Series a.
Proof. intros a0 ex; apply Rle_trans with (a O); [apply a0 | apply term_le; assumption]. Qed.

Lemma ex_dominated (a b : nat -> R) : (forall n, Rabs (a n) <= b n) -> ex_series b -> ex_series a.
Proof. intros ab; exact (@ex_series_le R_AbsRing R_CompleteNormedModule a b ab). Qed.

(* --- means ---------------------------------------------------------------------------------------------------------- *)

Lemma average_ex w f B : weights w -> (forall y, Rabs (f y) <= B) -> ex_series (fun y => w y * f y).
Proof.
intros [w0 ex] b; apply ex_dominated with (fun y => B * w y); [|apply (ex_series_scal_l (V := R_NormedModule)); exact ex].
intros y; rewrite Rabs_mult, (Rabs_pos_eq _ (w0 y)), Rmult_comm; apply Rmult_le_compat_r; [apply w0 | apply b].
Qed.

Lemma average_add w f g B B' : weights w -> (forall y, Rabs (f y) <= B) -> (forall y, Rabs (g y) <= B') ->
  average w (fun y => f y + g y) = average w f + average w g.
Proof.
intros lw bf bg; unfold average; rewrite <- Series_plus; [|eapply average_ex; eassumption..].
apply Series_ext; intros y; ring.
Qed.

Lemma average_scale w f c : average w (fun y => c * f y) = c * average w f.
Proof. unfold average; rewrite <- Series_scal_l; apply Series_ext; intros y; ring. Qed.

Lemma average_ge0 w f B : weights w -> (forall y, Rabs (f y) <= B) -> (forall y, 0 <= f y) -> 0 <= average w f.
Proof.
intros lw b f0; apply series_ge0; [|eapply average_ex; eassumption].
intros y; apply Rmult_le_pos; [apply lw | apply f0].
Qed.

Lemma average_one p : countable_law p -> average p (fun _ => 1) = 1.
Proof.
intros [_ p1]; unfold average; rewrite (Series_ext _ p); [apply is_series_unique; exact p1 | intros y; ring].
Qed.

Lemma average_mix w v f c e B : weights w -> weights v -> (forall y, Rabs (f y) <= B) ->
  average (fun y => c * w y + e * v y) f = c * average w f + e * average v f.
Proof.
intros lw lv b; unfold average; rewrite <- 2!Series_scal_l, <- Series_plus.
- apply Series_ext; intros y; ring.
- apply (ex_series_scal_l (V := R_NormedModule)); eapply average_ex; eassumption.
- apply (ex_series_scal_l (V := R_NormedModule)); eapply average_ex; eassumption.
Qed.

(* A law that moves the values outside of a set to a point. *)
Definition kept (p : nat -> R) (ok : nat -> bool) (y : nat) : R := if ok y then p y else 0.
Definition lost (p : nat -> R) (ok : nat -> bool) : R := Series (kept p (fun y => negb (ok y))).
Definition sent (p : nat -> R) (ok : nat -> bool) (z y : nat) : R := kept p ok y + lost p ok * point z y.

Lemma kept_weights p ok : weights p -> weights (kept p ok).
Proof.
intros [p0 ex]; split; [intros y; unfold kept; destruct (ok y); [apply p0 | lra]|].
apply ex_dominated with p; [|exact ex]; intros y; unfold kept; specialize (p0 y).
destruct (ok y); [rewrite Rabs_pos_eq | rewrite Rabs_R0]; lra.
Qed.

Lemma lost_ge0 p ok : weights p -> 0 <= lost p ok.
Proof. intros lp; destruct (kept_weights p (fun y => negb (ok y)) lp); apply series_ge0; assumption. Qed.

Lemma sent_law p ok z : countable_law p -> countable_law (sent p ok z).
Proof.
intros lp; pose proof (law_weights _ lp) as wp.
destruct (kept_weights p ok wp) as [k0 kex]; destruct (kept_weights p (fun y => negb (ok y)) wp) as [n0 nex].
split.
- intros y; unfold sent; apply Rplus_le_le_0_compat; [apply k0|].
  apply Rmult_le_pos; [apply lost_ge0; exact wp | apply point_law].
- replace 1 with (Series (kept p ok) + lost p ok * 1).
  + apply (is_series_plus (kept p ok)); [apply Series_correct; exact kex|].
    apply (is_series_scal_l (V := R_NormedModule)), point_series.
  + rewrite Rmult_1_r; unfold lost; rewrite <- Series_plus by assumption.
    rewrite (Series_ext _ p); [apply is_series_unique; apply lp|].
    intros y; unfold kept; destruct (ok y); simpl; ring.
Qed.

Lemma average_sent p ok z f B : weights p -> (forall y, Rabs (f y) <= B) ->
  average (sent p ok z) f = average p (fun y => f (if ok y then y else z)).
Proof.
intros wp b; pose proof (kept_weights p ok wp) as wk; pose proof (kept_weights p (fun y => negb (ok y)) wp) as wn.
unfold sent; transitivity (1 * average (kept p ok) f + lost p ok * average (point z) f).
- rewrite <- (average_mix (kept p ok) (point z) f 1 (lost p ok) B wk (law_weights _ (point_law z)) b).
  unfold average; apply Series_ext; intros y; ring.
- rewrite average_point, Rmult_1_l; unfold lost, average; rewrite (Rmult_comm (Series _)), <- Series_scal_l.
  rewrite <- Series_plus.
  + apply Series_ext; intros y; unfold kept; destruct (ok y); simpl; ring.
  + eapply average_ex; eassumption.
  + apply (ex_series_scal_l (V := R_NormedModule)), wn.
Qed.
