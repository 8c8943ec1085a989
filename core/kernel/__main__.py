"""`python -m glbcheck.core.kernel FILE...`: 0 if all certificates stand, 1 if one does not, 2 if one is none."""

import sys
from collections.abc import Callable

from .check import BROKEN, check, load
from .terms import Rejected


def looked_at(path: str, check: Callable[..., object]) -> int:
    """Says what a check finds in a file; the code to exit with."""
    try:
        print(f"{path}: {check(load(path))}")
        return 0
    except (OSError, Rejected) as error:
        code = getattr(error, "code", 1 + (isinstance(error, OSError) or str(error).startswith(BROKEN)))
        print(f"{path}: {'does not stand' if code == 1 else 'cannot be read'}: {error}")
        return code


if __name__ == "__main__":
    sys.exit(max((looked_at(path, check) for path in sys.argv[1:]), default=2))
