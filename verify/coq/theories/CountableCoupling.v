(* A coupling of two laws on countably many values that only moves downwards, as a kernel.
     kernel           turns a law hi into a law lo which exceeds hi only at values below those where hi exceeds lo
     kernel_turns     what it does to means
     kernel_moves     the mean distance, cut at any C, is at most the difference of the means *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Glbcheck Require Import CountableLaw.
Local Open Scope R_scope.

Section Crossing.
Variables (val hi lo : nat -> R).
Hypothesis law_hi : countable_law hi.
Hypothesis law_lo : countable_law lo.
Hypothesis crossing : forall y y', lo y < hi y -> hi y' < lo y' -> val y' <= val y.

Let both y := Rmin (hi y) (lo y).
Let up y := Rmax (hi y - lo y) 0.
Let down y := Rmax (lo y - hi y) 0.
Let moved := Series up.
(* What both laws have stays where it is; the excess of hi goes to where lo has more. *)
Definition kernel (y y' : nat) : R :=
  if Req_EM_T (hi y) 0 then point y y' else both y / hi y * point y y' + up y / hi y / moved * down y'.

Let hi0 y : 0 <= hi y. Proof. apply law_hi. Qed.
Let lo0 y : 0 <= lo y. Proof. apply law_lo. Qed.
Let split_hi y : both y + up y = hi y.
Proof. unfold both, up, Rmin, Rmax; destruct (Rle_dec (hi y) (lo y)), (Rle_dec (hi y - lo y) 0); lra. Qed.
Let split_lo y : both y + down y = lo y.
Proof. unfold both, down, Rmin, Rmax; destruct (Rle_dec (hi y) (lo y)), (Rle_dec (lo y - hi y) 0); lra. Qed.
Let both0 y : 0 <= both y. Proof. apply Rmin_glb; auto. Qed.
Let up0 y : 0 <= up y. Proof. apply Rmax_r. Qed.
Let down0 y : 0 <= down y. Proof. apply Rmax_r. Qed.

Let part (w p : nat -> R) : countable_law p -> (forall y, 0 <= w y <= p y) -> weights w.
Proof.
intros [p0 p1] wp; split; [apply wp|]; apply ex_dominated with p; [|exists 1; exact p1].
intros y; rewrite Rabs_pos_eq; apply wp.
Qed.
Let w_both : weights both.
Proof. apply (part both hi law_hi); intros y; rewrite <- (split_hi y); specialize (both0 y); specialize (up0 y); lra. Qed.
Let w_up : weights up.
Proof. apply (part up hi law_hi); intros y; rewrite <- (split_hi y); specialize (both0 y); specialize (up0 y); lra. Qed.
Let w_down : weights down.
Proof. apply (part down lo law_lo); intros y; rewrite <- (split_lo y); specialize (both0 y); specialize (down0 y); lra. Qed.

Let moved_down : Series down = moved.
Proof.
assert (h : Series both + Series up = 1).
{ rewrite <- Series_plus; [|apply w_both|apply w_up].
  rewrite (Series_ext _ hi); [apply is_series_unique, law_hi | exact split_hi]. }
assert (l : Series both + Series down = 1).
{ rewrite <- Series_plus; [|apply w_both|apply w_down].
  rewrite (Series_ext _ lo); [apply is_series_unique, law_lo | exact split_lo]. }
unfold moved; lra.
Qed.

Let moved0 : 0 <= moved. Proof. apply series_ge0; apply w_up. Qed.
Let still_up : moved = 0 -> forall y, up y = 0.
Proof.
intros m0 y; pose proof (term_le up y up0 (proj2 w_up)) as h; fold moved in h; specialize (up0 y); lra.
Qed.
Let still_down : moved = 0 -> forall y, down y = 0.
Proof.
intros m0 y; pose proof (term_le down y down0 (proj2 w_down)) as h; rewrite moved_down in h; specialize (down0 y); lra.
Qed.

(* Where nothing moves, the quotient by 0 does no harm. *)
Let share (a : R) : (moved = 0 -> a = 0) -> a / moved * moved = a.
Proof. intros z; destruct (Req_dec moved 0) as [m0|m0]; [rewrite (z m0), m0; ring | field; exact m0]. Qed.

Lemma kernel_law y : countable_law (kernel y).
Proof.
unfold kernel; destruct (Req_EM_T (hi y) 0) as [z|nz]; [apply point_law|].
assert (pos : 0 < hi y) by (specialize (hi0 y); lra).
assert (inv0 : 0 <= / hi y) by (left; apply Rinv_0_lt_compat; exact pos).
assert (m0 : 0 <= / moved).
{ destruct (Req_dec moved 0) as [e|e]; [rewrite e, Rinv_0; lra | left; apply Rinv_0_lt_compat; specialize moved0; lra]. }
split.
- intros y'; apply Rplus_le_le_0_compat; repeat apply Rmult_le_pos; auto; apply point_law.
- replace 1 with (both y / hi y * 1 + up y / hi y / moved * moved).
  + apply (is_series_plus (fun y' => both y / hi y * point y y')).
    * apply (is_series_scal_l (V := R_NormedModule)), point_series.
    * apply (is_series_scal_l (V := R_NormedModule)); rewrite <- moved_down; apply Series_correct, w_down.
  + rewrite share; [rewrite <- (split_hi y) in nz |- *; field; exact nz|].
    intros m; rewrite (still_up m); unfold Rdiv; ring.
Qed.

Let average_kernel y f B : (forall y', Rabs (f y') <= B) ->
  hi y * average (kernel y) f = both y * f y + up y / moved * average down f.
Proof.
intros b; unfold kernel; destruct (Req_EM_T (hi y) 0) as [z|nz].
- assert (both y = 0 /\ up y = 0) as [e1 e2].
  { pose proof (split_hi y); specialize (both0 y); specialize (up0 y); lra. }
  rewrite z, e1, e2; unfold Rdiv; ring.
- rewrite (average_mix (point y) down f _ _ B (law_weights _ (point_law y)) w_down b), average_point.
  transitivity (hi y * / hi y * (both y * f y + up y / moved * average down f)); [unfold Rdiv; ring|].
  rewrite Rinv_r by exact nz; ring.
Qed.

Lemma kernel_turns f B : (forall y, Rabs (f y) <= B) -> average hi (fun y => average (kernel y) f) = average lo f.
Proof.
intros b; unfold average at 1.
rewrite (Series_ext _ (fun y => both y * f y + average down f / moved * up y)); cycle 1.
{ intros y; rewrite (average_kernel y f B b); unfold Rdiv; ring. }
rewrite Series_plus, Series_scal_l; [|eapply average_ex; eassumption|].
2: { apply (ex_series_scal_l (V := R_NormedModule)), w_up. }
fold moved; fold (average both f); rewrite share.
- unfold average; rewrite <- Series_plus; [|eapply average_ex; eassumption..].
  apply Series_ext; intros y; rewrite <- (split_lo y); ring.
- intros m; unfold average; rewrite (Series_ext _ (fun _ => 0)); [apply is_series_unique, zero_series|].
  intros y; rewrite (still_down m); ring.
Qed.

Variables (mean_hi mean_lo : R).
Hypothesis ex_hi : ex_series (fun y => hi y * Rabs (val y)).
Hypothesis ex_lo : ex_series (fun y => lo y * Rabs (val y)).
Hypothesis mh : is_series (fun y => hi y * val y) mean_hi.
Hypothesis ml : is_series (fun y => lo y * val y) mean_lo.

Let ex_part w p : ex_series (fun y => p y * Rabs (val y)) -> (forall y, 0 <= w y <= p y) -> ex_series (fun y => w y * val y).
Proof.
intros ex wp; apply ex_dominated with (fun y => p y * Rabs (val y)); [|exact ex].
intros y; rewrite Rabs_mult, (Rabs_pos_eq (w y)) by apply wp; apply Rmult_le_compat_r; [apply Rabs_pos | apply wp].
Qed.
Let ex_both : ex_series (fun y => both y * val y).
Proof. apply (ex_part both hi ex_hi); intros y; rewrite <- (split_hi y); specialize (both0 y); specialize (up0 y); lra. Qed.
Let ex_up : ex_series (fun y => up y * val y).
Proof. apply (ex_part up hi ex_hi); intros y; rewrite <- (split_hi y); specialize (both0 y); specialize (up0 y); lra. Qed.
Let ex_down : ex_series (fun y => down y * val y).
Proof. apply (ex_part down lo ex_lo); intros y; rewrite <- (split_lo y); specialize (both0 y); specialize (down0 y); lra. Qed.

Let gap : average up val - average down val = mean_hi - mean_lo.
Proof.
assert (h : average both val + average up val = mean_hi).
{ unfold average; rewrite <- Series_plus by assumption; rewrite <- (is_series_unique _ _ mh).
  apply Series_ext; intros y; rewrite <- (split_hi y); ring. }
assert (l : average both val + average down val = mean_lo).
{ unfold average; rewrite <- Series_plus by assumption; rewrite <- (is_series_unique _ _ ml).
  apply Series_ext; intros y; rewrite <- (split_lo y); ring. }
lra.
Qed.

Lemma kernel_moves C : 0 <= C ->
  average hi (fun y => average (kernel y) (fun y' => Rmin (Rabs (val y' - val y)) C)) <= mean_hi - mean_lo.
Proof.
intros C0; set (cut := fun y y' => Rmin (Rabs (val y' - val y)) C).
assert (b : forall y y', Rabs (cut y y') <= C).
{ intros y y'; rewrite Rabs_pos_eq; [apply Rmin_r | apply Rmin_glb; [apply Rabs_pos | exact C0]]. }
assert (cut0 : forall y y', 0 <= cut y y') by (intros; apply Rmin_glb; [apply Rabs_pos | exact C0]).
assert (stay : forall y, cut y y = 0).
{ intros y; unfold cut; replace (val y - val y) with 0 by ring; rewrite Rabs_R0; apply Rmin_left; exact C0. }
unfold average at 1; rewrite <- gap.
assert (far : forall y, up y * average down (cut y) <= up y * (moved * val y - average down val)).
{ intros y; destruct (Req_dec (up y) 0) as [e|e]; [rewrite e; lra|].
  apply Rmult_le_compat_l; [apply up0|]; unfold average.
  rewrite <- moved_down, Rmult_comm, <- Series_scal_l, <- Series_minus.
  2: { apply (ex_series_scal_l (V := R_NormedModule)), w_down. }
  2: { exact ex_down. }
  apply Series_le.
  - intros y'; split; [apply Rmult_le_pos; auto|].
    destruct (Req_dec (down y') 0) as [e'|e']; [rewrite e'; lra|].
    rewrite <- (Rmult_comm (down y')), <- Rmult_minus_distr_l; apply Rmult_le_compat_l; [apply down0|].
    assert (below : val y' <= val y).
    { apply crossing; [unfold up, Rmax in e; destruct (Rle_dec (hi y - lo y) 0); lra|].
      unfold down, Rmax in e'; destruct (Rle_dec (lo y' - hi y') 0); lra. }
    apply Rle_trans with (1 := Rmin_l _ _); rewrite Rabs_left1; lra.
  - apply (ex_series_minus (V := R_NormedModule)); [|exact ex_down].
    apply (ex_series_scal_l (V := R_NormedModule)), w_down. }
assert (m0 : 0 <= / moved).
{ destruct (Req_dec moved 0) as [e|e]; [rewrite e, Rinv_0; lra | left; apply Rinv_0_lt_compat; specialize moved0; lra]. }
apply Rle_trans with (Series (fun y => up y * val y * (moved / moved) - average down val / moved * up y)).
- apply Series_le.
  + intros y; change (fun y' => Rmin (Rabs (val y' - val y)) C) with (cut y).
    rewrite (average_kernel y (cut y) C (b y)), stay, Rmult_0_r, Rplus_0_l; split.
    * apply Rmult_le_pos; [apply Rmult_le_pos; auto | eapply average_ge0; eauto].
    * replace (up y / moved * average down (cut y)) with (/ moved * (up y * average down (cut y))) by (unfold Rdiv; ring).
      apply Rle_trans with (/ moved * (up y * (moved * val y - average down val))); [|right; unfold Rdiv; ring].
      apply Rmult_le_compat_l; auto.
  + apply (ex_series_minus (V := R_NormedModule)).
    * apply ex_series_scal_r; exact ex_up.
    * apply (ex_series_scal_l (V := R_NormedModule)), w_up.
- rewrite Series_minus, Series_scal_r, Series_scal_l.
  2: { apply ex_series_scal_r; exact ex_up. }
  2: { apply (ex_series_scal_l (V := R_NormedModule)), w_up. }
  fold moved; fold (average up val); rewrite share.
  + destruct (Req_dec moved 0) as [e|e]; [|right; field; exact e].
    right; assert (z : average up val = 0).
    { unfold average; rewrite (Series_ext _ (fun _ => 0)); [apply is_series_unique, zero_series|].
      intros y; rewrite (still_up e); ring. }
    rewrite z; ring.
  + intros m; unfold average; rewrite (Series_ext _ (fun _ => 0)); [apply is_series_unique, zero_series|].
    intros y; rewrite (still_down m); ring.
Qed.
End Crossing.
