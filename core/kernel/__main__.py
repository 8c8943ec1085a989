"""`python -m glbcheck.core.kernel FILE...`: 0 if all certificates stand, 1 if one does not, 2 if one is unreadable."""

import sys
from collections.abc import Callable

from .check import check, load
from .terms import Rejected


def looked_at(path: str, check: Callable[..., object]) -> int:
    """Says what a check finds in a file; the code to exit with."""
    code = 2
    try:
        data, code = load(path), 1
        print(f"{path}: {check(data)}")
        return 0
    except (OSError, Rejected) as error:
        code = getattr(error, "code", code)
        print(f"{path}: {'does not stand' if code == 1 else 'cannot be read'}: {error}")
        return code


if __name__ == "__main__":
    sys.exit(max((looked_at(path, check) for path in sys.argv[1:]), default=2))
