"""The language that the program starts in: the one that is asked for, else that of the system."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import cache

from core.base.assets import resource
from core.base.messages import ENGLISH, load_language, use_language
from core.errors import NeardupError, SettingsError

OPTION = "--language"
# Who reads traditional characters is not served by a catalogue in simplified ones.
TRADITIONAL = ("zh_HK", "zh_MO", "zh_TW")


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
        catalogue = _catalogue_for(code)
        if catalogue is None:
            raise SettingsError(
                "{option}: there is no language “{code}”. There are {codes}.",
                option=option,
                code=code,
                codes=", ".join(languages()),
            )
        code = catalogue
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
    """The first language that the environment asks for and that is there.

    Read as GNU gettext does, but that Portuguese of Portugal is shown in that of Brazil. Windows
    is asked where the environment says nothing.
    """
    values = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, values), "") or _locale_of_windows()
    if locale.partition(".")[0] in ("", "C", "POSIX"):
        return ENGLISH
    wanted = (environment.get("LANGUAGE") or locale).split(":")
    catalogues = (_catalogue_for(name.partition(".")[0].partition("@")[0]) for name in wanted)
    return next(filter(None, catalogues), ENGLISH)


def _catalogue_for(code: str) -> str | None:
    """The code of the catalogue for a language: `de` for `de_AT`, `pt_BR` for `pt`."""
    code = code.replace("-", "_")
    language = code.partition("_")[0]
    alike = [name for name in languages() if name.partition("_")[0] == language]
    if code in alike:
        return code
    is_traditional = code in TRADITIONAL or "hant" in code.lower()
    return alike[0] if alike and not is_traditional else None


def _locale_of_windows() -> str:
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - only Windows has it
        from locale import windows_locale  # noqa: PLC0415

        return windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")
    return ""
