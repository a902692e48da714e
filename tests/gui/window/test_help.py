"""Help in the window: F1 opens the page about what has the focus; links, search, the way back."""

import json
import platform
import sys
from importlib import import_module
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QApplication

from core.base import assets
from core.base.assets import resource
from core.program.help_pages import help_pages
from core.program.licences import licence_pages
from neardup_gui.views.shell.help_window import HelpWindow
from neardup_gui.window.actions import Action
from neardup_gui.window.help import page_about


@pytest.fixture
def shown(qtbot):
    made = HelpWindow(help_pages(), "Help", resource("screenshots"))
    made.open_page("first-review")
    return qtbot.shown(made)


def titles(shown):
    contents = shown._contents
    return [contents.item(row).text() for row in range(contents.count())]


def open_now(shown):
    return shown._view.name


def test_a_link_leads_to_its_page_and_back_to_the_same_place(shown, qtbot):
    qtbot.waitUntil(lambda: shown._view.verticalScrollBar().maximum() > 100)
    shown._view.verticalScrollBar().setValue(100)

    shown._view.anchorClicked.emit(QUrl("deciding.md"))
    assert open_now(shown) == "deciding"
    assert shown._contents.currentItem().text() == "Deciding"
    assert shown._view.verticalScrollBar().value() == 0
    assert not shown._forward.isEnabled()

    shown._back.trigger()
    assert open_now(shown) == "first-review"
    assert shown._view.verticalScrollBar().value() == 100
    shown._forward.trigger()
    assert open_now(shown) == "deciding"


def test_a_page_looks_alike_whatever_was_open_before(shown):
    def sizes():
        document, formats = shown._view.document(), []
        block = document.begin()
        while block.isValid():
            formats.append((block.charFormat().fontWeight(), block.blockFormat().headingLevel()))
            block = block.next()
        return formats

    before = sizes()
    shown.open_page("deciding")
    shown.open_page("first-review")
    assert sizes() == before


def test_search_finds_pages_and_marks_the_words(shown, qtbot):
    everything = titles(shown)
    qtbot.keyClicks(shown._search, "winnowing xylophone")
    assert titles(shown) == []
    assert shown._nothing.isVisible()

    shown._search.setText("winnowing")
    assert "How it works" in titles(shown)
    assert set(titles(shown)) < set(everything)
    shown._contents.setCurrentRow(titles(shown).index("How it works"))
    assert open_now(shown) == "how"
    (mark,) = shown._view.extraSelections()
    assert mark.cursor.selectedText() == "Winnowing"
    assert shown._view.viewport().rect().contains(shown._view.cursorRect(mark.cursor))

    shown._search.setFocus()
    qtbot.keyClick(shown._search, Qt.Key.Key_Escape)
    assert titles(shown) == everything
    assert shown.isVisible()
    qtbot.keyClick(shown, Qt.Key.Key_Escape)
    assert not shown.isVisible()


def test_pictures_are_as_wide_as_the_page_at_most(shown, qtbot):
    for width in (1500, 700):
        shown.resize(width, 700)
        qtbot.waitUntil(lambda width=width: shown._view.width() < width)
        document = shown._view.document()
        assert document.size().width() <= shown._view.viewport().width()

    # A page is not made again for larger text while it is closed, but when it is opened.
    shown.close()
    larger = shown.font()
    larger.setPointSize(2 * larger.pointSize())
    shown.setFont(larger)
    assert shown._view.document() is document
    shown.show()
    assert shown._view.document().defaultFont().pointSize() == larger.pointSize()


def test_there_is_a_page_about_every_part_of_the_window(window):
    pages, panels = window.pages, window.side_panels

    assert [
        page_about(widget)
        for widget in (
            pages.start.open,
            pages.pairs.table,
            window.compare_pane.view.panes[1],
            window.compare_pane.view.header._finding.why,
            pages.passages.table,
            pages.documents.table,
            pages.problems,
            panels.threshold.curve,
            panels.exclusions,
            panels.setup,
            panels.reading,
            pages.curve.audit,
            pages.curve.settings,
            window,
        )
    ] == [
        "first-review",
        "reading",
        "reading",
        "numbers",
        "groups",
        "documents",
        "files",
        "curve",
        "aside",
        "folders",
        "limits",
        "audit",
        "large-curve",
        "first-review",
    ]


def test_f1_opens_the_page_about_the_focused_part_in_one_window(window, qtbot):
    window.show()
    window.pages.start.open.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is window.pages.start.open)

    window._actions[Action.HELP].trigger()
    window._actions[Action.ALL_KEYS].trigger()

    (shown,) = window.findChildren(HelpWindow)
    assert open_now(shown) == "keys"
    shown._back.trigger()
    assert open_now(shown) == "first-review"
    window._actions[Action.ALL_KEYS].trigger()
    window.pages.start.first_steps.clicked.emit()
    assert open_now(shown) == "first-review"
    assert not shown.isModal()
    window.close()
    assert not shown.isVisible()


def test_missing_pages_are_reported_in_a_message(window, qtbot, monkeypatch, tmp_path):
    monkeypatch.setattr(assets, "HOMES", (tmp_path,))

    window._actions[Action.HELP].trigger()

    assert window.findChildren(HelpWindow) == []
    assert "Reinstall Neardup" in window.message_bar._text.text()


def test_about_leads_to_the_licences_of_all_that_is_shipped(window):
    window._actions[Action.ABOUT].trigger()
    link = window.message_bar.answers.links[0]
    assert link.text() == "Licences"
    link.clicked.emit()

    (shown,) = window.findChildren(HelpWindow)
    names = {page.name for page in shown._pages}
    assert {"neardup", "numpy", "pyside6-essentials", "shiboken6", "typst"} <= names
    assert not {"pytest", "pyspark"} & names  # nobody is given them
    shown.open_page("numpy")
    assert "Redistribution and use" in shown._view.toPlainText()


def test_a_bundle_shows_the_licences_that_it_has_as_files(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / ".ci"))
    papers = import_module("papers")
    packages = tmp_path / "python" / "lib" / "python3" / "site-packages"
    for name, text in (("neardup", "ours"), ("foo", "theirs"), ("foo-bar", "of others")):
        folder = packages / f"{name.replace('-', '_')}-1.0.dist-info"
        folder.mkdir(parents=True)
        metadata = f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\nLicense-Expression: MIT\n"
        (folder / "METADATA").write_text(metadata, encoding="utf-8")
        (folder / "LICENSE").write_text(text, encoding="utf-8")
        (folder / "AUTHORS").write_text(f"all {text}", encoding="utf-8")
        listed = "".join(f"{folder.name}/{file},,\n" for file in ("LICENSE", "AUTHORS", "NOTICE"))
        (folder / "RECORD").write_text(listed, encoding="utf-8")
    (packages.parent / "LICENSE.txt").write_text("of Python", encoding="utf-8")

    bill = papers.write_papers(tmp_path, packages, [])
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "python"))
    pages = {page.title: page.text for page in licence_pages()}

    version = platform.python_version()
    assert set(pages) == {"foo 1.0", "foo-bar 1.0", "neardup 1.0", f"python {version}"}
    assert "theirs" in pages["foo 1.0"]
    assert "of others" not in pages["foo 1.0"]
    assert "all of others" in pages["foo-bar 1.0"]
    parts = json.loads(bill.read_text("utf-8"))
    assert [part["name"] for part in parts["components"]] == ["foo", "foo-bar", "python"]
