"""How many claims there are of each kind: the one count that page, terminal and documents show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from glbcheck.verify.claim import Reading, Severity, Verdict
from glbcheck.verify.ledger import as_expected

Row = Mapping[str, Any]
SERIOUS_FIRST = tuple(reversed(Severity))


@dataclass(frozen=True)
class Tally:
    """Counts of a list of claims; a kind that does not occur is left out."""

    claims: int
    verdicts: Mapping[str, int]  # strongest first
    severities: Mapping[str, int]  # of what is false or incomplete, most serious first
    repaired: int
    as_expected: int


def tally(claims: Sequence[Row]) -> Tally:
    """A claim whose check crashed has a declared severity and shows nothing: it counts by its verdict alone."""
    verdicts = Counter(str(claim["verdict"]) for claim in claims)
    severities = Counter(severity(claim) for claim in wrong(claims))
    return Tally(
        len(claims),
        {str(verdict): verdicts[verdict] for verdict in Verdict if verdicts[verdict]},
        {str(one): severities[one] for one in SERIOUS_FIRST if severities[one]},
        sum(claim["reading"] == Reading.REPAIRED for claim in claims),
        sum(map(as_expected, claims)),
    )


def recorded(claims: Sequence[Row]) -> int:
    """How many theorems are judged by the recorded check, because Coq was not asked."""
    return sum(bool(claim["coq"]) and claim["coq"]["asked"] == "recorded" for claim in claims)


def is_wrong(claim: Row) -> bool:
    """False or incomplete as printed."""
    return claim["verdict"] in (Verdict.REFUTED, Verdict.GAP)


def wrong(claims: Sequence[Row]) -> list[Row]:
    """What is false or incomplete as printed."""
    return [claim for claim in claims if is_wrong(claim)]


def severity(claim: Row) -> Severity:
    """How much it matters; what is wrong without a word about that is taken seriously."""
    return Severity(claim["severity"] or Severity.SUBSTANCE)


def gravity(claim: Row) -> tuple[int, bool]:
    """To sort what is wrong by: the most serious first, refuted before incomplete."""
    return SERIOUS_FIRST.index(severity(claim)), claim["verdict"] != Verdict.REFUTED
