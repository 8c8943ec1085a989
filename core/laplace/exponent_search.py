"""The search for the derivation of an exponent, by the shape of its terms; proposals only, to be checked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Protocol

import sympy as sp
from glbcheck.core.family import z
from glbcheck.core.laplace.derivation import Construction as Tree
from glbcheck.core.laplace.formula import affine, positive, terms
from glbcheck.core.laplace.shapes import coefficient, log_of, multiple, over, paired_logs, ratio_of_logs, times, turned


class Searcher(Protocol):
    """What finds derivations of the formulas inside."""

    def transform(self, f: sp.Expr) -> Tree | None: ...
    def exponent(self, psi: sp.Expr) -> Tree | None: ...


def exponent_of(search: Searcher, psi: sp.Expr) -> Tree | None:
    """Polynomial part, pairs of logarithms that belong together, then term by term."""
    left = terms(psi)
    polynomial = sp.expand(sp.Add(*(t for t in left if t.is_polynomial(z))))
    left = [t for t in left if not t.is_polynomial(z)]
    parts: list[Tree] = []
    if polynomial != 0 or not left:
        if sp.degree(polynomial, z) > 2:
            return None
        parts.append(Tree("quadratic", tuple(polynomial.coeff(z, k) for k in (2, 1, 0))))
    paired, left = paired_logs(left)
    ratios, left = _ratios(search, left)
    found = _every_term(search, left)
    if found is None:
        return None
    parts += [*paired, *ratios, *found]
    return parts[0] if len(parts) == 1 else Tree("sum", (), tuple(parts))


def _ratios(search: Searcher, left: list[sp.Expr]) -> tuple[list[Tree], list[sp.Expr]]:
    """p log u - q log v with u = s (v + d), s and d positive, as far as p and q go together."""
    found: list[Tree] = []
    for u, v in permutations([t.as_independent(z, as_Add=False)[1] for t in left], 2):
        share = ratio_of_logs(u, v)
        p, q = (coefficient(left, core) for core in (u, -v))
        if share is None or not (positive(p) and positive(q)):
            continue
        scale, distance = share
        tree = over("frullani", search.exponent(sp.expand(-v.args[0])), distance)
        common = p if positive(q - p) or p == q else q
        if tree is not None:
            constant = Tree("quadratic", (sp.S.Zero, sp.S.Zero, common * sp.log(scale)))
            found.append(Tree("sum", (), (constant, Tree("multiple", (common,), (Tree("jumps", (), (tree,)),)))))
            left = terms(sp.Add(*left) - common * (u - v))
    return found, [t for t in left if t != 0]


def ratio_as_jumps(search: Searcher, f: sp.Expr) -> Tree | None:
    """A sum of logarithms that is itself a transform."""
    if not all(isinstance(t.as_independent(z, as_Add=False)[1], sp.log) or not t.has(z) for t in terms(f)):
        return None
    constant, rest = f.as_independent(z, as_Add=True)
    found, left = _ratios(search, terms(rest))
    if left or not found:
        return None
    # Each found is a sum of a constant and a multiple of jumps.
    drift = constant + sp.Add(*(tree.parts[0].parameters[2] for tree in found))
    jumps = [times(tree.parts[1].parameters[0], tree.parts[1].parts[0].parts[0]) for tree in found]
    if sp.expand(sp.expand_log(drift, force=True)) != 0:
        jumps.append(Tree("constant", (drift,)))
    return jumps[0] if len(jumps) == 1 else Tree("mixture", (), tuple(filter(None, jumps)))


def _term(search: Searcher, term: sp.Expr) -> Tree | None:
    number, core = term.as_independent(z, as_Add=False)
    found = next(filter(None, _cores(search, number, core)), None)
    return found or over("jumps", search.transform(term))


def _cores(search: Searcher, number: sp.Expr, core: sp.Expr) -> Iterator[Tree | None]:
    """The rules that apply to number * core for the shape of core."""
    if isinstance(core, sp.log):
        yield _logarithm(search, number, core.args[0])
    if isinstance(core, sp.loggamma):
        yield multiple(number, Tree("log-gamma", core.args))
    if core.is_Pow and core.exp.is_Rational and 0 < core.exp < 1:
        yield multiple(-number, _timed(search, "stable-time", core.base, core.exp))


def _timed(search: Searcher, rule: str, D: sp.Expr, *parameters: sp.Expr) -> Tree | None:
    return over(rule, search.exponent(sp.expand(-D) if D.is_polynomial(z) else -D), *parameters)


def _logarithm(search: Searcher, number: sp.Expr, f: sp.Expr) -> Tree | None:
    """number * log f."""
    if f.is_polynomial(z):
        return multiple(-number, _timed(search, "gamma", f)) or _split(search, number, f)
    if f.is_Mul or f.is_Pow or isinstance(f, sp.exp | sp.gamma):
        pieces = sp.Add(*(number * log_of(factor) for factor in sp.Mul.make_args(f)))
        return None if pieces == number * sp.log(f) else search.exponent(pieces)
    if isinstance(f, sp.cos):
        return multiple(-number, Tree("secant", f.args))
    if f.is_Add and (wave := turned(f)) is not None:
        constant = Tree("quadratic", (sp.S.Zero, sp.S.Zero, number * sp.log(wave[0])))
        tree = multiple(-number, Tree("secant", wave[1:]))
        return None if tree is None else Tree("sum", (), (constant, tree))
    if (tree := multiple(-number, _timed(search, "gamma", f))) is not None:
        return tree
    return _exponential_taken_out(search, number, f)


def _split(search: Searcher, number: sp.Expr, f: sp.Expr) -> Tree | None:
    """number * log f for a parabola that opens upwards: two straight lines, on one side of both real roots."""
    a, b, c = (sp.expand(f).coeff(z, k) for k in (2, 1, 0))
    if sp.degree(f, z) != 2 or not (a.is_positive and (b**2 - 4 * a * c).is_positive):
        return None
    roots = [sp.radsimp((-b + side * sp.sqrt(b**2 - 4 * a * c)) / (2 * a)) for side in (-1, 1)]
    for side in (1, -1):
        lines = sp.Add(*(number * sp.log(side * (root - z)) for root in roots))
        if (tree := search.exponent(number * sp.log(a) + lines)) is not None:
            return tree
    return None


def _exponential_taken_out(search: Searcher, number: sp.Expr, f: sp.Expr) -> Tree | None:
    """log(e^w - e^v) = w + log(1 - e^(v-w))."""
    for term in sp.Add.make_args(f):
        w = term.as_independent(z, as_Add=False)[1]
        if isinstance(w, sp.exp) and affine(w.args[0]) and f.is_Add and positive(term / w):
            rest = sp.expand(f / w)
            if (tree := multiple(-number, _timed(search, "gamma", rest))) is not None:
                drift = Tree("quadratic", tuple((number * w.args[0]).coeff(z, k) for k in (2, 1, 0)))
                return Tree("sum", (), (drift, tree))
    return None


def _every_term(search: Searcher, items: list[sp.Expr]) -> tuple[Tree, ...] | None:
    found: list[Tree] = []
    for item in items:
        tree = _term(search, item)
        if tree is None:
            return None
        found.append(tree)
    return tuple(found)
