"""The fields of the setup panel: everything that a new scan may need to know."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from neardup_gui.models.setup.scan_settings import (
    LANGUAGES,
    MAX_DISTANCE,
    MAX_PASSAGE,
    MAX_SHINGLE,
    MAX_SIGNATURE,
    Field,
    Values,
    method_choices,
    method_tip,
)
from neardup_gui.views.setup.rows import LABEL_WIDTH, muted_label
from neardup_gui.views.widgets.controls import CheckBox, ComboBox, NumberBox, Problem, TextField

__all__ = ["SetupForm"]

NUMBER_WIDTH = 56
UNITS = (("words", "word"), ("characters", "char"))
WHITE_SPACES = (("removed", "remove"), ("as one space", "collapse"))
REPEATS = (("count once", False), ("count every time", True))
WEIGHTS = (
    ("all alike", "unweighted"),
    ("by occurrence (tf)", "tf"),
    ("and by rarity (tf-idf)", "tf-idf"),
)
COMPARISONS = (
    ("all where it takes a second", "auto"),
    ("all, however long it takes", "all"),
    ("those that bands find", "bands"),
)
LANGUAGE_NAMES = (("none", ""), *((name.title(), name) for name in LANGUAGES))

NEEDS_LANGUAGE_TIP = "Choose a language first; it is not guessed"
STOP_WORDS_TIP = (
    "Words of the language's list do not count. The lists are long: the English one has about "
    "1,300 words, among them words such as “computer”."
)
STEM_TIP = "Words count by their stem, so that “connected” and “connection” are the same"
PASSAGE_TIP = (
    "A pair is also listed when it shares this many words in a row. In scripts without spaces "
    "between words, and in shingles of characters, letters are counted: 1.6 of Chinese or 5 of "
    "English make a word."
)
WEIGHTS_TIP = (
    "What a shingle counts for in the 64 bits: all alike, by its occurrences in the document "
    "(tf), or by these and its rarity in the folder (tf-idf)"
)
DISTANCE_TIP = (
    "d: pairs are compared when at most so many of the 64 bits of their signatures differ"
)

COMPARE_TIP = (
    "Where all pairs are compared, none above “Listed from” is missed, whatever b and r. Else the "
    "pairs that meet in a band or share a passage are compared."
)

Options = tuple[tuple[str, object], ...]


class SetupForm(QWidget):
    """One row for each field; a row that has no meaning is hidden.

    Signals:
        field_changed: The name of a field and its new value.
    """

    field_changed = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnMinimumWidth(0, LABEL_WIDTH)
        self._grid.setColumnStretch(1, 1)
        self._unit = self._combo(Field.UNIT, "Shingles of", UNITS)
        self._k = self._number(Field.K, "Shingle length k", MAX_SHINGLE)
        self._case = self._check(Field.IGNORE_CASE, "Ignore case")
        self._punctuation = self._check(Field.PUNCTUATION, "Keep punctuation")
        self._digits = self._check(Field.DIGITS, "Keep digits")
        self._white_space = self._combo(Field.WHITE_SPACE, "White space", WHITE_SPACES)
        self._language = self._combo(Field.LANGUAGE, "Language", LANGUAGE_NAMES)
        self._stop_words = self._check(Field.STOP_WORDS, "Leave out stop words")
        self._stem = self._check(Field.STEM, "Compare stems")
        self._bag = self._combo(Field.BAG, "Repeated shingles", REPEATS)
        self._method = self._combo(Field.METHOD, "Signature method", method_choices())
        self._size = self._number(Field.SIZE, "Signature size K", MAX_SIGNATURE)
        self._weights = self._combo(Field.WEIGHTS, "Weights of shingles", WEIGHTS)
        self._distance = self._number(Field.DISTANCE, "Distance d", MAX_DISTANCE, low=0)
        self._passage = self._number(
            Field.PASSAGE, "Shortest shared passage, in words", MAX_PASSAGE
        )
        self._compare = self._combo(Field.COMPARE, "Pairs to compare", COMPARISONS)
        self._seed = TextField()
        self._seed.setAccessibleName("Seed")
        self._seed.editingFinished.connect(self._on_seed_entered)
        self._problem = Problem()
        self._lay_out()
        self._add_tool_tips()

    def show_values(self, values: Values) -> None:
        """Show values without telling anyone."""
        for box, number in (
            (self._k, values.k),
            (self._size, values.signature_size),
            (self._distance, values.max_distance),
            (self._passage, values.passage),
        ):
            with QSignalBlocker(box):
                box.setValue(number)
        for check, on in (
            (self._case, values.ignore_case),
            (self._punctuation, values.keep_punctuation),
            (self._digits, values.keep_digits),
            (self._stop_words, values.drop_stop_words),
            (self._stem, values.stem),
        ):
            with QSignalBlocker(check):
                check.setChecked(on)
        for combo, chosen in (
            (self._unit, values.unit),
            (self._white_space, values.white_space),
            (self._language, values.language),
            (self._bag, values.bag),
            (self._method, values.signature),
            (self._weights, values.weights),
            (self._compare, values.compare),
        ):
            with QSignalBlocker(combo):
                combo.setCurrentIndex(combo.findData(chosen))
        self._seed.setText(values.seed)
        self._show_rows(values)

    def show_problem(self, sentence: str) -> None:
        """Say below the fields why the last change cannot be."""
        self._problem.show_sentence(sentence)

    def _show_rows(self, values: Values) -> None:
        """Hide what has no meaning; say of what cannot be chosen yet what it needs."""
        words, method = values.unit == "word", values.method
        for widgets, shown in (
            (self._character_rows, not words),
            (self._word_rows, words),
            (self._size_rows, method.uses(Field.SIZE)),
            (self._weight_rows, method.uses(Field.WEIGHTS)),
            (self._distance_rows, method.uses(Field.DISTANCE)),
        ):
            for widget in widgets:
                widget.setVisible(shown)
        for check, tip in ((self._stop_words, STOP_WORDS_TIP), (self._stem, STEM_TIP)):
            check.setEnabled(bool(values.language))
            check.setToolTip(tip if values.language else NEEDS_LANGUAGE_TIP)

    def _lay_out(self) -> None:
        self._add_row("Shingles", self._unit)
        self._add_row("Length k", self._k)
        self._add_row("Repeated", self._bag)
        self._add_row("Text", self._case)
        self._add_row("", self._punctuation)
        self._add_row("", self._digits)
        self._character_rows = self._add_row("White space", self._white_space)
        self._word_rows = (
            *self._add_row("Language", self._language),
            *self._add_row("", self._stop_words),
            *self._add_row("", self._stem),
        )
        self._add_row("Signature", self._method)
        self._size_rows = self._add_row("Values K", self._size)
        self._weight_rows = self._add_row("Weights", self._weights)
        self._distance_rows = self._add_row("Distance d", self._distance)
        self._add_row("Seed", self._seed)
        self._add_row("Passage, words", self._passage)
        self._add_row("Compare", self._compare)
        self._grid.addWidget(self._problem, self._grid.rowCount(), 0, 1, 2)

    def _add_row(self, title: str, widget: QWidget) -> tuple[QWidget, QWidget]:
        row = self._grid.rowCount()
        label = muted_label(title, widget)
        self._grid.addWidget(label, row, 0)
        narrow = isinstance(widget, NumberBox)
        side = Qt.AlignmentFlag.AlignLeft if narrow else Qt.AlignmentFlag(0)
        self._grid.addWidget(widget, row, 1, side)
        return label, widget

    def _combo(self, field: str, name: str, options: Options) -> ComboBox:
        combo = ComboBox()
        combo.setAccessibleName(name)
        for text, value in options:
            combo.addItem(text, value)
        combo.currentIndexChanged.connect(partial(self._on_combo_changed, field, combo))
        return combo

    def _number(self, field: str, name: str, high: int, *, low: int = 1) -> NumberBox:
        box = NumberBox(0)
        box.setRange(low, high)
        box.setMinimumWidth(NUMBER_WIDTH)
        box.setAccessibleName(name)
        box.valueChanged.connect(partial(self._on_number_changed, field))
        return box

    def _check(self, field: str, name: str) -> CheckBox:
        check = CheckBox(name)
        check.toggled.connect(partial(self.field_changed.emit, field))
        return check

    def _add_tool_tips(self) -> None:
        for widget, text in (
            (
                self._unit,
                "What a shingle is made of. In scripts without spaces every letter is a word.",
            ),
            (self._k, "k: how many words or characters make a shingle"),
            (
                self._bag,
                "Whether a shingle that repeats in a document counts as often as it occurs",
            ),
            (self._case, "Upper and lower case are the same"),
            (self._punctuation, "Punctuation counts; in word shingles every mark is a word"),
            (self._digits, "Digits count; otherwise they are dropped like punctuation"),
            (self._white_space, "White space in character shingles"),
            (self._language, "Language of the stop words and stems; it is not guessed"),
            (self._method, method_tip()),
            (self._size, "K: numbers in a signature; more of them miss fewer pairs"),
            (self._weights, WEIGHTS_TIP),
            (self._distance, DISTANCE_TIP),
            (
                self._passage,
                PASSAGE_TIP,
            ),
            (self._compare, COMPARE_TIP),
            (self._seed, "The same seed gives the same result everywhere"),
        ):
            widget.setToolTip(text)

    def _on_combo_changed(self, field: str, combo: ComboBox, _index: int) -> None:
        self.field_changed.emit(field, combo.currentData())

    def _on_number_changed(self, field: str, value: float) -> None:
        self.field_changed.emit(field, round(value))

    def _on_seed_entered(self) -> None:
        if self._seed.isModified():
            self._seed.setModified(False)
            self.field_changed.emit(Field.SEED, self._seed.text())
