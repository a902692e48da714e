"""Small reviews, and what is saved of them: for faults and power cuts."""

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from fault_calls import FILES, Kind

from core.documents.model import PairKey
from core.review import ReviewLock, extend_log, open_review, save_review
from core.review.verdicts import write_note
from core.scan.flow import scan
from core.scan.history import HistoryEntry, entry_after
from core.scan.judgements import Judgements
from core.scan.scan import Scan
from core.scan.state import ScanState
from core.settings import ScanSettings

SETTINGS = ScanSettings(k=3)
OLD, NEW, ABSENT = "old", "new", "nothing"


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
        template: A review of OLD.
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
        self.template = work / "template" / "r.neardup"
        self.template.parent.mkdir()
        save_review(self.template, self.states[OLD])

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


def not_heard(_number: int) -> None:
    """What is done is announced to nobody."""


class Scene:
    """Something that is saved in a folder, once or more often.

    Attributes:
        name: Of it.
        states: What is there before and after each time, as `state` says it.
        is_complete: Whether it was not said that the one file lacks something.
        kinds: The calls that can fail.
    """

    name: str
    states: tuple[str, ...]
    kinds = FILES | Kind.MEMORY
    is_complete = True

    def prepare(self, folder: Path) -> None:
        """Put into an empty folder what is there before."""

    def act(self, folder: Path, done: Callable[[int], None] = not_heard) -> None:
        """Do it, and say each time that it is done.

        Raises:
            NeardupError: It could not be done; the sentence says why.
        """
        raise NotImplementedError

    def state(self, folder: Path) -> str:
        """What is there now, for the next program."""
        raise NotImplementedError

    def state_elsewhere(self, folder: Path) -> str:
        """The state that a copy of the one file has."""
        return self.state(folder)


class Saving(Scene):
    """A review is saved: a new one, or over one that is there; also while a window reads it."""

    def __init__(self, reviews: SmallReviews, name: str, *states: str, held: bool = False) -> None:
        self._reviews, self._held = reviews, held
        self.name, self.states = name, states

    def prepare(self, folder: Path) -> None:
        if self.states[0] != ABSENT:
            shutil.copyfile(self._reviews.template, folder / "r.neardup")

    def act(self, folder: Path, done: Callable[[int], None] = not_heard) -> None:
        path, notes = folder / "r.neardup", list[str]()
        with ReviewLock(path) as lock, ExitStack() as held:
            lock.require()
            if self._held:
                len(held.enter_context(open_review(path)).state.texts[0])
            for number, state in enumerate(self.states[1:], 1):
                notes += save_review(path, self._reviews.states[state])
                done(number)
        self.is_complete = not any("not complete in the one file" in note for note in notes)

    def state(self, folder: Path) -> str:
        path = folder / "r.neardup"
        return self._reviews.which_here(path) if path.exists() else ABSENT

    def state_elsewhere(self, folder: Path) -> str:
        path = folder / "r.neardup"
        return self._reviews.which(path) if path.exists() else ABSENT


class Deciding(Scene):
    """Something is decided, again and again: each time an entry is appended to the log."""

    def __init__(self, reviews: SmallReviews, name: str, times: int, letters: int) -> None:
        self._template, self._letters = reviews.template, letters
        self.name, self.states = name, tuple(f"{number} entries" for number in range(times + 1))

    def prepare(self, folder: Path) -> None:
        shutil.copyfile(self._template, folder / "r.neardup")

    def act(self, folder: Path, done: Callable[[int], None] = not_heard) -> None:
        path, log, notes = folder / "r.neardup", tuple[HistoryEntry, ...](), list[str]()
        with ReviewLock(path) as lock:
            lock.require()
            for number in range(1, len(self.states)):
                extended = extend_log(path, log, [note_after(log, self._letters)])
                log, notes = (*log, *extended.entries), [*notes, *extended.notes]
                done(number)
        self.is_complete = not notes

    def state(self, folder: Path) -> str:
        with open_review(folder / "r.neardup", verify=True) as review:
            return f"{len(review.state.log)} entries"

    def state_elsewhere(self, folder: Path) -> str:
        with copied(folder / "r.neardup") as copy:
            return self.state(copy.parent)


class Exporting(Scene):
    """A report or a table is written over an older one."""

    states = ("old", "new")

    def __init__(self, name: str, write: Callable[[Path], object], work: Path) -> None:
        self.name, self._write, self._file = name, write, f"report{name.rsplit(maxsplit=1)[-1]}"
        reference = work / self._file
        write(reference)
        self._reference = reference.read_bytes()

    def prepare(self, folder: Path) -> None:
        (folder / self._file).write_bytes(b"old")

    def act(self, folder: Path, done: Callable[[int], None] = not_heard) -> None:
        self._write(folder / self._file)
        done(1)

    def state(self, folder: Path) -> str:
        data = (folder / self._file).read_bytes()
        if data not in {b"old", self._reference}:
            raise AssertionError("The file is neither the old one nor the new one.")
        return "old" if data == b"old" else "new"
