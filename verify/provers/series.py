"""Infinite sums whose consecutive terms have a rational ratio, with a proved tail bound.

A series is given by its first term and by the ratio a(n+1)/a(n) = P(n)/Q(n) of two polynomials
with rational coefficients.  That covers every moment of the geometric, Poisson, negative binomial
and logarithmic laws, and the tail bound needs no trust: once |P(n)/Q(n)| <= r < 1 for all n >= N,
which is a statement about polynomials, the terms from N on sum to at most |a(N)| / (1 - r).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

from glbcheck.core.errors import BadInput
from glbcheck.core.exact import Exact, Relation, check_relation, decide, natural, rational
from glbcheck.verify.claim import Evidence, Verdict
from glbcheck.verify.provers.outcome import judge
from glbcheck.verify.provers.polynomials import combine, taylor, value

Polynomial = tuple[Fraction, ...]
"""Coefficients, constant term first."""

FIRST_TERMS, MOST_TERMS = 8, 512


@dataclass(frozen=True)
class Series:
    """a(start) + a(start+1) + …  with a(n+1) = a(n) · numerator(n) / denominator(n)."""

    first: Fraction
    numerator: Polynomial
    denominator: Polynomial
    start: int = 0

    def __post_init__(self) -> None:
        for number in (self.first, *self.numerator, *self.denominator):
            rational("series", number)


@dataclass(frozen=True)
class Enclosure:
    """The sum lies in [lower, upper]: `terms` of them are added up, the rest is below `ratio` geometric."""

    lower: Fraction
    upper: Fraction
    terms: int
    ratio: Fraction


def series(first: Exact, numerator: Sequence[Exact], denominator: Sequence[Exact], start: int = 0) -> Series:
    """A `Series` from exact numbers; the constant coefficient comes first.

    >>> enclose(series(1, [1], [2]), 4)  # 1 + 1/2 + 1/4 + …: a constant ratio is summed exactly
    Enclosure(lower=Fraction(2, 1), upper=Fraction(2, 1), terms=4, ratio=Fraction(1, 2))
    """
    top, bottom = _polynomial("numerator", numerator), _polynomial("denominator", denominator)
    if not any(bottom):
        raise BadInput("denominator", denominator, "a polynomial other than zero")
    if bottom[-1] < 0:
        # The tail test asks for a denominator that is positive in the long run.
        top, bottom = tuple(-c for c in top), tuple(-c for c in bottom)
    return Series(rational("first", first), top, bottom, natural("start", start))


def enclose(s: Series, terms: int) -> Enclosure | None:
    """The sum between two rationals, or None if no ratio below 1 is proved for the terms left out."""
    cut = s.start + natural("terms", terms, 1)
    ratio = _ratio_bound(s, cut)
    if ratio is None:
        return None
    partial, term = Fraction(0), s.first
    for n in range(s.start, cut):
        partial += term
        bottom = value(s.denominator, n)
        if bottom == 0:
            raise BadInput("denominator", f"zero at n = {n}", "no zero among n >= start")
        term = term * value(s.numerator, n) / bottom
    if len(s.numerator) == len(s.denominator) == 1:
        exact = partial + term / (1 - s.numerator[0] / s.denominator[0])
        return Enclosure(exact, exact, terms, ratio)
    rest = abs(term) / (1 - ratio)
    return Enclosure(partial - rest, partial + rest, terms, ratio)


def series_compare(parts: Sequence[tuple[Exact, Series]], relation: Relation, rhs: Exact) -> Evidence:
    """Decide  Σ cᵢ Sᵢ  relation  rhs  for rational cᵢ and series Sᵢ, by rational enclosures alone."""
    check_relation(relation)
    weights = [rational("coefficient", weight) for weight, _ in parts]
    target, terms = rational("rhs", rhs), FIRST_TERMS
    evidence = Evidence(Verdict.UNDECIDED, "exact", f"no ratio below 1 within {MOST_TERMS} terms")
    while terms <= MOST_TERMS:
        enclosures = [e for _, s in parts if (e := enclose(s, terms)) is not None]
        if len(enclosures) == len(parts):
            rows = [_replayed(c, s, e) for c, (_, s), e in zip(weights, parts, enclosures, strict=True)]
            ends = [sorted((c * e.lower, c * e.upper)) for c, e in zip(weights, enclosures, strict=True)]
            lower, upper = (sum((end[side] for end in ends), Fraction(0)) for side in (0, 1))
            facts, what = {"series": rows}, "the sum of the series"
            evidence = judge(lower, upper, relation, target, prover="exact", what=what, certificate=facts)
            if decide(lower, upper, relation, target) is not None:
                break
        terms *= 2
    return evidence


def dominated_sum(
    term: Callable[[int], Exact],
    majorant: Series,
    domination: Evidence,
    relation: Relation,
    rhs: Exact,
    terms: int = 64,
) -> Evidence:
    """Decide  Σ term(n)  relation  rhs, given evidence that |term(n)| <= majorant's a(n) for every n.

    The domination is checked again on every term that is added up; beyond them the evidence must be
    `proved` or `certified`, and the verdict is no stronger than it.
    """
    if domination.verdict not in (Verdict.PROVED, Verdict.CERTIFIED):
        raise BadInput("domination", str(domination.verdict), "evidence that is proved or certified")
    whole = enclose(majorant, terms)
    if whole is None:
        return Evidence(Verdict.UNDECIDED, "exact", f"no ratio below 1 after {terms} terms of the majorant")
    partial, bound, covered = Fraction(0), majorant.first, Fraction(0)
    for n in range(majorant.start, majorant.start + terms):
        summand = rational(f"term({n})", term(n))
        if abs(summand) > bound:
            raise BadInput(f"term({n})", str(summand), f"at most {bound} in size, as the domination says")
        partial, covered = partial + summand, covered + bound
        bound = bound * value(majorant.numerator, n) / value(majorant.denominator, n)
    rest = whole.upper - covered
    facts = {
        "majorant": _replayed(Fraction(1), majorant, whole),
        "tail": str(rest),
        "domination": {"prover": domination.prover, "summary": domination.summary},
    }
    return judge(
        partial - rest,
        partial + rest,
        relation,
        rational("rhs", rhs),
        prover="exact",
        what="the dominated sum",
        certificate=facts,
        positive=domination.verdict,
    )


def series_holds(certificate: Mapping[str, Any]) -> bool:
    """Replay one enclosure from its certificate: another summation order, another positivity test."""
    top, bottom = ([Fraction(c) for c in certificate[key]] for key in ("numerator", "denominator"))
    first, ratio = Fraction(certificate["first"]), Fraction(certificate["ratio"])
    start, terms = certificate["start"], certificate["terms"]
    lower, upper = Fraction(certificate["from"]), Fraction(certificate["to"])
    cut = start + terms
    size = max(len(top), len(bottom))
    wide = [side + [Fraction(0)] * (size - len(side)) for side in (top, bottom)]
    above, below = ([ratio * b + sign * t for t, b in zip(*wide, strict=True)] for sign in (1, -1))
    if not 0 <= ratio < 1 or any(min(_shift(side, cut)) < 0 for side in (above, below, bottom)):
        return False
    if value(bottom, cut) <= 0:
        return False
    nested, product = Fraction(0), first
    for n in reversed(range(start, cut)):
        nested = 1 + value(top, n) / value(bottom, n) * nested if n < cut - 1 else Fraction(1)
    for n in range(start, cut):
        product *= value(top, n) / value(bottom, n)
    partial, rest = first * nested, abs(product) / (1 - ratio)
    if len(top) == len(bottom) == 1:
        return lower <= partial + product / (1 - top[0] / bottom[0]) <= upper
    return lower <= partial - rest and partial + rest <= upper


def _replayed(weight: Fraction, s: Series, e: Enclosure) -> dict[str, Any]:
    """The certificate of an enclosure, once the replay has confirmed it."""
    certificate = {
        "weight": str(weight),
        "first": str(s.first),
        "numerator": [str(c) for c in s.numerator],
        "denominator": [str(c) for c in s.denominator],
        "start": s.start,
        "terms": e.terms,
        "ratio": str(e.ratio),
        "from": str(e.lower),
        "to": str(e.upper),
    }
    if not series_holds(certificate):
        raise AssertionError(f"the replay of a tail bound failed: {certificate}")
    return certificate


def _polynomial(argument: str, coefficients: Sequence[Exact]) -> Polynomial:
    exact = [rational(f"{argument}[{i}]", c) for i, c in enumerate(coefficients)]
    while len(exact) > 1 and exact[-1] == 0:
        exact.pop()
    if not exact:
        raise BadInput(argument, coefficients, "at least one coefficient")
    return tuple(exact)


def _ratio_bound(s: Series, cut: int) -> Fraction | None:
    """Some r < 1 with |numerator(n)| <= r·denominator(n) > 0 for all n >= cut, if one is proved."""
    bottom = taylor(s.denominator, cut)
    if min(bottom) < 0 or bottom[0] <= 0:
        return None
    least = abs(value(s.numerator, cut)) / bottom[0]
    if len(s.numerator) == len(s.denominator):
        least = max(least, abs(s.numerator[-1]) / s.denominator[-1])
    # A little above the necessary value leaves room for the coefficients in between.
    for room in (Fraction(0), Fraction(1, 8), Fraction(1, 2)):
        ratio = least + (1 - least) * room
        gaps = (combine(ratio, s.denominator, sign, s.numerator) for sign in (1, -1))
        if ratio < 1 and all(min(taylor(gap, cut)) >= 0 for gap in gaps):
            return ratio
    return None


def _shift(polynomial: Sequence[Fraction], cut: int) -> list[Fraction]:
    """The coefficients of polynomial(cut + k) in powers of k, by the binomial theorem."""
    return [
        sum((c * comb(i, j) * cut ** (i - j) for i, c in enumerate(polynomial) if i >= j), Fraction(0))
        for j in range(len(polynomial))
    ]
