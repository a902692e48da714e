"""Sentences on a pair and its passages: in the window, the reports and on a terminal.

Its numbers are in `core.evidence.measures`. Sentences on the number of
pairs are in `core.reports.list_words`, those on settings in `core.reports.settings_words`. None
depends on the country of the computer.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array
from core.base.messages import N_, gettext, ngettext, pgettext
from core.base.wording import comma_list, count, listed, share, threshold
from core.evidence.measures import length_in_words, run_in_words
from core.evidence.pairs import FoundBy, PairFigures
from core.evidence.passage import ChangeKind
from core.settings import ScanSettings, Unit

if TYPE_CHECKING:
    from core.evidence.passage import Passage

Numbers = float | Float64Array


def passage_in_words(settings: ScanSettings) -> str:
    """The shortest run that lists a pair: "30 words", also where the units are characters."""
    return length_in_words(settings.passage_length, "word")


def shared_in_words(settings: ScanSettings) -> str:
    """What lists a pair whatever its resemblance: "30 words in a row or a reworked passage"."""
    words = passage_in_words(settings)
    if settings.reworked == "off":
        return gettext("{words} in a row", words=words)
    return gettext("{words} in a row or a reworked passage", words=words)


def wanted_in_words(settings: ScanSettings) -> str:
    """Which pairs are listed: "resemblance 0.10 or more, or 30 words in a row"."""
    values = {"least": threshold(settings.min_resemblance), "words": passage_in_words(settings)}
    if not settings.list_passages:
        return gettext("resemblance {least} or more", **values)
    if settings.reworked == "off":
        return gettext("resemblance {least} or more, or {words} in a row", **values)
    return gettext(
        "resemblance {least} or more, or {words} in a row, or a reworked passage", **values
    )


# What two texts share


class _Amount(NamedTuple):
    """The least share of a text for two sentences: on one text within the other, on both alike."""

    least: float
    within: str
    of_both: str


_NEARLY_ALL = 0.9
_AMOUNTS = (
    _Amount(
        1.0,
        N_("All of {one} appears in {other}, {same}."),
        N_("A and B share all of their text, {same}."),
    ),
    _Amount(
        _NEARLY_ALL,
        N_("Nearly all of {one} ({share}) appears in {other}, {same}."),
        N_("A and B share nearly all of their text, {same}."),
    ),
    _Amount(
        0.6,
        N_("Most of {one} ({share}) appears in {other}, {same}."),
        N_("A and B share most of their text, {same}."),
    ),
    _Amount(
        0.4,
        N_("About half of {one} ({share}) appears in {other}, {same}."),
        N_("A and B share about half of their text, {same}."),
    ),
    _Amount(
        0.15,
        N_("Part of {one} ({share}) appears in {other}, {same}."),
        N_("A and B share part of their text, {same}."),
    ),
    _Amount(
        0.0,
        N_("Little of {one} ({share}) appears in {other}, {same}."),
        N_("A and B share a small part of their text, {same}."),
    ),
)
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
    """What two documents share: "All of A appears in B, with 111 words exchanged within it".

    Args:
        figures: The numbers of the pair, as a list has them.
        found_by: How it was found, as `FoundBy`; 0 for a pair of no list.
        unit: What a shingle is made of.
        passages: Those of the pair, to say how their words were changed; None where they are not at
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
        sentences.append(gettext("Text set aside is not counted."))
    if others:
        sentences.append(
            ngettext(
                "{n} other document shares text with both.",
                "{n} other documents share text with both.",
                others,
            )
        )
    return " ".join(sentences)


def _nothing_to_compare(empty: tuple[bool, bool], *, set_aside: bool) -> str:
    if all(empty) and set_aside:
        sentence = gettext("A and B have no words that count: their text is set aside.")
    elif all(empty):
        sentence = gettext("A and B have no words.")
    elif set_aside:
        name = "AB"[empty.index(True)]
        sentence = gettext("{name} has no words that count: its text is set aside.", name=name)
    else:
        sentence = gettext("{name} has no words.", name="AB"[empty.index(True)])
    return f"{sentence} " + gettext("There is nothing to compare.")


def _shared(
    figures: PairFigures,
    found_by: int,
    unit: Unit,
    passages: Sequence[Passage] | None,
    *,
    is_weak: bool,
) -> list[str]:
    run = run_in_words(figures.longest_run, figures.run_words, unit)
    longest = []
    if figures.longest_run:
        longest.append(gettext("The longest stretch that is the same has {run}.", run=run))
    if found_by & FoundBy.EXACT:
        return [gettext("A and B have the same words throughout.")]
    if figures.overlap < 0:
        return [gettext("How much of A and B overlaps was not measured."), *longest]
    if not figures.shared_words:
        short = [gettext("Only short phrases are the same.")] if figures.shared_shingles else []
        return [gettext("A and B share no passage."), *short]
    if is_weak:
        words = length_in_words(figures.shared_words, "word")
        return [
            gettext("Only a weak trace: A and B share {words}, too few to mean much.", words=words)
        ]
    if passages is not None:
        return [*_how_much(figures, _changes_in_words(passages)), *_how_many(passages)]
    same = how_much_is_the_same(figures)
    return [*_how_much(figures, gettext(same)), *longest[: same != WORD_FOR_WORD]]


WORD_FOR_WORD = N_("word for word")
ALMOST_WORD_FOR_WORD = N_("almost word for word")
LARGELY_REWORDED = N_("largely reworded")
NOT_LISTED = N_("not listed")  # of a pair that is shown all the same
NOT_FOUND = N_("It was judged or asked for; the search does not list it.")
ADDED = N_("This pair was added to the list: its files share a rare property.")


def _how_much(figures: PairFigures, same: str) -> list[str]:
    """How much of one text is in passages of the other; where both are alike, the overlap."""
    in_a, in_b = figures.overlap_a, figures.overlap_b
    if are_alike(figures.overlap, in_a, in_b):
        return [gettext(_amount(figures.overlap).of_both, same=same)]
    (contained, part), (container, rest) = ("A", in_a), ("B", in_b)
    if in_b > in_a:
        (contained, part), (container, rest) = (container, rest), (contained, part)
    within = {"one": contained, "other": container, "share": share(part), "same": same}
    return [
        gettext(_amount(part).within, **within),
        gettext("It makes up {share} of {other}.", share=share(rest), other=container),
    ]


def are_alike(overlap: Numbers, in_a: Numbers, in_b: Numbers) -> BoolArray:
    """Whether the overlap says how much both texts share, pair by pair.

    Elsewhere the larger share says how much of that text appears in the other; where passages are
    largely reworded, neither share does.
    """
    least = [amount.least for amount in reversed(_AMOUNTS)]
    alike = np.digitize(in_a, least) == np.digitize(in_b, least)
    alike |= np.minimum(in_a, in_b) >= _NEARLY_ALL
    alike |= 2 * overlap < _PARTLY_THE_SAME * (in_a + in_b)
    return np.asarray(alike)


def _amount(part: float) -> _Amount:
    return next(amount for amount in _AMOUNTS if part >= amount.least)


def how_much_is_the_same(figures: PairFigures) -> str:
    """Whether the passages were reworded, as far as the numbers of the pair say; a message."""
    same = 2 * figures.overlap / (figures.overlap_a + figures.overlap_b)
    if same > 1 - _EXACT and max(figures.longest_run, figures.run_words) >= figures.shared_words:
        return WORD_FOR_WORD
    if same >= _ALMOST_THE_SAME:
        return ALMOST_WORD_FOR_WORD
    return N_("partly reworded") if same >= _PARTLY_THE_SAME else LARGELY_REWORDED


def _changes_in_words(passages: Sequence[Passage]) -> str:
    """The changes to their words: "with 111 words exchanged and 4 moved within it"."""
    units = {passage.unit for passage in passages}
    unit = units.pop() if len(units) == 1 else "word"
    numbers = (
        (sum(passage.exchanged for passage in passages), "exchanged"),
        (sum(passage.near for passage in passages), "near"),
        (sum(passage.moved_words for passage in passages), "moved"),
        (sum(passage.only_a + passage.only_b for passage in passages), "only"),
    )
    changes = [(number, change) for number, change in numbers if number]
    if not changes:
        return gettext(WORD_FOR_WORD)
    first = length_in_words(changes[0][0], unit)
    words = [
        _changed(n, change, "" if index else first) for index, (n, change) in enumerate(changes)
    ]
    return gettext("with {changes} within it", changes=listed(words))


def _changed(number: int, change: str, words: str = "") -> str:
    """So many words are changed in a way: "111 words exchanged", "4 moved"."""
    values = {"words": words or count(number)}
    if change == "exchanged":
        return ngettext("{words} exchanged", "{words} exchanged", number, **values)
    if change == "near":
        return ngettext("{words} in another form", "{words} in another form", number, **values)
    if change == "moved":
        return ngettext("{words} moved", "{words} moved", number, **values)
    return ngettext("{words} added or left out", "{words} added or left out", number, **values)


def _how_many(passages: Sequence[Passage]) -> list[str]:
    """How many passages the shared text is in, where there are several."""
    if len(passages) < 2:
        return []
    moved = sum(passage.moved for passage in passages)
    if not moved:
        return [gettext("The text is in {number} passages.", number=count(len(passages)))]
    return [
        gettext(
            "The text is in {number} passages, {moved} of them in another order.",
            number=count(len(passages)),
            moved=count(moved),
        )
    ]


# Passages


# How much was moved or repeated.
CHANGE_SIZES = {
    ChangeKind.MOVED: N_("{size}, moved"),
    ChangeKind.REPEATED_A: N_("{size}, once more in A"),
    ChangeKind.REPEATED_B: N_("{size}, once more in B"),
}


def passage_size(length: int, same: int, unit: Unit, *, moved: bool) -> str:
    """How long a passage is: "212 words", "654 words, 331 the same, moved"."""
    parts = [length_in_words(length, unit)]
    if same < length:
        parts.append(ngettext("{n} the same", "{n} the same", same))
    if moved:
        parts.append(pgettext("passage", "moved"))
    return comma_list(parts)


def passage_numbers(
    in_a: int, in_b: int, same: int, near: int, exchanged: int, moved: int, unit: Unit
) -> str:
    """The words of a passage: "96 words in A, 102 in B · 71 the same, 18 exchanged".

    Of the words that are the same, `moved` stand in another order within the passage.
    """
    size = gettext("{a} in A, {b} in B", a=length_in_words(in_a, unit), b=count(in_b))
    kept = ngettext("{n} the same", "{n} the same", same)
    if moved:
        kept = gettext(
            "{same} the same ({moved} of them moved)", same=count(same), moved=count(moved)
        )
    changes = ((near, "near"), (exchanged, "exchanged"))
    parts = [kept, *(_changed(number, change) for number, change in changes if number)]
    return f"{size} · {', '.join(parts)}"


def chance_in_words(least: int, unit: Unit) -> str:
    """The least length of a passage in two texts: about `least` words; less can be chance."""
    length = length_in_words(least, unit)
    return gettext("Passages from about {length} on; fewer can be chance.", length=length)


def no_passage_in_words(least: int, unit: Unit) -> str:
    """Why nothing is marked in two texts."""
    return gettext(
        "No shared passage of about {length} or more; fewer can be chance.",
        length=length_in_words(least, unit),
    )


# Why a pair is listed


class ListedFor(StrEnum):
    """Why a pair is listed."""

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
    """The mark of a pair below the threshold that is listed; "" for all others."""
    if reason is ListedFor.RESEMBLANCE:
        return ""
    return gettext("passage only") if reason is ListedFor.PASSAGE else gettext("reworked only")


def mark_in_list(value: float, found_by: int, settings: ScanSettings) -> str:
    """The mark of a pair of this resemblance that was found in these ways; "" for most."""
    return listed_for(ListedFor.of(value, found_by, settings)) if found_by else gettext(NOT_LISTED)


def how_listed(reason: ListedFor, settings: ScanSettings) -> str:
    """Why a pair is listed, in a sentence."""
    least = threshold(settings.min_resemblance)
    if reason is ListedFor.RESEMBLANCE:
        return gettext("Its resemblance is {least} or more.", least=least)
    if reason is ListedFor.REWORKED:
        return gettext(
            "Its resemblance is below {least}, but the two share a reworked passage.", least=least
        )
    return gettext(
        "Its resemblance is below {least}, but the two share {words} or more in a row.",
        least=least,
        words=passage_in_words(settings),
    )


def passage_heading(settings: ScanSettings, reason: ListedFor = ListedFor.PASSAGE) -> str:
    """The heading of pairs in a ranked list that only a passage lists."""
    why = how_listed(reason, settings)
    if reason is ListedFor.REWORKED:
        return gettext("Reworked only: {why}", why=why)
    return gettext("Passage only: {why}", why=why)
