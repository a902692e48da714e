"""A review that somebody made on purpose, with right checksums, is refused in a sentence, or what
it shows is what its texts give.

All of them run through every command in `tests/bench/reviews_crafted.py`; here every eighth.
"""

import os
import random
import sqlite3
import struct
from contextlib import closing

import pytest

from core.errors import NeardupError, ReviewError
from core.evidence.overlap import are_same, figures_of
from core.review import lock, open_review, save_review
from core.review.documents import NOT_OURS
from core.review.packing import decompressed
from core.scan.flow import scan
from core.scan.in_memory import find_pairs
from core.scan.state import measured_again
from core.settings import ScanSettings
from tests.bench.crafted_reviews import craft, crafted, whole_review
from tests.reviews import list_of, state_in
from tests.texts import folder_with

WAL_WITHOUT_SALT = struct.pack(">8I", 0x377F0682, 3_007_000, 512, 0, 0, 0, 0, 0)
JOURNAL = bytes.fromhex("d9d505f920a163d7") + struct.pack(">5I", 2**31 - 1, 0, 1, 512, 512)
TERABYTE = 1 << 40


@pytest.fixture
def review(tmp_path):
    texts = {f"{number}.txt": f"{number} one two three four five six" for number in range(4)}
    done = scan([folder_with(tmp_path / "texts", texts)], ScanSettings(k=2))
    done.pairs()
    done.close()
    path = tmp_path / "reviews" / "a.neardup"
    path.parent.mkdir()
    save_review(path, done.state)
    return path


def beside(path):
    """Everything in the folder, but not what is in the shared index, which readers lock."""
    return {
        path.name: b"" if path.name.endswith("-shm") else path.read_bytes()
        for path in path.parent.iterdir()
    }


@pytest.mark.parametrize("size", [512, 8192])
def test_a_database_that_another_program_has_open_is_left_as_it_is(tmp_path, review, size):
    with open_review(review) as opened:
        state = opened.state
        path = tmp_path / "theirs" / "history.sqlite"
        path.parent.mkdir()
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute(f"PRAGMA page_size = {size}")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("CREATE TABLE visits (place)")
            connection.execute("INSERT INTO visits VALUES ('home')")
            before = beside(path)
            assert len(before) == 3
            for attempt in (open_review, lambda path: save_review(path, state)):
                with pytest.raises(ReviewError, match="the database of another program"):
                    attempt(path)
                assert beside(path) == before
            with closing(sqlite3.connect(path)) as again:
                assert again.execute("SELECT place FROM visits").fetchall() == [("home",)]


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
@pytest.mark.parametrize("kind", ["folder", "link", "pipe"])
def test_what_has_the_name_of_a_companion_and_is_no_file_is_named(tmp_path, review, ending, kind):
    companion = review.with_name(review.name + ending)
    user_file = tmp_path / "own.txt"
    user_file.write_text("mine")
    if kind == "folder":
        companion.mkdir()
    elif kind == "link":
        try:
            companion.symlink_to(user_file)
        except OSError:
            pytest.skip("no links here")
    elif hasattr(os, "mkfifo"):
        os.mkfifo(companion)
    else:
        pytest.skip("no pipes here")
    with pytest.raises(ReviewError, match=f"a.neardup{ending}” beside .* Move it away and retry"):
        open_review(review)
    assert user_file.read_text() == "mine"
    assert companion.is_dir() or companion.is_fifo() or companion.is_symlink()


@pytest.mark.parametrize(("ending", "head"), [("-wal", WAL_WITHOUT_SALT), ("-journal", JOURNAL)])
def test_holes_beside_a_review_are_not_read(review, ending, head):
    companion = review.with_name(review.name + ending)
    companion.write_bytes(head)
    try:
        os.truncate(companion, TERABYTE)
    except OSError:
        pytest.skip("no such files here")
    if companion.stat().st_blocks * 512 > 1 << 20:
        companion.unlink()
        pytest.skip("holes take room here")
    assert len(state_in(review).documents) == 4


def test_who_saves_under_another_name_of_the_same_file_waits(review, monkeypatch):
    hard_link = review.with_name("b.neardup")
    try:
        os.link(review, hard_link)
    except OSError:
        pytest.skip("no hard links here")
    looked, complete = [], lock._complete

    def look_and_complete(path, connection):
        with (
            closing(sqlite3.connect(hard_link, timeout=0)) as second,
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            second.execute("BEGIN IMMEDIATE")
        looked.append(path)
        return complete(path, connection)

    monkeypatch.setattr(lock, "_complete", look_and_complete)
    with open_review(review) as opened:
        assert save_review(review, opened.state) == ()
    assert looked == [review]
    for name in (review, hard_link):
        with open_review(name) as opened:
            assert len(list(opened.state.texts)) == 4


def test_texts_of_a_review_that_was_renamed(review):
    with open_review(review) as opened:
        review.rename(review.with_name("b.neardup"))
        with pytest.raises(ReviewError, match="could not be read: it is not there any more"):
            opened.state.texts[2]


WORDS = [f"w{number}" for number in range(40)]


def varied_texts():
    rng = random.Random(4)
    base = [rng.choice(WORDS) for _ in range(120)]
    texts = []
    for number in range(8):
        text_words = list(base)
        for _ in range(6 * number):
            text_words[rng.randrange(len(text_words))] = rng.choice(WORDS)
        texts.append(" ".join(text_words))
    return [
        *texts,
        texts[0],
        texts[1].upper() + " .",
        "a b " * 60,
        "a b " * 50,
        "漢字かな交じり文 " * 20,
        "w1 w2",
    ]


@pytest.mark.parametrize(
    "settings",
    [
        ScanSettings(k=2, min_resemblance=0.01),
        ScanSettings(unit="char", k=5, min_resemblance=0.01),
        ScanSettings(k=3, bag=True, min_resemblance=0.01),
        ScanSettings(k=3, signature="simhash", min_resemblance=0.01),
    ],
)
def test_a_pair_alone_has_the_numbers_of_the_list(settings):
    texts = varied_texts()
    pairs = find_pairs(texts, settings)
    assert len(pairs) > 10
    for row in range(len(pairs)):
        texts_of_pair = texts[pairs.a[row]], texts[pairs.b[row]]
        assert are_same(pairs.figures(row), figures_of(*texts_of_pair, settings))


def test_another_number_is_another_measurement():
    settings = ScanSettings(k=2)
    figures = figures_of(*varied_texts()[:2], settings)
    assert are_same(figures, figures._replace(longest_run=figures.longest_run + 1))
    assert not are_same(figures, figures._replace(run_words=figures.run_words + 1))
    assert not are_same(figures, figures._replace(resemblance=figures.resemblance + 0.001))


def test_everything_of_a_review_is_measured_again(tmp_path, path):
    folder_with(tmp_path, {f"{number:02}.txt": text for number, text in enumerate(varied_texts())})
    done = scan([tmp_path], ScanSettings(k=2))
    right = done.pairs()
    done.close()
    signed = done.state.signed
    save_review(path, done.state._replace(signed=signed._replace(digests=signed.digests * 0)))

    with open_review(path) as review:
        state = measured_again(review.state)
        assert state.signed.digests.tolist() == signed.digests.tolist()
        assert not len(state.evidence.codes)
        pairs = list_of(state).pairs
    assert pairs.resemblance.tolist() == right.resemblance.tolist()


EVERY = 8


@pytest.fixture(scope="module")
def intact_review(tmp_path_factory):
    return whole_review(tmp_path_factory.mktemp("crafted"))


def listed(path):
    """The notes of a review, its pairs as they are listed, and as its texts give them."""
    with open_review(path) as review:
        pairs = list_of(review.state).every
        state = review.state
        truth = find_pairs(list(state.texts), state.settings, set_aside=state.set_aside)
        for name in (item.name for item in (*review.state.documents, *review.state.problems)):
            assert name.isprintable()
        assert all(note.isprintable() for note in review.notes)
        return review.notes, rows(pairs), rows(truth)


def rows(pairs):
    names = ("a", "b", "resemblance", "longest_run", "run_words", "shared_shingles", "estimate")
    columns = (getattr(pairs, name).tolist() for name in (*names, "exact_duplicate"))
    return sorted(zip(*columns, strict=True))


def assert_harmless(path):
    try:
        _, pairs, right = listed(path)
    except NeardupError as error:
        refusal = str(error)
    else:
        assert pairs == right
        return True
    assert refusal.isprintable()
    return False


def test_crafted_reviews_do_no_harm(tmp_path, intact_review):
    every = list(crafted())
    assert len(every) > 300
    opened = 0
    for name, change in every[::EVERY]:
        if "bomb" not in name and "10 MB" not in name:
            path = tmp_path / "a.neardup"
            craft(intact_review, path, change)
            opened += assert_harmless(path)
            path.unlink()
    assert opened > 5


# What each has that is no review, in words; of most, the table that lacks its right statement.
FOREIGN = {
    "texts: an endless view": "the table “other”",
    "schema with a view that takes the name of the schema": "",
    "documents: a trigger": "the trigger “t”",
    "schema with one more table": "the table “more”",
    "texts: a column more": "the table “texts”",
    "problems: nothing of it": "“problems” is not in it",
    "texts: an index on an expression": "the index “i”",
    "folders: a default": "the table “folders”",
    "texts: a generated column": "the table “texts”",
    "schema with a table without row ids": "",
    "schema with two tables in one place": "",
    "schema with a last number of another table": "last number of “other”",
    "schema with a table of escapes": "\\x1b[31mred\\u202e",
    "very many tables": "",
}


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_code_is_neither_read_nor_run(path, intact_review, name):
    craft(intact_review, path, dict(crafted())[name])
    with open_review(intact_review) as review:
        for work in (lambda: open_review(path), lambda: save_review(path, review.state)):
            with pytest.raises(ReviewError) as raised:
                work()
            sentence = str(raised.value)
            assert sentence.startswith("“a.neardup” ")
            assert sentence.isprintable()
            assert FOREIGN[name] in sentence


CHANGED = ["pairs one more shared", "a copy that is none", "signed 1 fingerprints gone"]


@pytest.mark.parametrize("name", CHANGED)
def test_numbers_that_texts_do_not_give_are_reported_and_measured_again(
    path, intact_review, monkeypatch, name
):
    craft(intact_review, path, dict(crafted())[name])

    notes, pairs, right = listed(path)
    assert pairs == right
    assert notes == (NOT_OURS,)
    if name == CHANGED[0]:  # were they believed, they would be shown: the test can fail
        monkeypatch.setattr("core.review.documents.is_ours", lambda *_: True)
        notes, pairs, right = listed(path)
        assert pairs != right
        assert not notes


def test_saving_over_a_crafted_review_is_refused_or_leaves_a_whole_one(tmp_path, intact_review):
    refusals = []
    with open_review(intact_review) as review:
        for _name, change in list(crafted())[3::58]:
            path = tmp_path / f"{random.random()}.neardup"
            craft(intact_review, path, change)
            try:
                save_review(path, review.state)
            except NeardupError as error:
                refusals.append(str(error))
            else:
                assert_harmless(path)
        assert refusals
        assert all(sentence.isprintable() for sentence in refusals)


def test_a_compressed_value_has_the_size_it_says():
    import zlib

    data = zlib.compress(b"abc")
    assert decompressed(3, data) == b"abc"
    for size, wrong in ((2, data), (4, data), (-1, data), (3, data + b"x"), (3, data[:-1])):
        with pytest.raises((ValueError, zlib.error)):
            decompressed(size, wrong)
    with pytest.raises(ValueError, match="cannot be"):
        decompressed(1 << 40, data)


def test_a_row_is_not_read_when_it_is_larger_than_any_of_ours(path, intact_review):
    craft(intact_review, path, lambda edit: edit.document(name=b"x" * 2_000_000))
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("SELECT max(length(name)) FROM documents").fetchone()
    assert size == 2_000_000

    with pytest.raises(NeardupError, match="damaged"):
        open_review(path)


LANGUAGES = [b"<b>", b"GERMAN", b"x" * 100, b"\xff"]
HASHES = [b"<b>", b"a" * 64, b"x" * 31, b"x" * 1000]


@pytest.mark.parametrize(
    ("name", "value"),
    [*(("language", value) for value in LANGUAGES), *(("sha256", value) for value in HASHES)],
)
def test_a_document_that_cannot_be_so_refuses_its_review(path, intact_review, name, value):
    craft(intact_review, path, lambda edit: edit.document(**{name: value}))

    with pytest.raises(NeardupError, match="damaged"):
        open_review(path)
