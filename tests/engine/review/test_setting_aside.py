"""What is set aside stays in the review: rules and spans, saved, decided, undone, damaged."""

import random
import sqlite3
from contextlib import closing

import pytest

from core.aside.rules import NO_RULES, AsideRules, Phrase
from core.errors import ReviewError
from core.review import ReviewLog, decisions, open_review, save_review
from core.review.decisions import carried_out, decide
from core.review.passages import set_aside
from core.scan.flow import scan
from core.scan.history import Command, entry_after
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.text.set_aside import Reason

COVER = "this is my own work and nobody helped me with any of it at all"
RULES = AsideRules(phrases=(Phrase(COVER),))
SETTINGS = ScanSettings(k=3)


@pytest.fixture
def folder(tmp_path):
    rng, folder = random.Random(1), tmp_path / "essays"
    folder.mkdir()
    for number in range(8):
        own = " ".join(f"w{rng.randrange(400)}" for _ in range(60))
        (folder / f"{number}.txt").write_text(f"{COVER.title()}.\n\n{own}", encoding="utf-8")
    return folder


@pytest.fixture
def state(folder):
    done = scan([folder], SETTINGS)
    assert len(done.list_pairs().pairs.a)
    done.close()
    return done.state


def pairs_of(state):
    found = Scan.restored(state)
    pairs = found.pairs()
    found.close()
    return [
        tuple(row)
        for row in zip(pairs.a.tolist(), pairs.b.tolist(), pairs.resemblance, strict=True)
    ]


def same(one, other):
    assert one.rules == other.rules
    assert {n: tuple(spans) for n, spans in one.set_aside.items()} == {
        n: tuple(spans) for n, spans in other.set_aside.items()
    }
    assert pairs_of(one) == pairs_of(other)


def test_a_review_keeps_spans_and_rules(tmp_path, state):
    path = tmp_path / "some.neardup"
    aside = decide(state, *set_aside(NO_RULES, RULES))
    assert all(spans[0].reason is Reason.SELECTION for spans in aside.set_aside.values())
    assert len(aside.set_aside) == 8
    assert not pairs_of(aside)
    save_review(path, aside)
    with open_review(path, verify=True) as review:
        assert review.notes == ()
        same(review.state, aside)
        save_review(path, review.state)
    with open_review(path) as review:
        same(review.state, aside)
        back = decisions.undo(review.state.log)
        again = decisions.decided(review.state, [back])
        same(again, state)
        save_review(path, again)
    with open_review(path, verify=True) as review:
        same(review.state, state)


def test_what_the_log_says_is_carried_out_once_it_is_opened(tmp_path, state):
    path = tmp_path / "some.neardup"
    save_review(path, state)
    log = ReviewLog(path)
    log.append(*set_aside(NO_RULES, RULES))
    with open_review(path) as review:
        same(review.state, decide(state, *set_aside(NO_RULES, RULES)))
    log.undo()
    with open_review(path) as review:
        same(review.state, state)
    log.redo()
    with open_review(path) as review:
        assert review.state.rules == RULES


def test_many_changes_are_found_and_signed_once(monkeypatch, state):
    from core.review import draft

    asked = []
    original = draft.with_rules
    monkeypatch.setattr(
        draft, "with_rules", lambda *given, **how: asked.append(given) or original(*given, **how)
    )
    entries, rules = [], NO_RULES
    for number in range(200):
        changed = rules.with_phrases([Phrase(f"w{number} w{number + 1}")])
        entries.append(entry_after(entries, *set_aside(rules, changed)))
        rules = changed
    assert carried_out(state, entries).rules == rules
    assert len(asked) == 1


def test_only_what_changes_is_in_the_log():
    before = RULES.with_changes(quotations=True)
    command, inverse = set_aside(before, before.with_phrases([Phrase("more")]))
    assert command.data == {"rules": {}, "less": [], "more": [["more", "selection"]]}
    assert inverse.data == {"rules": {}, "less": [["more", "selection"]], "more": []}


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"rules": {}, "less": []},
        {"rules": {"common": -1}, "less": [], "more": []},
        {"rules": {"quotations": "yes"}, "less": [], "more": []},
        {"rules": {"phrases": []}, "less": [], "more": []},
        {"rules": {}, "less": [], "more": [[]]},
    ],
)
def test_a_command_that_cannot_be_is_refused(tmp_path, state, data):
    path = tmp_path / "some.neardup"
    save_review(path, state)
    ReviewLog(path).append(Command("set aside", data), None)
    with pytest.raises(ReviewError):
        open_review(path)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE aside SET data = x'00'",
        "UPDATE aside SET checksum = checksum + 1 WHERE id = 0",
        "UPDATE aside SET size = size + 1 WHERE id = 1",
        "DELETE FROM aside WHERE id = 2",
        "UPDATE aside SET id = 99 WHERE id = 2",
    ],
)
def test_damage_is_found(tmp_path, state, damage):
    path = tmp_path / "some.neardup"
    save_review(path, decide(state, *set_aside(NO_RULES, RULES)))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(damage)
        connection.commit()
    with pytest.raises(ReviewError, match="damaged"):
        open_review(path)


def test_a_rescan_applies_the_rules_to_what_came_and_changed(folder, state):
    aside = decide(state, *set_aside(NO_RULES, RULES))
    (folder / "8.txt").write_text(f"A new one: {COVER}", encoding="utf-8")
    (folder / "3.txt").write_text(f"an edited text which says {COVER} too", encoding="utf-8")
    (folder / "4.txt").write_text("an edited text that says it no more", encoding="utf-8")
    again = scan([folder], SETTINGS, previous=aside)
    texts = {one.path.name: again.texts[n] for n, one in enumerate(again.documents)}
    held = {
        again.documents[n].path.name: [again.texts[n][one.start : one.end].lower() for one in spans]
        for n, spans in again.set_aside.items()
    }
    assert again.decided.rules == RULES
    assert set(held) == set(texts) - {"4.txt"}
    assert all(spans == [COVER] for spans in held.values())
    again.close()


def test_a_review_with_other_signatures_is_signed_without_it(tmp_path, state, monkeypatch):
    from core.review import stored_scan

    path = tmp_path / "some.neardup"
    aside = decide(state, *set_aside(NO_RULES, RULES))
    save_review(path, aside)
    monkeypatch.setattr(stored_scan, "SIGNING", 99)
    with open_review(path) as review:
        assert review.notes
        same(review.state, aside)
