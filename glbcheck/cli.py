"""`glbcheck`: reads the command line, runs one verb, delivers what it found."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

from glbcheck import simulate
from glbcheck.command import AS_EXPECTED, BAD_INPUT, CRASHED, Outcome, UsageError, Verb, written
from glbcheck.completion import words_of
from glbcheck.core.errors import meant
from glbcheck.core.extras import require
from glbcheck.core.versions import version
from glbcheck.encoding import encodable, encodable_json
from glbcheck.verbs import (
    audit,
    check,
    completion,
    coq,
    decide,
    families,
    fit,
    index,
    new,
    replay,
    report,
    reproduce,
    show,
)
from glbcheck.verify.plain_json import dumps

PROGRAM = "glbcheck"
SIMULATE = "glbcheck simulate regret --families poisson --C 0,10 --T 10000 --output out"
LONGEST = 1_000  # characters of a refusal
TRACEBACK = "GLBCHECK_TRACEBACK"  # environment variable: a crash keeps its trace
VERBS: Mapping[str, Verb] = {
    "check": check.VERB,
    "show": show.VERB,
    "decide": decide.VERB,
    "replay": replay.VERB,
    "coq": coq.VERB,
    "new": new.VERB,
    "index": index.VERB,
    "audit": audit.VERB,
    "families": families.VERB,
    "fit": fit.VERB,
    "simulate": Verb("coverage and regret under attack", simulate.arguments, simulate.run, SIMULATE, "simulate"),
    "report": report.VERB,
    "reproduce": reproduce.VERB,
    "completion": completion.VERB,
}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        typed = message.replace("' -", "'-")  # without the space of `_value`
        raise UsageError(f"{typed}\ntry: {self.prog} --help")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; the exit code is 0 as expected, 1 not as expected, 2 bad input, 3 undecided, 4 crashed."""
    try:
        return _dispatch(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        _complain("interrupted")
        return 130
    except Exception as err:
        # An error class of ours is a refusal with a message; anything else is a bug.
        if type(err).__module__.partition(".")[0] == "glbcheck":
            _complain(_shortened(str(err)))
            return BAD_INPUT
        if os.environ.get(TRACEBACK):
            raise
        crash = f"{type(err).__name__}: {_shortened(str(err))}"
        _complain(f"crashed, please report it: {crash} ({TRACEBACK}=1 shows where)")
        return CRASHED


def _shortened(message: str) -> str:
    """A message that quotes a very long argument, without its middle."""
    return message if len(message) <= LONGEST else f"{message[: LONGEST // 2]} ... {message[-LONGEST // 2 :]}"


def command_line() -> argparse.ArgumentParser:
    parser = _Parser(prog=PROGRAM, description="A referee for papers: every claim decided, with its evidence.")
    parser.set_defaults(whole=parser)  # for a verb that speaks of the others
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB")
    for name, verb in VERBS.items():
        sub = verbs.add_parser(name, help=verb.help, description=verb.help, epilog=f"example: {verb.example}")
        verb.arguments(sub)
        sub.add_argument("--json", metavar="PATH", help="write the result as JSON ('-': stdout, and only that)")
    return parser


def _dispatch(argv: Sequence[str]) -> int:
    parser = command_line()
    if argv and not argv[0].startswith("--") and argv[0] not in ("-h", *VERBS):
        raise UsageError(f"VERB = {argv[0]!r}: {meant(argv[0], VERBS)}accepted are {', '.join(VERBS)}")
    try:
        args = _interleaved(parser, [_value(word) for word in argv])
    except SystemExit as stop:  # --help
        return int(stop.code or 0)
    for name, value in vars(args).items():
        if isinstance(value, str):
            setattr(args, name, value.removeprefix(" ") if value.startswith(" -") else value)
    if args.version:
        _print(f"{PROGRAM} {version()}\n")
        return AS_EXPECTED
    if args.verb is None:
        raise UsageError(f"VERB is missing; accepted are {', '.join(VERBS)}\ntry: {PROGRAM} --help")
    verb = VERBS[args.verb]
    if verb.extras:
        require(verb.extras, f"{PROGRAM} {args.verb}")
    return _deliver(verb.run(args), args.json)


def _interleaved(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """Anchors may stand on both sides of an option, which argparse by itself refuses."""
    args, left = parser.parse_known_args(words)
    options = [word for word in left if word.startswith("--")]
    if left and (options or not isinstance(getattr(args, "anchor", None), list)):
        wrong = (options or left)[0]
        known = [word for word in words_of(parser, args.verb) if word.startswith("--")] if args.verb else ["--version"]
        help = f"{PROGRAM} {args.verb} --help" if args.verb else f"{PROGRAM} --help"
        raise UsageError(f"unknown argument {wrong.strip()!r}: {meant(wrong, known)}try: {help}")
    if left:
        args.anchor += left
    return args


def _value(word: str) -> str:
    """A formula may begin with a minus sign; after a space argparse does not take it for an option."""
    option = word.startswith("--") or word in ("-", "-h")
    return f" {word}" if word.startswith("-") and not option else word


def _deliver(outcome: Outcome, path: str | None) -> int:
    text = dumps(outcome.data) if path else ""
    if path and path != "-":
        written("--json", path, text, make_folder=True)
    if path == "-":
        _print(encodable_json(text, sys.stdout.encoding or "utf-8"))
    else:
        _print("".join(f"{line}\n" for line in outcome.lines))
    return outcome.code


def _complain(message: str) -> None:
    said = message if message.startswith(f"{PROGRAM} ") else f"{PROGRAM}: {message}"
    print(encodable(said, sys.stderr.encoding or "utf-8"), file=sys.stderr)


def _print(text: str) -> None:
    try:
        sys.stdout.write(encodable(text, sys.stdout.encoding or "utf-8"))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has gone (`| head`); Python must not complain again when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
