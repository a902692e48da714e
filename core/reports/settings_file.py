"""Settings as a file to share: written by one person, read as if a stranger had written it.

    {"format": "neardup settings", "version": 1, "scan": {"k": 5, …}, "reading": {"ocr": false, …}}

Passwords and limits on the cost of reading a file belong to each computer and are never in it.
Where it holds for all users of a computer, "fixed": ["scan"] says which of the two is fixed.

The settings of a scan as lines that are ready to be run: by Neardup and by other packages.

The lines for datasketch, datatrove and text-dedup are tested against these packages where they are
installed (`tests/bench/other_packages.py`). A note says what a package does differently.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from core.base.files import raised_as, write_json
from core.base.messages import N_, gettext, ngettext
from core.base.patterns import lazy_pattern
from core.base.setting import Setting, settings_of, values_of
from core.base.wording import any_of, comma_list, count, printable_name, shown_value
from core.documents.model import Role
from core.documents.reading_settings import DEFAULT_LIMITS, ReadingSettings
from core.errors import SettingsError
from core.exclusions.rules import NO_RULES, ExclusionRules
from core.settings import DEFAULT_PRESET, ScanSettings

# Of the command line, where nothing is given.
USUAL = DEFAULT_PRESET.settings
USUAL_READING = ReadingSettings()


class ReadyLines(NamedTuple):
    """Lines to copy.

    Attributes:
        title: For whom.
        code: The lines, without a line end after the last; "" where the package cannot have these
            settings.
        differs: What the package does differently, or why there are no lines; "" for neither.
    """

    title: str
    code: str
    differs: str


@dataclass(frozen=True)
class SettingsRequest:
    """The request for a scan.

    Attributes:
        settings: Which pairs it lists.
        reading: How files are read.
        folders: Their paths and roles; none stands for any folder.
        rules: What is set aside.
    """

    settings: ScanSettings
    reading: ReadingSettings = USUAL_READING
    folders: Sequence[tuple[str, Role]] = ()
    rules: ExclusionRules = NO_RULES

    def of_role(self, role: Role) -> list[str]:
        """The folders of a role."""
        return [path for path, its in self.folders if its is role]


FOLDER = "FOLDER"
BARE = lazy_pattern(r"[\w./:\\+=-]+")  # in PowerShell
EXPANDS = lazy_pattern(r"[$`%\"“”„]")  # between double quotes in PowerShell, and % in cmd
QUOTES = lazy_pattern(r"(['‘’‚‛])")  # each ends a text between single quotes in PowerShell


def posix_line(request: SettingsRequest) -> ReadyLines:
    """For sh, bash and zsh."""
    line = shlex.join(["neardup", *scan_arguments(request)])
    return ReadyLines(gettext("neardup scan, for Linux and macOS"), line, _left_out(request))


def windows_line(request: SettingsRequest) -> ReadyLines:
    """For PowerShell; also for cmd, where no name has a sign with a meaning in PowerShell."""
    line = " ".join(["neardup", *map(_quoted, scan_arguments(request))])
    return ReadyLines(gettext("neardup scan, for Windows (PowerShell)"), line, _left_out(request))


def scan_arguments(request: SettingsRequest) -> list[str]:
    """The arguments after `neardup`, one each."""
    return [
        "scan",
        *_folders(request),
        *_settings(request.settings),
        *_reading(request),
        *_exclusion_options(request),
    ]


def _folders(request: SettingsRequest) -> Iterator[str]:
    for path in request.of_role(Role.REVIEW) or [FOLDER]:
        yield f"./{path}" if path.startswith("-") else path
    for role, option in ((Role.REFERENCE, "--reference"), (Role.TEMPLATE, "--template")):
        for path in request.of_role(role):
            yield from (option, path)


def _settings(settings: ScanSettings) -> Iterator[str]:
    usual = values_of(USUAL)
    if settings.unit != USUAL.unit:
        usual["keep_punctuation"] = ScanSettings(unit=settings.unit).keep_punctuation
    now = values_of(settings)
    usual |= {name: now[name] for name in now if not settings.method.uses(name)}
    yield from _command_differing(settings, usual)


def _reading(request: SettingsRequest) -> Iterator[str]:
    yield from _command_differing(request.reading, values_of(USUAL_READING))
    usual = values_of(DEFAULT_LIMITS)
    for name, value in values_of(request.reading.limits).items():
        if value != usual[name]:
            yield from ("--limit", f"{name}={value}")


def _command_differing(settings: object, usual: dict[str, object]) -> Iterator[str]:
    declared = settings_of(settings)
    for name, value in values_of(settings).items():
        if value != usual[name]:
            yield from _option(name, declared[name], value)


def _option(name: str, setting: Setting, value: object) -> tuple[str, ...]:
    option = setting.option or f"--{name.replace('_', '-')}"
    if setting.is_switch:
        return (option if value else option.replace("--", "--no-", 1),)
    return (option, str(value))


def _exclusion_options(request: SettingsRequest) -> Iterator[str]:
    rules = request.rules
    named = [name for name in ("quotations", "bibliography", "repeated") if getattr(rules, name)]
    if rules.common:
        named.append(f"common={rules.common}")
    if named:
        yield from ("--set-aside", ",".join(named))


def _left_out(request: SettingsRequest) -> str:
    sentences = []
    if request.rules.phrases:
        sentences.append(
            ngettext(
                "Not in it: {n} chosen passage set aside; --set-aside-text FILE takes such texts.",
                "Not in it: {n} chosen passages set aside; --set-aside-text FILE takes such texts.",
                len(request.rules.phrases),
            )
        )
    if request.reading.passwords:
        sentences.append(gettext("Not in it: passwords; --passwords FILE takes them."))
    return " ".join(sentences)


def _quoted(argument: str) -> str:
    """An argument as PowerShell takes it, and cmd too where no sign in it is expanded."""
    if BARE.fullmatch(argument):
        return argument
    if not EXPANDS.search(argument):
        return f'"{argument}"'
    return "'" + QUOTES.sub(r"\1\1", argument) + "'"


WIDTH = 88
LINES = """\
from pathlib import Path

from core import ScanSettings, find_pairs

files = sorted(Path("texts").rglob("*.txt"))
texts = [file.read_text("utf-8") for file in files]
settings = {settings}
pairs = find_pairs(texts, settings)
for a, b, resemblance in zip(pairs.a, pairs.b, pairs.resemblance):
    print(f"{{resemblance:.3f}}  {{files[a]}}  {{files[b]}}")"""


def python_lines(request: SettingsRequest) -> ReadyLines:
    """The pairs among texts, with the same settings."""
    settings = _call("ScanSettings", _python_differing(request.settings))
    differs = gettext("Texts are read from .txt files; neardup scan reads every format.")
    if any(role is not Role.REVIEW for _, role in request.folders) or request.rules:
        more = gettext("References and text set aside are not in it: find_pairs takes them, too.")
        differs = f"{differs} {more}"
    return ReadyLines(gettext("Python (core.find_pairs)"), LINES.format(settings=settings), differs)


def _call(name: str, values: dict[str, object]) -> str:
    """A call with arguments by name, on one line or one line each."""
    parts = [f"{field}={value!r}" for field, value in values.items()]
    line = f"{name}({', '.join(parts)})"
    if len(line) <= WIDTH:
        return line
    return f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + ")"


def _python_differing(settings: ScanSettings) -> dict[str, object]:
    usual = values_of(ScanSettings(unit=settings.unit)) | {"unit": ScanSettings().unit}
    return {name: value for name, value in values_of(settings).items() if value != usual[name]}


SEEDS = 1 << 32  # of a generator of NumPy
BANDS_ONLY = N_("It compares signatures by bands, and these settings compare bits.")
WORDS_ONLY = N_("It cuts shingles of words only, and these settings have shingles of characters.")
HASHES = N_(
    "Its hash functions are others: the curve is the same, but not which pairs near the threshold "
    "are found. It looks for no passages."
)
CUT = N_("Words with marks of their own, or without spaces between them, are cut otherwise.")
# What a package always does, whatever the settings.
ALWAYS = {
    "ignore_case": (True, N_("upper and lower case are the same")),
    "keep_punctuation": (False, N_("punctuation is left out")),
    "keep_digits": (True, N_("digits count")),
    "bag": (False, N_("a repeated shingle counts once")),
    "drop_stop_words": (False, N_("stop words count")),
    "stem": (False, N_("words are compared as they are")),
}

TEMPLATES = Path(__file__).with_name("other_packages")
NUMBERED = "{(one, n) for one, times in Counter(cut).items() for n in range(times)}"


def _template(package: str) -> str:
    return (TEMPLATES / f"{package}.txt").read_text("utf-8").removesuffix("\n")


def datasketch_lines(request: SettingsRequest) -> ReadyLines:
    """`MinHashLSH(params=(b, r))`, with the shingles spelled out and the pairs compared exactly."""
    settings, title = request.settings, "datasketch"
    if settings.banding is None:
        return ReadyLines(title, "", gettext(BANDS_ONLY))
    if settings.bands == 1:
        return ReadyLines(title, "", gettext("It takes no single band: choose two or more."))
    code = _template("datasketch").format(
        counter="from collections import Counter\n" if settings.bag else "",
        lower=".lower()" if settings.ignore_case else "",
        units=_units(settings),
        join='" "' if settings.unit == "word" else '""',
        returned=NUMBERED if settings.bag else "set(cut)",
        **_numbers(settings),
    )
    otherwise = _otherwise(settings, "drop_stop_words", "stem")
    return ReadyLines(title, code, _sentences(gettext(HASHES), gettext(CUT), otherwise))


def datatrove_lines(request: SettingsRequest) -> ReadyLines:
    """Its `MinhashConfig`."""
    settings, title = request.settings, "datatrove"
    if settings.banding is None or settings.unit != "word":
        return ReadyLines(title, "", gettext(WORDS_ONLY if settings.banding else BANDS_ONLY))
    config = _template("datatrove").format(
        lowercase=settings.ignore_case,
        punctuation=not settings.keep_punctuation,
        **_numbers(settings),
    )
    otherwise = _otherwise(settings, "keep_digits", "bag", "drop_stop_words", "stem")
    differs = gettext(
        "It makes b × r values, whatever K, and cuts words as the tokenizer of the language that "
        "its steps are given. No pair is compared exactly: documents that meet in a bucket are a "
        "group."
    )
    return ReadyLines(title, config, _sentences(gettext(HASHES), differs, otherwise))


def text_dedup_lines(request: SettingsRequest) -> ReadyLines:
    """Its config.toml, and the arguments of its earlier versions."""
    settings, title = request.settings, "text-dedup"
    if settings.banding is None or settings.unit != "word":
        return ReadyLines(title, "", gettext(WORDS_ONLY if settings.banding else BANDS_ONLY))
    differs = gettext(
        "Documents that meet in a band are a group; check_false_positive then compares those of a "
        "group exactly, which versions up to 0.4.0 do not."
    )
    otherwise = _otherwise(settings, *ALWAYS)
    return ReadyLines(
        title,
        _template("text_dedup").format(**_numbers(settings)),
        _sentences(gettext(HASHES), gettext(CUT), differs, otherwise),
    )


def _sentences(*sentences: str) -> str:
    return " ".join(filter(None, sentences))


def _numbers(settings: ScanSettings) -> dict[str, float]:
    return {
        "k": settings.k,
        "size": settings.signature_size,
        "bands": settings.bands,
        "rows": settings.rows,
        "seed": settings.seed % SEEDS,
        "floor": settings.min_resemblance,
    }


def _units(settings: ScanSettings) -> str:
    """An expression for the words of a text, or for the text itself without what does not count."""
    word = r"\w" if settings.keep_digits else r"[^\W\d]"
    mark = r"[^\w\s]"
    if settings.unit == "word":
        pattern = f"{word}+|{mark}" if settings.keep_punctuation else f"{word}+"
        return f're.findall(r"{pattern}", text)'
    pattern = f"(?:{word}|{mark})+" if settings.keep_punctuation else f"{word}+"
    between = '" "' if settings.white_space == "collapse" else '""'
    return f'{between}.join(re.findall(r"{pattern}", text))'


def _otherwise(settings: ScanSettings, *always: str) -> str:
    """A sentence on which of these the package does differently than the settings ask for."""
    differing = (name for name in always if getattr(settings, name) != ALWAYS[name][0])
    words = [gettext(ALWAYS[name][1]) for name in differing]
    return (
        gettext("Other than here, {differences}.", differences=comma_list(words)) if words else ""
    )


WHERE = {  # by a short name, as the command line has it
    "shell": posix_line,
    "powershell": windows_line,
    "python": python_lines,
    "datasketch": datasketch_lines,
    "datatrove": datatrove_lines,
    "text-dedup": text_dedup_lines,
}


FORMAT, VERSION = "neardup settings", 1
MOST_BYTES = 1 << 16
SECTIONS = {"scan": settings_of(ScanSettings), "reading": settings_of(ReadingSettings)}


class SharedSettings(NamedTuple):
    """The settings of a file.

    Attributes:
        scan: Which pairs are listed; settings that the file leaves out have their defaults.
        reading: How files are read, as far as the file says, by field.
        fixed: Which of both the users of a computer cannot change.
    """

    scan: ScanSettings
    reading: Mapping[str, Any]
    fixed: frozenset[str] = frozenset()

    def read_with(self, reading: ReadingSettings) -> ReadingSettings:
        """These ways of reading, changed as the file says."""
        return replace(reading, **self.reading)

    def allowed(self, scan: ScanSettings) -> ScanSettings:
        """Those that a user has chosen, unless they are fixed."""
        return self.scan if "scan" in self.fixed else scan

    def allowed_reading(self, reading: ReadingSettings) -> ReadingSettings:
        """The ways of reading that a user has chosen, except those that are fixed."""
        return self.read_with(reading) if "reading" in self.fixed else reading


def write_settings_file(path: Path, scan: ScanSettings, reading: ReadingSettings) -> None:
    """Write all settings of a scan; limits and passwords are left out.

    Raises:
        ExportError: The file could not be written; the sentence says why.
    """
    write_json(path, settings_as_json(scan, reading))


def settings_as_json(scan: ScanSettings, reading: ReadingSettings) -> dict[str, Any]:
    """The content of a settings file, as JSON has it."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "scan": values_of(scan),
        "reading": values_of(reading),
    }


def read_settings_file(path: Path) -> SharedSettings:
    """The settings of a file.

    Raises:
        SettingsError: It cannot be read, is none, or has what this version does not know; the
            sentence says which file and what.
    """
    name = printable_name(path.name)
    try:
        return settings_of_json(_json(_text(path)))
    except SettingsError as error:
        raise SettingsError(
            "The settings in “{name}” cannot be used: {error}", name=name, error=error
        ) from error


def settings_of_json(content: object) -> SharedSettings:
    """The settings of an object that `settings_as_json` or somebody else has made.

    Raises:
        SettingsError: It is none, or has what this version does not know; the sentence says what.
    """
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise SettingsError(
            "It has no “format”: “{format}”, so it is no file of settings.", format=FORMAT
        )
    version = content.get("version")
    if type(version) is not int or version != VERSION:
        raise SettingsError(
            "It is of version {version}; this Neardup reads version {known}.",
            version=shown_value(version),
            known=VERSION,
        )
    _refuse_unknown(content, ("format", "version", "fixed", *SECTIONS), "")
    scan, reading = (_section(content, section) for section in SECTIONS)
    if "unit" in scan:
        scan.setdefault("keep_punctuation", None)  # as usual for that unit
    _check_reading(reading)
    return SharedSettings(USUAL.with_changes(**scan), reading, _fixed(content.get("fixed", [])))


def _text(path: Path) -> str:
    """The text of the file, however large or strange it is."""
    with raised_as(SettingsError, N_("The file cannot be read: {why}.")):
        if path.exists() and not path.is_file():  # a pipe would be waited for
            raise SettingsError("It is a folder or a device.")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise SettingsError(
            "The file is larger than {most} bytes: it is none of settings.", most=count(MOST_BYTES)
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SettingsError("The file is not a text in UTF-8.") from error


def _json(text: str) -> object:
    """The JSON value of a text."""
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise SettingsError(
            "It is not JSON: line {line}, {why}.", line=error.lineno, why=error.msg
        ) from error
    except RecursionError as error:
        raise SettingsError(
            "It is not JSON that settings have: lists of lists of lists."
        ) from error
    except ValueError as error:
        if isinstance(error, SettingsError):
            raise
        raise SettingsError("It has a number of very many digits.") from error


def _section(content: Mapping[str, Any], section: str) -> dict[str, Any]:
    """A section of the file; each of its names is that of a setting."""
    values = content.get(section, {})
    if not isinstance(values, dict):
        raise SettingsError("“{section}” must be an object of settings.", section=section)
    _refuse_unknown(values, SECTIONS[section], section)
    return values


def _fixed(sections: object) -> frozenset[str]:
    if not isinstance(sections, list) or any(
        section not in tuple(SECTIONS) for section in sections
    ):
        raise SettingsError(
            "“fixed” must be a list of {sections}, not {value}.",
            sections=any_of(tuple(SECTIONS)),
            value=shown_value(sections),
        )
    return frozenset(sections)


def _check_reading(values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        problem = SECTIONS["reading"][name].problem(name, value, ReadingSettings())
        if problem:
            raise SettingsError(problem)


def _refuse_unknown(values: Mapping[str, Any], known: Container[str], section: str) -> None:
    for name in map(shown_value, (value for value in values if value not in known)):
        if section:
            raise SettingsError(
                "It has “{name}” in “{section}”, which this version does not know.",
                name=name,
                section=section,
            )
        raise SettingsError("It has “{name}”, which this version does not know.", name=name)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object without repeated names, of which readers would take one or the other."""
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            raise SettingsError("It says “{name}” twice.", name=shown_value(name))
        made[name] = value
    return made


def _no_constant(constant: str) -> object:
    raise SettingsError("It has a number that is none, {constant}.", constant=constant)
