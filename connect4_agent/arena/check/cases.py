"""The cases of a check: the ordinary and the odd things that real managers send."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache

import orjson

from connect4_agent import errors
from connect4_agent.arena.check.conversation import Case, Conversation
from connect4_agent.arena.check.diagnosis import BARE_FIX
from connect4_agent.arena.check.result import Tier
from connect4_agent.arena.openings import random_openings
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import choose, obvious_column
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.rules.position import USUAL_SIZE, Position
from connect4_agent.server.request import make_request

MIDDLE_GAMES = ("4453", "44353622", "444444", "4444443")
"""In the last two the centre is full, but an agent that takes columns for rows sees it open."""

FIRST_CASES = ("ordinary", "other-player-first")
"""The first request in either seat: an agent that fails here fails everywhere."""

OWN_WINS = tuple(
    (Position(player=player).after([own, other] * 3), (own, other) if player == 1 else (other, own))
    for player in (1, 2)
    for own, other in ((0, 1), (6, 3), (2, 5))
)
"""Boards on which both players have three on top of each other, with the columns that win for player 1 and player 2."""

PRACTICE = "practice-"
OPPONENT_SECONDS = 5.0
OPPONENTS = (*("random", "greedy", "hard") * 3, "hard")
"""The built-in players of ten practice games, so that few games or a short time meet all of them."""

ARGUMENTS_FIX = "accept and ignore --player, --width, --height and other words on the command line"
GRID_FIX = (
    "if the request holds the grid alone, take the sizes from the grid, and the player from the command line: "
    "--player 1 --width 7 --height 6, or 1 1 7 7 6 6"
)
BAD_LINE_FIX = 'answer a line that has no move with {"error": "..."}, and read on'
ANY_COLUMN_FIX = "answer with any open column, even after a win"
NO_STATE_FIX = "play from the grid of the request; keep nothing of the game before"


@cache
def all_cases(width: int = 7, height: int = 6) -> Mapping[str, Case]:
    """Return the cases by their names, in their order; those not required have boards of the usual size."""
    cases = [replace(case, tier=Tier.REQUIRED) for case in _required_cases(width, height)]
    if (width, height) == USUAL_SIZE:
        cases += _robust_cases()
    return {case.name: case for case in cases}


def _required_cases(width: int, height: int) -> list[Case]:
    """Return what the arena sends, in the forms that plain managers write; the first one is the simplest."""
    middle = _middle_games(width, height)
    line = make_request(middle[0])
    spaced = b"  " + line.replace(b",", b", ").replace(b":", b": ") + b" "  # as Python's json writes it
    shuffled = orjson.dumps(dict(sorted(orjson.loads(line).items(), reverse=True)))
    left, right = (full_but(width, height, {column: height}) for column in (0, width - 1))
    nearly = [full_but(width, height, dict.fromkeys(columns, 1)) for columns in (range(width), (0, width - 1))]
    games = [_game(width, height, player, [first], 2) for first in (1, 2) for player in (1, 2)]
    return [
        Case("ordinary", "an empty board, player 1 begins", [_asks(Position(width, height))]),
        Case("other-player-first", "an empty board, player 2 begins", [_asks(Position(width, height, 2))]),
        Case("second-move", "the first two moves of a game, in either seat", games),
        Case("middle-game", "games in progress", [_asks(board) for board in middle]),
        Case("left-edge", "only the leftmost column is open", [_asks(left)]),
        Case("right-edge", "only the rightmost column is open", [_asks(right)]),
        Case("nearly-full-columns", "one empty cell in every open column", [_asks(board) for board in nearly]),
        Case("last-cell", "one empty cell on the board", [_asks(full_but(width, height, {width // 2: 1}))]),
        Case("blanks", "blanks inside and around the JSON", [_turns((spaced, middle[0]))]),
        Case("key-order", "the keys in another order", [_turns((shuffled, middle[0]))]),
    ]


def _robust_cases() -> list[Case]:
    """Return what some managers send, do, or add to the command line."""
    board, empty = Position.from_moves("4453"), Position()
    line, full = make_request(board), make_request(full_but(7, 6, {}))
    next_one = make_request(empty), empty
    extra = orjson.dumps({"game": "x", "clock": {"left": [1.5, None]}} | orjson.loads(line) | {"turn": 4})
    passed = empty.play(3).play(3).passed().play(2).passed().play(2)
    flags = [("--player", str(player), "--width", "7", "--height", "6") for player in (1, 2)]
    games = [_game(7, 6, seat, (1, 2), moves=3) for seat in (1, 2)]
    return [
        Case("own-win", "both players could win at once: does it play for its own side?",
             [_asks(position) for position, _ in OWN_WINS], wins=[wins for _, wins in OWN_WINS]),
        Case("several-games", "games one after the other in one process", games, NO_STATE_FIX),
        Case("end-of-input", "the input ends after an answer", [_turns(next_one, must_end=True)]),
        Case("no-request", "the input ends before any request", [_turns(must_end=True)]),
        Case("bare", "started without arguments, as either player", _starts(((), ())), BARE_FIX),
        Case("flags", "started as either player with flags, four keys", _starts(flags), ARGUMENTS_FIX),
        Case("flags-grid-only", "started with flags, the grid alone", _starts(flags, grid_only=True), GRID_FIX),
        Case("positional", "started with 1 1 7 7 6 6, the grid alone", _starts(["117766"], grid_only=True), GRID_FIX),
        Case("crlf", "lines that end with CR LF (Windows)", [_turns((line + b"\r", board))], "strip the line"),
        Case("extra-keys", "unknown keys", [_turns((extra, board))], "ignore keys that you do not know"),
        Case("blank-lines", "blank lines get no answer", [_turns((b"\n  \n\r\n" + line, board))], "skip blank lines"),
        Case("byte-order-mark", "a UTF-8 mark before the first line", [_turns((BOM_UTF8 + line, board))],
             "remove the mark, U+FEFF, from the first line"),
        Case("full-board", "a full board gets one line, and the next request its move",
             [_turns((full, None), next_one)], BAD_LINE_FIX),
        Case("not-json", "a line that is not JSON gets one line, and the next request its move",
             [_turns((b'{"grid":[[0,0', None), next_one)], BAD_LINE_FIX),
        Case("won-board", "a player has already won", [_asks(Position.from_moves("1212121"))], ANY_COLUMN_FIX),
        Case("odd-counts", "disc counts that are off by two", [_asks(passed)], ANY_COLUMN_FIX),
    ]  # fmt: skip


def practice_case(number: int, width: int, height: int) -> Case:
    """Return a whole game against a built-in player; the agent has either seat, and either player begins."""
    opponent = OPPONENTS[number % len(OPPONENTS)]
    position = Position(width, height, 1 + number // 6 % 2)
    with suppress(errors.ArenaError):  # the board is too small for an opening
        position = position.after(random_openings(range(4, 5), 1, number, width, height)[0])
    session = Games([position], player=1 + number // 3 % 2, opponent=opponent, seed=number)
    return Case(f"{PRACTICE}{number + 1}", f"a game against {opponent}", [session], tier=Tier.REQUIRED)


def find_case(name: str, width: int, height: int) -> Case:
    """Return the case of this name."""
    if name.startswith(PRACTICE):
        return practice_case(int(name.removeprefix(PRACTICE)) - 1, width, height)
    return all_cases(width, height)[name]


# ---- sessions -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Turns:
    """Lines, each answered for its position; any answer to a line without a position will do."""

    turns: Sequence[tuple[bytes | None, Position | None]]
    """Without a line, the position is sent as the arena sends it."""
    player: int = 1
    arguments: tuple[str, ...] | None = None
    must_end: bool = False

    def talk(self, conversation: Conversation) -> None:
        """Send the lines. Raises WrongError."""
        for line, position in self.turns:
            if line is not None:
                conversation.say(line, position)
            elif position is not None:
                conversation.ask(position)
        conversation.finish(must_end=self.must_end)


@dataclass(frozen=True, slots=True)
class Games:
    """The first moves of games against an opponent that wins and blocks at once, or a whole game against a player."""

    starts: Sequence[Position]
    player: int
    moves: int | None = None
    opponent: str = ""
    seed: int = 0
    arguments: None = None

    def talk(self, conversation: Conversation) -> None:
        """Play. Raises WrongError."""
        opponent = parse_player(self.opponent, self.seed) if self.opponent else None
        for start in self.starts:
            position, answers = start, 0
            while not position.is_over and answers != self.moves:
                if position.player == self.player:
                    conversation.sent = b"" if opponent else conversation.sent
                    position = position.play(conversation.ask(position))
                    answers += 1
                elif opponent:
                    position = position.play(choose(opponent, position, Limits(OPPONENT_SECONDS)).column)
                else:
                    position = position.play(obvious_column(position))
        conversation.finish()
        conversation.result = {None: "drawn", self.player: "won"}.get(position.winner, "lost") if opponent else None


def full_but(width: int, height: int, open_columns: dict[int, int]) -> Position:
    """Return a board without a four on which only these columns are open, each with this many empty cells."""
    return Position.from_grid(
        [
            # Pairs of columns in step, players alternating upwards: no line of the pattern is longer than two.
            [0 if row >= height - open_columns.get(column, 0) else 1 + (column // 2 + row) % 2 for row in upwards[::-1]]
            for column in range(width)
            for upwards in [range(height)]
        ]
    )


def _middle_games(width: int, height: int) -> list[Position]:
    if (width, height) == USUAL_SIZE:
        return list(map(Position.from_moves, MIDDLE_GAMES))
    position = Position(width, height)
    for _ in range(4):
        following = position.play(obvious_column(position))
        position = position if following.is_over else following
    return [position]


def _turns(*turns: tuple[bytes, Position | None], must_end: bool = False) -> Turns:
    """Return a session of lines."""
    return Turns(turns, must_end=must_end)


def _starts(starts: Sequence[Sequence[str]], *, grid_only: bool = False) -> list[Turns]:
    """Start the agent with these words as player 1 and player 2, who are asked only when it is their turn."""
    sessions = []
    for player, words in enumerate(starts, 1):
        boards = Position(player=player), Position(player=player).play(3).play(3)
        turns = [(make_request(board, grid_only=grid_only), board) for board in boards]
        sessions.append(Turns(turns, player, tuple(words)))
    return sessions


def _asks(position: Position) -> Turns:
    """Ask about a position as the arena does."""
    return Turns([(None, position)], position.player)


def _game(width: int, height: int, seat: int, firsts: Sequence[int], moves: int) -> Games:
    """Play the first moves of games that these players begin."""
    return Games([Position(width, height, first) for first in firsts], seat, moves)
