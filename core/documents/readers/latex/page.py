"""What LaTeX has written: the running text, notes that follow their paragraph, the title."""

from __future__ import annotations

from core.documents.readers.latex.tables import FRONT
from core.documents.readers.shared.text_flow import Gap, TextFlow


class TypesetPage:
    """Takes what is printed, in the order of the source.

    Attributes:
        muted: In how many groups that are not shown the source is.
        in_preamble: Nothing is printed but what is set apart.
    """

    def __init__(self, *, in_preamble: bool) -> None:
        self.muted = 0
        self.in_preamble = in_preamble
        self._flow = TextFlow()
        self._outer: list[TextFlow] = []  # what a note or a title interrupts
        self._notes: list[str] = []
        self._front: dict[str, str] = {}

    @property
    def is_silent(self) -> bool:
        """Whether nothing is printed at this place."""
        return self.muted > 0 or (self.in_preamble and not self._outer)

    def write(self, text: str) -> None:
        """Print running text."""
        if not self.is_silent:
            self._flow.write(text)

    def write_verbatim(self, text: str) -> None:
        """Print text as it is."""
        if not self.is_silent:
            self._flow.write_verbatim(text)

    def separate(self, gap: Gap) -> None:
        """Have at least this gap before what comes next."""
        if not self.is_silent:
            self._flow.separate(gap)

    def end_paragraph(self) -> None:
        """Set what follows apart; the notes to the paragraph come after it, as on a page."""
        self.separate(Gap.PARAGRAPH)
        if self._outer:
            return
        for note in self._notes:
            self._flow.separate(Gap.PARAGRAPH)
            self._flow.write_verbatim(note)
            self._flow.separate(Gap.PARAGRAPH)
        self._notes.clear()

    def set_apart(self) -> None:
        """Begin a text that does not belong into the running one."""
        self._outer.append(self._flow)
        self._flow = TextFlow()

    def end_note(self) -> None:
        """Make a note of the text that was set apart."""
        text = self._take_back()
        if text and not self.is_silent:
            self._notes.append(text)

    def end_front(self, name: str) -> None:
        """Make a part of the title of the text that was set apart."""
        self._front[name] = self._take_back()

    def make_title(self) -> None:
        """Print the title here."""
        for name in FRONT:
            self.separate(Gap.PARAGRAPH)
            self.write_verbatim(self._front.pop(name, ""))
        self.end_paragraph()

    def text(self) -> str:
        """All that was printed; a title that no command prints comes first."""
        front = "\n\n".join(filter(None, (self._front.get(name) for name in FRONT)))
        return "\n\n".join(filter(None, (front, self._flow.text().strip())))

    def _take_back(self) -> str:
        text = self._flow.text().strip()
        self._flow = self._outer.pop()
        return text
