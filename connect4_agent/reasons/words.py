"""Reasons in words: a summary of at most 20 words, full sentences, and a legend of the terms that players use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from connect4_agent.drawing.marks import Mark, Meaning, cell_name, column_letter
from connect4_agent.reasons.explanation import (
    Explanation,
    Reason,
    ReasonKind,
    cell_played,
    played_cells,
)
from connect4_agent.rules.geometry import Cell
from connect4_agent.rules.notation import DISC_SIGNS
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import Result

MAX_NAMED = 3
"""How many discs before a reason a summary names."""

MAX_SHOWN = 12
"""How many discs of the best play are shown if there is no reason."""

NOT_PROVEN = "The result could not be proven in the time allowed."
NO_REASON = "There is no short reason here: a computer search proved it."

LEGEND = {
    "cell": "A cell has the letter of its column, a for column 1, and its row, from the bottom: c2 is column 3, row 2.",
    "threat": "A threat is an empty cell in which a player makes four as soon as a disc can be dropped there.",
    "double threat": "A double threat is two fours at once: only one of them can be blocked.",
    "threat above a threat": "A threat above a threat is two fours in a column: blocking one opens the one above.",
    "odd threat": "An odd threat is in row 1, 3 or 5. It helps the player who began, who tends to get these rows.",
    "even threat": "An even threat is in row 2, 4 or 6. It helps the second player, who tends to get these rows.",
    "follow-up": "Follow-up (or claimeven) is to answer a disc with one right on top of it, in the same column.",
    "zugzwang": "Zugzwang is to be harmed by having to move: every move that is left loses.",
}
"""The terms, each with a sentence."""


def legend(text: str) -> dict[str, str]:
    """The terms that a text uses, each with its explanation, and how cells are named."""
    return {
        term: words
        for term, words in LEGEND.items()
        if term == "cell" or re.search(rf"\b{term}s?\b", text, re.IGNORECASE)
    }


def summary(explanation: Explanation) -> str:
    """The reason in at most 20 words."""
    if explanation.result is None:
        return NOT_PROVEN
    if explanation.reasons:
        return _capital(_short_lead(explanation) + _short(explanation.reasons, explanation.position)) + "."
    if explanation.later:
        return f"{NO_REASON} One comes after {_counted(len(explanation.later[0].lead), 'disc')} of best play."
    return NO_REASON


def text(explanation: Explanation) -> str:
    """The reason in full sentences."""
    if explanation.result is None:
        return NOT_PROVEN
    parts = [_verdict(explanation), _why(explanation, explanation.reasons)]
    best = explanation.best
    if best is not None and best.column is not None:
        columns = [best.column, *(column for column in explanation.best_columns if column != best.column)]
        cells = [cell_played(explanation.position, column) for column in columns]
        right, *others = _names(cells)
        first = f"to take {right} first" if cells[0] == explanation.key_cell else right
        also = f" (or {_listed(others, 'or')})" if others else ""
        why = _why(best, best.reasons[:1])  # of a draw, that the player who erred was safe
        if not explanation.reasons:
            why = why.removeprefix(f"{NO_REASON} ")
        parts.append(f"The right move was {first}{also}. {why}")
    return " ".join(parts)


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
    Meaning.KEY: "* the cell to take first",
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
        return f"Player {position.player if result is Result.WIN else 3 - position.player} wins."
    move = cell_name(cell_played(position, explanation.column))
    if explanation.mistake is not None:
        before, after = explanation.mistake.value.split(" to ")
        return f"{move} turns a {before} into a {after}."
    words = {Result.WIN: "wins", Result.DRAW: "draws", Result.LOSS: "loses, as every move does"}
    return f"{move} {words[result or Result.DRAW]}."


def _why(explanation: Explanation, reasons: Sequence[Reason]) -> str:
    """The reasons, or what is known instead."""
    if not reasons:
        return _best_play(explanation)
    words = [
        f"{_lead(explanation, reason)}{_proof(reason, explanation.position.after(reason.lead))}" for reason in reasons
    ]
    if len(reasons) > 1:
        words = [f"Player {reason.player} is safe. {each}" for reason, each in zip(reasons, words, strict=True)]
    return " ".join(words)


def _best_play(explanation: Explanation) -> str:
    """What is known without a reason."""
    later = explanation.later
    play = [*later[0].lead, *_begin(later[0])] if later else explanation.best_play
    if not play:
        return NO_REASON
    moves = " ".join(_names(played_cells(explanation.position, play[:MAX_SHOWN])))
    if len(play) > MAX_SHOWN:
        moves += f" and so on, {len(play)} discs in all"
    then = f" After that, {_short(later, explanation.position)}." if later else ""
    return f"{NO_REASON} Best play goes {moves}.{then}"


def _lead(explanation: Explanation, reason: Reason) -> str:
    """The moves before the reason applies, and what is claimed about other replies."""
    cells = _names(played_cells(explanation.position, reason.lead))[explanation.column is not None :]
    if not cells:
        return ""
    other = 3 - reason.player
    moves = " ".join(cells)
    if not _has_replies(explanation, reason):
        return f"Player {reason.player} plays {moves}. "
    if reason.cases == 1:
        return f"Play goes {moves}: player {other} has no other reply. "
    if reason.is_covered:
        return f"Every reply of player {other} was checked ({reason.cases} cases). One of the longest is {moves}. "
    return f"Against the best defence, play goes {moves}. A search proved that no other reply is better. "


def _has_replies(explanation: Explanation, reason: Reason) -> bool:
    """Whether the other side moves during the lead, apart from the move that is explained."""
    position, lead = explanation.position, reason.lead
    if explanation.column is not None:
        position, lead = position.play(explanation.column), lead[1:]
    return len(lead) > (position.player == reason.player)


def _proof(reason: Reason, position: Position) -> str:
    """The proof, from the position in which it applies."""
    if reason.kind is ReasonKind.NO_LINE:
        return f"Every line of four of player {3 - reason.player} is blocked."
    if reason.plan is not None:
        return _winning_plan(reason, position) if reason.proves is Result.WIN else _holding_plan(reason)
    return _sequence(reason, position)


def _sequence(reason: Reason, position: Position) -> str:
    me, you = reason.player, 3 - reason.player
    cells = _names(played_cells(position, reason.line))
    if len(cells) == 1:
        return f"Player {me} makes four at {cells[0]}{_with(reason)}."
    parts = []
    if len(cells) % 2 == 0 and reason.kind is not ReasonKind.DOUBLE:  # the other side is to move, and has to block
        parts.append(f"player {you} must block {cells.pop(0)}")
    while len(cells) > 3:
        parts.append(f"player {me} plays {cells.pop(0)}, and player {you} must block {cells.pop(0)}")
    plays = f"player {me} plays {cells[0]}" if len(cells) == 3 else ""
    if reason.is_double:
        fours = f"{plays} and" if plays else f"player {me}"
        parts.append(
            f"{fours} can make four at {cells[-2]} or {cells[-1]}: player {you} can block only one (double threat)"
        )
    else:
        blocks = f"{plays}, and player {you} must block {cells[-2]}" if plays else parts.pop()
        parts.append(f"{blocks}, but then player {me} makes four right above, at {cells[-1]} (threat above a threat)")
    forced = "Every reply is forced. " if reason.kind is ReasonKind.FORCED else ""
    return forced + _capital("; then ".join(parts)) + "."


def _winning_plan(reason: Reason, position: Position) -> str:
    me, you = reason.player, 3 - reason.player
    end = played_cells(position, reason.line)[-1]
    parts = [_aim(reason, position, end), _rule(reason)]
    useless = _names(cell for cell in reason.opponent_threats if cell not in reason.needed)
    if useless:
        noun, pronoun = ("a threat", "it") if len(useless) == 1 else ("threats", "them")
        parts.append(f"Player {you} has {noun} at {_listed(useless)}, but never gets to use {pronoun}.")
    if reason.avoid is not None and reason.waiting:
        avoid = cell_name(reason.avoid)
        parts.append(
            f"Nobody wants to play {avoid}. It is player {you}'s turn and {reason.waiting} other cells are left, an "
            f"even number, so player {you} runs out of them first. Then player {you} has to play {avoid}, and player "
            f"{me} makes four at {cell_name(end)} (zugzwang)."
        )
        if not reason.is_only_end:
            parts.append("No other defence lasts longer.")
    else:
        moves = _counted(len(reason.line) // 2, "move")
        parts.append(f"Whatever player {you} plays, player {me} makes four within {moves}.")
        if reason.avoid is not None:
            parts.append(
                f"In the longest defence, player {you} runs out of safe moves: {cell_name(reason.avoid)}, for example, "
                f"lets player {me} make four right above, at {cell_name(end)} (zugzwang)."
            )
        else:
            parts.append(f"The longest defence ends with the four at {cell_name(end)}.")
    return " ".join([*parts, _checked(reason)])


def _holding_plan(reason: Reason) -> str:
    lines = {1: "the only line", 2: "either of the 2 lines"}.get(
        reason.open_lines, f"any of the {reason.open_lines} lines"
    )
    return (
        f"{_rule(reason)} So player {3 - reason.player} never completes {lines} of four it has left. {_checked(reason)}"
    )


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
    cells = _listed(_names(reason.needed))
    if reason.is_sure:
        return f"Player {me} needs {cells} to make four{_with(reason)}, and player {you} never gets there first."
    return f"Player {me} aims at {cells} to make four{_with(reason)}."


def _rule(reason: Reason) -> str:
    """The plan as a rule."""
    me, you = reason.player, 3 - reason.player
    plan = reason.plan
    assert plan is not None
    but = ""
    if plan.kept:
        threats = "threat" if len(plan.kept) == 1 else "threats"
        above = _names((column, row + 1) for column, row in plan.kept)
        but = f", but stay off {_listed(_names(plan.kept))}, right below the {threats} at {_listed(above)}"
    words = (
        f"Player {me}'s plan: make four if possible, block if necessary, and otherwise play right on top of "
        f"player {you}'s last disc (follow-up){but}."
    )
    for pair in plan.pairs:
        one, two = _names(pair)
        if pair[::-1] in plan.answers:
            words += f" {one} and {two} belong together: if player {you} takes one, player {me} takes the other."
        else:
            words += (
                f" If player {you} takes {one}, player {me} takes {two}{' anyway' if pair[1] in plan.kept else ''}."
            )
    if reason.uses_spares:
        first = "nearest the centre" if plan.spare is None else f"column {column_letter(plan.spare)} first"
        words += (
            f" If that is not possible or not safe, player {me} plays in another column: one with an odd number of "
            f"cells to fill if possible, {first}."
        )
    return words


def _with(reason: Reason) -> str:
    """The discs of the four that are there already."""
    discs = _names(cell for cell in reason.four if cell not in reason.needed)
    return f" (with {_listed(discs)})" if discs else ""


def _checked(reason: Reason) -> str:
    return f"Checked against everything player {3 - reason.player} can play: {_counted(reason.checked, 'position')}."


# The summary: at most 8 words for what comes first, at most 12 for the reason.


def _short_lead(explanation: Explanation) -> str:
    """What is played before the reason applies, and what is claimed about other replies."""
    reasons, position = explanation.reasons, explanation.position
    reason = reasons[0]
    names = _names(played_cells(position, [*reason.lead, *_begin(reason)]))
    if not any(_has_replies(explanation, each) for each in reasons) or (reason.cases == 1 and len(names) <= MAX_NAMED):
        return f"after {_listed(names)}, " if names else ""
    if len(reasons) > 1:
        return ""
    is_first = position.player == reason.player
    reply = f"reply to {names[not is_first]}" if is_first or explanation.column is not None else "move"
    return f"every {reply} fails; for example, " if reason.is_covered else f"even the best {reply} fails because "


def _short(reasons: Sequence[Reason], position: Position) -> str:
    """The reason, once its first moves have been played."""
    reason = reasons[0]
    me, you = reason.player, 3 - reason.player
    if len(reasons) > 1:
        no_lines = all(each.kind is ReasonKind.NO_LINE and len(each.lead) <= len(reason.lead) for each in reasons)
        return "nobody can make four any more" if no_lines else "each side can stop every line of the other"
    if reason.kind is ReasonKind.NO_LINE:
        return f"every line of four of player {you} is blocked"
    if reason.kind is ReasonKind.HOLD:
        lines = {1: "the only line", 2: "both lines"}.get(reason.open_lines, f"all {reason.open_lines} lines")
        return f"player {me}'s plan stops {lines} that player {you} has left"
    *_, before, end = ["", *_names(played_cells(position.after(reason.lead), reason.line))]
    if reason.kind is ReasonKind.ZUGZWANG and reason.avoid is None:
        return f"player {me}'s plan wins: the longest defence ends with four at {end}"
    return {
        ReasonKind.ZUGZWANG: f"player {you} runs out of safe moves: {before} allows four at {end}",
        ReasonKind.FOUR: f"player {me} makes four at {end}",
        ReasonKind.DOUBLE: f"player {me} can make four at {before} or {end} (double threat)",
        ReasonKind.ABOVE: f"player {you} must block {before}, below a four at {end}",
        ReasonKind.FORCED: f"player {me}'s chain of threats ends with four at {end}",
    }[reason.kind]


def _begin(reason: Reason) -> tuple[int, ...]:
    """The first disc of a sequence that its player begins."""
    return reason.line[:1] if reason.plan is None and len(reason.line) % 2 and len(reason.line) > 1 else ()


def _counted(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"


def _names(cells: Iterable[Cell]) -> list[str]:
    return [cell_name(cell) for cell in cells]


def _listed(names: Sequence[str], joint: str = "and") -> str:
    return f"{', '.join(names[:-1])} {joint} {names[-1]}" if len(names) > 1 else names[0]


def _capital(words: str) -> str:
    """A sentence's beginning; the names of cells stay as they are."""
    return words[:1].upper() + words[1:] if not words[1:2].isdigit() else words
