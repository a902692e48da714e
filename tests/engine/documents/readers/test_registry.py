"""What the program knows of a format stands with its reader, and is there for every one."""

import ast
import os
import re
import sys
import tomllib
from collections import Counter
from email.message import EmailMessage
from itertools import chain
from pathlib import Path

import pytest

from core.documents.discovery import find_documents
from core.documents.extraction import extract
from core.documents.isolation.processes import ReaderProcesses
from core.documents.model import ProblemCode, ReadDocument, UnreadableError
from core.documents.problems import page_words
from core.documents.readers import PAGES, SHEETS, SLIDES, Reading
from core.documents.readers.shared.story import FaintText
from core.documents.readers.shared.xml import Handler, parse_xml
from core.documents.reading import read_file
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.documents.recognition import READERS, reader_for, reader_of
from core.settings import ScanSettings
from neardup_gui.models.compare.side import Origin
from tests.archives import zipped
from tests.bench.fuzz_seeds import SEEDS
from tests.programs import ROOT

OPENED = ReadingSettings(archives=True)
SETTINGS = ScanSettings(k=2)
WORDS = "the lock keeper wrote down every boat that passed before noon "


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
    files, _ = find_documents([folder])
    with ReaderProcesses(settings) as processes:
        results = [result for file in files for result in read_file(file, processes)]
    texts = {
        result.document.name: result.text for result in results if isinstance(result, ReadDocument)
    }
    problems = {
        result.name: result.code for result in results if not isinstance(result, ReadDocument)
    }
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
    (tmp_path / "a.zip").write_bytes(zipped({"x/one.txt": b"one", "two.eml": mail("S", "two")}))

    assert read_all(tmp_path, ReadingSettings()) == ({}, {"a.zip": ProblemCode.ARCHIVE})
    assert read_all(tmp_path) == ({"a.zip/x/one.txt": "one", "a.zip/two.eml": "S\n\ntwo"}, {})


def test_archives_are_opened_one_level_deep(tmp_path):
    inner = zipped({"deep.txt": b"deep"})
    (tmp_path / "a.zip").write_bytes(zipped({"b.zip": inner, "c.eml": mail("S", "t", b=inner)}))

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
        zipped({"../up.txt": b"one", "new\nline.txt": b"two", "/root.txt": b"three"})
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

    assert [result.part for result in results[1:]] == [
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
    (tmp_path / "a.zip").write_bytes(zipped({"one": WORDS * 3 + "a", "two": WORDS * 3 + "b"}))
    (tmp_path / "m.eml").write_bytes(mail("Boats", WORDS, copy=(WORDS * 3 + "c").encode()))
    return tmp_path


def names_of(result) -> list[str]:
    return [document.name for document in result.documents]


def test_parts_are_compared_and_kept_over_a_rescan(folder, opened, open_scan):
    first = open_scan([folder], SETTINGS, reading=OPENED)
    assert names_of(first) == ["a.zip/one", "a.zip/two", "m.eml", "m.eml/copy"]
    assert len(first.pairs()) == 6
    opened.clear()

    again = open_scan([folder], SETTINGS, reading=OPENED, previous=first.state)

    assert not {"a.zip", "m.eml"} & set(opened)
    assert list(again.documents) == list(first.documents)
    assert list(again.texts) == list(first.texts)


def test_archives_that_are_not_opened_any_more_stay_as_they_were_read(folder, open_scan):
    first = open_scan([folder], SETTINGS, reading=OPENED)

    again = open_scan([folder], SETTINGS, previous=first.state)

    present = [document.name for document in again.documents if document.absence is None]
    assert present == ["m.eml", "m.eml/copy"]
    missing = {
        document.name: document.absence.kind for document in again.documents if document.absence
    }
    assert missing == {"a.zip/one": "not read", "a.zip/two": "not read"}
    assert again.changes.not_read == ("a.zip",)
    assert [problem.code for problem in again.problems] == [ProblemCode.ARCHIVE]


def test_a_mailbox_is_not_read_again_where_archives_stay_closed(tmp_path, open_scan):
    box = b"".join(
        b"From a@example.org Mon Nov  2 10:00:00 2026\n" + mail(f"S{i}", WORDS) + b"\n"
        for i in range(3)
    )
    (tmp_path / "box.mbox").write_bytes(box)
    first = open_scan([tmp_path], SETTINGS)
    assert len(first.documents) == 3

    again = open_scan([tmp_path], SETTINGS, previous=first.state)

    assert list(again.documents) == list(first.documents)


def test_a_container_with_a_problem_inside_is_tried_again(tmp_path, opened, open_scan):
    (tmp_path / "m.eml").write_bytes(mail("Boats", WORDS, copy=b"\0\1\2" * 99))
    first = open_scan([tmp_path], SETTINGS)
    assert [problem.name for problem in first.problems] == ["m.eml/copy"]
    opened.clear()

    again = open_scan([tmp_path], SETTINGS, previous=first.state)

    assert "m.eml" in opened
    assert names_of(again) == names_of(first) == ["m.eml"]
    assert again.problems == first.problems


def test_a_file_that_was_renamed_takes_its_parts_along(folder, open_scan):
    first = open_scan([folder], SETTINGS, reading=OPENED)
    moved = [document._replace(name="old/" + document.name) for document in first.documents]

    again = open_scan(
        [folder], SETTINGS, reading=OPENED, previous=first.state._replace(documents=moved)
    )

    assert names_of(again) == names_of(first)


def test_an_attachment_that_was_saved_as_a_file_is_a_file(tmp_path, opened, open_scan):
    page = f"<p>{WORDS * 4}".encode()
    attached = {"page.html": page, "odd.pdf": b"<html>" + page}
    (tmp_path / "m.eml").write_bytes(mail("Boats", WORDS * 3, **attached))
    result = open_scan([tmp_path], SETTINGS)
    (tmp_path / "saved.html").write_bytes(page)
    (tmp_path / "odd.htm").write_bytes(b"<html>" + page)

    again = open_scan([tmp_path], SETTINGS, previous=result.state)
    fresh = open_scan([tmp_path], SETTINGS)

    assert again.documents == fresh.documents
    opened.clear()
    open_scan([tmp_path], SETTINGS, previous=again.state)
    assert opened == []


def test_a_remark_on_one_document_has_its_file_read_again(tmp_path, open_scan):
    attached = {"a.txt": WORDS.encode() * 2, "odd.pdf": f"<html><p>{WORDS * 5}".encode()}
    (tmp_path / "m.eml").write_bytes(mail("Boats", WORDS * 3, **attached))
    result = open_scan([tmp_path], SETTINGS)
    names = names_of(result)

    other_reading = ReadingSettings(limits=ReadingLimits(seconds=77))
    again = open_scan([tmp_path], SETTINGS, reading=other_reading, previous=result.state)

    assert names == ["m.eml", "m.eml/a.txt", "m.eml/odd.pdf"]
    assert names_of(again) == names


def test_a_passage_goes_on_over_what_is_written_in_several_pieces():
    faint = FaintText()

    shown = [faint.add(piece, is_tiny=False) for piece in (" ", "no", "body", " ", "sees")]
    faint.end()
    shown.append(faint.add("this", is_tiny=False))

    assert shown == [" ", " ", "", " ", "", " "]
    assert faint.after("seen") == "seen\n\nnobody sees this"
    assert (faint.passages, faint.letters) == (2, 0)


def test_nothing_faint_changes_nothing():
    assert FaintText().after("text") == "text"


class Collected(Handler):
    """All characters."""

    def __init__(self):
        self.pieces = []

    def text(self, text):
        self.pieces.append(text)


def text_of(data):
    collected = Collected()
    parse_xml(data, collected, Reading())
    return "".join(collected.pieces)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", "Паром ходит"),
        ("UTF-16", "Паром ходит"),
        ("iso-8859-1", "Fähre"),
        ("us-ascii", "ferry"),
        ("windows-1251", "Паром ходит"),
        ("koi8-r", "Паром ходит"),
        ("gb2312", "渡轮每天两班"),
        ("Shift_JIS", "船は一日二回"),
        ("euc-kr", "배는 하루에"),
    ],
)
def test_declared_encodings(encoding, text):
    data = f'<?xml version="1.0" encoding="{encoding}"?><p>{text}</p>'.encode(encoding)
    assert text_of(data) == text


@pytest.mark.parametrize("encoding", ["x-none", "hex", "idna", "utf8", "unicode_escape"])
def test_an_unknown_declared_encoding_is_detected_from_the_bytes(encoding):
    data = f'<?xml version="1.0" encoding="{encoding}"?><p>Паром ходит</p>'.encode()
    assert text_of(data) == "Паром ходит"


def test_a_declaration_that_contradicts_the_bytes_is_not_believed():
    data = '<?xml version="1.0" encoding="gb2312"?><p>渡轮每天两班</p>'.encode("utf-16")
    assert text_of(data) == "渡轮每天两班"


def test_bytes_of_no_encoding_are_refused():
    data = b'<?xml version="1.0" encoding="x-none"?><p>\0\1\2\x81\0\0\3</p>'
    with pytest.raises(UnreadableError, match=r"no text|damaged"):
        text_of(data)


SHARED = {".pot", ".xml"}  # a text, unless its content says otherwise
each_reader = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.kind)


def test_kinds_and_labels_are_of_one_reader_only():
    assert len({reader.kind for reader in READERS}) == len(READERS)
    assert len({reader.label for reader in READERS}) == len(READERS)
    assert all(reader_of(reader.kind) is reader for reader in READERS)
    assert reader_of("of another version") is None


# Of all others the content decides.
BY_NAME = {".txt", ".md", ".rst", ".tex", ".csv", ".ipynb", ".html", ".eml", ".mbox", ".mhtml"}


@pytest.mark.parametrize("name", [name for name in SEEDS if Path(name).suffix not in BY_NAME])
def test_the_content_decides_not_the_name(name):
    reader = reader_for(SEEDS[name], Path(name).suffix)

    assert reader.kind != "text"
    for suffix in ("", ".docx", ".epub", ".html", ".pdf", ".txt", ".xml", ".zip"):
        assert reader_for(SEEDS[name], suffix) is reader, suffix


def test_a_suffix_is_of_one_reader_only():
    # One has those of what it locks.
    readers = [reader for reader in READERS if reader.kind != "office"]
    count = Counter(chain.from_iterable(reader.suffixes for reader in readers))
    assert {suffix for suffix in count if count[suffix] > 1} == SHARED


@each_reader
def test_a_reader_has_all_that_is_asked_for(reader):
    assert re.fullmatch("[a-z0-9]{2,20}", reader.kind)  # it is stored
    assert re.fullmatch("an? .*[^.]", reader.label)
    assert reader.suffixes
    assert all(re.fullmatch(r"\.[a-z0-9+#_~-]+", suffix) for suffix in reader.suffixes)
    assert reader.read or reader.parts
    assert bool(reader.short_label) == bool(reader.read and reader.kind != "text")
    assert reader.pages in (PAGES, SLIDES, SHEETS)
    assert not (reader.is_archive and reader.read)
    assert reader.has_scans or not reader.is_picture


@each_reader
def test_a_document_is_described_in_the_words_of_its_reader(reader):
    shown = Origin(reader.kind).describe(3, 2)
    assert shown.startswith(reader.short_label)
    assert shown.endswith(f"{page_words(reader.kind).cite(2, 2)} of 3")
    assert Origin(reader.kind).describe(1, 1).endswith(", 1 page") == reader.is_paged


def test_a_format_of_another_version_is_named_by_its_kind():
    assert Origin("djvu").describe(3, 2) == "djvu, p. 2 of 3"


def test_libraries_are_named_and_declared():
    """A confined process finds no library by itself; a program that is installed may lack it."""
    imported = set()
    for path in (ROOT / "core" / "documents" / "readers").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            imported |= {name.partition(".")[0] for name in names}
    # xxhash is there before a process is confined: the file itself is hashed with it.
    foreign = imported - sys.stdlib_module_names - {"core", "xxhash"}
    named = {module.partition(".")[0] for reader in READERS for module in reader.libraries}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {
        re.match("[A-Za-z0-9_-]+", requirement)[0] for requirement in project["dependencies"]
    }
    modules = {"pillow": "PIL", "pi-heif": "pi_heif"}

    assert foreign == named
    assert named <= {modules.get(name, name.removesuffix("-tool")) for name in declared}
