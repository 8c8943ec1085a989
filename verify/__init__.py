"""Evidence: how a statement becomes a verdict.  Knows nothing of any particular paper."""
