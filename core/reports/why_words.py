"""Why a pair is listed, in sentences for people who decide and have never heard of hashing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from core.base.messages import as_shown, gettext, ngettext
from core.base.wording import comma_list, count, isolated, listed, resemblance, share
from core.candidates.scurve import Collision, collision_of
from core.documents.model import PairKey
from core.evidence.measures import length_in_words
from core.evidence.pairs import FoundBy, PairFigures, Pairs
from core.evidence.passage import Passage
from core.reports.pair_words import ADDED, NOT_FOUND, ListedFor, how_listed
from core.scan.judgements import Judgements
from core.scan.pair_details import BOTH, CountedPassage, RarePassages, rare_passages
from core.scan.pair_list import PairList
from core.scan.scan import Scan
from core.scan.shared_mistakes import Slip
from core.settings import ScanSettings, SignatureKind

MOST_BANDS = 6  # named one by one
MOST_NAMED = 3  # passages, the rarest
MOST_SLIPS = 10


def why_listed(
    found_by: int,
    figures: PairFigures,
    collision: Collision | None,
    settings: ScanSettings,
    chance: str = "",
    *,
    all_compared: bool = False,
) -> tuple[str, ...]:
    """How the pair came into the list, step by step.

    `chance` says how many pairs of the folder have a passage as strong as its strongest one,
    `all_compared` whether all pairs were compared, so that no signature had to lead to it.
    """
    ways = FoundBy(found_by)
    if FoundBy.EXACT in ways:
        return (gettext("Both documents have the same words throughout, which needs no search."),)
    reason = how_listed(ListedFor.of(figures.resemblance, found_by, settings), settings)
    sentences = [reason]
    if chance:
        sentences.append(gettext("Against chance: {chance}.", chance=as_shown(chance)))
    if collision is not None:
        sentences += [
            _expected_sentence(collision, settings)
            if all_compared
            else _collision_sentence(collision, ways, settings),
            chance_of_collision(collision, figures, settings),
        ]
    return tuple(sentences)


def _collision_sentence(collision: Collision, ways: FoundBy, settings: ScanSettings) -> str:
    agree = _agreement(collision, settings)
    if not collision.collided:
        return f"{agree} {_otherwise(ways)}"
    return f"{agree} " + gettext("So it was compared.")


def _expected_sentence(collision: Collision, settings: ScanSettings) -> str:
    """Where all pairs were compared: whether signatures alone would have led to it."""
    name = settings.method.search_name
    sentence = gettext(
        "All pairs were compared. {search} alone would not have led to it.", search=name
    )
    if collision.collided:
        sentence = gettext(
            "All pairs were compared. {search} alone would have led to it.", search=name
        )
    return f"{sentence} {_agreement(collision, settings)}"


def _agreement(collision: Collision, settings: ScanSettings) -> str:
    """How the signatures agree: which bands are the same, or how many bits differ."""
    if settings.method.kind is SignatureKind.BITS:
        return gettext(
            "{differing} of {bits} bits differ; up to {most} may.",
            bits=count(collision.values),
            differing=count(collision.values - collision.equal),
            most=settings.max_distance,
        )
    if not collision.collided:
        return gettext("No band of the two signatures is the same.")
    bands, of_all = [count(band + 1) for band in collision.bands], count(settings.bands)
    if len(bands) > MOST_BANDS:
        return gettext(
            "{number} of {bands} bands the same in both signatures.",
            number=count(len(bands)),
            bands=of_all,
        )
    return ngettext(
        "Band {band} of {bands} is the same in both signatures.",
        "Bands {band} of {bands} are the same in both signatures.",
        len(bands),
        band=listed(bands),
        bands=of_all,
    )


def _otherwise(ways: FoundBy) -> str:
    if ways & (FoundBy.PASSAGE | FoundBy.FINGERPRINT):
        return gettext("It was compared because both hold the same run of words.")
    if ways & FoundBy.REWORKED:
        return gettext("It was compared because many of their words agree close together.")
    return gettext("It was found because all pairs were compared.")


def chance_of_collision(collision: Collision, figures: PairFigures, settings: ScanSettings) -> str:
    """How likely the search for alike signatures leads to such a pair."""
    likely = share(collision.chance)
    alike = resemblance(figures.resemblance)
    if settings.method.kind is SignatureKind.BITS:
        return gettext(
            "Of pairs with these numbers, {search} finds {share}.",
            search=settings.method.search_name,
            share=likely,
        )
    return gettext(
        "Of pairs of resemblance {resemblance}, b × r = {shape} finds {share}: {formula}.",
        resemblance=alike,
        shape=f"{count(settings.bands)} × {count(settings.rows)}",
        share=likely,
        formula="1 − (1 − s^r)^b",
    )


def grid_caption(collision: Collision, settings: ScanSettings) -> str:
    """The caption of the picture of the signature."""
    if settings.method.kind is SignatureKind.BITS:
        return gettext(
            "{same} of {bits} bits the same.", same=collision.equal, bits=collision.values
        )
    used = collision.agree.size
    sentence = gettext(
        "{same} of {values} values the same in both: by the signatures alone, resemblance "
        "{resemblance}.",
        same=count(collision.equal),
        values=count(collision.values),
        resemblance=resemblance(collision.equal / collision.values),
    )
    if used == collision.values:
        return sentence
    return f"{sentence} " + gettext("Bands use {number} of them.", number=count(used))


def rare_in_words(rare: RarePassages) -> tuple[str, ...]:
    """How rare its passages are, and the resemblance that is left without the common ones."""
    if not rare.passages:
        return ()
    if rare.documents <= BOTH:
        return (gettext("There is no other document that could have its passages."),)
    sentences = [_standing(passage, rare.documents) for passage in rare.passages[:MOST_NAMED]]
    if rare.without_common is not None:
        rest = rare.without_common
        sentences.append(
            ngettext(
                "Without what stands in other documents as well, resemblance {resemblance} is "
                "left, and {n} shingle in both.",
                "Without what stands in other documents as well, resemblance {resemblance} is "
                "left, and {n} shingles in both.",
                rest.shared_shingles,
                resemblance=resemblance(rest.resemblance),
            )
        )
    elif len(rare.passages) > MOST_NAMED:
        sentences.append(
            gettext("Nor has another document as much of any other passage of this pair.")
        )
    return tuple(sentences)


def with_all_spaces(text: str) -> str:
    """A text in which spaces that follow each other are not shown as one."""
    return isolated(text.replace("  ", " \xa0"))


def slips_in_words(
    slips: Sequence[Slip],
    word: Callable[[str], str] = with_all_spaces,
    usual: Callable[[str], str] = with_all_spaces,
    joined: Callable[[Iterable[str]], str] = comma_list,
    *,
    quotes: bool = True,
) -> tuple[str, ...]:
    """Which unusual spellings, numbers and spacing two documents share, in one sentence.

    Args:
        slips: These; without any there is no sentence.
        word: Gives the form of a word that both have.
        usual: Gives the form of the usual word.
        joined: Joins them.
        quotes: Whether words are shown, and not only how many there are.
    """
    if not slips:
        return ()
    words = [
        gettext("“{word}” (others: “{usual}”)", word=word(slip.word), usual=usual(slip.usual))
        for slip in slips[:MOST_SLIPS]
    ]
    if len(slips) > MOST_SLIPS:
        words.append(gettext("and {number} more", number=count(len(slips) - MOST_SLIPS)))
    shown = joined(words) if quotes else count(len(slips))
    return (
        gettext(
            "Unusual spellings, numbers or spacing in no document but these two: {words}.",
            words=shown,
        ),
    )


def _standing(passage: CountedPassage, documents: int) -> str:
    values = {
        "passage": count(passage.position + 1),
        "words": length_in_words(passage.words, passage.unit),
        "row": count(passage.row),
    }
    if passage.holders == BOTH:
        return gettext(
            "Passage {passage}: of its {words} that are the same, no other of the {documents} "
            "documents has {row} in a row.",
            **values,
            documents=count(documents),
        )
    return ngettext(
        "Passage {passage}: of its {words} that are the same, {row} or more in a row stand in one "
        "other document, {elsewhere} of them in all.",
        "Passage {passage}: of its {words} that are the same, {row} or more in a row stand in each "
        "of {n} other documents, {elsewhere} of them in all.",
        passage.holders - BOTH,
        **values,
        elsewhere=count(passage.elsewhere),
    )


def pair_reasons(
    scan: Scan,
    pair_list: PairList,
    judgements: Judgements,
    pairs: Pairs,
    row: int,
    counted: Sequence[Passage] | None = None,
    *,
    spellings: Callable[[int, int], Sequence[Slip]],
    quotes: bool,
) -> tuple[str, ...]:
    """Why a pair is listed, in sentences that hold no name, and no text unless it is quoted.

    Args:
        scan: A complete scan.
        pair_list: Its list.
        judgements: The judgements of the pairs.
        pairs: Pairs of the list; of few documents also pairs in which nothing was found.
        row: The row of the pair.
        counted: Passages of the pair, to say in how many documents each stands, and which unusual
            spellings only these two have; all texts are read for it. None where that is not wanted.
        spellings: Finds these spellings.
        quotes: Whether they are shown.
    """
    figures, settings = pairs.figures(row), pair_list.settings
    a, b = int(pairs.a[row]), int(pairs.b[row])
    slips = () if counted is None else slips_in_words(spellings(a, b), quotes=quotes)
    if not pairs.found_by[row]:
        key = PairKey.of(scan.documents[a], scan.documents[b])
        was_added = not pair_list.is_of_few and judgements.was_added(key)
        return (gettext(ADDED if was_added else NOT_FOUND), *slips)
    sentences, _ = why_found(scan, pair_list, pairs, row, figures)
    if counted:
        sentences += rare_in_words(rare_passages(scan, (a, b), counted, settings))
    return (*sentences, *slips)


def why_found(
    scan: Scan, pair_list: PairList, pairs: Pairs, row: int, figures: PairFigures
) -> tuple[tuple[str, ...], Collision | None]:
    """How a pair came into the list of a complete scan, and how its signatures agree.

    That is None where signatures depend on documents that are gone.
    """
    settings, bits = pair_list.settings, float(pairs.reworked_bits[row])
    collision = None
    if not settings.depends_on_all or scan.present == len(scan.documents):
        signatures = scan.full_corpus.signed.signatures
        a, b = (signatures[int(side[row])] for side in (pairs.a, pairs.b))
        collision = collision_of(a, b, figures, settings)
    words = scan.words(settings) if bits > 0 else None
    sentences = why_listed(
        int(pairs.found_by[row]),
        figures,
        collision,
        settings,
        words.pairs.words(bits) if words else "",
        all_compared=pair_list.compared is not None,
    )
    return sentences, collision
