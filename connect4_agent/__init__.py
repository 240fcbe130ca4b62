"""Connect Four for Python programs: positions, exact analysis, players, matches and tournaments.

    import connect4_agent as c4

    Position, Outcome                the board and the player to move; how a game ended
    analyze, Analysis                the exact score of every column
    analyze_many, FULL               the scores of many positions, as an array
    explain, Explanation, Reason     why a position or a column wins, draws or loses
    describe                         an explanation in words
    svg                              a picture of a position, an analysis, an explanation or a game
    planes, position_from_planes     a position as an array for a neural network, and back
    judge, JudgedMove                what a move does to the exact score
    judge_games, JudgedGame          the same for every move of games that were played anywhere
    evaluate, Evaluation, Agreement  how well a policy plays, on the evaluation_set
    evaluation_set, read_labels, LabelledPositions    positions with their exact scores
    player, NamedPlayer              a built-in player by its name, such as "hard"
    agent, ProgramPlayer             a program as a player
    Player, Choice, Limits           what players are asked, and what they answer
    Evaluator, VALUE_LIMIT           a function that values positions for a search
    play_match, MatchResult          a match between players, programs or functions (Contestant)
    play_tournament, read_run, Run   a tournament; the games of a folder
    GameRecord, Report, AgentReport, Estimate    what a run holds and shows
    Connect4Error, FaultError, errors            every error that is raised on purpose

`help(c4.analyze)`, for example, says more about a name. Names that are not here may change. Each is loaded when it is
first used.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

__all__ = [
    "FULL",
    "VALUE_LIMIT",
    "AgentReport",
    "Agreement",
    "Analysis",
    "Choice",
    "Connect4Error",
    "Contestant",
    "Estimate",
    "Evaluation",
    "Evaluator",
    "Explanation",
    "FaultError",
    "GameRecord",
    "JudgedGame",
    "JudgedMove",
    "LabelledPositions",
    "Limits",
    "MatchResult",
    "NamedPlayer",
    "Outcome",
    "Player",
    "Position",
    "ProgramPlayer",
    "Reason",
    "Report",
    "Run",
    "__version__",
    "agent",
    "analyze",
    "analyze_many",
    "describe",
    "errors",
    "evaluate",
    "evaluation_set",
    "explain",
    "judge",
    "judge_games",
    "planes",
    "play_match",
    "play_tournament",
    "player",
    "position_from_planes",
    "read_labels",
    "read_run",
    "svg",
]

if TYPE_CHECKING:
    from connect4_agent import errors
    from connect4_agent.api import (
        Contestant,
        MatchResult,
        NamedPlayer,
        ProgramPlayer,
        Run,
        agent,
        evaluate,
        judge,
        judge_games,
        play_match,
        play_tournament,
        player,
        read_run,
    )
    from connect4_agent.arena.faults import FaultError
    from connect4_agent.arena.record import GameRecord
    from connect4_agent.arena.report.model import AgentReport, Report
    from connect4_agent.arena.statistics.ratings import Estimate
    from connect4_agent.drawing.planes import planes, position_from_planes
    from connect4_agent.drawing.svg import svg
    from connect4_agent.engine.analysis import Analysis, analyze
    from connect4_agent.engine.kernel.oracle import FULL
    from connect4_agent.engine.kernel.values import VALUE_LIMIT
    from connect4_agent.engine.limits import Limits
    from connect4_agent.engine.players.player import Choice, Player
    from connect4_agent.engine.players.position_evaluator import Evaluator
    from connect4_agent.errors import Connect4Error
    from connect4_agent.lab.evaluation import Agreement, Evaluation
    from connect4_agent.lab.labels import LabelledPositions, evaluation_set, read_labels
    from connect4_agent.lab.many import analyze_many
    from connect4_agent.reasons.explain import explain
    from connect4_agent.reasons.explanation import Explanation, Reason
    from connect4_agent.reasons.judge import JudgedGame, JudgedMove
    from connect4_agent.reasons.words import describe
    from connect4_agent.rules.position import Outcome, Position
else:
    _HOMES = {
        "connect4_agent.arena.faults": "FaultError",
        "connect4_agent.api": (
            "Contestant MatchResult NamedPlayer ProgramPlayer Run agent evaluate "
            "judge judge_games play_match play_tournament player read_run"
        ),
        "connect4_agent.lab.evaluation": "Agreement Evaluation",
        "connect4_agent.arena.report.model": "AgentReport Report",
        "connect4_agent.arena.statistics.ratings": "Estimate",
        "connect4_agent.arena.record": "GameRecord",
        "connect4_agent.drawing.planes": "planes position_from_planes",
        "connect4_agent.drawing.svg": "svg",
        "connect4_agent.engine.analysis": "Analysis analyze",
        "connect4_agent.lab.many": "analyze_many",
        "connect4_agent.reasons.judge": "JudgedGame JudgedMove",
        "connect4_agent.engine.kernel.oracle": "FULL",
        "connect4_agent.engine.kernel.values": "VALUE_LIMIT",
        "connect4_agent.lab.labels": "LabelledPositions evaluation_set read_labels",
        "connect4_agent.engine.limits": "Limits",
        "connect4_agent.engine.players.player": "Choice Player",
        "connect4_agent.engine.players.position_evaluator": "Evaluator",
        "connect4_agent.reasons.explain": "explain",
        "connect4_agent.errors": "Connect4Error",
        "connect4_agent.rules.position": "Outcome Position",
        "connect4_agent.reasons.explanation": "Explanation Reason",
        "connect4_agent.reasons.words": "describe",
    }

    _HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

    def __getattr__(name: str) -> object:
        """Load a public name once it is asked for: the command handles signals before it loads anything large."""
        if name == "errors":
            return import_module("connect4_agent.errors")
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_HOME[name]), name)
        return value

    def __dir__() -> list[str]:
        """Return the public names."""
        return __all__

    if "IPython" in sys.modules and (_shell := import_module("IPython").get_ipython()) is not None:
        # Notebooks show values of these types as pictures.
        _pictures = _shell.display_formatter.formatters["image/svg+xml"]
        for _name in ("Analysis", "Explanation", "GameRecord", "JudgedMove", "Position"):
            _pictures.for_type_by_name(_HOME[_name], _name, __getattr__("svg"))
