"""Terms as sums of parts, and a goal as a sum of facts in which all that is no polynomial is an atom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.terms import Term, joined, number, show, subterms
from glbcheck.verify.certificate import Proof


def folded(t: Term) -> Term:
    """The term with whole powers of numbers worked out, which multipliers take for unknown."""
    if t.op == "**" and t.args[0].value and t.args[1].value is not None and t.args[1].value.denominator == 1:
        return number(t.args[0].value ** int(t.args[1].value))
    if t.op in ("+", "*"):
        return joined(t.op, [folded(a) for a in t.args])
    return t


def spread(t: Term, c: Fraction) -> Iterator[tuple[Term, Fraction]]:
    """The terms of a sum with their coefficients, sums inside of it opened."""
    factors = t.args if t.op == "*" else (t,)
    rest = [a for a in factors if a.value is None]
    for a in factors:
        c *= a.value if a.value is not None else 1
    if len(rest) == 1 and rest[0].op == "+":
        for part in rest[0].args:
            yield from spread(part, c)
    else:
        yield joined("*", [number(1), *rest]), c


def sum_of(context: Context, goal: Fact, facts: Sequence[int], zeros: Sequence[tuple[int, int]] = ()) -> Proof:
    """The goal as the sum of these facts and multiples of zeros, everything that is no polynomial being an atom."""
    atoms: dict[Term, int] = {}  # with how many facts the kernel knows of each
    for f in (*(context.facts[i] for i in (*facts, *(i for i, _ in zeros))), goal):
        for t in sorted(subterms(f.gap, outer=True), key=lambda t: (t.depth, show(t))):
            atoms |= _atoms(t)
    names = {t: f"_{i}" for i, t in enumerate(atoms, 1)}
    denied = len(context.facts) + sum(atoms.values())
    tree = {
        "terms": [{"coefficient": "1", "facts": [i]} for i in (*facts, denied)],
        "multiples": [{"fact": i, "times": str(c)} for i, c in zeros],
    }
    return {"rule": "algebra", "atoms": [[name, show(t)] for t, name in names.items()], "tree": tree}


def _atoms(t: Term) -> dict[Term, int]:
    if t.op in ("number", "variable", "+", "*"):
        return {}
    e = t.args[1].value if t.op == "**" else None
    if e is None:
        return {t: {"exp": 1, "abs": 3}.get(t.op, len(t.args) + 1 if t.op in ("min", "max") else 0)}
    base = t.args[0] if e.denominator == 1 else t.args[0] ** Fraction(1, e.denominator)
    return ({base: 2} if e.denominator > 1 else {}) | ({base**-1: 1} if e < 0 else {})
