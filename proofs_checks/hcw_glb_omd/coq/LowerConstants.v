(* The constants of the paper as repaired; written from core by coq_constants.py. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Any family: min(3 ΔT/8, 3 dC/1024) with Δ at most C/8 (claim `corruption_bound_of_every_family`). *)
Definition family_floor (d T : nat) (C Delta : R) : R :=
  Num.min (3 * Num.min Delta (C / 8) * T%:R / 8) (3 * d%:R * C / 1024).
