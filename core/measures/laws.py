"""Base measures whose integral of exp(r u) is a classical one: their densities, where it is finite, and what it is.

A law is a log density on a support, in r and exact numbers, with the transform in the letter u = z/g.  The numbers are
the reader's to guess and this module's to check: density and transform must be, by normal forms, those that are stated.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from ..kernel.evaluate import closed_sign
from ..kernel.language import parse
from ..kernel.ring import same
from ..kernel.terms import Term, joined, number, require, substitute, term, variable
from .densities import rational
from .interval import Interval, number_of
from .series import Z
from .writing import opened

R, U = variable("r"), variable("u")
HALF, PI, MOST_POINTS = Fraction(1, 2), term("pi"), 300
Terms = list[Term]
_log, _exp, _gamma = (partial(term, name) for name in ("log", "exp", "loggamma"))


@dataclass(frozen=True)
class Law:
    """`support` as ends and step, `log_density` in r, `transform` in u for u below `edge` (None: for every u)."""

    numbers: int
    support: Callable[[Terms], tuple[str, str, str | None]]
    log_density: Callable[[Terms], Term]
    transform: Callable[[Terms], Term]
    positive: Callable[[Terms], Terms]  # what must be positive
    edge: Callable[[Terms], Term] | None = None


LAWS: Mapping[str, Law] = {
    # e^{c + br - ar^2} on the line.
    "gaussian": Law(
        3,
        lambda p: ("-oo", "oo", None),
        lambda p: p[2] + p[1] * R - p[0] * R**2,
        lambda p: _exp(p[2] + (p[1] + U) ** 2 * (p[0] * 4) ** -1) * (PI * p[0] ** -1) ** HALF,
        lambda p: [p[0]],
    ),
    # e^c r^{k-1} e^{-lr} on r > 0.
    "gamma": Law(
        3,
        lambda p: ("0", "oo", None),
        lambda p: p[2] + (p[0] - 1) * _log(R) - p[1] * R,
        lambda p: _exp(p[2] + _gamma(p[0]) - p[0] * _log(p[1] - U)),
        lambda p: [p[0]],
        lambda p: p[1],
    ),
    # e^c r^{-3/2} e^{-a/r - lr} on r > 0.
    "inverse-gaussian": Law(
        3,
        lambda p: ("0", "oo", None),
        lambda p: p[2] - _log(R) * Fraction(3, 2) - p[0] * R**-1 - p[1] * R,
        lambda p: _exp(p[2] - (p[0] * (p[1] - U)) ** HALF * 2) * (PI * p[0] ** -1) ** HALF,
        lambda p: [p[0]],
        lambda p: p[1],
    ),
    # e^c on a < r < b.
    "uniform": Law(
        3,
        lambda p: (str(rational(p[0])), str(rational(p[1])), None),
        lambda p: p[2],
        lambda p: _exp(p[2]) * (_exp(p[1] * U) - _exp(p[0] * U)) * U**-1,
        lambda p: [p[1] - p[0]],
    ),
    # e^c (s^2 - r^2)^{n - 1/2} on |r| < s: e^c pi^(1/2) Gamma(n + 1/2) (2s/u)^n I_n(su).
    "arcs": Law(
        3,
        lambda p: (str(rational(-p[1])), str(rational(p[1])), None),
        lambda p: p[2] + (p[0] - HALF) * _log(p[1] ** 2 - R**2),
        lambda p: _exp(p[2] + _gamma(p[0] + HALF)) * PI**HALF * (p[1] * 2 * U**-1) ** _whole(p[0])
        * term("besseli", p[0], p[1] * U),
        lambda p: [p[1], p[0] + HALF],
    ),
    # Lattices r = h k, k >= 0.  e^{c + bk} / k!: the exponential series.
    "poisson": Law(
        3,
        lambda p: ("0", "oo", str(rational(p[0]))),
        lambda p: p[2] + p[1] * R * p[0] ** -1 - _gamma(R * p[0] ** -1 + 1),
        lambda p: _exp(p[2] + _exp(p[1] + p[0] * U)),
        lambda p: [p[0]],
    ),
    # e^{c + bk} Gamma(k + n)/k!: the binomial series, for b + hu < 0.
    "negative-binomial": Law(
        4,
        lambda p: ("0", "oo", str(rational(p[0]))),
        lambda p: p[2] + p[1] * R * p[0] ** -1 + _gamma(R * p[0] ** -1 + p[3]) - _gamma(R * p[0] ** -1 + 1),
        lambda p: _exp(p[2] + _gamma(p[3]) - p[3] * _log(-_exp(p[1] + p[0] * U) + 1)),
        lambda p: [p[0], p[3]],
        lambda p: -p[1] * p[0] ** -1,
    ),
}  # fmt: skip


def _whole(n: Term) -> int:
    require(n.value is not None and n.value.denominator == 1 and 0 <= n.value < 100, f"{n} is not a small whole number")
    return int(n.value or 0)


def base_in(text: str) -> Term:
    return parse(text, {"r": R})


def integrates(m: Term, where: Interval, g: Fraction, base: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    """exp(m/g) is the integral of exp(r z/g) over the stated base for every z inside the interval; or `Rejected`."""
    require(data["law"] in LAWS, f"{str(data['law'])[:40]!r} is no law")
    law, p = LAWS[data["law"]], [parse(text, {}) for text in data["numbers"]]
    require(len(p) == law.numbers and all(closed_sign(x) is not None for x in p), "a law takes other numbers")
    require(all(closed_sign(x) == 1 for x in law.positive(p)), "a number must be positive")
    require(tuple(base["support"]) == law.support(p), "the support is another one")
    require(same(opened(law.log_density(p)), opened(base_in(base["log_density"]))), "the density is another one")
    if law.edge is not None:
        reach = law.edge(p) * g
        require(where.high is not None and closed_sign(reach - where.high) in (0, 1), "infinite for some z inside")
    found = substitute(law.transform(p), {"u": Z * (1 / g)})
    require(same(opened(found), opened(term("exp", m * (1 / g)))), f"the integral is {found}, not exp(m/g)")


def adds_up(m: Term, g: Fraction, base: Mapping[str, Any]) -> None:
    """exp(m/g) is the sum of exp(r z/g) b(r) over a finite lattice; or `Rejected`."""
    low, high, step = (number_of(text) for text in base["support"])
    steps = (high - low) / step if step > 0 else Fraction(-1)
    require(steps.denominator == 1 and 0 <= steps < MOST_POINTS, "the support is no finite lattice")
    density, rows = base_in(base["log_density"]), []
    for k in range(int(steps) + 1):
        r = low + k * step
        at = substitute(density, {"r": number(r)})
        require(closed_sign(term("exp", at)) == 1, f"the base has no value at r = {r}")  # at may be 0
        rows.append(term("exp", at + Z * (r / g)))
    require(same(opened(joined("+", rows)), opened(term("exp", m * (1 / g)))), "the sum is not exp(m/g)")
