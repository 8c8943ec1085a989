"""What a `Learner` has beside its algorithm, written down and read again: columns, tickets, the monitor."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from typing import Any

from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.learner import saving
from glbcheck.core.learner.front import Learner
from glbcheck.core.learner.monitor import Monitor
from glbcheck.core.learner.states import numbers, real, text, whole
from glbcheck.core.learner.tickets import Arrived, Desk, Ticket
from glbcheck.core.observed import checked_reward, checked_vector
from glbcheck.core.parameters import Parameters
from glbcheck.core.tolerances import UNIT

_PATH = str | os.PathLike[str]


def save(learner: Learner | HCWGLBOMD, path: _PATH) -> None:
    """Write the learner to a file, in one piece; tickets stay open and keep their numbers."""
    if isinstance(learner, HCWGLBOMD):
        saving.write(path, learner.parameters, learner.state)
        return
    with learner.lock:
        saving.write(path, learner.algorithm.parameters, learner.algorithm.state, service=_described(learner))


def restore(path: _PATH, family: Family | None = None) -> Learner:
    """The learner that was saved, to the last bit; `family` is needed for one that is not of the catalogue."""
    p, state, document = saving.read(path, family)
    algorithm = HCWGLBOMD.with_parameters(p)
    algorithm.become(state)
    saved = document.get("service")
    return Learner(algorithm, watch=None) if saved is None else _read(_Fields("service", saved), algorithm)


def _described(learner: Learner) -> dict[str, Any]:
    desk = learner.desk
    return {
        "columns": None if learner.columns is None else list(learner.columns),
        "scales": None if learner.scales is None else learner.scales.tolist(),
        "order": desk.order, "issued": desk.issued, "staleness": learner.staleness,
        "optimistic": learner.optimistic,
        "open": [[ticket.number, ticket.arm, ticket.logdet, *ticket.x] for ticket in desk.open.values()],
        "early": [[one.ticket.number, one.reward, one.dispersion] for one in desk.early.values()],
        "monitor": None if learner.monitor is None else learner.monitor.as_dict(),
    }  # fmt: skip


class _Fields:
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
        found = numbers(f"{self.name}.{key}", self.saved.get(key), (-1, width))
        return [[float(value) for value in row] for row in found]

    def refuse(self, key: str, accepted: str) -> BadInput:
        return BadInput(f"{self.name}.{key}", self.saved.get(key), accepted)


def _read(fields: _Fields, algorithm: HCWGLBOMD) -> Learner:
    p, saved = algorithm.parameters, fields.saved
    order: Any = saved.get("order")
    made = Learner(algorithm, columns=saved.get("columns"), scales=saved.get("scales"), order=order, watch=None)
    made.staleness = fields.real("staleness")
    if not 1 <= made.staleness <= math.exp(algorithm.state.logdet / 2) * UNIT:
        raise fields.refuse("staleness", "a root of a ratio of determinants that H allows")
    made.optimistic = saved.get("optimistic", False)  # a file that does not say may have had distinct batches
    if not isinstance(made.optimistic, bool):
        raise fields.refuse("optimistic", "true or false")
    _fill(fields, made.desk, p)
    if saved.get("monitor") is not None:
        made.monitor = _monitor(_Fields("service.monitor", saved["monitor"]), p)
    return made


def _fill(fields: _Fields, desk: Desk, p: Parameters) -> None:
    desk.issued = fields.whole("issued")
    for number, arm, logdet, *x in fields.rows("open", 3 + p.d):
        if number != int(number) or not 1 <= number <= desk.issued or arm != int(arm) or arm < 0 or number in desk.open:
            raise fields.refuse("open", f"tickets with different numbers up to {desk.issued}, and places of arms")
        checked_vector("service.open", x, p.d, UNIT)
        desk.open[int(number)] = Ticket(int(number), int(arm), tuple(x), logdet)
    for number, reward, dispersion in fields.rows("early", 3):
        if number not in desk.open or number in desk.early:
            raise fields.refuse("early", "rewards of open tickets")
        g = p.promised(p.family.check_dispersion(dispersion, "service.early"))
        desk.early[int(number)] = Arrived(desk.open[int(number)], checked_reward(reward), g)


def _monitor(fields: _Fields, p: Parameters) -> Monitor:
    saved: Mapping[str, Any] = fields.saved
    rounds = fields.whole("rounds")
    fields.whole("due")
    for key in ("delta", "size", "running", "impossible"):
        fields.real(key)
    numbers("service.monitor.rows", saved.get("rows"), (rounds, p.d + 2))
    numbers("service.monitor.theta", saved.get("theta"), (p.d,))
    made = Monitor(p, fields.real("delta"))
    numbers("service.monitor.logs", saved.get("logs"), (made.rivals.count,))
    rivals = _Fields("service.monitor.rivals", saved.get("rivals"))
    memories = len(made.rivals.v)
    numbers("service.monitor.rivals.v", rivals.saved.get("v"), (memories, p.d + 1))
    numbers("service.monitor.rivals.G", rivals.saved.get("G"), (memories, p.d + 1, p.d + 1))
    alarm = saved.get("alarm")
    if alarm is not None:
        if not isinstance(alarm, list) or len(alarm) != 2:
            raise fields.refuse("alarm", "a round and a reason")
        whole("service.monitor.alarm", alarm[0])
        text("service.monitor.alarm", alarm[1])
    made.become(saved)
    return made
