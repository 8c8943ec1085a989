"""Symmetric positive definite matrices: factors, norms, and the secular equation of a ball.

H_t only grows, so it is stored as it is and factored when it changes: nothing drifts.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core.arrays import Floats

_NEWTON_STEPS = 200


def norm(v: Floats) -> float:
    return float(np.sqrt(v @ v))


def cholesky(H: Floats, floor: float) -> Floats:
    """The lower factor L with L Lᵀ = H, for H known to be at least `floor` times the identity.

    Rounding can hide the floor when the condition number passes 1e15; then it is restored.
    """
    from scipy.linalg import lapack

    L, failed = lapack.dpotrf(H, lower=1)
    if failed:
        values, Q = eigen(H, floor)
        upper = np.linalg.qr((Q * np.sqrt(values)).T)[1]
        L = (upper * np.where(np.diag(upper) < 0, -1.0, 1.0)[:, None]).T
    return np.asarray(L)


def inverse_factor(L: Floats) -> Floats:
    """L⁻¹.  Its product with x has the length of x in the norm of H⁻¹; with L⁻ᵀ before it, it is H⁻¹ x."""
    from scipy.linalg import lapack

    return np.asarray(lapack.dtrtri(L, lower=1)[0])


def eigen(H: Floats, floor: float) -> tuple[Floats, Floats]:
    """Eigenvalues, none below the known floor, and eigenvectors."""
    values, Q = np.linalg.eigh(H)
    return np.maximum(values, floor), Q


def secular_root(c: Floats, poles: Floats, radius: float) -> float:
    """The ν >= 0 at which ‖c / (poles + ν)‖ comes down to the radius; 0 if it is never above it.

    Newton's method on 1/‖·‖, from a point left of the root, where it converges monotonically.
    """
    active = c != 0
    c, poles = np.abs(c[active]), poles[active]
    if c.size == 0:
        return 0.0
    scale = float(c.max())
    c, target = c / scale, radius / scale  # rewards of any size, without overflow
    nu = max(float(np.max(c / target - poles)), norm(c) / target - float(poles.max()), 0.0)
    for _ in range(_NEWTON_STEPS):
        z = c / (poles + nu)
        length = norm(z)
        following = nu + (length - target) / target / float(np.sum((z / length) ** 2 / (poles + nu)))
        if not following > nu:
            break
        nu = following
    return nu
