"""Gives Python its own `import` back, which PySide6 replaces; to be imported before the rest.

PySide6's reads the source of every module that is imported after it and keeps the lines, to look
for its `__feature__`, which Neardup does not use. With it, importing the window took .42 s of a
processor instead of .37 (`python -c "import neardup_gui.app"`, in turns), and 8 MB more.
"""

from __future__ import annotations

import builtins

import PySide6.QtCore  # noqa: F401 - it is what replaces `import`

builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
