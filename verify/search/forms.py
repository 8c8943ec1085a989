"""Other ways to write a gap: SymPy proposes, the kernel's arithmetic confirms."""

from __future__ import annotations

from functools import lru_cache

import sympy as sp
from glbcheck.core.expression import ExpressionError, parse
from glbcheck.core.kernel.context import Context
from glbcheck.core.kernel.ring import same
from glbcheck.core.kernel.terms import Rejected, Term, show
from glbcheck.verify.search.formulas import term_of

HYPERBOLIC = (sp.sinh, sp.cosh, sp.tanh)
MAX_SIZE = 150  # operations of a formula that SymPy is asked to rearrange
MAX_POWER = 30  # in an exponent
Form = tuple[Term, Term]  # a positive factor, and factor * gap


@lru_cache(5_000)
def symbolic(t: Term) -> sp.Expr | None:
    """The term as SymPy has it, None if it is too long or not in SymPy's language."""
    try:
        written = parse(show(t), {name: sp.Symbol(name, real=True) for name in t.free})
        found = written.rewrite(HYPERBOLIC, sp.exp).doit()
    except (ExpressionError, ArithmeticError, Rejected):
        return None
    # exp(60*z) is exp(z)**60 to SymPy, and polynomials of such degrees take it minutes to factor.
    powers = [abs(c.p) for e in found.atoms(sp.exp) for c in sp.expand(e.exp).atoms(sp.Rational)]
    wild = found.has(sp.nan, sp.zoo, sp.oo, sp.I) or found.count_ops() > MAX_SIZE or max(powers, default=0) > MAX_POWER
    return None if wild else found


def cores(context: Context, gap: Term) -> list[Form]:
    """The gap with denominators cleared and positive factors dropped, as a product and expanded."""
    expr = symbolic(gap)
    if expr is None or not context.defined(gap):
        return []
    found: list[Form] = []
    try:
        dropped, core = cleared(context, expr)
        for proposal in dict.fromkeys((core, sp.expand(core))):
            factor, then = term_of(dropped), term_of(proposal)
            if then is not gap and positive(context, dropped) and context.defined(then) and same(factor * gap, then):
                found.append((factor, then))
    except (Rejected, sp.PolynomialError):
        pass
    return found


def cleared(context: Context, expr: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """A factor that takes all denominators and positive factors away, and what is left."""
    top, bottom = sp.fraction(sp.together(expr))
    core, dropped = sp.S.One, bottom
    if not positive(context, bottom) and positive(context, -bottom):
        core, dropped = -core, -bottom
    constant, factors = sp.factor_list(top)
    core *= sp.sign(constant)
    dropped /= abs(constant)
    for base, k in factors:
        if positive(context, base):
            dropped /= base**k
        elif positive(context, -base):
            dropped /= (-base) ** k
            core *= (-1) ** k
        elif k % 2 == 0 and context.nonzero(term_of(base)):
            dropped /= base**k
        else:
            core *= base**k
    return dropped, core


def positive(context: Context, expr: sp.Expr) -> bool:
    t = term_of(expr)
    return context.defined(t) and context.evident(t, True)


def tame(t: Term, name: str) -> bool:
    """Has every function of the variable a finite argument as it goes to 0?"""
    expr, at = symbolic(t), sp.Symbol(name, real=True)
    if expr is None:
        return False
    return all(f.args[-1].subs(at, 0).is_finite for f in expr.atoms(sp.Function) if at in f.free_symbols)
