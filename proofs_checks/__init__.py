"""The paper, claim by claim: one module per section, each claim beside the check that decides it."""
