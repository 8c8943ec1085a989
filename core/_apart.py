"""Functions with machine code of their own: what is rare in a loop is made once for all loops that call it.

A caller needs to know what such a function takes and returns, which its annotation says, and no more.  So its code can
be made while the caller's is, by a second process (`_hands`), and is loaded before the caller's, be that new or kept.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba
from glbcheck.core._hands import HELPER
from glbcheck.core._parts import Code, Linked, Loading, Ready, in_turn
from numba.core import sigutils, types, typing
from numba.core.caching import CompileResultCacheImpl
from numba.core.compiler import compile_result
from numba.core.funcdesc import FunctionDescriptor

RETURNED = {"int": types.int64, "float": types.float64, "bool": types.boolean, "None": types.none}


@dataclass(frozen=True)
class Load:
    """Have the code of a function apart in this process: from the cache, or made."""

    module: str
    name: str
    sig: Any

    def __call__(self) -> None:
        code = getattr(importlib.import_module(self.module), self.name).alone
        code.compile(self.sig)
        result = code.overloads[self.sig.args]
        if not result.codegen._engine.get_function_address(result.fndesc.llvm_func_name):
            raise RuntimeError(f"the compiled code of {self.name} cannot be found")  # it would be called at address 0


class _Uncopied(Loading):
    """Callers get no more than the name of the function."""

    def finalize(self) -> None:
        self._shared_module = Code(self._codegen, self.name)._final_module
        super().finalize()


class _Alone(Linked):
    library = _Uncopied

    def define_pipelines(self) -> Any:
        self.state.targetctx.mangler = _naming(self.state.func_id.func, self.state.targetctx)
        return super().define_pipelines()


class _Keeping(CompileResultCacheImpl):  # type: ignore[misc]
    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        return f"apart-{super().get_filename_base(fullname, abiflags)}"


class _Kept(Ready):
    _impl_class = _Keeping


def alone(function: Callable[..., Any], options: dict[str, Any], kept: bool) -> Any:
    """The code itself."""
    made = numba.njit(pipeline_class=_Alone, no_cpython_wrapper=True, **options)(function)
    return in_turn(made, _Kept(function) if kept else None)


def declared(function: Callable[..., Any], code: Any, directory: Path | None) -> Any:
    """The function for compiled callers: its name, and that its code must be there."""
    known = numba.njit(no_cpython_wrapper=True)(function)

    def declare(sig: Any) -> Any:
        args, _ = sigutils.normalize_signature(sig)
        if args not in known.overloads:
            load = Load(function.__module__, function.__name__, _signature(function, args))
            known.overloads[args] = result = _named(function, known.targetctx, load)
            known.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
            offer(load, code, directory)
        return known.overloads[args].entry_point

    known.compile = declare
    return known


def offer(load: Load, code: Any, directory: Path | None) -> None:
    """To the second process, unless it is made already, or could not be kept."""
    if directory is not None and not code._cache.has(load.sig, code.targetctx.codegen()):
        HELPER.offer(load, directory)


def _signature(function: Callable[..., Any], args: Any) -> Any:
    return typing.signature(RETURNED[function.__annotations__["return"]], *args)


def _naming(function: Callable[..., Any], context: Any) -> Callable[..., str]:
    """Names for the linker as numba gives them; that of this function is the same in every process."""
    usual, full_name = context.mangler, f"{function.__module__}.{function.__qualname__}"

    def name(asked: str, args: Any, abi_tags: Any = (), uid: int | None = None) -> str:
        if asked.removeprefix(".NumbaEnv.") != full_name:
            return str(usual(asked, args, abi_tags=abi_tags, uid=uid))
        return str(usual(f"{asked}-{sha256(repr(args).encode()).hexdigest()}", ()))

    return name


def _named(function: Callable[..., Any], context: Any, load: Load) -> Any:
    described = FunctionDescriptor(
        native=True, modname=load.module, qualname=function.__qualname__, unique_name=load.name, doc="", typemap=None,
        restype=load.sig.return_type, calltypes=None, args=function.__code__.co_varnames[: len(load.sig.args)], kws=(),
        mangler=_naming(function, context), argtypes=load.sig.args,
    )  # fmt: skip
    library = Code(context.codegen(), load.name)
    library._shared_module, library._finalized = library._final_module, True
    library._reload_init.add(load)
    return compile_result(
        typing_context=context.typing_context, target_context=context, library=library, fndesc=described,
        entry_point=load, signature=load.sig, objectmode=False, lifted=(), reload_init=(load,), referenced_envs=(),
    )  # fmt: skip
