"""Follow-up rules: what the parity of the columns proves about a position, without a search.

On a board with an even number of rows, a player who always answers in the column just played, above
the other's disc, can do so to the end, and knows from the start which cells each side will get. The
first player (the one to move while an even number of cells is empty) is then left with the odd rows,
counted from 1, the second with the even ones. Nothing here holds on boards with an odd number of rows.

A column "stands the other way" if its lowest empty cell is on an even row. A player who follows up
answers a disc there with one in another such column, once; from then on both are like the others.
"""

from __future__ import annotations

from connect4_agent.rules import geometry

from . import fours, tuning, word


class FollowUp:
    """A board's geometry, storage for the moves of every node of a search, and the rules.

    The rules apply to positions in which nobody has four and the player to move, `own`, cannot
    win at once. Threats are the empty cells that complete a four of the side they are named for.
    """

    def __init__(self, width: int, height: int) -> None:
        stride = height + 1
        bottom = geometry.bottom_cells(width, height)
        self.width = width
        self.stride = stride
        self.cells = width * height
        self.bottom = word.from_int(bottom)
        self.board = word.from_int(geometry.board_cells(width, height))
        self.sentinels = word.from_int(bottom << height)
        self.odd_rows = word.from_int(geometry.rows_of_cells(width, height, range(0, height, 2)))
        self.even_rows = word.from_int(geometry.rows_of_cells(width, height, range(1, height, 2)))
        self.below_top_two = word.from_int(geometry.rows_of_cells(width, height, range(height - 2)))
        self.below_top_four = word.from_int(geometry.rows_of_cells(width, height, range(height - 4)))
        self.column_of = word.words([geometry.column_cells(height, bit // stride) for bit in range(stride * width)])
        # The discs that each player has in the cells from this one to the top.
        self.discs_from = word.ints([(stride - bit % stride) // 2 for bit in range(stride * width)])
        self.break_bits = (4 * width).bit_length()  # each column can break twice
        self.break_mask = word.from_int((1 << self.break_bits) - 1)
        self.one = word.from_int(1)
        # The children of the node with e empty cells begin at e * node_size; no two open nodes have the same e.
        self.node_size = width + (width & 1)  # even: compiled code stores two at a time
        self.moves = word.zeros((self.cells + 1) * self.node_size)
        self.threats = word.zeros((self.cells + 1) * self.node_size)

    def __dealloc__(self) -> None:
        word.release(self.column_of)
        word.release_ints(self.discs_from)
        word.release(self.moves)
        word.release(self.threats)

    def _above(self, cells: int) -> int:
        """Return the cells above the lowest of these in each column.

        In a column, x ^ -x are the bits above the lowest one of x; the sentinel stops the borrow.
        """
        return (cells ^ self.sentinels - cells) & self.board

    def _lowest(self, cells: int) -> int:
        """Return the lowest of these cells in each column."""
        return cells & ~self._above(cells)

    def _upwards(self, cells: int) -> int:
        """Return these cells, at most one in each column, and all cells above them."""
        return self.sentinels - cells & self.board

    def _discs_over(self, threats: int) -> int:
        """Return how many discs the owner of threats, at most one a column, has once the cells below are played."""
        total = 0
        while threats:
            total += self.discs_from[word.lowest_index(threats)]
            threats &= threats - 1
        return total

    def most_for_first(self, own: int, opponent: int, opponent_threats: int, occupied: int) -> int:
        """Return a bound on the score of the first player, to move, if the second follows up.

        The first player gets its discs, the empty cells of the odd rows and one cell of each pair of
        columns that stand the other way. If that holds no four, it cannot win. The second gets the rest
        of the even rows; if that makes a four, it wins: with two rows left above in the last column
        to be filled by its second last disc, with four by its third last. If it has a threat on an
        even row, the game is over once the cell below is taken, so the cells above never count. Such
        columns are entered last, and all that is empty in them is left when the game ends.
        """
        empty = self.board & ~occupied
        other_way = occupied + self.bottom & self.even_rows
        decisive = opponent_threats & self.even_rows & ~other_way
        if decisive:
            empty &= ~self._above(decisive)
        reachable = own | (empty & self.odd_rows)
        if fours.has_four(reachable, self.stride):
            return tuning.INFINITY
        if other_way and not self._pairs_hold(reachable, other_way):
            return tuning.INFINITY
        sure = empty & self.even_rows & ~other_way
        most = -3
        if not fours.has_four(opponent | sure, self.stride):
            most = 0
        elif not fours.has_four(opponent | (sure & self.below_top_two), self.stride):
            most = -1
        elif not fours.has_four(opponent | (sure & self.below_top_four), self.stride):
            most = -2
        if decisive:
            most = min(most, -self._discs_over(self._lowest(decisive)))
        return most

    def most_for_second(self, own: int, opponent_threats: int, occupied: int) -> int:
        """Return a bound on the score of the second player, to move, if the first has a threat on an odd row.

        The first follows up everywhere but in the threat's column, where neither may take the cell
        below the threat. There the second gets the even rows, elsewhere the odd ones (the column counts
        as standing the other way if its lowest empty cell is on an odd row). The cells outside the
        threat's column and below the threat are odd in number: in the end the second has to play below
        the threat. So it loses, unless what it gets holds a four. Cells above a decisive threat on an
        even row never count, except where the second gets the even rows itself; such threats also add up.
        """
        playable = occupied + self.bottom & self.board
        odd_threats = opponent_threats & self.odd_rows & ~playable
        if odd_threats == 0:
            return tuning.INFINITY
        empty = self.board & ~occupied
        other_way = playable & self.even_rows
        counted = empty & self.odd_rows
        decisive = opponent_threats & self.even_rows & ~other_way
        if decisive:
            counted &= ~self._above(decisive)
            decisive = self._lowest(decisive)
        most = tuning.INFINITY
        odd_threats = self._lowest(odd_threats)  # the lowest leaves the second player the least
        while odd_threats:
            threat = odd_threats & -odd_threats
            odd_threats ^= threat
            column = self.column_of[word.lowest_index(threat)]
            reachable = own | (counted & ~column) | (empty & self.even_rows & column & threat - 1)
            if fours.has_four(reachable, self.stride):
                continue
            pairs = (other_way & ~column) | (playable & column & self.odd_rows)
            if pairs and not self._pairs_hold(reachable, pairs):
                continue
            most = min(most, -self._discs_over(threat | (decisive & ~column)))
        return most

    def _pairs_hold(self, reachable: int, cells: int) -> bool:  # noqa: PLR0911  # a case each
        """Check whether the cells can be paired so that one of each pair, with the reachable cells, makes no four."""
        if not fours.has_four(reachable | cells, self.stride):
            return True
        a = cells & -cells
        cells ^= a
        b = cells & -cells
        cells ^= b
        if fours.has_four(reachable | a, self.stride) or fours.has_four(reachable | b, self.stride):
            return False
        if cells == 0:
            return True
        c = cells & -cells
        d = cells ^ c
        if d & d - 1:
            return False  # six columns or more, which hardly ever happens: prove nothing
        if fours.has_four(reachable | c, self.stride) or fours.has_four(reachable | d, self.stride):
            return False
        # A pairing holds if any two cells of different pairs may both be taken.
        ab_cd = not (fours.has_four(reachable | a | b, self.stride) or fours.has_four(reachable | c | d, self.stride))
        ac_bd = not (fours.has_four(reachable | a | c, self.stride) or fours.has_four(reachable | b | d, self.stride))
        if ab_cd and ac_bd:
            return True  # a with d, b with c
        if not ab_cd and not ac_bd:
            return False
        return not (fours.has_four(reachable | a | d, self.stride) or fours.has_four(reachable | b | c, self.stride))

    def is_held(self, own: int, own_threats: int, opponent_threats: int, occupied: int, discs: int) -> bool:
        """Check whether a holder keeps the attacker, `own` and to move, from winning with its next `discs` discs.

        The holder answers in the column just played: the attacker gets the odd rows of the usual columns
        and the even rows of those that stand the other way. If that is not enough, the latter are answered in pairs.
        """
        playable = occupied + self.bottom & self.board
        empty = self.board & ~occupied
        if self._is_held(own, own_threats, opponent_threats, empty, playable, 0, discs):
            return True
        pairs = playable & self.even_rows
        if pairs & pairs - 1 == 0 or not tuning.MIN_DISCS_PAIRS <= discs <= tuning.MAX_DISCS_PAIRS:
            return False
        pairs &= self._columns_without(own_threats & self.odd_rows & self._upwards(pairs))
        if word.parity(pairs):
            # One is left over, to be followed up in: the one that takes the attacker longest to fill.
            row = self.bottom << 1
            while pairs & row == 0:
                row <<= 2
            pairs ^= pairs & row & -(pairs & row)
        return pairs != 0 and self._is_held(own, own_threats, opponent_threats, empty, playable, pairs, discs)

    def _columns_without(self, cells: int) -> int:
        """Return the columns without any of these cells: the others borrow from their sentinels."""
        clear = self.sentinels - cells & self.sentinels
        return clear - (clear >> self.stride - 1)

    def _is_held(
        self, own: int, own_threats: int, opponent_threats: int, empty: int, playable: int, pairs: int, discs: int
    ) -> bool:
        """Return the same with the columns of these cells answered in pairs, both cells of each granted.

        The holder runs out of answers, a "break", when a column that stood the other way is full, or if
        its answer would be right below a threat of the attacker. A break costs the attacker the discs
        that it has to play in that column. Only after a break can it do what is not granted here.
        """
        followed = playable & self.even_rows & ~pairs
        turned = self._upwards(followed)
        usual = empty & ~turned
        decisive = opponent_threats & ((self.even_rows & usual & ~pairs) | (self.odd_rows & turned))
        counted = (self.odd_rows & usual) | (self.even_rows & turned)
        threats = own_threats & self.odd_rows & usual
        if decisive:
            over = self._above(decisive)
            counted &= ~over
            threats &= ~over
        reachable = own | pairs | counted
        breaks = 0
        threatened = 0
        if threats & self._upwards(pairs):
            return False
        threats = self._lowest(threats)
        while threats:
            # The attacker takes the cell below its threat, the holder the cell of the threat, and so on upwards.
            cell = threats & -threats
            threats ^= cell
            column = self.column_of[word.lowest_index(cell)]
            threatened |= column
            upper = self._upwards(cell >> 1)
            granted = upper & self.even_rows
            ends = opponent_threats & self.odd_rows & upper
            if ends:
                granted &= (ends & -ends) - 1
            else:
                breaks = self._with_break(breaks, self.discs_from[word.lowest_index(cell >> 1)])
            reachable = (reachable & ~upper) | granted
            first = self.discs_from[word.lowest_index(playable & column)]
            breaks = self._with_break(breaks, first - self.discs_from[word.lowest_index(cell)])
        # Discs alternate in every column, so an upright four needs a cell of a pair or one below a threat.
        if fours.has_four_across(reachable, self.stride):
            return False
        if (pairs | threatened) and fours.has_four(reachable, self.stride):
            return False
        ending = followed & self._columns_without(opponent_threats & self.odd_rows & turned)
        rest = ending
        while rest:
            breaks = self._with_break(breaks, self.discs_from[word.lowest_index(rest)])
            rest &= rest - 1
        return self._can_wait(reachable, playable & ~(pairs | threatened), ending, breaks, discs)

    def _with_break(self, breaks: int, cost: int) -> int:
        """Add a break of this cost. The count for each cost has its own bits, the cheapest in the lowest."""
        return breaks + (self.one << (cost - 1) * self.break_bits)

    def _least_cost(self, breaks: int, count: int) -> int:
        """Return the total cost of the cheapest breaks, this many of them; tuning.INFINITY if there are fewer."""
        total = 0
        cost = 1
        while breaks:
            here = breaks & self.break_mask
            if count <= here:
                return total + count * cost
            total += here * cost
            count -= here
            cost += 1
            breaks >>= self.break_bits
        return tuning.INFINITY

    def _can_wait(self, reachable: int, left: int, ending: int, breaks: int, discs: int) -> bool:
        """Check whether the holder, at every break, can open a remaining column until the attacker is too late.

        The attacker is granted every cell of an opened column. With k columns opened, it needs k + 1 breaks and a disc
        to win with. What opening a column adds to the breaks depends on how it stood:

        - A usual column breaks once more when it is full.
        - A column that stood the other way has its break already. The attacker may use that break before the column is
          opened; then there is one break less to come, and one column less to open. To cover that case, the break is
          replaced by two of half its cost: for a column with 5 discs left to the attacker, by breaks of 2 and 3.
        """
        opened = 0
        while self._least_cost(breaks, opened + 1) < discs:
            pick = 0
            most_gain = -1
            rest = left
            while rest:
                cell = rest & -rest
                rest ^= cell
                gain = self.discs_from[word.lowest_index(cell)]
                if cell & self.even_rows:
                    gain = 0 if cell & ending else tuning.INFINITY
                if gain > most_gain:
                    if fours.has_four_across(reachable | self._upwards(cell), self.stride):
                        left ^= cell  # nor later, when more is granted
                    else:
                        most_gain = gain
                        pick = cell
            if pick == 0:
                return False
            reachable |= self._upwards(pick)
            left ^= pick
            opened += 1
            if most_gain == 0:
                cost = self.discs_from[word.lowest_index(pick)]
                if cost == 1:
                    return False
                breaks -= self.one << (cost - 1) * self.break_bits
                breaks = self._with_break(self._with_break(breaks, cost >> 1), cost - (cost >> 1))
            elif most_gain < tuning.INFINITY:
                breaks = self._with_break(breaks, most_gain)
        return True

    def least_for_second(self, own: int, opponent: int, occupied: int, playable: int, begin: int, end: int) -> int:
        """Return the most that following up after a move from begin to end proves for the second player, to move."""
        threats = 0
        for index in range(begin, end):
            threats |= self.threats[index]
        threats &= self.even_rows
        # What the first player gets whichever move is played now: if that holds a four, no move proves anything.
        empty = self.board & ~(occupied | playable)
        if threats:
            empty &= ~self._above(threats)
        if fours.has_four(opponent | (empty & self.odd_rows), self.stride):
            return -tuning.INFINITY
        least = -tuning.INFINITY
        for index in range(begin, end):
            move = self.moves[index]
            bound = self.most_for_first(opponent, own | move, self.threats[index], occupied | move)
            least = max(least, -bound)
        return least

    def least_for_first(self, opponent: int, occupied: int, begin: int, end: int) -> int:
        """Return the most that a threat on an odd row proves for the first player, to move, after one of the moves."""
        least = -tuning.INFINITY
        for index in range(begin, end):
            if self.threats[index] & self.odd_rows:
                bound = self.most_for_second(opponent, self.threats[index], occupied | self.moves[index])
                least = max(least, -bound)
        return least

    def holds(self, opponent: int, opponent_threats: int, occupied: int, discs: int, begin: int, end: int) -> bool:
        """Check whether the side to move, after one of the moves, keeps the other from winning with its next discs."""
        for index in range(begin, end):
            move = self.moves[index]
            if self.is_held(opponent, opponent_threats & ~move, self.threats[index], occupied | move, discs):
                return True
        return False
