"""The command line: exit codes, JSON on demand, errors that name what is wrong."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest
from glbcheck.verify.claim import Statement
from glbcheck.verify.counterexample import refute
from glbcheck.verify.plain_json import dumps
from hypothesis import given
from hypothesis import strategies as st

from glbcheck import cli, command
from glbcheck.cli import VERBS, command_line, main
from tests.helpers import small_paper

ABOUT_A_PAPER = {"check", "show", "index", "report", "reproduce"}
Command = Callable[..., str]


@pytest.fixture
def glbcheck(here: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command on the small paper: what it says where, given that it exits as foreseen."""

    def run(*args: str, code: int = 0) -> str:
        paper = ["--paper", "tiny"] if args and args[0] in ABOUT_A_PAPER and "--paper" not in args else []
        found = main([*args, *paper])
        said = capsys.readouterr()
        assert found == code, said.err
        assert all(len(line) <= 80 for line in said.out.splitlines() if "--json" not in args)
        if code != 2:
            assert all(line.startswith("[") for line in said.err.splitlines())  # progress, on a busy machine
            return said.out
        assert said.out == ""
        assert "Traceback" not in said.err
        return said.err

    return run


def ids(text: str) -> set[str]:
    return {one["id"] for one in json.loads(text)["claims"]}


def test_the_command_is_also_a_module_and_no_error_when_its_reader_leaves_early(here: Path) -> None:
    script = f'"{sys.executable}" -m glbcheck check --paper tiny --json - | head -c 10; exit "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", script], cwd=here, capture_output=True, text=True)
    assert (done.returncode, len(done.stdout), done.stderr) == (0, 10, "")


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("paper", ["tiny", "./tiny", "{here}/tiny"])
def test_check_decides_every_claim(here: Path, glbcheck: Command, jobs: str, paper: str) -> None:
    text = glbcheck("check", "--jobs", jobs, "--paper", paper.format(here=here), "--json", "out/r.json")
    assert "5 of 5 claims as expected" in text
    assert ids((here / "out" / "r.json").read_text()) == small_paper.CLAIMS


def test_check_takes_anchors_and_ids_and_what_they_rest_on(glbcheck: Command) -> None:
    assert ids(glbcheck("check", "lemma:open", "--json", "-")) == {"open_question"}
    rests_on = {"fails_repaired", "holds", "open_question"}
    assert ids(glbcheck("check", "fails_repaired", "--json", "-")) == rests_on


def test_a_review_records_the_claims_it_names_and_not_what_they_rest_on(here: Path, glbcheck: Command) -> None:
    glbcheck("check", "fails_repaired", "--review")
    checked = here / "tiny" / "checked.json"
    known = json.loads(checked.read_text())
    assert set(known["words"]) == {"fails_repaired", "links of fails_repaired"}
    known["parts"]["gone"] = {"edit": "the value + 1/10"}
    checked.write_text(json.dumps(known))
    glbcheck("check", "--review")
    known = json.loads(checked.read_text())
    assert set(known["words"]) == small_paper.CLAIMS | {f"links of {id}" for id in small_paper.CLAIMS}
    assert "gone" not in known["parts"]
    glbcheck("check")


def test_a_claim_that_may_not_rest_on_what_it_uses_is_bad_input(here: Path, glbcheck: Command) -> None:
    source = small_paper.FIRST.replace('uses=("open_question",)', 'uses=("fails",)')
    (here / "tiny" / "first.py").write_text(source)
    assert "claim 'holds' is as printed and uses 'fails', which is expected refuted" in glbcheck("check", code=2)


def test_strict_makes_undecided_exit_3(glbcheck: Command) -> None:
    glbcheck("check", "--strict", code=3)
    glbcheck("check", "lemma:false", "--strict", code=3)
    glbcheck("show", "fails", "--strict", code=0)


def test_a_file_that_is_no_certificate_is_told_what_it_lacks(here: Path, glbcheck: Command) -> None:
    (here / "other.json").write_text('{"claims": []}')
    assert "not a certificate (it has no format, such as glbcheck-certificate/2)" in glbcheck(
        "replay", "other.json", code=2
    )


def test_what_is_not_as_expected_exits_1(here: Path, glbcheck: Command) -> None:
    source = small_paper.BAD.replace('uses=("ghost",)', "uses=()").replace('uses=("merry",)', "uses=()")
    (here / "tiny" / "third.py").write_text(source)
    assert "not as expected (4)" in glbcheck("check", code=1)
    glbcheck("check", "holds", code=0)


def test_show_tells_all_about_one_anchor_in_both_readings(here: Path, glbcheck: Command) -> None:
    text = glbcheck("show", "lemma:false", "--json", "r.json")
    for piece in ("fails\n", "fails_repaired\n", "x = 1/2", "exp(x) <= 1 + x + x**2/2", "by at least"):
        assert piece in text
    assert text.startswith("lemma:false: false as printed; true as repaired\n")
    assert text.index("\nfails\n") < text.index("\nfails_repaired\n")
    said = glbcheck("show", "lemma:flase", "--results", "r.json", code=2)
    assert said == "glbcheck: Unknown claim or label 'lemma:flase'. Did you mean lemma:false?\n"
    edited = (here / "r.json").read_text().replace("A false statement.", "an edited title")
    (here / "r.json").write_text(edited)
    assert "an edited title" in glbcheck("show", "fails", "--results", "r.json")


@pytest.mark.parametrize(("args", "message"), [
    ((), "VERB is missing"), (("frobnicate",), "VERB = 'frobnicate'"),
    (("check", "lemma:fals"), "Unknown claim or label 'lemma:fals'. Did you mean lemma:false?"),
    (("show",), "required: anchor"), (("show", "qqq"), "Unknown claim or label 'qqq'.\n"),
    (("show", "holds", "--results", "missing.json"), "missing.json"),
    (("check", "--jobs", "0"), "'0' is not a positive whole number"),
    (("check", "--paper", "no_such"), "paper = 'no_such': no such paper; accepted is the name of a paper (hcw"),
    (("check", "--paper", "."), "paper = '.': the folder has no paper.toml"),
    (("report", "--paper", "no_such"), "paper = 'no_such'"),
    (("audit", "z**2/2", "--S", "1", "--paper", "no_such"), "paper = 'no_such'"),
    (("reproduce", "--paper", "no_such"), "paper = 'no_such'"),
    (("audit", "scipy:geom", "--S", "1"), "SPEC = 'scipy:geom' is not accepted: together with --natural"),
    (("audit", "scipy:geom", "--natural", "p=1-exp(z)", "--S", "1"), "'scipy:geom' is not accepted: a catalogue"),
    (("report",), "results.json: not a readable JSON file"), (("replay", "missing.json"), "missing.json"),
    (("index", "missing.tex"), "missing.tex"),
    (("check", "--json", "/proc/none/r.json"), "--json = '/proc/none/r.json'"),
    (("check", "--page", "/proc/none/page"), "--page = '/proc/none/page'"),
])  # fmt: skip
def test_bad_input_exits_2_and_says_what_is_wrong(
    here: Path, glbcheck: Command, args: tuple[str, ...], message: str
) -> None:
    assert message.replace("{here}", str(here)) in glbcheck(*args, code=2)


def test_an_unknown_label_is_answered_with_where_the_labels_are_listed(here: Path, glbcheck: Command) -> None:
    """A label of the paper that no claim is about is not called unknown."""
    small_paper.listed(here / "tiny")
    for verb in ("check", "show"):
        said = glbcheck(verb, "qqq", code=2)
        assert said == f"glbcheck: Unknown claim or label 'qqq'. {here}/tiny/anchors.json lists the labels.\n"
        assert glbcheck(verb, "lemma:false/eq1", code=2) == "glbcheck: No claim checks 'lemma:false/eq1'.\n"


def test_labels_of_the_default_paper_are_listed_in_the_documentation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "qqqq"]) == 2
    assert capsys.readouterr().err == "glbcheck: Unknown claim or label 'qqqq'. docs/verdicts.md lists the labels.\n"
    assert main(["check", "lemma:ep"]) == 2
    assert capsys.readouterr().err == "glbcheck: Unknown claim or label 'lemma:ep'. Did you mean lemma:epl?\n"


@pytest.mark.parametrize(("file", "text", "complaint"), [
    ("third.py", small_paper.BAD, "claim 'dangling' uses 'ghost'"),
    ("third.py", "\nimport no_such\n", "third.py:2: ModuleNotFoundError: No module named 'no_such'"),
    ("third.py", "1 +\n", "third.py:1: SyntaxError: invalid syntax"),
    ("__init__.py", "raise SystemExit(0)", "__init__.py:1: SystemExit: 0"),
    ("third.py", "from .first import gone\n", "third.py:1: ImportError: cannot import name 'gone'"),
    ("repairs/a-b.py", "", "a-b.py: cannot be imported"), ("third.py", small_paper.FIRST, "declared twice"),
    ("anchors.json", "{}", "anchors.json: not an index of anchors"),
    ("anchors.json", '{"paper": {"sha256": ""}, "anchors": []}', "which is not in anchors.json"),
    ("paper.toml", "title = ", "paper.toml: cannot be read"),
    ("paper.toml", "authors = []", "paper.toml: title is missing"),
    ("paper.toml", 'title = ["a"]', "paper.toml: title = ['a']: a str is accepted"),
    ("paper.toml", 'title = "a"\nyear = 2026', "paper.toml: unknown key 'year'"),
    ("paper.toml", 'title = "a"\nauthors = [1]', "paper.toml: authors = [1]: a list of texts"),
    ("paper.toml", 'title = "a"\nsections = [{}]', "paper.toml: sections: {}"),
    ("paper.toml", 'title = "a"\nsections = [{title = "1", modules = ["none"]}]',
     "paper.toml: section '1': no module 'none'"),
])  # fmt: skip
def test_a_broken_paper_exits_2_in_one_line(
    here: Path, glbcheck: Command, file: str, text: str, complaint: str
) -> None:
    (here / "tiny" / file).write_text(text)
    for verb in (("check",), ("show", "holds"), ("reproduce", "--stages", "claims")):
        said = glbcheck(*verb, code=2)
        assert complaint in said
        assert said.splitlines()[-1].startswith("glbcheck: ")
    assert not list(here.glob("results/*/results.json"))


def test_replay_is_the_kernel_on_files(here: Path, glbcheck: Command) -> None:
    made = dict(refute(Statement(("x >= 0",), "exp(x) <= 2"), {"x": 1}, "test").certificate)
    (here / "c.json").write_text(json.dumps(made))
    assert glbcheck("replay", "c.json").strip() == "c.json: stands: refuted"
    made["proof"] = {**made["proof"], "at": {"x": "1/2"}}
    (here / "d.json").write_text(json.dumps(made))
    assert "does not stand" in glbcheck("replay", "c.json", "d.json", code=1)
    assert json.loads(glbcheck("replay", "d.json", "--json", "-", code=1))["files"][0]["verdict"] is None


@pytest.mark.parametrize(("text", "complaint"), [
    ("[]", "no list of claims"), ('{"claims": [null]}', "claim number 1: not an object"),
    ('{"claims": [{"id": "a"}]}', "title is missing or not a str"), ("[" * 100_000, "not a readable JSON file"),
    ('{"claims": [{"id": "a", "title": "", "anchors": [], "evidence": {}, "uses": [], "verdict": "true"}]}',
     "'true' is not a verdict"),
])  # fmt: skip
def test_results_that_are_none_are_refused_in_one_line(
    here: Path, glbcheck: Command, text: str, complaint: str
) -> None:
    (here / "results.json").write_text(text)
    assert complaint in glbcheck("show", "holds", "--results", "results.json", code=2)
    assert complaint in glbcheck("report", "--results", ".", code=2)


def test_a_pipe_without_a_writer_is_refused(here: Path, glbcheck: Command) -> None:
    os.mkfifo("pipe")
    assert "a named pipe" in glbcheck("replay", "pipe", code=2)


def test_a_crash_is_one_line_and_has_a_code_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(args: object) -> NoReturn:
        raise ZeroDivisionError("a bug")

    monkeypatch.setitem(cli.VERBS, "families", replace(cli.VERBS["families"], run=broken))
    assert main(["families"]) == 4
    assert capsys.readouterr().err.startswith("glbcheck: crashed, please report it: ZeroDivisionError: a bug")
    monkeypatch.setenv(cli.TRACEBACK, "1")
    with pytest.raises(ZeroDivisionError):
        main(["families"])


def test_index_reports_and_writes(here: Path, glbcheck: Command) -> None:
    tex = here / "paper.tex"
    tex.write_text(small_paper.SOURCE.replace("{lemma:open} b", "{lemma:new} b"))
    before = json.loads(glbcheck("index", "paper.tex", "--json", "-", code=1))
    assert before["new"] == ["sec:notation", "lemma:true", "lemma:new", "lemma:false", "lemma:false/eq1"]
    assert before["unclaimed"] == ["lemma:new", "lemma:false/eq1"]
    assert before["unknown"] == ["lemma:open"]
    glbcheck("index", "paper.tex", "--write")
    assert "claim 'open_question' is about 'lemma:open'" in glbcheck("check", code=2)
    tex.write_text(small_paper.SOURCE)
    after = json.loads(glbcheck("index", "paper.tex", "--json", "-", code=1))
    assert (after["new"], after["gone"], after["changed"]) == (["lemma:open"], ["lemma:new"], [])
    glbcheck("index", "paper.tex", "--write")
    paper = json.loads(glbcheck("check", "--json", "-"))["paper"]
    assert paper["sha256"] == after["paper"]["sha256"]


def test_index_keeps_the_index_of_another_paper_unless_forced(here: Path, glbcheck: Command) -> None:
    index, facts = here / "tiny" / "anchors.json", here / "tiny" / "paper.toml"
    small_paper.listed(here / "tiny")
    digest = json.loads(index.read_text())["paper"]["sha256"]
    facts.write_text(f'title = "A small paper"\nsha256 = "{digest}"\n')
    before = index.read_bytes(), facts.read_bytes()
    other = small_paper.SOURCE.replace("lemma:", "theorem:")
    (here / "other.tex").write_text(other)
    said = glbcheck("index", "other.tex", "--write", code=2)
    assert "1 of 4 labels are those of" in said
    assert "--force" in said
    assert (index.read_bytes(), facts.read_bytes()) == before
    glbcheck("index", "other.tex", "--write", "--force")
    assert digest not in facts.read_text() + index.read_text()
    facts.write_bytes(before[1])
    assert "paper.toml says" in glbcheck("check", code=2)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
        max_leaves=12,
    )
)
def test_json_keeps_every_value_infinities_included(data: Any) -> None:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    assert json.loads(dumps(data), parse_constant=refuse) == data
    assert json.loads(dumps([float("nan"), data]), parse_constant=refuse) == [None, data]


@pytest.mark.parametrize("name", VERBS)
def test_the_help_of_every_verb_ends_with_an_example_that_can_be_typed(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split("example:")[1].split())
    program, *words = shlex.split(shown)
    assert (program, words[0]) == ("glbcheck", name)
    assert command_line().parse_args(words).verb == name


def test_the_page_on_commands_lists_every_exit_code_and_every_variable() -> None:
    page = (small_paper.ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    codes = {name: value for name, value in vars(command).items() if name.isupper() and isinstance(value, int)}
    assert {int(code) for code in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)} == {*codes.values(), 130}
    sources = [
        path.read_text(encoding="utf-8")
        for room in ("glbcheck", "core", "verify")
        for path in (small_paper.ROOT / room).rglob("*.py")
    ]
    used = {name for text in sources for name in re.findall(r'"(GLBCHECK_\w+|XDG_\w+)"', text)}
    assert set(re.findall(r"`((?:GLBCHECK|XDG)_\w+)`", page)) == used
