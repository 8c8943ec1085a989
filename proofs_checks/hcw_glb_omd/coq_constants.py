"""`coq/Constants.v`, written from `core`: a number changed there changes what Coq has to prove.

python -m glbcheck.proofs_checks.hcw_glb_omd.coq_constants     writes the file
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

from glbcheck.core import constants, sharpest
from glbcheck.verify.coq.recorder import Definition, definitions

FILE = Path(__file__).parent / "coq" / "Constants.v"
NAMES = {"R_s": "Rs", "L_mu": "L"}
HEADER = """(* The constants of the paper as repaired; written from core by coq_constants.py. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From Glbcheck Require Import Bridge.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

"""
# The name in Coq, the function, and which of its parameters are natural numbers.
CHOSEN = (
    ("step_size", "eta", ()),
    ("regularisation", "lam_repaired", ("d",)),
    ("weight_of", "weight", ()),
    ("beta_from_logdet", "beta_from_logdet_repaired", ()),
    ("logdet_bound", "REPAIRED.logdet_bound", ("d",)),
    ("beta", "REPAIRED.beta", ("d",)),
    ("widening", "widening", ()),
    ("potential", "potential_repaired", ("d",)),
    ("low_weight", "low_weight_repaired", ("d", "T")),
    ("gamma_1", "gamma_1_repaired", ()),
    ("gamma_rest", "gamma_rest_repaired", ()),
    ("regret_bound", "regret_of_sums", ()),
)
SHARPEST = (("beta_base", "beta_base", ()), ("beta_slope", "beta_slope", ()))


def source(module: Any = constants) -> str:
    """The whole file, from the functions of a module with the names of `core.constants`."""
    repaired = definitions(module, _chosen(module, CHOSEN), (module.REPAIRED,))
    return HEADER + repaired + "\n" + definitions(sharpest, _chosen(sharpest, SHARPEST))


def _chosen(module: Any, named: Sequence[tuple[str, str, tuple[str, ...]]]) -> list[Definition]:
    return [Definition(name, attrgetter(function)(module), NAMES, naturals) for name, function, naturals in named]


if __name__ == "__main__":
    FILE.write_text(source(), encoding="utf-8")
