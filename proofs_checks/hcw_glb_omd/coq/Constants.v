(* The constants of the paper as repaired; written from core by coq_constants.py. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* theorem:confidence-sequence: the step size 1 + R_s S. *)
Definition step_size (Rs S : R) : R :=
  1 + Rs * S.

(* theorem:confidence-sequence repaired: no factor d, R_s on the whole line (claim `choice_of_the_constants`). *)
Definition regularisation (d : nat) (S eta alpha Rs L : R) : R :=
  Num.max (6 * eta * Rs ^+ 2) (Num.max (36 * eta ^+ 2 * alpha ^+ 2 * Rs ^+ 2 * S ^+ 2 * L ^+ 2) (d%:R / (4 * S ^+
    2))).

(* eq:corrupted-loss: w_t = min(1, α g / ‖x_t‖), the norm being that of H_t⁻¹; 1 for x_t = 0. *)
Definition weight_of (alpha g norm : R) : R :=
  alpha * g / Num.max norm (alpha * g).

(* eq:estimation-error repaired: 81 η²/40 in place of 6 η² + η (claim `choice_of_the_constants`). *)
Definition beta_from_logdet (S delta eta lam logdet : R) : R :=
  sqrt (2 * eta * ln (1 / delta) + 81 * eta ^+ 2 * logdet / 40 + 4 * lam * S ^+ 2).

(* app:proof-cs/eq8: what log(det H_t / det H_1) is at most. *)
Definition logdet_bound (d : nat) (lam L inverse_g : R) : R :=
  d%:R * ln (1 + L / (d%:R * lam) * inverse_g).

(* theorem:confidence-sequence/eq2: β_t(δ) of this reading. *)
Definition beta (d : nat) (S delta eta lam L inverse_g : R) : R :=
  beta_from_logdet S delta eta lam (logdet_bound d lam L inverse_g).

(* eq:CS: 2 η α C, what the corruption adds to β_t in the radius of C_t. *)
Definition widening (eta alpha C : R) : R :=
  2 * eta * alpha * C.

(* lemma:decomposition/eq5 repaired: P; the weights cap every term at α L_μ/√λ, so g_min is in a logarithm only. *)
Definition potential (d : nat) (alpha lam L inverse_g : R) : R :=
  (1 + alpha * L / (2 * sqrt lam)) * logdet_bound d lam L inverse_g.

(* lemma:epl-results repaired, third line: F, the squared norms of the rounds with w_t < 1. *)
Definition low_weight (d T : nat) (alpha lam kappa : R) : R :=
  (kappa / (sqrt lam * alpha) + 1 / (2 * lam)) * (d%:R * ln (1 + T%:R * alpha / (d%:R * kappa * sqrt lam))).

(* lemma:decomposition/eq6 repaired: γ_1, from the radius r of C_T. *)
Definition gamma_1 (r P : R) : R :=
  2 * r * sqrt P.

(* lemma:decomposition/eq6 repaired: γ_2 + γ_3 + γ_4; r and q are the radii of C_T and C_{T+1}. *)
Definition gamma_rest (Rs L kappa g_max alpha r q P F : R) : R :=
  2 * r * P / alpha + 4 * Rs * L * q ^+ 2 * (kappa * g_max * P + F).

(* theorem:regret repaired: the quadratic solved, with V the sum of g μ' at the optimal arms. *)
Definition regret_bound (Rs L kappa g_max alpha V r q P F : R) : R :=
  gamma_1 r P * sqrt V + gamma_1 r P * sqrt (g_max * Rs * gamma_rest Rs L kappa g_max alpha r q P F) + g_max * Rs *
    gamma_1 r P ^+ 2 + gamma_rest Rs L kappa g_max alpha r q P F.

(* β_1², for θ_1 of length `start`. *)
Definition beta_base (S delta eta lam start : R) : R :=
  2 * eta * ln (1 / delta) + lam * (S + start) ^+ 2.

(* What a unit of log det adds to β_t². *)
Definition beta_slope (eta eps excess : R) : R :=
  excess * eta ^+ 2 / (1 - eps).
