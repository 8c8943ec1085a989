"""The questions of an audit, in the order they are asked; the one list behind CLI, API and pytest.

Each names the questions whose yes it needs: the constants of a family that is not convex mean nothing, and
are not asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from time import process_time
from typing import Any

import sympy as sp

from core import concordance
from core.concordance import Constant
from core.enclosure import ball, float_below, jet_function, precision
from core.errors import BadInput
from core.family import ANY, ONE, interval_text, z
from verify.audit import learner, shape
from verify.audit.check import Finding
from verify.audit.domain import natural_domain
from verify.audit.subject import Subject
from verify.audit.support import mean_inside
from verify.claim import Verdict

OTHER_DISPERSIONS = (Fraction(1, 2), Fraction(2), Fraction(1, 3))
FORMAL = "but the formula is not seen to be smooth on the whole domain that is stated"
WIDEST = 1e-9  # relative width a certified bracket may have
Decide = Callable[[Subject], Finding]


@dataclass(frozen=True)
class Item:
    """One question: what it needs a yes to, seconds it may take (full, quick), when it makes sense."""

    name: str
    text: str
    decide: Decide
    needs: tuple[str, ...] = ()
    seconds: tuple[float, float] = (10.0, 3.0)
    asked: Callable[[Subject], bool] = lambda subject: True


# --- the interval and the constants ------------------------------------------------------------------------


def domain(subject: Subject) -> Finding:
    """[-S, S] lies inside the stated or found domain, and m has a finite real value at each of its points."""
    try:
        subject.family.check_radius(subject.S)
    except BadInput as refusal:
        return Finding(Verdict.REFUTED, refusal.accepted.replace("; try .tilted(a)", ""))
    return shape.finite(subject.family, subject.S)


def constant(name: str, subject: Subject) -> Finding:
    """A certified finite bracket answers yes, an exact infinity answers no."""
    whole = name == "R_s_global"
    found: Constant = (
        concordance.R_s_global(subject.family)
        if whole
        else getattr(concordance, name)(subject.family, subject.S)
    )
    if found.exact == "oo":
        return Finding(Verdict.REFUTED, f"infinite: {found.attained}", found.as_dict())
    if whole and not _shown(found, subject):
        return Finding(Verdict.UNDECIDED, f"mu''/mu' is formally constant, {FORMAL}")
    narrow = found.upper - found.lower <= WIDEST * found.lower
    value = f"{found.lower:.10g}"
    if found.exact not in (None, value):
        value += f" = {found.exact}"
    verdict = Verdict.CERTIFIED if narrow else Verdict.UNDECIDED
    return Finding(verdict, f"{value}, {found.attained}", found.as_dict())


def _shown(whole: Constant, subject: Subject) -> bool:
    """A ratio that is formally constant says nothing where m jumps, in a stated domain that is too large."""
    if whole.attained != "everywhere":
        return True
    try:
        natural = natural_domain(subject.family.log_partition)
    except BadInput:
        return False
    return bool(subject.family.domain.is_subset(natural))


def smooth(subject: Subject) -> Finding:
    return shape.smooth(subject.family, subject.S)


def convex(subject: Subject) -> Finding:
    return shape.convex(subject.family, subject.S)


def in_support(subject: Subject) -> Finding:
    return mean_inside(subject.family, subject.g)


def convex_everywhere(subject: Subject) -> Finding:
    return shape.convex_everywhere(subject.family, subject.S)


def slope(subject: Subject) -> Finding:
    return shape.slope(subject.family, subject.S)


# --- log-partition function --------------------------------------------------------------------------------


def log_partition(subject: Subject) -> Finding:
    """A measure that has m as its log-partition function, or an expectation of a square that is negative."""
    from core import laplace

    found = laplace.decide(subject.family.log_partition, subject.family.domain, quick=subject.quick)
    if found is None:
        words = "no measure was constructed, and no necessary condition was violated"
        return Finding(Verdict.UNDECIDED, words)
    verdict = Verdict.REFUTED if isinstance(found, laplace.Witness) else Verdict.PROVED
    return Finding(verdict, found.words, found.as_dict())


def dispersions(subject: Subject) -> Finding:
    """For which g is m/g a log-partition function too?"""
    from core import laplace

    found = laplace.dispersions(subject.family.log_partition, subject.family.domain, quick=subject.quick)
    stated, allows = subject.family.dispersions is not ANY, subject.family.dispersions.allows
    impossible = [1 / s for s, answer in found.answers if isinstance(answer, laplace.Witness)]
    if stated and (wrong := [str(g) for g in impossible if allows(float(g))]):
        words = f"{subject.family.dispersions.words} is stated; impossible for g = {', '.join(wrong)}"
        return Finding(Verdict.REFUTED, words, found.as_dict())
    known = any(isinstance(answer, laplace.Construction) for _, answer in found.answers)
    return Finding(Verdict.PROVED if known else Verdict.UNDECIDED, found.words, found.as_dict())


def with_base(name: str, subject: Subject) -> Finding:
    from verify.audit import density

    decide = getattr(density, name)
    found: Finding = decide(subject.family, subject.S, subject.g)
    return found


def normalisation(subject: Subject) -> Finding:
    """Mass one at the dispersion of the audit, and at others that the family allows while there is time."""
    from verify.audit import density

    started, share = process_time(), 0.3 if subject.quick else 6.0
    found = density.normalisation(subject.family, subject.S, subject.g)
    settled: list[Fraction] = [subject.g]
    open_at: list[Fraction] = []
    for g in OTHER_DISPERSIONS:
        if g == subject.g or not subject.family.dispersions.allows(float(g)):
            continue
        if not found.verdict.positive or process_time() - started > share:
            break
        other = density.normalisation(subject.family, subject.S, g)
        if other.verdict is Verdict.REFUTED:
            return Finding(Verdict.REFUTED, f"at g = {g}: {other.evidence}", other.certificate)
        (settled if other.verdict.positive else open_at).append(g)
        if other.verdict.positive:
            found = max(found, other, key=lambda one: one.verdict.rank)
    words = found.evidence
    if len(settled) > 1 or subject.family.dispersions is not ONE:
        words += f"; at g = {', '.join(map(str, settled))}"
    if open_at:
        words += f", not settled at g = {', '.join(map(str, open_at))}"
    return Finding(found.verdict, words, found.certificate)


# --- what the confidence sequence needs --------------------------------------------------------------------


def supermartingale(subject: Subject) -> Finding:
    """E[rho^w] = exp(-J/g), J = (1-w) m(z*) + w m(z) - m((1-w) z* + w z): at most 1 because m is convex.

    The formula holds for every family (with p the densities, rho = p(r|z)/p(r|z*) under z*).  That J >= 0
    follows from convexity; here J is also enclosed at exact points.
    """
    m = jet_function(subject.family.log_partition, z)
    S, g = subject.S, subject.g
    points = [S * k / 4 for k in range(-4, 5)]
    smallest: tuple[Any, ...] | None = None
    with precision(128):
        for at, true in ((a, b) for a in points for b in points if a != b):
            for w in (Fraction(1, 10), Fraction(1, 2), Fraction(99, 100)):
                gap = ball(1 - w) * m(true, 1)[0] + ball(w) * m(at, 1)[0] - m((1 - w) * true + w * at, 1)[0]
                if gap < 0:
                    where = {"z": str(at), "z_star": str(true), "w": str(w)}
                    words = f"E[rho^w] > 1 at z* = {true}, z = {at}, w = {w}: m is not convex there"
                    return Finding(Verdict.REFUTED, words, where)
                if smallest is None or gap < smallest[0]:
                    smallest = gap, at, true, w
        assert smallest is not None
        step = (-smallest[0] / ball(g)).exp()
    words = (
        "if rewards have log-partition function m, E[rho^w] = exp(-J/g) <= 1 as m is convex; at most "
        f"{float(step.mid()):.12g} at the points tried"
    )
    # The identity is exact; that m is convex was certified.
    return Finding(Verdict.CERTIFIED, words, {"jensen_gap_at_least": float_below(smallest[0])})


def growth(subject: Subject) -> Finding:
    """m(z + y) - m(z) - mu(z) y <= mu'(z)(e^{R|y|} - 1 - R|y|)/R^2 for z in [-S, S] and every real y.

    This is what the confidence sequence really uses.  It follows when R_s on [-S, S] is R_s on the line;
    on a half-line domain it fails, since m is infinite for large |y|.
    """
    family = subject.family
    if family.domain != sp.S.Reals:
        return _beyond_domain(subject)
    local, whole = concordance.R_s(family, subject.S), concordance.R_s_global(family)
    if not _shown(whole, subject):
        return Finding(Verdict.UNDECIDED, f"mu''/mu' is formally constant, {FORMAL}")
    if whole.exact != "oo" and whole.upper <= local.upper * (1 + WIDEST):
        return Finding(Verdict.CERTIFIED, f"R_s = {local.upper:.10g} holds on the whole line already")
    if whole.exact != "oo":
        words = (
            f"holds with R_s = {whole.upper:.10g}, the value for the whole line, not shown with "
            f"{local.upper:.10g}; the repaired constants use the larger one"
        )
        return Finding(Verdict.CERTIFIED, words)
    return _outgrown(subject, local) or Finding(
        Verdict.UNDECIDED, "R_s is infinite on the whole line; whether the weaker bound holds is open"
    )


def _beyond_domain(subject: Subject) -> Finding:
    """Where m cannot be continued the integral is infinite; a domain that merely stops proves nothing."""
    shown = interval_text(subject.family.domain)
    ends = [end for end in (subject.family.domain.inf, subject.family.domain.sup) if end.is_finite]
    if any(shape.ends_at(subject.family.log_partition, end) for end in ends):
        words = f"m is infinite outside {shown}, and the mixture looks at every z"
        return Finding(Verdict.REFUTED, words, {"y": "beyond the domain"})
    return Finding(Verdict.UNDECIDED, f"m is stated on {shown} only, and does not visibly end there")


def _outgrown(subject: Subject, local: Constant) -> Finding | None:
    """An exact z in [-S, S] and y where m grows faster than exp(R |y|) allows, R the bracket's upper end."""
    m, R = jet_function(subject.family.log_partition, z), Fraction(local.upper)
    with precision(256):
        for at in (subject.S, -subject.S):
            for y in (Fraction(sign * 2**k) for k in range(-2, 7) for sign in (1, -1)):
                here, there, u = m(at, 3), m(at + y, 1)[0], ball(R * abs(y))
                allowed = 2 * here[2] * (u.exp() - 1 - u) / ball(R) ** 2 if R else here[2] * ball(y) ** 2
                excess = there - here[0] - here[1] * ball(y) - allowed
                if excess.is_finite() and excess > 0:
                    words = f"at z = {at}, y = {y} m exceeds what R_s = {local.upper:.6g} allows"
                    return Finding(Verdict.REFUTED, words, {"z": str(at), "y": str(y)})
    return None


# --- the list ----------------------------------------------------------------------------------------------


def oracle(subject: Subject) -> Finding:
    assert subject.oracle is not None
    return subject.oracle()


def _support_only(subject: Subject) -> bool:
    stated = (subject.family.support.lower, subject.family.support.upper) != (-sp.oo, sp.oo)
    return stated and not subject.family.has_base


def _has_base(subject: Subject) -> bool:
    return subject.family.has_base


def _has_oracle(subject: Subject) -> bool:
    return subject.oracle is not None


def _can_sample(subject: Subject) -> bool:
    return subject.family.has_base or subject.oracle is not None


USABLE = ("smooth", "domain", "convex", "slope")
FINITE = ("kappa", "L_mu", "R_s")


def _density(name: str, text: str, function: str, needs: tuple[str, ...] = ()) -> Item:
    return Item(name, text, partial(with_base, function), needs, (20.0, 2.0), _has_base)


ITEMS: tuple[Item, ...] = (
    Item("domain", "is [-S, S] inside the natural domain?", domain),
    Item("smooth", "is m three times differentiable on [-S, S]?", smooth, ("domain",)),
    Item("convex", "is m convex on [-S, S], and nowhere seen not to be?", convex),
    Item("log_partition", "is m the log-partition function of a measure?", log_partition, (), (15.0, 2.0)),
    Item("slope", "is the mean strictly increasing on [-S, S]?", slope, ("smooth", "convex")),
    Item("kappa", "is 1/inf mu' finite on [-S, S]?", partial(constant, "kappa"), USABLE),
    Item("L_mu", "is sup mu' finite on [-S, S]?", partial(constant, "L_mu"), USABLE),
    Item("R_s", "self-concordant on [-S, S]: sup |mu''|/mu' finite?", partial(constant, "R_s"), USABLE),
    Item("convexity", "is m convex on its whole domain?", convex_everywhere, USABLE[:3]),
    Item("R_s_global", "self-concordant on the whole domain?", partial(constant, "R_s_global"), USABLE),
    Item("dispersions", "which dispersions g are possible?", dispersions, ("log_partition",), (15.0, 2.0)),
    Item("support", "do mean and variance fit the support?", in_support, (), (5.0, 2.0), _support_only),
    Item("oracle", "is SciPy's density exp(r z - m(z) + base(r))?", oracle, (), (20.0, 2.0), _has_oracle),
    Item(
        "normalisation",
        "does the density integrate to 1 for every z?",
        normalisation,
        (),
        (20.0, 2.0),
        _has_base,
    ),
    _density("moments", "is mu the mean and g mu' the variance?", "mean_and_variance"),
    _density("kl", "is KL the Bregman divergence of m, over g?", "kl_as_bregman", USABLE),
    _density("chi2", "is chi^2 as in the formula, and where is it infinite?", "chi2_formula", USABLE),
    Item("supermartingale", "is every step of the mixture a supermartingale?", supermartingale, USABLE[:3]),
    Item("growth", "does m grow as the confidence sequence needs, for every y?", growth, ("R_s",)),
    Item("constants", "eta, lambda, beta_t, and when C_t begins to speak", learner.derived, FINITE),
    Item(
        "run", "is theta* in every C_t of a short run?", learner.short_run, FINITE, (40.0, 2.0), _can_sample
    ),
)


def names() -> Iterator[str]:
    return (item.name for item in ITEMS)
