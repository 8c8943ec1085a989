"""How fast are balls and boxes?  Run by hand: python -m benchmarks.bench_enclosure

Prints ball evaluations per second through `ball_function`, two-dimensional boxes per second through
branch and bound, and how both compare with what is asked of them (50,000 and 10,000 on one core).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

import sympy as sp
from glbcheck.core.enclosure import ball_function, hull, precision
from glbcheck.core.kernel.check import read_statement
from glbcheck.verify.search.cells import covered

y, z = sp.symbols("y z", real=True)
TYPICAL = sp.log(1 + sp.exp(z)) - z / 2 - y**2 * z
EVALUATIONS, BOXES, ROUNDS = 50_000, 10_000, 5


def best(run: Callable[[], int]) -> float:
    """Things per second in the best of a few rounds: other work on the machine only slows a round."""
    rates = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        count = run()
        rates.append(count / (time.perf_counter() - start))
    return max(rates)


def evaluations(bits: int) -> Callable[[], int]:
    f = ball_function(TYPICAL, (z, y))

    def run() -> int:
        a, b = hull(1, 2), hull(0, Fraction(1, 3))
        with precision(bits):
            for _ in range(20_000):
                f(a, b)
        return 20_000

    return run


def cells(conclusion: str, low: int, high: int) -> int:
    """The number of cells that cover a square of z and y."""
    hypotheses = [f"{name} {op}" for name in ("z", "y") for op in (f">= {low}", f"<= {high}")]
    data = {"variables": {"z": "real", "y": "real"}, "hypotheses": hypotheses, "conclusion": conclusion}
    proof = covered(*read_statement(data), budget=100_000)
    assert proof is not None
    return len(proof["leaves"])


def boxes() -> int:
    """Two softplus functions, above their smallest value less a millionth: many cells around it."""
    return cells("log(1 + exp(z)) + log(1 + exp(-y)) - (z - y)/2 - 2*log(2) + 1/10**6 > 0", -3, 4)


def tangled() -> int:
    """A sum of squares around a circle, expanded: no quick rule holds before the cells are small."""
    return cells("z**4 + 2*z**2*y**2 + y**4 - 2*z**2 - 2*y**2 + 1 + 1/10**4 > 0", -2, 2)


def main() -> None:
    for bits in (53, 64, 128):
        rate = best(evaluations(bits))
        print(f"ball evaluations at {bits} bits: {rate:9,.0f} per s, {rate / EVALUATIONS:.1f} of target")
    for name, run in (("softplus", boxes), ("circle", tangled)):
        rate = best(run)
        print(f"boxes, {name} ({run()} cells): {rate:9,.0f} per s, {rate / BOXES:.1f} of target")


if __name__ == "__main__":
    main()
