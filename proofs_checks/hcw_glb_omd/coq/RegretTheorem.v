(* theorem:regret, repaired: with probability at least 1 - delta the explicit bound holds for every T >= 1 at once.
   Joins ConfidenceSequence.v and Regret.v; the arm sets may be chosen adaptively, the learner is optimistic. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import Rstruct reals ereal normedtype sequences measure topology lebesgue_measure numfun.
From Glbcheck Require Import Bridge SelfConcordance QuadraticForm MirrorDescent ConditionalLaw NormalLaw.
From HCW Require Import Constants Algorithm GoodEvent SharperConfidence ConfidenceSequence EllipticalSums Regret.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section RegretTheorem.
Variables (d : nat) (m mu dmu ddmu : R -> R) (Rs L S alpha delta C kappa g_max : R) (star : 'cV[R]_d).
Variables (dO : measure_display) (Omega : measurableType dO) (E : @experiment RR _ _ Omega RR).
Variables (p : Omega -> trajectory d) (corruption : nat -> Omega -> R).
Variables (arms : Omega -> nat -> 'cV[R]_d -> Prop) (best : Omega -> nat -> 'cV[R]_d).
Let eta := step_size Rs S.
Let lam := regularisation d S eta alpha Rs L.
Let rad w := radius alpha eta lam L S delta C (p w).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis sm : smooth m mu dmu ddmu.
Hypothesis sc : forall lo hi, concordant dmu ddmu Rs lo hi.
Hypothesis sl : slope_bounded dmu L (- S) S.
Hypothesis kappa_gt0 : 0 < kappa.
Hypothesis slope_ge : forall z, - S <= z <= S -> kappa^-1 <= dmu z.
Hypothesis Rs_ge0 : 0 <= Rs.
Hypothesis S_gt0 : 0 < S.
Hypothesis alpha_gt0 : 0 < alpha.
Hypothesis delta01 : 0 < delta <= 1.
Hypothesis star_ball : ball S star.
Hypothesis runs : forall w, hcw_run mu dmu alpha eta lam S (p w).
Hypothesis disp_le : forall w s, disp (p w) s <= g_max.
Hypothesis observedE : forall w s, observed (p w) s = out E s w + corruption s w.
Hypothesis budget : forall w t, \sum_(s < t) `|corruption s w| <= C.
Hypothesis best_arm : forall w s, arms w s (best w s).
Hypothesis best_unit : forall w s, dot (best w s) (best w s) <= 1.
Hypothesis best_max : forall w s, dot (arm (p w) s) star <= dot (best w s) star.
Hypothesis chosen : forall w, optimistic (p w) (arms w) (confidence_set alpha eta lam L S delta C (p w)).
Variable q : @predictable d alpha star dO Omega E p.
Hypothesis glm : glm_rewards m q.

Theorem regret_high_probability : exists A : set Omega,
  [/\ measurable A, ((1 - delta)%:E <= prob E A)%E &
      forall w, A w -> forall T,
        regret mu (p w) star (best w) T.+1 <=
        regret_bound Rs L kappa g_max alpha (optimal_variance dmu (p w) star (best w) T.+1)
          (rad w T) (rad w T.+1)
          (potential d alpha lam L (\sum_(s < T.+1) (disp (p w) s)^-1)) (low_weight d T.+1 alpha lam kappa)].
Proof.
have [A [mA pA cA]] := confidence_sequence d_gt0 sm sc sl Rs_ge0 S_gt0 alpha_gt0 delta01 star_ball runs
  observedE budget glm.
exists A; split=> // w Aw T.
have eta0 : 0 <= eta by rewrite /eta /step_size addr_ge0 ?ler01 // mulr_ge0 // ltW.
have lam0 : 0 < lam by apply: (lam_gt0 Rs L alpha d_gt0 S_gt0).
exact (regret_on_good_event d_gt0 sm (@sc (- S) S) sl slope_ge Rs_ge0 S_gt0 alpha_gt0 lam0 eta0 kappa_gt0 (runs w)
  (disp_le w) (best_arm w) (best_unit w) (best_max w) (chosen w) (cA w Aw) T).
Qed.
End RegretTheorem.
