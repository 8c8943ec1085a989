"""The simulation for people: one line per cell, at most 80 columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from glbcheck.core.names import SUFFIX
from glbcheck.verify.report.table import USUAL, clip, width, wrap

Rows = Sequence[Mapping[str, Any]]
SHOWN = ("family", "d", "S", "C", "adversary", "constants", "delta", "T")  # the columns of the table of coverage
UNSHOWN = (("arms", "arms"), ("dispersion", "g"), ("alpha", "α"), ("index", "index"))


def coverage_lines(rows: Rows) -> list[str]:
    """How often θ_* was missed, and how close it came."""
    head = "family      d   S    C adversary    reading    δ   T  misses  below ratio inform"
    lines = [head, "-" * 80, *(line for row in rows for line in (_coverage_line(row), *_apart(row, rows))), ""]
    lines += wrap("misses: ", "runs in which C_t ever missed the true parameter")
    lines += wrap("below:  ", "exact upper bound on the probability of that (97.5% confidence)")
    lines += wrap("ratio:  ", "largest error/radius of all runs; inform: median first round with")
    lines += wrap("        ", "C_t smaller than Theta")
    return _whole(lines)


def _apart(row: Mapping[str, Any], rows: Rows) -> list[str]:
    """What the columns do not show, where rows differ in nothing else."""
    alike = [other for other in rows if all(other[name] == row[name] for name in SHOWN)]
    told = [f"{sign} {row[name]}" for name, sign in UNSHOWN if len({str(other[name]) for other in alike}) > 1]
    return wrap("            with ", ", ".join(told).replace("α None", "α of the paper")) if told else []


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
    unseen = [row for row in rows if not row["detected"]]
    for name, row in {row["variant"]: row for row in unseen}.items():
        missed, of = (sum(one["variant"] == name for one in some) for some in (unseen, rows))
        where = "" if missed == of else f" in {missed} of {of} rows"
        lines += wrap("  ", f"{name} goes unseen{where}: {row['absorbed'] or row['breaks']}")
    return _whole(lines)


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
    return _whole(lines)


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
    unknown = any(row[name] is None for row in rows for name in ("median_lower", "median_upper"))
    lines += wrap("?: ", "an end of the interval that so few runs do not give") if unknown else []
    return _whole(lines)


def _setting(row: Mapping[str, Any]) -> str:
    facts = f"d={row['d']} S={row['S']:g} C={row['C']:g} {row['adversary']} T={_power(row['T'])} δ={row['delta']:g}"
    return f"{row['family']} {facts} {row['constants']} {row['index']} n={row['replicates']}"


def _regret_line(row: Mapping[str, Any]) -> str:
    own = {"paper": "bound_printed", "sharpest": "bound_sharpest"}.get(row["constants"], "bound_repaired")
    interval = f"{_end(row['median_lower'])}-{_end(row['median_upper'])}"
    g = profile(row)
    world = f"{clip(str(row['arms']), max(27 - len(g), 10)):<10} {g}"
    return (
        f"{'*' if bounded(row) else ' '}{_algorithm(row):<18} {world:<28} "
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


def _whole(lines: Sequence[str]) -> list[str]:
    """Rows of numbers are not cut to a narrow screen: what is cut off is lost."""
    return [clip(line, max(width(), USUAL)) for line in lines]


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


def _end(value: float | None) -> str:
    return "?" if value is None else _short(value)


def _short(value: float | None) -> str:
    """Six characters at most."""
    if value is None:
        return "-"
    if abs(value) >= 99_999.5:
        return f"{value:.1e}".replace("e+0", "e")
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
