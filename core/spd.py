"""What `core.algorithm.matrices` holds, under the name that rivals and engine tests still use."""

from glbcheck.core.algorithm.matrices import NEWTON_STEPS, cholesky, eigen, inverse_factor, norm, secular_root

__all__ = ["NEWTON_STEPS", "cholesky", "eigen", "inverse_factor", "norm", "secular_root"]
