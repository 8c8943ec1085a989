"""When results were made, and by which commit of this repository."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime

from glbcheck.core.versions import ROOT


def made() -> dict[str, str]:
    """The date, and the commit if this is a working copy; a + after it says that files differ from it."""
    return {"date": datetime.now(UTC).strftime("%Y-%m-%d"), "commit": commit()}


def commit() -> str:
    """Twelve digits of the commit, or nothing where the sources are installed and no repository is theirs."""
    if not (ROOT / ".git").exists():
        return ""
    head, changes = _git("rev-parse", "--short=12", "HEAD"), _git("status", "--porcelain", "--untracked-files=no")
    return f"{head}+" if head and changes else head


def _git(*words: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
