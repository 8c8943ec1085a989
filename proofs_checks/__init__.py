"""Papers, one folder each."""
