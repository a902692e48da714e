"""Readers of foreign formats in processes of their own, which may crash, hang or swell.

    ReaderProcesses ─▶ ReaderProcess ══ frames over pipes ══▶ worker: bytes to documents

A process reads one file at a time. What breaks a limit is killed, and only that file is lost.
"""
