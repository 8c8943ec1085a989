"""Mutants of what is trusted: one small edit each, and a battery that must notice.

`make mutants` tries all of them and prints what survived; `test_mutants.py` and `test_attacks.py` beside this file
try a sample.  A mutant runs in a forked process on a fresh copy of the package, so nothing of it is left behind.
"""

from __future__ import annotations

import ast
import gc
import importlib
import os
import resource
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder, SourceLoader
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
SECONDS, MEMORY = 60, 4 << 30  # of processor time; a mutant that runs for ever has been noticed
_OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
_WORDS = {"all": "any", "any": "all", "min": "max", "max": "min"}
_RELATIONS = {">=": ">", ">": ">=", "==": "!=", "!=": "=="}
# Checks whose loss lets no falsehood through: limits of work, and what something else refuses as well.
HARMLESS: tuple[str, ...] = (
    "larger than", "has more than", "too many", "too long", "levels deep", "too much work",
    "is too large", "a conjunction of nothing", "a cell has the wrong dimension", "a cell lies outside",
    "a formula is text", "is already a variable", "a bound name cannot be replaced", "no atom stands for it",
    "an instance for each function", "a cell is whole numbers",
    "a sum or product of more than", "{old} = {value}?", "{why}?", "takes one argument",
)  # fmt: skip
# Lines of which no edit matters: work is counted, limits are set, an error is raised a line sooner or later, a type
# is named, or the same is asked again by the rule that comes next.
QUIET: tuple[str, ...] = (
    "spend(", "raise ", "return None", "return False", "return dict(pairs)", "seen |= ", "def subterms",
    "def interval", "def plus", "for bits in", "if bits > 1000", "min\", \"max", "strict=True", "Ratio(plus(self.num",
    "context.require_defined(then)", "inside.require_defined(",
    "where.require_defined(f)", "way.require_defined(F", "Fact(u, \">\"), {}", "with precision(256)",
)  # fmt: skip
# Why no edit of a line that holds these words lets a falsehood through.
EXPLAINED_OF_MEASURES: dict[str, str] = {
    "the kernel says otherwise": "`accepted` rejects a yes whose word is `refuted`",
    "is no question": "no other method returns a word and a sentence",
    'require(lower > 0, "1/inf': "1/0 is no number",
    "a dispersion is positive": "`transform` and `refutes` ask for a positive power",
    "an identity is shown by the mass": "`accepted` rejects a no whose word is `proved`",
    "a support can be refuted, not shown": "`accepted` rejects a yes whose word is `refuted`",
    "a formula in z": "`read` reads no other letter",
    "Taylor coefficients are of formulas in z": "the same, and a limit of work",
    "has no Taylor coefficients here": "`_FUNCTIONS` has no other name",
    "an exponent is too large": "a limit of work",
    "the order of besseli is a whole number": "`read` reads no other order",
    "have real weights": "complex weights make a square as well",
    "a law takes other numbers": "m has a value, so no number without one is left in its normal form",
    "the form is not seen to be exp(power m)": "moments and exponentials take exp(power m) itself",
    "is no witness": "no other method returns entries",
    "the mean lies inside": "no number is subtracted from None",
    "a spline has a variable and knots": "zip(strict=True) and the last piece ask for the same",
    "is not a small whole number": "`besseli` of another order is not read, and a large one is a limit of work",
    "is no law": "`LAWS` has no other name",
    'require(False, f"the sign of {u}': "without a sign both sides are alike, and show no gap of order 3 or less",
    "is no rule, or stands too deep": "`RULES` has no other name, and the depth is a limit of work",
    "takes other parts": "what is missing is an IndexError, and what is too much is not used",
    'require(power > 0, "a power is positive': "the callers ask for a positive g",
}
EXPLAINED_OF_JUDGE: dict[str, str] = {
    "time.perf_counter": "seconds decide nothing",
    "combine needs at least one": "the largest of nothing is refused as well",
    "part.summary for part in parts": "words",
    "coq.": "asks Coq, which is not on every machine: tests/verify/coq/test_coq.py",
    "else str(complaint)": "the same",
    "name in known and name not in seen": "names that are not known are complained of before",
    "seen.add(name)": "what is used twice is complained of twice",
    "    return\n": "only the first complaint is asked for",
}


@dataclass(frozen=True)
class Trusted:
    """A package whose errors could let a falsehood through, and the battery that its mutants are put to.

    `parts` names its modules, and the functions of each that are trusted (none: all).  No edit of a line that holds one
    of the `explained` texts lets a falsehood through: the value says why.
    """

    folder: str
    battery: str
    parts: Mapping[str, tuple[str, ...]]
    explained: Mapping[str, str]

    @property
    def package(self) -> str:
        return f"glbcheck.{self.folder.replace('/', '.')}"

    def text(self, module: str) -> str:
        return (ROOT / self.folder / f"{module}.py").read_text()

    def is_trusted(self, module: str, line: int) -> bool:
        """Is this line one of a function that the entry names, or of any?"""
        names = self.parts[module]
        if not names:
            return True
        tree = ast.parse(self.text(module))
        inside = {f.name for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) and f.lineno <= line <= _end(f)}
        return bool(inside & set(names))

    def quiet(self, module: str, line: int) -> bool:
        """Is it known that no edit of this line lets a falsehood through?"""
        text = self.text(module).splitlines()[line - 1] + "\n"
        return any(words in text for words in self.explained)


def _end(node: ast.FunctionDef) -> int:
    return node.end_lineno or node.lineno


def _every(folder: str) -> dict[str, tuple[str, ...]]:
    names = sorted(path.stem for path in (ROOT / folder).glob("*.py"))
    return {name: () for name in names if not name.startswith("__")}


KERNEL = Trusted(
    "core/kernel",
    "tests.attacks.kernel_battery",
    _every("core/kernel"),
    dict.fromkeys((*HARMLESS, *QUIET), "see above"),
)
MEASURES = Trusted("core/measures", "tests.attacks.measures_battery", _every("core/measures"), EXPLAINED_OF_MEASURES)
JUDGE = Trusted(
    "verify",
    "tests.attacks.judge_battery",
    {
        "judge": (),
        "support": (),
        "ledger": ("ancestors", "facts_of", "holds_up_to", "as_expected", "results", "complete", "_odd_row"),
        "certificate": ("accepted", "_refuse", "evidence_for", "certifies", "relations", "says_nothing", "idle"),
    },
    EXPLAINED_OF_JUDGE,
)
TRUSTED = {"kernel": KERNEL, "measures": MEASURES, "judge": JUDGE}
_SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Raise)
# Types, messages, decorators and imports do not decide anything.
_IDLE = {"annotation", "returns", "decorator_list", "exc", "bases", "type_params"}


@dataclass(frozen=True)
class Mutant:
    """One edit of one line of one module."""

    module: str
    line: int
    edit: str
    number: int  # among those of its module
    of: Trusted = KERNEL

    def __str__(self) -> str:
        return f"{self.module}.py:{self.line}: {self.edit}"

    def source(self) -> str:
        """The text of the module with this edit."""
        tree = ast.parse(self.of.text(self.module))
        next(islice(edits(tree), self.number, None))
        return ast.unparse(ast.fix_missing_locations(tree))


def all_mutants(of: Trusted = KERNEL) -> list[Mutant]:
    return [
        Mutant(module, line, f"{_text(old)} becomes {_text(new)}", number, of)
        for module in of.parts
        for number, (line, old, new) in enumerate(edits(ast.parse(of.text(module))))
        if of.is_trusted(module, line)
    ]


def edits(tree: ast.Module) -> Iterator[tuple[int, ast.AST, ast.AST]]:
    """Every edit as line, old and new part; the tree has it until the next one is asked for."""
    for parent, name, i, child in _sites(tree):
        line = getattr(child, "lineno", getattr(parent, "lineno", 0))
        for new in _instead(parent, name, child):
            _put(parent, name, i, ast.copy_location(new, child) if hasattr(child, "lineno") else new)
            yield line, child, new
            _put(parent, name, i, child)


def _text(node: ast.AST) -> str:
    named = type(node).__name__ if not isinstance(node, ast.stmt | ast.expr) else ast.unparse(node)
    return named.replace("\n", " ")[:160]


def _sites(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """Every place of the tree where an edit may change what is decided."""
    if isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr):
        return
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).strip("(").startswith(("MAX_", "__", "HALVINGS")):
        return  # limits: one more is as good
    for name, value in ast.iter_fields(node):
        if name in _IDLE:
            continue
        children = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for i, child in children:
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            message = (called in ("require", "Rejected") and i == 1) or (called == "self.require" and i == 2)
            if isinstance(child, ast.AST) and not message:
                yield node, name, i, child
                yield from _sites(child)


def _put(parent: ast.AST, name: str, i: int | None, child: ast.AST) -> None:
    if i is None:
        setattr(parent, name, child)
    else:
        getattr(parent, name)[i] = child


def _instead(parent: ast.AST, name: str, node: ast.AST) -> Iterable[ast.AST]:
    """What may stand here instead."""
    if type(node) in _OPERATORS:
        yield _OPERATORS[type(node)]()
    match node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Constant(value=float(value)):
            yield ast.Constant(1.5 * value or 1.0)
        case ast.Constant(value=str(value)) if value in _RELATIONS:
            yield ast.Constant(_RELATIONS[value])
        case ast.Name(id=word) if word in _WORDS and isinstance(node.ctx, ast.Load):
            yield ast.Name(_WORDS[word], ast.Load())
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.Expr(value=ast.Constant()):
            return
        case ast.Expr(value=ast.Call(func=ast.Name(id="require"), args=[_, message])):
            yield ast.Expr(ast.Call(ast.Name("require", ast.Load()), [ast.Constant(True), message], []))
        case ast.AnnAssign(value=None):
            return
        case _ if isinstance(node, _SIMPLE) and name in ("body", "orelse"):
            yield ast.Pass()
    if name in ("test", "ifs") and isinstance(parent, ast.If | ast.IfExp | ast.While | ast.comprehension):
        yield ast.UnaryOp(ast.Not(), node) if isinstance(node, ast.expr) else node


# --- running ----------------------------------------------------------------------------------------------


class _Changed(MetaPathFinder, SourceLoader):  # type: ignore[misc]
    """Imports one module of a package from the text of a mutant."""

    def __init__(self, mutant: Mutant) -> None:
        self.name, self.text = f"{mutant.of.package}.{mutant.module}", mutant.source()

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        return spec_from_loader(name, self) if name == self.name else None

    def get_filename(self, name: str) -> str:
        return f"<mutant of {name}>"

    def get_data(self, path: str) -> bytes:
        return self.text.encode()


def _noticed_here(mutant: Mutant) -> bool:
    of = mutant.of
    fresh = [f"{of.package}.{module}" for module in of.parts]
    for name in [name for name in sys.modules if name in fresh or name.startswith(of.battery)]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Changed(mutant))
    try:
        importlib.import_module(of.battery).run()
    except BaseException:
        return True
    return False


def noticed(mutant: Mutant) -> bool:
    """Does the battery fail, crash or never end with this mutant?"""
    child = os.fork()
    if child == 0:
        gc.disable()  # it would go through, and so copy, all that was inherited
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        os._exit(_noticed_here(mutant))
    return os.waitpid(child, 0)[1] != 0


def tried(of: Trusted) -> int:
    """All mutants of a package, on two processes; the number of lines of which no mutant is noticed or explained."""
    importlib.import_module(of.battery).run()
    mutants = all_mutants(of)
    seen: dict[tuple[str, int], bool] = {}
    survived = []
    with get_context("fork").Pool() as pool:
        for i, (mutant, caught) in enumerate(zip(mutants, pool.imap(noticed, mutants, 8), strict=True), 1):
            at = mutant.module, mutant.line
            seen[at] = seen.get(at, False) or caught
            survived += [] if caught else [mutant]
            print(f"\r{i} of {len(mutants)} mutants, {len(survived)} survived", end="", file=sys.stderr)
    print(file=sys.stderr)
    for mutant in survived:
        print(f"survived  {mutant}")
    blind = [
        f"{module}.py:{line}" for (module, line), caught in seen.items() if not caught and not of.quiet(module, line)
    ]
    known, lines = len(mutants) - len(survived), len(seen) - len(blind)
    print(f"{of.folder}: noticed {known} of {len(mutants)} mutants, at least one on {lines} of {len(seen)} lines")
    for place in blind:
        print(f"no mutant of {place} is noticed")
    return len(blind)


def main() -> int:
    """The packages that are named, or all of them."""
    return sum(tried(TRUSTED[name]) for name in sys.argv[1:] or TRUSTED) > 0


if __name__ == "__main__":
    sys.exit(main())
