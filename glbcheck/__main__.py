"""`python -m glbcheck` is the command."""

import sys

from glbcheck.cli import main

if __name__ == "__main__":
    sys.exit(main())
