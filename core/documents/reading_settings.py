"""How files are read, and how much one may cost; beyond that it becomes a `Problem`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from core.base.setting import declare

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
        200_000_000, "file size", "MB", 100_000,
        help="size on disk",
        tip="Larger files are not read.",
    )  # fmt: skip
    # In code points.
    characters: int = _limit(
        50_000_000, "characters", "million", 2_000,
        help="length of the text",
        tip="Longer texts are not read, nor those of more words than a sixth of it: a million "
        "words take about 80 MB of memory.",
    )  # fmt: skip
    seconds: int = _limit(
        120, "time for a file", "s", 36_000,
        help="time in all",
        tip="A file that takes longer is given up, or a sixth of it without getting on to the next "
        "page, part or mail.",
    )  # fmt: skip
    memory_bytes: int = _limit(
        500_000_000, "memory", "MB", 64_000,
        help="memory of a reader",
        tip="A reader that needs more is stopped. A part of a packed file may unpack to an eighth "
        "of it.",
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
        name="open ZIP and tar archives",
        help="open ZIP and tar archives like folders, one level deep",
        tip="Documents in ZIP and tar archives are read as if the archive were a folder, one "
        "level deep",
        title="Archives",
        summary={True: "opened like folders", False: "not opened"},
    )
    submissions: bool = declare(
        default=False,
        name="one folder is one submission",
        help="the files of each folder are one document, as a person has handed them in; downloads "
        "of Moodle and Canvas are known by their names",
        tip="The files of each folder are one document, as a person has handed them in. Downloads "
        "of Moodle and Canvas are known by their names",
        title="Submissions",
        summary={True: "one folder is one", False: "each file by itself"},
    )
    ocr: bool = declare(
        default=False,
        name="read scans with Tesseract",
        help="read scans with Tesseract, where it is installed",
        tip="Pages that are pictures are read with Tesseract; slow, and marked as such",
        title="Scans",
        summary={True: "read with Tesseract ({ocr_languages})", False: "not read"},
    )
    ocr_languages: str = declare(
        default="eng",
        name="languages of scans",
        help="languages of Tesseract, such as deu+eng (default: eng)",
        metavar="L",
        pattern=re.compile(r"(?=.{1,100}$)[A-Za-z0-9_]+(\+[A-Za-z0-9_]+)*", re.ASCII),
        wrong="Languages are the short names that Tesseract uses: eng, or deu+eng.",
        label="Languages",
        tip="Languages of the scans, by Tesseract's short names: eng, or deu+eng",
        only_with=("ocr", True),
        title="",
    )
    passwords: tuple[str, ...] = field(default=(), repr=False)
