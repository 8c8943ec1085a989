(* thm:lower-bound-corruption, repaired, for every exponential family on finitely many reward values: arms
   e_1, ..., e_d, parameters S e_i, Delta = mu S - mu 0, C >= 8 Delta.
     corruption_bound_of_every_family   every adaptive randomised policy pays at least
                    min (3 Delta T / 8, 3 d C / 1024) for some theta in the ball and some adversary within C
     bernoulli_corruption_bound         the case of logistic bandits, where every premise is met *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.classical Require Import boolp.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar QuadraticForm LogisticLink FiniteProcess Coupling CorruptedBandit ExponentialFamily.
From HCW Require Import HidingAdversary HiddenArm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* The arms are the unit vectors; `arm_value theta a` is <e_a, theta>. *)
Definition arm_value (d : nat) (theta : 'cV[R]_d) (a : 'I_d) : R := dot (delta_mx a 0) theta.

Lemma arm_value_scaled d (S : R) (i a : 'I_d) : arm_value (S *: delta_mx i 0) a = if a == i then S else 0.
Proof.
rewrite /arm_value dotZr /dot trmx_delta mul_delta_mx_cond.
by case: (a == i); rewrite ?mulr1n ?mulr0n !mxE ?eqxx ?mulr1 ?mulr0.
Qed.

Lemma scaled_in_ball d (S : R) (i : 'I_d) : dot (S *: delta_mx i 0) (S *: delta_mx i 0 : 'cV[R]_d) <= S ^+ 2.
Proof. by rewrite dotZl -/(arm_value _ i) arm_value_scaled eqxx expr2. Qed.

(* n whole with n D <= C < (n + 1) D. *)
Lemma floor_exists (C D : R) : 0 < D -> 0 <= C -> exists n : nat, n%:R * D <= C < n.+1%:R * D.
Proof.
move=> D0 C0; have ex : exists n : nat, C < n.+1%:R * D.
  exists (Num.bound (C / D)); rewrite -ltr_pdivr_mulr //.
  by apply: lt_trans (archi_boundP (divr_ge0 C0 (ltW D0))) _; rewrite ltr_nat.
case: (ex_minnP ex) => n hn least; exists n; rewrite hn andbT.
case: n least {hn} => [|n] least; first by rewrite mul0r.
by rewrite leNgt; apply/negP => /least; rewrite ltnn.
Qed.

(* When to stop: late enough for d n / 8, early enough that three quarters of the arms have few pulls. *)
Lemma stopping_time d n T : (0 < n)%N -> exists T1,
  [/\ (T1 <= T)%N, (T1 <= n)%N || (4 * T1 <= d * n)%N & (T1 = T)%N \/ (d * n <= 8 * T1)%N].
Proof.
move=> n0; pose x := maxn n (d * n %/ 4); exists (minn T x); split; first exact: geq_minl.
  have : (minn T x <= x)%N := geq_minr _ _; rewrite {2}/x.
  have := divn_eq (d * n) 4; have := ltn_pmod (d * n) (isT : 0 < 4)%N.
  move: (minn T x) (d * n %/ 4)%N (d * n %% 4)%N => u v r; lia.
case: (leqP T x) => _; [by left | right; rewrite /x].
have := divn_eq (d * n) 4; have := ltn_pmod (d * n) (isT : 0 < 4)%N.
move: (d * n %/ 4)%N (d * n %% 4)%N => v r; case: (leqP d 8) => d8; first by nia.
have : (8 * n < d * n)%N by rewrite ltn_mul2r n0.
move: (d * n)%N => k; lia.
Qed.

(* How many pulls to hide, and when to stop. *)
Lemma hiding_horizon d (Delta C : R) T : 0 < Delta -> 8 * Delta <= C -> exists n T1,
  [/\ (T1 <= T)%N, (T1 <= n)%N || (4 * T1 <= d * n)%N &
      Num.min (3 / 8 * (Delta * T%:R)) (3 / 1024 * (d%:R * C)) <= Delta * T1%:R * (2^-1 - (n%:R * Delta) / C)].
Proof.
move=> D0 hC; have C0 : 0 < C by apply: lt_le_trans hC; rewrite mulr_gt0 // ltr0n.
have D8 : 0 < 8 * Delta by rewrite mulr_gt0 // ltr0n.
have [n /andP[n1 n2]] := floor_exists D8 (ltW C0).
have n0 : (0 < n)%N.
  by case: (n) n2 => // n2; have := le_lt_trans hC n2; rewrite mul1r ltxx.
have [T1 [TT short big]] := stopping_time d T n0; exists n, T1; split=> //.
have spent : n%:R * Delta / C <= 8^-1.
  by rewrite ler_pdivr_mulr //; move: n1; generalize (n%:R : R) => u; clear; to_R; lra.
apply: le_trans (_ : Delta * T1%:R * (3 / 8) <= _); last first.
  apply: ler_wpmul2l; first by rewrite mulr_ge0 ?ler0n ?(ltW D0).
  by move: spent; generalize (n%:R * Delta / C) => u; to_R; lra.
case: big => [->|big]; first by rewrite le_minl [3 / 8 * _]mulrC lexx.
rewrite le_minl; apply/orP; right.
have b : d%:R * n%:R <= 8 * T1%:R :> R by rewrite -!natrM ler_nat.
have c : C <= 16 * (Delta * n%:R).
  have n1R : 1 <= n%:R :> R by rewrite ler1n.
  have := ltW n2; rewrite -[n.+1]addn1 natrD; have := ler_wpmul2l (ltW D0) n1R.
  by generalize (n%:R : R) => u; clear; to_R; lra.
have dR : 0 <= d%:R :> R := ler0n _ _.
have := ler_wpmul2l (ltW D0) b; have := ler_wpmul2l dR c.
by generalize (n%:R : R) (d%:R : R) (T1%:R : R) => u v w; clear; to_R; lra.
Qed.

Theorem corruption_bound_of_every_family (d : nat) (Y : finType) (val : Y -> R) (base : nat -> Y -> R)
    (m mu : R -> R) (g : nat -> R) (S C : R) (pi : policy d Y) (T : nat) :
  let Delta := mu S - mu 0 in
  (1 < d)%N -> family_law val base m mu g -> 0 <= S -> 0 < Delta -> 8 * Delta <= C -> is_policy pi ->
  exists (theta : 'cV[R]_d) (best : 'I_d) (adv : adversary d Y),
    [/\ dot theta theta <= S ^+ 2, is_adversary adv, within val C adv &
        Num.min (3 / 8 * (Delta * T%:R)) (3 / 1024 * (d%:R * C)) <=
        expected_regret pi (fun t a => mass val base m g t (arm_value theta a)) adv
          (fun a => mu (arm_value theta a)) best T].
Proof.
move=> Delta d1 fam S0 D0 hC lp.
have C0 : 0 < C by apply: lt_le_trans hC; rewrite mulr_gt0 // ltr0n.
have [n [T1 [TT short big]]] := hiding_horizon d T D0 hC.
pose hi t := mass val base m g t S; pose lo t := mass val base m g t 0.
have lh t : law_of (hi t) := mass_law fam t S.
have ll t : law_of (lo t) := mass_law fam t 0.
have cp t : coupling val (moving (hi t) (lo t)) (hi t) (lo t) := family_coupled fam t S0.
have gap t : \sum_y hi t y * val y - \sum_y lo t y * val y = Delta by rewrite !(mass_mean fam).
pose theta i : 'cV[R]_d := S *: delta_mx i 0.
have mg i a : mu (arm_value (theta i) i) - mu (arm_value (theta i) a) = Delta * (a != i)%:R.
  by rewrite !arm_value_scaled eqxx; case: (a == i); rewrite ?subrr ?mulr0 ?mulr1.
have [i bound] := hidden_arm lh ll cp gap lp mg d1 C0 TT short.
exists (theta i), i, (hide_arm val hi (fun t => moving (hi t) (lo t)) C i); split.
- exact: scaled_in_ball.
- exact: (hide_law (i := i) (clean := fun t _ => lo t) lh cp).
- exact: hide_within.
have -> : (fun t a => mass val base m g t (arm_value (theta i) a)) = one_better hi lo i :> rewards d Y.
  by apply/funext => t; apply/funext => a; rewrite /one_better /better arm_value_scaled; case: (a == i).
exact: le_trans big bound.
Qed.

(* Every premise is met by logistic bandits, for every S > 0 and C >= 8. *)
Lemma logistic_increases (S : R) : 0 < S -> 0 < logistic_mu S - logistic_mu 0.
Proof.
move=> S0; rewrite subr_gt0 !logistic_muE exp_0.
have : Rlt (exp 0) (exp S) by apply: exp_increasing; apply/RltP.
rewrite exp_0; generalize (exp S) => e e1; have e0 : 0 < 1 + e by to_R; lra.
by rewrite ltr_pdivl_mulr //; to_R; lra.
Qed.

Lemma logistic_gap_le (S : R) : logistic_mu S - logistic_mu 0 <= 1.
Proof.
apply: le_trans (_ : logistic_mu S <= _).
  rewrite ler_subl_addr ler_addl logistic_muE divr_ge0 ?(ltW (exp1p_gt0 _)) //.
  exact/RleP/Rlt_le/exp_pos.
by rewrite logistic_muE ler_pdivr_mulr ?exp1p_gt0 // mul1r ler_addr ler01.
Qed.

Theorem bernoulli_corruption_bound (d : nat) (S C : R) (pi : policy d [finType of bool]) (T : nat) :
  (1 < d)%N -> 0 < S -> 8 <= C -> is_policy pi ->
  exists (theta : 'cV[R]_d) (best : 'I_d) (adv : adversary d [finType of bool]),
    [/\ dot theta theta <= S ^+ 2, is_adversary adv, within bit C adv &
        Num.min (3 / 8 * ((logistic_mu S - logistic_mu 0) * T%:R)) (3 / 1024 * (d%:R * C)) <=
        expected_regret pi (fun t a => mass bit (fun _ _ => 1) logistic_m (fun=> 1) t (arm_value theta a)) adv
          (fun a => logistic_mu (arm_value theta a)) best T].
Proof.
move=> d1 S0 hC lp.
apply: (corruption_bound_of_every_family T d1 bernoulli_family (ltW S0) (logistic_increases S0) _ lp).
apply: le_trans hC; rewrite -[X in _ <= X]mulr1 ler_wpmul2l ?ler0n //; exact: logistic_gap_le.
Qed.
