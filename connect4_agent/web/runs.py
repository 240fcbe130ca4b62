"""A run of the arena as the page shows it: read once, and after that only what is added to its journal."""

from __future__ import annotations

import os
import threading
from bisect import insort
from pathlib import Path
from time import monotonic

import orjson

from connect4_agent import errors
from connect4_agent.arena.report.tally import Tally
from connect4_agent.arena.run.journal import JOURNAL_NAME, open_journal, read_game, without_checksum
from connect4_agent.arena.run.judged_moves import JUDGED_NAME, Judgements, read_judgements, with_judgement
from connect4_agent.arena.run.record import GameRecord
from connect4_agent.web import http_errors

JUDGED_SECONDS = 5.0
"""The least time between two recounts of all games while they are being judged."""


class OpenRun:
    """A run that may still be in progress. Any thread may ask; they are answered one at a time.

    Raises RunFolderError if the journal cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._journal = folder / JOURNAL_NAME
        self._lock = threading.Lock()
        self._tally = Tally()
        self._report: bytes | None = None
        self._places: dict[int, tuple[int, int]] = {}
        """Where each game's line begins, and its length."""
        self._final: set[int] = set()
        self._numbers: list[int] = []
        self._lines = 0
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
        """The output of `connect4-agent report RUN --json` for the games so far."""
        with self._lock:
            self._read_on()
            if self._report is None:
                notes = list(self._judgement_notes)
                if self._is_half_read:
                    notes.append(f"line {self._lines + 1} of {self._journal} is half-written and was left out")
                report = self._tally.report(self._folder.resolve().name, notes=notes)
                self._report = orjson.dumps(report, option=orjson.OPT_APPEND_NEWLINE)
            return self._report

    def games(self, offset: int, limit: int) -> bytes:
        """Some games, ordered by number."""
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
        """One game. Raises WebError."""
        with self._lock:
            self._read_on()
            self._check(number)
            return self._documents([number])[0] + b"\n"

    def judged(self, number: int) -> bytes:
        """The judged moves of one game. Raises WebError."""
        with self._lock:
            self._read_on()
            self._check(number)
            judged = self._judged_record(self._line(number), number).judged
        if judged is None:
            raise http_errors.WebError("not_judged", f"game {number} is not judged")
        return orjson.dumps(judged.to_dict(), option=orjson.OPT_APPEND_NEWLINE)

    def _check(self, number: int) -> None:
        if number not in self._places:
            raise http_errors.WebError(
                "no_such_game", f"there is no game {number} among the {len(self._numbers)} of this run"
            )

    def _forget(self) -> None:
        self._tally = Tally()
        self._report = None
        self._places.clear()
        self._final.clear()
        self._numbers.clear()
        self._lines = 0
        self._size = 0

    def _read_on(self) -> None:
        """Read the lines that have been added; all of them if the journal was replaced, or judged since."""
        self._read_judgements()
        with open_journal(self._folder) as file:
            status = os.fstat(file.fileno())
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
        self._lines += 1
        number = self._lines
        record = read_game(line, number, self._journal)
        if record.game in self._final:
            raise errors.RunFolderError(f"line {number} of {self._journal}: game {record.game} appears twice")
        self._tally.add(with_judgement(record, self._judgements))
        self._report = None
        if record.game not in self._places:
            insort(self._numbers, record.game)
        self._places[record.game] = (self._size, len(line) - 1)
        self._size += len(line)
        if not record.may_be_replaced:
            self._final.add(record.game)

    def _documents(self, numbers: list[int]) -> list[bytes]:
        """The games as the journal holds them, with their judgements."""
        documents = []
        for number in numbers:
            line = self._line(number)
            if not self._judgements:
                line = without_checksum(line)
            else:
                line = self._judged_record(line, number).model_dump_json().encode()
            documents.append(line)
        return documents

    def _line(self, number: int) -> bytes:
        start, length = self._places[number]
        with open_journal(self._folder) as file:
            file.seek(start)
            return file.read(length)

    def _judged_record(self, line: bytes, number: int) -> GameRecord:
        return with_judgement(read_game(line, number, self._journal), self._judgements)


def _identity(status: os.stat_result) -> tuple[int, ...]:
    """Values that change when the file does."""
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
