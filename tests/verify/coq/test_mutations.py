"""Statements and premises of the Coq theorems with one edit each: Coq must refuse every one.

Only the edited file is compiled again; everything that it needs comes from the store.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from glbcheck.proofs_checks import __file__ as papers
from glbcheck.verify.coq import driver

PAPER = driver.Library("HCW", Path(papers).parent / "hcw_glb_omd" / "coq")

DIVERGENCE = " * Rabs (c - b)) * (m c - m b - mu b * (c - b)).\nProof.\nintros hb hc. destruct Rs0"
# Module, what stands there, what shall stand there, and what follows it, where more than one place has the first.
MUTATIONS = {
    "the potential with a third": ("EllipticalPotential", "X2 / (2 * lam)", "X2 / (3 * lam)", ") * ln (1 + t"),
    "half of the argument": ("EllipticalPotential", "(d%:R * lam", "(2 * d%:R * lam", ")).\nProof.\nmove=> d0 l0"),
    "vectors of twice the norm": ("EllipticalPotential", "(x s) <= X2)", "(x s) <= 2 * X2)", " ->\n  \\sum_(s < t) qf"),
    "Ville with twice the level": ("Ville", "Theorem ville : c%:E", "Theorem ville : (2 * c)%:E", ""),
    "Ville for what grows": ("Ville", "n.+1 w <= \\int[P]_(w in A) M n w", "n w <= \\int[P]_(w in A) M n.+1 w", ""),
    "the divergence with 1 for 2": ("SelfConcordance", "<= (2 + Rs", "<= (1 + Rs", DIVERGENCE),
    "the remainder divided by 3": ("SelfConcordance", "^ 2 / 2", "^ 2 / 3", ".\nProof.\nintros hL"),
    "u outside the set": ("MirrorDescent", "v -> K u ->", "v -> K c ->", ""),
    "the move subtracted twice": ("MirrorDescent", "- qf A (v - c)", "- 2 * qf A (v - c)", ".\nProof.\nmove=> cK"),
    "3 lambda S^2 in the inverse regret": ("InverseRegret", "4 * lam", "3 * lam", " * S ^+ 2\n    - 2 / 3 *"),
    "a start at the origin": ("InverseRegret", "lam * (S + start_norm)", "lam * S", " ^+ 2\n  - (1 - eps)"),
    "half of the share": ("InverseRegret", "- (1 - eps)", "- (1 - eps / 2)", " * (\\sum_(s < t) move_sq s).\nProof."),
    "three quarters of the moves": ("InverseRegret", "- 2 / 3 *", "- 3 / 4 *", " (\\sum_(s < t) move_sq s).\nProof."),
    "35 for 36 in the premise": ("InverseRegret", "t : 36 * eta ^+ 2", "t : 35 * eta ^+ 2", ""),
    "half of the widening": ("GoodEvent", "+ widening eta alpha C", "+ widening eta alpha C / 2", ".\nProof."),
    "a weaker good event": ("GoodEvent", "c * gam / 2", "c * gam", " * log_det t.\n\nLet dmu_ge0"),
    "a smaller normal mean": ("HalfExponential", "part_bell / 3 <= 27 / 160", "part_bell / 3 <= 26 / 160", ""),
    "a smaller half exponential": ("GaussianMoments", "(27 / 40 * a", "(26 / 40 * a", " ^+ 2)%:E.\nProof."),
    "Lebesgue measure scaled by s": ("AffineLebesgue", "= (s^-1)%:E * ", "= s%:E * ", ""),
    "no normal mean below 1": ("MixturePairs", "mixture_pair 0 1.", "mixture_pair 0 (1 / 2).", ""),
    "a wider reach of the pair": ("MixturePairs", "mixture_pair (1 / 2)", "mixture_pair 1", ""),
    "a smaller mean at reach 1": ("MixtureTable", "mixture_pair 1 (49 / 25)", "mixture_pair 1 (48 / 25)", ".\nProof."),
    "a smaller lambda for the pair": ("SharperConfidence", "<= (1 - eps) * reach", "<= reach", " ^+ 2 * lam."),
    "half of the coefficient": ("SharperConfidence", "beta_slope eta eps c", "beta_slope eta eps (c / 2)", ""),
    "confidence 1 - delta/2": ("SharperConfidence", "((1 - delta)%:E", "((1 - delta / 2)%:E", ""),
    "twice the budget": ("SharperConfidence", "`|corruption s w| <= C.", "`|corruption s w| <= 2 * C.", ""),
    "self-concordance on Theta only": ("SharperConfidence", "ddmu Rs lo hi.", "ddmu Rs (- S) S.", "\nHypothesis sl"),
    "a linear link with 1/2 of log det": ("ConfidenceSequence", "+ logdet lam", "+ 2^-1 * logdet lam", ""),
    "likelihood ratios of mean 2": ("SharperConfidence", "y z)%:E <= 1)%E.", "y z)%:E <= 2%:E)%E.", ""),
    "a density of mass 2": ("GlmLaw", "i y)%:E = 1)%E.", "i y)%:E = 2%:E)%E.", ""),
    "one round more": ("RegretTheorem", "star (best w) T.+1 <=", "star (best w) T.+2 <=", ""),
    "the radius of the first round": ("RegretTheorem", "(rad w T) (rad w T.+1)", "(rad w 0%N) (rad w T.+1)", ""),
    "the best arm of another round": ("RegretTheorem", "arms w s (best w s).", "arms w s.+1 (best w s).", ""),
    "half in place of a quarter": ("NoiselessGame", "(Delta * T%:R) / 4 <=", "(Delta * T%:R) / 2 <=", ""),
    "one arm": ("NoiselessGame", "(1 < d)%N -> 0 < Delta", "(0 < d)%N -> 0 < Delta", ""),
    "5/8 in the corruption bound": ("CorruptionBound", "(3 / 8 * (Delta", "(5 / 8 * (Delta",
                                    " * T%:R)) (3 / 1024 * (d%:R * C)) <=\n"),
    "half of the least budget": ("CorruptionBound", "8 * Delta <= C -> is", "4 * Delta <= C -> is", ""),
    "a third of d sqrt(gT)": ("GaussianCube", "sqrt (v * T%:R) / 4)", "sqrt (v * T%:R) / 3)", " (S * T"),
    "slopes that vary by e^2": ("GlmCube", "Rs_w : Rs * w <= 1.", "Rs_w : Rs * w <= 2.", ""),
    "a third of d sqrt(V)": ("GaussianCube", "(d%:R * sqrt V / 4) (S", "(d%:R * sqrt V / 3) (S", ""),
    "17 for 18": ("GlmCube", "n%:R / 18 * sqrt (dmu z0 * V) <= dmu", "n%:R / 17 * sqrt (dmu z0 * V) <= dmu", ""),
    "lengths of twice the dispersion": ("Lengths", "Num.min 1 (g t / c).", "Num.min 1 (2 * g t / c).", ""),
    "the radius of the repair": ("PrintedLowerBound", "sqrt (g / T%:R) * (sqrt", "(g / T%:R) * (sqrt", ""),
    "a local lemma of the right order": ("PrintedLocalLemma", "(k%:R * sqrt (g /", "(k%:R ^+ 2 * (g /", " n%:R)) &"),
    "a first sum without g_max": ("PrintedFirstSum", "2 * d%:R * g_max * (1", "2 * d%:R * (1", ""),
    "gamma_2 of the right order": ("PrintedOrders", "d%:R * g_max * Num.max C 1", "d%:R * Num.max C 1", ""),
    "a theorem with max(C, 1)": ("PrintedRegret", "(g_max + kappa) * C)", "(g_max + kappa) * Num.max C 1)", ""),
    "half with noise": ("NoisyGame", "T%:R) / 4)%:E <=", "T%:R) / 2)%:E <=", "\n     \\int"),
    "a true lemma refuted": ("Refutations", "2 * d%:R * (1 + X ^+ 2) * ln", "d%:R * (1 + X ^+ 2 / (2 * lam)) * ln", ""),
}  # fmt: skip


def test_there_are_twenty_mutations_and_each_is_one_edit() -> None:
    assert len(MUTATIONS) >= 20
    for module, old, new, after in MUTATIONS.values():
        assert old != new
        assert _home(module).read_text().count(old + after) == 1, (module, old)


@pytest.mark.needs("coq")
@pytest.mark.parametrize("mutation", MUTATIONS)
def test_coq_refuses_an_edited_statement_or_premise(mutation: str, tmp_path: Path) -> None:
    module, old, new, after = MUTATIONS[mutation]
    home = _home(module)
    copies = []
    for library in (driver.GENERAL, PAPER):
        shutil.copytree(library.folder, tmp_path / library.name)
        copies.append(driver.Library(library.name, tmp_path / library.name))
    name = driver.GENERAL.name if home.parent == driver.GENERAL.folder else PAPER.name
    edited = tmp_path / name / home.name
    edited.write_text(home.read_text().replace(old + after, new + after))
    driver.build([driver.GENERAL, PAPER], driver.store(), [f"{name}.{module}"])
    compiling: list[str] = []
    with pytest.raises(driver.CoqError, match=r"Error") as refusal:
        driver.build(copies, driver.store(), [f"{name}.{module}"], compiling.append)
    assert compiling == [f"{name}.{module}"]
    # Refused as mathematics, not for how it is written.
    assert "Syntax error" not in str(refusal.value)
    assert "was not found" not in str(refusal.value)


def _home(module: str) -> Path:
    return next(path for library in (driver.GENERAL, PAPER) if (path := library.folder / f"{module}.v").exists())
