"""thm:lower-bound repaired: what Assouad's argument on a hypercube of parameters proves."""

from __future__ import annotations

import sympy as sp
from glbcheck.core.theory import lower_constants
from glbcheck.verify.search import ladder, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, implies, text_of

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


# --- dispersions that change with the round ---------------------------------------------------------------


def a_round_tells_its_length() -> Evidence:
    """Arms of length l = min(1, g/c): information l^2/g is at most l/c, and c l is min(g, c)."""
    length = ["g > 0", "c > 0", "l == min(1, g/c)"]
    return combine(implies(length, "l**2/g <= l/c"), implies(length, "c*l == min(g, c)"))


def roots_of_the_past(share: str) -> Evidence:
    """v sqrt(U) <= share ((U + v)^(3/2) - U^(3/2)), with roots a of U and b of U + v; so the sum over rounds."""
    return implies(["a >= 0", "b >= a"], f"(b**2 - a**2)*a <= ({share})*(b**3 - a**3)")


# n signs of size w, slopes within a factor k of m, dispersions cut at c with sum V; r is the root of k m V.
CUBE = ("n >= 1", "k >= 1", "m > 0", "c > 0", "w > 0", "r > 0")
ARGUMENTS = ("m", "k", "c", "r**2/(k*m)")
FLOOR = text_of(lower_constants.cube_floor, "n", "w", *ARGUMENTS)
RADIUS = text_of(lower_constants.cube_radius, "n", *ARGUMENTS)


def floor_of_the_cube() -> Evidence:
    """The sum over the rounds of what wrong signs cost is the floor; A is the sum of v_t sqrt(V_{t-1}).

    Here q is the root of k m and e that of V.
    """
    floor = text_of(lower_constants.cube_floor, "n", "w", "q**2/k", "k", "c", "e**2")
    known = ["n >= 1", "k >= 1", "c > 0", "w > 0", "q > 0", "e > 0", "A <= 2/3*e**3"]
    return implies(known, f"w*(q**2/k)/(k*c)*(e**2 - w*q/(n*c)*A) >= {floor}")


def largest_floor(constant: sp.Rational) -> Evidence:
    """At the best w the floor is constant n sqrt(m V/k^3), which is constant n r/k^2."""
    return implies([*CUBE, f"w == {RADIUS}"], f"{FLOOR} >= ({constant})*n*r/k**2")


def half_of_a_smaller_cube() -> Evidence:
    """Any smaller w keeps half of what it would cost if nothing were learnt."""
    return implies([*CUBE, f"w <= {RADIUS}"], f"{FLOOR} >= w*r**2/(2*k**2*c)")


@claim(
    "thm:lower-bound",
    "thm:lower-bound/eq1",
    math=r"\sup_{\lVert \theta \rVert \le S} \operatorname{Reg}(T) \ge \min \left( \tfrac{3}{8} d \sqrt{V}, "
    r"\frac{S V}{2 c} \right), \; V = \sum_t \min(g_t, c)",
    reading="repaired",
    hypotheses=(
        "Gaussian rewards of variances g_t > 0",
        "d, T >= 1",
        "S > 0",
        "any c > 0; c = g_max makes V the sum of all",
    ),
    control=("13/20 in place of 2/3", lambda: roots_of_the_past("13/20")),
    uses=("hypercube_lower_bound",),
    facts=("assouad", "pinsker", "kl-chain-rule"),
)
def heteroskedastic_lower_bound() -> Evidence:
    """For variances g_t some arm sets force regret >= min(3 d sqrt(V)/8, SV/(2c)), V the sum of min(g_t, c).

    No bins, no logarithm, no d >= log T: arms l_t e/sqrt(d) of length l_t = min(1, g_t/c) and parameters b s,
    for signs e and s in {-1, 1}^d, w = b sqrt(d) = min(3 d c/(4 sqrt(V)), S).  By Cauchy's inequality no
    other lengths make sum l_t/sqrt(sum l_t^2/g_t) larger than l_t = g_t/g_max does.  Flipping one sign has
    divergence at most 2 l_t^2 w^2/(d^2 g_t) <= 2 w^2 l_t/(d^2 c) in round t, so before round t the two laws are
    within w sqrt(V_{t-1})/(dc) in total variation (Pinsker), V_t being the sum up to t.  By Assouad round t costs
    w l_t (1 - w sqrt(V_{t-1})/(dc)), and the sum of min(g_t, c) sqrt(V_{t-1}) is at most 2 V^(3/2)/3.

    For c = 2 S sqrt(V)/d the rounds with g_t > c cost at most d sqrt(V) whatever is played, and without them the
    upper bounds of order d sqrt(sum g) + d^2 g_max/S are of the order d sqrt(V): this is the rate, up to logarithms.
    """
    # Moves of 2 b l/sqrt(d) along an arm, with b = w/sqrt(d).
    divergence = implies(["d > 0", "g > 0", "b == w/sqrt(d)"], "(2*b*l/sqrt(d))**2/(2*g) == 2*l**2*w**2/(d**2*g)")
    loud = implies(["S > 0", "d >= 1", "V > 0", "c == 2*S*sqrt(V)/d", "N >= 0", "N*c <= V"], "2*S*N <= d*sqrt(V)")
    quiet = implies(["S > 0", "d >= 1", "V > 0", "c == 2*S*sqrt(V)/d"], "d**2*c/S == 2*d*sqrt(V)")
    return combine(
        divergence,
        a_round_tells_its_length(),
        roots_of_the_past("2/3"),
        floor_of_the_cube(),
        largest_floor(sp.Rational(3, 8)),
        half_of_a_smaller_cube(),
        loud,
        quiet,
    )


@claim(
    "thm:lower-bound",
    "thm:lower-bound/eq1",
    "thm:lower-bound/eq2",
    math=r"\sup_{\lVert \tilde{\theta} - \theta_\star \rVert = w/a} \operatorname{Reg}(T) \ge "
    r"\tfrac{3}{8} e^{-3 u/2} n \sqrt{\mu'(z_0) V}, \; w = \frac{3 n c}{4 \sqrt{e^u \mu'(z_0) V}}, \; "
    r"V = \sum_t \min(g_t, c)",
    reading="repaired",
    hypotheses=(
        "any self-concordant family",
        NORMALISED,
        "any c > 0 and u >= R_s w",
        "theta_* = (0, ..., 0, s) after a rotation, a^2 + b^2 = 1, a > 0, z0 = b s, s^2 + w^2/a^2 <= S^2",
        "n = d - 1 >= 1, or n = d with b = s = 0",
    ),
    control=("2/5 in place of 3/8", lambda: largest_floor(sp.Rational(2, 5))),
    uses=("hypercube_lower_bound_glm", "heteroskedastic_lower_bound"),
    facts=("assouad", "pinsker", "kl-chain-rule", "monotone"),
)
def heteroskedastic_lower_bound_glm() -> Evidence:
    """For dispersions g_t some arm sets force regret >= 3/8 e^(-3u/2) n sqrt(mu'(z0) V) near theta_*.

    Arms (l_t a e/sqrt(n), b) with l_t = min(1, g_t/c) and parameters (w s/(a sqrt(n)), s_d): inner products are
    z0 + l_t w times the mean of e_i s_i, within w of z0 = <x_{t,*}, theta_*>, where slopes lie within e^(+-u) of
    mu'(z0).  A wrong sign costs at least 2 l_t w/n e^-u mu'(z0), flipping one sign has divergence at most
    2 l_t^2 w^2 e^u mu'(z0)/(n^2 g_t) in round t, and the sums are those of heteroskedastic_lower_bound; by
    Assouad any w with R_s w <= u gives `cube_floor`, and this w the most.  The squared radius is
    9 n^2 c^2/(16 a^2 e^u mu'(z0) V): with c = g_max the printed one squared, g_max T for the sum of g_t, and no
    coefficient U.  A smaller c makes it vanish however few rounds are loud.
    """
    length = implies(["l >= 0", "l <= 1", "a**2 + b**2 == 1"], "(l*a)**2 + b**2 <= 1")
    value = implies(["a > 0", "n > 0"], "l*a/sqrt(n)*(w/(a*sqrt(n))) == l*w/n")
    # k = e^u: e^(-3u/2) is the root of k^-3.
    exponential = symbolic.identity("exp(-3*u/2)**2", "1/exp(u)**3", variables=["u"])
    return combine(
        length,
        value,
        exponential,
        a_round_tells_its_length(),
        roots_of_the_past("2/3"),
        floor_of_the_cube(),
        largest_floor(sp.Rational(3, 8)),
    )


def noiseless_start(factor: int) -> Evidence:
    """Regret 2 S d against c_2 d sqrt(sum g), with g = 0 in the first d rounds and g = 1 afterwards."""
    return implies(["c2 > 0", "S > 0", "d >= 1", f"T > d + {factor}*S**2/c2**2"], "c2*d*sqrt(T - d) > 2*S*d")


@claim(
    "thm:lower-bound/eq1",
    math=r"\inf_\pi \sup_{\lVert \theta \rVert \le S} \operatorname{Reg}(T) \le 2 S d < c_2 d \sqrt{\sum_t g_t} "
    r"\text{ for } \mathcal{X}_1 = \dots = \mathcal{X}_T, \; g_1 = \dots = g_d = 0, \; g_{d+1} = \dots = g_T = 1",
    reading="repaired",
    hypotheses=("Gaussian rewards", "one arm set for all rounds", "c_2 > 0", "T > d + 4 S^2/c_2^2"),
    control=("3 S^2 in place of 4 S^2", lambda: noiseless_start(3)),
    uses=("heteroskedastic_lower_bound",),
)
def arm_sets_have_to_follow_the_dispersions() -> Evidence:
    """With the same arms in every round d sqrt(sum g) is no lower bound: d noiseless rounds show everything.

    The learner plays a basis of the span of the arms while rewards carry no noise, knows <x, theta> of every arm
    from then on, and pays at most 2 S d.  So the supremum over sequences of arm sets cannot be one over arm sets, and
    lengths in proportion to the dispersion are what keeps quiet rounds from telling too much.
    """
    most = implies(["abs(best) <= S", "abs(played) <= S"], "best - played <= 2*S")
    return combine(most, noiseless_start(4))
