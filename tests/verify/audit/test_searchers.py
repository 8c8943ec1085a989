"""Searchers of an audit that are broken do no harm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp
from glbcheck.core import concordance, laplace
from glbcheck.core.laplace import Construction
from glbcheck.verify.audit import covers, measure, shape
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.audit.documents import gated
from glbcheck.verify.claim import Verdict

from tests.helpers.audit_answers import SHAPE, about, answer


def _yes(*_: Any, **__: Any) -> Finding:
    return Finding(Verdict.PROVED, "so it is", {"z": "0", "answers": [], "lower": 1.0, "upper": 1.0})


FALSE_CLAIMS = [
    ("z**2/2-z**4", "convex"), ("z**4", "slope"), ("abs(z)", "smooth"), ("log(z)", "domain"), ("z**4", "log_partition"),
    ("z**4", "dispersions"), ("z**4", "L_mu"), ("z**4", "kappa"), ("z**4", "R_s"),
]  # fmt: skip
# On the whole domain, what engines find is said to rest on a computation; it is never called proved.
ON_THE_WHOLE_DOMAIN = [("z**4", "R_s_global"), ("z**2/2-z**4", "convexity")]


@pytest.mark.parametrize(
    ("spec", "question", "verdict"),
    [
        *((*claim, verdict) for claim in FALSE_CLAIMS for verdict in (Verdict.PROVED, Verdict.CERTIFIED)),
        *((*claim, Verdict.PROVED) for claim in ON_THE_WHOLE_DOMAIN),
    ],
)
def test_a_searcher_that_always_says_yes_is_not_believed(spec: str, question: str, verdict: Verdict) -> None:
    asked = about(spec, domain="-2,2") if spec == "log(z)" else about(spec)
    claimed = Finding(verdict, "so it is", {"answers": [], "rule": "constant", "parameters": ["1"], "parts": [],
                                            "lower": 1.0, "upper": 1.0, "z": "0"})  # fmt: skip
    assert not gated(asked, question, "?", claimed).verdict.positive


@pytest.mark.parametrize("question", [*SHAPE, "log_partition"])
def test_a_searcher_that_always_says_no_is_not_believed(question: str) -> None:
    data = {"z": "0", "order": 1, "kind": "moments", "power": "1", "z0": "0", "points": ["0", "1"],
            "weights": ["1", "1"], "value_upper": "-1"}  # fmt: skip
    found = gated(about("log(1+exp(z))"), question, "?", Finding(Verdict.REFUTED, "it is not so", data))
    assert found.verdict is Verdict.UNDECIDED


def test_a_broken_search_for_measures_is_harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    garbage = Construction("exponential", (), (Construction("quadratic", (sp.S.One, sp.S.Zero, sp.S.Zero)),))
    monkeypatch.setattr(laplace, "decide", lambda *a, **k: garbage)
    assert measure.log_partition(about("z**4")).verdict is Verdict.PROVED
    assert answer("z**4", "log_partition").verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("name", ["L_mu", "kappa", "R_s"])
@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_a_broken_search_for_constants_is_harmless(name: str, factor: float, monkeypatch: pytest.MonkeyPatch) -> None:
    true = getattr(concordance, name)

    def wrong(*args: Any) -> Any:
        found = true(*args)
        return concordance.Constant(None, found.lower * factor, found.upper * factor, "somewhere")

    monkeypatch.setattr(concordance, name, wrong)
    assert answer("log(1+exp(z))", name).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("cut", [lambda *a, **k: [], lambda low, high, seen: [(low + high) / 2], lambda *a, **k: None])
def test_a_broken_search_for_cells_is_harmless(cut: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covers, "breaks", cut)
    monkeypatch.setattr(shape, "convex", _yes)
    for question, spec in (("convex", "z**2/2-z**4"), ("slope", "z**2/2-z**4"), ("smooth", "log(1+z)")):
        assert not gated(about(spec, 2, domain="-3,3"), question, "?", _yes()).verdict.positive
