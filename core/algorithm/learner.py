"""HCW-GLB-OMD as people call it: arguments checked, then the compiled step, or the reference where numba is missing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from glbcheck.core.algorithm.checks import (
    checked_arms,
    checked_reward,
    checked_rewards,
    checked_start,
    checked_vector,
    length_of_start,
    usual_dispersions,
)
from glbcheck.core.algorithm.confidence_set import ConfidenceSet
from glbcheck.core.algorithm.matrices import norm
from glbcheck.core.algorithm.reference import ReferenceLearner, Round, State, first_state
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.extras import is_installed, note_reference
from glbcheck.core.family import Family
from glbcheck.core.theory.constants import Reading
from glbcheck.core.theory.parameters import Index, Parameters, RadiusForm, parameters
from glbcheck.core.tolerances import UNIT
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from glbcheck.core.algorithm.compiled import CompiledLearner

Flags = NDArray[np.bool_]


def _not_ready(*arguments: object) -> NoReturn:
    """In place of a compiled function until arguments have been checked once."""
    raise TypeError


def _compiled(p: Parameters) -> CompiledLearner:
    from glbcheck.core.algorithm.compiled import CompiledLearner

    return CompiledLearner(p)


def _of_step(name: str, doc: str) -> Any:
    """What the step knows by this name, as an array of the caller's own."""

    def found(learner: HCWGLBOMD) -> Any:
        value = getattr(learner._step, name)
        return value.copy() if isinstance(value, np.ndarray) else value

    return property(found, doc=doc)


class HCWGLBOMD:
    """The learner of algorithm:CW-GLB-OMD.

    Parameters are the paper's.  `R_s` and `L_mu` default to the certified constants of the family on [-S, S].
    `index="closed-form"` drops Θ from the choice of the arm, with the same bound on regret,
    `radius_form="determinant"` uses log det H_t instead of its bound, `constants` says whose λ and β_t are used;
    `local` are those of the theorem around [-S, S], and `sharpest` chooses everything that the theorems leave free by
    minimising the regret bound that is proved, for `horizon` rounds and rewards whose dispersion lies in the range
    `dispersions`; `guarantee` prints it.  `eta`, `lam` and `radius_scale` are for tuning by hand; `guarantee` then
    says that there is none.  `diagnose=True` also decides Θ ⊂ C_t in every round.

    Not for several threads at once: `update` reads the state and replaces it (`core.learner.Learner` has a lock).
    """

    def __init__(
        self,
        family: Family,
        d: int,
        S: float,
        delta: float = 0.05,
        C: float = 0.0,
        alpha: float | None = None,
        theta0: ArrayLike | None = None,
        *,
        R_s: float | None = None,
        L_mu: float | None = None,
        eta: float | None = None,
        lam: float | None = None,
        radius_scale: float | None = None,
        constants: Reading = "paper",
        index: Index | None = None,
        radius_form: RadiusForm | None = None,
        horizon: float | None = None,
        dispersions: tuple[float, float] = (1.0, 1.0),
        diagnose: bool = False,
    ) -> None:
        found = parameters(
            family, d, S, delta, C, alpha,
            R_s=R_s, L_mu=L_mu, eta=eta, lam=lam, radius_scale=radius_scale,
            reading=constants, index=index, radius_form=radius_form,
            horizon=horizon, dispersions=dispersions, start=length_of_start(theta0),
        )  # fmt: skip
        self._start(found, checked_start(theta0, d, found.S), diagnose)

    @classmethod
    def with_parameters(cls, p: Parameters) -> HCWGLBOMD:
        """The learner before its first round, from parameters that are there already; θ_1 = 0."""
        made = cls.__new__(cls)
        made._start(p, np.zeros(p.d), diagnose=False)
        return made

    def _start(self, p: Parameters, theta: Floats, diagnose: bool) -> None:
        note_reference()
        self.parameters, self.diagnose = p, diagnose
        self._stand_on(_compiled(p) if is_installed("numba") else ReferenceLearner.starting(p, theta))
        if theta.any():
            self.become(first_state(p, theta))

    def _stand_on(self, step: CompiledLearner | ReferenceLearner) -> None:
        self._step = step
        self._numbers: Floats = np.zeros(0)
        self._room: Floats = np.zeros((0, 0))
        self._choose: Any = _not_ready
        self._observe: Any = _not_ready
        self._set: tuple[int, ConfidenceSet] | None = None
        self._least, self._most = usual_dispersions(self.parameters)

    def _prepare(self) -> None:
        """After the first checked arguments: the compiled functions in place."""
        if not isinstance(self._step, ReferenceLearner):
            self._numbers, self._room = self._step.numbers, self._step.room
            self._choose, observe = self._step.entries()
            self._observe = _not_ready if self.diagnose else observe

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_choose": _not_ready, "_observe": _not_ready}

    # --- the state at the current round ---------------------------------------------------------------

    t: int = property(lambda self: self._step.rounds + 1, doc="The number of the coming round, from 1.")  # type: ignore[assignment]
    theta: Floats = _of_step("theta", "θ_t.")
    H: Floats = _of_step("H", "H_t.")
    beta: float = _of_step("beta", "β_t(δ).")
    radius: float = _of_step("radius", "β_t(δ) + 2 η α C.")
    logdet: float = _of_step("logdet", "log(det H_t / det H_1).")
    spent: float = _of_step("spent", "What pulls that were proposed whatever their index may have cost.")

    @property
    def state(self) -> State:
        """All that a learner with these parameters needs to go on; what it holds is not to be changed."""
        return self._step.state

    @property
    def guarantee(self) -> str:
        return self.parameters.guarantee

    @property
    def confidence_set(self) -> ConfidenceSet:
        """C_t(δ)."""
        rounds = self._step.rounds
        if self._set is None or self._set[0] != rounds:
            p = self.parameters
            self._set = rounds, ConfidenceSet(self.theta, self.H, self.radius, p.S, p.lam)
        return self._set[1]

    def become(self, state: State) -> None:
        """Go on from a state that a learner with these parameters was in; `core.learner` checks what it restores."""
        self._step.become(state)
        self._set = None

    # --- one round ------------------------------------------------------------------------------------

    def select(self, arms: ArrayLike) -> int:
        """The arm of largest optimistic value; of equals the one of largest ‖x‖ in H_t⁻¹, and of these the first."""
        if arms.__class__ is np.ndarray:
            try:
                chosen: int = self._choose(self._numbers, self._room, arms)
                if chosen >= 0:
                    return chosen
            except TypeError:  # not an array of floats, or the first round
                pass
        return self._select(checked_arms(arms, self.parameters.d))

    def choose_among(self, arms: Floats, alone: bool = False) -> int:
        """What `select` returns, if the compiled choice can tell at once; else, or if `alone` and arms tie, -1."""
        try:
            chosen = int(self._choose(self._numbers, self._room, arms))
        except TypeError:
            return -1
        return -1 if alone and not self._stands_alone() else chosen

    def _stands_alone(self) -> bool:
        """Was the latest arm chosen by its index, without a tie?"""
        return not isinstance(self._step, ReferenceLearner) and bool(self._step.tied == 1)

    def _select(self, points: Floats) -> int:
        """The choice among checked arms."""
        chosen = self._step.choose(np.array(points, order="C"))
        self._prepare()
        return chosen

    def propose(self, points: Floats, free: Flags | None = None, coming: Floats | None = None) -> int | None:
        """An arm that is pulled whatever its index; None, but for a learner with a scout (`core.algorithm.scouted`)."""
        return None

    def index(self, points: Floats) -> tuple[Floats, float]:
        """The optimistic values of checked arms, and the size that ties are measured by; any maximiser will do."""
        seen = self.confidence_set
        return seen.values(points) if self.parameters.index == "exact" else seen.closed_form(points)

    def weight(self, x: ArrayLike, dispersion: float = 1.0) -> float:
        """eq:corrupted-loss: the w_t that an observation at x would get now."""
        p = self.parameters
        point = checked_vector("x", x, p.d, UNIT)
        return self._step.weight(point, p.family.check_dispersion(dispersion))

    def curvature(self, x: Floats) -> float:
        """What a reward of dispersion 1 at a checked x would multiply x xᵀ by in H, at the θ of now."""
        return self._step.curvature(x)

    def trust(self, x: Floats, dispersion: float) -> float:
        """α g / ‖x‖ in H_t⁻¹, which goes on where the weight stops at 1; what an adversary may look at."""
        length = norm(self.confidence_set.whitener @ x)
        return self.parameters.alpha * dispersion / length if length else math.inf

    def update(self, x: ArrayLike, reward: float, dispersion: float = 1.0) -> Round:
        """Learn from the (corrupted) reward of arm x; θ_{t+1} and H_{t+1} become the current ones."""
        plain = x.__class__ is np.ndarray and reward.__class__ is float and dispersion.__class__ is float
        if plain and self._least <= dispersion <= self._most:
            try:
                done: tuple[Any, ...] = self._observe(self._numbers, x, reward, dispersion)
                if done[0]:
                    return tuple.__new__(Round, done)
            except TypeError:
                pass
        return self._update(x, reward, dispersion)

    def _update(self, x: ArrayLike, reward: float, dispersion: float) -> Round:
        """The same with every argument looked at."""
        point = np.array(checked_vector("x", x, self.parameters.d, UNIT))
        observed, g = checked_reward(reward), self.promised(dispersion)
        if not math.isfinite(self._step.inverse_g + 1 / g):
            raise BadInput("dispersion", dispersion, "dispersions whose inverses have a finite sum")
        covers = self.confidence_set.covers_ball() if self.diagnose else None
        done = self._step.observe(point, observed, g)
        self._prepare()
        return done._replace(covers_ball=covers)

    def learn(self, contexts: ArrayLike, rewards: ArrayLike, dispersions: ArrayLike = 1.0) -> None:
        """Learn from many rows, in their order; all are checked before the first is learnt from."""
        points = np.array(checked_arms(contexts, self.parameters.d, "contexts"))
        values, given = checked_rewards(rewards, len(points)), np.asarray(dispersions)
        for g in set(given.ravel().tolist()):
            self.promised(g)
        spread = np.array(np.broadcast_to(given.astype(float), values.shape))
        if not math.isfinite(self._step.inverse_g + float(np.sum(1 / spread))):
            raise BadInput("dispersions", "these", "dispersions whose inverses have a finite sum")
        if self.diagnose or isinstance(self._step, ReferenceLearner):
            for x, reward, g in zip(points, values, spread, strict=True):
                self.update(x, float(reward), float(g))
        else:
            self._step.learn(points, values, spread)

    def promised(self, dispersion: float) -> float:
        """The dispersion, refused if the family or the constants do not allow it."""
        if dispersion.__class__ is float and self._least <= dispersion <= self._most:
            return dispersion
        return self.parameters.promised(self.parameters.family.check_dispersion(dispersion))
