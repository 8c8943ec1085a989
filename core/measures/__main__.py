"""`python -m glbcheck.core.measures FILE...`: 0 if all answers stand, 1 if one does not, 2 if one is no answer."""

import sys

from ..kernel.check import load
from ..kernel.terms import Rejected
from .check import check
from .interval import Malformed

codes = [0 if sys.argv[1:] else 2]
for path in sys.argv[1:]:
    code = 2
    try:
        data, code = load(path), 1
        found = check(data)
        rests = f" (rests on {', '.join(found.rests_on)})" if found.rests_on else ""
        print(f"{path}: {found.word}: {found.says}{rests}")
    except (OSError, Rejected) as error:
        code = 2 if isinstance(error, Malformed) else code
        print(f"{path}: {'does not stand' if code == 1 else 'cannot be read'}: {error}")
        codes.append(code)
sys.exit(max(codes))
