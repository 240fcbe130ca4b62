"""Terminal: people and agents at a board in the terminal, from the first game to the last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.play.hints import HintSource
from connect4_agent.play.opponents import Opponents, TroubleError
from connect4_agent.play.saving import load_game, save_game
from connect4_agent.play.screen import View, page_lines, screen_lines, seat_label
from connect4_agent.play.words import HELP, Command, Verb, read_command

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connect4_agent.play.console import Console
    from connect4_agent.play.hints import Hints
    from connect4_agent.play.table import Table
    from connect4_agent.position import Position

GO_SECONDS = 1.0
"""How long each position stands still while two agents play on by themselves."""

WHEN_OVER = "u and r go through the game, n begins a new one, q leaves."
AFTER_TROUBLE = "Enter asks it again, a column plays in its place; u, n and q work as always."
WHEN_WAITING = "Enter lets {name} play; a column plays in its place."
WHEN_WATCHING = "Enter plays the next move, go plays on until Enter is pressed."


class _SkippedError(Exception):
    """The person goes on without waiting for the hints."""


class Terminal:
    """One evening at the board: `play` lasts until the person leaves."""

    def __init__(self, table: Table, console: Console, has_hints: bool = False, greetings: Sequence[str] = ()) -> None:
        self._table = table
        self._console = console
        self._has_hints = has_hints
        self._hint_source = HintSource()
        self._opponents = Opponents(table.seats, table.seed)
        self._messages = list(greetings)
        self._is_going = False
        self._without_hints: Position | None = None
        """The position whose hints the person did not wait for."""
        self._is_skipping = False
        """Whether the next line ended that waiting: if it is blank, that was all it was typed for."""

    def play(self) -> None:
        """Serve the person. Whatever ends it, nothing of the agents is left. Raises GoneError."""
        try:
            while True:
                if self._agent_moves_now():
                    self._let_agent_move()
                    continue
                command = self._ask()
                if command is None or command.verb is Verb.QUIT:
                    break
                self._obey(command)
        finally:
            self._opponents.stop()

    def farewell(self) -> str:
        """How to come back to this game."""
        game = self._table.game
        if not game.moves:
            return "No disc was played."
        is_usual = (game.width, game.height) == (7, 6)
        size = "" if is_usual else f"--width {game.width} --height {game.height} "
        options = f"{size}--first {self._table.first} --moves {game.moves}"
        return f"Moves: {game.moves} ({options} goes on from here)"

    def _agent_moves_now(self) -> bool:
        if not self._table.is_agents_turn:
            self._is_going = False
            return False
        if self._is_going and self._console.has_line(GO_SECONDS):
            self._is_going = False
        return self._is_going or not self._table.is_waiting

    def _let_agent_move(self) -> None:
        self._show_meanwhile(f"{self._label_on_turn()} is thinking ...")
        self._messages = []
        try:
            self._table.drop(self._opponents.move(self._table.game.position))
        except TroubleError as trouble:
            self._messages = [str(trouble), AFTER_TROUBLE]
            self._table.is_waiting, self._is_going = True, False
            return
        if self._is_going:
            self._draw(self._view())

    def _ask(self) -> Command | None:
        """Show the board and wait for a line that is understood; None at the end of input."""
        shows_help = False
        while True:
            if shows_help:
                self._console.show(page_lines(HELP, self._console.size()[0]))
            else:
                hints = self._hints()
                self._draw(self._view(hints, *(self._messages or self._advice())))
            is_answer_awaited = not (shows_help or self._is_skipping)
            line = self._console.read_line(self._prompt(shows_help))
            self._messages = []
            if line is None:
                return None
            if not line.strip() and not is_answer_awaited:
                shows_help = self._is_skipping = False
                continue
            self._is_skipping = False
            try:
                command = read_command(line, self._table.game.width)
            except errors.WordsError as error:
                self._messages = [str(error)]
                shows_help = False
                continue
            if command.verb is not Verb.HELP:
                return command
            shows_help = True

    def _prompt(self, shows_help: bool) -> str:
        if shows_help:
            return "Enter shows the board> "
        return "> " if self._table.game.is_over else f"{self._label_on_turn()}> "

    def _advice(self) -> list[str]:
        """What can be done now that is not among the keys."""
        table = self._table
        if table.game.is_over:
            return [WHEN_OVER]
        if not table.is_agents_turn:
            return []
        return [WHEN_WATCHING if table.is_watched else WHEN_WAITING.format(name=table.seat_on_turn.name)]

    def _obey(self, command: Command) -> None:
        try:
            self._act(command)
        except (errors.WordsError, errors.SavedGameError) as error:
            self._messages = [str(error)]

    def _act(self, command: Command) -> None:
        table = self._table
        match command.verb:
            case Verb.DROP:
                assert command.number is not None
                table.drop(command.number)
            case Verb.NEXT:
                table.is_waiting = False
            case Verb.GO:
                self._go()
            case Verb.HINT:
                self._has_hints, self._without_hints = not self._has_hints, None
                self._messages = [f"Hints are {'on' if self._has_hints else 'off'}."]
            case Verb.SAVE:
                self._save(command.argument)
            case _:
                self._change_game(command)
                # An agent that remembers its game must not meet another one.
                self._opponents.stop()
                self._opponents = Opponents(table.seats, table.seed)

    def _change_game(self, command: Command) -> None:
        table = self._table
        match command.verb:
            case Verb.UNDO:
                table.undo(command.number)
            case Verb.REDO:
                table.redo(command.number)
            case Verb.FLIP:
                table.flip()
            case Verb.NEW:
                table.new()
            case Verb.LOAD:
                table.load(load_game(command.argument, table.game.width, table.game.height))

    def _go(self) -> None:
        if not self._table.is_watched:
            raise errors.WordsError("go is for two agents: here a person plays")
        self._is_going = True

    def _save(self, name: str) -> None:
        game = self._table.game
        if name:
            path = save_game(game, name)
            self._messages = [f"Saved in {path}; load {name} brings it back."]
        else:
            self._messages = [f"Moves: {game.moves or 'none'} (save FILE writes them to a file)"]

    def _hints(self) -> Hints | None:
        """The hints for the board as it is, if they are wanted."""
        game = self._table.game
        if not self._has_hints or game.is_over:
            return None
        hints = self._hint_source.known(game.position)
        if hints is not None:
            return hints
        if game.position == self._without_hints:
            self._messages = self._messages or ["The scores were not waited for; h and again h asks for them."]
            return None
        self._show_meanwhile("Working out the scores ... (Enter goes on without them)")

        def poll() -> None:
            if self._console.has_line():
                raise _SkippedError

        try:
            return self._hint_source.find(game.position, poll)
        except _SkippedError:
            self._without_hints, self._is_skipping = game.position, True
            return None

    def _label_on_turn(self) -> str:
        return seat_label(self._table.seats, self._console.signs, self._table.game.position.player)

    def _view(self, hints: Hints | None = None, *messages: str) -> View:
        return View(self._table.game, self._table.seats, hints, messages)

    def _show_meanwhile(self, message: str) -> None:
        """Say what is waited for: below the board where it stays in its place, else in a line alone."""
        if self._console.clears:
            self._draw(self._view(None, *self._messages, message))
        else:
            for each in (*self._messages, message):
                self._console.say(each)

    def _draw(self, view: View) -> None:
        self._console.show(screen_lines(view, self._console.signs, *self._console.size()))
