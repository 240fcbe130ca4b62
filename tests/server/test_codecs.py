"""Scores by the line, and what a process remembers of earlier requests."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.rules.position import Position
from connect4_agent.server.codecs import JsonCodec, SolverCodec
from connect4_agent.server.request import CommandLineDefaults, Request
from tests.connections import Script
from tests.server.scripts import solved

LATE = "2252576253462244111563365343671351441"
"""Thirty-seven plies, from the first test set of PascalPons/connect4, whose score there is -1."""


def scores(*lines: str, width: int = 7, height: int = 6, all_columns: bool = False) -> Script:
    codec = SolverCodec(width, height, all_columns=all_columns)
    return solved(codec, *lines)


def test_a_line_comes_back_with_its_score() -> None:
    assert scores(LATE).answers == [f"{LATE} -1"]


def test_every_column_has_a_score_and_a_full_one_minus_1000() -> None:
    line, *found = scores(LATE, all_columns=True).answers[0].split()
    assert line == LATE
    position = Position.from_moves(LATE)
    assert [score == "-1000" for score in found] == [not position.is_open(column) for column in range(7)]
    assert max(map(int, found)) == -1


def test_an_empty_line_is_the_empty_board() -> None:
    assert scores("", "1", width=4, height=4).answers == [" 0", "1 0"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("8", "move 1 of '8' is '8'"),
        ("44x", "move 3 of '44x' is 'x'"),
        ("4444444", "column 4 is full"),
        ("1212121", "'1212121' is over: player 1 has four in a row"),
        ("12121212", "comes after the end"),
        (f"{LATE} -1", "is ' '"),
    ],
)
def test_a_line_that_is_no_game_in_progress_is_told_and_not_answered(line: str, said: str) -> None:
    connection = scores(LATE, line, LATE)
    assert connection.answers == [f"{LATE} -1"] * 2
    (note,) = connection.notes
    assert note.startswith("warning: line 2: ")
    assert said in note


def test_a_full_board_without_a_four_is_a_draw_in_which_nothing_can_be_played() -> None:
    full = "112233112233"
    assert scores(full, width=3, height=4).answers == [f"{full} 0"]
    assert scores(full, width=3, height=4, all_columns=True).answers == [f"{full} -1000 -1000 -1000"]


def test_carriage_returns_are_no_part_of_the_line() -> None:
    assert scores(f"{LATE}\r").answers == [f"{LATE} -1"]


class Manager:
    """Plays a game against a process, and notes for whom the process plays."""

    def __init__(self, seat: int, player_of: Callable[[int], object], codec: JsonCodec | None = None) -> None:
        self.codec = codec or JsonCodec()
        self.sides: list[int] = []
        self.warnings: list[str] = []
        self._seat = seat
        self._player_of = player_of
        """What the requests say about the player to move; None: nothing."""

    def ask(self, position: Position, column: int) -> None:
        """Ask for a move, and let the process answer with this column."""
        request: dict[str, object] = {"grid": position.grid(), "width": position.width, "height": position.height}
        player = self._player_of(position.player)
        if player is not None:
            request["player"] = player
        (read,) = self.codec.read(json.dumps(request).encode())
        assert isinstance(read, Request)
        self.sides.append(read.position.player)
        self.warnings += self.codec.new_warnings(read)
        self.codec.memory.answered(read.position, column)

    def play(self, moves: str, first: int = 1, seats: tuple[int, ...] = ()) -> None:
        """Play these moves; the process is asked when it is its turn, or that of one of the seats."""
        position = Position(player=first)
        for sign in moves:
            column = int(sign) - 1
            if position.player in (seats or (self._seat,)):
                self.ask(position, column)
            position = position.play(column)


def same(player: int) -> object:
    return player


def nothing(_: int) -> object:
    return None


def from_0(player: int) -> object:
    return player - 1


GAME = "44355162"


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("first", [1, 2])
def test_a_stated_player_is_obeyed(seat: int, first: int) -> None:
    manager = Manager(seat, same)
    manager.play(GAME, first)
    assert manager.sides == [seat] * 4
    assert manager.warnings == []


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("first", [1, 2])
def test_without_a_player_the_own_disc_that_came_back_decides(seat: int, first: int) -> None:
    manager = Manager(seat, nothing)
    manager.play(GAME, first)
    assert manager.sides[1:] == [seat] * 3  # on the empty board both sides are the same
    assert manager.warnings == []


@pytest.mark.parametrize("first", [1, 2])
def test_players_counted_from_0_are_understood_when_the_first_own_disc_has_come_back(first: int) -> None:
    manager = Manager(2, from_0)
    manager.play(GAME, first)
    assert manager.sides[1:] == [2] * 3
    assert "player is 1, but the agent's disc came back as 2: playing for player 2" in manager.warnings
    manager = Manager(1, from_0)
    manager.play(GAME, first)
    assert manager.sides[1:] == [1] * 3


def test_a_stated_player_is_obeyed_after_a_silent_pass() -> None:
    manager = Manager(1, same)
    manager.ask(Position(), 3)
    manager.ask(Position().play(3).passed(), 3)
    assert manager.sides == [1, 1]


@pytest.mark.parametrize("player_of", [same, nothing, from_0])
def test_a_process_that_is_asked_for_both_sides_learns_nothing(player_of: Callable[[int], object]) -> None:
    manager = Manager(1, player_of)
    manager.play(GAME, seats=(1, 2))
    stated_1_for_2 = [1, 1] * 4
    assert manager.sides == (stated_1_for_2 if player_of is from_0 else [1, 2] * 4)


def test_a_new_game_forgets_the_side() -> None:
    manager = Manager(2, nothing)
    manager.play(GAME, first=2)
    manager.play(GAME, first=1)
    other = Manager(1, nothing, manager.codec)
    other.play(GAME, first=1)
    other.play(GAME, first=2)
    assert manager.sides[5:] == [2] * 3
    assert other.sides == [1] * 8


def test_the_command_line_states_the_player_too() -> None:
    manager = Manager(2, nothing, JsonCodec(CommandLineDefaults(player=1)))
    manager.play(GAME, first=2)
    assert manager.sides == [1, 2, 2, 2]


@given(st.lists(st.sampled_from(["", "44", "4444", "443355", "435261", "12"]), max_size=8), st.sampled_from((1, 2)))
def test_positions_that_do_not_follow_from_each_other_are_played_as_stated(games: list[str], player: int) -> None:
    codec = JsonCodec()
    for moves in games:
        position = Position.from_moves(moves, player=player)
        manager = Manager(player, same, codec)
        manager.ask(position, position.legal_columns()[-1])
        assert manager.sides == [player]
