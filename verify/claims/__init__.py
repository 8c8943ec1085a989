"""Claims that are one text: `declare` has what modules write, the others what follows from it."""
