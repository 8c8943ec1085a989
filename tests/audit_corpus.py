"""Every family and non-family of the corpus put to the audit: `python -m tests.audit_corpus [words in formulas]`.

Prints what is not right with the seconds of computing it took, then the counts; exit code 1 if something is wrong or
more than one in twenty is undecided.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from fractions import Fraction

from glbcheck.core.errors import BadInput
from glbcheck.core.laplace import Construction, Witness, decide
from glbcheck.verify.audit.documents import gated
from glbcheck.verify.audit.measure import log_partition
from glbcheck.verify.audit.spec import Options, read
from glbcheck.verify.audit.subject import Subject
from glbcheck.verify.claim import Verdict

from tests.corpus.families import CORPUS, EVERY, Entry
from tests.corpus.held_out import HELD_OUT

RIGHT, UNDECIDED, WRONG = "right", "undecided", "wrong"
ALLOWED = 0.05  # of undecided answers


def judged(entry: Entry) -> str:
    """Is the answer the truth, its file accepted?  A domain that is not found leaves the question open."""
    try:
        asked = Subject(read(entry.m, Options(domain=entry.domain)).family, Fraction(1))
    except BadInput:
        return UNDECIDED
    found = gated(asked, "log_partition", "is m a log-partition function?", log_partition(asked)).verdict
    if found is Verdict.UNDECIDED:
        return UNDECIDED
    return RIGHT if found is (Verdict.PROVED if entry.is_family else Verdict.REFUTED) else WRONG


def judged_dispersions(entry: Entry) -> str:
    """The same about g = 2: possible for every infinitely divisible law, impossible where only g = 1/n is."""
    return _word(entry, Fraction(1, 2), entry.dispersions == EVERY)


def _word(entry: Entry, power: Fraction, truth: bool) -> str:
    try:
        family = read(entry.m, Options(domain=entry.domain)).family
    except BadInput:
        return UNDECIDED
    answer = decide(family.log_partition, family.domain, power=power)
    if answer is None:
        return UNDECIDED
    return RIGHT if isinstance(answer, Construction if truth else Witness) else WRONG


def main(words: list[str]) -> int:
    counts: Counter[str] = Counter()
    times: list[float] = []
    for entry in (*CORPUS, *HELD_OUT):
        if words and not any(word in entry.m for word in words):
            continue
        for question in (judged, judged_dispersions) if entry.dispersions else (judged,):
            start = time.process_time()
            found = question(entry)
            times.append(time.process_time() - start)
            counts[found] += 1
            if found != RIGHT or times[-1] > 5:
                print(f"{found:10} {times[-1]:6.1f} s  {question.__name__}  {entry.m}", flush=True)
    total = sum(counts.values())
    print(", ".join(f"{counts[word]} {word}" for word in (RIGHT, UNDECIDED, WRONG)), f"of {total} questions")
    print(f"{sum(times):.0f} s of computing, the longest {max(times, default=0):.1f} s")
    return int(counts[WRONG] > 0 or counts[UNDECIDED] > ALLOWED * total)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
