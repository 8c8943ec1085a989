"""A fit for reading, as wide as the terminal: a line per family, then what the best one says and how to use it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from glbcheck.core.fitting.result import MEANING, TWIN
from glbcheck.verify.report.table import clip, width, wrap

TESTS = {"quantiles": "quant", "shape": "shape", "variance": "var", "mean": "mean"}
HEAD = f"{'family':<24}{'word':<13}{'AIC':>9}{'g':>7}" + "".join(f"{short:>6}" for short in TESTS.values())
EXPLAINED = (
    "quant, shape, var and mean are p-values: of quantile residuals as N(0, 1), of their being normal at all, "
    "of g μ' as the variance and μ as the mean in bins of the fitted mean"
)


def table(fit: Mapping[str, Any]) -> list[str]:
    """The whole fit as lines, from its plain data."""
    lines = [
        *wrap("", f"{fit['rows']} rewards, contexts: {', '.join(fit['columns'])}"),
        "",
        HEAD,
        "-" * len(HEAD),
        *(line for one in fit["families"] for line in _family(one)),
        "",
        *wrap("", EXPLAINED),
    ]
    words = dict.fromkeys(one["word"] for one in fit["families"])
    lines += [line for word in words for line in wrap(f"{word:<13}", MEANING[word])]
    best = next((one for one in fit["families"] if one["family"] == fit["best"]), None)
    if best is None:
        lines += ["", "no family of the catalogue is plausible for these rewards"]
    else:
        lines += ["", *_best(best)]
    lines += ["", *(line for note in fit["notes"] for line in wrap("- ", note))] if fit["notes"] else []
    return lines


def _family(one: Mapping[str, Any]) -> Iterator[str]:
    name = clip(one["family"], 23)
    if "aic" not in one:
        yield from wrap(f"{name:<24}{one['word']:<13}", one["reason"], indent=26)
        return
    tests = {test["name"]: test["p_value"] for test in one["tests"]}
    g = "by row" if one["dispersion"] is None else f"{one['dispersion']:.3g}"
    values = "".join(f"{_p(tests.get(name)):>6}" for name in TESTS)
    aic = f"{one['aic']:.1f}" if abs(one["aic"]) < 1e6 else f"{one['aic']:.3g}"
    yield f"{name:<24}{one['word']:<13}{aic:>9}{g:>7}{values}".rstrip()
    if "lattice" in tests or one["reason"].startswith(TWIN) or not tests:
        yield from wrap(" " * 26, one["reason"])


def _p(value: float | None) -> str:
    if value is None:
        return ""
    return "<.001" if value < 1e-3 else f"{value:.3f}".lstrip("0") if value < 0.9995 else "1"


def _best(one: Mapping[str, Any]) -> Iterator[str]:
    theta = ", ".join(
        f"{value:.4g} ± {error:.2g}" for value, error in zip(one["theta"], one["standard_errors"], strict=True)
    )
    yield from wrap("best: ", one["family"])
    yield from wrap("  θ         ", theta)
    g = "one per row" if one["dispersion"] is None else f"{one['dispersion']:.6g}"
    yield from wrap("  g         ", f"{g} ({one['dispersion_how']})")
    ratio = f"mean squared Pearson residual {one['variance_ratio']:.3f} (1 if the variance is g μ')"
    yield from wrap("  variance  ", ratio)
    deviance = "" if one["deviance"] is None else f", deviance {one['deviance']:.6g}"
    yield from wrap("  fit       ", f"log-likelihood {one['log_likelihood']:.6g}{deviance}")
    learner = one["learner"]
    size = f"‖θ‖ = {one['norm']:.4g} ± {one['norm_error']:.2g}"
    if learner["S"] is None:
        yield from wrap("  S         ", f"{size}; {learner['usage']}")
        return
    shift = "" if learner["tilt"] == "0" else f", after the shift z -> z - {learner['tilt']}"
    yield from wrap("  S         ", f"{size}{shift}; with three standard errors, rounded up: S = {learner['S']:g}")
    yield ""
    yield "the learner, ready to paste"
    for line in learner["code"]:
        yield f"    {line}"
    yield from (f"    # {line}" for line in wrap("", learner["usage"], width() - 6))
