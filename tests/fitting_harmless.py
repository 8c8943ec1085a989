"""Mutants of fits that survive, and why that is no loss.

By file within `core`; an entry is otherwise one of `tests.core_harmless`, which takes these over.
"""

from __future__ import annotations

HARMLESS: dict[str, dict[str, tuple[str, ...]]] = {
    "a tolerance or a level: half as much again decides the same": {
        "fitting/possible": ("ON_LATTICE", "FINEST"),
        "fitting/data": ("DEPENDENT",),
        "fitting/__init__": ("_twins: 1e-07",),
    },
    "equality has probability 0": {
        "fitting/possible": (
            "common_step: Gt becomes GtE | FINEST * top", "common_step: Gt becomes GtE | ON_LATTICE",
            "_euclid: Gt becomes GtE", "_euclid: LtE becomes Lt",
        ),
        "fitting/__init__": ("_twins: LtE becomes Lt",),
        "fitting/candidates": (
            "_likeliest: Gt becomes GtE | value(twice)", "_likeliest: Lt becomes LtE | value(a) < value(b)",
        ),
        "fitting/data": ("_refuse_dependent: LtE becomes Lt", "_constant: LtE becomes Lt"),
        "fitting/judge": ("_coarse_lattice: LtE becomes Lt", "_tested: Lt becomes LtE | FEW_DRAWS"),
    },
    "only work is saved: where no n is possible the search ends at the same one": {
        "fitting/candidates": ("_likeliest: return n becomes pass",),
    },
    "the bracket reaches to twice n, or to the most, all the same": {
        "fitting/candidates": ("_likeliest: LtE becomes Lt | <= most",),
    },
    "what is left of the bracket is tried one by one": {
        "fitting/candidates": ("_likeliest: 2 becomes 3 | high - low > 2",),
    },
    "a wider bracket holds the same n": {"fitting/candidates": ("_likeliest: 2 becomes 3 | low, high = max",)},
    "64 times the least n, which is 1, is the limit": {"fitting/candidates": ("MOST_N: 64",)},
    "as many rows as there are, drawn without replacement, are all of them": {
        "fitting/judge": ("_tested_rows: LtE becomes Lt",),
    },
    "a shift more or less among those that are tried": {
        "fitting/learner": tuple(f"_tilt: {number} becomes | geomspace" for number in ("0.05", "20", "120")),
    },
    "rounded up to two digits it is the same": {"fitting/learner": ("_tilt: 100 becomes 101",)},
    "the lists have one length": {"fitting/data": ("_scales: True becomes False",)},
    "below 1 or above it a density of free dispersion is 0 or infinite at an end, whatever the number": {
        "fitting/possible": ("PROBES: 0.5", "PROBES: 2.0"),
    },
    "twice the origin of every lattice of the catalogue is a multiple of its step": {
        "fitting/possible": ("_off_lattice: Sub becomes Add | _origin",),
    },
    "every lattice of step g begins at 0, or has no beginning": {
        "fitting/possible": (
            "_no_common_step: Sub becomes Add", "lattice_step: Sub becomes Add", "_with_width: Sub becomes Add",
        ),
    },
    "rewards that have no common step were excluded before": {"fitting/possible": ("lattice_step: 1.0 becomes",)},
    "any number above 1/2 that is no 1/n": {"fitting/scatter": ("IRREGULAR",)},
    "all rows have the one dispersion": {
        "fitting/scatter": ("Scatter.single: 0 becomes 1",),
        "fitting/judge": ("_tested: 0 becomes 1 | spread.values[0]",),
    },
    "1 - 0.95 is above 0.05 in doubles": {"fitting/__init__": ("fit: Gt becomes GtE | TIED",)},
}  # fmt: skip
