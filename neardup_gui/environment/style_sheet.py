"""What Qt draws by itself and no palette reaches: scroll bars, the lines between the panes.

As a style sheet and not as a style of our own: Qt asks a style hundreds of times for each repaint,
and during a scan every call into Python would wait for the workers.
"""

from __future__ import annotations

from PySide6.QtGui import QColor

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
QToolTip {{ background: {raised}; color: {text}; border: 1px solid {border}; padding: 3px; }}
"""


def style_sheet(**colors: QColor) -> str:
    """The sheet in these colours: handle, lit, window, bar, raised, border, text."""
    return SHEET.format(**{name: color.name() for name, color in colors.items()})
