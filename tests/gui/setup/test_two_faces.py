"""The panel shows what everyone chooses at first, and all settings when asked."""

from __future__ import annotations

import pytest

from core.reports.curve.forecast_words import in_brief
from core.reports.curve.state import ThresholdState
from neardup_gui.views.widgets.labels import LinkLabel
from tests.gui.threshold.test_model import USUAL, folder


@pytest.fixture
def opened(window, tmp_path, qtbot):
    essays = tmp_path / "essays"
    essays.mkdir()
    text = " ".join(f"word{number}" for number in range(300))
    for name in ("one.txt", "two.txt", "three.txt"):
        (essays / name).write_text(f"{text} {name}")
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.presenter.open_folders([essays])
    return window


def toggle(window):
    links = window.side_panels.content.findChildren(LinkLabel)
    next(link for link in links if link.text() in ("All settings…", "Fewer settings")).click()


def test_the_first_face_needs_no_scrolling_on_a_small_laptop(opened, qtbot):
    opened.resize(1298, 712)  # what is left of 1366 × 768
    panels = opened.side_panels

    qtbot.waitUntil(lambda: panels.content.verticalScrollBar().maximum() == 0)

    threshold = panels.threshold
    for widget in (panels.setup._preset, panels.setup.folders, threshold.curve, panels.aside):
        assert widget.isVisible()
    assert panels.reviewer.isVisible()
    for widget in (threshold._forecast, threshold._wishes, threshold._pin, panels.setup.details):
        assert not widget.isVisible()


def test_all_settings_are_a_click_away_and_remembered(opened, make_window):
    toggle(opened)

    panels = opened.side_panels
    for widget in (panels.threshold._forecast, panels.threshold._wishes, panels.setup._summary):
        assert widget.isVisible()
    assert make_window().side_panels.setup.details.isVisibleTo(None) is False
    assert not make_window().side_panels.threshold._forecast.isHidden()

    toggle(opened)
    assert not panels.setup.details.isVisible()


def brief(state, pairs):
    return "".join(phrase.text for phrase in in_brief(state, pairs))


def test_one_sentence_says_what_is_missed():
    complete = folder(listed=6, documents=38, compared=666, known={"complete": True})
    assert brief(USUAL, complete) == (
        "No pair is missed from 0.10 on: all 666 pairs of different texts were compared."
    )
    none = folder(listed=0, documents=2, compared=0, known={"complete": True})
    assert brief(USUAL, none) == "There are no two different documents to compare."
    assert brief(USUAL, None).startswith("Finds 4")
    higher = ThresholdState(64, 2, 0.5, 128)
    assert brief(higher, None) == "Finds nearly all pairs from 0.50 on."
    some = folder(found=[0.3] * 400, documents=200)
    assert brief(USUAL, some).endswith("would be missed.")
