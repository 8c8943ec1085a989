"""The factors of H, and what is worked out with them, against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import factor

SIZES = [1, 2, 5]


class Case:
    """A matrix, its factors, and two vectors."""

    def __init__(self, d: int, shift: float = 0.0, floor: float = 0.0) -> None:
        self.rng, self.d = np.random.default_rng(d), d
        A = self.rng.normal(size=(d, d))
        self.H: Floats = A @ A.T + np.diag(self.rng.uniform(0.5, 3, d))
        self.x, self.b = self.rng.normal(size=(2, d))
        self.lower, self.inverse_d = np.full((d, d), np.nan), np.full(d, np.nan)
        factor.factorise(self.H, shift, floor, self.lower, self.inverse_d)

    def product(self) -> Floats:
        L = np.tril(self.lower, -1) + np.eye(self.d)
        return np.asarray(L.T @ np.diag(1 / self.inverse_d) @ L)


@pytest.mark.parametrize("d", SIZES)
def test_the_factors_of_a_matrix_multiply_to_it_and_grow_with_it(d: int) -> None:
    np.testing.assert_allclose(Case(d, shift=0.7).product(), Case(d).H + 0.7 * np.eye(d), rtol=1e-12)
    case = Case(d)
    for scale in (0.3, 40.0):
        y = np.empty(d)
        factor.forward(case.lower, case.x, y)
        factor.add_outer(case.lower, case.inverse_d, scale, case.x.copy(), y)
        case.H = case.H + scale * np.outer(case.x, case.x)
        np.testing.assert_allclose(case.product(), case.H, rtol=1e-12)


def test_no_pivot_is_below_what_the_matrix_is_known_to_be_at_least() -> None:
    lower, inverse_d = np.empty((2, 2)), np.empty(2)
    factor.factorise(np.diag([1e-20, 5.0]), 0.0, 0.25, lower, inverse_d)
    np.testing.assert_allclose(inverse_d, [4.0, 0.2])


@pytest.mark.parametrize("d", SIZES)
def test_equations_and_norms_are_solved_with_the_factors(d: int) -> None:
    case = Case(d)
    y, u, v, p, q = np.empty((5, d))
    expected, other = np.linalg.solve(case.H, case.x), np.linalg.solve(case.H, case.b)
    assert factor.solve(case.lower, case.inverse_d, case.x, y, u) == pytest.approx(case.x @ expected)
    np.testing.assert_allclose(u, expected, rtol=1e-10)
    np.testing.assert_allclose((np.tril(case.lower, -1) + np.eye(d)).T @ y, case.x, rtol=1e-10)
    factor.backward(case.lower, case.inverse_d, y, v)
    np.testing.assert_allclose(v, expected, rtol=1e-10)
    factor.solve_pair(case.lower, case.inverse_d, case.x, case.b, p, q)
    np.testing.assert_allclose((p, q), (expected, other), rtol=1e-10)
    assert factor.squared_norm(case.inverse_d, y) == pytest.approx(case.x @ expected)
    assert factor.quadratic(case.lower, case.inverse_d, case.b) == pytest.approx(case.b @ case.H @ case.b)
    factor.times(case.H, case.x, u)
    np.testing.assert_allclose(u, case.H @ case.x, rtol=1e-12)
    assert factor.dot(case.x, case.b) == pytest.approx(case.x @ case.b)


@pytest.mark.parametrize("d", [1, 2, 3, 6])
def test_a_matrix_becomes_its_eigenvalues_and_a_vector_its_parts_along_the_eigenvectors(d: int) -> None:
    case = Case(d)
    case.H[0, d - 1] = case.H[d - 1, 0] = 0.0 if d > 2 else case.H[0, d - 1]
    matrix, v = case.H.copy(), case.x.copy()
    factor.diagonalise(matrix, v)
    values, vectors = np.linalg.eigh(case.H)
    order = np.argsort(np.diag(matrix))
    np.testing.assert_allclose(np.diag(matrix)[order], values, rtol=1e-12)
    np.testing.assert_allclose(np.abs(v[order]), np.abs(vectors.T @ case.x), rtol=1e-9)
    assert np.abs(matrix - np.diag(np.diag(matrix))).max() < 1e-14 * np.abs(values).max()
