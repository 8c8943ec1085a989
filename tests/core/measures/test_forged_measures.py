"""No measure is refuted, no forgery is accepted, and no formula is both derived and refuted."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.family import Family, z
from glbcheck.core.kernel.terms import Rejected
from glbcheck.core.laplace import Construction, Witness, construct, decide, refute
from glbcheck.core.laplace.derivation import derives, holds
from glbcheck.core.laplace.formula import where
from glbcheck.core.measures.check import check
from glbcheck.core.measures.densities import nonnegative
from glbcheck.core.measures.interval import Malformed
from glbcheck.core.measures.rules import ENDED, RULES, TRANSFORM
from glbcheck.core.measures.rules import derived as derivation
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.audit_answers import derived, document, refuted

LINE = sp.S.Reals
LEFT = sp.Interval.open(-sp.oo, 0)
small = st.integers(-3, 3)
positive = st.integers(1, 4).map(lambda n: sp.Rational(n, 2))


# --- measures built at random ---------------------------------------------------------------------------

atoms = st.one_of(
    small.map(lambda a: sp.exp(a * z)), positive.map(lambda q: sp.exp(q * z**2 / 4)),
    st.integers(1, 3).map(lambda a: sp.cosh(a * z)), positive,
)  # fmt: skip
transforms = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(positive, inner, inner).map(lambda t: t[0] * t[1] + t[2]),
        st.tuples(inner, inner).map(lambda t: t[0] * t[1]),
        inner.map(lambda f: f**2),
    ),
    max_leaves=4,
)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(transforms)
def test_mixtures_and_convolutions_are_derived_and_not_refuted(M: sp.Expr) -> None:
    m = sp.log(M)
    assert isinstance(construct(m, LINE), Construction)
    assert refute(m, LINE, quick=True) is None


@settings(max_examples=25, deadline=None, derandomize=True)
@given(transforms, st.integers(1, 3), positive)
def test_compound_poisson_laws_are_infinitely_divisible(M: sp.Expr, a: int, q: sp.Rational) -> None:
    tree = construct(M / 8 + q * z**2 - a * z, LINE)
    assert tree is not None
    assert tree.infinitely_divisible


# --- formulas built at random: never both answers ----------------------------------------------------------

formulas = st.recursive(
    st.one_of(st.just(z), small.map(sp.Integer), st.just(z**2 / 2)),
    lambda inner: st.one_of(
        inner.map(sp.exp),
        inner.map(sp.cosh),
        inner.map(lambda f: sp.log(1 + f**2)),
        inner.map(lambda f: sp.log(2 + sp.exp(f))),
        inner.map(lambda f: sp.sqrt(1 + f**2)),
        inner.map(lambda f: -sp.log(3 - f)),
        st.tuples(inner, inner).map(lambda t: t[0] + t[1]),
        st.tuples(inner, small).map(lambda t: t[0] * sp.Rational(t[1], 2)),
        st.tuples(inner, inner).map(lambda t: t[0] * t[1]),
    ),
    max_leaves=4,
)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(formulas, st.sampled_from([LINE, LEFT, sp.Interval.open(-1, 1)]))
def test_no_formula_is_both_derived_and_refuted(m: sp.Expr, domain: sp.Interval) -> None:
    if m.has(sp.zoo, sp.nan, sp.I):
        return
    tree = construct(m, domain)
    assert tree is None or refute(m, domain, quick=True) is None


# --- forged witnesses ------------------------------------------------------------------------------------

rationals = st.fractions(-4, 4, max_denominator=8)


@st.composite
def witnesses(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(["moments", "exponentials", "characteristic"]))
    points = draw(st.lists(rationals, min_size=1, max_size=4, unique=True))
    if kind == "moments":
        points = [Fraction(k) for k in range(len(points))]
    weights = draw(st.lists(rationals, min_size=len(points), max_size=len(points)))
    if kind == "characteristic":
        points, weights = [abs(draw(rationals))], []
    return Witness(kind, Fraction(1), draw(rationals), tuple(points), tuple(weights)).as_dict()


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.sampled_from(catalog.every()), witnesses())
def test_no_witness_against_a_family_of_the_catalogue_is_accepted(family: Family, data: dict[str, Any]) -> None:
    assert not refuted(family.log_partition, family.domain, data)


@pytest.mark.parametrize("m", [z**4, sp.sqrt(1 + z**2), sp.Abs(z) ** 3, sp.log(sp.cosh(z)) / 2], ids=lambda m: str(m))
def test_a_witness_is_accepted_as_found_and_not_with_other_numbers(m: sp.Expr) -> None:
    found = refute(m, LINE)
    assert found is not None
    data = found.as_dict()
    assert refuted(m, LINE, data)
    assert not refuted(m, LINE, data | {"weights": ["0"] * len(found.points)})
    assert not refuted(m, LINE, data | {"points": data["points"][1:]})
    assert not refuted(m, LINE, data | {"points": [*data["points"], "1/3"]})
    assert not refuted(z**2 / 2, LINE, data)
    outside = sp.Interval.open(sp.Integer(1000), 2000)
    assert not refuted(m, outside, data)


def test_a_witness_may_not_leave_the_domain() -> None:
    m = sp.Abs(z)
    found = refute(m, LINE)
    assert found is not None
    assert found.kind == "exponentials"
    reach = max(abs(found.z0 + 2 * x) for x in found.points)
    assert not refuted(m, sp.Interval.open(-sp.Rational(str(reach)), sp.Rational(str(reach))), found.as_dict())
    assert refuted(m, sp.Interval.open(-reach - 1, reach + 1), found.as_dict())


@pytest.mark.parametrize("change", [{"kind": "guess"}, {"z0": "0.5.1"}, {"points": None}, {"z0": "1/0"}])
def test_what_is_no_witness_is_refused(change: dict[str, Any]) -> None:
    found = refute(z**4, LINE)
    assert found is not None
    assert not refuted(z**4, LINE, found.as_dict() | {"form": "exp(z**4)"} | change)


def test_a_branch_cut_is_not_stepped_over() -> None:
    """sqrt((z - 1)^2 + 1) continued from 1 to 1 + 2i passes the branch point 1 + i: no value is given."""
    root = sp.sqrt((z - 1) ** 2 + 1)
    data = {"kind": "characteristic", "power": "1", "z0": "1", "points": ["2"], "weights": []}
    assert not refuted(5 * root, LINE, data)
    assert not refuted(-5 * root, LINE, data)


# --- forged derivations -----------------------------------------------------------------------------------

DERIVED = [
    (sp.log(1 + sp.exp(z)), LINE), (-2 * sp.log(2 - sp.exp(z)), sp.Interval.open(-sp.oo, sp.log(2))),
    (-sp.sqrt(1 - 2 * z), sp.Interval.open(-sp.oo, sp.Rational(1, 2))), (sp.log(sp.sinh(z) / z) + z**2, LINE),
    (sp.log(sp.exp(sp.exp(z)) - 1), LINE), (sp.log((sp.exp(z) * (z - 2) + z + 2) / z**3), LINE),
    (z**2 / 2 + sp.log(1 + z**2), LINE), (z**2 / 2 + sp.log(1 + sp.erf(z / 2)), LINE),
    (sp.log((1 - z / 2) / (1 - z)), sp.Interval.open(-sp.oo, 1)), (sp.log(1 - sp.sqrt(1 - sp.exp(z))), LEFT),
    (sp.log(-sp.log(1 - sp.exp(z))), LEFT), (-sp.log(sp.cos(z)), sp.Interval.open(-1, 1)),
    (z * sp.log(z), sp.Interval.open(0, sp.oo)),
]  # fmt: skip


@pytest.mark.parametrize(("m", "domain"), DERIVED, ids=lambda x: str(x))
def test_a_derivation_with_any_number_changed_is_rejected(m: sp.Expr, domain: sp.Interval) -> None:
    tree = construct(m, domain)
    assert tree is not None
    data = tree.tree
    assert derived(m, domain, data)
    forgeries = list(changed(data))
    assert forgeries
    assert not any(derived(m, domain, forged) for forged in forgeries)
    assert not derived(m + z**2, domain, data)
    assert not derived(m, domain, data, power=Fraction(2))


def changed(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Copies of the derivation, each with one parameter replaced or one part left out."""
    copies = []
    for i, text in enumerate(data["parameters"]):
        for other in (f"({text}) + 1", f"-({text}) - 1/7", "z**2"):
            copy = deepcopy(data)
            copy["parameters"][i] = other
            copies.append(copy)
    for i, part in enumerate(data["parts"]):
        shorter = deepcopy(data)
        del shorter["parts"][i]
        copies.append(shorter)
        for inner in changed(part):
            copy = deepcopy(data)
            copy["parts"][i] = inner
            copies.append(copy)
    return copies


@pytest.mark.parametrize("data", [
    {"rule": "constant", "parameters": ["-1"], "parts": []},
    {"rule": "quadratic", "parameters": ["1", "0", "0"], "parts": []},  # an exponent, not a transform
    {"rule": "mixture", "parameters": [], "parts": []}, {"rule": "uniform", "parameters": ["z", "z**2"], "parts": []},
    {"rule": "bessel", "parameters": ["1/2", "z"], "parts": []},
    {"rule": "bessel", "parameters": ["0", "z**2"], "parts": []},
    {"rule": "half-gaussian", "parameters": ["-1", "z", "1"], "parts": []},
    {"rule": "half-gaussian", "parameters": ["1", "z", "-1", "1"], "parts": []},  # r - 1 is negative below 1
    {"rule": "half-gaussian", "parameters": ["1", "z"], "parts": []},
    {"rule": "weighted-gaussian", "parameters": ["1", "z", "0", "1"], "parts": []},  # r is negative below 0
    {"rule": "weighted-gaussian", "parameters": ["1", "z", "0"], "parts": []},
    {"rule": "weighted-gaussian", "parameters": ["1", "z**2", "1"], "parts": []},
    {"rule": "spline", "parameters": ["z", "0", "1", "-1"], "parts": []},  # r > 0 has no transform on the line
    {"rule": "spline", "parameters": ["z", "0", "0", "-1"], "parts": []},  # a negative atom
    {"rule": "spline", "parameters": ["z", "0", "1", "1", "1", "1", "-1"], "parts": []},  # -1 on (0, 1)
    {"rule": "spline", "parameters": ["z", "0", "2", "1", "1", "2", "-4", "2", "2", "3"], "parts": []},
    {"rule": "spline", "parameters": ["z", "0", "-1", "1"], "parts": []},
    {"rule": "spline", "parameters": ["z"], "parts": []},
    {"rule": "spline", "parameters": ["z", "0", "1/2", "1"], "parts": []},
    {"rule": "spline", "parameters": ["z**2", "0", "0", "1"], "parts": []},
    {"rule": "frullani", "parameters": ["1"], "parts": [
        {"rule": "quadratic", "parameters": ["0", "1", "0"], "parts": []}]},
    {"rule": "sibuya", "parameters": ["1/2"], "parts": [{"rule": "constant", "parameters": ["2"], "parts": []}]},
    {"rule": "sibuya", "parameters": ["2"], "parts": [{"rule": "constant", "parameters": ["1/2"], "parts": []}]},
])  # fmt: skip
def test_a_rule_is_not_applied_where_it_does_not_hold(data: dict[str, Any]) -> None:
    """Whatever formula the step would give, it is not accepted for it."""
    for m in (sp.S.Zero, z**2, sp.log(sp.besseli(0, z))):
        assert not derived(m, LINE, data)
    with pytest.raises((Rejected, ValueError)):
        derivation(data, TRANSFORM, where(LINE).interval)


@pytest.mark.parametrize("change", [{"rule": "magic"}, {"parameters": ["__import__"]}, {"parts": 3}])
def test_what_is_no_derivation_is_refused(change: dict[str, Any]) -> None:
    tree = decide(sp.exp(z), LINE)
    assert isinstance(tree, Construction)
    assert derived(sp.exp(z), LINE, tree.tree)
    assert not derived(sp.exp(z), LINE, tree.tree | change)


@pytest.mark.parametrize("hidden", [
    sp.atan(z - 2) + sp.atan(1 / (z - 2)), sp.sqrt((z - 2) ** 2 + (z - 2) ** 4) / sp.sqrt(1 + (z - 2) ** 2),
], ids=["jump", "kink"])  # fmt: skip
def test_a_second_derivative_derives_nothing_across_a_jump_or_a_kink(hidden: sp.Expr) -> None:
    """Formally the second derivative of z^2 + hidden is 2, that of a Gaussian exponent."""
    m = z**2 + hidden
    two = Construction("constant", (sp.Integer(2),))
    tree = Construction("exponential", (), (Construction("kolmogorov", (m,), (two,)),))
    assert not derives(tree, m, sp.S.Reals)
    assert not isinstance(decide(m, sp.S.Reals), Construction)
    plain = Construction("exponential", (), (Construction("kolmogorov", (z**2,), (two,)),))
    assert derives(plain, z**2, sp.S.Reals)


# --- densities, and continuations around a branch point ---------------------------------------------------------

coefficients = st.lists(st.integers(-3, 3), min_size=1, max_size=5)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(coefficients, st.integers(-2, 1), st.integers(1, 3))
def test_a_polynomial_called_nonnegative_is_so_on_a_fine_grid(values: list[int], low: int, width: int) -> None:
    p = [Fraction(c) for c in reversed(values)]

    def negative(k: int, steps: int) -> bool:
        """Is p below 0 after k of the steps from one end to the other?  In whole numbers."""
        total = 0
        for i, c in enumerate(values):
            total = total * (low * steps + width * k) + c * steps**i
        return total < 0

    if nonnegative(p, Fraction(low), Fraction(low + width)):
        assert not any(negative(k, 400) for k in range(1, 400))
    else:
        assert any(negative(k, 40_000) for k in range(1, 40_000, 7))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(st.integers(-2, 2), min_size=3, max_size=4))
def test_a_spline_that_is_somewhere_negative_is_never_derived(heights: list[int]) -> None:
    """Steps of these heights on (0, 1), (1, 2), ...: a transform exactly if no height is negative."""
    steps = [b - a for a, b in zip([0, *heights], [*heights, 0], strict=True)]
    M = sp.Add(*(-c * sp.exp(k * z) / z for k, c in enumerate(steps)))
    data = [x for k, c in enumerate(steps) for x in (sp.Integer(k), sp.S.One, sp.Integer(-c))]
    tree = Construction("spline", (z, *data))
    assert holds(tree, TRANSFORM, where(LINE)) == (min(heights) >= 0)
    if min(heights) >= 0 and any(heights):
        assert derives(tree, sp.log(M), LINE)


# --- what ended with glbcheck-answer/1 ------------------------------------------------------------------------

TIMED = {"rule": "quadratic", "parameters": ["0", "1", "0"], "parts": []}
HALVED = {"power": "1/2", "z0": "0", "weights": [], "imaginary": [], "form": "1 + exp(z)"}
EARLIER = [
    ("log(tan(z)/z)", ["-1", "1"], "yes", {"tree": {"rule": "tangent", "parameters": ["z"], "parts": []}}),
    ("-log(cosh(sqrt(-z)))", ["-oo", "0"], "yes", {"tree": {"rule": "exponential", "parameters": [], "parts": [
        {"rule": "cosh-time", "parameters": [], "parts": [TIMED]}]}}),
    ("z*log(z)", ["0", "oo"], "yes", {"tree": {"rule": "exponential", "parameters": [], "parts": [
        {"rule": "landau", "parameters": ["z"], "parts": []}]}}),
    ("log(1 + exp(z))", ["-oo", "oo"], "no", {"witness": {
        **HALVED, "kind": "zeros", "points": ["-1/8", "1/8", "3", "13/4", "2"]}}),
    ("sqrt(100 + z**2)", ["-oo", "oo"], "no", {"witness": {
        **HALVED, "power": "1", "kind": "jump", "points": ["-10", "10", "-1/8", "1/8", "25/2", "10"]}}),
    ("z**4", ["-oo", "oo"], "no", {"witness": {**HALVED, "power": "1", "kind": "characteristic", "points": ["0", "1"],
     "weights": ["1", "-1"], "imaginary": ["0", "0"], "form": "exp(z**4)"}}),
]  # fmt: skip


@pytest.mark.parametrize("version", ["glbcheck-answer/1", "glbcheck-answer/2"])
@pytest.mark.parametrize(("m", "domain", "answer", "by"), EARLIER)
def test_what_ended_with_the_first_format_is_refused_in_one_sentence(
    m: str, domain: list[str], answer: str, by: dict[str, Any], version: str
) -> None:
    g = str(1 / Fraction(by["witness"]["power"])) if "witness" in by else "1"
    asked = {"format": version, "question": "dispersions", "answer": answer, "S": "1", "g": "1"}
    with pytest.raises(Malformed, match=r"^[^;\n]* ended with glbcheck-answer/1; audit the family again$"):
        check({**asked, "family": {"m": m, "domain": domain}, "by": {"answers": [{"g": g, **by}]}})


def test_no_rule_that_ended_is_a_rule_and_what_did_not_end_is_still_read() -> None:
    assert len(ENDED) == 9
    assert not set(ENDED) & set(RULES)
    kept = document("log(1+exp(z))", "log_partition", 2)
    assert check({**kept, "format": "glbcheck-answer/1"}) == check(kept)


def test_a_power_of_an_infinitely_divisible_law_is_accepted_for_that_power_and_that_law_alone() -> None:
    m, below = sp.log((1 - z / 2) / (1 - z)), sp.Interval.open(-sp.oo, 1)
    tree = construct(m, below, power=Fraction(1, 2))
    assert tree is not None
    assert derives(tree, m, below, Fraction(1, 2))
    assert not derives(tree, m, below, Fraction(1, 3))
    assert not derives(tree, m, below)
    assert not derives(tree, 2 * m, below, Fraction(1, 2))
    assert not derives(tree, m + z, below, Fraction(1, 2))
    assert construct(sp.log(1 + sp.exp(z)), LINE, power=Fraction(1, 2)) is None
