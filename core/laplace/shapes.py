"""Formulas recognised by their shape, and small trees for them; proposals only, to be checked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import sympy as sp
from glbcheck.core.family import z
from glbcheck.core.laplace.derivation import Construction as Tree
from glbcheck.core.laplace.formula import affine, positive, terms


def times(number: sp.Expr, tree: Tree | None) -> Tree | None:
    if tree is None or not positive(number):
        return None
    return tree if number == 1 else Tree("product", (), (Tree("constant", (number,)), tree))


def multiple(number: sp.Expr, tree: Tree | None) -> Tree | None:
    if tree is None or not positive(number):
        return None
    return tree if number == 1 else Tree("multiple", (number,), (tree,))


def over(rule: str, tree: Tree | None, *parameters: sp.Expr) -> Tree | None:
    """The rule applied to one derivation, if there is one."""
    return None if tree is None else Tree(rule, parameters, (tree,))


def raised(tree: Tree, n: sp.Integer) -> Tree:
    return tree if n == 1 else Tree("power", (n,), (tree,))


def as_exponent(tree: Tree) -> Tree:
    """The exponent of an infinitely divisible derivation."""
    if tree.rule == "exponential":
        return tree.parts[0]
    if tree.rule == "constant":
        return Tree("quadratic", (sp.S.Zero, sp.S.Zero, sp.log(tree.parameters[0])))
    inner = tuple(map(as_exponent, tree.parts))
    return Tree("multiple", tree.parameters, inner) if tree.rule == "power" else Tree("sum", (), inner)


def log_of(factor: sp.Expr) -> sp.Expr:
    """log of one factor of a positive product, powers and exponentials opened."""
    if isinstance(factor, sp.exp):
        return factor.args[0]
    if isinstance(factor, sp.gamma):
        return sp.loggamma(factor.args[0])
    if factor.is_Pow and factor.exp.is_Rational:
        return factor.exp * log_of(factor.base)
    return sp.log(factor)


def pairs_of(a: sp.Expr, b: sp.Expr) -> Iterator[tuple[Tree, list[sp.Expr]]]:
    """a times b, or times one of the factors of b, with b a power of an affine function; and what is left of b."""
    base, power = b.as_base_exp()
    if not (affine(base) and power.is_Integer and power < 0):
        return
    for n in dict.fromkeys((-power, sp.S.One)):
        tree = _over_affine(a, base, n)
        if tree is not None:
            yield tree, [base ** (power + n)] if power + n != 0 else []


def _over_affine(a: sp.Expr, w: sp.Expr, n: sp.Integer) -> Tree | None:
    base, power = a.as_base_exp()
    if isinstance(base, sp.besseli) and power == 1 and base.args[0] == n:
        scale = sp.cancel(base.args[1] / w)
        return None if scale.free_symbols else times(scale**n, Tree("bessel", base.args))
    if power != n and not (n == 1 and power == 1):
        return None
    law = _uniform(base, w)
    return None if law is None else raised(law, n)


def _uniform(numerator: sp.Expr, w: sp.Expr) -> Tree | None:
    """(c e^b - c e^a)/w with b - a a multiple of w."""
    pieces = sp.Add.make_args(numerator)
    if len(pieces) != 2:
        return None
    low, high = sorted(pieces, key=lambda t: positive(t.as_independent(z, as_Add=False)[0]))
    c, d = (t.as_independent(z, as_Add=False)[0] for t in (high, low))
    if not (positive(c) and sp.expand(c + d) == 0):
        return None
    a, b = (log_of(t.as_independent(z, as_Add=False)[1]) for t in (low, high))
    ratio = sp.cancel(sp.expand(b - a) / w)
    if ratio.free_symbols:
        return None
    return times(c * ratio, Tree("uniform", (a, b)))


def paired_logs(left: list[sp.Expr]) -> tuple[list[Tree], list[sp.Expr]]:
    """log w - log sin w, and loggamma(w) - loggamma(w + d) with d > 0, taken together as often as they go."""
    found: list[Tree] = []
    for u, v in permutations([t.as_independent(z, as_Add=False)[1] for t in left], 2):
        p, q = coefficient(left, u), coefficient(left, -v)
        if u.func == v.func and positive(p) and positive(q) and (tree := _pair_of_logs(u, v)) is not None:
            common = p if positive(q - p) or p == q else q
            found.append(Tree("multiple", (common,), (tree,)))
            left = [t for t in terms(sp.Add(*left) - common * (u - v)) if t != 0]
    return found, left


def _pair_of_logs(f: sp.Expr, g: sp.Expr) -> Tree | None:
    u, v = f.args[0], g.args[0]
    if isinstance(f, sp.loggamma):
        distance = sp.expand(v - u)
        return Tree("log-beta", (u, distance)) if positive(distance) else None
    if isinstance(f, sp.log) and isinstance(v, sp.sin):
        scale = sp.cancel(v.args[0] / u)
        if positive(scale):
            constant = Tree("quadratic", (sp.S.Zero, sp.S.Zero, -sp.log(scale)))
            return Tree("sum", (), (Tree("logistic", v.args), constant))
    return None


def ratio_of_logs(u: sp.Expr, v: sp.Expr) -> tuple[sp.Expr, sp.Expr] | None:
    """(s, d), both positive, with u = log(s (f + d)) and v = log f."""
    if not (isinstance(u, sp.log) and isinstance(v, sp.log)):
        return None
    f, g = u.args[0], v.args[0]
    scale = _common_ratio(f, g)
    if scale is None or not positive(scale):
        return None
    distance = sp.expand(f / scale - g)
    return (scale, distance) if positive(distance) else None


def _common_ratio(f: sp.Expr, g: sp.Expr) -> sp.Expr | None:
    """The c with f - c g constant, if both are combinations of the same functions."""
    first, second = (
        {core: c for c, core in (t.as_independent(z, as_Add=False) for t in terms(sp.expand(h))) if core.has(z)}
        for h in (f, g)
    )
    ratios = {sp.cancel(first[core] / second[core]) for core in first} if first.keys() == second.keys() else set()
    return ratios.pop() if len(ratios) == 1 else None


def coefficient(summands: list[sp.Expr], core: sp.Expr) -> sp.Expr:
    """The number before core, up to its sign, in a sum of multiples of different functions."""
    sign, function = core.as_independent(z, as_Add=False)
    return sp.Add(*(sign * c for c, f in (t.as_independent(z, as_Add=False) for t in summands) if f == function))


def turned(f: sp.Expr) -> tuple[sp.Expr, sp.Expr] | None:
    """(R, v), R > 0, with a cos w + b sin w = R cos v, for a > 0 and w = c z + d."""
    waves = f.atoms(sp.sin, sp.cos)
    w = next(iter(waves)).args[0] if waves else sp.S.Zero
    flat = sp.expand(f)
    a, b = flat.coeff(sp.cos(w)), flat.coeff(sp.sin(w))
    if not (positive(a) and b.is_nonzero) or b.has(z) or not affine(w):
        return None
    if sp.expand(flat - a * sp.cos(w) - b * sp.sin(w)) != 0:
        return None
    return sp.sqrt(a**2 + b**2), w - sp.atan(b / a)
