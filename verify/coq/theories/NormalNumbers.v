(* The pointwise inequality behind the Gibbs bound for normal laws, in the standard reals.
   E(u) = e^{rho|u|} - 1 - rho|u|. *)
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

(* The logarithm of the reference weight: Gibbs' bound is exp of minus (l0 + D (27/40) rho^2 + kl). *)
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
Variables (l : R -> R) (a b s s' l0 l1 D rho : R).
Hypothesis s'_gt0 : 0 < s'.
Hypothesis s's : s' <= s.
Hypothesis D_ge0 : 0 <= D.
Hypothesis bound : forall u, l (b + s' * u) <= l0 + l1 * u + D * excess rho u.

Definition tilted u := exp (- l (b + s' * u)) * (s' / s * exp (u ^ 2 / 2 - ((b + s' * u - a) / s) ^ 2 / 2)).
Definition gibbs := exp (- (l0 + D * (27 / 40 * rho ^ 2) + kl a b s s')).

Let A := - l0 + ln (s' / s) - ((b - a) / s) ^ 2 / 2.
Let B := - (l1 + (b - a) / s * (s' / s)).
Let C := (1 - (s' / s) ^ 2) / 2.

Lemma tilted_ge u : exp (A + B * u + C * u ^ 2 - D * excess rho u) <= tilted u.
Proof.
unfold tilted. assert (s0 : 0 < s) by lra.
assert (t0 : 0 < s' / s) by (apply Rdiv_lt_0_compat; assumption).
rewrite <- (exp_ln (s' / s) t0) at 1. rewrite <- !exp_plus.
destruct (Rle_lt_or_eq_dec (A + B * u + C * u ^ 2 - D * excess rho u)
  (- l (b + s' * u) + (ln (s' / s) + (u ^ 2 / 2 - ((b + s' * u - a) / s) ^ 2 / 2)))) as [h|h].
- replace ((b + s' * u - a) / s) with ((b - a) / s + s' / s * u) by (field; lra).
  pose proof (bound u). unfold A, B, C. nra.
- left. apply exp_increasing, h.
- right. now rewrite h.
Qed.

Lemma gibbsE : gibbs = exp (A + C - D * (27 / 40 * rho ^ 2)).
Proof.
unfold gibbs, kl, A, C. f_equal. assert (s0 : 0 < s) by lra.
replace (s / s') with (/ (s' / s)) by (field; lra).
rewrite ln_Rinv by (apply Rdiv_lt_0_compat; assumption). ring.
Qed.

Let k := 1 - C + D * (27 / 40 * rho ^ 2).

Lemma C_between : 0 <= C <= 1 / 2.
Proof.
unfold C. assert (s0 : 0 < s) by lra.
assert (t0 : 0 < s' / s) by (apply Rdiv_lt_0_compat; assumption).
assert (t1 : s' / s <= 1) by (apply Rmult_le_reg_r with s; [assumption|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra).
nra.
Qed.

Lemma k_ge0 : 0 <= k.
Proof. unfold k. pose proof C_between. pose proof (pow2_ge_0 rho). nra. Qed.

Lemma gibbs_pos : 0 < gibbs.
Proof. apply exp_pos. Qed.

(* Tangent of exp at the mean exponent, after averaging u and -u. *)
Theorem tangent u : 2 * gibbs * k + 2 * gibbs * C * u ^ 2 <= tilted u + tilted (- u) + 2 * gibbs * D * excess rho u.
Proof.
pose proof (tilted_ge u) as h1. pose proof (tilted_ge (- u)) as h2.
rewrite excess_opp in h2. set (E := excess rho u) in *.
set (Y := A + C * u ^ 2 - D * E).
assert (avg : 2 * exp Y <= exp (A + B * u + C * u ^ 2 - D * E) + exp (A + B * - u + C * (- u) ^ 2 - D * E)).
{ replace (A + B * u + C * u ^ 2 - D * E) with (Y + B * u) by (unfold Y; ring).
  replace (A + B * - u + C * (- u) ^ 2 - D * E) with (Y + - (B * u)) by (unfold Y; ring).
  rewrite !exp_plus, exp_Ropp. pose proof (exp_pos Y). pose proof (exp_pos (B * u)) as x0.
  set (x := exp (B * u)) in *. assert (h : 2 <= x + / x).
  { apply Rmult_le_reg_r with x; [assumption|]. rewrite Rmult_plus_distr_r, Rinv_l by lra.
    pose proof (pow2_ge_0 (x - 1)). lra. }
  apply Rmult_le_compat_l with (r := exp Y) in h; lra. }
assert (tan : gibbs * (1 + (Y - (A + C - D * (27 / 40 * rho ^ 2)))) <= exp Y).
{ rewrite gibbsE. set (c := A + C - D * (27 / 40 * rho ^ 2)).
  replace Y with (c + (Y - c)) at 2 by ring. rewrite exp_plus.
  apply Rmult_le_compat_l; [left; apply exp_pos|apply exp_ge]. }
unfold Y in tan. unfold k.
replace (1 + (A + C * u ^ 2 - D * E - (A + C - D * (27 / 40 * rho ^ 2))))
  with (1 - C + D * (27 / 40 * rho ^ 2) + C * u ^ 2 - D * E) in tan by ring.
fold Y in tan. lra.
Qed.

Lemma mass_balance : 2 * gibbs * k + 2 * gibbs * C = 2 * gibbs + 2 * gibbs * D * (27 / 40 * rho ^ 2).
Proof. unfold k. ring. Qed.

Definition tangent_const := 2 * gibbs * k.
Definition tangent_quad := 2 * gibbs * C.
End Pointwise.
