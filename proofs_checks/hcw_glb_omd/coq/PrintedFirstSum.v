(* lemma:epl-results, first line, as printed, and its negation.  Every choice below that is not in the text weakens
   it: no corruption, a link with R_s = 0, where alpha = sqrt d, lambda = d/(4 S^2) and eta = 1.
     printed_first_sum         S_1 is at most 2 d g_max (1 + L/g_min)/alpha log (1 + T L/(d g_min lambda))
     printed_first_sum_false   nothing in its proof gives the factor g_max *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots Scalar SelfConcordance QuadraticForm EllipticalPotential MirrorDescent.
From HCW Require Import Constants Algorithm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Definition printed_first_sum := forall (d T : nat) (m mu dmu ddmu : R -> R) (L S alpha lam g_min g_max : R)
    (p : trajectory d),
  (0 < d)%N -> 0 < S -> smooth m mu dmu ddmu -> (forall lo hi, concordant dmu ddmu 0 lo hi) ->
  slope_bounded dmu L (- S) S -> alpha = sqrt d%:R -> lam = d%:R / (4 * S ^+ 2) ->
  0 < g_min -> (forall s, g_min <= disp p s <= g_max) -> hcw_run mu dmu alpha (step_size 0 S) lam S p ->
  \sum_(t < T | weight alpha p t < 1) dmu (value p t (est p t.+1)) * norm p t <=
  2 * d%:R * g_max * (1 + L / g_min) / alpha * ln (1 + T%:R * L / (d%:R * g_min * lam)).

Lemma scaled_link (k : R) : 0 < k ->
  smooth (fun z => Rmult k (Rdiv (pow z 2) (IZR 2))) (fun z => Rmult k z) (fun=> k) (fun=> IZR 0).
Proof.
move=> k0; have [s1 s2 s3 _] := linear_link; split=> z.
- apply: (Coquelicot.Derive.is_derive_scal _ z k); exact: s1.
- rewrite -[X in Coquelicot.Derive.is_derive _ _ X](Rmult_1_r k).
  apply: (Coquelicot.Derive.is_derive_scal _ z k); exact: s2.
- exact: Coquelicot.Derive.is_derive_const.
- exact/RleP/ltW.
Qed.

Lemma scaled_concordant (k lo hi : R) : concordant (fun=> k) (fun=> IZR 0) 0 lo hi.
Proof. by move=> z _; rewrite Rabs_R0; to_R; lra. Qed.

(* A linear link of slope k, the arm e in every round, and rewards 0: the estimate stays at 0. *)
Section Run.
Variables (d : nat) (e : 'cV[R]_d) (k g alpha eta lam S : R).
Hypothesis e_le1 : dot e e <= 1.
Hypothesis k_gt0 : 0 < k.
Hypothesis g_gt0 : 0 < g.
Hypothesis alpha_gt0 : 0 < alpha.
Hypothesis lam_gt0 : 0 < lam.
Hypothesis eta_gt0 : 0 < eta.

Definition pace (H : 'M[R]_d) : R := weight_of alpha g (sqrt (qf (invmx H) e)) / g.
Fixpoint design s : 'M[R]_d := if s is s'.+1 then design s' + (pace (design s') * k) *: outer e else lam%:M.
Definition resting : trajectory d := Trajectory (fun=> e) (fun=> g) (fun=> 0) (fun=> 0) design.

Lemma pace_ge0 H : 0 <= pace H.
Proof.
have ag := mulr_gt0 alpha_gt0 g_gt0.
by rewrite divr_ge0 ?(ltW g_gt0) // divr_ge0 ?(ltW ag) // le_maxr (ltW ag) orbT.
Qed.

Lemma resting_run : hcw_run (fun z => Rmult k z) (fun=> k) alpha eta lam S resting.
Proof.
have k0 s : 0 <= (fun s => pace (design s) * k) s by rewrite mulr_ge0 ?pace_ge0 // ltW.
have psd s : psd (design s) by exact/pd_psd/(design_pd lam_gt0 k0 (x := fun=> e) (H := design)).
have dot0 (v : 'cV[R]_d) : dot v 0 = 0 by rewrite /dot mulmx0 mxE.
have inball : ball S (0 : 'cV[R]_d) by rewrite /ball dot0 sqr_ge0.
split=> //= s; split=> // v _; rewrite /objective /step_objective /slope_at /curvature /value /= !subr0 dot0 qf0.
have -> : Rmult k 0 = 0 by exact: mulr0.
rewrite !(mulr0, mul0r, expr0n, add0r) /= ?(mulr0, mul0r, add0r).
apply: addr_ge0; first by rewrite mulr_ge0 ?sqr_ge0 // divr_ge0 ?ler0n // k0.
by rewrite mulr_ge0 ?(psd s).2 // invr_ge0 mulr_ge0 ?ler0n // ltW.
Qed.
End Run.

(* d = 9, S = 3/2, lambda = 1, g = 1/5, slope 1/100 and one round: 1/100 against 7/1000. *)
Theorem printed_first_sum_false : ~ printed_first_sum.
Proof.
move=> h; pose e : 'cV[R]_9 := delta_mx 0 0; pose k : R := 100^-1; pose g : R := 5^-1; pose S : R := 3 / 2.
have ee : dot e e = 1 by rewrite /dot trmx_delta mul_delta_mx !mxE eqxx.
have e1 : dot e e <= 1 by rewrite ee lexx.
have k0 : 0 < k by rewrite invr_gt0 ltr0n.
have g0 : 0 < g by rewrite invr_gt0 ltr0n.
have S0 : 0 < S by rewrite divr_gt0 ?ltr0n.
have a3 : sqrt 9%:R = 3 by have -> : 9%:R = 3 ^+ 2 :> R by [rewrite -natrX]; rewrite sqrt_of_square // ler0n.
have a0 : 0 < sqrt 9%:R by rewrite a3 ltr0n.
have lam1 : 9%:R / (4 * S ^+ 2) = 1 by rewrite /S; to_R; field.
have lam0 : 0 < 9%:R / (4 * S ^+ 2) by rewrite lam1 ltr01.
have eta0 : 0 < step_size 0 S by rewrite /step_size mul0r addr0 ltr01.
have run := resting_run S e1 k0 g0 a0 lam0 eta0.
have flat : slope_bounded (fun=> k) k (- S) S by move=> z _; apply: Rle_refl.
have same (s : nat) : g <= g <= g by rewrite lexx.
have := h 9%N 1%N _ _ _ _ k S _ _ g g (resting e k g _ _) isT S0 (scaled_link k0) (scaled_concordant k) flat
  erefl erefl g0 same run.
have n1 : norm (resting e k g (sqrt 9%:R) (9%:R / (4 * S ^+ 2))) 0 = 1.
  by rewrite /norm /= qf_inv_scalar // ee lam1 divr1 sqrt_1.
have w1 : weight (sqrt 9%:R) (resting e k g (sqrt 9%:R) (9%:R / (4 * S ^+ 2))) 0 < 1.
  rewrite /weight n1 /weight_of /= a3 /g (_ : Num.max 1 (3 / 5) = 1); last by apply/max_idPl; to_R; lra.
  by to_R; lra.
rewrite big_mkcond big_ord1 /= w1 n1 a3 lam1 mulr1.
have ln_small : ln (1 + 1%:R * k / (9%:R * g * 1)) <= 180^-1.
  apply/RleP; apply: Rle_trans (ln_le_sub1 _ _) _; rewrite /k /g; to_R; lra.
by move: ln_small; move: (ln _) => l; rewrite /k /g; to_R; lra.
Qed.
