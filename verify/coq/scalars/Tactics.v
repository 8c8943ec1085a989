(** Tactics for the generated proofs: signs by form, divisors that are not zero, numbers by enclosure.

    - [sgn]: a goal [0 < u], [0 <= u] by the form of [u] and what is assumed;  [nz]: a goal [u <> 0];
    - [fld]: an equation of ratios, its divisors seen to differ from zero;
    - [ln_factors]: the logarithm of a product of powers;
    - [closed]: a relation between numbers, exactly or by interval arithmetic. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From Scalars Require Import Semantics.
Open Scope R_scope.

Ltac sgn_base := solve [assumption | apply weaken; assumption | lra].

Ltac sgn :=
  lazymatch goal with
  | |- 0 < exp _ => apply exp_pos
  | |- 0 <= exp _ => apply exp_ge
  | |- 0 < cosh _ => apply cosh_gt
  | |- 0 <= cosh _ => apply cosh_ge
  | |- 0 < PI => apply PI_RGT_0
  | |- 0 < ?a + ?b =>
      first [sgn_base | apply plus_gt_l; [solve [sgn]|solve [sgn]] | apply plus_gt_r; [solve [sgn]|solve [sgn]] | nra]
  | |- 0 <= ?a + ?b => first [sgn_base | apply plus_ge; [solve [sgn]|solve [sgn]] | nra]
  | |- 0 < ?a * ?b => first [sgn_base | apply Rmult_lt_0_compat; [solve [sgn]|solve [sgn]] | nra]
  | |- 0 <= ?a * ?b => first [sgn_base | apply Rmult_le_pos; [solve [sgn]|solve [sgn]] | nra]
  | |- 0 < ?a ^ 2 => first [sgn_base | apply pow_lt; solve [sgn] | apply square_gt; nz | nra]
  | |- 0 < ?a ^ _ => first [sgn_base | apply pow_lt; solve [sgn] | nra]
  | |- 0 <= ?a ^ 2 => apply pow2_ge_0
  | |- 0 <= ?a ^ _ => first [sgn_base | apply pow_le; solve [sgn] | nra]
  | |- 0 < / ?a => apply Rinv_0_lt_compat; sgn
  | |- 0 <= / ?a => apply inv_ge; sgn
  | |- 0 < sqrt _ => apply sqrt_lt_R0; sgn
  | |- 0 <= sqrt _ => apply sqrt_pos
  | |- 0 < root _ _ => apply root_gt; sgn
  | |- 0 <= root _ _ => apply root_ge
  | |- 0 <= Rabs _ => apply Rabs_pos
  | |- 0 < Rmin _ _ => first [sgn_base | apply min_gt; sgn]
  | |- 0 <= Rmin _ _ => first [sgn_base | apply min_ge; sgn]
  | |- 0 < Rmax _ _ => first [sgn_base | apply max_gt_l; solve [sgn] | apply max_gt_r; solve [sgn]]
  | |- 0 <= Rmax _ _ => first [sgn_base | apply max_ge_l; solve [sgn] | apply max_ge_r; solve [sgn]]
  | |- 0 < ln _ => first [sgn_base | apply ln_gt; first [sgn_base | nra]]
  | |- 0 <= ln _ => first [sgn_base | apply ln_ge; first [sgn_base | nra]]
  | |- _ => first [sgn_base | nra]
  end
with nz :=
  first
    [ assumption
    | lazymatch goal with
      | |- ?a * ?b <> 0 => apply times_ne; nz
      | |- / ?a <> 0 => apply inv_ne; nz
      | |- ?a ^ _ <> 0 => apply pow_nonzero; nz
      end
    | apply gt_ne; solve [sgn]
    | eapply opp_ne; [|solve [sgn]]; ring
    | match goal with
      | H : ?u <> 0 |- ?e <> 0 =>
          solve [ replace e with u by ring; exact H | replace e with (- u) by ring; now apply Ropp_neq_0_compat ]
      end
    | let Z := fresh in intro Z;
      match goal with H : ?u <> 0 |- _ => solve [apply H; nra | apply H; rewrite <- (Rmult_0_l 0); nra] end
    | let Z := fresh in intro Z; match goal with H : 0 < ?u |- _ => solve [clear -H Z; nra] end
    | lra | nra ].

Ltac nzs := repeat match goal with |- _ /\ _ => split end; first [nz | assumption].

Ltac fld := first [reflexivity | ring | field; nzs].

Ltac ln_split :=
  repeat first
    [rewrite ln_1 | rewrite ln_exp | rewrite ln_mult by sgn | rewrite ln_Rinv by sgn | rewrite ln_pow by sgn];
  cbn [INR].

Ltac ln_factors := ln_split; fld.

Ltac closed_functions :=
  unfold Rpower, sinh, cosh, tanh in *;
  repeat match goal with |- context [root ?q ?x] => rewrite (root_exp q x) by (first [lra | interval]); cbn [INR] end.

(** The larger and the smaller of two numbers. *)
Ltac picks :=
  repeat match goal with
  | |- context [Rmax ?a ?b] => rewrite (Rmax_left a b) by (first [lra | interval])
  | |- context [Rmax ?a ?b] => rewrite (Rmax_right a b) by (first [lra | interval])
  | |- context [Rmin ?a ?b] => rewrite (Rmin_left a b) by (first [lra | interval])
  | |- context [Rmin ?a ?b] => rewrite (Rmin_right a b) by (first [lra | interval])
  end.

Ltac closed :=
  picks;
  first
    [ lra
    | interval
    | closed_functions; first [lra | interval | interval with (i_prec 128) | interval with (i_prec 400)] ].

(** A sum of products of what is not negative; where each factor may vanish, once where it does and once where it does
    not. *)
Ltac corners :=
  first
    [ solve [sgn]
    | match goal with H : 0 <= ?u |- 0 < _ => destruct (Rle_lt_or_eq_dec 0 u H); [clear H|clear H]; corners end
    | nra ].

(** * Atoms of algebra: what is known of a maximum, a minimum, an absolute value, a root, a reciprocal *)

Ltac max_laws := unfold Rmax; repeat destruct Rle_dec; first [lra | nra].
Ltac min_laws := unfold Rmin; repeat destruct Rle_dec; first [lra | nra].
Ltac abs_laws := unfold Rabs; repeat destruct Rcase_abs; first [lra | nra].
Ltac atom_laws :=
  first
    [ solve [sgn]
    | fld
    | match goal with
      | |- context [sqrt ?b ^ 2] => rewrite (sqrt_square b) by sgn; fld
      | |- context [root ?q ?b ^ ?q] => rewrite (root_pow q b) by (first [sgn | auto with arith]); fld
      end ].

(** The conditions of a goal are hypotheses by now, and so is the goal. *)
Ltac conditions := repeat first [assumption | split].

(** A fact about numbers, which may be an equation. *)
Ltac at_point :=
  first
    [ closed
    | fld
    | match goal with
      | |- context [Rpower ?b (IZR (Zpos ?p))] =>
          let n := eval compute in (Pos.to_nat p) in
          rewrite (Rpower_whole b p) by lra; change (Pos.to_nat p) with n; lra
      end
    | unfold erf; picks; integral
    | match goal with
      | |- ?u <> ?v => first [apply Rlt_not_eq; closed | apply Rgt_not_eq; closed]
      end
    | unfold Rmin, Rmax, Rabs; repeat destruct Rcase_abs; repeat destruct Rle_dec; first [closed | exfalso; closed] ].
