"""The compact table that ends a run: as wide as the terminal, worst news readable at a glance."""

from __future__ import annotations

import shutil
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from glbcheck.verify.claim import Reading, Severity, Verdict
from glbcheck.verify.ledger import as_expected

LEAST_VALUE = 20  # columns; where a label leaves fewer, its value begins on the next line
NARROW, USUAL, WIDE = 40, 80, 120  # columns: the least, those of a file or a pipe, and the most that read well


def width() -> int:
    """How many columns there are to write in."""
    return min(max(shutil.get_terminal_size((USUAL, 24)).columns, NARROW), WIDE)


def summary(results: Mapping[str, Any], seconds: float | None = None) -> list[str]:
    """Counts by verdict, then refuted, gaps, repaired, undecided and whatever was not as expected."""
    claims = results["claims"]
    lines = list(_counts(claims))
    for heading, chosen in (
        ("refuted", [c for c in claims if c["verdict"] == Verdict.REFUTED]),
        ("gap", [c for c in claims if c["verdict"] == Verdict.GAP]),
        ("repaired", [c for c in claims if c["reading"] == Reading.REPAIRED]),
        ("undecided", [c for c in claims if c["verdict"] == Verdict.UNDECIDED]),
        ("not as expected", [c for c in claims if not as_expected(c)]),
    ):
        if chosen:
            lines += ["", f"{heading} ({len(chosen)})"]
            for one in sorted(chosen, key=_gravity):
                lines.append(_line(one))
                if heading in ("refuted", "gap"):
                    lines += [f"      {line}" for line in (_fails_at(one), _repair(one, claims)) if line]
                if heading == "not as expected":
                    lines += [line for why in _reasons(one) for line in wrap("      ", why)]
    spent = sum(c["seconds"] for c in claims) if seconds is None else seconds
    agree = sum(as_expected(c) for c in claims)
    lines += ["", coverage(claims)] if any(c["evidence"].get("parts") for c in claims) else []
    lines += ["", f"{agree} of {len(claims)} claims as expected, {spent:.1f} s"]
    return [clip(line) for line in lines]


def detail(one: Mapping[str, Any], facts: Sequence[Mapping[str, Any]] = ()) -> list[str]:
    """Everything known about one claim, wrapped; `facts` is the table of the textbook facts."""
    evidence, control = one["evidence"], one["control"]
    entries = {fact["id"]: f"{fact['id']}: {fact['statement']} [{fact['reference']}]" for fact in facts}
    fields = [
        ("anchors", ", ".join(one["anchors"])),
        ("title", one["title"]),
        ("reading", one["reading"]),
        ("argument", one["argument"]),
        *(("fact", entries.get(name, name)) for name in one["facts"]),
        ("decided", "" if one["coq"] else " | ".join(one["core"])),
        ("coq", _coq(one["coq"])),
        ("coq says", " ".join(one["coq"]["statement"].split()) if one["coq"] else ""),
        ("assuming", "; ".join(evidence["hypotheses"])),
        ("discharged", "; ".join(f"{text}: {why}" for text, why in evidence.get("discharges", {}).items())),
        ("verdict", f"{one['verdict']} (expected {one['expected']})"),
        ("prover", one["prover"]),
        ("scope", one["scope"]),
        ("evidence", evidence["summary"]),
        ("severity", one["severity"]),
        ("so", one["consequence"]),
        ("falls", _falls(one.get("falls_with_it", ()))),
        ("control", _control(control)),
        ("uses", ", ".join(one["uses"])),
        ("holds up to", f"{one['holds_up_to']}{_counted(one.get('all_facts', ()))}"),
        ("source", evidence["location"]),
        ("problem", "; ".join(evidence["problems"])),
    ]
    lines = [clip(one["id"])]
    for name, value in fields:
        if value:
            lines += wrap(f"  {name:<12}", str(value))
    return lines + list(_parts(evidence.get("parts", ()))) + list(_witness(one["counterexample"]))


def clip(line: str, columns: int | None = None) -> str:
    """A line that fits, cut with an ellipsis if it must be."""
    most = columns or width()
    return line if len(line) <= most else line[: most - 1] + "…"


def wrap(label: str, value: str, columns: int | None = None, indent: int | None = None) -> list[str]:
    """A labelled paragraph, continued under its value, or at the given indent."""
    most = columns or width()
    if len(label) > max(most - LEAST_VALUE, LEAST_VALUE) and value.strip():
        below = " " * min(6 if indent is None else indent, LEAST_VALUE)
        return [*textwrap.wrap(label, most), *textwrap.wrap(value, most, initial_indent=below, subsequent_indent=below)]
    below = " " * (len(label) if indent is None else indent)
    lines = textwrap.wrap(value, most, initial_indent=label, subsequent_indent=below, break_on_hyphens=False)
    return lines or [label.rstrip()]


def _counts(claims: list[Mapping[str, Any]]) -> Iterator[str]:
    found = Counter(c["verdict"] for c in claims)
    yield f"{'verdict':<18}{'claims':>7}"
    for verdict in Verdict:
        if found[verdict]:
            yield f"{verdict:<18}{found[verdict]:>7}"


def _line(one: Mapping[str, Any]) -> str:
    weight = f" [{one['severity']}]" if one["severity"] else ""
    return f"  {one['id']}: {one['verdict']}{weight} {one['title']}"


def _gravity(one: Mapping[str, Any]) -> int:
    """The most serious first; what has no severity keeps its order."""
    return -list(Severity).index(Severity(one["severity"])) if one["severity"] else 0


def _reasons(one: Mapping[str, Any]) -> list[str]:
    """Why a claim is not as expected, without its name in every line."""
    named = f"claim {one['id']!r}: "
    said = [problem.removeprefix(named) for problem in one["evidence"]["problems"]]
    return [problem for problem in said if not any(problem in other for other in said if other != problem)]


def _fails_at(one: Mapping[str, Any]) -> str:
    """The counterexample in one line."""
    found = one["counterexample"]
    if found is None:
        return ""
    point = ", ".join(f"{name} = {value}" for name, value in found["point"].items())
    return f"at {point}: {found['statement']['conclusion']} fails"


def _repair(one: Mapping[str, Any], claims: list[Mapping[str, Any]]) -> str:
    """The repaired statement, when one is named after this claim; otherwise what becomes of it."""
    for other in claims:
        if other["id"] == f"{one['id']}_repaired":
            return f"repair: {other['verdict']} {other['title']}"
    return f"so: {one['consequence']}" if one["consequence"] else ""


def _falls(names: Sequence[str]) -> str:
    """The printed statements whose printed proofs rest on a false or incomplete one."""
    return f"with it: the printed proof of {', '.join(names)}" if names else ""


def _counted(facts: Sequence[str]) -> str:
    """The textbook facts under a claim, its ancestors' included."""
    return f", and {len(facts)} textbook facts: {', '.join(facts)}" if facts else ""


def _control(control: Mapping[str, Any] | None) -> str:
    if control is None:
        return ""
    return f"{control['statement']}: {'rejected' if control['rejected'] else 'NOT rejected'}"


def _parts(parts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Each machine-checked part, with the edit of it that is refuted, or why there is none."""
    for i, one in enumerate(parts, 1):
        yield from wrap(f"  part {i:<7}", one["part"])
        said = f"{one['edit']}: {one['edited']}, refuted at {one['at'] or 'once'}" if one["refuted"] else one["edit"]
        yield from wrap("    control   ", one["complaint"] or said)


def coverage(claims: Sequence[Mapping[str, Any]]) -> str:
    """How many machine-checked parts have an edit that is refuted."""
    parts = [part for one in claims for part in one["evidence"].get("parts", ())]
    reasons = sum(not part["refuted"] and not part["complaint"] for part in parts)
    refuted = sum(part["refuted"] for part in parts)
    return f"controls: {refuted} of {len(parts)} machine-checked parts have a refuted edit, {reasons} a reason"


def _coq(theorem: Mapping[str, Any] | None) -> str:
    """Which theorem, checked by whom, on what."""
    if theorem is None:
        return ""
    assumed = f"; assuming: {'; '.join(theorem['assumes'])}" if theorem["assumes"] else ""
    axioms = ", ".join(theorem["axioms"]) or "none"
    return f"{theorem['theorem']}, {checked_by(theorem)}; axioms: {axioms}{assumed}"


def checked_by(theorem: Mapping[str, Any]) -> str:
    """Which Coq checked a theorem, and whether it was asked in this run."""
    how = {"here": "asked in this run", "recorded": f"check recorded {theorem['date']}"}.get(theorem["asked"])
    return f"{theorem['version']}, {how}" if how else "no valid check by Coq"


def _witness(found: Mapping[str, Any] | None) -> Iterator[str]:
    if found is None:
        return
    statement = found["statement"]
    yield "  counterexample"
    for name, value in found["point"].items():
        yield from wrap(f"    {name} = ", value)
    for name, text in statement["definitions"].items():
        yield from wrap(f"    {name} := ", text)
    for text in statement["hypotheses"]:
        yield from wrap("    holds  ", f"{text}   (slack {found['residuals'][text]})")
    yield from wrap("    fails  ", f"{statement['conclusion']}   (by at least {found['margin']})")
