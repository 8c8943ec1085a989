"""Learners on disk: one JSON format with a version, read without running anything, refused if it is not a state.

    {"format": "glbcheck learner", "version": 2, "family": {...}, "parameters": {...}, "state": {...},
     "engine": {...} or absent, "service": {...} or absent}

Numbers are written with as many digits as give the same bits again, so a learner that is restored goes on bit by bit.
The constants are found again and must agree, or for the sharpest ones must be a point of the theorem.
Version 1 had other fields in "engine", which are not read; the rest of it was the same, and is.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from secrets import token_hex
from typing import Any, NoReturn

from glbcheck.core import catalog, tuning
from glbcheck.core.algorithm import State
from glbcheck.core.algorithm.scouted import ScoutedState
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.learner.states import ROUNDED, checked_state, real, text, whole
from glbcheck.core.parameters import Parameters, of_choice, parameters, sharpest_problem
from glbcheck.core.tuning import Choice

FORMAT, VERSION = "glbcheck learner", 2
READ = (1, VERSION)
LARGEST = 1 << 28  # bytes
AGREE = 1e-9  # relative; what another machine may do to a constant
_PATH = str | os.PathLike[str]
_NUMBERS = ("alpha", "R_s", "L_mu", "eta", "lam")


# --- writing ------------------------------------------------------------------------------------------------


def write(path: _PATH, p: Parameters, state: State, **more: Mapping[str, Any]) -> None:
    """The file, complete or not at all: a reader never meets half of it."""
    document = {
        "format": FORMAT, "version": VERSION, "family": _described(p.family), "parameters": _told(p),
        "state": _plain(state), **more,
    }  # fmt: skip
    text = json.dumps(document, allow_nan=False).encode()
    if len(text) > LARGEST:
        accepted = f"at most {LARGEST} bytes, which `restore` reads; a monitor keeps all rewards: watch=None has none"
        raise BadInput("learner", f"{len(text)} bytes", accepted)
    _replace(_path(path), text)


def _plain(state: State) -> dict[str, Any]:
    fields = {**vars(state), "theta": state.theta.tolist(), "H": state.H.tolist()}
    return fields | {"scout": _plain(state.scout)} if isinstance(state, ScoutedState) else fields


def _path(path: _PATH) -> Path:
    try:
        return Path(os.path.realpath(path))  # a link goes on pointing to the file
    except (TypeError, ValueError):
        raise BadInput("path", path, "a path of a file") from None


def _replace(target: Path, text: bytes) -> None:
    """On disk before it takes the place of what was there, and as readable as that was."""
    if target.is_dir():
        raise BadInput("path", str(target), "a path of a file; this is a directory")
    name = target.with_name(f".{target.name}.{token_hex(8)}")
    try:
        handle = os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    except OSError as err:
        accepted = f"a path in a directory that can be written to ({err.strerror or err})"
        raise BadInput("path", str(target), accepted) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            name.chmod(target.stat().st_mode & 0o777)
        name.replace(target)
    except BaseException:
        name.unlink()
        raise


def _described(family: Family) -> dict[str, str]:
    def words() -> dict[str, str]:
        import sympy as sp

        return {"m": sp.srepr(family.log_partition), "support": str(family.support)}

    return {"name": family.name, **family.kept("description", words)}


def _told(p: Parameters) -> dict[str, Any]:
    """What the learner was told, and the constants that follow from it."""
    chosen = None if p.choice is None else p.choice.problem
    return {
        "d": p.d, "S": p.S, "delta": p.delta, "C": p.C, "constants": p.use.name, "index": p.index,
        "radius_form": p.radius_form, "radius_scale": p.radius_scale, "by_hand": list(p.by_hand), "horizon": p.horizon,
        "dispersions": [chosen.g_min, chosen.g_max] if chosen else [1.0, 1.0], "start": chosen.start if chosen else 0.0,
        "scout": p.scout,
        **{name: getattr(p, name) for name in _NUMBERS},
    }  # fmt: skip


# --- reading ------------------------------------------------------------------------------------------------


def read(path: _PATH, family: Family | None = None) -> tuple[Parameters, State, Mapping[str, Any]]:
    """Parameters, state and the whole document; `family` is needed for one that is not of the catalogue."""
    document = _document(_path(path))
    found = _family(_part(document, "family"), family)
    p = _parameters(found, _part(document, "parameters"))
    return p, checked_state(p, _part(document, "state")), document


def _document(path: Path) -> dict[str, Any]:
    try:
        size = path.stat().st_size
        if size > LARGEST:
            raise BadInput("path", str(path), f"a file of at most {LARGEST} bytes; this has {size}")
        found = json.loads(path.read_bytes(), parse_constant=_no_number, object_pairs_hook=_once)
    except OSError as err:
        raise BadInput("path", str(path), f"a file that can be read ({err.strerror or err})") from None
    except BadInput:
        raise
    except (ValueError, RecursionError) as err:
        raise BadInput("path", str(path), f"a whole file that a learner was saved to ({_first_line(err)})") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise BadInput("path", str(path), f'a file whose "format" is "{FORMAT}"')
    if found.get("version") not in READ or isinstance(found["version"], bool):
        raise BadInput("version", found.get("version"), f"version {' or '.join(map(str, READ))} of the format")
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, each of whose keys is there once: of two values nobody knows which was meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"a key is there twice among {', '.join(sorted(found))}")
    return found


def _first_line(err: Exception) -> str:
    return (str(err).splitlines() or [type(err).__name__])[0]


def _part(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = document.get(name)
    if not isinstance(found, dict):
        raise BadInput(name, found, "an object, as `save` writes it")
    return found


def _family(saved: Mapping[str, Any], given: Family | None) -> Family:
    name = text("family.name", saved.get("name"))
    family = _of_catalogue(name) if given is None else given
    own = _described(family)
    for fact in own:
        if own[fact] != saved.get(fact):
            raise BadInput(f"family.{fact}", saved.get(fact), f"that of {family.name}, which is {own[fact]}")
    return family


def _of_catalogue(name: str) -> Family:
    key, n = catalog.spelled(name) or ("", None)
    try:
        return catalog.get(key) if n is None else catalog.get(key, n=n)
    except BadInput:
        raise BadInput("family", name, "a family of the catalogue, or give it to `restore` as `family`") from None


def _parameters(family: Family, saved: Mapping[str, Any]) -> Parameters:
    """The parameters as they were; the constants are those of the theorem, or named as given by hand."""
    by_hand = saved.get("by_hand")
    if not isinstance(by_hand, list) or not all(name in (*_NUMBERS, "radius_scale") for name in by_hand):
        raise BadInput("parameters.by_hand", by_hand, "names of constants that may be given by hand")
    numbers: dict[str, Any] = {
        name: real(f"parameters.{name}", saved.get(name)) for name in (*_NUMBERS, "radius_scale")
    }
    S, delta, C = (real(f"parameters.{name}", saved.get(name)) for name in ("S", "delta", "C"))
    reading = text("parameters.constants", saved.get("constants"))
    sharpest, share = reading == "sharpest", real("parameters.scout", saved.get("scout", 0.0))
    if share < 0:
        raise BadInput("parameters.scout", share, "a share of the proved bound, a number >= 0")
    given: dict[str, Any] = {name: numbers[name] for name in by_hand}
    words: dict[str, Any] = {name: text(f"parameters.{name}", saved.get(name)) for name in ("index", "radius_form")}
    found = parameters(
        family, whole("parameters.d", saved.get("d")), S, delta, C, given.pop("alpha", None), **given, **words,
        reading="paper" if sharpest else reading, scout=0.0 if sharpest else share,
    )  # fmt: skip
    if sharpest:
        found = replace(_of_choice(found, saved, numbers), index=found.index, scout=share, **_by_hand(found))
        if words["radius_form"] != found.radius_form:
            raise BadInput("parameters.radius_form", words["radius_form"], f"{found.radius_form!r} for these constants")
    for name, value in numbers.items():
        own = getattr(found, name)
        if not abs(value - own) <= AGREE * abs(own):
            raise BadInput(f"parameters.{name}", value, f"{own!r}, which these parameters give")
    return replace(found, **numbers)


def _by_hand(p: Parameters) -> dict[str, Any]:
    if not set(p.by_hand) <= {"radius_scale"}:
        raise BadInput("parameters.by_hand", p.by_hand, "nothing but radius_scale beside the sharpest constants")
    return {"by_hand": p.by_hand, "radius_scale": p.radius_scale}


def _of_choice(plain: Parameters, saved: Mapping[str, Any], numbers: Mapping[str, float]) -> Parameters:
    """The point that the search had found: the theorem holds for each from the floor on, wherever a search ends."""
    pair, horizon = saved.get("dispersions"), saved.get("horizon")
    if not isinstance(pair, list) or len(pair) != 2:
        raise BadInput("parameters.dispersions", pair, "a pair of numbers")
    low, high = (real("parameters.dispersions", g) for g in pair)
    start = real("parameters.start", saved.get("start"))
    if not 0 <= start <= plain.S * (1 + ROUNDED):
        raise BadInput("parameters.start", start, f"a length of at most S = {plain.S:g}")
    problem = sharpest_problem(plain.family, plain.d, plain.S, plain.delta, plain.C, (low, high), start)
    choice = Choice(problem, numbers["alpha"], numbers["lam"])
    if not choice.alpha > 0:
        raise BadInput("parameters.alpha", choice.alpha, "a number above 0")
    if horizon is not None and not real("parameters.horizon", horizon) >= 1:
        raise BadInput("parameters.horizon", horizon, "a number of rounds, or null")
    try:
        floor = tuning.floor(problem, choice.alpha)
        holds = choice.lam >= floor and math.isfinite(choice.regret_bound(horizon or 1e4))
    except ArithmeticError:
        floor, holds = math.inf, False
    if not holds:
        accepted = f"at least {floor:.17g}, from which on the theorem holds with a bound that is a number"
        raise BadInput("parameters.lam", choice.lam, accepted)
    return of_choice(plain.family, choice, horizon)
