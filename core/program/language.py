"""The language that the program starts in: the one that is asked for, else that of the system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from core.base.assets import resource
from core.base.messages import ENGLISH, gettext, load_language, use_language
from core.errors import NeardupError, SettingsError

OPTION = "--language"


def choose_language(arguments: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """Use the language that stands before all other arguments; returns these.

    `neardup --language CODE scan …`: behind a command, the option is that of the texts.

    Raises:
        SettingsError: There is no such language.
    """
    rest = list(arguments)
    code = ""
    if rest and rest[0].partition("=")[0] == OPTION:
        option, equals, code = rest.pop(0).partition("=")
        code = code if equals else (rest.pop(0) if rest else "")
        if code not in languages():
            raise SettingsError(
                gettext(
                    "{option}: there is no language “{code}”. There are {codes}.",
                    option=option,
                    code=code,
                    codes=", ".join(languages()),
                )
            )
    code = code or language_of_system(environment)
    if code != ENGLISH:
        use_language(load_language(code))
    return rest


@cache
def own_name(code: str) -> str:
    """What a language is called in itself: "Deutsch"; its code where that is not known."""
    from babel import Locale, UnknownLocaleError  # noqa: PLC0415 - only who chooses one pays for it

    try:
        return (Locale.parse(code).get_language_name() or code).capitalize()
    except UnknownLocaleError:
        return code


def languages() -> list[str]:
    """The codes of all languages that have a catalogue, English first."""
    try:
        catalogues = resource("languages").glob("*/LC_MESSAGES/neardup.mo")
        return [ENGLISH, *sorted(path.parents[1].name for path in catalogues)]
    except NeardupError:
        return [ENGLISH]


def language_of_system(environment: Mapping[str, str]) -> str:
    """The first language that the environment asks for and that is there, as GNU gettext has it."""
    values = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, values), "C")
    if locale.partition(".")[0] in ("C", "POSIX"):
        return ENGLISH
    known = languages()
    for wanted in (environment.get("LANGUAGE") or locale).split(":"):
        code = wanted.partition(".")[0].partition("@")[0]
        for candidate in (code, code.partition("_")[0]):
            if candidate in known:
                return candidate
    return ENGLISH
