"""Write the reference pages of the site: public names with their docstrings, textbook facts, Coq theories.

`conf.py` calls `write` when a build begins. The pages are not part of the repository.

The public names of a module are those in `__all__`, or else every function and class that it defines without a leading
underscore; a name without a docstring is left out.
"""

from __future__ import annotations

import ast
import inspect
import pkgutil
import textwrap
from collections.abc import Iterator
from importlib import import_module, resources
from pathlib import Path
from types import ModuleType

from glbcheck.verify.facts import FACTS

PAGES = {
    "learner": ("The learner, its constants and its rivals", """
        core.learner core.algorithm core.algorithm.scouted core.algorithm.likelihood_ucb
        core.theory.parameters core.theory.constants core.theory.sharpest core.theory.tuning
        core.theory.local_constants core.theory.lower_constants core.engine.run core.environment.* core.rivals.*"""),
    "families": ("Families, audits and fits", """
        core.catalog core.family core.support core.concordance core.divergences core.fitting verify.audit
        verify.audit.models deciding"""),
    "claims": ("Writing claims", """
        verify.writing verify.registry verify.claim verify.judge verify.papers verify.anchors verify.facts"""),
    "provers": ("Provers", """
        verify.decide verify.search.symbolic verify.search.ladder verify.search.algebra verify.search.exact
        verify.search.games verify.search.cover verify.search.property verify.search.montecarlo
        verify.counterexample core.expression"""),
    "kernel": ("The kernel, and the checker of audits", """
        core.kernel.check core.kernel.language core.kernel.terms core.kernel.rules core.measures.check
        core.measures.witness core.measures.rules core.measures.laws"""),
}  # fmt: skip


def write(folder: Path) -> None:
    """Write every page into the folder."""
    folder.mkdir(exist_ok=True)
    pages = {name: _page(title, modules.split()) for name, (title, modules) in PAGES.items()}
    for name, lines in {**pages, "facts": _facts(), "coq": _theories()}.items():
        (folder / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _page(title: str, names: list[str]) -> Iterator[str]:
    yield f"# {title}"
    for name in names:
        package = import_module("glbcheck." + name.removesuffix(".*"))
        found = pkgutil.iter_modules(package.__path__, f"{package.__name__}.") if name.endswith(".*") else ()
        for module in [import_module(one.name) for one in found] or [package]:
            yield from ("", f"## `{module.__name__}`", "", *_prose(module))
            for public in _public(module):
                yield from _entry(public)


def _public(module: ModuleType) -> Iterator[object]:
    own = [name for name, one in vars(module).items() if getattr(one, "__module__", "") == module.__name__]
    for name in getattr(module, "__all__", [name for name in own if not name.startswith("_")]):
        one = inspect.unwrap(getattr(module, name))
        if (inspect.isfunction(one) or inspect.isclass(one)) and one.__doc__:
            yield one


def _entry(public: object) -> Iterator[str]:
    """A function with its signature; a class with its fields, and each public method with the docstring as one line."""
    source = textwrap.dedent(inspect.getsource(public))
    (node,) = ast.parse(source).body
    yield from (f"### `{node.name}`", "", "```python", *_head(node, source), "```", "", *_prose(public))
    for method in node.body if isinstance(node, ast.ClassDef) else ():
        if isinstance(method, ast.FunctionDef) and not method.name.startswith("_") and ast.get_docstring(method):
            head = " ".join(" ".join(_head(method, source)).split()).removeprefix("def ").removesuffix(":")
            yield from (f"- `{node.name}.{head}`: {' '.join(ast.get_docstring(method).split())}", "")


def _head(node: ast.FunctionDef | ast.ClassDef, source: str) -> list[str]:
    """The lines of the source above the body; of a class its public fields too."""
    lines = source.splitlines()
    fields = [one for one in node.body if isinstance(node, ast.ClassDef) and isinstance(one, ast.AnnAssign)]
    shown = [lines[field.lineno - 1] for field in fields if not ast.unparse(field.target).startswith("_")]
    return lines[node.lineno - 1 : node.body[0].lineno - 1] + shown


def _prose(documented: object) -> Iterator[str]:
    """A docstring as Markdown: an example becomes a code block, and `<` starts no tag."""
    example = False
    for line in (inspect.getdoc(documented) or "").splitlines():
        starts = line.startswith(">>>")
        if starts and not example:
            yield ""
        example = bool(line) and (starts or example)
        yield f"    {line}" if example else line if line.startswith("    ") else line.replace("<", r"\<")
    yield ""


def _facts() -> Iterator[str]:
    yield from ("# Textbook facts", "", "An argument may use these without proof, by name (`facts=(...)` of a claim).")
    yield from ("Each has a numerical test that a false variant fails (`tests/oracles/facts`).", "")
    yield from ("| name | statement | reference |", "|---|---|---|")
    for name, one in sorted(FACTS.items()):
        cells = (" ".join(text.split()).replace("|", r"\|") for text in (one.statement, one.reference))
        yield f"| `{name}` | {' | '.join(cells)} |".replace("<", r"\<")


def _theories() -> Iterator[str]:
    yield from ("# The Coq library", "", "Theories of `verify/coq/theories` (library `Glbcheck`), for every paper.")
    for path in sorted(Path(str(resources.files("glbcheck.verify.coq") / "theories")).glob("*.v")):
        head = path.read_text(encoding="utf-8").removeprefix("(*").partition("*)")[0]
        yield from ("", f"## {path.stem}", "", "```text", inspect.cleandoc(head.strip()), "```")
