"""Are documents found in which letters, spaces and invisible characters were exchanged?

    python tests/bench/lookalikes.py FOLDER [--documents 200] [--units word char] [--k 3 5 9]

Documents are drawn from the folder, and each is disguised in every way. Printed is, by way: how
many of the copies a scan lists with the document they were made of, and how far the resemblance of
the two is from 1 at most, over all units and k, with the name of that document.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from pathlib import Path

from core.evidence.overlap import figures_of
from core.scan.in_memory import find_pairs
from core.settings import ScanSettings

WORDS = 20  # fewer are no document
BATCH = 40
CYRILLIC = dict(zip("aceopxyijshABCEHIKMOPTX", "асеорхуіјѕһАВСЕНІКМОРТХ", strict=True))
GREEK = dict(zip("oνvABEHIKMNOPTXYZ", "οvνΑΒΕΗΙΚΜΝΟΡΤΧΥΖ", strict=True))
LATIN = {other: latin for latin, other in CYRILLIC.items() if latin not in "ijsh"}
FULLWIDTH = {chr(code): chr(code + 0xFEE0) for code in range(0x41, 0x7B) if chr(code).isalpha()}
BOLD = {chr(0x41 + i): chr(0x1D400 + i) for i in range(26)} | {
    chr(0x61 + i): chr(0x1D41A + i) for i in range(26)
}
OTHERS = {"g": "ց", "n": "ո", "u": "ս", "h": "հ", "o": "օ", "D": "Ꭰ", "R": "Ꭱ", "W": "Ꮃ", "G": "Ꮐ"}
UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad\ufe0f\U000e0061\u200e\u202a\u2063\u034f\u180b"
BLANKS = "\u00a0\u3164\u2800\u2003\u202f\u3000\uffa0\u115f"

Disguise = Callable[[str, random.Random], str]


def letters(table: dict[str, str], share: float) -> Disguise:
    """Exchange a share of the letters of a table."""
    return lambda text, rng: "".join(
        table[one] if one in table and rng.random() < share else one for one in text
    )


def strewn(characters: str, share: float) -> Disguise:
    """Put invisible characters behind a share of all characters, but none before a mark."""
    return lambda text, rng: "".join(
        one + rng.choice(characters) if rng.random() < share else one for one in text
    )


def spaces(characters: str, share: float) -> Disguise:
    """Exchange a share of the spaces."""
    return lambda text, rng: "".join(
        rng.choice(characters) if one == " " and rng.random() < share else one for one in text
    )


DISGUISES: dict[str, Disguise] = {
    "every a Cyrillic": letters({"a": "а"}, 1),
    "Cyrillic, all": letters(CYRILLIC, 1),
    "Cyrillic, half": letters(CYRILLIC, 0.5),
    "Cyrillic, a tenth": letters(CYRILLIC, 0.1),
    "Greek, all": letters(GREEK, 1),
    "Latin for Cyrillic, all": letters(LATIN, 1),
    "Latin for Cyrillic, half": letters(LATIN, 0.5),
    "Armenian, Cherokee": letters(OTHERS, 0.7),
    "fullwidth": letters(FULLWIDTH, 0.3),
    "mathematical": letters(BOLD, 0.3),
    "invisible, many": strewn(UNSEEN, 0.5),
    "invisible, some": strewn(UNSEEN, 0.05),
    "zero width space": strewn("\u200b", 0.3),
    "spaces, all": spaces(BLANKS, 1),
    "spaces, half": spaces(BLANKS, 0.5),
}


def main() -> None:
    """Disguise documents of a folder and look for them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--units", nargs="+", default=["word", "char"])
    parser.add_argument("--k", type=int, nargs="+", default=[3, 5, 9])
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    texts = drawn(wanted.folder, wanted.documents, random.Random(wanted.seed))
    every = [ScanSettings(unit=unit, k=k) for unit in wanted.units for k in wanted.k]
    worst_of_all = 0.0
    for name, disguise in DISGUISES.items():
        rng = random.Random(name)
        copies = {path: disguise(text, rng) for path, text in texts.items()}
        changed = [path for path in texts if copies[path] != texts[path]]
        found = sum(listed([texts[path] for path in changed], [copies[path] for path in changed]))
        far = [
            (1 - figures_of(texts[path], copies[path], settings).resemblance, str(path), settings)
            for path in changed
            for settings in every
        ]
        worst, where, how = max(far, key=lambda one: one[0], default=(0.0, "", every[0]))
        worst_of_all = max(worst, worst_of_all)
        place = f"{where}, {how.unit} {how.k}" if worst else ""
        beyond = sum(one > 0.01 for one, *_ in far)
        share = f"{found}/{len(changed)} found"
        print(f"{name:26} {share}, farthest {worst:.4f} {place}; {beyond} beyond .01")
    print(f"farthest of all {worst_of_all:.4f}")


def drawn(folder: Path, count: int, rng: random.Random) -> dict[Path, str]:
    """Texts of a folder, by their path in it."""
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in {".txt", ".md", ""}]
    rng.shuffle(files)
    texts: dict[Path, str] = {}
    for path in files:
        if len(texts) == count:
            break
        if path.is_file():
            text = path.read_text("utf-8", "replace")
            if len(text.split()) >= WORDS:
                texts[path.relative_to(folder)] = text
    return texts


def listed(texts: list[str], copies: list[str]) -> list[bool]:
    """Whether a scan of the documents and their copies lists each with its copy."""
    result = []
    for start in range(0, len(texts), BATCH):
        some = texts[start : start + BATCH]
        pairs = find_pairs([*some, *copies[start : start + BATCH]], ScanSettings())
        met = set(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))
        result += [(place, place + len(some)) in met for place in range(len(some))]
    return result


if __name__ == "__main__":
    main()
