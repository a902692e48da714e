"""The table of pairs: sorting and filtering against plain Python, also of a million rows."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QAbstractItemModelTester

import core.evidence.passages
from core.documents.model import Document
from core.documents.model import Role as FolderRole
from core.evidence.pairs import FoundBy, Pairs
from core.scan import reworked
from core.scan.judgements import VERDICTS, Verdict, VerdictColumns
from neardup_gui.models.pairs.columns import (
    MOST,
    VERDICT_ORDER,
    Column,
    PairFilter,
    PairVerdicts,
    Role,
    Thumbnail,
    Thumbnails,
    ranked,
)
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.scan_result import DocumentNames
from neardup_gui.models.table_model import ALIGNMENT, RIGHT
from neardup_gui.views.pairs import table as pairs_table
from neardup_gui.views.pairs.table import PairsTable
from neardup_gui.views.widgets import labels, rows_table
from tests.texts import TREES, folder_with

pytestmark = pytest.mark.usefixtures("english_numbers")

ADDED = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


def pair_at(model, row):
    return model._pairs.take(model.pairs_in([row]))


def make_names(names):
    return DocumentNames(
        [Document(f"/folder/{name}", name, 1, 1, "", "text", "utf-8", 1) for name in names]
    )


def test_a_part_of_a_file_has_no_role_that_could_be_changed():
    """It would change that of all documents in the file."""
    path = Path("/folder/all.zip")
    alone = Document(str(path), "b.txt", 1, 1, "", "text", "utf-8", 1)
    names = DocumentNames([alone, alone._replace(name="all.zip/a.txt", part="a.txt")])

    assert names.role_of("b.txt") is FolderRole.REVIEW
    assert names.role_of("all.zip/a.txt") is None


def make_pairs(number, documents, seed=1):
    """Of every third pair the overlap is not known; elsewhere it is unlike the containments."""
    chance = np.random.default_rng(seed)
    first = chance.integers(0, documents - 1, number)
    overlaps = np.random.default_rng(seed + 1).random((3, number)).round(2)
    overlaps[:, ::3] = -1
    return Pairs(
        a=first.astype(np.int32),
        b=(first + 1).astype(np.int32),
        resemblance=chance.random(number).round(2),
        containment_a=chance.random(number).round(2),
        containment_b=chance.random(number).round(2),
        estimate=chance.random(number).astype(np.float32),
        shared_shingles=chance.integers(1, 2000, number).astype(np.int32),
        longest_run=chance.integers(1, 50, number).astype(np.int32),
        exact_duplicate=np.zeros(number, dtype=np.bool_),
        found_by=chance.integers(1, 8, number).astype(np.uint8),
        overlap=overlaps[0],
        overlap_a=overlaps[1],
        overlap_b=overlaps[2],
        shared_words=np.where(overlaps[0] < 0, -1, 100).astype(np.int32),
    ).ranked()


NAMES = ("Essay.txt", "STRASSE.md", "b & <b>.txt", "notes/straße.txt", "二/報告.docx", "ملف.txt")


@pytest.fixture
def model(qapp):
    model = PairsModel()
    model.set_pairs(make_pairs(200, len(NAMES)), make_names(NAMES))
    return model


def shown(model, column=Column.RANK):
    return [model.index(row, column).data() for row in range(model.rowCount())]


def ranks(model):
    return [int(text.replace(",", "")) - 1 for text in shown(model)]


def test_the_model_keeps_qts_rules(qtbot, model):
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.sort(Column.SHARED_SHINGLES, DESCENDING)
    model.set_filter(PairFilter("txt", 0.3, 0.2))
    model.sort(Column.DOCUMENT_B, ASCENDING)
    model.clear()
    model.set_pairs(make_pairs(20, len(NAMES), seed=2), make_names(NAMES))
    model.set_filter(PairFilter())
    del tester


def test_the_title_of_a_number_stands_above_it(model):
    """The resemblance is written at the end of its column, whatever mark stands before it."""
    titles = {
        column: model.headerData(column, Qt.Orientation.Horizontal, ALIGNMENT)
        for column in (Column.RESEMBLANCE, Column.OVERLAP_A, Column.OVERLAP_B)
    }
    assert set(titles.values()) == {RIGHT}


@pytest.mark.parametrize("order", [ASCENDING, DESCENDING])
@pytest.mark.parametrize("column", list(Column))
def test_sorting_agrees_with_python(model, column, order):
    pairs = make_pairs(200, len(NAMES))
    attribute = column.words.attribute
    keys = list(range(200))
    if attribute == VERDICT_ORDER:
        keys = [0] * 200  # none is reviewed
    elif attribute is not None:
        keys = getattr(pairs, attribute).tolist()
    sign = 1 if order == ASCENDING else -1

    model.sort(column, order)

    assert ranks(model) == sorted(
        range(200), key=lambda row: (sign * keys[row], row * (sign if attribute is None else 1))
    )


@pytest.mark.parametrize(
    "pair_filter",
    [
        PairFilter("TXT"),
        PairFilter("strasse"),
        PairFilter("報告"),
        PairFilter("", 0.5),
        PairFilter("", 0.0, 0.5),
        PairFilter("essay", 0.25, 0.75),
        PairFilter("nothing like it"),
    ],
)
def test_filtering_agrees_with_python(model, pair_filter):
    pairs = make_pairs(200, len(NAMES))
    folded = [name.casefold() for name in NAMES]
    measured = np.maximum(pairs.overlap_a, pairs.overlap_b)
    shares = np.maximum(pairs.containment_a, pairs.containment_b)
    shares[pairs.overlap >= 0] = measured[pairs.overlap >= 0]
    expected = [
        row
        for row in range(200)
        if any(
            pair_filter.text.casefold() in folded[document[row]] for document in (pairs.a, pairs.b)
        )
        and pairs.resemblance[row] >= pair_filter.min_resemblance
        and shares[row] >= pair_filter.min_share
    ]

    model.set_filter(pair_filter)

    assert ranks(model) == expected
    assert model.total == 200


def test_a_filter_is_asked_again_when_all_overlaps_are_known_and_not_before(model, qtbot):
    model.set_pairs(make_pairs(200, len(NAMES)).without_passages(), model.names)
    model.set_filter(PairFilter(min_share=0.5))
    table = PairsTable(model)
    qtbot.addWidget(table)
    before, unknown = ranks(model), model.unknown()
    shares = np.where(unknown % 4 == 0, 0.9, 0.1)
    same = dict.fromkeys(("overlap", "overlap_a", "overlap_b"), shares)
    chosen = [row for row, rank in enumerate(before) if rank % 4 == 0][:5]
    table.select_row(chosen[0])
    for row in chosen[1:]:
        table.selectionModel().select(model.index(row, 0), ADDED)
    picked = [before[row] for row in chosen]

    model.set_overlaps(unknown, {**same, "shared_words": np.full(200, 100)})
    assert ranks(model) == before
    model.refilter()

    assert ranks(model) == list(range(0, 200, 4))
    assert [ranks(model)[row] for row in table.selected_rows] == picked
    assert ranks(model)[table.current_row] == picked[0]


def test_sort_and_filter_work_together_in_any_order(model):
    model.sort(Column.LONGEST_RUN, DESCENDING)
    model.set_filter(PairFilter("txt", 0.4))
    rank = ranks(model)
    model.set_filter(PairFilter())
    model.sort(Column.RANK, ASCENDING)
    model.set_filter(PairFilter("txt", 0.4))
    model.sort(Column.LONGEST_RUN, DESCENDING)

    assert ranks(model) == rank
    runs = [int(pair_at(model, row).longest_run[0]) for row in range(model.rowCount())]
    assert runs == sorted(runs, reverse=True)
    assert model.shown_rows().tolist() == ranks(model)


def test_a_pair_is_found_again_by_its_key(model):
    model.sort(Column.SHARED_SHINGLES, DESCENDING)
    key = model.key_at(3)

    assert model.key_at(model.row_of(key)) == key
    assert model.row_of(key._replace(b=key.b._replace(name="no such document"))) is None
    model.set_filter(PairFilter("nothing like it"))
    assert model.row_of(key) is None


def test_persistent_indices_follow_their_pairs(model):
    kept = [QPersistentModelIndex(model.index(row, 1)) for row in (0, 17, 199)]
    before = [pair_at(model, index.row()) for index in kept]

    model.sort(Column.SHARED_SHINGLES, DESCENDING)

    for index, pair in zip(kept, before, strict=True):
        assert pair_at(model, index.row()) == pair or (
            pair_at(model, index.row()).shared_shingles[0] == pair.shared_shingles[0]
        )


def test_cells_say_what_they_mean(qtbot):
    pairs = Pairs(
        a=np.array([0], np.int32),
        b=np.array([2], np.int32),
        resemblance=np.array([0.9996]),
        containment_a=np.array([0.999]),
        containment_b=np.array([0.001]),
        estimate=np.array([0.5], np.float32),
        shared_shingles=np.array([1630], np.int32),
        longest_run=np.array([412], np.int32),
        exact_duplicate=np.array([False]),
        found_by=np.array([FoundBy.LSH | FoundBy.PASSAGE], np.uint8),
        overlap=np.array([0.875]),
        overlap_a=np.array([0.97]),
        overlap_b=np.array([0.95]),
        shared_words=np.array([142], np.int32),
    )
    model = PairsModel()
    model.set_pairs(pairs, make_names(NAMES))

    shown = {column.name: model.index(0, column).data() for column in Column}
    assert shown == shown | {
        "RANK": "1",
        "DOCUMENT_A": "Essay.txt",
        "DOCUMENT_B": "b & <b>.txt",
        "OVERLAP": "88%",
        "RESEMBLANCE": ">0.999",
        "OVERLAP_A": "97%",
        "OVERLAP_B": "95%",
        "LONGEST_RUN": "412",
        "SHARED_WORDS": "142",
        "SHARED_SHINGLES": "1,630",
        "VERDICT": "",
        "FOUND_BY": "shingles, passage",
    }


def test_an_overlap_that_was_not_measured_is_no_number(model):
    model.set_pairs(model._pairs.without_passages(), model.names)
    cell = model.index(0, Column.OVERLAP)
    assert (cell.data(), cell.data(Role.VALUE)) == ("–", None)
    assert "too many pairs" in cell.data(Qt.ItemDataRole.ToolTipRole)


def test_a_sentence_says_what_both_share_where_the_row_names_them_and_counts(model):
    share = np.full(len(model._pairs), 0.5)
    ways = np.full(len(model._pairs), FoundBy.LSH, dtype=np.uint8)
    pairs = model._pairs.with_columns(
        overlap=share, overlap_a=share, overlap_b=share / 2, found_by=ways
    )
    model.set_pairs(pairs, model.names)
    assert model.index(0, Column.OVERLAP).data(Role.VALUE) == 0.5
    for column in (Column.RANK, Column.DOCUMENT_A, Column.DOCUMENT_B, Column.OVERLAP):
        tip = model.index(0, column).data(Qt.ItemDataRole.ToolTipRole)
        assert "About half of A (50%) appears in B" in tip
        assert "It makes up 25% of B." in tip


def test_tool_tips_never_read_a_name_as_markup(model):
    row = shown(model, Column.DOCUMENT_B).index("b & <b>.txt")
    tip = model.index(row, Column.DOCUMENT_B).data(Qt.ItemDataRole.ToolTipRole)

    assert "b &amp; &lt;b&gt;.txt" in tip


def test_every_column_is_explained(model):
    for column in Column:
        tip = model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        assert tip.strip()
    assert "|A ∩ B| / |A ∪ B|" in model.headerData(
        Column.RESEMBLANCE, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    )


def test_an_invalid_index_has_nothing(model):
    assert model.data(QModelIndex()) is None
    assert model.rowCount(model.index(0, 0)) == 0


MILLION, DOCUMENTS = 1_000_000, 200_000


ROWS = 5_000


def _pairs(count: int) -> Pairs:
    zeros = {name: np.zeros(count, column.dtype) for name, column in vars(Pairs.empty()).items()}
    return Pairs(**zeros)


def _keys() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    shares = rng.random(ROWS)
    few = shares.round(2)
    few[::7] = -0.0
    few[1::7] = 0.0
    return {
        "shares": shares,
        "few shares": few,
        "single": rng.random(ROWS).astype(np.float32),
        "large": np.concatenate([shares[1:] * 1e300, [np.inf]]),
        "documents": rng.integers(0, 200_000, ROWS).astype(np.int32),
        "below zero": rng.integers(-3, 3, ROWS).astype(np.int32),
        "long": rng.integers(0, 1 << 60, ROWS),
        "bytes": rng.integers(0, 9, ROWS).astype(np.uint8),
        "one": np.full(ROWS, 0.5),
    }


@pytest.mark.parametrize("name", _keys())
@pytest.mark.parametrize("ascending", [True, False])
def test_equal_rows_keep_the_order_of_their_rank(name, ascending):
    keys = _keys()[name]
    signed = keys if ascending else -keys.astype(np.longdouble)
    expected = sorted(range(ROWS), key=lambda row: signed[row])
    assert ranked(_pairs(ROWS), keys, ascending=ascending).tolist() == expected


@pytest.mark.parametrize("count", [0, 1])
def test_next_to_no_rows_are_ordered(count):
    keys = np.zeros(count)
    assert ranked(_pairs(count), keys, ascending=False).tolist() == list(range(count))


BUOY = (
    "Nobody could say when the buoy had been painted green, or by whom, and the harbour master "
    "did not care at all about it, as long as it floated and the lamp was lit every evening. "
)


@pytest.fixture
def folder(tmp_path):
    texts = {"a.txt": f"{TREES}\n\n{BUOY}", "b.txt": f"{BUOY}\n\n{TREES}", "c.txt": TREES}
    return folder_with(tmp_path / "essays", texts)


def thumbnail_at(pairs, row):
    return pairs.index(row, Column.RANK).data(int(Role.VALUE))


def known(window):
    pairs = window.presenter.pairs
    return [row for row in range(pairs.rowCount()) if thumbnail_at(pairs, row) is not None]


def test_visible_rows_get_a_picture_of_their_passages(scanned, qtbot):
    pairs, table = scanned.presenter.pairs, scanned.pages.pairs.table
    qtbot.waitUntil(lambda: len(known(scanned)) == pairs.rowCount())

    row = next(
        row for row in range(pairs.rowCount()) if pairs.key_at(row).names == ("a.txt", "b.txt")
    )
    lines = thumbnail_at(pairs, row).lines
    assert lines.shape == (2, 4)
    (x, y, to_x, to_y), (x_2, y_2, _, _) = sorted(lines.tolist())
    assert x < to_x <= x_2
    assert y_2 < y < to_y  # the second half comes first in B

    key = pairs.key_at(row)
    pairs.swap(key)
    after = thumbnail_at(pairs, pairs.row_of(key)).lines
    assert np.array_equal(after, lines[:, [1, 0, 3, 2]])

    drawn = table.grab().toImage()
    pairs.thumbnails.clear()
    assert table.grab().toImage() != drawn


def test_visible_rows_are_measured_where_overlaps_are_not_known_and_stay(scanned, qtbot):
    pairs, result = scanned.presenter.pairs, scanned.presenter.current.result
    qtbot.waitUntil(lambda: len(known(scanned)) == pairs.rowCount())
    order = [pairs.key_at(row) for row in range(pairs.rowCount())]
    measured = [pairs.index(row, Column.OVERLAP).data() for row in range(pairs.rowCount())]

    unknown = result.pairs.without_passages()
    pairs.set_pairs(unknown, result.names, result.settings, pairs.verdicts)
    cell = pairs.index(0, Column.OVERLAP)
    assert (cell.data(), cell.data(int(Role.MARK))) == ("–", "not measured")

    def overlaps():
        return [pairs.index(row, Column.OVERLAP).data() for row in range(pairs.rowCount())]

    qtbot.waitUntil(lambda: overlaps() == measured)
    assert [pairs.key_at(row) for row in range(pairs.rowCount())] == order
    assert (unknown.overlap < 0).all()  # what reports are made of is not touched


def test_the_others_are_measured_in_the_background_and_stay_too(scanned, qtbot, monkeypatch):
    presenter, pairs = scanned.presenter, scanned.presenter.pairs
    scanned.pages.pairs.seen_rows.seen.disconnect(presenter.thumbnails.show_rows)
    pairs.swap(pairs.key_at(0))

    def overlaps():
        numbers = (Column.OVERLAP, Column.SHARED_WORDS, Column.OVERLAP_A)
        rows = range(pairs.rowCount())
        texts = [[pairs.index(row, number).data() for number in numbers] for row in rows]
        return dict(zip(map(pairs.key_at, rows), texts, strict=True))

    measured = overlaps()
    monkeypatch.setattr(reworked, "MEASURED_WORDS", 0)
    settings = presenter.current.settings
    with qtbot.waitSignal(presenter.listed):
        presenter.scans.change_settings(settings.with_changes(min_resemblance=0.11))
    order = list(overlaps())
    assert "–" in {overlap for overlap, *_ in overlaps().values()}

    qtbot.waitUntil(lambda: overlaps() == measured)
    assert list(overlaps()) == order


def test_a_filter_by_overlap_holds_once_overlaps_are_measured(scanned, qtbot, monkeypatch):
    presenter, pairs = scanned.presenter, scanned.presenter.pairs
    scanned.pages.pairs.seen_rows.seen.disconnect(presenter.thumbnails.show_rows)
    listed = presenter.current.result.pairs
    shares = np.maximum(listed.overlap_a, listed.overlap_b)
    stand_ins = np.maximum(listed.containment_a, listed.containment_b)
    differs = int(np.argmax(np.abs(shares - stand_ins)))
    least = float(shares[differs] + stand_ins[differs]) / 2
    pairs.set_filter(PairFilter(min_share=least))
    rows = pairs.rowCount()
    monkeypatch.setattr(reworked, "MEASURED_WORDS", 0)
    with qtbot.waitSignal(presenter.listed):
        presenter.scans.change_settings(
            presenter.current.settings.with_changes(min_resemblance=0.11)
        )
    assert pairs.rowCount() != rows

    qtbot.waitUntil(lambda: pairs.rowCount() == rows)


def test_pictures_are_kept_while_rows_are_sorted_and_go_with_the_list(scanned, qtbot, monkeypatch):
    session, pairs = scanned.presenter.thumbnails, scanned.presenter.pairs
    qtbot.waitUntil(lambda: len(known(scanned)) == pairs.rowCount())
    calls, result = [], scanned.presenter.current.result
    with monkeypatch.context() as patched:
        patched.setattr(
            core.evidence.passages, "find_shared_text", lambda *_: calls.append(1) or 1 / 0
        )
        scanned.pages.pairs.table.sort_by(Column.DOCUMENT_A)
        with qtbot.waitSignal(scanned.pages.pairs.seen_rows.seen):
            pass
        assert len(known(scanned)) == pairs.rowCount()
        assert calls == []

    # Only what is in sight is drawn.
    pairs.thumbnails.clear()
    qtbot.until(session.drawn, session.show_rows, 1, 2)
    assert known(scanned) == [1]

    pairs.clear()
    assert pairs.thumbnails.of(0, 1) is None
    session.show_rows(0, 3)  # late, and of another list
    assert known(scanned) == []
    assert result.names is not pairs.names


def test_the_oldest_picture_goes_first():
    thumbnails = Thumbnails()
    for number in range(MOST + 2):
        thumbnails.add((number, number + 1), Thumbnail(np.zeros((0, 4))))

    assert (1, 2) not in thumbnails
    assert (2, 3) in thumbnails


STAYING = {Column.RANK, Column.DOCUMENT_A, Column.DOCUMENT_B, Column.OVERLAP, Column.VERDICT}


@pytest.fixture
def table(qtbot):
    return qtbot.shown(PairsTable(PairsModel()))


def shown_columns(table):
    return {column for column in Column if not table.isColumnHidden(column)}


def width_at(table, *columns):
    """The narrowest table that shows these columns."""
    return next(width for width in range(300, 3000, 10) if is_shown(table, width, columns))


def is_shown(table, width, columns):
    table.resize(width, 300)
    return shown_columns(table).issuperset(columns)


@pytest.mark.parametrize("is_card", [False, True])
def test_a_long_mark_leaves_a_name_half_of_the_room(qtbot, model, monkeypatch, is_card):
    table = PairsTable(model)
    long = "Essays on lighthouses.txt"
    names = make_names([long, f"More {long}"])
    names.marks |= dict.fromkeys(range(2), "reference, and gone, and much else in words")
    model.set_pairs(make_pairs(1, 2), names)
    table.show_cards(shown=is_card)
    qtbot.shown(table, 300, 300)
    rooms = []
    drawn = rows_table.elided_name
    for module in (rows_table, pairs_table):
        monkeypatch.setattr(
            module,
            "elided_name",
            lambda metrics, name, width, *of: (
                rooms.append(width) or drawn(metrics, name, width, *of)
            ),
        )
    table.grab()

    column = Column.RANK if is_card else Column.DOCUMENT_A
    assert len(rooms) == 2
    assert min(rooms) >= (table.columnWidth(column) - 2 * rows_table.PADDING) // 2
    tip = model.index(0, column).data(Qt.ItemDataRole.ToolTipRole)
    assert "reference, and gone, and much else in words" in tip


def test_the_card_of_a_pair_that_is_not_listed_says_how_much_it_shares(qtbot, model, monkeypatch):
    """Beside a bar of a fifth it said only that nothing was found."""
    pairs = make_pairs(1, 2)
    pairs.found_by[:], pairs.overlap[:], pairs.weak_trace[:] = 0, 0.22, False
    model.set_pairs(pairs, make_names(["a.txt", "b.txt"]))
    table, drawn = PairsTable(model), []
    monkeypatch.setattr(
        pairs_table.CardDelegate, "_paint_share", lambda *arguments: drawn.append(arguments[-1])
    )
    table.show_cards(shown=True)
    qtbot.shown(table, 300, 300)
    table.grab()
    assert set(drawn) == {"22% shared · not listed"}


@pytest.mark.parametrize("file", ["essay.pdf", "final essay on inheritance.pdf"])
@pytest.mark.parametrize("room", ["…/Ada Lovel…_file/essay.pdf", "…/Ada Lov…say.pdf"])
def test_the_person_stays_in_a_name_from_a_learning_platform(qapp, file, room):
    people = ["Ada Lovelace", "Ruth Ansell", "Sam Fox", "Zoë Müller"]
    names = [f"hand-ins/{person}_12_assignsubmission_file/{file}" for person in people]
    alike = make_names(["sources/encyclopedia.txt", *names, "template.txt"]).alike
    metrics = QFontMetrics(qapp.font())
    width = metrics.horizontalAdvance(room)

    assert alike == f"hand-ins/{file}"
    for name, person in zip(names, people, strict=True):
        for beside in ("", names[0]):
            shown = rows_table.elided_name(metrics, name, width, beside, alike)
            assert shown.startswith(f"…/{person[:3]}")
            assert shown.endswith("f")
            assert metrics.horizontalAdvance(shown) <= width


def test_a_name_is_cut_to_its_room_and_keeps_the_word_that_sets_it_apart(qapp):
    metrics = QFontMetrics(labels.bold(qapp.font()))  # with ligatures, which count as one letter
    names = [f"term_sheet_{end}_ff70ffab51ffifl33ff.md" for end in ("2013-03", "2014-02")]
    for width in range(60, metrics.horizontalAdvance(names[0])):
        for name, beside, year in zip(names, reversed(names), ("2013", "2014"), strict=True):
            shown = rows_table.elided_name(metrics, name, width, beside)

            assert metrics.horizontalAdvance(shown) <= width
            assert width < 150 or year in shown


def test_the_rank_of_a_long_list_is_not_cut(table):
    table._pairs.set_pairs(make_pairs(12_345, len(NAMES)), make_names(NAMES))

    room = table.columnWidth(Column.RANK) - 2 * rows_table.PADDING
    picture = pairs_table.picture_room(table.verticalHeader().defaultSectionSize())
    assert table.fontMetrics().horizontalAdvance("● 12,345") <= room - picture


def test_a_wide_table_shows_every_column(table):
    table.resize(3000, 300)

    assert shown_columns(table) == set(Column)


def test_the_verdict_is_visible_in_the_narrowest_table_that_has_room_for_it(table):
    table.resize(300, 300)

    assert shown_columns(table) == STAYING
    table.resize(table.horizontalHeader().length() + table.width() - table.viewport().width(), 300)
    assert table.horizontalScrollBar().maximum() == 0
    last = table.columnViewportPosition(Column.VERDICT) + table.columnWidth(Column.VERDICT)
    assert last <= table.viewport().width()


def test_columns_come_back_in_the_order_in_which_they_are_asked_for(table):
    widths = [
        width_at(table, Column.OVERLAP_A),
        width_at(table, Column.LONGEST_RUN),
        width_at(table, Column.SHARED_SHINGLES),
        width_at(table, Column.FOUND_BY),
    ]

    assert widths == sorted(widths)
    assert len(set(widths)) == len(widths)


def test_a_verdict_on_an_earlier_text_is_not_cut(table):
    pairs, model = make_pairs(2, 2), table._pairs
    judged = PairVerdicts.none_on(pairs)
    not_a_match = np.full(2, VERDICTS.index(Verdict.NOT_A_MATCH), dtype=np.uint8)
    judged._columns = VerdictColumns(not_a_match, np.ones(2, np.bool_), np.ones(2, np.bool_))
    judged.had_earlier = True
    model.set_pairs(pairs, make_names(["a.txt", "b.txt"]), verdicts=judged)

    text = model.index(0, Column.VERDICT).data()
    assert "earlier text" in text
    table.resize(900, 300)
    wide = table.columnWidth(Column.VERDICT)
    table.setColumnWidth(Column.VERDICT, 80)  # no room for what is in it
    room = table.columnWidth(Column.VERDICT) - 2 * rows_table.PADDING
    assert table.fontMetrics().horizontalAdvance(text) <= room
    table.resize(640, 300)  # where names and verdicts alone have room
    assert table.horizontalScrollBar().maximum() == 0

    table.resize(900, 300)
    model.set_pairs(pairs, make_names(["a.txt", "b.txt"]))
    usual = table.columnWidth(Column.VERDICT)
    assert 80 < usual < wide  # a width that could not be had is not kept
    model.verdicts.had_earlier = True  # by an undo
    model.judged.emit()
    assert table.columnWidth(Column.VERDICT) == wide


@pytest.mark.parametrize("column", [*Column][3:])
def test_a_column_that_is_widened_hides_none(table, column):
    table.resize(width_at(table, *Column) + 100, 300)
    header, usual = table.horizontalHeader(), table.columnWidth(column)
    header.resizeSection(column, usual + 40)
    assert table.columnWidth(column) == usual + 40
    header.resizeSection(column, 5000)
    assert shown_columns(table) == {*Column}
    widest = table.columnWidth(column)
    assert usual + 40 < widest < 5000
    assert table.horizontalScrollBar().maximum() == 0

    table.resize(800, 300)
    assert shown_columns(table) != {*Column}
    table.resize(width_at(table, *Column), 300)  # as far as it was never widened
    table.resize(table.width() + 1000, 300)
    assert table.columnWidth(column) == widest
    for is_card in (True, False):
        table.show_cards(shown=is_card)
    assert table.columnWidth(column) == widest
    header.resizeSection(column, usual)
    assert table.columnWidth(column) == usual


def test_columns_have_their_widths_again_after_cards(table):
    """Columns that had no room had a width of 0 then, and drew their numbers over others."""
    header = table.horizontalHeader()
    for width in range(500, 1700, 40):
        table.resize(width, 300)
        before = [(header.sectionSize(column), header.isSectionHidden(column)) for column in Column]
        for is_card in (True, False):
            table.show_cards(shown=is_card)
            table.resize(260 if is_card else width, 300)
        after = [(header.sectionSize(column), header.isSectionHidden(column)) for column in Column]
        assert after == before
        assert all((size > 0) != is_hidden for size, is_hidden in after)


@pytest.mark.parametrize("column", [Column.SHARED_SHINGLES, Column.LONGEST_RUN, Column.FOUND_BY])
def test_a_narrowed_column_stays_while_it_is_widened_where_it_has_no_room(table, column):
    header = table.horizontalHeader()
    table.resize(3000, 300)
    usual = table.columnWidth(column)
    header.resizeSection(column, 40)
    width = width_at(table, column)
    assert not is_shown(table, width - 10, [column])
    table.resize(width, 300)
    for dragged in range(45, usual + 60, 5):
        header.resizeSection(column, dragged)
        assert column in shown_columns(table)
    widest = table.columnWidth(column)
    assert 40 <= widest < usual

    table.resize(3000, 300)
    assert table.columnWidth(column) == widest
    header.resizeSection(column, usual)
    assert table.columnWidth(column) == usual


def test_both_directions_of_the_overlap_come_and_go_together(table):
    sides = {Column.OVERLAP_A, Column.OVERLAP_B}
    seen = set()
    for width in range(300, 3000, 10):
        table.resize(width, 300)
        seen.add(frozenset(shown_columns(table) & sides))

    assert seen == {frozenset(), frozenset(sides)}

    # Beside long names that are easy to read, with why a pair is listed: on a usual screen, too.
    table._pairs.set_pairs(make_pairs(1, 2), make_names([f"{60 * letter}.txt" for letter in "ab"]))
    assert is_shown(table, width_at(table, *sides), sides)
    metrics = table.fontMetrics()
    assert table.columnWidth(Column.DOCUMENT_A) < labels.letter_width(metrics, 30)
    mark = metrics.horizontalAdvance(f"{pairs_table.longest_mark()} >0.000")
    assert table.columnWidth(Column.RESEMBLANCE) > mark


@pytest.mark.parametrize("letters", [1, 30, 60])
def test_columns_do_not_depend_on_how_wide_the_table_was(table, letters):
    names = make_names([f"{letters * letter}.txt" for letter in "ab"])
    table._pairs.set_pairs(make_pairs(1, 2), names)
    before = {}
    widths = range(300, 1800, 10)
    for width in (*widths, *reversed(widths)):
        table.resize(width, 300)
        columns = {column: table.columnWidth(column) for column in shown_columns(table)}
        assert before.setdefault(width, columns) == columns


def test_the_column_that_the_table_is_ordered_by_does_not_give_way(table):
    table.resize(300, 300)

    table.sort_by(Column.FOUND_BY)
    assert shown_columns(table) == STAYING | {Column.FOUND_BY}
    table.sort_by(Column.RANK)
    assert shown_columns(table) == STAYING
