"""The checks of `core.algorithm.checks`, under the name that the rivals still use."""

from glbcheck.core.algorithm.checks import checked_arms, checked_reward, checked_start, checked_vector, length_of_start

__all__ = ["checked_arms", "checked_reward", "checked_start", "checked_vector", "length_of_start"]
