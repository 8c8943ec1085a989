"""What the kernel must accept, and what balls must not say: certificates, and the words to make them with."""

from __future__ import annotations

from typing import Any

from glbcheck.core.kernel.check import FORMAT

EVIDENT = {"rule": "evident"}
Data = dict[str, Any]


def stated(variables: str, hypotheses: list[str], conclusion: str, proof: Data, **at: str) -> Data:
    """A certificate; a variable written `n:integer` is whole, `m:function` a smooth function."""
    kinds = {name: kind or "real" for name, _, kind in (v.partition(":") for v in variables.split())}
    statement = {"variables": kinds, "hypotheses": hypotheses, "conclusion": conclusion}
    functions = {name: "t**2" for name, kind in kinds.items() if kind == "function"}
    example = {"at": {n: at.get(n, "1") for n, kind in kinds.items() if kind != "function"}, "functions": functions}
    return {"format": FORMAT, "statement": statement, "proof": proof, "example": example}


def rises(then: str, proof: Data = EVIDENT, at: Data = EVIDENT, **more: str) -> Data:
    return {"rule": "monotone", "variable": "u", "from": "low", "at": at, "then": then, "proof": proof, **more}


def falls(then: str, proof: Data = EVIDENT) -> Data:
    return {**rises(then, proof), "from": "high"}


def cells(*leaves: Any, names: str = "x") -> Data:
    return {"rule": "cells", "variables": list(names), "bits": 64, "leaves": list(leaves)}


def taylor(i: int, side: int, order: int) -> Any:
    """It vanishes to this order on a side, and the next derivative has the sign by its ball."""
    return ["slope", i, side, taylor(i, side, order - 1), "zero"] if order else "natural"


def tree(*terms: Data, multiples: tuple[Data, ...] = (), atoms: tuple[tuple[str, str], ...] = ()) -> Data:
    made = {"terms": list(terms), "multiples": list(multiples)}
    return {"rule": "algebra", "atoms": [list(a) for a in atoms], "tree": made}


def product(*facts: int, coefficient: str = "1", **more: str) -> Data:
    return {"coefficient": coefficient, "facts": list(facts), **more}


TRIALS = {"failures": 0, "p0": "1/50", "alpha": "1/1000"}
ONE = [[[0, 0]], "natural"]
QUADRATIC = tree(
    product(6, 6), product(1, 6), product(4, 6, coefficient="2"), product(3), product(1, 4),
    multiples=({"fact": 5, "times": "1"},), atoms=(("r", "sqrt(b)"),),
)  # fmt: skip
HYPOTHESES = ["X >= 0", "a >= 0", "b >= 0", "X**2 <= a*X + b"]
EXPONENTIAL = {"rule": "primitive", "of": [["integral(exp(-u*v), v, 0, 1)", "-exp(-u*v)/u"]], "proof": EVIDENT}
GAUSS = {"rule": "primitive", "of": [["sum(k, k, 1, n)", "k*(k - 1)/2"]], "proof": EVIDENT}
_STEP: Data = {
    "base": EVIDENT,
    "step": tree(product(2), product(1), product(0), product(), atoms=(("s", "sum(k, k, 1, n)"),)),
}
BOUNDED: Data = {"rule": "induction", "variable": "n", **_STEP}
HALF = [[[0, 1]], "natural"], [[[1, 1]], "natural"]

ACCEPTED = {
    "a ladder": ("proved", stated("u", ["u >= 0"], "log(1 + u) <= u", rises("1 - 1/(1 + u)"))),
    "a strict ladder": ("proved", stated("u", ["u > 0"], "log(1 + u) < u", rises("1 - 1/(1 + u)"))),
    "multipliers": ("proved", stated("X a b", HYPOTHESES, "X <= a + sqrt(b)", QUADRATIC)),
    "an integral": ("proved", stated("u", ["u > 0"], "integral(exp(-u*v), v, 0, 1) == (1 - exp(-u))/u", EXPONENTIAL)),
    "a sum": ("proved", stated("n:integer", ["n >= 1"], "sum(k, k, 1, n) == n*(n + 1)/2", GAUSS)),
    "cells": ("certified", stated("x", ["x >= 0", "x <= 1"], "exp(x) <= 3", cells(ONE))),
    "two cells": ("certified", stated("x", ["x >= 0", "x <= 1"], "x*(1 - x) <= 7/8", cells(*HALF))),
    "a Taylor cell": (
        "certified",
        stated("x", ["x >= 0", "x <= 1"], "1 + x <= exp(x)", cells([[[0, 0]], taylor(0, 0, 2)])),
    ),
    "a point": ("refuted", stated("u", ["u >= 0"], "log(1 + u) <= u/2", {"rule": "point", "at": {"u": "1"}})),
    "an identity": ("proved", stated("x", [], "cosh(x)**2 - sinh(x)**2 == 1", EVIDENT)),
    "a derivative": ("proved", stated("x", ["x > 0"], "diff(x*log(x), x) == 1 + log(x)", EVIDENT)),
    "a derivative by one of two": ("proved", stated("x y m:function", [], "diff(m(x*y), x) == y*m_1(x*y)", EVIDENT)),
    "a derivative of a root": ("proved", stated("x", ["x > 0"], "diff(sqrt(x)**3, x) == 3*sqrt(x)/2", EVIDENT)),
    "two derivatives": ("proved", stated("x", [], "diff(diff(x**3, x), x) == 6*x", EVIDENT)),
    "a derivative by a bound name": ("proved", stated("x", [], "integral(diff(t**2, t), t, 0, 1) == 1", {
        "rule": "primitive", "of": [["integral(diff(t**2, t), t, 0, 1)", "t**2"]], "proof": EVIDENT})),
    "a derivative by another name": ("proved", stated("x y", ["y >= 0"], "diff(x*y**(3/2)*y**0, x) == y**(3/2)", EVIDENT)),
    "a smooth function": ("proved", stated("x m:function", [], "m_1(2*x) == m_1(x + x)", EVIDENT)),
    "a game": (
        "proved",
        {"format": FORMAT, "game": {"sense": "min", "claim": ">= 1/2", "states": [
            [["0", [[1, "1/2"], [2, "1/2"]]], ["1", [[1, "1"]]]], [["0", []]], [["1", []]]]}},
    ),
    "an invariant": (
        "proved",
        {"format": FORMAT, "invariant": {"variables": {"x": "real", "B": "real"}, "state": ["x"], "parameters": ["B"],
         "always": ["B >= 0"], "initial": ["x == 0"], "transition": ["x_next == x/2"], "claim": "x <= B"},
         "base": {"proof": tree(product(0), product(2), multiples=({"fact": 1, "times": "-1"},)),
                  "example": {"at": {"x": "0", "B": "1"}}},
         "step": {"proof": tree(product(1, coefficient="1/2"), product(0, coefficient="1/2"), product(3),
                                multiples=({"fact": 2, "times": "-1"},)),
                  "example": {"at": {"x": "1", "B": "1", "x_next": "1/2"}}}},
    ),
    "from the high end": ("proved", stated("u", ["u <= 0"], "exp(u) <= 1 + u + u**2/2", falls(
        "exp(u) - 1 - u", falls("1 - exp(u)", falls("exp(u)"))), u="-1")),
    "a positive start": ("proved", stated("u", ["u >= 0"], "exp(u) > u", rises(
        "exp(u) - 1", rises("exp(u)"), EVIDENT, start="positive"))),
    "cases": ("proved", stated("x", [], "abs(x)**3 >= 0", {
        "rule": "cases", "at": "x", "below": EVIDENT, "above": EVIDENT})),
    "cases that matter": ("proved", stated("x", [], "max(x, 0) >= x/2", {"rule": "cases", "at": "x",
        "below": tree(product(0, coefficient="1/2"), product(2), product(4), atoms=(("m", "max(x, 0)"),)),
        "above": tree(product(0, coefficient="1/2"), product(1), product(4), atoms=(("m", "max(x, 0)"),))})),
    "a pinned variable": ("proved", stated("x y", ["x >= 2", "x <= 2", "y >= 1"], "x*y >= 2", {
        "rule": "pinned", "proof": EVIDENT}, x="2")),
    "a factor": ("proved", stated("x", ["x > 0"], "exp(-x) + x*exp(-x) > 0", {
        "rule": "times", "factor": "exp(x)", "then": "1 + x", "proof": EVIDENT})),
    "a substitution": ("proved", stated("x", ["x >= 1"], "log(x) <= x - 1", {
        "rule": "substitution", "variable": "x", "new": "u", "value": "1 + u", "inverse": "x - 1", "facts": ["u >= 0"],
        "proof": rises("1 - 1/(1 + u)")})),
    "a substitution that needs its facts": ("proved", stated("x", ["x >= 0"], "log(1 + x) >= 0", {
        "rule": "substitution", "variable": "x", "new": "u", "value": "1/u - 1", "inverse": "1/(1 + x)",
        "facts": ["u > 0"], "proof": EVIDENT})),
    "exponentiated": ("proved", stated("x", ["x > 0"], "2*log(1 + x) >= log(1 + 2*x)", {
        "rule": "exponentiate", "terms": [[2, "1 + x"], [-1, "1 + 2*x"]], "then": "(1 + x)**2 - 1 - 2*x",
        "proof": EVIDENT})),
    "both sides": ("proved", stated("x", ["x >= 1", "x <= 1"], "x == 1", {
        "rule": "both", "above": EVIDENT, "below": EVIDENT})),
    "a lemma": ("proved", stated("x", ["x >= 1"], "log(x**2 - x + 1) >= 0", {
        "rule": "lemma", "relation": "x**2 - x >= 0", "by": EVIDENT, "proof": EVIDENT})),
    "induction": ("proved", stated("n:integer", ["n >= 1"], "sum(k, k, 1, n) <= n**2", BOUNDED)),
    "telescoping with a parameter": ("proved", stated("n:integer a", ["n >= 1"], "sum(a, k, 1, n) == a*n", {
        "rule": "primitive", "of": [["sum(a, k, 1, n)", "a*k"]], "proof": EVIDENT})),
    "an integral backwards": ("proved", stated("", [], "integral(t, t, 1, 0) == -1/2", {
        "rule": "primitive", "of": [["integral(t, t, 1, 0)", "t**2/2"]], "proof": EVIDENT})),
    "different from zero": ("proved", stated("x", ["x > 0"], "x != 0", EVIDENT)),
    "a mean value cell": ("certified", stated("x", ["x >= 0", "x <= 1"], "x - x**2/4 + 1/10 > 0", cells(
        [[[0, 1]], "mean"], [[[1, 1]], "natural"]))),
    "a zero cell": ("certified", stated("x y", ["x >= 0", "x <= 1", "y >= 0", "y <= 0"], "x*y >= 0", cells(
        [[[0, 0], [0, 0]], "zero"], names="xy"), y="0")),
    "a cell outside": ("certified", stated("x", ["x >= 0", "x <= 1", "x**2 >= 1/2"], "x >= 1/2", cells(
        [[[0, 1]], ["outside", 2]], [[[1, 1]], "natural"]))),
    "a slope cell": ("certified", stated("x", ["x >= 0", "x <= 1"], "exp(x) >= 1", cells(
        [[[0, 0]], ["slope", 0, 0, "natural", "natural"]]))),
    "a strict slope cell": ("certified", stated("x", ["x > 0", "x <= 1"], "exp(x) > 1", cells(
        [[[0, 0]], ["slope", 0, 0, "natural", "zero"]]))),
    "a slope from above": ("certified", stated("x", ["x >= 0", "x <= 1"], "exp(-x) >= exp(-1)", cells(
        [[[0, 0]], ["slope", 0, 1, "natural", "zero"]]))),
    "Taylor at the high end": ("certified", stated("x", ["x >= -1", "x < 0"], "x**3 < 0", cells(
        [[[0, 0]], taylor(0, 1, 3)]), x="-1")),
    "cells of two variables": ("certified", stated("x y", ["x >= 0", "x <= 1", "y >= 0", "y <= 1"], "x + y <= 5/2", cells(
        [[[0, 1], [0, 0]], "natural"], [[[1, 1], [0, 1]], "natural"], [[[1, 1], [1, 1]], "natural"], names="xy"))),
    "a split": ("proved", stated("x", ["x**2 >= 4", "x >= 0"], "x >= 2", {"rule": "algebra", "tree": {
        "split": "x - 2", "cases": {"<": {"terms": [product(0), product(3, 1), product(3, coefficient="2")]},
                                    ">=": {"terms": [product(2), product(3)]}}}}, x="3")),
    "a cut": ("proved", stated("x", ["x >= 1"], "x**3 >= 1", {"rule": "algebra", "tree": {
        "split": "x**2 - 1", "cases": {"<": {"terms": [product(2), product(0, 0), product(0, coefficient="2")]},
                                       ">=": {"terms": [product(1), product(0, 2), product(0), product(2)]}}}}, x="2")),
    "zero or not": ("proved", stated("x", [], "x**2 >= 0", {"rule": "algebra", "tree": {
        "split": "x", "cases": {"=": {"terms": [product(0)], "multiples": [{"fact": 1, "times": "x"}]},
                                "!=": {"terms": [product(0), product(1)]}}}})),
    "an equation by algebra": ("proved", stated("x", ["x == 2"], "x**2 == 4", {
        "rule": "both", "above": tree(product(1), multiples=({"fact": 0, "times": "x + 2"},)),
        "below": tree(product(1), multiples=({"fact": 0, "times": "-x - 2"},))}, x="2")),
    "different by algebra": ("proved", stated("x", ["x*x == 2"], "x != 1", tree(
        product(), multiples=({"fact": 0, "times": "1"}, {"fact": 1, "times": "-x - 1"})), x="sqrt(2)")),
    "a reciprocal atom": ("proved", stated("x", ["x > 0"], "1/x > 0", tree(
        product(0, 2), product(), multiples=({"fact": 1, "times": "1"},), atoms=(("i", "1/x"),)))),
    "an absolute value": ("proved", stated("x", [], "x <= abs(x)", tree(
        product(0), product(3), atoms=(("m", "abs(x)"),)))),
    "a minimum": ("proved", stated("x y", [], "min(x, y) <= y", tree(
        product(1), product(3), atoms=(("m", "min(x, y)"),)))),
    "an exponential atom": ("proved", stated("x", [], "exp(x) >= -1", tree(
        product(0), product(), product(1), atoms=(("e", "exp(x)"),)))),
    "a root of a power": ("proved", stated("x", ["x >= 0"], "x**(3/2) >= 0", tree(
        product(1, square="r"), product(3), atoms=(("r", "sqrt(x)"),)))),
    "a fact that differs": ("proved", stated("x", ["x != 0"], "x**2 > 0", tree(product(0), product(1)))),
    "a computed number": ("certified", {"format": FORMAT, "computed": {"what": "a table", "value": "1/3", "claim": "<= 1/2"}}),
    "a search": ("stress-tested", {"format": FORMAT, "search": {"examples": 10, "power": {"a": "1/2"}}}),
    "a point with a function": ("refuted", stated("x m:function", ["m(x) >= 0"], "m_1(x) >= 0", {
        "rule": "point", "at": {"x": "-1"}, "functions": {"m": "t**2"}})),
    "a point in a sum": ("refuted", stated("n:integer", ["n >= 1"], "sum(k, k, 1, n) <= 5", {"rule": "point", "at": {"n": "3"}})),
    "a game with a larger best": ("proved", {"format": FORMAT, "game": {"sense": "max", "claim": "== 1", "states": [
        [["0", [[1, "1/2"], [2, "1/2"]]], ["1", [[1, "1"]]]], [["0", []]], [["1", []]]]}}),
    "a game that is worth less": ("refuted", {"format": FORMAT, "game": {"sense": "max", "claim": "> 1", "states": [
        [["1", []]]]}}),
    "a definition": ("proved", {"format": FORMAT, "statement": {"variables": {"x": "real"}, "definitions": {
        "y": "x**2", "z": "y + 1"}, "hypotheses": [], "conclusion": "z > 0"}, "proof": EVIDENT}),
    "trials": ("stress-tested", {"format": FORMAT, "trials": {**TRIALS, "trials": 500}}),
}  # fmt: skip

# Functions over a whole ball, where the value in the middle or at one end says too much.
BALLS_OVER = {
    "sinh(x) >= -1/2": (-2, 1), "tanh(x) >= -1/2": (-2, 1), "asinh(x) >= -1/2": (-2, 1), "erf(x) >= -1/2": (-2, 1),
    "atan(x) >= -1/2": (-2, 1), "asin(x) >= -1/2": (-1, 0), "acos(x) <= 2": (-1, 0), "atanh(2*x/3) >= -1/10": (-1, 0),
    "acosh(x) <= 1/2": (1, 2), "x**3 >= -1/2": (-2, 1), "cosh(x) >= 3/2": (-1, 1), "abs(x) >= 1/2": (-1, 1),
    "x**2 >= 1/2": (-1, 1), "besseli(0, x) >= 6/5": (-1, 1), "besseli(1, x) >= -1/10": (-1, 1), "exp(x) <= 1": (-1, 1),
    "sin(x) >= 1/2": (0, 3), "cos(x) >= 0": (-2, 2), "gamma(x) <= 1": (1, 3), "polygamma(0, x) >= 0": (1, 2),
    "polygamma(1, x) <= 1": (1, 2), "sqrt(x) >= 1/2": (0, 1), "x**-2 <= 1/2": (1, 2), "min(x, 1/2) >= 0": (-1, 1),
    "max(x, 0) <= 1/2": (-1, 1), "loggamma(x) >= 0": (1, 2), "log(x) >= 1/10": (1, 2),
}  # fmt: skip
ACCEPTED |= {
    "trials with failures": ("stress-tested", {"format": FORMAT, "trials": {**TRIALS, "trials": 1000, "failures": 3}}),
    "a negative power": (
        "proved",
        stated(
            "x",
            ["x > 0"],
            "x**-2 > 0",
            tree(product(), product(0, 0, 2), multiples=({"fact": 1, "times": "x*i + 1"},), atoms=(("i", "1/x"),)),
        ),
    ),
    "a conjunction": ("certified", {"format": FORMAT, "all": [ACCEPTED["cells"][1], ACCEPTED["a ladder"][1]]}),
    "a conjunction that fails": (
        "refuted",
        {"format": FORMAT, "all": [ACCEPTED["a ladder"][1], ACCEPTED["a point"][1]]},
    ),
    "a gap": ("gap", {"format": FORMAT, "gap": {"with": ACCEPTED["a ladder"][1], "without": ACCEPTED["a point"][1]}}),
}
