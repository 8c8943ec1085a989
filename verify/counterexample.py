"""Counterexamples: exact points at which every hypothesis holds and the conclusion fails, decided by the kernel."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from glbcheck.core import exact
from glbcheck.core.enclosure.balls import lower
from glbcheck.core.kernel.check import at_point, read_statement
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.evaluate import BALLS, evaluate, precision
from glbcheck.core.kernel.ring import rational
from glbcheck.core.kernel.terms import Rejected
from glbcheck.verify.certificate import Certificate, accepted, certificate, statement_data
from glbcheck.verify.claim import Counterexample, Evidence, Statement, Verdict

BITS = 256  # enough for the six digits that are shown
LONGEST = 10**1000  # larger numbers are not written out


def refute(
    statement: Statement, point: Mapping[str, Fraction | int | Any], prover: str,
    functions: Mapping[str, str] | None = None,
) -> Evidence:  # fmt: skip
    """REFUTED at this point, if the kernel agrees, or UNDECIDED with the reason."""
    at = {name: str(exact.rational(f"point[{name!r}]", value)) for name, value in point.items()}
    kinds = {**dict.fromkeys(at, "real"), **dict.fromkeys(functions or {}, "function")}
    proof = {"rule": "point", "at": at, **({"functions": dict(functions)} if functions else {})}
    return refuted_at(statement_data(statement, kinds), proof, prover)


def refuted_at(data: Mapping[str, Any], proof: Mapping[str, Any], prover: str) -> Evidence:
    """The same for a statement and a point as the kernel has them."""
    made = certificate(data, proof)
    try:
        accepted(made)
    except Rejected as complaint:
        return Evidence(Verdict.UNDECIDED, prover, f"no counterexample: {data['conclusion']}: {complaint}")
    found = shown(made)
    where = ", ".join(f"{name} = {value}" for name, value in proof["at"].items())
    summary = f"{data['conclusion']} fails by at least {found.margin}" + (f" at {where}" if where else "")
    return Evidence(Verdict.REFUTED, prover, summary, certificate=made, counterexample=found)


def shown(refutation: Certificate) -> Counterexample:
    """The counterexample of a refutation that the kernel accepted, with how clearly each relation holds or fails."""
    data, proof = refutation["statement"], refutation["proof"]
    context, goal = read_statement(data)
    relations = zip(data["hypotheses"], context.facts, strict=True)
    slacks = {text: _distance(fact, context, proof) for text, fact in relations}
    statement = Statement(tuple(data["hypotheses"]), data["conclusion"], data.get("definitions", {}))
    return Counterexample(statement, dict(proof["at"]), slacks, _distance(goal, context, proof))


def counterexample_in(found: Mapping[str, Any]) -> Counterexample | None:
    """The first refutation inside a certificate, however it is put together."""
    if found.get("proof", {}).get("rule") == "point":
        return shown(dict(found))
    inner = [*found.get("all", ()), *([found["gap"]["without"]] if "gap" in found else [])]
    return next((c for part in inner if (c := counterexample_in(part)) is not None), None)


def _distance(fact: Fact, context: Context, point: Mapping[str, Any]) -> str:
    """A lower bound of |lhs - rhs|: exact, or six digits rounded towards zero."""
    gap = at_point(context, point)(fact).gap
    exactly = rational(gap)
    if exactly is not None:
        written = abs(exactly)
        return str(written) if max(written.numerator, written.denominator) < LONGEST else _floor_text(written)
    with precision(BITS):
        value = abs(evaluate(gap, {}, BALLS))
        return _floor_text(Fraction(LONGEST) if value > LONGEST else max(lower(value), Fraction(0)))


def _floor_text(value: Fraction) -> str:
    """Six significant decimal digits of a non-negative number, rounded towards zero."""
    if value == 0:
        return "0"
    bits = value.numerator.bit_length() - value.denominator.bit_length()
    exponent = bits * (30 if bits > 0 else 31) // 100 - 8  # a little too small, for log10(2) = 0.301...
    digits = value // Fraction(10) ** exponent
    while digits >= 10**6:
        exponent, digits = exponent + 1, digits // 10
    return f"{digits}e{exponent}"
