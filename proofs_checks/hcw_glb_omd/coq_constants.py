"""The files of constants in `coq/`, written from `core`: a number changed there changes what Coq proves.

python -m glbcheck.proofs_checks.hcw_glb_omd.coq_constants     writes the files
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

from glbcheck.core.theory import constants, lower_constants, sharpest
from glbcheck.verify.coq.recorder import Definition, definitions

FILE = Path(__file__).parent / "coq" / "Constants.v"
PRINTED_FILE = FILE.with_name("PrintedConstants.v")
LOWER_FILE = FILE.with_name("LowerConstants.v")
NAMES = {"R_s": "Rs", "L_mu": "L"}
HEADER = """(* The constants of the paper as {reading}; written from core by coq_constants.py. *)
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
PRINTED = (
    ("printed_lam", "lam", ("d",)),
    ("printed_beta", "PAPER.beta", ("d",)),
    ("printed_potential", "elliptical_potential", ("d",)),
)
LOWER = (("family_floor", "family_floor", ("d", "T")),)
# What is a function of the setting: the name in Coq, the function, the fields it uses, and what it is given besides.
DESIGN = ("d", "S", "alpha", "R_s", "L_mu")
OF_SETTING = (
    ("printed_radius", "Setting.radius", (*DESIGN, "C", "delta"), "inverse_g"),
    ("printed_gamma_1", "gamma_1", (*DESIGN, "T", "g_min"), "radius_T"),
    ("printed_gamma_2", "gamma_2", (*DESIGN, "T", "g_min", "g_max"), "radius_T"),
    ("printed_gamma_3", "gamma_3", (*DESIGN, "T", "kappa", "g_min", "g_max"), "radius_next"),
    ("printed_gamma_4", "gamma_4", (*DESIGN, "T", "kappa"), "radius_next"),
)


def source(module: Any = constants) -> str:
    """The whole file, from the functions of a module with the names of `core.theory.constants`."""
    repaired = definitions(module, _chosen(module, CHOSEN), (module.REPAIRED,))
    header = HEADER.format(reading="repaired")
    return header + repaired + "\n" + definitions(sharpest, _chosen(sharpest, SHARPEST))


def printed(module: Any = constants) -> str:
    """The constants as printed, which the refutations speak of."""
    chosen = _chosen(module, PRINTED)
    for name, function, fields, given in OF_SETTING:
        naturals = tuple(field for field in fields if field in ("d", "T"))
        unpacked = _of_fields(module, attrgetter(function)(module), fields, given)
        chosen.append(Definition(name, unpacked, NAMES, naturals))
    return HEADER.format(reading="printed") + definitions(module, chosen, (module.PAPER,))


def lower(module: Any = lower_constants) -> str:
    """The constants of the lower bounds."""
    return HEADER.format(reading="repaired") + definitions(module, _chosen(module, LOWER))


def _of_fields(module: Any, function: Callable[..., Any], fields: Sequence[str], given: str) -> Callable[..., Any]:
    """A function of a setting as one of those of its fields that it uses; with another one it would stop on None."""
    unused = {name: None for name in module.Setting.__dataclass_fields__ if name != "use"}

    def unpacked(*values: Any) -> Any:
        return function(module.Setting(**{**unused, **dict(zip(fields, values[:-1], strict=True))}), values[-1])

    names = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in (*fields, given)]
    unpacked.__signature__ = inspect.Signature(names)  # type: ignore[attr-defined]
    unpacked.__doc__ = function.__doc__
    return unpacked


def _chosen(module: Any, named: Sequence[tuple[str, str, tuple[str, ...]]]) -> list[Definition]:
    return [Definition(name, attrgetter(function)(module), NAMES, naturals) for name, function, naturals in named]


if __name__ == "__main__":
    FILE.write_text(source(), encoding="utf-8")
    PRINTED_FILE.write_text(printed(), encoding="utf-8")
    LOWER_FILE.write_text(lower(), encoding="utf-8")
