"""How files are read, and how much one may cost; beyond that it becomes a `Problem`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from core.base.messages import N_
from core.base.patterns import lazy_pattern
from core.base.setting import declare, settings_of

SCALES = {"MB": 10**6, "million": 10**6}


def _limit(default: int, name: str, unit: str, high: int, *, help: str, tip: str) -> Any:  # noqa: A002, ANN401 - as argparse and `dataclasses.field`
    """A limit as it is shown: in a unit, from 1 to `high`."""
    scale = SCALES.get(unit, 1)
    return declare(default, name, help, tip=tip, unit=unit, scale=scale, high=high)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLimits:
    """What one file may cost: bytes, time, memory, and the length of its text.

    A file that meets one costs itself alone: it is read in a process that is ended then.
    """

    file_bytes: int = _limit(
        200_000_000, N_("File size"), N_("MB"), 100_000,
        help=N_("size on disk"),
        tip=N_("Larger files are not read."),
    )  # fmt: skip
    # In code points.
    characters: int = _limit(
        50_000_000, N_("Characters"), N_("million"), 2_000,
        help=N_("length of the text"),
        tip=N_("Longer texts are not read, nor those of more words than a sixth of it: a million "
               "words take about 80 MB of memory."),
    )  # fmt: skip
    seconds: int = _limit(
        120, N_("Time for a file"), N_("s"), 36_000,
        help=N_("time in all"),
        tip=N_("A file that takes longer is given up, or a sixth of it without getting on to the "
               "next page, part or mail."),
    )  # fmt: skip
    memory_bytes: int = _limit(
        500_000_000, N_("Memory"), N_("MB"), 64_000,
        help=N_("memory of a reader"),
        tip=N_("A reader that needs more is stopped. A part of a packed file may unpack to an "
               "eighth of it."),
    )  # fmt: skip

    @property
    def words(self) -> int:
        """Most words of a text that is compared; where characters are compared, of these."""
        return max(1, self.characters * 4 // 25)

    @property
    def stall_seconds(self) -> int:
        """How long a reader may take to get on, to the next page, part or mail."""
        return max(1, self.seconds // 6)

    @property
    def part_bytes(self) -> int:
        """To how much one part of a packed file may unpack, so that the others can be read."""
        return max(1, self.memory_bytes // 8)


DEFAULT_LIMITS = ReadingLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingSettings:
    """How files are read: a matter of this machine and its user, not of what is compared.

    Attributes:
        limits: What one file may cost.
        passwords: To be tried, after none, on a document that is locked; never stored.
    """

    limits: ReadingLimits = DEFAULT_LIMITS
    archives: bool = declare(
        default=False,
        name=N_("Open ZIP and tar archives"),
        help=N_("open ZIP and tar archives like folders, one level deep"),
        tip=N_(
            "Documents in ZIP and tar archives are read as if the archive were a folder, one "
            "level deep"
        ),
        title=N_("Archives"),
        summary={True: N_("opened like folders"), False: N_("not opened")},
    )
    submissions: bool = declare(
        default=False,
        name=N_("One folder is one submission"),
        help=N_(
            "the files of each folder are one document, as a person has handed them in; downloads "
            "of Moodle and Canvas are known by their names"
        ),
        tip=N_(
            "The files of each folder are one document, as a person has handed them in. Downloads "
            "of Moodle and Canvas are known by their names"
        ),
        title=N_("Submissions"),
        summary={True: N_("one folder is one"), False: N_("each file by itself")},
    )
    ocr: bool = declare(
        default=False,
        name=N_("Read scans with Tesseract"),
        help=N_("read scans with Tesseract, where it is installed"),
        tip=N_("Pages that are pictures are read with Tesseract; slow, and marked as such"),
        title=N_("Scans"),
        summary={True: N_("read with Tesseract ({ocr_languages})"), False: N_("not read")},
    )
    ocr_languages: str = declare(
        default="eng",
        name=N_("Languages of scans"),
        help=N_("languages of Tesseract, such as deu+eng (default: eng)"),
        metavar="L",
        pattern=lazy_pattern(r"(?=.{1,100}$)[A-Za-z0-9_]+(\+[A-Za-z0-9_]+)*", re.ASCII),
        wrong=N_("Languages are the short names that Tesseract uses: eng, or deu+eng."),
        label=N_("Languages"),
        tip=N_("Languages of the scans, by Tesseract's short names: eng, or deu+eng"),
        only_with=("ocr", True),
        title="",
    )
    passwords: tuple[str, ...] = field(default=(), repr=False)


def plain_reading(reading: ReadingSettings) -> dict[str, Any]:
    """How files were read, as values for JSON, without passwords."""
    values = asdict(reading)
    del values["passwords"]
    return values


def stored_reading(values: Mapping[str, Any]) -> ReadingSettings:
    """The settings that `plain_reading` made values of.

    Raises:
        KeyError, TypeError, ValueError: A value is missing or cannot be one of these settings.
    """
    names = (item.name for item in fields(ReadingSettings))
    known = {name: values[name] for name in names if name in values}
    limits = {item.name: known["limits"][item.name] for item in fields(ReadingLimits)}
    reading = ReadingSettings(**known | {"limits": ReadingLimits(**limits)})
    for name, setting in settings_of(reading).items():
        if problem := setting.problem(name, getattr(reading, name), reading):
            raise ValueError(problem)
    if not all(type(value) is int and value > 0 for value in limits.values()):
        raise ValueError("A limit is no whole number above 0.")
    return reading
