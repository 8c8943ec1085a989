"""Files of answers and certificates: written, replayed, read by programs of their own, and refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from glbcheck.core.kernel.__main__ import looked_at
from glbcheck.core.kernel.check import check as check_certificate
from glbcheck.core.kernel.ring import same
from glbcheck.core.kernel.terms import Rejected
from glbcheck.core.measures.check import check
from glbcheck.core.measures.interval import read as parse_in_z
from glbcheck.core.measures.writing import opened

from glbcheck import cli
from tests.helpers.audit_answers import document, written


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
    good.write_text(written("log(1+exp(z))", "R_s", 2), encoding="utf-8")
    bad.write_text(json.dumps({**document("log(1+exp(z))", "R_s", 2), "S": "9"}), encoding="utf-8")
    broken.write_text("[", encoding="utf-8")
    for files, code in (([good], 0), ([good, bad], 1), ([good, broken], 2)):
        command = [sys.executable, "-m", "glbcheck.core.measures", *map(str, files)]
        assert subprocess.run(command, capture_output=True, check=False).returncode == code
    loaded = "import sys, glbcheck.core.measures.check; print('sympy' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout == "False\n"
    )


def test_an_answer_by_a_rule_that_ended_is_bad_input_for_both_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = {"rule": "exponential", "parts": [{"rule": "landau", "parameters": ["z"]}]}
    whole = {**document("log(1+exp(z))", "log_partition", 2), "format": "glbcheck-answer/1", "by": {"tree": tree}}
    path = tmp_path / "old.json"
    path.write_text(json.dumps({**whole, "family": {"m": "z*log(z)", "domain": ["0", "oo"]}}), encoding="utf-8")
    assert cli.main(["replay", str(path)]) == 2
    said = capsys.readouterr()
    assert said.err.strip().endswith("the rule 'landau' ended with glbcheck-answer/1; audit the family again")
    assert len(said.err.strip().splitlines()) == 1
    assert looked_at(str(path), check) == 2


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
