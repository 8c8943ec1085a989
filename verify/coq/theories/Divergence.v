(* The Kullback-Leibler divergence on finite spaces and along a process.
     kl p q               sum of p ln (p / q)
     path_kl p q t h      of the laws of t rounds, by the chain rule
     donsker_varadhan     mean of F under p <= divergence + ln of the mean of e^F under q
     pinsker              for 0 <= f <= 1 the means of f differ by at most the root of half the divergence *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar HoeffdingNumbers FiniteProcess.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section OneRound.
Variable X : finType.
Implicit Types p q : X -> R.

Definition kl p q : R := \sum_x p x * ln (p x / q x).
(* q has mass wherever p has. *)
Definition dominated p q := forall x, 0 < p x -> 0 < q x.

Lemma exp_gt0 (x : R) : 0 < exp x.
Proof. exact/RltP/exp_pos. Qed.

Lemma mean_exp_gt0 q (phi : X -> R) : law_of q -> 0 < \sum_x q x * exp (phi x).
Proof.
move=> [q0 q1]; rewrite lt_neqAle eq_sym sumr_ge0 ?andbT => [|x _]; last by rewrite mulr_ge0 ?(ltW (exp_gt0 _)).
rewrite psumr_eq0 => [|x _]; last by rewrite mulr_ge0 ?(ltW (exp_gt0 _)).
apply/negP => /allP zero; have : \sum_x q x = 0.
  rewrite big1 // => x _; have := zero x (mem_index_enum _); rewrite /= mulf_eq0.
  by rewrite (gt_eqF (exp_gt0 _)) orbF => /eqP.
by move/eqP; rewrite q1 oner_eq0.
Qed.

(* One term: a (phi - ln (a / b) - c) <= b e^(phi - c) - a. *)
Lemma gibbs_term (a b phi z : R) : 0 <= a -> (0 < a -> 0 < b) -> 0 <= b -> 0 < z ->
  a * (phi - ln (a / b) - ln z) <= b * exp phi / z - a.
Proof.
move=> a0 ab b0 z0; move: a0; rewrite le_eqVlt => /orP[/eqP <-|a0].
  by rewrite mul0r subr0 divr_ge0 ?(ltW z0) // mulr_ge0 ?(ltW (exp_gt0 _)).
have {ab b0} b0 := ab a0; pose u := b * exp phi / (a * z).
have u0 : 0 < u by rewrite divr_gt0 ?mulr_gt0 // exp_gt0.
have lnu : ln u = phi - ln (a / b) - ln z.
  have pa := lt_R a0; have pb := lt_R b0; have pz := lt_R z0; have pe := exp_pos phi.
  rewrite /u !inv_R.
  rewrite [ln (b * exp phi * Rinv (a * z))](ln_mult (b * exp phi)); [| exact: Rmult_lt_0_compat |
    by apply: Rinv_0_lt_compat; exact: Rmult_lt_0_compat].
  rewrite ln_Rinv; last exact: Rmult_lt_0_compat.
  rewrite (ln_mult b) // (ln_mult a) // ln_exp (ln_mult a (Rinv b)) //; last exact: Rinv_0_lt_compat.
  by rewrite ln_Rinv //; to_R; lra.
rewrite -lnu; have e : b * exp phi / z - a = a * (u - 1).
  by rewrite /u invfM mulrBr mulr1 mulrCA mulVKf // gt_eqF.
rewrite e ler_wpmul2l ?(ltW a0) //.
by apply/RleP; apply: ln_le_sub1; exact: lt_R.
Qed.

Lemma donsker_varadhan1 p q (phi : X -> R) : law_of p -> law_of q -> dominated p q ->
  \sum_x p x * phi x - kl p q <= ln (\sum_x q x * exp (phi x)).
Proof.
move=> [p0 p1] lq pq; set z := \sum_x q x * exp _; have z0 : 0 < z := mean_exp_gt0 phi lq.
rewrite -subr_le0 -[X in _ - X]mul1r -p1 mulr_suml /kl -!sumrB.
apply: le_trans (_ : \sum_x (q x * exp (phi x) / z - p x) <= _).
  apply: ler_sum => x _; rewrite -!mulrBr; apply: gibbs_term => //; [exact: pq | by case: lq].
by rewrite sumrB p1 -mulr_suml mulfV ?gt_eqF // subrr.
Qed.
End OneRound.

Section Path.
Variables (M : finType) (p q : seq M -> M -> R).
Hypothesis law_p : forall h, law_of (p h).
Hypothesis law_q : forall h, law_of (q h).
Hypothesis pq : forall h, dominated (p h) (q h).

Fixpoint path_kl t h : R :=
  if t is t'.+1 then kl (p h) (q h) + \sum_m p h m * path_kl t' (rcons h m) else 0.

Lemma path_kl_le (kappa : nat -> R) t h : (forall h, kl (p h) (q h) <= kappa (size h)) ->
  path_kl t h <= \sum_(s < t) kappa (size h + s)%N.
Proof.
move=> le; elim: t h => [|t IH] h /=; first by rewrite big_ord0.
rewrite big_ord_recl addn0; apply: ler_add => //; rewrite -[leRHS](mean_cst (law_p h)).
apply: mean_le => // m; apply: le_trans (IH _) _; rewrite size_rcons.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => s _; rewrite addSnnS.
Qed.

Lemma expect_exp_gt0 (F : seq M -> R) t h : 0 < expect q (fun h => exp (F h)) t h.
Proof.
elim: t h => [|t IH] h /=; first exact: exp_gt0.
have e m : expect q (fun h => exp (F h)) t (rcons h m) = exp (ln (expect q (fun h => exp (F h)) t (rcons h m))).
  by rewrite (exp_ln _ (lt_R (IH _))).
by under eq_bigr do rewrite e; apply: mean_exp_gt0.
Qed.

Theorem donsker_varadhan (F : seq M -> R) t h :
  expect p F t h - path_kl t h <= ln (expect q (fun h => exp (F h)) t h).
Proof.
elim: t h => [|t IH] h /=; first by rewrite subr0 ln_exp.
pose phi m := ln (expect q (fun h => exp (F h)) t (rcons h m)).
apply: le_trans (_ : \sum_m p h m * phi m - kl (p h) (q h) <= _).
  rewrite opprD addrCA [X in _ <= X]addrC ler_add2l -sumrB; apply: ler_sum => m _.
  by rewrite -mulrBr; apply: ler_wpmul2l; [case: (law_p h) | exact: IH].
have := donsker_varadhan1 phi (law_p h) (law_q h) (@pq h).
have e m : exp (phi m) = expect q (fun h => exp (F h)) t (rcons h m).
  exact: (exp_ln _ (lt_R (expect_exp_gt0 F t (rcons h m)))).
by under [X in ln X]eq_bigr do rewrite e.
Qed.

Section Bounded.
Variables (f : seq M -> R) (t : nat) (h : seq M).
Hypothesis f01 : forall h, 0 <= f h <= 1.
Let Ep := expect p f t h.
Let Eq := expect q f t h.

Lemma pinsker_linear (l : R) : 0 <= l -> l * (Ep - Eq) <= path_kl t h + l ^+ 2 / 8.
Proof.
move=> l0; have := donsker_varadhan (fun h => l * f h) t h; rewrite expect_scale -/Ep.
have E0 : 0 <= Eq by apply: expect_ge0 => // h' _; case/andP: (f01 h').
have E1 : Eq <= 1 by rewrite -(expect_cst law_q 1 t h); apply: expect_le => // h' _; case/andP: (f01 h').
have chord : expect q (fun h => exp (l * f h)) t h <= 1 - Eq + Eq * exp l.
  rewrite [leRHS](_ : _ = expect q (fun h => 1 + (exp l - 1) * f h) t h).
    apply: expect_le => // h' _; case/andP: (f01 h') => a b.
    by have := exp_chord l (f h') (conj (le_R a) (le_R b)); to_R; lra.
  by rewrite expect_add expect_scale expect_cst // -/Eq; to_R; lra.
have lnle := ln_mono _ _ (lt_R (expect_exp_gt0 (fun h => l * f h) t h)) (le_R chord).
have hoeff := hoeffding_two_points Eq (conj (le_R E0) (le_R E1)) l (le_R l0).
move=> dv; have b1 := Rle_trans _ _ _ lnle hoeff; have := Rle_trans _ _ _ (le_R dv) b1.
by clear; generalize (path_kl t h) => k; to_R; lra.
Qed.
End Bounded.

Theorem pinsker (f : seq M -> R) t h : (forall h, 0 <= f h <= 1) ->
  2 * (expect p f t h - expect q f t h) ^+ 2 <= path_kl t h.
Proof.
move=> f01; case: (lerP (expect q f t h) (expect p f t h)) => le.
  have l0 : 0 <= 4 * (expect p f t h - expect q f t h) by rewrite mulr_ge0 ?ler0n // subr_ge0.
  by have := pinsker_linear t h f01 l0; generalize (expect p f t h - expect q f t h) (path_kl t h) => u v; clear; to_R; lra.
pose g h := 1 - f h; have g01 h' : 0 <= g h' <= 1 by rewrite subr_ge0 ler_subl_addl ler_addr andbC.
have l0 : 0 <= 4 * (expect q f t h - expect p f t h) by rewrite mulr_ge0 ?ler0n // subr_ge0 ltW.
have := pinsker_linear t h g01 l0; rewrite !expect_sub !expect_cst //.
by generalize (expect p f t h) (expect q f t h) (path_kl t h) => u v k; clear; to_R; lra.
Qed.
End Path.
