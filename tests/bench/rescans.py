"""Rescans of folders that lose, rename, change and regain files at random.

After each rescan the result is held against a fresh scan of the same folders, and against a ledger
of all documents that were ever in the review: each must still be there, with its text, unless its
own file has another content now or the user removed it. Now and then the review goes through its
file, the settings change, a folder is not connected, or missing documents are removed and brought
back.

    python tests/bench/rescans.py [--rescans 300] [--seed 0]

Prints how many rescans there were of which kind, and stops at the first that is not right.
"""

import os
import random
import shutil
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from unittest import mock

import numpy as np

from core.documents.model import Document
from core.documents.reading_settings import ReadingSettings
from core.review import open_review, save_review
from core.review.decisions import decide
from core.review.folder_roles import bring_back, remove
from core.scan.flow import scan
from core.scan.folders import missing
from core.scan.scan import Scan
from core.scan.state import ScanState
from core.settings import ScanSettings
from tests.bench.options import read_options

SETTINGS = ScanSettings(k=3)
OTHER_SETTINGS = (
    ScanSettings(k=4),
    ScanSettings(k=3, bands=20, rows=5, min_resemblance=0.4),
    ScanSettings(k=3, compare="bands", bands=12, rows=3),
    ScanSettings(k=2, signature="simhash", weights="tf-idf", max_distance=8),
)
READING = ReadingSettings(archives=True)
FIRST_DAY = date(2026, 1, 1)
COLUMNS = ("a", "b", "resemblance", "containment_a", "longest_run", "estimate", "found_by")
SUBFOLDERS = ("", "letters", "letters/old", "essays")
TEXTS = 14  # different families of texts


def text_of(rng: random.Random) -> str:
    """A text that is like those of its family, now and then exactly like one."""
    words = [f"w{rng.randrange(400)}" for _ in range(80)]
    family = random.Random(rng.randrange(TEXTS))
    words = [f"w{family.randrange(4000)}" for _ in range(80)]
    for _ in range(rng.choice((0, 0, 3, 12))):
        words[rng.randrange(len(words))] = f"x{rng.randrange(4000)}"
    return " ".join(words)


class World:
    """Two folders, the review of them, and what is known of both."""

    def __init__(self, work: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        self.folders = (work / "first", work / "second")
        self.review = work / "review.neardup"
        self.settings = SETTINGS
        self.day = FIRST_DAY
        self.counts: Counter[str] = Counter()
        self._hidden = work / "hidden"
        self._hidden.mkdir(parents=True)
        self._deleted: list[tuple[Path, bytes, int]] = []
        self._texts: dict[tuple[str, str], str] = {}
        for folder in self.folders:
            for below in SUBFOLDERS:
                (folder / below).mkdir(parents=True, exist_ok=True)
        for _ in range(24):
            self._add()
        self.state = self._scanned(None)

    # What happens to files

    def disturb(self) -> None:
        """Let a few things happen to the files, and sometimes to everything."""
        events: tuple[Callable[[], None], ...] = (
            *(self._add, self._delete, self._delete, self._rename, self._rename, self._edit),
            *(self._copy, self._regain, self._regain, self._swap, self._spoil, self._touch),
            *(self._pack, self._repack, self._rename_folder, self._delete_folder),
        )
        for _ in range(self.rng.choice((0, 1, 1, 2, 3, 5, 9))):
            event = self.rng.choice(events)
            event()
            self.counts[event.__name__.strip("_").replace("_", " ")] += 1

    def _files(self) -> list[Path]:
        return sorted(path for top in self.folders for path in top.rglob("*") if path.is_file())

    def _file(self) -> Path:
        files = self._files()
        return self.rng.choice(files) if files else self._add()

    def _new_place(self, suffix: str = ".txt") -> Path:
        folder = self.rng.choice(self.folders) / self.rng.choice(SUBFOLDERS)
        folder.mkdir(parents=True, exist_ok=True)
        while True:
            path = folder / f"{self.rng.choice('abcdefgh')}{self.rng.randrange(40)}{suffix}"
            if not path.exists():
                return path

    def _add(self) -> Path:
        path = self._new_place()
        path.write_text(text_of(self.rng), encoding="utf-8")
        return path

    def _delete(self) -> None:
        path = self._file()
        self._deleted.append((path, path.read_bytes(), path.stat().st_mtime_ns))
        path.unlink()

    def _regain(self) -> None:
        """A file is back, with its old time or a new one."""
        if self._deleted:
            path, data, time_ns = self._deleted.pop(self.rng.randrange(len(self._deleted)))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            if self.rng.random() < 0.6:
                os.utime(path, ns=(time_ns, time_ns))

    def _rename(self) -> None:
        path = self._file()
        path.rename(self._new_place(path.suffix))

    def _copy(self) -> None:
        path = self._file()
        shutil.copy2(path, self._new_place(path.suffix))

    def _swap(self) -> None:
        first, second = self._file(), self._file()
        if first != second:
            data = first.read_bytes()
            first.write_bytes(second.read_bytes())
            second.write_bytes(data)

    def _edit(self) -> None:
        path = self._file()
        if path.suffix == ".txt":
            path.write_text(text_of(self.rng), encoding="utf-8")

    def _touch(self) -> None:
        os.utime(self._file())

    def _spoil(self) -> None:
        """A file is there and gives no text."""
        self._file().write_bytes(self.rng.choice((b"", b"\0\1\2" * 500, b"PK\3\4 broken")))

    def _pack(self) -> None:
        self._write_archive(self._new_place(".zip"), range(self.rng.randrange(1, 4)))

    def _repack(self) -> None:
        """Other members in an archive: some stay, some go, some come."""
        archives = [path for path in self._files() if path.suffix == ".zip"]
        if archives:
            self._write_archive(self.rng.choice(archives), range(self.rng.randrange(4)))

    def _write_archive(self, path: Path, members: range) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            for number in members:
                archive.writestr(f"m{number}.txt", text_of(self.rng))

    def _rename_folder(self) -> None:
        folder = self.rng.choice(self.folders) / self.rng.choice(SUBFOLDERS[1:])
        target = folder.with_name(f"{folder.name} {self.rng.randrange(3)}")
        if folder.exists() and not target.exists():
            folder.rename(target)

    def _delete_folder(self) -> None:
        folder = self.rng.choice(self.folders) / self.rng.choice(SUBFOLDERS[1:])
        if folder.exists() and self.rng.random() < 0.5:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    self._deleted.append((path, path.read_bytes(), path.stat().st_mtime_ns))
            shutil.rmtree(folder)

    # What happens to the review

    def rescan(self) -> None:
        """Rescan, sometimes with a folder that is not connected, and check what came out."""
        self.day += timedelta(days=1)
        if self.rng.random() < 0.1:
            self.settings = self.rng.choice((SETTINGS, *OTHER_SETTINGS))
            self.counts["other settings"] += 1
        lost = self.rng.choice(self.folders) if self.rng.random() < 0.12 else None
        if lost is not None:
            self._disconnect(lost)
        if self.rng.random() < 0.05:
            self.state = self.state._replace(texts_are_current=False)
            self.counts["texts of older readers"] += 1
        before = self.state
        self.state = self._scanned(before)
        self._check_ledger(before, self.state)
        if lost is not None:
            shutil.rmtree(lost, ignore_errors=True)
            (self._hidden / lost.name).rename(lost)
        self._decide()
        self.counts["rescans"] += 1

    def _disconnect(self, folder: Path) -> None:
        """Take a folder away, or leave an empty one in its place as an unmounted share does."""
        folder.rename(self._hidden / folder.name)
        if self.rng.random() < 0.5:
            folder.mkdir()
        self.counts["folders not connected"] += 1

    def _decide(self) -> None:
        """Sometimes the user removes some missing documents, or brings all removed ones back."""
        missing_documents = missing(self.state)
        if missing_documents and self.rng.random() < 0.2:
            chosen = [document for document in missing_documents if self.rng.random() < 0.7]
            self.state = decide(self.state, *remove(chosen))
            self.counts["removals"] += 1
        elif self.rng.random() < 0.15:
            removed = [document for document in self.state.documents if document.is_removed]
            self.state = decide(self.state, *bring_back(removed))
            self.counts["removals undone"] += 1

    def _scanned(self, before: ScanState | None) -> ScanState:
        """Scan, compare with a fresh scan, and send the state through the review file."""
        with mock.patch("core.scan.rescan.today", return_value=self.day):
            result = scan(self.folders, self.settings, reading=READING, previous=before)
        try:
            present = [folder for folder in self.folders if folder.is_dir()]
            if len(present) == len(self.folders):  # else names would begin otherwise
                fresh = scan(self.folders, self.settings, reading=READING)
                try:
                    check_same(result, fresh)
                finally:
                    fresh.close()
            pairs = result.pairs()
            state = result.state
            if before is None or self.rng.random() < 0.5:
                save_review(self.review, state)
                with open_review(self.review) as review:
                    state = _in_memory(review.state, state)
                again = Scan.restored(state)
                try:
                    check_pairs(again.pairs(), pairs)
                finally:
                    again.close()
                self.counts["round trips"] += 1
            return state
        finally:
            result.close()

    def _check_ledger(self, before: ScanState, after: ScanState) -> None:
        """Every document of before is there with its text, unless its own file has another now."""
        for document, text in zip(after.documents, after.texts, strict=True):
            # What older readers made of it may be another text; here all readers are the same.
            expect(
                self._texts.setdefault(_content(document), text) == text,
                f"{document.name}: another text",
            )
        replaced = Counter(_replaced(before, after))
        # A file that is gone is that which turns up with the same text, though in other bytes.
        had, has = (
            Counter(document.text_hash for document in state.documents) for state in (before, after)
        )
        for text_hash, number in (had - has).items():
            expect(number <= replaced[text_hash], f"{number} documents {text_hash} are lost")
        marks = {
            (_key(document), _content(document)): document.absence for document in before.documents
        }
        for document in after.documents:
            earlier = marks.get((_key(document), _content(document)))
            if document.absence and earlier and earlier.kind is document.absence.kind:
                expect(document.absence.since == earlier.since, f"{document.name}: another day")
        names = Counter(document.name for document in after.documents if not document.is_removed)
        expect(not names or max(names.values()) == 1, "two documents have one name")


def check_same(result: Scan, fresh: Scan) -> None:
    """The present documents and their pairs are those of a fresh scan."""
    present = [n for n, document in enumerate(result.documents) if document.absence is None]
    documents = [result.documents[n] for n in present]
    expect(
        [
            (document.name, document.file_hash, document.kind, document.remarks)
            for document in documents
        ]
        == [
            (document.name, document.file_hash, document.kind, document.remarks)
            for document in fresh.documents
        ],
        "other documents than those of a fresh scan",
    )
    expect([result.texts[n] for n in present] == list(fresh.texts), "other texts")
    expect(sorted(result.problems) == sorted(fresh.problems), "other problems")
    new_numbers = np.full(len(result.documents), -1)
    new_numbers[present] = np.arange(len(present))
    pairs = result.pairs()
    pairs = pairs.with_columns(a=new_numbers[pairs.a], b=new_numbers[pairs.b])
    check_pairs(pairs.take((pairs.a >= 0) & (pairs.b >= 0)), fresh.pairs())
    expect(result.list_pairs().notes == fresh.list_pairs().notes, "other notes")
    expect(result.background().tolist() == fresh.background().tolist(), "another background")


def check_pairs(pairs: object, expected_pairs: object) -> None:
    """Both have the same rows."""
    for column in COLUMNS:
        same = getattr(pairs, column).tolist() == getattr(expected_pairs, column).tolist()
        expect(same, f"other pairs than expected: {column}")


def expect(right: bool, fault: str) -> None:
    """Stop at what is not right."""
    if not right:
        raise AssertionError(fault)


def _in_memory(stored: ScanState, state: ScanState) -> ScanState:
    """A state as it was read from a review file that is closed now."""
    texts = list(stored.texts)
    return stored._replace(texts=texts, reading=state.reading)


def _content(document: Document) -> tuple[str, str]:
    return document.file_hash, document.kind


def _key(document: Document) -> tuple[str, str]:
    return str(document.path), document.part


def _replaced(before: ScanState, after: ScanState) -> list[str]:
    """The hashes of the texts of documents at whose place another text is now."""
    now = {_key(document): document for document in after.documents if document.absence is None}
    return [
        document.text_hash
        for document in before.documents
        if _key(document) in now and now[_key(document)].text_hash != document.text_hash
    ]


def main() -> None:
    """Run a number of rescans, in worlds of thirty each."""
    options = read_options(__doc__, rescans=300, seed=0)
    began, counts, seed = time.monotonic(), Counter[str](), options.seed
    while counts["rescans"] < options.rescans:
        with tempfile.TemporaryDirectory() as temporary:
            world = World(Path(temporary), seed)
            while world.counts["rescans"] < 30 and counts["rescans"] < options.rescans:
                try:
                    world.disturb()
                    world.rescan()
                except Exception as error:
                    number = world.counts["rescans"]
                    error.add_note(f"Seed {seed}, rescan {number} of this world.")
                    raise
                counts["rescans"] += 1
            world.counts.pop("rescans")
            counts += world.counts
        seed += 1
    for action, number in counts.most_common():
        print(f"{number:6,} {action}")
    print(
        f"No document lost, all results as those of fresh scans; {time.monotonic() - began:.0f} s"
    )


if __name__ == "__main__":
    main()
