"""What Spark reads is what one machine reads: the same documents, signed the same, in one order."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from py4j.protocol import Py4JError

from core.documents.model import Role
from core.documents.reading_settings import ReadingSettings
from core.errors import ClusterError, FolderError
from core.evidence.passages import PairText
from core.exclusions.rules import NO_RULES, ExclusionRules, Phrase
from core.scan.submissions import submissions_in_words
from core.settings import ScanSettings
from core.spark import evidence, exclusions
from core.spark.columns import signed_of
from core.spark.evidence import ReadTexts
from core.spark.file_system import Kind, Source, Stages, kind_of_names
from core.spark.importing import document_of_json
from core.spark.manifest import RunOptions
from core.spark.reading import read, rows_of
from core.spark.session import sentence_of
from core.text.set_aside import GAP, Reason, SetAside
from core.text.store import TextStore
from tests.archives import zipped
from tests.engine.spark.tables import texts_with_copies
from tests.texts import folder_with

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
    result = read(spark, stages, [str(source) for source in sources], SETTINGS, options)
    documents = result.documents.orderBy("number").toArrow()
    return documents, result.problems.orderBy("id").toArrow(), result.notes


def same_documents(table, expected):
    assert table.column("text").to_pylist() == list(expected.texts)
    assert [*map(document_of_json, table.column("document").to_pylist())] == expected.documents
    assert table.column("language").to_pylist() == [
        document.language for document in expected.documents
    ]
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
    facts = [
        (problem["code"], problem["detail"], problem["limit"]) for problem in table.to_pylist()
    ]
    ordered = sorted(expected, key=lambda problem: problem.name)
    assert table.column("id").to_pylist() == [problem.name for problem in ordered]
    assert facts == [(str(problem.code), problem.detail, problem.limit) for problem in ordered]


def test_a_folder_gives_the_documents_of_a_scan(spark, folder, tmp_path, open_scan):
    with_pool = open_scan([folder], SETTINGS)
    documents, problems, notes = tables(spark, tmp_path, [folder])
    same_documents(documents, with_pool)
    same_problems(problems, with_pool.problems)
    assert documents.column("id").to_pylist() == [document.name for document in with_pool.documents]
    assert all(documents.column("reviewed").to_pylist())
    assert notes == []


def test_two_folders_have_their_names_and_roles(spark, folder, tmp_path, open_scan):
    second_folder = folder_with(tmp_path / "b" / "essays", {"own.txt": TEXTS["05.txt"]})
    roles = (Role.REVIEW, Role.REFERENCE, Role.REFERENCE)
    sources = [folder, second_folder, folder / "b"]
    expected = open_scan(sources, SETTINGS, roles=roles)
    documents, _, _ = tables(spark, tmp_path, sources, RunOptions(roles=roles))
    same_documents(documents, expected)
    of_reference = [document.role is not Role.REVIEW for document in expected.documents]
    assert [not reviewed for reviewed in documents.column("reviewed").to_pylist()] == of_reference
    assert any(of_reference)


def written(kind, folder, rows):
    """A table of ids and texts, in two files."""
    folder.mkdir()
    for number, part in enumerate((rows[::2], rows[1::2])):
        file = folder / f"part-{number}.{kind}"
        if kind == "parquet":
            ids, texts = zip(*part, strict=True)
            pq.write_table(pa.table({"n": range(len(ids)), "text": texts, "id": ids}), file)
        elif kind == "jsonl":
            lines = (
                json.dumps({"id": document_id, "text": text, "more": [1]})
                for document_id, text in part
            )
            file.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        else:
            quoted = ('"' + text.replace('"', '""') + '"' for _, text in part)
            lines = (
                f"{document_id},{text},x\n"
                for (document_id, _), text in zip(part, quoted, strict=True)
            )
            file.write_text("id,text,more\n" + "".join(lines), "utf-8")


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "csv"])
def test_a_table_gives_the_same_in_the_order_of_its_ids(spark, tmp_path, kind, open_scan):
    files = folder_with(tmp_path / "files")
    for name, text in TEXTS.items():
        (files / name).write_bytes(text.encode())
    table = tmp_path / "table"
    written(kind, table, [*reversed(TEXTS.items())])
    expected = open_scan([files], SETTINGS)
    documents, problems, notes = tables(spark, tmp_path, [table])
    assert documents.column("id").to_pylist() == [document.name for document in expected.documents]
    assert documents.column("text").to_pylist() == list(expected.texts)
    same_signed(documents, expected.state.signed)
    names = sorted(problem.name for problem in expected.problems)
    assert problems.column("id").to_pylist() == names
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
    codes = {problem["id"]: problem["code"] for problem in problems.to_pylist()}
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

    source = Source(str(table), f"file:{table}", table, Kind.CSV, Role.REVIEW, "")
    rows = rows_of(spark, source, "id", "text").collect()

    texts_of_rows = sorted((row.id, row.text) for row in rows if row.damaged is None)
    texts = [f"some, {row}\nwords" for row in range(3)] * 2
    assert texts_of_rows == list(zip(["x0", "x1", "x2", "y0", "y1", "y2"], texts, strict=True))
    assert [row.damaged.rpartition(" ")[2] for row in rows if row.damaged] == ["alone"] * 2


def test_files_come_before_the_rows_of_tables(spark, folder, tmp_path):
    written("parquet", tmp_path / "table", [("10", TEXTS["01.txt"]), ("9", TEXTS["02.txt"])])

    documents, problems, _ = tables(spark, tmp_path, [tmp_path / "table", folder])

    ids = documents.column("id").to_pylist()
    assert ids[-2:] == ["table/10", "table/9"]
    assert ids[:-2] == sorted(ids[:-2])
    assert all(
        document_id.startswith("essays/")
        for document_id in (*ids[:-2], *problems["id"].to_pylist())
    )


def rows(path, ids, **columns):
    pq.write_table(pa.table({"id": ids, **columns}), path)
    return path


def refused(spark, tmp_path, sources, options=RunOptions(), kind=ClusterError):  # noqa: B008
    with pytest.raises(kind) as caught:
        tables(spark, tmp_path, sources, options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_what_is_no_table_of_texts_is_refused(spark, tmp_path):
    def refusal(name, ids, **columns):
        return refused(spark, tmp_path, [rows(tmp_path / f"{name}.parquet", ids, **columns)])

    assert "no column “text”" in (no_text := refusal("a", ["x"], body=["y"], n=[1]))
    assert "“id”, “body” and “n”" in no_text
    assert "--text-column" in no_text
    assert "holds no texts" in refusal("b", ["x"], text=[5])
    assert "neither names nor whole numbers" in refusal("c", [1.5], text=["y"])
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


def test_ids_must_be_unique(spark, tmp_path):
    ids = ["b", "a", "b", "c", "c", "c", "d"]
    table = rows(tmp_path / "a.parquet", ids, text=["some words"] * 7)

    message = refused(spark, tmp_path, [table])

    assert "(3)" in message
    assert "“b”" in message
    assert "“c”" in message
    nameless = rows(tmp_path / "b.parquet", ["a", None], text=["some words"] * 2)
    assert "to read: 1." in refused(spark, tmp_path / "other", [nameless])


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
    assert kind_of_names("x", names) is kind


def test_a_table_whose_log_says_what_counts_is_refused():
    with pytest.raises(ClusterError, match="Delta Lake"):
        kind_of_names("x", ["part-0.parquet", "_delta_log/0.json"])


def test_files_of_one_table_with_other_headers_are_refused(spark, tmp_path):
    tables_of = {"a.csv": "id,text\n1,some words\n", "b.csv": "text,id\nother words,2\n"}
    folder_with(tmp_path / "table", tables_of)

    with pytest.raises(Py4JError) as caught:
        tables(spark, tmp_path, [tmp_path / "table"])

    assert "has other columns than the files beside it" in str(sentence_of(caught.value))


def test_first_lines_that_spark_would_not_compare_are_refused_too(spark, tmp_path):
    table = folder_with(tmp_path / "table", {"a 1.csv": ",id,text\n0,1,some words\n"})
    for first_line in ("id,,text", ",id,text,", ",text,id", "0,1,other words"):
        (table / "b 2.csv").write_text(f"{first_line}\n")
        message = refused(spark, tmp_path, [table])
        assert "name different columns, as that of “" in message
        assert message.count(" 1.csv” does") + message.count(" 2.csv” does") == 1
    (table / "b 2.csv").unlink()
    (table / "a 1.csv").write_text("id,text,text\n1,some words,others\n")
    assert "has 2 columns “text”" in refused(spark, tmp_path, [table])


COVER = "University of Somewhere\nDeclaration of own work signed by me here\nName: {}\n\n"
QUOTE = "“{}” she said."
REFERENCES = (
    "\n\nReferences\n\nLovelace, A. (1843). Notes. Taylor.\nBabbage, C. (1864). Passages.\n"
)


def essays(top, count=14):
    """Essays with a cover sheet, headings, a quotation, a list of references, a common passage."""
    top.mkdir(parents=True)
    texts = texts_with_copies(count, seed=4)
    common = " ".join(texts[0].split()[:30])
    for row, text in enumerate(texts):
        words = text.split()
        quoted = QUOTE.format(" ".join(words[:12]))
        essay = f"{COVER.format(words[-1])}\n\nIntroduction\n\n{text}\n\n{quoted}\n"
        more = f"\n{common}\n" if row % 3 == 0 else ""
        (top / f"{row:02d}.txt").write_text(essay + more + REFERENCES, "utf-8")
    return texts


def test_rules_and_templates_set_aside_the_same(spark, tmp_path, open_scan):
    texts = essays(tmp_path / "essays")
    template = tmp_path / "assignment.txt"
    template.write_text(" ".join(texts[3].split()[10:60]) + ". And some words of its own.")
    folder_with(tmp_path / "old", {"copy.txt": texts[5]})
    phrase = Phrase(" ".join(texts[7].split()[5:12]), Reason.ASSIGNMENT)
    rules = ExclusionRules(
        quotations=True, bibliography=True, repeated=True, common=4, phrases=(phrase,)
    )
    sources = [tmp_path / "essays", template, tmp_path / "old"]
    roles = (Role.REVIEW, Role.TEMPLATE, Role.REFERENCE)
    expected = open_scan(sources, SETTINGS, roles=roles).with_rules(rules)
    options = RunOptions(rules=rules, roles=roles)
    documents, _, _ = tables(spark, tmp_path, sources, options)
    same_documents(documents, expected)
    spans = {
        row: tuple((span["start"], span["end"], Reason(span["reason"])) for span in spans)
        for row, spans in enumerate(documents.column("aside").to_pylist())
        if spans
    }
    assert spans == dict(expected.set_aside)
    reasons = {reason for spans_of_document in spans.values() for _, _, reason in spans_of_document}
    assert reasons == {
        *(Reason.QUOTATION, Reason.BIBLIOGRAPHY, Reason.REPEATED),
        *(Reason.COMMON, Reason.ASSIGNMENT, Reason.TEMPLATE),
    }


def test_more_common_grams_than_memory_holds_are_refused(spark, tmp_path, monkeypatch):
    essays(tmp_path / "essays", 4)
    monkeypatch.setattr(exclusions, "MOST_GRAMS", 3)

    with pytest.raises(ClusterError, match="common="):
        tables(spark, tmp_path, [tmp_path / "essays"], RunOptions(rules=ExclusionRules(common=2)))


def test_submissions_are_the_same_documents(spark, tmp_path, open_scan):
    top = tmp_path / "handed in"
    texts = texts_with_copies(6, seed=9)
    for text, name in zip(texts, ("Ada", "Charles"), strict=False):
        (top / name / "more").mkdir(parents=True)
        (top / name / "essay.txt").write_text(text)
        (top / name / "more" / "film.mp4").write_bytes(b"\0\0\0\x18ftypmp42" + bytes(600))
        (top / name / "more" / "notes.txt").write_text(texts[5])
    files = {"essay.txt": texts[1], "deep/notes.html": f"<p>{texts[2]}</p>"}
    (top / "Grace.zip").write_bytes(zipped(files))
    (top / "alone.txt").write_text(texts[4])
    reading = ReadingSettings(archives=True, submissions=True)
    expected = open_scan([top], SETTINGS, reading=reading)
    options = RunOptions(reading=reading, rules=NO_RULES)
    documents, problems, notes = tables(spark, tmp_path, [top], options)
    same_documents(documents, expected)
    same_problems(problems, expected.problems)
    spans_column = documents.column("aside").to_pylist()
    assert [bool(spans) for spans in spans_column] == [
        bool(document.members) for document in expected.documents
    ]
    assert notes == list(submissions_in_words(expected.documents, reading))
    assert notes


def test_files_on_other_systems_are_read_as_here(spark, tmp_path, open_scan):
    """A view of local disks is another file system to Hadoop: nothing is read by path."""
    top = tmp_path / "far" / "handed [in]"
    texts = texts_with_copies(6, seed=9)
    for text, name in zip(texts, ("Ada", "Zoë 100%"), strict=False):
        (top / name / "more").mkdir(parents=True)
        (top / name / "essay.txt").write_text(text)
        (top / name / "more" / "page.html").write_text(f"<p>{text[:300]}</p>")
    (top / "Grace.zip").write_bytes(zipped({"essay.txt": texts[2], "notes.txt": texts[3]}))
    (top / "alone.txt").write_text(texts[4])
    (top / "empty.txt").write_text("")
    (top / ".hidden.txt").write_text(texts[5])
    conf = spark.sparkContext._jsc.hadoopConfiguration()
    conf.set("fs.viewfs.mounttable.far.link./all", f"file:{tmp_path}/far")
    source = "viewfs://far/all/handed [in]"
    reading = ReadingSettings(archives=True, submissions=True)
    expected = open_scan([top], SETTINGS, reading=reading)
    (top / "_SUCCESS").write_text("")
    (top / "_own.txt").write_text(texts[5])
    options = RunOptions(reading=reading)
    documents, problems, notes = tables(spark, tmp_path, [source], options)
    assert documents.column("text").to_pylist() == list(expected.texts)
    same_signed(documents, expected.state.signed)
    documents_read = [document_of_json(text) for text in documents.column("document").to_pylist()]
    source_path = str(Path(source))
    times = dict.fromkeys(["modified_ns"], 0)
    assert [document._replace(**times, members=()) for document in documents_read] == [
        document._replace(
            **times, members=(), location=document.location.replace(str(top), source_path)
        )
        for document in expected.documents
    ]
    assert [[member[:3] for member in document.members] for document in documents_read] == [
        [member[:3] for member in document.members] for document in expected.documents
    ]
    codes = {problem["id"]: problem["code"] for problem in problems.to_pylist()}
    assert codes == {"_SUCCESS": "empty", "_own.txt": "failed", "empty.txt": "empty"}
    assert notes[0].startswith("One folder is one submission: 6 files")


COMPARED_TEXTS = ["one two three four", "five six seven", "eight nine ten eleven twelve"]


def test_texts_are_read_once_and_those_of_long_ago_are_let_go(monkeypatch):
    """With what is set aside in them, and in the language that was found."""
    read = []
    monkeypatch.setattr(
        evidence, "PairText", lambda text, *more: read.append(text) or PairText(text, *more)
    )
    store, order = TextStore(), [0, 1, 0, 2, 0]
    store.extend(COMPARED_TEXTS)
    store.exclude_spans({1: [SetAside(5, 8, Reason.QUOTATION)]})
    for kept, count in ((evidence.KEPT, 3), (len("".join(COMPARED_TEXTS[:2])), 4), (1, 5)):
        monkeypatch.setattr(evidence, "KEPT", kept)
        texts = ReadTexts(store, ["en", None, ""], SETTINGS)
        read.clear()
        assert [texts[row].text for row in order] == [COMPARED_TEXTS[n] for n in order]
        assert len(read) == count
    assert (texts[1].values == GAP).tolist() == [False, True, False]
    assert not (texts[0].values == GAP).any()
    assert texts[0].language == "en"
    assert texts[2].language == PairText(COMPARED_TEXTS[2], SETTINGS).language
