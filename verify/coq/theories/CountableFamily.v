(* Exponential families on countably many reward values val 0, val 1, ..., with a dispersion that may depend on the round:
     the value number y has mass base_t y exp ((z val y - m z) / g_t) when the natural parameter is z, |z| <= S.
     countable_family   what makes it one: nonnegative base, g_t > 0, total mass 1 and mean mu z for these z
     average_is_mean    a countable law as a mean of bounded functions
     poisson_family     Poisson rewards: val y = y, base 1/y!, m = mu = exp, dispersion 1, for every S
     bernoulli_countable   the logistic model, on the values 0 and 1 *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar LogisticLink ExponentialFamily Means CountableLaw PoissonLaw.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Lemma average_is_mean (p : nat -> R) : countable_law p -> is_mean (average p).
Proof.
move=> lp; have wp := law_weights _ lp; split=> [f g [B b] [B' b']|c f _|f [B b] f0|]; last exact: average_one.
- by apply: (average_add _ _ _ B B') => // y; apply/RleP.
- exact: average_scale.
by apply/RleP; apply: (average_ge0 _ _ B) => // y; apply/RleP.
Qed.

Section Family.
Variables (val : nat -> R) (base : nat -> nat -> R) (m mu : R -> R) (g : nat -> R) (S : R).

Definition mass (t : nat) (z : R) (y : nat) : R := base t y * exp ((z * val y - m z) / g t).
Record countable_family : Prop := CountableFamily {
  base_ge0 : forall t y, 0 <= base t y;
  disp_gt0 : forall t, 0 < g t;
  mass1 : forall t z, `|z| <= S -> is_series (mass t z) 1;
  mass_abs : forall t z, `|z| <= S -> ex_series (fun y => mass t z y * `|val y|);
  mass_mean : forall t z, `|z| <= S -> is_series (fun y => mass t z y * val y) (mu z) }.
Hypothesis fam : countable_family.

Lemma mass_ge0 t z y : 0 <= mass t z y.
Proof. by apply: mulr_ge0; [exact: (base_ge0 fam) | apply/RleP/Rlt_le/exp_pos]. Qed.

Lemma mass_law t z : `|z| <= S -> countable_law (mass t z).
Proof. by move=> zS; split; [move=> y; apply/RleP; exact: mass_ge0 | exact: (mass1 fam)]. Qed.

Lemma mass_lt t z z' y : mass t z y < mass t z' y -> z * val y - m z < z' * val y - m z'.
Proof.
rewrite /mass ltNge => h; rewrite ltNge; apply: contra h => h.
apply: ler_wpmul2l; first exact: (base_ge0 fam).
have e : (z' * val y - m z') / g t <= (z * val y - m z) / g t.
  by apply: ler_wpmul2r; rewrite ?invr_ge0 ?(ltW (disp_gt0 fam t)).
apply/RleP; case/RleP: e => [lt|->]; [left; exact: exp_increasing | exact: Rle_refl].
Qed.

(* A larger parameter exceeds a smaller one at the larger values. *)
Lemma mass_crossing t z z' y y' : z <= z' -> Rlt (mass t z y) (mass t z' y) -> Rlt (mass t z' y') (mass t z y') ->
  Rle (val y') (val y).
Proof.
rewrite le_eqVlt => /orP[/eqP <-|zz] /RltP; first by rewrite ltxx.
move=> /mass_lt up /RltP/mass_lt down; have : (z' - z) * (val y' - val y) <= 0 by move: up down; to_R; lra.
by rewrite pmulr_rle0 ?subr_gt0 // subr_le0 => /RleP.
Qed.
End Family.

Lemma family_within val base m mu g (s S : R) : s <= S -> countable_family val base m mu g S ->
  countable_family val base m mu g s.
Proof.
move=> sS fam; have zS z : `|z| <= s -> `|z| <= S by move=> zs; exact: le_trans zs sS.
split; first exact: (base_ge0 fam).
- exact: (disp_gt0 fam).
- by move=> t z /zS; exact: (mass1 fam).
- by move=> t z /zS; exact: (mass_abs fam).
by move=> t z /zS; exact: (mass_mean fam).
Qed.

(* --- Poisson rewards -------------------------------------------------------------------------------------------------- *)

Definition poisson_base (t y : nat) : R := Rinv (INR (fact y)).
Definition poisson_m (z : R) : R := exp z.
Definition count_value (y : nat) : R := INR y.

Lemma poisson_mass t z y : mass count_value poisson_base poisson_m (fun=> 1) t z y = poisson (exp z) y.
Proof.
rewrite /mass divr1 /poisson_base /poisson_m /count_value /poisson -[LHS]/(Rmult _ _).
rewrite -[z * INR y - exp z]/(Rplus (Rmult z (INR y)) (Ropp (exp z))) exp_plus.
have -> : exp (Rmult z (INR y)) = pow (exp z) y.
  by elim: y => [|y IH]; rewrite ?Rmult_0_r ?exp_0 // S_INR Rmult_plus_distr_l Rmult_1_r exp_plus IH Rmult_comm.
by rewrite [RHS]Rmult_comm Rmult_assoc.
Qed.

Theorem poisson_family (S : R) : countable_family count_value poisson_base poisson_m exp (fun=> 1) S.
Proof.
have mean t z : is_series (fun y => mass count_value poisson_base poisson_m (fun=> 1) t z y * count_value y) (exp z).
  by apply: is_series_ext (poisson_mean (exp z)) => y; rewrite poisson_mass.
split=> [t y|t|t z _|t z _|t z _] //.
- by apply/RleP/Rlt_le/Rinv_0_lt_compat; exact: INR_fact_lt_0.
- exact: ltr01.
- by apply: is_series_ext (poisson_sum (exp z)) => y; rewrite poisson_mass.
exists (exp z); apply: is_series_ext (mean t z) => y.
by congr (_ * _); rewrite ger0_norm //; apply/RleP; exact: pos_INR.
Qed.

(* --- logistic rewards ------------------------------------------------------------------------------------------------- *)

Definition two_values (t y : nat) : R := (y < 2)%:R.

Lemma two_mass t z y : mass count_value two_values logistic_m (fun=> 1) t z y =
  if y is 0%N then 1 / (1 + exp z) else if y is 1%N then exp z / (1 + exp z) else 0.
Proof.
case: y => [|[|y]]; last by rewrite /mass mul0r.
- by have := logistic_mass t z false; rewrite /ExponentialFamily.mass /mass /two_values /bit /count_value => <-.
- by have := logistic_mass t z true; rewrite /ExponentialFamily.mass /mass /two_values /bit /count_value => <-.
Qed.

Theorem bernoulli_countable (S : R) : countable_family count_value two_values logistic_m logistic_mu (fun=> 1) S.
Proof.
have e0 z := gt_eqF (exp1p_gt0 z).
have mean t z : is_series (fun y => mass count_value two_values logistic_m (fun=> 1) t z y * count_value y) (logistic_mu z).
  rewrite -[logistic_mu z]Rplus_0_l; apply: pair_series => [||y]; rewrite two_mass /count_value.
  - by rewrite mulr0.
  - by rewrite mulr1 logistic_muE.
  by rewrite mul0r.
split=> [t y|t|t z _|t z _|t z _] //.
- exact: ler0n.
- exact: ltr01.
- pose u : R := 1 / (1 + exp z); pose v : R := exp z / (1 + exp z).
  have total : Rplus u v = 1 by rewrite -[LHS]/(u + v) -mulrDl mulfV ?e0.
  have := pair_series (mass count_value two_values logistic_m (fun=> 1) t z) u v; rewrite total.
  by apply=> [||y]; rewrite two_mass.
exists (logistic_mu z); apply: is_series_ext (mean t z) => y.
by congr (_ * _); rewrite ger0_norm //; apply/RleP; exact: pos_INR.
Qed.
