"""The messages of the program in the language of the person who reads them, as GNU gettext has it.

    gettext("{name} is missing.", name=printable_name(name))
    ngettext("{n} pair", "{n} pairs", number)
    pgettext("column", "Overlap")
    TITLES = {"a": N_("A constant, which `gettext` translates where it is shown")}

    stored("{n} pages have no text", n=pages)  # English, as files and reviews keep it
    as_shown(document.remark)  # what was stored, in the reader's language

A message is a whole sentence with named placeholders: another language has another order of words,
so nothing is put together from fragments. English is the source; a message that a catalogue does
not have, or has with other placeholders, is shown in English. `make words` extracts the messages
into `resources/languages` and compiles the catalogues. What is written for programs (headings of
CSV, JSON, the record) is no message.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache, partial
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import TypeVar

from core.base.assets import resource
from core.base.patterns import lazy_pattern
from core.errors import NeardupError

ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class Language:
    """A language with its catalogue and its signs for numbers.

    Attributes:
        code: As in "de" or "pt_BR" (Unicode CLDR).
        catalogue: Its messages.
        group: Between thousands.
        decimal: Between a whole number and its decimals.
        percent: A percentage around its number, as in "{}%" or "{} %".
        sources: Gives the English of all its messages, of plural forms both; for `as_shown`.
    """

    code: str = ENGLISH
    catalogue: NullTranslations = field(default_factory=NullTranslations)
    group: str = ","
    decimal: str = "."
    percent: str = "{}%"
    sources: Callable[[], Iterable[str | Sequence[str]]] = tuple

    @property
    def tag(self) -> str:
        """As pages name it (BCP 47): "pt-BR"."""
        return self.code.replace("_", "-")

    @property
    def runs_from_right(self) -> bool:
        """Whether its lines run from right to left."""
        return self.code.partition("_")[0] in {"ar", "fa", "he", "ur"}

    @property
    def comma(self) -> str:
        """Between words in a row."""
        return {"ar": "، ", "fa": "، ", "ur": "، ", "ja": "、", "zh": "，"}.get(
            self.code.partition("_")[0], ", "
        )


class _Program:
    language = Language()


_of_context: ContextVar[Language | None] = ContextVar("language", default=None)


def language() -> Language:
    """The language of this context: of the program, unless `in_language` says another."""
    return _of_context.get() or _Program.language


def use_language(chosen: Language) -> None:
    """Make it the language of the program, in every thread."""
    _Program.language = chosen


@contextmanager
def in_language(chosen: Language) -> Iterator[None]:
    """Another language within this context: a report may be in another one than the window."""
    token = _of_context.set(chosen)
    try:
        yield
    finally:
        _of_context.reset(token)


def load_language(code: str) -> Language:
    """A language by its code; where its catalogue is missing or damaged, English and a log line."""
    if code == ENGLISH:
        return Language()
    try:
        with _catalogue(code).open("rb") as file:
            catalogue = GNUTranslations(file)
        from babel import Locale  # noqa: PLC0415 - only other languages pay for it

        symbols = Locale.parse(code).number_symbols["latn"]
        pattern = Locale.parse(code).percent_formats[None].pattern
    except (NeardupError, OSError, ValueError, LookupError, UnicodeDecodeError) as error:
        logging.getLogger(__name__).warning("no catalogue for %s, so English: %s", code, error)
        return Language()
    number, sign = pattern.find("#"), pattern.strip("#,0")
    percent = f"{{}}{sign}" if number == 0 else f"{sign}{{}}"
    sources = partial(_sources, code)
    return Language(code, catalogue, symbols["group"], symbols["decimal"], percent, sources)


def _catalogue(code: str) -> Path:
    return resource(f"languages/{code}/LC_MESSAGES/neardup.mo")


def _sources(code: str) -> list[str | Sequence[str]]:
    from babel.messages.mofile import read_mo  # noqa: PLC0415 - as above

    with _catalogue(code).open("rb") as file:
        return [message.id for message in read_mo(file) if message.id]


def N_(message: str) -> str:  # noqa: N802, the name that gettext's manual gives it
    """Mark a constant as a message; it is translated by `gettext` where it is shown."""
    return message


def gettext(message: str, **values: object) -> str:
    """A message in the reader's language, with its placeholders filled."""
    translated = language().catalogue.gettext(message) if message else ""  # "" has the headers
    return _filled(translated, message, values)


NeardupError.translate = staticmethod(gettext)


def pgettext(context: str, message: str, **values: object) -> str:
    """A message that English has one word for and other languages several; `context` says which."""
    return _filled(language().catalogue.pgettext(context, message), message, values)


def ngettext(singular: str, plural: str, n: int, **values: object) -> str:
    """A message about `n` things, in the plural form that the language has for it.

    `{n}` stands for the number as people read it ("1,630").
    """
    translated = language().catalogue.ngettext(singular, plural, n)
    source = singular if n == 1 else plural
    return _filled(translated, source, {"n": whole_number(n), **values})


@contextmanager
def in_english() -> Iterator[None]:
    """English within this context, or function: for files that programs read, what is stored."""
    with in_language(Language()):
        yield


def stored(message: str, **values: object) -> str:
    """A message in English, for reviews, records and other processes; `as_shown` translates it."""
    return message.format(**values) if values else message


def nstored(singular: str, plural: str, n: int, **values: object) -> str:
    """A message about `n` things in English, as `stored` gives it."""
    return stored(singular if n == 1 else plural, n=f"{int(n):,}", **values)


def as_shown(sentence: str) -> str:
    """A stored message in the reader's language; any other text stays as it is.

    The message is found by its English words around the values, that with most of them first. A
    text that is too long cannot be one: a review may be a stranger's, and finding it takes long.
    """
    chosen = language()
    if chosen.code == ENGLISH or len(sentence) > _LONGEST:
        return sentence
    return _as_shown(chosen, sentence)


_PLACEHOLDER = lazy_pattern(r"{(\w+)}")
_WORDS = 8  # letters besides its values that a message needs, where these are no numbers
_LONGEST = 2_000  # characters of a message with its values
_NUMBER = lazy_pattern(r"[\d.,]+")
_OF_USERS = {"name", "folder"}  # values that are no words of ours, whatever they look like


@lru_cache(maxsize=16)
def _templates(chosen: Language) -> list[tuple[tuple[str, ...], str | Sequence[str]]]:
    """The words around the values of each message, and the message."""
    parts = {
        tuple(_PLACEHOLDER.split(form)): source
        for source in chosen.sources()
        for form in ((source,) if isinstance(source, str) else source)
    }
    named = [item for item in parts.items() if "".join(item[0][::2]).strip()]
    return sorted(named, key=lambda item: -sum(map(len, item[0][::2])))


@lru_cache(maxsize=4096)
def _as_shown(chosen: Language, text: str) -> str:
    """A stored message, or several after each other, in a language."""
    translated = _translated(chosen, text)
    if translated is not None:
        return translated
    for end in re.finditer(r"(?<=[.:]) ", text):
        first = _translated(chosen, text[: end.start()])
        if first is not None:
            return f"{first} {_as_shown(chosen, text[end.end() :])}"
    return text


def _translated(chosen: Language, sentence: str) -> str | None:
    for parts, source in _templates(chosen):
        if not (sentence.startswith(parts[0]) and sentence.endswith(parts[-1])):
            continue
        match = re.fullmatch("(.+)".join(map(re.escape, parts[::2])), sentence, re.DOTALL)
        if match is None or (
            sum(map(len, parts[::2])) < _WORDS and not all(map(_NUMBER.fullmatch, match.groups()))
        ):
            continue
        texts = dict(zip(parts[1::2], match.groups(), strict=True))
        values: dict[str, object] = {
            name: text if name in _OF_USERS else _value_as_shown(chosen, text)
            for name, text in texts.items()
        }
        if isinstance(source, str):
            return _filled(chosen.catalogue.gettext(source), source, values)
        number = texts.get("n", "").replace(",", "")
        translated = chosen.catalogue.ngettext(
            source[0], source[1], int(number) if number.isdigit() else 1
        )
        return _filled(translated, source[-1], values)
    return None


def _value_as_shown(chosen: Language, text: str) -> str:
    if _NUMBER.fullmatch(text):
        return localized(text)
    if text.startswith("“") and text.find("”") == len(text) - 1:
        return gettext("“{name}”", name=text[1:-1])
    return "; ".join(_as_shown(chosen, part) for part in text.split("; "))


def whole_number(number: int) -> str:
    """A whole number with its thousands apart."""
    return localized(f"{int(number):,}")


def localized(number: str) -> str:
    """A number that Python wrote, with the signs of the language between its figures."""
    chosen = language()
    if chosen.code == ENGLISH:
        return number
    return number.translate({ord(","): chosen.group, ord("."): chosen.decimal})


def percentage(number: str) -> str:
    """A number as a percentage: "12%", "12 %"."""
    return language().percent.format(localized(number))


def _filled(translated: str, source: str, values: dict[str, object]) -> str:
    """A message with its values; the English one where a translation has other placeholders."""
    from_right = language().runs_from_right
    if from_right:
        values = {name: isolated_value(value) for name, value in values.items()}
    if values:
        try:
            translated = translated.format(**values)
        except (KeyError, IndexError, ValueError, AttributeError):
            return source.format(**values)
    return _marked_from_right(translated) if from_right else translated


_FROM_RIGHT = lazy_pattern("[\u0590-\u08ff]")
_FROM_LEFT = lazy_pattern("[A-Za-z\u00c0-\u024f\u0370-\u052f\u3040-\u9fff]")
_TURNS = lazy_pattern(r"[^\w.,]")  # letters and figures alone keep their order
_MARK, _ISOLATE, _END_OF_ISOLATE = "\u200f", "\u2068", "\u2069"


T = TypeVar("T")


def isolated_value(value: T) -> T | str:
    """A name, date or formula, which keeps its own order within words that run from the right."""
    if not isinstance(value, str) or _FROM_RIGHT.search(value) or not _TURNS.search(value):
        return value
    return value if value.startswith(_ISOLATE) else f"{_ISOLATE}{value}{_END_OF_ISOLATE}"


def _marked_from_right(text: str) -> str:
    """A sentence that runs from the right also where it begins with a name or a sign of others."""
    if text.startswith(_MARK):
        return text  # an error that is raised with a sentence
    right, left = _FROM_RIGHT.search(text), _FROM_LEFT.search(text)
    return f"{_MARK}{text}" if right and left and left.start() < right.start() else text
