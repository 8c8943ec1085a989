"""What numbers come in."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
