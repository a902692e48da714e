"""Texts of which many are alike."""

import numpy as np


def edited_texts(count, seed=1, edits=6):
    """Texts of 40 words, each an edit of one of the texts before it."""
    rng = np.random.default_rng(seed)
    texts = [[f"w{word}" for word in rng.integers(0, 200, 40)]]
    while len(texts) < count:
        own = list(texts[rng.integers(len(texts))])
        for place in rng.integers(0, 40, edits):
            own[place] = f"w{rng.integers(200)}"
        texts.append(own)
    return [" ".join(words) for words in texts]
