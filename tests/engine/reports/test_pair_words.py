"""The sentence on what two documents share: from the numbers of a list, and with the passages."""

import re

import pytest

from core import find_pairs
from core.base.wording import counted, share
from core.evidence.pairs import NOT_MEASURED, FoundBy, PairFigures
from core.evidence.passages import find_shared_text
from core.reports.pair_words import pair_in_words
from core.settings import ScanSettings

SETTINGS = ScanSettings()
WORDS = [
    f"{first}{second}" for first in ("kopre", "lumat", "sidev") for second in "abcdefghijklmnop"
]
A = " ".join(WORDS)
OTHER = " ".join(word.upper()[::-1] for word in WORDS)


def exchanged(every: int) -> str:
    return " ".join(f"x{place}" if place % every == 4 else word for place, word in enumerate(WORDS))


def figures(*, in_a: float, in_b: float, alike: float, words: int, run: int) -> PairFigures:
    return PairFigures(0.2, 0.3, 0.3, run, 20, run, alike * (in_a + in_b) / 2, in_a, in_b, words)


@pytest.mark.parametrize(
    ("text", "of_list", "of_passages"),
    [
        (A, "A and B have the same words throughout.", "A and B have the same words throughout."),
        (f"{A} {OTHER} {OTHER}", "All of A appears in B, word for word. It makes up 33% of B.", ""),
        (
            f"{exchanged(8)} {OTHER}",
            (
                "All of A appears in B, partly reworded. It makes up 50% of B. "
                "The longest stretch that is the same has 7 words."
            ),
            "All of A appears in B, with 6 words exchanged. It makes up 50% of B.",
        ),
        (
            f"{exchanged(40)}",
            (
                "A and B share all of their text, almost word for word. "
                "The longest stretch that is the same has 39 words."
            ),
            "A and B share all of their text, with 2 words exchanged.",
        ),
    ],
    ids=["identical", "one within the other", "reworded", "almost the same"],
)
def test_two_texts_say_what_they_share(text, of_list, of_passages):
    pairs = find_pairs([A, text], SETTINGS, overlap=True)
    numbers, found_by = pairs.figures(0), int(pairs.found_by[0])
    passages = find_shared_text(A, text, SETTINGS).passages

    assert pair_in_words(numbers, found_by, "word") == of_list
    assert pair_in_words(numbers, found_by, "word", passages) == (of_passages or of_list)


def test_passages_that_changed_places_say_so():
    text = f"{' '.join(WORDS[24:])} {OTHER} {' '.join(WORDS[:24])}"
    passages = find_shared_text(A, text, SETTINGS).passages
    numbers = find_pairs([A, text], SETTINGS, overlap=True).figures(0)

    said = pair_in_words(numbers, FoundBy.LSH, "word", passages)

    assert "The text is in 2 passages, 1 of them in another order." in said


@pytest.mark.parametrize(
    ("numbers", "said", "words"),
    [
        (
            figures(in_a=0.08, in_b=0.05, alike=1, words=12, run=12),
            {"is_weak": True},
            "Only a weak trace: A and B share 12 words, too few to mean much.",
        ),
        (
            figures(in_a=0.08, in_b=0.05, alike=0.4, words=90, run=9),
            {},
            (
                "A and B share a small part of their text (8% of A, 5% of B), largely reworded. "
                "The longest stretch that is the same has 9 words."
            ),
        ),
        (
            PairFigures(0.2, 0.3, 0.3, 31, 20, 31),
            {},
            (
                "How much of A and B overlaps was not measured. "
                "The longest stretch that is the same has 31 words."
            ),
        ),
        (
            PairFigures(0.2, 0.3, 0.3, 0, 20, 0, 0.0, 0.0, 0.0, 0),
            {},
            "A and B share no passage. Only short phrases are the same.",
        ),
        (PairFigures(0, 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0), {}, "A and B share no passage."),
        (
            PairFigures(0, 0, 0, 0, 0, 0, *[NOT_MEASURED] * 4),
            {"empty": (False, True), "set_aside": True},
            "B has no words that count: its text is set aside. There is nothing to compare.",
        ),
        (
            PairFigures(0, 0, 0, 0, 0, 0, *[NOT_MEASURED] * 4),
            {"empty": (True, True)},
            "A and B have no words. There is nothing to compare.",
        ),
        (
            figures(in_a=0.999, in_b=0.95, alike=1, words=400, run=400),
            {"set_aside": True, "others": 2},
            (
                "A and B share nearly all of their text (>99% of A, 95% of B), word for word. "
                "Text set aside is not counted. 2 other documents share text with both."
            ),
        ),
    ],
    ids=["weak", "few", "not measured", "phrases", "nothing", "set aside", "empty", "others"],
)
def test_every_case_has_its_sentence(numbers, said, words):
    assert pair_in_words(numbers, 0, "word", **said) == words


@pytest.mark.parametrize("in_a", [0.01, 0.45, 0.93, 1.0])
def test_its_numbers_are_those_of_the_pair_whichever_is_called_a(in_a):
    for in_b in (0.01, 0.2, 0.7, 0.93, 1.0):
        numbers = figures(in_a=in_a, in_b=in_b, alike=0.7, words=200, run=30)
        said, turned = (pair_in_words(one, 0, "word") for one in (numbers, numbers.turned()))

        assert {share(in_a), share(in_b)} - {"100%"} <= set(re.findall(r"\d+%", said))
        assert counted(30, "word") in said
        swapped = turned.translate(str.maketrans("AB", "BA"))
        assert shares_in(swapped) == shares_in(said)


def shares_in(said: str) -> set[tuple[str, str]]:
    """The shares that a sentence tells, each with the letter of its text."""
    before = re.findall(r"(\d+%) of ([AB])", said)
    behind = [(number, letter) for letter, number in re.findall(r"of ([AB]) \((\d+%)\)", said)]
    return {*before, *behind}
