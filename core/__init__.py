"""The mathematics of generalised linear bandits: families, constants, divergences, the algorithm."""
