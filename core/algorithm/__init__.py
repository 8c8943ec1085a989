"""HCW-GLB-OMD: the class that people call, and the readable reference that it is held to.

| module           | what                                                                                         |
|------------------|----------------------------------------------------------------------------------------------|
| `reference`      | the algorithm in the order of the paper's pseudocode, in NumPy                                |
| `confidence_set` | C_t and the optimistic values of arms                                                         |
| `learner`        | `HCWGLBOMD`: arguments checked, then the compiled step, or the reference where numba is missing |
| `scouted`        | `Scouted`: an exploratory policy chooses within a regret budget                               |
| `checks`         | the refusals                                                                                  |
"""

from glbcheck.core.algorithm.learner import HCWGLBOMD, Flags
from glbcheck.core.algorithm.reference import Round, State
from glbcheck.core.algorithm.scouted import Scouted, ScoutedState

__all__ = ["HCWGLBOMD", "Flags", "Round", "Scouted", "ScoutedState", "State"]
