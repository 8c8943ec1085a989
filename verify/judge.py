"""From a claim to its verdict: the check runs, its control runs, and neither is taken on trust.

The verdict is the evidence's, unless the evidence breaks a rule: a control that gets through, a float
inside a proof, a proof without certificate, a counterexample that does not stand up when decided again.
Any of these makes it `undecided`, with the reason.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from numbers import Complex, Rational
from typing import Any

from glbcheck.verify.claim import Claim, Evidence, Verdict

_EXACT = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CERTIFIED_ON_BOX, Verdict.GAP, Verdict.REFUTED)


@dataclass(frozen=True)
class Decision:
    """What came out for one claim; `problems` is empty when it is as expected."""

    claim: Claim
    evidence: Evidence
    control_rejected: bool | None
    problems: tuple[str, ...]
    seconds: float

    @property
    def verdict(self) -> Verdict:
        return self.evidence.verdict


def decide(claim: Claim) -> Decision:
    """Run the check and the control of a claim and weigh them."""
    started = time.perf_counter()
    problems: list[str] = []
    evidence = _run(claim, claim.check, "its check", problems)
    for complaint in _complaints(claim, evidence):
        problems.append(complaint)
        evidence = _downgraded(evidence, complaint)
    rejected, evidence = _apply_control(claim, evidence, problems)
    if evidence.verdict is not claim.expected:
        problems.append(f"expected {claim.expected}, found {evidence.verdict}: {evidence.summary}")
    named = tuple(f"claim {claim.id!r}: {problem}" for problem in problems)
    return Decision(claim, evidence, rejected, named, time.perf_counter() - started)


def combine(*parts: Evidence) -> Evidence:
    """Evidence for the conjunction: as strong as its weakest part, and refuted if any part is."""
    if not parts:
        raise ValueError("combine needs at least one piece of evidence")
    if len(parts) == 1:
        return parts[0]
    weakest = max(parts, key=lambda part: part.verdict.rank)
    return Evidence(
        weakest.verdict,
        "+".join(sorted({name for part in parts for name in part.prover.split("+")})),
        "; ".join(dict.fromkeys(part.summary for part in parts))
        if weakest.verdict.positive
        else weakest.summary,
        "; ".join(dict.fromkeys(part.scope for part in parts if part.scope)),
        {"parts": [_part(part) for part in parts]},
        weakest.counterexample,
    )


def gap(with_hypothesis: Evidence, without: Evidence) -> Evidence:
    """GAP when the statement holds under an unstated hypothesis and fails without it, else UNDECIDED."""
    prover = "+".join(sorted({*with_hypothesis.prover.split("+"), *without.prover.split("+")}))
    parts = {"with the hypothesis": _part(with_hypothesis), "without it": _part(without)}
    if with_hypothesis.verdict.positive and without.verdict is Verdict.REFUTED:
        summary = f"{with_hypothesis.summary}; without the hypothesis: {without.summary}"
        return Evidence(Verdict.GAP, prover, summary, with_hypothesis.scope, parts, without.counterexample)
    reason = (
        f"no gap shown: with the hypothesis {with_hypothesis.verdict} ({with_hypothesis.summary}), "
        f"without it {without.verdict} ({without.summary})"
    )
    return Evidence(Verdict.UNDECIDED, prover, reason, certificate=parts)


def floats_in(data: Any, path: str = "") -> Iterator[str]:
    """Where in nested data an inexact number hides."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from floats_in(key, f"{path}/{key}")
            yield from floats_in(value, f"{path}/{key}")
    elif isinstance(data, list | tuple | set | frozenset):
        for index, value in enumerate(data):
            yield from floats_in(value, f"{path}/{index}")
    elif _inexact(data):
        yield f"{path or '/'} = {data!r}"


def _inexact(value: Any) -> bool:
    if isinstance(value, Complex) and not isinstance(value, Rational):
        return True
    if type(value).__module__.split(".")[0] in ("numpy", "mpmath"):
        return not isinstance(value, Rational)
    # SymPy expressions carry their floats inside.
    return bool(value.has(_sympy_float())) if hasattr(value, "free_symbols") else False


def _sympy_float() -> Any:
    import sympy

    return sympy.Float


def _part(evidence: Evidence) -> dict[str, Any]:
    return {
        "verdict": str(evidence.verdict),
        "prover": evidence.prover,
        "summary": evidence.summary,
        "certificate": evidence.certificate,
    }


def _run(claim: Claim, check: Callable[[], Evidence], what: str, problems: list[str]) -> Evidence:
    """The evidence of a check; one that crashes or returns something else has shown nothing."""
    try:
        evidence = check()
    except Exception as err:
        complaint = f"{what} raised {type(err).__name__}: {err}"
    else:
        if isinstance(evidence, Evidence) and isinstance(evidence.verdict, Verdict):
            return evidence
        complaint = f"{what} returned {evidence!r}, which is not Evidence"
    problems.append(complaint)
    return Evidence(Verdict.UNDECIDED, "none", complaint)


def _complaints(claim: Claim, evidence: Evidence) -> Iterator[str]:
    """The rules of rigour that this evidence breaks."""
    verdict = evidence.verdict
    if verdict in _EXACT:
        for place in floats_in({"certificate": evidence.certificate, "hypotheses": claim.hypotheses}):
            yield f"a float in a proof: {place}"
    if verdict is Verdict.PROVED and not evidence.certificate:
        yield "proved without a certificate"
    if verdict in (Verdict.REFUTED, Verdict.GAP):
        if evidence.counterexample is None and not evidence.certificate:
            yield f"{verdict} without a counterexample or a certificate"
        if claim.severity is None or not claim.consequence.strip():
            yield f"{verdict}, but the claim states no severity and consequence"
    if evidence.counterexample is not None:
        if verdict.positive:
            yield f"{verdict}, but it carries a counterexample"
        yield from _unconfirmed(evidence)


def _unconfirmed(evidence: Evidence) -> Iterator[str]:
    from glbcheck.verify.counterexample import confirm

    assert evidence.counterexample is not None
    try:
        again = confirm(evidence.counterexample, evidence.prover)
    except (ValueError, TypeError) as err:
        yield f"its counterexample cannot be decided again: {err}"
    else:
        if again.verdict is not Verdict.REFUTED:
            yield f"its counterexample does not stand: {again.summary}"


def _apply_control(claim: Claim, evidence: Evidence, problems: list[str]) -> tuple[bool | None, Evidence]:
    if claim.control is None:
        return None, evidence
    control = _run(claim, claim.control.check, f"its control ({claim.control.statement})", problems)
    if evidence.verdict is Verdict.UNDECIDED:
        return not control.verdict.positive, evidence
    shared = set(control.prover.split("+")) <= set(evidence.prover.split("+"))
    let_through = control.verdict is evidence.verdict or (
        evidence.verdict.positive and control.verdict.positive
    )
    if shared and not let_through:
        return True, evidence
    complaint = (
        f"control not rejected: {claim.control.statement} came out {control.verdict}"
        if let_through
        else f"control decided by prover {control.prover!r}, the claim by {evidence.prover!r}"
    )
    problems.append(complaint)
    return False, _downgraded(evidence, complaint)


def _downgraded(evidence: Evidence, reason: str) -> Evidence:
    return replace(evidence, verdict=Verdict.UNDECIDED, summary=f"{reason} (was {evidence.verdict})")
