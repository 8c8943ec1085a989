"""Exact sums and games: right where the answer is known, silent where it is not."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
import sympy as sp
from flint import arb, ctx, fmpq
from glbcheck.core.errors import BadInput
from glbcheck.verify.claim import Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.provers.exact import compare, comparison_holds, expectation, finite_sum
from glbcheck.verify.provers.games import Game, bellman_violations, dynamic_program, solve
from glbcheck.verify.provers.rationals import NotExact, Relation, bounds, rational, simplest_between
from hypothesis import given
from hypothesis import strategies as st

from tests.corpus import Entry, false_exact, true_exact
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
        lambda: solve(Game(1, 0, lambda t, s: [0], lambda t, s, a: {0: 1}, lambda t, s, a: 0.5)),  # type: ignore[arg-type, return-value]
        lambda: simplest_between(rational("lower", 0.1), F(1)),
    ],
)
def test_a_float_is_refused_wherever_it_tries_to_enter(offend: Callable[[], Any]) -> None:
    with pytest.raises(NotExact, match=r"not exact|not a number"):
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


@pytest.mark.parametrize(("rolls", "value"), [(1, F(7, 2)), (2, F(17, 4)), (3, F(14, 3))])
def test_backward_induction_finds_the_known_value_of_dice(rolls: int, value: F) -> None:
    assert solve(dice(rolls)).values[0, 0] == value


@pytest.mark.parametrize(("n", "value"), [(1, F(1)), (2, F(1, 2)), (3, F(1, 2)), (4, F(11, 24)), (5, F(13, 30))])
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
