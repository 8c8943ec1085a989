"""What may come next on the command line, for a shell to offer."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

SCRIPTS = {
    "bash": """_glbcheck() {
    local line="${COMP_LINE:0:COMP_POINT}" IFS=$'\\n' word shown
    word="${line##*[[:space:]]}"
    COMPREPLY=($(glbcheck completion words "$line" 2>/dev/null))
    # bash takes a colon for the end of a word: what stands before it is there already
    [[ $COMP_WORDBREAKS == *:* ]] && shown="${word%"${word##*:}"}" && COMPREPLY=("${COMPREPLY[@]#"$shown"}")
}
complete -o default -F _glbcheck glbcheck
""",
    "zsh": """#compdef glbcheck
_glbcheck() {
    local -a offered
    offered=("${(@f)$(glbcheck completion words "${(j: :)words[1,CURRENT]}" 2>/dev/null)}")
    compadd -a offered || _files
}
compdef _glbcheck glbcheck
""",
    "fish": """complete -c glbcheck -a '(glbcheck completion words (commandline -cp | string collect))'
""",
}


def words_of(parser: argparse.ArgumentParser, verb: str) -> list[str]:
    """The options of a verb, and the words that its arguments are chosen from."""
    found: list[str] = []
    for action in _verbs(parser)[verb]._actions:
        found += action.option_strings or [str(word) for word in action.choices or ()]
    return found


def offered(parser: argparse.ArgumentParser, line: str) -> list[str]:
    """The words that may complete the last one of the line."""
    *before, partial = line.split(" ")
    before = [word for word in before[1:] if word]
    if not before:
        return _starting(partial, [*_verbs(parser), "--help", "--version"])
    verb = before[0]
    if verb not in _verbs(parser):
        return []
    return _starting(partial, _values(verb, before, partial) or words_of(parser, verb))


def _values(verb: str, before: list[str], partial: str) -> list[str]:
    """Names that only the installation knows: papers, families, learners, anchors and claims."""
    if before[-1] == "--paper":
        from glbcheck.verify import papers

        return list(papers.installed())
    if before[-1] in ("--families", "--algorithms"):
        from glbcheck.core import catalog, rivals

        names = catalog.NAMES if before[-1] == "--families" else rivals.NAMES
        done = partial[: partial.rfind(",") + 1]
        return [f"{done}{name}" for name in names]
    if verb == "audit" and len(before) == 1 and not partial.startswith("-"):
        from glbcheck.core import catalog

        return list(catalog.NAMES)
    if verb in ("check", "show") and not partial.startswith("-"):
        return _anchors(before)
    return []


def _anchors(before: list[str]) -> list[str]:
    from glbcheck.command import DEFAULT_PAPER
    from glbcheck.verify import papers

    chosen = before[before.index("--paper") + 1] if "--paper" in before[:-1] else DEFAULT_PAPER
    paper = papers.find(chosen)
    return sorted(paper.index.ids()) if paper.index else []


def _verbs(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """argparse has no public way to its subcommands."""
    return next(dict(action.choices) for action in parser._actions if isinstance(action, argparse._SubParsersAction))


def _starting(partial: str, words: Iterable[str]) -> list[str]:
    return [word for word in dict.fromkeys(words) if word.startswith(partial)]
