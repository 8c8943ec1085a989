"""An open interval of z with exact or infinite ends, and what is seen of formulas on all of it."""

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from ..kernel.evaluate import closed_sign
from ..kernel.language import parse
from ..kernel.ring import same
from ..kernel.terms import ONE, ZERO, Rejected, Term, number, require, substitute, subterms, term
from .series import Z

OO = term("oo")  # of no language: it stands for the limit, and never leaves this module
MINUS_OO = -OO
ENDLESS = {
    **{name: (number(-1), ONE) for name in ("tanh", "erf")},
    "exp": (ZERO, OO),
    "cosh": (OO, OO),
    "sinh": (MINUS_OO, OO),
    "atan": (term("pi") * Fraction(-1, 2), term("pi") * Fraction(1, 2)),
}
CONTINUOUS = (*ENDLESS, "sin", "cos", "tan", "log", "besseli", "gamma", "loggamma", "asinh")


class Malformed(Rejected):
    """A file that is no answer, true or false: something in it is missing, of another kind, or cannot be read."""

    code = 2  # to exit with


def ended(part: bool, what: str) -> None:
    """Refuse what glbcheck-answer/1 had and glbcheck-answer/2 has not."""
    if part:
        raise Malformed(f"{what} ended with glbcheck-answer/1; audit the family again")


def read(text: str) -> Term:
    """A formula in z; `oo` and `-oo` are read where ends are, and nowhere else."""
    try:
        found = parse(text, {"z": Z})
        require(all(t.op not in ("integral", "function") for t in subterms(found)), "no integrals here")
        return found
    except Rejected as why:
        raise Malformed(str(why)) from None


def number_of(text: str) -> Fraction:
    found = read(text).value
    if found is None:
        raise Malformed(f"{str(text)[:40]!r} is not a number")
    return found


@dataclass(frozen=True)
class Interval:
    """low < z < high; None is infinite."""

    low: Term | None
    high: Term | None

    @classmethod
    def of(cls, ends: list[str]) -> "Interval":
        low, high = ends
        found = cls(None if low == "-oo" else parse(low, {}), None if high == "oo" else parse(high, {}))
        require(all(end is None or closed_sign(end) is not None for end in (found.low, found.high)), "no such ends")
        require(
            found.low is None or found.high is None or closed_sign(found.high - found.low) == 1, "an empty interval"
        )
        return found

    def holds(self, *points: Fraction) -> bool:
        """Are these points certainly inside?"""
        above = self.low is None or all(closed_sign(number(x) - self.low) == 1 for x in points)
        return above and (self.high is None or all(closed_sign(self.high - number(x)) == 1 for x in points))

    def lacks(self, point: Fraction) -> bool:
        """Is the point certainly outside, an end of it or beyond?"""
        below = self.low is not None and closed_sign(self.low - number(point)) in (0, 1)
        return below or (self.high is not None and closed_sign(number(point) - self.high) in (0, 1))

    def inside(self) -> Fraction:
        """A rational point of the interval."""
        for k in range(60):  # ever finer, from 0 outwards
            scale, reach = 2 ** (k // 6), 4 ** (1 + k % 6)
            for n in range(-8, 9):
                point = Fraction(n * reach, 8 * scale)
                if self.holds(point):
                    return point
        require(False, "no rational point was found inside")
        return Fraction(0)

    def positive_if_concave(self, D: Term) -> bool:
        """Is D > 0 on the whole interval?  To be asked of a concave D only.

        It lies above the smaller of its limits at the ends, and has no zero inside if it is somewhere positive.
        """
        ends = (limit(D, MINUS_OO if self.low is None else self.low), limit(D, OO if self.high is None else self.high))
        if not all(e is not None and (e is OO or (e is not MINUS_OO and closed_sign(e) in (0, 1))) for e in ends):
            return False
        return closed_sign(substitute(D, {"z": number(self.inside())})) == 1


def affine(w: Term) -> bool:
    """Is w = a z + b with real constants and a != 0?"""
    start, end = (substitute(w, {"z": number(k)}) for k in (0, 1))
    if closed_sign(start) is None or closed_sign(end - start) not in (-1, 1):
        return False
    return same(w, (end - start) * Z + start)


def positive(c: Term) -> bool:
    return not c.free and closed_sign(c) == 1


def limit(t: Term, end: Term) -> Term | None:
    """The limit at an end, by continuity of each step: a closed term, OO or MINUS_OO; None if unclear."""
    if t is Z or "z" not in t.free:
        return end if t is Z else t
    if t.op == "**":
        e = t.args[1].value
        return None if e is None else _settled(_power(limit(t.args[0], end), e))
    parts = [limit(a, end) for a in t.parts]
    if any(part is None for part in parts):
        return None
    if t.op in ("+", "*"):
        return _settled(reduce(_plus if t.op == "+" else _times, parts))
    return _settled(_function(t, [part for part in parts if part is not None]))


def _infinite(x: Term | None) -> bool:
    return x is OO or x is MINUS_OO


def _settled(value: Term | None) -> Term | None:
    return value if value is None or _infinite(value) or closed_sign(value) is not None else None


def _plus(a: Term | None, b: Term | None) -> Term | None:
    if a is None or b is None or (_infinite(a) and _infinite(b)):
        return a if a is b else None
    return a if _infinite(a) else b if _infinite(b) else a + b


def _times(a: Term | None, b: Term | None) -> Term | None:
    if a is None or b is None or not (_infinite(a) or _infinite(b)):
        return None if a is None or b is None else a * b
    signs = [1 if x is OO else -1 if x is MINUS_OO else closed_sign(x) for x in (a, b)]
    if None in signs or 0 in signs:
        return None
    return OO if signs[0] == signs[1] else MINUS_OO


def _power(base: Term | None, e: Fraction) -> Term | None:
    if base is None:
        return None
    if not _infinite(base):
        return None if e < 0 and closed_sign(base) == 0 else base**e
    if base is MINUS_OO and e.denominator > 1:
        return None
    if e <= 0:
        return ZERO if e else ONE
    return OO if base is OO or e % 2 == 0 else MINUS_OO


def _function(t: Term, parts: list[Term]) -> Term | None:
    x = parts[-1]
    if x is OO or x is MINUS_OO:
        if t.op in ENDLESS:
            return ENDLESS[t.op][x is OO]
        return OO if x is OO and t.op in ("log", "gamma", "loggamma") else None
    if t.op == "log" and closed_sign(x) == 0:  # the inside is positive on the interval, where t has a value
        return MINUS_OO
    return term(t.op, *parts) if t.op in CONTINUOUS else None
