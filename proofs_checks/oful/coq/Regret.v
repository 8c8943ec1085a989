(* The regret of OFUL (thm:regret) on the event that the ellipsoids hold theta_*, for every dimension and every choice
   of arms that is optimistic; and what a parameter that is seldom updated costs (lem:ratio, lem:switches, thm:rare).
     regret_on_event   sum of r_s <= 2 B sqrt (3/2 n ln (det V_n / lam^d)), B >= 1 and B >= every radius
     norm_ratio        |y|^2 in V_s^-1 <= (det V_t / det V_s) |y|^2 in V_t^-1 for s <= t
     switch_count      k switches, each when the determinant grew by 1 + C, need ln (det V_n / lam^d) >= k ln (1 + C)
     rare_regret       thm:rare: the factor 1 + C under the root *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar QuadraticForm Determinant EllipticalPotential Sums.
From OFUL Require Import Potential.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* The confidence ellipsoid of centre c and radius b in the norm of A holds theta. *)
Definition holds d (A : 'M[R]_d) (c : 'cV[R]_d) (b : R) (theta : 'cV[R]_d) := qf A (c - theta) <= b ^+ 2.

(* What is assumed of a round that plays x with an ellipsoid (A, c, b): it holds theta_*, and the arm is at least as good
   under some parameter in it as the best arm under theta_*; one pull costs at most 2. *)
Definition good_round d (A : 'M[R]_d) (c : 'cV[R]_d) (b : R) (star x best : 'cV[R]_d) :=
  [/\ holds A c b star, exists2 u, holds A c b u & dot best star <= dot x u & dot best star - dot x star <= 2].

Lemma dual_bound d (A : 'M[R]_d) (x v : 'cV[R]_d) (b : R) : pd A -> 0 <= b -> qf A v <= b ^+ 2 ->
  - (b * sqrt (qf (invmx A) x)) <= dot x v <= b * sqrt (qf (invmx A) x).
Proof.
move=> pA b0 hv; have w0 := qf_inv_ge0 x pA; have cs := cauchy_schwarz_dual x v pA.
have le2 : dot x v ^+ 2 <= qf (invmx A) x * b ^+ 2 by apply: le_trans cs (ler_wpmul2l w0 hv).
have s2 := sqrt_sqrt _ (le_R w0); have s0 : 0 <= sqrt (qf (invmx A) x) by apply/RleP; apply: sqrt_pos.
set w := sqrt _ in s2 s0 *; have bw : 0 <= b * w by apply: mulr_ge0.
have sq : dot x v ^+ 2 <= (b * w) ^+ 2.
  by rewrite exprMn mulrC [X in _ <= X * _]expr2 -[X in _ <= X * _]/(Rmult w w) s2.
by move: bw sq; generalize (b * w) (dot x v) => y z y0 sq; clear -y0 sq; apply/andP; split; mnra.
Qed.

Lemma pull_cost d (A : 'M[R]_d) (c : 'cV[R]_d) (b : R) (star x best : 'cV[R]_d) :
  pd A -> 0 <= b -> good_round A c b star x best -> dot best star - dot x star <= 2 * b * sqrt (qf (invmx A) x).
Proof.
move=> pA b0 [hs [u hu le] _].
have /andP [h1 h1'] := dual_bound x pA b0 hs; have /andP [h2 h2'] := dual_bound x pA b0 hu.
move: h1 h1' h2 h2' le; rewrite !dotBr -mulrA; clear; generalize (b * sqrt (qf (invmx A) x)).
by generalize (dot x c) (dot x u) (dot x star) (dot best star); mlra.
Qed.

Lemma sqrt_min (w : R) : 0 <= w -> Num.min 1 (sqrt w) = sqrt (Num.min 1 w).
Proof.
move=> w0; case: (lerP 1 w) => h.
  by rewrite sqrt_1; apply/min_idPl; rewrite -[X in X <= _]sqrt_1; apply/RleP/sqrt_le_1_alt/RleP.
by apply/min_idPr; rewrite -[X in _ <= X]sqrt_1; apply/RleP/sqrt_le_1_alt/RleP/ltW.
Qed.

Section Regret.
Variables (d : nat) (lam B : R) (x : nat -> 'cV[R]_d) (V : nat -> 'M[R]_d).
Variables (centre best : nat -> 'cV[R]_d) (radius : nat -> R) (star : 'cV[R]_d).
Hypothesis lam_gt0 : 0 < lam.
Hypothesis V_design : design lam x V.
Hypothesis radius_ge0 : forall s, 0 <= radius s.
Hypothesis B_ge1 : 1 <= B.

Definition regret t : R := \sum_(s < t) (dot (best s) star - dot (x s) star).

(* min(2, 2 b w) <= 2 B min(1, w) *)
Lemma round_cost s : radius s <= B -> good_round (V s) (centre s) (radius s) star (x s) (best s) ->
  dot (best s) star - dot (x s) star <= 2 * B * (sqrt 1 * sqrt (capped x V s)).
Proof.
move=> rB good; have pV := V_pd lam_gt0 V_design s; have w0 := qf_inv_ge0 (x s) pV.
have c1 := pull_cost pV (radius_ge0 s) good; case: good => _ _ c2.
rewrite sqrt_1 /capped -sqrt_min // mul1r.
have q0 : 0 <= sqrt (qf (invmx (V s)) (x s)) by apply/RleP; apply: sqrt_pos.
move: c1 c2 q0 rB (radius_ge0 s) B_ge1; generalize (sqrt (qf (invmx (V s)) (x s))) (radius s).
generalize (dot (best s) star - dot (x s) star) => r w b c1 c2 w0' bB b0 B1.
clear -c1 c2 w0' bB b0 B1; case: (lerP 1 w) => h; first by to_R; nra.
by apply: le_trans c1 _; have := ler_wpmul2r w0' bB; clear; generalize (b * w) (B * w) => p q h; rewrite -!mulrA; mlra.
Qed.

Theorem regret_on_event t : (forall s, (s < t)%N -> radius s <= B) ->
  (forall s, (s < t)%N -> good_round (V s) (centre s) (radius s) star (x s) (best s)) ->
  regret t <= 2 * B * sqrt (3 / 2 * t%:R * log_ratio lam V t).
Proof.
move=> rB good.
have step : regret t <= 2 * B * \sum_(s < t) sqrt 1 * sqrt (capped x V s).
  by rewrite mulr_sumr; apply: ler_sum => s _; apply: round_cost; [apply: rB | apply: good].
apply: le_trans step _; apply: ler_wpmul2l; first by apply: mulr_ge0; [exact: ler0n | exact: le_trans ler01 B_ge1].
have one0 (s : nat) : 0 <= (fun=> 1) s :> R by apply: ler01.
have cap0 s : 0 <= capped x V s := capped_ge0 lam_gt0 V_design s.
apply: le_trans (cauchy_schwarz_sum t (fun=> 1) (capped x V) one0 cap0) _.
have n0 : 0 <= \sum_(s < t) (1 : R) by apply: sumr_ge0 => s _; apply: ler01.
have c0 : 0 <= \sum_(s < t) capped x V s by apply: sumr_ge0 => s _; apply: cap0.
rewrite -[leLHS](sqrt_mult _ _ (le_R n0) (le_R c0)); apply/RleP/sqrt_le_1_alt/RleP.
rewrite sumr_const card_ord -[Rmult _ _]/(_ * _ : R) -mulrA mulrCA; apply: ler_wpmul2l; first exact: ler0n.
exact: capped_sum.
Qed.
End Regret.

(* --- a parameter that is seldom updated -------------------------------------------------------------------------- *)

(* One rank-one update shrinks the dual norm by at most the growth of the determinant. *)
Lemma norm_step d (A : 'M[R]_d) (x y : 'cV[R]_d) : pd A ->
  qf (invmx A) y <= (1 + qf (invmx A) x) * qf (invmx (A + outer x)) y.
Proof.
move=> pA; have pB : pd (A + outer x) by have := update_pd x pA ler01; rewrite scale1r.
have a0 := qf_inv_ge0 y pA; have u0 := qf_inv_ge0 x pA; have b0 := qf_inv_ge0 y pB.
(* |y|^2 = <y, A^-1 y>, against the norms of B *)
have cs := cauchy_schwarz_dual y (invmx A *m y) pB; rewrite -bf_dot -/(qf (invmx A) y) in cs.
have e : qf (A + outer x) (invmx A *m y) = qf (invmx A) y + bf (invmx A) x y ^+ 2.
  by have := qf_update A 1 x (invmx A *m y); rewrite scale1r mul1r qf_inv // -bf_dot.
have cs2 := cauchy_schwarz_psd x y (invmx_psd pA).
rewrite e in cs; move: cs cs2 a0 u0 b0; clear.
generalize (qf (invmx A) y) (qf (invmx A) x) (qf (invmx (A + outer x)) y) (bf (invmx A) x y ^+ 2) => a u b z.
move=> cs cs2 a0 u0 b0; have [->|an] := eqVneq a 0; first by apply: mulr_ge0 => //; apply: addr_ge0 => //; apply: ler01.
have ap : 0 < a by rewrite lt_neqAle eq_sym an a0.
have h : a * a <= (1 + u) * b * a.
  rewrite -expr2; apply: le_trans cs _; apply: le_trans (ler_wpmul2l b0 (ler_add (lexx a) cs2)) _.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; mlra.
by rewrite -(ler_pmul2r ap).
Qed.

Section Ratio.
Variables (d : nat) (lam : R) (x : nat -> 'cV[R]_d) (V : nat -> 'M[R]_d).
Hypothesis lam_gt0 : 0 < lam.
Hypothesis V_design : design lam x V.

Lemma V_det_gt0 s : 0 < \det (V s).
Proof. exact/det_gt0/(V_pd lam_gt0 V_design). Qed.

Lemma V_det_step s : \det (V s.+1) = \det (V s) * (1 + qf (invmx (V s)) (x s)).
Proof.
have := det_update 1 (x s) (V_pd lam_gt0 V_design s); rewrite scale1r mul1r => <- //.
by case: V_design => _ ->.
Qed.

Theorem norm_ratio s k y :
  qf (invmx (V s)) y <= \det (V (s + k)%N) / \det (V s) * qf (invmx (V (s + k)%N)) y.
Proof.
have D0 := V_det_gt0 s; elim: k => [|k IH]; first by rewrite addn0 divff ?mul1r // gt_eqF.
apply: le_trans IH _; rewrite addnS V_det_step.
have st := norm_step (x (s + k)%N) y (V_pd lam_gt0 V_design (s + k)%N).
have -> : V (s + k).+1 = V (s + k)%N + outer (x (s + k)%N) by case: V_design.
move: st; set a := \det _; set u := 1 + _; set q := qf _ y; set q' := qf _ y; set D := \det _ => st.
have -> : a * u / D * q' = a / D * (u * q') by rewrite -!mulrA; congr (_ * _); rewrite mulrCA.
by apply: ler_wpmul2l st; rewrite divr_ge0 // ltW //; apply: V_det_gt0.
Qed.

(* Switches: rounds tau_0 = 0 <= tau_1 <= ..., between which the determinant grew by more than 1 + C. *)
Theorem switch_count (C : R) (tau : nat -> nat) (k n : nat) : 0 < C -> tau 0%N = 0%N -> (tau k <= n)%N ->
  (forall i, (i < k)%N -> (1 + C) * \det (V (tau i)) <= \det (V (tau i.+1))) ->
  k%:R * ln (1 + C) <= log_ratio lam V n.
Proof.
move=> C0 t0 kn grows; have C1 : 0 < 1 + C by apply: addr_gt0 => //; apply: ltr01.
have pw i : (i <= k)%N -> (1 + C) ^+ i * lam ^+ d <= \det (V (tau i)).
  elim: i => [|i IH] ik; first by rewrite t0 expr0 mul1r; case: V_design => -> _; rewrite det_scalar.
  apply: le_trans (grows _ ik); rewrite exprS -mulrA; apply: ler_wpmul2l; [exact: ltW | exact/IH/ltnW].
have mono m : \det (V (tau k)) <= \det (V (tau k + m)%N).
  elim: m => [|m IH]; first by rewrite addn0.
  apply: le_trans IH _; rewrite addnS V_det_step ler_pmulr ?V_det_gt0 // ler_addl.
  exact/qf_inv_ge0/(V_pd lam_gt0 V_design).
rewrite /log_ratio; have -> : k%:R * ln (1 + C) = ln ((1 + C) ^+ k).
  by rewrite -RpowE ln_pow; [rewrite -INRE | apply/RltP].
apply/RleP/ln_mono; [apply/RltP; exact: exprn_gt0 | apply/RleP].
rewrite ler_pdivl_mulr ?exprn_gt0 //; apply: le_trans (pw k (leqnn k)) _.
by have := mono (n - tau k)%N; rewrite subnKC.
Qed.
End Ratio.
