"""What happened, in whole sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.base.messages import gettext
from core.base.wording import (
    count,
    counted,
    printable_name,
    printable_path,
    printable_text,
    share,
    threshold,
)
from core.documents.model import Role
from core.errors import FolderError
from core.reports.list_words import (
    documents_in_words,
    listed_in_words,
    not_listed_in_words,
    problems_in_words,
)
from core.reports.pair_words import NOTHING_FOUND, passage_in_words
from core.scan import changes
from core.scan.judgements import VERDICTS
from neardup_gui.models.pairs.columns import PairFilter
from neardup_gui.models.pairs.table import ANOTHER_RUN
from neardup_gui.models.scan_result import ListDifference, ListedPair, ScanResult
from neardup_gui.models.words.numbers import duration

if TYPE_CHECKING:
    from core.scan.changes import Changes, LostFolder


class Offer(StrEnum):
    """What the link of a message does, where it leads to no place."""

    TAKE_OVER = auto()
    FIND_FOLDER = auto()
    KEEP_MISSING = auto()
    REMOVE_MISSING = auto()
    UNDO = auto()
    START_ANEW = auto()
    OPEN_ANYWAY = auto()
    RESCAN = auto()
    SIGN = auto()


class OpenOffer(NamedTuple):
    """The file that was written is opened."""

    path: Path


class CopyOffer(NamedTuple):
    """A text is copied: where a file is, say."""

    text: str


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence; `target` is what its link leads to: the `Path` of a file, or an `Offer`.

    What was done may have several `links`, each with its target: an `OpenOffer` or a `CopyOffer`
    besides.

    A question has several `answers` instead. It waits behind other messages until it is answered
    or dismissed. One that stands before what the user has just asked for is `urgent`: it takes the
    keyboard, and Esc says no. A `lasting` message stays when other folders are opened.
    """

    text: str
    warning: bool = False
    link: str = ""
    target: object = None
    links: tuple[tuple[str, object], ...] = ()
    answers: tuple[tuple[str, Offer], ...] = ()
    urgent: bool = False
    lasting: bool = False

    def __post_init__(self) -> None:
        """Names of files are shown so that nothing in them is hidden or turned round."""
        object.__setattr__(self, "text", printable_text(self.text))


COMMON = "common"
CHOSEN = "Set aside wherever these words occur."
NAMES = {
    "quotations": "Quotations",
    "bibliography": "Lists of references",
    "repeated": "Cover sheets and headings that repeat",
}
NOTHING_CHOSEN = Message(
    "Select some text in A or B first. It will be set aside wherever it occurs."
)
NO_WORDS = Message("The selection contains no words.")


def rule_changed(rule: str, value: int) -> str:
    """What a box did."""
    if rule != COMMON:
        return f"{NAMES[rule]} {'are set aside.' if value else 'count again.'}"
    if value:
        return f"Passages in at least {counted(value, 'document')} are set aside."
    return "Passages shared by many documents count again."


def counts_again(number: int) -> str:
    """Chosen passages count again."""
    return f"{counted(number, 'chosen passage')} {'counts' if number == 1 else 'count'} again."


KINDS = {
    "remove": "documents removed from the list",
    "bring back": "documents restored to the list",
    "found elsewhere": "a folder back at its former place",
    "role": "the role of a folder",
    "take folder off": "a folder removed from the list",
    "put folder back": "a folder restored to the list",
    "set aside": "the text set aside",
    "language": "the language of documents",
    "judge passage": "the label of a passage",
    "set passage aside": "the label of a passage",
}


def signed_by(name: str) -> Message:
    """The first verdict was signed with the name of the user of the system."""
    return Message(
        gettext("Your verdict is signed “{name}”.", name=name),
        link=gettext("Sign with another name…"),
        target=Offer.SIGN,
    )


def done(text: str, *, can_undo: bool) -> Message:
    """Something that changed the list, which can be undone."""
    return Message(text, link="Undo" if can_undo else "", target=Offer.UNDO if can_undo else None)


def undone(kind: str) -> str:
    """The last decision is undone; `kind` is that of the command which did so."""
    return f"Undone: {KINDS[kind]}." if kind in KINDS else "Undone."


def redone(kind: str) -> str:
    """What was undone is done again."""
    return f"Redone: {KINDS[kind]}." if kind in KINDS else "Redone."


def difference_in_words(difference: ListDifference) -> str:
    """What became of the pairs of a list: "12 pairs left the list, 3 came."."""
    parts = []
    if difference.left:
        parts.append(f"{counted(difference.left, 'pair')} left the list")
    if difference.came:
        parts.append(f"{counted(difference.came, 'pair')} added to the list")
    if difference.changed:
        have = "has" if difference.changed == 1 else "have"
        parts.append(f"{counted(difference.changed, 'pair')} {have} a different resemblance")
    if not parts:
        return "The list hasn’t changed."
    text = f"{', '.join(parts)}."
    return text[0].upper() + text[1:]


def not_saved(error: Exception) -> Message:
    """A decision is not in the file."""
    return Message(
        f"{error} Your decisions are kept in memory and will be saved as soon as possible.",
        warning=True,
    )


def saved_again() -> Message:
    """What waited is in the file."""
    return Message("All your decisions are saved now.")


def would_be_lost() -> Message:
    """Something else is to be opened, or the window closed, and decisions are not saved."""
    return Message(
        "Your latest decisions aren’t saved and would be lost. Free up disk space, or "
        "choose “Save review as…”. Repeat the action to continue without them.",
        warning=True,
        urgent=True,
    )


def too_many(pairs: int, most: int) -> Message:
    """More pairs are selected than one decision can be about."""
    return Message(
        f"{counted(pairs, 'pair')} are too many for one verdict. Select at most {count(most)}.",
        warning=True,
    )


def too_long(characters: int, most: int) -> Message:
    """A note that cannot be kept."""
    return Message(
        (
            f"This note has {count(characters)} characters; at most {count(most)} are allowed. "
            "It was not saved."
        ),
        warning=True,
    )


DONE = {
    Role.REVIEW: "{name} will now be reviewed.",
    Role.REFERENCE: "{name} is now a reference: its documents are compared only with those to "
    "review.",
    Role.TEMPLATE: "{name} is now a template: its text is ignored everywhere.",
}


def changed(folder: Path, role: Role) -> str:
    """What a folder is for from now on."""
    return DONE[role].format(name=_shown(folder))


def taken_off(folder: Path) -> str:
    """A folder is not looked into any more."""
    return f"{_shown(folder)} was removed from the list. The review keeps its documents."


def is_listed(folder: Path) -> Message:
    """The folder is there already."""
    return Message(f"{_shown(folder)} is already in the list of folders.")


def refused(error: FolderError) -> Message:
    """Why folders cannot have these roles."""
    return Message(str(error), warning=True)


def wait() -> Message:
    """Nothing can be changed while a first scan runs, or the list after another change is made."""
    return Message("You can change the role of folders once all pairs are listed.")


def _shown(folder: Path) -> str:
    return f"“{printable_name(folder.name or str(folder))}”"


ANSWERS = (
    ("Find it…", Offer.FIND_FOLDER),
    ("Keep them", Offer.KEEP_MISSING),
    ("Remove them", Offer.REMOVE_MISSING),
)


def rescanned(found: Changes) -> Message:
    """What a rescan found, and what becomes of what it did not find."""
    text = changes.in_words(found)
    missed = bool(found.gone or found.not_read)
    if missed:
        text += " Missing documents stay in the list, marked."
    link = "Remove missing documents" if found.gone else ""
    return Message(text, missed, link, Offer.REMOVE_MISSING if found.gone else None)


def question(lost: LostFolder) -> Message:
    """What to do about a folder that lost more than a few files."""
    folder = f"“{printable_name(lost.folder.name or str(lost.folder))}”"
    files = f"{count(len(lost.names))} of {counted(lost.of, 'file', 'files')}"
    verb = "is" if lost.of == 1 else "are"
    still = "" if lost.is_new else "still "
    text = f"{files} of {folder} {verb} {still}missing. Has the folder moved?"
    if lost.reason:
        kept = counted(lost.of, "file is", "files are")
        text = f"{folder} can’t be opened. Its {kept} still in the list. Has the folder moved?"
    answers = ANSWERS if lost.is_new else (ANSWERS[0], ANSWERS[2])
    return Message(text, warning=True, answers=answers)


def removed(documents: int) -> str:
    """Documents that were taken off the list."""
    return (
        f"{_documents(documents)} removed from the list. The review keeps them until you "
        "delete them."
    )


def brought_back(documents: int) -> str:
    """Documents that were put on the list again."""
    return f"{_documents(documents)} back in the list."


def deleted(documents: int) -> str:
    """Documents that are not in the review any more."""
    return f"{_documents(documents)} deleted from the review."


def _documents(number: int) -> str:
    return counted(number, "document is", "documents are")


ANEW = "Start over"


def goes_on(
    folders: Sequence[Path], gone: Sequence[Path], judged: int, lost: Path | None
) -> Message:
    """The review of folders goes on.

    Args:
        folders: What was opened.
        gone: Those of them that are not there.
        judged: How many pairs were judged.
        lost: The file that the review was saved as, where that is not there.
    """
    name = printable_name(folders[0].name or str(folders[0]))
    so_far = f"{counted(judged, 'pair')} judged so far" if judged else "no pair judged so far"
    if gone:
        missing = printable_name(gone[0].name or str(gone[0]))
        text = f"“{missing}” no longer exists. This is its review as last saved"
        return Message(f"{text}: {so_far}.", warning=True)
    text = f"Continuing the review of “{name}”: {so_far}."
    if lost is not None:
        text = (
            f"The review of “{name}” was saved as “{printable_name(lost.name)}”, which no "
            f"longer exists. Continuing from the state before that: {so_far}."
        )
    return Message(text, lost is not None, ANEW, Offer.START_ANEW)


def not_resumed(error: Exception) -> Message:
    """The review of a folder cannot be opened."""
    return Message(
        f"{error} It was left as it is. A new review of the folder was started.", warning=True
    )


def begun_anew(before: Path | None) -> Message:
    """Another review of the same folder begins."""
    if before is None:
        return Message("Started a new review.")
    text = f"Started a new review. The previous one was kept as “{printable_name(before.name)}”."
    return Message(text, link="Show in folder", target=before)


NOTES_TOLD = 2
LONG = 160  # characters of a path in a question: about two lines


def summary(result: ScanResult | None) -> str:
    """What a scan found: "212 documents, 64 pairs, 3 problems · 2 pairs are copies · 2.1 s"."""
    if result is None:
        return ""
    copies = int(result.found.pairs.exact_duplicate.sum())
    same = [counted(copies, "pair is a copy", "pairs are copies")] if copies else []
    return " · ".join([_found(result), *same, duration(result.seconds)])


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
        return (
            "This folder has only one document with text, so there is nothing to compare it with."
        )
    return "This folder has no documents with text."


def _nothing_left(result: ScanResult) -> str:
    if result.removed:
        are = counted(result.removed, "document is", "documents are")
        way = "Review › Removed documents › Bring back removed documents"
        restore = f"To restore them, choose {way}."
        return f"{are} removed from the list. {restore}"
    files = counted(len(result.problems), "file", "files")
    return f"No documents with text were found. {files} gave no text; see Problems for the reasons."


def _nothing_alike(result: ScanResult) -> str:
    least = threshold(result.settings.min_resemblance)
    counts = result.found.counts
    if counts.below:
        return (
            f"No two documents have a resemblance of {least} or more. "
            f"{not_listed_in_words(counts, result.settings)}"
        )
    return (
        f"No two documents have a resemblance of {least} or more, or share "
        f"{passage_in_words(result.settings)} in a row. Lower “Listed from” to see more."
    )


def notes(result: ScanResult) -> Message:
    """What a list leaves out; the report has all of it."""
    told = " ".join(result.notes[:NOTES_TOLD])
    more = len(result.notes) - NOTES_TOLD
    return Message(told if more <= 0 else f"{told} And {more} more; the report lists them all.")


def nothing_to_open(gone: Path | None) -> Message:
    """What was to be scanned is not there; None where nothing was named."""
    if gone is None:
        return Message("Drop a folder to scan it, or two documents to compare them.", warning=True)
    return Message(f"“{gone}” no longer exists.", warning=True)


def no_review(path: Path) -> Message:
    """A review that is not there."""
    return Message(f"The review “{path}” no longer exists.", warning=True)


def no_file(name: str) -> Message:
    """A file that cannot be opened because it is not there."""
    return Message(
        f"“{name}” is no longer there. It may have been moved, renamed or deleted.", warning=True
    )


def not_here(name: str, path: Path) -> Message:
    """A file that only a cluster reaches."""
    place = printable_path(path).replace(":/", "://", 1)
    return Message(
        f"“{_shortened(name)}” is in “{_shortened(place)}”, which this computer can’t "
        "open. Its text is in this review.",
        warning=True,
    )


def asks_to_open(path: Path) -> Message:
    """A file or folder that only a review names: it is opened when the user says so."""
    return _asks(
        path,
        (
            "The path comes from the review, and whoever made the review could have named any "
            "file on your computer."
        ),
    )


def asks_to_run(path: Path) -> Message:
    """A file that the system may run instead of showing it."""
    return _asks(path, "Judging by its name, it is a program or a shortcut and could do harm.")


def _asks(path: Path, why: str) -> Message:
    """Ask before a path is opened: its name and the reason come first, however long it is."""
    name = _shortened(printable_name(path.name or str(path)))
    folder = _shortened(printable_path(path.parent))
    text = f"Open “{name}”? {why} It is in “{folder}”."
    return Message(text, warning=True, link="Open", target=Offer.OPEN_ANYWAY, urgent=True)


def _shortened(name: str) -> str:
    """Both ends of a name that would fill the window."""
    return name if len(name) <= LONG else f"{name[: LONG // 2]}…{name[-LONG // 2 :]}"


def not_opened(name: str) -> Message:
    """A file that no program of the user's opens."""
    return Message(f"No program is installed that can open “{name}”.", warning=True)


def password_tried(opened: int, left: int) -> str:
    """What a password did: how many files it opened, how many are still locked."""
    if not opened:
        return "This password opens none of them." if left > 1 else "This password is wrong."
    files = counted(opened, "file", "files")
    if not left:
        return f"The password opened {files}."
    others = f"{counted(left, 'file is', 'files are')} still locked with a different password."
    return f"The password opened {files}. {others}"


def password_not_tried() -> str:
    """A password of which nothing is known."""
    return "The scan did not finish, so the password was not tried on every file."


def tesseract_is_missing() -> Message:
    """Scans cannot be read here."""
    return Message(
        "To read scans, install Tesseract, a free text recognition program, with the "
        "languages you need. The package is usually called “tesseract” or "
        "“tesseract-ocr”. Then try again.",
    )


def contradicts_texts(pair: ListedPair) -> Message:
    """The list says something else of a pair than its texts do."""
    a, b = pair.names
    return Message(
        f"The numbers stored for “{a}” and “{b}” don’t match their texts: the review was "
        "changed, or made by another program. All pairs are being measured again.",
        warning=True,
    )


def one_review() -> Message:
    """A review among other things to open."""
    return Message("A review must be opened by itself. Drop only that file.", warning=True)


def exists_already(path: Path) -> Message:
    """A review that would be replaced without having been asked about."""
    text = (
        f"“{path.name}” already exists. Nothing was saved. Choose another name, or pick that "
        "file to replace it."
    )
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
    chosen = f"{name} with K = {count(signature_size)} selected."
    if is_of_run:
        return Message(f"{chosen} {ANOTHER_RUN}")
    return Message(
        f"{chosen} Rescan the folder to update the list.",
        link="Rescan",
        target=Offer.RESCAN,
    )


def settings_saved(path: Path) -> Message:
    """Settings are in a file to share."""
    text = (
        f"Saved the settings to {path.name}. Load them in another Neardup, or use --settings "
        "on the command line."
    )
    return Message(text, link="Show in folder", target=path)


def settings_loaded(path: Path) -> Message:
    """Those of a file are used from now on."""
    return Message(f"Using the settings from {path.name}.")


def settings_not_saved(path: Path) -> Message:
    """What the user chose is forgotten when the window is closed."""
    return Message(
        f"Your settings can’t be saved to “{path}” and will be lost when you close "
        "Neardup. Check that the disk isn’t full and that you may write to the file.",
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
        *([f"{count(result.removed)} removed from the list"] if result.removed else []),
        NOTHING_FOUND if found.unlisted and not found.pairs else listed_in_words(found.counts),
        *problems_in_words(found.problem_counts),
    )
    part = result.scan.decided.part
    of_run = f" · part of the run “{_shortened(part.run.name)}”" if part is not None else ""
    return ", ".join(parts) + of_run
