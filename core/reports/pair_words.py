"""What is said of a pair and its passages: in the window, the reports and on a terminal.

Its numbers are in `core.evidence.measures`. How many pairs there are is said in
`core.reports.list_words`, what the settings are in `core.reports.settings_words`. Nothing here
follows the country of the computer.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from core.base.wording import count, counted, listed, share, threshold
from core.evidence.measures import UNITS, run_in_words
from core.evidence.pairs import FoundBy, PairFigures
from core.settings import ScanSettings, Unit

if TYPE_CHECKING:
    from core.evidence.passage import Passage

# What is counted in


def unit_name(settings: ScanSettings) -> str:
    """What lengths are counted in."""
    return UNITS[settings.unit]


def passage_in_words(settings: ScanSettings) -> str:
    """The shortest run that lists a pair: "30 words", also where the units are characters."""
    return counted(settings.passage_length, UNITS["word"])


def shared_in_words(settings: ScanSettings) -> str:
    """What lists a pair whatever its resemblance: "30 words in a row or a reworked passage"."""
    reworked = "" if settings.reworked == "off" else " or a reworked passage"
    return f"{passage_in_words(settings)} in a row{reworked}"


def wanted_in_words(settings: ScanSettings) -> str:
    """Which pairs are listed: "resemblance 0.10 or more, or 30 words in a row"."""
    least = f"resemblance {threshold(settings.min_resemblance)} or more"
    if not settings.list_passages:
        return least
    reworked = "" if settings.reworked == "off" else ", or a reworked passage"
    return f"{least}, or {passage_in_words(settings)} in a row{reworked}"


# What two texts share

# From which share of a text on it is called so.
_NEARLY_ALL = 0.9
_AMOUNTS = (
    (1.0, "all"), (_NEARLY_ALL, "nearly all"), (0.6, "most"), (0.4, "about half"), (0.15, "part"),
)  # fmt: skip
# Of the words in shared passages, the share that is the same from which on they are called so.
_ALMOST_THE_SAME, _PARTLY_THE_SAME = 0.9, 0.5
_EXACT = 1e-9


def pair_in_words(
    figures: PairFigures,
    found_by: int,
    unit: Unit,
    passages: Sequence[Passage] | None = None,
    *,
    others: int = 0,
    is_weak: bool = False,
    empty: tuple[bool, bool] = (False, False),
    set_aside: bool = False,
) -> str:
    """What two documents share, for people: "All of A appears in B, with 111 words exchanged".

    Args:
        figures: The numbers of the pair, as a list has them.
        found_by: How it was found, as `FoundBy`; 0 for a pair of no list.
        unit: What a shingle is made of.
        passages: Those of the pair, to say what became of their words; None where they are not at
            hand: then the numbers say how much of them is the same.
        others: How many documents share text with both.
        is_weak: Whether the pair is a weak trace.
        empty: Which of the two have no word that counts.
        set_aside: Whether text of either is set aside.
    """
    sentences = [*_shared(figures, found_by, unit, passages, is_weak=is_weak)]
    if any(empty):
        sentences = [_nothing_to_compare(empty, set_aside=set_aside)]
    elif set_aside:
        sentences.append("Text set aside is not counted.")
    if others:
        documents = "One other document shares"
        if others > 1:
            documents = f"{count(others)} other documents share"
        sentences.append(f"{documents} text with both.")
    return " ".join(sentences)


def _nothing_to_compare(empty: tuple[bool, bool], *, set_aside: bool) -> str:
    names = listed([letter for letter, is_empty in zip("AB", empty, strict=True) if is_empty])
    verb = "have" if all(empty) else "has"
    no_words = "no words that count: its text is set aside" if set_aside else "no words"
    if all(empty) and set_aside:
        no_words = "no words that count: their text is set aside"
    return f"{names} {verb} {no_words}. There is nothing to compare."


def _shared(
    figures: PairFigures,
    found_by: int,
    unit: Unit,
    passages: Sequence[Passage] | None,
    *,
    is_weak: bool,
) -> list[str]:
    run = run_in_words(figures.longest_run, figures.run_words, unit)
    longest = [f"The longest stretch that is the same has {run}."] if figures.longest_run else []
    if found_by & FoundBy.EXACT:
        return ["A and B have the same words throughout."]
    if figures.overlap < 0:
        return ["How much of A and B overlaps was not measured.", *longest]
    if not figures.shared_words:
        short = " Only short phrases are the same." if figures.shared_shingles else ""
        return [f"A and B share no passage.{short}"]
    if is_weak:
        words = counted(figures.shared_words, UNITS["word"])
        return [f"Only a weak trace: A and B share {words}, too few to mean much."]
    if passages is not None:
        return [*_how_much(figures, _what_became(passages)), *_how_many(passages)]
    same = _how_much_is_the_same(figures)
    return [*_how_much(figures, same), *longest[: same != WORD_FOR_WORD]]


WORD_FOR_WORD = "word for word"
NOTHING_FOUND = "nothing found"  # of a pair of few documents, all of whose pairs are shown


def _how_much(figures: PairFigures, same: str) -> list[str]:
    """How much of both texts is in the passages: one of them within the other, or both alike."""
    in_a, in_b = figures.overlap_a, figures.overlap_b
    of_a, of_b = _amount(in_a), _amount(in_b)
    if of_a == of_b or min(in_a, in_b) >= _NEARLY_ALL:
        shares = "" if min(in_a, in_b) >= 1 else f" ({share(in_a)} of A, {share(in_b)} of B)"
        return [f"A and B share {_amount(min(in_a, in_b))} of their text{shares}, {same}."]
    (one, part), (other, rest) = ("A", in_a), ("B", in_b)
    if in_b > in_a:
        (one, part), (other, rest) = (other, rest), (one, part)
    subject = f"{_amount(part).removeprefix('a ').capitalize()} of {one}"
    whole = f"{subject} ({share(part)})" if part < 1 else subject
    return [f"{whole} appears in {other}, {same}.", f"It makes up {share(rest)} of {other}."]


def _amount(part: float) -> str:
    return next((words for least, words in _AMOUNTS if part >= least), "a small part")


def _how_much_is_the_same(figures: PairFigures) -> str:
    """Whether the passages were reworded, as far as the numbers of the pair say."""
    same = 2 * figures.overlap / (figures.overlap_a + figures.overlap_b)
    if same > 1 - _EXACT and max(figures.longest_run, figures.run_words) >= figures.shared_words:
        return WORD_FOR_WORD
    if same >= _ALMOST_THE_SAME:
        return "almost word for word"
    return "partly reworded" if same >= _PARTLY_THE_SAME else "largely reworded"


def _what_became(passages: Sequence[Passage]) -> str:
    """What became of the words of the passages: "with 111 words exchanged and 4 moved"."""
    units = {passage.unit for passage in passages}
    noun = UNITS[units.pop()] if len(units) == 1 else UNITS["word"]
    numbers = (
        (sum(one.exchanged for one in passages), "exchanged"),
        (sum(one.near for one in passages), "in another form"),
        (sum(one.moved_words for one in passages), "moved"),
        (sum(one.only_a + one.only_b for one in passages), "added or left out"),
    )
    changes = [(number, what) for number, what in numbers if number]
    if not changes:
        return WORD_FOR_WORD
    (first, what), *rest = changes
    parts = [f"{counted(first, noun)} {what}", *(f"{count(n)} {words}" for n, words in rest)]
    return f"with {listed(parts)}"


def _how_many(passages: Sequence[Passage]) -> list[str]:
    """In how many passages it is, where there are several."""
    if len(passages) < 2:
        return []
    moved = sum(one.moved for one in passages)
    order = f", {count(moved)} of them in another order" if moved else ""
    return [f"The text is in {count(len(passages))} passages{order}."]


# Passages


def passage_size(length: int, same: int, unit: Unit, *, moved: bool) -> str:
    """How long a passage is: "212 words", "654 words, 331 the same, moved"."""
    parts = [counted(length, UNITS[unit])]
    if same < length:
        parts.append(f"{count(same)} the same")
    if moved:
        parts.append("moved")
    return ", ".join(parts)


def passage_numbers(
    in_a: int, in_b: int, same: int, near: int, exchanged: int, moved: int, unit: Unit
) -> str:
    """The words of a passage: "96 words in A, 102 in B · 71 the same, 18 exchanged".

    Of the words that are the same, `moved` stand in another order within the passage.
    """
    size = f"{counted(in_a, UNITS[unit])} in A, {count(in_b)} in B"
    kept = f"{count(same)} the same"
    if moved:
        kept = f"{kept} ({count(moved)} of them moved)"
    others = ((near, "in another form"), (exchanged, "exchanged"))
    parts = [kept, *(f"{count(number)} {what}" for number, what in others if number)]
    return f"{size} · {', '.join(parts)}"


def chance_in_words(least: int, unit: Unit) -> str:
    """What is a passage in two texts: `least` words, about, is the floor under which none is."""
    return f"Passages from about {counted(least, UNITS[unit])} on; fewer can be chance."


def no_passage_in_words(least: int, unit: Unit) -> str:
    """Why nothing is marked in two texts."""
    return f"No shared passage of about {counted(least, UNITS[unit])} or more; fewer can be chance."


# Why a pair is listed


class ListedFor(StrEnum):
    """Why a pair is listed; the value is the word for it."""

    RESEMBLANCE = "resemblance"
    PASSAGE = "passage"
    REWORKED = "reworked"

    @staticmethod
    def of(value: float, found_by: int, settings: ScanSettings) -> ListedFor:
        """The reason for a pair of this resemblance that was found in these ways."""
        if value >= settings.min_resemblance:
            return ListedFor.RESEMBLANCE
        ways = FoundBy(int(found_by)) & (FoundBy.PASSAGE | FoundBy.REWORKED)
        return ListedFor.REWORKED if ways == FoundBy.REWORKED else ListedFor.PASSAGE


def listed_for(reason: ListedFor) -> str:
    """What marks a pair that is listed though it is not alike enough; empty for all others."""
    return "" if reason is ListedFor.RESEMBLANCE else f"{reason} only"


def mark_in_list(value: float, found_by: int, settings: ScanSettings) -> str:
    """What marks a pair of this resemblance that was found in these ways; empty for most."""
    return listed_for(ListedFor.of(value, found_by, settings)) if found_by else NOTHING_FOUND


def how_listed(reason: ListedFor, settings: ScanSettings) -> str:
    """Why a pair is listed, in a sentence."""
    least = threshold(settings.min_resemblance)
    if reason is ListedFor.RESEMBLANCE:
        return f"Its resemblance is {least} or more."
    shared = "a reworked passage"
    if reason is ListedFor.PASSAGE:
        shared = f"{passage_in_words(settings)} or more in a row"
    return f"Its resemblance is below {least}, but the two share {shared}."


def passage_heading(settings: ScanSettings, reason: ListedFor = ListedFor.PASSAGE) -> str:
    """What is said of the pairs of a ranked list that only a passage lists."""
    return f"{listed_for(reason).capitalize()}: {how_listed(reason, settings)}"
