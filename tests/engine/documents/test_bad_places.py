"""Files that are hard to get at, in a format that another process reads."""

from __future__ import annotations

import errno
import os
import sys
import threading
import time
from pathlib import Path

import pytest

from core.documents import (
    FoundFile,
    ProblemCode,
    ReadDocument,
    ReaderProcesses,
    ReadingSettings,
    find_documents,
    read_file,
)

PAGE = b"<html><p>one two</p><p>three</p>"


@pytest.fixture(scope="module")
def processes():
    with ReaderProcesses(ReadingSettings()) as processes:
        yield processes


def read_one(processes, path: Path | str):
    (result,) = read_file(FoundFile(str(path), "a.html", 0, 0), processes)
    return result


@pytest.mark.parametrize(
    "name", ["caf\udce9.html", "two\nlines.html", 'it\'s “a” "b" $(c).html', "x" * 250 + ".html"]
)
def test_odd_names_reach_the_reader(tmp_path, processes, name):
    (tmp_path / name).write_bytes(PAGE)
    (found,), problems = find_documents([tmp_path])

    (result,) = read_file(found, processes)

    assert not problems
    assert result.text == "one two\n\nthree"


@pytest.mark.skipif(sys.platform == "win32", reason="paths there are shorter")
def test_a_path_of_4000_characters(tmp_path, processes, monkeypatch):
    monkeypatch.chdir(tmp_path)
    while len(str(Path.cwd())) < 3800:
        Path("d" * 180).mkdir()
        monkeypatch.chdir("d" * 180)
    path = Path.cwd() / ("e" * (3994 - len(str(Path.cwd()))) + ".html")
    Path(path.name).write_bytes(PAGE)

    assert len(str(path)) == 4000
    assert read_one(processes, path).text == "one two\n\nthree"
    assert find_documents([tmp_path])[0][0].location == str(path)


def test_a_path_relative_to_the_current_folder(tmp_path, processes, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.html").write_bytes(PAGE)
    with ReaderProcesses(ReadingSettings()) as own:
        assert read_one(own, "a.html").text == "one two\n\nthree"


def test_a_file_that_grows_while_it_is_read(tmp_path, processes):
    path = tmp_path / "a.html"
    path.write_bytes(PAGE)
    stop = threading.Event()

    def grow():
        with path.open("ab", buffering=0) as file:
            while not stop.is_set():
                file.write(b"<p>more</p>")
                time.sleep(0.001)

    thread = threading.Thread(target=grow)
    thread.start()
    try:
        results = [read_one(processes, path) for _ in range(20)]
    finally:
        stop.set()
        thread.join()

    for result in results:
        assert isinstance(result, ReadDocument)
        assert result.text.startswith("one two\n\nthree")
    assert isinstance(read_one(processes, path), ReadDocument)


@pytest.mark.parametrize(
    ("number", "code", "sentence"),
    [
        (errno.EIO, ProblemCode.VANISHED, "does not answer"),
        (errno.ESTALE, ProblemCode.VANISHED, "does not answer"),
        (errno.EBUSY, ProblemCode.NO_PERMISSION, "Another program holds this file"),
        (errno.EACCES, ProblemCode.NO_PERMISSION, "may not be read"),
        (errno.ENAMETOOLONG, ProblemCode.FAILED, "could not be read"),
    ],
)
def test_what_the_system_says_is_a_sentence(
    tmp_path, processes, monkeypatch, number, code, sentence
):
    """A network share that goes away, a lock: they cannot be had without one."""
    path = tmp_path / "a.html"
    path.write_bytes(PAGE)

    def refuse(*_arguments):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("os.read", refuse)

    problem = read_one(processes, path)

    assert problem.code == code
    assert sentence in problem.detail


def test_a_file_that_another_program_locks_on_windows():
    from core.documents.problems import from_os_error

    error = PermissionError(errno.EACCES, "in use")
    error.winerror = 32

    problem = from_os_error("a", error)

    assert problem.detail.startswith("Another program holds this file")
