"""Every kernel also runs interpreted, with the same numbers."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

PLAYED = """
import json
import numpy as np
from glbcheck.core import catalog, rivals
from glbcheck.core.engine.episode import Episode
from glbcheck.core.environment import adversary
from glbcheck.core.environment.world import World, changing
from glbcheck.core.theory.parameters import parameters

p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 4.0, reading="sharpest", index="exact")
world = World(np.array([0.6, 0.3]), changing(4, 2), attack=adversary.front_loaded(4.0))
runs = {name: rivals.run(name, p, Episode(world, 25, 1)) for name in rivals.NAMES}
print(json.dumps({name: [found.regret, found.radius, *found.H.ravel()] for name, found in runs.items()}))
"""


def test_interpreted_kernels_give_the_numbers_of_compiled_ones() -> None:
    found = []
    for disabled in ("0", "1"):
        environment = os.environ | {"NUMBA_DISABLE_JIT": disabled}
        ran = subprocess.run(
            [sys.executable, "-c", PLAYED], env=environment, capture_output=True, text=True, check=True
        )
        found.append(json.loads(ran.stdout))
    assert found[0].keys() == found[1].keys()
    for name, numbers in found[0].items():
        assert found[1][name] == pytest.approx(numbers, rel=1e-9, nan_ok=True)
