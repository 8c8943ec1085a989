"""The simulation for people: one line per cell, at most 80 columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from glbcheck.core.names import SUFFIX
from glbcheck.verify.report.table import clip, wrap

Rows = Sequence[Mapping[str, Any]]


def coverage_lines(rows: Rows) -> list[str]:
    """How often θ_* was missed, and how close it came."""
    head = "family      d   S    C adversary    reading    δ   T  misses  below ratio inform"
    lines = [head, "-" * 80, *map(_coverage_line, rows), ""]
    lines += wrap("misses: ", "runs in which C_t ever missed the true parameter")
    lines += wrap("below:  ", "exact upper bound on the probability of that (97.5% confidence)")
    lines += wrap("ratio:  ", "largest error/radius of all runs; inform: median first round with")
    lines += wrap("        ", "C_t smaller than Theta")
    return [clip(line) for line in lines]


def _coverage_line(row: Mapping[str, Any]) -> str:
    delta = f"{row['delta']:g}".removeprefix("0")
    return (
        f"{_family(row)} {row['d']:>2} {row['S']:>3g} {row['C']:>4g} {row['adversary']:<12} "
        f"{row['constants']:<8} {delta:>3} {_power(row['T']):>3} {_of(row):>7} "
        f"{_number(row['miss_upper'], '.4f'):>6} {_number(row['worst_ratio'], '.3f'):>5} "
        f"{_number(row['first_informative_median'], 'd'):>6}"
    )


def power_lines(rows: Rows) -> list[str]:
    """Which broken variants the same harness sees, and what is known about the others."""
    if not rows:
        return []
    lines = ["", "broken on purpose    family      d    C adversary     misses  ratio detected"]
    lines += ["-" * 80, *map(_power_line, rows)]
    seen = {row["variant"] for row in rows if row["detected"]}
    for name, row in {row["variant"]: row for row in rows if row["variant"] not in seen}.items():
        lines += wrap("  ", f"{name} goes unseen: {row['absorbed'] or row['breaks']}")
    return [clip(line) for line in lines]


def _power_line(row: Mapping[str, Any]) -> str:
    seen = f"by {row['replicates_needed']} runs" if row["detected"] else "no"
    return (
        f"{row['variant']:<20} {_family(row)} {row['d']:>2} {row['C']:>4g} {row['adversary']:<12} "
        f"{_of(row):>9} {_number(row['worst_ratio'], '.2f'):>6} {seen}"
    )


def search_lines(rows: Rows) -> list[str]:
    """The worst attack that a search found."""
    if not rows:
        return []
    lines = ["", "attack searched      family      d    C  score  best listed attack   worst ratio"]
    lines += ["-" * 80]
    lines += [
        f"{row['winner']:<20} {_family(row)} {row['d']:>2} {row['C']:>4g} {row['score']:>6.3f} "
        f"{row['best_fixed_score']:>6.3f} {row['best_fixed']:<13} {row['worst_ratio']:>11.3f}"
        for row in rows
    ]
    return [clip(line) for line in lines]


def regret_lines(rows: Rows) -> list[str]:
    """What every algorithm paid, setting by setting, beside the bound that is proved for it."""
    lines = [" algorithm          arms       g                     α median    95% ci  bound"]
    setting = ""
    for row in rows:
        if (place := _setting(row)) != setting:
            setting = place
            lines += ["-" * 80, place]
        lines.append(_regret_line(row))
    lines += ["", "*: with a regret bound for that family and C, here or in its source"]
    return [clip(line) for line in lines]


def _setting(row: Mapping[str, Any]) -> str:
    facts = f"d={row['d']} S={row['S']:g} C={row['C']:g} {row['adversary']} T={_power(row['T'])} δ={row['delta']:g}"
    return f"{row['family']} {facts} {row['constants']} {row['index']} n={row['replicates']}"


def _regret_line(row: Mapping[str, Any]) -> str:
    own = {"paper": "bound_printed", "sharpest": "bound_sharpest"}.get(row["constants"], "bound_repaired")
    interval = f"{_short(row['median_lower'])}-{_short(row['median_upper'])}"
    arms = clip(str(row["arms"]), 10)
    return (
        f"{'*' if bounded(row) else ' '}{_algorithm(row):<18} {arms:<10} {profile(row):<17} "
        f"{_threshold(row['alpha_used']):>5} {_short(row['regret_median']):>6} {interval:>11} {_short(row[own]):>6}"
    )


def bounded(row: Mapping[str, Any]) -> bool:
    """Does a regret bound speak about the row?  On data none does, as the model may be wrong."""
    return bool(row["guaranteed"]) and not row["on_data"]


def profile(row: Mapping[str, Any]) -> str:
    """The dispersions in at most seventeen characters."""
    return str(row["dispersion"]).removeprefix("constant:").replace(":0.", ":.")


def _threshold(alpha: float | None) -> str:
    return "-" if alpha is None else f"{alpha:.2g}".replace("0.", ".", 1)[:5]


def _algorithm(row: Mapping[str, Any]) -> str:
    """A learner that is not told C has a question mark."""
    return str(row["algorithm"]).replace(SUFFIX, "?")


def _family(row: Mapping[str, Any]) -> str:
    return f"{clip(row['family'], 10):<10}"


def named(row: Mapping[str, Any]) -> str:
    """A cell in a few words; what is as usual goes without saying."""
    usual = (("g", "dispersion", "constant:1"), ("δ", "delta", 0.05), ("α", "alpha", None))
    special = "".join(f" {sign}={row[name]}" for sign, name, value in usual if row[name] != value)
    printed = " paper" if row["constants"] == "paper" else ""
    return (
        f"{row['family']} d={row['d']} S={row['S']:g} C={row['C']:g} {row['adversary']}{printed} "
        f"T={_power(row['T'])}{special.replace('constant:', '')} n={row['replicates']}"
    )


def _of(row: Mapping[str, Any]) -> str:
    return "-" if row["misses"] is None else f"{row['misses']}/{row['replicates']}"


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _power(value: float) -> str:
    return f"{value:.0e}".replace("e+0", "e")


def _short(value: float | None) -> str:
    """Six characters at most."""
    if value is None:
        return "-"
    if abs(value) >= 99_999.5:
        return f"{value:.1e}".replace("e+0", "e")
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
