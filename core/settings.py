"""The settings of a scan: each declared once; valid when made, frozen, unchanged in the report.

A method of signatures is a line of `METHODS` and a line of `core.signatures.methods`. The rest
comes with its kind: the estimate of two signatures, the search, the curve, the settings that apply,
and the sentences about them. This module imports no code of a method, so that help and window show
the names before NumPy is loaded.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from enum import Enum
from typing import Any, Literal, NamedTuple

from core.base.messages import N_, gettext
from core.base.setting import Needed, declare, settings_of
from core.base.wording import LANGUAGE_NAMES, any_of, language_name
from core.errors import SettingsError

# Languages with a Snowball stemmer and a list of stop words (the only one for Greek is of the
# ancient language).
LANGUAGES = (
    "arabic", "catalan", "czech", "danish", "dutch", "english", "finnish", "french", "german",
    "hindi", "hungarian", "indonesian", "italian", "norwegian", "persian", "polish", "portuguese",
    "romanian", "russian", "spanish", "swedish", "turkish",
)  # fmt: skip


# The search for reworked passages: in this module, so that a window can show the promise before
# anything is compiled.
ONE_IN = {"auto": 2, "careful": 2, "thorough": 1}  # one of so many skip-grams is sampled
NEIGHBOURS = 2  # words after a word with each of which it makes a skip-gram
NEEDED = 3  # positions of either text at which skip-grams agree
NEAR = 60  # words on either side
PRICE = 1.5  # bits, of a word that does not match

Level = Literal["off", "careful", "thorough"]  # how reworked passages are looked for
Reworked = Literal["auto"] | Level  # the value of the setting


def reworked_level(requested: Reworked, *, all_measured: bool) -> Level:
    """How reworked passages are looked for: "auto" is thorough if all pairs are measured.

    Args:
        requested: The value of the setting.
        all_measured: Whether all pairs, which are few, are measured: then it costs no more.
    """
    if requested == "auto":
        return "thorough" if all_measured else "careful"
    return requested


class SignatureKind(Enum):
    """How signatures are compared; the value is the settings of this kind.

    BANDS: K values. Each value of two texts agrees independently, with their resemblance as
        probability; a pair is compared when all r rows of one of b bands agree.
    BITS: 64 bits. Each bit of two texts at the angle θ differs independently, with probability θ/π;
        a pair is compared when at most d differ.
    """

    BANDS = ("signature_size", "bands", "rows")
    BITS = ("max_distance",)


@dataclass(frozen=True, slots=True)
class SignatureMethod:
    """A way to make signatures.

    Attributes:
        called: Its name, a message.
        kind: How its signatures are compared.
        weighs: Whether it weighs shingles, as the setting `weights` says.
    """

    called: str
    kind: SignatureKind
    weighs: bool = False

    @property
    def name(self) -> str:
        """Its name in the language of the program."""
        return gettext(self.called)

    @property
    def search_name(self) -> str:
        """The name of its search for candidates, at the beginning of a sentence."""
        return gettext("Bands") if self.kind is SignatureKind.BANDS else self.name

    def uses(self, setting: str) -> bool:
        """Whether a setting applies to this method."""
        if setting == "weights":
            return self.weighs
        of_a_kind = any(setting in kind.value for kind in SignatureKind)
        return setting in self.kind.value or not of_a_kind


METHODS: dict[str, SignatureMethod] = {
    "fss": SignatureMethod(N_("Fast Similarity Sketching"), SignatureKind.BANDS),
    "minhash": SignatureMethod(N_("Classic MinHash"), SignatureKind.BANDS),
    "simhash": SignatureMethod(N_("SimHash"), SignatureKind.BITS, weighs=True),
}


def names_using(setting: str) -> str:
    """The methods to which a setting applies, joined by "or"."""
    return any_of([method.name for method in METHODS.values() if method.uses(setting)])


Unit = Literal["word", "char"]
Compare = Literal["auto", "all", "bands"]

SECTIONS = SHINGLES, TEXT, SIGNATURE, PAIRS = "shingles", "text", "signature", "pairs"
MAX_SIGNATURE, MAX_DISTANCE = 1024, 8
LETTERS_A_WORD = 5
USUAL_PASSAGE = 30  # words
LANGUAGE_NEEDED = Needed("language", N_("Choose a language first; it is not guessed"))
_CODES = {name.lower(): code for code, name in LANGUAGE_NAMES.items()}


def _language_in_words(name: str) -> str:
    return language_name(_CODES[name]) if name in _CODES else gettext(name)


@dataclass(frozen=True, kw_only=True, slots=True)
class ScanSettings:
    """Everything that decides which pairs a scan lists.

    `keep_punctuation` may be given as None for what is usual with the unit; after construction it
    is always a bool. `min_passage` stays None for what is usual: see `passage_length`.

    Raises:
        SettingsError: A value is out of its range; the sentence names it.
    """

    unit: Unit = declare(
        "word", name=N_("Shingles of"), help=N_("shingles of words or of characters"),
        choices={"word": N_("words"), "char": N_("characters")}, label=N_("Shingles"),
        tip=N_("What a shingle is made of. In scripts without spaces every letter is a word."),
        summary="{unit}", title=N_("Shingles"), report_value="{unit}, k = {k}", section=SHINGLES,
    )  # fmt: skip
    k: int = declare(
        5, name=N_("Shingle length k"), help=N_("shingle length in units"), section=SHINGLES,
        high=64, label=N_("Length k"), tip=N_("k: how many words or characters make a shingle"),
        summary="k = {value}", title="",
    )  # fmt: skip
    ignore_case: bool = declare(
        True, name=N_("Ignore case"), help=N_("upper and lower case are the same"), section=TEXT,
        label=N_("Text"), tip=N_("Upper and lower case are the same"),
        summary={True: N_("lower case"), False: N_("case counts")},
        title=N_("Upper and lower case"),
        report_value={True: N_("ignored"), False: N_("kept apart")},
        treatment={True: N_("upper and lower case taken as the same"), False: N_("case kept")},
    )  # fmt: skip
    keep_punctuation: bool | None = declare(
        None, name=N_("Keep punctuation"), section=TEXT,
        help=N_("punctuation counts (usual with characters, not with words)"),
        tip=N_("Punctuation counts; in word shingles every mark is a word"),
        summary={True: N_("punctuation counts"), False: N_("no punctuation")},
        title=N_("Punctuation"), report_value={True: N_("counts"), False: N_("left out")},
        treatment={True: N_("punctuation kept"), False: N_("punctuation left out")},
    )  # fmt: skip
    keep_digits: bool = declare(
        True, name=N_("Keep digits"), help=N_("digits count"), section=TEXT,
        tip=N_("Digits count; otherwise they are dropped like punctuation"),
        summary={False: N_("no digits")},
        title=N_("Digits"), report_value={True: N_("count"), False: N_("left out")},
        treatment={True: N_("digits kept"), False: N_("digits left out")},
    )  # fmt: skip
    white_space: str = declare(
        "remove", name=N_("White space"), section=TEXT, only_with=("unit", "char"),
        help=N_("white space in character shingles: removed, or collapsed to one space"),
        choices={"remove": N_("removed"), "collapse": N_("as one space")},
        tip=N_("White space in character shingles"),
        summary={"remove": N_("no white space"), "collapse": N_("white space as one space")},
        report_value={"remove": N_("removed"), "collapse": N_("collapsed to one space")},
        without=N_("only separates words"),
        treatment={"remove": N_("white space removed"),
                   "collapse": N_("white space collapsed to one space")},
    )  # fmt: skip
    bag: bool = declare(
        False, name=N_("Repeated shingles"), section=SHINGLES,
        help=N_("a repeated shingle counts as often as it occurs"),
        choices={False: N_("count once"), True: N_("count every time")}, label=N_("Repeated"),
        tip=N_("Whether a shingle that repeats in a document counts as often as it occurs"),
        summary={True: N_("repeated ones count every time")},
        report_value={True: N_("count each time"), False: N_("count once")},
    )  # fmt: skip
    language: str = declare(
        "", name=N_("Language"), section=TEXT, metavar="L", only_with=("unit", "word"),
        help=N_("language of stop words and stems: {languages}"),
        values=lambda: {"languages": ", ".join(LANGUAGES)},
        choices={"": N_("none")} | {name: name for name in LANGUAGES}, called=_language_in_words,
        tip=N_("Language of the stop words and stems; it is not guessed"), own_sentence=True,
    )  # fmt: skip
    drop_stop_words: bool = declare(
        False, name=N_("Leave out stop words"), section=TEXT, option="--stop-words",
        help=N_("leave out the stop words of the language, such as “the” and “of”"),
        only_with=("unit", "word"), needs=LANGUAGE_NEEDED,
        tip=N_("Words of the language's list do not count. The lists are long: the English one "
               "has about 1,300 words, among them words such as “computer”."),
        summary={True: N_("no {language} stop words")},
        title=N_("Stop words"), report_value={True: N_("{language}, left out"), False: N_("count")},
        treatment={True: N_("{language} stop words left out")},
    )  # fmt: skip
    stem: bool = declare(
        False, name=N_("Compare stems"), section=TEXT, only_with=("unit", "word"),
        help=N_("compare words by their stem: “connected” and “connection” are the same"),
        tip=N_("Words count by their stem, so that “connected” and “connection” are the same"),
        needs=LANGUAGE_NEEDED, summary={True: N_("{language} stems")}, title=N_("Stems"),
        report_value={True: N_("{language}, compared"), False: N_("words as they are")},
        treatment={True: N_("words compared by their {language} stems")},
    )  # fmt: skip
    signature: str = declare(
        "fss", name=N_("Signature method"), help="{methods}", section=SIGNATURE,
        choices={name: method.called for name, method in METHODS.items()},
        label=N_("Signature"), own_sentence=True,
        tip=N_("How signatures are made. With {banded} they estimate resemblance without bias; "
               "with {bits} they are 64 bits and find only documents that are nearly the same."),
        values=lambda: {"methods": names_using("signature"), "banded": names_using("bands"),
                        "bits": names_using("max_distance")},
    )  # fmt: skip
    signature_size: int = declare(
        128, name=N_("Signature size K"), help=N_("values in a signature; b × r ≤ K"), metavar="K",
        section=SIGNATURE, high=MAX_SIGNATURE, label=N_("Values K"),
        tip=N_("K: numbers in a signature; more of them miss fewer pairs"), own_sentence=True,
    )  # fmt: skip
    bands: int = declare(
        64, name=N_("Number of bands b"), help=N_("number of bands b"), section=SIGNATURE,
        metavar="B", high="signature_size", in_panel=False, signs=False, own_sentence=True,
    )  # fmt: skip
    rows: int = declare(
        2, name=N_("Number of rows r"), help=N_("rows in a band r"), section=SIGNATURE, metavar="R",
        high="signature_size", in_panel=False, signs=False, own_sentence=True,
    )  # fmt: skip
    weights: str = declare(
        "tf", name=N_("Weights of shingles"), section=SIGNATURE, label=N_("Weights"),
        help=N_("with {methods}: shingles count alike, by their occurrences in the text (tf), or "
                "by these and their rarity in the folder (tf-idf)"),
        values=lambda: {"methods": names_using("weights")},
        choices={"unweighted": N_("all alike"), "tf": N_("by occurrence (tf)"),
                 "tf-idf": N_("and by rarity (tf-idf)")},
        tip=N_("What a shingle counts for in the 64 bits: all alike, by its occurrences in the "
               "document (tf), or by these and its rarity in the folder (tf-idf)"),
        report_value={"unweighted": N_("all shingles weighed alike"),
              "tf": N_("shingles weighed by occurrence"),
              "tf-idf": N_("shingles weighed by occurrence and by rarity in the folder")},
        own_sentence=True,
    )  # fmt: skip
    max_distance: int = declare(
        3, name=N_("Largest distance d"), section=SIGNATURE, metavar="D", low=0, high=MAX_DISTANCE,
        help=N_("with {methods}: compare pairs that differ in at most D of 64 bits, 0 to {most}"),
        values=lambda: {"methods": names_using("max_distance"), "most": MAX_DISTANCE},
        label=N_("Distance d"), signs=False, own_sentence=True,
        tip=N_("d: pairs are compared when at most so many of the 64 bits of their signatures "
               "differ"),
    )  # fmt: skip
    seed: int = declare(
        1, name=N_("Seed"), help=N_("seed of the signatures"), section=SIGNATURE, low=0,
        high=2**63 - 1, tip=N_("The same seed gives the same result everywhere"), title="",
    )  # fmt: skip
    min_resemblance: float = declare(
        0.10, name=N_("Resemblance from which pairs are listed"), section=PAIRS, metavar="X",
        help=N_("list pairs from this exact resemblance on, 0 to 1"), low=0, high=1,
        is_integer=False, in_panel=False, signs=False, own_sentence=True,
    )  # fmt: skip
    min_passage: int | None = declare(
        None, name=N_("Shortest shared passage"), section=PAIRS, metavar="T",
        help=N_("also list pairs that share T words in a row (default: {usual}); in scripts "
                "without spaces between words and with --unit char, so many characters as make T "
                "words: 1.6 of Chinese, {letters} of a script with spaces"),
        low="least_passage", high=10_000, unit=N_("words"), label=N_("Passage, words"),
        tip=N_("A pair is also listed when it shares this many words in a row. In scripts without "
               "spaces between words, and in shingles of characters, letters are counted: 1.6 of "
               "Chinese or {letters} of English make a word."),
        values=lambda: {"usual": USUAL_PASSAGE, "letters": LETTERS_A_WORD}, own_sentence=True,
    )  # fmt: skip
    list_passages: bool = declare(
        True, name=N_("List pairs that share a passage"), section=PAIRS,
        help=N_("list pairs below that resemblance for such a passage (default: yes, except with "
                "the preset “Same text again”)"),
        in_panel=False, signs=False, own_sentence=True,
    )  # fmt: skip
    compare: Compare = declare(
        "auto", name=N_("Pairs to compare"), section=PAIRS, label=N_("Compare"), own_sentence=True,
        help=N_("which pairs to compare: all; those that meet in a band or share a passage; or all "
                "where that takes about a second, or less than the others (auto, the default)"),
        choices={"auto": N_("all where it takes a second"), "all": N_("all, however long it takes"),
                 "bands": N_("those that bands find")},
        tip=N_("Where all pairs are compared, none above “Listed from” is missed, whatever b and "
               "r. Else the pairs that meet in a band or share a passage are compared."),
        report_value={"auto": N_("all pairs where that takes about a second, or less than bands"),
              "all": N_("all pairs"), "bands": N_("pairs that signatures or passages find")},
        signs=False,
    )  # fmt: skip
    reworked: Reworked = declare(
        "auto", name=N_("Reworked passages"), section=PAIRS, label=N_("Reworked"),
        help=N_("also list pairs that share a passage in other words: off, careful, thorough, or "
                "thorough where that takes about a second, careful in larger folders (auto, the "
                "default)"),
        choices={"auto": N_("thorough where it takes a second"), "off": N_("not looked for"),
                 "careful": N_("careful"), "thorough": N_("thorough")},
        tip=N_("Also finds passages in which words were exchanged, left out, added or moved. "
               "Thorough lists shorter and weaker ones too; in a large folder it takes more time."),
        summary={"auto": N_("reworked passages"), "careful": N_("reworked passages: careful"),
                 "thorough": N_("reworked passages: thorough")},
        report_value={"auto": N_("thorough where that takes about a second, else careful"),
              "off": N_("not looked for"), "careful": N_("careful"), "thorough": N_("thorough")},
    )  # fmt: skip

    def __post_init__(self) -> None:
        if self.keep_punctuation is None:
            object.__setattr__(self, "keep_punctuation", self.unit == "char")
        for field, setting in settings_of(self).items():
            problem = setting.problem(field, getattr(self, field), self)
            if problem:
                raise SettingsError(problem)
        self._check_language()
        if self.bands * self.rows > self.signature_size:
            raise SettingsError(
                "b × r must be at most the signature size: {b} × {r} = {product} is more than "
                "K = {size}.",
                b=self.bands,
                r=self.rows,
                product=self.bands * self.rows,
                size=self.signature_size,
            )

    def _check_language(self) -> None:
        needed = self.drop_stop_words or self.stem
        if needed and self.unit != "word":
            raise SettingsError("Stop words and stems need shingles of words, not of characters.")
        if needed and not self.language:
            raise SettingsError("Stop words and stems need a language: it is not guessed.")

    @property
    def passage_length(self) -> int:
        """The shortest shared run, in words, that lists a pair whatever its resemblance."""
        return self.min_passage or max(self.least_passage, USUAL_PASSAGE)

    @property
    def least_passage(self) -> int:
        """The shortest passage length that may be set, in words: a shingle."""
        return self.k if self.unit == "word" else -(-self.k // LETTERS_A_WORD)

    @property
    def method(self) -> SignatureMethod:
        """How signatures are made and compared."""
        return METHODS[self.signature]

    @property
    def banding(self) -> tuple[int, int] | None:
        """B and r; None if signatures have no bands."""
        return (self.bands, self.rows) if self.method.kind is SignatureKind.BANDS else None

    @property
    def distance(self) -> int | None:
        """d; None if signatures are not compared bit by bit."""
        return self.max_distance if self.method.kind is SignatureKind.BITS else None

    @property
    def signature_width(self) -> int:
        """Number of 32-bit values that are stored for a text."""
        return 2 if self.method.kind is SignatureKind.BITS else self.signature_size

    @property
    def depends_on_all(self) -> bool:
        """Whether the signature of a text depends on all other texts of the folder."""
        return self.method.weighs and self.weights == "tf-idf"

    def as_applied(self) -> dict[str, Any]:
        """All settings as plain values, with defaults filled in."""
        return {**asdict(self), "min_passage": self.passage_length}

    def with_changes(self, **changes: Any) -> ScanSettings:  # noqa: ANN401
        """A copy with some fields changed, checked again."""
        return replace(self, **changes)

    def uses(self, field: str) -> bool:
        """Whether a setting applies, given the others."""
        return settings_of(self)[field].has_meaning(self) and self.method.uses(field)

    def same_signatures(self, other: ScanSettings) -> bool:
        """Whether a scan with these settings can answer for others without reading anything again.

        Settings that choose among existing signatures may differ; shared passages may be longer.
        """
        if (
            self.signature_size != other.signature_size
            or self.passage_length > other.passage_length
        ):
            return False
        if other.reworked not in ("off", self.reworked):
            return False
        free = [field for field, setting in settings_of(self).items() if not setting.signs]
        changes = {field: getattr(other, field) for field in (*free, "min_passage", "reworked")}
        return other == replace(self, **changes)

    def same_but_passages(self, other: ScanSettings) -> bool:
        """Whether a scan can answer for others after searching for passages as they do.

        That needs its texts, which are kept (see `core.scan.scan.Scan.searching`), and no file.
        """
        searching = replace(self, reworked=other.reworked, min_passage=other.min_passage)
        return searching.same_signatures(other)

    def same_skip_grams(self, other: ScanSettings) -> bool:
        """Whether the same skip-grams of a text are sampled."""
        return ONE_IN.get(self.reworked) == ONE_IN.get(other.reworked)


class Preset(NamedTuple):
    """Settings with a name, as a starting point; name and purpose are messages."""

    name: str
    purpose: str
    settings: ScanSettings


PRESETS = (
    Preset(
        N_("Essays and reports"),
        N_("Prose of a page or more; finds copies, rewording and pasted paragraphs."),
        ScanSettings(),
    ),
    Preset(
        N_("Short texts"),
        N_("Answers, abstracts, messages: a few sentences each."),
        ScanSettings(unit="char", k=5, bands=32, rows=4, min_resemblance=0.30),
    ),
    Preset(
        N_("Long articles"),
        N_("Long texts in any script, also without spaces between words."),
        ScanSettings(unit="char", k=9, bands=42, rows=3, min_resemblance=0.20),
    ),
    Preset(
        N_("Same text again"),
        N_("Only documents that are nearly the same throughout."),
        ScanSettings(bands=14, rows=8, min_resemblance=0.80, list_passages=False, reworked="off"),
    ),
)
DEFAULT_PRESET = PRESETS[0]
