"""The journal: games.jsonl in a run's folder, which holds every game that was played and is the truth."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple
from zlib import crc32

from pydantic import ValidationError

from connect4_agent import errors
from connect4_agent.arena.line_file import LineFile, open_in_run
from connect4_agent.arena.record import GameKey, GameRecord, contradiction_in

JOURNAL_NAME = "games.jsonl"
CHECKSUM_KEY = b',"checksum":"'
MAX_LINE_BYTES = 1 << 24


class Place(NamedTuple):
    """Where a line of a journal is."""

    start: int
    length: int


def read_games(
    run: Path, note: Callable[[str], None], bad_line: Callable[[str], None] | None = None
) -> Iterator[GameRecord]:
    """The games of a run's journal, each checked by replaying it, as `read_places` gives them."""
    for record, _ in read_places(run, note, bad_line):
        yield record


def read_places(
    run: Path, note: Callable[[str], None], bad_line: Callable[[str], None] | None = None
) -> Iterator[tuple[GameRecord, Place]]:
    """The games of a run's journal and the places of their lines; a half-written last line is left out and noted.

    A record of a game that is void or was lost on time may be followed by another one of the same game, which replaces
    it. A line that does not hold is given to `bad_line` and left out; without that, it raises RunFolderError.
    """
    seen: dict[int, GameKey | None] = {}
    """The keys of games that may be replaced; None for those that are final."""
    start = 0
    with open_journal(run) as file:
        # A line that is too long is cut, and will not hold.
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE_BYTES), b""), 1):
            if not line.endswith(b"\n"):
                note(f"line {number} of {run / JOURNAL_NAME} is half-written and was left out")
                return
            place = Place(start, len(line))
            start += len(line)
            try:
                record = read_game(line, number, run / JOURNAL_NAME)
                if record.game in seen and seen[record.game] != record.key:
                    before = "was another game before" if seen[record.game] else "appears twice"
                    raise errors.RunFolderError(f"line {number} of {run / JOURNAL_NAME}: game {record.game} {before}")
            except errors.RunFolderError as error:
                if bad_line is None:
                    raise
                bad_line(str(error))
                continue
            seen[record.game] = record.key if record.may_be_replaced else None
            yield record, place


def open_journal(run: Path) -> BinaryIO:
    """The journal of a run, to be read. Raises RunFolderError."""
    try:
        return open_in_run(run, JOURNAL_NAME)
    except OSError as error:
        reason = "no such folder" if not os.path.exists(run) else f"{JOURNAL_NAME}: {error.strerror}"
        raise errors.RunFolderError(f"{str(run)!r} is not a run folder: {reason}") from None


def read_game(line: bytes, number: int, journal: Path) -> GameRecord:
    """One line of a journal, checked by replaying its game. Raises RunFolderError."""
    try:
        record = GameRecord.model_validate_json(without_checksum(line))
    except ValidationError as error:
        problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, problem["loc"])) or "the line"
        raise errors.RunFolderError(f"line {number} of {journal}: {where}: {problem['msg']}") from None
    except ValueError as error:
        raise errors.RunFolderError(f"line {number} of {journal}: {error}") from None
    if (problem_found := contradiction_in(record)) is not None:
        raise errors.RunFolderError(f"line {number} of {journal}: game {record.game} {problem_found}")
    return record


def with_checksum(record: GameRecord) -> bytes:
    """A record as a line of the journal: JSON whose last key is a checksum of what is before it."""
    body = record.model_dump_json().encode()[:-1]
    return body + CHECKSUM_KEY + b"%08x" % crc32(body) + b'"}'


def without_checksum(line: bytes) -> bytes:
    """The record of a line of the journal. Raises ValueError if the checksum is missing or wrong."""
    body, key, rest = line.rstrip(b"\n").rpartition(CHECKSUM_KEY)
    if not key:
        raise ValueError("it has no checksum")
    if rest != b"%08x" % crc32(body) + b'"}':
        raise ValueError("its checksum is wrong: the line was changed or damaged")
    return body + b"}"


class Journal(LineFile):
    """The journal of a run, open for more games. Raises RunFolderError if somebody else writes to it."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(folder / JOURNAL_NAME)
        self.folder = folder
        if dropped := self.dropped_bytes:
            path = folder / JOURNAL_NAME
            say(f"{path}: a half-written last line of {dropped} bytes is dropped; its game is played again")

    def append(self, record: GameRecord) -> Place:
        """Write a game; it is with the system, and safe from the runner's death, before this returns."""
        line = with_checksum(record)
        return Place(self.append_line(line), len(line) + 1)
