"""Proofs that facts contradict each other, as trees.

Facts are known by keys, which become positions when the proof is written down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from glbcheck.verify.search import polynomial as poly
from glbcheck.verify.search.flatten import Fact
from glbcheck.verify.search.polynomial import Polynomial

CASES = {"<": (-1, ">"), "=": (1, "=="), ">": (1, ">")}
TWO_CASES = {">=": ("<", ">="), ">": ("<=", ">"), "==": ("!=", "="), "!=": ("=", "!=")}  # of a fact: denied and not


@dataclass(frozen=True)
class Term:
    """coefficient * product of the facts * square**2."""

    coefficient: Any
    facts: tuple[int, ...]
    square: Polynomial


@dataclass(frozen=True)
class Sum:
    """Terms, and multiples of equalities, that add up to zero."""

    terms: tuple[Term, ...]
    multiples: Mapping[int, Polynomial]


@dataclass(frozen=True)
class Split:
    """In each case of the sign of the polynomial, the key of the new fact and a proof."""

    polynomial: Polynomial
    cases: Mapping[str, tuple[int, Proof]]


Proof: TypeAlias = "Sum | Split"


def uses(proof: Proof, key: int) -> bool:
    match proof:
        case Sum(terms, multiples):
            return key in multiples or any(key in term.facts for term in terms)
        case Split(_, cases):
            return any(uses(case, key) for _, case in cases.values())


def split(polynomial: Polynomial, cases: Mapping[str, tuple[int, Proof]]) -> Proof:
    """The split, or the proof of one of its cases if that does not need the case."""
    for key, proof in cases.values():
        if not uses(proof, key):
            return proof
    return Split(polynomial, cases)


def lemma(key: int, fact: Fact, proof: Proof, then: Proof) -> Proof:
    """A fact, proved from its denial, and the proof that uses it; both know it by the same key."""
    denied, known = TWO_CASES[fact.sign]
    return split(fact.polynomial, {known: (key, then), denied: (key, proof)})


def written(proof: Proof, keys: Sequence[int], names: Sequence[str]) -> dict[str, Any]:
    """The proof as plain data; `keys` are those of the facts so far, in order."""
    at = {key: position for position, key in enumerate(keys)}
    match proof:
        case Sum(terms, multiples):
            return {
                "terms": [written_term(term, at, names) for term in terms],
                "multiples": [{"fact": at[key], "times": poly.show(p, names)} for key, p in sorted(multiples.items())],
            }
        case Split(p, cases):
            return {
                "split": poly.show(p, names),
                "cases": {sign: written(case, [*keys, key], names) for sign, (key, case) in cases.items()},
            }


def written_term(term: Term, at: Mapping[int, int], names: Sequence[str]) -> dict[str, Any]:
    data = {"coefficient": str(term.coefficient), "facts": sorted(at[key] for key in term.facts)}
    return data if term.square == poly.constant(1) else {**data, "square": poly.show(term.square, names)}
