"""Numbers as people type them, in any locale."""

import re

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest

from neardup_gui.models.number_entry import NumberRange, read_number
from neardup_gui.views.widgets.controls import NumberBox

SHARE = NumberRange(0, 1, 2)
WHOLE = NumberRange(1, 2_000_000, 0)
LARGE = NumberRange(0, 10_000, 2)


@pytest.mark.parametrize(
    ("typed", "wanted", "number"),
    [
        ("0.25", SHARE, 0.25),
        ("0,25", SHARE, 0.25),
        (",25", SHARE, 0.25),
        ("1,", SHARE, 1),
        ("1.000", SHARE, 1),
        ("0,250", SHARE, 0.25),
        ("٠٫٢٥", SHARE, 0.25),
        ("０．２５", SHARE, 0.25),
        ("0,256", SHARE, 0.26),
        ("1,5 %", NumberRange(0, 100, 2), 1.5),
        ("1000", WHOLE, 1000),
        ("1,000", WHOLE, 1000),
        ("1.000", WHOLE, 1000),
        ("1 000", WHOLE, 1000),
        ("1\u202f000", WHOLE, 1000),
        ("1’000", WHOLE, 1000),
        ("١٬٠٠٠", WHOLE, 1000),
        ("1.000.000", WHOLE, 1_000_000),
        ("10,00,000", WHOLE, 1_000_000),
        ("5,0", WHOLE, 5),
        ("1.000,5", LARGE, 1000.5),
        ("1,000.5", LARGE, 1000.5),
    ],
)
def test_reads_what_people_write(typed, wanted, number):
    assert read_number(typed, wanted) == number


@pytest.mark.parametrize(
    ("typed", "wanted", "why"),
    [
        ("", SHARE, "No number was entered."),
        ("abc", SHARE, "“abc” is not a number."),
        (".", SHARE, "“.” is not a number."),
        ("0,2.5,1", SHARE, "“0,2.5,1” is not a number."),
        ("25", SHARE, "“25” is not from 0 to 1."),
        ("-1", SHARE, "“-1” is not from 0 to 1."),
        ("1.5", WHOLE, "“1.5” is not a whole number."),
        ("3,000,000", WHOLE, "“3,000,000” is not from 1 to 2,000,000."),
        ("1.000", LARGE, "“1.000” can mean 1 or 1,000."),
        ("1e3", WHOLE, "“1e3” is not a number."),
    ],
)
def test_says_what_it_cannot_read(typed, wanted, why):
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        read_number(typed, wanted)


@pytest.fixture
def make_box(qtbot):
    def make(decimals, low, high, locale="en_US"):
        box = NumberBox(decimals)
        box.setLocale(QLocale(locale))
        box.setRange(low, high)
        box.setAccessibleName("Listed from")
        qtbot.addWidget(box)
        box.show()
        return box

    return make


def enter(box, text):
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)


@pytest.mark.parametrize("locale", ["de_DE", "en_US", "ar_EG"])
@pytest.mark.parametrize("typed", ["0,25", "0.25"])
def test_a_field_takes_comma_and_point_in_every_locale(make_box, locale, typed):
    box = make_box(2, 0, 1, locale)

    enter(box, typed)

    assert box.value() == 0.25


@pytest.mark.parametrize("locale", ["de_DE", "en_US", "ar_EG", "fr_FR", "de_CH", "hi_IN"])
def test_a_field_reads_what_it_shows(make_box, locale):
    box = make_box(0, 1, 2_000_000, locale)
    box.setGroupSeparatorShown(True)
    box.setSuffix("\N{NO-BREAK SPACE}%")
    box.setValue(1_234_567)
    box.setFocus()
    shown = box.text()

    box.selectAll()
    box.lineEdit().insert(shown)
    QTest.keyClick(box, Qt.Key.Key_Return)

    assert box.value() == 1_234_567
    assert box.text() == shown


@pytest.mark.parametrize("typed", ["0,x", "25", "-", "1.2.3"])
def test_what_cannot_be_read_keeps_the_old_value_and_says_so(make_box, qtbot, typed):
    box = make_box(2, 0, 1)
    box.setValue(0.1)

    with qtbot.waitSignal(box.refused) as refused:
        enter(box, typed)

    assert box.value() == 0.1
    assert box.text() == "0.10"
    assert f"“{typed}”" in refused.args[0]
    assert "“Listed from” stays 0.10." in refused.args[0]


def test_leaving_a_field_takes_what_was_typed(make_box, qtbot):
    box = make_box(2, 0, 1)
    box.activateWindow()
    qtbot.waitUntil(box.isActiveWindow)
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "0,7")

    box.clearFocus()

    assert box.value() == 0.7
