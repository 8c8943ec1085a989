"""Break the exact, searching and simulating provers on purpose: every break must show.

A mutant is one function with one piece of its source replaced; under it a planted statement, or a fact
about the prover, must go wrong.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
import sympy as sp
from flint import acb, arb
from glbcheck.core import binomial
from glbcheck.verify.claim import Statement, Verdict
from glbcheck.verify.provers import (
    attack,
    confirm,
    exact,
    games,
    holomorphic,
    montecarlo,
    outcome,
    property,
    quadrature,
    series,
    tails,
)
from hypothesis import strategies as st

from tests.corpus import (
    Entry,
    false_exact,
    false_montecarlo,
    false_property,
    true_exact,
    true_montecarlo,
    true_property,
)
from tests.corpus.coins import coin
from tests.corpus.false_exact import x
from tests.corpus.games import dice, two_coins
from tests.corpus.verdicts import false_is_caught, true_survive
from tests.mutants import Mutant

Check = Callable[[], bool]


def false(*names: str) -> Check:
    """These planted false statements are caught."""
    pool = [*false_exact.ENTRIES, *false_montecarlo.ENTRIES, *false_property.ENTRIES]
    return lambda: all(false_is_caught(entry) for entry in _named(pool, names))


def true(*names: str) -> Check:
    """These planted true statements are decided."""
    pool = [*true_exact.ENTRIES, *true_montecarlo.ENTRIES, *true_property.ENTRIES]
    return lambda: true_survive(_named(pool, names))


def _named(pool: list[Entry], names: tuple[str, ...]) -> list[Entry]:
    found = [entry for entry in pool if entry.name in names]
    assert {entry.name for entry in found} == set(names)
    return found


def refuses_floats() -> bool:
    try:
        exact.compare(0.1, "<=", 0.1)  # type: ignore[arg-type]
    except rationals.NotExact:
        return True
    return False


def replay_rejects_a_ratio_out_of_thin_air() -> bool:
    row = series.series_compare([(1, series.series(1, [1], [1, 1]))], "<=", 3).certificate["series"][0]
    return not series.series_holds({**row, "ratio": "1/1000"})


def replay_rejects_a_false_comparison() -> bool:
    return not exact.comparison_holds({"value": "1/2", "relation": "<=", "rhs": "1/3"})


def bellman_rejects_a_low_value() -> bool:
    """A policy with its own correct value, but not the best one."""
    game = dice(2)
    lazy = games.solve(replace(game, actions=lambda t, face: ("keep",) if face else ("roll",)))
    return bool(games.bellman_violations(game, lazy))


def bellman_rejects_an_unattained_value() -> bool:
    """A bound that no action beats at any state, and that no policy reaches either."""
    game = two_coins(2)
    solution = games.solve(game)
    values = {(t, state): value + game.horizon - t for (t, state), value in solution.values.items()}
    return bool(games.bellman_violations(game, replace(solution, values=values)))


def complex_integrand_is_refused() -> bool:
    """x·sqrt(x² - 1) is imaginary between -1 and 1, and odd: its integral looks like a real zero."""
    try:
        quadrature.enclose_integral(quadrature.Integral(x * sp.sqrt(x**2 - 1), x, F(-1, 2), F(1, 2)))
    except ValueError:
        return True
    return False


def mass_is_checked() -> bool:
    try:
        exact.expectation({0: F(1, 2), 1: F(1, 4)}, lambda k: k)
    except ValueError:
        return True
    return False


def binomial_tail_is_whole() -> bool:
    return binomial.at_most(3, 1, F(1, 2)) == F(1, 2)


def upper_bound_covers() -> bool:
    return binomial.clopper_pearson_upper(10, 2, F(1, 20)) > F(1, 5) > binomial.clopper_pearson_lower(10, 2, F(1, 20))


def lower_and_upper_are_mirrored() -> bool:
    return binomial.at_least(10, 2, binomial.clopper_pearson_lower(10, 2, F(1, 20))) <= F(1, 20)


def martingale_has_mean_one() -> bool:
    """Exclusion at level 1/4 after four tosses of the fair coin itself has probability at most 1/4."""
    excluded = [k for k in range(5) if binomial.excluded_by_mixture(4, k, F(1, 2), F(1, 4))]
    return sum(F(math.comb(4, k), 16) for k in excluded) <= F(1, 4)


def blocks_differ() -> bool:
    def first(generator: np.random.Generator, trials: int) -> int:
        return int(generator.integers(trials))

    return len(set(montecarlo.counts(first, 10 * montecarlo.BLOCK, 3))) > 5


def power_is_exact() -> bool:
    found = montecarlo.bernoulli_at_most(coin(F(1, 50)), F(1, 10), 300, F(1, 20), F(3, 20), seed=1)
    power, most = F(found.certificate["power"]), found.certificate["passes up to"]
    return power <= 1 - binomial.at_most(300, most, F(3, 20)) < power + F(1, 10**8)


def cautious_thresholds() -> bool:
    """A pass at p0 itself has probability at most alpha."""
    return all(
        binomial.at_most(n, binomial.pass_threshold(n, F(1, 3), F(1, 20)), F(1, 3)) <= F(1, 20) for n in range(5, 40)
    )


def false_alarm_of_floats_is_not_a_refutation() -> bool:
    """Floats see a violation at 500; exactly there is none, and the checker cannot say so."""
    check: confirm.Confirmation[int] = confirm.Confirmation(lambda v: {"x": v}, lambda point: None)
    found = property.stress(lambda v: v < 500, st.integers(0, 1000), 200, 7, confirmation=check)
    return found.verdict is Verdict.UNDECIDED


def short_witness_is_still_a_witness() -> bool:
    check: confirm.Confirmation[float] = confirm.Confirmation(lambda v: {"x": v}, Statement((), "x**2 <= 2"))
    found = confirm.refutation(check, 1.4142135623731)
    return found is not None and F(found.certificate["point"]["x"]) ** 2 > 2


def rational_witness_is_short() -> bool:
    check: confirm.Confirmation[float] = confirm.Confirmation(lambda v: {"x": v}, Statement((), "x**2 <= 2"))
    found = confirm.refutation(check, 7.123456789)
    return found is not None and F(found.certificate["point"]["x"]).denominator < 10


def _raises(run: Callable[[], Any]) -> bool:
    try:
        run()
    except Exception:
        return True
    return False


@dataclass(frozen=True)
class Case:
    """With `new` in the place of `old` in the source of `function`, `check` must fail or break off."""

    name: str
    function: Any
    old: str
    new: str
    check: Check

    def mutant(self) -> Mutant:
        module = sys.modules[self.function.__module__]
        return Mutant(self.name, module, self.function.__qualname__, self.old, self.new)


MUTANTS = [
    Case("float let in", rationals.rational, "int | Fraction)", "int | Fraction | float)", refuses_floats),
    Case(
        "flipped comparison",
        border.decide,
        "upper <= rhs else False if lower > rhs",
        "lower > rhs else False if upper <= rhs",
        true("a number is at most itself"),
    ),
    Case(
        "midpoint instead of upper end",
        border.decide,
        "True if upper <= rhs",
        "True if lower <= rhs",
        false("Pareto tail forgotten"),
    ),
    Case(
        "strict taken for weak",
        border.decide,
        "True if upper < rhs else False if lower >= rhs",
        "True if upper <= rhs else False if lower > rhs",
        false("a number below itself"),
    ),
    Case(
        "swapped rounding",
        border.bounds,
        "enclosure.lower(ball), enclosure.upper(ball)",
        "enclosure.upper(ball), enclosure.lower(ball)",
        false("Pareto tail forgotten"),
    ),
    Case(
        "radius dropped",
        border.bounds,
        "enclosure.lower(ball), enclosure.upper(ball)",
        "enclosure.lower(ball.mid()), enclosure.upper(ball.mid())",
        false("Pareto tail forgotten"),
    ),
    Case(
        "doubt counted as success",
        outcome.judge,
        "Verdict.UNDECIDED, prover",
        "positive, prover",
        false("Pareto tail forgotten"),
    ),
    Case(
        "later ratios unchecked",
        series._ratio_bound,
        "all(min(taylor(gap, cut)) >= 0 for gap in gaps)",
        "gaps is not None",
        false("ratio that rises far beyond one after a long calm"),
    ),
    Case(
        "best point forgotten",
        attack._Climb.loss,
        "if found > self.best:",
        "if found < self.best:",
        false("logistic variance shaved"),
    ),
    Case(
        "comparison replay asleep",
        exact.comparison_holds,
        "return sign in allowed",
        "return sign in {-1, 0, 1} or sign in allowed",
        replay_rejects_a_false_comparison,
    ),
    Case("total mass unchecked", exact.expectation, "if total != 1:", "if total > 1:", mass_is_checked),
    Case(
        "series tail truncated",
        series.enclose,
        "rest = abs(term) / (1 - ratio)",
        "rest = abs(term) * 0",
        true("e to seven digits"),
    ),
    Case(
        "series ratio unchecked",
        series._ratio_bound,
        "if ratio < 1 and all(",
        "if ratio < 1 or all(",
        false("harmonic series is bounded"),
    ),
    Case(
        "series replay asleep",
        series.series_holds,
        "min(_shift(side, cut)) < 0",
        "min(_shift(side, cut)) < -(10**9)",
        replay_rejects_a_ratio_out_of_thin_air,
    ),
    Case(
        "majorant's tail dropped",
        series.dominated_sum,
        "rest = whole.upper - covered",
        "rest = whole.upper - covered - whole.upper + covered",
        lambda: _dominated_with_few_terms(),
    ),
    Case(
        "integral tail truncated",
        quadrature.enclose_integral,
        "rest += bound.size",
        "rest += 0 * bound.size",
        false("Pareto tail forgotten"),
    ),
    Case(
        "unproved tail accepted",
        tails._supplied,
        "if evidence.verdict not in (Verdict.PROVED, Verdict.CERTIFIED):",
        "if evidence.verdict is Verdict.REFUTED:",
        false("tail inequality that nobody proved"),
    ),
    Case(
        "slow power tail accepted",
        tails._term_bound,
        "speed <= 1",
        "speed <= 0",
        false("area under 1/sqrt(x) is finite"),
    ),
    Case(
        "decay unchecked",
        tails._decay,
        "min(taylor(combine(1, slope, -speed, below), cut)) >= 0",
        "cut is not None",
        lambda: _late_growth_gives_no_bound(),
    ),
    Case(
        "analytic flag of the root ignored",
        holomorphic._power,
        ".sqrt(analytic=analytic)",
        ".sqrt()",
        false("area under the root, branch cut nearby"),
    ),
    Case(
        "analytic flag of powers ignored",
        holomorphic._power,
        ".pow(acb(number), analytic=analytic)",
        ".pow(acb(number))",
        false("area under a power, branch cut nearby"),
    ),
    Case(
        "analytic flag of log Γ ignored",
        holomorphic._loggamma,
        "if z.real > 0 or not analytic",
        "if z.real > 0 or analytic is not None",
        lambda: _asks_for_holomorphy(sp.loggamma(x))(),
    ),
    Case(
        "singular end cut off",
        quadrature.unfold_power,
        "Integral(scale * x ** (p + q - 1) * moved, x, 0, 1)",
        "Integral(scale * x ** (p + q - 1) * moved, x, Fraction(1, 1000), 1)",
        false("endpoint power"),
    ),
    Case(
        "Jacobian of the logarithm dropped",
        quadrature.unfold_log,
        "* number(abs(b - a)) * near",
        "* number(abs(b - a))",
        true("endpoint logarithm"),
    ),
    Case(
        "Bellman max for min",
        games.solve,
        'max if sense == "max" else min',
        'min if sense == "max" else max',
        true("three dice rolls with stopping"),
    ),
    Case(
        "reward forgotten",
        games.action_value,
        "return reward + sum",
        "return 0 * reward + sum",
        true("Bayesian bandit beats a fair coin"),
    ),
    Case(
        "complex integrand unnoticed",
        quadrature._integrate,
        "not complex_values",
        "complex_values is not None",
        complex_integrand_is_refused,
    ),
    Case(
        "last stage skipped",
        games.solve,
        "reversed(range(game.horizon))",
        "reversed(range(1, game.horizon))",
        true("three dice rolls with stopping"),
    ),
    Case(
        "Bellman check blind to better actions",
        games.bellman_violations,
        "if sign * surplus > 0:",
        "if sign * surplus > 10**9:",
        bellman_rejects_a_low_value,
    ),
    Case(
        "Bellman check blind to attainment",
        games.bellman_violations,
        "if collected != solution",
        "if collected > solution",
        bellman_rejects_an_unattained_value,
    ),
    Case(
        "violation not confirmed",
        confirm.decide_at,
        'return "unknown"\n    return',
        'return "violated"\n    return',
        false_alarm_of_floats_is_not_a_refutation,
    ),
    Case(
        "shortened point not checked",
        confirm.shorten,
        '== "violated"',
        'in ("violated", "holds")',
        short_witness_is_still_a_witness,
    ),
    Case("witness left long", confirm.shorten, '== "violated"', '== "never"', rational_witness_is_short),
    Case(
        "alarm called rounding",
        property._settle,
        "if tally.rounding == 0 or tally.unclear or again is not None:",
        "if tally.rounding > 10**9:",
        false_alarm_of_floats_is_not_a_refutation,
    ),
    Case(
        "unconfirmed alarm dropped",
        property._settle,
        'if confirmation is None:\n        return _unconfirmed(f"{example!r}", tally)',
        "if confirmation is None:\n        return None",
        false("potential without its factor two"),
    ),
    Case(
        "vacuous run counted as pass",
        property._weakness,
        "if tally.decided == 0:",
        "if tally.decided < 0:",
        false("strategy that yields nothing"),
    ),
    Case(
        "nearly vacuous run counted as pass",
        property._weakness,
        "tally.decided * 10 < examples",
        "tally.decided * 10 < 0",
        lambda: _nearly_vacuous_is_undecided(),
    ),
    Case(
        "no number counted as pass",
        property._violated,
        "tally.undefined += 1\n        return False",
        "tally.decided += 1\n        return False",
        false("values that are not numbers"),
    ),
    Case(
        "blindness ignored",
        property._weakness,
        "if share == 0]",
        "if share < 0]",
        false("a search too weak for its planted violation"),
    ),
    Case(
        "violation read backwards",
        property._violated,
        "outcome < 0",
        "outcome > 0",
        false("potential without its factor two"),
    ),
    Case(
        "attack compares backwards",
        attack.attack,
        "if found.ratio <= bound:",
        "if found.ratio >= bound:",
        false("supremum at the far corner shaved"),
    ),
    Case(
        "binomial tail loses its last term",
        binomial.at_most,
        "for i in range(k):",
        "for i in range(k - 1):",
        binomial_tail_is_whole,
    ),
    Case(
        "Clopper–Pearson one-sided swapped",
        binomial.clopper_pearson_upper,
        "_ball_at_most(n, k, p)[1] <= alpha",
        "_ball_at_most(n, k, p)[1] >= alpha",
        upper_bound_covers,
    ),
    Case(
        "lower bound not mirrored",
        binomial.clopper_pearson_lower,
        "return 1 - clopper_pearson_upper(n, n - k, alpha)",
        "return clopper_pearson_upper(n, k, alpha)",
        lower_and_upper_are_mirrored,
    ),
    Case(
        "bound rounded inward",
        binomial._least_on_grid,
        "return Fraction(high, scale)",
        "return Fraction(low, scale)",
        upper_bound_covers,
    ),
    Case(
        "threshold one too generous",
        binomial._largest_count,
        "return low",
        "return low + 1",
        cautious_thresholds,
    ),
    Case(
        "mixture without its normalisation",
        binomial.mixture_p_value,
        "(n + 1) * comb(n, k)",
        "comb(n, k)",
        martingale_has_mean_one,
    ),
    Case(
        "pass read backwards",
        montecarlo.bernoulli_at_most,
        "failures <= most,",
        "failures >= most,",
        false("coin far above"),
    ),
    Case(
        "absence of alarm counted as pass",
        montecarlo.bernoulli_at_most,
        "failures <= most,",
        "failures < alarm_threshold(n, limit, level),",
        false("coin a hair above"),
    ),
    Case(
        "anytime side ignored",
        montecarlo.bernoulli_anytime,
        "facts, excluded and below,",
        "facts, excluded,",
        false("anytime, far above"),
    ),
    Case(
        "power of the complement",
        montecarlo.bernoulli_at_most,
        "_floor(1 - at_most(n, most, rival))",
        "_floor(at_most(n, most, rival))",
        power_is_exact,
    ),
    Case(
        "one stream for all blocks",
        montecarlo._run_block,
        "spawn_key=(index,)",
        "spawn_key=(0,)",
        blocks_differ,
    ),
    Case(
        "rejection called refutation",
        montecarlo._verdict,
        'Evidence(Verdict.UNDECIDED, "montecarlo", summary, scope, {**facts',
        'Evidence(Verdict.REFUTED, "montecarlo", summary, scope, {**facts',
        false("coin far above"),
    ),
]


def _dominated_with_few_terms() -> bool:
    """Four terms of 1/2ⁿ sum to 15/8: without the tail, the false bound 19/10 looks true."""
    proved = replace(exact.compare(1, "==", 1), summary="equality")
    found = series.dominated_sum(lambda n: F(1, 2**n), series.series(1, [1], [2]), proved, "<=", F(19, 10), terms=4)
    return not found.verdict.positive


def _late_growth_gives_no_bound() -> bool:
    """exp(x³/300 - 5x²/2 …) falls at the cut and explodes later."""
    f = sp.exp(-(x**2) + x**3 / 100)
    return quadrature.enclose_integral(quadrature.Integral(f, x, 0, tails.Tail(10))) is None


def _asks_for_holomorphy(f: sp.Expr) -> Check:
    """Across its cut on the negative axis the function must not pretend to be holomorphic."""
    crossing = acb(arb(-5) / 2, arb(-1).union(arb(1)) / 100)
    return lambda: not holomorphic.holomorphic(f, x)(crossing, True).is_finite()


def _nearly_vacuous_is_undecided() -> bool:
    tally = property.Tally(decided=5, outside=4000)
    return property._nothing_found(tally, 400, 1, {}).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("case", MUTANTS, ids=lambda case: case.name)
def test_a_broken_prover_is_caught(case: Case) -> None:
    assert case.check(), "the check must pass on the sound prover"
    with case.mutant().alive():
        assert _raises(lambda: _demand(case.check)), "the mutant went unnoticed"


def _demand(check: Check) -> None:
    assert check()


def test_the_flag_of_the_logarithm_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    check = _asks_for_holomorphy(sp.log(x))
    assert check()
    monkeypatch.setitem(holomorphic._FUNCTIONS, sp.log, lambda z, analytic: z.log())
    assert not check()
