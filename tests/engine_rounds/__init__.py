"""Whole runs in the compiled loop: rewards, log, blocks, threads."""
