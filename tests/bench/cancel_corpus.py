"""Folders of which each stage takes long, made of random words."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

LATIN = [f"{a}{b}{c}" for a in ("mar", "tel", "ops", "wen", "luk") for b in "aeiou" for c in (
    "", "ns", "ters", "ming", "lied", "rk", "st", "vable", "nth", "dic", "x", "gs")]  # fmt: skip
IDEOGRAPHS = [chr(0x4E00 + number) for number in range(2500)]
GROWING = "\ufdfa"  # eighteen characters in NFKC
HUGE = 24_000_000  # characters of a text
PAIRED = 5_000_000  # of each of two texts with much in common


class Folders:
    """Where everything is.

    Attributes:
        many: Some thousand texts, a tenth of them like another.
        few: Three hundred of them.
        huge: Three plain texts of 24 million characters: English, Chinese, and one that grows.
        foreign: Large Word documents, web pages, an archive of such, and damaged ones.
        english, chinese: Two texts of 5 MB in each, half of them shared in pieces.
    """

    def __init__(self, root: Path) -> None:
        self.many, self.few = root / "many", root / "few"
        self.huge, self.foreign = root / "huge", root / "foreign"
        self.english, self.chinese = root / "english", root / "chinese"
        for folder in vars(self).values():
            folder.mkdir(parents=True, exist_ok=True)


def make_folders(root: Path) -> Folders:
    """Make all files, the same at every call."""
    folders, chance = Folders(root), random.Random(5)
    _make_many(folders.many, folders.few, chance)
    huge = {
        "english.txt": _prose(chance, LATIN, HUGE, " "),
        "chinese.txt": _prose(chance, IDEOGRAPHS, HUGE // 3, ""),
        "growing.txt": GROWING * (HUGE // 24),
    }
    for name, text in huge.items():
        (folders.huge / name).write_text(text, encoding="utf-8")
    _make_foreign(folders.foreign, chance)
    for folder, words, space in (
        (folders.english, LATIN, " "),
        (folders.chinese, IDEOGRAPHS, ""),
    ):
        _make_pair(folder, chance, words, space)
    return folders


def _prose(chance: random.Random, words: list[str], characters: int, space: str) -> str:
    """Pieces of random words in random order, so that runs come again."""
    pieces = [space.join(chance.choices(words, k=400)) for _ in range(500)]
    parts, length = [], 0
    while length < characters:
        parts.append(chance.choice(pieces))
        length += len(parts[-1])
    return "\n".join(parts)[:characters]


def _make_many(many: Path, few: Path, chance: random.Random) -> None:
    texts: list[list[str]] = []
    for number in range(4_000):
        words = chance.choices(LATIN, k=500)
        if number % 10 == 0 and texts:
            words[:250] = chance.choice(texts)[:250]
        texts.append(words)
        for place in (many, few) if number < 300 else (many,):
            (place / f"{number:05}.txt").write_text(" ".join(words), encoding="utf-8")


def _make_pair(folder: Path, chance: random.Random, words: list[str], space: str) -> None:
    count = PAIRED // len((chance.choice(words) + space).encode())
    pieces = [space.join(chance.choices(words, k=60)) for _ in range(count // 120)]
    for name in ("one.txt", "two.txt"):
        chance.shuffle(pieces)
        own = (space.join(chance.choices(words, k=60)) for _ in pieces)
        text = "\n".join(part for both in zip(pieces, own, strict=True) for part in both)
        (folder / name).write_text(text, encoding="utf-8")


def _make_foreign(folder: Path, chance: random.Random) -> None:
    for number in range(6):
        (folder / f"{number}.docx").write_bytes(_word(_prose(chance, LATIN, 3_000_000, " ")))
    page = _prose(chance, LATIN, 4_000_000, " ").replace("\n", "</p><p>")
    (folder / "page.html").write_text(f"<html><body><p>{page}</p></body></html>")
    (folder / "deep.html").write_text("<div>" * 200_000 + "the end")
    (folder / "damaged.docx").write_bytes(_word("one")[:-60])
    with zipfile.ZipFile(folder / "archive.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(300):
            archive.writestr(f"{number}.docx", _word(_prose(chance, LATIN, 40_000, " ")))


def _word(text: str) -> bytes:
    """A Word document with these paragraphs."""
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in text.split("\n"))
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            f'<Override PartName="/word/document.xml" ContentType="{kind}"/></Types>',
        )
        package.writestr(
            "_rels/.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            '<Relationship Id="r1" Target="word/document.xml" Type="http://schemas.openxmlformats'
            '.org/officeDocument/2006/relationships/officeDocument"/></Relationships>',
        )
        package.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>',
        )
    return written.getvalue()
