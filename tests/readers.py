"""Reader processes that serve one test after the other: to start one takes a tenth of a second."""

from collections import defaultdict

from core.documents.isolation.processes import ReaderProcesses

_KEPT = defaultdict(list)
_TAKE, _CLOSE = ReaderProcesses._take, ReaderProcesses.close


def _like(processes):
    """Those that were started in the same way and wait for work; none that starts Tesseract."""
    return _KEPT[processes.settings.limits.characters, processes.start]


def _take(self, *, fresh, reads_scans):
    with self._lock:
        idle = self._idle[reads_scans]
        if not (fresh or reads_scans or idle) and _like(self):
            idle.append(_like(self).pop())
    return _TAKE(self, fresh=fresh, reads_scans=reads_scans)


def _close(self):
    with self._lock:
        _like(self).extend(self._idle[False])
        self._idle[False].clear()
    _CLOSE(self)


def keep(monkeypatch):
    """Leave processes that are idle at the end of a scan to the next one."""
    monkeypatch.setattr(ReaderProcesses, "_take", _take)
    monkeypatch.setattr(ReaderProcesses, "close", _close)


def end():
    for kept in _KEPT.values():
        while kept:
            kept.pop().kill()
