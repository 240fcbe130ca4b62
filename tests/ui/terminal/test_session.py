"""Session: undo and new for people and agents."""

from __future__ import annotations

from random import Random

import pytest

from connect4_agent.arena.spec import AgentSpec
from connect4_agent.ui.terminal.seats import First, Seat
from connect4_agent.ui.terminal.session import Game, Session
from connect4_agent.ui.terminal.typed_commands import CommandError

ANN, BEN = Seat("Ann"), Seat("Ben")
EASY, HARD = (Seat(name, AgentSpec(name=name, player=name)) for name in ("easy", "hard"))


def session_of(one: Seat, two: Seat, moves: str = "") -> Session:
    return Session(one, two, Random(1), First.ONE, Game.from_moves(moves))


def test_against_an_agent_undo_goes_back_to_the_persons_last_turn() -> None:
    session = session_of(ANN, EASY, "44552")
    session.undo()
    assert session.game.moves == "4455"
    session.undo()
    assert session.game.moves == "44"
    assert not session.is_agents_turn


def test_with_two_people_or_two_agents_undo_takes_one_disc() -> None:
    for seats in ((ANN, BEN), (EASY, HARD)):
        session = session_of(*seats, "445")
        session.undo()
        session.undo()
        assert session.game.moves == "4"


def test_an_agent_that_began_waits_after_its_first_disc_was_taken_back() -> None:
    session = session_of(EASY, ANN, "4")
    session.undo()
    assert (session.game.moves, session.is_agents_turn, session.is_waiting) == ("", True, True)


def test_so_many_discs_are_so_many_discs() -> None:
    session = session_of(ANN, EASY, "445566")
    session.undo(3)
    assert session.game.moves == "445"
    session.undo(10**9)
    assert session.game.moves == ""


def test_an_empty_board_has_no_disc_to_take_back() -> None:
    with pytest.raises(CommandError, match="no disc to take back"):
        session_of(ANN, BEN).undo()


def test_a_disc_is_refused_where_it_cannot_be_played() -> None:
    with pytest.raises(CommandError, match="column 1 is full; open columns are 2, 3, 4, 5, 6, 7"):
        session_of(ANN, BEN, "111111").drop(0)
    with pytest.raises(CommandError, match="the game is over"):
        session_of(ANN, BEN, "1212121").drop(3)


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


def level_of(number: int) -> Seat:
    return Seat(f"Level {number}", AgentSpec(name=f"level:{number}", player=f"level:{number}"))


def play_games(session: Session, *winners: int) -> None:
    """Play to the end of games that these players win; 1 is the person, who begins."""
    for winner in winners:
        session.new()
        for column in (0, 1, 0, 1, 0, 1, 0) if winner == 1 else (0, 1, 0, 1, 0, 1, 2, 1):
            session.drop(column)


@pytest.mark.parametrize(
    ("agent", "winners", "offered"),
    [
        (level_of(3), (1,), None),
        (level_of(3), (1, 1), 4),
        (level_of(3), (1, 2, 1), None),
        (level_of(10), (1, 1), None),
        (level_of(3), (2, 2), None),
        (level_of(3), (2, 2, 2), 2),
        (level_of(1), (2, 2, 2), None),
        (HARD, (2, 2, 2), 1),
        (HARD, (1, 1), None),
        (BEN, (1, 1), None),
    ],
)
def test_another_level_is_offered_after_two_wins_or_three_losses(
    agent: Seat, winners: tuple[int, ...], offered: int | None
) -> None:
    session = session_of(ANN, agent)
    play_games(session, *winners)
    assert session.next_level == offered


def test_a_new_level_takes_the_agents_seat() -> None:
    session = session_of(EASY, ANN)
    session.new(level_of(4))
    assert {seat.name for seat in session.seats} == {"Ann", "Level 4"}
    assert session.level == 4
    with pytest.raises(CommandError, match="one person"):
        session_of(ANN, BEN).new(level_of(4))
