"""The people whom documents name as their authors: names and numbers where the documents begin.

Three ways in which a head names somebody, from the surest on:

    Name: Anna Kowalczyk · Matr.-Nr. 4402539      a field of a title page, a form or a mail
    submitted by                                  a phrase, with the name after it or in the
    Anna Kowalczyk                                next line
    Anna Kowalczyk and Jan Novak                  a line of names alone, before the first paragraph

The last is believed only where no word of the line is one of the language: so are titles written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from core.base.assets import tables_in
from core.base.patterns import lazy_pattern
from core.documents.model import Document
from core.reports.pseudonyms import word_forms
from core.text.characters import FILLER
from core.text.disguises import as_seen

HEAD = 3_000  # characters in which a document says who it is by
HEAD_LINES = 60
TOGETHER = 500  # documents whose letters are read at once
LONGEST_NAME = 80  # characters
MOST_WORDS = 5  # of a name
PARAGRAPH = 90  # characters of a line with which the text begins
LEAST_DIGITS = 5
FEW_WORDS = 3  # of a name in lower case

# Fields in which a person stands, and a number of one; phrases that a name follows without a colon,
# "by" within a line, the others where one begins; each language in a line. And the most frequent
# family names in scripts without capitals, of about four fifths of the people.
_PERSON_FIELDS, _NUMBER_FIELDS, _PHRASES, _TITLES, _PARTICLES, _NO_NAMES, _HAN, _HANGUL = tables_in(
    Path(__file__).with_suffix(".txt")
).values()


class HeadName(NamedTuple):
    """Somebody whom the head of a document names.

    Attributes:
        name: As it is written, without titles and invisible characters.
        is_stated: Whether the head says so; otherwise a line only looks like it.
        numbers: The numbers beside the name.
    """

    name: str
    is_stated: bool
    numbers: tuple[str, ...] = ()


def author_names_in(
    documents: Sequence[Document], text_of: Callable[[int], str]
) -> list[list[HeadName]]:
    """Whom each document names before its first paragraph; of a submission, each of its files."""
    names: list[list[HeadName]] = []
    for first in range(0, len(documents), TOGETHER):
        heads: list[tuple[int, str]] = []
        for number, document in enumerate(documents[first : first + TOGETHER], start=first):
            names.append([])
            text = text_of(number)
            starts = [member.start for member in document.members] or [0]
            heads += [(number, text[start : start + HEAD]) for start in starts]
        seen = as_seen([head for _, head in heads]).texts
        for (number, _), head in zip(heads, seen, strict=True):
            names[number] += _in_head(_as_read(head))
    return names


_UNSEEN = lazy_pattern(
    r"[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)


def _as_read(text: str) -> str:
    """A text with letters in circles as letters, and without invisible characters."""
    read = unicodedata.normalize("NFKC", text.replace(FILLER, ""))
    if read.isascii():
        return read
    return _UNSEEN.sub("", read)


def _in_head(text: str) -> Iterator[HeadName]:
    lines = [text_line for text_line in map(_unmarked, _joined(text).splitlines()) if text_line][
        :HEAD_LINES
    ]
    is_before_text = True
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        is_before_text = is_before_text and not _is_paragraph(line)
        fields = list(_fields(line, below)) if len(line) <= 2 * PARAGRAPH else []
        yield from fields
        if not fields and is_before_text:
            yield from _byline(line)


_BYLINE = lazy_pattern(r"(?P<names>[^\d(]+?)[\s,;:(–—-]*(?P<number>[A-Za-z]{0,3}\d{5,20})?[\s)]*")
_MAIL = lazy_pattern(r"[<(]?\S+@\S+[>)]?")


def _byline(line: str) -> Iterator[HeadName]:
    """The names and the number that a line consists of."""
    match = _BYLINE.fullmatch(_MAIL.sub("", line))
    if not match:
        return
    for name in _names(match["names"], least=2):
        if len(name.split()) < MOST_WORDS and all(map(_script_marks_names, name.split())):
            numbers = re.findall(r"\d+", word_forms.digits_of(match["number"] or ""))
            yield HeadName(name, is_stated=False, numbers=tuple(numbers))


# What a writing program or a disguise puts between the letters of a name.
_BROKEN = lazy_pattern(r"(?<=[^\W\d_])[-\u00ad\u2010\u2011]\s*\n\s*(?=[^\W\d_])")
_LETTERS = r"(?<![^\W_])[^\W\d_](?:[ ._-][^\W\d_]){2,}(?![^\W_])"
_SPACED = lazy_pattern(rf"{_LETTERS}(?: {{2,3}}{_LETTERS})*")


_GAPS = lazy_pattern(r"(?<=[^\W_])[ ._-](?=[^\W_])")


def _joined(text: str) -> str:
    """A text with words joined that are parted at the ends of lines, or letter by letter."""
    text = _BROKEN.sub("", text)
    return _SPACED.sub(lambda match: " ".join(_GAPS.sub("", match[0]).split()), text)


def _unmarked(line: str) -> str:
    """A line without markup: "**Name:** Anna", "| Name | Anna |", "- Anna"."""
    return re.sub(r"[*_`#|{}\[\]\\\"“”]+", " ", line.replace("\t", "  ")).strip(" -–—•·>~=+/")


def _is_paragraph(line: str) -> bool:
    return len(line) > PARAGRAPH or (line[-1] in ".!?;…。！？" and line.count(" ") > MOST_WORDS)


def _alternatives(fields: str) -> str:
    """A pattern of fields, the longest first."""
    every = {field.strip() for field in re.split(r"[|\n]", fields)} - {""}
    return "|".join(
        re.escape(field).replace(r"\ ", r"\s+")
        for field in sorted(every, key=lambda field: (-len(field), field))
    )


@cache
def _person() -> re.Pattern[str]:
    """A field with its value: "Author(s): …", "Verfasser/in: …", "Name (in capitals): …"."""
    field = rf"(?:{_alternatives(_PERSON_FIELDS)})"
    of_several = r"(?:\s*\((?:s|in|a|n|e|и)\)|[/*:_](?:in(?:nen)?|as?|e))?"
    remark = r"(?:\s*\([^()]{1,20}\))?"
    return re.compile(
        rf"(?<!\w){field}(?:\s*[/,&+]\s*{field})*{of_several}{remark}\s*[:：=]\s*(?P<value>.*)$",
        re.IGNORECASE,
    )


@cache
def _lonely() -> re.Pattern[str]:
    """A field by itself, or before blanks as in a table."""
    field = _alternatives(_PERSON_FIELDS)
    blanks = r"(?:\s{2,}|(?<=[\u3040-\u9fff\uac00-\ud7af])\s+)"
    return re.compile(rf"(?:{field})(?:{blanks}(?P<value>.+))?", re.IGNORECASE)


@cache
def _number() -> re.Pattern[str]:
    field = _alternatives(_NUMBER_FIELDS)
    value = r"(?P<value>[A-Z]{0,4}[ .-]?\d[\d .\-/]*)"
    return re.compile(rf"(?<!\w)(?:{field})\.?\s*[:：=#]?\s*{value}", re.IGNORECASE)


@cache
def _phrase() -> re.Pattern[str]:
    begin = rf"(?:{_alternatives(_PHRASES)})(?:\s+|(?<=[\u3400-\u9fff])\s*)(?P<value>.+)"
    after = rf".{{0,{PARAGRAPH}}}[\s,(:]by\s+(?P<behind>[^,;]+)"
    return re.compile(rf"{begin}|{after}", re.IGNORECASE)


def _fields(line: str, below: str) -> Iterator[HeadName]:
    """The people and numbers of a line that says whose they are."""
    numbers = tuple(
        digits
        for match in _number().finditer(line)
        if len(digits := re.sub(r"\D", "", word_forms.digits_of(match["value"]))) >= LEAST_DIGITS
    )
    people: list[str] = []
    fields = list(_people_in(line))
    for value in fields:
        people += _values(value or below)
        numbers += tuple(re.findall(r"\d{5,20}", word_forms.digits_of(value or below)))
    if not fields and (match := _lonely().fullmatch(line)):
        people += _names(match["value"] or below, least=1 if match["value"] else 2)
    elif not fields and (match := _phrase().fullmatch(line)):
        people += _names(match["value"] or match["behind"], least=2)
    if people or numbers:
        yield from (HeadName(person, is_stated=True, numbers=numbers) for person in people or [""])


def _people_in(line: str) -> Iterator[str]:
    """The values of the fields of a line, each with the fields after it."""
    start = 0
    while _HAS_FIELD.search(line, start) and (match := _person().search(line, start)):
        yield match["value"].strip()
        start = match.start("value")


_HAS_FIELD = lazy_pattern(r"[:：=]")
_NEXT_FIELD = lazy_pattern(r"\s+\S+\s*[:：=](?=\s|$).*$|\s{2,}.*$|\s*[·|/;]\s*\S+\s*[:：].*$")
_AFTER_NAME = lazy_pattern(r"[(<\[{0-9@…].*$")
_AND = lazy_pattern(r"\s*(?:[;&、·/]|\s(?:and|und|et|y|e|i|en|och|og|ja|és|și|ve|и|та|και|و)\s)\s*")


def _values(value: str) -> list[str]:
    """The names in a field, which may be written in lower case."""
    words = _NEXT_FIELD.sub("", value).split(" ")
    while words and len(words) < len(value.split(" ")) and _is_role(word_forms.folded(words[-1])):
        words.pop()  # of the next field: "Student ID:"
    value = " ".join(words)
    if value.islower():
        return _names(value.title(), least=2) if value.count(" ") < FEW_WORDS else []
    return _names(value, least=1)


def _names(line: str, least: int) -> list[str]:
    """The names that a line consists of; none where it holds anything else.

    Args:
        line: The line.
        least: Words that a name has; with fewer it is a word.
    """
    line = _AFTER_NAME.sub("", line).strip(" ,.-–—")
    if not line or len(line) > 3 * LONGEST_NAME:
        return []
    names: list[str] = []
    for piece in _AND.split(line):
        sides = [side for side in map(_without_titles, piece.split(",")) if side]
        if len(sides) == 2 and " " not in sides[0]:
            sides = [" ".join(sides)]  # Kowalczyk, Anna
        names += sides
    return names if all(_is_name(name, least) for name in names) else []


_DEGREE = lazy_pattern(r"(?:[^\W\d_]{1,5}\.-?){2,}|(?:Ph|M|B)\.[A-Z]\w?\.?")  # B.Sc., Dipl.-Ing.


def _without_titles(name: str) -> str:
    """A name without titles, degrees and roles in lower case, as "student"."""
    return " ".join(
        word
        for word in name.split()
        if word_forms.folded(word.strip(".")) not in _set_of(_TITLES)
        and not _DEGREE.fullmatch(word)
        and not (word.islower() and _is_role(word_forms.folded(word)))
    )


@cache
def _set_of(words: str) -> frozenset[str]:
    return frozenset(map(word_forms.folded, re.split(r"[\s|]+", words))) - {""}


@cache
def _ordinary() -> frozenset[str]:
    listed = _set_of(f"{_NO_NAMES} {_PERSON_FIELDS} {_NUMBER_FIELDS}")
    return listed - _set_of(_PARTICLES)


def is_of_documents(word: str) -> bool:
    """Whether a folded word names a document, or a field or part of one: essay, final, Abgabe."""
    return word in _ordinary()


def may_be_unspaced_name(text: str) -> bool:
    """Whether a word without spaces is written as the name of a person: 李雷, 김철수."""
    if not 2 <= len(text) <= 4:
        return False
    return text[0] in _HAN or (text[0] in _HANGUL and len(text) in (2, 3))


def _is_role(word: str) -> bool:
    return is_of_documents(word) and not word_forms.is_function_word(word)


def _is_name(name: str, least: int) -> bool:
    words = name.split()
    if word_forms.UNSPACED.fullmatch("".join(words)):
        joined = "".join(words)
        return 2 <= len(joined) <= 12 and (least == 1 or may_be_unspaced_name(joined))
    telling = [word for word in words if word_forms.folded(word) not in _set_of(_PARTICLES)]
    if not least <= len(telling) <= MOST_WORDS or len(name) > LONGEST_NAME:
        return False
    folded_words = [*map(word_forms.folded, telling)]
    if word_forms.is_determiner(folded_words[0]) or all(map(is_of_documents, folded_words)):
        return False
    if (
        len(telling) > 2 and sum(map(word_forms.is_function_word, folded_words)) > 1
    ):  # but Li Bo, Bára Will
        return False
    return all(map(_is_of_name, telling)) and any(len(word.strip(".")) > 1 for word in telling)


@cache
def _name_word() -> re.Pattern[str]:
    word = word_forms.word_pattern().pattern
    return re.compile(rf"{word}(?:['’ʼ‘-]{word})*\.?")


def _script_marks_names(word: str) -> bool:
    """Whether the script of a word tells names from words: by capitals, or by family names."""
    return word[0].lower() != word[0].upper() or bool(word_forms.UNSPACED.fullmatch(word))


def _is_of_name(word: str) -> bool:
    has_case = word[0].lower() != word[0].upper()
    return bool(_name_word().fullmatch(word)) and (not has_case or word[0].isupper())
