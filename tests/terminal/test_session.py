"""Session: undo, redo, flip, new and load for people and agents."""

from __future__ import annotations

from random import Random

import pytest

from connect4_agent.arena.agents.spec import AgentSpec
from connect4_agent.terminal.game import Game
from connect4_agent.terminal.seats import First, Seat
from connect4_agent.terminal.session import Session
from connect4_agent.terminal.typed_commands import CommandError

ANN, BEN = Seat("Ann"), Seat("Ben")
EASY, HARD = (Seat(name, AgentSpec(name=name, player=name)) for name in ("easy", "hard"))


def session_of(one: Seat, two: Seat, moves: str = "") -> Session:
    return Session(one, two, Random(1), First.ME, Game.from_moves(moves))


def test_against_an_agent_undo_goes_back_to_the_persons_last_turn_and_redo_forward() -> None:
    session = session_of(ANN, EASY, "44552")
    session.undo()
    assert session.game.moves == "4455"
    session.undo()
    assert session.game.moves == "44"
    session.redo()
    assert session.game.moves == "4455"
    session.redo()
    assert session.game.moves == "44552"
    assert session.is_agents_turn
    assert session.is_waiting


def test_with_two_people_or_two_agents_undo_and_redo_take_one_disc() -> None:
    for seats in ((ANN, BEN), (EASY, HARD)):
        session = session_of(*seats, "445")
        session.undo()
        session.undo()
        assert session.game.moves == "4"
        session.redo()
        assert session.game.moves == "44"


def test_an_agent_that_began_waits_after_its_first_disc_was_taken_back() -> None:
    session = session_of(EASY, ANN, "4")
    session.undo()
    assert (session.game.moves, session.is_agents_turn, session.is_waiting) == ("", True, True)


def test_so_many_discs_are_so_many_discs() -> None:
    session = session_of(ANN, EASY, "445566")
    session.undo(3)
    assert session.game.moves == "445"
    session.redo(2)
    assert session.game.moves == "44556"
    session.undo(10**9)
    assert session.game.moves == ""
    session.redo(10**9)
    assert session.game.moves == "445566"


def test_where_there_is_nothing_to_take_back_or_to_play_again_it_is_said() -> None:
    session = session_of(ANN, BEN)
    with pytest.raises(CommandError, match="no disc to take back"):
        session.undo()
    with pytest.raises(CommandError, match="there is nothing to redo"):
        session.redo()


def test_a_disc_is_refused_where_it_cannot_be_played() -> None:
    with pytest.raises(CommandError, match="column 1 is full; open columns are 2, 3, 4, 5, 6, 7"):
        session_of(ANN, BEN, "111111").drop(0)
    with pytest.raises(CommandError, match="the game is over"):
        session_of(ANN, BEN, "1212121").drop(3)


def test_after_a_flip_the_other_one_is_on_turn_and_an_agent_plays_at_once() -> None:
    session = session_of(ANN, EASY, "44")
    session.flip()
    assert session.seats == (EASY, ANN)
    assert (session.game.moves, session.is_agents_turn, session.is_waiting) == ("44", True, False)


def test_agents_that_are_watched_wait_before_every_move() -> None:
    session = session_of(EASY, HARD)
    assert session.is_watched
    assert session.is_waiting
    session.is_waiting = False
    session.drop(3)
    assert session.is_waiting


def test_a_new_game_is_empty_and_who_begins_is_drawn_again() -> None:
    session = Session(ANN, EASY, Random(1), First.RANDOM, Game.from_moves("44", 8, 7))
    begins = set()
    seeds = set()
    for _ in range(20):
        session.new()
        begins.add(session.seats[0].name)
        seeds.add(session.seed)
        assert session.game == Game(8, 7)
    assert begins == {"Ann", "easy"}
    assert len(seeds) == 20


def test_a_loaded_game_goes_on_with_the_same_seats() -> None:
    session = session_of(ANN, EASY)
    session.load(Game.from_moves("445"))
    assert session.seats == (ANN, EASY)
    assert (session.is_agents_turn, session.is_waiting) == (True, False)
    session.load(Game.from_moves("1212121"))
    assert not session.is_agents_turn


def test_new_and_load_can_be_undone() -> None:
    session = session_of(ANN, EASY, "44")
    session.new()
    session.load(Game.from_moves("1"), (BEN, HARD))
    assert (session.game.moves, session.seats) == ("1", (BEN, HARD))
    session.back()
    assert (session.game.moves, session.seats) == ("", (ANN, EASY))
    session.back()
    assert (session.game.moves, session.seats, session.is_waiting) == ("44", (ANN, EASY), True)
    with pytest.raises(CommandError, match="there is no previous game"):
        session.back()


def test_undo_on_an_empty_board_returns_to_the_game_before() -> None:
    session = session_of(ANN, BEN, "44")
    session.new()
    session.undo()
    assert session.game.moves == "44"


def test_seats_that_were_loaded_play_the_next_games() -> None:
    session = session_of(ANN, EASY)
    session.load(Game.from_moves("4"), (HARD, BEN))
    assert (session.first, session.is_watched) == (First.OTHER, False)
    session.new()
    assert {seat.name for seat in session.seats} == {"Ben", "hard"}
    session.load(Game(), (EASY, HARD))
    assert session.is_watched


def test_where_player_2_began_it_is_its_turn() -> None:
    session = session_of(ANN, EASY)
    session.load(Game.from_columns((3,), 7, 6, first=2), (ANN, EASY))
    assert session.seat_on_turn is ANN
    session.undo(1)
    assert session.seat_on_turn is EASY


def test_the_lines_of_a_game_can_be_walked() -> None:
    session = session_of(ANN, BEN, "4455")
    session.undo(2)
    session.drop(0)
    session.go_to_line(1)
    assert (session.game.moves, session.game.columns, session.is_waiting) == ("445", (3, 3, 4, 4), True)
    with pytest.raises(CommandError, match="lines 2: allowed are 1 to 1"):
        session.go_to_line(2)
    with pytest.raises(CommandError, match="lines 1: this game has no other line"):
        session_of(ANN, BEN).go_to_line(1)
