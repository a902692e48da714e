"""Word, PowerPoint and Excel 97 to 2003: byte by byte, as [MS-CFB] and [MS-DOC] have it."""

import contextlib
import io
import struct
import tempfile
from functools import partial
from hashlib import md5
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msoffcrypto.method.rc4 import DocumentRC4

from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import SLIDES, Reading, doc
from core.documents.readers.shared.packed_files import OleFile, root_names
from core.documents.reading_settings import ReadingLimits
from core.documents.recognition import reader_for
from tests.bench.fuzz_seeds import (
    CUTOFF,
    FIRST,
    FOREIGN,
    SECOND,
    compound,
    ppt,
    ppt_page,
    ppt_record,
    ppt_shape,
    seed_ppt,
    seed_xls,
    seed_xlsb,
    xls,
    xls_record,
    xls_string,
    xlsb,
    xlsb_record,
)
from tests.problems import problem_of

BEGIN = 0x800  # of the text in the stream
TABLES = {"styles": 1, "headings": 11, "characters": 12, "paragraphs": 13, "fonts": 15,
          "pieces": 33, "commenters": 36, "shapes": 40, "revisers": 51, "boxes": 56}  # fmt: skip
DELETED, HIDDEN = b"\x00\x08\x01", b"\x3c\x08\x01"
WHITE, SMALL_LETTERS = b"\x42\x2a\x08", b"\x43\x4a\x02\x00"
PALE = b"\x70\x68\xfe\xf0\xfd\x00"
CELL, ROW = b"\x16\x24\x01", b"\x16\x24\x01\x17\x24\x01"
FAINT = (
    "2 passages are written in white or in letters of 1 point: a reader does not see that. It "
    "stands at the end of the text."
)
INNER_CELL, INNER_ROW = CELL + b"\x4b\x24\x01", CELL + b"\x4c\x24\x01"


def page(stretches, *, paragraphs):
    """A page of properties: of (first, last, changes), in bytes of the stream."""
    bounds = [stretches[0][0], *(last for _, last, _ in stretches)]
    offsets, heap = b"", b""
    for _, _, changes in stretches:
        item = b""
        if paragraphs:
            style, rest = changes if isinstance(changes, tuple) else (0, changes)
            body = struct.pack("<H", style) + rest
            body += b"\0" * (len(body) % 2 == 0)
            item = bytes([(len(body) + 1) // 2]) + body
        elif changes:
            item = bytes([len(changes)]) + changes
        item += b"\0" * (len(item) % 2)
        heap = item + heap
        at = (511 - len(heap)) // 2 * 2 if item else 0
        heap = heap.ljust(511 - at, b"\0") if item else heap
        offsets += bytes([at // 2]) + (b"\0" * 12 if paragraphs else b"")
    start = struct.pack(f"<{len(bounds)}I", *bounds) + offsets
    return start.ljust(511 - len(heap), b"\0") + heap + bytes([len(stretches)])


def formatted(text, marks):
    """Stretches of the whole text: those of (piece of it, changes), plain ones in between."""
    stretches, at = [], 0
    for piece, changes in marks:
        start = text.index(piece, at)
        if start > at:
            stretches.append((at, start, b""))
        at = start + len(piece)
        stretches.append((start, at, changes))
    if at < len(text):
        stretches.append((at, len(text), b""))
    return stretches


def written(
    body,
    characters=(),
    paragraphs=(),
    stories=(),
    tables=(),
    pieces=None,
    version=0xC1,
    flags=0x0200,
    language=0x0409,
    coded=None,
    shift=0,
):
    """The streams of a document.

    `stories` are the texts after the body in the order of the format; `pieces` are (characters,
    width, prm) one after another; by default there is one of two bytes each.
    """
    all_stories = [*stories, *[""] * (7 - len(stories))]
    text = body + "".join(all_stories)
    pieces = pieces or [(len(text), 2, 0)]
    stream, entries, positions, at = b"", b"", [0], 0
    for count, width, prm in pieces:
        position = BEGIN + len(stream)
        mark = position if width == 2 else position * 2 | 0x40000000
        entries += struct.pack("<HIH", 0, mark, prm)
        stream += text[at : at + count].encode("utf-16-le" if width == 2 else "cp1252")
        at += count
        positions.append(at)
    stream = coded or stream
    plc = struct.pack(f"<{len(positions)}I", *positions) + entries
    tables_by_name = {"pieces": b"\x02" + struct.pack("<I", len(plc)) + plc, **dict(tables)}
    end = BEGIN + len(stream)
    pages = b""
    for name, marks in (("characters", characters), ("paragraphs", paragraphs)):
        if marks:
            number = -(-end // 512) + len(pages) // 512
            scaled = [(BEGIN + 2 * a, BEGIN + 2 * b, c) for a, b, c in formatted(text, marks)]
            tables_by_name[name] = struct.pack("<III", BEGIN, end, number)
            pages += page(scaled, paragraphs=name == "paragraphs")
    table, directory = b"\0" * shift, [(0, 0)] * 93
    for name, data in tables_by_name.items():
        directory[TABLES[name]] = (len(table), len(data))
        table += data
    counts = [len(body), *map(len, all_stories)]
    fib = struct.pack("<HHHHHHHI", 0xA5EC, version, 0, language, 0, flags, 0, 0).ljust(24, b"\0")
    fib += struct.pack("<II", BEGIN, end)
    fib = fib.ljust(0x34 if version < 0xC1 else 0x4C, b"\0") + struct.pack("<8I", *counts)
    fib = fib.ljust(0x9A, b"\0") + b"".join(struct.pack("<II", *entry) for entry in directory)
    text_part = (fib.ljust(BEGIN, b"\0") + stream).ljust(-(-end // 512) * 512, b"\0")
    return {"WordDocument": text_part + pages, "1Table": table, "\x05SummaryInformation": b"x" * 9}


def document(body, *args, **options):
    return compound(written(body, *args, **options))


def read(data, **reading):
    """What the reader that takes a file makes of it."""
    return reader_for(data, ".doc").read(data, Reading(**reading))


unreadable = partial(problem_of, read)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("One\rTwo\r", "One\n\nTwo"),
        ("One\r\r \rTwo\r", "One\n\nTwo"),
        ("One\x0btwo\r", "One\ntwo"),
        ("One\x0cTwo\r", "One\n\nTwo"),
        ("a\tb\r", "a\tb"),
        ("e\x1email hy\x1fphen\r", "e\u2011mail hyphen"),
        ("note\x02 picture\x01 drawn\x08\r", "note picture drawn"),
        ("a \x13PAGEREF x\x147\x15 b\r", "a 7 b"),
        ("a\x13XE index\x15\r", "a"),
        ("\x13IF \x13X\x14no\x15\x14yes\x15\r", "yes"),
        ("\x13EQ \\* jc2 \\o\\ad(\\s\\up 10(kan),漢)\x15\r", "漢"),
        ("\x13open to the end\r", ""),
        ("end\x15 and result\x14 alone\r", "end and result alone"),
        ("Привет 😀 мир\r", "Привет 😀 мир"),
    ],
)
def test_text_is_what_a_person_reads(body, text):
    data = document(body)

    assert doc.READER.recognises(data, "")
    assert read(data) == (text, "", ())


def test_half_a_character_beyond_the_plane_does_no_harm():
    assert read(document("a😀b\r", pieces=[(2, 2, 0), (2, 2, 0)])).text.startswith("a")


def test_cells_and_rows():
    body = "a\rb\x07c\x07\x07d\re\x07f\x07\x07g\r"
    cells = [("b\x07c\x07", CELL), ("\x07", ROW), ("d\re\x07f\x07", CELL), ("\x07", ROW)]

    assert read(document(body, paragraphs=cells)).text == "a\n\nb\tc\nd\ne\tf\n\ng"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("a\rb\x07c\x07\x07d\x07e\x07\x07g\r", "a\n\nb\tc\nd\te\n\ng"),
        ("b\x07c\x07\x07", "b\tc"),
        ("b\x07\x07c\x07\x07d\re\r", "b\nc\n\nd\n\ne"),
        ("one\x07two\rthree\x07four", "one\n\ntwo\n\nthree\n\nfour"),
    ],
)
def test_cells_outside_of_a_known_table_are_words_of_their_own(body, text):
    assert read(document(body)).text == text
    old = document(body, version=0x65, coded=body.encode("cp1252"))
    assert read(old).text == text


def test_a_cell_behind_a_table_that_is_known():
    body = "a\x07b\x07\x07c\x07d\x07\x07e\r"
    known = [("a\x07b\x07", CELL), ("\x07", ROW)]

    assert read(document(body, paragraphs=known)).text == "a\tb\n\nc\td\n\ne"


def test_a_table_in_a_cell():
    body = "a\rb\rc\r\rd\x07e\x07\x07"
    cells = [
        ("a\r", CELL),
        ("b\rc\r", INNER_CELL),
        ("\r", INNER_ROW),
        ("d\x07e\x07", CELL),
        ("\x07", ROW),
    ]

    assert read(document(body, paragraphs=cells)).text == "a\nb\tc\nd\te"


@pytest.mark.parametrize(
    ("characters", "text", "remark"),
    [
        ([("two ", DELETED)], "one three four", "1 tracked deletion is not part of the text."),
        (
            [("two ", DELETED), ("four", HIDDEN)],
            "one three",
            "1 tracked deletion is not part of the text.",
        ),
        ([("one", b"\x3c\x08\x00"), ("two", b"\x3c\x08\x80")], "one two three four", ""),
        (
            [("two ", HIDDEN), ("three ", HIDDEN)],
            "one four",
            "1 passage of hidden text is not part of the text.",
        ),
        ([("two", WHITE), ("four", SMALL_LETTERS)], "one   three\n\ntwo four", FAINT),
        ([("two", PALE), ("four", WHITE)], "one   three\n\ntwo four", FAINT),
        ([("two", WHITE + b"\x0c\x2a\x01")], "one two three four", ""),
    ],
)
def test_what_is_no_text_is_reported(characters, text, remark):
    extracted = read(document("one two three four\r", characters))

    assert extracted.text == text
    assert extracted.remarks[:1] == ((remark,) if remark else ())


def style_sheet(*styles):
    """A table of styles; each is (kind, base, changes of characters), or None for an empty one."""
    header = struct.pack("<HH", len(styles), 10).ljust(18, b"\0")
    sheet = struct.pack("<H", len(header)) + header
    for style in styles:
        data = b""
        if style:
            kind, base, changes = style
            lists = [changes] if kind == 2 else [b"\0\0", changes]
            data = struct.pack("<HHHHH", 0, kind | base << 4, len(lists), 0, 0)
            data += struct.pack("<H", 3) + "sty".encode("utf-16-le") + b"\0\0"
            for entry in lists:
                data += struct.pack("<H", len(entry)) + entry + b"\0" * (len(entry) % 2)
        sheet += struct.pack("<H", len(data)) + data + b"\0" * (len(data) % 2)
    return [("styles", sheet)]


NOTHING, PARAGRAPH, CHARACTER = 0xFFF, 1, 2
SHOWN, AS_STYLE, UNLIKE_STYLE = b"\x3c\x08\x00", b"\x3c\x08\x80", b"\x3c\x08\x81"
STYLES = style_sheet(
    (PARAGRAPH, NOTHING, b""),
    (PARAGRAPH, NOTHING, HIDDEN),
    (PARAGRAPH, 1, b""),
    (PARAGRAPH, 1, UNLIKE_STYLE),
    None,
    (CHARACTER, NOTHING, HIDDEN),
)


def of_style(number, changes=b""):
    return b"\x30\x4a" + struct.pack("<H", number) + changes


@pytest.mark.parametrize(
    ("style", "changes", "is_shown"),
    [
        (0, b"", True),
        (0, HIDDEN, False),
        (0, UNLIKE_STYLE, False),
        (0, AS_STYLE, True),
        (1, b"", False),
        (1, SHOWN, True),
        (1, HIDDEN, False),
        (1, AS_STYLE, False),
        (1, UNLIKE_STYLE, True),
        (2, UNLIKE_STYLE, True),
        (2, b"", False),
        (3, b"", True),
        (3, UNLIKE_STYLE, False),
        (0, of_style(5), False),
        (0, of_style(5, UNLIKE_STYLE), True),
        (0, of_style(5, SHOWN), True),
        (1, of_style(5), True),
        (1, of_style(5, UNLIKE_STYLE), False),
        (4, b"", True),
        (99, b"", True),
    ],
)
def test_hiding_is_a_matter_of_the_styles_and_of_the_characters(style, changes, is_shown):
    body = "before\rwords in question\rafter\r"
    marks = [("words in question", changes)] if changes else []
    paragraphs = [("words in question\r", (style, b""))]

    extracted = read(document(body, marks, paragraphs, tables=STYLES))

    assert extracted.text == (
        "before\n\nwords in question\n\nafter" if is_shown else "before\n\nafter"
    )
    assert extracted.remarks == ("1 passage of hidden text is not part of the text.",) * (
        not is_shown
    )


def test_a_change_of_a_whole_piece_comes_after_its_characters():
    body = "one two\r"
    for value, text in ((0, "one two"), (1, "")):
        pieces = [(len(body), 2, 0x5C << 1 | value << 8)]
        assert read(document(body, [("two", HIDDEN)], pieces=pieces)).text == text


@given(st.binary(max_size=200))
def test_a_damaged_table_of_styles_does_no_harm(sheet):
    body = "before\rwords\r"
    paragraphs = [("words\r", (1, b""))]

    assert (
        "before" in read(document(body, [], paragraphs, tables=[("styles", sheet)])).text or sheet
    )


def test_a_deleted_paragraph_mark_joins_and_a_deleted_field_ends():
    assert read(document("a\rb \x13X\x14no\x15c\r", [("\r", DELETED)])).text == "ab noc"
    assert read(document("a \x13X\x14no\x15c\r", [("\x14no\x15", DELETED)])).text == "a c"


def test_comments_are_counted():
    extracted = read(document("a\x05b\r", stories=["", "", "", "comment\r"]))

    assert extracted == ("ab", "", ("1 comment is not part of the text.",))


def positions(*numbers, size=0):
    return struct.pack(f"<{len(numbers)}I", *numbers) + b"\0" * size * (len(numbers) - 1)


def test_headers_notes_boxes_and_footers_are_read_once():
    headings = ["", "", "", "", "", "", "even\r", "head\r", "", "- 1 -\r", "first\r", "foot\r"]
    headings += ["", "head\r", "", "", "", ""]
    ends = [sum(map(len, headings[:i])) for i in range(len(headings) + 1)]
    boxes = positions(0, 4, 8, 8) + b"".join(
        b"\0" * 14 + struct.pack("<II", shape, 0) for shape in (7, 8, 0)
    )
    shapes = positions(1, 2) + struct.pack("<I22x", 7)
    data = document(
        "a\x08 b\x02\rc\r",
        stories=["\x02 foot\r", "".join(headings), "", "", "\x02 end\r", "box\rtwo\r"],
        tables=[("headings", positions(*ends)), ("boxes", boxes), ("shapes", shapes)],
    )

    assert read(data).text == (
        "even\n\nhead\n\nfirst\n\na b\n\nbox\n\nc\n\ntwo\n\nfoot\n\nend\n\nfoot"
    )


def test_pieces_of_both_kinds_and_their_own_changes():
    body = "caf\xe9 gone and \u0436 here\r"
    pieces = [(5, 1, 0), (5, 1, 0x41 << 1 | 1 << 8), (len(body) - 10, 2, 0)]

    extracted = read(document(body, pieces=pieces))

    assert extracted.text == "café and \u0436 here"
    assert extracted.remarks == ("1 tracked deletion is not part of the text.",)


def test_symbols_are_characters():
    name = "Symbol\0".encode("utf-16-le")
    fonts = struct.pack("<HH", 1, 0) + bytes([39 + len(name)]) + b"\0" * 39 + name
    symbol = [("(", struct.pack("<HHH", 0x6A09, 0, 0xF061))]

    assert read(document("( rays\r", symbol, tables=[("fonts", fonts)])).text == "α rays"


@pytest.mark.parametrize(("language", "page"), [(0x0409, "cp1252"), (0x0419, "cp1251")])
def test_word_95_is_one_run_of_bytes(language, page):
    body = "Füße" if page == "cp1252" else "Ёлка"
    data = document(body + "\r", version=0x65, language=language, coded=(body + "\r").encode(page))

    assert read(data).text == body


def test_a_fast_save_of_word_95_is_put_together_by_its_pieces():
    """The bytes are there in the order in which they were saved; what was replaced is still."""
    first, stale, second = b"the old words ", b"nobody should read this ", b"and the new ones\r"
    body = (second + first).decode()
    entries = struct.pack("<HIH", 0, BEGIN + len(first + stale), 0)
    entries += struct.pack("<HIH", 0, BEGIN, 0)
    plc = struct.pack("<3I", 0, len(second), len(body)) + entries
    clx = b"\x01\x02\0\x55\x01" + b"\x02" + struct.pack("<I", len(plc)) + plc
    streams = written(body, version=0x65, flags=0x0204, coded=first + stale + second)
    stream = bytearray(streams["WordDocument"])
    struct.pack_into("<II", stream, 0x160, len(stream), len(clx))

    fast = compound(streams | {"WordDocument": bytes(stream) + clx})
    stream[0x0A] = 0
    slow = compound(streams | {"WordDocument": bytes(stream) + clx})

    assert read(fast).text == "and the new ones\n\nthe old words"
    assert read(slow).text.startswith("the old words nobody")


PASSWORD, SALT = "open sesame", bytes(range(16))


def locked(body):
    """Locked with RC4: everything is, but the first 68 bytes."""
    streams = written(body, flags=0x0300, shift=52)
    plain = streams["WordDocument"]
    verifier = b"\x17" * 16
    proof = DocumentRC4.decrypt(
        PASSWORD, SALT, io.BytesIO(verifier + md5(verifier).digest())
    ).read()
    header = struct.pack("<HH", 1, 1) + SALT + proof
    head = plain[:14] + struct.pack("<I", len(header)) + plain[18:68]
    scrambled = DocumentRC4.decrypt(PASSWORD, SALT, io.BytesIO(plain)).read()
    table = DocumentRC4.decrypt(PASSWORD, SALT, io.BytesIO(streams["1Table"])).read()
    streams["WordDocument"] = (head + scrambled[68:]).ljust(CUTOFF, b"\0")
    streams["1Table"] = (header + table[52:]).ljust(CUTOFF, b"\0")
    return streams


def test_a_lock_opens_with_its_password():
    data = compound(locked("secret\r"))

    assert unreadable(data).code is ProblemCode.ENCRYPTED
    assert str(unreadable(data, passwords=("wrong",))) == (
        "Locked with a password. Enter it, or save a copy without one."
    )
    assert read(data, passwords=("wrong", PASSWORD)).text == "secret"


def test_what_a_password_opens_is_not_written_to_the_disk(monkeypatch):
    """Nor into a file without a name, which a confined reader cannot make."""

    for name in ("TemporaryFile", "NamedTemporaryFile", "mkstemp"):
        monkeypatch.setattr(tempfile, name, Mock(side_effect=PermissionError))

    assert read(compound(locked("secret\r")), passwords=(PASSWORD,)).text == "secret"


def test_rights_management_is_reported():
    streams = written("a\r") | {"\tDRMContent": b"x"}

    assert unreadable(compound(streams)).code is ProblemCode.ENCRYPTED


def test_damage_and_limits_are_reported():
    assert unreadable(document("a\r")[:600]).code is ProblemCode.DAMAGED
    assert unreadable(document("a\r")[:100]).code is ProblemCode.DAMAGED
    assert unreadable(compound({"WordDocument": b"x" * 5000})).code is ProblemCode.DAMAGED
    word_2 = compound({"WordDocument": b"\xdb\xa5".ljust(200)})
    assert unreadable(word_2).code is ProblemCode.UNSUPPORTED
    limits = ReadingLimits(characters=100)
    assert unreadable(document("a" * 200), limits=limits).code is ProblemCode.TOO_BIG


@pytest.mark.parametrize("sizes", [(0, 1), (63, 64, 65), (4095, 4096, 4097), (70_000, 5)])
def test_streams_of_any_size(sizes):
    streams = {f"s{size}": bytes(i % 251 for i in range(size)) for size in sizes}
    data = compound(streams)

    assert root_names(data) == {name.upper() for name in streams}
    assert {name: OleFile(data).stream(name) for name in streams} == streams


def test_a_sector_that_follows_itself_is_read_no_more_often_than_there_are_sectors():
    data = bytearray(compound({"long": bytes(CUTOFF)}))
    (offset,) = (row for row in range(0, len(data), 128) if data[row : row + 8] == b"l\0o\0n\0g\0")
    struct.pack_into("<I", data, offset + 120, 1 << 27)
    struct.pack_into("<I", data, len(data) - 512, 0)  # the first sector follows the first

    assert CUTOFF <= len(OleFile(bytes(data)).stream("long")) < len(data)


@given(st.lists(st.tuples(st.integers(0, 0x9A + 93 * 8), st.integers(0, 255)), max_size=8))
def test_a_damaged_header_raises_only_unreadable_errors(changes):
    streams = written("a b\rc\x07\x07", [("b", DELETED)], [("c\x07", CELL)], ["n\r"])
    stream = bytearray(streams["WordDocument"])
    for position, value in changes:
        stream[position] = value
    with contextlib.suppress(UnreadableError):
        read(compound(streams | {"WordDocument": bytes(stream)})).text.encode()


def test_slides_have_their_title_first_and_their_notes_last():
    """Text may stand in the list of slides; footers and numbers are on every slide."""
    reader = reader_for(seed_ppt(), "")

    assert (reader.kind, reader.pages) == ("ppt", SLIDES)
    assert read(seed_ppt()).text == f"The ferry\n\n{FIRST}\nc\n\n{FOREIGN}\f{SECOND}"


def test_a_title_comes_first_and_a_line_break_is_one():
    data = ppt([(ppt_page(ppt_shape("one\vtwo"), ppt_shape("Title", 0)), b"")], [])

    assert read(data).text == "Title\n\none\ntwo"


def test_a_hidden_slide_is_an_empty_page():
    pages = [(ppt_page(ppt_shape(text), is_hidden=text == "b"), b"") for text in "abc"]

    text, _, remarks = read(ppt(pages, []))

    assert text == "a\f\fc"
    assert remarks == ("1 hidden slide is not part of the text.",)


def test_of_a_damaged_file_all_slides_are_read():
    page = ppt_page(ppt_shape("found"))

    text, _, remarks = read(compound({"PowerPoint Document": page, "Current User": b""}))

    assert text == "found"
    assert remarks == ("The file is damaged; its text may be incomplete.",)


def test_a_file_without_slides_is_damaged():
    data = compound({"PowerPoint Document": ppt_record(1000, version=15)})

    assert unreadable(data).code == ProblemCode.DAMAGED


def test_a_slide_is_read_once_however_often_it_is_listed():
    """A list is short, and what it points to may be long."""
    data = ppt([(ppt_page(ppt_shape("once")), b""), (ppt_page(ppt_shape("twice")), b"")], [])
    again = (2).to_bytes(4, "little") + bytes(8) + (0x101).to_bytes(4, "little")
    listed = (3).to_bytes(4, "little") + again[4:]

    assert read(data.replace(listed, again)).text == "once\f"


def label(row, column, text):
    return xls_record(0x204, struct.pack("<HHH", row, column, 0) + xls_string(text))


def test_every_kind_of_cell_is_read_as_it_is_shown():
    sheet = f"{FIRST} {FOREIGN}\t2023-03-15 12:00\t7\t0.02\ncomputed\n#N/A\n{SECOND}"

    assert reader_for(seed_xls(), "").kind == "xls"
    assert read(seed_xls()).text == f"{sheet}\n\nIn box\f{sheet}"
    assert read(seed_xlsb()) == (
        f"{FIRST} {FOREIGN}\t2023-03-15 12:00\t7\tcomputed\t9\t#N/A\tTRUE",
        "",
        ("1 hidden row or column is not part of the text.",),
    )


@pytest.mark.parametrize("cut", [9, 12, 17, 19, 25, 27, 30, 36, 37, 41])
def test_shared_strings_may_be_cut_anywhere(cut):
    """Behind a cut, characters begin with their width, and lengths do not."""
    wide, narrow = "Паром", "plain"
    content = struct.pack("<II", 2, 2)
    content += struct.pack("<HBHI", len(wide), 0x0D, 1, 3) + wide.encode("utf-16-le") + bytes(7)
    content += struct.pack("<HB", len(narrow), 0) + narrow.encode()
    first_characters, second_characters = range(17, 27), range(37, 42)
    continuation = content[cut:]
    if cut in first_characters:
        continuation = b"\1" + continuation
    elif cut in second_characters:
        continuation = b"\0" + continuation
    strings = xls_record(0xFC, content[:cut]) + xls_record(0x3C, continuation)
    cells = [xls_record(0xFD, struct.pack("<HHHI", 0, column, 0, column)) for column in range(2)]

    assert read(xls(b"".join(cells), strings=strings)).text == f"{wide}\t{narrow}"


def test_what_is_hidden_is_counted():
    columns = xls_record(0x7D, struct.pack("<6H", 1, 1, 0, 0, 1, 0))
    row = xls_record(0x208, struct.pack("<6HI", 1, 0, 1, 0, 0, 0, 0x20))
    note = xls_record(0x5D, struct.pack("<HHH", 0x15, 0x12, 0x19))
    note += xls_record(0x1B6, struct.pack("<10xHHI", 4, 0, 0)) + xls_record(0x3C, b"\0note")
    cells = label(0, 0, "seen") + label(0, 1, "aside") + label(1, 0, "below")

    text, _, remarks = read(xls(columns + row + cells + note))

    assert text == "seen"
    assert remarks == (
        "1 comment is not part of the text.",
        "2 hidden rows and columns are not part of the text.",
    )


def test_workbooks_of_excel_95_are_in_a_code_page():
    page = xls_record(0x42, struct.pack("<H", 1251))
    text = "Паром".encode("cp1251")
    cell = xls_record(0x204, struct.pack("<HHHH", 0, 0, 0, len(text)) + text)

    assert read(xls(cell, version=0x500, globals_=page)).text == "Паром"


def test_cells_far_apart_take_no_room():
    far = xls(label(0, 0, "near") + label(65_535, 255, "far"))
    farther = struct.pack("<IHBBI", 16_383, 0, 0, 0, 1 << 2 | 2)
    row = struct.pack("<IIHBB", 1_048_575, 0, 0, 0, 0)

    assert read(far).text == "near\nfar"
    assert read(xlsb(xlsb_record(0, row) + xlsb_record(2, farther))).text == "1"


def test_a_string_that_is_repeated_meets_the_limit():
    strings = xls_record(0xFC, struct.pack("<II", 1, 1) + xls_string("x" * 900))
    cells = xls_record(0xFD, struct.pack("<HHHI", 0, 0, 0, 0)) * 200

    limits = ReadingLimits(characters=100_000)
    assert unreadable(xls(cells, strings=strings), limits=limits).code == ProblemCode.TOO_BIG


def test_a_workbook_that_breaks_off_says_so():
    workbook = xls(label(0, 0, "seen"))
    stream = workbook[512:].index(b"s\0e\0e\0n\0") + 512

    assert unreadable(workbook.replace(b"\x09\x08", b"\0\0")).code == ProblemCode.DAMAGED
    broken = workbook[: stream + 8] + bytes(4) + workbook[stream + 12 :]
    assert read(broken).remarks == ("The file is damaged; its text may be incomplete.",)
