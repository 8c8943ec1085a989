"""The figures of an audit: mean, slope and ratio with their certified bounds; the radius against t."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from glbcheck.core.theory.bounds import radius_at
from glbcheck.core.theory.parameters import parameters
from glbcheck.verify.audit.subject import Subject
from glbcheck.verify.report.figures import decades, figure, line
from matplotlib.figure import Figure

POINTS = 61  # of a curve
LEGEND = 0.22  # of the height of a panel, for each entry


def figures(audit: Mapping[str, Any], subject: Subject) -> dict[str, tuple[Figure, str]]:
    """Figure and caption by name; what has no certified constants has no figure."""
    drawn = {}
    if audit["constants"]["R_s"] is not None and audit["constants"]["kappa"] is not None:
        drawn["link"] = _link(audit, subject)
    if any(check["name"] == "constants" and check["certificate"] for check in audit["checks"]):
        drawn["radius"] = _radius(subject)
    return drawn


def _link(audit: Mapping[str, Any], subject: Subject) -> tuple[Figure, str]:
    """mu, mu' and |mu''|/mu' on [-S, S], the certified extremes as horizontal lines."""
    family, S = subject.family, float(subject.S)
    z = np.linspace(-S, S, POINTS)
    constants = audit["constants"]
    slope = family.dmu(z)
    panels = (
        ("mean μ(z)", family.mu(z), ()),
        ("slope μ′(z)", slope, ((constants["L_mu"]["upper"], "L_μ"), (1 / constants["kappa"]["upper"], "1/κ"))),
        ("|μ″(z)|/μ′(z)", np.abs(family.ddmu(z)) / slope, ((constants["R_s"]["upper"], "R_s"),)),
    )
    with figure(width=8.4, height=2.6, columns=3) as (fig, axes):
        for ax, (title, values, bounds) in zip(axes, panels, strict=True):
            ax.plot(z, values, **line(0, marker=False))
            for number, (value, name) in enumerate(bounds, start=1):
                if np.isfinite(value):
                    ax.axhline(value, **line(number, marker=False), label=f"{name} = {value:.5g}")
            ax.set_title(title)
            ax.set_xlabel("z")
            if bounds:
                ax.margins(y=0.15)
                low, high = ax.get_ylim()
                ax.set_ylim(low, high + LEGEND * len(bounds) * (high - low))  # above every line
                ax.legend(loc="upper center")
    return fig, f"mean, slope and self-concordance ratio of {family.name} on [-{audit['S']}, {audit['S']}]"


def _radius(subject: Subject) -> tuple[Figure, str]:
    """The radius of C_t against t, and the largest distance from θ_t that Θ can reach in the norm of H_t."""
    g = float(subject.g)
    t = np.unique(np.geomspace(1, max(subject.T, 10), POINTS).astype(int))
    with figure(width=5.6, height=3.0) as (fig, ax):
        for number, reading in enumerate(("paper", "repaired")):
            p = parameters(subject.family, subject.d, float(subject.S), subject.delta, subject.C, reading=reading)
            look = line(number, marker=False)
            ax.plot(t, [radius_at(p, float(s), g) for s in t], **look, label=f"radius, {reading}")
            reach = 2 * p.S * np.sqrt(p.lam + p.L_mu * t / g)
            ax.plot(t, reach, color=look["color"], linewidth=0.8, linestyle=":", label=f"Θ in H_t at most, {reading}")
        decades(ax)
        ax.set_xlabel("round t")
        ax.legend(loc="best")
    return fig, f"confidence radius of {subject.family.name} against t, and how far Θ can reach in that norm"
