"""What happened, in whole sentences."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.base.wording import count, counted, printable_name, printable_path, share, threshold
from core.reports.list_words import (
    documents_in_words,
    list_in_words,
    not_listed_in_words,
    problems_in_words,
)
from core.reports.pair_words import passage_in_words
from core.scan.judgements import VERDICTS
from neardup_gui.models.pairs.order import PairFilter
from neardup_gui.models.pairs.outdated import ANOTHER_RUN
from neardup_gui.models.scan_result import ListedPair, ScanResult
from neardup_gui.models.words.message import Message, Offer
from neardup_gui.models.words.numbers import duration

NOTES_TOLD = 2
LONG = 160  # characters of a path in a question: about two lines


def summary(result: ScanResult | None) -> str:
    """What a scan found: "212 documents, 64 pairs from 0.10 on, 3 problems · 2.1 s"."""
    if result is None:
        return ""
    return f"{_found(result)} · {duration(result.seconds)}"


def cancelled(result: ScanResult | None) -> str:
    """What there is of a scan that was cancelled."""
    if result is None:
        return "Cancelled"
    kept = "" if result.complete else " so far"
    return f"Cancelled · {_found(result)}{kept}"


def no_pairs(result: ScanResult) -> str:
    """Why the table is empty, and what to do about it."""
    number = len(result.documents)
    if result.complete and number == 0 and (result.removed or result.problems):
        return _nothing_left(result)
    if result.notes and not len(result.pairs):
        return " ".join(result.notes)
    if not result.complete:
        return "No pairs yet."
    if number > 1:
        return _nothing_alike(result)
    if number == 1:
        return "There is only one document with text in this folder: nothing to compare it with."
    return "No document with text was found in this folder."


def _nothing_left(result: ScanResult) -> str:
    if result.removed:
        are = counted(result.removed, "document is", "documents are")
        return f"{are} taken off the list. “Bring back removed documents” is in the menu “Review”."
    files = counted(len(result.problems), "file", "files")
    return f"No document with text was found. {files} gave no text: “Problems” says why."


def _nothing_alike(result: ScanResult) -> str:
    least = threshold(result.settings.min_resemblance)
    counts = result.found.counts
    if counts.below:
        return (
            f"No pair of documents reaches a resemblance of {least}. "
            f"{not_listed_in_words(counts, result.settings)}"
        )
    return (
        f"No pair of documents reaches a resemblance of {least} or shares "
        f"{passage_in_words(result.settings)} in a row. Lower “Listed from” to see more."
    )


def notes(result: ScanResult) -> Message:
    """What a list leaves out; the report has all of it."""
    told = " ".join(result.notes[:NOTES_TOLD])
    more = len(result.notes) - NOTES_TOLD
    return Message(told if more <= 0 else f"{told} And {more} more; the report lists them all.")


def not_a_folder(path: Path | None) -> Message:
    """A folder that cannot be opened."""
    if path is None:
        return Message("Drop a folder to scan it.", warning=True)
    if path.exists():
        return Message(f"“{path.name}” is a file. Open the folder it is in.", warning=True)
    return Message(f"The folder “{path}” does not exist any more.", warning=True)


def no_review(path: Path) -> Message:
    """A review that is not there."""
    return Message(f"The review “{path}” does not exist any more.", warning=True)


def no_file(name: str) -> Message:
    """A file that cannot be opened because it is not there."""
    return Message(f"“{name}” is not where it was. Was it moved, renamed or deleted?", warning=True)


def not_here(name: str, path: Path) -> Message:
    """A file that only a cluster reaches."""
    place = printable_path(path).replace(":/", "://", 1)
    return Message(
        f"“{_shortened(name)}” is in “{_shortened(place)}”, which programs of this computer cannot "
        "open. Its text is in this review.",
        warning=True,
    )


def asks_to_open(path: Path) -> Message:
    """A file or folder that only a review names: it is opened when the user says so."""
    return _asks(
        path, "Only the review names it, and whoever made that can name anything on your computer."
    )


def asks_to_run(path: Path) -> Message:
    """A file that the system may run instead of showing it."""
    return _asks(path, "By its name it is a program or a link: what it does may be harmful.")


def _asks(path: Path, why: str) -> Message:
    """Ask before a path is opened: its name and the reason come first, however long it is."""
    name = _shortened(printable_name(path.name or str(path)))
    folder = _shortened(printable_path(path.parent))
    text = f"Open “{name}”? {why} It is in “{folder}”."
    return Message(text, warning=True, link="Open it", target=Offer.OPEN_ANYWAY, urgent=True)


def _shortened(name: str) -> str:
    """Both ends of a name that would fill the window."""
    return name if len(name) <= LONG else f"{name[: LONG // 2]}…{name[-LONG // 2 :]}"


def not_opened(name: str) -> Message:
    """A file that no program of the user's opens."""
    return Message(f"“{name}” was not opened: no program on this computer takes it.", warning=True)


def password_tried(opened: int, left: int) -> str:
    """What a password did: how many files it opened, how many are still locked."""
    if not opened:
        return "This password opens none of them." if left > 1 else "This password is wrong."
    files = counted(opened, "file", "files")
    if not left:
        return f"The password opened {files}."
    others = f"{counted(left, 'file is', 'files are')} still locked, with another one."
    return f"The password opened {files}. {others}"


def password_not_tried() -> str:
    """A password of which nothing is known."""
    return "The scan was not finished, so the password was not tried on every file."


def tesseract_is_missing() -> Message:
    """Scans cannot be read here."""
    return Message(
        "To read scans, install Tesseract, a free program that reads pictures of text: “tesseract” "
        "or “tesseract-ocr” among the packages of your system, with the languages you need. Then "
        "try again.",
    )


def contradicts_texts(pair: ListedPair) -> Message:
    """The list says something else of a pair than its texts do."""
    a, b = pair.names
    return Message(
        f"The review said something else of “{a}” and “{b}” than their texts do: it was changed, "
        "or another program measured it. All pairs are measured again from the texts.",
        warning=True,
    )


def one_review() -> Message:
    """A review among other things to open."""
    return Message("A review is opened alone. Drop only that file.", warning=True)


def exists_already(path: Path) -> Message:
    """A review that would be replaced without having been asked about."""
    text = f"“{path.name}” exists already. Nothing was saved: choose another name, or that file."
    return Message(text, warning=True)


def review_saved(path: Path, notes: Sequence[str] = ()) -> Message:
    """A review is there; the notes are what there is to say of it."""
    text = " ".join((f"Saved the review to {path.name}.", *notes))
    return Message(text, warning=bool(notes), link="Show in folder", target=path)


def picture_saved(path: Path) -> Message:
    """A picture is there."""
    return Message(f"Saved the curve to {path.name}.", link="Show in folder", target=path)


def table_saved(path: Path) -> Message:
    """The table of settings is there."""
    return Message(f"Saved the settings to {path.name}.", link="Show in folder", target=path)


def scan_needed(name: str, signature_size: int, *, is_of_run: bool = False) -> Message:
    """Longer signatures were chosen."""
    chosen = f"{name} with K = {count(signature_size)} is chosen."
    if is_of_run:
        return Message(f"{chosen} {ANOTHER_RUN}")
    return Message(
        f"{chosen} The list stays as it is until the folder is scanned again.",
        link="Rescan",
        target=Offer.RESCAN,
    )


def settings_saved(path: Path) -> Message:
    """Settings are in a file to share."""
    text = f"Saved the settings to {path.name}: Neardup elsewhere takes them with --settings, too."
    return Message(text, link="Show in folder", target=path)


def settings_loaded(path: Path) -> Message:
    """Those of a file are used from now on."""
    return Message(f"Now the settings of {path.name} are used.")


def settings_not_saved(path: Path) -> Message:
    """What the user chose is forgotten when the window is closed."""
    return Message(
        f"Your settings cannot be saved to “{path}”: they hold until you close Neardup. Is the "
        "disk full, or the file not yours to write?",
        warning=True,
        lasting=True,
    )


def shown(pair_filter: PairFilter, order: str) -> str:
    """The filter and the order of the table, for a report."""
    parts = []
    if pair_filter.text:
        parts.append(f"names containing “{pair_filter.text}”")
    if pair_filter.min_resemblance > 0:
        parts.append(f"resemblance {threshold(pair_filter.min_resemblance)} or more")
    if pair_filter.min_containment > 0:
        parts.append(f"A in B or B in A {share(pair_filter.min_containment)} or more")
    if pair_filter.verdicts:
        chosen = [VERDICTS[place] for place in sorted(pair_filter.verdicts)]
        parts.append(f"verdict {' or '.join(chosen)}")
    if pair_filter.is_new:
        parts.append("new or changed")
    if order:
        parts.append(f"ordered by {order}")
    return f"Only pairs with {'; '.join(parts)}." if not pair_filter.is_empty else _ordered(order)


def _ordered(order: str) -> str:
    return f"Ordered by {order}." if order else ""


def _found(result: ScanResult) -> str:
    found = result.found
    parts = (
        documents_in_words(found.document_counts),
        *([f"{count(result.removed)} taken off the list"] if result.removed else []),
        list_in_words(found.counts, found.settings),
        *problems_in_words(found.problem_counts),
    )
    part = result.scan.decided.part
    of_run = f" · a part of the run “{_shortened(part.run.name)}”" if part is not None else ""
    return ", ".join(parts) + of_run
