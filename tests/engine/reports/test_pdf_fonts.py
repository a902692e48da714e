"""The fonts of the PDF report: what each has, which are taken, what is said where none has it."""

import struct
from pathlib import Path
from types import SimpleNamespace

import pytest
import typst

from core.reports.blocks import Span, SpanKind, line
from core.reports.pdf.typesetting import BASE, EMBEDDED, SIGNS, choose_fonts, letters_in, letters_of
from core.reports.pdf.writer import (
    breakable,
    language_of_script,
    runs_from_right,
    visible,
    whole_letters,
)

HEBREW = "\u05d0\u05d1"


def segments(*runs):
    """A table of letters in format 4: first, last, and the glyphs of each run."""
    runs = [*runs, (0xFFFF, 0xFFFF, [0])]
    count = len(runs)
    glyphs = b""
    offsets = []
    for place, (_, _, numbers) in enumerate(runs):
        offsets.append(2 * (count - place) + len(glyphs))
        glyphs += struct.pack(f">{len(numbers)}H", *numbers)
    body = b"".join(
        (
            struct.pack(">HHHHHHH", 4, 0, 0, 2 * count, 0, 0, 0),
            struct.pack(f">{count}H", *(last for _, last, _ in runs)),
            bytes(2),
            struct.pack(f">{count}H", *(first for first, _, _ in runs)),
            bytes(2 * count),
            struct.pack(f">{count}H", *offsets),
            glyphs,
        )
    )
    return (3, 1, body)


def groups(*runs):
    """A table of letters in format 12."""
    body = struct.pack(">HHLLL", 12, 0, 16 + 12 * len(runs), 0, len(runs))
    return (3, 10, body + b"".join(struct.pack(">LLL", *run, 1) for run in runs))


def font_file(path, *tables, rights=0):
    """A font that has nothing but the tables that are read."""
    cmap = struct.pack(">HH", 0, len(tables))
    start = 4 + 8 * len(tables)
    for platform, encoding, body in tables:
        cmap += struct.pack(">HHL", platform, encoding, start)
        start += len(body)
    cmap += b"".join(body for _, _, body in tables)
    os2 = bytes(8) + struct.pack(">H", rights)
    head = struct.pack(">LHHHH", 0x00010000, 2, 0, 0, 0)
    at = len(head) + 32
    head += struct.pack(">4sLLL", b"OS/2", 0, at, len(os2))
    head += struct.pack(">4sLLL", b"cmap", 0, at + len(os2), len(cmap))
    path.write_bytes(head + os2 + cmap)
    return path


@pytest.mark.parametrize("family", list(EMBEDDED))
def test_typst_sets_every_letter_that_its_fonts_are_said_to_have(family):
    source = (
        f'#set text(font: "{family}", fallback: false)\n#let letters = json(bytes(sys.inputs.d))\n'
        "#for one in letters [#text(one) #strong(one) ]"
    )
    letters = ", ".join(f'"\\u{{{ord(one):x}}}"' for one in sorted(letters_of(family)))
    source = source.replace("json(bytes(sys.inputs.d))", f"({letters})")
    # PDF/A refuses a letter that a font lacks.
    assert typst.compile(
        source.encode(), pdf_standards=["a-2b"], ignore_system_fonts=True
    ).startswith(b"%PDF")
    with pytest.raises(typst.TypstError, match="could not be displayed"):
        typst.compile(
            source.replace(letters, '"\\u{4e2d}",').encode(),
            pdf_standards=["a-2b"],
            ignore_system_fonts=True,
        )


def test_the_letters_of_a_font_are_read_from_its_file(tmp_path):
    basic = segments((0x41, 0x43, [5, 0, 7]), (0x5D0, 0x5D0, [8]))
    path = font_file(tmp_path / "a.ttf", basic)
    assert letters_in(path, 0, "ABCD\u05d0\u05d1") == {"A", "C", "\u05d0"}  # B has no glyph
    full = font_file(tmp_path / "b.ttf", basic, groups((0x42, 0x42), (0x1F600, 0x1F610)))
    assert letters_in(full, 0, "AB\U0001f605\U0001f611") == {"B", "\U0001f605"}


def test_a_font_that_may_not_be_embedded_has_no_letters(tmp_path):
    path = font_file(tmp_path / "a.ttf", groups((0x41, 0x5A)), rights=2)
    assert letters_in(path, 0, "A") == set()


@pytest.mark.parametrize("data", [b"", b"OTTO", b"\0\1\0\0\xff\xff", bytes(100), b"ttcf" * 9])
def test_a_damaged_font_has_no_letters(tmp_path, data):
    path = tmp_path / "a.ttf"
    path.write_bytes(data)
    assert letters_in(path, 0, "A") == set()
    assert letters_in(tmp_path / "gone.ttf", 0, "A") == set()


def found(*fonts):
    """What typst tells of some fonts: family and file."""
    return SimpleNamespace(
        fonts=lambda: [
            SimpleNamespace(
                family=family, path=str(path), index=0, style="normal", weight=400, stretch=1.0
            )
            for family, path in fonts
        ]
    )


def test_only_fonts_that_are_needed_are_taken_the_good_ones_first(tmp_path):
    thai = font_file(tmp_path / "thai.ttf", groups((0xE00, 0xE7F)))
    other = font_file(tmp_path / "other.ttf", groups((0xE00, 0xE7F), (0x1780, 0x17FF)))
    fonts = found(("A Font", other), ("Noto Serif Thai", thai))

    assert choose_fonts(fonts, f"plain é Ω я {HEBREW}").families == [BASE, SIGNS]
    assert choose_fonts(fonts, "\u0e01").families == [BASE, "Noto Serif Thai", SIGNS]
    both = choose_fonts(fonts, "\u0e01\u1780")
    assert both.families == [BASE, "Noto Serif Thai", "A Font", SIGNS]
    assert both.missing_in_words == ""


def test_japanese_and_korean_have_forms_of_their_own(tmp_path):
    chinese = font_file(tmp_path / "a.ttf", groups((0x3040, 0x9FFF), (0xAC00, 0xD7A3)))
    fonts = found(("Noto Serif CJK SC", chinese), ("Noto Serif CJK JP", chinese))
    chosen = choose_fonts(fonts, "\u4e2d\u3042\uac00")
    assert chosen.families == [BASE, "Noto Serif CJK SC", SIGNS]
    assert chosen.families_of == {"ja": [BASE, "Noto Serif CJK JP", "Noto Serif CJK SC", SIGNS]}


def test_letters_without_a_font_are_told_with_their_scripts():
    assert choose_fonts(found(), "\u1780").missing_in_words == (
        "No font on the computer that made this file has 1 character of this report (Khmer); "
        "it is shown as an empty box."
    )
    many = choose_fonts(found(), "\u1780\u1781\u4e2d\u0e01\u0905\u0c05")
    assert many.missing == "\u0905\u0c05\u0e01\u1780\u1781\u4e2d"
    assert "6 different characters" in many.missing_in_words
    assert "(Devanagari, Telugu, Thai, Khmer, ...)" in many.missing_in_words
    assert choose_fonts(found(), "\u200b\u200d\ufe0f\u2003\u3000 ").missing == ""


def test_what_no_font_can_show_is_an_escape():
    assert visible("a\x00\x1b\x9f\ud800\uffff") == "a\\x00\\x1b\\x9f\\ud800\\uffff"
    assert visible("a\tb\x85c\u2028d\ne") == "a b\nc\nd\ne"


def test_long_names_and_words_may_be_broken():
    name = "folder/a_very_long_name_without_spaces.docx"
    assert "".join(breakable(name, is_name=True)) == name
    assert all(len(piece) < 25 for piece in breakable(name, is_name=True))
    assert breakable("short.txt", is_name=True) == "short.txt"
    assert breakable("a sentence of short words") == "a sentence of short words"
    assert "".join(breakable("b " + "A" * 100)) == "b " + "A" * 100
    assert max(map(len, breakable("b " + "A" * 100))) < 25
    arabic = "\u0645\u0631\u062d\u0628\u0627" * 9
    assert breakable(arabic) == arabic  # its letters join
    assert breakable(arabic, is_name=True) == f"\u2068{arabic}\u2069"


def test_the_direction_and_the_language_of_a_text():
    assert runs_from_right(f"1. {HEBREW} abc")
    assert not runs_from_right(f"abc {HEBREW}")
    assert not runs_from_right("123")
    languages = {"\u4e2d\u6587": "zh", "\u4e2d\u3042": "ja", "\uac00": "ko", "\u0e01": "th"}
    for text, code in languages.items():
        assert language_of_script(text) == code
    assert language_of_script("English or German") == "und"


def test_a_mark_stays_with_its_letter():
    same, plain = SpanKind.SAME, SpanKind.PLAIN
    cut = line(Span("\u092d", plain), Span("\u093e\u0917", same), Span("\u094b", plain))
    assert whole_letters(cut) == (Span("\u092d\u093e", plain), Span("\u0917\u094b", same))
    first = line(Span("\u093e", same))
    assert whole_letters(first) == first


def test_the_template_leaves_the_choice_of_fonts_to_nobody_else():
    template = Path(__file__).parents[3] / "core/reports/pdf/report.typ"
    assert "fallback: false" in template.read_text(encoding="utf-8")
