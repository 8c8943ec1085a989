(* Sequential experiments in discrete time.  Before outcome n is drawn the past is hist n, an element of a
   measurable space T n; later pasts determine earlier ones and their outcomes.  kernel n h is the law of
   outcome n given the past h, which is said without conditional expectations, through integrals:
     E f(hist n, out n) = E (int f(hist n, y) kernel n (hist n) (dy))   for every measurable f >= 0.
   Everything an adaptive player or adversary chooses before outcome n may depend on hist n at will.
     betting   factors with int factor(h, y) kernel h (dy) <= 1 multiply to a supermartingale, so that with
               probability at least 1 - delta their products stay below 1/delta for ever. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal normedtype sequences measure topology lebesgue_measure numfun.
From mathcomp.analysis Require Import lebesgue_integral.
From Glbcheck Require Import Ville.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Record experiment (R : realType) (dO dY : measure_display) (Omega : measurableType dO) (Y : measurableType dY) :=
  Experiment {
  prob : {measure set Omega -> \bar R};
  prob1 : prob setT = 1;
  past_display : nat -> measure_display;
  past : forall n, measurableType (past_display n);
  hist : forall n, Omega -> past n;
  out : nat -> Omega -> Y;
  earlier : forall n, past n.+1 -> past n;
  last_out : forall n, past n.+1 -> Y;
  kernel : forall n, past n -> {measure set Y -> \bar R};
  hist_measurable : forall n, measurable_fun setT (@hist n);
  out_measurable : forall n, measurable_fun setT (out n);
  earlier_measurable : forall n, measurable_fun setT (@earlier n);
  last_out_measurable : forall n, measurable_fun setT (@last_out n);
  hist_earlier : forall n w, @earlier n (hist n.+1 w) = hist n w;
  hist_last_out : forall n w, @last_out n (hist n.+1 w) = out n w;
  kernel1 : forall n h, @kernel n h setT = 1;
  conditional_law : forall n (f : past n * Y -> \bar R), measurable_fun setT f -> (forall z, 0 <= f z) ->
    \int[prob]_w f (hist n w, out n w) = \int[prob]_w \int[kernel (hist n w)]_y f (hist n w, y) }.

(* Integrals of nonnegative functions are monotone, measurable or not. *)
Lemma integral_mono (R : realType) d (T : measurableType d) (mu : {measure set T -> \bar R}) (f g : T -> \bar R) :
  (forall x, 0 <= f x) -> (forall x, f x <= g x) -> \int[mu]_x f x <= \int[mu]_x g x.
Proof.
move=> f0 fg; rewrite !ge0_integralTE //; last by move=> x; apply: le_trans (fg x).
by apply: le_ereal_sup => _ [h hf <-]; exists h => // x; apply: le_trans (hf x) (fg x).
Qed.

Lemma measurable_fst d1 d2 (T1 : measurableType d1) (T2 : measurableType d2) :
  measurable_fun setT (fst : T1 * T2 -> T1).
Proof. by have [] := (prod_measurable_funP (@id (T1 * T2))).1 (@measurable_fun_id _ _ _). Qed.
Lemma measurable_snd d1 d2 (T1 : measurableType d1) (T2 : measurableType d2) :
  measurable_fun setT (snd : T1 * T2 -> T2).
Proof. by have [] := (prod_measurable_funP (@id (T1 * T2))).1 (@measurable_fun_id _ _ _). Qed.

Section Betting.
Context {R : realType} {dO dY : measure_display} {Omega : measurableType dO} {Y : measurableType dY}.
Variable E : @experiment R dO dY Omega Y.
Let P := prob E.
Variable factor : forall n, past E n * Y -> \bar R.
Hypothesis factor_measurable : forall n, measurable_fun setT (@factor n).
Hypothesis factor_ge0 : forall n z, 0 <= @factor n z.
Hypothesis factor_fair : forall n h, \int[kernel h]_y @factor n (h, y) <= 1.

Fixpoint wealth n (w : Omega) : \bar R :=
  if n is n'.+1 then wealth n' w * @factor n' (hist E n' w, out E n' w) else 1.

Fixpoint wealth_of n : past E n -> \bar R :=
  if n is n'.+1 then fun h => @wealth_of n' (earlier h) * @factor n' (earlier h, last_out h) else fun _ => 1.

Lemma wealthE n w : wealth n w = wealth_of (hist E n w).
Proof. by elim: n => //= n ->; rewrite hist_earlier hist_last_out. Qed.

Lemma wealth_ge0 n w : 0 <= wealth n w.
Proof. by elim: n => [|n IH] /=; [rewrite lee01 | apply: mule_ge0]. Qed.
Lemma wealth_of_ge0 n h : 0 <= @wealth_of n h.
Proof. by elim: n h => [|n IH] h /=; [rewrite lee01 | apply: mule_ge0]. Qed.

Lemma wealth_of_measurable n : measurable_fun setT (@wealth_of n).
Proof.
elim: n => [|n IH] /=; first exact: measurable_fun_cst.
apply: emeasurable_funM; first exact: (measurable_fun_comp IH (earlier_measurable (e:=E) (n:=n))).
apply: (measurable_fun_comp (@factor_measurable n)); apply/prod_measurable_funP; split.
  exact: earlier_measurable.
exact: last_out_measurable.
Qed.

Lemma wealth_measurable n : measurable_fun setT (wealth n).
Proof.
rewrite (_ : wealth n = @wealth_of n \o @hist _ _ _ _ _ E n); last by apply/funext => w; rewrite wealthE.
exact: (measurable_fun_comp (@wealth_of_measurable n) (hist_measurable (e:=E) (n:=n))).
Qed.

(* The events known before outcome n. *)
Definition known n : set (set Omega) := preimage_class setT (@hist _ _ _ _ _ E n) measurable.

Lemma known_filtration : filtration known.
Proof.
split=> n.
- exact/sigma_algebra_preimage_class/sigma_algebra_measurable.
- move=> _ [B mB <-]; exists ((@earlier _ _ _ _ _ E n) @^-1` B).
    by rewrite -[X in measurable X]setTI; apply: earlier_measurable.
  by rewrite !setTI; apply/seteqP; split=> w /=; rewrite hist_earlier.
- by move=> _ [B mB <-]; apply: hist_measurable.
Qed.

Lemma wealth_adapted : adapted known wealth.
Proof.
move=> n c; exists [set h | c%:E <= @wealth_of n h].
  by rewrite -[X in measurable X]setTI; apply: emeasurable_fun_c_infty => //; apply: wealth_of_measurable.
by rewrite setTI; apply/seteqP; split=> w /=; rewrite wealthE.
Qed.

Lemma wealth_supermartingale : supermartingale P known wealth.
Proof.
split; [exact: wealth_measurable | exact: wealth_ge0 | exact: wealth_adapted |].
move=> n _ [B mB <-]; rewrite setTI.
have mA : measurable (hist E n @^-1` B) by rewrite -[X in measurable X]setTI; apply: hist_measurable.
pose b h : \bar R := (\1_B h)%:E * @wealth_of n h.
have b0 h : 0 <= b h by rewrite mule_ge0 ?wealth_of_ge0 // lee_fin.
have mb : measurable_fun setT b.
  apply: emeasurable_funM; last exact: wealth_of_measurable.
  exact/EFin_measurable_fun/measurable_fun_indic.
pose f (z : past E n * Y) : \bar R := b z.1 * @factor n z.
have mf : measurable_fun setT f.
  apply: emeasurable_funM; last exact: factor_measurable.
  exact: (measurable_fun_comp mb (@measurable_fst _ _ (past E n) Y)).
have f0 z : 0 <= f z by rewrite mule_ge0.
have onB (g : Omega -> \bar R) w : (g \_ (hist E n @^-1` B)) w = (\1_B (hist E n w))%:E * g w.
  rewrite /patch indicE (_ : (w \in hist E n @^-1` B) = (hist E n w \in B)).
    by case: ifP => _; rewrite ?mul1e ?mul0e.
  by apply/idP/idP; rewrite !inE.
rewrite integral_mkcond [X in _ <= X]integral_mkcond.
under eq_integral do rewrite onB /= wealthE muleA.
under [X in _ <= X]eq_integral do rewrite onB wealthE.
rewrite (_ : \int[P]_w _ = \int[P]_w f (hist E n w, out E n w)) // conditional_law //.
apply: integral_mono => w; first by apply: integral_ge0 => y _; apply: f0.
rewrite /f /= ge0_integralM //; last exact: measurable_fun_prod1.
by rewrite -[X in _ <= X]mule1; apply: lee_pmul => //; apply: integral_ge0.
Qed.

Theorem betting (delta : R) : (0 < delta)%R ->
  measurable [set w | exists n, (delta^-1)%:E <= wealth n w] /\
  P [set w | exists n, (delta^-1)%:E <= wealth n w] <= delta%:E.
Proof.
move=> d0; have i0 : (0 < delta^-1)%R by rewrite invr_gt0.
split; first by apply: (@ville_event _ _ _ P known wealth); [exact: known_filtration | exact: wealth_supermartingale].
have := ville known_filtration wealth_supermartingale i0; rewrite /= integral_cst // mul1e prob1.
move=> /(@lee_wpmul2l _ delta%:E); rewrite lee_fin (ltW d0) => /(_ isT).
by rewrite muleA -EFinM mulfV ?gt_eqF // mul1e mule1.
Qed.
End Betting.
