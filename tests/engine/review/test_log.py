"""A decision is in the review before it is reported as saved, and can be undone at any time."""

import shutil
import sqlite3
import threading
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.model import Absence, AbsenceKind
from core.errors import ReviewError
from core.review import entries_since, folder_roles, open_review, save_review
from core.review.decisions import decided
from core.scan.flow import scan
from core.scan.history import Command, UndoStacks, entry_after
from core.settings import ScanSettings
from tests.reviews import ReviewLog, undo

NEWER = Command("verdict", {"pair": ["a", "b"], "is": 1})  # as of a later version
COUNT = 6


@pytest.fixture(scope="module")
def lost(tmp_path_factory):
    """A scan whose documents are all gone."""
    folder = tmp_path_factory.mktemp("lost")
    for number in range(COUNT):
        (folder / f"{number}.txt").write_text(" ".join(f"w{number}x{index}" for index in range(30)))
    done = scan([folder], ScanSettings(k=2))
    done.list_pairs()
    done.close()
    absence = Absence(AbsenceKind.GONE, date(2026, 11, 22))
    documents = tuple(document._replace(absence=absence) for document in done.documents)
    return done.state._replace(documents=documents, texts=list(done.state.texts))


@pytest.fixture
def review(tmp_path, lost):
    (tmp_path / "reviews").mkdir()
    path = tmp_path / "reviews" / "a.neardup"
    save_review(path, lost)
    return path


def opened(path):
    with open_review(path) as review:
        assert review.notes == ()
        return review.state


def removed(state):
    return {document.name for document in state.documents if document.is_removed}


def copied(path, name="copy.neardup"):
    """The one file, elsewhere."""
    copy = path.parent.parent / name
    shutil.copyfile(path, copy)
    return copy


def test_a_decision_is_in_the_one_file_at_once(review, lost):
    log = ReviewLog(review)
    (entry,), notes = log.append(*folder_roles.remove(lost.documents[:2]), who="Ann")
    assert notes == ()
    assert list(review.parent.iterdir()) == [review]
    state = opened(copied(review))
    assert removed(state) == {"0.txt", "1.txt"}
    assert state.log == (entry,) == log.entries
    assert (entry.id, entry.who, entry.time[-6:]) == (1, "Ann", "+00:00")


STEPS = st.lists(
    st.sampled_from(["undo", "redo", "save"])
    | st.tuples(st.booleans(), st.sets(st.integers(0, COUNT - 1), max_size=3)),
    max_size=12,
)


@settings(max_examples=20, derandomize=True)
@given(STEPS)
def test_any_sequence_of_decisions_is_what_it_comes_to(tmp_path_factory, lost, steps):
    path = tmp_path_factory.mktemp("log") / "a.neardup"
    save_review(path, lost)
    log = ReviewLog(path)
    past, now, future = [], frozenset(), []
    for step in steps:
        if step == "save":
            with open_review(path) as review:
                save_review(path, review.state)
            log = ReviewLog(path, opened(path).log)  # as after another start
        elif step == "undo":
            log.undo()
            if past:
                future.append(now)
                now = past.pop()
        elif step == "redo":
            log.redo()
            if future:
                past.append(now)
                now = future.pop()
        else:
            is_removed, numbers = step
            # What a window offers: only what changes something, so that undoing is exact.
            names = {f"{number}.txt" for number in numbers}
            names = names - now if is_removed else names & now
            documents = [document for document in lost.documents if document.name in names]
            log.append(*(folder_roles.remove if is_removed else folder_roles.bring_back)(documents))
            past.append(now)
            now, future = (now | names if is_removed else now - names), []
    state = opened(path)
    assert removed(state) == now
    assert state.log == log.entries


def test_the_save_of_a_scan_keeps_the_log_and_carries_out_what_it_does_not_know(review, lost):
    log = ReviewLog(review)
    log.append(*folder_roles.remove(lost.documents[:1]))
    log.append(NEWER, None)
    before = opened(review)
    log.append(*folder_roles.remove(lost.documents[1:2]))  # while the scan is under way
    save_review(review, before)
    state = opened(review)
    assert state.log == log.entries
    assert removed(state) == {"0.txt", "1.txt"}
    with closing(sqlite3.connect(review)) as connection:
        rows = connection.execute("SELECT absence FROM documents ORDER BY name").fetchall()
    assert [b"true" in row for (row,) in rows[:3]] == [True, True, False]


def test_a_review_under_another_name_takes_its_log_along(review, lost):
    state = lost
    for documents in (lost.documents[:1], lost.documents[1:2]):
        state = decided(state, [entry_after(state.log, *folder_roles.remove(documents))])
    copy = review.with_name("b.neardup")
    save_review(copy, state)
    assert opened(copy).log == state.log
    assert removed(opened(copy)) == {"0.txt", "1.txt"}
    # Over a review that has a log of its own: both are kept.
    ReviewLog(review).append(*folder_roles.remove(lost.documents[5:]))
    save_review(review, state)
    log = ReviewLog(review, opened(review).log)
    assert [entry.id for entry in log.entries] == [1, 2, 3]
    assert [entry.command for entry in log.entries[1:]] == [each.command for each in state.log]
    log.undo()
    assert removed(opened(review)) == {"0.txt", "5.txt"}


def test_what_a_newer_version_decided_is_kept_and_not_carried_out(review, lost):
    log = ReviewLog(review)
    log.append(NEWER, NEWER)
    state = opened(review)
    assert removed(state) == set()
    assert [entry.command for entry in state.log] == [entry.command for entry in log.entries]
    assert undo(state.log) is None  # it is not known what that would do
    save_review(review, state)
    assert opened(review).log == log.entries


def test_a_folder_is_found_elsewhere_and_removed_documents_are_deleted(review, lost):
    (folder,) = lost.folders
    log = ReviewLog(review)
    log.append(*folder_roles.found_elsewhere(folder, Path("/elsewhere")))
    assert opened(review).folders == (Path("/elsewhere"),)
    assert {document.path.parent for document in opened(review).documents} == {Path("/elsewhere")}
    log.undo()
    state = opened(review)
    assert state.folders == (folder,)
    assert state.documents == lost.documents
    log.append(*folder_roles.remove(lost.documents[:2]))
    log.append(*folder_roles.delete_removed())
    with open_review(review) as review_with_folder:
        save_review(review, review_with_folder.state)
    state = opened(review)
    assert [document.name for document in state.documents] == [f"{n}.txt" for n in range(2, COUNT)]
    log.undo()  # of the removal: they are not there any more
    assert opened(review).documents == state.documents


def test_another_program_sees_what_was_appended(review, lost):
    reader = opened(review)
    log = ReviewLog(review)
    assert entries_since(review, reader.log) == ()
    log.append(*folder_roles.remove(lost.documents[:1]))
    log.append(*folder_roles.remove(lost.documents[1:2]))
    seen = entries_since(review, reader.log)
    assert seen == log.entries
    assert entries_since(review, seen[:1]) == log.entries[1:]
    assert removed(decided(reader, seen)) == {"0.txt", "1.txt"}
    assert list(review.parent.iterdir()) == [review]


def test_another_review_under_its_name_is_reported(review, lost):
    log = ReviewLog(review)
    log.append(*folder_roles.remove(lost.documents[:1]))
    save_review(review.with_name("b.neardup"), lost)
    shutil.move(review.with_name("b.neardup"), review)
    before = review.read_bytes()
    for work in (
        lambda: entries_since(review, log.entries),
        lambda: log.append(*folder_roles.remove(lost.documents[1:2])),
        log.undo,
    ):
        with pytest.raises(ReviewError, match="changed by another program"):
            work()
    assert review.read_bytes() == before
    review.unlink()
    with pytest.raises(ReviewError, match="not there any more"):
        log.undo()
    assert list(review.parent.iterdir()) == []


def test_entries_of_two_programs_follow_one_another(review, lost):
    first_log, second_log = ReviewLog(review), ReviewLog(review)
    first_log.append(*folder_roles.remove(lost.documents[:1]))
    appended = second_log.append(*folder_roles.remove(lost.documents[1:2]))
    assert appended.entries == second_log.entries == opened(review).log
    assert [entry.id for entry in second_log.entries] == [1, 2]


def test_a_decision_waits_for_the_save_of_a_scan(review, lost, monkeypatch):
    """Longer than SQLite would."""
    monkeypatch.setattr("core.review.database.PATIENCE", 0.01)
    saving, go_on = threading.Event(), threading.Event()

    def progress(_report):
        saving.set()
        assert go_on.wait(60)

    thread = threading.Thread(
        target=save_review, args=(review, lost), kwargs={"progress": progress}
    )
    thread.start()
    assert saving.wait(60)
    deciding = threading.Thread(
        target=lambda: ReviewLog(review).append(*folder_roles.remove(lost.documents[:1]))
    )
    deciding.start()
    deciding.join(0.1)
    assert deciding.is_alive()
    go_on.set()
    thread.join()
    deciding.join()
    assert removed(opened(review)) == {"0.txt"}


def test_a_full_disk_is_reported_and_nothing_is_lost(review, lost, monkeypatch):
    log = ReviewLog(review)
    log.append(*folder_roles.remove(lost.documents[:1]))
    from core.review import database

    real = database.configure

    def full(connection):
        real(connection)
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")

    before = review.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(database, "configure", full)
        with pytest.raises(ReviewError, match=r"could not be saved: the disk is full"):
            log.append(Command("note", {"text": "x" * 100_000}), None)
    assert review.read_bytes() == before
    assert len(log.entries) == 1
    log.append(*folder_roles.remove(lost.documents[1:2]))  # when there is room again
    assert removed(opened(review)) == {"0.txt", "1.txt"}


def test_entries_that_waited_are_appended_at_once_and_none_of_them_twice(review, lost):
    made = []
    for document in lost.documents[:3]:
        made.append(entry_after(made, *folder_roles.remove([document]), who="Ann"))
    save_review(review, decided(lost, made[:1]))  # a save of the scan has the first of them already

    entries, _ = ReviewLog(review).extend(made)

    assert entries == tuple(made)
    assert opened(review).log == tuple(made)
    assert removed(opened(review)) == {"0.txt", "1.txt", "2.txt"}
    assert ReviewLog(review, made).extend([]).entries == ()


def test_entries_that_waited_come_after_those_of_another_program(review, lost):
    first = entry_after((), *folder_roles.remove(lost.documents[:1]), who="Ann")
    second = entry_after(
        [first], *folder_roles.bring_back(lost.documents[:1]), reverses=1, who="Ann"
    )
    (entry_of_bob,), _ = ReviewLog(review).append(
        *folder_roles.remove(lost.documents[5:]), who="Bob"
    )

    entries, _ = ReviewLog(review).extend([first, second])

    assert [(entry.id, entry.reverses, entry.who) for entry in entries] == [
        (1, 0, "Bob"), (2, 0, "Ann"), (3, 2, "Ann"),
    ]  # fmt: skip
    assert entries == (entry_of_bob, *opened(review).log[1:])
    assert removed(opened(review)) == {"5.txt"}


def documents(*names):
    return [[name, "", ""] for name in names]


def followed(*commands):
    """Stacks after commands, each with its inverse."""
    stacks, entries = UndoStacks(), []
    for kind, inverse, names in commands:
        data = {"documents": documents(*names)}
        back = Command(inverse, data) if inverse else None
        entries.append(entry_after(entries, Command(kind, data), back))
        stacks.add(entries[-1])
    return stacks, entries


REMOVE, BACK = ("remove", "bring back"), ("bring back", "remove")


def test_what_is_deleted_for_good_is_not_brought_back():
    note = ("note", "note")
    stacks, entries = followed((*note, ""), (*REMOVE, "ab"), ("delete removed", "", ""))

    assert stacks.to_undo is entries[0]
    assert stacks.to_redo is None


def test_what_was_brought_back_before_can_be_undone():
    deleted = ("delete removed", "", "")
    stacks, entries = followed((*REMOVE, "ab"), (*BACK, "b"), deleted)
    assert stacks.to_undo is entries[1]
    stacks, entries = followed((*REMOVE, "ab"), deleted, (*REMOVE, "c"))
    assert stacks.to_undo is entries[2]
    stacks, entries = followed((*REMOVE, "a"), (*REMOVE, "b"), (*BACK, "b"), deleted)
    assert stacks.to_undo is entries[2]
    assert UndoStacks().to_undo is None


def test_a_document_that_came_again_is_taken_off_and_back():
    stacks, entries = followed((*REMOVE, "a"), ("delete removed", "", ""), (*REMOVE, "a"))

    assert stacks.to_undo is entries[2]


@pytest.mark.parametrize("data", [{}, {"documents": 3}, {"documents": [3, "a"]}])
def test_a_damaged_command_stops_no_stack(data):
    stacks = UndoStacks()
    remove = entry_after([], Command("remove", data), Command("bring back", data))
    stacks.add(remove)
    stacks.add(entry_after([remove], Command("delete removed", {}), None))

    assert stacks.to_redo is None
