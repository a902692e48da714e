"""Files that were begun: removed when their process is gone, and not before."""

import ast
import errno
import gc
import os
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base import files
from core.base.arrays import GrowingArray, leave_memory
from core.base.files import (
    TemporaryFile,
    flush_folder,
    lock,
    replaced_bytes,
    replaced_file,
    scratch_folder,
    tidy,
    unfinished,
)
from core.base.memory import MOST_TEXT, available_memory, check_room, require_memory
from core.errors import ExportError, StorageError
from core.review import Access, ReviewLock
from core.text.store import TextStore
from tests.programs import ROOT, python, trees
from tests.texts import folder_with

# Modules that open files to write for themselves, and why that is no result of the user's.
ALLOWED = {
    "core/commands/main.py": "the null device",
    "core/documents/isolation/worker.py": "a pipe",
    "core/base/compiling.py": "the cache of the compiler; a digest tells a torn file",
    "core/base/files.py": "the one writer",
    "core/spark/file_system.py": "a lock, which must not be there already",
    "core/spark/files.py": "a copy of a document for its reader, in a temporary folder",
    "core/review/mac.py": "the key of an installation: nobody else may read it",
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
    writers = set()
    for path, tree in trees():
        calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
        if any(writes_a_file(call) for call in calls):
            writers.add(path.relative_to(ROOT).as_posix())

    assert writers == set(ALLOWED)


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
    ("replaced", "content"), [(replaced_file, "x" * 9_000_000), (replaced_bytes, b"x" * 9_000_000)]
)
def test_what_fails_in_the_middle_leaves_nothing_behind(tmp_path, replaced, content):
    path = tmp_path / "old.html"
    path.write_text("old")

    with pytest.raises(ZeroDivisionError), replaced(path) as file:  # noqa: PT012
        file.write(content)
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
def test_a_file_that_cannot_grow_is_reported_in_a_sentence(tmp_path, replaced, size):
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
    return python("-c", code, *map(str, arguments))


quick = settings(derandomize=True, max_examples=50)


def full_disk(*_arguments):
    raise OSError(errno.ENOSPC, "No space left on device")


def open_files():
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


@pytest.mark.parametrize("width", [0, 3])
@pytest.mark.parametrize("memory", [0, 100, 1 << 28])
def test_rows_come_back_wherever_they_are_kept(width, memory):
    rng = np.random.default_rng(1)
    array = GrowingArray(np.uint32, width, memory)
    expected = []
    for count in (0, 1, 5, 0, 40, 7):
        block = rng.integers(0, 2**32, (count, width) if width else count, dtype=np.uint32)
        earlier = array.rows
        before = earlier.tolist()
        array.append(block)
        expected += block.tolist()
        rows = array.rows
        leave_memory(array.rows)
        assert array.rows.tolist() == rows.tolist() == expected
        assert earlier.tolist() == before
    assert len(array) == len(expected)
    assert array.in_file == (memory < 1 << 28)
    assert array.rows.flags.writeable  # the kernels are compiled for such arrays


def test_rows_that_a_full_disk_cut_short_are_no_part(monkeypatch):
    array, write = GrowingArray(np.int64, memory=0), os.write
    array.append(np.arange(5))

    def write_half(descriptor, data):
        if len(data) <= 400:
            raise OSError(errno.ENOSPC, "full")
        return write(descriptor, data[: len(data) - 400])

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", write_half)
        with pytest.raises(StorageError):
            array.append(np.arange(100, 200))
    array.append(np.arange(200, 205))

    assert array.rows.tolist() == [*range(5), *range(200, 205)]


def test_large_arrays_take_the_memory_they_are_given_once():
    array = GrowingArray(np.uint64, memory=1 << 24)
    array.append(np.arange((1 << 24) // 64))
    first = array.rows
    array.append(np.arange((1 << 24) // 16))

    assert np.shares_memory(first, array.rows)


@quick
@given(
    st.lists(st.lists(st.text(st.characters()), max_size=4), max_size=6),
    st.integers(0, 1000),
    st.randoms(),
)
def test_texts_come_back_wherever_they_lie(blocks, memory, rng):
    store = TextStore(memory)
    texts = []
    for block in blocks:
        store.extend(block)
        texts += block
        assert list(store) == texts
    assert store.lengths.tolist() == [len(text) for text in texts]
    assert (store._file is not None) == (sum(map(sys.getsizeof, texts)) > memory)

    order = np.array([rng.randrange(len(texts)) for _ in texts], dtype=np.int64)
    again = store.arranged(order)
    again.extend(["more"])
    second_store = TextStore()
    second_store.extend(["first"])
    second_store.adopt(again, again.lengths)
    second_store.adopt(("elsewhere", "\ud800"), np.array([9, 1]))
    assert list(second_store) == [
        "first",
        *(texts[i] for i in order),
        "more",
        "elsewhere",
        "\ud800",
    ]
    assert second_store[1:3] == list(second_store)[1:3]
    assert second_store[-1] == "\ud800"
    with pytest.raises(IndexError):
        second_store[len(second_store)]


def test_texts_are_read_by_several_threads_at_once():
    store = TextStore(0)
    texts = [f"{number} " * number for number in range(300)]
    store.extend(texts)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(store.__getitem__, range(300))) == texts


def test_temporary_files_leave_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    before = open_files()
    store = TextStore(0)
    store.extend(["a text"])
    array = GrowingArray(np.uint64, memory=0)
    array.append(np.arange(10))
    assert array.rows.sum() == 45

    assert open_files() > before
    assert list(tmp_path.iterdir()) == []
    del store, array
    gc.collect()
    assert open_files() == before


def test_a_full_disk_is_a_sentence(monkeypatch):
    file = TemporaryFile()
    file.append(b"before")
    monkeypatch.setattr("os.write", full_disk)

    for failing in (
        lambda: file.append(b"after"),
        lambda: TextStore(0).extend(["a text"]),
        lambda: GrowingArray(np.int64, memory=0).append(np.arange(9)),
    ):
        with pytest.raises(StorageError, match=r"is full.*TMPDIR"):
            failing()
    assert file.read(0, 6) == b"before"


def test_a_place_without_temporary_files_is_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "gone"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))

    with pytest.raises(StorageError, match="gone"):
        TemporaryFile()


def test_room_is_checked_before_it_is_needed(monkeypatch):
    assert check_room(0) == ""
    assert 0 < available_memory() < 1 << 50
    monkeypatch.setattr("core.base.memory.available_memory", lambda: 10_000_000_000)
    assert check_room(2 * MOST_TEXT) == ""  # in a file only because that is as fast
    monkeypatch.setattr("core.base.memory.available_memory", lambda: 4_000_000)

    assert check_room(1_000_000) == ""
    assert "(3 MB)" in check_room(3_000_000)
    with pytest.raises(StorageError, match="are free"):
        check_room(1 << 60)
    require_memory(4_000_000, "This", "")
    with pytest.raises(StorageError, match=r"This needs about 5 MB of memory; 4 MB are free. Go."):
        require_memory(5_000_000, "This", "Go.")


def write_group(folder, **files):
    folder_with(folder, {name.replace("__", "."): f"{value}\n" for name, value in files.items()})


@pytest.fixture
def groups(monkeypatch, tmp_path):
    """A tree of control groups, and a function that says in which this process is."""
    monkeypatch.setattr("core.base.memory.GROUPS", tmp_path)
    monkeypatch.setattr("core.base.memory.PROCESS_GROUPS", tmp_path / "own")
    return tmp_path, (tmp_path / "own").write_text


def test_the_limit_of_a_control_group_counts(groups):
    root, set_group = groups
    set_group("0::/group/inner\n")
    write_group(root, memory__max="max", memory__current=1000)
    write_group(root / "group", memory__max=5000, memory__current=1000)
    write_group(root / "group" / "inner", memory__max=9000, memory__current=10)

    assert available_memory() == 4000


def test_files_that_nobody_uses_count_as_free(groups):
    root, set_group = groups
    set_group("0::/group\n")
    write_group(
        root / "group",
        memory__max=5000,
        memory__current=3000,
        memory__stat="anon 100\ninactive_file 2000\nactive_file 500",
    )

    assert available_memory() == 4000


def test_the_first_version_of_control_groups_counts_as_well(groups):
    root, set_group = groups
    set_group("12:cpu,cpuacct:/x\n4:memory:/a/b\n0::/\n")
    everything = 0x7FFFFFFFFFFFF000  # what stands for no limit
    write_group(root / "memory", memory__limit_in_bytes=everything, memory__usage_in_bytes=10**9)
    write_group(
        root / "memory" / "a",
        memory__limit_in_bytes=9000,
        memory__usage_in_bytes=6000,
        memory__stat="inactive_file 1\ntotal_inactive_file 1500",
    )
    write_group(
        root / "memory" / "a" / "b", memory__limit_in_bytes=8000, memory__usage_in_bytes=1000
    )

    assert available_memory() == 4500
    set_group("4:memory:/outside/of/the/container\n")  # then the groups inside count
    write_group(root / "memory", memory__limit_in_bytes=7000, memory__usage_in_bytes=4000)
    assert available_memory() == 3000
    write_group(root / "memory", memory__limit_in_bytes="no number", memory__usage_in_bytes=4000)
    assert available_memory() > 1_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere addresses are not limited")
def test_the_address_space_counts():
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, -1)); "
        "from core.base.memory import available_memory; print(available_memory())"
    )
    command = [sys.executable, "-c", program]
    left = int(subprocess.run(command, capture_output=True, check=True, text=True).stdout)

    assert 0 < left < 1 << 30


UNFINISHED = ".neardup-0123456789abcdef"
TALKING = """
import sys
import tempfile
from pathlib import Path
from core.base.files import unfinished
with unfinished(Path(sys.argv[1]), ".new") as path:
    for end in ("", "-wal", "-journal"):
        path.with_name(path.name + end).write_bytes(b"begun")
    print("begun", flush=True)
    sys.stdin.read()
"""


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def writing_process(tmp_path):
    """Another program that has begun a file."""
    process = subprocess.Popen(
        [sys.executable, "-c", TALKING, str(tmp_path / "essays.neardup")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT,
    )  # fmt: skip
    assert process.stdout.readline().strip() == b"begun"
    yield process
    process.kill()
    process.communicate()


def test_what_a_living_process_writes_stays_and_goes_when_it_is_killed(tmp_path, writing_process):
    names_of_unfinished = names(tmp_path)
    assert len(names_of_unfinished) == 4
    long_ago = time.time() - 10 * files.ABANDONED
    for name in names_of_unfinished:
        os.utime(tmp_path / name, (long_ago, long_ago))

    tidy(tmp_path)
    assert names(tmp_path) == names_of_unfinished

    writing_process.kill()
    writing_process.wait()
    tidy(tmp_path)
    assert names(tmp_path) == []


def test_a_process_takes_its_own_away_at_its_end(tmp_path, writing_process):
    writing_process.communicate()

    assert names(tmp_path) == []


KILLED_BESIDE_A_WORKBOOK = """
import os, signal
from core.base.files import scratch_folder
with scratch_folder() as folder:
    (folder / "rows").write_text("the text of a document")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@not_on_windows
def test_the_next_file_anywhere_removes_temporary_files_that_were_left(tmp_path, monkeypatch):
    """They hold texts, and another workbook may never be made."""
    temporary, reports = tmp_path / "temporary", tmp_path / "reports"
    temporary.mkdir()
    reports.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    subprocess.run([sys.executable, "-c", KILLED_BESIDE_A_WORKBOOK], cwd=ROOT, check=False)
    assert len(names(temporary)) == 2

    with scratch_folder() as living:
        (living / "rows").write_text("of a process that lives")
        with replaced_file(reports / "pairs.csv") as file:
            file.write("a,b")
        assert [path.name for path in temporary.glob("*.scratch")] == [living.name]
    assert names(temporary) == []
    assert names(reports) == ["pairs.csv"]


def test_files_are_written_and_reviews_locked_without_a_temporary_folder(tmp_path, monkeypatch):
    """Only the folder of the results can be written to."""
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: [str(tmp_path / "none")])
    monkeypatch.setattr(files, "ON_DISK", tmp_path / "none")

    with replaced_file(tmp_path / "pairs.csv") as file:
        file.write("a,b")
    with ReviewLock(tmp_path / "essays.neardup") as right:
        assert right.access is Access.WRITE
    assert (tmp_path / "pairs.csv").read_text() == "a,b"


def test_who_starts_to_work_on_a_review_tidies_its_folder(tmp_path, writing_process):
    writing_process.kill()
    writing_process.wait()
    (tmp_path / "another.neardup-lock").write_text("ann on library-3")

    with ReviewLock(tmp_path / "essays.neardup") as right:
        assert right.access is Access.WRITE
        assert names(tmp_path) == ["essays.neardup-lock"] or sys.platform == "win32"
    assert names(tmp_path) == []


def test_the_lock_of_a_review_that_is_open_stays(tmp_path):
    with ReviewLock(tmp_path / "essays.neardup"):
        tidy(tmp_path)
        assert names(tmp_path) == ["essays.neardup-lock"]
        with ReviewLock(tmp_path / "essays.neardup") as second:
            assert second.access is Access.TAKEN


def test_a_look_at_a_lock_is_not_taken_for_its_holder(tmp_path, monkeypatch):
    path = tmp_path / "essays.neardup-lock"
    path.touch()
    looking = os.open(path, os.O_RDWR)
    lock(looking)
    monkeypatch.setattr("core.review.lock.time.sleep", lambda _seconds: os.close(looking))

    with ReviewLock(tmp_path / "essays.neardup") as right:
        assert right.access is Access.WRITE


def test_temporary_files_without_an_owner_are_removed_after_a_day(tmp_path):
    (tmp_path / f"{UNFINISHED}.new").touch()
    (tmp_path / f"{UNFINISHED}.new-wal").touch()
    old = time.time() - files.ABANDONED - 60

    tidy(tmp_path)
    assert len(names(tmp_path)) == 2

    os.utime(tmp_path / f"{UNFINISHED}.new", (old, old))
    tidy(tmp_path)
    assert names(tmp_path) == [f"{UNFINISHED}.new-wal"]


def test_where_no_locks_are_kept_age_decides(tmp_path, monkeypatch):
    refuse = Mock(side_effect=OSError(errno.ENOLCK, os.strerror(errno.ENOLCK)))

    monkeypatch.setattr(files, "lock", refuse)
    old = time.time() - files.ABANDONED - 60
    for name in (f"{UNFINISHED}.lock", f"{UNFINISHED}.tmp"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (old, old))

    with unfinished(tmp_path / "essays.html", ".tmp") as path:
        path.touch()
        names_before = names(tmp_path)
        tidy(tmp_path)
        assert names(tmp_path) == names_before == [path.with_suffix(".lock").name, path.name]
    assert names(tmp_path) == []


def test_files_of_the_user_stay_whatever_they_are_called(tmp_path):
    user_files = [
        ".neardup-notes.lock",
        ".neardup-notes.tmp",
        f"{UNFINISHED}.html",
        f"{UNFINISHED}.new.txt",
    ]
    for name in user_files:
        (tmp_path / name).touch()
    (tmp_path / f"{UNFINISHED}.tmp").mkdir()
    (tmp_path / f"{UNFINISHED}.scratch").symlink_to(tmp_path / f"{UNFINISHED}.tmp")
    (tmp_path / f"{UNFINISHED}.lock").touch()

    tidy(tmp_path)
    assert names(tmp_path) == sorted([*user_files, f"{UNFINISHED}.scratch", f"{UNFINISHED}.tmp"])


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_in_the_place_of_an_owner_is_not_followed(tmp_path):
    precious = tmp_path / "precious.txt"
    precious.write_text("mine")
    (tmp_path / f"{UNFINISHED}.lock").symlink_to(precious)

    tidy(tmp_path)
    assert precious.read_text() == "mine"


def test_an_owner_that_somebody_removed_before_it_was_locked_is_made_again(tmp_path, monkeypatch):
    locked = []

    def lock_late(file):
        if not locked:  # who tidied up was faster
            tidied = next(tmp_path.glob(".neardup-*.lock"))
            tidied.unlink()
        locked.append(file)
        lock(file)

    # Other programs have locks in the folder for temporary files, which is tidied too.
    monkeypatch.setattr(files, "temporary_folder", lambda: tmp_path)
    monkeypatch.setattr(files, "lock", lock_late)
    with unfinished(tmp_path / "essays.html", ".tmp") as path:
        assert path.with_suffix(".lock").exists()
    assert len(locked) == 2
    assert names(tmp_path) == []


def test_a_folder_that_cannot_be_flushed_is_told_from_a_failing_disk(tmp_path, monkeypatch):
    def failing(code):
        return Mock(side_effect=OSError(code, os.strerror(code)))

    monkeypatch.setattr(os, "fsync", failing(errno.EINVAL))
    flush_folder(tmp_path)
    monkeypatch.setattr(os, "fsync", failing(errno.EIO))
    if sys.platform != "win32":  # there no folder can be opened
        with pytest.raises(OSError, match="nput/output error"):
            flush_folder(tmp_path)
