"""`glbcheck simulate coverage|regret`: the command line of the simulation."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glbcheck.command import Outcome, positive

if TYPE_CHECKING:
    from glbcheck.verify.simulate.grid import Grid

KINDS = ("coverage", "regret")
# Said here again so that `--help` need not load the engine; a test compares.
ADVERSARIES = ("none", "front-loaded", "spread", "late", "low-weight", "mirror", "amplify", "hiding")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options; an axis given here replaces that axis in every block of the grid."""
    parser.add_argument("what", choices=KINDS, help="what to measure")
    parser.add_argument("--smoke", action="store_true", help="a small grid, well under a minute")
    parser.add_argument("--grid", metavar="FILE", help="a grid as JSON, in place of the default one")
    for axis, kind, text in (
        ("families", str, "names from `glbcheck families`"),
        ("d", int, "dimensions"),
        ("S", float, "radii of the parameter set"),
        ("dispersions", str, "numbers, decades:LOW:HIGH, spikes:BASE:HEIGHT:EVERY or dyadic:G_MAX"),
        ("adversaries", str, f"{', '.join(ADVERSARIES)} or searched:GENERATIONS"),
        ("C", float, "corruption budgets"),
        ("alpha", _threshold, "trust thresholds of the weights; auto: the paper's"),
        ("constants", str, "paper, repaired"),
        ("algorithms", str, "learners to play"),
        ("arms", str, "basis, sphere:K, changing:K, turning or corruption:PHI"),
        ("T", int, "numbers of rounds"),
        ("delta", float, "failure probabilities"),
        ("variants", str, "correct, or the names of broken learners"),
    ):
        parser.add_argument(f"--{axis}", type=_several(kind), metavar="A,B,...", help=text)
    parser.add_argument("--replicates", type=int, metavar="N", help="independent runs of every cell")
    parser.add_argument("--seed", type=int, metavar="N", help="where all randomness comes from")
    cores = os.cpu_count() or 1
    parser.add_argument("--workers", type=positive, default=cores, metavar="N", help="processes to use")
    parser.add_argument("--dask", metavar="ADDRESS", help="run on the cluster of this scheduler instead")
    parser.add_argument("--output", metavar="DIR", help="folder for tables, figures and the journal")
    parser.add_argument("--resume", action="store_true", help="go on with the run in the output folder")


def run(args: argparse.Namespace) -> Outcome:
    """Play the grid; exit 1 if a guarantee failed more often than it may."""
    from glbcheck.verify.runner import Engine
    from glbcheck.verify.simulate.study import study

    output = Path(args.output or Path("results") / "simulate" / args.what)
    return study(args.what, _grid(args), output, Engine(args.workers, args.dask), args.resume)


def _grid(args: argparse.Namespace) -> Grid:
    from glbcheck.verify.simulate import defaults
    from glbcheck.verify.simulate.grid import AXES, read

    chosen = read(args.grid) if args.grid else defaults.grid(args.what, args.smoke)
    names = (*AXES, "replicates")
    given = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    return chosen.changed(given, args.seed)


def _several(kind: Callable[[str], Any]) -> Callable[[str], list[Any]]:
    def read(text: str) -> list[Any]:
        try:
            return [kind(piece.strip()) for piece in text.split(",")]
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a list of values of this kind") from None

    return read


def _threshold(text: str) -> float | None:
    return None if text == "auto" else float(text)
