"""Growing arrays, texts that lie in several places, temporary files, and room for all of it."""

import errno
import gc
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.files import TemporaryFile
from core.base.growable_array import GrowingArray
from core.base.memory import available_memory, check_room, require_memory
from core.errors import StorageError
from core.text.store import TextStore

quick = settings(deadline=None, derandomize=True, max_examples=50)


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
        assert array.rows.tolist() == expected
        assert earlier.tolist() == before
    assert len(array) == len(expected)
    assert array.in_file == (memory < 1 << 28)
    assert array.rows.flags.writeable  # the kernels are compiled for such arrays


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
    assert store.has_file == (sum(map(sys.getsizeof, texts)) > memory)

    order = np.array([rng.randrange(len(texts)) for _ in texts], dtype=np.int64)
    again = store.arranged(order)
    again.extend(["more"])
    other = TextStore()
    other.extend(["first"])
    other.adopt(again, again.lengths)
    other.adopt(("elsewhere", "\ud800"), np.array([9, 1]))
    assert list(other) == ["first", *(texts[i] for i in order), "more", "elsewhere", "\ud800"]
    assert other[1:3] == list(other)[1:3]
    assert other[-1] == "\ud800"
    with pytest.raises(IndexError):
        other[len(other)]


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
    monkeypatch.setattr("core.base.memory.available_memory", lambda: 4_000_000)

    assert check_room(1_000_000) == ""
    assert "(3 MB)" in check_room(3_000_000)
    with pytest.raises(StorageError, match="are free"):
        check_room(1 << 60)
    require_memory(4_000_000, "This", "")
    with pytest.raises(StorageError, match=r"This needs about 5 MB of memory; 4 MB are free. Go."):
        require_memory(5_000_000, "This", "Go.")


def write_group(folder, **files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in files.items():
        (folder / name.replace("__", ".")).write_text(f"{value}\n")


@pytest.fixture
def groups(monkeypatch, tmp_path):
    """A tree of control groups, and a function that says in which this process is."""
    monkeypatch.setattr("core.base.memory.GROUPS", tmp_path)
    monkeypatch.setattr("core.base.memory.OWN_GROUPS", tmp_path / "own")
    return tmp_path, (tmp_path / "own").write_text


def test_the_limit_of_a_control_group_counts(groups):
    root, own = groups
    own("0::/group/inner\n")
    write_group(root, memory__max="max", memory__current=1000)
    write_group(root / "group", memory__max=5000, memory__current=1000)
    write_group(root / "group" / "inner", memory__max=9000, memory__current=10)

    assert available_memory() == 4000


def test_files_that_nobody_uses_count_as_free(groups):
    root, own = groups
    own("0::/group\n")
    write_group(
        root / "group",
        memory__max=5000,
        memory__current=3000,
        memory__stat="anon 100\ninactive_file 2000\nactive_file 500",
    )

    assert available_memory() == 4000


def test_the_first_version_of_control_groups_counts_as_well(groups):
    root, own = groups
    own("12:cpu,cpuacct:/x\n4:memory:/a/b\n0::/\n")
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
    own("4:memory:/outside/of/the/container\n")  # then the groups inside count
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
