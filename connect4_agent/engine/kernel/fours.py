"""Threats: what a disc would complete, on bare bits; fours.pxd has the same as C, which is inlined into compiled code.

`stride` is the distance between two neighbouring columns' bits (rules/position.py draws the layout), or 0 for boards of
fewer than four columns, which have upright lines only: a machine word cannot be shifted by three of their strides.
"""

from connect4_agent.rules import geometry


def threats(discs: int, stride: int) -> int:
    """Return the cells that would complete a four with three of these discs, even if occupied or off the board."""
    cells = discs << 1 & discs << 2 & discs << 3
    if stride == 0:
        return cells
    for step in (stride - 1, stride, stride + 1):
        # Two neighbouring discs below the cell, with one more on either side; then above it.
        pair = discs << step & discs << 2 * step
        cells |= pair & (discs << 3 * step | discs >> step)
        pair = discs >> step & discs >> 2 * step
        cells |= pair & (discs << step | discs >> 3 * step)
    return cells


def moves_with_threats(
    own: int, playable: int, moves: list[int], threatened: list[int], begin: int, stride: int
) -> int:
    """Store the playable cells from `begin` on, each with the threats after a disc in it; returns where they end.

    Compiled code may write one entry more.
    """
    end = begin
    while playable:
        moves[end] = playable & -playable
        threatened[end] = threats(own | moves[end], stride)
        playable &= playable - 1
        end += 1
    return end


def are_decisive(wins: int, replies: int) -> bool:
    """Check whether the owner of these winning cells wins with its next disc, whichever reply the opponent plays.

    That is so if the owner can play two of the cells at once, if the reply to its only playable one is right below
    another, or if every reply is right below one. At least one reply must be possible.
    """
    forced = replies & wins
    if forced:
        if forced & forced - 1:
            return True
        replies = forced
    return replies & ~(wins >> 1) == 0


def has_four(discs: int, stride: int) -> bool:
    """Check whether four of the discs are in a line."""
    return geometry.has_four(discs, stride) if stride else geometry.fours_along(discs, 1) != 0


has_four_across = geometry.has_four_across
