"""HTML from Python: elements are built, text is escaped, and nothing is glued together by hand.

>>> el("p", "a < b ", el("b", "bold"), class_="note", data_line=3)
'<p class="note" data-line="3">a &lt; b <b>bold</b></p>'
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

MOST_ROWS = 40  # of a table of records; a page is for reading, the file has them all
_VOID = ("input", "meta", "br", "img")
_SHAPES = ("path", "rect", "circle")  # of drawings; an empty one closes itself


class Safe(str):
    """Text that is HTML already; any other text is escaped when it enters an element."""

    __slots__ = ()


Child = str | int | None | Iterable["Child"]


def el(tag: str, /, *children: Child, **attributes: object) -> Safe:
    """An element; `class_` is class, `data_x` is data-x, None and False leave an attribute out."""
    made = "".join(_attribute(key, value) for key, value in attributes.items())
    if tag in _VOID:
        return Safe(f"<{tag}{made}>")
    if tag in _SHAPES and not children:
        return Safe(f"<{tag}{made}/>")
    return Safe(f"<{tag}{made}>{join(children)}</{tag}>")


def join(children: Iterable[Child]) -> Safe:
    """Children one after the other, each escaped unless it is HTML."""
    return Safe("".join(map(_text, children)))


def part(name: str, title: str, lead: Child, *children: Child) -> Safe:
    """A part of the page that can be linked to by its name: heading, opening paragraph if there is one, the rest."""
    opening = el("p", lead, class_="lead") if lead else None
    return el("section", el("h2", title), opening, children, id=name, aria_label=title)


def choice(name: str, everything: str, values: Iterable[str]) -> Safe:
    """A menu of values, with one entry for all of them."""
    return el("select", el("option", everything, value=""), (el("option", v, value=v) for v in values), id=name)


def table(caption: Child, columns: Sequence[str], rows: Iterable[Sequence[Child]], **attributes: object) -> Safe:
    """A captioned table in a box that scrolls sideways by itself; the first cell of a row is its heading."""
    head = el("tr", (el("th", column, scope="col") for column in columns))
    body = (el("tr", el("th", first, scope="row"), (el("td", c) for c in rest)) for first, *rest in rows)
    made = el("table", el("caption", el("span", caption)), el("thead", head), el("tbody", body), **attributes)
    return el("div", made, class_="scroll", tabindex=0, role="group", aria_label=_plain(caption))


def records(caption: str, rows: Sequence[Mapping[str, Any]], only: Sequence[str] = (), fold: int = 12) -> Safe:
    """A table of plain records, one column per field that varies; a long one is folded away.

    `only` are the fields to show, in this order; if the records have none of them, all fields are shown.
    """
    fields = list(dict.fromkeys(key for row in rows for key in row if not _nested(rows, key)))
    fields = [key for key in only if key in fields] or fields
    same = {key: shown(rows[0].get(key)) for key in fields[1:] if len({shown(row.get(key)) for row in rows}) == 1}
    columns = [key for key in fields if key not in same or len(rows) == 1]
    said = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in same.items() if value and key not in columns)
    listed = rows[:MOST_ROWS]
    counted = (
        f"{len(rows)}" if len(listed) == len(rows) else f"the first {len(listed)} of {len(rows)}; all are in the file"
    )
    made = table(
        f"{caption} ({counted})" + (f"; the same in every row: {said}" if said else ""),
        [column.replace("_", " ") for column in columns],
        ([shown(row.get(column)) for column in columns] for row in listed),
        class_="records",
    )
    if len(rows) <= fold:
        return made
    return el("details", el("summary", f"{caption}: table of {len(rows)} rows"), made)


def image(svg: str, caption: str) -> Safe:
    """A drawing as an image: a browser runs nothing in it and loads nothing for it."""
    data = b64encode(svg.encode()).decode()
    drawing = el("img", src=f"data:image/svg+xml;base64,{data}", alt=caption)
    return el("figure", el("div", drawing, class_="scroll drawing"), el("figcaption", caption))


def images(record: Mapping[str, Any]) -> Iterator[Safe]:
    """The drawings of a record; one without a caption is captioned with its name."""
    drawings = record.get("drawings", {})
    captions = record.get("captions") or {name: name.replace("_", " ").replace("-", " ") for name in drawings}
    for name, caption in captions.items():
        if name in drawings:
            yield image(drawings[name], caption)


def target(kind: str, name: str) -> str:
    """The id of an element that can be linked to, such as anchor=lemma:epl; ids hold no blanks."""
    return f"{kind}={'-'.join(name.split())}"


def shown(value: Any) -> str:
    """A plain value for a cell: six digits of a float, yes and no for truth, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(shown, value))
    return str(value)


def _nested(rows: Sequence[Mapping[str, Any]], key: str) -> bool:
    values = [row.get(key) for row in rows]
    return any(isinstance(v, Mapping) or (isinstance(v, list) and len(v) > 8) for v in values)


def _attribute(key: str, value: object) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    # SVG writes two of its attributes in mixed case.
    name = {"viewbox": "viewBox", "refx": "refX", "refy": "refY"}.get(name, name)
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'


def _text(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Safe):
        return child
    if isinstance(child, str | int):
        return escape(str(child), quote=False)
    return join(child)


def _plain(caption: Child) -> str:
    return str(caption) if not isinstance(caption, Safe) else "table"
