"""Coq as a second kernel: theories that any paper may use, and the driver that compiles and asks."""
