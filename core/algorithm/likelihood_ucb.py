"""LikelihoodUCB: optimism on a confidence set from likelihood ratios, which certifies its regret as it goes."""

from __future__ import annotations

import numpy as np
from glbcheck.core.algorithm.certificate import Certificate, RegretCertifier
from glbcheck.core.algorithm.checks import checked_arms, checked_reward, checked_vector
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.extras import note_reference
from glbcheck.core.family import Family
from glbcheck.core.theory.parameters import parameters
from glbcheck.core.tolerances import UNIT
from numpy.typing import ArrayLike


class LikelihoodUCB:
    """Pulls the arm of largest <x, θ> over the likelihood-ratio set for corruption up to C.

    With `share > 0` a cheaper learner chooses, as long as what its pulls may have cost stays below `share` times what
    the optimistic pulls may have cost.  `restarts=True` also keeps sets that begin later: they are narrower after many
    rounds, and take several times the work.  `certificate(c)` says what the regret of all pulls so far is at most, for
    any c <= C.
    """

    def __init__(
        self,
        family: Family,
        d: int,
        S: float,
        delta: float = 0.05,
        C: float = 0.0,
        share: float = 0.0,
        *,
        restarts: bool = False,
    ) -> None:
        note_reference()
        p = parameters(family, d, S, delta, C)
        if not 0 <= share < np.inf:
            raise BadInput("share", share, "a finite share >= 0 of the cost of optimistic pulls; 0 for none")
        self.family, self.d, self.share = family, p.d, float(share)
        self._certifier = RegretCertifier(family, p.d, p.S, p.delta, p.C, restarts=restarts, share=self.share)

    @property
    def t(self) -> int:
        """The number of the coming round, from 1."""
        return self._certifier.rounds + 1

    @property
    def theta(self) -> Floats:
        """The centre of the confidence set."""
        return self._certifier.theta

    def interval(self, x: ArrayLike, C: float | None = None) -> tuple[float, float]:
        """An interval for <x, θ*>, if the corruption so far is at most C."""
        return self._certifier.interval(np.array(checked_vector("x", x, self.d, UNIT)), C)

    def select(self, arms: ArrayLike, dispersion: float | None = None) -> int:
        """The arm to pull.  Every `select` is a pull, and counts in the certificate."""
        told = None if dispersion is None else self.family.check_dispersion(dispersion)
        return self._certifier.choose(np.array(checked_arms(arms, self.d), order="C"), told)

    def update(self, x: ArrayLike, reward: float, dispersion: float = 1.0) -> None:
        """Learn from the reward of the arm that was selected; its dispersion was fixed before the reward."""
        point, g = np.array(checked_vector("x", x, self.d, UNIT)), self.family.check_dispersion(dispersion)
        self._certifier.learn(point, checked_reward(reward), g)

    def certificate(self, C: float | None = None) -> Certificate:
        """What the regret so far is at most, if the corruption so far is at most C (by default the largest)."""
        return self._certifier.certificate(C)
