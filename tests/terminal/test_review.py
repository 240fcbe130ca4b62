"""Review: the course of a game in text."""

from __future__ import annotations

import pytest

from connect4_agent.engine.judge import judge
from connect4_agent.engine.reasons import Explainer
from connect4_agent.rules.position import Position, columns_of
from connect4_agent.rules.reasons import Explanation
from connect4_agent.terminal.drawing import ASCII, plain, width_of
from connect4_agent.terminal.game import Game
from connect4_agent.terminal.review import review_game, review_lines
from connect4_agent.terminal.seats import Seat

SEATS = (Seat("Ann"), Seat("Ben"))
GAME = Game.from_moves("44444162353")

pytestmark = pytest.mark.needs("compiled")


def text_of(game: Game, columns: int = 80, rows: int = 24) -> str:
    review = review_game(game, lambda: None)
    return "\n".join(map(plain, review_lines(review, SEATS, ASCII, columns, rows)))


def test_the_curve_and_its_mistakes() -> None:
    assert (
        text_of(GAME)
        == """\
X wins |       O
       |
       |XOXOXO  XO
draw   |      X
       |          X
       |
O wins |
              ??. ?
Move 7, X Ann, 6: gives a win away: now a draw (mistake); better: 3
Move 8, O Ben, 2: allows a double threat (blunder); better: 5
  After b1 and e1, player 1 can make four at c1 or g1 (double threat).
Move 11, X Ann, 3: turns a win into a loss (mistake); better: 2
  Even the best reply to c3 fails because player 1 runs out of safe moves: f5
allows four at f6.
X Ann: accuracy 50 (3 best moves, 1 inaccuracy, 2 mistakes, 0 blunders)
O Ben: accuracy 50 (4 best moves, 0 inaccuracies, 0 mistakes, 1 blunder)"""
    )


def test_a_decided_game_ends_at_the_edge() -> None:
    assert text_of(Game.from_moves("1212121")).splitlines()[0].endswith("OX")


def test_moves_that_were_taken_back_are_reviewed_too_and_judged_as_the_judge_does() -> None:
    review = review_game(GAME.at(3), lambda: None)
    assert review.game == judge(Position(), columns_of("44444162353"))
    assert review.better == {6: 2, 7: 4, 10: 1}


def test_the_beginner_may_be_player_2() -> None:
    game = Game.from_columns(GAME.columns, 7, 6, first=2)
    assert text_of(game).splitlines()[-8] == ("Move 7, O Ben, 6: gives a win away: now a draw (mistake); better: 3")


@pytest.mark.parametrize(("columns", "rows"), [(40, 15), (40, 24), (20, 15), (80, 24)])
def test_it_fits_the_window(columns: int, rows: int) -> None:
    game = Game.from_moves("12" * 3 + "21" * 3 + "34" * 3 + "43" * 3 + "56" * 3 + "65" * 3 + "777777")
    lines = review_lines(review_game(game, lambda: None), SEATS, ASCII, columns, rows)
    assert max(map(width_of, lines)) <= columns
    if columns >= 40:
        assert len(lines) < rows


def test_reasons_give_way_to_mistakes_and_both_to_later_ones() -> None:
    assert "After b1 and e1" in text_of(GAME, rows=17)
    assert "After b1 and e1" not in text_of(GAME, rows=16)
    assert "best reply to c3" in text_of(GAME, rows=16)
    assert "best reply to c3" not in text_of(GAME, rows=14)
    assert "Move 7" in text_of(GAME, rows=14)
    assert "Move 7" not in text_of(GAME, rows=13)
    assert "Move 8" in text_of(GAME, rows=13)


def test_a_review_can_be_ended_while_reasons_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def skip() -> None:
        raise InterruptedError

    reached = []

    def asked(explainer: Explainer, column: int | None) -> Explanation:
        reached.append(column)
        explainer.poll()
        raise AssertionError

    monkeypatch.setattr(Explainer, "explain", asked)
    with pytest.raises(InterruptedError):
        review_game(GAME, lambda: skip() if reached else None)
    assert reached == [2]


def test_on_a_large_board_the_last_moves_are_judged_and_the_rest_is_said() -> None:
    game = Game.from_moves("1212121", 9, 9)
    review = review_game(game, lambda: None)
    text = "\n".join(map(plain, review_lines(review, SEATS, ASCII, 80, 24)))
    assert 0 <= review.unknown < 7
    assert ("take too long to judge" in text) == (review.unknown > 0)
