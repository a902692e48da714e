"""FictionBook: bodies and notes, in whatever encoding, also packed."""

from __future__ import annotations

import io
import zipfile

import pytest

from core.documents import ProblemCode, ReadingLimits
from core.documents.readers import Reading, UnreadableError, reader_for

NAMESPACES = (
    'xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink"'
)


def book(body: str, notes: str = "", encoding: str = "utf-8", doctype: str = "") -> bytes:
    source = (
        f'<?xml version="1.0" encoding="{encoding}"?>{doctype}\n<FictionBook {NAMESPACES}>'
        "<description><title-info><book-title>no</book-title></title-info></description>"
        f"<body>{body}</body>{notes}<binary id='x'>AAAA</binary></FictionBook>"
    )
    return source.encode(encoding)


def packed(data: bytes, *names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, data)
    return file.getvalue()


def read(data: bytes, suffix: str = ".fb2", limits: ReadingLimits | None = None):
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
    assert read(book(body)).text == text


def test_notes_follow_the_text():
    notes = "<body name='notes'><section id='n1'><p>The note.</p></section></body>"

    assert read(book("<p>Text</p>", notes)).text == "Text\n\nThe note."


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
    extracted = read(book(f"<p>{text}</p>", encoding=encoding))

    assert extracted.text == text
    assert extracted.encoding == told


@pytest.mark.parametrize("suffix", [".fb2", ".xml", ".zip", ".txt", ""])
def test_it_is_known_by_its_content(suffix):
    data = book("<p>Text</p>")

    assert read(data, suffix).text == "Text"
    assert read(packed(data, "Book.FB2"), suffix).text == "Text"


def test_a_text_about_the_format_is_none_of_it():
    assert reader_for(b"Every book is in a <FictionBook> element.", ".md").kind == "text"


def test_an_archive_of_several_is_no_book():
    assert reader_for(packed(book("<p>x</p>"), "a.fb2", "b.fb2"), ".zip").kind != "fb2"


def test_a_document_type_is_tolerated_but_no_entity():
    assert read(book("<p>a&nbsp;b</p>", doctype='<!DOCTYPE x SYSTEM "x.dtd">')).text == "ab"
    for entity in ('"' + "x" * 9 + '"', 'SYSTEM "file:///etc/passwd"'):
        data = book("<p>&e;</p>", doctype=f"<!DOCTYPE x [<!ENTITY e {entity}>]>")
        with pytest.raises(UnreadableError) as caught:
            read(data)
        assert caught.value.code is ProblemCode.DTD_REFUSED


@pytest.mark.parametrize(
    ("data", "limits", "code"),
    [
        (book("<p>x</p>")[:-20], ReadingLimits(), ProblemCode.DAMAGED),
        (book("<p>&undeclared;</p>"), ReadingLimits(), ProblemCode.DAMAGED),
        (
            packed(book("x" * 999), "a.fb2"),
            ReadingLimits(memory_bytes=792),
            ProblemCode.TOO_BIG_UNPACKED,
        ),
    ],
)
def test_what_cannot_be_read_is_named(data, limits, code):
    with pytest.raises(UnreadableError) as caught:
        read(data, limits=limits)
    assert caught.value.code is code
