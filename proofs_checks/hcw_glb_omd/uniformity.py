"""The uniformity coefficient U: the mean over bins l = 1, ..., L of sqrt(2^l/n_l), empty bins counting zero.

L = ceil(log2 T), and bin l holds the n_l rounds with 2^(l-1) < g_t T/g_max <= 2^l.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import sympy as sp
from glbcheck.core.theory.constants import number_of_bins
from glbcheck.verify.search import exact
from glbcheck.verify.writing import Evidence, claim, combine, fails, implies, refuted

from .peeling import HORIZON


def bin_of(g: Fraction, g_max: Fraction, T: int) -> int:
    """The bin of a round, by integers alone."""
    ratio = g * T / g_max
    return 0 if ratio <= 1 else (-(-ratio.numerator // ratio.denominator) - 1).bit_length()


def sizes(rounds: Mapping[Fraction, int]) -> dict[int, int]:
    """How many rounds each nonempty bin holds, for a sequence given as value: number of rounds."""
    T, top = sum(rounds.values()), max(rounds)
    counts: dict[int, int] = {}
    for value, count in rounds.items():
        level = bin_of(value, top, T)
        counts[level] = counts.get(level, 0) + count
    return counts


# --- constant sequences -------------------------------------------------------------------------------------


@claim(
    "thm:lower-bound/eq2",
    hypotheses=("g constant", "T >= 2"),
    expected="certified",
    control=("U < 1.41/L", sp.Rational(19881, 10000)),
)
def uniformity_of_a_constant(square: sp.Rational = sp.S(2)) -> Evidence:
    """For constant g, 1/L <= U < sqrt(2)/L: U is of order 1/log T, not only O(log)."""
    last = exact.compare(sum(bin_of(Fraction(1), Fraction(1), T) != number_of_bins(T) for T in range(2, 300)), "==", 0)
    # One bin, the last, holds all T rounds: L^2 U^2 = 2^L/T, between 1 and `square`.
    facts = ["T >= 2", "P >= T", "P < 2*T"]
    constant_sequence = combine(implies(facts, "P/T >= 1"), implies(facts, f"P/T < {square}"))
    return combine(last, constant_sequence)


@claim(
    "thm:lower-bound/eq2",
    hypotheses=("g = 1", "the hypotheses of the theorem"),
    control=("1/9 in place of 1/8", sp.Rational(1, 9)),
    uses=("uniformity_of_a_constant",),
)
def radius_of_a_constant_vanishes(share: sp.Rational = sp.Rational(1, 8)) -> Evidence:
    """For g = 1 the printed squared radius d sqrt(kappa/T) U is below sqrt(kappa/8)/L, so it vanishes.

    d cannot stay fixed, since d >= L + 1; but T >= 16 d^2 is a hypothesis too, and together they suffice.
    """
    # T >= 16 d^2 and U < sqrt(2)/L bound d sqrt(1/T) U by share/L, squared.
    return implies(["d >= 1", "T >= 16*d**2", "L >= 1", "U >= 0", "U**2 < 2/L**2"], f"d**2/T*U**2 < ({share})/L**2")


# --- other sequences ----------------------------------------------------------------------------------------


def nearly_constant(T: int) -> dict[Fraction, int]:
    """One round with g = 1, all others smaller by the fraction 1/T."""
    return {Fraction(1): 1, Fraction(T - 1, T): T - 1}


@claim(
    "thm:lower-bound/eq2",
    math=r"g_{\min} \ge \left( 1 - \frac{1}{T} \right) g_{\max} \Longrightarrow U = O(\operatorname{polylog} T)",
    hypotheses=("dispersions equal up to a relative error 1/T",),
    expected="refuted",
    control=("the constant sequence of the same length", {Fraction(1): 2**90 + 1}),
    coq="HCW.PrintedUniformity.nearly_uniform_false",
    severity="hypothesis",
    consequence="an almost uniform sequence can have U > sqrt(T)/L, so the radius may not vanish; counting only the "
    "bins that the proof moves, of at least (d/(L+1))^2 rounds, does not help, as that many rounds may be alone in the "
    "last bin; a grouping that keeps nearly equal rounds together does",
    carries=("radius_of_gaussian_rewards",),
)
def uniformity_of_nearly_constant(
    rounds: Mapping[Fraction, int] = nearly_constant(2**90 + 1), bound: str = "K*L**4"
) -> Evidence:
    """Approximately uniform dispersions have U = O(polylog T): false, a bin's edge may fall just below g_max.

    With T = 2^k + 1, the ratio g_t T/g_max = 2^k of all other rounds is the closed upper edge of bin k, and
    the largest alone is in bin k + 1: L U >= sqrt(2^(k+1)) >= sqrt(T) for every k.  Shown at k = 90, d = 92,
    where the hypotheses of the theorem hold and U > 1000 L^4.
    """
    # U <= bound for this sequence, with U written out from the exact sizes of its bins.
    T = sum(rounds.values())
    L = number_of_bins(T)
    terms = [f"sqrt(2**{level}/{n})" for level, n in sorted(sizes(rounds).items()) if level]
    witness = fails(
        (*HORIZON, "K >= 1"),
        f"U <= {bound}",
        {"U": f"({' + '.join(terms)})/L"},
        at={"T": T, "L": L, "d": L + 1, "K": 1000},
    )
    # P = 2^k and T = P + 1: all but one round at the edge P, the last one between P and 2P.
    every = [implies(["P >= 1", "T == P + 1"], text) for text in ("(1 - 1/T)*T <= P", "T > P", "T <= 2*P")]
    return refuted(witness, *every, implies(["P >= 1", "T == P + 1"], "sqrt(2*P) >= sqrt(T)"))


@claim(
    "thm:lower-bound/eq2",
    hypotheses=("one round alone in the last bin",),
    control=("(101/100) sqrt(T)/L", "101/100*sqrt(T)"),
)
def uniformity_of_spikes(power: str = "sqrt(T)") -> Evidence:
    """A round of dispersion above twice all others forces U >= sqrt(T)/L and eps >= d sqrt(kappa g_max)/L."""
    radius = implies(["d > 0", "T > 0", "kappa > 0", "M > 0"], "d*sqrt(kappa*M/T)*sqrt(T) == d*sqrt(kappa*M)")
    # A bin L with one round: L U >= sqrt(2^L) >= power.
    spiky = implies(["T >= 2", "P >= T", "P < 2*T", "rest >= 0"], f"sqrt(P) + rest >= {power}")
    return combine(spiky, radius)


@claim(
    "thm:lower-bound/eq2",
    hypotheses=("g_t = g_max t/T", "T = 2, 4, ..., 1024"),
    expected="certified",
    control=("n_l = 2^l", Fraction(1)),
)
def uniformity_of_a_ramp(share: Fraction = Fraction(1, 2)) -> Evidence:
    """A linear ramp has U = sqrt(2), more than a constant but bounded: bin l holds 2^(l-1) rounds."""
    # g_t = t/T with T = 2^k: bins 1, ..., k with n_l different from share 2^l, for k up to 10.
    wrong = sum(
        sizes({Fraction(t, 2**k): 1 for t in range(1, 2**k + 1)}).get(level) != share * 2**level
        for k in range(1, 11)
        for level in range(1, k + 1)
    )
    ramp = exact.compare(wrong, "==", 0, "bins of another size")
    return combine(ramp, implies(["P > 0"], "sqrt(P/(P/2)) == sqrt(2)"))


@claim(
    "sec:lower-bound",
    math=r"\frac{1}{L} \sum_{\ell = 1}^{L} \sqrt{\frac{2^\ell}{n_\ell}} < \infty \text{ for constant } g",
    hypotheses=("g constant",),
    expected="refuted",
    control=("a ramp, which fills all bins", {Fraction(t, 16): 1 for t in range(1, 17)}),
    severity="slip",
    consequence="the discussion repeats U without indicator and cardinality; the theorem has both",
)
def uniformity_without_the_indicator(rounds: Mapping[Fraction, int] = {Fraction(1): 4096}) -> Evidence:
    """U as repeated in the discussion is defined for constant g: no, L - 1 bins are empty."""
    # The number of bins 1, ..., L without a round: a division by zero each, without the indicator.
    L = number_of_bins(sum(rounds.values()))
    return exact.compare(L - len([level for level in sizes(rounds) if level]), "==", 0, "empty bins")


@claim(
    "sec:lower-bound",
    math=r"d \sqrt{\frac{\kappa g_{\max}}{T}} = O \left( d \sqrt{\frac{\kappa \sigma_{\max}}{T}} \right) \text{ for } "
    r"g_t = \sigma_t^2",
    hypotheses=("g_t = sigma_t^2",),
    expected="refuted",
    control=("sigma_max squared", 2),
    severity="slip",
    consequence="the discussion writes sigma_max where g_max = sigma_max^2 is meant",
)
def radius_of_gaussian_rewards(power: int = 1) -> Evidence:
    """For Gaussian rewards the radius is d sqrt(kappa sigma_max/T): the square of sigma_max is missing.

    No constant K makes up for it: take sigma_max > K^2.
    """
    # The radius with g_max = sigma_max^2 against K times the one printed with sigma_max^power.
    known = ("sigma > 0", "T >= 16*d**2", "d >= 13", "kappa == 1", "K >= 1")
    larger = fails(
        known,
        f"d*sqrt(kappa*sigma**2/T) <= K*d*sqrt(kappa*sigma**{power}/T)",
        at={"sigma": 10**8, "T": 4096, "d": 13, "kappa": 1, "K": 1000},
    )
    # The squares, over d^2 kappa/T.
    return refuted(larger, implies(["K >= 1", "sigma == (K + 1)**2"], "sigma**2 > K**2*sigma"))
