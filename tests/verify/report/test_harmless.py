"""The one-page report is harmless: no text becomes markup, and figures bring in shapes only."""

from __future__ import annotations

import re

import pytest
from glbcheck.verify.report.html import render
from glbcheck.verify.report.html.figure import FigureError, inline
from glbcheck.verify.report.html.formulas import UNSET

from tests.helpers.report_bundle import drawing, hostile
from tests.helpers.report_page import Page


def test_no_text_becomes_markup() -> None:
    text = render(hostile())
    page = Page(text)
    assert len(page.of("script")) == 1
    assert page.of("img") == []
    assert not [a for _, attrs, _ in page.elements for a in attrs if a.startswith("on")]
    assert "alert('x')" in page.of("section", id="findings")[0][1]
    assert f'class="{UNSET}"' in text  # what cannot be set is shown as it is, and marked


@pytest.mark.parametrize("svg", [
    "<svg><script>alert(1)</script></svg>", '<svg onload="alert(1)"><rect/></svg>',
    '<svg><a href="https://example.org"><text>x</text></a></svg>',
    '<svg><image href="https://example.org/x.png"/></svg>', '<svg><use href="other.svg#m"/></svg>',
    '<svg><rect style="fill:url(https://example.org/x)"/></svg>',
    "<svg><style>@import 'https://example.org/x.css';</style></svg>",
    "<svg><foreignObject><div>x</div></foreignObject></svg>",
])  # fmt: skip
def test_a_figure_brings_in_shapes_only(svg: str) -> None:
    made = inline(svg, "p")
    assert made.startswith("<svg")
    assert not re.search(r"script|onload|example|other\.svg|foreign|@import", made)


def test_a_figure_keeps_its_shapes_and_gets_ids_of_its_own() -> None:
    page = Page(inline(drawing(), "p"))
    m, c = page.values("id")
    assert {m, c} == {"p-0", "p-1"}
    assert page.of("use")[0][0]["href"] == f"#{m}"
    assert page.of("g")[0][0]["clip-path"] == f"url(#{c})"
    assert page.of("text")[0][1] == "t < 10"


def test_a_figure_leaves_out_what_nobody_sees() -> None:
    curve = "".join(f"L {x} {(x / 10) ** 2} " for x in range(1, 101))
    grid = "".join(f'<path d="M {x} 0 L {x} 9.123456" style="stroke: red"/>' for x in range(5))
    made = inline(f'<svg><g id="a">\n {grid}</g><path id="b" d="M 0 0 {curve}"/><text>t 1</text></svg>', "p")
    page = Page(made)
    lines = [attrs["d"] or "" for attrs, _ in page.of("path")]
    assert lines[0].count("M") == 5  # the grid is one path
    assert 5 < lines[1].count("L") < 40  # a smooth curve needs few points
    assert lines[1].startswith("M0 0L")
    assert lines[1].endswith("L100 100")
    assert page.values("id") == []
    assert page.of("text")[0][1] == "t 1"


@pytest.mark.parametrize("svg", ["", "<svg>", '<!DOCTYPE s [<!ENTITY a "b">]><svg>&a;</svg>'])
def test_what_is_not_plain_svg_is_refused(svg: str) -> None:
    with pytest.raises(FigureError, match="figure p"):
        inline(svg, "p")
