(* lemma:inverse-regret, repaired (sign of the loss difference, square of the norm), for every dimension:
     |theta_t - star|^2 <= 2 eta (sum of loss(star) - loss(theta_{s+1})) + 4 lam S^2
                              - (1 - 2 eta rho) (sum of |theta_{s+1} - theta_s|^2),
   rho = alpha Rs S L / sqrt lam, norms in H_t and H_s; and 2/3 for 1 - 2 eta rho when
   lam >= 36 (eta alpha Rs S L)^2.  No probability, no assumption on rewards or corruption. *)
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

(* (w_s / g_s) <x_s, v>^2 <= (alpha / sqrt lam) |v|^2 in H_s. *)
Lemma rate_value_sq s v : rate alpha p s * value p s v ^+ 2 <= alpha / sqrt lam * qf (hess p s) v.
Proof.
have cs := value_sq_le run alpha_gt0 lam_gt0 dmu_ge0 s v.
have rn := rate_norm run alpha_gt0 s; have nr := norm_root run alpha_gt0 lam_gt0 dmu_ge0 s.
have w0 := rate_gt0 run alpha_gt0 s; have n0 := norm_ge0 p s.
have q0 : 0 <= qf (hess p s) v by case: (pd_psd (hess_pd run alpha_gt0 lam_gt0 dmu_ge0 s)).
have l0 : 0 < sqrt lam by apply/RltP; apply: sqrt_lt_R0; apply/RltP.
apply: le_trans (ler_wpmul2l (ltW w0) cs) _; rewrite mulrA; apply: ler_wpmul2r => //.
rewrite expr2 mulrA; apply: le_trans (ler_wpmul2r n0 rn) _.
by rewrite ler_wpmul2l ?(ltW alpha_gt0) // -[leRHS]mul1r ler_pdivl_mulr.
Qed.

Definition rho := alpha * Rs * S * L / sqrt lam.
Definition move_sq s := qf (hess p s) (est p s.+1 - est p s).
Definition error_sq s := qf (hess p s) (est p s - star).

Lemma one_round s : error_sq s.+1 <=
  2 * eta * (loss_ s star - loss_ s (est p s.+1)) + error_sq s - move_sq s + 2 * eta * rho * move_sq s.
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
have -> : 2 * eta * rho * move_sq s = 2 * eta * (Rs * L * S * (alpha / sqrt lam)) * move_sq s.
  by rewrite /rho; generalize (move_sq s) => h; clear; to_R; ring.
have wy' : Rle (Rmult (rate alpha p s) (pow (Rminus (value p s (est p s.+1)) (value p s (est p s))) 2))
   (Rmult (alpha / sqrt lam) (move_sq s)).
  by move: wy; rewrite /move_sq; clear; to_R; lra.
have mirror' : Rle (qf (hess p s) (est p s.+1 - star)) (Rminus (Rplus (Rmult (Rmult (IZR 2) eta)
   (Rmult (Rplus (Rmult (rate alpha p s) (Rminus (mu (value p s (est p s))) (observed p s)))
     (Rmult (Rmult (rate alpha p s) (dmu (value p s (est p s)))) (Rminus (value p s (est p s.+1)) (value p s (est p s)))))
    (Rminus (value p s star) (value p s (est p s.+1))))) (error_sq s)) (move_sq s)).
  by move: mirror; rewrite /move_sq /error_sq -!/(value p s _) !vB; clear; to_R; lra.
by have := key _ _ _ _ _ wy' mirror'; rewrite /loss_ /loss /curvature /error_sq; clear; to_R; lra.
Qed.

Theorem inverse_regret t : error_sq t <=
  2 * eta * (\sum_(s < t) (loss_ s star - loss_ s (est p s.+1))) + 4 * lam * S ^+ 2
  - (1 - 2 * eta * rho) * (\sum_(s < t) move_sq s).
Proof.
elim: t => [|t IH].
  rewrite !big_ord0 !mulr0 add0r subr0 /error_sq (hess_start run) qf_scalar.
  have tri : dot (est p 0%N - star) (est p 0%N - star) <= 4 * S ^+ 2.
    have cs := cauchy_schwarz_psd (est p 0%N) star (pd_psd (@scalar_pd d 1 ltr01)).
    have b0 := est_start run; move: cs b0 star_ball; rewrite /qf !bf1 /ball dotBl !dotBr (dotC star).
    have := dot_ge0 (est p 0%N); have := dot_ge0 star.
    generalize (dot (est p 0%N) (est p 0%N)) (dot star star) (dot (est p 0%N) star) => u v x v0 u0 cs hu hv.
    have x1 : x ^+ 2 <= (S ^+ 2) ^+ 2.
      by apply: le_trans cs _; rewrite [(S ^+ 2) ^+ 2]expr2; apply: ler_pmul.
    have : `|x| <= S ^+ 2 by rewrite -ler_sqr ?nnegrE ?sqr_ge0 // real_normK ?num_real.
    by rewrite ler_norml => /andP[x2 _]; move: hu hv x2; clear; mlra.
  by have := ler_wpmul2l (ltW lam_gt0) tri; clear; mlra.
have := one_round t; rewrite (sum_last (fun s => loss_ s star - loss_ s (est p s.+1))) (sum_last move_sq); move: IH.
generalize (error_sq t.+1) (error_sq t) (loss_ t star - loss_ t (est p t.+1)) (move_sq t)
  (\sum_(s < t) (loss_ s star - loss_ s (est p s.+1))) (\sum_(s < t) move_sq s).
by clear; intros; mlra.
Qed.

(* app:proof-cs/eq1: the form that the proof of the theorem uses. *)
Theorem inverse_regret_two_thirds t : 36 * eta ^+ 2 * alpha ^+ 2 * Rs ^+ 2 * S ^+ 2 * L ^+ 2 <= lam ->
  error_sq t <= 2 * eta * (\sum_(s < t) (loss_ s star - loss_ s (est p s.+1))) + 4 * lam * S ^+ 2
    - 2 / 3 * (\sum_(s < t) move_sq s).
Proof.
move=> hl; apply: le_trans (inverse_regret t) _; rewrite ler_add2l ler_opp2 ler_wpmul2r //.
  by apply: sumr_ge0 => s _; apply: (pd_psd (hess_pd run alpha_gt0 lam_gt0 dmu_ge0 s)).2.
have l0 : 0 < sqrt lam by apply/RltP; apply: sqrt_lt_R0; apply/RltP.
have k0 : 0 <= 6 * (eta * (alpha * Rs * S * L)).
  by rewrite !mulr_ge0 ?(ltW alpha_gt0) ?(ltW S_gt0) ?L_ge0 ?ler0n // (le_trans ler01 eta_ge1).
have h6 : 6 * (eta * (alpha * Rs * S * L)) <= sqrt lam.
  apply/RleP; apply: sqrt_le_of_sq; first exact/RleP/ltW.
  by move: hl; clear; to_R; lra.
rewrite /rho mulrA; have : 2 * eta * (alpha * Rs * S * L) / sqrt lam <= 1 / 3.
  by rewrite ler_pdivr_mulr //; move: h6; clear; mlra.
by clear; mlra.
Qed.
End InverseRegret.
