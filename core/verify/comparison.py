"""Compares the written record of a report with the recomputed one; differences in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, Self, TypeAlias

from core.base.messages import N_, as_shown, gettext, ngettext
from core.base.wording import count, reprinted_name, seal_in_words
from core.evidence.measures import ShownIn, columns_in
from core.reports.record import DOCUMENT_COLUMNS, DecidedBy
from core.reports.rows import JUDGED
from core.scan.judgements import Verdict
from core.scan.pair_list import FEW
from core.verify.recomputation import Claims, Recomputation, Row, ranked


class Topic(StrEnum):
    """The topic of a finding, as in JSON.

    Attributes:
        heading: Its heading for people, a message.
    """

    heading: str

    SEAL = "seal", N_("Seal")
    FILES = "files", N_("Files")
    PAIRS = "pairs", N_("Pairs")
    GROUPS = "groups", N_("Groups")
    PASSAGES = "passages", N_("Passages")
    SET_ASIDE = "text set aside", N_("Text set aside")
    JUDGED = "judged passages", N_("Judged passages")
    LANGUAGES = "languages", N_("Languages")
    PROBLEMS = "files without text", N_("Files without text")
    PROPERTIES = "file properties", N_("File properties")
    SPELLINGS = "unusual spellings", N_("Unusual spellings, numbers and spacing")
    COUNTS = "counts", N_("Counts")
    VERDICTS = "verdicts and notes", N_("Verdicts and notes")
    REVIEW = "log of the review", N_("Log of the review")
    PAGE = "what the page shows", N_("What the page shows")

    def __new__(cls, name: str, heading: str) -> Self:
        """A topic by its name, with its heading."""
        topic = str.__new__(cls, name)
        topic._value_, topic.heading = name, heading
        return topic


class Outcome(StrEnum):
    """The result of checking a thing."""

    DIFFERS = "differs"  # the report and the files disagree
    MISSING = "missing"  # it is in the report and not in the files
    MORE = "more"  # it is in the files and not in the report
    GONE = "gone"  # the report itself says that the document is gone
    LINE_ENDS = "line ends"  # only the line ends of the file differ
    REMARK = "remark"  # no contradiction, but worth knowing


class Finding(NamedTuple):
    """A thing that does not agree.

    Attributes:
        topic: Its topic.
        outcome: What is wrong with it.
        what: The file, pair or number, by the names of the report.
        written: The value in the report; "" if it has none.
        found: The value from the files; "" if they give none.
        field: The field of it that differs; "" for all of it.
    """

    topic: Topic
    outcome: Outcome
    what: str
    written: str = ""
    found: str = ""
    field: str = ""

    @property
    def contradicts(self) -> bool:
        """Whether the report cannot be right for these files."""
        return self.outcome in {Outcome.DIFFERS, Outcome.MISSING, Outcome.MORE}


class TopicCount(NamedTuple):
    """How much of a topic was checked, how much of that agrees, and how much was skipped."""

    topic: Topic
    checked: int
    agreed: int
    skipped: int = 0


Checked: TypeAlias = tuple[TopicCount, Sequence[Finding]]


class Verification(NamedTuple):
    """The result of checking a report.

    Attributes:
        kind: Of the report: "html", "json" or "pdf".
        seal: The seal that the file must have with its present contents.
        counts: How much was checked.
        findings: The things that do not agree, by topic.
        not_checked: Sentences on what this check cannot find out, in English as in JSON.
        covers_pages: Whether the visible pages were compared, and not the record alone.
        gone: How many documents the report lists as gone, so that they cannot be compared.
        folders: The names of the folders that the report is about.
        has_key: Whether names were read with a key.
    """

    kind: str
    seal: str
    counts: tuple[TopicCount, ...]
    findings: tuple[Finding, ...]
    not_checked: tuple[str, ...]
    covers_pages: bool = True
    gone: int = 0
    folders: tuple[str, ...] = ()
    has_key: bool = False

    @property
    def agrees(self) -> bool:
        """Whether nothing contradicts the report."""
        return not any(finding.contradicts for finding in self.findings)

    @property
    def missing(self) -> int:
        """How many documents of the report the folders lack."""
        return self._files(Outcome.MISSING)

    @property
    def strangers(self) -> int:
        """How many documents the report lists, if the folders have none of them; else 0.

        With the key to another report, files may be there by name, and all have other hashes: more
        are strangers than `missing`. So it is, too, if all files were changed.
        """
        of_key = (Outcome.DIFFERS,) if self.has_key else ()
        strange = self._files(Outcome.MISSING, *of_key)
        listed = sum(count.checked for count in self.counts if count.topic is Topic.FILES)
        return strange if strange == listed - self.gone else 0

    @property
    def contradictions(self) -> tuple[Finding, ...]:
        """What contradicts the report, without the files where all of them are missing."""
        wrong = (finding for finding in self.findings if finding.contradicts)
        if self.strangers != self.missing:
            return tuple(wrong)
        return tuple(finding for finding in wrong if not _is_missing_file(finding))

    def _files(self, *outcomes: Outcome) -> int:
        of_files = (finding for finding in self.findings if finding.topic is Topic.FILES)
        return len({finding.what for finding in of_files if finding.outcome in outcomes})


def _is_missing_file(finding: Finding) -> bool:
    return finding.topic is Topic.FILES and finding.outcome is Outcome.MISSING


MOST = 20  # contradictions of a topic that are named
REMARKS = 3  # remarks of a topic that are named
OUTCOMES = {
    Outcome.DIFFERS: N_("{thing} differs"),
    Outcome.MISSING: N_("{thing} is in the report, and these files do not give it"),
    Outcome.MORE: N_("{thing} is not in the report"),
    Outcome.GONE: N_("{thing} is gone, as the report says: what it says of it cannot be compared"),
    Outcome.LINE_ENDS: N_("{thing} now has other line ends; its text is the same"),
    Outcome.REMARK: N_("{thing} cannot be compared: documents are not as they were"),
}

DIFFERENCE = N_("{thing}: the report says “{written}”, this check says “{found}”")
DIFFERENCES = {
    Topic.SEAL: N_("{thing}: the report says “{written}”, not “{found}”"),
    Topic.REVIEW: N_("{thing}: the report says “{written}”, the review says “{found}”"),
}


def verdict_in_words(verification: Verification) -> str:
    """The result in one sentence."""
    if verification.agrees and verification.gone:
        return ngettext(
            "What the report says of these files agrees. It says that {n} document is gone: what "
            "depends on it, and what its pages show, was not compared.",
            "What the report says of these files agrees. It says that {n} documents are gone: what "
            "depends on them, and what its pages show, was not compared.",
            verification.gone,
        )
    if verification.agrees and not verification.covers_pages:
        return gettext(
            "The record in the report agrees with these files. What its pages show was not "
            "compared."
        )
    if verification.agrees:
        return gettext("The report agrees with these files.")
    wrong: dict[Topic, list[Finding]] = {}
    for finding in verification.contradictions:
        wrong.setdefault(finding.topic, []).append(finding)
    sentences = []
    if verification.strangers:
        sentences.append(_of_strangers(verification))
    parts = [f"{gettext(topic.heading)} ({count(things_in(of))})" for topic, of in wrong.items()]
    if parts:
        topics = ", ".join(parts)
        sentences.append(
            gettext("The report does not agree with these files: {topics}.", topics=topics)
        )
    return " ".join(sentences)


def _of_strangers(verification: Verification) -> str:
    if verification.strangers > verification.missing:
        return ngettext(
            "The report’s {n} document is not as it was: the file was changed, or the key is that "
            "of another report.",
            "None of the report’s {n} documents is as it was: the files were changed, or the key "
            "is that of another report.",
            verification.strangers,
        )
    if verification.has_key:
        return ngettext(
            "The report’s {n} document is not among these files: this seems to be another folder, "
            "or the key is that of another report.",
            "None of the report’s {n} documents is among these files: this seems to be another "
            "folder, or the key is that of another report.",
            verification.strangers,
        )
    return ngettext(
        "The report’s {n} document is not among these files: this seems to be another folder.",
        "None of the report’s {n} documents is among these files: this seems to be another folder.",
        verification.strangers,
    )


def verification_in_words(verification: Verification) -> Iterator[str]:
    """The complete result in lines: what was checked, what does not agree, what cannot be checked.

    Between these parts is an empty line.
    """
    yield verdict_in_words(verification)
    for topic_count in verification.counts:
        if topic_count.checked:
            yield f"  {_agreement(topic_count)}"
    # Remarks on another folder follow from that.
    findings = verification.contradictions if verification.strangers else verification.findings
    if findings:
        yield ""
    for topic in Topic:
        yield from _of_topic([finding for finding in findings if finding.topic is topic])
    if verification.not_checked:
        yield ""
    yield from map(as_shown, verification.not_checked)
    yield ""
    yield seal_in_words(verification.seal, is_pdf=verification.kind == "pdf")


def _agreement(topic_count: TopicCount) -> str:
    values = {
        "topic": gettext(topic_count.topic.heading),
        "agreed": count(topic_count.agreed),
        "checked": count(topic_count.checked),
        "skipped": count(topic_count.skipped),
    }
    if topic_count.skipped:
        return gettext("{topic}: {agreed} of {checked} agree, {skipped} not compared", **values)
    return gettext("{topic}: {agreed} of {checked} agree", **values)


def _of_topic(findings: list[Finding]) -> Iterator[str]:
    """Contradictions first, then remarks, so that remarks hide nothing."""
    wrong = [finding for finding in findings if finding.contradicts]
    remarks = [finding for finding in findings if not finding.contradicts]
    for shown, most, more in (
        (wrong, MOST, N_("{topic}: and {number} more")),
        (remarks, REMARKS, N_("{topic}: and {number} more that do not contradict the report")),
    ):
        for finding in shown[:most]:
            heading = gettext(finding.topic.heading)
            yield gettext("{topic}: {finding}", topic=heading, finding=finding_in_words(finding))
        if len(shown) > most:
            topic = gettext(shown[0].topic.heading)
            yield gettext(more, topic=topic, number=count(len(shown) - most))


def finding_in_words(finding: Finding) -> str:
    """A finding as a sentence."""
    thing = as_shown(reprinted_name(", ".join(filter(None, (finding.what, finding.field)))))
    if finding.topic is Topic.COUNTS:
        thing = thing.replace("_", " ")
    if finding.written or finding.found:
        values = {
            "thing": thing,
            "written": reprinted_name(finding.written),
            "found": as_shown(reprinted_name(finding.found)),
        }
        return gettext(DIFFERENCES.get(finding.topic, DIFFERENCE), **values)
    if finding.topic is Topic.REVIEW:
        return gettext("{thing} is in the report and not in the review", thing=thing)
    if finding.outcome is Outcome.MISSING and finding.topic is Topic.FILES:
        return gettext("{thing} is not among these files", thing=thing)
    if finding.outcome is Outcome.REMARK and finding.topic is Topic.FILES:
        return gettext("{thing} is there and not in the report", thing=thing)
    return gettext(OUTCOMES[finding.outcome], thing=thing)


# Columns of a document that its bytes decide, that reading them decides, and that the scan decides.
# Hashes are compared first: they show that a file is another one.
_BY_HASH = sorted(DOCUMENT_COLUMNS, key=lambda column: not column.is_hash)
OF_BYTES, OF_TEXT, OF_SCAN = (
    tuple(column.name for column in _BY_HASH if column.by is by)
    for by in (DecidedBy.BYTES, DecidedBy.TEXT, DecidedBy.SCAN)
)
NUMBERS = columns_in(ShownIn.FILES)
OF_PAIR = tuple(measure.column for measure in NUMBERS)
OF_TEXTS = tuple(measure.column for measure in NUMBERS if measure.of_texts)
OF_PASSAGES = tuple(one.column for one in NUMBERS if one.of_texts and one.of_passages)
# The other lists of a record, with topic and key columns.
LISTS = {
    "passages": (Topic.PASSAGES, ("doc_a", "doc_b")),
    "set_aside": (Topic.SET_ASIDE, ("document",)),
    "groups": (Topic.GROUPS, ("centre",)),
    "judged_passages": (Topic.JUDGED, ("text",)),
    "languages": (Topic.LANGUAGES, ("document",)),
    "problems": (Topic.PROBLEMS, ("path",)),
    "other_files": (Topic.PROBLEMS, ("path",)),
    # Only if they were requested.
    "file_properties": (Topic.PROPERTIES, ("document",)),
    "shared_properties": (Topic.PROPERTIES, ("doc_a", "doc_b")),
    "unusual_spellings": (Topic.SPELLINGS, ("doc_a", "doc_b")),
    "file_orders": (Topic.PROPERTIES, ("doc_a", "doc_b")),
}
HEAD = (
    "documents",
    "documents_gone",
    "references",
    "templates",
    "all_pairs_compared",
    "weak_traces_left_out",
    "pairs_before_filter",
    "weak_traces",
    "pairs_from_threshold",
    "pairs_by_passage_only",
    "pairs_by_reworked_only",
    "verdicts_of_list",
    "title",
    "subject",
    "result",
    "notes",
    "missing",
    "choice",
)
# Fields that do not depend on documents that are gone, as long as the others are unchanged.
WITHOUT_GONE = ("documents", "references", "templates", "title", "subject", "choice")
LONGEST = 200  # characters of a value that is shown

Key = tuple[str, ...]


class Comparison:
    """Compares a written record with the recomputed one.

    Attributes:
        findings: All findings so far.
        unlike: Names of documents that are changed or missing.
        gone: Those of them that the report itself lists as gone.
        gone_elsewhere: How many others are gone, according to a report of some documents.
    """

    def __init__(self, claims: Claims, recomputation: Recomputation) -> None:
        self._claims, self._recomputed = claims, recomputation
        self._pairs = _by_key(ranked(recomputation.record), ("doc_a", "doc_b"))
        self.findings: list[Finding] = []
        self.unlike: set[str] = set()
        self.gone: set[str] = set()
        listed = sum(bool(row.get("state")) for row in claims.record["document_list"])
        others = claims.record["documents_gone"] - listed
        self.gone_elsewhere = 0 if self._is_complete else max(others, 0)

    @property
    def is_of_another_folder(self) -> bool:
        """Whether documents are changed or missing: the numbers of others depend on them, too."""
        return bool(self.unlike or self.gone_elsewhere)

    def compare(self) -> Iterator[Checked]:
        """Compare everything that can be recomputed, topic by topic."""
        record, pairs = self._claims.record, self._claims.pairs
        documents = record["document_list"]
        yield self._checked(Topic.FILES, self._documents(documents), len(documents))
        yield self._checked(Topic.PAIRS, self._compare_pairs(), len(pairs))
        comparable = [row for row in pairs if self._claims.has_log and self._is_comparable(row)]
        yield self._checked(Topic.VERDICTS, self._compare_judged(comparable), len(comparable))
        for name, (topic, keys) in LISTS.items():
            yield self._checked(topic, self._rows(topic, name, keys), len(record.get(name, ())))
        yield self._checked(Topic.COUNTS, self._head(), len(HEAD) + 1)

    def _checked(self, topic: Topic, all_findings: Iterable[Finding], checked: int) -> Checked:
        """The findings of a topic, and how much of it agrees."""
        findings = list(all_findings)
        wrong = [
            finding for finding in findings if finding.outcome in {Outcome.DIFFERS, Outcome.MISSING}
        ]
        known = {finding.what for finding in wrong}
        # A new file does not reduce what agrees, nor do other line ends.
        is_skipped = {Outcome.GONE} if topic is Topic.FILES else {Outcome.GONE, Outcome.REMARK}
        left = [
            finding
            for finding in findings
            if finding.outcome in is_skipped and finding.what not in known
        ]
        self.findings += findings
        agreed = max(checked - things_in(wrong) - things_in(left), 0)
        return TopicCount(topic, checked, agreed, things_in(left)), findings

    def _documents(self, written: Sequence[Row]) -> Iterator[Finding]:
        documents = _by_key(self._recomputed.documents, ("document",))
        # Other versions may word the same remarks differently.
        remarks = ("remarks",) if self._claims.is_of_these_versions else ()
        of_file = (*OF_BYTES, *OF_TEXT, *remarks)
        for row in written:
            name = row["document"]
            if (name,) not in documents:
                self.unlike.add(name)
                self.gone.update([name] if row.get("state") else [])
                outcome = Outcome.GONE if name in self.gone else Outcome.MISSING
                yield Finding(Topic.FILES, outcome, name)
                continue
            differs = [*_differences(Topic.FILES, name, row, documents[name,], of_file)]
            if differs:
                self.unlike.add(name)
                yield differs[0]
            else:
                yield from _differences(Topic.FILES, name, row, documents[name,], OF_SCAN)
        for name in self._recomputed.others:
            yield Finding(Topic.FILES, Outcome.REMARK, name)
        for name in self._recomputed.line_ends:
            yield Finding(Topic.FILES, Outcome.LINE_ENDS, name)
        if self._is_complete:
            names = {row["document"] for row in written}
            missing = [name for (name,) in documents if name not in names]
            yield from (Finding(Topic.FILES, Outcome.MORE, name) for name in missing)

    @property
    def _is_complete(self) -> bool:
        """Whether the report leaves nothing out."""
        return self._claims.is_of_all and not self._claims.is_cut

    def _is_comparable(self, row: Row) -> bool:
        """Whether the files give a pair, and both of its documents are unchanged."""
        names = _names(row)
        return names in self._pairs and not self.unlike & set(names)

    def _compare_pairs(self) -> Iterator[Finding]:
        # If documents are changed, only numbers that depend on the two texts alone are compared.
        columns = OF_TEXTS if self.is_of_another_folder else (*OF_PAIR, "rank")
        is_sought = self._claims.settings.reworked != "off"  # the folder decides what is reworked
        of_passages = OF_PASSAGES if self.is_of_another_folder and is_sought else ()
        columns = tuple(column for column in columns if column not in of_passages)
        for row in self._claims.pairs:
            names = _names(row)
            subject = _in_words(names)
            if self._is_comparable(row):
                pair = self._pairs[names]
                yield from _differences(Topic.PAIRS, subject, row, pair, columns)
                yield from _differences(
                    Topic.PAIRS, subject, row, pair, of_passages, Outcome.REMARK
                )
            else:
                may_be_gone = self.unlike & set(names) or self._may_depend_on_others(row)
                outcome = Outcome.REMARK if may_be_gone else Outcome.MISSING
                yield Finding(Topic.PAIRS, outcome, subject)
        rows = self._recomputed.rows[self._recomputed.rows >= 0]
        is_of_user = self._claims.record["shown"] and not self._claims.is_partial
        is_of_user = is_of_user or self._claims.choice.by_document
        if not (is_of_user or self.is_of_another_folder) and (rows[1:] <= rows[:-1]).any():
            yield Finding(
                Topic.PAIRS, Outcome.DIFFERS, N_("order of the pairs"), "another", N_("worst first")
            )
        if self._is_complete:
            listed_rows = set(self._recomputed.rows.tolist())
            for number, names in enumerate(self._recomputed.listed):
                is_excused = self._recomputed.may_be_left_out[number] or self.unlike & set(names)
                if number not in listed_rows and not is_excused:
                    yield Finding(Topic.PAIRS, Outcome.MORE, _in_words(names))

    def _may_depend_on_others(self, row: Row) -> bool:
        """Whether a pair may be missing because other documents are changed.

        Common text of a folder decides which passages of a pair below the threshold list it.
        """
        least = self._claims.settings.min_resemblance
        return self.is_of_another_folder and bool(row["resemblance"] < least)

    def _compare_judged(self, pairs: Sequence[Row]) -> Iterator[Finding]:
        """Compare verdicts and notes in the table with those of the log."""
        for row in pairs:
            names = _names(row)
            subject = _in_words(names)
            yield from _differences(Topic.VERDICTS, subject, row, self._pairs[names], JUDGED)

    def _rows(self, topic: Topic, name: str, keys: Key) -> Iterator[Finding]:
        """Compare a list of rows, by their keys."""
        record = self._claims.record
        given, rows = self._recomputed.record.get(name, ()), record.get(name, ())
        right: dict[Key, list[Row]] = {}
        for row in given:
            right.setdefault(tuple(row[column] for column in keys), []).append(row)
        for row in rows:
            key = tuple(row[column] for column in keys)
            left = right.get(key, [])  # a row that exists once must not be written twice
            if row in left:
                left.remove(row)
            elif (
                self.is_of_another_folder
            ):  # what is rare or common in a folder changes with its documents
                yield Finding(topic, Outcome.REMARK, _in_words(key))
            elif not left:
                yield Finding(topic, Outcome.MISSING, _in_words(key))
            else:
                differs = _unlike_part(row, left.pop())
                yield Finding(topic, Outcome.DIFFERS, _in_words(key), *differs)
        if not self.is_of_another_folder:
            missing = [key for key, left in right.items() if left]
            yield from (Finding(topic, Outcome.MORE, _in_words(key)) for key in missing)

    def _head(self) -> Iterator[Finding]:
        written, recomputed = self._claims.record, self._recomputed.record
        for key in HEAD:
            is_decided = not (self.unlike if key in WITHOUT_GONE else self.is_of_another_folder)
            outcome = Outcome.DIFFERS if is_decided else Outcome.REMARK
            yield from _differences(Topic.COUNTS, "", written, recomputed, (key,), outcome)
        is_few = written["documents"] + written["documents_gone"] <= FEW
        verdicts = Counter(_verdict_counted(row, is_few=is_few) for row in self._claims.pairs)
        counted = {"verdicts": {verdict: verdicts[verdict] for verdict in recomputed["verdicts"]}}
        if not self._claims.is_cut:
            yield from _differences(Topic.COUNTS, "", written, counted, ("verdicts",))


def things_in(findings: Sequence[Finding]) -> int:
    """The number of things with findings: a pair of which three numbers differ is one."""
    of_values = {finding.what for finding in findings if finding.field}
    return len(of_values) + sum(not finding.field for finding in findings)


def _by_key(rows: Sequence[Row], keys: Key) -> Mapping[Key, Row]:
    return {tuple(row[key] for key in keys): row for row in rows}


def _verdict_counted(row: Row, *, is_few: bool) -> object:
    """The verdict that a pair counts as: one on an earlier text waits; None if nothing waits."""
    verdict = row.get("verdict") if row.get("changed_since") is None else Verdict.NOT_REVIEWED
    is_no_work = row.get("weak_trace") == 1 or (is_few and row.get("found_by") == "")
    is_read = isinstance(verdict, str) and verdict != Verdict.NOT_REVIEWED
    return None if is_no_work and not is_read else str(verdict)


def _names(row: Row) -> Key:
    return row["doc_a"], row["doc_b"]


def _in_words(key: Key) -> str:
    return " | ".join(key)  # the same in every language, as in the list on a terminal


def _differences(
    topic: Topic,
    subject: str,
    written: Row,
    recomputed: Row,
    fields: Sequence[str],
    outcome: Outcome = Outcome.DIFFERS,
) -> Iterator[Finding]:
    """The fields of a thing that differ."""
    for field in fields:
        claimed, right = written.get(field), recomputed[field]
        if claimed != right:
            thing, value = (subject, field) if subject else (field, "")
            yield Finding(topic, outcome, thing, _shown(claimed), _shown(right), value)


def _unlike_part(written: Row, recomputed: Row) -> tuple[str, str]:
    """The first part in which two rows differ."""
    for name, right in recomputed.items():
        claimed = written.get(name)
        if claimed == right:
            continue
        both = (claimed, right)
        if isinstance(claimed, list) and isinstance(right, list) and len(claimed) == len(right):
            both = next(pair for pair in zip(claimed, right, strict=True) if pair[0] != pair[1])
            if isinstance(both[0], dict) and isinstance(both[1], dict):
                return _unlike_part(*both)
        return f"{name}: {_shown(both[0])}", f"{name}: {_shown(both[1])}"
    return N_("more than these files give"), ""


def _shown(value: object) -> str:
    """A value in a sentence."""
    text = "nothing" if value is None else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
