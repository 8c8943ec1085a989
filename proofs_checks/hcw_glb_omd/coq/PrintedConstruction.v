(* app:lower-bound-corruption: the d - 1 arms x_i = e_1 cos phi + e_(i+1) sin phi, with parameters S x_i and rewards
   without noise, are said to cost d N Delta on average for d >= 2, N = floor (C / Delta); app:logistic counts
   suboptimal pulls of these arms.  Both negations.  Every choice below that is not in the text weakens what is
   printed: S and phi are the best there are for a link, the constant may depend on d, learners are deterministic, the
   adversary knows the learner, the horizon is as long as wanted.
     arm_mean_best, arm_mean_other   the means of the construction, mu S and mu (S cos^2 phi)
     one_arm_costs_nothing           for d = 2, whatever link, S, phi, learner and adversary
     printed_construction_false      so for d = 2 it costs nothing
     printed_count_false             after (d - 1) T_0 / 2 rounds an arm that was pulled less than T_0 times may have
                                     left no order of d T_0 pulls to the others: not at d = 2, nor at d = 3 *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar SelfConcordance LogisticLink QuadraticForm ExponentialFamily.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* k = d - 1 arms in dimension d; the i-th instance has parameter S x_i. *)
Section Construction.
Variables (k : nat) (mu : R -> R) (S phi : R).
Implicit Types (i j : 'I_k).

Definition arm i : 'cV[R]_k.+1 := cos phi *: delta_mx 0 0 + sin phi *: delta_mx (lift 0 i) 0.
Definition arm_mean i j : R := mu (dot (arm j) (S *: arm i)).

Lemma dot_arms i j : dot (arm j) (arm i) = cos phi ^+ 2 + sin phi ^+ 2 *+ (j == i).
Proof.
have unit (u v : 'I_k.+1) : dot (delta_mx u 0) (delta_mx v 0 : 'cV[R]_k.+1) = (u == v)%:R.
  by rewrite /dot trmx_delta mul_delta_mx_cond; case: (u == v); rewrite ?mulr1n ?mulr0n !mxE ?eqxx.
rewrite /arm !dotDl !dotDr !dotZl !dotZr !unit eqxx (inj_eq (@lift_inj _ 0)).
have off (u : 'I_k) : (0 == lift 0 u :> 'I_k.+1) = false by apply/negbTE; exact: neq_lift.
by rewrite (eq_sym (lift 0 j)) !off !mulr0 addr0 add0r mulr1 !expr2; case: (j == i); rewrite ?mulr1 ?mulr0.
Qed.

Lemma arm_mean_best i : arm_mean i i = mu S.
Proof.
have one : cos phi ^+ 2 + sin phi ^+ 2 = 1 by rewrite addrC; have := sin2_cos2 phi; rewrite /Rsqr !expr2.
by rewrite /arm_mean dotZr dot_arms eqxx mulr1n one mulr1.
Qed.

Lemma arm_mean_other i j : j != i -> arm_mean i j = mu (S * cos phi ^+ 2).
Proof. by move=> /negbTE ji; rewrite /arm_mean dotZr dot_arms ji addr0. Qed.

(* The learner sees the rewards that were shown; the adversary adds to the mean of the arm that is pulled. *)
Definition learner := seq R -> 'I_k.
Definition adversary := 'I_k -> seq R -> R.
Fixpoint shown (pi : learner) (adv : adversary) i t : seq R :=
  if t is t'.+1 then let s := shown pi adv i t' in rcons s (arm_mean i (pi s) + adv i s) else [::].
Definition within C (pi : learner) (adv : adversary) := forall i T, \sum_(t < T) `|adv i (shown pi adv i t)| <= C.
Definition regret (pi : learner) (adv : adversary) i T : R :=
  \sum_(t < T) (arm_mean i i - arm_mean i (pi (shown pi adv i t))).
End Construction.

Lemma one_arm_costs_nothing (mu : R -> R) (S phi : R) (pi : learner 1) (adv : adversary 1) i T :
  regret mu S phi pi adv i T = 0.
Proof. by rewrite /regret big1 // => t _; rewrite !ord1 subrr. Qed.

(* In dimension d every increasing self-concordant link has S and phi with which the d - 1 arms cost d N Delta. *)
Definition construction_costs (d : nat) := exists c : R, 0 < c /\
  forall (m mu dmu ddmu : R -> R) (Rs : R), smooth m mu dmu ddmu -> (forall lo hi, concordant dmu ddmu Rs lo hi) ->
  (forall x y, x < y -> mu x < mu y) ->
  exists S phi : R, let Delta := mu S - mu (S * cos phi ^+ 2) in [/\ 0 < S, 0 < phi, phi < PI / 2, 0 < Delta &
    forall (N : nat) (C : R), N%:R * Delta <= C -> C < N.+1%:R * Delta ->
    forall pi : learner d.-1, exists (adv : adversary d.-1) (T : nat), within mu S phi C pi adv /\
      c * (d%:R * N%:R * Delta) <= (\sum_i regret mu S phi pi adv i T) / d.-1%:R].

(* What is printed for every d >= 2 says so for d = 2. *)
Definition printed_in_two_dimensions := construction_costs 2.

Lemma logistic_increasing (x y : R) : x < y -> logistic_mu x < logistic_mu y.
Proof.
move=> /RltP xy; have /RltP := exp_increasing _ _ xy; rewrite !logistic_muE.
rewrite ltr_pdivr_mulr ?exp1p_gt0 // mulrAC ltr_pdivl_mulr ?exp1p_gt0 //.
by move: (exp x) (exp y) => u v; clear; to_R; lra.
Qed.

(* Logistic rewards and a budget for one pull. *)
Theorem printed_construction_false : ~ printed_in_two_dimensions.
Proof.
move=> [c [c0 printed]].
have [S [phi [_ _ _ D0 bound]]] := printed _ _ _ _ _ logistic_smooth logistic_concordant logistic_increasing.
move: D0 bound; set Delta := _ - _ => D0 bound.
have beyond : Delta < 2%:R * Delta by rewrite mulr_natl mulr2n ltr_addr.
have fits : 1%:R * Delta <= Delta by rewrite mul1r.
have [adv [T [_]]] := bound 1%N Delta fits beyond (fun=> ord0).
by rewrite big_ord1 one_arm_costs_nothing mul0r leNgt !mulr_gt0 // ltr0n.
Qed.

(* --- the count of suboptimal pulls ------------------------------------------------------------------------------- *)

(* An arm that was pulled less than T_0 times in (d - 1) T_0 / 2 rounds leaves order d T_0 pulls to the others. *)
Definition count_of_suboptimal_pulls (least : nat) := exists c : R, 0 < c /\
  forall (d T0 n : nat) (Delta : R) (pulled : nat -> 'I_d.-1) (i : 'I_d.-1),
  (least <= d)%N -> (0 < T0)%N -> (2 * n = d.-1 * T0)%N -> 0 < Delta -> (\sum_(t < n) (pulled t == i) < T0)%N ->
  c * (d%:R * T0%:R * Delta) <= \sum_(t < n) Delta * (pulled t != i)%:R.

Definition printed_count := count_of_suboptimal_pulls 2.

(* d = 3, T_0 rounds, the best arm in all but the last of them. *)
Theorem count_from_three_false : ~ count_of_suboptimal_pulls 3.
Proof.
move=> [c [c0 count]]; pose N := Num.bound c^-1.
have big : 1 < c * N.+1%:R.
  rewrite mulrC -ltr_pdivr_mulr // mul1r; apply: lt_trans (archi_boundP _) _; first by rewrite invr_ge0 ltW.
  by rewrite ltr_nat.
pose pulled (t : nat) : 'I_2 := if (t < N)%N then ord0 else ord_max.
have all_but_one (t : 'I_N) : pulled t = ord0 by rewrite /pulled ltn_ord.
have last : pulled N = ord_max by rewrite /pulled ltnn.
have few : (\sum_(t < N.+1) (pulled t == ord0) < N.+1)%N.
  rewrite big_ord_recr /= last addn0; under eq_bigr do rewrite all_but_one eqxx.
  by rewrite sum1_card card_ord.
have := count 3%N N.+1 N.+1 1 pulled ord0 isT isT erefl ltr01 few.
rewrite big_ord_recr /= last mulr1 big1 => [|t _]; last by rewrite all_but_one mulr0.
rewrite add0r !mulr1 mulrCA; move: big; move: (c * N.+1%:R) => x; clear; to_R; lra.
Qed.

Theorem printed_count_false : ~ printed_count.
Proof.
move=> [c [c0 count]]; apply: count_from_three_false; exists c; split=> // d T0 n Delta pulled i d3.
by apply: count; exact: ltnW.
Qed.
