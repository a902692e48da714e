"""Two made-up languages with computed catalogues: what stays English in them is no message.

`LONG` has English words with accents, 40 % longer, in brackets; `MIRRORED` has Hebrew letters. In
both, a plain English word comes from code that shows it without asking for a translation, or asks
for one that `make words` does not extract.
"""

import importlib.util
import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from gettext import NullTranslations
from html import unescape
from math import ceil
from pathlib import Path
from string import ascii_letters
from types import ModuleType

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from core.base.messages import Language, language, use_language

ACCENTS = str.maketrans(ascii_letters, "áƀçđéƒĝĥíĵķļɱñóþǫŕšťúṽŵẋýžÁƁÇĐÉƑĜĤÍĴĶĻṀÑÓÞǪŔŠŤÚṼŴẊÝŽ")
HEBREW = str.maketrans(ascii_letters, "אבגדהוזחטיכלמנסעפצקרשתךםןף" * 2)
# What a translator leaves as it is: placeholders, also argparse's, tags, entities.
UNTRANSLATED = re.compile(r"(\{[^{}]*\}|%\(\w+\)s|%%|</?[a-z][^<>]*>|&(?:[a-z]+|#\d+);)")
LONGER = 1.4
VOWEL = re.compile("[aeiouyAEIOUY]")
MARKUP = re.compile(r"<(style|script|head)\b.*?</\1>|</?[a-z!][^<>]*>", re.DOTALL | re.IGNORECASE)
WORD = re.compile(r"(?<![\w.\-])[A-Za-z]{2,}(?![\w\-])")


def words() -> ModuleType:
    """The module behind `make words`."""
    path = Path(__file__).parents[1] / ".ci" / "words.py"
    spec = importlib.util.spec_from_file_location("words", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def template() -> Catalog:
    """All messages of the program, as they were extracted, which takes seconds."""
    with (Path(__file__).parents[1] / "resources/languages/neardup.pot").open("rb") as file:
        return read_po(file)


@cache
def _messages() -> dict[tuple[str, str], str | Sequence[str]]:
    """Each by its context and its words, those of one thing."""
    messages = {}
    for message in template():
        first = message.id if isinstance(message.id, str) else message.id[0]
        messages[message.context or "", first] = message.id
    return messages


class _Computed(NullTranslations):
    """A catalogue that has every message which is extracted."""

    def __init__(self, translate: Callable[[str], str]) -> None:
        super().__init__()
        self._translate = cache(translate)

    def gettext(self, message: str) -> str:
        return self.pgettext("", message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        message = msgid1 if n == 1 else msgid2
        return self._translate(message) if ("", msgid1) in _messages() else message

    def pgettext(self, context: str, message: str) -> str:
        return self._translate(message) if (context, message) in _messages() else message


def _accented(message: str) -> str:
    parts = UNTRANSLATED.split(message)
    words = [VOWEL.sub(r"\g<0>\g<0>", part).translate(ACCENTS) for part in parts[::2]]
    parts[::2] = words
    lacking = LONGER * len(message) - len("".join(parts)) - 2
    return f"⟦{''.join(parts)}{' ~~~' * ceil(lacking / 4)}⟧"


def _from_right(message: str) -> str:
    parts = UNTRANSLATED.split(message)
    parts[::2] = [part.translate(HEBREW) for part in parts[::2]]
    return f"⟦{''.join(parts)}⟧"


def _sources() -> list[str | Sequence[str]]:
    return [message for message in _messages().values() if message]


# Codes of the Unicode CLDR for such languages.
LONG = Language("en_XA", _Computed(_accented), "\u2009", ",", "{}\u00a0%", _sources)
MIRRORED = Language("ar_XB", _Computed(_from_right), sources=_sources)


@contextmanager
def spoken(chosen: Language) -> Iterator[None]:
    """The program in another language, in all its threads."""
    before = language()
    use_language(chosen)
    try:
        yield
    finally:
        use_language(before)


def english_words(text: str, *allowed: str) -> list[str]:
    """The words of a text that are English and not allowed."""
    readable = unescape(MARKUP.sub(" ", text)).replace("&", "")
    return [word for word in WORD.findall(readable) if word not in allowed]


WORDS = [f"λέξη{number}" for number in range(3000)]


def write_folder(parent: Path) -> Path:
    """Pairs of every kind: the same, nearly so, half, for a passage only; problems. In Greek.

    With pairs enough that it is told how many have as strong a passage.
    """
    chance, folder = random.Random(7), parent / "εργασίες"
    folder.mkdir()
    half, page = chance.choices(WORDS, k=400), chance.choices(WORDS, k=60)
    parts = [chance.choices(WORDS, k=45) for _ in range(6)]
    apart = [part + chance.choices(WORDS, k=90) for part in parts]
    texts = {
        "μισό.txt": half,
        "αντίγραφο <b>&amp; άλλο.txt": half,
        "άλλο μισό.txt": [*half[:300], *chance.choices(WORDS, k=100)],
        "έκθεση.txt": [*chance.choices(WORDS, k=3000), *page, *chance.choices(WORDS, k=3000)],
        "πηγή.txt": [*chance.choices(WORDS, k=2000), *page],
        "μέρη.txt": [word for part in apart for word in part],
        "μέρη ανάποδα.txt": [word for part in parts[::-1] for word in part],
        "μέρος πρώτο.txt": chance.choices(WORDS, k=200),
        "μέρος δεύτερο.txt": chance.choices(WORDS, k=200),
        "κενό.txt": [],
    }
    for name, words in texts.items():
        (folder / name).write_text(" ".join(words), encoding="utf-8")
    (folder / "εικόνα.bin").write_bytes(bytes(range(256)) * 4)
    (folder / "χαλασμένο.docx").write_bytes(b"PK\x03\x04" + bytes(200))
    return folder
