"""Identities, sums and remainders that are true."""

from __future__ import annotations

from functools import partial

import sympy as sp
from glbcheck.verify.search.symbolic import identity, integral, matrix_identity, smooth, sum_identity, taylor_remainder

from tests.corpus import Entry

a, b, h, t, x, z = sp.symbols("a b h t x z", real=True)
m, m_1, m_2, m_3 = (smooth("m", order) for order in range(4))
A = sp.Matrix(2, 2, sp.symbols("a:4", real=True))
u, v = (sp.Matrix(sp.symbols(f"{name}:2", real=True)) for name in "uv")
# of 1 + u v^T, along its first row
DETERMINANT = (
    "(1 + u0*v0)*((1 + u1*v1)*(1 + u2*v2) - u1*v2*u2*v1) - u0*v1*(u1*v0*(1 + u2*v2) - u1*v2*u2*v0)"
    " + u0*v2*(u1*v0*u2*v1 - (1 + u1*v1)*u2*v0)"
)
B = A.adjugate() / A.det()
path = a + t * (b - a)

bregman = [m(p) - m(q) - m_1(q) * (p - q) for p, q in ((a, b), (b, a))]
inverse = B - B * u * v.T * B / (1 + (v.T * B * u)[0])

ENTRIES = [
    Entry("two forms of the logistic function",
          partial(identity, "1/(1 + exp(-z))", "exp(z)/(1 + exp(z))", variables=["z"])),
    Entry("the logistic variance is the second derivative of log(1 + exp z)",
          partial(identity, sp.Derivative(sp.log(1 + sp.exp(z)), z, 2), sp.exp(z) / (1 + sp.exp(z)) ** 2)),
    Entry("tanh by exponentials of twice the argument",
          partial(identity, "tanh(x/2)", "(exp(x) - 1)/(exp(x) + 1)", variables=["x"])),
    Entry("rationalising a root", partial(identity, "sqrt(1 + x) - 1", "x/(1 + sqrt(1 + x))", variables=["x"])),
    Entry("two Bregman divergences add up to a product of differences",
          partial(identity, bregman[0] + bregman[1], (m_1(a) - m_1(b)) * (a - b))),
    Entry("the chain rule for a generic function",
          partial(identity, sp.Derivative(m(z + t * h), t, 2), h**2 * m_2(z + t * h))),
    Entry("the sum of squares", partial(sum_identity, "k**2", "n*(n + 1)*(2*n + 1)/6", "k", 1, "n")),
    Entry("the geometric sum", partial(sum_identity, "x**k", "(x**(n + 1) - 1)/(x - 1)", "k", 0, "n", ["x"])),
    Entry("a telescoping sum", partial(sum_identity, "1/(k*(k + 1))", "1 - 1/(n + 1)", "k", 1, "n")),
    Entry("the integral remainder of order 1", partial(taylor_remainder, "m", 1, m_2(t) * (b - t), t, t, a, b, (a, b))),
    Entry("the integral remainder of order 2",
          partial(taylor_remainder, "m", 2, m_3(t) * (b - t) ** 2 / 2, t, t, a, b, (a, b))),
    Entry("the integral remainder on the unit interval",
          partial(taylor_remainder, "m", 1, (1 - t) * m_2(path) * (b - a) ** 2, t, path, a, b, (0, 1))),
    Entry("an integral by its antiderivative",
          partial(integral, t * sp.exp(t), (t - 1) * sp.exp(t), t, 0, x, (x - 1) * sp.exp(x) + 1)),
    Entry("the matrix determinant lemma in dimension 3",
          partial(identity, DETERMINANT, "1 + u0*v0 + u1*v1 + u2*v2", variables=["u0", "u1", "u2", "v0", "v1", "v2"])),
    Entry("the Sherman-Morrison formula in dimension 2",
          partial(matrix_identity, (A + u * v.T) * inverse, sp.eye(2))),
]  # fmt: skip
