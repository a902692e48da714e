"""The files of the format sets, and what other programs make of them: pdftotext and LibreOffice.

Texts of reference are kept in a cache folder, SET/KIND/NAME.txt; an empty one means that the
program found none.
"""

from __future__ import annotations

import csv
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

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
        """Whether there is a program to ask for its text."""
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
        some = list(group)
        if some[0].kind == "pdf":
            for file in some:
                _from_pdftotext(file)
        else:
            _from_libreoffice(some, folder)


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
    with tempfile.TemporaryDirectory() as profile:
        _convert(files, folder, profile, BATCH_SECONDS)
        for file in files:
            if not file.cached.exists():
                _convert([file], folder, profile, ALONE_SECONDS)
            if not file.cached.exists():
                file.cached.write_bytes(b"")


def _convert(files: Sequence[File], folder: Path, profile: str, seconds: int) -> None:
    command = ["soffice", f"-env:UserInstallation={Path(profile).as_uri()}", "--headless"]
    command += ["--convert-to", "txt:Text (encoded):UTF8", "--outdir", str(folder)]
    if files[0].kind == "html":
        command.append("--infilter=HTML (StarWriter)")
    process = subprocess.Popen(
        [*command, *(str(file.path) for file in files)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
