"""A counterexample with its numbers, and the line that decides it again."""

from __future__ import annotations

from glbcheck.verify.ledger import file_name
from glbcheck.verify.letters import Letters
from glbcheck.verify.report.html.bundle import Record
from glbcheck.verify.report.html.formulas import definition, formula, number, prose, value
from glbcheck.verify.report.html.markup import Child, Safe, el, join


def witness(claim: Record, letters: Letters, folder: str) -> Safe:
    """Each letter with its value and what it means, what holds with how much slack, what fails, and the replay line."""
    found = claim["counterexample"]
    statement = found["statement"]

    def meaning(letter: str) -> Safe:
        return prose(claim.get("letters", {}).get(letter) or letters.meaning(claim["id"], letter))

    rows = [
        *(_row("point", value(name, text), meaning(name)) for name, text in found["point"].items()),
        *(_row("where", definition(name, text), meaning(name)) for name, text in statement["definitions"].items()),
        *(
            _row("holds", formula(text), ["slack ", number(found["residuals"][text])])
            for text in statement["hypotheses"]
        ),
        _row("fails", formula(statement["conclusion"]), ["by at least ", number(found["margin"])]),
    ]
    table = el("table", el("caption", "Counterexample"), el("tbody", rows), class_="witness")
    return el("div", el("div", table, class_="scroll", tabindex=0), replay(claim, folder), class_="counterexample")


def at_a_glance(claim: Record) -> Safe:
    """Where it fails and by how much, in one line."""
    found = claim["counterexample"]
    return join(["Counterexample: ", _point(found), ": fails by at least ", number(found["margin"])])


def _point(found: Record) -> Safe:
    """name = number, ..., each a formula of its own so that a line may break between them."""
    return Safe(", ".join(value(name, text) for name, text in found["point"].items()))


def replay(claim: Record, folder: str) -> Safe:
    """The command that has the kernel check the certificate again from its file alone."""
    command = f"glbcheck replay {folder}/certificates/{file_name(claim['id'])}"
    return el("p", "Replay: ", el("code", command, class_="command"), class_="replay")


def _row(kind: str, what: Safe, margin: Child = None) -> Safe:
    return el("tr", el("th", kind, scope="row", class_=f"w-{kind}"), el("td", what), el("td", margin))
