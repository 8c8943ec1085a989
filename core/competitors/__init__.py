"""Other bandit algorithms on the same instances: the same arms, dispersions and streams of rewards.

| name          | estimate                                   | arm                                           |
|---------------|--------------------------------------------|-----------------------------------------------|
| `hcw-glb-omd` | the paper's                                | the paper's                                   |
| `glb-omd`     | the same without weights                   | optimistic, with the best radius for C = 0    |
| `cw-oful`     | ridge regression, weighted; linear link    | optimistic, with a radius that knows C        |
| `glm-ucb`     | maximum likelihood on the ball, in batches | optimistic, with a radius that carries κ      |
| `greedy`      | that of `glb-omd`                          | the best one under the estimate               |
| `uniform`     | none                                       | any                                           |

`start` prepares their states, `rounds` plays the two with a state of their own, `likelihood` fits.
"""

from glbcheck.core.competitors.run import NAMES, check, run

__all__ = ["NAMES", "check", "run"]
