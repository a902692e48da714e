"""The steps about lists: which pairs of the sample a choice finds, and what passages add."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from core.base.arrays import BoolArray, Float64Array, wilson
from core.base.tasks import Cancelled
from core.base.wording import count, counted, resemblance, threshold
from core.evidence.overlap import figures_of
from core.lessons import (
    AllPairs,
    AtLength,
    Cut,
    Pasted,
    agreements,
    all_pairs,
    changed_copy,
    cut,
    first_words,
    measure_lengths,
    meets,
    nearest_stranger,
    paste_lengths,
    pasted_copy,
    shared_spans,
)
from core.reports.curve.forecast_words import share, two_decimals
from core.settings import LETTERS_A_WORD, ScanSettings
from neardup_gui.models.compare.comparison import SignatureGrid
from neardup_gui.models.tour.steps import (
    ESSAY,
    MOST_PASTED,
    OTHER,
    Chart,
    Excerpt,
    Kept,
    Knob,
    Mark,
    Marked,
    Row,
    Series,
    Sets,
    Shown,
    Tone,
    TourState,
    TourTexts,
    short_name,
)

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


TRIALS = 200  # seeds
CHANGES = 1, 2, 3, 4, 6, 8, 11, 15, 20, 27, 36, 50  # per cent of words, of the measured copies
CLASSES = 30  # of the estimates
CURVE_POINTS = 201
NAMED_BANDS = 6
CURVE_TICKS = tuple((tick / 5, f"{tick / 5:g}") for tick in range(6))
ONE: Kept[tuple[float, BoolArray]] = Kept()
MANY: Kept[tuple[tuple[float, ...], BoolArray]] = Kept()


def _one_copy(state: TourState, texts: TourTexts, cancelled: Cancelled) -> tuple[float, BoolArray]:
    """The exact resemblance of the copy that is followed; bool (seeds, K), which values agree."""
    essay = texts.essay
    copy = changed_copy(essay, state.changed / 100, SEED)

    def measure() -> tuple[float, BoolArray]:
        same = agreements([essay, copy], state.signing, TRIALS, cancelled)
        return figures_of(essay, copy, state.signing).resemblance, same[:, 0]

    return ONE.get((copy, state.signing), measure)


def show_signatures(state: TourState, texts: TourTexts, cancelled: Cancelled) -> Shown:
    """The values of both signatures, and how far estimates lie from the truth."""
    s, same = _one_copy(state, texts, cancelled)
    size, equal = same.shape[1], int(same[0].sum())
    error = math.sqrt(s * (1 - s) / size)
    estimates = same.mean(axis=1)
    caption = f"{count(equal)} of {count(size)} values are equal"
    return Shown(
        finding=(
            f"{caption}: the estimate is {resemblance(equal / size)}, the exact resemblance "
            f"{resemblance(s)}. Measured with {TRIALS} seeds, estimates are off by "
            f"{resemblance(float(np.sqrt(((estimates - s) ** 2).mean())))} (root mean square); "
            f"√(s(1−s)/K) says {resemblance(error)}."
        ),
        grid=SignatureGrid(tuple((bool(value),) for value in same[0]), frozenset(), f"{caption}."),
        chart=_estimate_chart(s, estimates),
    )


def _estimate_chart(s: float, estimates: Float64Array) -> Chart:
    numbers, edges = np.histogram(estimates, CLASSES, (0, 1))
    middles = (edges[:-1] + edges[1:]) / 2
    bars = tuple(zip(middles.tolist(), numbers.astype(float).tolist(), strict=True))
    low, high = np.quantile(estimates, [0.025, 0.975]).tolist()
    return Chart(
        across="estimate",
        up="seeds",
        x_range=(0, 1),
        x_ticks=CURVE_TICKS,
        series=(Series(f"estimates under {TRIALS} seeds", Tone.MAIN, bars, bars=True),),
        marks=(Mark(s, f"exact {resemblance(s)}"),),
        words=f"How often each estimate came out under {TRIALS} seeds. 95 % lie between "
        f"{resemblance(low)} and {resemblance(high)}; the exact resemblance is {resemblance(s)}.",
        top=float(max(numbers.max(), 1)),
    )


def show_bands(state: TourState, texts: TourTexts, cancelled: Cancelled) -> Shown:
    """The same values in bands, those that agree as a whole, and how likely that was."""
    s, same = _one_copy(state, texts, cancelled)
    bands, rows = state.choice.bands, state.choice.rows
    agree = meets(same, bands, rows)
    met = np.flatnonzero(agree[0]).tolist()
    often = int(agree.any(axis=1).sum())
    caption = f"{bands} bands of {rows} rows; {_met_words(met)}."
    grid = same[0, : bands * rows].reshape(bands, rows).tolist()
    return Shown(
        finding=(
            f"{caption} At resemblance {resemblance(s)} one band agrees with probability "
            f"{share(s**rows)}, one at least of {bands} with {share(state.choice.probability(s))}. "
            f"Measured with {TRIALS} seeds: met in {often}, {share(often / TRIALS)}."
        ),
        grid=SignatureGrid(tuple(tuple(band) for band in grid), frozenset(met), caption),
        chart=_rows_chart(s, same, state),
    )


def _rows_chart(s: float, same: BoolArray, state: TourState) -> Chart:
    """The chance for each number of rows, with as many bands as K has room for."""
    size, longest = same.shape[1], int(state.bounds(Knob.FILLED_ROWS)[1])
    choices = [state.choice.with_both(size // rows, rows) for rows in range(1, longest + 1)]
    often = [int(meets(same, choice.bands, choice.rows).any(axis=1).sum()) for choice in choices]
    intervals = [wilson(met, TRIALS) for met in often]
    rows = [float(choice.rows) for choice in choices]
    chances = [choice.probability(s) for choice in choices]
    said = "; ".join(
        f"{choice.name}: {share(chance)}, measured {share(met / TRIALS)}"
        for choice, chance, met in zip(choices, chances, often, strict=True)
    )
    return Chart(
        across="r, rows in a band",
        up="chance to meet",
        x_range=(0.5, longest + 0.5),
        x_ticks=tuple((float(row), f"{row:g}") for row in rows),
        series=(
            Series("1 − (1 − s^r)^b, b = K / r", Tone.MAIN, _points(rows, chances), joined=True),
            Series(
                f"measured with {TRIALS} seeds",
                Tone.OTHER,
                _points(rows, [met / TRIALS for met in often]),
                spread=tuple((one.low, one.high) for one in intervals),
            ),
        ),
        marks=(Mark(float(state.choice.rows), f"r = {state.choice.rows}"),),
        words=f"The chance to meet at resemblance {resemblance(s)}, for each r. {said}.",
    )


def _points(x: Sequence[float], y: Sequence[float]) -> tuple[tuple[float, float], ...]:
    return tuple(zip(x, y, strict=True))


def _met_words(met: list[int]) -> str:
    if not met:
        return "none agrees as a whole, so the pair is not compared"
    if len(met) == 1:
        return f"band {1 + met[0]} agrees as a whole, so the pair is compared"
    names = [str(1 + band) for band in met[:NAMED_BANDS]]
    last = f"{len(met) - NAMED_BANDS} more" if len(met) > NAMED_BANDS else names.pop()
    return f"bands {', '.join(names)} and {last} agree as a whole, so the pair is compared"


def show_curve(state: TourState, texts: TourTexts, cancelled: Cancelled) -> Shown:
    """The curve, and the share of signings under which copies really met the text."""
    choice, essay = state.choice, texts.essay
    copies = [changed_copy(essay, percent / 100, SEED) for percent in CHANGES]

    def measure() -> tuple[tuple[float, ...], BoolArray]:
        exact = tuple(figures_of(essay, copy, state.signing).resemblance for copy in copies)
        return exact, agreements([essay, *copies], state.signing, TRIALS, cancelled)

    exact, same = MANY.get((essay, state.signing), measure)
    often = meets(same, choice.bands, choice.rows).any(axis=2).sum(axis=0)
    intervals = [wilson(int(met), TRIALS) for met in often]
    spread = tuple((one.low, one.high) for one in intervals)
    dots = tuple(zip(exact, (often / TRIALS).tolist(), strict=True))
    inside = sum(
        low <= choice.probability(s) <= high for s, (low, high) in zip(exact, spread, strict=True)
    )
    said = "; ".join(f"at {two_decimals(s)} {share(measured)}" for s, measured in dots)
    return Shown(
        finding=(
            f"{choice.bands} × {choice.rows}: (1/b)^(1/r) = "
            f"{two_decimals(choice.midpoint)}, steepest at {two_decimals(choice.steepest)}; "
            f"{choice.bands * choice.rows} of K = {choice.signature_size} values are used. "
            f"{counted(len(dots), 'copy', 'copies')}, each signed with {TRIALS} seeds: the curve "
            f"passes through the 95 % interval of {inside} of them."
        ),
        chart=Chart(
            across="resemblance",
            up="chance to meet",
            x_range=(0, 1),
            x_ticks=CURVE_TICKS,
            series=(
                *curve_series(state),
                Series(f"measured with {TRIALS} seeds", Tone.OTHER, dots, spread=spread),
            ),
            marks=(Mark(choice.midpoint, "(1/b)^(1/r)"),),
            words=f"The curve of {choice.bands} bands of {choice.rows} rows, and measured: {said}.",
        ),
    )


def curve_series(state: TourState) -> tuple[Series, ...]:
    """The curve."""
    s = np.linspace(0, 1, CURVE_POINTS)
    points = zip(s.tolist(), state.choice.probabilities(s).tolist(), strict=True)
    return (Series("1 − (1 − s^r)^b", Tone.MAIN, tuple(points), joined=True),)


LISTED_PAIRS = 30
STEP = 4  # words between two measured lengths
GROUPS = (  # wanted, met: what becomes of such a pair
    (True, True, "wanted and listed", Tone.MAIN),
    (True, False, "missed", Tone.MISSED),
    (False, True, "compared for nothing", Tone.EXTRA),
    (False, False, "left alone", Tone.QUIET),
)
PAIRS: Kept[AllPairs] = Kept()
PASTED: Kept[tuple[Pasted, ...]] = Kept()


def show_threshold(state: TourState, texts: TourTexts, _cancelled: Cancelled) -> Shown:
    """All pairs of the sample on the curve, and what becomes of each."""
    choice = state.choice
    pairs = PAIRS.get((texts, state.signing), lambda: all_pairs(texts.texts, state.signing))
    met = np.asarray(meets(pairs.same, choice.bands, choice.rows).any(axis=1))
    wanted = pairs.resemblance >= choice.min_resemblance
    chances = choice.probabilities(pairs.resemblance)
    places = np.column_stack([pairs.resemblance, chances])
    groups = tuple(
        Series(name, tone, tuple(map(tuple, places[(wanted == want) & (met == meet)].tolist())))
        for want, meet, name, tone in reversed(GROUPS)
    )
    finding = _threshold_words(wanted, met, chances, state)
    return Shown(
        finding=finding,
        chart=Chart(
            across="resemblance",
            up="chance to meet",
            x_range=(0, 1),
            x_ticks=CURVE_TICKS,
            series=(*curve_series(state), *groups),
            marks=(Mark(choice.min_resemblance, f"from {threshold(choice.min_resemblance)}"),),
            words=f"All {count(len(met))} pairs on the curve of {choice.bands} bands of "
            f"{choice.rows} rows. {finding}",
        ),
        rows=tuple(
            _pair_row(texts, pairs, place, (bool(wanted[place]), bool(met[place])))
            for place in range(min(LISTED_PAIRS, len(met)))
        ),
        rows_title=f"The {min(LISTED_PAIRS, len(met))} pairs that resemble each other most, of "
        f"{count(len(met))}",
    )


def _threshold_words(
    wanted: BoolArray, met: BoolArray, chances: Float64Array, state: TourState
) -> str:
    floor = threshold(state.choice.min_resemblance)
    number, missed = int(wanted.sum()), int((wanted & ~met).sum())
    extra, below = int((met & ~wanted).sum()), int((~wanted).sum())
    return (
        f"{counted(number, 'pair')} from {floor} on: {count(number - missed)} listed, "
        f"{count(missed)} missed (the curve expects {_decimal(float((1 - chances)[wanted].sum()))})"
        f". Below it {count(extra)} of {counted(below, 'pair')} "
        f"{'is' if extra == 1 else 'are'} compared for nothing "
        f"(expected: {_decimal(float(chances[~wanted].sum()))})."
    )


def _decimal(number: float) -> str:
    return f"{number:.1f}" if number < 10 else count(round(number))


def _pair_row(texts: TourTexts, pairs: AllPairs, place: int, fate: tuple[bool, bool]) -> Row:
    a, b = (short_name(texts.names[side[place]]) for side in (pairs.a, pairs.b))
    name, tone = next((name, tone) for *which, name, tone in GROUPS if tuple(which) == fate)
    return Row(f"{resemblance(float(pairs.resemblance[place]))}  {name}: {a} and {b}", tone=tone)


def show_passages(state: TourState, texts: TourTexts, _cancelled: Cancelled) -> Shown:
    """Words of one text pasted into another: what the bands see of it, and what passages do."""
    settings, source, host = state.scan_settings, texts.essay, texts.other
    t = state.passage
    lengths = tuple(sorted({*range(0, MOST_PASTED + 1, STEP), t - 1, t}))
    everywhere = PASTED.get(
        (texts, settings), lambda: paste_lengths(source, host, lengths, settings)
    )
    (here,) = paste_lengths(source, host, [state.pasted], settings)
    text, span = pasted_copy(host, source, state.pasted)
    run = figures_of(source, text, settings).longest_run
    by_passage = "is found by its passage" if here.by_passage else "is not found by a passage"
    return Shown(
        finding=(
            f"{counted(state.pasted, 'word')} of {short_name(ESSAY)} in {short_name(OTHER)}: "
            f"resemblance {resemblance(here.resemblance)}, the bands meet with "
            f"{share(here.chance)}. The pair {by_passage}: "
            f"the longest shared run has {counted(run, _unit(state))}, t is {_passage(state)}."
        ),
        chart=_passage_chart(everywhere, state),
        marked=marked_text(
            f"{short_name(OTHER)}; the pasted words are marked",
            text,
            [span] if span[0] < span[1] else [],
        ),
    )


def _unit(state: TourState) -> str:
    return "word" if state.settings.unit == "word" else "character"


def _passage(state: TourState) -> str:
    words = counted(state.passage, "word")
    if state.settings.unit == "word":
        return words
    return f"{words}, which are {counted(state.passage * LETTERS_A_WORD, 'character')}"


def _passage_chart(everywhere: tuple[Pasted, ...], state: TourState) -> Chart:
    def points(column: str) -> tuple[tuple[float, float], ...]:
        return tuple((float(one.words), float(getattr(one, column))) for one in everywhere)

    found = [one.words for one in everywhere if one.by_passage]
    first = f"from {found[0]} words on" if found else "at none of these lengths"
    of_words = state.settings.unit == "word"
    return Chart(
        across="words pasted",
        up="found",
        x_range=(0, MOST_PASTED),
        x_ticks=tuple((float(words), str(words)) for words in range(0, MOST_PASTED + 1, 20)),
        series=(
            Series("by its passage", Tone.OTHER, points("by_passage"), joined=True),
            Series("by its passage", Tone.OTHER, points("by_passage")),
            Series("chance of the bands", Tone.MAIN, points("chance"), joined=True),
            Series("chance of the bands", Tone.MAIN, points("chance")),
        ),
        # In characters it depends on the words how many of them make t.
        marks=(Mark(float(state.passage), f"t = {state.passage}"),) if of_words else (),
        words=f"Measured for 0 to {MOST_PASTED} pasted words: the passage is found {first}; the "
        f"bands meet with {share(everywhere[-1].chance)} at {everywhere[-1].words}.",
    )
