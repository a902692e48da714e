"""Options that several commands share, and the work by them that precedes a command.

They say what to compare, with which settings, how to read files, and what is set aside, which
counts in no number. A setting has its option from its field (see `core.base.setting`).
"""

from __future__ import annotations

import argparse
import errno
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from core.base.messages import N_, gettext
from core.base.setting import Setting, settings_of
from core.base.tasks import Progress
from core.base.wording import any_of, printable_name, quoted, shown_value
from core.commands.terminal import prepared_engine, shown_progress
from core.documents.model import Role
from core.documents.reading_settings import DEFAULT_LIMITS, ReadingLimits, ReadingSettings
from core.errors import SettingsError
from core.program.end_signals import until_interrupted
from core.settings import METHODS, PRESETS, SECTIONS, ScanSettings, SignatureKind

if TYPE_CHECKING:
    from core.exclusions.rules import ExclusionRules, Phrase
    from core.reports.settings_file import SharedSettings
    from core.scan.scan import Scan
    from core.scan.state import ScanState

SETTINGS = settings_of(ScanSettings)
READING = settings_of(ReadingSettings)
LIMITS = settings_of(ReadingLimits)
GROUPS = (
    N_("text and shingles"),
    N_("text and shingles"),
    N_("signatures and bands"),
    N_("pairs to list"),
)
IS_WRONG, NOT_ALL_COMPARED = 3, 4  # exit status of checks of a report or a list
DIGITS = 18  # of a number that anybody could mean
UNREAD = N_("{name} cannot be read: {why}.")
UNITS = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9}


def add_flag(parser: argparse._ActionsContainer, name: str, message: str) -> None:
    """Add an option that is given or not; the message is its help."""
    parser.add_argument(name, action="store_true", help=gettext(message))


def add_show(parser: argparse._ActionsContainer, number: int, message: str) -> None:
    """Add how much is printed, as `options.show`: so many by default, as its help says."""
    words = gettext(message, default=number)
    parser.add_argument("--show", type=whole_number(0), default=number, metavar="N", help=words)


def add_result(
    parser: argparse._ActionsContainer,
    name: str,
    endings: Sequence[str],
    words: str,
    **more: Any,  # noqa: ANN401 - as argparse takes them
) -> None:
    """Add a file to write, or "-" for standard output; `words` are its help."""
    if not {*PRINTED}.isdisjoint(endings):
        words = gettext("{words}; - for standard output", words=words)
    to_write = file_to_write(*endings, or_output=True)
    parser.add_argument(name, type=to_write, metavar="FILE", help=words, **more)


def add_json(parser: argparse._ActionsContainer, words: str) -> None:
    """Add the file of what programs read, as `options.json`; `words` are its help."""
    add_result(parser, "--json", [".json"], words)


def add_folders(parser: argparse.ArgumentParser) -> None:
    """Add the folders to read, as `options.folders`."""
    parser.add_argument("folders", nargs="+", type=_folder, metavar="FOLDER")


def add_roles(parser: argparse.ArgumentParser) -> None:
    """Add the folders that are not to review; `folders_from` reads them."""
    group = parser.add_argument_group(gettext("references and templates"))
    group.add_argument(
        "--reference",
        action="append",
        default=[],
        type=_folder,
        metavar="FOLDER",
        help=gettext(
            "documents that those to review are compared with, and that are never compared with "
            "each other; may be given several times"
        ),
    )
    add_template(group)


def add_template(parser: argparse._ActionsContainer) -> None:
    """Add the option of templates, as `options.template`."""
    parser.add_argument(
        "--template",
        action="append",
        default=[],
        type=_folder,
        metavar="FILE|FOLDER",
        help=gettext(
            "documents whose text counts nowhere, as an assignment sheet; may be given several "
            "times"
        ),
    )


def roles_from(options: argparse.Namespace) -> list[tuple[Path, Role]]:
    """The folders that are given with a role."""
    references = [(folder, Role.REFERENCE) for folder in options.reference]
    return references + [(folder, Role.TEMPLATE) for folder in options.template]


def folders_from(options: argparse.Namespace) -> tuple[list[Path], list[Role]]:
    """All folders, and their roles."""
    both = [*((folder, Role.REVIEW) for folder in options.folders), *roles_from(options)]
    return [folder for folder, _ in both], [role for _, role in both]


def add_setting_options(parser: argparse.ArgumentParser) -> None:
    """Add an option for every setting; `settings_from` reads them."""
    parser.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help=gettext(
            "settings from a file that neardup settings or the window has written; what is given "
            "beside it wins"
        ),
    )
    parser.add_argument(
        "--preset",
        choices=[preset.name for preset in PRESETS],
        metavar="NAME",
        help=gettext(
            "{presets} (default: “{default}”)",
            presets=" ".join(f"“{preset.name}”: {gettext(preset.purpose)}" for preset in PRESETS),
            default=PRESETS[0].name,
        ),
    )
    groups = {title: parser.add_argument_group(gettext(title)) for title in GROUPS}
    for field, setting in SETTINGS.items():
        _add_option(groups[GROUPS[SECTIONS.index(setting.section)]], field, setting)


def _add_option(group: argparse._ArgumentGroup, field: str, setting: Setting) -> None:
    """Add the option of a setting; its value is None where it is not given."""
    more: dict[str, Any] = {}
    if setting.is_switch:
        more["action"] = argparse.BooleanOptionalAction
    else:
        more["metavar"] = setting.metavar or ("N" if setting.is_number else None)
    if setting.is_number:
        more["type"] = int if setting.is_integer else float
    elif setting.choices and not setting.is_switch:
        more["choices"] = tuple(filter(None, setting.choices))
    group.add_argument(_option(field, setting), dest=field, help=setting.described, **more)


def _option(field: str, setting: Setting) -> str:
    return setting.option or f"--{field.replace('_', '-')}"


def gives_settings(options: argparse.Namespace) -> bool:
    """Whether any setting was given on the command line."""
    named = vars(options)
    given = any(named.get(name) is not None for name in SETTINGS)
    return given or options.preset not in (None, PRESETS[0].name) or options.settings is not None


def settings_from(options: argparse.Namespace) -> ScanSettings:
    """The preset, or the settings of a file, with whatever was given on the command line.

    Raises:
        SettingsError: The values contradict themselves, or the file cannot be used.
    """
    given = {
        name: value
        for name, value in vars(options).items()
        if name in SETTINGS and value is not None
    }
    if "unit" in given and "keep_punctuation" not in given:
        given["keep_punctuation"] = None  # as usual for that unit
    if options.settings is not None:
        if options.preset is not None:
            raise SettingsError("Give --settings or --preset, not both: each says everything.")
        usual = _shared(options.settings).scan
    else:
        name = options.preset or PRESETS[0].name
        usual = next(preset.settings for preset in PRESETS if preset.name == name)
    method = METHODS[given.get("signature", usual.signature)]
    for name in SignatureKind.BANDS.value:  # the help of others says with which method they count
        if name in given and not method.uses(name):
            raise SettingsError(
                "{option} means nothing with {method}: leave it out.",
                option=_option(name, SETTINGS[name]),
                method=method.name,
            )
    return usual.with_changes(**given)


def _shared(path: Path) -> SharedSettings:
    from core.reports.settings_file import read_settings_file

    return read_settings_file(path)


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """Add options that `reading_from` reads."""
    group = add_ways_of_reading(parser)
    add_passwords(group)
    group.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=N",
        help=gettext(
            "change what one file may cost, as in memory_bytes=1GB or seconds=300: {limits}",
            limits=", ".join(f"{name} ({setting.described})" for name, setting in LIMITS.items()),
        ),
    )


def add_passwords(parser: argparse._ActionsContainer) -> None:
    """Add the option that `passwords_in` reads."""
    parser.add_argument(
        "--passwords",
        type=Path,
        metavar="FILE",
        help=gettext("a text file with one password a line, tried on files that are locked"),
    )


def add_ways_of_reading(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add those that `ways_of_reading` reads: all but limits and passwords."""
    group = parser.add_argument_group(gettext("reading files"))
    for field, setting in READING.items():
        _add_option(group, field, setting)
    return group


def reading_from(options: argparse.Namespace) -> ReadingSettings:
    """How files are to be read.

    Raises:
        SettingsError: A limit is unknown or no number, or there is no file of passwords.
    """
    return replace(
        ways_of_reading(options),
        limits=replace(DEFAULT_LIMITS, **dict(map(_limit, options.limit))),
        passwords=passwords_in(options.passwords),
    )


def ways_of_reading(options: argparse.Namespace) -> ReadingSettings:
    """How files are to be read, with the usual limits and without passwords.

    Raises:
        SettingsError: The file of settings cannot be used.
    """
    given = {name: getattr(options, name) for name in READING}
    file = vars(options).get("settings")  # not every command that reads files takes settings
    usual = ReadingSettings() if file is None else _shared(file).read_with(ReadingSettings())
    return replace(usual, **{name: value for name, value in given.items() if value is not None})


def _limit(given: str) -> tuple[str, int]:
    name, _, amount = given.partition("=")
    if name not in LIMITS:
        raise SettingsError(
            "There is no limit “{name}”. The limits are: {limits}.",
            name=name,
            limits=", ".join(LIMITS),
        )
    number = amount.rstrip("BGKMbgkm")
    unit = amount[len(number) :].lower()
    if not _is_number(number) or unit not in UNITS or not int(number):
        raise SettingsError(
            "The limit {name} must be a whole number above 0, also with kB, MB or GB, not "
            "“{amount}”.",
            name=name,
            amount=amount,
        )
    return name, int(number) * UNITS[unit]


def passwords_in(path: Path | None) -> tuple[str, ...]:
    """The lines of a file; () without a file.

    Raises:
        SettingsError: It cannot be read.
    """
    from core.base.files import beginning_of

    if path is None:
        return ()
    try:
        lines = beginning_of(path, -1).decode("utf-8-sig").splitlines()
        why = os.strerror(errno.ENODATA) if not lines and path.is_fifo() else ""
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or gettext("it is not in UTF-8")
    if why:
        raise SettingsError(UNREAD, name=printable_name(path.as_posix()), why=why)
    return tuple(line for line in lines if line)


def check_resemblance(value: float) -> None:
    """Raise for a number that is no resemblance.

    Raises:
        SettingsError: It is not between 0 and 1.
    """
    if not 0 <= value <= 1:  # nor is nan
        raise SettingsError(
            "A resemblance is a number between 0 and 1, not {resemblance}.", resemblance=value
        )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= DIGITS


def whole_number(least: int) -> Callable[[str], int]:
    """A type of option."""

    def check(text: str) -> int:
        if text.isascii() and text.isdecimal() and len(text) > DIGITS:
            raise argparse.ArgumentTypeError(
                gettext("the number {number} is too large", number=shown_value(text))
            )
        if not _is_number(text) or int(text) < least:
            raise argparse.ArgumentTypeError(
                gettext(
                    "must be a whole number, {least} or more, not “{text}”",
                    least=least,
                    text=shown_value(text),
                )
            )
        return int(text)

    return check


class StandardOutput(NamedTuple):
    """Where a result goes instead of to a file, in the format of this ending."""

    ending: str


OUTPUT = "-"  # its name, also with one of these endings; the first that a result can have is usual
PRINTED = (".csv", ".json")


def file_to_write(*endings: str, or_output: bool = False) -> Callable[[str], Path | StandardOutput]:
    """A type of option: errors in a file's name are found before the work.

    With `or_output` it may be "-", for standard output.
    """
    printed = [ending for ending in PRINTED if or_output and ending in endings]
    outputs = {OUTPUT + ending: StandardOutput(ending) for ending in printed}
    if printed:
        outputs[OUTPUT] = StandardOutput(printed[0])

    def check(text: str) -> Path | StandardOutput:
        if text in outputs:
            return outputs[text]
        path = Path(text)
        if path.suffix.lower() not in endings:
            raise argparse.ArgumentTypeError(
                gettext(
                    "must end in {endings}, not “{name}”",
                    endings=any_of(endings),
                    name=printable_name(text),
                )
            )
        if not path.parent.is_dir():
            folder = printable_name(path.parent.as_posix())
            raise argparse.ArgumentTypeError(
                gettext("there is no folder “{folder}”", folder=folder)
            )
        return path

    return check


def _folder(text: str) -> Path:
    """A folder to scan; an empty name, as of a variable that is not set, is not the current one."""
    if not text:
        raise argparse.ArgumentTypeError(gettext("the name is empty"))
    if _is_review(Path(text)):  # it would be a folder without documents
        raise argparse.ArgumentTypeError(
            gettext(
                "{name} is a review. Give the folders that it was made of.",
                name=quoted(printable_name(text)),
            )
        )
    return Path(text)


def _is_review(path: Path) -> bool:
    """Whether a file is a review, whatever its name."""
    from core.review.database import APPLICATION_ID

    try:
        if not path.is_file():  # who opens a pipe waits for its writer
            return False
        with path.open("rb") as file:
            head = file.read(72)  # the last four bytes are the application id
    except OSError:
        return False  # what cannot be read is said when it is scanned
    is_database = head.startswith(b"SQLite format 3\0")
    return is_database and head[68:] == APPLICATION_ID.to_bytes(4, "big")


SWITCHES = ("quotations", "bibliography", "repeated")
NOTHING = "nothing"
COMMON = "common"
MOST_BYTES = 1 << 20


def add_exclusion_options(parser: argparse.ArgumentParser) -> None:
    """Add the options; `rules_from` reads them."""
    group = parser.add_argument_group(gettext("text set aside"))
    group.add_argument(
        "--set-aside",
        metavar="WHAT",
        help=gettext(
            "what counts in no number, separated by commas: quotations; bibliography (lists of "
            "references); repeated (cover sheets, and headings that repeat); common=N (passages "
            "in at least N documents); or {nothing}, also of what a review has chosen. Without "
            "this option a review keeps what it sets aside",
            nothing=NOTHING,
        ),
    )
    group.add_argument(
        "--set-aside-text",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help=gettext(
            "a text file of which every paragraph is set aside wherever its words stand; may be "
            "given several times"
        ),
    )


def rules_from(options: argparse.Namespace, before: ExclusionRules) -> ExclusionRules:
    """The rules of what is set aside by the options; the rest is as before.

    Raises:
        SettingsError: The options ask for something that there is not, or a file has no text.
    """
    rules = before
    if options.set_aside is not None:
        rules = _named(options.set_aside, before)
    return rules.with_phrases(
        phrase for path in options.set_aside_text for phrase in _paragraphs(path)
    )


def with_exclusions_decided(options: argparse.Namespace, state: ScanState) -> ScanState:
    """A state with text set aside by the options, as a decision that can be undone.

    Raises:
        SettingsError: The options ask for something that there is not, or a file has no text.
    """
    from core.review.decisions import decide
    from core.review.verdicts import set_aside

    rules = rules_from(options, state.rules)
    return state if rules == state.rules else decide(state, *set_aside(state.rules, rules))


def scan_beside(options: argparse.Namespace, result: Scan, stack: ExitStack) -> Scan:
    """The scan with that set aside; `stack` closes it.

    Raises:
        SettingsError: See `with_exclusions_decided`.
    """
    before = result.state
    after = with_exclusions_decided(options, before)
    return result if after is before else with_state(result, after, stack)


def with_state(result: Scan, state: ScanState, stack: ExitStack) -> Scan:
    """What a scan becomes by decisions; `stack` closes it."""
    from core.scan.scan import Scan

    again = Scan.restored(state)
    stack.callback(again.close)
    again.changes = result.changes
    return again


def _named(given: str, before: ExclusionRules) -> ExclusionRules:
    from core.exclusions.rules import NO_RULES

    names = [name.strip() for name in given.split(",")]
    if names == [NOTHING]:
        return NO_RULES
    changes = dict.fromkeys(SWITCHES, False) | {COMMON: 0}
    for name in names:
        key, _, number = name.partition("=")
        if key == COMMON and _is_number(number) and int(number):
            changes[COMMON] = int(number)
        elif name in SWITCHES:
            changes[name] = True
        else:
            raise SettingsError(
                "“{name}” cannot be set aside. Choose from {switches} and {common}=N, or "
                "{nothing}.",
                name=printable_name(name),
                switches=", ".join(SWITCHES),
                common=COMMON,
                nothing=NOTHING,
            )
    try:
        return before.with_changes(**changes)
    except ValueError as error:
        raise SettingsError(str(error)) from error


def _paragraphs(path: Path) -> Iterator[Phrase]:
    """The paragraphs of a file that have words."""
    from core.base.files import beginning_of, raised_as
    from core.documents.encoding import decode
    from core.exclusions.repeated import has_words
    from core.exclusions.rules import Phrase

    shown = printable_name(path.as_posix())
    with raised_as(SettingsError, UNREAD, name=shown):
        data = beginning_of(path, MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise SettingsError(
            "{name} is longer than a text to set aside: give it as a template.", name=shown
        )
    decoded = decode(data)
    if decoded is None:
        raise SettingsError(
            "{name} is no text: give a document to set aside as a template.", name=shown
        )
    paragraphs = [
        paragraph.strip() for paragraph in decoded.text.replace("\f", "\n\n").split("\n\n")
    ]
    phrases = [Phrase(paragraph) for paragraph in paragraphs if paragraph and has_words(paragraph)]
    if not phrases:
        raise SettingsError("There is no word in {name}.", name=shown)
    yield from phrases


@contextmanager
def read_folders(
    options: argparse.Namespace, settings: ScanSettings
) -> Iterator[tuple[Scan, Progress, ExitStack]]:
    """Read the folders of the options; the scan is closed at the end.

    Within it there is what was read, progress that is shown on the terminal, and what closes all
    that is made of the scan.

    Raises:
        NeardupError: The documents could not be read.
    """
    from core.scan.flow import scan

    with (
        until_interrupted(),
        prepared_engine(quiet=options.quiet),
        shown_progress(quiet=options.quiet) as progress,
        ExitStack() as stack,
    ):
        folders, roles = folders_from(options)
        read = scan(
            folders, settings, roles=roles, reading=reading_from(options), progress=progress
        )
        stack.callback(read.close)
        yield read, progress, stack
