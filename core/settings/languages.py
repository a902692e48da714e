"""The languages whose words can be compared by stems, or without stop words."""

from __future__ import annotations

# Languages with a Snowball stemmer and a list of stop words (the only one for Greek is of the
# ancient language).
LANGUAGES = (
    "arabic", "catalan", "czech", "danish", "dutch", "english", "finnish", "french", "german",
    "hindi", "hungarian", "indonesian", "italian", "norwegian", "persian", "polish", "portuguese",
    "romanian", "russian", "spanish", "swedish", "turkish",
)  # fmt: skip
