"""Saving: move strings in files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from connect4_agent import errors
from connect4_agent.play.game import Game
from connect4_agent.play.saving import load_game, save_game

if TYPE_CHECKING:
    from pathlib import Path

GAME = Game.from_moves("4453")


def test_a_saved_game_comes_back(tmp_path: Path) -> None:
    name = str(tmp_path / "my game")
    save_game(GAME, name)
    assert load_game(name, 7, 6) == GAME
    save_game(GAME.play(0), name)  # a saved game may be written over
    assert (tmp_path / "my game").read_text() == "44531\n"


def test_what_was_taken_back_is_not_saved(tmp_path: Path) -> None:
    save_game(GAME.at(2), str(tmp_path / "game"))
    assert load_game(str(tmp_path / "game"), 7, 6).columns == (3, 3)


def test_a_home_folder_can_be_written_as_people_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    save_game(GAME, "~/game")
    assert (tmp_path / "game").exists()
    assert load_game("~/game", 7, 6) == GAME


def test_without_a_file_the_words_are_moves() -> None:
    assert load_game("4453", 7, 6) == GAME


def test_a_file_that_is_no_game_is_never_written_over(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    diary.write_text("Dear diary\n")
    with pytest.raises(errors.SavedGameError, match="it is no saved game of this board: choose another name"):
        save_game(GAME, str(diary))
    with pytest.raises(errors.SavedGameError, match="it is no saved game"):
        save_game(GAME, str(tmp_path))
    assert diary.read_text() == "Dear diary\n"


@pytest.mark.parametrize("text", ["hunter2", "1234567890abc", "4444444", "12121212", "4453" + " " * (1 << 14) + "x"])
def test_neither_is_a_single_word_nor_a_long_file_that_begins_like_a_game(tmp_path: Path, text: str) -> None:
    file = tmp_path / "file"
    file.write_text(text)
    with pytest.raises(errors.SavedGameError, match="it is no saved game"):
        save_game(GAME, str(file))
    assert file.read_text() == text


def test_an_empty_file_may_be_written_over(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    save_game(GAME, str(tmp_path / "file"))
    assert load_game(str(tmp_path / "file"), 7, 6) == GAME


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("none/game", "none/game cannot be written: No such file or directory"),
        ("a\0b", "cannot be written: embedded null byte"),
    ],
)
def test_what_cannot_be_written_is_told(text: str, complaint: str) -> None:
    with pytest.raises(errors.SavedGameError, match=complaint):
        save_game(GAME, text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("4458", "'4458' is no file and no game: move 4 of '4458' is '8'; the columns are 1 to 7"),
        ("12121212", "comes after the end"),
        ("a\0b", "is no file and no game|cannot be read"),
        ("z" * 5000, "is no file and no game|cannot be read"),
    ],
)
def test_what_is_no_game_is_told(text: str, complaint: str) -> None:
    with pytest.raises(errors.SavedGameError, match=complaint) as caught:
        load_game(text, 7, 6)
    assert len(str(caught.value)) < 300


def test_a_file_without_a_game_is_told(tmp_path: Path) -> None:
    file = tmp_path / "game"
    file.write_bytes(b"\xff\x00" * 100_000)
    with pytest.raises(errors.SavedGameError, match="holds no game of this board") as caught:
        load_game(str(file), 7, 6)
    assert str(caught.value).isprintable()
    file.write_text("9\n")
    with pytest.raises(errors.SavedGameError, match="the columns are 1 to 7"):
        load_game(str(file), 7, 6)
    assert load_game(str(file), 9, 6).moves == "9"
