"""Malicious files: recognised, damaged everywhere, read under tight limits."""

import bz2
import gzip
import io
import json
import lzma
import re
import struct
import sys
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path
from random import Random
from unittest.mock import Mock

import pytest

from core.base.tasks import ROOM, cancelled_by
from core.documents.extraction import Failure, extract
from core.documents.isolation.processes import ReaderProcesses
from core.documents.model import FoundFile, Problem, ProblemCode, ReadDocument, UnreadableError
from core.documents.readers import Reading, reading_of
from core.documents.reading import read_file
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.documents.recognition import (
    READERS,
    archive_by_signature,
    is_plain_text,
    reader_for,
    recognise,
    reject_by_signature,
)
from core.errors import ScanCancelledError
from core.scan.flow import scan
from core.settings import ScanSettings
from tests.archives import tarred, zipped
from tests.bench.formats_child import texts_in
from tests.bench.fuzz_mutations import mutated
from tests.bench.fuzz_seeds import REFUSED, SEEDS
from tests.bench.hostile_files import AIMED_AT, write_set
from tests.problems import problem_of
from tests.programs import python

SENTENCE = "The keeper of the lighthouse climbed the stairs. "
TARRED = tarred({"a.txt": b""})


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (".txt", SENTENCE.encode()),
        (".txt", f"Title: {SENTENCE}".encode()),
        (".txt", f"  {SENTENCE * 10}".encode()),
        (".txt", f'"{SENTENCE}"'.encode()),
        (".txt", "Старый смотритель".encode()),
        (".txt", "Старый смотритель".encode("cp1251")),
        (".txt", "灯台".encode("shift_jis")),
        (".txt", SENTENCE.encode("utf-16")),
        (".txt", b"\xef\xbb\xbf" + SENTENCE.encode()),
        (".txt", b"Press the button. Be quick."),
        (".txt", b"   \n"),
        ("", b"#!/bin/sh\n"),
        (".unknown", SENTENCE.encode()),
        (".json", b'{"a": 1}'),
        (".json", b"[1, 2]"),
        (".xml", b"<?xml version='1.0'?><!-- a list --><list><item/></list>"),
        (".md", b"<p align=center>A page</p>"),
        (".py", b'"""A program."""\n'),
        (".sty", b"% a package\n\\ProvidesPackage{a}\n"),
        (".csv", b"a:b,c\n1,2\n"),
        (".txt", f"{'Lost wine. ' * 22}\nThe oldest Augustaros saw it.".encode()),  # "ustar" at 257
    ],
)
def test_a_text_is_told_without_a_process(name, data):
    assert is_plain_text(data, name)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (".txt", b""),
        (".txt", zipped({"a.txt": SENTENCE})),
        (".txt", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
        (".txt", b"%PDF-1.4"),
        (".txt", b"some words, then %PDF-1.4"),
        (".txt", b"From a@b Mon Jan  1 00:00:00 2001\n"),
        (".txt", b"From: a@b\nTo: c@d\nMIME-Version: 1.0\n\nText"),
        (".txt", b"<!-- x --><html><p>a</html>"),
        (".txt", b" {\\rtf1 a}"),
        (".txt", b"{ \\rtf1 a}"),
        (".txt", b" " * 1500 + b"{\\rtf1 a}"),
        (".txt", b"% a comment\n\\documentclass{a}"),
        (".txt", b'{"cells": [], "nbformat": 4}'),
        (".json", b'{"cells": [' + b" " * 9000 + b'], "nbformat": 4}'),
        (".txt", TARRED),
        (".txt", tarred({"a.txt": b""}, tarfile.GNU_FORMAT)),
        (".txt", gzip.compress(b"a")),
        (".xml", b"<?xml version='1.0'?>" + b"<!-- x -->" * 9 + b"<w:wordDocument/>"),
        (".xml", b"<FictionBook/>"),
        (".md", b"\0\1\2"),
        (".doc", SENTENCE.encode()),
        (".html", SENTENCE.encode()),
        (".url", b"[InternetShortcut]"),
        (".gdoc", b'{"doc_id": "a"}'),
    ],
)
def test_what_may_be_something_else_goes_to_a_process(name, data):
    assert not is_plain_text(data, name)


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        (".zip", zipped({"a.txt": SENTENCE}), "zip"),
        (".tar", TARRED, "tar"),
        (".tgz", gzip.compress(TARRED), "compressed"),
        (".bz2", bz2.compress(b"a"), "compressed"),
        (".xz", lzma.compress(b"a"), "compressed"),
        (".eml", b"From: a@b\n\ntext", None),
        (".mbox", b"From a@b Mon Jan  1 00:00:00 2001\nFrom: a@b\n\ntext", None),
    ],
)
def test_an_archive_is_told_from_a_mailbox(name, data, kind):
    archive = archive_by_signature(data, name)

    assert (archive.kind if archive else None) == kind


def test_what_is_left_of_a_packed_document_is_damaged_and_no_archive():
    whole = zipped({"a.txt": SENTENCE})
    torn = whole[:40] + bytes(200)
    assert recognise(whole, ".docx").kind == recognise(torn, ".zip").kind == "zip"
    for name in (".docx", ".odt", ".epub", ".xlsx"):
        assert problem_of(recognise, torn, name).code == ProblemCode.DAMAGED


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        (".jpg", b"\xff\xd8\xff\xe0", "This is a picture, and was not read."),
        (".tif", b"II*\0", "This is a picture, and was not read."),
        (".mp4", b"\0\0\0\x20ftypisom", "This is a film or an image, not a text."),
        ("", b"\x7fELF\2\1\1\0", "This is a program, not a text."),
    ],
)
def test_pictures_and_programs_need_no_process(name, data, sentence):
    assert problem_of(reject_by_signature, data, name, ocr=False).detail.startswith(sentence)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (".cr2", b"II*\0"),  # a raw picture, which is told of as an image
        (".jpg", b"\xff\xd8\xff\xe0 %PDF-1.4"),
        (".txt", b"MZ is a sign."),
        (".html", b"\x7fELF\2\1\1\0"),
        (".zip", b"PK\3\4"),
    ],
)
def test_readable_files_are_not_refused_early(name, data):
    reject_by_signature(data, name, ocr=False)


def test_a_picture_goes_to_a_process_where_its_text_is_asked_for():
    reject_by_signature(b"\xff\xd8\xff\xe0", ".jpg", ocr=True)


@pytest.mark.parametrize("name", ["a.doc", "a.zip", "a.html", "a.txt", "a"])
def test_the_main_process_looks_into_no_file(tmp_path, monkeypatch, name):
    """Not even to recognise it: recognition is broken here, and works in the reader process."""
    path = tmp_path / name
    path.write_bytes(f"<!doctype html><p>{SENTENCE}</p>".encode())

    fail = Mock(side_effect=AssertionError("a reader looked into a file in the main process"))

    for function in (
        "core.documents.recognition.reader_for",
        "zipfile.ZipFile",
        "zlib.decompressobj",
    ):
        monkeypatch.setattr(function, fail)
    with ReaderProcesses(ReadingSettings()) as processes:
        (result,) = read_file(FoundFile(str(path), name, 0, 0), processes)

    assert isinstance(result, ReadDocument)
    assert result.document.kind == "html"
    assert result.text == SENTENCE.strip()


PATIENT = ReadingLimits(seconds=3600)
ZEROS = 28_000_000
SWOLLEN = 24 << 20  # bytes: far less than any of the files unpacks to
ENTRY = struct.Struct("<4s6H3I5H2I")
END = struct.Struct("<4s4H2IH")


def bomb(name: str, method: int, *members: str) -> bytes:
    """A package with one part of zeros, which takes far less room."""
    return zipped({name: bytes(ZEROS), **dict.fromkeys(members, b"<a/>")}, method)


def many_entries(count: int, *names: bytes) -> bytes:
    """A file with nothing but a directory, in which the last name comes very often."""
    local = zipped({names[0].decode(): b"<a/>"})[: 30 + len(names[0]) + 6]
    entries = [
        ENTRY.pack(b"PK\1\2", 20, 20, 0, 0, 0, 0, 0, 0, 0, len(name), 0, 0, 0, 0, 0, 0) + name
        for name in names
    ]
    directory = b"".join(entries[:-1]) + entries[-1] * count
    end = END.pack(b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, len(directory), len(local), 0)
    return local + directory + end


def overlapping(count: int) -> bytes:
    """A file without a directory, whose headers lie in the names of each other."""
    return struct.pack("<4s5H3I2H", b"PK\3\4", 20, 0, 0, 0, 0, 0, 1, 1, 0xFFFF, 0) * count


def within(levels: int) -> bytes:
    """A packed archive in a packed archive, and so on."""
    data = b"The keeper of the lighthouse."
    for number in range(levels):
        data = gzip.compress(tarred({f"{number}.tar.gz": data}))
    return data


def commented() -> bytes:
    """An archive whose comment has more ends of a directory than any file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", b"words")
        archive.comment = (b"PK\5\6" + bytes(18)) * 2978
    return buffer.getvalue()


def compound() -> bytes:
    """A compound file whose chains lead back to where they came from."""
    head = bytearray(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".ljust(512, b"\0"))
    struct.pack_into("<HH", head, 0x1E, 7, 4)
    return bytes(head) + b"\0\0\0\0" * 2_000_000


HOSTILE = {
    "types.docx": lambda: bomb("[Content_Types].xml", zipfile.ZIP_BZIP2),
    "types.txt": lambda: bomb("[Content_Types].xml", zipfile.ZIP_LZMA),
    "deflated.docx": lambda: bomb("[Content_Types].xml", zipfile.ZIP_DEFLATED),
    "manifest.odt": lambda: bomb("META-INF/manifest.xml", zipfile.ZIP_BZIP2, "content.xml"),
    "manifest.ods": lambda: bomb("META-INF/manifest.xml", zipfile.ZIP_LZMA, "content.xml"),
    "container.epub": lambda: bomb("META-INF/container.xml", zipfile.ZIP_BZIP2, "a.opf"),
    "crowd.zip": lambda: many_entries(300_000, b"a.txt"),
    "crowd.docx": lambda: many_entries(200_000, b"[Content_Types].xml", b"word/a.xml"),
    "crowd.odt": lambda: many_entries(200_000, b"content.xml", b"META-INF/manifest.xml"),
    "overlapping.docx": lambda: overlapping(200_000),
    "names.docx": lambda: many_entries(1_000, b"[Content_Types].xml", b"word/" + b"x" * 60_000),
    "commented.zip": commented,
    "nested.tar.gz": lambda: within(20),
    "zeros.gz": lambda: gzip.compress(bytes(ZEROS)),
    "zeros.bz2": lambda: bz2.compress(bytes(ZEROS)),
    "zeros.xz": lambda: lzma.compress(bytes(ZEROS)),
    "zeros": lambda: bytes(20_000_000),
    "compound.doc": compound,
    "blank.txt": lambda: b" " * 20_000_000 + b"{\\rtf1",
    "comments.tex": lambda: b"% a comment\n" * 1_000_000,
    "fields.eml": lambda: b"Content-Type: a\n" * 1_000_000,
    "tags.xml": lambda: b"<!-- <html -->" * 1_000_000,
    "prolog.fb2": lambda: b"<?x?>" * 4_000_000 + b"<FictionBook/>",
    "objects.pdf": lambda: b"%PDF-1.4" + b"\n1 0 ob" * 3_000_000,
    "braces.json": lambda: b"{" * 20_000_000,
}

PROGRAM = """
import json, re, sys
from pathlib import Path
from core.documents.isolation.processes import ReaderProcesses
from core.documents.model import FoundFile, Problem
from core.documents.reading import read_file
from core.documents.reading_settings import ReadingLimits, ReadingSettings

def peak():
    found = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) << 10

limits = ReadingLimits(seconds=1)
settings = ReadingSettings(limits=limits, archives=True)
with ReaderProcesses(settings) as processes:
    for name in json.loads(sys.argv[1]):
        before, size = peak(), Path(name).stat().st_size
        results = list(read_file(FoundFile(name, name, 0, 0), processes))
        sentences = [it.detail if isinstance(it, Problem) else "" for it in results]
        print(json.dumps([Path(name).name, peak() - before - size, sentences[:20]]), flush=True)
"""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    for name, made in HOSTILE.items():
        (folder / name).write_bytes(made())
    return folder


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process is told by /proc")
def test_the_main_process_does_not_swell(hostile):
    """Each file in a row, and the main process grows by less than one of them would take."""
    paths = sorted(map(str, hostile.iterdir()), key=lambda path: Path(path).stat().st_size)
    done = python("-c", PROGRAM, json.dumps(paths), check=True)

    outcomes = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(outcomes) == len(HOSTILE)
    for name, grown, sentences in outcomes:
        assert grown < SWOLLEN, name
        assert sentences, name
        assert all(len(sentence) < 1_000 for sentence in sentences), name


@pytest.mark.parametrize("name", ["types.docx", "manifest.odt", "overlapping.docx", "names.docx"])
def test_it_gets_its_sentence_by_itself(hostile, name):
    """Nothing has to be stopped: neither its time nor its memory is used up."""
    with ReaderProcesses(ReadingSettings(limits=PATIENT)) as processes:
        results = list(read_file(FoundFile(str(hostile / name), name, 0, 0), processes))

    (problem,) = results
    assert isinstance(problem, Problem)
    assert problem.code not in {ProblemCode.TIMEOUT, ProblemCode.OUT_OF_MEMORY, ProblemCode.CRASH}


@pytest.mark.parametrize("name", ["crowd.zip", "types.docx", "zeros.bz2", "prolog.fb2"])
def test_cancelling_needs_no_end_of_it(hostile, name):
    settings = ReadingSettings(limits=PATIENT, archives=True)
    file = FoundFile(str(hostile / name), name, 0, 0)
    raises = pytest.raises(ScanCancelledError)
    with ReaderProcesses(settings) as processes, raises, cancelled_by(lambda: True):
        list(read_file(file, processes))


def test_the_kind_of_a_package_is_told_from_its_types():
    """Folders of two kinds: the list of types decides, wherever the parts are."""
    types = b'<Types><Override ContentType="application/vnd.ms-excel.sheet+xml"/></Types>'
    parts = {"word/a.xml": b"<a/>", "[Content_Types].xml": types, "xl/a.xml": b"<a/>"}
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        assert reader_for(zipped(parts, method), "").kind == "xlsx"


SMALL = 0.0005
MADE_FOR_THE_MAIN_PROCESS, MADE = 40, 140  # at least


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Where the files are, and their names."""
    assert len(AIMED_AT["main process"]) >= MADE_FOR_THE_MAIN_PROCESS
    folder = tmp_path_factory.mktemp("hostile")
    paths = list(write_set(folder, SMALL))
    assert len(paths) >= MADE
    return folder, [path.relative_to(folder).as_posix() for path in paths]


def test_each_is_read_or_refused_in_a_sentence_and_nothing_is_left(written):
    folder, _ = written
    result = scan([folder], ScanSettings(), reading=ReadingSettings(archives=True))
    result.list_pairs()
    result.close()

    inside = (*(document.path for document in result.documents),)
    files = {path for path in folder.rglob("*") if path.is_file()}
    refused = {
        path for path in files if any(_is_of(problem, path, folder) for problem in result.problems)
    }
    assert files == refused | set(inside)
    for problem in result.problems:
        assert problem.detail[0].isupper()
        assert problem.detail.endswith((".", "…"))
        assert problem.name.isprintable()
    assert ROOM.taken == 0


def _is_of(problem: Problem, path: Path, folder: Path) -> bool:
    """Whether a problem is that of a file, or of something inside of it."""
    name = path.relative_to(folder).as_posix()
    return problem.name == name or problem.name.startswith(f"{name}/")


def test_they_are_the_same_every_time(written, tmp_path):
    folder, names = written
    again = tmp_path / "again"
    for path in write_set(again, SMALL):
        name = path.relative_to(again).as_posix()
        assert name in names
        if not name.endswith(".gz"):  # gzip notes the time
            assert path.read_bytes() == (folder / name).read_bytes()


MUTATIONS = 40
each_reader = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.kind)


def seeds_of(reader):
    """The suffix and the bytes of each file that this reader recognises, by its name."""
    seeds = {name: (Path(name).suffix, data) for name, data in SEEDS.items()}
    return {
        name: (suffix, data)
        for name, (suffix, data) in seeds.items()
        if reader_for(data, suffix) is reader
    }


def read(suffix, data):
    """All texts in a file."""
    return "\n".join(texts_in(data, Reading(suffix=suffix, passwords=("ferry",))))


@each_reader
def test_a_seed_is_read(reader):
    seeds = seeds_of(reader)
    assert seeds, "tests/bench/fuzz_seeds.py has no document of this format: add one"
    for name, seed in seeds.items() if reader.isolated else [*seeds.items()][:1]:
        if name in REFUSED:
            assert re.search(r"password|not read", problem_of(read, *seed).detail)
            continue
        words = set(read(*seed).replace(".", " ").split())
        assert {"ferry", "Fluß", "c"} & words, name


@each_reader
def test_mutations_raise_nothing_unplanned(reader):
    seeds = sorted(seeds_of(reader).values())
    refusals = []
    for number in range(MUTATIONS):
        random = Random(f"{reader.kind} {number}")
        suffix, data = random.choice(seeds)
        try:
            read(suffix, mutated(data, random)).encode()
        except UnreadableError as refusal:
            refusals.append(refusal.detail)
    assert all(sentence.endswith(".") for sentence in refusals)


GENEROUS = ReadingSettings(archives=True, passwords=("ferry",))
TIGHT = {"characters": 3, "memory_bytes": 160}


def failures(suffix, data, settings):
    pieces = extract(data, reading_of(settings, suffix))
    return [piece for piece in pieces if isinstance(piece, Failure)]


@pytest.mark.parametrize("limit", TIGHT)
@each_reader
def test_who_meets_a_limit_names_it(reader, limit):
    tight = replace(GENEROUS, limits=replace(GENEROUS.limits, **{limit: TIGHT[limit]}))
    for name, seed in seeds_of(reader).items():
        generous_failures = failures(*seed, GENEROUS)
        for failure in failures(*seed, tight):
            assert failure in generous_failures or failure.limit == limit, (name, failure)
