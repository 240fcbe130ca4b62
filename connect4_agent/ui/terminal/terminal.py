"""Terminal: people and agents at a board in the terminal, from the first game to the last."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from connect4_agent.engine.analysis import Analysis, analyze
from connect4_agent.engine.limits import Limits
from connect4_agent.reasons.explain import explain
from connect4_agent.reasons.judge import judge
from connect4_agent.rules.position import Position
from connect4_agent.ui.terminal.console import Console
from connect4_agent.ui.terminal.drawing import Line
from connect4_agent.ui.terminal.review import review_lines
from connect4_agent.ui.terminal.screen import View, screen_lines, seat_label, why_lines
from connect4_agent.ui.terminal.seats import SeatedAgents, TroubleError
from connect4_agent.ui.terminal.session import Session
from connect4_agent.ui.terminal.typed_commands import Command, CommandError, Verb, read_command

WHEN_OVER = "v reviews the game, u takes back, n starts a new one, q leaves."
AFTER_TROUBLE = "Press Enter to ask it again, or type a column to play in its place."
WHEN_WAITING = "Press Enter to let {name} play, or type a column to play in its place."
WHEN_WATCHING = "Press Enter for the next move."


class Terminal:
    """A session at the board: `play` lasts until the person leaves."""

    def __init__(
        self, session: Session, console: Console, has_hints: bool = False, greetings: Sequence[str] = ()
    ) -> None:
        self._session = session
        self._console = console
        self._has_hints = has_hints
        self._analyses: dict[Position, Analysis] = {}
        self._agents = SeatedAgents(session.seats, session.seed)
        self._messages = list(greetings)

    def play(self) -> None:
        """Serve the person. However it ends, the agents are stopped. Raises GoneError."""
        try:
            while True:
                if self._session.is_agents_turn and not self._session.is_waiting:
                    self._let_agent_move()
                    continue
                self._draw(self._hints(), *self._advice())
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
                session.new()
                self._agents.stop()
                self._agents = SeatedAgents(session.seats, session.seed)
            case Verb.HINT:
                self._has_hints = not self._has_hints
                self._messages = [f"Hints are {'on' if self._has_hints else 'off'}."]
            case Verb.WHY:
                self._why(command.number)
            case Verb.REVIEW:
                self._review()

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
        game = self._session.game
        poll = Limits().for_proofs(game.width, game.height).timed_poll()
        judged = judge(Position(game.width, game.height), game.columns, poll=poll)
        self._show_page(review_lines(judged, self._session.seats, self._console.signs, *self._console.size()))

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
            return [WHEN_OVER]
        if not session.is_agents_turn:
            return []
        return [WHEN_WATCHING if session.is_watched else WHEN_WAITING.format(name=session.seat_on_turn.name)]

    def _hints(self) -> Analysis | None:
        """Return the hints for the board as it is, if they are wanted."""
        position = self._session.game.position
        if not self._has_hints or position.is_over:
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

    def _draw(self, hints: Analysis | None, *messages: str) -> None:
        view = View(self._session.game, self._session.seats, hints, messages)
        self._console.show(screen_lines(view, self._console.signs, *self._console.size()))
