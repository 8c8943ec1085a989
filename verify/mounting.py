"""A paper's folder outside the installed ones made importable, and where an import of it went wrong."""

from __future__ import annotations

import sys
import traceback
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

ELSEWHERE = "glbcheck_papers"


def mount(package: str, folder: Path) -> None:
    """Make a folder outside the installed papers importable; its `__init__.py`, if there is one, is run."""
    if not package.startswith(f"{ELSEWHERE}.") or package in sys.modules:
        return
    if ELSEWHERE not in sys.modules:
        sys.modules[ELSEWHERE] = module_from_spec(ModuleSpec(ELSEWHERE, None, is_package=True))
    start = folder / "__init__.py"
    spec = spec_from_file_location(package, start) if start.exists() else None
    spec = spec or ModuleSpec(package, None, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    module = sys.modules[package] = module_from_spec(spec)
    try:
        if spec.loader is not None:
            spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[package]
        raise


def complaint(err: BaseException, path: Path, folder: Path) -> str:
    """Where in the paper an import went wrong, and how."""
    return f"{_place(err, path, folder)}: {_words(err)}"


def _place(err: BaseException, path: Path, folder: Path) -> str:
    """File and line in the paper where an import went wrong."""
    if isinstance(err, SyntaxError) and err.filename:
        return f"{err.filename}:{err.lineno}"
    trace = traceback.extract_tb(err.__traceback__)
    frames = [frame for frame in trace if Path(frame.filename).resolve().is_relative_to(folder)]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else f"{path}:1"


def _words(err: BaseException) -> str:
    said = err.msg if isinstance(err, SyntaxError) else str(err)
    return f"{type(err).__name__}: {said}".splitlines()[0]
