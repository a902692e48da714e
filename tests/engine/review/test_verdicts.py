"""Verdicts and notes in the log: who judged which pairs how and when, and undoing it."""

import shutil
import sqlite3
from contextlib import closing
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.model import PairKey
from core.errors import ReviewError
from core.review import decisions, open_review, save_review
from core.review.decisions import StoredData, judged
from core.review.verdicts import MOST_OF_NOTE, draw_check, judge, list_pairs, write_note
from core.scan.flow import scan
from core.scan.history import Command, HistoryEntry, entry_after
from core.scan.judgements import NO_CHECK, VERDICTS, Judgement, Judgements, RandomCheck, Verdict
from core.settings import ScanSettings
from tests.reviews import ReviewLog, redo, undo

RANDOM_CHECK_PAIRS = [PairKey.between(f"{index:032x}", f"{index + 1:032x}") for index in range(100)]


def after(judgements, command):
    return judged(judgements, [entry_after((), command, None)])


def test_another_check_takes_the_place_of_the_first_and_gives_it_back():
    command, inverse = draw_check(Judgements(), RANDOM_CHECK_PAIRS[:30], 70)
    first = after(Judgements(), command)
    assert first.check == RandomCheck(tuple(RANDOM_CHECK_PAIRS[:30]), 70)
    assert after(first, inverse).check == NO_CHECK
    command, inverse = draw_check(first, RANDOM_CHECK_PAIRS[30:60], 40)
    second = after(first, command)
    assert second.check != first.check
    assert after(second, inverse).check == first.check


def test_pairs_that_are_listed_besides_are_known_until_that_is_undone():
    first = after(Judgements(), list_pairs(RANDOM_CHECK_PAIRS[:2])[0])
    command, inverse = list_pairs(RANDOM_CHECK_PAIRS[2:4])
    second = after(first, command)
    assert second.added == {*RANDOM_CHECK_PAIRS[:4]}
    assert after(second, inverse).added == first.added == {*RANDOM_CHECK_PAIRS[:2]}


X, Y, Z = (PairKey(text, "t") for text in "abc")
NOTHING = Judgements()


def judgement(judgements, key=X):
    return judgements.judgement_of(key).judgement


def entries_of(*commands, who="Ann"):
    entries, judgements = (), NOTHING
    for make in commands:
        entry = entry_after(entries, *make(judgements), who=who)
        entries = (*entries, entry)
        judgements = judged(judgements, [entry])
    return entries, judgements


def test_a_verdict_says_who_and_when():
    (entry,), judgements = entries_of(lambda now: judge(now, [X, Y, X], Verdict.SUSPICIOUS))
    assert judgement(judgements) == Judgement(Verdict.SUSPICIOUS, "", "Ann", entry.time)
    assert judgement(judgements, Y) == judgement(judgements)
    assert judgement(judgements, Z) == Judgement()
    assert decisions.is_light(entry.command)


def test_a_note_is_beside_the_verdict():
    note = "“Ça” \U0001f600 \u202e עברית\r\nline\rthird\t" + "n" * 4000
    entries, judgements = entries_of(
        lambda now: write_note(now, [X], note), lambda now: judge(now, [X], Verdict.CONFIRMED)
    )
    kept = note.replace("\r\n", "\n").replace("\r", "\n")
    assert judgement(judgements) == Judgement(Verdict.CONFIRMED, kept, "Ann", entries[1].time)
    with pytest.raises(
        ValueError, match=r"A note can have at most 100,000 characters; this one has 100,001\."
    ):
        write_note(NOTHING, [X], "x" * (MOST_OF_NOTE + 1))
    _, judgements = entries_of(lambda now: write_note(now, [X], "a\0b\ud800c"))
    assert judgement(judgements).note == "a\ufffdb\ufffdc"


PAIRS = st.lists(st.sampled_from([X, Y, Z]), min_size=1, max_size=3)
STEPS = st.lists(
    st.sampled_from(["undo", "redo"])
    | st.tuples(PAIRS, st.sampled_from(VERDICTS))
    | st.tuples(PAIRS, st.sampled_from(["", "one", "two"])),
    max_size=15,
)


@settings(max_examples=200, derandomize=True)
@given(STEPS)
def test_any_sequence_is_what_it_comes_to(steps):
    """Undoing restores exactly; redoing too, but for the time."""
    entries, now = (), NOTHING
    past, future = [], []
    for step in steps:
        if step == "undo":
            entry = undo(entries, "Ann")
            assert (entry is None) == (not past)
            if past:
                future.append(now)
        elif step == "redo":
            entry = redo(entries, "Ann")
            assert (entry is None) == (not future)
            if future:
                past.append(now)
        else:
            keys, value = step
            make = judge if isinstance(value, Verdict) else write_note
            entry = entry_after(entries, *make(now, keys, value), who="Ann")
            past.append(now)
            future.clear()
        if entry is None:
            continue
        entries, now = (*entries, entry), judged(now, [entry])
        if step == "undo":
            assert now == past.pop()
        elif step == "redo":
            expected = future.pop()
            assert [judgement(now, key)[:2] for key in (X, Y, Z)] == [
                judgement(expected, key)[:2] for key in (X, Y, Z)
            ]
    assert judged(NOTHING, entries) == now


@pytest.fixture(scope="module")
def scanned_review(tmp_path_factory):
    folder = tmp_path_factory.mktemp("documents")
    words = [
        "one", "two", "three", "four", "five", "six",
        "seven", "eight", "nine", "ten", "eleven", "twelve",
    ]  # fmt: skip
    for number in range(3):
        text = " ".join(words * 3 + [str(number), *words[number:]])
        (folder / f"{number}.txt").write_text(text)
    path = folder.with_suffix(".neardup")
    with closing(scan([folder], ScanSettings())) as result:
        save_review(path, result.state)
    return path


@pytest.fixture
def review(scanned_review, path):
    """A copy for each test: its documents are those of all."""
    return shutil.copy(scanned_review, path)


def state_of(path):
    with open_review(path) as opened:
        assert opened.notes == ()
        return opened.state


def keys_of(state):
    a, b, c = state.documents
    return PairKey.of(a, b), PairKey.of(a, c), PairKey.of(b, c)


def test_verdicts_are_in_the_review_and_stay_over_saves_of_the_scan(review):
    before = state_of(review)
    first, second, third = keys_of(before)
    log = ReviewLog(review, before.log)
    log.append(*judge(before.judgements, [first, second], Verdict.CONFIRMED), who="Ann")
    state = state_of(review)
    assert judgement(state.judgements, first).who == "Ann"
    save_review(review, state)  # the log is contained in the documents now
    log.append(*write_note(state.judgements, [third], "look"))
    save_review(review, before)  # a scan that knows nothing of it
    state = state_of(review)
    assert judgement(state.judgements, second).verdict is Verdict.CONFIRMED
    assert judgement(state.judgements, third).note == "look"
    assert state.judgements == judged(NOTHING, state.log)


def test_a_rescan_keeps_what_is_judged(review):
    with open_review(review) as opened:
        key = keys_of(opened.state)[0]
        state = decisions.decide(opened.state, *judge(NOTHING, [key], Verdict.SUSPICIOUS))
        for settings in (state.settings, ScanSettings(k=3)):
            with closing(scan(state.folders, settings, previous=state)) as again:
                assert judgement(again.state.judgements, key).verdict is Verdict.SUSPICIOUS
                assert again.state.log == state.log


def test_several_decisions_are_one_transaction(review):
    state = state_of(review)
    keys = keys_of(state)
    log = ReviewLog(review, state.log)
    entries = []
    for key in keys:
        entries.append(entry_after(entries, *judge(NOTHING, [key], Verdict.CONFIRMED), who="Ann"))
    entries.append(undo(entries, "Ann"))
    # Another program was quicker.
    ReviewLog(review).append(*write_note(NOTHING, [keys[0]], "mine"), who="Bob")
    appended = log.extend(entries)
    assert [entry.id for entry in appended.entries] == [1, 2, 3, 4, 5]
    assert [entry.reverses for entry in appended.entries] == [0, 0, 0, 0, 4]
    state = state_of(review)
    assert state.log == log.entries == appended.entries
    assert [judgement(state.judgements, key).verdict for key in keys] == [
        Verdict.CONFIRMED, Verdict.CONFIRMED, Verdict.NOT_REVIEWED,
    ]  # fmt: skip
    assert log.extend([]).entries == ()


GOOD = {"texts": ["a", "b"], "said": [{"is": "confirmed", "pairs": [0, 1]}]}
BAD = [
    {},
    {"texts": "ab"},
    {**GOOD, "texts": ["a", 5]},
    {**GOOD, "texts": ["a", "b" * 65]},
    {**GOOD, "texts": ["a"]},
    {**GOOD, "texts": 5},
    {**GOOD, "said": 5},
    {**GOOD, "said": [5]},
    {**GOOD, "said": [{"pairs": [0, 1]}]},
    {**GOOD, "said": [{"is": "confirmed"}]},
    {**GOOD, "said": [{"is": 5, "pairs": [0, 1]}]},
    {**GOOD, "said": [{"is": "confirmed", "pairs": [0]}]},
    {**GOOD, "said": [{"is": "confirmed", "pairs": [0, -1]}]},
    {**GOOD, "said": [{"is": "confirmed", "pairs": [0, 1.0]}]},
    {**GOOD, "said": [{"is": "confirmed", "pairs": [0, True]}]},
    {**GOOD, "said": [{"is": "confirmed", "pairs": 5}]},
    {**GOOD, "said": [{"is": "confirmed", "pairs": [0, 1], "who": 5}]},
    {**GOOD, "said": [{"is": "confirmed", "pairs": [0, 1], "time": 5}]},
    {**GOOD, "said": [{"is": "confirmed", "pairs": [0, 1], "time": "\n"}]},
    {**GOOD, "said": [{"is": "confirmed", "pairs": [0, 1], "time": "1" * 65}]},
]
FILES = dict.fromkeys(("added", "changed", "moved", "gone", "not_read", "back"), 1)
RESCAN = {"came": ["a"], "copies": [], "edited": [["b", "c", 0.5]], "files": FILES}
BY_KIND = {
    "judge": [*BAD, {**GOOD, "said": [{"is": "guilty", "pairs": [0, 1]}]}],
    "note": [*BAD, {**GOOD, "said": [{"is": "x" * (MOST_OF_NOTE + 1), "pairs": [0, 1]}]}],
    "centre": [
        {},
        {"group": "a"},
        {"group": ["a"], "centre": "b"},
        {"group": "", "centre": "b"},
        {"group": "a", "centre": 7},
        {"group": "a", "centre": "b" * 65},
    ],
    "language": [
        {"said": None},
        {"said": [{}]},
        {"said": [{"is": "de"}]},
        {"said": [{"is": "German", "texts": ["a"]}]},
        {"said": [{"is": "<b>", "texts": ["a"]}]},
        {"said": [{"is": 7, "texts": ["a"]}]},
        {"said": [{"is": "de", "texts": ["a" * 65]}]},
        {"said": [{"is": "de", "texts": [7]}]},
        {"said": [{"is": None, "texts": [""]}]},
    ],
    "random check": [
        {},
        {"texts": ["a"], "pairs": [0], "rest": 1},
        {"texts": ["a"], "pairs": [0, 1], "rest": 1},
        {"texts": ["a"], "pairs": [0, 0], "rest": -1},
        {"texts": ["a"], "pairs": [0, 0], "rest": "9"},
        {"texts": ["a" * 1000], "pairs": [0, 0], "rest": 1},
        {"texts": [1], "pairs": [0, 0], "rest": 1},
    ],
    "list pairs": [
        {"texts": ["a"], "pairs": [0, 0]},
        {"texts": ["a"], "pairs": [0, 0], "listed": 1},
        {"texts": ["a"], "pairs": [0, 1], "listed": True},
    ],
    "judge passage": [
        {},
        {"text": "a"},
        {"text": "", "is": "copied"},
        {"text": 7, "is": "copied"},
        {"text": "a", "is": "stolen"},
        {"text": "a", "is": "copied", "time": "\n"},
        {"text": "a", "is": "copied", "judge": {"texts": [7], "said": []}},
    ],
    "rescan": [
        {},
        {**RESCAN, "came": [5]},
        {**RESCAN, "came": ["a" * 65]},
        {**RESCAN, "copies": 5},
        {**RESCAN, "edited": [["a", "b"]]},
        {**RESCAN, "edited": [["a", "b", 2]]},
        {**RESCAN, "edited": [["a", "b", float("nan")]]},
        {**RESCAN, "edited": [["a", "b", "c"]]},
        {**RESCAN, "edited": [["a", 5, 0.5]]},
        {**RESCAN, "files": {}},
        {**RESCAN, "files": {**FILES, "gone": -1}},
        {**RESCAN, "files": {**FILES, "gone": True}},
    ],
    "seen": [{}, {"rescans": -1}, {"rescans": "1"}],
}
OF_SCANS = {  # read with what they change, when the review is opened
    "set aside": [
        {},
        {"rules": {}, "less": []},
        {"rules": {"common": -1}, "less": [], "more": []},
        {"rules": {"quotations": "yes"}, "less": [], "more": []},
        {"rules": {"phrases": []}, "less": [], "more": []},
        {"rules": {}, "less": [], "more": [[]]},
    ],
    "role": [
        {"folder": "/a", "role": "jury"},
        {"folder": "/a"},
        {"folder": 1, "role": "reference"},
        {"folder": "", "role": "reference"},
    ],
    "take folder off": [
        {"folder": "/a", "role": "reference", "since": "yesterday"},
        {"folder": "/a", "since": "2026-11-22", "documents": 1},
    ],
    "put folder back": [{"folder": "/a", "role": "reference", "position": "x"}],
}


@pytest.mark.parametrize(
    ("kind", "data"),
    [(kind, entry) for table in (BY_KIND, OF_SCANS) for kind in table for entry in table[kind]],
)
def test_impossible_decisions_are_refused(review, kind, data, monkeypatch):
    before = review.read_bytes()
    if kind in BY_KIND:
        with pytest.raises(ReviewError, match="could not be opened again"):
            ReviewLog(review).append(Command(kind, data), None)
    assert review.read_bytes() == before
    monkeypatch.setattr("core.review.log._require_readable", lambda *_: None)
    ReviewLog(review).append(Command(kind, data), None)
    with pytest.raises(ReviewError, match="damaged"):
        open_review(review)


def test_who_and_notes_of_strangers_are_made_harmless():
    data = {
        "texts": ["b", "a"],
        "said": [{"is": "a\0\ud800\r", "pairs": [0, 1], "who": "\x1b[31m" + "x" * 300}],
    }
    entry = HistoryEntry(1, 0, "t", "Ann", Command("note", data), None)
    judgement_shown = judgement(judged(NOTHING, [entry]), PairKey("a", "b"))
    assert judgement_shown.note == "a\ufffd\ufffd\n"
    assert judgement_shown.who.startswith("\\x1b[31m")
    assert len(judgement_shown.who) < 250


def test_a_damaged_entry_leaves_the_file_untouched(review):
    ReviewLog(review).append(*judge(NOTHING, [X], Verdict.CONFIRMED))
    with closing(sqlite3.connect(review)) as connection:
        connection.execute("UPDATE log SET command = ?", (b'{"kind":"judge"}',))
        connection.commit()
    before = review.read_bytes()
    with pytest.raises(ReviewError, match="damaged"):
        open_review(review)
    with pytest.raises(ReviewError, match="damaged"):
        ReviewLog(review).append(*judge(NOTHING, [X], Verdict.CONFIRMED))
    assert review.read_bytes() == before


def test_what_was_never_looked_at_cannot_be_undone_where_it_makes_no_sense(review):
    """The inverse of an entry is read only when it is needed."""
    bad = Command("judge", {"texts": 5})
    ReviewLog(review).append(judge(NOTHING, [X], Verdict.CONFIRMED)[0], bad)
    state = state_of(review)
    assert undo(state.log) is None
    assert ReviewLog(review, state.log).undo().entries == ()
    data = b'{"kind":"judge",nothing'
    entry = state.log[0]._replace(inverse=Command("judge", StoredData(data)))
    assert undo([entry]) is None


def test_stored_data_is_as_what_was_stored(review):
    note = write_note(NOTHING, [X, Y], "ä\ud83d\ude00")
    log = ReviewLog(review)
    log.append(*note)
    (entry,) = state_of(review).log
    assert isinstance(entry.command.data, StoredData)
    assert (entry.command, entry.inverse) == note
    assert dict(entry.command.data) == dict(note[0].data)
    assert len(entry.command.data) == 2
    assert entry.command != note[1]
    with pytest.raises(TypeError):
        hash(entry.command)
    data = b'{"kind": "x", "a": 1}'
    assert StoredData(data) == {"a": 1}
    assert StoredData(data) == StoredData(b'{"kind":"x","a":1}')
    assert StoredData(data) != 5
    copy = review.with_name("b.neardup")
    with open_review(review) as opened:
        save_review(copy, opened.state)
    assert state_of(copy).log == log.entries


def test_a_clock_that_jumps_back_changes_no_order(review, monkeypatch):
    """The later entry counts, whatever time it says."""
    from core.scan import history

    class Clock:
        now_is = 2030

        def now(self, zone):
            Clock.now_is -= 10
            return datetime(Clock.now_is, 1, 1, tzinfo=zone)

    monkeypatch.setattr(history, "datetime", Clock())
    log = ReviewLog(review)
    log.append(*judge(NOTHING, [X], Verdict.CONFIRMED))
    log.append(*judge(judged(NOTHING, log.entries), [X], Verdict.SUSPICIOUS))
    assert [entry.time[:4] for entry in log.entries] == ["2020", "2010"]
    state = state_of(review)
    assert judgement(state.judgements)[:1] == (Verdict.SUSPICIOUS,)
    log.undo()
    assert judgement(state_of(review).judgements)[0] is Verdict.CONFIRMED
    assert judgement(state_of(review).judgements).time[:4] == "2020"
