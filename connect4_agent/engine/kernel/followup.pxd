# The C types of followup.py.
cimport cython
from . cimport fours, tuning, word
from .word cimport bitboard



cdef class FollowUp:
    cdef int width
    cdef int stride
    cdef int cells
    cdef bitboard bottom
    cdef bitboard board
    cdef bitboard sentinels
    cdef bitboard odd_rows
    cdef bitboard even_rows
    cdef bitboard below_top_two
    cdef bitboard below_top_four
    cdef bitboard *column_of
    cdef int *discs_from
    cdef int break_bits
    cdef bitboard break_mask
    cdef bitboard one
    cdef int node_size
    cdef bitboard *moves
    cdef bitboard *threats

    @cython.final
    cdef inline bitboard _above(self, bitboard cells) noexcept nogil

    @cython.final
    cdef inline bitboard _lowest(self, bitboard cells) noexcept nogil

    @cython.final
    cdef inline bitboard _upwards(self, bitboard cells) noexcept nogil

    @cython.final
    @cython.locals(total=int)
    cdef inline int _discs_over(self, bitboard threats) noexcept nogil

    @cython.final
    @cython.locals(empty=bitboard, other_way=bitboard, decisive=bitboard, reachable=bitboard, sure=bitboard, most=int)
    cdef int most_for_first(
        self, bitboard own, bitboard opponent, bitboard opponent_threats, bitboard occupied
    ) noexcept nogil

    @cython.final
    @cython.locals(
        playable=bitboard, odd_threats=bitboard, empty=bitboard, other_way=bitboard, counted=bitboard,
        decisive=bitboard, threat=bitboard, column=bitboard, reachable=bitboard, pairs=bitboard, most=int,
    )
    cdef int most_for_second(self, bitboard own, bitboard opponent_threats, bitboard occupied) noexcept nogil

    @cython.final
    @cython.locals(a=bitboard, b=bitboard, c=bitboard, d=bitboard, ab_cd=bint, ac_bd=bint)
    cdef inline bint _pairs_hold(self, bitboard reachable, bitboard cells) noexcept nogil

    @cython.final
    @cython.locals(
        playable=bitboard, empty=bitboard, pairs=bitboard, row=bitboard,
    )
    cdef bint is_held(
        self, bitboard own, bitboard own_threats, bitboard opponent_threats, bitboard occupied, int discs
    ) noexcept nogil

    @cython.final
    @cython.locals(clear=bitboard)
    cdef inline bitboard _columns_without(self, bitboard cells) noexcept nogil

    @cython.final
    @cython.locals(
        followed=bitboard, turned=bitboard, usual=bitboard, decisive=bitboard, counted=bitboard, threats=bitboard,
        over=bitboard, reachable=bitboard, breaks=bitboard, threatened=bitboard, cell=bitboard, column=bitboard,
        upper=bitboard, granted=bitboard, ends=bitboard, first=int, ending=bitboard, rest=bitboard,
    )
    cdef inline bint _is_held(
        self, bitboard own, bitboard own_threats, bitboard opponent_threats, bitboard empty, bitboard playable,
        bitboard pairs, int discs
    ) noexcept nogil

    @cython.final
    cdef inline bitboard _with_break(self, bitboard breaks, int cost) noexcept nogil

    @cython.final
    @cython.locals(total=int, cost=int, here=int)
    cdef inline int _least_cost(self, bitboard breaks, int count) noexcept nogil

    @cython.final
    @cython.locals(
        opened=int, pick=bitboard, most_gain=int, rest=bitboard, cell=bitboard, gain=int, cost=int,
    )
    cdef inline bint _can_wait(
        self, bitboard reachable, bitboard left, bitboard ending, bitboard breaks, int discs
    ) noexcept nogil

    @cython.final
    @cython.locals(threats=bitboard, empty=bitboard, least=int, bound=int, index=int, move=bitboard)
    cdef int least_for_second(
        self, bitboard own, bitboard opponent, bitboard occupied, bitboard playable, int begin, int end
    ) noexcept nogil

    @cython.final
    @cython.locals(least=int, bound=int, index=int)
    cdef int least_for_first(self, bitboard opponent, bitboard occupied, int begin, int end) noexcept nogil

    @cython.final
    @cython.locals(index=int, move=bitboard)
    cdef bint holds(
        self, bitboard opponent, bitboard opponent_threats, bitboard occupied, int discs, int begin, int end
    ) noexcept nogil
