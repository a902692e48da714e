"""A review holds our tables and nothing else: what somebody put into one is never run."""

import sqlite3
from contextlib import closing

import pytest

from core.errors import ReviewError, ScanCancelledError
from core.review import open_review, save_review, schema
from core.review.database import connect
from core.review.sqlite_bounds import ReadBudget, at_most, harden, watched
from core.scan.flow import scan
from core.settings import ScanSettings


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
        rewritten("DEFAULT 0", "DEFAULT (randomblob(99999999))", "documents"),
        "the table “documents”",
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


@pytest.mark.parametrize("version", range(1, len(schema.MIGRATIONS) + 1))
def test_reviews_of_all_versions_are_ours(tmp_path, version):
    path = tmp_path / "a.neardup"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for migration in schema.MIGRATIONS[:version]:
            migration(connection)
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {version}")

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
        with pytest.raises(ValueError, match="does not end"), watched(connection, lambda: False):
            numbers(connection)
        with pytest.raises(ScanCancelledError), watched(connection, lambda: True):
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
