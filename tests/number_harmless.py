"""Mutants of what certifies numbers and describes families that survive, and why that is no loss."""

from __future__ import annotations

HARMLESS: dict[str, tuple[str, ...]] = {
    "a limit of work, the length of a block or of a period: one more is as good": (
        "enclosure/extrema.py: maximise: 0 becomes 1 | count = 0",
        "enclosure/extrema.py: maximise: 1 becomes 2 | count += 1",
        "enclosure/extrema.py: maximise: Gt becomes GtE | MAX_CELLS", "enclosure/balls.py: LONGEST",
        "enclosure/balls.py: _end: LtE becomes Lt | require", "enclosure/balls.py: _end: 100 becomes 101",
        "enclosure/balls.py: _end: Mult becomes Add | require",
        "expression.py: _bits: 0 becomes", "inversion.py: CACHED", "inversion.py: DEEPEST",
        "inversion.py: _lattice: Gt becomes GtE | MOST_POINTS", "expression.py: _tame_power: Gt becomes GtE | growth",
        "inversion.py: MOST_PANELS", "inversion.py: MOST_POINTS", "inversion.py: FARTHEST",
        "enclosure/programs.py: Program.visit: LtE", "enclosure/programs.py: Program.visit: 15 becomes",
        "enclosure/programs.py: Program.visit: Mult", "enclosure/programs.py: Program.visit: require",
        *(f"enclosure/programs.py: taken: {edit} | spend" for edit in (
            "spend", "Mult", "1 becomes", "Add", "Pow", "2 becomes", "FloorDiv", "16 becomes",
        )),
    ),
    "where a search ends, which points are looked at first and how many bits are tried: every choice is as right": (
        "concordance.py: NEAR", "concordance.py: FURTHER", "concordance.py: SAMPLES", "concordance.py: BITS",
        "binomial.py: BITS", "inversion.py: NEGLIGIBLE: 50.0 becomes",
        *(f"inversion.py: _lattice: {edit} | reach = int" for edit in ("8 becomes", "Mult", "Div", "16 becomes")),
        "inversion.py: _lattice: Sub becomes Add | center =", "inversion.py: _lattice: Div becomes Mult | center =",
        "inversion.py: _lattice: 0 becomes 1 | done_left", "inversion.py: _lattice: 1 becomes 2 | done_right",
        "inversion.py: _lattice: Lt becomes LtE | NEGLIGIBLE",
        "concordance.py: _octaves",
        "concordance.py: _slope_constant: _sum(family) is None",
        "concordance.py: _slope_constant: Is becomes IsNot | NEAR",
        "closed_forms.py: magnitude: Gt becomes GtE", "closed_forms.py: LONGEST_FORMULA",
        "closed_forms.py: short: Lt becomes LtE", "closed_forms.py: short: 150",
        *(f"closed_forms.py: _takes_two_values: {n} becomes" for n in (-1, 1, 2, 3, 5)),
        *(f"closed_forms.py: has_pole: {n} becomes | width" for n in (4, 64)), "closed_forms.py: has_pole: 1 becomes 2",
        *(f"concordance.py: _sampled: {edit}" for edit in (
            "-SAMPLES", "1 becomes 2 | SAMPLES", "Add", "8 becomes", "-8", "9 becomes", "LtE", "max becomes",
        )),
        "concordance.py: _sharp_jet: 100 becomes", "concordance.py: _sharp_jet: 2 becomes 3 | bits *=",
        "concordance.py: _sharp_jet: LtE", "concordance.py: _sharp_jet: GtE", "concordance.py: _sharp_jet: Mult",
    ),
    "of two ways to the same number the shorter one": (
        "binomial.py: at_most: Gt becomes GtE | 2 * k > n", "binomial.py: at_most: return 1 - at_most",
    ),
    "a bound on a probability that says nothing may be any number from 1 on": (
        "binomial.py: _ball_at_most: 1 becomes 2 | is_finite",
    ),
    "there both ways are right": (
        "density.py: _log_iv: Gt becomes GtE | 1e-290", "density.py: _log_iv: 1e-290 becomes",
        "catalog/continuous_bernoulli.py: tilted_uniform: Lt becomes LtE",
        "catalog/continuous_bernoulli.py: tilted_uniform: 1e-08 becomes",
    ),
    "a number that stands where nothing is read": (
        "catalog/continuous_bernoulli.py: tilted_uniform: 1.0 becomes | safe =",
    ),
    "at 0 the law is its own mirror image": (
        "catalog/continuous_bernoulli.py: tilted_uniform: GtE becomes Gt",
    ),
    "more digits than a double has": ("density.py: log_base_function: 30 becomes",),
    "one digit more of a size that is compared with a limit far away": (
        "expression.py: _size: 5 becomes", "expression.py: _tame_power: 5 becomes",
    ),
    "a tolerance or a level: half as much again decides the same": ("inversion.py: FIT",),
    "the polynomial of degree 12 is 0 at the twelve points": ("inversion.py: NODES",),
    "differs where two numbers with noise in them agree to the last bit": (
        "family.py: RECIPROCAL: LtE becomes Lt", "catalog/bernoulli.py: sample: Gt becomes GtE | rare = rng",
    ),
    "how places are put into words": (
        "enclosure/extrema.py: NEIGHBOURS", "enclosure/extrema.py: _merged: LtE becomes Lt",
    ),
    "at a point the expansion has one term, which is the value": ("enclosure/extrema.py: cell_jet: return jet(",),
    "one coefficient or one value more than is read": (
        "enclosure/extrema.py: cell_jet: 1 becomes 2 | order + 1",
        "enclosure/tails.py: bessel_ratio_tail: 1 becomes 2 | exact =",
        "enclosure/jets.py: _bessel: 1 becomes 2 | values =",
        "enclosure/jets.py: _bessel: 1 becomes 2 | return make_series(taylor, 1)",
        "enclosure/jets.py: make_series: 1 becomes 2",
        "enclosure/tails.py: _defect: 2 becomes 3", "enclosure/asymptotics.py: _analytic_tail: 3 becomes 4 | full =",
        "concordance.py: _slope_candidates: 4 becomes 5", "concordance.py: _slope_candidates: 3 becomes 4 | _sharp_jet",
        "concordance.py: _slope_candidates: 5 becomes 6", "concordance.py: _bend_constant: 5 becomes 6",
        "inversion.py: sampler_from_density: 1 becomes 2 | ends =",
    ),
    "where the two are equal both give the same": (
        "enclosure/extrema.py: cell_jet: Lt becomes LtE",
        "enclosure/extrema.py: maximise: Gt becomes GtE | value.lower()",
        "enclosure/extrema.py: maximise: LtE becomes Lt | relative",
        "enclosure/extrema.py: maximise: Lt becomes LtE | edges",
        "enclosure/balls.py: _end: LtE becomes Lt | -LONGEST",
        "enclosure/balls.py: _end: Gt becomes GtE | mantissa > 0", "enclosure/tails.py: _compare_at: Gt becomes GtE",
        "enclosure/tails.py: bessel_ratio_tail: Lt becomes LtE",
        "enclosure/jets.py: _narrower: Lt becomes LtE", "closed_forms.py: magnitude: Lt becomes LtE",
        "family.py: Family.check_radius: Lt becomes LtE | nextafter",
        "catalog/bernoulli.py: chance_of_success: Gt becomes GtE",
    ),
    "the two are different, or have been told apart before": (
        "enclosure/tails.py: rational_tail: Gt becomes GtE", "enclosure/tails.py: _monomial: Gt becomes GtE",
    ),
    "a direction is 1 or -1, an end is not 0, and what is huge is beyond 1": (
        "enclosure/balls.py: _outward: Gt becomes GtE | end == 0",
        "enclosure/balls.py: _outward: Gt becomes GtE | near = sys",
        "enclosure/balls.py: _outward: 0 becomes 1 | near = sys",
        "enclosure/balls.py: _outward: Gt becomes GtE | Fraction(near)",
        "enclosure/balls.py: _outward: Lt becomes LtE | Fraction(near)",
        "enclosure/balls.py: _outward: 0 becomes 1 | Fraction(near)", "suprema.py: located: Gt becomes GtE | end > 0",
        "suprema.py: located: 1 becomes 2 | end > 0", "suprema.py: end_words: Gt becomes GtE",
        "exponential_sums.py: _extreme: Gt becomes GtE",
        "concordance.py: _slope_constant: Lt becomes LtE", "concordance.py: _slope_constant: 0 becomes 1 | sign < 0",
        "numeric.py: Table._all_blocks: Lt becomes LtE | smallest",
    ),
    "only the sign of a direction counts": ("numeric.py: Table._span: 1 becomes 2 | just_inside",),
    "the general power does it too": (
        "enclosure/complexes.py: _arithmetic: return lambda x: x **",
        "enclosure/complexes.py: _arithmetic: 1 becomes 2 | Fraction",
        "enclosure/complexes.py: _arithmetic: return lambda x: x.sqrt",
    ),
    "runs when its module is imported, which fails with the edit in the file": (
        "enclosure/complexes.py: _arithmetic: branched", "enclosure/complexes.py: _arithmetic: return Arithmetic",
    ),
    "beside the pole at 0 nothing is known either": ("enclosure/complexes.py: _arithmetic: Gt becomes GtE",),
    "a quick look before the normal form decides": (
        "closed_forms.py: _takes_two_values: values.append", "closed_forms.py: _takes_two_values: value.is_finite",
        "closed_forms.py: _takes_two_values: return any", "closed_forms.py: _takes_two_values: any becomes all",
    ),
    "of numbers that are not rational the quotient is as right, and its ball checks it": (
        "closed_forms.py: _by_differentiation: And becomes Or",
        "closed_forms.py: _by_differentiation: return None becomes pass | return None",
    ),
    "a denominator in lowest terms is not zero": ("enclosure/tails.py: rational_tail: raise ZeroDivisionError",),
    "SymPy lists the highest power first": ("enclosure/tails.py: _dominated: 0 becomes 1 | lead =",),
    "the solution was found by setting these coefficients to zero": (
        "enclosure/tails.py: bessel_ratio_tail: any becomes all",
        "enclosure/tails.py: bessel_ratio_tail: raise ArithmeticError",
        "enclosure/tails.py: bessel_ratio_tail: 0 becomes 1 | any(",
    ),
    "the letters of a formula need no sign": ("enclosure/tails.py: (big, small)", "enclosure/asymptotics.py: x: True"),
    "a way that is short where the other would be long; both give the same double": (
        "enclosure/balls.py: _HUGE", "enclosure/balls.py: _TINY: 2 becomes", "enclosure/balls.py: _TINY: 1074 becomes",
        "enclosure/balls.py: _TINY: Pow",
        "enclosure/balls.py: _outward: return sign", "enclosure/balls.py: _outward: return 0.0",
        "enclosure/balls.py: _outward: Gt becomes GtE | sign =", "enclosure/balls.py: _outward: 0 becomes 1 | sign =",
        "enclosure/balls.py: _outward: GtE becomes Gt | _HUGE", "enclosure/balls.py: _outward: Lt becomes LtE | _TINY",
    ),
    "what is there is cut off, or was nothing but zeros": (
        "enclosure/jets.py: _joint: Sub becomes Add", "enclosure/jets.py: _joint: 0 becomes 1 | first, n",
        "numeric.py: Table._all_blocks: 40 becomes", "numeric.py: Table._all_blocks: 10 becomes | octaves",
    ),
    "the power 0 is 1, and so is 1 divided by it": (
        "enclosure/jets.py: _power: Lt becomes LtE", "enclosure/jets.py: _power: 0 becomes 1 | p < 0",
    ),
    "another unit, or a half-line that begins sooner, is as right": (
        *(f"enclosure/asymptotics.py: _rescaled_tail: {edit} | rational =" for edit in ("And", "0 becomes")),
        *(f"enclosure/asymptotics.py: _rescaled_tail: {edit} | unit * start" for edit in ("Mult", "Lt", "1 becomes")),
    ),
    "an order has no z": ("enclosure/asymptotics.py: _rescaled_tail: 1 becomes 2 | factors =",),
    "a multiple of log x has no second derivative": (
        "enclosure/asymptotics.py: _analytic_part: Add becomes Sub | zeros - poles",
        "enclosure/asymptotics.py: _analytic_part: Mult becomes Add | zeros - poles",
        "enclosure/asymptotics.py: _analytic_part: 0 becomes 1 | rest =",
    ),
    "a zero of so high an order stays in the logarithm, which then is not analytic": (
        "enclosure/asymptotics.py: _analytic_part: Gt becomes GtE",
        "enclosure/asymptotics.py: _analytic_part: return sp.log",
    ),
    "any power but the first is no line": ("exponential_sums.py: exponential_sum: 2 becomes 3 | z**2",),
    "what is constant has one value": ("concordance.py: _slope_candidates: 0 becomes 1 | value = magnitude",),
    "another way to write the same formula": (
        "exponential_sums.py: exponential_sum: False becomes True",
        "enclosure/asymptotics.py: _analytic_part: False becomes True", "catalog/binomial.py: LARGEST_WRITTEN",
        "catalog/binomial.py: _log_factorial: LtE becomes Lt",
    ),
    "a pole of one order more is as good": ("enclosure/asymptotics.py: _analytic_part: 3 becomes 4",),
    "ends that are tried, and then checked": (
        *(f"enclosure/balls.py: algebraic: {edit} | {line}" for edit, line in (
            ("10 becomes 11", "bits ="), ("1 becomes 2", "near ="), ("2 becomes 3", "near ="), ("Add", "ends ="),
            ("2 becomes 3", "ends ="), ("1 becomes 2", "ends ="),
        )),
        "binomial.py: clopper_pearson_upper: LtE becomes Lt | _least_on_grid",
        "binomial.py: pass_threshold: 1 becomes 2 | low, high = -1, n",
        "binomial.py: pass_threshold: LtE becomes Lt | _ball_at_most",
    ),
    "of two checks each alone refuses it": (
        "enclosure/balls.py: algebraic: Or becomes And", "enclosure/balls.py: algebraic: GtE becomes Gt",
        "enclosure/balls.py: algebraic: 0 becomes 1 | >= 0",
    ),
    "one has no zeros": ("enclosure/jets.py: _removable: return None becomes pass | return None",),
    "a function that ends without a word returns None all the same": (
        "enclosure/jets.py: _removable_point: return None", "closed_forms.py: _vanishes: return False becomes pass",
        "closed_forms.py: magnitude: return None becomes pass",
        "exponential_sums.py: _positive: return False becomes pass",
    ),
    "the lists have one length": ("enclosure/jets.py: _narrower: True",
        "enclosure/programs.py: Program.__call__: True", "exponential_sums.py: _mean: True"),
    "only whether the sign is settled counts": (
        "concordance.py: _slope_candidates: 6 becomes 7", "concordance.py: _bend_constant: 24 becomes 25",
    ),
    "a weight of 0 is not written": ("exponential_sums.py: _positive: Gt becomes GtE",),
    "without an exponent any small number does": ("exact.py: stated: 0 becomes 1 | or 0",),
    "the length of a value in a message": ("exact.py: stated: 60 becomes",),
    "0 itself has been found before, or is found all the same": (
        "exact.py: simplest_between: Lt becomes LtE | upper < 0",
        "exact.py: simplest_between: LtE becomes Lt | lower <= 0",
    ),
    "beyond the cap": ("enclosure/jets.py: vanishing_order: 1 becomes 2 | range",),
    "both enclose; which of them is asked first is a matter of speed and width": (
        "enclosure/jets.py: (CLOSE, POINT)", "enclosure/jets.py: _removable: Or becomes And | POINT",
        "enclosure/jets.py: _removable: Lt becomes LtE | POINT", "enclosure/jets.py: _removable: not abs | POINT",
        "enclosure/jets.py: _removable: Sub becomes Add | POINT", "enclosure/jets.py: _power: Gt becomes GtE | q > 2",
        "enclosure/jets.py: _removable: return divide",
        "enclosure/jets.py: _removable: 0 becomes 1 | below =",
        "enclosure/jets.py: _removable: Lt becomes LtE | below =",
    ),
}  # fmt: skip
FIRST: dict[str, str] = {
    "exact.py: Relation": "test_relations",
    "catalog/hyperbolic_secant.py: family": "base_of_the_hyperbolic_secant_is_a_real_number",
    "concordance.py: _slope_candidates": "many_digits_find[an uneven sum-11]",
    "concordance.py: _ratio_view": "many_digits_find[an uneven sum-11]",
    "concordance.py: _bend_constant": "many_digits_find[an uneven sum-11]",
}
