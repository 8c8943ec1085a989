"""`decide`: a statement that somebody types, and never the wrong word for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from glbcheck.core.errors import BadInput
from glbcheck.core.kernel.check import check
from glbcheck.verify.claim import Verdict
from glbcheck.verify.decide import decide
from glbcheck.verify.search import cover, ladder
from glbcheck.verify.wording import read

from glbcheck.cli import main
from tests.attacks.kernel_battery_accepted import ACCEPTED
from tests.corpus.statements import FALSE, TRUE, UNSETTLED


@pytest.mark.parametrize("statement", TRUE)
def test_what_is_true_is_proved(statement: str) -> None:
    found = decide(statement)
    assert found.verdict in (Verdict.PROVED, Verdict.CERTIFIED), found.summary
    assert check(json.loads(json.dumps(found.certificate))).word == found.verdict


@pytest.mark.parametrize("statement", FALSE)
def test_what_is_false_is_refuted_at_a_point(statement: str) -> None:
    found = decide(statement)
    assert found.verdict is Verdict.REFUTED, found.summary
    assert check(json.loads(json.dumps(found.certificate))).word == "refuted"
    assert found.counterexample is not None


@pytest.mark.parametrize("statement", UNSETTLED)
def test_what_is_out_of_reach_is_undecided_with_a_reason(statement: str) -> None:
    found = decide(statement)
    assert found.verdict is Verdict.UNDECIDED
    assert found.summary


def test_a_statement_has_one_word_wherever_it_is_asked() -> None:
    claim, box = "n - 1 <= 8*log(n)", {"n": (8, 27)}
    asked = (decide(f"n >= 8, n <= 27 => {claim}"), ladder.inequality(claim, "n", 8, 27), cover.certify(claim, box))
    assert {found.verdict for found in asked} == {Verdict.PROVED}


def test_steps_on_the_way_are_proved_and_then_known() -> None:
    data = {"variables": {"x": "real"}, "hypotheses": ["x >= 1"], "conclusion": "x**2 >= 1"}
    found = decide(data, steps=("x >= 0", "x >= 2"))
    assert found.verdict is Verdict.PROVED
    assert "x >= 2" not in str(found.certificate)


def test_a_margin_too_long_to_write_out_is_still_a_bound() -> None:
    found = decide("exp(exp(exp(x))) <= 2").counterexample
    assert found is not None
    assert decide("(1 + x)**(10**4) <= exp(x)").verdict is Verdict.REFUTED


def test_names_are_real_unless_declared_and_bound_names_are_not_variables() -> None:
    (data,) = read("n: integer, n >= 1 => sum(a*k, k, 1, n) >= integral(t, t, 0, a)")
    assert data["variables"] == {"n": "integer", "a": "real"}
    assert data["hypotheses"] == ["n >= 1"]
    (data,) = read("gamma > 0 => gamma*gamma(2) > 0")
    assert data["variables"] == {"gamma": "real"}


def test_several_conclusions_are_one_statement() -> None:
    assert decide("x >= 1 => x > 0, x**2 >= 1").verdict is Verdict.PROVED
    assert decide("x >= 1 => x > 0, x**2 >= 2").verdict is Verdict.REFUTED


@pytest.mark.parametrize("text", ["", "x >= => 2", "n: prime => n > 1", "foo(x) > 1", "x > 0 => y > 0 => z > 0", "x",
                                  "x > 0 =>", "n: integer, n: real => n >= n",
                                  "__import__('os')", "x.real > 0", "1 < x < 2"])  # fmt: skip
def test_what_is_no_statement_is_refused_by_name(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadInput, match="STATEMENT"):
        decide(text)
    assert main(["decide", text]) == 2
    assert "STATEMENT" in capsys.readouterr().err


def test_the_command_answers_in_text_in_json_and_by_its_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "c.json"
    assert main(["decide", "x >= 0 => log(1 + x) <= x", "--certificate", str(file)]) == 0
    assert f"glbcheck replay {file}" in capsys.readouterr().out
    assert main(["replay", str(file)]) == 0
    capsys.readouterr()
    assert main(["decide", "x >= 0 => log(1 + x) >= x/2", "--json", "-"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"statement", "verdict", "prover", "certificate", "counterexample", "reason"}
    assert found["verdict"] == "refuted"
    assert set(found["counterexample"]) == {"x"}
    assert main(["decide", "sin(x) <= 1"]) == 0
    assert main(["decide", "sin(x) <= 1", "--strict"]) == 3


@pytest.mark.parametrize("false", ["integral(t, t, 0, 1) == 1/3", "integral(t**2, t, 0, 1) > 1/3"])
def test_a_false_integral_is_called_false_by_the_proof_of_its_opposite(false: str) -> None:
    found = decide(false)
    assert found.verdict is Verdict.UNDECIDED
    assert "false, for " in found.summary
    assert not found.certificate


def test_a_root_of_a_number_too_large_for_sympy_is_no_crash() -> None:
    assert decide("((9860151819387*(1 - 1/10))/5617152326656)**(99/100) <= 2").verdict is Verdict.PROVED


def proofs_in(data: Any) -> Iterator[dict[str, Any]]:
    """Every proof inside the certificates that the kernel accepts."""
    if isinstance(data, dict) and "rule" in data and data["rule"] != "point":
        yield data
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list | tuple) else ():
        yield from proofs_in(part)


POINTS = ("points.near", "points.candidates", *(f"proposed_points.{name}" for name in ("solutions", "around", "far")))


@pytest.mark.parametrize("statement", FALSE[::4])
def test_a_searcher_that_lies_proves_nothing(statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lies = [("a liar", proof) for proof in proofs_in([certificate for _, certificate in ACCEPTED.values()])]
    assert len(lies) > 60
    monkeypatch.setattr("glbcheck.verify.search.tactics.proofs", lambda *_: iter(lies))
    for source in POINTS:
        monkeypatch.setattr(f"glbcheck.verify.search.{source}", lambda *_: iter(()))
    assert decide(statement).verdict is Verdict.UNDECIDED
