"""The user's choices for a report; the next report begins with the last ones."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QLocale

from core.base.messages import N_, gettext, ngettext
from core.base.wording import count, printable_name, readable_size
from core.documents.model import DocumentKey
from core.documents.submissions import person_in
from core.reports.formats import EXPORTS
from core.reports.report_choice import (
    NO_CHOICE,
    Paper,
    ReportChoice,
    Scope,
    Texts,
    paper_of_country,
    usual_paper,
)
from neardup_gui.models.scan_result import DocumentNames, ListedPair
from neardup_gui.models.words.numbers import duration

if TYPE_CHECKING:
    from core.reports.shown_text import NamesInTexts


class NamesShown(NamedTuple):
    """What happens to names in the texts of a report.

    Attributes:
        line: How many are replaced, and how many not; "" where there are none.
        rows: Each name, first those that stay, below the titles of the columns.
    """

    line: str
    rows: tuple[tuple[str, ...], ...]


NO_NAMES = NamesShown("", ())


def names_shown(names: NamesInTexts) -> NamesShown:
    """What happens to names, for the window."""
    alone = gettext("as it is where it stands alone, as a word of the language")
    as_it_is = gettext("as it is, though it is written as a name")
    left = [(written, alone, "") for written in names.left]
    alike = [(written, as_it_is, count(times)) for written, times in names.alike]
    replaced = [(written, label, count(times)) for written, label, times in names.replaced]
    stays = [*left, *alike]
    if not stays and not replaced:
        return NO_NAMES
    line = ngettext(
        "In the texts: {n} name replaced …", "In the texts: {n} names replaced …", len(replaced)
    )
    if stays:
        line = ngettext(
            "In the texts: {n} name replaced, {others} not …",
            "In the texts: {n} names replaced, {others} not …",
            len(replaced),
            others=ngettext("{n} possible name", "{n} possible names", len(stays)),
        )
    titles = gettext("In the texts"), gettext("In the report"), gettext("Times")
    return NamesShown(line, (titles, *stays, *replaced))


@dataclass(frozen=True, slots=True)
class CheckedReport:
    """The outcome of a check.

    Attributes:
        sentence: What came out.
        agrees: Whether nothing contradicts the report.
        text: What was checked, what does not agree, and what cannot be told, a line each.
        seal: The seal of the file as it is now.
        is_pdf: Whether the seal is that of the record in it, and not of its pages.
        folders: The names of the folders it is about, if those it was checked with are others.
        needs_key: Whether the key to its names may be another one, too.
    """

    sentence: str
    agrees: bool
    text: str
    seal: str
    is_pdf: bool
    folders: tuple[str, ...] = ()
    needs_key: bool = False


def seals_agree(noted: str, seal: str, *, is_pdf: bool) -> str:
    """The sentence that compares a noted seal with that of the file; "" for none."""
    digits = "".join(noted.split()).lower()
    if not digits:
        return ""
    if is_pdf and digits == seal:
        return gettext(
            "It is the same: this is the record whose seal was noted. The seal does not cover the "
            "pages."
        )
    if is_pdf:
        return gettext(
            "It is another one: the record was changed since, or is not the one whose seal was "
            "noted."
        )
    if digits == seal:
        return gettext("It is the same: this is the file whose seal was noted.")
    return gettext(
        "It is another one: the file was changed since, or is not the one whose seal was noted."
    )


SENTENCES = {
    ".html": N_("One file that opens in every browser: to be read, searched, sorted and printed."),
    ".pdf": N_(
        "Pages to print, to sign and to keep, with bookmarks; read aloud by screen readers."
    ),
    ".xlsx": N_("Sheets of pairs, groups, passages, documents and problems, with numbers to sort."),
    ".csv": N_("The table of pairs, for spreadsheets and scripts."),
    ".json": N_("Everything that was measured and decided, for programs."),
    ".graphml": N_("Documents and pairs as a network, for programs that draw it."),
    ".zip": N_("The passages by their places in the texts, as the PAN evaluations write them."),
}
OF_PAGES = (".html", ".pdf")
ON_PAPER = (*OF_PAGES, ".xlsx")
WITHOUT_PASSAGES = (".csv", ".graphml")
WITHOUT_PROPERTIES = (".graphml", ".zip")


class ReportKind(NamedTuple):
    """A kind of file.

    Attributes:
        ending: Of its names.
        words: What it is for.
        sentence: What is in it; "" where `words` say all.
        has_pages: Whether it is to be read, page by page.
        is_printed: Whether it is in a language, has a head with the institution, and is for paper.
        has_passages: Whether passages can be in it.
        has_properties: Whether what the files tell besides their texts can be in it.
    """

    ending: str
    words: str
    sentence: str
    has_pages: bool
    is_printed: bool
    has_passages: bool
    has_properties: bool


KINDS = tuple(
    ReportKind(
        ending,
        export.words,
        SENTENCES.get(ending, ""),
        ending in OF_PAGES,
        ending in ON_PAPER,
        ending not in WITHOUT_PASSAGES,
        ending not in WITHOUT_PROPERTIES,
    )
    for export in EXPORTS
    for ending in export.endings[:1]
)


def kind_of(ending: str) -> ReportKind:
    """The kind of an ending; the default for an unknown ending."""
    for export, kind in zip(EXPORTS, KINDS, strict=True):
        if ending.lower() in export.endings:
            return kind
    return KINDS[0]


def local_paper() -> Paper:
    """Letter or A4: except on Linux, no environment variables name the country of a window."""
    country = QLocale.territoryToCode(QLocale.system().territory())
    return usual_paper() if sys.platform == "linux" else paper_of_country(country)


@dataclass(frozen=True, slots=True)
class Page:
    """A picture of a page: `pixels` are red, green and blue of each pixel, row by row."""

    width: int
    height: int
    pixels: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPreview:
    """A preview of a report; the most useful of pages, rows and text is shown.

    Attributes:
        pairs: How many are in it.
        documents: How many documents these are of.
        pages: Its first pages.
        rows: Its first rows, below the titles of their columns.
        text: How its file begins.
        is_measured: Whether it was tried to measure it.
        size: Bytes of the file; None where they are not known.
        seconds: How long writing takes.
        is_exact: Whether the whole of it was written to measure it.
        problems: Sentences: what of the choice cannot be had.
        names: What becomes of names in the texts; None where that is not known yet.
    """

    pairs: int = 0
    documents: int = 0
    pages: tuple[Page, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    text: str = ""
    is_measured: bool = False
    size: int | None = None
    seconds: float = 0.0
    is_exact: bool = False
    problems: tuple[str, ...] = ()
    names: NamesShown | None = None

    @property
    def summary(self) -> str:
        """The numbers of pairs and documents, the size and the time."""
        if not self.pairs:
            content = gettext(
                "No pairs: the report says what was compared, and that nothing was found"
            )
        else:
            content = gettext(
                "{pairs} of {documents}",
                pairs=ngettext("{n} pair", "{n} pairs", self.pairs),
                documents=ngettext("{n} document", "{n} documents", self.documents),
            )
        return " · ".join(filter(None, (content, self._cost)))

    @property
    def _cost(self) -> str:
        if self.size is None:
            return "" if self.is_measured else gettext("measuring …")
        size, time = readable_size(self.size), duration(self.seconds)
        if self.is_exact:
            return gettext("{size}, {time}", size=size, time=time)
        return gettext("about {size}, {time}", size=size, time=time)


class SavedReport(NamedTuple):
    """A report that was written.

    Attributes:
        path: Where.
        pairs: Of how many pairs.
        size: Its bytes.
        seal: What tells whether it was changed; "" for none.
        key: The key to its names; None where they are told.
        note: That the next scan reads it; "" if it does not.
    """

    path: Path
    pairs: int
    size: int
    seal: str
    key: Path | None
    note: str = ""


class ReportSubject(NamedTuple):
    """The subject of a report.

    Attributes:
        scope: Of which pairs.
        keys: The documents it is about, which are found again in another list; empty for all.
        title: In words, as one of several to choose from; `SHOWN` and its like have messages.
        name: Of the file that is suggested; "" for that of the folder.
    """

    scope: Scope
    keys: tuple[DocumentKey, ...]
    title: str
    name: str = ""

    @property
    def has_traces(self) -> bool:
        """Whether its pairs can include weak traces that are not judged or chosen."""
        return self.scope in (Scope.SHOWN, Scope.DOCUMENT, Scope.GROUP)

    def numbers(self, names: DocumentNames) -> tuple[int, ...] | None:
        """The numbers of its documents in a list; None if one is no longer in it."""
        all_numbers = [names.documents.number_of(key) for key in self.keys]
        numbers = tuple(number for number in all_numbers if number is not None)
        return numbers if len(numbers) == len(all_numbers) else None


LETTERS = 32  # of a name among others
SHOWN = ReportSubject(Scope.SHOWN, (), N_("All pairs that the table shows"))
CONFIRMED = ReportSubject(Scope.CONFIRMED, (), N_("The confirmed pairs"))
SUSPECTED = ReportSubject(Scope.SUSPECTED, (), N_("The confirmed and suspicious pairs"))


def of_pair(pair: ListedPair) -> ReportSubject:
    """A report of one pair."""
    a, b = (_short(name) for name in pair.names)
    title = gettext("The pair {a} and {b}", a=a, b=b)
    return ReportSubject(Scope.PAIR, tuple(pair), title, _stem(pair.names[0]))


def of_document(key: DocumentKey) -> ReportSubject:
    """A report of one document, with all pairs of it."""
    title = gettext("All pairs of {name}", name=_short(key.name))
    return ReportSubject(Scope.DOCUMENT, (key,), title, _stem(key.name))


def of_person(key: DocumentKey, names: DocumentNames) -> ReportSubject | None:
    """A report of all documents of the submitter of this one; None if it is the only one."""
    person = _person(key.name)
    if not person:
        return None
    near = (number for number, name in enumerate(names.shown) if person in name)
    documents = [number for number in near if _person(names.shown[number]) == person]
    if len(documents) < 2:
        return None
    title = ngettext(
        "All pairs of {name} ({n} document)",
        "All pairs of {name} ({n} documents)",
        len(documents),
        name=printable_name(person),
    )
    keys = tuple(map(names.key_of, documents))
    return ReportSubject(Scope.DOCUMENT, keys, title, printable_name(person))


def of_group(keys: tuple[DocumentKey, ...]) -> ReportSubject:
    """A report of a group; the first document is its centre."""
    title = gettext("The group around {name}", name=_short(keys[0].name))
    return ReportSubject(Scope.GROUP, keys, title, f"{_stem(keys[0].name)}-group")


def _person(name: str) -> str:
    """The person who submitted a document, from a learning platform's file name; or ""."""
    people = (person_in(step) for step in name.split("/"))
    return next((person.name for person in people if person), "")


def _short(name: str) -> str:
    """The name of a file; a long one is cut in the middle."""
    file_name = _file_name(name)
    half = LETTERS // 2
    return (
        file_name
        if len(file_name) <= LETTERS
        else f"{file_name[:half].rstrip()}…{file_name[-half:].lstrip()}"
    )


def _file_name(name: str) -> str:
    return printable_name(name.rpartition("/")[2] or name)


def _stem(name: str) -> str:
    last = _file_name(name)
    return last.rpartition(".")[0] or last


MOST_PASSAGES = 1_000_000  # most pairs whose passages can be included
# What is stored as it is; the texts and the paper by their values.
REMEMBERED = (
    *("ending", "most_passages", "weak_traces", "by_document", "names"),
    *("institution", "logo", "language"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportWish:
    """The choices in the window of reports.

    Attributes:
        subject: What it is of.
        ending: Of the file: what kind it is.
        texts: What is shown of both texts of a pair.
        most_passages: Of how many pairs at most.
        weak_traces: Whether a report to read has weak traces that nobody judged.
        file_properties: Whether what the files tell besides their texts is in it; not remembered.
        by_document: Whether the pairs of one document stand together.
        names: Whether names are told.
        institution: Stands at the head.
        logo: The path of a picture beside it; "" for none.
        paper: The size of the pages.
        language: The code of the language of what is to be read; "" for that of the window.
    """

    subject: ReportSubject = SHOWN
    ending: str = KINDS[0].ending
    texts: Texts = Texts.PASSAGES
    most_passages: int = NO_CHOICE.most_passages
    weak_traces: bool = False
    file_properties: bool = False
    by_document: bool = False
    names: bool = True
    institution: str = ""
    logo: str = ""
    paper: Paper = Paper.A4
    language: str = ""

    def choice(self, documents: tuple[int, ...], logo: bytes) -> ReportChoice:
        """The choice for the engine, with the numbers of the documents."""
        return ReportChoice(
            scope=self.subject.scope,
            documents=documents,
            texts=self.texts,
            most_passages=self.most_passages,
            weak_traces=self.weak_traces or not kind_of(self.ending).has_pages,
            file_properties=self.file_properties,
            by_document=self.by_document,
            names=self.names,
            institution=self.institution.strip(),
            logo=logo,
            paper=self.paper,
        )


def to_stored(wish: ReportWish) -> dict[str, object]:
    """The remembered choices: without the pair, the document or the group."""
    values = {name: getattr(wish, name) for name in REMEMBERED}
    enums = {"texts": wish.texts.value, "paper": wish.paper.value}
    return {"confirmed": wish.subject.scope is Scope.CONFIRMED, **values, **enums}


def from_stored(stored: Mapping[str, object], paper: Paper) -> ReportWish:
    """The remembered choices; invalid ones are replaced by defaults, `paper` by the country's."""
    usual = ReportWish(paper=paper)
    known: dict[str, Any] = {
        name: stored[name]
        for name in REMEMBERED
        if type(stored.get(name)) is type(getattr(usual, name))
    }
    wish = replace(usual, **known)
    chosen, texts, most = stored.get("paper"), stored.get("texts"), wish.most_passages
    return replace(
        wish,
        subject=CONFIRMED if stored.get("confirmed") is True else SHOWN,
        ending=kind_of(wish.ending).ending,
        texts=Texts(texts) if isinstance(texts, str) and texts in set(Texts) else usual.texts,
        most_passages=most if 1 <= most <= MOST_PASSAGES else usual.most_passages,
        paper=Paper(chosen) if isinstance(chosen, str) and chosen in set(Paper) else paper,
    )
