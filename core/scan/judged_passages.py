"""Where the passages stand that the user has judged, also those that are set aside.

They are looked for word by word, as what is set aside is, so that the settings of the scan matter
as little as what counts in which document.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from core.aside.phrases import PhraseIndex
from core.aside.rules import Phrase
from core.aside.texts import Texts
from core.base.progress import Cancelled, never
from core.passages.holders import Span
from core.scan.judgements import PassageJudgement
from core.scan.scan import Scan
from core.text.identity import text_hashes
from core.text.shingling import shingle
from core.text.word_counts import WORD, usual_weight


class JudgedPassage(NamedTuple):
    """A passage that was judged.

    Attributes:
        key: Who it is.
        judgement: What was said.
        words: How many whole words it has.
        units: How many words or characters, as the scan counts.
        places: Where it stands, by the number of the document; ascending.
    """

    key: str
    judgement: PassageJudgement
    words: int
    units: int
    places: Mapping[int, list[Span]]


def find_judged(
    scan: Scan, judged: Mapping[str, PassageJudgement], cancelled: Cancelled = never
) -> list[JudgedPassage]:
    """The places of judged passages, most widely shared first, then longest.

    Args:
        scan: A complete scan; all of its texts are read.
        judged: By key.
        cancelled: Polled meanwhile.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    places: dict[str, dict[int, list[Span]]] = {key: {} for key in judged}
    if judged:
        index = PhraseIndex([Phrase(one.text) for one in judged.values()])
        lengths = np.array([one.characters for one in scan.documents], dtype=np.int64)
        texts = Texts(scan.texts, lengths, scan.pool, cancelled)
        for words in texts.words(np.arange(len(lengths))):
            for row, (start, end, _) in index.find(words):
                number = int(words.numbers[row])
                (key,) = text_hashes([scan.texts[number][start:end]])
                if key in places:
                    places[key].setdefault(number, []).append((start, end))
    found = [_judged(scan, key, judged[key], own) for key, own in places.items()]
    return sorted(found, key=lambda one: (-len(one.places), -one.words, one.key))


def _judged(
    scan: Scan, key: str, judgement: PassageJudgement, places: Mapping[int, list[Span]]
) -> JudgedPassage:
    shingles = shingle([judgement.text], scan.settings)
    units, usual = int(shingles.units[0]), usual_weight(scan.settings.unit)
    words = int(shingles.all_weights(usual).sum(dtype=np.int64)) // WORD
    return JudgedPassage(key, judgement, words, units, dict(sorted(places.items())))
