"""The one-page report is harmless: no text becomes markup, and drawings are images."""

from __future__ import annotations

from base64 import b64decode

import pytest
from glbcheck.verify.report.html import render
from glbcheck.verify.report.html.formulas import UNSET
from glbcheck.verify.report.html.markup import image

from tests.helpers.report_bundle import EVIL, hostile
from tests.helpers.report_page import Page


def test_no_text_becomes_markup() -> None:
    text = render(hostile())
    page = Page(text)
    assert len(page.of("script")) == 1
    assert [attrs["alt"] for attrs, _ in page.of("img")] == [EVIL]
    assert all((attrs["src"] or "").startswith("data:image/svg+xml;base64,") for attrs, _ in page.of("img"))
    assert not [a for _, attrs, _ in page.elements for a in attrs if a.startswith("on")]
    assert "alert('x')" in page.of("section", id="findings")[0][1]
    assert f'class="{UNSET}"' in text  # what cannot be set is shown as it is, and marked


@pytest.mark.parametrize("svg", ["<svg><script>alert(1)</script></svg>", EVIL, ""])
def test_a_drawing_is_an_image_in_which_nothing_runs(svg: str) -> None:
    ((attrs, _),) = Page(image(svg, EVIL)).of("img")
    kind, _, data = (attrs["src"] or "").partition(",")
    assert (kind, b64decode(data).decode()) == ("data:image/svg+xml;base64", svg)
    assert attrs["alt"] == EVIL
    assert set(attrs) == {"src", "alt"}
