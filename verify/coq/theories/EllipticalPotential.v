(* The elliptical potential lemma, as repaired (lemma:epl, lemma:decomposition/eq5), for every dimension,
   with weights k_s >= 0 on the rounds: H_0 = lam I, H_{s+1} = H_s + k_s x_s x_s^T.
     logdet_sum        ln (det H_t / lam^d) = sum of ln (1 + u_s),  u_s = k_s |x_s|^2 in H_s^-1
     logdet_le         ln (det H_t / lam^d) <= d ln (1 + (sum of k_s |x_s|^2) / (d lam))
     potential_capped  sum of u_s <= (1 + cap/2) ln (det H_t / lam^d) when every u_s <= cap
     elliptical_potential   the lemma for |x_s|^2 <= X2 and k_s = 1 *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar QuadraticForm Determinant.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Potential.
Variables (d : nat) (lam : R) (k : nat -> R) (x : nat -> 'cV[R]_d) (H : nat -> 'M[R]_d).
Hypothesis lam_gt0 : 0 < lam.
Hypothesis k_ge0 : forall s, 0 <= k s.
Hypothesis H0 : H 0%N = lam%:M.
Hypothesis HS : forall s, H s.+1 = H s + k s *: outer (x s).

(* The squared norm of x_s in H_s^-1, and the term of the potential. *)
Definition width s := qf (invmx (H s)) (x s).
Definition term s := k s * width s.

Lemma design_pd t : pd (H t).
Proof. by elim: t => [|t IH]; rewrite ?H0 ?HS; [apply: scalar_pd | apply: update_pd]. Qed.

Lemma design_ge t y : lam * dot y y <= qf (H t) y.
Proof.
elim: t => [|t IH]; first by rewrite H0 qf_scalar.
by rewrite HS qf_update (le_trans IH) // ler_addl mulr_ge0 // sqr_ge0.
Qed.

Lemma design_mono s y : qf (H s) y <= qf (H s.+1) y.
Proof. by rewrite HS qf_update ler_addl mulr_ge0 // sqr_ge0. Qed.

Lemma width_ge0 s : 0 <= width s.
Proof. exact/qf_inv_ge0/design_pd. Qed.

Lemma width_le s : width s <= dot (x s) (x s) / lam.
Proof. by apply: qf_inv_le => //; [apply: design_pd | apply: design_ge]. Qed.

Lemma term_ge0 s : 0 <= term s.
Proof. by rewrite mulr_ge0 // width_ge0. Qed.

Lemma det_step s : \det (H s.+1) = \det (H s) * (1 + term s).
Proof. by rewrite HS det_update //; apply: design_pd. Qed.

Definition logdet t := ln (\det (H t) / lam ^+ d).

Lemma det_ratio_gt0 t : 0 < \det (H t) / lam ^+ d.
Proof. by rewrite divr_gt0 ?exprn_gt0 // det_gt0 //; apply: design_pd. Qed.

Lemma logdet0 : logdet 0 = 0.
Proof. by rewrite /logdet H0 det_scalar divff ?ln_1 // expf_neq0 // gt_eqF. Qed.

Lemma logdetS t : logdet t.+1 = logdet t + ln (1 + term t).
Proof.
rewrite /logdet det_step mulrAC; apply: ln_mult; apply/RltP; first exact: det_ratio_gt0.
by rewrite ltr_spaddl // ?ltr01 // term_ge0.
Qed.

Lemma logdet_sum t : logdet t = \sum_(s < t) ln (1 + term s).
Proof. by elim: t => [|t IH]; rewrite ?big_ord0 ?logdet0 // big_ord_recr /= logdetS IH. Qed.

Lemma ln_term_ge0 s : 0 <= ln (1 + term s).
Proof. by apply/RleP/ln_1p_ge0/RleP/term_ge0. Qed.

Lemma logdet_mono t : logdet t <= logdet t.+1.
Proof. by rewrite logdetS ler_addl ln_term_ge0. Qed.

Lemma logdet_ge0 t : 0 <= logdet t.
Proof. by rewrite logdet_sum sumr_ge0 // => s _; apply: ln_term_ge0. Qed.

Definition mass t := \sum_(s < t) k s * dot (x s) (x s).

Lemma mass_ge0 t : 0 <= mass t.
Proof. by apply: sumr_ge0 => s _; rewrite mulr_ge0 // dot_ge0. Qed.

Lemma trace_design t : \tr (H t) = d%:R * lam + mass t.
Proof.
elim: t => [|t IH]; first by rewrite H0 mxtrace_scalar /mass big_ord0 addr0 mulr_natl.
rewrite HS linearD linearZ /= IH /mass big_ord_recr /= -addrA; congr (_ + (_ + _)).
by rewrite /outer mxtrace_mulC trace_mx11.
Qed.

Theorem logdet_le t : (0 < d)%N -> logdet t <= d%:R * ln (1 + mass t / (d%:R * lam)).
Proof.
move=> d0; have dR : 0 < d%:R :> R by rewrite ltr0n.
have m0 : 0 <= mass t / (d%:R * lam) by rewrite divr_ge0 ?mass_ge0 // mulr_ge0 ?ltW.
have -> : d%:R * ln (1 + mass t / (d%:R * lam)) = ln ((1 + mass t / (d%:R * lam)) ^+ d).
  rewrite -RpowE ln_pow; first by rewrite -INRE.
  by apply/RltP; rewrite ltr_spaddl // ltr01.
apply/RleP/ln_mono; [apply/RltP/det_ratio_gt0 => // | apply/RleP].
rewrite ler_pdivr_mulr ?exprn_gt0 // -exprMn.
apply: le_trans (det_le_trace (design_pd t)) _.
rewrite trace_design le_eqVlt; apply/orP; left; apply/eqP; congr (_ ^+ _).
by clear m0; to_R; field; lra.
Qed.

(* Every term below `cap` is paid for by its logarithm. *)
Theorem potential_capped (cap : R) t : (forall s, (s < t)%N -> term s <= cap) ->
  \sum_(s < t) term s <= (1 + cap / 2) * logdet t.
Proof.
move=> hc; rewrite logdet_sum mulr_sumr; apply: ler_sum => s _.
have u0 := term_ge0 s; have l0 := ln_term_ge0 s; have c0 := hc s (ltn_ord s).
have := potential_term (term s) (le_R u0); move: u0 l0 c0.
rewrite -[Rplus 1 (term s)]/(1 + term s).
by generalize (term s) (ln (1 + term s)) => u l u0 l0 c0; mnra.
Qed.
End Potential.

(* lemma:epl repaired: the sum of |x_s|^2 in V_s^-1 is at most d (1 + X2/(2 lam)) ln (1 + t X2/(d lam)). *)
Theorem elliptical_potential (d : nat) (lam X2 : R) (x : nat -> 'cV[R]_d) (V : nat -> 'M[R]_d) (t : nat) :
  (0 < d)%N -> 0 < lam -> V 0%N = lam%:M -> (forall s, V s.+1 = V s + outer (x s)) ->
  (forall s, dot (x s) (x s) <= X2) ->
  \sum_(s < t) qf (invmx (V s)) (x s) <= d%:R * (1 + X2 / (2 * lam)) * ln (1 + t%:R * X2 / (d%:R * lam)).
Proof.
move=> d0 l0 V0 VS hx; have dR : 0 < d%:R :> R by rewrite ltr0n.
have X0 : 0 <= X2 by apply: le_trans (hx 0%N); apply: dot_ge0.
have k0 : forall s : nat, 0 <= (fun=> 1) s :> R by move=> s; apply: ler01.
have VS1 s : V s.+1 = V s + (fun=> 1) s *: outer (x s) by rewrite VS scale1r.
have cap s : (s < t)%N -> term (fun=> 1) x V s <= X2 / lam.
  move=> _; rewrite /term mul1r; apply: le_trans (width_le l0 k0 V0 VS1 s) _.
  by rewrite ler_wpmul2r // invr_ge0 ltW.
have := potential_capped l0 k0 V0 VS1 cap; rewrite (eq_bigr (fun s : 'I_t => qf (invmx (V s)) (x s))).
  have -> : X2 / (2 * lam) = X2 / lam / 2 by rewrite invfM mulrA mulrAC.
  move=> h; apply: le_trans h _; rewrite [d%:R * _]mulrC -[_ * d%:R * _]mulrA.
  apply: ler_wpmul2l.
    by rewrite addr_ge0 ?ler01 // divr_ge0 ?ler0n // divr_ge0 // ltW.
  apply: le_trans (logdet_le l0 k0 V0 VS1 t d0) _; rewrite ler_pmul2l //.
  have dl : 0 < d%:R * lam by rewrite mulr_gt0.
  apply/RleP/ln_mono; [apply/RltP | apply/RleP].
    by rewrite ltr_spaddl ?ltr01 // divr_ge0 ?(ltW dl) //; apply: mass_ge0.
  rewrite ler_add2l ler_wpmul2r ?invr_ge0 ?(ltW dl) // /mass.
  apply: le_trans (_ : _ <= \sum_(s < t) X2) _.
    by apply: ler_sum => s _; rewrite mul1r.
  by rewrite sumr_const card_ord mulr_natl lexx.
by move=> s _; rewrite /term mul1r.
Qed.

(* The premises can be met: constant unit vectors, lam = 1. *)
Lemma elliptical_potential_witness (d : nat) (e : 'cV[R]_d) : exists V : nat -> 'M[R]_d,
  V 0%N = 1%:M /\ forall s, V s.+1 = V s + outer e.
Proof. by exists (fun s => 1%:M + outer e *+ s); split=> [|s]; rewrite ?mulr0n ?addr0 // mulrSr addrA. Qed.
