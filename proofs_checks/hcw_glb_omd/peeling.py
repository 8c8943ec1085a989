"""The proof of the corruption-free lower bound: dyadic bins and the chain that adds them up, line by line.

L = ceil(log2 T); bin 0 holds the rounds with g_t <= g_max/T, bin l those with 2^(l-1) < g_t T/g_max <= 2^l;
n_l is the number of rounds of bin l, m_l the slope at its optimal arm, e_l = 2^l g_max/T its upper edge, k
= d/(L+1).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from glbcheck.core.theory.constants import number_of_bins
from glbcheck.verify.search import exact, ladder
from glbcheck.verify.writing import Evidence, claim, combine, definition, fails, implies, refuted, states, structural

structural("app:proof-lower-bound", reason="the heading of the proof; its displays are claimed one by one")
definition(
    "app:proof-lower-bound/eq2",
    "app:proof-lower-bound/eq3",
    "lem:lower-bound/eq3",
    reason="names the edges, the sizes, the blocks of coordinates, the spheres of arms in them, and the "
    "prior that is the product of the priors of the blocks",
)


# What the theorem's hypotheses say of d, T and L = ceil(log2 T); for constant dispersions and slopes no more.
HORIZON = ("T >= 16*d**2", "2**L >= T", "2**(L - 1) < T", "d >= L + 1")


# --- the bins ---------------------------------------------------------------------------------------------


def memberships(T: int, ratio: Fraction, closed: bool) -> int:
    """How many of the bins 0, ..., L hold a round with g_t T/g_max = ratio; closed: upper edges included."""
    edges = [Fraction(2) ** level for level in range(number_of_bins(T) + 1)]
    inside = [edge / 2 < ratio and (ratio <= edge if closed else ratio < edge) for edge in edges[1:]]
    return sum(inside) + (ratio <= 1)


@claim(
    "app:proof-lower-bound/eq1",
    hypotheses=("0 <= g_t <= g_max", "T >= 1"),
    expected="certified",
    control=("upper edges left out", False),
)
def bins_partition_the_rounds(closed: bool = True) -> Evidence:
    """Every round is in exactly one bin, and in bin l >= 1 its dispersion is within a factor 2 of the edge.

    The intervals [0, 1], (1, 2], ..., (2^(L-1), 2^L] tile [0, 2^L], which holds g_t T/g_max <= T <= 2^L:
    what is at most 2e but not at most e lies in the bin with upper edge 2e, by induction on the edges, and a
    bin with edge a ends where every later one, with edge b >= 2a, has not begun.  Also counted at all edges
    for T up to 64.
    """
    covered = implies(["g <= M", "M > 0", "T >= 1", "P >= T"], "g*T/M <= P")
    next_bin = implies(["y <= 2*e", "y > e"], "y > (2*e)/2")
    disjoint = implies(["a > 0", "b >= 2*a", "y <= a"], "y <= b/2")
    # Rounds on, just beside and between the edges, for T up to 64, that are not in exactly one bin.
    tiny = Fraction(1, 1000)
    misplaced = 0
    for T in range(1, 65):
        edges = [Fraction(2) ** level for level in range(number_of_bins(T) + 1)]
        ratios = {Fraction(T), tiny, *edges, *(e + tiny for e in edges), *(e * Fraction(3, 4) for e in edges)}
        misplaced += sum(memberships(T, ratio, closed) != 1 for ratio in ratios if ratio <= T)
    partition = exact.compare(misplaced, "==", 0, "rounds outside exactly one bin")
    return combine(covered, next_bin, disjoint, partition)


states(
    "k: integer, k >= 1, k <= x, x < k + 1 => k >= x/2",
    "app:proof-lower-bound",
    id="integer_share_of_the_dimension",
    control=("x/2", "51/100*x"),
    why="x = d/(L + 1) and k its whole part: that d/(L + 1) is an integer costs a factor 2 in the constant.",
)


@claim(
    "app:proof-lower-bound/eq4",
    math=r"\lVert \theta_\star^{(\ell)} \rVert > 0 \text{ for every block } \ell",
    hypotheses=("theta_* in the ball of radius S",),
    expected="refuted",
    control=("assuming it", ("second**2 > 0",)),
    coq="HCW.PrintedScope.printed_blocks_false",
    severity="hypothesis",
    consequence="the optimal arm of a zero block is not unique and the local lemma does not apply to it; for theta_* "
    "!= 0 a rotation of the coordinates, which the text does not make, gives nonzero blocks, and sphere_lower_bound "
    "needs no blocks; theta_* = 0 needs another construction: hypercube_lower_bound_glm",
    carries=("lower_bound_absolute_constants",),
)
def every_block_is_nonzero(extra: tuple[str, ...] = ()) -> Evidence:
    """Every block of theta_* has positive norm: not so for theta_* along one coordinate."""
    # The second of L + 1 = 13 blocks of theta_* in the ball does not vanish, the others being first and zeros.
    return fails(
        ("S > 0", "first**2 + second**2 <= S**2", *HORIZON, *extra),
        "second**2 > 0",
        at={"S": 1, "first": 1, "second": 0, "d": 13, "T": 4096, "L": 12},
    )


# --- the radius -------------------------------------------------------------------------------------------


def radius_of_a_block(share: str) -> Evidence:
    """One block's squared radius with its own slope and edge against the common kappa and g_max."""
    return implies(
        ["d > 0", "L >= 1", "kappa*m >= 1", "m > 0", "edge > 0", "n >= 1", "g1 > 0", "g1 <= edge"],
        f"(d/(L + 1))**2*g1/(n*m) <= ({share})**2*kappa*edge/n",
    )


@claim(
    "lem:lower-bound/eq4",
    hypotheses=("bins with n_l >= k^2 only", "1/m_l <= kappa", "lower edge g_1 <= e_l"),
    control=("d/(L + 2)", lambda: radius_of_a_block("d/(L + 2)")),
)
def squared_radius_of_the_product() -> Evidence:
    """Each block contributes at most k sqrt(kappa e_l/n_l), and all together d sqrt(kappa g_max/T) U.

    The blocks are orthogonal, so squared norms add; k = d/(L+1) <= d/L; a valid bin has n_l >= k^2 > 0
    rounds, so its term is one of those in U.  Compared squared, with e_l = 2^l g_max/T.
    """
    edge = implies(
        ["T > 0", "M > 0", "P > 0", "n > 0", "kappa > 0", "edge == P*M/T"],
        "sqrt(kappa*edge/n) == sqrt(kappa*M/T)*sqrt(P/n)",
    )
    return combine(radius_of_a_block("d/(L + 1)"), radius_of_a_block("d/L"), edge)


# --- the chain --------------------------------------------------------------------------------------------


@claim(
    "lem:lower-bound/eq5",
    title="Lines 2 to 5 of the chain that adds up the bins",
    hypotheses=("the local lemma for every bin with n_l >= k^2, lower edge e_l/2",),
    control=("L + 1 gained instead of sqrt(L)", "L + 1"),
    uses=("bins_partition_the_rounds",),
    facts=("cauchy-schwarz", "tower", "deterministic-policies"),
)
def chain_of_the_bins(power: str = "sqrt(L)") -> Evidence:
    """From the regrets of the bins to d/(L+1) (sqrt(sum g mu') - d sqrt((1/L) sum e_l m_l)).

    Line 1: bin 0 has regret >= 0, and given everything outside a bin the policy is a randomised policy for
    the bin.  Line 2: e_l/2 under the root is the factor 1/sqrt(2).  Line 3: 1[n >= k^2] sqrt(n) >= sqrt(n)
    - k.  Line 4: roots of sums against sums of roots (two terms at a time from below; from above
    Cauchy-Schwarz, whose step adds one term).  Line 5: e_l n_l >= sum of g_t over the bin, and
    sqrt(L)/(L+1) <= 1/sqrt(L).
    """
    indicator = combine(
        implies(["n >= k**2", "k >= 0"], "sqrt(n) >= sqrt(n) - k"),
        implies(["n >= 0", "n < k**2", "k >= 0"], "0 >= sqrt(n) - k"),
    )
    below = implies(["x >= 0", "y >= 0"], "sqrt(x + y) <= sqrt(x) + sqrt(y)")
    above = implies(["L >= 1", "A >= 0", "Q >= 0", "x >= 0", "A**2 <= L*Q"], "(A + x)**2 <= (L + 1)*(Q + x**2)")
    edge = implies(["g <= edge", "m >= 0"], "g*m <= edge*m")
    # sqrt(L)/(L + 1) <= 1/power, squared and cleared.
    share_of_the_bins = implies(["L >= 1"], f"L*({power})**2 <= (L + 1)**2")
    return combine(indicator, below, above, edge, share_of_the_bins)


@claim(
    "lem:lower-bound/eq5",
    math=r"\frac{1}{L + 1} \ge \frac{1}{\lceil \log T \rceil}",
    title="Line 6 of the chain: ceil(log T) in place of L + 1 with the same constant: false",
    hypotheses=("T >= 16 d^2", "d >= L + 1"),
    expected="refuted",
    control=("twice ceil(log T)", 2),
    severity="constant",
    consequence="c_2 loses a factor of at most 2 (last_line_with_a_factor_two), to base 2 as well",
    carries=("lower_bound_absolute_constants",),
)
def last_line_of_the_chain(factor: int = 1) -> Evidence:
    """Dividing by ceil(log T) where the line before divides by L + 1 makes the bound larger.

    At T = 4096, L + 1 = 13, against 9 to base e and 12 to base 2.
    """
    base_two = exact.compare(number_of_bins(4096) + 1, ">", 12, "L + 1")
    # L + 1 <= factor ceil(log T) at T = 4096, where L = 12 and ceil(log T) = 9.
    bins_against_logarithm = fails(
        ("log(T) <= ceiling", "log(T) > ceiling - 1", *HORIZON),
        f"L + 1 <= {factor}*ceiling",
        at={"d": 13, "T": 4096, "L": 12, "ceiling": 9},
    )
    return refuted(bins_against_logarithm, base_two)


def factor_of_the_logarithm(factor: sp.Rational) -> Evidence:
    """L + 1 < log2 T + 2 <= factor log T for T >= 37."""
    return ladder.inequality(f"log(T) + 2*log(2) <= ({factor})*log(2)*log(T)", "T", 37)


def small_horizons(factor: int) -> Evidence:
    """T = 2, ..., 36 with ceil(log T) found from e^k < T, exact because e lies between the two fractions."""
    low, high = Fraction(2718281828, 10**9), Fraction(2718281829, 10**9)
    bad = 0
    for T in range(2, 37):
        ceilings = {sum(base**k < T for k in range(5)) for base in (low, high)}
        assert len(ceilings) == 1
        bad += number_of_bins(T) + 1 > factor * ceilings.pop()
    return exact.compare(bad, "==", 0, "horizons up to 36 that need more")


@claim(
    "lem:lower-bound/eq5",
    math=r"L + 1 \le 2 \lceil \log T \rceil \text{ for } T \ge 2",
    title="Line 6 repaired: L + 1 <= 2 ceil(log T) for every T >= 2",
    reading="repaired",
    hypotheses=("T >= 2",),
    expected="certified",
    control=(
        "factor 1 for small T, 3/2 beyond",
        lambda: combine(small_horizons(1), factor_of_the_logarithm(sp.Rational(3, 2))),
    ),
    uses=("chain_of_the_bins",),
)
def last_line_with_a_factor_two() -> Evidence:
    """L + 1 <= 2 ceil(log T) for T >= 2, and sqrt(A - B) >= sqrt(A) - sqrt(B): the last line with c_2'/2.

    For T >= 37, L + 1 < log2 T + 2 <= 2 log T; the smaller T are counted, and e lies between the fractions
    used.
    """
    euler = combine(
        ladder.inequality("exp(x) > 2718281828/10**9", "x", 1, 2),
        ladder.inequality("exp(x) < 2718281829/10**9", "x", 0, 1),
    )
    roots = implies(["B >= 0", "A >= B"], "sqrt(A - B) >= sqrt(A) - sqrt(B)")
    return combine(roots, euler, small_horizons(2), factor_of_the_logarithm(sp.S(2)))


# --- the error terms --------------------------------------------------------------------------------------


@claim("lem:lower-bound/eq6", hypotheses=("mu' <= L_mu", "bin 0"), control=("99% of it", sp.Rational(99, 100)))
def bin_zero_is_negligible(share: sp.Rational = sp.S.One) -> Evidence:
    """The sum of g_t mu' over bin 0 is at most g_max L_mu."""
    # Rounds with g <= M/T, at most T of them with slopes at most m, sum to at most share M m.
    return implies(["T >= 1", "n >= 0", "n <= T", "M > 0", "m > 0", "G <= n*M/T*m"], f"G <= ({share})*M*m")


@claim(
    "lem:lower-bound/eq7",
    hypotheses=("T >= 2", "mu' <= L_mu"),
    expected="certified",
    control=("L T - 1 in place of L T", 1),
)
def mean_edge_is_below_the_maximum(slack: int = 0) -> Evidence:
    """The mean of the edges e_1, ..., e_L is at most g_max, although e_L itself may be nearly 2 g_max.

    It is (2^(L+1) - 2) g_max/(L T).  As T > 2^(L-1), L T >= L 2^(L-1) >= 2^(L+1) for L >= 4; smaller T are
    counted.
    """
    many = implies(["L >= 4", "H > 0", "T > H"], "4*H - 2 <= L*T")
    # 2^(L+1) - 2 <= L T - slack for every T from 2 to 512: with slack 0, the mean of 2^l/T is at most 1.
    bad = sum(2 ** (number_of_bins(T) + 1) - 2 > number_of_bins(T) * T - slack for T in range(2, 513))
    mean_edge = exact.compare(bad, "==", 0, "horizons up to 512 with a larger mean edge")
    return combine(many, mean_edge)


def half_remains(threshold: str) -> Evidence:
    """X >= threshold a leaves X - a - d a >= X/2."""
    return implies(["d >= 1", "a > 0", f"X >= ({threshold})*a"], "X - a - d*a >= X/2")


@claim(
    "lem:lower-bound/eq8",
    "lem:lower-bound/eq9",
    hypotheses=("d >= 1", "the local lemma for every bin with n_l >= k^2, as in the chain of the bins"),
    control=("threshold 3 d", lambda: half_remains("3*d")),
    uses=("chain_of_the_bins", "bin_zero_is_negligible", "mean_edge_is_below_the_maximum"),
)
def half_of_the_sum_remains() -> Evidence:
    """Given the local lemma, sqrt(sum g mu') >= 4d sqrt(g_max L_mu) leaves half of it: c_2 = c_2'/(2 sqrt(2)).

    With L + 1 in the denominator.  The threshold 2(d + 1) would do.  The local lemma is a hypothesis of this step;
    it is false, and so is the conclusion (thm:lower-bound/eq1).
    """
    larger = implies(["d >= 1"], "max(2, 4*d) == 4*d")
    return combine(larger, half_remains("4*d"), half_remains("2*(d + 1)"))


@claim(
    "lem:lower-bound/eq10",
    hypotheses=("the prior lives on the neighbourhood",),
    control=("weights that add up to more than 1", "2 - p"),
)
def supremum_over_the_neighbourhood(weight: str = "1 - p") -> Evidence:
    """The supremum over the support is at least the mean under the prior.

    The neighbourhood is not intersected with the ball of radius S: alternatives may lie outside Theta,
    where neither kappa and L_mu nor the upper bound speak.
    """
    # A bound on every point of the support is a bound on the mean, two points at a time.
    return implies(["p >= 0", "p <= 1", "x <= s", "y <= s"], f"p*x + ({weight})*y <= s")
