"""Formulas and statements of certificates as Coq text over the standard reals, with what makes them defined.

Coq's functions are total: `/ 0`, `ln` and `sqrt` of negative numbers are 0 there.  In a certificate they are undefined,
so a hypothesis becomes the conditions under which it is defined and then itself, and a conclusion becomes those
conditions and itself, all to be shown.  docs/certificates.md says what is defined.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from glbcheck.core.kernel.context import Fact
from glbcheck.core.kernel.terms import Term, number

PLAIN = {"exp": "exp", "log": "ln", "sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin", "acos": "acos",
         "atan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "asinh": "arcsinh", "erf": "erf",
         "abs": "Rabs"}  # fmt: skip
RELATIONS = {"<=": "{0} <= {1}", "<": "{0} < {1}", ">=": "{1} <= {0}", ">": "{1} < {0}",
             "==": "{0} = {1}", "!=": "{0} <> {1}"}  # fmt: skip


class Untranslated(Exception):
    """A formula, a rule or a kind of statement for which no Coq text is made."""


@dataclass(frozen=True)
class Names:
    """The Coq identifier of every variable and function, and which of them are whole numbers."""

    known: Mapping[str, str]
    whole: frozenset[str] = frozenset()

    def bound(self, name: str, identifier: str, whole: bool = False) -> Names:
        kept = self.whole - {name} | ({name} if whole else frozenset())
        return replace(self, known={**self.known, name: identifier}, whole=kept)

    def term(self, t: Term) -> str:
        """The Coq text of a formula."""
        match t.op:
            case "number":
                return numeral(t.args[0])
            case "variable":
                text = self.known[t.args[0]]
                return f"(IZR {text})" if t.args[0] in self.whole else text
            case "+" | "*":
                return f"({f' {t.op} '.join(map(self.term, t.args))})"
            case "**":
                return self.power(*t.args)
            case "pi":
                return "PI"
            case "function":
                return f"({self.known[t.args[0]]} {t.args[1]}%nat {self.term(t.args[2])})"
            case "min" | "max":
                first, *rest = map(self.term, t.args)
                for text in rest:
                    first = f"(R{t.op} {first} {text})"
                return first
            case "integral":
                body, name, low, high = t.args
                inner = self.bound(name, f"v_{name}")
                return f"(RInt (fun v_{name} => {inner.term(body)}) {self.term(low)} {self.term(high)})"
            case "sum":
                body, name, low, high = t.args
                inner, ends = self.bound(name, f"v_{name}", whole=True), (self.integer(low), self.integer(high))
                many = f"(Z.to_nat ({ends[1]} - {ends[0]} + 1))"
                return f"(zsum (fun v_{name} : Z => {inner.term(body)}) {ends[0]} {many})"
            case "diff":
                return f"(Derive {self.function(t)} {self.term(t.args[1])})"
            case op if op in PLAIN:
                return f"({PLAIN[op]} {self.term(t.args[0])})"
        raise Untranslated(f"there is no Coq text for {t.op}")

    def function(self, t: Term) -> str:
        """Of a derivative, the function that is derived."""
        name = t.args[1].args[0]
        if name in self.whole:
            raise Untranslated("a derivative by a whole number")
        return f"(fun {self.known[name]} : R => {self.term(t.args[0])})"

    def power(self, base: Term, exponent: Term) -> str:
        text, e = self.term(base), exponent.value
        if e is None:
            return f"(Rpower {text} {self.term(exponent)})"
        if e.denominator > 1:
            text = f"(sqrt {text})" if e.denominator == 2 else f"(root {e.denominator} {text})"
        k = abs(e.numerator)
        raised = text if k == 1 else f"({text} ^ {k})"
        return f"(/ {raised})" if e < 0 else raised

    def integer(self, t: Term) -> str:
        """The Coq text, in Z, of a formula that is a whole number by its form."""
        if t.op == "number" and t.args[0].denominator == 1:
            return f"({t.args[0]})%Z"
        if t.op == "variable" and t.args[0] in self.whole:
            return self.known[t.args[0]]
        if t.op in ("+", "*"):
            return f"({f' {t.op} '.join(map(self.integer, t.args))})%Z"
        raise Untranslated(f"{t} is not written as a whole number")

    def fact(self, fact: Fact) -> str:
        """gap >= 0 and so on as a proposition, with the 0 on the left of an inequality."""
        shape = {">=": "0 <= {0}", ">": "0 < {0}", "==": "{0} = 0", "!=": "{0} <> 0"}[fact.op]
        return shape.format(self.term(fact.gap))

    def relation(self, left: Term, op: str, right: Term) -> str:
        return RELATIONS[op].format(self.term(left), self.term(right))


def numeral(value: Fraction) -> str:
    text = str(abs(value.numerator)) if value >= 0 else f"-{abs(value.numerator)}"
    return f"({text} / {value.denominator})" if value.denominator > 1 else f"({text})" if value < 0 else text


@dataclass(frozen=True)
class Condition:
    """What makes a formula defined: a sign, or that a body is defined between two ends and integrable, or derivable."""

    fact: Fact | None = None
    binder: Term | None = None

    def text(self, names: Names) -> str:
        if self.fact is not None:
            return names.fact(self.fact)
        assert self.binder is not None
        if self.binder.op == "diff":
            return f"ex_derive {names.function(self.binder)} {names.term(self.binder.args[1])}"
        body, name, low, high = self.binder.args
        whole = self.binder.op == "sum"
        inner = names.bound(name, f"v_{name}", whole)
        parts = [c.text(inner) for c in conditions(body)]
        if whole:
            ends, sort = [names.integer(low), names.integer(high)], "Z"
            between = f"({ends[0]} <= v_{name} <= {ends[1]})%Z"
        else:
            ends, sort = [names.term(low), names.term(high)], "R"
            between = f"Rmin {ends[0]} {ends[1]} <= v_{name} <= Rmax {ends[0]} {ends[1]}"
        inside = f"(forall v_{name} : {sort}, {between} -> {conjunction(parts)})" if parts else ""
        if whole:  # a sum over no terms is 0, and one that would run backwards is undefined
            return conjunction([f"({ends[0]} <= {ends[1]} + 1)%Z", *([inside] if inside else [])])
        whole_integral = f"ex_RInt (fun v_{name} => {inner.term(body)}) {ends[0]} {ends[1]}"
        return conjunction([whole_integral, *([inside] if inside else [])])


def conditions(*terms: Term, smooth: bool = False) -> list[Condition]:
    """What makes these formulas defined (smooth: and differentiable), innermost first, each once."""
    found: dict[Condition, None] = {}
    for t in terms:
        for part in t.outer:
            found.update(dict.fromkeys(conditions(part, smooth=smooth)))
        for condition in _own(t, smooth):
            if condition.fact is None or not _plain(condition.fact):
                found[condition] = None
    return list(found)


def _plain(fact: Fact) -> bool:
    """Is it about a written number, and true?"""
    value = fact.gap.value
    return value is not None and {">=": value >= 0, ">": value > 0, "==": value == 0, "!=": value != 0}[fact.op]


def _own(t: Term, smooth: bool) -> list[Condition]:
    u = t.args[0] if t.args else None
    if t.op == "**":
        assert u is not None
        e = t.args[1].value
        if e is not None and e.denominator == 1:
            return [Condition(Fact(u, "!="))] if e < 0 else []
        strict = smooth or e is None or e < 0
        return [Condition(Fact(u, ">" if strict else ">="))]
    if t.op == "log":
        return [Condition(Fact(t.args[0], ">"))]
    if t.op in ("asin", "acos"):
        one = -(t.args[0] ** 2) + number(1)
        return [Condition(Fact(one, ">" if smooth else ">="))]
    if t.op == "tan":
        raise Untranslated("there is no condition for tan")
    if t.op in ("integral", "sum", "diff"):
        return [Condition(binder=t)]
    if t.op in ("abs", "min", "max") and smooth:
        raise Untranslated(f"{t.op} is not smooth")
    return []


def conjunction(parts: list[str]) -> str:
    return " /\\ ".join(f"({part})" for part in parts) if len(parts) > 1 else parts[0]
