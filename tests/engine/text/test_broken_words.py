"""Words that line ends divide, in texts that are wrapped by hand or by programs."""

import random
import textwrap

import pytest

from core.scan.in_memory import find_pairs
from core.settings import ScanSettings
from core.text.shingling import shingle, tokenise

WORDS = ScanSettings(k=1)


def words_of(text, settings=WORDS):
    """The words as they count, spelled with what stands between."""
    found = tokenise(text, settings)
    return [text[start:end] for start, end in zip(found.starts, found.ends, strict=True)]


def values(text, **changes):
    return tokenise(text, WORDS.with_changes(**changes)).values.tolist()


def test_a_broken_word_is_whole_where_the_text_has_it_whole():
    broken = "an exam-\nple and another example"

    assert values(broken) == values("an example and another example")
    assert words_of(broken) == ["an", "exam-\nple", "and", "another", "example"]


@pytest.mark.parametrize("wrapped", ["exam-\n    ple", "exam-\n\tple", "exam\u2010\nple"])
def test_indentation_and_other_hyphens(wrapped):
    assert values(f"{wrapped} for Example") == values("example for Example")


def test_a_soft_hyphen_at_the_end_of_a_line_always_divides_one_word():
    assert values("ein Bei\u00ad\nspiel") == values("ein Beispiel")
    assert values("un œu\u00ad\nvre") == values("un œuvre")


@pytest.mark.parametrize(
    "text",
    [
        "a well-\nknown word",
        "a well-\nknown word, well known and well-known",
        "a re-\ncover of the recover and re-cover",
        "the Anglo-\nSaxon Anglosaxon",
        "a state-of-\nthe-art offering; ofthe",
        "pages 3-\n4 and 34",
        "one -\ntwo onetwo",
        "exam-\n\nple example",
        "漢-\nab 漢ab",
        "x-\n",
        "-\nple ple",
    ],
)
def test_other_hyphens_stay(text):
    assert values(text) == values(text.replace("-", " - "))


def typeset(paragraph, width, rng):
    """Lines as a typesetter breaks them, in the middle of long words."""
    lines, line = [], ""
    for word in paragraph.split():
        room = width - len(line) - 1
        if len(line) + 1 + len(word) <= width:
            line = f"{line} {word}".strip()
        elif len(word) > 6 and room > 5 and rng.random() < 0.8:
            cut = min(room - 1, len(word) - 3)
            lines.append(f"{line} {word[:cut]}-")
            line = word[cut:]
        else:
            lines.append(line)
            line = word
    return "\n".join([*lines, line])


def invented(rng, count):
    syllables = ["ba", "ko", "ri", "tan", "mel", "sur", "ven", "dol", "fi", "gre"]
    return ["".join(rng.choices(syllables, k=rng.randrange(1, 5))) for _ in range(count)]


def test_a_typeset_text_is_like_the_same_text_in_long_lines():
    rng = random.Random(1)
    vocabulary = invented(rng, 300)
    plain = " ".join(rng.choices(vocabulary, k=1500))
    broken = typeset(plain, 50, rng)
    assert broken.count("-\n") > 35

    [resemblance] = find_pairs([plain, broken], ScanSettings(min_resemblance=0)).resemblance

    assert resemblance > 0.95


def test_programs_that_wrap_join_nothing():
    rng = random.Random(2)
    vocabulary = invented(rng, 400)
    compounds = [
        f"{one}-{other}" for one, other in zip(vocabulary[::2], vocabulary[1::2], strict=True)
    ]
    plain = " ".join(rng.choices(vocabulary + 2 * compounds, k=2500))
    wrapped = textwrap.fill(plain, 60)
    assert wrapped.count("-\n") > 40

    assert values(wrapped) == values(plain)


def test_batches_and_single_texts_agree():
    texts = ["an exam-\nple, an example", "plain", "größ-\nte und größte", "well-\nknown"]
    settings = ScanSettings(k=2)

    together = shingle(texts, settings)

    for number, text in enumerate(texts):
        alone = shingle([text], settings)
        part = slice(together.offsets[number], together.offsets[number + 1])
        assert together.hashes[part].tolist() == alone.hashes.tolist()
        assert together.units[number] == len(tokenise(text, settings).values)


def test_characters_go_on_over_the_break_too():
    changes = {"unit": "char", "k": 3}
    assert values("an exam-\nple or example", **changes) == values(
        "an example or example", **changes
    )
