"""Files that hold several documents: names, problems, depth, and rescans."""

from __future__ import annotations

import io
import os
import zipfile
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest

from core.documents import (
    ProblemCode,
    ReadDocument,
    ReaderProcesses,
    ReadingLimits,
    ReadingSettings,
    find_documents,
    read_file,
)
from core.documents.extraction import extract
from core.documents.readers import Reading
from core.scan.flow import scan
from core.settings import ScanSettings

OPENED = ReadingSettings(archives=True)
SETTINGS = ScanSettings(k=2)
WORDS = "the lock keeper wrote down every boat that passed before noon "


def zipped(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def mail(subject: str, body: str, **attachments: bytes) -> bytes:
    message = EmailMessage()
    message["Subject"] = subject
    message["From"] = "keeper@example.org"
    message["To"] = "clerk@example.org"
    message["Date"] = "Mon, 02 Nov 2026 10:00:00 +0000"
    message.set_content(body)
    for name, data in attachments.items():
        message.add_attachment(data, "application", "octet-stream", filename=name)
    return message.as_bytes()


def read_all(folder: Path, settings: ReadingSettings = OPENED):
    """Texts by name, and codes of problems by name."""
    found, _ = find_documents([folder])
    with ReaderProcesses(settings) as processes:
        results = [result for file in found for result in read_file(file, processes)]
    texts = {one.document.name: one.text for one in results if isinstance(one, ReadDocument)}
    problems = {one.name: one.code for one in results if not isinstance(one, ReadDocument)}
    return texts, problems


def test_a_mail_and_its_attachments_are_documents(tmp_path):
    attached = {"a.txt": b"first", "page.html": b"<html><p>second", "x.bin": bytes(range(256)) * 9}
    (tmp_path / "m.eml").write_bytes(mail("Boats", "Two of them.", **attached))

    texts, problems = read_all(tmp_path)

    assert texts == {
        "m.eml": "Boats\n\nTwo of them.",
        "m.eml/a.txt": "first",
        "m.eml/page.html": "second",
    }
    assert problems == {"m.eml/x.bin": ProblemCode.BINARY}


def test_the_attachments_of_a_mail_without_text_are_read(tmp_path):
    (tmp_path / "m.eml").write_bytes(mail("", "", a=b"first"))

    assert read_all(tmp_path) == ({"m.eml/a": "first"}, {"m.eml": ProblemCode.EMPTY})


def test_an_archive_is_a_folder_when_it_is_asked_for(tmp_path):
    (tmp_path / "a.zip").write_bytes(zipped(**{"x/one.txt": b"one", "two.eml": mail("S", "two")}))

    assert read_all(tmp_path, ReadingSettings()) == ({}, {"a.zip": ProblemCode.ARCHIVE})
    assert read_all(tmp_path) == ({"a.zip/x/one.txt": "one", "a.zip/two.eml": "S\n\ntwo"}, {})


def test_archives_are_opened_one_level_deep(tmp_path):
    inner = zipped(**{"deep.txt": b"deep"})
    (tmp_path / "a.zip").write_bytes(zipped(**{"b.zip": inner, "c.eml": mail("S", "t", b=inner)}))

    texts, problems = read_all(tmp_path)

    assert set(texts) == {"a.zip/c.eml"}
    assert problems == {
        "a.zip/b.zip": ProblemCode.UNSUPPORTED,
        "a.zip/c.eml/b": ProblemCode.UNSUPPORTED,
    }


def test_mails_in_mails_end_somewhere(tmp_path):
    data = b"innermost words"
    for depth in range(9):
        message = EmailMessage()
        message["Subject"], message["From"] = f"Level {depth}", "a@example.org"
        message.set_content(f"body {depth}")
        message.add_attachment(data, "application", "octet-stream", filename=f"{depth}.eml")
        data = message.as_bytes()
    (tmp_path / "m.eml").write_bytes(data)

    texts, problems = read_all(tmp_path)

    assert len(texts) == 6
    assert list(problems.values()) == [ProblemCode.TOO_DEEP]


def test_names_inside_are_shown_on_one_line_and_stay_different(tmp_path):
    (tmp_path / "a.zip").write_bytes(
        zipped(**{"../up.txt": b"one", "new\nline.txt": b"two", "/root.txt": b"three"})
    )

    texts, problems = read_all(tmp_path)

    assert not problems
    assert sorted(texts.values()) == ["one", "three", "two"]
    assert all("\n" not in name and name.startswith("a.zip/") for name in texts)


def test_names_that_are_alike_are_numbered():
    message = EmailMessage()
    for name in ("a (2).txt", "a.txt", "a.txt", "a.txt", "a (2).txt", "a", "a"):
        message.add_attachment(name.encode(), "text", "plain", filename=name)
    head = b"From: a\nSubject: b\nDate: c\n"

    results = list(extract(head + message.as_bytes(), Reading(suffix=".eml")))

    assert [one.part for one in results[1:]] == [
        "a (2).txt",
        "a.txt",
        "a (3).txt",
        "a (4).txt",
        "a (2) (2).txt",
        "a",
        "a (2)",
    ]


@pytest.fixture
def opened(monkeypatch):
    """The names of the files that are opened from here on."""
    names = []
    real = os.open

    def open_and_note(path, flags, *arguments, **options):
        names.append(Path(os.fsdecode(path)).name)
        return real(path, flags, *arguments, **options)

    monkeypatch.setattr("os.open", open_and_note)
    return names


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.zip").write_bytes(
        zipped(one=(WORDS * 3 + "a").encode(), two=(WORDS * 3 + "b").encode())
    )
    (tmp_path / "m.eml").write_bytes(mail("Boats", WORDS, copy=(WORDS * 3 + "c").encode()))
    return tmp_path


def names_of(result) -> list[str]:
    return [document.name for document in result.documents]


def test_parts_are_compared_and_kept_over_a_rescan(folder, opened):
    first = scan([folder], SETTINGS, reading=OPENED)
    assert names_of(first) == ["a.zip/one", "a.zip/two", "m.eml", "m.eml/copy"]
    assert len(first.pairs()) == 6
    opened.clear()

    again = scan([folder], SETTINGS, reading=OPENED, previous=first.state)

    assert not {"a.zip", "m.eml"} & set(opened)
    assert list(again.documents) == list(first.documents)
    assert list(again.texts) == list(first.texts)
    for one in (first, again):
        one.close()


def test_archives_that_are_not_opened_any_more_stay_as_they_were_read(folder):
    first = scan([folder], SETTINGS, reading=OPENED)

    again = scan([folder], SETTINGS, previous=first.state)

    there = [one.name for one in again.documents if one.absence is None]
    assert there == ["m.eml", "m.eml/copy"]
    missing = {one.name: one.absence.kind for one in again.documents if one.absence}
    assert missing == {"a.zip/one": "not read", "a.zip/two": "not read"}
    assert again.changes.not_read == ("a.zip",)
    assert [problem.code for problem in again.problems] == [ProblemCode.ARCHIVE]
    for one in (first, again):
        one.close()


def test_a_mailbox_is_not_read_again_where_archives_stay_closed(tmp_path):
    box = b"".join(
        b"From a@example.org Mon Nov  2 10:00:00 2026\n" + mail(f"S{i}", WORDS) + b"\n"
        for i in range(3)
    )
    (tmp_path / "box.mbox").write_bytes(box)
    first = scan([tmp_path], SETTINGS)
    assert len(first.documents) == 3

    again = scan([tmp_path], SETTINGS, previous=first.state)

    assert list(again.documents) == list(first.documents)
    for one in (first, again):
        one.close()


def test_a_container_with_a_problem_inside_is_tried_again(tmp_path, opened):
    (tmp_path / "m.eml").write_bytes(mail("Boats", WORDS, copy=b"\0\1\2" * 99))
    first = scan([tmp_path], SETTINGS)
    assert [problem.name for problem in first.problems] == ["m.eml/copy"]
    opened.clear()

    again = scan([tmp_path], SETTINGS, previous=first.state)

    assert "m.eml" in opened
    assert names_of(again) == names_of(first) == ["m.eml"]
    assert again.problems == first.problems
    for one in (first, again):
        one.close()


def test_a_file_that_was_renamed_takes_its_parts_along(folder):
    first = scan([folder], SETTINGS, reading=OPENED)
    moved = [replace(one, name="old/" + one.name) for one in first.documents]

    again = scan([folder], SETTINGS, reading=OPENED, previous=first.state._replace(documents=moved))

    assert names_of(again) == names_of(first)
    for one in (first, again):
        one.close()


def test_an_attachment_that_was_saved_as_a_file_is_a_file(tmp_path, opened):
    page = f"<p>{WORDS * 4}".encode()
    attached = {"page.html": page, "odd.pdf": b"<html>" + page}
    (tmp_path / "m.eml").write_bytes(mail("Boats", WORDS * 3, **attached))
    result = scan([tmp_path], SETTINGS)
    result.close()
    (tmp_path / "saved.html").write_bytes(page)
    (tmp_path / "odd.htm").write_bytes(b"<html>" + page)

    again = scan([tmp_path], SETTINGS, previous=result.state)
    again.close()
    fresh = scan([tmp_path], SETTINGS)
    fresh.close()

    assert again.documents == fresh.documents
    opened.clear()
    scan([tmp_path], SETTINGS, previous=again.state).close()
    assert opened == []


def test_a_remark_on_one_document_has_its_whole_file_read_again(tmp_path):
    attached = {"a.txt": WORDS.encode() * 2, "odd.pdf": f"<html><p>{WORDS * 5}".encode()}
    (tmp_path / "m.eml").write_bytes(mail("Boats", WORDS * 3, **attached))
    result = scan([tmp_path], SETTINGS)
    result.close()
    names = names_of(result)

    other = ReadingSettings(limits=ReadingLimits(pages=7))
    again = scan([tmp_path], SETTINGS, reading=other, previous=result.state)
    again.close()

    assert names == ["m.eml", "m.eml/a.txt", "m.eml/odd.pdf"]
    assert names_of(again) == names


def test_a_review_keeps_what_came_from_archives(folder):
    first = scan([folder], SETTINGS, reading=OPENED)
    reviewed = first.state._replace(reading=None)

    again = scan([folder], SETTINGS, previous=reviewed)
    once_more = scan([folder], SETTINGS, previous=again.state)

    assert names_of(once_more) == names_of(again) == names_of(first)
    assert not once_more.problems
    for one in (first, again, once_more):
        one.close()
