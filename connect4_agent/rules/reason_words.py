"""Reasons in words: a summary of at most 20 words, full sentences, and a legend of the terms that players use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from connect4_agent.rules.outcome import Cell
from connect4_agent.rules.position import DISC_SIGNS, Position
from connect4_agent.rules.reasons import (
    Explanation,
    Mark,
    Meaning,
    Reason,
    ReasonKind,
    cell_name,
    cell_played,
    column_letter,
    played_cells,
)
from connect4_agent.rules.scores import Mistake, Result

MAX_WORDS = 20
"""The most words of a summary."""

MAX_NAMED = 3
"""The longest lead that a summary names disc by disc."""

MAX_SHOWN = 12
"""How many plies of the best play are shown if there is no reason."""

LEGEND = {
    "cell": "A cell has the letter of its column, a for column 1, and its row, from the bottom: c2 is column 3, row 2.",
    "threat": "A threat is an empty cell in which a player makes four as soon as a disc can be dropped there.",
    "double threat": "A double threat is two fours at once: only one of them can be blocked.",
    "threat above a threat": "A threat above a threat is two fours in a column: blocking one opens the one above.",
    "odd": "An odd threat is in row 1, 3 or 5. It helps the player who began, who tends to get these rows.",
    "even": "An even threat is in row 2, 4 or 6. It helps the second player, who tends to get these rows.",
    "follow-up": "Follow-up (or claimeven) is to answer a disc with one right on top of it, in the same column.",
    "zugzwang": "Zugzwang is to be harmed by having to move: every move that is left loses.",
    "pair": "Two cells are a pair if taking one of them is answered by taking the other.",
    "ply": "A ply is one disc of one player.",
}
"""The terms, each with a sentence."""

_SAID_AS = {"odd": "odd threat", "even": "even threat", "pair": "are a pair", "ply": "ply|plies", "cell": ""}


def legend(text: str) -> dict[str, str]:
    """The terms that a text uses, each with its explanation."""
    return {
        term: words
        for term, words in LEGEND.items()
        if re.search(rf"\b({_SAID_AS.get(term, f'{term}s?')})\b", text, re.IGNORECASE)
    }


def summary(explanation: Explanation) -> str:
    """The reason in at most 20 words."""
    if explanation.result is None:
        return "The result could not be proven in the time."
    if not explanation.reasons:
        return _capital(_joined(["no short reason found", _when_later(explanation)])) + "."
    reason = explanation.reasons[0]
    if len(explanation.reasons) == 1:
        body = _short(reason, explanation.position)
        optional = [_short_lead(explanation, reason)]
        if explanation.key_cell is not None:
            key = f"key cell {cell_name(explanation.key_cell)}:"
            body = body.removeprefix(f"{cell_name(explanation.key_cell)}: ")
            optional = [key, *optional] if _has_replies(explanation, reason) else [key]
    else:
        body = _short_draw(explanation.reasons)
        optional = [_short_lead(explanation, reason)] if not any(map(_has_replies, explanation.reasons)) else []
    words = body.split()
    for part in reversed(optional):
        if len(words) + len(part.split()) <= MAX_WORDS:
            words = [*part.split(), *words]
    return _capital(" ".join(words)) + "."


def text(explanation: Explanation) -> str:
    """The reason in full sentences."""
    position, reasons = explanation.position, explanation.reasons
    if explanation.result is None:
        return "The result could not be proven in the time, so there is no reason."
    parts = [_verdict(explanation)]
    if not reasons:
        parts.append(_what_is_known(explanation))
    elif len(reasons) == 1:
        parts.append(_reason_text(explanation, reasons[0]))
    else:
        parts += [f"Player {reason.player} holds. {_reason_text(explanation, reason)}" for reason in reasons]
    best = explanation.best
    if best is not None and best.column is not None:
        right = cell_name(cell_played(position, best.column))
        others = [column for column in explanation.best_columns if column != best.column]
        also = f" (or {_listed(cell_name(cell_played(position, column)) for column in others)})" if others else ""
        parts.append(f"The right move was {right}{also}. {_right(best)}")
    return " ".join(parts)


def _right(best: Explanation) -> str:
    """Why the right move is right."""
    if not best.reasons:
        return _what_is_known(best)
    return _reason_text(best, best.reasons[0])


def marked_drawing(explanation: Explanation) -> str:
    """The board as lines of text with the marks, and below it what the marks mean."""
    position, marks = explanation.position, explanation.marks
    signs = {(mark.column, mark.row): _sign(mark) for mark in marks}
    rows = []
    for row in reversed(range(position.height)):
        cells = [
            signs.get((column, row), f" {DISC_SIGNS[grid[position.height - 1 - row]]} ")
            for column, grid in enumerate(position.grid())
        ]
        rows.append(f"{row + 1:>3} {''.join(cells)}".rstrip())
    letters = "".join(f"{column_letter(column):^3}" for column in range(position.width))
    numbers = "".join(f"{column + 1:^3}" for column in range(position.width))
    meanings = {_SIGN_MEANINGS[mark.meaning] for mark in marks}
    key = ["X player 1", "O player 2", *(words for words in _SIGN_MEANINGS.values() if words in meanings)]
    return "\n".join([*rows, f"    {letters}".rstrip(), f"    {numbers}".rstrip(), "", "; ".join(key)])


_SIGN_MEANINGS = {
    Meaning.MOVE: "[ ] the move",
    Meaning.LINE: "1, 2, ... the moves to come",
    Meaning.KEY: "* the key cell",
    Meaning.THREAT: "x, o a threat of that player",
    Meaning.NEEDED: "(x), (o) a cell that player still needs",
    Meaning.AVOID: "! the cell nobody wants to take",
    Meaning.PAIR: "=1 a cell and its answer",
}


def _sign(mark: Mark) -> str:
    """A mark in three characters."""
    disc = DISC_SIGNS[mark.player or 0]
    return {
        Meaning.MOVE: f"[{disc}]",
        Meaning.LINE: f"{mark.number:^3}" if mark.number is not None else "",
        Meaning.KEY: " * ",
        Meaning.THREAT: f" {disc.lower()} ",
        Meaning.NEEDED: f"({disc.lower()})",
        Meaning.AVOID: " ! ",
        Meaning.PAIR: f"={mark.number} ",
    }[mark.meaning]


# Sentences.


def _verdict(explanation: Explanation) -> str:
    position, result = explanation.position, explanation.result
    if explanation.column is None:
        if result is Result.DRAW:
            return "Neither side can force a win."
        winner = position.player if result is Result.WIN else 3 - position.player
        return f"Player {winner} wins."
    move = cell_name(cell_played(position, explanation.column))
    if explanation.mistake is not None:
        return f"{_capital(move)} {_MISTAKES[explanation.mistake]}. {_given_away(explanation)}".rstrip()
    words = {Result.WIN: "wins", Result.DRAW: "draws", Result.LOSS: "loses, as every move does"}
    return f"{_capital(move)} {words[result or Result.DRAW]}."


_MISTAKES = {
    Mistake.WIN_TO_DRAW: "turns a win into a draw",
    Mistake.WIN_TO_LOSS: "turns a win into a loss",
    Mistake.DRAW_TO_LOSS: "turns a draw into a loss",
}


def _given_away(explanation: Explanation) -> str:
    """What a mistake did, in half a sentence that the board shows."""
    if explanation.key_cell is not None:
        other = 3 - explanation.position.player
        return f"The key cell is {cell_name(explanation.key_cell)}: player {other} takes it now."
    reply = explanation.line[1:2] if explanation.reasons else ()
    if reply and reply[0] == explanation.column:
        cell = played_cells(explanation.position, explanation.line[:2])[1]
        return f"It lets player {3 - explanation.position.player} in right above, at {cell_name(cell)}."
    return ""


def _reason_text(explanation: Explanation, reason: Reason) -> str:
    """A reason: the moves to it, then the proof."""
    position = explanation.position.after(reason.lead)
    lead = _lead(explanation, reason)
    return f"{lead} {_capital(_proof(reason, position))}".strip()


def _lead(explanation: Explanation, reason: Reason) -> str:
    """The moves before the reason applies, and what is claimed about other replies."""
    cells = [cell_name(cell) for cell in played_cells(explanation.position, reason.lead)]
    if not cells:
        return ""
    other = 3 - reason.player
    if not _has_replies(explanation, reason):
        if explanation.column is not None and len(cells) == 1:
            return ""
        is_said = explanation.key_cell is not None and cells[-1] == cell_name(explanation.key_cell)
        return "" if is_said else f"Player {reason.player} plays {cells[-1]}."
    moves = " ".join(cells[explanation.column is not None :])
    if reason.cases == 1:
        return f"Play goes {moves}, and player {other} has no other reply."
    if reason.is_covered:
        return f"Every reply of player {other} was checked, {reason.cases} cases. One of the longest is {moves}."
    return (
        f"Against the best defence, play goes {moves}; "
        f"that no other reply is better is known from the solver, not from a short reason."
    )


def _has_replies(explanation_or_reason: Explanation | Reason, reason: Reason | None = None) -> bool:
    """Whether the other side moves during the lead, apart from the move that is explained."""
    if isinstance(explanation_or_reason, Reason):
        return len(explanation_or_reason.lead) > 1
    assert reason is not None
    explanation = explanation_or_reason
    position = explanation.position if explanation.column is None else explanation.position.play(explanation.column)
    plies = len(reason.lead) - (explanation.column is not None)
    return plies > (position.player == reason.player)


def _proof(reason: Reason, position: Position) -> str:
    """The proof, from the position in which it applies."""
    if reason.kind is ReasonKind.NO_LINE:
        return f"Player {3 - reason.player} has no line of four left that is not blocked."
    if reason.plan is not None:
        return _winning_plan(reason, position) if reason.proves is Result.WIN else _holding_plan(reason)
    return _sequence(reason, position)


def _sequence(reason: Reason, position: Position) -> str:
    me, you = reason.player, 3 - reason.player
    cells = [cell_name(cell) for cell in played_cells(position, reason.line)]
    if len(cells) == 1:
        return f"Player {me} makes four at {cells[0]}{_with(reason)}."
    parts = []
    if len(cells) % 2 == 0:  # the other side is to move, and has to block
        if reason.kind is ReasonKind.DOUBLE:
            return (
                f"Player {me} can make four at {cells[0]} and at {cells[1]}, and player {you} can block only one: "
                f"a double threat."
            )
        parts.append(f"player {you} must block {cells[0]}")
        cells = cells[1:]
    for number in range(0, len(cells) - 3, 2):
        parts.append(f"player {me} plays {cells[number]}, and player {you} must block {cells[number + 1]}")
    if len(cells) == 1:
        return _capital(
            f"{parts[0]}, and player {me} makes four right above it, at {cells[0]}: a threat above a threat."
        )
    move, block, four = cells[-3:]
    if not reason.is_double:
        parts.append(
            f"player {me} plays {move}: player {you} must block {block}, and {four} right above it makes four, "
            f"a threat above a threat"
        )
    else:
        parts.append(
            f"player {me} plays {move}: now both {block} and {four} make four, and player {you} can block only one, "
            f"a double threat"
        )
    forced = "Every reply is forced. " if reason.kind is ReasonKind.FORCED else ""
    return forced + _capital("; then ".join(parts)) + "."


def _winning_plan(reason: Reason, position: Position) -> str:
    me, you = reason.player, 3 - reason.player
    end = played_cells(position, reason.line)[-1]
    parts = [f"{_aim(reason, position, end)} {_rule(reason)}"]
    useless = [cell for cell in reason.opponent_threats if cell not in reason.needed]
    if useless:
        them = "it" if len(useless) == 1 else "them"
        parts.append(
            f"Player {you} has {_threats(useless)} at {_listed(map(cell_name, useless))}, but never gets to use {them}."
        )
    if reason.avoid is not None and reason.waiting:
        parts.append(
            f"Nobody wants to play {cell_name(reason.avoid)}. The other {reason.waiting} cells are an even number and "
            f"it is player {you}'s turn, so player {you} runs out of them first and has to play it; "
            f"then player {me} makes four at {cell_name(end)} (zugzwang)."
        )
        if not reason.is_only_end:
            parts.append("Everything else loses no later.")
    else:
        parts.append(f"However player {you} plays, player {me} makes four within {len(reason.line)} plies.")
        if reason.avoid is not None:
            parts.append(
                f"In the longest defence, every move of player {you} loses in the end: {cell_name(reason.avoid)}, for "
                f"example, lets player {me} make four right above, at {cell_name(end)} (zugzwang)."
            )
        else:
            parts.append(f"The longest defence ends with the four at {cell_name(end)}.")
    parts.append(_checked(reason))
    return " ".join(parts)


def _holding_plan(reason: Reason) -> str:
    you = 3 - reason.player
    lines = "the only line" if reason.open_lines == 1 else f"any of the {reason.open_lines} lines of four"
    return f"{_rule(reason)} Then player {you} never completes {lines} still open to it. {_checked(reason)}"


def _aim(reason: Reason, position: Position, end: Cell) -> str:
    """The four that the plan is about."""
    me, you = reason.player, 3 - reason.player
    if reason.needed == (end,):
        parity = "odd" if end[1] % 2 == 0 else "even"
        began = position.disc_count % 2 == (0 if position.player == me else 1)
        helps = ""
        if position.height % 2 == 0 and began == (parity == "odd"):
            helps = f", the kind that helps {'the player who began' if began else 'the second player'}"
        return f"Player {me} has an {parity} threat at {cell_name(end)}{_with(reason)}{helps}."
    cells = _listed(map(cell_name, reason.needed))
    if reason.is_sure:
        return f"Player {me} needs {cells} for a four{_with(reason)}, and player {you} can never get there first."
    return f"Player {me} aims at {cells} for a four{_with(reason)}."


def _rule(reason: Reason) -> str:
    """The plan as a rule."""
    me, you = reason.player, 3 - reason.player
    plan = reason.plan
    assert plan is not None
    but = ""
    if plan.kept:
        threats = _listed(cell_name((column, row + 1)) for column, row in plan.kept)
        noun = "threat" if len(plan.kept) == 1 else "threats"
        but = f", but keep out of {_listed(map(cell_name, plan.kept))}, below the {noun} at {threats}"
    words = (
        f"Player {me}'s plan: make four if possible, block if necessary, and otherwise answer every disc right on "
        f"top of it (follow-up){but}."
    )
    for one, two in plan.pairs:
        if (two, one) in plan.answers:
            words += (
                f" {_capital(cell_name(one))} and {cell_name(two)} are a pair: "
                f"if player {you} takes one, player {me} takes the other."
            )
        else:
            still = " all the same" if two in plan.kept else ""
            words += f" If player {you} takes {cell_name(one)}, player {me} takes {cell_name(two)}{still}."
    if reason.uses_spares:
        first = "nearest the centre" if plan.spare is None else f"column {column_letter(plan.spare)} first"
        words += (
            f" If that is not possible, or would let player {you} make four, player {me} plays in another column, "
            f"if possible one with an odd number of free cells, {first}."
        )
    return words


def _counted(count: int, one: str, many: str = "") -> str:
    return f"1 {one}" if count == 1 else f"{count:,} {many or f'{one}s'}"


def _with(reason: Reason) -> str:
    """The discs of the four that are there already."""
    discs = [cell for cell in reason.four if cell not in reason.needed]
    return f" (with {_listed(map(cell_name, discs))})" if discs else ""


def _checked(reason: Reason) -> str:
    return f"Checked against every play of player {3 - reason.player}: {_counted(reason.checked, 'position')}."


def _what_is_known(explanation: Explanation) -> str:
    """What is said instead of a reason."""
    position = explanation.position
    words = "No short reason was found: the result was looked up, not searched for."
    if explanation.nodes:
        words = "No short reason was found: the result comes from the solver."
    lead = explanation.later[0].lead if explanation.later else explanation.best_play
    moves = " ".join(cell_name(cell) for cell in played_cells(position, lead[:MAX_SHOWN]))
    if len(lead) > MAX_SHOWN:
        moves += f" and so on, {len(lead)} plies in all"
    if not moves:
        return words
    words += f" Best play: {moves}."
    if explanation.later:
        words += f" Then there is a reason: {_short_any(explanation.later, position)}."
    return words


def _when_later(explanation: Explanation) -> str:
    if not explanation.later:
        return ""
    plies = len(explanation.later[0].lead)
    return f"one comes after {_counted(plies, 'ply', 'plies')} of best play: {explanation.later[0].kind.value}"


# Short forms: at most 12 words each.


def _short_any(reasons: Sequence[Reason], position: Position) -> str:
    return _short(reasons[0], position) if len(reasons) == 1 else _short_draw(reasons)


def _short(reason: Reason, position: Position) -> str:  # noqa: PLR0911  # a sentence for each kind
    me, you = reason.player, 3 - reason.player
    position = position.after(reason.lead)
    if reason.kind is ReasonKind.NO_LINE:
        return f"player {you} has no open line of four left"
    if reason.kind is ReasonKind.HOLD:
        if reason.open_lines == 1:
            return f"follow-up stops the only line still open to player {you}"
        return f"follow-up stops all {reason.open_lines} lines still open to player {you}"
    cells = [cell_name(cell) for cell in played_cells(position, reason.line)]
    if reason.kind is ReasonKind.ZUGZWANG:
        if reason.avoid is None:
            return f"player {you} cannot stop the four at {cells[-1]}"
        avoid = cell_name(reason.avoid)
        if reason.is_only_end:
            return f"player {you} must finally play {avoid}; then {cells[-1]} makes four (zugzwang)"
        return f"player {you} runs out of safe moves, say {avoid}, then {cells[-1]} (zugzwang)"
    if reason.kind is ReasonKind.FOUR:
        return f"player {me} makes four at {cells[-1]}"
    begin = f"{cells[0]}: " if len(cells) % 2 else ""
    if reason.kind is ReasonKind.DOUBLE:
        return f"{begin}{cells[-2]} and {cells[-1]} both make four (double threat)"
    if reason.kind is ReasonKind.ABOVE:
        return f"{begin}player {you} must block {cells[-2]}, below a four at {cells[-1]}"
    return f"{begin}forced moves lead to four at {cells[-1]}"


def _short_draw(reasons: Sequence[Reason]) -> str:
    if all(reason.kind is ReasonKind.NO_LINE for reason in reasons):
        return "nobody has an open line of four left"
    return "each side has a plan that stops all lines of the other"


def _short_lead(explanation: Explanation, reason: Reason) -> str:
    """What comes before the reason, in at most 8 words."""
    if not reason.lead:
        return ""
    cells = [cell_name(cell) for cell in played_cells(explanation.position, reason.lead)]
    if not _has_replies(explanation, reason) or (reason.cases == 1 and len(cells) <= MAX_NAMED):
        return f"after {' '.join(cells)}:"
    plies = len(cells) - (explanation.column is not None)
    if reason.is_covered:
        return f"after {_counted(plies, 'ply', 'plies')}, whatever the reply:"
    return f"best defence, {_counted(plies, 'ply', 'plies')} on:"


def _threats(cells: Sequence[Cell]) -> str:
    return "a threat" if len(cells) == 1 else "threats"


def _joined(parts: Iterable[str]) -> str:
    return "; ".join(part for part in parts if part)


def _listed(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _capital(words: str) -> str:
    """A sentence's beginning; the names of cells stay as they are."""
    return words[:1].upper() + words[1:] if not words[1:2].isdigit() else words
