"""What all fields of the window have in common."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSlider, QAbstractSpinBox, QApplication, QComboBox, QScrollBar


def turn_wheel(widget):
    middle = QPointF(widget.rect().center())
    event = QWheelEvent(
        middle, widget.mapToGlobal(middle), QPoint(), QPoint(0, -120),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def fields_of(window):
    found = [
        field
        for kind in (QAbstractSpinBox, QComboBox, QAbstractSlider)
        for field in window.findChildren(kind)
        if not isinstance(field, QScrollBar)
    ]
    assert len(found) > 20
    return found


def value_of(field):
    return field.currentIndex() if isinstance(field, QComboBox) else field.value()


@pytest.fixture
def opened(window):
    """The window with every field of its panels in sight."""
    window._side_dock.show()
    window.side_panels.setup._edit.click()
    window.side_panels.reading.edit()
    window.setFocus()
    return window


def test_the_wheel_over_a_field_without_focus_changes_nothing(opened):
    for field in fields_of(opened):
        before = value_of(field)

        turn_wheel(field)

        assert value_of(field) == before, field.accessibleName()
        assert not field.hasFocus()


def test_the_wheel_over_a_field_scrolls_its_panel(opened, qtbot):
    panel = opened.side_panels.content
    bar = panel.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    for field, turn in (
        (opened.side_panels.threshold._bands.slider, -120),
        (opened.side_panels.threshold._bands.box, -120),
        (opened.side_panels.setup._preset, 120),
    ):
        panel.ensureWidgetVisible(field)
        before = bar.value()
        place = field.mapTo(opened, field.rect().center())

        QTest.wheelEvent(opened.windowHandle(), place, QPoint(0, turn))

        assert bar.value() != before, field.accessibleName()


def test_no_field_takes_the_focus_by_the_wheel(opened):
    for field in fields_of(opened):
        assert field.focusPolicy() != Qt.FocusPolicy.WheelFocus, field.accessibleName()


def test_the_wheel_over_the_field_with_the_focus_steps_it(opened, qtbot):
    opened.activateWindow()
    qtbot.waitUntil(opened.isActiveWindow)
    threshold = opened.side_panels.threshold
    for field in (threshold._bands.box, threshold._bands.slider):
        field.setFocus()
        before = field.value()

        turn_wheel(field)

        assert field.value() != before


def test_what_a_field_refuses_is_said_until_a_number_is_entered(opened):
    box = opened.side_panels.threshold._floor.box
    box.selectAll()
    QTest.keyClicks(box, "0,x")
    QTest.keyClick(box, Qt.Key.Key_Return)

    assert box.value() == 0.1
    assert opened.message_bar.isVisible()
    assert opened.message_bar.accessibleName() == (
        "“0,x” is not a number. “Listed from” stays 0.10."
    )

    box.selectAll()
    QTest.keyClicks(box, "0,25")
    QTest.keyClick(box, Qt.Key.Key_Return)

    assert box.value() == 0.25
    assert opened.message_bar.isHidden()


def test_settings_are_there_again_at_the_next_start(make_window, store, qtbot):
    first = make_window()
    first.side_panels.setup._form.controls["k"].setValue(7)
    first.side_panels.threshold._rows.slider.setValue(4)
    first.side_panels.threshold._floor.box.setValue(0.25)
    qtbot.waitUntil(lambda: first.presenter.current.settings.min_resemblance == 0.25)
    first.close()
    store.sync()

    second = make_window()

    assert second.presenter.current.settings.k == 7
    assert second.side_panels.setup.settings == second.presenter.current.settings
    state = second.side_panels.model.state
    assert (state.bands, state.rows, state.min_resemblance) == (32, 4, 0.25)
