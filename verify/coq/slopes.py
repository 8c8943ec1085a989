"""Derivatives, continuity and integrals in Coq: proof terms put together operation by operation."""

from __future__ import annotations

from glbcheck.core.kernel.terms import Term
from glbcheck.verify.coq.formulas import Untranslated
from glbcheck.verify.coq.setting import Setting

UNARY = ("exp", "sinh", "cosh", "tanh", "erf")


class Rule:
    """Builds the term for `is_derive (fun x => f) x _` (word slope) or `continuous (fun x => f) x` (word whole)."""

    def __init__(self, at: Setting, x: str, word: str) -> None:
        self.at, self.x, self.word, self.point = at, x, word, at.names.known[x]
        self.holes = {"slope": "_ _ _ _ _", "whole": "_ _ _"}[word]
        self.one = {"slope": "_ _ _", "whole": "_ _"}[word]

    def of(self, f: Term) -> str:
        word = self.word
        if self.x not in f.free:
            return f"({word}_const {self.at.names.term(f)} {self.point})"
        match f.op:
            case "variable":
                return f"({word}_id {self.point})"
            case "+" | "*":
                name = {"+": "plus", "*": "times"}[f.op]
                first, *rest = map(self.of, f.args)
                for part in rest:
                    first = f"({word}_{name} {self.holes} {first} {part})"
                return first
            case "**":
                return self.power(f)
            case "log":
                return f"({word}_ln {self.one} {self.of(f.args[0])} {self.known(f.args[0], '>')})"
            case "function":
                name = self.at.names.known[f.args[0]]
                return f"({word}_smooth {self.one} {self.of(f.args[2])} {name} {f.args[1]} smooth_{name})"
            case op if op in UNARY:
                return f"({word}_{op} {self.one} {self.of(f.args[0])})"
        raise Untranslated(f"there is no derivative of {f.op} in Coq here")

    def power(self, f: Term) -> str:
        base, word, e = f.args[0], self.word, f.args[1].value
        if e is None:
            exponent = f.args[1]
            inner = f"({word}_ln {self.one} {self.of(base)} {self.known(base, '>')})"
            return f"({word}_exp {self.one} ({word}_times {self.holes} {self.of(exponent)} {inner}))"
        found = self.of(base)
        if e.denominator == 2:
            strict = word == "slope" or e < 0
            why = self.known(base, ">" if strict else ">=")
            found = f"({word}_sqrt {self.one} {found} {f'(Rlt_le _ _ {why})' if strict and word == 'whole' else why})"
        elif e.denominator > 2:
            raise Untranslated("there is no derivative of this root in Coq here")
        if abs(e.numerator) != 1:
            found = f"({word}_pow {self.one} {found} {abs(e.numerator)})"
        return f"({word}_inv {self.one} {found} ltac:(nz))" if e < 0 else found

    def known(self, u: Term, op: str) -> str:
        if u.value is not None:
            return "ltac:(lra)"
        for fact, name in self.at.hypotheses():
            if fact.gap is u and fact.op == op:
                return name
        for fact, name in self.at.hypotheses():
            if fact.gap is u and fact.op == ">" and op == ">=":
                return f"(Rlt_le _ _ {name})"
        return "ltac:(sgn)"


def derivative_proof(at: Setting, f: Term, x: str) -> str:
    return Rule(at, x, "slope").of(f)


def continuity_proof(at: Setting, f: Term, x: str) -> str:
    return Rule(at, x, "whole").of(f)
