"""The conclusion of a study of regret, in words computed from its numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from glbcheck.core.names import OURS
from glbcheck.verify.report.simulation_table import profile
from glbcheck.verify.report.table import wrap

Row = Mapping[str, Any]
Rows = Sequence[Row]

NAME = OURS.upper()
PAYS = {
    "bound_noise": "noise", "bound_widening": "the wider radius under corruption",
    "bound_weights": "rounds of small weight", "bound_curvature": "the curvature of the link",
    "bound_scout": "the allowance of the scout",
}  # fmt: skip
ALSO = {"kappa": " with the means held fixed, which grow with S here", "C": " for large C"}
SIGNS = {"T": "T", "C": "C", "d": "d", "kappa": "κ"}


def paragraphs(words: Sequence[str]) -> list[str]:
    """For the terminal."""
    return ["", "conclusion", "-" * 80, *(line for sentence in words for line in wrap("- ", sentence))]


def words(found: Mapping[str, Any]) -> list[str]:
    """Who wins where and by how much; a loss is called one."""
    judged = [row for row in found["settings"] if not row["on_data"]]
    learner = " or ".join(sorted({row["learner"].upper() for row in found["settings"]})) or NAME
    sentences = [
        *_overall(found["measure"]),
        *_scout(judged),
        *(
            sentence
            for family in dict.fromkeys(row["family"] for row in judged)
            for sentence in _family(judged, family)
        ),
        *_losses(judged, found["measure"]["factor"]),
        *_unguaranteed(judged, found["measure"]["heavy"]),
        *_caveats(found["claims"]),
        *_orders(found["exponents"], {row["learner"] for row in judged}),
        *_data([row for row in found["settings"] if row["on_data"]]),
        *_untold(found["untold"]),
    ]
    return [sentence.replace(NAME, learner) for sentence in sentences]  # the one that was judged, as the table has it


def _overall(m: Mapping[str, Any]) -> Iterator[str]:
    if not m["settings"]:
        yield f"{NAME} met no other algorithm in a synthetic world of this grid: nothing to compare."
        return
    yield (
        f"Of {m['settings']} settings {NAME} has the lowest or tied median regret of all algorithms in "
        f"{m['best_of_all']}{_heavy(m)}."
    )
    if m["with_guaranteed_rival"]:
        yield (
            f"In {m['with_guaranteed_rival']} settings a rival has a guarantee at that C.  {NAME} wins against "
            f"all of them in {m['wins']}, loses to one in {m['loses']} and cannot be told from the best in "
            f"{m['open']} (run by run on the same instances, 95% in each setting); its median is at most "
            f"{m['factor']:g} times the best one in {m['within_factor']}."
        )


def _heavy(m: Mapping[str, Any]) -> str:
    """The same where corruption is heavy, if it is anywhere."""
    if not m["heavy_settings"]:
        return ""
    least = (
        f", and the lowest or tied of those with a guarantee at that C in {m['best_guaranteed_heavy']} of the "
        f"{m['heavy_with_guaranteed_rival']} where a rival has one"
    )
    return (
        f"; with heavy corruption (C >= {m['heavy']:g}) it has that in {m['best_of_all_heavy']} of "
        f"{m['heavy_settings']}{least if m['heavy_with_guaranteed_rival'] else ''}"
    )


def _scout(judged: Rows) -> Iterator[str]:
    """What the scout saves, where the learner was played with it and without it."""
    both = [row for row in judged if row["learner"] != OURS and row["without_scout"]]
    if both:
        shares = sorted(row["ours"] / row["without_scout"] for row in both)
        yield (
            f"{NAME} has a scout, which may spend as much as its proved bound: it guarantees twice the bound.  It pays "
            f"{median(shares):.2f} times what the learner pays without it (median of {len(both)} settings, from "
            f"{shares[0]:.2f} to {shares[-1]:.2f}), and less in {sum(share < 1 for share in shares)}."
        )


def _family(judged: Rows, family: str) -> Iterator[str]:
    own = [row for row in judged if row["family"] == family]
    met = [row for row in own if row["rival"] is not None]
    alone = len(own) - len(met)
    if met:
        least, most = min(met, key=_ratio), max(met, key=_ratio)
        count = Counter(row["verdict"] for row in met)
        yield (
            f"{family}: {count['wins']} won, {count['loses']} lost, {count['open']} open of {len(met)} against rivals "
            f"with a guarantee; best {_compared(least)}"
            + (
                f"; worst {_compared(most)} (each interval is for its setting alone, not for the extreme of them)."
                if _ratio(most) > _ratio(least)
                else "."
            )
        )
    if alone:
        yield f"{family}: in {alone} of {len(own)} settings no rival here has a guarantee at that C."


def _ratio(row: Row) -> float:
    """To the best rival with a guarantee; infinite if that paid nothing and ours something."""
    return math.inf if row["ratio"] is None else float(row["ratio"])


def _compared(row: Row) -> str:
    """A ratio with its interval, against whom and where."""
    if row["ratio"] is None:
        return f"{row['ours']:.3g} where {row['rival']} paid nothing ({_where(row)})"
    low, high = ("?" if row[f"ratio_{end}"] is None else f"{row[f'ratio_{end}']:.2f}" for end in ("lower", "upper"))
    return f"{row['ratio']:.2f} [{low}, {high}] times the regret of {row['rival']} ({_where(row)})"


def _where(row: Row) -> str:
    g = profile(row)
    special = ("" if g == "1" else f" g={g}") + ("" if row["S"] == 1 else f" S={row['S']:g}")
    arms = "" if str(row["arms"]).startswith("sphere") else f" {row['arms']}"
    return f"C={row['C']:g} d={row['d']} T={row['T']}{special}{arms}"


def _losses(judged: Rows, factor: float) -> Iterator[str]:
    lost = [row for row in judged if row["verdict"] == "loses"]
    if lost:
        to = ", ".join(f"{name} {n}" for name, n in Counter(row["closest"] for row in lost).most_common())
        yield f"{NAME} loses: to {to}; {_share(lost, 'C = 0', lambda row: row['C'] == 0)}."
    dear = [
        row for row in judged if row["rival"] is not None and _ratio(row) > factor and row["bound_noise"] is not None
    ]
    if dear:
        yield (
            f"Where it pays more than {factor:g} times the best guaranteed rival ({len(dear)} settings), its proved "
            f"bound goes to: {_paid_for(dear)}."
        )
    weighed = [row for row in dear if row["C"] == 0 and row["bound_weights"] > 0]
    if weighed:
        yield (
            f"In {len(weighed)} of them there is no corruption, and yet the least bound has weights below 1: what is "
            "proved is minimised, not what is paid."
        )


def _share(rows: Rows, what: str, holds: Any) -> str:
    count = sum(map(holds, rows))
    return f"all with {what}" if count == len(rows) else f"{count} of {len(rows)} with {what}"


def _paid_for(rows: Rows) -> str:
    """The average share of each term of the bound."""
    totals = [sum(row[name] for name in PAYS) for row in rows]
    shares = {
        name: sum(row[name] / total for row, total in zip(rows, totals, strict=True)) / len(rows) for name in PAYS
    }
    return ", ".join(f"{PAYS[name]} {share:.0%}" for name, share in sorted(shares.items(), key=lambda item: -item[1]))


def _unguaranteed(judged: Rows, heavy: float) -> Iterator[str]:
    """What algorithms without a guarantee at that C paid, and what the guarantee is paid with."""
    attacked = [row for row in judged if row["C"] > 0]
    lucky = [row for row in attacked if row["best"] != row["learner"] and not row["best_guaranteed"]]
    if not lucky:
        return
    yield (
        f"An algorithm without a guarantee at that C had the lowest median in {len(lucky)} of {len(attacked)} "
        f"settings with corruption, {NAME} paying {_times(lucky)}: the attacks here did not find what "
        "would break it, and no theorem says that none does."
    )
    dear = [row for row in lucky if row["C"] >= heavy and row["bound_noise"] is not None]
    if dear:
        yield (f"In the {len(dear)} of them with C >= {heavy:g} the proved bound of {NAME} goes to: {_paid_for(dear)}.")


def _caveats(claims: Rows) -> Iterator[str]:
    for caveat in dict.fromkeys(row["caveat"] for row in claims if row["caveat"]):
        yield f"{', '.join(row['algorithm'] for row in claims if row['caveat'] == caveat)}: {caveat}."


def _times(lucky: Rows) -> str:
    """How much more than the best, which may have paid nothing."""
    finite = [row["ratio_to_best"] for row in lucky if row["ratio_to_best"] is not None]
    free = [row["ours"] for row in lucky if row["ratio_to_best"] is None]
    said = [f"up to {max(finite):.1f} times as much"] if finite else []
    return " and ".join(said + ([f"up to {max(free):.3g} in {len(free)} where that paid nothing"] if free else []))


def _orders(exponents: Rows, learners: Collection[str]) -> Iterator[str]:
    own = [row for row in exponents if row["algorithm"] in learners and row["exponent"] is not None]
    for axis, sign in SIGNS.items():
        found = [row for row in own if row["axis"] == axis and row["C"] in (0.0, None) and profile(row) == "1"]
        found = [row for row in found if row["arms"].startswith("sphere")]
        if found:
            each = ", ".join(
                f"{row['exponent']:.2f} [{_end(row, 'lower')}, {_end(row, 'upper')}] ({row['family']})" for row in found
            )
            yield f"Its regret grows in {sign} with exponent {each}; claimed {found[0]['claimed']}{ALSO.get(axis, '')}."


def _end(row: Row, end: str) -> str:
    value = row[f"exponent_{end}"]
    return "?" if value is None else f"{value:.2f}"


def _data(judged: Rows) -> Iterator[str]:
    if judged:
        best = Counter(row["best"] for row in judged)
        listed = ", ".join(f"{name} {n}" for name, n in best.most_common())
        yield (
            f"On data ({', '.join(dict.fromkeys(row['arms'] for row in judged))}) the lowest median of wrong classes "
            f"is that of {listed} of {len(judged)} settings (ties count for {NAME}); regret is counted against the "
            "labels, the model may be wrong, and no guarantee applies."
        )


def _untold(rows: Rows) -> Iterator[str]:
    if rows:
        last = max(rows, key=lambda row: row["C"])
        forced = [row for row in rows if row["floor"] > 0]
        start = f"; the floor speaks from C = {min(row['C'] for row in forced):g} on" if forced else ""
        yield (
            f"Not told C, {last['algorithm']} pays {last['unknown']:.0f} at C = {last['C']:g} in the two worlds of "
            f"the appendix, told C {last['known']:.0f}, and no learner as good without corruption "
            f"({last['clean']:.0f}) pays less than {last['floor']:.0f} on average there{start}."
        )
