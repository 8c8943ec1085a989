(* Numbers of MixtureTable.v: a bound on e^(-v) that needs no |v|^3, and three values of the exponential from below. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Glbcheck Require Import PlainInterval Scalar.
Local Open Scope R_scope.

Lemma exp_neg_le v : 0 <= v -> exp (- v) <= 1 - v + v ^ 2 / 2.
Proof.
intros v0.
assert (h : 1 - 0 + 0 ^ 2 / 2 - exp (- 0) <= 1 - v + v ^ 2 / 2 - exp (- v)).
{ apply (increasing_from_derivative (fun v => 1 - v + v ^ 2 / 2 - exp (- v)) (fun v => v - 1 + exp (- v)) 0 v v0);
    intros c hc.
  - auto_derive; [trivial|]. unfold Rminus. field.
  - pose proof (exp_ge (- c)). lra. }
replace (- 0) with 0 in h by ring. rewrite exp_0 in h. lra.
Qed.

Lemma exp_half_ge : 13 / 8 < exp (1 / 2). Proof. interval with (i_prec 40). Qed.
Lemma exp_eighth_ge : 145 / 128 < exp (1 / 8). Proof. interval with (i_prec 40). Qed.
Lemma exp_thirty_second_ge : 6603 / 6400 < exp (1 / 32). Proof. interval with (i_prec 40). Qed.
