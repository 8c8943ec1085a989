"""What an audit says of the mass of a density: at which dispersions, with which word, as it stands in the file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glbcheck.core.family import ONE
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.audit.subject import Subject
from glbcheck.verify.claim import Verdict


def told(part: Mapping[str, Any]) -> dict[str, str]:
    """The word that the part of a file for one dispersion earns, and what shows it."""
    if part["rule"] == "computation":
        return {"word": part["word"], "what": part["what"]}
    if part["rule"] == "sum":
        return {"word": "proved", "what": "exp(m/g) is the finite sum of exp(r z/g) b(r), an exact identity in z"}
    kind = "integral" if part["base"]["support"][2] is None else "series"
    return {"word": "proved", "what": f"exp(m/g) is the {kind} of the {part['law']} law, an exact identity in z"}


def mass_words(subject: Subject, shown: Finding) -> str:
    """The dispersions of the file, those with one word and one reason together, and those that are open."""
    if shown.verdict is Verdict.REFUTED:
        return shown.evidence
    rows = shown.certificate["answers"]
    groups = dict[tuple[str, str], list[str]]()
    for row in rows:
        groups.setdefault((row["word"], row["what"]), []).append(row["g"])
    if len(groups) > 1:
        words = "; ".join(f"{word} at g = {', '.join(places)}: {what}" for (word, what), places in groups.items())
    else:
        several = len(rows) > 1 or subject.family.dispersions is not ONE
        words = rows[0]["what"] + (f"; at g = {', '.join(row['g'] for row in rows)}" if several else "")
    open_at = shown.certificate["not settled at g"]
    return words + (f"; not settled at g = {', '.join(open_at)}" if open_at else "")
