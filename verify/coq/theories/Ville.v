(* Ville's inequality on an infinite horizon, for a general filtration.
   F n are the events known after n rounds; a nonnegative supermartingale is stated through integrals over
   them, which is what a conditional expectation means:  int_A M_{n+1} <= int_A M_n  for A in F n. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal normedtype sequences measure topology lebesgue_measure numfun lebesgue_integral.
Import Order.TTheory GRing.Theory Num.Theory numFieldTopology.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Ville.
Context {dT : measure_display} {T : measurableType dT} {R : realType}.
Variable P : {measure set T -> \bar R}.

Definition filtration (F : nat -> set (set T)) :=
  [/\ forall n, sigma_algebra setT (F n), forall n, F n `<=` F n.+1 & forall n, F n `<=` measurable].

Definition adapted (F : nat -> set (set T)) (M : nat -> T -> \bar R) :=
  forall n (c : R), F n [set w | c%:E <= M n w].

Definition supermartingale (F : nat -> set (set T)) (M : nat -> T -> \bar R) :=
  [/\ forall n, measurable_fun setT (M n), forall n w, 0 <= M n w, adapted F M &
      forall n A, F n A -> \int[P]_(w in A) M n.+1 w <= \int[P]_(w in A) M n w].

Variables (F : nat -> set (set T)) (M : nat -> T -> \bar R) (c : R).
Hypothesis filtF : filtration F.
Hypothesis superM : supermartingale F M.
Hypothesis c_gt0 : (0 < c)%R.

Let above n := [set w | c%:E <= M n w].
Let before n := [set w | forall k, (k < n)%N -> M k w < c%:E].
Let hit n := before n `&` above n.

Let FC n A : F n A -> F n (~` A).
Proof. by case: filtF => /(_ n)[_ C _] _ _ /C; rewrite setTD. Qed.
Let FT n : F n setT.
Proof. by case: filtF => /(_ n)[/(FC) + _ _] _ _; rewrite setC0. Qed.
Let FI n A B : F n A -> F n B -> F n (A `&` B).
Proof.
move=> FA FB; rewrite -[A `&` B]setCK setCI -bigcup2E.
apply: FC; case: filtF => /(_ n)[F0 _ U] _ _; apply: U => -[|[|k]] /=; [exact: FC | exact: FC | exact: F0].
Qed.
Let mF n A : F n A -> measurable A.
Proof. by case: filtF => _ _ /(_ n A). Qed.

Let before0 : before 0%N = setT.
Proof. by rewrite eqEsubset; split. Qed.
Let beforeS n : before n.+1 = before n `&` ~` above n.
Proof.
rewrite eqEsubset; split=> w /=.
  move=> h; split=> [k kn|]; first by apply: h; apply: ltn_trans kn _.
  by apply/negP; rewrite -ltNge; apply: h.
move=> [h na] k; rewrite ltnS leq_eqVlt => /orP[/eqP ->|/h //].
by move/negP: na; rewrite -ltNge.
Qed.
Let F_above n : F n (above n).
Proof. by case: superM => _ _ /(_ n c). Qed.
Let F_beforeS n : F n (before n.+1).
Proof.
elim: n => [|n IH]; rewrite beforeS; first by rewrite before0 setTI; apply/FC/F_above.
by apply: FI; [case: filtF => _ mono _; apply: mono | apply/FC/F_above].
Qed.
Let F_before n : F n (before n).
Proof. by case: n => [|n]; rewrite ?before0 //; case: filtF => _ mono _; apply/mono/F_beforeS. Qed.
Let m_hit n : measurable (hit n).
Proof. by apply: (@mF n); apply: FI. Qed.
Let M_ge0 n w : 0 <= M n w.
Proof. by case: superM. Qed.
Let mM n D : measurable D -> measurable_fun D (M n).
Proof. by move=> mD; case: superM => m _ _ _; apply: measurable_funS (m n). Qed.

Let split_before n : \int[P]_(w in before n) M n w =
  \int[P]_(w in hit n) M n w + \int[P]_(w in before n.+1) M n w.
Proof.
have e : before n = hit n `|` before n.+1 by rewrite beforeS /hit -setIUr setUv setIT.
rewrite {1}e integral_setU //; first exact: (@mF n).
- by apply: mM; apply: measurableU => //; exact: (@mF n).
- by rewrite disj_set2E beforeS /hit setIACA setICr setI0.
Qed.

Let hit_cost n : c%:E * P (hit n) <= \int[P]_(w in hit n) M n w.
Proof.
rewrite -(integral_cst P (m_hit n) c%:E); apply: ge0_le_integral => //.
- by move=> w _; rewrite lee_fin ltW.
- exact: measurable_fun_cst.
- exact: mM.
- by move=> w [].
Qed.

Let invariant n : \sum_(k < n) c%:E * P (hit k) + \int[P]_(w in before n) M n w <= \int[P]_w M 0%N w.
Proof.
elim: n => [|n]; first by rewrite big_ord0 add0e before0.
apply: le_trans; rewrite big_ord_recr /= -addeA; apply: lee_add => //.
rewrite (split_before n); apply: lee_add => //.
by case: superM => _ _ _; apply.
Qed.

Let hit_trivI : trivIset setT hit.
Proof.
apply/trivIsetP => i j _ _; wlog ij : i j / (i < j)%N.
  move=> h; rewrite neq_ltn => /orP[ij|ij]; first by apply: h; rewrite // neq_ltn ij.
  by rewrite setIC; apply: h; rewrite // neq_ltn ij.
move=> _; rewrite -subset0 => w [[_ /= ai] [/(_ i ij) bi _]].
by move: ai; rewrite /above /= leNgt bi.
Qed.

Let ever : [set w | exists n, c%:E <= M n w] = \bigcup_n hit n.
Proof.
rewrite eqEsubset; split=> w /=; last by move=> [n _ [_ an]]; exists n.
move=> [n an]; have ex : exists n, c%:E <= M n w by exists n.
exists (ex_minn ex) => //; case: ex_minnP => m am mm; split=> // k km.
by rewrite ltNge; apply/negP => /mm; rewrite leqNgt km.
Qed.

Theorem ville : c%:E * P [set w | exists n, c%:E <= M n w] <= \int[P]_w M 0%N w.
Proof.
rewrite ever measure_bigcup // -nneseriesrM //.
apply: lime_le; first by apply: is_cvg_nneseries => k _; rewrite mule_ge0 ?lee_fin ?(ltW c_gt0).
apply: nearW => n; rewrite big_mkord; apply: le_trans (invariant n).
by rewrite lee_addl // integral_ge0.
Qed.

Lemma ville_event : measurable [set w | exists n, c%:E <= M n w].
Proof. by rewrite ever; apply: bigcupT_measurable. Qed.
End Ville.
