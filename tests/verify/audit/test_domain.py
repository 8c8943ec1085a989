"""Where m lives: found, stated, or asked for; a domain that is too large or too small proves nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.errors import BadInput
from glbcheck.core.expression import parse
from glbcheck.core.family import Family, from_log_partition, z
from glbcheck.verify.audit import shape
from glbcheck.verify.audit.documents import gated
from glbcheck.verify.audit.domain import formula, natural_domain
from glbcheck.verify.audit.spec import Options, read
from glbcheck.verify.audit.subject import subject
from glbcheck.verify.certificate import accepted
from glbcheck.verify.claim import Verdict

from glbcheck import audit_family


def domain_of(text: str) -> sp.Interval:
    return natural_domain(parse(text, {"z": z}))


def verdicts(spec: str, S: object, *names: str, **stated: str) -> dict[str, str]:
    family = read(spec, Options(**stated)).family
    return {c["name"]: str(c["verdict"]) for c in audit_family(family, S, only=names)["checks"]}


@pytest.mark.parametrize(("text", "low", "high"), [
    ("gamma(z)", 0, sp.oo), ("gamma(3-z)", -sp.oo, 3), ("-log(cos(z))", -sp.pi / 2, sp.pi / 2),
    ("-log(sin(z)/z)", -sp.pi, sp.pi), ("log((exp(z)-1)/z)", -sp.oo, sp.oo), ("-log((z-1)*(z-2))", -sp.oo, 1),
    ("-sqrt(1-z**2)", -1, 1), ("log(gamma(z+1)*gamma(1-z))", -1, 1), ("log(2+cos(z))", -sp.oo, sp.oo),
    ("log((z-1)*(z-1-1/10**12))", -sp.oo, 1), ("-log((1+1/10**12-z)*(z-1))", 1, 1 + sp.Rational(1, 10**12)),
    ("1/(cosh(z)-1)", -sp.oo, 0), ("log(exp(z)-2*z)", -sp.oo, sp.oo), ("1/(exp(z)-1-z)", -sp.oo, 0),
    ("log((exp(z)*(z-2)+z+2)/z**3)", -sp.oo, sp.oo), ("log(besseli(1,3*z)/z)", -sp.oo, sp.oo),
    ("log(besseli(1,3*z-1))", sp.Rational(1, 3), sp.oo), ("log(tan(z)/z)", -sp.pi / 2, sp.pi / 2),
    ("z/tan(z)", -sp.pi, sp.pi), ("-log(2-exp(z/2))", -sp.oo, 2 * sp.log(2)),
    ("-log(1-z/(2-sqrt(2)))", -sp.oo, 2 - sp.sqrt(2)), ("-log(1-sqrt(2)*exp(z))", -sp.oo, sp.log(sp.sqrt(2) / 2)),
    ("log(1+sqrt(pi/2)*z*exp(z**2/2)*(1+erf(z/sqrt(2))))", -sp.oo, sp.oo), ("log(exp(z)-1-z-z**2/2)", 0, sp.oo),
])  # fmt: skip
def test_the_interval_next_to_0_is_found(text: str, low: sp.Expr, high: sp.Expr) -> None:
    assert (domain_of(text).inf, domain_of(text).sup) == (low, high)


@pytest.mark.parametrize(
    "text",
    [
        "tan(z**2) + z**2",
        "log(besseli(1/2, z)/sqrt(z))",
        "sqrt(z**2 + z**4)",
        "1/(1-cos(z))",
        "1/(z**2+sin(z)**2)",
        "log(cos(z)+2*exp(z))",
    ],  # zeros of even order
)
def test_what_is_not_told_apart_is_asked_for(text: str) -> None:
    with pytest.raises(BadInput, match="--domain"):
        domain_of(text)


@pytest.mark.parametrize("text", ["0*log(z) + z**2", "z**2/z", "exp(log(z))", "1/(1/(z-1)) + z**2"])
def test_what_limits_the_domain_must_not_cancel(text: str) -> None:
    with pytest.raises(BadInput, match="does not cancel"):
        read(text, Options())


@pytest.mark.parametrize(("text", "S", "verdict"), [
    ("log(1+exp(z))", 700, Verdict.CERTIFIED), ("log(sinh(z)/z)", 3, Verdict.CERTIFIED),
    ("abs(z)", 2, Verdict.CERTIFIED), ("-log(1-z)", 3, Verdict.REFUTED), ("log(2-z**2)", 2, Verdict.REFUTED),
    ("log(exp(z**2)-1)", 1, Verdict.REFUTED), ("tan(z**2)", 3, Verdict.UNDECIDED), ("sin(1/z)", 1, Verdict.UNDECIDED),
])  # fmt: skip
def test_a_stated_domain_is_believed_only_where_m_is_finite(text: str, S: int, verdict: Verdict) -> None:
    family = from_log_partition(text, parse(text, {"z": z}), sp.S.Reals)
    assert shape.finite(family, Fraction(S)).verdict is verdict


def test_a_domain_that_merely_stops_does_not_make_m_infinite_beyond() -> None:
    assert verdicts("log(1+exp(z))", 1, "growth", domain="-2,2")["growth"] == "undecided"


@pytest.mark.parametrize("name", ["exponential", "gamma", "inverse_gaussian", "hyperbolic_secant"])
def test_a_natural_end_is_seen_to_be_one(name: str) -> None:
    family = catalog.get(name)
    ends = [end for end in (family.domain.inf, family.domain.sup) if end.is_finite]
    assert ends
    assert all(shape.ends_at(family.log_partition, end) for end in ends)


def test_a_jump_hidden_in_a_stated_domain_is_not_passed_over() -> None:
    """atan(z - 2) + atan(1/(z - 2)) is -pi/2 left of 2 and pi/2 right of it; its formal derivative is 0."""
    found = verdicts("z**2 + atan(z-2) + atan(1/(z-2))", 1, "log_partition", "R_s_global", "growth", domain="-oo,oo")
    assert found["domain"] == "certified"
    assert found["log_partition"] == "refuted"
    assert found["R_s_global"] == found["growth"] == "undecided"


def convexity(family: Family, S: Fraction) -> Verdict:
    """What the checker of answers leaves of it, from the file alone."""
    return gated(subject(family, S), "convexity", "m'' >= 0", shape.convex_everywhere(family, S)).verdict


@pytest.mark.parametrize("spec", ["bernoulli", "rademacher", "truncated_poisson", "sqrt(1+z**2)", "exp(exp(z))"])
def test_convexity_is_proved_by_the_kernel_however_far_out(spec: str) -> None:
    family = read(spec, Options()).family
    for question in (shape.convex, shape.slope):
        found = question(family, Fraction(700))
        assert found.verdict is Verdict.PROVED
        assert accepted(found.certificate).word == "proved"
    assert convexity(family, Fraction(700)) is Verdict.PROVED


@pytest.mark.parametrize("name", ["negative_binomial", "geometric", "gamma", "inverse_gaussian"])
def test_convexity_is_proved_up_to_the_end_of_the_domain(name: str) -> None:
    assert convexity(catalog.get(name).tilted(5), Fraction(2)) is Verdict.PROVED


def test_a_second_derivative_proves_nothing_about_an_m_without_a_value() -> None:
    """log(-exp(z)) is nowhere real, although its formal derivatives are."""
    nowhere = from_log_partition("nowhere", sp.log(-sp.exp(z), evaluate=False) + z**2, sp.S.Reals)
    assert not shape.convex(nowhere, Fraction(1)).verdict.positive


def test_far_out_convexity_comes_from_the_half_lines_where_the_kernel_has_no_tail() -> None:
    family = catalog.get("von_mises")
    assert shape.convex(family, Fraction(700)).verdict is Verdict.CERTIFIED
    assert shape.slope(family, Fraction(700)).verdict is Verdict.CERTIFIED
    bent = from_log_partition("bent", z**2 / 2 + sp.exp(-((z - 30) ** 2)), sp.S.Reals)  # m'' < 0 near 30
    assert not shape.convex(bent, Fraction(40)).verdict.positive


@pytest.mark.parametrize(("spec", "support", "verdict"), [
    ("log(1+exp(z))", "0,2", "refuted"), ("log(1+exp(z))", "interval:0,1", "refuted"),
    ("exp(z)", "interval:0,oo", "refuted"), ("log((exp(z)-1)/z)", "interval:0,2", "stress-tested"),
    ("z**2/2", "integers:-oo,oo", "refuted"), ("-log(1-z)", "integers:0,oo", "refuted"),
    ("exp(2*z)", "lattice:0,oo,2", "stress-tested"), ("exp(z)", "lattice:0,oo,2", "refuted"),
    ("z**2/2 + exp(z)", "interval:-oo,oo", "absent"), ("log(besseli(0,z))", "integers:-1,1", "refuted"),
    ("2*log(1+exp(z))", "0,2", "refuted"), ("z**2/2", "interval:0,oo", "refuted"),
    ("z**2/200", "interval:-1/20,1/20", "refuted"),
])  # fmt: skip
def test_mean_and_variance_must_fit_the_support(spec: str, support: str, verdict: str) -> None:
    assert verdicts(spec, Fraction(1, 2), "support", support=support).get("support", "absent") == verdict


@pytest.mark.parametrize(
    ("m", "low", "high"),
    [
        ("log(exp(2*z)-exp(-z))-log(z)", "0", "oo"),
        ("log(cosh(sqrt(z)))", "0", "oo"),
        ("log((exp(2*z)-exp(-z))/z)", "-oo", "oo"),
        ("log(sinh(z))-log(z)", "0", "oo"),
        ("log(sinh(z)/z)", "-oo", "oo"),
        ("sqrt(z)*sqrt(z-1)", "1", "oo"),
    ],
)
def test_where_two_parts_are_not_real_their_difference_is_no_value(m: str, low: str, high: str) -> None:
    found = natural_domain(formula("m", m, {"z": z}))
    assert (str(found.inf), str(found.sup)) == (low, high)
