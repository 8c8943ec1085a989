"""Break the symbolic, ladder and algebra provers on purpose: every break must show.

Each mutant comes with the check that is to notice it: right before, wrong while the mutant lives.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import ModuleType
from typing import Any

import pytest
import sympy as sp
from glbcheck.verify.claim import Verdict
from glbcheck.verify.provers import algebra, identities, inputs, ladder_checker, ring, signs, smt, symbolic

from tests.corpus import Entry, false_algebra, false_symbolic, true_algebra, true_ladder
from tests.corpus.forged_ladder import FORGED
from tests.corpus.verdicts import true_survive
from tests.mutants import Mutant

Check = Callable[[], bool]
x, t = sp.symbols("x t", real=True)


def unproved(entries: list[Entry], *pieces: str) -> Check:
    """The false entries whose names hold one of the pieces do not come out positive."""
    chosen = [e for e in entries if any(piece in e.name for piece in pieces)]
    assert chosen, f"no entry named {pieces}"
    return lambda: not any(e.run().verdict.positive for e in chosen)


def survive(entries: list[Entry]) -> Check:
    return lambda: true_survive(entries)


def rejected(name: str) -> Check:
    """The forged certificate of this name does not replay."""

    def check() -> bool:
        try:
            ladder_checker.check(FORGED[name])
        except ladder_checker.Rejected:
            return True
        return False

    return check


def refuses_floats() -> bool:
    try:
        identities.identity(x, x + sp.Float("0.1"))
    except ValueError:
        return True
    return False


def undecided(*call: Any) -> Check:
    return lambda: call[0](*call[1:]).verdict is Verdict.UNDECIDED


def with_liar(status: str) -> bool:
    """With one engine replaced by a liar, a statement the other engine does not confirm is not proved."""
    sound = smt.ENGINES
    smt.ENGINES = (sound[0], lambda text, seconds: smt.Answer("liar", status))
    try:
        return algebra.decide([], "x**2 >= 0", ["x"]).verdict is Verdict.UNDECIDED
    finally:
        smt.ENGINES = sound


def one_arithmetic_is_not_enough() -> bool:
    """With SymPy's normal form always 0, the hand-written ring still objects."""
    sound, identities.normal_form = identities.normal_form, lambda e: sp.Integer(0)
    try:
        return identities.identity(x, x + 1).verdict is not Verdict.PROVED
    finally:
        identities.normal_form = sound


ring_is_right: list[tuple[sp.Expr, bool]] = [
    (sp.exp(x / 2) - 1, False),
    (sp.sinh(x / 2) * sp.cosh(x / 2) * 2 - sp.sinh(x), True),
    ((x - 1) * (x + 1) - x**2 + 1, True),
    (sp.sin((x + 1) ** 2) - sp.sin(x**2 + 2 * x + 1), True),
    ((1 + x) ** 2 - 1 - x**2, False),
    ((x - 1) * (x + 1) - x**2 - 1, False),
    (1 / (1 + x) - 1 / (1 - x), False),
    (1 / (sp.sqrt(x) + 1) - (sp.sqrt(x) - 1) / (x - 1), True),
    (sp.sqrt(1 / (1 + x)) - sp.sqrt(1 + x), False),
    (sp.log(2) - sp.log(3), False),
    (sp.sin(x) - sp.sin(x + 1), False),
]


def ring_tests_zero() -> bool:
    return all(ring.is_zero(e) is zero for e, zero in ring_is_right)


def sign_of_a_constant_is_right() -> bool:
    return signs.sign(sp.log(2) - 1) == -1


def replays_only_what_both_engines_confirm() -> bool:
    certificate = dict(algebra.decide([], "x**2 >= 0", ["x"]).certificate)
    return not algebra.replay({**certificate, "question": certificate["question"].replace("not", "and")})


# Module, function, what becomes of which piece of it, and the check that notices.
MUTANTS: dict[str, tuple[ModuleType, str, str, str, Check]] = {
    # --- the replay of a ladder
    "sign at the start not checked": (
        ladder_checker, "climb", "at_end >= 0", "True", rejected("a negative start")),
    "sign at the end not checked": (
        ladder_checker, "climb", "at_end >= 0", "True", rejected("a negative end")),
    "skipped rung: slope not recomputed": (
        ladder_checker, "climb", "is_zero(slope - then)", "True", rejected("a wrong slope")),
    "fall taken for a rise": (
        ladder_checker, "climb", "else -sp.diff(f, on.x)", "else sp.diff(f, on.x)",
        survive(true_ladder.ENTRIES)),
    "sign of a factor not checked": (
        ladder_checker, "climb", "evident(factor, on, strict=True)", "True", rejected("a negative factor")),
    "product not recomputed": (
        ladder_checker, "climb", "is_zero(factor * f - then)", "True", rejected("a wrong product")),
    "last rung believed": (
        ladder_checker, "climb", "evident(f, on, strict)", "True", rejected("nothing evident about it")),
    "strictness lost": (
        ladder_checker, "climb", "strict and at_end == 0", "False",
        rejected("a strict sign from a flat start")),
    "reciprocal across zero": (
        ladder_checker, "climb", "on.low >= 0,", "True,", rejected("a reciprocal across zero")),
    "reciprocal not recomputed": (
        ladder_checker, "climb", "is_zero(f.subs(on.x, 1 / on.x) - then)", "True",
        rejected("a wrong reciprocal")),
    "logarithms not recomputed": (
        ladder_checker, "climb", "is_zero(sp.Add(*(c * sp.log(u) for c, u in terms)) - f)", "True",
        rejected("a sum of other logarithms")),
    "exponential not recomputed": (
        ladder_checker, "climb", "is_zero(above - below - then)", "True", rejected("a wrong exponential")),
    "sign at a cut not checked": (
        ladder_checker, "split", "sign_at(f, on.x, at) >= int(strict)", "True",
        rejected("a strict sign across a zero")),
    "one side of a cut skipped": (
        ladder_checker, "split", 'climb(f, rung["below"], replace(on, high=at), strict)', "pass",
        rejected("one side of a cut left open")),
    "closed ends not checked": (
        ladder_checker, "check", "sign_at(gap, x, end) >= int(strict)", "True",
        rejected("a closed end with equality")),
    "claim not compared": (
        ladder_checker, "check", "is_zero(gap - f)", "True", rejected("another function than the claim's")),
    "domain of the claim not checked": (
        ladder_checker, "check", "defined(gap, on) and ", "", rejected("a pole inside")),
    "lemma believed": (
        ladder_checker, "check", 'climb(known, lemma["rungs"], on, strict=True)', "pass",
        rejected("a lemma that is not proved")),
    "flipped comparison": (
        ladder_checker, "difference", '"<": r.args[::-1], "<=": r.args[::-1]', '"<": r.args, "<=": r.args',
        rejected("the claim turned around")),
    # --- evident signs
    "square taken for positive": (
        signs, "evident", "not nonzero or any(", "True or any(", rejected("a square taken for positive")),
    "logarithm taken for positive": (
        signs, "evident", "evident(f.args[0] - 1, on, strict)", "True",
        rejected("a logarithm taken for positive")),
    "mixed coefficients accepted": (
        signs, "polynomial_positive", "all(c >= 0", "any(c >= 0", rejected("nothing evident about it")),
    "skipped half of the interval": (
        signs, "polynomial_positive", "((low, middle), (middle, high))", "((low, middle),)",
        lambda: not signs.polynomial_positive([Fraction(5), Fraction(-1)], Fraction(0), None, 4)),
    "value at the cut of an interval not checked": (
        signs, "polynomial_positive", "or value(p, middle) <= 0", "",
        lambda: not signs.polynomial_positive(list(map(Fraction, (1, -2, 1))), Fraction(0), Fraction(2), 4)),
    "sign of a ball swapped": (
        signs, "sign", "1 if enclosure > 0 else -1", "1", sign_of_a_constant_is_right),
    "logarithm of negative numbers": (
        signs, "defined", "isinstance(node, sp.log) and not evident(node.args[0], on, strict=True)", "False",
        rejected("a logarithm of negative numbers")),
    # --- identities, sums, remainders
    "float let in": (inputs, "refuse_floats", "value.has(sp.Float)", "False", refuses_floats),
    "second arithmetic not asked": (
        identities, "certify", "or not recheck(left, right)", "", one_arithmetic_is_not_enough),
    "failed obligation ignored": (
        symbolic, "together", "evidence.verdict is not Verdict.PROVED", "False",
        unproved(false_symbolic.ENTRIES, "wrong start")),
    "base of a sum dropped": (
        symbolic, "sum_identity", '"base": identity(total.subs(n, lower), f.subs(k, lower)),', "",
        unproved(false_symbolic.ENTRIES, "sum of squares")),
    "step of a sum dropped": (
        symbolic, "sum_identity", "identity(total.subs(n, n + 1) - total, f.subs(k, n + 1))",
        "identity(f, f)",
        lambda: symbolic.sum_identity("k", "n**2", "k", 1, "n").verdict is not Verdict.PROVED),
    "remainder dropped": (
        symbolic, "taylor_remainder", "identity(sp.diff(partial.subs(x, path), t), integrand)",
        "identity(integrand, integrand)", unproved(false_symbolic.ENTRIES, "Taylor")),
    "induction over a pole": (
        symbolic, "undefined_somewhere", "p is None or len(signs) != 1 or p.eval(0) == 0", "False",
        undecided(symbolic.telescoping, "1/(k*(k + 1))", "-1/k", "k", -3)),
    "integral over a pole": (
        symbolic, "singular", "if t in d.free_symbols", "if False",
        undecided(symbolic.integral, 1 / t**2, -1 / t, t, -1, 1, sp.Integer(-2))),
    "signs lost in products": (ring, "times", "+ c * d", "+ abs(c * d)", ring_tests_zero),
    "signs lost in differences": (ring, "minus", "-c for", "c for", ring_tests_zero),
    "fractional exponents cut off": (
        ring, "Ring.exponential_of", "int(c * unit)", "int(c)", ring_tests_zero),
    "roots not reduced": (ring, "Ring.lowered", "sorted(self.roots, reverse=True)", "()", ring_tests_zero),
    "arguments of functions not compared": (
        ring, "Ring.generator", "all(self.zero(gap) for gap in gaps)", "True", ring_tests_zero),
    # --- algebra
    "one engine ignored": (
        algebra, "agreed", "all(answer", "any(answer", lambda: with_liar("sat") and with_liar("unknown")),
    "side conditions ignored": (
        algebra, "decide", "for debt in debts:", "for debt in ():",
        undecided(algebra.decide, [], "x/x == 1", ["x"])),
    "vacuous hypotheses accepted": (
        algebra, "decide", "if any(answer.status == \"unsat\" for answer in possible):", "if False:",
        undecided(algebra.decide, ["x > 0", "x < 0"], "x > 5", ["x"])),
    "hypotheses not passed to the engines": (
        smt, "Encoder.assume", "self.lines.append(f\"(assert {self.relation(relation)})\")", "pass",
        survive(true_algebra.ENTRIES)),
    "statement not denied": (
        smt, "Encoder.question", "(assert (not {claim}))", "(assert {claim})", survive(true_algebra.ENTRIES)),
    "roots of either sign": (
        smt, "Encoder.power", "(and (>= {r} 0.0) (= {product(r, q)} {radicand}))",
        "(= {product(r, q)} {radicand})", survive(true_algebra.ENTRIES)),
    "radicand may be negative": (
        smt, "Encoder.power", 'self.owe(f"(>= {radicand} 0.0)", f"{base} >= 0")', "pass",
        undecided(algebra.decide, [], "sqrt(x)**2 == x", ["x"])),
    "divisor may be zero": (
        smt, "Encoder.power", 'self.owe(f"(distinct {divisor} 0.0)", f"{base} != 0")', "pass",
        undecided(algebra.decide, [], "x/x == 1", ["x"])),
    "maximum and minimum swapped": (
        smt, "Encoder.build", '">=" if isinstance(e, sp.Max)', '"<=" if isinstance(e, sp.Max)',
        survive([e for e in true_algebra.ENTRIES if "maximum" in e.name])),
    "base of an induction dropped": (
        algebra, "induction", "decide([*always, *initial], invariant,",
        "decide([*always, *initial, invariant], invariant,",
        unproved(false_algebra.ENTRIES, "whose base does not")),
    "step of an induction stays where it is": (
        algebra, "induction", "invariant, *transition], later", "invariant, *transition], invariant",
        unproved(false_algebra.ENTRIES, "may shrink")),
    "failed step ignored": (
        algebra, "induction", "evidence.verdict is not Verdict.PROVED", "False",
        unproved(false_algebra.ENTRIES, "may shrink")),
    "replay believes the record": (
        algebra, "replay", "agreed([ask(question, seconds) for ask in smt.ENGINES])", "True",
        replays_only_what_both_engines_confirm),
}  # fmt: skip


@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_prover_is_noticed(name: str) -> None:
    module, function, old, new, right = MUTANTS[name]
    assert right(), "the check must be right while nothing is broken"
    with Mutant(name, module, function, old, new).alive():
        try:
            still_right = right()
        except Exception:
            still_right = False
    assert not still_right, f"the mutant lives: {name}"
