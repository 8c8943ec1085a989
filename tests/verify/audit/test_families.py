"""Audits of families and non-families outside the catalogue, against 40-digit searches and known measures."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import mpmath
import pytest
import sympy as sp
from glbcheck.core.expression import parse
from glbcheck.core.family import from_log_partition, z
from glbcheck.verify.audit.spec import Options, read

from glbcheck import audit_family


class Case(NamedTuple):
    m: str
    S: str
    known: bool  # is it a log-partition function?
    domain: str | None = None


# The measure behind each is named; none of them is in the catalogue.
FAMILIES = [
    Case("log(1+exp(z)+exp(2*z))", "2", True),  # uniform on 0, 1, 2
    Case("log(2+exp(z))-log(3)", "2", True),  # 0 with mass 2/3, 1 with mass 1/3
    Case("2*log(cosh(z/2))", "1", True),  # sum of two fair signs of size 1/2
    Case("exp(z)+exp(2*z)", "1", True),  # Poisson in singles and in pairs
    Case("exp(exp(z))", "1", True),  # Poisson number of Poisson counts
    Case("z**2/2+exp(z)", "1", True),  # Gaussian plus Poisson
    Case("-log(1-exp(z)/2)", "1/2", True),  # geometric
    Case("-log(1-z**2)", "1/2", True),  # Laplace
    Case("-log(2-z)", "1", True),  # exponential of rate 2
    Case("1-sqrt(1-2*z)", "1/4", True),  # inverse Gaussian
    Case("loggamma(2+z)", "1", True),  # logarithm of a gamma variable
    Case("log((exp(2*z)-exp(-z))/(3*z))", "1", True),  # uniform on [-1, 2]
    Case("log(besseli(0,2*z))", "1", True),  # arcsine law on [-2, 2]
    Case("-log(cos(z/2))", "1", True),  # hyperbolic secant
    Case("log(1+exp(z)+exp(3*z))", "1", True),  # 0, 1 and 3
    Case("exp(z)-z", "1", True),  # Poisson minus one
    Case("cosh(z)-1+z**2/2", "1", True),  # Skellam plus Gaussian
    Case("5*log(1+exp(z/5))", "2", True),  # binomial in steps of 1/5
    Case("log(3+4*cosh(z)+cosh(2*z))", "1", True),  # symmetric on -2, ..., 2
    Case("log(cosh(z))+log(cosh(2*z))", "1", True),  # two signs of sizes 1 and 2
    Case("z**2/8+log(cosh(z))", "1", True),  # Gaussian plus a sign
]
NOT_FAMILIES = [
    Case("z**4", "1", False),  # variance 0 at 0, yet a fourth moment
    Case("z**2/2+z**4/24", "1", False),  # a polynomial of degree above 2
    Case("log(1+z**2)", "1/2", False), Case("z**2/2+sin(z)", "1", False),
    Case("log(2+cos(z))", "1", False),  # concave at 0
    Case("sqrt(1+z**2)", "1", False),  # a branch point at i, inside the strip
    Case("z*atan(z)-log(1+z**2)/2", "1", False),  # the same
    Case("-z**2", "1", False), Case("exp(z)-z**2/4", "1/2", False),  # concave far to the left
    Case("log(1+exp(z))/2", "1", False),  # the square root of a Bernoulli transform
    Case("3*log(1+exp(z))/2", "1", False), Case("log(2-cos(z))", "1", False),
    Case("log(2*exp(z)-1)", "1/2", False),  # a negative mass at 0
    Case("z**6+z**2", "1", False),
]  # fmt: skip


def audit(case: Case, **setting: Any) -> dict[str, Any]:
    family = read(case.m, Options(domain=case.domain)).family
    return audit_family(family, case.S, **setting)


@pytest.mark.parametrize("case", [*FAMILIES, *NOT_FAMILIES], ids=lambda case: case.m)
def test_the_audit_knows_whether_m_is_a_log_partition_function(case: Case) -> None:
    assert audit(case, only=("log_partition",))["is_log_partition"] is case.known


def extremes(m: sp.Expr, S: Fraction) -> dict[str, mpmath.mpf]:
    """L_mu, kappa and R_s on [-S, S] by a search with 60-digit numerical derivatives, refined three times."""
    f = sp.lambdify(z, m, modules=["mpmath"])
    found = {}
    with mpmath.workdps(60):

        @cache
        def derivatives(x: Any) -> tuple[Any, Any]:
            taylor = mpmath.taylor(f, x, 3, singular=True, h=mpmath.mpf(10) ** -12)
            return 2 * mpmath.re(taylor[2]), 6 * mpmath.re(taylor[3])

        sizes: dict[str, Any] = {
            "L_mu": lambda x: derivatives(x)[0],
            "kappa": lambda x: 1 / derivatives(x)[0],
            "R_s": lambda x: abs(derivatives(x)[1] / derivatives(x)[0]),
        }
        for name, size in sizes.items():
            end = mpmath.mpf(S.numerator) / S.denominator
            left, right = -end, end
            for _ in range(4):
                grid = [left + (right - left) * k / 30 for k in range(31)]
                best = max(grid, key=size)
                width = (right - left) / 30
                left, right = max(best - width, -end), min(best + width, end)
            found[name] = size(best)
    return found


@pytest.mark.parametrize("case", FAMILIES, ids=lambda case: case.m)
def test_certified_constants_bracket_a_search_at_forty_digits(case: Case) -> None:
    constants = audit(case, only=("kappa", "L_mu", "R_s"))["constants"]
    searched = extremes(parse(case.m, {"z": z}), Fraction(case.S))
    for name, value in searched.items():
        bracket = constants[name]
        assert bracket is not None, name
        assert bracket["lower"] * (1 - 1e-6) <= value <= bracket["upper"] * (1 + 1e-9), name
        assert bracket["upper"] <= bracket["lower"] * (1 + 1e-9)


@pytest.mark.parametrize(("m", "base", "support", "dispersion"), [
    ("log(1+exp(z)+exp(2*z))", "0", "integers:0,2", "1"), ("-log(2-z)", "-2*r", "interval:0,oo", "1"),
    ("exp(z)-z", "-loggamma(r+2)", "integers:-1,oo", "1"), ("-2*log(1-z)", "log(r)-r", "interval:0,oo", "1"),
    ("z**2", "-r**2/(4*g)-log(4*pi*g)/2", "interval:-oo,oo", "positive"),
])  # fmt: skip
def test_a_stated_base_measure_is_checked_and_a_wrong_one_refuted(
    m: str, base: str, support: str, dispersion: str
) -> None:
    def verdicts(base: str, *questions: str) -> dict[str, str]:
        found = read(m, Options(base=base, support=support, dispersion=dispersion)).family
        return {c["name"]: c["verdict"] for c in audit_family(found, "1/2", only=questions)["checks"]}

    exact = ("normalisation", "moments", "kl", "chi2")
    right, wrong = verdicts(base, *exact, "run"), verdicts(f"{base} + 1/100", "normalisation")
    for name in exact:
        assert right[name] in ("proved", "certified"), name
    assert right["run"] == "stress-tested"
    assert wrong["normalisation"] == "refuted"


def test_a_family_of_m_alone_says_what_it_cannot_do() -> None:
    found = audit_family(from_log_partition("three points", parse(FAMILIES[0].m, {"z": z})), 1)
    assert "nothing was stated" in found["not_asked"]["run"]
    assert any("--base" in line for line in found["advice"])
