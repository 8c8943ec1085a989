"""Yardsticks, written from the description of GLB-OMD (`core.rivals.mirror_descent` names the source): as published, as
a lean numpy loop, and as a plain C loop compiled on the spot, which plays whole runs.

The C loop does the job of `engine.run.run` on arms and random numbers that are given: index with ties to the most
uncertain arm, weight, mirror-descent step, H, and H⁻¹ by Sherman-Morrison (norms of fixed arms are followed), the
theorem's radius, regret, and in each round whether θ* is in C_t.  It neither checks its input nor keeps marks or a
record; where the step leaves the ball, which the benchmark's worlds do not see, it is shortened.
"""

from __future__ import annotations

import ctypes
import math
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
from glbcheck.core.algorithm.reference import omd_step
from glbcheck.core.arrays import Floats
from glbcheck.core.theory.parameters import Parameters
from glbcheck.core.tolerances import TIE


class Published:
    """Logistic GLB-OMD as its authors' users would write it: an inverse a round, and norms arm by arm."""

    def __init__(self, d: int, S: float) -> None:
        self.theta, self.H, self.t, self.S = np.zeros(d), float(d) * np.eye(d), 0, S

    def select(self, arms: Floats) -> int:
        self.t += 1
        inverse = np.linalg.inv(self.H)
        beta = np.sqrt(len(self.theta) * np.log(1 + self.t))
        return int(np.argmax([x @ self.theta + beta * np.sqrt(x @ inverse @ x) for x in arms]))

    def update(self, x: Floats, reward: float) -> None:
        mean = 1 / (1 + np.exp(-x @ self.theta))
        eta, slope = 1 + self.S, mean * (1 - mean)
        M = self.H / eta + slope * np.outer(x, x)
        self.theta = self.theta - np.linalg.solve(M, (mean - reward) * x)
        length = np.linalg.norm(self.theta)
        if length > self.S:
            self.theta *= self.S / length
        mean = 1 / (1 + np.exp(-x @ self.theta))
        self.H += mean * (1 - mean) * np.outer(x, x)


class Lean:
    """The paper's learner for Bernoulli rewards in numpy with nothing wasted: H⁻¹ is kept, input is trusted."""

    def __init__(self, p: Parameters) -> None:
        self.p, self.t = p, 0
        self.theta, self.H, self.inverse = np.zeros(p.d), p.lam * np.eye(p.d), np.eye(p.d) / p.lam
        self.rho, self._start = p.radius(p.beta(0.0, 0.0)), p.beta(0.0, 0.0) ** 2
        self._slope = p.d * (6 * p.eta**2 + p.eta)

    def select(self, arms: Floats) -> int:
        norms = np.einsum("kj,kj->k", arms @ self.inverse, arms)
        index = np.sqrt(norms)
        index *= self.rho
        index += arms @ self.theta
        top = index.max()
        tied = index >= top - TIE * max(top, -index.min())
        return int((tied & (norms >= (1 - TIE) * norms[tied].max())).argmax())

    def update(self, x: Floats, reward: float) -> None:
        p, u = self.p, self.inverse @ x
        q = float(x @ u)
        w = min(1.0, p.alpha / math.sqrt(q))
        mu = 1 / (1 + math.exp(-float(x @ self.theta)))
        s, a = w * (mu - reward), w * mu * (1 - mu)
        free = self.theta - (s * p.eta / (1 + p.eta * a * q)) * u
        if float(free @ free) > p.S**2:
            free = omd_step(self.theta, self.H, x, u, s, a, p.eta, p.lam, p.S).theta
        self.theta = free
        mu = 1 / (1 + math.exp(-float(x @ free)))
        c = w * mu * (1 - mu)
        self.H += np.multiply.outer(c * x, x)
        self.inverse -= np.multiply.outer((c / (1 + c * q)) * u, u)
        self.t += 1
        beta = math.sqrt(self._start + self._slope * math.log1p(p.L_mu * self.t / p.lam))
        self.rho = p.radius_scale * (beta + p.widening)


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
