"""What a rescan brought: verdicts on edited texts stay, what is new is told until it was seen."""

import shutil
from contextlib import closing

import pytest

from core.documents.model import PairKey
from core.errors import ReviewError
from core.review import ReviewLog, open_review, save_review
from core.review.decisions import decide, judged, undo
from core.review.verdicts import judge
from core.scan.flow import scan
from core.scan.history import Command
from core.scan.judgements import CHANGED, NEW, Judgements, PairRows, Verdict
from core.scan.news import mark_seen, share_changed
from core.settings import ScanSettings

SETTINGS = ScanSettings(k=2)
COMMON = " ".join(f"common{number}" for number in range(40))


def text_of(name):
    return f"{COMMON} {' '.join(f'{name}{number}' for number in range(10))}"


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "essays"
    folder.mkdir()
    for name in ("anna", "bert", "cleo"):
        (folder / f"{name}.txt").write_text(text_of(name))
    return folder


class Seen:
    """A scan by the names of its documents."""

    def __init__(self, folder, previous=None, settings=SETTINGS):
        with closing(scan([folder], settings, previous=previous)) as result:
            self.state = result.state
            self.changes = result.changes
            self.pairs = result.pairs()
        self.judgements = self.state.judgements
        self.documents = {one.name.removesuffix(".txt"): one for one in self.state.documents}

    def key(self, one, other):
        return PairKey.of(self.documents[one], self.documents[other])

    def found(self, one, other):
        return self.judgements.judgement_of(self.key(one, other))

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


def test_a_verdict_on_an_edited_text_stays_and_says_so(folder):
    first = Seen(folder)
    state = judged_state(first, ("anna", "bert"), ("bert", "cleo"))
    (folder / "anna.txt").write_text(text_of("anna").replace("common7 ", "edited7 "))
    second = Seen(folder, state)
    found = second.found("anna", "bert")
    assert found.judgement.verdict is Verdict.CONFIRMED
    assert found.judgement.who == "Ann"
    assert found.earlier == pytest.approx(1 / 50)
    assert second.found("bert", "cleo").earlier is None
    assert second.found("anna", "cleo").judgement.verdict is Verdict.NOT_REVIEWED
    # It is in the review.
    path = folder.parent / "a.neardup"
    save_review(path, second.state)
    with open_review(path) as review:
        assert review.state.judgements == second.judgements
        log = ReviewLog(path, review.state.log)
        log.append(*judge(review.state.judgements, [second.key("anna", "bert")], Verdict.CONFIRMED))
    with open_review(path) as review:
        again = Seen(folder, review.state)
        assert again.found("anna", "bert").earlier is None  # confirmed again
        assert again.state.log == review.state.log  # nothing has changed
    entry = undo(log.entries)
    assert (
        judged(judged(Judgements(), log.entries), [entry]).judgement_of(second.key("anna", "bert"))
        == found
    )


def test_it_stays_over_several_edits(folder):
    state = judged_state(Seen(folder), ("anna", "bert"))
    text = text_of("anna")
    for number in range(3):
        text = text.replace(f"common{number} ", f"edited{number} ")
        (folder / "anna.txt").write_text(text)
        seen = Seen(folder, state)
        state = seen.state
        assert seen.found("anna", "bert").earlier == pytest.approx(1 - (49 / 50) ** (number + 1))
    (folder / "anna.txt").write_text(text_of("anna"))
    assert Seen(folder, state).found("anna", "bert").earlier is None


def test_a_verdict_holds_for_files_that_move_or_are_copied(folder):
    state = judged_state(Seen(folder), ("anna", "bert"))
    (folder / "deep").mkdir()
    (folder / "anna.txt").rename(folder / "deep" / "zoe.txt")
    (folder / "bert.txt").write_text("\ufeff" + text_of("bert").upper())  # written otherwise
    shutil.copy(folder / "bert.txt", folder / "dora.txt")
    seen = Seen(folder, state)
    for name in ("bert", "dora"):
        found = seen.found("deep/zoe", name)
        assert (found.judgement.verdict, found.earlier) == (Verdict.CONFIRMED, None)


def test_the_verdicts_of_one_are_not_those_of_another_that_becomes_like_it(folder):
    state = judged_state(Seen(folder), ("anna", "bert"))
    (folder / "anna.txt").write_text(text_of("cleo"))
    seen = Seen(folder, state)
    assert seen.found("cleo", "bert").judgement.verdict is Verdict.NOT_REVIEWED


def test_what_is_new_is_told_until_it_was_seen(folder):
    first = Seen(folder)
    assert first.judgements.news is None
    assert first.news() == {}
    (folder / "anna.txt").write_text(text_of("anna").replace("common7 ", "edited7 "))
    (folder / "dora.txt").write_text(text_of("dora"))
    shutil.copy(folder / "cleo.txt", folder / "emil.txt")
    (folder / "bert.txt").unlink()
    second = Seen(folder, first.state)
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
    assert second.judgements.news == (entry.time, 2, 1, 0, 1, 0, 0)
    # Another rescan that finds something adds to it.
    (folder / "fritz.txt").write_text(text_of("fritz"))
    third = Seen(folder, second.state)
    assert third.judgements.news == (entry.time, 3, 1, 0, 1, 0, 0)
    assert third.news().items() > second.news().items()
    seen, inverse = mark_seen(third.judgements)
    state = decide(third.state, seen, inverse)
    assert state.judgements.news is None
    assert third.news(state.judgements) == {}
    assert judged(state.judgements, [undo(state.log)]).news == third.judgements.news
    fourth = Seen(folder, state)
    assert fourth.state.log == state.log
    (folder / "bert.txt").write_text(text_of("bert"))
    fifth = Seen(folder, state)
    assert fifth.judgements.news[1:] == (0, 0, 0, 0, 0, 1)
    assert fifth.news() == {}


def test_with_other_settings_nothing_is_new(folder):
    first = Seen(folder)
    second = Seen(folder, first.state, ScanSettings(k=3))
    assert second.state.log == ()


GOOD = {
    "came": ["a"],
    "copies": [],
    "edited": [["b", "c", 0.5]],
    "files": dict.fromkeys(("added", "changed", "moved", "gone", "not_read", "back"), 1),
}


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("rescan", {**GOOD, "came": [5]}),
        ("rescan", {**GOOD, "came": ["a" * 65]}),
        ("rescan", {**GOOD, "copies": 5}),
        ("rescan", {**GOOD, "edited": [["a", "b"]]}),
        ("rescan", {**GOOD, "edited": [["a", "b", 2]]}),
        ("rescan", {**GOOD, "edited": [["a", "b", float("nan")]]}),
        ("rescan", {**GOOD, "edited": [["a", "b", "c"]]}),
        ("rescan", {**GOOD, "edited": [["a", 5, 0.5]]}),
        ("rescan", {**GOOD, "files": {}}),
        ("rescan", {**GOOD, "files": {**GOOD["files"], "gone": -1}}),
        ("rescan", {**GOOD, "files": {**GOOD["files"], "gone": True}}),
        ("rescan", {}),
        ("seen", {}),
        ("seen", {"rescans": -1}),
        ("seen", {"rescans": "1"}),
    ],
)
def test_an_entry_that_cannot_be_so_is_not_saved(folder, kind, data):
    path = folder.parent / "a.neardup"
    save_review(path, Seen(folder).state)
    ReviewLog(path).append(Command("rescan", GOOD), None)
    ReviewLog(path).append(Command("seen", {"rescans": 2**62}), None)
    with open_review(path) as review:
        assert review.state.judgements.seen == 1
    with pytest.raises(ReviewError, match="could not be saved"):
        ReviewLog(path).append(Command(kind, data), None)
    with open_review(path) as review:
        assert len(review.state.decided.log) == 2
