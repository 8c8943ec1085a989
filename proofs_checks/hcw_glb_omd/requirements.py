"""What each theorem of the paper asks of a GLM family, in the words of the audit's checks."""

from __future__ import annotations

from glbcheck.verify.audit.theorems import GLM, Requirement
from glbcheck.verify.claim import Reading

SETTING = ("domain", "smooth", "convex", "L_mu", "R_s", GLM)

REQUIREMENTS = (
    Requirement("eqn:GLM", (GLM,), note="with a base measure of its own for every g"),
    Requirement("assumption:m", ("smooth", "convex")),
    Requirement("assumption:bound", ("domain",)),
    Requirement("assumption:link-function", ("L_mu", "R_s")),
    Requirement(
        "theorem:confidence-sequence",
        (*SETTING, "supermartingale"),
        Reading.REPAIRED,
        note="with the printed constants R_s on [-S, S] is enough, by another proof than the printed one; a yes to "
        "nearby allows the local constants, a yes to growth the repaired ones",
    ),
    Requirement(
        "theorem:regret",
        (*SETTING, "supermartingale", "kappa"),
        Reading.REPAIRED,
        note="as printed the order hides factors in g_max/g_min; the repaired bound is explicit, on the event of the "
        "confidence sequence",
    ),
    Requirement(
        "thm:lower-bound",
        (*SETTING, "kappa"),
        Reading.REPAIRED,
        note="false with absolute constants; repaired: (d-1) sqrt(g T mu'(z0))/18 for large T",
        least_d=2,
    ),
    Requirement(
        "thm:lower-bound-corruption",
        ("domain", "slope", GLM),
        Reading.REPAIRED,
        note="false with one constant for all links; repaired: min(3 Delta T/8, 3 d C/1024) for C >= 8 Delta, Delta = "
        "mu(S) - mu(0)",
        least_d=2,
    ),
)
