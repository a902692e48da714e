"""Roles of folders in a review: kept with it, changed as a decision that can be undone."""

import sqlite3
from contextlib import closing

import pytest

from core.documents.model import Role
from core.errors import FolderError
from core.review import ReviewLog, decisions, open_review, save_review
from core.review.draft import Draft
from core.review.folder_roles import found_elsewhere, give_role, take_off
from core.scan.flow import scan
from core.scan.history import Command
from core.scan.scan import Scan
from core.settings import ScanSettings

REVIEW, REFERENCE, TEMPLATE = Role
SETTINGS = ScanSettings(k=2)
PLACES = ("essays/a.txt", "essays/old/b.txt", "essays/old/c.txt", "archive/d.txt")


@pytest.fixture
def folder(tmp_path):
    for number, place in enumerate(PLACES):
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(" ".join(f"w{word}" for word in range(40)) + f" own{number}")
    return tmp_path


@pytest.fixture
def state(folder, pool):
    given = [folder / "essays", folder / "archive"]
    done = scan(given, SETTINGS, roles=[REVIEW, REFERENCE], pool=pool)
    done.list_pairs()
    return done.state


def pairs_of(state, pool):
    result = Scan.restored(state, pool)
    found = result.list_pairs()
    names = [one.name.rpartition("/")[2][0] for one in found.documents]
    pairs = zip(found.pairs.a.tolist(), found.pairs.b.tolist(), strict=True)
    return {"".join(sorted(names[a] + names[b])) for a, b in pairs}


def roles_in(state):
    return {one.name.rpartition("/")[2][0]: one.role for one in state.documents}


def test_a_review_keeps_the_roles(folder, state, pool, tmp_path):
    path = tmp_path / "a.neardup"
    save_review(path, state)
    with open_review(path) as review:
        assert review.state.roles == (REVIEW, REFERENCE)
        assert review.state.documents == state.documents
        assert pairs_of(review.state, pool) == {"ab", "ac", "bc", "ad", "bd", "cd"}
        changed = decisions.decide(
            review.state, *give_role(review.state, folder / "archive", REVIEW)
        )
        save_review(path, changed)
    with open_review(path) as review:
        assert review.state.roles == (REVIEW, REVIEW)
        assert review.state.documents == changed.documents


def test_a_role_that_a_newer_version_made_up_counts_as_to_review(state, tmp_path):
    path = tmp_path / "a.neardup"
    save_review(path, state)
    from core.review.rows import folder_rows

    with closing(sqlite3.connect(path)) as connection, connection:
        row = folder_rows(connection)[1]._replace(role=b"jury")
        connection.execute(
            "UPDATE folders SET role = ?, checksum = ? WHERE id = ?",
            (row.role, row.checksum, row.id),
        )
    with open_review(path) as review:
        assert review.state.roles == (REVIEW, REVIEW)


def test_a_role_is_changed_undone_and_redone(folder, state, pool):
    changed = decisions.decide(state, *give_role(state, folder / "archive", REVIEW))
    assert roles_in(changed) == dict.fromkeys("abcd", REVIEW)
    nested = decisions.decide(changed, *give_role(changed, folder / "essays" / "old", REFERENCE))
    assert roles_in(nested) == {"a": REVIEW, "b": REFERENCE, "c": REFERENCE, "d": REVIEW}
    assert nested.folders == (*state.folders, folder / "essays" / "old")
    assert pairs_of(nested, pool) == {"ab", "ac", "ad", "bd", "cd"}
    back = decisions.decided(nested, [decisions.undo(nested.log)])
    assert (back.folders, back.roles, back.documents) == (
        changed.folders, changed.roles, changed.documents,
    )  # fmt: skip
    first = decisions.decided(back, [decisions.undo(back.log)])
    assert first.documents == state.documents
    again = decisions.decided(first, [decisions.redo(first.log)])
    again = decisions.decided(again, [decisions.redo(again.log)])
    assert (again.folders, again.roles, again.documents) == (
        nested.folders, nested.roles, nested.documents,
    )  # fmt: skip


def test_a_folder_is_taken_off_and_put_back(folder, state, pool, tmp_path):
    path = tmp_path / "a.neardup"
    save_review(path, state)
    ReviewLog(path, state.log).append(*take_off(state, folder / "archive"))
    with open_review(path) as review:
        assert review.state.folders == (folder / "essays",)
        assert [one.name for one in review.state.documents if one.is_removed] == ["archive/d.txt"]
        assert pairs_of(review.state, pool) == {"ab", "ac", "bc"}
        # A rescan of what is left does not bring it back.
        again = scan([folder / "essays"], SETTINGS, previous=review.state, pool=pool)
        assert len(again.documents) == 3
        assert len(again.removed) == 1
        back = decisions.decided(review.state, [decisions.undo(review.state.log)])
        assert back.folders == state.folders
        assert back.roles == state.roles
        assert back.documents == state.documents
        assert pairs_of(back, pool) == pairs_of(state, pool)


def test_what_was_gone_before_its_folder_left_is_gone_again(folder, state, pool):
    (folder / "archive" / "d.txt").unlink()
    (folder / "archive" / "e.txt").write_text("something else")
    before = scan(state.folders, SETTINGS, roles=state.roles, previous=state, pool=pool).state
    left = decisions.decide(before, *take_off(before, folder / "archive"))
    assert [one.is_removed for one in left.documents].count(True) == 2
    back = decisions.decided(left, [decisions.undo(left.log)])
    assert {one.name: one for one in back.documents} == {one.name: one for one in before.documents}


def test_a_template_and_back(folder, state, pool, tmp_path):
    changed = decisions.decide(state, *give_role(state, folder / "essays" / "old", TEMPLATE))
    assert {name for name, role in roles_in(changed).items() if role is TEMPLATE} == {"b", "c"}
    assert not {"b", "c"} & set("".join(pairs_of(changed, pool)))
    save_review(tmp_path / "a.neardup", changed)
    with open_review(tmp_path / "a.neardup") as review:
        assert review.state.documents == changed.documents
        assert pairs_of(review.state, pool) == pairs_of(changed, pool)
    back = decisions.decided(changed, [decisions.undo(changed.log)])
    assert pairs_of(back, pool) == pairs_of(state, pool)
    assert not back.set_aside


def test_what_cannot_be_is_refused(folder, state):
    with pytest.raises(FolderError, match="No folder is to review"):
        give_role(state, folder / "essays", TEMPLATE)
    with pytest.raises(FolderError, match="No folder is to review"):
        take_off(state, folder / "essays")
    with pytest.raises(FolderError, match="is no folder of this review"):
        take_off(state, folder)
    with pytest.raises(FolderError, match="neither a folder of this review nor in one"):
        give_role(state, folder / "elsewhere", REFERENCE)


@pytest.mark.parametrize(
    "command",
    [
        Command("role", {"folder": "/a", "role": "jury"}),
        Command("role", {"folder": "/a"}),
        Command("role", {"folder": 1, "role": "reference"}),
        Command("role", {"folder": "", "role": "reference"}),
        Command("take folder off", {"folder": "/a", "role": "reference", "since": "yesterday"}),
        Command("take folder off", {"folder": "/a", "since": "2026-11-22", "documents": 1}),
        Command("put folder back", {"folder": "/a", "role": "reference", "position": "x"}),
    ],
)
def test_a_crafted_command_is_refused(state, command):
    with pytest.raises((ValueError, TypeError)):
        decisions.decide(state, command, None)


@pytest.mark.parametrize("decided", ["role", "take off"])
def test_a_review_opens_however_often_folders_were_changed_since_it_was_saved(
    folder, state, pool, tmp_path, decided
):
    path, archive = tmp_path / "a.neardup", folder / "archive"
    save_review(path, state)
    both = give_role(state, archive, REVIEW) if decided == "role" else take_off(state, archive)
    log = ReviewLog(path, state.log)
    for _ in range(40):
        log.append(*both)
        log.append(*both[::-1])
    log.append(*both)
    once = decisions.decide(state, *both)
    with open_review(path) as review:
        assert len(review.state.log) == len(state.log) + 81
        assert review.state.roles == once.roles
        assert review.state.documents == once.documents
        assert pairs_of(review.state, pool) == pairs_of(once, pool)


def test_a_role_within_a_folder_goes_with_it_to_where_it_is_found(folder, state, pool):
    essays, place = folder / "essays", folder / "moved"
    nested = decisions.decide(state, *give_role(state, essays / "old", REFERENCE))
    essays.rename(place)
    moved = decisions.decide(nested, *found_elsewhere(essays, place))
    assert moved.folders == (place, folder / "archive", place / "old")
    again = scan(moved.folders, SETTINGS, roles=moved.roles, previous=moved, pool=pool)
    assert (
        roles_in(again.state)
        == roles_in(nested)
        == {"a": REVIEW, "b": REFERENCE, "c": REFERENCE, "d": REFERENCE}
    )
    back = decisions.decided(moved, [decisions.undo(moved.log)])
    assert (back.folders, back.documents) == (nested.folders, nested.documents)


@pytest.mark.parametrize(("documents", "most"), [(1, 511), (1 << 15, 256), (400_000, 38)])
def test_changes_of_all_documents_go_through_so_many_and_no_more(state, documents, most):
    draft = Draft(state)
    draft.documents = [state.documents[0]] * documents
    for _ in range(most):
        draft.change(lambda before: before)
    with pytest.raises(ValueError, match="too many"):
        draft.change(lambda before: before)
