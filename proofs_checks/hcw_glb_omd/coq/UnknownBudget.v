(* app:unknown-C: what not knowing the corruption budget costs, against the adversary of the paper.
   Two worlds, with arms e_1, ..., e_d.  In the clean one theta = s e_k; in the other theta = s e_k + b e_j, s <= b, and
   the adversary hides arm j.  As long as its budget lasts they look the same, and arm j is pulled as rarely.
     two_worlds            regret in world j is at least Delta' (T - r (1 + T D / C)), r the mean pulls of j when clean
     price_of_ignorance    so bounds on the regret at budget 0 and at budget C cannot both be small
     linear_regret         at C >= 4 D bound(0) / ((d - 1) Delta) the bound is at least Delta' T / 2
     logistic_guarantee    the premises are met by every policy of a logistic bandit
     comparable_guarantee_false   for logistic bandits no guarantee F(T) + G(T) C with F (1 + G) = o(T) exists *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.classical Require Import boolp.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar QuadraticForm LogisticLink FiniteProcess Coupling CorruptedBandit ExponentialFamily.
From HCW Require Import HidingAdversary CorruptionBound.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Lemma split_price (t r D C : R) : 0 < C -> t - r * (1 + t * D / C) = t - r - t / C * (D * r).
Proof. by to_R; field; lra. Qed.

(* Numbers of the last theorem. *)
Lemma quarter (f e n t : R) : f <= e * t -> e <= n / 4 -> 0 <= t -> 4 * f <= n * t.
Proof. by move=> fe en t0; have := ler_wpmul2r t0 en; move: fe; to_R; lra. Qed.

Lemma mixed (f x u : R) : 0 <= f -> 0 <= x -> 0 <= u -> f + x * (u * f) <= (1 + u) * (f * (1 + x)).
Proof. by move=> f0 x0 u0; have := mulr_ge0 u0 f0; have := mulr_ge0 x0 f0; to_R; nra. Qed.

Lemma half_is_more (t w u e : R) : 0 < t -> 0 < w -> 0 < u -> e <= w / (4 * u) -> ~ (w * t / 2 <= u * (e * t)).
Proof.
move=> t0 w0 u0; rewrite ler_pdivl_mulr ?mulr_gt0 ?ltr0n // => le bad; have := mulr_gt0 w0 t0; have := ler_wpmul2r (ltW t0) le.
by move: bad; clear; to_R; nra.
Qed.

Section Worlds.
Variables (d : nat) (Y : finType) (val : Y -> R) (base : nat -> Y -> R) (m mu : R -> R) (g : nat -> R).
Hypothesis fam : family_law val base m mu g.
Implicit Types (theta : 'cV[R]_d) (a j k : 'I_d) (pi : policy d Y).

Definition paid theta : rewards d Y := fun t a => mass val base m g t (arm_value theta a).
Definition mean theta a : R := mu (arm_value theta a).
(* A bound on the expected regret over T rounds for every parameter in the ball and every adversary, by its budget;
   the policy is not told the budget. *)
Definition guarantees (S : R) (T : nat) pi (bound : R -> R) := forall theta best (adv : adversary d Y) (C : R),
  dot theta theta <= S ^+ 2 -> (forall a, mean theta a <= mean theta best) -> 0 <= C ->
  is_adversary adv -> within val C adv -> expected_regret pi (paid theta) adv (mean theta) best T <= bound C.

Lemma paid_law theta : is_rewards (paid theta). Proof. by move=> t a; exact: (mass_law fam). Qed.

(* --- the worlds ------------------------------------------------------------------------------------------------ *)

Variables (s b : R).
Hypothesis s_ge0 : 0 <= s.
Hypothesis s_le_b : s <= b.
Let Delta : R := mu s - mu 0.
Let Delta' : R := mu b - mu s.
Let D : R := mu b - mu 0.
Hypothesis Delta_gt0 : 0 < Delta.
Hypothesis Delta'_ge0 : 0 <= Delta'.

Definition clean_world k : 'cV[R]_d := s *: delta_mx k 0.
Definition hidden_world k j : 'cV[R]_d := clean_world k + b *: delta_mx j 0.

Lemma hidden_value k j a : j != k -> arm_value (hidden_world k j) a = if a == j then b else arm_value (clean_world k) a.
Proof.
move=> jk; rewrite /hidden_world /arm_value dotDr -!/(arm_value _ _) !arm_value_scaled.
by case: (eqVneq a j) => [->|_]; rewrite ?(negbTE jk) ?add0r ?addr0.
Qed.

Lemma hidden_in_ball k j : j != k -> dot (hidden_world k j) (hidden_world k j) = s ^+ 2 + b ^+ 2.
Proof.
move=> jk; rewrite {1}/hidden_world dotDl !dotZl -!/(arm_value _ _) !hidden_value // eqxx eq_sym (negbTE jk).
by rewrite arm_value_scaled eqxx !expr2.
Qed.

Variables (k : 'I_d) (pi : policy d Y).
Hypothesis law_pi : is_policy pi.
Let clean := paid (clean_world k).
Definition clean_pulls j T : R := expect (blind pi clean) (fun s => (shown_pulls j s)%:R) T [::].

Let clean_mean a : mean (clean_world k) k - mean (clean_world k) a = Delta * (a != k)%:R.
Proof. by rewrite /mean !arm_value_scaled eqxx; case: (a == k); rewrite ?subrr ?mulr0 ?mulr1. Qed.

(* The regret of the clean world counts the pulls of the other arms. *)
Lemma clean_regret T : expected_regret pi clean (@honest d Y) (mean (clean_world k)) k T =
  Delta * \sum_(j | j != k) clean_pulls j T.
Proof.
rewrite /clean_pulls -expect_sum -expect_scale -honest_blind; apply: eq_expect => h _.
rewrite /regret; under eq_bigr do rewrite clean_mean; rewrite -mulr_sumr; congr (_ * _).
rewrite (eq_bigr (fun j => \sum_(x <- h) (arm_of x == j)%:R)) => [|j _]; last first.
  by rewrite pulls_seen /pulls -sum1_count natr_sum big_mkcond; apply: eq_bigr => x _; case: (_ == j).
rewrite exchange_big; apply: eq_bigr => x _ /=; case: (eqVneq (arm_of x) k) => [e|ne] /=.
  by rewrite big1 // => j jk; rewrite e eq_sym (negbTE jk).
by rewrite (bigD1 (arm_of x)) //= eqxx big1 ?addr0 // => j /andP[_]; rewrite eq_sym => /negbTE ->.
Qed.

Section Hidden.
Variables (j : 'I_d) (C : R).
Hypothesis jk : j != k.
Hypothesis C_gt0 : 0 < C.

Let lo t : clean t j = mass val base m g t 0.
Proof. by rewrite /clean /paid arm_value_scaled (negbTE jk). Qed.
Let hi t := mass val base m g t b.
Let q t := moving (hi t) (mass val base m g t 0).
Let law_hi t : law_of (hi t). Proof. exact: (mass_law fam). Qed.
Let coupled t : coupling val (q t) (hi t) (clean t j).
Proof. by rewrite lo; apply: (family_coupled fam); apply: le_trans s_le_b. Qed.
Let gap t : \sum_y hi t y * val y - \sum_y clean t j y * val y = D.
Proof. by rewrite lo /hi !(mass_mean fam). Qed.
Definition hide_better : adversary d Y := hide val j hi q C.

Lemma hide_better_law : is_adversary hide_better. Proof. exact: hide_law law_hi coupled _. Qed.
Lemma hide_better_within : within val C hide_better. Proof. exact: hide_within. Qed.

Let world_paid : paid (hidden_world k j) = better j clean hi.
Proof. by apply/funext => t; apply/funext => a; rewrite /paid /better hidden_value //; case: (a == j). Qed.

Let world_mean a : Delta' * (a != j)%:R <= mean (hidden_world k j) j - mean (hidden_world k j) a.
Proof.
rewrite /mean !hidden_value // eqxx; case: (a == j) => /=; first by rewrite mulr0 subrr.
rewrite mulr1 arm_value_scaled; case: (a == k); first by rewrite lexx.
by rewrite /Delta'; move: Delta_gt0; rewrite /Delta; to_R; lra.
Qed.

Let world_regret (h : seq (round d Y)) T : size h = T ->
  Delta' * (T - shown_pulls j (seen h))%N%:R <= regret (mean (hidden_world k j)) j h.
Proof.
move=> sz; rewrite pulls_seen -sz -(count_predC (fun x => arm_of x == j) h) addKn /regret -sum1_count natr_sum mulr_sumr.
rewrite [X in X <= _]big_mkcond /=; apply: ler_sum => x _.
by have := world_mean (arm_of x); case: (arm_of x == j); rewrite ?mulr0.
Qed.

Theorem two_worlds T : Delta' * (T%:R - clean_pulls j T * (1 + T%:R * D / C)) <=
  expected_regret pi (paid (hidden_world k j)) hide_better (mean (hidden_world k j)) j T.
Proof.
rewrite world_paid; pose F (x : seq ('I_d * Y)) : R := (T - shown_pulls j x)%N%:R.
have F0 x : 0 <= F x := ler0n _ _.
have lc := paid_law (clean_world k); have real := real_law lc law_hi coupled C law_pi.
apply: le_trans (_ : Delta' * expect (game pi (better j clean hi) hide_better) (fun h => F (seen h)) T [::] <= _); last first.
  rewrite -expect_scale; apply: expect_le => // h; rewrite addn0; exact: world_regret.
rewrite ler_wpmul2l //; have stay := survives lc law_hi coupled C law_pi T F0.
have start : expect (blind pi clean) F T [::] = T%:R - clean_pulls j T.
  rewrite -(expect_cst (fun x => blind_law x law_pi lc) T%:R T [::]) -expect_sub; apply: eq_expect => x.
  rewrite addn0 => sz; rewrite /F natrB // -sz; exact: count_size.
have dear := mean_cost lc law_hi coupled gap law_pi T.
have spent : expect (game pi (better j clean hi) (fun h => reveal j hi q (size h)))
    (fun h => (C < cost val h)%R%:R * F (seen h)) T [::] <= T%:R / C * (D * clean_pulls j T).
  have TC0 : 0 <= T%:R / C by rewrite mulr_ge0 ?ler0n // invr_ge0 ltW.
  apply: le_trans (ler_wpmul2l TC0 dear); rewrite -expect_scale; apply: expect_le => [h|h _].
    by apply: game_law => // [|h' a y]; [exact: better_law | exact: (reveal_law law_hi coupled)].
  case: ltP => hC; last by rewrite mul0r mulr_ge0 ?cost_ge0.
  rewrite mul1r; apply: le_trans (_ : T%:R <= _); first by rewrite ler_nat leq_subr.
  by rewrite -mulrA -[X in X <= _]mulr1 ler_wpmul2l ?ler0n // mulrC ler_pdivl_mulr // mul1r ltW.
rewrite split_price //.
by rewrite ler_subl_addl -start; apply: le_trans stay (ler_add spent (lexx _)).
Qed.
End Hidden.

(* --- some arm is rarely pulled in the clean world --------------------------------------------------------------- *)

Lemma rare_arm T : (1 < d)%N -> exists2 j, j != k & d.-1%:R * clean_pulls j T <= \sum_(j | j != k) clean_pulls j T.
Proof.
move=> d1; set total := \sum_(_ | _) _; have count_others : #|[pred j : 'I_d | j != k]| = d.-1.
  by have := cardC1 k; rewrite card_ord.
have [j0 j0k] : exists j, j \in [pred j : 'I_d | j != k].
  by apply/card_gt0P; rewrite count_others -subn1 subn_gt0.
case: (pselect (exists2 j, j != k & d.-1%:R * clean_pulls j T <= total)) => // no; exfalso.
have more j : j != k -> total < d.-1%:R * clean_pulls j T.
  by move=> jk; rewrite ltNge; apply/negP => le; apply: no; exists j.
have : \sum_(j | j != k) total < \sum_(j | j != k) d.-1%:R * clean_pulls j T.
  rewrite (bigD1 j0) //= [X in _ < X](bigD1 j0) //=; apply: ltr_le_add; first exact: more.
  by apply: ler_sum => j /andP[jk _]; apply/ltW/more.
by rewrite sumr_const count_others -mulr_sumr -/total mulr_natl ltxx.
Qed.
End Worlds.

(* --- bounds for every budget ------------------------------------------------------------------------------------ *)

Section Price.
Variables (d : nat) (Y : finType) (val : Y -> R) (base : nat -> Y -> R) (m mu : R -> R) (g : nat -> R).
Variables (s b S : R) (T : nat) (pi : policy d Y) (bound : R -> R).
Let Delta : R := mu s - mu 0.
Let Delta' : R := mu b - mu s.
Let D : R := mu b - mu 0.

Theorem price_of_ignorance (C : R) : (1 < d)%N -> family_law val base m mu g -> 0 <= s -> s <= b ->
  s ^+ 2 + b ^+ 2 <= S ^+ 2 -> 0 < Delta -> 0 <= Delta' -> is_policy pi -> 0 < C ->
  guarantees val base m mu g S T pi bound ->
  Delta' * (T%:R - bound 0 / (d.-1%:R * Delta) * (1 + T%:R * D / C)) <= bound C.
Proof.
move=> d1 fam s0 sb ball D0 D1 lp C0 all; pose k : 'I_d := Ordinal (ltnW d1).
have [j jk rare] := rare_arm val base m g s k pi T d1.
have n0 : 0 < d.-1%:R :> R by rewrite ltr0n -subn1 subn_gt0.
have few : clean_pulls val base m g s k pi j T <= bound 0 / (d.-1%:R * Delta).
  rewrite ler_pdivl_mulr ?mulr_gt0 //.
  have inside : dot (clean_world s k) (clean_world s k) <= S ^+ 2.
    apply: le_trans (scaled_in_ball _ _) _; apply: le_trans ball; rewrite ler_addl; exact: sqr_ge0.
  have best a : mean mu (clean_world s k) a <= mean mu (clean_world s k) k.
    rewrite /mean !arm_value_scaled eqxx; case: (a == k) => //; by rewrite -subr_ge0 ltW.
  apply: le_trans (all _ _ _ _ inside best (lexx 0) (@honest_law d Y) (@honest_within d Y val 0)).
  by rewrite clean_regret -/Delta mulrA [Delta * _]mulrC ler_wpmul2r ?(ltW D0) // mulrC.
have inside : dot (hidden_world s b k j) (hidden_world s b k j) <= S ^+ 2 by rewrite hidden_in_ball.
have best a : mean mu (hidden_world s b k j) a <= mean mu (hidden_world s b k j) j.
  rewrite /mean !hidden_value // eqxx; case: (a == j) => //; rewrite arm_value_scaled.
  by case: (a == k); move: D0 D1; rewrite /Delta /Delta'; to_R; lra.
have law := hide_better_law fam s0 sb C jk.
have spends := @hide_better_within d Y val base m g b j C.
apply: le_trans (all _ _ _ _ inside best (ltW C0) law spends).
apply: le_trans (two_worlds fam s0 sb D0 D1 lp jk C0 T).
have DD : 0 <= D by rewrite /D; move: D0 D1; rewrite /Delta /Delta'; to_R; lra.
rewrite ler_wpmul2l // ler_add2l ler_opp2; apply: ler_wpmul2r => //.
by rewrite addr_ge0 ?ler01 // divr_ge0 ?(ltW C0) // mulr_ge0 ?ler0n.
Qed.

Theorem linear_regret (C : R) : (1 < d)%N -> family_law val base m mu g -> 0 <= s -> s <= b ->
  s ^+ 2 + b ^+ 2 <= S ^+ 2 -> 0 < Delta -> 0 <= Delta' -> is_policy pi -> 0 < C ->
  guarantees val base m mu g S T pi bound ->
  4 * bound 0 <= d.-1%:R * Delta * T%:R -> 4 * D * bound 0 <= d.-1%:R * Delta * C -> Delta' * T%:R / 2 <= bound C.
Proof.
move=> d1 fam s0 sb ball D0 D1 lp C0 all few paid.
apply: le_trans (price_of_ignorance d1 fam s0 sb ball D0 D1 lp C0 all); rewrite -mulrA ler_wpmul2l //.
have n0 : 0 < d.-1%:R * Delta :> R by rewrite mulr_gt0 // ltr0n -subn1 subn_gt0.
have t0 : 0 <= T%:R :> R := ler0n _ _.
move: n0 t0 few paid; move: (d.-1%:R * Delta) (bound 0) (T%:R : R) => n r t n0 t0 few paid.
have r1 : r / n <= t / 4 by rewrite ler_pdivr_mulr //; move: few; to_R; lra.
have r2 : r / n * (t * D / C) <= t / 4.
  have -> : r / n * (t * D / C) = t * (D * r / (n * C)) by clear few paid r1; move: n0 C0; to_R; field; split; lra.
  rewrite ler_wpmul2l // ler_pdivr_mulr ?mulr_gt0 //; move: paid; to_R; lra.
by rewrite mulrDr mulr1; move: r1 r2; generalize (r / n * (t * D / C)) (r / n); to_R; lra.
Qed.
End Price.

(* Every policy has some guarantee: with means between 0 and 1 no round costs more than 1. *)
Lemma bounded_guarantee (d : nat) (Y : finType) (val : Y -> R) base (m mu : R -> R) g (S : R) (T : nat)
    (pi : policy d Y) : family_law val base m mu g -> (forall z, 0 <= mu z <= 1) -> is_policy pi ->
  guarantees val base m mu g S T pi (fun=> T%:R).
Proof.
move=> fam range lp theta best adv C _ _ _ la _; have ln := paid_law fam theta.
rewrite -(expect_cst (game_law lp ln la) T%:R T [::]); apply: expect_le => [h|h]; first exact: game_law.
rewrite addn0 => sz; rewrite /regret -sz -sum1_size natr_sum; apply: ler_sum => x _.
have /andP[_ b1] := range (arm_value theta best); have /andP[a0 _] := range (arm_value theta (arm_of x)).
by rewrite /mean; move: b1 a0; move: (mu _) (mu _) => u v; clear; to_R; lra.
Qed.

Lemma logistic_guarantee (d : nat) (S : R) (T : nat) (pi : policy d [finType of bool]) : is_policy pi ->
  guarantees bit (fun _ _ => 1) logistic_m logistic_mu (fun=> 1) S T pi (fun=> T%:R).
Proof.
by apply: bounded_guarantee bernoulli_family _ => z; have [a b] := logistic_range z; apply/andP; split; apply/RleP.
Qed.

(* --- app:unknown-C as printed ----------------------------------------------------------------------------------- *)

(* A guarantee comparable with the one for a known budget: for every horizon a policy that is not told C, with regret
   at most F(T) + G(T) C whatever C is, where F (1 + G) is of lower order than T.  A rate d sqrt T + d kappa C, times
   any power of log T, is of this form. *)
Definition comparable_guarantee (d : nat) (S : R) := exists F G : nat -> R,
  [/\ forall T, 0 < F T /\ 0 <= G T,
      forall eps : R, 0 < eps -> exists T0, forall T, (T0 <= T)%N -> F T * (1 + G T) <= eps * T%:R &
      forall T, exists pi : policy d [finType of bool], is_policy pi /\
        guarantees bit (fun _ _ => 1) logistic_m logistic_mu (fun=> 1) S T pi (fun C => F T + G T * C)].

Lemma logistic_strict (y z : R) : y < z -> logistic_mu y < logistic_mu z.
Proof.
move=> yz; rewrite !logistic_muE; have : Rlt (exp y) (exp z) by apply: exp_increasing; apply/RltP.
have := exp_pos y; have := exp_pos z; generalize (exp y) (exp z) => u v v0 u0 uv.
have u1 : 0 < 1 + u by to_R; lra.
have v1 : 0 < 1 + v by to_R; lra.
by rewrite ltr_pdivr_mulr // mulrAC ltr_pdivl_mulr //; to_R; nra.
Qed.

Theorem comparable_guarantee_false (d : nat) (S : R) : (1 < d)%N -> 0 < S -> ~ comparable_guarantee d S.
Proof.
move=> d1 S0 [F [G [pos small run]]]; pose s := S / 2; pose b := 4 / 5 * S.
have s1 : 0 < s by rewrite /s divr_gt0 // ltr0n.
have s0 := ltW s1.
have sb : s < b by rewrite /s /b; move: S0; clear; to_R; lra.
have ball : s ^+ 2 + b ^+ 2 <= S ^+ 2 by rewrite /s /b; clear; to_R; nra.
have D0 : 0 < logistic_mu s - logistic_mu 0 by rewrite subr_gt0 logistic_strict.
have D1 : 0 < logistic_mu b - logistic_mu s by rewrite subr_gt0 logistic_strict.
pose n := d.-1%:R * (logistic_mu s - logistic_mu 0); pose D := logistic_mu b - logistic_mu 0.
have n0 : 0 < n by rewrite mulr_gt0 // ltr0n -subn1 subn_gt0.
have DD : 0 < D by rewrite subr_gt0 logistic_strict // (lt_trans s1).
pose K := 4 * D / n; have K0 : 0 < K by rewrite divr_gt0 // mulr_gt0 // ltr0n.
pose eps := Num.min (n / 4) ((logistic_mu b - logistic_mu s) / (4 * (1 + K))).
have K1 : 0 < 1 + K by rewrite addr_gt0 ?ltr01.
have K4 : 0 < 4 * (1 + K) by apply: mulr_gt0; rewrite ?ltr0n.
have e0 : 0 < eps by rewrite lt_minr; apply/andP; split; apply: divr_gt0; rewrite ?ltr0n.
have [T0 late] := small eps e0; pose T := T0.+1; have [F0 G0] := pos T.
have few := late T (leqnSn T0); have [pi [lp all]] := run T; have T1 : 0 < T%:R :> R by rewrite ltr0n.
have e1 : eps <= n / 4 by rewrite le_minl lexx.
have e2 : eps <= (logistic_mu b - logistic_mu s) / (4 * (1 + K)) by rewrite le_minl lexx orbT.
have C0 : 0 < K * F T by rewrite mulr_gt0.
have FG : F T <= F T * (1 + G T) by rewrite -{1}[F T]mulr1 ler_wpmul2l ?(ltW F0) // ler_addl.
have FT : F T <= eps * T%:R := le_trans FG few.
have lin : (logistic_mu b - logistic_mu s) * T%:R / 2 <= F T + G T * (K * F T).
  apply: (linear_regret d1 bernoulli_family s0 (ltW sb) ball D0 (ltW D1) lp C0 all); rewrite mulr0 addr0 -/n -/D.
    exact: quarter FT e1 (ltW T1).
  by rewrite mulrA /K mulrC [n * _]mulrC mulfVK ?gt_eqF // mulrC lexx.
have most := mixed (ltW F0) G0 (ltW K0).
apply: (half_is_more T1 D1 K1 e2); exact: le_trans lin (le_trans most (ler_wpmul2l (ltW K1) few)).
Qed.

(* In some dimension and for some ball, which is the least that the appendix can mean. *)
Definition comparable_guarantee_somewhere := exists (d : nat) (S : R), [/\ (1 < d)%N, 0 < S & comparable_guarantee d S].
Theorem comparable_guarantee_somewhere_false : ~ comparable_guarantee_somewhere.
Proof. by move=> [d [S [d1 S0]]]; apply: comparable_guarantee_false. Qed.
