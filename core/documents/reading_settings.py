"""How files are read, and how much one may cost; beyond that it becomes a `Problem`."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["DEFAULT_LIMITS", "ReadingLimits", "ReadingSettings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLimits:
    """The bounds that keep one file from stopping a scan.

    Attributes:
        file_bytes: Size on disk.
        characters: Length of the text in code points.
        words: Length of the text in words as they are compared (in characters that count, where
            these are compared): to compare one takes about 80 bytes of memory.
        nesting: Depth of elements in a document of markup.
        part_bytes: Size of one unpacked part of a packed document (docx, odt, epub, zip).
        ratio: How many times as large as it is packed a part may be, or a packed archive, where it
            has more than 10 MB. Of 718 real ones, XML unpacks to 28 times at most and a metafile to
            130 (`tests/bench/ratios.py`); what is made to fill the memory, to 1,000 and more.
        unpacked_bytes: Size of all its unpacked parts together. The documents in a file have at
            most so many characters, too, unless a single one may have more.
        members: Number of its parts, or of the files in an archive. A file gives at most twenty
            times as many documents and problems, counting those inside its parts.
        pages: Pages of a document; of one with more, the first are read and a remark says so.
        stall_seconds: Time a reader may take without getting on (to the next page, part or mail).
        seconds: Time a file may take in all.
        memory_bytes: Memory a reader may use.
    """

    file_bytes: int = 200_000_000
    characters: int = 50_000_000
    words: int = 8_000_000
    nesting: int = 5_000
    part_bytes: int = 64_000_000
    ratio: int = 250
    unpacked_bytes: int = 128_000_000
    members: int = 5_000
    pages: int = 5_000
    stall_seconds: int = 20
    seconds: int = 120
    memory_bytes: int = 500_000_000


DEFAULT_LIMITS = ReadingLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingSettings:
    """How files are read: a matter of this machine and its user, not of what is compared.

    Attributes:
        limits: What one file may cost.
        archives: ZIP and tar archives are opened like folders, one level deep.
        ocr: Pages that are pictures are read with Tesseract, where it is installed.
        ocr_languages: Its languages, "eng" or "deu+eng".
        passwords: To be tried, after none, on a document that is locked; never stored.
    """

    limits: ReadingLimits = DEFAULT_LIMITS
    archives: bool = False
    ocr: bool = False
    ocr_languages: str = "eng"
    passwords: tuple[str, ...] = field(default=(), repr=False)
