"""What normal forms take for different is written anew without another value."""

from __future__ import annotations

from fractions import Fraction

from glbcheck.core.kernel.evaluate import ball, precision
from glbcheck.core.kernel.terms import Term, joined, number, term, variable
from glbcheck.core.measures.series import value
from glbcheck.core.measures.writing import opened
from hypothesis import given, settings
from hypothesis import strategies as st

Z = variable("z")
NUMBERS = st.fractions(min_value=-9, max_value=9, max_denominator=36)
EXPONENTS = st.sampled_from([Fraction(n, d) for n in (-5, -3, -2, -1, 1, 2, 3, 5) for d in (1, 2, 3, 4)])


def larger(parts: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    several = st.lists(parts, min_size=2, max_size=3)
    return st.one_of(
        several.map(lambda row: joined("+", row)),
        several.map(lambda row: joined("*", row)),
        st.tuples(parts, EXPONENTS).map(lambda pair: pair[0] ** pair[1]),
        parts.map(lambda part: term("log", part)),
        parts.map(lambda part: term("exp", part)),
    )


FORMULAS = st.recursive(st.one_of(st.just(Z), NUMBERS.map(number), st.just(term("pi"))), larger, max_leaves=8)


@settings(max_examples=300, deadline=None)
@given(FORMULAS, NUMBERS)
def test_a_formula_that_is_written_anew_has_its_value_where_it_has_one(formula: Term, at: Fraction) -> None:
    with precision(256):
        before = value(formula, ball(at))
        if not before.is_finite():
            return
        after = value(opened(formula), ball(at))
        assert not after.is_finite() or not bool(after != before), (after, before)
