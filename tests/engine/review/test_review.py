"""A scan comes back from its review file as it was saved, and saving writes only what is new."""

import json
import os
import re
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
import xxhash
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.tasks import Stage, cancelled_by
from core.base.wording import printable_name
from core.commands.main import main
from core.documents.model import Document, PairKey, Problem, ProblemCode, Role
from core.errors import ReviewError, ScanCancelledError, SettingsError
from core.exclusions.rules import NO_RULES, ExclusionRules
from core.reports.formats import write_report
from core.reports.from_scan import report_of
from core.review import database as schema
from core.review import is_up_to_date, open_review, save_review
from core.review.database import connect
from core.review.header import READING, SIGNING, settings_of
from core.review.sidecar_files import file_state
from core.review.validation import ReadBudget, at_most, harden, watched
from core.review.verdicts import set_aside
from core.scan.flow import scan
from core.scan.judgements import Judgements, WrittenNote
from core.scan.state import ScanState
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.text.identity import text_hashes
from core.text.store import BatchSource
from tests.bench.crafted_reviews import ENDLESS, whole_review
from tests.engine.scan.test_scan import StopAfter
from tests.pairs import corpus_of
from tests.reviews import ReviewLog, opened_scan, scanned_state, state_in
from tests.texts import folder_with

FOLDER = Path("/documents")
SETTINGS = ScanSettings(k=2, reworked="off")
CAREFUL = ScanSettings(k=2, reworked="careful")
slow = settings(derandomize=True, max_examples=25)

NAMES = st.text(min_size=1, max_size=8).filter(
    lambda name: "/" not in name and "\0" not in name and name not in {".", ".."}
)

CORPORA = st.dictionaries(NAMES, st.text(max_size=40) | st.sampled_from(["a b c", "a b d"]))


def document(name, text, *, folder=FOLDER, modified_ns=1):
    data = text.encode("utf-8", "surrogatepass")
    return Document(
        location=str(folder / name),
        name=printable_name(name),
        size=len(data),
        modified_ns=modified_ns,
        file_hash=xxhash.xxh3_128_hexdigest(data),
        kind="text",
        encoding="utf-8",
        characters=len(text),
        text_hash=text_hashes([text])[0],
    )


def state(texts, *, settings=SETTINGS, pairs=(), problems=(), folders=(FOLDER,), documents=None):
    """A scan of texts by name; `pairs` are (x, y) by position, and are measured."""
    names = sorted(texts, key=printable_name)
    contents = [texts[name] for name in names]
    return ScanState(
        settings=settings,
        folders=tuple(folders),
        documents=documents or [document(name, texts[name]) for name in names],
        problems=[
            Problem(printable_name(name), ProblemCode.EMPTY, printable_name(detail))
            for name, detail in problems
        ],
        signed=sign_texts(contents, settings),
        texts=contents,
        evidence=measured(contents, settings, sorted(pairs)),
    )


def measured(texts, settings, pairs):
    """The evidence of pairs (x, y)."""
    x, y = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    with ThreadPoolExecutor(1) as pool:
        corpus = corpus_of(texts, settings, pool)
        corpus.evidence.measured(x, y)
        return corpus.evidence.state()


def numbered(count, *, first=0, words=40):
    """Texts that have most words in common with their neighbours."""
    return {
        f"{n:04}.txt": f"own{n} " + " ".join(f"w{(n // 3 + index) % 97}" for index in range(words))
        for n in range(first, first + count)
    }


def ring(count):
    """Every document with the next one."""
    return [(number, number + 1) for number in range(count - 1)]


def assert_same(first, second):
    """Two states have the same values; texts are read."""
    assert first.settings == second.settings
    assert first.folders == second.folders
    assert list(first.documents) == list(second.documents)
    assert list(first.problems) == list(second.problems)
    assert list(first.texts) == list(second.texts)
    for left, right in zip(columns(first), columns(second), strict=True):
        assert left.dtype == right.dtype
        np.testing.assert_array_equal(left, right)


def columns(state):
    signed, evidence = state.signed, state.evidence
    prints = (*signed.fingerprints, *signed.skip_grams)
    return [*signed[:3], *prints, evidence.codes, *evidence.overlap, evidence.sizes]


def rows(path, query):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def assert_saved(path, expected):
    with open_review(path) as review:
        assert review.notes == ()
        assert_same(review.state, expected)
        assert review.state.texts.lengths.tolist() == [len(text) for text in expected.texts]


@slow
@given(st.lists(CORPORA, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_any_sequence_of_scans_is_saved_as_it_is(tmp_path_factory, corpora, random):
    path = tmp_path_factory.mktemp("reviews") / "a.neardup"
    for texts in corpora:
        count = len(texts)
        pairs = {tuple(sorted(random.sample(range(count), 2))) for _ in range(min(count - 1, 5))}
        problems = [(name, name) for name in texts if random.random() < 0.2]
        settings = random.choice([SETTINGS, CAREFUL])
        expected = state(texts, settings=settings, pairs=pairs, problems=problems)
        save_review(path, expected)
        assert_saved(path, expected)
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    "text", ["", "\0", "a\0b", "\udc80 \ud800", "naïve 漢字 😀\n" * 70_000, "x" * 3_000_000]
)
def test_a_text_comes_back_whatever_it_is(tmp_path, text):
    expected = state({"a": text, "b": "other"})
    save_review(tmp_path / "a.neardup", expected)

    assert_saved(tmp_path / "a.neardup", expected)


def test_a_scan_restored_from_a_file_lists_the_same_pairs(tmp_path):
    folder = folder_with(tmp_path / b"caf\xe9 '\"\n".decode("utf-8", "surrogateescape"))
    folder_with(folder, numbered(40))
    (folder / "copy.txt").write_text(numbered(1)["0000.txt"])
    (folder / "none.txt").write_text("")
    done = scan([folder], SETTINGS)
    before = done.pairs()
    save_review(tmp_path / "a.neardup", done.state)
    with opened_scan(tmp_path / "a.neardup") as again:
        assert_same(again.state, done.state)
        pair_list = again.list_pairs()
        after = pair_list.pairs
        write_report(tmp_path / "report.html", report_of(again, pair_list))
    report = (tmp_path / "report.html").read_text()
    assert "0000.txt" in report
    assert "none.txt" in report
    done.close()

    assert len(before) > 20
    for name in ("a", "b", "resemblance", "shared_shingles", "longest_run", "found_by"):
        assert getattr(before, name).tolist() == getattr(after, name).tolist()


def test_a_text_with_a_broken_byte_comes_back(tmp_path):
    folder = folder_with(tmp_path / "folder")
    (folder / "cut.txt").write_bytes("The words of a café in Zürich, cut short: ü".encode()[:-1])
    with closing(scan([folder], SETTINGS)) as done:
        assert "damaged" in done.documents[0].encoding
        save_review(tmp_path / "a.neardup", done.state)
        with open_review(tmp_path / "a.neardup") as review:
            assert_same(review.state, done.state)


def test_a_text_that_is_stored_is_not_read_again(path):
    save_review(path, state(numbered(30), pairs=ring(30)))
    more = state(numbered(33), pairs=ring(33))
    asked_positions = []

    class Watched(list):
        def __getitem__(self, position):
            asked_positions.append(position)
            return super().__getitem__(position)

    save_review(path, more._replace(texts=Watched(more.texts)))

    assert sorted(asked_positions) == [30, 31, 32]
    assert_saved(path, more)


def test_copies_share_their_text_and_their_signature(path):
    expected = state(
        {"a": "one two three", "b": "one two three", "c": "One, two, three!", "d": "x"}
    )
    save_review(path, expected)

    assert rows(path, "SELECT count(*) FROM texts") == [(3,)]
    assert rows(path, "SELECT count(*) FROM signed") == [(2,)]
    assert_saved(path, expected)


def test_what_is_gone_leaves_nothing_behind(path):
    save_review(path, state(numbered(300, words=400), pairs=ring(300), problems=[("p", "why")]))
    before = path.stat().st_size
    few = state({"0000.txt": "left"})
    save_review(path, few)

    for table in ("documents", "texts", "signed"):
        assert rows(path, f"SELECT count(*) FROM {table}") == [(1,)]
    assert rows(path, "SELECT count(*) FROM pairs") == [(0,)]
    assert path.stat().st_size < before / 2
    assert_saved(path, few)


def test_ids_stay_with_a_name_or_with_the_bytes_and_are_never_given_again(path):
    def ids():
        return {name.decode(): n for n, name in rows(path, "SELECT id, name FROM documents")}

    save_review(path, state({"a": "first text", "b": "second text", "c": "third text"}))
    before = ids()
    save_review(path, state({"a": "changed text", "z": "second text", "new": "fourth text"}))
    after = ids()

    assert after["a"] == before["a"]
    assert after["z"] == before["b"]
    assert after["new"] > max(before.values())
    save_review(path, state({"a": "changed text"}))
    save_review(path, state({"a": "changed text", "d": "fifth text"}))
    assert ids()["d"] > after["new"]


def test_many_pairs_are_cut_into_chunks_of_which_few_are_written_again(path):
    count = 400

    def all_pairs(last):
        return [(x, y) for y in range(last) for x in range(y)]

    save_review(path, state(numbered(count), pairs=all_pairs(count)))
    chunks = rows(path, "SELECT first, checksum FROM pairs ORDER BY first")
    more = state(numbered(count + 5), pairs=all_pairs(count + 5))
    save_review(path, more)

    assert len(chunks) > 3
    after = rows(path, "SELECT first, checksum FROM pairs ORDER BY first")
    assert after[: len(chunks) - 1] == chunks[:-1]
    assert_saved(path, more)


def test_other_settings_replace_the_signatures(path):
    save_review(path, state(numbered(50)))
    for changes in ({"k": 3}, {"signature_size": 200}, {"unit": "char"}, {"signature": "minhash"}):
        expected = state(numbered(50), settings=SETTINGS.with_changes(**changes))
        save_review(path, expected)
        assert_saved(path, expected)


@pytest.mark.parametrize("stored", [{"k": 900}, {"bands": 300}, {"lemmas": True}])
def test_settings_that_this_version_does_not_have_are_refused(path, monkeypatch, stored):
    monkeypatch.setattr("core.review.saving.asdict", lambda _: stored)
    monkeypatch.setattr("core.review.saving._require_readable", lambda *_: None)
    save_review(path, state(numbered(5)))
    with pytest.raises(ReviewError, match=r"“a\.neardup” was scanned with settings that .* have: "):
        open_review(path)


def test_settings_that_leave_something_out_give_new_signatures(path, monkeypatch):
    saved = state(numbered(50), pairs=ring(50))
    monkeypatch.setattr("core.review.saving.asdict", lambda _: {"k": 64})
    monkeypatch.setattr("core.review.saving._require_readable", lambda *_: None)
    save_review(path, saved)
    new_settings = ScanSettings(k=64)

    with open_review(path) as review:
        (note,) = review.notes
        assert "made again" in note
        fresh = state(numbered(50), settings=new_settings)
        assert_same(review.state._replace(evidence=fresh.evidence), fresh)
        assert not len(review.state.evidence.codes)
        assert set(review.state.evidence.sizes.tolist()) == {-1}


def test_folders_that_were_given_as_relative_paths(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path)
    for folder in (Path(), Path("here"), Path("../other"), Path("here/a.txt")):
        name = "" if folder.suffix else "a.txt"
        renamed = document("a", "x")
        renamed = renamed._replace(location=str(folder / name))
        expected = state({"a": "x"}, folders=[folder], documents=[renamed])
        save_review(Path("a.neardup"), expected)
        assert_saved(Path("a.neardup"), expected)
        monkeypatch.chdir(tmp_path / "here")
        with open_review(tmp_path / "a.neardup") as review:
            (path,) = (document.path for document in review.state.documents)
            assert path == Path(os.path.normpath(tmp_path / folder)) / name
        monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("folders", [(".", "../b"), ("..", "../../c"), ("a", "a/../b")])
def test_a_relative_folder_that_lies_beside_another_is_not_in_it(tmp_path, monkeypatch, folders):
    here = tmp_path / "a" / "here"
    (here / "a").mkdir(parents=True)
    monkeypatch.chdir(here)
    names = [f"{folder}/{name}.txt" for folder, name in zip(folders, "xy", strict=True)]
    documents = [document("a", "x")._replace(location=str(Path(name))) for name in names]
    expected = state({"a": "x", "b": "x"}, folders=map(Path, folders), documents=documents)
    save_review(Path("a.neardup"), expected)
    assert_saved(Path("a.neardup"), expected)


def test_texts_are_read_from_many_threads(path):
    expected = state(numbered(200, words=300))
    save_review(path, expected)
    with open_review(path) as review, ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(review.state.texts.__getitem__, list(range(200)) * 5))
    assert texts == list(expected.texts) * 5
    assert review.state.texts.lengths[3] == len(expected.texts[3])
    with pytest.raises(ReviewError, match="closed"):
        review.state.texts[0]


@pytest.mark.parametrize("words", [40, 30_000])  # short texts, and long ones
def test_of_several_texts_a_damaged_one_costs_no_other(path, words):
    wanted = state(numbered(6, words=words))
    save_review(path, wanted)
    with open_review(path) as review:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE texts SET data = x'00' WHERE id = 3")
            (lost,) = np.flatnonzero(review._texts._numbers == 3).tolist()
        texts = review.state.texts
        assert isinstance(texts, BatchSource)  # so that a store reads several at once
        others = [number for number in range(6) if number != lost]
        assert texts.texts_at(others) == [wanted.texts[number] for number in others]
        assert texts.texts_at([]) == []
        with pytest.raises(ReviewError, match="damaged"):
            texts.texts_at(range(6))


def test_who_has_it_open_sees_its_texts_while_they_are_there(tmp_path, path):
    before = state(numbered(20))
    after = state({**numbered(10), "new": "text"})
    save_review(path, before)
    with open_review(path) as review:
        save_review(path, after)
        assert list(review.state.texts[:10]) == before.texts[:10]
        for position in range(10, 20):
            with pytest.raises(ReviewError, match="changed by another program since"):
                review.state.texts[position]
        assert_saved(path, after)
    assert list(tmp_path.iterdir()) == [path]


def test_progress_is_reported_and_cancelling_leaves_the_file_as_it_was(tmp_path, path):
    reports = []
    save_review(path, state(numbered(20)), progress=reports.append)
    assert {report.stage for report in reports} == {Stage.SAVE}
    assert (reports[0].done, reports[-1].done, reports[-1].total) == (0, 20, 20)
    before = path.read_bytes()

    for target in (path, tmp_path / "new.neardup"):
        with pytest.raises(ScanCancelledError):
            cancelled_by(StopAfter(3))(save_review)(target, state(numbered(40)))
    with pytest.raises(ScanCancelledError):
        cancelled_by(StopAfter(1))(open_review)(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    assert not [
        thread for thread in threading.enumerate() if thread.name.startswith("neardup-engine")
    ]


def test_a_save_is_cancelled_while_a_busy_disk_takes_the_new_file(tmp_path, monkeypatch):
    is_flushing, goes_on = threading.Event(), threading.Event()
    path, expected = tmp_path / "a.neardup", state(numbered(2))
    save_review(path, expected)  # the first one flushes the key of MACs, too
    path.unlink()

    def flush(_descriptor):
        is_flushing.set()
        goes_on.wait(60)

    monkeypatch.setattr(os, "fsync", flush)
    try:
        with pytest.raises(ScanCancelledError):
            cancelled_by(is_flushing.is_set)(save_review)(path, expected)
        assert not goes_on.is_set()
        assert list(tmp_path.iterdir()) == []
    finally:
        goes_on.set()


def test_signatures_of_another_algorithm_are_made_again(path, monkeypatch):
    expected = state(numbered(20), pairs=ring(20))
    save_review(path, expected)
    monkeypatch.setattr("core.review.documents.SIGNING", SIGNING + 1)

    with open_review(path) as review:
        assert len(review.notes) == 1
        assert review.notes[0].startswith("Another version of Neardup made what this review knew")
        assert not len(review.state.evidence.codes)
        assert review.state.signed.digests.tolist() == expected.signed.digests.tolist()


@pytest.mark.parametrize("are_others", [False, True])
def test_verdicts_hold_where_another_version_distinguishes_the_same_texts(
    path, monkeypatch, are_others
):
    save_review(path, state(numbered(2), pairs=ring(2)))
    note = Judgements(notes={PairKey("1" * 32, "2" * 32): WrittenNote("Read it.", "Ann", "")})
    monkeypatch.setattr("core.review.loading.judged", lambda *_: note)
    if are_others:
        new_hashes = lambda texts: ["ab" * 16 for _ in texts]  # noqa: E731
        monkeypatch.setattr("core.review.loading.text_hashes", new_hashes)
    with open_review(path) as review:
        assert not review.notes

    monkeypatch.setattr("core.review.documents.SIGNING", SIGNING + 1)
    with open_review(path) as review:
        assert review.notes[0].startswith("Another version of Neardup made what this review knew")
        assert len(review.notes) == 1 + are_others
        assert ("judge these pairs again" in review.notes[-1]) == are_others
        hashes = {document.text_hash for document in review.state.documents}
        assert (hashes == {"ab" * 16}) == are_others


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (ScanSettings(), "3cffe63bbe628799"),
        (ScanSettings(unit="char", signature="minhash"), "836943fda4f8dfb5"),
        (ScanSettings(bag=True, k=3, signature_size=200), "fb57ea4e9091d043"),
    ],
)
def test_what_is_signed_has_not_changed_since_reviews_were_saved(options, expected):
    """If it has on purpose, raise SIGNING in core/review/header.py, and write new values here."""
    texts = [
        "One, two; three 4 five six seven. " * 9,
        "Größe und Straße 漢字 かな 😀 " * 20,
        "short",
    ]
    signed = sign_texts(texts, options)
    data = b"".join(
        np.ascontiguousarray(column).tobytes() for column in (*signed[:3], *signed.fingerprints)
    )

    assert (SIGNING, xxhash.xxh3_64_hexdigest(data)) == (10, expected)


def test_parts_and_remarks_are_kept(tmp_path):
    texts = {"mail.eml": "a b c", "mail.eml/x/ü\\xff.pdf": "d e f"}
    documents = [
        document("mail.eml", "a b c")._replace(kind="eml", remarks=("One.", "Ünd zwei: \\ud800.")),
        document("mail.eml", "d e f")._replace(
            name="mail.eml/x/ü\\xff.pdf", location=str(FOLDER / "mail.eml"), part="x/ü\udcff.pdf"
        ),
    ]
    documents[1] = documents[1]._replace(language="de")
    expected = state(texts, documents=documents)
    save_review(tmp_path / "a.neardup", expected)

    assert_saved(tmp_path / "a.neardup", expected)


def test_texts_of_other_readers_are_written_again(path, monkeypatch):
    save_review(path, state({"a": "a b c", "b": "d e f"}))
    for module in ("loading", "header"):
        monkeypatch.setattr(f"core.review.{module}.READING", READING + 1)
    with open_review(path) as review:
        assert not review.state.texts_are_current
        save_review(path, review.state)  # as it is, and it still says so
    with open_review(path) as review:
        assert not review.state.texts_are_current
    names = {"a": "A B C", "b": "D E F"}
    documents = [document("a", "a b c"), document("b", "d e f")]

    save_review(path, state(names, documents=documents))

    with open_review(path) as review:
        assert review.state.texts_are_current
        assert list(review.state.texts) == ["A B C", "D E F"]


PLAIN_SETTINGS = ScanSettings(k=2)
REVIEW = [Role.REVIEW]


@pytest.fixture
def folder(tmp_path):
    names = ("a.txt", "b.txt", "in/c.txt")
    return folder_with(
        tmp_path / "docs", {name: f"one two three four five {name}" for name in names}
    )


@pytest.fixture
def review(tmp_path, folder):
    save_review(tmp_path / "a.neardup", scanned_state([folder], PLAIN_SETTINGS))
    return tmp_path / "a.neardup"


def test_nothing_has_changed(review, folder):
    assert is_up_to_date(review, [folder], REVIEW, PLAIN_SETTINGS)


CHANGES = {
    "a file more": lambda folder: (folder / "d.txt").write_text("six seven"),
    "a file less": lambda folder: (folder / "a.txt").unlink(),
    "another text": lambda folder: (folder / "a.txt").write_text("another one"),
    "another time": lambda folder: os.utime(folder / "a.txt", ns=(1, 1)),
    "another name": lambda folder: (folder / "a.txt").rename(folder / "z.txt"),
    "an empty file more": lambda folder: (folder / "d.txt").write_text(""),
    "no folder": lambda folder: folder.rename(folder.with_name("moved")),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_changed_is_seen(review, folder, change):
    change(folder)
    assert not is_up_to_date(review, [folder], REVIEW, PLAIN_SETTINGS)


def test_another_question_is_another_scan(review, folder):
    assert not is_up_to_date(review, [folder / "in"], REVIEW, PLAIN_SETTINGS)
    assert not is_up_to_date(review, [folder, folder / "in"], 2 * REVIEW, PLAIN_SETTINGS)
    assert not is_up_to_date(review, [folder], [Role.REFERENCE], PLAIN_SETTINGS)
    stricter = replace(PLAIN_SETTINGS, min_resemblance=0.9)
    assert not is_up_to_date(review, [folder], REVIEW, stricter)


def test_what_was_decided_since_is_still_to_be_saved(review, folder):
    ReviewLog(review).append(*set_aside(NO_RULES, ExclusionRules(quotations=True)))
    assert not is_up_to_date(review, [folder], REVIEW, PLAIN_SETTINGS)


def test_a_file_that_could_not_be_read_is_tried_again(tmp_path, folder):
    (folder / "broken.docx").write_bytes(b"PK\3\4")
    save_review(tmp_path / "a.neardup", scanned_state([folder], PLAIN_SETTINGS))
    assert not is_up_to_date(tmp_path / "a.neardup", [folder], REVIEW, PLAIN_SETTINGS)


def test_of_another_installation_it_is_measured_first(review, folder, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "elsewhere"))
    assert not is_up_to_date(review, [folder], REVIEW, PLAIN_SETTINGS)


def test_a_second_scan_writes_nothing_and_loads_no_kernel(folder, tmp_path):
    review = tmp_path / "b.neardup"
    command = ["scan", str(folder), "--review", str(review), "--quiet"]
    assert main(command) == 0
    before = review.read_bytes()
    program = "import sys; from core.commands.main import main; main(sys.argv[1:]); "
    check = "assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", program + check, *command], check=True)
    assert review.read_bytes() == before

    (folder / "d.txt").write_text("one two three four five d.txt")
    assert main(command) == 0
    assert len(state_in(review).documents) == 4


def test_a_second_scan_that_is_printed_says_what_the_first_one_said(folder, tmp_path, neardup):
    review = tmp_path / "b.neardup"
    command = ["scan", str(folder), "--review", str(review), "--pairs", str(tmp_path / "b.csv")]
    outputs, written = [], []
    for _ in range(2):
        outputs.append(re.sub(r"[0-9.]+ s\n", "", neardup(*command).out))
        written.append(((tmp_path / "b.csv").read_bytes(), review.read_bytes()))
    assert written[0] == written[1]
    again = outputs[1].replace("No document has changed since the last scan.\n", "")
    assert again == outputs[0].replace(f"Written: {review}\n", "")  # it is as it was


quick = settings(derandomize=True, max_examples=300)


def made(changes):
    try:
        return ScanSettings(**changes)
    except (SettingsError, TypeError):
        return None


VALID = (
    st.fixed_dictionaries(
        {},
        optional={
            "unit": st.sampled_from(["word", "char"]),
            "k": st.integers(1, 64),
            "keep_punctuation": st.none() | st.booleans(),
            "keep_digits": st.booleans(),
            "language": st.sampled_from(["", "english"]),
            "stem": st.booleans(),
            "signature": st.sampled_from(["fss", "minhash", "simhash"]),
            "signature_size": st.integers(1, 1024),
            "bands": st.integers(1, 200),
            "rows": st.integers(1, 20),
            "max_distance": st.integers(0, 8),
            "seed": st.integers(0, 2**63 - 1),
            "min_resemblance": st.floats(0, 1) | st.sampled_from([0, 1]),
            "min_passage": st.none() | st.integers(1, 10_000),
        },
    )
    .map(made)
    .filter(lambda settings: settings is not None)
)


@quick
@given(VALID)
def test_valid_settings_come_back_as_they_are(options):
    assert settings_of(json.loads(json.dumps(asdict(options)))) == options


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The bytes of a review file."""
    return whole_review(tmp_path_factory.mktemp("saved")).read_bytes()


def test_a_view_is_not_asked_for_the_state_of_a_file(path, saved):
    path.write_bytes(saved)
    assert file_state(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "ALTER TABLE review RENAME TO other; CREATE VIEW review AS SELECT * FROM other"
        )
    assert file_state(path) == ""


def test_comments_and_spaces_in_the_schema_do_not_count(path, saved):
    path.write_bytes(saved)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = "
            "replace(sql, '-- zlib', '-- as it was called once') WHERE name = 'texts'"
        )
        connection.execute("PRAGMA writable_schema = OFF")

    with open_review(path) as review:
        assert len(list(review.state.texts)) > 20


def test_our_tables_alone_are_no_review(path):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        schema.create(connection)

    with pytest.raises(ReviewError, match="damaged"):  # it has no row about the review
        open_review(path)


def numbers(connection):
    return connection.execute(f"{ENDLESS} max(i) FROM n").fetchone()


def test_a_statement_that_does_not_end_is_stopped(path, saved):
    path.write_bytes(saved)
    with closing(connect(path, write=False)) as connection:
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            numbers(connection)
        with pytest.raises(ValueError, match="does not end"), watched(connection):
            numbers(connection)
        with pytest.raises(ScanCancelledError), cancelled_by(lambda: True), watched(connection):
            numbers(connection)


def test_values_and_rows_have_a_largest_size():
    with closing(sqlite3.connect(":memory:")) as connection:
        harden(connection)
        connection.execute("CREATE TABLE t (value)")
        connection.execute("INSERT INTO t VALUES (zeroblob(5000))")
        with pytest.raises(ValueError, match="longer"), at_most(connection, 4000):
            connection.execute("SELECT value FROM t").fetchone()
        with at_most(connection, 6000):
            assert len(connection.execute("SELECT value FROM t").fetchone()[0]) == 5000
        room = ReadBudget(connection)
        room.take(5000)
        with pytest.raises(ValueError, match="larger than the file"):
            room.take(1 << 40)


def test_what_nearly_all_documents_have_in_common_is_in_memory_once(path):
    save_review(path, state(numbered(20)))

    with open_review(path) as review:
        documents = review.state.documents

    assert len(documents) == 20
    for name in ("kind", "encoding", "language"):
        assert len({id(getattr(document, name)) for document in documents}) == 1
