"""Counterexamples: exact points that are re-decided, never believed.

A statement is refuted at a point only if every hypothesis certainly holds there and the conclusion
certainly fails.  Each relation is decided by rational arithmetic where that is enough, otherwise by
balls of rising precision; an equality is only ever confirmed exactly.  Formulas are evaluated as
written, so a point where something is undefined decides nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import sympy
from glbcheck.core.enclosure import NotEnclosed, ball_function, lower, precision, upper
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import Relation, decide, rational, stated
from glbcheck.core.expression import ExpressionError, parse, parse_relation
from glbcheck.verify.claim import Counterexample, Evidence, Statement, Verdict
from glbcheck.verify.ledger import COUNTEREXAMPLE_FORMAT as FORMAT
from glbcheck.verify.pointwise import exact_value, fifty_digit_sign

PRECISIONS = (64, 128, 256, 512, 1024, 2048, 4096)


class CounterexampleError(ValueError):
    """A counterexample file that cannot be read as one."""


@dataclass(frozen=True)
class Sign:
    """What is known of lhs - rhs at the point: enclosed in [low, high], exact if they are equal."""

    low: Fraction
    high: Fraction

    @property
    def exact(self) -> bool:
        return self.low == self.high

    def decides(self, operator: Relation) -> bool | None:
        """Does `lhs operator rhs` hold?  None when the enclosure cannot tell."""
        return decide(self.low, self.high, operator, Fraction(0))

    @property
    def distance(self) -> str:
        """A certified lower bound of |lhs - rhs|: exact, or six digits rounded towards zero."""
        if self.exact:
            return str(abs(self.low))
        return _floor_text(max(self.low, -self.high, Fraction(0)))


def refute(statement: Statement, point: Mapping[str, Fraction | int | Any], prover: str) -> Evidence:
    """REFUTED with a certified counterexample at `point`, or UNDECIDED with the reason."""
    exact = {name: rational(f"point[{name!r}]", value) for name, value in point.items()}
    relations = _relations(statement, tuple(exact))
    residuals: dict[str, str] = {}
    for text, relation in zip(statement.hypotheses, relations[:-1], strict=True):
        sign = _sign(relation, exact)
        holds = sign.decides(relation.rel_op) if sign else None
        if sign is None or holds is None:
            return _undecided(prover, f"cannot certify the hypothesis {text}")
        if not holds:
            return _undecided(prover, f"the point violates the hypothesis {text}")
        residuals[text] = sign.distance
    sign = _sign(relations[-1], exact)
    holds = sign.decides(relations[-1].rel_op) if sign else None
    if sign is None or holds is None:
        return _undecided(prover, f"cannot separate the two sides of {statement.conclusion}")
    if holds:
        return _undecided(prover, f"the conclusion {statement.conclusion} holds at the point")
    shown = {name: str(value) for name, value in exact.items()}
    found = Counterexample(statement, shown, residuals, sign.distance)
    where = ", ".join(f"{name} = {value}" for name, value in shown.items())
    method = "rational arithmetic" if sign.exact else "ball arithmetic"
    return Evidence(
        Verdict.REFUTED,
        prover,
        f"{statement.conclusion} fails by at least {found.margin}" + (f" at {where}" if where else ""),
        certificate={"point": shown, "margin": found.margin, "decided by": method},
        counterexample=found,
    )


def confirm(found: Counterexample, prover: str = "replay") -> Evidence:
    """Decide a counterexample again from its formulas and its point alone.

    Balls and 50-digit arithmetic must agree on every relation, and the residuals and margin on
    record must be those that come out.
    """
    point = {name: stated(name, text) for name, text in found.point.items()}
    again = refute(found.statement, point, prover)
    if again.counterexample is None:
        return again
    if doubtful := _disagreement(found.statement, point):
        return _undecided(prover, f"balls and 50-digit arithmetic do not agree on {doubtful}")
    recorded = {**found.residuals, "margin": found.margin}
    computed = {**again.counterexample.residuals, "margin": again.counterexample.margin}
    if recorded.keys() != computed.keys():
        return _undecided(prover, "the record does not list the residuals of exactly these hypotheses")
    for name, text in recorded.items():
        if not _close(stated(name, text), stated(name, computed[name])):
            return _undecided(prover, f"the record says {text} for {name}, recomputed is {computed[name]}")
    return again


def save(found: Counterexample, path: str | Path) -> None:
    """Write a counterexample as JSON that `replay` re-decides."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"format": FORMAT, **asdict(found)}, indent=2, ensure_ascii=False)
    Path(path).write_text(text + "\n", encoding="utf-8")


def load(path: str | Path) -> Counterexample:
    """Read a counterexample; nothing in it is trusted until `confirm` has decided it again."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as err:
        raise CounterexampleError(f"{path}: not a readable JSON file ({err})") from None
    try:
        if data["format"] != FORMAT:
            raise CounterexampleError(f"{path}: format is {data['format']!r}, expected {FORMAT!r}")
        statement = data["statement"]
        return Counterexample(
            Statement(
                _texts(statement["hypotheses"]),
                _text(statement["conclusion"]),
                _table(statement["definitions"]),
            ),
            _table(data["point"]),
            _table(data["residuals"]),
            _text(data["margin"]),
        )
    except (KeyError, TypeError, AttributeError) as err:
        raise CounterexampleError(f"{path}: not a counterexample file (problem with {err})") from None


def replay(path: str | Path) -> Evidence:
    """Re-decide the counterexample in a file from scratch."""
    try:
        return confirm(load(path))
    except (ExpressionError, BadInput) as err:
        raise CounterexampleError(f"{path}: {err}") from None


def _relations(statement: Statement, variables: tuple[str, ...]) -> list[Any]:
    """Hypotheses and, last, the conclusion, in the variables alone and exactly as written."""
    names: dict[str, Any] = {name: sympy.Symbol(name, real=True) for name in variables}
    for name, text in statement.definitions.items():
        if name in names:
            raise ExpressionError(f"definition {name!r} is already a variable or a definition")
        names[name] = parse(text, names, evaluate=False)
    return [
        parse_relation(text, names, evaluate=False) for text in (*statement.hypotheses, statement.conclusion)
    ]


def _sign(relation: Any, point: Mapping[str, Fraction]) -> Sign | None:
    """Where lhs - rhs lies, as precisely as its sign needs; None if it is not a finite real."""
    sides = exact_value(relation.lhs, point), exact_value(relation.rhs, point)
    if sides[0] is not None and sides[1] is not None:
        return Sign(sides[0] - sides[1], sides[0] - sides[1])
    difference = sympy.Add(
        relation.lhs, sympy.Mul(sympy.S.NegativeOne, relation.rhs, evaluate=False), evaluate=False
    )
    try:
        evaluate = ball_function(difference, [sympy.Symbol(name, real=True) for name in point])
    except NotEnclosed:
        return None
    found = None
    for bits in PRECISIONS:
        with precision(bits):
            value = evaluate(*point.values())
        if value.is_finite():
            found = Sign(lower(value), upper(value))
            # Equal ends of a ball are the true value too: flint's balls contain it.
            if found.low > 0 or found.high < 0:
                break
    return found


def _disagreement(statement: Statement, point: Mapping[str, Fraction]) -> str | None:
    """A hypothesis that fails or a conclusion that holds in 50-digit arithmetic, or None."""
    relations = _relations(statement, tuple(point))
    wanted = [(text, True) for text in statement.hypotheses] + [(statement.conclusion, False)]
    for (text, expected), relation in zip(wanted, relations, strict=True):
        sign = fifty_digit_sign(relation.lhs, relation.rhs, point)
        holds = None if sign is None else Sign(Fraction(sign), Fraction(sign)).decides(relation.rel_op)
        if holds is not expected:
            return text
    return None


def _close(a: Fraction, b: Fraction) -> bool:
    return abs(a - b) * 1000 <= max(abs(a), abs(b))


def _floor_text(value: Fraction) -> str:
    """Six significant decimal digits of a non-negative number, rounded towards zero."""
    if value == 0:
        return "0"
    exponent = len(str(value.numerator)) - len(str(value.denominator)) - 6
    digits = value // Fraction(10) ** exponent
    while digits >= 10**6:
        exponent, digits = exponent + 1, digits // 10
    return f"{digits}e{exponent}"


def _undecided(prover: str, reason: str) -> Evidence:
    return Evidence(Verdict.UNDECIDED, prover, f"no counterexample: {reason}")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r}, which should be text")
    return value


def _texts(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list):
        raise TypeError(f"{values!r}, which should be a list")
    return tuple(_text(value) for value in values)


def _table(values: Any) -> dict[str, str]:
    return {_text(name): _text(value) for name, value in values.items()}
