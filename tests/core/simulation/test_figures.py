"""Figures: drawn the same every time, and with what they are to show."""

from __future__ import annotations

from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from glbcheck.core.simulation.grid import Block
from glbcheck.verify.report.figures import figure, line, svg
from glbcheck.verify.report.regret_figures import BAND, HOLLOW, regret_figures
from glbcheck.verify.report.simulation_figures import coverage_figures
from matplotlib.figure import Figure

from glbcheck.simulate import write_figure


def drawing() -> Figure:
    with figure() as (fig, ax):
        for number in range(3):
            ax.plot([1, 2, 3], [number, 2, 1], **line(number), label=f"<series {number}>")
        ax.set_title(r"radius & $\|\theta_t - \theta_*\|$")
        ax.legend()
    return fig


def test_files_are_the_same_every_time_and_vector(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_figure(tmp_path, name, drawing())
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.pdf", "a.svg", "b.pdf", "b.svg"]
    for kind in ("svg", "pdf"):
        assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()
    assert b"<image" not in (tmp_path / "a.svg").read_bytes()
    assert (tmp_path / "a.svg").read_text() == svg(drawing())


# --- the figures of a simulation --------------------------------------------------------------------------


def row(**fields: Any) -> dict[str, Any]:
    (cell,) = Block().cells()
    numbers = {
        "misses": 1, "miss_lower": 0.001, "miss_upper": 0.04, "regret_q05": 0.0, "regret_median": 10.0,
        "regret_q95": 20.0, "bound_printed": None, "bound_repaired": None, "bound_sharpest": None, "on_data": False,
        "guaranteed": True,
    }  # fmt: skip
    return {**asdict(cell), **numbers, **fields}


def words(fig: Figure) -> str:
    return "\n".join(ElementTree.fromstring(svg(fig)).itertext())


def test_without_data_there_is_no_figure() -> None:
    assert coverage_figures([], []) == {}
    assert regret_figures([]) == {}
    assert regret_figures([row(), row(algorithm="greedy")]) == {}  # one C and one T make no curve


def test_coverage_shows_every_cell_that_has_a_confidence_set() -> None:
    shown = words(
        coverage_figures([row(family="poisson", C=3.0), row(family="bernoulli", misses=None)], [])["coverage"][0]
    )
    assert "poisson d=2 S=1 C=3" in shown
    assert "bernoulli" not in shown


def test_regret_against_C_shows_every_algorithm_of_every_family() -> None:
    names = ("hcw-glb-omd", "glb-omd", "glm-ucb", "uniform")
    every = product(("gaussian", "poisson"), names, (0.0, 10.0))
    rows = [row(family=family, algorithm=name, C=C, guaranteed=name == "hcw-glb-omd") for family, name, C in every]
    figures = regret_figures(rows)
    assert set(figures) == {"regret-C"}
    shown = words(figures["regret-C"][0])
    assert all(text in shown for text in (*names, "gaussian, d = 2, S = 1", "poisson, d = 2", BAND, HOLLOW))
