"""`neardup import`: a review is replaced by another part of its run only, with what was decided."""

import json
import random
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.commands.main import main
from core.documents.model import PairKey
from core.errors import ReportError
from core.reports.choice import ReportChoice
from core.reports.formats import write_report
from core.reports.from_scan import report_of
from core.reports.record.embedded import record_in
from core.review import open_review, save_review
from core.review.decisions import decide
from core.review.verdicts import judge
from core.scan.judgements import Verdict
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.verify import verify
from tests.engine.spark.tables import texts_with_copies
from tests.engine.spark.targets import write_run
from tests.engine.spark.test_importing import listed


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The target of a run, the scan it is made of, and its list."""
    root = tmp_path_factory.mktemp("run")
    (root / "texts").mkdir()
    for row, text in enumerate(texts_with_copies(60, seed=9)):
        (root / "texts" / f"{row:03}.txt").write_text(text, encoding="utf-8")
    settings = ScanSettings(compare="bands", reworked="off")
    whole, found = write_run(root / "target", [root / "texts"], settings)
    yield root / "target", whole, found
    whole.close()


def test_the_command_keeps_what_was_decided_and_leaves_other_reviews_alone(run, tmp_path, capsys):
    target, whole, found = run
    path, other = tmp_path / "part.neardup", tmp_path / "other.neardup"
    assert main(["import", str(target), str(path), "--documents", "03*", "--above", "0.2"]) == 0
    said = capsys.readouterr().out
    with open_review(path) as review:
        state = review.state
        every = listed(state).every
        key = PairKey.of(*(state.documents[one[0]] for one in (every.a, every.b)))
        save_review(path, decide(state, *judge(state.judgements, [key], Verdict.CONFIRMED)))
    save_review(other, whole.state)
    before = other.read_bytes()

    assert main(["import", str(target), str(path), "--quiet"]) == 0
    assert main(["import", str(target), str(other)]) == 1
    assert main(["import", str(target), str(path), "--above", "2"]) == 2
    with open_review(path) as review:
        again = review.state

    assert said.startswith(f"Imported: {len(state.part.codes)} pairs of ")
    assert "Note: This review is a part of a run on a cluster, “target”" in said
    assert (
        " documents, those from a resemblance of 0.2 on with a document named “03*”, with its "
        "numbers. " in said
    )
    assert len(again.part.codes) == len(found.every)
    assert again.judgements.verdicts[key].verdict is Verdict.CONFIRMED
    assert other.read_bytes() == before
    out, err = capsys.readouterr()
    assert out == ""
    assert "“other.neardup” is a review of something else than the run “target”" in err


def test_another_run_of_the_same_name_is_told_from_this_one(run, tmp_path, capsys):
    target, _, _ = run
    path = tmp_path / "part.neardup"
    moved = shutil.copytree(target, tmp_path / "moved")
    other = shutil.copytree(target, tmp_path / "other" / target.name)
    told = (other / "run.json").read_text("utf-8")
    (other / "run.json").write_text(told.replace('"begun": "', '"begun": "2026-11-23'), "utf-8")
    command = ["--above", "0.9", "--quiet"]
    assert main(["import", str(target), str(path), *command]) == 0
    assert main(["import", str(moved), str(path), *command]) == 0
    before = path.read_bytes()

    assert main(["import", str(other), str(path), *command]) == 1

    assert path.read_bytes() == before
    assert "is a review of another run, “moved”, and not of that in “target”" in (
        capsys.readouterr().err
    )


@pytest.fixture(scope="module")
def judged(run, tmp_path_factory):
    """The bytes of a review of the whole run in which a pair was judged."""
    target, _, _ = run
    path = tmp_path_factory.mktemp("judged") / "part.neardup"
    assert main(["import", str(target), str(path), "--quiet"]) == 0
    with open_review(path) as review:
        state = review.state
        every = listed(state).every
        key = PairKey.of(*(state.documents[one[0]] for one in (every.a, every.b)))
        save_review(path, decide(state, *judge(state.judgements, [key], Verdict.CONFIRMED)))
    return path.read_bytes()


def twice(table):
    return pa.concat_tables([table, table.slice(0, 3)])


def with_itself(table):
    return with_column(table, "a", table.column("b"))


def the_other_way(table):
    a, b = table.column("a"), table.column("b")
    return with_column(with_column(table, "a", b), "b", a)


def found_in_no_way(table):
    return with_column(table, "found_by", pa.array([-1] * len(table), pa.int8()))


def surer_than_sure(table):
    return with_column(table, "estimate", pa.array([float("nan")] * len(table), pa.float32()))


def without_numbers(table):
    return with_column(table, "a", pa.nulls(len(table), pa.int64()))


def all_of_one_name(table):
    return with_documents(table, lambda one: {**one, "name": "a.txt"})


def of_endless_names(table):
    return with_documents(table, lambda one: {**one, "name": one["name"] + "a" * 1_100_000})


def of_other_lengths(table):
    return with_documents(table, lambda one: {**one, "characters": one["characters"] + 1})


def of_one_number(table):
    number = table.column("number")[0].as_py()
    return with_column(table, "number", pa.array([number] * len(table), pa.int64()))


def of_half_signatures(table):
    halves = [one and one[: len(one) // 2] for one in table.column("signature").to_pylist()]
    return with_column(table, "signature", pa.array(halves, pa.binary()))


def with_column(table, name, values):
    return table.set_column(table.column_names.index(name), name, values)


def with_documents(table, change):
    told = [one and json.dumps(change(json.loads(one))) for one in table["document"].to_pylist()]
    return with_column(table, "document", pa.array(told, pa.string()))


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("pairs", twice),
        ("pairs", with_itself),
        ("pairs", the_other_way),
        ("pairs", found_in_no_way),
        ("pairs", surer_than_sure),
        ("pairs", without_numbers),
        ("documents", all_of_one_name),
        ("documents", of_endless_names),
        ("documents", of_other_lengths),
        ("documents", of_one_number),
        ("documents", of_half_signatures),
        ("collection", lambda table: with_column(table, "pairs", pa.array(["many"]))),
    ],
)
def test_a_damaged_run_replaces_no_review(run, judged, tmp_path, capsys, name, damage):
    target, _, _ = run
    copy, path = shutil.copytree(target, tmp_path / "target"), tmp_path / "part.neardup"
    path.write_bytes(judged)
    table = pq.read_table(copy / name)
    shutil.rmtree(copy / name)
    (copy / name).mkdir()
    pq.write_table(damage(table), copy / name / "part.parquet")

    assert main(["import", str(copy), str(path), "--quiet"]) == 1

    assert path.read_bytes() == judged
    said = capsys.readouterr().err
    assert "“target”" in said
    assert "damaged" in said or "lacks documents" in said


@pytest.mark.parametrize("seed", range(40))
def test_bits_that_flipped_in_a_run_cost_no_verdict(run, judged, tmp_path, capsys, seed):
    target, _, _ = run
    copy, path = shutil.copytree(target, tmp_path / "target"), tmp_path / "part.neardup"
    path.write_bytes(judged)
    rng = random.Random(seed)
    file = rng.choice(sorted(copy.glob("*/*.parquet")))
    data = bytearray(file.read_bytes())
    for _ in range(2):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    file.write_bytes(data)

    status = main(["import", str(copy), str(path), "--quiet"])

    assert status == 0 or path.read_bytes() == judged
    assert status == 0 or capsys.readouterr().err.startswith("neardup: ")
    with open_review(path, verify=True) as review:
        assert len(review.state.judgements.verdicts) == 1


def test_pages_with_checksums_are_held_against_them(run, judged, tmp_path, capsys):
    """As Spark writes them: then a text in which a letter was changed is damaged, too."""
    target, _, _ = run
    copy, path = shutil.copytree(target, tmp_path / "target"), tmp_path / "part.neardup"
    path.write_bytes(judged)
    word = pq.read_table(copy / "documents")["text"].to_pylist()[0].split()[3].encode()
    for file in (copy / "documents").iterdir():
        pq.write_table(
            pq.read_table(file), file, compression="none", use_dictionary=False,
            write_statistics=False, write_page_checksum=True,
        )  # fmt: skip
        file.write_bytes(file.read_bytes().replace(word, word.swapcase()))

    assert main(["import", str(copy), str(path), "--quiet"]) == 1

    assert path.read_bytes() == judged
    assert "“documents” in “target” cannot be read:" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["texts", "50%25 a#b?c"])
def test_rows_of_a_table_are_in_its_folder(run, tmp_path, name):
    """A run names sources and their tables by addresses, in which nothing is escaped."""
    target, _, _ = run
    copy, folder = shutil.copytree(target, tmp_path / "target"), tmp_path / name
    told = json.loads((copy / "run.json").read_text(encoding="utf-8"))
    told["sources"][0]["place"] = f"file:{folder.as_posix()}"
    (copy / "run.json").write_text(json.dumps(told), encoding="utf-8")
    for part in (copy / "documents").iterdir():
        rows = pq.read_table(part)
        texts = [
            one and json.dumps({**json.loads(one), "path": f"file:{folder.as_posix()}"})
            for one in rows.column("document").to_pylist()
        ]
        place = rows.column_names.index("document")
        pq.write_table(rows.set_column(place, "document", pa.array(texts, pa.string())), part)

    path = tmp_path / "part.neardup"
    assert main(["import", str(copy), str(path), "--quiet"]) == 0
    with open_review(path) as review:
        state = review.state

    assert state.folders == (folder,)
    assert {one.path for one in state.documents} == {folder}


def test_a_report_of_a_part_says_that_no_files_can_check_it(run, tmp_path):
    target, _, _ = run
    path, report = tmp_path / "part.neardup", tmp_path / "report.json"
    assert main(["import", str(target), str(path), "--quiet"]) == 0
    with open_review(path) as review:
        opened = Scan.restored(review.state)
        write_report(report, report_of(opened, opened.list_pairs()))
        opened.close()
    seal = record_in(report).seal.computed

    with pytest.raises(ReportError, match=f"part of a run on a cluster.* Its seal {seal} is the"):
        verify(report, [target.parent / "texts"])
    with pytest.raises(ReportError, match="What differs: another seal was noted"):
        verify(report, [target.parent / "texts"], seal="00")


def test_a_report_with_names_withheld_does_not_name_the_run(run, tmp_path):
    target, _, _ = run
    path, report = tmp_path / "part.neardup", tmp_path / "report.json"
    assert main(["import", str(target), str(path), "--quiet", "--documents", "03*"]) == 0
    with open_review(path) as review:
        opened = Scan.restored(review.state)
        said = report_of(opened, opened.list_pairs(), choice=ReportChoice(names=False))
        write_report(report, said)
        opened.close()

    notes = json.loads(report.read_text(encoding="utf-8"))["notes"]
    assert any(one.startswith("This review is a part of a run on a cluster: ") for one in notes)
    assert not any("target" in one or "03*" in one for one in notes)
