"""docs/learner.md is run as it stands: its Python, what it prints, and the figure that it draws."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from glbcheck import HCWGLBOMD, Scouted, catalog
from tests.helpers.pages import run_python

DOCS = Path(__file__).resolve().parents[2] / "docs"
SAID = {
    "learner_monitor.svg": {
        "no corruption",
        "C = 5, as promised",
        "50, ten times C",
        "log evidence",
        "alarm, at log(1/0.01)",
    },
    "learner_regret.svg": {"exact", "closed-form", "regret", "rounds"},
}


def words(figure: Path) -> list[str]:
    """The text in a figure: labels, legend, ticks."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", figure.read_text(encoding="utf-8"))


@pytest.mark.parametrize("condition", [
    "the pulls whose rewards were learnt from is at most, with probability 1 - δ", "they must not know other rewards",
    "`regret_bound()` is None from then on", "*on its way* until it is learnt from, even if it has come",
    "nor with one that has come early and waits", "each row enters once, and C covers the corruption",
    "in the range that is given and none was corrupted", "in the order in which they were logged",
    "so that no number means two pulls", "knows less than it would in service",
])  # fmt: skip
def test_the_page_says_under_which_conditions_its_promises_hold(condition: str) -> None:
    assert condition in " ".join((DOCS / "learner.md").read_text(encoding="utf-8").split())


def test_the_page_says_from_where_on_the_bound_is_informative() -> None:
    coin = catalog.get("bernoulli")

    def says(algorithm: Callable[..., HCWGLBOMD], T: float, **more: str) -> bool:
        p = algorithm(coin, d=3, S=2.0, C=5.0, horizon=T, **more).parameters
        assert p.choice is not None
        return (1 + p.scout) * p.choice.regret_bound(T) < p.choice.problem.link.span * T

    for edge, near in (0.98, False), (1.02, True):
        assert says(Scouted, edge * 104_000) == near
        assert says(HCWGLBOMD, edge * 30_500, constants="sharpest") == near
    text = " ".join((DOCS / "learner.md").read_text(encoding="utf-8").split())
    assert "here from about 104,000 rounds on" in text
    assert "which doubles it, from about 30,500 on" in text


def test_the_page_runs_and_shows_what_is_printed_and_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_python(DOCS / "learner.md") == 10
    for name, said in SAID.items():
        drawn = words(tmp_path / name)
        assert said <= set(drawn)
        assert words(DOCS / name) == drawn
        assert (DOCS / name).stat().st_size < 60_000
