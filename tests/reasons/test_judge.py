"""Judging: what each move did to the exact score."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.engine.analysis import analyze
from connect4_agent.reasons.explain import explain, explain_mistakes
from connect4_agent.reasons.judge import SEEN_KINDS, JudgedMove, judge
from connect4_agent.reasons.words import describe, name_mistake, sum_up
from connect4_agent.rules.notation import parse_moves
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import Grade, Mistake
from tests.effort import examples
from tests.late import late_positions


@given(late_positions([(7, 6)], most_empties=14), st.data())
@examples(60)
def test_a_move_is_judged_by_the_scores_of_its_column_and_of_the_best_one(
    position: Position, data: st.DataObject
) -> None:
    start, columns, found = position, [], []
    while not position.is_over:
        analysis = analyze(position)
        column = data.draw(st.sampled_from(position.legal_columns()))
        score = analysis.scores[column]
        assert score is not None
        assert analysis.score is not None
        better = () if score == analysis.score else analysis.best_columns
        found.append(JudgedMove(position, column, analysis.score, score, better=better))
        columns.append(column)
        position = position.play(column)
    judged = judge(start, columns)
    assert judged.moves == tuple(found)
    assert judged.is_exact
    assert all((move.mistake is None) == (move.score == move.score_before) for move in found)


@pytest.mark.parametrize(
    ("before", "after", "mistake", "changes_result"),
    [
        (3, 3, None, False),
        (3, 1, Mistake.SLOWER_WIN, False),
        (3, 0, Mistake.WIN_TO_DRAW, True),
        (3, -1, Mistake.WIN_TO_LOSS, True),
        (0, 0, None, False),
        (0, -4, Mistake.DRAW_TO_LOSS, True),
        (-1, -4, Mistake.SOONER_LOSS, False),
    ],
)
def test_what_a_move_gave_away(before: int, after: int, mistake: Mistake | None, changes_result: bool) -> None:
    move = JudgedMove(Position(), 0, before, after)
    assert (move.mistake, move.changes_result) == (mistake, changes_result)
    given = JudgedMove(Position(), 0, before, after, is_chosen=False)
    assert (given.mistake, given.grade, given.changes_result) == (None, None, False)


def test_a_whole_game_is_judged_to_its_last_disc() -> None:
    columns = (0, 1, 0, 1, 0, 2, 0)
    moves = judge(Position(), columns).moves
    assert moves[0] == JudgedMove(Position(), 0, 1, -2, better=(3,))
    assert moves[0].mistake is Mistake.WIN_TO_LOSS
    assert moves[5].score == -18
    assert moves[6] == JudgedMove(Position().after(columns[:6]), 0, 18, 18)


def test_the_second_player_may_begin() -> None:
    assert judge(Position(), (3,)).moves == (JudgedMove(Position(), 3, 1, 1),)
    assert judge(Position(7, 6, 2), (3,)).moves == (JudgedMove(Position(7, 6, 2), 3, 1, 1),)


def test_no_moves_are_no_judgements() -> None:
    judged = judge(Position(4, 4), ())
    assert (judged.scores, judged.moves, judged.count(1).accuracy) == ((0,), (), None)


def test_a_move_after_the_end_is_refused() -> None:
    with pytest.raises(errors.GameOverError, match="move 8 is column 2, but the game was over before it"):
        judge(Position(), (0, 1, 0, 1, 0, 1, 0, 2))


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(errors.IllegalMoveError, match="column 7 is not on the board"):
        judge(Position(), (7,))


def test_it_can_be_ended_at_every_move_also_where_nothing_has_to_be_searched_for() -> None:
    columns = (3, 3, 2)
    polls: list[None] = []
    judge(Position(), columns, poll=lambda: polls.append(None))
    assert len(polls) >= 2 * len(columns) + 1


@pytest.mark.parametrize("error", [errors.OutOfTimeError, errors.TooHardError])
def test_moves_before_the_one_at_which_time_runs_out_are_not_judged(error: type[Exception]) -> None:
    polls: list[None] = []

    def poll() -> None:
        polls.append(None)
        if len(polls) == 10:
            raise error

    judged = judge(Position(), (0, 1, 0, 1, 0, 2, 0), poll=poll)
    assert judged.scores == (None,) * 6 + (18, -18)
    assert not judged.is_exact
    first = judged.moves[0]
    assert (first.score_before, first.score, first.mistake, first.grade) == (None, None, None, None)
    assert sum(judged.count(1).grades.values()) == 1


def test_grades_and_the_losing_move_are_those_of_the_moves_that_were_chosen() -> None:
    columns = (0, 1, 0, 1, 0, 2, 0)
    judged = judge(Position(), columns)
    assert (judged.losing_ply(1), judged.losing_ply(2)) == (0, 5)
    assert (judged.count(1).grades[Grade.MISTAKE], judged.count(2).grades[Grade.BLUNDER]) == (1, 1)
    opened = replace(judged, opening=2)
    grades = opened.count(1).grades
    assert (opened.losing_ply(1), grades[Grade.MISTAKE], sum(grades.values())) == (None, 0, 3)
    given = replace(judged, opening=7).count(2)
    assert (sum(given.grades.values()), given.accuracy, given.moments) == (0, None, ())


def found_wrong(moves: str, player: int) -> list[str]:
    """What was wrong with the moves that the player should look at."""
    judged = judge(Position(), parse_moves(moves))
    return [name_mistake(judged.moves[ply]) for ply in judged.count(player).moments]


def test_moments_are_what_a_person_can_see_in_order_of_time() -> None:
    missed = "misses four in a row"
    assert found_wrong("44332277661", 1) == [missed, missed]
    assert found_wrong("44332277661", 2) == []  # its oversight is among the first six discs


def test_a_mistake_is_a_moment_only_for_a_reason_that_can_be_seen() -> None:
    moves = "5454554424652225247211111177767766"
    judged = judge(Position(), parse_moves(moves))
    plain, explained = judged.count(1).moments, explain_mistakes(judged).count(1).moments
    assert len(plain) <= len(explained) <= 3
    assert set(plain) <= {ply for ply, move in enumerate(judged.moves) if move.oversight}
    for ply in explained:
        move = explain_mistakes(judged).moves[ply]
        assert ply >= 6
        assert move.oversight or {move.explanation.kind, move.explanation.best.kind} & set(SEEN_KINDS)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("moves", "player", "words"),
    [
        ("543567347464", 1, "Move 11: column 4 was open. Yellow could make four in a row."),
        ("44332277661", 1, ""),
        ("1212121", 1, "You overlooked nothing."),
        ("1212121", 2, "Move 6: column 1 was open. Red could make four in a row."),
    ],
)
def test_a_loss_is_explained_by_the_last_oversight(moves: str, player: int, words: str) -> None:
    judged = judge(Position(), parse_moves(moves))
    assert "".join(part.text for part in sum_up(judged, player)) == words


def test_the_accuracy_is_the_mean_percentage_of_all_judged_moves() -> None:
    judged = judge(Position(), parse_moves("44444162353"))
    assert [str(move.mistake) for move in judged.moves if move.mistake] == [
        "win to draw", "draw to loss", "slower win", "win to loss"
    ]  # fmt: skip
    assert judged.count(1).accuracy == round((3 * 100 + 25 + 75 + 0) / 6, 1)
    assert judged.count(2).accuracy == round((4 * 100 + 25) / 5, 1)
    opened = replace(judged, opening=6)
    assert opened.count(1).accuracy == round((25 + 75 + 0) / 3, 1)


def test_what_was_seen_is_counted_among_what_there_was_to_see() -> None:
    counts = [judge(Position(), parse_moves("4433221")).count(player) for player in (1, 2)]
    assert [(each.seen, each.to_see) for each in counts] == [(1, 1), (0, 1)]


def test_a_game_is_described_by_its_mistakes_and_its_players() -> None:
    judged = judge(Position(), parse_moves("44444162353"))
    assert describe(judged, ("Ann", "Ben")).splitlines() == [
        "Move 7, Ann, column 6: gives a win away (mistake); better: column 3 or 5",
        "Move 8, Ben, column 2: allows a double threat (blunder); better: column 5",
        "Move 11, Ann, column 3: turns a win into a loss (mistake); better: column 2",
        "Ann: accuracy 66.7 (3 best moves, 1 inaccuracy, 2 mistakes, 0 blunders)",
        "Ben: accuracy 85 (4 best moves, 0 inaccuracies, 0 mistakes, 1 blunder)",
    ]
    assert describe(judged.moves[0], ("Ann", "Ben")) == "With best play, Ann wins in 21 moves."
    explained = replace(judged.moves[7], explanation=explain(judged.moves[7].position, 1))
    assert describe(explained, ("Ann", "Ben")) == (
        "Blunder: allows a double threat. Best play draws, this loses in 2 moves. Better: column 5. "
        + describe(explain(judged.moves[7].position, 1), ("Ann", "Ben"), brief=True)
    )


def test_oversights_are_graded_where_scores_are_not_known() -> None:
    polls: list[None] = []

    def poll() -> None:
        polls.append(None)
        if len(polls) > 8:
            raise errors.OutOfTimeError

    judged = judge(Position(9, 9), parse_moves("44332277"), poll=poll)
    assert judged.scores == (None,) * 9
    assert [move.grade for move in judged.moves] == [None] * 3 + ["blunder"] + [None] * 2 + ["blunder", None]
    assert (judged.count(1).accuracy, judged.count(1).moments) == (None, (6,))


@given(late_positions([(7, 6), (6, 5)], most_empties=14), st.data())
@examples(80)
def test_grades_follow_what_could_be_seen(position: Position, data: st.DataObject) -> None:
    start, columns = position, []
    while not position.is_over:
        columns.append(data.draw(st.sampled_from(position.legal_columns())))
        position = position.play(columns[-1])
    judged = judge(start, columns)
    for ply, move in enumerate(judged.moves):
        assert move.score_before is not None
        assert move.score is not None
        wins = move.position.winning_columns()
        if wins and move.column not in wins:
            assert (move.oversight, move.grade) == ("missed four", "blunder")
        if move.oversight is not None:
            assert move.mistake is not None, "an oversight always costs something"
        before, after = (
            replace(judged, columns=judged.columns[:end], scores=judged.scores[: end + 1]) for end in (ply, ply + 1)
        )
        accuracy, accuracy_before = after.count(move.player).accuracy, before.count(move.player).accuracy
        assert accuracy is not None
        assert 0 <= accuracy <= 100
        if move.score == move.score_before:
            assert accuracy >= (accuracy_before or 0)
        assert (move.better == ()) == (move.mistake is None)
        assert all(judge(move.position, [column]).moves[0].mistake is None for column in move.better)
