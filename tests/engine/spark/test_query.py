"""Queries to a finished run: the answers are those of one machine."""

import argparse
import json
import random
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from core.commands import spark as spark_command
from core.commands.query import rows_of
from core.documents.model import Document
from core.errors import ClusterError
from core.scan.measured_pairs import affordable_pairs
from core.scan.query import TextIndex
from core.scan.reworked import MEASURED_ALL
from core.settings import ScanSettings
from core.spark.file_system import Stages
from core.spark.importing import document_to_json
from core.spark.manifest import Manifest, RunResult
from core.spark.query import keep_for_queries, query
from tests.engine.spark.tables import WORDS, documents, number_of, texts_with_copies
from tests.pairs import corpus_of

BANDS = ScanSettings(compare="bands", min_resemblance=0.3)
SIMHASH = ScanSettings(signature="simhash", max_distance=6, reworked="thorough", min_passage=40)
NUMBERS = ("resemblance", "containment_a", "containment_b", "estimate")
COUNTS = ("shared_shingles", "longest_run", "run_words", "found_by")


@pytest.fixture(scope="module")
def texts():
    """Documents with copies, quotations and a form that stands in most of them."""
    rng = random.Random(11)
    form = " ".join(rng.choice(WORDS) for _ in range(60))
    plain = texts_with_copies(160, seed=4, words=90)
    return [f"{form} {text}" if row % 5 else text for row, text in enumerate(plain)]


def texts_to_query(texts):
    rng = random.Random(12)
    first, second = texts[21].split(), texts[43].split()
    reworked = [word for word in first[60:130] if rng.random() > 0.2]
    return [
        texts[30],
        " ".join(word if rng.random() > 0.05 else rng.choice(WORDS) for word in first),
        " ".join([*(rng.choice(WORDS) for _ in range(40)), *second[-50:], *reworked]),
        " ".join(rng.choice(WORDS) for _ in range(50)),
        "… !",
        texts[1][:400],
        f"{texts[50]} {texts[51]}",
    ]


def document_of(name):
    """What the table of documents says of a file."""
    return document_to_json(Document(f"folder/{name}", name, 1, 1, "0" * 32, "text", "", 1))


class DocumentNamed:
    """The fields of a document that a row of an answer has."""

    def __init__(self, row):
        self.name = name_of(row)


def name_of(row):
    return f"{row:05d}.txt"


def run_of(spark, target, corpus, texts, settings):
    """The tables that a finished run on these texts leaves, from one machine."""
    stages = Stages(spark, target)
    table = documents(spark, texts, settings, partitions=1).toArrow()
    index = table.column_names.index("document")
    names = [document_of(name) for name in table.column("id").to_pylist()]
    frame = spark.createDataFrame(table.set_column(index, "document", [names])).repartition(2)
    stages.table("documents", lambda: frame)
    passages = corpus.shared_passages()
    more = {
        "number": number_of((passages.more & np.uint64(2**24 - 1)).astype(np.int64)),
        "key": (passages.more >> np.uint64(24)).view(np.int64),
    }
    chosen = spark.createDataFrame(pa.table(more))
    stages.table("chosen_instead", lambda: chosen)
    with_words = [number_of(int(row)) for row in corpus.distinct()]
    limit = corpus.reworked.candidates().limit if settings.reworked != "off" else 0
    shared = SimpleNamespace(avoided=passages.avoided, more=None)
    keep_for_queries(stages, frame, frame.where(frame.number.isin(with_words)), shared, limit)
    model = corpus.folder_words()
    rows = len(with_words)
    row = {
        "pairs": [rows * (rows - 1) // 2],
        "compared_all": [affordable_pairs(corpus, settings) is not None],
        "model": [model.to_bytes() if model else b""],
    }
    stages.table("collection", lambda: spark.createDataFrame(pa.table(row)))


def test_texts_are_like_what_one_machine_says(spark, texts, tmp_path, pool, monkeypatch):
    monkeypatch.setitem(MEASURED_ALL, "auto", 0)  # as in a run of many documents
    corpus = corpus_of(texts, BANDS, pool)
    run_of(spark, str(tmp_path), corpus, texts, BANDS)
    index = TextIndex(corpus, BANDS)
    queries = texts_to_query(texts)

    answers = list(query(spark, str(tmp_path), queries, BANDS))

    assert len(answers) == len(queries)
    count = 0
    for text, answer in zip(queries, answers, strict=True):
        expected = index.matches(text)
        assert answer.ids == [name_of(row) for row in expected.b]
        for name in (*NUMBERS, *COUNTS):
            np.testing.assert_array_equal(
                getattr(answer.matches, name), getattr(expected, name), name
            )
        count += len(answer.ids)
    assert count > 20
    assert not answers[4].ids


def test_the_command_line_asks_about_files(spark, texts, tmp_path, pool, capsys, monkeypatch):
    """A run by bits, of which all pairs were compared; the command prints and writes answers."""
    corpus = corpus_of(texts, SIMHASH, pool)
    run_of(spark, f"{tmp_path}/run", corpus, texts, SIMHASH)
    result = RunResult(len(texts), 0, 0, 0)
    manifest = Manifest(settings=SIMHASH, result=result, finished="2026-01-01T00:00:00Z")
    (tmp_path / "run" / "run.json").write_text(manifest.as_json())
    index, names = TextIndex(corpus, SIMHASH), [DocumentNamed(row) for row in range(len(texts))]
    queries = [text for text in texts_to_query(texts) if index.matches(text).b.size]
    files = [tmp_path / f"new {number}.txt" for number in range(len(queries))]
    for file, text in zip(files, queries, strict=True):
        file.write_text(text)
    monkeypatch.setattr(spark_command, "session_from", lambda _options: nullcontext(spark))
    parser = argparse.ArgumentParser()
    spark_command.add_query_options(parser)
    written = tmp_path / "answers.json"

    options = parser.parse_args([f"{tmp_path}/run", *map(str, files), "--json", str(written)])
    assert options.run(options) == 0

    answers = json.loads(written.read_text())
    for answer, text in zip(answers, queries, strict=True):
        for match in answer["matches"]:
            assert match.pop("id") == match["document"]
        assert answer["matches"] == rows_of(names, index.matches(text))
    assert "new 0.txt: like " in capsys.readouterr().out


def test_of_many_copies_the_first_are_named_and_all_are_counted(spark, texts, tmp_path, pool):
    many = [*texts[:40], *[texts[3]] * 9, *[texts[5]] * 4]
    settings = BANDS.with_changes(reworked="off")
    corpus = corpus_of(many, settings, pool)
    run_of(spark, str(tmp_path), corpus, many, settings)
    index = TextIndex(corpus, settings)
    same = [row for row, text in enumerate(many) if text == texts[3]]

    before = spark.sparkContext._jsc.getPersistentRDDs().size()
    answer, copied = query(spark, str(tmp_path), [texts[3], texts[20]], settings, 5)

    every = index.matches(texts[3])
    alike = np.array([many[row] for row in every.b])
    kept = np.ones(len(alike), dtype=bool)
    for text in set(alike.tolist()):
        kept[np.flatnonzero(alike == text)[5:]] = False
    assert answer.ids == [name_of(row) for row in every.b[kept]]
    assert answer.ids[:5] == [name_of(row) for row in same[:5]]
    np.testing.assert_array_equal(answer.matches.resemblance, every.resemblance[kept])
    assert answer.copies_left_out == np.count_nonzero(~kept) >= len(same) - 5
    assert len(copied.ids) + copied.copies_left_out == len(index.matches(texts[20]).b)
    assert spark.sparkContext._jsc.getPersistentRDDs().size() == before


def test_a_run_by_rarity_is_refused(spark, tmp_path):
    settings = ScanSettings(signature="simhash", weights="tf-idf")

    with pytest.raises(ClusterError, match="tf-idf"):
        list(query(spark, str(tmp_path), ["a text"], settings))


def test_a_run_without_tables_to_look_up_is_refused_in_a_sentence(spark, tmp_path):
    with pytest.raises(ClusterError, match=r"has no table “documents” to look texts up in"):
        list(query(spark, str(tmp_path / "run"), ["a text"], BANDS))
