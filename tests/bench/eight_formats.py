"""One text in eight formats and more: every pair of them should have resemblance 1.

    python tests/bench/eight_formats.py [--text english german chinese] [--keep FOLDER] [--direct]

The text is written as flat OpenDocument and exported by LibreOffice; the folder is scanned. For
every pair below 1 a sentence says which words differ. Headings, a list, a table, a footnote and a
justified paragraph with broken words are in it. Every text is tried plain, with a footnote, and
with a line above and a number below every page: a note stands at the foot of a page in one format
and at the end in another, its number is text in some and in some not, and LibreOffice leaves notes
and what is above or below a page out of plain text, e-books and web pages.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import combinations, product
from pathlib import Path

from eight_texts import TEXTS, flat_odt, without_notes

from core.documents.readers import Reading, UnreadableError, reader_for
from core.scan.flow import scan
from core.scan.in_memory import find_pairs
from core.settings import ScanSettings

EXPORTS = {
    "odt": "odt",
    "docx": "docx:MS Word 2007 XML",
    "doc": "doc:MS Word 97",
    "rtf": "rtf:Rich Text Format",
    "html": "html:HTML (StarWriter)",
    "pdf": "pdf:writer_pdf_Export",
    "txt": "txt:Text (encoded):UTF8",
    "epub": "epub:EPUB",
}
VARIANTS = {"plain": "plain", "note": "with a footnote", "head": "with heads and page numbers"}
GOALS = {"pdf": 0.995}  # of every pair with it; of all others 1
WORD = re.compile(r"\w+")
DIFFERENCES = 4  # that are told
LONGEST = 8  # words of one


def export(name: str, variant: str, folder: Path) -> None:
    """Write a text in all formats."""
    language, country, marked = TEXTS[name]
    text = marked if variant == "note" else without_notes(marked)
    head = marked.splitlines()[0].strip("# ") if variant == "head" else ""
    source = folder / f"{name}.fodt"
    source.write_text(flat_odt(text, language, country, head), encoding="utf-8")
    with tempfile.TemporaryDirectory() as profile:
        for target in EXPORTS.values():
            command = ["soffice", f"-env:UserInstallation={Path(profile).as_uri()}", "--headless"]
            command += ["--convert-to", target, "--outdir", str(folder), str(source)]
            subprocess.run(command, check=True, capture_output=True, timeout=120)


def scanned(folder: Path, settings: ScanSettings) -> dict[str, str]:
    """The texts of a folder by their names, as a scan reads them."""
    result = scan([folder], settings)
    try:
        for problem in result.problems:
            print(f"  {problem.name}: {problem.code}, {problem.detail}")
        return dict(zip((one.name for one in result.documents), result.texts, strict=True))
    finally:
        result.close()


def read_directly(folder: Path, _settings: ScanSettings) -> dict[str, str]:
    """The same by the readers alone, in this process."""
    texts = {}
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        reader = reader_for(data, path.suffix)
        try:
            if reader.read is not None and (reader.kind != "text" or path.suffix == ".txt"):
                texts[path.name] = reader.read(data, Reading(suffix=path.suffix)).text
        except UnreadableError as error:
            print(f"  {path.name}: {error.code}, {error.detail}")
    return texts


def resemblances(texts: Sequence[str], settings: ScanSettings) -> dict[tuple[int, int], float]:
    """Of every pair; 0 for one that is not listed."""
    pairs = find_pairs(texts, settings)
    listed = zip(pairs.a.tolist(), pairs.b.tolist(), pairs.resemblance.tolist(), strict=True)
    found = {(a, b): resemblance for a, b, resemblance in listed}
    return {pair: found.get(pair, 0.0) for pair in combinations(range(len(texts)), 2)}


def difference(one: str, two: str, names: tuple[str, str]) -> str:
    """A sentence on the words that only one of them has, or has elsewhere."""
    words = [WORD.findall(text.replace("\u00ad", "").lower()) for text in (one, two)]
    told = []
    changes = [
        step
        for step in SequenceMatcher(None, *words, autojunk=False).get_opcodes()
        if step[0] != "equal"
    ]
    for _, a, a_end, b, b_end in changes[:DIFFERENCES]:
        there, here = _quoted(words[0][a:a_end]), _quoted(words[1][b:b_end])
        after = " ".join(words[0][max(0, a - 2) : a])
        told.append(f"after “{after}” {names[0]} has {there}, {names[1]} {here}")
    more = f"; and {len(changes) - DIFFERENCES} more" if len(changes) > DIFFERENCES else ""
    return ("; ".join(told) or "the same words, told apart by what is no word") + more


def _quoted(words: Sequence[str]) -> str:
    if not words:
        return "nothing"
    short = " ".join(words[:LONGEST])
    return f"“{short}{' …' if len(words) > LONGEST else ''}”"


def compare(texts: dict[str, str], settings: ScanSettings) -> bool:
    """Print every pair; whether all reach their goals."""
    names = list(texts)
    good = True
    for (a, b), value in sorted(resemblances(list(texts.values()), settings).items()):
        kinds = [Path(names[place]).suffix.removeprefix(".") for place in (a, b)]
        reached = value >= min(GOALS.get(kind, 1.0) for kind in kinds)
        good = good and reached
        print(f"  {kinds[0]:<5}{kinds[1]:<5}{value:.4f}{'' if reached else '  below its goal'}")
        if value < 1:
            print(f"      {difference(texts[names[a]], texts[names[b]], (kinds[0], kinds[1]))}")
    return good


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--text", nargs="+", choices=TEXTS, default=list(TEXTS))
    parser.add_argument("--keep", type=Path, help="folder for the files; a temporary one if none")
    parser.add_argument("--direct", action="store_true", help="by the readers, without a scan")
    options = parser.parse_args()
    settings = ScanSettings(min_resemblance=0.0, bands=64, rows=1, signature_size=64)
    for name, (variant, told) in product(options.text, VARIANTS.items()):
        with tempfile.TemporaryDirectory() as temporary:
            folder = (options.keep or Path(temporary)) / f"{name}-{variant}"
            if not folder.exists():
                folder.mkdir(parents=True)
                export(name, variant, folder)
            print(f"\n{name.upper()}, {told}")
            read = read_directly if options.direct else scanned
            texts = read(folder, settings)
            print(f"  {len(texts)} of {len(EXPORTS) + 1} files read")
            reached = compare(texts, settings)
            print(f"  {'every pair reaches' if reached else 'not every pair reaches'} its goal")


if __name__ == "__main__":
    main()
