"""What is believed of a review: what this installation measured, and an audit of its list."""

import json
import os
import sqlite3
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from core.audit.auditing import audit
from core.base.tasks import cancelled_by
from core.documents.model import DocumentKey, PairKey
from core.errors import ReviewError, ScanCancelledError
from core.review import mac, open_review, save_review
from core.review.decisions import judged
from core.review.documents import NOT_OURS
from core.review.header import load_facts
from core.review.kept_audits import keep_audit
from core.review.packing import checksum_of, pack_text
from core.review.validation import plain_values, typed_values
from core.review.verdicts import judge
from core.scan.audit_results import MOST_NAMED, AuditResult, Method, fingerprint, shortened
from core.scan.flow import scan
from core.scan.history import Command, entry_after
from core.scan.judgements import Judgements, Verdict
from core.settings import ScanSettings
from tests.reviews import ReviewLog, list_of, scanned_state, state_in
from tests.texts import folder_of_copies, folder_with

WORDS = "the survey was carried out in three districts between april and june"
DATA = "XDG_DATA_HOME"
KEY = Path("neardup") / mac.KEY_FILE
linux = pytest.mark.skipif(sys.platform != "linux", reason="says where data is kept on Linux")


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    """The user's data folder, without a key."""
    folder = tmp_path / "data"
    monkeypatch.setenv(DATA, str(folder))
    return folder


@pytest.fixture
def state(tmp_path):
    texts = {f"{number}.txt": f"{WORDS} {number} {WORDS[::-1]} {number}" for number in range(4)}
    return scanned_state([folder_with(tmp_path / "docs", texts)], ScanSettings(k=2))


@pytest.fixture
def review(path, state):
    save_review(path, state)
    return path


def numbers(state):
    pairs = list_of(state).every
    return sorted(zip(pairs.a, pairs.b, pairs.resemblance, pairs.longest_run, strict=True))


def notes_of(path):
    with open_review(path) as opened:
        return opened.notes


def test_ours_is_believed_without_measuring_anything(review, state, monkeypatch):
    monkeypatch.setattr("core.review.loading.signed_again", None)
    with open_review(review) as opened:
        assert opened.notes == ()
        assert opened.state.evidence.codes.tolist() == state.evidence.codes.tolist()


def test_of_another_installation_everything_is_measured_again(review, state, tmp_path, monkeypatch):
    monkeypatch.setenv(DATA, str(tmp_path / "elsewhere"))
    reports = []
    with open_review(review, progress=reports.append) as opened:
        assert opened.notes == (NOT_OURS,)
        assert not len(opened.state.evidence.codes)
        assert numbers(opened.state) == numbers(state)
        assert [document.text_hash for document in opened.state.documents] == [
            document.text_hash for document in state.documents
        ]
        save_review(review, opened.state)
    assert reports[-1].done == len(state.documents)
    assert notes_of(review) == ()


def test_measuring_again_can_be_cancelled(review, tmp_path, monkeypatch):
    monkeypatch.setenv(DATA, str(tmp_path / "elsewhere"))
    cancelled = []
    real = mac.is_ours

    def is_ours(*arguments):
        cancelled.append(True)
        return real(*arguments)

    monkeypatch.setattr("core.review.documents.is_ours", is_ours)
    with pytest.raises(ScanCancelledError), cancelled_by(lambda: bool(cancelled)):
        open_review(review)


def test_decisions_leave_it_ours(review):
    documents = state_in(review).documents
    key = PairKey.of(*documents[:2])
    with cancelled_by(lambda: True):  # a decision is written whole
        ReviewLog(review).append(*judge(Judgements(), [key], Verdict.CONFIRMED))
    with open_review(review) as opened:
        assert opened.notes == ()
        assert opened.state.judgements.verdicts[key].verdict is Verdict.CONFIRMED


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE pairs SET checksum = checksum + 1",
        "UPDATE documents SET checksum = checksum + 1 WHERE id = 2",
        "UPDATE texts SET checksum = checksum + 1 WHERE id = 2",
        "UPDATE word_model SET checksum = checksum + 1",
        "DELETE FROM pairs",
        "INSERT INTO aside VALUES (0, 2, 1, x'00')",
        "INSERT INTO reworked VALUES (99, 1, 1, x'00')",
        "INSERT INTO listed VALUES (99, 1, 1, x'00')",
    ],
)
def test_the_mac_is_over_everything_that_was_measured(review, change):
    with closing(sqlite3.connect(review)) as connection:
        connection.text_factory = bytes
        facts = load_facts(connection)
        assert mac.is_ours(connection, facts)
        connection.execute(change)
        assert not mac.is_ours(connection, facts)


def test_the_mac_is_over_how_the_files_were_read(review):
    with closing(sqlite3.connect(review)) as connection:
        connection.text_factory = bytes
        facts = load_facts(connection)
        assert mac.is_ours(connection, facts)
        assert not mac.is_ours(connection, facts._replace(read_with={}))


def test_a_text_in_the_place_of_another_is_not_shown(review, state):
    data = "(SELECT data FROM texts WHERE id = 2)"
    with closing(sqlite3.connect(review)) as connection:
        connection.execute(f"UPDATE texts SET data = {data} WHERE id = 1")
        connection.commit()
    with open_review(review) as opened, pytest.raises(ReviewError, match="is damaged"):
        list(opened.state.texts)


def test_a_text_of_a_stranger_is_not_kept_when_it_is_saved_over(review, state):
    text = state.texts[0]
    size, packed = pack_text(text.replace("survey", "voyage"))
    with closing(sqlite3.connect(review)) as connection:
        connection.execute(
            "UPDATE texts SET size = ?, checksum = ?, data = ? WHERE id = 1",
            (size, checksum_of(packed, seed=1), packed),
        )
        connection.commit()

    save_review(review, state)

    with open_review(review) as opened:
        assert opened.notes == ()
        assert list(opened.state.texts) == list(state.texts)


@linux
def test_without_a_place_for_the_key_all_is_measured_again_and_nothing_fails(data, state, path):
    data.write_text("no folder")
    assert save_review(path, state) == ()
    with open_review(path) as opened:
        assert opened.notes == (NOT_OURS,)
        assert numbers(opened.state) == numbers(state)


@linux
def test_the_key_is_for_nobody_else(data, review):
    status = (data / KEY).stat()
    assert stat.S_IMODE(status.st_mode) == 0o600
    assert status.st_size == mac.KEY_BYTES
    assert [path.name for path in (data / KEY).parent.iterdir()] == [mac.KEY_FILE]


@linux
def test_an_invalid_key_is_replaced_and_a_link_is_not_followed(data, review, tmp_path):
    key = data / KEY
    key.write_bytes(b"short")
    assert notes_of(review) == (NOT_OURS,)
    assert key.stat().st_size == mac.KEY_BYTES
    user_file = tmp_path / "own"
    user_file.write_bytes(bytes(mac.KEY_BYTES))
    key.unlink()
    key.symlink_to(user_file)
    assert notes_of(review) == (NOT_OURS,)
    assert user_file.read_bytes() == bytes(mac.KEY_BYTES)


def test_who_needs_the_key_at_the_same_time_gets_the_same():
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: mac._key(), range(32)))
    assert len(keys) == 1
    assert None not in keys


@linux
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_data_folder_that_is_read_only(data, state, tmp_path):
    data.mkdir(mode=0o500)
    save_review(tmp_path / "a.neardup", state)
    assert notes_of(tmp_path / "a.neardup") == (NOT_OURS,)


FEW = ScanSettings(k=3, bands=2, rows=8, min_passage=10_000, compare="bands", reworked="off")
TEXTS = "0" * 32 + "-24"


@pytest.fixture(scope="module")
def scanned(tmp_path_factory, pool):
    return scan(
        [folder_of_copies(tmp_path_factory.mktemp("audits") / "folder", 12)], FEW, pool=pool
    )


@pytest.fixture(scope="module", params=Method)
def result(request, scanned):
    return audit(scanned.texts, FEW, method=request.param, count=10)


def kept(command):
    # As the log stores it.
    data = json.loads(json.dumps(command.data))
    entry = entry_after((), Command("audit", data), None, who="Ada")
    return judged(Judgements(), [entry]).audit


def test_a_kept_audit_is_the_audit_that_was_made(scanned, result):
    command = keep_audit(result, FEW, scanned.documents, TEXTS)

    audit_kept = kept(command)

    assert audit_kept.settings == FEW
    assert (audit_kept.who, audit_kept.texts) == ("Ada", TEXTS)
    assert audit_kept.is_of(FEW, TEXTS)
    assert not audit_kept.is_of(FEW.with_changes(bands=3), TEXTS)
    assert not audit_kept.is_of(FEW, "1" * 32 + "-24")
    short = shortened(result)
    for name in ("documents", "work", "estimate", "ranges", "remedies"):
        assert getattr(audit_kept.result, name) == getattr(short, name)
    names = [key.name for key in audit_kept.documents]
    if result.proof:
        named = [(names[miss.a], names[miss.b]) for miss in audit_kept.result.proof.missed]
        documents = scanned.documents
        assert named == [(documents[p.a].name, documents[p.b].name) for p in result.proof.missed]
        assert audit_kept.result.proof._replace(missed=()) == result.proof._replace(missed=())
    else:
        named = [names[planted.source] for planted in audit_kept.result.planting.missed]
        assert named == [
            scanned.documents[planted.source].name for planted in result.planting.missed
        ]
        assert audit_kept.result.planting._replace(missed=()) == result.planting._replace(missed=())


def test_no_more_is_kept_by_name_than_can_be_read(scanned):
    result = audit(scanned.texts, FEW, method=Method.ALL_PAIRS, count=1)
    first = result.proof.missed[0]
    many = result.proof._replace(
        pairs=10**6,
        missed=(first,) * 1000,
        wanted=result.proof.listed + 1000,
        reasons=(result.proof.reasons[0]._replace(pairs=1000),),
    )

    audit_kept = kept(keep_audit(result._replace(proof=many), FEW, scanned.documents, TEXTS))

    assert len(audit_kept.result.proof.missed) == MOST_NAMED
    assert audit_kept.result.proof.missing == 1000


def test_it_is_in_the_file_at_once_and_there_when_it_is_opened(tmp_path, scanned, result):
    path = tmp_path / "one.neardup"
    save_review(path, scanned.state)
    command = keep_audit(result, FEW, scanned.documents, TEXTS)

    ReviewLog(path).append(command, None)

    with open_review(path) as review:
        assert review.state.judgements.audit.result.ranges == result.ranges
        assert not review.notes


def changed(data, path, value):
    """A copy of what is stored with another value at one place."""
    copy = json.loads(json.dumps(data))
    *steps, last = path
    inside = copy
    for step in steps:
        inside = inside[step]
    inside[last] = value
    return copy


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("texts",), "<b>"),
        (("texts",), 7),
        (("settings",), []),
        (("documents",), "none"),
        (("documents", 0, "name"), 3),
        (("result", "documents"), -1),
        (("result", "documents"), 1e300),
        (("result", "documents"), True),
        (("result", "proof"), None),
        (("result", "proof", "listed"), 10**6),
        (("result", "proof", "wanted"), 0.5),
        (("result", "proof", "missed"), []),
        (("result", "proof", "missed", 0, "a"), 10**6),
        (("result", "proof", "missed", 0, "resemblance"), 1.5),
        (("result", "proof", "missed", 0, "resemblance"), float("nan")),
        (("result", "proof", "missed", 0, "reason"), "MAGIC"),
        (("result", "proof", "reasons", 0, "pairs"), 1),
        (("result", "proof", "bins", 0, "by_bands"), 10**9),
        (("result", "ranges", 0, "met"), 10**9),
        (("result", "ranges", 0, "pairs"), 0),
        (("result", "ranges", 0, "mean"), 0.999),
        (("result", "remedies", 0, "rows"), 0),
        (("result", "remedies", 0, "candidates"), {"expected": 1, "low": 5, "high": 9}),
        (("result", "estimate", "forecast"), {"least": 2}),
    ],
)
def test_an_impossible_audit_is_refused(scanned, path, value):
    audit_result = audit(scanned.texts, FEW, method=Method.ALL_PAIRS, count=1)
    data = keep_audit(audit_result, FEW, scanned.documents, TEXTS).data
    wrong = changed(data, path, value)
    with pytest.raises((LookupError, TypeError, ValueError)):
        judged(Judgements(), [entry_after((), Command("audit", wrong), None)])


def test_settings_of_another_version_say_nothing_here(scanned, result):
    data = keep_audit(result, FEW, scanned.documents, TEXTS).data
    future = changed(data, ("settings", "from_the_future"), 1)
    entry = entry_after((), Command("audit", future), None)
    assert judged(Judgements(), [entry]).audit is None


def test_a_newer_audit_takes_the_place_and_nothing_undoes_it(scanned, result):
    first = entry_after((), keep_audit(result, FEW, scanned.documents, TEXTS), None)
    later = keep_audit(result, FEW.with_changes(bands=3), scanned.documents, TEXTS)
    both = judged(Judgements(), [first, entry_after((first,), later, None)])
    assert both.audit.settings.bands == 3


def test_reworked_passages_survive(scanned):
    settings = FEW.with_changes(reworked="careful")
    result = audit(scanned.texts, settings, method=Method.EDITED_COPIES, count=5)
    assert result.reworked.sources
    assert typed_values(AuditResult, json.loads(json.dumps(plain_values(result)))) == result
    audit_kept = kept(keep_audit(result, settings, scanned.documents, TEXTS))
    assert audit_kept.result.reworked.cells == result.reworked.cells
    assert all(isinstance(key, DocumentKey) for key in audit_kept.documents)


def test_a_fingerprint_depends_on_documents_and_roles_but_not_on_their_order():
    rng = np.random.default_rng(1)
    digests = rng.integers(0, 2**63, (50, 2)).astype(np.uint64)
    is_reviewed = np.ones(50, dtype=np.bool_)
    usual = fingerprint(digests, is_reviewed)

    order = rng.permutation(50)
    assert fingerprint(digests[order], is_reviewed) == usual
    changed_digests = digests.copy()
    changed_digests[7, 1] += np.uint64(1)
    roles = is_reviewed.copy()
    roles[3] = False
    different = [
        fingerprint(changed_digests, is_reviewed),
        fingerprint(digests, roles),
        fingerprint(digests[1:], is_reviewed[1:]),
        fingerprint(digests[:, ::-1], is_reviewed),
        fingerprint(digests[:0], is_reviewed[:0]),
    ]
    assert len({usual, *different}) == 6
