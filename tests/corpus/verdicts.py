"""When is the outcome of a planted statement right?"""

from __future__ import annotations

import json

from glbcheck.verify.certificate import accepted
from glbcheck.verify.claim import Evidence, Verdict

from tests.corpus import Entry


def false_is_caught(entry: Entry) -> bool:
    """A false statement is not positive, and a refutation of it survives its own replay."""
    evidence = entry.run()
    if evidence.verdict is Verdict.REFUTED:
        return accepted(evidence.certificate).word == "refuted"
    return evidence.verdict is Verdict.UNDECIDED and _exact(evidence)


def true_survive(entries: list[Entry]) -> bool:
    """No true statement is refuted, and at least nine in ten are decided."""
    found = [entry.run() for entry in entries]
    decided = sum(evidence.verdict.positive for evidence in found)
    refuted = any(evidence.verdict is Verdict.REFUTED for evidence in found)
    return not refuted and 10 * decided >= 9 * len(found) and all(_exact(evidence) for evidence in found)


def _exact(evidence: Evidence) -> bool:
    """The certificate is JSON made of texts and whole numbers."""
    floats: list[str] = []
    json.loads(json.dumps(dict(evidence.certificate)), parse_float=floats.append)
    return not floats
