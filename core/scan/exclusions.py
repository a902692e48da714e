"""Changes what is set aside in the documents of a scan: these are signed again, others stay.

with_rules(state, rules) ─▶ core.exclusions finds the spans ─▶ exclude_spans signs what changed

Also finds missing documents, deletes removed ones, follows a folder to another location, and signs
texts that a review has with other settings.

The list is changed in `core.review.folder_roles`. A removed document stays in the state, and
so in the review file, until it is deleted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.base.arrays import Int64Array
from core.documents.model import AbsenceKind, Document, templates_among
from core.evidence.pairs import PassageEvidence
from core.exclusions.finding import Known, find_exclusions
from core.exclusions.repeated import Texts
from core.exclusions.rules import NO_RULES, ExclusionRules
from core.scan.rescan import AbsolutePaths, KeptDocument, Matched
from core.scan.state import ScanState
from core.scan.submissions import file_names
from core.settings import ScanSettings
from core.signatures.signing import (
    SignedTexts,
    choose_skip_grams,
    in_parts,
    no_skip_grams,
    sign_numbered,
    sign_texts,
)
from core.signatures.winnowing import winnow
from core.text.set_aside import SetAside, merged
from core.text.shingling import Fingerprints, word_beginnings
from core.text.store import TextStore


def missing(state: ScanState) -> list[Document]:
    """The listed documents that the last rescan did not meet."""
    return [
        document for document in state.documents if document.absence and not document.is_removed
    ]


def gone_for_sure(state: ScanState) -> list[Document]:
    """The missing documents that are gone from a folder in which others still are.

    An empty folder may be one that is not connected.
    """
    locations = AbsolutePaths()
    empty = tuple(locations.inside(folder) for folder in empty_folders(state))
    return [
        document
        for document in missing(state)
        if document.absence
        and document.absence.kind is AbsenceKind.GONE
        and not locations.of(document.path).startswith(empty)
    ]


def empty_folders(state: ScanState) -> Iterator[Path]:
    """The folders that had documents and have none any more."""
    locations = AbsolutePaths()
    present = [
        locations.of(document.path) for document in state.documents if document.absence is None
    ]
    lost = [locations.of(document.path) for document in missing(state)]
    for folder in state.folders:
        start = locations.inside(folder)
        if any(location.startswith(start) for location in lost) and not any(
            location.startswith(start) for location in present
        ):
            yield folder


def deleted(state: ScanState) -> ScanState:
    """The state without its removed documents."""
    rows = [number for number, document in enumerate(state.documents) if not document.is_removed]
    new_numbers = np.full(len(state.documents), -1, dtype=np.int64)
    new_numbers[rows] = np.arange(len(rows))
    evidence = state.evidence.renumbered(new_numbers, len(rows))
    return state.taken(rows)._replace(evidence=evidence)


def relocated(state: ScanState, folder: Path, new_folder: Path) -> ScanState:
    """The state with a folder at another location; its files are where they were in it.

    So are the folders in it that have a role by themselves.
    """
    locations, start = AbsolutePaths(), AbsolutePaths.inside(folder)

    def moved(path: Path) -> Path:
        location = locations.of(path)
        return new_folder / location[len(start) :] if location.startswith(start) else path

    def with_path(document: Document) -> Document:
        path = moved(document.path)
        return document if path is document.path else replace(document, path=path)

    return state._replace(
        folders=tuple(new_folder if path == folder else moved(path) for path in state.folders),
        documents=tuple(with_path(document) for document in state.documents),
    )


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

    Of a text that the scan has, it is the same: one copy more is no reason to set more aside.
    """
    rules, template = state.rules, templates_among(state.documents)
    found: Sequence[SetAside] = ()
    as_long = np.flatnonzero(state.lengths == len(text)).tolist()
    same = next((it for it in as_long if it not in template and state.texts[it] == text), None)
    if same is not None:
        found = state.set_aside.get(same, ())
    elif rules != NO_RULES or template:
        everything = frozenset(range(len(state.documents)))
        texts, known = state.text_store(), Known(rules, state.set_aside, everything)
        if not (rules.common or rules.repeated):  # of the other texts only templates matter
            texts, known = texts.arranged(np.array(template, np.int64)), Known()
            template = list(range(len(template)))
        texts.extend([text])
        number = len(texts) - 1
        found = find_exclusions(Texts(texts, texts.lengths, pool), rules, known, template)[number]
    return sorted({*found, *file_names(document)})


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


def carried(
    before: ScanState,
    kept: Sequence[KeptDocument],
    settings: ScanSettings,
    pool: ThreadPoolExecutor,
) -> tuple[ScanState, list[KeptDocument]]:
    """Documents whose files are absent, signed with other settings from the texts they had.

    Returns:
        A state with nothing but these, and the documents with their numbers in it.
    """
    state = before.taken([document.number for document in kept])
    fresh = in_parts(sign_numbered, state.text_store(), settings, pool)
    signed = SignedTexts.join([sign_texts([], settings), *fresh])
    documents = tuple(document.document for document in kept)
    state = state._replace(settings=settings, documents=documents, signed=signed)
    return state, [KeptDocument(document, number) for number, document in enumerate(documents)]


def with_search(before: ScanState, settings: ScanSettings, pool: ThreadPoolExecutor) -> ScanState:
    """A scan with another search for passages: only skip-grams and fingerprints are chosen anew."""
    signed, evidence = before.signed, before.evidence
    texts = before.text_store()
    if not before.settings.same_skip_grams(settings):
        chosen = in_parts(_skip_grams, texts, settings, pool)
        signed = signed._replace(skip_grams=Fingerprints.join([no_skip_grams(0), *chosen]))
    if before.settings.passage_length != settings.passage_length:
        chosen = in_parts(_fingerprints, texts, settings, pool)
        signed = signed._replace(fingerprints=Fingerprints.join([no_skip_grams(0), *chosen]))
        # How much stands in passages depends on how short one may be.
        evidence = evidence._replace(reworked=PassageEvidence.none(evidence.reworked.model))
    return before._replace(settings=settings, signed=signed, evidence=evidence)


def _skip_grams(texts: TextStore, numbers: Int64Array, settings: ScanSettings) -> Fingerprints:
    words = word_beginnings(texts.texts_at(numbers), settings, texts.set_aside_in(numbers))
    return choose_skip_grams(words, settings)


def _fingerprints(texts: TextStore, numbers: Int64Array, settings: ScanSettings) -> Fingerprints:
    return winnow(texts.shingles(numbers, settings), settings)
