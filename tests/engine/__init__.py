"""Tests of the compiled learner against the readable reference."""
