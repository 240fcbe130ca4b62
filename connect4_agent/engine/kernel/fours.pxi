# The C of fours.py. Shifts by a constant are cheaper: boards of six rows, stride 7, have their own copy.
from .word cimport LANES, bitboard, join, lanes, spread

cdef extern from *:
    """
    /* The cells that complete a four along a line, with bits `step` apart; for one word, or for all lanes at once. */
    #define CONNECT4_THREATS_ALONG(discs, step) \\
        ((((discs) << (step)) & ((discs) << 2 * (step)) & (((discs) << 3 * (step)) | ((discs) >> (step)))) | \\
         (((discs) >> (step)) & ((discs) >> 2 * (step)) & (((discs) << (step)) | ((discs) >> 3 * (step)))))
    """
    bitboard threats_along "CONNECT4_THREATS_ALONG" (bitboard discs, int step) noexcept nogil
    lanes lane_threats_along "CONNECT4_THREATS_ALONG" (lanes discs, int step) noexcept nogil


cdef inline bitboard threats(bitboard discs, int stride) noexcept nogil:
    cdef bitboard upright = discs << 1 & discs << 2 & discs << 3
    if stride == 7:
        return upright | threats_along(discs, 6) | threats_along(discs, 7) | threats_along(discs, 8)
    return upright | threats_along(discs, stride - 1) | threats_along(discs, stride) | threats_along(discs, stride + 1)


cdef inline lanes lane_threats(lanes discs, int stride) noexcept nogil:
    cdef lanes upright = discs << 1 & discs << 2 & discs << 3
    if stride == 7:
        return upright | lane_threats_along(discs, 6) | lane_threats_along(discs, 7) | lane_threats_along(discs, 8)
    upright = upright | lane_threats_along(discs, stride - 1)
    return upright | lane_threats_along(discs, stride) | lane_threats_along(discs, stride + 1)


cdef inline int moves_with_threats(
    bitboard own, bitboard playable, bitboard *moves, bitboard *found, int begin, int stride
) noexcept nogil:
    # One or two moves at a time.
    cdef int end = begin
    cdef bitboard first, second
    while playable:
        first = playable & -playable
        playable &= playable - 1
        moves[end] = first
        second = playable & -playable
        spread(lane_threats(join(own | first, own | second), stride), &found[end])
        end += 1
        if LANES == 2 and second:
            playable &= playable - 1
            moves[end] = second
            end += 1
    return end


cdef inline bint are_decisive(bitboard wins, bitboard replies) noexcept nogil:
    # Without branches: they would be hard to predict.
    cdef bitboard forced = replies & wins
    replies = forced if forced else replies
    return (forced & forced - 1 != 0) | (replies & ~(wins >> 1) == 0)


cdef inline bitboard fours_along(bitboard discs, int step) noexcept nogil:
    cdef bitboard pairs = discs & discs >> step
    return pairs & pairs >> 2 * step


cdef inline bint has_four_across(bitboard discs, int stride) noexcept nogil:
    if stride == 7:
        return (fours_along(discs, 6) | fours_along(discs, 7) | fours_along(discs, 8)) != 0
    return (fours_along(discs, stride - 1) | fours_along(discs, stride) | fours_along(discs, stride + 1)) != 0


cdef inline bint has_four(bitboard discs, int stride) noexcept nogil:
    if stride == 7:
        return (fours_along(discs, 1) | fours_along(discs, 6) | fours_along(discs, 7) | fours_along(discs, 8)) != 0
    return fours_along(discs, 1) != 0 or has_four_across(discs, stride)
