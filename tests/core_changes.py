"""Every small edit of the learner, the engine and what is built on them, put into a running process.

An edit changes the body of one function, or the value of one constant of a module.  The function gets the changed
code wherever it is held, so nothing is imported again and the caches of everything else stay warm; compiled functions
are plain ones, with NUMBA_DISABLE_JIT=1.  Fields of classes and defaults of arguments are left alone.
"""

from __future__ import annotations

import ast
import functools
import gc
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from hashlib import sha256
from itertools import islice
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from tests.mutants import edits

CORE = Path(__file__).resolve().parent.parent / "core"
FOLDERS = ("engine", "learner", "competitors", "rivals", "simulation", "fitting")
FILES = (
    "_flat", "_turns", "adversary", "algorithm", "bound_gap", "bracket", "constants", "contexts", "environment",
    "informative", "kept", "letters", "link_constants", "local_constants", "lower_constants", "observed", "optimism",
    "parameters", "projection", "scout", "scouted", "sharpest", "spd", "taylor", "tolerances", "trajectory", "tuning",
    "world",
)  # fmt: skip
# What certifies numbers and describes families: `tests.engine_mutants --numbers` changes it.
NUMBER_FOLDERS = ("enclosure", "catalog")
NUMBER_FILES = (
    "concordance", "suprema", "divergences", "family", "closed_forms", "exact", "exponential_sums", "binomial",
    "numeric", "density", "support", "scalar", "translation", "inversion", "expression",
)  # fmt: skip
# Code about registers, by file or by file and owner: its twin is `tests.plain_numbers`.
NOT_PLAIN = (
    "engine/wide.py: ", "engine/wide_memory.py: ", "engine/abreast.py: ",
    "_flat.py: Flat.", "_flat.py: whole: ", "_flat.py: _Model.", "_flat.py: _Attributes.", "_flat.py: _get: ",
    "engine/state.py: learner_in: ", "engine/arms.py: arms_in: ",
    "engine/streams.py: _State.", "engine/streams.py: start: ", "engine/streams.py: bits: ",
    "engine/streams.py: leap: ",
    "engine/streams.py: (_WORD, ",
)  # fmt: skip


class NotFound(Exception):
    """A change that concerns nothing in this process."""


@dataclass(frozen=True)
class Mutant:
    """Edit `number` of the function or constant `owner`, the n-th one of its file."""

    path: str  # within core
    owner: str
    place: int
    number: int
    line: int
    edit: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.owner}: {self.edit}"

    @property
    def key(self) -> str:
        """A name that another text of the file would change."""
        text = (CORE / self.path).read_bytes() + f"{self.place} {self.number}".encode()
        return f"{self.path} {self.owner} {sha256(text).hexdigest()[:16]}"

    def tree(self) -> tuple[ast.Module, ast.stmt]:
        """The module with this edit, and the function or assignment that has it."""
        tree = ast.parse((CORE / self.path).read_text())
        _, owner, body = list(_owners(tree))[self.place]
        next(islice(_edits_of(body), self.number, None))
        return ast.fix_missing_locations(tree), owner


def files(numbers: bool = False) -> list[Path]:
    """Those of the engine and the learner, or else those of numbers."""
    folders, names = (NUMBER_FOLDERS, NUMBER_FILES) if numbers else (FOLDERS, FILES)
    found = [path for folder in folders for path in sorted((CORE / folder).glob("*.py"))]
    return found + [CORE / f"{name}.py" for name in names]


def all_mutants(plain: bool = True, numbers: bool = False) -> list[Mutant]:
    """Those of code that runs interpreted, or else those of code about registers."""
    return [
        Mutant(str(path.relative_to(CORE)), name, place, number, line, f"{_text(old)} becomes {_text(new)}")
        for path in files(numbers)
        for place, (name, _, body) in enumerate(_owners(ast.parse(path.read_text())))
        if plain != f"{path.relative_to(CORE)}: {name}: ".startswith(NOT_PLAIN)
        for number, (line, old, new) in enumerate(_edits_of(body))
    ]


def _owners(tree: ast.Module) -> Iterator[tuple[str, ast.stmt, ast.Module]]:
    """Functions, methods and constants: name, node, and a module whose edits are those of its body."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node, ast.Module(node.body, [])
        elif isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef):
                    yield f"{node.name}.{part.name}", part, ast.Module(part.body, [])
        elif isinstance(node, ast.Assign):
            yield ast.unparse(node.targets[0]), node, ast.Module([node], [])


def _edits_of(body: ast.Module) -> Iterator[tuple[int, ast.AST, ast.AST]]:
    constant = isinstance(body.body[0], ast.Assign) and len(body.body) == 1
    for line, old, new in edits(body):
        if not (constant and isinstance(new, ast.Pass)):
            yield line, old, new


def _text(node: ast.AST) -> str:
    named = type(node).__name__ if not isinstance(node, ast.stmt | ast.expr) else ast.unparse(node)
    return named.replace("\n", " ")[:120]


# --- putting one in its place -------------------------------------------------------------------------------------

_functions: dict[CodeType, list[FunctionType]] = {}
_caches: list[tuple[Any, set[str]]] = []  # each with the modules that its results may come from
_families: list[Any] = []


def remember() -> None:
    """Find the functions and caches that a change concerns, once for all forks."""
    for found in (_functions, _caches, _families):
        found.clear()
    gc.unfreeze()  # what is frozen is not listed
    for held in gc.get_objects():
        if isinstance(held, FunctionType) and held.__code__.co_filename.startswith(str(CORE)):
            _functions.setdefault(held.__code__, []).append(held)
        elif isinstance(held, functools._lru_cache_wrapper) and held.__module__.startswith("glbcheck.core."):
            _caches.append((held, _imported_by(str(held.__module__))))
        elif type(held).__name__ == "Family" and type(held).__module__ == "glbcheck.core.family":
            _families.append(held)


def install(path: str, changed: ast.Module, owner: ast.stmt) -> None:
    """Change the function or constant in this process, wherever it is held."""
    module = _module(path)
    file = str(module.__file__)
    trees = ast.parse(Path(file).read_text()), changed
    old, new = (compile(tree, file, "exec", dont_inherit=True) for tree in trees)  # as it was imported
    after = dict(_codes(new))
    swapped = {code: after[key] for key, code in _codes(old) if key in after and code != after[key]}
    swapped.pop(old, None)
    if isinstance(owner, ast.Assign):
        _assign(module, owner)
    elif not _functions.keys() & swapped:
        raise NotFound(f"{path}: no function has the code that was changed")
    for before, now in swapped.items():
        for function in _functions.get(before, ()):
            function.__code__ = now
    forget(module.__name__)


def forget(name: str) -> None:
    """No result from before a change of this module; what certifies numbers is also held by what it was given to."""
    numbers = name in {_module_name(str(path.relative_to(CORE))) for path in files(numbers=True)}
    for cache, sources in _caches:
        if numbers or name in sources:
            cache.cache_clear()
    for family in _families if numbers else ():
        _unstate(family)


def _unstate(family: Any) -> None:
    """A family that finds its formulas and all that follows from them again."""
    stated = family.__dict__
    known = {field.name for field in fields(family)}
    later = {field.name for field in fields(sys.modules["glbcheck.core.support"].Formulas)}
    for name in list(stated):
        if name not in known | {"_formulas"} or ("_formulas" in stated and name in later):
            del stated[name]


def _module_name(path: str) -> str:
    return ("glbcheck.core." + path.removesuffix(".py").replace("/", ".")).removesuffix(".__init__")


def _module(path: str) -> ModuleType:
    return sys.modules[_module_name(path)]


def _imported_by(name: str) -> set[str]:
    """The module and all of core that it imports, or what it imports does."""
    found, waiting = set[str](), [name]
    while waiting:
        one = waiting.pop()
        if one not in found and one in sys.modules:
            found.add(one)
            waiting += _imports_of(one)
    return found


@functools.cache
def _imports_of(name: str) -> list[str]:
    tree = ast.parse(Path(str(sys.modules[name].__file__)).read_text())
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names = [f"{node.module}.{alias.name}" for node in froms for alias in node.names]
    names += [str(node.module) for node in froms]
    found = [one for one in names if one.startswith("glbcheck.core")]
    return found + [one for one in sys.modules if one.startswith(f"{name}.") and name == "glbcheck.core.catalog"]


def _codes(code: CodeType) -> Iterator[tuple[Any, CodeType]]:
    """Functions by qualified name and first line; of several lambdas in a line also by their number."""
    seen: dict[Any, int] = {}
    waiting = [code]
    while waiting:
        one = waiting.pop()
        name = one.co_qualname, one.co_firstlineno
        seen[name] = seen.get(name, 0) + 1
        yield (*name, seen[name]), one
        waiting += [part for part in one.co_consts if isinstance(part, CodeType)]


def _assign(module: ModuleType, assignment: ast.Assign) -> None:
    before = dict(vars(module))
    exec(compile(ast.Module([assignment], []), "<constant>", "exec"), vars(module))
    for name, value in list(vars(module).items()):
        if name in before and value is not before[name] and name != "__builtins__":
            set_constant(name, before[name], value)


def set_constant(name: str, old: Any, new: Any) -> None:
    """A new value for a name, in every namespace that has imported the old one."""
    spaces = [vars(m) for n, m in sys.modules.items() if n.startswith(("glbcheck.core", "tests."))]
    spaces += [f.__globals__ for functions in _functions.values() for f in functions]
    for space in spaces:
        if space.get(name) is old:
            space[name] = new


def sample(mutants: list[Mutant], every: int) -> list[Mutant]:
    """One of each function or constant, and of these one in `every`; both drawn by a hash of its name."""
    owners: dict[tuple[str, str, int], list[Mutant]] = {}
    for mutant in mutants:
        owners.setdefault((mutant.path, mutant.owner, mutant.place), []).append(mutant)
    draws = {name: int.from_bytes(sha256(f"{name[0]} {name[1]}".encode()).digest()[:8]) for name in owners}
    return [its[draws[name] // every % len(its)] for name, its in owners.items() if draws[name] % every == 0]
