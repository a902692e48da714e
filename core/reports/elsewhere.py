"""The settings of a scan as lines that are ready to be run: here, elsewhere, in other packages.

The lines for datasketch, datatrove and text-dedup are tested against these packages where they are
installed (`tests/bench/other_packages.py`). What a package does otherwise stands beside its lines.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from core.aside.rules import NO_RULES, AsideRules
from core.base.messages import N_, gettext, ngettext
from core.base.patterns import lazy_pattern
from core.base.setting import Setting, settings_of, values_of
from core.base.wording import in_a_row
from core.documents.model import Role
from core.documents.reading_settings import DEFAULT_LIMITS, ReadingSettings
from core.settings import DEFAULT_PRESET, ScanSettings

# Of the command line, where nothing is given.
USUAL = DEFAULT_PRESET.settings
USUAL_READING = ReadingSettings()


class ReadyLines(NamedTuple):
    """Lines to copy.

    Attributes:
        title: For whom.
        code: The lines, without a line end after the last; "" where the settings cannot be had
            there.
        differs: What is otherwise there, or why there are none; "" where nothing is.
    """

    title: str
    code: str
    differs: str


@dataclass(frozen=True)
class Asked:
    """What a scan was asked for.

    Attributes:
        settings: Which pairs it lists.
        reading: How files are read.
        folders: Their paths and what each is for; none stands for any folder.
        rules: What is set aside.
    """

    settings: ScanSettings
    reading: ReadingSettings = USUAL_READING
    folders: Sequence[tuple[str, Role]] = ()
    rules: AsideRules = NO_RULES

    def of_role(self, role: Role) -> list[str]:
        """The folders of a role."""
        return [path for path, its in self.folders if its is role]


FOLDER = "FOLDER"
BARE = lazy_pattern(r"[\w./:\\+=-]+")  # in PowerShell
EXPANDS = lazy_pattern(r"[$`%\"“”„]")  # between double quotes there, and % in cmd
QUOTES = lazy_pattern(r"(['‘’‚‛])")  # each ends a text between single quotes there


def posix_line(asked: Asked) -> ReadyLines:
    """For sh, bash and zsh."""
    line = shlex.join(["neardup", *scan_arguments(asked)])
    return ReadyLines(gettext("neardup scan, for Linux and macOS"), line, _left_out(asked))


def windows_line(asked: Asked) -> ReadyLines:
    """For PowerShell; where no name has a sign that it takes for its own, also for cmd."""
    line = " ".join(["neardup", *map(_quoted, scan_arguments(asked))])
    return ReadyLines(gettext("neardup scan, for Windows (PowerShell)"), line, _left_out(asked))


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
    yield from _command_differing(settings, usual)


def _reading(asked: Asked) -> Iterator[str]:
    yield from _command_differing(asked.reading, values_of(USUAL_READING))
    usual = values_of(DEFAULT_LIMITS)
    for name, value in values_of(asked.reading.limits).items():
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
        sentences.append(
            ngettext(
                "Not in it: {n} chosen passage set aside; --set-aside-text FILE takes such texts.",
                "Not in it: {n} chosen passages set aside; --set-aside-text FILE takes such texts.",
                len(asked.rules.phrases),
            )
        )
    if asked.reading.passwords:
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


def python_lines(asked: Asked) -> ReadyLines:
    """The pairs among texts, with the same settings."""
    settings = _call("ScanSettings", _python_differing(asked.settings))
    differs = gettext("Texts are read from .txt files; neardup scan reads every format.")
    if any(role is not Role.REVIEW for _, role in asked.folders) or asked.rules:
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
# What a package does that cannot do otherwise.
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


def datasketch_lines(asked: Asked) -> ReadyLines:
    """`MinHashLSH(params=(b, r))`, with the shingles spelled out and the pairs compared exactly."""
    settings, title = asked.settings, "datasketch"
    if settings.choice is None:
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


def datatrove_lines(asked: Asked) -> ReadyLines:
    """Its `MinhashConfig`."""
    settings, title = asked.settings, "datatrove"
    if settings.choice is None or settings.unit != "word":
        return ReadyLines(title, "", WORDS_ONLY if settings.choice else BANDS_ONLY)
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


def text_dedup_lines(asked: Asked) -> ReadyLines:
    """Its config.toml, and the arguments of its earlier versions."""
    settings, title = asked.settings, "text-dedup"
    if settings.choice is None or settings.unit != "word":
        return ReadyLines(title, "", WORDS_ONLY if settings.choice else BANDS_ONLY)
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
    """What of these the package does otherwise than the settings ask for."""
    differing = (name for name in always if getattr(settings, name) != ALWAYS[name][0])
    words = [gettext(ALWAYS[name][1]) for name in differing]
    return gettext("Other than here, {differences}.", differences=in_a_row(words)) if words else ""


WHERE = {  # by a short name, as the command line has it
    "shell": posix_line,
    "powershell": windows_line,
    "python": python_lines,
    "datasketch": datasketch_lines,
    "datatrove": datatrove_lines,
    "text-dedup": text_dedup_lines,
}


def ready_lines(where: str, asked: Asked) -> ReadyLines:
    """The lines for one of `WHERE`."""
    return WHERE[where](asked)
