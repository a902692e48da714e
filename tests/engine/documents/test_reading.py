"""Reading real files: the document that comes out, and every problem with its sentence."""

import errno
import hashlib
import os
import random
import shutil
import socket
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from unittest.mock import Mock

import pytest
import xxhash
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.documents import recognition
from core.documents.discovery import find_documents
from core.documents.extraction import extract
from core.documents.isolation.processes import ReaderProcesses
from core.documents.model import (
    Document,
    FoundFile,
    Problem,
    ProblemCode,
    ReadDocument,
    UnreadableError,
)
from core.documents.readers import Reader, Reading, plain
from core.documents.reading import read_file, suffix_of
from core.documents.reading_settings import DEFAULT_LIMITS, ReadingLimits, ReadingSettings
from core.documents.recognition import READERS, is_plain_text, reader_for, recognise
from tests.archives import zipped

NOBODY = 65534
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
BEGINNINGS = (
    *("a", "Word", "7", "# ", "From ", "Subject: x\n", "\n\n", "%PDF-1.4", "PK\3\4", "{", "<"),
    *("<html>", "{\\rtf1", "\\documentclass{a}", '{"cells": [], "nbformat": 4}', "BZh9", "é"),
    *("\0", "ustar", " ", "<office:document", "<FictionBook ", "MIME-Version: 1.0\n", "\ufeff"),
    *("<!DOCTYPE html>", "<!-- x -->", "<?xml version='1.0'?>", "% x\n", "From: x\n", "Date: x\n"),
    *("<w:wordDocument>", "<pkg:package>", "http://schemas.microsoft.com/office/2006/xmlPackage"),
    *("http://schemas.microsoft.com/office/word/2003/wordml", "\r", "\t" * 300, "word " * 300),
    *(
        "Content-Type: multipart/related\n",
        "ftyp",
        "%!PS",
        "AT&TFORM",
        "P",
        "B",
        "%",
        "\\",
        "\0" * 9,
    ),
    *("From a@b Mon Jan  1 00:00:00 2001\n", ' office:mimetype="application/vnd.oasis', "GIF89a"),
    *('.opendocument.text">', "MZ", "\x1bE", "x" * 257, "{ ", ">"),
)
# Of every reader one, and names that promise nothing.
SUFFIXES = plain.TEXT.suffixes | {"", ".xyz"} | {min(reader.suffixes) for reader in READERS}


@cache
def processes_within(limits: ReadingLimits) -> ReaderProcesses:
    """Reader processes for all tests of this file."""
    return ReaderProcesses(ReadingSettings(limits=limits))


@pytest.fixture(autouse=True, scope="module")
def no_processes_left():
    yield
    processes_within(DEFAULT_LIMITS).close()
    processes_within.cache_clear()


def read_document(file: FoundFile, limits: ReadingLimits = DEFAULT_LIMITS):
    if limits == DEFAULT_LIMITS:
        (result,) = read_file(file, processes_within(limits))
        return result
    with ReaderProcesses(ReadingSettings(limits=limits)) as processes:
        (result,) = read_file(file, processes)
    return result


def file_at(path: Path) -> FoundFile:
    return FoundFile(str(path), path.name, 0, 0)


def read_bytes(folder: Path, name: str, data: bytes, limits: ReadingLimits = DEFAULT_LIMITS):
    path = folder / name
    path.write_bytes(data)
    return read_document(file_at(path), limits)


def problem_with(folder: Path, name: str, data: bytes, limits: ReadingLimits = DEFAULT_LIMITS):
    problem = read_bytes(folder, name, data, limits)
    assert isinstance(problem, Problem), problem
    assert problem.name == name
    assert problem.detail.endswith(".")
    return problem.code, problem.detail


def test_a_text_file_is_read_as_it_is(tmp_path):
    data = "Überschrift\r\n\r\nEin  Satz.\r\n".encode()
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    os.utime(path, ns=(1, 1_700_000_000_123_456_789))

    read = read_document(FoundFile(str(path), "texts/a.txt", 0, 0))

    assert read == ReadDocument(
        Document(
            location=str(path),
            name="texts/a.txt",
            size=len(data),
            modified_ns=1_700_000_000_123_456_789,
            file_hash=xxhash.xxh3_128_hexdigest(data),
            kind="text",
            encoding="utf-8",
            characters=len("Überschrift\n\nEin  Satz.\n"),
            sha256=hashlib.sha256(data).hexdigest(),
        ),
        "Überschrift\n\nEin  Satz.\n",
    )


@pytest.mark.parametrize(
    "name", ["a.md", "a.rst", "a.sty", "a.csv", "a.py", "README", "a.xyz", "ä"]
)
def test_every_format_of_text_is_read_as_plain_text(tmp_path, name):
    read = read_bytes(tmp_path, name, b"# One\n\n* <b>two</b>; three, \\emph{four}\n")

    assert read.text == "# One\n\n* <b>two</b>; three, \\emph{four}\n"
    assert read.document.kind == "text"


def test_an_encoding_is_guessed_in_a_process(tmp_path, monkeypatch):
    text = "Die Größe des Öltanks überrascht nur für einen Augenblick.\n" * 20
    (tmp_path / "Grösse.txt").write_bytes(text.encode("cp1252"))
    (tmp_path / "Öl.md").write_bytes(("Ölmühle, " * 9_000).encode("utf-8"))
    (tmp_path / "long.md").write_bytes("Straße und Größe\n".encode("cp1252") * 70_000)
    read, suffixes = ReaderProcesses.read, []

    def read_elsewhere(processes, data, suffix, file_hash):
        suffixes.append(suffix)
        return read(processes, data, suffix, file_hash)

    monkeypatch.setattr(ReaderProcesses, "read", read_elsewhere)

    for name, encoding in ("Grösse.txt", "cp1252"), ("Öl.md", "utf-8"), ("long.md", "cp1252"):
        document = read_document(file_at(tmp_path / name))
        assert (document.document.encoding, document.document.kind) == (encoding, "text")
        assert document.text == (tmp_path / name).read_text(encoding)
    assert suffixes == [".txt"]


def test_that_records_were_read_as_one_text_is_reported(tmp_path):
    data = b'{"text": "one"}\n{"text": "two"}\n'
    names = ["a.json", "b.jsonl", "c.ndjson", "d.txt"]
    documents = [read_bytes(tmp_path, name, data).document for name in names]

    assert [len(document.remarks) for document in documents] == [0, 1, 1, 0]
    assert "each line is a record" in documents[1].remarks[0]
    for encoding in ("utf-8", "utf-16"):
        alone = '{"text": "one of one"}\n'.encode(encoding)
        assert not read_bytes(tmp_path, "e.jsonl", alone).document.remarks
    of_older_version = documents[1]._replace(remarks=("Other.",))
    for known in (documents[0], documents[1], of_older_version):
        earlier_remarks = known.remarks if known is of_older_version else ()
        known_files = {(known.file_hash, known.kind): known}
        with ReaderProcesses(ReadingSettings()) as processes:
            for name, document in zip(names, documents, strict=True):
                (renamed,) = read_file(file_at(tmp_path / name), processes, known=known_files)
                assert renamed == document._replace(remarks=(*document.remarks, *earlier_remarks))


def test_the_file_is_read_as_it_is_now_not_as_it_was_found(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("short")
    ((file,), _) = find_documents([tmp_path])
    path.write_text("much longer than before")

    assert read_document(file).document.size == len("much longer than before")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "This file is empty: it has 0 bytes."),
        (b" \r\n\t\xc2\xa0", "This file has no text, only white space or markup."),
        (b"\xff\xfe", "This file has no text, only white space or markup."),
        (b"<html><p> </p>", "This file has no text, only white space or markup."),
    ],
)
def test_files_without_text_are_empty(tmp_path, data, sentence):
    assert problem_with(tmp_path, "a.txt", data) == (ProblemCode.EMPTY, sentence)


def test_a_file_that_is_too_big_is_not_read(tmp_path):
    path = tmp_path / "sparse.txt"
    with path.open("wb") as file:
        file.truncate(512_000_000)

    assert read_document(file_at(path)) == Problem(
        "sparse.txt",
        ProblemCode.TOO_BIG,
        "This file is 512 MB. Files over 200 MB are not read.",
        "file_bytes",
    )


def test_the_limits_are_inclusive(tmp_path):
    assert read_bytes(tmp_path, "a.txt", b"12345", ReadingLimits(file_bytes=5, characters=5))
    assert problem_with(tmp_path, "a.txt", b"123456", ReadingLimits(file_bytes=5)) == (
        ProblemCode.TOO_BIG,
        "This file is 6 bytes. Files over 5 bytes are not read.",
    )
    assert problem_with(tmp_path, "a.txt", "éééé".encode(), ReadingLimits(characters=3)) == (
        ProblemCode.TOO_BIG,
        "This text has 4 characters. Texts over 3 are not read: split it.",
    )


def test_files_of_the_kernel_have_a_size_of_0_and_content(tmp_path):
    proc = Path("/proc/self/status")
    if not proc.exists():
        pytest.skip("no /proc on this system")

    assert read_document(file_at(proc)).text.startswith("Name:")


def test_a_file_that_is_gone_has_vanished(tmp_path):
    assert read_document(file_at(tmp_path / "gone.txt")) == Problem(
        "gone.txt", ProblemCode.VANISHED, "This file disappeared during the scan."
    )


@pytest.mark.parametrize("replacement", ["folder", "named pipe", "socket", "device"])
def test_what_replaced_a_file_meanwhile_is_not_read(tmp_path, monkeypatch, replacement):
    monkeypatch.chdir(tmp_path)
    if replacement == "folder":
        Path("a.txt").mkdir()
    elif replacement == "named pipe":
        os.mkfifo("a.txt")
    elif replacement == "socket":
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("a.txt")
    else:
        Path("a.txt").symlink_to("/dev/zero")

    assert read_document(file_at(Path("a.txt"))) == Problem(
        "a.txt", ProblemCode.NOT_A_FILE, f"This is a {replacement}, not a file."
    )


def test_a_folder_that_is_moved_while_its_file_is_opened_is_no_link(tmp_path, monkeypatch):
    folder, status_of = tmp_path / "folder", os.fstat
    folder.mkdir()
    (folder / "a.txt").write_text("own")
    ((file,), _) = find_documents([folder])

    def moved(descriptor: int) -> os.stat_result:
        if folder.exists():
            folder.rename(tmp_path / "away")
        return status_of(descriptor)

    monkeypatch.setattr(os, "fstat", moved)

    assert read_document(file).code == ProblemCode.VANISHED


@pytest.mark.parametrize("system", ["Linux", "others"])
@pytest.mark.parametrize("replacement", ["file", "folder", "linked file"])
def test_a_link_that_took_the_place_of_a_file_or_folder_is_not_followed(
    tmp_path, monkeypatch, replacement, system
):
    if system == "others":
        monkeypatch.setattr(os, "readlink", without_proc)
    folder, outside = tmp_path / "chosen" / "folder", tmp_path / "outside"
    for directory in (folder, folder / ".hidden", outside):
        directory.mkdir(parents=True)
    (outside / "a.txt").write_text("secret")
    (folder / "a.txt").write_text("own")
    if replacement == "linked file":
        (folder / "a.txt").replace(folder / ".hidden" / "a.txt")
        (folder / "a.txt").symlink_to(folder / ".hidden" / "a.txt")
    ((file,), _) = find_documents([tmp_path / "chosen"])
    if replacement == "folder":
        folder.rename(tmp_path / "away")
        folder.symlink_to(outside)
    else:
        (folder / "a.txt").unlink()
        (folder / "a.txt").symlink_to(outside / "a.txt")

    assert read_document(file) == Problem(
        "folder/a.txt",
        ProblemCode.NOT_A_FILE,
        "After this file was found, a link took its place or that of a folder it is in. It is "
        "not followed. Rescan.",
    )


def without_proc(path, readlink=os.readlink):
    if str(path).startswith("/proc/"):
        raise FileNotFoundError(errno.ENOENT, path)
    return readlink(path)


def test_a_file_that_was_saved_anew_after_it_was_found_is_read(tmp_path):
    (tmp_path / "a.txt").write_text("before")
    ((file,), _) = find_documents([tmp_path])
    (tmp_path / "new").write_text("after")
    (tmp_path / "new").replace(tmp_path / "a.txt")

    assert read_document(file).text == "after"


def test_a_file_without_permission_is_listed():
    folder = Path(tempfile.mkdtemp())
    path = folder / "secret.txt"
    path.write_text("secret")
    path.chmod(0)
    folder.chmod(0o755)
    if os.getuid() == 0:
        os.seteuid(NOBODY)
    try:
        problem = read_document(file_at(path))
    finally:
        if os.getuid() == 0:
            os.seteuid(0)
        shutil.rmtree(folder)

    assert problem == Problem(
        "secret.txt", ProblemCode.NO_PERMISSION, "You don’t have permission to read this file."
    )


def test_other_errors_of_the_system_are_reported(tmp_path):
    path = tmp_path / ("x" * 300)

    problem = read_document(FoundFile(str(path), "x", 0, 0))

    assert problem == Problem(
        "x", ProblemCode.FAILED, "This file could not be read: File name too long."
    )


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (
            KeyError("deep inside"),
            ProblemCode.FAILED,
            (
                "This file could not be read: its reader crashed. The file is probably damaged. "
                "Open it in the program that made it and save it again, or save it as PDF or text."
            ),
        ),
        (
            RecursionError(),
            ProblemCode.TOO_DEEP,
            "The elements of this file are nested too deeply.",
        ),
        (
            MemoryError(),
            ProblemCode.OUT_OF_MEMORY,
            (
                "There was not enough memory to read this file. If you trust it, raise the limit "
                "in the settings, or close other programs, and retry."
            ),
        ),
    ],
)
def test_a_reader_that_fails_costs_one_document(monkeypatch, error, code, sentence):
    fail = Mock(side_effect=error)

    def read(recognises):
        broken = Reader("broken", "a broken file", "broken", frozenset(), recognises, fail)
        monkeypatch.setattr("core.documents.recognition.READERS", (broken,))
        (failure,) = extract(b"words", Reading(suffix=".doc"))
        return failure[:3]

    assert read(lambda _data, _suffix: True) == ("", code, sentence)
    assert read(fail) == ("", code, sentence)  # in telling its format


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"AT&TFORM\0\0\1\2DJVM", "DjVu"),
        (b"\xffWPC\x10\0\0\0", "WordPerfect"),
        (b"%!PS-Adobe-3.0\n", "PostScript"),
        (b"\xdb\xa5-\0\0\0", "Word 2"),
        (zipped({"Index/Document.iwa": "content"}), "Apple's Pages, Numbers and Keynote"),
        (OLE + b"\0" * 504, "Microsoft Office 97 to 2003"),
    ],
)
def test_documents_in_other_formats_are_named_by_content(tmp_path, data, kind):
    assert problem_with(tmp_path, "a.txt", data) == (
        ProblemCode.UNSUPPORTED,
        f"Files of {kind} are not read. Open it there and save it as docx, eml, PDF or text.",
    )


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"II*\0\x08\0\0\0", "This is a TIFF image, not a text."),
        (b"GIF89a\x01\0\x01\0\x80\0\0", "This is a GIF image, not a text."),
        (b"\x7fELF\x02\x01\x01\0\0\0", "This is a program, not a text."),
        (b"MZ\x90\0\x03\0\0\0", "This is a program, not a text."),
        (b"SQLite format 3\0\x10\0", "This is an SQLite database, not a text."),
        (b"\0\0\0 ftypisom\0\0\x02\0", "This is a film or an image, not a text."),
        (
            random.Random(3).randbytes(3000),
            "This file holds no text: its bytes fit no character encoding.",
        ),
    ],
)
def test_files_that_are_no_texts_are_binary(tmp_path, data, sentence):
    assert problem_with(tmp_path, "a.txt", data) == (ProblemCode.BINARY, sentence)


GOOGLE = b'{"url": "https://docs.google.com/open?id=1a2b", "doc_id": "1a2b", "email": "a@b.c"}'


@pytest.mark.parametrize(
    ("name", "data", "target_name"),
    [
        ("a.gdoc", GOOGLE, "a document in Google Docs"),
        (
            "a.gsheet",
            b'{"":"WARNING!","doc_id":"1a","resource_key":""}',
            "a document in Google Sheets",
        ),
        ("a.url", b"[InternetShortcut]\r\nURL=https://example.org/\r\n", "a page or a file"),
        ("a.webloc", b"<?xml?><plist><dict><key>URL</key><string>x</string>", "a page or a file"),
        ("a.webloc", b"bplist00\xd1\x01\x02SURL", "a page or a file"),
        ("a.desktop", b"[Desktop Entry]\nType=Link\nURL=https://example.org\n", "a page or a file"),
    ],
)
def test_a_link_is_no_text(tmp_path, name, data, target_name):
    code, detail = problem_with(tmp_path, name, data)

    assert code is ProblemCode.UNSUPPORTED
    assert detail.startswith(f"This is a link to {target_name}, not ")


@pytest.mark.parametrize("name", ["a.gdoc", "a.url", "a.webloc", "a.desktop", "a.txt", "a.json"])
def test_a_text_under_the_name_of_a_link_is_one(tmp_path, name):
    data = GOOGLE if name in {"a.txt", "a.json"} else b"The keeper of the lock went home."
    (tmp_path / name).write_bytes(data)

    (file,), _ = find_documents([tmp_path])
    with ReaderProcesses(ReadingSettings()) as processes:
        (result,) = read_file(file, processes)

    assert isinstance(result, ReadDocument)


@pytest.mark.parametrize("text", ["BMW builds cars.", "MZ is a sign.", "ID3 is older.", "GIF89a!"])
def test_texts_that_begin_like_another_format_are_texts(tmp_path, text):
    assert read_bytes(tmp_path, "a.txt", text.encode()).text == text


@given(data=st.binary(max_size=500), suffix=st.sampled_from([".txt", ".html", "", ".docx"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_file_gives_a_document_or_a_problem(tmp_path, data, suffix):
    result = read_bytes(tmp_path, f"a{suffix}", data)

    assert isinstance(result, ReadDocument | Problem)
    if isinstance(result, Problem):
        assert result.code is not ProblemCode.FAILED


def test_many_threads_read_alike(tmp_path):
    for i in range(60):
        encoding = ["utf-8", "cp1251", "utf-16", "koi8-r"][i % 4]
        text = f"Документ номер {i}: " + "старый смотритель поднялся на маяк. " * 5
        name = f"{i}.html" if i % 3 else f"{i}.txt"
        (tmp_path / name).write_bytes(text.encode(encoding))
    files, _ = find_documents([tmp_path])

    with ReaderProcesses(ReadingSettings()) as processes, ThreadPoolExecutor(4) as pool:

        def read(file):
            (result,) = read_file(file, processes)
            return result

        alone = [read(file) for file in files]
        together = list(pool.map(read, files))

    assert together == alone
    assert all(f"номер {read.document.path.stem}:" in read.text for read in alone)


@given(
    st.lists(st.sampled_from(BEGINNINGS), max_size=12).map("".join),
    st.sampled_from(sorted(SUFFIXES)),
)
@example(content=" {\\rtf1", suffix=".txt")
def test_plain_text_is_taken_by_no_other_reader(content, suffix):
    data = content.encode()

    if is_plain_text(data, suffix):
        assert reader_for(data, suffix).kind == "text"
    assert recognised(data, suffix) == recognised(data, suffix, at_once=False)


def recognised(data: bytes, suffix: str, *, at_once: bool = True) -> str:
    """The kind of the reader, or the reason why none reads it."""
    with pytest.MonkeyPatch.context() as patched:
        if not at_once:
            patched.setattr(recognition, "is_plain_text", lambda _data, _suffix: False)
        try:
            return recognise(data, suffix).kind
        except UnreadableError as error:
            return error.detail


@pytest.mark.parametrize(
    "location", ["a.TXT", "/x.y/a", "/x/.hidden", "/x/a.", "/x/a.tar.gz", "a", "/x/..b", "ä.ü", ""]
)
def test_suffixes_are_those_of_pathlib(location):
    assert suffix_of(location) == Path(location).suffix.lower()
