"""One scan in the window, in every file and on a terminal: every number and name agrees."""

import csv
import json
import random
import re
import shutil
from html import unescape
from html.parser import HTMLParser

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication

from core.base import wording
from core.commands.main import main
from core.evidence import measures
from core.evidence.pairs import FoundBy
from core.reports import list_words
from core.reports.curve.state import ThresholdState
from core.reports.formats import write_report
from core.reports.from_scan import report_of
from core.settings import ScanSettings
from neardup_gui.models.pairs.columns import Column, PairFilter, Role
from neardup_gui.models.threshold import ThresholdModel
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.threshold.panel import ThresholdPanel

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
NUMBERS = (
    Column.OVERLAP,
    Column.RESEMBLANCE,
    Column.CONTAINMENT_A,
    Column.CONTAINMENT_B,
    Column.LONGEST_RUN,
    Column.SHARED_WORDS,
    Column.SHARED_SHINGLES,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Pairs of every kind: alike throughout, nearly so, half, for a passage only; problems too."""
    return write_texts(tmp_path_factory.mktemp("essays"), WORDS, " ")


@pytest.fixture(scope="module", params=KINDS)
def every(request, folder, tmp_path_factory, qapp):
    """The same of every kind of text and settings: settings and options, and what comes of them."""
    settings, options = KINDS[request.param]
    if request.param in ("chinese", "mixed"):
        place = tmp_path_factory.mktemp("essays")
        alone = request.param == "chinese"
        folder = write_texts(place, IDEOGRAPHS if alone else IDEOGRAPHS + WORDS, " " * (not alone))
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
    for name, own in texts.items():
        (folder / name).write_text(space.join(own), encoding="utf-8")
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


def render(settings, folder, place, qapp):
    presenter = Presenter()
    presenter.current.settings = settings
    wait_for(qapp, presenter.ended, lambda: presenter.open_folders([folder]))
    files = {ending: place / f"report.{ending}" for ending in ("html", "csv", "json")}
    for path in files.values():
        wait_for(qapp, presenter.said, lambda path=path: presenter.exports.save(path))
    keys = [presenter.pairs.key_at(row) for row in range(presenter.pairs.rowCount())]
    presenter.opened = [
        wait_for(qapp, presenter.pair.compared, lambda key=key: presenter.open_pair(key))
        for key in keys
    ]
    presenter.scanned = presenter.current.result.scan
    presenter.stop()
    return presenter, files


def wait_for(qapp, signal, begin):
    came = []
    signal.connect(came.append)
    begin()
    while not came:
        qapp.processEvents()
    signal.disconnect(came.append)
    return came[0]


def table(model):
    """The cells of the numbers, by the names of the documents."""
    return {
        model.key_at(row).names: [model.index(row, column).data() for column in NUMBERS]
        for row in range(model.rowCount())
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


def turned(cells):
    """The same pairs with the first name in order first, as files have it."""
    return {
        (a, b) if a < b else (b, a): row if a < b else [*row[:2], row[3], row[2], *row[4:]]
        for (a, b), row in cells.items()
    }


def test_the_folder_has_every_kind_of_pair(rendered):
    cells = table(rendered[0].pairs)
    assert len(cells) == 5
    assert {row[1] for row in cells.values()} >= {"1.000", ">0.999"}
    marks = [rendered[0].pairs.index(row, Column.RESEMBLANCE).data(Role.MARK) for row in range(5)]
    assert marks == [""] * 4 + ["passage only"]


def test_numbers_are_the_same_in_csv_and_json(every):
    presenter, files, *_ = every
    with files["csv"].open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    data = json.loads(files["json"].read_text())
    assert written(rows) == written(data["pairs"]) == turned(table(presenter.pairs))
    for row, other in zip(rows, data["pairs"], strict=True):
        assert {name: float(row[name]) for name in row if name in NUMBER_NAMES} == {
            name: other[name] for name in other if name in NUMBER_NAMES
        }


NUMBER_NAMES = ("resemblance", "containment_a", "containment_b", "estimate", "longest_run")


def test_numbers_and_names_are_the_same_in_html(every):
    presenter, files, *_ = every
    page = Cells(files["html"])
    heading = next(row for row in page.rows if row[:1] == ["#"])
    titles = [column.words.title for column in NUMBERS]
    assert heading[:2] == ["#", "Documents A and B"]
    shown = [titles.index(title) for title in heading[2:]]
    rows = {names_in(row[1]): row[2:] for row in page.rows if len(row) == len(heading)}
    for pair, cells in table(presenter.pairs).items():
        alike, *others = rows[pair]
        assert [re.split("exact|passage|reworked", alike)[0], *others] == [
            cells[place] for place in shown
        ]
        assert (" only" in alike) == (float(cells[1].strip("<>")) < 0.3)


def names_in(cell):
    """The names of both documents, which a cell has one below the other."""
    return tuple(re.fullmatch("A (.*)B (.*)", cell).groups()) if cell.startswith("A ") else ()


def test_pairs_keep_their_numbers_in_a_report_of_some(rendered, tmp_path):
    presenter, _ = rendered
    model = presenter.pairs
    model.set_filter(PairFilter("half"))
    model.sort(Column.SHARED_SHINGLES, Qt.SortOrder.AscendingOrder)
    shown = {model.index(row, 0).data(): model.key_at(row).names for row in range(model.rowCount())}
    assert list(shown) not in (["1", "2", "3"], [])
    path = tmp_path / "some.html"
    write_report(
        path, report_of(presenter.scanned, presenter.current.result.found, model.shown_rows())
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
    each = len(NUMBERS)
    count = each * presenter.pairs.rowCount()
    assert count >= 25
    names, values = page.names[-count:], page.values[-count:]
    for row, comparison in enumerate(presenter.opened):
        facts = comparison.numbers.facts
        assert [fact.name for fact in facts] == names[each * row : each * (row + 1)]
        # A report tells the pair's own counts in brackets behind: "0.912 (412 of 452 shingles)".
        told = [value.partition(" (")[0] for value in values[each * row : each * (row + 1)]]
        assert [fact.value.partition(" (")[0] for fact in facts] == told
        cells = [presenter.pairs.index(row, column).data() for column in NUMBERS]
        assert [fact.value.split()[0] for fact in facts] == cells
        explained = [presenter.pairs.headerData(column, HORIZONTAL, TOOL_TIP) for column in NUMBERS]
        for fact, tip in zip(facts, explained, strict=True):
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
    told = [label.text() for label in panel._forecast._labels]
    text = Cells(files["html"]).text
    shown = text.partition('id="curve"')[2].partition("<figure")[0]
    shown = unescape(shown.replace("strong>", "b>"))
    assert result.folder.compared
    for sentence in (told[0], told[2]):  # of all pairs none is compared for nothing
        assert f"<p>{unescape(sentence)}</p>" in shown


def test_numbers_and_names_are_the_same_on_a_terminal(every, capsys):
    presenter, _, folder, options = every
    assert main(["scan", str(folder), *options]) == 0
    printed = capsys.readouterr().out
    heading, *lines = printed.splitlines()
    assert re.split(r"\s{2,}", heading.strip())[1:-1] == [column.words.title for column in NUMBERS]
    rows = [re.split(r"\s{2,}", line.strip()) for line in lines if " | " in line]
    end = 1 + len(NUMBERS)
    assert {tuple(row[end].split(" | ")): row[1:end] for row in rows} == table(presenter.pairs)
    assert "Passage only: Its resemblance is below 0.30" in printed
    assert counted(presenter) in printed


def counted(presenter):
    found = presenter.current.result.found
    return list_words.list_in_words(found.counts, found.settings)


def test_everything_is_counted_alike(rendered, folder, window, qtbot):
    presenter, files = rendered
    assert counted(presenter) == "4 pairs from 0.30 on, 1 more shares a passage of 30 words"
    page = Cells(files["html"])
    data = json.loads(files["json"].read_text())
    assert f"<p>{counted(presenter)}.</p>" in page.text
    figures = dict(zip(page.names, page.values, strict=False))
    assert figures["Pairs found"] == "5"
    assert "2 files gave no text and were not compared" in page.text
    assert (data["pairs_before_filter"], data["pairs_from_threshold"]) == (5, 4)
    assert data["pairs_by_passage_only"] == 1
    assert [one["path"] for one in data["problems"]] == ["empty.txt"]
    assert [one["path"] for one in data["other_files"]] == ["picture.bin"]
    assert data["settings"]["min_passage"] == 30

    window.presenter.scans.change_settings(SETTINGS)
    with qtbot.waitSignal(window.presenter.ended) as ended:
        window.presenter.open_folders([folder])

    assert ended.args[0].startswith(
        f"7 documents, {counted(presenter)}, 1 problem, 1 other file · "
    )
    pages = window.pages
    titles = [pages.tabs.title_of(page) for page in (pages.pairs, pages.problems)]
    assert titles == ["Pairs 5", "Problems 1"]
    assert window.pages.pairs.filter_row._count.text() == "0 of 5 judged"
    assert window.side_panels.threshold._passages.text() == "Also list 1 that shares a passage"


def test_ways_have_one_name_in_files_and_one_for_people(every):
    presenter, files, *_ = every
    shown = {
        tuple(sorted(presenter.pairs.key_at(row).names)): presenter.pairs.index(
            row, Column.FOUND_BY
        ).data()
        for row in range(presenter.pairs.rowCount())
    }
    data = json.loads(files["json"].read_text())
    words = {FoundBy[name.upper()].label: way.shown for name, way in by_name().items()}
    for row in data["pairs"]:
        parts = [words[part] for part in row["found_by"].split("+")]
        assert shown[row["doc_a"], row["doc_b"]] == ", ".join(parts)
    assert words["lsh"] == "shingles"
    for words_ in set(shown.values()):
        assert words_ in Cells(files["html"]).text


def by_name():
    return {way.name: words for way, words in measures.WAYS.items()}


def test_every_way_has_a_word():
    assert set(measures.WAYS) == set(FoundBy)


def test_documents_that_are_gone_are_counted_alike(window, folder, tmp_path, qtbot):
    place = tmp_path / "essays"
    shutil.copytree(folder, place)
    with qtbot.waitSignal(window.presenter.ended):
        window.presenter.open_folders([place])
    (place / "half.txt").unlink()
    with qtbot.waitSignal(window.presenter.ended) as ended:
        window.presenter.rescan()

    found = window.presenter.current.result.found
    report = tmp_path / "report.html"
    write_report(report, report_of(window.presenter.current.result.scan, found))

    words = "6 documents, 1 more gone or not read"
    assert list_words.documents_in_words(found.document_counts) == words
    assert ended.args[0].startswith(f"{words}, ")
    page = Cells(report)
    assert f'<p class="lead">{words} in ' in page.text
    figures = dict(zip(page.names, page.values, strict=False))
    assert (figures["Documents"], figures["Gone or not read"]) == ("6", "1")
