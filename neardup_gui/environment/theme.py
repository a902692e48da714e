"""The look of the application: every colour by its meaning, in one place.

Fusion with an own palette, because the platform's colour scheme does nothing on some systems. Views
ask `colors()` when they paint; a change of the scheme reaches them as a palette change event.

What Qt draws by itself and no palette reaches: scroll bars, the lines between the panes.

As a style sheet and not as a style of our own: Qt asks a style hundreds of times for each repaint,
and during a scan every call into Python would wait for the workers. It is the sheet of a window
that is built already, which its dialogs inherit, not that of the application: under that, Qt goes
through all children of a widget that gets a parent, and building a window took twice as long.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QObject, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPaintDevice, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QApplication, QStyleFactory, QWidget

SHEET = """
QScrollBar {{ background: transparent; border: none; margin: 0; }}
QScrollBar:vertical {{ width: 12px; }}
QScrollBar:horizontal {{ height: 12px; }}
QScrollBar::handle {{ background: {handle}; border-radius: 3px; margin: 3px; }}
QScrollBar::handle:vertical {{ min-height: 28px; }}
QScrollBar::handle:horizontal {{ min-width: 28px; }}
QScrollBar::handle:hover, QScrollBar::handle:pressed {{ background: {lit}; }}
QScrollBar::handle:disabled {{ background: transparent; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QMainWindow::separator {{ background: {window}; }}
QMainWindow::separator:vertical {{ width: 5px; border-right: 1px solid {border}; }}
QMainWindow::separator:horizontal {{ height: 5px; border-top: 1px solid {border}; }}
QMainWindow::separator:hover {{ background: {border}; }}
QToolBar {{ background: {bar}; border: none; border-bottom: 1px solid {border};
            padding: 3px 8px; spacing: 3px; }}
QToolBar::separator {{ background: {border}; width: 1px; margin: 7px 6px; }}
QStatusBar {{ border-top: 1px solid {border}; }}
QStatusBar::item {{ border: none; }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
QPlainTextEdit#note {{ border: 1px solid {handle}; border-radius: 3px; }}
QPlainTextEdit#note:focus {{ border-color: {accent}; }}
QToolTip {{ background: {raised}; color: {text}; border: 1px solid {border}; padding: 3px; }}
"""


def style_sheet(**colors: QColor) -> str:
    """The sheet in these colours: handle, lit, accent, window, bar, raised, border, text."""
    return SHEET.format(**{name: color.name() for name, color in colors.items()})


SERIF_FAMILIES = (
    "Noto Serif",
    "Source Serif 4",
    "Charter",
    "Georgia",
    "Cambria",
    "Liberation Serif",
    "DejaVu Serif",
)


class Scheme(StrEnum):
    """What the user chose; SYSTEM follows the desktop."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class PassageColor:
    """One hue for a passage: behind the text, its underline and its ruler mark.

    `gap` is behind the words inside a passage that differ, `strong` behind the current passage.
    """

    fill: QColor
    line: QColor
    gap: QColor
    strong: QColor


@dataclass(frozen=True, slots=True)
class ChangeColors:
    """What was changed between two texts; each kind also has a line of its own."""

    only_a: PassageColor
    only_b: PassageColor
    exchanged: PassageColor
    moved: PassageColor


@dataclass(frozen=True, slots=True)
class Colors:
    """The semantic colours of one scheme."""

    dark: bool
    window: QColor  # behind tool bar, panels, status bar
    base: QColor  # behind tables and text that is read
    raised: QColor  # boxes on a panel
    border: QColor
    text: QColor
    muted: QColor  # secondary text, at least 4.5 : 1 on window and base
    accent: QColor  # lines, bars, links
    on_accent: QColor
    selection: QColor
    track: QColor  # the empty part of a bar or slider
    bars: QColor  # the folder's pairs behind the S-curve
    missed: QColor  # area above the threshold that is missed
    extra: QColor  # area below the threshold that is checked for nothing
    warning: QColor
    on_passage: QColor  # the number on a passage's hue
    passages: tuple[PassageColor, ...]
    changes: ChangeColors
    steps: tuple[PassageColor, ...]  # one hue, the stronger the more documents share a part


# The first three are of Okabe and Ito. All seven differ for people without one kind of cone, too (a
# test simulates that). None is red or green.
PASSAGE_HUES = ("#56b4e9", "#e69f00", "#cc79a7", "#908d54", "#8075d7", "#f3c994", "#2de5f8")


def _passages(base: QColor, share: float) -> tuple[PassageColor, ...]:
    return tuple(_shades(hue, base, share) for hue in PASSAGE_HUES)


def _steps(
    hue: str, base: QColor, fills: tuple[float, ...], lines: tuple[float, ...]
) -> tuple[PassageColor, ...]:
    """One hue from weak to strong; `lines` are as dark as a number on them can still be read."""
    return tuple(
        PassageColor(
            fill=mix(QColor(hue), base, fill),
            line=mix(QColor(hue), base, line),
            gap=mix(QColor(hue), base, 0.4 * fill),
            strong=mix(QColor(hue), base, 1.35 * fill),
        )
        for fill, line in zip(fills, lines, strict=True)
    )


def _changes(base: QColor, share: float, *hues: str) -> ChangeColors:
    return ChangeColors(*(_shades(hue, base, share) for hue in hues))


def _shades(hue: str, base: QColor, share: float) -> PassageColor:
    return PassageColor(
        fill=mix(QColor(hue), base, share),
        line=QColor(hue),
        gap=mix(QColor(hue), base, 0.4 * share),
        strong=mix(QColor(hue), base, 1.45 * share),
    )


def see_through(color: QColor, share: float) -> QColor:
    """A colour that hides `share` of what is behind it."""
    clear = QColor(color)
    clear.setAlphaF(share)
    return clear


def mix(first: QColor, second: QColor, share: float) -> QColor:
    """A colour between two: `share` of the first."""
    return QColor(
        *(
            round(share * a + (1 - share) * b)
            for a, b in zip(first.getRgb()[:3], second.getRgb()[:3], strict=True)  # type: ignore[index]
        )
    )


LIGHT = Colors(
    dark=False,
    window=QColor("#f6f6f5"),
    base=QColor("#ffffff"),
    raised=QColor("#ebebea"),
    border=QColor("#d9dadb"),
    text=QColor("#1c1e21"),
    muted=QColor("#5a6068"),
    accent=QColor("#1f5aa6"),
    on_accent=QColor("#ffffff"),
    selection=QColor("#dbe6f5"),
    track=QColor("#d5d9de"),
    bars=QColor("#d3dde9"),
    missed=QColor("#b3548f"),
    extra=QColor("#a8790a"),
    warning=QColor("#8a5200"),
    on_passage=QColor("#0c0e11"),
    passages=_passages(QColor("#ffffff"), 0.26),
    changes=_changes(QColor("#ffffff"), 0.2, "#c8500a", "#1f78c8", "#a24f86", "#4a4f57"),
    steps=_steps("#1f5aa6", QColor("#ffffff"), (0.09, 0.16, 0.24, 0.33), (0.3, 0.4, 0.5, 0.62)),
)
DARK = Colors(
    dark=True,
    window=QColor("#212429"),
    base=QColor("#1b1d21"),
    raised=QColor("#2b2f35"),
    border=QColor("#383d44"),
    text=QColor("#e8eaed"),
    muted=QColor("#a3aab3"),
    accent=QColor("#7fb2ef"),
    on_accent=QColor("#10141a"),
    selection=QColor("#243e5e"),
    track=QColor("#3a4048"),
    bars=QColor("#4f6277"),
    missed=QColor("#d987b8"),
    extra=QColor("#d9b04a"),
    warning=QColor("#f0b45a"),
    on_passage=QColor("#0c0e11"),
    passages=_passages(QColor("#1b1d21"), 0.27),
    changes=_changes(QColor("#1b1d21"), 0.3, "#f0884a", "#5fb0f2", "#d98cc0", "#c0c4cc"),
    steps=_steps("#7fb2ef", QColor("#1b1d21"), (0.12, 0.2, 0.28, 0.36), (0.65, 0.75, 0.88, 1.0)),
)


class Theme(QObject):
    """Applies a scheme to the application.

    Attributes:
        scheme: What the user chose.
    """

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._application = application
        self._window: QWidget | None = None
        self.scheme = Scheme.SYSTEM
        # Else widgets under a style sheet would keep the fonts they have.
        application.setAttribute(Qt.ApplicationAttribute.AA_UseStyleSheetPropagationInWidgetStyles)
        # Once: another style is given to each widget there is, also of windows that are closing.
        if application.style().name() != "fusion":
            application.setStyle(QStyleFactory.create("Fusion"))
        application.styleHints().colorSchemeChanged.connect(self._on_system_changed)

    def apply(self, scheme: Scheme) -> None:
        """Use a scheme from now on."""
        global _current  # noqa: PLW0603 - one application has one theme
        self.scheme = scheme
        _current = DARK if self._is_dark() else LIGHT
        self._application.setPalette(_palette(_current))
        if self._window is not None:
            # In two turns of the event loop, unseen: each goes through all widgets, 30 ms.
            self._window.setUpdatesEnabled(False)
            self._window.setStyleSheet("")
            QTimer.singleShot(0, self, self._style_window)

    def set_window(self, window: QWidget) -> None:
        """Give a window that is built the look, and all that opens from it."""
        self._window = window
        self._style_window()

    def _style_window(self) -> None:
        if self._window is not None:
            self._window.setStyleSheet(_sheet(_current))
            self._window.setUpdatesEnabled(True)

    def _is_dark(self) -> bool:
        if self.scheme is Scheme.SYSTEM:
            return self._application.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return self.scheme is Scheme.DARK

    def _on_system_changed(self) -> None:
        if self.scheme is Scheme.SYSTEM:
            self.apply(Scheme.SYSTEM)


_current = LIGHT


def colors() -> Colors:
    """The colours in use."""
    return _current


@contextmanager
def on_paper() -> Iterator[None]:
    """Within it the colours are the light ones, for what is drawn to be printed or passed on."""
    global _current  # noqa: PLW0603 - the one place that says which colours are in use
    before = _current
    _current = LIGHT
    try:
        yield
    finally:
        _current = before


def smooth_painter(device: QPaintDevice) -> QPainter:
    """Draws lines and letters with soft edges."""
    painter = QPainter(device)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


def sharp_pixmap(
    size: QSize, ratio: float, ground: QColor | Qt.GlobalColor = Qt.GlobalColor.transparent
) -> QPixmap:
    """A pixmap of a size in logical pixels, for a screen with so many pixels in each."""
    pixmap = QPixmap(size * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(ground)
    return pixmap


def reading_font(points: float) -> QFont:
    """The serif face for the text that is read."""
    known = set(QFontDatabase.families())
    family = next((name for name in SERIF_FAMILIES if name in known), "serif")
    font = QFont(family)
    font.setStyleHint(QFont.StyleHint.Serif)
    font.setPointSizeF(points)
    return font


def _palette(c: Colors) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for name, color in {
        role.Window: c.window,
        role.WindowText: c.text,
        role.Base: c.base,
        role.AlternateBase: c.window,
        role.Text: c.text,
        role.PlaceholderText: c.muted,
        role.Button: c.window,
        role.ButtonText: c.text,
        role.ToolTipBase: c.raised,
        role.ToolTipText: c.text,
        role.Highlight: c.selection,
        role.HighlightedText: c.text,
        role.Link: c.accent,
        role.LinkVisited: c.accent,
        role.Accent: c.accent,
        role.Mid: c.border,
        role.Dark: c.border,
        role.Midlight: c.raised,
        role.Light: c.base,
    }.items():
        palette.setColor(name, color)
    for name in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, name, mix(c.text, c.window, 0.45))
    return palette


def _sheet(c: Colors) -> str:
    return style_sheet(
        handle=mix(c.muted, c.window, 0.4),
        lit=c.muted,
        window=c.window,
        bar=c.window if c.dark else c.base,
        raised=c.raised,
        accent=c.accent,
        border=c.border,
        text=c.text,
    )
