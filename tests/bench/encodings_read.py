"""Which encoding a file is in: real files of 37 encodings, and texts re-encoded in each that fits.

    python tests/bench/encodings_read.py --data FOLDER [--udhr FOLDER]

FOLDER has `truth.csv` (doc, encoding, decodes_strictly) and `docs`. A file counts as read when its
text is the one that the true encoding gives, or the wider one that the web reads in its place. The
second folder has texts in UTF-8 in `docs`: each is written in every legacy encoding of its script
that can hold it, and read again; the share that comes back unchanged is told for each encoding.
Texts of ASCII alone are left out.
"""

from __future__ import annotations

import argparse
import csv
import unicodedata
from collections import Counter
from pathlib import Path

from core.documents.encoding import decode

# The encodings that texts of a script were written in.
ENCODINGS = {
    "LATIN": (
        *(f"cp{number}" for number in (1250, 1252, 1254, 1257, 1258, 437, 850, 852)),
        *(f"iso8859-{number}" for number in (1, 2, 3, 4, 9, 10, 13, 14, 15, 16)),
        *("mac-roman", "mac-latin2"),
    ),
    "CYRILLIC": (
        *("cp1251", "koi8-r", "koi8-u", "koi8-t", "cp855", "cp866", "iso8859-5", "mac-cyrillic"),
        "ptcp154",
    ),
    "GREEK": ("cp1253", "iso8859-7", "mac-greek"),
    "HEBREW": ("cp1255", "iso8859-8", "cp862"),
    "ARABIC": ("cp1256", "iso8859-6", "cp864"),
    "THAI": ("cp874", "tis-620"),
    "CJK": ("big5", "big5hkscs", "gbk", "gb18030"),
    "HIRAGANA": ("shift_jis", "euc_jp", "iso2022_jp"),
    "HANGUL": ("euc_kr", "johab"),
}
ALL_SCRIPTS = ("utf-16-le", "utf-16-be", "utf-32-le")
# What browsers take for the encodings of that name (Encoding Standard, names and labels); they
# differ in a few punctuation marks.
WIDER = {"gb2312": "gb18030", "shift_jis": "cp932", "tis-620": "cp874"}


def plain(text: str) -> str:
    """A text as it is compared: line ends and byte order mark do not count."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def is_read(data: bytes, text: str) -> bool:
    """Whether bytes are read as this text."""
    found = decode(data)
    return found is not None and found.text == plain(text)


def real_files(folder: Path) -> None:
    """Print how many files of the set are read, and which are not."""
    with (folder / "truth.csv").open(newline="", encoding="utf-8-sig") as lines:
        rows = [row for row in csv.DictReader(lines) if row["decodes_strictly"] == "yes"]
    missed = []
    for row in rows:
        data = (folder / "docs" / row["doc"]).read_bytes()
        encoding = row["encoding"].lower()
        names = filter(None, (encoding, WIDER.get(encoding)))
        if not any(is_read(data, data.decode(name, "replace")) for name in names):
            found = decode(data)
            missed.append(f"{row['doc']}: read as {found.encoding if found else 'no text'}")
    print(f"real files: {len(rows) - len(missed)} of {len(rows)} read")
    print("".join(f"    {line}\n" for line in missed), end="")


def encoded(text: str, encoding: str) -> bytes | None:
    """A text in an encoding, if it can hold it."""
    try:
        data = text.encode(encoding)
        return data if data.decode(encoding) == text else None
    except UnicodeError:
        return None


def script_of(text: str) -> str:
    """The most frequent script of a text, by the names of its characters."""
    names = (unicodedata.name(character, "").split(" ")[0] for character in text)
    counts = Counter(name for name in names if name in ENCODINGS)
    if counts["HIRAGANA"] > len(text) / 20:
        return "HIRAGANA"
    return max(counts, key=lambda name: counts[name], default="")


def re_encoded(folder: Path) -> None:
    """Print for each encoding how many texts come back."""
    texts = [path.read_text("utf-8") for path in sorted((folder / "docs").glob("*.txt"))]
    tried: Counter[str] = Counter()
    read: Counter[str] = Counter()
    for text in texts:
        if text.isascii():
            continue
        for encoding in (*ENCODINGS.get(script_of(text), ()), *ALL_SCRIPTS):
            data = encoded(text, encoding)
            if data is not None:
                tried[encoding] += 1
                read[encoding] += is_read(data, text)
    total, good = sum(tried.values()), sum(read.values())
    print(f"re-encoded texts: {good:,} of {total:,} read ({good / total:.4f})")
    for encoding in sorted(tried, key=lambda name: read[name] / tried[name]):
        print(f"    {encoding:<14}{read[encoding]:>5} of {tried[encoding]:>4}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of real files")
    parser.add_argument("--udhr", type=Path, help="folder of texts to be re-encoded")
    options = parser.parse_args()
    real_files(options.data)
    if options.udhr:
        re_encoded(options.udhr)


if __name__ == "__main__":
    main()
