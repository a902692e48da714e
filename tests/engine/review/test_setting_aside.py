"""What is set aside stays in the review: rules and spans, saved, decided, undone, damaged."""

import random
import sqlite3
from collections import Counter
from contextlib import closing

import pytest

from core.documents.model import PairKey
from core.errors import ReviewError
from core.exclusions.rules import NO_RULES, ExclusionRules, Phrase
from core.review import decisions, open_review, save_review
from core.review.decisions import carried_out, decide, is_light, judged, rules_after
from core.review.verdicts import judge_passage, set_aside
from core.scan.exclusions import explained_by
from core.scan.flow import scan
from core.scan.history import Command, entry_after
from core.scan.judgements import Judgements, PassageMeaning, Verdict
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.text.set_aside import Reason
from tests.reviews import ReviewLog, list_of, redo, scanned_state, state_in, undo
from tests.texts import folder_with

COVER = "this is my own work and nobody helped me with any of it at all"
RULES = ExclusionRules(phrases=(Phrase(COVER),))
SETTINGS = ScanSettings(k=3)


@pytest.fixture
def folder(tmp_path):
    rng, texts = random.Random(1), {}
    for number in range(8):
        words = " ".join(f"w{rng.randrange(400)}" for _ in range(60))
        texts[f"{number}.txt"] = f"{COVER.title()}.\n\n{words}"
    return folder_with(tmp_path / "essays", texts)


@pytest.fixture
def state(folder):
    done = scan([folder], SETTINGS)
    assert len(done.list_pairs().pairs.a)
    done.close()
    return done.state


def pairs_of(state):
    pairs = list_of(state).pairs
    return [
        tuple(row)
        for row in zip(pairs.a.tolist(), pairs.b.tolist(), pairs.resemblance, strict=True)
    ]


def same(first, second):
    assert first.rules == second.rules
    assert {n: tuple(spans) for n, spans in first.set_aside.items()} == {
        n: tuple(spans) for n, spans in second.set_aside.items()
    }
    assert pairs_of(first) == pairs_of(second)


def test_a_review_keeps_spans_and_rules(tmp_path, state):
    path = tmp_path / "some.neardup"
    with_rules = decide(state, *set_aside(NO_RULES, RULES))
    assert all(spans[0].reason is Reason.SELECTION for spans in with_rules.set_aside.values())
    assert len(with_rules.set_aside) == 8
    assert not pairs_of(with_rules)
    save_review(path, with_rules)
    with open_review(path, verify=True) as review:
        assert review.notes == ()
        same(review.state, with_rules)
        save_review(path, review.state)
    with open_review(path) as review:
        same(review.state, with_rules)
        back = undo(review.state.log)
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
    assert state_in(path).rules == RULES


def test_many_changes_are_found_and_signed_once(monkeypatch, state):

    calls = []
    original = decisions.with_rules
    monkeypatch.setattr(
        decisions,
        "with_rules",
        lambda *given, **named: calls.append(given) or original(*given, **named),
    )
    entries, rules = [], NO_RULES
    for number in range(200):
        changed = rules.with_phrases([Phrase(f"w{number} w{number + 1}")])
        entries.append(entry_after(entries, *set_aside(rules, changed)))
        rules = changed
    assert carried_out(state, entries).rules == rules
    assert len(calls) == 1


def test_only_what_changes_is_in_the_log():
    before = RULES.with_changes(quotations=True)
    command, inverse = set_aside(before, before.with_phrases([Phrase("more")]))
    assert command.data == {"rules": {}, "less": [], "more": [["more", "selection"]]}
    assert inverse.data == {"rules": {}, "less": [["more", "selection"]], "more": []}


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
    with_rules = decide(state, *set_aside(NO_RULES, RULES))
    (folder / "8.txt").write_text(f"A new one: {COVER}", encoding="utf-8")
    (folder / "3.txt").write_text(f"an edited text which says {COVER} too", encoding="utf-8")
    (folder / "4.txt").write_text("an edited text that says it no more", encoding="utf-8")
    again = scan([folder], SETTINGS, previous=with_rules)
    texts = {document.path.name: again.texts[n] for n, document in enumerate(again.documents)}
    held = {
        again.documents[n].path.name: [
            again.texts[n][span.start : span.end].lower() for span in spans
        ]
        for n, spans in again.set_aside.items()
    }
    assert again.decided.rules == RULES
    assert set(held) == set(texts) - {"4.txt"}
    assert all(spans == [COVER] for spans in held.values())
    again.close()


def test_a_review_with_other_signatures_is_signed_without_it(tmp_path, state, monkeypatch):
    from core.review import documents

    path = tmp_path / "some.neardup"
    with_rules = decide(state, *set_aside(NO_RULES, RULES))
    save_review(path, with_rules)
    monkeypatch.setattr(documents, "SIGNING", 99)
    with open_review(path) as review:
        assert review.notes
        same(review.state, with_rules)


CLAUSE = " ".join(f"This is rule {number} of the form that all hand in." for number in range(5))
PAIR = PairKey("a", "b")


def entry_of(command, entries=()):
    return entry_after(entries, *command, who="Ann")


def passages_of(judgements):
    return [(passage.meaning, passage.text) for passage in judgements.passages.values()]


@pytest.fixture
def judged_state(tmp_path):
    rng, folder = random.Random(1), tmp_path / "essays"
    folder.mkdir()
    quoted = " ".join(f"q{rng.randrange(400)}" for _ in range(60))
    for number in range(5):
        words = " ".join(f"w{rng.randrange(4000)}" for _ in range(60))
        text = f"{CLAUSE}\n\n{words} {quoted if number < 2 else ''}"
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    return scanned_state([folder], SETTINGS)


def listed(judged_state):
    pairs = list_of(judged_state).pairs
    return sorted(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))


def test_a_copied_passage_confirms_pairs_at_once():
    command = judge_passage(Judgements(), NO_RULES, CLAUSE, PassageMeaning.COPIED, [PAIR])
    entry = entry_of(command)

    after = judged(Judgements(), [entry])

    assert is_light(entry.command)
    assert passages_of(after) == [("copied", CLAUSE)]
    assert after.judgement_of(PAIR).judgement.verdict is Verdict.CONFIRMED
    back = undo([entry])
    before = judged(after, [back])
    assert not before.passages
    assert before.judgement_of(PAIR).judgement.verdict is Verdict.NOT_REVIEWED
    assert judged(before, [redo([entry, back])]).verdicts.keys() == {PAIR}


def test_a_passage_is_the_same_in_other_letters_and_takes_its_phrase_with_it(judged_state):
    as_standard = decide(
        judged_state,
        *judge_passage(Judgements(), NO_RULES, CLAUSE, PassageMeaning.STANDARD),
        who="Ann",
    )
    same_clause = CLAUSE.upper().replace(" ", "\n")
    again = judge_passage(
        as_standard.judgements, as_standard.rules, same_clause, PassageMeaning.ASSIGNMENT
    )
    after = decide(as_standard, *again)

    assert after.rules == ExclusionRules(phrases=(Phrase(same_clause, Reason.ASSIGNMENT),))
    assert passages_of(after.judgements) == [("assignment text", same_clause)]
    undone = decided_by(after, undo(after.log))
    assert undone.rules == as_standard.rules
    assert undone.judgements == as_standard.judgements
    copied = judge_passage(after.judgements, after.rules, CLAUSE, PassageMeaning.COPIED)
    assert decide(after, *copied).rules == NO_RULES


def decided_by(judged_state, entry):
    return carried_out(judged_state, [entry])._replace(log=(*judged_state.log, entry))


def test_setting_a_passage_aside_changes_the_list_and_is_undone_as_one(judged_state):
    everyone = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    assert listed(judged_state) == everyone
    command = judge_passage(
        judged_state.judgements, judged_state.rules, CLAUSE, PassageMeaning.ASSIGNMENT
    )

    after = decide(judged_state, *command)

    assert not is_light(after.log[-1].command)
    assert listed(after) == [(0, 1)]
    assert passages_of(after.judgements) == [("assignment text", CLAUSE)]
    before = decided_by(after, undo(after.log))
    assert listed(before) == everyone
    assert before.rules == NO_RULES
    assert not before.judgements.passages


def test_what_was_judged_is_in_the_file_and_holds_after_a_rescan(judged_state, tmp_path):
    path = tmp_path / "essays.neardup"
    save_review(path, judged_state)
    command = judge_passage(
        judged_state.judgements, judged_state.rules, CLAUSE, PassageMeaning.STANDARD, [PAIR]
    )
    ReviewLog(path).append(*command, who="Ann")

    with open_review(path) as review:
        opened = review.state
        again = scan(judged_state.folders, SETTINGS, previous=opened)
        again.close()
        assert listed(opened) == listed(again.state) == [(0, 1)]
    for review_state in (opened, again.state):
        ((_, text),) = passages_of(review_state.judgements)
        (given,) = review_state.judgements.passages.values()
        assert (text, given.who) == (CLAUSE, "Ann")
        assert review_state.judgements.verdicts[PAIR].verdict is Verdict.CONFIRMED


def test_a_passage_explains_the_pairs_that_are_listed_for_it_alone(judged_state):
    result = Scan.restored(judged_state)
    pairs = result.list_pairs().pairs
    explained = explained_by(result, pairs, SETTINGS, CLAUSE)
    both = Counter(zip(explained.a.tolist(), explained.b.tolist(), strict=True))
    assert len(pairs) == 10
    assert both == Counter((a, b) for a in range(5) for b in range(a + 1, 5) if (a, b) != (0, 1))

    with_rules = result.with_rules(ExclusionRules(phrases=(Phrase(CLAUSE, Reason.STANDARD),)))
    again = explained_by(with_rules, with_rules.list_pairs().pairs, SETTINGS, CLAUSE)
    result.close()
    assert Counter(zip(again.a.tolist(), again.b.tolist(), strict=True)) == both


def test_a_command_without_rules_is_refused(judged_state):
    command = Command("set passage aside", {"text": CLAUSE, "is": "standard clause"})
    with pytest.raises(TypeError, match="has no rules"):
        decide(judged_state, command, None)


def test_a_passage_can_be_too_long(judged_state):
    with pytest.raises(ValueError, match="1,048,577 characters is too long"):
        judge_passage(Judgements(), NO_RULES, "a" * ((1 << 20) + 1), PassageMeaning.COPIED)


def test_rules_are_known_before_the_list_is_made(judged_state):
    absent = "another clause that stands in none of them"
    entries = []
    for text in (CLAUSE, absent):
        rules = rules_after(judged_state.rules, entries)
        command = judge_passage(Judgements(), rules, text, PassageMeaning.STANDARD)
        entries.append(entry_of(command, entries))
    lifted = set_aside(
        rules_after(judged_state.rules, entries), rules_after(judged_state.rules, entries[:1])
    )
    entries.append(entry_of(lifted, entries))

    after = [rules_after(judged_state.rules, entries[:count]) for count in range(4)]

    phrases = [Phrase(CLAUSE, Reason.STANDARD), Phrase(absent, Reason.STANDARD)]
    assert [list(rules.phrases) for rules in after] == [[], phrases[:1], phrases, phrases[:1]]
    assert after[3] == carried_out(judged_state, entries).rules
