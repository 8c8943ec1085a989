(* lemma:decomposition/eq8 and eq11: the printed orders of gamma_1, ..., gamma_4, and their negations.
   Every choice below that is not in the text weakens them: the constant may depend on the link, S, delta, R_s, L and
   kappa, the power of the logarithm is free, the logarithm is that of T/(g_min delta), T may be large, dispersions are
   at most 1, alpha is sqrt d / max (C, 1), and an order is asked for one link only.  What the constant may not depend
   on is what the orders name, d, C and g_max, with the dispersions.
     gamma_1_order_false   gamma_1 is not of order d: as g_min -> 0 it grows like a power of 1/g_min
     gamma_2_order_false   gamma_2 is not of order d g_max max (C, 1): it does not vanish with g_max
     gamma_3_order_false   gamma_3 is not of order d^2 g_max kappa, likewise
     gamma_4_order_false   gamma_4 is not of order d kappa max (C, 1): it holds a term d^2 *)
From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge Roots Scalar SelfConcordance.
From HCW Require Import PrintedConstants Growth.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* assumption:m and assumption:link-function; 1/kappa is the least slope on [-S, S]. *)
Definition link_with (m mu dmu ddmu : R -> R) (S Rs L kappa : R) :=
  [/\ smooth m mu dmu ddmu, concordant dmu ddmu Rs (- S) S, slope_bounded dmu L (- S) S,
      forall z, - S <= z <= S -> kappa^-1 <= dmu z & exists2 z, - S <= z <= S & dmu z = kappa^-1].
Definition numbers (S delta Rs L kappa : R) := [/\ 0 < S, 0 < delta < 1, 0 <= Rs, 0 < L & 0 < kappa].
Definition trust (d : nat) (C : R) : R := sqrt d%:R / Num.max C 1.

(* The dispersions of T rounds, their extreme values among them. *)
Definition dispersions (T : nat) (g_min g_max : R) (g : nat -> R) :=
  [/\ 0 < g_min, forall s, g_min <= g s <= g_max, exists2 s, (s < T)%N & g s = g_min &
      exists2 s, (s < T)%N & g s = g_max].

(* quantity = O~(order), with dispersions of at most 1 *)
Definition of_order (delta : R) (quantity : nat -> nat -> R -> R -> R -> (nat -> R) -> R)
    (order : nat -> R -> R -> R) :=
  exists (K : R) (n T0 : nat), forall (d T : nat) (C g_min g_max : R) (g : nat -> R),
  (0 < d)%N -> (T0 <= T)%N -> (1 < T)%N -> 0 <= C -> dispersions T g_min g_max g -> g_max <= 1 ->
  quantity d T C g_min g_max g <= K * order d C g_max * ln (T%:R / (g_min * delta)) ^+ n.

(* The radius of the confidence set after t rounds. *)
Definition radius_after (S Rs L delta : R) (d t : nat) (C : R) (g : nat -> R) : R :=
  printed_radius d S (trust d C) Rs L C delta (\sum_(s < t) (g s)^-1).

Definition gamma_1_order := exists (m mu dmu ddmu : R -> R) (S delta Rs L kappa : R),
  [/\ link_with m mu dmu ddmu S Rs L kappa, numbers S delta Rs L kappa & of_order delta
    (fun d T C g_min g_max g => printed_gamma_1 d T S (trust d C) Rs L g_min (radius_after S Rs L delta d T.-1 C g))
    (fun d C g_max => d%:R)].
Definition gamma_2_order := exists (m mu dmu ddmu : R -> R) (S delta Rs L kappa : R),
  [/\ link_with m mu dmu ddmu S Rs L kappa, numbers S delta Rs L kappa & of_order delta
    (fun d T C g_min g_max g =>
      printed_gamma_2 d T S (trust d C) Rs L g_min g_max (radius_after S Rs L delta d T.-1 C g))
    (fun d C g_max => d%:R * g_max * Num.max C 1)].
Definition gamma_3_order := exists (m mu dmu ddmu : R -> R) (S delta Rs L kappa : R),
  [/\ link_with m mu dmu ddmu S Rs L kappa, numbers S delta Rs L kappa, 0 < Rs & of_order delta
    (fun d T C g_min g_max g =>
      printed_gamma_3 d T S (trust d C) Rs L kappa g_min g_max (radius_after S Rs L delta d T C g))
    (fun d C g_max => d%:R ^+ 2 * g_max * kappa)].
Definition gamma_4_order := exists (m mu dmu ddmu : R -> R) (S delta Rs L kappa : R),
  [/\ link_with m mu dmu ddmu S Rs L kappa, numbers S delta Rs L kappa, 0 < Rs & of_order delta
    (fun d T C g_min g_max g => printed_gamma_4 d T S (trust d C) Rs L kappa (radius_after S Rs L delta d T C g))
    (fun d C g_max => d%:R * kappa * Num.max C 1)].

(* --- what the quantities are at least ---------------------------------------------------------------------------- *)

Lemma ln_half (x : R) : 1 <= x -> 2^-1 <= ln (1 + x).
Proof.
move=> /le_R x1; have e : 1 + x = Rplus (IZR 1) x by [].
have low : Rle (Rminus (IZR 1) (Rinv (IZR 2))) (ln (IZR 2)) by apply: ln_ge_1_inv; lra.
have up : Rle (ln (IZR 2)) (ln (1 + x)) by rewrite e; apply: ln_mono; move: x1; to_R; lra.
by move: low up; move: (ln _) (ln _) => a b; to_R; lra.
Qed.

Lemma ln_ge0 (x : R) : 1 <= x -> 0 <= ln x.
Proof. by move=> /le_R x1; apply/RleP; rewrite -[X in Rle X _]ln_1; apply: ln_mono => //; exact: Rlt_0_1. Qed.

Section Sizes.
Variables (S delta Rs L : R).
Hypothesis S_gt0 : 0 < S.
Hypothesis delta01 : 0 < delta < 1.
Hypothesis Rs_ge0 : 0 <= Rs.
Hypothesis L_gt0 : 0 < L.

Lemma lam_gt0 d alpha : (0 < d)%N -> 0 < printed_lam d S (1 + Rs * S) alpha Rs L.
Proof.
by move=> d0; rewrite /printed_lam !lt_maxr divr_gt0 ?orbT ?ltr0n // mulr_gt0 ?ltr0n ?exprn_gt0.
Qed.

Lemma log_delta : 0 <= ln (1 / delta).
Proof. by case/andP: delta01 => d0 d1; apply: ln_ge0; rewrite ler_pdivl_mulr // mul1r ltW. Qed.

(* C_t is at least as wide as the prior makes it: 2 S sqrt lambda. *)
Lemma radius_ge d t C g : (0 < d)%N -> 0 <= C -> (forall s, 0 < g s) ->
  2 * S * sqrt (printed_lam d S (1 + Rs * S) (trust d C) Rs L) <= radius_after S Rs L delta d t C g.
Proof.
move=> d0 C0 g0; rewrite /radius_after /printed_radius.
set lam := printed_lam _ _ _ _ _ _; have l0 : 0 < lam := lam_gt0 _ d0.
have e0 : 0 <= 1 + Rs * S by rewrite addr_ge0 ?ler01 // mulr_ge0 // ltW.
have a0 : 0 <= trust d C by rewrite divr_ge0 ?sqrt_ge0 // le_maxr ler01 orbT.
rewrite -[leLHS]addr0; apply: ler_add; last by apply: mulr_ge0 C0; apply: mulr_ge0 a0; apply: mulr_ge0 e0; rewrite ler0n.
have inv0 : 0 <= \sum_(s < t) (g s)^-1 by apply: sumr_ge0 => s _; rewrite invr_ge0 ltW.
have -> : 2 * S * sqrt lam = sqrt ((2 * S) ^+ 2 * lam).
  by rewrite sqrtM ?sqr_ge0 ?(ltW l0) // sqrt_of_square // mulr_ge0 ?ler0n // ltW.
have -> : (2 * S) ^+ 2 * lam = 4 * lam * S ^+ 2 by move: lam {l0} => l; clear; to_R; lra.
apply: sqrt_le; rewrite ler_addr; apply: addr_ge0.
  by apply: mulr_ge0 log_delta; apply: mulr_ge0 e0; rewrite ler0n.
apply: mulr_ge0; first by apply: addr_ge0 e0; apply: mulr_ge0 (sqr_ge0 _); rewrite ler0n.
apply: mulr_ge0; first by rewrite ler0n.
by apply: ln_ge0; rewrite ler_addl mulr_ge0 // divr_ge0 // ltW.
Qed.

Lemma radius_sq d t C g : (0 < d)%N -> 0 <= C -> (forall s, 0 < g s) ->
  4 * S ^+ 2 * printed_lam d S (1 + Rs * S) (trust d C) Rs L <= radius_after S Rs L delta d t C g ^+ 2.
Proof.
move=> d0 C0 g0; have low := @radius_ge d t C g d0 C0 g0; have l0 := lam_gt0 (trust d C) d0.
have -> : 4 * S ^+ 2 * printed_lam d S (1 + Rs * S) (trust d C) Rs L =
    (2 * S * sqrt (printed_lam d S (1 + Rs * S) (trust d C) Rs L)) ^+ 2.
  by rewrite [RHS]exprMn [X in _ = _ * X]expr2 sqrt_sq ?(ltW l0) // exprMn -natrX.
by rewrite ler_expn2r ?nnegrE // ?(le_trans _ low) // !mulr_ge0 ?sqrt_ge0 ?ler0n // ltW.
Qed.

(* The printed potential of vectors of squared length X2, once T X2 >= lambda. *)
Lemma potential_ge d (X2 lam t : R) : 0 < lam -> 0 <= X2 -> (0 < d)%N -> d%:R * lam <= t * X2 ->
  d%:R * (1 + X2) <= printed_potential d X2 lam t.
Proof.
move=> l0 X0 d0 enough; have d1 : 0 < d%:R :> R by rewrite ltr0n.
have big : 2^-1 <= ln (1 + t * X2 / (d%:R * lam)) by apply: ln_half; rewrite ler_pdivl_mulr ?mulr_gt0 // mul1r.
have c0 : 0 <= 2 * d%:R * (1 + X2) by rewrite !mulr_ge0 ?ler0n // addr_ge0 ?ler01.
apply: le_trans (ler_wpmul2l c0 big); move: (d%:R) => e; clear; to_R; lra.
Qed.
End Sizes.

(* --- dispersions T^-4 in dimension 1 ------------------------------------------------------------------------------ *)

Section Shrinking.
Variables (delta : R) (delta01 : 0 < delta < 1).

Lemma shrinking (A X : R) (n T0 : nat) : 0 <= X -> exists T : nat, let g : R := (T%:R ^+ 4)^-1 in
  [/\ (T0 <= T)%N, (1 < T)%N, X <= T%:R & A * ln (T%:R / (g * delta)) ^+ n < T%:R].
Proof.
move=> X0; have B0 := log_delta delta01; have /andP[d0 _] := delta01.
have [T [T0T T1 low]] := beats_logarithms A n (maxn T0 (Num.bound X)) B0; exists T => g; split=> //.
- exact: leq_trans (leq_maxl _ _) T0T.
- by apply: le_trans (ltW (archi_boundP X0)) _; rewrite ler_nat; apply: leq_trans (leq_maxr _ _) T0T.
have t0 : 0 < T%:R :> R by rewrite ltr0n ltnW.
have -> : T%:R / (g * delta) = (1 / delta) * T%:R ^+ 5.
  have ne := lt0r_neq0 t0; have de := lt0r_neq0 d0; have ne4 : T%:R ^+ 4 != 0 :> R by rewrite expf_neq0.
  by rewrite /g invfM invrK div1r [RHS]mulrC mulrA -exprS.
by rewrite ln_mult ?lnX //; apply: lt_R; rewrite ?divr_gt0 ?exprn_gt0 ?ltr01.
Qed.

Lemma constant_dispersion (T : nat) (g : R) : (0 < T)%N -> 0 < g -> dispersions T g g (fun=> g).
Proof. by move=> T0 g0; split=> // [s||]; [rewrite lexx | exists 0%N | exists 0%N]. Qed.

Lemma small_dispersion (T : nat) (g := (T%:R ^+ 4)^-1 : R) : (1 < T)%N -> [/\ 0 < g, g <= 1, g * T%:R <= 1 &
  T%:R ^+ 4 * g = 1].
Proof.
move=> T1; have t0 : 0 < T%:R :> R by rewrite ltr0n ltnW.
have t1 : 1 <= T%:R :> R by rewrite ler1n ltnW.
have t4 : 0 < T%:R ^+ 4 :> R by rewrite exprn_gt0.
split; [by rewrite invr_gt0 | by rewrite invf_le1 // exprn_ege1 | | by rewrite mulfV // gt_eqF].
by rewrite mulrC ler_pdivr_mulr // mul1r exprS -[leLHS]mulr1 ler_wpmul2l ?(ltW t0) // exprn_ege1.
Qed.
End Shrinking.

(* --- the negations ------------------------------------------------------------------------------------------------ *)

Lemma trust1 : trust 1 0 = 1.
Proof. by rewrite /trust (_ : Num.max 0 1 = 1 :> R) ?divr1 ?sqrt_1 //; apply/max_idPr/ler01. Qed.

(* No constant c > 0 is below A ell^n / T^3 for all large T. *)
Lemma not_below (c A ell t : R) n : 0 < c -> 0 < t -> A / c * ell ^+ n < t -> A * ell ^+ n < c * t.
Proof. by move=> c0 t0; rewrite mulrAC ltr_pdivr_mulr // [t * c]mulrC. Qed.

Theorem gamma_1_order_false : ~ gamma_1_order.
Proof.
move=> [m [mu [dmu [ddmu [S [delta [Rs [L [kappa [_ [S0 d01 R0 L0 k0] [K [n [T0 order]]]]]]]]]]]]].
pose lam := printed_lam 1 S (1 + Rs * S) (trust 1 0) Rs L; have l0 : 0 < lam by apply: lam_gt0.
pose c := 2 * (2 * S * sqrt lam) * sqrt L.
have c0 : 0 < c by rewrite !mulr_gt0 ?sqrt_gt0 ?ltr0n.
have [T [T0T T1 wide small]] := shrinking d01 (K / c) n T0 (ltW (divr_gt0 l0 L0)).
have [g0 g1 gT Tg] := small_dispersion T1; set g := (_ ^+ 4)^-1 in small g0 g1 gT Tg.
have t0 : 0 < T%:R :> R by rewrite ltr0n ltnW.
have t1 : 1 <= T%:R :> R by rewrite ler1n ltnW.
have := order 1%N T 0 g g (fun=> g) isT T0T T1 (lexx _) (constant_dispersion (ltnW T1) g0) g1; rewrite mulr1.
apply/negP; rewrite -ltNge; apply: lt_le_trans (not_below c0 t0 small) _; rewrite /printed_gamma_1 -/lam.
have r0 := @radius_ge S delta Rs L S0 d01 R0 L0 1 T.-1 0 (fun=> g) isT (lexx _) (fun=> g0); rewrite -/lam in r0.
have wide' : lam <= L * T%:R by rewrite mulrC -ler_pdivr_mulr.
have big : L * T%:R ^+ 4 <= printed_potential 1 (L / g) lam T%:R.
  have X0 : 0 <= L / g by rewrite divr_ge0 ?ltW.
  apply: le_trans (potential_ge (d := 1) l0 X0 isT _); rewrite !mul1r invrK.
    by rewrite ler_addr ler01.
  by apply: le_trans wide' _; rewrite mulrCA ler_wpmul2l ?(ltW L0) // ler_pmulr // exprn_ege1.
have root : sqrt L * T%:R ^+ 2 <= sqrt (printed_potential 1 (L / g) lam T%:R).
  apply: le_trans (sqrt_le big); rewrite sqrtM ?(ltW L0) ?exprn_ge0 ?(ltW t0) //.
  by rewrite (_ : T%:R ^+ 4 = (T%:R ^+ 2) ^+ 2) ?sqrt_of_square ?sqr_ge0 // -exprM.
have t2 : T%:R <= T%:R ^+ 2 :> R by rewrite expr2 -[leLHS]mulr1 ler_wpmul2l ?(ltW t0).
apply: le_trans (ler_wpmul2l (ltW c0) t2) _; rewrite /c -[leLHS]mulrA.
apply: ler_pmul root; rewrite ?mulr_ge0 ?ler0n ?sqrt_ge0 ?sqr_ge0 ?(ltW S0) //.
by rewrite ler_wpmul2l ?ler0n.
Qed.

Theorem gamma_2_order_false : ~ gamma_2_order.
Proof.
move=> [m [mu [dmu [ddmu [S [delta [Rs [L [kappa [_ [S0 d01 R0 L0 k0] [K [n [T0 order]]]]]]]]]]]]].
pose lam := printed_lam 1 S (1 + Rs * S) (trust 1 0) Rs L; have l0 : 0 < lam by apply: lam_gt0.
pose c := 2 * (2 * S * sqrt lam) * L.
have c0 : 0 < c by rewrite !mulr_gt0 ?sqrt_gt0 ?ltr0n.
have [T [T0T T1 wide small]] := shrinking d01 (K / c) n T0 (ltW (divr_gt0 l0 L0)).
have [g0 g1 gT Tg] := small_dispersion T1; set g := (_ ^+ 4)^-1 in small g0 g1 gT Tg.
have t0 : 0 < T%:R :> R by rewrite ltr0n ltnW.
have t1 : 1 <= T%:R :> R by rewrite ler1n ltnW.
have := order 1%N T 0 g g (fun=> g) isT T0T T1 (lexx _) (constant_dispersion (ltnW T1) g0) g1.
rewrite (_ : Num.max 0 1 = 1 :> R) ?mulr1 ?mul1r; last exact/max_idPr/ler01.
apply/negP; rewrite -ltNge; apply: lt_le_trans (_ : g * (c * T%:R) <= _).
  by rewrite -mulrA mulrCA ltr_pmul2l // not_below.
have r0 := @radius_ge S delta Rs L S0 d01 R0 L0 1 T.-1 0 (fun=> g) isT (lexx _) (fun=> g0); rewrite -/lam in r0.
have wide' : lam <= L * T%:R by rewrite mulrC -ler_pdivr_mulr.
have big : L / g <= printed_potential 1 (L / g) lam T%:R.
  have X0 : 0 <= L / g by rewrite divr_ge0 ?ltW.
  apply: le_trans (potential_ge (d := 1) l0 X0 isT _); rewrite !mul1r ?invrK; first by rewrite ler_addr ler01.
  by apply: le_trans wide' _; rewrite mulrCA ler_wpmul2l ?(ltW L0) // ler_pmulr // exprn_ege1.
apply: le_trans (_ : c <= _); first by rewrite mulrCA -[leRHS]mulr1 ler_wpmul2l ?(ltW c0).
rewrite /printed_gamma_2 -/lam trust1 divr1 /c.
have gP : L <= g * printed_potential 1 (L / g) lam T%:R by rewrite mulrC -ler_pdivr_mulr.
apply: ler_pmul gP; rewrite ?mulr_ge0 ?ler0n ?sqrt_ge0 ?(ltW S0) ?(ltW L0) //.
by rewrite ler_wpmul2l ?ler0n.
Qed.

Theorem gamma_3_order_false : ~ gamma_3_order.
Proof.
move=> [m [mu [dmu [ddmu [S [delta [Rs [L [kappa [_ [S0 d01 _ L0 k0] R0 [K [n [T0 order]]]]]]]]]]]]].
have Rs0 := ltW R0.
pose lam := printed_lam 1 S (1 + Rs * S) (trust 1 0) Rs L; have l0 : 0 < lam by apply: lam_gt0.
pose c := 6 * Rs * L * (4 * S ^+ 2 * lam).
have c0 : 0 < c by rewrite !mulr_gt0 ?exprn_gt0 ?ltr0n.
have [T [T0T T1 wide small]] := shrinking d01 (K * kappa / c) n T0 (ltW (mulr_gt0 k0 l0)).
have [g0 g1 gT Tg] := small_dispersion T1; set g := (_ ^+ 4)^-1 in small g0 g1 gT Tg.
have t0 : 0 < T%:R :> R by rewrite ltr0n ltnW.
have t1 : 1 <= T%:R :> R by rewrite ler1n ltnW.
have kg0 : 0 < kappa * g by rewrite mulr_gt0.
have := order 1%N T 0 g g (fun=> g) isT T0T T1 (lexx _) (constant_dispersion (ltnW T1) g0) g1.
rewrite expr1n mul1r; apply/negP; rewrite -ltNge; apply: lt_le_trans (_ : g * (c * T%:R) <= _).
  by rewrite [K * _]mulrCA -mulrA ltr_pmul2l // not_below.
have r2 := @radius_sq S delta Rs L S0 d01 Rs0 L0 1 T 0 (fun=> g) isT (lexx _) (fun=> g0); rewrite -/lam in r2.
have big : 1 / (kappa * g) <= printed_potential 1 (1 / (kappa * g)) lam T%:R.
  have X0 : 0 <= 1 / (kappa * g) by rewrite divr_ge0 ?ler01 ?(ltW kg0).
  apply: le_trans (potential_ge (d := 1) l0 X0 isT _); rewrite !mul1r; first by rewrite ler_addr ler01.
  rewrite ler_pdivl_mulr //; apply: le_trans (_ : kappa * lam <= _); last exact: wide.
  by rewrite mulrCA mulrA -[leRHS]mulr1 ler_wpmul2l // mulr_ge0 ?ltW.
apply: le_trans (_ : c <= _); first by rewrite mulrCA -[leRHS]mulr1 ler_wpmul2l ?(ltW c0).
have P1 : 1 <= kappa * g * printed_potential 1 (1 / (kappa * g)) lam T%:R by rewrite mulrC -ler_pdivr_mulr.
rewrite /printed_gamma_3 -/lam -[leLHS]mulr1 /c.
apply: ler_pmul P1; rewrite ?ler01 ?mulr_ge0 ?ler0n ?(ltW L0) ?(ltW l0) ?(ltW S0) //.
by rewrite ler_wpmul2l // !mulr_ge0 ?ler0n ?(ltW L0).
Qed.

(* At alpha = sqrt d, without corruption, lambda is d times this. *)
Definition lam_share (S Rs L : R) : R := let eta := 1 + Rs * S in
  Num.max (14 * eta * Rs ^+ 2) (Num.max (36 * eta ^+ 2 * Rs ^+ 2 * S ^+ 2 * L ^+ 2) (1 / (4 * S ^+ 2))).

Lemma trust0 d : trust d 0 = sqrt d%:R.
Proof. by rewrite /trust (_ : Num.max 0 1 = 1 :> R) ?divr1 //; apply/max_idPr/ler01. Qed.

Lemma lam_of_dimension S Rs L d :
  printed_lam d S (1 + Rs * S) (trust d 0) Rs L = d%:R * lam_share S Rs L.
Proof.
rewrite trust0 /printed_lam /lam_share; have d0 : 0 <= d%:R :> R by rewrite ler0n.
have -> : sqrt d%:R ^+ 2 = d%:R by rewrite expr2 sqrt_sq.
rewrite !(maxr_pmulr _ _ d0); congr Num.max; first by move: (d%:R : R) => e; clear; to_R; lra.
by congr Num.max; [move: (d%:R : R) => e; clear; to_R; lra | rewrite div1r].
Qed.

Lemma lam_share_gt0 S Rs L : 0 < S -> 0 < lam_share S Rs L.
Proof. by move=> S0; rewrite /lam_share !lt_maxr divr_gt0 ?orbT ?ltr01 // mulr_gt0 ?ltr0n ?exprn_gt0. Qed.

(* T = d^2 rounds of dispersion 1, in a dimension d that is large. *)
Theorem gamma_4_order_false : ~ gamma_4_order.
Proof.
move=> [m [mu [dmu [ddmu [S [delta [Rs [L [kappa [_ [S0 d01 _ L0 k0] R0 [K [n [T0 order]]]]]]]]]]]]].
pose M := lam_share S Rs L; have M0 : 0 < M by apply: lam_share_gt0.
pose c := 6 * Rs * L * (4 * S ^+ 2 * M).
have c0 : 0 < c by rewrite !mulr_gt0 ?exprn_gt0 ?ltr0n.
pose X := sqrt M * kappa; have X0 : 0 <= X by rewrite mulr_ge0 ?sqrt_ge0 ?ltW.
have B0 := log_delta d01; have /andP[del0 _] := d01.
have [d [dT d1 small]] := beats_logarithms (`|K * kappa| / c) n (maxn T0 (Num.bound X)) B0.
have e0 : 0 < d%:R :> R by rewrite ltr0n ltnW.
have wide : X <= d%:R.
  by apply: le_trans (ltW (archi_boundP X0)) _; rewrite ler_nat; apply: leq_trans (leq_maxr _ _) dT.
have dd : (d <= d ^ 2)%N by rewrite -{1}[d]expn1 leq_exp2l.
have T1 : (1 < d ^ 2)%N := leq_trans d1 dd.
have T0T : (T0 <= d ^ 2)%N := leq_trans (leq_maxl _ _) (leq_trans dT dd).
have := order d (d ^ 2)%N 0 1 1 (fun=> 1) (ltnW d1) T0T T1 (lexx _) (constant_dispersion (ltnW T1) ltr01) (lexx _).
rewrite (_ : Num.max 0 1 = 1 :> R) ?mulr1 ?mul1r; last exact/max_idPr/ler01.
apply/negP; rewrite -ltNge; apply: lt_le_trans (_ : c * d%:R * d%:R <= _).
  have ellE : ln ((d ^ 2)%N%:R / delta) = ln (1 / delta) + 2 * ln d%:R.
    have -> : (d ^ 2)%N%:R / delta = 1 / delta * d%:R ^+ 2 by rewrite natrX div1r mulrC.
    by rewrite ln_mult ?lnX //; apply: lt_R; rewrite ?divr_gt0 ?exprn_gt0 ?ltr01.
  have l0 : 0 <= ln d%:R by apply: ln_ge0; rewrite ler1n ltnW.
  have ell0 : 0 <= ln (1 / delta) + 2 * ln d%:R by rewrite addr_ge0 // mulr_ge0 ?ler0n.
  have more : ln (1 / delta) + 2 * ln d%:R <= ln (1 / delta) + 5 * ln d%:R.
    by rewrite ler_add2l ler_wpmul2r // ler_nat.
  rewrite ellE [d%:R * kappa]mulrC mulrA mulrAC ltr_pmul2r //.
  apply: le_lt_trans (_ : `|K * kappa| * (ln (1 / delta) + 5 * ln d%:R) ^+ n < _); last exact: not_below.
  apply: le_trans (ler_wpmul2r (exprn_ge0 n ell0) (ler_norm _)) _.
  by rewrite ler_wpmul2l ?normr_ge0 // ler_expn2r ?nnegrE // (le_trans ell0).
have r2 := @radius_sq S delta Rs L S0 d01 (ltW R0) L0 d (d ^ 2) 0 (fun=> 1) (ltnW d1) (lexx _) (fun=> ltr01).
rewrite lam_of_dimension -/M in r2; rewrite /printed_gamma_4 lam_of_dimension trust0 -/M.
have scaleE : sqrt (d%:R * M) * sqrt d%:R / kappa = d%:R * sqrt M / kappa.
  by rewrite sqrtM ?(ltW M0) ?(ltW e0) // [sqrt d%:R * sqrt M * _]mulrAC sqrt_sq ?(ltW e0).
rewrite scaleE; set scale := d%:R * sqrt M / kappa.
have s0 : 0 < scale by rewrite divr_gt0 ?mulr_gt0 ?sqrt_gt0.
have big : d%:R <= printed_potential d scale (d%:R * M) (d ^ 2)%N%:R / scale.
  rewrite ler_pdivl_mulr //; apply: le_trans (potential_ge (mulr_gt0 e0 M0) (ltW s0) (ltnW d1) _).
    by rewrite ler_wpmul2l ?(ltW e0) // ler_addr ler01.
  rewrite natrX /scale -[X in _ * (_ * X) <= _](sqrt_sq (ltW M0)).
  move: wide; rewrite /X -ler_pdivl_mulr // => wide.
  have sM : 0 <= d%:R ^+ 2 * sqrt M by rewrite mulr_ge0 ?sqr_ge0 ?sqrt_ge0.
  have := ler_wpmul2l sM wide; move: (sqrt M) (d%:R : R) (kappa^-1) => a b k.
  by clear; to_R; lra.
apply: ler_pmul (mulr_ge0 (ltW c0) (ltW e0)) (ltW e0) _ big.
apply: le_trans (_ : 6 * Rs * L * (4 * S ^+ 2 * (d%:R * M)) <= _).
  by rewrite /c; move: (d%:R : R) => e; clear; to_R; lra.
by rewrite ler_wpmul2l // !mulr_ge0 ?ler0n ?(ltW R0) ?(ltW L0).
Qed.
