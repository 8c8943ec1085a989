"""Files written by earlier versions are read as before, or refused with a sentence; with one number changed they fail.

`tests/golden/make.py` says how the files were made.  Where a format ends, its files move to `REFUSED`.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from glbcheck.core.errors import BadInput, RunError
from glbcheck.core.kernel import check as kernel
from glbcheck.core.kernel.terms import Rejected
from glbcheck.core.learner import restore
from glbcheck.core.measures import check as measures
from glbcheck.verify import ledger, runner
from glbcheck.verify.report.table import summary
from glbcheck.verify.runner import Engine
from glbcheck.verify.runner.journal import Journal

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
# Files of formats that ended, and the sentence that refuses each.
REFUSED: dict[str, str] = {
    "answers/characteristic.json": r"^a characteristic witness with weights ended with glbcheck-answer/1",
    "answers/jump.json": r"^the witness 'jump' ended with glbcheck-answer/1",
    "answers/tangent-jumps.json": r"^the rule 'tangent-jumps' ended with glbcheck-answer/1",
    "answers/zeros.json": r"^the witness 'zeros' ended with glbcheck-answer/1",
    "journal/journal.sqlite": r"^there is .*journal.sqlite, which an earlier version wrote .* choose another --output$",
}
# The word of each file, and one number of it changed to another.
CHECKED = {
    "certificates/evident.json": ("proved", "cosh(x)**2", "cosh(x)**3"),
    "certificates/both.json": ("proved", '"x <= 1"', '"x <= 2"'),
    "certificates/lemma.json": ("proved", "- x + 1)", "- x + 1/2)"),
    "certificates/cases.json": ("proved", ">= x/2", ">= 3*x/2"),
    "certificates/pinned.json": ("proved", "x*y >= 2", "x*y >= 3"),
    "certificates/times.json": ("proved", '"1 + x"', '"2 + x"'),
    "certificates/substitution.json": ("proved", '"inverse": "x - 1"', '"inverse": "x - 2"'),
    "certificates/monotone.json": ("proved", '"1 - 1/(1 + u)"', '"1 - 1/(2 + u)"'),
    "certificates/exponentiate.json": ("proved", "[[2,", "[[3,"),
    "certificates/primitive.json": ("proved", "v, 0, 1) ==", "v, 0, 2) =="),
    "certificates/induction.json": ("proved", "<= n**2", "<= n**2 - 1"),
    "certificates/algebra.json": ("proved", '"coefficient": "2"', '"coefficient": "3"'),
    "certificates/cells.json": ("certified", "<= 7/8", "<= 1/8"),
    "certificates/point.json": ("refuted", '"at": {"u": "1"}}', '"at": {"u": "4"}}'),
    "certificates/invariant.json": ("proved", "x_next == x/2", "x_next == x*2"),
    "certificates/game.json": ("proved", '[1, "1/2"]', '[1, "2/3"]'),
    "certificates/computed.json": ("certified", '"1/3"', '"2/3"'),
    "certificates/trials.json": ("stress-tested", '"trials": 500', '"trials": 50'),
    "certificates/search.json": ("stress-tested", '"a": "1/2"', '"a": "0"'),
    "certificates/all.json": ("certified", "exp(x) <= 3", "exp(x) <= 2"),
    "certificates/gap.json": ("gap", "<= u/2", "<= u/1"),
    "answers/domain-no.json": ("refuted", '"z": "2"', '"z": "1/2"'),
    "answers/smooth-no.json": ("refuted", '"z": "0"', '"z": "1/2"'),
    "answers/slope-no.json": ("refuted", '"z": "0"', '"z": "1/8"'),
    "answers/convex-no.json": ("refuted", '"z": "-3/8"', '"z": "-1/8"'),
    "answers/smooth-yes.json": ("certified", "z**(-1)", "z**(-3)"),
    "answers/L_mu.json": ("certified", "4503599627501569", "4503599627101569"),
    "answers/kappa.json": ("proved", "5066549580791807", "5066549580791810"),
    "answers/R_s.json": ("certified", "6859830313939861", "6859830313000000"),
    "answers/R_s_global.json": ("proved", '"upper": "1"', '"upper": "1/2"'),
    "answers/convexity.json": ("proved", '"((-1) * z)"', '"((-2) * z)"'),
    "answers/tree.json": ("proved", '["0", "1", "0"]', '["0", "2", "0"]'),
    "answers/tree-gamma.json": ("proved", '"domain": ["-oo", "1"]', '"domain": ["-oo", "2"]'),
    "answers/tree-secant.json": ("proved", '"(z + atan((1/2)))"', '"(z + atan((1/3)))"'),
    "answers/tangent-jumps.json": ("proved", "(z * tan(z))", "(2 * tan(z))"),
    "answers/dispersions.json": ("proved", '"g": "2/3"', '"g": "2/5"'),
    "answers/moments.json": ("refuted", '["-2", "1"]', '["2", "1"]'),
    "answers/exponentials.json": ("refuted", '["1", "-4", "1"]', '["1", "4", "1"]'),
    "answers/characteristic.json": ("refuted", '["-3", "1"]', '["3", "1"]'),
    "answers/jump.json": ("refuted", '"25/2"', '"5/2"'),
    "answers/zeros.json": ("refuted", '"11473/3616", "2"', '"11473/3616", "1"'),
    "answers/sum.json": ("proved", '["0", "1", "1"]', '["0", "2", "1"]'),
    "answers/law.json": ("proved", '["1", "0", "0"]', '["1", "0", "1"]'),
    "answers/kl.json": ("proved", "(-1/2) * log((2", "(-1/2) * log((3"),
}  # fmt: skip
VERDICTS = {
    "definition:sec:notation": "definition", "holds": "argued", "open_question": "undecided", "fails": "refuted",
    "fails_repaired": "argued",
}  # fmt: skip
CERTIFICATES = {"holds": "proved", "fails": "refuted", "fails_repaired": "proved"}


def files(folder: str) -> list[str]:
    return sorted(path.relative_to(GOLDEN).as_posix() for path in (GOLDEN / folder).glob("*.json"))


def word(name: str, path: Path) -> str:
    """What the checker of this kind of file says of it."""
    document = kernel.load(str(path))
    return str((kernel.check if name.startswith("certificates") else measures.check)(document).word)


def test_the_tables_name_every_file() -> None:
    learners = {f"learners/{name}.json" for name in LEARNERS}
    named = {name for name in (*CHECKED, *learners, *REFUSED) if not name.startswith("journal/")}
    assert named == {*files("certificates"), *files("answers"), *files("learners")}
    assert len({json.loads((GOLDEN / name).read_text())["question"] for name in files("answers")}) >= 9


@pytest.mark.parametrize("name", sorted(CHECKED))
def test_a_certificate_or_answer_has_the_word_it_had(name: str) -> None:
    if name in REFUSED:
        with pytest.raises(Rejected, match=REFUSED[name]):
            word(name, GOLDEN / name)
    else:
        assert word(name, GOLDEN / name) == CHECKED[name][0]


@pytest.mark.parametrize("name", sorted(CHECKED))
def test_a_certificate_or_answer_with_one_number_changed_is_rejected(name: str, tmp_path: Path) -> None:
    _, old, new = CHECKED[name]
    text = (GOLDEN / name).read_text()
    assert old in text
    (tmp_path / "changed.json").write_text(text.replace(old, new, 1))
    with pytest.raises(Rejected):
        word(name, tmp_path / "changed.json")


def test_results_have_the_verdicts_they_had_and_their_certificates_replay() -> None:
    found = ledger.read(GOLDEN / "checked" / "results.json")
    assert {row["id"]: row["verdict"] for row in found["claims"]} == VERDICTS
    assert all(map(ledger.as_expected, found["claims"]))
    assert ledger.complete(found)
    assert "5 of 5 claims as expected" in "\n".join(summary(found))
    for row in found["claims"]:
        filed = row["evidence"]["certificate"]
        assert bool(filed) == (row["id"] in CERTIFICATES)
        if filed:
            replayed = kernel.check(kernel.load(str(GOLDEN / "checked" / filed)))
            assert replayed.word == row["kernel"]["word"] == CERTIFICATES[row["id"]]


# Rounds, pending pulls, and the radius of the confidence set.
LEARNERS = {
    **{f"repaired-{version}": (12, 0, 13.5239384789) for version in (1, 2, 3)},
    **{f"served-{version}": (10, 4, 7.47295112997) for version in (1, 2, 3)},
    **{f"scouted-{version}": (12, 0, 3.64801172369) for version in (2, 3)},
    **{f"engine-{version}": (0, 0, 12.5448646918) for version in (1, 2)},
}


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_a_learner_goes_on_in_the_state_that_it_was_saved_in(name: str) -> None:
    path, (rounds, pending, radius) = GOLDEN / "learners" / f"{name}.json", LEARNERS[name]
    if f"learners/{name}.json" in REFUSED:
        with pytest.raises(BadInput, match=REFUSED[f"learners/{name}.json"]):
            restore(path)
        return
    learner, saved = restore(path), json.loads(path.read_text())
    one = learner.algorithm
    assert one.theta.tolist() == saved["state"]["theta"]
    assert one.H.tolist() == saved["state"]["H"]
    assert one.t == saved["state"]["rounds"] + 1 == rounds + 1
    assert len(learner.pending) == pending
    assert learner.columns == (("a", "b") if name.startswith("served") else None)
    assert (learner.monitor is not None) == name.startswith("served")
    assert one.radius == pytest.approx(radius, rel=1e-9)


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_a_learner_with_one_number_changed_is_refused(name: str, tmp_path: Path) -> None:
    document: dict[str, Any] = json.loads((GOLDEN / "learners" / f"{name}.json").read_text())
    for part, field in (("state", "rounds"), ("state", "logdet"), ("parameters", "lam"), ("parameters", "L_mu")):
        changed = {**document, part: {**document[part], field: 1 + document[part][field]}}
        (tmp_path / "changed.json").write_text(json.dumps(changed))
        with pytest.raises(BadInput):
            restore(tmp_path / "changed.json")


def test_a_journal_is_read_and_no_other_version_goes_on_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(GOLDEN / "journal" / "journal.jsonl", tmp_path)
    with Journal(tmp_path / "journal.jsonl") as journal:
        assert not journal.damaged
        theirs, pieces = journal.kept[""], {key: value for key, value in journal.kept.items() if key}
    assert (theirs["kind"], theirs["seed"], len(pieces)) == ("coverage", 2026, 4)
    assert all(len(piece["rows"]) == 2 for piece in pieces.values())
    later = {**theirs["versions"], "source": "later"}
    monkeypatch.setattr(runner.journal, "simulation_versions", lambda: later)
    with pytest.raises(RunError, match=rf"belongs to another run .*versions: there .*{theirs['versions']['source']}"):
        runner.run([], dict, tmp_path, theirs, Engine(), resume=True)


def test_a_journal_with_one_number_changed_loses_that_piece(tmp_path: Path) -> None:
    data = (GOLDEN / "journal" / "journal.jsonl").read_bytes()
    assert b'"misses":0' in data
    (tmp_path / "journal.jsonl").write_bytes(data.replace(b'"misses":0', b'"misses":1', 1))
    with Journal(tmp_path / "journal.jsonl") as journal:
        assert journal.damaged
        assert len(journal.kept) == 4  # the name of the run, and three of four pieces


def test_a_journal_of_the_format_that_ended_is_refused(tmp_path: Path) -> None:
    shutil.copy(GOLDEN / "journal" / "journal.sqlite", tmp_path)
    with pytest.raises(RunError, match=REFUSED["journal/journal.sqlite"]):
        runner.run([], dict, tmp_path, {}, Engine(), resume=True)
