"""What Spark reads is what one machine reads: the same documents, signed the same, in one order."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.documents.model import Role
from core.scan.flow import scan
from core.settings import ScanSettings
from core.spark.columns import signed_of
from core.spark.file_system import Stages
from core.spark.importing import document_of_json
from core.spark.manifest import RunOptions
from core.spark.sources import read
from tests.engine.spark.tables import texts_with_copies

SETTINGS = ScanSettings()
TEXTS = {
    **{f"{row:02d}.txt": text for row, text in enumerate(texts_with_copies(12))},
    "Zoë.txt": "Die Maschine wob ein Muster, wie der Webstuhl Blumen webt. " * 9,
    "文.txt": "機械は模様を織るが、織機は花と葉を織る。" * 30,
    "few.txt": "two words",
    "none.txt": "!!! ...",
    "blank.txt": " \n ",
}


@pytest.fixture
def folder(tmp_path):
    """A folder of texts, some of them below it or hidden, with files that give none."""
    top = tmp_path / "essays"
    (top / "b").mkdir(parents=True)
    for number, (name, text) in enumerate(TEXTS.items()):
        (top / ("b" if number % 3 else "") / name).write_text(text, "utf-8", newline="\r\n")
    (top / "page.html").write_text(f"<title>T</title><p>{TEXTS['03.txt']}</p>", "utf-8")
    (top / "film.mp4").write_bytes(b"\0\0\0\x18ftypmp42" + bytes(600))
    (top / ".hidden.txt").write_text("not to be seen")
    return top


def tables(spark, tmp_path, sources, options=RunOptions()):  # noqa: B008 - it never changes
    """The documents and problems of some sources, and the notes."""
    stages = Stages(spark, f"file:{tmp_path}/run")
    found = read(spark, stages, [str(one) for one in sources], SETTINGS, options)
    documents = found.documents.orderBy("number").toArrow()
    return documents, found.problems.orderBy("id").toArrow(), found.notes


def same_documents(table, expected):
    assert table.column("text").to_pylist() == list(expected.texts)
    assert [*map(document_of_json, table.column("document").to_pylist())] == expected.documents
    assert table.column("language").to_pylist() == [one.language for one in expected.documents]
    assert table.column("characters").to_pylist() == list(map(len, expected.texts))
    same_signed(table, expected.state.signed)


def same_signed(table, expected):
    signed = signed_of(table, SETTINGS)
    for name in ("units", "digests", "signatures"):
        np.testing.assert_array_equal(getattr(signed, name), getattr(expected, name))
    for name in ("fingerprints", "skip_grams"):
        np.testing.assert_array_equal(getattr(signed, name).values, getattr(expected, name).values)
        np.testing.assert_array_equal(getattr(signed, name).counts, getattr(expected, name).counts)


def same_problems(table, expected):
    said = [(one["code"], one["detail"], one["limit"]) for one in table.to_pylist()]
    ordered = sorted(expected, key=lambda one: one.name)
    assert table.column("id").to_pylist() == [one.name for one in ordered]
    assert said == [(str(one.code), one.detail, one.limit) for one in ordered]


def test_a_folder_gives_the_documents_of_a_scan(spark, folder, tmp_path):
    with_pool = scan([folder], SETTINGS)
    try:
        documents, problems, notes = tables(spark, tmp_path, [folder])
        same_documents(documents, with_pool)
        same_problems(problems, with_pool.problems)
    finally:
        with_pool.close()
    assert documents.column("id").to_pylist() == [one.name for one in with_pool.documents]
    assert all(documents.column("reviewed").to_pylist())
    assert notes == []


def test_two_folders_have_their_names_and_roles(spark, folder, tmp_path):
    other = tmp_path / "b" / "essays"
    other.mkdir(parents=True)
    (other / "own.txt").write_text(TEXTS["05.txt"])
    roles = (Role.REVIEW, Role.REFERENCE, Role.REFERENCE)
    sources = [folder, other, folder / "b"]
    expected = scan(sources, SETTINGS, roles=roles)
    try:
        documents, _, _ = tables(spark, tmp_path, sources, RunOptions(roles=roles))
        same_documents(documents, expected)
    finally:
        expected.close()
    of_reference = [one.role is not Role.REVIEW for one in expected.documents]
    assert [not one for one in documents.column("reviewed").to_pylist()] == of_reference
    assert any(of_reference)


def written(kind, place, rows):
    """A table of ids and texts, in two files."""
    place.mkdir()
    for number, part in enumerate((rows[::2], rows[1::2])):
        file = place / f"part-{number}.{kind}"
        if kind == "parquet":
            ids, texts = zip(*part, strict=True)
            pq.write_table(pa.table({"n": range(len(ids)), "text": texts, "id": ids}), file)
        elif kind == "jsonl":
            lines = (json.dumps({"id": own, "text": text, "more": [1]}) for own, text in part)
            file.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        else:
            quoted = ('"' + text.replace('"', '""') + '"' for _, text in part)
            lines = (f"{own},{text},x\n" for (own, _), text in zip(part, quoted, strict=True))
            file.write_text("id,text,more\n" + "".join(lines), "utf-8")


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "csv"])
def test_a_table_gives_the_same_in_the_order_of_its_ids(spark, tmp_path, kind):
    files = tmp_path / "files"
    files.mkdir()
    for name, text in TEXTS.items():
        (files / name).write_bytes(text.encode())
    table = tmp_path / "table"
    written(kind, table, [*reversed(TEXTS.items())])
    expected = scan([files], SETTINGS)
    try:
        documents, problems, notes = tables(spark, tmp_path, [table])
        assert documents.column("id").to_pylist() == [one.name for one in expected.documents]
        assert documents.column("text").to_pylist() == list(expected.texts)
        same_signed(documents, expected.state.signed)
        names = sorted(one.name for one in expected.problems)
        assert problems.column("id").to_pylist() == names
    finally:
        expected.close()
    first = document_of_json(documents.column("document")[0].as_py())
    assert first.part == first.name == documents.column("id")[0].as_py()
    assert first.path == Path(f"file:{table}")
    assert len(notes) == 1
    assert "table" in notes[0]


def test_rows_that_give_no_text_are_problems(spark, tmp_path):
    table = tmp_path / "rows.jsonl"
    good = TEXTS["01.txt"]
    lines = [
        json.dumps({"id": 10, "text": good}),
        json.dumps({"id": 9, "text": None}),
        json.dumps({"id": "only id"}),
        "this is no JSON",
        json.dumps({"id": "cut", "text": good})[:90],
        json.dumps({"id": "\\", "text": "\ufeff" + good.replace(" ", "\r\n")}),
    ]
    table.write_text("\n".join(lines), "utf-8")

    documents, problems, _ = tables(spark, tmp_path, [table])

    assert documents.column("id").to_pylist() == ["10", "\\"]
    assert documents.column("text").to_pylist() == [good, good.replace(" ", "\n")]
    codes = {one["id"]: one["code"] for one in problems.to_pylist()}
    assert codes.pop("9") == codes.pop("only id") == "empty"
    assert list(codes.values()) == ["damaged", "damaged"]
    assert any("this is no JSON" in name for name in codes)


@pytest.mark.parametrize(
    "names", [",id,text", "n,id,text,n", "Text,id,text", '"n\nm",id,text,', "\ufeff,id,text,,"]
)
def test_columns_without_a_name_of_their_own_are_passed_over(spark, tmp_path, names):
    """What pandas writes has a first column without a name."""
    table, width = tmp_path / "table", names.count(",") + 1
    table.mkdir()
    for file in ("x", "y"):
        rows = [["0", f"{file}{row}", f'"some, {row}\nwords"', "3", "4"] for row in range(3)]
        lines = [names, *(",".join(row[:width]) for row in rows), f"{file} alone", ""]
        (table / f"{file} 1.csv").write_text("\n".join(lines), "utf-8")

    documents, problems, _ = tables(spark, tmp_path, [table])

    assert documents.column("id").to_pylist() == ["x0", "x1", "x2", "y0", "y1", "y2"]
    assert documents.column("text").to_pylist() == [f"some, {row}\nwords" for row in range(3)] * 2
    told = [(one["code"], one["id"].rpartition(" ")[2]) for one in problems.to_pylist()]
    assert told == [("damaged", "alone")] * 2


def test_files_come_before_the_rows_of_tables(spark, folder, tmp_path):
    written("parquet", tmp_path / "table", [("10", TEXTS["01.txt"]), ("9", TEXTS["02.txt"])])

    documents, problems, _ = tables(spark, tmp_path, [tmp_path / "table", folder])

    ids = documents.column("id").to_pylist()
    assert ids[-2:] == ["table/10", "table/9"]
    assert ids[:-2] == sorted(ids[:-2])
    assert all(one.startswith("essays/") for one in (*ids[:-2], *problems["id"].to_pylist()))
