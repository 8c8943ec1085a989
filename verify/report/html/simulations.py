"""Coverage and regret: figures first, then every table the simulation left behind, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from glbcheck.verify.report.exponent_table import NOTE, table
from glbcheck.verify.report.html.bundle import Record
from glbcheck.verify.report.html.formulas import prose
from glbcheck.verify.report.html.markup import Child, Safe, el, images, part, records, shown

CAPTIONS = {"claims": "what is claimed, and by whom", "settings": "who wins where", "untold": "not told C"}
# What a reader looks for in a table; the file has every field.
_SETTING = ("family", "d", "S", "dispersion", "arms", "C", "adversary", "T")
FIELDS: Mapping[Any, Sequence[str]] = {
    ("coverage", "cells"): (
        *_SETTING, "constants", "delta", "alpha", "replicates", "misses", "miss_upper", "worst_ratio",
        "first_informative_median", "alarm",
    ),
    ("regret", "cells"): (
        *_SETTING, "algorithm", "constants", "alpha", "replicates", "regret_median", "regret_q95", "bound_sharpest",
        "bound_repaired", "bound_printed", "over_bound",
    ),
    "power": (
        "variant", "breaks", *_SETTING, "replicates", "misses", "worst_ratio", "detected", "replicates_needed",
        "absorbed",
    ),
}  # fmt: skip


def section(simulations: Mapping[str, Record]) -> Safe | None:
    """One part per simulation."""
    if not simulations:
        return None
    return part("simulations", "Simulations", None, (_simulation(name, found) for name, found in simulations.items()))


def _simulation(name: str, found: Record) -> Safe:
    facts = {k: v for k, v in found.items() if not isinstance(v, list | Mapping)}
    facts |= {k: v for k, v in found.get("grid", {}).items() if k == "seed"}
    parts: list[Child] = [el("h3", name.replace("_", " ").capitalize())]
    if facts:
        parts.append(el("dl", ([el("dt", k.replace("_", " ")), el("dd", shown(v))] for k, v in facts.items())))
    parts += _conclusions(found.get("conclusions"))
    parts += images(found)
    for key, value in found.items():
        if isinstance(value, list) and value and all(isinstance(row, Mapping) for row in value):
            parts.append(
                records(f"{name}: {key}".replace("_", " "), value, FIELDS.get((name, key), FIELDS.get(key, ())))
            )
    return el("div", parts, class_="simulation", id=f"simulation={name}")


def _conclusions(found: object) -> list[Child]:
    """What to conclude, in words; then the orders of regret, measured beside claimed, and every setting."""
    if not isinstance(found, Mapping):
        return []
    said = found.get("words", [])
    parts: list[Child] = [el("h4", "Conclusion"), el("ul", (el("li", prose(str(sentence))) for sentence in said))]
    if found.get("exponents"):
        orders = table(found["exponents"], found["claims"])
        parts += [records("exponents, measured and claimed", orders), el("p", NOTE, class_="note")]
    for name, caption in CAPTIONS.items():
        if found.get(name):
            parts.append(records(caption, found[name]))
    return parts
