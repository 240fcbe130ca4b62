# The C types of search.py.
cimport cython
from libc.stdint cimport uint64_t
from connect4_agent.engine cimport bits
from connect4_agent.engine.lines cimport Evaluator

cdef int WIN
cdef int BEYOND
cdef int LOWER_BOUND
cdef int UPPER_BOUND
cdef int EXACT


cdef class Search:
    cdef int width
    cdef int stride
    cdef Evaluator evaluator
    cdef uint64_t bottom
    cdef uint64_t board
    cdef uint64_t[::1] columns
    cdef uint64_t table_size
    cdef uint64_t[::1] keys
    cdef int[::1] values
    cdef unsigned int[::1] tags
    cdef unsigned int generation
    cdef readonly long long nodes
    cdef object poll
    cdef long long poll_mask

    cdef uint64_t _cells(self, uint64_t column_bits, int column) noexcept

    @cython.locals(playable=uint64_t, wins=uint64_t, move=uint64_t, empties=int, rank=int, alpha=int, value=int, best=int)
    cpdef best_ranks(self, uint64_t own, uint64_t opponent, int depth, order, bint every_tie)

    @cython.locals(
        occupied=uint64_t, playable=uint64_t, dangers=uint64_t, forced=uint64_t, key=uint64_t, slot=uint64_t,
        move=uint64_t, tag=uint64_t, stored=int, bound=int, first=int, best=int, best_rank=int, floor=int,
        turn=int, rank=int, value=int,
    )
    cdef int _negamax(self, uint64_t own, uint64_t opponent, int empties, int depth, int alpha, int beta) except? -2147483648

    @cython.locals(cells=uint64_t, pair=uint64_t, step=int)
    cdef uint64_t _threats(self, uint64_t discs, uint64_t occupied) noexcept nogil
