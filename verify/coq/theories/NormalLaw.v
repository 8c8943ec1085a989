(* What is used of the standard normal law, as a record of named textbook facts on the line (no other dimension
   occurs): it is a probability, affine images have the well-known densities, it is symmetric and its second moment
   is 1.  From these:
     normal_gibbs   the Gibbs variational bound -ln E_P e^{-l} <= E_Q l + KL(Q | P) for two normal laws P, Q,
                    when l is at most affine plus D E around the centre of Q, E even, of mean at most M. *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import Rstruct reals ereal normedtype sequences measure topology lebesgue_measure numfun.
From mathcomp.analysis Require Import lebesgue_integral.
From Glbcheck Require Import Bridge Scalar NormalNumbers ConditionalLaw.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Notation RR := real_realType.

Lemma exp_pos_R (x : R) : (0 <= exp x)%R.
Proof. by apply/RleP; left; apply: exp_pos. Qed.

Lemma continuity_measurable (f : RR -> RR) : continuity f -> measurable_fun setT f.
Proof. by move=> cf; apply: continuous_measurable_fun => x; apply/continuity_pt_cvg. Qed.

(* Polynomials in measurable functions. *)
Ltac measurability := repeat first
  [ assumption | exact: measurable_fun_id | exact: measurable_fun_cst | apply: measurable_fun_sqr
  | apply: measurable_funB | apply: measurable_funD | apply: measurable_funM ].

Record standard_normal := StandardNormal {
  normal : {measure set RR -> \bar RR};
  normal_total : normal setT = 1;
  (* the density of a + s N seen from b + s' N *)
  normal_affine : forall (a b s s' : R) (F : RR -> \bar RR), (0 < s)%R -> (0 < s')%R ->
    measurable_fun setT F -> (forall z, 0 <= F z) ->
    \int[normal]_u F (a + s * u)%R =
    \int[normal]_u (F (b + s' * u)%R *
      (s' / s * exp (u ^+ 2 / 2 - ((b + s' * u - a) / s) ^+ 2 / 2))%:E);
  normal_symmetric : forall F : RR -> \bar RR, measurable_fun setT F -> (forall z, 0 <= F z) ->
    \int[normal]_u F (- u)%R = \int[normal]_u F u;
  normal_second_moment : \int[normal]_u (u ^+ 2)%:E = 1 }.

Section Gibbs.
Variable N : standard_normal.
Variables (l E : RR -> RR) (a b s s' l0 l1 D M : R).
Hypothesis ml : measurable_fun setT l.
Hypothesis s'_gt0 : (0 < s')%R.
Hypothesis s's : (s' <= s)%R.
Hypothesis D_ge0 : (0 <= D)%R.
Hypothesis M_ge0 : (0 <= M)%R.
Hypothesis E_even : forall u, E (- u)%R = E u.
Hypothesis E_ge0 : forall u, (0 <= E u)%R.
Hypothesis m_E : measurable_fun setT E.
Hypothesis E_mean : \int[normal N]_u (E u)%:E <= M%:E.
Hypothesis bound : forall u, (l (b + s' * u) <= l0 + l1 * u + D * E u)%R.

Let c := gibbs a b s s' l0 D M.
Let T u := tilted l a b s s' u.
Let K := tangent_const a b s s' l0 D M.
Let Q := tangent_quad a b s s' l0 D M.

Let s_gt0 : (0 < s)%R. Proof. exact: lt_le_trans s'_gt0 s's. Qed.

Let weight u := (s' / s * exp (u ^+ 2 / 2 - ((b + s' * u - a) / s) ^+ 2 / 2))%R.

Let TE u : T u = (exp (- l (b + s' * u)) * weight u)%R.
Proof.
rewrite /T /tilted /weight -!RpowE; congr (_ * (_ * exp _))%R.
- by rewrite inv_R.
- by rewrite !inv_R.
Qed.

Let m_exp : measurable_fun setT (exp : RR -> RR).
Proof. by apply: continuity_measurable => x; apply: derivable_continuous_pt; apply: derivable_pt_exp. Qed.

Let m_weight : measurable_fun setT (weight : RR -> RR).
Proof.
by apply: measurable_funM; [measurability | apply: (measurable_fun_comp m_exp); measurability].
Qed.

Let m_affine : measurable_fun setT ((fun u => b + s' * u)%R : RR -> RR).
Proof. by measurability. Qed.

Let m_tilted : measurable_fun setT (T : RR -> RR).
Proof.
rewrite (_ : T = fun u => (exp (- l (b + s' * u)) * weight u)%R); last by apply/funext => u; rewrite TE.
apply: measurable_funM => //; apply: (measurable_fun_comp m_exp).
have m_opp : measurable_fun setT (Ropp : RR -> RR).
  by apply: continuity_measurable => x; apply: derivable_continuous_pt; reg.
by apply: (measurable_fun_comp m_opp); apply: (measurable_fun_comp ml).
Qed.

Let T_ge0 u : (0 <= T u)%R.
Proof.
rewrite TE /weight; apply: mulr_ge0; first exact: exp_pos_R.
by apply: mulr_ge0; [rewrite divr_ge0 ?(ltW s'_gt0) ?(ltW s_gt0) | exact: exp_pos_R].
Qed.
Let c_gt0 : (0 < c)%R. Proof. by apply/RltP; apply: gibbs_pos. Qed.
Let bR u : Rle (l (Rplus b (Rmult s' u))) (Rplus (Rplus l0 (Rmult l1 u)) (Rmult D (E u))).
Proof. by apply/RleP; apply: bound. Qed.
Let K_ge0 : (0 <= K)%R.
Proof.
rewrite /K /tangent_const; apply/RleP/Rmult_le_pos; first by have := c_gt0; rewrite /c; to_R; lra.
exact: (k_ge0 _ _ _ _ (lt_R s'_gt0) (le_R s's) (le_R D_ge0) (le_R M_ge0)).
Qed.
Let Q_ge0 : (0 <= Q)%R.
Proof.
rewrite /Q /tangent_quad; apply/RleP/Rmult_le_pos; first by have := c_gt0; rewrite /c; to_R; lra.
by have [+ _] := C_between s s' (lt_R s'_gt0) (le_R s's); to_R; lra.
Qed.
Let m_square : measurable_fun setT ((fun u => u ^+ 2)%R : RR -> RR).
Proof. by apply: measurable_fun_sqr; apply: measurable_fun_id. Qed.
Let m_opp : measurable_fun setT (-%R : RR -> RR).
Proof. by apply: continuity_measurable => x; apply: derivable_continuous_pt; apply: derivable_pt_opp; apply: derivable_pt_id. Qed.

Let pointwise u : (K + Q * u ^+ 2)%:E <= (T u)%:E + (T (- u)%R)%:E + ((2 * c * D)%R)%:E * (E u)%:E.
Proof.
rewrite -!EFinM -!EFinD lee_fin.
have := tangent l E a b s s' l0 l1 D M (lt_R s'_gt0) (le_R s's) E_even bR u.
rewrite -/(T u) -/(T (- u)%R) -/c -/(tangent_const a b s s' l0 D M) -/K -/(tangent_quad a b s s' l0 D M) -/Q.
by to_R; lra.
Qed.

Let cD0 : (0 <= 2 * c * D)%R. Proof. by rewrite !mulr_ge0 ?ler0n // ltW. Qed.

Ltac side := solve [ done | exact: measurable_fun_cst | by apply/EFin_measurable_fun
  | by apply: measurable_funeM; apply/EFin_measurable_fun | by rewrite lee_fin
  | by move=> ?; rewrite lee_fin | by move=> ? _; rewrite ?mule_ge0 ?adde_ge0 ?lee_fin ?sqr_ge0 ].

Lemma tilted_integral : c%:E <= \int[normal N]_u (T u)%:E.
Proof.
set I := \int[normal N]_u _.
have I0 : 0 <= I by apply: integral_ge0 => u _; rewrite lee_fin.
have left_ : \int[normal N]_u (K + Q * u ^+ 2)%:E = (K + Q)%:E.
  transitivity (\int[normal N]_u (K%:E + Q%:E * (u ^+ 2)%:E)).
    by apply: eq_integral => u _; rewrite -EFinM -EFinD.
  have mQ : measurable_fun setT (fun u : RR => Q%:E * (u ^+ 2)%:E).
    by apply: measurable_funeM; apply/EFin_measurable_fun.
  have Q2 : \int[normal N]_u (Q%:E * (u ^+ 2)%:E) = Q%:E.
    by rewrite ge0_integralM ?normal_second_moment ?mule1; try side.
  rewrite ge0_integralD; try side.
  by rewrite Q2 integral_cst // normal_total mule1.
have mTm : measurable_fun setT (fun u : RR => (T (- u)%R)%:E).
  by apply/EFin_measurable_fun; apply: (measurable_fun_comp m_tilted m_opp).
have right_ : \int[normal N]_u ((T u)%:E + (T (- u)%R)%:E + ((2 * c * D)%R)%:E * (E u)%:E) =
    I + I + ((2 * c * D)%R)%:E * \int[normal N]_u (E u)%:E.
  have mE2 : measurable_fun setT (fun u : RR => ((2 * c * D)%R)%:E * (E u)%:E).
    by apply: measurable_funeM; apply/EFin_measurable_fun.
  have mT2 : measurable_fun setT (fun u : RR => (T u)%:E + (T (- u)%R)%:E).
    by apply: emeasurable_funD => //; apply/EFin_measurable_fun.
  rewrite ge0_integralD; try side.
  rewrite ge0_integralD; try side.
  rewrite (normal_symmetric N (F := fun u => (T u)%:E)); try side.
  by congr (_ + _); apply: ge0_integralM; try side.
have h : (K + Q)%:E <= I + I + ((2 * c * D)%R)%:E * \int[normal N]_u (E u)%:E.
  rewrite -left_ -right_; apply: integral_mono => u; last exact: pointwise.
  by rewrite lee_fin addr_ge0 // mulr_ge0 // sqr_ge0.
have h2 : (K + Q)%:E <= I + I + ((2 * c * D)%R * M)%:E.
  apply: le_trans h _; apply: lee_add2l.
  apply: (@le_trans _ _ ((2 * c * D)%R%:E * M%:E)); last by rewrite -EFinM.
  by apply: lee_wpmul2l; [rewrite lee_fin | exact: E_mean].
have bal := mass_balance a b s s' l0 D M.
clear right_ h; move: h2 I0; case: I => [x| _ _|h2 I0]; [|by rewrite leey|by move: I0; rewrite leNgt ltNye].
rewrite -!EFinD !lee_fin => h2 _; move: h2 bal; rewrite -/c -/(tangent_const a b s s' l0 D M) -/K.
by rewrite -/(tangent_quad a b s s' l0 D M) -/Q; clear; to_R; lra.
Qed.

Theorem normal_gibbs : c%:E <= \int[normal N]_u (exp (- l (a + s * u)))%:E.
Proof.
pose F (z : RR) := (exp (- l z))%:E.
have mF : measurable_fun setT F.
  apply/EFin_measurable_fun; apply: (measurable_fun_comp m_exp).
  exact: (measurable_fun_comp m_opp ml).
have F0 z : 0 <= F z by rewrite lee_fin; apply: exp_pos_R.
have := normal_affine N a b s_gt0 s'_gt0 mF F0; rewrite /F => ->.
by under eq_integral do rewrite -EFinM -/(weight _) -TE; apply: tilted_integral.
Qed.
End Gibbs.
