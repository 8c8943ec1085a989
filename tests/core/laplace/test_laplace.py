"""Which formulas are log-partition functions: the right answer, with numbers from elsewhere to back it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import comb, cosh, erf, exp, expm1, factorial, pi, sqrt
from typing import Any

import mpmath as mp
import pytest
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.errors import BadInput
from glbcheck.core.expression import parse
from glbcheck.core.family import Family, z
from glbcheck.core.laplace import POWERS, Construction, Witness, construct, decide, dispersions, refute
from glbcheck.core.laplace.words import WORDS
from glbcheck.core.measures.rules import RULES
from scipy import integrate, special

from tests.helpers.audit_answers import derived, refuted

LINE = sp.S.Reals
LEFT = sp.Interval.open(-sp.oo, 0)
RIGHT = sp.Interval.open(0, sp.oo)
UNIT = sp.Interval.open(-1, 1)
BELOW_ONE = sp.Interval.open(-sp.oo, 1)
BELOW_LOG_2 = sp.Interval.open(-sp.oo, sp.log(2))
HALF_TURN = sp.Interval.open(-sp.pi / 2, sp.pi / 2)


def formula(text: str) -> sp.Expr:
    return parse(text, {"z": z})


# --- no measure has this transform ------------------------------------------------------------------

IMPOSSIBLE = [
    ("z**4", LINE),  # an even measure of variance 0 that is not a point mass
    ("z**6", LINE), ("z**2/2 + z**4/24", LINE),  # Marcinkiewicz: the only polynomial cumulant functions are quadratic
    ("z**2/2 - z**4/100", LINE), ("z**2/2 - z**4/100", UNIT), ("z**3", RIGHT), ("(-z)**3", LEFT),
    ("(1 - z)**(5/2)", BELOW_ONE), ("(1 + z**2)**2", LINE), ("abs(z)", LINE),  # a kink
    ("abs(z)**3", LINE), ("max(z, 0)**4", LINE), ("sqrt(z)", RIGHT),  # concave
    ("log(1 + z)", sp.Interval.open(-1, sp.oo)), ("log(1 + z**2)", LINE),
    ("log(1 + z**2)", UNIT),  # convex there, but 1 + z^2 has the wrong continuation
    ("log(1 + z**2 + z**4)", LINE), ("log(2 + cos(z))", LINE), ("log(sin(z)/z)", sp.Interval.open(-3, 3)),
    ("log(1 + erf(z))", LINE), ("log(2 + tanh(z))", LINE), ("exp(z)/(1 + exp(z))", LINE),
    ("sqrt(1 + z**2)", LINE),  # a branch point at i
    ("z*atan(z)", LINE), ("asinh(z)**2", LINE), ("exp(z) - z**2/100", LINE), ("exp(z) + z**4", LINE),
    ("exp(z) - exp(2*z)/1000", LINE),  # a negative jump intensity
    ("cosh(z) + z**4/100", LINE), ("z**2/2 + sin(z)/10", LINE), ("z**2 - log(cosh(z))", LINE),  # a pole at i pi/2
    ("exp(-z**2) + z**2", LINE), ("z*sinh(z)", LINE), ("log(cosh(z))/2", LINE),  # no square root of a coin
    ("log(1 + exp(z))/2", LINE), ("3*log(1 + exp(z))/2", LINE), ("log(besseli(0, z))/2", LINE),
    ("log(sinh(z)/z)/2", LINE), ("log(besseli(1, z))", RIGHT),
    ("log(1 + exp(z) + exp(3*z) - exp(2*z)/10)", LINE),  # a negative mass at 2
    ("z**2/2 + z**6/10**6", LINE), ("z**2/2 + z**4/10**9", LINE),  # far away only
    ("sqrt(100 + z**2)", LINE),  # a branch point far up
    ("-log(1 - z - z**3/10)", sp.Interval.open(-sp.oo, sp.CRootOf(z**3 + 10 * z - 10, 0))),  # two poles in the strip
    ("z**2/2 + log(3 - z**2)", UNIT),  # a density that is somewhere negative
    ("log((exp(z)*(z - 2) + z + 2)/z**3 + (exp(z) - 1)/z/10 - 1/10)", LINE),  # an atom of negative mass
    ("log(1 + exp(z))**2", LINE), ("log(1 + exp(z) + z)", LINE), ("tan(z)", sp.Interval.open(0, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "domain"), IMPOSSIBLE)
def test_what_is_no_log_partition_function_is_refuted(text: str, domain: sp.Interval) -> None:
    m = formula(text)
    answer = decide(m, domain)
    assert isinstance(answer, Witness)
    assert refuted(m, domain, answer.as_dict())
    assert value_in_floats(m, answer) < 0


def value_in_floats(m: sp.Expr, w: Witness) -> Any:
    """The mean of the witness's square at 60 digits: mpmath's numerical derivatives and complex values."""
    larger = {"max": lambda a, b: a if mp.re(a) > mp.re(b) else b}  # mpmath orders no complex numbers
    function = sp.lambdify(z, m, [larger, "mpmath"])

    def f(x: Any) -> Any:
        return function(x or mp.mpf(10) ** -50)  # beside a removable singularity

    s, z0 = number(w.power), number(w.z0)
    with mp.workdps(60):
        v = list(map(number, w.weights))
        base = f(z0)

        def M(x: Any) -> Any:
            return mp.exp(s * (f(x) - base))

        if w.kind == "moments":
            n = 2 * max(int(k) for k in w.points)
            moments = [mp.factorial(k) * c for k, c in enumerate(mp.taylor(M, z0, n))]
            entries = [[moments[int(a + b)] for b in w.points] for a in w.points]
        elif w.kind == "exponentials":
            entries = [[M(z0 + number(a) + number(b)) for b in w.points] for a in w.points]
        else:
            return 2 - 2 * abs(M(mp.mpc(z0, number(w.points[0]))))
        return mp.re(sum(a * b * x for a, row in zip(v, entries, strict=True) for b, x in zip(v, row, strict=True)))


def number(x: Fraction) -> Any:
    with mp.workdps(60):
        return mp.mpf(x.numerator) / x.denominator


# --- the measure is known -----------------------------------------------------------------------------

Density = Callable[[Any], Any]
FAR = (-60.0, 0.0, 60.0)
# formula, domain, density or mass (up to a constant), where it lives: break points or a range of integers.
KNOWN: list[tuple[str, sp.Interval, Density | None, Any]] = [
    ("z**2/2", LINE, lambda r: exp(-(r**2) / 2), FAR),
    ("3*log(1 + exp(z))", LINE, lambda r: comb(3, r), range(4)),
    ("log(cosh(2*z))", LINE, lambda r: abs(r) == 2, range(-2, 3)),
    ("exp(z)", LINE, lambda r: 1 / factorial(r), range(60)),
    ("cosh(z)", LINE, lambda r: special.iv(abs(r), 1), range(-30, 31)),
    ("-log(1 + z)", sp.Interval.open(-1, sp.oo), lambda r: exp(r), (-200.0, -20.0, 0.0)),
    ("-3*log(2 - z)/2", sp.Interval.open(-sp.oo, 2), lambda r: sqrt(r) * exp(-2 * r), (0.0, 5.0, 60.0)),
    ("-log(1 - z**2)", UNIT, lambda r: exp(-abs(r)), FAR),
    ("-2*log(2 - exp(z))", BELOW_LOG_2, lambda r: (r + 1) * 0.5**r, range(400)),
    ("-log(2*sinh(z))", RIGHT, lambda r: r % 2, range(-200, 0)),
    ("-sqrt(-2*z)", LEFT, lambda r: exp(-1 / (2 * r)) * r**-1.5, (1e-9, 1.0, 10.0, 100.0)),
    ("loggamma(z)", RIGHT, lambda r: exp(-exp(r)), (-60.0, 0.0, 5.0)),
    ("loggamma(1 - z) - loggamma(3 - z)", BELOW_ONE, lambda r: exp(-r) * (1 - exp(-r)), (0.0, 5.0, 100.0)),
    ("-log(cos(z))", HALF_TURN, lambda r: 1 / cosh(pi * r / 2), FAR),
    ("log(z/sin(z))", sp.Interval.open(-sp.pi, sp.pi), lambda r: 1 / cosh(pi * r / 2) ** 2, FAR),
    ("log(sinh(z)/z)", LINE, lambda r: 1, (-1.0, 1.0)),
    ("2*log((exp(z) - 1)/z)", LINE, lambda r: 1 - abs(r - 1), (0.0, 1.0, 2.0)),
    ("log(besseli(0, z))", LINE, lambda r: 1 / sqrt(1 - r**2), (-1.0, 0.0, 1.0)),
    ("log(besseli(1, z)/z)", LINE, lambda r: sqrt(1 - r**2), (-1.0, 0.0, 1.0)),
    ("log(besseli(3, z)/z**3)", LINE, lambda r: (1 - r**2) ** 2.5, (-1.0, 0.0, 1.0)),
    ("log(exp(exp(z)) - 1)", LINE, lambda r: 1 / factorial(r), range(1, 60)),
    ("log(exp(exp(z)) - 1 - exp(z)/2)", LINE, lambda r: 1 / factorial(r) - 0.5 * (r == 1), range(1, 60)),
    ("log(cosh(exp(z)))", LINE, lambda r: (r % 2 == 0) / factorial(r), range(60)),
    ("log(sinh(exp(z)))", LINE, lambda r: (r % 2 == 1) / factorial(r), range(60)),
    ("log(besseli(0, 2*exp(z)))", LINE, lambda r: (r % 2 == 0) / factorial(r // 2) ** 2, range(80)),
    ("log(-log(1 - exp(z)))", LEFT, lambda r: 1 / r, range(1, 200)),
    ("z**2/2 + log(1 + erf(z/sqrt(2)))", LINE, lambda r: exp(-(r**2) / 2), (0.0, 30.0)),
    # Beta(2, 2), a triangle, a ramp that falls back to 0 at 1 and rises again, a quadratic bump
    ("log((exp(z)*(z - 2) + z + 2)/z**3)", LINE, lambda r: r * (1 - r), (0.0, 1.0)),
    ("log((cosh(z) - 1)/z**2)", LINE, lambda r: 1 - abs(r), (-1.0, 0.0, 1.0)),
    ("log((1 + z*exp(z))/z**2)", LEFT, lambda r: r - (r > 1), (0.0, 1.0, 30.0, 200.0)),
    ("log((z*cosh(z) - sinh(z))/z**3)", LINE, lambda r: 1 - r**2, (-1.0, 1.0)),
    ("z**2/2 + log(1 + z**2)", LINE, lambda r: r**2 * exp(-(r**2) / 2), FAR),
    ("z**2/2 + log(1 + erf(z/2))", LINE, lambda r: exp(-(r**2) / 2) * (1 + erf(r / sqrt(2))), FAR),
    ("log(1 + sqrt(pi/2)*z*exp(z**2/2)*(1 + erf(z/sqrt(2))))", LINE, lambda r: r * exp(-(r**2) / 2), (0.0, 30.0)),
    ("log(2*log(2 - z) - 2*log(1 - z))", BELOW_ONE, lambda r: exp(-r) * -expm1(-r) / r, (1e-12, 5.0, 100.0)),
    ("log(1 - sqrt(1 - exp(z)))", LEFT, lambda r: comb(2 * r, r) / (2 * r - 1) / 4.0**r, range(1, 200)),
    ("log(-log(1 - (exp(z) + exp(2*z))/2))", LEFT, None, None),
    ("log(1 - sqrt(1 - (exp(z) + exp(2*z))/2))", LEFT, None, None),
    ("-log(sin(pi*z)/(pi*z))", UNIT, lambda r: exp(-abs(r)) / (1 + exp(-abs(r))) ** 2, FAR),
    ("log(2*besseli(1, 3*z)/(3*z))", LINE, lambda r: sqrt(9 - r**2), (-3.0, 0.0, 3.0)),
    ("log((1 - z/2)/(1 - z))", BELOW_ONE, None, None),
    ("-log(4 - exp(z) - exp(3*z))", sp.Interval.open(-sp.oo, sp.log(sp.CRootOf(z**3 + z - 4, 0))), None, None),
    ("log(exp(z)/3 + 2*exp(z**2)/3)", LINE, None, None),
    ("(-z)**(3/2)", LEFT, None, None),
    ("-(1 - z)**(1/3)", BELOW_ONE, None, None),
    ("z*log(z)", RIGHT, None, None),
    ("(1 + z)*log(1 + z)", sp.Interval.open(-1, sp.oo), None, None),
    ("z*atanh(z)", UNIT, None, None),
    ("exp(exp(z))", LINE, None, None),
    ("exp(z**2/2)", LINE, None, None),
    ("1/(1 - z)", BELOW_ONE, None, None),
    ("1 - sqrt(1 - 2*z)", sp.Interval.open(-sp.oo, sp.Rational(1, 2)), None, None),
    ("sqrt(3) - sqrt(4 - (z + 1)**2)", sp.Interval.open(-3, 1), None, None),
    ("-log(3 - cosh(z))", UNIT, None, None),
    ("log(1 + exp(z)) - log(2 - exp(z))", BELOW_LOG_2, None, None),
    ("-log(2 - 3*exp(z) + exp(2*z))", LEFT, None, None),
    ("log(1 + 2*exp(z) + exp(2*z))/2", LINE, None, None),
    ("log(exp(2*z) - exp(-z)) - log(z)", RIGHT, None, None),
    ("sinh(z)**2", LINE, None, None),
    ("-1/z", LEFT, None, None),
    ("1000*log(1 + exp(z))", LINE, None, None),
]


@pytest.mark.parametrize(("text", "domain"), [case[:2] for case in KNOWN])
def test_what_is_a_log_partition_function_is_derived(text: str, domain: sp.Interval) -> None:
    m = formula(text)
    answer = decide(m, domain)
    assert isinstance(answer, Construction)
    assert derived(m, domain, answer.tree)
    assert refute(m, domain, quick=True) is None


@pytest.mark.parametrize(("text", "domain", "density", "support"), [case for case in KNOWN if case[2] is not None])
def test_the_transform_of_the_known_measure_is_exp_m(
    text: str, domain: sp.Interval, density: Density, support: Any
) -> None:
    """exp(m(a) - m(b)) is the ratio of the two integrals of e^{rz} over the measure."""
    m = formula(text)
    low, high = max(float(domain.inf), -2.0), min(float(domain.sup), 2.0)
    a, b = (low + (high - low) * share for share in (0.375, 0.625))

    def integral(at: float) -> float:
        if isinstance(support, range):
            return float(sum(density(r) * exp(r * at) for r in support))
        pieces = [integrate.quad(lambda r: density(r) * exp(r * at), *ends)[0] for ends in pairwise(support)]
        return float(sum(pieces))

    assert integral(b) / integral(a) == pytest.approx(float(sp.exp(m.subs(z, b) - m.subs(z, a))), rel=1e-6)


def rules_of(tree: Construction) -> set[str]:
    return {tree.rule}.union(*(rules_of(part) for part in tree.parts))


@cache
def known_trees() -> list[tuple[sp.Expr, sp.Interval, Construction | None]]:
    return [(formula(text), domain, construct(formula(text), domain)) for text, domain, *_ in KNOWN]


def test_every_rule_is_used_by_some_known_law() -> None:
    assert set().union(*(rules_of(tree) for _, _, tree in known_trees() if tree)) == set(RULES)
    assert set(WORDS) == set(RULES)


@pytest.mark.parametrize("share", [Fraction(1, 5), Fraction(3, 7), Fraction(5, 2)])
def test_infinitely_divisible_laws_survive_every_power(share: Fraction) -> None:
    divisible = [(m, domain) for m, domain, tree in known_trees() if tree and tree.infinitely_divisible]
    assert len(divisible) > 15
    assert not any(refute(m, domain, power=share, quick=True) for m, domain in divisible)


# --- where a rule stops ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "domain"), [
    ("-log(2 - exp(z))", sp.Interval.open(-sp.oo, 1)),  # infinite at log 2
    ("-log(1 - z**2)", sp.Interval.open(-1, sp.Rational(11, 10))), ("-log(cos(z))", sp.Interval.open(-2, 2)),
    ("log(z/sin(z))", sp.Interval.open(-4, 4)), ("-sqrt(1 - z)", sp.Interval.open(-sp.oo, 2)),
    ("loggamma(z)", sp.Interval.open(-1, sp.oo)),
    ("loggamma(3 - z) - loggamma(1 - z)", BELOW_ONE),  # the ratio upside down
    ("log(-log(1 - 2*exp(z)))", LEFT), ("log(exp(exp(z)) - 2)", LINE), ("log(exp(exp(z)) - exp(z)*3/2)", LINE),
    ("-(1 - z)**(3/2)", BELOW_ONE), ("z**2/2 + log(1 + erf(z))", LINE),  # cut by the wrong error function
    ("log(z) + log(1/z) + z", LINE),  # undefined for z <= 0
    ("log((1 + z*exp(z))/z**2)", LINE),  # its density has a tail
    ("log((exp(z)*(z - 1) + z + 2)/z**3)", LEFT),  # a tail below 0
    ("z**2/2 + log(z**2 - 1)", sp.Interval.open(1, sp.oo)), ("log(2*log(2 - z) - 3*log(1 - z))", LEFT),
    ("log(2 - sqrt(1 - exp(z)))/3", LEFT), ("log((1 - z)/(1 - z/2))", BELOW_ONE),
    ("z*tan(z)", sp.Interval.open(-2, 2)), ("z/tan(z)", UNIT), ("log(cosh(sqrt(-2*z)))", LEFT),
    ("-log(cosh(sqrt(-2*z)))/sqrt(-z)", LEFT),
    ("log((1 - exp(z))/z)", LINE), ("-log(cosh(z))", LINE), ("-z**2/2", LINE),
])  # fmt: skip
def test_no_rule_is_stretched_beyond_its_conditions(text: str, domain: sp.Interval) -> None:
    assert construct(formula(text), domain) is None


def test_a_closed_end_of_the_domain_is_never_used() -> None:
    m = -sp.sqrt(-2 * z)
    assert construct(m, sp.Interval.Lopen(-sp.oo, 0)) == construct(m, LEFT)
    witness = refute(sp.log(1 + z), sp.Interval(-sp.Rational(1, 2), sp.Rational(1, 2)))
    assert witness is not None
    assert abs(witness.z0) < Fraction(1, 2)


# --- the catalogue, and dispersions -------------------------------------------------------------------


@pytest.mark.parametrize("family", catalog.every(), ids=lambda f: str(f.name))
def test_every_family_of_the_catalogue_is_derived_and_never_refuted(family: Family) -> None:
    assert isinstance(decide(family.log_partition, family.domain), Construction)
    assert refute(family.log_partition, family.domain, quick=True) is None


@pytest.mark.parametrize("family", catalog.every(), ids=lambda f: str(f.name))
def test_every_dispersion_that_a_family_allows_is_derived(family: Family) -> None:
    for s in POWERS:
        if family.dispersions.allows(float(1 / s)):
            assert construct(family.log_partition, family.domain, power=s) is not None


def test_a_coin_has_exactly_the_dispersions_one_over_n_and_infinitely_divisible_laws_all() -> None:
    found = dispersions(formula("log(1 + exp(z))"), LINE)
    assert found.words == "g = 1/n for every positive integer n; impossible for g = 2/5, 2/3, 3/2, 2, 3"
    assert [row["possible"] for row in found.as_dict()["answers"]] == [s.denominator == 1 for s, _ in found.answers]
    for text in ("exp(z)", "z**2/2", "cosh(z)"):
        assert dispersions(formula(text), LINE).words == "every g > 0"


def test_negative_variance_is_reported_in_those_words() -> None:
    answer = decide(formula("log(2 + cos(z))"), LINE)
    assert isinstance(answer, Witness)
    assert answer.words == "the variance m''(0) would be negative"


# --- refusals -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("m", "domain", "power", "argument"), [
    (z + sp.Symbol("y"), LINE, Fraction(1), "m"), (sp.Float(0.5) * z, LINE, Fraction(1), "m"),
    (z, LINE, Fraction(0), "power"), (z, LINE, 0.5, "power"), (z, sp.Interval(1, 1), Fraction(1), "domain"),
    (z, sp.Interval.open(0, sp.Symbol("b", positive=True)), Fraction(1), "domain"),
])  # fmt: skip
def test_bad_questions_are_refused_by_name(m: sp.Expr, domain: sp.Interval, power: Any, argument: str) -> None:
    with pytest.raises(BadInput) as refusal:
        decide(m, domain, power=power)
    assert refusal.value.argument == argument
