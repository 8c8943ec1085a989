"""An adversary that chooses contexts: of a round's arms it shows the learner two.

One it expects the learner to play, by its optimistic index in closed form, and one that is better by as much as
possible.  If no arm would be missed it shows a single one, that which teaches least.  It knows θ_*, and moves after
C_t is computed and before the learner chooses.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core.arrays import Floats

TIE = 1e-9  # what rounding may turn round is not relied on


def adversarial_contexts(points: Floats, index: Floats, value: Floats, norm: Floats) -> tuple[int, int]:
    """Arms (K, d) changed in place: row 0 is the arm to be played, all others the better one that it hides.

    `index` is ⟨x, θ_t⟩ + radius ‖x‖, `value` is ⟨x, θ_*⟩ and `norm` is ‖x‖², the norms in H_t⁻¹.  Returns which arms
    these two were.  One function without callees, so that a compiled loop can take it.
    """
    K, d = points.shape
    played, better, most = 0, 0, 0.0
    for k in range(K):
        for j in range(K):
            if index[k] - index[j] > TIE and value[j] - value[k] > most:
                played, better, most = k, j, value[j] - value[k]
    if most == 0.0:
        for k in range(K):
            if norm[k] < (1.0 - TIE) * norm[played]:
                played, better = k, k
    for i in range(d):
        shown, hidden = points[played, i], points[better, i]
        points[0, i] = shown
        for k in range(1, K):
            points[k, i] = hidden
    return played, better


def shown(arms: Floats, theta: Floats, theta_star: Floats, H: Floats, radius: float) -> Floats:
    """The arms of a round as the learner gets to see them."""
    offered = np.array(arms, order="C")
    norm = np.einsum("ki,ki->k", offered, np.linalg.solve(H, offered.T).T)
    adversarial_contexts(offered, offered @ theta + radius * np.sqrt(norm), offered @ theta_star, norm)
    return offered
