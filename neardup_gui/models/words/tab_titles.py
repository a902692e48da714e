"""What the tabs are called: how many there are of each; nothing while nothing is listed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from core.base.wording import count

if TYPE_CHECKING:
    from neardup_gui.models.scan_result import ScanResult

CURVE_TITLE = "Curve"


class TabTitle(NamedTuple):
    """The words of a tab, and whether there is something to mend."""

    text: str
    warning: bool = False


def pairs_title(result: ScanResult | None) -> TabTitle:
    """The table of pairs."""
    return TabTitle(f"Pairs {count(len(result.pairs))}" if result else "Pairs")


def documents_title(result: ScanResult | None) -> TabTitle:
    """The documents that were compared."""
    return TabTitle(f"Documents {count(len(result.documents))}" if result else "Documents")


def groups_title(number: int | None) -> TabTitle:
    """The groups, which are made a moment after the pairs are listed; None until then."""
    return TabTitle("Groups" if number is None else f"Groups {count(number)}")


def passages_title(number: int | None) -> TabTitle:
    """The passages, which are looked for when their tab is opened; None until they are found."""
    return TabTitle("Passages" if number is None else f"Passages {count(number)}")


def problems_title(result: ScanResult | None) -> TabTitle:
    """The files that gave no text."""
    problems = result.found.problem_counts.problems if result else 0
    return (
        TabTitle(f"Problems {count(problems)}", warning=True) if problems else TabTitle("Problems")
    )
