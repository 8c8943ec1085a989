(* lemma:inverse-regret, repaired (sign of the loss difference, square of the norm), for every dimension:
     |theta_t - star|^2 <= 2 eta (sum of loss(star) - loss(theta_{s+1})) + lam (S + |theta_1|)^2
                              - (1 - eps) (sum of |theta_{s+1} - theta_s|^2),
   norms in H_t and H_s, for lam >= min((2 eta alpha Rs S L/eps)^2, 2 eta Rs S L/(eps g_s)); and 2/3 for 1 - eps,
   4 lam S^2 for the start, when lam >= 36 (eta alpha Rs S L)^2.  No probability, no assumption on rewards or corruption. *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Scalar SelfConcordance QuadraticForm EllipticalPotential MirrorDescent.
From HCW Require Import RoundNumbers Constants Algorithm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section InverseRegret.
Variables (d : nat) (m mu dmu ddmu : R -> R) (Rs L S alpha lam : R) (p : trajectory d) (star : 'cV[R]_d).
Let eta := step_size Rs S.
Hypothesis sm : smooth m mu dmu ddmu.
Hypothesis sc : concordant dmu ddmu Rs (- S) S.
Hypothesis sl : slope_bounded dmu L (- S) S.
Hypothesis Rs_ge0 : 0 <= Rs.
Hypothesis S_gt0 : 0 < S.
Hypothesis alpha_gt0 : 0 < alpha.
Hypothesis lam_gt0 : 0 < lam.
Hypothesis run : hcw_run mu dmu alpha eta lam S p.
Hypothesis star_ball : ball S star.

Let dmu_ge0 z : 0 <= dmu z. Proof. by apply/RleP; apply: (SelfConcordance.dmu_ge0 _ _ _ _ sm). Qed.
Let loss_ := loss m alpha p.

Lemma L_ge0 : 0 <= L.
Proof.
have h : Rle (- S) 0 /\ Rle 0 S by move: S_gt0; to_R; lra.
by apply: le_trans (dmu_ge0 0) _; apply/RleP; apply: sl.
Qed.

Lemma eta_ge1 : 1 <= eta.
Proof. by rewrite /eta /step_size ler_addl mulr_ge0 // ltW. Qed.

(* (w_s / g_s) <x_s, v>^2 <= (w_s / g_s) |x_s|^2 |v|^2, the norms those of H_s^-1 and H_s. *)
Lemma rate_value_sq s v : rate alpha p s * value p s v ^+ 2 <= rate alpha p s * norm p s ^+ 2 * qf (hess p s) v.
Proof.
by rewrite -mulrA ler_wpmul2l ?(ltW (rate_gt0 run alpha_gt0 s)) // (value_sq_le run alpha_gt0 lam_gt0 dmu_ge0).
Qed.

(* What the cubic remainder of a round costs, as a share of its move. *)
Definition spent s := 2 * eta * (Rs * L * S * (rate alpha p s * norm p s ^+ 2)).
Definition move_sq s := qf (hess p s) (est p s.+1 - est p s).
Definition error_sq s := qf (hess p s) (est p s - star).

Lemma one_round s : error_sq s.+1 <=
  2 * eta * (loss_ s star - loss_ s (est p s.+1)) + error_sq s - move_sq s + spent s * move_sq s.
Proof.
have S0 := ltW S_gt0; have bn := est_ball run s.+1; have bo := est_ball run s.
have mirror := mirror_step (@ball_convex d S) (hess_pd run alpha_gt0 lam_gt0 dmu_ge0 s).1
  (lt_le_trans ltr01 eta_ge1) (est_step run s) star_ball.
have /andP[b1 b2] := value_bound run s S0 bn; have /andP[a1 a2] := value_bound run s S0 bo.
have /andP[c1 c2] := value_bound run s S0 star_ball.
have wy := rate_value_sq s (est p s.+1 - est p s).
have inb z : - S <= z -> z <= S -> Rle (- S) z /\ Rle z S by move=> /RleP ? /RleP.
have br := bregman_lower _ _ _ _ _ _ _ sm sc (le_R Rs_ge0) _ _ (inb _ b1 b2) (inb _ c1 c2).
have rem := mu_remainder _ _ _ _ _ _ _ sm sc (le_R Rs_ge0) L _ _ sl (inb _ a1 a2) (inb _ b1 b2).
have cb : Rle (Rabs (Rminus (value p s star) (value p s (est p s.+1)))) (Rmult (IZR 2) S).
  by apply: Rabs_le; move: b1 b2 c1 c2; to_R; lra.
have w0 := rate_gt0 run alpha_gt0 s.
have key := round_numbers (lt_R w0) (le_R Rs_ge0) (le_R S0) (erefl eta : eta = Rplus (IZR 1) (Rmult Rs S)) (le_R L_ge0) cb br
  (le_R (dmu_ge0 _)) rem.
have vB (u v : 'cV[R]_d) : value p s (u - v) = value p s u - value p s v by rewrite /value dotBr.
rewrite vB in wy.
rewrite /error_sq (hess_step run) qf_update -/(value p s _) vB.
rewrite /slope_at /curvature in mirror.
have wy' : Rle (Rmult (rate alpha p s) (pow (Rminus (value p s (est p s.+1)) (value p s (est p s))) 2))
   (Rmult (rate alpha p s * norm p s ^+ 2) (move_sq s)).
  by move: wy; rewrite /move_sq; clear; to_R; lra.
have mirror' : Rle (qf (hess p s) (est p s.+1 - star)) (Rminus (Rplus (Rmult (Rmult (IZR 2) eta)
   (Rmult (Rplus (Rmult (rate alpha p s) (Rminus (mu (value p s (est p s))) (observed p s)))
     (Rmult (Rmult (rate alpha p s) (dmu (value p s (est p s)))) (Rminus (value p s (est p s.+1)) (value p s (est p s)))))
    (Rminus (value p s star) (value p s (est p s.+1))))) (error_sq s)) (move_sq s)).
  by move: mirror; rewrite /move_sq /error_sq -!/(value p s _) !vB; clear; to_R; lra.
have := key _ _ _ _ _ wy' mirror'; rewrite /spent /loss_ /loss /curvature /error_sq.
by move: (rate alpha p s * norm p s ^+ 2); clear; to_R; lra.
Qed.

(* |theta_1|, and the error before the first round *)
Definition start_norm : R := sqrt (dot (est p 0%N) (est p 0%N)).

Lemma start_norm_ge0 : 0 <= start_norm. Proof. by apply/RleP; apply: sqrt_pos. Qed.
Lemma start_normK : start_norm ^+ 2 = dot (est p 0%N) (est p 0%N).
Proof. by rewrite expr2; apply: sqrt_sqrt; apply/RleP; apply: dot_ge0. Qed.

Lemma start_norm_le : start_norm <= S.
Proof. by rewrite -ler_sqr ?nnegrE ?start_norm_ge0 ?(ltW S_gt0) // start_normK; apply: (est_start run). Qed.

Lemma start_error : error_sq 0%N <= lam * (S + start_norm) ^+ 2.
Proof.
rewrite /error_sq (hess_start run) qf_scalar; apply: ler_wpmul2l; first exact: ltW.
have cs := cauchy_schwarz_psd (est p 0%N) star (pd_psd (@scalar_pd d 1 ltr01)).
have n0 := start_norm_ge0; move: cs star_ball; rewrite /qf !bf1 /ball dotBl !dotBr (dotC star) -start_normK.
move: n0; generalize start_norm (dot (est p 0%N) star) (dot star star) => n x v n0 cs hv.
have x1 : x ^+ 2 <= (n * S) ^+ 2 by rewrite exprMn; apply: le_trans cs _; rewrite ler_wpmul2l ?sqr_ge0.
have : `|x| <= n * S by rewrite -ler_sqr ?nnegrE ?mulr_ge0 ?(ltW S_gt0) // real_normK ?num_real.
by rewrite ler_norml => /andP[x2 _]; move: hv x2; clear; mlra.
Qed.

(* lambda is so large, against the weights or against the dispersions, that a share eps of the moves pays. *)
Definition moves_pay (eps : R) :=
  4 * eta ^+ 2 * alpha ^+ 2 * Rs ^+ 2 * S ^+ 2 * L ^+ 2 <= eps ^+ 2 * lam \/
  forall s, 2 * eta * Rs * S * L <= eps * lam * disp p s.

Lemma spent_le eps s : 0 <= eps -> moves_pay eps -> spent s <= eps.
Proof.
move=> e0 pay; have K0 : 0 <= 2 * eta * Rs * S * L.
  by rewrite !mulr_ge0 ?(ltW S_gt0) ?L_ge0 ?ler0n // (le_trans ler01 eta_ge1).
have n0 := norm_ge0 p s; have w0 := ltW (rate_gt0 run alpha_gt0 s); have g0 := disp_gt0 run s.
have r0 : 0 <= sqrt lam by apply/RleP; apply: sqrt_pos.
have rr : sqrt lam ^+ 2 = lam by rewrite expr2; apply: sqrt_sqrt; apply/RleP/ltW.
have -> : spent s = 2 * eta * Rs * S * L * (rate alpha p s * norm p s * norm p s).
  by rewrite /spent; move: (rate alpha p s) (norm p s); clear; to_R; ring.
case: pay => [weights|dispersions].
  have k1 : 2 * eta * Rs * S * L * alpha <= eps * sqrt lam.
    rewrite -ler_sqr ?nnegrE ?(mulr_ge0 K0 (ltW alpha_gt0)) ?(mulr_ge0 e0 r0) // [leRHS]exprMn rr.
    by move: weights; clear; to_R; lra.
  apply: le_trans (_ : 2 * eta * Rs * S * L * alpha * norm p s <= _).
    by rewrite -[leRHS]mulrA ler_wpmul2l // ler_wpmul2r // (rate_norm run).
  apply: le_trans (ler_wpmul2r n0 k1) _; rewrite -mulrA -[leRHS]mulr1 ler_wpmul2l // mulrC.
  exact: (norm_root run alpha_gt0 lam_gt0 dmu_ge0).
have gl : 0 < lam * disp p s by rewrite mulr_gt0.
apply: le_trans (_ : eps * (lam * disp p s) * (lam * disp p s)^-1 <= _); last by rewrite mulfK ?gt_eqF.
apply: ler_pmul; [exact: K0 | exact: mulr_ge0 (mulr_ge0 w0 n0) n0 | by rewrite mulrA; exact: dispersions |].
rewrite -mulrA -expr2 invfM mulrC; apply: ler_pmul => //; rewrite ?sqr_ge0 //.
  exact: (norm_sq_le run alpha_gt0 lam_gt0 dmu_ge0).
exact: (rate_le run alpha_gt0).
Qed.

(* lemma:inverse-regret *)
Theorem inverse_regret eps t : 0 <= eps -> moves_pay eps -> error_sq t <=
  2 * eta * (\sum_(s < t) (loss_ s star - loss_ s (est p s.+1))) + lam * (S + start_norm) ^+ 2
  - (1 - eps) * (\sum_(s < t) move_sq s).
Proof.
move=> e0 pay; elim: t => [|t IH]; first by rewrite !big_ord0 !mulr0 add0r subr0 start_error.
have m0 : 0 <= move_sq t := (pd_psd (hess_pd run alpha_gt0 lam_gt0 dmu_ge0 t)).2 _.
have := ler_wpmul2r m0 (spent_le t e0 pay); move: IH (one_round t).
rewrite (sum_last (fun s => loss_ s star - loss_ s (est p s.+1))) (sum_last move_sq).
generalize (error_sq t.+1) (error_sq t) (loss_ t star - loss_ t (est p t.+1)) (move_sq t) (spent t)
  (\sum_(s < t) (loss_ s star - loss_ s (est p s.+1))) (\sum_(s < t) move_sq s) (lam * (S + start_norm) ^+ 2).
by clear; intros; mlra.
Qed.

(* app:proof-cs/eq1: the form that the proof of the theorem uses. *)
Theorem inverse_regret_two_thirds t : 36 * eta ^+ 2 * alpha ^+ 2 * Rs ^+ 2 * S ^+ 2 * L ^+ 2 <= lam ->
  error_sq t <= 2 * eta * (\sum_(s < t) (loss_ s star - loss_ s (est p s.+1))) + 4 * lam * S ^+ 2
    - 2 / 3 * (\sum_(s < t) move_sq s).
Proof.
move=> hl; have third : 0 <= 1 / 3 :> R by rewrite divr_ge0 ?ler0n ?ler01.
have pay : moves_pay (1 / 3) by left; move: hl; clear; to_R; lra.
have start : lam * (S + start_norm) ^+ 2 <= 4 * lam * S ^+ 2.
  have s0 := ltW S_gt0; have n0 := start_norm_ge0; have n1 := start_norm_le.
  have -> : 4 * lam * S ^+ 2 = lam * (S + S) ^+ 2 by clear; to_R; ring.
  by rewrite ler_wpmul2l ?(ltW lam_gt0) // ler_sqr ?nnegrE ?addr_ge0 // ler_add2l.
have := inverse_regret t third pay; move: start.
generalize (error_sq t) (\sum_(s < t) (loss_ s star - loss_ s (est p s.+1))) (\sum_(s < t) move_sq s)
  (lam * (S + start_norm) ^+ 2).
by clear; intros; mlra.
Qed.
End InverseRegret.
