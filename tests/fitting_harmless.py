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
        "fitting/possible": ("common_step: Gt becomes GtE | FINEST * top",),
        "fitting/__init__": ("_twins: LtE becomes Lt",),
        "fitting/data": ("_refuse_dependent: LtE becomes Lt", "_constant: LtE becomes Lt"),
        "fitting/judge": ("_coarse_lattice: LtE becomes Lt", "_tested: Lt becomes LtE | FEW_DRAWS"),
    },
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
