"""Judgements: what is kept of them comes back with the games, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from connect4_agent import errors
from connect4_agent.arena.journal import read_games
from connect4_agent.arena.judged_moves import (
    JUDGED_NAME,
    can_be_judged,
    game_key,
    read_judgements,
)
from connect4_agent.rules.scores import Mistake
from tests.sample_runs import proven_moves, read_judged_games, record_of, write_run

LINE = '{"columns":[3,3,0],"scores":[1,-1,1,2]}\n'


def test_games_get_the_judgement_of_their_moves_whoever_played_them(tmp_path: Path) -> None:
    games = [
        record_of("330", game=5),
        record_of("330", game=1, begins=2, agents=("c", "d")),
        record_of("331", game=2),
        record_of("330", game=3, opening=(3, 3, 0)),
        record_of("330", game=4, width=8),
    ]
    run = write_run(tmp_path, games)
    (run / JUDGED_NAME).write_text(LINE)
    found = list(read_judged_games(run, pytest.fail))
    assert [record.judged is not None for record in found] == [True, True, False, False, False]
    first, second = proven_moves(found[0]), proven_moves(found[1])
    assert [(move.score_before, move.score, move.mistake) for move in first] == [
        (1, 1, None),
        (-1, -1, None),
        (1, -2, Mistake.WIN_TO_LOSS),
    ]
    assert [move.player for move in first] == [1, 2, 1]
    assert [move.player for move in second] == [2, 1, 2]
    assert [(move.column, move.score) for move in second] == [(move.column, move.score) for move in first]
    assert [record.model_copy(update={"judged": None}) for record in found] == list(read_games(run, pytest.fail))


def test_judgements_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    run = write_run(tmp_path, [record_of("330")])
    (run / JUDGED_NAME).mkdir()
    with pytest.raises(errors.RunFolderError, match=f"{JUDGED_NAME} cannot be read: "):
        read_judgements(run, pytest.fail)


def test_an_openings_moves_are_nobodys_mistakes(tmp_path: Path) -> None:
    run = write_run(tmp_path, [record_of("3304", opening=(3, 3, 0))])
    (run / JUDGED_NAME).write_text('{"columns":[3,3,0,4],"scores":[1,-1,1,2,-1]}\n')
    (record,) = read_judged_games(run, pytest.fail)
    assert [move.mistake for move in proven_moves(record)] == [None, None, None, Mistake.SLOWER_WIN]


@pytest.mark.parametrize(
    "bad",
    [
        "{",
        '{"columns":[3],"scores":[1]}\n',
        '{"columns":[7],"scores":[1,1]}\n',
        '{"columns":[3],"scores":[1,99]}\n',
        '{"columns":[3]}\n',
        '{"columns":[3.0],"scores":[1,1]}\n',
        '{"columns":[3],"scores":[true,1]}\n',
        '{"columns":[3],"scores":[1,1],"width":100}\n',
        '{"columns":[3],"scores":[1,1],"height":"6"}\n',
        '{"columns":[3],"scores":[1,1],"better":{"0":["a"]}}\n',
        '{"columns":[3],"scores":[1,1],"explanations":{"0":"Player 1 wins."}}\n',
        '{"columns":[3],"scores":[1,1],"explanations":{"0":{"column":3,"result":"win","best":null,"reasons":'
        '[{"kind":"four","player":1,"proves":"win","line":[9]}]}}}\n',
        "[]\n",
    ],
)
def test_a_line_that_cannot_be_used_is_left_out_and_noted(tmp_path: Path, bad: str) -> None:
    (tmp_path / JUDGED_NAME).write_text(LINE + bad)
    notes: list[str] = []
    assert list(read_judgements(tmp_path, notes.append)) == [game_key(7, 6, (3, 3, 0))]
    assert notes == [f"line 2 of {tmp_path / JUDGED_NAME} cannot be used and was left out"]


def test_a_run_that_nobody_judged_has_no_judgements(tmp_path: Path) -> None:
    assert read_judgements(tmp_path, pytest.fail) == {}


def test_what_can_be_judged_has_an_agents_move_on_a_board_that_the_solver_holds() -> None:
    assert can_be_judged(record_of("330"))
    assert not can_be_judged(record_of("330", opening=(3, 3, 0)))
    assert can_be_judged(record_of("330", width=12, height=9))
    assert not can_be_judged(record_of("330", width=12, height=10))
    assert not can_be_judged(record_of("330").model_copy(update={"columns": (3, 900)}))
