"""The algorithms of `core.rivals` in the compiled loop."""
