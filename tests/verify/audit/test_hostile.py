"""Hostile and broken input: a clean refusal or a clean verdict, in time, with nothing left behind."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from glbcheck.cli import main

REFUSED = [
    *("", "   ", "__import__('os').system('touch hacked')", "().__class__", "z.__class__", "z.real", "open('x')"),
    *("lambda: 1", "[z for z in range(3)]", "z if z else 1", "f'{z}'", "z = 3", "z; z", "exp(z", "exp(z))", ")("),
    *("y + z", "zz", "foo(z)", "9**9**9**9", "z**99999999", "(" * 500 + "z" + ")" * 500, "-" * 5000 + "z"),
    *("z" * 1_000_000, "+".join(["z"] * 400_000), "exp(" * 200 + "z" + ")" * 200, "1j*z", "sqrt(-1)*z", "log(-1)+z"),
    *("z/0", "3", "nan*z", "oo*z", "z\x00", "ｅｘｐ(z)", "gamma(10**9)*z", "no_such_file.py:family"),
    *("scipy:no_such_law", "scipy:norm", "scipy:__builtins__"),
]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("spec", REFUSED, ids=lambda spec: repr(spec[:20]))
def test_what_is_not_a_formula_is_refused_with_a_message(
    spec: str, empty_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", "--S", "1", "--", spec]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("glbcheck: ")
    assert len(said.err) < 1500
    assert list(empty_folder.iterdir()) == []


@pytest.mark.parametrize(("spec", "check"), [
    ("-z**2", "convex"), ("abs(z)", "smooth"), ("max(z, 0)", "smooth"), ("abs(z)**3", "smooth"),
    ("abs(z - 1/2) + z**2", "smooth"), ("log(z)", "domain"), ("z**4", "slope"), ("sin(z)", "convex"),
    ("tan(z)", "domain"), ("exp(z)*sin(z)", "convex"),
])  # fmt: skip
def test_a_broken_family_gets_a_refuted_check_and_exit_code_one(
    spec: str, check: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", "--S", "2", "--quick", "--json", "-", "--", spec]) == 1
    audit = json.loads(capsys.readouterr().out)
    assert {c["name"]: c["verdict"] for c in audit["checks"]}[check] == "refuted"


@pytest.mark.parametrize("spec", [
    "exp(exp(exp(z)))", "z**1000", "exp(z**200)", "besseli(1000, z)",
    "log(1+exp(z)+exp(2*z)+exp(3*z)+exp(5*z)+exp(7*z)+exp(11*z)+exp(13*z))**3",
    "+".join(f"exp({k}*z)/{k}" for k in range(1, 60)), "sin(1/z)", "erf(erf(erf(z)))", "log(log(log(z+20)+3)+2)",
    "atan(" * 20 + "z" + ")" * 20,
], ids=lambda spec: spec[:20])  # fmt: skip
def test_hard_formulas_end_in_time_with_a_verdict_or_a_refusal(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    started = time.monotonic()
    assert main(["audit", "--S", "1", "--quick", "--", spec]) in (0, 1, 2)
    # Reading may take 8 s and twenty questions a second or two each; a hang would take for ever.
    assert time.monotonic() - started < 60
    out = capsys.readouterr().out
    assert all(len(line) <= 80 for line in out.splitlines())


BAD = {
    "--S": ("0", "-1", "abc", "nan", "1/0", "1e400", "1e-400", "1/" + "3" * 200), "--delta": ("0", "1"),
    "--C": ("-1", "inf"), "--d": ("0",), "--T": ("0",), "--domain": ("1", "2,1", "__import__,1"),
    "--support": ("everywhere", "lattice:0,1,-1"), "--base": ("open(r)", "-r"), "--dispersion": ("0", "some"),
    "--tilt": ("a", "1e999", "1/" + "3" * 60),
}  # fmt: skip


@pytest.mark.parametrize(("option", "value"), [(option, value) for option, values in BAD.items() for value in values])
def test_a_bad_option_is_named(option: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["audit", "log(1+exp(z))", option, value]
    assert main([*arguments, *([] if option == "--S" else ["--S", "1"])]) == 2
    said = capsys.readouterr().err
    assert option.lstrip("-") in said
    assert len(said) < 500


def test_a_folder_that_cannot_be_written_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "gaussian", "--S", "1", "--quick", "--html", "no/such/folder/page.html"]) == 2
    assert "--html" in capsys.readouterr().err


# --- files -------------------------------------------------------------------------------------------------

ANSWER: dict[str, Any] = {
    "format": "glbcheck-answer/2", "question": "convex", "answer": "yes", "S": "1", "g": "1",
    "family": {"m": "z**2/2", "domain": ["-oo", "oo"]}, "by": {"rule": "cells", "breaks": [], "bits": 64},
}  # fmt: skip
CERTIFICATE: dict[str, Any] = {
    "format": "glbcheck-certificate/2", "statement": {"conclusion": "1 < 2"}, "proof": {"rule": "evident"},
}  # fmt: skip
NEITHER: dict[str, Any] = {
    "S": None,
    "g": [],
    "question": "magic",
    "answer": True,
    "family": {"m": "z**"},
    "by": "so it is",
}
NO_THEOREMS: list[Any] = [[], "x", None, {}, {"theorem": "x"}, {"theorem": {"theorem": 3}}]


def replayed(data: object) -> int:
    Path("file.json").write_text(json.dumps(data, indent=1).replace("\n", "\r\n"), encoding="utf-8")
    return main(["replay", "file.json"])


def test_an_answer_and_a_certificate_that_stand_are_told_from_those_that_do_not() -> None:
    assert replayed(ANSWER) == 0
    assert replayed({**ANSWER, "family": {"m": "-z**2/2", "domain": ["-oo", "oo"]}}) == 1
    assert replayed(CERTIFICATE) == 0
    assert replayed({**CERTIFICATE, "statement": {"conclusion": "2 < 1"}}) == 1


@pytest.mark.parametrize("data", [
    *({**ANSWER, key: value} for key, value in NEITHER.items()),
    *({key: value for key, value in ANSWER.items() if key != left_out} for left_out in NEITHER),
    *({**ANSWER, "S": S} for S in ("abc", "-1", "１", "٣", "nan", "1e9999", "z", 1)),
    *({**ANSWER, "family": {"m": "z", "domain": ends}} for ends in (["-oo"], ["1", "0"], 5, [["0"], "1"])),
    *({**ANSWER, "family": {"m": m, "domain": ["0", "1"]}} for m in ("ｅｘｐ(z)", "ex\u200bp(z)", "(" * 999, "y", 3)),
    *({**ANSWER, "by": {**ANSWER["by"], **edit}} for edit in ({"bits": "x"}, {"breaks": 3}, {"breaks": ["x"]})),
    {**ANSWER, "by": {"rule": "kernel", "proof": []}}, {**ANSWER, "question": "log_partition", "by": {"tree": "x"}},
    {}, {"format": "odd"}, {**CERTIFICATE, "statement": {"conclusion": "1 <"}}, {**CERTIFICATE, "statement": "1 < 2"},
    {**CERTIFICATE, "proof": None}, {**CERTIFICATE, "proof": {"rule": "magic"}}, {**CERTIFICATE, "game": {}},
    *({"format": CERTIFICATE["format"], name: part} for name, part in (("all", 3), ("all", [3]), ("gap", "with"))),
    {"format": CERTIFICATE["format"]},
    *({"coq": part} for part in NO_THEOREMS),
], ids=lambda data: json.dumps(data)[:60])  # fmt: skip
def test_what_is_no_certificate_is_bad_input_in_one_line(data: object, capsys: pytest.CaptureFixture[str]) -> None:
    assert replayed(data) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1


DOORS: dict[str, tuple[str, ...]] = {
    "replay": (), "show": ("lemma:epl", "--results"), "simulate": ("regret", "--grid"), "fit": ("--reward", "r"),
    "index": (),
}  # fmt: skip
NO_FILES = ("pipe", "/dev/zero", "bytes.json", "missing.json", ".")
NO_JSON = ("twice.json", "deep.json")  # but text, so perhaps a TeX source


@pytest.mark.parametrize(("verb", "file"), [
    (verb, file) for verb in DOORS for file in (NO_FILES if verb == "index" else (*NO_FILES, *NO_JSON))
])  # fmt: skip
def test_a_door_for_files_refuses_what_is_none(verb: str, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("pipe")
    Path("twice.json").write_text('{"claims": [], "claims": []}')
    Path("deep.json").write_text('{"a": ' * 20_000)
    Path("bytes.json").write_bytes(bytes(range(256)))
    assert main([verb, *DOORS[verb], file]) == 2
    said = capsys.readouterr().err
    assert said.startswith("glbcheck: ")
    assert len(said.strip().splitlines()) == 1
