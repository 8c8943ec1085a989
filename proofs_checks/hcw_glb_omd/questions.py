"""What the paper asks of a GLM family beyond its constants, in questions of the audit.

Is every step of the mixture a supermartingale, does m grow no faster than the confidence sequence allows,
when does C_t begin to speak, and is θ_* in every C_t of a short run?
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from glbcheck.core import concordance
from glbcheck.core.binomial import clopper_pearson_lower, clopper_pearson_upper
from glbcheck.core.concordance import Constant
from glbcheck.core.enclosure import ball, float_below, jet_function, precision
from glbcheck.core.errors import BadInput
from glbcheck.core.extras import require
from glbcheck.core.family import interval_text, z
from glbcheck.core.theory.bounds import FARTHEST, not_before, radius_at, surely_from
from glbcheck.core.theory.constants import Reading
from glbcheck.core.theory.local_constants import surroundings
from glbcheck.core.theory.parameters import Parameters, parameters
from glbcheck.verify.audit import shape
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.audit.questions import FORMAL, USABLE, WIDEST, Item, can_sample, shown
from glbcheck.verify.audit.subject import SEED, Subject
from glbcheck.verify.claim import Verdict

READINGS: tuple[Reading, ...] = ("paper", "repaired", "local")
FINITE = ("kappa", "L_mu", "R_s")
RUNS, ROUNDS = (30, 8), (300, 60)  # full, quick


# --- what the confidence sequence needs ---------------------------------------------------------------------


def supermartingale(subject: Subject) -> Finding:
    """E[rho^w] = exp(-J/g), J = (1-w) m(z*) + w m(z) - m((1-w) z* + w z): at most 1 because m is convex.

    The formula holds for every family (with p the densities, rho = p(r|z)/p(r|z*) under z*).  That J >= 0
    follows from convexity; here J is also enclosed at exact points.
    """
    m = jet_function(subject.family.log_partition, z)
    S, g = subject.S, subject.g
    points = [S * k / 4 for k in range(-4, 5)]
    smallest: tuple[Any, ...] | None = None
    with precision(128):
        for at, true in ((a, b) for a in points for b in points if a != b):
            for w in (Fraction(1, 10), Fraction(1, 2), Fraction(99, 100)):
                gap = ball(1 - w) * m(true, 1)[0] + ball(w) * m(at, 1)[0] - m((1 - w) * true + w * at, 1)[0]
                if gap < 0:
                    where = {"z": str(at), "z_star": str(true), "w": str(w)}
                    words = f"E[rho^w] > 1 at z* = {true}, z = {at}, w = {w}: m is not convex there"
                    return Finding(Verdict.REFUTED, words, where)
                if smallest is None or gap < smallest[0]:
                    smallest = gap, at, true, w
        assert smallest is not None
        step = (-smallest[0] / ball(g)).exp()
    words = (
        "if rewards have log-partition function m, E[rho^w] = exp(-J/g) <= 1 as m is convex; at most "
        f"{float(step.mid()):.12g} at the points tried"
    )
    # The identity is exact; that m is convex was certified.
    return Finding(Verdict.CERTIFIED, words, {"jensen_gap_at_least": float_below(smallest[0])})


def growth(subject: Subject) -> Finding:
    """m(z + y) - m(z) - mu(z) y <= mu'(z)(e^{R|y|} - 1 - R|y|)/R^2 for z in [-S, S] and every real y.

    This is what the confidence sequence really uses.  It follows when R_s on [-S, S] is R_s on the line;
    on a half-line domain it fails, since m is infinite for large |y|.
    """
    family = subject.family
    if family.domain != sp.S.Reals:
        return _beyond_domain(subject)
    local, whole = concordance.R_s(family, subject.S), concordance.R_s_global(family)
    if not shown(whole, subject):
        return Finding(Verdict.UNDECIDED, f"mu''/mu' is formally constant, {FORMAL}")
    if whole.exact != "oo" and whole.upper <= local.upper * (1 + WIDEST):
        return Finding(Verdict.CERTIFIED, f"R_s = {local.upper:.10g} holds on the whole line already")
    if whole.exact != "oo":
        words = (
            f"holds with R_s = {whole.upper:.10g}, the value for the whole line, not shown with "
            f"{local.upper:.10g}; the repaired constants use the larger one"
        )
        return Finding(Verdict.CERTIFIED, words)
    return _outgrown(subject, local) or Finding(
        Verdict.UNDECIDED, "R_s is infinite on the whole line; whether the weaker bound holds is open"
    )


def _beyond_domain(subject: Subject) -> Finding:
    """Where m cannot be continued the integral is infinite; a domain that merely stops proves nothing."""
    domain = interval_text(subject.family.domain)
    ends = [end for end in (subject.family.domain.inf, subject.family.domain.sup) if end.is_finite]
    if any(shape.ends_at(subject.family.log_partition, end) for end in ends):
        words = f"m is infinite outside {domain}, and the mixture looks at every z"
        return Finding(Verdict.REFUTED, words, {"y": "beyond the domain"})
    return Finding(Verdict.UNDECIDED, f"m is stated on {domain} only, and does not visibly end there")


def _outgrown(subject: Subject, local: Constant) -> Finding | None:
    """An exact z in [-S, S] and y where m grows faster than exp(R |y|) allows, R the bracket's upper end."""
    m, R = jet_function(subject.family.log_partition, z), Fraction(local.upper)
    with precision(256):
        for at in (subject.S, -subject.S):
            for y in (Fraction(sign * 2**k) for k in range(-2, 7) for sign in (1, -1)):
                here, there, u = m(at, 3), m(at + y, 1)[0], ball(R * abs(y))
                allowed = 2 * here[2] * (u.exp() - 1 - u) / ball(R) ** 2 if R else here[2] * ball(y) ** 2
                excess = there - here[0] - here[1] * ball(y) - allowed
                if excess.is_finite() and excess > 0:
                    words = f"at z = {at}, y = {y} m exceeds what R_s = {local.upper:.6g} allows"
                    return Finding(Verdict.REFUTED, words, {"z": str(at), "y": str(y)})
    return None


def nearby(subject: Subject) -> Finding:
    """The local theorem: R_s on [-S - b, S + b] for some b > 0, certified, and the b that asks for the least λ."""
    try:
        found = surroundings(subject.family, subject.S)
    except BadInput as refused:
        return Finding(Verdict.UNDECIDED, str(refused))
    reach = float(found.reach)
    words = (
        f"R_s = {found.R_near:.10g} on [-S - b, S + b] with b = {reach:.6g}, inside the domain: the local theorem "
        f"applies, with lambda at least {found.demand:.4g} times 54 eta/35"
    )
    return Finding(Verdict.CERTIFIED, words, {"reach": str(found.reach), "R_near": found.R_near})


# --- what the algorithm would do ----------------------------------------------------------------------------


def _prescribed(subject: Subject, reading: Reading) -> Parameters:
    return parameters(subject.family, subject.d, float(subject.S), subject.delta, subject.C, reading=reading)


def derived(subject: Subject) -> Finding:
    """η, λ, β_t and the radius as printed and repaired, and how long C_t contains all of Θ."""
    g, kappa = float(subject.g), concordance.kappa(subject.family, subject.S).upper
    data: dict[str, Any] = {}
    lines = []
    for reading in READINGS:
        p = _prescribed(subject, reading)
        soonest, surely = not_before(p, g), surely_from(p, g, kappa)
        data[reading] = {
            "eta": p.eta,
            "lambda": p.lam,
            "alpha": p.alpha,
            "beta_1": p.beta(0.0, 0.0),
            "beta_T": p.beta(subject.T / g, 0.0),
            "radius_T": radius_at(p, subject.T, g),
            "not_before": _count(soonest),
            "surely_from": _count(surely),
            "guarantee": p.guarantee,
        }
        lines.append(
            f"{reading}{_warning(p)}: eta {p.eta:.4g}, lambda {p.lam:.4g}, beta_1 {p.beta(0.0, 0.0):.4g}, radius "
            f"{radius_at(p, subject.T, g):.4g} at T = {subject.T}; C_t holds all of Theta before t = "
            f"{_words(soonest)}, {_until(surely)}"
        )
    return Finding(Verdict.DEFINITION, ". ".join(lines), data)


def _warning(p: Parameters) -> str:
    return f" (guarantee: {p.guarantee})" if p.guarantee.startswith("none") else ""


def _count(t: float) -> int | None:
    return None if math.isinf(t) else int(t)


def _words(t: float) -> str:
    return f"{FARTHEST:.0e}" if math.isinf(t) else f"{t:.3g}" if t >= 1e6 else f"{t:.0f}"


def _until(surely: float) -> str:
    if math.isinf(surely):
        return f"perhaps beyond t = {FARTHEST:.0e} too"
    return f"not from t = {_words(surely)} on if arms have length 1"


def short_run(subject: Subject) -> Finding:
    """The algorithm with random arms and a misleading adversary; every run that ever loses θ* counts."""
    require("fast", "a run with an adversary")
    from glbcheck.core.engine.run import run
    from glbcheck.core.environment.adversary import front_loaded
    from glbcheck.core.environment.world import World, sphere

    runs, rounds = RUNS[subject.quick], min(ROUNDS[subject.quick], subject.T)
    d, S, reading = subject.d, float(subject.S), _trusted_reading(subject)
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(d,)))
    direction = sphere(rng, 1, d)[0]
    arms = np.concatenate([sphere(rng, 5, d), direction[None, :]])
    world = World(0.9 * S * direction, arms, float(subject.g), front_loaded(subject.C))
    told = parameters(subject.family, d, S, subject.delta, subject.C, reading=reading, index="closed-form")
    misses, worst, regret = 0, 0.0, 0.0
    for number in range(runs):
        path = run(told, world, rounds, SEED, (number,))
        misses, worst, regret = (misses + (path.misses > 0), max(worst, path.worst_ratio), regret + path.regret)
    level = Fraction(1, 100)
    upper, lower = clopper_pearson_upper(runs, misses, level), clopper_pearson_lower(runs, misses, level)
    data = {
        "runs": runs,
        "rounds": rounds,
        "misses": misses,
        "miss_upper_99": float(upper),
        "worst_ratio": worst,
        "mean_regret": regret / runs,
        "constants": reading,
        "seed": SEED,
    }
    words = (
        f"{misses} of {runs} runs of {rounds} rounds ever lost theta* (chance below {float(upper):.3g} with "
        f"99% confidence, {subject.delta:g} allowed); largest error {worst:.3g} of the radius, {reading} "
        "constants"
    )
    caught = lower > Fraction(subject.delta)
    return Finding(Verdict.CONTRADICTED if caught else Verdict.STRESS_TESTED, words, data)


def _trusted_reading(subject: Subject) -> Reading:
    """The repaired constants where their theorem applies, the local ones otherwise."""
    return "local" if _prescribed(subject, "repaired").guarantee.startswith("none") else "repaired"


QUESTIONS = (
    Item("supermartingale", "is every step of the mixture a supermartingale?", supermartingale, USABLE[:3]),
    Item("growth", "does m grow as the confidence sequence needs, for every y?", growth, ("R_s",)),
    Item("nearby", "is it self-concordant a little beyond [-S, S]?", nearby, ("R_s",)),
    Item("constants", "eta, lambda, beta_t, and when C_t begins to speak", derived, FINITE),
    Item("run", "is theta* in every C_t of a short run?", short_run, FINITE, (40.0, 2.0), can_sample),
)
