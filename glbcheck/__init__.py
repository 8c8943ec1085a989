"""glbcheck: a referee for bandit-theory papers.

    >>> import glbcheck
    >>> glbcheck.check(anchors=["lemma:epl"])["claims"][0]["verdict"]
    'refuted'
    >>> glbcheck.audit_family(glbcheck.catalog.get("bernoulli"), S=3)["constants"]["L_mu"]["exact"]
    '1/4'

Nothing is loaded before it is asked for.
"""

from __future__ import annotations

import pkgutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from glbcheck.core import catalog
    from glbcheck.core.algorithm import HCWGLBOMD
    from glbcheck.core.algorithm.likelihood_ucb import LikelihoodUCB
    from glbcheck.core.algorithm.scouted import Scouted
    from glbcheck.core.fitting import fit
    from glbcheck.core.learner import Learner, restore, save
    from glbcheck.deciding import audit_family, check
    from glbcheck.verify.audit.models import family_of
    from glbcheck.verify.decide import decide

__all__ = [
    "HCWGLBOMD", "Learner", "LikelihoodUCB", "Scouted", "audit_family", "catalog", "check", "decide", "family_of",
    "fit", "restore", "save",
]  # fmt: skip

_HOMES = {
    "HCWGLBOMD": "glbcheck.core.algorithm:HCWGLBOMD",
    "Learner": "glbcheck.core.learner:Learner",
    "LikelihoodUCB": "glbcheck.core.algorithm.likelihood_ucb:LikelihoodUCB",
    "Scouted": "glbcheck.core.algorithm.scouted:Scouted",
    "audit_family": "glbcheck.deciding:audit_family",
    "catalog": "glbcheck.core.catalog",
    "check": "glbcheck.deciding:check",
    "decide": "glbcheck.verify.decide:decide",
    "family_of": "glbcheck.verify.audit.models:family_of",
    "fit": "glbcheck.core.fitting:fit",
    "restore": "glbcheck.core.learner:restore",
    "save": "glbcheck.core.learner:save",
}

if not TYPE_CHECKING:  # for mypy the imports above say it all

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'glbcheck' has no attribute {name!r}")
        return pkgutil.resolve_name(_HOMES[name])

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
