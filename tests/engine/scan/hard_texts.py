"""Collections in which a search for near-duplicates can drown.

Each has documents that nearly all resemble each other or share text, so that careless programs
compare every pair. In some a few pairs are planted that have more in common than the others: they
must still be found.
"""

from typing import NamedTuple

import numpy as np

VOCABULARY = 20_000
LENGTH = 250  # words of a document's own
PLANTED = 50

Words = list[str]


class HardCase(NamedTuple):
    """Texts, and pairs of them (a < b) that must be listed."""

    texts: list[str]
    planted: list[tuple[int, int]]


class _Writer:
    """Words at random, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def words(self, count: int) -> Words:
        """Words of which unrelated documents hardly share three in a row."""
        return [f"w{number:x}" for number in self.rng.integers(0, VOCABULARY, count).tolist()]

    def place(self, end: int) -> int:
        return int(self.rng.integers(0, end))


def identical(count: int) -> HardCase:
    """Every document is the same."""
    text = " ".join(_Writer(1).words(LENGTH))
    return HardCase([text] * count, [])


def near_identical(count: int) -> HardCase:
    """In every document another word is replaced by a unique one."""
    writer = _Writer(2)
    base = writer.words(LENGTH)
    texts = []
    for number in range(count):
        position = writer.place(LENGTH)
        texts.append(" ".join([*base[:position], f"own{number}", *base[position + 1 :]]))
    return HardCase(texts, [])


def boilerplate(count: int) -> HardCase:
    """Every document ends with the same paragraph; some pairs share another one too."""
    writer = _Writer(3)
    common = writer.words(100)
    passages = [writer.words(LENGTH) for _ in range(count)]
    planted = _paste(writer, passages, 60)
    return HardCase([" ".join(words + common) for words in passages], planted)


def concatenation_last(count: int) -> HardCase:
    """The last document is all others one after the other."""
    writer = _Writer(4)
    texts = [" ".join(writer.words(LENGTH)) for _ in range(count - 1)]
    return HardCase([*texts, "\n\n".join(texts)], [(a, count - 1) for a in range(count - 1)])


def concatenation_first(count: int) -> HardCase:
    """The first document is all others one after the other."""
    texts = concatenation_last(count).texts
    return HardCase([texts[-1], *texts[:-1]], [(0, b) for b in range(1, count)])


def three_words(count: int) -> HardCase:
    """Documents of three words out of a hundred: shorter than a shingle, some the same."""
    rng = np.random.default_rng(5)
    return HardCase(
        [" ".join(f"w{n}" for n in row) for row in rng.integers(0, 100, (count, 3))], []
    )


def own_word_repeated(count: int) -> HardCase:
    """Every document repeats a unique word 10,000 times."""
    return HardCase([f"word{number} " * 10_000 for number in range(count)], [])


def same_word_repeated(count: int) -> HardCase:
    """Every document repeats one of few words 10,000 times and once more than the one before it.

    Documents with one word all have the same shingle and no two the same text.
    """
    kinds = max(1, count // 50)
    texts = [f"word{number % kinds} " * (10_000 + number) for number in range(count)]
    return HardCase(texts, [(a, a + kinds) for a in range(count - kinds)])


def form_letters(count: int) -> HardCase:
    """One letter, filled in with other words in 20 places; some pairs share a paragraph besides."""
    writer = _Writer(6)
    form = writer.words(200)
    letters = []
    for _ in range(count):
        letter = form.copy()
        letter[5::10] = writer.words(20)
        letters.append(letter)
    extra = [writer.words(20) for _ in range(count)]
    planted = _paste(writer, extra, 60)
    return HardCase(
        [" ".join(letter + addition) for letter, addition in zip(letters, extra, strict=True)],
        planted,
    )


def shuffled_paragraphs(count: int) -> HardCase:
    """Every document has the same ten paragraphs in a different order."""
    writer = _Writer(7)
    paragraphs = [" ".join(writer.words(40)) for _ in range(10)]
    orders = [writer.rng.permutation(10).tolist() for _ in range(count)]
    return HardCase(["\n\n".join(paragraphs[i] for i in order) for order in orders], [])


def pool_of_paragraphs(count: int) -> HardCase:
    """Every document has five paragraphs, each of which stands in about ninety documents."""
    writer = _Writer(8)
    pool = [" ".join(writer.words(60)) for _ in range(max(5, count * 5 // 90))]
    chosen = writer.rng.integers(0, len(pool), (count, 5)).tolist()
    return HardCase(["\n\n".join(pool[i] for i in row) for row in chosen], [])


def long_patchworks(count: int) -> HardCase:
    """Long documents made of paragraphs, each of which stands in two or three of them."""
    writer = _Writer(9)
    pool = [" ".join(writer.words(LENGTH)) for _ in range(100 * count)]
    chosen = writer.rng.integers(0, len(pool), (count, 240)).tolist()
    return HardCase(["\n\n".join(pool[i] for i in row) for row in chosen], [])


def _paste(writer: _Writer, words: list[Words], length: int) -> list[tuple[int, int]]:
    """Give some pairs of documents a passage that only they share."""
    order = writer.rng.permutation(len(words))[: 2 * min(PLANTED, len(words) // 4)].tolist()
    planted = []
    for a, b in zip(order[::2], order[1::2], strict=True):
        passage = writer.words(length)
        words[a] += passage
        words[b] += passage
        planted.append((min(a, b), max(a, b)))
    return planted
