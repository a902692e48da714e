"""What every test relies on: no screen, a temporary home, and no thread left running.

No test may depend on how fast the machine is. Limits of time are nets, minutes wide: they end a
test that hangs.
"""

import gc
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path

import hypothesis
import pytest
from PySide6.QtCore import QCoreApplication, QThread
from shiboken6 import isValid

_NET = 300.0  # seconds for a thread that was told to stop
_OF_READERS = {"base", "documents", "program", "spark", "end_to_end"}
_ROOM = 2 * 1024**3  # bytes: several times what tests write at once


def pytest_configure(config):
    """Leave the developer's screen, settings and language out of it, before anything reads them."""
    gc.disable()  # until all is imported
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["LC_ALL"] = "C.UTF-8"
    # Hundreds of processes are started, and would each compile the program anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    memory = _folder_in_memory()
    if memory:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", memory)
    home, temporary = (Path(tempfile.mkdtemp(prefix="neardup-tests-", dir=memory)) for _ in "ab")
    for folder in (home, temporary):
        config.add_cleanup(partial(shutil.rmtree, folder, ignore_errors=True))
    temporary.chmod(0o777)  # as the system's: tests give up their rights
    os.environ |= {"HOME": str(home), "TMPDIR": str(temporary)}
    tempfile.tempdir = None
    for name in ("CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME", "RUNTIME_DIR"):
        folder = home / name.lower()
        folder.mkdir(mode=0o700)
        os.environ[f"XDG_{name}"] = str(folder)
    _heed_signals()
    hypothesis.settings.register_profile(
        "any machine",
        hypothesis.settings.default,
        deadline=None,
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )
    hypothesis.settings.load_profile("any machine")


def _folder_in_memory():
    """Where a flush waits for no disk, which is a fifth of the time; None where there is no room.

    What a disk loses is simulated, and what a full one says raised.
    """
    folder = "/dev/shm"
    if not os.access(folder, os.W_OK | os.X_OK):
        return None
    system = os.statvfs(folder)
    is_large = system.f_bavail * system.f_frsize >= _ROOM
    return folder if is_large and not system.f_flag & os.ST_NOEXEC else None


def pytest_xdist_auto_num_workers():
    """One more than there are cores: many tests wait for a process or a timer."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish():
    """Keep what imports made out of every collection; tests that wait for a pool collect all."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_make_parametrize_id(val, argname):
    """Name no test by the bytes of a file: they hold the time at which it was made."""
    return argname if isinstance(val, bytes) and (len(val) > 40 or not val.isascii()) else None


def _heed_signals():
    """Undo that signals are ignored, as a shell does for what it starts in the background.

    The programs that are tested would inherit it, and rightly go on at Ctrl+C.
    """
    for name, usual in (
        ("SIGINT", signal.default_int_handler),
        ("SIGTERM", signal.SIG_DFL),
        ("SIGHUP", signal.SIG_DFL),
    ):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)


@pytest.fixture(autouse=True)
def end_to_end_has_its_tools(request, monkeypatch):
    """Skip an end-to-end test where the programs it needs are missing; on CI, fail it.

    The marker names them; by default they are those that drive the real window.
    """
    marker = request.node.get_closest_marker("end_to_end")
    if marker is None:
        return
    missing = [tool for tool in marker.args or ("Xvfb", "xdotool") if not _is_installed(tool)]
    if missing:
        refuse = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        refuse(f"end-to-end tests need {' and '.join(missing)}")
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)


@pytest.fixture(scope="session")
def readers():
    from tests import readers  # not before pytest_configure

    yield readers
    readers.end()


@pytest.fixture(autouse=True)
def readers_are_kept(request, readers, monkeypatch):
    """Start reader processes anew for each scan only in the rooms that are about them."""
    if _OF_READERS.isdisjoint(request.path.parts):
        readers.keep(monkeypatch)
    else:
        readers.end()


def _is_installed(tool):
    names = {"chromium": ("chromium", "chromium-browser", "google-chrome")}.get(tool, (tool,))
    if tool == "axe-core":
        return Path(sys.prefix, "node_modules", "axe-core", "axe.min.js").exists()
    return any(map(shutil.which, names))


@pytest.fixture(scope="session")
def started_qthreads():
    """Every QThread that was started from Python: Qt itself keeps no list."""
    started = set()
    original = QThread.start

    def start(thread, *args):
        started.add(thread)
        original(thread, *args)

    QThread.start = start
    yield started
    QThread.start = original


@pytest.fixture(autouse=True)
def no_thread_left_running(started_qthreads):
    """Fail a test that ends while a thread it started still runs, an idle pool's included."""
    before = set(threading.enumerate())
    started_qthreads.clear()
    yield
    deadline = time.monotonic() + _NET
    while left := _running(before, started_qthreads):
        if time.monotonic() > deadline:
            pytest.fail(f"left running: {', '.join(left)}")
        gc.collect()  # a pool that nobody holds ends with its last reference
        if QCoreApplication.instance() is not None:
            QCoreApplication.processEvents()  # a worker's last signal may be what stops its thread
        time.sleep(0.005)
    started_qthreads.clear()


def _running(before, qthreads):
    """What still runs: Python threads that are not daemons and were not there before, QThreads."""
    left = [t.name for t in threading.enumerate() if t not in before and not t.daemon]
    return left + [repr(t) for t in qthreads if isValid(t) and t.isRunning()]
