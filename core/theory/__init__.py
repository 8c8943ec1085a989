"""Every constant of the paper, one function per label; how they are chosen, and what a learner is told of them."""
