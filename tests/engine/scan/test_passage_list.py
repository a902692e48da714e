"""The list of passages: what documents share and what was judged, in one order."""

import random

import pytest

from core.aside.rules import AsideRules, Phrase
from core.scan.flow import scan
from core.scan.judgements import PassageJudgement, PassageMeaning
from core.scan.passage_list import find_judged, list_passages
from core.settings import ScanSettings
from core.text.identity import text_hashes
from core.text.set_aside import Reason

rng = random.Random(3)
COVER, QUOTED, GONE = (
    " ".join(f"{name}{rng.randrange(400)}" for _ in range(50)) for name in ("c", "q", "g")
)


def judged_as(meaning, *texts):
    return {text_hashes([text])[0]: PassageJudgement(meaning, text, "Ann", "") for text in texts}


@pytest.fixture
def found(tmp_path, pool):
    own = random.Random(4)
    for number in range(6):
        words = " ".join(f"w{own.randrange(9000)}" for _ in range(40))
        parts = [COVER if number < 4 else "", words, QUOTED if number in {3, 5} else ""]
        (tmp_path / f"{number}.txt").write_text(" ".join(parts), encoding="utf-8")
    return scan([tmp_path], ScanSettings(), pool=pool)


def rows_of(listed):
    columns = (listed.documents.tolist(), listed.words.tolist(), listed.keys)
    return list(zip(*columns, strict=True))


def test_what_is_set_aside_stays_in_the_list(found):
    cover, quoted = text_hashes([COVER, QUOTED])
    before = list_passages(found, found.settings, {})
    assert rows_of(before) == [(4, 50, cover), (2, 50, quoted)]

    aside = found.with_rules(AsideRules(phrases=(Phrase(COVER.upper(), Reason.STANDARD),)))
    judged = judged_as(PassageMeaning.STANDARD, COVER.upper(), GONE)
    after = list_passages(aside, aside.settings, judged)

    assert rows_of(after) == [(4, 50, cover), (2, 50, quoted), (0, 50, text_hashes([GONE])[0])]
    for row, number in ((0, 2), (1, 5)):
        assert before.holders(row) == after.holders(row)
        assert before.spans_in(row, number) == after.spans_in(row, number)
        ((start, end),) = after.spans_in(row, number)
        assert aside.texts[number][start:end] == (COVER, QUOTED)[row]
    assert after.holders(2) == []
    assert [after.text_of(row) for row in range(3)] == [COVER.upper(), QUOTED, GONE]
    assert before.beginnings[0] == COVER


def test_a_passage_that_is_found_is_there_once_when_it_is_judged(found):
    listed = list_passages(found, found.settings, judged_as(PassageMeaning.COPIED, QUOTED))

    assert listed.documents.tolist() == [4, 2]


def test_judged_passages_say_their_documents(found):
    one, other = find_judged(found, judged_as(PassageMeaning.COPIED, QUOTED, COVER))

    assert list(one.places) == [0, 1, 2, 3]
    assert list(other.places) == [3, 5]
    assert find_judged(found, {}) == []
