"""connect4-agent judge and judge_games: games that were played anywhere, and lines that are not games."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

import connect4_agent as c4
from connect4_agent import errors
from connect4_agent.arena.journal import with_checksum
from connect4_agent.cli import main
from connect4_agent.lab import game_files
from connect4_agent.rules.position import Position
from tests.sample_runs import ALL_MISTAKES, record_of

GAME = "44455554221"


def replay_of(moves: str, *, refused: int = 0, **configuration: int) -> dict[str, Any]:
    """What Kaggle's ConnectX writes of a game: a step with the board after every action, refused ones included."""
    settings = {"columns": 7, "rows": 6, "inarow": 4, "actTimeout": 2} | configuration
    position = Position(settings["columns"], settings["rows"])
    boards = [position := position.play(int(sign) - 1) for sign in moves]
    boards = [Position(settings["columns"], settings["rows"]), *boards, *boards[-1:] * refused]
    steps = []
    for number, board in enumerate(boards):
        cells = [cell for row in zip(*board.grid(), strict=True) for cell in row]
        seen = {"board": cells, "mark": 1, "step": number, "remainingOverageTime": 60}
        steps.append([{"action": 0, "observation": seen}, {"action": 9, "observation": {"mark": 2}}])
    return {"configuration": settings, "info": {"TeamNames": ["anna", "=ben"]}, "rewards": [1, -1], "steps": steps}


def test_the_players_of_move_strings_are_the_sides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.txt"
    path.write_bytes(f"\ufeff{GAME}\r\n\r\n{GAME} -3\r\n12\n".encode())
    assert main(["judge", str(path)]) == 0
    printed = capsys.readouterr().out.splitlines()
    header = "player games moves not best errors/100 accuracy optimal keeps first losing move"
    assert printed[0].split() == header.split()
    assert printed[1].split("  ")[0] == "second player"
    # Two games of six moves without an error and two mistakes, and one move that made a win a loss.
    assert printed[2].split() == [
        "first",
        "player",
        "3",
        "13",
        "3",
        "7.7",
        "88.5",
        "76.9",
        "%",
        "92.3",
        "%",
        "1",
        "(1)",
    ]
    assert "perfect move rate" in "".join(printed)


def test_every_move_is_shown_with_its_scores(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(GAME.encode())))
    assert main(["judge", "--moves"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "-, line 1: first player - second player"
    assert lines[5].split() == ["4", "second", "player", "5", "-1", "-3", "sooner", "loss;", "better:", "4"]
    assert lines[12].split() == ["11", "first", "player", "1", "+15", "+15"]


def test_a_journal_names_its_agents_and_its_openings_are_nobodys_moves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.jsonl"
    record = record_of(ALL_MISTAKES, agents=("a", "b"), begins=2, opening=(0, 5))
    path.write_bytes(with_checksum(record) + b"\n" + with_checksum(record)[:-9] + b"\n")
    assert main(["judge", str(path), "--json"]) == 1
    captured = capsys.readouterr()
    [game] = map(json.loads, captured.out.splitlines())
    assert [player["name"] for player in game["players"]] == ["b", "a"]
    assert [player["judged_moves"] for player in game["players"]] == [3, 2]
    assert game["players"][0]["first_losing_ply"] is None
    assert game["players"][1]["errors_per_100_moves"] == 100  # a win became a draw, and the draw a loss
    assert "games.jsonl, line 2: " in captured.err
    assert "is not a game" in captured.err


def test_a_replay_of_kaggle_is_read_from_its_boards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "replay.json"
    path.write_text(json.dumps(replay_of(GAME, refused=1), indent=2))
    assert main(["judge", str(path), "--json"]) == 0
    game = json.loads(capsys.readouterr().out)
    assert game["columns"] == [int(sign) - 1 for sign in GAME]
    assert [player["name"] for player in game["players"]] == ["anna", "=ben"]
    assert (game["players"][0]["keeps"], game["players"][0]["optimal"]) == (1.0, pytest.approx(5 / 6))


def test_lines_that_are_not_games_are_named_and_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = ["4444444", "48", "12121211", '{"steps": []}', '{"a":', json.dumps(replay_of("12", inarow=5)), "\x00"]
    path = tmp_path / "games.txt"
    path.write_text("\n".join(["12", *bad, GAME]))
    assert main(["judge", str(path)]) == 1
    captured = capsys.readouterr()
    assert "first player       2" in captured.out
    said = captured.err.splitlines()
    words = (
        "column 4 is full",
        "columns are 1 to 7",
        "after the end",
        "not a replay",
        "not a game",
        "inarow is 5",
        "1 to 7",
    )
    assert [line.partition(": ")[0] for line in said] == [f"{path}, line {number}" for number in range(2, 9)]
    for line, word in zip(said, words, strict=True):
        assert word in line


@pytest.mark.parametrize(("name", "status", "says"), [("nowhere", 2, "cannot read"), ("empty", 1, "there is no game")])
def test_a_file_without_games_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, status: int, says: str
) -> None:
    (tmp_path / "empty").write_bytes(b"\n")
    try:
        found = main(["judge", str(tmp_path / name)])
    except SystemExit as error:
        found = int(error.code or 0)
    assert found == status
    captured = capsys.readouterr()
    assert captured.out == ""
    assert says in captured.err


def test_the_api_takes_every_form_and_names_a_bad_game() -> None:
    columns = [int(sign) - 1 for sign in GAME]
    record = record_of("".join(map(str, columns)))
    games = c4.judge_games([GAME, columns, record, replay_of(GAME)])
    assert [game.scores for game in games] == [games[0].scores] * 4
    assert games[0].scores == c4.judge_games([GAME])[0].scores
    small = c4.judge_games(["1122"], width=4, height=4)[0]
    assert (small.start.width, small.is_exact) == (4, True)
    with pytest.raises(errors.NotationError) as raised:
        c4.judge_games([GAME, "4444444"])
    assert raised.value.__notes__ == ["games[1] is '4444444'"]
    with pytest.raises(errors.BadValueError, match="a game is 7; allowed is a move string"):
        c4.judge_games([7])
    with pytest.raises(errors.BadValueError, match="60 columns and 60 rows"):
        c4.judge_games([[1, 2]], width=60, height=60)


def test_many_games_are_judged_in_processes_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [GAME[:count] for count in range(1, 12)]
    alone = c4.judge_games(games)
    monkeypatch.setattr(game_files, "GAMES_PER_PROCESS", 1)
    assert c4.judge_games(games, jobs=2) == alone
