"""What the kernel must accept, what it must reject, and what its parts must say, from plain tables.

`run` goes through all of them and raises at the first that is wrong; mutants of the kernel are judged by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from glbcheck.core.kernel.check import check, load
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.evaluate import closed_sign, hull, precision
from glbcheck.core.kernel.language import derivative, parse, parse_relation
from glbcheck.core.kernel.ring import is_zero, rational
from glbcheck.core.kernel.terms import Rejected, show, variable

from tests.attacks.kernel_battery_accepted import ACCEPTED, BALLS_OVER, EVIDENT, ONE, cells, stated
from tests.attacks.kernel_battery_forged import FORGED
from tests.attacks.kernel_battery_terms import (
    CLOSED,
    DEFINED,
    EVIDENT_SIGNS,
    FOR_EVER,
    HULLS,
    INTEGER,
    NO_RELATION,
    NOT_ZERO,
    RATIONAL,
    READ,
    REFUSED,
    RELATIONS,
    SLOPES,
    UNREADABLE,
    VALUES,
    ZERO,
)

_KINDS = (("x", "real"), ("y", "real"), ("n", "integer"))
_NAMES = {name: variable(name) for name, _ in _KINDS}


def context(facts: str) -> Context:
    """The points where these facts about the reals x, y and the whole number n hold."""
    given = tuple(Fact.of(*parse_relation(text, _NAMES)) for text in facts.split(", ") if text)
    return Context(_KINDS, frozenset({"f"}), given)


def term(text: str) -> Any:
    return parse(text, {**_NAMES, "lambda": variable("lambda")}, frozenset({"f"}))


def exact(at: Any) -> Fraction:
    """An end of a ball, which is a whole number times a power of two."""
    mantissa, exponent = (int(part) for part in at.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


def refused(text: Any, read: Any) -> bool:
    try:
        read(text)
    except Rejected:
        return True
    return False


def hollowed(data: Any) -> Iterator[Any]:
    """The certificate with one proof or tree in it replaced by nothing."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        instead = list(hollowed(value)) if isinstance(value, dict | list) else []
        if isinstance(value, dict) and value.keys() & {"rule", "terms", "split"}:
            instead.append({"rule": "", "terms": []})
        for new in instead:
            yield {**data, key: new} if isinstance(data, dict) else [*data[:key], new, *data[key + 1 :]]


def wrong() -> Iterator[str]:
    """Whatever in these tables is not as it should be, one line each; first what is the worst and is seen soonest."""
    yield from _wrong_certificates()
    yield from _wrong_numbers()
    yield from _wrong_contexts()
    yield from _wrong_formulas()


def _wrong_certificates() -> Iterator[str]:
    for name, certificate in FORGED.items():
        if not refused(certificate, check):
            yield f"{name} is accepted"
    for name, (word, certificate) in ACCEPTED.items():
        if check(certificate).word != word:
            yield f"{name} is not {word}"
        for hollow in hollowed(certificate):
            if not refused(hollow, check):
                yield f"{name} is accepted without a part of its proof"
    for relation, (least, most) in BALLS_OVER.items():
        over = stated("x", [f"x >= {least}", f"x <= {most}"], relation, cells(ONE), x=str(most))
        if not refused(over, check):
            yield f"{relation} is accepted on [{least}, {most}]"
    if check(ACCEPTED["a computed number"][1]).rests_on != ("computation: a table",):
        yield "a computed number rests on nothing"
    rests = check(FORGED["engines by themselves"], lambda context, goal: "somebody")
    if (rests.word, rests.rests_on) != ("certified", ("somebody",)):
        yield f"what engines say is {rests}"
    for text in UNREADABLE:
        with NamedTemporaryFile(suffix=".json") as file:
            Path(file.name).write_text(text, encoding="latin-1")
            if not refused(file.name, load):
                yield f"{text} is read as a certificate"
    for text in FOR_EVER:
        if not refused(stated("", [], text, EVIDENT), check):
            yield f"{text} is worked out"


def _wrong_numbers() -> Iterator[str]:
    for text, billionths in VALUES.items():
        signs = [closed_sign(term(text) - Fraction(billionths + k, 10**9)) for k in (0, 2)]
        if signs != [1, -1]:
            yield f"{text} has another value: {signs}"
    for low, high, wider in HULLS:
        a, b = Fraction(low), Fraction(high)
        with precision(64):
            ends = [exact(hull(a, b).lower()), exact(hull(a, b).upper())]
        if not (ends[0] <= a <= b <= ends[1] and ends[1] - ends[0] <= b - a + Fraction(wider)):
            yield f"the ball from {low} to {high} is {ends}"
    for text, sign in CLOSED.items():
        if closed_sign(term(text)) != sign:
            yield f"the sign of {text} is {closed_sign(term(text))}"
    for text in [*ZERO, *NOT_ZERO]:
        if is_zero(term(text)) != (text in ZERO):
            yield f"{text} is zero: {is_zero(term(text))}"
    for text, value in RATIONAL.items():
        if rational(term(text)) != (None if value is None else Fraction(value)):
            yield f"{text} is the number {rational(term(text))}"


def _wrong_contexts() -> Iterator[str]:
    for facts, text, *answers in EVIDENT_SIGNS:
        found = [context(facts).evident(term(text), strict) for strict in (False, True)]
        if found != answers:
            yield f"{facts} => {text} evident: {found}"
    for facts, text, *answers in DEFINED:
        found = [context(facts).defined(term(text), smooth) for smooth in (False, True)]
        if found != answers:
            yield f"{facts} => {text} defined: {found}"
    for text, answer in INTEGER.items():
        if context("").integer(term(text)) != answer:
            yield f"{text} is whole: {not answer}"


def _wrong_formulas() -> Iterator[str]:
    for text, slope in SLOPES.items():
        if slope is None and not refused(text, lambda text: derivative(term(text), "x")):
            yield f"{text} has a slope"
        if slope is not None and not is_zero(derivative(term(text), "x") - term(slope)):
            yield f"the slope of {text} is {derivative(term(text), 'x')}"
    for text, shown in READ.items():
        if shown not in (None, show(term(text))) or term(show(term(text))) is not term(text):
            yield f"{text} is read as {show(term(text))}"
    for text in REFUSED:
        if not refused(text, term):
            yield f"{text[:40]} is read"
    for text, op in RELATIONS.items():
        if parse_relation(text, _NAMES) != (_NAMES["x"], op, _NAMES["y"]):
            yield f"{text} is read as {parse_relation(text, _NAMES)}"
    for text in NO_RELATION:
        if not refused(text, lambda text: parse_relation(text, _NAMES)):
            yield f"{text} is read as a relation"


def run() -> None:
    for problem in wrong():
        raise AssertionError(problem)
