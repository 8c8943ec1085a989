"""Is a failure probability at most p0?  Decided by simulation, with the error stated exactly.

The statement passes only when the data exclude every p > p0: whatever the true p > p0 is, a pass has
probability at most alpha.  Data that speak against the statement are reported with their exact p-value
but refute nothing: a refutation needs a witness, and a sample is not one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from glbcheck.core.binomial import (
    alarm_threshold,
    at_least,
    at_most,
    clopper_pearson_lower,
    clopper_pearson_upper,
    pass_threshold,
)
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import Exact, natural, rational
from glbcheck.core.kernel.check import FORMAT
from glbcheck.verify.certificate import evidence_for
from glbcheck.verify.claim import Evidence, Verdict

Sampler = Callable[[np.random.Generator, int], int]
"""(generator, trials) -> how many of the trials failed."""

BLOCK = 500


def bernoulli_at_most(sampler: Sampler, p0: Exact, n: int, alpha: Exact, alternative: Exact, *, seed: int) -> Evidence:
    """Decide `failure probability <= p0` from n trials: stress-tested or undecided, never refuted.

    `alternative` names a p1 > p0; the power printed is the exact probability that this check would not
    have passed if the truth were p1.
    """
    limit, level, rival = _design(p0, alpha, alternative)
    natural("n", n, 1)
    most = pass_threshold(n, limit, level)
    facts: dict[str, Any] = {
        "trials": n,
        "p0": str(limit),
        "alpha": str(level),
        "seed": seed,
        "passes up to": most,
        "alternative": str(rival),
        "power": str(_floor(1 - at_most(n, most, rival))),
    }
    if most < 0:
        return Evidence(
            Verdict.UNDECIDED,
            "montecarlo",
            f"{n} trials can never exclude p > {limit} at level {level}",
            certificate=facts,
        )
    failures = sum(counts(sampler, n, seed))
    facts |= {
        "failures": failures,
        "one-sided lower": str(clopper_pearson_lower(n, failures, level)),
        "one-sided upper": str(clopper_pearson_upper(n, failures, level)),
    }
    alarm = failures >= alarm_threshold(n, limit, level)
    return _verdict(facts, failures <= most, at_least(n, failures, limit) if alarm else None)


def counts(sampler: Sampler, n: int, seed: int) -> Iterator[int]:
    """Failures in each block of trials; block j has its own stream."""
    return (_failures(sampler, seed, j, min(BLOCK, n - j * BLOCK)) for j in range(-(-n // BLOCK)))


def _failures(sampler: Sampler, seed: int, index: int, size: int) -> int:
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(index,)))
    found = sampler(generator, size)
    if isinstance(found, bool | np.bool_) or not isinstance(found, int | np.integer):
        raise BadInput("sampler(...)", found, f"a whole number of failures, not a {type(found).__name__}")
    if not 0 <= found <= size:
        raise BadInput("sampler(...)", found, f"between 0 and the {size} trials asked for")
    return int(found)


def _design(p0: Exact, alpha: Exact, alternative: Exact) -> tuple[Fraction, Fraction, Fraction]:
    limit, level, rival = rational("p0", p0), rational("alpha", alpha), rational("alternative", alternative)
    if not 0 < limit < 1:
        raise BadInput("p0", str(limit), "strictly between 0 and 1")
    if not 0 < level <= Fraction(1, 2):
        raise BadInput("alpha", str(level), "positive and at most 1/2")
    if not limit < rival <= 1:
        raise BadInput("alternative", str(rival), f"greater than p0 = {limit} and at most 1")
    return limit, level, rival


def _verdict(facts: dict[str, Any], passed: bool, p_value: Fraction | None) -> Evidence:
    """Passed, or alarmed with a p-value, or neither."""
    limit, seen = facts["p0"], f"{facts['failures']} failures in {facts['trials']} trials"
    scope = f"{facts['trials']} trials; power {facts['power']} against p = {facts['alternative']}"
    if passed:
        summary = f"{seen} exclude every p > {limit} (a wrong pass has probability at most {facts['alpha']})"
        return evidence_for({"format": FORMAT, "trials": facts}, "montecarlo", summary, scope)
    if p_value is not None:
        shown = str(_ceil(p_value))
        summary = f"{seen} speak against p <= {limit} (p-value at most {shown}); a sample refutes nothing"
        return Evidence(Verdict.UNDECIDED, "montecarlo", summary, scope, {**facts, "p-value": shown})
    return Evidence(Verdict.UNDECIDED, "montecarlo", f"{seen} do not settle p <= {limit}", scope, facts)


def _floor(value: Fraction) -> Fraction:
    return Fraction(value * 10**9 // 1, 10**9)


def _ceil(value: Fraction) -> Fraction:
    return Fraction(-(-value * 10**9 // 1), 10**9)
