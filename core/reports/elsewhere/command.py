"""`neardup scan` with what differs from its defaults, quoted for POSIX shells and PowerShell."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from core.base.setting import Setting, settings_of, values_of
from core.base.wording import counted
from core.documents.reading_settings import DEFAULT_LIMITS
from core.documents.roles import Role
from core.reports.elsewhere.asked import USUAL, USUAL_READING, Asked, ReadyLines
from core.settings import ScanSettings

FOLDER = "FOLDER"
BARE = re.compile(r"[\w./:\\+=-]+")  # in PowerShell
EXPANDS = re.compile(r"[$`%\"“”„]")  # between double quotes there, and % in cmd
QUOTES = re.compile(r"(['‘’‚‛])")  # each ends a text between single quotes there


def posix_line(asked: Asked) -> ReadyLines:
    """For sh, bash and zsh."""
    line = shlex.join(["neardup", *scan_arguments(asked)])
    return ReadyLines("neardup scan, for Linux and macOS", line, _left_out(asked))


def windows_line(asked: Asked) -> ReadyLines:
    """For PowerShell; where no name has a sign that it takes for its own, also for cmd."""
    line = " ".join(["neardup", *map(_quoted, scan_arguments(asked))])
    return ReadyLines("neardup scan, for Windows (PowerShell)", line, _left_out(asked))


def scan_arguments(asked: Asked) -> list[str]:
    """The arguments after `neardup`, one each."""
    return ["scan", *_folders(asked), *_settings(asked.settings), *_reading(asked), *_aside(asked)]


def _folders(asked: Asked) -> Iterator[str]:
    for path in asked.of_role(Role.REVIEW) or [FOLDER]:
        yield f"./{path}" if path.startswith("-") else path
    for role, option in ((Role.REFERENCE, "--reference"), (Role.TEMPLATE, "--template")):
        for path in asked.of_role(role):
            yield from (option, path)


def _settings(settings: ScanSettings) -> Iterator[str]:
    usual = values_of(USUAL)
    if settings.unit != USUAL.unit:
        usual["keep_punctuation"] = ScanSettings(unit=settings.unit).keep_punctuation
    yield from _differing(settings, usual)


def _reading(asked: Asked) -> Iterator[str]:
    yield from _differing(asked.reading, values_of(USUAL_READING))
    usual = values_of(DEFAULT_LIMITS)
    for name, value in values_of(asked.reading.limits).items():
        if value != usual[name]:
            yield from ("--limit", f"{name}={value}")


def _differing(settings: object, usual: dict[str, object]) -> Iterator[str]:
    declared = settings_of(settings)
    for name, value in values_of(settings).items():
        if value != usual[name]:
            yield from _option(name, declared[name], value)


def _option(name: str, setting: Setting, value: object) -> tuple[str, ...]:
    option = setting.option or f"--{name.replace('_', '-')}"
    if setting.is_switch:
        return (option if value else option.replace("--", "--no-", 1),)
    return (option, str(value))


def _aside(asked: Asked) -> Iterator[str]:
    rules = asked.rules
    named = [name for name in ("quotations", "bibliography", "repeated") if getattr(rules, name)]
    if rules.common:
        named.append(f"common={rules.common}")
    if named:
        yield from ("--set-aside", ",".join(named))


def _left_out(asked: Asked) -> str:
    sentences = []
    if asked.rules.phrases:
        chosen = counted(len(asked.rules.phrases), "chosen passage")
        sentences.append(f"Not in it: {chosen} set aside; --set-aside-text FILE takes such texts.")
    if asked.reading.passwords:
        sentences.append("Not in it: passwords; --passwords FILE takes them.")
    return " ".join(sentences)


def _quoted(argument: str) -> str:
    """An argument as PowerShell takes it, and cmd too where no sign in it is expanded."""
    if BARE.fullmatch(argument):
        return argument
    if not EXPANDS.search(argument):
        return f'"{argument}"'
    return "'" + QUOTES.sub(r"\1\1", argument) + "'"
