"""Terminal: whole sessions at the board, with a console scripted with what the person types."""

from __future__ import annotations

import shlex
from random import Random

import pytest

from connect4_agent.ui.terminal.console import Console
from connect4_agent.ui.terminal.drawing import ASCII, Line, plain
from connect4_agent.ui.terminal.seats import First, Seat, SeatedAgents, make_seat
from connect4_agent.ui.terminal.session import Game, Session
from connect4_agent.ui.terminal.terminal import Terminal
from tests.arena.helping import command_of

CONTINUE = "To continue this game: connect4-agent play "


class ScriptedConsole(Console):
    """Remembers what it shows, and types line after line, then leaves."""

    signs = ASCII

    def __init__(self, *lines: str, clears: bool = True) -> None:
        self.clears = clears
        self.shown: list[str] = []
        """The picture, or the line, before every step."""
        self.asked: list[str] = []
        """The picture before every prompt, with the prompt."""
        self._lines = list(lines)

    def size(self) -> tuple[int, int]:
        return 80, 24

    def show(self, lines: list[Line]) -> None:
        self.shown.append("\n".join(map(plain, lines)))

    def say(self, text: str) -> None:
        self.shown.append(text)

    def read_line(self, prompt: str) -> str | None:
        self.asked.append(f"{self.shown[-1]}\n{prompt}")
        return self._lines.pop(0) if self._lines else None


def evening(
    *lines: str,
    one: str = "person",
    two: str = "first-open",
    moves: str = "",
    has_scores: bool = False,
    clears: bool = True,
) -> ScriptedConsole:
    """Play with these lines typed; the console afterwards."""
    console = ScriptedConsole(*lines, clears=clears)
    seats = make_seat(one, "Ann", 60.0), make_seat(two, "Bot", 60.0)
    session = Session(*seats, Random(1), First.ONE, Game.from_moves(moves))
    Terminal(session, console, has_scores).play()
    return console


def test_a_game_against_an_agent_is_won_and_told() -> None:
    console = evening("4", "5", "6", "7")
    assert "Moves: 415161" in console.asked[3]
    assert console.asked[3].endswith("X Ann> ")
    assert "X Ann wins on move 7" in console.asked[4]
    assert console.asked[4].count("[X]") == 4
    assert "v reviews the game, u takes back, n starts a new one" in console.asked[4]
    assert console.asked[4].endswith("\n> ")


def test_the_agent_is_seen_thinking() -> None:
    assert any("O Bot is thinking ..." in picture for picture in evening("4").shown)


def test_where_the_picture_does_not_stay_a_line_says_what_is_waited_for() -> None:
    assert "O Bot is thinking ..." in evening("4", clears=False).shown


def test_two_people_take_turns() -> None:
    console = evening("4", "4", two="person")
    assert [picture.rpartition("\n")[2] for picture in console.asked] == ["X Ann> ", "O Bot> ", "X Ann> "]


def test_undo_and_scores_after_the_end() -> None:
    console = evening("4", "5", "6", "7", "4", "u", "s")
    assert "the game is over: undo takes back discs, new starts another game" in console.asked[5]
    assert "Moves: 415161" in console.asked[6]
    assert "Best: 3, 7 (wins in 1 move)" in console.asked[7]


def test_scores_stay_on_until_they_are_turned_off() -> None:
    console = evening("7", "s", "7", moves="444444522563613311", two="person", has_scores=True)
    assert "+11" in console.asked[0]
    assert "wins on move" in console.asked[1]
    console = evening("1", "s", "2", moves="444444522563613311", two="person", has_scores=True)
    assert "Best: " in console.asked[1]
    assert "Scores are off." in console.asked[2]
    assert "Best: " not in console.asked[3]


def test_a_hint_comes_in_three_steps_and_marks_the_board() -> None:
    console = evening("h", "h", "h", "h", "3", "h", moves="4455", two="person")
    assert "Hint 1/3: Look closely: you can win in 2 moves." in console.asked[1]
    assert "*" not in console.asked[1]
    assert "Hint 2/3: The end is at columns 2 and 6, row 1." in console.asked[2]
    assert console.asked[2].count(" * ") == 2
    for picture in console.asked[3:5]:
        assert "Hint 3/3: Column 3: Red (X) can make four" in picture
        assert picture.count(" * ") == 1
    assert "*" not in console.asked[5]
    assert "Hint 1/3: Watch out: Red (X) is about to make four in a row." in console.asked[6].replace("\n", " ")


def test_there_is_no_hint_after_the_end() -> None:
    assert "there is nothing to hint at" in evening("4", "5", "6", "7", "h").asked[5]


@pytest.mark.needs("compiled")
def test_a_loss_is_explained_and_a_win_praised() -> None:
    assert "You overlooked nothing." in evening("4", "5", "6", "7").asked[4]
    said = evening("6", two="greedy", moves="5435673474").asked[1]
    assert "Move 11: column 4 was open. Yellow (O) could make four in a row." in said


def test_another_level_can_be_played() -> None:
    console = evening("4", "n 3")
    assert "O  Level 3" in console.asked[2]
    assert "Moves: none" in console.asked[2]


def test_a_line_that_is_not_understood_changes_nothing_and_says_what_is() -> None:
    console = evening("hello", "9", "undo")
    assert "'hello' is not a command: type a column, 1 to 7, or one of undo" in console.asked[1]
    assert "there is no column '9': the columns are 1 to 7" in console.asked[2]
    assert "there is no disc to take back" in console.asked[3]
    assert all("Moves: none" in picture for picture in console.asked)


def test_an_agent_whose_disc_was_taken_back_waits_for_enter() -> None:
    console = evening("4", "u 1", "")
    assert "Press Enter to let Bot play, or type a column to play in its place." in console.asked[2]
    assert "Moves: 41\n" not in console.asked[2]
    assert console.asked[3].endswith("X Ann> ")
    assert "Moves: 41" in console.asked[3]
    assert "Moves: 47" in evening("4", "u 1", "7").asked[3]


@pytest.mark.needs("compiled")
def test_the_review_is_a_page_that_enter_leaves() -> None:
    console = evening("v", "4", "5", "6", "7", "v", "")
    assert "there is nothing to review" in console.asked[1]
    assert "v reviews the game" in console.asked[5]
    assert "X Ann: accuracy" in console.asked[6]
    assert console.asked[6].endswith("Press Enter to return to the board> ")
    assert "X Ann wins" in console.asked[7]


def test_two_agents_play_a_move_for_every_enter() -> None:
    console = evening("", "", "u", one="easy")
    assert "Press Enter for the next move." in console.asked[0]
    assert "Moves: none" in console.asked[0]
    assert "Moves: 4" in console.asked[1]
    assert "Moves: 41" in console.asked[2]
    assert "Moves: 4\n" in console.asked[3]


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
    console = evening("4", "n", "4", "u", "5", two=shlex.join(command_of("crash_mid_game")))
    assert not any("crashed" in picture for picture in console.shown)


def test_a_new_game_may_change_sides() -> None:
    console = ScriptedConsole(*["n", "4"] * 6)
    Terminal(Session(Seat("Ann"), make_seat("first-open", "Bot", None), Random(1)), console).play()
    assert {"X Ann> ", "O Ann> "} == {picture.rpartition("\n")[2] for picture in console.asked}


def test_the_farewell_adds_the_game_to_the_words_of_the_command_line() -> None:
    words = ["-p2", "python3 agent.py", "--name", "Ann", "--first", "random"]
    for game, first, said in (
        (Game(), First.ONE, "No disc was played."),
        (Game.from_moves("44"), First.TWO, f"{CONTINUE}{shlex.join(words)} --first 2 --moves 44"),
    ):
        session = Session(Seat("you"), make_seat("hard", "hard", None), Random(1), first, game)
        assert Terminal(session, ScriptedConsole()).farewell(words) == said


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
    assert page.splitlines()[0].endswith("can make four at column 2 or 6, row 1 (double threat).")
    assert "[ ]" not in page
    assert "Red (X) wins." in page
    assert "A double threat is two fours at once" in page
    assert page.endswith("Press Enter to return to the board> ")
    assert "Moves: 4455" in console.asked[2]
    assert console.asked[3].startswith("After column 3, Red (X) can make four at column 2 or 6, row 1")
    assert " x [X] X  X  x " in console.asked[3]


def test_why_needs_something_to_explain() -> None:
    console = evening("w 1", "4", "5", "6", "7", "w", moves="111111", two="person")
    assert "there is nothing to explain: column 1 is full" in console.asked[1]
    console = evening("4", "5", "6", "7", "w")
    assert "there is nothing to explain: the game is over" in console.asked[5]
