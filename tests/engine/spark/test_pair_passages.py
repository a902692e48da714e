"""The passages of pairs on Spark are those that a report has of them."""

import pyarrow as pa
import pytest

from core.evidence.passages import find_shared_text
from core.evidence.reworked_store import learn_words
from core.evidence.word_model import WordModel
from core.settings import ScanSettings
from core.spark import evidence
from core.spark.evidence import CellLimits, FindingPassages, with_passages
from core.spark.file_system import Stages
from core.text.languages import detect
from core.text.shingling import word_beginnings
from tests.engine.spark.tables import (
    documents,
    documents_table,
    number_of,
    row_of,
    texts_with_copies,
)
from tests.engine.spark.test_numbers import ASIDE, OneMachine, cells_of

NAMES = [one.name for one in evidence.PASSAGE]
CHINESE = "春眠不觉晓处处闻啼鸟夜来风雨声花落知多少床前明月光疑是地上霜举头望明月低头思故乡"


def texts_of_all_kinds():
    texts = texts_with_copies(24, words=100)
    return [*texts, texts[0].upper(), texts[4], CHINESE * 3, f"白日依山尽{CHINESE}", ""]


def model_of(texts, settings):
    words = word_beginnings(texts, settings, {})
    return learn_words(words.values, words.offsets).to_bytes()


def wanted_passages(texts, settings, model, a, b):
    """What the record of a report says of a pair (`core.reports.record.writing`)."""
    shared = find_shared_text(
        texts[a],
        texts[b],
        settings,
        set_aside=(ASIDE.get(a, ()), ASIDE.get(b, ())),
        folder=model and WordModel.from_bytes(model),
        languages=(detect(texts[a]) or None, detect(texts[b]) or None),
    )
    return [
        tuple(one.moved_words if name == "moved" else getattr(one, name) for name in NAMES)
        for one in shared.passages
    ]


@pytest.mark.parametrize("settings", [ScanSettings(), ScanSettings(reworked="off")])
@pytest.mark.parametrize(("cells", "size"), [(1, 1000), (5, 3)])
def test_spans_and_words_are_those_of_a_report(settings, cells, size):
    texts = texts_of_all_kinds()
    model = None if settings.reworked == "off" else model_of(texts, settings)
    x, y = [0, 0, 1, 3, 25, 26, 7, 5, 4], [24, 1, 2, 7, 4, 27, 7, 20, 0]
    pairs = pa.table({"x": [number_of(one) for one in x], "y": [number_of(one) for one in y]})
    table = documents_table(texts, settings, aside=ASIDE)
    rows = cells_of(pairs, table, cells, ["number", "text", "aside", "language"])

    found = FindingPassages(settings, model)(iter(rows.to_batches(max_chunksize=size)))

    found = pa.Table.from_batches(found).to_pylist()
    assert len(found) == len(x)
    for row in found:
        a, b = row_of(row["x"]), row_of(row["y"])
        wanted = wanted_passages(texts, settings, model, a, b)
        assert [tuple(one[name] for name in NAMES) for one in row["passages"]] == wanted
    assert sum(map(len, (row["passages"] for row in found))) > 5


def test_pairs_of_copies_have_the_spans_of_their_own_texts(spark, tmp_path, monkeypatch):
    monkeypatch.setattr(evidence, "LIMITS", CellLimits(text=4000, work=4000, rereads=True))
    texts, settings = [*texts_of_all_kinds(), "  " + texts_of_all_kinds()[4]], ScanSettings()
    one = OneMachine(texts, settings, aside=ASIDE)
    listed = one.listed.take(one.listed.found_by > 0)
    stages = Stages(spark, tmp_path.as_uri())
    frame = stages.table("documents", lambda: documents(spark, texts, settings, aside=ASIDE))
    columns = {
        "a": number_of(listed.a.astype("int64")),
        "b": number_of(listed.b.astype("int64")),
        "resemblance": listed.resemblance,
    }
    pairs = spark.createDataFrame(pa.table(columns))

    table = with_passages(stages, pairs, frame, settings, one.reworked.model)

    rows = table.collect()
    assert len(rows) == len(listed)
    for row in rows:
        a, b = row_of(row["a"]), row_of(row["b"])
        wanted = wanted_passages(texts, settings, one.reworked.model, a, b)
        assert [tuple(passage[name] for name in NAMES) for passage in row["passages"]] == wanted
    asked = spark.read.parquet(f"{tmp_path.as_uri()}/_passages").count()
    assert 0 < asked < len(listed)
