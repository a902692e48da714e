"""Which encoding a file is in: real files of 37 encodings.

    python tests/bench/encodings_read.py --data FOLDER

FOLDER has `truth.csv` (doc, encoding, decodes_strictly) and `docs`. A file counts as read when its
text is the one that the true encoding gives, or the wider one that the web reads in its place.
"""

import csv
from pathlib import Path

from options import NEEDED, read_options

from core.documents.encoding import decode

# What browsers take for the encodings of that name (Encoding Standard, names and labels); they
# differ in a few punctuation marks.
WIDER = {"gb2312": "gb18030", "shift_jis": "cp932", "tis-620": "cp874"}


def plain(text: str) -> str:
    """A text as it is compared: line ends and byte order mark do not count."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def is_read(data: bytes, text: str) -> bool:
    """Whether bytes are read as this text."""
    decoded = decode(data)
    return decoded is not None and decoded.text == plain(text)


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
            decoded = decode(data)
            missed.append(f"{row['doc']}: read as {decoded.encoding if decoded else 'no text'}")
    print(f"real files: {len(rows) - len(missed)} of {len(rows)} read")
    print("".join(f"    {line}\n" for line in missed), end="")


def main() -> None:
    """Read the command line."""
    real_files(read_options(__doc__, data=NEEDED).data)


if __name__ == "__main__":
    main()
