"""Single-line changes of the engine and its constants, each of which `tests/test_narrow.py` must notice.

`python -m tests.engine_mutants` copies the sources, changes one line, and runs the narrow tests on the copy in a
process of its own.  A mutant that survives is printed, and makes the exit code 1.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("core", "verify", "proofs_checks")


@dataclass(frozen=True)
class Mutant:
    """A text of a file that occurs once there, and what stands in its place."""

    path: str
    old: str
    new: str


MUTANTS = (
    Mutant("core/parameters.py", "getattr(self, name) < needed", "getattr(self, name) < 0.9 * needed"),
    Mutant("core/parameters.py",
           "self.R_s < _whole_line(self.family).lower",
           "self.R_s < 0.9 * _whole_line(self.family).lower"),
    Mutant("core/engine/arms.py", "_DRIFT = 1e-12", "_DRIFT = 1e-6"),
    Mutant("core/engine/arms.py", "k if (values[k] >= level)", "k if (values[k] > level)"),
    Mutant("core/engine/feed.py", "self.course.stream(REWARDS, k)", "self.course.stream(REWARDS, 0)"),
    Mutant("core/engine/feed.py", "block.outcomes[k] = self._draw", "block.outcomes[0] = self._draw"),
    Mutant("core/engine/feed.py",
           "self._z = self._naturals(self.arms[0])",
           "self._z = self._naturals(self.arms[0][::-1])"),
    Mutant("core/engine/rounds.py", "row, column = k, block.used[k]", "row, column = k, 0"),
    Mutant("core/engine/rounds.py", "Pull(k, x, reward + c, g)", "Pull(k, x, reward, g)"),
    Mutant("core/projection.py",
           "return max(stationarity, abs(norm(theta) - S) / S)",
           "return abs(norm(theta) - S) / S"),
    Mutant("core/engine/mirror_descent.py", "while dot(out, out) > S * S:", "while dot(out, out) > 2 * S * S:"),
    Mutant("core/engine/optimism.py", "upper[k] = min(upper[k], bound)", "upper[k] = min(upper[k], bound - 1e-6)"),
    Mutant("core/competitors/ridge.py", "alpha = R * math.sqrt(p.d) / p.C", "alpha = math.sqrt(p.d) / p.C"),
    Mutant("core/competitors/mirror_descent.py", "course.dispersion_range()[0]", "course.dispersion_range()[1]"),
    Mutant("core/simulation/instances.py",
           "(first + 1 + np.arange(count)) % every == 0, top",
           "(first + np.arange(count)) % every == 0, top"),
    Mutant("core/simulation/instances.py", "every == 0, top, base)", "every == 0, base, top)"),
)  # fmt: skip
# Harmless: `>` for `>=` where `_tighten` asks which bounds reach the level.  An arm whose bound is the level to the
# last bit is then not tightened but solved, and its value is the same.


def survives(mutant: Mutant, folder: Path) -> bool:
    """Do the narrow tests pass on a copy with this change?"""
    package = folder / "glbcheck"
    shutil.copytree(ROOT / "glbcheck", package)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, package / name)
    target = package / mutant.path
    source = target.read_text()
    if source.count(mutant.old) != 1:
        raise ValueError(f"{mutant.path}: {mutant.old!r} occurs {source.count(mutant.old)} times, not once")
    target.write_text(source.replace(mutant.old, mutant.new))
    tests = folder / "test_narrow.py"
    shutil.copy(ROOT / "tests" / "test_narrow.py", tests)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", str(tests)],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(folder)}, capture_output=True, check=False,
    )  # fmt: skip
    return done.returncode == 0


def main() -> int:
    survivors = 0
    for mutant in MUTANTS:
        with TemporaryDirectory() as folder:
            alive = survives(mutant, Path(folder))
        survivors += alive
        print(f"{'SURVIVES' if alive else 'noticed '}  {mutant.path}: {mutant.new}", flush=True)
    print(f"{len(MUTANTS) - survivors} of {len(MUTANTS)} mutants noticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
