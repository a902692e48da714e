"""Two states of one small review, and what is in a review file: for faults and power cuts."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from core.documents.model import PairKey
from core.review import open_review
from core.review.verdicts import write_note
from core.scan.flow import scan
from core.scan.history import HistoryEntry, entry_after
from core.scan.judgements import Judgements
from core.scan.scan import Scan
from core.scan.state import ScanState
from core.settings import ScanSettings

SETTINGS = ScanSettings(k=3)
OLD, NEW = "old", "new"


def text_of(number: int, version: int) -> str:
    """A text that is like that of the number before."""
    family = number // 2
    words = [f"w{(family * 7919 + index * index * 31) % 4001}" for index in range(220)]
    words[number % 50] = f"number{number}"
    words[100 + number % 50] = f"version{version}"
    return " ".join(words)


class SmallReviews:
    """A folder of documents as it was before and after a change, scanned.

    Attributes:
        states: The scans, by OLD and NEW.
        contents: What a review of each holds, as `contents` says it.
    """

    def __init__(self, work: Path, documents: int = 12) -> None:
        self.folder = work / "essays"
        self.folder.mkdir(parents=True)
        self.states: dict[str, ScanState] = {}
        self._write(range(documents), 1)
        (self.folder / "empty.txt").write_text("")
        self._scan(OLD, None)
        # Some stay, some change, one is gone, some come.
        self._write(range(documents // 2, documents - 1), 2)
        self._write(range(documents, documents + documents // 2), 2)
        (self.folder / f"{documents - 1}.txt").unlink()
        self._scan(NEW, self.states[OLD])
        self.contents = {name: fingerprint(state) for name, state in self.states.items()}

    def _write(self, numbers: range, version: int) -> None:
        for number in numbers:
            path = self.folder / f"{number}.txt"
            path.write_text(text_of(number, version), encoding="utf-8")

    def _scan(self, name: str, previous: ScanState | None) -> None:
        result = scan([self.folder], SETTINGS, previous=previous)
        try:
            result.list_pairs()
            state = result.state
            self.states[name] = state._replace(texts=list(state.texts))
        finally:
            result.close()

    def which(self, path: Path) -> str:
        """Which of the states a review file holds, opened elsewhere and without its companions.

        Raises:
            NeardupError: It cannot be opened.
            AssertionError: It holds neither.
        """
        with copied(path) as copy:
            return self.which_here(copy)

    def which_here(self, path: Path) -> str:
        """The same for the file where it lies, with what lies beside it."""
        return which_of(path, self.contents)


@contextmanager
def copied(path: Path) -> Iterator[Path]:
    """A copy of the one file, in a new folder."""
    with tempfile.TemporaryDirectory() as elsewhere:
        yield Path(shutil.copyfile(path, Path(elsewhere, path.name)))


def note_after(log: Sequence[HistoryEntry], letters: int) -> HistoryEntry:
    """Another entry of a log: a note on a pair."""
    keys = [PairKey.between("a" * 32, "b" * 32)]
    return entry_after(log, *write_note(Judgements(), keys, "x" * letters))


def which_of(path: Path, known: dict[str, str]) -> str:
    """The name of what a review holds, by its `contents`.

    Raises:
        NeardupError: It cannot be opened.
        AssertionError: It holds nothing that is known.
    """
    content_of_file = contents(path)
    for name, content in known.items():
        if content_of_file == content:
            return name
    raise AssertionError("The review holds neither what was before nor what came after.")


def contents(path: Path) -> str:
    """Everything a review holds that matters, in one value."""
    with open_review(path) as review:
        return fingerprint(review.state)


def fingerprint(state: ScanState) -> str:
    """Documents, texts, signatures, pairs and problems of a scan in one value."""
    scanned = Scan.restored(state)
    try:
        pairs = scanned.pairs()
    finally:
        scanned.close()
    order = sorted(range(len(state.documents)), key=lambda row: state.documents[row].name)
    known = [
        [
            (document.name, document.file_hash, document.absence)
            for document in map(state.documents.__getitem__, order)
        ],
        [state.texts[row] for row in order],
        [state.signed.signatures[row].tobytes() for row in order],
        sorted(zip(pairs.a.tolist(), pairs.b.tolist(), pairs.resemblance.tolist(), strict=True)),
        sorted((problem.name, problem.code, problem.detail) for problem in state.problems),
        state.settings,
    ]
    return hashlib.sha256(repr(known).encode("utf-8", "surrogatepass")).hexdigest()
