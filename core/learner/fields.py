"""The fields of a file, read by their whole path, and what a monitor of a file must be."""

from __future__ import annotations

import math

import numpy as np
from glbcheck.core.algorithm.matrices import norm
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.learner.likeliest import Rows, loss
from glbcheck.core.learner.monitor import PATIENCE, Monitor
from glbcheck.core.learner.rivals import RIDGE
from glbcheck.core.learner.states import ROUNDED, numbers, real, text, whole
from glbcheck.core.tolerances import LARGEST_REWARD, UNIT


class Fields:
    """The fields of an object of the file; refusals name the field by its whole path."""

    def __init__(self, name: str, saved: object) -> None:
        if not isinstance(saved, dict):
            raise BadInput(name, saved, "an object, as `save` writes it")
        self.name, self.saved = name, saved

    def real(self, key: str) -> float:
        return real(f"{self.name}.{key}", self.saved.get(key))

    def whole(self, key: str) -> int:
        return whole(f"{self.name}.{key}", self.saved.get(key))

    def rows(self, key: str, width: int) -> list[list[float]]:
        found: list[list[float]] = self.array(key, (-1, width)).tolist()
        return found

    def array(self, key: str, shape: tuple[int, ...]) -> Floats:
        return numbers(f"{self.name}.{key}", self.saved.get(key), shape)

    def refuse(self, key: str, accepted: str) -> BadInput:
        return BadInput(f"{self.name}.{key}", self.saved.get(key), accepted)


def check_monitor(fields: Fields, empty: Monitor, rounds: int) -> None:
    """Refuse what no monitor is that has seen at most these rounds; its sums must be such as its rewards can give."""
    p, seen = empty.parameters, fields.whole("rounds")
    if seen > rounds:
        raise fields.refuse("rounds", f"at most the {rounds} rounds of the state")
    if not 1 <= fields.whole("due") <= math.ceil(PATIENCE * seen) + 1:
        raise fields.refuse("due", f"a round for the next search, at most {math.ceil(PATIENCE * seen) + 1}")
    rows, theta = fields.array("rows", (seen, p.d + 2)), fields.array("theta", (p.d,))
    _check_rows(fields, empty, rows)
    if not norm(theta) <= p.S * UNIT:
        raise fields.refuse("theta", f"a vector of norm at most S = {p.S:g}")
    _check_sums(fields, empty, Rows(rows[:, : p.d], rows[:, p.d], rows[:, p.d + 1]), theta)
    _check_rivals(Fields(f"{fields.name}.rivals", fields.saved.get("rivals")), empty)
    _check_alarm(fields, seen)


def _check_rows(fields: Fields, empty: Monitor, rows: Floats) -> None:
    d, most = empty.parameters.d, math.inf if empty.parameters.C == 0 else 1 + ROUNDED
    lengths, rewards, factors = np.einsum("ij,ij->i", rows[:, :d], rows[:, :d]), rows[:, d], rows[:, d + 1]
    good = (lengths <= UNIT**2) & (np.abs(rewards) <= LARGEST_REWARD) & (factors > 0) & (factors <= most)
    if not good.all():
        row = int(np.flatnonzero(~good)[0])
        accepted = "an arm of norm at most 1, its reward, and the factor w/g of its loss"
        raise BadInput(f"{fields.name}.rows[{row}]", rows[row].tolist(), accepted)


def _check_sums(fields: Fields, empty: Monitor, rows: Rows, theta: Floats) -> None:
    p, top, size = empty.parameters, empty.rivals.within.top, fields.real("size")
    # No rival says more or less of a reward than this, whatever it predicted within its reach.
    bend = abs(float(p.family.m(0.0))) + top * float(np.abs(p.family.mu(np.array([-top, top]))).max())
    most = float(np.sum(rows.factor * (np.abs(rows.reward) * top + bend)))
    if not 0 <= size <= 4 * most:
        raise fields.refuse("size", f"the size of the numbers in the sums, from 0 to {4 * most:.6g}")
    logs = fields.array("logs", (empty.rivals.count,))
    if not (np.abs(logs) <= 2 * most).all():
        raise fields.refuse("logs", f"sums over these rewards, of size at most {2 * most:.6g}")
    running = loss(p.family, rows, theta, p.S)
    if not abs(fields.real("running") - running) <= 1e-6 * (1 + most):
        raise fields.refuse("running", f"the loss of these rewards at theta, which is {running:.9g}")
    farthest = float(np.sum(np.abs(rows.reward) + empty.outside(0.0, 1.0)))
    if not 0 <= fields.real("impossible") <= 2 * farthest:
        raise fields.refuse("impossible", "how far these rewards lie outside the support")


def _check_rivals(rivals: Fields, empty: Monitor) -> None:
    shape = empty.rivals.G.shape
    rivals.array("v", shape[:2])
    G = rivals.array("G", shape)
    if not (np.allclose(G, G.transpose(0, 2, 1)) and np.linalg.eigvalsh(G).min() >= RIDGE * (1 - 1e-6)):
        raise rivals.refuse("G", f"symmetric matrices of at least {RIDGE}")


def _check_alarm(fields: Fields, rounds: int) -> None:
    alarm = fields.saved.get("alarm")
    if alarm is None:
        return
    if not isinstance(alarm, list) or len(alarm) != 2:
        raise fields.refuse("alarm", "a round and a reason")
    text("service.monitor.alarm", alarm[1])
    if not 1 <= whole("service.monitor.alarm", alarm[0]) <= rounds:
        raise fields.refuse("alarm", f"a round of the {rounds} that were watched, and a reason")
