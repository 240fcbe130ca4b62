"""Forced sequences and plans: what proves a result in a way that a person can follow.

A forced sequence is a chain of threats to which every reply is the only one. A plan is one fixed rule for a side; it is
run against every play of the other side, so whatever it proves holds on boards of any size:

1. Make four if you can. 2. Block a four if you must. 3. If the other side took a cell that has its own answer, play
that. 4. Otherwise play right above the other side's disc. 5. Otherwise play a spare move: in a column with an odd
number of free cells (below a kept cell), or else in any; the first such column in the plan's order.
Moves of rules 3 to 5 are never right below a four of the other side. Those of rules 4 and 5 are not in a kept cell
(the cell below a threat that is saved for later) unless nothing else is left.
"""

from __future__ import annotations

from connect4_agent.rules import geometry

from . import fours, order, word

MAX_FORCED = 12
"""The most discs of the winner in a forced sequence."""

MAX_POSITIONS = 20_000
"""The most positions in which a plan is tried before it is given up."""

MAX_FORCED_POSITIONS = 20_000
"""The most positions of a search for a forced sequence."""

INDEX_BITS = 16
"""Of the memory for positions: more than three times as many places as positions."""

MAX_MENDED = 2
"""The most answers that are added to a rule."""

MAX_FAILED = 10
"""The number of failed rules that are mended: those that lasted longest."""

MAX_PAIRED = 6
"""The most columns from which pairs are made."""

MULTIPLIER = 0x2F4B6C8D9E3A5717  # large and odd


Rule = tuple[int, list[tuple[int, int]], list[int]]
"""A plan as the arguments of `Plans.use`."""

Failed = tuple[int, int, Rule, list[int]]
"""A rule that failed: minus the positions until then, a number, the rule, and the play that beat it."""


def pairings(cells: list[int]) -> list[list[tuple[int, int]]]:
    """Return all ways to pair the cells; of an odd number, one is left out."""
    if len(cells) < 2:
        return [[]]
    if len(cells) % 2:
        return [pairs for index in range(len(cells)) for pairs in pairings(cells[:index] + cells[index + 1 :])]
    found = []
    for index in range(1, len(cells)):
        found += [
            [(cells[0], cells[index]), (cells[index], cells[0]), *pairs]
            for pairs in pairings(cells[1:index] + cells[index + 1 :])
        ]
    return found


class Memory:
    """A number for each of some positions, by their keys, which are not 0."""

    def __init__(self, key_bits: int) -> None:
        index_bits = min(INDEX_BITS, key_bits)
        self.mask = (1 << index_bits) - 1
        self.shift = key_bits - index_bits
        self.key_mask = word.from_int((1 << key_bits) - 1)
        self.multiplier = word.from_int(MULTIPLIER & (1 << key_bits) - 1 | 1)
        self.keys = word.zeros(self.mask + 1)
        self.numbers = word.ints([0] * (self.mask + 1))
        self.filled = word.ints([0] * (self.mask + 1))
        self.count = 0

    def __dealloc__(self) -> None:
        word.release(self.keys)
        word.release_ints(self.numbers)
        word.release_ints(self.filled)

    def _clear(self) -> None:
        """Forget all positions."""
        while self.count:
            self.count -= 1
            self.keys[self.filled[self.count]] = 0

    def _slot(self, key: int) -> int:
        """Return the place of a position: where it is, or where it would be."""
        slot = (key * self.multiplier & self.key_mask) >> self.shift
        while self.keys[slot] and self.keys[slot] != key:
            slot = slot + 1 & self.mask
        return slot

    def _store(self, key: int, number: int) -> None:
        slot = self._slot(key)
        if self.keys[slot] == 0:
            self.keys[slot] = key
            self.filled[self.count] = slot
            self.count += 1
        self.numbers[slot] = number


class Plans:
    """Forced sequences and plans on boards of one size.

    `own` are the discs of the side that wins or holds, `other` those of the other side. Nobody has four. Cells and sets
    of cells are bit masks.
    """

    def __init__(self, width: int, height: int) -> None:
        key_bits = (height + 1) * width
        self.width = width
        self.height = height
        self.line_stride = geometry.line_stride(width, height)
        self.board = word.from_int(geometry.board_cells(width, height))
        self.bottom = word.from_int(geometry.bottom_cells(width, height))
        self.columns = word.words([geometry.column_cells(height, column) for column in range(width)])
        self.memory = Memory(key_bits)
        self.nodes = 0
        self.positions = 0
        self.budget = 0
        self.is_cut = False
        self.line = word.zeros(2 * MAX_FORCED + 2)
        # The rule, and what it is to achieve.
        self.kept = word.from_int(0)
        self.answers = word.zeros(key_bits)
        self.order = word.ints(order.middle_first(width))
        self.wins = False
        self.depth = 0
        self.path = word.zeros(width * height + 2)
        self.failed_at = 0
        # What happened while the plan was run.
        self.taken = word.from_int(0)
        self.ends = word.from_int(0)
        self.spares = word.from_int(0)
        self.answered = word.from_int(0)

    def __dealloc__(self) -> None:
        word.release(self.columns)
        word.release(self.line)
        word.release(self.answers)
        word.release(self.path)
        word.release_ints(self.order)

    # Forced sequences.

    def forced_line(self, own: int, other: int) -> list[int]:
        """Return the cells of the shortest forced win of `own`, to move, both sides' discs; empty if there is none.

        The last cell makes four. If the line ends with a double threat, the reply in it is one of the two cells.
        """
        own_word = word.from_int(own)
        other_word = word.from_int(other)
        self.nodes = 0
        self.memory._clear()
        found = []
        for most in range(1, MAX_FORCED + 1):
            self.is_cut = False
            length = self._force(own_word, other_word, most, 0)
            if length or self.nodes > MAX_FORCED_POSITIONS:
                for index in range(length):
                    found.append(word.to_int(self.line[index]))  # no generators in compiled code
                break
            if not self.is_cut:
                break  # every chain of threats has ended
        return found

    def _force(self, own: int, other: int, most: int, begin: int) -> int:  # noqa: C901, PLR0911  # a case each
        """Write the cells of a forced win with at most that many own discs from `begin` on; where they end, or 0."""
        occupied = own | other
        playable = occupied + self.bottom & self.board
        wins = fours.threats(own, self.line_stride) & playable
        if wins:
            self.line[begin] = wins & -wins
            return begin + 1
        if most <= 1 or playable == 0:
            self.is_cut = True
            return 0
        key = own + occupied + self.bottom
        slot = self.memory._slot(key)
        if self.memory.keys[slot] and self.memory.numbers[slot] >= most:
            self.is_cut = True
            return 0
        self.nodes += 1
        if self.nodes > MAX_FORCED_POSITIONS:
            return 0
        threatened = fours.threats(other, self.line_stride) & self.board
        rest = threatened & playable
        if rest & rest - 1:
            return 0
        if rest == 0:
            rest = playable
        while rest:
            move = rest & -rest
            rest ^= move
            after = (occupied | move) + self.bottom & self.board
            wins = fours.threats(own | move, self.line_stride) & after
            if wins == 0 or threatened & after & ~move:
                continue
            self.line[begin] = move
            self.line[begin + 1] = wins & -wins
            others = wins & wins - 1
            if others:
                self.line[begin + 2] = others & -others
                return begin + 3
            end = self._force(own | move, other | wins, most - 1, begin + 2)
            if end:
                return end
        self.memory._store(key, most)
        return 0

    # Plans.

    def use(self, kept: int, answers: list[tuple[int, int]], columns: list[int]) -> None:
        """Take a rule: the kept cells, cells and their answers, and the order of the columns for spare moves."""
        self.kept = word.from_int(kept)
        for index in range(self.width * (self.height + 1)):
            self.answers[index] = 0
        for answer in answers:
            self.answers[word.lowest_index(word.from_int(answer[0]))] = word.from_int(answer[1])
        for index in range(self.width):
            self.order[index] = columns[index]

    def run(self, own: int, other: int, wins: bool, budget: int) -> int:
        """Run the rule against every play of `other`, to move, in at most that many positions; 0 if it fails.

        If it is to win: the number of plies that `other` can hold out, the four included. If it is to hold, any number.
        """
        return self._start(word.from_int(own), word.from_int(other), wins, budget)

    def _start(self, own: int, other: int, wins: bool, budget: int) -> int:
        self.wins = wins
        self.budget = min(budget, MAX_POSITIONS)
        self.nodes = 0
        self.depth = 0
        self.memory._clear()
        self.taken = self.ends = self.spares = self.answered = self.kept & 0
        return self._withstand(own, other)

    def _withstand(self, own: int, other: int) -> int:
        """Return how the rule fares against every play of `other`, as `run` gives it."""
        occupied = own | other
        playable = occupied + self.bottom & self.board
        self.failed_at = self.depth
        if playable == 0:
            return 0 if self.wins else 1
        if not self.wins and not fours.has_four(other | (self.board & ~occupied), self.line_stride):
            return 1
        if fours.threats(other, self.line_stride) & playable:
            return 0
        key = other + occupied + self.bottom
        slot = self.memory._slot(key)
        if self.memory.keys[slot]:
            return self.memory.numbers[slot]
        self.nodes += 1
        if self.nodes > self.budget:
            return 0
        threats = fours.threats(own, self.line_stride) & self.board
        longest = 0
        rest = playable
        move = self.path[self.depth] & rest or rest & -rest  # what beat the last rule here comes first
        while move:
            rest ^= move
            self.taken |= move
            after = (occupied | move) + self.bottom & self.board
            if threats & after:
                self.ends |= threats & after
                plies = 2
            elif after == 0:
                self.failed_at = self.depth
                plies = 0 if self.wins else 1
            else:
                plies = self._answer(own, other | move, move, after)
            if plies == 0:
                longest = 0
                break
            longest = max(longest, plies)
            move = rest & -rest
        self.memory._store(key, longest)
        return longest

    def _answer(self, own: int, other: int, move: int, playable: int) -> int:
        """Return the plies after `other` played this move, which `own` cannot answer by a four; 0 if the rule fails."""
        threatened = fours.threats(other, self.line_stride) & self.board
        must = threatened & playable
        if must & must - 1:
            self.failed_at = self.depth
            return 0
        reply = self._reply(own | other, threatened, move, playable)
        self.path[self.depth] = move
        self.path[self.depth + 1] = reply
        self.depth += 2
        plies = self._withstand(own | reply, other)
        self.depth -= 2
        return plies + 2 if plies else 0

    def _reply(self, occupied: int, threatened: int, move: int, playable: int) -> int:
        """Apply rules 2 to 5, if `other`, who threatens these cells, played this move."""
        must = threatened & playable
        if must:
            return must & -must
        safe = playable & ~(threatened >> 1)
        reply = self.answers[word.lowest_index(move)] & safe
        if reply:
            self.answered |= move
            return reply
        quiet = safe & ~self.kept
        reply = move << 1 & quiet
        if reply:
            return reply
        reply = self._first(quiet & self._odd_columns(occupied))
        if reply == 0:
            reply = self._first(quiet)
        if reply == 0:
            reply = self._first(safe)
        if reply == 0:
            reply = self._first(playable)
        self.spares |= reply
        return reply

    def _odd_columns(self, occupied: int) -> int:
        """Return the lowest free cells of the columns with an odd number of free cells, counted up to a kept one."""
        cells = occupied & 0
        for column in range(self.width):
            free = self.columns[column] & ~occupied
            kept = self.kept & free
            if kept:
                free &= (kept & -kept) - 1
            if word.parity(free):
                cells |= free & -free
        return cells

    def _first(self, cells: int) -> int:
        """Return the cell in the first column of the plan's order."""
        for index in range(self.width):
            if cells & self.columns[self.order[index]]:
                return cells & self.columns[self.order[index]]
        return cells & 0

    def reply(self, own: int, other: int, move: int) -> int:
        """Return the rule's answer if `other` just played this move."""
        own_word = word.from_int(own)
        other_word = word.from_int(other)
        occupied = own_word | other_word
        playable = occupied + self.bottom & self.board
        reply = fours.threats(own_word, self.line_stride) & playable
        if reply == 0:
            threatened = fours.threats(other_word, self.line_stride) & self.board
            reply = self._reply(occupied, threatened, word.from_int(move), playable)
        return word.to_int(reply & -reply)

    def longest_play(self, own: int, other: int) -> list[int]:
        """Return the cells of the longest play against the plan that `run` has just found to win."""
        own_word = word.from_int(own)
        other_word = word.from_int(other)
        play = []
        while True:
            occupied = own_word | other_word
            rest = occupied + self.bottom & self.board
            threats = fours.threats(own_word, self.line_stride) & self.board
            longest = 0
            best = reply = rest & 0
            while rest:
                move = rest & -rest
                rest ^= move
                after = (occupied | move) + self.bottom & self.board
                plies = 2 if threats & after else self._answer(own_word, other_word | move, move, after)
                if plies > longest:
                    longest = plies
                    best = move
            after = (occupied | best) + self.bottom & self.board
            other_word |= best
            play.append(word.to_int(best))
            reply = threats & after
            if reply:
                play.append(word.to_int(reply & -reply))
                return play
            threats = fours.threats(other_word, self.line_stride) & self.board
            reply = self._reply(own_word | other_word, threats, best, after)
            own_word |= reply
            play.append(word.to_int(reply))

    def find(self, own: int, other: int, wins: bool, budget: int) -> Rule | None:
        """Return the simplest rule that wins, or holds, against every play of `other`, to move; None if none is found.

        Rules that answer no cell elsewhere come first, then those with pairs, with another order for spare moves, and
        with answers that earlier failures suggest, tried in at most `budget` positions. `positions` counts all.
        """
        self.positions = 0
        self._forget_path()
        own_word = word.from_int(own)
        other_word = word.from_int(other)
        occupied = own | other
        board = word.to_int(self.board)
        playable = occupied + word.to_int(self.bottom) & board
        if word.to_int(fours.threats(other_word, self.line_stride)) & playable:
            return None
        threats = word.to_int(fours.threats(own_word, self.line_stride) & self.board) & ~occupied
        kept_sets = self._kept_sets(threats & ~playable, occupied.bit_count() & 1)
        kept_sets = [*kept_sets, 0] if wins else [0, *kept_sets]
        columns = order.middle_first(self.width)
        candidates: list[Rule] = [(kept, [], columns) for kept in kept_sets]
        for kept in kept_sets:
            candidates += [(kept, pairs, columns) for pairs in self._pairings(occupied, kept)]
        spared = []
        failed: list[Failed] = []
        for rule in candidates:
            if self._proves(own_word, other_word, rule, wins):
                return rule
            failed.append((-self.nodes, len(failed), rule, self._failure()))
            if self.spares:
                spared.append(rule)
        for first in range(self.width):
            if playable & geometry.column_cells(self.height, first):
                columns = [first, *[column for column in order.middle_first(self.width) if column != first]]
                for kept, answers, _ in spared:
                    if self._proves(own_word, other_word, (kept, answers, columns), wins):
                        return kept, answers, columns
        return self._mend(own, other, wins, failed, self.positions + budget)

    def _forget_path(self) -> None:
        """Forget earlier plays: what is found must not depend on them."""
        for index in range(self.width * self.height):
            self.path[index] = 0

    def _proves(self, own: int, other: int, rule: Rule, wins: bool) -> bool:
        kept, answers, columns = rule
        self.use(kept, answers, columns)
        plies = self._start(own, other, wins, MAX_POSITIONS)
        self.positions += self.nodes
        return plies > 0

    def _mend(self, own: int, other: int, wins: bool, failed: list[Failed], most: int) -> Rule | None:
        """Return a rule that failed, with one or two other answers to a disc of the play that beat it."""
        own_word = word.from_int(own)
        other_word = word.from_int(other)
        tried = set()
        for _ in range(MAX_MENDED):
            failed.sort()
            mended: list[Failed] = []
            for _, _, (kept, answers, columns), play in failed[:MAX_FAILED]:
                for move, reply in self._other_answers(own, other, play, [cell for cell, _ in answers]):
                    rule = (kept, [*answers, (move, reply)], columns)
                    key = kept, tuple(sorted(rule[1]))
                    if key in tried:
                        continue
                    tried.add(key)
                    if self.positions >= most:
                        return None
                    if self._proves(own_word, other_word, rule, wins):
                        return rule
                    mended.append((-self.nodes, len(mended), rule, self._failure()))
            failed = mended
        return None

    def _failure(self) -> list[int]:
        """Return the cells of the play that beat the rule, both sides'."""
        return [word.to_int(self.path[index]) for index in range(self.failed_at)]

    def _other_answers(self, own: int, other: int, play: list[int], answered: list[int]) -> list[tuple[int, int]]:
        """Return what else the discs of a play could have been answered with: discs and answers, the last first."""
        found = []
        board = word.to_int(self.board)
        bottom = word.to_int(self.bottom)
        for index in range(0, len(play) - 1, 2):
            move, reply = play[index], play[index + 1]
            other |= move
            playable = (own | other) + bottom & board
            threatened = word.to_int(fours.threats(word.from_int(other), self.line_stride))
            if not threatened & playable and move not in answered:
                rest = playable & ~(threatened >> 1) & ~reply
                while rest:
                    found.append((move, rest & -rest))
                    rest &= rest - 1
            own |= reply
        found.reverse()
        return found

    def _kept_sets(self, threats: int, is_first: int) -> list[int]:
        """Return the cells below one threat, below two, below all: first threats on the rows that suit the side.

        Those are the odd rows, counted from 1, for the side that began, and the even ones for the other.
        """
        cells = []
        rest = threats
        while rest:
            cell = rest & -rest
            rest ^= cell
            row = (cell.bit_length() - 1) % (self.height + 1)
            cells.append((0 if row % 2 != is_first else 1, cell >> 1))
        cells.sort()
        kept = [cell for _, cell in cells]
        sets = list(kept)
        for index in range(len(kept)):
            sets += [kept[index] | other for other in kept[index + 1 :]]
        if len(kept) > 2:
            sets.append(threats >> 1)
        return sets

    def _pairings(self, occupied: int, kept: int) -> list[list[tuple[int, int]]]:
        """Return all ways to pair the lowest free cells of the odd columns; of an odd number, one is left out."""
        kept_before = self.kept
        self.kept = word.from_int(kept)
        rest = word.to_int(self._odd_columns(word.from_int(occupied)))
        self.kept = kept_before
        cells = []
        while rest:
            cells.append(rest & -rest)
            rest &= rest - 1
        return pairings(cells) if 2 <= len(cells) <= MAX_PAIRED else []

    def seen(self) -> tuple[int, int, int, int]:
        """Return cells of the plan run last: what `other` took, what made four, spare moves, replies in a pair."""
        return (
            word.to_int(self.taken),
            word.to_int(self.ends),
            word.to_int(self.spares),
            word.to_int(self.answered),
        )
