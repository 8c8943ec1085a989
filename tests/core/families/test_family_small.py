"""What a family accepts and says, one question each."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.special as special
import scipy.stats as stats
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.catalog import spelled
from glbcheck.core.density import log_base_function
from glbcheck.core.divergences import bregman_expr, chi2_expr, kl_expr
from glbcheck.core.errors import BadInput
from glbcheck.core.family import from_log_partition, g, r, z
from glbcheck.core.support import Support

# --- dispersions, natural parameters, radii ----------------------------------------------------------------


@pytest.mark.parametrize(("name", "allowed", "refused"), [
    ("bernoulli", [1, 1.0], [0.5, 2, 0, -1, float("nan"), float("inf"), True, "1", None]),
    ("gaussian", [1, 0.25, 1e-300, 1e300], [0, -1, float("nan"), float("inf"), True, "1", None, 1j]),
    ("binomial_proportion", [1, 0.5, 1 / 3, 0.1, 1e-3, 1e-9], [0.3, 2, 1.5, 0, -1, -0.5, float("nan"), float("inf")]),
])  # fmt: skip
def test_only_dispersions_that_make_a_density_are_allowed(name: str, allowed: list[Any], refused: list[Any]) -> None:
    family = catalog.get(name)
    for dispersion in allowed:
        assert family.check_dispersion(dispersion) == dispersion
    for dispersion in refused:
        with pytest.raises(BadInput, match=f"^g = .*{name} needs g "):
            family.check_dispersion(dispersion, "g")


def test_natural_parameters_are_finite_and_inside_the_domain() -> None:
    family = catalog.get("exponential")
    assert family.ends == (-math.inf, 0.0)
    np.testing.assert_array_equal(family.check_natural([-1, -2.5]), [-1.0, -2.5])
    for bad, shown in (([-1.0, 0.0], "0.0"), ([0.5, -1.0], "0.5"), (0.25, "0.25"), ([[-1.0], [math.inf]], "inf")):
        with pytest.raises(BadInput, match=f"^z = {shown} .*exponential lives on -inf < z < 0"):
            family.check_natural(bad)
    with pytest.raises(BadInput):
        catalog.get("gaussian").check_natural(math.nan)
    with pytest.raises(BadInput):
        catalog.get("gaussian").check_natural(-math.inf)
    with pytest.raises(BadInput, match="lives on -2 < z < inf"):
        from_log_partition("left", -sp.log(2 + z), sp.Interval.open(-2, sp.oo)).check_natural(-2.0)
    with pytest.raises(BadInput, match=r"1\.5708 < z < 1.5708"):
        catalog.get("hyperbolic_secant").check_natural(-1.6)


def test_a_radius_lies_inside_the_domain_to_the_last_digit() -> None:
    secant = catalog.get("hyperbolic_secant")
    below = Fraction(math.pi / 2)  # the double lies below the true number
    assert secant.check_radius(below) == below
    beyond: tuple[object, ...] = (below + Fraction(1, 2**40), 2, math.nextafter(math.pi / 2, 2))
    for S in beyond:
        with pytest.raises(BadInput, match=r"lives on \(-pi/2, pi/2\), so S < pi/2; try .tilted"):
            secant.check_radius(S)
    tilted = catalog.get("exponential").tilted(3)
    assert tilted.check_radius(Fraction(3) - Fraction(1, 10**30)) < 3
    beyond = (3, "3.0", 4)
    for S in beyond:
        with pytest.raises(BadInput, match=r"so S < 3; try"):
            tilted.check_radius(S)
    with pytest.raises(BadInput, match=r"so no S > 0: 0 is not inside \(-oo, 0\)"):
        catalog.get("exponential").check_radius(1)
    left = from_log_partition("left", -sp.log(2 + z), sp.Interval.open(-2, sp.oo))
    assert left.check_radius("3/2") == Fraction(3, 2)
    with pytest.raises(BadInput, match="so S < 2"):
        left.check_radius(2)
    assert catalog.get("gaussian").check_radius("1e300") == 10**300
    for bad in (0, -1, "x"):
        with pytest.raises(BadInput, match=r"a finite number S > 0"):
            catalog.get("gaussian").check_radius(bad)


def test_a_radius_is_refused_at_the_end_of_a_small_domain_and_where_0_is_outside() -> None:
    half = from_log_partition("half", -sp.log(1 - 2 * z), sp.Interval.open(-sp.oo, sp.Rational(1, 2)))
    assert half.check_radius("0.49") == Fraction(49, 100)
    with pytest.raises(BadInput, match="so S < 1/2; try"):
        half.check_radius(0.5)
    for ends in ((1, 3), (-3, -1)):
        with pytest.raises(BadInput, match=r"so no S > 0: 0 is not inside"):
            from_log_partition("aside", z**2, sp.Interval.open(*ends)).check_radius(0.5)


# --- formulas ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "name"), [(2, "exponential(z - 2)"), (0, "exponential(z - 0)"), ("-1/2", "exponential(z + 1/2)")]
)
def test_tilting_moves_everything_together(a: int | str, name: str) -> None:
    family = catalog.get("exponential")
    tilted, shift = family.tilted(a), float(Fraction(a))
    assert tilted.name == name
    assert (tilted.domain.sup, tilted.domain.inf, tilted.domain.right_open) == (sp.Rational(a), -sp.oo, True)
    assert tilted.ends == (-math.inf, shift)
    assert sp.simplify(tilted.log_partition + sp.log(sp.Rational(a) - z)) == 0
    assert tilted.dispersions == family.dispersions
    at, rewards = shift - 1.5, np.array([0.1, 2.0])
    np.testing.assert_allclose(tilted.log_density(rewards, at), math.log(1.5) - 1.5 * rewards, rtol=1e-14)
    draws = [f.sample(np.random.default_rng(1), x, size=3) for f, x in ((tilted, at), (family, -1.5))]
    np.testing.assert_allclose(draws[0], draws[1])


def test_a_tilted_law_has_the_same_density_at_every_dispersion() -> None:
    family, rewards = catalog.get("gamma"), np.array([0.1, 2.0])
    for disp in (0.25, 1.0, 3.0):
        found = family.tilted(2).log_density(rewards, 0.5, disp)
        np.testing.assert_allclose(found, family.log_density(rewards, -1.5, disp), rtol=1e-12)


# --- the base density ----------------------------------------------------------------------------------------


def test_outside_the_support_the_density_is_zero_and_between_lattice_points_too() -> None:
    lattice = log_base_function(-r, Support(sp.S.One, sp.Integer(5), sp.S.Half))
    rewards = np.array([0.5, 1.0, 1.25, 1.5, 1.5 + 1e-10, 1.5 + 1e-8, 5.0, 5.5])
    found = lattice(rewards, 1.0)
    assert [np.isfinite(x) for x in found] == [False, True, False, True, True, False, True, False]
    assert found[4] == found[3] == -1.5
    scaled = log_base_function(r / g, Support(-sp.oo, sp.oo, g))
    np.testing.assert_array_equal(scaled(np.array([-0.5, 0.25, 0.3]), 0.25), [-2.0, 1.0, -np.inf])
    interval = log_base_function(sp.log(r) + sp.log(1 - r), Support(sp.S.Zero, sp.S.One))
    np.testing.assert_allclose(interval(np.array([-1.0, 0.25, 2.0]), 1.0), [-np.inf, math.log(0.1875), -np.inf])
    np.testing.assert_array_equal(scaled(np.array([-0.6, 0.3, 1.0]), 0.3), [-2.0, 1.0, -np.inf])
    constant = log_base_function(sp.Integer(3), Support(sp.S.Zero, sp.oo))
    np.testing.assert_array_equal(constant(np.array([0.0, 1.0, -1.0]), 1.0), [3.0, 3.0, -np.inf])


def test_how_far_from_a_lattice_point_a_reward_may_be() -> None:
    """A billionth of a step, or of the number of steps from the origin."""
    lattice = log_base_function(sp.S.Zero, Support(sp.S.Zero, sp.oo, sp.S.One))
    near = np.array([1e-9, 1.1e-9, 1 + 0.9e-9, 1 + 1.1e-9, 2 + 1.9e-9, 2 + 2.1e-9, 1000 + 0.9e-6, 1000 + 1.1e-6])
    np.testing.assert_array_equal(lattice(near, 1.0), [0.0, -np.inf] * 4)


def test_a_factorial_that_no_double_holds_is_part_of_a_density() -> None:
    family = catalog.get("binomial", n=200)
    found = family.log_density(np.array([0.0, 37.0, 200.0]), -0.5)
    np.testing.assert_allclose(found, stats.binom(200, special.expit(-0.5)).logpmf([0, 37, 200]), rtol=1e-12)


def test_rewards_of_one_dispersion_each_have_their_own_density() -> None:
    family = catalog.get("gaussian")
    found = family.log_base_density(np.array([1.0, 1.0]), np.array([0.5, 2.0]))
    np.testing.assert_allclose(found, [-1 - math.log(math.pi) / 2, -0.25 - math.log(4 * math.pi) / 2])


# --- divergences -----------------------------------------------------------------------------------------


def test_divergences_of_known_laws() -> None:
    """Poisson of means 2 and 3, and normal laws of means 1 and 3 with variance 1/2."""
    two, three, one = sp.log(2), sp.log(3), sp.S.One
    kl = kl_expr(sp.exp, two, three, one)
    assert sp.simplify(kl - (3 - 2 + 2 * sp.log(sp.Rational(2, 3)))) == 0
    assert sp.simplify(chi2_expr(sp.exp, two, three, one) - (sp.exp(sp.Rational(4, 3) - 4 + 3) - 1)) == 0
    assert sp.simplify(bregman_expr(sp.exp, three, two) - kl) == 0

    def square(x: sp.Expr) -> sp.Expr:
        return x**2 / 2

    half = sp.Rational(1, 2)
    assert kl_expr(square, sp.S.One, sp.Integer(3), half) == 4
    assert bregman_expr(square, sp.Integer(3), sp.S.One) == 2
    assert chi2_expr(square, sp.S.One, sp.Integer(3), half) == sp.exp(8) - 1


# --- names -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "found"), [
    ("poisson", ("poisson", None)), ("Binomial (n = 20)", ("binomial", 20)), ("von-mises", ("von_mises", None)),
    ("scaled poisson", ("scaled_poisson", None)), ("binomial(n=1234567)", None), ("cauchy", None), ("", None),
    ("binomial(k=2)", None), (" truncated_poisson(n=3) ", ("truncated_poisson", 3)),
])  # fmt: skip
def test_a_name_is_read_with_its_n(text: str, found: tuple[str, int | None] | None) -> None:
    assert spelled(text) == found


def test_parameters_are_checked_by_name_and_value() -> None:
    assert catalog.get("binomial", n=5).name == "binomial(n=5)"
    assert catalog.get("truncated_poisson", n=2).support.upper == 2
    assert catalog.get("binomial", n=1).support.upper == 1  # which n=True is equal to
    assert catalog.get("truncated_poisson", n=1).support.upper == 1
    assert catalog.get("negative_binomial", n=1).name == "negative_binomial(n=1)"
    for name, parameters, words in (
        ("bernoulli", {"n": 3}, "bernoulli takes no parameters"), ("binomial", {"k": 3}, "binomial takes parameters n"),
        ("binomial", {"n": 0}, "at least 1"), ("binomial", {"n": True}, "a whole number"),
        ("truncated_poisson", {"n": 0}, "at least 1"), ("poison", {}, "poisson"),
        ("negative_binomial", {"n": 0}, "at least 1"),
    ):  # fmt: skip
        with pytest.raises(BadInput, match=words):
            catalog.get(name, **parameters)
    assert [family.name.partition("(")[0] for family in catalog.every()] == list(catalog.NAMES)
