"""The steps about lists: which pairs of the sample a choice finds, and what passages add."""

from __future__ import annotations

import numpy as np

from core.base.arrays import BoolArray, Float64Array
from core.base.tasks import Cancelled
from core.base.wording import count, counted, resemblance, threshold
from core.evidence.overlap import figures_of
from core.lessons import AllPairs, Pasted, all_pairs, meets, paste_lengths, pasted_copy
from core.reports.curve.forecast_words import share
from core.settings import LETTERS_A_WORD
from neardup_gui.models.tour.kept import Kept
from neardup_gui.models.tour.pictures import Chart, Mark, Row, Series, Shown, Tone
from neardup_gui.models.tour.shingle_steps import marked_text
from neardup_gui.models.tour.signature_steps import CURVE_TICKS, curve_series
from neardup_gui.models.tour.state import MOST_PASTED, TourState
from neardup_gui.models.tour.texts import ESSAY, OTHER, TourTexts, short_name

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
