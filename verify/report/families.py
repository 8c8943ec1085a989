"""The catalogue as a table: what each family is, and how self-concordant."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

COLUMNS = (("name", 22), ("domain", 13), ("support", 15), ("g", 3), ("R_s", 9), ("attained", 13))


def rows() -> list[dict[str, Any]]:
    """One row per catalogue family, with the certified global self-concordance constant."""
    from glbcheck.core import catalog
    from glbcheck.core.concordance import R_s_global
    from glbcheck.core.family import interval_text

    found = []
    for name in catalog.NAMES:
        family = catalog.get(name)
        constant = R_s_global(family)
        found.append(
            {
                "name": name,
                "family": family.name,
                "domain": interval_text(family.domain),
                "support": str(family.support),
                "dispersion": family.dispersions.words,
                "R_s_global": constant.as_dict(),
                "attained": constant.attained,
            }
        )
    return found


def table(families: Sequence[Mapping[str, Any]]) -> list[str]:
    """At most 80 columns; R_s is the supremum of |mu''|/mu' over the whole domain."""
    lines = [_line([name for name, _ in COLUMNS]), _line(["-" * width for _, width in COLUMNS])]
    for row in families:
        constant = row["R_s_global"]
        lines.append(
            _line(
                [
                    row["name"],
                    row["domain"],
                    row["support"],
                    row["dispersion"].removeprefix("g ").removeprefix("= "),
                    constant["exact"] or _number(constant["lower"]),
                    _short(row["attained"]),
                ]
            )
        )
    return [
        *lines,
        "",
        "R_s is the supremum of |mu''|/mu' over the whole domain, certified to 1e-9;",
        "'-> oo' means approached but never reached, 'oo' that there is no bound.",
    ]


def _line(cells: Sequence[str]) -> str:
    return " ".join(f"{cell:<{width}}" for cell, (_, width) in zip(cells, COLUMNS, strict=True)).rstrip()


def _number(value: float) -> str:
    return "oo" if math.isinf(value) else f"{value:.7f}"


def _short(words: str) -> str:
    for prefix in ("only as ", "unbounded as ", "near "):
        words = words.removeprefix(prefix)
    return words
