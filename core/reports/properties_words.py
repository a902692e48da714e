"""The properties of files, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from core.base.messages import N_, as_shown, gettext, ngettext
from core.base.wording import comma_list, count, isolated, share
from core.documents.properties import (
    DATES,
    EARLIER_IDS,
    KINDS,
    SAVED,
    SESSIONS,
    VERSIONS,
    Properties,
    PropertyKind,
    contradicting,
    is_possible,
)

if TYPE_CHECKING:
    from core.scan.file_order import FileOrder
    from core.scan.properties import FileProperties, SharedProperty

MOST_SHOWN = 5  # values of a kind
NOTHING_SHARED = N_("These files share no property that tells anything.")


def in_words(properties: Properties, *, names: bool = True) -> Iterator[str]:
    """The properties of a file, one line for each kind: "Last saved by: r.keller".

    Without `names`, only which kinds there are, and the values of numbers.
    """
    contradicted = contradicting(properties)
    for kind in KINDS:
        values = properties.get(kind.code, ())
        if len(values) > (kind is VERSIONS):  # each file has one
            label = gettext(kind.label)
            conflicting = contradicted.get(kind)
            text = values_in_words(kind, values, names=names, contradicted=conflicting)
            yield f"{label}: {count(len(values)) if kind.is_id else text}"


def file_in_words(file: FileProperties) -> Iterator[str]:
    """The same, or why there are none."""
    if file.why_none:
        yield as_shown(file.why_none)
    elif not file.properties:
        yield gettext("This file has no properties.")
    yield from in_words(file.properties)


def shared_in_words(shared: SharedProperty, *, names: bool = True) -> str:
    """A shared property: "Last saved by: r.keller, in 2 files"; `names` as of `in_words`."""
    label = gettext(shared.kind.label)
    if not shared.kind.is_id:
        text = values_in_words(shared.kind, shared.values, names=names)
        return f"{label}: {text} · {_in_files(shared.files[0])}"
    same = gettext(
        "{number} the same, of {a} in A and {b} in B",
        number=count(len(shared.values)),
        a=count(shared.of_a),
        b=count(shared.of_b),
    )
    if shared.alone:
        rare = ngettext(
            "{n} of them in no other file", "{n} of them in no other file", shared.alone
        )
    else:
        rare = _in_files(shared.files[0])
    if shared.texts:
        a, b = map(share, shared.texts)
        text = gettext("written in rare sessions: {a} of A, {b} of B", a=a, b=b)
        rare = f"{rare} · {text}"
    return f"{label}: {same} · {rare}"


def order_in_words(order: FileOrder, name_of: Callable[[int], str]) -> Iterator[str]:
    """The indications of an order of two files, and what they are consistent with."""
    a, b = isolated(name_of(order.a)), isolated(name_of(order.b))
    for kind, earlier in order.indications:
        names = {"earlier": a, "later": b} if earlier != order.b else {"earlier": b, "later": a}
        if earlier is None and kind is VERSIONS:
            words = gettext(
                "{a} and {b} start from the same version; each was then saved separately.", a=a, b=b
            )
        elif earlier is None:
            words = gettext("{a} and {b} each have editing sessions of their own.", a=a, b=b)
        elif kind is VERSIONS:
            words = gettext("{later} begins with the whole of {earlier}, byte for byte.", **names)
        elif kind is EARLIER_IDS:
            words = gettext(
                "{later} lists the identifier of {earlier} among its earlier ones.", **names
            )
        elif kind is SESSIONS:
            words = gettext("{later} has all editing sessions of {earlier}, and more.", **names)
        elif kind is SAVED:
            words = gettext("{earlier} was last saved before {later}.", **names)
        else:
            words = gettext(
                "Both name the same person as creator; only {earlier} was last saved under that "
                "name.",
                **names,
            )
        yield words
    if order.earlier is not None:
        yield gettext("Consistent with: {later} came from {earlier}.", **names)


def _in_files(number: int) -> str:
    return ngettext("in {n} file", "in {n} files", number)


def values_in_words(
    kind: PropertyKind,
    values: tuple[str, ...],
    *,
    names: bool = True,
    contradicted: PropertyKind | None = None,
) -> str:
    """Values of one kind: "r.keller, k.arndt"; `names` as of `in_words`.

    `contradicted` is a kind whose value cannot be true together with them.
    """
    if not kind.is_shown_in_report(names=names):
        return gettext("withheld")
    shown = [_value(kind, value) for value in values[:MOST_SHOWN]]
    more = len(values) - len(shown)
    if more:
        shown.append(gettext("and {number} more", number=count(more)))
    text = comma_list(shown)
    if contradicted is None:
        return text
    label = gettext(contradicted.label)
    return gettext("{value} (contradicts “{property}”)", value=text, property=label)


def _value(kind: PropertyKind, value: str) -> str:
    if not is_possible(kind, value):
        return gettext("{value} (cannot be true)", value=value)
    return value.replace("T", " ").replace("Z", " UTC") if kind in DATES else value
