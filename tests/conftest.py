"""The same examples in every run: a property that fails here fails for everyone.

`pytest --hypothesis-profile=default` draws new ones.
"""

from pathlib import Path

import pytest
from hypothesis import settings

from tests import small_paper

# A busy machine is slow, not wrong.
settings.register_profile("reproducible", derandomize=True, deadline=None)
settings.load_profile("reproducible")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a small paper in it."""
    monkeypatch.chdir(tmp_path)
    small_paper.make(tmp_path / "tiny")
    return tmp_path
