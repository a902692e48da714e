"""A part of a run comes to the desk with the numbers of the run, whatever is not with it."""

import json
import random
import shutil
from contextlib import ExitStack, closing
from dataclasses import fields

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.base.messages import gettext
from core.commands.main import main
from core.documents.model import Document, Member, PairKey, Role
from core.errors import ClusterError, FolderError, ReportError
from core.evidence.pairs import FoundBy, Pairs
from core.reports.formats import write_report
from core.reports.from_scan import report_of
from core.reports.pair_words import NOT_FOUND
from core.reports.report_choice import ReportChoice, Scope
from core.review import open_review, save_review
from core.review.decisions import decide
from core.review.verdicts import judge
from core.scan.flow import scan
from core.scan.judgements import Verdict
from core.scan.pair_details import with_extra_pairs
from core.scan.pair_list import FEW
from core.scan.scan import Scan
from core.scan.state import measured_again
from core.settings import ScanSettings
from core.spark.importing import WantedPairs, document_of_json, document_to_json, part_of_run
from core.spark.manifest import FinishedRun
from core.verify import record_in, verify
from tests.engine.spark.tables import WORDS, texts_with_copies, write_run
from tests.reviews import list_of, opened_scan
from tests.texts import folder_with

PLAIN = Document("/a/b.txt", "b.txt", 12, -5, "0" * 32, "text", "utf-8", 12)
FULL_DOCUMENT = Document(
    location="/a/\udce4 \n“文”.zip",
    name="文.zip/b/c.txt",
    size=2**52,
    modified_ns=2**62,
    file_hash="a" * 32,
    kind="submission",
    encoding="",
    characters=40,
    part="b/c.txt",
    remarks=("A remark.", "“Another”, with <b>."),
    text_hash="f" * 32,
    role=Role.REFERENCE,
    members=(Member("c.txt", 7, 5, 9, "b" * 32, "c" * 64), Member("d", 20, 5, 9, "b" * 32)),
    language="de",
    sha256="d" * 64,
)


@pytest.mark.parametrize("document", [PLAIN, FULL_DOCUMENT])
def test_a_document_comes_back(document):
    written = document_to_json(document)

    assert written.isascii()
    assert document_of_json(written) == document


@pytest.mark.parametrize(
    "change",
    [
        {"size": -1},
        {"size": "12"},
        {"size": True},
        {"characters": 2**60},
        {"modified_ns": 2**64},
        {"path": "/a\0"},
        {"name": 3},
        {"kind": "a\nb"},
        {"file_hash": "é"},
        {"text_hash": "xyz"},
        {"sha256": "12"},
        {"language": "<b>"},
        {"role": "king"},
        {"remarks": 5},
        {"remarks": [5]},
        {"members": [["a", 3, 1, 1, "b"]], "characters": 2},
        {"members": {"a": 1}},
    ],
)
def test_impossible_documents_are_refused(change):
    stored = json.loads(document_to_json(PLAIN)) | change

    with pytest.raises(ValueError, match=r"."):
        document_of_json(json.dumps(stored))


@pytest.mark.parametrize("column", ["", "[]", "3", "{}", "[" * 100_000, "\udce4"])
def test_what_is_no_document_is_refused(column):
    with pytest.raises(ValueError, match=r"."):
        document_of_json(column)


BANDS = ScanSettings(compare="bands", reworked="thorough")
WAYS = [field.name for field in fields(Pairs)[2:]].index("found_by")
COPIED = 7  # how many copies of the first text there are


def folder_of_texts(folder):
    """Texts of which 130 have a paragraph in common, copies, and files without text."""
    rng = random.Random(4)
    common = " ".join(rng.choice(WORDS) for _ in range(60))
    texts = texts_with_copies(170, seed=9)
    for row in range(20, 150):
        texts[row] = f"{texts[row]} {common} {rng.choice(WORDS)}"
    texts += [texts[0]] * COPIED + ["", "..."]
    folder_with(folder, {f"{row:03}.txt": text for row, text in enumerate(texts)})
    return folder


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The target of a run by bands, the scan it is made of, and its list."""
    root = tmp_path_factory.mktemp("run")
    result, pair_list = write_run(root / "target", [folder_of_texts(root / "texts")], BANDS)
    yield root / "target", result, pair_list
    result.close()


@pytest.fixture
def imported(tmp_path):
    """Makes a review of a part of a run and opens it; returns its state."""
    with ExitStack() as stack:

        def made(target, wanted_part):
            path = tmp_path / f"{len(list(tmp_path.iterdir()))}.neardup"
            assert save_review(path, part_of_run(FinishedRun(str(target)), wanted_part)) == ()
            review = stack.enter_context(open_review(path))
            assert review.notes == ()
            return review.state

        yield made


def by_name(pair_list):
    """The numbers of all pairs of a list, by the names of their documents."""
    every, names = pair_list.every, [document.name for document in pair_list.documents]
    columns = [getattr(every, field.name).tolist() for field in fields(Pairs)[2:]]
    pairs = ((names[a], names[b]) for a, b in zip(every.a.tolist(), every.b.tolist(), strict=True))
    return dict(zip(pairs, zip(*columns, strict=True), strict=True))


def test_the_run_has_cases_whose_numbers_a_part_alone_would_change(run):
    _, result, pair_list = run
    ways = pair_list.every.found_by
    assert pair_list.compared is None
    assert {FoundBy.EXACT, FoundBy.LSH | FoundBy.PASSAGE, FoundBy.REWORKED} <= set(ways.tolist())
    assert any("more than 100 of them" in note for note in pair_list.notes)
    assert (pair_list.every.reworked_bits > 0).sum() > 20
    assert len(result.problems) == 2


@pytest.mark.parametrize(
    "wanted_part",
    [WantedPairs(), WantedPairs(0.4), WantedPairs(documents="03*"), WantedPairs(0.2, "*[05].txt")],
)
def test_the_pairs_of_a_part_are_those_of_the_run_with_its_numbers(run, imported, wanted_part):
    target, _, pair_list = run
    state = imported(target, wanted_part)
    numbers_of_part = by_name(list_of(state))

    expected = {
        pair: numbers
        for pair, numbers in by_name(pair_list).items()
        if wanted_part.above is None or numbers[0] >= wanted_part.above
        if not wanted_part.documents or any(_matches(name, wanted_part.documents) for name in pair)
    }
    assert numbers_of_part == expected
    assert state.part.run.differing == 0
    assert {name for pair in numbers_of_part for name in pair} == {
        document.name for document in state.documents
    }


def _matches(name, pattern):
    return name.startswith("03") if pattern == "03*" else name[-5] in "05"


def test_alone_these_documents_would_give_other_pairs_and_numbers(run, imported, tmp_path):
    """What the tests above show of a part is not so by itself."""
    target, _, _ = run
    state = imported(target, WantedPairs(documents="03*"))
    alone = tmp_path / "alone"
    alone.mkdir()
    for document in state.documents:
        (alone / document.name).write_bytes(document.path.read_bytes())
    fresh = scan([alone], BANDS)
    part_pairs, fresh_pairs = by_name(list_of(state)), by_name(fresh.list_pairs())
    fresh.close()

    assert set(fresh_pairs) - set(part_pairs)
    assert any(part_pairs[pair] != fresh_pairs[pair] for pair in set(part_pairs) & set(fresh_pairs))


def test_other_settings_list_what_the_run_lists_of_these_pairs(run, imported):
    target, result, _ = run
    state = imported(target, WantedPairs())
    before = by_name(list_of(state))
    for changes in (
        {"min_resemblance": 0.5},
        {"bands": 16, "rows": 8},
        {"bands": 40, "rows": 3},
        {"reworked": "off"},
        {"list_passages": False},
    ):
        settings = BANDS.with_changes(**changes)
        part_pairs = by_name(list_of(state, settings))
        run_pairs = by_name(result.list_pairs(settings))

        # That a pair shares a short run by chance is not known of one that met in a band of it.
        missing = set(run_pairs) & set(before) - set(part_pairs)
        assert all(run_pairs[pair][WAYS] == FoundBy.FINGERPRINT for pair in missing), changes
        assert {pair: _but_by_chance(run_pairs[pair]) for pair in part_pairs} == {
            pair: _but_by_chance(numbers) for pair, numbers in part_pairs.items()
        }, changes


def _but_by_chance(numbers):
    ways = numbers[WAYS] & ~FoundBy.FINGERPRINT
    return (*numbers[:WAYS], ways, *numbers[WAYS + 1 :])


def test_a_lower_threshold_says_what_it_cannot_list(run, imported):
    target, _, pair_list = run
    state = imported(target, WantedPairs())

    usual = list_of(state).notes
    lower = list_of(state, BANDS.with_changes(min_resemblance=0.02)).notes

    assert usual[0] == (
        "This review is a part of a run on a cluster, “target”: "
        f"{len(pair_list.every):,} of the {len(pair_list.every):,} pairs that it listed among 177 "
        "documents, with its numbers. Other pairs are not listed; curves and forecasts are of the "
        "documents of this review alone."
    )
    assert list(usual[1:]) == [f"Of the whole run: {note}" for note in pair_list.notes]
    assert lower[1] == (
        "The run listed pairs from a resemblance of 0.1 on: below it, only pairs with a passage "
        "are known."
    )


def test_pairs_measured_again_are_measured_by_the_words_of_the_run(run, imported):
    target, _, _ = run
    state = imported(target, WantedPairs(documents="03*"))

    again = measured_again(state)

    assert not len(again.evidence.codes)
    assert by_name(list_of(again)) == by_name(list_of(state))


@pytest.mark.parametrize("documents", ["*", "150.txt"])
def test_a_pair_that_somebody_confirmed_stays_with_the_numbers_of_the_run(run, imported, documents):
    """Other pairs that the run did not list are never shown, also not of few documents."""
    target, _, _ = run
    state = imported(target, WantedPairs(documents=documents))
    every = list_of(state).every
    last = every.take([-1])
    pair = int(last.a[0]), int(last.b[0])
    key = PairKey.of(*(state.documents[number] for number in pair))
    state = decide(state, *judge(state.judgements, [key], Verdict.CONFIRMED))
    other = BANDS.with_changes(min_resemblance=0.9, list_passages=False)
    with closing(Scan.restored(state)) as part:
        before = part.list_pairs(other)
        listed = with_extra_pairs(part, before)
        choice = ReportChoice(scope=Scope.CONFIRMED)
        report = report_of(part, before, choice=choice)
        reasons = report.reasons_of(0)

    extra = listed.extra_pairs
    assert [*zip(extra.a.tolist(), extra.b.tolist(), strict=True)] == [pair]
    assert extra.figures(0) == last.figures(0)
    assert len(report.pairs) == 1
    assert reasons == (gettext(NOT_FOUND),)
    assert (len(state.documents) <= FEW) == (documents != "*")


def test_a_part_has_no_folder_to_scan_again(run, imported):
    target, result, _ = run
    state = imported(target, WantedPairs(documents="03*"))

    with pytest.raises(FolderError, match="is a part of a run on a cluster, “target”"):
        scan(list(result.folders), BANDS, previous=state)


def test_problems_come_with_what_is_asked_for(run, imported):
    target, result, _ = run
    every = imported(target, WantedPairs()).problems
    problems = imported(target, WantedPairs(documents="03*")).problems

    assert sorted(every) == sorted(problem._replace(sha256="") for problem in result.problems)
    assert problems == []


def test_missing_tables_and_documents_are_reported_in_a_sentence(run, tmp_path):
    target, _, _ = run
    with pytest.raises(ClusterError) as nothing:
        part_of_run(FinishedRun(str(target)), WantedPairs(0.999, "039*"))
    with pytest.raises(ClusterError) as nobody:
        part_of_run(FinishedRun(str(target)), WantedPairs(0.5, "nobody*"))
    with pytest.raises(ClusterError) as elsewhere:
        FinishedRun(str(tmp_path))
    (tmp_path / "run.json").write_text('{"format": "neardup run", "version": 9}')
    with pytest.raises(ClusterError) as newer:
        FinishedRun(str(tmp_path))
    (tmp_path / "run.json").write_bytes((target / "run.json").read_bytes())
    with pytest.raises(ClusterError) as half:
        part_of_run(FinishedRun(str(tmp_path)), WantedPairs())
    (tmp_path / "pairs").mkdir()
    (tmp_path / "pairs" / "part-0.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(ClusterError) as damaged:
        part_of_run(FinishedRun(str(tmp_path)), WantedPairs())

    assert str(nothing.value) == (
        "The run in “target” lists no pair from a resemblance of 0.999 on with a document "
        "named “039*”."
    )
    assert str(nobody.value).startswith(
        "No document that the run in “target” compared is named “nobody*”. Their names are like “"
    )
    assert "holds no finished run of neardup spark scan: it has no run.json." in str(
        elsewhere.value
    )
    assert "cannot be used. It is of version" in str(newer.value)
    assert "“pairs” in" in str(half.value)
    assert "cannot be read:" in str(damaged.value)
    assert all(
        error.value.args[0].isprintable()
        for error in (nothing, nobody, elsewhere, newer, half, damaged)
    )


def test_signatures_without_what_rules_set_aside_are_in_a_table_of_their_own(run, tmp_path):
    target, _, pair_list = run
    copy = shutil.copytree(target, tmp_path / "target")
    (copy / "documents").rename(copy / "counting_documents")
    every = pq.read_table(target / "documents").select(["id", "number"])
    (copy / "documents").mkdir()
    pq.write_table(every, copy / "documents" / "part.parquet")

    state = part_of_run(FinishedRun(str(copy)), WantedPairs(documents="*.txt"))

    assert len(state.part.codes) == len(pair_list.every)
    assert state.part.run.differing == 0


def test_references_and_what_is_set_aside_come_along(imported, tmp_path):
    for name, seed in (("own", 1), ("known", 2)):
        for row, text in enumerate(texts_with_copies(30, seed=seed)):
            extra = texts_with_copies(30, seed=1)[row] if row % 3 == 0 else text
            folder_with(tmp_path / name, {f"{row:02}.txt": extra})
    folders = [tmp_path / "own", tmp_path / "known"]
    result, pair_list = write_run(
        tmp_path / "target", folders, BANDS, roles=[Role.REVIEW, Role.REFERENCE]
    )
    state = imported(tmp_path / "target", WantedPairs())
    result.close()

    assert by_name(list_of(state)) == by_name(pair_list)
    assert {document.role for document in state.documents} == {Role.REVIEW, Role.REFERENCE}
    assert state.roles == (Role.REVIEW, Role.REFERENCE)


def test_copies_are_listed_as_the_run_lists_them(run, imported):
    target, _, _ = run
    state = imported(target, WantedPairs(0.99))
    every = list_of(state).every

    assert np.count_nonzero(every.exact_duplicate) >= COPIED * (COPIED + 1) // 2
    assert set(every.found_by[every.exact_duplicate].tolist()) == {FoundBy.EXACT.value}


@pytest.fixture(scope="module")
def written_run(tmp_path_factory):
    """The target of a run, the scan it is made of, and its list."""
    root = tmp_path_factory.mktemp("run")
    texts = enumerate(texts_with_copies(60, seed=9))
    folder_with(root / "texts", {f"{row:03}.txt": text for row, text in texts})
    settings = ScanSettings(compare="bands", reworked="off")
    result, pair_list = write_run(root / "target", [root / "texts"], settings)
    yield root / "target", result, pair_list
    result.close()


def judge_first(path):
    """Confirm the first pair of a review; returns its state before, and the key of the pair."""
    with open_review(path) as review:
        state = review.state
        every = list_of(state).every
        key = PairKey.of(*(state.documents[column[0]] for column in (every.a, every.b)))
        save_review(path, decide(state, *judge(state.judgements, [key], Verdict.CONFIRMED)))
    return state, key


def test_the_command_keeps_decisions_and_leaves_other_reviews_alone(
    written_run, tmp_path, neardup, capsys
):
    target, result, pair_list = written_run
    path, other_review = tmp_path / "part.neardup", tmp_path / "other.neardup"
    output = neardup("import", target, path, "--documents", "03*", "--above", "0.2").out
    state, key = judge_first(path)
    save_review(other_review, result.state)
    before = other_review.read_bytes()

    assert main(["import", str(target), str(path), "--quiet"]) == 0
    assert main(["import", str(target), str(other_review)]) == 1
    assert main(["import", str(target), str(path), "--above", "2"]) == 2
    with open_review(path) as review:
        again = review.state

    assert output.startswith(f"Imported: {len(state.part.codes)} pairs of ")
    assert "Note: This review is a part of a run on a cluster, “target”" in output
    assert (
        " documents, those from a resemblance of 0.2 on with a document named “03*”, with its "
        "numbers. " in output
    )
    assert len(again.part.codes) == len(pair_list.every)
    assert again.judgements.verdicts[key].verdict is Verdict.CONFIRMED
    assert other_review.read_bytes() == before
    out, err = capsys.readouterr()
    assert out == ""
    assert "“other.neardup” is a review of something else than the run “target”" in err


def test_another_run_of_the_same_name_is_told_from_this_one(written_run, tmp_path, capsys):
    target, _, _ = written_run
    path = tmp_path / "part.neardup"
    moved = shutil.copytree(target, tmp_path / "moved")
    second_target = shutil.copytree(target, tmp_path / "other" / target.name)
    manifest_text = (second_target / "run.json").read_text("utf-8")
    (second_target / "run.json").write_text(
        manifest_text.replace('"begun": "', '"begun": "2026-11-23'), "utf-8"
    )
    command = ["--above", "0.9", "--quiet"]
    assert main(["import", str(target), str(path), *command]) == 0
    assert main(["import", str(moved), str(path), *command]) == 0
    before = path.read_bytes()

    assert main(["import", str(second_target), str(path), *command]) == 1

    assert path.read_bytes() == before
    assert "is a review of another run, “moved”, and not of that in “target”" in (
        capsys.readouterr().err
    )


@pytest.fixture(scope="module")
def judged(written_run, tmp_path_factory):
    """The bytes of a review of the whole run in which a pair was judged."""
    target, _, _ = written_run
    path = tmp_path_factory.mktemp("judged") / "part.neardup"
    assert main(["import", str(target), str(path), "--quiet"]) == 0
    judge_first(path)
    return path.read_bytes()


@pytest.fixture
def copied(written_run, judged, tmp_path):
    """A copy of the run, and a review of it in which a pair was judged."""
    path = tmp_path / "part.neardup"
    path.write_bytes(judged)
    return shutil.copytree(written_run[0], tmp_path / "target"), path


def with_column(table, name, values):
    return table.set_column(table.column_names.index(name), name, values)


def columns(**changes):
    """A damage that puts into columns what is made of the rows of the table."""

    def damage(table):
        rows, types = table.to_pylist(), table.schema
        for name, change in changes.items():
            values = pa.array([change(row) for row in rows], types.field(name).type)
            table = with_column(table, name, values)
        return table

    return damage


def documents(change):
    """A damage that says something else of each document."""

    def changed(row):
        document = row["document"] and json.loads(row["document"])
        return document and json.dumps(document | change(document))

    return columns(document=changed)


def halved(row):
    return row["signature"] and row["signature"][: len(row["signature"]) // 2]


DAMAGES = {
    "pairs twice": lambda table: pa.concat_tables([table, table.slice(0, 3)]),
    "pairs with themselves": columns(a=lambda row: row["b"]),
    "pairs with swapped ends": columns(a=lambda row: row["b"], b=lambda row: row["a"]),
    "pairs without a channel": columns(found_by=lambda row: -1),
    "pairs surer than sure": columns(estimate=lambda row: float("nan")),
    "pairs without numbers": columns(a=lambda row: None),
    "documents of the same name": documents(lambda old: {"name": "a.txt"}),
    "documents of endless names": documents(lambda old: {"name": old["name"] + "a" * 1_100_000}),
    "documents that are longer": documents(lambda old: {"characters": old["characters"] + 1}),
    "documents of the same number": lambda table: with_column(
        table, "number", pa.repeat(table["number"][0], len(table))
    ),
    "documents of half signatures": columns(signature=halved),
    "collection of many pairs": lambda table: with_column(table, "pairs", pa.array(["many"])),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_run_replaces_no_review(copied, judged, capsys, damage):
    (copy, path), name = copied, damage.split()[0]
    table = pq.read_table(copy / name)
    shutil.rmtree(copy / name)
    (copy / name).mkdir()
    pq.write_table(DAMAGES[damage](table), copy / name / "part.parquet")

    assert main(["import", str(copy), str(path), "--quiet"]) == 1

    assert path.read_bytes() == judged
    errors = capsys.readouterr().err
    assert "“target”" in errors
    assert "damaged" in errors or "lacks documents" in errors


@pytest.mark.parametrize("seed", range(40))
def test_bits_that_flipped_in_a_run_cost_no_verdict(copied, judged, capsys, seed):
    copy, path = copied
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


def test_pages_with_checksums_are_held_against_them(copied, judged, capsys):
    """As Spark writes them: then a text in which a letter was changed is damaged, too."""
    copy, path = copied
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
def test_rows_of_a_table_are_in_its_folder(written_run, tmp_path, name):
    """A run names sources and their tables by addresses, in which nothing is escaped."""
    target, _, _ = written_run
    copy, folder = shutil.copytree(target, tmp_path / "target"), tmp_path / name
    manifest = json.loads((copy / "run.json").read_text(encoding="utf-8"))
    manifest["sources"][0]["place"] = f"file:{folder.as_posix()}"
    (copy / "run.json").write_text(json.dumps(manifest), encoding="utf-8")
    for part in (copy / "documents").iterdir():
        rows = pq.read_table(part)
        texts = [
            text and json.dumps({**json.loads(text), "path": f"file:{folder.as_posix()}"})
            for text in rows.column("document").to_pylist()
        ]
        index = rows.column_names.index("document")
        pq.write_table(rows.set_column(index, "document", pa.array(texts, pa.string())), part)

    path = tmp_path / "part.neardup"
    assert main(["import", str(copy), str(path), "--quiet"]) == 0
    with open_review(path) as review:
        state = review.state

    assert state.folders == (folder,)
    assert {document.path for document in state.documents} == {folder}


def test_a_report_of_a_part_says_that_no_files_can_check_it(written_run, tmp_path):
    target, _, _ = written_run
    path, report = tmp_path / "part.neardup", tmp_path / "report.json"
    assert main(["import", str(target), str(path), "--quiet"]) == 0
    with opened_scan(path) as opened:
        write_report(report, report_of(opened, opened.list_pairs()))
    seal = record_in(report).seal

    with pytest.raises(ReportError, match=f"part of a run on a cluster.* Its seal {seal} is the"):
        verify(report, [target.parent / "texts"])
    with pytest.raises(ReportError, match="What differs: another seal was noted"):
        verify(report, [target.parent / "texts"], seal="00")


def test_a_report_with_names_withheld_does_not_name_the_run(written_run, tmp_path):
    target, _, _ = written_run
    path, report = tmp_path / "part.neardup", tmp_path / "report.json"
    assert main(["import", str(target), str(path), "--quiet", "--documents", "03*"]) == 0
    with opened_scan(path) as opened:
        report_value = report_of(opened, opened.list_pairs(), choice=ReportChoice(names=False))
        write_report(report, report_value)

    notes = json.loads(report.read_text(encoding="utf-8"))["notes"]
    assert any(note.startswith("This review is a part of a run on a cluster: ") for note in notes)
    assert not any("target" in note or "03*" in note for note in notes)
