(* Quadratic forms of symmetric matrices over R: positive definiteness, Cauchy-Schwarz in dual norms,
   rank-one updates, and the order of inverses.
     dot x y = <x, y>,  bf A x y = x^T A y,  qf A x = |x|^2 in the norm of A,  outer x = x x^T. *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Forms.
Variable d : nat.
Implicit Types (A B H : 'M[R]_d) (x y u v : 'cV[R]_d) (k t : R).

Definition dot x y : R := (x^T *m y) 0 0.
Definition bf A x y : R := (x^T *m A *m y) 0 0.
Definition qf A x : R := bf A x x.
Definition outer x : 'M[R]_d := x *m x^T.

Definition symmetric A := A^T = A.
Definition psd A := symmetric A /\ forall x, 0 <= qf A x.
Definition pd A := symmetric A /\ forall x, x != 0 -> 0 < qf A x.

Lemma bfDl A x y z : bf A (x + y) z = bf A x z + bf A y z.
Proof. by rewrite /bf linearD /= !mulmxDl mxE. Qed.
Lemma bfDr A x y z : bf A z (x + y) = bf A z x + bf A z y.
Proof. by rewrite /bf mulmxDr mxE. Qed.
Lemma bfZl A k x z : bf A (k *: x) z = k * bf A x z.
Proof. by rewrite /bf linearZ /= -!scalemxAl mxE. Qed.
Lemma bfZr A k x z : bf A z (k *: x) = k * bf A z x.
Proof. by rewrite /bf -scalemxAr mxE. Qed.
Lemma bfNl A x z : bf A (- x) z = - bf A x z.
Proof. by rewrite -scaleN1r bfZl mulN1r. Qed.
Lemma bfNr A x z : bf A z (- x) = - bf A z x.
Proof. by rewrite -scaleN1r bfZr mulN1r. Qed.
Lemma bfDm A B x y : bf (A + B) x y = bf A x y + bf B x y.
Proof. by rewrite /bf mulmxDr mulmxDl mxE. Qed.
Lemma bfZm A k x y : bf (k *: A) x y = k * bf A x y.
Proof. by rewrite /bf -scalemxAr -scalemxAl mxE. Qed.
Lemma bfC A x y : symmetric A -> bf A x y = bf A y x.
Proof.
move=> sA; have -> : bf A x y = ((x^T *m A *m y)^T) 0 0 by rewrite mxE.
by rewrite trmx_mul trmx_mul trmxK sA mulmxA.
Qed.
Lemma bf1 x y : bf 1%:M x y = dot x y.
Proof. by rewrite /bf /dot mulmx1. Qed.
Lemma dotC x y : dot x y = dot y x.
Proof. by rewrite -!bf1 bfC // /symmetric trmx1. Qed.
Lemma dotDl x y z : dot (x + y) z = dot x z + dot y z.
Proof. by rewrite -!bf1 bfDl. Qed.
Lemma dotDr x y z : dot z (x + y) = dot z x + dot z y.
Proof. by rewrite -!bf1 bfDr. Qed.
Lemma dotZl k x z : dot (k *: x) z = k * dot x z.
Proof. by rewrite -!bf1 bfZl. Qed.
Lemma dotZr k x z : dot z (k *: x) = k * dot z x.
Proof. by rewrite -!bf1 bfZr. Qed.
Lemma dotBr x y z : dot z (x - y) = dot z x - dot z y.
Proof. by rewrite -!bf1 bfDr bfNr. Qed.
Lemma dotBl x y z : dot (x - y) z = dot x z - dot y z.
Proof. by rewrite -!bf1 bfDl bfNl. Qed.

Lemma bf_dot A x y : bf A x y = dot x (A *m y).
Proof. by rewrite /bf /dot mulmxA. Qed.

Lemma dot_sum x : dot x x = \sum_i x i 0 ^+ 2.
Proof. by rewrite /dot mxE; apply: eq_bigr => i _; rewrite mxE expr2. Qed.
Lemma dot_ge0 x : 0 <= dot x x.
Proof. by rewrite dot_sum; apply: sumr_ge0 => i _; apply: sqr_ge0. Qed.
Lemma dot_gt0 x : x != 0 -> 0 < dot x x.
Proof.
move=> x0; rewrite lt_neqAle dot_ge0 andbT eq_sym; apply: contra x0.
rewrite dot_sum psumr_eq0 => [/allP h|i _]; last exact: sqr_ge0.
apply/eqP/matrixP => i j; rewrite ord1 mxE.
by have /h := mem_index_enum i; rewrite sqrf_eq0 => /eqP.
Qed.

Lemma qf0 A : qf A 0 = 0.
Proof. by rewrite /qf /bf mulmx0 mxE. Qed.
Lemma qfZ A k x : qf A (k *: x) = k ^+ 2 * qf A x.
Proof. by rewrite /qf bfZl bfZr mulrA expr2. Qed.
Lemma qfN A x : qf A (- x) = qf A x.
Proof. by rewrite /qf bfNl bfNr opprK. Qed.
Lemma qfD A x y : symmetric A -> qf A (x + y) = qf A x + 2 * bf A x y + qf A y.
Proof. by move=> sA; rewrite /qf bfDl !bfDr (bfC y x sA); mlra. Qed.
Lemma qfB A x y : symmetric A -> qf A (x - y) = qf A x - 2 * bf A x y + qf A y.
Proof. by move=> sA; rewrite qfD // qfN bfNr; mlra. Qed.

Lemma bf_outer x y z : bf (outer x) y z = dot x y * dot x z.
Proof.
rewrite /bf /outer mulmxA -mulmxA mxE big_ord1.
by rewrite -/(dot y x) -/(dot x z) dotC.
Qed.
Lemma outer_sym x : symmetric (outer x).
Proof. by rewrite /symmetric /outer trmx_mul trmxK. Qed.
Lemma qf_update A k x y : qf (A + k *: outer x) y = qf A y + k * dot x y ^+ 2.
Proof. by rewrite /qf bfDm bfZm bf_outer expr2. Qed.

Lemma pd_psd A : pd A -> psd A.
Proof.
move=> [sA pA]; split=> // x; case: (eqVneq x 0) => [->|/pA/ltW //].
by rewrite qf0.
Qed.

(* The discriminant of t |-> |x - t y|^2. *)
Lemma cauchy_schwarz_psd A x y : psd A -> bf A x y ^+ 2 <= qf A x * qf A y.
Proof.
move=> [sA pA].
have q t : 0 <= qf A x - 2 * t * bf A x y + t ^+ 2 * qf A y.
  by have := pA (x - t *: y); rewrite qfB // qfZ bfZr; congr (0 <= _); mlra.
have := q (bf A x y); have := pA y; have := pA x.
case: (eqVneq (qf A y) 0) => [y0 _ _ _|y0 px py _].
  rewrite y0 mulr0; have [->|b0] := eqVneq (bf A x y) 0; first by rewrite expr0n.
  have := q ((qf A x + 1) / (2 * bf A x y)); rewrite y0 mulr0 addr0.
  have -> : 2 * ((qf A x + 1) / (2 * bf A x y)) * bf A x y = qf A x + 1.
    have bR : bf A x y <> R0 by apply/eqP.
    by move: bR; generalize (bf A x y) (qf A x) => b a bR; to_R; field.
  by move=> h; exfalso; mlra.
have yp : 0 < qf A y by rewrite lt_neqAle eq_sym y0 py.
have [t e] : exists t, bf A x y = t * qf A y by exists (bf A x y / qf A y); rewrite divfK.
have := q t; rewrite e; move: yp; generalize (qf A y) (qf A x) => c a c0 h.
have h1 : t ^+ 2 * c <= a by mlra.
by have := ler_wpmul2r (ltW c0) h1; clear; mlra.
Qed.

Lemma pd_unit A : pd A -> A \in unitmx.
Proof.
move=> [sA pA]; rewrite -row_free_unit -kermx_eq0; apply/eqP/row_matrixP => i.
rewrite row0; apply/eqP; apply: contraT => r0.
have t0 : (row i (kermx A))^T != 0 by rewrite trmx_eq0.
have := pA _ t0; rewrite /qf /bf trmxK -row_mul mulmx_ker row0 mul0mx mxE.
by rewrite ltxx.
Qed.

Lemma pd_invmx_sym A : pd A -> symmetric (invmx A).
Proof. by move=> [sA _]; rewrite /symmetric trmx_inv sA. Qed.

Lemma bf_inv A x y : pd A -> bf A (invmx A *m x) y = dot x y.
Proof.
move=> pA; rewrite /bf trmx_mul -!mulmxA (mulmxA _ A) /dot.
by rewrite -[X in X *m A]trmxK trmxK pd_invmx_sym // mulVmx ?pd_unit // mul1mx.
Qed.

Lemma qf_inv A x : pd A -> qf A (invmx A *m x) = qf (invmx A) x.
Proof. by move=> pA; rewrite /qf bf_inv // -bf_dot. Qed.

Lemma qf_inv_ge0 A x : pd A -> 0 <= qf (invmx A) x.
Proof. by move=> pA; rewrite -qf_inv //; case: (pd_psd pA). Qed.

Lemma invmx_psd A : pd A -> psd (invmx A).
Proof. by move=> pA; split; [apply: pd_invmx_sym | move=> x; apply: qf_inv_ge0]. Qed.

(* <x, y>^2 <= |x|^2 |y|^2, the first norm that of the inverse. *)
Lemma cauchy_schwarz_dual A x y : pd A -> dot x y ^+ 2 <= qf (invmx A) x * qf A y.
Proof.
move=> pA; rewrite -(bf_inv x y pA) -(qf_inv x pA).
exact/cauchy_schwarz_psd/pd_psd.
Qed.

(* A <= H in the Loewner order turns around for the inverses. *)
Definition loewner A H := forall x, qf A x <= qf H x.

Lemma loewner_inv A H x : pd A -> pd H -> loewner A H -> qf (invmx H) x <= qf (invmx A) x.
Proof.
move=> pA pH le; have cs := cauchy_schwarz_dual x (invmx H *m x) pA.
have e : dot x (invmx H *m x) = qf (invmx H) x by rewrite -bf_dot.
rewrite e in cs; have := le (invmx H *m x); rewrite qf_inv // => l.
have a0 := qf_inv_ge0 x pA; have h0 := qf_inv_ge0 x pH.
have cs2 : qf (invmx H) x ^+ 2 <= qf (invmx A) x * qf (invmx H) x.
  exact: le_trans cs (ler_wpmul2l a0 l).
by move: cs2 a0 h0; clear; mnra.
Qed.

Lemma scalar_pd k : 0 < k -> pd (k%:M).
Proof.
move=> k0; split=> [|x x0]; first by rewrite /symmetric tr_scalar_mx.
by rewrite /qf -scalemx1 bfZm bf1 mulr_gt0 // dot_gt0.
Qed.
Lemma qf_scalar k x : qf k%:M x = k * dot x x.
Proof. by rewrite /qf -scalemx1 bfZm bf1. Qed.
Lemma qf_inv_scalar k x : 0 < k -> qf (invmx k%:M) x = dot x x / k.
Proof. by move=> k0; rewrite invmx_scalar qf_scalar mulrC. Qed.

(* |x|^2 in the inverse is at most |x|^2 / k for H >= k I. *)
Lemma qf_inv_le H k x : 0 < k -> pd H -> (forall y, k * dot y y <= qf H y) -> qf (invmx H) x <= dot x x / k.
Proof.
move=> k0 pH le; rewrite -qf_inv_scalar //; apply: loewner_inv => //; first exact: scalar_pd.
by move=> y; rewrite qf_scalar.
Qed.

(* --- rank-one updates --------------------------------------------------------------------------- *)

Lemma update_pd A k x : pd A -> 0 <= k -> pd (A + k *: outer x).
Proof.
move=> [sA pA] k0; split=> [|y y0].
  by rewrite /symmetric linearD /= linearZ /= sA outer_sym.
by rewrite qf_update ltr_spaddl ?pA // mulr_ge0 // sqr_ge0.
Qed.

Lemma update_inv A k x : pd A -> 0 <= k ->
  invmx (A + k *: outer x) *m x = (1 + k * qf (invmx A) x)^-1 *: (invmx A *m x).
Proof.
move=> pA k0; set n := qf _ x; set B := A + _.
have n0 : 0 <= n by apply: qf_inv_ge0.
have pB : pd B by apply: update_pd.
have D0 : 1 + k * n != 0 by rewrite gt_eqF //; have := mulr_ge0 k0 n0; clear; mlra.
have e : B *m (invmx A *m x) = (1 + k * n) *: x.
  rewrite /B mulmxDl mulmxA mulmxV ?pd_unit // mul1mx -scalemxAl /outer -mulmxA.
  have -> : x^T *m (invmx A *m x) = n%:M.
    by rewrite [LHS]mx11_scalar /n /qf /bf -mulmxA.
  by rewrite mul_mx_scalar scalerA scalerDl scale1r.
apply: (can_inj (mulKmx (pd_unit pB))).
by rewrite mulKVmx ?pd_unit // -scalemxAr e scalerA mulVf // scale1r.
Qed.

(* Sherman-Morrison along x itself. *)
Lemma qf_update_inv A k x : pd A -> 0 <= k ->
  qf (invmx (A + k *: outer x)) x = qf (invmx A) x / (1 + k * qf (invmx A) x).
Proof.
move=> pA k0; rewrite [LHS]bf_dot update_inv // dotZr -bf_dot mulrC.
by [].
Qed.
End Forms.
