"""match and tournament on the command line: what they print and how they exit."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from connect4_agent.commands import match, report, tournament
from tests.arena.helping import command_of
from tests.processes import COMMAND, REPOSITORY, clean_environment, errors_on_terminal

pytestmark = pytest.mark.slow


def run(*words: str, directory: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, *words], capture_output=True, text=True, check=False, env=clean_environment(), cwd=directory
    )


def text_of(name: str, *arguments: str) -> str:
    return " ".join(command_of(name, *arguments))


def test_a_match_ends_with_its_result_and_where_more_is_found(tmp_path: Path) -> None:
    done = run("match", "random", "first-open", "--games", "6", "--seed", "3", "--jobs", "1", directory=tmp_path)
    assert done.returncode == 0, done.stderr
    folder = next((tmp_path / "runs").iterdir()).relative_to(tmp_path)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("random - first-open: ")
    assert "6 games, " in lines[0]
    assert lines[1:] == [f"6 of 6 games are in {folder}", f"to see more: connect4-agent report {folder}"]
    again = run("match", "random", "first-open", "--games", "6", "--seed", "3", "--jobs", "1", directory=tmp_path)
    assert (again.returncode, again.stdout) == (0, done.stdout)


def test_a_tournament_can_be_tried_quickly_and_planned(tmp_path: Path) -> None:
    words = ("tournament", str(REPOSITORY / "examples" / "tournament.toml"), "--games", "2", "--time-limit", "1")
    done = run(*words, "--plan", "--jobs", "2", directory=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.match(r"\d+ games, 2 for each of \d+ pairings: at most \d+ min, 2 at a time, if every", done.stdout)
    assert not (tmp_path / "runs").exists()


def test_two_agents_of_the_same_kind_are_told_apart(tmp_path: Path) -> None:
    done = run("match", "random", "random", "--games", "2", "--out", str(tmp_path))
    assert done.stdout.startswith("random - random #2: ")


def test_a_fault_gives_exit_status_1_unless_it_is_tolerated(tmp_path: Path) -> None:
    words = ("match", text_of("says", "x"), "first-open", "--games", "2", "--out", str(tmp_path))
    done = run(*words)
    assert done.returncode == 1
    assert re.search(r"malformed reply +2 +1 +the reply is not JSON", done.stdout)
    assert "gave a malformed reply: the reply is not JSON" in done.stderr
    assert run(*words, "--tolerate-faults").returncode == 0


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("match hrad easy", "no built-in player 'hrad'"),
        ("match hard negamax:depth=x", "depth is 'x'"),
        ("match hard easy --games 3", "games is 3; allowed: even numbers: every opening is played twice"),
        ("match hard easy --openings no-such-file", "no-such-file"),
        ("match hard easy --jobs 0", "'0' is not a whole number, 1 or more"),
        ("match hard", "required: AGENT"),
        ("tournament none.toml", "cannot read none.toml"),
    ],
)
def test_what_cannot_be_used_gives_exit_status_2_and_one_line(
    words: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    name, *rest = words.split()
    with pytest.raises(SystemExit) as caught:
        (match if name == "match" else tournament).run(rest)
    assert caught.value.code == 2
    told = capsys.readouterr().err
    assert complaint in told
    assert told.count("\n") == 1


def test_a_match_with_more_games_plays_those_that_are_missing(tmp_path: Path) -> None:
    words = ("match", "random", "first-open", "--jobs", "1", "--games")
    run(*words, "4", directory=tmp_path)
    journal = next((tmp_path / "runs").iterdir()) / "games.jsonl"
    before = journal.read_bytes()
    done = run(*words, "6", directory=tmp_path)
    assert done.returncode == 0
    assert "2 of 6 games to play" in done.stderr
    assert journal.read_bytes().startswith(before)
    assert len(journal.read_bytes().splitlines()) == 6


def test_another_board_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    words = ("match", "random", "first-open", "--games", "2", "--out", str(tmp_path))
    run(*words)
    done = run(*words, "--width", "8")
    assert done.returncode == 2
    assert "holds games on 7 columns and 6 rows, not on 8 and 6" in done.stderr


@pytest.mark.needs("node")
def test_the_commands_in_the_documentation_do_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(REPOSITORY / "examples")
    blocks = re.findall(
        r"^```sh\n(.*?)^```\n(?:\n((?:    [^\n]*\n)+))?", (REPOSITORY / "docs" / "arena.md").read_text(), re.M | re.S
    )
    assert len(blocks) == 3
    for block, shown in blocks:
        name, *words = shlex.split(block)
        assert name == "connect4-agent"
        done = run(*words, directory=tmp_path)
        assert done.returncode == 0, done.stderr
        if shown:
            # How the games end may change with the players, the words may not.
            said, promised = (re.sub(r"\d+", "N", text).split() for text in (done.stdout, shown))
            assert said == promised
    assert "24 of 24 games" in done.stdout  # of the example tournament


def test_on_a_terminal_a_bar_is_drawn(tmp_path: Path) -> None:
    status, seen = errors_on_terminal("match", "random", "first-open", "--games", "4", "--out", str(tmp_path))
    assert status == 0
    assert b"/4" in seen


def test_names_are_given_and_games_of_earlier_agents_are_said_to_be_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--games", "4", "--jobs", "1", "--out", str(tmp_path)]
    assert match.run(["A=random", "B=first-open", *words]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("A - B: ")
    assert "are kept" not in printed
    assert match.run(["A=random", "C=first-open", *words]) == 0
    printed = capsys.readouterr().out
    assert f"\n4 of 4 games are in {tmp_path}\n4 games of earlier agents are kept and not shown\n" in printed


def test_a_paused_agent_can_be_retried_as_the_command_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = shlex.join(command_of("crash_at_start"))
    words = [f"my-bot={bad}", "random", "--games", "6", "--jobs", "1", "--tolerate-faults", "--out", str(tmp_path)]
    assert match.run(words) == 0
    printed = capsys.readouterr()
    assert "\nto play the games again that my-bot lost by faults: --retry my-bot\n" in printed.out
    assert "3 of 6 games are in" in printed.out
    assert match.run([*words, "--retry", "my-bot"]) == 0
    assert "my-bot plays 3 games again that it lost by faults\n" in capsys.readouterr().err
    assert report.run([str(tmp_path), "-v"]) == 0
    printed = capsys.readouterr()
    assert "3 games played again after my-bot had lost them by faults\n" in printed.out
    told = "my-bot is paused after 3 faults in a row (would not start), since game 3: 3 games lost without being played"
    assert f"warning: {told}\n" in printed.out
