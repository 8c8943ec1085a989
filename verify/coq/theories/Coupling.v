(* A coupling of two laws on a finite set of values that only moves downwards.
     coupling val q hi lo    q is a joint law of (y, y') with marginals hi and lo, and val y' <= val y
     coupling_of_crossing    it exists as soon as hi exceeds lo only at values above those where lo exceeds hi
     coupling_gap            the mean distance is the difference of the means *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge FiniteProcess.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Coupling.
Variables (Y : finType) (val : Y -> R).
Implicit Types (hi lo : Y -> R) (q : Y -> Y -> R).

Definition coupling q hi lo := [/\ forall y y', 0 <= q y y', forall y, \sum_y' q y y' = hi y,
  forall y', \sum_y q y y' = lo y' & forall y y', q y y' != 0 -> val y' <= val y].

Lemma coupling_gap q hi lo : coupling q hi lo ->
  \sum_y \sum_y' q y y' * `|val y' - val y| = \sum_y hi y * val y - \sum_y lo y * val y.
Proof.
move=> [_ mh ml down].
have -> : \sum_y hi y * val y = \sum_y \sum_y' q y y' * val y by apply: eq_bigr => y _; rewrite -mulr_suml mh.
have -> : \sum_y lo y * val y = \sum_y \sum_y' q y y' * val y'.
  by rewrite exchange_big; apply: eq_bigr => y' _; rewrite -mulr_suml ml.
rewrite -sumrB; apply: eq_bigr => y _; rewrite -sumrB; apply: eq_bigr => y' _; rewrite -mulrBr.
case: (eqVneq (q y y') 0) => [->|/down d]; first by rewrite !mul0r.
by rewrite distrC ger0_norm // subr_ge0.
Qed.

Section Crossing.
Variables hi lo : Y -> R.
Hypothesis law_hi : law_of hi.
Hypothesis law_lo : law_of lo.
Hypothesis crossing : forall y y', lo y < hi y -> hi y' < lo y' -> val y' <= val y.

Let up y : R := Num.max (hi y - lo y) 0.
Let down y : R := Num.max (lo y - hi y) 0.
Let moved := \sum_y up y.
(* What both laws have stays where it is; the excess of hi goes to where lo has more. *)
Definition moving y y' : R := (y' == y)%:R * Num.min (hi y) (lo y) + up y * down y' / moved.

Let up_ge0 y : 0 <= up y. Proof. by rewrite le_maxr lexx orbT. Qed.
Let down_ge0 y : 0 <= down y. Proof. by rewrite le_maxr lexx orbT. Qed.

Let up_down y : up y - down y = hi y - lo y.
Proof.
rewrite /up /down; case: (leP (hi y) (lo y)) => h.
  by rewrite (max_idPr _) ?subr_le0 // (max_idPl _) ?subr_ge0 // add0r opprB.
by rewrite (max_idPl _) ?subr_ge0 ?ltW // (max_idPr _) ?subr_le0 ?ltW // subr0.
Qed.

Let up_min y : up y + Num.min (hi y) (lo y) = hi y.
Proof.
rewrite /up; case: (leP (hi y) (lo y)) => h; first by rewrite (max_idPr _) ?subr_le0 // add0r.
by rewrite (max_idPl _) ?subr_ge0 ?ltW // subrK.
Qed.

Let down_min y : down y + Num.min (hi y) (lo y) = lo y.
Proof.
rewrite /down; case: (leP (hi y) (lo y)) => h; last by rewrite (max_idPr _) ?subr_le0 ?ltW // add0r.
by rewrite (max_idPl _) ?subr_ge0 // subrK.
Qed.

Let moved_down : \sum_y down y = moved.
Proof.
apply/eqP; rewrite eq_sym -subr_eq0 -sumrB; apply/eqP; under eq_bigr do rewrite up_down.
by rewrite sumrB; case: law_hi law_lo => _ -> [_ ->]; rewrite subrr.
Qed.

Let share_moved (f : Y -> R) : (forall y, 0 <= f y) -> \sum_y f y = moved -> forall y, f y * moved / moved = f y.
Proof.
move=> f0 tot y; case: (eqVneq moved 0) => [m0|m0]; last by rewrite mulfK.
have /eqP : \sum_y f y = 0 by rewrite tot.
by rewrite psumr_eq0 // => /allP/(_ y (mem_index_enum _))/eqP ->; rewrite !mul0r.
Qed.

Lemma coupling_of_crossing : coupling moving hi lo.
Proof.
split=> [y y'|y|y'|y y'].
- apply: addr_ge0; last by rewrite !mulr_ge0 // invr_ge0 sumr_ge0.
  by rewrite mulr_ge0 ?ler0n // le_minr; case: law_hi law_lo => -> _ [-> _].
- rewrite /moving big_split /= point_mean -mulr_suml -mulr_sumr moved_down share_moved //.
  by rewrite addrC up_min.
- rewrite /moving big_split /= -!mulr_suml -/moved.
  rewrite (eq_bigr (fun y => (y == y')%:R * Num.min (hi y) (lo y))) => [|y _]; last by rewrite eq_sym.
  by rewrite point_mean [moved * _]mulrC share_moved ?moved_down // addrC down_min.
rewrite /moving; case: (eqVneq y' y) => [->|_]; first by rewrite lexx.
rewrite mul0r add0r /up /down => nz; apply: crossing; rewrite ltNge; apply: contraNN nz; rewrite -subr_le0 => h.
  by rewrite (max_idPr h) !mul0r.
by rewrite (max_idPr h) mulr0 mul0r.
Qed.
End Crossing.
End Coupling.
