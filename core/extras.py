"""Optional libraries: which extra of the package installs which, and the error where one of them is missing."""

from __future__ import annotations

import logging
import re
from functools import cache
from importlib.util import find_spec
from typing import NamedTuple

DISTRIBUTION = "glbcheck"
# Distributions whose import name is not their own name.
IMPORT_NAMES = {"pytest-xdist": "xdist", "python-flint": "flint", "scikit-learn": "sklearn", "z3-solver": "z3"}


class MissingLibrary(ImportError):
    """A library of an extra is not installed; the message names it and the command that installs it."""


class Requirement(NamedTuple):
    """One required distribution with its extras, and the extra of ours that asks for it."""

    name: str
    extras: tuple[str, ...]
    asked_by: str  # empty for what is always installed


@cache
def requirements() -> tuple[Requirement, ...]:
    """The requirements in the package's metadata, which are written in pyproject.toml; none if it is not installed."""
    from importlib import metadata

    try:
        lines = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return ()
    found = []
    for line in lines:
        name, extras = re.findall(r"^([\w.-]+)\s*(?:\[([^\]]*)\])?", line)[0]
        asked_by = re.search(r"""extra\s*==\s*["']([\w-]+)["']""", line)
        named = tuple(part.strip() for part in extras.split(",") if part.strip())
        found.append(Requirement(name, named, asked_by[1] if asked_by else ""))
    return tuple(found)


def libraries(extras: str) -> list[str]:
    """The distributions that these extras, separated by commas, add to the base install."""
    found: dict[str, None] = {}
    for extra in extras.split(","):
        for one in requirements():
            if one.asked_by == extra:
                found.update(dict.fromkeys(libraries(",".join(one.extras)) if one.name == DISTRIBUTION else [one.name]))
    return list(found)


def import_name(library: str) -> str:
    """The name under which a distribution is imported."""
    return IMPORT_NAMES.get(library, library)


def is_installed(library: str) -> bool:
    """Can this distribution be imported?"""
    try:
        return find_spec(import_name(library)) is not None
    except (ImportError, ValueError):  # hidden by an import hook, or None in sys.modules
        return False


def missing(extras: str) -> list[str]:
    """The libraries of these extras that are not installed."""
    return [name for name in libraries(extras) if not is_installed(name)]


def require(extras: str, user: str, *needed: str) -> None:
    """Raise `MissingLibrary` unless these libraries of the extras are installed (default: all); `user` needs them."""
    if lacking := [name for name in needed or libraries(extras) if not is_installed(name)]:
        raise MissingLibrary(f"{user} needs {', '.join(lacking)}: {install(extras)}")


def install(extras: str) -> str:
    """The command that installs these extras.

    >>> install("solvers")
    "pip install 'glbcheck[solvers]'"
    """
    return f"pip install '{DISTRIBUTION}[{extras}]'"


@cache
def note_reference() -> None:
    """Log once, where numba is missing, that NumPy runs the learner and how much faster compiled code is."""
    if not is_installed("numba"):
        words = "numba is not installed: NumPy runs the learner. %s makes a round at least 30 times as fast."
        logging.getLogger(DISTRIBUTION).warning(words, install("fast"))
