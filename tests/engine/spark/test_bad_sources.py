"""Sources that cannot be used are refused in one sentence that says which and why."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from py4j.protocol import Py4JError

from core.documents.model import Role
from core.errors import ClusterError, FolderError
from core.spark.manifest import RunOptions
from core.spark.session import sentence_of
from core.spark.sources.kinds import Kind, kind_of_names
from tests.engine.spark.test_sources import tables


def rows(place, ids, **columns):
    pq.write_table(pa.table({"id": ids, **columns}), place)
    return place


def refused(spark, tmp_path, sources, options=RunOptions(), kind=ClusterError):  # noqa: B008
    with pytest.raises(kind) as caught:
        tables(spark, tmp_path, sources, options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_what_is_no_table_of_texts_is_refused(spark, tmp_path):
    def said(name, ids, **columns):
        return refused(spark, tmp_path, [rows(tmp_path / f"{name}.parquet", ids, **columns)])

    assert "no column “text”" in (no_text := said("a", ["x"], body=["y"], n=[1]))
    assert "“id”, “body” and “n”" in no_text
    assert "--text-column" in no_text
    assert "holds no texts" in said("b", ["x"], text=[5])
    assert "neither names nor whole numbers" in said("c", [1.5], text=["y"])
    unsigned = pa.array([1, 2], pa.uint64())
    (tmp_path / "unsigned").mkdir()
    table = rows(tmp_path / "unsigned" / "f.parquet", unsigned, text=["some words"] * 2)
    documents, _, _ = tables(spark, tmp_path / "unsigned", [table])
    assert documents.column("id").to_pylist() == ["1", "2"]
    lines = tmp_path / "d.jsonl"
    lines.write_text(json.dumps({"name": "x", "text": "y"}))
    assert "“name” and “text”" in refused(spark, tmp_path, [lines])
    broken = tmp_path / "e.parquet"
    broken.write_bytes(b"PAR1" + bytes(100))
    assert "e.parquet" in refused(spark, tmp_path, [broken])


def test_ids_must_tell_rows_apart(spark, tmp_path):
    ids = ["b", "a", "b", "c", "c", "c", "d"]
    table = rows(tmp_path / "a.parquet", ids, text=["some words"] * 7)

    said = refused(spark, tmp_path, [table])

    assert "3 rows" in said
    assert "“b”" in said
    assert "“c”" in said
    nameless = rows(tmp_path / "b.parquet", ["a", None], text=["some words"] * 2)
    assert "1 row" in refused(spark, tmp_path / "other", [nameless])


def test_places_that_cannot_be_read_are_refused(spark, tmp_path):
    table = rows(tmp_path / "a.parquet", ["a"], text=["some words"])
    for source in (tmp_path / "nothing", "file:/nothing/there", tmp_path / "no.parquet"):
        assert "does not exist" in refused(
            spark, tmp_path, [source], kind=(ClusterError, FolderError)
        )
    assert "No FileSystem" in refused(spark, tmp_path, ["nosuch://host/folder"])
    assert "same rows" in refused(spark, tmp_path, [table, f"file:{table}"])
    references = RunOptions(roles=(Role.REFERENCE,))
    assert "to review" in refused(spark, tmp_path, [table], references, FolderError)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (Kind.PARQUET, ["year=2024/part-0.snappy.parquet", "_SUCCESS", ".part-0.crc"]),
        (Kind.JSON, ["a.jsonl", "b/c.JSONL.gz", "c4.00001.json.gz", "d.ndjson.zst"]),
        (Kind.CSV, ["a.csv", "b.csv.bz2"]),
        (Kind.TSV, ["a.tsv"]),
        (Kind.FILES, []),
        (Kind.FILES, ["a.json"]),
        (Kind.FILES, ["a.parquet", "b.csv"]),
        (Kind.FILES, ["a.csv", "read me.txt"]),
        (Kind.FILES, ["a.parquet.gz"]),
        (Kind.FILES, ["_a.parquet"]),
    ],
)
def test_a_folder_is_a_table_where_all_its_files_are_of_one_kind(kind, names):
    assert kind_of_names("“x”", names) is kind


def test_a_table_whose_log_says_what_counts_is_refused():
    with pytest.raises(ClusterError, match="Delta Lake"):
        kind_of_names("“x”", ["part-0.parquet", "_delta_log/0.json"])


def test_files_of_one_table_with_other_headers_are_refused(spark, tmp_path):
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "a.csv").write_text("id,text\n1,some words\n")
    (tmp_path / "table" / "b.csv").write_text("text,id\nother words,2\n")

    with pytest.raises(Py4JError) as caught:
        tables(spark, tmp_path, [tmp_path / "table"])

    assert "has other columns than the files beside it" in str(sentence_of(caught.value))


def test_first_lines_that_spark_would_not_compare_are_refused_too(spark, tmp_path):
    table = tmp_path / "table"
    table.mkdir()
    (table / "a 1.csv").write_text(",id,text\n0,1,some words\n")
    for other in ("id,,text", ",id,text,", ",text,id", "0,1,other words"):
        (table / "b 2.csv").write_text(f"{other}\n")
        said = refused(spark, tmp_path, [table])
        assert "name different columns, as that of “" in said
        assert said.count(" 1.csv” does") + said.count(" 2.csv” does") == 1
    (table / "b 2.csv").unlink()
    (table / "a 1.csv").write_text("id,text,text\n1,some words,others\n")
    assert "has 2 columns “text”" in refused(spark, tmp_path, [table])
