"""Quotations in a text: between marks of many languages, and set off as a block.

1. Marks are paired within a paragraph: “ ” „ “ « » » « ‹ › ‚ ‘ ‘ ’ ” ” 「 」 『 』 〝 〟 `` '' and
   straight ones. An apostrophe is no mark; straight quotes and single ones open only where
   an opening mark can be, after a space or bracket, and close only where a closing one can be,
   before a space or punctuation.
2. A mark without its counterpart is ignored, so that none swallows a document; so is a straight one
   after which another opens. “ may end in " and " in ”, as in texts that were edited often. A
   quotation spans several paragraphs only if each begins with an opening mark, as printers do it.
3. Text of less than a few words is a title or a word under discussion, and is no quotation.
4. A string of a program is no quotation, nor is text between apostrophes that are letters: if most
   marks like ‘ and ' that could open have no counterpart, none of them opens.
5. A block quotation is a run of lines that begin with ">", or an indented paragraph, that the text
   before announces with a colon. Lines with ">" that are not announced are examples and remarks,
   and set off whole schedules.

Marks count with the text between them. Offsets are code points.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.base.patterns import lazy_pattern
from core.text.characters import code_points
from core.text.set_aside import Reason, SetAside

# Headings of lists of references.
HEADINGS = frozenset(
    Path(__file__).with_name("headings.txt").read_text("utf-8").casefold().splitlines()
)


LEAST_WORDS = 5
MOST_CHARACTERS = 5_000  # of a quotation in a paragraph
AHEAD = 300  # characters that are searched for a mark that closes better
LEAST_OF_BLOCK = 8  # words of an indented paragraph
CLOSES = {
    "“": '”"',
    "„": '“”"',
    "”": '”"',  # Swedish, Finnish
    "«": "»",
    "»": "«»",  # German, Danish; Swedish
    "‹": "›",
    "›": "‹›",
    "‚": "‘’",
    "‘": "’",
    "「": "」",
    "『": "』",
    "〝": "〞〟",
    '"': '"”',
    "＂": "＂",
    "'": "'",
}
OPENS_BY_SHAPE = frozenset("\"＂'‘”")  # these open only if they are placed like an opening mark
CLOSES_BY_SHAPE = frozenset("\"＂'’")
APOSTROPHES = frozenset("'’‘")
STRAIGHT = frozenset("\"＂'")
CODE = lazy_pattern(r"(?:[=\[{]|\w\()\s?\Z")  # before a string of a program
MOST_APOSTROPHES = 2  # between straight single quotes
# Apostrophes before a word, and after punctuation or before it, which letters of words seldom are.
OPENING = lazy_pattern(r"['‘’](?<![\w.!?,)].)(?=\w)")
CLOSING = lazy_pattern(r"['’](?:(?<=[.,!?…].)(?!\w)|(?<=\w.)(?=[.,;:!?)\s]|\Z))")
FEWEST_LETTERS = 8
MOST_OPEN = 8  # marks without their counterpart; of more the first are ignored
MARKS = "".join(sorted({*CLOSES, *"".join(CLOSES.values())}))
IS_MARK = np.zeros(0x110000, dtype=np.bool_)
IS_MARK[[ord(mark) for mark in MARKS]] = True
BLANK_LINE = lazy_pattern(r"\n[^\S\n]*\n|\f")
LATEX = lazy_pattern(r"``(?=\S)((?:(?!\n[ \t]*\n|``).){1,5000}?)(?<=\S)''", re.DOTALL)
BLOCK = lazy_pattern(r"^[ \t]*>.*(?:\n[ \t]*>.*)*", re.MULTILINE)
ANNOUNCED = lazy_pattern(
    r"^(?![ \t])[^\n]*[:：][ \t]*\n[ \t]*\n"
    r"(?P<block>(?:(?: {3,}|\t)(?!\(?\w{1,4}[.)])[^\s>*+\-•\d][^\n]*)(?:\n(?: {3,}|\t)\S[^\n]*)*)$",
    re.MULTILINE,
)
# Letters of scripts without spaces; 1.6 of them make a word.
ALONE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
UNSPACED = lazy_pattern(f"[{ALONE}]")
SPACED = lazy_pattern(f"[^\\W_{ALONE}]+")
NO_SPACE_BEFORE_MARKS = lazy_pattern(f"[{ALONE}\uac00-\ud7af]")  # Korean particles follow at once
LETTERS_A_WORD = 1.6


class _Open(NamedTuple):
    offset: int
    mark: str


def find_quotations(text: str) -> list[SetAside]:
    """The quotations of a text, in no order; they may overlap."""
    spans = [*_between_marks(text), *_between_latex_marks(text), *_blocks(text)]
    return [SetAside(start, end, Reason.QUOTATION) for start, end in spans]


def word_count(text: str) -> float:
    """About how many words a text has, in any script."""
    return len(SPACED.findall(text)) + len(UNSPACED.findall(text)) / LETTERS_A_WORD


def _between_marks(text: str) -> Iterator[tuple[int, int]]:
    opened: list[_Open] = []
    before = 0
    has_letters = _has_letters_like_marks(text)
    for offset in np.flatnonzero(IS_MARK[code_points(text)]).tolist():
        mark = text[offset]
        if opened and BLANK_LINE.search(text, before, offset):
            yield from _run_on(text, opened[0], offset)
            opened.clear()
        before = offset
        if mark in APOSTROPHES and (has_letters or _is_inside_word(text, offset)):
            continue
        number = _opener_of(opened, mark, text, offset)
        if number is not None:
            start = opened[number].offset
            if _is_quotation(text, start, offset):
                yield start, offset + 1
            del opened[number:]
        elif mark in CLOSES and (mark not in OPENS_BY_SHAPE or _opens(text, offset)):
            if mark in STRAIGHT:
                opened = [opening for opening in opened if opening.mark != mark]
            opened = [*opened[1 - MOST_OPEN :], _Open(offset, mark)]
    if opened:
        yield from _run_on(text, opened[0], len(text))


def _has_letters_like_marks(text: str) -> bool:
    """Whether apostrophes are letters, like glottal stops: many more could open than close."""
    opening = sum(1 for _ in OPENING.finditer(text))
    return opening > FEWEST_LETTERS + 1.25 * sum(1 for _ in CLOSING.finditer(text))


def _opener_of(opened: list[_Open], mark: str, text: str, offset: int) -> int | None:
    """The last mark that a mark can close, if it is placed like a closing mark."""
    if mark in CLOSES_BY_SHAPE and not _closes(text, offset):
        return None
    can_close = (
        number for number in range(len(opened) - 1, -1, -1) if mark in CLOSES[opened[number].mark]
    )
    return next(can_close, None)


def _is_quotation(text: str, start: int, end: int) -> bool:
    """Whether the text between two marks is long enough and, between straight ones, unbroken.

    Languages that write a glottal stop as an apostrophe have many inside of it.
    """
    if end - start > MOST_CHARACTERS or not _is_long(text, start, end):
        return False
    if text[start] in STRAIGHT and CODE.search(text, max(0, start - 3), start):
        return False
    return text[end] != "'" or text.count("'", start + 1, end) <= MOST_APOSTROPHES


def _run_on(text: str, opened: _Open, end: int) -> Iterator[tuple[int, int]]:
    """A paragraph from an open mark on, if the next one begins with the same mark again."""
    line = text[max(text.rfind("\n", 0, opened.offset), text.rfind("\f", 0, opened.offset)) + 1 :]
    if opened.mark in OPENS_BY_SHAPE or not line.lstrip().startswith(opened.mark):
        return
    blank = BLANK_LINE.search(text, opened.offset, end)
    if blank is None or not text.startswith(opened.mark, _next_letter(text, blank.end())):
        return
    if _is_long(text, opened.offset, blank.start()):
        yield opened.offset, blank.start()


def _next_letter(text: str, offset: int) -> int:
    while offset < len(text) and text[offset].isspace():
        offset += 1
    return offset


def _is_inside_word(text: str, offset: int) -> bool:
    around = text[offset - 1 : offset] if offset else "", text[offset + 1 : offset + 2]
    return all(map(_is_of_word, around))


def _is_of_word(letter: str) -> bool:
    """Whether a character belongs to a word of a script that has spaces before quotations."""
    return letter.isalnum() and not NO_SPACE_BEFORE_MARKS.match(letter)


def _opens(text: str, offset: int) -> bool:
    """Whether a mark is placed like an opening one: right before a word, not right after one."""
    before, after = text[offset - 1 : offset] if offset else "", text[offset + 1 : offset + 2]
    if _is_of_word(before) or before in set(".!?)]}%"):
        return False
    return not (after or " ").isspace() and after not in set(",;:!?)")


def _closes(text: str, offset: int) -> bool:
    """Whether a mark is placed like a closing one: not after a space, not right before a word.

    After an s and before a space, an apostrophe may mark a plural possessive. A straight one closes
    only beside punctuation, a curved one unless another follows before the next opening mark.
    """
    before, after = text[offset - 1 : offset] if offset else "", text[offset + 1 : offset + 2]
    if not before or before.isspace() or _is_of_word(after):
        return False
    if text[offset] == "'":
        return before in set(".,!?…") or after in set(".,;:!?)")
    if text[offset] == "’" and before in set("sS") and after.isspace():
        rest = text[offset + 1 : offset + AHEAD]
        rest = rest[: rest.find("‘")] if "‘" in rest else rest
        return not re.search(r"[^\W\d_]?[^\s]’(?=[\s.,;:!?)]|\Z)", BLANK_LINE.split(rest)[0])
    return True


def _is_long(text: str, start: int, end: int) -> bool:
    return word_count(text[start : min(end, start + AHEAD)]) >= LEAST_WORDS


def _between_latex_marks(text: str) -> Iterator[tuple[int, int]]:
    if "``" in text:
        for match in LATEX.finditer(text):
            if _is_long(text, *match.span()):
                yield match.span()


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    if ">" in text:
        for match in BLOCK.finditer(text):
            start, end = match.span()
            if end - start > MOST_CHARACTERS or not _is_announced(text, start):
                continue
            if _is_long(text, *match.span()):
                yield match.span()
    if ":" in text or "：" in text:
        for match in ANNOUNCED.finditer(text):
            if word_count(match["block"]) >= LEAST_OF_BLOCK and _is_prose(match["block"]):
                yield match.span("block")


def _is_announced(text: str, start: int) -> bool:
    return text[max(0, start - AHEAD) : start].rstrip(" \t\n*_").endswith((":", "："))


def _is_prose(text: str) -> bool:
    """Whether a block is no program and no table: nearly all letters and spaces."""
    plain = sum(
        character.isalpha() or character.isspace() or character in ",.'’-" for character in text
    )
    return plain >= 0.9 * len(text)
