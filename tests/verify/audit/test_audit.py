"""The audit of a family, the catalogue table and the reproduction, as a user meets them."""

from __future__ import annotations

import html
import json
import os
import re
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.concordance import R_s_global
from glbcheck.core.errors import BadInput
from glbcheck.proofs_checks.hcw_glb_omd.questions import QUESTIONS
from glbcheck.verify.audit import checks_for, parametrize_with_checks
from glbcheck.verify.audit.answers import answers
from glbcheck.verify.audit.check import Finding, Question
from glbcheck.verify.audit.questions import items
from glbcheck.verify.audit.spec import Options, read
from glbcheck.verify.claim import Verdict
from glbcheck.verify.report import families
from glbcheck.verify.report.html.formulas import prose
from glbcheck.verify.runner import worker

from glbcheck import audit_family
from glbcheck.cli import main

ROOT = Path(__file__).resolve().parents[3]


def test_a_usable_family_passes_every_check() -> None:
    verdicts = {check.name: check.verdict for check in checks_for(catalog.get("bernoulli"), 3, questions=QUESTIONS)}
    assert verdicts.pop("constants") is Verdict.DEFINITION
    names = {item.name for item in (*items(), *QUESTIONS)}
    assert set(verdicts) == names - {"constants", "oracle", "support"}
    assert all(verdict.positive for verdict in verdicts.values()), verdicts


@pytest.mark.parametrize(("draw", "words"), [
    (lambda rng, at, disp: rng.poisson(np.exp(at)), "within"),
    (lambda rng, at, disp: rng.poisson(np.exp(at)) + 0.5, "outside"),
    (lambda rng, at, disp: rng.poisson(1.3 * np.exp(at)), "the mean"),
    (lambda rng, at, disp: rng.negative_binomial(3, 3 / (3 + np.exp(at))), "the variance"),
])  # fmt: skip
def test_a_sampler_that_draws_something_else_is_contradicted_by_its_draws(draw: Any, words: str) -> None:
    family = replace(catalog.get("poisson"), sampler=draw)
    (found,) = checks_for(family, 1, only=("sampler",))
    assert found.verdict is (Verdict.STRESS_TESTED if words == "within" else Verdict.CONTRADICTED)
    assert words in found.evidence


@pytest.mark.parametrize("name", ["bernoulli", "poisson"])
@pytest.mark.parametrize("S", [8, 12, 20])
def test_draws_that_are_all_alike_do_not_contradict_a_coin_that_hardly_ever_falls_on_one_side(
    name: str, S: int
) -> None:
    (found,) = checks_for(catalog.get(name), S, only=("sampler",))
    assert found.verdict is Verdict.STRESS_TESTED, found.evidence


def test_a_coin_that_falls_on_one_side_a_little_too_often_is_contradicted() -> None:
    often = replace(
        catalog.get("bernoulli"), sampler=lambda rng, at, disp: rng.random(at.shape) < 1 / (1 + np.exp(-at)) + 0.01
    )
    (found,) = checks_for(often, 8, only=("sampler",))
    assert found.verdict is Verdict.CONTRADICTED
    assert "standard errors" in found.evidence


def test_a_doubtful_sampler_is_asked_for_more_draws() -> None:
    doubtful = replace(catalog.get("poisson"), sampler=lambda rng, at, disp: rng.poisson(np.exp(at) + 0.07))
    (found,) = checks_for(doubtful, 1, only=("sampler",))
    assert found.verdict is Verdict.CONTRADICTED
    assert "64000 draws" in found.evidence


def test_a_domain_that_is_too_small_is_refused_and_told_the_tilt_or_the_radius_that_works() -> None:
    audit = audit_family(catalog.get("exponential"), 1, only=("R_s",))
    assert [(c["name"], c["verdict"]) for c in audit["checks"] if c["name"] == "domain"] == [("domain", "refuted")]
    assert audit["constants"]["R_s"] is None
    assert any("--tilt 2" in line for line in audit["advice"])
    moved = audit_family(catalog.get("exponential").tilted(2), 1, only=("R_s",))
    assert moved["constants"]["R_s"]["exact"] == "2"
    bounded = audit_family(catalog.get("hyperbolic_secant"), 2, only=("domain",))
    assert any("every S below pi/2 works" in line for line in bounded["advice"])


def test_constants_without_a_theorem_are_marked() -> None:
    found = {
        c.name: c for c in checks_for(catalog.get("exponential").tilted(2), 1, questions=QUESTIONS, only=("constants",))
    }["constants"]
    paper, repaired, local = found.evidence.split(". ")
    assert repaired.startswith("repaired (guarantee: none: the repaired theorem needs R_s to hold on the whole line)")
    assert "none" not in paper + local


def test_a_tilted_family_is_self_concordant_on_the_interval_only_and_the_regret_theorem_needs_no_more() -> None:
    audit = audit_family(catalog.get("exponential").tilted(2), 1)
    verdicts = {check["name"]: check["verdict"] for check in audit["checks"]}
    assert verdicts["R_s"] == "proved"
    assert verdicts["R_s_global"] == verdicts["growth"] == "refuted"
    assert audit["constants"]["R_s_global"]["exact"] == "oo"
    assert audit["theorems"]["theorem:regret"]["applies"] is True
    assert audit["theorems"]["assumption:link-function"]["applies"] is True


def test_what_was_not_settled_is_neither_yes_nor_no() -> None:
    audit = audit_family(catalog.get("poisson"), 1, only=("domain",))
    assert audit["theorems"]["assumption:bound"]["applies"] is True
    assert audit["theorems"]["theorem:regret"]["applies"] is None


def test_the_audit_has_the_fields_of_its_contract() -> None:
    audit = audit_family(catalog.get("gaussian"), "1/2")
    assert {"family", "S", "constants", "checks", "theorems", "is_log_partition"} <= set(audit)
    assert set(audit["constants"]) == {"L_mu", "R_s", "R_s_global", "kappa"}
    assert all(set(one) >= {"applies", "reason"} for one in audit["theorems"].values())
    assert all(set(c) == {"exact", "lower", "upper"} for c in audit["constants"].values())
    json.dumps(audit, allow_nan=False)


def test_quadratic_partitions_have_every_dispersion_and_bernoulli_only_reciprocals() -> None:
    def words(name: str) -> str:
        checks = checks_for(catalog.get(name), 1, only=("dispersions",))
        return next(check.evidence for check in checks if check.name == "dispersions")

    assert words("gaussian") == "every g > 0"
    assert words("bernoulli").startswith("g = 1/n for every positive integer n; impossible for g = ")


@parametrize_with_checks([catalog.get("rademacher")], S=1)  # type: ignore[untyped-decorator]
def test_every_question_can_be_asked_alone(check: Any) -> None:
    found = check()
    assert found is None or found.verdict.positive or found.verdict is Verdict.DEFINITION


def slow() -> Finding:
    time.sleep(60)
    raise AssertionError("the budget should have ended this")


def dies() -> Finding:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("unreachable")


def stumbles() -> Finding:
    raise ZeroDivisionError("of all things")


def test_a_question_that_hangs_dies_or_stumbles_is_undecided_and_the_next_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker, "LAST_GUARD", 4)
    fine = Finding(Verdict.PROVED, "yes")
    asked = [
        Question("a", "?", lambda: fine, 5), Question("b", "?", slow, 0.3), Question("c", "?", lambda: fine, 5),
        Question("d", "?", dies, 5), Question("e", "?", stumbles, 5), Question("f", "?", lambda: fine, 5),
    ]  # fmt: skip
    found = list(answers(asked))
    assert "".join(check.name for check in found if check.verdict is Verdict.PROVED) == "acf"
    assert "".join(check.name for check in found if check.verdict is Verdict.UNDECIDED) == "bde"
    assert "last guard" in found[1].evidence  # it sleeps, and uses no processor time
    assert "of all things" in found[4].evidence


MINE = """
from dataclasses import replace
from glbcheck.core import catalog

family = replace(catalog.get("poisson"), name="mine")
formula = "log(1 + exp(z))"

def build():
    return family

def broken():
    raise RuntimeError("no")

import sympy as sp
stranger = sp.exp(sp.Symbol("z"))
floating = sp.exp(0.3 * sp.Symbol("z", real=True))
unprintable = replace(family, name="a\\x1b[31m")
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    source = tmp_path / "mine.py"
    source.write_text(MINE)
    return source


@pytest.mark.parametrize(("name", "called"), [("family", "mine"), ("build", "mine"), ("formula", "log(1 + exp(z))")])
def test_a_family_from_a_file_is_run_and_said_to_be(
    name: str, called: str, mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", f"{mine}:{name}", "--S", "1", "--quick", "--json", str(tmp_path / "out.json")]) in (0, 1)
    said = capsys.readouterr()
    assert "running the Python code in" in said.err
    assert max(map(len, said.out.splitlines())) <= 80
    assert json.loads((tmp_path / "out.json").read_text())["family"] == called


@pytest.mark.parametrize(("name", "wanted"), [
    ("broken", "RuntimeError: no"), ("stranger", "core.family.z"), ("floating", "without floats"),
    ("unprintable", "can be printed"),
])  # fmt: skip
def test_what_a_file_hands_over_must_run_and_be_exact_and_printable(
    name: str, wanted: str, mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", f"{mine}:{name}", "--S", "1"]) == 2
    assert wanted in capsys.readouterr().err


@pytest.mark.parametrize(("law", "natural", "partition", "S", "verdict"), [
    ("poisson", "mu=exp(z)", None, "1", "stress-tested"),
    ("bernoulli", "p=1/(1+exp(-z))", None, "1", "stress-tested"), ("norm", "loc=z", None, "1", "stress-tested"),
    ("logser", "p=exp(z-2)", "log(-log(1-exp(z-2)))", "1", "stress-tested"),
    ("gamma", "a=3, scale=1/(2-z)", "-3*log(2-z)", "1", "stress-tested"),
    ("gamma", "a=3, scale=1/(2-z)", "-2*log(2-z)", "1", "contradicted"),
    ("vonmises", "kappa=exp(z)", "log(besseli(0, exp(z)))", "1", "contradicted"),
])  # fmt: skip
def test_scipy_decides_whether_its_law_is_the_family_claimed(
    law: str, natural: str, partition: str | None, S: str, verdict: str
) -> None:
    candidate = read(f"scipy:{law}", Options(natural=natural, partition=partition))
    checks = list(checks_for(candidate.family, S, only=("oracle",), oracle=candidate.oracle))
    assert [str(check.verdict) for check in checks] == [verdict]


def test_a_formula_may_begin_with_a_minus_sign(capsys: pytest.CaptureFixture[str]) -> None:
    spec = ["audit", "-log(2-z)", "--S", "1", "--support", "interval:0,oo", "--base", "-2*r"]
    assert main([*spec, "--domain", "-oo,2", "--quick", "--json", "-"]) == 0  # no theorem needs R_s on (-oo, 2)
    audit = json.loads(capsys.readouterr().out)
    assert audit["setting"]["log_partition"] == "-log(2 - z)"
    assert {c["name"]: c["verdict"] for c in audit["checks"]}["log_partition"] == "proved"


def verdicts(spec: str, options: Options, *only: str) -> dict[str, str]:
    audit = audit_family(read(spec, options).family, 1, only=only)
    return {c["name"]: str(c["verdict"]) for c in audit["checks"]}


def test_a_base_must_normalise_at_every_dispersion_that_is_stated() -> None:
    bernoulli = {"support": "0,1", "base": "0"}
    asked = ("normalisation", "dispersions")
    assert verdicts("log(1+exp(z))", Options(**bernoulli), *asked)["normalisation"] == "proved"
    found = verdicts("log(1+exp(z))", Options(**bernoulli, dispersion="positive"), *asked)
    assert found["normalisation"] == found["dispersions"] == "refuted"
    gaussian = Options(support="interval:-oo,oo", base="-r**2/(2*g)-log(2*pi*g)/2")
    assert verdicts("z**2/2", gaussian, *asked)["normalisation"] == "proved"


def test_a_single_unusual_dispersion_is_audited_at_that_dispersion(capsys: pytest.CaptureFixture[str]) -> None:
    base = ["--support", "interval:-oo,oo", "--base", "-r**2/(2*g)-log(2*pi*g)/2", "--dispersion", "3/10"]
    assert main(["audit", "z**2/2", "--S", "1", "--quick", *base, "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["setting"]["g"] == "3/10"


def test_a_stated_density_that_is_open_or_wrong_leaves_the_theorems_open_or_out() -> None:
    def applies(spec: str, base: str, support: str) -> Any:
        family = read(spec, Options(support=support, base=base)).family
        return audit_family(family, 1, only=("log_partition", "normalisation"))["theorems"]["eqn:GLM"]

    assert applies("exp(z)", "-loggamma(r+1)", "integers:0,oo")["applies"] is True
    assert applies("exp(z)", "-loggamma(r+1)", "integers:1,oo") == {
        "applies": False, "reason": "needs a yes to normalisation", "reading": "as-printed",
        "note": "with a base measure of its own for every g", "failed_checks": ["normalisation"],
    }  # fmt: skip
    between = applies("exp(z)", "-loggamma(r+1)", "interval:0,oo")
    assert (between["applies"], between["reason"]) == (None, "open: normalisation")
    other = read("scipy:gamma", Options(natural="a=3, scale=1/(2-z)", partition="-2*log(2-z)"))
    found = audit_family(other.family, 1, only=("log_partition", "oracle"), oracle=other.oracle)["theorems"]["eqn:GLM"]
    assert (found["applies"], found["reason"]) == (None, "open: oracle (contradicted by numbers)")


@pytest.mark.parametrize(("words", "refuted", "undecided", "code", "strict_code"), [
    ("exp(z) --S 1", set(), set(), 0, 0),
    ("-log(1-exp(z)) --S 1 --tilt 2", {"R_s_global", "growth"}, set(), 0, 0),  # no theorem needs these two
    ("z*tan(z) --S 1", set(), {"log_partition", "R_s_global"}, 0, 3),
    ("z**2/2+z**4/24 --S 1", {"log_partition"}, set(), 1, 1),
    ("z**2/2+z**4/24 --S 1 --paper oful", {"log_partition"}, set(), 1, 1),  # of no theorem about families
    ("-log(-z) --S 1", {"domain"}, set(), 1, 1),
])  # fmt: skip
def test_the_exit_code_is_1_if_a_theorem_needs_what_is_refuted_and_3_if_strict_and_undecided(
    words: str, refuted: set[str], undecided: set[str], code: int, strict_code: int, tmp_path: Path
) -> None:
    found = tmp_path / "audit.json"
    command = ["audit", "--quick", "--json", str(found), *words.split()]
    assert main(command) == code
    checks = json.loads(found.read_text())["checks"]
    assert {one["name"] for one in checks if one["verdict"] == "refuted"} >= refuted
    assert {one["name"] for one in checks if one["verdict"] == "undecided"} >= undecided
    assert main([*command, "--strict"]) == strict_code


def test_the_page_stands_alone_and_shows_every_check(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    assert main(["audit", "bernoulli", "--S", "2", "--html", str(target), "--json", str(tmp_path / "a.json")]) == 0
    page = target.read_text()
    assert page.count('<img src="data:image/svg+xml;base64,') == 2
    assert "://" not in page
    shown = re.sub(r"<[^>]*>", "", html.unescape(page))
    for check in json.loads((tmp_path / "a.json").read_text())["checks"]:
        assert re.sub(r"<[^>]*>", "", html.unescape(str(prose(check["question"])))) in shown


def test_the_table_of_families_fits_eighty_columns_and_shows_every_family(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["families"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    for line, row in zip(lines[2:], families.rows(), strict=False):
        assert line.split()[0] == row["name"]
        assert row["support"] in line
        assert row["domain"] in line
    assert len(lines) == 2 + len(catalog.NAMES) + 3


def test_the_table_as_data_carries_the_certified_constants(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["families", "--json", "-"]) == 0
    rows = json.loads(capsys.readouterr().out)["families"]
    for row in rows:
        constant = R_s_global(catalog.get(row["name"]))
        assert row["R_s_global"]["lower"] == constant.lower
        assert row["attained"] == constant.attained


def test_a_misspelt_family_is_told_its_name() -> None:
    with pytest.raises(BadInput, match="did you mean poisson"):
        read("possion", Options())
