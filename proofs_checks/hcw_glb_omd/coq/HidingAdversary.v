(* The adversary that hides one arm, for rewards with noise and adaptive randomised policies.
   In the clean world arm a pays with law clean t a; in the better one arm i pays with law hi t, coupled downwards
   with clean t i at mean cost D.  The adversary shows the coupled reward in place of every reward of arm i, as long
   as that stays within the budget C.
     hide_within    it never leaves the budget
     survives       means over what is seen are at least those of the clean world, cut where the budget is left
     mean_cost      hiding without limit costs D for every pull of arm i, in mean
     cost_of_first_pulls   and at most n D for the first n of them *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge FiniteProcess Coupling CorruptedBandit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(* An adversary that does nothing. *)
Definition honest (d : nat) (Y : finType) : adversary d Y := fun _ _ y y' => (y' == y)%:R.
(* How often arm i was pulled, among what is seen. *)
Definition shown_pulls (d : nat) (Y : finType) (i : 'I_d) (s : seq ('I_d * Y)) : nat := count (fun z => z.1 == i) s.
(* What is seen of a game without corruption. *)
Definition blind (d : nat) (Y : finType) (pi : policy d Y) (clean : rewards d Y) (s : seq ('I_d * Y))
    (z : 'I_d * Y) : R := pi s z.1 * clean (size s) z.1 z.2.

Lemma pulls_total d (Y : finType) (s : seq ('I_d * Y)) : (\sum_i shown_pulls i s = size s)%N.
Proof.
rewrite /shown_pulls; elim: s => [|z s IH] /=; first by rewrite big1.
by rewrite big_split /= IH (bigD1 z.1) //= eqxx big1 // => i /negbTE; rewrite eq_sym => ->.
Qed.

Lemma honest_law d (Y : finType) : is_adversary (@honest d Y). Proof. by move=> h a y; apply: point_law. Qed.

Lemma honest_within d (Y : finType) (val : Y -> R) (C : R) : within val C (@honest d Y).
Proof.
move=> h a y y' hC; rewrite /honest cost_rcons; case: (eqVneq y' y) => [->|_]; last by rewrite ltxx.
by rewrite subrr normr0 addr0.
Qed.

Lemma blind_law d (Y : finType) (pi : policy d Y) (clean : rewards d Y) s : is_policy pi -> is_rewards clean ->
  law_of (blind pi clean s).
Proof.
move=> lp lc; split=> [z|]; first by rewrite /blind mulr_ge0 //; [case: (lp s) | case: (lc (size s) z.1)].
rewrite sum_pair /blind /=; under eq_bigr => a _ do rewrite -mulr_sumr (proj2 (lc (size s) a)) mulr1.
by case: (lp s).
Qed.

(* Where the joint law of a pull and of what is shown has the clean law as its marginal, the clean world is seen. *)
Lemma seen_blind d (Y : finType) (pi : policy d Y) (clean nu : rewards d Y) (adv : adversary d Y)
    (F : seq ('I_d * Y) -> R) t h :
  (forall h a y', \sum_y nu (size h) a y * adv h a y y' = clean (size h) a y') ->
  expect (game pi nu adv) (fun h => F (seen h)) t h = expect (blind pi clean) F t (seen h).
Proof.
move=> marginal; elim: t h => //= t IH h.
rewrite (eq_bigr (fun m => game pi nu adv h m *
  expect (blind pi clean) F t (rcons (seen h) (arm_of m, revealed_of m)))); last first.
  by move=> m _; rewrite IH /seen map_rcons.
rewrite /game (sum_round (fun a y y' => pi (seen h) a * (nu (size h) a y * adv h a y y') *
  expect (blind pi clean) F t (rcons (seen h) (a, y')))).
rewrite sum_pair; apply: eq_bigr => a _; rewrite exchange_big; apply: eq_bigr => y' _ /=.
rewrite -mulr_suml -mulr_sumr marginal /blind /= size_map; done.
Qed.

Lemma honest_blind d (Y : finType) (pi : policy d Y) (clean : rewards d Y) F t :
  expect (game pi clean (@honest d Y)) (fun h => F (seen h)) t [::] = expect (blind pi clean) F t [::].
Proof.
rewrite (@seen_blind d Y pi clean) // => h a y'; rewrite /honest.
by rewrite (eq_bigr (fun y => (y == y')%:R * clean (size h) a y)) ?point_mean // => y _; rewrite mulrC eq_sym.
Qed.

Section Hiding.
Variables (d : nat) (Y : finType) (val : Y -> R) (i : 'I_d).
Notation round := (round d Y).
Variables (clean : rewards d Y) (hi : nat -> Y -> R) (q : nat -> Y -> Y -> R) (D : R).
Hypothesis law_clean : is_rewards clean.
Hypothesis law_hi : forall t, law_of (hi t).
Hypothesis coupled : forall t, coupling val (q t) (hi t) (clean t i).
Hypothesis gap : forall t, \sum_y hi t y * val y - \sum_y clean t i y * val y = D.
Variables (pi : policy d Y) (C : R).
Hypothesis law_pi : is_policy pi.
Implicit Types (h : seq round) (a : 'I_d) (y : Y) (t n : nat).

Definition better : rewards d Y := fun t a => if a == i then hi t else clean t a.

(* With unlimited budget: a reward of arm i is replaced by its coupled one. *)
Definition reveal t a y y' : R := if (a == i) && (hi t y != 0) then q t y y' / hi t y else (y' == y)%:R.
(* Within the budget: the same, unless it costs too much. *)
Definition affordable h y y' := cost val h + `|val y' - val y| <= C.
Definition hide : adversary d Y := fun h a y y' =>
  (affordable h y y')%:R * reveal (size h) a y y' +
  (y' == y)%:R * \sum_z (~~ affordable h y z)%:R * reveal (size h) a y z.

Lemma reveal_law t a y : law_of (reveal t a y).
Proof.
rewrite /reveal; case: (boolP ((a == i) && (hi t y != 0))) => [/andP[_ nz]|_]; last exact: point_law.
case: (coupled t) => q0 mh _ _; split=> [y'|]; last by rewrite -mulr_suml mh mulfV.
by rewrite mulr_ge0 // invr_ge0; case: (law_hi t).
Qed.

Lemma hide_law : is_adversary hide.
Proof.
move=> h a y; have [r0 r1] := reveal_law (size h) a y; split=> [y'|].
  by rewrite /hide addr_ge0 // ?mulr_ge0 ?ler0n // sumr_ge0 // => z _; rewrite mulr_ge0 ?ler0n.
rewrite /hide big_split /= -[X in _ + X]mulr_suml (proj2 (point_law y)) mul1r -big_split /=.
rewrite -[RHS]r1; apply: eq_bigr => z _.
by case: (affordable h y z); rewrite ?mul1r ?mul0r ?addr0 ?add0r.
Qed.

Lemma hide_within : within val C hide.
Proof.
move=> h a y y' hC; rewrite cost_rcons /hide; case: (eqVneq y' y) => [->|_]; first by rewrite subrr normr0 addr0.
by rewrite mul0r addr0 /affordable; case: (_ <= C) => //; rewrite mul0r ltxx.
Qed.

Lemma better_law : is_rewards better.
Proof. by move=> t a; rewrite /better; case: ifP. Qed.

Let ideal := game pi better (fun h => reveal (size h)).
Let real := game pi better hide.
Let ideal_law h : law_of (ideal h).
Proof. by apply: game_law => // [|h' a y]; [exact: better_law | exact: reveal_law]. Qed.
Lemma real_law h : law_of (real h).
Proof. by apply: game_law => //; [exact: better_law | exact: hide_law]. Qed.

(* The joint law of a pull and of what is shown, with unlimited budget. *)
Let shown_joint t a y y' : better t a y * reveal t a y y' = if a == i then q t y y' else clean t a y * (y' == y)%:R.
Proof.
rewrite /better /reveal; case: (a == i) => //=; case: (eqVneq (hi t y) 0) => [e|nz] /=; last by rewrite mulrC mulfVK.
case: (coupled t) => q0 mh _ _; rewrite e mul0r; have /eqP := mh y; rewrite e psumr_eq0 //.
by move=> /allP/(_ y' (mem_index_enum _))/eqP.
Qed.

Let ideal_blind (F : seq ('I_d * Y) -> R) t :
  expect ideal (fun h => F (seen h)) t [::] = expect (blind pi clean) F t [::].
Proof.
rewrite (@seen_blind d Y pi clean) // => h a y'; under eq_bigr => y _ do rewrite shown_joint.
case: (eqVneq a i) => [->|_]; first by case: (coupled (size h)).
by rewrite (eq_bigr (fun y => (y == y')%:R * clean (size h) a y)) ?point_mean // => y _; rewrite mulrC eq_sym.
Qed.

Let ideal_round h (F : 'I_d -> Y -> Y -> R) : \sum_m ideal h m * F (arm_of m) (true_of m) (revealed_of m) =
  \sum_a pi (seen h) a * \sum_y \sum_y'
    (if a == i then q (size h) y y' else clean (size h) a y * (y' == y)%:R) * F a y y'.
Proof.
rewrite /ideal /game (sum_round (fun a y y' =>
  pi (seen h) a * (better (size h) a y * reveal (size h) a y y') * F a y y')).
apply: eq_bigr => a _; rewrite mulr_sumr; apply: eq_bigr => y _; rewrite mulr_sumr; apply: eq_bigr => y' _.
by rewrite shown_joint mulrA.
Qed.

Definition pulls h : nat := count (fun m => arm_of m == i) h.
Lemma pulls_rcons h a y y' : pulls (rcons h (a, y, y')) = (pulls h + (a == i))%N.
Proof. by rewrite /pulls -cats1 count_cat /= addn0. Qed.
Lemma pulls_seen h : shown_pulls i (seen h) = pulls h.
Proof. by rewrite /shown_pulls count_map; apply: eq_count. Qed.

(* --- what hiding costs ----------------------------------------------------------------------------------------- *)

Lemma gap_ge0 : 0 <= D.
Proof.
rewrite -(gap 0%N) -(coupling_gap (coupled 0)); apply: sumr_ge0 => y _; apply: sumr_ge0 => y' _.
by rewrite mulr_ge0 //; case: (coupled 0).
Qed.

(* A function of the history that a pull of arm i moves by `step` plus its cost in mean, and nothing else moves. *)
Let fair (f : seq round -> R) (step : R) h : step + D <= 0 ->
  (forall a y, a != i -> f (rcons h (a, y, y)) = f h) ->
  (forall y y', f (rcons h (i, y, y')) = f h + step + `|val y' - val y|) ->
  \sum_m ideal h m * f (rcons h m) <= f h.
Proof.
move=> paid still moves.
rewrite (eq_bigr (fun m => ideal h m * f (rcons h (arm_of m, true_of m, revealed_of m)))); last by case=> [[]].
rewrite (ideal_round h (fun a y y' => f (rcons h (a, y, y')))) -[leRHS](mean_cst (law_pi (seen h))).
apply: mean_le => // a; case: (eqVneq a i) => [->|ai]; last first.
  under eq_bigr => y _ do [under eq_bigr => y' _ do rewrite -mulrA; rewrite -mulr_sumr point_mean still //].
  by rewrite mean_cst.
have qq : \sum_y \sum_y' q (size h) y y' = 1.
  by case: (coupled (size h)) => _ mh _ _; under eq_bigr do rewrite mh; case: (law_hi (size h)).
under eq_bigr => y _ do [under eq_bigr => y' _ do rewrite moves mulrDr; rewrite big_split /= -mulr_suml].
rewrite big_split /= -mulr_suml qq mul1r (coupling_gap (coupled (size h))) gap -addrA ger_addl; exact: paid.
Qed.

Lemma mean_cost t :
  expect ideal (cost val) t [::] <= D * expect (blind pi clean) (fun s => (shown_pulls i s)%:R) t [::].
Proof.
rewrite -ideal_blind -expect_scale -subr_le0 -expect_sub.
apply: le_trans (expect_supermartingale ideal_law t [::] _) _; last first.
  by rewrite cost_nil /shown_pulls /= mulr0 subrr.
move=> h; apply: (@fair (fun h => cost val h - D * (shown_pulls i (seen h))%:R) (- D) h); first by rewrite addNr.
  by move=> a y ai; rewrite !pulls_seen pulls_rcons (negbTE ai) addn0 cost_rcons subrr normr0 addr0.
move=> y y'; rewrite !pulls_seen pulls_rcons eqxx cost_rcons natrD mulrDr mulr1.
by generalize (cost val h) `|val y' - val y| (D * (pulls h)%:R) => u v w; to_R; lra.
Qed.

Let prepaid n h : R := if (pulls h <= n)%N then cost val h + D * (n%:R - (pulls h)%:R) else 0.

Let prepaid_ge0 n h : 0 <= prepaid n h.
Proof.
rewrite /prepaid; case: ifP => // k; rewrite addr_ge0 ?cost_ge0 // mulr_ge0 ?gap_ge0 // subr_ge0 ler_nat //.
Qed.

Lemma cost_of_first_pulls n t : expect ideal (fun h => (pulls h <= n)%:R * cost val h) t [::] <= n%:R * D.
Proof.
apply: le_trans (_ : expect ideal (prepaid n) t [::] <= _).
  apply: expect_le => // h _; rewrite /prepaid; case: ifP => k; rewrite ?mul0r ?mul1r // ler_addl.
  by rewrite mulr_ge0 ?gap_ge0 // subr_ge0 ler_nat.
apply: le_trans (expect_supermartingale ideal_law t [::] _) _; last first.
  by rewrite /prepaid /= cost_nil add0r subr0 mulrC.
move=> h; case: (ltnP (pulls h) n) => k.
  apply: (@fair _ (- D)) => [|a y ai|y y']; first by rewrite addNr.
    by rewrite /prepaid pulls_rcons (negbTE ai) addn0 cost_rcons subrr normr0 addr0.
  rewrite /prepaid pulls_rcons eqxx addn1 k (ltnW k) cost_rcons -[(pulls h).+1]addn1 natrD.
  by generalize (cost val h) `|val y' - val y| ((pulls h)%:R : R) (n%:R : R) => u v w x; to_R; lra.
rewrite (eq_bigr (fun m => ideal h m * prepaid n (rcons h (arm_of m, true_of m, revealed_of m)))); last by case=> [[]].
rewrite (ideal_round h (fun a y y' => prepaid n (rcons h (a, y, y')))) -[leRHS](mean_cst (law_pi (seen h))).
apply: mean_le => // a; case: (eqVneq a i) => [->|ai]; last first.
  under eq_bigr => y _ do [under eq_bigr => y' _ do rewrite -mulrA; rewrite -mulr_sumr point_mean].
  rewrite (eq_bigr (fun y => clean (size h) a y * prepaid n h)) ?mean_cst // => y _.
  by rewrite /prepaid pulls_rcons (negbTE ai) addn0 cost_rcons subrr normr0 addr0.
rewrite big1 // => y _; rewrite big1 // => y' _.
by rewrite /prepaid pulls_rcons eqxx addn1 ltnNge k /= mulr0.
Qed.

(* --- the budget lasts ------------------------------------------------------------------------------------------ *)

(* Where the budget is not left the real game is the ideal one; the rest is given up. *)
Lemma survives (F : seq ('I_d * Y) -> R) t : (forall s, 0 <= F s) ->
  expect (blind pi clean) F t [::] <= expect ideal (fun h => (C < cost val h)%R%:R * F (seen h)) t [::] +
    expect real (fun h => F (seen h)) t [::].
Proof.
move=> F0; rewrite -ideal_blind; pose f h : R := (cost val h <= C)%R%:R * F (seen h).
have f0 h : 0 <= f h by rewrite mulr_ge0 ?ler0n.
have dom : expect ideal f t [::] <= expect real f t [::].
  apply: (expect_dominated (alive := fun h => cost val h <= C)) => //.
  - by move=> h m; case: (ideal_law h).
  - by move=> h m; case: (real_law h).
  - by move=> h /negbTE dead; rewrite /f dead mul0r.
  - move=> h [[a y] y']; rewrite -!ltNge cost_rcons => h1; apply: lt_le_trans h1 _.
    by rewrite ler_addl.
  move=> h [[a y] y']; rewrite cost_rcons => alive.
  apply: ler_wpmul2l; first by case: (law_pi (seen h)).
  apply: ler_wpmul2l; first by case: (better_law (size h) a).
  rewrite /= /hide /affordable alive mul1r ler_addl mulr_ge0 ?ler0n // sumr_ge0 // => z _.
  by rewrite mulr_ge0 ?ler0n //; case: (reveal_law (size h) a y).
rewrite (@eq_expect _ ideal _ (fun h => (C < cost val h)%R%:R * F (seen h) + f h)) => [|h _]; last first.
  by rewrite /f; case: ltP => _; rewrite ?mul0r ?mul1r ?addr0 ?add0r.
rewrite expect_add ler_add2l; apply: le_trans dom _; apply: expect_le => [|h _]; first exact: real_law.
by rewrite /f; case: (_ <= C); rewrite ?mul1r ?mul0r.
Qed.
End Hiding.
