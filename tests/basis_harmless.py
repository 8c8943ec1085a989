"""Mutants of what the learner, the engine and the competitors stand on that survive, and why that is no loss.

By file within `core`; an entry is otherwise one of `tests.core_harmless`, which takes these over.
"""

from __future__ import annotations

HARMLESS: dict[str, dict[str, tuple[str, ...]]] = {
    "a limit of work, the length of a block or of a period: one more is as good": {
        "_turns": ("SLOW", "PATIENCE", "_PAUSE"), "informative": ("_first: Gt becomes GtE | FARTHEST",),
        "competitors/curve": ("_CELLS",),
        "taylor": (
            "_MAX_BITS", "DEGREE", "Expansion.cells: 2 becomes 3", "Expansion._recentred: 2 becomes 3",
            "Expansion._recentred: 256", "Expansion._recentred: 150", "Expansion._point_jet: 192",
            "Expansion._point_jet: LtE becomes Lt", "Expansion._point_jet: 1024", "Expansion._point_jet: GtE",
            "Expansion._point_jet: 2 becomes 3", "_sharp: GtE becomes Gt", "_sharp: 100", "_sharp: Lt becomes LtE",
            "_sharp: 2 becomes 3", "_sharp: Gt becomes GtE", "_sharp: 512", "_sharp: 1400", "_sharp: 99999",
            "_accurate: 64", "_zero_between: 256", "_zero_between: 1024", "_zero_between: 80",
        ),
    },
    "a tolerance or a level: half as much again decides the same": {"tolerances": ("TIE", "BEST", "UNIT: 1e-09")},
    "where the search for a bracket begins": {
        "competitors/mirror_descent": ("unweighted: 1 becomes 2 | low, high = 0.0",),
        "informative": (
            "_first: 0 becomes 1 | low, high =", "_first: 1 becomes 2 | low, high = 0, 1",
            "_first: 2 becomes 3 | 2 * high",
        ),
    },
    "equality has probability 0": {
        "informative": ("_first: Lt becomes LtE",), "environment": ("play: GtE becomes Gt | BEST",),
        "_turns": ("_alone: Lt becomes LtE",), "taylor": (
            "_zero_between: Lt becomes", "_zero_between: Gt becomes", "_accurate: Lt becomes LtE | vanishes",
        ),
        "optimism": (
            "ConfidenceSet._touching_both: Gt becomes GtE | excess(low) > 0",
            "ConfidenceSet._touching_both: GtE becomes Gt | excess(low) > 0",
        ),
    },
    "the last unit of what is on the sphere": {
        "optimism": ("ConfidenceSet._touching_both: 0 becomes 1 | root < high",),
    },
    "a quick look before the check that decides; what fails it is solved, to the same value": {
        "optimism": (
            *(f"ConfidenceSet.optimum: {edit} | of_ellipsoid >=" for edit in (
                "of_ellipsoid", "GtE", "Mult", "1", "Sub",
            )),
            "ConfidenceSet.optimum: LtE becomes Lt | self.distance(point)",
            "ConfidenceSet.optimum: Add becomes Sub | self.distance(point)",
            "ConfidenceSet.optimum: return Optimum(self.S",
        ),
    },
    "one row of room more": {
        "taylor": ("DERIVATIVES",), "competitors/mor_ucb": ("learn: 1 becomes 2 | place + 1",),
    },
    "what is no number is none whatever is added": {"competitors/competitor": ("Competitor.honest: Mult becomes",)},
    "nothing of any length is nothing": {"world": ("sphere: 1.0 becomes",)},
    "what is not finite is found later": {
        "taylor": ("Expansion._point_jet: return None", "Expansion._point_jet: 0 becomes 1 | jet[0]"),
    },
    "the series at the step before is the same to more digits than doubles have": {
        "taylor": ("Expansion._recentred: series = _derivative(self._point_jet(center) or [], order)",),
    },
    "more cells than need be": {
        "taylor": (
            "_accurate: Add becomes Sub | tail =", "_accurate: 1 becomes 2 | tail =",
            *(f"_accurate: {edit} becomes | has_zero =" for edit in ("0", "Lt", "Mult", "3", "4")),
            "_accurate: 1 becomes 2 | scale =", "_accurate: 56", "_accurate: 2 becomes 3 | vanishes =",
        ),
    },
    "near a double zero the halves of a cell lose as much": {
        "taylor": ("_accurate: 2 becomes 3 | return vanishes", "_accurate: Mult becomes Add | return vanishes"),
    },
    "of neighbouring terms one is not 0": {"taylor": tuple(f"_accurate: {k} becomes | last =" for k in (1, 2, 3))},
    "the lists have one length": {"competitors/mor_ucb": ("start: True becomes False",)},
    "a norm that nobody looks at": {"competitors/uniform": ("learn_nothing: 0.0 becomes 1.0",)},
    "set so that nobody asks for it; `Competitor.honest` does not show it": {
        "competitors/unknown_budget": (
            "select: tape.sums.first_informative = 1.0", "select: 1.0 becomes 1.5 | first_informative",
        ),
    },
    "a polynomial changes its sign where its negative does": {"taylor": ("_zero_between: Add becomes Sub | total",)},
    "0 is the double 0": {"taylor": ("Expansion._recentred: Lt becomes LtE",)},
    "infinity less itself is no number, and not below 0": {"taylor": ("just_inside: return float(end)",)},
}  # fmt: skip
