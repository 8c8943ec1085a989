"""What the kernel must reject: certificates of what is false, or that do not show what is true."""

from __future__ import annotations

from glbcheck.core.kernel.check import FORMAT

from tests.attacks.kernel_battery_accepted import (
    ACCEPTED,
    BOUNDED,
    EVIDENT,
    EXPONENTIAL,
    GAUSS,
    HYPOTHESES,
    ONE,
    QUADRATIC,
    TRIALS,
    cells,
    falls,
    product,
    rises,
    stated,
    taylor,
    tree,
)

# The fact says x >= 0 and, because 1/(x - 1) must have a value, that x is not 1: no interval of x from 0 on is left.
HIDDEN_POLE = {
    "rule": "lemma", "relation": "x - 1 != 0",
    "by": tree(product(), multiples=({"fact": 1, "times": "1"}, {"fact": 2, "times": "-i"}),
               atoms=(("i", "1/(x - 1)"),)),
    "proof": {**rises("1/(1 - x)**2", at=EVIDENT), "variable": "x"},
}  # fmt: skip

FORGED = {
    "a derivative where there is no logarithm": stated("x", ["x < 0"], "diff(log(x), x) == 1/x", EVIDENT, x="-1"),
    "a derivative beside no logarithm": stated("x y", [], "diff(x + log(y), x) == 1", EVIDENT),
    "a derivative at the end of a root": stated("x", ["x >= 0"], "diff(sqrt(x), x)*sqrt(x) == 1/2", EVIDENT),
    "a derivative at a single point": stated("x", ["x == 0"], "diff((-x**2)**(3/2), x) == x", EVIDENT, x="0"),
    "a derivative of 1 at a single point": stated("x", ["x == 0"], "diff(sqrt(-x**2)**0, x) == 0", EVIDENT, x="0"),
    "a derivative at a corner": stated("x", ["x >= 0"], "diff(abs(x), x) == 1", EVIDENT),
    "a derivative by the wrong variable": stated("x y", [], "diff(x**2*y, y) == 2*x*y", EVIDENT),
    "a refutation where there is no derivative": stated(
        "x", [], "diff(log(x), x) == 0", {"rule": "point", "at": {"x": "-1"}}),
    "a range turned around": stated("x", ["(-2/x)**-1 + 1 >= 0"], "x >= 2", EVIDENT),
    "a cell of another dimension": stated("x", ["x >= 0", "x <= 1"], "x >= 0", cells([[[0, 0], [0, 0]], "natural"])),
    "a pole inside the range": stated("x", ["(1/(x - 1))**0*x >= 0"], "1/(1 - x) >= 0", HIDDEN_POLE, x="2"),
    "strict where it is zero": stated("u", ["u >= 0"], "log(1 + u) < u", rises("1 - 1/(1 + u)")),
    "another slope": stated("u", ["u >= 0"], "log(1 + u) <= u/2", rises("1 - 1/(1 + u)")),
    "a falling slope": stated("u", ["u >= 0"], "log(1 + u) <= u/2", rises("1/2 - 1/(1 + u)")),
    "a start below": stated("u", ["u >= 0"], "log(2 + u) <= u", rises("1 - 1/(2 + u)", at=EVIDENT)),
    "a slope between whole numbers": stated("u:integer", ["u >= 0"], "u*(u - 1) >= 0", rises("2*u - 1")),
    "multipliers that do not add up": stated("X a b", HYPOTHESES, "X <= a + sqrt(b)/2", QUADRATIC),
    "a negative coefficient": stated("x", ["x >= 0"], "x <= 0", tree(product(1), product(0, coefficient="-1"))),
    "no positive term": stated("x", ["x >= 0"], "x > 0", tree(product(0), product(1))),
    "a square for a positive term": stated("x", [], "x >= 0", tree(product(square="0"))),
    "an atom without a value": stated("x", ["x >= 0"], "x > 0", tree(product(), product(0, 1), multiples=(
        {"fact": 2, "times": "0"},), atoms=(("i", "1/x"),))),
    "1/x at 0": stated("x", ["x >= 0"], "1/x >= 0", EVIDENT),
    "x/x": stated("x", [], "x/x == 1", EVIDENT),
    "0*log(x)": stated("x", [], "0*log(x) == 0", EVIDENT),
    "a root of something negative": stated("x", [], "sqrt(x)**2 == x", EVIDENT),
    "the tangent across a pole": stated("", [], "integral(1, t, 0, pi) == 0", {
        "rule": "primitive", "of": [["integral(1, t, 0, pi)", "atan(tan(t))"]], "proof": EVIDENT}),
    "a pole on the way": stated("", [], "integral(1/t**2, t, -1, 1) == -2", {
        "rule": "primitive", "of": [["integral(1/t**2, t, -1, 1)", "-1/t"]], "proof": EVIDENT}),
    "another antiderivative": stated("u", ["u > 0"], "integral(exp(-u*v), v, 0, 1) == (1 - exp(-u))/u", {
        **EXPONENTIAL, "of": [["integral(exp(-u*v), v, 0, 1)", "exp(-u*v)/u"]]}),
    "the limit inside the summand": stated("n:integer", ["n >= 1"], "sum(k*(k - n), k, 1, n) == n*(n + 1)/2", {
        "rule": "induction", "variable": "n", "base": EVIDENT, "step": EVIDENT}),
    "a sum of another summand": stated("n:integer", ["n >= 1"], "sum(1, k, 1, n) == sum(n, k, 1, n)", EVIDENT),
    "induction on a real number": stated("n", ["n >= 1"], "sum(k, k, 1, n) <= n**2", BOUNDED),
    "cells that overlap": stated("x", ["x >= 0", "x <= 1"], "exp(x) <= 3", cells(ONE, ONE)),
    "cells that leave a part out": stated("x", ["x >= 0", "x <= 1"], "exp(x) <= 3", cells([[[0, 1]], "natural"])),
    "a cell in halves of a number": stated("x", ["x >= 0", "x <= 1"], "exp(x) <= 3", cells([[[0.0, 0]], "natural"])),
    "a cell that is false": stated("x", ["x >= 0", "x <= 1"], "exp(x) <= 2", cells(ONE)),
    "a face outside": stated("x", ["x >= 0", "x <= 1", "x >= 1/2"], "x >= 3/4", cells(
        [[[0, 0]], ["slope", 0, 0, "natural", ["outside", 2]]])),
    "Taylor where nothing vanishes": stated("x", ["x >= 0", "x <= 1"], "x + 1/2 <= exp(x)/2", cells(
        [[[0, 0]], taylor(0, 0, 1)])),
    "an unbounded box": stated("x", ["x >= 0"], "exp(-x) <= 1", cells(ONE)),
    "a factor that may be zero": stated("x", [], "x >= 0", {"rule": "times", "factor": "x**2", "then": "x**3",
                                                           "proof": EVIDENT}),
    "half of the cases": stated("x", [], "x**3 >= 0", {"rule": "cases", "at": "x", "below": EVIDENT, "above": EVIDENT}),
    "a lemma that is not one": stated("x", [], "x >= 0", {"rule": "lemma", "relation": "x >= 0", "by": EVIDENT,
                                                         "proof": EVIDENT}),
    "a substitution that is not onto": stated("x", [], "x >= 0", {
        "rule": "substitution", "variable": "x", "new": "t", "value": "t**2", "inverse": "x", "facts": [],
        "proof": EVIDENT}),
    "a point outside the hypotheses": stated("x", ["x >= 2"], "exp(x) <= 3", {"rule": "point", "at": {"x": "1"}}),
    "a point where it holds": stated("x", ["x >= 0"], "exp(x) >= 1", {"rule": "point", "at": {"x": "1"}}),
    "a point that is not whole": stated("n:integer", [], "n != 1/2", {"rule": "point", "at": {"n": "1/2"}}),
    "contradictory hypotheses": stated("x", ["x > 0", "x < 0"], "x == 7", EVIDENT),
    "engines by themselves": stated("x", [], "x**2 >= 0", {"rule": "engines"}),
    "a name for something chosen anew": {"format": FORMAT, "invariant": {
        "variables": {"x": "real", "a": "real"}, "state": ["x"], "parameters": [], "always": [], "initial": ["x <= a"],
        "transition": ["x_next <= a"], "claim": "x <= a"},
        "base": {"proof": EVIDENT, "example": {"at": {"x": "0", "a": "1"}}},
        "step": {"proof": EVIDENT, "example": {"at": {"x": "0", "a": "1", "x_next": "0"}}}},
    "a gap that is none": {"format": FORMAT, "gap": {"with": ACCEPTED["a point"][1], "without": ACCEPTED["a point"][1]}},
    "strict from a closed end": stated("u", ["u <= 0"], "exp(u) < 1 + u + u**2/2", falls("exp(u) - 1 - u", falls("1 - exp(u)", falls("exp(u)"))), u="-1"),
    "the wrong end": stated("u", ["u >= 0"], "log(1 + u) <= u", {**rises("1 - 1/(1 + u)"), "from": "high"}),
    "an equation by a ladder": stated("u", ["u >= 0"], "log(1 + u) == u", rises("1 - 1/(1 + u)")),
    "an end that is another variable's": stated("u v", ["v >= 0"], "u*v >= 0", rises("v")),
    "a kink on the way": stated("u", ["u >= 0"], "abs(u - 1) >= 1", rises("1", at=EVIDENT)),
    "a pole on the way up": stated("u", ["u >= 0"], "-1/(u - 1) >= 0", rises("1/(u - 1)**2", at=EVIDENT)),
    "a positive start that is zero": stated("u", ["u >= 0"], "exp(u) - 1 > 0", rises("exp(u)", at=EVIDENT, start="positive")),
    "a flat strict ladder": stated("u", ["u > 0"], "0*u > 0", rises("0")),
    "a pinned variable that is free": stated("x", ["x >= 2", "x <= 3"], "x <= 2", {"rule": "pinned", "proof": EVIDENT}, x="2"),
    "a negative factor": stated("x", ["x > 0"], "-x > 0", {"rule": "times", "factor": "-1", "then": "x", "proof": EVIDENT}),
    "another product": stated("x", ["x > 0"], "x - 1 > 0", {"rule": "times", "factor": "1", "then": "x", "proof": EVIDENT}),
    "a factor without a value": stated("x", [], "x**2 > 0", {"rule": "times", "factor": "1/x**2", "then": "1", "proof": EVIDENT}),
    "a substitution that loses a fact": stated("x", [], "x + 1 >= 0", {
        "rule": "substitution", "variable": "x", "new": "u", "value": "u - 1", "inverse": "x + 1", "facts": ["u >= 0"],
        "proof": EVIDENT}),
    "a substitution by itself": stated("x", [], "x >= 0", {"rule": "substitution", "variable": "x", "new": "u",
        "value": "x", "inverse": "x", "facts": ["u >= 0"], "proof": EVIDENT}),
    "a substitution with a taken name": stated("x y", ["y >= 0"], "x >= 0", {"rule": "substitution", "variable": "x", "new": "y",
        "value": "y", "inverse": "x", "facts": [], "proof": EVIDENT}),
    "a value that is not defined": stated("x", [], "x**2 >= 0", {"rule": "substitution", "variable": "x", "new": "u",
        "value": "1/u", "inverse": "1/x", "facts": [], "proof": EVIDENT}),
    "exponentiated falsely": stated("x", ["x > 0"], "log(1 + x) >= log(1 + 2*x)", {
        "rule": "exponentiate", "terms": [[2, "1 + x"], [-1, "1 + 2*x"]], "then": "(1 + x)**2 - 1 - 2*x", "proof": EVIDENT}),
    "another difference of products": stated("x", ["x > 0"], "log(1 + x) >= log(1 + 2*x)", {
        "rule": "exponentiate", "terms": [[1, "1 + x"], [-1, "1 + 2*x"]], "then": "x", "proof": EVIDENT}),
    "a logarithm of something negative": stated("x", [], "log(x) >= log(x)", {
        "rule": "exponentiate", "terms": [[1, "x"], [-1, "x"]], "then": "0", "proof": EVIDENT}),
    "an exponentiated equation": stated("x", ["x > 0"], "log(x) != log(x)", {
        "rule": "exponentiate", "terms": [[1, "x"], [-1, "x"]], "then": "0", "proof": EVIDENT}),
    "both sides of an inequality": stated("x", ["x >= 1", "x <= 1"], "x > 1", {"rule": "both", "above": EVIDENT, "below": EVIDENT}),
    "one side of an equation": stated("x", ["x >= 1"], "x == 1", {"rule": "both", "above": EVIDENT, "below": EVIDENT}),
    "a base that fails": stated("n:integer", ["n >= 1"], "sum(k, k, 1, n) <= n**2 - 1", BOUNDED, n="2"),
    "induction without a start": stated("n:integer", [], "sum(k, k, 1, n) <= n**2", BOUNDED),
    "a step that fails": stated("n:integer", ["n >= 1"], "sum(k, k, 1, n) <= n", BOUNDED),
    "another difference": stated("n:integer", ["n >= 1"], "sum(k, k, 1, n) == n**2", {**GAUSS, "of": [["sum(k, k, 1, n)", "k**2"]]}),
    "telescoping over a pole": stated("n:integer", ["n >= 3"], "sum(-1/((k - 2)*(k - 1)), k, 1, n) == 1/(n - 1) + 1", {
        "rule": "primitive", "of": [["sum(-1/((k - 2)*(k - 1)), k, 1, n)", "1/(k - 2)"]], "proof": EVIDENT}, n="3"),
    "an integral as a sum": stated("n:integer", ["n >= 1"], "integral(k, k, 1, n) == n*(n + 1)/2", {
        "rule": "primitive", "of": [["integral(k, k, 1, n)", "k*(k - 1)/2"]], "proof": EVIDENT}),
    "a sum as an integral": stated("n:integer", ["n >= 1"], "sum(k, k, 1, n) == n**2/2 - 1/2", {
        "rule": "primitive", "of": [["sum(k, k, 1, n)", "k**2/2"]], "proof": EVIDENT}),
    "a mean value cell that fails": stated("x", ["x >= 0", "x <= 1"], "x - x**2/4 - 1/100 > 0", cells([[[0, 0]], "mean"])),
    "a mean value over a kink": stated("x", ["x >= -1", "x <= 1"], "abs(x) - 1/2 > 0", cells([[[0, 0]], "mean"])),
    "a strict zero": stated("x", ["x >= 0", "x <= 0"], "x > 0", cells([[[0, 0]], "zero"]), x="0"),
    "a zero that is none": stated("x", ["x >= 0", "x <= 1"], "-x >= 0", cells([[[0, 0]], "zero"])),
    "outside though inside": stated("x", ["x >= 0", "x <= 1", "x**2 >= 1/2"], "x >= 3/4", cells(
        [[[0, 0]], ["outside", 2]])),
    "a strict slope from a closed face": stated("x", ["x >= 0", "x <= 1"], "exp(x) > 1", cells(
        [[[0, 0]], ["slope", 0, 0, "natural", "zero"]])),
    "a slope the wrong way": stated("x", ["x >= 0", "x <= 1"], "exp(x) <= 1", cells([[[0, 0]], ["slope", 0, 0, "natural", "zero"]])),
    "a slope at the wrong face": stated("x", ["x >= 0", "x <= 1"], "exp(x) >= 2", cells([[[0, 0]], ["slope", 0, 1, "natural", "natural"]])),
    "strict Taylor at a closed end": stated("x", ["x >= -1", "x <= 0"], "x**3 < 0", cells([[[0, 0]], taylor(0, 1, 3)]), x="-1"),
    "Taylor of the wrong parity": stated("x", ["x >= -1", "x < 0"], "x**3 > 0", cells([[[0, 0]], taylor(0, 1, 3)]), x="-1"),
    "Taylor of order nought": stated("x", ["x >= 0", "x <= 1"], "exp(x) >= 2", cells([[[0, 0]], taylor(0, 0, 0)])),
    "a cell out of the box": stated("x", ["x >= 0", "x <= 1"], "exp(x) <= 3", cells([[[1, 0]], "natural"])),
    "a cell across the cut": stated("x", ["x >= 0", "x <= 1"], "exp(x) <= 3", cells([[[0, 1]], "natural"], [[[0, 1]], "natural"])),
    "a variable outside the box": stated("x y", ["x >= 0", "x <= 1", "y >= 0", "y <= 1"], "x + y <= 3/2", cells(ONE)),
    "a cell with too many sides": stated("x", ["x >= 0", "x <= 1"], "exp(x) <= 3", cells([[[0, 0], [0, 0]], "natural"])),
    "a variable twice": stated("x", ["x >= 0", "x <= 1"], "exp(x) <= 3", cells([[[0, 0], [0, 0]], "natural"], names="xx")),
    "cells of an undefined term": stated("x", ["x >= -1", "x <= 1"], "log(x)**2 >= 0", cells(ONE)),
    "a split that leaves something out": stated("x", [], "x >= 0", {"rule": "algebra", "tree": {
        "split": "x", "cases": {">": {"terms": [product(0), product(1)]}}}}),
    "a split case that is open": stated("x", [], "x >= 0", {"rule": "algebra", "tree": {"split": "x", "cases": {
        "<": {"terms": []}, ">=": {"terms": [product(0), product(1)]}}}}),
    "a cut that is not shown": stated("x", [], "x >= 0", {"rule": "algebra", "tree": {
        "split": "x", "cases": {case: {"terms": [product(0), product(1)]} for case in ("<", ">=")}}}),
    "different from zero and nothing else": stated("x", [], "x**2 > 0", {"rule": "algebra", "tree": {
        "split": "x", "cases": {"!=": {"terms": [product(0), product(1)]}}}}),
    "half an equation by algebra": stated("x", ["x >= 2"], "x == 2", {
        "rule": "both", "above": tree(product(0), product(1)), "below": tree(product(0), product(1))}, x="2"),
    "an equation as an inequality": stated("x", ["x >= 2"], "x == 2", tree(product(0), product(1)), x="2"),
    "a multiple of an inequality": stated("x", ["x >= 0"], "x >= 1", tree(
        product(1), multiples=({"fact": 0, "times": "1"}, {"fact": 0, "times": "-1"}))),
    "an equation as a term": stated("x", ["x == 2"], "x >= 3", tree(product(0), product(1)), x="2"),
    "an atom of a variable's name": stated("x y", ["y >= 0"], "x >= 0", tree(product(0), product(1), atoms=(("y", "x**2"),))),
    "a negative power as a root": stated("x", ["x > 0"], "x**(-1/2) <= 0", tree(product(1), product(2), atoms=(("r", "x**(-1/2)"),))),
    "an unknown atom": stated("x", [], "gamma(x) >= 0", tree(product(0), product(1), atoms=(("g", "gamma(x)"),))),
    "something between the atoms": stated("x", [], "exp(x) >= exp(2*x)", tree(product(0), product(1), atoms=(("e", "exp(x)"),))),
    "a computed number that is too large": {"format": FORMAT, "computed": {"what": "a table", "value": "1", "claim": "<= 1/2"}},
    "a claim with more than a number": {"format": FORMAT, "computed": {"what": "a table", "value": "1", "claim": "- 1 <= 1/2"}},
    "a negative chance": {"format": FORMAT, "game": {"sense": "max", "claim": ">= 1", "states": [
        [["0", [[1, "2"], [2, "-1"]]]], [["1", []]], [["1", []]]]}},
    "nothing tried": {"format": FORMAT, "search": {"examples": 0}},
    "more failures than trials": {"format": FORMAT, "trials": {**TRIALS, "trials": 500, "failures": 501}},
    "a level that is none": {"format": FORMAT, "trials": {**TRIALS, "trials": 500, "alpha": "2"}},
    "a rate that is none": {"format": FORMAT, "trials": {**TRIALS, "trials": 500, "p0": "1"}},
    "a point without a value": stated("x y", [], "x >= 0", {"rule": "point", "at": {"x": "-1"}}),
    "a point with a value too many": stated("x", [], "x >= 0", {"rule": "point", "at": {"x": "-1", "y": "1"}}),
    "a point without an instance": stated("x m:function", [], "m(x) >= 0", {"rule": "point", "at": {"x": "-1"}}),
    "a hypothesis that is not defined": stated("x", ["1/x <= 0"], "x >= 1", {"rule": "point", "at": {"x": "0"}}),
    "an example that is none": stated("x", ["x >= 2"], "x**2 >= 0", EVIDENT),
    "a name declared twice": {"format": FORMAT, "statement": {"variables": {"x": "real"}, "definitions": {"x": "1"},
        "hypotheses": [], "conclusion": "x > 0"}, "proof": EVIDENT},
    "a definition in what follows": {"format": FORMAT, "statement": {"variables": {"x": "real"}, "definitions": {
        "z": "y + 1", "y": "x**2"}, "hypotheses": [], "conclusion": "z > 0"}, "proof": EVIDENT},
    "a variable called pi": {"format": FORMAT, "statement": {"variables": {"pi": "real"}, "conclusion": "pi > 3"}, "proof": EVIDENT},
    "a kind that is none": {"format": FORMAT, "statement": {"variables": {"x": "prime"}, "conclusion": "x**2 >= 0"}, "proof": EVIDENT},
    "a name that is none": {"format": FORMAT, "statement": {"variables": {"x y": "real"}, "conclusion": "1 >= 0"}, "proof": EVIDENT},
    "a rule that is none": stated("x", [], "x**2 >= 0", {"rule": "trust"}),
    "a proof that is a word": stated("x", [], "x**2 >= 0", "evident"),  # type: ignore[arg-type]
    "an identity for a strict goal": stated("x", [], "x - x > 0", EVIDENT),
    "a sum without a value": stated("n:integer", [], "sum(k, k, 1, n) == sum(k, k, 1, n)", EVIDENT),
    "a step that is never taken": {**ACCEPTED["an invariant"][1], "step": {"proof": {"rule": "point", "at": {"x": "1", "B": "1", "x_next": "1/2"}}}},
    "an invariant with a taken name": {"format": FORMAT, "invariant": {**ACCEPTED["an invariant"][1]["invariant"], "variables": {
        "x": "real", "B": "real", "x_next": "real"}}, "base": ACCEPTED["an invariant"][1]["base"], "step": ACCEPTED["an invariant"][1]["step"]},
    "a product without a value": stated("x", [], "0*log(x) >= 0", {"rule": "times", "then": "0", "proof": EVIDENT}),
    "exponentiated without a value": stated("x", [], "0*log(x) >= 0", {"rule": "exponentiate", "terms": [], "then": "0", "proof": EVIDENT}),
    "multipliers without a value": stated("x", [], "0*log(x) >= 0", tree(product(0), atoms=(("l", "log(x)"),))),
    "a case without a value": stated("x", [], "x**2 >= 0", {"rule": "cases", "at": "log(x)", "below": EVIDENT, "above": EVIDENT}),
    "a lemma without a value": stated("x", [], "1/x**2 > 0", {"rule": "lemma", "relation": "1/x != 0", "by": EVIDENT, "proof": EVIDENT}),
    "an end without a value": stated("x", [], "integral(0*t, t, log(x), 1) == 0", {
        "rule": "primitive", "of": [["integral(0*t, t, log(x), 1)", "0*t"]], "proof": EVIDENT}),
    "a reciprocal that need not be": stated("x", ["x >= 0"], "x > 0", {"rule": "algebra", "atoms": [["i", "1/x"]], "tree": {
        "split": "i", "cases": {"<": {"terms": [product(), product(0, 3)], "multiples": [{"fact": 1, "times": "1"}]},
                                ">=": {"terms": [product(), product(2, 3)], "multiples": [{"fact": 1, "times": "1"}]}}}}),
    "a sum that changes as it grows": stated("n:integer", ["n >= 1"], "sum(n, k, 1, n) <= n*(n + 1)/2", {
        "rule": "induction", "variable": "n", "base": EVIDENT,
        "step": tree(product(1), product(2), product(), atoms=(("s", "sum(n, k, 1, n)"),))}),
    "a name that is caught": stated("x", [], "sum(x, k, 1, 2) == 3", {"rule": "substitution", "variable": "x", "new": "k",
        "value": "k", "inverse": "x", "facts": [], "proof": EVIDENT}),
    "an atom with the name of a variable": stated("x y", ["y <= -1"], "x >= 0", tree(
        product(0), product(1), product(), atoms=(("y", "exp(x)"),)), y="-1"),
    "a multiple of what need not be 0": stated("x", ["x <= 1"], "x >= 1", tree(
        product(1), multiples=({"fact": 0, "times": "-1"},)), x="0"),
    "an antiderivative of the other sign": stated("u", ["u > 0"], "integral(exp(-u*v), v, 0, 1) == (exp(-u) - 1)/u", {
        **EXPONENTIAL, "of": [["integral(exp(-u*v), v, 0, 1)", "exp(-u*v)/u"]]}),
    "a sum by the wrong difference": stated("n:integer", ["n >= 1"], "sum(k, k, 1, n) == n**2", {
        **GAUSS, "of": [["sum(k, k, 1, n)", "(k - 1)**2"]]}),
    "a parameter that is the next state": {"format": FORMAT, "invariant": {
        "variables": {"x": "real", "x_next": "real"}, "state": ["x"], "parameters": ["x_next"], "always": ["x_next >= 0"],
        "initial": ["x == 0"], "transition": ["x_next == x + 1"], "claim": "x <= x_next"},
        "base": {"proof": tree(product(0), product(2), multiples=({"fact": 1, "times": "-1"},)),
                 "example": {"at": {"x": "0", "x_next": "1"}}},
        "step": {"proof": EVIDENT, "example": {"at": {"x": "0", "x_next": "1"}}}},
    "a refuted step from where nobody is": {"format": FORMAT, "invariant": {
        "variables": {"x": "real"}, "state": ["x"], "parameters": [], "always": [], "initial": ["x == 0"],
        "transition": ["x_next == 2*x"], "claim": "x <= 1"},
        "base": {"proof": tree(product(), product(1), multiples=({"fact": 0, "times": "-1"},)), "example": {"at": {"x": "0"}}},
        "step": {"proof": {"rule": "point", "at": {"x": "1", "x_next": "2"}}}},
    "a root of anything": stated("x", [], "sqrt(x) >= 0", EVIDENT),
    "an exponential of a logarithm": stated("x", [], "exp(log(x)) > 0", EVIDENT),
    "a substitution by a root": stated("x", [], "x >= 0", {"rule": "substitution", "variable": "x", "new": "u",
        "value": "u**2", "inverse": "sqrt(x)", "facts": [], "proof": EVIDENT}),
    "undefined at the far end": stated("u", ["u >= 0", "u <= 1"], "-log(1 - u) >= 0", rises("1/(1 - u)"), u="1/2"),
    "trials with some failures": {"format": FORMAT, "trials": {**TRIALS, "trials": 500, "failures": 3}},
    "a law that is none": {"format": FORMAT, "game": {"sense": "max", "claim": ">= 1", "states": [
        [["0", [[1, "2"]]]], [["1", []]]]}},
    "a game that looks back": {"format": FORMAT, "game": {"sense": "max", "claim": ">= 1", "states": [
        [["1", [[0, "1"]]]]]}},
    "too few trials": {"format": FORMAT, "trials": {**TRIALS, "trials": 10}},
    "a blind search": {"format": FORMAT, "search": {"examples": 10, "power": {"a": "0"}}},
    "a conjunction of nothing": {"format": FORMAT, "all": []},
    "a gap without a witness": {"format": FORMAT, "gap": dict.fromkeys(
        ("with", "without"), ACCEPTED["an identity"][1])},
    "another format": {**ACCEPTED["an identity"][1], "format": "glbcheck-certificate/0"},
    "two statements": {**ACCEPTED["an identity"][1], "all": []},
    "nothing": {"format": FORMAT},
}  # fmt: skip
