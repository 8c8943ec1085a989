(* The premises of the theorems can be met: a run that stays where it starts.  The link is linear, the reward of
   round s is <a_s, theta*>, theta* and the start agree on every arm, and what the adversary adds in a round whose
   arm is 0 moves nothing.  Every premise of confidence_sequence and regret_high_probability is proved for it.
     premises_met          for any such run
     sharper_premises_met  what sharper_confidence_sequence asks beyond it, with eps = 0 and the pair (0, 1)
     regret_premises_met   a unit arm e, theta* = S e, all arms of the unit ball on offer, and a corruption of C *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import Rstruct reals ereal normedtype sequences measure topology lebesgue_measure numfun.
From mathcomp.analysis Require Import lebesgue_integral.
From Glbcheck Require Import Bridge Scalar SelfConcordance QuadraticForm EllipticalPotential MirrorDescent.
From Glbcheck Require Import ConditionalLaw NormalLaw MixturePairs.
From HCW Require Import Constants Algorithm InverseRegret GoodEvent SharperConfidence Regret.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Run.
Variables (d : nat) (a : nat -> 'cV[R]_d) (c : nat -> R) (start : 'cV[R]_d) (alpha eta lam S : R).
Hypothesis a_le1 : forall s, dot (a s) (a s) <= 1.
Hypothesis harmless : forall s, c s *: a s = 0.
Hypothesis start_ball : ball S start.
Hypothesis alpha_gt0 : 0 < alpha.
Hypothesis lam_gt0 : 0 < lam.
Hypothesis eta_gt0 : 0 < eta.

Fixpoint design s : 'M[R]_d :=
  if s is s'.+1 then design s' + (weight_of alpha 1 (sqrt (qf (invmx (design s')) (a s'))) / 1 * 1) *: outer (a s')
  else lam%:M.
Definition still : trajectory d :=
  Trajectory a (fun=> 1) (fun s => dot (a s) start + c s) (fun=> start) design.

Lemma still_rate_ge0 s : 0 <= weight_of alpha 1 (sqrt (qf (invmx (design s)) (a s))) / 1.
Proof.
rewrite divr1 /weight_of mulr1 divr_ge0 ?(ltW alpha_gt0) // le_maxr (ltW alpha_gt0) orbT.
by [].
Qed.

Lemma design_psd s : psd (design s).
Proof.
have k0 s' : 0 <= (fun s => weight_of alpha 1 (sqrt (qf (invmx (design s)) (a s))) / 1 * 1) s'.
  by rewrite mulr1 still_rate_ge0.
exact/pd_psd/(design_pd lam_gt0 k0 (x := a) (H := design)).
Qed.

Lemma dot0l (v : 'cV[R]_d) : dot 0 v = 0. Proof. by rewrite /dot trmx0 mul0mx mxE. Qed.
Lemma dot0r (v : 'cV[R]_d) : dot v 0 = 0. Proof. by rewrite /dot mulmx0 mxE. Qed.

Lemma unmoved s v : c s * dot (a s) v = 0.
Proof.
have /eqP := harmless s; rewrite scaler_eq0 => /orP[/eqP ->|/eqP ->]; first by rewrite mul0r.
by rewrite dot0l mulr0.
Qed.

Lemma still_run : hcw_run (fun z => z) (fun=> 1) alpha eta lam S still.
Proof.
split=> //=; first by move=> s; apply: ltr01.
move=> s; split=> // v _; rewrite /objective /step_objective /slope_at /curvature /value /= !subrr.
have flat (r u k D : R) : r * (u - (u + k)) * D = - (r * (k * D)).
  by rewrite opprD addrA subrr add0r mulrN mulNr mulrA.
rewrite qf0 dot0r !flat unmoved !mulr0 oppr0 expr0n /= mulr0 !add0r.
have w0 := still_rate_ge0 s.
apply: addr_ge0; first by rewrite mulr_ge0 ?sqr_ge0 // divr_ge0 ?ler0n // mulr1.
by rewrite mulr_ge0 ?(design_psd s).2 // invr_ge0 mulr_ge0 ?ler0n // ltW.
Qed.
End Run.

(* --- the experiment: the outcome of round n is y_n ------------------------------------------------------- *)

Section Experiment.
Local Open Scope ereal_scope.
Variable y : nat -> RR.
Let P (v : RR) : {measure set RR -> \bar RR} := [the measure _ _ of @dirac _ RR v RR].

Lemma dirac_integral v (f : RR -> \bar RR) : measurable_fun setT f -> \int[P v]_y f y = f v.
Proof. by move=> mf; rewrite integral_dirac // indicT mul1e. Qed.

Definition still_experiment : @experiment RR _ _ RR RR.
Proof.
refine (@Experiment RR _ _ RR RR (P 0%R) _ _ (fun=> RR) (fun n w => w) (fun n w => y n) (fun n h => h)
  (fun n h => y n) (fun n h => P (y n)) _ _ _ _ _ _ _ _) => //.
- by rewrite /P /= diracE in_setT.
- by move=> n; apply: measurable_fun_id.
- by move=> n; apply: measurable_fun_cst.
- by move=> n; apply: measurable_fun_id.
- by move=> n; apply: measurable_fun_cst.
- by move=> n h; rewrite /P /= diracE in_setT.
- move=> n f mf f0; rewrite (_ : (fun w => \int[P (y n)]_z f (w, z)) = (fun w => f (w, y n))) //.
  by apply/funext => w; rewrite dirac_integral //; apply: measurable_fun_prod1.
Defined.
End Experiment.

Section Premises.
Variables (d : nat) (a : nat -> 'cV[R]_d) (c : nat -> R) (start star : 'cV[R]_d) (alpha S C : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis a_le1 : forall s, dot (a s) (a s) <= 1.
Hypothesis harmless : forall s, c s *: a s = 0.
Hypothesis start_ball : ball S start.
Hypothesis agree : forall s, dot (a s) star = dot (a s) start.
Hypothesis alpha_gt0 : 0 < alpha.
Hypothesis S_gt0 : 0 < S.
Let eta := step_size 0 S.
Let lam := regularisation d S eta alpha 0 1.
Definition still_path (w : RR) := still a c start alpha lam.
Definition still_rewards : @experiment RR _ _ RR RR := still_experiment (fun s => dot (a s) star).

Lemma still_path_run w : hcw_run (fun z => z) (fun=> 1) alpha eta lam S (still_path w).
Proof.
apply: still_run => //; first exact: (lam_gt0 _ _ _ d_gt0).
by rewrite /eta /step_size mul0r addr0 ltr01.
Qed.

Definition still_predictable : @predictable d alpha star _ RR still_rewards still_path.
Proof.
refine (@Predictable d alpha star _ RR still_rewards still_path
  (fun n h => dot (a n) star) (fun n h => dot (a n) start)
  (fun n h => norm (still_path 0) n) (fun n h => weight alpha (still_path 0) n) (fun n h => 1)
  _ _ _ _ _ _ _ _ _ _ _) => //; try by move=> n; apply: measurable_fun_cst.
- move=> n h; have run := still_path_run 0.
  by rewrite (ltW (weight_gt0 run alpha_gt0 n)) (weight_le1 run alpha_gt0 n).
- by move=> n w; rewrite /= invr1.
Defined.

Theorem premises_met :
  [/\ smooth (fun z => Rdiv (pow z 2) (IZR 2)) (fun z => z) (fun=> 1) (fun=> 0),
      forall lo hi, concordant (fun=> 1) (fun=> 0) 0 lo hi, slope_bounded (fun=> 1) 1 (- S) S &
      [/\ forall w, hcw_run (fun z => z) (fun=> 1) alpha eta lam S (still_path w),
          forall w s, observed (still_path w) s = out still_rewards s w + c s &
          glm_rewards (fun z => Rdiv (pow z 2) (IZR 2)) still_predictable]].
Proof.
split; [exact: linear_link | exact: linear_concordant | by move=> z _; apply: Rle_refl |].
split; first exact: still_path_run.
  by move=> w s /=; rewrite agree.
move=> n h z; rewrite dirac_integral; last first.
  apply/EFin_measurable_fun; rewrite /likelihood_ratio.
  have m_exp : measurable_fun setT (exp : RR -> RR).
    by apply: continuity_measurable => x; apply: derivable_continuous_pt; apply: derivable_pt_exp.
  by apply: (measurable_fun_comp m_exp); measurability.
have peak (u : R) : (u * (z - u) - (Rdiv (pow z 2) (IZR 2) - Rdiv (pow u 2) (IZR 2))) * 1 <= 0.
  by clear; rewrite /Rdiv /=; to_R; have := pow2_ge_0 (Rminus z u); rewrite /=; lra.
rewrite lee_fin /likelihood_ratio /=; apply/RleP; apply: (Rle_trans _ (exp (IZR 0))).
  by apply: MixtureNumbers.exp_mono; apply/RleP; apply: peak.
by rewrite exp_0; apply: Rle_refl.
Qed.

Theorem sharper_premises_met (eps := 0 : R) (reach := 0 : R) :
  [/\ 0 < lam, 0 <= eps < 1, mixture_pair reach 1, eta * 0 ^+ 2 <= (1 - eps) * reach ^+ 2 * lam &
      forall w, moves_pay 0 1 S alpha lam (still_path w) eps].
Proof.
have zero (x : R) : x * 0 ^+ 2 = 0 by rewrite expr0n mulr0.
split; [exact: lam_gt0 d_gt0 S_gt0 | by rewrite lexx ltr01 | exact: pair_linear | by rewrite !zero mul0r lexx |].
by move=> w; left; rewrite zero !mul0r expr0n mul0r lexx.
Qed.
End Premises.

(* An instance of both theorems: arm 0 and corruption C in the first round, then a unit vector e that is best. *)
Section Instance.
Variables (d : nat) (e : 'cV[R]_d) (alpha delta S C : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis e_unit : dot e e = 1.
Hypothesis alpha_gt0 : 0 < alpha.
Hypothesis S_gt0 : 0 < S.
Hypothesis C_ge0 : 0 <= C.
Let eta := step_size 0 S.
Let lam := regularisation d S eta alpha 0 1.
Definition first_idle (s : nat) : 'cV[R]_d := if s is 0%N then 0 else e.
Definition first_corrupted (s : nat) : R := if s is 0%N then C else 0.
Let p := still_path first_idle first_corrupted (S *: e) alpha S 0.

Lemma first_le1 s : dot (first_idle s) (first_idle s) <= 1.
Proof. by case: s => [|s] /=; rewrite ?e_unit ?lexx // dot0l ler01. Qed.
Lemma first_harmless s : first_corrupted s *: first_idle s = 0.
Proof. by case: s => [|s] /=; rewrite ?scaler0 ?scale0r. Qed.
Lemma first_budget t : \sum_(s < t) `|first_corrupted s| <= C.
Proof.
case: t => [|t]; first by rewrite big_ord0.
rewrite big_ord_recl /= big1 ?addr0; first by rewrite ger0_norm.
by move=> i _; rewrite normr0.
Qed.
Lemma star_in_ball : ball S (S *: e).
Proof. by rewrite /ball dotZr dotC dotZr e_unit mulr1 expr2 lexx. Qed.

Lemma still_covered s : confidence_set alpha eta lam 1 S delta C p s (S *: e).
Proof.
split; first exact: star_in_ball.
rewrite subrr qf0 sqrt_0 /radius addr_ge0 //; first by apply/RleP; apply: sqrt_pos.
by rewrite /widening /eta /step_size mul0r addr0 !mulr_ge0 ?ler0n ?ler01 // ltW.
Qed.

Definition offered (s : nat) (x : 'cV[R]_d) : Prop := if s is 0%N then x = 0 else dot x x <= 1.

Theorem regret_premises_met :
  [/\ forall t, \sum_(s < t) `|first_corrupted s| <= C, forall s, offered s (first_idle s),
      forall s, dot (first_idle s) (first_idle s) <= 1, forall s, disp p s <= 1 &
      optimistic p offered (confidence_set alpha eta lam 1 S delta C p)].
Proof.
split; [exact: first_budget | | exact: first_le1 | by move=> s; rewrite lexx |].
  by case=> [|s] //=; rewrite e_unit lexx.
move=> s; exists (S *: e); split; first exact: still_covered.
move=> x theta; case: s => [-> _|s x1 [inside _]] /=; first by rewrite !dot0l lexx.
rewrite dotZr e_unit mulr1; apply: le_trans (ler_norm _) _.
exact: dot_ball (ltW S_gt0) x1 inside.
Qed.
End Instance.
