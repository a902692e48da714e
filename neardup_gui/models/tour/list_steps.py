"""The steps about lists: which pairs of the sample a choice finds, and what passages add."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

import numpy as np

from core import lessons
from core.base.arrays import BoolArray, Float64Array, wilson
from core.base.messages import N_, gettext, localized, ngettext
from core.base.wording import count, listed, resemblance, threshold
from core.evidence.measures import length_in_words
from core.evidence.overlap import figures_of
from core.reports.curve.forecast_words import share, two_decimals
from core.settings import LETTERS_A_WORD, ScanSettings
from neardup_gui.models.compare.comparison import SignatureGrid
from neardup_gui.models.tour import steps

SEED = 3  # of the copy that is followed through the steps
MOST_WORDS = 2000  # of a document whose copies are measured
LEAST_WORDS = 10  # one of ten words cannot be changed in fewer
SHOWN_SHINGLES = 200
COPIES = 20
MOST_TICKS = 13
LINE_END = re.compile(r"(?<!\n)\n(?!\n)")
PARAGRAPH = re.compile(r"[^\n]+")
# Of each the last result is kept: what is moved in a step seldom changes all that it shows.
kept = lru_cache(maxsize=1)
_nearest_unrelated_text = kept(lessons.nearest_unrelated_text)
_all_pairs, _paste_lengths = kept(lessons.all_pairs), kept(lessons.paste_lengths)


def show_shingles(state: steps.TourState, texts: steps.TourTexts) -> steps.Shown:
    """The user's text cut, and what each length of shingles makes of edited copies."""
    settings, excerpt = state.settings, texts.own(state.excerpt)
    pieces = lessons.cut(excerpt.text, settings)
    full_text = excerpt.document or excerpt.text
    measured: tuple[lessons.ResemblancesAtLength, ...] = ()
    stranger = 0
    if lessons.cut(full_text, ScanSettings()).units >= LEAST_WORDS:
        longest = int(state.bounds(steps.Knob.LENGTH)[1])
        lengths = tuple(range(1, longest + 1))
        # This does not depend on k; only the mark in the chart does.
        apart = settings.with_changes(k=1)
        full_text = lessons.first_words(full_text, MOST_WORDS)
        stranger = _nearest_unrelated_text(full_text, texts.texts)
        unrelated = texts.texts[stranger]
        measured = _measured(full_text, unrelated, apart, lengths)
    number = len(pieces.starts)
    length = length_in_words(settings.k, settings.unit)
    title = ngettext("{n} shingle of {length}", "{n} shingles of {length}", number, length=length)
    if number > SHOWN_SHINGLES:
        title = ngettext(
            "{n} shingle of {length}; the first {most}",
            "{n} shingles of {length}; the first {most}",
            number,
            length=length,
            most=SHOWN_SHINGLES,
        )
    measured_words = _copies_words(excerpt, measured, settings, texts.names[stranger])
    return steps.Shown(
        finding=f"{_cut_words(pieces, settings)} {measured_words}",
        sentence=excerpt.text,
        rows=_stairs(excerpt.text, pieces),
        rows_title=title,
        chart=_length_chart(measured, settings) if measured else None,
    )


@kept
def _measured(
    text: str, unrelated: str, settings: ScanSettings, lengths: tuple[int, ...]
) -> tuple[lessons.ResemblancesAtLength, ...]:
    return lessons.measure_lengths(text, unrelated, settings, lengths, copies=COPIES)


def _stairs(text: str, pieces: lessons.Cut) -> tuple[steps.Row, ...]:
    """Every shingle on a line, below its words in the line before."""
    spans = zip(pieces.starts.tolist(), pieces.ends.tolist(), strict=True)
    return tuple(
        steps.Row(text[start:end], text[:start]) for start, end in [*spans][:SHOWN_SHINGLES]
    )


def _cut_words(pieces: lessons.Cut, settings: ScanSettings) -> str:
    number, k = len(pieces.starts), settings.k
    if not number:
        return gettext("There is no word in this text, so it has no shingles and is like no other.")
    units = length_in_words(pieces.units, settings.unit)
    if pieces.units < k:
        return gettext(
            "The text has {units}, fewer than k: it is one shingle as a whole.", units=units
        )
    different = len(set(pieces.hashes.tolist()))
    values = {"units": units, "number": count(pieces.units), "k": k}
    if different < number:
        return ngettext(
            "{units}, so {number} − {k} + 1 = {n} shingle ({different} of them different).",
            "{units}, so {number} − {k} + 1 = {n} shingles ({different} of them different).",
            number,
            different=count(different),
            **values,
        )
    return ngettext(
        "{units}, so {number} − {k} + 1 = {n} shingle.",
        "{units}, so {number} − {k} + 1 = {n} shingles.",
        number,
        **values,
    )


def _copies_words(
    excerpt: steps.Excerpt,
    measured: tuple[lessons.ResemblancesAtLength, ...],
    settings: ScanSettings,
    unrelated_name: str,
) -> str:
    if not measured:
        return gettext(
            "With {least} words or more, copies of the text are made and measured, too.",
            least=LEAST_WORDS,
        )
    at = measured[settings.k - 1]
    return gettext(
        "Measured on {text} at k = {k}: the resemblance of {copies} copies with one word in ten "
        "exchanged is {mean} on average ({low} to {high}), that of {other}, which is not a copy, "
        "{unrelated}.",
        text=_measured_text(excerpt),
        k=at.k,
        copies=COPIES,
        mean=resemblance(at.mean),
        low=resemblance(at.low),
        high=resemblance(at.high),
        other=steps.short_name(unrelated_name),
        unrelated=resemblance(at.unrelated),
    )


def _measured_text(excerpt: steps.Excerpt) -> str:
    if not excerpt.document:
        return gettext("this text")
    name = steps.short_name(excerpt.name)
    if lessons.first_words(excerpt.document, MOST_WORDS) == excerpt.document:
        return name
    return gettext("the first {most} words of {name}", most=count(MOST_WORDS), name=name)


def _length_chart(
    measured: tuple[lessons.ResemblancesAtLength, ...], settings: ScanSettings
) -> steps.Chart:
    copies = tuple((float(at.k), at.mean) for at in measured)
    unrelated = tuple((float(at.k), at.unrelated) for at in measured)
    spread = tuple((at.low, at.high) for at in measured)
    step = 1 + len(measured) // MOST_TICKS
    numbers = "; ".join(
        gettext(
            "k {k}: {copy} and {unrelated}",
            k=at.k,
            copy=resemblance(at.mean),
            unrelated=resemblance(at.unrelated),
        )
        for at in measured
    )
    return steps.Chart(
        across=gettext("k, words in a shingle")
        if settings.unit == "word"
        else gettext("k, characters in a shingle"),
        up=gettext("resemblance"),
        x_range=(0.5, len(measured) + 0.5),
        x_ticks=tuple((float(at.k), str(at.k)) for at in measured[::step]),
        series=(
            steps.Series(gettext("not a copy"), steps.Tone.OTHER, unrelated, joined=True),
            steps.Series(gettext("not a copy"), steps.Tone.OTHER, unrelated),
            steps.Series("", steps.Tone.MAIN, copies, joined=True),
            steps.Series(
                gettext("copy, one word in ten exchanged"), steps.Tone.MAIN, copies, spread=spread
            ),
        ),
        marks=(steps.Mark(float(settings.k), f"k = {settings.k}"),),
        words=gettext(
            "Resemblance of a copy with one word in ten exchanged, and of a text that is not a "
            "copy, for each k. {numbers}.",
            numbers=numbers,
        ),
    )


def show_resemblance(state: steps.TourState, texts: steps.TourTexts) -> steps.Shown:
    """An essay and its copy as two sets, and the part of the copy that is still shared."""
    settings, essay = state.settings, texts.essay
    copy = lessons.changed_copy(essay, state.changed / 100, SEED)
    figures = figures_of(essay, copy, settings)
    a = len(set(lessons.cut(essay, settings).hashes.tolist()))
    b = len(set(lessons.cut(copy, settings).hashes.tolist()))
    shared = figures.shared_shingles
    title = gettext(
        "The copy of {name}; what lies in shared shingles is marked",
        name=steps.short_name(steps.ESSAY),
    )
    return steps.Shown(
        finding=gettext(
            "{shared} different shingles are in both, {either} in either: {shared} / {either} = "
            "{resemblance}. With {changed} of 100 words exchanged, {gone} of the essay’s {all} "
            "shingles are gone.",
            shared=count(shared),
            either=count(a + b - shared),
            resemblance=resemblance(figures.resemblance),
            changed=state.changed,
            gone=count(a - shared),
            all=count(a),
        ),
        sets=steps.Sets(
            a - shared, shared, b - shared, (gettext("the essay"), gettext("its copy"))
        ),
        marked=_marked(title, copy, essay, settings),
    )


def _marked(title: str, text: str, reference: str, settings: ScanSettings) -> steps.Marked:
    return marked_text(title, text, lessons.shared_spans(text, reference, settings))


def marked_text(title: str, text: str, spans: Sequence[tuple[int, int]]) -> steps.Marked:
    """A text on one line, with spans of it in Qt's positions.

    Qt counts characters beyond U+FFFF twice. A span of several paragraphs is marked in each.
    """
    offsets = [0, *accumulate(1 + (letter > "\uffff") for letter in text)]
    shown = LINE_END.sub(" ", text)
    parts = (
        (part.start(), part.end())
        for start, end in spans
        for part in PARAGRAPH.finditer(shown, start, end)
    )
    return steps.Marked(title, shown, tuple((offsets[start], offsets[end]) for start, end in parts))


TRIALS = 200  # seeds
CHANGES = 1, 2, 3, 4, 6, 8, 11, 15, 20, 27, 36, 50  # per cent of words, of the measured copies
CLASSES = 30  # of the estimates
CURVE_POINTS = 201
NAMED_BANDS = 6


def _curve_ticks() -> tuple[tuple[float, str], ...]:
    return tuple((tick / 5, localized(f"{tick / 5:g}")) for tick in range(6))


def _measured_name() -> str:
    return gettext("measured with {trials} seeds", trials=TRIALS)


def _followed_copy(state: steps.TourState, texts: steps.TourTexts) -> tuple[float, BoolArray]:
    """The exact resemblance of the followed copy; bool (seeds, K), which values agree."""
    copy = lessons.changed_copy(texts.essay, state.changed / 100, SEED)
    (exact,), same = _followed(texts.essay, (copy,), state.signing)
    return exact, same[:, 0]


def _agreements(
    text: str, copies: tuple[str, ...], settings: ScanSettings
) -> tuple[tuple[float, ...], BoolArray]:
    exact = tuple(figures_of(text, copy, settings).resemblance for copy in copies)
    return exact, lessons.agreements([text, *copies], settings, TRIALS)


_followed, _many = kept(_agreements), kept(_agreements)


def show_signatures(state: steps.TourState, texts: steps.TourTexts) -> steps.Shown:
    """The values of both signatures, and how far estimates are from the truth."""
    s, same = _followed_copy(state, texts)
    size, equal = same.shape[1], int(same[0].sum())
    error = math.sqrt(s * (1 - s) / size)
    estimates = same.mean(axis=1)
    numbers = {"equal": count(equal), "size": count(size)}
    caption = gettext("{equal} of {size} values equal.", **numbers)
    return steps.Shown(
        finding=gettext(
            "{equal} of {size} values equal: the estimate is {estimate}, the exact resemblance "
            "{exact}. Measured with {trials} seeds, estimates are off by {off} (root mean square); "
            "√(s(1−s)/K) says {error}.",
            estimate=resemblance(equal / size),
            exact=resemblance(s),
            trials=TRIALS,
            off=resemblance(float(np.sqrt(((estimates - s) ** 2).mean()))),
            error=resemblance(error),
            **numbers,
        ),
        grid=SignatureGrid(tuple((bool(value),) for value in same[0]), frozenset(), caption),
        chart=_estimate_chart(s, estimates),
    )


def _estimate_chart(s: float, estimates: Float64Array) -> steps.Chart:
    numbers, edges = np.histogram(estimates, CLASSES, (0, 1))
    middles = (edges[:-1] + edges[1:]) / 2
    bars = tuple(zip(middles.tolist(), numbers.astype(float).tolist(), strict=True))
    low, high = np.quantile(estimates, [0.025, 0.975]).tolist()
    return steps.Chart(
        across=gettext("estimate"),
        up=gettext("seeds"),
        x_range=(0, 1),
        x_ticks=_curve_ticks(),
        series=(
            steps.Series(
                gettext("estimates under {trials} seeds", trials=TRIALS),
                steps.Tone.MAIN,
                bars,
                bars=True,
            ),
        ),
        marks=(steps.Mark(s, gettext("exact {value}", value=resemblance(s))),),
        words=gettext(
            "How often each estimate came out under {trials} seeds. 95% lie between {low} and "
            "{high}; the exact resemblance is {exact}.",
            trials=TRIALS,
            low=resemblance(low),
            high=resemblance(high),
            exact=resemblance(s),
        ),
        top=float(max(numbers.max(), 1)),
    )


def show_bands(state: steps.TourState, texts: steps.TourTexts) -> steps.Shown:
    """The same values in bands, the bands that agree as a whole, and how likely that was."""
    s, same = _followed_copy(state, texts)
    bands, rows = state.choice.bands, state.choice.rows
    agree = lessons.collides(same, bands, rows)
    met = np.flatnonzero(agree[0]).tolist()
    often = int(agree.any(axis=1).sum())
    caption = gettext(
        "{bands} bands of {rows} rows; {met}.", bands=bands, rows=rows, met=_colliding_words(met)
    )
    grid = same[0, : bands * rows].reshape(bands, rows).tolist()
    return steps.Shown(
        finding=f"{caption} "
        + gettext(
            "At resemblance {resemblance} one band agrees with probability {one}, one at least of "
            "{bands} with {any}. Measured with {trials} seeds: met in {often}, {measured}.",
            resemblance=resemblance(s),
            one=share(s**rows),
            bands=bands,
            any=share(state.choice.probability(s)),
            trials=TRIALS,
            often=often,
            measured=share(often / TRIALS),
        ),
        grid=SignatureGrid(tuple(tuple(band) for band in grid), frozenset(met), caption),
        chart=_rows_chart(s, same, state),
    )


def _rows_chart(s: float, same: BoolArray, state: steps.TourState) -> steps.Chart:
    """The chance for each number of rows, with as many bands as K has room for."""
    size, longest = same.shape[1], int(state.bounds(steps.Knob.FILLED_ROWS)[1])
    choices = [state.choice.with_both(size // rows, rows) for rows in range(1, longest + 1)]
    often = [
        int(lessons.collides(same, choice.bands, choice.rows).any(axis=1).sum())
        for choice in choices
    ]
    intervals = [wilson(met, TRIALS) for met in often]
    rows = [float(choice.rows) for choice in choices]
    chances = [choice.probability(s) for choice in choices]
    numbers = "; ".join(
        gettext(
            "{setting}: {chance}, measured {measured}",
            setting=choice.name,
            chance=share(chance),
            measured=share(met / TRIALS),
        )
        for choice, chance, met in zip(choices, chances, often, strict=True)
    )
    return steps.Chart(
        across=gettext("r, rows in a band"),
        up=gettext("chance to meet"),
        x_range=(0.5, longest + 0.5),
        x_ticks=tuple((float(row), f"{row:g}") for row in rows),
        series=(
            steps.Series(
                "1 − (1 − s^r)^b, b = K / r", steps.Tone.MAIN, _points(rows, chances), joined=True
            ),
            steps.Series(
                _measured_name(),
                steps.Tone.OTHER,
                _points(rows, [met / TRIALS for met in often]),
                spread=tuple((interval.low, interval.high) for interval in intervals),
            ),
        ),
        marks=(steps.Mark(float(state.choice.rows), f"r = {state.choice.rows}"),),
        words=gettext(
            "The chance to meet at resemblance {resemblance}, for each r. {numbers}.",
            resemblance=resemblance(s),
            numbers=numbers,
        ),
    )


def _points(x: Sequence[float], y: Sequence[float]) -> tuple[tuple[float, float], ...]:
    return tuple(zip(x, y, strict=True))


def _colliding_words(met: list[int]) -> str:
    if not met:
        return gettext("none agrees as a whole, so the pair is not compared")
    names = [str(1 + band) for band in met[:NAMED_BANDS]]
    if len(met) > NAMED_BANDS:
        rest = len(met) - NAMED_BANDS
        names.append(ngettext("{n} more", "{n} more", rest))
    return ngettext(
        "band {bands} agrees as a whole, so the pair is compared",
        "bands {bands} agree as a whole, so the pair is compared",
        len(met),
        bands=listed(names),
    )


def show_curve(state: steps.TourState, texts: steps.TourTexts) -> steps.Shown:
    """The curve, and the share of signings under which copies really met the text."""
    choice, essay = state.choice, texts.essay
    copies = tuple(lessons.changed_copy(essay, percent / 100, SEED) for percent in CHANGES)
    exact, same = _many(essay, copies, state.signing)
    often = lessons.collides(same, choice.bands, choice.rows).any(axis=2).sum(axis=0)
    intervals = [wilson(int(met), TRIALS) for met in often]
    spread = tuple((interval.low, interval.high) for interval in intervals)
    dots = tuple(zip(exact, (often / TRIALS).tolist(), strict=True))
    inside = sum(
        low <= choice.probability(s) <= high for s, (low, high) in zip(exact, spread, strict=True)
    )
    numbers = "; ".join(
        gettext("at {resemblance} {share}", resemblance=two_decimals(s), share=share(measured))
        for s, measured in dots
    )
    where = gettext(
        "{setting}: (1/b)^(1/r) = {middle}, steepest at {steepest}; {used} of K = {size} values "
        "are used.",
        setting=choice.name,
        middle=two_decimals(choice.midpoint),
        steepest=two_decimals(choice.steepest),
        used=choice.bands * choice.rows,
        size=choice.signature_size,
    )
    checked = ngettext(
        "{n} copy, each signed with {trials} seeds: the curve passes through the 95% interval of "
        "{inside} of them.",
        "{n} copies, each signed with {trials} seeds: the curve passes through the 95% interval "
        "of {inside} of them.",
        len(dots),
        trials=TRIALS,
        inside=inside,
    )
    return steps.Shown(
        finding=f"{where} {checked}",
        chart=steps.Chart(
            across=gettext("resemblance"),
            up=gettext("chance to meet"),
            x_range=(0, 1),
            x_ticks=_curve_ticks(),
            series=(
                *curve_series(state),
                steps.Series(_measured_name(), steps.Tone.OTHER, dots, spread=spread),
            ),
            marks=(steps.Mark(choice.midpoint, "(1/b)^(1/r)"),),
            words=gettext(
                "The curve of {bands} bands of {rows} rows, and measured: {numbers}.",
                bands=choice.bands,
                rows=choice.rows,
                numbers=numbers,
            ),
        ),
    )


def curve_series(state: steps.TourState) -> tuple[steps.Series, ...]:
    """The curve."""
    s = np.linspace(0, 1, CURVE_POINTS)
    points = zip(s.tolist(), state.choice.probabilities(s).tolist(), strict=True)
    return (steps.Series("1 − (1 − s^r)^b", steps.Tone.MAIN, tuple(points), joined=True),)


LISTED_PAIRS = 30
STEP = 4  # words between two measured lengths
GROUPS = (  # wanted, met: the outcome for such a pair
    (True, True, N_("wanted and listed"), steps.Tone.MAIN),
    (True, False, N_("missed"), steps.Tone.MISSED),
    (False, True, N_("compared for nothing"), steps.Tone.EXTRA),
    (False, False, N_("left alone"), steps.Tone.QUIET),
)


def show_threshold(state: steps.TourState, texts: steps.TourTexts) -> steps.Shown:
    """All pairs of the sample on the curve, and the outcome of each."""
    choice = state.choice
    pairs = _all_pairs(texts.texts, state.signing)
    met = np.asarray(lessons.collides(pairs.same, choice.bands, choice.rows).any(axis=1))
    wanted = pairs.resemblance >= choice.min_resemblance
    chances = choice.probabilities(pairs.resemblance)
    points = np.column_stack([pairs.resemblance, chances])
    groups = tuple(
        steps.Series(
            gettext(name),
            tone,
            tuple(map(tuple, points[(wanted == want) & (met == meet)].tolist())),
        )
        for want, meet, name, tone in reversed(GROUPS)
    )
    finding = _threshold_words(wanted, met, chances, state)
    floor = threshold(choice.min_resemblance)
    return steps.Shown(
        finding=finding,
        chart=steps.Chart(
            across=gettext("resemblance"),
            up=gettext("chance to meet"),
            x_range=(0, 1),
            x_ticks=_curve_ticks(),
            series=(*curve_series(state), *groups),
            marks=(steps.Mark(choice.min_resemblance, gettext("from {floor}", floor=floor)),),
            words=gettext(
                "All {pairs} pairs on the curve of {bands} bands of {rows} rows. {finding}",
                pairs=count(len(met)),
                bands=choice.bands,
                rows=choice.rows,
                finding=finding,
            ),
        ),
        rows=tuple(
            _pair_row(texts, pairs, index, (bool(wanted[index]), bool(met[index])))
            for index in range(min(LISTED_PAIRS, len(met)))
        ),
        rows_title=ngettext(
            "The {n} pair that resembles each other most, of {all}",
            "The {n} pairs that resemble each other most, of {all}",
            min(LISTED_PAIRS, len(met)),
            all=count(len(met)),
        ),
    )


def _threshold_words(
    wanted: BoolArray, met: BoolArray, chances: Float64Array, state: steps.TourState
) -> str:
    floor = threshold(state.choice.min_resemblance)
    number, missed = int(wanted.sum()), int((wanted & ~met).sum())
    extra, below = int((met & ~wanted).sum()), int((~wanted).sum())
    above = ngettext(
        "{n} pair from {floor} on: {listed} listed, {missed} missed (the curve expects "
        "{expected}).",
        "{n} pairs from {floor} on: {listed} listed, {missed} missed (the curve expects "
        "{expected}).",
        number,
        floor=floor,
        listed=count(number - missed),
        missed=count(missed),
        expected=_decimal(float((1 - chances)[wanted].sum())),
    )
    below_floor = ngettext(
        "Below it {extra} of {n} pair compared for nothing (expected: {expected}).",
        "Below it {extra} of {n} pairs compared for nothing (expected: {expected}).",
        below,
        extra=count(extra),
        expected=_decimal(float(chances[~wanted].sum())),
    )
    return f"{above} {below_floor}"


def _decimal(number: float) -> str:
    return localized(f"{number:.1f}") if number < 10 else count(round(number))


def _pair_row(
    texts: steps.TourTexts, pairs: lessons.AllPairs, index: int, fate: tuple[bool, bool]
) -> steps.Row:
    a, b = (steps.short_name(texts.names[side[index]]) for side in (pairs.a, pairs.b))
    name, tone = next((name, tone) for *which, name, tone in GROUPS if tuple(which) == fate)
    text = gettext(
        "{resemblance}  {group}: {a} and {b}",
        resemblance=resemblance(float(pairs.resemblance[index])),
        group=gettext(name),
        a=a,
        b=b,
    )
    return steps.Row(text, tone=tone)


def show_passages(state: steps.TourState, texts: steps.TourTexts) -> steps.Shown:
    """Words of one text pasted into another: what the bands find of it, and what passages."""
    settings, source, host = state.scan_settings, texts.essay, texts.other
    t = state.passage
    lengths = tuple(sorted({*range(0, steps.MOST_PASTED + 1, STEP), t - 1, t}))
    everywhere = _paste_lengths(source, host, lengths, settings)
    (measured,) = lessons.paste_lengths(source, host, [state.pasted], settings)
    text, span = lessons.pasted_copy(host, source, state.pasted)
    run = figures_of(source, text, settings).longest_run
    pasted = ngettext(
        "{n} word of {a} in {b}: resemblance {resemblance}, the bands meet with {chance}.",
        "{n} words of {a} in {b}: resemblance {resemblance}, the bands meet with {chance}.",
        state.pasted,
        a=steps.short_name(steps.ESSAY),
        b=steps.short_name(steps.OTHER),
        resemblance=resemblance(measured.resemblance),
        chance=share(measured.chance),
    )
    lengths_in_words = {
        "run": length_in_words(run, state.settings.unit),
        "passage": _passage(state),
    }
    if measured.by_passage:
        sentence = gettext(
            "The pair is found by its passage: the longest shared run has {run}, t is {passage}.",
            **lengths_in_words,
        )
    else:
        sentence = gettext(
            "The pair is not found by a passage: the longest shared run has {run}, t is {passage}.",
            **lengths_in_words,
        )
    return steps.Shown(
        finding=f"{pasted} {sentence}",
        chart=_passage_chart(everywhere, state),
        marked=marked_text(
            gettext("{name}; the pasted words are marked", name=steps.short_name(steps.OTHER)),
            text,
            [span] if span[0] < span[1] else [],
        ),
    )


def _passage(state: steps.TourState) -> str:
    words = length_in_words(state.passage, "word")
    if state.settings.unit == "word":
        return words
    characters = length_in_words(state.passage * LETTERS_A_WORD, "char")
    return gettext("{words}, which are {characters}", words=words, characters=characters)


def _passage_chart(everywhere: tuple[lessons.Pasted, ...], state: steps.TourState) -> steps.Chart:
    def points(column: str) -> tuple[tuple[float, float], ...]:
        return tuple((float(pasted.words), float(getattr(pasted, column))) for pasted in everywhere)

    lengths = [pasted.words for pasted in everywhere if pasted.by_passage]
    values = {
        "most": steps.MOST_PASTED,
        "chance": share(everywhere[-1].chance),
        "words": everywhere[-1].words,
    }
    if lengths:
        summary = gettext(
            "Measured for 0 to {most} pasted words: the passage is found from {first} words on; "
            "the bands meet with {chance} at {words}.",
            first=lengths[0],
            **values,
        )
    else:
        summary = gettext(
            "Measured for 0 to {most} pasted words: the passage is found at none of these lengths; "
            "the bands meet with {chance} at {words}.",
            **values,
        )
    of_words = state.settings.unit == "word"
    by_passage, by_bands = gettext("by its passage"), gettext("chance of the bands")
    return steps.Chart(
        across=gettext("words pasted"),
        up=gettext("found"),
        x_range=(0, steps.MOST_PASTED),
        x_ticks=tuple((float(words), str(words)) for words in range(0, steps.MOST_PASTED + 1, 20)),
        series=(
            steps.Series(by_passage, steps.Tone.OTHER, points("by_passage"), joined=True),
            steps.Series(by_passage, steps.Tone.OTHER, points("by_passage")),
            steps.Series(by_bands, steps.Tone.MAIN, points("chance"), joined=True),
            steps.Series(by_bands, steps.Tone.MAIN, points("chance")),
        ),
        # With characters, the number of words that make t depends on the words.
        marks=(steps.Mark(float(state.passage), f"t = {state.passage}"),) if of_words else (),
        words=summary,
    )
