"""What a rescan says of files that changed, moved, went and came back."""

import os
import shutil
from contextlib import closing
from datetime import date

import pytest

from core.documents.model import PairKey
from core.documents.reading_settings import ReadingSettings
from core.review import open_review, save_review
from core.review.decisions import decide, judged
from core.review.folder_roles import bring_back, remove
from core.review.verdicts import judge
from core.scan.changed_files import Changes, in_words
from core.scan.flow import scan
from core.scan.folders import deleted, empty_folders, gone_for_sure, missing
from core.scan.history import Command
from core.scan.judgements import CHANGED, NEW, Judgements, PairRows, Verdict
from core.scan.rescan_changes import mark_seen, share_changed
from core.scan.scan import Scan
from core.settings import ScanSettings
from tests.archives import zipped
from tests.reviews import ReviewLog, state_in, undo
from tests.texts import folder_with

SETTINGS = ScanSettings(k=2)
COMMON = "every one of these begins with the same few words and goes on with "


def text_of(name):
    return COMMON + " ".join(f"{name}{number}" for number in range(9))


@pytest.fixture
def folder(tmp_path):
    names = ("a", "b", "c", "old/d", "old/e")
    return folder_with(tmp_path / "essays", {f"{name}.txt": text_of(name) for name in names})


@pytest.fixture
def day(monkeypatch):
    """Sets the day of the next scans."""

    def set_day(number):
        monkeypatch.setattr("core.scan.rescan.today", lambda: date(2026, 3, number))

    set_day(1)
    return set_day


def rescan(state, *folders, **options):
    with closing(scan(folders, SETTINGS, previous=state, **options)) as result:
        result.pairs()
        return result


@pytest.fixture
def state(folder, day):
    return rescan(None, folder).state


def marks(result):
    return {
        document.name: document.absence and document.absence.in_words
        for document in result.documents
    }


def test_nothing_has_changed(folder, state):
    assert rescan(state, folder).changes == Changes()


def test_every_kind_of_change_is_counted(folder, state):
    (folder / "new.txt").write_text(text_of("new"))
    (folder / "a.txt").write_text(text_of("other"))
    (folder / "b.txt").rename(folder / "old" / "f.txt")
    (folder / "c.txt").unlink()

    result = rescan(state, folder)

    assert result.changes == Changes(
        added=("new.txt",), changed=("a.txt",), moved=(("b.txt", "old/f.txt"),), gone=("c.txt",)
    )
    assert in_words(result.changes) == (
        "Files since the last scan: 1 added, 1 changed, 1 moved (b.txt is now old/f.txt), "
        "1 gone (c.txt)."
    )


def test_the_day_is_that_of_the_first_rescan_that_missed_it(folder, state, day):
    (folder / "c.txt").rename(folder.parent / "c.txt")
    day(2)
    second = rescan(state, folder)
    day(5)
    third = rescan(second.state, folder)
    (folder.parent / "c.txt").rename(folder / "c.txt")
    fourth = rescan(third.state, folder)

    assert marks(second)["c.txt"] == marks(third)["c.txt"] == "gone since 2026-03-02"
    assert third.changes == Changes()
    assert fourth.changes == Changes(back=("c.txt",))
    assert set(marks(fourth).values()) == {None}


def test_the_pairs_of_a_document_that_is_gone_stay_and_can_be_read(folder, state):
    first = Scan.restored(state)
    (folder / "c.txt").unlink()
    result = rescan(state, folder)

    for scanned in (first, result):
        assert len(scanned.pairs(SETTINGS.with_changes(min_resemblance=0.2))) == 10
    assert result.texts[2] == text_of("c")
    assert result.present == 4
    first.close()


def test_a_document_that_came_since_is_compared_with_one_that_is_gone(folder, state):
    (folder / "c.txt").unlink()
    after_deletion = rescan(state, folder).state
    (folder / "late.txt").write_text(text_of("c") + " and more")

    result = rescan(after_deletion, folder)

    best = result.pairs()
    assert [result.documents[row].name for row in (best.a[0], best.b[0])] == ["c.txt", "late.txt"]


def test_of_two_copies_one_can_be_gone(folder, state):
    (folder / "copy.txt").write_text(text_of("a"))
    both = rescan(state, folder)
    assert both.changes == Changes(added=("copy.txt",))
    (folder / "a.txt").unlink()

    result = rescan(both.state, folder)

    assert result.changes == Changes(gone=("a.txt",))
    best = result.pairs()
    assert [result.documents[row].name for row in (best.a[0], best.b[0])] == ["a.txt", "copy.txt"]
    assert best.exact_duplicate[0]


def test_two_files_that_changed_their_names_have_moved(folder, state):
    (folder / "a.txt").rename(folder / "x.txt")
    (folder / "b.txt").rename(folder / "a.txt")
    (folder / "x.txt").rename(folder / "b.txt")

    result = rescan(state, folder)

    assert sorted(marks(result)) == ["a.txt", "b.txt", "c.txt", "old/d.txt", "old/e.txt"]
    assert result.changes.gone == ()
    assert result.changes.added == ()


@pytest.mark.parametrize("content", [b"", b"\0\1\2" * 500])
def test_a_file_that_gives_no_text_any_more_keeps_the_text_it_gave(content, folder, state, day):
    (folder / "b.txt").write_bytes(content)
    day(7)

    result = rescan(state, folder)

    assert result.changes == Changes(not_read=("b.txt",))
    assert marks(result)["b.txt"] == "not read since 2026-03-07"
    assert [problem.name for problem in result.problems] == ["b.txt"]
    assert result.texts[1] == text_of("b")
    (folder / "b.txt").write_text(text_of("b"))
    again = rescan(result.state, folder)
    assert again.changes == Changes(back=("b.txt",))
    assert again.problems == []


def test_files_that_give_no_text_are_added_and_changed_like_others(folder, state):
    (folder / "x.txt").write_bytes(b"")
    (folder / "y.zip").write_bytes(zipped({"in it.txt": "Words."}))
    (folder / "z.png").write_bytes(b"\x89PNG\r\n\x1a\n")  # a picture is no document

    came = rescan(state, folder)
    assert came.changes == Changes(added=("x.txt", "y.zip"))
    assert rescan(came.state, folder).changes == Changes()

    (folder / "z.png").write_bytes(b"\x89PNG\r\n\x1a\nanother")
    replaced = came
    for data in (b"\0\1\2", b"\0\3\4"):  # for another reason than before, and for the same
        (folder / "x.txt").write_bytes(data * 500)
        replaced = rescan(replaced.state, folder)
        assert replaced.changes == Changes(changed=("x.txt",))
    save_review(folder.parent / "r.neardup", replaced.state)
    assert state_in(folder.parent / "r.neardup").problems == replaced.problems
    (folder / "x.txt").touch()
    assert rescan(replaced.state, folder).changes == Changes()
    assert in_words(replaced.changes) == "Files since the last scan: 1 changed."
    reading = ReadingSettings(archives=True)
    opened = rescan(replaced.state, folder, reading=reading)
    assert opened.changes == Changes(newly_read=("y.zip",))
    second_folder = folder_with(folder.parent / "second", {"new.txt": text_of("new")})
    # All files have other names then.
    both = rescan(opened.state, folder, second_folder, reading=reading)
    assert both.changes == Changes(added=("second/new.txt",))


@pytest.mark.parametrize("beside", [True, False])
def test_a_file_without_text_in_another_folder_is_not_the_one_of_that_name(folder, state, beside):
    for parent, data in ((folder, b"\0\1\2"), (folder.parent / "other", b"\0\3\4")):
        folder_with(parent, {"f.txt": text_of("f")})
        (parent / "x.txt").write_bytes(data * 500)
    before = rescan(state, folder).state
    assert [problem.name for problem in before.problems] == ["x.txt"]

    folders = [folder.parent / "other", *([folder] if beside else [])]
    after = rescan(before, *folders)
    assert after.changes.changed == ()
    assert rescan(after.state, *folders).changes == Changes()


@pytest.mark.parametrize("readable", [{}, {"in it.txt": "Words."}])
def test_an_archive_changes_with_a_part_that_gives_no_text(readable, folder, state):
    reading = ReadingSettings(archives=True)

    def with_archive(state, parts):
        (folder / "y.zip").write_bytes(zipped(parts))
        return rescan(state, folder, reading=reading)

    result = with_archive(state, {**readable, "broken.docx": b"PK\x03\x04 one"})
    assert result.changes == Changes(added=("y.zip",))
    for name in ("broken.docx", "other.docx"):
        result = with_archive(result.state, {**readable, name: b"PK\x03\x04 two"})
        assert result.changes == Changes(changed=("y.zip",))
        (folder / "y.zip").touch()
        assert rescan(result.state, folder, reading=reading).changes == Changes()
    less = with_archive(result.state, {"other.docx": b"PK\x03\x04 three"})
    more = with_archive(less.state, {"in it.txt": "Words.", "other.docx": b"PK\x03\x04 four"})
    told = ("gone", "back") if readable else ("changed", "newly_read")  # each once
    assert [less.changes, more.changes] == [Changes(**{word: ("y.zip",)}) for word in told]


BROKEN = {"broken.docx": b"PK\x03\x04 one"}


@pytest.mark.parametrize("others", [True, False])
def test_an_archive_changes_with_its_first_part_that_gives_no_text_and_its_last(
    others, folder, state
):
    reading = ReadingSettings(archives=True)
    if others:  # that there are more of them, which stay
        (folder / "x.txt").write_bytes(b"")

    def with_archive(state, **more):
        (folder / "y.zip").write_bytes(zipped({"in it.txt": text_of("y"), **more}))
        return rescan(state, folder, reading=reading)

    came = with_archive(state)
    more = with_archive(came.state, **BROKEN)
    less = with_archive(more.state)
    assert "y.zip" in came.changes.added
    assert [problem.name for problem in more.problems[others:]] == ["y.zip/broken.docx"]
    assert [more.changes, less.changes] == [Changes(changed=("y.zip",))] * 2
    assert with_archive(less.state).changes == Changes()
    # Read with other settings it is as it was: what is in it is told otherwise.
    again = with_archive(less.state, **BROKEN)
    closed = rescan(again.state, folder, reading=ReadingSettings())
    assert closed.changes.changed == ()
    assert rescan(closed.state, folder, reading=reading).changes.changed == ()


def test_a_subfolder_that_cannot_be_opened_is_not_gone(folder, state, monkeypatch):
    real = os.scandir

    def refuse(path):
        if str(path).endswith("old"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr("os.scandir", refuse)
    result = rescan(state, folder)

    assert result.changes == Changes(not_read=("old/d.txt", "old/e.txt"))
    assert marks(result)["old/d.txt"].startswith("not read since ")


def test_a_folder_that_is_not_there_is_not_gone(folder, state):
    folder.rename(folder.parent / "elsewhere")

    result = rescan(state, folder)

    assert "does not exist" in result.unusable[folder]
    (lost,) = result.changes.lost
    assert (lost.folder, len(lost.names), lost.of, lost.is_new) == (folder, 5, 5, True)
    assert "does not exist" in lost.reason
    assert {mark[:8] for mark in marks(result).values()} == {"not read"}
    assert gone_for_sure(result.state) == []


@pytest.mark.parametrize(
    ("files", "deleted", "asks"),
    [(40, 5, False), (100, 6, False), (60, 6, False), (59, 6, True), (3, 3, True), (3, 2, False)],
)
def test_much_that_is_gone_at_once_is_asked_about(tmp_path, day, files, deleted, asks):
    folder_with(tmp_path, {f"{number:03}.txt": text_of(f"n{number}") for number in range(files)})
    first = rescan(None, tmp_path)
    for number in range(deleted):
        (tmp_path / f"{number:03}.txt").unlink()

    result = rescan(first.state, tmp_path)

    assert [(len(lost.names), lost.of) for lost in result.changes.lost] == (
        [(deleted, files)] if asks else []
    )


def test_a_folder_in_which_everything_moved_has_lost_nothing(folder, state):
    for file in sorted(folder.rglob("*.txt")):
        file.rename(folder / f"new {file.name}")

    result = rescan(state, folder)

    assert len(result.changes.moved) == 5
    assert result.changes.lost == ()


def test_other_folders_do_not_take_the_place_of_those_in_the_review(folder, state):
    texts = {"a.txt": text_of("another a"), "moved.txt": text_of("b")}
    second_folder = folder_with(folder.parent / "second", texts)

    result = rescan(state, second_folder)

    assert marks(result)["a.txt"] is None
    assert marks(result)["essays/a.txt"].startswith("not read since ")
    assert result.changes.moved == (("b.txt", "moved.txt"),)
    assert len(result.documents) == 6


def test_documents_in_an_archive_are_recognised_one_by_one(tmp_path, day):
    reading = ReadingSettings(archives=True)

    def pack(name, members):
        files = {f"{member}.txt": text_of(member) for member in members}
        (tmp_path / name).write_bytes(zipped(files))

    pack("one.zip", "ab")
    closed = rescan(None, tmp_path)
    first = rescan(closed.state, tmp_path, reading=reading)
    assert first.changes == Changes(newly_read=("one.zip",))
    assert in_words(first.changes) == "Files since the last scan: 1 newly read (one.zip)."
    (tmp_path / "one.zip").rename(tmp_path / "two.zip")
    moved = rescan(first.state, tmp_path, reading=reading)
    assert moved.changes == Changes(moved=(("one.zip", "two.zip"),))
    pack("two.zip", "b")

    result = rescan(moved.state, tmp_path, reading=reading)

    assert result.changes == Changes(changed=("two.zip",))
    assert marks(result)["two.zip/a.txt"].startswith("gone since ")
    assert marks(result)["two.zip/b.txt"] is None


def test_other_settings_sign_what_is_gone_again(folder, state):
    (folder / "c.txt").unlink()
    (folder / "old" / "d.txt").unlink()
    after_deletion = rescan(state, folder).state
    after_deletion = decide(
        after_deletion,
        *remove([document for document in missing(after_deletion) if document.name == "c.txt"]),
    )

    result = scan([folder], ScanSettings(unit="char", k=5), previous=after_deletion)

    names = [result.documents[row].name for row in result.pairs().b]
    assert "old/d.txt" in names
    assert "c.txt" not in names
    back = Scan.restored(decide(result.state, *bring_back(result.removed)))
    assert len(back.pairs()) == 10
    for scanned in (result, back):
        scanned.close()


def test_removed_documents_are_brought_back_or_deleted(folder, state):
    (folder / "a.txt").unlink()
    (folder / "b.txt").unlink()
    after_deletion = rescan(state, folder).state

    without = Scan.restored(decide(after_deletion, *remove(missing(after_deletion))))
    assert len(without.documents) == 3
    assert [document.name for document in without.removed] == ["a.txt", "b.txt"]
    back = Scan.restored(decide(without.state, *bring_back(without.removed[:1])))
    assert [document.name for document in back.documents if document.absence] == ["a.txt"]
    rest = deleted(back.state)
    assert sorted(document.name for document in rest.documents) == [
        "a.txt", "c.txt", "old/d.txt", "old/e.txt",
    ]  # fmt: skip
    assert list(rest.texts) == [
        text_of(document.name.removesuffix(".txt")) for document in rest.documents
    ]
    for scanned in (without, back):
        scanned.close()


def test_a_removed_file_that_is_there_again_is_added(folder, state):
    (folder / "a.txt").rename(folder.parent / "a.txt")
    after_deletion = rescan(state, folder).state
    without = decide(after_deletion, *remove(missing(after_deletion)))
    (folder.parent / "a.txt").rename(folder / "a.txt")

    result = rescan(without, folder)

    assert result.changes == Changes(added=("a.txt",))
    assert not result.removed


def test_an_empty_folder_keeps_its_documents_from_being_forgotten(folder, state):
    for file in folder.rglob("*.txt"):
        file.unlink()

    result = rescan(state, folder)

    assert list(empty_folders(result.state)) == [folder]
    assert gone_for_sure(result.state) == []
    assert len(missing(result.state)) == 5


NEWS_SETTINGS = ScanSettings(k=2)
NEWS_COMMON = " ".join(f"common{number}" for number in range(40))


def news_text_of(name):
    return f"{NEWS_COMMON} {' '.join(f'{name}{number}' for number in range(10))}"


@pytest.fixture
def news_folder(tmp_path):
    texts = {f"{name}.txt": news_text_of(name) for name in ("anna", "bert", "cleo")}
    return folder_with(tmp_path / "essays", texts)


class Seen:
    """A scan by the names of its documents."""

    def __init__(self, news_folder, previous=None, settings=NEWS_SETTINGS):
        with closing(scan([news_folder], settings, previous=previous)) as result:
            self.state = result.state
            self.changes = result.changes
            self.pairs = result.pairs()
        self.judgements = self.state.judgements
        self.documents = {
            document.name.removesuffix(".txt"): document for document in self.state.documents
        }

    def key(self, first, second):
        return PairKey.of(self.documents[first], self.documents[second])

    def found(self, first, second):
        return self.judgements.judgement_of(self.key(first, second))

    def news(self, judgements=None):
        column = PairRows(self.pairs, self.state.documents).news(judgements or self.judgements)
        names = list(self.documents)
        return {
            (names[a], names[b]): value
            for a, b, value in zip(self.pairs.a, self.pairs.b, column.tolist(), strict=True)
            if value
        }


def judged_state(seen, *pairs, verdict=Verdict.CONFIRMED):
    keys = [seen.key(*pair) for pair in pairs]
    return decide(seen.state, *judge(seen.state.judgements, keys, verdict), who="Ann")


def test_the_share_of_words_that_is_changed():
    text = " ".join(f"word{number}" for number in range(100))
    assert share_changed("grows by −5 %", "grows by 5 %") == pytest.approx(1 / 3)
    assert share_changed(text, text.replace("word7 ", "other ")) == pytest.approx(0.01)
    assert share_changed(text, text + " and four words more") == pytest.approx(4 / 104)
    assert share_changed(text + " and four words more", text) == pytest.approx(4 / 104)
    assert share_changed("a a a b", "a b b b") == pytest.approx(0.5)
    assert share_changed(text, "nothing of it") == 1
    assert share_changed("", "") == 1
    assert share_changed(text, "") == 1
    assert share_changed("天地玄黄宇宙洪荒", "天地玄黄宇宙洪水") == pytest.approx(1 / 8)


def test_a_verdict_on_an_edited_text_stays_and_says_so(news_folder):
    first = Seen(news_folder)
    state = judged_state(first, ("anna", "bert"), ("bert", "cleo"))
    (news_folder / "anna.txt").write_text(news_text_of("anna").replace("common7 ", "edited7 "))
    second = Seen(news_folder, state)
    found_judgement = second.found("anna", "bert")
    assert found_judgement.judgement.verdict is Verdict.CONFIRMED
    assert found_judgement.judgement.who == "Ann"
    assert found_judgement.earlier == pytest.approx(1 / 50)
    assert second.found("bert", "cleo").earlier is None
    assert second.found("anna", "cleo").judgement.verdict is Verdict.NOT_REVIEWED
    # It is in the review.
    path = news_folder.parent / "a.neardup"
    save_review(path, second.state)
    with open_review(path) as review:
        assert review.state.judgements == second.judgements
        log = ReviewLog(path, review.state.log)
        log.append(*judge(review.state.judgements, [second.key("anna", "bert")], Verdict.CONFIRMED))
    with open_review(path) as review:
        again = Seen(news_folder, review.state)
        assert again.found("anna", "bert").earlier is None  # confirmed again
        assert again.state.log == review.state.log  # nothing has changed
    entry = undo(log.entries)
    assert (
        judged(judged(Judgements(), log.entries), [entry]).judgement_of(second.key("anna", "bert"))
        == found_judgement
    )


def test_it_stays_over_several_edits(news_folder):
    state = judged_state(Seen(news_folder), ("anna", "bert"))
    text = news_text_of("anna")
    for number in range(3):
        text = text.replace(f"common{number} ", f"edited{number} ")
        (news_folder / "anna.txt").write_text(text)
        seen = Seen(news_folder, state)
        state = seen.state
        assert seen.found("anna", "bert").earlier == pytest.approx(1 - (49 / 50) ** (number + 1))
    (news_folder / "anna.txt").write_text(news_text_of("anna"))
    assert Seen(news_folder, state).found("anna", "bert").earlier is None


def test_a_verdict_holds_for_files_that_move_or_are_copied(news_folder):
    state = judged_state(Seen(news_folder), ("anna", "bert"))
    (news_folder / "deep").mkdir()
    (news_folder / "anna.txt").rename(news_folder / "deep" / "zoe.txt")
    (news_folder / "bert.txt").write_text(
        "\ufeff" + news_text_of("bert").upper()
    )  # written otherwise
    shutil.copy(news_folder / "bert.txt", news_folder / "dora.txt")
    seen = Seen(news_folder, state)
    for name in ("bert", "dora"):
        found_judgement = seen.found("deep/zoe", name)
        assert (found_judgement.judgement.verdict, found_judgement.earlier) == (
            Verdict.CONFIRMED,
            None,
        )


def test_the_verdicts_of_one_are_not_those_of_another_that_becomes_like_it(news_folder):
    state = judged_state(Seen(news_folder), ("anna", "bert"))
    (news_folder / "anna.txt").write_text(news_text_of("cleo"))
    seen = Seen(news_folder, state)
    assert seen.found("cleo", "bert").judgement.verdict is Verdict.NOT_REVIEWED


def test_what_is_new_is_reported_until_it_was_seen(news_folder):
    first = Seen(news_folder)
    assert not first.judgements.rescans
    assert first.news() == {}
    (news_folder / "anna.txt").write_text(news_text_of("anna").replace("common7 ", "edited7 "))
    (news_folder / "dora.txt").write_text(news_text_of("dora"))
    shutil.copy(news_folder / "cleo.txt", news_folder / "emil.txt")
    (news_folder / "bert.txt").unlink()
    second = Seen(news_folder, first.state)
    assert second.news() == {
        ("anna", "bert"): CHANGED,
        ("anna", "cleo"): CHANGED,
        ("anna", "emil"): CHANGED,
        ("anna", "dora"): NEW,
        ("bert", "dora"): NEW,
        ("cleo", "dora"): NEW,
        ("dora", "emil"): NEW,
        ("cleo", "emil"): NEW,
    }
    (entry,) = second.state.log
    nothing = dict.fromkeys(("moved", "not_read", "back"), 0)
    assert entry.command.data["files"] == {"added": 2, "changed": 1, "gone": 1, **nothing}
    # Another rescan that finds something adds to it.
    (news_folder / "fritz.txt").write_text(news_text_of("fritz"))
    third = Seen(news_folder, second.state)
    assert (third.judgements.rescans, third.judgements.seen) == (2, 0)
    assert third.news().items() > second.news().items()
    seen, inverse = mark_seen(third.judgements)
    state = decide(third.state, seen, inverse)
    assert state.judgements.seen == 2
    assert third.news(state.judgements) == {}
    assert judged(state.judgements, [undo(state.log)]).seen == 0
    fourth = Seen(news_folder, state)
    assert fourth.state.log == state.log
    (news_folder / "bert.txt").write_text(news_text_of("bert"))
    fifth = Seen(news_folder, state)
    files = fifth.state.log[-1].command.data["files"]
    assert [name for name, count in files.items() if count] == ["back"]
    assert fifth.news() == {}


def test_with_other_settings_nothing_is_new(news_folder):
    first = Seen(news_folder)
    second = Seen(news_folder, first.state, ScanSettings(k=3))
    assert second.state.log == ()


def test_no_more_rescans_were_seen_than_there_were(news_folder):
    path = news_folder.parent / "a.neardup"
    save_review(path, Seen(news_folder).state)
    files = dict.fromkeys(("added", "changed", "moved", "gone", "not_read", "back"), 1)
    data = {"came": ["a"], "copies": [], "edited": [["b", "c", 0.5]], "files": files}
    ReviewLog(path).append(Command("rescan", data), None)
    ReviewLog(path).append(Command("seen", {"rescans": 2**62}), None)
    assert state_in(path).judgements.seen == 1
