"""The mathematics of generalised linear bandits: families, constants, divergences, the algorithm."""

# `verify` reads this to notice when another package called `core` shadows ours.
DISTRIBUTION = "glbcheck"
