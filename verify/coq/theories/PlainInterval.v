(* The tactic `interval` on the integers of the standard library: no primitive integers or floats, hence no axioms
   beyond those of the reals.  A tactic file; it states no mathematics. *)
From Interval.Float Require Import Specific_stdz Specific_ops.
From Interval Require Export Tactic.

Module PlainFloat := SpecificFloat StdZRadix2.
Module PlainTactic := IntervalTactic PlainFloat.
Export PlainTactic.
