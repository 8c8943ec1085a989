"""Make the environment of `make`, or finish one that was begun.  A failure is one sentence.

Any Python 3 runs this file: it has to say what is wrong with an old one.
"""

import os
import re
import shutil
import subprocess
import sys

NEEDS = 2.5  # GB for a new environment, 1.3 of them in the end
SETUPTOOLS, OURS = ["setuptools"], ["--no-build-isolation", "--editable", ".[dev]"]
NETWORK = "NameResolution|NewConnection|name resolution|ConnectTimeout|ReadTimeout|ProxyError|SSLError|Max retries"


def trouble(folder):
    """What is wrong with this machine, or None."""
    version = "%d.%d" % sys.version_info[:2]
    if sys.version_info < (3, 11):
        return "glbcheck needs Python 3.11 or newer, and this is " + version + ". Try: make PYTHON=python3.11"
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        return "This Python cannot make environments. On Debian or Ubuntu: sudo apt-get install python3-venv"
    python = os.path.join(folder, "bin", "python")
    finished = os.path.exists(os.path.join(folder, ".ready"))  # for another pyproject.toml: start afresh
    if finished or not works(python):
        free = shutil.disk_usage(os.path.dirname(os.path.abspath(folder))).free / 1e9
        if free < NEEDS and not finished:
            return "The disk has {:.1f} GB left, and the environment needs {} GB.".format(free, NEEDS)
        print("Making " + folder + " with pinned versions: two to seven minutes, 1.3 GB", flush=True)
        failed = ran([sys.executable, "-m", "venv", "--clear", folder])
        if failed:
            return failed
    else:
        print("Finishing " + folder + ", which an earlier run began", flush=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--constraint", "constraints.txt"]
    return ran(pip + SETUPTOOLS) or ran(pip + OURS)


def works(python):
    """Whether this is an environment of the running version of Python, with pip."""
    code = "import sys, pip; sys.exit(sys.version_info[:2] != ({}, {}))".format(*sys.version_info[:2])
    try:
        return subprocess.run([python, "-c", code], stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def ran(command):
    """None, or why it failed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    said = done.stdout.strip()
    if done.returncode == 0:
        return None
    if re.search("No space left|Errno 28", said):
        return "The disk is full. Make room and run make again: what was downloaded is kept."
    if re.search(NETWORK, said):
        return "pip cannot reach the package index. Check the network and run make again: what was downloaded is kept."
    errors = [line for line in said.splitlines() if line.startswith("ERROR")] or said.splitlines() or ["no message"]
    return "Failed: " + " ".join(command) + "\n" + errors[-1]


if __name__ == "__main__":
    sys.exit(trouble(sys.argv[1]))
