"""Formulas of the kernel as Coq text, with the conditions under which they are defined."""

from __future__ import annotations

import pytest
from glbcheck.verify.certificate import relations
from glbcheck.verify.coq.formulas import Names, Untranslated, conditions, conjunction

NAMES = Names({name: f"v_{name}" for name in "xyfn"}, frozenset("n"))


def written(statement: str) -> str:
    """A relation about real x and y, whole n and a function f, after what makes it defined."""
    kinds = {"x": "real", "y": "real", "n": "integer", "f": "function"}
    ((left, op, right),) = relations({"variables": kinds, "hypotheses": [], "conclusion": statement})
    return conjunction([*(one.text(NAMES) for one in conditions(left, right)), NAMES.relation(left, op, right)])


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("x/y <= 1", "(v_y <> 0) /\\ ((v_x * (/ v_y)) <= 1)"),
        ("sqrt(x) <= y", "(0 <= v_x) /\\ ((sqrt v_x) <= v_y)"),
        ("log(x) > -1/2*y**2", "(0 < v_x) /\\ (((-1 / 2) * (v_y ^ 2)) < (ln v_x))"),
        ("f_2(x) == x**(-3/2)", "(0 < v_x) /\\ ((v_f 2%nat v_x) = (/ ((sqrt v_x) ^ 3)))"),
        ("x**y == max(x, 1, y)", "(0 < v_x) /\\ ((Rpower v_x v_y) = (Rmax (Rmax v_x 1) v_y))"),
        (
            "integral(1/t, t, 1, x) == 0",
            "((ex_RInt (fun v_t => (/ v_t)) 1 v_x) /\\ ((forall v_t : R, Rmin 1 v_x <= v_t <= Rmax 1 v_x -> v_t <> 0)))"
            " /\\ ((RInt (fun v_t => (/ v_t)) 1 v_x) = 0)",
        ),
        ("n**2 >= n", "(IZR v_n) <= ((IZR v_n) ^ 2)"),
        ("x/0 == 0", "(0 <> 0) /\\ ((v_x * (/ 0)) = 0)"),
    ],
)
def test_a_formula_is_written_after_what_makes_it_defined(statement: str, text: str) -> None:
    assert written(statement) == text


@pytest.mark.parametrize("statement", ["gamma(x) > 0", "tan(x) > 0", "sum(x**k, k, 1, x) > 0"])
def test_a_formula_without_coq_text_is_refused(statement: str) -> None:
    with pytest.raises(Untranslated):
        written(statement)
