"""Questions of the corpus that the audit leaves open, each with the word it had in an earlier version and the reason.

A question is a formula with `log_partition` or `dispersions`; all others must be answered rightly.
"""

from __future__ import annotations

from dataclasses import dataclass

LOG_PARTITION, DISPERSIONS = "log_partition", "dispersions"
UNDECIDED, PROVED, REFUTED = "undecided", "proved", "refuted"


@dataclass(frozen=True)
class OpenAnswer:
    before: str
    reason: str


NEVER = {
    "log(sinh(pi*z)/(pi*z*(1+z**2)))": "a density with a cosine",
    "log((1+exp(z))/(z**2+pi**2))": "a density with a sine",
    "log(cosh(pi*z/2)/(1+z**2))": "a density with a cosine",
    "cosh(sqrt(1+z**2))": "a Bessel function under a root",
    "log(exp(exp(z)/2)-exp(-exp(z)/2))": "a hyperbolic sine in disguise",
    "log(sinh(z)/z-1/10)": "a uniform law less an atom",
    "loggamma(1-z)-loggamma(1-z/2)": "the duplication formula",
    "log(exp(z**2/2)-exp(z**2/4)/4)": "a difference of normal densities",
    "log(1/2+exp(z)/2+exp(z**2/2)/10-exp(2*z)/1000)": "an atom below a density",
}
RULES = {  # glbcheck-answer/2 has no rule for them
    "log(tan(z)/z)": "rule `tangent` ended",
    "z*tan(z)": "rule `tangent-jumps` ended",
    "1-z/tan(z)": "rule `cotangent-jumps` ended",
    "-log(cosh(sqrt(-2*z)))": "rule `cosh-time` ended",
    "log(sqrt(-2*z)/sinh(sqrt(-2*z)))": "rule `sinh-time` ended",
}
POWERS = {  # derived for g = 1, but no longer as infinitely divisible
    "log(-log(1-exp(z)))": "rule `log-convex-logarithmic` ended",
    "log(-log(1-exp(z)/2))": "rule `log-convex-logarithmic` ended",
    "log(1-sqrt(1-exp(z)))": "rule `log-convex-sibuya` ended",
}
WITNESSES = {"z**2-sqrt(100+z**2)": "witness `jump` ended"}

OPEN: dict[tuple[str, str], OpenAnswer] = {
    **{(m, q): OpenAnswer(UNDECIDED, why) for m, why in NEVER.items() for q in (LOG_PARTITION, DISPERSIONS)},
    **{(m, q): OpenAnswer(PROVED, why) for m, why in RULES.items() for q in (LOG_PARTITION, DISPERSIONS)},
    **{(m, DISPERSIONS): OpenAnswer(PROVED, why) for m, why in POWERS.items()},
    **{(m, LOG_PARTITION): OpenAnswer(REFUTED, why) for m, why in WITNESSES.items()},
}
