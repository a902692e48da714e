"""Hundreds of maliciously crafted reviews, each with the right checksums.

`crafted()` names every one with what makes it of a whole review; `damaged()` gives any number of
reviews that an accident has changed. `reviews_crafted.py` runs both through the program.
"""

import json
import random
import sqlite3
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from core.review import save_review
from core.review.packing import checksum_of, pack_text, row_checksum
from core.review.rows import DocumentRow
from core.review.stored_pairs import OVERLAP, _checksum, _columns
from core.review.stored_signatures import SignedRow
from core.scan.flow import scan
from core.settings import ScanSettings

JudgementRow = tuple[int, bytes, bytes, bytes, bytes]
Make = Callable[[Sequence[str]], list[JudgementRow]]  # of the hashes of the texts that are there

TIME = b"2026-11-22T10:00:00.000+00:00"
MANY = 20_000
FILES = dict.fromkeys(("added", "changed", "moved", "gone", "not_read", "back"), 1)
BAD_TEXT = "\x1b[31m\u202e<script>\0\ud800\r=1+1"


def packed(kind: str, **data: object) -> bytes:
    """A command as a review holds it."""
    record = {"kind": kind, **data}
    return json.dumps(record, separators=(",", ":")).encode()


def row(
    command: bytes, inverse: bytes = b"", who: bytes = b"ann", time: bytes = TIME
) -> JudgementRow:
    return (0, time, who, command, inverse)


def decision(kind: str, texts: Sequence[str], value: object, pairs: Sequence[object], **by: object):
    return packed(kind, texts=list(texts), said=[{"is": value, "pairs": list(pairs), **by}])


def rescan(edited: Sequence[object] = (), came: Sequence[object] = (), **files: object) -> bytes:
    return packed("rescan", came=list(came), copies=[], edited=list(edited), files=FILES | files)


def judgement_logs() -> dict[str, Make]:
    """By name."""
    return {name: make for crafts in (_verdicts(), _rescans()) for name, make in crafts}


def _verdicts() -> Iterator[tuple[str, Make]]:
    def judged(
        value: object,
        pairs: Sequence[object],
        kind: str = "judge",
        hashes: Sequence[str] | None = None,
    ) -> Make:
        return lambda texts: [
            row(decision(kind, texts if hashes is None else hashes, value, pairs))
        ]

    yield "confirmed", judged("confirmed", [0, 1, 1, 2])
    yield "unknown", judged("guilty", [0, 1])
    yield "of no text", judged("confirmed", [0, 1], hashes=[])
    yield "of negative places", judged("confirmed", [-1, -2])
    yield "of odd places", judged("confirmed", [0, 1, 2])
    yield "of places of other types", judged("confirmed", "01")
    yield "of long keys", judged("confirmed", [0, 0], hashes=["x" * 10**6])
    yield "of strange keys", judged("confirmed", [0, 0], hashes=[BAD_TEXT])
    yield "with a note of strange letters", judged(BAD_TEXT, [0, 1], "note")
    yield "with a note too long", judged("x" * 10**6, [0, 1], "note")

    def by_strangers(texts: Sequence[str]) -> list[JudgementRow]:
        reviewer = BAD_TEXT.encode("utf-8", "surrogatepass")
        note = decision("note", texts, "x", [0, 1], who=BAD_TEXT, time="<b>")
        return [row(note), row(decision("judge", texts, "confirmed", [0, 1]), who=reviewer)]

    def often(texts: Sequence[str]) -> list[JudgementRow]:
        both = [
            decision("judge", texts, verdict, [0, 1]) for verdict in ("confirmed", "not reviewed")
        ]
        return [*map(row, both)] * (MANY // 2)

    yield "by strange people", by_strangers
    yield "of one pair, often", often

    def a_million_times(texts: Sequence[str]) -> list[JudgementRow]:
        return judged("confirmed", [0, 1] * 10**6, hashes=texts[:2])(texts)

    def a_million_pairs(texts: Sequence[str]) -> list[JudgementRow]:
        return judged("confirmed", _all(1000), hashes=[f"{n:032x}" for n in range(1000)])(texts)

    yield "of one pair, a million times", a_million_times
    yield "of a million pairs", a_million_pairs
    yield "cut off", lambda texts: [row(decision("judge", texts, "confirmed", [0, 1])[:-3])]

    def with_an_inverse_cut_off(texts: Sequence[str]) -> list[JudgementRow]:
        command, inverse = (
            decision("judge", texts, verdict, [0, 1]) for verdict in ("confirmed", None)
        )
        return [row(command, inverse[:-3])]

    yield "with an inverse cut off", with_an_inverse_cut_off
    yield "deep", lambda texts: [row(b'{"kind":"judge","texts":' + b"[" * 10**6)]


def _rescans() -> Iterator[tuple[str, Make]]:
    def chain(texts: Sequence[str]) -> list[JudgementRow]:
        keys = [*(f"{n:032x}" for n in range(MANY)), texts[0]]
        steps = [row(rescan([[now, before, 0.5]])) for before, now in pairwise(keys)]
        return [row(decision("judge", [keys[0], texts[1]], "confirmed", [0, 1])), *steps]

    def star(texts: Sequence[str]) -> list[JudgementRow]:
        edited = [[text, "0" * 32, 0.5] for text in texts]
        return [row(decision("judge", ["0" * 32], "confirmed", [0, 0])), row(rescan(edited))]

    def ring(texts: Sequence[str]) -> list[JudgementRow]:
        edited = [
            [now, before, 0] for now, before in zip(texts, [*texts[1:], texts[0]], strict=True)
        ]
        return [row(decision("judge", texts, "confirmed", [0, 1])), row(rescan(edited))] * 3

    yield "over many rescans", chain
    yield "of a text that became many", star
    yield "in a ring", ring
    yield "of itself", lambda texts: [row(rescan([[texts[0], texts[0], 1]]))]
    yield "with many rescans", lambda texts: [row(rescan(came=texts))] * MANY
    yield "with no number of files", lambda texts: [row(rescan(gone="1"))]
    yield "with a negative number of files", lambda texts: [row(rescan(gone=-1))]
    yield "with a share of infinity", lambda texts: [row(rescan([[texts[0], "x", float("inf")]]))]
    yield "with texts that are numbers", lambda texts: [row(rescan(came=[5]))]
    yield "seen before it came", lambda texts: [row(packed("seen", rescans=10**30)), row(rescan())]


def _all(count: int) -> list[int]:
    return [number for a in range(count) for b in range(count) for number in (a, b)]


Craft = Callable[["Editor"], object]
Columns = np.ndarray[Any, Any]
LogRow = tuple[Any, ...]

BIG = 2**63 - 1
LONG = b"x" * 10_000_000
DEEP = "[" * 10_000 + "]" * 10_000
ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT "
SCHEMA = "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = "


def make_documents(folder: Path) -> None:
    """Some texts that are like others, copies, one that is empty, one with remarks."""
    folder.mkdir(parents=True)
    rng = random.Random(10)
    words = [f"{first}{second}" for first in "bcdfgklmnprstvwz" for second in ("a", "e", "io")]
    texts = []
    for number in range(24):
        if number % 4 == 0:
            base = [rng.choice(words) + rng.choice(words) for _ in range(150)]
        words_of_text = list(base)
        for _ in range(10 * (number % 4)):
            words_of_text[rng.randrange(len(words_of_text))] = rng.choice(words)
        texts.append(" ".join(words_of_text))
    texts += [texts[3], texts[3], "漢字かな交じり文 " * 30]
    for number, text in enumerate(texts):
        (folder / f"{number:02}.txt").write_text(text, encoding="utf-8")
    (folder / "empty.txt").write_text("")
    (folder / "binary.txt").write_bytes(bytes(range(256)) * 4)


def make_review(folder: Path, path: Path) -> None:
    """The whole review that all others are made of."""
    done = scan([folder], ScanSettings(k=3, min_resemblance=0.05))
    done.list_pairs()
    done.close()
    save_review(path, done.state)


def whole_review(folder: Path) -> Path:
    """The path of a whole review that is made in a folder."""
    make_documents(folder / "docs")
    make_review(folder / "docs", folder / "whole.neardup")
    return folder / "whole.neardup"


class Editor:
    """Edits a review; whatever changes gets a new checksum."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.path = path
        self.connection = connection
        connection.text_factory = bytes

    def facts(self, **changes: object) -> None:
        """Other values in the row about the review."""
        self.raw_facts(json.dumps({**self._facts(), **changes}).encode())

    def settings(self, **changes: object) -> None:
        """Other settings."""
        facts = self._facts()
        self.facts(settings={**facts["settings"], **changes})

    def raw_facts(self, data: bytes) -> None:
        """That row as these bytes."""
        self.run("UPDATE review SET facts = ?, checksum = ?", data, checksum_of(data))

    def document(self, number: int = 1, **changes: object) -> None:
        """Other columns of a document."""
        names = DocumentRow._fields
        row = self.run(f"SELECT {', '.join(names)} FROM documents WHERE id = ?", number)[0]
        values = dict(zip(names, row, strict=True)) | changes
        for name, value in changes.items():
            self.run(f"UPDATE documents SET {name} = ? WHERE id = ?", value, number)
        columns = [0 if value is None else value for value in values.values()]
        try:
            checksum = row_checksum(columns[:10], columns[10:])
        except (TypeError, ValueError, OverflowError, struct.error):
            return
        number = int(values["id"])
        self.run("UPDATE documents SET checksum = ? WHERE id = ?", checksum, number)

    def folder(self, given: bytes, absolute: bytes, position: int = 0, role: bytes = b"") -> None:
        """Another place of the folder, or what it is for."""
        checksum = row_checksum((1, position), (given, absolute, role))
        query = "UPDATE folders SET given = ?, absolute = ?, position = ?, role = ?, checksum = ?"
        self.run(query, given, absolute, position, role, checksum)

    def problem(self, name: bytes, code: bytes, detail: bytes) -> None:
        """Another first problem."""
        rest = self.run("SELECT limit_met, sha256 FROM problems WHERE id = 1")[0]
        checksum = row_checksum((1,), (name, code, detail, *rest))
        query = "UPDATE problems SET name = ?, code = ?, detail = ?, checksum = ? WHERE id = 1"
        self.run(query, name, code, detail, checksum)

    def text(self, text: str | None = None, **changes: object) -> None:
        """Another first text, or other columns of it."""
        size, data = self.run("SELECT size, data FROM texts WHERE id = 1")[0]
        if text is not None:
            size, data = pack_text(text)
        size, data = changes.get("size", size), changes.get("data", data)
        checksum = checksum_of(data, seed=1)
        query = "UPDATE texts SET size = ?, data = ?, checksum = ? WHERE id = 1"
        self.run(query, size, data, checksum)

    def signed(self, change: Callable[[bytes], bytes], number: int = 1) -> None:
        """Another signed row, for all documents that have it."""
        query = "SELECT data, skip_grams FROM signed WHERE id = ?"
        data, grams = self.run(query, number)[0]
        data = change(data)
        self.run("UPDATE signed SET data = ? WHERE id = ?", data, number)
        for (signed_id,) in self.run("SELECT id FROM documents WHERE signed = ?", number):
            self.document(signed_id, signed_checksum=SignedRow(data, grams).checksum)

    def pairs(self, change: Callable[[Columns], Columns | None], **facts: object) -> None:
        """Other pairs: `later`, `earlier`, `shared`, `longest`, `words`."""
        first, count, checksum, data = self.run("SELECT * FROM pairs ORDER BY first LIMIT 1")[0]
        columns = _columns(OVERLAP, first, count, checksum, data).astype("<u4")
        changed = change(columns)
        columns = columns if changed is None else changed.astype("<u4")
        count = columns.shape[1]
        raw = columns.view(np.uint8).reshape(5, -1, 4).transpose(0, 2, 1).tobytes()
        first = int(columns[0, 0]) if count else first
        self.run("DELETE FROM pairs")
        packed = zlib.compress(raw, 1)
        checksum = _checksum(first, count, raw)
        self.run("INSERT INTO pairs VALUES (?, ?, ?, ?)", first, count, checksum, packed)
        self.facts(**{"pairs": count, **facts})

    def aside(self, number: int, value: object, *, count: int = 1, size: int | None = None) -> None:
        """What is set aside in a document, or with number 0 the rules; bytes as they are."""
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        packed = zlib.compress(data, 1)
        checksum = checksum_of(packed, seed=max(number, 0))
        size = len(data) if size is None else size
        self.run("INSERT INTO aside VALUES (?, ?, ?, ?)", number, size, checksum, packed)
        self.facts(aside=count)

    def text_hashes(self) -> list[str]:
        """Of the documents, in their order."""
        rows = self.run("SELECT text_hash FROM documents ORDER BY id")
        return [text.decode() for (text,) in rows]

    def log(self, *rows: LogRow, **facts: object) -> None:
        """Other entries: reverses, time, who, command, inverse."""
        before = 0
        self.run("DELETE FROM log")
        for number, (reverses, *blobs) in enumerate(rows, 1):
            before = row_checksum((number, reverses, before), blobs)
            self.run(
                "INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", number, reverses, *blobs, before
            )
        self.facts(**{"log": len(rows), **facts})

    def run(self, statement: str, *values: object) -> list[Any]:
        """A statement."""
        return self.connection.execute(statement, values).fetchall()

    def script(self, statements: str) -> None:
        """Statements."""
        self.connection.executescript(statements)

    def _facts(self) -> dict[str, Any]:
        return dict(json.loads(self.run("SELECT facts FROM review")[0][0]))


def craft(review: Path, path: Path, change: Craft) -> None:
    """A copy of a whole review, changed."""
    path.write_bytes(review.read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        change(Editor(connection, path))
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def crafted() -> Iterator[tuple[str, Craft]]:
    """All of them by name."""
    for part in (_schemas, _facts, _settings, _documents, _folders, _problems):
        yield from part()
    for part in (_texts, _signatures, _aside, _pairs, _logs):
        yield from part()


def _named(name: str, values: dict[str, Any], use: Callable[[Editor, Any], object]) -> Any:
    for word, value in values.items():
        yield f"{name} {word}", lambda edit, value=value: use(edit, value)


def _schemas() -> Iterator[tuple[str, Craft]]:
    tables = (
        "review", "folders", "texts", "signed", "documents", "problems", "pairs", "log", "aside",
        "reworked", "word_model",
    )  # fmt: skip
    for table in tables:
        view = f"ALTER TABLE {table} RENAME TO other; CREATE VIEW {table} AS "
        for name, script in {
            "an endless view": f"{view} {ENDLESS} i AS id, i AS first, x'00' AS data FROM n",
            "a view of zeros": f"{view} SELECT 1 AS id, zeroblob(1000000000) AS data",
            "a trigger": f"CREATE TRIGGER t AFTER INSERT ON {table} BEGIN {ENDLESS} i FROM n; END",
            "a column more": f"ALTER TABLE {table} ADD COLUMN more",
            "nothing of it": f"PRAGMA foreign_keys = OFF; DROP TABLE {table}",
            "an index on an expression": f"CREATE INDEX i ON {table} (abs(checksum))"
            if table != "signed"
            else "CREATE INDEX i ON signed (length(data))",
            "a generated column": f"ALTER TABLE {table} ADD COLUMN more AS (zeroblob(99999999))",
            "a default": f"{SCHEMA} replace(sql, 'BLOB NOT NULL', 'BLOB DEFAULT (zeroblob(9e8))') "
            f"WHERE name = '{table}'",
        }.items():
            yield f"{table}: {name}", lambda edit, script=script: edit.script(script)
    specials = {
        "one more table": "CREATE TABLE more (value)",
        "a table of escapes": 'CREATE TABLE "\x1b[31mred\u202e" (value)',
        "a view that takes the name of the schema": "CREATE VIEW other AS SELECT 1; "
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET name = 'sqlite_schema', tbl_name = "
        "'sqlite_schema', sql = 'CREATE VIEW sqlite_schema AS SELECT 1' WHERE name = 'other'",
        "a table without row ids": f"{SCHEMA} sql || ' WITHOUT ROWID' WHERE name = 'texts'",
        "two tables in one place": "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage "
        "= (SELECT rootpage FROM sqlite_master WHERE name = 'texts') WHERE name = 'signed'",
        "a last number of another table": "INSERT INTO sqlite_sequence VALUES ('other', 1)",
    }
    yield from _named("schema with", specials, Editor.script)
    yield (
        "very many tables",
        lambda edit: edit.script(
            "CREATE TABLE other (value); PRAGMA writable_schema = ON; WITH RECURSIVE n (i) AS "
            "(SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 60000) INSERT INTO sqlite_master SELECT "
            "'table', 't' || i, 't' || i, rootpage, 'CREATE TABLE t' || i || ' (value)' FROM n, "
            "sqlite_master WHERE name = 'other'"
        ),
    )
    yield (
        "a long statement",
        lambda edit: edit.script(f"{SCHEMA} sql || '{' ' * 9_000_000}' WHERE name = 'texts'"),
    )
    yield "last number huge", lambda edit: edit.run("UPDATE sqlite_sequence SET seq = ?", BIG)
    yield "last number no number", lambda edit: edit.run("UPDATE sqlite_sequence SET seq = 'x'")


def _facts() -> Iterator[tuple[str, Craft]]:
    values: dict[str, object] = {
        "null": None,
        "negative": -1,
        "zero": 0,
        "huge": BIG,
        "beyond": 10**30,
        "fraction": 1.5,
        "text": "x",
        "flag": True,
        "list": [],
        "null character": "\0",
        "object code": "|O8",
        "void": "V1000000",
    }
    names = ("program", "saved", "signing", "reading", "signature_type", "signature_width")
    for name in (*names, "folders", "documents", "problems", "pairs", "settings"):
        yield from _named(
            f"facts {name}", values, lambda edit, value, name=name: edit.facts(**{name: value})
        )
    raws = {
        "a list": b"[]",
        "nothing": b"",
        "no JSON": b"{",
        "deep": DEEP.encode(),
        "deep settings": b'{"settings": ' + DEEP.encode() + b"}",
        "no number": b'{"settings": {"min_resemblance": NaN}}',
        "many digits": b'{"documents": ' + b"9" * 5000 + b"}",
        "10 MB": b'{"settings": {"a": "' + b"x" * 10_000_000 + b'"}}',
        "no UTF-8": b'{"\xff": 1}',
    }
    yield from _named("facts", raws, Editor.raw_facts)


def _settings() -> Iterator[tuple[str, Craft]]:
    values: dict[str, object] = {
        "negative": -1,
        "huge": 10**30,
        "fraction": 0.5,
        "flag": True,
        "no number": float("nan"),
        "infinite": float("inf"),
        "list": [[["x"]]],
        "escapes": "\x1b[31m\u202e\0",
    }
    for field in fields(ScanSettings):
        yield from _named(
            f"setting {field.name}",
            values,
            lambda edit, value, name=field.name: edit.settings(**{name: value}),
        )
    yield (
        "unknown settings",
        lambda edit: edit.settings(**{f"s{index}": index for index in range(500)}),
    )
    yield "a setting of escapes", lambda edit: edit.settings(**{"\x1b]0;x\x07": 1})
    yield "a smaller width", lambda edit: edit.settings(signature_size=64, bands=8)


def _documents() -> Iterator[tuple[str, Craft]]:
    numbers: dict[str, object] = {
        "negative": -5,
        "huge": BIG,
        "beyond pairs": 2**32,
        "zero": 0,
        "one": 1,
        "text": "x",
        "fraction": 1.5,
        "null": b"",
    }
    for name in ("size", "modified_ns", "characters", "text", "signed", "shingles", "place"):
        yield from _named(
            f"document {name}",
            numbers,
            lambda edit, value, name=name: edit.document(**{name: value}),
        )
    for name, value in {"zero": 0, "negative": -3, "huge": BIG, "beyond": 2**32}.items():
        yield f"document id {name}", lambda edit, value=value: edit.document(27, id=value)
    blobs: dict[str, object] = {
        "nothing": b"",
        "null": b"a\0b",
        "escapes": "\x1b[31mred\u202egpj.exe\r\n".encode(),
        "10 MB": LONG,
        "100 kB": b"x" * 100_000,
        "up": b"../../../etc/passwd",
        "root": b"/etc/passwd",
        "no UTF-8": b"\xff\xfe",
        "dash": b"-rf",
        "address": b"http://example.org/",
        "text": "text",
        "deep": DEEP.encode(),
        "JSON": b'["\\u001b[31mred", "two"]',
        "numbers": b"[1, 2, 3, 4]",
    }
    names = ("path", "name", "file_hash", "kind", "encoding", "part", "remarks", "absence")
    for name in (*names, "text_hash", "members", "language", "sha256"):
        yield from _named(
            f"document {name}", blobs, lambda edit, value, name=name: edit.document(**{name: value})
        )
    members = {
        "one": [["a.txt", 0, 5, 1, ""]],
        "behind the end": [["a.txt", 10**9, 5, 1, ""]],
        "before the heading": [["a.txt", 0, 5, 1, ""], ["b.txt", 1, 5, 1, ""]],
        "of other types": [[5, "0", [], {}, None]],
        "too short": [["a.txt"]],
        "too long": [["a.txt", 0, 5, 1, "", 7]],
        "of escapes": [["\x1b[31m\u202e", 20, 5, 1, ""]],
        "with a negative size": [["a.txt", 20, -5, 1, ""]],
        "many": [["a", 20, 5, 1, ""]] * 100_000,
        "no list": {"a": 1},
    }
    yield from _named(
        "members", members, lambda edit, value: edit.document(members=json.dumps(value).encode())
    )
    days = {
        "of another kind": b'["made up", "2026-01-01", false, false]',
        "no day": b'["gone", "2026-99-99", false, false]',
        "a number": b'["gone", 5, false, false]',
        "a list": b'[[], "2026-01-01", {}, []]',
    }
    yield from _named("absence", days, lambda edit, value: edit.document(absence=value))
    yield "the text of another", lambda edit: edit.document(text_hash=b"0" * 32)
    yield "no text", lambda edit: edit.document(text_hash=b"")
    yield "two documents of one name", lambda edit: edit.document(2, name=b"00.txt", path=b"00.txt")
    yield "no folder", lambda edit: edit.document(folder=None, path=b"/etc/passwd")


def _folders() -> Iterator[tuple[str, Craft]]:
    folders = {
        "elsewhere": (b"docs", b"/etc"),
        "null": (b"a\0b", b"a\0b"),
        "nothing": (b"", b""),
        "address": (b"//server/share", b"//server/share"),
        "home": (b"~", b"~"),
        "escapes": (b"\x1b[31m", b"\x1b[31m"),
        "10 MB": (b"x" * 10_000_000, b"/"),
        "up": (b"../..", b"/"),
        "no UTF-8": (b"\xff", b"/\xff"),
    }
    yield from _named("folder", folders, lambda edit, value: edit.folder(*value))
    yield "folder position", lambda edit: edit.folder(b"x", b"/x", BIG)
    roles = {
        "made up": b"made up",
        "template": b"template",
        "no ASCII": b"\xff\0",
        "of 10 MB": LONG,
    }
    yield from _named("role", roles, lambda edit, value: edit.folder(b"x", b"/x", 0, value))


def _problems() -> Iterator[tuple[str, Craft]]:
    rows = {
        "of another kind": (b"x", b"made up", b"Why."),
        "escapes": (b"\x1b[31m", b"empty", "\x1b]0;t\x07\u202e".encode()),
        "null": (b"a\0", b"\0", b"\0"),
        "10 MB": (b"x", b"empty", b"y" * 10_000_000),
        "no UTF-8": (b"\xff", b"\xff", b"\xff"),
        "markup": (b"<b>x</b>", b"empty", b"<script>alert(1)</script>"),
    }
    yield from _named("problem", rows, lambda edit, value: edit.problem(*value))
    yield "problem id", lambda edit: edit.run("UPDATE problems SET id = ? WHERE id = 1", BIG)
    yield (
        "problem without number",
        lambda edit: edit.run("UPDATE problems SET id = -1 WHERE id = 1"),
    )


def _bomb(size: int) -> bytes:
    """So many zeros, compressed."""
    packing = zlib.compressobj(9)
    chunk = bytes(1 << 20)
    parts = [packing.compress(chunk) for _ in range(size >> 20)]
    return b"".join([*parts, packing.flush()])


def _texts() -> Iterator[tuple[str, Craft]]:
    def bomb(edit: Editor, size: int) -> None:
        edit.text(data=_bomb(size), size=size)
        edit.document(characters=size, shingles=-1)

    yield from _named("text bomb", {"1 GB": 1 << 30, "4 GB": 1 << 32}, bomb)
    for name, size in {"zero": 0, "negative": -1, "huge": BIG, "less": 5, "text": "x"}.items():
        yield f"text size {name}", lambda edit, size=size: edit.text(size=size)
    yield "text of other words", lambda edit: edit.text("other words " * 40)
    yield "text shorter", lambda edit: edit.text("short")
    yield (
        "text with more behind it",
        lambda edit: edit.text(
            data=edit.run("SELECT data FROM texts WHERE id = 1")[0][0] + b"more"
        ),
    )
    yield (
        "text cut",
        lambda edit: edit.text(data=edit.run("SELECT data FROM texts WHERE id = 1")[0][0][:-9]),
    )
    yield "text of zeros", lambda edit: edit.text(data=bytes(9_000_000))
    yield "text of no UTF-8", lambda edit: edit.text(size=3, data=zlib.compress(b"\xff\xff\xff"))
    yield "no texts", lambda edit: edit.script("PRAGMA foreign_keys = OFF; DELETE FROM texts")

    def same_length(edit: Editor) -> None:
        (length,) = edit.run("SELECT characters FROM documents WHERE text = 1")[0]
        edit.text(("changed words " * 1000)[:length])

    yield "text of the same length", same_length


def _patched(offset: int, new: bytes) -> Callable[[bytes], bytes]:
    return lambda data: data[:offset] + new + data[offset + len(new) :]


def _signatures() -> Iterator[tuple[str, Craft]]:
    def number(value: int) -> bytes:
        return value.to_bytes(8, "little", signed=True)

    changes: dict[str, Callable[[bytes], bytes]] = {
        "units negative": _patched(0, number(-1)),
        "units zero": _patched(0, number(0)),
        "units one more": lambda data: number(1 + int.from_bytes(data[:8], "little")) + data[8:],
        "units huge": _patched(0, number(BIG)),
        "digest": _patched(8, bytes(16)),
        "signature of zeros": _patched(24, bytes(512)),
        "one value of the signature": _patched(40, b"\1\2\3\4"),
        "fingerprints gone": lambda data: data[:536],
        "fingerprints others": lambda data: data[:536] + bytes(len(data) - 536),
        "fingerprints more": lambda data: data + bytes(8),
        "fingerprints millions": lambda data: data + bytes(8_000_000),
        "nothing": lambda _data: b"",
        "cut": lambda data: data[:100],
        "not whole": lambda data: data[:-3],
    }
    for row in (1, 5):
        yield from _named(
            f"signed {row}", changes, lambda edit, change, row=row: edit.signed(change, row)
        )
    yield "no signatures", lambda edit: edit.script("PRAGMA foreign_keys = OFF; DELETE FROM signed")

    def as_copy(edit: Editor) -> None:
        """Say that a text is a copy of another."""
        data = edit.run("SELECT data FROM signed WHERE id = 2")[0][0]
        edit.signed(lambda columns: columns[:8] + data[8:24] + columns[24:])

    yield "a copy that is none", as_copy

    def single_shingle(edit: Editor) -> None:
        edit.pairs(lambda columns: columns[:, :0])
        for (number,) in edit.run("SELECT id FROM documents"):
            edit.document(number, shingles=0)

    yield "no shingles at all", single_shingle

    def other_signature(edit: Editor) -> None:
        row = edit.run("SELECT signed_checksum FROM documents WHERE signed = 2")[0][0]
        edit.document(1, signed=2, signed_checksum=row)

    yield "the signature of another", other_signature


def _logs() -> Iterator[tuple[str, Craft]]:
    time = b"2026-11-22T10:00:00.000+00:00"

    def row(command: object, inverse: object = None, reverses: int = 0) -> LogRow:
        blobs = (
            value
            if isinstance(value, bytes)
            else b""
            if value is None
            else json.dumps(value).encode()
            for value in (command, inverse)
        )
        return (reverses, time, b"ann", *blobs)

    def command(kind: object, **data: object) -> dict[str, object]:
        return {"kind": kind, **data}

    key = ["0" * 32, "0" * 32, "00.txt"]
    folder_command = command("found elsewhere", folder="docs", place="/etc")
    rows: dict[str, Sequence[LogRow]] = {
        "no JSON": [row(b"{")],
        "a list": [row([])],
        "deep": [row(DEEP.encode())],
        "no kind": [row({"documents": []})],
        "a kind that is a number": [row(command(5))],
        "a kind of escapes": [row(command("\x1b[31m"))],
        "a long kind": [row(command("x" * 5000))],
        "of a newer version": [row(command("made up", more=[[1]]))],
        "no documents": [row(command("remove"))],
        "documents that are none": [row(command("remove", documents=[1, None]))],
        "keys too short": [row(command("remove", documents=[key[:2]]))],
        "of one that is not here": [row(command("remove", documents=[key]))],
        "many documents": [row(command("remove", documents=[key] * 100_000))],
        "many entries": [row(command("remove", documents=[key]))] * 20_000,
        "a place of null": [row(command("found elsewhere", folder="docs", place="a\0b"))],
        "a place that is a number": [row(command("found elsewhere", folder="docs", place=1))],
        "found elsewhere": [row(folder_command)],
        "found elsewhere, often": [row(folder_command)] * 5000,
        "deleted, often": [row(command("delete removed"))] * 5000,
        "reverses itself": [row(folder_command, folder_command, reverses=1)],
        "reverses one to come": [row(folder_command, folder_command, reverses=9)],
        "reverses a negative": [row(folder_command, folder_command, reverses=-1)],
        "an inverse that is none": [row(folder_command, b"[")],
        "of escapes": [(0, time, "\x1b[31mred\u202e".encode(), *row(folder_command)[3:])],
        "at no time": [(0, b"\x1b]0;t\x07", *row(folder_command)[2:])],
        "at a long time": [(0, b"x" * 1_000_000, *row(folder_command)[2:])],
        "of 10 MB": [row(command("made up", text="x" * 10_000_000))],
        "no UTF-8": [row(b"\xff\xff")],
    }
    yield from _named("log", rows, lambda edit, rows_of_log: edit.log(*rows_of_log))
    yield from _named(
        "judged", judgement_logs(), lambda edit, make: edit.log(*make(edit.text_hashes()))
    )
    counts = {"one more": 2, "one less": 0, "huge": BIG, "negative": -1, "text": "x"}
    yield from _named(
        "log count", counts, lambda edit, value: edit.log(row(folder_command), log=value)
    )
    yield from _named(
        "log contained", counts, lambda edit, value: edit.log(row(folder_command), contained=value)
    )
    yield (
        "log of other types",
        lambda edit: (
            edit.log(row(folder_command)),
            edit.run("UPDATE log SET who = 5, inverse = 'x'"),
        ),
    )
    yield (
        "log with a gap",
        lambda edit: (
            edit.log(row(folder_command), row(folder_command)),
            edit.run("DELETE FROM log WHERE id = 1"),
        ),
    )
    yield (
        "log with a changed entry",
        lambda edit: (edit.log(row(folder_command)), edit.run("UPDATE log SET who = x'62'")),
    )


def _aside() -> Iterator[tuple[str, Craft]]:
    spans: dict[str, object] = {
        "some": {"selection": [0, 5]},
        "of a reason that is not known": {"whim": [0, 5]},
        "outside": {"selection": [0, 10**12]},
        "negative": {"selection": [-5, 9]},
        "backwards": {"selection": [9, -5]},
        "empty": {"selection": [3, 0]},
        "none": {},
        "half": {"selection": [1, 2, 3]},
        "huge": {"selection": [BIG, BIG]},
        "of text": {"selection": ["0", "5"]},
        "of fractions": {"selection": [0.5, 2.5]},
        "of truth": {"selection": [True, True]},
        "very many": {"selection": [0, 1] * 200_000},
        "overlapping": {"quotation": [0, 50, 10, 60], "template": [5, 100]},
        "a list": [[0, 5]],
        "deep": DEEP.encode(),
        "no JSON": b"{",
        "nothing": b"",
    }
    yield from _named("aside", spans, lambda edit, value: edit.aside(1, value))
    rules: dict[str, object] = {
        "common to one": {"common": 1},
        "common to very many": {"common": BIG},
        "of another type": {"quotations": "yes"},
        "that are not known": {"poems": True},
        "with a phrase of nothing": {"phrases": [["", "selection"]]},
        "with a phrase of 2 MB": {"phrases": [["x" * 2_000_000, "selection"]]},
        "with a phrase of escapes": {"phrases": [["\x1b[31mred\u202e", "selection"]]},
        "with phrases that are none": {"phrases": [1, [2], ["a", "b", "c"]]},
        "with very many phrases": {"phrases": [[f"w{n}", "selection"] for n in range(50_000)]},
        "of another kind": 7,
    }
    yield from _named("aside by rules", rules, lambda edit, value: edit.aside(0, value))
    for count in (0, 2, BIG, -1):
        yield (
            f"aside, {count} rows",
            lambda edit, n=count: edit.aside(1, {"template": [0, 5]}, count=n),
        )
    for size in (0, BIG, -1):
        yield (
            f"aside of {size} bytes",
            lambda edit, n=size: edit.aside(1, {"template": [0, 5]}, size=n),
        )
    yield "aside in no document", lambda edit: edit.aside(999, {"template": [0, 5]})
    yield "aside before all", lambda edit: edit.aside(-1, {"template": [0, 5]})
    bomb = {"size": 1 << 30}
    yield "aside bomb", lambda edit: edit.aside(1, b" " * (1 << 24), **bomb)
    yield (
        "aside of other types",
        lambda edit: (
            edit.aside(1, {"template": [0, 5]}),
            edit.run("UPDATE aside SET size = 'x', data = 5"),
        ),
    )


def _pairs() -> Iterator[tuple[str, Craft]]:
    def put(row: int, value: int, column: int = 0) -> Callable[[Columns], None]:
        def change(columns: Columns) -> None:
            columns[row, column] = value

        return change

    names = ("later", "earlier", "shared", "longest", "words")
    for row, name in enumerate(names):
        for value in (0, 1, 20, 2**31 - 1, 2**32 - 1):
            for column in (0, 7):
                yield from _named(
                    f"pair {column} {name}",
                    {str(value): put(row, value, column)},
                    lambda edit, change: edit.pairs(change),
                )

    def more(row: int) -> Callable[[Columns], None]:
        def change(columns: Columns) -> None:
            columns[row] += (columns[row] > 1) & (columns[row] < 100)

        return change

    for row, name in enumerate(names[2:], 2):
        yield f"pairs one more {name}", lambda edit, row=row: edit.pairs(more(row))
    yield "pairs backwards", lambda edit: edit.pairs(lambda columns: columns[:, ::-1])
    yield "pairs twice", lambda edit: edit.pairs(lambda columns: np.repeat(columns, 2, axis=1))
    yield "pairs gone", lambda edit: edit.pairs(lambda columns: columns[:, ::2])
    yield "no pairs", lambda edit: edit.pairs(lambda columns: columns[:, :0])
    yield (
        "pairs in millions",
        lambda edit: edit.pairs(lambda columns: np.tile(columns[:, :1], 5_000_000)),
    )
    for name, count in {"negative": -1, "huge": BIG, "text": "x", "zero": 0, "more": 999}.items():
        yield (
            f"pairs count {name}",
            lambda edit, count=count: edit.run("UPDATE pairs SET count = ?", count),
        )
    yield "pairs of nothing", lambda edit: edit.run("UPDATE pairs SET data = x''")
    yield "pairs of zeros", lambda edit: edit.run("UPDATE pairs SET data = zeroblob(90000000)")
    yield (
        "all alike",
        lambda edit: edit.pairs(
            lambda columns: np.vstack(
                [columns[:2], columns[2:].max(axis=1, keepdims=True) + 0 * columns[2:]]
            )
        ),
    )


def damaged(intact: bytes, donor: bytes, count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """So many reviews that an accident has changed, each with what happened."""
    rng = random.Random(seed)
    for number in range(count):
        name, change = DAMAGES[number % len(DAMAGES)]
        data = bytearray(intact)
        change(data, donor, rng)
        yield f"{number} {name}", bytes(data)


def _page_size(data: bytearray) -> int:
    return int.from_bytes(data[16:18], "big") if len(data) > 18 else 4096


def _page(data: bytearray, rng: random.Random) -> slice:
    size = _page_size(data)
    start = size * rng.randrange(len(data) // size)
    return slice(start, start + size)


def _flip(data: bytearray, _donor: bytes, rng: random.Random) -> None:
    for _ in range(rng.choice([1, 1, 3, 30, 1000])):
        data[rng.randrange(len(data))] ^= rng.randrange(1, 256)


def _cut(data: bytearray, _donor: bytes, rng: random.Random) -> None:
    del data[rng.randrange(len(data)) :]


def _swap(data: bytearray, _donor: bytes, rng: random.Random) -> None:
    first, second = _page(data, rng), _page(data, rng)
    data[first], data[second] = data[second], data[first]


def _zero(data: bytearray, _donor: bytes, rng: random.Random) -> None:
    page = _page(data, rng)
    data[page] = bytes(page.stop - page.start)


def _foreign(data: bytearray, donor: bytes, rng: random.Random) -> None:
    page = _page(data, rng)
    if len(donor) >= page.stop:
        data[page] = donor[page]


def _head(data: bytearray, _donor: bytes, rng: random.Random) -> None:
    for _ in range(rng.choice([1, 2, 8])):
        data[16 + rng.randrange(84)] = rng.choice([0, 1, 2, 127, 255, rng.randrange(256)])


def _cells(data: bytearray, _donor: bytes, rng: random.Random) -> None:
    """The beginning of a page: its kind, its count of cells and where they are."""
    page = _page(data, rng)
    for _ in range(rng.choice([1, 2, 8])):
        data[page.start + rng.randrange(40)] = rng.choice([0, 2, 5, 10, 13, 255])


def _twice(data: bytearray, _donor: bytes, rng: random.Random) -> None:
    """A page in the place of another."""
    data[_page(data, rng)] = data[_page(data, rng)]


DAMAGES = (
    ("bytes flipped", _flip),
    ("cut", _cut),
    ("pages swapped", _swap),
    ("a page of zeros", _zero),
    ("a page of another review", _foreign),
    ("the header", _head),
    ("cells", _cells),
    ("a page twice", _twice),
)
