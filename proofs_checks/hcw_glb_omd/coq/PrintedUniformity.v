(* sec:lower-bound: the uniformity coefficient U of thm:lower-bound is said to be of order 1, up to logarithms, for
   dispersions that are approximately uniform; the negation.  Approximately uniform is read as equal up to a relative
   error of 1/T; the constant and the power of the logarithm are free, and T may be large.
     uniformity           U, from the sizes of the dyadic bins; L = ceil (log2 T)
     nearly_uniform_false an edge of a bin may fall just below g_max *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots Scalar.
From HCW Require Import Growth.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* The number of rounds whose dispersion lies in the l-th bin. *)
Definition bin (T : nat) (g_max : R) (g : nat -> R) (l : nat) : nat :=
  (\sum_(t < T) ((2 ^+ l.-1 * g_max / T%:R < g t)%R && (g t <= 2 ^+ l * g_max / T%:R)%R))%N.
Definition bin_term (T : nat) (g_max : R) (g : nat -> R) (l : nat) : R :=
  if (0 < bin T g_max g l)%N then sqrt (2 ^+ l / (bin T g_max g l)%:R) else 0.
Definition uniformity (T L : nat) (g_max : R) (g : nat -> R) : R :=
  (\sum_(1 <= l < L.+1) bin_term T g_max g l) / L%:R.

Definition nearly_uniform := exists (K : R) (n T0 : nat), forall (T L : nat) (g_max : R) (g : nat -> R),
  (T0 <= T)%N -> (1 < T)%N -> (T <= 2 ^ L)%N -> (2 ^ L < 2 * T)%N -> 0 < g_max ->
  (forall t, (1 - T%:R^-1) * g_max <= g t <= g_max) -> (exists2 t, (t < T)%N & g t = g_max) ->
  uniformity T L g_max g <= K * ln T%:R ^+ n.

Lemma bin_term_ge0 T g_max g l : 0 <= bin_term T g_max g l.
Proof. by rewrite /bin_term; case: ifP => _ //; exact: sqrt_ge0. Qed.

(* T = 2^k + 1: one round at g_max, the others at the edge 2^k/T, which is 1 - 1/T. *)
Section Edge.
Variable k : nat.
Let T := (2 ^ k).+1.
Definition edge (t : nat) : R := if t is 0%N then 1 else 1 - T%:R^-1.

Lemma edgeE : 1 - T%:R^-1 = 2 ^+ k * 1 / T%:R :> R.
Proof.
have t0 : T%:R != 0 :> R by rewrite pnatr_eq0.
by rewrite mulr1 -[X in X - _](mulfV t0) -[X in _ - X]mul1r -mulrBl /T -natrX -[(2 ^ k).+1]addn1 natrD addrK.
Qed.

Lemma last_bin : bin T 1 edge k.+1 = 1%N.
Proof.
have t0 : 0 < T%:R :> R by rewrite ltr0n.
have below : 1 - T%:R^-1 < 1 :> R by rewrite ltr_subl_addr ltr_addl invr_gt0.
rewrite /bin big_ord_recl big1 => [|t _] /=; last by rewrite -edgeE ltxx.
rewrite -edgeE below ler_pdivl_mulr // mul1r mulr1 -natrX ler_nat expnS mul2n -addnn /T -addn1 leq_add2l.
by rewrite expn_gt0.
Qed.

Lemma edge_uniformity : sqrt (2 ^+ k.+1) / k.+1%:R <= uniformity T k.+1 1 edge.
Proof.
rewrite /uniformity ler_wpmul2r ?invr_ge0 ?ler0n // big_nat_recr //= {2}/bin_term last_bin divr1.
by rewrite ler_addr; apply: sumr_ge0 => l _; exact: bin_term_ge0.
Qed.
End Edge.

Theorem nearly_uniform_false : ~ nearly_uniform.
Proof.
move=> [K [n [T0 small]]].
have [X [T0X X1 beats]] := beats_logarithms (K ^+ 2) (2 * n.+1) (maxn 4 (2 * T0)) (lexx (0 : R)).
have X4 : (4 <= X)%N := leq_trans (leq_maxl _ _) T0X.
pose k := trunc_log 2 X; have /andP[low high] := trunc_log_bounds (ltnSn 1) (ltnW X1); rewrite -/k in low high.
have k1 : (0 < k)%N by rewrite lt0n; apply/negP => /eqP k0; move: high; rewrite k0 expn1 ltnNge (leq_trans _ X4).
pose T := (2 ^ k).+1; have T1 : (1 < T)%N by rewrite ltnS expn_gt0.
have T0T : (T0 <= T)%N.
  rewrite leqW // -(leq_pmul2l (ltn0Sn 1)) -expnS (leq_trans _ (ltnW high)) //; exact: leq_trans (leq_maxr _ _) T0X.
have TL : (T <= 2 ^ k.+1)%N by rewrite expnS mul2n -addnn /T -addn1 leq_add2l expn_gt0.
have LT : (2 ^ k.+1 < 2 * T)%N by rewrite expnS ltn_pmul2l.
have near t : (1 - T%:R^-1) * 1 <= edge k t <= 1.
  have i0 : 0 <= T%:R^-1 :> R by rewrite invr_ge0 ler0n.
  by rewrite mulr1; case: t => [|t] /=; rewrite ?lexx ?andbT ler_subl_addr ler_addl.
have := small T k.+1 1 (edge k) T0T T1 TL LT ltr01 near (ex_intro2 _ _ 0%N isT erefl).
move=> /(le_trans (edge_uniformity k)); rewrite ler_pdivr_mulr ?ltr0n // => bound.
pose l := ln X%:R; have half : 2^-1 <= ln 2.
  have -> : (2 : R) = IZR 2 by to_R; lra.
  by apply/RleP; rewrite inv_R; have := @ln_ge_1_inv (IZR 2); lra.
have ln_le (y z : nat) : (0 < y)%N -> (y <= z)%N -> ln y%:R <= ln z%:R.
  by move=> y0 yz; apply/RleP/ln_mono; [apply: lt_R; rewrite ltr0n | apply: le_R; rewrite ler_nat].
have kl : k%:R * ln 2 <= l by rewrite -lnX ?ltr0n // -natrX; apply: ln_le; rewrite ?expn_gt0.
have steps : k.+1%:R <= 5 * l.
  have k1R : 1 <= k%:R :> R by rewrite ler1n.
  have := ler_wpmul2l (ler0n _ k) half; rewrite -[k.+1]addn1 natrD.
  by move: kl k1R; move: (k%:R * ln 2) (k%:R : R) l => a b c; clear; to_R; lra.
have lT : 0 <= ln T%:R <= 5 * l.
  have l0 : 0 <= l by rewrite -(@pmulr_rge0 _ 5) ?ltr0n // (le_trans _ steps) ?ler0n.
  have T0' : 0 <= ln T%:R by have := ln_le 1%N T isT (ltnW T1); rewrite ln_1.
  rewrite T0' /=; apply: le_trans (_ : ln (X ^ 2)%N%:R <= _).
    apply: ln_le => //; apply: leq_trans TL _; rewrite expnS expnS expn1 leq_mul // (leq_trans _ X4) //.
  by rewrite natrX lnX ?ltr0n ?(ltnW X1) // ler_wpmul2r // ler_nat.
have /andP[lT0 lT1] := lT; have l5 : 0 <= 5 * l := le_trans lT0 lT1.
have square : 2 ^+ k.+1 <= K ^+ 2 * (0 + 5 * l) ^+ (2 * n.+1).
  have p0 : 0 <= 2 ^+ k.+1 :> R by rewrite exprn_ge0 ?ler0n.
  rewrite -[leLHS](sqrt_sq p0) -expr2; apply: le_trans (_ : (K * ln T%:R ^+ n * k.+1%:R) ^+ 2 <= _).
    by rewrite ler_expn2r ?nnegrE ?sqrt_ge0 // (le_trans (sqrt_ge0 _) bound).
  rewrite add0r -mulrA exprMn ler_wpmul2l ?sqr_ge0 // mulnC exprM ler_expn2r ?nnegrE ?mulr_ge0 ?exprn_ge0 ?ler0n //.
  by rewrite exprSr ler_pmul ?exprn_ge0 ?ler0n // ler_expn2r.
have := le_lt_trans square beats; rewrite -natrX ltr_nat.
by move=> /ltn_trans/(_ high); rewrite ltnn.
Qed.
