"""GLMs of statsmodels and scikit-learn are told by their names; the packages themselves are used where installed."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from glbcheck.core.errors import BadInput
from glbcheck.core.fitting import fit

import glbcheck
from glbcheck.cli import main

SKLEARN = "sklearn.linear_model._glm.glm"
FAMILIES = "statsmodels.genmod.families.family"
LINKS = "statsmodels.genmod.families.links"


def stand_in(module: str, name: str, **attributes: Any) -> Any:
    """An object that looks like one of another package."""
    return type(name, (), {"__module__": module, **attributes})()


def of_statsmodels(family: str, link: str, power: float | None = None, **attributes: Any) -> Any:
    made = stand_in(LINKS, link, **({} if power is None else {"power": power}), alpha=attributes.get("alpha"))
    return stand_in(FAMILIES, family, link=made, variance=None, **attributes)


@pytest.mark.parametrize(
    ("model", "family", "natural"),
    [
        (of_statsmodels("Gaussian", "Identity"), "gaussian", "eta"),
        (of_statsmodels("Binomial", "Logit", n=1), "bernoulli", "eta"),
        (of_statsmodels("Binomial", "Logit", n=[1, 5]), "binomial_proportion", "eta"),
        (of_statsmodels("Poisson", "Log"), "poisson", "eta"),
        (of_statsmodels("Gamma", "InversePower"), "gamma", "-eta"),
        (of_statsmodels("Gamma", "inverse_power"), "gamma", "-eta"),
        (of_statsmodels("InverseGaussian", "InverseSquared"), "inverse_gaussian", "-eta/2"),
        (of_statsmodels("NegativeBinomial", "NegativeBinomial", alpha=0.5), "negative_binomial(n=2)", "eta"),
        (of_statsmodels("Tweedie", "Power", power=-0.5, var_power=1.5), "tweedie(p=3/2)", "-2*eta"),
        (stand_in(SKLEARN, "PoissonRegressor"), "poisson", "eta"),
        (stand_in(SKLEARN, "LogisticRegression"), "bernoulli", "eta"),
        (stand_in(SKLEARN, "LinearRegression"), "gaussian", "eta"),
        (stand_in(SKLEARN, "TweedieRegressor", power=0, link="auto"), "gaussian", "eta"),
    ],
)
def test_a_canonical_link_is_found_by_calculation(model: Any, family: str, natural: str) -> None:
    found = glbcheck.family_of(model)
    assert (found.family.name, found.natural, found.canonical, found.lost) == (family, natural, True, ())


@pytest.mark.parametrize(
    ("model", "family", "natural"),
    [
        (of_statsmodels("Binomial", "Probit", n=1), "bernoulli", "erf"),
        (of_statsmodels("Poisson", "Identity"), "poisson", "log(eta)"),
        (of_statsmodels("Gamma", "Log"), "gamma", "-exp(-eta)"),
        (of_statsmodels("InverseGaussian", "Power", power=-1.0), "inverse_gaussian", "-eta**2/2"),
        (of_statsmodels("Gaussian", "Power", power=0.0), "gaussian", "exp(eta)"),
        (of_statsmodels("NegativeBinomial", "Log", alpha=1.0), "negative_binomial(n=1)", "log(exp(eta) + 1)"),
        (stand_in(SKLEARN, "GammaRegressor"), "gamma", "-exp(-eta)"),
        (stand_in(SKLEARN, "TweedieRegressor", power=1.5, link="auto"), "tweedie(p=3/2)", "-2*exp(-eta/2)"),
    ],
)
def test_another_link_is_named_with_what_is_lost(model: Any, family: str, natural: str) -> None:
    found = glbcheck.family_of(model)
    assert found.family.name == family
    assert not found.canonical
    assert natural in found.natural
    assert found.link in found.lost[0]
    assert "not the canonical one" in found.lost[0]


def test_the_tweedie_law_has_variance_mean_to_its_power() -> None:
    family = glbcheck.family_of(of_statsmodels("Tweedie", "Log", var_power=1.7)).family
    z = -np.geomspace(0.1, 10, 20)
    assert family.dmu(z) == pytest.approx(family.mu(z) ** 1.7, rel=1e-11)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (3.0, "a family of statsmodels"),
        (stand_in(SKLEARN, "SVC"), "PoissonRegressor"),
        (stand_in(SKLEARN, "LogisticRegression", classes_=[0, 1, 2]), "two classes"),
        (stand_in(SKLEARN, "TweedieRegressor", power=0.5, link="auto"), "0, 1 or a number above 1"),
        (of_statsmodels("NegativeBinomial", "Log", alpha=0.7), "alpha = 1/n"),
        (of_statsmodels("Gaussian", "Unheard"), "one of Identity"),
        (of_statsmodels("Multinomial", "Logit"), "a family of statsmodels"),
    ],
)
def test_what_is_not_known_is_refused(model: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        glbcheck.family_of(model)


def test_an_audit_takes_a_model_and_withdraws_the_theorems_that_need_the_canonical_link() -> None:
    good = glbcheck.audit_family(of_statsmodels("Binomial", "Logit", n=1), 1, quick=True)
    lost = glbcheck.audit_family(of_statsmodels("Binomial", "Probit", n=1), 1, quick=True)
    assert good["link"]["canonical"]
    assert good["theorems"]["theorem:confidence-sequence"]["applies"]
    for anchor in ("eqn:GLM", "theorem:confidence-sequence", "theorem:regret", "thm:lower-bound"):
        assert lost["theorems"][anchor]["applies"] is False
        assert "Probit is not canonical" in lost["theorems"][anchor]["reason"]
    assert lost["theorems"]["assumption:m"] == good["theorems"]["assumption:m"]
    assert lost["constants"] == good["constants"]
    assert any("not the canonical one" in words for words in lost["advice"])


def test_the_command_takes_a_model_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.py").write_text("model = type('GammaRegressor', (), {'__module__': 'sklearn.linear_model'})()\n")
    main(["audit", f"{tmp_path / 'model.py'}:model", "--S", "1", "--tilt", "2", "--quick"])
    text = " ".join(capsys.readouterr().out.split())
    assert "the link log is not canonical" in text


def test_a_law_without_a_stated_base_says_so_and_is_not_sent_to_the_fit() -> None:
    class Tweedie:
        """As statsmodels has it."""

    Tweedie.__module__ = "statsmodels.genmod.families.family"
    Log = type("Log", (), {})
    model = Tweedie()
    vars(model).update(var_power=1.5, link=Log(), variance=None)
    found = glbcheck.family_of(model)
    assert repr(found.family) == "Family('tweedie(p=3/2)': m = -4/z on (-oo, 0), rewards not stated)"
    assert not any("glbcheck fit" in line for line in found.lost)


# --- the packages themselves --------------------------------------------------------------------------------


CANONICAL = {
    "Gaussian": ("gaussian", None),
    "Poisson": ("poisson", None),
    "Binomial": ("bernoulli", None),
    "Gamma": ("gamma", -1.0),
    "InverseGaussian": ("inverse_gaussian", -0.5),
}


@pytest.mark.needs("statsmodels")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CANONICAL)
def test_estimates_are_those_of_statsmodels(name: str) -> None:
    sm = importlib.import_module("statsmodels.api")
    family, sign = CANONICAL[name]
    rng = np.random.default_rng(21)
    x = np.column_stack([rng.uniform(-0.5, 0.5, (500, 2)), np.ones(500)]) / 1.5
    one_sided = sign is not None
    theta = np.array([0.5, -0.4, -3.0 if one_sided else 0.6])
    rewards = glbcheck.catalog.get(family).sample(rng, x @ theta, 1.0)
    theirs = sm.GLM(rewards, x, family=getattr(sm.families, name)()).fit(tol=1e-12)
    ours = fit(rewards, x, families=[family]).families[0].estimate
    assert ours is not None
    assert glbcheck.family_of(theirs).canonical
    assert ours.theta == pytest.approx((sign or 1.0) * theirs.params, rel=1e-6)
    assert ours.standard_errors == pytest.approx(abs(sign or 1.0) * theirs.bse, rel=1e-4)
    assert ours.dispersion == pytest.approx(theirs.scale, rel=1e-6)
    assert (ours.deviance is None) == (name == "InverseGaussian")
    if ours.deviance is not None:
        assert ours.deviance * (ours.dispersion or 1) == pytest.approx(theirs.deviance, rel=1e-6)
    assert ours.log_likelihood == pytest.approx(theirs.llf_scaled(theirs.scale), rel=1e-8)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "family", "canonical"),
    [
        ("PoissonRegressor", "poisson", True),
        ("GammaRegressor", "gamma", False),
        ("TweedieRegressor", "gaussian", True),
        ("LogisticRegression", "bernoulli", True),
        ("LinearRegression", "gaussian", True),
    ],
)
def test_estimators_of_scikit_learn_are_recognised(name: str, family: str, canonical: bool) -> None:
    found = glbcheck.family_of(getattr(importlib.import_module("sklearn.linear_model"), name)())
    assert (found.family.name, found.canonical) == (family, canonical)
