"""The catalogue: one small file per family, found by name.

>>> get("bernoulli").log_partition
log(exp(z) + 1)
>>> get("binomial", n=5).name
'binomial(n=5)'
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable
from functools import lru_cache

from glbcheck.core.errors import BadInput, meant
from glbcheck.core.family import Family

# In the order of the printed table; each name is a module of this package.
NAMES = (
    "gaussian",
    "bernoulli",
    "binomial",
    "binomial_proportion",
    "poisson",
    "scaled_poisson",
    "negative_binomial",
    "geometric",
    "exponential",
    "gamma",
    "inverse_gaussian",
    "von_mises",
    "uniform",
    "continuous_bernoulli",
    "rademacher",
    "skellam",
    "zero_truncated_poisson",
    "truncated_poisson",
    "hyperbolic_secant",
)

_SPEC = re.compile(r"([A-Za-z][A-Za-z_ -]*?)\s*(?:\(\s*n\s*=\s*(\d{1,6})\s*\))?")


def get(name: str, **parameters: int) -> Family:
    """The family of this name; parameters such as n have defaults.

    Names are read without regard to case, hyphens or spaces.
    """
    key = str(name).strip().lower().replace("-", "_").replace(" ", "_")
    if key not in NAMES:
        raise BadInput("name", name, f"{meant(name, NAMES)}one of {', '.join(NAMES)}")
    known = inspect.signature(importlib.import_module(f"glbcheck.core.catalog.{key}").family).parameters
    for parameter, value in parameters.items():
        if parameter not in known:
            accepted = "parameters " + ", ".join(known) if known else "no parameters"
            raise BadInput(parameter, value, f"{key} takes {accepted}")
        if isinstance(value, bool):  # equal to 0 or 1, and so to a family that is kept
            raise BadInput(parameter, value, "a whole number")
    return _build(key, tuple(sorted(parameters.items())))


def spelled(text: str) -> tuple[str, int | None] | None:
    """The key and the n of a name such as poisson or binomial(n=20); None if it is no name of the catalogue."""
    match = _SPEC.fullmatch(str(text).strip())
    key = match[1].strip().lower().replace("-", "_").replace(" ", "_") if match else ""
    return (key, int(match[2]) if match[2] else None) if match and key in NAMES else None


@lru_cache(maxsize=128)
def _build(key: str, parameters: tuple[tuple[str, int], ...]) -> Family:
    """One object per family, so that its tables and constants are computed once."""
    build: Callable[..., Family] = importlib.import_module(f"glbcheck.core.catalog.{key}").family
    return build(**dict(parameters))


def every() -> list[Family]:
    """All families of the catalogue, with default parameters."""
    return [get(name) for name in NAMES]
