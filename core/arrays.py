"""What numbers come in."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def repeated(numbers: Floats) -> Floats:
    """What a broadcast array repeats, once: of length 1 along every axis where it only says the same again."""
    return numbers[tuple(slice(None) if stride else slice(1) for stride in numbers.strides)]
