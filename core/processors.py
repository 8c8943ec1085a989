"""How many processors this process may use."""

from __future__ import annotations

import os


def processors() -> int:
    """The processors that this process is allowed; all of the machine where the system does not say."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
