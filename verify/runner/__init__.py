"""One scheduler for processes, and one store for what they have finished."""

from glbcheck.verify.runner.journal import run
from glbcheck.verify.runner.progress import Progress
from glbcheck.verify.runner.scheduler import Engine, Shard, finished
from glbcheck.verify.runner.worker import Answer, Budget, Payload, Work, Worker

__all__ = ["Answer", "Budget", "Engine", "Payload", "Progress", "Shard", "Work", "Worker", "finished", "run"]
