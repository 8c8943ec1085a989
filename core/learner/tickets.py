"""Pulls whose rewards are on their way, and the order in which rewards are learnt from.

A reward is on its way until it is learnt from, even if it has come; what may depend on it says which order is sound
(claim `order_of_updates`, and the table in docs/learner.md).  In the order of `arrival` delays may not depend on
rewards on their way; with `pulled` a reward waits for those of all pulls before it, and then they may.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from operator import index
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from glbcheck.core.errors import BadInput
from glbcheck.core.learner.fields import Fields

Order: TypeAlias = Literal["arrival", "pulled"]


class Ticket(NamedTuple):
    """A pull: its number, from 1, the place of the arm among those offered, and what is needed to learn from it."""

    number: int
    arm: int
    x: tuple[float, ...]
    logdet: float  # log(det H_t / det H_1) when it was chosen
    # About what x xᵀ will be multiplied by in H; decides ties among later pulls, and nothing else.
    curvature: float = 0.0

    def __index__(self) -> int:
        return self.number


class Arrived(NamedTuple):
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

    def issue(self, arm: int, x: tuple[float, ...], logdet: float, curvature: float = 0.0) -> Ticket:
        self.issued += 1
        self.open[self.issued] = ticket = Ticket(self.issued, arm, x, logdet, curvature)
        return ticket

    def find(self, ticket: Ticket | int) -> Ticket:
        """The open ticket of this number whose reward has not come."""
        try:
            number = None if isinstance(ticket, bool) else index(ticket)  # also as arrays and tables have whole numbers
        except TypeError:
            number = None
        state = None
        if number is None:
            state = "is no whole number"
        elif number not in self.open or number in self.early:
            known = 1 <= number <= self.issued
            state = "one has had its reward, was given up, or was lost in a crash" if known else "one was never issued"
        if number is None or state:
            raise BadInput("ticket", ticket, f"an open ticket or its number; this {state}")
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

    def as_dict(self) -> dict[str, Any]:
        return {
            "order": self.order, "issued": self.issued,
            "open": [[ticket.number, ticket.arm, ticket.logdet, *ticket.x] for ticket in self.open.values()],
            "curvatures": [ticket.curvature for ticket in self.open.values()],
            "early": [[one.ticket.number, one.reward, one.dispersion] for one in self.early.values()],
        }  # fmt: skip

    def read(self, fields: Fields, d: int) -> None:
        """The tickets and rewards of a file."""
        self.issued, rows = fields.whole("issued"), fields.array("open", (-1, 3 + d)).tolist()
        known = "curvatures" in fields.saved
        curvatures = fields.array("curvatures", (len(rows),)).tolist() if known else [0.0] * len(rows)
        for (number, arm, logdet, *x), curvature in zip(rows, curvatures, strict=True):
            self.open[int(number)] = Ticket(int(number), int(arm), tuple(x), logdet, curvature)
        for number, reward, dispersion in fields.array("early", (-1, 3)).tolist():
            if number not in self.open:
                raise fields.refuse("early", "rewards of open tickets")
            self.arrive(Arrived(self.open[int(number)], reward, dispersion))
