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
from connect4_agent.arena.faults import Ending, Fault
from connect4_agent.arena.journal import Journal
from connect4_agent.arena.record import GameRecord, Replay
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
    assert (len(state.records), len(lines(tmp_path)), state.aside) == (24, 24, 0)
    assert "12 of 24 games to play" in said
    state, _ = play(config_of(NAMES[1:]), tmp_path)
    assert (len(state.records), len(lines(tmp_path)), state.aside) == (12, 24, 12)
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
    assert state.aside + 6 == len(lines(tmp_path))


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
    read = read_run(folder, print)
    assert (keys(read), read.to_play, read.aside) == (keys(whole), 0, state.aside)


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
    assert f"anna: version {version} replaces version {before}, whose 8 games are kept aside\n" in said
    assert (len(state.records), state.aside, len(lines(tmp_path / "run"))) == (12, 8, 20)
    assert read_run(tmp_path / "run", print).versions == state.versions
    bot.write_text(old)
    state, _ = play(config, tmp_path / "run")
    assert keys(state) == keys(first)
    assert len(lines(tmp_path / "run")) == 20


def test_a_program_that_is_not_there_is_refused_before_the_first_game(tmp_path: Path) -> None:
    config = config_of(NAMES[:2], {"name": "typo", "command": ["pyhton3", "agent.py"]})
    with pytest.raises(errors.AgentError, match=r"^agent 'typo' cannot play: pyhton3: not found in PATH$"):
        play(config, tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_a_program_that_vanishes_is_not_at_fault_and_plays_at_the_next_start(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.mkdir()
    script = f"import shutil; shutil.rmtree({str(bot)!r})\n{Path(command_of('good')[-1]).read_text()}"
    (bot / "agent.py").write_text(script)
    program = {"name": "anna", "command": [sys.executable, "agent.py"], "directory": str(bot), "isolation": "none"}
    config = config_of(NAMES[:2], program)
    state, said = play(config, tmp_path / "run")
    assert f"anna does not play on: its directory {bot} does not exist. Its games are not lost" in said
    assert (len(state.records), state.to_play, state.out) == (5, 7, {})
    assert not any(record.fault for record in state.records)
    bot.mkdir()
    shutil.copy(command_of("good")[-1], bot / "agent.py")
    state, _ = play(config, tmp_path / "run")
    assert (len(state.records), state.to_play) == (12, 0)


def time_out(folder: Path, config: RunConfig, replay: Replay | None) -> GameRecord:
    """Let the journal say that the first game was lost on time, and play no more."""
    record = read_run(folder, print).records[0]
    fault = Fault(player=record.mover_of(len(record.opening)), detail="late")
    late = record.model_copy(
        update={
            "columns": record.opening,
            "times_ms": (),
            "ending": Ending.TIMED_OUT,
            "winner": 3 - fault.player,
            "fault": fault,
            "replay": replay,
        }
    )
    kept = [line for line in lines(folder) if not line.startswith(b'{"game":%d,' % record.game)]
    (folder / "games.jsonl").write_bytes(b"".join(line + b"\n" for line in kept))
    with Journal(folder, print) as journal:
        journal.append(late)
    assert config.time_limit is not None
    return late


def test_another_limit_makes_only_games_lost_on_time_wanted_again(tmp_path: Path) -> None:
    config = config_of()
    play(config, tmp_path)
    late = time_out(tmp_path, config, None)
    state, _ = play(config, tmp_path)
    assert (state.to_play, len(lines(tmp_path))) == (0, 4)
    assert state.records[0] == late
    state, _ = play(config_of(time_limit=20.0), tmp_path)
    assert (state.to_play, len(lines(tmp_path))) == (0, 5)
    assert (state.records[0].game, state.records[0].ending) == (late.game, Ending.FOUR)
    assert state.records[0].limits[0].time_limit == 20.0
    assert state.records[1].limits[0].time_limit == 10.0
    # Whose limit it was is what matters, and the replaced line stays replaced.
    state, _ = play(config, tmp_path)
    assert (state.records[0].ending, len(lines(tmp_path))) == (Ending.FOUR, 5)


def test_a_game_that_is_due_is_not_continued_while_its_agent_is_out(tmp_path: Path) -> None:
    config = config_of()
    play(config, tmp_path)
    late = time_out(tmp_path, config, Replay.DUE)
    state, _ = play(config, tmp_path, disqualify=["random"])
    assert (state.records[0], state.to_play, state.lost) == (late, 0, [])
    state, _ = play(config, tmp_path, retry=["random"])
    assert (state.records[0].replay, state.to_play, state.out) == (Replay.CONTINUED, 0, {})


def test_a_late_entry_from_the_same_folder_makes_no_other_program_new(tmp_path: Path) -> None:
    good = {"name": "good", "command": command_of("good")}
    late = {"name": "late", "command": command_of("right"), "directory": str(AGENTS)}
    play(config_of(NAMES[:1], good, games=2), tmp_path)
    versions = read_run(tmp_path, print).versions
    state, said = play(config_of(NAMES[:1], good, late, games=2), tmp_path)
    assert versions.items() <= state.versions.items()
    assert (len(state.records), state.aside) == (6, 0)
    assert "4 of 6 games to play" in said
