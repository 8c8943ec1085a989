"""Whole runs in microseconds a round, as ratios within one run: `python -m benchmarks.bench_runs`.

Bernoulli rewards, S = 3, the paper's constants.  The yardstick is a plain C loop (`-O3 -march=native`, compiled here;
left out where there is no compiler): closed-form index, H⁻¹ by Sherman-Morrison, followed norms for fixed arms, a
reward from a random number that is at hand.  Where the step leaves the ball it is shortened, less work than our
projection.  Both sides play in turn; the best processor time of each counts.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from glbcheck.core import catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.run import replicate, run
from glbcheck.core.environment.world import World, sphere
from glbcheck.core.theory.parameters import Index, Parameters, parameters

S, TURNS, SETS = 3.0, 5, 512
COIN = catalog.get("bernoulli")
CASES = [(5, 20, True), (20, 20, True), (5, 20, False), (20, 20, False), (5, 100, False)]  # d, K, fixed
C = r"""
#include <math.h>
#include <string.h>
static double logistic(double z) { return 1.0 / (1.0 + exp(-z)); }
double play(long rounds, int d, int K, int fixed, long sets, const double *arms, const double *truth,
            const double *draws, double lam, double eta, double S, double wide,
            double *theta, double *P, double *norm) {
    double regret = 0.0, logdet = 0.0, u[64];
    memset(theta, 0, d * sizeof *theta);
    memset(P, 0, d * d * sizeof *P);
    for (int i = 0; i < d; i++) P[i * d + i] = 1.0 / lam;
    for (long t = 0; t < rounds; t++) {
        const double *X = fixed ? arms : arms + (t % sets) * K * d;
        double radius = wide + sqrt(wide + logdet), top = -INFINITY, best = -INFINITY, own = 0.0;
        int k = 0;
        for (int j = 0; j < K; j++) {
            const double *x = X + j * d;
            double mean = 0.0, value = 0.0;
            for (int a = 0; a < d; a++) { mean += x[a] * theta[a]; value += x[a] * truth[a]; }
            if (!fixed || t == 0) {
                double q = 0.0;
                for (int a = 0; a < d; a++) {
                    double row = 0.0;
                    for (int b = 0; b < d; b++) row += P[a * d + b] * x[b];
                    q += row * x[a];
                }
                norm[j] = q;
            }
            double index = mean + radius * sqrt(norm[j]);
            if (index > top) { top = index; k = j; own = value; }
            if (value > best) best = value;
        }
        const double *x = X + k * d;
        double at = 0.0, q = 0.0, length = 0.0, chance = logistic(own), reward = draws[t % 4096] < chance;
        for (int a = 0; a < d; a++) {
            double row = 0.0;
            for (int b = 0; b < d; b++) row += P[a * d + b] * x[b];
            u[a] = row; at += x[a] * theta[a]; q += row * x[a];
        }
        double mu = logistic(at), slope = mu * (1.0 - mu), move = (mu - reward) * eta / (1.0 + eta * slope * q);
        for (int a = 0; a < d; a++) { theta[a] -= move * u[a]; length += theta[a] * theta[a]; }
        if (length > S * S) { double f = S / sqrt(length); for (int a = 0; a < d; a++) theta[a] *= f; }
        at = 0.0;
        for (int a = 0; a < d; a++) at += x[a] * theta[a];
        mu = logistic(at); slope = mu * (1.0 - mu);
        double c = slope / (1.0 + slope * q);
        for (int a = 0; a < d; a++) for (int b = 0; b < d; b++) P[a * d + b] -= c * u[a] * u[b];
        if (fixed) for (int j = 0; j < K; j++) {
            double s = 0.0;
            for (int a = 0; a < d; a++) s += X[j * d + a] * u[a];
            norm[j] -= c * s * s;
        }
        logdet += log1p(slope * q);
        regret += logistic(best) - chance;
    }
    return regret;
}
"""
NUMBERS = np.ctypeslib.ndpointer(dtype=np.float64, flags="C_CONTIGUOUS")


def plain_c(folder: str) -> Callable[..., float] | None:
    """The C loop, or None without a compiler."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        return None
    source, library = Path(folder, "play.c"), Path(folder, "play.so")
    source.write_text(C)
    flags = ["-O3", "-march=native", "-shared", "-fPIC", "-o", str(library), str(source), "-lm"]
    subprocess.run([compiler, *flags], check=True)
    play = ctypes.CDLL(str(library)).play
    number, whole = ctypes.c_double, ctypes.c_long
    play.restype = number
    play.argtypes = [
        whole,
        ctypes.c_int,
        ctypes.c_int,
        ctypes.c_int,
        whole,
        *[NUMBERS] * 3,
        *[number] * 4,
        *[NUMBERS] * 3,
    ]
    return play  # type: ignore[no-any-return]


def instance(d: int, K: int, fixed: bool) -> tuple[Floats, Floats, World]:
    """Arms, θ*, and the world: changing arms are the same sets over and over, so that no time goes into making them."""
    rng = np.random.default_rng(d + K)
    truth = 2.0 * sphere(rng, 1, d)[0]
    arms = (1 - 1e-9) * sphere(rng, K * (1 if fixed else SETS), d).reshape(-1, K, d)
    return arms, truth, World(truth, arms[0] if fixed else (lambda rng, first, count: arms[:count]))


def told(d: int, index: Index = "closed-form") -> Parameters:
    return parameters(COIN, d, S, 0.05, 0.0, index=index)


def in_turn(*sides: Callable[[], object], clock: Callable[[], float] = time.process_time) -> list[float]:
    """Seconds of each side, the best of a few turns after one that is not counted."""
    best = [float("inf")] * len(sides)
    for turn in range(TURNS + 1):
        for i, side in enumerate(sides):
            begin = clock()
            side()
            if turn:
                best[i] = min(best[i], clock() - begin)
    return best


def line(what: str, ours: float, against: str, theirs: float, most: float) -> None:
    found = ours / theirs
    missed = "" if found <= most else "  MISSED"
    print(f"{what:<34}{ours:8.3f}   {against:<18}{theirs:8.3f}{found:8.2f}x  at most {most:g}x{missed}")


def main() -> None:
    rounds = 40_000
    micro = 1e6 / rounds
    print(f"{'microseconds a round':<34}{'ours':>8}   {'against':<18}{'theirs':>8}{'ratio':>9}")
    with tempfile.TemporaryDirectory() as folder:
        c_loop = plain_c(folder)
        if c_loop is None:
            print("no C compiler: the comparison with plain C is left out")
        draws = np.random.default_rng(0).random(4096)
        for d, K, fixed in CASES:
            arms, truth, world = instance(d, K, fixed)
            closed, exact = told(d), told(d, "exact")
            room = np.empty(d), np.empty((d, d)), np.empty(K)
            sides: list[Callable[[], object]] = [
                lambda p=closed, w=world: run(p, w, rounds, 1),  # type: ignore[misc]
                lambda p=exact, w=world: run(p, w, rounds, 1),  # type: ignore[misc]
            ]
            if c_loop is not None:
                constants = closed.lam, closed.eta, S, 3.0
                known = rounds, d, K, int(fixed), SETS, arms.reshape(-1), truth, draws, *constants, *room
                sides.append(lambda call=c_loop, args=known: call(*args))  # type: ignore[misc]
            ours, by_exact, *theirs = (micro * seconds for seconds in in_turn(*sides))
            name = f"d = {d}, K = {K}, {'fixed' if fixed else 'changing'}"
            if theirs:
                line(f"{name}, closed form", ours, "plain C", theirs[0], 1.3)
            line(f"{name}, exact", by_exact, "closed form", ours, 3.0 if fixed else 2.0)
    late_and_early()
    workers()


def late_and_early(rounds: int = 4_000_000, part: int = 400_000) -> None:
    """What the last tenth of a long run costs, over the first: by the difference of runs of two lengths."""
    _, _, world = instance(5, 20, fixed=True)
    p = told(5)
    first, nearly, whole = in_turn(*(lambda n=n: run(p, world, n, 1) for n in (part, rounds - part, rounds)))  # type: ignore[misc]
    line("last tenth of 4e6 rounds", 1e6 / part * (whole - nearly), "first tenth", 1e6 / part * first, 1.05)


def workers() -> None:
    """Replicates on every core, over those on one."""
    _, _, world = instance(5, 20, fixed=True)
    p, cores = told(5), os.cpu_count() or 1
    sides = (lambda n=n: replicate(p, world, 50_000, 1, 4 * cores, workers=n) for n in (1, cores))  # type: ignore[misc]
    one, every = in_turn(*sides, clock=time.perf_counter)
    print(f"{cores} workers over one: {one / every:.2f}x as fast")


if __name__ == "__main__":
    main()
