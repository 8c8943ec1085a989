"""A whole run of the closed form in plain C, compiled on the spot: the yardstick of `bench_runs`.

It does the job of `engine.run.run` on arms and random numbers that are given: index with ties to the most uncertain
arm, weight, mirror-descent step, H, and H⁻¹ by Sherman-Morrison (norms of fixed arms are followed), the theorem's
radius, regret, and in each round whether θ* is in C_t.  It neither checks its input nor keeps marks and a record, and
where the step leaves the ball, which these worlds do not see, it shortens it.  `bench_runs` compares the numbers, too.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np

C = r"""
#include <math.h>
#include <string.h>
static double logistic(double z) { return 1.0 / (1.0 + exp(-z)); }
double play(long rounds, int d, int K, int fixed, long sets, const double *arms, const double *truth,
            const double *draws, double lam, double eta, double S, double alpha, double base, double growth,
            double rate, double widening, double *theta, double *H, double *P, double *norm, double *sums) {
    double regret = 0.0, misses = 0.0, worst = 0.0, taken = 0.0, index[256], value[256], u[64];
    memset(theta, 0, d * sizeof *theta);
    memset(P, 0, d * d * sizeof *P);
    memset(H, 0, d * d * sizeof *H);
    for (int i = 0; i < d; i++) { P[i * d + i] = 1.0 / lam; H[i * d + i] = lam; }
    for (long t = 0; t < rounds; t++) {
        const double *X = fixed ? arms : arms + (t % sets) * K * d;
        double radius = sqrt(base + growth * log1p(rate * t)) + widening, error = 0.0;
        double top = -INFINITY, size = 0.0, best = -INFINITY, wide = 0.0;
        for (int a = 0; a < d; a++) {
            double row = 0.0;
            for (int b = 0; b < d; b++) row += H[a * d + b] * (theta[b] - truth[b]);
            error += row * (theta[a] - truth[a]);
        }
        error = sqrt(error);
        misses += error > radius;
        worst = fmax(worst, error / radius);
        for (int j = 0; j < K; j++) {
            const double *x = X + j * d;
            double mean = 0.0, own = 0.0;
            for (int a = 0; a < d; a++) { mean += x[a] * theta[a]; own += x[a] * truth[a]; }
            if (!fixed || t == 0) {
                double q = 0.0;
                for (int a = 0; a < d; a++) {
                    double row = 0.0;
                    for (int b = 0; b < d; b++) row += P[a * d + b] * x[b];
                    q += row * x[a];
                }
                norm[j] = q;
            }
            value[j] = own;
            index[j] = mean + radius * sqrt(norm[j]);
            if (index[j] > top) top = index[j];
            if (fabs(index[j]) > size) size = fabs(index[j]);
            if (own > best) best = own;
        }
        int k = 0;
        for (int j = 0; j < K; j++) if (index[j] >= top - 1e-9 * size && norm[j] > wide) wide = norm[j];
        while (!(index[k] >= top - 1e-9 * size && norm[k] >= (1 - 1e-9) * wide)) k++;
        const double *x = X + k * d;
        double at = 0.0, q = 0.0, length = 0.0, chance = logistic(value[k]);
        double reward = 1.0 - draws[t] <= chance;
        for (int a = 0; a < d; a++) {
            double row = 0.0;
            for (int b = 0; b < d; b++) row += P[a * d + b] * x[b];
            u[a] = row; at += x[a] * theta[a]; q += row * x[a];
        }
        double far = sqrt(q), w = far <= alpha ? 1.0 : alpha / far, mu = logistic(at), slope = w * mu * (1.0 - mu);
        double move = w * (mu - reward) * eta / (1.0 + eta * slope * q);
        for (int a = 0; a < d; a++) { theta[a] -= move * u[a]; length += theta[a] * theta[a]; }
        if (length > S * S) { double f = S / sqrt(length); for (int a = 0; a < d; a++) theta[a] *= f; }
        at = 0.0;
        for (int a = 0; a < d; a++) at += x[a] * theta[a];
        mu = logistic(at); slope = w * mu * (1.0 - mu);
        double c = slope / (1.0 + slope * q);
        for (int a = 0; a < d; a++) for (int b = 0; b < d; b++) {
            P[a * d + b] -= c * u[a] * u[b];
            H[a * d + b] += slope * x[a] * x[b];
        }
        if (fixed) for (int j = 0; j < K; j++) {
            double s = 0.0;
            for (int a = 0; a < d; a++) s += X[j * d + a] * u[a];
            norm[j] -= c * s * s;
        }
        taken += w < 1.0;
        regret += logistic(best) - chance;
    }
    sums[0] = misses; sums[1] = worst; sums[2] = taken;
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
    number, whole = ctypes.c_double, ctypes.c_int
    play.restype = number
    play.argtypes = [ctypes.c_long, whole, whole, whole, ctypes.c_long, *[NUMBERS] * 3, *[number] * 8, *[NUMBERS] * 5]
    return play  # type: ignore[no-any-return]
