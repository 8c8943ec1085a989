"""The conclusions of a study: exact intervals, who wins, exponents, and words that follow from the numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.names import OURS, SCOUTED
from glbcheck.core.rivals import NAMES
from glbcheck.core.rivals.claims import CLAIMED, claimed, guaranteed
from glbcheck.core.simulation import conclusions
from glbcheck.core.simulation.cells import TERMS, claims_bound
from glbcheck.core.simulation.conclusions import Contender
from glbcheck.core.simulation.grid import Block
from glbcheck.core.simulation.tables import median_interval
from glbcheck.core.theory.lower_constants import unknown_budget_floor
from glbcheck.verify.report.exponent_table import exponent_lines, table
from glbcheck.verify.report.html.simulations import section
from glbcheck.verify.report.simulation_words import paragraphs, words
from scipy import stats

RUNS = np.linspace(90, 110, 20)


def contender(algorithm: str, regrets: Iterable[float], **fields: Any) -> Contender:
    """A cell that paid this."""
    (cell,) = Block(algorithms=(algorithm,), constants=("sharpest",), C=(30.0,)).cells()
    ordered = sorted(paid := list(regrets))
    row = {
        **asdict(cell), "regret_median": ordered[(len(ordered) - 1) // 2], "on_data": False,
        "kappa": 1.0, "alpha_used": None, **dict.fromkeys(TERMS, 1.0), **fields,
    }  # fmt: skip
    row["guaranteed"] = guaranteed(algorithm, row["family"], row["S"], row["C"])
    return Contender(row, paid)


def concluded(played: Sequence[Contender]) -> dict[str, Any]:
    judged = conclusions.settings(played)
    return {"measure": conclusions.measure(judged), "settings": judged,
            "exponents": conclusions.exponents(played), "claims": conclusions.claims(played), "untold": []}  # fmt: skip


def said(played: Sequence[Contender]) -> str:
    return " ".join(words(concluded(played)))


# --- what is claimed ---------------------------------------------------------------------------------------------


def test_every_algorithm_has_its_claims() -> None:
    assert set(NAMES) <= set(CLAIMED)


@pytest.mark.parametrize(("name", "family", "clean", "corrupted"), [
    ("hcw-glb-omd", "poisson", True, True), ("cw-oful", "gaussian", True, True), ("glb-omd", "poisson", True, False),
    ("glm-ucb", "bernoulli", True, False), ("glm-ucb", "poisson", False, False), ("greedy", "gaussian", False, False),
    ("uniform", "gaussian", False, False), ("hcw-glb-omd+unknown-C", "gaussian", False, False),
])  # fmt: skip
def test_a_guarantee_is_for_a_family_and_a_budget(name: str, family: str, clean: bool, corrupted: bool) -> None:
    assert guaranteed(name, family, 1.0, 0.0) is clean
    assert guaranteed(name, family, 1.0, 1.0) is corrupted


@pytest.mark.parametrize(("family", "S", "light"), [
    ("gaussian", 1.0, True), ("bernoulli", 1.0, True), ("binomial", 1.0, True), ("binomial_proportion", 4.0, True),
    ("von_mises", 1.0, True), ("uniform", 1.0, True), ("continuous_bernoulli", 1.0, True), ("rademacher", 1.0, True),
    ("poisson", 1.0, False), ("poisson", 4.0, False), ("skellam", 1.0, False),
    ("exponential", 0.25, False), ("hyperbolic_secant", 1.0, False),
    ("truncated_poisson", 1.0, False), ("truncated_poisson", 4.0, True),
])  # fmt: skip
def test_glm_ucb_has_a_guarantee_where_no_slope_is_above_those_on_the_ball(family: str, S: float, light: bool) -> None:
    assert guaranteed("glm-ucb", family, S, 0.0) is light
    slopes = catalog.get(family)
    if not (slopes.domain.inf.is_finite or slopes.domain.sup.is_finite):
        largest = float(slopes.dmu(np.linspace(-S, S, 2001)).max())
        assert (float(slopes.dmu(np.linspace(-20, 20, 4001)).max()) <= largest * (1 + 1e-9)) is light


@pytest.mark.parametrize(("constants", "bounded"), [("paper", False), ("local", False), ("repaired", True)])
@pytest.mark.parametrize("arms", ["basis", "data:iris"])
def test_refuted_constants_carry_no_regret_bound(constants: str, bounded: bool, arms: str) -> None:
    (cell,) = Block(families=("bernoulli",), constants=(constants,), d=(12,), arms=(arms,)).cells()
    assert claims_bound(cell) is bounded


def test_orders_are_those_of_the_terms_of_a_bound() -> None:
    ours = claimed(OURS)
    assert ours.orders("T", corrupted=True) == (Fraction(1, 2),)
    assert ours.orders("C", corrupted=True) == (Fraction(1),)
    assert ours.orders("kappa", corrupted=False) == (Fraction(0),)
    assert ours.orders("kappa", corrupted=True) == (Fraction(0), Fraction(1))
    assert claimed("cr-eluder-ucb").orders("kappa", corrupted=True) == (Fraction(1), Fraction(2))


# --- intervals ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 5, 6, 9, 20, 41])
def test_the_interval_of_a_median_is_the_shortest_that_coins_allow(n: int) -> None:
    low, high = median_interval([float(i) for i in range(1, n + 1)], Fraction(1, 40))
    if stats.binom.cdf(0, n, 0.5) > 1 / 40:
        assert (low, high) == (0.0, None)
    else:
        assert stats.binom.cdf(low - 1, n, 0.5) <= 1 / 40 < stats.binom.cdf(low, n, 0.5)
        assert high == n + 1 - low


@pytest.mark.parametrize(("n", "of"), [(17, 1), (20, 3), (20, 5), (29, 2), (30, 3)])
def test_so_many_intervals_hold_at_once_with_ninety_five_in_a_hundred(n: int, of: int) -> None:
    one = contender(OURS, [float(k) for k in range(n)])
    assert one.interval(of) == median_interval(list(range(n)), Fraction(1, 40 * of))
    assert contender(OURS, [1.0, 2.0]).interval(1) == (0.0, math.inf)


def test_the_median_is_missed_as_rarely_as_promised() -> None:
    rng, missed, n = np.random.default_rng(1), 0, 2000
    for _ in range(n):
        low, high = median_interval(sorted(rng.exponential(size=11)), Fraction(1, 40))
        missed += not low <= math.log(2) <= (high or math.inf)
    assert missed <= stats.binom.ppf(0.999, n, 0.05)


def test_a_slope_is_that_of_least_squares_and_its_interval_holds_every_choice() -> None:
    x, y = [1.0, 10.0, 100.0, 1000.0], [2.0, 7.0, 19.0, 90.0]
    within = [(0.8 * v, 1.3 * v) for v in y]
    slope, low, high = conclusions.fitted(x, y, within)
    assert slope == pytest.approx(np.polyfit(np.log(x), np.log(y), 1)[0])
    rng = np.random.default_rng(0)
    for ends in rng.integers(2, size=(50, 4)):
        other = np.polyfit(np.log(x), np.log([within[i][end] for i, end in enumerate(ends)]), 1)[0]
        assert low is not None
        assert high is not None
        assert low - 1e-12 <= other <= high + 1e-12
    assert conclusions.fitted(x, [0.0, *y[1:]], within)[0] is None
    assert conclusions.fitted(x, y, [(0.0, 1.0), *within[1:]])[2] is None


# --- who wins ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("factor", "verdict"), [(0.5, "wins"), (1.0, "open"), (3.0, "loses")])
def test_the_verdict_is_against_the_best_rival_with_a_guarantee(factor: float, verdict: str) -> None:
    played = [contender(OURS, factor * RUNS), contender("cw-oful", RUNS), contender("glb-omd", 0.1 * RUNS)]
    (row,) = conclusions.settings(played)
    assert (row["rival"], row["verdict"]) == ("cw-oful", verdict)
    assert row["ratio_lower"] <= row["ratio"] <= row["ratio_upper"]
    assert row["ratio"] == pytest.approx(factor)
    assert (row["best"], row["best_guaranteed"]) == ("glb-omd", False)


def test_a_win_is_one_against_every_rival_and_a_loss_one_against_any() -> None:
    noisy = np.where(np.arange(20) % 2, 10.0, 1000.0)
    clean = [contender(OURS, RUNS, C=0.0), contender("cw-oful", 2 * RUNS, C=0.0), contender("oful", noisy, C=0.0)]
    assert conclusions.settings(clean)[0]["verdict"] == "open"
    worse = [*clean, contender("glb-omd", 0.5 * RUNS, C=0.0)]
    row = conclusions.settings(worse)[0]
    assert (row["verdict"], row["closest"]) == ("loses", "glb-omd")


def test_runs_are_compared_one_by_one() -> None:
    spread = np.geomspace(1, 1000, 20)
    (row,) = conclusions.settings([contender(OURS, 0.9 * spread), contender("cw-oful", spread)])
    assert row["ratio_lower"] < 0.9 < 1 < row["ratio_upper"]
    assert (row["paired_lower"], row["paired_upper"], row["verdict"]) == (
        pytest.approx(0.9),
        pytest.approx(0.9),
        "wins",
    )


def test_settings_are_not_mixed_and_one_without_rivals_is_none() -> None:
    played = [contender(OURS, RUNS), contender("cw-oful", RUNS, T=7), contender(OURS + "+unknown-C", RUNS)]
    assert conclusions.settings(played) == []
    assert "nothing to compare" in said(played)


def test_of_several_constants_the_sharpest_are_judged() -> None:
    played = [contender(OURS, 9 * RUNS, constants="paper"), contender(OURS, RUNS), contender("cw-oful", RUNS)]
    (row,) = conclusions.settings(played)
    assert (row["constants"], row["ratio"]) == ("sharpest", 1.0)


def test_the_learner_with_its_scout_is_judged_and_the_one_without_is_no_rival() -> None:
    played = [contender(OURS, 4 * RUNS), contender(SCOUTED, 2 * RUNS), contender("cw-oful", 5 * RUNS)]
    (row,) = conclusions.settings(played)
    assert (row["learner"], row["rival"], row["best"], row["without_scout"]) == (
        SCOUTED, "cw-oful", SCOUTED, row["ours"] * 2,
    )  # fmt: skip
    assert conclusions.measure([row])["best_of_all_heavy"] == 1


def test_the_measure_counts_settings_and_leaves_data_aside() -> None:
    played = [
        contender(OURS, RUNS), contender("cw-oful", 2 * RUNS), contender("greedy", 3 * RUNS),
        contender(OURS, 2 * RUNS, T=5), contender("cw-oful", RUNS, T=5),
        contender(OURS, RUNS, family="poisson", C=1.0), contender("glb-omd", 0.5 * RUNS, family="poisson", C=1.0),
        contender(OURS, RUNS, on_data=True, arms="data:iris"),
        contender("cw-oful", RUNS, on_data=True, arms="data:iris"),
    ]  # fmt: skip
    found = conclusions.measure(conclusions.settings(played))
    counts = {"settings": 3, "with_guaranteed_rival": 2, "within_factor": 1, "wins": 1, "loses": 1, "open": 0,
              "best_of_all": 1, "heavy_settings": 2, "best_of_all_heavy": 1,
              "heavy_with_guaranteed_rival": 2, "best_guaranteed_heavy": 1}  # fmt: skip
    assert {name: found[name] for name in counts} == counts


def test_no_regret_at_all_is_a_tie() -> None:
    nothing = np.zeros(20)
    (row,) = conclusions.settings([contender(OURS, nothing), contender("cw-oful", nothing)])
    assert (row["ratio"], row["verdict"]) == (1.0, "open")
    (row,) = conclusions.settings([contender(OURS, RUNS), contender("cw-oful", nothing)])
    assert (row["ratio"], row["verdict"]) == (None, "loses")


def test_only_settings_with_a_guaranteed_rival_count_and_nothing_is_below_something() -> None:
    ours, free = np.full(20, 50.0), np.zeros(20)
    played = [
        contender(OURS, ours), contender("cw-oful", free),
        contender(OURS, ours, T=5), contender("greedy", free, T=5),
        contender(OURS, ours, T=6), contender("cw-oful", ours, T=6),
    ]  # fmt: skip
    found = conclusions.measure(conclusions.settings(played))
    assert (found["loses"], found["heavy_settings"]) == (1, 3)
    assert (found["heavy_with_guaranteed_rival"], found["best_guaranteed_heavy"]) == (2, 1)
    assert "worst 50 where cw-oful paid nothing" in said(played)


def test_the_rival_that_is_named_is_one_we_lose_to() -> None:
    ours = np.full(20, 10.0)
    wild = np.where(np.arange(20) < 14, 10 / 3.0, 20.0)
    (row,) = conclusions.settings(
        [contender(OURS, ours), contender("gadaoful", wild), contender("cw-oful", ours / 1.2)]
    )
    assert row["verdict"] == "loses"
    assert (row["closest"], row["paired"]) == ("cw-oful", pytest.approx(1.2))


def test_ties_are_said_to_be_ties_and_go_to_a_guarantee_before_luck() -> None:
    assert "the lowest or tied median regret" in said([contender(OURS, RUNS), contender("greedy", RUNS)])
    (row,) = conclusions.settings([contender(OURS, 2 * RUNS), contender("greedy", RUNS), contender("cw-oful", RUNS)])
    assert (row["best"], row["best_guaranteed"]) == ("cw-oful", True)


# --- exponents ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("axis", "values", "power"), [
    ("T", (1000, 10_000, 100_000), 0.5), ("d", (2, 5, 10), 1.0), ("C", (1.0, 3.0, 10.0, 30.0), 0.7),
])  # fmt: skip
def test_a_power_law_has_its_exponent(axis: str, values: tuple[float, ...], power: float) -> None:
    played = [contender(OURS, RUNS * value**power, **{axis: value}) for value in values]
    (row,) = conclusions.exponents(played)
    assert row["exponent"] == pytest.approx(power)
    assert row["exponent_lower"] < power < row["exponent_upper"]
    assert (row["axis"], row["from"], row["to"]) == (axis, values[-3], values[-1])


def test_kappa_moves_with_S_and_two_values_make_no_exponent() -> None:
    three = [contender("glm-ucb", RUNS * k, S=S, kappa=k) for S, k in ((1.0, 5.0), (2.0, 9.0), (4.0, 56.0))]
    (row,) = conclusions.exponents(three)
    assert (row["axis"], row["S"]) == ("kappa", None)
    assert row["exponent"] == pytest.approx(1.0)
    assert conclusions.exponents(three[:2]) == []


def test_the_table_sets_measured_beside_claimed() -> None:
    played = [contender(OURS, RUNS * T**0.5, T=T, C=0.0) for T in (1000, 10_000, 100_000)]
    rows, claims = conclusions.exponents(played), conclusions.claims(played)
    (line,) = table(rows, claims)
    assert line["T"].startswith("0.50 ")
    assert (line["T claimed"], line["C"], line["C claimed"], line["d"]) == ("1/2", "NaN", "1", "NaN")
    assert all(len(text) <= 80 for text in exponent_lines(rows, claims))


# --- words -------------------------------------------------------------------------------------------------------


def test_a_loss_is_called_one_and_its_bound_taken_apart() -> None:
    shares = {"bound_noise": 70.0, "bound_widening": 0.0, "bound_weights": 20.0, "bound_curvature": 10.0,
              "bound_scout": 0.0}  # fmt: skip
    played = [contender(OURS, 3 * RUNS, C=0.0, **shares), contender("glb-omd", RUNS, C=0.0)]
    text = said(played)
    assert "HCW-GLB-OMD loses: to glb-omd 1; all with C = 0." in text
    assert "3.00 [" in text
    assert "noise 70%, rounds of small weight 20%, the curvature of the link 10%" in text


def test_sentences_fit_the_screen() -> None:
    lines = paragraphs(words(concluded([contender(OURS, 3 * RUNS), contender("cw-oful", RUNS)])))
    assert all(len(line) <= 80 for line in lines)


# --- not knowing C -----------------------------------------------------------------------------------------------


def test_the_price_is_that_of_the_claim_for_what_was_paid_without_corruption() -> None:
    paid = {(OURS, 0.0): 3.0, (OURS, 500.0): 40.0, (OURS + "+unknown-C", 0.0): 9.0, (OURS + "+unknown-C", 500.0): 150.0}
    rows = [
        contender(name, [mean], C=C, arms="two-worlds", T=1000, regret_mean=mean, regret_q05=mean, regret_q95=mean).row
        for (name, C), mean in paid.items()
    ]
    (found,) = conclusions.untold(rows)
    floor = unknown_budget_floor(2, 500.0, 1000, 0.6, 0.79 - 0.6, 9.0)
    assert found["floor"] == pytest.approx(floor)
    assert (found["known"], found["unknown"], found["clean"], found["C"]) == (40.0, 150.0, 9.0, 500.0)


# --- the page ----------------------------------------------------------------------------------------------------


def test_the_page_opens_with_the_conclusion_and_shows_what_is_claimed() -> None:
    played = [contender(OURS, RUNS * T**0.5, T=T, C=0.0) for T in (1000, 10_000, 100_000)]
    found = concluded([*played, *(contender("glb-omd", RUNS, T=T, C=0.0) for T in (1000, 10_000, 100_000))])
    page = section({"regret": {"conclusions": {"words": ["it <loses>"], **found}}})
    assert page is not None
    assert "<li>it &lt;loses&gt;</li>" in page
    assert "exponents, measured and claimed" in page
    assert "Zhang et al. 2025, Theorem 2" in page
    assert page.index("it &lt;loses") < page.index("who wins where")
