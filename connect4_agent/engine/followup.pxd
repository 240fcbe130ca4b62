# The C types of followup.py.
cimport cython
from libc.stdint cimport uint64_t
from connect4_agent.engine cimport bits, fours

cdef int UNPROVEN


cdef class FollowUp:
    cdef int width
    cdef int stride
    cdef int cells
    cdef uint64_t bottom
    cdef uint64_t board
    cdef uint64_t sentinels
    cdef uint64_t odd_rows
    cdef uint64_t even_rows
    cdef uint64_t below_top_two
    cdef uint64_t below_top_four
    cdef uint64_t[::1] column_of
    cdef uint64_t[::1] moves
    cdef uint64_t[::1] threats

    @cython.final
    cdef uint64_t _above(self, uint64_t cells) noexcept nogil

    @cython.final
    @cython.locals(empty=uint64_t, other_way=uint64_t, decisive=uint64_t, reachable=uint64_t, sure=uint64_t)
    cdef int most_for_first(
        self, uint64_t own, uint64_t opponent, uint64_t opponent_threats, uint64_t occupied
    ) noexcept

    @cython.final
    @cython.locals(
        playable=uint64_t, odd_threats=uint64_t, empty=uint64_t, other_way=uint64_t, counted=uint64_t,
        decisive=uint64_t, threat=uint64_t, column=uint64_t, reachable=uint64_t, pairs=uint64_t, most=int,
    )
    cdef int most_for_second(self, uint64_t own, uint64_t opponent_threats, uint64_t occupied) noexcept

    @cython.final
    @cython.locals(a=uint64_t, b=uint64_t, c=uint64_t, d=uint64_t, ab_cd=bint, ac_bd=bint)
    cdef bint _pairs_hold(self, uint64_t reachable, uint64_t cells) noexcept nogil

    @cython.final
    @cython.locals(
        playable=uint64_t, other_way=uint64_t, empty=uint64_t, counted=uint64_t, decisive=uint64_t,
        odd_column=uint64_t, used=int, rest=uint64_t, column=uint64_t, height=int, others=uint64_t,
        reachable=uint64_t, best_gain=int, best_cell=uint64_t, best_granted=uint64_t, cell=uint64_t,
        granted=uint64_t, gain=int,
    )
    cdef bint second_is_held(self, uint64_t own, uint64_t opponent_threats, uint64_t occupied, int plies) noexcept

    @cython.final
    @cython.locals(threats=uint64_t, empty=uint64_t, least=int, bound=int, index=int, move=uint64_t)
    cdef int least_for_second(
        self, uint64_t own, uint64_t opponent, uint64_t occupied, uint64_t playable, int begin, int end
    ) noexcept

    @cython.final
    @cython.locals(least=int, bound=int, index=int)
    cdef int least_for_first(self, uint64_t opponent, uint64_t occupied, int begin, int end) noexcept

    @cython.final
    @cython.locals(index=int)
    cdef bint first_holds(self, uint64_t opponent, uint64_t occupied, int plies, int begin, int end) noexcept
