"""Writes `docs/reference/*.md`: what the docstrings, the table of facts and the heads of the Coq theories say.

    python docs/reference.py

Nothing is imported but the facts; a test compares the folder with what this would write.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

from glbcheck.verify.facts import FACTS

ROOT = Path(__file__).resolve().parent.parent
WIDTH = 84
GENERATED = "<!-- written by docs/reference.py from the sources -->"
PAGES = {
    "learner": (
        "The learner, its constants and its rivals",
        (
            "core/algorithm/*.py", "core/parameters.py", "core/constants.py", "core/sharpest.py", "core/tuning.py",
            "core/local_constants.py", "core/lower_constants.py", "core/small_rounds/run.py",
            "core/environment/world.py", "core/environment/reference_run.py", "core/environment/adversary.py",
            "core/binomial.py",
            "core/learner/*.py", "core/rivals/*.py",
        ),
    ),
    "families": (
        "Families, audits and fits",
        (
            "core/catalog/__init__.py", "core/family.py", "core/support.py", "core/concordance.py",
            "core/divergences.py", "core/density.py", "core/numeric.py", "core/fitting/__init__.py",
            "verify/audit/__init__.py", "verify/audit/models.py", "glbcheck/deciding.py",
        ),
    ),
    "claims": (
        "Writing claims",
        (
            "verify/writing.py", "verify/registry.py", "verify/theorem_claims.py", "verify/claim.py",
            "verify/judge.py", "verify/ledger.py", "verify/papers.py", "verify/anchors.py", "verify/support.py",
            "verify/review.py", "verify/controls.py", "verify/scaffold.py", "verify/facts/entry.py",
        ),
    ),
    "provers": (
        "Provers",
        (
            "verify/decide.py", "verify/search/symbolic.py", "verify/search/ladder.py", "verify/search/algebra.py",
            "verify/search/exact.py", "verify/search/games.py", "verify/search/cover.py", "verify/search/property.py",
            "verify/search/montecarlo.py", "verify/counterexample.py", "core/expression.py",
        ),
    ),
    "kernel": ("The kernel, and the checker of audits", ("core/kernel/*.py", "core/measures/*.py")),
}  # fmt: skip


def written() -> dict[str, str]:
    """Every page by its file name."""
    pages = {f"{name}.md": _page(title, files) for name, (title, files) in PAGES.items()}
    return {**pages, "facts.md": _facts(), "coq.md": _theories()}


def _page(title: str, patterns: tuple[str, ...]) -> str:
    files = [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]
    lines = [GENERATED, "", f"# {title}", ""]
    for path in files:
        lines += _module(path)
    return "\n".join(lines).rstrip() + "\n"


def _module(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [part for part in path.relative_to(ROOT).with_suffix("").parts if part not in ("__init__", "glbcheck")]
    public = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and _shown(node)]
    words = ast.get_docstring(tree)
    if not words or not (public or path.name == "__init__.py"):
        return
    yield from (f"## `{'.'.join(['glbcheck', *names])}`", "", *_prose(words))
    for node in public:
        yield from _member(node)


def _member(node: ast.FunctionDef | ast.ClassDef) -> Iterator[str]:
    yield from (f"### `{node.name}`", "", "```python", _head(node), "```", "", *_prose(ast.get_docstring(node) or ""))
    if isinstance(node, ast.ClassDef):
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and _shown(method):
                said = " ".join((ast.get_docstring(method) or "").split())
                yield from (f"- `{node.name}.{_head(method).removeprefix('def ')}`: {said}", "")


def _shown(node: ast.FunctionDef | ast.ClassDef) -> bool:
    return not node.name.startswith("_") and bool(ast.get_docstring(node))


def _head(node: ast.FunctionDef | ast.ClassDef) -> str:
    if isinstance(node, ast.FunctionDef):
        result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        head = f"def {node.name}({ast.unparse(node.args)}){result}"
        return head if len(head) <= WIDTH else "\n".join([f"def {node.name}(", *_arguments(node.args), f"){result}"])
    fields = [
        f"    {ast.unparse(one.target)}: {ast.unparse(one.annotation)}"
        for one in node.body
        if isinstance(one, ast.AnnAssign) and not ast.unparse(one.target).startswith("_")
    ]
    bases = f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""
    return "\n".join([f"class {node.name}{bases}", *fields])


def _arguments(given: ast.arguments) -> Iterator[str]:
    """One argument a line, as `ast.unparse` writes them."""
    one = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    plain = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(plain) - len(given.defaults)) + list(given.defaults)
    for argument, default in zip(plain, defaults, strict=True):
        one.args, one.defaults = [argument], [default] if default else []
        yield f"    {ast.unparse(one)},"
    if given.kwonlyargs or given.vararg:
        yield f"    *{given.vararg.arg if given.vararg else ''},"
    for argument, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        one.args, one.defaults = [argument], [default] if default else []
        yield f"    {ast.unparse(one)},"


def _prose(words: str) -> Iterator[str]:
    """A docstring as Markdown: examples stay examples, angle brackets are text."""
    example = False
    for line in words.splitlines():
        starts = line.startswith(">>>")
        if starts and not example:
            yield ""
        example = bool(line) and (starts or example)
        yield f"    {line}" if example else line if line.startswith("    ") else line.replace("<", r"\<")
    yield ""


def _facts() -> str:
    lines = [
        GENERATED,
        "",
        "# Textbook facts",
        "",
        "What arguments may use without proof, by name (`facts=(...)` of a claim).",
    ]
    lines += ["Each has a numerical test that a planted false variant fails (`verify/facts`).", ""]
    lines += ["| name | says | where |", "|---|---|---|"]
    for name in sorted(FACTS):
        one = FACTS[name]
        cells = (
            " ".join(text.split()).replace("|", r"\|").replace("<", r"\<") for text in (one.statement, one.reference)
        )
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|").replace("<", r"\<")


def _theories() -> str:
    lines = [
        GENERATED,
        "",
        "# The Coq library",
        "",
        "What every paper may use, in `verify/coq/theories` (library `Glbcheck`).",
        "The head of each file says what it proves.",
        "",
    ]
    for path in sorted((ROOT / "verify" / "coq" / "theories").glob("*.v")):
        text = path.read_text(encoding="utf-8")
        head = text[2 : text.index("*)")].strip() if text.startswith("(*") else ""
        lines += [f"## {path.stem}", "", "```text", inspect.cleandoc(head), "```", ""]
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    home = ROOT / "docs" / "reference"
    home.mkdir(exist_ok=True)
    for name, text in written().items():
        (home / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
