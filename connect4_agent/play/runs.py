"""A run of the arena as the page shows it: read once, and then only what has been added to its journal."""

from __future__ import annotations

import threading
from bisect import insort
from time import monotonic
from typing import TYPE_CHECKING

import orjson

from connect4_agent import errors
from connect4_agent.arena.judgements import JUDGED_NAME, read_judgements, with_judgement
from connect4_agent.arena.report import JOURNAL_NAME, read_game
from connect4_agent.arena.tally import Tally

if TYPE_CHECKING:
    from os import stat_result
    from pathlib import Path

    from connect4_agent.arena.judgements import Judgements

JUDGED_SECONDS = 5.0
"""How often all games are counted anew, at the most, while they are being judged."""


class OpenRun:
    """A run that may still be going on. Any thread may ask; only one at a time is answered.

    Raises RunFolderError where the journal cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._journal = folder / JOURNAL_NAME
        self._lock = threading.Lock()
        self._tally = Tally()
        self._report: bytes | None = None
        self._places: dict[int, tuple[int, int]] = {}
        """Of each game's line: where it begins, and its length."""
        self._numbers: list[int] = []
        self._size = 0
        self._file = (0, 0)
        self._is_half_read = False
        self._judgements: Judgements = {}
        self._judgement_notes: list[str] = []
        self._judged_file: tuple[int, ...] = ()
        self._judged_from = float("-inf")
        """When changed judgements may be read next."""
        self._read_on()

    def report(self) -> bytes:
        """What `connect4-agent report RUN --json` gives, of the games so far."""
        with self._lock:
            self._read_on()
            if self._report is None:
                notes = list(self._judgement_notes)
                if self._is_half_read:
                    notes.append(f"line {len(self._numbers) + 1} of {self._journal} is half-written and was left out")
                report = self._tally.report(self._folder.resolve().name, notes=notes)
                self._report = orjson.dumps(report, option=orjson.OPT_APPEND_NEWLINE)
            return self._report

    def games(self, offset: int, limit: int) -> bytes:
        """Some games, ordered by their number."""
        with self._lock:
            self._read_on()
            documents = self._documents(self._numbers[offset : offset + limit])
            document = {
                "total": len(self._numbers),
                "offset": offset,
                "games": [orjson.Fragment(document) for document in documents],
            }
            return orjson.dumps(document, option=orjson.OPT_APPEND_NEWLINE)

    def game(self, number: int) -> bytes:
        """One game. Raises NoSuchGameError."""
        with self._lock:
            self._read_on()
            if number not in self._places:
                raise errors.NoSuchGameError(f"there is no game {number} among the {len(self._numbers)} of this run")
            return self._documents([number])[0] + b"\n"

    def _forget(self) -> None:
        self._tally = Tally()
        self._report = None
        self._places.clear()
        self._numbers.clear()
        self._size = 0

    def _read_on(self) -> None:
        """Take in the lines that have been added; all of them where the journal is another one, or judged now."""
        self._read_judgements()
        try:
            with self._journal.open("rb") as file:
                status = self._journal.stat()
                if status.st_size < self._size or (status.st_dev, status.st_ino) != self._file:
                    self._forget()
                    self._file = (status.st_dev, status.st_ino)
                file.seek(self._size)
                is_half_read = False
                for line in file:
                    is_half_read = not line.endswith(b"\n")
                    if not is_half_read:
                        self._add(line)
                if is_half_read != self._is_half_read:
                    self._is_half_read = is_half_read
                    self._report = None
        except OSError as error:
            reason = "no such folder" if not self._folder.exists() else f"{JOURNAL_NAME}: {error.strerror}"
            raise errors.RunFolderError(f"{str(self._folder)!r} is not a run folder: {reason}") from None

    def _read_judgements(self) -> None:
        try:
            judged_file = _identity((self._folder / JUDGED_NAME).stat())
        except OSError:
            judged_file = ()
        if judged_file == self._judged_file or monotonic() < self._judged_from:
            return
        self._judged_file = judged_file
        self._judgement_notes.clear()
        self._judgements = read_judgements(self._folder, self._judgement_notes.append)
        self._judged_from = monotonic() + JUDGED_SECONDS
        self._forget()

    def _add(self, line: bytes) -> None:
        number = len(self._numbers) + 1
        record = read_game(line, number, self._journal)
        if record.game in self._places:
            raise errors.RunFolderError(f"line {number} of {self._journal}: game {record.game} is there a second time")
        self._tally.add(with_judgement(record, self._judgements))
        self._report = None
        self._places[record.game] = (self._size, len(line) - 1)
        insort(self._numbers, record.game)
        self._size += len(line)

    def _documents(self, numbers: list[int]) -> list[bytes]:
        """The games as they stand in the journal, with what has been judged of them."""
        documents = []
        with self._journal.open("rb") as file:
            for number in numbers:
                start, length = self._places[number]
                file.seek(start)
                line = file.read(length)
                if self._judgements:
                    record = with_judgement(read_game(line, number, self._journal), self._judgements)
                    line = record.model_dump_json().encode()
                documents.append(line)
        return documents


def _identity(status: stat_result) -> tuple[int, ...]:
    """What changes when a file does."""
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
