"""Files that are written: whole, or as they were before, whatever happens meanwhile."""

import ast
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.base.files import replaced_bytes, replaced_file
from core.errors import ExportError

ROOT = Path(__file__).parents[3]
PACKAGES = ("core", "neardup_gui")
# Modules that open files to write for themselves, and why that is no result of the user's.
OWN_FILES = {
    "core/commands/main.py": "the null device",
    "core/documents/isolation/worker.py": "a pipe",
    "core/base/kernel_files.py": "the cache of the compiler; a digest tells a torn file",
    "core/base/files.py": "the one writer",
    "core/spark/file_system.py": "a lock, which must not be there already",
    "core/spark/sources/remote.py": "a copy of a document for its reader, in a temporary folder",
}
WRITING = ("w", "a", "x", "+")

not_on_windows = pytest.mark.skipif(sys.platform == "win32", reason="made of POSIX parts")


def left_over(folder):
    return sorted(path.name for path in folder.iterdir() if path.name.startswith(".neardup-"))


def writes_a_file(call):
    """Whether a call in the source opens a file to write, or writes one."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name in {"write_text", "write_bytes", "touch"}:
        return True
    if name not in {"open", "fdopen"}:
        return False
    modes = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg == "mode")]
    return any(
        isinstance(mode, ast.Constant)
        and isinstance(mode.value, str)
        and set(mode.value) <= set("rwxabt+")
        and any(letter in mode.value for letter in WRITING)
        for mode in modes
    )


def test_nothing_but_the_one_writer_opens_files_to_write():
    found = set()
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
            if any(writes_a_file(call) for call in calls):
                found.add(path.relative_to(ROOT).as_posix())

    assert found == set(OWN_FILES)


def test_text_and_bytes_take_the_place_of_what_was_there(tmp_path):
    text, data = tmp_path / "text", tmp_path / "data"
    text.write_text("old")
    data.write_text("old")

    with replaced_file(text, encoding="utf-8-sig") as file:
        file.write("né\r\n\udcff")
        assert text.read_text() == "old"
    with replaced_bytes(data) as file:
        file.write(b"\x00\xff")
        assert data.read_text() == "old"

    assert text.read_bytes() == b"\xef\xbb\xbfn\xc3\xa9\r\n\\udcff"
    assert data.read_bytes() == b"\x00\xff"
    assert left_over(tmp_path) == []


@pytest.mark.parametrize(
    ("replaced", "what"), [(replaced_file, "x" * 9_000_000), (replaced_bytes, b"x" * 9_000_000)]
)
def test_what_fails_in_the_middle_leaves_nothing_behind(tmp_path, replaced, what):
    path = tmp_path / "old.html"
    path.write_text("old")

    with pytest.raises(ZeroDivisionError), replaced(path) as file:  # noqa: PT012
        file.write(what)
        raise ZeroDivisionError

    assert path.read_text() == "old"
    assert left_over(tmp_path) == []


FILL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
from core.base import files as atomic
from core.errors import ExportError
from pathlib import Path
replaced, unit, size = getattr(atomic, sys.argv[1]), sys.argv[2], int(sys.argv[3])
try:
    with replaced(Path(sys.argv[4])) as file:
        file.write(unit * size if sys.argv[1] == "replaced_file" else unit.encode() * size)
except ExportError as error:
    print(error)
"""


@not_on_windows
@pytest.mark.parametrize("size", [100_001, 5_000_000])
@pytest.mark.parametrize("replaced", ["replaced_file", "replaced_bytes"])
def test_a_file_that_cannot_grow_is_said_in_a_sentence(tmp_path, replaced, size):
    path = tmp_path / "old.html"
    path.write_text("old")

    done = run(FILL, replaced, "x", size, path)

    assert done.stdout == (
        "“old.html” could not be written: the disk is full or the file too large.\n"
    )
    assert done.stderr == ""
    assert path.read_text() == "old"
    assert left_over(tmp_path) == []


DIE = """
import os, signal, sys
from core.base import files as atomic
from pathlib import Path
with atomic.replaced_file(Path(sys.argv[1])) as file:
    file.write("new" * 100_000)
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@not_on_windows
def test_a_killed_process_leaves_the_old_file_and_the_next_one_tidies_up(tmp_path):
    path = tmp_path / "old.html"
    path.write_text("old")

    assert run(DIE, path).returncode == -signal.SIGKILL
    assert path.read_text() == "old"
    assert len(left_over(tmp_path)) == 2

    with replaced_file(path) as file:
        file.write("newer")
    assert left_over(tmp_path) == []
    assert path.read_text() == "newer"


@pytest.mark.parametrize("replaced", [replaced_file, replaced_bytes])
def test_a_folder_in_the_place_of_a_file_is_said_to_be_one(tmp_path, replaced):
    with pytest.raises(ExportError, match="is a folder or a device"), replaced(tmp_path):
        pass


def run(code, *arguments):
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
