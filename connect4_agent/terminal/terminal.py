"""Terminal: people and agents at a board in the terminal, from the first game to the last."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from connect4_agent.engine.analysis import Analysis, analyze
from connect4_agent.engine.effort import default_seconds, default_share
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.reasons import explain
from connect4_agent.rules.notation import moves_of
from connect4_agent.rules.position import USUAL_SIZE, Position
from connect4_agent.terminal.console import Console
from connect4_agent.terminal.drawing import Line
from connect4_agent.terminal.review import moment_lines, moments_of, review_game, review_lines
from connect4_agent.terminal.saving import SavedGameError, load_game, save_game
from connect4_agent.terminal.screen import View, page_lines, screen_lines, seat_label, why_lines
from connect4_agent.terminal.seats import SeatedAgents, TroubleError, seats_again
from connect4_agent.terminal.session import Session
from connect4_agent.terminal.typed_commands import HELP, SHORT_HELP, Command, CommandError, Verb, read_command

GO_SECONDS = 1.0
"""How long each position is shown while two agents play on by themselves."""

WHEN_OVER = "v reviews the game, u and r step through it, n starts a new one, q leaves."
AFTER_TROUBLE = "Press Enter to ask it again, or type a column to play in its place."
WHEN_WAITING = "Press Enter to let {name} play, or type a column to play in its place."
WHEN_WATCHING = "Press Enter for the next move; go keeps playing until you press Enter."

Result = TypeVar("Result")

Page = Callable[[int, int], list[Line]]
"""The lines of a page for a window of so many columns and rows."""


def help_lines(columns: int, rows: int) -> list[Line]:
    """What can be typed, in as many words as fit."""
    page = page_lines(HELP, columns)
    return page if len(page) < rows else page_lines(SHORT_HELP, columns)


class _SkippedError(Exception):
    """The person skipped the wait for the solver."""


class Terminal:
    """A session at the board: `play` lasts until the person leaves."""

    def __init__(
        self, session: Session, console: Console, has_hints: bool = False, greetings: Sequence[str] = ()
    ) -> None:
        self._session = session
        self._console = console
        self._has_hints = has_hints
        self._analyses: dict[Position, Analysis] = {}
        """What stepping through a game asks for again and again."""
        self._agents = SeatedAgents(session.seats, session.seed)
        self._messages = list(greetings)
        self._is_going = False
        self._without_hints: Position | None = None
        """The position whose hints the person did not wait for."""
        self._is_skipping = False
        """Whether the next line ended that waiting: if it is blank, it means nothing else."""

    def play(self) -> None:
        """Serve the person. However it ends, the agents are stopped. Raises GoneError."""
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
            self._agents.stop()

    def farewell(self) -> str:
        """How to come back to this game."""
        game = self._session.game
        if not game.moves:
            return "No disc was played."
        is_usual = (game.width, game.height) == USUAL_SIZE
        size = [] if is_usual else ["--width", str(game.width), "--height", str(game.height)]
        command = shlex.join(["connect4-agent", "play", *self._session.words, *size, "--moves", game.moves])
        return f"To continue this game: {command}"

    def _agent_moves_now(self) -> bool:
        if not self._session.is_agents_turn:
            self._is_going = False
            return False
        if self._is_going and self._console.has_line(GO_SECONDS):
            self._is_going = False
        return self._is_going or not self._session.is_waiting

    def _let_agent_move(self) -> None:
        self._show_meanwhile(f"{self._label_on_turn()} is thinking ...")
        self._messages = []
        try:
            self._session.drop(self._agents.move(self._session.game.position))
        except TroubleError as trouble:
            self._messages = [str(trouble), AFTER_TROUBLE]
            self._session.is_waiting, self._is_going = True, False
            return
        if self._is_going:
            self._draw(self._view())

    def _ask(self) -> Command | None:
        """Show the board and wait for a line that is understood; None at the end of input."""
        pages: list[Page] = []
        while True:
            draw = partial(self._show_page, pages[0]) if pages else self._new_draw()
            draw()
            is_answer_awaited = not pages and not self._is_skipping
            line = self._console.read_line(self._prompt(len(pages)), draw)
            self._messages = []
            if line is None:
                return None
            is_left = bool(pages) and line.strip().lower() in ("q", "quit")
            if is_left or (not line.strip() and not is_answer_awaited):
                pages, self._is_skipping = [] if is_left else pages[1:], False
                continue
            self._is_skipping = False
            try:
                command = read_command(line, self._session.game.width)
            except CommandError as error:
                self._messages = [str(error)]
                pages = []
                continue
            match command:
                case Command(verb=Verb.HELP):
                    pages = [help_lines]
                case Command(verb=Verb.REVIEW):
                    pages = self._review()
                case Command(verb=Verb.WHY):
                    pages = self._why(command.number)
                case Command(verb=Verb.LINES, number=None):
                    pages = self._other_lines()
                case _:
                    return command

    def _new_draw(self) -> Callable[[], None]:
        """What draws the board as it is, with its hints and messages."""
        view = self._view(self._hints())
        return partial(self._draw, replace(view, messages=tuple(self._messages or self._advice())))

    def _show_page(self, page: Page) -> None:
        self._console.show(page(*self._console.size()))

    def _other_lines(self) -> list[Page]:
        texts = [f"{number}: {moves_of(line)}" for number, line in enumerate(self._session.game.variations, 1)]
        if not texts:
            self._messages = ["This game has no other lines; to start one, undo and play another column."]
            return []
        heading = "Other lines of this game (lines 1 continues with the first):"
        return [lambda columns, rows: page_lines("\n".join([heading, *texts[: max(1, rows - 3)]]), columns)]

    def _review(self) -> list[Page]:
        """The course of the game, then a page for each of a person's mistakes."""
        game, seats, signs = self._session.game, self._session.seats, self._console.signs
        if not game.columns:
            self._messages = ["There is nothing to review: no disc was played."]
            return []
        review = self._worked_out("Judging the moves", partial(review_game, game))
        if review is None:
            return []
        pages = [partial(review_lines, review, seats, signs)]
        return [*pages, *(partial(moment_lines, review, ply, seats, signs) for ply in moments_of(review, seats))]

    def _why(self, column: int | None) -> list[Page]:
        """The reason of the position's result, or of a column's."""
        position = self._session.game.position
        if position.is_over:
            self._messages = ["There is nothing to explain: the game is over. undo takes back discs."]
            return []
        if column is not None and not position.is_open(column):
            self._messages = [f"There is nothing to explain: column {column + 1} is full."]
            return []
        seconds = default_seconds(position.width, position.height)
        reason = self._worked_out(
            "Looking for the reason", lambda poll: explain(position, column, Limits(seconds, poll))
        )
        return [] if reason is None else [partial(why_lines, reason)]

    def _worked_out(self, task: str, work: Callable[[Callable[[], None]], Result]) -> Result | None:
        """What the work, which polls, comes to; None if the person types a line instead of waiting for it."""
        self._show_meanwhile(f"{task} ... (press Enter to skip)")
        try:
            return work(self._poll_for_line)
        except _SkippedError:
            self._is_skipping = True
            return None

    def _poll_for_line(self) -> None:
        if self._console.has_line():
            raise _SkippedError

    def _prompt(self, pages: int) -> str:
        if pages > 1:
            return f"Press Enter to look at a mistake ({pages - 1} to go), q for the board> "
        if pages:
            return "Press Enter to return to the board> "
        return "> " if self._session.game.is_over else f"{self._label_on_turn()}> "

    def _advice(self) -> list[str]:
        """What can be done now that is not among the keys."""
        session = self._session
        if session.game.is_over:
            return [WHEN_OVER]
        if not session.is_agents_turn:
            return []
        return [WHEN_WATCHING if session.is_watched else WHEN_WAITING.format(name=session.seat_on_turn.name)]

    def _obey(self, command: Command) -> None:
        session = self._session
        try:
            match command.verb:
                case Verb.DROP:
                    assert command.number is not None
                    session.drop(command.number)
                case Verb.NEXT:
                    session.is_waiting = False
                case Verb.GO:
                    if not session.is_watched:
                        raise CommandError("go works only if two agents play")
                    self._is_going = True
                case Verb.HINT:
                    self._has_hints, self._without_hints = not self._has_hints, None
                    self._messages = [f"Hints are {'on' if self._has_hints else 'off'}."]
                case Verb.SAVE:
                    self._save(command.argument)
                case _:
                    self._change_game(command)
                    # An agent that remembers a game must not see another one.
                    self._agents.stop()
                    self._agents = SeatedAgents(session.seats, session.seed)
        except (CommandError, SavedGameError) as error:
            self._messages = [str(error)]

    def _change_game(self, command: Command) -> None:
        session = self._session
        match command.verb:
            case Verb.UNDO:
                session.undo(command.number)
            case Verb.REDO:
                session.redo(command.number)
            case Verb.FLIP:
                session.flip()
            case Verb.NEW:
                self._messages = ["New game; back returns to the previous one."] if session.game.columns else []
                session.new()
            case Verb.LOAD:
                self._load(command.argument)
            case Verb.BACK:
                session.back()
                self._messages = ["This is the previous game."]
            case Verb.LINES:
                assert command.number is not None
                session.go_to_line(command.number)

    def _load(self, text: str) -> None:
        """Continue a saved game; if it cannot be read, nothing changes."""
        session = self._session
        game, players = load_game(text, session.game.width, session.game.height)
        seats, notes = (None, []) if players is None else seats_again(players, session.seats)
        session.load(game, seats)
        self._messages = [*notes, "Loaded; back returns to the previous game."]

    def _save(self, name: str) -> None:
        game = self._session.game
        if name:
            path = save_game(game, self._session.seats, name)
            self._messages = [f"Saved in {path}; to continue later: load {name}"]
        else:
            self._messages = [f"Moves: {game.moves or 'none'} (save FILE writes them to a file)"]

    def _hints(self) -> Analysis | None:
        """The hints for the board as it is, if they are wanted."""
        position = self._session.game.position
        if not self._has_hints or position.is_over:
            return None
        if position in self._analyses:
            return self._analyses[position]
        if position == self._without_hints:
            self._messages = self._messages or ["The scores were skipped; type h twice to ask for them again."]
            return None
        size = position.width, position.height
        seconds, share = default_seconds(*size), default_share(*size)
        analysis = self._worked_out(
            "Working out the scores", lambda poll: analyze(position, Limits(seconds, poll), share=share)
        )
        if analysis is None:
            self._without_hints = position
        else:
            self._analyses[position] = analysis
        return analysis

    def _label_on_turn(self) -> str:
        return seat_label(self._session.seats, self._console.signs, self._session.game.position.player)

    def _view(self, hints: Analysis | None = None, *messages: str) -> View:
        return View(self._session.game, self._session.seats, hints, messages)

    def _show_meanwhile(self, message: str) -> None:
        """Say what takes time: below the board if that is redrawn in place, otherwise on a line of its own."""
        if self._console.clears:
            self._draw(self._view(None, *self._messages, message))
        else:
            for text in (*self._messages, message):
                self._console.say(text)

    def _draw(self, view: View) -> None:
        console = self._console
        # If boards are printed one below the other, small ones keep the last few in view.
        console.show(screen_lines(view, console.signs, *console.size(), may_grow=console.clears))
