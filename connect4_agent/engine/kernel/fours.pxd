# The C of fours.py. Shifts by a constant are cheaper: boards of six rows, stride 7, have their own copy.
from .word cimport LANES, bitboard, fit_lanes, join, lanes, shift_down, shift_up, spread


cdef inline bitboard threats_along(bitboard discs, int step) noexcept nogil:
    cdef bitboard up_1 = discs << step
    cdef bitboard down_1 = discs >> step
    cdef bitboard up_2 = discs << 2 * step
    cdef bitboard down_2 = discs >> 2 * step
    return (up_1 & up_2 & (discs << 3 * step | down_1)) | (down_1 & down_2 & (up_1 | discs >> 3 * step))


# The same for as much as a vector register holds.
cdef inline lanes lane_threats_along(lanes discs, int step) noexcept nogil:
    cdef lanes up_1 = shift_up(discs, step)
    cdef lanes down_1 = shift_down(discs, step)
    cdef lanes up_2 = shift_up(discs, 2 * step)
    cdef lanes down_2 = shift_down(discs, 2 * step)
    return (up_1 & up_2 & (shift_up(discs, 3 * step) | down_1)) | (down_1 & down_2 & (up_1 | shift_down(discs, 3 * step)))


cdef inline lanes lane_threats(lanes discs, int stride) noexcept nogil:
    cdef lanes cells = shift_up(discs, 1) & shift_up(discs, 2) & shift_up(discs, 3)
    if stride == 7:
        return cells | lane_threats_along(discs, 6) | lane_threats_along(discs, 7) | lane_threats_along(discs, 8)
    if stride == 0:
        return cells
    cells = cells | lane_threats_along(discs, stride - 1)
    return cells | lane_threats_along(discs, stride) | lane_threats_along(discs, stride + 1)


cdef inline bitboard threats(bitboard discs, int stride) noexcept nogil:
    cdef bitboard upright
    if LANES == 1 and fit_lanes(stride):
        spread(lane_threats(join(discs, discs), stride), &upright)
        return upright
    upright = discs << 1 & discs << 2 & discs << 3
    if stride == 7:
        return upright | threats_along(discs, 6) | threats_along(discs, 7) | threats_along(discs, 8)
    if stride == 0:
        return upright
    return upright | threats_along(discs, stride - 1) | threats_along(discs, stride) | threats_along(discs, stride + 1)


cdef inline int moves_with_threats(
    bitboard own, bitboard playable, bitboard *moves, bitboard *threatened, int begin, int stride
) noexcept nogil:
    cdef int end = begin
    cdef bitboard first, second
    if not fit_lanes(stride):
        while playable:
            moves[end] = playable & -playable
            threatened[end] = threats(own | moves[end], stride)
            playable &= playable - 1
            end += 1
        return end
    while playable:
        first = playable & -playable
        playable &= playable - 1
        moves[end] = first
        second = playable & -playable
        spread(lane_threats(join(own | first, own | second), stride), &threatened[end])
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
    return fours_along(discs, 1) != 0 or (stride != 0 and has_four_across(discs, stride))
