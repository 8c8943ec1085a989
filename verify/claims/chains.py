"""A chain of conclusions as one proof: what is concluded first is a lemma of what follows, in the kernel's own rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from glbcheck.core.kernel.check import read_statement
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.rules import Rules
from glbcheck.core.kernel.terms import Rejected, budget
from glbcheck.verify.certificate import Proof, certificate, evidence_for
from glbcheck.verify.claims.examples import example
from glbcheck.verify.claims.text import Link, Steps
from glbcheck.verify.search.solvers import oracle
from glbcheck.verify.search.tactics import proofs

STEPS = 200_000_000  # of the searchers, for one link


@dataclass
class Chain:
    """The links of one block, shown one after the other; `shown` has the proof of each from its own premises."""

    steps: Steps
    shown: dict[Link, Proof] = field(default_factory=dict)

    def proof(self, link: Link) -> Proof | None:
        """A proof of the link from its premises, in which the conclusions above it are lemmas."""
        whole = [*link.given, *(above.conclusion for above in link.known)]
        local = [*link.near, *(above.conclusion for above in link.known)]
        last = self._found(local, link.conclusion, whole)
        for i, above in reversed(list(enumerate(link.known))):
            before = [*link.given, *(one.conclusion for one in link.known[:i])]
            first = self._lifted(above, before)
            if last is None or first is None:
                return None
            last = {"rule": "lemma", "relation": above.conclusion, "by": first, "proof": last}
        return last

    def _lifted(self, link: Link, facts: Sequence[str]) -> Proof | None:
        """The proof of a link that was shown, among more facts than it needs."""
        known = self.shown.get(link)
        moved = known and _moved(known, link.given, facts)
        if moved and self._proves(facts, link.conclusion, moved):
            return moved
        return self._found(facts, link.conclusion, facts)

    def _found(self, local: Sequence[str], conclusion: str, whole: Sequence[str]) -> Proof | None:
        """A proof that holds among all of these facts, looked for among the near ones first."""
        for facts in [local, whole] if list(local) != list(whole) else [whole]:
            context, goal = self._read(facts, conclusion)
            try:
                with budget(STEPS):
                    for name, proof in proofs(context, goal):
                        if name == "engines":
                            continue
                        moved = _moved(proof, facts, whole)
                        if self._proves(whole, conclusion, moved):
                            return moved
            except RuntimeError:
                continue
        return None

    def _proves(self, facts: Sequence[str], conclusion: str, proof: Proof) -> bool:
        try:
            context, goal = self._read(facts, conclusion)
            Rules(oracle).prove(context, goal, proof)
        except (Rejected, LookupError, TypeError, ValueError, ArithmeticError, RuntimeError):
            return False
        return True

    def _read(self, facts: Sequence[str], conclusion: str) -> tuple[Context, Fact]:
        return read_statement(self.steps.data(tuple(facts), conclusion))


def _moved(proof: Proof, facts: Sequence[str], whole: Sequence[str]) -> dict[str, Any]:
    """The proof from some facts as one from all of them."""
    return dict(_renumbered(proof, [list(whole).index(text) for text in facts], len(whole)))


def _renumbered(proof: Any, chosen: Sequence[int], total: int) -> Any:
    """The proof with its facts numbered as those of the longer list; later ones are those that it enters itself."""

    def place(i: int) -> int:
        return chosen[i] if i < len(chosen) else i - len(chosen) + total

    if isinstance(proof, Mapping):
        changed = {key: _renumbered(value, chosen, total) for key, value in proof.items()}
        if "facts" in proof and "coefficient" in proof:
            changed["facts"] = [place(i) for i in proof["facts"]]
        if "fact" in proof and "times" in proof:
            changed["fact"] = place(proof["fact"])
        return changed
    return [_renumbered(part, chosen, total) for part in proof] if isinstance(proof, list) else proof


def joined(steps: Steps, link: Link, proof: Proof) -> Any:
    """The evidence that this proof is."""
    data = steps.data(link.given, link.conclusion)
    said = f"{', '.join(link.given)} => {link.conclusion}" if link.given else link.conclusion
    summary = f"{said}, through {len(link.known)} conclusions above it"
    return evidence_for(certificate(data, proof, example(data)), "decide", summary, oracle=oracle)
