"""What finds certificates: searches that may fail or be wrong without harm, for the kernel accepts alone."""
