"""One update of the paper's learner: weight, mirror-descent step, projection, Hessian."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from glbcheck.core._numba import apart, compiled, in_line, vectorised
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.factor import add_outer, dot, factorise, forward, length_of, solve, squared_norm, times
from glbcheck.core.engine.link import evaluate, slope
from glbcheck.core.engine.rounds import Pull, rounds_by_index
from glbcheck.core.engine.state import POINT, REDUCED, SHIFTED_D, SOLVED, SPARE, TARGET, TRIAL, Facts, Learner, radius
from glbcheck.core.engine.wide import one, root, some, where

REFRESH = 4096  # rounds between factorisations of H from scratch, against the drift of updates
_NEWTON = 100


@compiled
def weight(facts: Facts, dispersion: float, squared: float) -> float:
    """eq:corrupted-loss, from the squared norm of x_t in H_t⁻¹."""
    norm = root(squared)
    trust = where(facts.weighs_dispersion != 0.0, facts.own_alpha * dispersion, facts.own_alpha)
    return where(norm <= trust, 1.0, trust / norm)


@compiled
def update(learner: Learner, link: Floats, x: Floats, reward: float, dispersion: float) -> float:
    """Lines of the pseudocode from the observed reward to H_{t+1}; returns c of H_{t+1} = H_t + c x xᵀ."""
    loss = weigh(learner, link, x, reward, dispersion)
    inside, _ = step(learner, x, loss)
    if not inside:
        leave(learner, x, loss)
    learner.facts.projected = where(inside, 0.0, 1.0)
    return finish(learner, link, x, dispersion, loss)


class Loss(NamedTuple):
    """The weighted loss of a round around θ_t, and the squared norm of x_t in H_t⁻¹."""

    weight: float
    slope: float
    curvature: float
    squared: float


@compiled
@in_line
def weigh(learner: Learner, link: Floats, x: Floats, reward: float, dispersion: float) -> Loss:
    """The loss of an observation; leaves H⁻¹ x and L⁻ᵀ x in their rows."""
    q = solve(learner.lower, learner.inverse_d, x, learner.work[REDUCED], learner.work[SOLVED])
    w = weight(learner.facts, dispersion, q)
    mu, dmu = evaluate(link, dot(x, learner.theta))
    trusted = w * (1.0 / dispersion)
    return Loss(w, trusted * (mu - reward), trusted * dmu, q)


@compiled
@in_line
def finish(learner: Learner, link: Floats, x: Floats, dispersion: float, loss: Loss) -> float:
    """The Hessian at the new iterate, and the coming radius."""
    c = new_curvature(learner, link, x, dispersion, loss)
    grow(learner, x, c, loss.squared)
    pass_round(learner.facts, dispersion, loss.weight)
    return c


@compiled
@in_line
def new_curvature(learner: Learner, link: Floats, x: Floats, dispersion: float, loss: Loss) -> float:
    """That of the loss at the new iterate."""
    c = loss.curvature
    if some(learner.facts.old_hessian == 0.0):
        c = loss.weight * (1.0 / dispersion) * slope(link, dot(x, learner.theta))
    return c


@compiled
@in_line
def pass_round(facts: Facts, dispersion: float, weight: float) -> None:
    """What the rounds add up to, and the coming radius."""
    facts.inverse_g += 1.0 / dispersion
    facts.rounds += 1.0
    facts.weight = weight
    facts.radius = radius(facts)


@compiled
@in_line
def squared_length(learner: Learner, x: Floats) -> float:
    """Of x in H⁻¹, with L⁻ᵀ x left in the row REDUCED."""
    reduced = learner.work[REDUCED]
    forward(learner.lower, x, reduced)
    return squared_norm(learner.inverse_d, reduced)


@compiled
def grow(learner: Learner, x: Floats, c: float, q: float) -> None:
    """H becomes H + c x xᵀ, given L⁻ᵀ x in the row REDUCED and q, the squared norm of x in H⁻¹."""
    for i in range(x.size):
        for j in range(x.size):
            learner.H[i, j] += c * (x[i] * x[j])  # in this order H stays symmetric to the last bit
    grow_factors(learner, x, c, q)
    if is_due(learner.facts):
        factorise(learner.H, 0.0, learner.facts.lam, learner.lower, learner.inverse_d)


@compiled
@in_line
def grow_factors(learner: Learner, x: Floats, c: float, q: float) -> None:
    """The factors of H and its determinant alone."""
    facts, scratch = learner.facts, learner.work[TRIAL]
    for i in range(x.size):
        scratch[i] = x[i]
    add_outer(learner.lower, learner.inverse_d, c, scratch, learner.work[REDUCED])
    if some(facts.use_determinant != 0.0):
        facts.logdet += np.log1p(c * q)


@compiled
@in_line
def is_due(facts: Facts) -> bool:
    """Is it time to factorise H from scratch?"""
    return (int(one(facts.rounds)) + 1) % REFRESH == 0


@vectorised
@in_line
def step(learner: Learner, x: Floats, loss: Loss) -> tuple[bool, float]:
    """eq:OMD-estimator over all of R^d: θ goes there if it is inside the ball.

    Returns whether it is, and how far it lies along -H⁻¹ x.
    """
    S, eta = learner.facts.S, learner.facts.eta
    # M = H/η + h x xᵀ, and M⁻¹ x = η H⁻¹ x / (1 + η h q).
    move = loss.slope * eta / (1.0 + eta * loss.curvature * loss.squared)
    free, u, theta = learner.work[TRIAL], learner.work[SOLVED], learner.theta
    for j in range(x.size):
        free[j] = theta[j] - move * u[j]
    inside = dot(free, free) <= S * S
    learner.facts.moved = where(inside, move, np.inf)
    for j in range(x.size):
        theta[j] = where(inside, free[j], theta[j])
    return inside, move


@vectorised
@apart
def leave(learner: Learner, x: Floats, loss: Loss) -> None:
    """The projection onto the ball of a step that ends outside, in the row TRIAL of work."""
    if learner.facts.euclidean == 0.0:
        _project(learner, x, loss.slope, loss.curvature)
    else:
        free = learner.work[TRIAL]
        shorten(free, length_of(free), learner.facts.S, learner.theta)


@vectorised
def _project(learner: Learner, x: Floats, slope: float, curvature: float) -> None:
    """The minimiser of eq:OMD-estimator on the sphere, where M θ_t - s x is what M θ would be without it."""
    d, M, b, eta = x.size, learner.square, learner.work[TARGET], learner.facts.eta
    for i in range(d):
        for j in range(d):
            M[i, j] = learner.H[i, j] / eta + curvature * x[i] * x[j]
    times(M, learner.theta, b)
    for j in range(d):
        b[j] -= slope * x[j]
    onto_sphere(learner, learner.facts.lam / eta)


@vectorised
def onto_sphere(learner: Learner, floor: float) -> None:
    """θ becomes the minimiser of θᵀ M θ / 2 - <b, θ> on the sphere: (M + ν I) θ = b with ‖θ‖ = S.

    M, at least `floor` times I, is in the square, b in the row TARGET of work, and M⁻¹ b is longer than S.
    Newton's method on 1/S - 1/‖θ(ν)‖, which is concave and nearly linear in ν: from the left of the root it
    climbs to it without overshooting.
    """
    S, M, work = learner.facts.S, learner.square, learner.work
    b, theta, y, inverse_d = work[TARGET], work[POINT], work[SPARE], work[SHIFTED_D]
    trace = 0.0
    for j in range(b.size):
        trace += M[j, j]
    # ‖θ(ν)‖ >= ‖b‖ / (trace + ν), so the root lies to the right of this.
    nu = max(0.0, length_of(b) / S - trace)
    for _ in range(_NEWTON):
        factorise(M, nu, floor + nu, learner.shifted, inverse_d)
        solve(learner.shifted, inverse_d, b, y, theta)
        length = np.sqrt(dot(theta, theta))
        forward(learner.shifted, theta, y)
        gain = (length - S) / S * length * length / squared_norm(inverse_d, y)
        if not gain > 1e-16 * (nu + trace) or not length > S * (1.0 + 1e-15):
            break
        nu += gain
    shorten(theta, length, S, learner.theta)


@vectorised
def shorten(theta: Floats, length: float, S: float, out: Floats) -> None:
    """θ, of the given length, brought to length S along its ray."""
    shrink = S / length
    for j in range(theta.size):
        out[j] = theta[j] * shrink
    while dot(out, out) > S * S:  # rounding must not leave the ball
        for j in range(out.size):
            out[j] *= 1.0 - 2.0**-52


@compiled
@in_line
def learn(learner: Learner, memory: tuple[()], link: Floats, pull: Pull) -> float:
    """The paper's learner needs no memory beyond its state."""
    return update(learner, link, pull.x, pull.reward, pull.dispersion)


ROUNDS = rounds_by_index(learn)
