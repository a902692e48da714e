"""The one threshold of a window, apart from any widget."""

import pytest

from core.reports.curve.state import ThresholdState
from neardup_gui.models.threshold import MOST_KEPT, PairAtHand, ThresholdModel
from neardup_gui.models.workbench.audit_table import AuditPoint


@pytest.fixture
def model(qapp):
    return ThresholdModel()


def settle(model):
    model._step.stop()


def test_changes_that_follow_each_other_are_one_step(model):
    start = model.state
    for hundredth in range(20, 60):
        model.change_floor(hundredth / 100)
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


def test_undoing_is_reported_and_a_new_change_forgets_what_was_undone(model, qtbot):
    model.change_floor(0.4)
    with qtbot.waitSignal(model.moved) as moved:
        model.undo()
    assert moved.args == [ThresholdState(64, 2, 0.1, 128)]

    model.change_floor(0.5)
    assert not model.can_redo


def test_other_settings_leave_nothing_to_undo(model, qtbot):
    model.change_floor(0.4)
    with qtbot.assertNotEmitted(model.moved):
        model.set_state(ThresholdState(14, 8, 0.8, 256))
    model.undo()
    assert model.state == ThresholdState(14, 8, 0.8, 256)


def test_the_same_settings_from_outside_keep_the_steps(model):
    model.change_floor(0.4)
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
    assert model.answer is not None
    assert model.answer.suggestion is None


def test_the_pair_at_hand_is_told_when_it_is_another_one(model, qtbot):
    pair = PairAtHand(0.63, ("one.txt", "two.txt"))
    with qtbot.waitSignal(model.pair_changed):
        model.set_pair_at_hand(pair)
    assert model.pair_at_hand == pair
    with qtbot.assertNotEmitted(model.pair_changed):
        model.set_pair_at_hand(pair)
    with qtbot.waitSignal(model.pair_changed):
        model.set_pair_at_hand(None)
    assert model.pair_at_hand is None


def test_it_says_once_that_other_points_were_measured(qtbot, model):
    points = (AuditPoint(0.1, 0.15, 0.2, 0.5, 0.4, 0.6, "half of them"),)
    with qtbot.waitSignal(model.audit_changed):
        model.set_audit_points(points)
    assert model.audit_points == points
    with qtbot.assertNotEmitted(model.audit_changed):
        model.set_audit_points(tuple(points))


def test_one_curve_is_looked_at_unless_it_is_drawn_already(model, qtbot):
    other = ThresholdState(20, 5, 0.1, 128)
    with qtbot.waitSignal(model.kept_changed):
        model.look_at(other)
    assert model.other_beside == other
    with qtbot.assertNotEmitted(model.kept_changed):
        model.look_at(other)

    model.keep(other)
    assert model.other_beside is None
    model.drop()
    model.change(model.state.with_both(20, 5))
    assert model.other_beside is None
    model.look_at(None)
    assert model.beside is None


def test_a_plane_is_told_once(model, qtbot):
    plane = object()
    with qtbot.waitSignal(model.plane_changed):
        model.set_plane(plane)
    with qtbot.assertNotEmitted(model.plane_changed):
        model.set_plane(plane)
    assert model.plane is plane
