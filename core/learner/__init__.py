"""The learner for those who use it: tables, tickets, delayed rewards, a monitor, files, logged data.

learner = Learner(HCWGLBOMD(catalog.get("bernoulli"), d=3, S=2.0, C=10.0, constants="sharpest"))
ticket = learner.choose(arms)
learner.reward(ticket, 1.0)
save(learner, "learner.json")
learner = restore("learner.json")
"""

from __future__ import annotations

from glbcheck.core.learner.files import restore, save
from glbcheck.core.learner.logs import Decision, decisions, decisions_of_table
from glbcheck.core.learner.monitor import Alarm, Monitor
from glbcheck.core.learner.replaying import Replayed, replay
from glbcheck.core.learner.service import Learner
from glbcheck.core.learner.tickets import Ticket

__all__ = [
    "Alarm", "Decision", "Learner", "Monitor", "Replayed", "Ticket", "decisions", "decisions_of_table", "replay",
    "restore", "save",
]  # fmt: skip
