"""The constants of the lower bounds, one function per label or repaired theorem (see `constants`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from glbcheck.core.scalar import Scalar, smallest, sqrt

# --- thm:lower-bound and lem:lower-bound, repaired --------------------------------------------------------------------
# Dispersions g_t are cut at c > 0, arms have length min(1, g_t/c); slopes in play are within `stretch` of `slope`.


def capped_sum(dispersions: Iterable[Scalar], c: Scalar) -> Scalar:
    """V = sum of min(g_t, c)."""
    return sum(smallest(g, c) for g in dispersions)


def cube_floor(n: Scalar, w: Scalar, slope: Scalar, stretch: Scalar, c: Scalar, V: Scalar) -> Scalar:
    """What n signs of size w cost every policy (claim `heteroskedastic_lower_bound_glm`)."""
    return slope * w * V / (stretch * c) * (1 - 2 * w * sqrt(stretch * slope * V) / (3 * n * c))


def cube_radius(n: Scalar, slope: Scalar, stretch: Scalar, c: Scalar, V: Scalar) -> Scalar:
    """The w for which `cube_floor` is largest; there it is 3 n sqrt(slope V/stretch^3)/8."""
    return 3 * n * c / (4 * sqrt(stretch * slope * V))


def sphere_step(r: Scalar, stretch: Scalar, c: Scalar, V: Scalar) -> Scalar:
    """The square of each coordinate orthogonal to theta_*, |theta_*| = r (claim `sphere_lower_bound`)."""
    return r * c / (2 * sqrt(stretch * V))


def sphere_floor(d: Scalar, r: Scalar, R_s: Scalar, stretch: Scalar, V: Scalar) -> Scalar:
    """What every policy pays on spheres, V = sum of min(g_t, c) mu'_{t,*} (claim `sphere_lower_bound`)."""
    return (d - 1) * sqrt(V / stretch**3) / (16 * (1 + 2 * R_s * r))


# --- thm:lower-bound-corruption ---------------------------------------------------------------------------------------


def gap(mu: Callable[[Scalar], Scalar], S: Scalar, cos_phi: Scalar) -> Scalar:
    """app:lower-bound-corruption: Δ = μ(S) - μ(S cos²φ), the regret of one suboptimal pull."""
    return mu(S) - mu(S * cos_phi**2)


def corruption_regret_floor(d: int, C: float, T: int, Delta: float, arm_free_noise: bool) -> float:
    """thm:lower-bound-corruption repaired: what some instance of every algorithm pays, Delta = μ(S) - μ(0)."""
    if d < 2:
        return 0.0
    return float(noiseless_floor(d, C, T, Delta) if arm_free_noise else family_floor(d, C, T, Delta))


def noiseless_floor(d: Scalar, C: Scalar, T: Scalar, Delta: Scalar) -> Scalar:
    """Noise that does not depend on the arm: min(dC, ΔT)/4 (claim `corruption_bound_of_the_noiseless_game`)."""
    return smallest(d * C, Delta * T) / 4


def family_floor(d: Scalar, C: Scalar, T: Scalar, Delta: Scalar) -> Scalar:
    """Any family: min(3 ΔT/8, 3 dC/1024) with Δ at most C/8 (claim `corruption_bound_of_every_family`)."""
    return smallest(3 * smallest(Delta, C / 8) * T / 8, 3 * d * C / 1024)


def flip_probability(Delta: Scalar, mu_S: Scalar) -> Scalar:
    """app:logistic: q = Δ / μ(S), for flipping a one as for thinning a count (app:poisson)."""
    return Delta / mu_S


def unknown_budget_floor(d: Scalar, C: Scalar, T: Scalar, Delta: Scalar, rise: Scalar, clean: Scalar) -> Scalar:
    """app:unknown-C: the regret at budget C of a learner that is not told C and pays at most `clean` at budget 0.

    Δ is the gap of the clean world, `rise` how much better the hidden arm is (claim `price_of_not_knowing_the_budget`).
    """
    return rise * (T - clean / ((d - 1) * Delta) * (1 + T * (Delta + rise) / C))


def budget_of_linear_regret(d: Scalar, Delta: Scalar, rise: Scalar, clean: Scalar) -> Scalar:
    """app:unknown-C: from this budget on that floor is `rise` T/2, if T >= 4 clean/((d - 1) Δ)."""
    return 4 * (Delta + rise) * clean / ((d - 1) * Delta)
