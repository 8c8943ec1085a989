"""Break the enclosure prover, its checker and the balls under it on purpose: every break must show."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from types import ModuleType

import pytest
import sympy as sp
from flint import arb
from glbcheck.core.enclosure import (
    ball,
    ball_function,
    balls,
    float_above,
    float_below,
    hull,
    jets,
    precision,
)
from glbcheck.core.kernel import evaluate
from glbcheck.core.translation import program_of
from glbcheck.verify.claim import Verdict
from glbcheck.verify.provers import (
    enclosure,
    enclosure_checker,
    enclosure_lemmas,
    enclosure_problem,
    enclosure_replay,
    enclosure_rules,
    enclosure_search,
    enclosure_tails,
    enclosure_task,
    inputs,
)
from glbcheck.verify.provers.enclosure import certify

from tests.corpus import Entry, false_enclosure, true_enclosure
from tests.corpus.forged_enclosure import FORGED
from tests.corpus.verdicts import false_is_caught, true_survive
from tests.mutants import Mutant

Check = Callable[[], bool]
x = sp.Symbol("x", real=True)


def named(pool: list[Entry], names: tuple[str, ...]) -> list[Entry]:
    found = [entry for entry in pool if entry.name in names]
    assert {entry.name for entry in found} == set(names)
    return found


def true(*names: str) -> Check:
    """These true inequalities are certified."""
    return lambda: true_survive(named(true_enclosure.ENTRIES, names))


def false(*names: str) -> Check:
    """These false inequalities are not certified."""
    return lambda: all(false_is_caught(entry) for entry in named(false_enclosure.ENTRIES, names))


def unsettled(*names: str) -> Check:
    """These are not certified on their whole box."""
    entries = named(false_enclosure.UNDEFINED, names)
    return lambda: not any(entry.run().verdict is Verdict.CERTIFIED for entry in entries)


def rejected(*names: str) -> Check:
    """These forged certificates do not replay."""

    def check() -> bool:
        for name in names:
            try:
                enclosure_replay.check(FORGED[name])
            except enclosure_checker.Rejected:
                continue
            return False
        return True

    return check


def refuses_floats() -> bool:
    try:
        certify("x >= 0", {"x": (0.5, 1)})  # type: ignore[dict-item]
    except ValueError:
        return True
    return False


def only_the_box() -> bool:
    found = certify("sin(x) <= 101/100", {"x": (2, None)})
    return found.verdict is Verdict.CERTIFIED_ON_BOX


def doubles_lie_outside() -> bool:
    with precision(100):
        sevenths = [(F(k, 7), ball(F(k, 7))) for k in range(-20, 20)]
        return all(F(float_below(b)) <= exact <= F(float_above(b)) for exact, b in sevenths)


def contains(expr: sp.Expr, low: int, high: int, *values: int) -> Check:
    """The ball of the expression over [low, high] contains these values."""
    return lambda: all(ball_function(expr, [x])(hull(low, high)).contains(arb(v)) for v in values)


def removable_singularity_is_resolved() -> bool:
    value = jets.jet_function(sp.sinh(x) / x, x)(hull(-1, 1), 1)[0]
    return bool(value.is_finite() and value.contains(arb(1).sinh()))


def bessel_is_enclosed() -> bool:
    over = ball_function(sp.besseli(0, x), [x])(hull(-1, 3))
    return bool(over.contains(arb(1)) and over.contains(arb(3).bessel_i(0)))


MEMORIES = enclosure_checker.compiled, program_of, jets._compiled
CASES: list[tuple[str, ModuleType, str, str, str, Check]] = [
    (
        "float let in",
        inputs,
        "rational",
        "int | Fraction | sp.Rational):",
        "int | Fraction | float):",
        refuses_floats,
    ),
    # --- the search: its breaks are noticed by the checker, and then true statements are lost ---
    (
        "remainder dropped in the search",
        enclosure_search,
        "_Search.settle",
        "total = total + change",
        "total = total",
        true("the softplus below its parabola"),
    ),
    (
        "sub-box skipped",
        enclosure_search,
        "halves",
        "for child in (1, 0)",
        "for child in (1,)",
        true("a disc under a line"),
    ),
    (
        "comparison flipped in the search",
        enclosure_search,
        "_Search.settle",
        "if value > 0 or (not strict",
        "if value < 1 or (not strict",
        true("the softplus below its parabola"),
    ),
    (
        "monotone towards the wrong corner",
        enclosure_search,
        "_Search.monotone",
        "LOW if s >= 0 else HIGH if s <= 0",
        "HIGH if s >= 0 else LOW if s <= 0",
        true("a quotient below its limit", "zeros at two corners", "three variables"),
    ),
    (
        "order of the zero off by one in the search",
        enclosure_rules,
        "Rules.order",
        "return m",
        "return m + 1",
        true("a fourth order zero"),
    ),
    (
        "precision never raised",
        enclosure_search,
        "_Search.raise_precision",
        "bits < MAX_BITS",
        "bits > MAX_BITS",
        lambda: certify("exp(x)*exp(-x) + 1/10**30 > 1", {"x": (0, F(1, 10**32))}).verdict is Verdict.CERTIFIED,
    ),
    # --- the checker ---
    (
        "coverage check removed",
        enclosure_checker,
        "check_cells",
        "volume == 1 and tiles(",
        "True or tiles(",
        rejected("half of the box", "no leaf at all", "one half twice"),
    ),
    (
        "only volumes are compared",
        enclosure_checker,
        "check_cells",
        "volume == 1 and tiles(task.root(), [cell for cell, _ in leaves])",
        "volume == 1",
        rejected("one half twice", "a cell outside the box"),
    ),
    (
        "comparison flipped",
        enclosure_checker,
        "holds",
        "bool(over > 0 or",
        "bool(over < 0 or",
        true("a point for a box"),
    ),
    (
        "a doubtful sign accepted",
        enclosure_checker,
        "holds",
        "bool(over > 0 or (over >= 0",
        "bool(not over < 0 or (over >= 0",
        rejected("a sign that is not known"),
    ),
    (
        "remainder dropped",
        enclosure_checker,
        "holds",
        "total += slope * centred",
        "total += 0 * slope * centred",
        rejected("a mean without its reach"),
    ),
    (
        "zero not looked at",
        enclosure_checker,
        "holds",
        "not strict and exactly_zero(substituted(expr, fixed))",
        "not strict",
        rejected("a zero that is none"),
    ),
    (
        "order not looked at",
        enclosure_checker,
        "holds",
        "if not exactly_zero(substituted(signed, {**fixed, x: c})):",
        "if False:",
        rejected("an order too high"),
    ),
    (
        "order off by one",
        enclosure_checker,
        "holds",
        "for _ in range(order):",
        "for _ in range(order - 1):",
        true("log(1+x) <= x, equal at the end", "a fourth order zero", "a zero at a corner"),
    ),
    (
        "odd zeros taken for even",
        enclosure_checker,
        "holds",
        "-signed if side == HIGH and order % 2 else signed",
        "signed",
        rejected("an odd zero from the right"),
    ),
    (
        "strict sign at a zero",
        enclosure_checker,
        "holds",
        "order < 1 or (strict and not left_out)",
        "order < 1",
        rejected("a strict sign at a zero"),
    ),
    (
        "slope towards the wrong side",
        enclosure_checker,
        "holds",
        "1 if side == LOW else -1",
        "-1 if side == LOW else 1",
        rejected("the wrong side"),
    ),
    (
        "face not looked at",
        enclosure_checker,
        "holds",
        "holds(rule[4], expr, task, face, at, written) and ",
        "",
        rejected("a face that is negative"),
    ),
    (
        "hypotheses not checked",
        enclosure_checker,
        "check_cells",
        "fine = VIOLATED[h.operator](value(h.gap, task.symbols, region))",
        "fine = True",
        rejected("a hypothesis that does not fail"),
    ),
    (
        "example not checked",
        enclosure_replay,
        "check_example",
        "at.verdict is Verdict.REFUTED",
        "at is not None",
        rejected("an example that is none"),
    ),
    (
        "vacuous statements accepted",
        enclosure_replay,
        "covers_box",
        "if problem.hypotheses:",
        "if False:",
        rejected("no example"),
    ),
    (
        "pieces need not reach the end",
        enclosure_replay,
        "pieces",
        "(marks[0], marks[-1]) == ends",
        "marks[0] == ends[0]",
        rejected("a hole in the pieces"),
    ),
    (
        "a part may be missing",
        enclosure_replay,
        "covers_box",
        "lemma is not None or unbounded",
        "True",
        rejected("a part left out"),
    ),
    # --- tails ---
    (
        "tail truncated",
        enclosure_replay,
        "covers_box",
        "return None not in parts",
        "return True",
        only_the_box,
    ),
    (
        "form not compared",
        enclosure_tails,
        "same_sign",
        "return exactly_zero(split_all(form - multiplier * raw, used))",
        "return True",
        rejected("a form of something else"),
    ),
    (
        "multiplier of any sign",
        enclosure_tails,
        "same_sign",
        "base in [1, *(chart.t for chart in used)]",
        "base is not None",
        rejected("a negative multiplier"),
    ),
    (
        "demands not counted",
        enclosure_replay,
        "check_part",
        'len(needed) != len(lemma["demands"])',
        "False",
        rejected("a demand not met"),
    ),
    (
        "demands forgotten",
        enclosure_tails,
        "demands",
        "found += [d",
        "[d",
        unsettled("a quotient cancelled in the tail"),
    ),
    (
        "dominant terms not asked",
        enclosure_replay,
        "check_sign",
        "dominant_sign(gap, part.symbols, part.intervals) == 1",
        "True",
        rejected("dominant terms of the wrong sign"),
    ),
    (
        "value at the cut not asked",
        enclosure_replay,
        "check_sign",
        'strict, part, lemma["at end"])',
        'strict, part, lemma["slope"]) if strict else None',
        rejected("rising from a negative value"),
    ),
    # --- what search and checker share ---
    (
        "radius dropped",
        enclosure_task,
        "centred",
        "arb(*parts)",
        "arb(parts[0])",
        false("a dip off the dyadic points"),
    ),
    (
        "written formula forgotten",
        enclosure_lemmas,
        "Part.task",
        "problem.written if (gap",
        "gap if (gap",
        unsettled("0/0 at an end"),
    ),
    (
        "closed ends taken for open",
        enclosure_problem,
        "Problem.excludes",
        "return False",
        "return True",
        lambda: certify("exp(x) > 1 + x", {"x": (0, 1)}).verdict is not Verdict.CERTIFIED,
    ),
    (
        "hypotheses of the statement forgotten",
        enclosure,
        "_Decision.satisfiable",
        "refute(everywhere, point, PROVER).verdict is Verdict.REFUTED",
        "point is not None",
        lambda: "vacuous" in certify("x >= 5", {"x": (0, 1)}, ["x >= 2"]).summary,
    ),
    # --- balls and jets ---
    (
        "swapped rounding",
        balls,
        "_outward",
        "near = math.nextafter(near, direction * math.inf)",
        "near = math.nextafter(near, -direction * math.inf)",
        doubles_lie_outside,
    ),
    (
        "hull of one end",
        balls,
        "hull",
        "ball(lower).union(ball(upper))",
        "ball(lower)",
        contains(x, 0, 1, 0, 1),
    ),
    (
        "odd power taken for even",
        evaluate,
        "_whole_power",
        "if p % 2 == 0 else monotone(lambda x: x**p)",
        "if p % 2 == 0 else even(lambda x: x**p)",
        contains(x**3, -2, 1, -8),
    ),
    (
        "Bessel taken for monotone",
        evaluate,
        "_bessel",
        "size = even(lambda x: x.bessel_i(n))",
        "size = monotone(lambda x: x.bessel_i(n))",
        bessel_is_enclosed,
    ),
    (
        "shift rule off by one",
        jets,
        "_removable",
        "jet[order:]",
        "jet[order - 1:-1]",
        removable_singularity_is_resolved,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_a_broken_prover_is_noticed(case: tuple[str, ModuleType, str, str, str, Check]) -> None:
    name, module, function, old, new, check = case
    assert check(), "the check must hold while the prover is sound"
    for memory in MEMORIES:
        memory.cache_clear()
    with Mutant(name, module, function, old, new).alive():
        try:
            unnoticed = check()
        except Exception:
            unnoticed = False
    for memory in MEMORIES:
        memory.cache_clear()
    assert not unnoticed
