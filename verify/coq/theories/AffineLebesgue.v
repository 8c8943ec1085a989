(* Lebesgue measure on the line under affine maps.
     lebesgue_affine      int F(a + s u) du = 1/s int F(z) dz   for s > 0
     lebesgue_reflection  int F(-u) du = int F(z) dz            both for every measurable F >= 0 *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal signed normedtype sequences measure topology lebesgue_measure numfun.
From mathcomp.analysis Require Import lebesgue_integral.
From HB Require Import structures.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Affine.
Variable R : realType.
Implicit Types (a s x y : R) (F : R -> \bar R).
(* Lebesgue measure with the measurable sets of R itself, which the library keeps under another name. *)
Definition length_of (A : set R) : \bar R := lebesgue_measure A.
Let length0 : length_of set0 = 0. Proof. exact: measure0. Qed.
Let length_ge0 A : 0 <= length_of A.
Proof. exact: (@measure_ge0 _ _ _ [the measure _ _ of @lebesgue_measure R]). Qed.
Let length_additive : @semi_sigma_additive _ R R length_of.
Proof. exact: (@measure_semi_sigma_additive _ _ _ [the measure _ _ of @lebesgue_measure R]). Qed.
HB.instance Definition _ := isMeasure.Build _ R R length_of length0 length_ge0 length_additive.
Definition lebesgue : {measure set R -> \bar R} := [the measure _ _ of length_of].

Lemma lebesgue_interval (i : interval R) : lebesgue [set` i] = hlength [set` i].
Proof. exact: lebesgue_measure_itv. Qed.

(* A measure that gives every interval its length is Lebesgue measure. *)
Lemma is_lebesgue (mu : {measure set R -> \bar R}) F :
  (forall x y, (x < y)%R -> mu `]x, y]%classic = (y - x)%:E) -> \int[lebesgue]_z F z = \int[mu]_z F z.
Proof.
move=> len; apply: eq_measure_integral => A mA _.
pose symmetric (k : nat) : set R := `](- k%:R)%R, k%:R]%classic.
apply: (@measure_unique _ _ _ (@ocitv R) symmetric) => //.
- exact: ocitvI.
- by move=> k; exact: is_ocitv.
- apply/seteqP; split=> // x _; exists (Num.bound `|x|)%N => //; rewrite /symmetric /= in_itv /=.
  have lt := archi_boundP (normr_ge0 x).
  by rewrite ltr_oppl (le_lt_trans (ler_norm _)) ?normrN // ltW // (le_lt_trans (ler_norm _)).
- move=> X /ocitvP[->|[[x y] /= xy ->]]; first by rewrite !measure0.
  by rewrite len // lebesgue_interval hlength_itv /= lte_fin xy -EFinB.
- by move=> k; rewrite lebesgue_interval hlength_itv /=; case: ifP => _; rewrite -?EFinB ltry.
Qed.

Lemma measurable_affine a s : measurable_fun setT ((fun u => a + s * u)%R : R -> R).
Proof.
apply: measurable_funD; first exact: measurable_fun_cst.
by apply: measurable_funM; [exact: measurable_fun_cst | exact: measurable_fun_id].
Qed.

Lemma lebesgue_affine a s F : (0 < s)%R -> measurable_fun setT F -> (forall z, 0 <= F z) ->
  \int[lebesgue]_u F (a + s * u)%R = (s^-1)%:E * \int[lebesgue]_z F z.
Proof.
move=> s0 mF F0; have s0' := ltW s0; pose k := NngNum s0'.
pose image : {measure set R -> \bar R} := [the measure _ _ of pushforward lebesgue (measurable_affine a s)].
have -> : \int[lebesgue]_z F z = \int[mscale k image]_z F z.
  apply: is_lebesgue => x y xy; rewrite /= /mscale /= /pushforward.
  have -> : (fun u => a + s * u)%R @^-1` `]x, y]%classic = `](x - a) / s, (y - a) / s]%classic.
    apply/seteqP; split=> u /=; rewrite !in_itv /= ltr_pdivr_mulr // ler_pdivl_mulr // ltr_subl_addl ler_subr_addl;
      by rewrite [(u * s)%R]mulrC.
  rewrite lebesgue_interval hlength_itv /= lte_fin ltr_pmul2r ?invr_gt0 // ltr_add2r xy -EFinB -EFinM.
  by rewrite -mulrBl mulrCA mulfV ?gt_eqF // mulr1 opprB addrA subrK.
rewrite ge0_integral_mscale // muleA -EFinM mulVf ?gt_eqF // mul1e.
exact/esym/integral_pushforward.
Qed.

Lemma measurable_reflection : measurable_fun setT (-%R : R -> R).
Proof.
rewrite (_ : -%R = fun u => 0 + (-1) * u)%R; first exact: measurable_affine.
by apply/funext => u; rewrite add0r mulN1r.
Qed.

Lemma lebesgue_reflection F : measurable_fun setT F -> (forall z, 0 <= F z) ->
  \int[lebesgue]_u F (- u)%R = \int[lebesgue]_z F z.
Proof.
move=> mF F0; have -> : \int[lebesgue]_z F z = \int[pushforward lebesgue measurable_reflection]_z F z.
  apply: is_lebesgue => x y xy; rewrite /= /pushforward.
  have -> : -%R @^-1` `]x, y]%classic = `[(- y)%R, (- x)%R[%classic.
    by apply/seteqP; split=> u /=; rewrite !in_itv /= ltr_oppr ler_oppl andbC.
  by rewrite lebesgue_interval hlength_itv /= lte_fin ltr_opp2 xy -EFinB opprK addrC.
exact/esym/integral_pushforward.
Qed.
End Affine.
