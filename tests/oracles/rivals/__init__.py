"""Rivals in readable numpy, in the order of their pseudocode: oracles for `core.rivals`."""
