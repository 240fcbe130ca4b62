"""Plausible runs, seeded: games between built-in players, with the faults that real runs have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from connect4_agent.arena.config import RunConfig, make_config
from connect4_agent.arena.faults import Ending, Fault
from connect4_agent.arena.journal import JOURNAL_NAME, read_games, with_checksum
from connect4_agent.arena.judged_moves import JUDGED_NAME, format_game, game_key, read_judgements, with_judgement
from connect4_agent.arena.judging import judge_game
from connect4_agent.arena.openings import make_openings
from connect4_agent.arena.record import GameKey, GameRecord
from connect4_agent.arena.run import Exclusion, RunDescription, RunState, write_description, write_run_openings
from connect4_agent.arena.schedule import Schedule
from connect4_agent.arena.spec import TimeLimits
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import Player
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.reasons.judge import JudgedMove
from connect4_agent.rules.position import Position

AGENTS = ("negamax:depth=3", "easy", "negamax:depth=1", "first-open", "random")

NASTY = '</script><script>document.title="broken"</script>'
"""What an agent may write, and a page must show as text."""


def record_of(
    columns: str, /, *, agents: tuple[str, str] = ("a", "b"), width: int = 7, height: int = 6, **changes: Any
) -> GameRecord:
    """A game given as columns counted from 0, with the ending and winner that the board shows."""
    names = ("versions", "opening", "begins", "repeat")
    key: dict[str, Any] = {"versions": ("1", "1"), "opening": (), "begins": 1}
    key |= {"agents": agents, **{name: changes.pop(name) for name in names if name in changes}}
    position = Position(width, height, key["begins"]).after(tuple(map(int, columns)))
    ending = Ending.FOUR if position.winner else Ending.FULL if position.is_full else Ending.ADJUDICATED
    values: dict[str, Any] = {
        "game": 1,
        "key": GameKey.model_validate(key),
        "width": width,
        "height": height,
        "columns": tuple(map(int, columns)),
        "times_ms": (1.0,) * (len(columns) - len(key["opening"])),
        "ending": ending,
        "winner": position.winner,
        "seed": 1,
    }
    return GameRecord(**(values | changes))


ALL_MISTAKES = "0504030"
"""Every kind of mistake: win to loss, slower win, sooner loss, win to draw, none, draw to loss, the winning move."""


FAULTY_GAME = record_of(
    "33",
    game=1002,
    repeat=2,
    agents=(NASTY, "b"),
    ending=Ending.MALFORMED_REPLY,
    winner=2,
    fault=Fault(player=1, detail="the reply is not JSON", reply=NASTY, stderr_tail=NASTY),
)
"""A game that ended by a fault, full of what a page must not take for its own."""


def judged_record(columns: str = ALL_MISTAKES, **changes: Any) -> GameRecord:
    """Such a game, judged by the solver."""
    record = record_of(columns, **changes)
    game = record.width, record.height, record.columns
    return with_judgement(record, {game_key(*game): judge_game(game)})


def proven_moves(record: GameRecord) -> tuple[JudgedMove, ...]:
    """The moves of a game that was judged whole."""
    assert record.judged is not None
    assert record.judged.is_exact
    return record.judged.moves


def write_run(folder: Path, records: Iterable[GameRecord]) -> Path:
    """A run's folder with these games in its journal, and what was judged of them beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    records = list(records)
    unjudged = (record.model_copy(update={"judged": None}) for record in records)
    (folder / JOURNAL_NAME).write_bytes(b"".join(with_checksum(record) + b"\n" for record in unjudged))
    if judged := [format_game(record.judged) + b"\n" for record in records if record.judged is not None]:
        (folder / JUDGED_NAME).write_bytes(b"".join(judged))
    return folder


def read_judged_games(run: Path, note: Callable[[str], None]) -> Iterator[GameRecord]:
    """All games of a journal, with what has been judged of them."""
    judgements = read_judgements(run, note)
    for record in read_games(run, note):
        yield with_judgement(record, judgements)


def config_of(agents: Sequence[str] = AGENTS, rounds: int = 4, seed: int = 1) -> RunConfig:
    """A round robin of built-in players."""
    specs = [{"name": name, "player": name} for name in agents]
    return make_config({"agents": specs, "games": 2 * rounds, "seed": seed}, "here")


def describe(folder: Path, config: RunConfig, version: str = "") -> Schedule:
    """Write the description of a run of built-in players beside its games; its schedule."""
    versions = {agent.name: version or agent.player or "1" for agent in config.agents}
    description = RunDescription(config=config, versions=versions)
    openings = make_openings(config.openings, config.seed, config.width, config.height)
    folder.mkdir(parents=True, exist_ok=True)
    write_description(folder, description)
    write_run_openings(folder, openings)
    return Schedule(config, description.versions, openings)


def write_match(folder: Path, records: Iterable[GameRecord]) -> Path:
    """The folder of a run in which these games are wanted: all begin with the empty board."""
    games = list(records)
    names = dict.fromkeys(name for game in games for name in game.agents) or ("a", "b")
    sizes = {"width": games[0].width, "height": games[0].height} if games else {}
    agents = [{"name": name, "player": "random"} for name in names]
    describe(folder, make_config({**sizes, "agents": agents, "games": 200, "openings": "empty"}, "here"), version="1")
    return write_run(folder, games)


def write_tournament(folder: Path, records: Iterable[GameRecord], rounds: int = 4) -> Path:
    """The folder of `config_of` with these of its games."""
    describe(folder, config_of(rounds=rounds))
    return write_run(folder, records)


def state_of(
    records: Iterable[GameRecord],
    *,
    agents: Sequence[str] = (),
    excluded: Sequence[Exclusion] = (),
    lost: Iterable[tuple[str, str]] = (),
    **changes: Any,
) -> RunState:
    """The state of a run with these games; `lost` names the agents of games that are not played.

    The agents are those of the games in the order in which they appear, unless they are given. Other changes are to the
    run's description, or to the state itself.
    """
    games = tuple(records)
    missing = tuple(GameKey(agents=pair, versions=("1", "1"), opening=(), begins=1) for pair in lost)
    keys = [*(game.key for game in games), *missing]
    names = dict.fromkeys([*agents, *(name for key in keys for name in key.agents)])
    fields: dict[str, Any] = {
        name: changes.pop(name)
        for name in ("to_play", "other_games", "played_again", "notes", "versions")
        if name in changes
    }
    fields |= {"sprt": changes.pop("state_sprt")} if "state_sprt" in changes else {}
    specs = changes.pop("specs", {})
    sizes = {"width": games[0].width, "height": games[0].height} if games else {}
    config = make_config(
        {**sizes, "agents": [{"name": name, "player": "random"} | specs.get(name, {}) for name in names], **changes},
        "here",
    )
    values: dict[str, Any] = {
        "versions": dict.fromkeys((agent.name for agent in config.agents), "1"),
        "exclusions": {exclusion.agent: exclusion for exclusion in excluded},
        "records": games,
        "lost": missing,
    }
    return RunState(config=config, **(values | fields))


def tournament(seed: int = 1, rounds: int = 4, agents: Sequence[str] = AGENTS) -> Iterator[GameRecord]:
    """The games of `config_of`, in which first-open has a fault now and then and does not play its last games."""
    config = config_of(agents, rounds, seed)
    openings = make_openings(config.openings, seed, config.width, config.height)
    schedule = Schedule(config, {name: name for name in agents}, openings)
    for number, key in enumerate(schedule, 1):
        source = Random(f"{seed} {key.model_dump_json()}")
        is_last = number > len(schedule) - 2 * len(schedule.pairings)
        if is_last and "first-open" in key.agents:
            continue
        yield _spoiled(source, _play(source, key, number, seed), "first-open")


def _play(source: Random, key: GameKey, game: int, seed: int) -> GameRecord:
    # A seeded player answers a position always in the same way; a new seed for each game gives new games.
    players: list[Player] = [parse_player(name, source.randrange(1 << 30)) for name in key.agents]

    def column_in(position: Position) -> int:
        return players[position.player - 1].choose(position, Limits()).column

    return played_game(source, key, game, seed, column_in)


def played_game(source: Random, key: GameKey, game: int, seed: int, column_in: Callable[[Position], int]) -> GameRecord:
    """A game in which this function chooses the moves of both."""
    position = Position(player=key.begins).after(key.opening)
    columns = list(key.opening)
    times_ms: list[float] = []
    while not position.is_over:
        column = column_in(position)
        position = position.play(column)
        columns.append(column)
        times_ms.append(round(source.lognormvariate(1, 1), 3))
    return GameRecord(
        game=game,
        key=key,
        width=7,
        height=6,
        columns=tuple(columns),
        times_ms=tuple(times_ms),
        ending=Ending.FOUR if position.winner else Ending.FULL,
        winner=position.winner,
        seed=seed,
    )


def _spoiled(source: Random, record: GameRecord, culprit: str) -> GameRecord:
    """The game as it goes when the culprit does something wrong in it."""
    if culprit not in record.agents or source.random() > 0.4:
        return record
    player = record.agents.index(culprit) + 1
    common: dict[str, Any] = {"winner": 3 - player}
    ending = source.choice([Ending.ILLEGAL_MOVE, Ending.MALFORMED_REPLY, Ending.TIMED_OUT, Ending.CRASHED])
    plies = len(record.opening) + (0 if record.first == player else 1)
    plies += 2 * source.randrange((len(record.columns) - plies) // 2)
    common |= {"columns": record.columns[:plies], "times_ms": record.times_ms[: plies - len(record.opening)]}
    evidence: dict[Ending, dict[str, Any]] = {
        Ending.ILLEGAL_MOVE: {"detail": "column 9 is not on the board", "reply": '{"move":9}'},
        Ending.MALFORMED_REPLY: {"detail": "the reply is not JSON", "reply": NASTY, "stderr_tail": NASTY},
        Ending.TIMED_OUT: {"detail": "no reply within 1 s", "elapsed_ms": 1100.5},
        Ending.CRASHED: {"detail": "ended without a reply", "stderr_tail": "Traceback\nValueError\n", "exit_status": 1},
    }
    common |= {"ending": ending, "fault": Fault(player=player, **evidence[ending])}
    if ending is Ending.TIMED_OUT:
        common["limits"] = (TimeLimits(time_limit=1.0),) * 2
    return record.model_copy(update=common)
