"""Sentences on what a text has that a reader does not see: facts, none of them a proof."""

from __future__ import annotations

import unicodedata
from collections import Counter

from core.base.wording import counted
from core.text.disguise_marks import DisguiseMark, MarkKind, find_disguise_marks

LONGEST_EXAMPLE = 40  # characters


def sentences_on_disguises(text: str) -> tuple[str, ...]:
    """The facts in sentences; none about an ordinary text."""
    marks = find_disguise_marks(text)
    counts = Counter[MarkKind]()
    for mark in marks:
        counts[mark.kind] += mark.characters
    first = {mark.kind: mark for mark in reversed(marks)}
    return tuple(_sentence(text, first[kind], counts[kind]) for kind in MarkKind if counts[kind])


def _sentence(text: str, first: DisguiseMark, count: int) -> str:
    verb = "stands" if count == 1 else "stand"
    match first.kind:
        case MarkKind.LETTER:
            what = counted(count, "letter of another script", "letters of other scripts")
            one, several = (
                "counts as the letter it looks like",
                "count as the letters they look like",
            )
            example = f"“{_word(text, first)}” ({first.says})"
            end = one if count == 1 else several
            return f"{what} {verb} within words, as in {example}, and {end}."
        case MarkKind.BLANK:
            what = counted(count, "blank that is no space", "blanks that are no spaces")
            end = "counts as a space" if count == 1 else "count as spaces"
            return f"{what} ({first.says}) {verb} in the text and {end}."
        case _:
            what = counted(count, str(first.kind), f"{first.kind}s")
            name = "" if first.kind is MarkKind.SOFT_HYPHEN else f" ({first.says})"
            end = "does not count" if count == 1 else "do not count"
            return f"{what} {verb} within words, as in “{_word(text, first)}”{name}, and {end}."


def _word(text: str, mark: DisguiseMark) -> str:
    """The word of a mark, without what is not seen."""
    start, end = mark.start, mark.end
    while start > 0 and mark.start - start < LONGEST_EXAMPLE and _goes_on(text[start - 1]):
        start -= 1
    while end < len(text) and end - mark.end < LONGEST_EXAMPLE and _goes_on(text[end]):
        end += 1
    return "".join(one for one in text[start:end] if one.isprintable())[:LONGEST_EXAMPLE]


def _goes_on(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character) in {"Cf", "Mn", "Mc"}
