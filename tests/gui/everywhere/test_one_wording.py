"""One scan in the window, in every file and on a terminal: every number and name agrees."""

import json
import random
import re
import shutil
import sys
import time
from contextlib import closing
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import numpy as np
import openpyxl
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.base import wording
from core.base.wording import printable_text
from core.commands.main import main
from core.commands.query import TEXT_AND_DOCUMENT
from core.evidence import measures
from core.evidence.measures import MEASURE, MEASURES, NumberKind, ShownIn, measures_in
from core.evidence.pairs import FoundBy
from core.reports import list_words
from core.reports.curve.state import ThresholdState
from core.reports.formats import write_report
from core.reports.from_scan import report_of
from core.reports.pair_words import NOT_LISTED
from core.reports.report_choice import ReportChoice
from core.review.decisions import decide
from core.review.verdicts import judge
from core.scan.judgements import VERDICTS, PairRows, Verdict
from core.scan.pair_details import with_extra_pairs
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.verify import record_in, verify
from neardup_gui.models.compare.comparison import MOST_FACTS
from neardup_gui.models.pairs.columns import Column, PairFilter, PairVerdicts, Role
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.threshold import ThresholdModel
from neardup_gui.models.words import sentences
from neardup_gui.models.words.numbers import full_name, tool_tip
from neardup_gui.models.words.sentences import Message
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.threshold.panel import ThresholdPanel
from neardup_gui.views.widgets.controls import CheckBox
from neardup_gui.views.widgets.labels import SAMPLE, elided_name, letter_width
from tests.gui.everywhere.walking import after, tab_title
from tests.texts import folder_with, rows_of_csv

SETTINGS = ScanSettings(min_resemblance=0.3, min_passage=30)
KINDS = {
    "words": (SETTINGS, ["--min-resemblance=0.3"]),
    "chinese": (SETTINGS, ["--min-resemblance=0.3"]),
    "mixed": (SETTINGS, ["--min-resemblance=0.3"]),
    "characters": (
        ScanSettings(unit="char", k=9, bands=42, rows=3, min_resemblance=0.3, list_passages=True),
        ["--unit=char", "--k=9", "--bands=42", "--rows=3", "--min-resemblance=0.3"],
    ),
    "simhash": (
        SETTINGS.with_changes(signature="simhash", max_distance=8, bag=True),
        ["--signature=simhash", "--max-distance=8", "--bag", "--min-resemblance=0.3"],
    ),
}
HORIZONTAL = Qt.Orientation.Horizontal
TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)
WORDS = [f"word{number}" for number in range(4000)]
IDEOGRAPHS = [chr(0x4E00 + number) for number in range(4000)]
NUMBERS = tuple(Column[measure.column.upper()] for measure in measures_in(ShownIn.LIST))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Pairs of every kind: alike throughout, nearly so, half, for a passage only; problems too."""
    return write_texts(tmp_path_factory.mktemp("essays"), WORDS, " ")


@pytest.fixture(scope="module", params=KINDS)
def every(request, folder, tmp_path_factory, qapp):
    """The same of every kind of text and settings: settings and options, and what comes of them."""
    settings, options = KINDS[request.param]
    if request.param in ("chinese", "mixed"):
        folder_of_all = tmp_path_factory.mktemp("essays")
        alone = request.param == "chinese"
        folder = write_texts(
            folder_of_all, IDEOGRAPHS if alone else IDEOGRAPHS + WORDS, " " * (not alone)
        )
    presenter, files = render(settings, folder, tmp_path_factory.mktemp("files"), qapp)
    yield presenter, files, folder, options
    delete(presenter)


def write_texts(folder, vocabulary, space):
    chance = random.Random(7)

    def words(count):
        return chance.choices(vocabulary, k=count)

    long, page, half = words(12_000), words(60), words(400)
    texts = {
        "long.txt": long,
        "long again.txt": [*long[:-1], "末"],
        "half.txt": half,
        "other half & more.txt": [*half[:300], *words(100)],
        "copy.txt": half,
        "report.txt": [*words(3000), *page, *words(3000)],
        "source.txt": [*words(2000), *page],
        "empty.txt": [],
    }
    for name, words in texts.items():
        (folder / name).write_text(space.join(words), encoding="utf-8")
    (folder / "picture.bin").write_bytes(bytes(range(256)) * 4)
    return folder


@pytest.fixture(scope="module")
def rendered(folder, tmp_path_factory, qapp):
    """The presenter with its table and the pairs it opened, and its files by their endings."""
    presenter, files = render(SETTINGS, folder, tmp_path_factory.mktemp("files"), qapp)
    yield presenter, files
    delete(presenter)


def delete(presenter):
    """On this thread: garbage is collected on any, and its timers belong to this one."""
    presenter.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def render(settings, folder, folder_of_reports, qapp):
    presenter = Presenter()
    presenter.current.settings = settings
    wait_for(qapp, presenter.ended, lambda: presenter.open_folders([folder]))
    files = {ending: folder_of_reports / f"report.{ending}" for ending in ("html", "csv", "json")}
    for path in files.values():
        wait_for(qapp, presenter.message_posted, lambda path=path: presenter.exports.save(path))
    keys = [presenter.pairs.key_at(row) for row in range(presenter.pairs.pair_count)]
    presenter.opened = [
        wait_for(qapp, presenter.pair.compared, lambda key=key: presenter.open_pair(key))
        for key in keys
    ]
    presenter.scanned = presenter.current.result.scan
    presenter.stop()
    return presenter, files


def wait_for(qapp, signal, begin):
    arrived, end = [], time.monotonic() + 120
    signal.connect(arrived.append)
    begin()
    while not arrived:
        assert time.monotonic() < end, signal
        qapp.processEvents()
    signal.disconnect(arrived.append)
    return arrived[0]


def table(model):
    """The cells of the numbers, by the names of the documents."""
    return {
        model.key_at(row).names: [model.index(row, column).data() for column in NUMBERS]
        for row in range(model.pair_count)
    }


class Cells(HTMLParser):
    """The text of every cell of the tables, and of every number of the pairs below."""

    def __init__(self, path):
        super().__init__()
        self.rows, self.names, self.values = [], [], []
        self.text = path.read_text(encoding="utf-8")
        self._into = None
        self.feed(self.text)

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self.rows[-1].append("")
            self._into = self.rows[-1]
        elif tag in ("dt", "dd"):
            self._into = self.names if tag == "dt" else self.values
            self._into.append("")

    def handle_endtag(self, tag):
        if tag in ("td", "th", "dt", "dd"):
            self._into = None

    def handle_data(self, data):
        if self._into:
            self._into[-1] += data


def written(rows):
    """The numbers of a file for programs in words, A and B as they stand there."""
    return {
        (row["doc_a"], row["doc_b"]): [
            wording.share(float(row["overlap"])),
            wording.resemblance(float(row["resemblance"])),
            wording.share(float(row["containment_a"])),
            wording.share(float(row["containment_b"])),
            wording.count(int(row["longest_run"])),
            wording.count(int(row["shared_words"])),
            wording.count(int(row["shared_shingles"])),
        ]
        for row in rows
    }


def test_the_folder_has_every_kind_of_pair(rendered):
    cells = table(rendered[0].pairs)
    assert len(cells) == 5
    assert {row[1] for row in cells.values()} >= {"1.000", ">0.999"}
    marks = [rendered[0].pairs.index(row, Column.RESEMBLANCE).data(Role.MARK) for row in range(5)]
    assert marks == [""] * 4 + ["passage only"]


def names_in(cell):
    """The names of both documents, which a cell has one below the other."""
    return tuple(re.fullmatch("A (.*)B (.*)", cell).groups()) if cell.startswith("A ") else ()


@pytest.fixture(scope="module")
def judged(rendered, tmp_path_factory):
    """The list with a verdict on each row, and the files of it by their endings.

    In the last rows nothing was found.
    """
    state = rendered[0].scanned.state
    listed = rendered[0].current.result.pair_list
    assert len(listed.rows) > len(listed.pairs)
    keys = PairRows(listed.rows, listed.documents)
    for row in range(len(listed.rows)):
        verdict = VERDICTS[1 + row % 3]  # copies have that of the last
        state = decide(state, *judge(state.judgements, [keys.key_of(row)], verdict))
    with closing(Scan.restored(state)) as scan:
        pair_list = with_extra_pairs(scan, scan.list_pairs())
        target = tmp_path_factory.mktemp("judged")
        files = {ending: target / f"report.{ending}" for ending in ("csv", "json", "xlsx", "pdf")}
        files["html"] = target / "report.html"
        report = report_of(scan, pair_list).measured()
        for path in files.values():
            write_report(path, report)
        not_listed = report.pairs.take(report.pairs.found_by == 0)
        yield scan, replace(pair_list, extra_pairs=not_listed), files


# What each place tells of a pair.
IN_A_LIST = {column.words.attribute for column in NUMBERS}
IN_FILES = IN_A_LIST | {"overlap_a", "overlap_b", "weak_trace", "verdict"}
READERS = {
    "window": IN_A_LIST | {"verdict"},
    "terminal": IN_A_LIST,
    "query": IN_FILES - {"verdict"},
    "html": {"overlap", "resemblance", "longest_run", "shared_words", "verdict"},
    **dict.fromkeys(("csv", "json", "xlsx", "html record", "pdf record"), IN_FILES),
}


@pytest.mark.parametrize("reader", READERS)
def test_a_pair_has_the_same_numbers_everywhere(reader, rendered, judged, folder, request):
    """Overlap, shares, shared words, resemblance, containments, longest run and verdict."""
    scan, pair_list, files = judged
    given, keys = scan.decided.judgements.verdicts, PairRows(pair_list.rows, pair_list.documents)
    pairs = pair_list.pairs if reader in ("terminal", "query") else pair_list.rows
    expected = {}
    for row in range(len(pairs)):
        names = [pair_list.documents[int(column[row])].name for column in (pairs.a, pairs.b)]
        numbers = {
            measure.column: getattr(pairs, measure.column)[row].item() for measure in MEASURES
        }
        words = {**in_words(numbers), "verdict": str(given[keys.key_of(row)].verdict)}
        expected |= in_order(*names, {name: words[name] for name in READERS[reader]})
    assert len(expected) == len(pairs) >= 5

    if reader == "window":
        numbers_read = in_window(rendered[0], judged)
    elif reader == "terminal":
        numbers_read = on_terminal(folder, request.getfixturevalue("capsys"))
    elif reader == "query":
        numbers_read = in_answers(folder, list(expected), request.getfixturevalue("tmp_path"))
    else:
        numbers_read = IN_FILE[reader](files)

    shown = {}
    for a, b, words in numbers_read:
        shown |= in_order(a, b, {name: words[name] for name in READERS[reader]})
    assert shown == expected


def in_words(row):
    """What a program reads of a pair, as people read it."""
    return {
        name: shown_in_words(MEASURE[name], value) if name in MEASURE else value
        for name, value in row.items()
    }


def shown_in_words(measure, value):
    is_number = measure.kind not in (NumberKind.WAYS, NumberKind.FLAG)
    return measure.shown(float(value) if is_number and measure.decimals else int(value))


def in_order(a, b, words):
    """A pair by its names in their order, with what belongs to each."""
    if a > b:
        sides = {"_a": "_b", "_b": "_a"}
        words = {name[:-2] + sides.get(name[-2:], name[-2:]): word for name, word in words.items()}
    return {(min(a, b), max(a, b)): words}


def in_window(presenter, judged):
    scan, pair_list, _ = judged
    rows = PairRows(pair_list.rows, pair_list.documents)
    model = PairsModel()
    names = presenter.current.result.names
    model.set_pairs(pair_list.rows, names, SETTINGS, PairVerdicts(rows, scan.decided.judgements))
    for row in range(model.rowCount()):
        cells = [model.index(row, column).data() for column in NUMBERS]
        words = dict(zip((number.words.attribute for number in NUMBERS), cells, strict=True))
        verdict = model.verdicts.verdict_of(int(model.pairs_in([row])[0]))
        yield *model.key_at(row).names, {**words, "verdict": str(verdict)}


def on_terminal(folder, capsys):
    assert main(["scan", str(folder), "--min-resemblance=0.3"]) == 0
    for line in capsys.readouterr().out.splitlines():
        if " | " in line and "Document A" not in line and NOT_LISTED not in line:
            _, *cells, names = re.split(r"\s{2,}", line.strip())[: 2 + len(NUMBERS)]
            columns = (column.words.attribute for column in NUMBERS)
            yield *names.split(" | "), dict(zip(columns, cells, strict=True))


def in_answers(folder, pairs, tmp_path):
    answers = tmp_path / "answers.json"
    files = [str(folder / a) for a, _ in pairs]
    command = [
        "query",
        str(folder),
        *files,
        "--min-resemblance=0.3",
        f"--json={answers}",
        "--quiet",
    ]
    assert main(command) == 0
    column_of = {name: column for column, name in TEXT_AND_DOCUMENT.items()}
    for (a, b), answer in zip(pairs, json.loads(answers.read_text()), strict=True):
        (row,) = [row for row in answer["matches"] if row["document"] == b]
        numbers = {column_of.get(name, name): value for name, value in row.items()}
        yield a, b, in_words({name: numbers[name] for name in READERS["query"]})


def in_csv(files):
    yield from in_rows(rows_of_csv(files["csv"]))


def in_rows(rows):
    for row in rows:
        yield row["doc_a"], row["doc_b"], in_words({name: row[name] for name in IN_FILES})


def in_workbook(files):
    header, *rows = openpyxl.load_workbook(files["xlsx"])["Pairs"].values
    columns = {measure.name: measure.column for measure in MEASURES} | {"Verdict": "verdict"}
    for cells in rows:
        row = {columns.get(head, head): cell for head, cell in zip(header, cells, strict=True)}
        numbers = {name: row[name] for name in IN_FILES} | {"weak_trace": bool(row["weak_trace"])}
        yield row["A"], row["B"], in_words(numbers)


def in_page(files):
    page = Cells(files["html"])
    header = next(row for row in page.rows if row[:1] == ["#"])
    columns = {measure.name: measure.column for measure in MEASURES} | {"Verdict": "verdict"}
    for row in page.rows:
        if len(row) == len(header) and row[1].startswith("A "):
            words = {columns.get(head, head): cell for head, cell in zip(header, row, strict=True)}
            words["overlap"] = re.match(r"[\d.<>–]+%?", words["overlap"]).group()
            words["verdict"] = re.match("|".join(VERDICTS), words["verdict"]).group()
            yield *names_in(row[1]), words


IN_FILE = {
    "csv": in_csv,
    "json": lambda files: in_rows(json.loads(files["json"].read_text())["pairs"]),
    "xlsx": in_workbook,
    "html": in_page,
    "html record": lambda files: in_rows(record_in(files["html"]).record["pairs"]),
    "pdf record": lambda files: in_rows(record_in(files["pdf"]).record["pairs"]),
}


@pytest.mark.parametrize("ending", ["html", "json", "pdf"])
def test_what_was_written_is_what_verify_finds(ending, judged, folder):
    assert verify(judged[2][ending], [folder]).agrees


def test_pairs_keep_their_numbers_in_a_report_of_some(rendered, tmp_path):
    presenter, _ = rendered
    model = presenter.pairs
    model.set_filter(PairFilter("half"))
    model.sort(Column.SHARED_SHINGLES, Qt.SortOrder.AscendingOrder)
    shown = {
        model.index(row, 0).data(): model.key_at(row).names
        for row in range(model.rowCount())
        if model.index(row, Column.RESEMBLANCE).data(int(Role.MARK)) != NOT_LISTED
    }
    assert list(shown) not in (["1", "2", "3"], [])
    path = tmp_path / "some.html"
    write_report(
        path, report_of(presenter.scanned, presenter.current.result.pair_list, model.shown_rows())
    )
    model.set_filter(PairFilter())
    model.sort(Column.RANK)

    page = Cells(path)

    rows = {row[0]: names_in(row[1]) for row in page.rows if len(row) > 2 and names_in(row[1])}
    assert rows == shown
    for number in shown:
        assert f'id="pair-{number}"' in page.text
        assert f'href="#pair-{number}"' in page.text


def test_the_compare_view_says_what_the_report_says(every):
    presenter, files, *_ = every
    page = Cells(files["html"])
    each = MOST_FACTS
    count = each * presenter.pairs.pair_count
    assert count >= 25
    names, values = page.names[-count:], page.values[-count:]
    for row, comparison in enumerate(presenter.opened):
        facts = comparison.numbers.facts
        assert [fact.name for fact in facts] == names[each * row : each * (row + 1)]
        # A report tells the pair's own counts in brackets behind: "0.912 (412 of 452 shingles)".
        shown = [value.partition(" (")[0] for value in values[each * row : each * (row + 1)]]
        assert [fact.value.partition(" (")[0] for fact in facts] == shown
        listed = {fact.column: fact for fact in facts}
        for column in NUMBERS:
            fact = listed[column.name.lower()]
            assert fact.value.split()[0] == presenter.pairs.index(row, column).data()
            tip = presenter.pairs.headerData(column, HORIZONTAL, TOOL_TIP)
            assert fact.meaning.split("\n")[0] in tip.replace("&#x27;", "'")


def test_the_report_says_why_a_pair_is_listed_as_the_window_does(every):
    presenter, files, *_ = every
    text = unescape(Cells(files["html"]).text)
    for comparison in presenter.opened:
        assert f"</strong> {' '.join(comparison.why.sentences)}</p>" in text


def test_the_forecast_is_that_of_the_panel(every, qtbot):
    presenter, files, *_ = every
    result, panel = presenter.current.result, ThresholdPanel(ThresholdModel())
    qtbot.addWidget(panel)
    panel.model.set_state(ThresholdState.of(result.settings))
    panel.model.set_folder(result.folder)
    labels = [label.text() for label in panel._forecast._labels]
    text = Cells(files["html"]).text
    shown = text.partition('id="curve"')[2].partition("<figure")[0]
    shown = unescape(shown.replace("strong>", "b>"))
    assert result.folder.compared
    for sentence in (labels[0], labels[2]):  # of all pairs none is compared for nothing
        assert f"<p>{unescape(sentence)}</p>" in shown


def counted(presenter):
    pair_list = presenter.current.result.pair_list
    return list_words.list_in_words(pair_list.counts, pair_list.settings)


def test_everything_is_counted_alike(rendered, folder, window, qtbot):
    presenter, files = rendered
    assert counted(presenter) == "5 pairs (4 from 0.30 on, 1 more shares a passage of 30 words)"
    page = Cells(files["html"])
    data = json.loads(files["json"].read_text())
    assert f"<p>The list has {counted(presenter)}.</p>" in page.text
    assert dict(zip(page.names, page.values, strict=False))["Pairs found"] == "5"
    assert "2 files gave no text and were not compared" in page.text
    assert (data["pairs_before_filter"], data["pairs_from_threshold"]) == (5, 4)
    assert data["pairs_by_passage_only"] == 1
    assert [problem["path"] for problem in data["problems"]] == ["empty.txt"]
    assert [file["path"] for file in data["other_files"]] == ["picture.bin"]
    assert data["settings"]["min_passage"] == 30

    window.presenter.scans.change_settings(SETTINGS)
    ended = qtbot.until(window.presenter.ended, window.presenter.open_folders, [folder])

    assert ended[0] == "7 documents, 5 pairs share text · 1 pair is a copy"
    pages = window.pages
    titles = [
        pages.tabs.tabText(pages.tabs.indexOf(page)) for page in (pages.pairs, pages.problems)
    ]
    assert titles == ["Pairs 5", "Problems 1"]
    assert window.pages.pairs.filter_row._count.text() == "16 pairs not listed"
    assert window.side_panels.threshold.passages.text() == "Also list 1 that shares a passage"


def test_weak_traces_are_counted_apart_everywhere(window, qtbot, tmp_path, capsys):
    folder = folder_with(tmp_path / "essays")
    draw = random.Random(1)
    words = ["".join(draw.choices("abcdefghijklmnop", k=7)) for _ in range(5000)]
    for number in range(8):  # the first two share half, each two after them a phrase
        shared = words[250 * (number // 2) :][: 200 if number < 2 else 22]
        words_of_text = words[300 * number + 1000 :][: 100 if number < 2 else 300]
        (folder / f"{number}.txt").write_text(
            " ".join([*words_of_text[:60], *shared, *words_of_text[60:]])
        )
    for number in range(8, 12):
        (folder / f"{number}.txt").write_text(" ".join(words[200 * number + 2000 :][:200]))
    window.presenter.scans.change_settings(SETTINGS)
    ended = qtbot.until(window.presenter.ended, window.presenter.open_folders, [folder])
    pages, result = window.pages, window.presenter.current.result
    model = window.presenter.pairs
    report = report_of(result.scan, result.pair_list)
    data, page = tmp_path / "report.json", tmp_path / "report.html"
    write_report(data, report)
    write_report(page, report)
    assert main(["scan", str(folder), "--min-resemblance=0.3"]) == 0

    assert ended[0] == "12 documents, 1 pair shares text"
    assert pages.tabs.tabText(pages.tabs.indexOf(pages.pairs)) == "Pairs 1"
    assert not pages.pairs.filter_row._count.text()  # the tab says it
    assert pages.pairs.weak_row.button.text() == "▸ 3 weak traces"
    panel = ThresholdPanel(ThresholdModel())
    qtbot.addWidget(panel)
    panel.model.set_state(ThresholdState.of(result.settings))
    panel.model.set_folder(result.folder)
    text = panel._forecast._labels[2].text()
    assert text == "Lists <b>1</b> pair of 12 documents, and 3 weak traces."
    expected = "1 pair from 0.30 on and 3 weak traces"
    assert counted(window.presenter) == expected
    assert f"12 documents, {expected}, " in capsys.readouterr().out
    cells = Cells(page)
    figures = dict(zip(cells.names, cells.values, strict=False))
    assert (figures["Pairs found"], figures["Weak traces"]) == ("1", "3")
    assert f"<p>The list has {expected}.</p>" in cells.text
    record = json.loads(data.read_text())
    assert (record["pairs_before_filter"], record["weak_traces"]) == (1, 3)
    assert record["verdicts"]["not reviewed"] == 1

    pages.pairs.weak_row.button.click()
    model.verdicts.news[:] = 1
    pages.pairs.filter_row._news.click()
    assert (model.rowCount(), pages.pairs.weak_row.button.text()) == (4, "▾ 3 weak traces")
    assert pages.pairs.filter_row._count.text() == "1 of 1 pair shown"
    assert pages.pairs.filter_row._news.text() == "new or changed 1"
    pages.pairs.filter_row.clear()

    weak = np.flatnonzero(result.pair_list.pairs.weak_trace)[:1]
    window.presenter.verdicts.judge(Verdict.SUSPICIOUS, weak)
    assert model.pair_count == 1
    assert pages.tabs.tabText(pages.tabs.indexOf(pages.pairs)) == "Pairs 1"
    assert pages.pairs.weak_row.button.text() == "▾ 3 weak traces"
    assert pages.pairs.filter_row._count.text() == "1 of 2 judged"  # it is among those to review


def test_of_few_documents_every_pair_has_a_row_everywhere(window, qtbot, tmp_path, capsys):
    draw = random.Random(1)
    words = ["".join(draw.choices("abcdefghijklmnop", k=7)) for _ in range(1500)]
    texts = [" ".join(words[start:][:300]) for start in (0, 100, 600, 1100)]
    folder = folder_with(tmp_path / "essays", {f"{n}.txt": text for n, text in enumerate(texts)})
    ended = qtbot.until(window.presenter.ended, window.presenter.open_folders, [folder])
    model, result = window.presenter.pairs, window.presenter.current.result
    rows = [
        (*model.key_at(row).names, model.index(row, Column.RESEMBLANCE).data(int(Role.MARK)))
        for row in range(model.rowCount())
    ]
    other_pairs = [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    nothing = [(f"{a}.txt", f"{b}.txt", "not listed") for a, b in other_pairs]
    assert rows[0] == ("0.txt", "1.txt", "")
    assert sorted(rows[1:]) == nothing
    ranks = [model.index(row, Column.RANK).data() for row in range(model.rowCount())]
    assert ranks == ["1", *["–"] * 5]
    assert ended[0] == "4 documents, 1 pair shares text"
    assert tab_title(window, window.pages.pairs) == "Pairs 1"
    count_text = window.pages.pairs.filter_row._count.text()
    assert count_text == "5 pairs not listed"

    assert main(["scan", str(folder)]) == 0
    printed = capsys.readouterr().out
    for a, b, words in nothing:
        assert f"   –  {words}  {a} | {b}\n" in printed
    for withheld in (False, True):
        page = tmp_path / "report.html"
        report = report_of(result.scan, result.pair_list, choice=ReportChoice(names=not withheld))
        write_report(page, report)
        text = re.sub(r"<[^>]*>|\s+", " ", Cells(page).text)
        table = re.sub(
            r" +", " ", text.partition("A and B are the two")[2].partition("Passages")[0]
        )
        labels = [report.name_of(number) for number in range(4)]
        seen = {frozenset(names.split()) for names in re.findall(r"– A (.*?) not listed", table)}
        pairs = [{labels[a], "B", labels[b]} for a, b in report.unlisted]
        assert seen == {frozenset(pair) for pair in pairs}
        assert len(seen) == 5
        assert "5 other pairs are not listed" in text
    filtered = report_of(result.scan, result.pair_list, np.arange(0))
    assert not filtered.unlisted

    # One in which nothing was found is confirmed: it is counted and reported everywhere.
    window.presenter.verdicts.judge(Verdict.CONFIRMED, np.array([3]))
    assert tab_title(window, window.pages.pairs) == "Pairs 1"
    text = window.pages.pairs.filter_row._count.text()
    assert text == "1 of 2 judged · 5 pairs not listed"
    of_all = report_of(
        result.scan, result.pair_list, judgements=window.presenter.current.judgements
    )
    assert (len(of_all.pairs), len(of_all.unlisted), of_all.verdict_counts[:2]) == (2, 4, [1, 1])
    with qtbot.waitSignal(window.presenter.review.saved):
        window.presenter.save_review(tmp_path / "review.neardup")
    for scope in ("--all", "--confirmed"):
        for ending in ("html", "pdf", "json"):
            path = tmp_path / f"of_few.{ending}"
            assert main(["report", str(tmp_path / "review.neardup"), str(path), scope]) == 0
            assert "1 confirmed" in capsys.readouterr().out
            record = record_in(path).record
            if scope == "--confirmed" and ending == "html":
                shown = "report. The search does not list 1 pair of this report."
                assert f"Only confirmed pairs are in this {shown}" in Cells(path).text
            assert record["verdicts_of_list"]["confirmed"] == record["verdicts"]["confirmed"] == 1
            assert [row["found_by"] for row in record["pairs"]][-1] == ""
            assert len(record["pairs"]) == (2 if scope == "--all" else 1)
            assert verify(path, [folder]).agrees


def test_ways_have_one_name_in_files_and_one_for_people(every):
    presenter, files, *_ = every
    shown = {
        tuple(sorted(presenter.pairs.key_at(row).names)): presenter.pairs.index(
            row, Column.FOUND_BY
        ).data()
        for row in range(presenter.pairs.pair_count)
    }
    data = json.loads(files["json"].read_text())
    words = {FoundBy[name.upper()].label: channel.shown for name, channel in by_name().items()}
    for row in data["pairs"]:
        parts = [words[part] for part in row["found_by"].split("+")]
        assert shown[row["doc_a"], row["doc_b"]] == ", ".join(parts)
    assert words["lsh"] == "shingles"
    for words_ in set(shown.values()):
        assert words_ in Cells(files["html"]).text


def by_name():
    return {channel.name: words for channel, words in measures.WAYS.items()}


def test_every_way_has_a_word():
    assert set(measures.WAYS) == set(FoundBy)


def test_documents_that_are_gone_are_counted_alike(window, folder, tmp_path, qtbot):
    essays = tmp_path / "essays"
    shutil.copytree(folder, essays)
    after(window, qtbot, lambda: window.presenter.open_folders([essays]))
    (essays / "half.txt").unlink()
    ended = qtbot.until(window.presenter.ended, window.presenter.rescan)

    pair_list = window.presenter.current.result.pair_list
    report = tmp_path / "report.html"
    write_report(report, report_of(window.presenter.current.result.scan, pair_list))

    words = "6 documents, 1 more gone or not read"
    assert list_words.documents_in_words(pair_list.document_counts) == words
    assert ended[0].startswith(f"{words}, ")
    page = Cells(report)
    assert f'<p class="lead">{words} in ' in page.text
    figures = dict(zip(page.names, page.values, strict=False))
    assert (figures["Documents"], figures["Gone or not read"]) == ("6", "1")


NAME = "essays of the second year/spring term/okafor.odt"


@pytest.fixture
def metrics(qapp):
    return QFontMetrics(qapp.font())


def test_a_name_that_fits_is_whole(metrics):
    assert elided_name(metrics, NAME, 2000) == NAME


def test_the_folders_are_shortened_before_the_file(metrics):
    shown = elided_name(metrics, NAME, metrics.horizontalAdvance(NAME) - 40)

    assert shown.endswith("/okafor.odt")
    assert shown.startswith("essays")
    assert "…" in shown


def test_without_room_for_a_folder_the_file_alone_is_shown(metrics):
    file = metrics.horizontalAdvance("okafor.odt")

    assert elided_name(metrics, NAME, file + metrics.horizontalAdvance("…/")) == "…/okafor.odt"
    assert elided_name(metrics, NAME, file + 3) == "okafor.odt"
    assert elided_name(metrics, NAME, file - 8).startswith("ok")


@pytest.mark.parametrize("other", ["docx", "pdf"])
def test_a_folder_stays_where_it_alone_tells_who_handed_in_an_essay(metrics, other):
    width = metrics.horizontalAdvance("…/essay.pdf") + 4

    shown = elided_name(metrics, "Lucy Bennet/essay.pdf", width, f"Anna Moller/essay.{other}")

    assert shown.startswith("Lu")


@pytest.mark.parametrize(
    ("name", "beside", "shown"),
    [
        (
            "Stock_Agreement__2013-03-06_625d0c4.md",
            "Stock_Agreement__2013-06-20_7c05a73.md",
            "03-06",
        ),
        ("submission_of_the_essay_00011.txt", "submission_of_the_essay_00012.txt", "00011"),
        ("2023/submission_of_the_essay.txt", "2024/submission_of_the_essay.txt", "2023"),
    ],
)
def test_what_sets_two_names_apart_is_shown(metrics, name, beside, shown):
    width = metrics.horizontalAdvance(name) * 2 // 3

    assert shown in elided_name(metrics, name, width, beside)
    assert metrics.horizontalAdvance(elided_name(metrics, name, width, beside)) <= width


def test_the_common_beginning_of_names_is_elided_first(metrics):
    name = "Essay 1 - Adam James.txt"
    width = metrics.horizontalAdvance(name) - 4

    for beside in ("Essay 1 - Jan James.txt", "Essay 1 - Adam Grant.txt", ""):
        assert elided_name(metrics, name, width, beside, "Essay 1 - ").endswith("Adam James.txt")
    next_name = "Essay 1 - Jan James.txt"
    shown = elided_name(metrics, name, width, next_name)
    assert shown.startswith("Essay 1 - A") or shown.endswith("Adam James.txt")  # by the font
    assert shown != elided_name(metrics, next_name, width, name)


@pytest.mark.parametrize("name", [NAME, "/okafor", "okafor/", "a/" * 300, "…" * 90, "文/件" * 40])
@pytest.mark.parametrize("width", [0, 20, 60, 150])
def test_no_name_is_wider_than_its_room(metrics, name, width):
    shown = elided_name(metrics, name, width)

    assert metrics.horizontalAdvance(shown) <= max(width, *map(metrics.horizontalAdvance, "…件"))


def test_a_check_box_is_as_high_as_its_letters(qtbot):
    box = CheckBox("Keep digits")
    qtbot.addWidget(box)
    before, words = box._box_side(), box.sizeHint().width()
    font = QFont(box.font())
    font.setPointSizeF(2.5 * font.pointSizeF())

    box.setFont(font)

    assert box._box_side() > 1.8 * before
    assert box.sizeHint().width() > 1.8 * words


def test_a_check_box_is_clicked_on_its_words(qtbot):
    box = qtbot.shown(CheckBox("Keep digits"))

    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=box.rect().center())

    assert box.isChecked()


def test_a_letter_is_as_wide_as_letters_are_whatever_else_the_font_has(qapp):
    for family in QFontDatabase.families(QFontDatabase.WritingSystem.Latin):
        metrics = QFontMetrics(QFont(family, 20))

        widest = max(metrics.horizontalAdvance(letter) for letter in SAMPLE)
        assert letter_width(metrics) <= widest + 1, family


ESCAPES = "\x1b[31m\u202etxt.exe\u200b"
PATIENCE = 60_000  # ms


def test_a_message_and_a_tool_tip_show_what_names_hide(tmp_path):
    path = tmp_path / f"a{ESCAPES}.neardup"
    for message in (
        Message(f"a{ESCAPES}"),
        sentences.no_review(path),
        sentences.review_saved(path),
        sentences.exists_already(path),
        sentences.nothing_to_open(path),
    ):
        assert "\\x1b[31m\\u202etxt.exe\\u200b" in message.text
        assert printable_text(message.text) == message.text
    assert "\u202e" not in tool_tip(f"a{ESCAPES}")


def test_what_two_names_hide_of_each_other_is_reported():
    assert full_name("é.txt") == "é.txt"
    assert full_name("e\u0301.txt") == "e\u0301.txt\nwritten e\\u0301.txt"
    assert full_name("a  b") == "a  b\nwritten a \\x20b"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows refuses such names")
def test_a_folder_with_such_names_is_shown_without_them(window, tmp_path, qtbot):
    folder = folder_with(tmp_path / f"in{ESCAPES}")
    for name in ("e\u0301.txt", f"b{ESCAPES}.txt"):
        (folder / name).write_text("One and the same text, twice in a folder.")

    with qtbot.waitSignal(window.presenter.ended, timeout=PATIENCE):
        window.presenter.open_folders([folder])

    model = window.presenter.pairs
    shown_texts = [
        model.data(model.index(0, column), role)
        for column in (Column.DOCUMENT_A, Column.DOCUMENT_B)
        for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
    ]
    shown_texts += [window.windowTitle()]
    assert "in\\x1b[31m\\u202etxt.exe\\u200b" in window.windowTitle()
    assert any("written e\\u0301.txt" in text for text in shown_texts)
    for text in shown_texts:
        assert printable_text(text) == text
