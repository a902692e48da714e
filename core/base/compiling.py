"""Numba's `njit`, with our cache of machine code, for modules that are imported without Numba.

Importing Numba takes longer than many a command does, so it waits until a kernel is called.
"""

from __future__ import annotations

import functools
import gc
import inspect
import sys
from collections.abc import Callable
from functools import partial, update_wrapper
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import xxhash

if TYPE_CHECKING:
    from numba.core.dispatcher import Dispatcher

Kernel = TypeVar("Kernel", bound=Callable[..., object])

_lock = RLock()


@functools.cache
def source_digest(path: str) -> str:
    """The digest of a source, read once: while it is imported, before an upgrade replaces it."""
    return xxhash.xxh3_128_hexdigest(Path(path).read_bytes())


def njit(
    *, nogil: bool, cache: bool, inline: Literal["never", "always"] = "never"
) -> Callable[[Kernel], Dispatcher[Kernel]]:
    """`numba.njit`, whose `cache` is `core.base.kernel_cache`."""

    def compiled(function: Kernel) -> Dispatcher[Kernel]:
        source_digest(inspect.getfile(function))
        waiting = _WaitingKernel(function, {"nogil": nogil, "inline": inline}, cache=cache)
        kernel = waiting.dispatcher() if "numba" in sys.modules else waiting
        return cast("Dispatcher[Kernel]", kernel)

    return compiled


def _load_numba() -> None:
    """Import Numba and its types; the half a million objects are never looked at for garbage."""
    from core.base.memory import collector_paused  # noqa: PLC0415 - commands start without it

    with collector_paused():
        import numba  # noqa: F401, PLC0415 - see above

        gc.freeze()


class _WaitingKernel:
    """Stands for a kernel until it is first called, and passes calls on to it.

    Attributes:
        py_func: The function that will be compiled.
    """

    def __init__(self, function: Callable[..., Any], options: Any, *, cache: bool) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._options = options
        self._cache = cache
        self._dispatcher: Any = None

    def __call__(self, *arguments: Any) -> Any:
        return (self._dispatcher or self.dispatcher())(*arguments)

    def dispatcher(self) -> Any:
        """Numba's dispatcher, made once."""
        with _lock:
            if self._dispatcher is None:
                self._dispatcher = self._make_dispatcher()
            return self._dispatcher

    def _make_dispatcher(self) -> Any:
        if "numba" not in sys.modules:
            _load_numba()
        import numba  # noqa: PLC0415 - see above

        from core.base.kernel_cache import KernelCache  # noqa: PLC0415

        # Numba compiles kernels that a kernel calls by the names of its module.
        names = self.py_func.__globals__
        for name in self.py_func.__code__.co_names:
            if isinstance(names.get(name), _WaitingKernel):
                names[name] = names[name].dispatcher()
        made = numba.njit(**self._options)(self.py_func)
        if made is not self.py_func:  # as it is where Numba is switched off
            # None has a public place. Extensions are looked for in all installed packages.
            vars(made)["_compilation_chain_init_hook"] = lambda: None
            vars(made)["get_call_template"] = partial(_call_template, made)
            if self._cache:
                vars(made)["_cache"] = KernelCache(self.py_func)
        return made


def _call_template(dispatcher: Any, arguments: Any, keywords: Any) -> Any:
    """Numba's typing of a call within a kernel, in which a literal number is any number.

    A kernel would be compiled once more for each such number, and for those that variables begin
    with.
    """
    from numba.core import types  # noqa: PLC0415 - commands start without it

    kind_of: Any = types.unliteral  # Numba has no annotations
    arguments = tuple(map(kind_of, arguments))
    keywords = {name: kind_of(argument) for name, argument in keywords.items()}
    return type(dispatcher).get_call_template(dispatcher, arguments, keywords)
