"""Messages of a reader process that wait to be taken."""

from __future__ import annotations

import threading
from collections import deque

from core.documents.isolation.protocol import Frame

_MESSAGES = 4
_BYTES = 1 << 24  # of bodies: a process must not fill the memory of the one that it answers


class Inbox:
    """Hands messages from one thread to another, a few at a time."""

    def __init__(self) -> None:
        self._messages: deque[Frame | None] = deque()
        self._changed = threading.Condition()
        self._is_closed = False

    def put(self, message: Frame | None) -> None:
        """Hand over a message, as soon as there is room; None is the end of them."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or self._has_room())
            self._messages.append(message)
            self._changed.notify_all()

    def get(self, seconds: float) -> Frame | None:
        """The next message.

        Raises:
            TimeoutError: None has come for so many seconds.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._messages, seconds):
                raise TimeoutError
            message = self._messages.popleft()
            self._changed.notify_all()
            return message

    def close(self) -> None:
        """End all waiting."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def _has_room(self) -> bool:
        waiting = [message for message in self._messages if message is not None]
        size = sum(len(message.body) for message in waiting)
        return len(waiting) < _MESSAGES and size < _BYTES
