"""The rooms of the house and the arrows between them."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ROOT / "core" / "kernel"
MEASURES = ROOT / "core" / "measures"
ROOMS = {
    "core": "glbcheck.core",
    "verify": "glbcheck.verify",
    "proofs_checks": "glbcheck.proofs_checks",
    "glbcheck": "glbcheck",
}
# Which of ours a room may import, and what it may not import of others.
ARROWS: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "core": (("glbcheck.core",), {"tests", "pytest", "hypothesis"}),
    "verify": (("glbcheck.core", "glbcheck.verify"), {"tests"}),
    "proofs_checks": (("glbcheck.core", "glbcheck.verify", "glbcheck.proofs_checks"), {"tests"}),
    "glbcheck": (("glbcheck",), {"tests", "pytest"}),
}
LIMIT = 300
KERNEL_LIMIT = 1_600
MEASURES_LIMIT = 2_000  # lines
# Longer than the limit, with their lines: a list that only shrinks.
LONG: dict[str, int] = {}


@cache
def modules() -> dict[str, Path]:
    """Every module of ours by its import name."""
    found = {}
    for room, package in ROOMS.items():
        for path in sorted((ROOT / room).rglob("*.py")):
            parts = path.relative_to(ROOT / room).with_suffix("").parts
            found[".".join((package, *(part for part in parts if part != "__init__")))] = path
    return found


def sources(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def named(node: ast.AST, path: Path) -> Iterator[str]:
    """What an import statement imports; a name taken from a package of ours is that module, if it is one."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        home = node.module or ""
        if node.level:
            own = next(name for name, file in modules().items() if file == path).split(".")
            up = node.level - (path.name == "__init__.py")
            home = ".".join([*own[: len(own) - up], *filter(None, [node.module])])
        for alias in node.names:
            whole = f"{home}.{alias.name}"
            yield whole if whole in modules() else home


def imports(path: Path) -> set[str]:
    """Everything a module imports, at once or later."""
    return {name for node in ast.walk(tree(path)) for name in named(node, path)}


def within(name: str, packages: tuple[str, ...]) -> bool:
    return any(f"{name}.".startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize("room", ROOMS)
def test_arrows_point_one_way(room: str) -> None:
    allowed, banned = ARROWS[room]
    strays = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources(room)
        for name in imports(path)
        if (within(name, ("glbcheck",)) and not within(name, allowed)) or name.partition(".")[0] in banned
    ]
    assert not strays


def test_the_kernel_imports_the_standard_library_and_flint_and_nothing_else() -> None:
    allowed = (*sys.stdlib_module_names, "flint", "glbcheck.core.kernel")
    paths = sorted(KERNEL.rglob("*.py"))
    strays = [f"{path.name} imports {n}" for path in paths for n in imports(path) if not within(n, allowed)]
    assert not strays


def test_the_checker_of_answers_rests_on_the_kernel_alone() -> None:
    allowed = (*sys.stdlib_module_names, "flint", "glbcheck.core.kernel", "glbcheck.core.measures")
    paths = sorted(MEASURES.rglob("*.py"))
    strays = [f"{path.name} imports {n}" for path in paths for n in imports(path) if not within(n, allowed)]
    assert paths
    assert not strays


def test_the_checker_of_answers_is_small() -> None:
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in MEASURES.glob("*.py")) <= MEASURES_LIMIT


def test_the_kernel_is_small() -> None:
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in KERNEL.glob("*.py")) <= KERNEL_LIMIT


def test_no_module_needs_itself_not_even_later() -> None:
    graph = {name: imports(path) & modules().keys() - {name} for name, path in modules().items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as err:
        pytest.fail(" imports ".join(reversed(err.args[1])))


def test_no_two_packages_need_each_other() -> None:
    """A package may use the modules above it in its own tree; two that lie beside each other may not be in a circle."""
    package = {name: name if path.stem == "__init__" else name.rpartition(".")[0] for name, path in modules().items()}
    graph: dict[str, set[str]] = {home: set() for home in package.values()}
    for name, path in modules().items():
        others = {package[used] for used in imports(path) & modules().keys()}
        graph[package[name]] |= {other for other in others if not nested(other, package[name])}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as err:
        pytest.fail(" imports ".join(reversed(err.args[1])))


def nested(a: str, b: str) -> bool:
    return within(a, (b,)) or within(b, (a,))


def test_modules_are_short() -> None:
    lines = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in modules().values()
    }
    long = {name: count for name, count in lines.items() if count > LIMIT}
    assert not {name: count for name, count in long.items() if count > LONG.get(name, LIMIT)}
    assert not LONG.keys() - long.keys(), "no longer long: take it off the list"


@pytest.mark.parametrize("room", ROOMS)
def test_python_flint_has_one_door(room: str) -> None:
    doors = {ROOT / "core" / "enclosure", KERNEL, MEASURES, ROOT / "verify" / "search"}  # exact numbers, fast
    strays = [p for p in sources(room) if p.parent not in doors and any(within(n, ("flint",)) for n in imports(p))]
    assert not strays


def calls(path: Path) -> Iterator[str]:
    """The plain functions a module calls by name, and `parse_expr` also as a method."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield from ("parse_expr",) if node.func.attr == "parse_expr" else ()


@pytest.mark.parametrize("room", ROOMS)
def test_no_text_is_evaluated_and_core_prints_nothing(room: str) -> None:
    banned = {"eval", "exec", "parse_expr"} | ({"print", "input"} if room == "core" else set())
    # The two checkers are programs of their own, and say what they found.
    silent = [p for p in sources(room) if p not in (KERNEL / "__main__.py", MEASURES / "__main__.py")]
    strays = [f"{p.relative_to(ROOT)}: {c}" for p in silent for c in calls(p) if c in banned]
    assert not strays


def test_unsound_interval_arithmetic_is_not_used() -> None:
    assert not [path for path in modules().values() if re.search(r"\biv\.|mpmath\.iv", path.read_text())]


def test_no_answer_rests_on_a_limit_of_sympys() -> None:
    proposes_only = ROOT / "verify" / "audit" / "domain.py"
    paths = [path for room in ("core", "verify") for path in sources(room) if path != proposes_only]
    assert not [path for path in paths if re.search(r"\b(sp|sympy)\.limit\(", path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_loads_no_heavy_library(argument: str) -> None:
    heavy = {"sympy", "numpy", "scipy", "numba", "flint", "mpmath", "z3", "cvc5", "hypothesis", "pytest"}
    code = "import sys; from glbcheck.cli import main; main([sys.argv[1]])"
    code += f"; print({heavy} & sys.modules.keys())"
    run = subprocess.run([sys.executable, "-c", code, argument], capture_output=True, text=True, cwd=ROOT)
    assert run.stdout.startswith(("usage: glbcheck", "glbcheck "))
    assert run.stdout.splitlines()[-1] == "set()", run.stdout + run.stderr


def test_pinned_versions_hold_no_address() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert all(re.fullmatch(r"#.*|[A-Za-z0-9_.\-]+==[A-Za-z0-9_.\-]+", line) for line in lines)


def test_a_paper_writes_no_evidence_of_its_own() -> None:
    """What a reader is told of the evidence is rendered by the searcher, from what was decided."""
    words, makers = {"prover", "summary", "scope", "certificate"}, {"Evidence", "evidence_for", "proof_of"}
    found = [(path, node) for path in sources("proofs_checks") for node in ast.walk(tree(path))]
    calls = [(path, node) for path, node in found if isinstance(node, ast.Call)]
    own = [(p, c) for p, c in calls if ast.unparse(c.func) in makers or words & {k.arg for k in c.keywords}]
    assert not [f"{path.relative_to(ROOT)}:{call.lineno}" for path, call in own]


def test_verify_imports_no_algorithm() -> None:
    parts = (
        "algorithm",
        "engine",
        "competitors",
        "rivals",
        "learner",
        "simulation",
        "adversary",
        "environment",
        "trajectory",
    )
    banned = tuple(f"glbcheck.core.{part}" for part in parts)
    strays = [f"{path.name} imports {n}" for path in sources("verify") for n in imports(path) if within(n, banned)]
    assert not strays
