"""Functions that compiled code calls: only lowered, then optimised and made machine code where they are called.

So the code of a function is optimised once for each function that Python calls, and not once more for every level of
calls between them.  What is lowered is kept as well: the next function that Python calls begins with it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from glbcheck.core._hands import HELPER, WRITING
from glbcheck.core._turns import turn
from llvmlite.binding import parse_bitcode  # type: ignore[import-untyped]
from numba.core.caching import Cache, CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, compile_result
from numba.core.runtime import rtsys


class Code(JITCodeLibrary):  # type: ignore[misc]
    """Code to link with, and all that it calls; it has no address."""

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Where there is no address there is nothing to set."""


class Loading(JITCodeLibrary):  # type: ignore[misc]
    """Machine code; that of functions apart which it calls is loaded before."""

    def _finalize_final_module(self) -> None:
        for load in HELPER.latest_first(self._reload_init):
            load()
        super()._finalize_final_module()


class Linked(Compiler):  # type: ignore[misc]
    """Numba's compiler, into a library of ours."""

    library = Loading

    def define_pipelines(self) -> Any:
        self.state.library = self.library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return super().define_pipelines()


class _Lowering(Compiler):  # type: ignore[misc]
    """Numba's compiler without what comes after lowering."""

    def define_pipelines(self) -> Any:
        self.state.library = Code(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


class _Keeping(CompileResultCacheImpl):  # type: ignore[misc]
    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        return f"part-{super().get_filename_base(fullname, abiflags)}"

    def reduce(self, result: Any) -> Any:
        described, library = result.fndesc, result.library
        described.typemap = described.calltypes = None  # not needed any more, and cannot be kept
        code = library._get_module_for_linking().as_bitcode()
        environments = tuple(result._find_referenced_environments())
        return library.name, code, described, result.environment, result.signature, result.reload_init, environments

    def rebuild(self, context: Any, payload: Any) -> Any:
        name, code, described, environment, signature, reload_init, environments = payload
        library = Code(context.codegen(), name)
        library._reload_init.update(reload_init)
        library._final_module, library._finalized = parse_bitcode(code), True
        return compile_result(
            typing_context=context.typing_context, target_context=context, library=library, fndesc=described,
            entry_point=context.get_executable(library, described, environment), environment=environment,
            signature=signature, objectmode=False, lifted=(), reload_init=reload_init, referenced_envs=environments,
        )  # fmt: skip


class _Kept(Cache):  # type: ignore[misc]
    _impl_class = _Keeping

    def save_overload(self, sig: Any, data: Any) -> None:
        with WRITING:
            super().save_overload(sig, data)


class Ready(FunctionCache):  # type: ignore[misc]
    """Machine code is loaded without what numba needs to compile, which takes longer than all the rest."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)  # arrays are handed over by functions of its own
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        with WRITING:
            super().save_overload(sig, data)

    def has(self, sig: Any, codegen: Any) -> bool:
        return self._index_key(sig, codegen) in self._cache_file._load_index()

    @property
    def lock(self) -> Path:
        return Path(self.cache_path) / f"{self._impl.filename_base}.lock"


def part(function: Callable[..., Any], options: dict[str, Any], kept: bool) -> Any:
    """The function for compiled callers alone; if kept, in numba's directory of the moment."""
    lowered = numba.njit(pipeline_class=_Lowering, no_cpython_wrapper=True, **options)(function)
    if kept:
        lowered._cache = _Kept(function)
    return lowered


def whole(function: Callable[..., Any], options: dict[str, Any], kept: bool) -> Any:
    """The function for Python, with all that it calls."""
    ready = numba.njit(pipeline_class=Linked, **options)(function)
    if numba.config.DISABLE_JIT:  # then it is the function itself
        return ready
    return in_turn(ready, Ready(function) if kept else None)


def in_turn(ready: Any, cache: Ready | None) -> Any:
    """A function of numba's that one process compiles for all, if there is a cache."""
    ready._cache = cache or ready._cache
    by_numba = ready.compile

    def compiled(sig: Any) -> Any:
        if cache and cache.has(sig, ready.targetctx.codegen()):
            return by_numba(sig)
        if cache:
            HELPER.call(Path(cache.cache_path).parent)
        with turn(cache and cache.lock):
            return by_numba(sig)  # it looks for what another process has kept meanwhile

    ready.compile = compiled
    return ready
