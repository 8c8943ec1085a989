"""Answers of an audit: their files stand alone, forgeries fall, broken searchers do no harm."""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from glbcheck.core import catalog, concordance, laplace
from glbcheck.core.family import g as g_symbol
from glbcheck.core.kernel.__main__ import looked_at
from glbcheck.core.kernel.check import check as check_certificate
from glbcheck.core.kernel.ring import same
from glbcheck.core.kernel.terms import Rejected
from glbcheck.core.laplace import Construction
from glbcheck.core.measures.check import check
from glbcheck.core.measures.interval import read as parse_in_z
from glbcheck.core.measures.writing import opened
from glbcheck.verify.audit import covers, measure, shape
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.audit.documents import gated
from glbcheck.verify.audit.questions import items
from glbcheck.verify.audit.spec import Options, read
from glbcheck.verify.audit.subject import Subject, subject
from glbcheck.verify.claim import Verdict

from glbcheck import cli

Document = dict[str, Any]
ITEMS = {item.name: item for item in items()}
SHAPE = ("domain", "smooth", "convex", "slope", "L_mu", "kappa", "R_s")


def about(spec: str, S: object = 1, **options: str) -> Subject:
    family = catalog.get(spec) if spec.isidentifier() else read(spec, Options(**options)).family
    return subject(family, S)


def answer(spec: str, question: str, S: object = 1, **options: str) -> Finding:
    """The finding as an audit gives it, asked in this process."""
    asked = about(spec, S, **options)
    return gated(asked, question, ITEMS[question].text, ITEMS[question].decide(asked))


@cache
def _written(spec: str, question: str, S: object) -> str:
    found = answer(spec, question, S)
    assert found.document, found.evidence
    return json.dumps(found.document)


def document(spec: str, question: str, S: object = 1) -> Document:
    found: Document = json.loads(_written(spec, question, S))
    return found


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
    ("z**4", "log_partition", 1, changed("by.witness.weights", lambda v: ["0"] * len(v))),
    ("z**4", "log_partition", 1, changed("by.witness.form", "exp(z**3)")),
    ("sqrt(100+z**2)", "log_partition", 1, changed("by.witness.form", "exp(z**2/2)")),
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
    ("(1-z)**3", "-oo", "1", {"rule": "exponential", "parts": [{"rule": "stable", "parameters": ["3", "1 - z"]}]}),
    ("sqrt(1-z)", "-oo", "1", {"rule": "exponential", "parts": [{"rule": "stable", "parameters": ["1/2", "1 - z"]}]}),
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


# --- broken searchers --------------------------------------------------------------------------------------


def _yes(*_: Any, **__: Any) -> Finding:
    return Finding(Verdict.PROVED, "so it is", {"z": "0", "answers": [], "lower": 1.0, "upper": 1.0})


FALSE_CLAIMS = [
    ("z**2/2-z**4", "convex"), ("z**4", "slope"), ("abs(z)", "smooth"), ("log(z)", "domain"), ("z**4", "log_partition"),
    ("z**4", "dispersions"), ("z**4", "L_mu"), ("z**4", "kappa"), ("z**4", "R_s"),
]  # fmt: skip
# On the whole domain, what engines find is said to rest on a computation; it is never called proved.
ON_THE_WHOLE_DOMAIN = [("z**4", "R_s_global"), ("z**2/2-z**4", "convexity")]


@pytest.mark.parametrize(
    ("spec", "question", "verdict"),
    [
        *((*claim, verdict) for claim in FALSE_CLAIMS for verdict in (Verdict.PROVED, Verdict.CERTIFIED)),
        *((*claim, Verdict.PROVED) for claim in ON_THE_WHOLE_DOMAIN),
    ],
)
def test_a_searcher_that_always_says_yes_is_not_believed(spec: str, question: str, verdict: Verdict) -> None:
    asked = about(spec, domain="-2,2") if spec == "log(z)" else about(spec)
    claimed = Finding(verdict, "so it is", {"answers": [], "rule": "constant", "parameters": ["1"], "parts": [],
                                            "lower": 1.0, "upper": 1.0, "z": "0"})  # fmt: skip
    assert not gated(asked, question, "?", claimed).verdict.positive


@pytest.mark.parametrize("question", [*SHAPE, "log_partition"])
def test_a_searcher_that_always_says_no_is_not_believed(question: str) -> None:
    data = {"z": "0", "order": 1, "kind": "moments", "power": "1", "z0": "0", "points": ["0", "1"],
            "weights": ["1", "1"], "imaginary": ["0", "0"], "value_upper": "-1"}  # fmt: skip
    found = gated(about("log(1+exp(z))"), question, "?", Finding(Verdict.REFUTED, "it is not so", data))
    assert found.verdict is Verdict.UNDECIDED


def test_a_broken_search_for_measures_is_harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    garbage = Construction("exponential", (), (Construction("quadratic", (sp.S.One, sp.S.Zero, sp.S.Zero)),))
    monkeypatch.setattr(laplace, "decide", lambda *a, **k: garbage)
    assert measure.log_partition(about("z**4")).verdict is Verdict.PROVED
    assert answer("z**4", "log_partition").verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("name", ["L_mu", "kappa", "R_s"])
@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_a_broken_search_for_constants_is_harmless(name: str, factor: float, monkeypatch: pytest.MonkeyPatch) -> None:
    true = getattr(concordance, name)

    def wrong(*args: Any) -> Any:
        found = true(*args)
        return concordance.Constant(None, found.lower * factor, found.upper * factor, "somewhere")

    monkeypatch.setattr(concordance, name, wrong)
    assert answer("log(1+exp(z))", name).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("cut", [lambda *a, **k: [], lambda low, high, seen: [(low + high) / 2], lambda *a, **k: None])
def test_a_broken_search_for_cells_is_harmless(cut: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covers, "breaks", cut)
    monkeypatch.setattr(shape, "convex", _yes)
    for question, spec in (("convex", "z**2/2-z**4"), ("slope", "z**2/2-z**4"), ("smooth", "log(1+z)")):
        assert not gated(about(spec, 2, domain="-3,3"), question, "?", _yes()).verdict.positive


# --- the doors ---------------------------------------------------------------------------------------------


def test_an_audit_writes_its_answers_and_replay_reads_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new" / "answers"
    assert cli.main(["audit", "exp(z)", "--S", "1", "--quick", "--certificates", str(folder)]) == 0
    files = sorted(map(str, folder.glob("*.json")))
    assert {Path(file).stem for file in files} >= {"domain", "convex", "log_partition", "L_mu"}
    capsys.readouterr()
    assert cli.main(["replay", *files]) == 0
    assert capsys.readouterr().out.count("stands:") == len(files)
    forged = json.loads(Path(folder, "L_mu.json").read_text(encoding="utf-8"))
    Path(folder, "L_mu.json").write_text(json.dumps({**forged, "S": "2"}), encoding="utf-8")
    assert cli.main(["replay", *files]) == 1
    assert "does not stand" in capsys.readouterr().out


def test_the_checker_is_a_program_of_its_own_without_sympy(tmp_path: Path) -> None:
    good, bad, broken = (tmp_path / f"{name}.json" for name in ("good", "bad", "broken"))
    good.write_text(_written("log(1+exp(z))", "R_s", 2), encoding="utf-8")
    bad.write_text(json.dumps({**document("log(1+exp(z))", "R_s", 2), "S": "9"}), encoding="utf-8")
    broken.write_text("[", encoding="utf-8")
    for files, code in (([good], 0), ([good, bad], 1), ([good, broken], 2)):
        command = [sys.executable, "-m", "glbcheck.core.measures", *map(str, files)]
        assert subprocess.run(command, capture_output=True, check=False).returncode == code
    loaded = "import sys, glbcheck.core.measures.check; print('sympy' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout == "False\n"
    )


@pytest.mark.parametrize("m", [
    "exp(exp(1000))*z", "gamma(1e300)*z", "besseli(0, 1e200)*z", "z**(10**9)", "1e9999*z", "besseli(10**9, z)",
    "sum(z**k, k, 1, 10**9)", "integral(exp(t*z), t, 0, 1)", "", None, 3, "(" * 200 + "z" + ")" * 200, "x",
])  # fmt: skip
@pytest.mark.parametrize("question", ["L_mu", "log_partition"])
def test_hostile_formulas_do_not_stand_and_do_not_hang(m: object, question: str) -> None:
    whole = document("log(1+exp(z))", question, 2)
    with pytest.raises(Rejected):
        check({**whole, "family": {"m": m, "domain": ["-oo", "oo"]}})


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ("cos(z + atan(1/2))*sqrt(5)/2", "cos(z) - sin(z)/2", True),
        ("sin(z - atan(2))*sqrt(5)", "sin(z) - 2*cos(z)", True),
        ("cos(2*z - atan(3))*sqrt(10)", "cos(2*z) + 3*sin(2*z)", True),
        ("cos(z - atan(2))*sqrt(5)", "cos(z) - 2*sin(z)", False),
        ("cos(atan(1/2) - z)*sqrt(5)/2", "cos(z) + sin(z)/2", True),
        ("sin(z + atan(3/4))", "sin(z)*4/5 - cos(z)*3/5", False),
    ],
)
def test_a_phase_is_an_angle_and_not_its_mirror_image(left: str, right: str, equal: bool) -> None:
    assert same(*(opened(parse_in_z(text)) for text in (left, right))) == equal


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ("log(-z/2)", "log(-z) - log(2)", True),
        ("log(-2*z)", "log(z) + log(2)", False),
        ("log(2*z)", "log(z) - log(2)", False),
        ("log(sqrt(pi))", "log(pi)/2", True),
        ("log(pi**2)", "log(pi)/2", False),
        ("log(2*pi/3)", "log(2) + log(pi) - log(3)", True),
        ("log(2/3)", "log(3) - log(2)", False),
        ("exp(-2*sqrt(-z/2))", "exp(-sqrt(2)*sqrt(-z))", True),
        ("exp(-2*sqrt(-z/2))", "exp(-sqrt(3)*sqrt(-z))", False),
        ("(z*2/3)**(1/3)", "z**(1/3)*2**(1/3)/3**(1/3)", True),
        ("(z*2/3)**(1/3)", "z**(1/3)*2**(1/3)/3**(2/3)", False),
    ],
)
def test_numbers_leave_roots_and_logarithms_as_they_may(left: str, right: str, equal: bool) -> None:
    assert same(*(opened(parse_in_z(text)) for text in (left, right))) == equal


def certificate(parts: dict[str, Any]) -> str:
    return json.dumps({"format": "glbcheck-certificate/2", **parts})


def about_one(conclusion: object) -> str:
    return certificate({"statement": {"conclusion": conclusion}, "proof": {"rule": "evident"}})


@pytest.mark.parametrize("text", [
    "[]", "3", '"x"', "null", "[" * 10**5, '{"format": 1, "format": 2}', '{"format": 0.5}', "{}", "\x00",
    certificate({"format": "glbcheck-certificate/1", "statement": {}}), certificate({"x": 1}), certificate({"game": 0}),
    certificate({"statement": 3}), certificate({"all": 7}), certificate({"all": []}), certificate({"gap": {"with": 1}}),
    certificate({"statement": {}, "game": {}}), certificate({"invariant": []}), about_one("1 <"), about_one("y > 0"),
    about_one(3), about_one({}),
])  # fmt: skip
def test_a_file_that_is_no_certificate_is_bad_input_for_both_programs(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.json"
    path.write_text(text, encoding="utf-8")
    assert cli.main(["replay", str(path)]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert looked_at(str(path), check_certificate) == 2
    assert "cannot be read" in capsys.readouterr().out


def test_a_certificate_that_does_not_stand_can_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "false.json"
    path.write_text(about_one("1 < 0"), encoding="utf-8")
    assert cli.main(["replay", str(path)]) == 1
    assert looked_at(str(path), check_certificate) == 1
    assert "does not stand" in capsys.readouterr().out
