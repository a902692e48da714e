"""The messages of the window, in whole sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.base import wording
from core.base.messages import N_, as_shown, gettext, in_english, ngettext, stored
from core.documents.model import Role
from core.errors import FolderError
from core.reports.list_words import (
    documents_in_words,
    first_of,
    in_most_in_words,
    not_compared_in_words,
    not_listed_in_words,
)
from core.reports.pair_words import passage_in_words
from core.scan import changed_files
from core.scan.judgements import VERDICTS
from neardup_gui.models.pairs.columns import PairFilter
from neardup_gui.models.pairs.table import ANOTHER_RUN
from neardup_gui.models.scan_result import ListDifference, ListedPair, ScanResult

if TYPE_CHECKING:
    from core.scan.changed_files import Changes, LostFolder


_LETTER_AT_END = re.compile(r"\(&\w\)")  # as in menus in Chinese and Japanese


def without_mnemonic(text: str) -> str:
    """The text of a menu without the mark of its letter: "開く(&O)…" and "&Open…"."""
    return _LETTER_AT_END.sub("", text).replace("&", "")


class Offer(StrEnum):
    """What the link of a message does, if it leads to no file."""

    TAKE_OVER = auto()
    FIND_FOLDER = auto()
    KEEP_MISSING = auto()
    REMOVE_MISSING = auto()
    UNDO = auto()
    START_ANEW = auto()
    OPEN_ANYWAY = auto()
    RESCAN = auto()
    SIGN = auto()
    SET_COMMON_ASIDE = auto()
    SET_MOST_ASIDE = auto()
    JOIN_SUBMISSIONS = auto()
    SHOW_DIFFERENCES = auto()
    USE_EARLIER = auto()
    READ_LICENCES = auto()


class OpenOffer(NamedTuple):
    """Opens the file that was written."""

    path: Path


class CopyOffer(NamedTuple):
    """Copies a text, such as the path of a file."""

    text: str


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence; `target` is that of its link: the `Path` of a file, or an `Offer`.

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
        """Show names of files so that nothing in them is hidden or reversed."""
        object.__setattr__(self, "text", wording.printable_text(self.text))


COMMON = "common"
SET_ASIDE = {
    "quotations": N_("Quotations are set aside."),
    "bibliography": N_("Lists of references are set aside."),
    "repeated": N_("Cover sheets and headings that repeat are set aside."),
}
COUNT_AGAIN = {
    COMMON: N_("Passages shared by many documents count again."),
    "quotations": N_("Quotations count again."),
    "bibliography": N_("Lists of references count again."),
    "repeated": N_("Cover sheets and headings that repeat count again."),
}


def chosen() -> str:
    """The selected words are set aside."""
    return gettext("Set aside wherever these words occur.")


def nothing_chosen(text: str) -> Message:
    """Words are to be set aside, and none are selected."""
    if text:
        return Message(gettext("The selection contains no words."))
    return Message(
        gettext("Select some text in A or B first. It will be set aside wherever it occurs.")
    )


def rule_changed(rule: str, value: int) -> str:
    """The effect of a box."""
    if not value:
        return gettext(COUNT_AGAIN[rule])
    if rule != COMMON:
        return gettext(SET_ASIDE[rule])
    return ngettext(
        "Passages in at least {n} document are set aside.",
        "Passages in at least {n} documents are set aside.",
        value,
    )


def counts_again(number: int) -> str:
    """Chosen passages count again."""
    return ngettext("{n} chosen passage counts again.", "{n} chosen passages count again.", number)


KINDS = {
    "remove": N_("documents removed from the list"),
    "bring back": N_("documents restored to the list"),
    "found elsewhere": N_("a folder back at its former place"),
    "role": N_("the role of a folder"),
    "take folder off": N_("a folder removed from the list"),
    "put folder back": N_("a folder restored to the list"),
    "set aside": N_("the text set aside"),
    "language": N_("the language of documents"),
    "list pairs": N_("pairs added to the list"),
    "judge passage": N_("the label of a passage"),
    "set passage aside": N_("the label of a passage"),
}


def signed_by(name: str) -> Message:
    """The first verdict was signed with the name of the user of the system."""
    return Message(
        gettext("Your verdict is signed “{name}”.", name=name),
        link=gettext("Sign with another name…"),
        target=Offer.SIGN,
    )


def done(text: str, *, can_undo: bool) -> Message:
    """A decision changed the list, and can be undone."""
    if not can_undo:
        return Message(text)
    return Message(text, link=gettext("Undo"), target=Offer.UNDO)


def added(pairs: int) -> Message:
    """Pairs were added to the list, which can be undone."""
    text = ngettext("{n} pair was added to the list.", "{n} pairs were added to the list.", pairs)
    return done(text, can_undo=True)


def nothing_to_add(read: int, unread: int) -> Message:
    """No unlisted pair of files shares a rare property, as far as they could be read."""
    parts = [gettext("No other pair of files shares a rare property.")] if read else []
    if unread:
        parts.append(
            ngettext(
                "{n} file could not be looked at.", "{n} files could not be looked at.", unread
            )
        )
    return Message(" ".join(parts), warning=unread > 0)


def properties_unread() -> str:
    """Why no properties of the files of a pair are shown."""
    return gettext("File properties are not read. The Review menu turns that on.")


def reading_properties() -> Message:
    """The properties of files are being read."""
    return Message(gettext("Reading the properties of files…"))


def waits_for_scan() -> Message:
    """A decision that changes the list was made while documents are read."""
    return Message(gettext("This takes effect when the scan is complete."))


def undone(kind: str) -> str:
    """The last decision is undone; `kind` is that of the undoing command."""
    if kind not in KINDS:
        return gettext("Undone.")
    return gettext("Undone: {change}.", change=gettext(KINDS[kind]))


def redone(kind: str) -> str:
    """An undone decision is redone."""
    if kind not in KINDS:
        return gettext("Redone.")
    return gettext("Redone: {change}.", change=gettext(KINDS[kind]))


def difference_in_words(difference: ListDifference) -> str:
    """What happened to the pairs of a list: "12 pairs left the list. 3 pairs were added."."""
    left, came, changed = difference.left, difference.came, difference.changed
    sentences = []
    if left:
        sentences.append(ngettext("{n} pair left the list.", "{n} pairs left the list.", left))
    if came:
        sentences.append(
            ngettext("{n} pair was added to the list.", "{n} pairs were added to the list.", came)
        )
    if changed:
        sentences.append(
            ngettext(
                "The numbers of {n} pair changed.", "The numbers of {n} pairs changed.", changed
            )
        )
    return " ".join(sentences) or gettext("The list hasn’t changed.")


def with_difference(text: str) -> Callable[[ListDifference], str]:
    """A sentence, and after it what happened to the pairs of the list."""
    return lambda difference: f"{text} {difference_in_words(difference)}"


def not_saved(error: Exception) -> Message:
    """A decision could not be saved."""
    kept = gettext("Your decisions are kept in memory and will be saved as soon as possible.")
    return Message(f"{error} {kept}", warning=True)


def saved_again() -> Message:
    """The waiting decisions are saved."""
    return Message(gettext("All your decisions are saved now."))


def would_be_lost() -> Message:
    """Opening something else, or closing the window, would lose unsaved decisions."""
    text = gettext(
        "Your latest decisions aren’t saved and would be lost. Free up disk space, or choose "
        "“Save review as…”. Repeat the action to continue without them."
    )
    return Message(text, warning=True, urgent=True)


def too_many(pairs: int, most: int) -> Message:
    """More pairs are selected than a decision can have."""
    text = ngettext(
        "{n} pair are too many for one verdict. Select at most {most}.",
        "{n} pairs are too many for one verdict. Select at most {most}.",
        pairs,
        most=wording.count(most),
    )
    return Message(text, warning=True)


def too_long(characters: int, most: int) -> Message:
    """A note that cannot be kept."""
    text = ngettext(
        "This note has {n} character; at most {most} are allowed. It was not saved.",
        "This note has {n} characters; at most {most} are allowed. It was not saved.",
        characters,
        most=wording.count(most),
    )
    return Message(text, warning=True)


DONE = {
    Role.REVIEW: N_("“{folder}” will now be reviewed."),
    Role.REFERENCE: N_(
        "“{folder}” is now a reference: its documents are compared only with those to review."
    ),
    Role.TEMPLATE: N_("“{folder}” is now a template: its text is ignored everywhere."),
}


def changed(folder: Path, role: Role) -> str:
    """A folder has another role."""
    return gettext(DONE[role], folder=_name(folder))


def taken_off(folder: Path) -> str:
    """A folder was removed from the list."""
    return gettext(
        "“{folder}” was removed from the list. The review keeps its documents.",
        folder=_name(folder),
    )


def is_listed(folder: Path) -> Message:
    """The folder is listed already."""
    return Message(gettext("“{folder}” is already in the list of folders.", folder=_name(folder)))


def refused(error: FolderError) -> Message:
    """Why folders cannot have these roles."""
    return Message(str(error), warning=True)


def wait() -> Message:
    """Nothing can be changed during a first scan, or while the list is made after a change."""
    return Message(gettext("You can change the role of folders once all pairs are listed."))


def _name(folder: Path) -> str:
    return wording.printable_name(folder.name or str(folder))


def rescanned(changes: Changes) -> Message:
    """What a rescan found, and what happens to the documents that it did not find."""
    text = changed_files.in_words(changes)
    missed = bool(changes.gone or changes.not_read)
    if missed:
        text = " ".join((text, gettext("Missing documents stay in the list, marked.")))
    if not changes.gone:
        return Message(text, missed)
    return Message(text, missed, gettext("Remove missing documents"), Offer.REMOVE_MISSING)


def vanished(unread: int) -> Message:
    """Files were gone before a first scan came to them; so many gave no text."""
    text = not_compared_in_words(unread)
    return Message(text, warning=True, link=gettext("Rescan"), target=Offer.RESCAN)


def question(lost: LostFolder) -> Message:
    """The question about a folder that lost more than a few files."""
    values = {"folder": _name(lost.folder), "missing": wording.count(len(lost.names))}
    if lost.reason:
        text = ngettext(
            "“{folder}” can’t be opened. Its {n} file is still in the list. Has the folder moved?",
            "“{folder}” can’t be opened. Its {n} files are still in the list. Has the folder "
            "moved?",
            lost.of,
            **values,
        )
    elif lost.is_new:
        text = ngettext(
            "{missing} of {n} file missing from “{folder}”. Has the folder moved?",
            "{missing} of {n} files missing from “{folder}”. Has the folder moved?",
            lost.of,
            **values,
        )
    else:
        text = ngettext(
            "{missing} of {n} file still missing from “{folder}”. Has the folder moved?",
            "{missing} of {n} files still missing from “{folder}”. Has the folder moved?",
            lost.of,
            **values,
        )
    answers = [
        (gettext("Find it…"), Offer.FIND_FOLDER),
        (gettext("Remove them"), Offer.REMOVE_MISSING),
    ]
    if lost.is_new:
        answers.insert(1, (gettext("Keep them"), Offer.KEEP_MISSING))
    return Message(text, warning=True, answers=tuple(answers))


def removed(documents: int) -> str:
    """Documents were removed from the list."""
    return ngettext(
        "{n} document is removed from the list. The review keeps it until you delete it.",
        "{n} documents are removed from the list. The review keeps them until you delete them.",
        documents,
    )


def brought_back(documents: int) -> str:
    """Documents were put on the list again."""
    return ngettext(
        "{n} document is back in the list.", "{n} documents are back in the list.", documents
    )


def deleted(documents: int) -> str:
    """Documents were deleted from the review."""
    return ngettext(
        "{n} document is deleted from the review.",
        "{n} documents are deleted from the review.",
        documents,
    )


class JudgedSoFar(NamedTuple):
    """How far a review is.

    Attributes:
        pairs: How many pairs were judged, whatever became of their texts.
        now: How many are judged as their texts are now.
        waiting: How many have a verdict on an earlier text.
    """

    pairs: int
    now: int
    waiting: int

    def __str__(self) -> str:
        sentences = []
        if self.now:
            sentences.append(
                ngettext("{n} pair judged so far.", "{n} pairs judged so far.", self.now)
            )
        if self.waiting:
            sentences.append(
                ngettext(
                    "{n} verdict on an earlier text waits to be confirmed.",
                    "{n} verdicts on earlier texts wait to be confirmed.",
                    self.waiting,
                )
            )
        if sentences:
            return " ".join(sentences)
        if not self.pairs:
            return gettext("No pair judged so far.")
        return ngettext(
            "{n} pair was judged, but its texts were changed or are gone.",
            "{n} pairs were judged, but their texts were changed or are gone.",
            self.pairs,
        )


def goes_on(
    folders: Sequence[Path], gone: Sequence[Path], so_far: JudgedSoFar, lost: Path | None
) -> Message:
    """The review of folders is continued.

    Args:
        folders: Those of the review.
        gone: What was opened and is not there.
        so_far: What was judged.
        lost: The file that the review was saved as, where that is not there.
    """
    if gone:
        text = gettext(
            "“{folder}” no longer exists. This is its review as last saved.", folder=_name(gone[0])
        )
        return Message(f"{text} {so_far}", warning=True)
    review = first_of([_name(folder) for folder in folders], 1)  # as its file is called
    text = gettext("Continuing the review of “{folder}”.", folder=review)
    if lost is not None:
        text = gettext(
            "The review of “{folder}” was saved as “{file}”, which no longer exists. Continuing "
            "from the state before that.",
            folder=review,
            file=wording.printable_name(lost.name),
        )
    return Message(f"{text} {so_far}", lost is not None, gettext("Start over"), Offer.START_ANEW)


def not_resumed(error: Exception) -> Message:
    """The review of a folder cannot be opened."""
    note = gettext("It was left as it is. A new review of the folder was started.")
    return Message(f"{error} {note}", warning=True)


def review_restarted(before: Path | None) -> Message:
    """Another review of the same folder was begun."""
    if before is None:
        return Message(gettext("Started a new review."))
    text = gettext(
        "Started a new review. The previous one was kept as “{file}”.",
        file=wording.printable_name(before.name),
    )
    return Message(text, link=gettext("Show in folder"), target=before)


MOST_NOTES = 2
LONG = 160  # characters of a path in a question: about two lines


def summary(result: ScanResult | None) -> str:
    """What a scan found: "212 documents, 64 pairs share text · 2 pairs are copies"."""
    if result is None:
        return ""
    copies = int(result.pair_list.pairs.exact_duplicate.sum())
    same = [ngettext("{n} pair is a copy", "{n} pairs are copies", copies)] if copies else []
    return " · ".join([_result_words(result), *same])


def cancelled(result: ScanResult | None) -> str:
    """The outcome of a cancelled scan."""
    if result is None:
        return gettext("Cancelled")
    if result.complete:
        return gettext("Cancelled · {found}", found=_result_words(result))
    return gettext("Cancelled · {found} so far", found=_result_words(result))


def no_pairs(result: ScanResult) -> str:
    """Why the table is empty, and what to do about it."""
    number = len(result.documents)
    if result.complete and number == 0 and (result.removed or result.problems):
        return _nothing_left(result)
    if result.notes and not len(result.pairs):
        return " ".join(map(as_shown, result.notes))
    if not result.complete:
        return gettext("No pairs yet.")
    if number > 1:
        return _nothing_alike(result)
    if number == 1:
        only = gettext(
            "This folder has only one document with text, so there is nothing to compare it with."
        )
        return " ".join([only, *map(as_shown, result.documents[0].remarks)])
    return gettext("This folder has no documents with text.")


def _nothing_left(result: ScanResult) -> str:
    if result.removed:
        are = ngettext(
            "{n} document is removed from the list.",
            "{n} documents are removed from the list.",
            result.removed,
        )
        restore = gettext(
            "To restore them, choose Review › Removed documents › Bring back removed documents."
        )
        return f"{are} {restore}"
    return ngettext(
        "No documents with text were found. {n} file gave no text; see Problems for the reasons.",
        "No documents with text were found. {n} files gave no text; see Problems for the reasons.",
        len(result.problems),
    )


def _nothing_alike(result: ScanResult) -> str:
    least = wording.threshold(result.settings.min_resemblance)
    counts = result.pair_list.counts
    if counts.below:
        nothing = gettext("No two documents have a resemblance of {least} or more.", least=least)
        return f"{nothing} {not_listed_in_words(counts, result.settings)}"
    return gettext(
        "No two documents have a resemblance of {least} or more, or share {passage} in a row. "
        "Lower “Listed from” to see more.",
        least=least,
        passage=passage_in_words(result.settings),
    )


def notes(result: ScanResult) -> Message:
    """What a list leaves out; the report has all of it. Very common text can be set aside."""
    lines = list(map(as_shown, result.notes[:MOST_NOTES]))
    more = len(result.notes) - MOST_NOTES
    if more > 0:
        lines.append(
            ngettext(
                "And {n} more; the report lists them all.",
                "And {n} more; the report lists them all.",
                more,
            )
        )
    text = "\n".join(lines)
    if not result.pair_list.has_common:
        return Message(text)
    return Message(text, link=gettext("Set this text aside"), target=Offer.SET_COMMON_ASIDE)


def handed_in(people: int) -> Message:
    """Files from a learning platform, several of one person, and an offer."""
    text = ngettext(
        "These are submissions by {n} person, in several files.",
        "These are submissions by {n} people, some in several files.",
        people,
    )
    answer = gettext("Read each person’s files as one document")
    return Message(text, answers=((answer, Offer.JOIN_SUBMISSIONS),))


def versions() -> Message:
    """Documents with names of versions of one, and an offer."""
    text = gettext("These documents look like versions of one another.")
    return Message(text, answers=((gettext("Show differences"), Offer.SHOW_DIFFERENCES),))


def earlier_years(folders: Sequence[Path]) -> Message:
    """Folders of earlier years, and an offer."""
    text = gettext(
        "This looks like work from an earlier year: {folders}. As a reference, it is compared with "
        "this year’s, but never with itself.",
        folders=wording.listed([_name(folder) for folder in folders]),
    )
    return Message(text, answers=((gettext("Use as reference"), Offer.USE_EARLIER),))


def shared_by_most(passage: str) -> Message:
    """A passage that at least half of the documents share, and an offer."""
    answer = gettext("Set this text aside")
    return Message(in_most_in_words(passage), answers=((answer, Offer.SET_MOST_ASIDE),))


def sought(
    phrase: str, named: int, in_texts: int | None, *, is_searching: bool, waits: bool
) -> str:
    """How many names contain a phrase, and how many texts, as far as they are searched.

    `waits` says that the texts are searched later, when they are all there.
    """
    phrase = wording.quotable(phrase, 40)
    names = ngettext(
        "{n} name contains “{phrase}”", "{n} names contain “{phrase}”", named, phrase=phrase
    )
    if waits or is_searching:
        later, now = gettext("texts are searched after the scan"), gettext("searching the texts…")
        return f"{names} · {later if waits else now}"
    if in_texts is None:
        return names
    if not named and not in_texts:
        return gettext("No document contains “{phrase}”", phrase=phrase)
    texts = ngettext(
        "{n} text contains “{phrase}”", "{n} texts contain “{phrase}”", in_texts, phrase=phrase
    )
    return f"{names} · {texts}" if named else texts


def nothing_to_open(gone: Path | None) -> Message:
    """A path to scan does not exist; None if none was given."""
    if gone is None:
        text = gettext("Drop a folder to scan it, or two documents to compare them.")
        return Message(text, warning=True)
    return Message(gettext("“{path}” no longer exists.", path=gone), warning=True)


def no_review(path: Path) -> Message:
    """A review does not exist."""
    return Message(gettext("The review “{path}” no longer exists.", path=path), warning=True)


def no_file(name: str) -> Message:
    """A file cannot be opened because it does not exist."""
    text = gettext(
        "“{file}” is no longer there. It may have been moved, renamed or deleted.", file=name
    )
    return Message(text, warning=True)


def only_on_cluster(name: str, path: Path) -> Message:
    """A file can be reached only by a cluster."""
    text = gettext(
        "“{file}” is in “{folder}”, which this computer can’t open. Its text is in this review.",
        file=_shortened(name),
        folder=_shortened(wording.printable_path(path).replace(":/", "://", 1)),
    )
    return Message(text, warning=True)


def asks_to_open(path: Path) -> Message:
    """Ask before opening a file or folder that only a review names."""
    why = gettext(
        "The path comes from the review, and whoever made the review could have named any file on "
        "your computer."
    )
    return _asks(path, why)


def asks_to_run(path: Path) -> Message:
    """Ask before opening a file that the system may run instead of showing it."""
    why = gettext("Judging by its name, it is a program or a shortcut and could do harm.")
    return _asks(path, why)


def _asks(path: Path, why: str) -> Message:
    """Ask before a path is opened: its name and the reason come first, however long it is."""
    question = gettext("Open “{file}”?", file=_shortened(_name(path)))
    where = gettext("It is in “{folder}”.", folder=_shortened(wording.printable_path(path.parent)))
    return Message(
        f"{question} {why} {where}",
        warning=True,
        link=gettext("Open"),
        target=Offer.OPEN_ANYWAY,
        urgent=True,
    )


def _shortened(name: str) -> str:
    """A long name, shortened to both ends."""
    return name if len(name) <= LONG else f"{name[: LONG // 2]}…{name[-LONG // 2 :]}"


def not_opened(name: str) -> Message:
    """A file could not be opened by any program."""
    text = gettext("No program is installed that can open “{file}”.", file=name)
    return Message(text, warning=True)


def password_tried(opened: int, left: int) -> str:
    """The effect of a password: how many files it opened, how many are still locked."""
    if not opened:
        if left > 1:
            return gettext("This password opens none of them.")
        return gettext("This password is wrong.")
    files = ngettext("The password opened {n} file.", "The password opened {n} files.", opened)
    if not left:
        return files
    locked = ngettext(
        "{n} file is still locked with a different password.",
        "{n} files are still locked with a different password.",
        left,
    )
    return f"{files} {locked}"


def password_not_tried() -> str:
    """A password could not be tried."""
    return gettext("The scan did not finish, so the password was not tried on every file.")


def tesseract_is_missing() -> Message:
    """Scans cannot be read without Tesseract."""
    return Message(
        gettext(
            "To read scans, install Tesseract, a free text recognition program, with the "
            "languages you need. The package is usually called “tesseract” or “tesseract-ocr”. "
            "Then try again."
        )
    )


def contradicts_texts(pair: ListedPair) -> Message:
    """The numbers of a pair in the list contradict its texts."""
    a, b = pair.names
    text = gettext(
        "The numbers stored for “{a}” and “{b}” don’t match their texts: the review was changed, "
        "or made by another program. All pairs are being measured again.",
        a=a,
        b=b,
    )
    return Message(text, warning=True)


def review_not_alone() -> Message:
    """A review cannot be opened together with other paths."""
    return Message(gettext("A review must be opened by itself. Drop only that file."), warning=True)


def exists_already(path: Path) -> Message:
    """A review would be replaced without a question."""
    text = gettext(
        "“{file}” already exists. Nothing was saved. Choose another name, or pick that file to "
        "replace it.",
        file=path.name,
    )
    return Message(text, warning=True)


def review_saved(path: Path, notes: Sequence[str] = ()) -> Message:
    """A review was saved; the notes are sentences about it."""
    text = gettext("Saved the review to {file}.", file=path.name)
    return _written(path, text, *notes, warning=bool(notes))


def picture_saved(path: Path, note: str) -> Message:
    """A picture was saved; the note is a sentence about it, or ""."""
    return _written(path, gettext("Saved the curve to {file}.", file=path.name), note)


def table_saved(path: Path, note: str) -> Message:
    """The table of settings was saved; the note is a sentence about it, or ""."""
    return _written(path, gettext("Saved the settings to {file}.", file=path.name), note)


def settings_saved(path: Path, note: str) -> Message:
    """Settings were saved to a file; the note is a sentence about it, or ""."""
    text = gettext(
        "Saved the settings to {file}. Load them in another Neardup, or use --settings on the "
        "command line.",
        file=path.name,
    )
    return _written(path, text, note)


def _written(path: Path, *sentences: str, warning: bool = False) -> Message:
    text = " ".join(filter(None, sentences))
    return Message(text, warning, gettext("Show in folder"), path)


def scan_needed(name: str, signature_size: int, *, is_of_run: bool = False) -> Message:
    """Longer signatures were chosen."""
    selected = gettext(
        "{method} with K = {size} selected.", method=name, size=wording.count(signature_size)
    )
    if is_of_run:
        return Message(f"{selected} {gettext(ANOTHER_RUN)}")
    rescan = gettext("Rescan the folder to update the list.")
    return Message(f"{selected} {rescan}", link=gettext("Rescan"), target=Offer.RESCAN)


def settings_loaded(path: Path) -> Message:
    """The settings of a file are used from now on."""
    return Message(gettext("Using the settings from {file}.", file=path.name))


# Of settings that whoever looks after the computer has chosen.
FIXED = N_("These settings are the same for all users of this computer and can’t be changed here.")


def settings_not_saved(path: Path) -> Message:
    """The user's settings cannot be saved, and are lost when the window is closed."""
    text = gettext(
        "Your settings can’t be saved to “{path}” and will be lost when you close Neardup. Check "
        "that the disk isn’t full and that you may write to the file.",
        path=path,
    )
    return Message(text, warning=True, lasting=True)


@in_english()
def shown(pair_filter: PairFilter, order: str, *, in_texts: bool) -> str:
    """The filter and the order of the table, in English as in reports.

    `in_texts` says that the texts were searched, too, and not only the names.
    """
    conditions = []
    if pair_filter.text:
        documents, names = N_("documents containing “{text}”"), N_("names containing “{text}”")
        conditions.append(gettext(documents if in_texts else names, text=pair_filter.text))
    if pair_filter.min_resemblance > 0:
        least = wording.threshold(pair_filter.min_resemblance)
        conditions.append(gettext("resemblance {least} or more", least=least))
    if pair_filter.min_share > 0:
        least = wording.share(pair_filter.min_share)
        conditions.append(gettext("A in B or B in A {least} or more", least=least))
    if pair_filter.verdicts:
        verdicts = [gettext(VERDICTS[index]) for index in sorted(pair_filter.verdicts)]
        conditions.append(gettext("verdict {verdicts}", verdicts=wording.any_of(verdicts)))
    if pair_filter.is_new:
        conditions.append(gettext("new or changed"))
    if pair_filter.properties:
        conditions.append(gettext("shared file properties"))
    values = {"conditions": "; ".join(conditions), "order": order}
    if pair_filter.is_empty:
        return stored("Ordered by {order}.", **values) if order else ""
    if not order:
        return stored("Only pairs with {conditions}.", **values)
    return stored("Only pairs with {conditions}. Ordered by {order}.", **values)


def _result_words(result: ScanResult) -> str:
    listed, removed = result.pair_list, result.removed
    parts = [documents_in_words(listed.document_counts)]
    if removed:
        parts.append(ngettext("{n} removed from the list", "{n} removed from the list", removed))
    pairs, weak = listed.counts.pairs, listed.counts.weak
    if pairs:
        parts.append(ngettext("{n} pair shares text", "{n} pairs share text", pairs))
    elif weak:
        parts.append(ngettext("{n} weak trace", "{n} weak traces", weak))
    else:
        parts.append(gettext("nothing found"))
    text = wording.comma_list(parts)
    part = result.scan.decided.part
    if part is None:
        return text
    of_run = gettext("part of the run “{name}”", name=_shortened(part.run.name))
    return f"{text} · {of_run}"
