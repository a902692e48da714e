"""One essay in several formats, renamed or converted, is one text; and stays who it is."""

import hashlib
import sqlite3
import textwrap
from contextlib import closing
from email.message import EmailMessage

import pytest

from core.documents.model import Document, DocumentKey, Documents
from core.documents.reading_settings import ReadingSettings
from core.evidence.overlap import figures_of
from core.review import open_review, save_review
from core.review.rows import members_of, packed_list
from core.scan.flow import scan
from core.settings import ScanSettings
from tests import pdfs
from tests.archives import OPEN, office, zipped
from tests.reviews import state_in
from tests.texts import folder_with

PARAGRAPHS = (
    "The well-known café at the harbour opened in 1912 and, as people say, never closed again.",
    "Its owner wrote “letters” to every guest; most of the correspondence was lost in the flood.",
    "Straightforwardness was not what he was remembered for, but the coffee was excellent.",
)
SETTINGS = ScanSettings(k=3)
WORD = f"{OPEN}/wordprocessingml/2006/main"


def docx(paragraphs):
    body = "".join(f"<w:p><w:r><w:t>{paragraph}</w:t></w:r></w:p>" for paragraph in paragraphs)
    text = f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    return office("word/document.xml", {"word/document.xml": text})


def pdf(paragraphs):
    """Lines of 60 characters, some of which end in a hyphen."""
    lines = [line for paragraph in paragraphs for line in (*textwrap.wrap(paragraph, 60), "")]
    return pdfs.pdf(pdfs.lines_at(50, 700, lines))


def rtf(paragraphs):
    body = r"\par ".join(paragraphs).encode("cp1252").decode("latin-1")
    return (r"{\rtf1\ansi\ansicpg1252 " + body + "}").encode("latin-1")


def html(paragraphs):
    return "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs).encode()


FORMATS = {
    "txt": lambda paragraphs: "\r\n\r\n".join(paragraphs).encode(),
    "docx": docx,
    "pdf": pdf,
    "rtf": rtf,
    "html": html,
}


@pytest.fixture
def folder(tmp_path):
    return folder_with(tmp_path / "docs")


def write(folder, name, paragraphs=PARAGRAPHS):
    (folder / name).write_bytes(FORMATS[name.rpartition(".")[2]](paragraphs))


def scanned(folder, previous=None):
    result = scan([folder], SETTINGS, previous=previous)
    result.list_pairs()
    result.close()
    return result


def test_an_essay_is_the_same_text_in_every_format(folder):
    for suffix in FORMATS:
        write(folder, f"essay.{suffix}")
    write(folder, "other.txt", PARAGRAPHS[:2])

    documents = scanned(folder).documents
    assert len(documents) == len(FORMATS) + 1
    hashes = {document.name: document.text_hash for document in documents}
    assert len({len(value) for value in hashes.values()}) == 1
    assert len(set(hashes.values())) == 2
    assert len({document.file_hash for document in documents}) == len(documents)


@pytest.mark.parametrize("k", [1, 5])
def test_no_setting_of_a_scan_is_in_it(folder, k):
    write(folder, "essay.txt")
    other_settings = ScanSettings(
        k=k, unit="char", ignore_case=False, keep_digits=False, white_space="collapse"
    )
    results = [scan([folder], settings) for settings in (SETTINGS, other_settings)]
    first, second = (result.documents[0].text_hash for result in results)
    for result in results:
        result.close()
    assert first == second


@pytest.mark.parametrize("now", ["sub/essay.docx", "essay.pdf", "final version.rtf"])
def test_what_was_renamed_moved_or_converted_is_the_same_document(folder, now):
    write(folder, "essay.docx")
    write(folder, "other.txt", PARAGRAPHS[1:])
    review = folder.parent / "a.neardup"
    before = scanned(folder).state
    save_review(review, before)
    ids = {document.name: number for number, document in document_ids(review)}
    key = DocumentKey.of(before.documents[0])
    (folder / "essay.docx").unlink()
    (folder / "sub").mkdir()
    write(folder, now)

    with open_review(review) as opened:
        result = scanned(folder, previous=opened.state)
        save_review(review, result.state)
    assert [document.absence for document in result.documents] == [None, None]
    assert result.changes.moved == (("essay.docx", now),)
    assert (result.changes.added, result.changes.gone) == ((), ())
    assert {document.name: number for number, document in document_ids(review)} == {
        now: ids["essay.docx"],
        "other.txt": ids["other.txt"],
    }
    number = Documents(result.documents).number_of(key)
    assert result.documents[number].name == now


def document_ids(review):
    """The ids in a review, with the documents."""

    with open_review(review) as opened, closing(sqlite3.connect(review)) as connection:
        by_name = {document.name.encode(): document for document in opened.state.documents}
        rows = connection.execute("SELECT id, name FROM documents").fetchall()
        return [(number, by_name[name]) for number, name in rows]


def test_a_file_that_was_written_anew_stays_at_its_place(folder):
    write(folder, "essay.txt")
    write(folder, "other.txt", PARAGRAPHS[1:])
    before = scanned(folder).state
    (folder / "essay.txt").write_text("  ".join(PARAGRAPHS).upper())
    result = scanned(folder, previous=before)
    assert result.changes.changed == ("essay.txt",)
    assert result.changes.moved == ()
    assert result.documents[0].text_hash == before.documents[0].text_hash


def test_another_text_at_a_place_has_changed_by_so_much(folder):
    write(folder, "essay.txt")
    before = scanned(folder).state
    write(folder, "essay.txt", (*PARAGRAPHS[:2], "Nobody remembers."))
    after = scanned(folder, previous=before).state
    assert before.documents[0].text_hash != after.documents[0].text_hash
    same = figures_of(before.texts[0], after.texts[0], SETTINGS).resemblance
    assert 0.5 < same < 0.9
    # By hand: sets of three words in a row.
    before_shingles, two = (shingles(state.texts[0]) for state in (before, after))
    assert same == pytest.approx(len(before_shingles & two) / len(before_shingles | two))


def shingles(text):
    words = "".join(
        character if character.isalnum() else " " for character in text.casefold()
    ).split()
    return set(zip(words, words[1:], words[2:], strict=False))


def test_a_document_is_found_by_its_key(folder):
    write(folder, "a.txt")
    write(folder, "b.docx")
    write(folder, "c.txt", PARAGRAPHS[1:])
    documents = scanned(folder).documents
    _, b, c = documents
    index = Documents(documents)
    assert [index.number_of(DocumentKey.of(document)) for document in documents] == [0, 1, 2]
    renamed = DocumentKey.of(b)._replace(name="renamed.docx")
    assert index.number_of(renamed) == 1
    converted = renamed._replace(file="0" * 32)
    assert index.number_of(converted) == 0  # either copy has the text
    assert index.number_of(converted._replace(text="0" * 32)) is None
    assert index.number_of(DocumentKey("", c.file_hash, "c.txt")) == 2
    assert index.number_of(DocumentKey("", "0" * 32, "c.txt")) is None
    assert index.number_at("c.txt") == 2


def test_a_document_is_followed_from_one_list_to_the_next():
    def document(name, text, file="bytes"):
        return Document(f"/folder/{name}", name, 1, 1, file, "text", "", 1, text_hash=text)

    def now(name, text, *after, file="bytes"):
        before_document = document(name, text, file)
        number = Documents(after).successor_of(DocumentKey.of(before_document), Documents(before))
        return None if number is None else after[number].name

    before = [document("x.txt", "x"), document("copy.txt", "x"), document("y.txt", "y")]
    copy, y = before[1:]
    assert now("x.txt", "x", copy, document("x.txt", "x", "other"), y) == "x.txt"
    assert now("x.txt", "x", copy, document("moved/z.txt", "x"), y) == "moved/z.txt"
    assert now("x.txt", "x", document("x.docx", "x", "zip"), copy, y) == "x.docx"
    # A copy that was there before is another document: the file was edited, or is gone.
    assert now("x.txt", "x", copy, document("x.txt", "edited"), y) == "x.txt"
    assert now("x.txt", "x", copy, y) is None
    # Each took the name of the next.
    assert now("x.txt", "x", document("y.txt", "x"), document("z.txt", "y")) == "y.txt"
    assert now("y.txt", "y", document("y.txt", "x"), document("z.txt", "y")) == "z.txt"
    # A folder of copies was renamed.
    moved = [document(f"new/{name}.txt", "x") for name in ("copy", "x")]
    assert [now(name, "x", *moved) for name in ("x.txt", "copy.txt")] == [
        "new/x.txt",
        "new/copy.txt",
    ]
    assert now("y.txt", "", document("y.txt", ""), file="others") == "y.txt"


SHA256_SETTINGS = ScanSettings()
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
def sha256_folder(tmp_path):
    copies = dict.fromkeys(["a.txt", "copy.txt"], f"{WORDS} alpha")
    folder = folder_with(tmp_path / "folder", copies)
    (folder / "letter.eml").write_bytes(mail(f"{WORDS} beta", f"{WORDS} gamma"))
    (folder / "box.zip").write_bytes(zipped({"inside.txt": f"{WORDS} delta"}))
    return folder


def assert_hashed(scanned, sha256_folder):
    assert len(scanned.documents) == 5
    for document in scanned.documents:
        assert document.path.parent == sha256_folder
        assert document.sha256 == sha256(document.path)


def test_each_document_has_the_sha256_of_its_file(sha256_folder, pool):
    assert_hashed(scan([sha256_folder], SHA256_SETTINGS, reading=OPENED, pool=pool), sha256_folder)


def test_a_review_keeps_it(sha256_folder, tmp_path, pool):
    scanned = scan([sha256_folder], SHA256_SETTINGS, reading=OPENED, pool=pool)
    save_review(tmp_path / "a.neardup", scanned.state)

    assert list(state_in(tmp_path / "a.neardup").documents) == list(scanned.documents)


def test_a_file_that_was_renamed_has_the_sha256_of_its_bytes(sha256_folder, pool):
    scanned = scan([sha256_folder], SHA256_SETTINGS, reading=OPENED, pool=pool)
    (sha256_folder / "a.txt").rename(sha256_folder / "z.txt")

    assert_hashed(
        scan([sha256_folder], SHA256_SETTINGS, reading=OPENED, previous=scanned.state, pool=pool),
        sha256_folder,
    )


@pytest.fixture
def course(tmp_path):
    lasts = {"Ann/a.txt": "alpha", "Ann/b.txt": "beta", "Ben/c.txt": "gamma"}
    texts = {name: f"{WORDS} {last}" for name, last in lasts.items()}
    return folder_with(tmp_path / "course", texts)


def test_the_files_of_a_submission_have_theirs(course, tmp_path, pool):
    scanned = scan([course], SHA256_SETTINGS, reading=TOGETHER, pool=pool)
    submissions = [document for document in scanned.documents if document.members]
    assert submissions
    for submission in submissions:
        assert not submission.sha256
        for member in submission.members:
            assert member.sha256 == sha256(course / submission.name / member.name)


@pytest.mark.parametrize("value", ["<b>", "A" * 64, "a" * 63, 7, None, ["a" * 64]])
def test_a_crafted_sha256_of_a_member_is_refused(course, pool, value):
    scanned = scan([course], SHA256_SETTINGS, reading=TOGETHER, pool=pool)
    submission = next(document for document in scanned.documents if document.members)
    crafted = submission._replace(
        members=tuple(part._replace(sha256=value) for part in submission.members)
    )

    with pytest.raises((TypeError, ValueError)):
        members_of(packed_list(crafted.members), submission.characters)
