(* The pointwise inequality behind the Gibbs bound for normal laws, in the standard reals.
     excess            e^{rho|u|} - 1 - rho|u|
     relative_excess   the same over rho^2, and u^2/2 for rho = 0
     tangent           for any even function E in place of the excess, of mean at most M *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Glbcheck Require Import Scalar.
Local Open Scope R_scope.

Definition excess (rho u : R) := exp (rho * Rabs u) - 1 - rho * Rabs u.

Lemma excess_ge0 rho u : 0 <= excess rho u.
Proof. unfold excess. pose proof (exp_ge (rho * Rabs u)). lra. Qed.

Lemma excess_opp rho u : excess rho (- u) = excess rho u.
Proof. unfold excess. now rewrite Rabs_Ropp. Qed.

Lemma excess_continuous rho : continuity (excess rho).
Proof.
intros u. unfold excess. apply continuity_pt_minus; [apply continuity_pt_minus|].
- apply (continuity_pt_comp (fun u => rho * Rabs u) exp).
  + apply continuity_pt_mult; [apply continuity_pt_const; now intros ? ?|apply Rcontinuity_abs].
  + apply derivable_continuous_pt, derivable_pt_exp.
- apply continuity_pt_const; now intros ? ?.
- apply continuity_pt_mult; [apply continuity_pt_const; now intros ? ?|apply Rcontinuity_abs].
Qed.

Definition relative_excess (rho u : R) := if Req_EM_T rho 0 then u ^ 2 / 2 else excess rho u / rho ^ 2.

Lemma relative_excess0 u : relative_excess 0 u = u ^ 2 / 2.
Proof. unfold relative_excess. destruct (Req_EM_T 0 0) as [|n]; [reflexivity|now destruct n]. Qed.
Lemma relative_excess_pos rho u : 0 < rho -> relative_excess rho u = excess rho u / rho ^ 2.
Proof. intros h. unfold relative_excess. destruct (Req_EM_T rho 0); [lra|reflexivity]. Qed.

Lemma relative_excess_ge0 rho u : 0 <= relative_excess rho u.
Proof.
unfold relative_excess. pose proof (pow2_ge_0 u). destruct (Req_EM_T rho 0) as [|n]; [lra|].
apply Rdiv_le_0_compat; [apply excess_ge0|]. pose proof (Rsqr_pos_lt rho n). unfold Rsqr in *. lra.
Qed.

Lemma relative_excess_opp rho u : relative_excess rho (- u) = relative_excess rho u.
Proof. unfold relative_excess. rewrite excess_opp. destruct (Req_EM_T rho 0); [field|reflexivity]. Qed.

Lemma relative_excess_continuous rho : continuity (relative_excess rho).
Proof.
intros u. unfold relative_excess. destruct (Req_EM_T rho 0) as [|n].
- reg.
- apply (continuity_pt_mult (excess rho) (fun _ => / rho ^ 2)); [apply excess_continuous|].
  apply continuity_pt_const. now intros ? ?.
Qed.

(* The logarithm of the reference weight: Gibbs' bound is exp of minus (l0 + D M + kl). *)
Definition kl (a b s s' : R) := ln (s / s') + ((b - a) / s) ^ 2 / 2 - (1 - (s' / s) ^ 2) / 2.

Lemma kl_ge0 a b s s' : 0 < s' -> 0 < s -> 0 <= kl a b s s'.
Proof.
intros s'0 s0. unfold kl.
assert (t0 : 0 < s' / s) by (apply Rdiv_lt_0_compat; assumption).
assert (e : s / s' = / (s' / s)) by (field; lra).
rewrite e, ln_Rinv by assumption. pose proof (ln_le_sub1 (s' / s) t0).
pose proof (pow2_ge_0 ((b - a) / s)). set (t := s' / s) in *.
(* ln t <= (t^2 - 1)/2 *)
pose proof (ln_le_sub1 (t ^ 2) ltac:(nra)) as h2.
replace (t ^ 2) with (t * t) in h2 by ring. rewrite ln_mult in h2 by assumption. nra.
Qed.

Section Pointwise.
Variables (l E : R -> R) (a b s s' l0 l1 D M : R).
Hypothesis s'_gt0 : 0 < s'.
Hypothesis s's : s' <= s.
Hypothesis D_ge0 : 0 <= D.
Hypothesis M_ge0 : 0 <= M.
Hypothesis E_even : forall u, E (- u) = E u.
Hypothesis bound : forall u, l (b + s' * u) <= l0 + l1 * u + D * E u.

Definition tilted u := exp (- l (b + s' * u)) * (s' / s * exp (u ^ 2 / 2 - ((b + s' * u - a) / s) ^ 2 / 2)).
Definition gibbs := exp (- (l0 + D * M + kl a b s s')).

Let A := - l0 + ln (s' / s) - ((b - a) / s) ^ 2 / 2.
Let B := - (l1 + (b - a) / s * (s' / s)).
Let C := (1 - (s' / s) ^ 2) / 2.

Lemma tilted_ge u : exp (A + B * u + C * u ^ 2 - D * E u) <= tilted u.
Proof.
unfold tilted. assert (s0 : 0 < s) by lra.
assert (t0 : 0 < s' / s) by (apply Rdiv_lt_0_compat; assumption).
rewrite <- (exp_ln (s' / s) t0) at 1. rewrite <- !exp_plus.
destruct (Rle_lt_or_eq_dec (A + B * u + C * u ^ 2 - D * E u)
  (- l (b + s' * u) + (ln (s' / s) + (u ^ 2 / 2 - ((b + s' * u - a) / s) ^ 2 / 2)))) as [h|h].
- replace ((b + s' * u - a) / s) with ((b - a) / s + s' / s * u) by (field; lra).
  pose proof (bound u). unfold A, B, C. nra.
- left. apply exp_increasing, h.
- right. now rewrite h.
Qed.

Lemma gibbsE : gibbs = exp (A + C - D * M).
Proof.
unfold gibbs, kl, A, C. f_equal. assert (s0 : 0 < s) by lra.
replace (s / s') with (/ (s' / s)) by (field; lra).
rewrite ln_Rinv by (apply Rdiv_lt_0_compat; assumption). ring.
Qed.

Let k := 1 - C + D * M.

Lemma C_between : 0 <= C <= 1 / 2.
Proof.
unfold C. assert (s0 : 0 < s) by lra.
assert (t0 : 0 < s' / s) by (apply Rdiv_lt_0_compat; assumption).
assert (t1 : s' / s <= 1) by (apply Rmult_le_reg_r with s; [assumption|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra).
nra.
Qed.

Lemma k_ge0 : 0 <= k.
Proof. unfold k. pose proof C_between. nra. Qed.

Lemma gibbs_pos : 0 < gibbs.
Proof. apply exp_pos. Qed.

(* Tangent of exp at the mean exponent, after averaging u and -u. *)
Theorem tangent u : 2 * gibbs * k + 2 * gibbs * C * u ^ 2 <= tilted u + tilted (- u) + 2 * gibbs * D * E u.
Proof.
pose proof (tilted_ge u) as h1. pose proof (tilted_ge (- u)) as h2.
rewrite E_even in h2. set (e := E u) in *.
set (Y := A + C * u ^ 2 - D * e).
assert (avg : 2 * exp Y <= exp (A + B * u + C * u ^ 2 - D * e) + exp (A + B * - u + C * (- u) ^ 2 - D * e)).
{ replace (A + B * u + C * u ^ 2 - D * e) with (Y + B * u) by (unfold Y; ring).
  replace (A + B * - u + C * (- u) ^ 2 - D * e) with (Y + - (B * u)) by (unfold Y; ring).
  rewrite !exp_plus, exp_Ropp. pose proof (exp_pos Y). pose proof (exp_pos (B * u)) as x0.
  set (x := exp (B * u)) in *. assert (h : 2 <= x + / x).
  { apply Rmult_le_reg_r with x; [assumption|]. rewrite Rmult_plus_distr_r, Rinv_l by lra.
    pose proof (pow2_ge_0 (x - 1)). lra. }
  apply Rmult_le_compat_l with (r := exp Y) in h; lra. }
assert (tan : gibbs * (1 + (Y - (A + C - D * M))) <= exp Y).
{ rewrite gibbsE. set (c := A + C - D * M).
  replace Y with (c + (Y - c)) at 2 by ring. rewrite exp_plus.
  apply Rmult_le_compat_l; [left; apply exp_pos|apply exp_ge]. }
unfold Y in tan. unfold k.
replace (1 + (A + C * u ^ 2 - D * e - (A + C - D * M)))
  with (1 - C + D * M + C * u ^ 2 - D * e) in tan by ring.
fold Y in tan. lra.
Qed.

Lemma mass_balance : 2 * gibbs * k + 2 * gibbs * C = 2 * gibbs + 2 * gibbs * D * M.
Proof. unfold k. ring. Qed.

Definition tangent_const := 2 * gibbs * k.
Definition tangent_quad := 2 * gibbs * C.
End Pointwise.
