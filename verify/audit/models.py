"""A GLM of statsmodels or scikit-learn as a family of ours, told by names alone: neither package is imported.

A model states a law with a mean μ and a link η = ⟨x, θ⟩ of that mean.  The link is canonical exactly if the natural
parameter z is a multiple of η; that is computed from the two formulas, not looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import number
from glbcheck.core.family import Family, from_log_partition, z
from glbcheck.verify.audit.theorems import GLM, Requirement

mean = sp.Symbol("mu", positive=True)
eta = sp.Symbol("eta", real=True)
power_of_mean = sp.Symbol("eta", positive=True)  # what a power of a positive mean is
PACKAGES = ("statsmodels", "sklearn")
ACCEPTED = (
    "a family of statsmodels (Gaussian, Binomial, Poisson, Gamma, InverseGaussian, NegativeBinomial, Tweedie), a GLM "
    "or its results, or PoissonRegressor, GammaRegressor, TweedieRegressor, LogisticRegression, LinearRegression, Ridge"
)


@dataclass(frozen=True)
class Recognised:
    """The family of a model, its link, and what a link that is not canonical costs."""

    family: Family
    model: str
    link: str
    natural: str  # z as a formula in eta
    canonical: bool
    lost: tuple[str, ...]


@dataclass(frozen=True)
class _Law:
    """A family and its natural parameter as a function of the mean."""

    family: Family
    natural: sp.Expr


def is_model(value: object) -> bool:
    """Does the value come from a package whose models are recognised?"""
    return type(value).__module__.partition(".")[0] in PACKAGES


def family_of(model: object) -> Recognised:
    """The family of a statsmodels family, GLM or results, or of a scikit-learn estimator."""
    package = type(model).__module__.partition(".")[0]
    if package == "statsmodels":
        law, link, mean_of = _statsmodels(model)
    elif package == "sklearn":
        law, link, mean_of = _sklearn(model)
    else:
        raise BadInput("model", type(model).__name__, ACCEPTED)
    natural = sp.simplify(law.natural.subs(mean, mean_of))
    canonical = not any(sp.simplify(natural / own).has(own) for own in natural.free_symbols)
    name = f"{package} {_name(model)} with link {link}"
    lost = () if canonical else tuple(_lost(law.family, link, natural))
    return Recognised(law.family, name, link, str(natural), canonical, lost)


def with_link(audit: Mapping[str, Any], found: Recognised, requirements: Iterable[Requirement]) -> dict[str, Any]:
    """The audit of the family, and what of it still holds with the model's link."""
    link = {"model": found.model, "link": found.link, "natural": found.natural, "canonical": found.canonical}
    shown = {**audit, "link": {**link, "lost": list(found.lost)}}
    if found.canonical:
        return shown
    reason = f"the link {found.link} is not canonical: z = {found.natural} is no multiple of eta = <x, theta>"
    needing = {one.anchor for one in requirements if GLM in one.needs}
    shown["theorems"] = {
        anchor: {**one, "applies": False, "reason": reason, "failed_checks": [*one["failed_checks"], "link"]}
        if anchor in needing
        else one
        for anchor, one in audit["theorems"].items()
    }
    shown["advice"] = [*audit["advice"], *found.lost]
    return shown


def _lost(family: Family, link: str, natural: sp.Expr) -> Iterable[str]:
    yield (
        f"the link {link} is not the canonical one of {family.name}: rewards have natural parameter z = {natural} at "
        "eta = <x, theta>, so the log-likelihood is not (r <x, theta> - m(<x, theta>))/g, which the theorems need"
    )
    yield "the constants above are those of the canonical link; for this link the loss need not even be convex in theta"
    compared = ", and compare (glbcheck fit)" if family.has_base else ""
    yield f"{family.name} with its canonical link is covered: refit with it{compared}"


# --- statsmodels ------------------------------------------------------------------------------------------

_SM_LINKS: dict[str, Callable[[Any], sp.Expr]] = {
    "Identity": lambda link: eta,
    "Log": lambda link: sp.exp(eta),
    "Logit": lambda link: 1 / (1 + sp.exp(-eta)),
    "InversePower": lambda link: 1 / power_of_mean,
    "InverseSquared": lambda link: 1 / sp.sqrt(power_of_mean),
    "Sqrt": lambda link: power_of_mean**2,
    "Power": lambda link: _power_link(_exact("power", link.power)),
    "Probit": lambda link: (1 + sp.erf(eta / sp.sqrt(2))) / 2,
    "Cauchy": lambda link: sp.Rational(1, 2) + sp.atan(eta) / sp.pi,
    "CLogLog": lambda link: 1 - sp.exp(-sp.exp(eta)),
    "LogLog": lambda link: sp.exp(-sp.exp(-eta)),
    "LogC": lambda link: 1 - sp.exp(eta),
    "NegativeBinomial": lambda link: 1 / (_exact("alpha", link.alpha) * (sp.exp(-eta) - 1)),
}


def _statsmodels(model: Any) -> tuple[_Law, str, sp.Expr]:
    found = next((part for part in _inside(model) if hasattr(part, "link") and hasattr(part, "variance")), None)
    if found is None:
        return _statsmodels_discrete(model)
    key = type(found.link).__name__
    # Older versions spell the classes in lower case, with underscores.
    known = {name.lower(): name for name in _SM_LINKS}
    name = known.get(key.lower().replace("_", "").replace("nbinom", "negativebinomial"))
    if name is None:
        raise BadInput("link", key, "one of " + ", ".join(_SM_LINKS))
    return _statsmodels_law(found), name, _SM_LINKS[name](found.link)


def _power_link(power: sp.Rational) -> sp.Expr:
    return power_of_mean ** (1 / power) if power else sp.exp(eta)


def _inside(model: Any) -> Iterable[Any]:
    """A family itself, the family of a GLM, of its results."""
    yield model
    for owner in (model, getattr(model, "model", None)):
        if getattr(owner, "family", None) is not None:
            yield owner.family  # type: ignore[union-attr]  # asked for in the line above


def _statsmodels_law(family: Any) -> _Law:
    name = type(family).__name__
    if name == "Binomial":
        trials: Any = getattr(family, "n", 1)
        single = bool((max(trials) if hasattr(trials, "__len__") else trials) == 1)
        return _Law(catalog.get("bernoulli" if single else "binomial_proportion"), sp.log(mean / (1 - mean)))
    if name == "NegativeBinomial":
        size = 1 / _exact("alpha", family.alpha)
        if not (size.is_Integer and size > 0):
            raise BadInput(
                "alpha", family.alpha, "1/n for a whole n: the catalogue's negative_binomial(n) has alpha = 1/n"
            )
        return _Law(catalog.get("negative_binomial", n=int(size)), sp.log(mean / (mean + size)))
    if name == "Tweedie":
        return _power_law(family.var_power)
    powers = {"Gaussian": 0, "Poisson": 1, "Gamma": 2, "InverseGaussian": 3}
    if name not in powers:
        raise BadInput("family", name, ACCEPTED)
    return _power_law(powers[name])


def _statsmodels_discrete(model: Any) -> tuple[_Law, str, sp.Expr]:
    name = type(getattr(model, "model", model)).__name__
    logit = _Law(catalog.get("bernoulli"), sp.log(mean / (1 - mean)))
    known = {
        "Logit": (logit, "Logit"),
        "Probit": (logit, "Probit"),
        "Poisson": (_power_law(1), "Log"),
        "OLS": (_power_law(0), "Identity"),
    }
    if name not in known:
        raise BadInput("model", name, ACCEPTED)
    law, link = known[name]
    return law, link, _SM_LINKS[link](None)


# --- scikit-learn -----------------------------------------------------------------------------------------


def _sklearn(model: Any) -> tuple[_Law, str, sp.Expr]:
    name = type(model).__name__
    if name == "LogisticRegression":
        classes = len(getattr(model, "classes_", (0, 1)))
        if classes != 2:
            raise BadInput("model", f"{name} of {classes} classes", "two classes: rewards 0 and 1")
        return _Law(catalog.get("bernoulli"), sp.log(mean / (1 - mean))), "logit", 1 / (1 + sp.exp(-eta))
    powers = {"LinearRegression": 0, "Ridge": 0, "PoissonRegressor": 1, "GammaRegressor": 2}
    power = model.power if name == "TweedieRegressor" else powers.get(name)
    if power is None:
        raise BadInput("model", name, ACCEPTED)
    link = getattr(model, "link", "auto") if name == "TweedieRegressor" else "auto"
    if link == "auto":
        link = "identity" if power <= 0 else "log"
    return _power_law(power), link, eta if link == "identity" else sp.exp(eta)


# --- laws of which the variance is g times a power of the mean ---------------------------------------------


def _power_law(power: object) -> _Law:
    p = _exact("power", power)
    names = {0: "gaussian", 1: "poisson", 2: "gamma", 3: "inverse_gaussian"}
    natural = sp.log(mean) if p == 1 else mean ** (1 - p) / (1 - p)
    if p in names:
        return _Law(catalog.get(names[int(p)]), natural)
    if not p > 1:
        raise BadInput("power", power, "0, 1 or a number above 1: no law has another one, or only with an infinite m")
    # The mean is ((1 - p) z)^(1/(1 - p)); m is its integral.
    m = ((1 - p) * z) ** ((2 - p) / (1 - p)) / (2 - p)
    return _Law(from_log_partition(f"tweedie(p={p})", m, sp.Interval.open(-sp.oo, 0)), natural)


def _exact(argument: str, value: object) -> sp.Rational:
    """A float as the decimal that it prints."""
    try:
        return number(Fraction(str(value)))
    except (ValueError, ZeroDivisionError):
        raise BadInput(argument, value, "a finite number") from None


def _name(model: Any) -> str:
    inner = next((part for part in _inside(model) if hasattr(part, "link") and hasattr(part, "variance")), model)
    return type(inner).__name__
