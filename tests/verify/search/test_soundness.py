"""The bar of the evidence engine as a whole: how much was planted, and that arithmetic does not matter."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpus import Entry

PROVERS = ("symbolic", "ladder", "algebra", "exact", "property", "montecarlo")
ROOT = Path(__file__).resolve().parents[3]


def planted(kind: str) -> list[Entry]:
    return [e for prover in PROVERS for e in importlib.import_module(f"tests.corpus.{kind}_{prover}").ENTRIES]


@pytest.mark.parametrize("kind", ["false", "true"])
def test_the_planted_statements_are_many_and_many_are_near_misses_or_sharp(kind: str) -> None:
    found = planted(kind)
    assert len({entry.name for entry in found}) == len(found) >= 60
    assert sum(entry.near_miss or entry.sharp for entry in found) >= 20


# SymPy computes with python-flint's numbers when that is installed; proofs must not depend on it.
PURE_PYTHON = """
from sympy.external.gmpy import GROUND_TYPES
assert GROUND_TYPES == "python", GROUND_TYPES
from importlib import import_module
from fractions import Fraction
import sympy as sp
from glbcheck.core.enclosure import ball, ball_function, jet_function
from glbcheck.verify.search.cover import certify
z = sp.Symbol("z", real=True)
assert ball_function(z/3 + sp.Rational(1, 7), [z])(Fraction(1, 2)).overlaps(ball(Fraction(13, 42)))
assert jet_function(sp.sinh(z)/z, z)(0, 3)[2].overlaps(ball(Fraction(1, 6)))
assert certify("log(1 + x) <= x", {"x": (0, None)}).verdict == "proved"
assert certify("besseli(1, x) <= besseli(0, x)", {"x": (0, 4)}).verdict == "certified"
assert certify("log(1 + x) <= (1 - 1/10**7)*x", {"x": (0, 1)}).verdict == "refuted"
for kind in ("false", "true"):
    for entry in import_module(f"tests.corpus.{kind}_PROVER").ENTRIES:
        print(kind, entry.run().verdict)
"""


@pytest.mark.parametrize("prover", ["ladder", "algebra", "exact"])
def test_verdicts_are_the_same_in_pure_python_arithmetic(prover: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", PURE_PYTHON.replace("PROVER", prover)], capture_output=True, text=True, cwd=ROOT,
        env={**os.environ, "SYMPY_GROUND_TYPES": "python"},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    verdicts = [line.split() for line in run.stdout.splitlines()]
    false = [verdict for kind, verdict in verdicts if kind == "false"]
    true = [verdict for kind, verdict in verdicts if kind == "true"]
    assert not {"proved", "certified", "certified-on-box", "stress-tested"} & set(false)
    assert "refuted" not in true
    assert sum(v in ("proved", "certified") for v in true) >= 0.9 * len(true)
