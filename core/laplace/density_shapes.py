"""Formulas that a density explains, recognised by their terms; proposals only, to be checked."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp
from glbcheck.core.family import z
from glbcheck.core.laplace.derivation import Construction as Tree
from glbcheck.core.laplace.formula import affine, expanded, positive
from glbcheck.core.laplace.shapes import times

HIGHEST = 12  # degree of a polynomial weight
LONGEST = 60  # terms


def density_of(f: sp.Expr) -> Iterator[Tree | None]:
    """Trees for f as a spline or as a Gaussian with a polynomial weight."""
    functions = {type(a) for a in f.atoms(sp.Function)}
    if not f.has(sp.exp) or not functions <= {sp.exp, sp.erf} or len(f.args) > LONGEST:
        return
    if sp.erf in functions:
        yield from _half_gaussian(f)
    elif any(sp.degree(e.args[0], z) > 1 for e in f.atoms(sp.exp) if e.args[0].is_polynomial(z)):
        yield _gaussian(f)
    else:
        yield from _spline(f)


# --- splines -----------------------------------------------------------------------------------------------


def _spline(f: sp.Expr) -> Iterator[Tree | None]:
    top, bottom = sp.fraction(sp.together(f))
    shift = sp.Mul(*(x for x in sp.Mul.make_args(bottom) if isinstance(x, sp.exp)))
    top, bottom = top / shift, bottom / shift
    pole = _only_zero(bottom)
    if pole is None:
        return
    order = sp.degree(bottom, z)
    moved = sp.expand(expanded(top).subs(z, z + pole) / sp.LC(bottom, z))
    knots: dict[tuple[sp.Expr, sp.Expr], sp.Expr] = {}
    for found in map(_term, sp.Add.make_args(moved)):
        if found is None or found[1] > order:
            return
        a, n, c = found
        knots[a, order - n] = knots.get((a, order - n), sp.S.Zero) + c
    yield from (_splined(z - pole, knots, side) for side in (1, -1))


def _splined(w: sp.Expr, knots: dict[tuple[sp.Expr, sp.Expr], sp.Expr], side: int) -> Tree | None:
    """In the variable w, or in -w for a domain to the right of the pole; a common constant is taken out."""
    unit = abs(next(iter(knots.values())))
    scaled = {key: sp.simplify(c / unit) for key, c in knots.items()}
    if not positive(unit) or not all(c.is_Rational for c in scaled.values()):
        return None
    flat = [x for (a, k), c in sorted(scaled.items(), key=str) for x in (side * a, k, c * side**k)]
    return times(unit, Tree("spline", (sp.expand(side * w), *flat)))


def _only_zero(bottom: sp.Expr) -> sp.Expr | None:
    """The place of all poles, if the denominator is a multiple of a power of z - pole with a rational pole."""
    if not bottom.is_polynomial(z) or not bottom.has(z):
        return None
    roots = sp.roots(sp.Poly(bottom, z))
    if len(roots) != 1 or sum(roots.values()) != sp.degree(bottom, z):
        return None
    (pole,) = roots
    return pole if pole.is_Rational else None


def _term(term: sp.Expr) -> tuple[sp.Expr, sp.Expr, sp.Expr] | None:
    """(a, n, c) for c z^n e^{az}, with a rational."""
    number, core = term.as_independent(z, as_Add=False)
    a, n = sp.S.Zero, sp.S.Zero
    for factor in sp.Mul.make_args(core):
        base, power = factor.as_base_exp()
        if base == z and power.is_Integer and power > 0:
            n += power
        elif isinstance(factor, sp.exp) and factor.args[0].is_polynomial(z) and sp.degree(factor.args[0], z) == 1:
            a += sp.LC(factor.args[0], z)
            number *= sp.exp(factor.args[0].subs(z, 0))
        elif factor != 1:
            return None
    return (a, n, number) if a.is_Rational else None


# --- Gaussians -----------------------------------------------------------------------------------------------


def _gaussian(f: sp.Expr) -> Tree | None:
    """B(z) e^{Q(z)} with polynomials B of even degree and Q of degree two."""
    factors = sp.Mul.make_args(sp.factor_terms(sp.powsimp(f)))
    exponentials = [x for x in factors if isinstance(x, sp.exp)]
    rest = sp.expand(sp.Mul(*(x for x in factors if x not in exponentials)))
    if len(exponentials) != 1 or not rest.is_polynomial(z) or not exponentials[0].args[0].is_polynomial(z):
        return None
    Q = sp.Poly(exponentials[0].args[0], z)
    if Q.degree() != 2 or not positive(Q.LC()):
        return None
    q, a, b = Q.all_coeffs()
    w = z + a / (2 * q)
    return _weighted("weighted-gaussian", q, w, rest, sp.exp(b - a**2 / (4 * q)))


def _half_gaussian(f: sp.Expr) -> Iterator[Tree | None]:
    """A + B e^{Q} (1 + erf(v)) with polynomials A and B and Q of degree two, in v and in -v."""
    v, Y = next(iter(f.atoms(sp.erf))).args[0], sp.Dummy("Y")
    if len(f.atoms(sp.erf)) != 1 or not affine(v):
        return
    flat = sp.expand(sp.powsimp(expanded(f))).subs(sp.erf(v), Y)
    if not flat.is_polynomial(Y) or sp.degree(flat, Y) != 1:
        return
    whole = flat.coeff(Y, 1)
    exponentials = list(whole.atoms(sp.exp))
    if len(exponentials) != 1 or not exponentials[0].args[0].is_polynomial(z):
        return
    B = sp.expand(whole / exponentials[0])
    extra = sp.Poly(sp.expand(exponentials[0].args[0] - v**2), z)
    if not B.is_polynomial(z) or extra.degree() > 2:
        return
    rest = [extra.coeff_monomial(z**k) for k in (2, 1, 0)]
    for side in (1, -1):
        tree = _weighted("half-gaussian", sp.S.One, side * v, side * B, sp.S.One)
        if tree is not None and any(rest):
            tree = Tree("product", (), (tree, Tree("exponential", (), (Tree("quadratic", tuple(rest)),))))
        yield tree


def _weighted(rule: str, q: sp.Expr, w: sp.Expr, B: sp.Expr, scale: sp.Expr) -> Tree | None:
    """The weights c_k with B = sum of c_k h_k(w), highest first, up to one positive constant."""
    x = sp.Dummy("x")
    slope, start = sp.Poly(w, z).all_coeffs()
    left = sp.Poly(sp.expand(B.subs(z, (x - start) / slope)), x)
    if left.degree() > HIGHEST:
        return None
    weights = [sp.S.Zero] * (left.degree() + 1)
    hermite = [sp.Poly(h, x) for h, _ in derivatives(q, x)[: left.degree() + 1]]
    for k in reversed(range(left.degree() + 1)):
        weights[k] = sp.simplify(left.coeff_monomial(x**k) / hermite[k].LC())
        left -= weights[k] * hermite[k]
    unit = abs(weights[-1])
    ratios = [sp.simplify(c / unit) for c in weights]
    return times(scale * unit, Tree(rule, (q, w, *ratios))) if positive(unit) else None


def derivatives(q: sp.Expr, w: sp.Expr) -> list[tuple[sp.Expr, sp.Expr]]:
    """(h, s) with the k-th derivative of G = e^{qw^2} (1 + erf(sqrt(q) w)) in w equal to h G + s."""
    x = sp.Dummy("x")
    h, s = sp.Poly(1, x), sp.Poly(0, x)
    found = []
    for _ in range(HIGHEST + 1):
        found.append((h.as_expr().subs(x, w), s.as_expr().subs(x, w)))
        h, s = h.diff(x) + sp.Poly(2 * q * x, x) * h, s.diff(x) + 2 * sp.sqrt(q / sp.pi) * h
    return found
