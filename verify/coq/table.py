"""Coq's opinions as a table: by the rule of the proof how many it confirms, and those that it does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from glbcheck.verify.coq.confirm import CONFIRMED, CONTRADICTED, NOT_CONFIRMED, Opinion
from glbcheck.verify.coq.obligations import shown


def lines(said: Sequence[Opinion]) -> list[str]:
    total, confirmed = (Counter(o.obligation.rule for o in part) for part in (said, _of(said, CONFIRMED)))
    made = [f"{rule:16}{confirmed[rule]:5} of {count:4} confirmed" for rule, count in total.most_common()]
    made += ["", f"Coq confirms {len(_of(said, CONFIRMED))} of {len(said)} scalar statements; " + _contradictions(said)]
    for word in (CONTRADICTED, NOT_CONFIRMED):
        made += [
            f"  {word}: {one.obligation.origin}: {shown(one.obligation)} ({one.reason})" for one in _of(said, word)
        ]
    return made


def data(said: Sequence[Opinion]) -> dict[str, Any]:
    return {
        "statements": len(said),
        **{word: len(_of(said, word)) for word in (CONFIRMED, NOT_CONFIRMED, CONTRADICTED)},
        "opinions": [
            {"from": o.obligation.origin, "rule": o.obligation.rule, "statement": shown(o.obligation), "word": o.word,
             "reason": o.reason}
            for o in said
        ],
    }  # fmt: skip


def _of(said: Sequence[Opinion], word: str) -> list[Opinion]:
    return [one for one in said if one.word == word]


def _contradictions(said: Sequence[Opinion]) -> str:
    found = len(_of(said, CONTRADICTED))
    return f"{found} contradicted" if found else "none is contradicted"
