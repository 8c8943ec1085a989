"""Figures: drawn the same every time, safe to put side by side into one page."""

from __future__ import annotations

import math
import re
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from glbcheck.core.errors import BadInput
from glbcheck.core.simulation.grid import Block
from glbcheck.verify.report.figures import decades, figure, inline_svg, line
from glbcheck.verify.report.regret_figures import BAND, HOLLOW, regret_figures
from glbcheck.verify.report.simulation_figures import coverage_figures
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from glbcheck.simulate import write_figure


def drawing() -> Figure:
    with figure() as (fig, ax):
        for number in range(3):
            ax.plot([1, 2, 3], [number, 2, 1], **line(number), label=f"<series {number}>")
        ax.set_title(r"radius & $\|\theta_t - \theta_*\|$")
        ax.legend()
    return fig


def test_an_inline_figure_is_well_formed_scales_and_speaks() -> None:
    root = ElementTree.fromstring(inline_svg(drawing(), 'radius < "error" & more', "p"))
    assert (root.tag, root.get("role"), root.get("width"), root.get("height")) == ("svg", "img", None, None)
    assert root.get("aria-label") == 'radius < "error" & more'
    box = [float(number) for number in str(root.get("viewBox")).split()]
    assert box == pytest.approx([0, 0, 6.0 * 72, 3.6 * 72])
    assert "<series 1>" in "".join(root.itertext())


def test_an_inline_figure_is_the_same_every_time_and_refers_to_and_styles_nothing_outside() -> None:
    text = inline_svg(drawing(), "a", "p")
    assert text == inline_svg(drawing(), "a", "p")
    assert not re.search(r"https?:|<style|<\?xml|<!DOCTYPE|xmlns", text)
    assert "#000000" not in text


def test_two_inline_figures_share_no_id_and_find_their_own() -> None:
    ids = []
    for prefix in ("one", "two"):
        text = inline_svg(drawing(), "a", prefix)
        own = re.findall(r'\bid="([^"]*)"', text)
        used = re.findall(r'href="#([^"]*)"', text) + re.findall(r"url\(#([^)]*)\)", text)
        assert used
        assert set(used) <= set(own)
        assert len(own) == len(set(own))
        ids += own
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("prefix", ["", "1a", 'a"b', "a b"])
def test_a_prefix_that_cannot_start_an_id_is_refused(prefix: str) -> None:
    with pytest.raises(BadInput, match="prefix"):
        inline_svg(drawing(), "a", prefix)


def test_files_are_the_same_every_time_and_vector(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_figure(tmp_path, name, drawing())
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.pdf", "a.svg", "b.pdf", "b.svg"]
    for kind in ("svg", "pdf"):
        assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()
    assert b"<image" not in (tmp_path / "a.svg").read_bytes()


def test_two_series_differ_in_more_than_colour() -> None:
    looks = [(str(line(n)["linestyle"]), line(n)["marker"]) for n in range(7)]
    assert len(set(looks)) == 7


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
    return "\n".join(ElementTree.fromstring(inline_svg(fig, "a", "p")).itertext())


def test_without_data_there_is_no_figure() -> None:
    assert coverage_figures([], []) == {}
    assert regret_figures([]) == {}
    assert regret_figures([row(), row(algorithm="greedy")]) == {}  # one C and one T make no curve


def test_coverage_shows_every_cell_that_has_a_confidence_set() -> None:
    rows = [row(family="gaussian"), row(family="poisson", C=3.0), row(family="bernoulli", misses=None)]
    shown = words(coverage_figures(rows, [])["coverage"][0])
    assert "gaussian d=2" in shown
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


def test_captions_say_who_pays_least_and_who_loses() -> None:
    paid = {"hcw-glb-omd": 30.0, "cw-oful": 20.0, "glb-omd": 10.0}
    rows = [
        row(algorithm=name, C=C, regret_median=each, guaranteed=name != "glb-omd")
        for name, each in paid.items()
        for C in (0.0, 10.0)
    ]
    _, said = regret_figures(rows)["regret-C"]
    assert "at C = 10 glb-omd pays least (10), of those with a bound at that C cw-oful (20)" in said
    assert "hcw-glb-omd loses here (30)" in said


def test_data_varying_dispersions_and_the_two_worlds_have_figures_of_their_own() -> None:
    special = ({"on_data": True, "arms": "data:iris"}, {"dispersion": "decades:0.1:1"}, {"arms": "two-worlds"})
    rows = [row(C=C, **each) for C in (0.0, 10.0) for each in special]
    assert set(regret_figures(rows)) == {"regret-data", "regret-C-varying"}


def test_the_price_of_not_knowing_C_is_drawn_beside_its_floor() -> None:
    one = {"algorithm": "hcw-glb-omd", "family": "gaussian", "d": 2, "T": 1000, "clean": 5.0, "unknown": 90.0,
           "known": 60.0, "unknown_lower": 80.0, "unknown_upper": 95.0}  # fmt: skip
    fig, said = regret_figures([], [{**one, "C": C, "floor": C / 10 - 5} for C in (10.0, 100.0, 500.0)])["unknown-C"]
    assert "floor for whoever is not told C" in words(fig)
    assert "It is positive from C = 100 on." in said
    assert "told 60, not told 90, floor 45" in said


def test_regret_against_T_shows_both_bounds() -> None:
    rows = [row(T=T, bound_printed=9e5, bound_repaired=5e4) for T in (100, 1000)]
    shown = words(regret_figures(rows)["regret-T"][0])
    assert "printed bound" in shown
    assert "repaired bound" in shown


def test_curves_are_those_of_the_longest_runs() -> None:
    names = ("radius_median", "error_max", "error_median", "weight_median", "weight_min")
    points = [{"t": t, **dict.fromkeys(names, 0.5)} for t in (10, 100)]
    curves = [{**row(T=100, d=5), "points": points[:1]}, {**row(T=1000, d=3), "points": points}]
    figures = coverage_figures([], curves)
    assert set(figures) == {"radius", "weights"}
    assert "gaussian, d = 3" in words(figures["radius"][0])


@settings(max_examples=20, deadline=None)
@given(low=st.floats(1e-3, 1e3), factor=st.floats(1, 1e4))
def test_logarithmic_axes_hold_all_points_between_powers_of_ten(low: float, factor: float) -> None:
    with figure() as (_, ax):
        ax.plot([low, low * factor], [1.0, 10.0])
        decades(ax)
    left, right = ax.get_xlim()
    assert left <= low * (1 + 1e-8)
    assert low * factor <= right * (1 + 1e-8)
    for end in (left, right):
        assert math.log10(end) == pytest.approx(round(math.log10(end)), abs=1e-9)
