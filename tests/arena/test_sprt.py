"""Matches that a sequential test ends: over the games in their order, and the same after a resume."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from connect4_agent import errors
from connect4_agent.arena import referee
from connect4_agent.arena.config import RunConfig, make_config
from connect4_agent.arena.faults import Ending, Fault
from connect4_agent.arena.record import GameRecord
from connect4_agent.arena.run import Ledger, read_run
from connect4_agent.arena.schedule import GameSetup, Schedule
from connect4_agent.arena.statistics.sprt import SprtBounds, sprt
from connect4_agent.arena.tournament import Outcome, run_tournament
from connect4_agent.cli import main
from connect4_agent.jobs.progress import Progress
from tests.sample_runs import record_of

BOUNDS = (0.0, 100.0)


def config_of(one: str = "greedy", two: str = "random", **values: Any) -> RunConfig:
    agents = [{"name": name, "player": name} for name in (one, two)]
    return make_config({"agents": agents, "games": 400, "sprt": BOUNDS, **values}, "here")


def play(config: RunConfig, folder: Path, jobs: int = 1) -> Outcome:
    return run_tournament(config, folder, Progress("games", "play", io.StringIO()), jobs)


def test_the_match_ends_with_the_pair_that_decides(tmp_path: Path) -> None:
    outcome = play(config_of(), tmp_path)
    assert outcome.state.sprt is not None
    assert outcome.state.sprt.verdict == "elo1 accepted"
    assert outcome.state.wanted == outcome.state.finished == len(outcome.state.records) < 400
    counts = [0] * 5
    records = list(outcome.state.records)
    verdicts = []
    for one, two in zip(records[::2], records[1::2], strict=True):
        points = sum(
            1 if record.winner is None else 2 * (record.agents[record.winner - 1] == "greedy") for record in (one, two)
        )
        counts[points] += 1
        verdicts.append(sprt(counts, SprtBounds(*BOUNDS)).verdict)
    assert set(verdicts[:-1]) <= {"undecided"}
    assert verdicts[-1] == "elo1 accepted"
    assert read_run(tmp_path).sprt == outcome.state.sprt


@pytest.mark.parametrize("cut", [0.0, 0.3, 0.9])
def test_a_stopped_match_comes_to_the_same_end(tmp_path: Path, cut: float) -> None:
    whole = play(config_of(), tmp_path).state
    columns = [record.columns for record in whole.records]
    path = tmp_path / "games.jsonl"
    path.write_bytes(path.read_bytes()[: int(cut * path.stat().st_size)])
    again = play(config_of(), tmp_path).state
    assert again.sprt == whole.sprt
    assert [record.columns for record in again.records] == columns
    before = path.read_bytes()
    play(config_of(), tmp_path)
    assert path.read_bytes() == before


def test_a_match_that_is_not_decided_uses_up_its_games(tmp_path: Path) -> None:
    outcome = play(config_of("first-open", games=4), tmp_path)
    assert outcome.state.sprt is not None
    assert (outcome.state.sprt.verdict, outcome.state.finished) == ("undecided", 4)


def test_a_game_that_is_played_again_is_tested_anew() -> None:
    ledger = Ledger(Schedule(config_of(games=4), {"greedy": "1", "random": "1"}, [()]))
    for index in range(4):
        key = ledger.schedule[index]
        player = key.agents.index("random") + 1
        fault = Fault(player=player, detail="")
        lost = record_of("", game=index + 1, ending=Ending.CRASHED, winner=3 - player, fault=fault)
        ledger.add(lost.model_copy(update={"key": key}))
    assert ledger.sprt == sprt((0, 0, 0, 0, 2), SprtBounds(*BOUNDS))
    key = ledger.schedule[1]
    drawn = record_of("", game=2, ending=Ending.ADJUDICATED, winner=None).model_copy(update={"key": key})
    ledger.add(drawn)
    assert ledger.sprt == sprt((0, 0, 0, 1, 1), SprtBounds(*BOUNDS))


def test_nothing_is_played_after_a_game_that_the_host_could_not_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test looks at the games in their order: it would never come to an end."""
    play_really = referee.play_game

    def play_game(setup: GameSetup, seat: referee.Seat) -> GameRecord:
        if setup.game == 3:
            raise errors.WorkerLostError("the host failed")
        return play_really(setup, seat)

    monkeypatch.setattr(referee, "play_game", play_game)
    outcome = play(config_of(games=8, sprt=(0.0, 1.0)), tmp_path)
    assert [record.game for record in outcome.state.records] == [1, 2]
    assert (outcome.state.to_play, len(outcome.failures)) == (6, 1)


@pytest.mark.parametrize("bounds", [(20.0, 0.0), (0.0, 5000.0), (0.0, float("nan"))])
def test_bounds_that_cannot_be_told_apart_are_refused(bounds: tuple[float, float]) -> None:
    with pytest.raises(errors.ArenaError, match="allowed are two Elo differences, the lower one first"):
        config_of(sprt=bounds)


def test_three_agents_cannot_be_tested() -> None:
    agents = [{"name": name, "player": name} for name in ("random", "greedy", "easy")]
    with pytest.raises(errors.ArenaError, match="for two agents"):
        make_config({"agents": agents, "sprt": BOUNDS}, "here")


def test_the_command_says_the_verdict_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", "greedy", "random", "--sprt", "0,100", "--jobs", "1", "--out", str(tmp_path)]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert "sequential test of +0 against +100 Elo: greedy is stronger\n" in printed
    assert "to see more: connect4-agent report" in printed
    with pytest.raises(SystemExit, match="2"):
        main(["match", "greedy", "random", "--sprt", "5"])
    assert "'5' is not a pair of Elo differences such as 0,20" in capsys.readouterr().err
