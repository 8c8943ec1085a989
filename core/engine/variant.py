"""A learner broken on purpose, so that a check of its guarantee can be seen to fail.

Two more ways to break one need no word here: `Parameters` takes a radius scaled by hand, and a λ that is
wrong in H_1 and in the radius alike.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Variant:
    """Where a learner departs from the paper; the default nowhere.

    Without `weights` every w_t is 1, although the radius still assumes them.  Without `widening` the radius
    is β_t alone.  With `old_hessian` the curvature is taken at θ_t instead of θ_{t+1}.  A step that leaves
    the ball is then drawn back along the ray to 0 if `euclidean`, instead of in the norm of H/η + ∇².
    `ridge` multiplies λ in H_1 while the radius still assumes λ.
    """

    weights: bool = True
    widening: bool = True
    old_hessian: bool = False
    euclidean: bool = False
    ridge: float = 1.0


CORRECT = Variant()
