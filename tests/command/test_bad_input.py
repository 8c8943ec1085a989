"""Wrong input at the command line: exit code 2 and one line that names what was typed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from glbcheck import simulate
from glbcheck.cli import command_line, main

FILES = {
    "empty": b"", "binary.csv": bytes(range(256)), "binary.tex": bytes(range(256)), "binary.json": bytes(range(256)),
    "data.csv": b"a,b\n1,2\n3,4\n", "header.csv": b"a,b\n", "twice.csv": b"a,a\n1,2\n", "words.csv": b"a,b\n1,x\n2,y\n",
    "gaps.csv": b"a,b\n1,nan\n2,3\n", "one.py": b"x = 1\n", "raises.py": b"raise ValueError('no')\n",
    "exits.py": b"raise SystemExit(3)\n",
    "no_cells.json": b'{"seed": 1}', "wrong_axis.json": b'{"blocks": [{"dimension": [1]}]}', "list.json": b"[]",
}  # fmt: skip


@pytest.fixture
def wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of files that no verb can use, and a folder in the place of a file."""
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        Path(name).write_bytes(content)
    os.mkdir("folder")


@pytest.mark.parametrize(("command", "message"), [
    ("--nope", "unknown argument '--nope'"), ("-x", "VERB = '-x'"), ("families -q", "unknown argument '-q'"),
    ("check --jobs -1", "'-1' is not a positive whole number"), ("check --jobs 1.5", "'1.5' is not a positive"),
    ("check --paper folder", "paper = 'folder': the folder has no paper.toml"),
    ("check --paper empty", "paper = 'empty': no such paper"),
    ("show lemma:epl --results folder", "folder"), ("show lemma:epl --results empty", "empty: not a readable JSON"),
    ("show lemma:epl --results binary.json", "binary.json: not a readable JSON"),
    ("report --results folder", "results.json: not a readable JSON"), ("report --results nowhere", "nowhere"),
    ("replay folder", "FILE = 'folder': cannot be read (Is a directory)"), ("replay nowhere", "FILE = 'nowhere'"),
    ("replay empty", "FILE = 'empty'"), ("replay binary.json", "FILE = 'binary.json'"),
    ("replay list.json", "FILE = 'list.json': not a certificate"),
    ("replay no_cells.json", "FILE = 'no_cells.json': not a certificate"),
    ("index nowhere.tex", "nowhere.tex"), ("index folder", "folder"), ("index binary.tex", "binary.tex"),
    ("new nowhere.tex made", "nowhere.tex"), ("new binary.tex made", "binary.tex"), ("new folder made", "folder"),
    ("decide x>", "Syntax error in 'x>': formula expected at the end (column 3)."),
    ("decide x^2>=0", "expected at '^2>=0' (column 2). Write powers as **."),
    ("decide x>sum(1,k", "'sum' at column 3 needs a body"), ("decide x>(1", "')' expected at the end (column 5)."),
    ("decide x=1=>x>0", "expected at '=1' (column 2)."), ("decide f(x)>0", "'f' at column 1 is not a function"),
    ("decide x>0=>", "STATEMENT = 'x>0=>'"), ("decide x**2>=0 --certificate folder", "--certificate = 'folder'"),
    *((f"audit bernoulli --S {S}", f"S = '{S}'") for S in ("0", "-1", "nan", "inf", "abc", "1/0", "1e400")),
    ("audit bernoulli --S 1 --d 0", "d = 0"), ("audit bernoulli --S 1 --d 1.5", "--d: invalid int value: '1.5'"),
    ("audit bernoulli --S 1 --T 0", "T = 0"), ("audit bernoulli --S 1 --delta 2", "delta = 2.0"),
    ("audit bernoulli --S 1 --delta nan", "delta = nan"), ("audit bernoulli --S 1 --C -1", "C = -1.0"),
    ("audit bernouli --S 1", "'bernouli'"), ("audit bernoulli", "required: --S"),
    ("audit z**2/2 --S 1 --domain 2,1", "--domain = '2,1'"), ("audit z**2/2 --S 1 --tilt x", "--tilt = 'x'"),
    ("audit z**2/2 --S 1 --support foo", "--support = 'foo'"), ("audit z**2/2 --S 1 --base r+", "--base = 'r+'"),
    ("audit z**2/2 --S 1 --dispersion foo", "--dispersion = 'foo'"),
    ("audit one.py:y --S 1", "one.py:y"), ("audit one.py:x --S 1", "one.py:x"),
    ("audit nowhere.py:f --S 1", "nowhere.py"), ("audit raises.py:f --S 1", "raises.py"),
    ("audit exits.py:f --S 1", "exits.py"),
    ("audit folder:f --S 1", "folder:f"), ("audit scipy:nope --S 1 --natural mu=z", "scipy:nope"),
    ("fit nowhere.csv --reward a", "nowhere.csv"), ("fit folder --reward a", "folder"),
    ("fit empty --reward a", "empty"), ("fit binary.csv --reward a", "binary.csv"),
    ("fit header.csv --reward a", "header.csv"), ("fit twice.csv --reward a", "twice.csv"),
    ("fit words.csv --reward a", "words.csv"), ("fit gaps.csv --reward b", "gaps.csv"),
    ("fit data.csv", "required: --reward"), ("fit data.csv --reward c", "--reward = 'c': no such column"),
    ("fit data.csv --reward a --contexts c", "--contexts = 'c': no such column"),
    ("fit data.csv --reward a --families nope", "families = 'nope'"),
    ("fit data.csv --reward a --rows 0", "'0' is not a positive"), ("fit data.csv --reward a --seed -1", "seed = -1"),
    ("fit data.csv --reward a --figure plot.png", "--figure = 'plot.png'"),
    ("simulate", "required: what"), ("simulate nope", "'nope'"), ("simulate coverage --d 1.5", "'1.5'"),
    ("simulate coverage --d 0", "d = 0"), ("simulate coverage --T 0", "T = 0"), ("simulate coverage --T 1e3", "'1e3'"),
    ("simulate coverage --C inf", "C = inf"), ("simulate coverage --smoke --S 0", "S = 0.0"),
    ("simulate coverage --smoke --delta 2", "delta = 2.0"), ("simulate coverage --families bernouli", "'bernouli'"),
    ("simulate coverage --replicates 0", "replicates = 0"), ("simulate coverage --seed -1", "seed = -1"),
    ("simulate coverage --workers 0", "'0' is not a positive"), ("simulate coverage --grid nowhere", "'nowhere'"),
    ("simulate coverage --grid folder", "'folder'"), ("simulate coverage --grid empty", "'empty'"),
    ("simulate coverage --grid binary.json", "'binary.json'"), ("simulate coverage --grid no_cells.json", "blocks"),
    ("simulate coverage --grid wrong_axis.json", "'dimension'"), ("simulate coverage --grid list.json", "grid = []"),
    ("simulate coverage --smoke --d 1 --arms corruption:1.0", "arms = 'corruption:1.0'"),
    ("simulate coverage --smoke --arms sphere:3,nope", "arms = 'nope'"),
    ("reproduce --stages nope", "'nope'"), ("reproduce --jobs 0", "'0' is not a positive"),
])  # fmt: skip
@pytest.mark.usefixtures("wrong")
def test_wrong_input_is_refused_with_what_was_typed(
    command: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command.split()) == 2
    said = capsys.readouterr()
    assert said.out == ""
    *before, last = [line for line in said.err.splitlines() if not line.startswith("try: ")]
    assert last.startswith("glbcheck: ")
    assert message in last
    assert all(line.startswith("running the Python code in ") for line in before)


@pytest.mark.usefixtures("wrong")
def test_options_leave_out_the_blocks_of_the_default_grid_that_they_do_not_fit(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["simulate", "coverage", "--smoke", "--families", "gaussian", "--d", "1,2"]
    cells = simulate._grid(command_line().parse_args(words)).cells()
    assert {(cell.family, cell.d) for cell in cells} == {("gaussian", 1), ("gaussian", 2)}
    assert {cell.d for cell in cells if cell.arms in ("corruption:1.0", "turning")} == {2}
    assert {cell.d for cell in cells if cell.arms == "basis"} == {1, 2}
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("left out of the default grid, where --families, --d does not fit: arms = 'corruption:1.0'")
    assert "phi" not in line
