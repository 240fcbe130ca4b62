"""What is said while games are played or judged."""

from __future__ import annotations

from connect4_agent.arena.run.record import Fault, GameRecord
from connect4_agent.jobs.progress import Progress, Reached, Wording
from connect4_agent.text import escaped

LINE_SECONDS = 5.0
"""How often a plain line says how far the run is."""

MAX_FAULT_LINES = 20
"""After that many, faults are no longer shown as they happen; the journal holds all of them."""


NO_MORE_FAULTS = "more faults are not shown here; the journal holds them"


def _wording(to_do: str, before: str, finished: str) -> Wording:
    def first_line(reached: Reached) -> str:
        return f"{reached.total} {to_do}" + (f", {reached.done} of them {before} before" if reached.done else "")

    def line(reached: Reached) -> str:
        rest = f", about {reached.seconds_left:.0f} s to go" if reached.done < reached.total else ""
        return f"{reached.done} of {reached.total} {finished}, {reached.per_second:.1f} a second{rest}"

    def beside_bar(reached: Reached) -> str:
        return f"{finished}  {reached.per_second:.1f}/s"

    return Wording(first_line, line, LINE_SECONDS, beside_bar, keeps_bars=False)


PLAYING = _wording(to_do="games", before="played", finished="games")
JUDGING = _wording(to_do="games to judge", before="judged", finished="games judged")


class GameProgress:
    """Counts finished games, and tells their faults, until there are too many of them."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._fault_lines = 0

    def show(self, record: GameRecord, finished: int) -> None:
        """A game is over, which makes that many."""
        if record.fault is not None and self._fault_lines <= MAX_FAULT_LINES:
            self._fault_lines += 1
            self._progress.say(
                _fault_line(record, record.fault) if self._fault_lines <= MAX_FAULT_LINES else NO_MORE_FAULTS
            )
        self._progress.count(finished)


_VERBS = {
    "illegal move": "made an illegal move",
    "malformed reply": "gave a malformed reply",
    "out of memory": "ran out of memory",
    "too many processes": "had too many processes",
}


def _fault_line(record: GameRecord, fault: Fault) -> str:
    name = record.agents[fault.player - 1]
    line = f"game {record.game}: {name} {_VERBS.get(record.ending, record.ending)}: {escaped(fault.detail)}"
    return f"{line}; the game will be continued when nothing else runs" if record.is_due else line
