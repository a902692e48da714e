"""A cache of Numba's machine code that survives damage and does without a disk.

Numba's own cache trusts its files: one that is truncated is an exception at every start, one with
a flipped bit runs. Where it can write nowhere, it refuses to compile. And it looks at the source of
a kernel only, not at those of the kernels that are compiled into it. Here the key of a kernel holds
all of them, its file is checked (`core.base.compiling`), and what cannot be kept is compiled
again.
"""

from __future__ import annotations

import inspect
import io
import pickle
import platform
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from types import FunctionType
from typing import Any

import llvmlite
import numba
import numpy as np
import xxhash
from llvmlite import binding
from numba.core import serialize, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.environment import Environment, lookup_environment
from numba.core.errors import NumbaNotImplementedError
from numba.core.runtime import nrtdynmod
from numba.core.runtime.nrt import rtsys
from numba.core.typing.typeof import typeof_impl
from numba.np import numpy_support

from core.base.compiling import ENDING, KERNEL_FILES, load, save, source_digest

VERSIONS = (
    2,  # of what a file holds
    platform.python_version(),
    numba.__version__,
    llvmlite.__version__,
    np.__version__,
)
CONSTANTS = (bool, int, float, str, bytes, tuple, np.generic)

not_kept: list[str] = []  # names of the kernels that this process could keep nowhere


class _Library(JITCodeLibrary):
    """Machine code whose intermediate code is read only when another kernel is compiled with it.

    Numba parses it whenever a kernel is loaded, which takes a third of the time, to learn the names
    that the machine code defines: they are kept beside it.
    """

    _intermediate: bytes = b""

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes, set[str]]]:
        base: Any = super()  # Numba has no annotations, here and below
        name, kind, code = base.serialize_using_object_code()
        module = self._get_module_for_linking()
        named = (*module.functions, *module.global_variables)
        return name, kind, (*code, {value.name for value in named if not value.is_declaration})

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, _, (machine_code, intermediate, defined) = state
        self: Any = codegen.create_library(name)
        self.enable_object_caching()
        self._set_compiled_object(machine_code)
        self._finalize_final_module()
        self._codegen._engine._defined_symbols.update(defined)  # noqa: SLF001 - has no other name
        self._intermediate = intermediate
        return self

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None and self._intermediate:
            self._shared_module = binding.parse_bitcode(self._intermediate)
        base: Any = super()
        return base._get_module_for_linking()  # noqa: SLF001 - of the class above


class _Unpickler(pickle.Unpickler):
    """Reads a kernel without the modules of Numba that only its compiler needs.

    An environment has the globals of the module of a function, for functions that call Python.
    Ours do not, so those of Numba's own functions, which are slow to import, are not imported.
    """

    def find_class(self, module_name: str, global_name: str) -> Any:
        if global_name == "_rebuild_env":
            return _environment
        return super().find_class(module_name, global_name)


def _environment(module: str, constants: Any, name: str) -> Any:
    look_up: Any = lookup_environment
    if (known := look_up(name)) is not None:
        return known
    is_of_numba = module.startswith("numba.") and module not in sys.modules
    names = {"__name__": module} if is_of_numba else vars(import_module(module))
    environment: Any = Environment(names)
    environment.consts[:] = constants
    environment.env_name = name
    Environment._memo[name] = environment  # noqa: SLF001 - as Numba does
    return environment


class _RuntimeLibrary:
    """Numba's own machine code, made when a kernel is compiled: a kept one has its part of it."""

    def __init__(self, target: Any) -> None:
        self._target = target
        self._library: Any = None

    def __getattr__(self, name: str) -> Any:
        if self._library is None:  # Numba's compiler, which alone asks, has a lock
            self._library = _compile_runtime(self._target)
        return getattr(self._library, name)


def _type_of_array(array: Any, context: object) -> Any:
    """Numba's type of an array: to ask whether a plain one has a mask, Numba imports all masks."""
    if type(array) is not np.ndarray:
        return _type_of_masked(array, context)
    try:
        dtype = numpy_support.from_dtype(array.dtype)
    except NumbaNotImplementedError:
        return _type_of_masked(array, context)
    layout = numpy_support.map_layout(array)
    return types.Array(dtype, array.ndim, layout, readonly=not array.flags.writeable)


# Without what only its compiler needs, Numba loads the first kernel in .02 s instead of .10.
_type_of_masked: Any = typeof_impl.dispatch(np.ndarray)
typeof_impl.register(np.ndarray, _type_of_array)
_compile_runtime: Any = nrtdynmod.compile_nrt_functions
nrtdynmod.compile_nrt_functions = _RuntimeLibrary


class KernelCache:
    """The cache that Numba's dispatcher asks for machine code, instead of its own `Cache`."""

    cache_path = None

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def load_overload(self, signature: object, target: Any) -> Any:
        """The compiled kernel for these types of arguments, or None."""
        vars(target.codegen())["_library_class"] = _Library
        rtsys.initialize(target)
        code = load(KERNEL_FILES, *self._file_and_key(signature, target.codegen()))
        if code is None:
            return None
        rebuild: Any = CompileResult._rebuild  # noqa: SLF001 - as Numba's own cache does
        try:
            return rebuild(target, *_Unpickler(io.BytesIO(code)).load())  # checked
        except Exception:  # noqa: BLE001 - whole and ours, yet of no use: to be compiled
            return None

    def save_overload(self, signature: object, result: Any) -> None:
        """Keep a compiled kernel, where a folder can be written."""
        if result.lifted or result.library.has_dynamic_globals:
            return
        name, key = self._file_and_key(signature, result.codegen)
        dumps: Any = serialize.dumps
        code = dumps(result._reduce())  # noqa: SLF001 - as above
        if save(KERNEL_FILES, name, key, code):
            KERNEL_FILES.drop_outdated(f"{self._name()}-", f"{self._name()}-{self._stamp()}-")
        else:
            not_kept.append(name)

    def flush(self) -> None:
        """Forget nothing: a kernel that is compiled again replaces its file."""

    def _file_and_key(self, signature: object, codegen: Any) -> tuple[str, bytes]:
        """The name of the file, and all that its machine code depends on."""
        use = repr((str(signature), _processor(codegen)))
        key = f"{self._name()} {self._stamp()} {use}".encode()
        name = f"{self._name()}-{self._stamp()}-{xxhash.xxh3_64_hexdigest(key)}{ENDING}"
        return name, key

    def _name(self) -> str:
        function = self._function
        return f"{function.__module__}.{function.__qualname__}-{sys.implementation.cache_tag}"

    def _stamp(self) -> str:
        """A digest of the sources and versions that machine code of this kernel is made of."""
        return xxhash.xxh3_64_hexdigest(repr((VERSIONS, _sources(self._function))).encode())


@cache
def _processor(codegen: Any) -> tuple[Any, ...]:
    """What machine code is for: asked once, since a virtual machine takes .1 ms to tell."""
    return tuple(codegen.magic_tuple())


@cache
def _sources(function: Callable[..., Any]) -> tuple[str, ...]:
    """Digests of the sources and constants that machine code of this kernel is made of."""
    kernels: dict[Callable[..., Any], None] = {function: None}
    digests = set()
    for kernel in _each_added(kernels):
        digests.add(source_digest(inspect.getfile(kernel)))
        for name, value in _globals(kernel):
            if isinstance(value, Dispatcher):
                kernels[value.py_func] = None
            elif isinstance(value, np.ndarray):
                digests.add(f"{name} {value.dtype} {value.shape} {value.tobytes().hex()}")
            elif isinstance(value, CONSTANTS):
                digests.add(f"{name} {value!r}")
    return tuple(sorted(digests))


def _each_added(kernels: dict[Callable[..., Any], None]) -> Iterator[Callable[..., Any]]:
    """All keys, also those added during the iteration."""
    done = 0
    while done < len(kernels):
        yield list(kernels)[done]
        done += 1


def _globals(kernel: Callable[..., Any]) -> Iterator[tuple[str, object]]:
    """The names of its module that a kernel uses, and what they mean."""
    assert isinstance(kernel, FunctionType)  # noqa: S101 - what Numba compiles
    for name in kernel.__code__.co_names:
        if name in kernel.__globals__:
            yield name, kernel.__globals__[name]
