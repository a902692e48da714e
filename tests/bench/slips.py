"""How often unrelated documents share an unusual spelling, and how often a planted one is found.

    python tests/bench/slips.py --data FOLDER [--only NAME ...] [--seed 1]

Unrelated is what `false_alarms.py` calls so. Every pair is looked at that has a word which no third
document has and which is one letter from a usual one; no other can share a spelling.
Then one word is misspelled alike in both documents of pairs that the table of truth calls related,
each document once, and these are scanned in their folder. A word is drawn that both have; one that
has too few letters, or is not in small letters, is not.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
from collections import defaultdict
from contextlib import closing
from itertools import combinations
from pathlib import Path

from false_alarms import CORPORA, Collection, _real
from rework_scans import write_folder

from core.scan.flow import scan
from core.scan.slips import LEAST_LETTERS, USUAL, find_slips
from core.settings import ScanSettings

WORD = re.compile(rf"\b[^\W\d_]{{{LEAST_LETTERS},}}\b")


def main() -> None:
    """Print both numbers for every corpus."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of corpora")
    parser.add_argument("--only", nargs="+", default=CORPORA, help="collections")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name in options.only:
        corpus = _real(options.data, name)
        shared = found_in(corpus.texts, possible_pairs(corpus.texts))
        wrong = {pair: slips for pair, slips in shared.items() if corpus.unrelated(*pair)}
        planted, texts = plant(corpus, random.Random(options.seed))
        found = found_in(texts, planted)
        hits = sum(planted[pair] in {slip.word for slip in slips} for pair, slips in found.items())
        print(
            f"{name}: {len(wrong)} of about {corpus.unrelated_pairs():,} unrelated pairs, "
            f"{len(shared) - len(wrong)} others; planted {hits} of {len(planted)}; "
            + ", ".join(f"{word} ({usual})" for of in wrong.values() for word, usual in of),
            flush=True,
        )


def found_in(texts, pairs):
    """What the pairs share that share something, by their names."""
    with tempfile.TemporaryDirectory() as place:
        folder = write_folder(Path(place) / "docs", texts)
        with closing(scan([folder], ScanSettings())) as result:
            numbers = {document.name: n for n, document in enumerate(result.documents)}
            slips = {
                pair: find_slips(result, tuple(numbers[name] for name in pair))
                for pair in pairs
                if numbers.keys() >= {*pair}
            }
    return {pair: of for pair, of in slips.items() if of}


def possible_pairs(texts):
    """The pairs with a word that no other text has, one letter from another."""
    holders, first = defaultdict(set), {}
    for name, text in texts.items():
        for word in {match.lower() for match in WORD.findall(text)}:
            holders[word].add(first.setdefault(text, name))
    near = {key for word, of in holders.items() if len(of) >= USUAL for key in _keys(word)}
    return {
        pair
        for word, of in holders.items()
        if len(of) == 2 and near & _keys(word)
        for pair in combinations(sorted(of), 2)
    }


def _keys(word):
    """Two words one letter apart, or with two letters swapped, have one of these in common."""
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


def plant(corpus: Collection, rng):
    """Pairs of related texts with the word that both now have, and all texts."""
    texts, planted, used = dict(corpus.texts), {}, set()
    known = {*WORD.findall(" ".join(texts.values()).lower())}
    for pair in sorted(corpus.related):
        both = [corpus.texts.get(name, "") for name in pair]
        words = [{*filter(str.islower, WORD.findall(text))} for text in both]
        common = sorted(words[0] & words[1])
        if used & {*pair} or not common or both[0] == both[1]:
            continue
        word = rng.choice(common)
        wrong = misspelled(word, rng)
        if wrong in known:
            continue
        used |= {*pair}
        planted[pair] = wrong
        for name in pair:
            texts[name] = re.sub(rf"\b{word}\b", wrong, texts[name], count=1)
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


if __name__ == "__main__":
    main()
