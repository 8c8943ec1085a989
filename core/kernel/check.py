"""From a certificate, which is plain data, to a word; docs/certificates.md says what each kind of it holds."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from typing import Any

from .context import Context, Fact
from .evaluate import ball, closed_sign, precision
from .language import derivative, fraction, parse, parse_relation
from .rules import Rules
from .terms import BINDERS, Rejected, Term, budget, require, substitute, variable

FORMAT, BROKEN = "glbcheck-certificate/2", "not a certificate"  # so begins what is said of files that claim nothing
KINDS = ("statement", "invariant", "game", "computed", "trials", "search", "all", "gap")
WORDS = ("proved", "certified", "stress-tested", "gap", "refuted")  # a conjunction is as good as its last
MAX_FILE, MAX_STEPS = 50_000_000, 100_000_000
Data = Mapping[str, Any]
Oracle = Callable[[Context, Fact], str]


@dataclass(frozen=True)
class Accepted:
    """The word a certificate has earned, and what it rests on besides exact arithmetic."""

    word: str
    rests_on: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.word} (rests on {', '.join(self.rests_on)})" if self.rests_on else self.word


def check(certificate: Any, oracle: Oracle | None = None) -> Accepted:
    """The word of this certificate, or `Rejected`; `oracle` is asked where a proof rests on engines."""
    try:
        require(certificate["format"] == FORMAT, f"{BROKEN} (the format is not {FORMAT})")
        with budget(MAX_STEPS):
            checker = Checker(oracle)
            return Accepted(checker.accept(certificate), tuple(sorted(checker.rests_on)))
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RuntimeError) as why:
        raise why if isinstance(why, Rejected) else Rejected(f"{BROKEN} ({type(why).__name__}: {why})") from None


def read_statement(data: Data) -> tuple[Context, Fact]:
    """Names are declared before they are used, once; definitions are written in what precedes them."""
    declared, definitions = data.get("variables", {}), data.get("definitions", {})
    for name, kind in (*declared.items(), *dict.fromkeys(definitions, "real").items()):
        plain = name.isidentifier() and name not in ("pi", "E", *BINDERS)
        require(plain and kind in ("real", "integer", "function"), f"{name!r}: {kind!r} is no declaration")
    require(not declared.keys() & definitions.keys(), "a name is defined and declared")
    functions = frozenset(name for name, kind in declared.items() if kind == "function")
    context = Context(tuple((name, kind) for name, kind in declared.items() if kind != "function"), functions)
    names, texts = context.names, (*data.get("hypotheses", []), data["conclusion"])
    for name, text in definitions.items():
        names[name] = parse(text, names, functions)
    *given, goal = (Fact.of(*parse_relation(text, names, functions)) for text in texts)
    return context.plus(*given), goal


def at_point(context: Context, data: Data) -> Callable[[Fact], Fact]:
    """Facts at a point: closed values for all variables, an instance in t for every function."""
    values = {name: parse(text, {}) for name, text in data.get("at", {}).items()}
    instances = {name: parse(text, {"t": variable("t")}) for name, text in data.get("functions", {}).items()}
    require(values.keys() == context.names.keys(), f"a point has a value for each of {', '.join(context.names)}")
    require(instances.keys() == context.functions, "a point has an instance for each function, and no other")
    for name, kind in context.kinds:
        require(kind == "real" or context.integer(values[name]), f"{name} = {values[name]} is not a whole number")

    def instance(name: str, order: int) -> Term:
        return reduce(derivative, ["t"] * order, instances[name])

    return lambda fact: Fact(substitute(fact.gap, values, instance if instances else None), fact.op)


def truth(fact: Fact) -> bool | None:
    """Is a fact without variables true?  None where it is undefined or not settled."""
    found = closed_sign(fact.gap)
    return None if found is None else found in {">=": (0, 1), ">": (1,), "==": (0,), "!=": (-1, 1)}[fact.op]


@dataclass(frozen=True)
class Checker:
    """One method for each kind of certificate, which takes what stands under its name and the whole."""

    oracle: Oracle | None
    rests_on: set[str] = field(default_factory=set)

    def accept(self, one: Data) -> str:
        kinds = [kind for kind in KINDS if kind in one]
        require(len(kinds) == 1, f"{BROKEN} (it has exactly one of {', '.join(KINDS)})")
        return str(getattr(self, kinds[0])(one[kinds[0]], one))

    def statement(self, data: Data, one: Data) -> str:
        try:
            context, goal = read_statement(data)
        except Rejected as why:
            raise Rejected(f"{BROKEN} ({why})") from None
        return self.implication(context, goal, one)

    def implication(self, context: Context, goal: Fact, one: Data) -> str:
        """The hypotheses imply the conclusion wherever they hold, which is somewhere; or a point shows otherwise."""
        proof = one["proof"]
        refutes = proof["rule"] == "point"
        if refutes or context.facts:
            at = at_point(context, proof if refutes else one["example"])
            for i, hypothesis in enumerate(context.facts):
                require(truth(at(hypothesis)), f"hypothesis {i + 1} is not seen to hold at the point")
        if refutes:
            require(truth(at(goal)) is False, "the conclusion is not seen to fail at the point")
            return "refuted"
        rules = Rules(self.oracle)
        rules.prove(context, goal, proof)
        self.rests_on.update(rules.rests_on)
        return "certified" if rules.rests_on else "proved"

    def invariant(self, data: Data, one: Data) -> str:
        """A relation between state and parameters holds at the start, and from each time to the next."""
        later = {f"{name}_next": data["variables"][name] for name in data["state"]}
        require(not later.keys() & data["variables"].keys(), "NAME_next is the state one step later")
        now = {"variables": data["variables"], "conclusion": data["claim"]}
        then = {"variables": data["variables"] | later, "conclusion": data["claim"]}
        start, claim = read_statement({**now, "hypotheses": [*data["always"], *data["initial"]]})
        step, _ = read_statement({**then, "hypotheses": [*data["always"], data["claim"], *data["transition"]]})
        anew = claim.gap.free - {*data["state"], *data["parameters"]}
        require(not anew, f"the claim holds {sorted(anew)}, chosen anew in every step")
        moved = substitute(claim.gap, {name: variable(f"{name}_next") for name in data["state"]})
        kept = self.implication(step, Fact(moved, claim.op), one["step"])
        require(kept != "refuted", "a step that fails may never be taken")
        return max(self.implication(start, claim, one["base"]), kept, key=WORDS.index)

    def game(self, data: Data, one: Data) -> str:
        """The value of a finite decision problem compared with a number; later states have larger numbers."""
        best, values = {"max": max, "min": min}[data["sense"]], dict[int, Fraction]()
        for i, actions in reversed(list(enumerate(data["states"]))):
            worth = []
            for reward, law in actions:  # the law: pairs of a later state and its probability, none at the end
                chances = [fraction(p) for _, p in law]
                require(all(p >= 0 for p in chances) and sum(chances) == bool(law), "not a law")
                worth.append(fraction(reward) + sum(p * values[j] for p, (j, _) in zip(chances, law, strict=True)))
            values[i] = best(worth)
        return "proved" if self.compare(values[0], data["claim"]) else "refuted"

    def compare(self, value: Fraction, claim: str) -> bool:
        """Is `value claim` true, for a claim such as `<= 3/4`?"""
        left, op, right = parse_relation(f"({value}) {claim}", {})
        found = truth(Fact.of(left, op, right))
        require(found is not None and left.value == value, f"{value} {claim} is not settled")
        return bool(found)

    def computed(self, data: Data, one: Data) -> str:
        """A number that somebody worked out satisfies a relation; how it was worked out is not checked."""
        require(self.compare(fraction(data["value"]), data["claim"]), f"{data['value']} is not {data['claim']}")
        self.rests_on.add(f"computation: {data['what']}")
        return "certified"

    def trials(self, data: Data, one: Data) -> str:
        """So few failures in so many runs that a failure rate of p0 or more is excluded at level alpha."""
        n, k, p, level = data["trials"], data["failures"], fraction(data["p0"]), fraction(data["alpha"])
        require(0 <= k <= n <= 10**6 and 0 < p < 1 and 0 < level < 1, "these are no trials")
        with precision(256):
            tail = chance = ball(1 - p) ** n
            for i in range(k):
                chance = chance * ball(p / (1 - p)) * (n - i) / (i + 1)
                tail += chance
            require(tail <= ball(level), f"{k} failures in {n} do not exclude a rate of {p} at level {level}")
        return "stress-tested"

    def search(self, data: Data, one: Data) -> str:
        """Examples were tried and none failed; no planted violation got through every time."""
        require(data["examples"] >= 1, "nothing was tried")
        require(all(fraction(share) > 0 for share in data.get("power", {}).values()), "the search is blind")
        return "stress-tested"

    def all(self, data: list[Data], one: Data) -> str:
        return max(map(self.accept, data), key=WORDS.index)

    def gap(self, data: Data, one: Data) -> str:
        """A statement that holds under a hypothesis, and fails without it."""
        held, failed = self.accept(data["with"]), self.accept(data["without"])
        require(held in WORDS[:3] and failed == "refuted", "no gap is shown")
        return "gap"


def load(path: str) -> Any:
    """The certificate in a file; a name given twice is refused, for two readers might keep different ones."""
    with open(path, "rb") as file:
        data = file.read(MAX_FILE + 1)
    require(len(data) <= MAX_FILE, f"{BROKEN} (larger than {MAX_FILE} bytes)")

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        require(len(dict(pairs)) == len(pairs), "a name is given twice")
        return dict(pairs)

    def inexact(text: str) -> None:
        raise Rejected(f"the number {text} is not exact")

    try:
        return json.loads(data, object_pairs_hook=once, parse_float=inexact, parse_constant=inexact)
    except (ValueError, RecursionError) as error:
        raise Rejected(f"{BROKEN} (not JSON: {error})") from None
