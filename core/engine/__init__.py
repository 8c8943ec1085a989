"""The algorithm of `core.algorithm`, compiled: a whole run, many runs on all cores.

The link of a family is data (`link`), a learner is one flat array (`state`), and the rounds are a few kernels
on it: `factor` keeps H, `arms` and `optimism` pick the arm, `mirror_descent` learns, `tally` gathers, and
`rounds` is the one loop of every learner.  `feed` prepares arms and rewards for it, `stacks` draws them from `streams`,
which are numpy's in compiled code, `laws` makes rewards of draws, and `variant` names the ways a learner may be broken
on purpose.  `wide` numbers are several at once: with them `lanes` plays runs in lockstep, by the same kernels, and
`replicates` hands it whole groups of runs.
"""

from glbcheck.core.engine.replicates import replicate
from glbcheck.core.engine.run import Outcome, run
from glbcheck.core.engine.variant import Variant
from glbcheck.core.environment.world import World

__all__ = ["Outcome", "Variant", "World", "replicate", "run"]
