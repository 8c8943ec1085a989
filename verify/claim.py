"""The words of the referee: what a claim is, and what may be said about it.

A claim is a function that returns `Evidence`; it carries its anchors in the paper, its
hypotheses, the verdict expected of it, a control that the same prover must reject, and the
claims it uses.  Everything here is data; deciding is the provers' business.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glbcheck.verify.claims.text import Steps


class Verdict(StrEnum):
    """What is known about a statement, strongest first."""

    PROVED = "proved"
    CERTIFIED = "certified"
    CERTIFIED_ON_BOX = "certified-on-box"
    ARGUED = "argued"
    STRESS_TESTED = "stress-tested"
    CITED = "cited"
    DEFINITION = "definition"
    STRUCTURAL = "structural"
    UNDECIDED = "undecided"
    CONTRADICTED = "contradicted"
    GAP = "gap"
    REFUTED = "refuted"

    @property
    def positive(self) -> bool:
        """The statement was found to hold, at some level of rigour."""
        return self.rank <= Verdict.STRESS_TESTED.rank

    @property
    def machine_checked(self) -> bool:
        """Everything that is shown was decided by a machine."""
        return self.rank <= Verdict.CERTIFIED_ON_BOX.rank

    @property
    def nothing_to_decide(self) -> bool:
        return self in (Verdict.CITED, Verdict.DEFINITION, Verdict.STRUCTURAL)

    @property
    def rank(self) -> int:
        """0 is strongest; a conjunction is as strong as its largest rank."""
        return list(Verdict).index(self)


class Reading(StrEnum):
    """Is this the statement as it stands in the paper, or our repair of it?"""

    AS_PRINTED = "as-printed"
    REPAIRED = "repaired"


class Severity(StrEnum):
    """How much a refuted claim or a gap matters."""

    SLIP = "slip"
    CONSTANT = "constant"
    HYPOTHESIS = "hypothesis"
    SUBSTANCE = "substance"


@dataclass(frozen=True)
class Statement:
    """Hypotheses imply conclusion, as text in the formula language of `core.expression`.

    `definitions` name intermediate quantities, each in terms of the variables and of the
    definitions before it, so that the statement can be read and re-decided on its own.
    """

    hypotheses: tuple[str, ...]
    conclusion: str
    definitions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Counterexample:
    """An exact point where every hypothesis holds and the conclusion fails, certified."""

    statement: Statement
    point: Mapping[str, str]
    residuals: Mapping[str, str]
    margin: str


@dataclass(frozen=True)
class Evidence:
    """What a prover hands back: never a bare boolean."""

    verdict: Verdict
    prover: str
    summary: str
    scope: str = ""
    certificate: Mapping[str, Any] = field(default_factory=dict)
    counterexample: Counterexample | None = None


@dataclass(frozen=True)
class Control:
    """A nearby statement that the claim's prover must reject.

    For a claim that holds: a false neighbour, which must not come out positive.
    For a refuted claim: a true neighbour, which must not come out refuted.
    """

    statement: str
    check: Callable[[], Evidence]


@dataclass(frozen=True)
class Formal:
    """The Coq theorem that a claim is, a control and a witness of it; `folder` holds the paper's Coq sources.

    `premises` are definitions that the theorem assumes and nobody proves, each with the name of the textbook fact that
    it is.  The control denies a near mutant; the witness shows that the hypotheses can be met.
    """

    theorem: str
    folder: Path
    control: str = ""
    witness: str = ""
    premises: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Claim:
    """One statement of the paper, in one reading, beside the check that decides it.

    `states` is the statement in the formula language, if it can be said there; then the certificate must be one
    of this very statement.  A claim without it is words around what was decided, and at best `argued`; `facts`
    names the textbook facts that the argument uses.

    `math` is the statement as LaTeX, in our own notation, for reports; a gap is written
    ``statement \\impliedby hypothesis it lacks``.

    `discharges` maps a hypothesis of what is used, which is not one of the claim itself, to the reason why it holds.
    `carries` is for what is refuted or a gap: the printed statements whose printed proof cites it.
    """

    id: str
    anchors: tuple[str, ...]
    title: str
    check: Callable[[], Evidence]
    expected: Verdict
    control: Control | None
    reading: Reading = Reading.AS_PRINTED
    hypotheses: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    severity: Severity | None = None
    consequence: str = ""
    location: str = ""
    math: str = ""
    states: str = ""
    core: Verdict | None = None  # what the machine-checked part of an argued claim should earn
    argument: str = ""
    facts: tuple[str, ...] = ()
    discharges: Mapping[str, str] = field(default_factory=dict)
    carries: tuple[str, ...] = ()
    steps: Steps | None = None  # the text of a claim that is one
    chain: bool = False  # its last conclusion is the statement of its anchors, quantifiers included
    coq: Formal | None = None  # for a refuted claim or a gap: the negation of what is printed
