"""What is set aside in the documents of a scan, changed: these are signed again, others stay.

with_rules(state, rules) ─▶ core.aside finds the spans ─▶ put_aside signs what changed
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from core.aside.finding import Known, find_aside
from core.aside.repeated import Texts
from core.aside.rules import AsideRules
from core.base.arrays import Int64Array
from core.base.tasks import Cancelled, batches, never, results_of, worker_count
from core.documents import Document
from core.documents.model import templates_among
from core.scan.rescan import Matched
from core.scan.state import ScanState
from core.scan.submissions import file_names
from core.signatures.signing import SignedTexts, sign_numbered
from core.text.set_aside import SetAside, merged
from core.text.store import TextStore


def with_rules(
    state: ScanState,
    rules: AsideRules,
    pool: ThreadPoolExecutor | None = None,
    cancelled: Cancelled = never,
    *,
    anew: bool = False,
) -> ScanState:
    """A scan in which is set aside what these rules say, instead of what was.

    Args:
        state: The scan.
        rules: What to set aside.
        pool: Threads to work with; its own when left out.
        cancelled: Polled while they work.
        anew: Whether to look for everything, also where what was found is to be found again.

    Raises:
        ReviewError: A text cannot be read.
        ScanCancelledError: `cancelled` said so.
    """
    if pool is None:
        with ThreadPoolExecutor(worker_count(), thread_name_prefix="neardup-engine") as own:
            return with_rules(state, rules, own, cancelled, anew=anew)
    lengths = np.array([one.characters for one in state.documents], np.int64)
    same = frozenset[int]() if anew else frozenset(range(len(lengths)))
    known = Known(state.rules, state.set_aside, same)
    template = templates_among(state.documents)
    spans = find_aside(Texts(state.texts, lengths, pool, cancelled), rules, known, template)
    for number, one in enumerate(state.documents):
        if one.members and number not in template:
            spans[number] = tuple(sorted({*spans[number], *file_names(one)}))
    return put_aside(state, spans, pool, cancelled)._replace(rules=rules)


def put_aside(
    state: ScanState,
    spans: Mapping[int, Sequence[SetAside]],
    pool: ThreadPoolExecutor,
    cancelled: Cancelled = never,
) -> ScanState:
    """A scan in which these spans are set aside in these documents, instead of what was.

    Args:
        state: The scan.
        spans: By number of the document; none of a document of which all is to count again.
        pool: Threads to sign with.
        cancelled: Polled while they work.

    Raises:
        IndexError: There is no such document.
        ValueError: A span is empty or is not within its text.
        ScanCancelledError: `cancelled` said so.
    """
    texts, count = TextStore(), len(state.documents)
    texts.adopt(state.texts, np.array([one.characters for one in state.documents], np.int64))
    texts.put_aside({**state.set_aside, **spans})
    changed = np.array(
        [number for number in sorted(spans) if _differ(spans[number], state, number)], np.int64
    )
    parts = [changed[part] for part in batches(texts.lengths[changed].tolist())]

    def signed(numbers: Int64Array) -> SignedTexts:
        return sign_numbered(texts, numbers, state.settings)

    fresh = results_of((pool.submit(signed, numbers) for numbers in parts), cancelled)
    rows, places = (np.arange(count, dtype=np.int64) for _ in range(2))
    rows[changed] = count + np.arange(len(changed))
    places[changed] = -1
    return state._replace(
        texts=texts,
        signed=SignedTexts.join([state.signed, *fresh]).take(rows),
        evidence=state.evidence.renumbered(places, count),
        set_aside=texts.set_aside,
    )


def _differ(spans: Sequence[SetAside], state: ScanState, number: int) -> bool:
    """Whether other characters are set aside now; a reason decides nothing."""
    before = state.set_aside.get(number, ())
    return tuple(spans) != tuple(before) and not np.array_equal(merged(spans), merged(before))


def still_aside(
    before: ScanState, now: Sequence[Document], matched: Matched, result: Sequence[Document]
) -> dict[int, Sequence[SetAside]]:
    """What is set aside after a rescan: what was, in the documents whose text is the same.

    Args:
        before: The earlier scan.
        now: The documents that were met.
        matched: What became of which.
        result: All documents.

    Returns:
        The spans by number in `result`, also where there are none: of several documents with the
        same bytes, each has its own.
    """
    if not before.set_aside:
        return {}
    number_of = {id(one): number for number, one in enumerate(result)}
    met = (
        (before.documents[old], old, now[new])
        for old, new in (*matched.unchanged, *matched.changed, *matched.moved)
    )
    return {
        number_of[id(one)]: before.set_aside.get(old, ())
        for earlier, old, one in met
        if (earlier.text_hash, earlier.characters) == (one.text_hash, one.characters)
    }
