"""How the files of this folder were written.  They are never written again: a new format gets new files beside them.

    python -m tests.golden.make FOLDER
    glbcheck check --paper FOLDER/paper --output FOLDER/checked     (the paper is that of tests/helpers/small_paper.py)
    glbcheck simulate coverage --families bernoulli --d 2 --S 1 --C 2 --T 20 --replicates 2 --alpha 0.3 \
        --adversaries front-loaded --arms basis --variants correct --output FOLDER/journal

`journal/journal.sqlite` is of the commits before `journal.jsonl`, `learners/*-1.json` and `learners/*-2.json` of those
before versions 2 and 3 of that format, written by the functions below with their imports; `engine-*.json` are of a
learner that could be saved then.
"""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD, Scouted
from glbcheck.core.learner import Learner, save

ARMS = [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]
CERTIFICATES = {
    "evident": "an identity", "both": "both sides", "lemma": "a lemma", "cases": "cases that matter",
    "pinned": "a pinned variable", "times": "a factor", "substitution": "a substitution", "monotone": "a ladder",
    "exponentiate": "exponentiated", "primitive": "an integral", "induction": "induction", "algebra": "multipliers",
    "cells": "two cells", "point": "a point", "invariant": "an invariant", "game": "a game",
    "computed": "a computed number", "trials": "trials", "search": "a search", "all": "a conjunction", "gap": "a gap",
}  # fmt: skip
ANSWERS: dict[str, tuple[str, str, Any]] = {
    "domain-no": ("-log(1-z)", "domain", 2), "smooth-no": ("abs(z)", "smooth", 1), "slope-no": ("z**4", "slope", 1),
    "convex-no": ("z**2/2-z**4", "convex", 1), "smooth-yes": ("log(sinh(z)/z)", "smooth", 2),
    "L_mu": ("log(1+exp(z))", "L_mu", 2), "kappa": ("-log(1-z)", "kappa", Fraction(1, 2)),
    "R_s": ("log(1+exp(z))", "R_s", 2), "R_s_global": ("log(1+exp(z))", "R_s_global", 2),
    "convexity": ("log(sinh(z)/z)", "convexity", 1), "tree": ("log(1+exp(z))", "log_partition", 2),
    "tree-gamma": ("-log(1-z)", "log_partition", Fraction(1, 2)), "dispersions": ("gaussian", "dispersions", 1),
    "tree-secant": ("-log(cos(z)-sin(z)/2)", "log_partition", Fraction(1, 2)),
    "moments": ("z**2/2-z**4", "log_partition", 1), "exponentials": ("abs(z)", "log_partition", 1),
    "characteristic": ("z**4", "log_partition", 1), "jump": ("sqrt(100+z**2)", "log_partition", 1),
    "zeros": ("log(1+exp(z))/2", "log_partition", 1), "sum": ("bernoulli", "normalisation", 1),
    "law": ("poisson", "normalisation", 1), "kl": ("gaussian", "kl", 1),
    "tangent-jumps": ("z*tan(z)", "log_partition", 1),
}  # fmt: skip


def learners(folder: Path, version: int) -> None:
    """A learner with the paper's constants, and one with pending pulls and a monitor."""
    family = catalog.get("bernoulli")
    plain = HCWGLBOMD(family, d=2, S=1.0, C=3.0, constants="repaired")
    sharpest = HCWGLBOMD(family, d=2, S=1.0, C=3.0, constants="sharpest", horizon=1000)
    for t in range(12):
        plain.update(ARMS[plain.select(np.array(ARMS))], float(t % 3 == 0))
    served = Learner(sharpest, columns=["a", "b"])
    tickets = [served.choose(np.array(ARMS)) for _ in range(14)]
    for ticket in tickets[:10]:
        served.reward(ticket, float(ticket.number % 2))
    save(plain, folder / f"repaired-{version}.json")
    save(served, folder / f"served-{version}.json")


def scouted(folder: Path, version: int) -> None:
    learner = Scouted(catalog.get("gaussian"), d=2, S=1.0, delta=0.05, horizon=1000)
    for t in range(12):
        learner.update(ARMS[learner.select(np.array(ARMS))], (-1.0) ** t / 2)
    save(learner, folder / f"scouted-{version}.json")


def certificates(folder: Path) -> None:
    from tests.attacks.kernel_battery_accepted import ACCEPTED

    for name, row in CERTIFICATES.items():
        (folder / f"{name}.json").write_text(json.dumps(ACCEPTED[row][1]) + "\n")


def answers(folder: Path) -> None:
    from tests.helpers.audit_answers import written

    for name, row in ANSWERS.items():
        (folder / f"{name}.json").write_text(written(*row) + "\n")


def main(folder: Path) -> None:
    from tests.helpers.small_paper import listed, make

    places = {name: folder / name for name in ("certificates", "answers", "learners", "paper")}
    for place in places.values():
        place.mkdir(parents=True, exist_ok=True)
    certificates(places["certificates"])
    answers(places["answers"])
    learners(places["learners"], 3)
    scouted(places["learners"], 3)
    listed(make(places["paper"]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
