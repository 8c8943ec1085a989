"""`glbcheck new TEX DIR`: a folder for a paper, with every anchor of its source as `undecided`."""

from __future__ import annotations

import argparse
from pathlib import Path

from glbcheck.command import AS_EXPECTED, Outcome, UsageError, Verb


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tex", help="the paper's TeX source")
    parser.add_argument("dir", metavar="DIR", help="the folder to make")


def run(args: argparse.Namespace) -> Outcome:
    from glbcheck.verify import anchors, scaffold

    folder = Path(args.dir)
    try:
        parts = scaffold.make(anchors.read_tex(args.tex), folder)
    except OSError as err:
        raise UsageError(f"DIR = {args.dir!r}: cannot write there ({err.strerror})") from None
    count = sum(len(part.anchors) for part in parts)
    width = max(len(part.module) for part in parts) + 3
    lines = [f"{folder}: {count} anchors in {len(parts)} modules, all undecided"]
    lines += [f"  {part.module + '.py':<{width}}  {len(part.anchors):>4}  {part.title}" for part in parts]
    lines.append(f"try: glbcheck check {folder}")
    data = {"folder": str(folder), "modules": {part.module: [a.id for a in part.anchors] for part in parts}}
    return Outcome(AS_EXPECTED, lines, data)


VERB = Verb("make a folder for a paper from its source", arguments, run, "glbcheck new paper.tex my_paper")
