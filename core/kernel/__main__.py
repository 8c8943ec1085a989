"""`python -m glbcheck.core.kernel FILE...`: does every certificate in these files stand?

Exit code 0 if all do, 1 if one does not, 2 if a file cannot be read.
"""

import sys

from .check import check, load
from .terms import Rejected


def main(paths: list[str]) -> int:
    code = 0 if paths else 2
    for path in paths:
        try:
            data = load(path)
        except (OSError, Rejected) as error:
            print(f"{path}: cannot be read: {error}")
            code = 2
            continue
        try:
            found = check(data)
            rests = f" (rests on {', '.join(found.rests_on)})" if found.rests_on else ""
            print(f"{path}: {found.word}{rests}")
        except Rejected as error:
            print(f"{path}: does not stand: {error}")
            code = max(code, 1)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
