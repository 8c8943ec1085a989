"""What every verb of the command line shares: exit codes, the outcome, refusals, common arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

AS_EXPECTED, NOT_AS_EXPECTED, BAD_INPUT, UNDECIDED, CRASHED = 0, 1, 2, 3, 4
DEFAULT_PAPER = "hcw_glb_omd"


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
    example: str
    extras: str = ""  # of the package, separated by commas, without which it does not run


def paper_argument(parser: argparse.ArgumentParser, more: str = "") -> None:
    parser.add_argument(
        "--paper",
        metavar="NAME|PATH",
        default=DEFAULT_PAPER,
        help=f"an installed paper, or a folder with a paper.toml (default: {DEFAULT_PAPER}){more}",
    )


def positive(text: str) -> int:
    """The type of an argument that counts something."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    return int(text)


def written(option: str, path: str | Path, text: str, *, make_folder: bool = False) -> int:
    """Write a file that the user named with this option; its size in bytes."""
    target = Path(path)
    try:
        if make_folder:
            target.parent.mkdir(parents=True, exist_ok=True)
        return target.write_bytes(text.encode())
    except OSError as err:
        raise UsageError(f"{option} = {str(path)!r}: cannot write there ({err.strerror})") from None
