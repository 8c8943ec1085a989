"""Views of `results.json`: each turns rows into text and computes no verdict."""
