"""One process asks Coq, and others that want the same wait for what it keeps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from glbcheck.verify.coq.sources import CoqError

try:
    import fcntl
except ImportError:  # where files cannot be locked in this way, two processes may both ask
    fcntl = None  # type: ignore[assignment]

LOCKS = "locks"


@contextmanager
def alone(store: Path, key: str) -> Iterator[None]:
    """Nobody else who uses this store is inside for the same key; a process that ends, however it does, lets go."""
    place = store / LOCKS
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as err:
        raise CoqError(f"cannot write {store} ({err.strerror}); name another folder with GLBCHECK_COQ_STORE") from None
    with (place / key).open("w") as file:
        if fcntl:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
