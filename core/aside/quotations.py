"""Quotations in one text: between marks of many languages, and set off as a block.

1. Marks are paired within a paragraph: “ ” „ “ « » » « ‹ › ‚ ‘ ‘ ’ ” ” 「 」 『 』 〝 〟 `` '' and
   straight ones. An apostrophe is no mark; straight quotes and single ones must stand like an
   opening mark, behind a space or bracket, and like a closing one, before a space or punctuation.
2. A mark without its other is passed over, so that none swallows a document; a straight one, too,
   behind which another opens. “ may end in " and " in ”, as in texts that were edited often. Only
   where each paragraph begins with an opening mark, a quotation runs over several, as printers do
   it.
3. What is shorter than a few words is a title or a word that is talked about, and stays.
4. A string of a program is none, nor is what stands between apostrophes that are letters: where
   most marks like ‘ and ' that could open have no other, none of them does.
5. A block quotation is a run of lines that begin with ">", or an indented paragraph, that the text
   before announces with a colon. Lines with ">" that nothing announces are examples and remarks,
   and set off whole schedules.

Marks count with what they hold. Positions are code points.
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

# How lists of references are headed.
HEADINGS = frozenset(
    Path(__file__).with_name("headings.txt").read_text("utf-8").casefold().splitlines()
)


LEAST_WORDS = 5
MOST_CHARACTERS = 5_000  # of a quotation in a paragraph
AHEAD = 300  # characters in which a mark that closes better is sought
LEAST_OF_BLOCK = 8  # words of an indented one
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
OPENS_BY_SHAPE = frozenset("\"＂'‘”")  # these open only where they stand like an opening mark
CLOSES_BY_SHAPE = frozenset("\"＂'’")
APOSTROPHES = frozenset("'’‘")
STRAIGHT = frozenset("\"＂'")
CODE = lazy_pattern(r"(?:[=\[{]|\w\()\s?\Z")  # before a string of a program
MOST_APOSTROPHES = 2  # between straight single quotes
# Apostrophes before a word, and behind punctuation or before it, where letters of words stand less.
OPENING = lazy_pattern(r"['‘’](?<![\w.!?,)].)(?=\w)")
CLOSING = lazy_pattern(r"['’](?:(?<=[.,!?…].)(?!\w)|(?<=\w.)(?=[.,;:!?)\s]|\Z))")
FEWEST_LETTERS = 8
MOST_OPEN = 8  # marks without their other; of more the first are passed over
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
    place: int
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
    for place in np.flatnonzero(IS_MARK[code_points(text)]).tolist():
        mark = text[place]
        if opened and BLANK_LINE.search(text, before, place):
            yield from _run_on(text, opened[0], place)
            opened.clear()
        before = place
        if mark in APOSTROPHES and (has_letters or _is_inside_word(text, place)):
            continue
        number = _opener_of(opened, mark, text, place)
        if number is not None:
            start = opened[number].place
            if _is_quotation(text, start, place):
                yield start, place + 1
            del opened[number:]
        elif mark in CLOSES and (mark not in OPENS_BY_SHAPE or _opens(text, place)):
            if mark in STRAIGHT:
                opened = [opening for opening in opened if opening.mark != mark]
            opened = [*opened[1 - MOST_OPEN :], _Open(place, mark)]
    if opened:
        yield from _run_on(text, opened[0], len(text))


def _has_letters_like_marks(text: str) -> bool:
    """Whether apostrophes are letters, as glottal stops are: many more could open than close."""
    opening = sum(1 for _ in OPENING.finditer(text))
    return opening > FEWEST_LETTERS + 1.25 * sum(1 for _ in CLOSING.finditer(text))


def _opener_of(opened: list[_Open], mark: str, text: str, place: int) -> int | None:
    """The mark that one closes: the last of those it can close, if it stands like one."""
    if mark in CLOSES_BY_SHAPE and not _closes(text, place):
        return None
    can_close = (
        number for number in range(len(opened) - 1, -1, -1) if mark in CLOSES[opened[number].mark]
    )
    return next(can_close, None)


def _is_quotation(text: str, start: int, end: int) -> bool:
    """Whether what stands between two marks is as long as one and, between straight ones, whole.

    Languages that write a glottal stop as an apostrophe have them everywhere.
    """
    if end - start > MOST_CHARACTERS or not _is_long(text, start, end):
        return False
    if text[start] in STRAIGHT and CODE.search(text, max(0, start - 3), start):
        return False
    return text[end] != "'" or text.count("'", start + 1, end) <= MOST_APOSTROPHES


def _run_on(text: str, opened: _Open, end: int) -> Iterator[tuple[int, int]]:
    """A paragraph from an open mark on, where the next one begins with the same mark again."""
    line = text[max(text.rfind("\n", 0, opened.place), text.rfind("\f", 0, opened.place)) + 1 :]
    if opened.mark in OPENS_BY_SHAPE or not line.lstrip().startswith(opened.mark):
        return
    blank = BLANK_LINE.search(text, opened.place, end)
    if blank is None or not text.startswith(opened.mark, _next_letter(text, blank.end())):
        return
    if _is_long(text, opened.place, blank.start()):
        yield opened.place, blank.start()


def _next_letter(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place


def _is_inside_word(text: str, place: int) -> bool:
    around = text[place - 1 : place] if place else "", text[place + 1 : place + 2]
    return all(map(_is_of_word, around))


def _is_of_word(letter: str) -> bool:
    """Whether a character belongs to a word of a script that has spaces before quotations."""
    return letter.isalnum() and not NO_SPACE_BEFORE_MARKS.match(letter)


def _opens(text: str, place: int) -> bool:
    """Whether a mark stands like one that opens: not right behind a word, right before one."""
    before, after = text[place - 1 : place] if place else "", text[place + 1 : place + 2]
    if _is_of_word(before) or before in set(".!?)]}%"):
        return False
    return not (after or " ").isspace() and after not in set(",;:!?)")


def _closes(text: str, place: int) -> bool:
    """Whether a mark stands like one that closes: right behind something, not before a word.

    Behind an s and before a space, an apostrophe may be that of several owners. A straight one
    closes only beside punctuation, a curved one unless there is another before the next opens.
    """
    before, after = text[place - 1 : place] if place else "", text[place + 1 : place + 2]
    if not before or before.isspace() or _is_of_word(after):
        return False
    if text[place] == "'":
        return before in set(".,!?…") or after in set(".,;:!?)")
    if text[place] == "’" and before in set("sS") and after.isspace():
        rest = text[place + 1 : place + AHEAD]
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
    """Whether a block is no program and no table: nearly all of it letters and spaces."""
    plain = sum(
        character.isalpha() or character.isspace() or character in ",.'’-" for character in text
    )
    return plain >= 0.9 * len(text)
