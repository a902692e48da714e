"""7-Zip archives are opened like folders."""

from __future__ import annotations

import bz2
import lzma
import zlib

import pytest

from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import reader_for, seven_zip
from core.documents.readers.reader import Reading
from core.documents.reading_settings import ReadingLimits
from tests.bench import fuzz_seeds

FILES = {"a/": b"", "a/Übersicht.txt": b"one", "empty.txt": b"", "b.txt": b"two " * 90_000}


def parts(data, **reading):
    """Contents, or codes of problems, by their names."""
    found = seven_zip.READER.parts(data, Reading(**reading))
    return {name: data.code if isinstance(data, UnreadableError) else data for name, data in found}


@pytest.mark.parametrize("packs_header", [False, True])
def test_files_are_unpacked_and_folders_are_none(packs_header):
    data = fuzz_seeds.seven_zip(FILES, packs_header=packs_header)

    assert reader_for(data, "").kind == "7z"
    assert parts(data) == {name: content for name, content in FILES.items() if name != "a/"}


def test_names_lead_nowhere_and_hidden_files_are_left_out():
    data = fuzz_seeds.seven_zip({"..\\..\\c.txt": b"words", "__MACOSX/._c.txt": b"hidden"})

    assert parts(data) == {"c.txt": b"words"}


def test_a_large_file_is_refused_and_the_next_one_is_read():
    data = fuzz_seeds.seven_zip({"zeros.txt": bytes(3_000_000), "b.txt": b"words"})

    limits = ReadingLimits(memory_bytes=16_000_000)
    assert parts(data, limits=limits) == {
        "zeros.txt": ProblemCode.TOO_BIG_UNPACKED,
        "b.txt": b"words",
    }


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"dictionary": 39}, ProblemCode.TOO_BIG_UNPACKED),
        ({"method": b"\x06\xf1\x07\x01"}, ProblemCode.ENCRYPTED),
        ({"method": b"\x03\x04\x01"}, ProblemCode.UNSUPPORTED),
    ],
    ids=["memory", "password", "method"],
)
def test_what_cannot_be_unpacked_says_why(options, code):
    """A dictionary of 3 GB is memory, however small the file is."""
    assert parts(fuzz_seeds.seven_zip({"a.txt": b"words"}, **options)) == {"a.txt": code}


def test_an_archive_that_breaks_off_is_damaged():
    data = fuzz_seeds.seven_zip(FILES)

    for broken in (data[:40], data[:-3], data.replace(b"\x0c\xff", b"\x0c\xfe")):
        with pytest.raises(UnreadableError) as caught:
            parts(broken)
        assert caught.value.code == ProblemCode.DAMAGED


@pytest.mark.parametrize("count", [1, 3])
def test_a_file_that_is_not_what_was_packed_is_damaged(count):
    """Whatever else is packed with it; its length alone would tell nothing."""
    files = {f"{number}.txt": f"words {number}".encode() for number in range(count)}
    data = fuzz_seeds.seven_zip(files, method=b"\0").replace(b"words 0", b"sword 0")

    assert parts(data) == {**files, "0.txt": ProblemCode.DAMAGED}


X86, LZMA = b"\4\3\3\1\3", b"\x23\3\1\1\5\x5d\0\0\1\0"


def test_machine_code_is_whole():
    """7-Zip packs programs with LZMA that has no mark at its end, behind a filter."""
    content = b"\xe8\1\2\3\0 words" * 9_000 + b"\xe8\1\2"
    filters = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA1, "dict_size": 1 << 16}]
    packed = lzma.compress(content, lzma.FORMAT_RAW, filters=filters)[:-1]
    folder = (b"\2" + X86 + LZMA + b"\0\1", [packed], {"setup.exe": content})

    files = {"a.txt": b"words"}
    assert parts(fuzz_seeds.seven_zip(files, others=[folder])) == {"setup.exe": content} | files


@pytest.mark.parametrize(
    ("coders", "packed", "code"),
    [
        (b"\1" + LZMA, [b"\0" + b"\xff" * 30], ProblemCode.DAMAGED),
        (b"\1\x14\3\3\1\x1b\4\1\0\1\2\3", [b"one", b"", b"", b"0"], ProblemCode.UNSUPPORTED),
    ],
    ids=["damaged", "bcj2"],
)
def test_what_is_packed_after_something_that_cannot_be_unpacked_is_read(coders, packed, code):
    data = fuzz_seeds.seven_zip(FILES, others=[(coders, packed, {"1": b"one", "2": b"two"})])

    assert parts(data) == {"1": code, "2": code} | parts(fuzz_seeds.seven_zip(FILES))


def test_a_folder_without_files_takes_no_name():
    data = fuzz_seeds.seven_zip({"a.txt": b"words"}, others=[(b"\1\1\0", [b""], {})])

    assert parts(data) == {"a.txt": b"words"}


@pytest.mark.parametrize("method", [b"\4\1\x08", b"\4\2\2"], ids=["deflate", "bzip2"])
def test_what_grows_much_is_unpacked_bit_by_bit(method):
    content = bytes(9_000_000) + b"words"
    packer = zlib.compressobj(wbits=-15)
    deflated = packer.compress(content) + packer.flush()
    packed = deflated if method[1] == 1 else bz2.compress(content)
    folder = (b"\1\3" + method, [packed], {"zeros.txt": content})

    files = {"a.txt": b"words"}
    assert parts(fuzz_seeds.seven_zip(files, others=[folder])) == {"zeros.txt": content} | files
