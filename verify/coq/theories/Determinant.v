(* Determinants of positive definite matrices: the determinant lemma for a rank-one update, and
   det A <= (tr A / d)^d by Schur complements and the inequality of the means. *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge QuadraticForm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* det (1 + u v^T) = 1 + v^T u: both are the determinant of the block matrix [1, -v^T; u, 1]. *)
Lemma det_outer d (u v : 'cV[R]_d) : \det (1%:M + u *m v^T) = 1 + dot v u.
Proof.
pose M := block_mx (1%:M : 'M[R]_1) (- v^T) u (1%:M : 'M[R]_d).
have e1 : M = block_mx 1%:M 0 u 1%:M *m block_mx 1%:M (- v^T) 0 (1%:M + u *m v^T).
  rewrite mulmx_block ?(mul1mx, mul0mx, mulmx1, mulmx0, addr0, add0r) /M.
  by rewrite mulmxN [- _ + _]addrC addrK.
have e2 : M = block_mx (1%:M + v^T *m u) (- v^T) 0 1%:M *m block_mx 1%:M 0 u 1%:M.
  rewrite mulmx_block ?(mul1mx, mul0mx, mulmx1, mulmx0, addr0, add0r) /M.
  by rewrite mulNmx addrK.
have d1 : \det M = \det (1%:M + u *m v^T).
  by rewrite e1 det_mulmx det_lblock det_ublock !det1 !mul1r.
rewrite -d1 e2 det_mulmx det_lblock det_ublock !det1 !mulr1 det_mx11 mxE [X in X + _]mxE.
by rewrite eqxx.
Qed.

Lemma det_update d (A : 'M[R]_d) k x : pd A ->
  \det (A + k *: outer x) = \det A * (1 + k * qf (invmx A) x).
Proof.
move=> pA; have uA := pd_unit pA.
have -> : A + k *: outer x = A *m (1%:M + (k *: (invmx A *m x)) *m x^T).
  rewrite mulmxDr mulmx1 mulmxA -scalemxAr mulmxA mulmxV // mul1mx.
  by rewrite -scalemxAl.
by rewrite det_mulmx det_outer dotZr -bf_dot.
Qed.

(* --- det <= (trace / d)^d ------------------------------------------------------------------------- *)

Section Schur.
Variables (n : nat) (A : 'M[R]_(1 + n)).
Hypothesis pA : pd A.
Let a := ulsubmx A 0 0.
Let b : 'cV[R]_n := dlsubmx A.
Let B := drsubmx A.
Definition schur := B - a^-1 *: outer b.

Lemma pd_block : A = block_mx a%:M b^T b B.
Proof.
rewrite -[LHS]submxK; congr block_mx; first by rewrite [LHS]mx11_scalar.
by have [sA _] := pA; rewrite -[in LHS]sA -trmx_dlsub.
Qed.

Lemma mx11M (X Y : 'M[R]_1) : (X *m Y) 0 0 = X 0 0 * Y 0 0.
Proof. by rewrite mxE big_ord1. Qed.

Lemma qf_block t y : qf A (col_mx t%:M y) = a * t ^+ 2 + 2 * t * dot b y + qf B y.
Proof.
rewrite {1}pd_block /qf /bf tr_col_mx tr_scalar_mx mul_row_block mul_row_col !mulmxDl mxE.
rewrite [X in X + _]mxE [X in _ + X]mxE !mx11M -/(dot b y) -/(qf B y).
have -> : (y^T *m b) 0 0 = dot b y by rewrite dotC.
have -> : (t%:M *m b^T *m y) 0 0 = t * dot b y by rewrite mul_scalar_mx -scalemxAl mxE.
by rewrite !mxE eqxx !mulr1n -/a; mlra.
Qed.

Lemma corner_gt0 : 0 < a.
Proof.
have [_ /(_ (col_mx 1%:M 0))] := pA; rewrite qf_block qf0 /dot mulmx0 mxE.
rewrite expr1n mulr1 mulr0 !addr0; apply.
apply/eqP => /matrixP/(_ (lshift n 0) 0); rewrite col_mxEu !mxE eqxx /= => h.
by move/eqP: h; rewrite oner_eq0.
Qed.

Lemma schur_pd : pd schur.
Proof.
have a0 := corner_gt0; have [sA pA'] := pA; split=> [|y y0].
  rewrite /symmetric /schur linearB /= linearZ /= outer_sym /B; congr (_ - _).
  by rewrite trmx_drsub sA.
have ne : col_mx (- (dot b y / a))%:M y != 0 :> 'cV[R]_(1 + n).
  by apply: contra y0; rewrite col_mx_eq0 => /andP[].
have := pA' _ ne; rewrite qf_block /schur -scaleNr qf_update.
have f : a^-1 * dot b y ^+ 2 = dot b y / a * dot b y by rewrite expr2 mulrA [a^-1 * _]mulrC.
have [t [e1 e2]] : exists t, dot b y / a = t /\ dot b y = t * a.
  by exists (dot b y / a); rewrite divfK // gt_eqF.
by rewrite mulNr f e1 e2; clear; mlra.
Qed.

Lemma det_schur : \det A = a * \det schur.
Proof.
have a0 := corner_gt0.
have -> : A = block_mx 1%:M 0 (a^-1 *: b) 1%:M *m block_mx a%:M b^T 0 schur :> 'M[R]_(1 + n).
  rewrite mulmx_block {1}pd_block ?(mul1mx, mul0mx, mulmx1, mulmx0, addr0, add0r).
  congr block_mx; first by rewrite mul_mx_scalar scalerA divff ?scale1r // gt_eqF.
  by rewrite -scalemxAl /schur addrC subrK.
by rewrite det_mulmx det_lblock det_ublock !det1 !mul1r det_scalar1.
Qed.

Lemma trace_schur : a + \tr schur <= \tr A.
Proof.
rewrite {1}pd_block mxtrace_block mxtrace_scalar mulr1n ler_add2l /schur.
rewrite linearB /= linearZ /= ler_subl_addr ler_addl mulr_ge0 ?invr_ge0 ?(ltW corner_gt0) //.
by rewrite /outer mxtrace_mulC trace_mx11; apply: dot_ge0.
Qed.
End Schur.

(* det A is a product of d positive numbers whose sum is at most the trace. *)
Lemma pivots d (A : 'M[R]_d) : pd A ->
  exists p : 'I_d -> R, [/\ forall i, 0 < p i, \det A = \prod_i p i & \sum_i p i <= \tr A].
Proof.
elim: d A => [|n IH] A pA.
  by exists (fun _ => 1); split; rewrite ?det_mx00 /mxtrace ?big_ord0 ?lexx // => i; rewrite ltr01.
have [p [p0 pd ps]] := IH _ (@schur_pd n A pA).
exists (fun i => if unlift ord0 i is Some j then p j else ulsubmx (A : 'M_(1 + n)) 0 0); split.
- by move=> i; case: unliftP => [j _|_]; [apply: p0 | apply: (corner_gt0 pA)].
- rewrite (det_schur pA) pd big_ord_recl unlift_none; congr (_ * _).
  by apply: eq_bigr => i _; rewrite liftK.
- rewrite big_ord_recl unlift_none; apply: le_trans (trace_schur pA); rewrite ler_add2l.
  by apply: le_trans ps; apply: ler_sum => i _; rewrite liftK.
Qed.

Lemma det_gt0 d (A : 'M[R]_d) : pd A -> 0 < \det A.
Proof. by move=> /pivots[p [p0 -> _]]; apply: prodr_gt0. Qed.

Theorem det_le_trace d (A : 'M[R]_d) : pd A -> \det A <= (\tr A / d%:R) ^+ d.
Proof.
move=> /pivots[p [p0 -> ps]].
have := (leif_AGM (A := 'I_d) (E := p) (fun i _ => ltW (p0 i))).1; rewrite card_ord => h.
apply: le_trans h _; apply: ler_expn2r.
- by rewrite nnegrE divr_ge0 ?ler0n // sumr_ge0 // => i _; apply: ltW.
- rewrite nnegrE divr_ge0 ?ler0n //; apply: le_trans ps; rewrite sumr_ge0 // => i _; exact: ltW.
- by rewrite ler_wpmul2r // invr_ge0 ler0n.
Qed.
