"""What the checker of an audit's answers must accept, and what it must reject, from plain tables.

`run` goes through all of them and raises at the first that is wrong; mutants of `core/measures` are judged by it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from glbcheck.core.kernel.evaluate import ball, hull, precision
from glbcheck.core.kernel.terms import Rejected
from glbcheck.core.measures.check import check
from glbcheck.core.measures.densities import nonnegative
from glbcheck.core.measures.interval import Malformed, read
from glbcheck.core.measures.series import coefficients

from tests.attacks.measures_battery_answers import ACCEPTED, FORGED, NO_ANSWER

# Taylor coefficients over [low, high]: each must lie in its ball, and `None` stands for a ball that is not finite.
SERIES: list[tuple[str, str, str, list[str | None]]] = [
    ("exp(z)", "0", "0", ["1", "1", "1/2", "1/6"]), ("log(1+z)", "0", "0", ["0", "1", "-1/2", "1/3"]),
    ("z**(1/2)", "1", "1", ["1", "1/2", "-1/8", "1/16"]), ("z**(1/3)", "1", "1", ["1", "1/3", "-1/9", "5/81"]),
    ("z**-2", "1", "1", ["1", "-2", "3", "-4"]), ("z**(-1/2)", "4", "4", ["1/2", "-1/16", "3/256", "-5/2048"]),
    ("2**z", "0", "0", ["1"]), ("z**z", "1", "1", ["1", "1", "1", "1/2"]), ("sin(z)/z", "0", "0", ["1", "0", "-1/6"]),
    ("(exp(z)-1-z)/z**2", "0", "0", ["1/2", "1/6", "1/24"]), ("(z**2-1)/(z-1)", "1", "1", ["2", "1", "0"]),
    ("z**2/sin(z)", "0", "0", ["0", "1", "0", "1/6"]), ("1/z", "0", "0", [None]), ("sin(z)/z**2", "0", "0", [None]),
    ("(exp(z)-1)/z", "0", "1", ["1", "1/2"]), ("(exp(z)-1)/z", "-1/1000", "1/1000", ["1", "1/2", "1/6"]),
    ("(1-cos(z))/(z*sin(z))", "0", "0", ["1/2", "0", "1/24"]), ("cosh(z)*sin(3*z)/z", "0", "0", ["3", "0", "-3"]),
    ("abs(z)", "1", "1", ["1", "1", "0"]), ("abs(z)", "-1", "1", [None, None]), ("abs(z)", "-2", "-1", ["3/2", "-1", "0"]),
    ("max(z,1-z)", "1", "1", ["1", "1"]), ("min(z,1-z,5)", "1", "1", ["0", "-1"]), ("max(z,0)", "0", "0", [None, None]),
    ("min(1,z)", "0", "0", ["0", "1"]), ("tan(z)", "0", "0", ["0", "1", "0", "1/3"]), ("tan(z)", "1", "2", [None]),
    ("sinh(z)", "0", "0", ["0", "1", "0", "1/6"]), ("cosh(z)", "0", "0", ["1", "0", "1/2"]),
    ("tanh(z)", "0", "0", ["0", "1", "0", "-1/3"]), ("asin(z)", "0", "0", ["0", "1", "0", "1/6"]),
    ("acos(z)-acos(0)", "0", "0", ["0", "-1", "0", "-1/6"]), ("atan(z)", "0", "0", ["0", "1", "0", "-1/3"]),
    ("asinh(z)", "0", "0", ["0", "1", "0", "-1/6"]), ("atanh(z)", "0", "0", ["0", "1", "0", "1/3"]),
    ("acosh(5/4+z)-log(2)", "0", "0", ["0", "4/3", "-40/27"]), ("acosh(z)", "1", "1", [None]),
    ("asin(z)", "1", "1", [None]), ("acos(z)", "-1", "-1", [None]), ("atanh(z)", "1", "1", [None]),
    ("log(z)", "0", "1", [None]), ("gamma(z)", "0", "1", [None]), ("gamma(z)", "-1/2", "-1/2", [None]),
    ("loggamma(z)", "-3/2", "-3/2", [None]), ("gamma(1+z)-loggamma(1+z)", "0", "0", ["1", "0"]),
    ("z**(1/2)", "0", "1", [None, None]), ("z**(1/2)", "-1", "-1", [None]), ("z**(1/3)", "-1", "-1", [None]),
    ("besseli(0,z)", "0", "0", ["1", "0", "1/4", "0", "1/64"]), ("besseli(1,2*z)", "0", "0", ["0", "1", "0", "1/2"]),
    ("besseli(2,z)", "0", "0", ["0", "0", "1/8", "0", "1/96"]), ("erf(z)*pi**(1/2)/2", "0", "0", ["0", "1", "0", "-1/3"]),
    ("0*log(z-5)", "0", "0", [None]), ("z*0*log(-1)", "0", "0", [None]), ("log(-1)+z", "0", "0", [None]),
    ("3", "0", "0", ["3", "0"]), ("2-z**3", "0", "0", ["2", "0", "0", "-1"]),
]  # fmt: skip
# Polynomials, constant first, on an open interval: is it nowhere negative there?
SIGNS: list[tuple[list[int], str | None, str | None, bool]] = [
    ([], None, None, True), ([1], None, None, True), ([-1], None, None, False), ([0, 1], "0", None, True),
    ([0, 1], None, None, False), ([0, 1], "-1", "1", False), ([0, -1], None, "0", True), ([1, -2, 1], None, None, True),
    ([-1, 2, -1], None, None, False), ([0, 1, -1], "0", "1", True), ([0, 1, -1], "0", "2", False),
    ([-1, 1], "0", "1", False), ([1, 0, 1], "-3", "5", True), ([0, 0, 0, 1], "-1", "1", False), ([6, -5, 1], "0", "2", True),
    ([6, -5, 1], "0", "5/2", False), ([6, -5, 1], "5/2", None, False), ([6, -5, 1], "3", None, True),
    ([0, 0, 1, -2, 1], "-1", "3", True), ([0, 1, -2, 1], "-1", "3", False), ([0, 1, -2, 1], "0", "3", True),
    ([0, 0, -6, 11, -6, 1], "1", "2", True), ([0, 0, -6, 11, -6, 1], "2", "3", False), ([4, -4, 1, 4, -4, 1], "-2", None, False),
    ([4, -4, 1, 4, -4, 1], "-1", None, True),
]  # fmt: skip


def changed(document: Any, path: str, value: Any) -> Any:
    """A copy with another value there: `by.breaks.0` is document["by"]["breaks"][0]; `...` takes it away."""
    made = copy.deepcopy(document)
    *way, last = [int(key) if key.isdecimal() else key for key in path.split(".")]
    place = made
    for key in way:
        place = place[key]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return made


def refused(document: Any, how: type[Rejected] = Rejected) -> bool:
    try:
        check(document)
    except how:
        return True
    except Rejected:
        return False
    return False


def wrong() -> Iterator[str]:
    """Whatever in these tables is not as it should be, one line each."""
    for name, (of, *edits) in FORGED.items():
        forged = ACCEPTED[of][1] if isinstance(of, str) else of
        for path, value in edits:
            forged = changed(forged, path, value)
        if not refused(forged):
            yield f"{name} is accepted"
    for name, (word, document) in ACCEPTED.items():
        found = check(document)
        if word != (str(found.word) if not found.rests_on else f"{found.word}*"):
            yield f"{name} is {found}"
    for name, (of, *edits) in NO_ANSWER.items():
        broken = ACCEPTED[of][1]
        for path, value in edits:
            broken = changed(broken, path, value)
        if not refused(broken, Malformed):
            yield f"{name} is read as an answer"
    yield from _wrong_parts()


def _wrong_parts() -> Iterator[str]:
    for text, low, high, expected in SERIES:
        found = _coefficients(text, low, high, len(expected))
        for k, coefficient in enumerate(expected):
            with precision(192):
                inside = found[k].overlaps(ball(Fraction(coefficient))) if coefficient else not found[k].is_finite()
            narrow = low != high or coefficient is None or found[k].rad() < 2.0**-40
            if not inside or not narrow:
                yield f"coefficient {k} of {text} over [{low}, {high}] is {found[k]}"
    for p, start, stop, answer in SIGNS:
        ends = [None if end is None else Fraction(end) for end in (start, stop)]
        if nonnegative([Fraction(c) for c in p], *ends) != answer:
            yield f"{p} is nowhere negative on ({start}, {stop}): {not answer}"


def _coefficients(text: str, low: str, high: str, length: int) -> Any:
    with precision(128):
        return coefficients(read(text), hull(Fraction(low), Fraction(high)), length)


def run() -> None:
    for problem in wrong():
        raise AssertionError(problem)
