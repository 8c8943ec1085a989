"""Figures drawn elsewhere, let into the page: only shapes and text, every id its own, no way out."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from xml.etree import ElementTree

from glbcheck.verify.report.html.markup import Safe, el

ELEMENTS = frozenset({
    "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "use",
    "defs", "clipPath", "title", "desc", "marker", "symbol", "pattern", "linearGradient", "stop", "image",
})  # fmt: skip
ENLARGED = 1.25  # how many pixels a unit of a drawing may take
FINE = 0.15  # how far a drawn line may pass from a point of it, in units of the drawing
_TICK = re.compile(r'<defs><path id="(?P<id>[^"]+)" d="M0 0L(?P<x>[-\d.]+) (?P<y>[-\d.]+)"(?P<look>[^>]*)/></defs>')
_LINE = re.compile(r'<path d="(?P<line>M[-\d. ]+L[-\d. ]+)"(?P<look>[^>]*)/>')
SHAPES = ("d", "x", "y", "points", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "ry", "width", "height")


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
    named = re.findall(r"(?:url\(|href=\")#([\w.-]+)", svg)
    kept = {name: f"{prefix}-{number}" for number, name in enumerate(dict.fromkeys(named))}
    made = _joined(_placed("".join(_rebuilt(root, kept))))
    size = re.match(r"<svg[^>]* viewBox=\"[-\d.]+ [-\d.]+ ([\d.]+) ", made)
    return Safe(made.replace("<svg", f'<svg style="max-width:{ENLARGED * float(size[1]):.0f}px"', 1) if size else made)


def _placed(svg: str) -> str:
    """Ticks of an axis, drawn once and repeated by name, as lines in their places."""
    for tick in list(_TICK.finditer(svg)):

        def line(found: re.Match[str], tick: re.Match[str] = tick) -> str:
            x, y = float(found[1]), float(found[2])
            return f'<path d="M{x:g} {y:g}L{x + float(tick["x"]):g} {y + float(tick["y"]):g}"{tick["look"]}/>'

        svg = re.sub(rf'<use href="#{tick["id"]}" x="([-\d.]+)" y="([-\d.]+)"/>', line, svg)
        if f'#{tick["id"]}"' not in svg:
            svg = svg.replace(tick[0], "")
    return svg


def _joined(svg: str) -> str:
    """Straight lines that look alike, such as those of a grid, as one path."""
    lines: dict[str, list[str]] = {}
    for one in _LINE.finditer(svg):
        lines.setdefault(one["look"], []).append(one["line"])

    def first(found: re.Match[str]) -> str:
        alike = lines.pop(found["look"], None)
        return f'<path d="{"".join(alike)}"{found["look"]}/>' if alike else ""

    return _LINE.sub(first, svg)


def _rebuilt(node: ElementTree.Element, kept: Mapping[str, str]) -> Iterator[str]:
    """The element without what nobody sees: ids that nothing names, groups without attributes, blanks, empty frames."""
    name = _local(node.tag)
    if name not in ELEMENTS or (name == "path" and node.get("style") == "fill: none"):
        return
    attributes = "".join(f' {key}="{escape(value)}"' for key, value in _attributes(node, name, kept))
    inside = _words(node.text, name) + "".join(
        piece for child in node for piece in (*_rebuilt(child, kept), _words(child.tail, name))
    )
    if name == "g" and not attributes:
        yield inside
    else:
        yield (
            f"<{name}{attributes}>{inside}</{name}>" if inside or name in ("svg", "text") else f"<{name}{attributes}/>"
        )


def _words(text: str | None, name: str) -> str:
    """Text counts inside text only; elsewhere it is indentation."""
    return escape(text, quote=False) if text and name in ("text", "tspan", "title", "desc") else ""


def _attributes(node: ElementTree.Element, name: str, kept: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for raw, value in node.attrib.items():
        key = _local(raw)
        if key.startswith("on") or (name == "svg" and key in ("width", "height", "version")):
            continue
        if key == "id":
            if value in kept:
                yield key, kept[value]
        elif key == "href":
            if value[1:] in kept and value.startswith("#"):
                yield key, f"#{kept[value[1:]]}"
            elif value.startswith("data:image/png"):
                yield key, value
        elif key in SHAPES:
            yield key, _short(value)
        elif key == "style" and name == "use":
            continue  # the shape that it repeats has the same style
        elif key == "style" and "url(" not in value:
            parts = [p for p in re.split(r";\s*", value) if not p.startswith(("font-family", "font-size: 9px"))]
            if any(parts):
                yield key, ";".join(part.replace(": ", ":") for part in parts)
        elif not (key == "transform" and value.startswith("rotate(-0 ")) and (
            "url(" not in value or re.fullmatch(r"[^(]*(url\(#[\w.-]+\)[^(]*)+", value)
        ):
            yield key, re.sub(r"url\(#([\w.-]+)\)", lambda found: f"url(#{kept[found[1]]})", value)


def _short(value: str) -> str:
    """Coordinates as fine as an eye can tell: a tenth of a unit, below ten a hundredth; points on a line left out."""
    if re.fullmatch(r"M[-\d.\s]+(?:L[-\d.\s]+){2,}", value):
        points = [tuple(map(float, pair.split())) for pair in re.split("[ML]", value)[1:]]
        value = "M" + "L".join(f"{x:f} {y:f}" for x, y in _thinned(points))

    def rounded(found: re.Match[str]) -> str:
        number = float(found[0])
        return f"{number:.{1 if abs(number) >= 10 else 2}f}".rstrip("0").rstrip(".")

    return re.sub(r"\s*([A-Za-z])\s*", r"\1", re.sub(r"-?\d+\.\d+", rounded, " ".join(value.split())))


def _thinned(points: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """The points that a line needs to pass all others within `FINE` (Douglas and Peucker)."""
    kept, stack = {0, len(points) - 1}, [(0, len(points) - 1)]
    while stack:
        start, end = stack.pop()
        off = [_distance(points[at], points[start], points[end]) for at in range(start + 1, end)]
        if off and max(off) > FINE:
            far = start + 1 + off.index(max(off))
            kept.add(far)
            stack += [(start, far), (far, end)]
    return [points[at] for at in sorted(kept)]


def _distance(point: Sequence[float], start: Sequence[float], end: Sequence[float]) -> float:
    """Of a point from the line through two others, or from both if they are one."""
    (a, b), (x, y), (u, v) = point, start, end
    length = math.hypot(u - x, v - y)
    return abs((u - x) * (y - b) - (x - a) * (v - y)) / length if length else math.hypot(a - x, b - y)


def _local(name: str) -> str:
    return name.rpartition("}")[2]
