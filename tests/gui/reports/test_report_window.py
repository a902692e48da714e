"""The window of reports: what is chosen, what is shown of it, and what becomes of the file."""

import csv
import errno
import json
import sys
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtGui import QAccessible, QGuiApplication, QImage

from core.reports.formats import EXPORTS
from core.reports.report_choice import Paper, Scope, Texts
from core.scan.judgements import Verdict
from neardup_gui.environment.preferences import Preferences
from neardup_gui.models.reports import (
    CONFIRMED,
    KINDS,
    SHOWN,
    SUSPECTED,
    ReportWish,
    SavedReport,
    from_stored,
    kind_of,
    of_pair,
    seals_agree,
    to_stored,
)
from neardup_gui.models.words import progress
from neardup_gui.presenter import export_session
from neardup_gui.views.report import window as report_window
from neardup_gui.views.report.check_window import CheckWindow
from neardup_gui.views.shell import dialogs
from neardup_gui.window.actions import Action
from tests.bench.fuzz_seeds import compound
from tests.engine.documents.readers.test_doc import PASSWORD, locked
from tests.gui.everywhere.walking import scan
from tests.made_up_language import LONG
from tests.texts import folder_with

TREES = " ".join(f"tree{number}" for number in range(200))


@pytest.fixture
def report_checks_scanned(window, tmp_path, qtbot):
    texts = {"one.txt": TREES, "two.txt": f"{TREES} and that was all"}
    return scan(window, folder_with(tmp_path / "essays", texts), qtbot)


@pytest.fixture(params=["html", "json"])
def report(request, report_checks_scanned, tmp_path, qtbot):
    path = tmp_path / f"report.{request.param}"
    with qtbot.waitSignal(report_checks_scanned.presenter.exports.ended):
        report_checks_scanned.presenter.exports.save(path)
    return path


def checked(window, qtbot, monkeypatch, path):
    """The window of checks, with what came out of one."""
    parents, asking = [], window.reports.checks.shown or window
    monkeypatch.setattr(dialogs, "ask_for_file", lambda parent, *_: parents.append(parent) or path)
    window._actions[Action.CHECK_REPORT].trigger()
    assert parents == [asking]
    shown = window.reports.checks.shown
    assert shown._running.isVisible()
    qtbot.waitUntil(lambda: not shown._running.isVisible())
    return shown


@pytest.mark.parametrize("report", ["html", "json", "pdf"], indirect=True)
def test_a_report_that_agrees(report_checks_scanned, report, qtbot, monkeypatch):
    shown = checked(report_checks_scanned, qtbot, monkeypatch, report)

    assert shown._sentence.isVisible()
    assert shown._problem.isHidden()
    assert "agrees" in shown._sentence.text()
    assert "1 of 1 agree" in shown._text.toPlainText()
    assert shown.key.isHidden()
    shown._noted.setText("0" * 64)
    sealed = "record" if report.suffix == ".pdf" else "file"
    assert f"another one: the {sealed} was changed" in shown._agrees.text()
    assert checked(report_checks_scanned, qtbot, monkeypatch, report)._noted.text() == ""


def test_a_changed_report_and_a_file_that_is_none(
    report_checks_scanned, report, qtbot, monkeypatch, tmp_path
):
    text = report.read_text(encoding="utf-8")
    assert "two.txt" in text
    report.write_text(text.replace("two.txt", "six.txt"), encoding="utf-8")

    shown = checked(report_checks_scanned, qtbot, monkeypatch, report)

    assert shown._problem.isVisible()
    assert "does not agree" in shown._problem.text()
    assert "six.txt" in shown._text.toPlainText()

    foreign_page = tmp_path / "page.html"
    foreign_page.write_text("<p>Nothing of ours.</p>")
    shown = checked(report_checks_scanned, qtbot, monkeypatch, foreign_page)
    assert shown._problem.isVisible()
    assert not shown._text.isVisible()
    assert shown.key.isHidden()
    assert shown.another.isEnabled()


@pytest.mark.parametrize("is_another", [False, True])
def test_without_its_folder_a_check_asks(
    report_checks_scanned, report, qtbot, monkeypatch, tmp_path, is_another
):
    current = report_checks_scanned.presenter.current
    (essays,), current.folders = current.folders, ()
    if is_another:
        current.folders = (folder_with(tmp_path / "letters", {"a.txt": SEA, "b.txt": SEA}),)
    shown = checked(report_checks_scanned, qtbot, monkeypatch, report)

    sentence = "The check needs the folder that the report is about: essays."
    if is_another:
        sentence = "None of the report’s 2 documents is among these files: this seems to be another"
        sentence += " folder."
        assert "not among these files" not in shown._text.toPlainText()
    assert shown._problem.text() == sentence
    titles = []
    monkeypatch.setattr(dialogs, "ask_for_folder", lambda *of: titles.append(of[-1]) or essays)
    shown.locate.click()
    qtbot.waitUntil(shown._sentence.isVisible)
    assert titles == ["Where is “essays” now?"]
    assert "agrees" in shown._sentence.text()
    assert shown.locate.isHidden()


def test_links_of_a_check_fit_a_small_screen_and_name_the_folder(qtbot):
    shown = CheckWindow()
    shown.show_problem("", needs_key=True, folders=("R&D of the drafts on letters and lakes",))
    qtbot.shown(shown)

    assert shown.minimumSizeHint().width() <= 720
    name = QAccessible.queryAccessibleInterface(shown.locate).text(QAccessible.Text.Name)
    assert name == shown.locate.text() == "Where is “R&D of the drafts on letters and lakes” now?"
    assert shown.locate.shortcut().isEmpty()


def test_a_check_asks_for_the_key(report_checks_scanned, report, qtbot, monkeypatch, tmp_path):
    exports = report_checks_scanned.presenter.exports
    path, no_key = tmp_path / "withheld.json", tmp_path / "no.csv"
    no_key.write_text("nothing")
    qtbot.until(exports.ended, exports.save, path, ReportWish(names=False), tmp_path / "key.csv")

    shown = checked(report_checks_scanned, qtbot, monkeypatch, path)
    assert shown.key.isVisible()

    monkeypatch.setattr(dialogs, "ask_for_file", lambda *_: no_key)
    shown.key.click()
    qtbot.waitUntil(lambda: "no key to names" in shown._problem.text())
    assert shown.key.isVisible()

    for file in (tmp_path / "essays").iterdir():
        file.write_text(f"{file.read_text()} at last")
    monkeypatch.setattr(dialogs, "ask_for_file", lambda *_: tmp_path / "key.csv")
    shown.key.click()
    qtbot.waitUntil(lambda: "documents is as it was" in shown._problem.text())
    assert shown.key.isVisible()
    assert shown.locate.isHidden()


def test_locked_files_are_checked_with_the_passwords(window, tmp_path, qtbot, monkeypatch):
    folder = folder_with(tmp_path / "essays", {"one.txt": TREES, "two.txt": f"{TREES} and more"})
    (folder / "locked.doc").write_bytes(compound(locked(f"{TREES} locked\r")))
    current = window.presenter.current
    current.reading = replace(current.reading, passwords=(PASSWORD,))
    scan(window, folder, qtbot)
    path = tmp_path / "report.json"
    qtbot.until(window.presenter.exports.ended, window.presenter.exports.save, path)

    shown = checked(window, qtbot, monkeypatch, path)

    assert "Files: 3 of 3 agree" in shown._text.toPlainText()


def test_a_window_that_closes_ends_the_check(report_checks_scanned, report, qtbot, monkeypatch):
    monkeypatch.setattr(dialogs, "ask_for_file", lambda *_: report)
    report_checks_scanned._actions[Action.CHECK_REPORT].trigger()

    report_checks_scanned.close()

    assert not report_checks_scanned.reports.checks.shown.isVisible()


@pytest.mark.parametrize(("is_pdf", "sealed"), [(False, "file"), (True, "record")])
def test_seals_are_compared_as_people_note_them(is_pdf, sealed):
    """That of a PDF is of its record: its pages may be others."""
    seal = "ab" * 32

    assert seals_agree("", seal, is_pdf=is_pdf) == ""
    noted = f" {seal[:32].upper()} {seal[32:]}\n"
    same = seals_agree(noted, seal, is_pdf=is_pdf)
    assert same.startswith(f"It is the same: this is the {sealed}")
    another = seals_agree("ab", seal, is_pdf=is_pdf)
    assert another.startswith(f"It is another one: the {sealed} was changed since")
    path = Path("report.pdf" if is_pdf else "report.html")
    said = progress.saved(SavedReport(path, 1, 1000, seal, None), "").text
    assert f"shows later whether the {sealed} " in said


SEA = " ".join(f"wave{number}" for number in range(200))


@pytest.fixture
def folder(tmp_path):
    texts = {
        "one.txt": TREES,
        "two.txt": f"{TREES} and that was all",
        "three.txt": SEA,
        "four.txt": f"{SEA} at last",
    }
    return folder_with(tmp_path / "essays", texts)


def use_table(window, ending=".csv"):
    """Let reports begin as tables: to lay out pages takes a second."""
    window.reports._preferences.report = to_stored(ReportWish(ending=ending))


def opened(window, qtbot, ending=".csv"):
    """The window of reports with its preview measured."""
    if ending:
        use_table(window, ending)
    window._actions[Action.EXPORT].trigger()
    settled(window, qtbot)
    return window.reports.shown


def settled(window, qtbot):
    exports = window.presenter.exports
    qtbot.waitSignal(exports.previewed, check_params_cb=lambda preview: preview.is_measured).wait()


def choose_kind(shown, ending):
    shown.form.kind.setCurrentIndex(KINDS.index(kind_of(ending)))


def choose_where(monkeypatch, path, key=None, *, is_confirmed=True):
    """Answer where the report goes, and its key; the suggestions for the key."""
    suggested = []

    def ask(_parent, _title, suggestion, _kinds, *, is_added_to=False):
        if not is_added_to:
            return path, is_confirmed
        suggested.append(suggestion)
        return key and (key, True)

    monkeypatch.setattr(dialogs, "ask_where", ask)
    return suggested


def save_to(window, qtbot, monkeypatch, path):
    choose_where(monkeypatch, path)
    return saved(window, qtbot)


def saved(window, qtbot):
    return qtbot.until(window.presenter.exports.ended, window.reports.shown.footer.save.click)[0]


def summary(shown):
    return shown.footer._summary.text()


def test_pairs_and_size_are_shown_before_it_is_written(scanned, qtbot, monkeypatch, tmp_path):
    shown = opened(scanned, qtbot)
    text = summary(shown)

    message = save_to(scanned, qtbot, monkeypatch, tmp_path / "pairs.csv")

    size = (tmp_path / "pairs.csv").stat().st_size
    assert text.startswith(f"2 pairs of 4 documents · {size} bytes, ")
    assert message.text == f"Saved 2 pairs to pairs.csv, {size} bytes."


def test_a_table_is_shown_as_the_spreadsheet_shows_it(scanned, qtbot, monkeypatch, tmp_path):
    shown = opened(scanned, qtbot)
    save_to(scanned, qtbot, monkeypatch, tmp_path / "pairs.csv")

    table = shown.preview._table
    with (tmp_path / "pairs.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    titles = [table.horizontalHeaderItem(column).text() for column in range(table.columnCount())]
    cells = [
        [table.item(row, column).text() for column in range(table.columnCount())]
        for row in range(table.rowCount())
    ]
    assert table.isVisible()
    assert [titles, *cells] == rows


def test_a_text_is_shown_as_it_begins(scanned, qtbot):
    shown = opened(scanned, qtbot, ".json")

    assert shown.preview._text.isVisible()
    assert '"program"' in shown.preview._text.toPlainText()


def test_a_file_nobody_was_asked_about_is_not_replaced(scanned, qtbot, monkeypatch, tmp_path):
    existing = tmp_path / "report.html"
    existing.write_text("mine")
    shown = opened(scanned, qtbot)
    choose_where(monkeypatch, existing, is_confirmed=False)

    shown.footer.save.click()

    assert "already exists" in shown.footer._done.text()
    assert not scanned.presenter.exports.is_writing
    assert existing.read_text() == "mine"


def test_another_folder_closes_it(scanned, qtbot, tmp_path):
    shown = opened(scanned, qtbot)
    second_folder = folder_with(tmp_path / "other")

    qtbot.until(scanned.presenter.ended, scanned.presenter.open_folders, [second_folder])

    assert not shown.isVisible()


def test_what_is_being_counted_anew_is_faded(scanned, qtbot):
    shown = opened(scanned, qtbot)
    assert shown.footer._summary.isEnabled()
    choose_kind(shown, ".json")
    assert not shown.footer._summary.isEnabled()
    assert not shown.preview.isEnabled()
    settled(scanned, qtbot)
    assert shown.footer._summary.isEnabled()
    assert shown.preview.isEnabled()


def test_no_text_and_no_names_reach_the_engine(scanned, qtbot, monkeypatch, tmp_path):
    form = opened(scanned, qtbot).form
    choose_kind(scanned.reports.shown, ".json")
    form.texts.setCurrentIndex(list(report_window.TEXTS).index(Texts.NONE))

    save_to(scanned, qtbot, monkeypatch, tmp_path / "report.json")

    assert "tree1 tree2" not in (tmp_path / "report.json").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["pairs"]


def test_a_report_may_be_in_another_language_than_the_window(scanned, qtbot, monkeypatch, tmp_path):
    monkeypatch.setattr(report_window, "languages", lambda: ["en", LONG.code])
    monkeypatch.setattr(export_session, "load_language", lambda _code: LONG)
    form = opened(scanned, qtbot, ".html").form
    form.language.setCurrentIndex(form.language.findData(LONG.code))
    save_to(scanned, qtbot, monkeypatch, tmp_path / "report.html")

    page = (tmp_path / "report.html").read_text("utf-8")
    assert '<html lang="en-XA"' in page
    assert "⟦" in page


def test_what_was_chosen_last_is_there_again(scanned, qtbot, store):
    form = opened(scanned, qtbot).form
    choose_kind(scanned.reports.shown, ".json")
    form.texts.setCurrentIndex(list(report_window.TEXTS).index(Texts.NONE))
    form.withheld.setChecked(True)
    form.institution.setText("Board of Examiners")
    form.institution.textEdited.emit("Board of Examiners")
    form.take_now()
    scanned.reports.shown.close()

    again = from_stored(Preferences(store).report, Paper.A4)

    assert (again.ending, again.texts, again.names) == (".json", Texts.NONE, False)
    assert again.institution == "Board of Examiners"
    scanned._actions[Action.EXPORT].trigger()
    assert scanned.reports.shown.form.wish == again

    # A pair is not remembered, but that it is of the confirmed ones.
    pair = ReportWish(subject=of_pair(scanned.presenter.pairs.key_at(0)))
    assert from_stored(to_stored(pair), Paper.A4).subject == SHOWN
    confirmed = from_stored(to_stored(ReportWish(subject=CONFIRMED)), Paper.A4)
    assert confirmed.subject == CONFIRMED


@pytest.mark.parametrize(
    "stored",
    [
        {"most_passages": 0},
        {"most_passages": "7"},
        {"most_passages": True},
        {"ending": ".exe", "paper": "a0", "institution": ["x"], "logo": 3, "names": "no"},
        {"confirmed": 1, "unknown": {}},
    ],
)
def test_stored_nonsense_gives_the_first_choice(stored):
    assert from_stored(stored, Paper.LETTER) == ReportWish(paper=Paper.LETTER)


def test_every_kind_of_file_says_what_is_in_it():
    assert [kind.ending for kind in KINDS] == [export.endings[0] for export in EXPORTS]
    assert all(kind.sentence.endswith(".") for kind in KINDS)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have a setting of their own")
@pytest.mark.parametrize(("locale", "paper"), [("en_US.UTF-8", "US Letter"), ("de_DE", "A4")])
def test_the_paper_is_that_of_the_country(scanned, qtbot, monkeypatch, locale, paper):
    monkeypatch.setenv("LC_ALL", locale)

    assert opened(scanned, qtbot, None).form.paper.currentText() == paper


def test_a_logo_that_is_gone_is_reported_and_hinders_nothing(scanned, qtbot, monkeypatch, tmp_path):
    logo = tmp_path / "seal.png"
    QImage(8, 8, QImage.Format.Format_RGB32).save(str(logo))
    shown = opened(scanned, qtbot, ".html")
    shown.form.logo.choose(str(logo))
    settled(scanned, qtbot)
    assert shown.footer._problem.isHidden()

    logo.unlink()
    shown.form.most.setValue(7)
    settled(scanned, qtbot)

    assert "seal.png cannot be read" in shown.footer._problem.text()
    assert not save_to(scanned, qtbot, monkeypatch, tmp_path / "report.html").warning
    assert (tmp_path / "report.html").exists()


def test_a_folder_that_is_gone_and_a_full_disk_are_sentences(scanned, qtbot, monkeypatch, tmp_path):
    full = Mock(side_effect=OSError(errno.ENOSPC, "full"))

    with monkeypatch.context() as patched:
        patched.setattr("neardup_gui.presenter.export_session.scratch_folder", full)
        shown = opened(scanned, qtbot, ".html")
        assert "No preview" in shown.footer._problem.text()
        assert summary(shown) == "2 pairs of 4 documents"
        message = save_to(scanned, qtbot, monkeypatch, tmp_path / "first.html")
        assert not message.warning

    message = save_to(scanned, qtbot, monkeypatch, tmp_path / "gone" / "report.html")
    assert message.warning
    assert "report.html" in shown.footer._done.text()

    monkeypatch.setattr("core.base.files.os.fsync", full)
    message = save_to(scanned, qtbot, monkeypatch, tmp_path / "report.html")
    assert "disk" in message.text
    assert shown.footer.save.isEnabled()
    assert not (tmp_path / "report.html").exists()


def test_what_is_done_with_the_file_is_asked_for(
    scanned, qtbot, monkeypatch, tmp_path, opened_files
):
    shown = opened(scanned, qtbot)
    path = tmp_path / "report.html"
    save_to(scanned, qtbot, monkeypatch, path)
    assert opened_files == []

    links = {link.text(): link for link in shown.footer.offers.links}
    links["Open"].click()
    links["Show in folder"].click()
    links["Copy path"].click()

    assert opened_files == [str(path), str(tmp_path)]
    assert QGuiApplication.clipboard().text() == str(path)
    path.unlink()
    qtbot.until(scanned.presenter.message_posted, links["Open"].click)
    assert opened_files == [str(path), str(tmp_path)]


def test_a_report_waits_for_the_list(scanned, qtbot):
    shown = opened(scanned, qtbot)

    with qtbot.waitSignal(scanned.presenter.ended):
        scanned.presenter.rescan()
        assert not shown.footer.save.isEnabled()
        assert "Wait" in shown.footer.save.toolTip()

    qtbot.waitUntil(shown.footer.save.isEnabled)


def test_nothing_of_the_folder_before_is_shown(scanned, qtbot, monkeypatch, tmp_path):
    """Neither its numbers nor the seal of its report, until the list of the other one is there."""
    shown = opened(scanned, qtbot, ".html")
    message = save_to(scanned, qtbot, monkeypatch, tmp_path / "report.html")
    assert "seal" in shown.footer._done.text()
    next(link for link in shown.footer.offers.links if link.text() == "Copy seal").click()
    seal = QGuiApplication.clipboard().text()
    assert len(seal) == 64
    assert seal in message.text.replace(" ", "")
    assert seal in (tmp_path / "report.html").read_text(encoding="utf-8")
    texts = {f"{number}.txt": f"{TREES} {SEA} {number}" for number in range(2)}
    second_folder = folder_with(tmp_path / "other", texts)

    with qtbot.waitSignal(scanned.presenter.pair.compared):
        scanned.presenter.open_folders([second_folder])
        scanned.reports.open()
        assert (summary(shown), shown.footer._done.text()) == ("", "")
        assert shown.preview._stack.currentWidget() is shown.preview._sentence
        assert not shown.footer.save.isEnabled()
    settled(scanned, qtbot)

    assert summary(shown).startswith("1 pair of 2 documents")
    assert shown.footer.save.isEnabled()


def test_the_pair_that_is_read_is_offered_with_its_documents(scanned, qtbot):
    qtbot.waitUntil(lambda: scanned.presenter.groups.model.rowCount() > 0)
    shown = opened(scanned, qtbot)
    a, b = scanned.presenter.pair.wanted.names

    offered = [shown.form.subject.itemText(n) for n in range(shown.form.subject.count())]

    assert offered[:-1] == [
        SHOWN.title,
        SUSPECTED.title,
        CONFIRMED.title,
        f"The pair {a} and {b}",
        f"All pairs of {a}",
        f"All pairs of {b}",
    ]
    assert offered[-1] in {f"The group around {name}" for name in (a, b)}


def test_once_a_pair_is_suspicious_a_report_is_of_such_pairs(scanned, qtbot):
    assert opened(scanned, qtbot).form.wish.subject == SHOWN
    scanned.judging.judge(Verdict.SUSPICIOUS)
    shown = opened(scanned, qtbot)
    assert shown.form.wish.subject == SUSPECTED
    assert summary(shown).startswith("1 pair of 2 documents")


def test_each_list_leads_to_a_report_of_its_row(scanned, qtbot):
    pages = scanned.pages
    use_table(scanned)
    for page, scope, count in (
        (pages.pairs, Scope.PAIR, 2),
        (pages.documents, Scope.DOCUMENT, 1),
        (pages.groups, Scope.GROUP, 2),
    ):
        pages.tabs.setCurrentWidget(page)
        qtbot.waitUntil(lambda page=page: page.table.model().rowCount() > 0)
        page.table.select_row(0)
        menu = page.table.make_menu()

        next(
            action for action in menu.actions() if action.text().startswith("Report of this")
        ).trigger()

        subject = scanned.reports.shown.form.wish.subject
        assert subject.scope is scope
        assert len(subject.keys) == count
        settled(scanned, qtbot)
        assert summary(scanned.reports.shown).startswith("1 pair of 2 documents")
        scanned.reports.shown.close()


def test_a_report_of_what_is_gone_says_so(scanned, qtbot, folder):
    use_table(scanned)
    scanned._actions[Action.REPORT_PAIR].trigger()
    settled(scanned, qtbot)
    shown = scanned.reports.shown
    for name in scanned.presenter.pair.wanted.names:
        (folder / name).write_text("nothing of what was there")

    qtbot.until(scanned.presenter.ended, scanned.presenter.rescan)
    settled(scanned, qtbot)

    assert "is no longer in the list" in shown.footer._problem.text()


def test_all_that_one_person_handed_in_is_one_report(window, tmp_path, qtbot):
    names = ("adal_1101_3011_one.txt", "adal_1101_3012_two.txt", "hopper_1202_3013_x.txt")
    texts = {name: f"{TREES} {name}" for name in names}
    scan(window, folder_with(tmp_path / "course", texts), qtbot)
    qtbot.waitUntil(lambda: window.presenter.groups.model.rowCount() > 0)
    subject = opened(window, qtbot).form.subject
    offered = [subject.itemText(number) for number in range(subject.count())]
    title = "All pairs of adal (2 documents)"
    assert title in offered

    subject.setCurrentIndex(offered.index(title))
    settled(window, qtbot)

    assert summary(window.reports.shown).startswith("3 pairs of 3 documents")


@pytest.fixture
def withheld(scanned, qtbot):
    """The window of reports, to write JSON without names."""
    shown = opened(scanned, qtbot)
    choose_kind(shown, ".json")
    shown.form.withheld.setChecked(True)
    settled(scanned, qtbot)
    return scanned


def labels_in(path):
    return {pair["doc_a"] for pair in json.loads(path.read_text(encoding="utf-8"))["pairs"]}


def test_the_key_to_withheld_names_is_a_file_of_its_own(withheld, qtbot, monkeypatch, tmp_path):
    key = tmp_path / "report.key.csv"
    suggested = choose_where(monkeypatch, tmp_path / "report.json", key)

    message = saved(withheld, qtbot)

    assert suggested == [key]
    assert "report.key.csv. Keep it separate" in message.text
    assert "three.txt" not in (tmp_path / "report.json").read_text(encoding="utf-8")
    assert "three.txt" in key.read_text(encoding="utf-8-sig")
    assert "three.txt" not in withheld.reports.shown.preview._text.toPlainText()

    before = key.read_text(encoding="utf-8-sig"), labels_in(tmp_path / "report.json")
    choose_where(monkeypatch, tmp_path / "again.json", key)
    saved(withheld, qtbot)
    assert (key.read_text(encoding="utf-8-sig"), labels_in(tmp_path / "again.json")) == before


def test_the_treatment_of_names_is_shown_before_the_report_is_saved(window, tmp_path, qtbot):
    texts = {
        name: f"Name: Zofia Brzezinowska\n\n{TREES} as {name} said to Zebulon Pike."
        for name in ("one.txt", "two.txt")
    }
    scan(window, folder_with(tmp_path / "essays", texts), qtbot)
    form = opened(window, qtbot, ".json").form
    assert not form.names_link.isVisible()

    form.withheld.setChecked(True)
    qtbot.waitUntil(form.names_link.isVisible)
    form.names_link.click()

    shown = form._names_window.table
    rows = [
        [shown.item(row, column).text() for column in range(3)] for row in range(shown.rowCount())
    ]
    assert rows[0] == ["Zebulon Pike", "as it is, though it is written as a name", "2"]
    assert ["Zofia Brzezinowska", "1"] in [[row[0], row[2]] for row in rows]
    assert "1 possible name not" in form.names_link.text()


def test_without_a_place_for_the_key_nothing_is_written(withheld, qtbot, monkeypatch, tmp_path):
    report, grades = tmp_path / "report.json", tmp_path / "grades.csv"
    choose_where(monkeypatch, report)
    withheld.reports.shown.footer.save.click()
    assert not withheld.presenter.exports.is_writing

    choose_where(monkeypatch, report, report)
    withheld.reports.shown.footer.save.click()
    assert not withheld.presenter.exports.is_writing
    assert "a separate file" in withheld.reports.shown.footer._done.text()

    grades.write_text("name,grade\nAda,1\n")
    choose_where(monkeypatch, report, grades)
    message = saved(withheld, qtbot)
    assert message.warning
    assert "no key to names" in message.text
    assert grades.read_text() == "name,grade\nAda,1\n"
    assert not report.exists()


def test_the_first_pages_are_shown_as_they_will_be_printed(scanned, qtbot):
    shown = opened(scanned, qtbot, ".html")
    pages = shown.preview._pages

    assert shown.preview._paper.isVisible()
    assert len(pages._images) > 1
    assert all(not image.isNull() for image in pages._images)
    a4 = pages._images[0]
    assert a4.height() / a4.width() == pytest.approx(297 / 210, rel=0.01)

    shown.form.paper.setCurrentIndex(1)
    settled(scanned, qtbot)

    letter = pages._images[0]
    assert letter.height() / letter.width() == pytest.approx(11 / 8.5, rel=0.01)


def test_what_a_kind_of_file_does_not_have_is_not_asked_for(scanned, qtbot):
    form = opened(scanned, qtbot).form
    seen = {}
    for kind in KINDS:
        choose_kind(scanned.reports.shown, kind.ending)
        seen[kind.ending] = [
            form.texts.isEnabled(), form.institution.isVisible(), form.logo.isVisible()
        ]  # fmt: skip

    assert seen == {
        ".html": [True, True, True],
        ".pdf": [True, True, True],
        ".xlsx": [True, True, True],
        ".csv": [False, False, False],
        ".json": [True, False, False],
        ".graphml": [False, False, False],
        ".zip": [True, False, False],
    }
