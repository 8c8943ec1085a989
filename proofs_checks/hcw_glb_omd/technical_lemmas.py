"""The technical lemmas at the end of the paper, and the self-bounding inequality that uses one of them.

Throughout, mu is increasing with |mu''| <= R mu' on an interval, z1 and z2 are two points of it, and
u = R |z1 - z2|.  Since mu'(x) e^{Rx} increases and mu'(x) e^{-Rx} decreases, mu' at distance s from a
point z lies between mu'(z) e^{-Rs} and mu'(z) e^{Rs}; both are attained, by mu = e^{+-Rx}.  So each
inequality for all such mu is one inequality in the single variable u.
"""

from __future__ import annotations

import sympy as sp
from glbcheck.verify.claim import Statement
from glbcheck.verify.counterexample import refute
from glbcheck.verify.search import algebra, ladder, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, fails, refuted, states

u, v, R, x = sp.symbols("u v R x", positive=True)


# --- lemma:self-concordance ---------------------------------------------------------------------


def slope_times_exponential(rate: sp.Expr) -> Evidence:
    """d/dx (mu' e^{rate x}) = (mu'' + rate mu') e^{rate x}: of one sign when |mu''| <= |rate| mu'."""
    slope, bend = symbolic.smooth("mu", 1)(x), symbolic.smooth("mu", 2)(x)
    return symbolic.identity(sp.Derivative(slope * sp.exp(rate * x), x), (bend + rate * slope) * sp.exp(rate * x))


@claim(
    "lemma:self-concordance/eq1",
    hypotheses=("mu' > 0", "|mu''| <= R mu' between z1 and z2", "z is z1 or z2"),
    control=("denominator 1 + (9/10) u", sp.Rational(9, 10)),
    facts=("monotone",),
)
def self_concordance_mean(factor: sp.Rational = sp.S.One) -> Evidence:
    """The mean of mu' between z1 and z2 is at least mu'(z)/(1 + R|z1 - z2|), at either end z.

    The mean is at least mu'(z) times the mean of e^{-uv} over [0, 1], which is (1 - e^-u)/u whichever
    end z is: v and 1 - v trade places.
    """
    mean = symbolic.integral(sp.exp(-u * v), -sp.exp(-u * v) / u, v, 0, 1, (1 - sp.exp(-u)) / u)
    # (1 - e^-u)/u >= 1/(1 + factor u), cleared of its denominators.
    plain_mean_bound = ladder.inequality(f"(1 - exp(-u))*(1 + {factor}*u) >= u", "u")
    return combine(slope_times_exponential(R), slope_times_exponential(-R), mean, plain_mean_bound)


@claim(
    "lemma:self-concordance",
    "lemma:self-concordance/eq2",
    math=r"\frac{\mu'(z)}{2 + R_s \lvert z_1 - z_2 \rvert} \le \int_0^1 (1 - v) \mu'(z_1 + v (z_2 - z_1)) \, dv "
    r"\text{ for } z = z_1 \text{ and } z = z_2",
    hypotheses=("mu' > 0", "|mu''| <= R mu' between z1 and z2", "z is z1 or z2"),
    expected="refuted",
    control=("the same bound at z = z1", "z1"),
    severity="slip",
    consequence="only z = z1 is used (in lemma:inverse-regret), and there the bound holds",
    carries=("curvature_of_the_loss",),
)
def self_concordance_weighted(end: str = "z2") -> Evidence:
    """mu'(z)/(2 + R|z1 - z2|) is a lower bound of the (1-v)-weighted integral at both ends z: false at z2.

    The weight 1 - v vanishes at z2, so mu' may be large there and count for nothing: mu = e^x, R = 1.
    """
    # The printed lower bound for mu = e^x between 0 and 1, with the weighted integral in closed form.
    z1, z2 = sp.symbols("z1 z2")
    d = z2 - z1
    integrand = (1 - v) * sp.exp(z1 + v * d)
    antiderivative = ((1 - v) / d + 1 / d**2) * sp.exp(z1 + v * d)
    value = (sp.exp(z2) - sp.exp(z1) * (1 + d)) / d**2
    closed = symbolic.integral(
        integrand.subs(z1, 0).subs(z2, 1),
        antiderivative.subs(z1, 0).subs(z2, 1),
        v,
        0,
        1,
        value.subs(z1, 0).subs(z2, 1),
    )
    statement = Statement(
        hypotheses=("z1 < z2",),
        conclusion=f"exp({end})/(2 + d) <= weighted",
        definitions={"d": "z2 - z1", "weighted": "(exp(z2) - exp(z1)*(1 + d))/d**2"},
    )
    return refuted(refute(statement, {"z1": 0, "z2": 1}, "symbolic"), closed)


@claim(
    "lemma:self-concordance",
    "lemma:self-concordance/eq2",
    math=r"\frac{\mu'(z_1)}{2 + u} \le \int_0^1 (1 - v) \mu'(z_1 + v (z_2 - z_1)) \, dv \le \frac{e^u}{2} \mu'(z), \; "
    r"u = R_s \lvert z_1 - z_2 \rvert, \; z \in \{z_1, z_2\}",
    reading="repaired",
    hypotheses=("mu' > 0", "|mu''| <= R mu' between z1 and z2"),
    control=("constant 2 - 10^-6 in the denominator", 2 - sp.Rational(1, 10**6)),
    uses=("self_concordance_mean",),
    facts=("monotone",),
)
def self_concordance_weighted_repaired(constant: sp.Rational = sp.S(2)) -> Evidence:
    """The (1-v)-weighted integral is >= mu'(z1)/(2 + u) and, at both ends, <= e^u mu'(z)/2 <= e^{u^2} mu'(z).

    From below at z1: the integral of (1-v) e^{-uv} is (e^-u - 1 + u)/u^2.  From above, e^{uv} <= e^u and
    the weight has mass 1/2; then e^u/2 <= e^{u^2} because u^2 - u + log 2 > 0.
    """
    return combine(weighted_integral_from_below(constant), ladder.inequality("u**2 - u + log(2) > 0", "u"))


def weighted_integral_from_below(constant: sp.Rational) -> Evidence:
    """mu' e^{+-Rx} are monotone; the integral of (1-v) e^{-uv} is (e^-u - 1 + u)/u^2 >= 1/(constant + u)."""
    closed = symbolic.integral(
        (1 - v) * sp.exp(-u * v), -((1 - v) / u - 1 / u**2) * sp.exp(-u * v), v, 0, 1, (sp.exp(-u) - 1 + u) / u**2
    )
    slopes = combine(slope_times_exponential(R), slope_times_exponential(-R))
    return combine(slopes, closed, ladder.inequality(f"(exp(-u) - 1 + u)*({constant} + u) >= u**2", "u"))


# --- lemma:solve-ineq and lemma:solve-log --------------------------------------------------------------


states(
    "X >= 0, a >= 0, b >= 0, X**2 <= a*X + b => X <= a + sqrt(b)",
    "lemma:solve-ineq",
    "lemma:solve-ineq/eq1",
    id="quadratic_inequality",
    control=("sqrt(b)", "sqrt(b)*(1 - 10**-6)"),
)


@claim(
    "lemma:solve-log",
    "lemma:solve-log/eq1",
    hypotheses=("a, b > 0", "n <= a log(1 + bn)"),
    control=("factor 3/2 instead of 2", sp.Rational(3, 2)),
    facts=("convex-tangent",),
)
def logarithmic_inequality(factor: sp.Rational = sp.S(2)) -> Evidence:
    """n <= a log(1 + bn) implies n <= 2a log(1 + ab), for all real n >= 0; neither ab >= 1 nor c is needed.

    With x = n/a and c = ab the hypothesis is phi(x) <= 0 for phi(x) = x - log(1 + cx), which is convex
    with phi(0) = 0.  At x0 = 2 log(1 + c) it is positive, so it is positive beyond x0 as well.
    """
    c = sp.Symbol("c", positive=True)
    convex = symbolic.identity(sp.Derivative(x - sp.log(1 + c * x), x, 2), c**2 / (1 + c * x) ** 2)
    # phi(x0) > 0 at x0 = factor log(1 + c), where phi(x) = x - log(1 + c x).
    logarithm_at_the_bound = ladder.inequality(
        f"{factor}*log(1 + c) > log(1 + {factor}*c*log(1 + c))", "c", closed=(False, True)
    )
    return combine(convex, logarithm_at_the_bound)


@claim(
    "lemma:solve-log/eq2",
    math=r"\frac{d}{dx} \frac{x}{\log(1 + b x)} = \frac{\log(1 + b x) - \frac{b x}{1 + b x}}{\log(1 + b x)}",
    hypotheses=("b > 0", "x > 0"),
    expected="refuted",
    control=("log(1 + bx)^2 in the denominator", 2),
    severity="slip",
    consequence="the sign of the derivative, all that is used, does not depend on the missing square",
    carries=("logarithmic_inequality",),
)
def derivative_in_solve_log(power: int = 1) -> Evidence:
    """The derivative of x/log(1 + bx) as printed: the logarithm in the denominator lacks its square."""
    # x/log(1 + bx) differentiated, against the printed numerator over log(1 + bx)^power, at b = x = 1.
    b = sp.Symbol("b", positive=True)
    log = sp.log(1 + b * x)
    differentiated = symbolic.identity(sp.Derivative(x / log, x), 1 / log - b * x / ((1 + b * x) * log**2))
    without_the_square = fails(
        ("b > 0", "x > 0"),
        f"derivative == (L - b*x/(1 + b*x))/L**{power}",
        {"L": "log(1 + b*x)", "derivative": "1/L - b*x/((1 + b*x)*L**2)"},
        at={"b": 1, "x": 1},
    )
    return refuted(without_the_square, differentiated)


@claim(
    "technical-lemmas/s3",
    "technical-lemmas/s4",
    hypotheses=("b > 0", "x > 0"),
    control=("log(1 + y) above y", "y"),
    facts=("monotone",),
)
def quotient_by_the_logarithm_increases(below: str = "y/(1 + y)") -> Evidence:
    """x/log(1 + bx) increases: its derivative is h(bx)/log(1 + bx)^2, h(y) = log(1 + y) - y/(1 + y) > 0 for y > 0.

    h(0) = 0 and h'(y) = y/(1 + y)^2, as printed.
    """
    b, y = sp.symbols("b y", positive=True)
    log = sp.log(1 + b * x)
    return combine(
        symbolic.identity(sp.Derivative(x / log, x), (log - b * x / (1 + b * x)) / log**2),
        symbolic.identity(sp.Derivative(sp.log(1 + y) - y / (1 + y), y), y / (1 + y) ** 2),
        ladder.inequality(f"log(1 + y) > {below}", "y", closed=(False, True)),
    )


@claim("lemma:solve-log/eq3", hypotheses=("a, b > 0",), control=("the exponent read as 3", 3))
def substitution_in_solve_log(power: int = 2) -> Evidence:
    """x/log(1 + bx) at 2a log(1 + ab) is a log((1 + ab)^2)/log(1 + 2ab log(1 + ab)).

    The printed square stands inside the logarithm; both sides differ only in 2 log(1 + y) = log((1 + y)^2).
    """
    # 2 log(1 + y) = log((1 + y)^power): equal at 0 with equal derivatives.
    return combine(
        ladder.inequality(f"2*log(1 + y) <= log((1 + y)**{power})", "y"),
        ladder.inequality(f"2*log(1 + y) >= log((1 + y)**{power})", "y"),
    )


@claim(
    "technical-lemmas/s5",
    math=r"a b > 1 \Longrightarrow n \le a \log(1 + b n) \text{ for some } n \in \{1, 2, \dots\}",
    hypotheses=("ab > 1",),
    expected="refuted",
    control=("a = 2", sp.S(2)),
    severity="slip",
    consequence="the lemma bounds every such n and does not need one to exist",
)
def some_number_satisfies_the_inequality(a: sp.Rational = sp.Rational(11, 10)) -> Evidence:
    """If ab > 1 some natural number satisfies n <= a log(1 + bn): small real numbers do, natural ones need not.

    a = 11/10 and b = 1: already 1 > (11/10) log 2, and x - (11/10) log(1 + x) grows from there.
    """
    first = fails(("a > 0", "b == 1", "a*b > 1", "n >= 1"), "n <= a*log(1 + b*n)", at={"a": a, "b": 1, "n": 1})
    return refuted(first, ladder.inequality("x - 11/10*log(1 + x) > 0", "x", 1))


states(
    "x > 0 => 1 + x/2 > log(1 + x), 2*x + x**2 > 2*x*log(1 + x)",
    "technical-lemmas/s8",
    "technical-lemmas/s9",
    id="last_step_of_solve_log",
    control=("2*x*log", "4*x*log"),
    why="x stands for ab.  With the second inequality (1 + x)^2 > 1 + 2x log(1 + x), so the quotient of the display "
    "exceeds a; the first is the second divided by 2x.",
)


# --- the self-bounding inequality --------------------------------------------------------------------


@claim(
    "eqn:self-bounding",
    "sec:proof-sketch/eq6",
    hypotheses=("X_t >= 0", "beta_t >= 0 does not decrease", "X_t^2 <= beta_t^2 + K max_{s <= t} X_s"),
    control=("beta_t allowed to halve", "B_next >= B/2"),
    uses=("quadratic_inequality",),
)
def self_bounding_inequality(growth: str = "B_next >= B") -> Evidence:
    """X_t^2 <= beta_t^2 + K max_{s<=t} X_s for all t, beta not decreasing, implies X_t <= beta_t + K."""
    # M is the running maximum of X; the bound M <= B + K survives one more round.
    return algebra.induction(
        "M <= B + K",
        ["M", "B"],
        initial=["X >= 0", "M == X", "X**2 <= B**2 + K*M"],
        transition=["X_new >= 0", "M_next == max(M, X_new)", growth, "X_new**2 <= B_next**2 + K*M_next"],
        always=["K >= 0", "B >= 0"],
        parameters=["K"],
        auxiliary=["X", "X_new"],
    )
