# The C of fours.py. Shifts by a constant are cheaper: boards of six rows, stride 7, have their own copy.
from .word cimport bitboard


cdef inline bitboard threats_along(bitboard discs, int step) noexcept nogil:
    cdef bitboard up_1 = discs << step
    cdef bitboard down_1 = discs >> step
    cdef bitboard up_2 = discs << 2 * step
    cdef bitboard down_2 = discs >> 2 * step
    return (up_1 & up_2 & (discs << 3 * step | down_1)) | (down_1 & down_2 & (up_1 | discs >> 3 * step))


cdef inline bitboard threats(bitboard discs, int stride) noexcept nogil:
    cdef bitboard upright = discs << 1 & discs << 2 & discs << 3
    if stride == 7:
        return upright | threats_along(discs, 6) | threats_along(discs, 7) | threats_along(discs, 8)
    return upright | threats_along(discs, stride - 1) | threats_along(discs, stride) | threats_along(discs, stride + 1)


cdef inline void threats_after(
    bitboard own, bitboard *moves, bitboard *found, int begin, int end, int stride
) noexcept nogil:
    # Loops without a branch, which the compiler turns into vector code: two narrow words at a time on any x86-64 or arm64.
    cdef int index
    if stride == 7:
        for index in range(begin, end):
            found[index] = threats(own | moves[index], 7)
    else:
        for index in range(begin, end):
            found[index] = threats(own | moves[index], stride)


cdef inline bint are_decisive(bitboard wins, bitboard replies) noexcept nogil:
    cdef bitboard forced = replies & wins
    if forced:
        if forced & forced - 1:
            return True
        replies = forced
    return replies & ~(wins >> 1) == 0


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
