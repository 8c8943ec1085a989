"""`python -m glbcheck.core.measures FILE...`: 0 if all answers stand, 1 if one does not, 2 if one is no answer."""

import sys

from ..kernel.__main__ import looked_at
from .check import check

if __name__ == "__main__":
    sys.exit(max((looked_at(path, check) for path in sys.argv[1:]), default=2))
