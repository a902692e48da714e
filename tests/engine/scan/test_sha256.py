"""The SHA-256 of each file: taken as it is read, kept by the review."""

import hashlib
import sqlite3
import zipfile
from contextlib import closing
from dataclasses import replace
from email.message import EmailMessage

import pytest

from core.documents.reading_settings import ReadingSettings
from core.errors import ReviewError
from core.review import open_review, save_review
from core.review.rows import DocumentRow, members_of, packed_members
from core.scan.flow import scan
from core.settings import ScanSettings

SETTINGS = ScanSettings()
OPENED = ReadingSettings(archives=True)
TOGETHER = ReadingSettings(submissions=True)
WORDS = "one two three four five six seven eight nine ten eleven twelve"


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def mail(body, attached):
    message = EmailMessage()
    message["Subject"] = "A letter"
    message.set_content(body)
    message.add_attachment(attached, filename="notes.txt")
    return message.as_bytes()


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "folder"
    place.mkdir()
    (place / "a.txt").write_text(f"{WORDS} alpha", encoding="utf-8")
    (place / "copy.txt").write_text(f"{WORDS} alpha", encoding="utf-8")
    (place / "letter.eml").write_bytes(mail(f"{WORDS} beta", f"{WORDS} gamma"))
    with zipfile.ZipFile(place / "box.zip", "w") as box:
        box.writestr("inside.txt", f"{WORDS} delta")
    return place


def assert_hashed(found, folder):
    assert len(found.documents) == 5
    for one in found.documents:
        assert one.path.parent == folder
        assert one.sha256 == sha256(one.path)


def test_each_document_has_the_sha256_of_its_file(folder, pool):
    assert_hashed(scan([folder], SETTINGS, reading=OPENED, pool=pool), folder)


def test_a_review_keeps_it(folder, tmp_path, pool):
    found = scan([folder], SETTINGS, reading=OPENED, pool=pool)
    save_review(tmp_path / "a.neardup", found.state)

    with open_review(tmp_path / "a.neardup") as review:
        assert list(review.state.documents) == list(found.documents)


def test_a_file_that_was_renamed_has_the_sha256_of_its_bytes(folder, pool):
    found = scan([folder], SETTINGS, reading=OPENED, pool=pool)
    (folder / "a.txt").rename(folder / "z.txt")

    assert_hashed(scan([folder], SETTINGS, reading=OPENED, previous=found.state, pool=pool), folder)


@pytest.fixture
def course(tmp_path):
    place = tmp_path / "course"
    for name, last in (("Ann/a.txt", "alpha"), ("Ann/b.txt", "beta"), ("Ben/c.txt", "gamma")):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(f"{WORDS} {last}", encoding="utf-8")
    return place


def test_the_files_of_a_submission_have_theirs(course, tmp_path, pool):
    found = scan([course], SETTINGS, reading=TOGETHER, pool=pool)
    submissions = [one for one in found.documents if one.members]
    assert submissions
    for one in submissions:
        assert not one.sha256
        for member in one.members:
            assert member.sha256 == sha256(course / one.name / member.name)


@pytest.mark.parametrize("value", ["<b>", "A" * 64, "a" * 63, 7, None, ["a" * 64]])
def test_a_crafted_sha256_of_a_member_is_refused(course, pool, value):
    found = scan([course], SETTINGS, reading=TOGETHER, pool=pool)
    one = next(one for one in found.documents if one.members)
    crafted = replace(one, members=tuple(part._replace(sha256=value) for part in one.members))

    with pytest.raises((TypeError, ValueError)):
        members_of(packed_members(crafted), one.characters)


@pytest.mark.parametrize("value", [b"<b>", b"a" * 64, b"x" * 31, b"x" * 1000])
def test_a_crafted_sha256_refuses_the_review(folder, tmp_path, pool, value):
    path = tmp_path / "a.neardup"
    save_review(path, scan([folder], SETTINGS, pool=pool).state)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE documents SET sha256 = ?", (value,))
        for row in list(
            connection.execute(f"SELECT {', '.join(DocumentRow._fields)} FROM documents")
        ):
            checksum = DocumentRow(*row).checksum
            connection.execute("UPDATE documents SET checksum = ? WHERE id = ?", (checksum, row[0]))

    with pytest.raises(ReviewError, match="damaged"), open_review(path):
        pass
