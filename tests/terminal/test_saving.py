"""Saving: games as JSON in files, and move strings."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.arena.agents.spec import AgentSpec
from connect4_agent.terminal.game import Game
from connect4_agent.terminal.saving import SavedGameError, load_game, save_game
from connect4_agent.terminal.seats import Seat
from tests.effort import examples

from .test_game import games

GAME = Game.from_moves("4453")
SEATS = (Seat("Ann"), Seat("Ben"))


def test_a_saved_game_comes_back(tmp_path: Path) -> None:
    name = str(tmp_path / "my game")
    save_game(GAME, SEATS, name)
    assert load_game(name, 7, 6)[0] == GAME
    save_game(GAME.play(0), SEATS, name)  # a saved game may be written over
    assert load_game(name, 7, 6)[0].moves == "44531"
    assert os.listdir(tmp_path) == ["my game"]


def test_a_saved_game_keeps_players_names_size_beginner_variations_and_what_was_taken_back(tmp_path: Path) -> None:
    game = Game.from_columns((9, 9, 3, 2), 10, 8, first=2).at(2).play(0).play(1).at(3)
    seats = (Seat("Ann"), Seat("Rob", AgentSpec(name="Rob", command=("node", "my agent.js"))))
    name = str(tmp_path / "game")
    save_game(game, seats, name)
    assert json.loads((tmp_path / "game").read_text()) == {
        "format": "connect4-agent game", "version": 1, "width": 10, "height": 8, "first": 2,
        "players": [{"name": "Ann", "player": "person"}, {"name": "Rob", "player": "node 'my agent.js'"}],
        "columns": [9, 9, 0, 1], "ply": 3, "variations": [[9, 9, 3, 2]],
    }  # fmt: skip
    loaded, players = load_game(name, 7, 6)
    assert loaded == game
    assert players is not None
    assert [player.name for player in players] == ["Ann", "Rob"]


@examples(25)
@given(games(), st.integers(0, 80), st.integers(0, 8))
def test_any_game_comes_back(game: Game, ply: int, column: int) -> None:
    game = game.at(ply)
    if game.position.is_open(column) and not game.is_over:
        game = game.play(column)
    with tempfile.TemporaryDirectory() as folder:
        save_game(game, SEATS, f"{folder}/game")
        assert load_game(f"{folder}/game", 7, 6)[0] == game


def test_a_move_string_of_old_is_still_read(tmp_path: Path) -> None:
    (tmp_path / "game").write_text("4453\n")
    assert load_game(str(tmp_path / "game"), 7, 6) == (GAME, None)


def test_if_writing_fails_the_file_of_before_is_still_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = str(tmp_path / "game")
    save_game(GAME, SEATS, name)

    def fail(_: str, __: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(SavedGameError, match="cannot be written: No space left on device"):
        save_game(GAME.play(0), SEATS, name)
    assert load_game(name, 7, 6)[0] == GAME
    assert os.listdir(tmp_path) == ["game"]


GOOD = {"format": "connect4-agent game", "version": 1, "width": 7, "height": 6, "columns": [3, 3]}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"version": 2}, "version is 2: Input should be 1"),
        ({"format": "chess"}, 'format is "chess"'),
        ({"width": 36}, "width is 36"),
        ({"height": 0}, "height is 0"),
        ({"first": 3}, "first is 3"),
        ({"columns": [3, 7]}, "move 2: column 7 is not on the board"),
        ({"columns": [3, "x"]}, 'columns.1 is "x"'),
        ({"columns": [0, 1] * 4}, "move 8 is column 1, but the game was over"),
        ({"variations": [[3, 8]]}, "move 2: column 8"),
        ({"players": [{"name": "Ann", "player": "person"}]}, "players"),
        ({"hobby": 1}, "hobby is 1: Extra inputs are not permitted"),
    ],
)
def test_a_file_that_is_not_as_described_is_explained(tmp_path: Path, changes: dict[str, Any], complaint: str) -> None:
    file = tmp_path / "game"
    file.write_text(json.dumps(GOOD))
    assert load_game(str(file), 9, 9)[0].moves == "44"
    file.write_text(json.dumps(GOOD | changes))
    with pytest.raises(SavedGameError, match="holds no game that can be loaded") as caught:
        load_game(str(file), 7, 6)
    assert complaint in str(caught.value)


def test_half_a_file_and_an_empty_one_are_explained(tmp_path: Path) -> None:
    file = tmp_path / "game"
    file.write_text(json.dumps(GOOD)[:40])
    with pytest.raises(SavedGameError, match="it is not JSON"):
        load_game(str(file), 7, 6)
    file.write_text(" \n")
    with pytest.raises(SavedGameError, match="is empty: nothing was loaded"):
        load_game(str(file), 7, 6)


def test_a_game_of_another_size_is_not_written_over(tmp_path: Path) -> None:
    name = str(tmp_path / "game")
    save_game(Game(8, 7), SEATS, name)
    with pytest.raises(SavedGameError, match="is not a saved game of this board"):
        save_game(GAME, SEATS, name)


def test_a_home_folder_can_be_written_as_people_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    save_game(GAME, SEATS, "~/game")
    assert (tmp_path / "game").exists()
    assert load_game("~/game", 7, 6)[0] == GAME


def test_without_a_file_the_words_are_moves() -> None:
    assert load_game("4453", 7, 6)[0] == GAME


def test_a_file_that_is_no_game_is_never_written_over(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    diary.write_text("Dear diary\n")
    with pytest.raises(SavedGameError, match="is not a saved game of this board: choose another name"):
        save_game(GAME, SEATS, str(diary))
    with pytest.raises(SavedGameError, match="is not a saved game"):
        save_game(GAME, SEATS, str(tmp_path))
    assert diary.read_text() == "Dear diary\n"


@pytest.mark.parametrize("text", ["hunter2", "1234567890abc", "4444444", "12121212", "4453" + " " * (1 << 20) + "x"])
def test_neither_is_a_single_word_nor_a_long_file_that_begins_like_a_game(tmp_path: Path, text: str) -> None:
    file = tmp_path / "file"
    file.write_text(text)
    with pytest.raises(SavedGameError, match="is not a saved game"):
        save_game(GAME, SEATS, str(file))
    assert file.read_text() == text


def test_an_empty_file_may_be_written_over(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    save_game(GAME, SEATS, str(tmp_path / "file"))
    assert load_game(str(tmp_path / "file"), 7, 6)[0] == GAME


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("none/game", "none/game cannot be written: No such file or directory"),
        ("a\0b", "cannot be written: embedded null byte"),
    ],
)
def test_what_cannot_be_written_is_told(text: str, complaint: str) -> None:
    with pytest.raises(SavedGameError, match=complaint):
        save_game(GAME, SEATS, text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("4458", "'4458' is neither a file nor a game: move 4 of '4458' is '8'; the columns are 1 to 7"),
        ("12121212", "comes after the end"),
        ("a\0b", "is neither a file nor a game|cannot be read"),
        ("z" * 5000, "is neither a file nor a game|cannot be read"),
    ],
)
def test_what_is_no_game_is_told(text: str, complaint: str) -> None:
    with pytest.raises(SavedGameError, match=complaint) as caught:
        load_game(text, 7, 6)
    assert len(str(caught.value)) < 300


def test_a_file_without_a_game_is_told(tmp_path: Path) -> None:
    file = tmp_path / "game"
    file.write_bytes(b"\xff\x00" * 100_000)
    with pytest.raises(SavedGameError, match="holds no game that can be loaded") as caught:
        load_game(str(file), 7, 6)
    assert str(caught.value).isprintable()
    file.write_text("9\n")
    with pytest.raises(SavedGameError, match="the columns are 1 to 7"):
        load_game(str(file), 7, 6)
    assert load_game(str(file), 9, 6)[0].moves == "9"
    file.write_bytes(b"4" * (1 << 20) + b"4")
    with pytest.raises(SavedGameError, match="it is longer than 1048576 bytes"):
        load_game(str(file), 7, 6)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("admin:x:0:0", "neither a saved game nor a move string"),
        ("admin2", "its moves are not possible on this board"),
        ('{"token":"admin"}', "format is missing"),
        ('{"token":"admin', "it is not JSON"),
    ],
)
def test_a_file_that_holds_something_else_is_not_repeated_on_the_screen(
    tmp_path: Path, content: str, complaint: str
) -> None:
    path = tmp_path / "secret"
    path.write_text(content)
    with pytest.raises(SavedGameError, match=complaint) as caught:
        load_game(str(path), 7, 6)
    assert "admin" not in str(caught.value)
