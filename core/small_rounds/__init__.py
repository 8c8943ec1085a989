"""Whole runs of any algorithm in one compiled loop: rewards, rounds, the log of a run, runs on threads.

An algorithm is an `Agent`: three kernels on plain arrays (`core.small_engine` has the contract) and the arrays.
`play` plays an agent, `replicate` plays many runs, one per thread.  All algorithms that meet the same world, seed and
key see the same arms and dispersions and the same random number in each round; `rewards` makes it the reward of the arm
that is pulled.  What an arm would have paid therefore does not depend on what was pulled before.
"""

from glbcheck.core.small_rounds.run import Agent, Outcome, play, replicate, run

__all__ = ["Agent", "Outcome", "play", "replicate", "run"]
