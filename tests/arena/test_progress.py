"""Progress: a bar for terminals, lines for pipes."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from connect4_agent.arena.faults import Ending, Fault
from connect4_agent.arena.progress import MAX_FAULT_LINES, GameProgress
from connect4_agent.arena.record import GameRecord
from connect4_agent.arena.spec import AgentSpec
from connect4_agent.jobs.progress import Progress, duration
from tests.sample_runs import record_of


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


AGENTS = {name: AgentSpec(name=name, player="random") for name in ("a", "b")}


def game(number: int, fault: Fault | None = None) -> GameRecord:
    return record_of("", game=number, ending=Ending.FULL if fault is None else Ending.ILLEGAL_MOVE, fault=fault)


def test_lines_tell_faults_at_once_and_the_count_at_the_end() -> None:
    stream = io.StringIO()
    lines = Progress("games", "play", stream)
    lines.begin(3, 1)
    games = GameProgress(lines, AGENTS)
    games.show(game(1), 2)
    games.show(game(2, Fault(player=2, detail="column 9 is not on the board")), 3)
    lines.end()
    told = stream.getvalue().splitlines()
    assert told[:2] == [
        "2 of 3 games to play",
        "game 2: b made an illegal move: column 9 is not on the board",
    ]
    assert told[2].startswith("3 of 3 games, ")
    assert len(told) == 3


def test_lines_come_every_few_seconds_with_rate_and_end() -> None:
    now = [100.0]
    stream = io.StringIO()
    lines = Progress("games", "play", stream, clock=lambda: now[0])
    lines.begin(100, 0)
    for number in range(1, 11):
        now[0] += 1
        GameProgress(lines, AGENTS).show(game(number), number)
    assert stream.getvalue().splitlines() == [
        "100 of 100 games to play",
        "5 of 100 games, 1.0 a second, about 95 s to go",
        "10 of 100 games, 1.0 a second, about 90 s to go",
    ]
    lines.end()
    assert len(stream.getvalue().splitlines()) == 3  # the last of them has said it all


def test_lines_say_who_leads() -> None:
    stream = io.StringIO()
    lines = Progress("games", "play", stream)
    lines.begin(2, 0)
    games = GameProgress(lines, AGENTS)
    for number, winner in ((1, 1), (2, None)):
        games.add(record_of("", ending=Ending.ADJUDICATED, winner=winner))
        games.show(game(number), number)
    assert stream.getvalue().splitlines()[-1].endswith(" a second; leading: a 1.5/2, b 0.5/2")


def test_a_long_time_to_go_is_said_in_minutes_and_hours() -> None:
    assert [duration(seconds) for seconds in (119, 600, 9000)] == ["119 s", "10 min", "2 h 30 min"]


def test_a_fault_is_told_with_the_last_line_of_standard_error() -> None:
    stream = io.StringIO()
    games = GameProgress(Progress("games", "play", stream), AGENTS)
    stderr = "Traceback\n  x\nTypeError: no\x1b[1m\n\n"
    games.show(game(2, Fault(player=2, detail="it ended", stderr_tail=stderr, exit_status=1)), 3)
    games.show(game(3, Fault(player=2, detail="the reply is not JSON", stderr_tail="depth 5\n")), 3)
    assert stream.getvalue().splitlines() == [
        r"game 2: b made an illegal move: it ended: TypeError: no\x1b[1m",
        "game 3: b made an illegal move: the reply is not JSON (standard error: depth 5)",
    ]


def test_a_time_out_without_any_answer_asks_whether_the_output_is_flushed() -> None:
    stream = io.StringIO()
    slow = AgentSpec(name="b", command=("python3", "bot.py"))
    games = GameProgress(Progress("games", "play", stream), {"b": slow, "a": AgentSpec(name="a", player="easy")})
    late: dict[str, Any] = {"ending": Ending.TIMED_OUT, "fault": Fault(player=2, detail="late")}
    games.show(record_of("3", **late), 1)
    games.show(record_of("333", **late), 1)
    games.show(record_of("33", **{**late, "fault": Fault(player=1, detail="late")}), 1)
    assert stream.getvalue().splitlines() == [
        "game 1: b timed out: late; is its output flushed? connect4-agent check 'python3 bot.py'",
        "game 1: b timed out: late",
        "game 1: a timed out: late",
    ]


def test_games_to_judge_are_called_so() -> None:
    stream = io.StringIO()
    lines = Progress("games", "judge", stream)
    lines.begin(3, 1)
    lines.count(3)
    lines.end()
    told = stream.getvalue().splitlines()
    assert told[0] == "2 of 3 games to judge"
    assert told[1].startswith("3 of 3 games, ")
    terminal = Terminal()
    bar = Progress("games", "judge", terminal)
    bar.begin(3, 1)
    bar.count(2)
    bar.end()
    assert "games" in terminal.getvalue()


def test_after_many_faults_no_more_are_told() -> None:
    stream = io.StringIO()
    lines = Progress("games", "play", stream)
    lines.begin(100, 0)
    games = GameProgress(lines, AGENTS)
    for number in range(1, 51):
        games.show(game(number, Fault(player=1, detail="")), number)
    told = stream.getvalue().splitlines()
    assert len(told) == MAX_FAULT_LINES + 2
    assert told[-1] == "more faults are not shown here; the journal holds them"


def test_a_terminal_gets_a_bar_with_the_count() -> None:
    stream = Terminal()
    bar = Progress("games", "play", stream)
    bar.begin(4, 1)
    GameProgress(bar, AGENTS).show(game(1, Fault(player=1, detail="[x]")), 2)
    bar.end()
    assert "2/4" in stream.getvalue()
    assert "a made an illegal move: [x]" in stream.getvalue()


def test_without_rich_a_terminal_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rich", None)
    stream = Terminal()
    Progress("games", "play", stream).begin(2)
    assert stream.getvalue() == "2 of 2 games to play\n"
