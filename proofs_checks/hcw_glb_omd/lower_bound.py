"""The corruption-free lower bound: what its hypotheses allow, what contradicts it, and what can be proved.

Two upper bounds on regret need no algorithm.  Playing x_{t,*}, the best arm at the centre theta_*, costs
<x~ - x_*, theta~> <= <x~ - x_*, theta~ - theta_*> <= 2 |theta~ - theta_*| a round in a linear bandit; and
no play costs more than mu(S) - mu(-S) <= 2 S L_mu a round while theta~ stays in the ball.  A lower bound
with absolute constants must stay below both.
"""

from __future__ import annotations

import sympy as sp
from glbcheck.verify.provers import algebra, exact, ladder, symbolic
from glbcheck.verify.provers.games import dynamic_program
from glbcheck.verify.writing import Evidence, claim, combine, fails, implies, structural

from .bandit_games import hypercube

HALF = sp.S.Half

structural(
    "sec:lower-bound",
    reason="the heading; theorems, uniformity coefficient and tightness are claimed one by one.  Which "
    "earlier bounds are subsumed is a comparison with other papers, that this is the first bound "
    "for Poisson bandits a matter of history, that the upper bound's corruption term can be "
    "improved a conjecture",
)


# --- which (d, T) the theorem speaks about ---------------------------------------------------------------


def horizon_fits(d: int) -> Evidence:
    """16 d^2 <= T <= 2^(d-1) for some whole T, that is, 16 d^2 <= 2^(d-1)."""
    return fails(("d >= 1",), "16*d**2 <= 2**(d - 1)", at={"d": d})


@claim(
    "thm:lower-bound",
    math=r"\text{for every } d \text{ some } T \text{ has } d \ge \lceil \log_2 T \rceil + 1, \; \sqrt{\sum_t g_t "
    r"\mu'_{t,\star}} \ge 4 d \sqrt{g_{\max} L_\mu}",
    hypotheses=("d >= ceil(log2 T) + 1", "sqrt(sum g mu') >= 4 d sqrt(g_max L_mu)"),
    expected="refuted",
    control=("d = 13", lambda: horizon_fits(13)),
    severity="hypothesis",
    consequence="the theorem says nothing for d <= 12, whatever T and the dispersions are",
)
def lower_bound_speaks_in_every_dimension() -> Evidence:
    """In every dimension some horizon and dispersions meet both hypotheses: false for d <= 12.

    As g <= g_max and mu' <= L_mu, the second hypothesis gives T g_max L_mu >= 16 d^2 g_max L_mu, so T >= 16
    d^2; the first says T <= 2^(d-1).  Both together need 16 d^2 <= 2^(d-1), which fails for d = 1, ..., 12.
    """
    dimensions = [exact.closed(f"16*{d}**2 > 2**{d - 1}") for d in range(1, 13)]
    forced = implies(["G <= T*m", "m > 0", "T > 0", "d >= 1", "G >= 16*d**2*m"], "T >= 16*d**2")
    return combine(forced, *dimensions, horizon_fits(12))


@claim(
    "thm:lower-bound",
    math=r"\text{for every } d \ge 13 \text{ some } T \text{ has } 16 d^2 \le T \le 2^{d-1}",
    reading="repaired",
    hypotheses=("d >= 13",),
    control=("from d = 12 on", 12),
)
def lower_bound_speaks_from_thirteen_on(first: int = 13) -> Evidence:
    """For every d >= 13 some horizons have 16 d^2 <= T <= 2^(d-1), and there a linear bandit meets both.

    With g and mu' constant the second hypothesis is T >= 16 d^2 exactly.
    """
    # P = 2^d stays at or above 32 d^2 from d = first on.
    return algebra.induction(
        "P >= 32*d**2",
        ["P", "d"],
        initial=[f"d == {first}", f"P == {2**first}"],
        transition=["P_next == 2*P", "d_next == d + 1"],
        always=[f"d >= {first}"],
    )


# --- absolute constants -----------------------------------------------------------------------------------


def any_constants() -> Evidence:
    """The same instance with c_1 = 39 a^2 and g = h^4: the bound wins as soon as h > 96 a/c_2."""
    a, c2, h = sp.symbols("a c2 h", positive=True)
    lower = c2 * 13 * sp.sqrt(h**4 * 4096) / 12
    upper = 2 * 4096 * sp.sqrt(39 * a**2 * 13 * sp.sqrt(h**4 / 4096) / 12)
    return combine(
        symbolic.identity(lower, sp.Rational(208, 3) * c2 * h**2),
        symbolic.identity(upper, 6656 * a * h),
        implies(["a > 0", "c2 > 0", "h*c2 == 97*a"], "6656*a*h < 208/3*c2*h**2"),
    )


@claim(
    "thm:lower-bound",
    "thm:lower-bound/eq1",
    "thm:lower-bound/eq2",
    math=r"\sup_{\lVert \tilde{\theta} - \theta_\star \rVert^2 \le \varepsilon} \operatorname{Reg}(T) \ge \frac{c_2 "
    r"d}{\lceil \log T \rceil} \sqrt{\sum_t g_t \mu'_{t,\star}}, \; \varepsilon = c_1 d \sqrt{\frac{\kappa "
    r"g_{\max}}{T}} U, \text{ for absolute } c_1, c_2 > 0",
    hypotheses=("all of the theorem's", "Gaussian rewards", "constant dispersion g"),
    expected="refuted",
    control=("the radius, not its square, of the order d sqrt(g/T)", "c1*d**2*g/T*U**2"),
    severity="substance",
    consequence="no such constants exist: the squared radius has the dimension of theta, not of theta^2; "
    "hypercube_lower_bound and hypercube_lower_bound_glm prove the bound with radius d sqrt(g/T)",
)
def lower_bound_absolute_constants(radius: str = "c1*d*sqrt(g/T)*U", g: int = 65536) -> Evidence:
    """Regret >= c_2 d sqrt(sum g mu')/log T within |theta~ - theta_*|^2 <= eps, c_1 and c_2 absolute: false.

    For Gaussian rewards the learner who plays x_{t,*} pays at most 2 T sqrt(eps), with eps proportional to
    sqrt(g): for any arm sets and any S this grows like g^(1/4), while the bound grows like g^(1/2).
    Whatever c_1 and c_2 are, d = 13, T = 4096 and g large contradict them; the logarithm is read to base 2,
    which favours the bound.
    """
    # Gaussian rewards, d = 13, T = 4096 = 2^12, c_1 = c_2 = 1: the bound against 2 T sqrt(eps).
    point = {"d": 13, "T": 4096, "P": 4096, "L": 12, "c1": 1, "c2": 1, "g": g}
    against_playing_the_centre = fails(
        ("T >= 16*d**2", "P >= T", "P < 2*T", "d >= L + 1", "c1 > 0", "c2 > 0", "g > 0"),
        "c2*d*sqrt(g*T)/L <= 2*T*sqrt(eps)",
        {"U": "sqrt(P/T)/L", "eps": radius},
        at=point,
    )
    return combine(any_constants(), against_playing_the_centre)


@claim(
    "thm:lower-bound/eq1",
    math=r"\sup_{\lVert \tilde{\theta} \rVert \le S} \operatorname{Reg}(T) \ge \frac{c_2 d}{\lceil \log T \rceil} "
    r"\sqrt{\sum_t g_t \mu'_{t,\star}} \text{ for every } S > 0",
    hypotheses=("all of the theorem's", "theta~ in the ball of radius S, as assumed throughout"),
    expected="refuted",
    control=("S = 1", sp.S.One),
    severity="hypothesis",
    consequence="a minimum with a multiple of (mu(S) - mu(-S)) T, or T >= d^2 g/S^2, has to be added",
)
def lower_bound_within_the_ball(S: sp.Rational = sp.Rational(1, 120)) -> Evidence:
    """The bound holds for instances in the ball whatever its radius S: false, since regret <= 2 S T.

    For every c_2 the radius S = c_2/120 is a contradiction at d = 13, T = 4096.
    """
    every = implies(["c2 > 0", "S == c2/120"], "c2*13*64/12 > 2*S*4096")
    # The same instance with unit variance and theta~ in the ball of radius S: bound against 2 S T.
    against_the_whole_ball = fails(
        ("S > 0", "c2 > 0", "T >= 16*d**2", "d >= L + 1"),
        "c2*d*sqrt(T)/L <= 2*S*T",
        at={"S": S, "c2": 1, "d": 13, "T": 4096, "L": 12},
    )
    return combine(every, against_the_whole_ball)


# --- what can be proved -----------------------------------------------------------------------------------


def half_is_kept(share: sp.Rational) -> Evidence:
    """w <= share n r leaves w (1 - w/(n r)) >= w/2; r stands for sqrt(g/T)."""
    return implies(["n >= 1", "r > 0", "w >= 0", f"w <= ({share})*n*r"], "w*(1 - w/(n*r)) >= w/2")


def assouad_scalars() -> Evidence:
    """The scalar facts of the argument on the hypercube: one coordinate's loss, one round's divergence."""
    b, n, g, T, w = sp.symbols("b n g T w", positive=True)
    loss = implies(["e**2 == 1", "s**2 == 1"], "1 - e*s == (e - s)**2/2")
    shift = 2 * b / sp.sqrt(n)
    divergence = symbolic.identity((shift**2 / (2 * g)).subs(b, w / sp.sqrt(n)), 2 * w**2 / (n**2 * g))
    return combine(loss, divergence, symbolic.identity(T * n * sp.sqrt(g / T) / 4, n * sp.sqrt(g * T) / 4))


@claim(
    "thm:lower-bound",
    "thm:lower-bound/eq1",
    math=r"\sup_{\lVert \theta \rVert \le S} \operatorname{Reg}(T) \ge \min \left( \tfrac{1}{4} d \sqrt{g T}, "
    r"\tfrac{1}{2} S T \right)",
    reading="repaired",
    hypotheses=("Gaussian rewards of variance g", "d, T >= 1", "S > 0"),
    control=("perturbation larger by 2%", lambda: half_is_kept(sp.Rational(51, 100))),
)
def hypercube_lower_bound() -> Evidence:
    """Some arm set and, for every policy, some theta in the ball have regret >= min(d sqrt(gT)/4, ST/2).

    Arms e/sqrt(d) and parameters b s, for signs e and s in {-1, 1}^d, with w = b sqrt(d) = min(d
    sqrt(g/T)/2, S): then |theta| = w <= S, and an arm costs 2w/d for every sign in which e and s differ.
    Flipping one sign of s moves each mean by 2b/sqrt(d), so T rounds have divergence 2 T w^2/(d^2 g), and
    by Pinsker's inequality the two laws are within w/d sqrt(T/g) <= 1/2 in total variation.  Averaged over
    s (Assouad), each sign is wrong in at least T (1 - 1/2)/2 rounds, and d signs cost d T/4 times 2w/d,
    which is T w/2.  Regret <= 2ST is trivial, so the second branch is sharp up to 4.  Neither d >= log T
    nor T >= 16 d^2 is needed.
    """
    return combine(assouad_scalars(), half_is_kept(HALF))


def constant_of_the_family(bound: int) -> Evidence:
    """4 e^(3u/2) <= bound for u in [0, 1]: what the slopes cost when they vary by e^u either way."""
    return ladder.inequality(f"4*exp(3*u/2) <= {bound}", "u", 0, 1)


@claim(
    "thm:lower-bound",
    "thm:lower-bound/eq1",
    "thm:lower-bound/eq2",
    "lem:lower-bound",
    "lem:lower-bound/eq1",
    "lem:lower-bound/eq2",
    math=r"\sup_{\lVert \tilde{\theta} - \theta_\star \rVert^2 = 2 w^2} \operatorname{Reg}(T) \ge \frac{d - 1}{18} "
    r"\sqrt{g T \mu'(z_0)}, \; w = \frac{d - 1}{2 \sqrt{e}} \sqrt{\frac{g}{T \mu'(z_0)}}",
    reading="repaired",
    hypotheses=(
        "d >= 2, n = d - 1",
        "w = n sqrt(g/(T mu'(z0)))/(2 sqrt(e)) with R_s w <= 1",
        "theta_* = (0, ..., 0, s) after a rotation, z0 = s/sqrt(2), s^2 + 2w^2 <= S^2",
    ),
    control=("17 in place of 18", lambda: constant_of_the_family(17)),
    uses=("self_concordance_mean", "kl_is_bregman"),
)
def hypercube_lower_bound_glm() -> Evidence:
    """Any self-concordant family: regret >= (d-1) sqrt(g T mu'(z0))/18 within |theta~ - theta_*|^2 = 2 w^2.

    Arms (e/sqrt(2n), 1/sqrt(2)) and parameters (b s, s_d), signs e and s in {-1, 1}^n, w = b sqrt(n/2).
    All inner products lie within w of z0 = <x_*, theta_*>, so with u = R_s w <= 1 all slopes lie within
    e^(+-u) of mu'(z0).  A wrong sign costs at least 2w/n e^-u mu'(z0); flipping one sign has divergence at
    most (2w/n)^2 e^u mu'(z0)/(2g) a round.  Total variation is at most w/n e^(u/2) sqrt(T mu'(z0)/g) <=
    1/2, and as before the regret is at least T w e^-u mu'(z0)/2 >= n sqrt(g T mu'(z0))/(4 e^(3/2)).  The
    neighbourhood has radius of order d sqrt(g/(T mu')).
    """
    n, g, T, m = sp.symbols("n g T m", positive=True)
    w = n * sp.sqrt(g / (T * m)) * sp.exp(-HALF) / 2
    value = symbolic.identity(T * w * sp.exp(-1) * m / 2, n * sp.sqrt(g * T * m) * sp.exp(-3 * HALF) / 4)
    distance = ladder.inequality("exp(u/2)*exp(-1/2)/2 <= 1/2", "u", 0, 1)
    slopes = ladder.inequality("exp(-u) >= exp(-1)", "u", 0, 1)
    return combine(assouad_scalars(), half_is_kept(HALF), value, distance, slopes, constant_of_the_family(18))


def group_of_rounds(factor: int) -> Evidence:
    """n rounds of one dyadic bin, H the sum of 1/g, G the sum of g: G H <= factor n^2."""
    return implies(["n > 0", "edge > 0", "H > 0", "G > 0", "H*edge <= 2*n", "G <= edge*n"], f"G*H <= {factor}*n**2")


@claim(
    "thm:lower-bound",
    "thm:lower-bound/eq1",
    math=r"\sup_{\lVert \theta \rVert \le S} \operatorname{Reg}(T) \ge \frac{d}{16 L} \sqrt{\sum_t g_t}, \; L = "
    r"\lceil \log_2 T \rceil",
    reading="repaired",
    hypotheses=(
        "Gaussian rewards of variances g_t",
        "T >= 2, L = ceil(log2 T) <= d",
        "sum g >= 2 g_max",
        "S^2 >= (sum over nonempty bins of w_l^2), w_l = floor(d/L)/(2 sqrt(sum of 1/g in the bin))",
    ),
    control=("G H <= n^2", lambda: group_of_rounds(1)),
    uses=("hypercube_lower_bound", "bins_partition_the_rounds", "integer_share_of_the_dimension"),
)
def heteroskedastic_lower_bound() -> Evidence:
    """For variances g_t some arm sets force regret >= d sqrt(sum g_t)/(16 L), L = ceil(log2 T).

    Each dyadic bin l = 1, ..., L gets floor(d/L) coordinates of its own and, in them, the hypercube of
    hypercube_lower_bound; bin 0 needs none.  In a bin with n rounds and H = sum of 1/g the total variation
    is w/k sqrt(H) with k = floor(d/L), so w = k/(2 sqrt(H)) costs n w/2 = k n/(4 sqrt(H)) >= k sqrt(G/2)/4,
    because G H <= 2 n^2 inside a bin.  Roots add up to at least the root of the sum, the bins 1, ..., L
    hold at least sum g - g_max >= (sum g)/2, and k >= d/(2L).  Information from other bins concerns other
    coordinates, so conditioning on it leaves a policy for the bin.  If S is smaller, the cost of bin l is
    min(., S n/(2 sqrt(L))).
    """
    roots = implies(["x >= 0", "y >= 0"], "sqrt(x) + sqrt(y) >= sqrt(x + y)")
    rest = implies(["G >= 2*m", "m > 0"], "sqrt((G - m)/2) >= sqrt(G)/2")
    whole = symbolic.identity("d/(2*L)*(1/4)*(r/2)", "d*r/(16*L)", variables=["d", "L", "r"])
    return combine(group_of_rounds(2), roots, rest, whole)


@claim(
    "thm:lower-bound",
    "thm:lower-bound/eq1",
    "thm:lower-bound/eq2",
    math=r"\sup_{\lVert \tilde{\theta} - \theta_\star \rVert^2 = 2 \sum_\ell w_\ell^2} \operatorname{Reg}(T) \ge "
    r"\frac{d - 1}{72 L} \sqrt{\sum_t g_t \mu'(z_0)}, \; L = \lceil \log_2 T \rceil",
    reading="repaired",
    hypotheses=(
        "any self-concordant family",
        "T >= 2, L = ceil(log2 T) <= d - 1",
        "sum g >= 2 g_max",
        "w_l = floor((d-1)/L)/(2 sqrt(e mu'(z0) H_l)) with R_s w_l <= 1, H_l the sum of 1/g in bin l",
        "theta_* = (0, ..., 0, s) after a rotation, z0 = s/sqrt(2), s^2 + 2 (sum of w_l^2) <= S^2",
    ),
    control=("71 in place of 72", 71),
    uses=("hypercube_lower_bound_glm", "heteroskedastic_lower_bound"),
)
def heteroskedastic_lower_bound_glm(constant: int = 72) -> Evidence:
    """For dispersions g_t some arm sets force regret >= (d-1) sqrt(sum g_t mu'(z0))/(72 L) near theta_*.

    The bins of heteroskedastic_lower_bound with the arms of hypercube_lower_bound_glm: all share the last
    coordinate, so mu'(z0) is the slope at the best arm in every round.  Total variation in bin l is w/k
    e^(u/2) sqrt(mu'(z0) H), so a bin of n rounds costs n w mu'(z0)/(2e) = k n sqrt(mu'(z0)/H)/(4 e^(3/2))
    >= k sqrt(mu'(z0) G/2)/18.  The squared radius is 2 (sum of w_l^2) <= (1/(2e)) (d/L)^2 (kappa g_max/T)
    (sum of 2^l/n_l): the printed one with every factor squared.
    """
    k, n, m, H = sp.symbols("k n m H", positive=True)
    w = k * sp.exp(-HALF) / (2 * sp.sqrt(m * H))
    cost = symbolic.identity(n * w * m * sp.exp(-1) / 2, k * n * sp.sqrt(m / H) * sp.exp(-3 * HALF) / 4)
    squares = implies(["n > 0", "edge > 0", "H*edge >= n", "H > 0"], "1/H <= edge/n")
    # (d-1)/(2L) coordinates a bin, 1/18 for each and half of the root of the sum: (d-1)/(constant L).
    share_of_a_family = symbolic.identity(
        "(d - 1)/(2*L)*(1/18)*(r/2)", f"(d - 1)*r/({constant}*L)", variables=["d", "L", "r"]
    )
    return combine(group_of_rounds(2), constant_of_the_family(18), cost, squares, share_of_a_family)


def hypercube_value(T: int, share: sp.Rational) -> Evidence:
    """The least Bayes regret on the square of four arms against share T/6."""
    return dynamic_program(hypercube(T), ">=", share * T / 6, "min")


@claim(
    "thm:lower-bound/eq1",
    reading="repaired",
    hypotheses=("Bernoulli rewards with means 1/3, 1/2, 2/3", "d = 2", "T = 1 or 4"),
    control=("the value of learning nothing", lambda: hypercube_value(4, sp.S.One)),
    uses=("hypercube_lower_bound",),
)
def hypercube_exact_values() -> Evidence:
    """On the square the best policy's Bayes regret is at least T/6 (1 - sqrt(T)/4), as the argument says.

    A wrong sign costs 1/6; KL <= chi^2 <= 1/8 a round, so total variation is at most sqrt(T)/4.  The left
    side is the optimum over all policies, by backward induction.
    """
    return combine(hypercube_value(1, sp.Rational(3, 4)), hypercube_value(4, HALF))
