"""A fit as one self-contained page, with its figure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glbcheck.core.fitting.result import MEANING, Fit
from glbcheck.verify.report.figures import svg
from glbcheck.verify.report.fit_figure import caption, drawn
from glbcheck.verify.report.fit_table import EXPLAINED, TESTS
from glbcheck.verify.report.html.markup import Child, el, image, part, table
from glbcheck.verify.report.html.page import document

COLUMNS = ("family", "word", "AIC", "g", "‖θ‖", "quantiles", "shape", "variance", "mean", "reason")


def page(fit: Fit, source: str) -> str:
    """The whole page as text."""
    data = fit.as_dict()
    words = el("ul", (el("li", el("b", word), f": {meaning}") for word, meaning in MEANING.items()))
    parts: list[Child] = [
        table(f"Families tried on {fit.rows} rewards", COLUMNS, map(_row, data["families"])),
        el("p", EXPLAINED + "."),
        words,
        _figure(fit),
        _learner(data),
        el("ul", (el("li", note) for note in data["notes"])),
    ]
    lead = f"{source}: contexts {', '.join(fit.columns)}. A fit is never a proof."
    return document(f"Which families fit {source}", None, part("fit", "Families", lead, parts))


def _row(one: Mapping[str, Any]) -> list[Child]:
    tests = {test["name"]: f"{test['p_value']:.2g}" for test in one["tests"]}
    fitted = "aic" in one
    g = "" if not fitted else "by row" if one["dispersion"] is None else f"{one['dispersion']:.6g}"
    return [
        one["family"],
        one["word"],
        f"{one['aic']:.1f}" if fitted else "",
        g,
        f"{one['norm']:.4g} ± {one['norm_error']:.2g}" if fitted else "",
        *(tests.get(name, "") for name in TESTS),
        one["reason"],
    ]


def _figure(fit: Fit) -> Child:
    fig = drawn(fit)
    return image(svg(fig), caption(fit)) if fig else None


def _learner(data: Mapping[str, Any]) -> Child:
    best = next((one for one in data["families"] if one["family"] == data["best"]), None)
    if best is None or not best["learner"]["code"]:
        return el("p", "No learner: " + (best["learner"]["usage"] if best else "no family is plausible") + ".")
    return [
        el("h3", f"The learner for {best['family']}"),
        el("pre", el("code", "\n".join(best["learner"]["code"]))),
        el("p", best["learner"]["usage"]),
    ]
