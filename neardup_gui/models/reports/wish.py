"""What the user wants in a report; the next one begins with the last choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from core.reports.choice import NO_CHOICE, Paper, ReportChoice, Scope
from neardup_gui.models.reports.kinds import KINDS, kind_of
from neardup_gui.models.reports.subject import CONFIRMED, SHOWN, ReportSubject

T = TypeVar("T")

MOST_PASSAGES = 1_000_000  # pairs whose passages can be asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportWish:
    """What is chosen in the window of reports.

    Attributes:
        subject: What it is of.
        ending: Of the file: what kind it is.
        passages: Whether shared passages are shown.
        most_passages: Of how many pairs at most.
        names: Whether names are told.
        institution: Stands at the head.
        logo: The path of a picture beside it; "" for none.
        paper: The size of the pages.
    """

    subject: ReportSubject = SHOWN
    ending: str = KINDS[0].ending
    passages: bool = True
    most_passages: int = NO_CHOICE.most_passages
    names: bool = True
    institution: str = ""
    logo: str = ""
    paper: Paper = Paper.A4

    def choice(self, documents: tuple[int, ...], logo: bytes) -> ReportChoice:
        """As the engine takes it, with the numbers of the documents it is about."""
        return ReportChoice(
            scope=self.subject.scope,
            documents=documents,
            passages=self.passages,
            most_passages=self.most_passages,
            names=self.names,
            institution=self.institution.strip(),
            logo=logo,
            paper=self.paper,
        )


def to_stored(wish: ReportWish) -> dict[str, object]:
    """What is remembered: not the pair, the document or the group it was of."""
    return {
        "confirmed": wish.subject.scope is Scope.CONFIRMED,
        "ending": wish.ending,
        "passages": wish.passages,
        "most_passages": wish.most_passages,
        "names": wish.names,
        "institution": wish.institution,
        "logo": wish.logo,
        "paper": wish.paper.value,
    }


def from_stored(stored: Mapping[str, object], paper: Paper) -> ReportWish:
    """What was remembered; what makes no sense is as at first, `paper` that of the country."""
    usual = ReportWish(paper=paper)
    most = _typed(stored, "most_passages", usual.most_passages)
    chosen = _typed(stored, "paper", "")
    return ReportWish(
        subject=CONFIRMED if _typed(stored, "confirmed", usual.subject is CONFIRMED) else SHOWN,
        ending=kind_of(_typed(stored, "ending", usual.ending)).ending,
        passages=_typed(stored, "passages", usual.passages),
        most_passages=most if 1 <= most <= MOST_PASSAGES else usual.most_passages,
        names=_typed(stored, "names", usual.names),
        institution=_typed(stored, "institution", ""),
        logo=_typed(stored, "logo", ""),
        paper=Paper(chosen) if chosen in set(Paper) else paper,
    )


def _typed(stored: Mapping[str, object], key: str, usual: T) -> T:
    value = stored.get(key, usual)
    return value if type(value) is type(usual) else usual
