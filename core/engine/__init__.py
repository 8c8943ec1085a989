"""The algorithm of `core.algorithm`, compiled: one interactive learner, a whole run, many runs on all cores.

The link of a family is data (`link`), a learner is one flat array (`state`), and the rounds are a few kernels
on it: `factor` keeps H, `choice` and `optimism` pick the arm, `step` learns, `attack` corrupts, `tally`
gathers, `rounds` puts them together.  `feed` prepares arms and rewards for them, and `variant` names the ways
a learner may be broken on purpose.
"""

from glbcheck.core.engine.attack import Attack
from glbcheck.core.engine.feed import World
from glbcheck.core.engine.learner import CompiledLearner
from glbcheck.core.engine.run import Outcome, replicate, run
from glbcheck.core.engine.variant import Variant

__all__ = ["Attack", "CompiledLearner", "Outcome", "Variant", "World", "replicate", "run"]
