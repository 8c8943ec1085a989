"""The same examples in every run: a property that fails here fails for everyone.

`pytest --hypothesis-profile=default` draws new ones.
"""

from collections.abc import Iterator
from pathlib import Path

import numba
import pytest
from glbcheck.core.engine import compiling
from glbcheck.verify.coq import driver
from hypothesis import settings

from tests.helpers import small_paper
from tests.machine import pytest_configure, pytest_runtest_setup, pytest_terminal_summary  # noqa: F401 (hooks)

# A busy machine is slow, not wrong.
settings.register_profile("reproducible", derandomize=True, deadline=None)
settings.load_profile("reproducible")


@pytest.fixture(autouse=True, scope="session")
def own_cache(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes what the user was answered before; the workers of one run share what they were answered.

    Compiled theories are shared, for they are checked, and so is compiled code, which is kept by its source.
    """
    run = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GLBCHECK_COQ_STORE", str(driver.store()))
        patch.setenv("COLUMNS", "80")
        if hasattr(request.config, "workerinput"):  # a folder that all workers of this run have in common
            run = run.parent
            patch.setenv("GLBCHECK_TEST_RUN", str(run))
        if (compiled := compiling.directory()) is not None:
            patch.setenv("NUMBA_CACHE_DIR", str(compiled))
            patch.setattr(numba.config, "CACHE_DIR", str(compiled))
        patch.setenv("XDG_CACHE_HOME", str(run / "cache"))
        yield


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a small paper in it."""
    monkeypatch.chdir(tmp_path)
    small_paper.make(tmp_path / "tiny")
    return tmp_path
