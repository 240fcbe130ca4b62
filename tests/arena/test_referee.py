"""The referee: every misbehaviour has its ending, and nothing of an agent is left."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from connect4_agent.arena.faults import EXCERPT_BYTES, Ending
from connect4_agent.arena.process import TAIL_BYTES
from connect4_agent.arena.record import GameRecord, add_stats
from connect4_agent.arena.referee import play_locally, play_with_worker
from connect4_agent.arena.spec import AgentSpec, RequestForm, StartForm
from connect4_agent.arena.worker import Worker
from connect4_agent.rules.position import Position
from tests.arena.helping import built_in, command_of, play_game, program, setup_of
from tests.processes import REPOSITORY, is_running, pids_in

OPPONENT = built_in("first-open")
LEFT_ONLY = program("right")
"""An opponent that leaves the left columns alone."""


def faulty(agent: AgentSpec, **settings: Any) -> GameRecord:
    """A game that player 1 loses by its fault."""
    record = play_game(setup_of(agent, OPPONENT, **settings))
    assert record.ending.is_fault
    assert record.winner == 2
    assert record.fault is not None
    assert record.fault.player == 1
    return record


def test_four_in_a_row_wins_and_the_record_replays() -> None:
    record = play_game(setup_of(program("good"), LEFT_ONLY, opening=(3, 3)))
    assert record.ending is Ending.FOUR
    assert record.winner == 1
    assert record.columns == (3, 3, 0, 6, 0, 6, 0, 6, 0)
    assert len(record.times_ms) == len(record.columns) - len(record.opening)
    position = Position()
    for column in record.columns:
        position = position.play(column)
    assert position.winner == record.winner


def test_player_2_may_move_first() -> None:
    record = play_game(setup_of(program("good"), LEFT_ONLY, begins=2))
    assert record.winner == 2
    assert record.columns == (6, 0, 6, 0, 6, 0, 6)


def test_a_full_board_is_a_draw() -> None:
    record = play_game(setup_of(OPPONENT, OPPONENT, width=3, height=3))
    assert record.ending is Ending.FULL
    assert record.winner is None
    assert len(record.columns) == 9


def test_crash_at_start_would_not_start() -> None:
    record = faulty(program("crash_at_start"))
    assert record.ending is Ending.WOULD_NOT_START
    assert record.fault is not None
    assert record.fault.exit_status == 3
    assert record.fault.stderr_tail == "no licence found\n"


def test_a_command_that_is_not_there_would_not_start() -> None:
    record = faulty(AgentSpec(name="ghost", command=("no-such-command-here",), time_limit=30.0))
    assert record.ending is Ending.WOULD_NOT_START
    assert record.fault is not None
    assert record.fault.detail.endswith(": not found")


def test_a_directory_that_is_not_there_would_not_start(tmp_path: Path) -> None:
    record = faulty(program("good", directory=str(tmp_path / "nowhere")))
    assert record.ending is Ending.WOULD_NOT_START


def test_crash_in_the_game_is_a_crash() -> None:
    record = faulty(program("crash_mid_game"))
    assert record.ending is Ending.CRASHED
    assert record.fault is not None
    assert record.fault.exit_status == 4
    assert record.fault.stderr_tail == "out of ideas\n"
    assert record.columns == (0, 0)


def test_death_by_a_signal_is_a_crash() -> None:
    record = faulty(program("killed_mid_game"))
    assert record.ending is Ending.CRASHED
    assert record.fault is not None
    assert record.fault.exit_status == -9


def test_an_agent_that_ends_while_a_child_holds_its_pipes_has_crashed() -> None:
    record = play_game(setup_of(program("leaves_child"), program("late", "0.3")))  # seen before the next question
    assert record.ending is Ending.CRASHED
    assert record.fault is not None
    assert record.fault.exit_status == 0


@pytest.mark.parametrize("delay", ["0", "0.2"])
def test_closing_the_input_is_a_crash_whether_or_not_a_request_is_there_by_then(delay: str) -> None:
    record = faulty(program("closes_stdin", delay))
    assert record.ending is Ending.CRASHED
    assert record.fault is not None
    assert record.fault.detail == "it closed its standard input while it was running"
    assert record.fault.exit_status is None


def test_a_byte_order_mark_in_a_reply_is_named() -> None:
    record = faulty(program("says", '\ufeff{"move":0}'))
    assert record.ending is Ending.MALFORMED_REPLY
    assert record.fault is not None
    assert record.fault.detail == "the reply is not JSON; it begins with a byte order mark"


@pytest.mark.slow
def test_stalling_is_a_time_out_and_an_overrun() -> None:
    record = faulty(program("stall", time_limit=0.05, grace=2.0))  # in which it answers once
    assert record.ending is Ending.TIMED_OUT
    assert record.fault is not None
    assert record.fault.exit_status is None
    overrun = record.overruns[-1]
    assert (overrun.ply, overrun.player, overrun.limit_ms) == (2, 1, 50.0)
    assert overrun.elapsed_ms > 50.0


def test_an_answer_within_the_grace_counts_but_is_an_overrun() -> None:
    agent = program("late", "0.3", time_limit=0.2, grace=60.0)
    record = play_game(setup_of(agent, LEFT_ONLY))
    assert record.ending is Ending.FOUR
    assert record.winner == 1
    assert all(overrun.elapsed_ms > 200 for overrun in record.overruns)
    assert [overrun.elapsed_ms >= 300 for overrun in record.overruns if overrun.ply == 2] == [True]


def test_two_lines_are_a_malformed_reply() -> None:
    record = faulty(program("two_lines"))
    assert record.ending is Ending.MALFORMED_REPLY
    assert record.fault is not None
    assert record.fault.reply == '{"move":0}'
    assert record.columns == (0, 0)


def test_an_illegal_column_is_an_illegal_move() -> None:
    record = faulty(program("says", '{"move":7}'))
    assert record.ending is Ending.ILLEGAL_MOVE
    assert record.fault is not None
    assert record.fault.reply == '{"move":7}'
    assert "open columns are 0, 1, 2, 3, 4, 5, 6" in record.fault.detail


def test_a_full_column_is_an_illegal_move() -> None:
    assert faulty(program("says", '{"move":0}'), opening=(0, 0, 0, 0)).ending is Ending.ILLEGAL_MOVE


@pytest.mark.parametrize(
    "reply",
    [
        '{"move":3.0}',
        '{"move":"3"}',
        '{"move":true}',
        '{"move":null}',
        "{}",
        "3",
        "hello",
        '{"error":"full","code":"x"}',
        "",
    ],
)
def test_anything_but_an_integer_move_is_a_malformed_reply(reply: str) -> None:
    record = faulty(program("says", reply))
    assert record.ending is Ending.MALFORMED_REPLY
    assert record.fault is not None
    assert record.fault.reply == reply


def test_a_banner_is_a_malformed_reply() -> None:
    record = faulty(program("banner"))
    assert record.ending is Ending.MALFORMED_REPLY
    assert record.fault is not None
    assert record.fault.reply == "Welcome to MegaFour 3.1"


def test_a_flood_of_messages_does_not_stop_a_game_and_leaves_a_tail() -> None:
    record = faulty(program("stderr_flood"))
    assert record.ending is Ending.CRASHED
    assert record.columns == (0, 0, 0, 0)
    assert record.fault is not None
    assert record.fault.exit_status == 5
    assert len(record.fault.stderr_tail) == TAIL_BYTES
    assert record.fault.stderr_tail.endswith("thinking\nthe end\n")


def test_messages_without_end_do_not_hold_up_the_clock() -> None:
    record = faulty(program("endless_stderr", time_limit=0.2, startup=0.2, grace=0.0))
    assert record.ending is Ending.TIMED_OUT


def test_an_endless_line_is_a_malformed_reply_and_is_cut() -> None:
    record = faulty(program("endless_line"))
    assert record.ending is Ending.MALFORMED_REPLY
    assert record.fault is not None
    assert record.fault.reply == "x" * EXCERPT_BYTES


def test_closing_the_output_is_a_crash_though_the_process_runs() -> None:
    record = faulty(program("closes_stdout"))
    assert record.ending is Ending.CRASHED
    assert record.fault is not None
    assert record.fault.exit_status is None


def test_nothing_is_left_of_an_agent_that_ignores_sigterm_and_has_forked(tmp_path: Path) -> None:
    record = play_game(setup_of(program("stubborn", str(tmp_path / "pids")), LEFT_ONLY))
    assert record.ending is Ending.FOUR
    pids = pids_in(tmp_path / "pids", 3 if sys.platform == "linux" else 2)
    assert not any(map(is_running, pids))


@pytest.mark.parametrize("start", list(StartForm))
@pytest.mark.parametrize("request_form", list(RequestForm))
def test_the_real_server_plays_in_every_start_and_request_form(start: StartForm, request_form: RequestForm) -> None:
    command = (sys.executable, "-m", "connect4_agent", "--level", "easy")
    server = AgentSpec(name="server", command=command, start=start, request=request_form, time_limit=60.0)
    record = play_game(setup_of(OPPONENT, server, begins=2, width=8, height=7))
    assert record.fault is None
    assert record.winner == 2


@pytest.mark.needs("node")
def test_the_example_in_another_language_plays() -> None:
    node = AgentSpec(name="node", command=("node", str(REPOSITORY / "examples" / "random-agent.js")), time_limit=60.0)
    record = play_game(setup_of(node, OPPONENT))
    assert record.ending in (Ending.FOUR, Ending.FULL)


def test_an_agent_gets_its_environment_and_directory(tmp_path: Path) -> None:
    script = 'import os, sys; sys.stderr.write(os.environ["COLOUR"] + " " + os.getcwd()); sys.exit(9)'
    agent = AgentSpec(
        name="env", command=(sys.executable, "-c", script), env={"COLOUR": "red"}, directory=str(tmp_path)
    )
    record = faulty(agent)
    assert record.fault is not None
    assert record.fault.stderr_tail == f"red {tmp_path.resolve()}"


def test_commands_are_given_the_stated_words() -> None:
    agent = program("good", start=StartForm.WORDS)
    assert agent.command_for(2, 8, 7)[-6:] == ("2", "2", "8", "8", "7", "7")
    assert program("good").command_for(2, 8, 7) == command_of("good")


@pytest.mark.usefixtures("long_farewell")
@pytest.mark.parametrize("name", ["doubles_last", "one_ahead"])
def test_one_answer_too_many_loses_the_game_even_at_its_end(name: str) -> None:
    worker = Worker()
    try:
        record = play_with_worker(worker, setup_of(program(name), LEFT_ONLY))
    finally:
        worker.close()
    assert (record.ending, record.winner) == (Ending.MALFORMED_REPLY, 2)


def test_starting_up_and_the_first_move_share_their_times() -> None:
    record = faulty(program("slow_start", "3600", startup=0.3, time_limit=0.2, grace=0.0))
    assert record.ending is Ending.TIMED_OUT
    assert record.fault is not None
    assert re.fullmatch(
        r"no answer after \d+\.\d+ s; its limit is 0\.2 s, and 0\.3 s for starting up; "
        r"it had \d+\.\d\d s of processor time, and the load was \d+\.\d on \d+ cores?",
        record.fault.detail,
    )


def test_what_a_start_takes_beyond_the_limit_is_recorded_and_not_an_overrun() -> None:
    record = play_game(setup_of(program("slow_start", "1.5", time_limit=0.5, grace=60.0), LEFT_ONLY))
    assert record.ending is Ending.FOUR
    assert record.startup_ms[0]  # about a second; how much of it the manager has seen, depends on the machine
    assert record.times_ms[0] == 500
    assert not [overrun for overrun in record.overruns if overrun.ply == 0]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a program change the size of a pipe")
def test_a_request_that_does_not_fit_at_once_is_written_as_room_comes() -> None:
    record = play_game(setup_of(program("narrow"), OPPONENT, width=90, height=90))
    assert record.fault is not None
    assert "full" in record.fault.detail  # it has filled column 0 by then
    assert len(record.columns) >= 90


SENDS_STATS = """\
import json, sys
for number, line in enumerate(sys.stdin, 1):
    stats = {"nodes": 10 * number, "depth": 0.5, "x": None}
    print(json.dumps({"move": 0 if number < 3 else 9, "stats": stats}), flush=True)
"""


def test_the_numbers_that_come_with_answers_are_summed_those_of_a_bad_answer_too(tmp_path: Path) -> None:
    (tmp_path / "agent").write_text(SENDS_STATS)
    spec = AgentSpec(name="a", command=(sys.executable, "agent"), directory=str(tmp_path), time_limit=30.0)
    setup = setup_of(spec, program("right"), opening=(0, 3))
    for record in (play_game(setup), play_locally({}, setup)):
        assert record.ending is Ending.ILLEGAL_MOVE
        assert record.stats == ({"nodes": 60, "depth": 1.5}, {})
        assert GameRecord.model_validate_json(record.model_dump_json()) == record


def test_an_agent_cannot_send_ever_new_names() -> None:
    sums: dict[str, float] = {}
    for number in range(99):
        add_stats(sums, {f"name {number}": 1, "name 0": 1})
    assert (len(sums), sums["name 0"]) == (16, 99)
