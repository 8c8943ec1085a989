"""Learners on disk: one JSON file with a version and a seal, read without running anything.

    {"format": "glbcheck learner", "version": 3, "family": {...}, "parameters": {...}, "state": {...},
     "service": {...} for a `Learner`, "seal": SHA-256 of all the rest as JSON with sorted keys}

Numbers are written with as many digits as give the same bits again, so that a restored learner continues bit for bit.
The seal shows damage, but anyone can compute it: so the constants are derived again and compared, and θ, H and the sums
that make the radius must fit them.  Versions 1 and 2 have no seal and are read too, without their part "engine".
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any

import numpy as np
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD, Scouted, ScoutedState, State
from glbcheck.core.algorithm.matrices import norm
from glbcheck.core.errors import BadInput
from glbcheck.core.family import ONE, Family
from glbcheck.core.files import LARGEST, read_json
from glbcheck.core.learner.fields import Fields
from glbcheck.core.learner.service import Learner
from glbcheck.core.theory import scout as scouting
from glbcheck.core.theory import tuning
from glbcheck.core.theory.parameters import Parameters, of_choice, parameters, sharpest_problem

FORMAT, VERSION = "glbcheck learner", 3
ROUNDED = 1e-9  # relative; what another machine may do to a constant, and rounding to a sum over many rounds
_PATH = str | os.PathLike[str]
_CONSTANTS = ("alpha", "R_s", "L_mu", "eta", "lam", "radius_scale")


# --- writing ------------------------------------------------------------------------------------------------


def save(learner: Learner | HCWGLBOMD, path: _PATH) -> None:
    """Write the learner to a file, in one piece; tickets stay open and keep their numbers."""
    if isinstance(learner, HCWGLBOMD):
        _write(_path(path), learner, {})
    elif isinstance(learner, Learner):
        with learner.lock:
            _write(_path(path), learner.algorithm, {"service": learner.as_dict()})
    else:
        raise BadInput("learner", learner, "a Learner or an HCWGLBOMD")


def _write(target: Path, algorithm: HCWGLBOMD, more: dict[str, Any]) -> None:
    p = algorithm.parameters
    names = ("d", "S", "delta", "C", "index", "radius_form", "horizon", "scout", *_CONSTANTS)
    problem = None if p.choice is None else p.choice.problem
    told = {
        **{name: getattr(p, name) for name in names}, "constants": p.use.name, "by_hand": list(p.by_hand),
        "dispersions": [problem.g_min, problem.g_max] if problem else [1.0, 1.0],
        "start": problem.start if problem else 0.0,
    }  # fmt: skip
    document = {"family": _plain_family(p.family), "parameters": told, "state": _plain_state(algorithm.state), **more}
    text = sealed({"format": FORMAT, "version": VERSION, **document})
    if len(text) > LARGEST:
        accepted = f"at most {LARGEST} bytes, which `restore` reads; a monitor keeps all rewards: watch=None has none"
        raise BadInput("learner", f"{len(text)} bytes", accepted)
    _replace(target, text.encode())


def sealed(document: Mapping[str, Any]) -> str:
    """The text of a file, all of it ASCII, with the seal of these keys."""
    body = json.dumps(document, sort_keys=True, allow_nan=False)
    return f'{body[:-1]}, "seal": "{sha256(body.encode()).hexdigest()}"}}'


def _plain_family(family: Family) -> dict[str, str]:
    def words() -> dict[str, str]:
        import sympy as sp

        return {"m": sp.srepr(family.log_partition), "support": str(family.support)}

    return {"name": family.name, **family.kept("description", words)}


def _plain_state(state: State) -> dict[str, Any]:
    fields = {**vars(state), "theta": state.theta.tolist(), "H": state.H.tolist()}
    return fields | {"scout": _plain_state(state.scout)} if isinstance(state, ScoutedState) else fields


def _path(path: _PATH) -> Path:
    try:
        return Path(os.path.realpath(path))  # a link goes on pointing to the file
    except (TypeError, ValueError):
        raise BadInput("path", path, "a path of a file") from None


def _replace(target: Path, text: bytes) -> None:
    """On disk before it takes the place of what was there, and as readable as that was."""
    name = target.with_name(f".{target.name}.{token_hex(8)}")
    try:
        if target.is_dir():
            raise IsADirectoryError("this is a directory")
        handle = os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    except OSError as err:
        accepted = f"a path of a file in a directory that can be written to ({err.strerror or err})"
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


# --- reading ------------------------------------------------------------------------------------------------


def restore(path: _PATH, family: Family | None = None, *, issued: int = 0) -> Learner:
    """The learner that was saved, to the last bit; `family` is needed for one that is not of the catalogue.

    `issued` is the largest number of a ticket that has left the house, if some were issued after the file was written:
    the learner knows nothing of these pulls, and must not give their numbers to others.
    """
    document = _document(_path(path))
    seal, service = document.pop("seal", None), document.get("service")
    if isinstance(issued, bool) or not isinstance(issued, int | np.integer) or issued < 0:
        raise BadInput("issued", issued, "a number of a ticket, or 0 for none")
    p = _parameters(_family(Fields("family", document.get("family")), family), document)
    algorithm = (Scouted if p.scout else HCWGLBOMD).with_parameters(p)
    algorithm.become(_state(p, Fields("state", document.get("state"))))
    try:
        made = Learner(algorithm, watch=None) if service is None else Learner.as_it_was(algorithm, service)
    except (TypeError, OverflowError) as err:
        raise BadInput("service", service, f"what `save` writes ({err})") from None
    # At the end, so that a value that cannot be is refused by its own name.
    own = sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
    if seal != (own if document["version"] == VERSION or seal is not None else None):
        raise BadInput("seal", seal, "the SHA-256 of all the rest: this file is not as `save` wrote it")
    made.desk.issued = max(made.desk.issued, int(issued))
    return made


def _document(path: Path) -> dict[str, Any]:
    try:
        found = read_json(path)
    except OSError as err:
        raise BadInput("path", str(path), f"a file that can be read ({err.strerror or err})") from None
    except ValueError as err:
        reason = str(err).partition("\n")[0]
        raise BadInput("path", str(path), f"a whole file that a learner was saved to ({reason})") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise BadInput("path", str(path), f'a file whose "format" is "{FORMAT}"')
    if type(found.get("version")) is not int or not 1 <= found["version"] <= VERSION:
        raise BadInput("version", found.get("version"), "version 1, 2 or 3 of the format")
    return found


def _family(fields: Fields, given: Family | None) -> Family:
    name = fields.text("name")
    try:
        key, n = catalog.spelled(name) or ("", None)
        family = given or (catalog.get(key) if n is None else catalog.get(key, n=n))
    except BadInput:
        raise BadInput("family", name, "a family of the catalogue, or give it to `restore` as `family`") from None
    for fact, own in _plain_family(family).items():
        if own != fields.saved.get(fact):
            raise fields.refuse(fact, f"that of {family.name}, which is {own}")
    return family


def _parameters(family: Family, document: Mapping[str, Any]) -> Parameters:
    """The parameters as they were; the constants are those of the theorem, or named as given by hand."""
    fields = Fields("parameters", document.get("parameters"))
    reading, by_hand = fields.text("constants"), fields.saved.get("by_hand")
    sharpest = reading == "sharpest"
    by_whom = _CONSTANTS[-1:] if sharpest else _CONSTANTS
    if not isinstance(by_hand, list) or not all(name in by_whom for name in by_hand):
        raise fields.refuse("by_hand", f"names of constants that may be given by hand: {', '.join(by_whom)}")
    numbers: dict[str, Any] = {name: fields.real(name) for name in _CONSTANTS}
    share = fields.real("scout") if "scout" in fields.saved else 0.0
    found = parameters(
        family, fields.whole("d"), *(fields.real(name) for name in ("S", "delta", "C")),
        index=fields.text("index"), radius_form=fields.text("radius_form"),
        reading="paper" if sharpest else reading, scout=0.0 if sharpest else share,
        **{name: numbers[name] for name in by_hand},
    )  # fmt: skip
    if sharpest:
        chosen = _of_choice(found, fields, numbers["alpha"], numbers["lam"])
        if found.radius_form != chosen.radius_form:
            raise fields.refuse("radius_form", f"{chosen.radius_form!r} for these constants")
        hands, scale = found.by_hand, found.radius_scale
        found = replace(chosen, index=found.index, scout=share, by_hand=hands, radius_scale=scale)
    for name, value in numbers.items():
        own = getattr(found, name)
        if not abs(value - own) <= ROUNDED * abs(own):
            raise fields.refuse(name, f"{own!r}, which these parameters give")
    return replace(found, **numbers)


def _of_choice(plain: Parameters, fields: Fields, alpha: float, lam: float) -> Parameters:
    """The point that the search had found: the theorem holds for each from the floor on, wherever a search ends."""
    low, high = fields.array("dispersions", (2,)).tolist()
    start, horizon = fields.real("start"), fields.saved.get("horizon")
    for name, holds, accepted in (
        ("start", 0 <= start <= plain.S * (1 + ROUNDED), f"a length of at most S = {plain.S:g}"),
        ("alpha", alpha > 0, "a number above 0"),
        ("horizon", horizon is None or fields.real("horizon") >= 1, "a number of rounds, or null"),
    ):
        if not holds:
            raise fields.refuse(name, accepted)
    problem = sharpest_problem(plain.family, plain.d, plain.S, plain.delta, plain.C, (low, high), start)
    choice, floor, holds = tuning.Choice(problem, alpha, lam), math.inf, False
    try:
        floor = tuning.floor(problem, alpha)
        holds = lam >= floor and math.isfinite(choice.regret_bound(horizon or 1e4))
    except ArithmeticError:
        pass
    if not holds:
        raise fields.refuse("lam", f"at least {floor:.17g}, from which on the theorem holds with a bound")
    return of_choice(plain.family, choice, horizon)


def _state(p: Parameters, fields: Fields) -> State:
    """The state of a learner, and of its scout if it has one."""
    own = _state_of_one(p, fields)
    if not p.scout:
        return own
    scout = _state_of_one(scouting.parameters_of(p), fields.part("scout"))
    return ScoutedState(**vars(own), scout=scout, spent=fields.real("spent"))


def _state_of_one(p: Parameters, fields: Fields) -> State:
    rounds, inverse_g, logdet = fields.whole("rounds"), fields.real("inverse_g"), fields.real("logdet")
    theta, H = fields.array("theta", (p.d,)), fields.array("H", (p.d, p.d))
    if not norm(theta) <= p.S * (1 + 1e-15):
        raise fields.refuse("theta", f"a vector of norm at most S = {p.S:g}; this has {norm(theta):.6g}")
    g_min, g_max = (p.choice.problem.g_min, p.choice.problem.g_max) if p.choice else (0.0, math.inf)
    if p.family.dispersions is ONE:
        g_min = g_max = 1.0
    low, high = rounds / g_max, rounds / g_min if g_min else math.inf
    within = low * (1 - ROUNDED) <= inverse_g <= high * (1 + ROUNDED)
    if not within or (rounds == 0) != (inverse_g == 0):
        raise fields.refuse("inverse_g", f"Σ 1/g of {rounds} rounds, from {low:.9g} to {high:.9g}")
    size = float(np.abs(H).max())
    if not (H == H.T).all() or size > 1e300:
        raise fields.refuse("H", "a symmetric matrix of numbers of size at most 1e300")
    least, expected = float(np.linalg.eigvalsh(H)[0]), float(np.linalg.slogdet(H / p.lam)[1])
    if not least >= p.lam * (1 - ROUNDED) - ROUNDED * size:
        raise fields.refuse("H", f"a matrix of at least λ = {p.lam:.6g}; the least eigenvalue is {least:.6g}")
    if not abs(logdet - expected) <= 1e-6 * (1 + abs(expected)) < math.inf:
        raise fields.refuse("logdet", f"log(det H / det λI), which is {expected:.9g} for this H")
    return State(rounds, theta, H, inverse_g, logdet)
