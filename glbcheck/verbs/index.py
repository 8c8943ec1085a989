"""`glbcheck index TEX`: the anchors of a source, against those that the paper's folder lists."""

from __future__ import annotations

import argparse
import re
from dataclasses import asdict
from typing import TYPE_CHECKING

from glbcheck.command import AS_EXPECTED, NOT_AS_EXPECTED, Outcome, UsageError, Verb, paper_argument

if TYPE_CHECKING:
    from pathlib import Path

    from glbcheck.verify.anchors import Index


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tex", help="the paper's TeX source")
    parser.add_argument("--write", action="store_true", help="write the index that lies beside the claims")
    parser.add_argument("--force", action="store_true", help="write it even over the index of another paper")
    paper_argument(parser)


def run(args: argparse.Namespace) -> Outcome:
    from glbcheck.verify import anchors, marks, papers
    from glbcheck.verify.report.table import clip

    found = anchors.scan(anchors.read_tex(args.tex))
    paper = papers.find(args.paper)
    home = paper.folder / anchors.INDEX_NAME
    shipped = anchors.read_index(home) if home.exists() else None
    claims = paper.claims()
    claimed = {name for claim in claims for name in claim.anchors}
    silent = {mark.sentence for mark in paper.marks if mark.rule}
    if args.write:
        if shipped and not args.force:
            _refuse_another_paper(found, shipped, args.tex, home)
        _write(found, paper.folder)
        shipped = found
    difference = anchors.compare(found, shipped, claimed | silent)
    unread = list(marks.complaints(paper.marks, found, claims))
    unknown = sorted(claimed - found.ids())
    data = {
        "paper": {"sha256": found.sha256},
        "counts": anchors.counts(found),
        **{kind: [anchor["id"] for anchor in places] for kind, places in asdict(difference).items()},
        "unknown": unknown,
        "sentences": unread,
    }
    lines = [", ".join(f"{count} {what}" for what, count in anchors.counts(found).items())]
    lines.append(f"sha256 {found.sha256}")
    for kind, places in vars(difference).items():
        lines += [f"{kind} ({len(places)})", *(f"  line {a.line:<5} {a.kind:<11} {a.id}" for a in places)]
    lines += [f"claimed but not in the paper ({len(unknown)})", *(f"  {name}" for name in unknown)]
    lines += [f"sentences to read ({len(unread)})", *(f"  {line}" for line in unread)]
    settled = args.write or not (unread or any(vars(difference).values()))
    return Outcome(AS_EXPECTED if settled else NOT_AS_EXPECTED, [clip(line) for line in lines], data)


def _refuse_another_paper(found: Index, shipped: Index, tex: str, home: Path) -> None:
    """A new version of a paper keeps most of its labels; what does not is taken for another paper."""
    from glbcheck.verify.anchors import shared_labels

    shared, smaller = shared_labels(found, shipped)
    if found.sha256 != shipped.sha256 and not 2 * shared > smaller:
        raise UsageError(
            f"TEX = {tex!r}: {shared} of {smaller} labels are those of {home}, so it is taken for another "
            "paper, whose index is kept; name its folder with --paper, or overwrite with --force"
        )


def _write(found: Index, folder: Path) -> None:
    """The index, and its digest in `paper.toml` where one is stated."""
    from glbcheck.verify import anchors, papers

    facts = folder / papers.FACTS
    text = facts.read_text(encoding="utf-8")
    facts.write_text(re.sub(r"(?m)^sha256 *=.*$", f'sha256 = "{found.sha256}"', text), encoding="utf-8")
    anchors.write_index(found, folder / anchors.INDEX_NAME)


VERB = Verb("scan a paper's source for its anchors", arguments, run, "glbcheck index paper.tex --paper hcw_glb_omd")
