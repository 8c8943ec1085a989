"""The algorithm of `core.algorithm`, compiled: one interactive learner, a whole run, many runs on all cores.

The link of a family is data (`link`), a learner is one flat array (`state`), and the rounds are a few kernels
on it: `factor` keeps H, `choice` and `optimism` pick the arm, `step` learns, `attack` corrupts, `tally`
gathers, `rounds` puts them together.  `feed` prepares arms and rewards for them.
"""

from core.engine.attack import Attack
from core.engine.feed import World
from core.engine.learner import CompiledLearner
from core.engine.run import Outcome, replicate, run

__all__ = ["Attack", "CompiledLearner", "Outcome", "World", "replicate", "run"]
