"""Mutants of `core.engine` that survive, file by file, and why that is no loss; read with `tests.core_harmless`."""

from __future__ import annotations

HARMLESS: dict[str, dict[str, tuple[str, ...]]] = {
    "a limit of work, the length of a block or of a period: one more is as good": {
        "turning": ("_STEPS",),
        "feed": (
            "Feed._prepare_stacks: max becomes min | rounds", "Feed._prepare_stacks: 1 becomes 2 | rounds",
            "Feed._prepare_stacks: min becomes max",
            "Feed._arms_of: Lt becomes LtE", "Course.block_length: not", "Course.block_length: return BLOCK",
            "Course.block_length: self.steady is None", "Course.block_length: Is becomes", "Course.block_length: Mult",
        ),
        "lanes": ("_EXACTLY",),
        "floors": ("_STEPS",),
        "tally": ("_farthest: 200 becomes 201", "_farthest: Lt becomes LtE"),
        "link": ("(_BINS, _MOST_BINS)", "pack: Lt becomes LtE | _MOST_BINS"),
        "optimum": ("_WIDEST",),
    },
    "a tolerance or a level: half as much again decides the same": {
        "ends": ("farthest_inside: Add becomes Sub | SLACK", "farthest_inside: 2.0 becomes 3.0"),
        "newcomers": (
            "_guess: 2.0 becomes 3.0 | level =", "choose_relaxed: 2.0 becomes 3.0",
            "_look_closer: Sub becomes Add | rest >=", "_look_closer: 2.0 becomes 3.0 | rest >=",
        ),
        "reaching": (
            "best_of_ball: 2.0 becomes 3.0 | count =", "best_of_ball: Add becomes Sub | least, most",
            "best_of_ball: Sub becomes Add | least, most",
        ),
        "turning": ("_LEAST", "_INSIDE", "is_inside: Add becomes Sub | SLACK", "is_inside: 2.0 becomes 3.0 | SLACK"),
        "arms": ("DRIFT", "follow: 2.0 becomes 3.0 | EPS"),
        "floors": (
            "floor_of: Add becomes Sub | SLACK", "floor_of: 2.0 becomes 3.0 | SLACK",
            "_find_stretched: 2.0 becomes 3.0", "_find_stretched: 0.5 becomes 0.75 | SLACK",
            "_find_stretched: Add becomes Sub | SLACK",
        ),
        "lanes": ("play: 2.0 becomes 3.0 | EPS",),
        "laws": ("_lattice: 1e-200", "_lattice: 1e-12"),
        "link": ("_NEGLIGIBLE: 2.0 becomes 3.0", "_NEGLIGIBLE: 56"),
        "optimism": ("_is_on_ball: 2.0 becomes 3.0",),
        "optimum": (
            "_ACCURACY", "_both_bind: Mult becomes Add | size = ", "reaches_ball: Add becomes Sub | SLACK",
            "reaches_ball: 2.0 becomes 3.0 | SLACK", "stays_inside: Add becomes Sub | SLACK",
            "stays_inside: 2.0 becomes 3.0 | SLACK",
        ),
        "tracking": ("_PUSHED", "_lower_norms: 2.0 becomes"),
    },
    "room that nobody reads": {
        "lanes": ("ROWS: 21 becomes 22",),
        "state": ("ROWS: 12 becomes 13", "own_lines: 4 becomes 5", "own_lines: 2 becomes 3"),
    },
    "any rounds will do, and a tolerance of rounding": {
        "state": (
            "_check_radius: 0.0 becomes 1.0 | total in", "_check_radius: 0.3", "_check_radius: 1000.0",
            "_check_radius: 10000000.0", "_check_radius: 1e-12",
        ),
    },
    "one row of room more": {"arms": ("room: FloorDiv",), "link": ("_ROW",), "scouting": ("company: 1 becomes 2",)},
    "norms and errors are computed afresh at other times, or looked at more often whether they must be": {
        "arms": (
            "follow: 0.0 becomes 1.0 | lost =", "follow: Mult becomes Add | EPS",
            "follow: Gt becomes GtE | some(lost",
        ),
        "lanes": (
            "play: Mult becomes Add | 2.0 * EPS", "_error_squared: Mult becomes Add | faded", "_error_squared: Mod",
            "begin: 0.0 becomes 1.0 | coming_arm",
        ),
        "sweep": ("coming_arm: Gt becomes GtE",),
        "tracking": (
            "_lower_norms: Mult becomes Add | EPS", "_lower_norms: 0.0 becomes",
            "update_bounds: Gt becomes GtE | fold",
        ),
    },
    "more sweeps, or a pass with nothing left to do": {
        "link": ("_moved: Sub becomes Add | for k", "_row_of: 2 becomes 3 | != 0.0"),
        "factor": (
            "_NEGLIGIBLE: 2.0", "_NEGLIGIBLE: Pow", "_NEGLIGIBLE: 110", "diagonalise: 0.0 becomes 1.0 | off = 0.0",
            "diagonalise: on +=", "diagonalise: Add becomes Sub | on +=", "diagonalise: Gt becomes GtE",
        ),
    },
    "it is squared, so its sign is of no concern": {
        "arms": ("follow: Add becomes Sub | inner +=",),
        "sweep": ("_sweep: Add becomes Sub | inner +=", "_sweep: Add becomes Sub | next_inner +="),
    },
    "both angles make the entry vanish, up to rounding": {
        "factor": ("_rotate: Lt becomes LtE", "_rotate: matrix[p, q] ="),
    },
    "entries above the diagonal are not read": {"factor": ("factorise: 1 becomes 2 | range(i + 1)",)},
    "a view that is longer than what is read of it": {
        "lanes": ("_grow: 1 becomes 2 | (k + 1)",),
        "link": ("_cells: 1 becomes 2 | used = ", "_cells: 3 becomes 4"),
    },
    "what is checked once is the same when it is checked for every block": {
        "feed": ("Feed._dispersions: return np.full(count, self._steady)",),
    },
    "a copy more or less of what nobody writes to": {"feed": ("Feed.__init__: True becomes False",)},
    "a table is made once for all threads instead of once for each": {"replicates": ("replicate: link.pack",)},
    "the same whatever the number of workers": {
        "replicates": ("replicate: Or becomes And | ThreadPool", "replicate: 1 becomes 2 | ThreadPool"),
    },
    "the lists have one length": {
        "run": ("outcome_of: True becomes False | strict",),
        "replicates": ("replicate: True becomes False | strict", "play_together: True becomes False | strict"),
    },
    "of two axes that are equally long either will do": {"tally": ("_farthest: Gt becomes GtE | M[j, j]",)},
    "where both are equal their quotient is 1": {"mirror_descent": ("weight: LtE becomes Lt",)},
    "the matrix is square": {"factor": ("reduce_entry: 0 becomes 1 | shape",)},
    "whose bound is improved first, or how loose it is before: the same arm is chosen": {
        "optimism": (
            "_improve_bounds: Add becomes Sub | doubt =", "_improve_bounds: Sub becomes Add | tight =",
            "_improve_bounds: LtE becomes Lt | tight =", "_improve_bounds: Mult becomes Add | tight =",
            "_improve_bounds: Or becomes And | tight", "_improve_bounds: Lt becomes LtE | tight",
            "_improve_bounds: And becomes Or | tight", "_improve_bounds: Eq becomes NotEq | tight",
            "_improve_bounds: k = other",
        ),
        "in_turn": (
            "solve_in_turn: min becomes max | closed", "solve_in_turn: Mult becomes Add | closed",
            "solve_in_turn: Gt becomes GtE | facts.multiplier",
        ),
    },
    "factors made afresh agree with those that were updated, within rounding": {
        "lanes": ("play: is_due(facts) becomes", "play: factorise("),
    },
    "asked once more, in vain": {
        "tally": ("covers_ball: return True",),
        "lanes": (
            "play: waits = some(sums.first_informative == 0.0) becomes pass", "play: Gt becomes GtE | projected",
            "_corrupt: False becomes True", "_corrupt: And becomes Or", "_corrupt: Gt becomes GtE | left",
        ),
        "sweep": ("_sweep: 0.0 becomes 1.0 | none, lowest =",),
    },
    "numpy takes any length below 0 for the one that is left": {"lanes": ("play: 1 becomes 2 | reshape(-1)",)},
    "it is 1 or much more": {"optimism": ("_improve: 1 becomes 2 | steps > 1",)},
    "any number times 0": {
        "rounds": ("keep_norms: Gt becomes GtE",),
        "optimism": ("_improve: Gt becomes GtE | arms.norm",),
        "optimum": ("squared_way: 0.0 becomes 1.0", "stays_inside: 0.0 becomes 1.0"),
    },
    "a name of no bits and of one are one word": {"streams": ("_words: 1 becomes 2",)},
    "runs when its module is imported, which fails with the edit in the file": {
        "rounds": ("rounds_of: return", "rounds_by_index: return", "rounds_by_index: exact ="),
    },
    "runs when its module is imported, and with the edit in the file its rounds cannot be compiled": {
        "rounds": tuple(f"{f}: {e} becomes" for f in ("rounds_of", "rounds_by_index") for e in (True, False)),
    },
    "runs when its module is imported, and with the edit in the file tests of new arms fail": {
        "survey": ("(exact_survey, closed_survey): True",),
    },
    "more is found out than is asked": {"survey": ("(exact_survey, closed_survey): False",)},
    "read as a whole number": {"rounds": ("play: 1.0 becomes 1.5 | first_informative",)},
    "only a learner that draws arms at random looks at it": {"rounds": ("play: 0 becomes 1 | pick = 0",)},
    "a looser bound, with which the exact comparison is made more often": {
        "rounds": ("play: Mult becomes Add | sums.grown",),
    },
    "keeps lanes that nobody hears within their memory": {"replicates": ("_in_lockstep: supply.used[:, len(feeds):]",)},
    "`specialised` puts another value there": {"rounds": ("STAY",), "survey": ("EXACT",)},
    "arms settle anew: the same numbers within rounding": {
        "feed": (
            "Feed.block: Mod becomes FloorDiv | shown_before", "Feed.block: Gt becomes GtE | shown_before",
            "Feed.block: 0 becomes 1 | shown_before",
        ),
        "rounds": ("play: And becomes Or | shown_before", "REPLACED"),
        "run": ("played: Gt becomes GtE | goes_on", "played: 0 becomes 1 | goes_on"),
    },
    "set again before it is read": {
        "feed": ("Feed._prepare_stacks: 0 becomes 1 | fill(",),
        "rounds": (
            "play: best, best_mean, best_slope = (0.0", "play: 0.0 becomes 1.0 | best, best_mean, best_slope = 0.0",
            "play: played, better = (0, 0)", "play: 0 becomes 1 | played, better = 0, 0",
        ),
    },
    "differs where two numbers with noise in them agree to the last bit": {
        "newcomers": (
            "_guess: LtE becomes Lt", "choose_relaxed: GtE becomes Gt | highest", "_look_closer: GtE becomes Gt",
            "_lead: Lt becomes LtE",
            "_look_closer: Lt becomes LtE | found =",
        ),
        "reaching": (
            "best_of_ball: GtE becomes Gt | sure =", "best_of_ball: GtE becomes Gt | perhaps =", "_list_reaching: GtE",
        ),
        "relaxation": ("adapt: Lt becomes LtE",),
        "turning": ("is_inside: LtE becomes Lt",),
        "arms": ("follow: LtE becomes Lt | DRIFT", "remeasure: LtE becomes Lt"),
        "ends": (
            "choose_by_ball: GtE becomes Gt", "_bound_by_ball: Gt becomes GtE", "lower_bound: Gt becomes GtE",
            "choose_by_ball: Gt becomes GtE",
        ),
        "lanes": ("_error_squared: Lt becomes LtE", "_corrupt: GtE becomes Gt | BEST"),
        "link": ("_rows: Gt becomes GtE",),
        "laws": ("_lattice: Gt becomes GtE", "reward_of: LtE becomes Lt", "_inverted: Lt becomes LtE"),
        "sweep": ("coming_arm: LtE becomes Lt | DRIFT", "_rank: LtE becomes Lt | DRIFT"),
        "floors": (
            "floor_of: LtE becomes Lt", "_find_stretched: LtE becomes Lt", "_find_stretched: Gt becomes GtE",
            "_find_stretched: Lt becomes LtE", "held_arm: Lt becomes LtE | under",
        ),
        "optimism": ("_improve_bounds: Lt becomes LtE | floor", "_is_on_ball: LtE becomes Lt"),
        "optimum": (
            "reaches_ball: LtE becomes Lt", "stays_inside: LtE becomes Lt", "optimistic_value: LtE becomes Lt | ball",
            "_both_bind: Gt becomes GtE | h > 0.0",
        ),
        "scouting": ("choose: Gt becomes GtE",),
        "stacks": ("restock: Gt becomes GtE",),
        "streams": (
            "normal: Lt becomes LtE", "normal: Gt becomes GtE", "poisson: Gt becomes GtE", "_many: LtE becomes Lt",
            "_many: GtE becomes Gt", "_many: Gt becomes GtE", "_many: Lt becomes LtE | edge <",
        ),
        "survey": ("survey: LtE becomes Lt",),
        "tracking": (
            "_anchor: Gt becomes GtE", "track: LtE becomes Lt", "_lower_norms: LtE becomes Lt",
            "update_bounds: Gt becomes GtE | _SWOLLEN", "count_reaching: GtE becomes Gt",
        ),
    },
    "a shortcut: without it, or where it is taken more rarely, the exact comparison decides the same": {
        "newcomers": (
            "_look_closer: 0.0 becomes 1.0 | nu <", "_look_closer: Lt becomes LtE | nu <",
            "choose_relaxed: Mult becomes Add | highest:",
        ),
        "rounds": (
            "play: False becomes True | theta_star, False", "play: And becomes Or | RELAXED",
            "play: 0.0 becomes 1.0 | RELAXED",
        ),
        "laws": ("reward_of: Add becomes Sub | _HEADER", "reward_of: return float(law[1]"),
        "in_turn": ("choose_by_ellipsoid: LtE becomes Lt", "choose_by_ellipsoid: Mult becomes Add | stays_inside"),
        "streams": (
            "_many: 3.6224", "_many: Div becomes Mult | 3.6224", "_many: 2.0 becomes 3.0 | 3.6224", "_many: 0.07",
        ),
        "arms": (
            "best_closed_form: return int", "most_uncertain_of: 0 becomes 1 | found, count = K, 0",
            "most_uncertain_of: Gt becomes GtE | count > 1",
        ),
        "ends": ("choose_by_ball: return -1 becomes pass",),
        "sweep": ("_rank: min becomes max | found.second",),
    },
    "a look at numbers that spares SymPy most families: the formula decides": {
        "laws": (
            "_variance_kind: -S", "_variance_kind: 7 becomes 8", "_variance_kind: Lt becomes LtE",
            "_variance_kind: 1e-09", "_variance_kind: Mult becomes Add",
        ),
    },
    "the ratio to a mean of 0 is infinite, and not the same as the others": {
        "laws": ("_variance_kind: Gt becomes GtE",),
    },
    "any part of a step beyond the last point is as good": {
        "laws": ("_lattice: 0.5 becomes 0.75", "_lattice: LtE becomes Lt"),
    },
    "any arms below 0 and any stream show what a sampler takes": {
        "draws": (
            "_takes_arrays: 3 becomes 4", "_takes_arrays: 0.125 becomes 0.1875", "_takes_arrays: 0 becomes 1 | mixed",
        ),
    },
    "the ellipsoid says the same of an arm that is 0": {
        "optimum": ("optimistic_value: LtE becomes Lt | arms.norm", "optimistic_value: return (0.0, 0.0, 0.0)"),
    },
    "only ratios of these sizes are looked at": {"link": ("_rows: 1 becomes 2 | sizes = ",)},
    "where a search begins, or steps after it is at its end": {
        "newcomers": ("_solve: 0.0 becomes 1.0",),
        "turning": (
            "turn_to_centre: 0.0 becomes 1.0 | max(0.0, second", "turn_to_centre: Mult becomes Add | third =",
            "turn_to_centre: Add becomes Sub | third =",
        ),
        "tally": ("_farthest: 0.0 becomes 1.0 | last, total", "_farthest: Gt becomes GtE | S * S"),
        "mirror_descent": (
            "onto_sphere: 0.0 becomes 1.0 | trace =", "onto_sphere: Or becomes And | if not",
            "onto_sphere: Gt becomes GtE | if not", "onto_sphere: Add becomes Sub | if not", "onto_sphere: 1e-16",
            "onto_sphere: 1e-15", "shorten: Gt becomes GtE", "shorten: 52 becomes 53",
        ),
        "floors": (
            "_find_stretched: 1.0 becomes 1.5", "_find_stretched: 0.5 becomes 0.75 | last_part",
            "_find_stretched: Or becomes And",
        ),
    },
    "steps between safeguards: another step, the same value": {
        "optimum": (
            "_both_bind: LtE becomes Lt | scale", "_both_bind: Add becomes Sub | EPS", "_both_bind: Lt becomes LtE",
            "_both_bind: 0.0 becomes 1.0 | slope <", "_both_bind: 8.0", "_both_bind: 0.125",
            "_both_bind: Mult becomes Add | 8.0 * nu", "_both_bind: 0.0 becomes 1.0 | low > 0.0",
            "_both_bind: Or becomes And", "_both_bind: Gt becomes GtE | _WIDEST",
            "_both_bind: Mult becomes Add | _WIDEST", "_both_bind: return (value, used, used)",
            "_both_bind: LtE becomes Lt | _ACCURACY",
        ),
    },
    "a floor that pivots reach by rounding alone": {
        "mirror_descent": ("onto_sphere: Add becomes Sub | factorise",), "optimum": ("relax: Add becomes Sub",),
        "relaxation": ("renew: Add becomes Sub",),
    },
    "without a point nothing is held that could rest on one that is deeper": {
        "floors": ("_find_stretched: -np.inf becomes np.inf", "_find_stretched: return becomes pass"),
    },
    "a value that no caller takes": {
        "abreast": ("put_abreast: return context", "put_within: return context", "fetch_line: return context"),
        "wide_memory": ("scatter: return context",),
    },
    "memory is brought near before it is read: no number depends on it": {
        "abreast": ("fetch_line: builder.call", "fetch_line: 0 becomes 1"),
        "survey": (
            "LINE", "survey: fetch_line", "survey: 0 becomes 1 | for line", "survey: Mult becomes Add | for line",
            "survey: Add becomes Sub | fetch_line", "survey: Mult becomes Add | fetch_line",
        ),
    },
    "of arms that tie the most uncertain is looked for, whichever came first": {"sweep": ("_rank: Gt becomes GtE",)},
    "a flag: any number of its sign says the same, or any that differs from the others": {
        "newcomers": ("_guess: 1.0 becomes 1.5 | norm[k]",),
        "arms": ("follow: 1.0 becomes 1.5 | lost =",),
        "lanes": (
            "play: 1.0 becomes 1.5 | UNSURE", "play: 1.0 becomes 1.5 | SPENT", "_error_squared: 1.0 becomes 1.5",
            "_follow_error: 1.0 becomes 1.5", "begin: 1.0 becomes 1.5",
        ),
        "ends": ("choose_by_ball: 1 becomes 2 | return -1", "choose_by_ball: 1 becomes 2"),
        "rounds": ("REFUSED", "play: 1.0 becomes 1.5 | outdated"),
        "sweep": ("coming_arm: 1.0 becomes 1.5", "_rank: 1.0 becomes 1.5"),
        "optimism": ("choose_staying: 1.0 becomes 1.5",),
        "in_turn": ("choose_by_ellipsoid: 1 becomes 2", "solve_in_turn: 1.0 becomes 1.5 | arms.solved"),
        "survey": (
            "survey: 1.0 becomes 1.5 | beyond =", "survey: 1.0 becomes 1.5 | FIRST_NORM",
        ),
        "tracking": ("_lower_norms: 1.0 becomes 1.5",),
    },
    "differs where all indices are 0, or the first leads: then several lanes lead, or it is found the long way": {
        "arms": ("best_closed_form: GtE becomes Gt", "best_closed_form: 0.0 becomes 1.0"),
        "scouting": ("choose: GtE becomes Gt",),
    },
    "not reached: the arm of largest index ties with itself": {
        "scouting": ("preferred: return 0", "preferred: 0 becomes 1 | return 0"),
    },
    "every lane has arms, a link and a state of the same sizes": {
        "replicates": ("_lanes: 0 becomes 1", "_supply: 0 becomes 1 | outcomes[0].size"),
    },
    "of a round and a half the whole part is told": {"lanes": ("_decide: 1.0 becomes 1.5",)},
    "a whole number and a half reaches the same power of two": {"scouting": ("choose: 1.0 becomes 1.5",)},
    "what is empty, or a number that is not read": {
        "replicates": (
            "_outcome: 0 becomes 1 | tape =", "_supply: 0 becomes 1 | caps=", "_caps: return np.zeros",
            "_supply: used[:, len(feeds):]",
        ),
        "lanes": ("_corrupt: 0.0 becomes 1.0 | cap =", "_corrupt: 0.0 becomes 1.0 | chance ="),
        "stacks": ("NO_RECIPES", "NO_STREAMS", "recipes_of: 0.0 becomes 1.0", "recipes_of: 3 becomes 4"),
    },
}  # fmt: skip
