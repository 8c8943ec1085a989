"""A sample of many cases for every run, and the others for `make test-all`."""

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(every: int, cases: Iterable[Any]) -> list[Any]:
    """All cases as parameters of a test; of `every` in turn all but the first are marked `nightly`."""
    return [case if k % every == 0 else pytest.param(case, marks=pytest.mark.nightly) for k, case in enumerate(cases)]
