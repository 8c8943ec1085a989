"""The letters of a family as SymPy symbols: natural parameter z, reward r, dispersion g."""

import sympy as sp

z, r = sp.symbols("z r", real=True)
g = sp.Symbol("g", positive=True)
