"""What is marked in a text because its reader does not see it, and what is said of it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.text.characters import PIECE
from core.text.disguises import MarkKind, find_disguise_marks, sentences_on_disguises

quick = settings(deadline=None, derandomize=True, max_examples=200)


def marked(text):
    return [
        (text[mark.start : mark.end], mark.kind, mark.says) for mark in find_disguise_marks(text)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a pаper of реорle", [("а", "Cyrillic а"), ("реор", "Cyrillic р")]),
        ("only а word", [("а", "Cyrillic а")]),
        ("слово cлово", [("c", "Latin c")]),
        ("a pαper αnd more", [("α", "Greek α"), ("α", "Greek α")]),
        ("οne more", [("ο", "Greek ο")]),  # omicron is no symbol
        ("wօrd", [("օ", "Armenian օ")]),
        ("pａper, wor𝐝", [("ａ", "fullwidth a"), ("𝐝", "mathematical d")]),
    ],
)
def test_letters_of_other_scripts_are_marked(text, expected):
    assert marked(text) == [(span, MarkKind.LETTER, says) for span, says in expected]


@pytest.mark.parametrize(
    ("text", "span", "kind", "says"),
    [
        ("pa\u200bper", "a\u200bp", MarkKind.INVISIBLE, "zero width space"),
        (
            "p\u200ca\u200dp\u2060er",
            "p\u200ca\u200dp\u2060e",
            MarkKind.INVISIBLE,
            "zero width non-joiner",
        ),
        ("中\ufeff国", "中\ufeff国", MarkKind.INVISIBLE, "zero width no-break space"),
        ("so\u00adft", "o\u00adf", MarkKind.SOFT_HYPHEN, "soft hyphen"),
        ("two\u3164words", "\u3164", MarkKind.BLANK, "hangul filler"),
        ("two\u2800words", "\u2800", MarkKind.BLANK, "braille pattern blank"),
    ],
)
def test_what_is_not_seen_is_marked(text, span, kind, says):
    assert marked(text) == [(span, kind, says)]


@pytest.mark.parametrize(
    "text",
    [
        "plain words",
        "Мы пользуемся HTTP и git каждый день, a и TCP",
        "let α, ν and ρ be the rates of TNFα and βx, 5 μm",
        "The word сор means litter, as собака means dog",
        "می\u200cخواهم",
        "क्\u200dष",
        "👩\u200d👧 ❤\ufe0f",
        "葛\U000e0100城",
        "ภาษา\u200bไทย",
        "two\u00a0words",
        "word \u200b\u200band more",
        "ＡＢＣ means ABC",
        "a \u2066שלום\u2069 b",
    ],
)
def test_nothing_is_marked_in_ordinary_text(text):
    assert marked(text) == []
    assert sentences_on_disguises(text) == ()


def test_facts_are_said_with_how_many_and_an_example():
    text = "A pаpеr for\u200b\u200bmal so\u00adft two\u3164words"

    assert sentences_on_disguises(text) == (
        (
            "2 letters of other scripts stand within words, as in “pаpеr” (Cyrillic а), and "
            "count as the letters they look like."
        ),
        (
            "2 invisible characters stand within words, as in “formal” (zero width space), and "
            "do not count."
        ),
        "1 soft hyphen stands within words, as in “soft”, and does not count.",
        "1 blank that is no space (hangul filler) stands in the text and counts as a space.",
    )


def test_marks_of_a_long_text_are_where_the_characters_are():
    filling = "word and word " * (PIECE // 10)
    text = f"{filling}pаper {filling}so\u200bft"

    assert [text[mark.start : mark.end] for mark in find_disguise_marks(text)] == ["а", "o\u200bf"]


@quick
@given(st.text("aеоcαο\u200b\u00ad\u3164ａ -б国", max_size=30))
def test_marks_are_in_order_within_the_text(text):
    marks = find_disguise_marks(text)

    assert marks == sorted(marks)
    for mark in marks:
        assert 0 <= mark.start < mark.end <= len(text)
        assert 0 < mark.characters <= mark.end - mark.start
