(* The constants of the paper as repaired, one definition per function of core/constants.py. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* theorem:confidence-sequence: the step size. *)
Definition step_size (Rs S : R) : R := 1 + Rs * S.

(* theorem:confidence-sequence repaired: the regularisation. *)
Definition regularisation (d : nat) (S eta alpha Rs L : R) : R :=
  Num.max (6 * eta * Rs ^+ 2)
    (Num.max (36 * eta ^+ 2 * alpha ^+ 2 * Rs ^+ 2 * S ^+ 2 * L ^+ 2) (d%:R / (4 * S ^+ 2))).

(* eq:corrupted-loss: w_t = min (1, alpha g / |x_t|), and 1 for x_t = 0. *)
Definition weight_of (alpha g norm : R) : R := alpha * g / Num.max norm (alpha * g).

(* eq:estimation-error repaired, and app:proof-cs/eq8 repaired inside it: beta_t from the sum of 1/g. *)
Definition beta_from_logdet (S delta eta lam logdet : R) : R :=
  sqrt (2 * eta * ln (1 / delta) + 81 * eta ^+ 2 * logdet / 40 + 4 * lam * S ^+ 2).
Definition logdet_bound (d : nat) (lam L inverse_g : R) : R :=
  d%:R * ln (1 + L / (d%:R * lam) * inverse_g).
Definition beta (d : nat) (S delta eta lam L inverse_g : R) : R :=
  beta_from_logdet S delta eta lam (logdet_bound d lam L inverse_g).

(* eq:CS: what the corruption adds to the radius. *)
Definition widening (eta alpha C : R) : R := 2 * eta * alpha * C.

(* theorem:regret repaired, explicit for every T; r and q are the radii of C_T and C_{T+1}. *)
Definition potential (d : nat) (alpha lam L inverse_g : R) : R :=
  (1 + alpha * L / (2 * sqrt lam)) * (d%:R * ln (1 + L / (d%:R * lam) * inverse_g)).
Definition low_weight (d T : nat) (alpha lam kappa : R) : R :=
  (kappa / (sqrt lam * alpha) + 1 / (2 * lam)) * (d%:R * ln (1 + T%:R * alpha / (d%:R * kappa * sqrt lam))).
Definition gamma_1 (r P : R) : R := 2 * r * sqrt P.
Definition gamma_rest (Rs L kappa g_max alpha r q P F : R) : R :=
  2 * r * P / alpha + 4 * Rs * L * q ^+ 2 * (kappa * g_max * P + F).
Definition regret_bound (Rs L kappa g_max alpha V r q P F : R) : R :=
  gamma_1 r P * sqrt V + gamma_1 r P * sqrt (g_max * Rs * gamma_rest Rs L kappa g_max alpha r q P F)
  + g_max * Rs * gamma_1 r P ^+ 2 + gamma_rest Rs L kappa g_max alpha r q P F.
