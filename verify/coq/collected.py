"""Signs of ratios of polynomials: in x - low and high - x instead of x, all coefficients are positive."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from glbcheck.core.kernel.context import Fact, Range
from glbcheck.core.kernel.ring import Polynomial, normal_form, plus, times, whole_power
from glbcheck.core.kernel.terms import Term, joined, number
from glbcheck.verify.coq.equations import equation
from glbcheck.verify.coq.setting import Setting
from glbcheck.verify.coq.writing import Script

Sign = Callable[[Script, Setting, Term, bool], None]


def polynomial(p: Polynomial, stands_for: list[Term]) -> Term:
    """A polynomial as a formula again."""
    terms = [joined("*", [number(c), *(stands_for[g] ** Fraction(k) for g, k in m)]) for m, c in p.items()]
    return joined("+", [number(0), *terms])


def collected(out: Script, at: Setting, f: Term, strict: bool, positive: Sign) -> None:
    """num/den in generators, each a sum of positive multiples of products of what is not negative."""
    (ring, (num, den), _), context = normal_form(f), at.context
    axes: dict[int, Range] = {}
    for g, (_, _, kernel) in enumerate(ring.generators):
        if kernel.op == "variable" and kernel.args[0] in context.ranges:
            axes[g] = context.ranges[kernel.args[0]]
        elif kernel.op in ("exp", "log", "**", "abs") and context.evident(kernel, False):
            low_open = context.evident(kernel, True)
            axes[g] = Range(Fraction(0), low_open=low_open)
            known = out.fresh("K")
            with out.block(f"assert ({known} : {at.names.fact(Fact(kernel, '>' if low_open else '>='))})."):
                positive(out, at, kernel, low_open)
    stands_for = [kernel for _, _, kernel in ring.generators]
    above, below = (shifted(p, axes, stands_for) for p in (num, den))
    whole = joined("*", [above, below**-1])
    for g, r in axes.items():
        _ends(out, at, stands_for[g], r)
    for part, positive_part in ((below, True), (above, strict)):
        known = out.fresh("K")
        out(f"assert ({known} : {at.names.fact(Fact(part, '>' if positive_part else '>='))}) by corners.")
    out(f"apply (by_same_{'lt' if strict else 'le'} _ {at.names.term(whole)}).")
    with out.block():
        equation(out, at.names, whole, f)
    out("sgn.")


def _ends(out: Script, at: Setting, x: Term, r: Range) -> None:
    """Hypotheses that say on which side of its ends a generator lies."""
    if x.op != "variable":
        return
    ends = [(x - r.low, r.low_open)] if r.low is not None else []
    ends += [(-x + r.high, r.high_open)] if r.high is not None else []
    about = " ".join(name for fact, name in at.hypotheses() if fact.gap.free == x.free)
    for gap, is_open in ends:
        name = out.fresh("K")
        out(f"assert ({name} : {at.names.fact(Fact(gap, '>' if is_open else '>='))}) by (clear -{about}; lra).")


def shifted(p: Polynomial, axes: dict[int, Range], stands_for: list[Term]) -> Term:
    """The polynomial in x - low and high - x instead of x: the coefficients are those the kernel finds positive."""
    used, scale = sorted({g for monomial in p for g, _ in monomial}), Fraction(1)
    factors: dict[int, tuple[Term, Term, int]] = {}
    for g in used:
        low, _, high, _ = axes[g]
        degree, x = max(dict(monomial).get(g, 0) for monomial in p), stands_for[g]
        two = low is not None and high is not None and low != high
        factors[g] = (x, number(1), 0)
        if high is not None or low:
            t = ((g, 1),)
            start, slope = (low, high if two else 1) if low is not None else (high, -1)
            above, below = (
                plus({}, {(): Fraction(a or 0), t: Fraction(b or 0)}) for a, b in ((start, slope), (1, two))
            )
            powers = [(dict(m).get(g, 0), {tuple(power for power in m if power[0] != g): c}) for m, c in p.items()]
            total = Polynomial()
            for k, rest in powers:
                total = plus(total, times(rest, times(whole_power(above, k), whole_power(below, degree - k))))
            p = total
            if two:
                assert low is not None
                assert high is not None
                factors[g] = (x - low, -x + high, degree)
                scale *= (high - low) ** degree
            else:
                factors[g] = (x - low, number(1), 0) if low is not None else (-x + (high or 0), number(1), 0)
    terms = []
    for monomial, c in p.items():
        powers_of = dict(monomial)
        parts = [number(c / scale)]
        for g in used:
            first, second, degree = factors[g]
            k = powers_of.get(g, 0)
            parts += [first ** Fraction(k)] * (k != 0) + [second ** Fraction(degree - k)] * (degree - k > 0)
        terms.append(joined("*", parts))
    return joined("+", [number(0), *terms])
