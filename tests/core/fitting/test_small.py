"""Single functions of a fit at the borders of what they accept, each in a few hundredths of a second."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.errors import BadInput
from glbcheck.core.fitting import candidates, goodness, possible
from glbcheck.core.fitting.data import checked_data

from tests.core.fitting.test_words import DATA, EXPONENTIAL, POISSON, advice

# --- what is possible -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rewards", "row"), [
    ([math.sqrt(0.5)] * 3, 1), ([0.5, 0.25, math.sqrt(0.5), 0.5, 1.0], 3), ([0.0, 0.0, 0.1, 3e-7, 0.1], 4),
])  # fmt: skip
def test_the_row_is_named_at_which_proportions_have_no_common_step(rewards: list[float], row: int) -> None:
    """A proportion is a multiple of 1/n, so that 1 is a multiple of their step too."""
    found = possible.impossible(catalog.get("binomial_proportion"), checked_data(rewards))
    assert found is not None
    assert (found.row, found.value) == (row, rewards[row - 1])


@pytest.mark.parametrize(("name", "rewards", "g", "row"), [
    ("von_mises", [0.5, 0.2, 1.0], None, 3), ("gamma", [0.5, 0.0, 1.0], [2.0, 0.5, 0.5], 2),
    ("inverse_gaussian", [0.5, 1.0, 0.0], None, 3), ("exponential", [0.5, 1.0, 0.0], None, None),
])  # fmt: skip
def test_an_end_at_which_a_density_is_zero_or_infinite_is_never_taken(
    name: str, rewards: list[float], g: Any, row: int | None
) -> None:
    found = possible.impossible(catalog.get(name), checked_data(rewards, dispersion=g))
    assert (None if found is None else found.row) == row


def test_the_first_row_of_a_dispersion_that_no_such_law_has_is_named() -> None:
    found = possible.impossible(POISSON, checked_data([1.0, 2.0, 3.0, 4.0], dispersion=[1.0, 2.0, 2.0, 1.0]))
    assert found is not None
    assert str(found) == "row 2: 2 is no dispersion of it: g = 1"


# --- tests of goodness ------------------------------------------------------------------------------------------------


def test_anderson_and_darlings_tail_is_that_of_its_characteristic_function() -> None:
    """φ(t)² = -2πit / cos(½π √(1 + 8it)), and the formula of Gil-Pelaez, with midpoints up to where φ is 1e-12."""
    h = 0.01
    t = np.arange(h / 2, 400.0, h)
    root = np.sqrt(1 + 8j * t) * math.pi / 2
    log_cosine = np.log1p(np.exp(2j * root)) - 1j * root - math.log(2)
    log_phi = (np.log(-2j * math.pi * t) - log_cosine) / 2
    for x in (0.1, 0.5, 2.5, 6.0, 12.0):
        tail = 0.5 + h / math.pi * float(np.sum(np.exp(log_phi.real) * np.sin(log_phi.imag - t * x) / t))
        assert goodness.anderson_darling_tail(x) == pytest.approx(tail, rel=1e-6, abs=1e-11)


@pytest.mark.parametrize(("x", "p", "digits"), [
    (0.341, 0.5, 0.01), (0.470, 0.25, 0.02), (0.561, 0.15, 0.025), (0.631, 0.1, 0.002), (0.752, 0.05, 0.01),
    (1.159, 0.005, 0.001),
])  # fmt: skip
def test_stephens_tail_has_the_points_of_his_table(x: float, p: float, digits: float) -> None:
    assert goodness.stephens_tail(x) == pytest.approx(p, rel=digits)


# --- the learner ------------------------------------------------------------------------------------------------------


def test_a_domain_with_a_little_room_needs_no_shift_and_its_end_is_outside() -> None:
    narrow = EXPONENTIAL.tilted("1/2")
    inside, beyond = advice(narrow, DATA, [0.3, 0.0], 0.05), advice(narrow, DATA, [0.5, 0.0], 0.0)
    assert (inside.S, inside.tilt) == (0.45, "0")
    assert (beyond.S, beyond.code) == (None, ())
    assert "S = 0.5 would leave the domain" in beyond.usage


def test_a_ball_that_would_reach_to_the_end_of_the_shifted_domain_is_none() -> None:
    """Three errors are as long as θ, so that the radius is the shift itself."""
    assert advice(EXPONENTIAL, checked_data(np.ones(5)), [-3.0], 1.0).S is None
    assert advice(EXPONENTIAL, checked_data(np.ones(5)), [-3.0], 0.9).S is not None


# --- data -------------------------------------------------------------------------------------------------------------


def test_the_largest_reward_is_accepted_and_a_single_one_is_too_few() -> None:
    assert checked_data([1e100, 0.0, -1e100]).rewards.tolist() == [1e100, 0.0, -1e100]
    with pytest.raises(BadInput, match="1 columns and 1 rows"):
        checked_data([1.0])


@pytest.mark.parametrize(("rewards", "words"), [
    ([], "no rows"), (["1", "2", "3"], "a sequence of numbers"), ([[1.0], [2.0, 3.0]], "a sequence of numbers"),
])  # fmt: skip
def test_what_is_no_sequence_of_numbers_is_refused(rewards: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        checked_data(rewards)


# --- candidates -------------------------------------------------------------------------------------------------------


def test_a_name_that_is_none_is_refused_with_the_one_that_was_meant() -> None:
    with pytest.raises(BadInput, match="did you mean poisson"):
        candidates.read_names(["gaussian", "poison"])
