"""What a second process does without: no SymPy, no SciPy of ours, nothing that draws, whatever the family."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from glbcheck.core import catalog, concordance, kept
from glbcheck.core.bracket import Constant
from glbcheck.core.engine.run import run
from glbcheck.core.environment.world import World
from glbcheck.core.family import Formulas, later
from glbcheck.core.theory import link_constants
from glbcheck.core.theory.parameters import parameters

# What only a symbolic question, a figure or a table of a user's asks for.  Numba itself loads `scipy.linalg`.
HEAVY = (
    "sympy", "mpmath", "flint", "scipy.linalg", "scipy.optimize", "scipy.special", "scipy.stats", "matplotlib",
    "pandas", "pyarrow", "z3", "glbcheck.core.concordance", "glbcheck.core.enclosure", "glbcheck.core.kernel",
)  # fmt: skip
TELL = f"\nimport sys\nprint([name for name in {HEAVY} if name in sys.modules])\n"

RUN = """
import numpy as np
from glbcheck.core import catalog
from glbcheck.core.engine.run import run
from glbcheck.core.environment.world import World, changing
from glbcheck.core.theory.parameters import parameters

for name in catalog.NAMES:
    family = catalog.get(name)
    family = family if family.ends[1] > 0 else family.tilted(2)
    p = parameters(family, 2, 0.25, 0.05, 0.0)
    run(p, World(np.zeros(2), np.eye(2)), 100, 0)
    run(p, World(np.zeros(2), changing(3, 2)), 20, 0)
for reading in ("repaired", "local"):
    parameters(catalog.get("bernoulli"), 2, 0.25, 0.05, 3.0, reading=reading)
"""
LEARNER = """
import numpy as np
from glbcheck import HCWGLBOMD, Learner, catalog, restore, save

learner = Learner(HCWGLBOMD(catalog.get("bernoulli"), d=2, S=0.25, C=3.0, constants="sharpest", index="closed-form"))
for reward in (1.0, 0.0, 1.0):
    learner.reward(learner.choose(np.eye(2)), reward)
save(learner, "learner.json")
assert restore("learner.json").algorithm.t == 4
"""


def loaded(code: str, folder: Path) -> list[str]:
    """What is heavy among the modules of a process that has run this code."""
    words = code + TELL
    done = subprocess.run([sys.executable, "-c", words], cwd=folder, check=True, capture_output=True, text=True)
    return list(json.loads(done.stdout.replace("'", '"')))


@pytest.mark.parametrize("code", [RUN, LEARNER], ids=["run", "learner"])
def test_a_second_process_loads_nothing_that_only_symbols_or_figures_need(code: str, tmp_path: Path) -> None:
    loaded(code, tmp_path)  # what is not kept yet is found by the first
    assert loaded(code, tmp_path) == ["scipy.linalg"]


@pytest.mark.parametrize("code", ["import glbcheck", "from glbcheck.cli import main\nmain(['--help'])"])
def test_the_door_opens_without_numbers(code: str, tmp_path: Path) -> None:
    words = f"import io, sys\nsys.stdout, told = io.StringIO(), sys.stdout\n{code}\nsys.stdout = told"
    assert loaded(f"{words}\nassert not {{'numpy', 'numba'}} & sys.modules.keys()", tmp_path) == []


# --- what is kept ---------------------------------------------------------------------------------------------


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def test_an_answer_is_found_once_and_kept(cache: Path) -> None:
    asked: list[int] = []

    def find() -> list[float]:
        asked.append(1)
        return [0.1, float("inf"), 5e-324]

    assert [kept.kept(("a", "question"), find) for _ in range(3)] == [[0.1, float("inf"), 5e-324]] * 3
    assert kept.kept(("another", "question"), lambda: None) is None
    assert len(asked) == 1
    assert len(list(cache.rglob("*.json"))) == 2


@pytest.mark.parametrize("content", ["", "{", "[]", '{"question": ["another"], "answer": 7}', '{"answer": 7}'])
def test_what_is_not_an_answer_to_the_question_is_not_taken_for_one(content: str, cache: Path) -> None:
    kept.kept(("question",), lambda: 1)
    (place,) = cache.rglob("*.json")
    place.write_text(content)
    assert kept.kept(("question",), lambda: 2) == 2
    assert kept.kept(("question",), lambda: 3) == 2


def test_where_nothing_can_be_written_every_answer_is_found_anew(cache: Path) -> None:
    (cache / "glbcheck").touch()  # a file, where nobody can make a directory
    assert [kept.kept(("question",), partial(int, n)) for n in range(2)] == [0, 1]


def test_other_sources_or_libraries_have_answers_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {kept._fingerprint()}
    for name in ("source_hash", "version"):
        with monkeypatch.context() as patch:
            patch.setattr(kept, name, lambda *asked: "another")
            found.add(kept._fingerprint())
    assert len(found) == 3


def test_nothing_is_kept_once_a_source_was_written_after_it_was_imported(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "_WRITTEN", {**kept._WRITTEN, kept.__file__: (0, 0)})
    assert [kept.kept(("question",), partial(int, n)) for n in range(2)] == [0, 1]
    assert not list(cache.rglob("*.json"))


def test_what_was_kept_for_sources_of_long_ago_is_removed(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "OTHERS", 2)
    for n in range(5):
        monkeypatch.setattr(kept, "_IMPORTED", f"source {n}")
        kept.kept(("question",), lambda: 1)
        os.utime(cache / "glbcheck" / "answers" / f"source {n}", (n, n))
    assert {place.parent.name for place in cache.rglob("*.json")} == {"source 2", "source 3", "source 4"}


def test_what_cannot_be_removed_keeps_no_answer_from_being_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "OTHERS", 0)
    (cache / "glbcheck" / "answers").mkdir(parents=True)
    stray = cache / "glbcheck" / "answers" / "no directory"
    stray.touch()
    os.utime(stray, (0, 0))
    assert [kept.kept(("question",), partial(int, n)) for n in range(2)] == [0, 0]


def test_a_directory_is_not_filled_without_end(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST", 3)
    for n in range(9):
        kept.kept((str(n),), lambda: 0)
    assert len(list(cache.rglob("*.json"))) == 3


def test_a_constant_is_told_with_its_brackets() -> None:
    assert Constant("1/4", 0.25, 0.26, "at 0").as_dict() == {"exact": "1/4", "lower": 0.25, "upper": 0.26}


@pytest.mark.parametrize("name", ["bernoulli", "exponential", "poisson"])
def test_a_family_of_kept_numbers_is_the_same_to_the_last_bit(name: str, cache: Path) -> None:
    def fresh() -> list[object]:
        catalog._build.cache_clear()
        link_constants._on.cache_clear()
        family = catalog.get(name) if name != "exponential" else catalog.get(name).tilted("5/2")
        p = parameters(family, 2, 1.25, 0.05, 0.0)
        end = run(p, World(np.array([0.3, -0.2]), np.eye(2)), 200, 0)
        return [p.R_s, p.L_mu, p.lam, *end.theta.tolist(), *end.H.ravel().tolist(), *family.mu([-1.0, 0.1]).tolist()]

    first = fresh()
    assert list(cache.rglob("*.json"))
    assert fresh() == first
    asked = concordance.R_s(catalog.get(name) if name != "exponential" else catalog.get(name).tilted("5/2"), 1.25)
    assert first[0] == asked.upper
    catalog._build.cache_clear()


def test_a_family_that_only_has_the_name_is_not_taken_for_that_of_the_catalogue(cache: Path) -> None:
    coin = catalog.get("bernoulli")
    assert link_constants.L_mu(coin, 1).exact == "1/4"
    assert list(cache.rglob("*.json"))

    def steeper(sp: object, z: sp.Expr, r: object, g: object) -> Formulas:
        return Formulas(4 * coin.log_partition, coin.support, coin.log_base)

    mine = later("bernoulli", steeper, coin.sampler)
    assert link_constants.L_mu(mine, 1).exact == "1"
    assert link_constants.L_mu(mine.tilted(0), 1).exact == "1"
    assert mine != coin
    assert hash(mine) == hash(coin)


def test_names_of_the_catalogue_say_which_formulas_they_have() -> None:
    sized = [catalog.get(name, n=n) for name in ("binomial", "negative_binomial", "truncated_poisson") for n in (7, 8)]
    named = [*catalog.every(), *sized, *(catalog.get("gamma").tilted(a) for a in (1, "3/2", -1))]
    assert len({family.name for family in named}) == len(named)
