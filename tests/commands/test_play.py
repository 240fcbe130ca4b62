"""connect4-agent play in a real pseudo-terminal: what a person sees, and how it ends."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from connect4_agent.commands import play
from connect4_agent.ui.terminal.console import GoneError
from connect4_agent.ui.terminal.session import Session
from tests.arena.helping import STUBBORN_PROCESSES, command_of
from tests.commands.terminals import playing
from tests.processes import COMMAND, PATIENCE_SECONDS, clean_environment, pids_in, run_agent, running_with, wait_until

pytestmark = pytest.mark.slow

ALONE = ("-p1", "person", "--first", "1", "--name", "Ann", "--name", "Ben")


def test_a_whole_game_against_an_agent_until_the_new_one() -> None:
    with playing("-p2", "first-open", "--first", "1", "--name", "Ann") as window:
        for column, moves in (("4", "41"), ("5", "4151"), ("6", "415161")):
            window.wait_for("Ann>")
            window.type(column)
            window.wait_for(f"Moves: {moves}\n")
        window.type("7")
        screen = window.wait_for("● Ann wins on move 7", "v reviews the game")
        assert screen.count("[●]") == 4
        window.type("v")
        window.wait_for("● Ann: accuracy", "Press Enter to return to the board>")
        window.type("")
        window.wait_for("wins on move")
        window.type("u")
        assert "(○)" in window.wait_for("Moves: 415161\n")
        window.type("n")
        window.wait_for("Moves: none", "Ann>")
        window.type("q")
        assert window.end() == 0
        assert "No disc was played." in window.text()


def test_the_last_level_is_the_default_of_the_next_time(tmp_path: Path) -> None:
    for words, level in (((), 1), (("--level", "4"), 4), ((), 4), (("-p2", "easy"), "easy"), ((), 4)):
        with playing(*words, "--first", "1", XDG_STATE_HOME=str(tmp_path)) as window:
            window.wait_for("Level 4" if level == 4 else "Level 1" if level == 1 else "easy", "you>")
            window.type("q")
            assert window.end() == 0
    (tmp_path / "connect4-agent" / "level").write_text("eleven")
    with playing(XDG_STATE_HOME=str(tmp_path)) as window:
        window.wait_for("Level 1", "you>")


def test_the_game_against_a_new_level_can_be_continued() -> None:
    with playing("-p2", "easy", "--first", "1") as window:
        window.wait_for("you>")
        window.type("n 2")
        window.wait_for("○  Level 2", "you>")
        window.type("4")
        window.wait_for("Moves: 4", "you>")
        window.type("q")
        window.end()
        assert "play --level 2 --width 7 --height 6 --first 1 --moves 4" in window.text().replace("\n", "")


def test_the_board_is_drawn_in_two_shapes_and_two_colours_that_contrast() -> None:
    with playing(*ALONE, "--moves", "44") as window:
        lines = window.wait_for("Ann>").splitlines()
        rows = [number for number, line in enumerate(lines) if line.startswith("│")]
        lowest, above = rows[-1], rows[-2]
        assert lines[lowest][12:15] == "│ ●"
        assert lines[above][12:17] == "│(○)│"
        first, second = window.cell(14, lowest), window.cell(14, above)
        assert (first.bg, second.bg, second.fg) == ("red", "brown", "black")  # brown is the old name of yellow
        window.type("u 2")
        window.wait_for("Moves: none")


def test_the_newest_picture_takes_the_place_of_the_last() -> None:
    with playing(*ALONE) as window:
        window.wait_for("Ann>")
        window.type("4")
        screen = window.wait_for("Ben>")
        assert screen.count("Moves:") == 1
        assert "Ann>" not in screen


def test_without_colours_a_four_still_stands_out() -> None:
    with playing(*ALONE, "--moves", "1212121", NO_COLOR="1") as window:
        screen = window.wait_for("wins on move")
        assert screen.count("[●]") == 4
        row = next(number for number, line in enumerate(screen.splitlines()) if "[●]" in line)
        cell = window.cell(2, row)
        assert (cell.fg, cell.bg, cell.reverse) == ("default", "default", True)
        assert b"\x1b[4" not in window.output  # no background colour


def test_a_dumb_terminal_gets_plain_lines_one_board_below_the_other() -> None:
    with playing("-p2", "first-open", "--first", "1", TERM="dumb", rows=60) as window:
        window.wait_for("you>")
        window.type("4")
        screen = window.wait_for("○ first-open is thinking ...", "Moves: 41\n")
        assert screen.count("Moves:") == 2
        assert b"\x1b" not in window.output


def test_a_locale_without_unicode_gets_letters() -> None:
    with playing(*ALONE, "--moves", "44", LC_ALL="C") as window:
        assert "|(O)|" in window.wait_for("X Ann>")
        assert window.output.isascii()


def test_a_name_that_the_terminal_cannot_show_does_not_end_the_game() -> None:
    with playing("-p1", "person", "--first", "1", "--name", "Žofie", PYTHONIOENCODING="iso-8859-1") as window:
        window.wait_for("X ?ofie>")
        window.send(b"\xff\xfe\n")
        window.wait_for("is not a command", "X ?ofie>")


def test_exact_scores_stand_under_the_columns() -> None:
    with playing(*ALONE, "--moves", "444444522563613311") as window:
        window.wait_for("Ann>")
        window.type("s")
        window.wait_for("Best: 7 (wins in 1 move)", " +11 +11 +11     +10 +11 +12")


def test_a_larger_board_and_a_window_that_becomes_too_small() -> None:
    with playing(*ALONE, "--width", "12", "--height", "8") as window:
        window.wait_for("11  12", "Ann>")
        window.type("12")
        window.wait_for("Moves: c", "Ben>")
        window.resize(30, 10)
        window.type("")
        window.wait_for("The window has 30", "Moves: c", "Ben>")


def test_an_agent_that_crashes_is_told_and_the_person_goes_on() -> None:
    with playing("-p2", shlex.join(command_of("crash_mid_game")), "--first", "1", "--name", "Ann") as window:
        window.wait_for("Ann>")
        window.type("4")
        window.wait_for("Moves: 41\n", "Ann>")
        window.type("4")
        window.wait_for("crashed: it ended with exit status 4", "out of ideas", "Press Enter to ask it again")
        window.type("")
        window.wait_for("Moves: 4141\n", "Ann>")


def test_control_d_leaves() -> None:
    with playing(*ALONE, "--moves", "44") as window:
        window.wait_for("Ann>")
        window.send(b"\x04")
        assert window.end() == 0
        assert window.text().split()[-4:] == ["--first", "1", "--moves", "44"]


def test_control_c_at_the_prompt_leaves_with_130() -> None:
    with playing(*ALONE, "--moves", "44") as window:
        window.wait_for("Ann>")
        window.send(b"\x03")
        assert window.end() == 130
        assert window.text().split()[-4:] == ["--first", "1", "--moves", "44"]
        assert "Traceback" not in window.text()


def test_control_c_while_a_built_in_player_thinks_leaves_with_130() -> None:
    with playing("-p2", "negamax:depth=40", "--first", "2", "--moves", "12") as window:
        window.wait_for("is thinking ...")
        window.send(b"\x03")
        assert window.end() == 130
        assert "Traceback" not in window.text()


def test_control_c_while_scores_are_worked_out_leaves_with_130() -> None:
    with playing(*ALONE, "--width", "9", "--height", "8", "--scores") as window:
        window.wait_for("Working out the scores")
        window.send(b"\x03")
        assert window.end() == 130
        assert "Traceback" not in window.text()


@pytest.mark.parametrize("ending", [b"\x03", b"q\n", b"\x04", None])
def test_no_process_of_an_agent_is_left_however_it_ends(ending: bytes | None, tmp_path: Path) -> None:
    stubborn = shlex.join(command_of("stubborn", str(tmp_path / "pids")))
    with playing("-p2", stubborn, "--first", "2", "--name", "Ann") as window:
        window.wait_for("Ann>")
        pids_in(tmp_path / "pids", STUBBORN_PROCESSES)
        if ending is None:
            window.hang_up()
            assert window.end() in (-1, 0)  # by SIGHUP, or by the end of its input if that is seen first
        else:
            window.send(ending)
            assert window.end() == (130 if ending == b"\x03" else 0)
        assert "Traceback" not in window.text()
    wait_until(lambda: running_with(str(tmp_path / "pids")) == [])


def test_a_silent_agent_can_be_left_with_control_c_and_is_gone(tmp_path: Path) -> None:
    # It tells its number, then is silent for an hour.
    silent = tmp_path / "silent.py"
    silent.write_text(
        f"import os, time\nopen({str(tmp_path / 'pids')!r}, 'w').write(f'{{os.getpid()}}\\n')\ntime.sleep(3600)\n"
    )
    with playing("-p2", shlex.join([sys.executable, str(silent)]), "--first", "2", "--time-limit", "3600") as window:
        window.wait_for("is thinking ...")
        pids_in(tmp_path / "pids", 1)
        window.send(b"\x03")
        assert window.end() == 130
    wait_until(lambda: running_with(str(silent)) == [])


def test_a_terminal_that_is_closed_while_its_signal_is_ignored_ends_it_all_the_same() -> None:
    command = ("sh", "-c", 'trap "" HUP; exec "$0" "$@"', COMMAND, "play")
    with playing(*ALONE, command=command) as window:
        window.wait_for("Ann>")
        window.hang_up()
        assert window.process.wait(PATIENCE_SECONDS) == 0


def test_a_seed_repeats_who_begins_and_what_random_players_do() -> None:
    def screen(seed: str) -> str:
        with playing("-p2", "random", "--seed", seed, "--name", "Ann") as window:
            window.wait_for("Ann>")
            window.type("4")
            return window.wait_for("(○)" if "○  random" in window.text() else "(●)", "Ann>")

    assert screen("3") == screen("3")


def test_without_a_terminal_it_says_so_and_exits_with_2() -> None:
    done = run_agent("play")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"connect4-agent play: error: standard input is not a terminal; use `connect")
    assert done.stderr.count(b"\n") == 1


def test_with_a_terminal_for_its_input_alone_it_says_so_as_well() -> None:
    with playing(command=("sh", "-c", '"$0" play | cat', COMMAND)) as window:
        window.wait_for("standard output is not a terminal")


def test_closed_streams_are_no_terminal() -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" play <&- 2>&1', COMMAND], capture_output=True, env=clean_environment(), check=False
    )
    assert done.returncode == 2
    assert b"standard input is not a terminal" in done.stdout


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("", ("you", "Level 1")),
        ("--level 3", ("you", "Level 3")),
        ("--level easy -p1 random", ("random", "easy")),
        ("-p1 random", ("random", "you")),
        ("-p2 random", ("you", "random")),
        ("-p1 random -p2 monte-carlo", ("random", "monte-carlo")),
        ("-p1 person", ("person 1", "person 2")),
    ],
)
def test_a_seat_that_is_not_named_is_a_persons_unless_nobody_is_named(
    words: str, names: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = []

    def watch(session: Session, *_: object) -> None:
        seated.append(tuple(seat.name for seat in session.seats))
        raise GoneError

    monkeypatch.setenv("XDG_STATE_HOME", os.devnull)
    monkeypatch.setattr(play, "lacking_terminal", lambda: None)
    monkeypatch.setattr(play, "Terminal", watch)
    with pytest.raises(GoneError):
        play.run([*words.split(), "--first", "1"])
    assert seated == [names]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("-p1 hrad", "there is no built-in player 'hrad' (did you mean hard?); there are easy"),
        ("-p2 me", "; a person is called person"),
        ("-p1 node my-agent.js --fast", "unrecognized arguments: my-agent.js --fast"),
        ("easy hard", "unrecognized arguments: easy hard"),
        ("-p2 easy --level hard", "--level hard and -p2 easy contradict each other"),
        ("--name a --name b --name c", "--name was given 3 times; two play"),
        ("--moves 48", "--moves: move 2 of '48' is '8'; the columns are 1 to 7"),
        ("--width 36", "width is 36; a move string can name at most 35 columns"),
        ("--height 0", "height is 0; allowed are 1 to 100"),
        ("--first us", "'us' is not one of 1, 2, random"),
        ("--time-limit 0", "time limit is '0'"),
    ],
)
def test_what_cannot_be_used_gives_exit_status_2_and_one_line(
    words: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        play.run(words.split())
    assert caught.value.code == 2
    told = capsys.readouterr().err
    assert complaint in told
    assert told.count("\n") == 1
