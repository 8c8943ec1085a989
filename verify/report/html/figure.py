"""Figures drawn elsewhere, let into the page: only shapes and text, every id its own, no way out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from xml.etree import ElementTree

from glbcheck.verify.report.html.markup import Safe, el

ELEMENTS = frozenset({
    "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "use",
    "defs", "clipPath", "title", "desc", "marker", "symbol", "pattern", "linearGradient", "stop", "image",
})  # fmt: skip


class FigureError(ValueError):
    """A drawing that is not plain SVG."""


def figures(drawings: Mapping[str, str], prefix: str) -> Iterator[Safe]:
    """Each drawing, captioned by its own label or else by its name."""
    for number, (name, svg) in enumerate(drawings.items()):
        made = inline(svg, f"{prefix}-{number}")
        label = re.search(r'<svg[^>]* aria-label="([^"]*)"', made)
        caption = Safe(label[1]) if label else name.replace("_", " ").replace("-", " ")
        yield el("figure", el("div", made, class_="scroll drawing"), el("figcaption", caption))


def inline(svg: str, prefix: str) -> Safe:
    """The drawing as one element of the page, rebuilt from what is allowed."""
    if "<!DOCTYPE" in svg or "<!ENTITY" in svg:
        svg = re.sub(r"<!DOCTYPE[^\[>]*>", "", svg)
        if "<!" in svg.replace("<!--", ""):
            raise FigureError(f"figure {prefix}: declares entities; plain SVG is accepted")
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as err:
        raise FigureError(f"figure {prefix}: not well-formed SVG ({err})") from None
    return Safe("".join(_rebuilt(root, prefix)))


def _rebuilt(node: ElementTree.Element, prefix: str) -> Iterator[str]:
    name = _local(node.tag)
    if name not in ELEMENTS:
        return
    attributes = "".join(f' {key}="{escape(value)}"' for key, value in _attributes(node, name, prefix))
    yield f"<{name}{attributes}>{escape(node.text or '', quote=False)}"
    for child in node:
        yield from _rebuilt(child, prefix)
        yield escape(child.tail or "", quote=False)
    yield f"</{name}>"


def _attributes(node: ElementTree.Element, name: str, prefix: str) -> Iterator[tuple[str, str]]:
    for raw, value in node.attrib.items():
        key = _local(raw)
        if key.startswith("on") or (name == "svg" and key in ("width", "height", "version")):
            continue
        if key == "id":
            yield key, f"{prefix}-{value}"
        elif key == "href":
            if value.startswith("#"):
                yield key, f"#{prefix}-{value[1:]}"
            elif value.startswith("data:image/png"):
                yield key, value
        elif key in ("aria-labelledby", "aria-describedby"):
            yield key, " ".join(f"{prefix}-{part}" for part in value.split())
        elif "url(" not in value or re.fullmatch(r"[^(]*(url\(#[\w.-]+\)[^(]*)+", value):
            yield key, value.replace("url(#", f"url(#{prefix}-")


def _local(name: str) -> str:
    return name.rpartition("}")[2]
