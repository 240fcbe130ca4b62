"""Words: explanations, judged moves and judged games in sentences, with the names that the face uses which shows them.

The sentences are format strings until the end. `{1}` and `{2}` stand for the players; `{cells and:...}`,
`{moves and:...}` and `{line:...}` for cells, which a page can light up. Names are filled in last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from string import Formatter
from typing import Any, NamedTuple

from connect4_agent.drawing.marks import Mark, Meaning
from connect4_agent.reasons.explanation import (
    Explanation,
    Reason,
    ReasonKind,
    cell_played,
    played_cells,
)
from connect4_agent.reasons.judge import OPENING_DISCS, JudgedGame, JudgedMove
from connect4_agent.rules.geometry import Cell
from connect4_agent.rules.notation import DISC_SIGNS
from connect4_agent.rules.oversights import Oversight
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import Grade, Mistake, Result, verdict
from connect4_agent.text import counted

Names = tuple[str, str]

PLAYERS: Names = ("Player 1", "Player 2")
"""The names for programs, which show neither colours nor names of their own."""

COLOURS: Names = ("Red", "Yellow")
"""The names for boards that show each player's sign beside the colour."""

MISTAKES = {
    Mistake.WIN_TO_DRAW: "gives a win away",
    Mistake.WIN_TO_LOSS: "turns a win into a loss",
    Mistake.DRAW_TO_LOSS: "turns a draw into a loss",
    Mistake.SLOWER_WIN: "wins more slowly",
    Mistake.SOONER_LOSS: "loses sooner",
}
OVERSIGHTS = {
    Oversight.MISSED_FOUR: "misses four in a row",
    Oversight.UNBLOCKED_FOUR: "does not block four in a row",
    Oversight.ALLOWED_DOUBLE: "allows a double threat",
    Oversight.GAVE_ABOVE: "lets the other side make four right above",
}

MAX_NAMED = 3
"""The most discs before a reason that a short description names."""

MAX_SHOWN = 12
"""The most discs of the best play that are shown if there is no reason."""

NOT_PROVEN = "The result could not be proven in the time allowed."
NO_REASON = "There is no short reason here: a computer search proved it."

LEGEND = {
    "row": "Columns count from the left, rows from the bottom.",
    "threat": "A threat is an empty cell in which a player makes four as soon as a disc can be dropped there.",
    "double threat": "A double threat is two fours at once: only one of them can be blocked.",
    "threat above a threat": "A threat above a threat is two fours in a column: blocking one opens the one above.",
    "odd threat": "An odd threat is in row 1, 3 or 5. It helps the player who began, who tends to get these rows.",
    "even threat": "An even threat is in row 2, 4 or 6. It helps the second player, who tends to get these rows.",
    "follow-up": "Follow-up (or claimeven) is to answer a disc with one right on top of it, in the same column.",
    "zugzwang": "Zugzwang is to be harmed by having to move: every move that is left loses.",
}
"""The terms, each with a sentence."""


def name_colours(signs: Sequence[str] = DISC_SIGNS[1:]) -> Names:
    """Return the colours with the signs that stand for the discs: `Red (X)` and `Yellow (O)`."""
    return f"{COLOURS[0]} ({signs[0]})", f"{COLOURS[1]} ({signs[1]})"


def describe(found: Explanation | JudgedMove | JudgedGame, names: Names = PLAYERS, *, brief: bool = False) -> str:
    """Return an explanation, a judged move or a judged game in sentences.

    Of a game, these are a line for each mistake and blunder, and a line for each player.

    Args:
        found: What `explain` or `judge` has found.
        names: The names of player 1 and player 2.
        brief: An explanation in one sentence of at most 25 words; what a move did, without the proof.

    Example:
        >>> import connect4_agent as c4
        >>> why = c4.explain(c4.Position.from_moves("4455"), 2)
        >>> c4.describe(why, ("Ann", "Ben"), brief=True)
        'After column 3, Ann can make four at column 2 or 6, row 1 (double threat).'
    """
    if isinstance(found, JudgedGame):
        return "\n".join([*describe_mistakes(found, names), *describe_players(found, names)])
    if isinstance(found, JudgedMove):
        return _describe_move(found, names, brief=brief)
    return "".join(part.text for part in parts(found, names, brief=brief))


def describe_mistakes(game: JudgedGame, names: Names = PLAYERS) -> list[str]:
    """Return a line for each mistake and each blunder of a game."""
    return [
        f"Move {ply}, {names[move.player - 1]}, column {move.column + 1}: {describe(move, names, brief=True)}"
        for ply, move in enumerate(game.moves, 1)
        if move.grade in (Grade.MISTAKE, Grade.BLUNDER)
    ]


def describe_players(game: JudgedGame, names: Names = PLAYERS) -> list[str]:
    """Return a line for each player: the accuracy, and how many moves have each grade."""
    lines = []
    for player, name in enumerate(names, 1):
        counts = game.count(player)
        best, *others = ((count, grade) for grade, count in counts.grades.items())
        words = ", ".join([counted(best[0], "best move"), *(counted(n, grade, grade.plural) for n, grade in others)])
        accuracy = "no judged move" if counts.accuracy is None else f"accuracy {counts.accuracy:g}"
        lines.append(f"{name}: {accuracy} ({words})")
    return lines


def sum_up(game: JudgedGame, player: int, names: Names = COLOURS) -> list[Part]:
    """Return what a player should know of a finished game, in pieces: what lost it, or praise; nothing for others."""
    overlooked = [(ply, move) for ply, move in enumerate(game.moves) if move.player == player and move.oversight]
    is_lost = game.start.after(game.columns).winner == 3 - player
    if not overlooked:
        return [Part("You overlooked nothing." + " Only a look far ahead shows what lost." * is_lost)]
    ply, move = overlooked[-1]
    you = _player(3 - player)
    why = {
        Oversight.MISSED_FOUR: "You could make four in a row.",
        Oversight.UNBLOCKED_FOUR: f"{you} could make four in a row.",
        Oversight.ALLOWED_DOUBLE: f"Your disc let {you} make two fours at once.",
        Oversight.GAVE_ABOVE: f"Your disc let {you} make four right above it.",
    }[move.oversight or Oversight.MISSED_FOUR]
    columns = columns_in_words(move.alternatives[:2])
    return list(fill(f"Move {ply + 1}: {columns} was open. {why}", names)) if is_lost else []


def name_mistake(move: JudgedMove) -> str:
    """Return what was wrong about a move, such as `allows a double threat`; empty if nothing was."""
    return OVERSIGHTS[move.oversight] if move.oversight else MISTAKES[move.mistake] if move.mistake else ""


def say_move(move: JudgedMove) -> str:
    """Return what was wrong about a move and what was better, as sentences; empty if nothing was wrong."""
    better = f" Better: {columns_in_words(move.better)}." if move.better else ""
    return f"Column {move.column + 1} {name_mistake(move)}.{better}" if name_mistake(move) else ""


def remark(ply: int, move: JudgedMove) -> str:
    """Return what was better than a grave mistake: `Move 11: column 4 was open.` Empty for other moves.

    Hardly anybody can see what is wrong with a mistake in the opening, unless it is an oversight.
    """
    if move.grade not in (Grade.MISTAKE, Grade.BLUNDER) or (ply < OPENING_DISCS and not move.oversight):
        return ""
    was = {
        Oversight.MISSED_FOUR: "made four in a row",
        Oversight.UNBLOCKED_FOUR: "was open",
        Oversight.ALLOWED_DOUBLE: "stopped two fours at once",
        Oversight.GAVE_ABOVE: "was safe",
        None: "was better",
    }
    return f"Move {ply + 1}: {columns_in_words(move.alternatives[:2])} {was[move.oversight]}."


def _describe_move(move: JudgedMove, names: Names, *, brief: bool) -> str:
    empty_count = move.position.empty_count
    scores = [None if score is None else verdict(score, empty_count) for score in (move.score_before, move.score)]
    wrong = name_mistake(move)
    if not wrong:
        return "" if scores[1] is None else f"With best play, {names[move.player - 1]} {scores[1]}."
    better = columns_in_words(move.better) if move.better else ""
    if brief:
        return f"{wrong} ({move.grade})" + (f"; better: {better}" if better else "")
    sentences = [f"{(move.grade or Grade.BEST).capitalize()}: {wrong}."]
    if scores[0] is not None:
        sentences.append(f"Best play {scores[0]}, this {scores[1]}.")
    if better:
        sentences.append(f"Better: {better}.")
    if move.explanation is not None:
        sentences.append(describe(move.explanation, names, brief=True))
    return " ".join(sentences)


class Part(NamedTuple):
    """A piece of a sentence, with the player or the cells that it names."""

    text: str
    player: int | None = None
    cells: tuple[Cell, ...] = ()

    def to_dict(self) -> str | dict[str, Any]:
        """Return the piece for a page: text that names nothing is a string."""
        if self.player is not None:
            return {"text": self.text, "player": self.player}
        return {"text": self.text, "cells": self.cells} if self.cells else self.text


def parts(explanation: Explanation, names: Names, *, brief: bool = False) -> list[Part]:
    """Return a description in pieces."""
    return list(fill(_brief(explanation) if brief else _whole(explanation), names))


def add_words(explanation: Explanation) -> dict[str, Any]:
    """Return `to_dict()` of an explanation, with the words for a board's page: `summary`, `text` and `legend`."""
    return {
        **explanation.to_dict(),
        "summary": [part.to_dict() for part in parts(explanation, COLOURS, brief=True)],
        "text": [part.to_dict() for part in parts(explanation, COLOURS)],
        "legend": find_terms(explanation),
    }


def find_terms(explanation: Explanation) -> list[str]:
    """Return what the terms of the description mean, and how cells are counted."""
    text = describe(explanation).lower()
    return [words for term, words in LEGEND.items() if term in text]


def marked_drawing(explanation: Explanation, discs: Sequence[str] = DISC_SIGNS[1:], threats: str = "xo") -> str:
    """Return the board as lines of text with the marks, and below it what the marks mean."""
    position, marks = explanation.position, explanation.marks
    signs = {(mark.column, mark.row): _sign(mark, discs, threats) for mark in marks}
    rows = []
    for row in reversed(range(position.height)):
        cells = [
            signs.get((column, row), f" {(DISC_SIGNS[0], *discs)[grid[position.height - 1 - row]]} ")
            for column, grid in enumerate(position.grid())
        ]
        rows.append(f"{row + 1:>3} {''.join(cells)}".rstrip())
    numbers = "".join(f"{column + 1:^3}" for column in range(position.width))
    meanings = {
        Meaning.MOVE: "[ ] the move",
        Meaning.LINE: "1, 2, ... the moves to come",
        Meaning.KEY: "* the cell to take first",
        Meaning.THREAT: f"{threats[0]}, {threats[1]} a threat of that player",
        Meaning.NEEDED: f"({threats[0]}), ({threats[1]}) a cell that player still needs",
        Meaning.AVOID: "! the cell nobody wants to take",
        Meaning.PAIR: "=1 a cell and its answer",
    }
    used = {mark.meaning for mark in marks}
    key = [words for meaning, words in meanings.items() if meaning in used]
    return "\n".join([*rows, f"    {numbers}".rstrip(), "", "; ".join(key)])


def _sign(mark: Mark, discs: Sequence[str], threats: str) -> str:
    """Return a mark in three characters."""
    owner = (mark.player or 1) - 1
    return {
        Meaning.MOVE: f"[{discs[owner]}]",
        Meaning.LINE: f"{mark.number:^3}" if mark.number is not None else "",
        Meaning.KEY: " * ",
        Meaning.THREAT: f" {threats[owner]} ",
        Meaning.NEEDED: f"({threats[owner]})",
        Meaning.AVOID: " ! ",
        Meaning.PAIR: f"={mark.number} ",
    }[mark.meaning]


# Templates.


def fill(template: str, names: Names) -> Iterator[Part]:
    """Yield the parts of a template."""
    for text, field, spec, _ in Formatter().parse(template):
        if text:
            yield Part(text)
        if field in ("1", "2"):
            yield Part(names[int(field) - 1], player=int(field))
        elif field and spec:
            cells = tuple((int(column), int(row)) for column, row in (cell.split(".") for cell in spec.split()))
            form, _, joint = field.partition(" ")
            yield Part(
                {"cells": _name_cells, "moves": _name_moves, "line": _name_line}[form](cells, joint), None, cells
            )


def _field(form: str, cells: Iterable[Cell]) -> str:
    return f"{{{form}:{' '.join(f'{column}.{row}' for column, row in cells)}}}"


def at(cells: Iterable[Cell], joint: str = "and") -> str:
    """Return the template for cells."""
    return _field(f"cells {joint}", cells)


def line_at(cells: Iterable[Cell]) -> str:
    """Return the template for a line of cells, from its left or lower end."""
    return _field("line", cells)


def _in(cells: Iterable[Cell], joint: str = "and") -> str:
    """Return the template for discs that are dropped into these cells: their columns say it all."""
    return _field(f"moves {joint}", cells)


def _name_cells(cells: Sequence[Cell], joint: str) -> str:
    columns = [str(column + 1) for column, _ in cells]
    rows = [str(row + 1) for _, row in cells]
    if len(set(rows)) == 1:
        return f"{_numbered('column', columns, joint)}, row {rows[0]}"
    if len(set(columns)) == 1:
        return f"column {columns[0]}, {_numbered('row', rows, joint)}"
    *others, last = (f"column {column}, row {row}" for column, row in zip(columns, rows, strict=True))
    return f"{'; '.join(others)}{';' if len(others) > 1 else ''} {joint} {last}"


def _name_moves(cells: Sequence[Cell], joint: str) -> str:
    return _numbered("column", [str(column + 1) for column, _ in cells], joint)


def columns_in_words(columns: Iterable[int], joint: str = "or") -> str:
    """Return columns, counted from 0, as people read them: `column 3`, `column 1, 3 or 4`."""
    return _numbered("column", [str(column + 1) for column in sorted(columns)], joint)


def _numbered(noun: str, numbers: Sequence[str], joint: str) -> str:
    """Return `column 3`, `columns 3 and 4`, `column 3 or 4`."""
    return f"{noun}{'s' if len(numbers) > 1 and joint == 'and' else ''} {_listed(numbers, joint)}"


def _name_line(cells: Sequence[Cell], _: str) -> str:
    (left, low), (right, high) = cells[0], cells[-1]
    if left == right:
        return f"column {left + 1}, rows {low + 1} to {high + 1}"
    if low == high:
        return f"columns {left + 1} to {right + 1}, row {low + 1}"
    return f"from column {left + 1}, row {low + 1} to column {right + 1}, row {high + 1}"


def _player(number: int) -> str:
    return f"{{{number}}}"


def _sides(reason: Reason) -> tuple[str, str]:
    """Return the templates for the player of a reason, and for the other one."""
    return _player(reason.player), _player(3 - reason.player)


# Sentences.


def _whole(explanation: Explanation) -> str:
    if explanation.result is None:
        return NOT_PROVEN
    sentences = [_verdict(explanation), _why(explanation, explanation.reasons)]
    best = explanation.best
    if best is not None and best.column is not None:
        columns = [best.column, *(column for column in explanation.keeping_columns if column != best.column)]
        right, *others = (cell_played(explanation.position, column) for column in columns)
        first = f"to play {_in([right])} first" if right == explanation.key_cell else _in([right])
        also = f" (or {_in(others, 'or')})" if others else ""
        why = _why(best, best.reasons[:1])  # of a draw, that the player who erred was safe
        if not explanation.reasons:
            why = why.removeprefix(f"{NO_REASON} ")
        sentences.append(f"The right move was {first}{also}. {why}")
    return " ".join(sentences)


def _verdict(explanation: Explanation) -> str:
    position, result = explanation.position, explanation.result
    if explanation.column is None:
        if result is Result.DRAW:
            return "Neither side can force a win."
        return f"{_player(position.player if result is Result.WIN else 3 - position.player)} wins."
    move = _in([cell_played(position, explanation.column)])
    if explanation.mistake is not None:
        before, after = explanation.mistake.value.split(" to ")
        return f"Playing {move} turns a {before} into a {after}."
    words = {Result.WIN: "wins", Result.DRAW: "draws", Result.LOSS: "loses, as every move does"}
    return f"Playing {move} {words[result or Result.DRAW]}."


def _why(explanation: Explanation, reasons: Sequence[Reason]) -> str:
    """Return the reasons, or what is known instead."""
    if not reasons:
        return _best_play(explanation)
    words = [
        f"{_lead(explanation, reason)}{_proof(reason, explanation.position.after(reason.lead))}" for reason in reasons
    ]
    if len(reasons) > 1:
        words = [f"{_player(reason.player)} is safe. {proof}" for reason, proof in zip(reasons, words, strict=True)]
    return " ".join(words)


def _best_play(explanation: Explanation) -> str:
    """Return what is known without a reason."""
    later = explanation.later
    play = [*later[0].lead, *_begin(later[0])] if later else explanation.best_play
    if not play:
        return NO_REASON
    moves = _in(played_cells(explanation.position, play[:MAX_SHOWN]))
    if len(play) > MAX_SHOWN:
        moves += f" and so on, {len(play)} discs in all"
    then = f" After that, {_short(later, explanation.position)}." if later else ""
    return f"{NO_REASON} Best play goes in {moves}.{then}"


def _lead(explanation: Explanation, reason: Reason) -> str:
    """Return the moves before the reason applies, and what is claimed about other replies."""
    cells = played_cells(explanation.position, reason.lead)[explanation.column is not None :]
    if not cells:
        return ""
    me, you = _sides(reason)
    if not _has_replies(explanation, reason):
        return f"{me} plays {_in(cells)}. "
    if reason.cases == 1:
        return f"Play goes in {_in(cells)}: {you} has no other reply. "
    if reason.is_covered:
        return f"Every reply of {you} was checked ({reason.cases} cases). One of the longest goes in {_in(cells)}. "
    return f"Against the best defence, play goes in {_in(cells)}. A search proved that no other reply is better. "


def _has_replies(explanation: Explanation, reason: Reason) -> bool:
    """Check whether the other side moves during the lead, apart from the move that is explained."""
    position, lead = explanation.position, reason.lead
    if explanation.column is not None:
        position, lead = position.play(explanation.column), lead[1:]
    return len(lead) > (position.player == reason.player)


def _proof(reason: Reason, position: Position) -> str:
    """Return the proof, from the position in which it applies."""
    if reason.kind is ReasonKind.NO_LINE:
        return f"Every line of four of {_player(3 - reason.player)} is blocked."
    if reason.plan is not None:
        return _winning_plan(reason, position) if reason.proves is Result.WIN else _holding_plan(reason)
    return _sequence(reason, position)


def _sequence(reason: Reason, position: Position) -> str:
    me, you = _sides(reason)
    cells = played_cells(position, reason.line)
    if len(cells) == 1:
        return f"{me} makes four at {at(cells)}{_with(reason)}."
    steps = []
    if len(cells) % 2 == 0 and reason.kind is not ReasonKind.DOUBLE:  # the other side is to move, and has to block
        steps.append(f"{you} must block {_in([cells.pop(0)])}")
    while len(cells) > 3:
        steps.append(f"{me} plays {_in([cells.pop(0)])}, and {you} must block {_in([cells.pop(0)])}")
    plays = f"{me} plays {_in(cells[:1])}" if len(cells) == 3 else ""
    if reason.is_double:
        fours = f"{plays} and" if plays else me
        steps.append(f"{fours} can make four at {at(cells[-2:], 'or')}: {you} can block only one (double threat)")
    else:
        blocks = f"{plays}, and {you} must block {_in([cells[-2]])}" if plays else steps.pop()
        steps.append(f"{blocks}, but then {me} makes four right above, at {at(cells[-1:])} (threat above a threat)")
    forced = "Every reply is forced. " if reason.kind is ReasonKind.FORCED else ""
    return f"{forced}{'; then '.join(steps)}."


def _winning_plan(reason: Reason, position: Position) -> str:
    me, you = _sides(reason)
    end = played_cells(position, reason.line)[-1]
    sentences = [_aim(reason, position, end), _rule(reason)]
    if useless := [cell for cell in reason.opponent_threats if cell not in reason.needed]:
        noun, pronoun = ("a threat", "it") if len(useless) == 1 else ("threats", "them")
        sentences.append(f"{you} has {noun} at {at(useless)}, but never gets to use {pronoun}.")
    if reason.avoid is not None and reason.waiting:
        avoid = at([reason.avoid])
        sentences.append(
            f"Nobody wants to play {avoid}. {you} is to move and {reason.waiting} other cells are left, an even "
            f"number, so {you} runs out of them first. Then {you} has to play {avoid}, and {me} makes four at "
            f"{at([end])} (zugzwang)."
        )
        if not reason.is_only_end:
            sentences.append("No other defence lasts longer.")
    else:
        moves = _counted(len(reason.line) // 2, "move")
        sentences.append(f"Whatever {you} plays, {me} makes four within {moves}.")
        if reason.avoid is not None:
            sentences.append(
                f"In the longest defence, {you} runs out of safe moves: {at([reason.avoid])}, for example, lets "
                f"{me} make four right above, at {at([end])} (zugzwang)."
            )
        else:
            sentences.append(f"The longest defence ends with the four at {at([end])}.")
    return " ".join([*sentences, _checked(reason)])


def _holding_plan(reason: Reason) -> str:
    count = reason.open_lines
    lines = "either of the 2 lines" if count == 2 else f"any of the {count} lines"
    lines = "the only line of four that is left" if count == 1 else f"{lines} of four that are left"
    return f"{_rule(reason)} So {_player(3 - reason.player)} never completes {lines}. {_checked(reason)}"


def _aim(reason: Reason, position: Position, end: Cell) -> str:
    """Return the four that the plan is about."""
    me, you = _sides(reason)
    if reason.needed == (end,):
        parity = "odd" if end[1] % 2 == 0 else "even"
        began = position.disc_count % 2 == (0 if position.player == reason.player else 1)
        helps = ""
        if position.height % 2 == 0 and began == (parity == "odd"):
            helps = f", the kind that helps {'the player who began' if began else 'the second player'}"
        return f"{me} has an {parity} threat at {at([end])}{_with(reason)}{helps}."
    cells = at(reason.needed)
    if reason.is_sure:
        return f"{me} needs {cells} to make four{_with(reason)}, and {you} never gets there first."
    return f"{me} aims at {cells} to make four{_with(reason)}."


def _rule(reason: Reason) -> str:
    """Return the plan as a rule."""
    me, you = _sides(reason)
    plan = reason.plan
    assert plan is not None
    but = ""
    if plan.kept:
        threats = "threat" if len(plan.kept) == 1 else "threats"
        above = [(column, row + 1) for column, row in plan.kept]
        but = f", but stay off {at(plan.kept)}, right below the {threats} at {at(above)}"
    words = (
        f"The plan of {me}: make four if possible, block if necessary, and otherwise play right on top of the last "
        f"disc of {you} (follow-up){but}."
    )
    for pair in plan.pairs:
        one, two = at(pair[:1]), at(pair[1:])
        if pair[::-1] in plan.answers:
            words += f" If {you} takes {one} or {two}, {me} takes the other of the two."
        else:
            words += f" If {you} takes {one}, {me} takes {two}{' anyway' if pair[1] in plan.kept else ''}."
    if reason.uses_spares:
        first = "nearest the centre" if plan.spare is None else f"column {plan.spare + 1} first"
        words += (
            f" If that is not possible or not safe, {me} plays in another column: one with an odd number of cells to "
            f"fill if possible, {first}."
        )
    return words


def _with(reason: Reason) -> str:
    """Return the line of the four, if some of its discs are there already."""
    return f" ({_field('line', reason.four)})" if set(reason.four) - set(reason.needed) else ""


def _checked(reason: Reason) -> str:
    you, count = _player(3 - reason.player), _counted(reason.checked, "position")
    return f"Checked against everything that {you} can play: {count}."


# The brief form: at most 8 words for what comes first, at most 17 for the reason.


def _brief(explanation: Explanation) -> str:
    if explanation.result is None:
        return NOT_PROVEN
    if explanation.reasons:
        words = _short_lead(explanation) + _short(explanation.reasons, explanation.position)
        return f"{words[:1].upper()}{words[1:]}."
    if explanation.later:
        return f"{NO_REASON} One comes after {_counted(len(explanation.later[0].lead), 'disc')} of best play."
    return NO_REASON


def column_reason(explanation: Explanation, column: int) -> str:
    """Return the template for a column and the brief reason why it is right, without naming the column twice."""
    cells = _in([cell_played(explanation.position, column)])
    words = _brief(explanation).removeprefix(f"After {cells}, ").replace(f" to {cells}", "", 1)
    first = words.partition(" ")[0]
    return f"Column {column + 1}: {words if first.startswith('{') else words[0].lower() + words[1:]}"


def _short_lead(explanation: Explanation) -> str:
    """Return what is played before the reason applies, and what is claimed about other replies."""
    reasons, position = explanation.reasons, explanation.position
    reason = reasons[0]
    cells = played_cells(position, [*reason.lead, *_begin(reason)])
    has_replies = any(_has_replies(explanation, each) for each in reasons)
    if not has_replies or (reason.cases == 1 and len(cells) <= MAX_NAMED):
        return f"after {_in(cells)}, " if cells else ""
    if len(reasons) > 1:
        return ""
    is_first = position.player == reason.player
    reply = f"reply to {_in([cells[not is_first]])}" if is_first or explanation.column is not None else "move"
    return f"every {reply} fails; for example, " if reason.is_covered else f"even the best {reply} fails because "


def _short(reasons: Sequence[Reason], position: Position) -> str:
    """Return the reason, once its first moves have been played."""
    reason = reasons[0]
    me, you = _sides(reason)
    if len(reasons) > 1:
        no_lines = all(each.kind is ReasonKind.NO_LINE and len(each.lead) <= len(reason.lead) for each in reasons)
        return "nobody can make four any more" if no_lines else "each side can stop every line of the other"
    if reason.kind is ReasonKind.NO_LINE:
        return f"every line of four of {you} is blocked"
    if reason.kind is ReasonKind.HOLD:
        lines = {1: "the only line", 2: "both lines"}.get(reason.open_lines, f"all {reason.open_lines} lines")
        return f"the plan of {me} stops {lines} that {you} has left"
    *_, before, end = [None, *played_cells(position.after(reason.lead), reason.line)]
    assert end is not None
    four = at([end])
    if before is None:
        return f"{me} makes four at {four}"
    if reason.kind is ReasonKind.ZUGZWANG and reason.avoid is None:
        return f"the plan of {me} wins: the longest defence ends with four at {four}"
    return {
        ReasonKind.ZUGZWANG: f"{you} runs out of safe moves: {_in([before])} allows four above, in row {end[1] + 1}",
        ReasonKind.DOUBLE: f"{me} can make four at {at([before, end], 'or')} (double threat)",
        ReasonKind.ABOVE: f"{you} must block {_in([before])}, below a four in row {end[1] + 1}",
        ReasonKind.FORCED: f"the forced moves of {me} end with four at {four}",
    }[reason.kind]


def _begin(reason: Reason) -> tuple[int, ...]:
    """Return the first disc of a sequence that its player begins."""
    return reason.line[:1] if reason.plan is None and len(reason.line) % 2 and len(reason.line) > 1 else ()


def _counted(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"


def _listed(names: Sequence[str], joint: str = "and") -> str:
    return f"{', '.join(names[:-1])} {joint} {names[-1]}" if len(names) > 1 else names[0]
