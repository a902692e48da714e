"""The story of a Word 2003 document in XML: where it differs from that of a docx.

Headers, footers and notes stand in the middle of the text, and every change, comment or bookmark is
an annotation around what it concerns, or at its place.
"""

from __future__ import annotations

from core.documents.readers.ooxml.docx_body import DocxBody
from core.documents.readers.ooxml.names import Starts, named, word_attribute
from core.documents.readers.shared.remarks import Tally

_NEVER_READ = "w:docPr w:styles w:fonts w:lists w:shapeDefaults w:docSuppData w:bgPict"
_DELETION, _COMMENT = "Word.Deletion", "Word.Comment"


class FlatBody(DocxBody):
    """Reads a document with everything that is in it."""

    def __init__(self, tally: Tally, hidden_styles: frozenset[str]) -> None:
        super().__init__(tally, hidden_styles, lambda _: "", lambda _: None)
        self._headers: dict[str, None] = {}
        self._footers: dict[str, None] = {}
        self._footnotes: list[str] = []
        self._endnotes: list[str] = []
        self._around: list[Starts] = []

    def _make_tables(self) -> None:
        super()._make_tables()
        heading = named({"w:hdr w:ftr": lambda _: self._start_story()})
        self._in_run |= named({"aml:annotation": self._skip})
        self._in_paragraph |= heading | named({"aml:annotation": self._annotate_mark})
        self._in_body |= heading | named(
            {
                "w:wordDocument": self._runs.start_part,
                "aml:annotation": self._annotate,
                "w:footnote w:endnote": lambda _: self._start_story(),
            }
            | dict.fromkeys(_NEVER_READ.split(), self._skip)
        )
        self._ends |= named(
            {
                "w:hdr": lambda: self._end_heading(self._headers),
                "w:ftr": lambda: self._end_heading(self._footers),
                "w:footnote": lambda: self._end_story(self._footnotes),
                "w:endnote": lambda: self._end_story(self._endnotes),
            }
        )

    def document(self) -> str:
        """Everything a person reads."""
        text = self.finish()
        parts = [*self._headers, text, *self._footnotes, *self._endnotes, *self._footers]
        return "\n\n".join(part for part in parts if part)

    def _start_story(self) -> None:
        """Begin a story in the middle of another, maybe among the properties of a paragraph."""
        self._around.append(self._starts)
        self._places.enter()
        self._starts = self._in_body

    def _end_story(self, found: list[str]) -> None:
        found.append(self._places.leave())
        if self._around:
            self._starts = self._around.pop()

    def _end_heading(self, found: dict[str, None]) -> None:
        """A header or footer, each text once; a page number is none."""
        texts: list[str] = []
        self._end_story(texts)
        found.update(dict.fromkeys(it for it in texts if any(map(str.isalpha, it))))

    def _annotate(self, attributes: dict[str, str]) -> None:
        """A change or a comment around text; insertions and bookmarks change nothing."""
        kind = _kind(attributes)
        if kind == _DELETION:
            self._delete(attributes)
        elif kind == _COMMENT:
            self._count("comments")
            self._skip(attributes)

    def _annotate_mark(self, attributes: dict[str, str]) -> None:
        """A change of the mark at the end of a paragraph, or of its properties."""
        self._place.join(yes=_kind(attributes) == _DELETION)
        self._skip(attributes)


def _kind(attributes: dict[str, str]) -> str:
    return word_attribute(attributes, "type")
