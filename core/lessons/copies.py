"""Copies of a text for lessons: words exchanged, or words of it pasted into another text."""

from __future__ import annotations

import numpy as np

from core.audit.edits import EditWords, words_of


def changed_copy(text: str, share: float, seed: int) -> str:
    """The text with this share of its words exchanged for other words of the same text.

    With one seed, a larger share changes the same words and more of them, so that resemblance falls
    steadily. A word for which the text has no other one is left out.

    Args:
        text: Any text.
        share: Of its words, 0 to 1, rounded to whole words.
        seed: Decides which words, and what stands in their place.
    """
    rng = np.random.default_rng(seed)
    words, others = words_of(text), EditWords([text], rng)
    order, draws = rng.permutation(len(words.starts)), rng.random(len(words.starts))
    parts, copied = list[str](), 0
    for place in np.sort(order[: round(share * len(order))]).tolist():
        start, end = int(words.starts[place]), int(words.ends[place])
        alone = bool(words.alone[place])
        parts += [text[copied:start], others.other(text[start:end], draws[place], alone=alone)]
        copied = end
    return "".join([*parts, text[copied:]])


def pasted_copy(host: str, source: str, words: int) -> tuple[str, tuple[int, int]]:
    """The host with so many words of the source in its middle, and where they stand there.

    They are from the middle of the source, and a paragraph of their own. A shorter source goes in
    as a whole.

    Returns:
        The text, and the span of what was pasted in code points; an empty one for no words.
    """
    own, theirs = words_of(source), words_of(host)
    count = min(words, len(own.starts))
    gap = int(theirs.starts[len(theirs.starts) // 2]) if len(theirs.starts) else len(host)
    if count <= 0:
        return host, (gap, gap)
    first = (len(own.starts) - count) // 2
    pasted = source[int(own.starts[first]) : int(own.ends[first + count - 1])]
    start = gap + 2
    return f"{host[:gap]}\n\n{pasted}\n\n{host[gap:]}", (start, start + len(pasted))


def first_words(text: str, most: int) -> str:
    """The text up to and with its word number `most`; all of it where it has no more."""
    ends = words_of(text).ends
    return text if len(ends) <= most else text[: int(ends[most - 1])]
