"""The words of an audit: a question about a family, and what was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from glbcheck.verify.claim import Verdict


@dataclass(frozen=True)
class Finding:
    """The answer to one question: verdict, one or two plain sentences, and the data that back them."""

    verdict: Verdict
    evidence: str
    certificate: Mapping[str, Any] = field(default_factory=dict)
    document: Mapping[str, Any] = field(default_factory=dict)  # what core/measures accepted


@dataclass(frozen=True)
class Question:
    """One question about a family; `decide` may take at most `budget` seconds; it `needs` a yes to others."""

    name: str
    text: str
    decide: Callable[[], Finding]
    budget: float
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Check:
    """A question with its answer."""

    name: str
    question: str
    verdict: Verdict
    evidence: str
    certificate: Mapping[str, Any]
    seconds: float
    document: Mapping[str, Any] = field(default_factory=dict)
