"""The column relay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.adapters.relay import RelayCodec
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.position import Position
from tests.adapters.scripts import Remembering, served
from tests.effort import examples


def test_go_asks_for_the_first_move_and_a_column_for_the_next() -> None:
    player = Remembering()
    connection = served(RelayCodec(), player, "go!", "3", "6")
    assert connection.answers == ["0", "0", "0"]
    assert player.positions == [Position(), Position.from_moves("14"), Position.from_moves("1417")]
    assert connection.notes == []


def test_a_first_column_means_that_the_opponent_began() -> None:
    player = Remembering()
    assert served(RelayCodec(), player, "4").answers == ["0"]
    assert player.positions == [Position.from_moves("5")]


@pytest.mark.parametrize(("line", "said"), [("7", "column 7"), ("-1", "'-1'"), ("x", "'x'"), ("2.0", "'2.0'")])
def test_what_is_no_column_is_told_and_not_answered(line: str, said: str) -> None:
    connection = served(RelayCodec(), Remembering(), line, "3")
    assert connection.answers == ["0"]
    (note,) = connection.notes
    assert note.startswith("warning: ignored: ")
    assert said in note


def test_a_full_column_is_told_and_the_game_goes_on() -> None:
    player = Remembering()
    connection = served(RelayCodec(4, 2), player, "0", "0", "1")
    assert connection.answers == ["0", "1"]
    assert "column 0 is full; open columns are 1, 2, 3" in connection.notes[0]


def test_a_column_that_ends_the_game_is_not_answered_and_the_next_line_begins_another() -> None:
    player = Remembering()
    connection = served(RelayCodec(), player, "3", "3", "3", "3", "5")
    assert connection.answers == ["0", "0", "0", "0"]
    assert player.positions[-1] == Position.from_moves("6")


def test_go_begins_a_new_game_at_any_time() -> None:
    player = Remembering()
    served(RelayCodec(), player, "go!", "3", "GO!\r")
    assert player.positions[-1] == Position()


def test_blank_lines_and_a_byte_order_mark_do_not_matter() -> None:
    assert served(RelayCodec(), Remembering(), "\ufeffgo!", "", " 2 ").answers == ["0", "0"]


@examples(50)
@given(st.integers(0, 1 << 16), st.booleans())
def test_both_sides_of_a_relayed_game_agree_on_the_board(seed: int, agent_begins: bool) -> None:
    agent, opponent = parse_player("random", seed), RelayCodec(5, 4)
    position = Position(5, 4)
    line = "go!"
    if not agent_begins:
        position, line = position.play(2), "2"
    while True:
        (answer,) = served(opponent, agent, line).answers
        position = position.play(int(answer))
        if position.is_over:
            break
        column = position.legal_columns()[seed % len(position.legal_columns())]
        position, line = position.play(column), str(column)
        if position.is_over:
            assert served(opponent, agent, line).answers == []
            break
