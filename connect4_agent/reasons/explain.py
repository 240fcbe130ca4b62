"""Reasons: why a position, or a column in it, wins, draws or loses, each proven in a way that a person can follow.

A result has a reason if a side has a forced sequence, or a plan that wins or holds against every play (see
kernel/plans.py). If there is none yet, a few plies may lead to one: after each reply of the other side, or at least
after its best one.
The solver only says which moves are worth trying, and which defence is the best; it proves none of the reasons.
Budgets are counts, so that a position has the same reason on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from connect4_agent import errors
from connect4_agent.engine.engine import Engine, engine_for
from connect4_agent.engine.kernel import fours
from connect4_agent.engine.kernel.order import do_nothing, middle_first
from connect4_agent.engine.kernel.plans import MAX_POSITIONS, Rule
from connect4_agent.engine.limits import NO_LIMITS, Limits, check_question
from connect4_agent.reasons.explanation import (
    Explanation,
    Plan,
    Reason,
    ReasonKind,
    cells_of,
    fours_on,
)
from connect4_agent.reasons.judge import JudgedGame
from connect4_agent.rules import geometry
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import Result, finished_score, mistake_of, moves_to_end, result_of

MAX_LEAD = 6
"""The most plies after the explained move, or after the position, until a reason applies."""

SHORT_LEAD = 2
"""The bound if a reason has to be found quickly; looking further takes ten times as long."""

MAX_SEARCHES = 500
"""The most searches for a plan in one explanation: for all replies, and again for the best defence."""

MEND_POSITIONS = 10_000
"""The most positions in which answers to single cells are tried, each time that a plan is looked for."""

MIN_SHARE = 8 / 42
"""The share of the board below which only sequences are looked for: there is hardly ever a short reason."""

QUICK_MOVES = 3
"""The most moves of a win that is explained by the moves themselves, if possible, before a plan."""


def explain(position: Position, column: int | None = None, limits: Limits = NO_LIMITS) -> Explanation:
    """Return why a position is worth what it is, or why a column is a win, a draw or a mistake.

    Every reason is proven; if there is no short one, `kind` is "none", and the explanation says what is known instead.
    Without a time limit, the same position has the same explanation on every machine.

    Args:
        position: The position.
        column: The column to explain, counted from 0; None is the position itself.
        limits: The time that it may take, and what may end it early.

    Raises:
        GameOverError: A player has four in a row, or the board is full.
        IllegalMoveError: The column is full or not on the board.

    Example:
        >>> import connect4_agent as c4
        >>> c4.describe(c4.explain(c4.Position.from_moves("4455"), 2), brief=True)
        'After column 3, Player 1 can make four at column 2 or 6, row 1 (double threat).'
    """
    check_question(position, limits, "there is nothing to explain")
    if column is not None:
        position.play(column)
    return Explainer(position, limits).explain(column)


def explain_shortly(position: Position, column: int, limits: Limits = NO_LIMITS) -> Explanation:
    """Explain a column, if that can be done shortly; the usual board takes milliseconds."""
    return Explainer(position, limits, max_lead=SHORT_LEAD, replies=["best"], follow_best_play=False).explain(column)


def explain_mistakes(judged: JudgedGame, poll: Callable[[], None] = do_nothing) -> JudgedGame:
    """Return the game with the short reasons for the mistakes that changed the result."""
    explanations = {
        ply: explanation
        for ply, move in enumerate(judged.moves)
        if move.changes_result
        and (explanation := explain_shortly(move.position, move.column, Limits(poll=poll))).reasons
    }
    return replace(judged, explanations=explanations)


Replies = Literal["every", "best"]


class _OutOfSearchesError(Exception):
    """The budget is used up."""


class _Immediate(NamedTuple):
    """A proof of a side's win or hold at once."""

    kind: ReasonKind
    cells: tuple[int, ...] = ()
    """The cells of a sequence, those of both sides."""
    rule: Rule | None = None


class _Proof(NamedTuple):
    leaf: _Immediate
    path: tuple[int, ...]
    """The cells that are played before the leaf."""
    cases: int
    """The number of leaves, this one included."""


class _Prover:
    """Looks for proofs on boards of one size. `own` is the side that wins or holds, as bits; `other` the other side."""

    def __init__(self, position: Position, engine: Engine, poll: Callable[[], None], *, best_only: bool) -> None:
        self.preferred: tuple[int, ...] = ()
        self.size = position.width, position.height
        self.stride = geometry.line_stride(*self.size)
        self.board = geometry.board_cells(*self.size)
        self.bottom = geometry.bottom_cells(*self.size)
        # The bits of `own` and `other` do not tell whose turn it is if discs were passed; their parity does.
        self.turn = position.player, position.disc_count % 2
        self.engine = engine
        self.plans = engine.plans
        self.poll = poll
        self.best_only = best_only
        self.uses_plans = True
        self.searches_left = MAX_SEARCHES
        self.checked = 0
        self.known: dict[tuple[int, int, Result, int], _Proof | None] = {}
        self.lines: dict[tuple[int, int], tuple[int, ...]] = {}
        self.planned: dict[tuple[int, int, Result], _Immediate | None] = {}
        self.signs: dict[tuple[int, int], int] = {}

    def threats(self, discs: int) -> int:
        """Return the cells that complete a four of these discs."""
        return fours.threats(discs, self.stride) & self.board

    def playable(self, occupied: int) -> int:
        """Return the cells that a disc can land on."""
        return occupied + self.bottom & self.board

    def cells(self, mask: int) -> list[int]:
        """Return the cells of a mask, nearest to the centre first."""
        found = []
        for column in middle_first(self.size[0]):
            if cell := mask & geometry.column_cells(self.size[1], column):
                found.append(cell)
        return found

    def after(self, own: int, other: int) -> Position:
        """Return the position with `own` to move."""
        player, parity = self.turn
        player = player if (own | other).bit_count() % 2 == parity else 3 - player
        return Position(*self.size, player, *((own, other) if player == 1 else (other, own)))

    def sign(self, own: int, other: int) -> int:
        """Return the result for `own`, to move, who has no four: 1, 0 or -1."""
        if (own, other) not in self.signs:
            self.signs[own, other] = self._sign(own, other)
        return self.signs[own, other]

    def _sign(self, own: int, other: int) -> int:
        if fours.has_four(other, self.stride):
            return -1
        if own | other == self.board:
            return 0
        position = self.after(own, other)
        return 1 if self._is_above(position, 0) else 0 if self._is_above(position, -1) else -1

    def _is_above(self, position: Position, floor: int) -> bool:
        return self.engine.is_above(position, floor, self.poll)

    # What proves a result at once.

    def _forced(self, own: int, other: int) -> tuple[int, ...]:
        """Return the forced sequence of `own`, to move."""
        if (own, other) not in self.lines:
            self.lines[own, other] = tuple(self.plans.forced_line(own, other))
            self.checked += self.plans.nodes
        return self.lines[own, other]

    def _plan(self, own: int, other: int, goal: Result) -> _Immediate | None:
        """Return a plan of `own` that reaches its goal; `other` is to move."""
        if not self.uses_plans:
            return None
        key = own, other, goal
        if key not in self.planned:
            self.planned[key] = self._find_plan(own, other, goal)
        return self.planned[key]

    def _find_plan(self, own: int, other: int, goal: Result) -> _Immediate | None:
        if self.searches_left <= 0:
            raise _OutOfSearchesError
        self.searches_left -= 1
        self.poll()
        wins = goal is Result.WIN
        rule = self.plans.find(own, other, wins, MEND_POSITIONS)
        self.checked += self.plans.positions
        return rule and _Immediate(ReasonKind.ZUGZWANG if wins else ReasonKind.HOLD, (), rule)

    def _immediate_to_move(self, own: int, other: int, goal: Result) -> _Immediate | None:
        """Return what proves the goal of `own`, to move, at once."""
        if goal is Result.WIN:
            line = self._forced(own, other)
            return _Immediate(_kind(line), line) if line else None
        if wins := self.threats(own) & self.playable(own | other):
            return _Immediate(ReasonKind.FOUR, (wins & -wins,))
        return _Immediate(ReasonKind.NO_LINE) if self._has_no_line(own, other) else None

    def _immediate_after_reply(self, own: int, other: int, goal: Result) -> _Immediate | None:
        """Return what proves the goal of `own` at once; `other` is to move, and cannot make four."""
        if goal is not Result.WIN:
            if self._has_no_line(own, other):
                return _Immediate(ReasonKind.NO_LINE)
            return self._plan(own, other, goal)
        threats = self.threats(own)
        wins = threats & self.playable(own | other)
        if wins == 0:
            return self._plan(own, other, goal)
        block = wins & -wins
        if wins != block:
            return _Immediate(ReasonKind.DOUBLE, (block, wins & ~block & -(wins & ~block)))
        if block << 1 & threats:
            return _Immediate(ReasonKind.ABOVE, (block, block << 1))
        line = self._forced(own, other | block)
        return _Immediate(ReasonKind.FORCED, (block, *line)) if line else None

    def _has_no_line(self, own: int, other: int) -> bool:
        """Check whether `other` has no line of four left."""
        return not fours.has_four(other | self.board & ~own, self.stride)

    # Trees: a few plies, then a leaf.

    def prove_to_move(self, own: int, other: int, goal: Result, plies: int) -> _Proof | None:
        """Return the proof that `own`, to move, reaches its goal, with a leaf after at most that many plies."""
        return next(self._proofs_to_move(own, other, goal, plies), None)

    def simplest(self, own: int, other: int, goal: Result, plies: int) -> _Proof | None:
        """Return the simplest of the proofs that are equally short; then one that begins with a preferred column."""
        found = list(self._proofs_to_move(own, other, goal, plies))
        return min(found, key=self._complexity, default=None)

    def _complexity(self, proof: _Proof) -> tuple[int, bool, bool, int]:
        _, answers, columns = proof.leaf.rule or (0, [], [])
        first = (*proof.path, *proof.leaf.cells)[:1]
        is_preferred = bool(first) and (first[0].bit_length() - 1) // (self.size[1] + 1) in self.preferred
        return len(answers), columns != middle_first(self.size[0])[: len(columns)], not is_preferred, proof.cases

    def _proofs_to_move(self, own: int, other: int, goal: Result, plies: int) -> Iterator[_Proof]:
        if leaf := self._immediate_to_move(own, other, goal):
            yield _Proof(leaf, (), 1)
            return
        if plies < 1 or own | other == self.board:
            return
        moves = self.threats(other) & self.playable(own | other) or self.playable(own | other)
        worst = -1 if goal is Result.WIN else 0
        good = [move for move in self.cells(moves) if self.sign(other, own | move) <= worst]
        for depth in range(plies):
            is_found = False
            for move in good:
                if proof := self.prove_after_reply(own | move, other, goal, depth):
                    yield _longer(move, proof)
                    is_found = True
            if is_found:
                return

    def prove_after_reply(self, own: int, other: int, goal: Result, plies: int) -> _Proof | None:
        """Return the proof that `own` reaches its goal, `other` to move, with a leaf after at most that many plies."""
        playable = self.playable(own | other)
        if self.threats(other) & playable:
            return None
        if leaf := self._immediate_after_reply(own, other, goal):
            return _Proof(leaf, (), 1)
        if plies < 1:
            return None
        key = own, other, goal, plies
        if key not in self.known:
            self.known[key] = self._answered(own, other, goal, plies)
        return self.known[key]

    def _answered(self, own: int, other: int, goal: Result, plies: int) -> _Proof | None:
        playable = self.playable(own | other)
        replies = self.cells(self.threats(own) & playable or playable)
        if self.best_only:
            replies = self._best_replies(own, other, goal, replies)
        longest: _Proof | None = None
        cases = 0
        for reply in replies:
            proof = self.prove_to_move(own, other | reply, goal, plies - 1)
            if proof is None:
                return None
            cases += proof.cases
            if longest is None or len(proof.path) >= len(longest.path):
                longest = proof._replace(path=(reply, *proof.path))
        return longest and longest._replace(cases=cases)

    def _best_replies(self, own: int, other: int, goal: Result, replies: list[int]) -> list[int]:
        """Return the best defence: the reply after which `own` wins latest; or all that do not give a draw away."""
        if goal is not Result.WIN:
            return [reply for reply in replies if self.sign(own, other | reply) <= 0]
        if len(replies) == 1:
            return replies
        return [min(replies, key=lambda reply: self._score(own, other | reply))]

    def _score(self, own: int, other: int) -> int:
        position = self.after(own, other)
        return finished_score(position) if position.is_over else self.engine.score(position, self.poll)


@dataclass(frozen=True)
class _Question:
    """A question: does a side reach its goal from a position on?"""

    position: Position
    player: int
    goal: Result


class Explainer:
    """Explains one position and its columns.

    A reason applies after at most `max_lead` plies, for which every reply of the other side is tried, or only the
    best ones, or one after the other. If there is no reason, `follow_best_play` until one applies.
    """

    def __init__(
        self,
        position: Position,
        limits: Limits = NO_LIMITS,
        *,
        max_lead: int = MAX_LEAD,
        replies: Sequence[Replies] = ("every", "best"),
        follow_best_play: bool = True,
    ) -> None:
        self.max_lead = max_lead
        self.replies = replies
        self.follow_best_play = follow_best_play
        self.position = position
        self.size = position.width, position.height
        self.poll = limits.timed_poll()
        self.engine = engine_for(*self.size)
        self.plans = self.engine.plans
        self.checked = 0

    def _prover(self, *, best_only: bool) -> _Prover:
        return _Prover(self.position, self.engine, self.poll, best_only=best_only)

    def explain(self, column: int | None) -> Explanation:
        """Return the explanation of the position, or of a column."""
        try:
            scores = self.engine.column_scores(self.position, self.poll)
        except errors.OutOfTimeError:
            return Explanation(self.position, column, None)
        score = max(each for each in scores if each is not None)
        if column is None:
            return self._explained(None, score, scores)
        reached = scores[column]
        assert reached is not None
        explanation = self._explained(column, reached, scores)
        mistake = mistake_of(score, reached)
        if mistake is None or not mistake.changes_result:
            return explanation
        best = self._explained(None, score, scores)
        best = replace(best, column=(best.line or best.keeping_columns)[0])
        return replace(explanation, mistake=mistake, best=best)

    def _explained(self, column: int | None, score: int, scores: list[int | None]) -> Explanation:
        """Return the explanation with the reasons for this score, or with what is known instead."""
        position, mover = self.position, self.position.player
        lead = () if column is None else (column,)
        result = result_of(score)
        best_score = max(each for each in scores if each is not None)
        kept = tuple(
            each
            for each in middle_first(self.size[0])
            if (got := scores[each]) is not None and result_of(got) is result_of(best_score)
        )
        preferred = tuple(each for each in kept if scores[each] == best_score)
        if column is not None:
            position, preferred = position.play(column), kept
        if result is not Result.DRAW:
            questions = [_Question(position, mover if result is Result.WIN else 3 - mover, Result.WIN)]
        else:
            players = (mover, 3 - mover) if column is None or column in kept else (3 - mover,)
            questions = [_Question(position, player, Result.DRAW) for player in players]
        explanation = Explanation(self.position, column, result, keeping_columns=kept)
        if position.is_over:
            return replace(explanation, reasons=tuple(_ended(question, lead) for question in questions))
        quick = moves_to_end(score, self.position.empty_count)
        try:
            reasons: list[Reason] = []
            for question in questions:
                if (reason := self._reason(question, lead, quick, preferred)) is None:
                    break
                reasons.append(reason)
            else:
                return replace(explanation, reasons=tuple(reasons), checked=self.checked)
            if self.follow_best_play:
                first = kept[0] if column is None else column
                best_play = self.engine.line(self.position, first, scores[first] or 0, self.poll)
                explanation = replace(explanation, best_play=best_play)
                explanation = replace(explanation, later=self._later(questions, best_play, len(lead)))
        except errors.OutOfTimeError:
            pass
        return replace(explanation, checked=self.checked)

    def _reason(
        self, question: _Question, lead: tuple[int, ...], quick: int | None, preferred: tuple[int, ...]
    ) -> Reason | None:
        """Return the reason that answers a question: with every reply covered, or else for the best defence."""
        own, other = _discs(question.position, question.player)
        is_moving = question.player == question.position.player
        is_early = question.position.disc_count + is_moving < MIN_SHARE * self.size[0] * self.size[1]
        for best_only in (replies == "best" for replies in self.replies):
            prover = self._prover(best_only=best_only)
            prover.preferred = preferred
            find = prover.simplest if is_moving else prover.prove_after_reply
            try:
                # Plies before the reason; a first move of the player itself comes in addition.
                for uses_plans, plies in self._steps(quick, is_early=is_early):
                    if uses_plans != prover.uses_plans:
                        prover.uses_plans = uses_plans
                        prover.known.clear()
                    if proof := find(own, other, question.goal, plies + is_moving):
                        return self._certified(question, lead, proof, best_only=best_only)
            except _OutOfSearchesError:
                pass
            finally:
                self.checked += prover.checked
        return None

    def _steps(self, quick: int | None, *, is_early: bool) -> Iterator[tuple[bool, int]]:
        """Yield whether plans are looked for, and the number of plies before the reason."""
        is_quick = quick is not None and quick <= QUICK_MOVES
        if is_early or is_quick:
            yield from ((False, plies) for plies in range(min(2 * QUICK_MOVES, self.max_lead + 1) if is_quick else 1))
        if not is_early:
            yield from ((True, plies) for plies in range(self.max_lead + 1))

    def _later(self, questions: list[_Question], best_play: tuple[int, ...], skipped: int) -> tuple[Reason, ...]:
        """Return the reasons that apply after the least number of plies of the best play."""
        prover = self._prover(best_only=True)
        for count in range(skipped, len(best_play)):
            position = self.position.after(best_play[:count])
            prover.searches_left = MAX_SEARCHES
            proofs = []
            for question in questions:
                own, other = _discs(position, question.player)
                find = prover.prove_to_move if question.player == position.player else prover.prove_after_reply
                if proof := find(own, other, question.goal, 0):
                    here = replace(question, position=position)
                    proofs.append(self._certified(here, best_play[:count], proof, best_only=True))
            if len(proofs) == len(questions):
                self.checked += prover.checked
                return tuple(proofs)
        return ()

    def _certified(self, question: _Question, lead: tuple[int, ...], proof: _Proof, *, best_only: bool) -> Reason:
        """Return the reason that a proof gives, with all of its parts."""
        width, height = self.size
        stride = height + 1
        path = tuple((cell.bit_length() - 1) // stride for cell in proof.path)
        own, other = _discs(question.position.after(path), question.player)
        leaf = proof.leaf
        has_replies = len(path) > (question.player == question.position.player)
        reason = Reason(
            leaf.kind,
            question.player,
            question.goal,
            lead + path,
            cases=0 if best_only and has_replies else proof.cases,
            threats=self._threats(own, other),
            opponent_threats=self._threats(other, own),
        )
        if leaf.rule is not None:
            return self._planned(reason, own, other, leaf.rule)
        if not leaf.cells:
            return reason
        line = tuple((cell.bit_length() - 1) // stride for cell in leaf.cells)
        end = leaf.cells[-1]
        # From the end: the winner's last disc, the block, and before them the disc that made the threats.
        is_first = len(line) % 2
        final = own | sum(leaf.cells[1 - is_first :: 2])
        four = _four(width, height, final, end, own)
        threats = (end,) if len(line) == 1 else leaf.cells[-2:]
        return replace(
            reason,
            line=line,
            threats=tuple(cell for each in threats for cell in cells_of(each, height)),
            opponent_threats=(),
            four=cells_of(four, height),
            needed=cells_of(four & ~own, height),
            checked=len(line),
        )

    def _planned(self, reason: Reason, own: int, other: int, rule: Rule) -> Reason:
        """Return the reason with the parts of a plan."""
        width, height = self.size
        kept, answers, columns = rule
        wins = reason.proves is Result.WIN
        self.plans.use(kept, answers, columns)
        plies = self.plans.run(own, other, wins, MAX_POSITIONS)
        assert plies, "what was proven once is proven again"
        taken, ends, spares, answered = self.plans.seen()
        plan = Plan(
            cells_of(kept, height),
            tuple((cells_of(one, height)[0], cells_of(two, height)[0]) for one, two in answers if one & answered),
            None if columns == middle_first(width) else columns[0],
        )
        reason = replace(reason, plan=plan, uses_spares=bool(spares), checked=self.plans.nodes)
        if not wins:
            open_lines = sum(1 for line in fours_on(width, height) if not line & own)
            return replace(reason, open_lines=open_lines)
        play = self.plans.longest_play(own, other)
        end, before = play[-1], play[-2]
        four = _four(width, height, own | sum(play[1::2]), end, own)
        needed = four & ~own
        board = geometry.board_cells(width, height)
        others = board & ~(own | other)
        for cell in cells_of(kept, height):
            others &= ~geometry.column_cells(height, cell[0]) | (1 << cell[0] * (height + 1) + cell[1]) - 1
        is_parity = before == kept and others.bit_count() % 2 == 0 and len(play) == others.bit_count() + 2
        return replace(
            reason,
            line=tuple((cell.bit_length() - 1) // (height + 1) for cell in play),
            four=cells_of(four, height),
            needed=cells_of(needed, height),
            is_sure=not needed & taken,
            is_only_end=ends == end,
            avoid=cells_of(before, height)[0] if before << 1 == end else None,
            waiting=others.bit_count() if is_parity else None,
        )

    def _threats(self, own: int, other: int) -> tuple[tuple[int, int], ...]:
        """Return the empty cells in which a side makes four, now or later."""
        width, height = self.size
        found = fours.threats(own, geometry.line_stride(width, height)) & geometry.board_cells(width, height)
        return cells_of(found & ~other & ~own, height)


def _longer(move: int, proof: _Proof) -> _Proof:
    """Return the proof with a move of the same side before it; a move that begins a sequence belongs to it."""
    if not proof.path and proof.leaf.cells:
        line = (move, *proof.leaf.cells)
        return _Proof(_Immediate(_kind(line), line), (), proof.cases)
    return proof._replace(path=(move, *proof.path))


def _kind(line: tuple[int, ...]) -> ReasonKind:
    """Return the kind of a forced sequence that the winner begins."""
    if len(line) == 1:
        return ReasonKind.FOUR
    if len(line) > 3:
        return ReasonKind.FORCED
    return ReasonKind.ABOVE if line[2] == line[1] << 1 else ReasonKind.DOUBLE


def _discs(position: Position, player: int) -> tuple[int, int]:
    """Return the discs of a player and of the other one."""
    return (position.discs_1, position.discs_2) if player == 1 else (position.discs_2, position.discs_1)


def _ended(question: _Question, lead: tuple[int, ...]) -> Reason:
    """Return the reason for the result of a game that the explained column has ended."""
    position = question.position
    if position.winner is None:
        return Reason(ReasonKind.NO_LINE, question.player, Result.DRAW, lead)
    assert position.outcome is not None
    width, height = position.width, position.height
    stride = height + 1
    top = (position.occupied >> lead[0] * stride & (1 << stride) - 1).bit_count() - 1
    discs, end = _discs(position, position.outcome.winner or 0)[0], 1 << lead[0] * stride + top
    four = cells_of(_four(width, height, discs, end, discs & ~end), height)
    return Reason(
        ReasonKind.FOUR, question.player, Result.WIN, line=lead, four=four, needed=((lead[0], top),), checked=1
    )


def _four(width: int, height: int, discs: int, end: int, own: int) -> int:
    """Return the four that the disc at `end` completes; of several, the one of which `own` has the most discs."""
    found = [line for line in fours_on(width, height) if line & end and line & ~(discs | end) == 0]
    return max(found, key=lambda line: (line & own).bit_count())
