"""A review holds our tables and nothing else: what somebody put into one is never run."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from dataclasses import asdict, fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import ReviewError, ScanCancelledError, SettingsError
from core.review import open_review, save_review, schema, settings_of
from core.review.database import connect
from core.review.sqlite_bounds import ReadBudget, at_most, harden, watched
from core.scan.flow import scan
from core.settings import PRESETS, ScanSettings

quick = settings(deadline=None, derandomize=True, max_examples=300)

NAMES = [field.name for field in fields(ScanSettings)]
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-2, 1100)
    | st.floats()
    | st.floats(0, 1)
    | st.sampled_from(["word", "char", "english", "fss", "minhash", "simhash", "tf-idf", "remove"])
    | st.text(max_size=8)
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=4
)
OBJECTS = st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=5), VALUES)


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
    stored = json.loads(json.dumps(asdict(options)))

    assert settings_of(stored) == (options, [])


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_presets_come_back_as_they_are(preset):
    assert settings_of(asdict(preset.settings)) == (preset.settings, [])


@quick
@given(OBJECTS)
def test_any_object_gives_valid_settings_and_a_sentence_for_every_change(stored):
    options, sentences = settings_of(stored)

    assert options == ScanSettings(**asdict(options))
    changed = [
        name
        for name, value in stored.items()
        if name not in NAMES
        or (
            not same(getattr(options, name), value)
            and not (value is None and name in {"keep_punctuation", "min_passage"})
        )
    ]
    assert len(sentences) == len(changed)
    assert all(one.startswith("The review ") and one.endswith(".") for one in sentences)
    assert all(one.isprintable() for one in sentences)


def same(used, value):
    return used == value and type(used) in {type(value), float}


@pytest.mark.parametrize(
    ("stored", "sentence"),
    [
        (
            {"bands": 300},
            (
                "The review asked for 300 bands; at most 64 of 2 rows fit a signature of 128 "
                "values: 64 are used."
            ),
        ),
        (
            {"bands": 64, "rows": 3},
            (
                "The review asked for 64 bands; at most 42 of 3 rows fit a signature of 128 "
                "values: 42 are used."
            ),
        ),
        (
            {"k": 0},
            (
                "The review asked for a shingle length of 0; it must be a whole number from 1 "
                "to 64: 1 is used."
            ),
        ),
        (
            {"language": "klingon"},
            (
                "The review asked for the language “klingon”, which this version does not "
                "know (it knows english): none is used."
            ),
        ),
        (
            {"unit": "line"},
            (
                "The review asked for shingles of “line”, which this version does not know: "
                "“word” is used."
            ),
        ),
        (
            {"stem": True},
            (
                "The review asked for stems, which needs shingles of words and a language: this is "
                "switched off."
            ),
        ),
        (
            {"bag": "yes"},
            "The review has “yes” for the setting “bag”, which cannot be: off is used.",
        ),
        (
            {"lemmas": 1},
            "The review has a setting “lemmas”, which this version does not know: it is ignored.",
        ),
    ],
)
def test_a_change_is_explained(stored, sentence):
    options, sentences = settings_of(stored)

    assert [re.sub(r"knows [a-z, ]+\)", "knows english)", one) for one in sentences] == [sentence]
    assert options == ScanSettings(**{name: getattr(options, name) for name in NAMES})


def test_the_nearest_valid_values_are_used():
    stored = {"k": 99.6, "signature_size": 10**400, "rows": 5, "bands": 1e300, "seed": -4}

    options, sentences = settings_of(stored)

    assert (options.k, options.signature_size, options.rows) == (64, 1024, 5)
    assert (options.bands, options.seed) == (204, 0)
    assert len(sentences) == 4
    assert max(map(len, sentences)) < 200


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
