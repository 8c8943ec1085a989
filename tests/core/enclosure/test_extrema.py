"""Cells and branch and bound against functions whose maxima are known."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
import sympy as sp
from glbcheck.core.enclosure import ball, ball_function, hull, jet_function, lower, precision, upper
from glbcheck.core.enclosure.extrema import CellView, Unresolved, cell_jet, maximise

F = Fraction
z = sp.Symbol("z", real=True)


def view_of(expr: sp.Expr) -> CellView:
    value, slope = (ball_function(e, [z]) for e in (expr, sp.diff(expr, z)))
    return lambda a, b: (value(hull(a, b)), slope(hull(a, b)))


def exact(x: mpmath.mpf) -> Fraction:
    return F(mpmath.nstr(x, 40))


# --- cells -----------------------------------------------------------------------------------------------

CURVES = {
    "z exp(-z)": (z * sp.exp(-z), lambda x: x * mpmath.exp(-x)),
    "log(1 + exp z)": (sp.log(1 + sp.exp(z)), lambda x: mpmath.log(1 + mpmath.exp(x))),
    "sin(z)²": (sp.sin(z) ** 2, lambda x: mpmath.sin(x) ** 2),
}
CELLS = [(F(1, 3), F(1, 2)), (F(-1), F(-7, 8)), (F(2), F(9, 4))]


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize(("left", "right"), CELLS)
def test_a_cell_holds_the_coefficients_of_all_its_points_and_little_else(
    name: str, left: Fraction, right: Fraction
) -> None:
    expr, function = CURVES[name]
    with precision(160):
        found = cell_jet(jet_function(expr, z), left, right, 5)
        plain = jet_function(expr, z)(hull(left, right), 5)
    points = [left + (right - left) * F(k, 8) for k in range(9)]
    with mpmath.workdps(60):
        jets = [[exact(c) for c in mpmath.taylor(function, mpmath.mpf(x.numerator) / x.denominator, 4)] for x in points]
    assert len(found) == 5
    for k, (over, wide) in enumerate(zip(found, plain, strict=True)):
        seen = [jet[k] for jet in jets]
        slack = F(1, 10**30)
        assert lower(over) <= min(seen) + slack
        assert max(seen) <= upper(over) + slack
        room = (max(seen) - min(seen)) / 4 + F(1, 100)
        assert min(seen) - room <= lower(over)
        assert upper(over) <= max(seen) + room
        assert upper(over) - lower(over) <= upper(wide) - lower(wide)


# --- branch and bound ------------------------------------------------------------------------------------

KNOWN: list[tuple[sp.Expr, int, int, sp.Expr, list[Fraction], tuple[int, ...]]] = [
    (1 - (z - sp.Rational(1, 3)) ** 2, -1, 2, sp.Integer(1), [F(1, 3)], ()),
    (2 - (z**2 - 1) ** 2, -3, 3, sp.Integer(2), [F(-1), F(1)], ()),
    (z**2 + 1, -1, 1, sp.Integer(2), [F(-1), F(1)], (-1, 1)),
    (z**2 + 1, -1, 2, sp.Integer(5), [F(2)], (2,)),
    (sp.exp(z), 0, 1, sp.E, [F(1)], (1,)),
    (sp.exp(-z), 0, 1, sp.Integer(1), [F(0)], (0,)),
    (-2 - z, 0, 1, sp.Integer(-2), [F(0)], (0,)), (z / 4, 0, 1, sp.Rational(1, 4), [F(1)], (1,)),
    (3 - z / 4, 0, 1, sp.Integer(3), [F(0)], (0,)),
    (5 - z**2 * (z - 2) ** 2 + sp.exp(z) * 0, -1, 3, sp.Integer(5), [F(0), F(2)], ()),
]  # fmt: skip


@pytest.mark.parametrize(("expr", "left", "right", "top", "places", "ends"), KNOWN, ids=lambda x: str(x))
@pytest.mark.parametrize("start", [None, [F(-5), F(1, 7), F(1, 2), F(2), F(9)]])
def test_a_known_maximum_is_bracketed_and_located(
    expr: sp.Expr, left: int, right: int, top: sp.Expr, places: list[Fraction], ends: tuple[int, ...],
    start: list[Fraction] | None,
) -> None:  # fmt: skip
    with precision(128):
        found = maximise(view_of(expr), F(left), F(right), start=start)
        value = ball(top)
    assert lower(found.lower) <= upper(value)
    assert lower(value) <= upper(found.upper)
    assert upper(found.upper) - lower(found.lower) <= abs(upper(value)) / 10**9
    assert found.ends == ends
    if not ends:
        assert len(found.places) == len(places)
        for (low, high), place in zip(found.places, places, strict=True):
            assert low <= place <= high <= low + F(1, 50)


def test_the_bracket_is_as_narrow_as_it_is_asked_to_be() -> None:
    view = view_of(1 - (z - sp.Rational(1, 3)) ** 2)
    widths = []
    for digits in (2, 6, 12):
        found = maximise(view, F(-1), F(2), F(1, 10**digits))
        assert lower(found.lower) <= 1 <= upper(found.upper)
        widths.append(upper(found.upper) - lower(found.lower))
        assert widths[-1] <= F(1, 10**digits)
    assert widths[0] > F(1, 10**6) > widths[2]


def test_a_constant_is_attained_everywhere_and_at_no_end() -> None:
    found = maximise(lambda a, b: (ball(3), ball(0)), F(0), F(1))
    assert (found.places, found.ends) == (((F(0), F(1)),), ())
    assert (found.lower, found.upper) == (3, 3)


def test_a_function_without_a_finite_bound_is_not_resolved() -> None:
    with pytest.raises(Unresolved, match=r"4000 cells were not enough on \[-1, 1\]"):
        maximise(view_of(1 / z**2), F(-1), F(1))


def test_maxima_next_to_each_other_are_one_place_and_others_are_not() -> None:
    near = maximise(view_of(2 - (z**2 - sp.Rational(1, 10**8)) ** 2), F(-1), F(1), F(1, 10**6))
    assert len(near.places) == 1
    apart = maximise(view_of(2 - 1000 * (z**2 - sp.Rational(1, 100)) ** 2), F(-1), F(1), F(1, 10**9))
    assert [round(float(low + high) / 2, 2) for low, high in apart.places] == [-0.1, 0.1]
