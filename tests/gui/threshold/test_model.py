"""What the threshold panel knows before anything is drawn."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.messages import in_language, load_language
from core.candidates.forecast import KnownPairs
from core.candidates.scurve import BitCurve, Wishes, candidate_probability
from core.reports.curve.forecast_words import almost, forecast, plain, share
from core.reports.curve.state import BINS, Bars, ThresholdState
from core.scan.audit_results import MeasuredRange
from core.scan.judgements import VERDICTS, Verdict
from neardup_gui.models.threshold import (
    MOST_KEPT,
    CheckedRows,
    JudgedSoFar,
    PairAtHand,
    ThresholdModel,
    answer_wishes,
    curve_words,
    judged_so_far,
    marks_words,
    position_words,
    signature_words,
)
from tests.forecasts import USUAL, bits_of, folder_of, known_of
from tests.pairs import figures


@pytest.fixture
def model(qapp):
    return ThresholdModel()


def settle(model):
    model._step.stop()


def test_changes_that_follow_each_other_are_one_step(model):
    start = model.state
    for hundredth in range(20, 60):
        model.change_threshold(hundredth / 100)
    settle(model)
    model.change(model.state.with_rows(4))
    dragged = ThresholdState(64, 2, 0.59, 128)

    model.undo()
    assert model.state == dragged
    model.undo()
    assert model.state == start
    assert not model.can_undo
    model.redo()
    assert model.state == dragged
    model.redo()
    assert model.state.rows == 4
    assert not model.can_redo


def test_a_drag_is_one_step_with_a_pause_and_another_drag_the_next(model):
    start = model.state
    for drag in ((0.2, 0.3), (0.4, 0.5)):
        model.hold(True)
        for threshold in drag:
            model.change_threshold(threshold)
            model._step.stop()
            model._step.timeout.emit()
        model.hold(False)

    model.undo()
    assert model.state.min_resemblance == 0.3
    model.undo()
    assert model.state == start


def test_undoing_is_reported_and_a_new_change_forgets_what_was_undone(model, qtbot):
    model.change_threshold(0.4)
    assert qtbot.until(model.moved, model.undo) == [ThresholdState(64, 2, 0.1, 128)]

    model.change_threshold(0.5)
    assert not model.can_redo


def test_other_settings_leave_nothing_to_undo(model, qtbot):
    model.change_threshold(0.4)
    with qtbot.assertNotEmitted(model.moved):
        model.set_state(ThresholdState(14, 8, 0.8, 256))
    model.undo()
    assert model.state == ThresholdState(14, 8, 0.8, 256)


def test_the_same_settings_from_outside_keep_the_steps(model):
    model.change_threshold(0.4)
    model.set_state(model.state)
    assert model.can_undo


def test_a_curve_is_kept_once_and_the_oldest_goes(model):
    for rows in range(1, MOST_KEPT + 3):
        model.keep(ThresholdState(2, rows, 0.1, 128))
        model.keep(ThresholdState(2, rows, 0.2, 128))
    names = [state.name for state in model.kept]
    assert names == [f"2 × {rows}" for rows in range(3, MOST_KEPT + 3)]

    model.drop(ThresholdState(2, 4, 0.9, 128))
    assert len(model.kept) == MOST_KEPT - 1
    model.drop()
    assert not model.kept


def test_wishes_that_cannot_be_kept_change_nothing(model, qtbot):
    with qtbot.assertNotEmitted(model.moved):
        model.set_wishes(model.wishes.__class__(at_most=0.001))
        model.ask()
    assert model.answer.startswith("No b × r")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pair_at_hand", PairAtHand(figures(0.63), ("one.txt", "two.txt"))),
        ("audit_points", (MeasuredRange(0.1, 0.2, 0.15, 10, None, 5),)),
        ("grid", object()),
    ],
)
def test_what_is_new_is_announced_once(model, qtbot, name, value):
    announced = getattr(model, f"{name.split('_')[0]}_changed")
    change, before = getattr(model, f"set_{name}"), getattr(model, name)
    qtbot.until(announced, change, value)
    assert getattr(model, name) == value
    with qtbot.assertNotEmitted(announced):
        change(value)
    qtbot.until(announced, change, before)
    assert getattr(model, name) == before


def test_one_curve_is_looked_at_unless_it_is_drawn_already(model, qtbot):
    other_state = ThresholdState(20, 5, 0.1, 128)
    qtbot.until(model.kept_changed, model.look_at, other_state)
    assert model.other_beside == other_state
    with qtbot.assertNotEmitted(model.kept_changed):
        model.look_at(other_state)

    model.keep(other_state)
    assert model.other_beside is None
    model.drop()
    model.change(model.state.with_both(20, 5))
    assert model.other_beside is None
    model.look_at(None)
    assert model.beside is None


CONFIRMED, NO_MATCH = (
    VERDICTS.index(verdict) for verdict in (Verdict.CONFIRMED, Verdict.NOT_A_MATCH)
)
RESEMBLANCES = np.linspace(1, 0.1, 200)


def verdicts(read):
    """Read from the top; what is more than half alike is confirmed."""
    verdict_codes = np.where(RESEMBLANCES > 0.5, CONFIRMED, NO_MATCH).astype(np.uint8)
    verdict_codes[read:] = 0
    return verdict_codes


def test_a_few_verdicts_say_nothing():
    assert judged_so_far(RESEMBLANCES, verdicts(19)) == JudgedSoFar()


def test_verdicts_that_are_all_alike_make_no_curve():
    shown = judged_so_far(RESEMBLANCES, verdicts(40))
    assert shown.steps is None
    assert shown.words == ("40 pairs judged, 40 confirmed.",)
    assert shown.can_check


def test_what_is_below_is_expected_not_to_be_confirmed():
    shown = judged_so_far(RESEMBLANCES, verdicts(150))
    judged, expected, holds = shown.words
    assert judged == "150 pairs judged, 111 confirmed."
    assert expected.startswith("Of 50 unread pairs at most 12 would be confirmed (95% confidence).")
    assert holds.startswith("Resemblance alone would have predicted 1")
    s, p = shown.steps
    assert (s[0], s[-1]) == (0, 1)
    assert (np.diff(p) >= 0).all()


def test_a_range_is_given_in_whole_numbers():
    random = np.random.default_rng(1)
    resemblances = np.linspace(1, 0.1, 2000)
    codes = np.where(random.random(2000) < resemblances, CONFIRMED, NO_MATCH).astype(np.uint8)
    codes[random.random(2000) < 0.5] = 0
    expected = judged_so_far(resemblances, codes).words[1]
    unread, least, most = map(int, re.findall(r"\d+", expected.replace(",", ""))[:3])
    assert unread == int((codes == 0).sum())
    assert 0 < least < unread * 0.55 < most < unread
    assert expected.startswith(f"Of {unread:,} unread pairs {least} to {most} would be confirmed")


def test_a_check_bounds_the_others_when_all_of_it_is_judged():
    verdict_codes = verdicts(100)
    check = CheckedRows(np.array([120, 150, 180]), 97)
    assert judged_so_far(RESEMBLANCES, verdict_codes, check).check == "Random check: 0 of 3 judged."
    verdict_codes[[120, 150, 180]] = NO_MATCH
    shown = judged_so_far(RESEMBLANCES, verdict_codes, check)
    assert shown.check.startswith("Random check: 0 of 3 confirmed. So at most ")
    assert shown.check.endswith("of the 97 other unread pairs would be (95% confidence).")
    assert shown.checked == (3, 3)


BITS = ThresholdState(64, 2, 0.10, 128, distance=3, signature="simhash")


def folder(
    found=(0.12, 0.12, 0.15, 0.4, 0.9), background=(0.0, 0.02, 0.04, 0.3), *, made_with=USUAL,
    known=(), **changes,
):  # fmt: skip
    """A list made with bands alone; `known` are changes of what is known besides."""
    threshold = made_with.min_resemblance
    if not isinstance(known, KnownPairs):
        banding = None if made_with.distance is not None else (made_with.bands, made_with.rows)
        values = {"threshold": threshold, "background": background} | dict(known)
        known = known_of([s for s in found if s >= threshold], banding, **values)
    return folder_of(found, background, made_with=made_with, known=known, **changes)


def words(state, pairs):
    return plain(forecast(state, pairs))


@given(
    size=st.integers(1, 300),
    steps=st.lists(st.tuples(st.booleans(), st.integers(-5, 400)), max_size=12),
)
def test_bands_times_rows_never_exceed_k(size, steps):
    state = ThresholdState(1, 1, 0.1, size)
    for is_rows, value in steps:
        state = state.with_rows(value) if is_rows else state.with_bands(value)
        assert 1 <= state.bands * state.rows <= size
        moved = state.rows if is_rows else state.bands
        assert moved == min(max(value, 1), size)


def test_bands_that_gave_way_to_rows_come_back():
    squeezed = USUAL.with_rows(8)

    assert (squeezed.bands, squeezed.rows) == (16, 8)
    assert squeezed.with_rows(2).bands == 64
    assert "64 → 16" in signature_words(squeezed)
    assert signature_words(USUAL) == "K = 128 values in a signature; b · r = 128 used"


@pytest.mark.parametrize(
    ("floor", "expected"), [(0.1, (64, 2)), (0.3, (37, 3)), (0.5, (25, 5)), (0.8, (9, 13))]
)
def test_bands_and_rows_follow_the_floor(floor, expected):
    state = USUAL.with_threshold(floor).following()

    assert (state.bands, state.rows) == expected


def test_curve_runs_from_end_to_end():
    assert USUAL.probabilities([0, 1]).tolist() == [0, 1]


def test_bars_count_found_pairs_and_scale_the_sample():
    bars = folder().bars

    assert bars.found.sum() == 5
    assert bars.found[2] == 2
    assert bars.everywhere[0] == pytest.approx(3 * 10 / 4)
    assert (bars.everywhere >= bars.found).all()


@pytest.mark.parametrize("logarithmic", [True, False])
def test_the_tallest_bar_has_the_full_height(logarithmic):
    of_found, everywhere = folder().bars.heights(logarithmic=logarithmic)

    assert everywhere.max() == 1
    assert (of_found <= everywhere).all()
    assert of_found[19] == 0


@pytest.mark.parametrize("logarithmic", [True, False])
def test_no_pairs_have_no_bars(logarithmic):
    empty = Bars(np.zeros(BINS), np.zeros(BINS))

    assert (np.concatenate(empty.heights(logarithmic=logarithmic)) == 0).all()


def test_forecast_in_pairs():
    rng = np.random.default_rng(2)
    pairs = folder(found=rng.uniform(0.1, 0.4, 60), documents=212, listed=64)

    text = words(USUAL, pairs)

    assert "pairs would be missed. None is missed above 0." in text
    assert text.startswith("Above 0.10, about ")
    assert text.endswith("Lists 64 pairs of 212 documents.")


def test_forecast_for_other_bands_uses_what_these_would_miss():
    pairs = folder(found=[0.3] * 50)

    expected = 50 * (1 - float(candidate_probability(0.3, 32, 4)))
    assert f"about {round(expected)} (" in words(USUAL.with_rows(4), pairs)
    assert "Lists about" in words(USUAL.with_rows(4), pairs)


BLIND = ThresholdState(14, 8, 0.10, 128)
HALF, FEW = USUAL.with_threshold(0.5), USUAL.with_threshold(0.05)
UNSAMPLED = {"found": [], "known": {"listed": False, "unsampled": True}}
WITH_PASSAGES = {"found": [0.9] * 3, "known": {"passages": [0.5] * 2}}
COMPLETE = {"listed": 6, "documents": 38, "compared": 666, "known": {"complete": True}}
MANY = {"background": np.full(2000, 0.05)}  # of a million pairs
FORECASTS = {
    "none": (HALF, {"found": [0.9, 0.95]}, ["^Above 0.50, none of 2 pairs would be missed."]),
    "at most some": (USUAL, {"found": [0.2] * 5}, ["^Above 0.10, at most 4 of 5 pairs"]),
    "of no pairs": (USUAL, {"found": []}, ["^Above 0.10, at most 2 of 0 pairs would be missed"]),
    "below the list": (FEW, {}, ["^Above 0.10, ", "Pairs below were not listed"]),
    "blind below": (
        BLIND,
        {"made_with": BLIND},
        ["^Above 0.45, ", "Below 0.45, too few are found to tell."],
    ),
    "unsampled": (USUAL, UNSAMPLED, ["^Too few pairs are found to tell how many are missed."]),
    "unsampled, by the formula": (USUAL, UNSAMPLED, ["Of pairs at 0.10, 47% are found."]),
    "found by passages": (
        USUAL.with_threshold(0.4),
        WITH_PASSAGES,
        ["^Above 0.40, none of 5 pairs would be missed. Bands alone would miss 2."],
    ),
    "complete": (
        USUAL,
        COMPLETE,
        ["^Complete from 0.10 on: all 666 pairs of different texts were compared. "],
    ),
    "extra": (USUAL, {"known": {"extra": 176}}, ["Extra candidates to check: 176."]),
    "one extra": (USUAL, {"known": {"extra": 1}}, ["Extra candidates to check: 1."]),
    "no extra": (USUAL, {"known": {"extra": 0}}, ["Extra candidates to check: none."]),
    "extra by the sample": (USUAL, MANY, ["Extra candidates to check: about 150,000."]),
    "hardly any": (USUAL, {"background": [0.0, 0.0]}, ["Extra candidates to check: hardly any."]),
    "one document": (USUAL, {"background": [], "documents": 1}, ["Too few documents"]),
    "no folder": (USUAL, None, ["^Of pairs at 0.10, 47% are found; at 0.20, 93%; at 0.30, 99.8%."]),
    "no folder, for nothing": (USUAL, None, ["Of pairs at 0.05, 15% are checked for nothing."]),
    # With another method nothing was found that could be counted.
    "bits after bands": (BITS, {}, ["A new scan says how many pairs that is.$"]),
    "bands after bits": (USUAL, {"made_with": BITS}, ["A new scan says how many pairs that is.$"]),
    "bits, no folder": (BITS, None, ["A finished scan says how many pairs that is.$"]),
}


@pytest.mark.parametrize(("state", "known", "sentences"), FORECASTS.values(), ids=FORECASTS)
def test_forecasts(state, known, sentences):
    text = words(state, None if known is None else folder(**known))
    for sentence in sentences:
        assert re.search(sentence.replace(".", r"\."), text)


def test_a_complete_list_says_so_and_what_bands_would_have_found():
    known = {"complete": True, "passages": [0.2], "missed": [0.15], "every": [0.05] * 7}
    pairs = folder(found=[0.3] * 4, listed=6, documents=200, compared=19_900, known=known)

    assert words(USUAL, pairs) == (
        "Complete from 0.10 on: all 19,900 pairs were compared. Bands alone would have found 4 of "
        "6 above 0.10, with passages 5. Extra candidates to check: about 1. Lists 6 pairs of 200 "
        "documents."
    )
    dragged = words(USUAL.with_rows(4), pairs)
    assert "Bands alone would have found about 1 of 6 above 0.10" in dragged
    assert "Lists about 6 pairs" in dragged


def test_a_complete_list_of_simhash_says_so():
    known = known_of([0.99], None, complete=True, missed=[0.8])
    options = {
        "compared": 10,
        "known": known,
        "bits": bits_of([(0.99, 2), (0.8, 5)], candidates=[4]),
    }
    pairs = folder(found=[0.99, 0.8], made_with=BITS, **options)

    text = words(BITS, pairs)

    assert text.startswith(
        "Complete from 0.10 on: all 10 pairs were compared. SimHash alone would have found 1 of 2"
    )
    assert "Extra candidates to check: about 3." in text
    assert "would have found 2 of 2" in words(BITS.with_distance(5), pairs)
    assert "would have found 0 of 2" in words(BITS.with_distance(0), pairs)


@given(
    bands=st.integers(1, 128), floor=st.floats(0, 1), shown=st.floats(0, 1),
    found=st.lists(st.floats(0, 1), max_size=8), background=st.lists(st.floats(0, 1), max_size=4),
)  # fmt: skip
def test_every_forecast_is_a_sentence(bands, floor, shown, found, background):
    state = USUAL.with_threshold(floor).with_bands(bands)
    pairs = folder(found=found, background=background, made_with=USUAL.with_threshold(shown))
    for known in (None, pairs):
        text = words(state, known)
        assert text.endswith(".")
        assert "nan" not in text
        assert "  " not in text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0%"), (1.0, "100%"), (0.474, "47%"), (0.998, "99.8%"), (0.99996, ">99.99%"),
        (0.0053, "0.53%"), (0.00044, "0.044%"), (0.00001, "<0.01%"), (0.9995, "99.95%"),
    ],
)  # fmt: skip
def test_shares_never_read_nothing_or_all_unless_they_are(value, text):
    assert share(value) == text
    with in_language(load_language("de")):
        assert share(value) == text.replace(".", ",").replace("%", "\N{NO-BREAK SPACE}%")


def test_wishes_that_can_be_kept():
    answer = answer_wishes(Wishes(), 128)[1]
    assert answer == "35 × 3 finds 99.1% at 0.50 and lets through 0.44% at 0.05."


def test_wishes_that_cannot_be_kept_say_what_could_be_changed():
    answer = answer_wishes(Wishes(at_most=0.001), 128)[1]

    assert answer.startswith("No b × r with K = 128 keeps both. K = 288 would (72 × 4).")
    assert "With 0.44% at 0.05 allowed, 35 × 3 would." in answer
    relaxed, _ = answer_wishes(Wishes(at_most=0.0044), 128)
    assert relaxed[:2] == (35, 3)


def test_wishes_in_the_wrong_order_are_explained():
    assert "must be below" in answer_wishes(Wishes(catch_at=0.05), 128)[1]


def test_places_and_curve_in_words():
    text = position_words(USUAL, folder(), 0.12)

    assert "0.12" in text.splitlines()[0]
    assert text.splitlines()[1] == "0.10 to 0.15: 2 pairs listed, about 2 in the folder"
    assert position_words(USUAL, None, 1.0).startswith("Resemblance 1.00: 100")
    assert "64 bands of 2 rows" in curve_words(USUAL)


def test_with_simhash_the_curve_is_that_of_the_distance():
    s = np.linspace(0, 1, 99)
    assert (BITS.probabilities(s) == BitCurve(3).probability(s)).all()
    assert BITS.probability(BITS.midpoint) == pytest.approx(0.5)
    assert BITS.with_distance(99).distance == 8
    assert BITS.with_threshold(0.5).following() == BITS.with_threshold(0.5)


def test_words_of_simhash_speak_of_bits_and_of_no_bands():
    for text in (curve_words(BITS), marks_words(BITS), words(BITS, None)):
        assert "band" not in text
        assert "b)" not in text
    assert "at most 3 of 64 bits" in curve_words(BITS)
    assert marks_words(BITS) == f"○ steepest at {BITS.steepest:.2f}   ▲ half at {BITS.midpoint:.2f}"
    assert "at most d of the 64 bits" in signature_words(BITS)


def test_simhash_says_what_each_distance_would_miss():
    bits = bits_of([(0.95, 1), (0.9, 3), (0.85, 6), (0.8, 9)], reach=9, candidates=[0, 5, 0, 40])
    pairs = folder(made_with=BITS.with_threshold(0.8), bits=bits)
    state = BITS.with_threshold(0.8)

    assert words(state, pairs).startswith("Above 0.80, about 4 (2 to ")
    assert "of 6 pairs would be missed" in words(state, pairs)
    assert "Extra candidates to check: 43." in words(state, pairs)
    assert "Extra candidates to check: 4." in words(state.with_distance(1), pairs)
    assert words(state.with_distance(8), pairs).startswith("Above 0.80, about 3 (1 to ")
    assert words(state.with_distance(8), pairs).endswith("Lists about 3 pairs of 5 documents.")


def test_simhash_without_measured_pairs_describes_the_curve():
    shown = folder(made_with=BITS)

    text = words(BITS, shown)

    assert text.startswith("SimHash finds <0.01% of pairs at 0.10 and half of those at 0.")
    assert "where documents are equally long" in text
    assert "where one holds the other whole, half at 0.9" in text
    s, p = BITS.contained_curve
    assert np.interp(BITS.contained_midpoint, s, p) == pytest.approx(0.5, abs=0.02)
    assert USUAL.contained_curve is None
    assert text.endswith("Lists 5 pairs of 5 documents.")
    assert words(BITS.with_distance(4), shown).endswith(
        "The next list says how many pairs that is."
    )


@pytest.mark.parametrize(
    ("value", "text"), [(0.5, "0.50"), (0.997, "0.997"), (0.99997, "0.99997"), (1.0, "1.00")]
)
def test_a_resemblance_below_one_is_not_shown_as_one(value, text):
    assert almost(value) == text
