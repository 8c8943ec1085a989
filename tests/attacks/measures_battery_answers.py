"""Answers that the checker must accept, with their words (`*`: resting on a computation), and forged ones."""

from __future__ import annotations

from typing import Any

from glbcheck.core.measures.check import FORMAT

Document = dict[str, Any]
COIN, NORMAL, LOGIT = "log(1+exp(z))", "z**2/2", "-log(1-z)"
LINE, LEFT = ("-oo", "oo"), ("-oo", "0")
CELLS = {"rule": "cells", "breaks": [], "bits": 128}
FINE = {**CELLS, "breaks": ["-3/4", "-1/2", "-1/4", "1/4", "1/2", "3/4"]}
EVIDENT = {"rule": "kernel", "proof": {"rule": "evident"}, "example": {"at": {"z": "-1/4"}}}
NORMAL_BASE: dict[str, Any] = {"support": ["-oo", "oo", None], "log_density": "-r**2/2-log(2*pi)/2"}


def said(question: str, answer: str, m: str, by: Any, domain: Any = LINE, S: str = "1", **more: Any) -> Document:
    family = {"m": m, "domain": list(domain)}
    return {
        "format": FORMAT,
        "question": question,
        "answer": answer,
        "family": family,
        "S": S,
        "g": "1",
        "by": by,
        **more,
    }


def tree(rule: str, *parameters: str, parts: Any = ()) -> Document:
    return {"rule": rule, "parameters": list(parameters), "parts": list(parts)}


def linear(a: str, b: str) -> Document:
    return tree("quadratic", "0", a, b)


def power_series(*parameters: str, rule: str = "exponential", parts: Any = ()) -> Document:
    return tree("exponential", parts=[tree(rule, *parameters, parts=parts)])


def transform(m: str, made: Document, *domain: str) -> Document:
    return said("log_partition", "yes", m, {"tree": made}, domain or LINE)


def witness(kind: str, m: str, points: str, weights: str, z0: str = "0", power: str = "1", **more: Any) -> Document:
    names = {"points": points.split(), "weights": weights.split(), "imaginary": ["0"] * len(weights.split())}
    found = {"kind": kind, "power": power, "z0": z0, **names, "form": f"exp({m})"}
    return said("log_partition", "no", m, {"witness": found}, **more)


def mass(m: str, density: str, support: Any, rule: Any = "sum", numbers: str = "", **more: Any) -> Document:
    law = {"rule": "law", "law": rule, "numbers": numbers.split()} if rule != "sum" else {"rule": "sum"}
    row = {"g": "1", "base": {"support": list(support), "log_density": density}, **law}
    return said("normalisation", "yes", m, {"answers": [row]}, **more)


def misfit(m: str, rule: str, support: Any, z: str = "0", **more: Any) -> Document:
    return said("support", "no", m, {"rule": rule, "z": z, **more}, base={"support": list(support), "log_density": "0"})


E1, E2, Z = (
    power_series("0", "1", "0", rule="quadratic"),
    power_series("0", "2", "0", rule="quadratic"),
    linear("1", "0"),
)
BINARY = tree("mixture", parts=[tree("constant", "1"), E1])
EXPONENTIAL = power_series(rule="gamma", parts=[linear("1", "-1")])
TRANSFORMS: dict[str, Document] = {
    "a coin": transform(COIN, BINARY),
    "two coins": transform(f"2*{COIN}", tree("power", "2", parts=[BINARY])),
    "a product": transform(f"{COIN}+z", tree("product", parts=[BINARY, E1])),
    "a normal law": transform(NORMAL, power_series("1/2", "0", "0", rule="quadratic")),
    "a uniform law": transform("log((exp(z)-1)/z)", tree("uniform", "0", "z")),
    "arcs": transform("log(besseli(0,z))", tree("bessel", "0", "z")),
    "an exponential law": transform(LOGIT, EXPONENTIAL, "-oo", "1"),
    "a spline": transform("log((exp(z)-1)/z)", tree("spline", "z", "0", "1", "-1", "1", "1", "1")),
    "an atom": transform("log(1+exp(2*z))", tree("spline", "z", "0", "0", "1", "2", "0", "1")),
    "a spline without end": transform("-log(-z)", tree("spline", "z", "0", "1", "-1"), *LEFT),
    "a weighted Gaussian": transform("z**2+log(2+4*z**2)", tree("weighted-gaussian", "1", "z", "0", "0", "1")),
    "half a Gaussian": transform("z**2+log(1+erf(z))", tree("half-gaussian", "1", "z", "1")),
    "half a weighted Gaussian": transform(
        "log(2*z*exp(z**2)*(1+erf(z))+2/pi**(1/2))", tree("half-gaussian", "1", "z", "0", "1")),
    "Frullani": transform("log(log(1-z)-log(-z))", tree("frullani", "1", parts=[Z]), *LEFT),
    "thinned": transform("log(exp(exp(z))-1-exp(z)/2)", tree("thinned-poisson", "1", "1/2", parts=[E1])),
    "a hyperbolic cosine": transform("log(cosh(exp(z)))", tree("cosh-series", parts=[E1])),
    "a hyperbolic sine": transform("log(sinh(exp(z)))", tree("sinh-series", parts=[E1])),
    "a Bessel series": transform("log(besseli(2,exp(z)))", tree("bessel-series", "2", parts=[E1])),
    "a logarithmic law": transform("log(-log(1-exp(z)))", tree("logarithmic", parts=[E1]), *LEFT),
    "Sibuya": transform("log(1-sqrt(1-exp(z)))", tree("sibuya", "1/2", parts=[E1]), *LEFT),
    "Poisson": transform("exp(z)", power_series(rule="jumps", parts=[E1])),
    "a sum of exponents": transform("exp(z)+z", power_series(rule="sum", parts=[tree("jumps", parts=[E1]), Z])),
    "a multiple": transform("3*exp(z)", power_series("3", rule="multiple", parts=[tree("jumps", parts=[E1])])),
    "a stable time": transform("-sqrt(-z)", power_series("1/2", rule="stable-time", parts=[Z]), *LEFT),
    "Kolmogorov": transform("z**2", power_series("z**2", rule="kolmogorov", parts=[tree("constant", "2")])),
    "Kolmogorov with roots": transform("-2*sqrt(-z)", power_series("-2*sqrt(-z)", rule="kolmogorov", parts=[
        tree("product", parts=[tree("constant", "1/2"), power_series("3/2", rule="multiple", parts=[
            tree("gamma", parts=[Z])])])]), *LEFT),
    "log gamma": transform("loggamma(1-z)", power_series("1-z", rule="log-gamma"), "-oo", "1"),
    "log beta": transform("loggamma(1-z)-loggamma(3-z)", power_series("1-z", "2", rule="log-beta"), "-oo", "1"),
    "a secant": transform("-log(cos(z))", power_series("z", rule="secant"), "-pi/2", "pi/2"),
    "a logistic law": transform("log(z/sin(z))", power_series("z", rule="logistic"), "-pi", "pi"),
}  # fmt: skip
ACCEPTED: dict[str, tuple[str, Document]] = {name: ("proved", document) for name, document in TRANSFORMS.items()} | {
    "inside": ("certified", said("domain", "yes", LOGIT, CELLS, ("-oo", "1"), "1/2")),
    "outside": ("refuted", said("domain", "no", LOGIT, {"rule": "outside", "z": "1"}, ("-oo", "1"))),
    "undefined": ("refuted", said("domain", "no", "log(z-5)", {"rule": "undefined", "z": "1"})),
    "smooth": ("certified", said("smooth", "yes", "log(sinh(z)/z)", CELLS, S="2")),
    "a kink": ("refuted", said("smooth", "no", "abs(z)**3+z", {"rule": "kink", "z": "0", "order": 3})),
    "a kink of a maximum": ("refuted", said("smooth", "no", "max(z,z**2,0)", {"rule": "kink", "z": "0", "order": 1})),
    "a gap": ("refuted", said("smooth", "no", "z+log(-2+z)", {"rule": "undefined", "z": "1"})),
    "convex": ("certified", said("convex", "yes", COIN, FINE)),
    "convex by its slope": ("certified", said("convex", "yes", "z**3+3*z**2", CELLS)),
    "convex by its curvature": ("certified", said("convex", "yes", "z**4/12-z**3/6+z**2/7", {**CELLS, "breaks": ["0"]})),
    "not convex": ("refuted", said("convex", "no", "z**2/2-z**4", {"z": "-1/2"})),
    "increasing": ("certified", said("slope", "yes", COIN, FINE)),
    "increasing by the kernel": ("proved", said("slope", "yes", NORMAL, EVIDENT)),
    "flat": ("refuted", said("slope", "no", "z**4", {"z": "0"})),
    "convex everywhere": ("proved", said("convexity", "yes", LOGIT, EVIDENT, ("-oo", "1"))),
    "convex as a transform": ("proved", said("convexity", "yes", COIN, {"tree": BINARY})),
    "L_mu": ("certified", said("L_mu", "yes", COIN, {"lower": "1/4", "upper": "1001/4000", "z": "0", "bounds": [
        {**CELLS, "breaks": ["-2/3", "-1/3", "-1/9", "1/9", "1/3", "2/3"]}]})),
    "kappa": ("proved", said("kappa", "yes", LOGIT, {"lower": "2249/1000", "upper": "9/4", "z": "-1/2", "bounds": [
        {"rule": "kernel", "proof": {"rule": "substitution", "variable": "z", "new": "u", "value": "u - 1/2",
         "inverse": "z + 1/2", "facts": ["u >= 0", "u <= 1"], "proof": {"rule": "evident"}}, "example": {"at": {"z": "0"}}}]},
        ("-oo", "1"), "1/2")),
    "R_s": ("certified", said("R_s", "yes", "exp(z)", {"lower": "999/1000", "upper": "2", "z": "1", "bounds": [FINE] * 2})),
    "R_s from below": ("certified", said("R_s", "yes", "exp(-z)", {
        "lower": "999/1000", "upper": "2", "z": "0", "bounds": [FINE] * 2})),
    "R_s of a normal law": ("certified", said("R_s", "yes", NORMAL, {
        "lower": "0", "upper": "1/1000", "z": "0", "bounds": [CELLS] * 2})),
    "R_s_global": ("proved*", said("R_s_global", "yes", COIN, {"lower": "1", "upper": "1", "bounds": [EVIDENT] * 2})),
    "moments of a square": ("refuted", witness("moments", "z**4-z**2/2+z", "0 1", "-1 1")),
    "exponentials": ("refuted", witness("exponentials", "abs(z)", "-1 0 1", "1 -4 1", domain=("-3", "3"))),
    "another power": ("proved", said("dispersions", "yes", COIN, {"answers": [
        {"g": "1", "tree": BINARY}, {"g": "2", "witness": witness("moments", COIN, "0 1 2", "1 5 -12",
         power="1/2")["by"]["witness"]}]})),
    "every power": ("proved", said("dispersions", "yes", NORMAL, {"every": True, "answers": [
        {"g": "2", "tree": power_series("1/4", "0", "0", rule="quadratic")}]})),
    "a power as a multiple": ("proved", said("dispersions", "yes", LOGIT, {"answers": [{"g": "2", "tree": tree(
        "exponential", parts=[tree("multiple", "1/2", parts=[tree("gamma", parts=[linear("1", "-1")])])])}]}, ("-oo", "1"))),
    "no power": ("refuted", said("dispersions", "no", "z**4-z**2/2+z", {"answers": [
        {"g": "1/2", "witness": witness("moments", "z**4-z**2/2+z", "0 1", "-2 1", power="2")["by"]["witness"]}]})),
    "a binomial mass": ("proved", mass(f"2*{COIN}", "log(2)-loggamma(r+1)-loggamma(3-r)", ("0", "2", "1"))),
    "a normal mass": ("proved", mass(NORMAL, NORMAL_BASE["log_density"], (*LINE, None), "gaussian", "1/2 0 -log(2*pi)/2")),
    "a gamma mass": ("proved", mass(LOGIT, "-r", ("0", "oo", None), "gamma", "1 1 0", domain=("-oo", "1"))),
    "an inverse Gaussian mass": ("proved", mass("-2*sqrt(-z)-log(2)", "-log(r)*3/2-1/r-log(4*pi)/2", ("0", "oo", None),
        "inverse-gaussian", "1 0 -log(4*pi)/2", domain=LEFT)),
    "a uniform mass": ("proved", mass("log((exp(2*z)-exp(z))/z)", "0", ("1", "2", None), "uniform", "1 2 0")),
    "a mass of arcs": ("proved", mass("log(2*pi*besseli(1,2*z)/z)", "log(4-r**2)/2", ("-2", "2", None), "arcs", "1 2 0")),
    "a Poisson mass": ("proved", mass("exp(z/2)", "-loggamma(2*r+1)", ("0", "oo", "1/2"), "poisson", "1/2 0 0")),
    "a negative binomial mass": ("proved", mass("-2*log(1-exp(z))", "loggamma(r+2)-loggamma(r+1)", ("0", "oo", "1"),
        "negative-binomial", "1 0 0 2", domain=LEFT)),
    "a mass that was computed": ("certified*", said("normalisation", "yes", COIN, {"answers": [
        {"g": "1", "base": NORMAL_BASE, "rule": "computation", "what": "a quadrature", "word": "certified"}]})),
    "a sampler": ("stress-tested*", said("sampler", "yes", COIN, {"rule": "computation", "what": "draws", "word": "stress-tested"})),
    "no convexity": ("refuted*", said("convexity", "no", COIN, {"rule": "computation", "what": "balls", "word": "refuted"})),
    "moments": ("proved", said("moments", "yes", NORMAL, {"rule": "law", "law": "gaussian", "numbers": [
        "1/2", "0", "-log(2*pi)/2"]}, base=NORMAL_BASE)),
    "a mean outside": ("refuted", misfit(NORMAL, "moments", ("-9", "1/2", None), "1")),
    "a mean below": ("refuted", misfit(NORMAL, "moments", ("1", "oo", None), "0")),
    "too much variance": ("refuted", misfit("2*z**2", "moments", ("-1", "1", None))),
    "too little variance": ("refuted", misfit(NORMAL, "moments", ("-2", "2", "4"))),
    "a turn": ("refuted", misfit(NORMAL, "turn", ("-oo", "oo", "1"), form="exp(z**2/2)")),
    "a period": ("refuted", misfit(COIN, "period", (*LINE, None))),
    "a period of a multiple": ("refuted", misfit("-log(2-exp(z/2))/3+cosh(3*z/4)", "period", (*LINE, None))),
}  # fmt: skip


def forged_tree(m: str, made: Document, *domain: str) -> tuple[Document]:
    return (transform(m, made, *domain),)


G, D, T = power_series("-1", "0", "0", rule="quadratic"), linear("1", "-1"), tree("constant", "2")
# The name of an accepted answer with edits of it, or a whole document.
FORGED: dict[str, Any] = {
    "a coin of no weight": forged_tree("log(exp(z)-1)", tree("mixture", parts=[tree("constant", "-1"), E1]), "0", "oo"),
    "an empty mixture": forged_tree("-oo", tree("mixture")), "an empty product": forged_tree("0", tree("product")),
    "a negative variance": forged_tree("-z**2", G), "half a power": forged_tree(f"{COIN}/2", tree("power", "1/2", parts=[BINARY])),
    "no power at all": forged_tree("0", tree("power", "0", parts=[BINARY])),
    "another power of it": ("two coins", ("by.tree.parameters.0", "3")),
    "a transform for an exponent": forged_tree("exp(z)", tree("exponential", parts=[E1])),
    "an exponent for a transform": forged_tree("z", linear("1", "0")),
    "a rule by no name": forged_tree("z", tree("trust")), "a part too many": forged_tree("exp(z)", tree("constant", "1", parts=[E1])),
    "a number too many": forged_tree("z", power_series("0", "1", "0", "0", rule="quadratic")),
    "a curve for a line": forged_tree("log((exp(z**2)-1)/z**2)", tree("uniform", "0", "z**2")),
    "two parallels": forged_tree("z", tree("uniform", "z", "z")), "a moving constant": forged_tree("z", tree("constant", "exp(z)")),
    "a variance that moves": forged_tree("z**3", power_series("z", "0", "0", rule="quadratic")),
    "a drift that moves": forged_tree("z**3", power_series("0", "z**2", "0", rule="quadratic")),
    "a drift that is no number": forged_tree("log(-1)*z", power_series("0", "log(-1)", "0", rule="quadratic")),
    "half a Bessel function": forged_tree("log(besseli(0,z)/z**(1/2))", tree("bessel", "1/2", "z")),
    "a Bessel function of a square": forged_tree("log(besseli(0,z**2))", tree("bessel", "0", "z**2")),
    "a negative order": forged_tree("log(besseli(1,z)*z)", tree("bessel", "-1", "z")),
    "a Bessel series of negative order": forged_tree("log(besseli(-1,exp(z)))", tree("bessel-series", "-1", parts=[E1])),
    "an exponential law beyond its pole": ("an exponential law", ("family.domain", ["-oo", "2"])),
    "an exponential law on the line": ("an exponential law", ("family.domain", ["-oo", "oo"])),
    "a gamma law with a negative shape": forged_tree("log(1-z)", EXPONENTIAL, "-oo", "1"),
    "a spline below 0": forged_tree("log((1-exp(z))/z)", tree("spline", "z", "0", "1", "1", "1", "1", "-1")),
    "an atom below 0": forged_tree("log(exp(2*z)-1)", tree("spline", "z", "0", "0", "-1", "2", "0", "1"), "0", "oo"),
    "a spline without end on the line": forged_tree("log(-1/z)", tree("spline", "z", "0", "1", "-1"), "-oo", "1"),
    "a spline in a curve": forged_tree("log(1+exp(z**2))", tree("spline", "z**2", "0", "0", "1", "1", "0", "1")),
    "a spline of half an order": forged_tree("-log(-z)/2", tree("spline", "z", "0", "1/2", "1"), *LEFT),
    "a spline of negative order": forged_tree("log(-z)", tree("spline", "-z", "0", "-1", "1"), *LEFT),
    "a spline of nothing": forged_tree("z", tree("spline", "z")), "a spline of two numbers": forged_tree("z", tree("spline", "z", "0", "0")),
    "a spline at no number": forged_tree("0", tree("spline", "z", "0", "0", "z")),
    "a weight that is negative": forged_tree("z**2+log(2*z)", tree("weighted-gaussian", "1", "z", "0", "1"), "0", "oo"),
    "a weight that is negative beside 0": forged_tree("z**2+log(4*z**2+1)", tree("weighted-gaussian", "1", "z", "-1", "0", "1")),
    "no weight": forged_tree("0", tree("weighted-gaussian", "1", "z", "0")),
    "a weight of no terms": forged_tree("0", tree("half-gaussian", "1", "z")),
    "a Gaussian of no width": forged_tree("0", tree("weighted-gaussian", "0", "z", "1")),
    "a Gaussian in a curve": forged_tree("z**4", tree("weighted-gaussian", "1", "z**2", "1")),
    "half a Gaussian with a negative weight": forged_tree(
        "log(-2*z*exp(z**2)*(1+erf(z))-2/pi**(1/2)+3*exp(z**2)*(1+erf(z)))", tree("half-gaussian", "1", "z", "3", "-1"), "-oo", "-3"),
    "Frullani beyond 0": forged_tree("log(log(1-z)-log(-z))", tree("frullani", "1", parts=[Z]), "-oo", "1/2"),
    "Frullani downwards": forged_tree("log(log(-1-z)-log(-z))", tree("frullani", "-1", parts=[Z]), "-oo", "-1"),
    "thinned too much": forged_tree("log(exp(exp(z))-2-exp(z))", tree("thinned-poisson", "2", "1", parts=[E1]), "1", "oo"),
    "thinned by a formula": forged_tree("log(exp(exp(z))-z)", tree("thinned-poisson", "z", parts=[E1])),
    "a logarithm of too much": ("a logarithmic law", ("family.domain", ["-oo", "1"])),
    "a logarithm of a mean of 2": forged_tree("log(-log(1-exp(z)/2-1/2))", tree("logarithmic", parts=[tree(
        "mixture", parts=[E1, T])]), *LEFT),
    "Sibuya of index 2": forged_tree("log(2*exp(z)-exp(2*z))", tree("sibuya", "2", parts=[E1]), *LEFT),
    "Sibuya beyond 0": ("Sibuya", ("family.domain", ["-oo", "1"])), "a multiple below 0": forged_tree(
        "-exp(z)", power_series("-1", rule="multiple", parts=[tree("jumps", parts=[E1])])),
    "an empty sum": forged_tree("0", power_series(rule="sum")), "a stable law of index 2": forged_tree(
        "-z**2", power_series("2", rule="stable-time", parts=[Z]), *LEFT),
    "a stable law of index 1": forged_tree("z", power_series("1", rule="stable-time", parts=[Z]), *LEFT),
    "a stable law of index 0": forged_tree("-1", power_series("0", rule="stable-time", parts=[Z]), *LEFT),
    "a stable law beyond 0": ("a stable time", ("family.domain", ["-oo", "1"])),
    "a second derivative across a jump": forged_tree("z**2+atan(z)+atan(1/z)", power_series(
        "z**2+atan(z)+atan(1/z)", rule="kolmogorov", parts=[T]), "-1", "1"),
    "a second derivative of another": forged_tree("z**2", power_series("z**2", rule="kolmogorov", parts=[tree("constant", "3")])),
    "a second derivative across a kink": forged_tree("z*(z**2)**(1/2)+z**2", power_series(
        "z*(z**2)**(1/2)+z**2", rule="kolmogorov", parts=[T]), "-1", "1"),
    "log gamma across a pole": ("log gamma", ("family.domain", ["-oo", "3/2"])),
    "log gamma of a square": forged_tree("loggamma(1+z**2)", power_series("1+z**2", rule="log-gamma")),
    "log beta backwards": forged_tree("loggamma(3-z)-loggamma(1-z)", power_series("3-z", "-2", rule="log-beta"), "-oo", "1"),
    "log beta across a pole": ("log beta", ("family.domain", ["-oo", "3/2"])),
    "a secant beyond a pole": ("a secant", ("family.domain", ["-pi/2", "2"])),
    "a secant before a pole": ("a secant", ("family.domain", ["-2", "pi/2"])),
    "a secant of a square": forged_tree("-log(cos(z**2))", power_series("z**2", rule="secant"), "-1", "1"),
    "a logistic law beyond a pole": ("a logistic law", ("family.domain", ["-pi", "4"])),
    "another formula": ("a coin", ("family.m", "log(2+exp(z))")), "another question's tree": ("a coin", ("question", "convexity"), ("answer", "no")),
    "a formula that is nowhere": forged_tree("z**2/2+0*log(z-100)", TRANSFORMS["a normal law"]["by"]["tree"]),
    "a formula without a value": ("a normal law", ("family.m", "z**2/2+0*log(-1)")),
    "a transform refuted": ("a coin", ("answer", "no")), "S of nothing": ("a coin", ("S", "0")), "g of nothing": ("a coin", ("g", "0")),
    "S below 0": ("a coin", ("S", "-1")), "g below 0": ("a coin", ("g", "-1")),
    "an interval that is too long": ("inside", ("S", "1")), "an interval across an end": ("inside", ("family.domain", ["-oo", "1/4"])),
    "an interval up to its end": ("inside", ("family.domain", ["-1/2", "1"])),
    "a logarithm below 0": ("inside", ("family.m", "log(z)"), ("family.domain", ["-oo", "oo"])),
    "a logarithm times 0": ("inside", ("family.m", "0*log(z-5)"), ("family.domain", ["-oo", "oo"])),
    "a point inside": ("outside", ("by.z", "1/2")), "a point too far out": ("outside", ("by.z", "2")),
    "a point too far off": ("undefined", ("by.z", "2")), "a value that there is": ("undefined", ("family.m", "log(z)")),
    "0 over 0": ("undefined", ("family.m", "sin(z)/z"), ("by.z", "0")), "0 over 0 inside": ("undefined", ("family.m", "log(z/z)"), ("by.z", "0")),
    "a root of 0": ("undefined", ("family.m", "sqrt(z)"), ("by.z", "0")), "an arc sine of 1": ("undefined", ("family.m", "asin(z)")),
    "gamma of a half": ("undefined", ("family.m", "gamma(z)"), ("by.z", "-1/2")), "acosh of 1": ("undefined", ("family.m", "acosh(z)")),
    "a cube root": ("undefined", ("family.m", "z**3")), "a pole called smooth": ("smooth", ("family.m", "log(cosh(z)/z)")),
    "a kink called smooth": ("smooth", ("family.m", "abs(z)**3")), "a fourth power called a kink": ("a kink", ("family.m", "abs(z)**4")),
    "a kink elsewhere": ("a kink", ("by.z", "1/2")), "a kink too far out": ("a kink", ("family.m", "abs(z-2)"), ("by.z", "2"), ("by.order", 1)),
    "a kink of no order": ("a kink", ("by.order", -1)), "a kink of half an order": ("a kink", ("by.order", "3")),
    "a kink of high order": ("a kink", ("family.m", "abs(z)**5"), ("by.order", 5)), "a kink of the function": ("a kink", ("by.order", 0)),
    "a kink of the second order": ("a kink", ("by.order", 2)), "a kink beside a pole": ("a kink", ("family.m", "abs(z)+1/z"), ("by.order", 1)),
    "a kink without a value": ("a kink", ("family.m", "abs(z)+log(-1)"), ("by.order", 1)),
    "a kink inside a gap": ("a kink", ("family.m", "abs(log(-1))*z+z")), "a maximum of one": ("a kink of a maximum", ("family.m", "max(z,z-1,2*z-3)")),
    "a maximum that touches": ("a kink of a maximum", ("family.m", "max(z**4,0)")), "a maximum that is flat": ("a kink of a maximum", ("family.m", "max(z,z)")),
    "a gap too far out": ("a gap", ("by.z", "3/2")), "a concave one": ("convex", ("family.m", "-log(1+exp(z))")),
    "convex elsewhere": ("convex", ("family.m", "z**2/2-z**4/6")), "a concave one by its slope": ("convex by its slope", ("S", "2")),
    "a slope downwards": ("convex by its slope", ("family.m", "z**2-z**3")), "a low parabola": (
        "convex by its curvature", ("family.m", "z**4/12-z**3/6+z**2/9")), "flat but strict": ("increasing", ("family.m", "z")),
    "flat at a point": ("increasing", ("family.m", "z**4")), "a convex point": ("not convex", ("by.z", "1/8")),
    "a flat point": ("not convex", ("family.m", "z")), "a point outside": ("not convex", ("family.domain", ["0", "1"])),
    "a point without a value": ("not convex", ("family.m", "log(-1)-z**2")), "breaks backwards": ("convex by its slope", ("by.breaks", ["1/2", "-1/2"])),
    "breaks that stand still": ("convex by its slope", ("by.breaks", ["0", "0"])), "breaks outside": ("convex by its slope", ("by.breaks", ["2"])),
    "cells by no name": ("convex", ("by.rule", "cell")), "steep elsewhere": ("flat", ("by.z", "1/2")),
    "flat too far out": ("flat", ("by.z", "2"), ("family.m", "(z-2)**4")), "flat without a value": ("flat", ("family.m", "log(-1)+z**4")),
    "a refutation by the kernel": ("increasing by the kernel", ("by.proof", {"rule": "point", "at": {"z": "2"}}), ("S", "2")),
    "a kernel's point": ("increasing by the kernel", ("family.m", "z**3"), ("by.proof", {"rule": "point", "at": {"z": "-1/2"}})),
    "convex where it is not": ("convex everywhere", ("family.domain", ["-oo", "oo"])), "convex below 0 by a tree": (
        "convex as a transform", ("family.m", NORMAL)), "too small an L_mu": ("L_mu", ("by.upper", "1/4")),
    "too large an L_mu": ("L_mu", ("by.lower", "1001/4000")), "L_mu elsewhere": ("L_mu", ("by.z", "1")),
    "L_mu too far out": ("L_mu", ("family.m", "z**2/8+z**3/10**5"), ("by.z", "2"), ("by.lower", "25011/100000")), "L_mu backwards": ("L_mu", ("by.lower", "1/2")),
    "L_mu below 0": ("L_mu", ("by.lower", "-1")), "no L_mu": ("L_mu", ("answer", "no")), "L_mu without bounds": ("L_mu", ("by.bounds", [])),
    "too small a kappa": ("kappa", ("by.upper", "2249/1000")), "too large a kappa": ("kappa", ("by.lower", "9/4")),
    "kappa of nothing": ("kappa", ("by.lower", "0")), "kappa elsewhere": ("kappa", ("by.z", "0")),
    "too small an R_s": ("R_s", ("by.upper", "999/1000")), "too large an R_s": ("R_s", ("by.lower", "3/2")),
    "R_s with one side": ("R_s", ("by.bounds", [FINE])), "R_s of no variance": (
        "R_s", ("family.m", "z"), ("by.lower", "1"), ("by.upper", "2")), "R_s below one side": ("R_s from below", ("by.upper", "999/1000")),
    "too small an R_s_global": ("R_s_global", ("by.upper", "9/10"), ("by.lower", "0")), "R_s_global of one side": ("R_s_global", ("by.bounds", [EVIDENT])),
    "R_s_global of cells": ("R_s_global", ("by.bounds", [FINE, FINE])), "no R_s_global": ("R_s_global", ("answer", "no")),
    "a negative square of a law": ("moments of a square", ("family.m", NORMAL), ("by.witness.form", f"exp({NORMAL})")),
    "weights of nothing": ("moments of a square", ("by.witness.weights", ["0", "0"])), "a witness from outside": ("moments of a square", ("family.domain", ["1", "2"])),
    "a witness for another power": ("moments of a square", ("by.witness.power", "1/2")), "powers that are no numbers": (
        "moments of a square", ("by.witness.points", ["0", "3/2"])), "powers below 0": ("moments of a square", ("by.witness.points", ["0", "-1"])),
    "a witness of a negative power": ("another power", ("by.answers.1.witness.power", "-1/2")), "a witness by no name": ("moments of a square", ("by.witness.kind", "trust")),
    "a witness without a value": ("moments of a square", ("family.m", "z**4-z**2/2+z+log(-1)"), ("by.witness.form", "exp(z**4-z**2/2+z+log(-1))")),
    "a witness across a kink": ("moments of a square", ("family.m", "abs(z)"), ("by.witness.form", "exp(abs(z))")),
    "exponentials that leave the domain": ("exponentials", ("family.domain", ["-2", "2"])), "exponentials of a law": (
        "exponentials", ("family.m", NORMAL), ("by.witness.form", f"exp({NORMAL})")), "no witness": ("exponentials", ("by.witness.points", []), (
        "by.witness.weights", []), ("by.witness.imaginary", [])), "a dispersion below 0": ("another power", ("by.answers.0.g", "-1")),
    "a dispersion of nothing": ("another power", ("by.answers.1.g", "0")), "a witness for another dispersion": ("another power", ("by.answers.1.g", "3")),
    "a tree for another dispersion": ("another power", ("by.answers.0.g", "2")), "no dispersion": ("another power", ("by.answers", [])),
    "dispersions refuted alone": ("no power", ("answer", "yes")), "dispersions of a coin refused": ("another power", ("answer", "no"), (
        "by.answers", [{"g": "1", "tree": BINARY}])), "every power of a coin": ("another power", ("by.every", True)),
    "every power of a mixture": ("every power", ("family.m", f"2*{COIN}"), ("by.answers.0.tree", BINARY)),
    "every power of two coins": ("every power", ("family.m", f"4*{COIN}"), ("by.answers.0.tree", tree("power", "2", parts=[BINARY]))),
    "another multiple": ("a power as a multiple", ("by.answers.0.tree.parts.0.parameters.0", "1/3")),
    "another law": ("a power as a multiple", ("family.m", "-log(1-z)+z")), "a binomial of 3": ("a binomial mass", ("by.answers.0.base.support.1", "3")),
    "a binomial of half a step": ("a binomial mass", ("by.answers.0.base.support.2", "1/2")), "a binomial of long steps": ("a binomial mass", ("by.answers.0.base.support.2", "4/3")),
    "steps backwards": ("a binomial mass", ("by.answers.0.base.support.2", "-1")), "a base without a value": (
        "a binomial mass", ("family.m", COIN), ("by.answers.0.base.log_density", "0*log(1-r)"), ("by.answers.0.base.support.1", "1")),
    "a base twice as large": ("a binomial mass", ("by.answers.0.base.log_density", "2*log(2)-loggamma(r+1)-loggamma(3-r)")),
    "a law by no name": ("a normal mass", ("by.answers.0.law", "trust")), "a law of two numbers": ("a normal mass", ("by.answers.0.numbers", ["1/2", "0"])),
    "a law of no number": ("a normal mass", ("by.answers.0.numbers.2", "log(-1)")), "a law of half the line": ("a normal mass", ("by.answers.0.base.support.0", "0")),
    "a law of a lattice": ("a normal mass", ("by.answers.0.base.support.2", "1")), "a law that is larger": ("a normal mass", ("by.answers.0.base.log_density", "-r**2/2")),
    "a law without its constant": ("a normal mass", ("by.answers.0.base.log_density", "-r**2/2"), ("by.answers.0.numbers.2", "0")),
    "a negative width": ("a normal mass", ("by.answers.0.numbers.0", "-1/2"), ("by.answers.0.base.log_density", "r**2/2-log(2*pi)/2")),
    "a law at another dispersion": ("a normal mass", ("by.answers.0.g", "2"), ("g", "2")), "a law of nobody's dispersion": ("a normal mass", ("g", "2")),
    "a dispersion below 0 of a law": ("a normal mass", ("by.answers.0.g", "-1"), ("g", "-1")), "a rule by no name for a mass": ("a normal mass", ("by.answers.0.rule", "trust")),
    "no mass": ("a normal mass", ("by.answers", [])), "a gamma mass beyond its pole": ("a gamma mass", ("family.domain", ["-oo", "2"])),
    "a gamma mass on the line": ("a gamma mass", ("family.domain", ["-oo", "oo"])), "an inverse Gaussian mass beyond": ("an inverse Gaussian mass", ("family.domain", ["-oo", "1"])),
    "a uniform mass backwards": ("a uniform mass", ("by.answers.0.numbers", ["2", "1", "0"]), ("by.answers.0.base.support", ["2", "1", None]), (
        "family.m", "log((exp(z)-exp(2*z))/z)")), "ends that nobody wrote": ("a uniform mass", ("family.m", "log((exp(4*z)-exp(pi*z))/z)"), (
        "by.answers.0.numbers", ["pi", "4", "0"]), ("by.answers.0.base.support", ["None", "4", None])),
    "arcs of half an order": ("a mass of arcs", ("by.answers.0.numbers.0", "3/2"), ("by.answers.0.base.log_density", "log(4-r**2)")),
    "a step that nobody wrote": ("a Poisson mass", ("family.m", "exp(pi*z)"), ("by.answers.0.numbers.0", "pi"), (
        "by.answers.0.base", {"support": ["0", "oo", "None"], "log_density": "-loggamma(r/pi+1)"})),
    "a support that nobody wrote": ("a uniform mass", ("family.m", "log((exp(4*z)-exp(pi*z))/z)"), (
        "by.answers.0.numbers", ["pi", "4", "0"]), ("by.answers.0.base.support", ["0", "4", None])),
    "a law of no value": ("a normal mass", ("family.m", "z**2/2+log(-1)"), ("by.answers.0.numbers.2", "log(-1)-log(2*pi)/2"), (
        "by.answers.0.base.log_density", "-r**2/2+log(-1)-log(2*pi)/2")),
    "a mass of nothing": ("a normal mass", ("family.m", "z**2/2+0*log(-1)")), "a mass of nothing here": ("a normal mass", ("family.m", "z**2/2+0*log(z-100)")),
    "a binomial beyond its points": ("a binomial mass", ("by.answers.0.base.support.1", "5/2")),
    "a kink that is elsewhere": ("a kink", ("family.m", "abs(z+1-erf(200))+z"), ("by.order", 1)),
    "an interval too short to see": ("a normal law", ("family.m", "z**2/2+0*log(1/4-z)"), ("family.domain", ["1/3", "1/3+1/10**30"])),
    "another Poisson law": ("a Poisson mass", ("family.m", "exp(z/2)+1")), "a negative binomial beyond 0": ("a negative binomial mass", ("family.domain", ["-oo", "1"])),
    "a computation that proves": ("a mass that was computed", ("by.answers.0.word", "proved")), "a computation by no word": ("a mass that was computed", ("by.answers.0.word", "argued")),
    "a computation that refutes": ("a mass that was computed", ("by.answers.0.word", "refuted")), "a sampler that proves": ("a sampler", ("by.word", "proved")),
    "a sampler denied": ("a sampler", ("answer", "no")), "convexity refuted with a yes": ("no convexity", ("answer", "yes")),
    "what can be checked": ("a sampler", ("question", "slope")), "transforms by computation": ("no convexity", ("question", "log_partition")),
    "no moments": ("moments", ("answer", "no")), "moments of another": ("moments", ("family.m", "z**2")), "moments by no law": ("moments", ("by.rule", "trust")),
    "a support shown": ("a mean outside", ("answer", "yes")), "a mean inside": ("a mean outside", ("by.z", "1/4")),
    "a mean outside the domain": ("a mean outside", ("family.domain", ["-oo", "1"])), "a mean without a value": ("a mean outside", ("family.m", "z**2/2+log(-1)")),
    "a mean above": ("a mean below", ("by.z", "2")), "a variance that may be": ("too much variance", ("base.support", ["-2", "2", None])),
    "a variance without an end": ("too much variance", ("base.support", ["-1", "oo", None])), "a variance of three points": ("too little variance", ("base.support", ["-2", "2", "2"])),
    "a variance of an interval": ("too little variance", ("base.support", ["-2", "2", None])), "the variance of a coin": ("too little variance", ("base.support", ["-1", "1", "2"])),
    "a support by no rule": ("a mean outside", ("by.rule", "trust")), "a turn of a lattice": ("a turn", ("family.m", "exp(z)"), ("by.form", "exp(exp(z))")),
    "a turn of another": ("a turn", ("by.form", "exp(z**3)")), "a turn backwards": ("a turn", ("base.support.2", "-1")), "a turn of a root": (
        "a turn", ("family.m", "sqrt(1+z**2)"), ("by.form", "exp(sqrt(1+z**2))"), ("by.z", "1")), "a turn outside": ("a turn", ("family.domain", ["1", "2"])),
    "a period of a lattice": ("a period", ("base.support.2", "1")), "a period of a point": ("a period", ("base.support", ["0", "0", None])),
    "a period of a normal law": ("a period", ("family.m", NORMAL)), "a period of a constant": ("a period", ("family.m", "exp(0*z)")),
    "a period of a root": ("a period", ("family.m", "sqrt(1+exp(z))")), "a period of a normal law in disguise": ("a period", ("family.m", "log(exp(z))**2/2")),
    "a period of arcs in disguise": ("a period", ("family.m", "asinh(sinh(z))**2/2")), "a period of a square": ("a period", ("family.m", "exp(z**2)")),
    "a support without a period": ("a period", ("family.m", "exp(z)+exp(pi*z)")), "a period of atanh": ("a period", ("family.m", "atanh(tanh(z))**2/2")),
}  # fmt: skip
NO_ANSWER: dict[str, Any] = {
    "another format": ("a coin", ("format", "glbcheck-answer/0")), "no format": ("a coin", ("format", ...)), "a question by no name": ("a coin", ("question", "trust")),
    "a private question": ("a coin", ("question", "accepted")), "maybe": ("a coin", ("answer", "maybe")), "no family": ("a coin", ("family", ...)),
    "no end": ("a coin", ("family.domain", ["-oo"])), "an integral": ("a coin", ("family.m", "integral(t,t,0,z)")), "another letter": ("a coin", ("family.m", "x")),
    "a point that moves": ("flat", ("by.z", "z")), "too many bits": ("convex", ("by.bits", 4097)), "one bit": ("convex", ("by.bits", 1)),
    "too many breaks": ("convex", ("by.breaks", [str(k) for k in range(20_001)])), "no proof": ("convex everywhere", ("by", {})),
    "a float": ("a coin", ("S", 2.0)), "no parts": ("two coins", ("by.tree.parts", 3)),
}  # fmt: skip
EMPTY = (["1", "1"], ["2", "1"], ["log(-1)", "oo"], ["oo", "-oo"], ["-oo", "-oo"])
FORGED |= {f"no interval: {ends}": ("L_mu", ("family.domain", ends)) for ends in EMPTY}
