"""Progress: a bar for terminals, lines for pipes."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from connect4_agent.arena.agents.spec import AgentSpec
from connect4_agent.arena.progress import JUDGING, MAX_FAULT_LINES, PLAYING, GameProgress
from connect4_agent.arena.run.record import Ending, Fault, GameRecord
from connect4_agent.jobs import progress
from tests.sample_runs import record_of


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


AGENTS = {name: AgentSpec(name=name, player="random") for name in ("a", "b")}


def game(number: int, fault: Fault | None = None) -> GameRecord:
    return record_of("", game=number, ending=Ending.DRAW if fault is None else Ending.ILLEGAL_MOVE, fault=fault)


def test_lines_tell_faults_at_once_and_the_count_at_the_end() -> None:
    stream = io.StringIO()
    lines = progress.new_progress(PLAYING, stream)
    lines.begin(3, 1)
    games = GameProgress(lines, AGENTS)
    games.show(game(1), 2)
    games.show(game(2, Fault(player=2, detail="column 9 is not on the board")), 3)
    lines.end()
    told = stream.getvalue().splitlines()
    assert told[:2] == [
        "3 games, 2 of them to play",
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
        GameProgress(lines, AGENTS).show(game(number), number)
    assert stream.getvalue().splitlines() == [
        "100 games",
        "5 of 100 games, 1.0 a second, about 95 s to go",
        "10 of 100 games, 1.0 a second, about 90 s to go",
    ]
    lines.end()
    assert len(stream.getvalue().splitlines()) == 3  # the last of them has said it all


def test_lines_say_who_leads() -> None:
    stream = io.StringIO()
    lines = progress.PlainLines(PLAYING, stream)
    lines.begin(2, 0)
    games = GameProgress(lines, AGENTS)
    for number, winner in ((1, 1), (2, None)):
        games.add(record_of("", ending=Ending.ADJUDICATED, winner=winner))
        games.show(game(number), number)
    assert stream.getvalue().splitlines()[-1].endswith(" a second; leading: a 1.5/2, b 0.5/2")


def test_a_long_time_to_go_is_said_in_minutes_and_hours() -> None:
    assert "about 119 s to go" in PLAYING.line(progress.Reached("", 1, 120, 0, 1.0))
    assert "about 10 min to go" in PLAYING.line(progress.Reached("", 1, 601, 0, 1.0))
    assert "about 2 h 30 min to go" in PLAYING.line(progress.Reached("", 1, 9001, 0, 1.0))


def test_a_fault_is_told_with_the_last_line_of_standard_error() -> None:
    stream = io.StringIO()
    games = GameProgress(progress.PlainLines(PLAYING, stream), AGENTS)
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
    games = GameProgress(progress.PlainLines(PLAYING, stream), {"b": slow, "a": AgentSpec(name="a", player="easy")})
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
    lines = progress.new_progress(JUDGING, stream)
    lines.begin(3, 1)
    lines.count(3)
    lines.end()
    told = stream.getvalue().splitlines()
    assert told[0] == "3 games, 2 of them to judge"
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
    games = GameProgress(lines, AGENTS)
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
    GameProgress(bar, AGENTS).show(game(1, Fault(player=1, detail="[x]")), 2)
    bar.end()
    assert "2/4" in stream.getvalue()
    assert "a made an illegal move: [x]" in stream.getvalue()


def test_without_rich_a_terminal_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rich", None)
    assert isinstance(progress.new_progress(PLAYING, Terminal()), progress.PlainLines)
