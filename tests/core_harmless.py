"""Mutants of `core` that survive, and why that is no loss; and tests that notice one but come too late to be tried.

An entry is the path, the name of the function or constant, and words of the edit where others of it matter; after a bar
comes part of the line where the same edit of other lines matters.
"""

from __future__ import annotations

import linecache

from tests import basis_harmless, engine_harmless, fitting_harmless, learner_harmless, number_harmless
from tests.core_changes import CORE, Mutant

HARMLESS: dict[str, tuple[str, ...]] = {
    "differs where two numbers with noise in them agree to the last bit": (
        "environment.py: play: GtE becomes Gt | BEST", "engine/rounds.py: play: GtE becomes Gt | BEST",
        "engine/arms.py: first_of: GtE becomes Gt",
        "trajectory.py: Trajectory.add: Gt becomes GtE | before.radius",
    ),
    "a limit of work, the length of a block or of a period: one more is as good": (
        "engine/optimum.py: ITERATIONS", "engine/feed.py: BLOCK", "engine/feed.py: STACK", "engine/laws.py: _LONGEST",
        "engine/feed.py: LONG_BLOCK", "engine/feed.py: LONGER",
        "engine/stacks.py: DEPTH", "engine/replicates.py: BLOCK",
        "engine/mirror_descent.py: _NEWTON", "engine/mirror_descent.py: REFRESH", "competitors/descent.py: BLOCK",
        "competitors/mirror_descent.py: _BISECTIONS", "simulation/grid.py: MOST_", "spd.py: NEWTON_STEPS",
        "simulation/instances.py: MOST_ARMS",
        "bound_gap.py: SIZES", "learner/states.py: MOST_ROUNDS", "learner/saving.py: LARGEST",
        "learner/saving.py: _document: Gt becomes GtE", "learner/saving.py: write: Gt becomes GtE",
        "simulation/shards.py: _pieces: 16", "simulation/datasets.py: best_fixed: 1e-300",
        "fitting/likelihood.py: STEPS", "fitting/likelihood.py: maximise: Add becomes Sub | STEPS",
        "fitting/likelihood.py: maximise: 1 becomes 2 | STEPS",
        "kept.py: MOST", "kept.py: OTHERS", "kept.py: _fingerprint: 16", "learner/monitor.py: Monitor.__init__: 64",
        "learner/likeliest.py: _halved: 40",
        "informative.py: FARTHEST", "simulation/shards.py: ROUNDS",
        "competitors/likelihood.py: (_NEWTON", "tuning.py: DECADES", "engine/factor.py: _SWEEPS",
        "rivals/descent.py: (STEPS", "rivals/descent.py: minimise_on_ball: Gt becomes GtE | HALVINGS",
        "rivals/descent.py: minimise_on_ball: 2.0 becomes | HALVINGS",
        "rivals/descent.py: minimise_on_ball: Pow becomes | HALVINGS",
        "optimism.py: WIDEST",
        "competitors/curve.py: along: 1 becomes 2 | cell",
    ),
    "a tolerance or a level: half as much again decides the same": (
        "tolerances.py: LARGEST_REWARD", "tolerances.py: SLACK", "learner/likeliest.py: (STEPS",
        "competitors/likelihood.py: _DECREMENT", "rivals/descent.py: ENOUGH", "learner/monitor.py: LATTICE",
        "simulation/instances.py: INSIDE",
        "simulation/instances.py: ROUNDING", "simulation/datasets.py: INSIDE", "simulation/datasets.py: _RIDGE",
        "simulation/tables.py: ALARM", "engine/lanes.py: _FADED",
        "engine/tracking.py: _LEAST", "learner/engine_state.py: _take_factors: 1e-06",
        "learner/replaying.py: mean_at_least: 1e-", "learner/saving.py: AGREE",
        "learner/states.py: ROUNDED", "learner/states.py: _checked_state: 1e-15", "learner/states.py: LARGEST",
        "learner/states.py: _check_H: Mult becomes Add | grown",
        "learner/states.py: _check_logdet: 1e-06", "learner/states.py: _check_logdet: 1 becomes 2",
        "fitting/likelihood.py: LEAST_SHARE", "fitting/likelihood.py: SETTLED",
        "fitting/likelihood.py: maximise: 1 becomes 2 | SETTLED", "fitting/likelihood.py: maximise: 1e-14",
        "learner/monitor.py: ROUNDING", "learner/monitor.py: distance_to: 1.0 becomes",
        "rivals/descent.py: OVERSHOT", "rivals/cr_eluder_ucb.py: CREluderUCB._fit: 0.01",
        "rivals/cr_eluder_ucb.py: CREluderUCB._fit: Gt becomes GtE",
        "competitors/descent.py: fit: 0.01", "competitors/descent.py: fit: Mult becomes Add | _positive",
        "competitors/descent.py: GROWTH",
        "competitors/likelihood.py: _OVERSHOT",
        "observed.py: checked_arms: 2 becomes 3 | UNIT", "observed.py: checked_arms: LtE becomes Lt | UNIT",
        "contexts.py: TIE",
    ),
    "a choice of the search for attacks: every value gives an attack within the budget": (
        "simulation/plans.py: (_LEAST_SPREAD", "simulation/plans.py: _ANY_TRUST", "simulation/plans.py: Law.draw: 60.0",
        "simulation/plans.py: Law.initial",
    ),
    "any value is in accord with the theorem": (
        "learner/replaying.py: BETS",
        "local_constants.py: (TRIED", "rivals/mor_ucb.py: ridge", "learner/rivals.py: SPREADS",
        "competitors/mirror_descent.py: DEFAULT_HORIZON",
        "learner/rivals.py: Rivals._learn: ", "learner/rivals.py: Rivals.take: Div becomes Mult | _learn",
        "learner/rivals.py: Rivals.take: Add becomes Sub | np.sqrt", "learner/rivals.py: Rivals.take: Div | np.sqrt",
        "learner/rivals.py: STEPS", "learner/rivals.py: MEMORIES", "learner/rivals.py: RIDGE",
        "learner/rivals.py: reach: 0.001", "learner/rivals.py: reach: 50.0", "learner/rivals.py: Rivals.take: 1e-12",
        "learner/rivals.py: Rivals.take: 1.0 becomes", "learner/rivals.py: Rivals.__init__: Mult becomes",
    ),
    "a range that no state reaches the end of: half or twice as wide refuses the same damage": (
        *(f"learner/fields.py: _check_sums: {edit}" for edit in ("LtE", "Mult", "Add", "1", "0.0", "2", "4", "-top")),
        *(f"learner/fields.py: _check_rows: {edit} becomes" for edit in ("LtE", "Pow", "2", "1", "0")),
        "learner/fields.py: check_monitor: LtE", "learner/fields.py: check_monitor: Mult",
        "learner/fields.py: _check_rivals: GtE", "learner/fields.py: _check_rivals: 1e-06",
        *(f"learner/service.py: _coming: {edit}" for edit in ("GtE", "LtE", "Mult", "1")),
        "learner/service.py: _read: LtE",
    ),
    "what is finite in one is finite in the other, but for a factor at the end of the range of numbers": (
        "parameters.py: parameters: 4 becomes 5", "parameters.py: parameters: 2 becomes 3",
        "parameters.py: parameters: Mult becomes Add", "parameters.py: _sharpest: 10000.0 becomes 15000.0",
        "learner/saving.py: _of_choice: 10000.0", "learner/states.py: _check_logdet: Lt becomes LtE",
    ),
    "a reach beyond the domain is refused by itself, and none of the catalogue has one": (
        "local_constants.py: _reaches: min becomes max",
    ),
    "a point of the search more or less: every one satisfies the theorem": (
        "tuning.py: (_COARSE", "tuning.py: Problem.second_order: 60 becomes 61", "tuning.py: _plain: 12.0 becomes",
        "tuning.py: _best: 12.0 becomes", "tuning.py: _best: 14.0 becomes", "tuning.py: _best: 10.0 becomes",
        "tuning.py: _refined: 1.0 becomes", "tuning.py: _refined: 0.0 becomes", "tuning.py: _refined: 1 becomes 2",
        "tuning.py: _refined: Sub becomes Add", "tuning.py: _refined: Add becomes Sub",
    ),
    "where the search for a bracket begins": (
        "learner/replaying.py: mean_at_least: 1.0 becomes", "learner/replaying.py: mean_at_least: LtE becomes Lt",
        "learner/replaying.py: mean_at_least: 2 becomes 3", "learner/replaying.py: mean_at_least: 0.0 becomes | brentq",
        "learner/replaying.py: mean_at_least: 1 becomes | while",
        "learner/replaying.py: mean_at_least: Mult becomes Add | most *= 2",
        "rivals/gadaoful.py: noise: 1.0 becomes 1.5",
        *(f"optimism.py: ConfidenceSet._touching_both: {edit}" for edit in (
            "-1 becomes | low = high", "1 becomes 2 | low = high", "2.0 becomes", "2 becomes 3", "step = 2.0",
            "Mult becomes Add | low - step", "And becomes Or | excess(low) <=", "LtE becomes Lt | excess(low) <=",
            "0 becomes 1 | excess(low) <=", "Gt becomes GtE | while", "Lt becomes LtE | while",
            "Mult becomes Add | high + step", "1e-14 becomes", "8.9e-16 becomes", "1e-15 becomes",
        )),
    ),
    "where a grid of sizes begins, far from the best one": (
        "bound_gap.py: lower_bound: 1 becomes 2", "bound_gap.py: lower_bound: Div becomes Mult",
    ),
    "so near its floor that rounding decides": ("tuning.py: MARGIN: 1e-09",),
    "where the two meet they are equal; if they do not meet before 2 S, the bound without a split is smaller": (
        "tuning.py: Problem.second_order: 2 becomes 3", "tuning.py: Problem.second_order: Mult becomes Add",
        "tuning.py: Problem.second_order: Div becomes Mult", "tuning.py: Problem.second_order: max becomes min",
        "tuning.py: Problem.second_order: Lt becomes LtE",
    ),
    "|μ''| is at most R_s μ': the product is larger, but for what an enclosure loses": (
        "tuning.py: link_of: Mult becomes Add",
    ),
    "only claims use it, and they notice (`tests.constant_mutants`)": (
        "constants.py: MIXTURE_PAIRS", "constants.py: (MOVES_SPENT, MIXTURE_CHOICE): 1 becomes",
        "constants.py: (MOVES_SPENT, MIXTURE_CHOICE): 3 becomes", "constants.py: spread", "constants.py: mixture_",
    ),
    "a function that ends without a word returns None all the same": (
        "learner/tickets.py: _number: return None", "simulation/grid.py: _is_number: return False",
        "simulation/instances.py: _numbers: return None", "algorithm.py: HCWGLBOMD.propose: return None",
    ),
    "what is asked is the same of every run of a cell": (
        "simulation/cells.py: check: 0 becomes 1 | world_of", "simulation/cells.py: in_lockstep: 0 becomes 1",
        "simulation/cells.py: threshold: 0 becomes 1",
    ),
    "a mark at the end or beyond it is there already or cut off": (
        "simulation/cells.py: checkpoints: 1 becomes 2", "simulation/cells.py: checkpoints: Lt becomes LtE",
    ),
    "a value that stands for any: what does not depend on it is found once": (
        "simulation/cells.py: _unheard: 0 becomes 1", "simulation/grid.py: Grid.cells: 0 becomes 1",
    ),
    "shares are rescaled to sum to 1": (
        "simulation/instances.py: opponent: 1.0 becomes | amplify",
        "competitors/unknown_budget.py: Test._weigh: 1 becomes 2 | self.G",
    ),
    "a multiple of K below K + 2 is K itself, which is below 2 K": (
        "simulation/datasets.py: check: Mult becomes Add",
    ),
    "any negative length is found by numpy": tuple(f"{place}: 1 becomes 2" for place in (
        "simulation/datasets.py: best_fixed", "_flat.py: cut", "engine/arms.py: room",
    )),
    "the likelihood knows neither δ nor C": (
        "simulation/datasets.py: best_fixed: 0.5 becomes", "simulation/datasets.py: best_fixed: 0.0 becomes",
    ),
    "what is drawn beyond the population is cut off": ("simulation/attack_search.py: search: Sub becomes Add",),
    "the first direction of one or of two: an instance drawn in the same way": (
        "simulation/instances.py: arms_and_parameter: 1 becomes 2",
    ),
    "there are three worlds": ("simulation/defaults.py: _two_worlds: 3 becomes 4",),
    "more passes are drawn than are played": ("simulation/datasets.py: Stream.drawn: FloorDiv",),
    "only the names of the attacks are asked for": (
        "simulation/attack_search.py: Found.plain: 1.0 becomes", "simulation/attack_search.py: Found.plain: 1 becomes",
    ),
    "done beforehand, so that nobody waits for it later": ("simulation/cells.py: _parameters: link.pack",),
    "as the number of runs grows so does the number of misses that it takes: without a miss none is reached": (
        "simulation/tables.py: detection: Gt becomes GtE | needed is None",
    ),
    "all rows of a sweep are alike but for what is swept": (
        "simulation/conclusions.py: _exponent: -1 becomes 1 | points[-1]",
        "simulation/conclusions.py: _exponent: 1 becomes 2 | points[-1]",
        "simulation/conclusions.py: _exponent: 0 becomes 1 | points[0]",
    ),
    "where the ratios and their lower bounds tie either rival is the closest": (
        "simulation/conclusions.py: _compared: 2 becomes 3 | closest",
    ),
    "the logarithm of 0 is no number either": (
        "simulation/conclusions.py: fitted: min becomes max | min(y)",
        "simulation/conclusions.py: fitted: Gt becomes GtE",
    ),
    "where the two are equal both give the same": (
        "rivals/cw_oful.py: CWOFUL.weight: LtE becomes Lt", "rivals/cr_eluder_ucb.py: Constants.weight: LtE becomes Lt",
        "rivals/descent.py: _minimiser: LtE becomes Lt",
        "competitors/likelihood.py: minimise_model: Gt becomes GtE",
    ),
    "a slope that is the same everywhere": ("rivals/cr_eluder_ucb.py: noise_scale: 0.0 becomes 1.0",),
    "of an empty budget nothing is paid": ("adversary.py: corrupt: LtE becomes Lt",),
    "the last cap is C anyway": ("adversary.py: paced: 1.0 becomes 1.5",),
    "only whether it is refused counts": ("competitors/cr_eluder_ucb.py: _refuse: 1.0",),
    "a ratio of lengths below 1 is at most 1 - 2**-53 by itself": (
        *(f"projection.py: into_ball: {edit}" for edit in ("1 becomes", "Sub", "2.0", "Pow", "53")),
    ),
    "the last unit of what is on the sphere": ("projection.py: into_ball: Gt becomes GtE",),
    "no pivot is 0": ("spd.py: cholesky: Lt becomes LtE",),
    "a quick look before the check that decides; what fails it is solved, to the same value": (
        *(f"optimism.py: ConfidenceSet.optimum: {edit} | of_ellipsoid <=" for edit in ("LtE", "Mult", "1", "Add")),
        "optimism.py: ConfidenceSet.optimum: LtE becomes Lt | norm(point)",
        "optimism.py: ConfidenceSet.optimum: Add becomes Sub | norm(point)",
    ),
    "more arms are solved than need be": (
        "optimism.py: ConfidenceSet.values: -values", "optimism.py: ConfidenceSet.values: Lt becomes LtE",
        "optimism.py: ConfidenceSet.values: Mult becomes Add | best -", "optimism.py: ConfidenceSet.values: best = max",
        "optimism.py: ConfidenceSet.values: max becomes min | best",
    ),
    "what has no weight adds nothing": (
        "competitors/likelihood.py: _expand: Gt becomes GtE", "competitors/likelihood.py: _rise: Gt becomes GtE",
    ),
    "where log det H has not grown there is nothing new to fit": (
        "competitors/cr_eluder_ucb.py: learn: Lt becomes LtE",
    ),
    "set again before it is read": ("rivals/regression.py: WeightedRidge.__init__: self.radius",),
    "both differ from finite numbers at the same ends": ("learner/replaying.py: replay: Sub becomes Add | span",),
    "numpy finds the length of what is empty by itself": (
        "learner/states.py: numbers: -1 becomes 1", "learner/states.py: numbers: 1 becomes 2",
    ),
    "one row of room more": (
        "engine/arms.py: _NOTES", "competitors/descent.py: descent:",
        "competitors/glm_ucb.py: learn: 1 becomes 2 | place + 1",
    ),
    "all columns have one length, all cells of a shard one name": (
        "engine/replicates.py: _in_lanes: 0 becomes 1", "simulation/shards.py: _pieces: 0 becomes 1",
    ),
    "runs are played one by one instead of in lockstep, with the same numbers": ("engine/replicates.py: share_rounds",),
    "bins that have one break at most are searched like those that have more": (
        "engine/link.py: _crowded: 2 becomes 3",
    ),
    "a method that every rival brings itself": (
        "rivals/refitting.py: RefittingRival._fit", "rivals/refitting.py: RefittingRival._radius",
    ),
    "norms are computed afresh more often": ("engine/arms.py: measure_one: Mult becomes Add",),
    "what is left of a budget is rounded down where it need not be": ("adversary.py: _pay: Lt becomes LtE",),
    "the hundredth bit of what is left of a budget": ("adversary.py: _pay: low = np.nextafter",),
    "the claims of `local_confidence` are stated and decided with this number": ("local_constants.py: (WINDOW",),
    "steps between safeguards: another step, the same value": (
        "learner/likeliest.py: least: 1e-09", "learner/likeliest.py: least: 1e-300",
        *(f"fitting/likelihood.py: maximise: {edit} | 1e-4" for edit in ("GtE", "Add", "0.0001", "Eq", "1.0", "LtE")),
        "learner/likeliest.py: least: Mult becomes Add | np.eye",
        "learner/likeliest.py: least: Add becomes Sub | np.eye",
        "engine/optimum.py: _both_bind: Div becomes Mult", "competitors/descent.py: _positive: 1.0 becomes 1.5",
        "rivals/descent.py: minimise_on_ball: 1.0 becomes 1.5", "rivals/descent.py: minimise_on_ball: 2 becomes 3",
        "rivals/gadaoful.py: GAdaOFUL._fit: 3 becomes 4",
        *(f"competitors/descent.py: fit: {edit} | {line}" for edit, line in (
            ("data.plain[0] = 0.0", "plain"), ("first == 0", "first"), ("Eq", "first"), ("0 becomes", "first"),
            ("begin(", "begin"), ("1.0 becomes 1.5", ""), ("0.5 becomes", "length"), ("data.gradient", "square"),
            ("Add becomes Sub", "square"), ("data.fitted", "count"),
        )),
        "competitors/cr_eluder_ucb.py: learn: 0 becomes 1 | weight.size",
        "competitors/likelihood.py: fit: 1.0 becomes 1.5", "competitors/likelihood.py: fit: 0.5 becomes 0.75",
        "spd.py: secular_root: Pow becomes Mult", "spd.py: secular_root: Gt becomes GtE",
    ),
    "never called: `specialised` puts another function there": (
        "competitors/descent.py: score", "engine/rounds.py: learn", "engine/rounds.py: keep: ",
        "engine/rounds.py: choose: ",
    ),
    "runs when its module is imported, which fails with the edit in the file": (
        "competitors/descent.py: fit_by", "simulation/mutants.py: _learner", "simulation/mutants.py: _radius",
        "competitors/claimed.py: _leading", "competitors/claimed.py: _corruption",
    ),
    "a table that holds it was made at import, and what `test_competitors` and `test_simulate` read is the table": (
        "simulation/defaults.py: CHEAP", "simulation/defaults.py: DEAR", "competitors/mirror_descent.py: GREEDY",
        "competitors/claimed.py: (HALF",
        "competitors/mirror_descent.py: HCW_GLB_OMD_SCOUT", "competitors/mirror_descent.py: GLB_OMD: ",
        "competitors/ridge.py: CW_OFUL", "competitors/ridge.py: OFUL", "competitors/uniform.py: UNIFORM",
    ),
    "the length of a value in a message": ("learner/tables.py: NAMED",),
    "the lists have one length": (
        "simulation/conclusions.py: Contender.against: False becomes True", "learner/service.py: _coming: True",
        "simulation/conclusions.py: _compared: True", "simulation/conclusions.py: fitted: True",
        "simulation/grid.py: Block.cells: True", "simulation/plans.py: simplest: True",
        "tuning.py: tune: True becomes False", "tuning.py: _refined: True becomes False",
        "learner/front.py: Learner.learn: True becomes False", "learner/states.py: numbers: True becomes False",
        "rivals/cr_eluder_ucb.py: CREluderUCB.loss: True", "rivals/cr_eluder_ucb.py: CREluderUCB._fit: True",
        "rivals/gadaoful.py: GAdaOFUL._fit: True",
    ),
    "equality has probability 0": (
        "learner/monitor.py: Monitor._decided: Lt becomes LtE", "tuning.py: Choice.weighs: Lt becomes LtE",
        "tuning.py: _best: LtE becomes Lt", "learner/saving.py: _of_choice: LtE becomes Lt",
        "learner/saving.py: _of_choice: GtE becomes Gt", "learner/service.py: _read: LtE becomes Lt",
        "learner/states.py: _checked_state: LtE becomes Lt", "learner/states.py: checked_state: LtE",
        "learner/states.py: _check_H: LtE becomes Lt",
        "learner/states.py: _check_H: GtE becomes Gt", "learner/states.py: whole: LtE becomes Lt",
        "learner/states.py: _check_H: Gt becomes GtE", "learner/states.py: _check_logdet: LtE becomes Lt",
        "fitting/likelihood.py: maximise: LtE becomes Lt", "fitting/likelihood.py: maximise: Gt becomes GtE",
        "learner/monitor.py: distance_to: Gt becomes GtE", "learner/likeliest.py: least: LtE becomes Lt",
        "learner/likeliest.py: _minimiser: LtE becomes Lt", "scouted.py: Scouted.propose: GtE becomes Gt",
        "scouted.py: Scouted.propose: Gt becomes GtE",
        "rivals/descent.py: minimise_on_ball: Gt becomes GtE", "rivals/gadaoful.py: proved: Gt becomes GtE",
        "rivals/gadaoful.py: noise: Gt becomes GtE",
        "competitors/descent.py: fit: Gt becomes GtE", "competitors/descent.py: fit: LtE becomes Lt",
        "competitors/likelihood.py: fit: Gt becomes GtE", "competitors/likelihood.py: fit: LtE becomes Lt",
        "competitors/glm_ucb.py: learn: Lt becomes LtE", "competitors/mirror_descent.py: unweighted: Lt becomes LtE",
        "competitors/unknown_budget.py: Test.drop: Gt becomes GtE",
        "contexts.py: show_worst: Gt becomes GtE", "contexts.py: show_worst: Lt becomes LtE",
        "adversary.py: corrupt: Lt becomes LtE | chance",
    ),
    "only tests that play whole grids or read data sets run it, and these are left out here": (
        "simulation/conclusions.py: contenders", "simulation/datasets.py: Stream.mistakes",
        "simulation/defaults.py: accepted", "simulation/grid.py: Grid.name",
    ),
}  # fmt: skip
for _folder, _more in (
    ("engine/", engine_harmless), ("", basis_harmless), ("", fitting_harmless), ("", learner_harmless)
):  # fmt: skip
    for _why, _files in _more.HARMLESS.items():
        _ones = (f"{_folder}{file}.py: {edit}" for file, edits in _files.items() for edit in edits)
        HARMLESS[_why] = (*HARMLESS.get(_why, ()), *_ones)
for _why, _edits in number_harmless.HARMLESS.items():
    HARMLESS[_why] = (*HARMLESS.get(_why, ()), *_edits)

# What runs in hundreds of tests is tried with the fastest of them; here is the one to try first.
FIRST: dict[str, str] = {
    "observed.py: checked_vector": "a_bad_observation_is_refused_by_name",
    "learner/saving.py: (FORMAT": "what_is_not_a_state_is_refused_by_name[another version]",
    "learner/saving.py: _document": "what_is_not_a_state_is_refused_by_name[another format]",
    "learner/saving.py: _parameters: Or": "what_is_not_a_state_is_refused_by_name[hands on what is none]",
    "learner/saving.py: _parameters: Mult": "what_is_not_a_state_is_refused_by_name[another L_mu]",
    "scout.py: SHARE": "the_guarantee_names_the_bound",
    "learner/saving.py: _of_choice: Or": "starts_on_the_border_of_the_ball",
    "learner/saving.py: _of_choice": "what_is_not_a_state_is_refused_by_name",
    "learner/service.py: _read_open": "what_is_not_a_state_is_refused_by_name",
    "parameters.py: Parameters.promised": "outside_the_promised_range_is_refused",
    "simulation/grid.py: Grid.narrowed": "families_and_algorithms_choose_a_part",
    "simulation/conclusions.py: _best": "go_to_a_guarantee_before_luck",
    "engine/tally.py: RECORDED": "the_record_has_the_columns",
    "engine/feed.py: Course.dispersion_range": "range_of_dispersions_has_the_first",
    "rivals/gadaoful.py: BIAS": "derived_numbers_are_the_suprema",
    "learner/saving.py: _part": "what_is_not_a_state_is_refused_by_name",
    "parameters.py: _real": "not_an_object_is_refused",
    "tolerances.py: UNIT: Add": "an_arm_may_be_longer_by_rounding",
    "tolerances.py: UNIT": "a_bad_observation_is_refused_by_name",
    "simulation/defaults.py: regret": "study_that_was_published",
    "simulation/cells.py: _bounds": "bounds_are_those_of_the_theorems",
    "simulation/cells.py: regret_bound": "the_sharpest_constants_know_horizon",
    "simulation/cells.py: _terms": "the_sharpest_constants_know_horizon",
    "engine/laws.py: _lattice": "draws_for_every_arm",
    "engine/laws.py: _variance_kind": "that_seems_to_be",
    "engine/run.py: played: feed.refill": "pays_its_own_stream_in_order[drawn by Python]",
    "tuning.py: link_of": "the_span_of_a_link",
    "learner/fields.py: Fields.__init__": "not_an_object_is_refused",
    "simulation/cells.py: is_data": "what_runs_on_data",
    "simulation/tables.py: _coverage": "share_of_informative_runs",
    "informative.py: surely_from": "from_the_round_that_is_promised",
    "engine/mirror_descent.py: new_curvature": "those_of_the_reference[bernoulli-d5-g:1-none0-exact-sum-fixed]",
    "engine/tracking.py: begin": "in_the_beginning_nothing_is_pending",
    "learner/tickets.py: Desk.__init__": "tickets_are_numbered_from_one",
    "engine/tracking.py: track: ": "what_is_followed_is_what_numpy_adds_up[7-",
    "engine/tracking.py: ": "what_is_followed_is_what_numpy_adds_up[2-",
    "learner/tickets.py: Desk.find": "tickets_are_numbered_from_one",
    "rivals/gadaoful.py: noise": "keeps_nearly_half_of_the_curvature",
    "rivals/gadaoful.py: MOST_SHIFTED": "test_gadaoful_derived",
    "constants.py: (MOVES_SPENT, MIXTURE_CHOICE): 4": "curvature_and_window_ask_for_the_larger",
    "tuning.py: tune": "its_anytime_choice_is_nearly_best",
    "parameters.py: parameters: 1 becomes 2": "a_single_round_is_a_horizon",
    "parameters.py: parameters: LtE becomes Lt": "a_single_round_is_a_horizon",
    "parameters.py: Parameters.guarantee": "the_guarantee_is_printed",
    "competitors/claimed.py: ": "test_conclusions",
    "competitors/light_noise.py: ": "glm_ucb_has_a_guarantee_where",
    "competitors/descent.py: fit": "of_several_minima",
    "competitors/descent.py: _positive": "of_several_minima",
    "competitors/likelihood.py: fit": "a_likelihood_is_fitted_also_where_whole_steps",
    "letters.py: ": "the_letters_of_formulas",
    "parameters.py: _sharpest": "the_guarantee_is_printed",
    "engine/state.py: initial": "the_first_radius_is_that_of_the_reference[sharpest",
    "engine/state.py: radius": "the_first_radius_is_that_of_the_reference[sharpest",
    "engine/lanes.py: play: 0.0 becomes 1.0": "runs_one_by_one[gaussian-1.0-3-0.8",
    "engine/lanes.py: _decide: Gt": "runs_one_by_one[gaussian-1.0-3-0.8",
    "engine/lanes.py: _corrupt: ": "an_attack_that_begins_late",
    "engine/streams.py: LEAP": "the_count_of_a_round_is_numpys",
    "engine/lanes.py: play: 0 becomes 1": "an_adversary_sees_the_numbers_of_its_own_lane",
    "engine/lanes.py: play: board[TRUST]": "an_adversary_sees_the_numbers_of_its_own_lane",
    "engine/lanes.py: play: Mult becomes Add": "what_H_has_still_to_grow_by",
    "engine/feed.py: Feed._prepare_stacks": "runs_one_by_one[binomial",
    "engine/feed.py: Feed.refill": "runs_one_by_one[binomial",
    "engine/replicates.py: _caps": "lanes_have_attacks_of_their_own",
    "engine/rounds.py: play: min becomes max": "counts_of_arms_that_change",
    "engine/rounds.py: play: -facts.S": "counts_of_arms_that_change",
}
FIRST |= number_harmless.FIRST | learner_harmless.FIRST | fitting_harmless.FIRST


def _words(mutant: Mutant) -> str:
    return f"{mutant.path}: {mutant.owner}: {mutant.edit}"


def reason_for(mutant: Mutant) -> str:
    """Why this mutant may survive; empty if nobody has said."""
    return next((why for why, ones in HARMLESS.items() if any(_fits(mutant, one) for one in ones)), "")


def fitting(mutant: Mutant) -> list[str]:
    """The entries that are about this mutant."""
    return [one for ones in HARMLESS.values() for one in ones if _fits(mutant, one)]


def _fits(mutant: Mutant, entry: str) -> bool:
    start, _, there = entry.partition(" | ")
    return _words(mutant).startswith(start) and there in linecache.getline(str(CORE / mutant.path), mutant.line)


def noticed_first(mutant: Mutant) -> str:
    """Part of the name of the test that notices."""
    return next((test for start, test in FIRST.items() if _words(mutant).startswith(start)), "")
