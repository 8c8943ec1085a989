"""`make setup`: install Coq and a browser with apt-get where root allows it, else print the one command that does."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence

from tests.machine import TOOLS, has

WANTED = ("coq", "browser")
DURATION = "usually two to six minutes"


def main() -> int:
    """0 if both are here in the end."""
    missing = [name for name in WANTED if not has(name)]
    for name in WANTED:
        if name not in missing:
            print(f"{TOOLS[name].title}: already here")
    if not missing:
        return 0
    titles = " and ".join(TOOLS[name].title for name in missing)
    packages = [package for name in missing for package in TOOLS[name].packages]
    install = ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
    root = as_root()
    if root is None:
        why = "apt-get needs root. Run" if shutil.which("apt-get") else "there is no apt-get here. On Debian 12, run"
        print(f"{titles}: missing, and {why}: sudo {' '.join(install)}")
        return 1
    started = time.monotonic()
    if complaint := apt_get(root, ["apt-get", "update"]):
        print(f"{titles}: missing. apt-get cannot read its package lists, is there a network? {complaint}")
        return 1
    print(f"{titles}: installing with apt-get, {size(root, install)}, {DURATION}", flush=True)
    if complaint := apt_get(root, install):
        print(f"{titles}: apt-get failed. {complaint} To see more, run: {' '.join([*root, *install])}")
        return 1
    # A new process, since this one remembers what was missing.
    fresh = "import sys; from tests.machine import has; sys.exit(not all(map(has, sys.argv[1:])))"
    if subprocess.run([sys.executable, "-c", fresh, *missing], check=False).returncode:
        print(f"{titles}: apt-get installed {' '.join(packages)}, and something is missing still.")
        return 1
    print(f"{titles}: installed in {time.monotonic() - started:.0f} s")
    return 0


def as_root() -> list[str] | None:
    """What a command of root begins with, or None where apt-get or root cannot be had without asking."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return ["env"]
    sudo = ["sudo", "-n", "env"]
    allowed = shutil.which("sudo") and subprocess.run([*sudo, "true"], capture_output=True, check=False).returncode == 0
    return sudo if allowed else None


def size(root: Sequence[str], install: Sequence[str]) -> str:
    """What apt-get says about the size of an installation."""
    asked = [*root, "LC_ALL=C", *(word for word in install if word != "--yes"), "--assume-no"]
    said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    download = re.search(r"Need to get (.+) of archives", said)
    disk = re.search(r"After this operation, (.+) of additional disk space", said)
    if not download or not disk:
        return "of unknown size"
    return f"{download[1]} to download, {disk[1]} on disk"


def apt_get(root: Sequence[str], command: Sequence[str]) -> str:
    """Run it as root without questions; its last line if it failed."""
    done = subprocess.run(
        [*root, "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    lines = done.stdout.strip().splitlines() or ["It printed nothing."]
    return "" if done.returncode == 0 else lines[-1]


if __name__ == "__main__":
    sys.exit(main())
