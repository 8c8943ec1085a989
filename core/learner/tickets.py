"""Pulls whose rewards are on their way, and the order in which rewards are learnt from.

The confidence sequence is a theorem about the sequence of *updates*: it asks that x, g, the weight and θ at an update
are known before the noise of its reward is drawn.  The weight is computed at the update, with the H of that moment.
Write the noise of pull i as U_i, independent of all else, and say that a reward is *on its way* until it is learnt
from, even if it has come: with the order `pulled` people see rewards that the learner has not learnt from.  Then all of
this holds

- in the order of `arrival`, if what has been seen and done before an update is a function of the U of the rewards that
  were learnt from before it, and of chance that has nothing to do with the U on their way.  Delays may depend on arms,
  on dispersions and on rewards learnt from, but on no reward on its way.  By induction the U on their way are still
  independent and uniform, given all of it, so the next reward has its law.
- in the order `pulled`, where a reward waits for those of all pulls before it, also if a delay depends on its own
  reward (sales are reported at once, their absence after a week): arm, dispersion and weight of update i are a function
  of U_1, ..., U_{i-1}, whatever the clock did.

In both the corruption of a reward may depend on it and on those learnt from before, not on others on their way; a
dispersion that is given when the reward comes depends on no reward on its way, its own among them; and a ticket is
given up only for a reason that has nothing to do with any reward on its way, its own or another.  Otherwise: of two
coins with heads 9 times in 10 the second comes early, and the ticket of the first is given up when that shows tails.
Laplace's prediction against the truth then has for the second coin a factor of mean 17/15, not at most 1.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from operator import index
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from glbcheck.core.algorithm.checks import checked_reward, checked_vector
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.learner.fields import Fields
from glbcheck.core.theory.parameters import Parameters
from glbcheck.core.tolerances import UNIT

Order: TypeAlias = Literal["arrival", "pulled"]


class Ticket(NamedTuple):
    """A pull: its number, from 1, the place of the arm among those offered, and what is needed to learn from it."""

    number: int
    arm: int
    x: tuple[float, ...]
    logdet: float  # log(det H_t / det H_1) when it was chosen
    # About what x xᵀ will be multiplied by in H; decides ties among later pulls, and nothing else.
    curvature: float = 0.0
    point: Floats | None = None  # x as an array, if it is at hand

    def __index__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ticket) and self[:4] == other[:4]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:4])

    def __repr__(self) -> str:
        return f"Ticket(number={self.number}, arm={self.arm}, x={self.x}, logdet={self.logdet})"

    @property
    def array(self) -> Floats:
        return np.array(self.x) if self.point is None else self.point


@dataclass(frozen=True)
class Arrived:
    """A reward that waits for those of earlier pulls."""

    ticket: Ticket
    reward: float
    dispersion: float


class Desk:
    """Open tickets in the order of their pulls, and rewards that have come too early."""

    def __init__(self, order: Order) -> None:
        if order not in get_args(Order):
            raise BadInput("order", order, " or ".join(repr(word) for word in get_args(Order)))
        self.order = order
        self.issued = 0
        self.open: OrderedDict[int, Ticket] = OrderedDict()  # a dict is slow to find its first after many have left
        self.early: dict[int, Arrived] = {}

    def issue(self, arm: int, x: Floats | tuple[float, ...], logdet: float, curvature: float = 0.0) -> Ticket:
        self.issued = number = self.issued + 1
        plain, point = (x, None) if isinstance(x, tuple) else (tuple(x.tolist()), x)
        self.open[number] = ticket = Ticket(number, arm, plain, logdet, curvature, point)
        return ticket

    def find(self, ticket: Ticket | int) -> Ticket:
        """The open ticket of this number whose reward has not come."""
        number = _number(ticket)
        if number is None:
            raise BadInput("ticket", ticket, "an open ticket or its number; this is no whole number")
        if number not in self.open or number in self.early:
            known = 1 <= number <= self.issued
            state = "has had its reward, was given up, or was lost in a crash" if known else "was never issued"
            raise BadInput("ticket", ticket, f"an open ticket or its number; this one {state}")
        found = self.open[number]
        if isinstance(ticket, Ticket) and ticket != found:
            raise BadInput("ticket", ticket, f"an open ticket or its number; number {number} is another pull here")
        return found

    def arrive(self, arrived: Arrived) -> None:
        self.early[arrived.ticket.number] = arrived

    def take(self, ticket: Ticket) -> bool:
        """Remove a ticket whose reward may be learnt from as soon as it comes."""
        if self.early or (self.order == "pulled" and next(iter(self.open)) != ticket.number):
            return False
        del self.open[ticket.number]
        return True

    def ready(self) -> Iterator[Arrived]:
        """What may be learnt from now, in order; each leaves the desk when it is handed out."""
        while self.early:
            number = next(iter(self.early if self.order == "arrival" else self.open))
            if number not in self.early:
                return
            del self.open[number]
            yield self.early.pop(number)

    def forget(self, ticket: Ticket | int) -> Ticket:
        return self.open.pop(self.find(ticket).number)

    # --- saved and restored -----------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        return {
            "order": self.order, "issued": self.issued,
            "open": [[ticket.number, ticket.arm, ticket.logdet, *ticket.x] for ticket in self.open.values()],
            "curvatures": [ticket.curvature for ticket in self.open.values()],
            "early": [[one.ticket.number, one.reward, one.dispersion] for one in self.early.values()],
        }  # fmt: skip

    def read(self, fields: Fields, p: Parameters, logdet_now: float) -> None:
        """The tickets and rewards of a file."""
        self.issued, last = fields.whole("issued"), 0
        for number, arm, logdet, *x in fields.array("open", (-1, 3 + p.d)).tolist():
            if number != int(number) or not last < number <= self.issued or arm != int(arm) or arm < 0:
                raise fields.refuse("open", f"tickets with rising numbers up to {self.issued}, and places of arms")
            if not 0 <= logdet <= logdet_now:
                raise fields.refuse("open", f"tickets with a log(det H) that there was, from 0 to {logdet_now:.9g}")
            checked_vector("service.open", x, p.d, UNIT)
            last = int(number)
            self.open[last] = Ticket(last, int(arm), tuple(x), logdet)
        if "curvatures" in fields.saved:
            known = zip(self.open.items(), fields.array("curvatures", (len(self.open),)).tolist(), strict=True)
            self.open.update({number: ticket._replace(curvature=curvature) for (number, ticket), curvature in known})
        for number, reward, dispersion in fields.array("early", (-1, 3)).tolist():
            if self.order == "arrival" or number not in self.open or number in self.early:
                raise fields.refuse("early", "rewards of open tickets, and none in the order of arrival")
            g = p.promised(p.family.check_dispersion(dispersion, "service.early"))
            self.early[int(number)] = Arrived(self.open[int(number)], checked_reward(reward, "service.early"), g)


def _number(ticket: Any) -> int | None:
    """The number of a ticket, also as arrays and tables have whole numbers."""
    try:
        return None if isinstance(ticket, bool) else index(ticket)
    except TypeError:
        return None
