"""The perfect player: no move loses value, with a book and without, and time limits are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.engine import engine
from connect4_agent.engine.book.files import EMPTY_BOOK, book_for, decode_book
from connect4_agent.engine.engine import Engine
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.limits import NO_LIMITS, Limits
from connect4_agent.engine.players import perfect
from connect4_agent.engine.players.perfect import PerfectPlayer
from connect4_agent.engine.players.player import Choice
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.engine.players.simple import FirstOpenPlayer
from connect4_agent.rules.position import Position
from tests.effort import examples
from tests.late import late_positions
from tools.book.encoding import encode_book, move_value

EXACT = Engine(7, 6, book=EMPTY_BOOK)
PLAYERS = {
    "traps": PerfectPlayer(book=EMPTY_BOOK),
    "plain": PerfectPlayer(book=EMPTY_BOOK, plain_ties=True),
    "seeded": PerfectPlayer(book=EMPTY_BOOK, seed=5),
    "interpreted": PerfectPlayer(book=EMPTY_BOOK, form="plain"),
}

late = late_positions([(7, 6)], most_empties=18)
undecided = late.filter(lambda position: position.empty_count > 1 and not position.winning_columns())


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
    engine._this_thread.engines.clear()  # with tables that other tests have filled, the nodes would differ
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


def interrupted(questions: int) -> Engine:
    """An engine whose solver runs out of time after a number of questions."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forms, "new_solver", lambda *_: Interrupted(questions))
        return Engine(7, 6, book=EMPTY_BOOK)


class Interrupted:
    """A solver that runs out of time after a number of questions."""

    def __init__(self, questions: int) -> None:
        self.questions = questions
        self.nodes = 0

    def score(self, *question: Any) -> int:
        self.questions -= 1
        if self.questions < 0:
            raise errors.OutOfTimeError("at the question that the test wants")
        assert EXACT.solver is not None
        return EXACT.solver.score(*question)


@given(undecided)
@examples(40)
def test_what_was_proved_before_time_ran_out_is_used(position: Position) -> None:
    score = EXACT.score(position)
    tried = list(EXACT.tried_columns(position, score))
    # A column after which the board is full, or the opponent wins at once, is no question to the solver.
    after = [position.play(column) for column, _ in tried]
    is_asked = [not (each.is_full or each.winning_columns()) for each in after]
    for questions in range(sum(is_asked) + 1):
        known = next((count for count in range(len(tried)) if sum(is_asked[: count + 1]) > questions), len(tried))
        with pytest.MonkeyPatch.context() as patch:
            engine = interrupted(1 + questions)
            patch.setattr(perfect, "engine_for", lambda *_, engine=engine: engine)
            player = PerfectPlayer(book=EMPTY_BOOK, plain_ties=True)
            patch.setattr(player, "_fallback", FirstOpenPlayer())
            choice = player.choose(position, Limits(seconds=1000))
        first_kept = next((column for column, keeps in tried[:known] if keeps), None)
        if first_kept is not None:
            assert (choice.column, choice.score, choice.exact) == (first_kept, score, True)
        else:
            assert position.is_open(choice.column)
            assert choice.column not in [column for column, _ in tried[:known]]
            assert not choice.exact


@given(undecided)
@examples(40)
def test_when_traps_cannot_be_counted_in_time_a_column_that_keeps_the_score_is_played(position: Position) -> None:
    score = EXACT.score(position)
    best = EXACT.best_columns(position, score)
    with pytest.MonkeyPatch.context() as patch:
        engine = interrupted(1 + len(position.legal_columns()))
        patch.setattr(perfect, "engine_for", lambda *_: engine)
        choice = PerfectPlayer(book=EMPTY_BOOK).choose(position, Limits(seconds=1000))
    assert choice.column in best
    assert (choice.score, choice.exact) == (score, True)


@pytest.mark.parametrize(
    ("seconds_to_begin", "least", "most"), [(0.0, 0.9, 1.0), (0.75, 0.0, 0.25), (9.0, 0.001, 0.001)]
)
def test_the_time_for_making_a_solver_is_not_given_a_second_time(
    monkeypatch: pytest.MonkeyPatch, seconds_to_begin: float, least: float, most: float
) -> None:
    now = [100.0]

    def slow_engine(*_: object) -> Engine:
        now[0] += seconds_to_begin
        return interrupted(0)

    asked: list[float | None] = []

    class Fallback(FirstOpenPlayer):
        def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
            asked.append(limits.seconds)
            return super().choose(position, limits)

    monkeypatch.setattr(perfect, "engine_for", slow_engine)
    player = PerfectPlayer(book=EMPTY_BOOK)
    monkeypatch.setattr(player, "_fallback", Fallback())
    player.choose(Position.from_moves("44"), Limits(seconds=1.0, clock=lambda: now[0]))
    assert asked[0] is not None
    assert least <= asked[0] <= most


@pytest.mark.parametrize(
    ("size", "own_seconds", "limit", "left"),
    [((8, 7), None, None, 1.0), ((9, 4), None, None, 1.0), ((7, 6), 8.0, None, 4.0), ((7, 6), 8.0, 4.0, 2.0)],
)
@pytest.mark.needs("compiled")
def test_a_search_gets_what_a_solver_without_an_answer_leaves_of_the_time(
    monkeypatch: pytest.MonkeyPatch,
    size: tuple[int, int],
    own_seconds: float | None,
    limit: float | None,
    left: float,
) -> None:
    now = [0.0]
    asked: list[float | None] = []

    def prove(_: Engine, __: Position, poll: Callable[[], None]) -> None:
        while now[0] < 60:
            now[0] += 0.125
            poll()
        pytest.fail("the proof has no limit")

    class Fallback(FirstOpenPlayer):
        def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
            asked.append(limits.seconds)
            return super().choose(position, limits)

    monkeypatch.setattr(Engine, "score", prove)
    player = PerfectPlayer(book=EMPTY_BOOK, seconds=own_seconds)
    monkeypatch.setattr(player, "_fallback", Fallback())
    player.choose(Position(*size), Limits(limit, clock=lambda: now[0]))
    assert asked == [pytest.approx(left, abs=0.125)]


def test_a_poll_that_raises_ends_the_choice() -> None:
    class StopError(Exception):
        pass

    def stop() -> None:
        raise StopError

    with pytest.raises(StopError):
        PerfectPlayer(book=EMPTY_BOOK).choose(Position(), Limits(poll=stop))


def test_the_book_is_believed() -> None:
    book = decode_book(encode_book((7, 6), replies=({Position().key: move_value(0, 1)}, 0)), "book")
    choice = PerfectPlayer(book=book).choose(Position(), Limits())
    assert (choice.column, choice.score, choice.nodes) == (0, 1, 0)


@pytest.mark.parametrize(("moves", "columns"), [("", {3}), ("4", {3}), ("1", {1, 2, 3, 4, 5})])
def test_the_shipped_book_knows_the_first_moves(moves: str, columns: set[int]) -> None:
    position = Position.from_moves(moves)
    reply = book_for(7, 6).reply(position.own, position.opponent)
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
    with pytest.raises(errors.PlayerSpecError, match="ties is 'best'; there are traps, plain"):
        parse_player("perfect:ties=best")
