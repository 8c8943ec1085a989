(* Exponential families on finitely many reward values, with a dispersion that may depend on the round:
     y has mass base_t y exp ((z val y - m z) / g_t) when the natural parameter is z.
     family_law       what makes it one: nonnegative base, g_t > 0, total mass 1 and mean mu z for every z
     family_coupled   a larger parameter can be coupled downwards with a smaller one
     bernoulli_family the logistic model is one of them *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar LogisticLink FiniteProcess Coupling.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Family.
Variables (Y : finType) (val : Y -> R) (base : nat -> Y -> R) (m mu : R -> R) (g : nat -> R).

Definition mass (t : nat) (z : R) (y : Y) : R := base t y * exp ((z * val y - m z) / g t).
Record family_law : Prop := FamilyLaw {
  base_ge0 : forall t y, 0 <= base t y;
  disp_gt0 : forall t, 0 < g t;
  mass1 : forall t z, \sum_y mass t z y = 1;
  mass_mean : forall t z, \sum_y mass t z y * val y = mu z }.
Hypothesis fam : family_law.

Lemma mass_law t z : law_of (mass t z).
Proof.
split; last exact: (mass1 fam).
by move=> y; apply: mulr_ge0; [exact: (base_ge0 fam) | apply/RleP/Rlt_le/exp_pos].
Qed.

Lemma mass_lt t z z' y : mass t z y < mass t z' y -> z * val y - m z < z' * val y - m z'.
Proof.
rewrite /mass ltNge => h; rewrite ltNge; apply: contra h => h.
apply: ler_wpmul2l; first exact: (base_ge0 fam).
have e : (z' * val y - m z') / g t <= (z * val y - m z) / g t.
  by apply: ler_wpmul2r; rewrite ?invr_ge0 ?(ltW (disp_gt0 fam t)).
apply/RleP; case/RleP: e => [lt|->]; [left; exact: exp_increasing | exact: Rle_refl].
Qed.

Lemma mass_crossing t z z' y y' : z <= z' -> mass t z y < mass t z' y -> mass t z' y' < mass t z y' ->
  val y' <= val y.
Proof.
rewrite le_eqVlt => /orP[/eqP <-|zz]; first by rewrite ltxx.
move=> /mass_lt up /mass_lt down; have : (z' - z) * (val y' - val y) <= 0 by move: up down; to_R; lra.
by rewrite pmulr_rle0 ?subr_gt0 // subr_le0.
Qed.

Theorem family_coupled t z z' : z <= z' -> coupling val (moving (mass t z') (mass t z)) (mass t z') (mass t z).
Proof.
by move=> zz; apply: coupling_of_crossing; [exact: mass_law | exact: mass_law | move=> y y'; apply: mass_crossing].
Qed.
End Family.

(* Bernoulli rewards: base 1, dispersion 1, m z = ln (1 + e^z), mu z = e^z / (1 + e^z). *)
Definition bit (y : bool) : R := y%:R.

Lemma logistic_muE z : logistic_mu z = exp z / (1 + exp z).
Proof. by rewrite /logistic_mu inv_R. Qed.

Lemma exp1p_gt0 z : 0 < 1 + exp z :> R.
Proof. by apply: ltr_paddl; [exact: ler01 | apply/RltP/exp_pos]. Qed.

Lemma logistic_mass t z (y : bool) :
  mass bit (fun _ _ => 1) logistic_m (fun=> 1) t z y = (if y then exp z else 1) / (1 + exp z).
Proof.
rewrite /mass mul1r divr1 /logistic_m /bit.
have -> : exp (z * y%:R - ln (1 + exp z)) = exp (z * y%:R) * (exp (ln (1 + exp z)))^-1.
  by rewrite inv_R -exp_Ropp; exact: exp_plus.
rewrite exp_ln; last by apply/RltP/exp1p_gt0.
by case: y; rewrite ?mulr1 ?mulr0 ?exp_0.
Qed.

Theorem bernoulli_family : family_law bit (fun _ _ => 1) logistic_m logistic_mu (fun=> 1).
Proof.
split=> [t y|t|t z|t z]; [exact: ler01 | exact: ltr01 | |]; rewrite big_bool /= !logistic_mass.
  by rewrite -mulrDl addrC mulfV // gt_eqF // exp1p_gt0.
by rewrite /bit mulr1 mulr0 addr0 logistic_muE.
Qed.
