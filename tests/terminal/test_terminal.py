"""Terminal: whole sessions at the board, with a console scripted with what the person types."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from connect4_agent.terminal.console import Console
from connect4_agent.terminal.drawing import ASCII, Line, plain
from connect4_agent.terminal.game import Game
from connect4_agent.terminal.seats import First, Seat, SeatedAgents, seat_of
from connect4_agent.terminal.session import Session
from connect4_agent.terminal.terminal import Terminal
from tests.arena.helping import command_of

CONTINUE = "To continue this game: connect4-agent play "

SLOW = "521612263155"
"""A position of which no book knows the columns: its hints take the solver a while."""


class ScriptedConsole(Console):
    """Remembers what it shows, and types line after line, then leaves."""

    signs = ASCII

    def __init__(self, *lines: str, clears: bool = True, lines_waiting: tuple[bool, ...] = ()) -> None:
        self.clears = clears
        self.shown: list[str] = []
        """The picture, or the line, before every step."""
        self.asked: list[str] = []
        """The picture before every prompt, with the prompt."""
        self._lines = list(lines)
        self._waiting = list(lines_waiting)

    def size(self) -> tuple[int, int]:
        return 80, 24

    def show(self, lines: list[Line]) -> None:
        self.shown.append("\n".join(map(plain, lines)))

    def say(self, text: str) -> None:
        self.shown.append(text)

    def read_line(self, prompt: str, draw_again: Callable[[], None]) -> str | None:  # noqa: ARG002  # never resized
        self.asked.append(f"{self.shown[-1]}\n{prompt}")
        return self._lines.pop(0) if self._lines else None

    def has_line(self, seconds: float = 0.0) -> bool:  # noqa: ARG002  # nobody waits here
        return self._waiting.pop(0) if self._waiting else False


def evening(
    *lines: str,
    one: str = "person",
    two: str = "first-open",
    moves: str = "",
    has_hints: bool = False,
    clears: bool = True,
    lines_waiting: tuple[bool, ...] = (),
) -> ScriptedConsole:
    """Play with these lines typed; the console afterwards."""
    console = ScriptedConsole(*lines, clears=clears, lines_waiting=lines_waiting)
    seats = seat_of(one, "Ann", 60.0), seat_of(two, "Bot", 60.0)
    session = Session(*seats, Random(1), First.ME, Game.from_moves(moves))
    Terminal(session, console, has_hints).play()
    return console


def test_a_game_against_an_agent_is_won_and_told() -> None:
    console = evening("4", "5", "6", "7")
    assert "Moves: 415161" in console.asked[3]
    assert console.asked[3].endswith("X Ann> ")
    assert "X Ann wins on move 7" in console.asked[4]
    assert console.asked[4].count("[X]") == 4
    assert "v reviews the game, u and r step through it, n starts a new one" in console.asked[4]
    assert console.asked[4].endswith("\n> ")


def test_the_agent_is_seen_thinking() -> None:
    assert any("O Bot is thinking ..." in picture for picture in evening("4").shown)


def test_where_the_picture_does_not_stay_a_line_says_what_is_waited_for() -> None:
    assert "O Bot is thinking ..." in evening("4", clears=False).shown


def test_two_people_take_turns() -> None:
    console = evening("4", "4", two="person")
    assert [picture.rpartition("\n")[2] for picture in console.asked] == ["X Ann> ", "O Bot> ", "X Ann> "]


def test_undo_redo_and_a_review_with_hints_after_the_end() -> None:
    console = evening("4", "5", "6", "7", "u", "h", "r", "4")
    assert "Moves: 415161 (1 taken back)" in console.asked[5]
    assert "Best: 3, 7 (wins in 1 move)" in console.asked[6]
    assert "wins on move" in console.asked[7]
    assert "the game is over: undo takes back discs, new starts another game" in console.asked[8]


def test_hints_stay_on_until_they_are_turned_off() -> None:
    console = evening("7", "h", "7", moves="444444522563613311", two="person", has_hints=True)
    assert "+11" in console.asked[0]
    assert "wins on move" in console.asked[1]
    console = evening("1", "h", "2", moves="444444522563613311", two="person", has_hints=True)
    assert "Best: " in console.asked[1]
    assert "Hints are off." in console.asked[2]
    assert "Best: " not in console.asked[3]


def test_hints_need_not_be_waited_for() -> None:
    # The first line waits while the scores are worked out; a blank one is for that alone.
    console = evening("", "h", "h", "q", moves=SLOW, two="person", has_hints=True, lines_waiting=(True, True))
    assert any("Working out the scores ... (press Enter to skip)" in picture for picture in console.shown)
    assert "The scores were skipped" in console.asked[1]
    assert "Hints are off." in console.asked[2]


def test_a_column_typed_while_hints_are_worked_out_is_played() -> None:
    console = evening("4", "h", moves=SLOW, two="person", has_hints=True, lines_waiting=(True, True))
    assert f"Moves: {SLOW}4" in console.shown[-1]


def test_a_line_that_is_not_understood_changes_nothing_and_says_what_is() -> None:
    console = evening("hello", "9", "go")
    assert "'hello' is not a command: type a column, 1 to 7, or one of undo" in console.asked[1]
    assert "there is no column 9: the columns are 1 to 7" in console.asked[2]
    assert "go works only if two agents play" in console.asked[3]
    assert all("Moves: none" in picture for picture in console.asked)


def test_help_is_a_page_that_enter_leaves() -> None:
    console = evening("?", "", "?", "4", "?", "hm")
    assert "u, undo     take back" in console.asked[1]
    assert console.asked[1].endswith("Press Enter to return to the board> ")
    assert "Moves: none" in console.asked[2]
    assert "Moves: 41" in console.asked[4]
    assert "'hm' is not a command" in console.asked[6]


def test_after_a_flip_the_agent_plays_the_other_discs() -> None:
    console = evening("4", "f", "3")
    assert "Moves: 411" in console.asked[2]
    assert console.asked[2].endswith("O Ann> ")
    assert "Moves: 41131" in console.asked[3]


def test_an_agent_whose_disc_was_taken_back_waits_for_enter() -> None:
    console = evening("4", "u 1", "")
    assert "Press Enter to let Bot play, or type a column to play in its place." in console.asked[2]
    assert "Moves: 41\n" not in console.asked[2]
    assert console.asked[3].endswith("X Ann> ")
    assert "Moves: 41" in console.asked[3]
    assert "Moves: 47" in evening("4", "u 1", "7").asked[3]


def test_a_game_is_saved_and_loaded(tmp_path: Path) -> None:
    file = tmp_path / "game"
    console = evening("4", "s", f"save {file}", "n", f"load {file}", "load 77", "load 8")
    assert "Moves: 41 (save FILE writes them to a file)" in console.asked[2]
    assert f"Saved in {file};" in console.asked[3].replace("\n", "")
    assert json.loads(file.read_text())["columns"] == [3, 0]
    assert "Moves: none" in console.asked[4]
    assert "Moves: 41" in console.asked[5]
    assert "Moves: 77" in console.asked[6]
    assert "'8' is neither a file nor a game: move 1 of '8' is '8'; the columns are 1 to 7" in console.asked[7]


def test_a_file_that_cannot_be_loaded_changes_nothing_and_says_why(tmp_path: Path) -> None:
    empty, broken = tmp_path / "e", tmp_path / "b"
    empty.touch()
    broken.write_text('{"format":')
    console = evening("4", f"load {empty}", f"load {broken}", "back")
    assert "is empty: nothing was loaded" in console.asked[2].replace("\n", " ")
    assert "it is not JSON" in console.asked[3].replace("\n", " ")
    assert "there is no previous game" in console.asked[4]
    assert all("Moves: 41" in picture for picture in console.asked[1:])


def test_new_and_load_can_be_undone() -> None:
    console = evening("4", "n", "u", "load 77", "back")
    assert "New game; back returns to the previous one." in console.asked[2]
    assert "Moves: 41" in console.asked[3]
    assert "Loaded; back returns to the previous game." in console.asked[4]
    assert "Moves: 41" in console.asked[5]


def test_a_saved_game_brings_its_players_back(tmp_path: Path) -> None:
    evening("4", f"save {tmp_path / 'game'}", two="person")
    console = evening(f"load {tmp_path / 'game'}", "5")
    assert "O Bot> " in console.asked[1]
    assert "Moves: 45" in console.asked[2]


def test_the_lines_of_a_game_are_listed_and_walked() -> None:
    console = evening("4", "4", "u", "5", "lines", "", "lines 1", "lines 7", "n", "lines", two="person")
    assert "1: 44" in console.asked[5]
    assert console.asked[5].endswith("Press Enter to return to the board> ")
    assert "Moves: 45 (1 other line)" in console.asked[6]
    assert "Moves: 44 (1 other line)" in console.asked[7]
    assert "lines 7: allowed are 1 to 1" in console.asked[8]
    assert "This game has no other line" in console.asked[10]


@pytest.mark.needs("compiled")
def test_the_course_of_the_game_is_shown_after_its_end() -> None:
    console = evening("v", "4", "5", "6", "7", "v", "")
    assert "There is nothing to review" in console.asked[1]
    assert "v reviews the game" in console.asked[5]
    assert "X wins |" in console.asked[6]
    assert "X Ann: accuracy" in console.asked[6]
    assert "X Ann wins" in console.asked[7]


@pytest.mark.needs("compiled")
def test_a_review_need_not_be_waited_for() -> None:
    console = evening("v", "", moves=SLOW, two="person", lines_waiting=(True, True))
    assert "X wins |" not in console.asked[1]


def test_two_agents_play_a_move_for_every_enter() -> None:
    console = evening("", "", "u", one="easy")
    assert "Press Enter for the next move; go keeps playing until you press Enter." in console.asked[0]
    assert "Moves: none" in console.asked[0]
    assert "Moves: 4" in console.asked[1]
    assert "Moves: 41" in console.asked[2]
    assert "Moves: 4 (1 taken back)" in console.asked[3]


def test_two_agents_go_on_until_the_end_or_until_enter() -> None:
    console = evening("go", one="easy")
    assert len(console.asked) == 2
    assert "X Ann wins" in console.asked[1]
    stopped = evening("go", one="easy", lines_waiting=(False, False, True))
    assert "Moves: 41 " not in stopped.asked[1]
    assert stopped.asked[1].count("(") == 1
    assert "Moves: 41" in stopped.asked[1]


def test_an_agent_that_fails_leaves_the_game_to_the_person() -> None:
    broken = shlex.join(command_of("crash_mid_game"))
    console = evening("4", "5", "7", "6", "", "n", "4", two=broken)
    assert "Bot: crashed: it ended with exit status 4 when an answer was due" in console.asked[2].replace("\n", " ")
    assert "Press Enter to ask it again, or type a column to play in its place." in console.asked[2]
    assert console.asked[2].endswith("O Bot> ")
    assert "Moves: 4157" in console.asked[3]  # played in its place
    assert "Moves: 415761" in console.asked[4]  # a new process, which crashes at its second question
    assert "X Ann> " in console.asked[4]
    assert "Moves: none" in console.asked[6]
    assert "Moves: 41" in console.asked[7]


def test_an_agent_that_failed_can_be_asked_again() -> None:
    console = evening("4", "5", "", two=shlex.join(command_of("crash_mid_game")))
    assert "crashed" in console.asked[2]
    assert "Moves: 4151" in console.asked[3]


def test_what_an_agent_remembers_does_not_outlive_its_game() -> None:
    # It would crash at its second question; every question here is the first of a new game.
    console = evening("4", "n", "4", "u", "5", "f", two=shlex.join(command_of("crash_mid_game")))
    assert not any("crashed" in picture for picture in console.shown)


def test_the_farewell_says_how_to_go_on() -> None:
    for game, first, words in (
        (Game(), First.ME, "No disc was played."),
        (Game.from_moves("44"), First.ME, "hard --first me --moves 44"),
        (Game.from_moves("88", 8, 6), First.OTHER, "hard --first other --width 8 --height 6 --moves 88"),
    ):
        session = Session(Seat("you"), seat_of("hard", "hard", None), Random(1), first, game)
        assert Terminal(session, ScriptedConsole()).farewell().removeprefix(CONTINUE) == words


@pytest.mark.parametrize(
    ("one", "two", "words"),
    [
        (Seat("Ann"), Seat("Ben"), "person --name=Ann --name=Ben"),
        (Seat("person 1"), Seat("person 2"), "person"),
        (seat_of("easy", "easy", None), seat_of("level:3", "level:3", None), "easy level:3"),
        (Seat("you"), seat_of("hard", "hard", 0.5), "hard --time-limit 0.5"),
        (Seat("you"), seat_of("python3 agent.py", "Bot", None), "'python3 agent.py' --name=you --name=Bot"),
    ],
)
def test_the_farewell_seats_the_same_players(one: Seat, two: Seat, words: str) -> None:
    session = Session(one, two, Random(1), First.ME, Game.from_moves("44"))
    assert Terminal(session, ScriptedConsole()).farewell() == f"{CONTINUE}{words} --first me --moves 44"


def test_the_farewell_knows_who_has_changed_sides() -> None:
    session = Session(Seat("Ann"), Seat("Ben"), Random(1), First.ME, Game.from_moves("44"))
    session.flip()
    assert "--first other --moves 44" in Terminal(session, ScriptedConsole()).farewell()


def test_greetings_are_shown_until_something_is_typed() -> None:
    console = ScriptedConsole("4")
    Terminal(Session(Seat("Ann"), Seat("Ben"), Random(1)), console, greetings=["Hello."]).play()
    assert "Hello." in console.asked[0]
    assert "Hello." not in console.asked[1]


@pytest.mark.parametrize("ending", [KeyboardInterrupt, ValueError])
def test_whatever_ends_it_the_agents_are_stopped(ending: type[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    stopped: list[SeatedAgents] = []

    def stop(agents: SeatedAgents) -> None:
        stopped.append(agents)

    def end(*_: object) -> None:
        raise ending

    monkeypatch.setattr(SeatedAgents, "stop", stop)
    monkeypatch.setattr(SeatedAgents, "move", end)
    with pytest.raises(ending):
        evening("4")
    assert len(stopped) == 1


@pytest.mark.needs("compiled")
def test_why_shows_the_reason_on_the_board_and_in_words_until_enter_is_pressed() -> None:
    console = evening("why", "", "why 3", moves="4455", two="person")
    page = console.asked[1]
    assert page.splitlines()[0].endswith("can make four at b1 or f1 (double threat).")
    assert "X player 1; O player 2; " in page
    assert "Player 1 wins." in page
    assert "A double threat is two fours at once" in page
    assert page.endswith("Press Enter to return to the board> ")
    assert "Moves: 4455" in console.asked[2]
    assert console.asked[3].startswith("After c1, player 1 can make four at b1 or f1 (double threat).")
    assert " x [X] X  X  x " in console.asked[3]


def test_why_needs_something_to_explain() -> None:
    console = evening("w 1", "4", "5", "6", "7", "w", moves="111111", two="person")
    assert "There is nothing to explain: column 1 is full." in console.asked[1]
    console = evening("4", "5", "6", "7", "w")
    assert "There is nothing to explain: the game is over." in console.asked[5]


@pytest.mark.needs("compiled")
def test_the_reason_need_not_be_waited_for() -> None:
    console = evening("why", "", "4", moves=SLOW, two="person", lines_waiting=(True,))
    assert any("Looking for the reason ... (press Enter to skip)" in picture for picture in console.shown)
    assert f"Moves: {SLOW}\n" in console.asked[2] + "\n"
    assert f"Moves: {SLOW}4" in console.asked[3]


def test_a_review_walks_through_the_mistakes_on_the_board() -> None:
    console = evening("v", "", "", "v", "q", "q", two="person", moves="44332277661")
    assert "(4 to go), q for the board> " in console.asked[1]
    assert "Move 7, X Ann, 7: misses four in a row" in console.asked[2]
    assert "Move 9, X Ann, 6: misses four in a row" in console.asked[3]
    assert "(2 to go)" in console.asked[3]
    assert "(4 to go)" in console.asked[4]
    assert "v reviews the game" in console.asked[5]


def test_q_on_the_last_page_returns_to_the_board_as_on_the_others() -> None:
    console = evening("v", "", "", "", "", "q", "?", "q", two="person", moves="44332277661")
    assert console.asked[5].endswith("Press Enter to return to the board> ")
    assert "v reviews the game" in console.asked[6]
    assert "v reviews the game" in console.asked[8]


def test_a_review_against_an_agent_looks_at_the_persons_mistakes_only() -> None:
    console = evening("v", "", moves="4433227")
    assert "X Ann, 7: misses four in a row" in console.asked[2]
    assert "O Bot" not in console.asked[2].splitlines()[0]
