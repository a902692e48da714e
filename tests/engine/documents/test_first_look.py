"""What the main process tells of a file by itself, and that it tells no more than that."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import pytest

from core.documents import FoundFile, ReadDocument, ReaderProcesses, ReadingSettings, read_file
from core.documents.readers import UnreadableError
from core.documents.recognition import archive_at_sight, is_plain_text, refuse_at_sight

SENTENCE = "The keeper of the lighthouse climbed the stairs. "


def packed(name: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, SENTENCE)
    return buffer.getvalue()


def tarred(form: int = tarfile.PAX_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as archive:
        archive.addfile(tarfile.TarInfo("a.txt"))
    return buffer.getvalue()


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
        (".txt", packed("a.txt")),
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
        (".txt", tarred()),
        (".txt", tarred(tarfile.GNU_FORMAT)),
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
        (".zip", packed("a.txt"), "zip"),
        (".tar", tarred(), "tar"),
        (".tgz", gzip.compress(tarred()), "compressed"),
        (".bz2", bz2.compress(b"a"), "compressed"),
        (".xz", lzma.compress(b"a"), "compressed"),
        (".eml", b"From: a@b\n\ntext", None),
        (".mbox", b"From a@b Mon Jan  1 00:00:00 2001\nFrom: a@b\n\ntext", None),
    ],
)
def test_an_archive_is_told_from_a_mailbox(name, data, kind):
    archive = archive_at_sight(data, name)

    assert (archive.kind if archive else None) == kind


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
    with pytest.raises(UnreadableError, match=sentence):
        refuse_at_sight(data, name, ocr=False)


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
def test_what_may_be_read_is_not_refused_at_sight(name, data):
    refuse_at_sight(data, name, ocr=False)


def test_a_picture_goes_to_a_process_where_its_text_is_asked_for():
    refuse_at_sight(b"\xff\xd8\xff\xe0", ".jpg", ocr=True)


@pytest.mark.parametrize("name", ["a.doc", "a.zip", "a.html", "a.txt", "a"])
def test_the_main_process_looks_into_no_file(tmp_path, monkeypatch, name):
    """Not even to tell what it is: whatever does that is broken here, and works in the process."""
    path = tmp_path / name
    path.write_bytes(f"<!doctype html><p>{SENTENCE}</p>".encode())

    def fail(*_arguments):
        raise AssertionError("a reader looked into a file in the main process")

    for where in ("core.documents.recognition.reader_for", "zipfile.ZipFile", "zlib.decompressobj"):
        monkeypatch.setattr(where, fail)
    with ReaderProcesses(ReadingSettings()) as processes:
        (result,) = read_file(FoundFile(str(path), name, 0, 0), processes)

    assert isinstance(result, ReadDocument)
    assert result.document.kind == "html"
    assert result.text == SENTENCE.strip()
