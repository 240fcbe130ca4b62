"""Terminal: people and agents at a board in the terminal, from the first game to the last."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from connect4_agent.engine.analysis import Analysis, analyze
from connect4_agent.engine.limits import Limits
from connect4_agent.reasons.explain import explain
from connect4_agent.reasons.explanation import cell_played
from connect4_agent.reasons.hints import Hint, describe_hint, find_hint
from connect4_agent.reasons.judge import JudgedGame, judge
from connect4_agent.reasons.words import name_colours, sum_up
from connect4_agent.rules.geometry import Cell
from connect4_agent.rules.position import Position
from connect4_agent.ui.terminal.console import Console
from connect4_agent.ui.terminal.drawing import Line
from connect4_agent.ui.terminal.screen import View, review_lines, screen_lines, seat_label, why_lines
from connect4_agent.ui.terminal.seats import LEVEL, SeatedAgents, TroubleError, make_seat
from connect4_agent.ui.terminal.session import Session
from connect4_agent.ui.terminal.typed_commands import Command, CommandError, Verb, read_command

LAST_STEP = 3
"""A hint is a thought, then where to look, then the column."""

WHEN_OVER = "v reviews the game, u takes back, n starts a new one, q leaves."
AFTER_TROUBLE = "Press Enter to ask it again, or type a column to play in its place."
WHEN_WAITING = "Press Enter to let {name} play, or type a column to play in its place."
WHEN_WATCHING = "Press Enter for the next move."


class Terminal:
    """A session at the board: `play` lasts until the person leaves."""

    def __init__(
        self, session: Session, console: Console, has_scores: bool = False, greetings: Sequence[str] = ()
    ) -> None:
        self._session = session
        self._console = console
        self._has_scores = has_scores
        self._analyses: dict[Position, Analysis] = {}
        self._hint: Hint | None = None
        self._step = 0
        self._agents = SeatedAgents(session.seats, session.seed)
        self._messages = list(greetings)

    def play(self) -> None:
        """Serve the person. However it ends, the agents are stopped. Raises GoneError."""
        try:
            while True:
                if self._session.is_agents_turn and not self._session.is_waiting:
                    self._let_agent_move()
                    continue
                self._draw(self._scores(), *self._advice())
                line = self._console.read_line(self._prompt())
                self._messages = []
                if line is None:
                    break
                try:
                    command = read_command(line, self._session.game.width)
                    if command.verb is Verb.QUIT:
                        break
                    self._obey(command)
                except CommandError as error:
                    self._messages = [str(error)]
        finally:
            self._agents.stop()

    def farewell(self, words: Sequence[str]) -> str:
        """Say how to come back to this game, given the words of the command line."""
        session = self._session
        if not session.game.columns:
            return "No disc was played."
        if session.has_new_agent:
            game = session.game
            words = ["--level", str(session.level), "--width", str(game.width), "--height", str(game.height)]
        again = ["connect4-agent", "play", *words, "--first", session.first, "--moves", session.game.moves]
        return f"To continue this game: {shlex.join(again)}"

    def _let_agent_move(self) -> None:
        self._show_meanwhile(f"{self._label_on_turn()} is thinking ...")
        self._messages = []
        try:
            self._session.drop(self._agents.move(self._session.game.position))
        except TroubleError as trouble:
            self._messages = [str(trouble), AFTER_TROUBLE]
            self._session.is_waiting = True

    def _obey(self, command: Command) -> None:
        """Do what was typed. Raises CommandError."""
        session = self._session
        match command.verb:
            case Verb.DROP:
                assert command.number is not None
                session.drop(command.number)
            case Verb.NEXT:
                session.is_waiting = False
            case Verb.UNDO:
                session.undo(command.number)
            case Verb.NEW:
                level = command.number
                session.new(make_seat(f"{LEVEL}{level}", f"Level {level}", None) if level else None)
                self._agents.stop()
                self._agents = SeatedAgents(session.seats, session.seed)
            case Verb.HINT:
                self._give_hint()
            case Verb.SCORES:
                self._has_scores = not self._has_scores
                self._messages = [f"Scores are {'on' if self._has_scores else 'off'}."]
            case Verb.WHY:
                self._why(command.number)
            case Verb.REVIEW:
                self._review()

    def _give_hint(self) -> None:
        """Give the next step of the hint for this position: a thought, where to look, the column."""
        position = self._session.game.position
        if position.is_over:
            raise CommandError("there is nothing to hint at: the game is over; undo takes back discs")
        if self._hint is None or self._hint.position != position:
            self._show_meanwhile("Thinking about a hint ...")
            self._hint, self._step = find_hint(position, Limits().for_proofs(position.width, position.height)), 0
        self._step = min(self._step + 1, LAST_STEP)
        step = describe_hint(self._hint, name_colours(self._console.signs.discs))[self._step - 1]
        self._messages = [f"Hint {self._step}/{LAST_STEP}: {''.join(part.text for part in step)}"]

    def _marked(self) -> frozenset[Cell]:
        """Return the cells of the hint that was just given: where to look, then the column's."""
        hint = self._hint
        if hint is None or not self._messages or self._step == 1 or hint.position != self._session.game.position:
            return frozenset()
        return frozenset(hint.cells if self._step < LAST_STEP else [cell_played(hint.position, hint.column)])

    def _why(self, column: int | None) -> None:
        """Show the reason of the position's result, or of a column's."""
        position = self._session.game.position
        if position.is_over:
            raise CommandError("there is nothing to explain: the game is over; undo takes back discs")
        if column is not None and not position.is_open(column):
            raise CommandError(f"there is nothing to explain: column {column + 1} is full")
        self._show_meanwhile("Looking for the reason ...")
        reason = explain(position, column, Limits().for_proofs(position.width, position.height))
        self._show_page(why_lines(reason, self._console.signs, *self._console.size()))

    def _review(self) -> None:
        """Show the course of the game."""
        if not self._session.game.columns:
            raise CommandError("there is nothing to review: no disc was played")
        self._show_meanwhile("Judging the moves ...")
        lines = review_lines(self._judged(), self._session.seats, self._console.signs, *self._console.size())
        self._show_page(lines)

    def _judged(self) -> JudgedGame:
        game = self._session.game
        poll = Limits().for_proofs(game.width, game.height).timed_poll()
        return judge(Position(game.width, game.height), game.columns, poll=poll)

    def _show_page(self, lines: list[Line]) -> None:
        self._console.show(lines)
        self._console.read_line("Press Enter to return to the board> ")

    def _prompt(self) -> str:
        return "> " if self._session.game.position.is_over else f"{self._label_on_turn()}> "

    def _advice(self) -> list[str]:
        """Return the messages, or else what can be done now that is not among the keys."""
        session = self._session
        if self._messages:
            return self._messages
        if session.game.position.is_over:
            return [*self._verdict(), WHEN_OVER]
        if not session.is_agents_turn:
            return []
        return [WHEN_WATCHING if session.is_watched else WHEN_WAITING.format(name=session.seat_on_turn.name)]

    def _verdict(self) -> list[str]:
        """Return what the only person should know of the game, and the level that may suit better."""
        session = self._session
        if session.person is None:
            return []
        self._show_meanwhile("Judging the moves ...")
        words = sum_up(self._judged(), session.person, name_colours(self._console.signs.discs))
        offer = (
            [f"n {session.next_level} starts a game against level {session.next_level}."] if session.next_level else []
        )
        return [*filter(None, ["".join(part.text for part in words)]), *offer]

    def _scores(self) -> Analysis | None:
        """Return the scores for the board as it is, if they are wanted."""
        position = self._session.game.position
        if not self._has_scores or position.is_over:
            return None
        if position not in self._analyses:
            self._show_meanwhile("Working out the scores ...")
            self._analyses[position] = analyze(position, Limits().for_proofs(position.width, position.height))
        return self._analyses[position]

    def _label_on_turn(self) -> str:
        return seat_label(self._session.seats, self._console.signs, self._session.game.position.player)

    def _show_meanwhile(self, message: str) -> None:
        """Say what takes time: below the board if that is redrawn in place, otherwise on a line of its own."""
        if self._console.clears:
            self._draw(None, *self._messages, message)
        else:
            for text in (*self._messages, message):
                self._console.say(text)

    def _draw(self, scores: Analysis | None, *messages: str) -> None:
        view = View(self._session.game, self._session.seats, scores, messages, self._marked())
        self._console.show(screen_lines(view, self._console.signs, *self._console.size()))
