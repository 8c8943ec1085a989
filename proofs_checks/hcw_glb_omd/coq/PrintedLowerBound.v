(* thm:lower-bound as printed, for Gaussian rewards of one variance g, and its negation.
   With constant g the bin of g_max is the only one: U = sqrt (2^L / T) / L, L = ceil (log2 T), and for the linear
   link mu' = kappa = L_mu = 1, so the theorem's condition is sqrt (g T) >= 4 d sqrt g.  Every choice below that is
   not in the text weakens it: it is asked only against learners who fix their arms beforehand, and ceil (log T) is
   read to base 2.  Suprema over arm sets and parameters are attained at the price of a smaller c2.
     playing_the_centre           the learner who always plays the best arm at theta_* pays at most 2 sqrt eps a round
     printed_lower_bound          the printed statement
     printed_lower_bound_false    hence no absolute c1, c2 exist: eps has the dimension of theta, not of theta^2
     printed_bound_in_ball_false  nor c2 alone, once parameters have to stay in the ball of radius S *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots Scalar QuadraticForm MirrorDescent.
From HCW Require Import Algorithm GoodEvent.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* x is the best arm of X at theta. *)
Definition best_at d (X : 'cV[R]_d -> Prop) (theta x : 'cV[R]_d) :=
  X x /\ forall y, X y -> dot y theta <= dot x theta.

Lemma playing_the_centre d (X : 'cV[R]_d -> Prop) (star theta x y : 'cV[R]_d) (r : R) : 0 <= r ->
  (forall z, X z -> ball 1 z) -> best_at X star x -> X y -> ball r (theta - star) ->
  dot y theta - dot x theta <= 2 * r.
Proof.
move=> r0 unit [Xx best] Xy near; have by1 : dot y y <= 1 by have := unit y Xy; rewrite /ball expr1n.
have bx1 : dot x x <= 1 by have := unit x Xx; rewrite /ball expr1n.
have := dot_ball r0 by1 near; have := dot_ball r0 bx1 near; have := best y Xy; rewrite !dotBr !ler_norml.
move: (dot y theta) (dot x theta) (dot y star) (dot x star) => a b c e h /andP[h1 h2] /andP[h3 h4].
by move: h h1 h4; clear; to_R; lra.
Qed.

Definition printed_lower_bound := exists c1 c2 : R, [/\ 0 < c1, 0 < c2 &
  forall (d T L : nat) (S g : R) (star : 'cV[R]_d), 0 < S -> 0 < g -> ball S star ->
    (0 < T)%N -> (T <= 2 ^ L)%N -> (2 ^ L < 2 * T)%N -> (L + 1 <= d)%N -> 4 * d%:R * sqrt g <= sqrt (g * T%:R) ->
  exists (X : nat -> 'cV[R]_d -> Prop) (centre : nat -> 'cV[R]_d),
    [/\ forall t x, X t x -> ball 1 x, forall t, best_at (X t) star (centre t) &
    forall x : nat -> 'cV[R]_d, (forall t, X t (x t)) ->
    exists (theta : 'cV[R]_d) (best : nat -> 'cV[R]_d), [/\ forall t, X t (best t),
      dot (theta - star) (theta - star) <= c1 * (d%:R * sqrt (g / T%:R) * (sqrt (2 ^+ L / T%:R) / L%:R)) &
      c2 * d%:R * sqrt (g * T%:R) / L%:R <= \sum_(t < T) (dot (best t) theta - dot (x t) theta)]]].

(* d = 13, L = 12, T = 4096, sqrt g = h^2 with h large. *)
Theorem printed_lower_bound_false : ~ printed_lower_bound.
Proof.
move=> [c1 [c2 [c10 c20 printed]]].
pose A : R := c1 * 13 / 12; have A0 : 0 < A by rewrite divr_gt0 ?mulr_gt0 ?ltr0n.
pose h : R := (128 * (1 + A)) / c2 + 1; have h0 : 0 < h.
  by rewrite ltr_paddl ?ltr01 // divr_ge0 ?(ltW c20) // mulr_ge0 ?ler0n // addr_ge0 ?ler01 ?(ltW A0).
pose g : R := (h ^+ 2) ^+ 2; have g0 : 0 < g by rewrite !exprn_gt0.
have h2 : 0 <= h ^+ 2 by apply: sqr_ge0.
have rg : sqrt g = h ^+ 2 by apply: sqrt_of_square.
pose p : R := 2 ^+ 6; have pE : p = 64 by rewrite /p -natrX.
have p0 : 0 < p by rewrite exprn_gt0 // ltr0n.
have TE : (2 ^ 12)%N%:R = p ^+ 2 :> R by rewrite natrX /p -exprM.
have rT : sqrt (p ^+ 2) = p by rewrite sqrt_of_square // ltW.
have rgT : sqrt (g * (2 ^ 12)%N%:R) = h ^+ 2 * p by rewrite TE sqrtM ?(ltW g0) ?sqr_ge0 // rg rT.
have rgT' : sqrt (g / (2 ^ 12)%N%:R) = h ^+ 2 / p.
  by rewrite TE -expr_div_n sqrt_of_square // divr_ge0 // ltW.
have one : sqrt (2 ^+ 12 / (2 ^ 12)%N%:R) = 1.
  by rewrite natrX divff ?sqrt_1 // expf_neq0 // pnatr_eq0.
have ball0 : ball 1 (0 : 'cV[R]_13) by rewrite /ball /dot mulmx0 mxE expr1n ler01.
have cond : 4 * 13%:R * sqrt g <= sqrt (g * (2 ^ 12)%N%:R).
  by rewrite rg rgT mulrC ler_wpmul2l // pE -natrM ler_nat.
have big : (2 ^ 12 < 2 * 2 ^ 12)%N by rewrite ltn_Pmull // expn_gt0.
have pos : (0 < 2 ^ 12)%N by rewrite expn_gt0.
have [X [centre [unit best play]]] :=
  printed 13%N (2 ^ 12)%N 12%N 1 g 0 ltr01 g0 ball0 pos (leqnn _) big isT cond.
have [theta [b [Xb near low]]] := play centre (fun t => (best t).1).
move: near low; rewrite one rgT rgT' => near low.
pose r : R := (1 + A) * h / 8; have r0 : 0 <= r by rewrite divr_ge0 ?ler0n // mulr_ge0 ?(ltW h0) // addr_ge0 ?ler01 ?(ltW A0).
have inside : ball r (theta - 0).
  apply: le_trans near _; rewrite pE /r.
  have square (x : R) : 0 < x -> x <= (1 + x) ^+ 2 by clear; to_R; nra.
  have := ler_wpmul2r h2 (square _ A0); rewrite {1}/A.
  have solve (c u B : R) : c * 13 / 12 * u ^+ 2 <= B ^+ 2 * u ^+ 2 ->
    c * (13%:R * (u ^+ 2 / 64) * (1 / 12%:R)) <= (B * u / 8) ^+ 2 by clear; to_R; lra.
  exact: solve.
have up : \sum_(t < 2 ^ 12) (dot (b t) theta - dot (centre t) theta) <= p ^+ 2 * (2 * r).
  rewrite -TE mulr_natl -[X in _ <= _ *+ X]card_ord -sumr_const; apply: ler_sum => t _.
  exact: playing_the_centre r0 (unit t) (best t) (Xb t) inside.
have := le_trans low up; rewrite pE /r.
have hE : h * c2 = 128 * (1 + A) + c2 by rewrite /h mulrDl mul1r divfK // gt_eqF.
have c : 0 <= (1 + A) * h by rewrite mulr_ge0 ?(ltW h0) // addr_ge0 ?ler01 ?(ltW A0).
have ch : 0 < c2 * h by rewrite mulr_gt0.
have e : c2 * h ^+ 2 = 128 * ((1 + A) * h) + c2 * h.
  by have -> : c2 * h ^+ 2 = h * c2 * h by [rewrite expr2 mulrA [c2 * h]mulrC]; rewrite hE mulrDl -mulrA.
have solve (x y z q : R) : q * z = 128 * x + y -> 0 <= x -> 0 < y ->
    q * 13%:R * (z * 64) / 12%:R <= 64 ^+ 2 * (2 * (x / 8)) -> False by clear; to_R; lra.
exact: solve e c ch.
Qed.

(* The same for all parameters of the ball, near theta_* or not. *)
Definition printed_bound_in_ball := exists c2 : R, 0 < c2 /\
  forall (d T L : nat) (S g : R) (star : 'cV[R]_d), 0 < S -> 0 < g -> ball S star ->
    (0 < T)%N -> (T <= 2 ^ L)%N -> (2 ^ L < 2 * T)%N -> (L + 1 <= d)%N -> 4 * d%:R * sqrt g <= sqrt (g * T%:R) ->
  exists (X : nat -> 'cV[R]_d -> Prop) (centre : nat -> 'cV[R]_d),
    [/\ forall t x, X t x -> ball 1 x, forall t, best_at (X t) star (centre t) &
    forall x : nat -> 'cV[R]_d, (forall t, X t (x t)) ->
    exists (theta : 'cV[R]_d) (best : nat -> 'cV[R]_d), [/\ forall t, X t (best t), ball S theta &
      c2 * d%:R * sqrt (g * T%:R) / L%:R <= \sum_(t < T) (dot (best t) theta - dot (x t) theta)]].

(* d = 13, L = 12, T = 4096, g = 1 and S = c2/120: regret is at most 2 S T. *)
Theorem printed_bound_in_ball_false : ~ printed_bound_in_ball.
Proof.
move=> [c2 [c20 printed]]; pose S : R := c2 / 120; have S0 : 0 < S by rewrite divr_gt0 ?ltr0n.
pose p : R := 2 ^+ 6; have pE : p = 64 by rewrite /p -natrX.
have p0 : 0 <= p by rewrite exprn_ge0 // ler0n.
have TE : (2 ^ 12)%N%:R = p ^+ 2 :> R by rewrite natrX /p -exprM.
have rT : sqrt (1 * (2 ^ 12)%N%:R) = p by rewrite mul1r TE sqrt_of_square.
have ball0 : ball S (0 : 'cV[R]_13) by rewrite /ball /dot mulmx0 mxE sqr_ge0.
have cond : 4 * 13%:R * sqrt 1 <= sqrt (1 * (2 ^ 12)%N%:R).
  by rewrite rT sqrt_1 pE mulr1 -natrM ler_nat.
have big : (2 ^ 12 < 2 * 2 ^ 12)%N by rewrite ltn_Pmull // expn_gt0.
have pos : (0 < 2 ^ 12)%N by rewrite expn_gt0.
have [X [centre [unit best play]]] :=
  printed 13%N (2 ^ 12)%N 12%N S 1 0 S0 ltr01 ball0 pos (leqnn _) big isT cond.
have [theta [b [Xb inball low]]] := play centre (fun t => (best t).1).
have value t x : X t x -> `|dot x theta| <= S.
  by move=> Xx; apply: dot_ball (ltW S0) _ inball; have := unit t x Xx; rewrite /ball expr1n.
have up : \sum_(t < 2 ^ 12) (dot (b t) theta - dot (centre t) theta) <= p ^+ 2 * (2 * S).
  rewrite -TE mulr_natl -[X in _ <= _ *+ X]card_ord -sumr_const; apply: ler_sum => t _.
  have := value t _ (Xb t); have := value t _ (best t).1; rewrite !ler_norml => /andP[h1 _] /andP[_ h2].
  by move: h1 h2; clear; to_R; lra.
have := le_trans low up; rewrite rT pE /S; move: c20.
by clear; to_R; lra.
Qed.
