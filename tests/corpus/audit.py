"""Every family and non-family of the corpus put to the audit: `python -m tests.corpus.audit [words in formulas]`.

Prints the word of each question with the seconds of computing it took, then the counts; exit code 1 if an answer is
wrong, or an answer is open that `tests.corpus.open_answers` does not list, or is known that it lists.
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

from tests.corpus.families import CORPUS, EVERY, Entry
from tests.corpus.held_out import HELD_OUT
from tests.corpus.open_answers import DISPERSIONS, LOG_PARTITION, OPEN, PROVED, REFUTED, UNDECIDED


def answer(entry: Entry, question: str) -> str:
    """The word of the audit, its file accepted.  A domain that is not found leaves the question open."""
    try:
        asked = Subject(read(entry.m, Options(domain=entry.domain)).family, Fraction(1))
    except BadInput:
        return UNDECIDED
    if question == LOG_PARTITION:
        return str(gated(asked, LOG_PARTITION, "is m a log-partition function?", log_partition(asked)).verdict)
    found = decide(asked.family.log_partition, asked.family.domain, power=Fraction(1, 2))
    return PROVED if isinstance(found, Construction) else REFUTED if isinstance(found, Witness) else UNDECIDED


def expected(entry: Entry, question: str) -> str:
    """The truth, or that the question is open; g = 2 is possible for every infinitely divisible law, not for coins."""
    truth = entry.is_family if question == LOG_PARTITION else entry.dispersions == EVERY
    return UNDECIDED if (entry.m, question) in OPEN else PROVED if truth else REFUTED


def questions(entry: Entry) -> tuple[str, ...]:
    return (LOG_PARTITION, DISPERSIONS) if entry.dispersions else (LOG_PARTITION,)


def main(words: list[str]) -> int:
    counts: Counter[str] = Counter()
    times: list[float] = []
    unexpected = []
    for entry in (*CORPUS, *HELD_OUT):
        for question in questions(entry) if not words or any(word in entry.m for word in words) else ():
            start = time.process_time()
            found = answer(entry, question)
            times.append(time.process_time() - start)
            counts[found] += 1
            print(f"{found:10} {times[-1]:6.1f} s  {question:13}  {entry.m}", flush=True)
            if found != expected(entry, question):
                unexpected.append(f"{found}, not {expected(entry, question)}: {question} of {entry.m}")
    print(*unexpected, sep="\n")
    print(", ".join(f"{number} {word}" for word, number in counts.items()), f"of {len(times)} questions")
    print(f"{sum(times):.0f} s of computing, the longest {max(times, default=0):.1f} s")
    return int(bool(unexpected))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
