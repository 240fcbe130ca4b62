"""Four in a row on bare bits; fours.pxi holds the same as C that is inlined into compiled code.

`stride` is the distance between two neighbouring columns' bits (rules/position.py draws the layout).
"""


def threats(discs: int, stride: int) -> int:
    """The cells, on the board or off it, taken or not, that complete a four with three of these discs."""
    cells = discs << 1 & discs << 2 & discs << 3
    for step in (stride - 1, stride, stride + 1):
        # Two neighbouring discs below the cell, with one more on either side; then above it.
        pair = discs << step & discs << 2 * step
        cells |= pair & (discs << 3 * step | discs >> step)
        pair = discs >> step & discs >> 2 * step
        cells |= pair & (discs << step | discs >> 3 * step)
    return cells


def moves_with_threats(own: int, playable: int, moves: list[int], found: list[int], begin: int, stride: int) -> int:
    """Store the playable cells from `begin` on, each with the threats after a disc in it; returns where they end.

    Compiled code may write one place more.
    """
    end = begin
    while playable:
        moves[end] = playable & -playable
        found[end] = threats(own | moves[end], stride)
        playable &= playable - 1
        end += 1
    return end


def are_decisive(wins: int, replies: int) -> bool:
    """Whether none of the opponent's replies, one at least, prevents a four in one of these cells with the next disc.

    Two of them can be played at once, or the only one is below another, or every reply is right below one.
    """
    forced = replies & wins
    if forced:
        if forced & forced - 1:
            return True
        replies = forced
    return replies & ~(wins >> 1) == 0


def has_four(discs: int, stride: int) -> bool:
    """Whether four of the discs stand in a line."""
    pairs = discs & discs >> 1
    return pairs & pairs >> 2 != 0 or has_four_across(discs, stride)


def has_four_across(discs: int, stride: int) -> bool:
    """Whether four of the discs stand in a line that is not upright."""
    for step in (stride - 1, stride, stride + 1):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False
