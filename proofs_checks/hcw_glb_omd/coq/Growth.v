(* Powers of logarithms against powers: how a printed order is refuted.
     beats_logarithms   T grows past every A (B + 5 log T)^n, with T beyond any T0 *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Lemma lnX (x : R) n : 0 < x -> ln (x ^+ n) = n%:R * ln x.
Proof.
move=> x0; elim: n => [|n IH]; first by rewrite expr0 mul0r ln_1.
rewrite exprS mulrSr mulrDl mul1r -IH addrC; apply: ln_mult; first exact: lt_R.
by apply: lt_R; rewrite exprn_gt0.
Qed.

Lemma ln_two : 0 <= ln 2 <= 1.
Proof.
have e : (2 : R) = IZR 2 by to_R; lra.
rewrite e; apply/andP; split; apply/RleP; last by have := @ln_le_sub1 (IZR 2); to_R; lra.
by have := @ln_mono (IZR 1) (IZR 2); rewrite ln_1; to_R; lra.
Qed.

(* T = 2^((n + 1) j) with j large. *)
Lemma beats_logarithms (A B : R) (n T0 : nat) : 0 <= B ->
  exists T : nat, [/\ (T0 <= T)%N, (1 < T)%N & A * (B + 5 * ln T%:R) ^+ n < T%:R].
Proof.
move=> B0; pose M : R := B + 5 * n.+1%:R; have M0 : 0 <= M by rewrite addr_ge0 // mulr_ge0 ?ler0n.
pose j := (maxn (Num.bound (`|A| * M ^+ n)) T0).+1; pose T := (2 ^ (n.+1 * j))%N.
have jT : (j < T)%N by apply: leq_trans (ltn_expl j (ltnSn 1)) _; rewrite leq_exp2l // leq_pmull.
exists T; split; first by apply: leq_trans (ltnW jT); rewrite leqW // leq_maxr.
  by apply: leq_ltn_trans jT.
have TE : T%:R = (2 ^+ j) ^+ n.+1 :> R by rewrite natrX mulnC exprM.
have lnT : ln T%:R = n.+1%:R * j%:R * ln 2 by rewrite natrX lnX ?ltr0n // natrM.
have j1 : 1 <= j%:R :> R by rewrite ler1n.
have /andP[l0 l1] := ln_two.
have ell0 : 0 <= B + 5 * ln T%:R by rewrite lnT addr_ge0 // !mulr_ge0 ?ler0n.
have ell : B + 5 * ln T%:R <= M * j%:R.
  rewrite lnT /M [leRHS]mulrDl; apply: ler_add; first by rewrite -[leLHS]mulr1 ler_wpmul2l.
  rewrite -[leRHS]mulrA ler_wpmul2l ?ler0n // -[leRHS]mulr1.
  by rewrite ler_wpmul2l // mulr_ge0 ?ler0n.
have step : A * (B + 5 * ln T%:R) ^+ n <= `|A| * M ^+ n * j%:R ^+ n.
  apply: le_trans (ler_wpmul2r (exprn_ge0 n ell0) (ler_norm A)) _.
  by rewrite -mulrA ler_wpmul2l ?normr_ge0 // -exprMn ler_expn2r ?nnegrE ?mulr_ge0 ?ler0n.
apply: le_lt_trans step _; apply: lt_le_trans (_ : j%:R ^+ n.+1 <= _); last first.
  by rewrite TE ler_expn2r ?nnegrE ?exprn_ge0 ?ler0n // -natrX ler_nat ltnW // ltn_expl.
rewrite exprS ltr_pmul2r ?exprn_gt0 ?ltr0n //; apply: lt_le_trans (archi_boundP _) _.
  by rewrite mulr_ge0 ?normr_ge0 ?exprn_ge0.
by rewrite ler_nat leqW // leq_maxl.
Qed.
