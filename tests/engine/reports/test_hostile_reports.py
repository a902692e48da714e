"""Hostile strings go through every format, and come back as what they are: text."""

import csv
import json
import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from core.base.wording import printable_name
from core.reports.formats import EXPORTS
from tests.engine.reports.hostile import HOSTILE, SCRIPTS, SEEN, VERY_LONG, make_report, tame

ENDINGS = [export.endings[0] for export in EXPORTS]
# Control characters but tab and line end, halves of pairs, and what no character is: XML and HTML
# forbid them, and spreadsheets and terminals stumble.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
TAME = [tame(number) for number in range(len(HOSTILE))]


@pytest.fixture
def written(tmp_path):
    """Writes a report in a format and reads it."""

    def write(ending, report):
        path = tmp_path / f"report{ending}"
        (export,) = (export for export in EXPORTS if export.endings[0] == ending)
        export.load()(path, report)
        return read(path)

    return write


def squeezed(text):
    """Without white space: lines are broken in one format as they are not in another."""
    return "".join(text.split())


def missing(strings, content):
    """The strings that are not among the words."""
    words = squeezed(" ".join(content.words))
    return [string for string in strings if squeezed(string) not in words]


def as_named(name, ending):
    """A name of a document as a format has it."""
    if ending == ".csv":  # what begins a formula after a separator is escaped
        return re.sub(r";(?=[=+@-])", r"\\x3b", name)
    return name.rpartition("/")[2] if ending == ".zip" else name


def as_noted(note, ending):
    """A note as a format has it."""
    return re.sub(r"(?<=;)(?=[=+@-])", "'", note) if ending == ".csv" else note


def test_every_format_has_its_reader():
    assert set(ENDINGS) <= set(READERS), "a format that no reader here opens"
    assert set(READERS) == set(HOLDS)


@pytest.mark.parametrize("ending", ENDINGS)
def test_nothing_changes_how_a_file_is_built(written, ending):
    harmless, hostile = (written(ending, make_report(strings)) for strings in (TAME, HOSTILE))

    assert harmless.build == hostile.build


@pytest.mark.parametrize("ending", ENDINGS)
def test_reports_show_names_as_they_were_meant(written, ending):
    report = make_report(SEEN)
    content = written(ending, report)

    names = [as_named(document.name, ending) for document in report.documents]
    assert missing(names, content) == []
    for part, strings in {
        "notes": [as_noted(string, ending) for string in SEEN[:-1]],
        "texts": [
            report.text_of(number)
            for number, string in enumerate(SEEN)
            if ending != ".pdf" or string not in SCRIPTS  # read in the order of the page there
        ],
        "phrases": SEEN,
    }.items():
        if part in HOLDS[ending]:
            assert missing(strings, content) == [], part


@pytest.mark.parametrize(
    "ending", [ending for ending in ENDINGS if ending not in {".csv", ".json"}]
)
def test_nothing_that_a_format_forbids_stands_in_it(written, ending):
    content = written(ending, make_report())

    assert [piece for piece in content.words if FORBIDDEN.search(piece)] == []
    assert missing([printable_name(f"{HOSTILE[-1]}.txt")], content) == []


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_hundred_thousand_characters_in_one_line(written, ending):
    report = make_report([*SCRIPTS, VERY_LONG])
    content = written(ending, report)

    assert content.words
    assert missing(SCRIPTS, content) == []


# Attributes in which words of a user may stand, to be read aloud.
SPOKEN = {"title", "alt", "aria-label", "content"}
DATA = "application/json"
# The head of printed pages: its words stand in the style sheet, as numbers of characters.
ESCAPED = re.compile(r'"((?:\\[0-9a-f]{6})*)"')


class Read(NamedTuple):
    """What a reader finds in a file: all words, in pieces as they stand there, and the rest."""

    words: list[str]
    build: object


def read_html(path):
    """HTML as browsers take it apart."""
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    return Read([*page.spoken, "".join(page.words), *page.data], page.build)


class _Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.build, self.words, self.spoken, self.data = [], [], [], []
        self._reads = self.words

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        assert not [name for name in given if name.startswith("on") or name in {"style", "srcdoc"}]
        assert given.get("href", "#").startswith("#"), given
        assert given.get("src", "data:image/").startswith("data:image/"), given
        self.spoken += [value for name, value in attrs if name in SPOKEN]
        if tag not in {"wbr", "br"}:  # they go by how long a word is
            fixed = [(name, value) for name, value in attrs if name not in SPOKEN]
            self.build.append((tag, fixed, [name for name, _ in attrs if name in SPOKEN]))
        if tag in {"script", "style"}:
            is_data = given.get("type") == DATA
            self._reads = self.data if is_data else []
            self.build.append(self._reads)

    def handle_endtag(self, tag):
        if tag in {"script", "style"}:
            if self._reads is self.data:
                self.build[-1] = _check_json(json.loads(self.data[-1]), [])
            else:
                self.build[-1] = ESCAPED.sub("", "".join(self.build[-1]))
            self._reads = self.words

    def handle_data(self, data):
        self._reads.append(data)

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")

    unknown_decl = handle_pi = handle_comment


def read_csv(path):
    """A table as Python's csv reads it; its cells as spreadsheets take them."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file, strict=True))
    cells = [cell for row in rows for cell in row]
    starts = tuple("=+-@\t\r\n＝＋－＠")
    assert not [cell for cell in cells if cell.startswith(starts)]
    return Read(cells, [len(row) for row in rows])


def read_json(path):
    """An object; JSON knows of no markup, so that all depends on who shows it."""
    words = []
    build = _check_json(json.loads(path.read_text(encoding="utf-8")), words)
    return Read(words, build)


def _check_json(value, words):
    """How a value is built; its strings go to `words`."""
    match value:
        case dict():
            members = {
                key: member for key, member in value.items() if key != "pages"
            }  # of texts with \f
            return {key: _check_json(member, words) for key, member in members.items()}
        case list():
            return [_check_json(item, words) for item in value]
        case str():
            words.append(value)
    return type(value).__name__


def read_graphml(path):
    """A graph as an XML parser reads it."""
    return _read_xml(path.read_bytes())


def _read_xml(content):
    assert b"<!DOCTYPE" not in content.upper()
    assert b"<!ENTITY" not in content.upper()
    words, build = [], []
    for element in ET.fromstring(content).iter():
        words += [part for part in (element.text, element.tail, *element.attrib.values()) if part]
        build.append((element.tag, sorted(element.attrib), len(element)))
    return Read(words, build)


def read_zip(path):
    """An archive of XML and lists."""
    words, build = [], []
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            assert re.fullmatch(r"[\w.-]+", name, re.ASCII), name
            content = archive.read(name)
            if name.endswith(".xml"):
                part = _read_xml(content)
                words += part.words
                build.append(part.build)  # it is called as its documents are
            else:
                text = content.decode("utf-8")
                words.append(text)
                build.append((name, text.count("\n")))
    return Read(words, build)


def read_xlsx(path):
    """A workbook as openpyxl reads it."""
    import openpyxl

    words, build = [], []
    book = openpyxl.load_workbook(path)
    assert not list(book.defined_names)
    for sheet in book:
        for row in sheet.iter_rows():
            for cell in row:
                assert cell.data_type in {"n", "s", "d", "b"}, (sheet.title, cell.coordinate)
                link = cell.hyperlink
                assert link is None or _leads_to_a_file(link), (link.target, link.location)
                is_text = cell.value is None or isinstance(cell.value, str)
                if cell.value is not None and is_text:
                    # openpyxl leaves the escape of what looks like an escape, which Excel undoes.
                    words.append(re.sub("_x005F(?=_x[0-9A-F]{4}_)", "", cell.value))
                kind = "text" if is_text else cell.data_type
                build.append((sheet.title, cell.coordinate, kind, link is not None))
    with zipfile.ZipFile(path) as archive:
        parts = sorted(archive.namelist())
    assert not [name for name in parts if re.search("vba|external|macro|embed|ctrl", name.lower())]
    return Read(words, (parts, build))


def _leads_to_a_file(link):
    """Whether a link leads to a file of the user, or to a place in the workbook."""
    return link.target is None or bool(re.match(r"(?i)(file:///|[\w. %/-]+$)", link.target))


def read_pdf(path):
    """Pages as PDFium reads them; of the links each leads to a page."""
    import pypdfium2
    import pypdfium2.raw as pdfium

    words = []
    with pypdfium2.PdfDocument(path) as document:
        assert pdfium.FPDFDoc_GetJavaScriptActionCount(document) == 0
        for page in document:
            text = page.get_textpage()
            # It gives these signs for a hyphen at the end of a line.
            words.append(re.sub("[\x02\ufffe]", "", text.get_text_bounded()))
            text.close()
            _check_annotations(page, pdfium)
            page.close()
        outline = [bookmark.get_title() for bookmark in document.get_toc()]
        words += [*outline, *document.get_metadata_dict().values()]
        attached = document.count_attachments()
    return Read(words, (len(outline), attached))


def _check_annotations(page, pdfium):
    for index in range(pdfium.FPDFPage_GetAnnotCount(page)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        assert pdfium.FPDFAnnot_GetSubtype(annotation) == pdfium.FPDF_ANNOT_LINK
        action = pdfium.FPDFLink_GetAction(pdfium.FPDFAnnot_GetLink(annotation))
        assert not action or pdfium.FPDFAction_GetType(action) == pdfium.PDFACTION_GOTO
        pdfium.FPDFPage_CloseAnnot(annotation)


# By the usual ending; a format that no reader here opens fails the tests.
READERS = {
    ".html": read_html,
    ".csv": read_csv,
    ".json": read_json,
    ".xlsx": read_xlsx,
    ".graphml": read_graphml,
    ".zip": read_zip,
    ".pdf": read_pdf,
}
# What of a report stands in a format, beside the names of documents, which stand in every one.
HOLDS = {
    ".html": {"notes", "texts", "phrases"},
    ".pdf": {"notes", "texts", "phrases"},
    ".csv": {"notes"},
    ".json": {"notes", "phrases"},
    ".xlsx": {"notes", "texts"},
    ".graphml": set(),
    ".zip": set(),
}


def read(path: Path) -> Read:
    """Read a file by the ending of its name."""
    return READERS[path.suffix](path)
