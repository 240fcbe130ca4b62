"""Labelled positions: what is derived from boards and scores is what positions and analyses say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import FULL, LabelledPositions, Position, analyze, errors, read_labels
from connect4_agent.drawing.planes import planes
from connect4_agent.jobs.progress import Progress
from connect4_agent.lab.labels import label, unpack_boards
from connect4_agent.rules.scores import moves_to_end, result_of
from tests.boards import games
from tests.effort import examples
from tests.late import late_positions

several = st.sampled_from([(7, 6), (5, 4), (9, 8)]).flatmap(
    lambda size: st.lists(late_positions([size], most_empties=10), min_size=1, max_size=5)
)


def as_begun_by_player_1(position: Position) -> Position:
    player = 1 if position.disc_count % 2 == 0 else 2
    discs = (position.own, position.opponent) if player == 1 else (position.opponent, position.own)
    return Position(position.width, position.height, player, *discs)


@given(several)
@examples(60)
def test_labels_are_those_of_the_analyses(positions: list[Position]) -> None:
    labels = label(positions, 1, Progress())
    assert labels.positions == tuple(map(as_begun_by_player_1, positions))
    for index, position in enumerate(labels.positions):
        found = analyze(position)
        assert found.score is not None
        assert labels.scores[index].tolist() == [FULL if score is None else score for score in found.scores]
        assert labels.score[index] == found.score
        assert set(np.flatnonzero(labels.best[index])) == set(found.best_columns)
        keeping = [c for c, s in enumerate(found.scores) if s is not None and result_of(s) is result_of(found.score)]
        assert np.flatnonzero(labels.keeps[index]).tolist() == keeping
        assert labels.discs[index] == position.disc_count
        assert labels.player[index] == position.player
        assert (labels.planes[index] == planes(position)).all()
        moves = moves_to_end(found.score, position.empty_count)
        plies = position.empty_count if moves is None else 2 * moves - (found.score > 0)
        assert labels.distance[index] == plies == len(found.line)


@given(games(st.just((7, 6))))
def test_boards_from_bits_are_read_back(played: list[Position]) -> None:
    boards = unpack_boards([(position.own, position.opponent) for position in played], 7, 6)
    for board, position in zip(boards, played, strict=True):
        assert Position.from_grid(board.tolist(), row_major=True) == as_begun_by_player_1(position)


def test_arrays_are_labelled_like_positions() -> None:
    positions = [Position.from_moves(moves) for moves in ("", "4", "4455", "445561")]
    labels = label(positions, 1, Progress())
    words = np.array([[position.own, position.opponent] for position in positions], np.uint64)
    for other in (label(words, 1, Progress()), label(labels.boards, 1, Progress())):
        assert (other.boards == labels.boards).all()
        assert (other.scores == labels.scores).all()


def test_some_of_them_are_chosen_by_index_slice_and_mask() -> None:
    labels = label([Position.from_moves(moves) for moves in ("", "4", "44", "445")], 1, Progress(), "four")
    assert labels[2].positions == labels[2:3].positions == labels[labels.discs == 2].positions == labels.positions[2:3]
    assert repr(labels[:3]) == "<LabelledPositions part of four: 3 positions>"


def test_a_position_that_is_over_or_of_no_game_is_refused() -> None:
    with pytest.raises(errors.BadValueError, match=r"positions\[1\] is over"):
        label([Position(), Position.from_moves("1212121")], 1, Progress())
    with pytest.raises(errors.BadValueError, match="the player to move has 0 discs and the opponent 2; it may have as"):
        label([Position(discs_2=3)], 1, Progress())


def test_arrays_that_do_not_belong_together_are_refused() -> None:
    boards, scores = np.zeros((2, 6, 7), np.int8), np.zeros((2, 6), np.int8)
    with pytest.raises(errors.BadValueError, match=r"boards has shape \(2, 6, 7\) and scores \(2, 6\); allowed are"):
        LabelledPositions(boards, scores)


def test_a_file_that_has_no_labels_is_refused(tmp_path: Path) -> None:
    text, other, empty = tmp_path / "a.npz", tmp_path / "b.npz", tmp_path / "c.npz"
    text.write_text("4455\n")
    np.savez(other, numbers=np.zeros(3))
    empty.touch()
    for path in (text, other, empty):
        with pytest.raises(errors.BadValueError, match="is not a file of labels"):
            read_labels(path)
    with pytest.raises(errors.BadValueError, match=r"a.csv is not an .npz file"):
        read_labels(tmp_path / "a.csv")
    with pytest.raises(FileNotFoundError):
        read_labels(tmp_path / "nowhere.npz")
