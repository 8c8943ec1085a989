(* The premises of the theorems can be met: a run with a fixed arm of norm at most 1, linear link, theta* = 0 and
   rewards that are 0, in an experiment on the line whose laws are point masses.  Every premise of
   confidence_sequence except the facts on the normal law is proved for it. *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import Rstruct reals ereal normedtype sequences measure topology lebesgue_measure numfun.
From mathcomp.analysis Require Import lebesgue_integral.
From Glbcheck Require Import Bridge Scalar SelfConcordance QuadraticForm EllipticalPotential MirrorDescent.
From Glbcheck Require Import ConditionalLaw NormalLaw.
From HCW Require Import Constants Algorithm GoodEvent ConfidenceSequence Regret.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Run.
Variables (d : nat) (e : 'cV[R]_d) (alpha eta lam S : R).
Hypothesis e_le1 : dot e e <= 1.
Hypothesis alpha_gt0 : 0 < alpha.
Hypothesis lam_gt0 : 0 < lam.
Hypothesis eta_gt0 : 0 < eta.
Hypothesis S_gt0 : 0 < S.

Fixpoint design s : 'M[R]_d :=
  if s is s'.+1 then design s' + (weight_of alpha 1 (sqrt (qf (invmx (design s')) e)) / 1 * 1) *: outer e
  else lam%:M.
Definition still : trajectory d := Trajectory (fun=> e) (fun=> 1) (fun=> 0) (fun=> 0) design.

Lemma still_rate_ge0 s : 0 <= weight_of alpha 1 (sqrt (qf (invmx (design s)) e)) / 1.
Proof.
rewrite divr1 /weight_of mulr1 divr_ge0 ?(ltW alpha_gt0) // le_maxr (ltW alpha_gt0) orbT.
by [].
Qed.

Lemma design_psd s : psd (design s).
Proof.
have k0 s' : 0 <= (fun s => weight_of alpha 1 (sqrt (qf (invmx (design s)) e)) / 1 * 1) s'.
  by rewrite mulr1 still_rate_ge0.
exact/pd_psd/(design_pd lam_gt0 k0 (x := fun=> e) (H := design)).
Qed.

Lemma still_run : hcw_run (fun z => z) (fun=> 1) alpha eta lam S still.
Proof.
split=> //=.
- by move=> s; apply: ltr01.
- by rewrite /ball dot_sum big1 ?sqr_ge0 // => i _; rewrite mxE expr0n.
- move=> s; split; first by rewrite /ball dot_sum big1 ?sqr_ge0 // => i _; rewrite mxE expr0n.
  move=> v _; rewrite /objective /step_objective /slope_at /curvature /value /= !subr0.
  have -> : dot e 0 = 0 by rewrite /dot mulmx0 mxE.
  rewrite ?(subr0, mulr0, mul0r, qf0, expr0n, addr0, add0r).
  have w0 := still_rate_ge0 s.
  apply: addr_ge0; first by rewrite mulr_ge0 ?sqr_ge0 // divr_ge0 ?ler0n // mulr1.
  by rewrite mulr_ge0 ?(design_psd s).2 // invr_ge0 mulr_ge0 ?ler0n // ltW.
Qed.
End Run.

(* --- the experiment: the outcome is always 0 ------------------------------------------------------------ *)

Section Experiment.
Local Open Scope ereal_scope.
Let zero : RR := 0%R.
Let P : {measure set RR -> \bar RR} := [the measure _ _ of @dirac _ RR zero RR].

Lemma dirac_integral (f : RR -> \bar RR) : measurable_fun setT f -> \int[P]_y f y = f zero.
Proof. by move=> mf; rewrite integral_dirac // indicT mul1e. Qed.

Definition still_experiment : @experiment RR _ _ RR RR.
Proof.
refine (@Experiment RR _ _ RR RR P _ _ (fun=> RR) (fun n w => w) (fun n w => zero) (fun n h => h)
  (fun n h => zero) (fun n h => P) _ _ _ _ _ _ _ _) => //.
- by rewrite /P /= diracE in_setT.
- by move=> n; apply: measurable_fun_id.
- by move=> n; apply: measurable_fun_cst.
- by move=> n; apply: measurable_fun_id.
- by move=> n; apply: measurable_fun_cst.
- by move=> n h; rewrite /P /= diracE in_setT.
- move=> n f mf f0; rewrite (_ : (fun w => \int[P]_y f (w, y)) = (fun w => f (w, zero))) //.
  by apply/funext => w; rewrite dirac_integral //; apply: measurable_fun_prod1.
Defined.
End Experiment.

Section Premises.
Variables (d : nat) (e : 'cV[R]_d) (alpha S : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis e_le1 : dot e e <= 1.
Hypothesis alpha_gt0 : 0 < alpha.
Hypothesis S_gt0 : 0 < S.
Let eta := step_size 0 S.
Let lam := regularisation d S eta alpha 0 1.
Let p (w : RR) := still e alpha lam.

Let value0 s (v : 'cV[R]_d) : value (still e alpha lam) s 0 = 0.
Proof. by rewrite /value /dot mulmx0 mxE. Qed.

Definition still_predictable : @predictable d alpha 0 _ RR still_experiment p.
Proof.
refine (@Predictable d alpha 0 _ RR still_experiment p (fun n h => 0) (fun n h => 0)
  (fun n h => norm (still e alpha lam) n) (fun n h => weight alpha (still e alpha lam) n) (fun n h => 1)
  _ _ _ _ _ _ _ _ _ _ _) => //; try by move=> n; apply: measurable_fun_cst.
- move=> n h; have run : hcw_run (fun z => z) (fun=> 1) alpha eta lam S (still e alpha lam).
    apply: still_run => //; first exact: (lam_gt0 _ _ _ d_gt0).
    by rewrite /eta /step_size mul0r addr0 ltr01.
  by rewrite (ltW (weight_gt0 run alpha_gt0 n)) (weight_le1 run alpha_gt0 n).
- by move=> n w; rewrite /p /value /dot mulmx0 mxE.
- by move=> n w; rewrite /p /value /= /dot mulmx0 mxE.
- by move=> n w; rewrite /p /= invr1.
Defined.

Theorem premises_met :
  [/\ smooth (fun z => Rdiv (pow z 2) (IZR 2)) (fun z => z) (fun=> 1) (fun=> 0),
      forall lo hi, concordant (fun=> 1) (fun=> 0) 0 lo hi, slope_bounded (fun=> 1) 1 (- S) S,
      forall w, hcw_run (fun z => z) (fun=> 1) alpha eta lam S (p w) &
      glm_rewards (fun z => Rdiv (pow z 2) (IZR 2)) still_predictable].
Proof.
split.
- exact: linear_link.
- exact: linear_concordant.
- by move=> z _; apply: Rle_refl.
- move=> w; apply: still_run => //; first exact: (lam_gt0 _ _ _ d_gt0).
  by rewrite /eta /step_size mul0r addr0 ltr01.
- move=> n h z; rewrite dirac_integral; last first.
    apply/EFin_measurable_fun; rewrite /likelihood_ratio.
    have m_exp : measurable_fun setT (exp : RR -> RR).
      by apply: continuity_measurable => x; apply: derivable_continuous_pt; apply: derivable_pt_exp.
    by apply: (measurable_fun_comp m_exp); measurability.
  rewrite lee_fin /likelihood_ratio; apply/RleP; apply: (Rle_trans _ (exp (IZR 0))).
    by apply: MixtureNumbers.exp_mono; rewrite /Rdiv /=; to_R; nra.
  by rewrite exp_0; apply: Rle_refl.
Qed.
End Premises.

(* The further premises of regret_high_probability, for the arm set {0}, which is also the best arm. *)
Section RegretPremises.
Variables (d : nat) (alpha eta lam L S delta C : R).
Hypothesis alpha_gt0 : 0 < alpha.
Hypothesis eta_ge0 : 0 <= eta.
Hypothesis C_ge0 : 0 <= C.
Let p := still (0 : 'cV[R]_d) alpha lam.

Lemma still_covered s : confidence_set alpha eta lam L S delta C p s 0.
Proof.
split; first by rewrite /ball /dot mulmx0 mxE sqr_ge0.
rewrite subr0 qf0 sqrt_0 /radius addr_ge0 //; first by apply/RleP; apply: sqrt_pos.
by rewrite /widening !mulr_ge0 ?ler0n // ltW.
Qed.

Theorem regret_premises_met :
  [/\ forall s, disp p s <= 1, forall s, dot (arm p s) 0 <= dot (0 : 'cV[R]_d) 0 &
      optimistic p (fun _ x => x = 0) (confidence_set alpha eta lam L S delta C p)].
Proof.
split=> [s|s|s]; [by rewrite lexx | by rewrite lexx |].
exists 0; split; first exact: still_covered.
by move=> x theta -> _; rewrite /dot trmx0 !mul0mx lexx.
Qed.
End RegretPremises.
