"""What is said of a passage: in the log, with pairs and rules, undone as one, after a rescan."""

import random
from collections import Counter

import pytest

from core.aside.rules import NO_RULES, AsideRules, Phrase
from core.documents.model import PairKey
from core.review import ReviewLog, open_review, save_review
from core.review.decisions import carried_out, decide, is_light, judged, redo, rules_after, undo
from core.review.passages import judge_passage, set_aside
from core.scan.flow import scan
from core.scan.history import Command, entry_after
from core.scan.judgements import Judgements, PassageMeaning, Verdict
from core.scan.pair_text import explained_by
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.text.set_aside import Reason

COVER = " ".join(f"This is rule {number} of the form that all hand in." for number in range(5))
SETTINGS = ScanSettings(k=3)
PAIR = PairKey("a", "b")


def entry_of(command, entries=()):
    return entry_after(entries, *command, who="Ann")


def passages_of(judgements):
    return [(one.meaning, one.text) for one in judgements.passages.values()]


@pytest.fixture
def state(tmp_path):
    rng, folder = random.Random(1), tmp_path / "essays"
    folder.mkdir()
    quoted = " ".join(f"q{rng.randrange(400)}" for _ in range(60))
    for number in range(5):
        own = " ".join(f"w{rng.randrange(4000)}" for _ in range(60))
        text = f"{COVER}\n\n{own} {quoted if number < 2 else ''}"
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    done = scan([folder], SETTINGS)
    done.close()
    return done.state


def listed(state):
    found = Scan.restored(state)
    pairs = found.pairs()
    found.close()
    return sorted(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))


def test_a_copied_passage_confirms_pairs_at_once():
    command = judge_passage(Judgements(), NO_RULES, COVER, PassageMeaning.COPIED, [PAIR])
    entry = entry_of(command)

    after = judged(Judgements(), [entry])

    assert is_light(entry.command)
    assert passages_of(after) == [("copied", COVER)]
    assert after.judgement_of(PAIR).judgement.verdict is Verdict.CONFIRMED
    back = undo([entry])
    before = judged(after, [back])
    assert not before.passages
    assert before.judgement_of(PAIR).judgement.verdict is Verdict.NOT_REVIEWED
    assert judged(before, [redo([entry, back])]).verdicts.keys() == {PAIR}


def test_a_passage_is_the_same_in_other_letters_and_takes_its_phrase_with_it(state):
    aside = decide(
        state, *judge_passage(Judgements(), NO_RULES, COVER, PassageMeaning.STANDARD), who="Ann"
    )
    other = COVER.upper().replace(" ", "\n")
    again = judge_passage(aside.judgements, aside.rules, other, PassageMeaning.ASSIGNMENT)
    after = decide(aside, *again)

    assert after.rules == AsideRules(phrases=(Phrase(other, Reason.ASSIGNMENT),))
    assert passages_of(after.judgements) == [("assignment text", other)]
    undone = decided_by(after, undo(after.log))
    assert undone.rules == aside.rules
    assert undone.judgements == aside.judgements
    copied = judge_passage(after.judgements, after.rules, COVER, PassageMeaning.COPIED)
    assert decide(after, *copied).rules == NO_RULES


def decided_by(state, entry):
    return carried_out(state, [entry])._replace(log=(*state.log, entry))


def test_setting_a_passage_aside_changes_the_list_and_is_undone_as_one(state):
    everyone = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    assert listed(state) == everyone
    command = judge_passage(state.judgements, state.rules, COVER, PassageMeaning.ASSIGNMENT)

    after = decide(state, *command)

    assert not is_light(after.log[-1].command)
    assert listed(after) == [(0, 1)]
    assert passages_of(after.judgements) == [("assignment text", COVER)]
    before = decided_by(after, undo(after.log))
    assert listed(before) == everyone
    assert before.rules == NO_RULES
    assert not before.judgements.passages


def test_what_was_judged_is_in_the_file_and_holds_after_a_rescan(state, tmp_path):
    path = tmp_path / "essays.neardup"
    save_review(path, state)
    command = judge_passage(state.judgements, state.rules, COVER, PassageMeaning.STANDARD, [PAIR])
    ReviewLog(path).append(*command, who="Ann")

    with open_review(path) as review:
        opened = review.state
        again = scan(state.folders, SETTINGS, previous=opened)
        again.close()
        assert listed(opened) == listed(again.state) == [(0, 1)]
    for one in (opened, again.state):
        ((_, text),) = passages_of(one.judgements)
        (given,) = one.judgements.passages.values()
        assert (text, given.who) == (COVER, "Ann")
        assert one.judgements.verdicts[PAIR].verdict is Verdict.CONFIRMED


def test_a_passage_explains_the_pairs_that_are_listed_for_it_alone(state):
    found = Scan.restored(state)
    pairs = found.list_pairs().pairs
    explained = explained_by(found, pairs, SETTINGS, COVER)
    both = Counter(zip(explained.a.tolist(), explained.b.tolist(), strict=True))
    assert len(pairs) == 10
    assert both == Counter((a, b) for a in range(5) for b in range(a + 1, 5) if (a, b) != (0, 1))

    aside = found.with_rules(AsideRules(phrases=(Phrase(COVER, Reason.STANDARD),)))
    again = explained_by(aside, aside.list_pairs().pairs, SETTINGS, COVER)
    found.close()
    assert Counter(zip(again.a.tolist(), again.b.tolist(), strict=True)) == both


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"text": COVER},
        {"text": "", "is": "copied"},
        {"text": 7, "is": "copied"},
        {"text": COVER, "is": "stolen"},
        {"text": COVER, "is": "copied", "time": "\n"},
        {"text": COVER, "is": "copied", "judge": {"texts": [7], "said": []}},
    ],
)
def test_what_is_no_judgement_is_refused(data):
    with pytest.raises((KeyError, TypeError, ValueError)):
        judged(Judgements(), [entry_of((Command("judge passage", data), None))])


def test_a_command_without_rules_is_refused(state):
    command = Command("set passage aside", {"text": COVER, "is": "standard clause"})
    with pytest.raises(TypeError, match="has no rules"):
        decide(state, command, None)


def test_a_passage_can_be_too_long(state):
    with pytest.raises(ValueError, match="1,048,577 characters is too long"):
        judge_passage(Judgements(), NO_RULES, "a" * ((1 << 20) + 1), PassageMeaning.COPIED)


def test_rules_are_known_before_the_list_is_made(state):
    other = "another clause that stands in none of them"
    entries = []
    for text in (COVER, other):
        rules = rules_after(state.rules, entries)
        command = judge_passage(Judgements(), rules, text, PassageMeaning.STANDARD)
        entries.append(entry_of(command, entries))
    lifted = set_aside(rules_after(state.rules, entries), rules_after(state.rules, entries[:1]))
    entries.append(entry_of(lifted, entries))

    after = [rules_after(state.rules, entries[:count]) for count in range(4)]

    phrases = [Phrase(COVER, Reason.STANDARD), Phrase(other, Reason.STANDARD)]
    assert [list(one.phrases) for one in after] == [[], phrases[:1], phrases, phrases[:1]]
    assert after[3] == carried_out(state, entries).rules
