"""Progress: a bar for terminals, lines for pipes."""

from __future__ import annotations

import io
import sys

import pytest

from connect4_agent.arena.progress import JUDGING, MAX_FAULT_LINES, PLAYING, GameProgress
from connect4_agent.arena.run.record import Ending, Fault, GameRecord
from connect4_agent.jobs import progress
from tests.sample_runs import record_of


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def game(number: int, fault: Fault | None = None) -> GameRecord:
    return record_of("", game=number, ending=Ending.DRAW if fault is None else Ending.ILLEGAL_MOVE, fault=fault)


def test_lines_tell_faults_at_once_and_the_count_at_the_end() -> None:
    stream = io.StringIO()
    lines = progress.new_progress(PLAYING, stream)
    lines.begin(3, 1)
    games = GameProgress(lines)
    games.show(game(1), 2)
    games.show(game(2, Fault(player=2, detail="column 9 is not on the board")), 3)
    lines.end()
    told = stream.getvalue().splitlines()
    assert told[:2] == [
        "3 games, 1 of them played before",
        "game 2: b made an illegal move: column 9 is not on the board",
    ]
    assert told[2].startswith("3 of 3 games, ")
    assert len(told) == 3


def test_lines_come_every_few_seconds_with_rate_and_end() -> None:
    now = [100.0]
    stream = io.StringIO()
    lines = progress.PlainLines(PLAYING, stream, clock=lambda: now[0])
    lines.begin(100, 0)
    for number in range(1, 11):
        now[0] += 1
        GameProgress(lines).show(game(number), number)
    assert stream.getvalue().splitlines() == [
        "100 games",
        "5 of 100 games, 1.0 a second, about 95 s to go",
        "10 of 100 games, 1.0 a second, about 90 s to go",
    ]
    lines.end()
    assert len(stream.getvalue().splitlines()) == 3  # the last of them has said it all


def test_games_to_judge_are_called_so() -> None:
    stream = io.StringIO()
    lines = progress.new_progress(JUDGING, stream)
    lines.begin(3, 1)
    lines.count(3)
    lines.end()
    told = stream.getvalue().splitlines()
    assert told[0] == "3 games to judge, 1 of them judged before"
    assert told[1].startswith("3 of 3 games judged, ")
    terminal = Terminal()
    bar = progress.new_progress(JUDGING, terminal)
    bar.begin(3, 1)
    bar.count(2)
    bar.end()
    assert "games judged" in terminal.getvalue()


def test_after_many_faults_no_more_are_told() -> None:
    stream = io.StringIO()
    lines = progress.PlainLines(PLAYING, stream)
    lines.begin(100, 0)
    games = GameProgress(lines)
    for number in range(1, 51):
        games.show(game(number, Fault(player=1, detail="")), number)
    told = stream.getvalue().splitlines()
    assert len(told) == MAX_FAULT_LINES + 2
    assert told[-1] == "more faults are not shown here; the journal holds them"


def test_a_terminal_gets_a_bar_with_the_count() -> None:
    stream = Terminal()
    bar = progress.new_progress(PLAYING, stream)
    assert isinstance(bar, progress.Bar)
    bar.begin(4, 1)
    GameProgress(bar).show(game(1, Fault(player=1, detail="[x]")), 2)
    bar.end()
    assert "2/4" in stream.getvalue()
    assert "a made an illegal move: [x]" in stream.getvalue()


def test_without_rich_a_terminal_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rich", None)
    assert isinstance(progress.new_progress(PLAYING, Terminal()), progress.PlainLines)
