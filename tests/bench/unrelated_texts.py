"""Documents of which none was written from another, though they share what such texts share.

news        phrases of two to six words, a fourth of the text, and words of twenty topics
formulas    the same with a tenth of the phrases, more than half of the text
contracts   clauses that stand in every sixth, each time worded a little differently
forms       one form, filled in by everybody
numbers     tables of numbers
names       lists of names of one country
code        programs of the same statements about other things
poems       short lines and a refrain
repeated    one sentence, again and again
translated  a text and, in every second document, the one before it in another language, with the
            names and numbers where they stood
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from corpus import vocabulary

from core.base.arrays import Float64Array

PHRASES, FORMULAS, CLAUSES = 30_000, 3000, 60
TOPICS, TOPIC_WORDS = 20, 200
STATEMENTS = (
    "for {} in {}:",
    "    {} = {}.{}({})",
    "    if {} is None:",
    "        return {}",
    "def {}(self, {}):",
    "    {} += {}[{}]",
    "    raise ValueError({})",
    "    while {} < len({}):",
)


class Made(NamedTuple):
    """What texts are made of: the source of chance and the words, frequent ones first."""

    rng: np.random.Generator
    words: list[str]
    weights: Float64Array  # of the words, summed up

    def draw(self, count: int) -> list[str]:
        """Words of running text."""
        numbers = np.searchsorted(self.weights, self.rng.random(count) * self.weights[-1])
        return [self.words[number] for number in numbers.tolist()]


def make(kind: str, count: int, seed: int = 1) -> dict[str, str]:
    """So many documents of a kind, by name."""
    words = [str(word) for word in vocabulary()]
    weights = np.cumsum(1 / (np.arange(len(words)) + 2.7))
    made = Made(np.random.default_rng(seed), words, weights)
    return {f"{kind}-{number:05}.txt": text for number, text in enumerate(KINDS[kind](made, count))}


def _sentences(made: Made, words: list[str]) -> str:
    """Running text with a full stop after every 8 to 25 words."""
    sentences, at = [], 0
    while at < len(words):
        end = at + int(made.rng.integers(8, 26))
        sentences.append(" ".join(words[at:end]).capitalize() + ".")
        at = end
    return " ".join(sentences)


def _news(made: Made, count: int) -> list[str]:
    return _with_phrases(made, count, PHRASES, 9)


def _formulas(made: Made, count: int) -> list[str]:
    return _with_phrases(made, count, FORMULAS, 1)


def _with_phrases(made: Made, count: int, number: int, between: int) -> list[str]:
    """Texts of phrases, each followed by two words of the topic and some others."""
    phrases = [made.draw(int(length)) for length in made.rng.integers(2, 7, number)]
    topics = made.rng.integers(100, len(made.words), (TOPICS, TOPIC_WORDS)).tolist()
    frequent = np.cumsum(1 / (np.arange(number) + 10))
    texts = []
    for _ in range(count):
        topic = topics[int(made.rng.integers(TOPICS))]
        words: list[str] = []
        length = int(made.rng.integers(40, 120) * 7 / (6 + between))
        chosen = np.searchsorted(frequent, made.rng.random(length) * frequent[-1]).tolist()
        of_topic, further = made.rng.choice(topic, 2 * length).tolist(), made.draw(between * length)
        for index, phrase in enumerate(chosen):
            words_of_topic = (made.words[number] for number in of_topic[2 * index : 2 * index + 2])
            words += [
                *phrases[phrase],
                *words_of_topic,
                *further[between * index : between * (index + 1)],
            ]
        texts.append(_sentences(made, words))
    return texts


def _contracts(made: Made, count: int) -> list[str]:
    clauses = [made.draw(int(length)) for length in made.rng.integers(40, 90, CLAUSES)]
    texts = []
    for _ in range(count):
        parts = []
        for number in made.rng.choice(CLAUSES, 10, replace=False).tolist():
            clause = list(clauses[number])
            for position in np.flatnonzero(made.rng.random(len(clause)) < 0.15).tolist():
                clause[position] = made.draw(1)[0]
            parts += [_sentences(made, clause), _sentences(made, made.draw(30))]
        texts.append("\n\n".join(parts))
    return texts


def _forms(made: Made, count: int) -> list[str]:
    questions = [" ".join(made.draw(int(length))) for length in made.rng.integers(3, 15, 25)]
    return [
        "\n".join(
            f"{question}: {' '.join(made.draw(int(made.rng.integers(1, 12))))}"
            for question in questions
        )
        for _ in range(count)
    ]


def _numbers(made: Made, count: int) -> list[str]:
    tables = made.rng.integers(0, 2000, (count, 60, 6))
    return ["\n".join("  ".join(map(str, row)) for row in table) for table in tables.tolist()]


def _names(made: Made, count: int) -> list[str]:
    given = [word.capitalize() for word in made.words[100:400]]
    family = [word.capitalize() for word in made.words[1000:4000]]
    texts = []
    for _ in range(count):
        firsts = made.rng.zipf(1.3, 200) % len(given)
        lasts = made.rng.integers(0, len(family), 200)
        names = zip(firsts.tolist(), lasts.tolist(), strict=True)
        texts.append("\n".join(f"{family[last]}, {given[first]}" for first, last in names))
    return texts


def _code(made: Made, count: int) -> list[str]:
    texts = []
    for _ in range(count):
        names = [*made.words[60:80], *made.draw(40)]
        lines = made.rng.choice(len(STATEMENTS), 80).tolist()
        texts.append(
            "\n".join(STATEMENTS[n].format(*made.rng.choice(names, 4).tolist()) for n in lines)
        )
    return texts


def _poems(made: Made, count: int) -> list[str]:
    texts = []
    for _ in range(count):
        refrain = " ".join(made.draw(8))
        verses = ["\n".join(" ".join(made.draw(7)) for _ in range(4)) for _ in range(8)]
        texts.append("\n\n".join(f"{verse}\n{refrain}" for verse in verses))
    return texts


def _repeated(made: Made, count: int) -> list[str]:
    return [(" ".join(made.draw(12)).capitalize() + ". ") * 60 for _ in range(count)]


def _translated(made: Made, count: int) -> list[str]:
    translation = dict(zip(made.words, made.rng.permutation(len(made.words)).tolist(), strict=True))
    texts: list[str] = []
    while len(texts) < count:
        words, kept = made.draw(400), made.rng.random(400) < 0.08
        numbers = [str(number) for number in made.rng.integers(1, 3000, 400).tolist()]
        both = list(zip(words, numbers, kept.tolist(), strict=True))
        texts.append(_sentences(made, [n if keep else word for word, n, keep in both]))
        texts.append(
            _sentences(made, [n if keep else f"q{translation[word]}" for word, n, keep in both])
        )
    return texts[:count]


KINDS: dict[str, Callable[[Made, int], list[str]]] = {
    "news": _news,
    "formulas": _formulas,
    "contracts": _contracts,
    "forms": _forms,
    "numbers": _numbers,
    "names": _names,
    "code": _code,
    "poems": _poems,
    "repeated": _repeated,
    "translated": _translated,
}
