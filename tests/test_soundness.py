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
ROOT = Path(__file__).resolve().parent.parent


def planted(kind: str) -> list[Entry]:
    return [e for prover in PROVERS for e in importlib.import_module(f"tests.corpus.{kind}_{prover}").ENTRIES]


def test_the_false_statements_are_many_and_many_are_near_misses() -> None:
    false = planted("false")
    assert len(false) >= 60
    assert sum(entry.near_miss for entry in false) >= 20
    assert len({entry.name for entry in false}) == len(false)


def test_the_true_statements_are_many_and_sharp_ones_are_among_them() -> None:
    true = planted("true")
    assert len(true) >= 60
    assert sum(entry.sharp for entry in true) >= 20
    assert len({entry.name for entry in true}) == len(true)


# SymPy computes with python-flint's numbers when that is installed; proofs must not depend on it.
PURE_PYTHON = """
from sympy.external.gmpy import GROUND_TYPES
assert GROUND_TYPES == "python", GROUND_TYPES
from importlib import import_module
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
