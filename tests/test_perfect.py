"""The perfect player: no move loses value, with a book and without, and time limits are kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.book.lookup import EMPTY_BOOK, Book, Section, reply_byte, shipped_book
from connect4_agent.engine import speed
from connect4_agent.engine.exact import ExactScores
from connect4_agent.engine.perfect import PerfectPlayer
from connect4_agent.engine.player import Limits
from connect4_agent.engine.players import parse_player
from connect4_agent.engine.search import do_nothing
from connect4_agent.position import Position
from tests.late import examples, late_positions

EXACT = ExactScores(speed.new_solver(7, 6, compiled=True), None, do_nothing)
PLAYERS = {
    "traps": PerfectPlayer(book=EMPTY_BOOK),
    "plain": PerfectPlayer(book=EMPTY_BOOK, plain_ties=True),
    "seeded": PerfectPlayer(book=EMPTY_BOOK, seed=5),
    "interpreted": PerfectPlayer(book=EMPTY_BOOK, compiled=False),
}

late = late_positions([(7, 6)], most_empties=18)


@pytest.mark.parametrize("name", ["traps", "plain", "seeded"])
@given(position=late)
@examples(50)
def test_every_choice_keeps_the_score(name: str, position: Position) -> None:
    choice = PLAYERS[name].choose(position, Limits())
    score = EXACT.score(position)
    assert (choice.score, choice.exact) == (score, True)
    assert choice.column in EXACT.best_columns(position, score)


@given(position=late)
@examples(40)
def test_plain_ties_go_to_the_centre_and_traps_are_played_alike_in_the_mirror(position: Position) -> None:
    plain = PLAYERS["plain"].choose(position, Limits()).column
    assert plain == EXACT.best_columns(position, EXACT.score(position))[0]
    mirrored = position.mirrored()
    if mirrored != position:
        column = PLAYERS["traps"].choose(position, Limits()).column
        assert PLAYERS["traps"].choose(mirrored, Limits()).column == 6 - column


@given(position=late_positions([(7, 6)], most_empties=8))
@examples(20)
def test_interpreted_it_plays_the_same_late_in_the_game(position: Position) -> None:
    assert PLAYERS["interpreted"].choose(position, Limits()) == PLAYERS["traps"].choose(position, Limits())


def test_the_answer_does_not_depend_on_what_was_asked_before() -> None:
    position = Position.from_moves("4444445225636133")
    fresh = PerfectPlayer(book=EMPTY_BOOK)
    first = fresh.choose(position, Limits())
    fresh.choose(position.mirrored(), Limits())
    again = fresh.choose(position, Limits())
    assert (again.column, again.score) == (first.column, first.score)


def test_the_line_is_given_on_request() -> None:
    position = Position.from_moves("444444522563613311")
    choice = PLAYERS["traps"].choose(position, Limits(explain=True))
    assert choice.line[0] == choice.column
    for column in choice.line:
        position = position.play(column)
    assert position.is_over


@pytest.mark.parametrize("size", [(8, 7), (10, 10), (7, 6)])
def test_with_a_time_limit_some_good_move_is_played_in_any_position(size: tuple[int, int]) -> None:
    position = Position(*size)
    for column in (1, 1, 2, 2):
        position = position.play(column)
    choice = PerfectPlayer(book=EMPTY_BOOK).choose(position.play(3).play(0), Limits(seconds=0.05))
    assert choice.column in (3, 4)


def test_a_poll_that_raises_ends_the_choice() -> None:
    class StopError(Exception):
        pass

    def stop() -> None:
        raise StopError

    with pytest.raises(StopError):
        PerfectPlayer(book=EMPTY_BOOK).choose(Position(), Limits(poll=stop))


def test_the_book_is_believed() -> None:
    replies = Section((Position().key,), (0,), b"", bytes([reply_byte(column=0, score=1)]), 0)
    choice = PerfectPlayer(book=Book(EMPTY_BOOK.scores, replies)).choose(Position(), Limits())
    assert (choice.column, choice.score, choice.nodes) == (0, 1, 0)


@pytest.mark.parametrize(("moves", "columns"), [("", {3}), ("4", {3}), ("1", {1, 2, 3, 4, 5})])
def test_the_shipped_book_knows_the_first_moves(moves: str, columns: set[int]) -> None:
    reply = shipped_book().reply(Position.from_moves(moves))
    assert reply is not None
    assert reply[0] in columns


@given(st.data())
@examples(15)
def test_from_the_empty_board_the_first_player_wins_against_anything(data: st.DataObject) -> None:
    player = parse_player("perfect")
    position = Position()
    while not position.is_over:
        if position.player == 1:
            position = position.play(player.choose(position, Limits()).column)
        else:
            position = position.play(data.draw(st.sampled_from(position.legal_columns())))
    assert position.winner == 1


def test_a_bad_rule_for_ties_is_refused() -> None:
    with pytest.raises(errors.PlayerSpecError, match="ties is 'best'; allowed are traps and plain"):
        parse_player("perfect:ties=best")
