"""Encodings: certain ones exactly, likely ones on texts written for these tests."""

import codecs
import random
import re
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.encoding import (
    SAMPLE,
    Decoded,
    declared_encoding,
    decode,
    known_encoding,
    sample_of,
)
from core.documents.model import UnreadableError
from core.documents.readers import Reading, plain
from core.documents.reading_settings import ReadingLimits

ENGLISH = (
    "The gardener’s house stood at the end of the lane – small, white and crooked. “Nobody lives"
    " there,” said the postman; but every evening a lamp was lit in the upper window. "
) * 3
GERMAN = (
    "Über den Dächern hing früh am Morgen noch Nebel. Die Bäckerin öffnete ihre Tür, grüßte den"
    " Straßenkehrer und stellte die Körbe mit den süßen Brötchen vor das große Fenster. "
) * 3
FRENCH = (
    "L’été dernier, la bibliothécaire a trouvé derrière l’étagère un vieux cahier très abîmé où"
    " quelqu’un avait noté, à l’encre bleue, les marées et les arrivées des bateaux. "
) * 3
SPANISH = (
    "El niño preguntó por qué el señor del café cerraba tan pronto; su tía le contestó que también"
    " los camareros tenían sueño después de una jornada así de larga. "
) * 3
POLISH = (
    "Późną jesienią żółte liście spadały na ścieżkę, a mały chłopiec zbierał kasztany do wiadra,"
    " żeby móc zrobić z nich ludziki i pokazać je babci przed kolacją. "
) * 3
RUSSIAN = (
    "Вечером старый смотритель поднялся на маяк, проверил лампу и долго смотрел на море, где"
    " рыбаки ещё собирали сети и тихо переговаривались между собой. "
) * 3
GREEK = (
    "Το πρωί ο ψαράς κατέβηκε στο λιμάνι, έλυσε τη βάρκα του και ξεκίνησε για το μικρό νησί,"
    " όπου τον περίμεναν οι φίλοι του με ψωμί και ελιές. "
) * 3
HEBREW = "בבוקר יצא הדייג אל הים, וכשחזר בערב סיפר לילדים על הגלים הגבוהים ועל הסירה הקטנה. " * 4
ARABIC = "في الصباح خرج الصياد إلى البحر، وعندما عاد في المساء حدث الأطفال عن الأمواج العالية. " * 4
JAPANESE = (
    "朝早く、漁師は小さな船で海へ出かけました。夕方に帰ると、子どもたちに高い波の話をしました。" * 4
)
CHINESE = "清晨，渔夫划着小船出海了。傍晚回来的时候，他给孩子们讲了大海里高高的浪和远方的灯塔。" * 4
TAIWANESE = (
    "清晨，漁夫划著小船出海了。傍晚回來的時候，他給孩子們講了大海裡高高的浪和遠方的燈塔。" * 4
)
KOREAN = (
    "아침 일찍 어부는 작은 배를 타고 바다로 나갔다. 저녁에 돌아와 아이들에게 높은 파도"
    " 이야기를 했다. " * 4
)
THAI = "เช้าตรู่ชาวประมงออกเรือลำเล็กไปในทะเล ตอนเย็นเขากลับมาเล่าเรื่องคลื่นสูงให้เด็กๆ ฟัง " * 4

WRITTEN = [
    (ENGLISH, "cp1252"),
    (GERMAN, "cp1252"),
    (GERMAN, "iso8859-1"),
    (GERMAN, "cp850"),
    (FRENCH, "cp1252"),
    (SPANISH, "iso8859-15"),
    (POLISH, "cp1250"),
    (POLISH, "iso8859-2"),
    (RUSSIAN, "cp1251"),
    (RUSSIAN, "koi8-r"),
    (RUSSIAN, "cp866"),
    (RUSSIAN, "iso8859-5"),
    (RUSSIAN, "mac-cyrillic"),
    (GREEK, "cp1253"),
    (HEBREW, "cp1255"),
    (ARABIC, "cp1256"),
    (JAPANESE, "cp932"),
    (JAPANESE, "euc_jp"),
    (JAPANESE, "iso2022_jp"),
    (CHINESE, "gb18030"),
    (CHINESE, "gb2312"),
    (TAIWANESE, "big5"),
    (KOREAN, "cp949"),
    (KOREAN, "euc_kr"),
    (KOREAN, "iso2022_kr"),
    (THAI, "tis-620"),
]
UNICODE = ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
MARKS = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}
# A NUL right after the mark of UTF-16 makes it the mark of UTF-32.
texts = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r\0"))
# Up to one control character in a hundred may be in a text, so here are none.
plain_texts = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufeff"), min_size=1
)


def text_of(data: bytes) -> str:
    decoded = decode(data)
    assert decoded is not None
    return decoded.text


@pytest.mark.parametrize(
    ("text", "encoding"), WRITTEN, ids=[f"{name}-{i}" for i, (_, name) in enumerate(WRITTEN)]
)
def test_an_encoding_is_found_without_a_declaration(text, encoding):
    data = text.encode(encoding, "ignore")

    assert text_of(data) == data.decode(encoding)


@pytest.mark.parametrize("encoding", UNICODE)
@given(text=texts)
def test_with_a_mark_every_text_comes_back(encoding, text):
    assert decode(MARKS[encoding] + text.encode(encoding)) == Decoded(text, encoding)


@given(text=plain_texts)
def test_utf8_needs_no_mark(text):
    assert decode(text.encode()) == Decoded(text, "utf-8")


@pytest.mark.parametrize(
    "text", [ENGLISH, RUSSIAN, ARABIC, JAPANESE, CHINESE, KOREAN, "Two\nlines"]
)
@pytest.mark.parametrize("encoding", UNICODE[1:])
def test_utf16_and_utf32_are_found_without_a_mark(text, encoding):
    assert decode(text.encode(encoding)) == Decoded(text, encoding)


@given(st.binary(max_size=2000))
def test_any_bytes_give_a_text_or_none(data):
    decoded = decode(data)

    assert decoded is None or "\r" not in decoded.text


@given(st.binary(max_size=200), st.sampled_from(list(MARKS.values())))
def test_any_bytes_after_a_mark_give_a_text_or_none(data, mark):
    decoded = decode(mark + data)

    assert decoded is None or isinstance(decoded.text, str)


@given(st.binary(max_size=50), st.text(max_size=20))
def test_no_declaration_raises(data, declared):
    decode(b"caf\xe9 " + data, declared=declared)


def test_line_ends_become_lf_and_nothing_else_changes():
    text = "a\r\nb\rc\nd\u2028e\u0085f\u00a0ﬁ\u00ad\x0cg\v\r\r\n"

    assert text_of(text.encode()) == "a\nb\nc\nd\u2028e\u0085f\u00a0ﬁ\u00ad\x0cg\v\n\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "cp1251"])
def test_long_texts_are_decoded_alike(encoding):
    text = RUSSIAN * 4000 + "\n"
    lines = text.replace(". ", ".\r\n")

    data = lines.encode(encoding)

    assert len(data) > 1 << 20
    assert text_of(data) == lines.replace("\r\n", "\n").replace("ё", "ё")


def test_a_line_end_on_the_border_of_two_chunks_is_one():
    data = b"a" * ((1 << 20) - 1) + b"\r\n" + b"b" * 10

    assert text_of(data) == "a" * ((1 << 20) - 1) + "\n" + "b" * 10


def test_no_bytes_are_an_empty_text():
    assert decode(b"") == Decoded("", "utf-8")
    assert decode(codecs.BOM_UTF16_LE) == Decoded("", "utf-16-le")


@pytest.mark.parametrize("cut", [1, 2])
def test_utf8_cut_within_its_last_character_is_still_utf8(cut):
    data = ("Der Rest fehlt: äöü und €".encode())[:-cut]

    assert decode(data) == Decoded("Der Rest fehlt: äöü und \ufffd", "utf-8 (damaged)")


def test_utf8_with_a_few_foreign_bytes_is_still_utf8():
    decoded = decode(GERMAN.encode() + b" caf\xe9 ")

    assert decoded == Decoded(GERMAN + " caf\ufffd ", "utf-8 (damaged)")


def test_utf16_with_a_broken_unit_is_still_utf16():
    data = codecs.BOM_UTF16_LE + ENGLISH.encode("utf-16-le") + b"\x00\xd8" + b"x\0"

    assert decode(data) == Decoded(ENGLISH + "\ufffdx", "utf-16-le (damaged)")


@pytest.mark.parametrize(
    "data",
    [
        random.Random(1).randbytes(4000),
        zlib.compress(ENGLISH.encode() * 20),
        bytes(range(256)) * 10,
        b"\0" * 1000,
        b"name\0other\0third\0" * 100,
        b"\x7fELF\x02\x01\x01" + b"\0" * 9 + b"\x03\0>\0\x01\0\0\0" * 20,
        b"plain words " * 10_000 + random.Random(2).randbytes(20_000),
    ],
    ids=["random", "compressed", "all bytes", "zeros", "NUL-separated", "program", "words first"],
)
def test_binary_data_is_no_text(data):
    assert decode(data) is None


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ('<?xml version="1.0" encoding="%s"?><p>', "iso8859-5"),
        ("<!doctype html><meta charset=%s><p>", "cp1251"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=%s">', "koi8-r"),
        ("\\documentclass{article}\n\\usepackage[%s]{inputenc}\n", "cp1251"),
        ("#!/bin/sh\n# -*- coding: %s -*-\n", "cp866"),
        ("# vim: set fileencoding=%s :\n", "mac-cyrillic"),
    ],
)
def test_a_declared_encoding_is_believed(head, encoding):
    text = head % encoding + "ёж"  # too short for any statistics

    assert decode(text.encode(encoding)) == Decoded(text, encoding)


@pytest.mark.parametrize(
    ("declared", "text", "encoding"),
    [
        ("IBM866", "ёж", "cp866"),
        *(
            (name, RUSSIAN, "cp1251")
            for name in ("utf-8", "utf-16", "ascii", "no such thing", "rot13", "")
        ),
    ],
)
def test_the_carrier_can_declare_an_encoding_that_can_be_true(declared, text, encoding):
    assert decode(text.encode(encoding), declared=declared) == Decoded(text, encoding)


def test_narrow_names_are_read_as_the_code_page_that_programs_write():
    assert text_of('<meta charset="iso-8859-1">“é”'.encode("cp1252")).endswith("“é”")
    assert text_of('<meta charset="gb2312">镕'.encode("gb18030")).endswith("镕")
    assert text_of(b'<meta charset="iso-8859-1">\x81\xe9').endswith("\x81é")


@pytest.mark.parametrize(
    "name",
    ["rot13", "base64", "idna", "unicode_escape", "utf-7", "cp037", "utf-16", "\0", "x\udc80"],
)
def test_only_encodings_of_text_files_can_be_declared(name):
    assert known_encoding(name) is None


def test_looking_for_a_declaration_takes_linear_time():
    for head in (b"<meta " * 800, b"<?xml " * 800, b"# coding" * 500, b" " * 4096, b"#" * 4096):
        assert declared_encoding(head) is None


def test_a_sample_is_small_and_goes_where_the_accents_are():
    data = b"plain words\n" * 50_000 + "Größe\n".encode("cp1252") + b"plain words\n" * 50_000

    sample = sample_of(data)

    assert len(sample) <= SAMPLE
    assert b"\nGr\xf6\xdfe\n" in sample
    assert text_of(data).count("Größe") == 1


@pytest.mark.parametrize(
    ("text", "encoding"), [(TAIWANESE, "big5"), (JAPANESE, "cp932"), (CHINESE, "gb18030")]
)
@pytest.mark.parametrize("shift", [0, 1])
def test_a_sample_does_not_split_characters_that_matter(text, encoding, shift):
    unbroken = "x" * shift + re.sub(r"\s", "", text) * 300
    data = unbroken.encode(encoding)

    assert len(data) > SAMPLE
    assert text_of(data) == unbroken


def test_threads_agree():
    jobs = [text.encode(encoding, "ignore") for text, encoding in WRITTEN] * 4
    alone = [decode(job) for job in jobs]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(decode, jobs)) == alone


def test_a_text_that_is_certainly_too_long_is_refused_before_it_is_decoded(monkeypatch):
    limits = ReadingLimits(characters=100)
    monkeypatch.setattr(plain, "decoded", lambda _data: pytest.fail("was decoded"))

    with pytest.raises(UnreadableError, match=r"more than 200 characters\. Texts over 100 are not"):
        plain.TEXT.read(b"a" * 201 + "\U0001f600".encode(), Reading(limits=limits))
    monkeypatch.undo()
    assert plain.TEXT.read("漢字".encode("utf-32") * 40, Reading(limits=limits)).text
    assert plain.TEXT.read("漢字".encode() * 40, Reading(limits=limits)).text == "漢字" * 40
