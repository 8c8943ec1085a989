"""Mutants of fits that survive, and why that is no loss.

By file within `core`; an entry is otherwise one of `tests.core_harmless`, which takes these over.
"""

from __future__ import annotations

HARMLESS: dict[str, dict[str, tuple[str, ...]]] = {
    "a tolerance or a level: half as much again decides the same": {
        "fitting/possible": ("ON_LATTICE", "FINEST"),
        "fitting/data": ("DEPENDENT",),
        "fitting/__init__": ("_twins: 1e-07",),
        "fitting/residuals": ("_inverse_mean: 1e-13", "_inverse_mean: 0.001"),
        "fitting/goodness": (
            "bins_of: 1e-09", "bins_of: 1.0 becomes 1.5", "_Binned.variance_statistic: 1e-300",
        ),
        "fitting/likelihood": (
            "maximise: 1e-10", "maximise: 1 becomes 2 | 1e-10", "separating_direction: 1e-07",
            "separating_direction: 1e-08", "_direction: 1e-06",
        ),
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
        "fitting/residuals": ("_inverse_mean: LtE becomes Lt | moved - z",),
        "fitting/goodness": (
            "bins_of: LtE becomes Lt", "stephens_tail: Lt becomes LtE",
            "anderson_darling_tail: LtE becomes Lt", "anderson_darling_tail: Gt becomes GtE | x > 26",
        ),
        "fitting/likelihood": ("separating_direction: LtE becomes Lt", "_direction: Gt becomes GtE"),
        "fitting/distribution": ("_checked: LtE becomes Lt",),
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
    "the lists have one length": {
        "fitting/data": ("_scales: True becomes False",), "fitting/goodness": ("binned_tests: True becomes False",),
    },
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
    "steps between safeguards: another step, the same value": {
        "fitting/likelihood": ("maximise: 2 becomes 3 | share /= 2",),
    },
    "a box of any size holds a direction, if there is one": {
        "fitting/likelihood": ("separating_direction: 1 becomes 2 | bounds",),
    },
    "a level that rounding stays far below, and a direction far above": {
        "fitting/likelihood": ("separating_direction: 0 becomes 1 | 1e-7",),
    },
    "no domain of the catalogue ends within 1 above 0": {
        "fitting/likelihood": ("_start: Gt becomes GtE", "_start: 0 becomes 1 | natural_ends"),
    },
    "any θ inside the domain is a start": {
        "fitting/likelihood": (
            "_start: return -data.constant", "_start: 1.0 becomes 1.5 | LARGEST", "_start: 2 becomes 3 | LARGEST",
        ),
    },
    "where the search for a bracket begins": {
        "fitting/residuals": (
            "_beyond: Gt becomes GtE", "_beyond: Lt becomes LtE | while", "_farther: 2 becomes 3",
            "_inverse_mean: 0.25", "_inverse_mean: Gt becomes GtE | short", "_inverse_mean: Lt becomes LtE | short",
            "_inverse_mean: Mult becomes Add | reach * 2", "_inverse_mean: 2 becomes 3 | reach * 2",
        ),
    },
    "a point whose mean is the reward may be either end of the bracket": {
        "fitting/residuals": ("_beyond: Lt becomes LtE | middle", "_inverse_mean: Lt becomes LtE | gap < 0"),
    },
    "halving the bracket finds the same z, in more steps": {
        "fitting/residuals": (
            "_inverse_mean: 2 becomes 3 | z = (low", "_inverse_mean: Sub becomes Add | newton =",
            "_inverse_mean: Sub becomes Add | moved - z",
        ),
    },
    "a step that is lost in rounding leaves z where it is": {
        "fitting/residuals": (
            "_inverse_mean: Gt becomes GtE | newton > low", "_inverse_mean: Lt becomes LtE | newton < high",
        ),
    },
    "a limit of work, the length of a block or of a period: one more is as good": {
        "fitting/residuals": ("_beyond: 120", "_inverse_mean: 60"),
        "fitting/distribution": ("REACH", "MOST_WORK", "CHUNK", "_on_lattice: Gt becomes GtE"),
        "fitting/goodness": ("ENOUGH", "(X, W)", "binned_tests: Lt becomes LtE | < ENOUGH"),
    },
    "there the tail is below the least p-value, but for rounding": {
        "fitting/goodness": ("stephens_tail: 10 becomes 11", "anderson_darling_tail: 26 becomes 27"),
    },
    "a panel that is a little wider or narrower is integrated as well": {
        "fitting/distribution": ("TICKS: 12 becomes 13", "TICKS: 9 becomes 10", "PANELS: 41 becomes 42"),
    },
    "the same distances are taken to both sides": {"fitting/distribution": ("_integrated: Add becomes Sub | TICKS",)},
    "any negative length is found by numpy": {"fitting/distribution": ("_integrated: 1 becomes 2 | nodes.reshape",)},
    "a point more, whose mass is below rounding or outside the support": {
        "fitting/distribution": ("_on_lattice: 8 becomes 9 | reach =", "_on_lattice: 1 becomes 2 | width ="),
    },
    "what is left out of the sum or the integral is below rounding": {
        "fitting/goodness": (
            "anderson_darling_tail: 60", "anderson_darling_tail: Gt becomes GtE | rate > 700",
            "anderson_darling_tail: 700", "anderson_darling_tail: 45",
        ),
    },
    "the integrand is even and its nodes lie symmetrically": {
        "fitting/goodness": ("anderson_darling_tail: Add becomes Sub | w = end",),
    },
    "1 - 0.95 is above 0.05 in doubles": {"fitting/__init__": ("fit: Gt becomes GtE | TIED",)},
}  # fmt: skip

FIRST = {
    "fitting/goodness.py: LEVEL": "few_draws_are_enough_where_another",
    "fitting/goodness.py: DRAWS": "few_draws_are_enough_where_another",
}
