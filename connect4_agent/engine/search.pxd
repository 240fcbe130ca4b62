# The C types of search.py.
cimport cython
from libc.stdint cimport int64_t, uint64_t
from connect4_agent.engine cimport bits
from connect4_agent.engine.lines cimport Evaluator

cdef int WIN
cdef int BEYOND
cdef int DECIDED_FROM
cdef int LOWER_BOUND
cdef int UPPER_BOUND
cdef int EXACT
cdef int LATEST_GENERATION
cdef int64_t VALUE_OFFSET
cdef int LEFT_TO_RIGHT
cdef int CENTRE_FIRST
cdef int CHAINS_FIRST
cdef int THREATS_FIRST


cdef class Search:
    cdef int width
    cdef int stride
    cdef int ordering
    cdef Evaluator evaluator
    cdef uint64_t bottom
    cdef uint64_t board
    cdef uint64_t[::1] columns
    cdef uint64_t[::1] last_columns
    cdef int[::1] column_numbers
    cdef int[::1] urgencies
    cdef uint64_t table_size
    cdef uint64_t[::1] table
    cdef uint64_t generation
    cdef readonly int64_t nodes
    cdef readonly int best_value
    cdef readonly int best_rank
    cdef object poll
    cdef int64_t poll_interval
    cdef int64_t next_poll

    cdef uint64_t _cells(self, uint64_t column_bits, int column) noexcept

    @cython.locals(playable=uint64_t, wins=uint64_t, move=uint64_t, empties=int, rank=int, alpha=int, value=int, best=int)
    cpdef best_ranks(self, uint64_t own, uint64_t opponent, int depth, order, bint every_tie)

    @cython.locals(
        occupied=uint64_t, playable=uint64_t, dangers=uint64_t, forced=uint64_t, key=uint64_t, slot=uint64_t,
        move=uint64_t, entry=uint64_t, stored=int, bound=int, same_depth=bint, is_low=bint, is_high=bint,
        first=int, best=int, best_rank=int, floor=int, row=int, turn=int, rank=int, most=int, value=int,
    )
    cdef int _negamax(self, uint64_t own, uint64_t opponent, int empties, int depth, int alpha, int beta) except? -2147483648

    cdef _call_poll(self)

    cdef int _urgency(self, uint64_t own, uint64_t opponent, uint64_t move, int rank) noexcept

    @cython.locals(total=int, step=int)
    cpdef int column_score(self, uint64_t own, uint64_t opponent, uint64_t move) noexcept

    @cython.locals(total=int, way=int, worth=int, length=int, cell=uint64_t)
    cdef int _chain_score(self, uint64_t discs, uint64_t move, int step, int ways) noexcept nogil

    @cython.locals(cells=uint64_t, pair=uint64_t, step=int)
    cdef uint64_t _threats(self, uint64_t discs, uint64_t occupied) noexcept nogil
