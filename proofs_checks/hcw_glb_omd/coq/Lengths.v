(* Arms of length min (1, g_t/c) in round t: loud rounds show the parameter at full length, quiet ones in proportion to
   their dispersion, so that no round tells more for what it costs than another.
     capped_sum        V = sum of min (g_t, c), which is c times the sum of the lengths
     capped_radius     n c / (2 sqrt x), the size of the parameter; x is V times the largest slope
     lengths_small     at most that size, the divergences of a flipped sign add up to at most 1/2 *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Definition length_of (c : R) (g : nat -> R) (t : nat) : R := Num.min 1 (g t / c).
Definition capped_sum (c : R) (g : nat -> R) (T : nat) : R := \sum_(t < T) Num.min (g t) c.
Definition capped_radius (n : nat) (c x : R) : R := n%:R * c / (2 * sqrt x).

Section Lengths.
Variables (n T : nat) (c : R) (g : nat -> R).
Hypothesis n_gt0 : (0 < n)%N.
Hypothesis T_gt0 : (0 < T)%N.
Hypothesis c_gt0 : 0 < c.
Hypothesis g_gt0 : forall t, 0 < g t.
Let len := length_of c g.
Let V := capped_sum c g T.
Let cn : c != 0. Proof. by rewrite gt_eqF. Qed.

Lemma length_ge0 t : 0 <= len t.
Proof. by rewrite le_minr ler01 divr_ge0 ?ltW. Qed.
Lemma length_le1 t : len t <= 1.
Proof. by rewrite le_minl lexx. Qed.
Lemma length_capped t : len t = Num.min (g t) c / c.
Proof.
rewrite /len /length_of; case: (leP (g t) c) => h; first by apply/min_idPr; rewrite ler_pdivr_mulr ?mul1r.
by rewrite divff //; apply/min_idPl; rewrite ler_pdivl_mulr // mul1r ltW.
Qed.
Lemma lengths_total : \sum_(t < T) len t = V / c.
Proof. by rewrite mulr_suml; apply: eq_bigr => t _; exact: length_capped. Qed.

Lemma capped_gt0 : 0 < V.
Proof.
have pos t : 0 < Num.min (g t) c by rewrite lt_minr g_gt0.
rewrite /V /capped_sum; case: T T_gt0 => // k _; rewrite big_ord_recl.
by rewrite ltr_paddr // sumr_ge0 // => t _; apply/ltW.
Qed.

(* A round tells at most its length over c. *)
Lemma length_tells t : len t ^+ 2 / g t <= len t / c.
Proof.
rewrite expr2 -mulrA; apply: ler_wpmul2l; first exact: length_ge0.
by rewrite ler_pdivr_mulr // mulrC le_minl lexx orbT.
Qed.

Lemma lengths_small (B w : R) : 0 < B -> 0 <= w -> w <= capped_radius n c (B * V) ->
  4 * (B * \sum_(t < T) (len t * w) ^+ 2 / g t) <= n%:R ^+ 2.
Proof.
move=> B0 w0 wle; have V0 := capped_gt0; have BV : 0 < B * V by rewrite mulr_gt0.
have r0 := sqrt_gt0 BV; have rr := sqrt_sq (ltW BV).
have sum : \sum_(t < T) (len t * w) ^+ 2 / g t <= w ^+ 2 * (V / c / c).
  rewrite -lengths_total mulr_suml mulr_sumr; apply: ler_sum => t _.
  by rewrite exprMn [len t ^+ 2 * _]mulrC -mulrA; apply: ler_wpmul2l; [exact: sqr_ge0 | exact: length_tells].
apply: le_trans (ler_wpmul2l (ler0n _ 4) (ler_wpmul2l (ltW B0) sum)) _.
have w2 : (2 * (w * sqrt (B * V))) ^+ 2 <= (n%:R * c) ^+ 2.
  have wr0 : 0 <= 2 * (w * sqrt (B * V)) by rewrite mulr_ge0 ?ler0n // mulr_ge0 // ltW.
  have nc0 : 0 <= n%:R * c by rewrite mulr_ge0 ?ler0n ?(ltW c_gt0).
  rewrite ler_sqr ?nnegrE //.
  by move: wle; rewrite /capped_radius ler_pdivl_mulr ?mulr_gt0 ?ltr0n // mulrCA.
have cc : 0 < c ^+ 2 by rewrite exprn_gt0.
suff : 4 * (B * (w ^+ 2 * (V / c / c))) * c ^+ 2 <= n%:R ^+ 2 * c ^+ 2 by rewrite (ler_pmul2r cc).
rewrite -[n%:R ^+ 2 * _]exprMn; apply: le_trans w2; rewrite le_eqVlt; apply/orP; left; apply/eqP.
have one : c^-1 * c = 1 by rewrite mulVf.
have square (r x : R) : r * r = x -> (2 * (w * r)) ^+ 2 = 4 * (w ^+ 2 * x) by move=> <-; clear; to_R; lra.
rewrite (square _ _ rr).
have -> : 4 * (B * (w ^+ 2 * (V / c / c))) * c ^+ 2 = 4 * (w ^+ 2 * (B * V)) * ((c^-1 * c) * (c^-1 * c)).
  by move: c^-1 V => u v; clear; to_R; lra.
by rewrite one !mulr1.
Qed.

Lemma lengths_pay (a w : R) : \sum_(t < T) a * (len t * w) / 2 = a * w * V / (2 * c).
Proof.
have -> : a * w * V / (2 * c) = a * w / 2 * (V / c) by rewrite invfM; move: c^-1 V 2^-1 => u v x; to_R; lra.
rewrite -lengths_total mulr_sumr; apply: eq_bigr => t _.
by move: (len t) => u; to_R; lra.
Qed.
End Lengths.

(* One dispersion: c = g gives arms of length 1. *)
Lemma length_constant (v : R) t : 0 < v -> length_of v (fun=> v) t = 1.
Proof. by move=> v0; rewrite /length_of divff ?gt_eqF // minxx. Qed.
Lemma capped_constant (v : R) T : capped_sum v (fun=> v) T = v * T%:R.
Proof. by rewrite /capped_sum minxx sumr_const card_ord -[_ *+ T]mulr_natr. Qed.
