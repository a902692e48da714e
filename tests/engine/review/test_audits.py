"""An audit that is kept in a review: whole, believed only where it can be so, of its list only."""

import json

import numpy as np
import pytest

from core.audit.auditing import audit
from core.documents.model import DocumentKey
from core.review import open_review, save_review
from core.review.audits import keep_audit
from core.review.believable import plain_values, typed_values
from core.review.decisions import judged
from core.review.log import ReviewLog
from core.scan.audit_results import MOST_NAMED, AuditResult, Method, fingerprint, shortened
from core.scan.flow import scan
from core.scan.history import Command, entry_after
from core.scan.judgements import Judgements
from core.settings import ScanSettings

FEW = ScanSettings(k=3, bands=2, rows=8, min_passage=10_000, compare="bands", reworked="off")
TEXTS = "0" * 32 + "-24"


def written(folder, documents=12, length=120, seed=1):
    """Documents, and for each a copy of which more and more words are replaced."""
    rng = np.random.default_rng(seed)
    folder.mkdir()
    for place in range(documents):
        own = [f"w{number}" for number in rng.integers(0, 5000, length)]
        (folder / f"{place:02}a.txt").write_text(" ".join(own), "utf-8")
        for where in rng.choice(length, 3 * place, replace=False):
            own[where] = f"new{rng.integers(10**9)}"
        (folder / f"{place:02}b.txt").write_text(" ".join(own), "utf-8")
    return folder


@pytest.fixture(scope="module")
def scanned(tmp_path_factory):
    result = scan([written(tmp_path_factory.mktemp("audits") / "folder")], FEW)
    yield result
    result.close()


@pytest.fixture(scope="module", params=Method)
def result(request, scanned):
    return audit(scanned.texts, FEW, method=request.param, count=10)


def kept(command):
    # As the log stores it.
    data = json.loads(json.dumps(command.data))
    entry = entry_after((), Command("audit", data), None, who="Ada")
    return judged(Judgements(), [entry]).audit


def test_what_is_kept_is_what_was_found_out(scanned, result):
    command = keep_audit(result, FEW, scanned.documents, TEXTS)

    found = kept(command)

    assert found.settings == FEW
    assert (found.who, found.texts) == ("Ada", TEXTS)
    assert found.is_of(FEW, TEXTS)
    assert not found.is_of(FEW.with_changes(bands=3), TEXTS)
    assert not found.is_of(FEW, "1" * 32 + "-24")
    short = shortened(result)
    for one in ("documents", "work", "estimate", "ranges", "remedies"):
        assert getattr(found.result, one) == getattr(short, one)
    names = [key.name for key in found.documents]
    if result.proof:
        named = [(names[one.a], names[one.b]) for one in found.result.proof.missed]
        documents = scanned.documents
        assert named == [(documents[p.a].name, documents[p.b].name) for p in result.proof.missed]
        assert found.result.proof._replace(missed=()) == result.proof._replace(missed=())
    else:
        named = [names[one.source] for one in found.result.planting.missed]
        assert named == [scanned.documents[one.source].name for one in result.planting.missed]
        assert found.result.planting._replace(missed=()) == result.planting._replace(missed=())


def test_no_more_is_kept_by_name_than_can_be_read(scanned):
    result = audit(scanned.texts, FEW, method=Method.ALL_PAIRS, count=1)
    first = result.proof.missed[0]
    many = result.proof._replace(
        pairs=10**6,
        missed=(first,) * 1000,
        wanted=result.proof.listed + 1000,
        reasons=(result.proof.reasons[0]._replace(pairs=1000),),
    )

    found = kept(keep_audit(result._replace(proof=many), FEW, scanned.documents, TEXTS))

    assert len(found.result.proof.missed) == MOST_NAMED
    assert found.result.proof.missing == 1000


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
    *way, last = path
    inside = copy
    for step in way:
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
def test_one_that_cannot_be_is_refused(scanned, path, value):
    found = audit(scanned.texts, FEW, method=Method.ALL_PAIRS, count=1)
    data = keep_audit(found, FEW, scanned.documents, TEXTS).data
    wrong = changed(data, path, value)
    with pytest.raises((LookupError, TypeError, ValueError)):
        judged(Judgements(), [entry_after((), Command("audit", wrong), None)])


def test_settings_of_another_version_say_nothing_here(scanned, result):
    data = keep_audit(result, FEW, scanned.documents, TEXTS).data
    other = changed(data, ("settings", "from_the_future"), 1)
    entry = entry_after((), Command("audit", other), None)
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
    found = kept(keep_audit(result, settings, scanned.documents, TEXTS))
    assert found.result.reworked.cells == result.reworked.cells
    assert all(isinstance(key, DocumentKey) for key in found.documents)


def test_a_fingerprint_tells_documents_and_their_roles_in_any_order():
    rng = np.random.default_rng(1)
    digests = rng.integers(0, 2**63, (50, 2)).astype(np.uint64)
    own = np.ones(50, dtype=np.bool_)
    usual = fingerprint(digests, own)

    order = rng.permutation(50)
    assert fingerprint(digests[order], own) == usual
    others = digests.copy()
    others[7, 1] += np.uint64(1)
    roles = own.copy()
    roles[3] = False
    different = [
        fingerprint(others, own),
        fingerprint(digests, roles),
        fingerprint(digests[1:], own[1:]),
        fingerprint(digests[:, ::-1], own),
        fingerprint(digests[:0], own[:0]),
    ]
    assert len({usual, *different}) == 6
