"""An audit seen before is answered at once, in the same bytes, and only if nothing it depends on has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from glbcheck import answered
from glbcheck.cli import main
from glbcheck.command import Outcome

AUDIT = ["audit", "exp(z)", "--S", "1", "--quick"]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "glbcheck" / answered.NAME


class Asked:
    """Counts how often the question was really asked."""

    def __init__(self, data: object = None) -> None:
        self.times, self.data = 0, data

    def __call__(self) -> Outcome:
        self.times += 1
        return Outcome(1, ["a line"], {"b": float("inf"), "a": [self.data, 0.1]})


def ask(asked: Asked, question: object = "q", keep: bool = True) -> Outcome:
    return answered.answered(question, [], asked, lambda data: keep)


def test_a_question_is_asked_once_and_answered_with_the_same_outcome(cache: Path) -> None:
    asked = Asked()
    assert ask(asked) == ask(asked)
    assert asked.times == 1


@pytest.mark.parametrize("change", ["question", "version", "source"])
def test_what_it_depends_on_makes_it_another_question(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    asked, source = Asked(), tmp_path / "paper"
    source.mkdir()
    (source / "a.py").write_text("1")
    answered.answered("q", [source], asked, bool)
    if change == "version":
        monkeypatch.setattr("glbcheck.core.versions.versions", lambda: {"python": "0"})
    if change == "source":
        (source / "a.py").write_text("2")
    answered.answered("other" if change == "question" else "q", [source], asked, bool)
    assert asked.times == 2


def test_what_is_not_to_be_kept_is_asked_again(cache: Path) -> None:
    asked = Asked()
    ask(asked, keep=False)
    ask(asked, keep=False)
    assert asked.times == 2


@pytest.mark.parametrize("damage", [b"", b"not a database", None, "spoilt"])
def test_a_damaged_cache_is_passed_over(cache: Path, damage: bytes | str | None) -> None:
    asked = Asked()
    first = ask(asked)
    if damage is None:
        cache.unlink()
        cache.mkdir()
    elif damage == "spoilt":
        cache.write_bytes(cache.read_bytes().replace(b"a line", b"a lime"))
    else:
        cache.write_bytes(bytes(damage, "ascii") if isinstance(damage, str) else damage)
    assert ask(asked) == first
    assert asked.times == 2


def test_a_full_cache_is_emptied(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answered, "MOST", 2)
    asked = Asked()
    for question in "abcab":
        ask(asked, question)
    assert ask(asked, "b").lines == ["a line"]
    assert asked.times == 5


def test_an_audit_seen_before_has_the_same_bytes_and_no_cache_asks_again(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = []
    for arguments in (AUDIT, AUDIT, [*AUDIT, "--json", "-"], [*AUDIT, "--json", "-"]):
        main(arguments)
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert printed[2] == printed[3]
    before = cache.read_bytes()
    main([*AUDIT, "--no-cache"])
    assert capsys.readouterr().out.splitlines()[0] == printed[0].splitlines()[0]
    assert cache.read_bytes() == before


def test_the_catalogue_is_answered_in_the_same_bytes(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for _ in range(2):
        assert main(["families", "--json", "-"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert cache.is_file()
