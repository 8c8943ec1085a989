"""The learner behind a counter: contexts come as they are, rewards when they come, and nothing is lost at a restart."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.algorithm.checks import checked_arms, checked_reward
from glbcheck.core.algorithm.confidence_set import most_uncertain
from glbcheck.core.algorithm.matrices import cholesky, inverse_factor
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.learner import tables
from glbcheck.core.learner.fields import Fields
from glbcheck.core.learner.monitor import Alarm, Monitor, checked_rate
from glbcheck.core.learner.tickets import Arrived, Desk, Order, Ticket
from glbcheck.core.tolerances import LARGEST_REWARD
from numpy.typing import ArrayLike

MOST_MOVES = 1000  # pulls and rewards that wait to be summed


class Learner:
    """Tickets, tables, a lock and a monitor around `HCWGLBOMD`.

        learner = Learner(HCWGLBOMD(family, d=3, S=2.0, C=10.0, constants="sharpest"))
        ticket = learner.choose(arms)              # arms: an array or a table, one row for each arm
        learner.reward(ticket, 1.0)                # at once, or after any number of other pulls

    `columns` names the columns of tables in the order of θ (without it the first table does); they are found by name
    in every later one.  `scales` divides the columns, so that arms have norm at most 1.  `order` says in which order
    rewards are learnt from (`tickets` says when which is sound), `watch` is the false-alarm rate of the monitor, or
    None for no monitor.  Every method holds one lock: threads may share a learner, processes may not.

    The confidence sets hold for delayed rewards under the conditions of claim `order_of_updates`.  The regret of the
    pulls whose rewards were learnt from is at most `regret_bound()` with probability 1 - δ, in which `staleness` says
    what the delays cost (claims `regret_with_delayed_rewards`, `scouting_with_delayed_rewards`).
    """

    def __init__(
        self, algorithm: HCWGLBOMD, *, columns: Sequence[str] | None = None, scales: ArrayLike | None = None,
        order: Order = "arrival", watch: float | None = 0.01,
    ) -> None:  # fmt: skip
        if not isinstance(algorithm, HCWGLBOMD):
            raise BadInput("algorithm", algorithm, "a learner such as HCWGLBOMD(catalog.get('bernoulli'), d=3, S=2.0)")
        d = algorithm.parameters.d
        self.algorithm = algorithm
        self.columns = tables.checked_columns(columns, d)
        self.scales = tables.checked_scales(scales, d)
        self.desk = Desk(order)
        self.monitor = None if watch is None else Monitor(algorithm.parameters, checked_rate("watch", watch))
        self._coming = np.zeros((d, d))  # see `coming`
        self._moves: list[tuple[float, tuple[float, ...]]] = []  # what is not in it yet
        self.staleness = 1.0  # the largest √(det H at the update / det H at the pull) of any pull
        self.optimistic = True  # every pull had the largest index of what was offered, or was paid for
        self.taught = 0  # rows that others have pulled
        self.lock = threading.RLock()

    @classmethod
    def as_it_was(cls, algorithm: HCWGLBOMD, saved: Any) -> Learner:
        """The learner that was saved around this algorithm, from what `as_dict` has written."""
        fields, p = Fields("service", saved), algorithm.parameters
        columns, scales, order = (saved.get(name) for name in ("columns", "scales", "order"))
        made = cls(algorithm, columns=columns, scales=scales, order=order, watch=None)
        made.staleness, made.optimistic = fields.real("staleness"), saved.get("optimistic") is True
        # Where an older file does not say, all rows may have been others', and batches distinct.
        made.taught = fields.whole("taught") if "taught" in saved else algorithm.t - 1
        made.desk.read(fields, p.d)
        if "coming" in saved:  # without it ties are broken by H alone
            made._coming = fields.array("coming", (p.d, p.d))
        if saved.get("monitor") is not None:
            made.monitor = Monitor.as_it_was(p, fields.part("monitor"))
        return made

    def as_dict(self) -> dict[str, Any]:
        """All that a file must say beside the algorithm."""
        return {
            "columns": None if self.columns is None else list(self.columns),
            "scales": None if self.scales is None else self.scales.tolist(),
            "staleness": self.staleness, "optimistic": self.optimistic, "taught": self.taught,
            "coming": self.coming.tolist(), "monitor": None if self.monitor is None else self.monitor.as_dict(),
            **self.desk.as_dict(),
        }  # fmt: skip

    def __repr__(self) -> str:
        p, learnt = self.algorithm.parameters, self.algorithm.t - 1
        algorithm = f"{type(self.algorithm).__name__}({p.family.name}, d={p.d}, S={p.S:g}, C={p.C:g})"
        alarm = f"alarm at reward {self.alarm.round}" if self.alarm else "no alarm"
        return f"<Learner {algorithm}: {learnt} rewards learnt from, {len(self.pending)} open, {alarm}>"

    # --- pulls --------------------------------------------------------------------------------------------

    def choose(self, arms: tables.Table) -> Ticket:
        """Pull one of these arms; `ticket.arm` is its row."""
        if arms.__class__ is np.ndarray and self.scales is None:
            with self.lock:
                late = bool(self.desk.open)  # then a scout, and a tie, must know what is on its way
                if not (late and self.algorithm.parameters.scout):
                    chosen = self.algorithm.choose_among(arms, alone=late)
                    if chosen >= 0:
                        return self._issue(chosen, arms[chosen])
        return self.choose_batch(arms, 1)[0]

    def choose_batch(self, arms: tables.Table, count: int, *, distinct: bool = False) -> list[Ticket]:
        """Several pulls before any of their rewards; with `distinct` each is the best of the arms not yet taken.

        Without `distinct` each has the largest index.  Of equals the one is taken that is least known once all pulls on
        their way have been learnt from, so that a batch spreads where the theory leaves the choice.  With `distinct`
        the confidence sets hold as before, but a pull that has not the largest index of what was offered, nor is paid
        for by the allowance of a scout, may cost what it likes: `regret_bound` is None from then on.
        """
        with self.lock:
            points = self._points("arms", arms)
            whole = isinstance(count, int | np.integer) and not isinstance(count, bool)
            if not whole or not 1 <= count <= (len(points) if distinct else count):
                most = f"from 1 to {len(points)}" if distinct else ">= 1"
                raise BadInput("count", count, f"a whole number {most}")
            free, tickets = np.ones(len(points), dtype=bool), []
            for _ in range(count):
                chosen = self.algorithm.propose(points, free, self.coming)
                if chosen is None:
                    self.optimistic &= bool(free.all())
                    values, scale = self.algorithm.index(points)
                    chosen = most_uncertain(np.where(free, values, -np.inf), scale, self._norms(points))
                tickets.append(self._issue(chosen, points[chosen]))
                free[chosen] = not distinct
            return tickets

    def reward(self, ticket: Ticket | int, reward: float, dispersion: float = 1.0) -> Alarm | None:
        """The reward of a pull has come; the monitor's alarm, if there is one by now."""
        with self.lock:
            known = self.desk.find(ticket)
            usual = reward.__class__ is float and -LARGEST_REWARD <= reward <= LARGEST_REWARD
            value, g = reward if usual else checked_reward(reward), self.algorithm.promised(dispersion)
            if self.desk.take(known):
                self._learn_from(known, value, g)
            else:
                self.desk.arrive(Arrived(known, value, g))
                self._settle()
            return self.alarm

    def forget(self, ticket: Ticket | int) -> None:
        """Give up a ticket whose reward will not come; rewards that waited for it alone are learnt from.

        The reason must have nothing to do with any reward not yet learnt from: neither its own, nor one that has come
        and waits.
        """
        with self.lock:
            self._left(self.desk.forget(ticket))
            self._settle()

    @property
    def pending(self) -> tuple[Ticket, ...]:
        """The pulls whose rewards have not been learnt from."""
        with self.lock:
            return tuple(self.desk.open.values())

    @property
    def awaited(self) -> tuple[Ticket, ...]:
        """The pulls whose rewards have not come; with the order `pulled` more may be pending."""
        with self.lock:
            return tuple(ticket for number, ticket in self.desk.open.items() if number not in self.desk.early)

    # --- what others have seen ----------------------------------------------------------------------------

    def learn(self, contexts: tables.Table, rewards: ArrayLike, dispersions: ArrayLike = 1.0) -> Alarm | None:
        """A warm start: logged rows, in the order in which they were logged, whoever chose the arms.

        The confidence sets use them in full and hold as before, if each row's arm was chosen without knowledge of its
        reward (rows selected by their rewards break it), if each row enters once, and if C covers the corruption of
        these rows together with that of all other rewards.  Until they are learnt from their rewards are on their way,
        like those of tickets.  The regret bound then counts these rows among its rounds and bounds the regret of the
        pulls of this learner among them.
        """
        with self.lock:
            points = self._points("contexts", contexts)
            values = tables.entries("rewards", rewards, len(points), beside=contexts)
            spread = tables.entries("dispersions", dispersions, len(points), repeat=True, beside=contexts)
            self.algorithm.learn(points, values, spread)
            self.taught += len(points)
            if self.monitor is not None:
                for x, value, g in zip(points, values, spread, strict=True):
                    self.monitor.take(x, float(value), float(g))
            return self.alarm

    # --- what is known ------------------------------------------------------------------------------------

    @property
    def alarm(self) -> Alarm | None:
        """What the monitor has to say; None is nothing so far, or no monitor."""
        return None if self.monitor is None else self.monitor.alarm

    @property
    def guarantee(self) -> str:
        """That of the algorithm, whose bound on the regret is for its own pulls, with rewards at once."""
        said, p = self.algorithm.guarantee, self.algorithm.parameters
        if p.choice is None or p.tuned or (self.optimistic and self.staleness == 1 and not self.taught):
            return said
        left = "regret_bound() says what is left" if self.optimistic else "a distinct batch has left no bound"
        return f"{said}, if rewards come at once, no rows are others' and no batch is distinct: here {left}"

    def regret_bound(self) -> float | None:
        """What the regret of the pulls learnt from is at most, with probability 1 - δ; None without a theorem.

        So after a `distinct` batch of several pulls: they need not have had the largest index.
        """
        with self.lock:
            p, rounds = self.algorithm.parameters, self.algorithm.t - 1
            if p.choice is None or p.tuned or not self.optimistic:
                return None
            variance = p.L_mu * p.choice.problem.g_max * rounds
            most = p.choice.problem.link.span * rounds
            own = p.choice.regret_bound_from(self.algorithm.logdet, variance, self.staleness)
            return min(most, own + self.algorithm.spent)

    # --- inside -------------------------------------------------------------------------------------------

    def _points(self, argument: str, rows: tables.Table) -> Floats:
        d, names, columns = self.algorithm.parameters.d, tables.names_of(rows), self.columns
        if names is not None and columns is None:
            columns = tables.checked_columns(names, d)
        plain = tables.scaled(argument, tables.matrix(argument, rows, columns), self.scales)
        points = checked_arms(plain, d, argument, " (`scales` divides the columns)")
        self.columns = columns  # a table that is refused names nothing
        return points

    def _settle(self) -> None:
        """Learn from the rewards that need not wait."""
        for arrived in self.desk.ready():
            self._learn_from(*arrived)

    def _learn_from(self, ticket: Ticket, reward: float, g: float) -> None:
        self._left(ticket)
        grown = self.algorithm.logdet - ticket.logdet
        if grown > 0:
            self.staleness = max(self.staleness, math.exp(grown / 2))
        self._learn(np.array(ticket.x), reward, g)

    def _learn(self, x: Floats, reward: float, g: float) -> None:
        self.algorithm.update(x, reward, g)
        if self.monitor is not None:
            self.monitor.take(x, reward, g)

    def _issue(self, arm: int, x: Floats) -> Ticket:
        """A ticket that knows what it would add to H, at the θ of now and for g = 1."""
        ticket = self.desk.issue(arm, tuple(x.tolist()), self.algorithm.logdet, self.algorithm.curvature(x))
        self._moves.append((ticket.curvature, ticket.x))
        return ticket

    def _left(self, ticket: Ticket) -> None:
        self._moves.append((-ticket.curvature, ticket.x))
        if not self.desk.open:
            self._moves.clear()
            self._coming = np.zeros_like(self._coming)
        elif len(self._moves) > MOST_MOVES:
            self._coming = self.coming

    @property
    def coming(self) -> Floats:
        """About what the open tickets will add to H: summed when it is asked for."""
        for curvature, x in self._moves:
            self._coming = self._coming + curvature * np.outer(x, x)
        self._moves.clear()
        return self._coming

    def _norms(self, points: Floats) -> Floats:
        """‖x‖² in the inverse of what H is about once all pulls on their way are learnt from; for ties only."""
        expected = self.algorithm.H + self.coming
        white = points @ inverse_factor(cholesky(expected, self.algorithm.parameters.lam)).T
        return np.asarray(np.einsum("ij,ij->i", white, white))
