"""Books: EPUB and FictionBook."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import reader_for
from core.documents.readers.reader import Reading
from core.documents.reading_settings import ReadingLimits

CONTAINER = (
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
    '<rootfiles><rootfile full-path="{}" media-type="application/oebps-package+xml"/></rootfiles>'
    "</container>"
)
ENCRYPTION = (
    '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
    'xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod '
    'Algorithm="{}"/><enc:CipherData><enc:CipherReference URI="{}"/></enc:CipherData>'
    "</enc:EncryptedData></encryption>"
)
XHTML = "application/xhtml+xml"


def page(body: str, head: str = "<title>no</title>") -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" '
        f'"http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd"><html xmlns="http://www.w3.org/1999/xhtml">'
        f"<head>{head}</head><body>{body}</body></html>"
    )


def packed(parts: dict[str, str | bytes], mimetype: str | None = "application/epub+zip") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        if mimetype is not None:
            archive.writestr("mimetype", mimetype, zipfile.ZIP_STORED)
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


def opf(items: list[tuple[str, str, str]], spine: list[str], doctype: str = "") -> str:
    """Items are (id, href, media type); of the spine "id" or "-id" for what is not linear."""
    manifest = "".join(f'<item id="{i}" href="{h}" media-type="{m}"/>' for i, h, m in items)
    refs = "".join(_itemref(ref) for ref in spine)
    return (
        f'<?xml version="1.0"?>{doctype}<package xmlns="http://www.idpf.org/2007/opf">'
        f"<manifest>{manifest}</manifest><spine>{refs}</spine></package>"
    )


def _itemref(ref: str) -> str:
    linear = ' linear="no"' if ref.startswith("-") else ""
    return f'<itemref idref="{ref.removeprefix("-")}"{linear}/>'


def book(*bodies: str, **extra: str | bytes) -> bytes:
    items = [(f"c{at}", f"c{at}.xhtml", XHTML) for at in range(len(bodies))]
    parts = {f"OEBPS/c{at}.xhtml": page(body) for at, body in enumerate(bodies)}
    return packed(
        {
            "META-INF/container.xml": CONTAINER.format("OEBPS/book.opf"),
            "OEBPS/book.opf": opf(items, [item[0] for item in items]),
            **parts,
            **extra,
        }
    )


def read(data: bytes, suffix: str = ".epub", limits: ReadingLimits | None = None):
    reader = reader_for(data, suffix)
    assert reader.kind == "epub"
    return reader.read(data, Reading(limits=limits or ReadingLimits()))


def problem_of(data: bytes, limits: ReadingLimits | None = None) -> UnreadableError:
    with pytest.raises(UnreadableError) as caught:
        read(data, limits=limits)
    return caught.value


def test_chapters_stand_in_the_order_of_the_spine():
    items = [
        ("b", "text/two%20.xhtml#x", XHTML),
        ("a", "../one.xhtml", XHTML),
        ("n", "notes.xhtml", XHTML),
        ("nav", "nav.xhtml", XHTML),
        ("css", "style.css", "text/css"),
        ("gone", "gone.xhtml", XHTML),
    ]
    data = packed(
        {
            "META-INF/container.xml": CONTAINER.format("OEBPS/book.opf"),
            "OEBPS/book.opf": opf(items, ["-n", "a", "css", "b", "a", "unknown", "gone"]),
            "OEBPS/text/two .xhtml": page("<h1>Two</h1><p>b&nbsp;c</p>"),
            "OEBPS/notes.xhtml": page("<p>Notes</p>"),
            "OEBPS/nav.xhtml": page("<nav>no</nav>"),
            "OEBPS/style.css": "no",
            "one.xhtml": page("<p>One<br/>more</p>"),
        }
    )
    extracted = read(data)

    assert extracted.text == "One\nmore\n\nTwo\n\nb\u00a0c\n\nNotes"
    assert extracted.remarks == (
        "1 part of this book is missing in the file: its text is not read.",
    )


@pytest.mark.parametrize(
    "body",
    [
        "<p>One</p>",
        "<p><a id='x'/>One<b/><i class='x' /></p>",
        "<div/><script src='x'/><p>One</p><textarea/>",
        "<iframe src='http://x'/><p>One</p>",
    ],
)
def test_elements_that_close_themselves_are_empty(body):
    assert read(book(body)).text.strip() == "One"


def test_a_title_that_closes_itself_does_not_swallow_the_page():
    data = book("", **{"OEBPS/c0.xhtml": page("<p>One</p>", "<title/><style/>")})

    assert read(data).text == "One"


@pytest.mark.parametrize("mark", ["1", "[2]", "<sup>3</sup>", "(<sup class='x'>4</sup>)"])
def test_the_mark_of_a_note_is_none_of_the_words(mark):
    note = f"<a href='notes.xhtml#n' epub:type='noteref'>{mark}</a>"
    body = f"<p>word{note}, <a href='#n'>a link</a></p>"

    assert read(book(body)).text == "word, a link"


def test_pages_are_read_in_the_encoding_they_declare():
    source = page("<p>Привет</p>").replace("utf-8", "windows-1251").encode("cp1251")

    assert read(book("", **{"OEBPS/c0.xhtml": source})).text == "Привет"
    assert read(book("", **{"OEBPS/c0.xhtml": page("<p>日本</p>").encode("utf-16")})).text == "日本"


def test_a_package_document_may_name_its_type_but_declare_no_entity():
    named = '<!DOCTYPE package PUBLIC "+//ISBN 0-9673008-1-9//DTD OEB 1.2 Package//EN" "x.dtd">'
    parts = {
        "META-INF/container.xml": CONTAINER.format("book.opf"),
        "c.xhtml": page("<p>One</p>"),
    }
    items = [("c", "c.xhtml", XHTML)]

    assert read(packed({**parts, "book.opf": opf(items, ["c"], named)})).text == "One"
    declared = '<!DOCTYPE package [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    problem = problem_of(packed({**parts, "book.opf": opf(items, ["c"], declared)}))
    assert problem.code is ProblemCode.DTD_REFUSED


@pytest.mark.parametrize(
    ("algorithm", "part", "is_locked"),
    [
        ("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/c0.xhtml", True),
        ("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/font.otf", False),
        ("http://www.idpf.org/2008/embedding", "OEBPS/font.otf", False),
        ("http://ns.adobe.com/pdf/enc#RC", "OEBPS/c0.xhtml", False),
    ],
)
def test_protected_chapters_are_locked_and_scrambled_fonts_are_not(algorithm, part, is_locked):
    data = book("<p>One</p>", **{"META-INF/encryption.xml": ENCRYPTION.format(algorithm, part)})

    if is_locked:
        problem = problem_of(data)
        assert problem.code is ProblemCode.ENCRYPTED
        assert problem.detail.startswith("Protected by DRM: ")
    else:
        assert read(data).text == "One"


@pytest.mark.parametrize("suffix", [".epub", ".zip", ".txt", ""])
def test_it_is_known_by_its_content(suffix):
    assert read(book("<p>One</p>"), suffix).text == "One"
    parts = {
        "META-INF/container.xml": CONTAINER.format("missing.opf"),
        "book.opf": opf([("c", "c.xhtml", XHTML)], ["c"]),
        "c.xhtml": page("<p>One</p>"),
    }
    assert read(packed(parts, None), suffix).text == "One"


@pytest.mark.parametrize(
    ("data", "limits", "code"),
    [
        (packed({"x": "y"}), ReadingLimits(), ProblemCode.DAMAGED),
        (book("<p>x</p>", **{"OEBPS/book.opf": "<package>"}), ReadingLimits(), ProblemCode.DAMAGED),
        (book("<p>x</p>")[:-30], ReadingLimits(), ProblemCode.DAMAGED),
        (book("<p>x</p>" * 99), ReadingLimits(memory_bytes=4_800), ProblemCode.TOO_BIG_UNPACKED),
    ],
)
def test_what_cannot_be_read_is_named(data, limits, code):
    assert problem_of(data, limits).code is code


def outcome_of(data: bytes, suffix: str) -> str:
    """The text, or the sentence of the problem; any other exception is a failure."""
    read = reader_for(data, suffix).read
    if read is None:  # taken for an archive
        return ""
    try:
        return read(data, Reading(passwords=("geese",))).text
    except UnreadableError as error:
        return error.detail


@settings(max_examples=100, deadline=None)
@given(st.text("<>/&;\"'= abp!-[]", max_size=60), st.text("<>/&;\"'= abp:#", max_size=60))
def test_no_markup_in_its_parts_raises_anything_else(body, document):
    data = book(body, **{"META-INF/encryption.xml": f"<e>{document}</e>"})

    assert isinstance(outcome_of(data, ".epub"), str)


def test_a_damaged_chapter_costs_only_itself():
    data = bytearray(book("<p>One</p>", "<p>Two</p>"))
    at = data.index(b"OEBPS/c0.xhtml") + 20
    data[at : at + 20] = bytes(20)

    found = read(bytes(data))

    assert found.text == "Two"
    assert found.remarks == ("1 part of this book is damaged and not in the text.",)


NAMESPACES = (
    'xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink"'
)


def fiction_book(body: str, notes: str = "", encoding: str = "utf-8", doctype: str = "") -> bytes:
    source = (
        f'<?xml version="1.0" encoding="{encoding}"?>{doctype}\n<FictionBook {NAMESPACES}>'
        "<description><title-info><book-title>no</book-title></title-info></description>"
        f"<body>{body}</body>{notes}<binary id='x'>AAAA</binary></FictionBook>"
    )
    return source.encode(encoding)


def packed_fiction(data: bytes, *names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, data)
    return file.getvalue()


def read_fiction(data: bytes, suffix: str = ".fb2", limits: ReadingLimits | None = None):
    reader = reader_for(data, suffix)
    assert reader.kind == "fb2"
    return reader.read(data, Reading(limits=limits or ReadingLimits()))


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<section><title><p>One</p></title><p>a</p><p>b</p></section>", "One\n\na\n\nb"),
        ("<p>un<emphasis>believ</emphasis>able\n  text</p>", "unbelievable text"),
        (
            (
                "<poem><title><p>P</p></title><stanza><v>a</v><v>b</v></stanza><stanza><v>c</v>"
                "</stanza><text-author>x</text-author></poem>"
            ),
            "P\n\na\nb\n\nc\n\nx",
        ),
        ("<p>a</p><empty-line/><subtitle>* * *</subtitle><p>b</p>", "a\n\n* * *\n\nb"),
        ("<table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>", "a\tb\nc"),
        ("<p>word<a l:href='#n1' type='note'>[1]</a>, <a l:href='x'>link</a></p>", "word, link"),
        ("<epigraph><p>e</p></epigraph><cite><p>c</p></cite><image l:href='#x'/>", "e\n\nc"),
    ],
)
def test_a_book_is_read_as_a_person_reads_it(body, text):
    assert read_fiction(fiction_book(body)).text == text


def test_notes_follow_the_text():
    notes = "<body name='notes'><section id='n1'><p>The note.</p></section></body>"

    assert read_fiction(fiction_book("<p>Text</p>", notes)).text == "Text\n\nThe note."


@pytest.mark.parametrize(
    ("encoding", "text", "told"),
    [
        ("utf-8", "Привет 文", ""),
        ("utf-16", "Привет 文", ""),
        ("windows-1251", "Привет", "cp1251"),
        ("koi8-r", "Привет", "koi8-r"),
        ("iso-8859-1", "café", ""),
        ("gb2312", "中文文本在这里", "gb18030"),
        ("shift_jis", "日本語の文章", "cp932"),
    ],
)
def test_the_declared_encoding_is_used(encoding, text, told):
    extracted = read_fiction(fiction_book(f"<p>{text}</p>", encoding=encoding))

    assert extracted.text == text
    assert extracted.encoding == told


@pytest.mark.parametrize("suffix", [".fb2", ".xml", ".zip", ".txt", ""])
def test_a_fiction_book_is_known_by_its_content(suffix):
    data = fiction_book("<p>Text</p>")

    assert read_fiction(data, suffix).text == "Text"
    assert read_fiction(packed_fiction(data, "Book.FB2"), suffix).text == "Text"


def test_a_text_about_the_format_is_none_of_it():
    assert reader_for(b"Every book is in a <FictionBook> element.", ".md").kind == "text"


def test_an_archive_of_several_is_no_book():
    assert (
        reader_for(packed_fiction(fiction_book("<p>x</p>"), "a.fb2", "b.fb2"), ".zip").kind != "fb2"
    )


def test_a_document_type_is_tolerated_but_no_entity():
    assert (
        read_fiction(fiction_book("<p>a&nbsp;b</p>", doctype='<!DOCTYPE x SYSTEM "x.dtd">')).text
        == "ab"
    )
    for entity in ('"' + "x" * 9 + '"', 'SYSTEM "file:///etc/passwd"'):
        data = fiction_book("<p>&e;</p>", doctype=f"<!DOCTYPE x [<!ENTITY e {entity}>]>")
        with pytest.raises(UnreadableError) as caught:
            read_fiction(data)
        assert caught.value.code is ProblemCode.DTD_REFUSED


@pytest.mark.parametrize(
    ("data", "limits", "code"),
    [
        (fiction_book("<p>x</p>")[:-20], ReadingLimits(), ProblemCode.DAMAGED),
        (fiction_book("<p>&undeclared;</p>"), ReadingLimits(), ProblemCode.DAMAGED),
        (
            packed_fiction(fiction_book("x" * 999), "a.fb2"),
            ReadingLimits(memory_bytes=792),
            ProblemCode.TOO_BIG_UNPACKED,
        ),
    ],
)
def test_what_cannot_be_read_of_a_fiction_book_is_named(data, limits, code):
    with pytest.raises(UnreadableError) as caught:
        read_fiction(data, limits=limits)
    assert caught.value.code is code
