"""Finds the text to set aside in the documents of a scan by its rules, with a finder for each rule.

    texts ─▶ quotations, lists of references       each text by itself
          ─▶ phrases                               each text by itself
          ─▶ templates, common passages, cover sheets and headings       compared with all others

The spans of a rule stay the same as long as neither the rule nor the text changes, so they are
kept; those of rules that compare texts, as long as no text changes.

Quotations in a text: between marks of many languages, and set off as a block.

1. Marks are paired within a paragraph: “ ” „ “ « » » « ‹ › ‚ ‘ ‘ ’ ” ” 「 」 『 』 〝 〟 `` '' and
   straight ones. An apostrophe is no mark; straight quotes and single ones open only where
   an opening mark can be, after a space or bracket, and close only where a closing one can be,
   before a space or punctuation.
2. A mark without its counterpart is ignored, so that none swallows a document; so is a straight one
   after which another opens. “ may end in " and " in ”, as in texts that were edited often. A
   quotation spans several paragraphs only if each begins with an opening mark, as printers do it.
3. Text of less than a few words is a title or a word under discussion, and is no quotation.
4. A string of a program is no quotation, nor is text between apostrophes that are letters: if most
   marks like ‘ and ' that could open have no counterpart, none of them opens.
5. A block quotation is a run of lines that begin with ">", or an indented paragraph, that the text
   before announces with a colon. Lines with ">" that are not announced are examples and remarks,
   and set off whole schedules.

Marks count with the text between them. Offsets are code points.

Bibliographies and lists of references in a text, at its end and at the end of chapters.

1. A heading of such a list, in one of many languages, begins a list if the text after it looks like
   entries: they have a year, a DOI, an address, an ISBN, a number in brackets or a name before a
   comma and an initial. The list continues as long as such paragraphs do, and ends before the next
   heading or prose. "Literature" over a chapter of prose begins none.
2. Without a heading, the last paragraphs of a text are a list if each is plainly an entry: there
   are at least `FEWEST`, each short, each with a year and another such sign.

A heading counts with its list. Offsets are code points.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from core.base.patterns import lazy_pattern
from core.exclusions import repeated
from core.exclusions.rules import GIVEN, NO_RULES, ExclusionRules, Phrase
from core.text.characters import code_points
from core.text.set_aside import Reason, SetAside

LEAST_WORDS = 5
MOST_CHARACTERS = 5_000  # of a quotation in a paragraph
AHEAD = 300  # characters that are searched for a mark that closes better
LEAST_OF_BLOCK = 8  # words of an indented paragraph
CLOSES = {
    "“": '”"',
    "„": '“”"',
    "”": '”"',  # Swedish, Finnish
    "«": "»",
    "»": "«»",  # German, Danish; Swedish
    "‹": "›",
    "›": "‹›",
    "‚": "‘’",
    "‘": "’",
    "「": "」",
    "『": "』",
    "〝": "〞〟",
    '"': '"”',
    "＂": "＂",
    "'": "'",
}
OPENS_BY_SHAPE = frozenset("\"＂'‘”")  # these open only if they are placed like an opening mark
CLOSES_BY_SHAPE = frozenset("\"＂'’")
APOSTROPHES = frozenset("'’‘")
STRAIGHT = frozenset("\"＂'")
CODE = lazy_pattern(r"(?:[=\[{]|\w\()\s?\Z")  # before a string of a program
MOST_APOSTROPHES = 2  # between straight single quotes
# Apostrophes before a word, and after punctuation or before it, which letters of words seldom are.
OPENING = lazy_pattern(r"['‘’](?<![\w.!?,)].)(?=\w)")
CLOSING = lazy_pattern(r"['’](?:(?<=[.,!?…].)(?!\w)|(?<=\w.)(?=[.,;:!?)\s]|\Z))")
FEWEST_LETTERS = 8
MOST_OPEN = 8  # marks without their counterpart; of more the first are ignored
MARKS = "".join(sorted({*CLOSES, *"".join(CLOSES.values())}))
IS_MARK = np.zeros(0x110000, dtype=np.bool_)
IS_MARK[[ord(mark) for mark in MARKS]] = True
BLANK_LINE = lazy_pattern(r"\n[^\S\n]*\n|\f")
LATEX = lazy_pattern(r"``(?=\S)((?:(?!\n[ \t]*\n|``).){1,5000}?)(?<=\S)''", re.DOTALL)
QUOTED_LINES = lazy_pattern(r"^[ \t]*>.*(?:\n[ \t]*>.*)*", re.MULTILINE)
ANNOUNCED = lazy_pattern(
    r"^(?![ \t])[^\n]*[:：][ \t]*\n[ \t]*\n"
    r"(?P<block>(?:(?: {3,}|\t)(?!\(?\w{1,4}[.)])[^\s>*+\-•\d][^\n]*)(?:\n(?: {3,}|\t)\S[^\n]*)*)$",
    re.MULTILINE,
)
# Letters of scripts without spaces; 1.6 of them make a word.
ALONE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
UNSPACED = lazy_pattern(f"[{ALONE}]")
SPACED = lazy_pattern(f"[^\\W_{ALONE}]+")
NO_SPACE_BEFORE_MARKS = lazy_pattern(f"[{ALONE}\uac00-\ud7af]")  # Korean particles follow at once
LETTERS_A_WORD = 1.6


class _Open(NamedTuple):
    offset: int
    mark: str


def find_quotations(text: str) -> list[SetAside]:
    """The quotations of a text, in no order; they may overlap."""
    spans = [*_between_marks(text), *_between_latex_marks(text), *_blocks(text)]
    return [SetAside(start, end, Reason.QUOTATION) for start, end in spans]


def word_count(text: str) -> float:
    """About how many words a text has, in any script."""
    return len(SPACED.findall(text)) + len(UNSPACED.findall(text)) / LETTERS_A_WORD


def _between_marks(text: str) -> Iterator[tuple[int, int]]:
    opened: list[_Open] = []
    before = 0
    has_letters = _has_letters_like_marks(text)
    for offset in np.flatnonzero(IS_MARK[code_points(text)]).tolist():
        mark = text[offset]
        if opened and BLANK_LINE.search(text, before, offset):
            yield from _run_on(text, opened[0], offset)
            opened.clear()
        before = offset
        if mark in APOSTROPHES and (has_letters or _is_inside_word(text, offset)):
            continue
        number = _opener_of(opened, mark, text, offset)
        if number is not None:
            start = opened[number].offset
            if _is_quotation(text, start, offset):
                yield start, offset + 1
            del opened[number:]
        elif mark in CLOSES and (mark not in OPENS_BY_SHAPE or _opens(text, offset)):
            if mark in STRAIGHT:
                opened = [opening for opening in opened if opening.mark != mark]
            opened = [*opened[1 - MOST_OPEN :], _Open(offset, mark)]
    if opened:
        yield from _run_on(text, opened[0], len(text))


def _has_letters_like_marks(text: str) -> bool:
    """Whether apostrophes are letters, like glottal stops: many more could open than close."""
    opening = sum(1 for _ in OPENING.finditer(text))
    return opening > FEWEST_LETTERS + 1.25 * sum(1 for _ in CLOSING.finditer(text))


def _opener_of(opened: list[_Open], mark: str, text: str, offset: int) -> int | None:
    """The last mark that a mark can close, if it is placed like a closing mark."""
    if mark in CLOSES_BY_SHAPE and not _closes(text, offset):
        return None
    can_close = (
        number for number in range(len(opened) - 1, -1, -1) if mark in CLOSES[opened[number].mark]
    )
    return next(can_close, None)


def _is_quotation(text: str, start: int, end: int) -> bool:
    """Whether the text between two marks is long enough and, between straight ones, unbroken.

    Languages that write a glottal stop as an apostrophe have many inside of it.
    """
    if end - start > MOST_CHARACTERS or not _is_long(text, start, end):
        return False
    if text[start] in STRAIGHT and CODE.search(text, max(0, start - 3), start):
        return False
    return text[end] != "'" or text.count("'", start + 1, end) <= MOST_APOSTROPHES


def _run_on(text: str, opened: _Open, end: int) -> Iterator[tuple[int, int]]:
    """A paragraph from an open mark on, if the next one begins with the same mark again."""
    line = text[max(text.rfind("\n", 0, opened.offset), text.rfind("\f", 0, opened.offset)) + 1 :]
    if opened.mark in OPENS_BY_SHAPE or not line.lstrip().startswith(opened.mark):
        return
    blank = BLANK_LINE.search(text, opened.offset, end)
    if blank is None or not text.startswith(opened.mark, _next_letter(text, blank.end())):
        return
    if _is_long(text, opened.offset, blank.start()):
        yield opened.offset, blank.start()


def _next_letter(text: str, offset: int) -> int:
    while offset < len(text) and text[offset].isspace():
        offset += 1
    return offset


def _is_inside_word(text: str, offset: int) -> bool:
    around = text[offset - 1 : offset] if offset else "", text[offset + 1 : offset + 2]
    return all(map(_is_of_word, around))


def _is_of_word(letter: str) -> bool:
    """Whether a character belongs to a word of a script that has spaces before quotations."""
    return letter.isalnum() and not NO_SPACE_BEFORE_MARKS.match(letter)


def _opens(text: str, offset: int) -> bool:
    """Whether a mark is placed like an opening one: right before a word, not right after one."""
    before, after = text[offset - 1 : offset] if offset else "", text[offset + 1 : offset + 2]
    if _is_of_word(before) or before in set(".!?)]}%"):
        return False
    return not (after or " ").isspace() and after not in set(",;:!?)")


def _closes(text: str, offset: int) -> bool:
    """Whether a mark is placed like a closing one: not after a space, not right before a word.

    After an s and before a space, an apostrophe may mark a plural possessive. A straight one closes
    only beside punctuation, a curved one unless another follows before the next opening mark.
    """
    before, after = text[offset - 1 : offset] if offset else "", text[offset + 1 : offset + 2]
    if not before or before.isspace() or _is_of_word(after):
        return False
    if text[offset] == "'":
        return before in set(".,!?…") or after in set(".,;:!?)")
    if text[offset] == "’" and before in set("sS") and after.isspace():
        rest = text[offset + 1 : offset + AHEAD]
        rest = rest[: rest.find("‘")] if "‘" in rest else rest
        return not re.search(r"[^\W\d_]?[^\s]’(?=[\s.,;:!?)]|\Z)", BLANK_LINE.split(rest)[0])
    return True


def _is_long(text: str, start: int, end: int) -> bool:
    return word_count(text[start : min(end, start + AHEAD)]) >= LEAST_WORDS


def _between_latex_marks(text: str) -> Iterator[tuple[int, int]]:
    if "``" in text:
        for match in LATEX.finditer(text):
            if _is_long(text, *match.span()):
                yield match.span()


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    if ">" in text:
        for match in QUOTED_LINES.finditer(text):
            start, end = match.span()
            if end - start > MOST_CHARACTERS or not _is_announced(text, start):
                continue
            if _is_long(text, *match.span()):
                yield match.span()
    if ":" in text or "：" in text:
        for match in ANNOUNCED.finditer(text):
            if word_count(match["block"]) >= LEAST_OF_BLOCK and _is_prose(match["block"]):
                yield match.span("block")


def _is_announced(text: str, start: int) -> bool:
    return text[max(0, start - AHEAD) : start].rstrip(" \t\n*_").endswith((":", "："))


def _is_prose(text: str) -> bool:
    """Whether a block is no program and no table: nearly all letters and spaces."""
    plain = sum(
        character.isalpha() or character.isspace() or character in ",.'’-" for character in text
    )
    return plain >= 0.9 * len(text)


FEWEST = 3  # entries of a list without a heading
WORDS_AN_ENTRY = 60  # a paragraph with fewer signs than one for so many words is prose
WORDS_UNNAMED = 25  # the same of a paragraph that does not begin with a name or a number
MOST_OF_ENTRY = 90  # words
SHORT = 12  # words; such a line may divide a list
LONGEST_HEADING = 60  # characters
MOST_TRIED = 200  # headings without a list
MOST_OF_BLOCK = 20_000  # characters of a paragraph that are examined
AT_END = 400  # paragraphs that are examined at the end

# Headings of lists of references.
HEADINGS = frozenset(
    Path(__file__).with_name("headings.txt").read_text("utf-8").casefold().splitlines()
)
LINE = lazy_pattern(r"[^\n]+")
BLOCK = lazy_pattern(r"\S[^\n\f]*(?:\n[^\S\n\f]*[^\s][^\n\f]*)*")
# Years of our calendar and of others, in the digits of any script.
YEAR = lazy_pattern(r"(?<![\d.,/-])[12١٢۱۲१२]\d{3}[a-z]?(?![\d,]|[.]\d)")
NO_YEAR = lazy_pattern(
    r"\b(?:n\.\s?d\.|o\.\s?J\.|s\.\s?a\.|s\.\s?d\.|б\.\s?г\.|in press|forthcoming)", re.IGNORECASE
)
LINK = lazy_pattern(
    r"https?://|\bwww\.|\bdoi\s*[:.]|\b10\.\d{4,}/|\bIS[BS]N\b|\barXiv:", re.IGNORECASE
)
NUMBERED = lazy_pattern(
    r"^\s*(?:[-*•]\s+)?(?:\[[^\]\n]{1,20}\]|［\d{1,3}］|\(\d{1,3}\)|\d{1,3}[.)．、]\s)"
)
BRACKETED = lazy_pattern(r"^\s*(?:[-*•]\s+)?(?:\[\w{1,12}\]|［\d{1,3}］)")
NAMED = lazy_pattern(
    r"^\s*(?:[-*•]\s+|\d{1,3}[.)]\s+|\[[^\]\n]{1,20}\]\s*)?[*_“\"«]{0,2}"
    r"(?:(?:van|von|de|del|della|di|da|du|la|le|el|al|ter|ten|der|den|zu)\s+){0,3}"
    r"[^\W\d_][^\W\d_]*(?:[ '’-][^\W\d_]+){0,2},?\s+(?:[^\W\d_]\.|[^\W\d_][^\W\d_]+[.,;(])"
)
IN_TEXT = lazy_pattern(r"\([^()\n]{0,40}[^\W\d_]{2},? [12]\d{3}[^()\n]{0,40}\)")  # (Meyer 1999)
PAGES = lazy_pattern(
    r"\b(?:pp?|S|с|стр|vol|Vol|No|no|Nr|Bd|Hrsg|eds?|ред|Изд)\.\s|\d+\s?[-–—]\s?\d+|\[[A-Z]\]|//"
)
HEADING_MARKS = lazy_pattern(
    r"^[#=*_\s]*(?:(?:chapter\s+)?[\dIVX]+(?:\.\d+)*[.):]?\s+)?|[#=*_:：.\s]+$", re.IGNORECASE
)
UNDERLINE = lazy_pattern(r"[-=~^*_]{3,}\s*\Z")
MARKUP_HEADING = lazy_pattern(r"^(?:#{1,6}\s|=+ )")


Extent: TypeAlias = tuple[int, int]  # where something begins and ends in its text


def find_bibliographies(text: str) -> list[SetAside]:
    """The lists of references of a text, in no order."""
    spans = [*_with_heading(text)]
    if not spans or spans[-1][1] < len(text.rstrip()):
        spans += _at_end(text, spans[-1][1] if spans else 0)
    return [SetAside(start, end, Reason.BIBLIOGRAPHY) for start, end in spans]


def _with_heading(text: str) -> Iterator[tuple[int, int]]:
    done = tried = 0
    for start, end in _headings(text):
        if start < done:
            continue
        stop = _end_of_list(text, end)
        if stop > end:
            yield start, stop
            done = stop
        elif (tried := tried + 1) == MOST_TRIED:
            return


def _headings(text: str) -> Iterator[tuple[int, int]]:
    """Lines that are headings of lists: where they start and end."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if 2 <= end - start <= 2 * LONGEST_HEADING and _is_heading_of_list(text[start:end]):
            yield start, end
        start = end + 1


def _is_heading_of_list(line: str) -> bool:
    return HEADING_MARKS.sub("", line).casefold() in HEADINGS


def _end_of_list(text: str, start: int) -> int:
    """The end of the list whose heading ends at `start`; `start` if there is no list."""
    end, waiting, position = start, 0, start
    while match := BLOCK.search(text, position):
        block = text[match.start() : min(match.end(), match.start() + MOST_OF_BLOCK)]
        position = match.end()
        if UNDERLINE.fullmatch(block) and end == start:
            continue
        if UNDERLINE.match(block) and end == start:
            block = block.partition("\n")[2]
        if MARKUP_HEADING.match(block) or _is_underlined(block):
            break
        if _is_entries(block):
            end, waiting = position, 0
        elif word_count(block[:500]) > SHORT or waiting or _is_heading_of_list(block):
            break
        else:
            waiting += 1  # a title inside of a list, or after it
    return end


def _is_underlined(block: str) -> bool:
    lines = block.split("\n")
    return len(lines) == 2 and UNDERLINE.fullmatch(lines[1]) is not None


def _is_entries(block: str) -> bool:
    """Whether a paragraph under a heading is one entry or several."""
    words, cited = word_count(block), len(IN_TEXT.findall(block))
    signs = len(YEAR.findall(block)) + len(NO_YEAR.findall(block)) + len(LINK.findall(block))
    signs += sum(1 for line in block.split("\n") if BRACKETED.match(line)) - cited
    if NAMED.match(block) or NUMBERED.match(block):
        signs += words <= MOST_OF_ENTRY
        return signs > 0 and signs * WORDS_AN_ENTRY >= words
    return signs > 0 and signs * WORDS_UNNAMED >= words


def _at_end(text: str, after: int) -> Iterator[tuple[int, int]]:
    """The entries with which a text ends, without any heading."""
    paragraphs = _last_paragraphs(text, after)
    first = len(paragraphs)
    while first and _is_plain_entry(text[slice(*paragraphs[first - 1])]):
        first -= 1
    if len(paragraphs) - first >= FEWEST:
        yield paragraphs[first][0], paragraphs[-1][1]


def _last_paragraphs(text: str, after: int) -> Sequence[Extent]:
    """The last paragraphs of a text; its last lines, if entries are lines."""
    start = max(after, len(text) - AT_END * 200)
    blocks = [match.span() for match in BLOCK.finditer(text, start)][-AT_END:]
    if blocks and "\n" in text[slice(*blocks[-1])]:
        by_line = [line.span() for line in LINE.finditer(text, *blocks[-1])]
        if all(_is_plain_entry(text[slice(*line)]) for line in by_line[-FEWEST:]):
            return [*blocks[:-1], *by_line]
    return blocks


def _is_plain_entry(block: str) -> bool:
    if not block or word_count(block[:2000]) > MOST_OF_ENTRY:
        return False
    if not (YEAR.search(block) or LINK.search(block)):
        return False
    is_named = NAMED.match(block)
    return bool(is_named or BRACKETED.match(block)) and bool(
        LINK.search(block) or PAGES.search(block) or (is_named and _ends_like_entry(block))
    )


def _ends_like_entry(block: str) -> bool:
    """Whether the year is near the start, as after authors, and not in a sentence."""
    match = YEAR.search(block)
    return match is not None and match.start() < len(block) // 2 and block.count(".") > 1


Spans = Mapping[int, Sequence[SetAside]]
SpansByText = dict[int, list[SetAside]]
EVERYWHERE: Spans = {}


class Known(NamedTuple):
    """The spans found earlier.

    Attributes:
        rules: The rules that found them.
        spans: The spans, by present number of the document.
        same: The earlier documents that still have the same text; these are all documents if
            nothing else changed, templates included.
    """

    rules: ExclusionRules = NO_RULES
    spans: Spans = EVERYWHERE
    same: frozenset[int] = frozenset()


def find_exclusions(
    texts: repeated.Texts, rules: ExclusionRules, known: Known, template: Sequence[int] = ()
) -> dict[int, tuple[SetAside, ...]]:
    """The spans of texts that do not count by these rules, in reading order.

    Args:
        texts: The texts.
        rules: The rules.
        known: The spans found earlier.
        template: Numbers of texts that do not count; nor does text that others share with them.

    Returns:
        The spans of every text, also of texts without any.
    """
    finding = _Finding(texts, rules, known)
    finding.of_texts("quotations", Reason.QUOTATION, find_quotations)
    finding.of_texts("bibliography", Reason.BIBLIOGRAPHY, find_bibliographies)
    finding.of_phrases()
    finding.of_all("common", Reason.COMMON, _common)
    finding.of_all("repeated", Reason.REPEATED, _repeated)
    if template:
        finding.add(_of_templates(texts, set(template)))
    for number in template:
        finding.spans[number] = [SetAside(0, int(texts.lengths[number]), Reason.TEMPLATE)]
    return {number: tuple(sorted(set(spans))) for number, spans in finding.spans.items()}


class _Finding:
    """The spans found so far, by number of the text."""

    def __init__(self, texts: repeated.Texts, rules: ExclusionRules, known: Known) -> None:
        self.spans: SpansByText = {number: [] for number in range(len(texts))}
        self._texts, self._rules, self._known = texts, rules, known

    def add(self, numbered_spans: Iterable[tuple[int, SetAside]]) -> None:
        for number, span in numbered_spans:
            self.spans[number].append(span)

    def of_texts(
        self, rule: str, reason: Reason, find: Callable[[str], Sequence[SetAside]]
    ) -> None:
        """Find the spans of rules for single texts, in texts where they are not known."""
        if not getattr(self._rules, rule):
            return
        same = self._known.same if getattr(self._known.rules, rule) else frozenset()
        self._keep(same, (reason,))
        for number, spans in self._texts.each(find, self.spans.keys() - same):
            self.spans[number] += spans

    def of_all(
        self,
        rule: str,
        reason: Reason,
        find: Callable[[repeated.Texts, ExclusionRules], Iterator[tuple[int, SetAside]]],
    ) -> None:
        """Find the spans of rules that compare all texts, unless nothing changed."""
        wanted = getattr(self._rules, rule)
        if not wanted:
            return
        if wanted == getattr(self._known.rules, rule) and len(self._known.same) == len(self._texts):
            self._keep(self._known.same, (reason,))
        else:
            self.add(find(self._texts, self._rules))

    def of_phrases(self) -> None:
        """Find all occurrences of the phrases; only of new phrases if none was removed."""
        wanted, before = set(self._rules.phrases), set(self._known.rules.phrases)
        same = frozenset[int]() if before - wanted else self._known.same
        self._keep(same, GIVEN)
        self._seek(wanted - before, same)
        self._seek(wanted, self.spans.keys() - same)

    def _seek(self, phrases: Collection[Phrase], numbers: Collection[int]) -> None:
        if not phrases or not numbers:
            return
        index = repeated.PhraseIndex(sorted(phrases))
        is_all = len(numbers) == len(self._texts)
        for words in self._texts.all_words() if is_all else self._texts.words(numbers):
            self.add(index.find(words))

    def _keep(self, same: Collection[int], reasons: Collection[Reason]) -> None:
        for number in same:
            spans = self._known.spans.get(number, ())
            self.spans[number] += [span for span in spans if span.reason in reasons]


def find_common(texts: repeated.Texts, fewest: int) -> dict[int, list[SetAside]]:
    """The passages that at least `fewest` of the texts hold, by number of the text."""
    by_number: dict[int, list[SetAside]] = {}
    for number, span in _common(texts, ExclusionRules(common=fewest)):
        by_number.setdefault(number, []).append(span)
    return by_number


def _common(texts: repeated.Texts, rules: ExclusionRules) -> Iterator[tuple[int, SetAside]]:
    grams = repeated.count_grams(
        texts.all_words, repeated.LEAST_COMMON, len(texts), texts.word_count, fewest=rules.common
    )
    return repeated.shared_spans(texts, grams, repeated.LEAST_COMMON, Reason.COMMON)


def _of_templates(
    texts: repeated.Texts, template: Collection[int]
) -> Iterator[tuple[int, SetAside]]:
    of_template = list(texts.words(template))
    total = sum(len(words.values) for words in of_template)
    grams = repeated.count_grams(
        lambda: of_template, repeated.LEAST_OF_TEMPLATE, len(texts), total, fewest=1
    )
    return repeated.shared_spans(texts, grams, repeated.LEAST_OF_TEMPLATE, Reason.TEMPLATE)


def _repeated(texts: repeated.Texts, _rules: ExclusionRules) -> Iterator[tuple[int, SetAside]]:
    """Cover sheets and headings."""
    fewest = repeated.fewest_documents(len(texts))
    starts: list[repeated.Words] = [repeated.starts_of(words) for words in texts.all_words()]
    total = sum(len(words.values) for words in starts)
    grams = repeated.count_grams(lambda: starts, repeated.COVER_WORDS, len(texts), total, fewest)
    lines = list(texts.each(repeated.headings_of, range(len(texts))))
    counts = Counter(
        words for _, heading_lines in lines for words in {line.words for line in heading_lines}
    )
    headings = {words for words, count in counts.items() if count >= fewest}
    return repeated.repeated_spans(starts, lines, repeated.Repeats(fewest, grams, headings))
