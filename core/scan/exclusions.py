"""Changes what is set aside in the documents of a scan: these are signed again, others stay.

with_rules(state, rules) ─▶ core.exclusions finds the spans ─▶ exclude_spans signs what changed
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from core.candidates.sorted_keys import members
from core.documents.model import Document, templates_among
from core.evidence.pairs import Pairs, pair_codes
from core.exclusions.finding import Known, find_exclusions
from core.exclusions.repeated import Texts
from core.exclusions.rules import NO_RULES, ExclusionRules, Phrase
from core.scan.rescan import Matched
from core.scan.state import ScanState
from core.scan.submissions import file_names
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts, in_parts, sign_numbered
from core.text.identity import text_hashes
from core.text.set_aside import SetAside, merged

if TYPE_CHECKING:
    from core.scan.scan import Scan


def with_rules(
    state: ScanState, rules: ExclusionRules, pool: ThreadPoolExecutor, *, anew: bool
) -> ScanState:
    """A scan with these rules applied, instead of what was set aside.

    Args:
        state: The scan.
        rules: What to set aside.
        pool: Threads to work with.
        anew: Whether to search all documents again, also for rules that have not changed.

    Raises:
        ReviewError: A text cannot be read.
    """
    lengths = state.lengths
    same = frozenset[int]() if anew else frozenset(range(len(lengths)))
    known = Known(state.rules, state.set_aside, same)
    template = templates_among(state.documents)
    spans = find_exclusions(Texts(state.texts, lengths, pool), rules, known, template)
    for number, document in enumerate(state.documents):
        if document.members and number not in template:
            spans[number] = tuple(sorted({*spans[number], *file_names(document)}))
    return exclude_spans(state, spans, pool)._replace(rules=rules)


def exclusions_in_query(
    state: ScanState, document: Document, text: str, pool: ThreadPoolExecutor
) -> Sequence[SetAside]:
    """What does not count of a text to query, as if it were a document of the scan.

    If the scan has a copy, the text stands in its place: one copy more is no reason to set more
    aside.
    """
    rules, template = state.rules, frozenset(templates_among(state.documents))
    if rules == NO_RULES and not template:
        return sorted(file_names(document))
    copy = _copy_of(text, state, template)
    if copy is not None and state.texts[copy] == text:
        return sorted({*state.set_aside.get(copy, ()), *file_names(document)})
    if rules.common or rules.repeated:
        others = [number for number in range(len(state.documents)) if number != copy]
        spans = {index: state.set_aside.get(number, ()) for index, number in enumerate(others)}
        known = Known(rules, spans, frozenset(spans))
    else:  # of the other texts only templates matter
        others, known = sorted(template), Known()
    texts = state.text_store().arranged(np.array(others, np.int64))
    texts.extend([text])
    templates = [index for index, number in enumerate(others) if number in template]
    found = find_exclusions(Texts(texts, texts.lengths, pool), rules, known, templates)
    return sorted({*found[len(others)], *file_names(document)})


def _copy_of(text: str, state: ScanState, left_out: frozenset[int]) -> int | None:
    """A document with the same words, in whichever layout."""
    (key,) = text_hashes([text])
    for number, document in enumerate(state.documents):
        if document.text_hash == key and number not in left_out:
            return number
    return None


def exclude_spans(
    state: ScanState, spans: Mapping[int, Sequence[SetAside]], pool: ThreadPoolExecutor
) -> ScanState:
    """A scan in which these spans are set aside in these documents, instead of what was.

    Args:
        state: The scan.
        spans: By number of the document; none of a document of which all is to count again.
        pool: Threads to sign with.

    Raises:
        IndexError: There is no such document.
        ValueError: A span is empty or is not within its text.
    """
    texts, count = state.text_store(), len(state.documents)
    texts.exclude_spans(spans)
    changed = np.array(
        [number for number in sorted(spans) if _differ(spans[number], state, number)], np.int64
    )
    fresh = in_parts(sign_numbered, texts, state.settings, pool, changed)
    rows, new_numbers = (np.arange(count, dtype=np.int64) for _ in range(2))
    rows[changed] = count + np.arange(len(changed))
    new_numbers[changed] = -1
    return state._replace(
        texts=texts,
        signed=SignedTexts.join([state.signed, *fresh]).take(rows),
        evidence=state.evidence.renumbered(new_numbers, count),
        set_aside=texts.set_aside,
    )


def _differ(spans: Sequence[SetAside], state: ScanState, number: int) -> bool:
    """Whether other characters are set aside now; reasons do not matter."""
    before = state.set_aside.get(number, ())
    return tuple(spans) != tuple(before) and not np.array_equal(merged(spans), merged(before))


def exclusions_after_rescan(
    before: ScanState, now: Sequence[Document], matched: Matched, result: Sequence[Document]
) -> dict[int, Sequence[SetAside]]:
    """What is set aside after a rescan: what was, in the documents whose text is the same.

    Args:
        before: The earlier scan.
        now: The documents that were met.
        matched: How the documents of both scans match.
        result: All documents.

    Returns:
        The spans by number in `result`, also where there are none: of several documents with the
        same bytes, each has its own.
    """
    if not before.set_aside:
        return {}
    number_of = {id(document): number for number, document in enumerate(result)}
    met = (
        (before.documents[old], old, now[new])
        for old, new in (*matched.unchanged, *matched.changed, *matched.moved)
    )
    return {
        number_of[id(document)]: before.set_aside.get(old, ())
        for earlier, old, document in met
        if (earlier.text_hash, earlier.characters) == (document.text_hash, document.characters)
    }


def explained_by(scan: Scan, listed: Pairs, settings: ScanSettings, text: str) -> Pairs:
    """The listed pairs that leave the list where a passage is set aside everywhere.

    A passage that is set aside already explains those that come to the list when it counts again.

    Args:
        scan: A complete scan.
        listed: The pairs of its list.
        settings: Those of the list.
        text: The passage.

    Raises:
        TooManyCandidatesError: See `Scan.list_pairs`.
    """
    phrase = Phrase(text)
    counting = scan.decided.rules.without_phrases([phrase])
    if counting != scan.decided.rules:
        with_it = scan.with_rules(counting)
        listed, without = with_it.list_pairs(settings).pairs, listed
    else:
        excluding = scan.with_rules(counting.with_phrases([phrase]))
        without = excluding.list_pairs(settings).pairs
    codes = pair_codes(listed.a, listed.b)
    return listed.take(~members(np.sort(pair_codes(without.a, without.b)), codes))
