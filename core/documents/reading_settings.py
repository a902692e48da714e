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
    """The bounds that keep one file from stopping a scan."""

    file_bytes: int = _limit(
        200_000_000, "file size", "MB", 100_000,
        help="size on disk",
        tip="Larger files are not read.",
    )  # fmt: skip
    # In code points.
    characters: int = _limit(
        50_000_000, "characters", "million", 2_000,
        help="length of the text",
        tip="Longer texts are not read.",
    )  # fmt: skip
    # As they are compared; characters that count, where these are compared.
    words: int = _limit(
        8_000_000, "words", "million", 2_000,
        help="words of the text",
        tip="Texts of more words are not compared; a million of them takes about 80 MB of memory.",
    )  # fmt: skip
    pages: int = _limit(
        5_000, "pages", "pages", 1_000_000,
        help="pages read",
        tip="Of a document with more, the first are read, and a remark says so.",
    )  # fmt: skip
    seconds: int = _limit(
        120, "time for a file", "s", 36_000,
        help="time in all",
        tip="A file that takes longer is given up.",
    )  # fmt: skip
    stall_seconds: int = _limit(
        20, "time for a page", "s", 3_600,
        help="time without getting on",
        tip="A reader that takes longer to get on, to the next page, part or mail, is given up.",
    )  # fmt: skip
    memory_bytes: int = _limit(
        500_000_000, "memory", "MB", 64_000,
        help="memory of a reader",
        tip="A reader that needs more is stopped.",
    )  # fmt: skip
    # Of docx, odt, epub, zip. The documents in a file have at most so many characters, too, unless
    # a single one may have more.
    unpacked_bytes: int = _limit(
        128_000_000, "unpacked", "MB", 64_000,
        help="size of all unpacked parts",
        tip="A packed file (docx, odt, epub, ZIP) that unpacks to more is not read.",
    )  # fmt: skip
    part_bytes: int = _limit(
        64_000_000, "one part", "MB", 64_000,
        help="size of one unpacked part",
        tip="A packed file with a part that unpacks to more is not read.",
    )  # fmt: skip
    # Also of an archive. Of 718 real ones, XML unpacks to 28 times at most and a metafile to 130
    # (`tests/bench/ratios.py`); what is made to fill the memory, to 1,000 and more.
    ratio: int = _limit(
        250, "packed", "times", 1_000_000,
        help="unpacked size by packed size",
        tip="A part over 10 MB that was packed more tightly than so many times is not unpacked.",
    )  # fmt: skip
    # A file gives at most twenty times as many documents and problems, counting those inside its
    # parts.
    members: int = _limit(
        5_000, "parts", "parts", 10_000_000,
        help="parts, or files in an archive",
        tip="A packed file, an archive or a mailbox with more parts is not read.",
    )  # fmt: skip
    nesting: int = _limit(
        5_000, "nesting", "levels", 100_000,
        help="depth of markup",
        tip="A document whose elements are nested more deeply is not read.",
    )  # fmt: skip


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
