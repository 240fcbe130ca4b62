"""Ctrl-C during long work: the first one lets work in progress finish, the second one ends the program at once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

EXIT_INTERRUPTED = 130


@dataclass(slots=True)
class Stop:
    """A request to start nothing new."""

    is_asked: bool = False


@contextmanager
def stop_on_interrupt(stop: Stop, message: str) -> Iterator[None]:
    """Ask to stop at the first Ctrl-C and print the message. Outside the main thread this does nothing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def on_interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  # the signature of a handler
        if stop.is_asked:
            os._exit(EXIT_INTERRUPTED)  # workers see the closed pipe and end
        stop.is_asked = True
        # No print here: the handler may have interrupted one.
        os.write(2, f"\n{message}\n".encode())

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
