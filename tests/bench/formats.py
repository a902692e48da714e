"""Our readers on real files, beside other programs: how much of the text they get, how cleanly.

    python tests/bench/formats.py --data FOLDER [--kind pdf ...] [--worst N] [--cache FOLDER]
                                  [--peer pypdf ... --peer-python PYTHON]

FOLDER has the sets formats_tika, formats_pdfjs, formats_pypdf and formats_epub. The text of
reference is that of pdftotext for PDF and of LibreOffice for docx, doc, odt, rtf and html. Making
it takes minutes; keep it with --cache: the same folder given again is only added to. Readers are
those of the `core` that Python finds first, so another tree is measured with PYTHONPATH.

Columns:
    text       files with text / files that have some, for the other program or by the set's table
    recall     5-word shingles of the reference that the reader has too, mean over all files with
               a reference: a file that is not read counts as 0
    precision  5-word shingles of the reader that the reference has too, mean over files read
    glued      words that are not in the reference but two neighbours of it written as one
    split      words of the reference that the reader has only as two neighbours
    seconds    of reading, without starting processes

Words are lower-case runs of \\w; shingles are compared as sets. The reference is no truth: headers
are in a Word file and not in what LibreOffice writes of it, which has the numbers of lists instead;
the title of a web page is text for our reader and not for LibreOffice. A text of fewer than five
words is one shingle. The peer named "reference" reads the reference itself: its recall and
precision are 1.
"""

import argparse
import csv
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import groupby, pairwise
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from formats_child import LIBRARIES, OURS, Child, reading
from office import convert
from options import NEEDED, Among, read_options

SETS = ("formats_tika", "formats_pdfjs", "formats_pypdf", "formats_epub")
KINDS = ("pdf", "docx", "doc", "odt", "rtf", "html", "epub", "fb2", "txt", "tex")
OFFICE_KINDS = frozenset({"docx", "doc", "odt", "rtf", "html"})
# Files that the tables count as having text, though nobody would see any in their pages: blank
# chapters beside a table of contents, commands that generate text, a text named odt.
NO_TEXT = re.compile(
    r"(?:basic-v2|minimal-v\d+)_3d8a8a.*\.epub|004-pdflatex-4-pages__.*\.tex|testODTnotaZipFile\.odt"
)
ALONE_SECONDS = 60
BATCH_SECONDS = 600


class File(NamedTuple):
    """A file of a set.

    Attributes:
        path: Where it is.
        kind: Its format, one of `KINDS`.
        password: What opens it, "" for most.
        promised: Whether the set says that it has text.
        blank: Whether it is known to have none all the same.
        cached: Where the cache has its text of reference.
    """

    path: Path
    kind: str
    password: str
    promised: bool
    blank: bool
    cached: Path

    @property
    def has_reference(self) -> bool:
        """Whether a program can extract its text."""
        return self.kind == "pdf" or self.kind in OFFICE_KINDS

    def reference(self) -> str:
        """What the other program made of it, "" where it found no text."""
        if self.blank or not self.cached.exists():
            return ""
        return self.cached.read_text("utf-8", "replace")


def list_files(data: Path, cache: Path, kinds: Sequence[str]) -> list[File]:
    """The files of these kinds, ordered by set and kind."""
    files = []
    for name in SETS:
        table = data / name / "expected.csv"
        with table.open(newline="", encoding="utf-8-sig") as lines:
            rows = list(csv.DictReader(lines))
        for row in rows:
            kind = row.get("format", "epub").replace("docm", "docx")
            if kind in kinds:
                files.append(_file(data / name / "docs" / row["file"], kind, row, cache / name))
    return sorted(files, key=lambda file: (file.cached.parent, file.path.name))


def _file(path: Path, kind: str, row: dict[str, str], cache: Path) -> File:
    """Lengths of text in the table of Word and RTF files are those of the files, so no promise."""
    length = row.get("ref_text_chars") or row.get("text_chars") or "0"
    promised = kind not in {"doc", "rtf"} and int(length) > 0
    cached = cache / kind / f"{path.stem}.txt"
    blank = NO_TEXT.fullmatch(path.name) is not None
    return File(path, kind, row.get("password") or "", promised, blank, cached)


def make_references(files: Sequence[File]) -> None:
    """Fill the cache with what it does not have yet."""
    missing = [file for file in files if file.has_reference and not file.cached.exists()]
    for folder, group in groupby(missing, key=lambda file: file.cached.parent):
        folder.mkdir(parents=True, exist_ok=True)
        references = list(group)
        if references[0].kind == "pdf":
            for file in references:
                _from_pdftotext(file)
        else:
            _from_libreoffice(references, folder)


def _from_pdftotext(file: File) -> None:
    command = ["pdftotext", "-q", "-enc", "UTF-8"]
    if file.password:
        command += ["-upw", file.password]
    try:
        done = subprocess.run(
            [*command, str(file.path), "-"], capture_output=True, check=False, timeout=ALONE_SECONDS
        )
        text = done.stdout
    except subprocess.TimeoutExpired:
        text = b""
    file.cached.write_bytes(text)


def _from_libreoffice(files: Sequence[File], folder: Path) -> None:
    """All at once; those it did not get to once more alone, since one file can stop it."""
    _convert(files, folder, BATCH_SECONDS)
    for file in files:
        if not file.cached.exists():
            _convert([file], folder, ALONE_SECONDS)
        if not file.cached.exists():
            file.cached.write_bytes(b"")


def _convert(files: Sequence[File], folder: Path, seconds: int) -> None:
    options = ["--infilter=HTML (StarWriter)"] if files[0].kind == "html" else []
    with suppress(subprocess.SubprocessError):
        paths = [file.path for file in files]
        convert(paths, "txt:Text (encoded):UTF8", folder, *options, seconds=seconds)


WORDS = 5
WORD = re.compile(r"\w+")
REFERENCE = "reference"
PLAIN = frozenset({"txt", "tex"})  # kinds that the reader of plain text is for
# Which kinds a library is asked for; one that is not here takes all.
READS = {
    "pypdf": ("pdf",),
    "docx2python": ("docx",),
    "python-docx": ("docx",),
    "striprtf": ("rtf",),
    "odfdo": ("odt",),
    "selectolax": ("html",),
}

Read = Callable[[File], dict[str, Any]]


class Figures(NamedTuple):
    """How a file was read; recall and precision are None where nothing can be compared."""

    file: File
    has_text: bool
    expected: bool
    recall: float | None
    precision: float | None
    glued: list[str]
    split: list[str]
    outcome: str
    seconds: float


def words_of(text: str) -> list[str]:
    """The lower-case words of a text."""
    return WORD.findall(text.lower())


def shingles(words: Sequence[str], length: int) -> set[tuple[str, ...]]:
    """All runs of `length` words."""
    return {tuple(words[at : at + length]) for at in range(len(words) - length + 1)}


def joined_neighbours(words: Sequence[str], joined: Sequence[str]) -> list[str]:
    """Words of the first that the other has only as two neighbours."""
    neighbours = {a + b for a, b in pairwise(joined)}
    return sorted((set(words) - set(joined)) & neighbours)


def judged(file: File, answer: dict[str, Any]) -> Figures:
    """Compare what was read with the reference."""
    ours = words_of(answer.get("text", ""))
    if answer.get("kind") == "text" and file.kind not in PLAIN:
        ours = []  # its source is not its text
        answer = {"verdict": "no reader"}
    reference = words_of(file.reference())
    recall = precision = None
    if reference:
        length = min(WORDS, len(reference))
        expected, read_shingles = shingles(reference, length), shingles(ours, length)
        recall = len(expected & read_shingles) / len(expected)
        precision = (
            len(expected & read_shingles) / len(read_shingles)
            if read_shingles
            else (0.0 if ours else None)
        )
    return Figures(
        file,
        bool(ours),
        not file.blank and (bool(reference) or file.promised),
        recall,
        precision,
        joined_neighbours(ours, reference) if reference else [],
        joined_neighbours(reference, ours) if reference else [],
        _outcome(answer),
        answer.get("seconds", 0.0),
    )


def _outcome(answer: dict[str, Any]) -> str:
    words = [answer["verdict"], answer.get("code", ""), answer.get("exception", "")]
    return " ".join(filter(None, words))


def mean(values: Iterable[float | None]) -> str:
    """Their mean without those that are None, as it is printed."""
    known = [value for value in values if value is not None]
    return f"{fmean(known):.3f}" if known else "-"


def read_all(files: Sequence[File], read: Read) -> list[Figures]:
    """Read files and judge each."""
    return [judged(file, read(file)) for file in files]


def reader_of(library: str, python: str) -> tuple[Read, Callable[[], None]]:
    """A function that reads with a library, and what ends its process."""
    if library == REFERENCE:
        return lambda file: {"verdict": "text", "text": file.reference()}, lambda: None
    child = Child(reading(library, python if library != OURS else sys.executable))

    def read(file: File) -> dict[str, Any]:
        return child.ask(
            path=str(file.path), suffix=file.path.suffix.lower(), password=file.password
        )

    return read, child.close


def print_rows(library: str, kinds: Sequence[str], figures: Sequence[Figures]) -> None:
    """One row per kind, for one library."""
    for kind in kinds:
        group = [figure for figure in figures if figure.file.kind == kind]
        if not group:
            continue
        expected = [figure for figure in group if figure.expected]
        got = sum(figure.has_text for figure in expected)
        print(
            f"{kind:<6}{library:<13}{got:>5} /{len(expected):>4}"
            f"{mean(figure.recall for figure in group):>9}"
            f"{mean(figure.precision for figure in group):>11}"
            f"{sum(len(figure.glued) for figure in group):>8}"
            f"{sum(len(figure.split) for figure in group):>7}"
            f"{sum(figure.seconds for figure in group):>10.2f}",
            flush=True,
        )


def print_worst(count: int, kinds: Sequence[str], figures: Sequence[Figures]) -> None:
    """The files with the worst figures of every kind: no text first, then the lowest recall."""
    for kind in kinds:
        figures_of_kind = [
            figure
            for figure in figures
            if figure.file.kind == kind and (figure.expected or figure.has_text)
        ]
        figures_of_kind.sort(
            key=lambda figure: (figure.has_text, (figure.recall or 0) + (figure.precision or 0))
        )
        print(f"\nWORST {kind}: recall, precision, glued, split, what happened")
        for figure in figures_of_kind[:count]:
            print(
                f"  {mean([figure.recall]):>6}{mean([figure.precision]):>7}"
                f"{len(figure.glued):>5}{len(figure.split):>5}  {figure.outcome:<24} "
                f"{figure.file.cached.parts[-3]}/docs/{figure.file.path.name}"
            )
            if figure.glued or figure.split:
                print(f"{'':26}glued {figure.glued[:6]}, split {figure.split[:6]}")


def main() -> None:
    """Read the command line."""
    options = read_options(
        __doc__,
        data=NEEDED,
        kind=Among(KINDS, KINDS),
        worst=0,
        cache=Path,
        peer=Among([*LIBRARIES, REFERENCE], ()),
        peer_python=sys.executable,
    )
    with tempfile.TemporaryDirectory() as temporary:
        measure(options, options.cache or Path(temporary))


def measure(options: argparse.Namespace, cache: Path) -> None:
    """Print the table."""
    files = list_files(options.data, cache, options.kind)
    make_references(files)
    print(f"{'kind':<6}{'reader':<13}{'text':>11}{'recall':>9}{'precision':>11}", end="")
    print(f"{'glued':>8}{'split':>7}{'seconds':>10}")
    for library in [OURS, *options.peer]:
        kinds = [kind for kind in options.kind if kind in READS.get(library, KINDS)]
        read, close = reader_of(library, options.peer_python)
        figures = read_all([file for file in files if file.kind in kinds], read)
        close()
        print_rows(library, kinds, figures)
        if options.worst and library == OURS:
            print_worst(options.worst, kinds, figures)
            print()


if __name__ == "__main__":
    main()
