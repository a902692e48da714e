"""The messages of the program in the language of the person who reads them, as GNU gettext has it.

    gettext("{name} is missing.", name=printable_name(name))
    ngettext("{n} pair", "{n} pairs", number)
    pgettext("column", "Overlap")
    TITLES = {"a": N_("A constant, which `gettext` translates where it is shown")}

A message is a whole sentence with named placeholders: another language has another order of words,
so nothing is put together from fragments. English is the source; a message that a catalogue does
not have, or has with other placeholders, is shown in English. `make words` extracts the messages
into `resources/languages` and compiles the catalogues. What is written for programs (headings of
CSV, JSON, the record) is no message.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from gettext import GNUTranslations, NullTranslations

from core.base.assets import resource
from core.errors import NeardupError

ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class Language:
    """A language with its catalogue and its signs for numbers.

    Attributes:
        code: As in "de" or "pt_BR" (Unicode CLDR).
        catalogue: What its messages are.
        group: Between thousands.
        decimal: Between a whole number and its decimals.
        percent: A percentage around its number, as in "{}%" or "{} %".
    """

    code: str = ENGLISH
    catalogue: NullTranslations = field(default_factory=NullTranslations)
    group: str = ","
    decimal: str = "."
    percent: str = "{}%"


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
        with resource(f"languages/{code}/LC_MESSAGES/neardup.mo").open("rb") as file:
            catalogue = GNUTranslations(file)
        from babel import Locale  # noqa: PLC0415 - only other languages pay for it

        symbols = Locale.parse(code).number_symbols["latn"]
        pattern = Locale.parse(code).percent_formats[None].pattern
    except (NeardupError, OSError, ValueError, LookupError, UnicodeDecodeError) as error:
        logging.getLogger(__name__).warning("no catalogue for %s, so English: %s", code, error)
        return Language()
    number, sign = pattern.find("#"), pattern.strip("#,0")
    percent = f"{{}}{sign}" if number == 0 else f"{sign}{{}}"
    return Language(code, catalogue, symbols["group"], symbols["decimal"], percent)


def N_(message: str) -> str:  # noqa: N802, the name that gettext's manual gives it
    """Mark a constant as a message; it is translated by `gettext` where it is shown."""
    return message


def gettext(message: str, **values: object) -> str:
    """A message in the reader's language, with its placeholders filled."""
    return _filled(language().catalogue.gettext(message), message, values)


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
    """A message with its values; the English one where a translation names others."""
    if not values:
        return translated
    try:
        return translated.format(**values)
    except (KeyError, IndexError, ValueError, AttributeError):
        return source.format(**values)
