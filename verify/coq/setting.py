"""Where a Coq proof stands: the kernel's context, and the hypotheses that hold its facts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.terms import Term
from glbcheck.verify.coq.formulas import Names

KINDS = {">=": "le", ">": "lt", "==": "eq", "!=": "ne"}


@dataclass(frozen=True)
class Setting:
    """A context of the kernel as it stands in a Coq proof: identifiers, and hypotheses for facts and conditions."""

    context: Context
    names: Names
    facts: tuple[str, ...]  # hypotheses, in the order of the facts of the context
    known: tuple[tuple[Fact, str], ...] = ()  # further hypotheses: what was shown to be defined
    binders: frozenset[Term] = frozenset()  # sums and integrals that were

    def plus(self, fact: Fact, name: str) -> Setting:
        return replace(self, context=self.context.plus(fact), facts=(*self.facts, name))

    def knowing(self, fact: Fact, name: str) -> Setting:
        return replace(self, known=(*self.known, (fact, name)))

    def moved(self, context: Context, names: Names, facts: dict[Fact, str]) -> Setting:
        """Another context, with the hypotheses of its facts given or kept from here."""
        here = {**dict(zip(self.context.facts, self.facts, strict=True)), **facts}
        free = set(context.names)
        known = tuple((f, n) for f, n in self.known if f.gap.free <= free and names.known == self.names.known)
        return Setting(context, names, tuple(here[fact] for fact in context.facts), known)

    def hypotheses(self) -> Iterator[tuple[Fact, str]]:
        yield from zip(self.context.facts, self.facts, strict=True)
        yield from self.known
