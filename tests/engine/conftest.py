"""What tests of the engine share."""

import os
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Barrier

import pytest


@pytest.fixture
def essays(tmp_path):
    """A folder of two texts, of which the second is the beginning of the first."""
    from tests.texts import folder_with

    words = [f"word{number}" for number in range(200)]
    texts = {"one.txt": " ".join(words), "two.txt": " ".join(words[:150])}
    return folder_with(tmp_path / "essays", texts)


@pytest.fixture(scope="module")
def pool():
    """Two threads that run already: a pool begins one when it has work, which may be in a test."""
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(Barrier.wait, [Barrier(2)] * 2))
        yield pool


@pytest.fixture
def open_scan():
    """Scans as `scan` does, and closes at the end of the test what came of it."""
    from core.scan.flow import scan

    with ExitStack() as stack:
        yield lambda *given, **named: stack.enter_context(closing(scan(*given, **named)))


@pytest.fixture
def neardup(capsys):
    """Runs a command, which has to end with this status, and gives what it printed."""
    from core.commands.main import main

    def run(*words, status=0):
        assert main([str(word) for word in words]) == status
        return capsys.readouterr()

    return run


NOBODY = 65534


@pytest.fixture
def unprivileged():
    """A folder in which permissions count, also when the tests run as root."""
    folder = Path(tempfile.mkdtemp())
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    yield folder
    if os.getuid() == 0:
        os.seteuid(0)
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o700)
    shutil.rmtree(folder)
