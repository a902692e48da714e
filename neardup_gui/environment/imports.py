"""Makes the imports after it faster; `app` turns the collector on again behind them.

What is imported stays: to look for garbage in it is a tenth of the start, and to look through it
once when the collector is on again as much, so `app` freezes it first. And PySide6 replaces
Python's `import`, which is given back: its own reads the source of every module and keeps the
lines, to look for its `__feature__`, which Neardup does not use. With it, importing the window took
.30 s of a processor instead of .27 (`python -c "import neardup_gui.app"`, in turns), and 8 MB more.
"""

from __future__ import annotations

import builtins
import gc

from core.program.startup import spare_threads

gc.disable()
spare_threads()  # as the program does first of all; else NumPy's take .08 s of a processor

import PySide6.QtCore  # noqa: F401, E402 - it is what replaces `import`

builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
