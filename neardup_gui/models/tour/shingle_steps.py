"""The steps about shingles: a text cut, a copy changed, two sets compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

from core.base.tasks import Cancelled
from core.base.wording import count, counted, resemblance
from core.evidence.overlap import figures_of
from core.lessons import (
    AtLength,
    Cut,
    changed_copy,
    cut,
    first_words,
    measure_lengths,
    nearest_stranger,
    shared_spans,
)
from core.settings import ScanSettings
from neardup_gui.models.tour.kept import Kept
from neardup_gui.models.tour.pictures import Chart, Mark, Marked, Row, Series, Sets, Shown, Tone
from neardup_gui.models.tour.state import Excerpt, TourState
from neardup_gui.models.tour.steps import Knob
from neardup_gui.models.tour.texts import ESSAY, TourTexts, short_name

SEED = 3  # of the one copy that is followed through the steps
MOST_WORDS = 2000  # of a document whose copies are measured
LEAST_WORDS = 10  # one of ten words cannot be changed in fewer
SHOWN_SHINGLES = 200
COPIES = 20
MOST_TICKS = 13
LINE_END = re.compile(r"(?<!\n)\n(?!\n)")
PARAGRAPH = re.compile(r"[^\n]+")
STRANGER: Kept[int] = Kept()
MEASURED: Kept[tuple[AtLength, ...]] = Kept()


def _units(settings: ScanSettings, number: int) -> str:
    """A number of words, or of characters."""
    return counted(number, "word" if settings.unit == "word" else "character")


def show_shingles(state: TourState, texts: TourTexts, cancelled: Cancelled) -> Shown:
    """The user's text cut, and what each length of shingles makes of edited copies."""
    settings, own = state.settings, texts.own(state.excerpt)
    pieces = cut(own.text, settings)
    whole = own.document or own.text
    measured: tuple[AtLength, ...] = ()
    stranger = 0
    if cut(whole, ScanSettings()).units >= LEAST_WORDS:
        longest = int(state.bounds(Knob.LENGTH)[1])
        lengths = tuple(range(1, longest + 1))
        # It does not depend on k: only what is marked in the chart does.
        apart = settings.with_changes(k=1)
        whole = first_words(whole, MOST_WORDS)
        stranger = STRANGER.get((whole, texts), lambda: nearest_stranger(whole, texts.texts))
        other = texts.texts[stranger]
        measured = _measured(whole, other, apart, lengths, cancelled)
    number = len(pieces.starts)
    title = f"{counted(number, 'shingle')} of {_units(settings, settings.k)}"
    if number > SHOWN_SHINGLES:
        title += f"; the first {SHOWN_SHINGLES}"
    measured_words = _copies_words(own, measured, settings, texts.names[stranger])
    return Shown(
        finding=f"{_cut_words(pieces, settings)} {measured_words}",
        sentence=own.text,
        rows=_stairs(own.text, pieces),
        rows_title=title,
        chart=_length_chart(measured, settings) if measured else None,
    )


def _measured(
    text: str, other: str, settings: ScanSettings, lengths: tuple[int, ...], cancelled: Cancelled
) -> tuple[AtLength, ...]:
    return MEASURED.get(
        (text, other, settings, lengths),
        lambda: measure_lengths(text, other, settings, lengths, copies=COPIES, cancelled=cancelled),
    )


def _stairs(text: str, pieces: Cut) -> tuple[Row, ...]:
    """Every shingle in a line, below the words of it in the line before."""
    spans = zip(pieces.starts.tolist(), pieces.ends.tolist(), strict=True)
    return tuple(Row(text[start:end], text[:start]) for start, end in [*spans][:SHOWN_SHINGLES])


def _cut_words(pieces: Cut, settings: ScanSettings) -> str:
    number, k = len(pieces.starts), settings.k
    if not number:
        return "There is no word in this text, so it has no shingles and is like no other."
    if pieces.units < k:
        return (
            f"The text has {_units(settings, pieces.units)}, fewer than k: "
            "it is one shingle as a whole."
        )
    different = len(set(pieces.hashes.tolist()))
    repeated = f" ({count(different)} of them different)" if different < number else ""
    return (
        f"{_units(settings, pieces.units)}, so {count(pieces.units)} − {k} + 1 = "
        f"{counted(number, 'shingle')}{repeated}."
    )


def _copies_words(
    own: Excerpt, measured: tuple[AtLength, ...], settings: ScanSettings, other: str
) -> str:
    if not measured:
        return f"With {LEAST_WORDS} words or more, copies of the text are made and measured, too."
    at = measured[settings.k - 1]
    return (
        f"Measured on {_measured_text(own)} at k = {at.k}: the resemblance of {COPIES} copies with "
        f"one word in ten exchanged is {resemblance(at.mean)} on average ({resemblance(at.low)} to "
        f"{resemblance(at.high)}), that of {short_name(other)}, which is no copy, "
        f"{resemblance(at.unrelated)}."
    )


def _measured_text(own: Excerpt) -> str:
    if not own.document:
        return "this text"
    cut_off = first_words(own.document, MOST_WORDS) != own.document
    first = f"the first {count(MOST_WORDS)} words of " if cut_off else ""
    return f"{first}{short_name(own.name)}"


def _length_chart(measured: tuple[AtLength, ...], settings: ScanSettings) -> Chart:
    copies = tuple((float(at.k), at.mean) for at in measured)
    unrelated = tuple((float(at.k), at.unrelated) for at in measured)
    spread = tuple((at.low, at.high) for at in measured)
    step = 1 + len(measured) // MOST_TICKS
    said = "; ".join(
        f"k {at.k}: {resemblance(at.mean)} and {resemblance(at.unrelated)}" for at in measured
    )
    return Chart(
        across=f"k, {'words' if settings.unit == 'word' else 'characters'} in a shingle",
        up="resemblance",
        x_range=(0.5, len(measured) + 0.5),
        x_ticks=tuple((float(at.k), str(at.k)) for at in measured[::step]),
        series=(
            Series("no copy", Tone.OTHER, unrelated, joined=True),
            Series("no copy", Tone.OTHER, unrelated),
            Series("", Tone.MAIN, copies, joined=True),
            Series("copy, one word in ten exchanged", Tone.MAIN, copies, spread=spread),
        ),
        marks=(Mark(float(settings.k), f"k = {settings.k}"),),
        words=f"Resemblance of a copy with one word in ten exchanged, and of a text that is no "
        f"copy, for each k. {said}.",
    )


def show_resemblance(state: TourState, texts: TourTexts, _cancelled: Cancelled) -> Shown:
    """An essay and a copy of it as two sets, and what of the copy is still shared."""
    settings, essay = state.settings, texts.essay
    copy = changed_copy(essay, state.changed / 100, SEED)
    figures = figures_of(essay, copy, settings)
    a = len(set(cut(essay, settings).hashes.tolist()))
    b = len(set(cut(copy, settings).hashes.tolist()))
    shared = figures.shared_shingles
    title = f"The copy of {short_name(ESSAY)}; what lies in shared shingles is marked"
    either = a + b - shared
    return Shown(
        finding=(
            f"{count(shared)} different shingles are in both, {count(either)} in either: "
            f"{count(shared)} / {count(either)} = {resemblance(figures.resemblance)}. "
            f"With {state.changed} of 100 words exchanged, "
            f"{count(a - shared)} of the essay's {count(a)} shingles are gone."
        ),
        sets=Sets(a - shared, shared, b - shared, ("the essay", "its copy")),
        marked=_marked(title, copy, essay, settings),
    )


def _marked(title: str, text: str, other: str, settings: ScanSettings) -> Marked:
    return marked_text(title, text, shared_spans(text, other, settings))


def marked_text(title: str, text: str, spans: Sequence[tuple[int, int]]) -> Marked:
    """A text with its lines run on, and these spans of it as Qt counts.

    Qt counts characters beyond U+FFFF twice. What goes over several paragraphs is marked in each.
    """
    place = [0, *accumulate(1 + (letter > "\uffff") for letter in text)]
    shown = LINE_END.sub(" ", text)
    parts = (
        (part.start(), part.end())
        for start, end in spans
        for part in PARAGRAPH.finditer(shown, start, end)
    )
    return Marked(title, shown, tuple((place[start], place[end]) for start, end in parts))
