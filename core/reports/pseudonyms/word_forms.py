"""The forms of a word by which names are found: folded, decoded, as a reader sees it."""

from __future__ import annotations

import base64
import codecs
import html
import re
import unicodedata
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby
from string import ascii_lowercase
from typing import NamedTuple

from core.base.patterns import lazy_pattern
from core.text.disguises import BLANK, INVISIBLE, LATIN, LETTERS_END, letters
from core.text.languages import FUNCTION_WORDS

# Letters written out where a keyboard lacks them: Müller and Mueller are one name.
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae"})
_JOINED_BEFORE = {"Arabic": "وفبلكس", "Hebrew": "ובלכמהש"}  # prepositions written with the word
KEPT = 1 << 17  # words whose forms are remembered
_ARABIC_ARTICLE = "ال"
# At the end of a word, and on a Persian keyboard; not the sign that only draws a word out, nor a
# hamza that stands on no letter.
_ARABIC_ALIKE = str.maketrans("ىیةک", "ييهك", "ـء")


def _marks() -> str:
    """All combining marks as ranges of a character class: a letter and its marks are one."""
    marks = (n for n in range(0x300, 0x20000) if unicodedata.category(chr(n))[0] == "M")
    ranges = (list(run) for _, run in groupby(enumerate(marks), lambda item: item[1] - item[0]))
    return "".join(f"{chr(run[0][1])}-{chr(run[-1][1])}" for run in ranges)


# Scripts without spaces between words, and Korean, where endings are written with the name.
_UNSPACED_LETTER = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
UNSPACED = lazy_pattern(f"{_UNSPACED_LETTER}+")


@cache
def word_pattern() -> re.Pattern[str]:
    """A word: letters with their marks."""
    return re.compile(f"(?:[^\\W\\d_][{_marks()}]*)+")


class Word(NamedTuple):
    """A word of a text: where it stands, and its letters without case and accents."""

    start: int
    end: int
    folded: str


def words_in(text: str) -> Iterator[Word]:
    """The words of a text; digits and signs part them."""
    for match in word_pattern().finditer(text):
        yield Word(match.start(), match.end(), folded(match[0]))


@lru_cache(KEPT)
def folded(word: str) -> str:
    """A word without case and accents; of nothing but accents it keeps them."""
    if word.isascii():
        return word.lower()
    letters = unicodedata.normalize("NFKD", word.casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    plain = plain.casefold()
    return plain.translate(_ARABIC_ALIKE) or plain or letters


@lru_cache(KEPT)
def spellings(word: str) -> tuple[str, ...]:
    """The forms that a word of a text may have in a name: itself, and its letters written out.

    Without the prefixes that Arabic and Hebrew join to it, without the s of a genitive.
    """
    plain = folded(word)
    forms = [plain]
    if not plain.isascii() or not word.isascii():
        composed = unicodedata.normalize("NFC", word.casefold())
        forms.append(folded(composed.translate(_WRITTEN_OUT)))
        for joined in _JOINED_BEFORE.values():
            forms += [plain[1:]] if plain[0] in joined and len(plain) > 3 else []
        forms += [form.removeprefix(_ARABIC_ARTICLE) for form in forms]
    if plain.endswith("s") and len(plain) > 4:
        forms.append(plain[:-1])
    return tuple(dict.fromkeys(filter(None, forms)))


def parts_of(name: str) -> list[str]:
    """The words of a name as it is written, parted at capitals, digits and signs."""
    parts = []
    for match in word_pattern().finditer(unicodedata.normalize("NFC", name)):
        word, start = match[0], 0
        for index in range(1, len(word)):
            if word[index].isupper() and word[index - 1].islower():
                parts.append(word[start:index])
                start = index
        parts.append(word[start:])
    return parts


class Skeleton(NamedTuple):
    """A text as it is read: folded letters and digits, look-alikes as Latin, nothing invisible.

    Attributes:
        letters: What else parts words is a space.
        starts: Where each of them begins in the text.
        ends: Where it ends.
    """

    letters: str
    starts: Sequence[int]
    ends: Sequence[int]

    def span(self, first: int, end: int) -> tuple[int, int]:
        """The span of a run of letters in the text, which may be written backwards."""
        return min(self.starts[first:end]), max(self.ends[first:end])


# "K o w a l", "K.o.w.a.l": single letters with signs between them; and a word that a line parts,
# which needs no hyphen where words are not parted by spaces.
_SPACED = lazy_pattern(r"(?<![^\W_])[^\W_](?:[\W_]{1,3}[^\W_]){2,}(?![^\W_])")
_BROKEN = lazy_pattern(
    r"[-\u00ad\u00ac\u2010\u2011]\s*\n\s*(?=[^\W\d_])"
    rf"|(?<={_UNSPACED_LETTER})\s*\n\s*(?={_UNSPACED_LETTER})"
)


def skeleton(text: str) -> Skeleton:
    """The letters of a text that a reader sees, however they are written."""
    if "ן" in text:
        text = _TURNED_L.sub(lambda match: "l" * len(match[0]), text)
    left_out = {
        offset
        for match in _SPACED.finditer(text)
        for offset in range(*match.span())
        if not text[offset].isalnum()
    }
    for match in _BROKEN.finditer(text):
        left_out.update(range(*match.span()))
    read, offsets = [], []
    for offset, character in enumerate(text):
        seen = "" if offset in left_out else _seen(character)
        read.append(seen)
        offsets += [offset] * len(seen)
    return Skeleton("".join(read), offsets, [offset + 1 for offset in offsets])


# The second and later bytes of a letter in UTF-8, read as Latin-1 or Windows-1252.
_BYTE = "[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"
_GARBLED = rf"[\u00c2-\u00df]{_BYTE}|[\u00e0-\u00ef]{_BYTE}{{2}}|[\u00f0-\u00f4]{_BYTE}{{3}}"
_BACKWARDS = "\u202e"  # the text after it is shown backwards
# Letters as web pages, addresses, mails and programs write them, and as a wrong encoding shows
# them; marks of HTML, Markdown and TeX that may stand within a word; what is shown backwards.
_CODED = lazy_pattern(
    r"(?P<entity>&(?:amp;)*(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z]{2,8}\d{0,2});)"
    r"|(?P<bytes>(?:%(?:25)*(?:3\d|[4-9a-fA-F][\da-fA-F]))+|(?:=(?:3\d|[4-9A-F][\dA-F]))+"
    r"|(?<![\da-fA-F])[4-7][\da-fA-F](?:[ :]?(?:20|[4-7][\da-fA-F])){4,}(?![\da-fA-F]))"
    r"|(?P<code>(?:\\u|U\+)[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\u\{[\da-fA-F]{2,5}\})"
    r"|(?P<octal>\\[01][0-7]{2})|(?P<punycode>(?<!\w)xn--[a-z\d-]{1,59})"
    r"|(?P<decimal>(?<!\d)(?:[3-9]\d|1[012]\d)(?:[ ,;]{1,2}(?:[3-9]\d|1[012]\d)){4,}(?!\d))"
    r"|(?P<tags>[\U000e0020-\U000e007e]+)"
    r"|(?P<base64>(?<![\w/+-])(?=[A-Za-z/+]*(?:\d|[a-z][A-Z]))(?a:[\w/+-]{8,}(?:\r?\n[\w/+-]+)*))"
    rf"|(?P<garbled>(?:{_GARBLED})+)"
    r"|(?<=[^\W_])(?:</?[A-Za-z][^<>\n]{0,200}>|[*{}]|\\[-\"'`^~.=]|=[ \t]*\r?\n){1,9}(?=[^\W_])"
    rf"|{_BACKWARDS}(?P<backwards>[^\u202c\n]+)"
)


def readings(text: str) -> Iterator[Skeleton]:
    """A text as it is read, and where letters are coded or turned around, as it is meant."""
    yield skeleton(text)
    meant, starts, ends, position = [], array("q"), array("q"), 0
    for start, end, decoded in _codes(text):
        if decoded == text[start:end]:
            continue
        before = range(position, start)
        meant.append(text[position:start])
        starts.extend(before)
        ends.extend(offset + 1 for offset in before)
        position = end
        meant.append(decoded)
        if text[start] == _BACKWARDS:
            backwards = range(end - 1, start, -1)
            starts.extend(backwards)
            ends.extend(offset + 1 for offset in backwards)
        else:
            starts.extend([start] * len(decoded))
            ends.extend([end] * len(decoded))
    if position:
        rest = range(position, len(text))
        starts.extend(rest)
        ends.extend(offset + 1 for offset in rest)
        read = skeleton("".join([*meant, text[position:]]))
        yield Skeleton(
            read.letters,
            [starts[offset] for offset in read.starts],
            [ends[offset] for offset in read.starts],
        )


def _codes(text: str) -> Iterator[tuple[int, int, str]]:
    """Where letters are coded, and which: in lines of Base64 together, or each by itself."""
    for match in _CODED.finditer(text):
        code = "".join((match["base64"] or "").split())
        decoded = _from_base64(code)
        if not code or decoded != code:
            yield *match.span(), decoded or _decoded(match)
        else:
            for line in re.finditer(r"\S+", match[0]):
                begins = match.start() + line.start()
                yield begins, begins + len(line[0]), _from_base64(line[0])


def _decoded(match: re.Match[str]) -> str:
    """The letters that a code stands for; none for a mark."""
    kind = match.lastgroup
    return _DECODERS[kind](match[kind]) if kind else ""


def _from_bytes(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _from_garbled(code: str) -> str:
    return _from_bytes(
        b"".join(
            character.encode("latin-1" if ord(character) < 256 else "cp1252") for character in code
        )
    )


def _from_punycode(label: str) -> str:
    """The decoded part of an address; itself where it is no code."""
    try:
        return label.encode().decode("idna")
    except UnicodeError:
        return label


_DECODERS: dict[str, Callable[[str], str]] = {
    "entity": lambda code: html.unescape(html.unescape(code)),  # &amp;#75; is a K
    "bytes": lambda code: _from_bytes(bytes.fromhex(re.sub("%(?:25)*|[=:]", "", code))),
    "code": lambda code: chr(int(code.strip("\\uxU+{}"), 16)),
    "octal": lambda code: chr(int(code[1:], 8)),
    "decimal": lambda code: "".join(chr(int(number)) for number in re.findall(r"\d+", code)),
    "punycode": _from_punycode,
    "tags": lambda code: "".join(chr(ord(sign) - _TAGS) for sign in code),
    "garbled": _from_garbled,
    "backwards": lambda code: code[::-1],
}


def _from_base64(code: str) -> str:
    """A decoded text, also from an address; itself where it is no code."""
    try:
        return base64.urlsafe_b64decode(code.translate(_URL_SAFE) + "==").decode()
    except ValueError:
        return code


_URL_SAFE = str.maketrans("+/", "-_")
_TAGS = 0xE0000  # characters of ASCII that nobody sees begin here
_BRAILLE = dict(zip("⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵", ascii_lowercase, strict=True))
# Letters that others look like when they are turned, and what turned letters look like.
_TURNED = dict(zip("ɔɟƃɾʌ", "cfgjv", strict=True))
# The final nun of Hebrew is an l only beside Latin or turned letters.
_TURNED_L = lazy_pattern("(?<=[a-zɐ-ʯᴀ-ᵿ])ן++(?![א-ת])|(?<![א-ת])ן++(?=[a-zɐ-ʯᴀ-ᵿ])")
_UPSIDE_DOWN = str.maketrans("bdnpqu", "qpudbn")


def hidden_forms(word: str) -> tuple[str, ...]:
    """A folded word as it is hidden letter by letter: backwards, upside down, in ROT13."""
    backwards = word[::-1]
    forms = (backwards, backwards.translate(_UPSIDE_DOWN), codecs.encode(word, "rot13"))
    return tuple(form for form in forms if form != word)


# What Unicode calls one Latin letter: in small capitals, with a stroke, on a flag or a button.
_LATIN_LETTER = lazy_pattern(
    r"(?:LATIN|INDICATOR SYMBOL)(?: SMALL| CAPITAL)? LETTER"
    r" (?:SMALL CAPITAL |TURNED |REVERSED |DOTLESS )*([A-Z])(?: WITH [A-Z ]+)?"
)


@lru_cache(KEPT)
def _seen(character: str) -> str:
    """A character as it is seen: folded, "" for nothing, a space where it parts words."""
    if character.isascii():
        return character.lower() if character.isalnum() else " "
    if character in _BRAILLE or character in _TURNED:
        return _BRAILLE.get(character) or _TURNED[character]
    code = ord(character)
    facts = letters().facts[code]
    is_unseen = facts & INVISIBLE or character in BLANK
    if is_unseen or unicodedata.category(character) in {"Cf", "Mn"}:
        return ""
    if code < LETTERS_END:
        character = chr(int(letters().looks_like[LATIN][code]))
    named = _LATIN_LETTER.search(unicodedata.name(character, ""))
    if named:
        return named[1].lower()
    character = unicodedata.normalize("NFKC", character)  # a letter in a circle is one
    return folded(character) if character.isalnum() else " "


# Letters of Cyrillic and Greek in Latin ones, and how languages write one sound in Latin letters:
# coarse, so that Хрущёв, Khrushchev and Chruščev are one.
_ROMAN = str.maketrans(
    dict(
        zip(
            "абвгдежзиклмнопрстуфхцчшыэєіґјћαβγδεζηθικλμνοπρσςτυφχω",
            "abvgdezziklmnoprstufhhhsieeigihavgdezitiklmnoprsstifho",
            strict=True,
        )
    )
    | {
        "щ": "sh",
        "ю": "iu",
        "я": "ia",
        "љ": "li",
        "њ": "ni",
        "ъ": "",
        "ь": "",
        "ξ": "ks",
        "ψ": "ps",
    }
)
_SOUNDS = (
    *(("sch", "sh"), ("shch", "sh"), ("kh", "h"), ("ch", "h"), ("zh", "z"), ("ph", "f")),
    *(("th", "t"), ("cz", "h"), ("sz", "s"), ("ts", "h"), ("tz", "h"), ("ck", "k"), ("ou", "u")),
    *(("w", "v"), ("y", "i"), ("j", "i"), ("x", "ks"), ("q", "k"), ("c", "h"), ("sh", "s")),
    *(("iu", "u"), ("ia", "a")),
)
_DOUBLE = lazy_pattern(r"(.)\1+")


# A letter that sounds otherwise before e and i, or is written for a vowel that Latin lacks.
_SOUNDS_IN_LATIN = (("ce", "se"), ("ci", "si"), ("ge", "dze"), ("gi", "dzi"), ("ue", "y"))


def sounds(name: str) -> set[str]:
    """The sounds that a folded name may have: Garcia is Гарсия, Gerald Джеральд, Mueller Μύλλερ."""
    varied = name
    for written, heard in _SOUNDS_IN_LATIN:
        varied = varied.replace(written, heard)
    return {sound(name), sound(varied)}


@lru_cache(KEPT)
def sound(word: str) -> str:
    """A folded word as another script would write it: Kowalczyk and Ковальчик sound alike."""
    word = word.replace("ου", "u").translate(_ROMAN)
    for written, heard in _SOUNDS:
        word = word.replace(written, heard)
    return _DOUBLE.sub(r"\1", word)


def may_be_romanised(word: str) -> bool:
    """Whether a word is of letters of which `sound` knows how Latin writes them."""
    return "\u0250" < word < "\u0530"


@cache
def function_words() -> frozenset[str]:
    """Words that every text of a language has, of all languages, folded."""
    return frozenset(folded(word) for words in FUNCTION_WORDS.values() for word in words.split())


def is_function_word(word: str) -> bool:
    """Whether a folded word is one of `function_words`."""
    return word in function_words()


# Not those that are parts of names: de la Cruz, van der Berg, El Sayed.
_DETERMINERS = """
the a an this that these those each every any some no our my his her its their your such
die das dem ein eine einen einem einer eines dieser diese dieses diesem diesen jede jeder jedes kein
keine unser unsere les un une ce cet cette ces mon son sa ses leur leurs notre nos votre vos los las
una unos unas este esta estos estas su sus nuestro nuestra il lo gli uno questo questa nel nella um
uma os as het een dit deze
"""


@cache
def _determiners() -> frozenset[str]:
    return frozenset(_DETERMINERS.split())


def is_determiner(word: str) -> bool:
    """Whether a noun, and mostly no name, follows a folded word: the, this, our, eine."""
    return word in _determiners()


def digits_of(text: str) -> str:
    """A text with all its digits as those of ASCII."""
    if text.isascii():
        return text
    return "".join(str(unicodedata.digit(character, character)) for character in text)
