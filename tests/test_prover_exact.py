"""Exact sums, games and integrals: right where the answer is known, silent where it is not."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy as sp
from flint import acb, arb, ctx, fmpq
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import Relation, bounds, rational, simplest_between
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.provers.exact import compare, comparison_holds, expectation, finite_sum
from glbcheck.verify.provers.games import Game, bellman_violations, dynamic_program, solve
from glbcheck.verify.provers.holomorphic import holomorphic
from glbcheck.verify.provers.quadrature import (
    Integral,
    enclose_integral,
    expectation_compare,
    integral_compare,
    unfold_log,
    unfold_power,
)
from glbcheck.verify.provers.series import dominated_sum, enclose, series, series_compare, series_holds
from glbcheck.verify.provers.tails import Beyond
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tests.corpus import Entry, false_exact, true_exact
from tests.corpus.false_exact import GAUSS, LINE, x
from tests.corpus.games import dice, secretary, two_coins
from tests.corpus.verdicts import false_is_caught, true_survive

FRACTIONS = st.fractions(-5, 5, max_denominator=50)
RELATIONS: list[Relation] = ["<", "<=", "==", "!=", ">=", ">"]


@pytest.mark.parametrize("entry", false_exact.ENTRIES, ids=lambda e: e.name)
def test_a_false_statement_never_comes_out_positive(entry: Entry) -> None:
    assert false_is_caught(entry)


@pytest.mark.parametrize("entry", false_exact.ENTRIES, ids=lambda e: e.name)
def test_a_planted_falsehood_is_really_false(entry: Entry) -> None:
    assert entry.statement is not None
    assert refute(entry.statement, entry.witness, "test").verdict is Verdict.REFUTED


def test_true_statements_are_decided_and_never_refuted() -> None:
    assert true_survive(true_exact.ENTRIES)


@given(FRACTIONS, FRACTIONS, st.sampled_from(RELATIONS))
def test_comparison_agrees_with_the_order_of_the_rationals(a: F, b: F, relation: Relation) -> None:
    truth = {"<": a < b, "<=": a <= b, "==": a == b, "!=": a != b, ">=": a >= b, ">": a > b}[relation]
    evidence = compare(a, relation, b)
    assert evidence.verdict is (Verdict.PROVED if truth else Verdict.REFUTED)
    assert comparison_holds(evidence.certificate) is truth


@pytest.mark.parametrize(
    "offend",
    [
        lambda: compare(0.5, "<=", 1),  # type: ignore[arg-type]
        lambda: compare(1, "<=", np.float64(2)),  # type: ignore[arg-type]
        lambda: compare(True, "==", 1),
        lambda: compare(sp.Float("0.5"), "<=", 1),
        lambda: finite_sum(lambda n: 1 / n, 1, 3),  # type: ignore[arg-type, return-value]
        lambda: expectation({0: 0.5, 1: 0.5}, lambda k: k),  # type: ignore[dict-item]
        lambda: expectation({0: F(1, 2), 1: F(1, 2)}, lambda k: k * 1.0),  # type: ignore[arg-type, return-value]
        lambda: series(1, [0.5], [1]),  # type: ignore[list-item]
        lambda: replace(series(1, [1], [2]), first=1.0),  # type: ignore[arg-type]
        lambda: integral_compare(Integral(sp.Float("0.1") * x, x, 0, 1), "<=", 1),
        lambda: integral_compare(Integral(x, x, 0.0, 1), "<=", 1),  # type: ignore[arg-type]
        lambda: integral_compare(Integral(x, x, 0, 1), "<=", 0.5),
        lambda: integral_compare(Integral(x, x, 0, 1), "<=", sp.Float("0.6") + sp.pi),
        lambda: integral_compare(Integral(sp.exp(-x), x, 0, Beyond(9.5)), "<=", 2),  # type: ignore[arg-type]
        lambda: solve(Game(1, 0, lambda t, s: [0], lambda t, s, a: {0: 1}, lambda t, s, a: 0.5)),  # type: ignore[arg-type, return-value]
        lambda: simplest_between(rational("lower", 0.1), F(1)),
    ],
)
def test_a_float_is_refused_wherever_it_tries_to_enter(offend: Callable[[], Any]) -> None:
    with pytest.raises(BadInput, match="exact number"):
        offend()


@pytest.mark.parametrize("exact", [2, F(2), fmpq(2), sp.Integer(2), sp.Rational(4, 2)])
def test_every_exact_type_is_welcome(exact: Any) -> None:
    assert compare(exact, "==", F(2)).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("offend", "says"),
    [
        (lambda: expectation({0: F(1, 2)}, lambda k: k), "total mass 1/2"),
        (lambda: expectation({0: F(3, 2), 1: F(-1, 2)}, lambda k: k), "non-negative"),
        (lambda: compare(1, "≤", 2), "relation"),  # type: ignore[arg-type]
        (lambda: series(1, [1], [0]), "denominator"),
        (lambda: enclose(series(1, [1], [-3, 1]), 5), "zero at n = 3"),
        (lambda: integral_compare(Integral(x, x, 1, 0), "<=", 1), "upper end"),
        (lambda: integral_compare(Integral(x * sp.Symbol("y"), x, 0, 1), "<=", 1), "found y"),
        (lambda: integral_compare(Integral(sp.atan(x), x, 0, 1), "<=", 1), "atan"),
        (lambda: integral_compare(Integral(sp.floor(x), x, 0, 1), "<=", 1), "floor"),
        (lambda: expectation_compare(GAUSS / 2, x, x, LINE, "<=", 1), "total mass one"),
        (lambda: integral_compare(Integral(x, x, 0, Beyond(1, scale=1)), "<=", 1), "scale, rate and prove"),
        (lambda: integral_compare(Integral(sp.log(x), x, -2, -1), "<=", 1), "real between the ends"),
        (
            lambda: integral_compare(Integral(x, x, 0, 1), "<=", sp.log(sp.sqrt(2) - 2, evaluate=False)),
            "finite",
        ),
        (lambda: unfold_power(x, x, 0, 1, -1), "greater than -1"),
        (lambda: dynamic_program(dice(2), "<=", 4, "best"), "sense"),  # type: ignore[arg-type]
    ],
)
def test_bad_input_is_named(offend: Callable[[], Any], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        offend()


@given(FRACTIONS, FRACTIONS)
def test_the_simplest_fraction_in_an_interval_has_the_smallest_denominator(a: F, b: F) -> None:
    lower, upper = min(a, b), max(a, b)
    best = simplest_between(lower, upper)
    assert lower <= best <= upper
    for q in range(1, best.denominator):
        assert math.floor(upper * q) < math.ceil(lower * q)


@given(FRACTIONS, st.integers(20, 200))
def test_rational_bounds_of_a_ball_contain_the_number(value: F, bits: int) -> None:
    with ctx.workprec(bits):
        lower, upper = bounds(arb(fmpq(value.numerator, value.denominator)))
    assert lower <= value <= upper


@given(st.integers(1, 6), st.integers(1, 12), st.integers(1, 40))
def test_the_enclosure_of_an_exponential_series_contains_the_true_sum(p: int, q: int, terms: int) -> None:
    rate = F(p, q)
    found = enclose(series(1, [rate], [1, 1]), terms)
    with mpmath.workdps(80):
        true = mpmath.exp(mpmath.mpf(p) / q)
        if found is not None:
            slack = mpmath.mpf(10) ** -70
            assert mpmath.mpf(found.lower.numerator) / found.lower.denominator <= true + slack
            assert mpmath.mpf(found.upper.numerator) / found.upper.denominator >= true - slack
    assert found is not None or terms < rate


@pytest.mark.parametrize("field", ["ratio", "from", "to", "terms", "first"])
def test_the_replay_of_a_series_rejects_a_doctored_certificate(field: str) -> None:
    row = series_compare([(1, series(1, [1], [1, 1]))], "<=", 3).certificate["series"][0]
    assert series_holds(row)
    doctored: dict[str, Any] = {
        "ratio": "1/1000",
        "from": row["to"],
        "to": row["from"],
        "terms": 2,
        "first": "2",
    }
    assert not series_holds({**row, field: doctored[field]})


def test_a_ratio_that_creeps_up_to_one_gives_no_verdict() -> None:
    assert enclose(series(1, [0, 0, 1], [1, 2, 1], start=1), 500) is None


def test_domination_is_checked_on_the_terms_that_are_summed() -> None:
    proved = Evidence(Verdict.PROVED, "test", "not really")
    with pytest.raises(BadInput, match=r"term\(3\)"):
        dominated_sum(lambda n: F(1, 2**n) if n < 3 else F(1), series(1, [1], [2]), proved, "<=", 3)


def test_domination_by_weak_evidence_is_refused() -> None:
    weak = Evidence(Verdict.STRESS_TESTED, "test", "looked fine")
    with pytest.raises(BadInput, match="domination"):
        dominated_sum(lambda n: F(1, 2**n), series(1, [1], [2]), weak, "<=", 3)


@pytest.mark.parametrize(("rolls", "value"), [(1, F(7, 2)), (2, F(17, 4)), (3, F(14, 3))])
def test_backward_induction_finds_the_known_value_of_dice(rolls: int, value: F) -> None:
    assert solve(dice(rolls)).values[0, 0] == value


@pytest.mark.parametrize(
    ("n", "value"), [(1, F(1)), (2, F(1, 2)), (3, F(1, 2)), (4, F(11, 24)), (5, F(13, 30))]
)
def test_backward_induction_finds_the_known_value_of_the_secretary(n: int, value: F) -> None:
    assert solve(secretary(n)).values[0, ("record", 1)] == value


def test_backward_induction_agrees_with_trying_every_policy() -> None:
    """Two rounds of two coins: the second coin may depend on the first choice and its outcome."""
    game = two_coins(2)
    values = []
    for first, *second in itertools.product((0, 1), repeat=3):
        law = game.step(0, game.start, first)
        values.append(
            rational("reward", game.reward(0, game.start, first))
            + sum(
                rational("p", p) * rational("reward", game.reward(1, s, second[i]))
                for i, (s, p) in enumerate(law.items())
            )
        )
    assert solve(game).values[0, game.start] == max(values)
    assert solve(game, "min").values[0, game.start] == min(values)


@pytest.mark.parametrize("sense", ["max", "min"])
def test_the_checker_accepts_a_solution_and_rejects_a_worse_policy(sense: Any) -> None:
    solution = solve(two_coins(3), sense)
    assert bellman_violations(two_coins(3), solution) == []
    state = next(key for key, coin in solution.policy.items() if key[0] == 1 and coin == 0)
    worse = replace(solution, policy={**solution.policy, state: 1})
    assert bellman_violations(two_coins(3), worse)


def test_the_checker_rejects_a_value_that_is_too_large_or_too_small() -> None:
    game = dice(2)
    solution = solve(game)
    for shift in (F(1, 10**9), F(-1, 10**9)):
        values = {**solution.values, (0, 0): solution.values[0, 0] + shift}
        assert bellman_violations(game, replace(solution, values=values))


def test_a_transition_that_loses_mass_is_refused() -> None:
    leaky: Game[int, int] = Game(1, 0, lambda t, s: [0], lambda t, s, a: {0: F(9, 10)}, lambda t, s, a: 1)
    with pytest.raises(BadInput, match="sum to exactly 1"):
        solve(leaky)


CLOSED_FORMS = [
    (Integral(sp.exp(x), x, 0, 1), sp.E - 1),
    (Integral(1 / (1 + x**2), x, -1, 1), sp.pi / 2),
    (Integral(sp.sqrt(x), x, 1, 9), sp.Rational(52, 3)),
    (Integral(x ** sp.Rational(1, 3), x, 1, 8), sp.Rational(45, 4)),
    (Integral(x**x, x, 1, 2), None),
    (Integral(sp.loggamma(x), x, 1, 2), sp.log(2 * sp.pi) / 2 - 1),
    (Integral(sp.log(sp.cosh(x)), x, -2, 3), None),
    (Integral(sp.Max(x, 0), x, -1, 2), sp.Integer(2)),
    (Integral(sp.Abs(sp.sin(x)), x, 0, 6), 3 + sp.cos(6)),
    (Integral(x**5 * sp.exp(-x), x, 0, Beyond(80)), sp.Integer(120)),
    (Integral(sp.exp(-(x**2)), x, Beyond(-10), Beyond(10)), sp.sqrt(sp.pi)),
    (Integral((x**2 - 3 * x + 1) * sp.exp(-2 * x), x, Beyond(60), Beyond(60)), None),
    (unfold_power(sp.exp(-x), x, 0, 1, F(-3, 4)), None),
    (unfold_power(sp.Integer(1), x, 0, 5, F(-1, 2)), 2 * sp.sqrt(5)),
    (unfold_log(sp.log(x) ** 2, x, 0, 1, 90), sp.Integer(2)),
    (unfold_log(sp.log(x) / sp.sqrt(x), x, 0, 1, 200), sp.Integer(-4)),
    (unfold_log(sp.log(3 - x), x, 3, 1, 90), 2 * sp.log(2) - 2),
]


@pytest.mark.parametrize(("integral", "value"), CLOSED_FORMS, ids=lambda v: str(getattr(v, "f", "")))
def test_the_enclosure_contains_the_closed_form_or_the_fifty_digit_value(
    integral: Integral, value: Any
) -> None:
    if isinstance(integral.lower, Beyond) and integral.lower.cut == 60:
        assert enclose_integral(integral) is None  # the left tail explodes
        return
    found = enclose_integral(integral)
    assert found is not None
    lower, upper = bounds(found[0])
    assert upper - lower < F(1, 10**9)
    with mpmath.workdps(50):
        if value is None:
            f = sp.lambdify(integral.x, integral.f, "mpmath")
            true = mpmath.quad(f, mpmath.linspace(integral.lower, integral.upper, 9))
        else:
            true = mpmath.mpf(sp.N(value, 50))
        tolerance = mpmath.mpf(10) ** -12
        assert mpmath.mpf(lower.numerator) / lower.denominator - tolerance <= true
        assert true <= mpmath.mpf(upper.numerator) / upper.denominator + tolerance


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 6), st.fractions(F(1, 4), 3, max_denominator=8), st.integers(4, 12))
def test_the_tail_bound_is_at_least_the_true_tail_of_a_gamma_law(power: int, rate: F, cut: int) -> None:
    f = x**power * sp.exp(-sp.Rational(rate.numerator, rate.denominator) * x)
    found = enclose_integral(Integral(f, x, 0, Beyond(cut)))
    if found is not None:
        lower, upper = bounds(found[0])
        assert lower <= math.factorial(power) / rate ** (power + 1) <= upper
    else:
        assert power / F(cut) >= rate


@settings(max_examples=15, deadline=None)
@given(st.integers(-3, 3), st.fractions(F(1, 3), 3, max_denominator=6))
def test_gaussian_moments_agree_with_scipy(mean: int, scale: F) -> None:
    s = sp.Rational(scale.numerator, scale.denominator)
    density = sp.exp(-((x - mean) ** 2) / (2 * s**2)) / (s * sp.sqrt(2 * sp.pi))
    found = enclose_integral(Integral(x**4 * density, x, Beyond(mean - 40), Beyond(mean + 40)))
    assert found is not None
    lower, upper = bounds(found[0])
    assert float(lower) == pytest.approx(stats.norm(mean, float(scale)).moment(4), rel=1e-10)
    assert float(upper) == pytest.approx(float(lower), rel=1e-10)


def test_the_supplied_tail_inequality_is_stated_about_the_integrand_itself() -> None:
    asked: list[Statement] = []

    def prove(statement: Statement) -> Evidence:
        asked.append(statement)
        return Evidence(Verdict.PROVED, "test", "said so")

    f = sp.exp(-x) / (1 + sp.exp(-x))
    tail = Beyond(-3, scale=F(1, 2), rate=2, prove=prove)
    integral_compare(Integral(f, x, tail, Beyond(5, scale=1, rate=1, prove=prove)), "<=", 100)
    left, right = asked[0], asked[1]
    assert right.hypotheses == ("x >= 5",)
    assert "exp(-x)" in right.conclusion
    assert left.hypotheses == ("x >= 3",)  # the left tail is the right tail of the reflected integrand
    assert "exp(x)" in left.conclusion


def test_functions_with_a_cut_answer_non_finite_where_they_are_not_holomorphic() -> None:
    across = acb(arb(-1).union(arb(1)), arb(-1).union(arb(1)))
    for f in (sp.sqrt(x), sp.log(x), x ** sp.Rational(1, 3), sp.Abs(x), sp.loggamma(x), x**x, sp.Max(x, 0)):
        assert not holomorphic(f, x)(across, True).is_finite()
    left = acb(arb(-2), arb(-1).union(arb(1)))
    for f in (sp.sqrt(x), sp.log(x), x ** sp.Rational(1, 3), sp.loggamma(x)):
        assert not holomorphic(f, x)(left, True).is_finite()


def test_a_pole_on_the_way_gives_no_verdict() -> None:
    for f in (1 / x, sp.tan(4 * x)):
        assert integral_compare(Integral(f, x, -sp.Rational(1, 2), 1), "<=", 100).verdict is Verdict.UNDECIDED


def test_a_tail_with_a_pole_beyond_the_cut_gives_no_bound() -> None:
    assert enclose_integral(Integral((x - 20) ** -2, x, 0, Beyond(10))) is None
    assert enclose_integral(Integral(sp.exp(1 / (x - 20) - x), x, 0, Beyond(10))) is None
