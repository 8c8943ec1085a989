"""How large an install is: megabytes and distributions of the base and of every extra, each in a new environment.

    python -m benchmarks.measure_install [EXTRA ...]

It builds the wheel of this checkout, needs the network, and prints the table of docs/install.md.  Sizes are those of
site-packages without pip and setuptools; what compiled code adds on first use is not counted.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
NOT_OURS = ("pip", "setuptools", "_distutils_hack", "pkg_resources", "distutils-precedence")


def megabytes(folder: Path) -> float:
    """What the files below a folder occupy on disk."""
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*")) / 1e6


def measured(wheel: Path, extra: str, home: Path) -> tuple[float, int]:
    """Megabytes and number of distributions of a new environment with the wheel and this extra."""
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    wanted = f"{wheel}[{extra}]" if extra else str(wheel)
    pinned = ["--quiet", "--disable-pip-version-check", "-c", str(ROOT / "constraints.txt")]
    subprocess.run([home / "bin" / "python", "-m", "pip", "install", *pinned, wanted], check=True)
    (site,) = (home / "lib").glob("python*/site-packages")
    ours = [path for path in site.iterdir() if not path.name.startswith(NOT_OURS)]
    found = sum(megabytes(path) if path.is_dir() else path.stat().st_size / 1e6 for path in ours)
    return found, sum(path.name.endswith(".dist-info") for path in ours)


def main(chosen: list[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = list(project["optional-dependencies"])
    with TemporaryDirectory() as folder:
        build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder]
        subprocess.run([*build, ROOT], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        print("| extra | MB | distributions |\n|---|---|---|", flush=True)
        for extra in chosen or ["", *extras]:
            with TemporaryDirectory() as home:
                size, count = measured(wheel, "" if extra == "base" else extra, Path(home))
            print(f"| {extra or 'base'} | {size:.0f} | {count} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
