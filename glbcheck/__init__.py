"""glbcheck: a referee for bandit-theory papers."""
