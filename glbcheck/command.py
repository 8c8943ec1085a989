"""What every verb of the command line shares: exit codes, the outcome, refusals, common arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glbcheck.verify.claim import Claim

AS_EXPECTED, NOT_AS_EXPECTED, BAD_INPUT, UNDECIDED = 0, 1, 2, 3
CLAIMS = "glbcheck.proofs_checks.hcw_glb_omd"


class UsageError(Exception):
    """Bad input: the message names the argument, its value and what is accepted."""


@dataclass(frozen=True)
class Outcome:
    """What a verb found: exit code, text for people, data for programs."""

    code: int
    lines: Sequence[str] = ()
    data: Any = field(default_factory=dict)


@dataclass(frozen=True)
class Verb:
    """One word of the command line."""

    help: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], Outcome]


def claims_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--claims", metavar="PACKAGE", default=CLAIMS, help=f"package of claims (default: {CLAIMS})"
    )


def positive(text: str) -> int:
    """The type of an argument that counts something."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    return int(text)


def load(package: str) -> list[Claim]:
    """The claims of a package; a package that is not there is a refusal."""
    from glbcheck.verify import registry

    try:
        return registry.load(package)
    except ModuleNotFoundError as err:
        if err.name is None or not f"{package}.".startswith(f"{err.name}."):
            raise
        raise UsageError(
            f"--claims = {package!r}: no such package; accepted is an importable package"
        ) from None
