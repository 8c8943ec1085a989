"""What can be said about a GLM family on [-S, S]: one generator of checks behind every front end.

A check is a question with a verdict and the evidence for it.  `checks_for` yields them,
`audit_family` gathers them with the certified constants into plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from verify.claim import Verdict

if TYPE_CHECKING:
    from core.concordance import Constant
    from core.family import Family

WIDEST = 1e-9  # relative width a certified bracket may have


@dataclass(frozen=True)
class Check:
    """One question about a family and its answer."""

    name: str
    question: str
    verdict: Verdict
    evidence: str


def checks_for(family: Family, S: object) -> Iterator[Check]:
    """Every check of this family on [-S, S], from the domain to the whole line."""
    from core import concordance
    from core.errors import BadInput
    from core.family import interval_text

    question = f"is [-{S}, {S}] inside the natural domain?"
    try:
        family.check_radius(S)
    except BadInput as refusal:
        yield Check("domain", question, Verdict.REFUTED, refusal.accepted)
        return
    yield Check("domain", question, Verdict.PROVED, f"the domain is {interval_text(family.domain)}")
    for name, meaning in (
        ("kappa", "is the mean strictly increasing, 1/inf mu' finite?"),
        ("L_mu", "is the slope of the mean bounded, sup mu' finite?"),
        ("R_s", "is the family self-concordant on [-S, S]?"),
    ):
        yield _bracket(name, meaning, partial(getattr(concordance, name), family, S))
    yield _bracket(
        "R_s_global", "self-concordant on the whole domain?", partial(concordance.R_s_global, family)
    )


def _bracket(name: str, question: str, compute: Callable[[], Constant]) -> Check:
    """A certified finite bracket answers yes, an exact infinity answers no."""
    from core.enclosure import NotEnclosed
    from core.enclosure.extrema import Unresolved

    try:
        c = compute()
    except (NotEnclosed, Unresolved) as reason:
        return Check(name, question, Verdict.UNDECIDED, str(reason))
    if c.exact == "oo":
        return Check(name, question, Verdict.REFUTED, c.attained)
    narrow = c.upper - c.lower <= WIDEST * c.lower
    value = f"{c.lower:.10g}" + ("" if c.exact is None else f" = {c.exact}")
    return Check(name, question, Verdict.CERTIFIED if narrow else Verdict.UNDECIDED, f"{value}, {c.attained}")


def audit_family(family: Family, S: object) -> dict[str, Any]:
    """Constants and checks as plain data; a constant that does not exist on [-S, S] is null."""
    from core import concordance

    checks = list(checks_for(family, S))
    found = {c.name for c in checks if c.verdict is not Verdict.UNDECIDED}
    constants: dict[str, Any] = {}
    for name in ("L_mu", "R_s", "kappa"):
        constants[name] = getattr(concordance, name)(family, S).as_dict() if name in found else None
    constants["R_s_global"] = concordance.R_s_global(family).as_dict() if "R_s_global" in found else None
    return {
        "family": family.name,
        "S": str(S),
        "constants": constants,
        "checks": [asdict(check) for check in checks],
    }
