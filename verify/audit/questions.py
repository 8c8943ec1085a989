"""The questions of an audit about a family, in the order they are asked; a paper may add its own.

Each names the questions whose yes it needs: the constants of a family that is not convex mean nothing, and
are not asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import sympy as sp
from glbcheck.core import concordance
from glbcheck.core.concordance import Constant
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.verify.audit import measure, shape
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.audit.domain import natural_domain
from glbcheck.verify.audit.sampling import samples
from glbcheck.verify.audit.subject import Subject
from glbcheck.verify.audit.support import mean_inside
from glbcheck.verify.claim import Verdict

Decide = Callable[[Subject], Finding]

FORMAL = "but the formula is not seen to be smooth on the whole domain that is stated"
WIDEST = 1e-9  # relative width a certified bracket may have


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
        concordance.R_s_global(subject.family) if whole else getattr(concordance, name)(subject.family, subject.S)
    )
    if found.exact == "oo":
        return Finding(Verdict.REFUTED, f"infinite: {found.attained}", found.as_dict())
    if whole and not shown(found, subject):
        return Finding(Verdict.UNDECIDED, f"mu''/mu' is formally constant, {FORMAL}")
    narrow = found.upper - found.lower <= WIDEST * found.lower
    value = f"{found.lower:.10g}"
    if found.exact not in (None, value):
        value += f" = {found.exact}"
    verdict = Verdict.CERTIFIED if narrow else Verdict.UNDECIDED
    return Finding(verdict, f"{value}, {found.attained}", found.as_dict())


def shown(whole: Constant, subject: Subject) -> bool:
    """A ratio that is formally constant says nothing where m jumps, in a stated domain that is too large."""
    if whole.attained != "everywhere":
        return True
    try:
        natural = natural_domain(subject.family.log_partition)
    except BadInput:
        return False
    return bool(subject.family.domain.is_subset(natural))


def on_interval(decide: Callable[[Family, Fraction], Finding]) -> Decide:
    return lambda subject: decide(subject.family, subject.S)


# --- the list ----------------------------------------------------------------------------------------------


def _in_support(subject: Subject) -> Finding:
    return mean_inside(subject.family, subject.g)


def oracle(subject: Subject) -> Finding:
    assert subject.oracle is not None
    return subject.oracle()


def _support_only(subject: Subject) -> bool:
    support = subject.family.support
    stated = (support.lower, support.upper) != (-sp.oo, sp.oo) or support.step is not None
    return stated and not subject.family.has_base


def _has_base(subject: Subject) -> bool:
    return subject.family.has_base


def _has_oracle(subject: Subject) -> bool:
    return subject.oracle is not None


def can_sample(subject: Subject) -> bool:
    return subject.family.has_base or subject.oracle is not None


USABLE = ("smooth", "domain", "convex", "slope")


def _density(name: str, text: str, function: str, needs: tuple[str, ...] = ()) -> Item:
    return Item(name, text, partial(measure.with_base, function), needs, (20.0, 2.0), _has_base)


_FIRST = (
    Item("domain", "is [-S, S] inside the natural domain?", domain),
    Item("smooth", "is m three times differentiable on [-S, S]?", on_interval(shape.smooth), ("domain",)),
    Item("convex", "is m convex on [-S, S], and nowhere seen not to be?", on_interval(shape.convex)),
    Item("log_partition", "is m the log-partition function of a measure?", measure.log_partition, (), (15.0, 2.0)),
    Item("slope", "is the mean strictly increasing on [-S, S]?", on_interval(shape.slope), ("smooth", "convex")),
    Item("kappa", "is 1/inf mu' finite on [-S, S]?", partial(constant, "kappa"), USABLE),
    Item("L_mu", "is sup mu' finite on [-S, S]?", partial(constant, "L_mu"), USABLE),
    Item("R_s", "self-concordant on [-S, S]: sup |mu''|/mu' finite?", partial(constant, "R_s"), USABLE),
    Item("R_s_global", "self-concordant on the whole domain?", partial(constant, "R_s_global"), USABLE),
    Item("support", "do mean and variance fit the support?", _in_support, (), (5.0, 2.0), _support_only),
    Item("oracle", "is SciPy's density exp(r z - m(z) + base(r))?", oracle, (), (20.0, 2.0), _has_oracle),
    Item(
        "normalisation",
        "does the density integrate to 1 for every z?",
        measure.normalisation,
        (),
        (20.0, 2.0),
        _has_base,
    ),
    Item("sampler", "do its draws have the mean and the variance of m?", samples, (), (5.0, 2.0), can_sample),
    _density("moments", "is mu the mean and g mu' the variance?", "mean_and_variance"),
    _density("kl", "is KL the Bregman divergence of m, over g?", "kl_as_bregman", USABLE),
    _density("chi2", "is chi^2 as in the formula, and where is it infinite?", "chi2_formula", USABLE),
)
# Costly, and nothing waits for their answers.
_LAST = (
    Item("dispersions", "which dispersions g are possible?", measure.dispersions, ("log_partition",), (15.0, 2.0)),
    Item("convexity", "is m convex on its whole domain?", on_interval(shape.convex_everywhere), USABLE[:3]),
)


def items(of_paper: Iterable[Item] = ()) -> tuple[Item, ...]:
    """Every question, those that a paper brings along included."""
    return (*_FIRST, *of_paper, *_LAST)
