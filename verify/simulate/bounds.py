"""The explicit bounds on the regret of one run, printed and repaired, and what no algorithm escapes."""

from __future__ import annotations

from glbcheck.core import constants
from glbcheck.core.parameters import Parameters


def upper(p: Parameters, kappa: float, T: int, g_min: float, g_max: float, V: float, inverse_g: float) -> float:
    """The explicit bound of the reading of `p` for a run with Σ g μ' = V at the best arms and Σ 1/g.

    The sum over T - 1 rounds is taken without the largest dispersion: exact if g is constant, and one term
    under a logarithm off at most.
    """
    s = constants.Setting(p.d, p.S, T, p.C, p.delta, p.alpha, p.R_s, p.L_mu, kappa, g_min, g_max, use=p.use)
    before = inverse_g - 1 / g_max
    if p.use is constants.PAPER:
        return float(constants.regret_bound(s, V, before, inverse_g))
    return float(constants.regret_bound_repaired(s, V, inverse_g, s.radius(before), s.radius(inverse_g)))


def lower(p: Parameters, T: int) -> float:
    """What some instance with this d, S, C and T costs every algorithm, this one too."""
    Delta = float(p.family.mu(p.S) - p.family.mu(0.0))
    # Only normal rewards have a linear link, and their noise is the same for all arms.
    return constants.corruption_regret_floor(p.d, p.C, T, Delta, arm_free_noise=p.R_s == 0)
