"""Mutants of the constants: each number of `core/theory/constants.py` and its siblings one up, one down; who notices?

The claim that answers for a function must no longer be the one that was reviewed, or no longer earn its verdict;
else `tests/core/theory/test_constants.py`, which writes the formulas out a second time, must fail.
`make mutants` tries all numbers; `tests/attacks/test_mutants.py` some.
"""

from __future__ import annotations

import ast
import importlib
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
MODULES, PAPER = ("constants", "lower_constants", "sharpest"), "glbcheck.proofs_checks.hcw_glb_omd"
TESTS = "tests/core/theory/test_constants.py"
SECONDS = 120  # a claim that is not decided by then does not stand
# The claim that answers for each function, by the module that declares it; `TESTS` for what only the learner uses.
ANSWERS = {
    "MIXTURE_PAIRS": "confidence.sharper.mixture_bound_sharper",
    "(MOVES_SPENT, MIXTURE_CHOICE)": "confidence.sharper.choice_of_the_constants",
    "eta": "confidence.inverse_regret.regret_of_one_round",
    "lam": "confidence.assembly.lambda_of_the_theorem_suffices",
    "alpha": "regret_terms.order_of_gamma_1",
    "beta_from_logdet": "confidence.assembly.estimation_error",
    "lam_repaired": "confidence.sharper.choice_of_the_constants",
    "beta_from_logdet_repaired": "confidence.sharper.choice_of_the_constants",
    "spread": "confidence.assembly.lambda_of_the_theorem_suffices",
    "mixture_lam": "confidence.assembly.lambda_of_the_theorem_suffices",
    "mixture_cost": "confidence.assembly.estimation_error",
    "widening": "confidence.assembly.radius_of_the_theorem",
    "elliptical_potential": "elliptical_potential.elliptical_potential",
    "elliptical_potential_repaired": "elliptical_sums.third_sum_repaired",
    "S_2": "elliptical_sums.second_sum",
    "gamma_1": "regret_terms.order_of_gamma_1",
    "gamma_2": "regret_terms.order_of_gamma_2",
    "gamma_3": "regret_terms.order_of_gamma_3",
    "gamma_4": "regret_terms.order_of_gamma_4",
    "regret_bound": TESTS,
    "regret_solved": "regret_bound.regret_solved",
    "potential_repaired": "weighted_potential.potential_bound_repaired",
    "low_weight_repaired": "elliptical_sums.third_sum_repaired",
    "gamma_1_repaired": "regret_bound.explicit_inequality_repaired",
    "gamma_rest_repaired": "regret_bound.explicit_inequality_repaired",
    "regret_solved_repaired": "regret_bound.regret_solved_sharp",
    "number_of_bins": TESTS,
    "cube_floor": "hypercube_lower_bound.heteroskedastic_lower_bound",
    "cube_radius": "hypercube_lower_bound.heteroskedastic_lower_bound",
    "sphere_step": "sphere_lower_bound.sphere_lower_bound",
    "sphere_floor": "sphere_lower_bound.sphere_lower_bound",
    "gap": "corruption_construction.construction_of_the_arms",
    "corruption_regret_floor": TESTS,
    "noiseless_floor": "corruption_lower_bound.corruption_bound_of_the_noiseless_game",
    "family_floor": "corruption_lower_bound.corruption_bound_of_every_family",
    "moves_spent": "confidence.sharpest.inverse_regret_by_bend",
    "lam_floor_by_weights": "confidence.sharpest.every_point_of_the_search",
    "lam_floor_by_dispersion": "confidence.sharpest.every_point_of_the_search",
    "mixture_reach": "confidence.sharpest.every_point_of_the_search",
    "mixture_excess": "confidence.sharpest.mixture_bound_by_reach",
    "beta_base": "confidence.sharpest.sharpest_confidence_sequence",
    "beta_slope": "confidence.sharpest.sharpest_confidence_sequence",
    "radius": "confidence.sharpest.sharpest_confidence_sequence",
    "radii_summed": "sharpest_regret.radii_by_parts",
    "second_order": "sharpest_regret.one_round_by_the_mean_slope",
    "second_order_near": "sharpest_regret.near_and_far_rounds",
    "second_order_far": "sharpest_regret.near_and_far_rounds",
    "largest_trust": "sharpest_regret.norms_by_the_potential",
    "regret_of_sums": "sharpest_regret.sharpest_regret_bound",
    "unknown_budget_floor": "unknown_budget.unknown_budget.comparable_guarantee_without_the_budget",
    "budget_of_linear_regret": "unknown_budget.unknown_budget.comparable_guarantee_without_the_budget",
}


@dataclass(frozen=True)
class Mutant:
    """One number of one function, changed."""

    module: str
    function: str
    line: int
    edit: str
    source: str

    def __str__(self) -> str:
        return f"{self.module}.py:{self.line}: {self.function}: {self.edit}"


def source_of(module: str) -> str:
    return (ROOT / "core" / "theory" / f"{module}.py").read_text(encoding="utf-8")


def all_mutants() -> list[Mutant]:
    trees = {module: ast.parse(source_of(module)) for module in MODULES}
    pieces = [(module, tree, *piece) for module, tree in trees.items() for piece in _pieces(tree)]
    return [mutant for piece in pieces for mutant in _mutants_of(*piece)]


def one_of_each() -> list[Mutant]:
    """The last number of each function, one up."""
    return list({m.function: m for m in all_mutants() if m.edit.endswith("up")}.values())


def _pieces(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """The functions, methods and assignments of the module, by name."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((part.name, part) for part in node.body if isinstance(part, ast.FunctionDef))
        elif isinstance(node, ast.Assign):
            yield ast.unparse(node.targets[0]), node.value


def _mutants_of(module: str, tree: ast.Module, name: str, piece: ast.AST) -> Iterator[Mutant]:
    for node in ast.walk(piece):
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            old = node.value
            for step, way in ((1, "up"), (-1, "down")):
                node.value = old + step
                yield Mutant(module, name, node.lineno, f"{old} {way}", ast.unparse(tree))
            node.value = old


# --- running ----------------------------------------------------------------------------------------------


def _install(module: str, source: str) -> None:
    """The changed constants in place of the module, and no claim that has seen the old ones."""
    full = f"glbcheck.core.theory.{module}"
    for name in [name for name in sys.modules if name == full or name.startswith(PAPER)]:
        del sys.modules[name]
    changed = ModuleType(full)
    changed.__file__ = str(ROOT / "core" / "theory" / f"{module}.py")
    sys.modules[full] = changed
    vars(importlib.import_module("glbcheck.core.theory"))[module] = changed
    exec(compile(source, f"<mutant of {full}>", "exec"), changed.__dict__)


def _claim_stands(place: str) -> bool:
    """Is the claim still the one that was reviewed, with the verdict it should have?"""
    from glbcheck.verify import review
    from glbcheck.verify.registry import claims_in

    module, _, claim_id = place.rpartition(".")
    claims = claims_in(importlib.import_module(f"{PAPER}.{module}"))
    claim = next(claim for claim in claims if claim.id == claim_id)
    evidence = claim.check()
    reviewed = review.read(ROOT / "proofs_checks" / "hcw_glb_omd")
    return evidence.verdict is claim.core and not review.complaint(claim, evidence, reviewed)


def _tests_pass() -> bool:
    import pytest

    sys.modules.pop("tests.core.theory.test_constants", None)
    return pytest.main(["-q", "-x", "-n0", "--assert=plain", "-p", "no:cacheprovider", str(ROOT / TESTS)]) == 0


def _stands(module: str, source: str, place: str) -> bool:
    try:
        _install(module, source)
        return _tests_pass() if place == TESTS else _claim_stands(place)
    except Exception:
        return False


def stands(module: str, source: str, place: str) -> bool:
    """Does the claim, or the tests, still stand with this text for the constants?  Asked in a process of its own."""
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(SECONDS)
        os._exit(not _stands(module, source, place))
    return os.waitpid(child, 0)[1] == 0


def noticed_by(mutant: Mutant) -> str:
    """Who notices the change: the claim that answers for the function, or the tests; empty if nobody does."""
    places = dict.fromkeys((ANSWERS.get(mutant.function, TESTS), TESTS))
    return next((place for place in places if not stands(mutant.module, mutant.source, place)), "")


def warm() -> None:
    """Import what the forked processes need, so that each imports the claims alone."""
    for module in dict.fromkeys(place.partition(".")[0] for place in ANSWERS.values() if place != TESTS):
        importlib.import_module(f"{PAPER}.{module}")


def main() -> int:
    """All mutants; fails if one is not noticed, or if something does not stand even without a change."""
    warm()
    plain = source_of("constants")
    broken = [place for place in dict.fromkeys(ANSWERS.values()) if not stands("constants", plain, place)]
    mutants = all_mutants()
    with get_context("fork").Pool(2) as pool:
        found = pool.map(noticed_by, mutants, 1)
    for mutant, who in zip(mutants, found, strict=True):
        print(f"{mutant}: {'noticed by ' + who if who else 'NOT NOTICED'}")
    print(f"constants: {sum(map(bool, found))} of {len(mutants)} changed numbers noticed")
    for place in broken:
        print(f"{place} does not stand with the constants as they are")
    return bool(broken) or not all(found)


if __name__ == "__main__":
    sys.exit(main())
