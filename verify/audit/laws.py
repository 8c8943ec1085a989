"""Guesses which classical integral a stated base measure is; the checker of answers says whether it is so."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy as sp
from glbcheck.core.exact import number
from glbcheck.core.family import Family, g, r
from glbcheck.core.laplace.formula import text
from glbcheck.core.translation import NotEnclosed

Guess = dict[str, Any]


def base_at(family: Family, at: Fraction) -> dict[str, Any]:
    """The base measure at one dispersion, in the words of a file."""
    fixed, support = {g: number(at)}, family.support
    ends = [str(sp.simplify(e.subs(fixed))) for e in (support.lower, support.upper)]
    step = None if support.step is None else str(sp.simplify(support.step.subs(fixed)))
    try:
        stated = {"log_density": text(_log_base(family, at))} if family.has_base else {}
    except NotEnclosed:  # complex gamma functions, say: no classical law, and no finite sum
        stated = {"log_density": str(family.log_base)}
    return {"support": [*ends, step], **stated}


def _log_base(family: Family, at: Fraction) -> sp.Expr:
    return sp.expand(family.log_base.subs(g, number(at)), log=False, power_base=False)


def guesses(family: Family, at: Fraction) -> Iterator[Guess]:
    """Laws whose density has the shape of the stated one; none for a density that cannot be written."""
    try:
        yield from _by_shape(family, at)
    except NotEnclosed:
        return


def _by_shape(family: Family, at: Fraction) -> Iterator[Guess]:
    base = sp.expand_log(_log_base(family, at).replace(sp.gamma, lambda u: sp.exp(sp.loggamma(u))))
    base = sp.expand(base.rewrite(sp.gamma).replace(sp.gamma, lambda u: sp.exp(sp.loggamma(u))), log=False)
    base = base.replace(sp.log, lambda u: u.args[0] if isinstance(u, sp.exp) else sp.log(u))
    step = None if family.support.step is None else family.support.step.subs(g, number(at))
    a, b = (end.subs(g, number(at)) for end in (family.support.lower, family.support.upper))
    c = base.as_independent(r, as_Add=True)[0]
    linear, square, logarithm, inverse = (base.coeff(x) for x in (r, r**2, sp.log(r), 1 / r))
    if step is not None:
        yield _guess("poisson", step, linear * step, c)
        for u in (f.args[0] for f in base.atoms(sp.loggamma)):
            yield _guess("negative-binomial", step, linear * step, c, u.subs(r, 0))
        yield _guess("negative-binomial", step, linear * step, c, sp.S.One)
        return
    yield _guess("gaussian", -square, linear, c)
    yield _guess("gamma", logarithm + 1, -linear, c)
    yield _guess("inverse-gaussian", -inverse, -linear, c)
    yield _guess("uniform", a, b, c)
    for u in (f.args[0] for f in base.atoms(sp.log) if f.has(r)):
        yield _guess("arcs", base.coeff(sp.log(u)) + sp.Rational(1, 2), b, c)
    yield _guess("arcs", sp.Rational(1, 2), b, c)


def _guess(law: str, *numbers: sp.Expr) -> Guess:
    return {"rule": "law", "law": law, "numbers": [text(sp.sympify(x)) for x in numbers]}
