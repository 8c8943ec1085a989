"""The systems that the paper compares itself with: one readable class per file, in the order of its pseudocode."""
