"""Follow-up rules: what the parity of the columns proves about a position, without a search.

On a board with an even number of rows, a player who always answers in the column just played, above
the other's disc, can do so to the end, and knows from the start which cells each side will get. The
first player (the one to move while an even number of cells is empty) is then left with the odd rows,
counted from 1, the second with the even ones. Nothing here holds on boards with an odd number of rows.

A column "stands the other way" where its lowest empty cell is on an even row. A player who follows up
answers a disc there with one in another such column, once; from then on both are as the others are.
"""

from __future__ import annotations

from . import bits, fours

UNPROVEN = 1 << 20
"""The bound that says nothing: more than any score."""


class FollowUp:
    """A board's geometry, room for the moves of every node of a search, and the rules.

    The rules are asked about positions in which nobody has four and the player to move, `own`, cannot
    win at once. Threats are the empty cells that complete a four of the side they are named for.
    """

    def __init__(self, width: int, height: int) -> None:
        stride = height + 1
        word_bits = stride * width
        column_cells = (1 << height) - 1
        bottom = sum(1 << column * stride for column in range(width))
        self.width = width
        self.stride = stride
        self.cells = width * height
        self.bottom = bottom
        self.board = bottom * column_cells
        self.sentinels = bottom << height
        self.odd_rows = bottom * sum(1 << row for row in range(0, height, 2))
        self.even_rows = bottom * sum(1 << row for row in range(1, height, 2))
        self.below_top_two = bottom * ((1 << max(height - 2, 0)) - 1)
        self.below_top_four = bottom * ((1 << max(height - 4, 0)) - 1)
        self.column_of = bits.words([column_cells << bit // stride * stride for bit in range(word_bits)], word_bits)
        # The children of the node with e empty cells begin at e * width; no two open nodes have as many.
        self.moves = bits.zeros((self.cells + 1) * width, word_bits)
        self.threats = bits.zeros((self.cells + 1) * width, word_bits)

    def _above(self, cells: int) -> int:
        """The cells above the lowest of these in each column.

        In a column, x ^ -x are the bits above the lowest one of x; the sentinel stops the borrow.
        """
        return (cells ^ self.sentinels - cells) & self.board

    def most_for_first(self, own: int, opponent: int, opponent_threats: int, occupied: int) -> int:
        """A bound on the score of the first player, to move, if the second follows up.

        The first player gets its discs, the empty cells of the odd rows and one cell of each pair of
        columns that stand the other way. If that holds no four, it cannot win. The second gets the rest
        of the even rows; if that makes a four, it wins, and with two rows left above in the last column
        to be filled by its second last disc, with four by its third last. Where it has a threat on an
        even row, the game is over once the cell below is taken, so the cells above never count.
        """
        empty = self.board & ~occupied
        other_way = occupied + self.bottom & self.even_rows
        decisive = opponent_threats & self.even_rows & ~other_way
        if decisive:
            empty &= ~self._above(decisive)
        reachable = own | (empty & self.odd_rows)
        if fours.has_four(reachable, self.stride):
            return UNPROVEN
        if other_way and not self._pairs_hold(reachable, other_way):
            return UNPROVEN
        sure = empty & self.even_rows & ~other_way
        if not fours.has_four(opponent | sure, self.stride):
            return 0
        if not fours.has_four(opponent | (sure & self.below_top_two), self.stride):
            return -1
        if not fours.has_four(opponent | (sure & self.below_top_four), self.stride):
            return -2
        return -3

    def most_for_second(self, own: int, opponent_threats: int, occupied: int) -> int:
        """A bound on the score of the second player, to move, if the first has a threat on an odd row.

        The first follows up everywhere but in the threat's column, where neither may take the cell
        below the threat. There the second gets the even rows, elsewhere the odd ones (the column counts
        as standing the other way where its lowest empty cell is on an odd row). The cells outside the
        threat's column and below the threat are odd in number: in the end the second has to play below
        the threat. So it loses, unless what it gets holds a four. Cells above a decisive threat on an
        even row never count, except in the column where the second gets the even rows itself.
        """
        playable = occupied + self.bottom & self.board
        odd_threats = opponent_threats & self.odd_rows & ~playable
        if odd_threats == 0:
            return UNPROVEN
        empty = self.board & ~occupied
        other_way = playable & self.even_rows
        counted = empty & self.odd_rows
        decisive = opponent_threats & self.even_rows & ~other_way
        if decisive:
            counted &= ~self._above(decisive)
        most = UNPROVEN
        odd_threats &= self.sentinels - odd_threats  # the lowest of each column: it leaves the second least
        while odd_threats:
            threat = odd_threats & -odd_threats
            odd_threats ^= threat
            column = self.column_of[bits.lowest_index(threat)]
            reachable = own | (counted & ~column) | (empty & self.even_rows & column & threat - 1)
            if fours.has_four(reachable, self.stride):
                continue
            pairs = (other_way & ~column) | (playable & column & self.odd_rows)
            if pairs and not self._pairs_hold(reachable, pairs):
                continue
            if threat & self.below_top_two:
                return -2
            most = -1
        return most

    def _pairs_hold(self, reachable: int, cells: int) -> bool:  # noqa: PLR0911  # a case each
        """Whether the cells can be paired so that one of each pair, added to the reachable cells, makes no four."""
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
            return False  # six columns or more, which hardly ever happens: nothing is claimed
        if fours.has_four(reachable | c, self.stride) or fours.has_four(reachable | d, self.stride):
            return False
        # A pairing holds if any two cells of different pairs can be had together.
        ab_cd = not (fours.has_four(reachable | a | b, self.stride) or fours.has_four(reachable | c | d, self.stride))
        ac_bd = not (fours.has_four(reachable | a | c, self.stride) or fours.has_four(reachable | b | d, self.stride))
        if ab_cd and ac_bd:
            return True  # a with d, b with c
        if not ab_cd and not ac_bd:
            return False
        return not (fours.has_four(reachable | a | d, self.stride) or fours.has_four(reachable | b | c, self.stride))

    def second_is_held(self, own: int, opponent_threats: int, occupied: int, plies: int) -> bool:
        """Whether the first player keeps the second, to move, from winning within so many plies.

        The first follows up. An odd number of columns stand the other way: the highest of those left
        over is for the second to begin, which gets the even rows there, and the rest are answered in
        pairs, here with all of their cells granted. When that column is full, after all of its cells
        have been played, the first has to begin another one; all of its cells are granted as well, and
        so on, until the plies are used up.
        """
        playable = occupied + self.bottom & self.board
        other_way = playable & self.even_rows
        if other_way == 0:
            return False
        empty = self.board & ~occupied
        counted = empty & self.odd_rows
        decisive = opponent_threats & self.even_rows & ~other_way
        if decisive:
            counted &= ~self._above(decisive)
        odd_column = 0
        used = -1
        rest = other_way
        while rest:
            column = self.column_of[bits.lowest_index(rest)]
            rest &= rest - 1
            height = bits.popcount(column & empty)
            if height > used:
                used = height
                odd_column = column
        others = other_way & ~odd_column
        reachable = own | (counted & ~odd_column) | (empty & self.even_rows & odd_column) | others
        # Discs alternate in every column, so an upright four needs a cell of a pair.
        if fours.has_four_across(reachable, self.stride) or (others and fours.has_four(reachable, self.stride)):
            return False
        playable &= ~odd_column
        while used + 2 <= plies:
            best_gain = 0
            best_cell = 0
            best_granted = 0
            rest = playable
            while rest:
                cell = rest & -rest
                rest ^= cell
                granted = self.column_of[bits.lowest_index(cell)] & empty
                gain = bits.popcount(granted) - (1 if cell & self.even_rows else 0)
                if gain > best_gain and not fours.has_four_across(reachable | granted, self.stride):
                    best_gain = gain
                    best_cell = cell
                    best_granted = granted
            if best_gain == 0:
                return False
            reachable |= best_granted
            used += best_gain
            playable ^= best_cell
        return True

    def least_for_second(self, own: int, opponent: int, occupied: int, playable: int, begin: int, end: int) -> int:
        """The most that following up after one of the moves from begin to end proves for the second player, to move."""
        threats = 0
        for index in range(begin, end):
            threats |= self.threats[index]
        threats &= self.even_rows
        # What the first gets whichever move comes now: if that holds a four, no move proves anything.
        empty = self.board & ~(occupied | playable)
        if threats:
            empty &= ~self._above(threats)
        if fours.has_four(opponent | (empty & self.odd_rows), self.stride):
            return -UNPROVEN
        least = -UNPROVEN
        for index in range(begin, end):
            move = self.moves[index]
            bound = self.most_for_first(opponent, own | move, self.threats[index], occupied | move)
            least = max(least, -bound)
        return least

    def least_for_first(self, opponent: int, occupied: int, begin: int, end: int) -> int:
        """The most that a threat on an odd row proves for the first player, to move, after one of the moves."""
        least = -UNPROVEN
        for index in range(begin, end):
            if self.threats[index] & self.odd_rows:
                bound = self.most_for_second(opponent, self.threats[index], occupied | self.moves[index])
                least = max(least, -bound)
        return least

    def first_holds(self, opponent: int, occupied: int, plies: int, begin: int, end: int) -> bool:
        """Whether the first player, to move, keeps the second from winning for so many plies after one of the moves."""
        for index in range(begin, end):
            if self.second_is_held(opponent, self.threats[index], occupied | self.moves[index], plies):
                return True
        return False
