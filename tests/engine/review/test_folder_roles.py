"""Roles of folders in a review: kept with it, changed as a decision that can be undone."""

import pytest

from core.base.wording import UNKNOWN
from core.documents.model import Role, text_key
from core.errors import FolderError
from core.review import decisions, open_review, save_review
from core.review.decisions import Draft, is_light, judged, keys_of
from core.review.folder_roles import (
    choose_centre,
    found_elsewhere,
    give_role,
    say_language,
    take_off,
)
from core.scan.flow import scan
from core.scan.groups import group_documents
from core.scan.history import entry_after
from core.scan.judgements import Judgements, language_of
from core.scan.scan import Scan
from core.settings import ScanSettings
from tests.reviews import ReviewLog, redo, undo
from tests.texts import folder_with

TEXTS = {
    "english.txt": "The council decided yesterday that the old bridge will not be torn down but "
    "stays open for those who walk. Anyone who comes by car must take the new one.",
    "german.txt": "Der Rat hat gestern beschlossen, dass die alte Brücke nicht abgerissen wird, "
    "sondern für Fußgänger offen bleibt. Wer mit dem Wagen kommt, muss über die neue fahren.",
    "list.txt": "Berlin 30 22 Paris 28 20 Roma 33 25 Madrid 35 24 Oslo 21 14 Wien 29 18",
}
SETTINGS = ScanSettings(k=2)


def decided(judgements, command, entries=()):
    entry = entry_after(entries, *command, who="Ann")
    return judged(judgements, [entry]), entry


def languages(state):
    return [language_of(document, state.judgements) for document in state.documents]


@pytest.fixture
def spoken(tmp_path):
    return folder_with(tmp_path / "texts", TEXTS)


def test_a_language_is_set_and_undone():
    first, first_entry = decided(Judgements(), say_language(Judgements(), ["a", "b", "a"], "de"))
    second, second_entry = decided(first, say_language(first, ["b", "c"], "fr"), [first_entry])
    third, third_entry = decided(
        second, say_language(second, ["a", "d"], None), [first_entry, second_entry]
    )

    assert dict(first.languages) == {"a": "de", "b": "de"}
    assert dict(second.languages) == {"a": "de", "b": "fr", "c": "fr"}
    assert dict(third.languages) == {"b": "fr", "c": "fr"}
    assert all(is_light(entry.command) for entry in (first_entry, second_entry, third_entry))
    assert keys_of([first_entry, second_entry, third_entry]) == []
    back = undo([first_entry, second_entry, third_entry])
    assert judged(third, [back]) == second
    assert judged(second, [redo([first_entry, second_entry, third_entry, back])]) == third
    assert judged(second, [undo([first_entry, second_entry])]) == first


def test_documents_that_are_read_have_their_language(spoken, pool):
    result = scan([spoken], SETTINGS, pool=pool)

    assert [document.language for document in result.documents] == ["en", "de", UNKNOWN]
    assert languages(result.state) == ["en", "de", UNKNOWN]


def by_name(state):
    names = [document.name for document in state.documents]
    return dict(zip(names, languages(state), strict=True))


def test_what_was_said_goes_with_the_text(spoken, path, pool):
    result = scan([spoken], SETTINGS, pool=pool)
    save_review(path, result.state)
    texts = [text_key(document) for document in result.documents[1:]]
    ReviewLog(path).append(*say_language(result.decided.judgements, texts, "nl"))
    (spoken / "german.txt").rename(spoken / "moved.md")
    (spoken / "copy.txt").write_text(TEXTS["list.txt"], encoding="utf-8")

    with open_review(path) as review:
        assert by_name(review.state) == {"english.txt": "en", "german.txt": "nl", "list.txt": "nl"}
        again = scan([spoken], SETTINGS, previous=review.state, pool=pool)
        assert by_name(again.state) == {
            "copy.txt": "nl",
            "english.txt": "en",
            "list.txt": "nl",
            "moved.md": "nl",
        }
        assert {document.language for document in again.documents} == {"en", "de", UNKNOWN}


def test_what_was_said_holds_for_the_text_that_was_edited(spoken, path, pool):
    result = scan([spoken], SETTINGS, pool=pool)
    save_review(path, result.state)
    text = text_key(result.documents[2])
    ReviewLog(path).append(*say_language(result.decided.judgements, [text], "it"))
    (spoken / "list.txt").write_text(TEXTS["list.txt"] + " Bern 17 20", encoding="utf-8")

    with open_review(path) as review:
        again = scan([spoken], SETTINGS, previous=review.state, pool=pool)

    assert again.documents[2].text_hash != text
    assert by_name(again.state)["list.txt"] == "it"


def test_a_choice_takes_the_place_of_the_one_before_in_its_group():
    first, first_entry = decided(Judgements(), choose_centre(Judgements(), "a", "b"))
    second, second_entry = decided(first, choose_centre(first, "b", "c"), [first_entry])
    third, _ = decided(second, choose_centre(second, "x", "y"), [first_entry, second_entry])

    assert dict(first.centres) == {"a": "b"}
    assert dict(second.centres) == {"a": "c"}
    assert dict(third.centres) == {"a": "c", "x": "y"}
    assert is_light(first_entry.command)
    back = undo([first_entry, second_entry])
    assert judged(second, [back]) == first
    assert judged(first, [redo([first_entry, second_entry, back])]) == second
    assert judged(first, [undo([first_entry])]) == Judgements()


def test_the_one_that_was_in_the_middle_stays_chosen_when_it_is_chosen_again():
    first, _ = decided(Judgements(), choose_centre(Judgements(), "a", "b"))

    again, _ = decided(first, choose_centre(first, "b", "a"))

    assert dict(again.centres) == {"a": "a"}


@pytest.fixture
def essays(tmp_path):
    words, starts = (
        [f"w{number}" for number in range(400)],
        zip("abcd", range(0, 160, 40), strict=True),
    )
    texts = {f"{name}.txt": " ".join(words[start : start + 200]) for name, start in starts}
    return folder_with(tmp_path / "essays", texts)


def centres_of(scanned):
    pair_list = scanned.list_pairs()
    groups = group_documents(pair_list.pairs, pair_list.documents, scanned.decided.judgements)
    return {
        pair_list.documents[group.centre].name: [
            pair_list.documents[m.document].name for m in group.members
        ]
        for group in groups
    }


def test_a_choice_holds_in_the_file_and_after_a_rescan_under_another_name(essays, tmp_path, pool):
    options = ScanSettings(min_resemblance=0.3)
    scanned = scan([essays], options, pool=pool)
    assert list(centres_of(scanned)) == ["b.txt"]
    texts = {document.name: document.text_hash for document in scanned.documents}
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


REVIEW, REFERENCE, TEMPLATE = Role
NAMES = ("essays/a.txt", "essays/old/b.txt", "essays/old/c.txt", "archive/d.txt")


@pytest.fixture
def folder(tmp_path):
    words = " ".join(f"w{word}" for word in range(40))
    return folder_with(tmp_path, {name: f"{words} own{n}" for n, name in enumerate(NAMES)})


@pytest.fixture
def state(folder, pool):
    given = [folder / "essays", folder / "archive"]
    done = scan(given, SETTINGS, roles=[REVIEW, REFERENCE], pool=pool)
    done.list_pairs()
    return done.state


def pairs_of(state, pool):
    result = Scan.restored(state, pool)
    pair_list = result.list_pairs()
    names = [document.name.rpartition("/")[2][0] for document in pair_list.documents]
    pairs = zip(pair_list.pairs.a.tolist(), pair_list.pairs.b.tolist(), strict=True)
    return {"".join(sorted(names[a] + names[b])) for a, b in pairs}


def roles_in(state):
    return {document.name.rpartition("/")[2][0]: document.role for document in state.documents}


def test_a_review_keeps_the_roles(folder, state, pool, path):
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


def test_a_role_is_changed_undone_and_redone(folder, state, pool):
    changed = decisions.decide(state, *give_role(state, folder / "archive", REVIEW))
    assert roles_in(changed) == dict.fromkeys("abcd", REVIEW)
    nested = decisions.decide(changed, *give_role(changed, folder / "essays" / "old", REFERENCE))
    assert roles_in(nested) == {"a": REVIEW, "b": REFERENCE, "c": REFERENCE, "d": REVIEW}
    assert nested.folders == (*state.folders, folder / "essays" / "old")
    assert pairs_of(nested, pool) == {"ab", "ac", "ad", "bd", "cd"}
    back = decisions.decided(nested, [undo(nested.log)])
    assert (back.folders, back.roles, back.documents) == (
        changed.folders, changed.roles, changed.documents,
    )  # fmt: skip
    first = decisions.decided(back, [undo(back.log)])
    assert first.documents == state.documents
    again = decisions.decided(first, [redo(first.log)])
    again = decisions.decided(again, [redo(again.log)])
    assert (again.folders, again.roles, again.documents) == (
        nested.folders, nested.roles, nested.documents,
    )  # fmt: skip


def test_a_folder_is_taken_off_and_put_back(folder, state, pool, path):
    save_review(path, state)
    ReviewLog(path, state.log).append(*take_off(state, folder / "archive"))
    with open_review(path) as review:
        assert review.state.folders == (folder / "essays",)
        assert [document.name for document in review.state.documents if document.is_removed] == [
            "archive/d.txt"
        ]
        assert pairs_of(review.state, pool) == {"ab", "ac", "bc"}
        # A rescan of what is left does not bring it back.
        again = scan([folder / "essays"], SETTINGS, previous=review.state, pool=pool)
        assert len(again.documents) == 3
        assert len(again.removed) == 1
        back = decisions.decided(review.state, [undo(review.state.log)])
        assert back.folders == state.folders
        assert back.roles == state.roles
        assert back.documents == state.documents
        assert pairs_of(back, pool) == pairs_of(state, pool)


def test_what_was_gone_before_its_folder_left_is_gone_again(folder, state, pool):
    (folder / "archive" / "d.txt").unlink()
    (folder / "archive" / "e.txt").write_text("something else")
    before = scan(state.folders, SETTINGS, roles=state.roles, previous=state, pool=pool).state
    left = decisions.decide(before, *take_off(before, folder / "archive"))
    assert [document.is_removed for document in left.documents].count(True) == 2
    back = decisions.decided(left, [undo(left.log)])
    assert {document.name: document for document in back.documents} == {
        document.name: document for document in before.documents
    }


def test_a_template_and_back(folder, state, pool, tmp_path):
    changed = decisions.decide(state, *give_role(state, folder / "essays" / "old", TEMPLATE))
    assert {name for name, role in roles_in(changed).items() if role is TEMPLATE} == {"b", "c"}
    assert not {"b", "c"} & set("".join(pairs_of(changed, pool)))
    save_review(tmp_path / "a.neardup", changed)
    with open_review(tmp_path / "a.neardup") as review:
        assert review.state.documents == changed.documents
        assert pairs_of(review.state, pool) == pairs_of(changed, pool)
    back = decisions.decided(changed, [undo(changed.log)])
    assert pairs_of(back, pool) == pairs_of(state, pool)
    assert not back.set_aside


def test_impossible_changes_of_folders_are_refused(folder, state):
    with pytest.raises(FolderError, match="There is no folder to review"):
        give_role(state, folder / "essays", TEMPLATE)
    with pytest.raises(FolderError, match="There is no folder to review"):
        take_off(state, folder / "essays")
    with pytest.raises(FolderError, match="is no folder of this review"):
        take_off(state, folder)
    with pytest.raises(FolderError, match="neither a folder of this review nor in one"):
        give_role(state, folder / "elsewhere", REFERENCE)


@pytest.mark.parametrize("decided", ["role", "take off"])
def test_a_review_opens_however_often_folders_changed(folder, state, pool, tmp_path, decided):
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
    essays, moved_folder = folder / "essays", folder / "moved"
    nested = decisions.decide(state, *give_role(state, essays / "old", REFERENCE))
    essays.rename(moved_folder)
    moved = decisions.decide(nested, *found_elsewhere(essays, moved_folder))
    assert moved.folders == (moved_folder, folder / "archive", moved_folder / "old")
    again = scan(moved.folders, SETTINGS, roles=moved.roles, previous=moved, pool=pool)
    assert (
        roles_in(again.state)
        == roles_in(nested)
        == {"a": REVIEW, "b": REFERENCE, "c": REFERENCE, "d": REFERENCE}
    )
    back = decisions.decided(moved, [undo(moved.log)])
    assert (back.folders, back.documents) == (nested.folders, nested.documents)


@pytest.mark.parametrize(("documents", "most"), [(1, 511), (1 << 15, 256), (400_000, 38)])
def test_changes_of_all_documents_go_through_so_many_and_no_more(state, documents, most):
    draft = Draft(state)
    draft.documents = [state.documents[0]] * documents
    for _ in range(most):
        draft.change(lambda before: before)
    with pytest.raises(ValueError, match="too many"):
        draft.change(lambda before: before)
