"""Books: EPUB and FictionBook.

Books for Kindle and Palm: how they are packed, what follows the text, what they say of it.
"""

import struct
import tracemalloc
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Reading
from core.documents.readers.properties import properties_of
from core.documents.reading_settings import ReadingLimits
from core.documents.recognition import reader_for
from tests.archives import CONTAINER, XHTML, opf, zipped
from tests.bench.fuzz_seeds import (
    FACTS,
    FIRST,
    HUFF_WORDS,
    SECOND,
    huff_packed,
    huff_records,
    mobi,
    palm_database,
    palm_packed,
)
from tests.problems import problem_of

ENCRYPTION = (
    '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
    'xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod '
    'Algorithm="{}"/><enc:CipherData><enc:CipherReference URI="{}"/></enc:CipherData>'
    "</enc:EncryptedData></encryption>"
)


def page(body: str, head: str = "<title>no</title>") -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" '
        f'"http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd"><html xmlns="http://www.w3.org/1999/xhtml">'
        f"<head>{head}</head><body>{body}</body></html>"
    )


def packed(parts: dict[str, str | bytes], mimetype: str | None = "application/epub+zip") -> bytes:
    return zipped({"mimetype": mimetype, **parts} if mimetype else parts)


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


def read(data: bytes, **reading):
    """What the reader of any kind of book makes of it."""
    reader = reader_for(data, ".fb2")  # the only kind that is also known by its name
    assert reader.kind in {"epub", "fb2", "mobi"}
    return reader.read(data, Reading(**reading))


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
    parts = {"META-INF/container.xml": CONTAINER.format("book.opf"), "c.xhtml": page("<p>One</p>")}
    items = [("c", "c.xhtml", XHTML)]

    assert read(packed({**parts, "book.opf": opf(items, ["c"], named)})).text == "One"
    declared = '<!DOCTYPE package [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    problem = problem_of(read, packed({**parts, "book.opf": opf(items, ["c"], declared)}))
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
        problem = problem_of(read, data)
        assert problem.code is ProblemCode.ENCRYPTED
        assert problem.detail.startswith("Protected by DRM: ")
    else:
        assert read(data).text == "One"


def test_without_a_container_that_can_be_followed_it_is_known_by_its_list_of_chapters():
    parts = {
        "META-INF/container.xml": CONTAINER.format("missing.opf"),
        "book.opf": opf([("c", "c.xhtml", XHTML)], ["c"]),
        "c.xhtml": page("<p>One</p>"),
    }
    assert read(packed(parts, None)).text == "One"


@settings(max_examples=100)
@given(st.text("<>/&;\"'= abp!-[]", max_size=60), st.text("<>/&;\"'= abp:#", max_size=60))
def test_no_markup_in_its_parts_raises_anything_else(body, document):
    data = book(body, **{"META-INF/encryption.xml": f"<e>{document}</e>"})

    with suppress(UnreadableError):
        read(data)


def test_a_damaged_chapter_costs_only_itself():
    data = bytearray(book("<p>One</p>", "<p>Two</p>"))
    at = data.index(b"OEBPS/c0.xhtml") + 20
    data[at : at + 20] = bytes(20)

    extracted = read(bytes(data))

    assert extracted.text == "Two"
    assert extracted.remarks == ("1 part of this book is damaged and not in the text.",)


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
    return zipped(dict.fromkeys(names, data))


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
    assert read(fiction_book(body)).text == text


def test_notes_follow_the_text():
    notes = "<body name='notes'><section id='n1'><p>The note.</p></section></body>"

    assert read(fiction_book("<p>Text</p>", notes)).text == "Text\n\nThe note."


@pytest.mark.parametrize(
    ("encoding", "text", "name"),
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
def test_the_declared_encoding_is_used(encoding, text, name):
    extracted = read(fiction_book(f"<p>{text}</p>", encoding=encoding))

    assert extracted.text == text
    assert extracted.encoding == name


def test_a_fiction_book_may_be_packed():
    assert read(packed_fiction(fiction_book("<p>Text</p>"), "Book.FB2")).text == "Text"


def test_a_text_about_the_format_is_none_of_it():
    assert reader_for(b"Every book is in a <FictionBook> element.", ".md").kind == "text"


def test_an_archive_of_several_is_no_book():
    assert (
        reader_for(packed_fiction(fiction_book("<p>x</p>"), "a.fb2", "b.fb2"), ".zip").kind != "fb2"
    )


def test_a_document_type_is_tolerated_but_no_entity():
    assert read(fiction_book("<p>a&nbsp;b</p>", doctype='<!DOCTYPE x SYSTEM "x.dtd">')).text == "ab"
    for entity in ('"' + "x" * 9 + '"', 'SYSTEM "file:///etc/passwd"'):
        data = fiction_book("<p>&e;</p>", doctype=f"<!DOCTYPE x [<!ENTITY e {entity}>]>")
        assert problem_of(read, data).code is ProblemCode.DTD_REFUSED


@pytest.mark.parametrize(
    ("data", "limits", "code"),
    [
        (packed({"x": "y"}), ReadingLimits(), ProblemCode.DAMAGED),
        (book("<p>x</p>", **{"OEBPS/book.opf": "<package>"}), ReadingLimits(), ProblemCode.DAMAGED),
        (book("<p>x</p>")[:-30], ReadingLimits(), ProblemCode.DAMAGED),
        (book("<p>x</p>" * 99), ReadingLimits(memory_bytes=4_800), ProblemCode.TOO_BIG_UNPACKED),
        (fiction_book("<p>x</p>")[:-20], ReadingLimits(), ProblemCode.DAMAGED),
        (fiction_book("<p>&undeclared;</p>"), ReadingLimits(), ProblemCode.DAMAGED),
        (
            packed_fiction(fiction_book("x" * 999), "a.fb2"),
            ReadingLimits(memory_bytes=792),
            ProblemCode.TOO_BIG_UNPACKED,
        ),
    ],
)
def test_what_cannot_be_read_is_named(data, limits, code):
    assert problem_of(read, data, limits=limits).code is code


PAGE = f"<html><head><title>x</title></head><body><p>{FIRST}</p><p>{SECOND} é 渡</p></body></html>"
SHOWN = f"{FIRST}\n\n{SECOND} é 渡"
PLAIN = huff_records([(word, True) for word in HUFF_WORDS])


@pytest.mark.parametrize("packing", [1, 2, 17480])
@pytest.mark.parametrize("flags", [0, 1, 2, 7])
def test_a_book_is_read_however_it_is_packed(packing, flags):
    data = mobi(PAGE.encode(), packing=packing, flags=flags, tables=PLAIN)
    assert reader_for(data, "").kind == "mobi"
    assert read(data) == (SHOWN, "", ())


@pytest.mark.parametrize("packing", [1, 2, 17480])
def test_a_character_may_begin_in_one_record_and_end_in_the_next(packing):
    page = "<p>" + "渡轮每天两班" * 2_000
    text = read(mobi(page.encode(), packing=packing, tables=PLAIN)).text
    assert text == page.removeprefix("<p>")


def test_repeats_may_reach_into_themselves():
    packed = b"a" + struct.pack(">H", 0x8000 | 1 << 3 | 7)
    assert read(palm_database([struct.pack(">HxxIHH4x", 2, 11, 1, 4096), packed], b"TEXtREAd")) == (
        "a" * 11,
        "",
        (),
    )


def test_words_of_the_dictionary_may_be_packed():
    words = [(word, True) for word in HUFF_WORDS]
    words[ord("x")] = huff_packed(FIRST.encode()), False
    assert read(mobi(b"<p>x", packing=17480, tables=huff_records(words))).text == FIRST


@pytest.mark.parametrize("word", [b"x", b"y"])
def test_a_word_within_itself_is_damage(word):
    words = [(letter, True) for letter in HUFF_WORDS]
    words[ord("x")], words[ord("y")] = (huff_packed(word), False), (huff_packed(b"x"), False)
    book = mobi(b"x", packing=17480, tables=huff_records(words))
    assert problem_of(read, book).code is ProblemCode.DAMAGED


def test_words_that_lie_in_each_other_are_not_copied():
    offsets = [4_000] * 2_000
    word = struct.pack(">H", 0xFFFF) + bytes(0x7FFF)
    more = b"CDIC" + struct.pack(">III2000H", 16, 256 + len(offsets), 16, *offsets) + word
    data = mobi(PAGE.encode(), packing=17480, tables=[*PLAIN, more])
    tracemalloc.start()
    try:
        assert read(data).text == SHOWN
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 1 << 23


def test_of_the_new_format_only_the_pages_are_read():
    page = PAGE.encode()
    pages = b"FDST" + struct.pack(">IIIIII", 12, 2, 0, len(page), len(page), len(page) + 20)
    assert read(mobi(page + b"p { color: red }", version=8, more_records=[pages])).text == SHOWN


def test_of_pages_one_after_the_other_no_title_is_read():
    assert read(mobi((PAGE + PAGE).encode(), version=8)).text == f"{SHOWN}\n\n{SHOWN}"


def test_a_book_with_drm_is_refused():
    assert problem_of(read, mobi(PAGE.encode(), locked=2)).code is ProblemCode.ENCRYPTED


def test_how_far_a_text_of_palm_has_been_read_is_no_drm():
    head = struct.pack(">HxxIHHI", 1, len(FIRST), 1, 4096, 70_000)
    assert read(palm_database([head, FIRST.encode()], b"TEXtREAd")).text == FIRST


def test_an_empty_record_behind_the_text_is_no_damage():
    book = mobi(PAGE.encode(), packing=1, more_records=[b"x" * 9, b""])
    assert read(book) == read(book[:-9]) == (SHOWN, "", ())
    assert read(book[:-10]).remarks == ("The file is damaged; its text may be incomplete.",)


def test_of_a_damaged_book_the_beginning_is_read():
    book = mobi(PAGE.encode() * 40)
    text, _, remarks = read(book[: len(book) // 2])
    assert text.startswith(FIRST)
    assert remarks == ("The file is damaged; its text may be incomplete.",)


@pytest.mark.parametrize(
    "data",
    [
        mobi(PAGE.encode())[:78],
        palm_database([]),
        palm_database([struct.pack(">HxxIHH4x", 2, 11, 1, 4096), b"\x80\x08"], b"TEXtREAd"),
        mobi(PAGE.encode(), packing=17480, tables=[b"HUFF", b"CDIC"]),
    ],
    ids=["cut", "none", "too far back", "tables"],
)
def test_a_book_without_text_is_damaged(data):
    assert problem_of(read, data).code is ProblemCode.DAMAGED


def test_no_more_is_unpacked_than_may_be():
    problem = problem_of(read, mobi(b"a" * (2 << 20)), limits=ReadingLimits(memory_bytes=8 << 20))
    assert problem.code is ProblemCode.TOO_BIG_UNPACKED


def test_a_book_says_who_made_it_and_when():
    picture = b"\xff\xd8\xff" + bytes(2_000)
    properties = dict(
        properties_of("mobi", mobi(PAGE.encode(), facts=FACTS, more_records=[picture]), Reading())
    )
    assert len(properties.pop("pictures")) == 1
    assert properties == {
        "created": ("2026-03-01T09:00:00Z",),
        "saved": ("2026-03-02T09:00:00Z",),
        "title": ("The ferry",),
        "created_by": ("Ada",),
        "program": ("Press 1",),
        "file_ids": ("uuid:one",),
    }


def test_a_book_that_says_nothing_has_its_title():
    properties = properties_of("mobi", mobi(PAGE.encode()), Reading())
    assert properties["title"] == ("The ferry",)
    since_1904 = bytearray(mobi(PAGE.encode()))
    since_1904[36:40] = struct.pack(">I", 1772355600 + 2082844800)
    assert properties_of("mobi", bytes(since_1904), Reading())["created"] == properties["created"]


def test_what_palm_packs_is_what_was_there():
    assert len(palm_packed(PAGE.encode())) < len(PAGE.encode())
