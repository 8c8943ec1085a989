"""`glbcheck completion SHELL`: what teaches a shell the command line."""

from __future__ import annotations

import argparse

from glbcheck.command import AS_EXPECTED, Outcome, Verb
from glbcheck.completion import SCRIPTS, offered


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=[*SCRIPTS, "words"], help="whose script; words: what may end LINE")
    parser.add_argument("line", nargs="?", default="", help="a command line, up to the cursor")


def run(args: argparse.Namespace) -> Outcome:
    found = offered(args.whole, args.line) if args.shell == "words" else SCRIPTS[args.shell].splitlines()
    return Outcome(AS_EXPECTED, found, {"lines": found})


VERB = Verb("completion for bash, zsh and fish", arguments, run, "glbcheck completion bash")
