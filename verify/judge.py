"""From a claim to its verdict: the check runs, its control runs, and neither is taken on trust.

The verdict is the word that the kernel gives to the certificate, whatever the prover says; for a claim that is a
Coq theorem the kernel is Coq's, asked again here.  A certificate that the kernel does not accept, or a control
that gets through, makes it `undecided`, with the reason.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from glbcheck.core.kernel.check import FORMAT, Accepted
from glbcheck.core.kernel.terms import Rejected
from glbcheck.verify import controls, review
from glbcheck.verify.certificate import accepted, certifies, idle, not_decided
from glbcheck.verify.claim import Claim, Evidence, Verdict
from glbcheck.verify.claims import joint
from glbcheck.verify.coq import theorem as coq
from glbcheck.verify.coq.sources import CoqError
from glbcheck.verify.counterexample import counterexample_in
from glbcheck.verify.memory import remembering
from glbcheck.verify.search.solvers import oracle
from glbcheck.verify.wording import read


@dataclass(frozen=True)
class Decision:
    """What came out for one claim; `problems` is empty when it is as expected."""

    claim: Claim
    evidence: Evidence
    control_rejected: bool | None
    problems: tuple[str, ...]
    seconds: float
    kernel: Accepted | None = None
    parts: tuple[controls.PartControl, ...] = ()
    coq: coq.Answer | None = None

    @property
    def verdict(self) -> Verdict:
        return self.evidence.verdict


def decide(
    claim: Claim,
    reviewed: Mapping[str, str] | None = None,
    recorded: controls.Records | None = None,
    points: Mapping[str, Any] | None = None,
) -> Decision:
    """Run the check and the control of a claim and weigh them.

    `reviewed` says which words were read again, `recorded` which edits of its parts are refuted, `points` where its
    premises hold together.
    """
    with remembering():
        return _decide(claim, reviewed, recorded, points)


def _decide(
    claim: Claim,
    reviewed: Mapping[str, str] | None,
    recorded: controls.Records | None,
    points: Mapping[str, Any] | None,
) -> Decision:
    started = time.perf_counter()
    problems: list[str] = []
    evidence = _run(claim, claim.check, "its check", problems)
    kernel, complaint = _kernel_says(claim, evidence)
    parts = [] if recorded is None else controls.controls(evidence.certificate, recorded)
    answer, refused = _coq_says(claim)
    complaint = complaint or refused or review.complaint(claim, evidence, reviewed, answer) or controls.complaint(parts)
    if not complaint and claim.steps is not None and points is not None:
        complaint = joint.complaint(claim.steps, points.get(claim.id))
    if complaint:
        problems.append(complaint)
        evidence = _downgraded(evidence, complaint)
    rejected, evidence = _apply_control(claim, evidence, problems, parts)
    if evidence.verdict.machine_checked and not claim.states and not _is_theorem(claim):
        if evidence.verdict is not claim.core:
            problems.append(f"its machine-checked part is {evidence.verdict}, not {claim.core}")
        evidence = replace(evidence, verdict=Verdict.ARGUED)
    if evidence.verdict is not claim.expected:
        problems.append(f"expected {claim.expected}, found {evidence.verdict}: {evidence.summary}")
    named = tuple(f"claim {claim.id!r}: {problem}" for problem in problems)
    return Decision(claim, evidence, rejected, named, time.perf_counter() - started, kernel, tuple(parts), answer)


def combine(*parts: Evidence) -> Evidence:
    """Evidence for the conjunction: as strong as its weakest part, and refuted if any part is."""
    if not parts:
        raise ValueError("combine needs at least one piece of evidence")
    if len(parts) == 1:
        return parts[0]
    weakest = max(parts, key=lambda part: part.verdict.rank)
    # One false conjunct settles a conjunction, whatever became of the others.
    refuted = weakest.verdict is Verdict.REFUTED
    certificates = [part.certificate for part in parts if part.certificate]
    settled = refuted or len(certificates) == len(parts)
    return Evidence(
        weakest.verdict,
        "+".join(sorted({name for part in parts for name in part.prover.split("+")})),
        "; ".join(dict.fromkeys(part.summary for part in parts)) if weakest.verdict.positive else weakest.summary,
        "; ".join(dict.fromkeys(part.scope for part in parts if part.scope)),
        {"format": FORMAT, "all": certificates} if settled else {},
        weakest.counterexample,
    )


def gap(with_hypothesis: Evidence, without: Evidence) -> Evidence:
    """GAP when the statement holds under an unstated hypothesis and fails without it, else UNDECIDED."""
    prover = "+".join(sorted({*with_hypothesis.prover.split("+"), *without.prover.split("+")}))
    if with_hypothesis.verdict.positive and without.verdict is Verdict.REFUTED:
        summary = f"{with_hypothesis.summary}; without the hypothesis: {without.summary}"
        made = {"format": FORMAT, "gap": {"with": with_hypothesis.certificate, "without": without.certificate}}
        return Evidence(Verdict.GAP, prover, summary, with_hypothesis.scope, made, without.counterexample)
    reason = (
        f"no gap shown: with the hypothesis {with_hypothesis.verdict} ({with_hypothesis.summary}), "
        f"without it {without.verdict} ({without.summary})"
    )
    return Evidence(Verdict.UNDECIDED, prover, reason)


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


def _kernel_says(claim: Claim, evidence: Evidence) -> tuple[Accepted | None, str]:
    """What the kernel made of the certificate, and why the evidence does not earn its verdict, if so."""
    verdict = evidence.verdict
    if verdict is Verdict.UNDECIDED or verdict.nothing_to_decide:
        return None, ""
    try:
        if claim.coq and _is_theorem(claim):
            return coq.accepted(claim.coq, evidence.certificate), ""
        found = accepted(evidence.certificate, oracle)
    except (Rejected, TypeError, ValueError) as complaint:
        return None, f"the kernel does not accept its certificate: {complaint}"
    if found.word != (Verdict.CERTIFIED if verdict is Verdict.CERTIFIED_ON_BOX else verdict):
        return found, f"its certificate makes it {found.word}, not {verdict}"
    if empty := next(idle(evidence.certificate), ""):
        return found, f"its certificate holds {empty}, one term on both sides, which shows nothing"
    if claim.steps is not None and (missing := not_decided(evidence.certificate, claim.steps.statements())):
        return found, f"its certificate does not hold {missing}"
    if claim.states and not certifies(evidence.certificate, read(claim.states)):
        return found, "its certificate is one of another statement"
    if verdict in (Verdict.REFUTED, Verdict.GAP) and (claim.severity is None or not claim.consequence.strip()):
        return found, f"{verdict}, but the claim states no severity and consequence"
    if evidence.counterexample != counterexample_in(evidence.certificate):
        return found, "the counterexample it shows is not the one in its certificate"
    return found, ""


def _is_theorem(claim: Claim) -> bool:
    """The claim is a Coq theorem; otherwise Coq only denies what is printed, beside a check of ours."""
    return claim.coq is not None and bool(claim.coq.control)


def _coq_says(claim: Claim) -> tuple[coq.Answer | None, str]:
    """The claim's Coq theorem, and why it may not stand, if so."""
    if claim.coq is None:
        return None, ""
    try:
        return (coq.consulted(claim.coq)["theorem"] if _is_theorem(claim) else coq.refutation(claim.coq)), ""
    except CoqError as complaint:
        return None, "" if _is_theorem(claim) else str(complaint)  # of a theorem the evidence says so


def _apply_control(
    claim: Claim, evidence: Evidence, problems: list[str], parts: Sequence[controls.PartControl]
) -> tuple[bool | None, Evidence]:
    if claim.control is None and claim.steps is not None:
        return (all(part.refuted for part in parts) if parts else None), evidence
    if claim.control is None:
        if evidence.verdict.nothing_to_decide or evidence.verdict is Verdict.UNDECIDED:
            return None, evidence
        problems.append("has no control")
        return None, _downgraded(evidence, "has no control")
    control = _run(claim, claim.control.check, f"its control ({claim.control.statement})", problems)
    if evidence.verdict is Verdict.UNDECIDED:
        return not control.verdict.positive, evidence
    # A statement that decides itself is tried in every way there is, and so is its control, which a point must refute.
    shared = bool(claim.states) or set(control.prover.split("+")) <= set(evidence.prover.split("+"))
    let_through = control.verdict is evidence.verdict or (evidence.verdict.positive and control.verdict.positive)
    let_through |= bool(claim.states) and evidence.verdict.positive and control.verdict is not Verdict.REFUTED
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
