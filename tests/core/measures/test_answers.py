"""Answers of an audit: their files stand alone, and forgeries fall."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from glbcheck.core.family import g as g_symbol
from glbcheck.core.kernel.terms import Rejected
from glbcheck.core.measures.check import check
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.audit.documents import gated
from glbcheck.verify.claim import Verdict

from tests.helpers.audit_answers import SHAPE, Document, about, answer, document

GENUINE = [
    *(("log(1+exp(z))", question, 2) for question in (*SHAPE, "R_s_global", "log_partition", "convexity")),
    *(("log(sinh(z)/z)", question, 2) for question in (*SHAPE, "log_partition")),
    *(("-log(1-z)", question, Fraction(1, 2)) for question in (*SHAPE, "log_partition")),
    *((name, "normalisation", 1) for name in ("gaussian", "poisson", "bernoulli", "uniform", "von_mises")),
    *((name, "normalisation", 1) for name in ("binomial", "binomial_proportion", "truncated_poisson")),
    ("exponential", "normalisation", Fraction(1, 2)), ("gaussian", "kl", 1), ("poisson", "moments", 1),
    ("z**4", "log_partition", 1), ("sqrt(100+z**2)", "log_partition", 1), ("z**4", "slope", 1),
    ("abs(z)", "smooth", 1), ("z**2/2-z**4", "convex", 1), ("-log(1-z)", "domain", 2),
    ("log(1+exp(z))/2", "log_partition", 1), ("-log(cos(z)-sin(z)/2)", "log_partition", Fraction(1, 2)),
    ("log(sinh(z)/z)", "convexity", 1),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "question", "S"), GENUINE)
def test_an_answer_stands_by_its_file_alone(spec: str, question: str, S: object) -> None:
    found = check(document(spec, question, S))
    assert found.word in ("proved", "certified", "refuted")
    if question == "normalisation":
        assert found.word == "proved", found.rests_on


# --- forgeries ---------------------------------------------------------------------------------------------


def changed(path: str, value: Any) -> Callable[[Document], None]:
    """An edit of a document: `a.b.0` is document["a"]["b"][0]; a function is applied to what stands there."""

    def edit(document: Any) -> None:
        *way, last = [int(key) if key.lstrip("-").isdecimal() else key for key in path.split(".")]
        for key in way:
            document = document[key]
        document[last] = value(document[last]) if callable(value) else value

    return edit


def times(factor: Fraction) -> Callable[[str], str]:
    return lambda text: str(Fraction(text) * factor)


LESS, MORE = Fraction(999_999, 10**6), Fraction(1_000_001, 10**6)
FORGED = [
    ("log(1+exp(z))", "L_mu", 2, changed("by.upper", times(LESS))),
    ("log(1+exp(z))", "L_mu", 2, changed("by.lower", times(MORE))),
    ("log(1+exp(z))", "kappa", 2, changed("by.upper", times(LESS))),
    ("log(1+exp(z))", "kappa", 2, changed("by.lower", times(MORE))),
    ("log(1+exp(z))", "R_s", 2, changed("by.upper", times(LESS))),
    ("log(1+exp(z))", "R_s", 2, changed("by.lower", times(MORE))),
    ("log(1+exp(z))", "R_s", 2, changed("S", "3")),
    ("log(1+exp(z))", "R_s_global", 2, changed("by.upper", times(LESS))),
    ("log(1+exp(z))", "L_mu", 2, changed("by.z", "1")),
    ("log(1+exp(z))", "R_s", 2, changed("by.z", "5")),
    ("log(1+exp(z))", "kappa", 2, changed("family.m", "2*log(1+exp(z))")),
    ("log(1+exp(z))", "convexity", 2, changed("family.m", "z**2/2 - z**4")),
    ("log(sinh(z)/z)", "smooth", 2, changed("family.m", "log(cosh(z)/z)")),
    ("log(sinh(z)/z)", "convex", 2, changed("family.m", "-log(sinh(z)/z)")),
    ("log(sinh(z)/z)", "slope", 2, changed("by.breaks", [])),
    ("log(sinh(z)/z)", "slope", 2, changed("by.breaks", ["3"])),
    ("-log(1-z)", "domain", Fraction(1, 2), changed("S", "1")),
    ("-log(1-z)", "domain", Fraction(1, 2), changed("family.domain", ["-oo", "1/2"])),
    ("-log(1-z)", "smooth", Fraction(1, 2), changed("S", "2")),
    ("-log(1-z)", "log_partition", Fraction(1, 2), changed("family.domain", ["-oo", "2"])),
    ("-log(1-z)", "log_partition", Fraction(1, 2), changed("family.domain", ["-oo", "oo"])),
    ("-log(1-z)", "log_partition", Fraction(1, 2), changed("family.m", "log(1-z)")),
    ("-log(1-z)", "domain", 2, changed("by.z", "1/2")),
    ("-log(1-z)", "domain", 2, changed("answer", "yes")),
    ("log(1+exp(z))", "log_partition", 2, changed("family.m", "z**4")),
    ("log(1+exp(z))", "log_partition", 2, changed("family.m", "log(1+exp(z)-exp(2*z)/9+exp(3*z))")),
    ("log(1+exp(z))", "log_partition", 2, changed("answer", "no")),
    ("z**4", "log_partition", 1, changed("family.m", "z**2/2")),
    ("z**4", "log_partition", 1, changed("by.witness.power", "1/2")),
    ("z**4", "log_partition", 1, changed("by.witness.weights", ["1"])),
    ("z**4", "log_partition", 1, changed("by.witness.form", "exp(z**3)")),
    ("z**4", "log_partition", 1, changed("by.witness.points.0", "-1")),
    ("sqrt(100+z**2)", "log_partition", 1, changed("by.witness.weights.0", "0")),
    ("sqrt(100+z**2)", "log_partition", 1, changed("by.witness.points.0", "40")),
    ("sqrt(100+z**2)", "log_partition", 1, changed("family.m", "z**2/2")),
    ("abs(z)", "smooth", 1, changed("by.z", "1/2")),
    ("abs(z)", "smooth", 1, changed("family.m", "abs(z)**5")),
    ("z**2/2-z**4", "convex", 1, changed("by.z", "0")),
    ("z**4", "slope", 1, changed("by.z", "1/2")),
    ("gaussian", "normalisation", 1, changed("by.answers.0.base.log_density", "-r**2/2")),
    ("gaussian", "normalisation", 1, changed("by.answers.0.base.support", ["-40", "40", None])),
    ("gaussian", "normalisation", 1, changed("g", "5")),
    ("gaussian", "normalisation", 1, changed("by.answers", [])),
    *(("gaussian", "normalisation", 1, changed(f"by.answers.{k}.g", "5")) for k in range(4)),
    *(("gaussian", "normalisation", 1, changed(f"by.answers.{k}.base.log_density", "-r**2/2")) for k in range(4)),
    *(("gaussian", "normalisation", 1, changed(f"by.answers.{k}.numbers.0", "1/7")) for k in range(4)),
    ("gaussian", "normalisation", 1, changed("family.m", "z**2/2 + z/1000")),
    ("gaussian", "kl", 1, changed("family.m", "z**2")),
    ("exponential", "normalisation", Fraction(1, 2), changed("family.domain", ["-oo", "1"])),
    ("exponential", "normalisation", Fraction(1, 2), changed("family.domain", ["-oo", "oo"])),
    ("poisson", "normalisation", 1, changed("by.answers.0.base.support", ["0", "oo", "2"])),
    ("poisson", "normalisation", 1, changed("by.answers.0.base.support", ["1", "oo", "1"])),
    ("poisson", "moments", 1, changed("family.m", "exp(z) + z")),
    ("bernoulli", "normalisation", 1, changed("by.answers.0.base.support", ["0", "2", "1"])),
    ("uniform", "normalisation", 1, changed("by.answers.0.base.support", ["0", "2", None])),
    ("von_mises", "normalisation", 1, changed("by.answers.0.base.log_density", "-log(pi) - log(1 - r**2)")),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "question", "S", "edit"), FORGED)
def test_a_forged_answer_does_not_stand(spec: str, question: str, S: object, edit: Callable[[Document], None]) -> None:
    forged = copy.deepcopy(document(spec, question, S))
    edit(forged)
    with pytest.raises(Rejected):
        check(forged)


NAMED = re.compile(r"at g = ([\d/]+(?:, [\d/]+)*)")
FREE_OF_DISPERSION = {"base": "-r**2/(2*g)-log(2*pi*g)/2", "support": "interval:-oo,oo"}
UNEVEN = {"base": "-r**2/(2*g)-log(2*pi*g)/2 + (g-1)*(g-2)*(2*g-1)/10**6", "support": "interval:-oo,oo"}


@pytest.mark.parametrize(
    ("spec", "options", "word"),
    [("gaussian", {}, "proved"), ("gamma", {}, "proved"), ("inverse_gaussian", {}, "certified"),
     ("scaled_poisson", {}, "proved"), ("skellam", {}, "certified"), ("z**2/2", FREE_OF_DISPERSION, "proved")],
)  # fmt: skip
def test_the_dispersions_in_the_words_are_those_that_were_checked(spec: str, options: Any, word: str) -> None:
    found = answer(spec, "normalisation", Fraction(1, 4), **options)
    rows = found.document["by"]["answers"]
    named = [g for places in NAMED.findall(found.evidence) for g in places.split(", ")]
    assert found.verdict == word, found.evidence
    assert sorted(named) == sorted(row["g"] for row in rows)
    assert len(named) == 4
    accepted = check(found.document)
    assert all(f"g = {g}" in accepted.says for g in named)
    assert bool(accepted.rests_on) == (word == "certified")


def test_every_dispersion_is_said_of_what_the_checker_sees_to_be_infinitely_divisible() -> None:
    gaussian, coin = (answer(spec, "dispersions") for spec in ("gaussian", "bernoulli"))
    assert gaussian.evidence == "every g > 0"
    assert check(gaussian.document).says.endswith("for every g > 0")
    forged = {**coin.document, "by": {**coin.document["by"], "every": True}}
    assert "every" not in check(coin.document).says
    with pytest.raises(Rejected, match="no tree gives every positive power"):
        check(forged)


def test_a_density_that_is_wrong_at_one_dispersion_is_refuted_at_that_one() -> None:
    found = answer("z**2/2", "normalisation", 1, **UNEVEN)
    assert found.verdict is Verdict.REFUTED
    assert [row["g"] for row in found.document["by"]["answers"]] == ["1/3"]
    assert found.evidence.startswith("at g = 1/3: mass")


def test_a_dispersion_that_rests_on_a_computation_weakens_the_word_and_is_named() -> None:
    asked = about("gaussian")
    claimed = [{"g": g, "word": "certified", "what": "engines say so"} for g in ("1", "1/2")]
    broken = replace(asked.family, log_base=asked.family.log_base + (g_symbol - 1) / 10**9)
    found = gated(
        replace(asked, family=broken), "normalisation", "?",
        Finding(Verdict.PROVED, "so it is", {"answers": claimed, "not settled at g": []}),
    )  # fmt: skip
    assert found.verdict is Verdict.CERTIFIED
    assert found.evidence.startswith("proved at g = 1: exp(m/g) is the integral of the gaussian law")
    assert found.evidence.endswith("certified at g = 1/2: engines say so")
    assert check(found.document).rests_on == ("computation: engines say so",)


@pytest.mark.parametrize(("spec", "question", "S"), [one for one in GENUINE if one[2] != 1][::3])
def test_a_document_without_one_of_its_parts_is_refused_in_words(spec: str, question: str, S: object) -> None:
    whole = document(spec, question, S)
    for part in (key for key in whole if key != "asks"):
        with pytest.raises(Rejected):
            check({key: value for key, value in whole.items() if key != part})
    for part in whole["by"]:
        try:
            check({**whole, "by": {key: value for key, value in whole["by"].items() if key != part}})
        except Rejected:
            continue
        assert part in ("example", "order", "rule"), f"{part} is never looked at"


@pytest.mark.parametrize("question", [*SHAPE, "log_partition", "dispersions"])
def test_what_can_be_checked_is_not_taken_on_trust(question: str) -> None:
    forged = {**document("log(1+exp(z))", "L_mu", 2), "question": question}
    with pytest.raises(Rejected):
        check({**forged, "by": {"rule": "computation", "word": "certified", "what": "it was worked out"}})


# --- rules on their own ------------------------------------------------------------------------------------

GAMMA = {"rule": "gamma", "parts": [{"rule": "quadratic", "parameters": ["0", "1", "-1"]}]}
FALSE_TREES = [
    ("log(1-exp(z))", "-oo", "0", {"rule": "mixture", "parts": [{"rule": "constant", "parameters": ["-1"]}]}),
    ("-log(1-z)", "-oo", "3", {"rule": "exponential", "parts": [GAMMA]}),
    ("-z**2/2", "-oo", "oo", {"rule": "exponential",
     "parts": [{"rule": "quadratic", "parameters": ["-1/2", "0", "0"]}]}),
    ("log(cos(z))", "-1", "1", {"rule": "exponential", "parts": [{"rule": "secant", "parameters": ["z"]}]}),
    ("-log(cos(z))", "-2", "2", {"rule": "exponential", "parts": [{"rule": "secant", "parameters": ["z"]}]}),
    ("-(1-z)**3", "-oo", "1", {"rule": "exponential", "parts": [{"rule": "stable-time", "parameters": ["3"],
     "parts": [{"rule": "quadratic", "parameters": ["0", "1", "-1"]}]}]}),
    ("(1-z)**3", "-oo", "1", {"rule": "exponential", "parts": [{"rule": "kolmogorov", "parameters": ["(1-z)**3"],
     "parts": [{"rule": "mixture", "parts": [{"rule": "constant", "parameters": ["6"]}]}]}]}),
    ("log(besseli(1,z))", "0", "oo", {"rule": "bessel", "parameters": ["1", "z"]}),
    ("atan(1/z)", "-1", "1", {"rule": "exponential", "parts": [{"rule": "kolmogorov", "parameters": ["atan(1/z)"],
     "parts": [{"rule": "constant", "parameters": ["1"]}]}]}),
    ("log(1/z**2)", "-oo", "0", {"rule": "spline", "parameters": ["z", "0", "1", "1"]}),
    ("log((1-exp(z))/z)", "-oo", "oo", {"rule": "spline", "parameters": ["z", "0", "1", "1", "1", "1", "-1"]}),
    ("z**2+log(z**2-1)", "2", "oo", {"rule": "weighted-gaussian", "parameters": ["1", "z", "-1", "0", "1"]}),
]  # fmt: skip


@pytest.mark.parametrize(("m", "low", "high", "tree"), FALSE_TREES)
def test_no_tree_derives_what_is_no_transform(m: str, low: str, high: str, tree: Document) -> None:
    whole = {**document("log(1+exp(z))", "log_partition", 2), "family": {"m": m, "domain": [low, high]}}
    with pytest.raises(Rejected):
        check({**whole, "by": {"tree": tree}})
