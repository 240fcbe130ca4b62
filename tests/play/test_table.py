"""Table: undo, redo, flip, new and load for people and agents."""

from __future__ import annotations

from random import Random

import pytest

from connect4_agent import errors
from connect4_agent.arena.agents import Agent
from connect4_agent.play.game import Game
from connect4_agent.play.seats import First, Seat
from connect4_agent.play.table import Setup, Table

ANN, BEN = Seat("Ann"), Seat("Ben")
EASY, HARD = (Seat(name, Agent(name, player=name)) for name in ("easy", "hard"))


def table_of(one: Seat, two: Seat, moves: str = "") -> Table:
    return Table(Setup(one, two, First.ME, Game.from_moves(moves)), Random(1))


def test_against_an_agent_undo_goes_back_to_the_persons_last_turn_and_redo_forward() -> None:
    table = table_of(ANN, EASY, "44552")
    table.undo()
    assert table.game.moves == "4455"
    table.undo()
    assert table.game.moves == "44"
    table.redo()
    assert table.game.moves == "4455"
    table.redo()
    assert table.game.moves == "44552"
    assert table.is_agents_turn
    assert table.is_waiting


def test_with_two_people_or_two_agents_undo_and_redo_take_one_disc() -> None:
    for seats in ((ANN, BEN), (EASY, HARD)):
        table = table_of(*seats, "445")
        table.undo()
        table.undo()
        assert table.game.moves == "4"
        table.redo()
        assert table.game.moves == "44"


def test_an_agent_that_began_waits_after_its_first_disc_was_taken_back() -> None:
    table = table_of(EASY, ANN, "4")
    table.undo()
    assert (table.game.moves, table.is_agents_turn, table.is_waiting) == ("", True, True)


def test_so_many_discs_are_so_many_discs() -> None:
    table = table_of(ANN, EASY, "445566")
    table.undo(3)
    assert table.game.moves == "445"
    table.redo(2)
    assert table.game.moves == "44556"
    table.undo(10**9)
    assert table.game.moves == ""
    table.redo(10**9)
    assert table.game.moves == "445566"


def test_where_there_is_nothing_to_take_back_or_to_play_again_it_is_said() -> None:
    table = table_of(ANN, BEN)
    with pytest.raises(errors.WordsError, match="no disc to take back"):
        table.undo()
    with pytest.raises(errors.WordsError, match="nothing was taken back"):
        table.redo()


def test_a_disc_is_refused_where_it_cannot_be_played() -> None:
    with pytest.raises(errors.WordsError, match="column 1 is full: there is room in 2, 3, 4, 5, 6, 7"):
        table_of(ANN, BEN, "111111").drop(0)
    with pytest.raises(errors.WordsError, match="the game is over"):
        table_of(ANN, BEN, "1212121").drop(3)


def test_after_a_flip_the_other_one_is_on_turn_and_an_agent_plays_at_once() -> None:
    table = table_of(ANN, EASY, "44")
    table.flip()
    assert table.seats == (EASY, ANN)
    assert (table.game.moves, table.is_agents_turn, table.is_waiting) == ("44", True, False)


def test_agents_that_are_watched_wait_before_every_move() -> None:
    table = table_of(EASY, HARD)
    assert table.is_watched
    assert table.is_waiting
    table.is_waiting = False
    table.drop(3)
    assert table.is_waiting


def test_a_new_game_is_empty_and_who_begins_is_drawn_again() -> None:
    table = Table(Setup(ANN, EASY, First.RANDOM, Game.from_moves("44", 8, 7)), Random(1))
    begins = set()
    seeds = set()
    for _ in range(20):
        table.new()
        begins.add(table.seats[0].name)
        seeds.add(table.seed)
        assert table.game == Game(8, 7)
    assert begins == {"Ann", "easy"}
    assert len(seeds) == 20


def test_a_loaded_game_goes_on_with_the_same_seats() -> None:
    table = table_of(ANN, EASY)
    table.load(Game.from_moves("445"))
    assert table.seats == (ANN, EASY)
    assert (table.is_agents_turn, table.is_waiting) == (True, False)
    table.load(Game.from_moves("1212121"))
    assert not table.is_agents_turn
