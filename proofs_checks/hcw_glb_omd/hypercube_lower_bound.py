"""thm:lower-bound repaired: what Assouad's argument on a hypercube of parameters proves."""

from __future__ import annotations

import sympy as sp
from glbcheck.verify.search import ladder, symbolic
from glbcheck.verify.search.games import dynamic_program
from glbcheck.verify.writing import Evidence, claim, combine, implies

from .bandit_games import hypercube
from .unprinted import NORMALISED

HALF = sp.S.Half


def half_is_kept(share: sp.Rational) -> Evidence:
    """w <= share n r leaves w (1 - w/(n r)) >= w/2; r stands for sqrt(g/T)."""
    return implies(["n >= 1", "r > 0", "w >= 0", f"w <= ({share})*n*r"], "w*(1 - w/(n*r)) >= w/2")


def assouad_scalars() -> Evidence:
    """The scalar facts of the argument on the hypercube: one coordinate's loss, one round's divergence."""
    loss = implies(["e**2 == 1", "s**2 == 1"], "1 - e*s == (e - s)**2/2")
    # Moves of 2 b/sqrt(n) along an arm, with b = w/sqrt(n).
    divergence = implies(["n > 0", "g > 0", "b == w/sqrt(n)"], "(2*b/sqrt(n))**2/(2*g) == 2*w**2/(n**2*g)")
    return combine(loss, divergence, implies(["T > 0", "g > 0"], "T*n*sqrt(g/T)/4 == n*sqrt(g*T)/4"))


@claim(
    "thm:lower-bound",
    "thm:lower-bound/eq1",
    math=r"\sup_{\lVert \theta \rVert \le S} \operatorname{Reg}(T) \ge \min \left( \tfrac{1}{4} d \sqrt{g T}, "
    r"\tfrac{1}{2} S T \right)",
    reading="repaired",
    hypotheses=("Gaussian rewards of variance g", "d, T >= 1", "S > 0"),
    control=("perturbation larger by 2%", lambda: half_is_kept(sp.Rational(51, 100))),
    facts=("assouad", "pinsker", "kl-chain-rule"),
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
        NORMALISED,
        "d >= 2, n = d - 1",
        "w = n sqrt(g/(T mu'(z0)))/(2 sqrt(e)) with R_s w <= 1",
        "theta_* = (0, ..., 0, s) after a rotation, z0 = s/sqrt(2), s^2 + 2w^2 <= S^2",
    ),
    control=("17 in place of 18", lambda: constant_of_the_family(17)),
    uses=("self_concordance_mean", "kl_is_bregman"),
    facts=("assouad", "pinsker", "kl-chain-rule", "monotone"),
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
    # w = n q e^(-1/2)/2 for q = sqrt(g/(T m)), and T m q is the root r of g T m.
    value = combine(
        symbolic.identity("T*(n*q*exp(-1/2)/2)*exp(-1)*m/2", "n*(T*m*q)*exp(-3/2)/4", variables=["n", "T", "m", "q"]),
        implies(["g > 0", "T > 0", "m > 0"], "T*m*sqrt(g/(T*m)) == sqrt(g*T*m)"),
    )
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
    facts=("assouad", "pinsker", "kl-chain-rule", "tower"),
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
        NORMALISED,
        "T >= 2, L = ceil(log2 T) <= d - 1",
        "sum g >= 2 g_max",
        "w_l = floor((d-1)/L)/(2 sqrt(e mu'(z0) H_l)) with R_s w_l <= 1, H_l the sum of 1/g in bin l",
        "theta_* = (0, ..., 0, s) after a rotation, z0 = s/sqrt(2), s^2 + 2 (sum of w_l^2) <= S^2",
    ),
    control=("71 in place of 72", 71),
    uses=("hypercube_lower_bound_glm", "heteroskedastic_lower_bound"),
    facts=("assouad", "pinsker", "kl-chain-rule", "monotone", "tower"),
)
def heteroskedastic_lower_bound_glm(constant: int = 72) -> Evidence:
    """For dispersions g_t some arm sets force regret >= (d-1) sqrt(sum g_t mu'(z0))/(72 L) near theta_*.

    The bins of heteroskedastic_lower_bound with the arms of hypercube_lower_bound_glm: all share the last
    coordinate, so mu'(z0) is the slope at the best arm in every round.  Total variation in bin l is w/k
    e^(u/2) sqrt(mu'(z0) H), so a bin of n rounds costs n w mu'(z0)/(2e) = k n sqrt(mu'(z0)/H)/(4 e^(3/2))
    >= k sqrt(mu'(z0) G/2)/18.  The squared radius is 2 (sum of w_l^2) <= (1/(2e)) (d/L)^2 (kappa g_max/T)
    (sum of 2^l/n_l): the printed one with every factor squared.
    """
    # w = k e^(-1/2)/(2 r) for r = sqrt(m H), and m/r is the root of m/H.
    cost = combine(
        symbolic.identity("n*(k*exp(-1/2)/(2*r))*m*exp(-1)/2", "k*n*(m/r)*exp(-3/2)/4", variables=["k", "n", "m", "r"]),
        implies(["m > 0", "H > 0"], "m/sqrt(m*H) == sqrt(m/H)"),
    )
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
    facts=("kl-below-chi-square", "pinsker", "kl-chain-rule", "backward-induction"),
)
def hypercube_exact_values() -> Evidence:
    """On the square the best policy's Bayes regret is at least T/6 (1 - sqrt(T)/4), as the argument says.

    A wrong sign costs 1/6; KL <= chi^2 <= 1/8 a round, so total variation is at most sqrt(T)/4.  The left
    side is the optimum over all policies, by backward induction.
    """
    return combine(hypercube_value(1, sp.Rational(3, 4)), hypercube_value(4, HALF))
