"""The settings that decide what a shingle is: each declared once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.base.setting import Needed, declare
from core.settings.languages import LANGUAGES

Unit = Literal["word", "char"]

SHINGLES, TEXT = "shingles", "text"  # sections
LANGUAGE_NEEDED = Needed(
    "language", "shingles of words and a language", "Choose a language first; it is not guessed"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class TextSettings:
    """What a shingle is, and which text counts."""

    unit: Unit = declare(
        "word", name="shingles of", help="shingles of words or of characters", section=SHINGLES,
        choices={"word": "words", "char": "characters"}, label="Shingles",
        tip="What a shingle is made of. In scripts without spaces every letter is a word.",
        summary="{unit}", title="Shingles", told="{unit}, k = {k}", asked="shingles of “{value}”",
    )  # fmt: skip
    k: int = declare(
        5, name="shingle length k", help="shingle length in units", section=SHINGLES, high=64,
        label="Length k", tip="k: how many words or characters make a shingle",
        summary="k = {value}", title="", asked="a shingle length of {value}",
    )  # fmt: skip
    ignore_case: bool = declare(
        True, name="ignore case", help="upper and lower case are the same", section=TEXT,
        label="Text", tip="Upper and lower case are the same",
        summary={True: "lower case", False: "case counts"},
        title="Upper and lower case", told={True: "ignored", False: "kept apart"},
        treatment={True: "upper and lower case taken as the same", False: "case kept"},
    )  # fmt: skip
    keep_punctuation: bool | None = declare(
        None, name="keep punctuation", section=TEXT,
        help="punctuation counts (usual with characters, not with words)",
        tip="Punctuation counts; in word shingles every mark is a word",
        summary={True: "punctuation counts", False: "no punctuation"},
        title="Punctuation", told={True: "counts", False: "left out"},
        treatment={True: "punctuation kept", False: "punctuation left out"},
    )  # fmt: skip
    keep_digits: bool = declare(
        True, name="keep digits", help="digits count", section=TEXT,
        tip="Digits count; otherwise they are dropped like punctuation",
        summary={False: "no digits"}, title="Digits", told={True: "count", False: "left out"},
        treatment={True: "digits kept", False: "digits left out"},
    )  # fmt: skip
    white_space: str = declare(
        "remove", name="white space", section=TEXT, only_with=("unit", "char"),
        help="white space in character shingles: removed, or collapsed to one space",
        choices={"remove": "removed", "collapse": "as one space"},
        tip="White space in character shingles",
        summary={"remove": "no white space", "collapse": "white space as one space"},
        told={"remove": "removed", "collapse": "collapsed to one space"},
        without="only separates words", asked="white space to be treated as “{value}”",
        treatment={"remove": "white space removed",
                   "collapse": "white space collapsed to one space"},
    )  # fmt: skip
    bag: bool = declare(
        False, name="repeated shingles", section=SHINGLES,
        help="a repeated shingle counts as often as it occurs",
        choices={False: "count once", True: "count every time"}, label="Repeated",
        tip="Whether a shingle that repeats in a document counts as often as it occurs",
        summary={True: "repeated ones count every time"},
        told={True: "count each time", False: "count once"},
    )  # fmt: skip
    language: str = declare(
        "", name="language", section=TEXT, metavar="L", only_with=("unit", "word"),
        help=f"language of stop words and stems: {', '.join(LANGUAGES)}",
        choices={"": "none"} | {name: name.title() for name in LANGUAGES},
        tip="Language of the stop words and stems; it is not guessed", told_apart=True,
    )  # fmt: skip
    drop_stop_words: bool = declare(
        False, name="leave out stop words", section=TEXT, option="--stop-words",
        help="leave out the stop words of the language, such as “the” and “of”",
        only_with=("unit", "word"), needs=LANGUAGE_NEEDED,
        tip="Words of the language's list do not count. The lists are long: the English one has "
        "about 1,300 words, among them words such as “computer”.",
        summary={True: "no {language} stop words"},
        title="Stop words", told={True: "{language}, left out", False: "count"},
        treatment={True: "{language} stop words left out"}, asked="stop words to be dropped",
    )  # fmt: skip
    stem: bool = declare(
        False, name="compare stems", section=TEXT, only_with=("unit", "word"),
        help="compare words by their stem: “connected” and “connection” are the same",
        tip="Words count by their stem, so that “connected” and “connection” are the same",
        needs=LANGUAGE_NEEDED,
        summary={True: "{language} stems"},
        title="Stems", told={True: "{language}, compared", False: "words as they are"},
        treatment={True: "words compared by their {language} stems"}, asked="stems",
    )  # fmt: skip
