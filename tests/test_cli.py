"""The command line: start forms, options, subcommands, exit codes."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

import connect4_agent
from connect4_agent.commands import COMMANDS, GROUPS
from connect4_agent.commands.shared.options import add_player_options, new_parser, player_from
from connect4_agent.engine.players.levels import LevelPlayer
from connect4_agent.engine.players.negamax import NegamaxPlayer
from connect4_agent.engine.players.perfect import PerfectPlayer
from connect4_agent.engine.players.simple import RandomPlayer
from connect4_agent.rules.position import Position
from tests.processes import PATIENCE_SECONDS, clean_environment, run_agent, started_agent

GRID = Position.from_moves("1").grid()
FOUR_KEYS = json.dumps({"grid": GRID, "height": 6, "player": 2, "width": 7}).encode()
GRID_ONLY = json.dumps({"grid": GRID}).encode()
HIGH_GRID_ONLY = json.dumps({"grid": Position(6, 7, player=1).play(0).grid()}).encode()

TWO_TO_MOVE_WINS_HERE = json.dumps({"grid": [[0, 0, 0]] * 4 + [[0, 1, 2], [0, 1, 2], [0, 1, 2]]}).encode()
"""Equal counts: player 2 wins in column 3 at once, player 1 a cell above it; who is to move shows in the score."""


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], FOUR_KEYS),
        ([""], FOUR_KEYS),
        (["--player", "2", "--width", "7", "--height", "6"], FOUR_KEYS),
        (["--player", "2", "--width", "7", "--height", "6"], GRID_ONLY),
        (["--player=2", "--width=7", "--height=6"], GRID_ONLY),
        (["--player", "2", "--height", "7", "--width", "6"], HIGH_GRID_ONLY),
        (["2", "2", "7", "7", "6", "6"], GRID_ONLY),
        (["serve"], FOUR_KEYS),
        (["serve", "2", "2", "7", "7", "6", "6"], GRID_ONLY),
    ],
)
def test_every_way_in_which_managers_start_the_agent_works_without_a_word(arguments: list[str], line: bytes) -> None:
    result = run_agent(*arguments, lines=line + b"\n")
    assert (result.returncode, result.stdout, result.stderr) == (0, b'{"move":3}\n', b"")


@pytest.mark.parametrize(
    ("arguments", "wins"),
    [
        ([], False),
        (["--player", "2"], True),
        (["--player", "1"], False),
        (["2", "2", "7", "7", "3", "3"], True),
        (["1", "1", "7", "7", "3", "3"], False),
        (["1", "2", "7", "7", "3", "3"], True),
        (["2", "2", "7", "7", "3", "3", "--player", "1"], False),
    ],
)
def test_the_command_line_tells_the_player_that_the_request_leaves_out(arguments: list[str], wins: bool) -> None:
    result = run_agent(*arguments, "--explain", lines=TWO_TO_MOVE_WINS_HERE)
    answer = json.loads(result.stdout)
    assert answer["move"] == 3
    assert (answer["score"] == 8 and answer["exact"]) == wins


@pytest.mark.parametrize(
    ("arguments", "warnings"),
    [
        (["--foo"], ["ignoring unknown arguments: --foo"]),
        (["--foo", "7"], ["ignoring unknown arguments: --foo 7"]),
        (["-verbose"], ["ignoring unknown arguments: -verbose (did you mean --verbose?)"]),
        (["-x"], ["ignoring unknown arguments: -x"]),
        (["red"], ["ignoring unknown arguments: red"]),
        (["1", "7", "6"], ["ignoring unknown arguments: 1 7 6"]),
        (["mvoe"], ["ignoring unknown arguments: mvoe (did you mean connect4-agent move?)"]),
        (["--dept", "3"], ["ignoring unknown arguments: --dept 3 (did you mean --depth?)"]),
        (["--dept=3"], ["ignoring unknown arguments: --dept=3 (did you mean --depth?)"]),
        (["--player", "3"], ["ignoring --player '3': allowed are 1 and 2"]),
        (["--player", "-1"], ["ignoring --player '-1': allowed are 1 and 2"]),
        (["--player"], ["ignoring --player '': allowed are 1 and 2"]),
        (
            ["--width", "x", "--height", "0"],
            [
                "ignoring --width 'x': allowed are whole numbers from 1 to 100",
                "ignoring --height '0': allowed are whole numbers from 1 to 100",
            ],
        ),
        (["9", "9", "7", "7", "6", "6"], ["ignoring --player '9': allowed are 1 and 2"]),
    ],
)
def test_what_the_server_does_not_know_is_a_warning_and_it_goes_on(arguments: list[str], warnings: list[str]) -> None:
    result = run_agent(*arguments, lines=FOUR_KEYS)
    assert (result.returncode, result.stdout) == (0, b'{"move":3}\n')
    assert result.stderr.decode().splitlines() == [f"connect4-agent: warning: {warning}" for warning in warnings]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--depth", "x"], "depth is 'x'; allowed is a whole number of plies, 1 or more"),
        (["--depth", "0"], "depth is '0'"),
        (["--depth"], "argument --depth: expected one argument"),
        (["--level", "godlike"], "argument --level: 'godlike' is not one of easy, medium, hard, perfect, 1, 2"),
        (
            ["--level", "esay"],
            "'esay' is not one of easy, medium, hard, perfect, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 (did you mean easy?)",
        ),
        (["--level", "11"], "argument --level: '11' is not one of easy, medium, hard, perfect, 1, 2, 3, 4"),
        (["--level", "3", "--evaluator", "windows"], "--level 3 takes no evaluator; use --evaluator with easy"),
        (["--level", "3", "--plain-ties"], "--plain-ties needs --level perfect, or --time-limit alone"),
        (["--time-limit", "soon"], "time limit is 'soon'; allowed is a number of seconds above 0"),
        (["--time-limit", "-1"], "time limit is '-1'"),
        (["--time-limit", "nan"], "time limit is 'nan'"),
        (["--seed", "x"], "'x' is not a whole number"),
        (["--evaluator", "luck"], "evaluator is 'luck'; there are threat-parity, windows"),
        (["--evaluator", "window"], "evaluator is 'window' (did you mean windows?); there are threat-parity"),
        (["--agent", "nobody"], "there is no built-in player 'nobody'; there are easy, medium, hard"),
        (["--agent", "gredy"], "there is no built-in player 'gredy' (did you mean greedy?); there are"),
        (["--agent", "random", "--depth", "3"], "--depth and --agent contradict each other: give one of them"),
        (["--level", "easy", "--depth", "3"], "--level and --depth contradict each other"),
        (
            ["--agent", "random", "--evaluator", "windows"],
            "--evaluator does not work with --agent; use --agent negamax:evaluator=NAME",
        ),
        (["--protocol", "chess"], "argument --protocol: 'chess' is not one of json, solver"),
        (["--all"], "--all needs --protocol solver"),
        (
            ["--protocol", "solver", "--explain"],
            "--explain needs --protocol json: solver has no place for an explanation",
        ),
        (
            ["--protocol", "solver", "--time-limit", "1"],
            "--time-limit does not work with --protocol solver, which chooses no moves",
        ),
    ],
)
def test_a_bad_value_of_the_servers_own_options_exits_2_and_says_what_is_allowed(
    arguments: list[str], message: str
) -> None:
    result = run_agent(*arguments, lines=FOUR_KEYS)
    assert (result.returncode, result.stdout) == (2, b"")
    assert message in result.stderr.decode()
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("lines", [b"", b"\n \n"], ids=["no input", "blank lines"])
def test_a_mistyped_command_without_a_manager_exits_2_and_names_the_command(lines: bytes) -> None:
    result = run_agent("tornament", "x.toml", lines=lines)
    assert (result.returncode, result.stdout) == (2, b"")
    warning = "ignoring unknown arguments: tornament x.toml (did you mean connect4-agent tournament?)"
    assert result.stderr.decode() == f"connect4-agent: warning: {warning}\n"


def test_a_mistyped_command_at_a_terminal_exits_2_before_anything_is_typed() -> None:
    ours, theirs = os.openpty()
    with started_agent("tornament", "x.toml", stdin=theirs) as process:
        os.close(theirs)
        _, messages = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == 2
    os.close(ours)
    assert b"'tornament' is not a command (did you mean connect4-agent tournament?)" in messages
    assert len(messages.splitlines()) == 1


@pytest.mark.parametrize("arguments", [["red"], ["--tornament"], ["--", "1", "7"]])
def test_words_that_are_like_no_command_end_with_0_when_nothing_is_asked(arguments: list[str]) -> None:
    assert run_agent(*arguments).returncode == 0


@pytest.mark.parametrize(("level", "depth"), [("easy", 2), ("medium", 5), ("hard", 8), (None, 8)])
def test_a_level_is_a_number_of_plies_and_hard_is_the_default(level: str | None, depth: int) -> None:
    line = json.dumps({"grid": Position.from_moves("4444").grid()}).encode()
    arguments = [] if level is None else ["--level", level]
    assert json.loads(run_agent(*arguments, "--explain", lines=line).stdout)["depth"] == depth


@pytest.mark.needs("compiled")
def test_a_time_limit_with_an_evaluator_deepens_beyond_every_level() -> None:
    line = json.dumps({"grid": Position.from_moves("4444").grid()}).encode()
    words = ("--time-limit", "0.5", "--evaluator", "windows", "--explain")
    answer = json.loads(run_agent(*words, lines=line).stdout)
    assert answer["depth"] > 8
    assert not answer["exact"]  # a search without the book, which knows this position


@pytest.mark.parametrize("seconds", ["0.05", "0.3"])
def test_a_time_limit_alone_opens_with_the_only_move_that_wins(seconds: str) -> None:
    line = json.dumps({"grid": Position().grid()}).encode()
    answer = json.loads(run_agent("--time-limit", seconds, "--explain", lines=line).stdout)
    assert (answer["move"], answer["score"], answer["exact"]) == (3, 1, True)


@pytest.mark.needs("compiled")
def test_a_time_limit_alone_proves_what_it_can_on_other_boards_and_searches_the_rest() -> None:
    small, large = (json.dumps({"grid": Position(*size).grid()}).encode() for size in ((5, 4), (9, 9)))
    lines = run_agent("--time-limit", "0.5", "--explain", lines=small + b"\n" + large).stdout.splitlines()
    proven, searched = map(json.loads, lines)
    assert (proven["score"], proven["exact"]) == (0, True)
    assert not searched["exact"]
    assert searched["depth"] > 4


def test_a_time_limit_with_a_depth_stops_at_the_depth() -> None:
    line = json.dumps({"grid": Position.from_moves("4444").grid()}).encode()
    answer = json.loads(run_agent("--time-limit", "600", "--depth", "3", "--explain", lines=line).stdout)
    assert answer["depth"] == 3


def test_a_random_opponent_is_one_option_away_and_its_seed_repeats_it() -> None:
    lines = b"\n".join(json.dumps({"grid": Position.from_moves(m).grid()}).encode() for m in ("", "1", "2", "3", "33"))
    first, again, other = (run_agent("--agent", "random", "--seed", seed, lines=lines).stdout for seed in "778")
    assert first == again != other


def test_a_numbered_level_is_the_player_of_that_name() -> None:
    lines = b"\n".join(json.dumps({"grid": Position.from_moves(m).grid()}).encode() for m in ("", "1", "2", "3", "33"))
    by_option, by_name = (
        run_agent(*words, "--seed", "7", lines=lines) for words in (["--level", "3"], ["--agent", "level:3"])
    )
    assert by_option.stdout == by_name.stdout
    assert len(by_option.stdout.splitlines()) == 5


@pytest.mark.needs("compiled")
def test_version_says_which_form_of_the_engine_runs() -> None:
    version = re.escape(connect4_agent.__version__)
    for switch, form in (("0", "compiled"), ("1", "interpreted")):
        result = run_agent("--version", environment=clean_environment(CONNECT4_AGENT_INTERPRETED=switch))
        assert re.fullmatch(rf"connect4-agent {version} \({form}, Python 3\.\d+\.\d+\)\n", result.stdout.decode())


def test_help_has_the_commands_in_groups_and_says_where_the_options_of_the_server_are() -> None:
    text = run_agent("help").stdout.decode()
    assert text == run_agent("--help").stdout.decode() == run_agent("-h").stdout.decode()
    places = [text.index(f"\n  {name} ") for name in COMMANDS]
    assert text.startswith("usage: connect4-agent COMMAND ...\n")
    assert sorted(places) == places
    assert [f"\n{group}:\n" in text for group in GROUPS] == [True] * 4
    assert len(text.splitlines()) <= 40
    assert "--level" not in text
    assert "connect4-agent serve --help" in text


@pytest.mark.parametrize("command", COMMANDS)
def test_no_line_of_a_help_is_wider_than_the_usual_terminal(command: str) -> None:
    text = run_agent("help", command, environment=clean_environment(COLUMNS="80")).stdout.decode()
    assert text.startswith("usage: connect4-agent ")
    assert [line for line in text.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("word", ["--version", "--help"])
def test_a_reader_that_has_gone_is_no_trouble_for_the_help(word: str) -> None:
    with started_agent(word) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.close()
        assert (program.stderr.read(), program.wait(PATIENCE_SECONDS)) == (b"", 0)


def test_help_shows_the_help_of_a_command_and_knows_what_was_meant() -> None:
    assert run_agent("help", "match").stdout == run_agent("match", "--help").stdout
    assert b"'matc' is not one of" in (said := run_agent("help", "matc").stderr)
    assert b"(did you mean match?)" in said


def test_help_agents_has_every_kind_of_agent_on_one_screen() -> None:
    text = run_agent("help", "agents").stdout.decode()
    lines = text.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 110
    for kind in (
        "built-in player",
        "Python file",
        "any program",
        "language model",
        "URL",
        "Python object",
        "NAME=AGENT",
    ):
        assert kind in text


def test_the_help_of_the_server_has_examples() -> None:
    text = run_agent("serve", "--help").stdout.decode()
    assert "connect4-agent --agent random --seed 7" in text
    assert "CONNECT4_AGENT_INTERPRETED" in text


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ([], PerfectPlayer),
        (["--plain-ties"], PerfectPlayer),
        (["--depth", "3"], NegamaxPlayer),
        (["--level", "easy"], NegamaxPlayer),
        (["--level", "3"], LevelPlayer),
        (["--evaluator", "windows"], NegamaxPlayer),
        (["--agent", "random"], RandomPlayer),
    ],
)
def test_with_a_time_limit_the_perfect_player_plays_unless_another_is_named(words: list[str], kind: type) -> None:
    parser = new_parser("agent", "", None)
    add_player_options(parser)
    player = player_from(parser.parse_args(["--time-limit", "1", *words]), parser)
    assert type(player) is kind
    if isinstance(player, PerfectPlayer):
        assert player.plain_ties == ("--plain-ties" in words)


class TestMove:
    def test_a_pretty_printed_document_on_standard_input_is_answered(self) -> None:
        document = json.dumps(json.loads(FOUR_KEYS), indent=2).encode()
        result = run_agent("move", lines=document)
        assert (result.returncode, result.stdout, result.stderr) == (0, b'{"move":3}\n', b"")

    def test_a_document_in_a_file_is_answered(self, tmp_path: Path) -> None:
        file = tmp_path / "position.json"
        file.write_bytes(b"\xef\xbb\xbf" + json.dumps(json.loads(FOUR_KEYS), indent=2).encode())
        assert run_agent("move", str(file)).stdout == b'{"move":3}\n'

    def test_a_move_string_is_answered_with_an_explanation(self) -> None:
        answer = json.loads(run_agent("move", "--moves", "4455", "--explain").stdout)
        assert (answer["move"], answer["score"], answer["exact"]) == (2, 18, True)

    def test_a_move_string_on_another_board_is_answered(self) -> None:
        result = run_agent("move", "--moves", "a", "--width", "10", "--height", "5", "--depth", "2")
        assert result.stdout == b'{"move":5}\n'

    def test_a_bad_document_is_an_error_and_status_1(self) -> None:
        result = run_agent("move", lines=b'{"grid":[[0,\n7]]}')
        assert result.returncode == 1
        assert json.loads(result.stdout)["code"] == "bad_cell"

    def test_a_document_too_long_is_an_error_and_status_1(self) -> None:
        result = run_agent("move", lines=b" " * 1_048_577 + b"{}")
        assert result.returncode == 1
        assert json.loads(result.stdout)["code"] == "line_too_long"

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["no-such-file"], "cannot read no-such-file: No such file or directory"),
            (["--moves", "48"], "--moves: move 2 of '48' is '8'; the columns are 1 to 7"),
            (["--moves", "4", "file"], "--moves 4 and FILE file: give one of the two"),
            (["--bogus"], "unrecognized arguments: --bogus"),
            (["4", "--levle=easy"], "unrecognized arguments: --levle=easy (did you mean --level?)"),
        ],
    )
    def test_bad_usage_exits_2_with_one_line(self, arguments: list[str], message: str) -> None:
        result = run_agent("move", *arguments)
        assert (result.returncode, result.stdout) == (2, b"")
        assert message in result.stderr.decode()
        assert len(result.stderr.splitlines()) == 1
