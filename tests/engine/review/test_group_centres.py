"""The centre of a group is a decision: in the log, undone, and found after a rescan."""

import pytest

from core.errors import ReviewError
from core.review import ReviewLog, open_review, save_review
from core.review.decisions import is_light, judged, redo, undo
from core.review.folder_roles import choose_centre
from core.scan.flow import scan
from core.scan.groups import group_documents
from core.scan.history import Command, entry_after
from core.scan.judgements import Judgements
from core.scan.scan import Scan
from core.settings import ScanSettings


def decided(judgements, command, entries=()):
    entry = entry_after(entries, *command, who="Ann")
    return judged(judgements, [entry]), entry


def test_a_choice_takes_the_place_of_the_one_before_in_its_group():
    first, one = decided(Judgements(), choose_centre(Judgements(), "a", "b"))
    second, two = decided(first, choose_centre(first, "b", "c"), [one])
    third, _ = decided(second, choose_centre(second, "x", "y"), [one, two])

    assert dict(first.centres) == {"a": "b"}
    assert dict(second.centres) == {"a": "c"}
    assert dict(third.centres) == {"a": "c", "x": "y"}
    assert is_light(one.command)
    back = undo([one, two])
    assert judged(second, [back]) == first
    assert judged(first, [redo([one, two, back])]) == second
    assert judged(first, [undo([one])]) == Judgements()


def test_the_one_that_was_in_the_middle_stays_chosen_when_it_is_chosen_again():
    first, _ = decided(Judgements(), choose_centre(Judgements(), "a", "b"))

    again, _ = decided(first, choose_centre(first, "b", "a"))

    assert dict(again.centres) == {"a": "a"}


@pytest.mark.parametrize(
    "data", [{}, {"group": "a"}, {"group": "", "centre": "b"}, {"group": "a", "centre": 7}]
)
def test_what_is_no_choice_is_refused(data):
    with pytest.raises((KeyError, ValueError)):
        decided(Judgements(), (Command("centre", data), None))


@pytest.fixture
def essays(tmp_path):
    folder = tmp_path / "essays"
    folder.mkdir()
    words = [f"w{number}" for number in range(400)]
    for name, start, end in (("a", 0, 200), ("b", 40, 240), ("c", 80, 280), ("d", 120, 320)):
        (folder / f"{name}.txt").write_text(" ".join(words[start:end]))
    return folder


def centres_of(scanned):
    found = scanned.list_pairs()
    groups = group_documents(found.pairs, found.documents, scanned.decided.judgements)
    return {
        found.documents[one.centre].name: [found.documents[m.document].name for m in one.members]
        for one in groups
    }


def test_a_choice_holds_in_the_file_and_after_a_rescan_under_another_name(essays, tmp_path, pool):
    options = ScanSettings(min_resemblance=0.3)
    scanned = scan([essays], options, pool=pool)
    assert list(centres_of(scanned)) == ["b.txt"]
    texts = {one.name: one.text_hash for one in scanned.documents}
    path = tmp_path / "essays.neardup"
    save_review(path, scanned.state)
    nothing = scanned.decided.judgements
    ReviewLog(path).append(*choose_centre(nothing, texts["b.txt"], texts["c.txt"]))

    with open_review(path) as review:
        restored = Scan.restored(review.state, pool)
        assert list(centres_of(restored)) == ["c.txt"]
        (essays / "c.txt").rename(essays / "z.txt")
        again = scan([essays], options, previous=review.state, pool=pool)
        assert list(centres_of(again)) == ["z.txt"]


def test_a_damaged_choice_refuses_the_review(essays, tmp_path, pool, monkeypatch):
    monkeypatch.setattr("core.review.log._require_readable", lambda *_: None)
    path = tmp_path / "essays.neardup"
    save_review(path, scan([essays], ScanSettings(), pool=pool).state)
    ReviewLog(path).append(Command("centre", {"group": ["a"], "centre": "b"}), None)

    with pytest.raises(ReviewError, match="damaged"), open_review(path):
        pass
