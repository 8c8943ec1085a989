"""An HTML page, read back by the tests of the report."""

from __future__ import annotations

from html.parser import HTMLParser

from glbcheck.verify.report.html.formulas import prose
from glbcheck.verify.report.html.index import Index

VOID = {"meta", "input", "br", "img"}
Attributes = dict[str, str | None]


class Page(HTMLParser):
    """Elements with their attributes and inner text; refuses tags that do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, Attributes, list[str]]] = []
        self._open: list[int] = []
        self.feed(text)
        self.close()
        assert not self._open, "an element is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), []))
        if tag not in VOID:
            self._open.append(len(self.elements) - 1)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), []))

    def handle_endtag(self, tag: str) -> None:
        assert self.elements[self._open.pop()][0] == tag

    def handle_data(self, data: str) -> None:
        for number in self._open:
            self.elements[number][2].append(data)

    def of(self, tag: str, **attributes: str) -> list[tuple[Attributes, str]]:
        """The elements with this tag and these attributes (a class is one of several)."""
        found = []
        for name, attrs, data in self.elements:
            words = {**attrs, "class_": attrs.get("class")}
            if name == tag and all(v in (words.get(k) or "").split() for k, v in attributes.items()):
                found.append((attrs, "".join(data)))
        return found

    def values(self, attribute: str) -> list[str]:
        return [value for _, attrs, _ in self.elements if (value := attrs.get(attribute)) is not None]


def shown(text: str, index: Index) -> str:
    """The words of a text as the page shows them, its formulas in the signs of mathematics."""
    return "".join(Page(f"<p>{prose(text, index.by_id)}</p>").elements[0][2])
