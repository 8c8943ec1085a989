"""What a user may hand in: a formula, a catalogue name, a Python file, a SciPy distribution.

A formula is read by the allow-list of `core.expression`; only `file.py:NAME` runs code, the user's own.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.errors import BadInput, meant
from glbcheck.core.family import (
    ANY,
    ONE,
    POSITIVE,
    RECIPROCAL,
    Dispersions,
    Family,
    Support,
    from_log_partition,
    g,
    r,
    z,
)
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.audit.domain import formula, natural_domain, read_interval
from glbcheck.verify.audit.models import Recognised, family_of, is_model
from glbcheck.verify.audit.support import base_from

_CATALOGUE = re.compile(
    r"\s*([A-Za-z][A-Za-z_ -]*?)\s*(?:\(\s*(\w+\s*=\s*\d{1,9}(?:\s*,\s*\w+\s*=\s*\d{1,9})*)\s*\))?\s*"
)
_FILE = re.compile(r"(.+\.py):([A-Za-z_]\w*)")


@dataclass(frozen=True)
class Options:
    """The facts a formula alone does not state; None means not stated."""

    domain: str | None = None
    support: str | None = None
    base: str | None = None
    dispersion: str | None = None
    natural: str | None = None
    partition: str | None = None


@dataclass(frozen=True)
class Candidate:
    """A family to be audited and where it came from."""

    family: Family
    origin: str
    runs_code: bool = False
    oracle: Callable[[], Finding] | None = None
    model: Recognised | None = None  # where it is a GLM of another package


NOTHING_STATED = Options()


def read(spec: str, options: Options = NOTHING_STATED) -> Candidate:
    """The family that SPEC and the options describe; `BadInput` names what is wrong."""
    if not isinstance(spec, str) or not spec.strip():
        raise BadInput("SPEC", spec, "a formula in z, a catalogue name, file.py:NAME or scipy:DIST")
    spec = spec.strip()
    if spec.startswith("scipy:"):
        return _from_scipy(spec.removeprefix("scipy:"), options)
    if found := _FILE.fullmatch(spec):
        stated = _from_file(found[1], found[2])
        model = stated if isinstance(stated, Recognised) else None
        family = stated.family if isinstance(stated, Recognised) else stated
        return Candidate(_with_options(family, options), found[1], runs_code=True, model=model)
    if (found := _CATALOGUE.fullmatch(spec)) and _known(found[1]):
        return Candidate(_with_options(_from_catalogue(found), options), "catalogue")
    if spec.isidentifier() and spec != "z":
        shown = spec if len(spec) <= 60 else spec[:57] + "..."
        accepted = f"a formula in z, or one of {', '.join(catalog.NAMES)}"
        raise BadInput("SPEC", shown, meant(shown.lower(), catalog.NAMES) + accepted)
    return Candidate(_with_options(_from_formula(spec, options), options), "formula")


def _from_scipy(name: str, options: Options) -> Candidate:
    from glbcheck.verify.audit.scipy_spec import agrees, from_scipy, read_law

    law = read_law(name, options.natural)
    m = None if options.partition is None else formula("--partition", options.partition, {"z": z})
    family = _with_options(from_scipy(law, m, _domain(options)), options)
    return Candidate(family, "SciPy", oracle=agrees(law, family))


def _known(name: str) -> bool:
    return name.strip().lower().replace("-", "_").replace(" ", "_") in catalog.NAMES


def _from_catalogue(found: re.Match[str]) -> Family:
    pairs = [pair.split("=") for pair in (found[2] or "").split(",") if pair]
    return catalog.get(found[1], **{name.strip(): int(value) for name, value in pairs})


def _from_formula(text: str, options: Options) -> Family:
    m = formula("SPEC", text, {"z": z})
    if not m.has(z):
        raise BadInput("SPEC", text, "a formula in z; a constant has no mean to learn")
    name = text.strip() if len(text.strip()) <= 60 else text.strip()[:57] + "..."
    return from_log_partition(name, m, _domain(options) or natural_domain(m))


def _domain(options: Options) -> sp.Interval | None:
    if options.domain is None:
        return None
    return sp.Interval.open(*read_interval("--domain", options.domain))


# --- support, base, dispersion ---------------------------------------------------------------------------


def _with_options(family: Family, options: Options) -> Family:
    """The family with whatever the options state put in place of what it had."""
    changes: dict[str, Any] = {}
    if options.domain is not None:
        changes["domain"] = _domain(options)
    if options.support is not None:
        changes["support"] = _support(options.support)
    if options.support is not None and options.base is None and not family.has_base:
        found = base_from(family.log_partition, changes["support"])
        if found is not None:
            changes |= {"log_base": found, "dispersions": ONE}
    if options.base is not None:
        changes["log_base"] = formula("--base", options.base, {"r": r, "g": g})
        if options.support is None and not family.has_base:
            raise BadInput("--support", None, "the support of the rewards, which a base measure needs")
    if options.dispersion is not None:
        changes["dispersions"] = _dispersions(options.dispersion)
    elif options.base is not None and not family.has_base:
        changes["dispersions"] = POSITIVE if "log_base" in changes and changes["log_base"].has(g) else ONE
    family = replace(family, **changes) if changes else family
    if "log_base" in changes:
        from glbcheck.core.inversion import sampler_from_density

        family = replace(family, sampler=sampler_from_density(family))
    return family


def _support(text: str) -> Support:
    """The rewards as the option writes them: two points, an interval, a run of integers, a lattice."""
    accepted = "a,b for {a, b}, interval:lower,upper, integers:lower,upper (oo allowed), lattice:lower,upper,step"
    kind, colon, rest = text.partition(":")
    if not colon:
        low, high = read_interval("--support", text)
        if low.is_finite and high.is_finite:
            return Support(low, high, step=high - low)
        raise BadInput("--support", text, accepted)
    parts = [part.strip() for part in rest.split(",")]
    if kind == "interval" and len(parts) == 2:
        return Support(*read_interval("--support", rest))
    if kind == "integers" and len(parts) == 2:
        return Support(*read_interval("--support", rest), step=sp.S.One)
    if kind == "lattice" and len(parts) == 3:
        low, high = read_interval("--support", ",".join(parts[:2]))
        step = formula("--support", parts[2], {"g": g})
        if step.is_positive:
            return Support(low, high, step=step)
    raise BadInput("--support", text, accepted)


SMALLEST = Fraction(1, 10**100)  # of a dispersion; the largest is one over it
WORDS = {"1": ONE, "g = 1": ONE, "positive": POSITIVE, "g > 0": POSITIVE, "reciprocal": RECIPROCAL, "any": ANY}


def _dispersions(text: str) -> Dispersions:
    if text in WORDS:
        return WORDS[text]
    values = listed_dispersions(text)
    if not values or not all(SMALLEST <= value <= 1 / SMALLEST for value in values):
        raise BadInput("--dispersion", text, "1, positive, reciprocal (g = 1/n), or numbers such as 1/2,1,2")
    floats = frozenset(map(float, values))
    return Dispersions("g in {" + ", ".join(map(str, values)) + "}", lambda value: value in floats)


def listed_dispersions(text: str) -> tuple[Fraction, ...]:
    """The numbers of a list such as 1/2,1,2; nothing if it is no such list."""
    try:
        return tuple(Fraction(part.strip()) for part in text.split(","))
    except (ValueError, ZeroDivisionError):
        return ()


# --- the user's own code ---------------------------------------------------------------------------------


def _from_file(path: str, name: str) -> Family | Recognised:
    """NAME of a Python file: a Family, a function that returns one, a formula as text, or a GLM of another package."""
    if not Path(path).is_file():
        raise BadInput("SPEC", path, "an existing Python file, as in my_family.py:NAME")
    spec = importlib.util.spec_from_file_location("audited_family", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as problem:
        raise BadInput("SPEC", path, f"a file that runs; it raised {type(problem).__name__}: {problem}") from problem
    if not hasattr(module, name):
        public = [other for other in vars(module) if not other.startswith("_")]
        raise BadInput("SPEC", f"{path}:{name}", f"a name defined in {path}: {', '.join(public)}")
    value = getattr(module, name)
    return family_of(value) if is_model(value) else _as_family(value, name, f"{path}:{name}")


def _as_family(value: object, name: str, typed: str) -> Family:
    if callable(value) and not isinstance(value, Family):
        make: Callable[[], object] = value
        try:
            value = make()
        except (Exception, SystemExit) as problem:
            words = f"a function that returns a Family; it raised {type(problem).__name__}: {problem}"
            raise BadInput("SPEC", typed, words) from problem
    if isinstance(value, str):
        return _from_formula(value, Options())
    if isinstance(value, sp.Expr):
        if value.free_symbols != {z} or value.atoms(sp.Float):
            raise BadInput("SPEC", typed, "an exact expression in core.family.z alone, without floats")
        return from_log_partition(name, value, natural_domain(value))
    if isinstance(value, Family):
        if not value.name.isprintable():
            raise BadInput("SPEC", typed, "a family with a name that can be printed")
        return value
    raise BadInput("SPEC", typed, "a core.family.Family, a function returning one, or a formula in z")
