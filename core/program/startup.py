"""How the program starts: what it needs of the system, its language, and other Pythons.

Libraries in C do not raise where memory or threads are missing: OpenBLAS writes a line and ends the
process, LLVM and Qt abort. So the start looks first, before anything large is loaded, and says what
is missing.

The language is the one that is asked for, else that of the system. Another Python is started so
that it finds the same modules, and ends with who started it.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from core.base.assets import resource
from core.base.messages import ENGLISH, N_, gettext, load_language, use_language
from core.base.wording import count
from core.errors import FolderError, NeardupError, SettingsError, StorageError

LEAST_MEMORY = 1 << 30  # bytes of address space; Numba, NumPy and Qt map much
THREADS = 6  # at once: those that watch, and two that work
# Nothing here multiplies matrices, so threads for that would only take memory and be counted.
POOLS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # OMP_NUM_THREADS is Tesseract's as well
UNMAPPED = ("failed to map segment", "Cannot allocate memory")  # as the loader of Linux says
NO_MEMORY = N_("There is not enough memory. Close other programs, and try again.")
NO_WORKING_FOLDER = N_(
    "The current folder does not exist any more. Change to another one or write whole paths, "
    "and try again."
)
NO_THREAD = N_(
    "The system lets this user start no more processes and threads. Close other programs, or "
    "raise the limit (ulimit -u), and try again."
)


def spare_threads() -> None:
    """Keep the libraries of NumPy from starting threads; to be called before it is imported."""
    for variable in POOLS:
        os.environ.setdefault(variable, "1")


def require(given: Iterable[Path] = ()) -> None:
    """Raise where the program could not even load.

    Args:
        given: The paths to work on.

    Raises:
        StorageError: The limit of this process is lower, or threads cannot be started.
        FolderError: A path is relative to the current folder, and that is gone.
    """
    most = _address_space()
    if most is not None and most < LEAST_MEMORY:
        raise StorageError(
            "This process may use {most} MB of address space, and Neardup needs "
            "{least} MB. Raise the limit (ulimit -v), and try again.",
            most=count(most >> 20),
            least=count(LEAST_MEMORY >> 20),
        )
    _leave_removed_folder(given)
    if not _can_start(THREADS):
        raise StorageError(NO_THREAD)


def lacking(error: BaseException) -> str:
    """What the system did not give, as a sentence; "" for any other error.

    There is no exception of its own for a thread that cannot be started, nor for a library that
    cannot be mapped.
    """
    words = str(error)
    if isinstance(error, RuntimeError) and "start new thread" in words:
        return gettext(NO_THREAD)
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return gettext(NO_MEMORY)
    maps = isinstance(error, ImportError) and any(part in words for part in UNMAPPED)
    return gettext(NO_MEMORY) if maps or isinstance(error, MemoryError) else ""


def _leave_removed_folder(given: Iterable[Path]) -> None:
    """Leave a current folder that was removed: Numba asks for one when it compiles."""
    try:
        Path.cwd()
    except OSError:
        if not all(path.is_absolute() for path in given):
            raise FolderError(NO_WORKING_FOLDER) from None
        sys.path[:] = [path for path in sys.path if path]  # "" is the current folder
        os.chdir(os.sep)


def _address_space() -> int | None:
    """The limit of this process in bytes; None without one."""
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 - of POSIX

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else int(limit)


def _can_start(count: int) -> bool:
    release = threading.Event()
    threads: list[threading.Thread] = []
    try:
        for _ in range(count):
            thread = threading.Thread(target=release.wait, name="neardup-probe")
            thread.start()
            threads.append(thread)
    except RuntimeError:
        return False
    finally:
        release.set()
        for thread in threads:
            thread.join()
    return True


OPTION = "--language"
# Who reads traditional characters is not served by a catalogue in simplified ones.
TRADITIONAL = ("zh_HK", "zh_MO", "zh_TW")


def choose_language(arguments: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """Use the language that stands before all other arguments; returns these.

    `neardup --language CODE scan …`: behind a command, the option is that of the texts.

    Raises:
        SettingsError: There is no such language.
    """
    rest = list(arguments)
    code = ""
    if rest and rest[0].partition("=")[0] == OPTION:
        option, equals, code = rest.pop(0).partition("=")
        code = code if equals else (rest.pop(0) if rest else "")
        catalogue = _catalogue_for(code)
        if catalogue is None:
            raise SettingsError(
                "{option}: there is no language “{code}”. There are {codes}.",
                option=option,
                code=code,
                codes=", ".join(languages()),
            )
        code = catalogue
    code = code or language_of_system(environment)
    if code != ENGLISH:
        use_language(load_language(code))
    return rest


@cache
def own_name(code: str) -> str:
    """What a language is called in itself: "Deutsch"; its code where that is not known."""
    from babel import Locale, UnknownLocaleError  # noqa: PLC0415 - only who chooses one pays for it

    try:
        return (Locale.parse(code).get_language_name() or code).capitalize()
    except UnknownLocaleError:
        return code


def languages() -> list[str]:
    """The codes of all languages that have a catalogue, English first."""
    try:
        catalogues = resource("languages").glob("*/LC_MESSAGES/neardup.mo")
        return [ENGLISH, *sorted(path.parents[1].name for path in catalogues)]
    except NeardupError:
        return [ENGLISH]


def language_of_system(environment: Mapping[str, str]) -> str:
    """The first language that the environment asks for and that is there.

    Read as GNU gettext does, but that Portuguese of Portugal is shown in that of Brazil. Windows
    is asked where the environment says nothing.
    """
    values = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, values), "") or _locale_of_windows()
    if locale.partition(".")[0] in ("", "C", "POSIX"):
        return ENGLISH
    wanted = (environment.get("LANGUAGE") or locale).split(":")
    catalogues = (_catalogue_for(name.partition(".")[0].partition("@")[0]) for name in wanted)
    return next(filter(None, catalogues), ENGLISH)


def _catalogue_for(code: str) -> str | None:
    """The code of the catalogue for a language: `de` for `de_AT`, `pt_BR` for `pt`."""
    code = code.replace("-", "_")
    language = code.partition("_")[0]
    alike = [name for name in languages() if name.partition("_")[0] == language]
    if code in alike:
        return code
    is_traditional = code in TRADITIONAL or "hant" in code.lower()
    return alike[0] if alike and not is_traditional else None


def _locale_of_windows() -> str:
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - only Windows has it
        from locale import windows_locale  # noqa: PLC0415

        return windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")
    return ""


_PATHS = "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "
_INPUT = 0  # the descriptor of standard input


def python_command(program: str, *arguments: str) -> list[str]:
    """The command line of a Python that runs a program with this one's module paths.

    The current folder, which may be any of the user's, is not among them unless it is here too.

    Args:
        program: Python statements; `sys.argv[1:]` are the arguments.
        arguments: What the program is given.
    """
    paths = json.dumps([path or str(Path.cwd()) for path in sys.path])
    return [_python(), "-P", "-c", _PATHS + program, paths, *arguments]


def end_with_input() -> None:
    """End this process as soon as its standard input ends, whatever it does then.

    Whoever started it with a pipe, and is killed, would leave it behind otherwise.
    """
    threading.Thread(target=_wait_for_the_end, daemon=True, name="neardup-end").start()


def _wait_for_the_end() -> None:
    """Read without a buffer: its lock would hold up the end of the interpreter."""
    with contextlib.suppress(OSError):
        while os.read(_INPUT, 1):
            pass
    os._exit(1)


def _python() -> str:
    """This Python itself; in a virtual environment, Windows has a launcher in its place.

    The memory of the launcher says nothing about that of the process which it starts.
    """
    itself = getattr(sys, "_base_executable", "") if sys.platform == "win32" else ""
    return itself or sys.executable
