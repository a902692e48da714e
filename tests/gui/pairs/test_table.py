"""The table of pairs: sorting and filtering against plain Python, also of a million rows."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QLocale, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from core.documents.model import Document
from core.evidence.pairs import FoundBy, Pairs
from neardup_gui.models.pairs.columns import VERDICT_ORDER, Column, PairFilter, Role
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.scan_result import DocumentNames

ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


@pytest.fixture(autouse=True)
def english_numbers():
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield
    QLocale.setDefault(before)


def pair_at(model, row):
    return model._pairs.take(model.pairs_in([row]))


def make_names(names):
    return DocumentNames(
        [Document(Path("/folder") / name, name, 1, 1, "", "text", "utf-8", 1) for name in names]
    )


def make_pairs(number, documents, seed=1):
    chance = np.random.default_rng(seed)
    first = chance.integers(0, documents - 1, number)
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
    "wanted",
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
def test_filtering_agrees_with_python(model, wanted):
    pairs = make_pairs(200, len(NAMES))
    folded = [name.casefold() for name in NAMES]
    expected = [
        row
        for row in range(200)
        if any(wanted.text.casefold() in folded[document[row]] for document in (pairs.a, pairs.b))
        and pairs.resemblance[row] >= wanted.min_resemblance
        and max(pairs.containment_a[row], pairs.containment_b[row]) >= wanted.min_containment
    ]

    model.set_filter(wanted)

    assert ranks(model) == expected
    assert model.total == 200


def test_sort_and_filter_work_together_in_any_order(model):
    model.sort(Column.LONGEST_RUN, DESCENDING)
    model.set_filter(PairFilter("txt", 0.4))
    one = ranks(model)
    model.set_filter(PairFilter())
    model.sort(Column.RANK, ASCENDING)
    model.set_filter(PairFilter("txt", 0.4))
    model.sort(Column.LONGEST_RUN, DESCENDING)

    assert ranks(model) == one
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
        "CONTAINMENT_A": ">99%",
        "CONTAINMENT_B": "<1%",
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


@pytest.fixture(scope="module")
def million(qapp):
    model = PairsModel()
    names = make_names([f"folder {n % 50}/doc_{n:06d}.txt" for n in range(DOCUMENTS)])
    model.set_pairs(make_pairs(MILLION, DOCUMENTS), names)
    return model


def test_a_million_rows_are_sorted(million):
    million.sort(Column.LONGEST_RUN, DESCENDING)

    runs = [int(million.index(row, Column.LONGEST_RUN).data()) for row in range(0, MILLION, 999)]
    assert runs == sorted(runs, reverse=True)
    assert (runs[0], runs[-1]) == (49, 1)


def test_a_million_rows_are_filtered(million):
    pairs = make_pairs(MILLION, DOCUMENTS)
    named = np.array(["99" in f"{number:06d}" for number in range(DOCUMENTS)])
    kept = (named[pairs.a] | named[pairs.b]) & (pairs.resemblance >= 0.2)

    million.set_filter(PairFilter("99", 0.2))
    assert million.rowCount() == np.count_nonzero(kept)

    million.set_filter(PairFilter())
    assert million.rowCount() == MILLION
