"""False statements for the searching prover: common violations, rare ones, and bounds shaved by 1e-7."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction as F

from glbcheck.verify.claim import Statement
from glbcheck.verify.search import strategies
from glbcheck.verify.search.attack import Values, attack
from glbcheck.verify.search.confirm import Confirmation
from glbcheck.verify.search.property import stress
from hypothesis import strategies as st

from tests.corpus import Entry

Pair = tuple[F, F]
Arms = tuple[strategies.Vector, ...]
SMALL = st.tuples(strategies.small_fractions(), strategies.small_fractions())
UNIT = {"x": (0, 1)}
SQUARE = {"x": (F(1, 2), 2), "y": (F(1, 2), 2)}


def pair(statement: str, *hypotheses: str) -> Confirmation[Pair]:
    return Confirmation(lambda v: {"x": v[0], "y": v[1]}, Statement(hypotheses, statement))


def scalars(statement: str, *hypotheses: str) -> Confirmation[Values]:
    return Confirmation(lambda values: dict(values), Statement(hypotheses, statement))


def determinant(m: strategies.Matrix) -> F:
    return m[0][0] * m[1][1] - m[0][1] * m[1][0]


def matrix_sum(a: strategies.Matrix, b: strategies.Matrix) -> strategies.Matrix:
    return tuple(tuple(p + q for p, q in zip(r, s, strict=True)) for r, s in zip(a, b, strict=True))


def entries(pair_of: tuple[strategies.Matrix, strategies.Matrix]) -> Mapping[str, F]:
    return {
        f"{name}{i}{j}": m[i][j] for name, m in zip("ab", pair_of, strict=True) for i in range(2) for j in range(i, 2)
    }


def determinant_slack(point: Mapping[str, F]) -> F | None:
    """det A + det B - det(A+B), or None unless both are positive definite."""
    a, b = (((point[f"{n}00"], point[f"{n}01"]), (point[f"{n}01"], point[f"{n}11"])) for n in ("a", "b"))
    if not all(m[0][0] > 0 and determinant(m) > 0 for m in (a, b)):
        return None
    return determinant(a) + determinant(b) - determinant(matrix_sum(a, b))


def potential(arms: list[F]) -> tuple[float, float]:
    """Σ x²/V before each update, and log V at the end, for scalar arms and V = 1 at the start."""
    v, total = F(1), F(0)
    for arm in arms:
        total += arm**2 / v
        v += arm**2
    return float(total), math.log(v)


ENTRIES = [
    Entry(
        "squares add like numbers",
        lambda: stress(
            lambda v: v[0] ** 2 + v[1] ** 2 - (v[0] + v[1]) ** 2,
            SMALL,
            200,
            1,
            confirmation=pair("(x + y)**2 <= x**2 + y**2"),
        ),
        statement=Statement((), "(x + y)**2 <= x**2 + y**2"),
        witness={"x": 1, "y": 1},
    ),
    Entry(
        "squares dominate numbers",
        lambda: stress(lambda v: v[0] ** 2 - v[0], SMALL, 200, 2, confirmation=pair("x <= x**2")),
        statement=Statement((), "x <= x**2"),
        witness={"x": F(1, 2)},
    ),
    Entry(
        "determinant is subadditive",
        lambda: stress(
            lambda m: determinant(m[0]) + determinant(m[1]) - determinant(matrix_sum(*m)),
            st.tuples(strategies.rational_spd_matrices(2), strategies.rational_spd_matrices(2)),
            200,
            3,
            confirmation=Confirmation(entries, determinant_slack),
        ),
        statement=Statement(
            ("a00 > 0", "a00*a11 > a01**2", "b00 > 0", "b00*b11 > b01**2"),
            "(a00 + b00)*(a11 + b11) - (a01 + b01)**2 <= a00*a11 - a01**2 + b00*b11 - b01**2",
        ),
        witness={"a00": 1, "a01": 0, "a11": 1, "b00": 1, "b01": 0, "b11": 1},
    ),
    Entry(
        "potential without its factor two",
        lambda: stress(
            lambda arms: potential(arms)[1] - potential(arms)[0],
            st.lists(st.fractions(0, 1, max_denominator=10), min_size=1, max_size=4),
            200,
            4,
        ),
        statement=Statement((), "x**2 <= log(1 + x**2)"),
        witness={"x": 1},
    ),
    Entry(
        "variance at most one quarter for any family",
        lambda: stress(
            lambda v: 0.25 - v[0].dmu(float(v[1])),
            st.tuples(strategies.families(), strategies.small_fractions()),
            200,
            5,
        ),
        statement=Statement((), "p*(1 - p)*a**2 <= 1/4"),
        witness={"p": F(1, 2), "a": 2},
    ),
    Entry(
        "hypotheses that cannot be met",
        lambda: stress(lambda v: v[0] < 10 if v[0] >= 10 else None, SMALL, 100, 6),
        statement=Statement(("x >= 10",), "x < 10"),
        witness={"x": 10},
    ),
    Entry(
        "strategy that yields nothing",
        lambda: stress(lambda v: v < 0, st.integers().filter(lambda _: False), 50, 7),
        statement=Statement((), "v < 0"),
        witness={"v": 0},
    ),
    Entry(
        "values that are not numbers",
        lambda: stress(lambda v: math.nan if v[0] < 1 else True, SMALL, 50, 8),
        statement=Statement(("x > 0",), "log(x) >= 0"),
        witness={"x": F(1, 2)},
    ),
    Entry(
        "hypotheses that are almost never met",
        lambda: stress(lambda v: v != 77 if v == 77 else None, st.integers(0, 10**6), 500, 9),
        statement=Statement((), "v != 77"),
        witness={"v": 77},
    ),
    Entry(
        "a search too weak for its planted violation",
        lambda: stress(
            lambda v: v != 123456, st.integers(0, 10**6), 100, 10, alternatives={"shifted": lambda v: v != 123457}
        ),
        statement=Statement((), "v != 123456"),
        witness={"v": 123456},
    ),
    Entry(
        "logistic variance shaved",
        lambda: attack(
            lambda v: v["x"] * (1 - v["x"]),
            F(1, 4) - F(1, 10**7),
            UNIT,
            seed=1,
            confirmation=scalars("x*(1 - x) <= 1/4 - 1e-7", "x >= 0", "x <= 1"),
        ),
        near_miss=True,
        statement=Statement((), "x*(1 - x) <= 1/4 - 1e-7"),
        witness={"x": F(1, 2)},
    ),
    Entry(
        "arithmetic and geometric mean shaved",
        lambda: attack(
            lambda v: 2 * v["x"] * v["y"] / (v["x"] ** 2 + v["y"] ** 2),
            1 - F(1, 10**7),
            SQUARE,
            seed=2,
            confirmation=scalars("2*x*y <= (1 - 1e-7)*(x**2 + y**2)", "x >= 1/2", "y >= 1/2"),
        ),
        near_miss=True,
        statement=Statement((), "2*x*y <= (1 - 1e-7)*(x**2 + y**2)"),
        witness={"x": 1, "y": 1},
    ),
    Entry(
        "tangent of the exponential raised",
        lambda: attack(
            lambda v: 1 + v["x"] - math.exp(v["x"]),
            -F(1, 10**7),
            {"x": (-1, 1)},
            seed=3,
            confirmation=scalars("1 + x - exp(x) <= -1e-7"),
        ),
        near_miss=True,
        statement=Statement((), "1 + x - exp(x) <= -1e-7"),
        witness={"x": 0},
    ),
    Entry(
        "supremum at the far corner shaved",
        lambda: attack(
            lambda v: v["x"] / (1 + v["x"]),
            1 - F(1, 10**5) - F(1, 10**7),
            {"x": (F(1, 1000), 10**5)},
            seed=4,
            logarithmic=["x"],
        ),
        near_miss=True,
        statement=Statement((), "x/(1 + x) <= 1 - 1e-5 - 1e-7"),
        witness={"x": 10**5},
    ),
    Entry(
        "ratio that is never a number",
        lambda: attack(lambda v: v["x"] if v["x"] > 5 else None, 0, UNIT, seed=5),
        statement=Statement(("x > 5",), "x <= 0"),
        witness={"x": 6},
    ),
]
