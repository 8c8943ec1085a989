(* The constants of the paper as printed; written from core by coq_constants.py. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* theorem:confidence-sequence: the regularisation max(14 d η R_s², 36 η² α² R_s² S² L_μ², d / (4 S²)). *)
Definition printed_lam (d : nat) (S eta alpha Rs L : R) : R :=
  Num.max (14 * d%:R * eta * Rs ^+ 2) (Num.max (36 * eta ^+ 2 * alpha ^+ 2 * Rs ^+ 2 * S ^+ 2 * L ^+ 2) (d%:R / (4 * S
    ^+ 2))).

(* theorem:confidence-sequence/eq2: β_t(δ) of this reading. *)
Definition printed_beta (d : nat) (S delta eta lam L inverse_g : R) : R :=
  sqrt (2 * eta * ln (1 / delta) + (6 * eta ^+ 2 + eta) * (d%:R * ln (1 + L / lam * inverse_g)) + 4 * lam * S ^+ 2).

(* lemma:epl as printed, for vectors with ‖x‖² at most X2; too small for small λ. *)
Definition printed_potential (d : nat) (X2 lam t : R) : R :=
  2 * d%:R * (1 + X2) * ln (1 + t * X2 / (d%:R * lam)).

(* eq:CS: the radius of C_t, from the sum of 1/g over the rounds before t. *)
Definition printed_radius (d : nat) (S alpha Rs L C delta inverse_g : R) : R :=
  printed_beta d S delta (1 + Rs * S) (printed_lam d S (1 + Rs * S) alpha Rs L) L inverse_g + 2 * (1 + Rs * S) * alpha
    * C.

(* lemma:decomposition/eq6: γ_1, the factor of √(Σ g μ' + g_max R_s Reg). *)
Definition printed_gamma_1 (d T : nat) (S alpha Rs L g_min radius_T : R) : R :=
  2 * radius_T * sqrt (printed_potential d (L / g_min) (printed_lam d S (1 + Rs * S) alpha Rs L) T%:R).

(* lemma:decomposition/eq6: γ_2, what the rounds with w_t < 1 cost to first order. *)
Definition printed_gamma_2 (d T : nat) (S alpha Rs L g_min g_max radius_T : R) : R :=
  2 * radius_T * (g_max / alpha * printed_potential d (L / g_min) (printed_lam d S (1 + Rs * S) alpha Rs L) T%:R).

(* lemma:decomposition/eq6: γ_3, second order of the rounds with w_t = 1; the radius is that of T + 1. *)
Definition printed_gamma_3 (d T : nat) (S alpha Rs L kappa g_min g_max radius_next : R) : R :=
  6 * Rs * L * radius_next ^+ 2 * (kappa * g_max * printed_potential d (1 / (kappa * g_min)) (printed_lam d S (1 + Rs
    * S) alpha Rs L) T%:R).

(* lemma:decomposition/eq6: γ_4, second order of the rounds with w_t < 1; the radius is that of T + 1. *)
Definition printed_gamma_4 (d T : nat) (S alpha Rs L kappa radius_next : R) : R :=
  6 * Rs * L * radius_next ^+ 2 * (printed_potential d (sqrt (printed_lam d S (1 + Rs * S) alpha Rs L) * alpha /
    kappa) (printed_lam d S (1 + Rs * S) alpha Rs L) T%:R / (sqrt (printed_lam d S (1 + Rs * S) alpha Rs L) * alpha /
    kappa)).
