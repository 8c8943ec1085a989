"""Where claims are declared: a decorator, and one table of all claims.

    @claim(
        "lemma:solve-log",
        hypotheses=("a > 0", "b > 0"),
        control=("the factor 2 dropped", 1),
        uses=("log_tangent",),
    )
    def solve_log_bound(factor: int = 2) -> Evidence:
        '''n <= a log(1 + b n) implies n <= 2 a log(1 + a b).'''

Its machine-checked part should be proved as it stands, and rejected with factor = 1; the claim is then `argued`.

A claim that could not be trusted (no anchor, no control, a float among its data, a refutation that
does not say how much it matters) is refused here, by name, before anything runs.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from glbcheck.verify.claim import Claim, Control, Evidence, Formal, Reading, Severity, Verdict
from glbcheck.verify.facts import FACTS

Check = Callable[..., Evidence]
W = TypeVar("W", Verdict, Reading, Severity)


class ClaimError(ValueError):
    """A claim that breaks the rules; the message begins with its id."""

    def __init__(self, claim_id: str, complaint: str) -> None:
        self.claim_id = claim_id
        super().__init__(f"claim {claim_id!r}: {complaint}")


class Registry:
    """All claims of all papers; within a module an id belongs to one place (within a paper: see `papers`)."""

    def __init__(self) -> None:
        self._claims: dict[tuple[str, str], Claim] = {}
        self._homes: dict[tuple[str, str], Any] = {}

    def add(self, claim: Claim, home: Any = None) -> Claim:
        """Enter a claim declared in the module namespace `home`."""
        _refuse_bad(claim)
        key = _module_of(claim), claim.id
        known = self._claims.get(key)
        # A module imported again (after a failed import, say) replaces its claims; nothing else may.
        again = known is not None and known.location == claim.location and self._homes[key] is not home
        if known is not None and not again:
            raise ClaimError(claim.id, f"declared twice: at {known.location} and at {claim.location}")
        self._claims[key], self._homes[key] = claim, home
        return claim

    def __iter__(self) -> Iterator[Claim]:
        return iter(self._claims.values())

    def of(self, module: ModuleType) -> list[Claim]:
        """Those that this very module declared, and not what its file said when it was imported before."""
        known = ((key, claim) for key, claim in self._claims.items() if key[0] == module.__name__)
        return [claim for key, claim in known if self._homes[key] is None or self._homes[key] is vars(module)]


REGISTRY = Registry()


def claim(
    *anchors: str,
    expected: Verdict | str = Verdict.PROVED,
    control: tuple[Any, ...] | None = None,
    id: str | None = None,
    title: str | None = None,
    hypotheses: Iterable[str] = (),
    uses: Iterable[str] = (),
    reading: Reading | str = Reading.AS_PRINTED,
    severity: Severity | str | None = None,
    consequence: str = "",
    math: str = "",
    facts: Iterable[str] = (),
    discharges: Mapping[str, str] | None = None,
    carries: Iterable[str] = (),
    coq: str = "",
    registry: Registry = REGISTRY,
) -> Callable[[Check], Claim]:
    """Turn a function that returns `Evidence` into a claim about the paper's `anchors`.

    The id is the function's name unless given, the title the first line of its docstring, and the rest of that
    the argument; `facts` names the textbook facts in it.  `control` is a nearby statement and what the same prover
    must not let through: arguments for the function, or a check of its own; `math` is LaTeX.  What is said here in
    words is at best `argued`: `expected` is what its machine-checked part should earn.  `coq` names the Coq theorem
    that denies the printed statement, for a claim that is refuted or has a gap.
    """

    def declare(check: Check) -> Claim:
        name = id or check.__name__
        lines = (inspect.getdoc(check) or "").strip().splitlines()
        core = word(name, "expected", Verdict, expected)
        return registry.add(
            Claim(
                id=name,
                anchors=tuple(anchors),
                title=title or (lines[0] if lines else ""),
                check=check,
                expected=Verdict.ARGUED if core.machine_checked else core,
                core=core,
                argument=" ".join(" ".join(lines[1:]).split()),
                facts=texts(name, "facts", facts),
                control=None if control is None else _control(check, *control),
                reading=word(name, "reading", Reading, reading),
                hypotheses=texts(name, "hypotheses", hypotheses),
                uses=texts(name, "uses", uses),
                severity=None if severity is None else word(name, "severity", Severity, severity),
                consequence=consequence,
                location=_location(check),
                math=math,
                discharges=dict(discharges or {}),
                carries=texts(name, "carries", carries),
                coq=Formal(coq, theories(getattr(check, "__globals__", {}))) if coq else None,
            ),
            home=getattr(check, "__globals__", None),
        )

    return declare


def states(
    statement: str,
    *anchors: str,
    id: str,
    control: tuple[str, str],
    why: str = "",
    expected: Verdict | str = Verdict.PROVED,
    uses: Iterable[str] = (),
    reading: Reading | str = Reading.AS_PRINTED,
    severity: Severity | str | None = None,
    consequence: str = "",
    registry: Registry = REGISTRY,
) -> Claim:
    """A claim that is its own statement, in the formula language: what is shown is what is decided.

    `control` is an edit of the statement, a piece of its text and what stands there instead; `why` is the
    argument, for the reader alone.
    """
    old, new = control
    if statement.count(old) != 1 or old == new:
        raise ClaimError(id, f"control = {control!r}: the piece to be edited occurs {statement.count(old)} times")
    caller = sys._getframe(1)  # inspect.stack would read the source of every frame
    edited = statement.replace(old, new)
    return registry.add(
        Claim(
            id=id,
            anchors=tuple(anchors),
            title=statement,
            check=partial(_decided, statement),
            expected=word(id, "expected", Verdict, expected),
            control=Control(edited, partial(_decided, edited)),
            reading=word(id, "reading", Reading, reading),
            uses=texts(id, "uses", uses),
            severity=None if severity is None else word(id, "severity", Severity, severity),
            consequence=consequence,
            location=f"{caller.f_globals.get('__name__', '')}:{caller.f_lineno}",
            states=statement,
            argument=why,
        ),
        home=caller.f_globals,
    )


def theories(module: Mapping[str, Any]) -> Path:
    """The folder of Coq sources of the paper that a module belongs to, or beside the module."""
    path = Path(module.get("__file__") or "")
    home = next((folder for folder in path.parents if (folder / "paper.toml").is_file()), path.parent)
    return home / "coq"


def _decided(statement: str) -> Evidence:
    from glbcheck.verify.decide import decide

    return decide(statement)


def definition(*anchors: str, reason: str, uses: Iterable[str] = (), registry: Registry = REGISTRY) -> Claim:
    """The anchors introduce notation: there is nothing to decide, for this reason."""
    return _note(Verdict.DEFINITION, anchors, reason, uses, registry)


def structural(*anchors: str, reason: str, uses: Iterable[str] = (), registry: Registry = REGISTRY) -> Claim:
    """The anchors are headings, tables or restatements of claims decided elsewhere."""
    return _note(Verdict.STRUCTURAL, anchors, reason, uses, registry)


def cited(*anchors: str, reason: str, uses: Iterable[str] = (), registry: Registry = REGISTRY) -> Claim:
    """The anchors quote a result of another paper that is not decided here."""
    return _note(Verdict.CITED, anchors, reason, uses, registry)


def undecided(*anchors: str, reason: str, uses: Iterable[str] = (), registry: Registry = REGISTRY) -> Claim:
    """Nobody has decided what stands at these anchors yet, for this reason."""
    return _note(Verdict.UNDECIDED, anchors, reason, uses, registry)


def claims_in(module: ModuleType) -> list[Claim]:
    """The claims declared in this module (not those it imports), in source order."""
    return REGISTRY.of(module)


def _note(verdict: Verdict, anchors: tuple[str, ...], reason: str, uses: Iterable[str], registry: Registry) -> Claim:
    name = f"{verdict}:{anchors[0]}" if anchors else str(verdict)
    if not reason.strip():
        raise ClaimError(name, "what is not decided needs a reason")
    caller = sys._getframe(2)
    evidence = Evidence(verdict, "none", reason)
    return registry.add(
        Claim(
            id=name,
            anchors=anchors,
            title=reason,
            check=lambda: evidence,
            expected=verdict,
            control=None,
            uses=texts(name, "uses", uses),
            location=f"{caller.f_globals.get('__name__', '')}:{caller.f_lineno}",
        ),
        home=caller.f_globals,
    )


def _refuse_bad(claim: Claim) -> None:
    def refuse_unless(condition: object, complaint: str) -> None:
        if not condition:
            raise ClaimError(claim.id, complaint)

    refuse_unless(claim.id and not claim.id.isspace(), "an id must not be empty")
    refuse_unless(claim.anchors, "has no anchor; name at least one label of the paper")
    for anchor in claim.anchors:
        refuse_unless(isinstance(anchor, str) and anchor, f"anchor {anchor!r} is not the name of a label")
    refuse_unless(claim.title, "has no title; give one or write a docstring")
    for text in claim.hypotheses:
        refuse_unless(isinstance(text, str), f"hypothesis {text!r} is a {type(text).__name__}; text is accepted")
    for name in claim.facts:
        refuse_unless(name in FACTS, f"facts: {name!r} is none of {', '.join(FACTS)}")
    for text, reason in claim.discharges.items():
        refuse_unless(str(reason).strip(), f"discharges {text!r} without a reason")
    wrong = claim.expected in (Verdict.REFUTED, Verdict.GAP)
    refuse_unless(
        wrong or not claim.carries, f"expected {claim.expected}, so nothing falls with it; carries is for gaps"
    )
    if claim.expected.nothing_to_decide or (claim.expected is Verdict.UNDECIDED and not claim.control):
        return
    refuse_unless(claim.control or claim.steps, "has no control: name a nearby statement that its prover must reject")
    if claim.coq and claim.coq.control == "":
        denies = claim.expected in (Verdict.REFUTED, Verdict.GAP)
        refuse_unless(denies, f"coq = {claim.coq.theorem!r}: denies what is printed, but {claim.expected} is expected")
    if wrong:
        refuse_unless(claim.severity, f"expected {claim.expected} needs a severity: {', '.join(Severity)}")
        refuse_unless(claim.consequence.strip(), f"expected {claim.expected} needs a consequence for what uses it")


def _control(check: Check, statement: str, *edit: Any) -> Control:
    alone = len(edit) == 1 and callable(edit[0])
    return Control(statement, edit[0] if alone else partial(check, *edit))


def word(name: str, field: str, words: type[W], value: W | str) -> W:
    try:
        return words(value)
    except ValueError:
        raise ClaimError(name, f"{field} = {value!r} is not one of {', '.join(words)}") from None


def texts(name: str, field: str, values: Iterable[str]) -> tuple[str, ...]:
    if isinstance(values, str):
        raise ClaimError(name, f"{field} = {values!r} is a single string; a sequence is accepted")
    return tuple(values)


def _location(check: Check) -> str:
    code = getattr(inspect.unwrap(check), "__code__", None)
    return f"{check.__module__}:{code.co_firstlineno if code else 0}"


def _module_of(claim: Claim) -> str:
    return claim.location.rpartition(":")[0]
