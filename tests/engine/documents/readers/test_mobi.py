"""Books for Kindle and Palm: how they are packed, what follows the text, what they say of it."""

import struct

import pytest

from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import reader_for
from core.documents.readers.properties import properties_of
from core.documents.readers.reader import Reading
from core.documents.reading_settings import ReadingLimits
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

PAGE = f"<html><head><title>x</title></head><body><p>{FIRST}</p><p>{SECOND} é 渡</p></body></html>"
SHOWN = f"{FIRST}\n\n{SECOND} é 渡"
PLAIN = huff_records([(word, True) for word in HUFF_WORDS])


def read(data, **reading):
    return reader_for(data, "").read(data, Reading(**reading))


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
    with pytest.raises(UnreadableError) as caught:
        read(mobi(b"x", packing=17480, tables=huff_records(words)))
    assert caught.value.code is ProblemCode.DAMAGED


def test_of_the_new_format_only_the_pages_are_read():
    page = PAGE.encode()
    pages = b"FDST" + struct.pack(">IIIIII", 12, 2, 0, len(page), len(page), len(page) + 20)
    assert read(mobi(page + b"p { color: red }", version=8, others=[pages])).text == SHOWN


def test_of_pages_one_after_the_other_no_title_is_read():
    assert read(mobi((PAGE + PAGE).encode(), version=8)).text == f"{SHOWN}\n\n{SHOWN}"


def test_a_book_with_drm_is_refused():
    with pytest.raises(UnreadableError) as caught:
        read(mobi(PAGE.encode(), locked=2))
    assert caught.value.code is ProblemCode.ENCRYPTED


def test_how_far_a_text_of_palm_has_been_read_is_no_drm():
    head = struct.pack(">HxxIHHI", 1, len(FIRST), 1, 4096, 70_000)
    assert read(palm_database([head, FIRST.encode()], b"TEXtREAd")).text == FIRST


def test_an_empty_record_behind_the_text_is_no_damage():
    whole = mobi(PAGE.encode(), packing=1, others=[b"x" * 9, b""])
    assert read(whole) == read(whole[:-9]) == (SHOWN, "", ())
    assert read(whole[:-10]).remarks == ("The file is damaged; its text may be incomplete.",)


def test_of_a_damaged_book_the_beginning_is_read():
    whole = mobi(PAGE.encode() * 40)
    text, _, remarks = read(whole[: len(whole) // 2])
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
def test_one_without_text_is_damaged(data):
    with pytest.raises(UnreadableError) as caught:
        read(data)
    assert caught.value.code is ProblemCode.DAMAGED


def test_no_more_is_unpacked_than_may_be():
    limits = ReadingLimits(memory_bytes=8 << 20)
    with pytest.raises(UnreadableError) as caught:
        read(mobi(b"a" * (2 << 20)), limits=limits)
    assert caught.value.code is ProblemCode.TOO_BIG_UNPACKED


def test_a_book_says_who_made_it_and_when():
    picture = b"\xff\xd8\xff" + bytes(2_000)
    told = dict(
        properties_of("mobi", mobi(PAGE.encode(), facts=FACTS, others=[picture]), Reading())
    )
    assert len(told.pop("pictures")) == 1
    assert told == {
        "created": ("2026-03-01T09:00:00Z",),
        "saved": ("2026-03-02T09:00:00Z",),
        "title": ("The ferry",),
        "created_by": ("Ada",),
        "program": ("Press 1",),
        "file_ids": ("uuid:one",),
    }


def test_a_book_that_says_nothing_has_its_title():
    told = properties_of("mobi", mobi(PAGE.encode()), Reading())
    assert told["title"] == ("The ferry",)
    since_1904 = bytearray(mobi(PAGE.encode()))
    since_1904[36:40] = struct.pack(">I", 1772355600 + 2082844800)
    assert properties_of("mobi", bytes(since_1904), Reading())["created"] == told["created"]


def test_what_palm_packs_is_what_was_there():
    assert len(palm_packed(PAGE.encode())) < len(PAGE.encode())
