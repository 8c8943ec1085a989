"""A density is certified for all z where it is one, and refuted where it is not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.enclosure import ball, precision
from glbcheck.core.family import Family, Support, r, z
from glbcheck.verify.audit.analyticity import breaks, sign
from glbcheck.verify.audit.annihilator import annihilator
from glbcheck.verify.audit.base_measure import NotReadable
from glbcheck.verify.audit.base_reading import read_base
from glbcheck.verify.audit.density import chi2_formula, kl_as_bregman, mean_and_variance, normalisation
from glbcheck.verify.audit.normaliser import by_equation, density_moments, on_box
from glbcheck.verify.claim import Verdict
from hypothesis import given, settings
from hypothesis import strategies as st

ONE, S = Fraction(1), Fraction(3, 4)
FOR_ALL_Z = (Verdict.PROVED, Verdict.CERTIFIED)
LEFT = sp.Interval.open(-sp.oo, 0)


def family(m: Any, lower: Any, upper: Any, log_base: Any, step: Any = None, domain: sp.Interval = sp.S.Reals) -> Family:
    support = Support(sp.S(lower), sp.S(upper), None if step is None else sp.S(step))
    return Family("test", sp.S(m), support, sp.S(log_base), lambda rng, at, disp: at, domain)


log, exp = sp.log, sp.exp
half_normal = z**2 / 2 + log(1 + sp.erf(z / sp.sqrt(2)))
rayleigh = log(1 + z * exp(z**2 / 2) * sp.sqrt(sp.pi / 2) * (1 + sp.erf(z / sp.sqrt(2))))
gaussian_base = -(r**2) / 2 - log(2 * sp.pi) / 2
chi_square_base = 3 * log(r) / 2 - r / 2 - 5 * log(2) / 2 - sp.loggamma(sp.Rational(5, 2))

# Families outside the catalogue, certified for all z but for those of `OTHERWISE`.
OUTSIDE: dict[str, Family] = {
    "beta(2, 1)": family(log(2 * (exp(z) * (z - 1) + 1) / z**2), 0, 1, log(2 * r)),
    "beta(3, 1)": family(log(3 * (exp(z) * (z**2 - 2 * z + 2) - 2) / z**3), 0, 1, 2 * log(r) + log(3)),
    "semicircle": family(log(2 * sp.besseli(1, z) / z), -1, 1, log(2 / sp.pi) + log(1 - r**2) / 2),
    "half-normal": family(half_normal, 0, sp.oo, -(r**2) / 2 + log(2 / sp.pi) / 2),
    "chi-square": family(
        -5 * log(1 - 2 * z) / 2, 0, sp.oo, chi_square_base, domain=sp.Interval.open(-sp.oo, sp.S.Half)
    ),
    "two arms of a parabola": family(
        log(3 * (sp.sinh(z) * (z**2 + 2) - 2 * z * sp.cosh(z)) / z**3), -1, 1, log(3 * r**2 / 2)
    ),
    "Laplace": family(-log(1 - z**2), -sp.oo, sp.oo, -sp.Abs(r) - log(2), domain=sp.Interval.open(-1, 1)),
    "triangular": family(log(2 * (sp.cosh(z) - 1) / z**2), -1, 1, log(1 - sp.Abs(r))),
    "two uniforms": family(2 * log((exp(z) - 1) / z), 0, 2, log(1 - sp.Abs(r - 1))),
    "discrete Laplace": family(
        -log((2 - exp(z)) * (2 - exp(-z))), -sp.oo, sp.oo, -sp.Abs(r) * log(2) - log(3), 1,
        sp.Interval.open(-log(2), log(2)),
    ),
    "a die": family(log(sum(exp(k * z) for k in range(1, 7)) / 6), 1, 6, -log(6), 1),
    "truncated zeta": family(log(sum(exp(k * z) / k**3 for k in range(1, 6))), 1, 5, -3 * log(r), 1),
    "logarithmic series": family(log(-log(1 - exp(z))), 1, sp.oo, -log(r), 1, LEFT),
    "Conway-Maxwell-Poisson": family(log(sp.besseli(0, 2 * exp(z / 2))), 0, sp.oo, -2 * sp.loggamma(r + 1), 1),
    "even Poisson": family(log(sp.cosh(exp(z))), 0, sp.oo, -sp.loggamma(r + 1), 2),
    "third success": family(3 * z - 3 * log(1 - exp(z)), 3, sp.oo, log((r - 1) * (r - 2) / 2), 1, LEFT),
    "two normals": family(z**2 / 2 + log(sp.cosh(z)), -sp.oo, sp.oo, gaussian_base - sp.S.Half + log(sp.cosh(r))),
}  # fmt: skip
OTHERWISE = {
    **dict.fromkeys(("a die", "truncated zeta"), Verdict.PROVED),
    "third success": Verdict.CERTIFIED,
    "two normals": Verdict.STRESS_TESTED,
}


def mass_by_mpmath(model: Family, at: float) -> float:
    """Independent of everything here: thirty digits, no enclosure."""
    log_p = (r * z - model.log_partition + model.log_base).subs(sp.Symbol("g", positive=True), 1)
    with mpmath.workdps(30):
        p = sp.lambdify((r, z), exp(log_p), modules="mpmath")
        low, high = (mpmath.mpf("inf") * int(sp.sign(e)) if e.is_infinite else mpmath.mpf(int(e)) for e in _ends(model))
        if model.support.step is None:
            middle = [mpmath.mpf(x) for x in (0, 1) if low < x < high]  # where the bases here have kinks
            return float(mpmath.quad(lambda x: p(x, mpmath.mpf(at)), [low, *middle, high]))
        step = int(model.support.step)
        low = mpmath.mpf(-400) if low == -mpmath.inf else low
        count = 800 if high == mpmath.inf else int((high - low) / step) + 1
        return float(mpmath.fsum(p(low + step * k, mpmath.mpf(at)) for k in range(count)))


def _ends(model: Family) -> tuple[sp.Expr, sp.Expr]:
    return model.support.lower, model.support.upper


# --- what is true ------------------------------------------------------------------------------------


ALLOWED = [
    (name, g)
    for name in catalog.NAMES
    for g in (ONE, Fraction(1, 2), Fraction(7, 3))
    if catalog.get(name).dispersions.allows(float(g))
]


@pytest.mark.parametrize(("name", "g"), ALLOWED)
def test_every_family_of_the_catalogue_is_normalised_for_all_z(name: str, g: Fraction) -> None:
    found = normalisation(catalog.get(name), S, g)
    assert found.verdict in FOR_ALL_Z, found.evidence


@pytest.mark.parametrize("name", OUTSIDE)
def test_families_outside_the_catalogue_get_the_strongest_verdict_there_is(name: str) -> None:
    model = OUTSIDE[name]
    found = normalisation(model, S, ONE)
    assert found.verdict in ([OTHERWISE[name]] if name in OTHERWISE else FOR_ALL_Z), found.evidence
    for at in (-0.6, -0.2):
        assert mass_by_mpmath(model, at) == pytest.approx(1, abs=1e-9)


def test_without_an_equation_a_box_is_covered_and_printed() -> None:
    """The Rayleigh law: exp(m) solves the equation, but m is not seen to be analytic on the whole line."""
    model = family(rayleigh, 0, sp.oo, log(r) - r**2 / 2)
    found = on_box(read_base(model, ONE), Fraction(1, 4))
    assert found.verdict is Verdict.CERTIFIED_ON_BOX
    assert found.certificate["box"] == ["-1/4", "1/4"]
    assert "|mass - 1| <=" in found.evidence


@pytest.mark.parametrize("name", ["gaussian", "poisson", "uniform", "inverse_gaussian", "skellam"])
@pytest.mark.parametrize("decide", [mean_and_variance, kl_as_bregman, chi2_formula])
def test_moments_and_divergences_follow_from_the_normalisation(name: str, decide: Any) -> None:
    model = catalog.get(name)
    found = decide(model, S, ONE)
    assert found.verdict == normalisation(model, S, ONE).verdict
    assert found.certificate["comparisons"] >= 2


@pytest.mark.parametrize(
    ("model", "at"),
    [(catalog.get("gamma"), Fraction(-2, 3)), (catalog.get("poisson"), Fraction(5, 4))]
    + [(OUTSIDE[name], Fraction(-1, 3)) for name in ("semicircle", "half-normal", "logarithmic series")],
)
def test_enclosed_moments_hold_the_values_of_mpmath(model: Family, at: Fraction) -> None:
    """The moment of order j is the mass of the base r^j b(r), taken from 1 on where the lattice has a 0."""
    low, high = _ends(model)
    for j, enclosed in enumerate(density_moments(read_base(model, ONE), at, [0, 1, 2, 3])):
        if j and low < 0:
            continue  # log(r) would not be real
        start = sp.Max(low, 1) if j and model.support.step else low
        weighted = family(model.log_partition, start, high, model.log_base + j * log(r), _step(model))
        assert enclosed.rel_accuracy_bits() > 100
        assert mass_by_mpmath(weighted, float(at)) == pytest.approx(float(enclosed.mid()), rel=1e-12)


@settings(max_examples=25, deadline=None)
@given(
    a=st.fractions(-Fraction(5, 6), 3, max_denominator=6),
    b=st.fractions(-Fraction(5, 6), 3, max_denominator=6),
    at=st.fractions(-3, 3, max_denominator=8),
)
def test_beta_moments_are_kummer_functions_for_any_exponents(a: Fraction, b: Fraction, at: Fraction) -> None:
    """∫ r^a (1-r)^b e^(zr) dr = B(a+1, b+1) 1F1(a+1; a+b+2; z), singular ends included."""
    A, B = (sp.Rational(x.numerator, x.denominator) for x in (a, b))
    base = read_base(family(0, 0, 1, A * log(r) + B * log(1 - r)), ONE)
    (enclosed,) = density_moments(base, at, [0])
    with mpmath.workdps(40):
        a1, b1, x = (mpmath.mpf(v.numerator) / v.denominator for v in (a + 1, b + 1, at))
        known = mpmath.beta(a1, b1) * mpmath.hyp1f1(a1, a1 + b1, x)
        exact = Fraction(int(mpmath.nint(known * 10**35)), 10**35)
    with precision(200):
        assert abs(enclosed - ball(exact)) < ball(Fraction(1, 10**30))


@pytest.mark.parametrize("name", ["beta(2, 1)", "half-normal", "logarithmic series", "Conway-Maxwell-Poisson"])
def test_the_equation_annihilates_the_normaliser_numerically(name: str) -> None:
    """The symbolic equation, applied to moments that were integrated, not derived from m."""
    base = read_base(OUTSIDE[name], ONE)
    equation = annihilator(base)
    for at in (Fraction(-1, 2), Fraction(-1, 5)):
        moments = density_moments(base, at, range(equation.order + 1))
        with precision(160):
            terms = [ball(c.subs(z, sp.Rational(at.numerator, at.denominator))) for c in equation.coefficients]
            total = sum((c * m for c, m in zip(terms, moments, strict=True)), ball(0))
        assert total.contains(0)
        assert abs(total) < ball(Fraction(1, 10**30))


# --- what is false -----------------------------------------------------------------------------------


poisson, gaussian = catalog.get("poisson"), catalog.get("gaussian")
WRONG: dict[str, Family] = {
    "constant off by one per cent": family(z**2 / 2, -sp.oo, sp.oo, gaussian_base + sp.Rational(1, 100)),
    "constant off by 1e-15": family(z**2 / 2, -sp.oo, sp.oo, gaussian_base + sp.Rational(1, 10**15)),
    "missing factorial": family(exp(z), 0, sp.oo, -sp.loggamma(r), 1),
    "no factorial at all": family(exp(z), 0, 40, 0, 1),
    "lattice starts at 1": family(exp(z), 1, sp.oo, -sp.loggamma(r + 1), 1),
    "lattice ends too early": family(10 * log(1 + exp(z)), 0, 9, catalog.get("binomial").log_base, 1),
    "half of the line": family(z**2 / 2, 0, sp.oo, gaussian_base),
    "interval too long": family(log(sp.sinh(z) / z), -1, 2, -log(2)),
    "variance forgotten": family(z**2, -sp.oo, sp.oo, gaussian_base),
    "wrong m": family(z**4, -sp.oo, sp.oo, gaussian_base),
    "m off by a linear term": family(log(1 + exp(z)) + z, 0, 1, 0, 1),
    "wrong step": family(exp(z), 0, sp.oo, -sp.loggamma(r + 1), sp.S.Half),
    "not integrable at 0": family(-log(-z), 0, sp.oo, -log(r), domain=LEFT),
    "domain too large": family(-log(1 - z), 0, sp.oo, -r, domain=sp.Interval.open(-sp.oo, 2)),
    "sum diverges": family(-log(1 - exp(z - 1)), 0, sp.oo, -r, 1, sp.Interval.open(-sp.oo, 2)),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_base_is_refuted_with_a_number(name: str) -> None:
    found = normalisation(WRONG[name], S, ONE)
    assert found.verdict is Verdict.REFUTED, found.evidence
    assert "mass" in found.evidence or "infinite" in found.evidence


@pytest.mark.parametrize("name", ["bernoulli", "gamma", "geometric", "von_mises", "negative_binomial"])
@given(share=st.fractions(Fraction(1, 3), 3, max_denominator=1000))
@settings(max_examples=5, deadline=None)
def test_no_base_survives_a_change_of_its_constant(name: str, share: Fraction) -> None:
    model = catalog.get(name)
    weight = log(sp.Rational(share.numerator, share.denominator))
    changed = family(model.log_partition, *_ends(model), model.log_base + weight, _step(model), model.domain)
    found = normalisation(changed, S, ONE)
    assert (found.verdict is Verdict.REFUTED) == (share != 1), found.evidence


def _step(model: Family) -> sp.Expr | None:
    return None if model.support.step is None else model.support.step.subs(sp.Symbol("g", positive=True), 1)


def test_the_mass_is_said_in_the_refutation_and_a_wrong_mean_is_refuted_on_its_own() -> None:
    assert normalisation(WRONG["half of the line"], S, ONE).evidence == "mass 0.50000000 at z = 0, not 1"
    assert "mean at z = 0" in mean_and_variance(WRONG["m off by a linear term"], S, ONE).evidence


@pytest.mark.parametrize("decide", [mean_and_variance, kl_as_bregman, chi2_formula])
def test_nothing_positive_is_said_of_a_density_without_mass_one(decide: Any) -> None:
    for model in WRONG.values():
        assert not decide(model, S, ONE).verdict.positive


def test_a_part_of_the_mass_can_refute_where_the_whole_cannot_be_enclosed() -> None:
    """The discrete Gaussian has mass 1 + 5.35e-9 (Jacobi's theta function), not 1."""
    discrete = family(z**2 / 2, -sp.oo, sp.oo, gaussian_base, 1)
    assert normalisation(discrete, S, ONE).evidence == "mass at least 1 + 5.35e-9 at z = 0"


def test_a_true_density_is_not_refuted_because_its_support_has_irrational_ends() -> None:
    circle = family(log(sp.sinh(sp.pi * z) / (sp.pi * z)), -sp.pi, sp.pi, -log(2 * sp.pi))
    assert normalisation(circle, S, ONE).verdict is Verdict.STRESS_TESTED


@pytest.mark.parametrize(
    ("lower", "upper", "log_base"),
    [(0, 1, sp.nan), (1, 0, 0), (-1, 1, log(r)), (0, 1, sp.Piecewise((0, r > sp.S.Half), (1, True)))],
)
def test_what_makes_no_sense_is_not_certified(lower: int, upper: int, log_base: Any) -> None:
    assert not normalisation(family(z, lower, upper, log_base), S, ONE).verdict.positive


TINY = sp.Rational(1, 10**45)


@pytest.mark.parametrize("nearly", [
    family(z**2 / 2, -40, 40, gaussian_base), family(z**2 / 2, -400, 400, gaussian_base),
    family(z**2 / 2, -400, sp.oo, gaussian_base), family(z**2 / 2, -sp.oo, sp.oo, gaussian_base + TINY),
    family(exp(z), 0, sp.oo, poisson.log_base + TINY, 1), family(log(sp.sinh(z) / z), -1, 1, -log(2) + TINY),
    family(-log(-z), 0, sp.oo, TINY, None, sp.Interval.open(-sp.oo, 0)),
    family(-log(1 - exp(z)), 0, 400, 0, 1, sp.Interval.open(-sp.oo, 0)),
])  # fmt: skip
def test_a_mass_that_is_one_to_forty_digits_is_not_one(nearly: Family) -> None:
    assert normalisation(nearly, S, ONE).verdict not in FOR_ALL_Z
    assert mean_and_variance(nearly, S, ONE).verdict not in FOR_ALL_Z


def test_a_formula_that_jumps_beyond_the_box_is_not_certified_for_all_z() -> None:
    """atan(tan z) - z is 0 near 0 and its derivative is 0 everywhere: the equation alone cannot see it."""
    jumping = family(z**2 / 2 + sp.atan(sp.tan(z)) - z, -sp.oo, sp.oo, gaussian_base)
    with pytest.raises(NotReadable, match=r"cos\(z\)"):
        by_equation(read_base(jumping, ONE))
    assert normalisation(jumping, Fraction(2), ONE).verdict is Verdict.REFUTED


# --- chi^2 and its domain ---------------------------------------------------------------------------


def test_chi_square_is_infinite_where_the_second_point_is_too_far() -> None:
    found = chi2_formula(catalog.get("exponential").tilted(2), ONE, ONE)
    assert found.verdict in FOR_ALL_Z
    assert found.certificate["beyond the edge"] == "infinite"
    assert "infinite where 2a - b leaves the domain" in found.evidence
    assert "finite for all a, b" in chi2_formula(poisson, S, ONE).evidence


def test_a_domain_cut_short_is_noticed_by_chi_square() -> None:
    short = family(exp(z), 0, sp.oo, poisson.log_base, 1, sp.Interval.open(-1, 1))
    assert normalisation(short, S, ONE).verdict in FOR_ALL_Z
    assert chi2_formula(short, S, ONE).verdict is Verdict.REFUTED


# --- analyticity -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("expr", "span", "wanted"), [
    (1 + exp(z), (-sp.oo, sp.oo), 1), (1 - exp(z), (-sp.oo, sp.S.Zero), 1), (exp(z) - 1, (-sp.oo, sp.S.Zero), -1),
    (exp(z) - 1, (-sp.oo, sp.oo), 0), (sp.cos(z), (-sp.pi / 2, sp.pi / 2), 1), (sp.cos(z), (-sp.pi / 2, sp.pi), 0),
    (1 + sp.erf(z), (-sp.oo, sp.oo), 1), (z**2 - 2, (sp.S(-1), sp.S.One), -1), (z**2 - 2, (sp.S.Zero, sp.S(2)), 0),
    (exp(z) - 1 - z, (sp.S.Zero, sp.oo), 1), (exp(z) - 2 * z, (-sp.oo, sp.oo), 0),
    (sp.besseli(1, z) / z, (sp.S.Zero, sp.oo), 1),
])  # fmt: skip
def test_signs_are_proved_or_left_open(expr: sp.Expr, span: tuple[sp.Expr, sp.Expr], wanted: int) -> None:
    assert sign(expr, span) == wanted


@pytest.mark.parametrize("lie", [sp.S(5), sp.S(-5), sp.S.Zero], ids=str)
def test_a_limit_that_sympy_gets_wrong_changes_no_answer(lie: sp.Expr, monkeypatch: pytest.MonkeyPatch) -> None:
    models = [catalog.get("poisson"), catalog.get("negative_binomial"), OUTSIDE["half-normal"]]
    honest = [normalisation(model, S, ONE) for model in models]
    monkeypatch.setattr(sp, "limit", lambda *asked, **how: lie)
    assert [normalisation(model, S, ONE) for model in models] == honest
    assert sign(exp(z) - 1, (-sp.oo, sp.oo)) == 0
    assert sign(1 - exp(z), (-sp.oo, sp.oo)) == 0


def test_removable_points_are_found_and_kinks_are_not_accepted() -> None:
    assert breaks(log(sp.sinh(z) / z), sp.S.Reals) == [0]
    assert breaks(log(1 + exp(z)), sp.S.Reals) == []
    for unsmooth in (sp.Abs(z), sp.Max(z, 0), 1 / z, log(z), sp.sqrt(1 + z), sp.atan(sp.tan(z)), sp.LambertW(z)):
        with pytest.raises(NotReadable):
            breaks(unsmooth, sp.S.Reals)
