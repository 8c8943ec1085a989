"""What a `Learner` has beside its algorithm, written down and read again: columns, tickets, the monitor."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.algorithm.checks import checked_reward, checked_vector
from glbcheck.core.algorithm.scouted import Scouted
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.learner import saving
from glbcheck.core.learner.fields import Fields, check_monitor
from glbcheck.core.learner.front import Learner
from glbcheck.core.learner.monitor import Monitor, checked_rate
from glbcheck.core.learner.states import ROUNDED, largest_slope, whole
from glbcheck.core.learner.tickets import Arrived, Desk, Ticket
from glbcheck.core.parameters import Parameters
from glbcheck.core.tolerances import UNIT

_PATH = str | os.PathLike[str]


def save(learner: Learner | HCWGLBOMD, path: _PATH) -> None:
    """Write the learner to a file, in one piece; tickets stay open and keep their numbers."""
    if isinstance(learner, HCWGLBOMD):
        saving.write(path, learner.parameters, learner.state)
        return
    if not isinstance(learner, Learner):
        raise BadInput("learner", learner, "a Learner or an HCWGLBOMD")
    with learner.lock:
        saving.write(path, learner.algorithm.parameters, learner.algorithm.state, service=_described(learner))


def restore(path: _PATH, family: Family | None = None, *, issued: int = 0) -> Learner:
    """The learner that was saved, to the last bit; `family` is needed for one that is not of the catalogue.

    `issued` is the largest number of a ticket that has left the house, if some were issued after the file was written:
    the learner knows nothing of these pulls, and must not give their numbers to others.
    """
    p, state, document = saving.read(path, family)
    algorithm = (Scouted if p.scout else HCWGLBOMD).with_parameters(p)
    algorithm.become(state)
    saved = document.get("service")
    made = Learner(algorithm, watch=None) if saved is None else _read(Fields("service", saved), algorithm)
    given = int(issued) if isinstance(issued, np.integer) else issued  # as tables have whole numbers
    made.desk.issued = max(made.desk.issued, whole("issued", given))
    return made


def _described(learner: Learner) -> dict[str, Any]:
    desk = learner.desk
    return {
        "columns": None if learner.columns is None else list(learner.columns),
        "scales": None if learner.scales is None else learner.scales.tolist(),
        "order": desk.order, "issued": desk.issued, "staleness": learner.staleness,
        "optimistic": learner.optimistic, "taught": learner.taught,
        "open": [[ticket.number, ticket.arm, ticket.logdet, *ticket.x] for ticket in desk.open.values()],
        "curvatures": [ticket.curvature for ticket in desk.open.values()], "coming": learner.coming.tolist(),
        "early": [[one.ticket.number, one.reward, one.dispersion] for one in desk.early.values()],
        "monitor": None if learner.monitor is None else learner.monitor.as_dict(),
    }  # fmt: skip


def _read(fields: Fields, algorithm: HCWGLBOMD) -> Learner:
    p, saved = algorithm.parameters, fields.saved
    order: Any = saved.get("order")
    made = Learner(algorithm, columns=saved.get("columns"), scales=saved.get("scales"), order=order, watch=None)
    made.staleness = fields.real("staleness")
    if not 1 <= made.staleness <= math.exp(algorithm.state.logdet / 2) * UNIT:
        raise fields.refuse("staleness", "a root of a ratio of determinants that H allows")
    made.optimistic = saved.get("optimistic", False)  # a file that does not say may have had distinct batches
    if not isinstance(made.optimistic, bool):
        raise fields.refuse("optimistic", "true or false")
    made.taught = fields.whole("taught") if "taught" in saved else algorithm.state.rounds  # it may have been
    if made.taught > algorithm.state.rounds:
        raise fields.refuse("taught", f"a number of rows up to {algorithm.state.rounds}, all that were learnt from")
    _read_open(fields, made.desk, p, algorithm.state.logdet)
    made.coming = _coming(fields, made.desk, p)
    _read_early(fields, made.desk, p)
    if saved.get("monitor") is not None:
        made.monitor = _monitor(Fields("service.monitor", saved["monitor"]), p, algorithm.state.rounds)
    return made


def _read_open(fields: Fields, desk: Desk, p: Parameters, logdet_now: float) -> None:
    desk.issued, last = fields.whole("issued"), 0.0
    for number, arm, logdet, *x in fields.rows("open", 3 + p.d):
        if number != int(number) or not last < number <= desk.issued or arm != int(arm) or arm < 0:
            raise fields.refuse("open", f"tickets with rising numbers up to {desk.issued}, and places of arms")
        if not 0 <= logdet <= logdet_now:
            raise fields.refuse("open", f"tickets whose log(det H) is one that there was, from 0 to {logdet_now:.9g}")
        checked_vector("service.open", x, p.d, UNIT)
        desk.open[int(number)], last = Ticket(int(number), int(arm), tuple(x), logdet), number


def _read_early(fields: Fields, desk: Desk, p: Parameters) -> None:
    for number, reward, dispersion in fields.rows("early", 3):
        if number not in desk.open or number in desk.early:
            raise fields.refuse("early", "rewards of open tickets")
        g = p.promised(p.family.check_dispersion(dispersion, "service.early"))
        desk.early[int(number)] = Arrived(desk.open[int(number)], checked_reward(reward, "service.early"), g)
    if desk.early and desk.order == "arrival":
        raise fields.refuse("early", "nothing: in the order of arrival no reward waits")


def _coming(fields: Fields, desk: Desk, p: Parameters) -> Floats:
    """The sum of what the open tickets will add to H, as it was; without it ties are broken by H alone."""
    if "coming" not in fields.saved:
        return np.zeros((p.d, p.d))
    curvatures = fields.array("curvatures", (len(desk.open),))
    steepest = largest_slope(p)
    if not ((curvatures >= 0) & (curvatures <= steepest * (1 + ROUNDED))).all():
        raise fields.refuse("curvatures", f"slopes times weights, from 0 to {steepest:.9g}")
    for ticket, curvature in zip(list(desk.open.values()), curvatures.tolist(), strict=True):
        desk.open[ticket.number] = ticket._replace(curvature=curvature)
    coming, x = fields.array("coming", (p.d, p.d)), np.array([one.x for one in desk.open.values()]).reshape(-1, p.d)
    if not np.abs(coming - x.T @ (curvatures[:, None] * x)).max() <= 1e-6 * steepest * (1 + len(x)):
        raise fields.refuse("coming", "the sum of curvatures times x xᵀ of the open tickets")
    return coming


def _monitor(fields: Fields, p: Parameters, rounds: int) -> Monitor:
    made = Monitor(p, checked_rate("service.monitor.delta", fields.saved.get("delta")))
    check_monitor(fields, made, rounds)
    made.become(fields.saved)
    return made
