"""Paragraphs of a text that come back whole from the PDF file that LibreOffice makes of it.

    python tests/bench/pdf_paragraphs.py [--paragraphs 25] [--font "DejaVu Sans" ...]

For every font a text of nonsense is set in four ways: with room between paragraphs, with their
first lines indented and both margins straight, with wide lines, and with nothing but the end of a
line. Fonts that are not installed are replaced by LibreOffice. A paragraph of at least twelve words
is right if the text has one of exactly the same words.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from random import Random

from fuzz_seeds import WORD as WORDML
from fuzz_seeds import content_types, packed, relationships
from office import convert
from options import read_options

from core.documents.readers.pdf import READER
from core.documents.readers.reader import Reading

FONTS = ("DejaVu Sans", "DejaVu Serif", "Nimbus Roman", "Nimbus Sans", "Noto Sans Mono", "P052")
SETTINGS = {
    "room": '<w:spacing w:after="160"/>',
    "indented": '<w:spacing w:after="0"/><w:ind w:firstLine="360"/><w:jc w:val="both"/>',
    "wide": '<w:spacing w:after="200" w:line="360" w:lineRule="auto"/>',
    "tight": '<w:spacing w:after="0"/>',
}
LEAST = 12  # words
WORD = re.compile(r"\w+")


def words(count: int, seed: int) -> list[str]:
    """Words of nonsense, every tenth of them new."""
    random = Random(seed)
    known = ["".join(random.choices("abcdefghiklmnoprstu", k=random.randint(2, 9)))]
    for _ in range(count - 1):
        fresh = "".join(random.choices("abcdefghiklmnoprstu", k=random.randint(2, 9)))
        known.append(fresh if random.random() < 0.1 else random.choice(known))
    return known


def text_of(count: int, seed: int) -> list[str]:
    """Paragraphs of one to seven sentences."""
    random, known = Random(seed), words(2_000, seed)
    return [
        " ".join(
            " ".join(random.choices(known, k=random.randint(6, 24))).capitalize() + "."
            for _ in range(random.randint(1, 7))
        )
        for _ in range(count)
    ]


def document(paragraphs: list[str], font: str, look: str) -> bytes:
    """A Word document in one font."""
    run = f'<w:rPr><w:rFonts w:ascii="{font}" w:hAnsi="{font}"/><w:sz w:val="22"/></w:rPr>'
    body = "".join(
        f"<w:p><w:pPr>{look}</w:pPr><w:r>{run}<w:t>{paragraph}</w:t></w:r></w:p>"
        for paragraph in paragraphs
    )
    body = f"<w:document xmlns:w='{WORDML}'><w:body>{body}</w:body></w:document>"
    return packed(
        {
            "[Content_Types].xml": content_types(word__document="wordprocessingml.document.main"),
            "_rels/.rels": relationships(("officeDocument", "word/document.xml")),
            "word/document.xml": body,
        }
    )


def only_words(text: str) -> str:
    return " ".join(WORD.findall(text.lower()))


def right(paragraphs: list[str], pdf: bytes) -> tuple[int, int]:
    """How many paragraphs are right, and how many there are."""
    paragraphs_read = {only_words(part) for part in READER.read(pdf, Reading()).text.split("\n")}
    expected = [
        paragraph for paragraph in map(only_words, paragraphs) if len(paragraph.split()) >= LEAST
    ]
    return sum(paragraph in paragraphs_read for paragraph in expected), len(expected)


def main() -> None:
    """Print a line for every font, and the share of all paragraphs."""
    options = read_options(__doc__, paragraphs=25, font=FONTS)
    texts = {
        f"{font}-{name}": text_of(options.paragraphs, seed)
        for seed, (font, name) in enumerate(
            (font, name) for font in options.font for name in SETTINGS
        )
    }
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder_name:
        folder = Path(folder_name)
        for key, text in texts.items():
            font, name = key.rsplit("-", 1)
            (folder / f"{key}.docx").write_bytes(document(text, font, SETTINGS[name]))
        convert(sorted(folder.glob("*.docx")), "pdf", folder)
        counts = {
            key: right(text, (folder / f"{key}.pdf").read_bytes()) for key, text in texts.items()
        }
    print(f"{'font':20}" + "".join(f"{name:>10}" for name in SETTINGS))
    for font in options.font:
        shares = [counts[f"{font}-{name}"] for name in SETTINGS]
        print(
            f"{font:20}" + "".join(f"{right_count / total:10.2f}" for right_count, total in shares)
        )
    total = sum(count for _, count in counts.values())
    print(
        f"right: {sum(right_count for right_count, _ in counts.values()) / total:.3f} of {total:,}"
    )


if __name__ == "__main__":
    main()
