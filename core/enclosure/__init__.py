"""Sound ball arithmetic: the range of a function on an interval, zeros and tails included.

This package is the only door to python-flint.  A ball (flint's `arb`) contains the true value,
always, and no float ever enters one.

- `balls`: `ball_function` evaluates a SymPy expression in any number of variables.
- `jets`: `jet_function` encloses the Taylor coefficients of an expression in one variable over a
  whole ball, also across removable singularities such as sinh(z)/z at 0.
- `complexes`: `complex_function` evaluates over complex balls, `integral` encloses an integral.
- `extrema`: where a function of one variable is largest on an interval, by branch and bound.
- `tails`: what a function does on the whole of [Z, oo), by a proof and not by a large box.
"""

from flint import acb, arb, fmpq, fmpz
from glbcheck.core.enclosure.balls import (
    Ball,
    Exact,
    NotEnclosed,
    ball,
    ball_function,
    float_above,
    float_below,
    fraction,
    hull,
    lower,
    precision,
    upper,
)
from glbcheck.core.enclosure.complexes import complex_function, integral
from glbcheck.core.enclosure.jets import Jet, jet_function

__all__ = [
    "Ball",
    "Exact",
    "Jet",
    "NotEnclosed",
    "acb",
    "arb",
    "ball",
    "ball_function",
    "complex_function",
    "float_above",
    "float_below",
    "fmpq",
    "fmpz",
    "fraction",
    "hull",
    "integral",
    "jet_function",
    "lower",
    "precision",
    "upper",
]
