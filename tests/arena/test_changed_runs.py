"""Runs whose description changes: late entries, withdrawals, more games, new versions and limits are one mechanism."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.arena.config import RunConfig, make_config
from connect4_agent.arena.run import RunState, read_run
from connect4_agent.arena.tournament import run_tournament
from connect4_agent.jobs.progress import Progress
from tests.arena.helping import AGENTS, command_of
from tests.effort import examples

NAMES = ("random", "first-open", "greedy", "negamax:depth=1")


def config_of(names: Sequence[str] = NAMES[:2], *programs: dict[str, Any], **values: Any) -> RunConfig:
    agents = [{"name": name, "player": name} for name in names]
    return make_config({"agents": [*agents, *programs], "games": 4, **values}, "here")


def play(config: RunConfig, folder: Path, **settings: Any) -> tuple[RunState, str]:
    said = io.StringIO()
    return run_tournament(config, folder, Progress("games", "play", said), **settings).state, said.getvalue()


def keys(state: RunState) -> set[str]:
    return {record.key.model_dump_json() for record in state.records}


def lines(folder: Path) -> list[bytes]:
    return (folder / "games.jsonl").read_bytes().splitlines()


def test_a_late_entry_and_a_withdrawal_keep_the_other_games(tmp_path: Path) -> None:
    play(config_of(NAMES[:3]), tmp_path)
    state, said = play(config_of(NAMES), tmp_path)
    assert (len(state.records), len(lines(tmp_path)), state.other_games) == (24, 24, 0)
    assert "12 of 24 games to play" in said
    state, _ = play(config_of(NAMES[1:]), tmp_path)
    assert (len(state.records), len(lines(tmp_path)), state.other_games) == (12, 24, 12)
    assert all("random" not in record.agents for record in state.records)
    # Numbers stay with their games.
    state, _ = play(config_of(NAMES), tmp_path)
    assert {record.game for record in state.records} == set(range(1, 25))


def test_more_games_and_another_seed_play_what_is_missing(tmp_path: Path) -> None:
    play(config_of(games=2), tmp_path)
    state, _ = play(config_of(games=6), tmp_path)
    assert (len(state.records), len(lines(tmp_path))) == (6, 6)
    state, _ = play(config_of(games=6, seed=1), tmp_path)
    assert len(state.records) == 6
    assert state.other_games + 6 == len(lines(tmp_path))


def test_agents_are_compared_by_name_and_their_order_does_not_matter(tmp_path: Path) -> None:
    play(config_of(NAMES[:3]), tmp_path)
    state, _ = play(config_of(NAMES[2::-1]), tmp_path)
    assert (len(state.records), len(lines(tmp_path))) == (12, 12)


def test_another_board_is_refused(tmp_path: Path) -> None:
    play(config_of(), tmp_path)
    with pytest.raises(errors.RunFolderError, match="holds games on 7 columns and 6 rows, not on 6 and 5"):
        play(config_of(width=6, height=5), tmp_path)


@examples(15)
@given(data=st.data())
def test_whatever_interrupts_a_run_it_ends_with_the_same_games(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("run")
    last = config_of(NAMES[:3], seed=3)
    whole, _ = play(last, tmp_path_factory.mktemp("whole"))
    for _ in range(data.draw(st.integers(0, 3))):
        names = data.draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True))
        play(config_of(names, games=data.draw(st.sampled_from([2, 4, 6])), seed=3), folder)
        journal = folder / "games.jsonl"
        kept_thousandths = data.draw(st.integers(0, 1000))  # the size itself varies with the times in it
        journal.write_bytes(journal.read_bytes()[: journal.stat().st_size * kept_thousandths // 1000])
    state, _ = play(last, folder)
    assert keys(state) == keys(whole)
    assert {record.key.model_dump_json(): record.columns for record in state.records} == {
        record.key.model_dump_json(): record.columns for record in whole.records
    }
    assert (state.to_play, state.lost) == (0, [])
    read = read_run(folder)
    assert (keys(read), read.to_play, read.other_games) == (keys(whole), 0, state.other_games)


@pytest.mark.slow
def test_a_new_version_plays_its_games_again_and_an_old_one_gets_its_own_back(tmp_path: Path) -> None:
    bot = tmp_path / "bot" / "agent.py"
    bot.parent.mkdir()
    shutil.copy(command_of("good")[-1], bot)
    program = {"name": "anna", "command": [sys.executable, str(bot)]}
    config = config_of(NAMES[:2], program)
    first, _ = play(config, tmp_path / "run")
    assert len(lines(tmp_path / "run")) == 12
    before = first.versions["anna"]
    old = bot.read_text()
    bot.write_text(f"{old}# changed\n")
    state, said = play(config, tmp_path / "run")
    version = state.versions["anna"]
    assert f"anna: version {version} replaces version {before}, whose 8 games are kept and not counted\n" in said
    assert (len(state.records), state.other_games, len(lines(tmp_path / "run"))) == (12, 8, 20)
    assert read_run(tmp_path / "run").versions == state.versions
    bot.write_text(old)
    state, _ = play(config, tmp_path / "run")
    assert keys(state) == keys(first)
    assert len(lines(tmp_path / "run")) == 20


def test_a_program_that_is_not_there_is_refused_before_the_first_game(tmp_path: Path) -> None:
    config = config_of(NAMES[:2], {"name": "typo", "command": ["pyhton3", "agent.py"]})
    with pytest.raises(errors.AgentError, match=r"^agent 'typo' cannot play: pyhton3: not found in PATH$"):
        play(config, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_late_entry_from_the_same_folder_makes_no_other_program_new(tmp_path: Path) -> None:
    good = {"name": "good", "command": command_of("good")}
    late = {"name": "late", "command": command_of("right"), "directory": str(AGENTS)}
    play(config_of(NAMES[:1], good, games=2), tmp_path)
    versions = read_run(tmp_path).versions
    state, said = play(config_of(NAMES[:1], good, late, games=2), tmp_path)
    assert versions.items() <= state.versions.items()
    assert (len(state.records), state.other_games) == (6, 0)
    assert "4 of 6 games to play" in said
