"""Damaged, foreign and unwritable machine code: the kernel runs, and is kept anew if it can be.

So are arrays.
"""

import importlib.util
import os
import random
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from core.base import compiling, kernel_cache
from core.base.compiling import ENDING, KernelFiles, load, save
from core.text import characters
from core.text.characters import kept_tables
from tests.programs import ROOT, python

VALUES = np.array([1, 2])
SOURCE = """
from core.base.compiling import njit
from {other} import step, WIDTH

@njit(nogil=True, cache=True)
def total(values):
    result = 0
    for value in values:
        result += step(value) * WIDTH
    return result

@njit(nogil=True, cache=True)
def count(values):
    return len(values)
"""
OTHER_MODULE = """
from core.base.compiling import njit

WIDTH = {width}

@njit(nogil=True, cache=True, inline="always")
def step(value):
    return value + {step}
"""


@pytest.fixture
def files(tmp_path, monkeypatch):
    """One writable folder for kernels."""
    files = KernelFiles(tmp_path)
    files.folders = (tmp_path / "cache",)
    for module in (kernel_cache, characters):
        monkeypatch.setattr(module, "KERNEL_FILES", files)
    return files


@pytest.fixture
def make(tmp_path, monkeypatch):
    """Write and import a module with kernels, as a program does that starts anew."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def make(step=1, width=10):
        (tmp_path / "made_other.py").write_text(OTHER_MODULE.format(step=step, width=width))
        (tmp_path / "made.py").write_text(SOURCE.format(other="made_other"))
        compiling.source_digest.cache_clear()
        for name in ("made_other", "made"):
            monkeypatch.delitem(sys.modules, name, raising=False)
            importlib.invalidate_caches()
            spec = importlib.util.find_spec(name)
            module = importlib.util.module_from_spec(spec)
            monkeypatch.setitem(sys.modules, name, module)
            spec.loader.exec_module(module)
        return module

    return make


def hits(kernel):
    return sum(kernel.stats.cache_hits.values())


def only(files, name):
    (path,) = files.folders[0].glob(f"made.{name}-*{ENDING}")
    return path


def truncate(path, length):
    path.write_bytes(path.read_bytes()[:length])


def flip(path, seed):
    data = bytearray(path.read_bytes())
    bit = random.Random(seed).randrange(8 * len(data))
    data[bit // 8] ^= 1 << bit % 8
    path.write_bytes(data)


def replace_by_folder(path):
    path.unlink()
    path.mkdir()


def replace_by_pipe(path):
    path.unlink()
    os.mkfifo(path)


def replace_by_link_to_itself(path):
    path.unlink()
    path.symlink_to(path)


DAMAGE = {
    "nothing left": lambda path: truncate(path, 0),
    "half": lambda path: truncate(path, path.stat().st_size // 2),
    "only the head": lambda path: truncate(path, 20),
    "one byte less": lambda path: truncate(path, path.stat().st_size - 1),
    "one byte more": lambda path: path.write_bytes(path.read_bytes() + b"\0"),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "garbage": lambda path: path.write_bytes(random.Random(1).randbytes(5000)),
    "text": lambda path: path.write_text("nothing of ours"),
    "swollen": lambda path: os.truncate(path, 1 << 33),
    "gone": lambda path: path.unlink(),
    "a folder": replace_by_folder,
    "a pipe": replace_by_pipe,
    "a link to itself": replace_by_link_to_itself,
    **{f"bit {seed}": lambda path, seed=seed: flip(path, seed) for seed in range(4)},
}


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and links")
def test_a_damaged_kernel_is_compiled_anew_and_kept_again(files, make):
    assert make().total(VALUES) == 50
    for name, damage in DAMAGE.items():
        path = only(files, "total")
        damage(path)

        again = make()
        assert again.total(VALUES) == 50, name
        assert hits(again.total) == 0, name
        if path.is_dir():
            assert kernel_cache.not_kept.pop().startswith("made.total")
            path.rmdir()
            assert make().total(VALUES) == 50

        third = make()
        assert third.total(VALUES) == 50, name
        assert hits(third.total) == 1, name


def test_the_kernel_of_another_function_is_not_taken(files, make):
    module = make()
    assert (module.total(VALUES), module.count(VALUES)) == (50, 2)
    only(files, "total").write_bytes(only(files, "count").read_bytes())

    assert make().total(VALUES) == 50


def test_a_kernel_is_stale_when_another_that_is_part_of_it_has_changed(files, make, tmp_path):
    imported_before = make()
    (tmp_path / "made_other.py").write_text(OTHER_MODULE.format(step=2, width=10))
    assert imported_before.total(VALUES) == 50
    assert make(step=2).total(VALUES) == 70
    assert make(step=2, width=100).total(VALUES) == 700
    only(files, "total")  # the earlier ones are not left there


def test_a_whole_file_that_cannot_be_used_is_compiled_anew(files, make, monkeypatch):
    assert make().total(VALUES) == 50

    fail = Mock(side_effect=AttributeError("of another version"))

    monkeypatch.setattr(kernel_cache, "_Unpickler", fail)
    module = make()
    assert module.total(VALUES) == 50
    assert hits(module.total) == 0


def test_kernels_that_cannot_be_stored_are_compiled_and_remembered(files, make, tmp_path):
    (tmp_path / "file").write_text("")
    files.folders = (tmp_path / "file" / "cache",)

    assert make().total(VALUES) == 50

    assert kernel_cache.not_kept.pop().startswith("made.total")
    assert not files.can_keep()


def test_the_second_folder_serves_where_the_first_cannot(tmp_path):
    (tmp_path / "file").write_text("")
    files = KernelFiles(tmp_path)
    files.folders = (tmp_path / "file" / "cache", tmp_path / "cache")

    assert files.can_keep()
    assert save(files, "a.kernel", b"key", b"code")
    assert load(files, "a.kernel", b"key") == b"code"
    assert load(files, "a.kernel", b"another") is None


def test_damage_in_a_folder_that_cannot_be_written_hides_no_good_copy(tmp_path):
    files = KernelFiles(tmp_path)
    files.folders = (tmp_path / "first", tmp_path / "second")
    (tmp_path / "first").mkdir()
    (tmp_path / "first" / "a.kernel").write_bytes(b"damaged")
    files.folders = (tmp_path / "second",)
    save(files, "a.kernel", b"key", b"code")
    files.folders = (tmp_path / "first", tmp_path / "second")

    assert load(files, "a.kernel", b"key") == b"code"


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
@pytest.mark.parametrize("mode", [0o666, 0o664, 0o602])
def test_a_file_that_others_could_have_written_is_not_loaded(tmp_path, mode):
    tmp_path.chmod(0o755)
    files = KernelFiles(tmp_path)
    files.folders = (tmp_path,)
    save(files, "a.kernel", b"key", b"code")
    assert load(files, "a.kernel", b"key") == b"code"

    (tmp_path / "a.kernel").chmod(mode)
    assert load(files, "a.kernel", b"key") is None


@pytest.mark.skipif(sys.platform == "win32", reason="users of POSIX")
def test_a_file_of_another_user_is_not_loaded(tmp_path, monkeypatch):
    files = KernelFiles(tmp_path)
    files.folders = (tmp_path,)
    save(files, "a.kernel", b"key", b"code")
    owner = (tmp_path / "a.kernel").stat().st_uid
    monkeypatch.setattr(compiling.os, "geteuid", lambda: owner + 1)
    assert load(files, "a.kernel", b"key") == b"code"  # the sources belong to that user as well

    files.sources = Path("/")
    if owner:
        assert load(files, "a.kernel", b"key") is None


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_nobody_else_may_write_what_is_kept_whatever_the_mask(tmp_path):
    files = KernelFiles(tmp_path)
    files.folders = (tmp_path / "cache",)
    before = os.umask(0)
    try:
        save(files, "a.kernel", b"key", b"code")
    finally:
        os.umask(before)

    assert (tmp_path / "cache" / "a.kernel").stat().st_mode & 0o022 == 0
    assert (tmp_path / "cache").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("call", ["files.can_keep()", "save(files, 'a.kernel', b'', b'')"])
@pytest.mark.parametrize("moment", ["os.fdopen", "Path.replace", "Path.unlink"])
def test_a_process_killed_at_any_moment_leaves_nothing_for_ever(call, moment, tmp_path):
    files = KernelFiles(tmp_path)
    files.folders = (tmp_path,)
    program = f"""
import os
from pathlib import Path
from core.base.compiling import KernelFiles, save
files = KernelFiles(Path())
files.folders = (Path({str(tmp_path)!r}),)
{moment} = lambda *_: os._exit(0)
{call}
"""
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)

    assert files.can_keep()

    assert [path.name for path in tmp_path.iterdir() if path.name != "a.kernel"] == []


@pytest.mark.parametrize(
    "home", [{}, {"HOME": "/nonexistent"}, {"HOME": "relative"}, {"XDG_CACHE_HOME": "relative"}]
)
def test_a_home_that_is_none_gives_no_folder_to_keep_kernels_in(home):
    environment = {key: value for key, value in os.environ.items() if key != "HOME"}
    environment.pop("XDG_CACHE_HOME", None)
    program = (
        "from core.base.compiling import KERNEL_FILES; print(*KERNEL_FILES.folders, sep='\\n')"
    )
    done = python("-c", program, env={**environment, **home, "PYTHONPATH": str(ROOT)}, check=True)

    assert all(Path(line).is_absolute() for line in done.stdout.splitlines())


def test_numba_is_imported_when_the_first_kernel_is_called():
    program = """
import sys
from core.base.hashing import mix
from core.candidates import lsh
import core.scan.flow
import numpy as np
assert "numba" not in sys.modules
plain = mix.py_func(np.uint64(7))
assert "numba" not in sys.modules
assert mix(np.uint64(7)) == plain
assert "numba" in sys.modules
assert lsh.mix(np.uint64(7)) == plain
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_kept_kernel_is_loaded_without_what_only_the_compiler_needs():
    program = """
import sys
import numpy as np
from core.candidates.shared_fingerprints import sorted_keys
bounds = np.array([0, 2])
sorted_keys(np.arange(4, dtype=np.uint64), bounds, bounds + 2, bounds < 9, np.uint64(24))
print(*{"numba", "numba.np.arrayobj", "numpy.ma"}.intersection(sys.modules))
"""
    for _ in range(2):  # the first may have to compile it
        done = python("-c", program, check=True)
    assert done.stdout == "numba\n"


def test_a_list_is_made_without_masked_arrays():
    program = """
import sys
from pathlib import Path
from core.scan.flow import scan
from core.settings import ScanSettings
from neardup_gui.jobs.scans import make_result
settings = ScanSettings()
scanned = scan([Path(sys.argv[1])], settings)
result = make_result(scanned, settings, complete=True)
print(len(result.pairs) > 0, "numpy.ma" in sys.modules)
"""
    done = python("-c", program, str(ROOT / "resources/sample"), check=True)

    assert done.stdout.split() == ["True", "False"]


def test_arrays_are_made_again_only_where_a_source_changed_or_the_file_is_damaged(
    files, monkeypatch
):
    arrays = [np.array([[0, 0, 7], [7, 5, 0]], dtype=np.uint16), np.zeros(4), np.arange(3)]
    make = Mock(return_value=arrays)
    for source, times in ("1", 1), ("1", 1), ("2", 2):
        monkeypatch.setattr(characters, "_SOURCES", [source])
        for kept, array in zip(kept_tables("a", make), arrays, strict=True):
            assert np.array_equal(kept, array)
            assert (kept.dtype, kept.flags.writeable) == (array.dtype, True)
        assert make.call_count == times
    (path,) = files.folders[0].iterdir()
    path.write_bytes(path.read_bytes()[:-1])
    kept_tables("a", make)
    assert make.call_count == 3
    kept_tables("b", make)
    monkeypatch.setattr(Path, "read_bytes", lambda _path: b"of a later version")
    kept_tables("b", make)
    assert make.call_count == 4
