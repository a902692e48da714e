"""References are compared with other documents and never with each other."""

from pathlib import Path

import numpy as np
import pytest

from core.base.messages import as_shown, in_language, load_language
from core.candidates.shared_fingerprints import DOCUMENT_LIMIT
from core.candidates.sorted_keys import BUCKET_LIMIT
from core.documents.model import FolderRoles, Role, check_roles, nested_in_words
from core.errors import FolderError
from core.evidence.pairs import FoundBy, split_codes
from core.scan.audit_results import CapKind
from core.scan.common_text import common_texts
from core.scan.copies import COPIES_SPELLED_OUT
from core.scan.flow import scan
from core.scan.in_memory import find_pairs
from core.scan.lister import PairLister
from core.scan.measured_pairs import known_pairs
from core.scan.scan import Scan
from core.settings import ScanSettings
from tests.pairs import corpus_of
from tests.texts import folder_with

BY_ROLES = ScanSettings(min_passage=12)
REVIEW, REFERENCE, TEMPLATE = Role


def words(rng, count):
    return " ".join(f"w{word}" for word in rng.integers(0, 10**6, count))


@pytest.fixture
def folders(tmp_path):
    """Two essays and two old ones, all from one source; one old essay lies among the essays."""
    rng = np.random.default_rng(1)
    source = words(rng, 80)
    names = ("essays/a.txt", "essays/b.txt", "essays/old/c.txt", "archive/d.txt")
    return folder_with(tmp_path, {name: f"{source} {words(rng, 20)}" for name in names})


def pairs_of(result):
    pairs = result.pairs()
    names = [document.name for document in result.documents]
    return {
        frozenset((names[a], names[b]))
        for a, b in zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)
    }


def named(*pairs):
    return {frozenset(pair.split("|")) for pair in pairs}


def test_references_are_compared_with_what_is_to_review_only(folders, pool):
    scanned = scan(
        [folders / "essays", folders / "archive"], BY_ROLES, roles=[REVIEW, REFERENCE], pool=pool
    )
    assert [document.role for document in scanned.documents] == [REFERENCE, REVIEW, REVIEW, REVIEW]
    assert len(pairs_of(scanned)) == 6
    nested = scan(
        [folders / "essays", folders / "archive", folders / "essays" / "old"],
        BY_ROLES,
        roles=[REVIEW, REFERENCE, REFERENCE],
        pool=pool,
    )
    assert pairs_of(nested) == named(
        "essays/a.txt|essays/b.txt",
        "essays/a.txt|essays/old/c.txt",
        "essays/b.txt|essays/old/c.txt",
        "essays/a.txt|archive/d.txt",
        "essays/b.txt|archive/d.txt",
    )
    assert "“old” lies in “essays”: what is in it is a reference, not to review." in (
        nested.list_pairs().notes
    )


def test_a_scan_is_restored_with_its_roles(folders, pool):
    given, roles = [folders / "essays", folders / "archive"], (REFERENCE, REVIEW)
    before = scan(given, BY_ROLES, roles=roles, pool=pool)
    state = before.state
    assert state.roles == roles
    again = Scan.restored(state, pool)
    assert again.state.roles == roles
    assert pairs_of(again) == pairs_of(before)
    assert len(pairs_of(again)) == 3


def test_what_changes_its_role_is_not_read_again(folders, pool, monkeypatch):
    given = [folders / "essays", folders / "archive"]
    before = scan(given, BY_ROLES, pool=pool)
    assert len(pairs_of(before)) == 6
    monkeypatch.setattr("core.scan.ingest.read_file", None)
    roles = [REFERENCE, REVIEW]
    after = scan(given, BY_ROLES, roles=roles, previous=before.state, pool=pool)
    assert len(pairs_of(after)) == 3
    assert [document.role for document in after.documents] == [REVIEW, *[REFERENCE] * 3]
    assert not any(after.changes)


def test_references_that_are_gone_stay_references(folders, pool):
    given, roles = [folders / "archive", folders / "essays"], [REVIEW, REFERENCE]
    before = scan(given, BY_ROLES, roles=roles, pool=pool)
    (folders / "essays" / "a.txt").unlink()
    after = scan(given, BY_ROLES, roles=roles, previous=before.state, pool=pool)
    assert len(after.documents) == 4
    assert pairs_of(after) == pairs_of(before)
    assert [document.marks[0] for document in after.documents if document.marks] == [
        "reference"
    ] * 3
    (missing,) = (document for document in after.documents if document.absence)
    assert missing.marked_name == f"essays/a.txt [reference, {missing.absence.in_words}]"
    # Also where the folder is not asked for any more.
    alone = scan([folders / "archive"], BY_ROLES, previous=before.state, pool=pool)
    assert pairs_of(alone) == {
        frozenset(name.replace("archive/", "") for name in pair) for pair in pairs_of(before)
    }


@pytest.mark.parametrize("link", [False, True])
def test_the_innermost_folder_decides(folders, link):
    inner = folders / "essays" / "old"
    if link:
        inner = folders / "elsewhere"
        inner.symlink_to(folders / "essays" / "old")
    roles = FolderRoles(
        [folders / "essays", inner, folders / "x.txt"], [REFERENCE, REVIEW, TEMPLATE]
    )
    role_of = {
        "essays/old/c.txt": REVIEW,
        "essays/older/c.txt": REFERENCE,
        "essays/deep/er/c.txt": REFERENCE,
        "essays/a.txt": REFERENCE,
        "x.txt": TEMPLATE,
        "x.txt.bak": None,
        "y/z.txt": None,
    }
    for name, role in role_of.items():
        number = roles.folder_of(str(folders / name))
        assert (None if number is None else roles.roles[number]) == role, name


@pytest.mark.parametrize(
    ("given", "roles", "sentence"),
    [
        (
            ["essays", "essays"],
            [REVIEW, TEMPLATE],
            "“essays” is given twice, as to review and as a template. Give it one of these roles.",
        ),
        (
            ["essays", "essays/../essays"],
            [REVIEW, REFERENCE],
            "“essays” is given twice, as to review and as a reference. Give it one of these roles.",
        ),
        (["essays", "archive"], [REFERENCE, TEMPLATE], "documents to review, so add one."),
        (
            ["essays", "empty"],
            [REVIEW, TEMPLATE],
            "“empty” contains no file that could be a template.",
        ),
        (
            ["essays", "archive", "empty"],
            [REVIEW, REVIEW, REFERENCE],
            "“empty” contains no file that could be a reference.",
        ),
        (["empty", "archive"], [REVIEW, REFERENCE], "are compared only with documents to review."),
        (["essays", "none"], [REVIEW, REFERENCE], "does not exist. Check the path."),
    ],
)
def test_roles_that_leave_nothing_to_compare(folders, given, roles, sentence):
    (folders / "empty").mkdir()
    with pytest.raises(FolderError) as refused:
        scan([folders / name for name in given], BY_ROLES, roles=roles)
    assert str(refused.value).endswith(sentence)


def test_the_same_folder_twice_in_one_role(folders, pool):
    given = [folders / "essays", folders / "archive", folders / "archive"]
    scanned = scan(given, BY_ROLES, roles=[REVIEW, REFERENCE, REFERENCE], pool=pool)
    assert len(scanned.documents) == 4
    assert list(nested_in_words(given, [REVIEW, REFERENCE, REFERENCE])) == []


def test_a_document_in_its_role_is_the_very_same_value(folders, pool):
    documents = scan([folders / "essays"], BY_ROLES, pool=pool).documents
    plain = FolderRoles([folders / "essays"])
    assert [*map(id, plain.assigned(documents))] == [*map(id, documents)]
    mixed = FolderRoles([folders / "essays", folders / "essays" / "old"], [REVIEW, REFERENCE])
    assigned = list(mixed.assigned(documents))
    assert [
        assigned_document is two for assigned_document, two in zip(assigned, documents, strict=True)
    ] == [True, True, False]
    assert assigned[2]._replace(role=REVIEW) == documents[2]
    assert list(FolderRoles([Path("elsewhere")]).assigned(assigned)) == assigned


def test_a_template_pairs_with_nothing(folders, pool):
    assignment = folders / "essays" / "assignment.txt"
    assignment.write_text((folders / "essays" / "a.txt").read_text())
    given = [folders / "essays", assignment]
    scanned = scan(given, BY_ROLES, roles=[REVIEW, TEMPLATE], pool=pool)
    assert [document.role for document in scanned.documents] == [REVIEW, TEMPLATE, REVIEW, REVIEW]
    assert not any("assignment" in name for pair in pairs_of(scanned) for name in pair)
    (span,) = scanned.set_aside[1]
    assert (span.start, span.end, span.reason) == (0, len(scanned.texts[1]), "template")
    (note,) = scanned.list_pairs().notes
    assert note == "“assignment.txt” lies in “essays”: it is a template, not to review."
    with in_language(load_language("de")):
        assert [*nested_in_words(given, [REVIEW, TEMPLATE])] == [note]
        assert as_shown(note).startswith("„assignment.txt“ liegt in „essays“ und")
        with pytest.raises(FolderError, match=r"^„essays“ "):
            check_roles([folders / "essays"] * 2, [REVIEW, TEMPLATE])
    again = scan(given, BY_ROLES, roles=[REVIEW, TEMPLATE], previous=scanned.state, pool=pool)
    assert pairs_of(again) == pairs_of(scanned)
    # It is one of the documents to review again.
    after = scan([folders / "essays"], BY_ROLES, previous=scanned.state, pool=pool)
    assert 1 not in after.set_aside
    assert frozenset(("a.txt", "assignment.txt")) in pairs_of(after)


OPTIONS = ScanSettings(
    k=2, signature_size=64, bands=32, rows=2, min_resemblance=0.1, reworked="off"
)
SETTINGS = [
    OPTIONS.with_changes(compare="bands"),
    OPTIONS.with_changes(compare="all"),
    OPTIONS.with_changes(compare="bands", signature="minhash", bag=True),
    OPTIONS.with_changes(signature="simhash", weights="tf-idf", max_distance=8),
]


def texts_with_copies(rng, count=40):
    """Edits of each other, with copies of some and a text without words."""
    texts = [[f"w{word}" for word in rng.integers(0, 60, 40)]]
    while len(texts) < count:
        words = list(texts[rng.integers(len(texts))])
        for position in rng.integers(0, 40, rng.integers(0, 8)):
            words[position] = f"w{rng.integers(60)}"
        texts.append(words)
    joined = [" ".join(words) for words in texts]
    joined += [joined[number] for number in rng.integers(0, count, count)]
    return [*joined, ""]


def rows_of(pairs, kept=None):
    """The columns of the pairs that are kept."""
    kept = np.ones(len(pairs.a), dtype=np.bool_) if kept is None else kept
    return {name: column[kept].tolist() for name, column in vars(pairs).items()}


@pytest.mark.parametrize(
    "settings", SETTINGS, ids=lambda settings: f"{settings.signature}-{settings.compare}"
)
@pytest.mark.parametrize("seed", range(4))
def test_the_pairs_are_those_of_all_without_pairs_of_references(settings, seed):
    rng = np.random.default_rng(seed)
    texts = texts_with_copies(rng)
    is_reference = rng.random(len(texts)) < rng.choice([0.1, 0.5, 0.9])
    every = find_pairs(texts, settings)
    pairs = find_pairs(texts, settings, reference=np.flatnonzero(is_reference).tolist())
    kept = ~(is_reference[every.a] & is_reference[every.b])
    assert 0 < kept.sum() < len(kept)
    assert rows_of(pairs) == rows_of(every, kept)


def test_copies_have_parts_of_their_own():
    first, second = "one two three four five six", "one two three four five seven"
    texts = [first, second, first, second, first]
    listed = find_pairs(texts, OPTIONS, reference=[0, 1, 2])
    assert set(zip(listed.a.tolist(), listed.b.tolist(), strict=True)) == {
        (0, 3), (0, 4), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4),
    }  # fmt: skip
    copies = {(0, 4), (1, 3), (2, 4)}
    pairs = zip(listed.a.tolist(), listed.b.tolist(), listed.found_by.tolist(), strict=True)
    assert {(a, b) for a, b, ways in pairs if ways == FoundBy.EXACT} == copies


def test_for_very_many_copies_one_to_review_stands_for_all():
    count = COPIES_SPELLED_OUT + 5
    texts = ["one two three four"] * count + ["one two three four five"]
    listed = find_pairs(texts, OPTIONS, reference=[*range(COPIES_SPELLED_OUT), count])
    first = COPIES_SPELLED_OUT
    pairs = list(zip(listed.a.tolist(), listed.b.tolist(), strict=True))
    assert pairs == sorted((min(n, first), max(n, first)) for n in {*range(count + 1)} - {first})


def test_nothing_is_measured_of_pairs_of_references(monkeypatch):
    from core.evidence.store import EvidenceStore

    measured_pairs = set()
    measured = EvidenceStore.measured

    def note(self, x, y, *rest):
        measured_pairs.update(zip(x.tolist(), y.tolist(), strict=True))
        return measured(self, x, y, *rest)

    monkeypatch.setattr(EvidenceStore, "measured", note)
    texts = [f"one two three four five six w{number}" for number in range(6)]
    settings = OPTIONS.with_changes(compare="bands")
    pairs = find_pairs(texts, settings, reference=[0, 1, 2])
    assert measured_pairs == set(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))
    assert (1, 2) not in measured_pairs
    assert (1, 3) in measured_pairs


def test_references_alone_make_no_pairs():
    assert not len(find_pairs(["one two three"] * 3, OPTIONS, reference=[0, 1, 2]).a)


def test_a_reference_that_is_not_there():
    with pytest.raises(IndexError):
        find_pairs(["one two three"] * 3, OPTIONS, reference=[3])


def corpus_with(texts, references, pool, settings):
    """A corpus in which the texts with these numbers are references."""
    to_review = np.ones(len(texts), dtype=np.bool_)
    to_review[references] = False
    return corpus_of(texts, settings, pool, to_review)


@pytest.mark.parametrize("share", [0.2, 0.6])
@pytest.mark.parametrize("compare", ["auto", "bands"])
def test_the_forecast_is_of_the_pairs_that_are_compared(pool, share, compare):
    settings = OPTIONS.with_changes(bands=4, rows=6, compare=compare)
    rng = np.random.default_rng(5)
    texts = texts_with_copies(rng, 60)
    references = np.flatnonzero(rng.random(len(texts)) < share)
    corpus = corpus_with(texts, references, pool, settings)
    PairLister(corpus).list_pairs(settings)
    known = known_pairs(corpus, settings)
    every = find_pairs(texts, settings.with_changes(compare="all"), reference=references.tolist())

    forecast = known.forecast(0.1)

    assert known.identical == every.exact_duplicate.sum()
    rows, reviewed = corpus.distinct(), corpus.reviewed()
    pairs = [(x, y) for x in rows for y in rows if x < y and (reviewed[x] or reviewed[y])]
    assert known.all_pairs == len(pairs)
    assert known.complete == (compare == "auto")
    count = int((every.resemblance >= 0.1).sum())
    if known.complete:
        assert forecast.total == count
        assert forecast.missed_by_bands.expected > 0
    else:
        missed = count - len(find_pairs(texts, settings, reference=references.tolist()))
        assert forecast.missed.low <= missed <= forecast.missed.high


@pytest.mark.parametrize("count", [40, 300])
def test_the_background_is_of_the_pairs_that_are_compared(pool, count):
    rng = np.random.default_rng(6)
    texts = [words(rng, 20) for _ in range(count)]
    references = np.arange(count) % 4 > 0
    corpus = corpus_with(texts, references, pool, OPTIONS)

    drawn = corpus.background_pairs()

    x, y = split_codes(drawn.codes)
    reviewed = count // 4
    inside, across = reviewed * (reviewed - 1) // 2, reviewed * (count - reviewed)
    assert (x < y).all()
    assert not (references[x] & references[y]).any()
    if inside + across <= 2000:
        assert len(set(drawn.codes.tolist())) == inside + across
        assert drawn.share == 1
    else:
        assert 0 < drawn.share < 1
        both = int((~references[x] & ~references[y]).sum())
        expected = len(x) * inside / (inside + across)
        assert abs(both - expected) < 5 * expected**0.5


def test_the_background_of_one_document_to_review(pool):
    texts = [f"{words(np.random.default_rng(seed), 20)} end" for seed in range(3000)]
    drawn = corpus_with(texts, range(1, 3000), pool, OPTIONS).background_pairs()
    assert (np.minimum(*split_codes(drawn.codes)) == 0).all()
    assert not len(corpus_with(texts[:9], range(9), pool, OPTIONS).background())


def test_all_that_many_references_share_with_few_documents_is_compared(pool):
    """A thousand documents with a band in common are a crowd, because of their pairs."""
    letter = " ".join(f"w{number}" for number in range(60))
    count = 2 * BUCKET_LIMIT
    texts = [f"{letter} name{number}" for number in range(count)]
    settings = OPTIONS.with_changes(compare="bands")
    listing = PairLister(corpus_with(texts, range(3, count), pool, settings)).list_pairs(settings)
    assert len(listing.pairs) == 3 * (count - 3) + 3
    assert not [cap for cap in listing.caps if cap.kind is CapKind.CROWD]


def test_references_that_are_a_crowd_among_themselves_are_none(pool):
    letter = " ".join(f"w{number}" for number in range(60))
    texts = [f"{letter} name{number}" for number in range(BUCKET_LIMIT + 9)] + [
        "a b c d",
        "a b c e",
    ]
    settings = OPTIONS.with_changes(compare="bands")
    corpus = corpus_with(texts, range(BUCKET_LIMIT + 9), pool, settings)
    listing = PairLister(corpus).list_pairs(settings)
    assert len(listing.pairs) == 1
    assert not listing.caps
    assert common_texts(corpus, 9) == []


def test_a_passage_that_many_references_hold_pairs_the_one_that_copied_it(pool):
    """What stands in over a hundred documents makes no pairs, because they would be too many."""
    rng = np.random.default_rng(7)
    passage, count = words(rng, 40), DOCUMENT_LIMIT + 60
    texts = [f"{words(rng, 100)} {passage} {words(rng, 100)}" for _ in range(count)]
    settings = ScanSettings(compare="bands")
    few_reviewed, more_reviewed = (
        PairLister(corpus_with(texts, range(number, count), pool, settings)).list_pairs(settings)
        for number in (1, 60)
    )
    assert len(few_reviewed.pairs) == count - 1
    assert few_reviewed.caps == ()
    assert not len(more_reviewed.pairs)
    assert [cap.kind for cap in more_reviewed.caps] == [CapKind.COMMON]


def test_more_copies_than_are_listed_are_said_of_those_to_review_only(pool):
    texts = ["one two three"] * 40 + ["four five six"] * 40
    corpus = corpus_with(texts, range(40), pool, OPTIONS)
    (cap,) = PairLister(corpus).list_pairs(OPTIONS).caps
    assert (cap.kind, cap.size, cap.document) == (CapKind.COPIES, 40, 40)
