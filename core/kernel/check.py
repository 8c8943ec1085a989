"""From a certificate to a word: what its statement is, and what its proof makes of it.

A certificate is plain data.  `check` reads the statement from its text, follows the proof, and says `proved`,
`certified`, `refuted`, `gap` or `stress-tested`; or it raises `Rejected` with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

from . import algebra, calculus, cells  # noqa: F401  (they enter their rules)
from .context import Context, Fact, closed_sign, facts_of
from .rules import Audit, fraction, prove
from .terms import (
    BINDERS,
    Rejected,
    Term,
    derivative,
    free,
    parse,
    parse_relation,
    require,
    substitute,
    subterms,
    term,
    variable,
)

FORMAT = "glbcheck-certificate/1"
WORDS = ("proved", "certified", "stress-tested", "gap", "refuted")  # a conjunction is as good as its last
Oracle = Callable[[Context, Fact], str]


@dataclass(frozen=True)
class Accepted:
    """The word a certificate has earned, and what it rests on besides exact arithmetic."""

    word: str
    rests_on: tuple[str, ...] = ()


def check(certificate: Any, oracle: Oracle | None = None) -> Accepted:
    """The word of this certificate, or `Rejected`; `oracle` is asked where a proof rests on engines."""
    try:
        require(certificate["format"] == FORMAT, f"the format is not {FORMAT}")
        return _check(certificate, oracle)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        if isinstance(error, Rejected):
            raise
        raise Rejected(f"not a certificate ({type(error).__name__}: {error})") from None


def _check(one: Mapping[str, Any], oracle: Oracle | None) -> Accepted:
    kinds = [kind for kind in KINDS if kind in one]
    require(len(kinds) == 1, f"a certificate has exactly one of {', '.join(KINDS)}")
    return KINDS[kinds[0]](one, oracle)


# --- implications -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Statement:
    """Hypotheses and conclusion over declared variables, read from text."""

    context: Context
    goal: Fact

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Statement:
        """Names are declared before they are used, once; definitions are written in what precedes them."""
        declared = data.get("variables", {})
        for name, kind in declared.items():
            plain = name.isidentifier() and name not in ("pi", "E", *BINDERS)
            require(
                plain and kind in ("real", "integer", "function"), f"{name!r}: {kind!r} is no declaration"
            )
        functions = frozenset(name for name, kind in declared.items() if kind == "function")
        kinds = tuple((name, kind) for name, kind in declared.items() if kind != "function")
        names = {name: variable(name) for name, _ in kinds}
        for name, text in data.get("definitions", {}).items():
            require(name.isidentifier() and name not in declared, f"{name!r} cannot be defined")
            names[name] = parse(text, names, functions)
        given = [facts_of(*parse_relation(text, names, functions)) for text in data.get("hypotheses", [])]
        goal = facts_of(*parse_relation(data["conclusion"], names, functions))
        return cls(Context(kinds, functions, tuple(given)), goal)

    def holds(self, fact: Fact, point: Point) -> bool | None:
        """Is the fact true at the point?  None where it is undefined or not settled."""
        found = closed_sign(point.put_into(fact.gap))
        if found is None:
            return None
        return {">=": found >= 0, ">": found > 0, "==": found == 0, "!=": found != 0}[fact.op]


@dataclass(frozen=True)
class Point:
    """A closed value for every variable, and an instance, in t, for every declared function."""

    values: Mapping[str, Term]
    instances: Mapping[str, Term]

    @classmethod
    def read(cls, statement: Statement, data: Mapping[str, Any]) -> Point:
        kinds = dict(statement.context.kinds)
        values = {name: parse(f"({text})", {}) for name, text in data.get("at", {}).items()}
        require(values.keys() == kinds.keys(), f"a point has a value for each of {', '.join(kinds)}")
        for name, value in values.items():
            whole = value.value is not None and value.value.denominator == 1
            require(kinds[name] == "real" or whole, f"{name} = {value} is not a whole number")
        instances = {n: parse(text, {"t": variable("t")}) for n, text in data.get("functions", {}).items()}
        require(
            instances.keys() == statement.context.functions, "an instance for each function, and no other"
        )
        return cls(values, instances)

    def put_into(self, gap: Term) -> Term:
        known: dict[Term, Term] = {}
        for t in sorted(subterms(gap), key=lambda t: t.depth):
            parts = [known[a] if isinstance(a, Term) else a for a in t.args]
            if t.op == "function":
                value = self.instances[t.args[0]]
                for _ in range(t.args[1]):
                    value = derivative(value, "t")
                known[t] = substitute(value, {"t": parts[2]})
            else:
                known[t] = term(t.op, *parts)
        return substitute(known[gap], {n: v for n, v in self.values.items() if n in free(known[gap])})


def implication(one: Mapping[str, Any], oracle: Oracle | None) -> Accepted:
    """The hypotheses imply the conclusion, at every point where they hold; or a point shows that they do not."""
    statement, proof = Statement.read(one["statement"]), one["proof"]
    if proof["rule"] == "point":
        point = Point.read(statement, proof)
        for i, fact in enumerate(statement.context.given):
            require(statement.holds(fact, point), f"hypothesis {i + 1} is not seen to hold at the point")
        require(
            statement.holds(statement.goal, point) is False, "the conclusion is not seen to fail at the point"
        )
        return Accepted("refuted")
    if statement.context.given:
        example = Point.read(statement, one["example"])
        for i, fact in enumerate(statement.context.given):
            require(statement.holds(fact, example), f"hypothesis {i + 1} is not seen to hold at the example")
    audit = Audit(oracle=oracle)
    prove(statement.context, statement.goal, proof, audit)
    return Accepted("certified" if audit.rests_on else "proved", tuple(sorted(audit.rests_on)))


# --- other statements -------------------------------------------------------------------------------------


def invariant(one: Mapping[str, Any], oracle: Oracle | None) -> Accepted:
    """A relation between state and parameters holds at every time: at the start, and from each time to the next.

    `NAME_next` is the state one step later; whatever else occurs is chosen anew in every step.
    """
    data = one["invariant"]
    variables, state = data["variables"], data["state"]
    require(set(state) <= set(variables), "the state consists of declared variables")
    names = {name: variable(name) for name in variables}
    mentioned = set().union(*(free(side) for side in parse_relation(data["claim"], names)[::2]))
    require(mentioned <= {*state, *data["parameters"]}, "the claim holds something that is chosen anew")
    everything = {**variables, **{f"{name}_next": variables[name] for name in state}}
    left, op, right = parse_relation(data["claim"], names)
    move = {name: variable(f"{name}_next") for name in state}
    later = f"{substitute(left, move)} {op} {substitute(right, move)}"
    parts = {
        "base": {"variables": variables, "hypotheses": [*data["always"], *data["initial"]], "conclusion": data["claim"]},
        "step": {"variables": everything, "hypotheses": [*data["always"], data["claim"], *data["transition"]],
                 "conclusion": later},
    }  # fmt: skip
    return _weakest(
        [implication({**one[name], "statement": parts[name]}, oracle) for name in ("base", "step")]
    )


def game(one: Mapping[str, Any], oracle: Oracle | None) -> Accepted:
    """The value of a finite decision problem, given as a table, compared with a number.

    State i is [terminal value] or a list of actions [reward, [[state after i, probability], ...]].
    """
    data = one["game"]
    best, values = {"max": max, "min": min}[data["sense"]], dict[int, Fraction]()
    for i in reversed(range(len(data["states"]))):
        worth = []
        for reward, law in data["states"][i]:
            chances = [fraction(p) for _, p in law]
            require(all(p >= 0 for p in chances) and sum(chances) == (1 if law else 0), "not a law")
            after = [values[j] for j, _ in law if j > i]
            worth.append(fraction(reward) + sum(p * v for p, v in zip(chances, after, strict=True)))
        values[i] = best(worth)
    return Accepted("proved" if _compare(values[0], data["claim"]) else "refuted")


def computed(one: Mapping[str, Any], oracle: Oracle | None) -> Accepted:
    """A number that somebody worked out satisfies a relation; how it was worked out is not checked."""
    data = one["computed"]
    require(_compare(fraction(data["value"]), data["claim"]), f"{data['value']} is not {data['claim']}")
    return Accepted("certified", (f"computation: {data['what']}",))


def _compare(value: Fraction, claim: str) -> bool:
    """Is `value claim` true, for a claim such as `<= 3/4`?"""
    fact = facts_of(*parse_relation(f"value {claim}", {"value": parse(f"({value})", {})}))
    return closed_sign(fact.gap) in {">=": (0, 1), ">": (1,), "==": (0,), "!=": (-1, 1)}[fact.op]


def trials(one: Mapping[str, Any], oracle: Oracle | None) -> Accepted:
    """So few failures in so many runs that a failure rate of p0 or more is excluded at level alpha."""
    data = one["trials"]
    n, k, p, level = data["trials"], data["failures"], fraction(data["p0"]), fraction(data["alpha"])
    require(0 <= k <= n <= 10**6 and 0 < p < 1 and 0 < level < 1, "these are no trials")
    tail = sum((comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1)), Fraction(0))
    require(tail <= level, f"{k} failures in {n} do not exclude a rate of {p} at level {level}")
    return Accepted("stress-tested")


def search(one: Mapping[str, Any], oracle: Oracle | None) -> Accepted:
    """Examples were tried and none failed; no planted violation got through every time."""
    data = one["search"]
    require(data["examples"] >= 1, "nothing was tried")
    require(all(fraction(share) > 0 for share in data.get("power", {}).values()), "the search is blind")
    return Accepted("stress-tested")


def conjunction(one: Mapping[str, Any], oracle: Oracle | None) -> Accepted:
    require(one["all"], "a conjunction of nothing")
    return _weakest([_check(part, oracle) for part in one["all"]])


def gap(one: Mapping[str, Any], oracle: Oracle | None) -> Accepted:
    """A statement that holds under a hypothesis, and fails without it."""
    held, failed = (_check(one["gap"][side], oracle) for side in ("with", "without"))
    require(held.word in WORDS[:3] and failed.word == "refuted", "no gap is shown")
    return Accepted("gap", held.rests_on)


def _weakest(parts: list[Accepted]) -> Accepted:
    rests_on = sorted({name for part in parts for name in part.rests_on})
    return Accepted(max((part.word for part in parts), key=WORDS.index), tuple(rests_on))


KINDS: dict[str, Callable[[Mapping[str, Any], Oracle | None], Accepted]] = {
    "statement": implication, "invariant": invariant, "game": game, "computed": computed, "trials": trials, "search": search,
    "all": conjunction, "gap": gap,
}  # fmt: skip


# --- files ------------------------------------------------------------------------------------------------

MAX_FILE = 200_000_000


def load(path: str) -> Any:
    """The certificate in a file; a name given twice is refused, for two readers might keep different ones."""
    with open(path, "rb") as file:
        data = file.read(MAX_FILE + 1)
    require(len(data) <= MAX_FILE, f"larger than {MAX_FILE} bytes")
    try:
        return json.loads(data, object_pairs_hook=_once, parse_float=_no_float, parse_constant=_no_float)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise Rejected(f"not JSON ({error})") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    require(len(dict(pairs)) == len(pairs), "a name is given twice")
    return dict(pairs)


def _no_float(text: str) -> Any:
    raise Rejected(f"the number {text} is not exact")
