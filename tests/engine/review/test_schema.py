"""A review holds our tables and nothing else: what somebody put into one is never run."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.tasks import cancelled_by
from core.errors import ReviewError, ScanCancelledError, SettingsError
from core.review import database as schema
from core.review import open_review, save_review
from core.review.database import connect
from core.review.header import settings_of
from core.review.sqlite_bounds import ReadBudget, at_most, harden, watched
from core.scan.flow import scan
from core.settings import PRESETS, ScanSettings

quick = settings(deadline=None, derandomize=True, max_examples=300)


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


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_presets_come_back_as_they_are(preset):
    assert settings_of(asdict(preset.settings)) == preset.settings


def test_what_is_left_out_is_as_usual():
    assert settings_of({"k": 3}) == ScanSettings(k=3)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A state and the bytes of its review file."""
    folder = tmp_path_factory.mktemp("saved")
    (folder / "docs").mkdir()
    for number in range(4):
        words = " ".join(f"w{number // 2}-{place}" for place in range(50))
        (folder / "docs" / f"{number}.txt").write_text(words)
    done = scan([folder / "docs"], ScanSettings(k=2))
    done.pairs()
    done.close()
    save_review(folder / "a.neardup", done.state)
    return done.state, (folder / "a.neardup").read_bytes()


def rewritten(where, change, name):
    """Change the text of an entry of the schema, which SQLite itself does not allow."""
    return (
        "PRAGMA writable_schema = ON;"
        f"UPDATE sqlite_master SET sql = replace(sql, '{where}', '{change}') WHERE name = '{name}'"
    )


ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT "
FOREIGN = {
    "a view in place of a table": (
        (
            "ALTER TABLE texts RENAME TO other; CREATE VIEW texts AS "
            f"{ENDLESS} i AS id, 1 AS size, 1 AS checksum, x'00' AS data FROM n"
        ),
        "",
    ),
    "a view that takes the name of the schema": (
        (
            "CREATE VIEW other AS SELECT 1; PRAGMA writable_schema = ON;"
            "UPDATE sqlite_master SET name = 'sqlite_schema', tbl_name = 'sqlite_schema', sql = "
            "'CREATE VIEW sqlite_schema AS SELECT 1' WHERE name = 'other'"
        ),
        "",
    ),
    "a trigger": (
        f"CREATE TRIGGER t AFTER UPDATE ON documents BEGIN {ENDLESS} max(i) FROM n; END",
        "the trigger “t”",
    ),
    "one more table": ("CREATE TABLE more (value)", "the table “more”"),
    "a table of other columns": ("ALTER TABLE texts ADD COLUMN more", "the table “texts”"),
    "a table less": ("DROP TABLE problems", "“problems” is not in it"),
    "an index on an expression": ("CREATE INDEX i ON texts (abs(size))", "the index “i”"),
    "a default that is an expression": (
        rewritten("DEFAULT x''''", "DEFAULT (randomblob(99999999))", "folders"),
        "the table “folders”",
    ),
    "a generated column": (
        rewritten("data BLOB NOT NULL ", "data BLOB AS (zeroblob(1000000000)) ", "texts"),
        "the table “texts”",
    ),
    "a table without row ids": (
        rewritten("CREATE TABLE texts", "CREATE TABLE  texts", "texts")
        + "; UPDATE sqlite_master SET sql = sql || ' WITHOUT ROWID' WHERE name = 'texts'",
        "",
    ),
    "two tables in one place": (
        (
            "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = "
            "(SELECT rootpage FROM sqlite_master WHERE name = 'texts') WHERE name = 'signed'"
        ),
        "",
    ),
    "a last number of another table": (
        "INSERT INTO sqlite_sequence VALUES ('other', 1)",
        "last number of “other”",
    ),
    "a name with escapes": ('CREATE TABLE "\x1b[31mred\u202e" (value)', "\\x1b[31mred\\u202e"),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_what_is_not_ours_is_neither_read_nor_run(tmp_path, saved, kind):
    statements, words = FOREIGN[kind]
    path = tmp_path / "a.neardup"
    path.write_bytes(saved[1])
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statements)

    for work in (lambda: open_review(path), lambda: save_review(path, saved[0])):
        with pytest.raises(ReviewError) as raised:
            work()
        sentence = str(raised.value)
        assert sentence.startswith("“a.neardup” ")
        assert sentence.isprintable()
        assert words in sentence


def test_comments_and_spaces_in_the_schema_do_not_count(tmp_path, saved):
    path = tmp_path / "a.neardup"
    path.write_bytes(saved[1])
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(rewritten("-- zlib", "-- as it was called once", "texts"))
        connection.execute("PRAGMA writable_schema = OFF")

    with open_review(path) as review:
        assert len(list(review.state.texts)) == 4


def test_our_tables_alone_are_no_review(tmp_path):
    path = tmp_path / "a.neardup"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        schema.create(connection)

    with pytest.raises(ReviewError, match="damaged"):  # it has no row about the review
        open_review(path)


def test_a_schema_of_very_many_tables_is_given_up_early(tmp_path, saved):
    path = tmp_path / "a.neardup"
    path.write_bytes(saved[1])
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE other (value); PRAGMA writable_schema = ON; WITH RECURSIVE n (i) AS "
            "(SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 60000) INSERT INTO sqlite_master "
            "SELECT 'table', 't' || i, 't' || i, rootpage, 'CREATE TABLE t' || i || ' (value)' "
            "FROM n, sqlite_master WHERE name = 'other'"
        )

    with pytest.raises(ReviewError, match=r"a\.neardup"):
        open_review(path)


def numbers(connection):
    return connection.execute(f"{ENDLESS} max(i) FROM n").fetchone()


def test_a_statement_that_does_not_end_is_stopped(tmp_path, saved):
    path = tmp_path / "a.neardup"
    path.write_bytes(saved[1])
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
