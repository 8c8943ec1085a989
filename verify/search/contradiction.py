"""Multipliers as the kernel reads them: what `multipliers` finds becomes a proof by the rule `algebra`.

The search numbers facts as they arise, the kernel hypotheses first, then what its atoms bring, then the denied
goal.  What only the conclusion needs to be defined becomes a lemma before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from glbcheck.verify.search import polynomial as poly
from glbcheck.verify.search.flatten import Flattening, NotAlgebraic, flatten
from glbcheck.verify.search.multipliers import Search

Proof = dict[str, Any]


def find(
    hypotheses: Sequence[str], conclusion: str, variables: Sequence[str], hints: Sequence[str] = ()
) -> Proof | None:
    """A proof in the kernel's rules that the hypotheses imply the conclusion, or None."""
    if "==" in conclusion:
        return _equation(hypotheses, conclusion, variables, hints)
    found = _one(hypotheses, conclusion, variables, hints)
    return None if found is None else _with_lemmas(*found)


Found = tuple[Flattening, list[Proof], Proof]


def _one(
    hypotheses: Sequence[str], conclusion: str, variables: Sequence[str], hints: Sequence[str]
) -> tuple[Flattening, list[Proof | None], Proof] | None:
    try:
        flat = flatten(hypotheses, conclusion, variables)
        lemmas = [flat.recalled(hint) for hint in hints]
    except (NotAlgebraic, RecursionError):
        return None
    proof = Search(flat).proof(flat.facts, lemmas)
    if proof is None:
        return None
    demands = []
    for demand in flat.demands:
        needed = demand.before >= _first_of_conclusion(flat)
        demands.append(Search(flat).proof([*flat.facts[: demand.before], demand.fact.denied()]) if needed else None)
    return flat, demands, proof


def _first_of_conclusion(flat: Flattening) -> int:
    """How many facts there are when the conclusion begins: its own terms come after the last hypothesis."""
    places = [i for i, (kind, _) in enumerate(flat.origins) if kind == "hypothesis"]
    return places[-1] + 1 if places else 0


def _with_lemmas(flat: Flattening, demands: Sequence[Proof | None], tree: Proof) -> Proof:
    proof = _algebra(flat, len(flat.facts), tree, _settled(demands))
    for i in reversed(range(len(demands))):
        why, demand = demands[i], flat.demands[i]
        if why is not None:
            by = _algebra(flat, demand.before, why, _settled(demands[:i]))
            relation = f"{poly.show(demand.fact.polynomial, flat.names)} {demand.fact.sign} 0"
            proof = {"rule": "lemma", "relation": _spelled(relation, flat), "by": by, "proof": proof}
    return proof


def _settled(demands: Sequence[Proof | None]) -> int:
    return sum(demand is not None for demand in demands)


def _algebra(flat: Flattening, count: int, tree: Proof, lemmas: int) -> Proof:
    """The tree about the first `count` facts and a denied goal, with `lemmas` more facts known after the hypotheses."""
    origins = flat.origins[:count]
    atoms = [index for index in flat.definitions if ("fresh", index) in origins]
    hypotheses = max((i for kind, i in flat.origins if kind == "hypothesis"), default=-1) + 1
    start, at = hypotheses + lemmas, {}
    for index in atoms:
        for place in (i for i, origin in enumerate(origins) if origin == ("fresh", index)):
            at[place], start = start, start + 1
    at |= {place: i for place, (kind, i) in enumerate(origins) if kind == "hypothesis"}
    goal = count - 1 if ("conclusion", 0) in origins else count
    at[goal] = start
    return {
        "rule": "algebra",
        "atoms": [[flat.names[index], _definition(flat, index)] for index in atoms],
        "tree": _renumbered(tree, at, goal, start),
    }


def _renumbered(tree: Mapping[str, Any], at: Mapping[int, int], last: int, goal: int) -> Proof:
    def place(i: int) -> int:
        return at[i] if i <= last else i - last + goal  # what splits add comes last

    if "split" in tree:
        cases = {sign: _renumbered(case, at, last, goal) for sign, case in tree["cases"].items()}
        return {"split": tree["split"], "cases": cases}
    terms = [{**term, "facts": [place(i) for i in term["facts"]]} for term in tree["terms"]]
    return {"terms": terms, "multiples": [{**m, "fact": place(m["fact"])} for m in tree["multiples"]]}


def _definition(flat: Flattening, index: int) -> str:
    definition = flat.definitions[index]
    inside = [poly.show(p, flat.names) for p in definition.of]
    if definition.kind == "reciprocal":
        return f"1/({inside[0]})"
    if definition.kind.startswith("root"):
        return f"({inside[0]})**(1/{definition.kind.removeprefix('root ')})"
    return f"abs({inside[0]})" if definition.kind == "abs" else f"{definition.kind}({', '.join(inside)})"


def _spelled(relation: str, flat: Flattening) -> str:
    """The relation with every fresh variable written out, for the kernel knows none outside of `algebra`."""
    import re

    for index in reversed(flat.definitions):
        relation = re.sub(rf"\b{flat.names[index]}\b", f"({_definition(flat, index)})", relation)
    return relation


def _equation(
    hypotheses: Sequence[str], conclusion: str, variables: Sequence[str], hints: Sequence[str]
) -> Proof | None:
    """Two inequalities."""
    left, right = conclusion.split("==")
    above, below = (find(hypotheses, f"{left} {op} {right}", variables, hints) for op in (">=", "<="))
    if above is None or below is None:
        return None
    return {"rule": "both", "above": above, "below": below}
