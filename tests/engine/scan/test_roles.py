"""Folders to review, references and templates: what documents are for, and what is compared."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.documents.model import FolderRoles, Role, nested_in_words
from core.errors import FolderError
from core.scan.flow import scan
from core.scan.scan import Scan
from core.settings import ScanSettings

SETTINGS = ScanSettings(min_passage=12)
REVIEW, REFERENCE, TEMPLATE = Role


def words(rng, count):
    return " ".join(f"w{word}" for word in rng.integers(0, 10**6, count))


@pytest.fixture
def folders(tmp_path):
    """Two essays and two old ones, all from one source; one old essay lies among the essays."""
    rng = np.random.default_rng(1)
    source = words(rng, 80)
    for place in ("essays/a.txt", "essays/b.txt", "essays/old/c.txt", "archive/d.txt"):
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{source} {words(rng, 20)}")
    return tmp_path


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
    found = scan(
        [folders / "essays", folders / "archive"], SETTINGS, roles=[REVIEW, REFERENCE], pool=pool
    )
    assert [one.role for one in found.documents] == [REFERENCE, REVIEW, REVIEW, REVIEW]
    assert len(pairs_of(found)) == 6
    nested = scan(
        [folders / "essays", folders / "archive", folders / "essays" / "old"],
        SETTINGS,
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
    before = scan(given, SETTINGS, roles=roles, pool=pool)
    state = before.state
    assert state.roles == roles
    again = Scan.restored(state, pool)
    assert again.state.roles == roles
    assert pairs_of(again) == pairs_of(before)
    assert len(pairs_of(again)) == 3


def test_what_changes_its_role_is_not_read_again(folders, pool, monkeypatch):
    given = [folders / "essays", folders / "archive"]
    before = scan(given, SETTINGS, pool=pool)
    assert len(pairs_of(before)) == 6
    monkeypatch.setattr("core.scan.ingest.read_file", None)
    roles = [REFERENCE, REVIEW]
    after = scan(given, SETTINGS, roles=roles, previous=before.state, pool=pool)
    assert len(pairs_of(after)) == 3
    assert [one.role for one in after.documents] == [REVIEW, *[REFERENCE] * 3]
    assert not any(after.changes)


def test_references_that_are_gone_stay_references(folders, pool):
    given, roles = [folders / "archive", folders / "essays"], [REVIEW, REFERENCE]
    before = scan(given, SETTINGS, roles=roles, pool=pool)
    (folders / "essays" / "a.txt").unlink()
    after = scan(given, SETTINGS, roles=roles, previous=before.state, pool=pool)
    assert len(after.documents) == 4
    assert pairs_of(after) == pairs_of(before)
    assert [one.marks[0] for one in after.documents if one.marks] == ["reference"] * 3
    (gone,) = (one for one in after.documents if one.absence)
    assert gone.marked_name == f"essays/a.txt [reference, {gone.absence.in_words}]"
    # Also where the folder is not asked for any more.
    alone = scan([folders / "archive"], SETTINGS, previous=before.state, pool=pool)
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
    places = {
        "essays/old/c.txt": REVIEW,
        "essays/older/c.txt": REFERENCE,
        "essays/deep/er/c.txt": REFERENCE,
        "essays/a.txt": REFERENCE,
        "x.txt": TEMPLATE,
        "x.txt.bak": None,
        "y/z.txt": None,
    }
    for name, role in places.items():
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
        (
            ["essays", "archive"],
            [REFERENCE, TEMPLATE],
            "by themselves. Add a folder to review.",
        ),
        (
            ["essays", "empty"],
            [REVIEW, TEMPLATE],
            "“empty” holds no file that could be a template.",
        ),
        (
            ["essays", "archive", "empty"],
            [REVIEW, REVIEW, REFERENCE],
            "“empty” holds no file that could be a reference.",
        ),
        (
            ["empty", "archive"],
            [REVIEW, REFERENCE],
            "and references and templates are compared with nothing by themselves.",
        ),
        (["essays", "none"], [REVIEW, REFERENCE], "does not exist. Check the path."),
    ],
)
def test_roles_that_leave_nothing_to_compare(folders, given, roles, sentence):
    (folders / "empty").mkdir()
    with pytest.raises(FolderError) as refused:
        scan([folders / name for name in given], SETTINGS, roles=roles)
    assert str(refused.value).endswith(sentence)


def test_the_same_folder_twice_in_one_role(folders, pool):
    given = [folders / "essays", folders / "archive", folders / "archive"]
    found = scan(given, SETTINGS, roles=[REVIEW, REFERENCE, REFERENCE], pool=pool)
    assert len(found.documents) == 4
    assert list(nested_in_words(given, [REVIEW, REFERENCE, REFERENCE])) == []


def test_a_document_in_its_role_is_the_very_same_value(folders, pool):
    documents = scan([folders / "essays"], SETTINGS, pool=pool).documents
    plain = FolderRoles([folders / "essays"])
    assert [*map(id, plain.assigned(documents))] == [*map(id, documents)]
    mixed = FolderRoles([folders / "essays", folders / "essays" / "old"], [REVIEW, REFERENCE])
    assigned = list(mixed.assigned(documents))
    assert [one is two for one, two in zip(assigned, documents, strict=True)] == [True, True, False]
    assert replace(assigned[2], role=REVIEW) == documents[2]
    assert list(FolderRoles([Path("elsewhere")]).assigned(assigned)) == assigned


def test_a_template_pairs_with_nothing(folders, pool):
    assignment = folders / "essays" / "assignment.txt"
    assignment.write_text((folders / "essays" / "a.txt").read_text())
    given = [folders / "essays", assignment]
    found = scan(given, SETTINGS, roles=[REVIEW, TEMPLATE], pool=pool)
    assert [one.role for one in found.documents] == [REVIEW, TEMPLATE, REVIEW, REVIEW]
    assert not any("assignment" in name for pair in pairs_of(found) for name in pair)
    (whole,) = found.set_aside[1]
    assert (whole.start, whole.end, whole.reason) == (0, len(found.texts[1]), "template")
    (note,) = found.list_pairs().notes
    assert note == "“assignment.txt” lies in “essays”: it is a template, not to review."
    again = scan(given, SETTINGS, roles=[REVIEW, TEMPLATE], previous=found.state, pool=pool)
    assert pairs_of(again) == pairs_of(found)
    # It is one of the documents to review again.
    after = scan([folders / "essays"], SETTINGS, previous=found.state, pool=pool)
    assert 1 not in after.set_aside
    assert frozenset(("a.txt", "assignment.txt")) in pairs_of(after)
