"""How often unrelated documents share an unusual spelling, and how often a planted one is found.

    python tests/bench/slips.py --data FOLDER [--only NAME ...] [--seed 1]

Unrelated is what `false_alarms.py` calls so. Every pair is looked at that has a number, odd
spacing, or a word one letter from a usual one, which no third document has; no other can share a
slip.
Then one word is misspelled alike in both documents of pairs that the table of truth calls related,
each document once, and these are scanned in their folder. A word is drawn that both have; one that
has too few letters, or has capitals within, is not. The same is done with a digit of a number, and
with a space before a comma.
"""

import random
import re
import tempfile
from collections import defaultdict
from contextlib import closing
from pathlib import Path

from false_alarms import CORPORA, Collection, real, write_folder
from options import NEEDED, read_options

from core.scan.flow import scan
from core.scan.shared_mistakes import LEAST_LETTERS, USUAL, find_slips
from core.settings import ScanSettings

WORD = re.compile(rf"\b[^\W\d_]{{{LEAST_LETTERS},}}\b")
NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?!\w)")
COMMA = re.compile(r"\b[^\W\d_]+, [^\W\d_]+\b")
ODD = re.compile(r"\b[^\W\d_]+(?:[^\S\n]+[,.;:!?]\s*|[,.;:!?]|[,.;:!?]?[^\S\n]{2,})(?=[^\W\d_])")


def main() -> None:
    """Print both numbers for every corpus."""
    options = read_options(__doc__, data=NEEDED, only=CORPORA, seed=1)
    for name in options.only:
        corpus = real(options.data, name)
        shared = slips_of_pairs(corpus.texts, possible_pairs(corpus.texts))
        wrong = {pair: slips for pair, slips in shared.items() if corpus.unrelated(*pair)}
        print(
            f"{name}: {len(wrong)} of about {corpus.unrelated_pairs():,} unrelated pairs, "
            f"{len(shared) - len(wrong)} others; "
            + ", ".join(
                f"{word} ({usual})"
                for slips_of_pair in wrong.values()
                for word, usual in slips_of_pair
            ),
            flush=True,
        )
        for kind, (pattern, changed) in PLANTED.items():
            planted, texts = plant(corpus, pattern, changed, random.Random(options.seed))
            slips_planted = slips_of_pairs(texts, planted)
            hits = sum(  # a number is told with its sign and unit
                any(planted[pair] in slip.word for slip in slips)
                for pair, slips in slips_planted.items()
            )
            print(f"    {kind} planted: {hits} of {len(planted)}", flush=True)


def slips_of_pairs(texts, pairs):
    """What the pairs share that share something, by their names."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = write_folder(Path(temporary) / "docs", texts)
        with closing(scan([folder], ScanSettings())) as result:
            numbers = {document.name: n for n, document in enumerate(result.documents)}
            slips = {
                pair: find_slips(result, tuple(numbers[name] for name in pair))
                for pair in pairs
                if numbers.keys() >= {*pair}
            }
    return {pair: found_slips for pair, found_slips in slips.items() if found_slips}


def possible_pairs(texts):
    """The pairs with a word that no other text has, one letter from another."""
    holders, first = defaultdict(set), {}
    for name, text in texts.items():
        for word in {match.lower() for match in WORD.findall(text)}:
            holders[word].add(first.setdefault(text, name))
    near = {key for word, names in holders.items() if len(names) >= USUAL for key in _keys(word)}
    both = {
        tuple(sorted(names))
        for word, names in holders.items()
        if len(names) == 2 and near & _keys(word)
    }
    partners = defaultdict(set)
    for text, name in first.items():
        for pattern in (NUMBER, ODD):
            for match in pattern.findall(text):
                partners[match].add(name)
    return both | {tuple(sorted(names)) for names in partners.values() if len(names) == 2}


def _keys(word):
    """Two words one letter apart, or with two letters swapped, have one of these in common."""
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


def plant(corpus: Collection, pattern, changed, rng):
    """Pairs of related texts with what both now have, and all texts."""
    texts, planted, used = dict(corpus.texts), {}, set()
    known = {*pattern.findall("\n".join(texts.values()))}
    for pair in sorted(corpus.related):
        both = [corpus.texts.get(name, "") for name in pair]
        common = sorted(set.intersection(*({*pattern.findall(text)} for text in both)))
        common = [
            match for match in common if match[1:] == match[1:].lower() or pattern is not WORD
        ]
        if used & {*pair} or not common or both[0] == both[1]:
            continue
        usual = rng.choice(common)
        wrong = changed(usual, rng)
        if wrong in known:
            continue
        used |= {*pair}
        planted[pair] = wrong
        for name in pair:
            pattern_of_usual = rf"(?<!\w){re.escape(usual)}(?!\w)"
            texts[name] = re.sub(
                pattern_of_usual, lambda _, wrong=wrong: wrong, texts[name], count=1
            )
    return planted, texts


def misspelled(word, rng):
    """A word with one letter swapped, doubled, added, left out, or exchanged."""
    at, letter = rng.randrange(1, len(word) - 2), rng.choice(word)
    head, tail = word[:at], word[at:]
    return rng.choice(
        [
            head + tail[1] + tail[0] + tail[2:],
            head + tail[0] + tail,
            head + letter + tail,
            head + tail[1:],
            head + letter + tail[1:],
        ]
    )


def another_number(number, rng):
    """One with another digit."""
    at = rng.choice([index for index, digit in enumerate(number) if digit.isdecimal()])
    return number[:at] + str((int(number[at]) + rng.randint(1, 9)) % 10) + number[at + 1 :]


def odd_comma(words, _rng):
    """With a space before it."""
    return words.replace(",", " ,")


PLANTED = {
    "misspellings": (WORD, misspelled),
    "numbers": (NUMBER, another_number),
    "spacing": (COMMA, odd_comma),
}


if __name__ == "__main__":
    main()
