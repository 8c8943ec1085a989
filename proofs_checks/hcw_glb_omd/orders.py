"""When is one bound of the order of another?  The bounds that are compared, and instances that separate them.

"Of the order of" means at most a constant times powers of log T; a refutation is a sequence of instances along
which the ratio is a power of T.
"""

from __future__ import annotations

from collections.abc import Mapping

from glbcheck.verify.writing import Evidence, fails, implies, refuted

THEOREM = "d*s + d**2*g*kappa + d*(g + kappa)*C"
TABLE = "d*s + d*kappa*C"
REPAIRED = "d*s + d**2*g*kappa + d*kappa*max(C, 1)"
PROOF_LINEAR = "d*s + d*g*max(C, 1)"
PRIOR = "d*kappa*G + d*kappa*C"
PRIOR_INFORMED = "d*kappa*s + d*kappa*C + d**2*kappa**2*g"

KNOWN = ("d >= 1", "kappa >= 1", "g > 0", "C >= 0", "s > 0")


def within(bound: str, target: str, *more: str, factor: int) -> Evidence:
    """bound <= factor * target for all parameters that satisfy the further conditions."""
    return implies([*KNOWN, *more], f"{bound} <= {factor}*({target})")


# Gaussian rewards in one dimension, all of them with dispersion h^2; kappa = 1, T = h^8 rounds.
CORRUPTED = {"d": "1", "kappa": "1", "g": "h**2", "T": "h**8", "C": "h**4", "s": "sqrt(T*g)", "G": "sqrt(T*g)"}
# The same without corruption over T = h^4 rounds, one of dispersion h^2 and the others of 1/h^2.
SPIKE = {"d": "1", "g": "h**2", "T": "h**4", "C": "0", "s": "sqrt(g + (T - 1)/h**2)"}


def exceeds(bound: str, target: str, instance: Mapping[str, str], g: str) -> Evidence:
    """bound <= K log(T)^4 target fails on the instance, and bound >= (h/2) target for all h >= 1.

    With a dispersion `g` other than that of the instance, only the first is looked at.
    """
    point = fails(
        ("h >= 1", "K >= 1"), f"{bound} <= K*log(T)**4*({target})", {**instance, "g": g}, at={"h": 10**20, "K": 1000}
    )
    if g != instance["g"]:
        return point
    values = [f"{name} == {value}" for name, value in instance.items() if name not in "sG"]
    roots = [f"{name}**2 == {instance[name][5:-1]}" for name in "sG" if name in instance]
    positive = [f"{name} > 0" for name in "sG" if name in instance]
    return refuted(point, implies(["h >= 1", *values, *positive, *roots], f"{bound} >= h/2*({target})"))
