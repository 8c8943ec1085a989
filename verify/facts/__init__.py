"""The textbook facts that arguments may use, by name."""

from __future__ import annotations

from glbcheck.verify.facts import analysis, divergences, matrices, probability
from glbcheck.verify.facts.entry import FACTS, Fact, fact

__all__ = ["FACTS", "Fact", "analysis", "divergences", "fact", "matrices", "probability"]
